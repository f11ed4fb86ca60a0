// The stepper's command line.
#include "tools/stepper.h"

#include <algorithm>

#include "isa/diagnostic.h"
#include "isa/number_text.h"
#include "tools/stepper_words.h"
#include "tools/words.h"
#include "traces/text_renderer.h"

namespace warpsim::tools {
struct Stepper::Command {
  std::string_view name;
  std::string_view aliases;  // apart by blanks; gdb's words
  std::string_view usage;
  std::string_view text;  // what it does, one line
  bool repeats;           // Enter does it again
  void (Stepper::*run)(std::string_view rest);
};

// In the order in which `help` lists them. A prefix that fits several means the first.
const std::vector<Stepper::Command>& Stepper::commands() {
  static const std::vector<Command> kCommands = {
      {"step", "s", "[N]", "the warp's next instruction, or the next N", true, &Stepper::step},
      {"rstep", "rs reverse-step", "[N]", "back by one, or by N", true, &Stepper::reverse_step},
      {"stepi", "si", "", "the next instruction of whichever warp", true, &Stepper::step_any},
      {"rstepi", "rsi reverse-stepi", "", "back by one, whichever warp's it was", true, &Stepper::reverse_step_any},
      {"next", "n", "", "to the next source line", true, &Stepper::next},
      {"rnext", "rn reverse-next", "", "back to another source line", true, &Stepper::reverse_next},
      {"continue", "c finish", "", "to the next breakpoint, or the end", true, &Stepper::go_on},
      {"rcontinue", "rc reverse-continue", "", "back to a breakpoint, or the start", true, &Stepper::reverse_go_on},
      {"goto", "", "CYCLE", "the moment after that cycle; 0 is the start", false, &Stepper::go_to},
      {"break", "b", "LINE [if COND]", "stop before a line: break 9 if any(%r > 10)", false, &Stepper::add_break},
      {"watch", "", "%r[#LANE]", "stop when a register changes", false, &Stepper::add_watch},
      {"delete", "d", "[N]", "a breakpoint, or all of them", false, &Stepper::remove},
      {"print", "p x", "WHAT", "%r, %r#4, input[3], any(%r > 10) …", false, &Stepper::print},
      {"lanes", "bt where backtrace", "", "where every lane stands", false, &Stepper::lanes},
      {"masks", "", "", "which lanes are active, waiting, done", false, &Stepper::masks},
      {"network", "", "", "the arrows of the warp's last shuffle", false, &Stepper::network},
      {"list", "l", "[LINE]", "the program around the next line", true, &Stepper::list},
      {"why", "", "%r#LANE", "where a value came from, back to the inputs", false, &Stepper::why},
      {"explain", "", "", "what the last instruction did, and what it is", false, &Stepper::explain},
      {"warp", "", "N", "select a warp of the block", false, &Stepper::select_warp},
      {"block", "", "N", "select a block of the grid", false, &Stepper::select_block},
      {"info", "i", "WHAT", "registers, breakpoints, warps", false, &Stepper::info},
      {"phases", "", "", "the program's steps, and when each begins", false, &Stepper::phases},
      {"help", "h", "[COMMAND]", "this list", false, &Stepper::help},
      {"quit", "q exit", "", "leave", false, &Stepper::quit},
  };
  return kCommands;
}

Stepper::Stepper(Trace trace, StepperLook look) : history_(std::move(trace)), look_(look) {
  if (!history_.trace().events.empty()) select_of(history_.trace().events.front());
}

std::string Stepper::greeting() const {
  const TraceHead& h = head();
  std::string text = h.program + (h.case_name.empty() ? "" : ", case " + h.case_name) + ": " +
                     counted(h.lanes, "lane") + ", " + counted(history_.size(), "event") + ". `help` lists commands.\n";
  return look_.ascii ? to_ascii(text) : text;
}

const Stepper::Command* Stepper::find(std::string_view word, std::string& why_not) const {
  std::vector<std::string> names;
  const Command* prefix = nullptr;
  for (const Command& one : commands()) {
    std::string_view rest = one.aliases;
    while (!rest.empty()) {
      const std::string_view alias = rest.substr(0, rest.find(' '));
      if (alias == word) return &one;
      rest.remove_prefix(std::min(alias.size() + 1, rest.size()));
    }
    if (one.name == word) return &one;
    names.emplace_back(one.name);
    if (one.name.substr(0, word.size()) != word) continue;
    if (prefix == nullptr) prefix = &one;
    else {
      why_not = "Ambiguous command \"" + std::string(word) + "\": " + std::string(prefix->name) + ", " +
                std::string(one.name) + ".";
    }
  }
  if (!why_not.empty()) return nullptr;
  if (prefix == nullptr) {
    const std::string near = nearest(word, names);
    why_not = "Undefined command: \"" + std::string(word) + "\"." +
              (near.empty() ? " Try \"help\"." : " Did you mean \"" + near + "\"?");
  }
  return prefix;
}

Stepper::Answer Stepper::run(std::string_view line) {
  answer_ = {};
  json_ = {};
  line = trimmed(line);
  const bool again = line.empty();
  const std::string text(again ? last_line_ : std::string(line));
  if (text.empty()) return answer_;
  std::size_t end = 0;
  while (end < text.size() && text[end] != ' ' && text[end] != '\t' && text[end] != '%') ++end;
  json_.text("command", text);
  std::string why_not;
  const Command* command = find(std::string_view(text).substr(0, end), why_not);
  if (command == nullptr) {
    fail(why_not);
  } else {
    if (command->run != &Stepper::list) list_from_ = 0;
    (this->*command->run)(trimmed(std::string_view(text).substr(end)));
    last_line_ = command->repeats ? text : "";
    if (command->run == &Stepper::list) last_line_ = "list";
  }
  if (look_.ascii) answer_.text = to_ascii(answer_.text);
  json_.boolean("ok", answer_.ok).number("position", history_.position());
  if (const TraceEvent* last = history_.last(); last != nullptr && last->cycle) json_.number("cycle", *last->cycle);
  json_.number("block", block_).number("warp", warp_);
  json_.raw("line", next_line() == 0 ? "null" : std::to_string(next_line())).text("text", answer_.text);
  answer_.json = json_.str();
  return answer_;
}

void Stepper::say(std::string_view text) { (answer_.text += text) += '\n'; }

void Stepper::fail(const std::string& text) {
  answer_.ok = false;
  answer_.text = text + "\n";
}

void Stepper::help(std::string_view rest) {
  std::string why_not;
  const Command* only = rest.empty() ? nullptr : find(rest, why_not);
  if (!rest.empty() && only == nullptr) return fail(why_not);
  for (const Command& one : commands()) {
    if (only != nullptr && only != &one) continue;
    const std::string left = std::string(one.name) + (one.usage.empty() ? "" : " " + std::string(one.usage));
    say(padded(left, 22) + std::string(one.text));
    if (only != nullptr && !one.aliases.empty()) say("also: " + std::string(one.aliases));
  }
  if (only == nullptr) say("Enter repeats a motion. A prefix that fits one command stands for it.");
}

void Stepper::quit(std::string_view) { answer_.quit = true; }

std::vector<std::string> split_commands(std::string_view text) {
  std::vector<std::string> list(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ';' && depth <= 0) list.emplace_back();
    else list.back() += c;
  }
  return list;
}

}  // namespace warpsim::tools
