// step: a debugger that also goes back.
#include <cstdio>

#include "tools/line_reader.h"
#include "tools/loading.h"
#include "tools/stepper.h"
#include "tools/verbs.h"

namespace warpsim::tools {
namespace {

bool is_remark(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first != std::string::npos && line[first] == '#';
}

class Dialogue {
 public:
  Dialogue(Session& session, Stepper& stepper) : session_(session), stepper_(stepper) {}

  // False at the end. `where` is empty for a person, who may try again.
  bool command(const std::string& line, const std::string& where) {
    if (is_remark(line)) return true;
    const Stepper::Answer answer = stepper_.run(line);
    if (session_.reply.json()) {
      if (!answer.json.empty()) write(stdout, answer.json + "\n");
    } else if (answer.ok || where.empty()) {
      write(stdout, answer.text);
    }
    if (!answer.ok && !where.empty()) {
      std::string message = answer.text;
      while (!message.empty() && message.back() == '\n') message.pop_back();
      session_.reply.fail(ExitCode::Usage, "command", where + ": " + message);
      return false;
    }
    return !answer.quit;
  }

  void by_person(LineReader& reader) {
    write(stdout, stepper_.greeting());
    for (;;) {
      const std::optional<std::string> line = reader.read("(warpsim) ");
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

  static void write(std::FILE* file, const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), file);
    std::fflush(file);
  }

 private:
  Session& session_;
  Stepper& stepper_;
};

}  // namespace

void run_step(Session& session) {
  std::optional<Trace> trace = recorded_run(session, session.options.names.front());
  if (!trace) return;
  StepperLook look;
  look.ascii = session.options.ascii;
  look.language = language_from(session.options.language).value_or(Language::English);
  Stepper stepper(std::move(*trace), look);
  Dialogue dialogue(session, stepper);
  if (!session.options.commands.empty()) {
    for (const std::string& commands : session.options.commands)
      for (const std::string& one : split_commands(commands))
        if (!dialogue.command(one, "--cmd")) return;
  } else {
    LineReader reader;
    if (reader.is_terminal()) return dialogue.by_person(reader);
    dialogue.by_script(reader);
  }
  // A script wants to know; a person has read it.
  if (stepper.at_trap()) session.reply.fail_quietly(ExitCode::Trap);
}

}  // namespace warpsim::tools
