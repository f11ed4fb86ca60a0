// Reading lines; see line_reader.h.
#include "tools/line_reader.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#ifdef WARPSIM_LIBEDIT
#include <editline/readline.h>
#endif

namespace warpsim::tools {
namespace {

volatile std::sig_atomic_t interrupted = 0;

void note_interrupt(int) { interrupted = 1; }

}  // namespace

LineReader::LineReader() : terminal_(::isatty(STDIN_FILENO) != 0) {
  if (!terminal_) return;
  struct sigaction action {};
  action.sa_handler = note_interrupt;  // without SA_RESTART, so that it ends a read
  ::sigaction(SIGINT, &action, nullptr);
}

LineReader::~LineReader() {
  if (terminal_) std::signal(SIGINT, SIG_DFL);
}

std::optional<std::string> LineReader::read(const std::string& prompt) {
#ifdef WARPSIM_LIBEDIT
  if (terminal_ && ::isatty(STDOUT_FILENO) != 0) {
    interrupted = 0;
    char* typed = ::readline(prompt.c_str());
    if (typed == nullptr && interrupted != 0) {
      std::fputs("Quit\n", stdout);
      return "#";  // a remark: nothing is repeated
    }
    if (typed == nullptr) return std::nullopt;
    std::string line(typed);
    std::free(typed);
    if (!line.empty()) ::add_history(line.c_str());
    return line;
  }
#endif
  return read_plain(prompt);
}

std::optional<std::string> LineReader::read_plain(const std::string& prompt) {
  if (terminal_) std::fputs(prompt.c_str(), stdout);
  std::fflush(stdout);
  while (pending_.find('\n') == std::string::npos) {
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) {
      if (interrupted == 0) continue;
      interrupted = 0;
      pending_.clear();
      std::fputs("Quit\n", stdout);
      return "#";
    }
    if (got <= 0) {
      if (pending_.empty()) return std::nullopt;
      std::string rest;
      rest.swap(pending_);
      return rest;
    }
    pending_.append(buffer.data(), static_cast<std::size_t>(got));
  }
  const std::size_t end = pending_.find('\n');
  std::string line = pending_.substr(0, end);
  pending_.erase(0, end + 1);
  return line;
}

}  // namespace warpsim::tools
