// The `warpsim` command: what it does is said by its verbs (verbs.cpp).
//
// Shapes: parse, then one verb, then one exit code (exit_code.h). Data goes to standard output, all else to standard
//         error.
// Errors: nothing that a user can type ends in an exception or an abort; what does is a mistake here and exits with
//         70.
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "host/exec/environment.h"
#include "tools/command/command_line.h"
#include "tools/command/verbs.h"
#include "tools/sass/code_trace.h"
#include "tools/session/catalogue.h"
#include "tools/session/reply.h"
#include "tools/support/exit_code.h"
#include "tools/support/json_object.h"
#include "tools/support/log.h"

namespace warpsim::tools {

namespace {

ExitCode run_words(const std::vector<std::string>& words) {
  const Catalogue catalogue(programs_folder(words));
  CommandLine command_line(catalogue);
  Options options;
  const Parsed parsed = command_line.parse(words, options);
  if (parsed.kind != Parsed::Kind::Run) {
    // There are no options yet; the wish for JSON is honoured all the same.
    const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
    Reply reply(json, log::wants_color("auto", STDERR_FILENO));
    if (parsed.kind == Parsed::Kind::Print) {
      reply.text(parsed.text);
      reply.result(JsonObject().text("text", parsed.text).str());
    } else {
      reply.fail(ExitCode::Usage, "usage", parsed.text, parsed.hint);
    }
    return reply.finish();
  }
  const bool color = log::wants_color(options.color, STDERR_FILENO);
  log::set_color(color);
  Reply reply(options.json, color);
  Session session{options, catalogue, &command_line, reply};
  session.run_code = execute_code;
  if (!catalogue.error().empty()) {
    reply.fail(ExitCode::BadInput, "file", catalogue.error());
  } else {
    for (const Verb& verb : all_verbs()) {
      if (verb.name != options.verb) continue;
      session.takes = verb.options;
      verb.run(session);
    }
  }
  return reply.finish();
}

}  // namespace

}  // namespace warpsim::tools

int main(int argc, char** argv) {
  warpsim::host::heed_environment();
  using warpsim::tools::ExitCode;
  std::signal(SIGPIPE, SIG_IGN);                                                     // a write then fails, and says so
  std::signal(SIGABRT, [](int) { ::_exit(static_cast<int>(ExitCode::Internal)); });  // a WARPSIM_CHECK that has spoken
  try {
    return static_cast<int>(warpsim::tools::run_words(std::vector<std::string>(argv + 1, argv + argc)));
  } catch (const std::bad_alloc&) {
    warpsim::tools::log::error("this needs more memory than there is");
    return static_cast<int>(ExitCode::Unsupported);
  } catch (const std::exception& mistake) {
    warpsim::tools::log::error(std::string("a mistake in warpsim itself: ") + mistake.what());
    return static_cast<int>(ExitCode::Internal);
  }
}
