// Standard error through spdlog; see log.h. The only file that includes it: it is slow to compile.
#include "tools/support/log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/ansicolor_sink.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace warpsim::tools::log {

namespace {

// A logger of our own, outside spdlog's registry: nothing is set up before main, and nothing is shared.
struct Channel {
  std::shared_ptr<spdlog::sinks::ansicolor_stderr_sink_st> sink =
      std::make_shared<spdlog::sinks::ansicolor_stderr_sink_st>(spdlog::color_mode::never);
  spdlog::logger logger{"warpsim", sink};

  Channel() {
    logger.set_pattern("%n: %^%l:%$ %v");
    sink->set_color(spdlog::level::err, sink->red_bold);
  }
};

Channel& channel() {
  static Channel instance;
  return instance;
}

}  // namespace

bool wants_color(const std::string& choice, int fd) {
  if (choice != "auto") return choice == "always";
  const char* const no_color = std::getenv("NO_COLOR");  // https://no-color.org: any text but none
  const char* const term = std::getenv("TERM");
  const bool refused =
      (no_color != nullptr && *no_color != '\0') || (term != nullptr && std::string_view(term) == "dumb");
  return !refused && isatty(fd) != 0;
}

void set_color(bool on) { channel().sink->set_color_mode(on ? spdlog::color_mode::always : spdlog::color_mode::never); }
void error(std::string_view message) { channel().logger.log(spdlog::level::err, message); }
void raw(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace warpsim::tools::log
