#include "tools/terminal/tui.h"

#include <algorithm>
#include <utility>

#include "isa/text/word.h"
#include "tools/debugger/stepper_words.h"
#include "tools/terminal/tui_program.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kMostAnswers = 2000, kMostValuesLookedAt = 200'000;

// Of the values in which lanes differ; of a long run those at its beginning. What all lanes share needs no columns, and
// a predicate needs one.
std::size_t widest_value(const Stepper& stepper) {
  std::size_t widest = 1, seen = 0;
  const History& history = stepper.history();
  for (const TraceEvent& event : history.trace().events)
    for (const TraceWrite& write : event.writes) {
      const Type type = history.head().registers[static_cast<std::size_t>(write.reg)].type;
      if (type == Type::Pred || std::equal(write.bits.begin() + 1, write.bits.end(), write.bits.begin())) continue;
      for (std::size_t k = 0; k < write.bits.size() && seen < kMostValuesLookedAt; ++k, ++seen)
        widest = std::max(widest, columns_of(stepper.value_text(TemplateValue::of(type, write.bits[k]))));
    }
  return widest;
}

// What the run's first shuffle sends: what a learner wants to see.
std::int32_t first_sent(const Trace& trace) {
  for (const TraceEvent& event : trace.events) {
    if (!event.exchange) continue;
    const InsnFlow flow = flow_of(trace.head, event.pc);
    if (!flow.exchanged.empty()) return std::max(find_register(trace.head, flow.exchanged.front()), 0);
  }
  return 0;
}

StepperLook with_layouts(StepperLook look) {
  look.has_layouts = true;
  return look;
}

// A character back, or on: UTF-8 is not cut.
std::size_t before(std::string_view text, std::size_t at) {
  while (at > 0 && (static_cast<unsigned char>(text[--at]) & 0xC0) == 0x80) {
  }
  return at;
}
std::size_t behind(std::string_view text, std::size_t at) {
  while (at < text.size() && ++at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) {
  }
  return at;
}

}  // namespace

Tui::Tui(Trace trace, StepperLook look) : stepper_(std::move(trace), with_layouts(look)) {
  state_.value_columns = widest_value(stepper_);
  state_.reg = first_sent(stepper_.history().trace());
}

Screen Tui::draw(std::size_t width, std::size_t height) {
  stepper_.set_width(std::max<std::size_t>(width, kLeastColumns) - 3);
  return draw_tui(stepper_, state_, width, height);
}

bool Tui::press(const Key& key) {
  if (key.kind == Key::Kind::Quit) return false;
  if (key.kind == Key::Kind::None) return true;
  if (key.kind == Key::Kind::Interrupt) return std::exchange(state_.typing, false);
  if (state_.typing) {
    if (key.kind == Key::Kind::Enter) return enter();
    type(key);
    return true;
  }
  if (state_.help) {
    state_.help = false;
    return true;
  }
  switch (key.kind) {
    case Key::Kind::Character: return key.text.size() != 1 || command_key(key.text.front());
    case Key::Kind::Tab: next_pane(true); return true;
    case Key::Kind::Home: move("goto 0"); return true;
    case Key::Kind::End: move("goto " + std::to_string(stepper_.last_moment())); return true;
    case Key::Kind::Enter: move("step"); return true;
    case Key::Kind::Backspace: move("rstep"); return true;
    case Key::Kind::PageUp: scroll(-10); return true;
    case Key::Kind::PageDown: scroll(10); return true;
    default: arrow(key.kind); return true;
  }
}

bool Tui::command_key(char key) {
  switch (key) {
    case 'q': return false;
    case 'n':
    case 's':
    case ' ': move("step"); break;
    case 'p':
    case 'r': move("rstep"); break;
    case 'N': move("next"); break;
    case 'P': move("rnext"); break;
    case 'c': move("continue"); break;
    case 'C': move("rcontinue"); break;
    case ']': move("shuffle"); break;
    case '[': move("rshuffle"); break;
    case 'b': toggle_breakpoint(); break;
    case 'h': choose(-1, 0); break;
    case 'l': choose(1, 0); break;
    case 'k': choose(0, -1); break;
    case 'j': choose(0, 1); break;
    case 'w':
      if (!stepper_.history().head().registers.empty())
        return run_command("why " + stepper_.history().head().registers[static_cast<std::size_t>(state_.reg)].name +
                           "#" + std::to_string(state_.lane));
      break;
    case '?': state_.help = true; break;
    case ':':
      state_.typing = true;
      state_.typed.clear();
      state_.caret = 0;
      recalled_ = typed_before_.size();
      break;
    default: break;
  }
  return true;
}

void Tui::arrow(Key::Kind kind) {
  const int across = kind == Key::Kind::Left ? -1 : kind == Key::Kind::Right ? 1 : 0;
  const int down = kind == Key::Kind::Up ? -1 : kind == Key::Kind::Down ? 1 : 0;
  if (state_.pane == Pane::Lanes) return choose(across, down);
  if (across != 0) return move(across > 0 ? "step" : "rstep");
  if (state_.pane == Pane::Answers) return scroll(down);
  const std::uint32_t reached = reached_line(stepper_).line;
  const std::vector<ProgramLine> lines = program_lines(stepper_.history().head(), stepper_.lines(), reached);
  if (down == 0 || lines.empty()) return;
  const std::size_t from = place_of_line(lines, state_.cursor != 0 ? state_.cursor : reached);
  state_.cursor = lines[down < 0 ? std::max<std::size_t>(from, 1) - 1 : std::min(from + 1, lines.size() - 1)].line;
}

void Tui::choose(int lanes, int registers) {
  const TraceHead& head = stepper_.history().head();
  const auto moved = [](std::int64_t from, int by, std::size_t count) {
    return std::clamp<std::int64_t>(from + by, 0, std::max<std::int64_t>(static_cast<std::int64_t>(count) - 1, 0));
  };
  state_.lane = static_cast<unsigned>(moved(state_.lane, lanes, head.lanes));
  state_.reg = static_cast<std::int32_t>(moved(state_.reg, registers, head.registers.size()));
}

void Tui::scroll(std::ptrdiff_t lines) {
  const auto last = static_cast<std::ptrdiff_t>(state_.answers.size()) - 1;
  const auto from = static_cast<std::ptrdiff_t>(state_.answers_from) + lines;
  state_.answers_from =
      static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(from, 0, std::max<std::ptrdiff_t>(last, 0)));
}

// What the screen shows of itself, the sentence and the next line, is not said twice. A line that begins with a blank
// goes on with the one before; the screen breaks lines itself.
void Tui::move(const std::string& command) {
  const Stepper::Answer answer = stepper_.run(command);
  state_.cursor = 0;
  state_.notice.clear();
  state_.answered = false;
  look_around();
  for (const std::string_view line : lines_of(answer.notes)) {
    const bool continues = line.rfind(' ', 0) == 0;
    state_.notice += (state_.notice.empty() ? "" : continues ? " " : "\n") + std::string(trimmed(line));
  }
}

void Tui::toggle_breakpoint() {
  const std::uint32_t line = state_.cursor != 0 ? state_.cursor : reached_line(stepper_).line;
  if (line == 0) return;
  const std::optional<int> there = stepper_.breakpoint_at(line);
  const std::string answer =
      stepper_.run(there ? "delete " + std::to_string(*there) : "break " + stepper_.lines().name(line)).text;
  state_.notice = answer.substr(0, answer.find('\n'));
}

// A command with its answer, among the answers. False: it was `quit`.
bool Tui::run_command(const std::string& command) {
  std::vector<std::string>& answers = state_.answers;
  if (answers.size() > kMostAnswers) answers.erase(answers.begin(), answers.end() - kMostAnswers / 2);
  state_.answers_from = answers.size();
  state_.answered = true;
  answers.push_back("(warpsim) " + shortened(command));
  const std::optional<unsigned> lane = stepper_.lane();
  const Stepper::Answer answer = stepper_.run(command);
  const std::string all = answer.before + answer.text;
  for (const std::string_view line : lines_of(all)) answers.emplace_back(line);
  if (stepper_.lane() && stepper_.lane() != lane) state_.lane = *stepper_.lane();
  lay_out(answer.layout);
  state_.cursor = 0;
  state_.notice.clear();
  look_around();
  return !answer.quit;
}

// gdb's windows: its source and assembly are the program, its registers the lanes.
void Tui::lay_out(std::string_view layout) {
  if (layout == "src" || layout == "asm") state_.pane = Pane::Program;
  if (layout == "regs" || layout == "split") state_.pane = Pane::Lanes;
  if (layout == "next" || layout == "prev") next_pane(layout == "next");
}

void Tui::next_pane(bool forwards) {
  static constexpr Pane kPanes[] = {Pane::Program, Pane::Lanes, Pane::Answers};
  state_.pane = kPanes[(static_cast<std::size_t>(state_.pane) + (forwards ? 1 : 2)) % 3];
  state_.cursor = 0;
}

// What was sent is no longer in the registers where a shuffle writes what it reads.
void Tui::look_around() {
  state_.sent_register = -1;
  const std::optional<std::size_t> last = stepper_.last_event();
  if (!last) return;
  const TraceHead& head = stepper_.history().head();
  const TraceEvent& event = stepper_.history().trace().events[*last];
  const InsnFlow flow = flow_of(head, event.pc);
  if (!event.exchange || flow.exchanged.empty()) return;
  state_.sent_register = find_register(head, flow.exchanged.front());
  if (state_.sent_register >= 0) state_.sent = stepper_.values_before(*last, state_.sent_register);
}

// ---- typing a command

bool Tui::enter() {
  state_.typing = false;
  const std::string text(trimmed(state_.typed));
  if (text.empty()) return true;
  if (typed_before_.empty() || typed_before_.back() != text) typed_before_.push_back(text);
  for (const std::string& one : split_commands(text))
    if (!trimmed(one).empty() && !run_command(std::string(trimmed(one)))) return false;
  return true;
}

void Tui::recall(bool older) {
  if (older ? recalled_ == 0 : recalled_ >= typed_before_.size()) return;
  recalled_ += older ? -1 : 1;
  state_.typed = recalled_ < typed_before_.size() ? typed_before_[recalled_] : "";
  state_.caret = state_.typed.size();
}

// As far as all that fits agrees; where it is open, what there is.
void Tui::complete() {
  std::size_t from = 0;
  const std::vector<std::string> words =
      stepper_.complete(std::string_view(state_.typed).substr(0, state_.caret), from);
  if (words.empty()) return;
  std::string shared = words.front();
  for (const std::string& word : words)
    shared.resize(static_cast<std::size_t>(std::mismatch(shared.begin(), shared.end(), word.begin(), word.end()).first -
                                           shared.begin()));
  if (words.size() == 1 && from == 0) shared += ' ';
  const bool is_open = shared.size() == state_.caret - from;
  state_.typed.replace(from, state_.caret - from, shared);
  state_.caret = from + shared.size();
  if (!is_open) return;
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : "  ") + word;
  state_.answers_from = state_.answers.size();
  state_.answered = true;
  state_.answers.push_back(all);
}

void Tui::type(const Key& key) {
  std::string& text = state_.typed;
  std::size_t& caret = state_.caret;
  switch (key.kind) {
    case Key::Kind::Character:
      text.insert(caret, key.text);
      caret += key.text.size();
      break;
    case Key::Kind::Backspace: {
      if (text.empty()) state_.typing = false;
      const std::size_t from = before(text, caret);
      text.erase(from, caret - from);
      caret = from;
      break;
    }
    case Key::Kind::Delete: text.erase(caret, behind(text, caret) - caret); break;
    case Key::Kind::Left: caret = before(text, caret); break;
    case Key::Kind::Right: caret = behind(text, caret); break;
    case Key::Kind::Home: caret = 0; break;
    case Key::Kind::End: caret = text.size(); break;
    case Key::Kind::Tab: complete(); break;
    case Key::Kind::Up: recall(true); break;
    case Key::Kind::Down: recall(false); break;
    case Key::Kind::Escape: state_.typing = false; break;
    default: break;
  }
}

}  // namespace warpsim::tools
