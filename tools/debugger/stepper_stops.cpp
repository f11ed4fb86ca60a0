// What stops the stepper: breakpoints and watchpoints.
#include <algorithm>

#include "isa/text/word.h"
#include "tools/debugger/moment_view.h"
#include "tools/debugger/stepper.h"
#include "tools/support/words.h"
#include "traces/model/source_lines.h"
#include "traces/replay/phase_view.h"

namespace warpsim::tools {

// ---- whether one stops

// A bare register: on any lane that is there; for a watched lane, on that lane.
bool Stepper::condition_holds(const Stop& one, const TraceEvent& event) {
  if (one.expression.empty()) return true;
  const MomentView view(history_, event.block, event.warp, event.group);
  if (one.line == 0 && one.lane) return one.expression.holds({view, *one.lane, event.group, nullptr});
  return one.expression.lanes_where({view, event.group == 0 ? 0 : first_lane(event.group), event.group, nullptr}) != 0;
}

// At a position, reached forwards or backwards.
bool Stepper::is_hit(const Stop& one, std::size_t position, bool forwards) {
  const std::vector<TraceEvent>& events = history_.trace().events;
  // A watchpoint, going back: the event that is just undone is the one that changed the value.
  const std::size_t changer = one.line != 0 || !forwards ? position : position - 1;
  if (changer >= events.size() || (one.line == 0 && forwards && position == 0)) return false;
  const TraceEvent& event = events[changer];
  if (one.of_warp && *one.of_warp != History::WarpKey{event.block, event.warp}) return false;
  if (one.line != 0)
    return is_at_line(changer, one.line) && (!one.of_program || event.active != 0) && condition_holds(one, event);
  bool hit = one.on_read && lanes_reading(one, event) != 0;
  if (!hit && one.on_change) {
    history_.seek(changer + 1);
    hit = is_changed(one);
    history_.seek(position);
  }
  return hit && condition_holds(one, event);
}

// Whether an instruction is of a line, or of a function that was inlined there.
bool Stepper::is_within(const TraceInsn& insn, std::uint32_t line) const {
  if (lines_.of(insn) == line) return true;
  for (const TraceSourcePlace* one : frames_of(head(), insn))
    if (lines_.of(*one) == line) return true;
  return false;
}

// A line of a source is many instructions: where the warp comes to it, or to it again. Unless it has nothing else,
// arithmetic of addresses does not count, which a compiler puts anywhere.
bool Stepper::is_at_line(std::size_t event, std::uint32_t line) const {
  const TraceInsn& insn = insn_of(event);
  if (lines_.in_text(insn) == line) return true;
  if (!is_within(insn, line)) return false;
  const bool has_other = std::any_of(head().code.begin(), head().code.end(), [&](const TraceInsn& other) {
    return !other.is_address && is_within(other, line);
  });
  if (insn.is_address && has_other) return false;
  const std::vector<TraceEvent>& events = history_.trace().events;
  for (std::size_t n = event; n-- > 0;)
    if (events[n].block == events[event].block && events[n].warp == events[event].warp &&
        (!insn_of(n).is_address || !has_other))
      return !is_within(insn_of(n), line) || insn_of(n).pc >= insn.pc;
  return true;
}

bool Stepper::is_changed(const Stop& one) const {
  const HistoryChanges& changes = history_.changes();
  const auto is_watched_register = [&](const HistoryChanges::Register& change) {
    return change.reg == one.reg && (one.lane ? has_lane(change.changed, *one.lane) : change.changed != 0);
  };
  const auto is_watched_element = [&](const HistoryChanges::Element& change) {
    const std::size_t object = static_cast<std::size_t>(change.object);
    const std::string& name = change.shared ? head().shared[object].name : head().params[object].name;
    return change.changed && change.index == one.element.index && name == one.element.array;
  };
  return one.reg >= 0 ? std::any_of(changes.registers.begin(), changes.registers.end(), is_watched_register)
                      : std::any_of(changes.elements.begin(), changes.elements.end(), is_watched_element);
}

// The lanes for which an event reads what is watched: of a register the lanes that hold it, of an element those that
// load it.
LaneMask Stepper::lanes_reading(const Stop& one, const TraceEvent& event) const {
  LaneMask lanes = 0;
  if (one.reg < 0) {
    if (!event.memory || event.memory->access == TraceMemory::Access::Store) return 0;
    std::size_t place = 0;
    for_each_lane(event.memory->lanes, [&](unsigned lane) {
      const std::int64_t offset = one.element.index - event.memory->index[place];
      const bool is_it = event.memory->object[place] >= 0 && offset >= 0 && offset < event.memory->elements &&
                         object_name(head(), *event.memory, place) == one.element.array;
      if (is_it) lanes |= lane_bit(lane);
      ++place;
    });
    return lanes;
  }
  const InsnFlow& flow = one.flows[static_cast<std::size_t>(event.pc)];
  const std::string& name = head().registers[static_cast<std::size_t>(one.reg)].name;
  const auto is_in = [&](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (flow.guard == name) lanes |= event.group;
  if (is_in(flow.value) || is_in(flow.address) || (is_in(flow.exchanged) && !event.exchange)) lanes |= event.active;
  if (is_in(flow.exchanged) && event.exchange)
    for_each_lane(event.exchange->lanes, [&](unsigned lane) {
      const bool from_another = has_lane(event.exchange->in_range, lane);
      lanes |= lane_bit(from_another ? event.exchange->from[lane_place(event.exchange->lanes, lane)] : lane);
    });
  return one.lane ? lanes & lane_bit(*one.lane) : lanes;
}

// All that stop at a position; one that is passed over counts down.
std::vector<const Stepper::Stop*> Stepper::stops_at(std::size_t position, bool forwards) {
  history_.seek(position);
  std::vector<const Stop*> found;
  for (Stop& one : stops_) {
    if (!one.enabled || !is_hit(one, position, forwards)) continue;
    if (one.passes > 0) --one.passes;
    else found.push_back(&one);
  }
  return found;
}

void Stepper::report_stops(const std::vector<const Stop*>& found, bool forwards) {
  const std::vector<TraceEvent>& events = history_.trace().events;
  const std::size_t position = history_.position();
  const Stop& first = *found.front();
  stopped_at_ = first.once ? 0 : first.number;
  select_of(events[first.line != 0 || !forwards ? position : position - 1]);
  for (const Stop* one : found) {
    if (one->number == 0) continue;  // of `until`: the line that comes next says it
    queue_commands_of(*one);
    const bool is_said = one->commands.empty() || one->commands.front() != "silent";
    is_silent_ = is_silent_ || !is_said;
    if (stopped_.empty()) {
      stopped_ = one->line != 0 ? "breakpoint" : "watchpoint";
      json_.number("number", static_cast<unsigned>(one->number));
    }
    if (is_said) say(stop_text(*one) + (one->line != 0 ? "" : watched_change(*one, forwards)));
  }
  std::vector<int> gone;
  for (const Stop* one : found)
    if (one->once) gone.push_back(one->number);
  const auto is_gone = [&](const Stop& one) { return std::find(gone.begin(), gone.end(), one.number) != gone.end(); };
  stops_.erase(std::remove_if(stops_.begin(), stops_.end(), is_gone), stops_.end());
}

TemplateValue Stepper::watched_value(const Stop& one) const {
  if (one.reg >= 0) return history_.value(one.of_warp->first, one.of_warp->second, one.reg, one.lane.value_or(0));
  const TemplateValue value =
      history_.memory().element(one.element.array, one.element.index, one.of_warp ? one.of_warp->first : 0);
  return value.kind == TemplateValue::Kind::Missing ? TemplateValue::undefined() : value;
}

// ": 8 → 12", or of what was read " = 8, read by lane 3"; the position is where it stopped.
std::string Stepper::watched_change(const Stop& one, bool forwards) {
  const std::size_t here = history_.position(), event = forwards ? here - 1 : here;
  const LaneMask readers = one.on_read ? lanes_reading(one, history_.trace().events[event]) : 0;
  if (one.reg >= 0 && !one.lane) return "";
  const std::string now = value_text(watched_value(one));
  history_.seek(forwards ? here - 1 : here + 1);
  const std::string then = value_text(watched_value(one));
  history_.seek(here);
  const std::string read = forwards ? then : now;  // before the instruction
  if (readers == 0 || (one.on_change && then != now)) return ": " + then + " " + arrow() + " " + now;
  if (one.reg >= 0) return " = " + read;
  return " = " + read + text_of(", read by $1", ", 읽은 $2", {lanes_in_words(readers), lanes_words(readers)});
}

std::string Stepper::stop_text(const Stop& one) const {
  const std::string number = std::to_string(one.number);
  const std::string condition = one.condition.empty() ? "" : " if " + one.condition;
  if (one.line == 0 && !one.on_change)
    return text_of("Read watchpoint $1: $2", "읽기 감시점 $1: $2", {number, one.watched}) + condition;
  if (one.line == 0 && one.on_read)
    return text_of("Access watchpoint $1: $2", "접근 감시점 $1: $2", {number, one.watched}) + condition;
  if (one.line == 0) return text_of("Watchpoint $1: $2", "감시점 $1: $2", {number, one.watched}) + condition;
  return (one.once
              ? text_of("Temporary breakpoint $1, line $2", "임시 중단점 $1, $2행", {number, lines_.name(one.line)})
              : text_of("Breakpoint $1, line $2", "중단점 $1, $2행", {number, lines_.name(one.line)})) +
         condition;
}

std::optional<int> Stepper::breakpoint_at(std::uint32_t line) const {
  for (const Stop& one : stops_)
    if (line != 0 && one.line == line) return one.number;
  return std::nullopt;
}

// ---- commands

// The line of a label of the program's text: `label:`, before an instruction or alone.
std::optional<std::uint64_t> Stepper::line_of_label(std::string_view label) const {
  const std::vector<std::string_view> lines = lines_of(head().text);
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::string_view line = trimmed(lines[k]);
    if (line.size() > label.size() && line.substr(0, label.size()) == label && line[label.size()] == ':') return k + 1;
  }
  return std::nullopt;
}

// Of an instruction by its number, as `disassemble` shows it: break *9, break *$pc.
std::optional<std::uint64_t> Stepper::line_of_instruction(std::string_view text) const {
  if (text == "$pc" && next_line() != 0) return next_line();
  const std::optional<std::uint64_t> pc = parse_count(text);
  if (!pc || *pc >= head().code.size()) return std::nullopt;
  return lines_.in_text(head().code[static_cast<std::size_t>(*pc)]);
}

// "sum.cu:17", "sum.ptx:60", or a number of the file that is shown, a label of the text.
std::uint32_t Stepper::line_of_source(std::string_view text) const {
  const std::size_t colon = text.rfind(':');
  const bool has_file = colon != std::string_view::npos && colon != 0;
  const std::string_view place = has_file ? text.substr(colon + 1) : text;
  if (const std::optional<std::uint64_t> number = parse_count(place))
    return lines_.find(has_file ? text.substr(0, colon) : "", *number, std::max(line_here(), 1U));
  const std::optional<std::uint64_t> label = line_of_label(place);
  return label ? lines_.find(head().file, *label, 1) : 0;
}

// "FILE:LINE" and "FILE:LABEL" without the file, which must be the program's own: its name, or the end of it.
std::optional<std::string_view> Stepper::without_file(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return text;
  const auto stem = [](std::string_view path) {
    constexpr std::string_view kEnding = ".warp";
    return path.ends_with(kEnding) ? path.substr(0, path.size() - kEnding.size()) : path;
  };
  const std::string_view wanted = stem(text.substr(0, colon));
  for (const std::string& own : {head().program, head().file}) {
    const std::string_view name = stem(own);
    const bool is_end =
        name.size() > wanted.size() && name.ends_with(wanted) && name[name.size() - wanted.size() - 1] == '/';
    if (!wanted.empty() && (name == wanted || is_end)) return text.substr(colon + 1);
  }
  refuse("No file \"$1\" here: the program is $2.", "\"$1\" 파일이 없습니다. 이 프로그램은 $2입니다.",
         {std::string(text.substr(0, colon)), head().program});
  return std::nullopt;
}

// Like gdb: a line without an instruction means the next one that has one.
bool Stepper::read_line(std::string_view text, std::uint32_t& line) {
  std::optional<std::uint64_t> wanted;
  if (text.starts_with('*')) {
    wanted = line_of_instruction(text.substr(1));
  } else if (lines_.has_sources()) {
    if (const std::uint32_t found = line_of_source(text); found != 0) wanted = found;
  } else {
    const std::optional<std::string_view> place = without_file(text);
    if (!place) return false;
    wanted = parse_count(*place);
    if (!wanted) wanted = place->starts_with('*') ? line_of_instruction(place->substr(1)) : line_of_label(*place);
  }
  if (!wanted) {
    refuse("No line and no label of this program: \"$1\".", "이 프로그램의 줄 번호도 레이블도 아닙니다: \"$1\".",
           {std::string(text)});
    return false;
  }
  line = 0;
  const std::uint32_t first = static_cast<std::uint32_t>(*wanted), last = lines_.last_beside(first);
  for (const TraceInsn& insn : head().code)
    for (const std::uint32_t own : {lines_.of(insn), lines_.in_text(insn)})
      if (own >= first && own <= std::max(last, first) && (line == 0 || own < line)) line = own;
  if (line == 0)
    refuse("There is no instruction at line $1 or below.", "$1행부터는 명령이 없습니다.", {lines_.name(first)});
  return line != 0;
}

// "if COND", or nothing.
bool Stepper::read_condition(std::string_view text, Stop& one) {
  if (text.empty()) return true;
  if (take_word(text) != "if" || text.empty()) {
    refuse("Behind it comes `if COND`, or nothing.", "그 뒤에는 `if COND`만 쓸 수 있습니다.");
    return false;
  }
  const std::optional<Expression> expression = parse_expression(text);
  if (!expression) return false;
  one.condition = std::string(text);
  one.expression = *expression;
  return true;
}

// The program's own breakpoints come first.
void Stepper::add_stops_of_program() {
  for (const TraceInsn& insn : head().code) {
    if (insn.row != &warpsim::info(Op::Brkpt) || breakpoint_at(lines_.in_text(insn))) continue;
    Stop one;
    one.line = lines_.in_text(insn);
    one.of_program = true;
    one.number = ++last_number_;
    stops_.push_back(std::move(one));
  }
}

void Stepper::add_line_stop(std::string_view rest, bool once) {
  Stop one;
  one.once = once;
  const bool is_here = rest.empty() || rest.substr(0, 3) == "if ";
  if (is_here && next_line() == 0)
    return refuse("break wants a line or a label: break 9, break 9 if any(%r > 10).",
                  "break에는 줄 번호나 레이블을 씁니다: break 9, break 9 if any(%r > 10).");
  if (is_here) one.line = next_line();
  else if (!read_line(take_word(rest), one.line)) return;
  if (!read_condition(rest, one)) return;
  one.number = ++last_number_;
  stops_.push_back(std::move(one));
  const StepperWords words = {std::to_string(last_number_), lines_.name(stops_.back().line)};
  if (once) report("Temporary breakpoint $1 at line $2.", "임시 중단점 $1: $2행.", words);
  else report("Breakpoint $1 at line $2.", "중단점 $1: $2행.", words);
}

// "%r", "%r#4" or "input[3]".
bool Stepper::read_watched(std::string_view text, Stop& one) {
  const std::string own = in_own_words(text);
  text = own;
  const std::size_t bracket = text.find('[');
  if (bracket == std::string_view::npos || text.back() != ']' || text.front() == '%') {
    const std::optional<std::int32_t> reg = parse_register(text, one.lane);
    if (!reg) return false;
    if (!one.lane) one.lane = lane();
    one.reg = *reg;
    one.watched =
        head().registers[static_cast<std::size_t>(*reg)].name + (one.lane ? "#" + std::to_string(*one.lane) : "");
    one.of_warp = History::WarpKey{block_, warp_};
    return true;
  }
  one.watched = std::string(text);
  const std::optional<Element> element = read_element(text);
  if (element) one.element = *element;
  return element.has_value();
}

// "input[3]"; says what is wrong with another.
std::optional<Stepper::Element> Stepper::read_element(std::string_view text) {
  const std::size_t bracket = std::min(text.find('['), text.size() - 1);
  const std::string_view name = text.substr(0, bracket), index = text.substr(bracket + 1, text.size() - bracket - 2);
  const std::optional<Elements> all = elements_of(name);
  const std::optional<std::uint64_t> number = parse_count(index);
  if (!all) {
    refuse("No array \"$1\" in this program.", "이 프로그램에는 \"$1\" 배열이 없습니다.", {std::string(name)});
  } else if (!number || *number >= all->values.size()) {
    refuse("An element of $1 is a number from 0 to $2: \"$3\" is none.", "$1의 원소 번호는 0부터 $2까지입니다: \"$3\".",
           {std::string(name), std::to_string(all->values.size() - 1), std::string(index)});
  } else {
    return Element{std::string(name), static_cast<std::int64_t>(*number)};
  }
  return std::nullopt;
}

void Stepper::add_watchpoint(std::string_view rest, bool on_change, bool on_read) {
  Stop one;
  one.on_change = on_change;
  one.on_read = on_read;
  if (rest.empty())
    return refuse("$1 wants a register or an element: $1 %r#4, $1 input[3].",
                  "$1에는 레지스터나 원소를 씁니다: $1 %r#4, $1 input[3].",
                  {!on_change ? "rwatch"
                   : on_read  ? "awatch"
                              : "watch"});
  if (!read_watched(take_word(rest), one) || !read_condition(rest, one)) return;
  if (on_read && one.reg >= 0)
    for (const TraceInsn& insn : head().code) one.flows.push_back(flow_of(head(), insn.pc));
  one.number = ++last_number_;
  stops_.push_back(std::move(one));
  say(stop_text(stops_.back()));
}

// "1 3": numbers of breakpoints and watchpoints; without any, all of them.
std::vector<int> Stepper::numbers_from(std::string_view rest) {
  std::vector<int> numbers;
  if (rest.empty())
    for (const Stop& one : stops_) numbers.push_back(one.number);
  while (!rest.empty()) {
    const std::string word(take_word(rest));
    const std::optional<std::uint64_t> number = parse_count(word);
    const bool there = number && std::any_of(stops_.begin(), stops_.end(), [&](const Stop& one) {
                         return static_cast<std::uint64_t>(one.number) == *number;
                       });
    if (!there) {
      refuse("No breakpoint number $1.", "$1번 중단점이 없습니다.", {word});
      return {};
    }
    numbers.push_back(static_cast<int>(*number));
  }
  return numbers;
}

void Stepper::remove(std::string_view rest) {
  std::string_view after = rest;
  const std::string_view word = take_word(after);  // gdb's, for the kind of what follows
  if (word == "display") return undisplay(after);
  if (word.size() > 2 && std::string_view("breakpoints").starts_with(word)) rest = after;
  const std::vector<int> numbers = numbers_from(rest);
  const auto is_named = [&](const Stop& one) {
    return std::find(numbers.begin(), numbers.end(), one.number) != numbers.end();
  };
  stops_.erase(std::remove_if(stops_.begin(), stops_.end(), is_named), stops_.end());
}

void Stepper::clear(std::string_view rest) {
  std::uint32_t line = next_line();
  if (!rest.empty() && !read_line(rest, line)) return;
  std::string numbers;
  for (const Stop& one : stops_)
    if (line != 0 && one.line == line) numbers += (numbers.empty() ? "" : " ") + std::to_string(one.number);
  if (numbers.empty()) return refuse("No breakpoint at line $1.", "$1행에는 중단점이 없습니다.", {lines_.name(line)});
  remove(numbers);
  report("Deleted: $1.", "지운 중단점: $1.", {numbers});
}

void Stepper::set_enabled(std::string_view rest, bool enabled) {
  const std::vector<int> numbers = numbers_from(rest);
  for (Stop& one : stops_)
    if (std::find(numbers.begin(), numbers.end(), one.number) != numbers.end()) one.enabled = enabled;
}

void Stepper::set_condition(std::string_view rest) {
  const std::vector<int> numbers = numbers_from(take_word(rest));
  if (numbers.size() != 1) {
    if (answer_.ok) refuse("condition wants a breakpoint's number.", "condition에는 중단점 번호를 씁니다.");
    return;
  }
  const auto one =
      std::find_if(stops_.begin(), stops_.end(), [&](const Stop& stop) { return stop.number == numbers.front(); });
  Stop conditioned;
  if (!rest.empty() && !read_condition("if " + std::string(rest), conditioned)) return;
  one->condition = conditioned.condition;
  one->expression = conditioned.expression;
  say(stop_text(*one));
}

void Stepper::ignore(std::string_view rest) {
  const std::string word(take_word(rest));
  const std::optional<std::uint64_t> count = parse_count(rest);
  if (word.empty() || !count)
    return refuse("ignore wants a breakpoint's number and a count: ignore 1 3.",
                  "ignore에는 중단점 번호와 횟수를 씁니다: ignore 1 3.");
  const std::vector<int> numbers = numbers_from(word);
  for (Stop& one : stops_)
    if (!numbers.empty() && one.number == numbers.front()) one.passes = *count;
  if (!numbers.empty())
    report("Breakpoint $1 is passed over $2 times.", "중단점 $1: 앞으로 $2번 지나칩니다.",
           {word, std::to_string(*count)});
}

}  // namespace warpsim::tools
