// step: a debugger that also goes back.
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>

#include "isa/text/word.h"
#include "tools/command/verbs.h"
#include "tools/debugger/stepper.h"
#include "tools/session/trace_source.h"
#include "tools/session/wording.h"
#include "tools/support/line_reader.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kColumnsOfAPipe = 80, kUnbroken = 1'000'000;

// Columns of the terminal that the answers go to; of a pipe or a file 80.
std::size_t terminal_width() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kColumnsOfAPipe;
}

// Lines that were broken for a terminal, as one.
std::string joined(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, text.find_last_not_of('\n') + 1)) out += c == '\n' ? ' ' : c;
  return out;
}

class Dialogue {
 public:
  Dialogue(Session& session, Stepper& stepper) : session_(session), stepper_(stepper) {}

  // False at the end. `where` is empty for a person, who may try again.
  // A script that ends with a mistake ends with that mistake's exit code.
  bool command(const std::string& line, const std::string& where) {
    const std::string meant = without_remark(line);
    if (meant.size() < line.size() && trimmed(meant).empty()) return true;
    stepper_.set_width(session_.reply.json() ? kUnbroken : terminal_width());  // data has no columns
    const Stepper::Answer answer = stepper_.run(meant);
    if (session_.reply.json()) {
      if (!answer.json.empty()) write(stdout, answer.json + "\n");
    } else {
      write(stdout, answer.before + (answer.ok || where.empty() ? answer.text : ""));
    }
    if (!answer.ok && !where.empty()) {
      session_.reply.fail(ExitCode::Usage, "command",
                          where + ", \"" + shortened(trimmed(line)) + "\": " + joined(answer.text));
      is_wrong_ = true;
      return false;
    }
    return !answer.quit;
  }

  void by_person(LineReader& reader) {
    stepper_.set_width(terminal_width());
    write(stdout, stepper_.greeting());
    reader.set_completion([this](std::string_view line, std::size_t& from) { return stepper_.complete(line, from); });
    for (;;) {
      const std::optional<std::string> line = reader.read(stepper_.is_reading_commands() ? "> " : "(warpsim) ");
      if (!line) return write(stdout, "quit\n");
      if (!command(*line, "")) return;
    }
  }

  void by_script(LineReader& reader) {
    int number = 0;
    while (const std::optional<std::string> line = reader.read("")) {
      ++number;
      if (line->find_first_not_of(" \t\r") == std::string::npos) continue;  // Enter repeats for people only
      for (const std::string& one : split_commands(*line))
        if (!command(one, "line " + std::to_string(number))) return;
    }
  }
  void by_words(const std::vector<std::string>& texts) {
    for (const std::string& commands : texts)
      for (const std::string& one : split_commands(commands))
        if (!command(one, "--cmd")) return;
  }
  bool is_wrong() const { return is_wrong_; }

  static void write(std::FILE* file, const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fflush(file);
  }

 private:
  Session& session_;
  Stepper& stepper_;
  bool is_wrong_ = false;  // a command of a script
};

}  // namespace

// Standard input is read to its end by then; where that was a terminal, a person can go on typing.
bool commands_can_come(Session& session) {
  if (session.options.names.front() != "-" || !session.options.commands.empty() || ::isatty(STDIN_FILENO) != 0)
    return true;
  session.reply.fail(ExitCode::Usage, "usage",
                     "standard input is what is to be stepped through: no command can come from it",
                     "--cmd 'step 3; lanes' gives commands; a file leaves standard input free");
  return false;
}

void run_step(Session& session) {
  const std::optional<Wording> wording = wording_of(session);
  if (!wording || !commands_can_come(session)) return;
  std::optional<Trace> trace = recorded_trace(session, session.options.names.front());
  if (!trace) return;
  StepperLook look;
  look.ascii = session.options.ascii;
  look.language = wording->language;
  look.translations = wording->texts();
  Stepper stepper(std::move(*trace), look);
  Dialogue dialogue(session, stepper);
  if (!session.options.commands.empty()) {
    dialogue.by_words(session.options.commands);
  } else {
    LineReader reader;
    if (reader.is_terminal()) return dialogue.by_person(reader);
    dialogue.by_script(reader);
  }
  // A script wants to know, wherever it went afterwards; a person has read it.
  if (stepper.came_to_trap() && !dialogue.is_wrong()) session.reply.fail_quietly(ExitCode::Trap);
}

}  // namespace warpsim::tools
