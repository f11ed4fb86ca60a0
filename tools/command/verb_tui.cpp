// tui: the stepper in full screen.
#include <unistd.h>

#include <csignal>

#include "tools/command/verbs.h"
#include "tools/session/trace_source.h"
#include "tools/session/wording.h"
#include "tools/support/log.h"
#include "tools/terminal/terminal.h"
#include "tools/terminal/tui.h"

namespace warpsim::tools {
namespace {

// Where the Terminal cannot be had, before anything is run.
bool can_draw(Session& session) {
  constexpr std::string_view kInstead = "`warpsim step` does the same, line by line";
  if (session.options.json) {
    session.reply.fail(ExitCode::Usage, "usage", "`tui` draws a screen and has no answer in JSON",
                       "`warpsim step --json` answers");
  } else if (!Terminal::is_built_in()) {
    session.reply.fail(ExitCode::Unsupported, "terminal",
                       "this warpsim was built without ncurses, which `tui` draws with",
                       "install libncurses-dev (Debian, Ubuntu) and build again; or: " + std::string(kInstead));
  } else if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) {
    session.reply.fail(ExitCode::Usage, "terminal", "`tui` wants a terminal, as standard input and as standard output",
                       kInstead);
  } else {
    return true;
  }
  return false;
}

}  // namespace

void run_tui(Session& session) {
  if (!can_draw(session)) return;
  const std::optional<Wording> wording = wording_of(session);
  if (!wording) return;
  std::optional<Trace> trace = recorded_trace(session, session.options.names.front());
  if (!trace) return;
  StepperLook look;
  look.ascii = session.options.ascii;
  look.language = wording->language;
  look.translations = wording->texts();
  Tui tui(std::move(*trace), look);
  {
    std::string why_not;
    const std::unique_ptr<Terminal> terminal =
        Terminal::open(log::wants_color(session.options.color, STDOUT_FILENO), why_not);
    if (terminal == nullptr)
      return session.reply.fail(ExitCode::Unsupported, "terminal", why_not,
                                "set TERM to what this terminal is, as in TERM=xterm-256color");
    do terminal->show(tui.draw(terminal->width(), terminal->height()));
    while (tui.press(terminal->read()));
  }
  if (const int signal = Terminal::signal(); signal != 0) {  // whoever sent it sees that it was heard
    std::signal(signal, SIG_DFL);
    ::raise(signal);
  }
}

}  // namespace warpsim::tools
