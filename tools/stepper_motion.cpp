// How the stepper moves, and what stops it.
#include <algorithm>

#include "tools/moment_view.h"
#include "tools/stepper.h"
#include "tools/stepper_words.h"
#include "tools/words.h"
#include "traces/sentence.h"
#include "traces/text_renderer.h"

namespace warpsim::tools {

// ---- where we are

std::optional<std::size_t> Stepper::next_event() const {
  const std::vector<TraceEvent>& events = history_.trace().events;
  for (std::size_t n = history_.position(); n < events.size(); ++n)
    if (events[n].block == block_ && events[n].warp == warp_) return n;
  return std::nullopt;
}

std::optional<std::size_t> Stepper::last_event() const {
  const std::vector<TraceEvent>& events = history_.trace().events;
  for (std::size_t n = history_.position(); n-- > 0;)
    if (events[n].block == block_ && events[n].warp == warp_) return n;
  return std::nullopt;
}

std::uint32_t Stepper::next_line() const {
  const std::optional<std::size_t> next = next_event();
  return next ? head().code[static_cast<std::size_t>(history_.trace().events[*next].pc)].line : 0;
}

LaneMask Stepper::threads() const {
  const WarpPlace* place = history_.warp(block_, warp_);
  return place == nullptr ? full_mask(head().lanes) : place->lanes;
}

void Stepper::select_of(const TraceEvent& event) {
  if (event.block == block_ && event.warp == warp_) return;
  block_ = event.block;
  warp_ = event.warp;
  if (history_.position() > 0) say("[block " + std::to_string(block_) + ", warp " + std::to_string(warp_) + "]");
}

// The sentence of what led here, and the line that comes next.
void Stepper::say_place(bool with_sentence) {
  const std::optional<std::size_t> last = last_event(), next = next_event();
  if (with_sentence && last) {
    const std::string did = sentence(head(), history_.trace().events[*last], look_.language);
    json_.text("sentence", did);
    say(did);
  }
  if (next) {
    const TraceInsn& insn = head().code[static_cast<std::size_t>(history_.trace().events[*next].pc)];
    say(std::to_string(insn.line) + "\t" + insn.text);
    return;
  }
  const TraceOutcome& outcome = history_.trace().outcome;
  if (outcome.trap && history_.position() == history_.size()) {
    json_.text("stopped", "trap");
    say("The run has trapped: " + outcome.trap->kind + ": " + outcome.trap->message);
    return;
  }
  const std::string verdict = render_verdict(run_facts(head(), outcome));
  say(history_.position() == history_.size() ? "The run has ended." : "This warp is done.");
  if (!verdict.empty() && history_.position() == history_.size()) say(verdict);
}

std::vector<TemplateValue> Stepper::values_before(std::size_t event, std::int32_t reg) {
  const std::size_t here = history_.position();
  history_.seek(event);
  std::vector<TemplateValue> values;
  for (unsigned lane = 0; lane < head().lanes; ++lane) values.push_back(history_.value(block_, warp_, reg, lane));
  history_.seek(here);
  return values;
}

// ---- moving

// One instruction of the selected warp; the others run along.
bool Stepper::step_once(bool forwards) {
  if (forwards) {
    const std::optional<std::size_t> next = next_event();
    if (!next) return false;
    history_.seek(*next + 1);
    return true;
  }
  const std::optional<std::size_t> last = last_event();
  if (!last) return false;
  history_.seek(*last);
  return true;
}

void Stepper::step_times(std::string_view rest, bool forwards) {
  const std::optional<std::uint64_t> times = rest.empty() ? 1 : parse_count(rest);
  if (!times || *times == 0) return fail("A count is a number from 1: \"" + std::string(rest) + "\" is none.");
  for (std::uint64_t k = 0; k < *times; ++k) {
    if (step_once(forwards)) continue;
    if (!forwards) say("The run begins here: there is nothing before.");
    break;
  }
  say_place(true);
}

void Stepper::step(std::string_view rest) { step_times(rest, true); }
void Stepper::reverse_step(std::string_view rest) { step_times(rest, false); }

void Stepper::step_any(std::string_view) {
  if (history_.position() < history_.size()) history_.seek(history_.position() + 1);
  if (history_.last() != nullptr) select_of(*history_.last());
  say_place(true);
}

void Stepper::reverse_step_any(std::string_view) {
  if (history_.position() == 0) say("The run begins here: there is nothing before.");
  else {
    history_.seek(history_.position() - 1);
    select_of(history_.trace().events[history_.position()]);
  }
  say_place(true);
}

void Stepper::by_line(bool forwards) {
  const std::uint32_t from = next_line();
  while (step_once(forwards) && next_line() == from) {
  }
  say_place(true);
}
void Stepper::next(std::string_view) { by_line(true); }
void Stepper::reverse_next(std::string_view) { by_line(false); }

bool Stepper::condition_holds(const Breakpoint& one, const TraceEvent& event) {
  if (one.expression.empty()) return true;
  const MomentView view(history_, event.block, event.warp, event.group);
  return one.expression.lanes_where({view, event.group == 0 ? 0 : first_lane(event.group), event.group, nullptr}) != 0;
}

// The breakpoint that stops at a position, having come there forwards or backwards.
const Stepper::Breakpoint* Stepper::stop_at(std::size_t position, bool forwards) {
  const std::vector<TraceEvent>& events = history_.trace().events;
  history_.seek(position);
  for (const Breakpoint& one : breakpoints_) {
    if (one.line != 0) {
      if (position == events.size()) continue;
      const TraceEvent& event = events[position];
      if (head().code[static_cast<std::size_t>(event.pc)].line == one.line && condition_holds(one, event)) return &one;
      continue;
    }
    // Backwards, the event that is just undone is the one that changed it.
    const std::size_t changer = forwards ? position : position + 1;
    if (changer == 0 || changer > events.size()) continue;
    history_.seek(changer);
    const TraceEvent& event = events[changer - 1];
    bool hit = false;
    for (const HistoryChanges::Register& change : history_.changes().registers)
      hit = hit || (change.reg == one.reg && (one.lane ? has_lane(change.changed, *one.lane) : change.changed != 0));
    history_.seek(position);
    if (hit && event.block == one.block && event.warp == one.warp) return &one;
  }
  return nullptr;
}

void Stepper::run_to_stop(bool forwards) {
  const std::size_t end = forwards ? history_.size() : 0;
  std::size_t position = history_.position();
  if (breakpoints_.empty()) position = end;
  const Breakpoint* stop = nullptr;
  while (position != end && stop == nullptr) {
    position = forwards ? position + 1 : position - 1;
    stop = stop_at(position, forwards);
  }
  history_.seek(position);
  if (stop != nullptr) {
    const bool is_line = stop->line != 0;
    json_.text("stopped", is_line ? "breakpoint" : "watchpoint").number("number", static_cast<unsigned>(stop->number));
    const std::vector<TraceEvent>& events = history_.trace().events;
    select_of(is_line ? events[position] : events[forwards ? position - 1 : position]);
    say(breakpoint_text(*stop) + (is_line ? "" : watched_change(*stop, forwards)));
  } else {
    json_.text("stopped", forwards ? "end" : "beginning");
    if (!forwards) say("The run begins here.");
  }
  say_place(position != 0);
}

// ": 8 → 12", of a watchpoint of one lane; the position is where it stopped.
std::string Stepper::watched_change(const Breakpoint& one, bool forwards) {
  if (!one.lane) return "";
  const std::size_t here = history_.position(), other = forwards ? here - 1 : here + 1;
  const std::string now = value_text(history_.value(one.block, one.warp, one.reg, *one.lane));
  history_.seek(other);
  const std::string then = value_text(history_.value(one.block, one.warp, one.reg, *one.lane));
  history_.seek(here);
  return ": " + then + " " + arrow() + " " + now;
}

void Stepper::go_on(std::string_view) { run_to_stop(true); }
void Stepper::reverse_go_on(std::string_view) { run_to_stop(false); }

void Stepper::go_to(std::string_view rest) {
  const std::optional<std::uint64_t> cycle = parse_count(rest);
  if (!cycle) return fail("goto wants a cycle, from 0 to " + std::to_string(history_.trace().outcome.cycles) + ".");
  const std::vector<TraceEvent>& events = history_.trace().events;
  std::size_t position = 0;
  while (position < events.size() && events[position].cycle.value_or(position + 1) <= *cycle) ++position;
  history_.seek(position);
  say_place(true);
}

void Stepper::select_warp(std::string_view rest) {
  const std::optional<std::uint64_t> number = parse_count(rest);
  if (!number || history_.warp(block_, static_cast<std::uint32_t>(*number)) == nullptr)
    return fail("There is no warp \"" + std::string(rest) + "\" in block " + std::to_string(block_) +
                "; \"info warps\" lists them.");
  warp_ = static_cast<std::uint32_t>(*number);
  say_place(true);
}

void Stepper::select_block(std::string_view rest) {
  const std::optional<std::uint64_t> number = parse_count(rest);
  if (!number || history_.warp(static_cast<std::uint32_t>(*number), 0) == nullptr)
    return fail("There is no block \"" + std::string(rest) + "\"; \"info warps\" lists them.");
  block_ = static_cast<std::uint32_t>(*number);
  warp_ = 0;
  say_place(true);
}

// ---- breakpoints

void Stepper::add_break(std::string_view rest) {
  Breakpoint one;
  const std::size_t blank = std::min(rest.find(' '), rest.size());
  const std::optional<std::uint64_t> line = parse_count(rest.substr(0, blank));
  if (rest.empty() && next_line() != 0) one.line = next_line();
  else if (!line) return fail("break wants a line: break 9, break 9 if any(%r > 10).");
  // Like gdb: a line without an instruction means the next one that has one.
  std::uint32_t nearest_line = 0;
  for (const TraceInsn& insn : head().code)
    if (line && insn.line >= *line && (nearest_line == 0 || insn.line < nearest_line)) nearest_line = insn.line;
  if (line && nearest_line == 0) return fail("No instruction stands at line " + std::to_string(*line) + " or below.");
  if (line) one.line = nearest_line;
  std::string_view condition = trimmed(rest.substr(blank));
  if (!condition.empty()) {
    if (condition.substr(0, 3) != "if ") return fail("After the line comes `if COND`, or nothing.");
    one.condition = std::string(trimmed(condition.substr(3)));
    const std::optional<Expression> expression = parse_expression(one.condition);
    if (!expression) return;
    one.expression = *expression;
  }
  one.number = ++last_number_;
  breakpoints_.push_back(std::move(one));
  say("Breakpoint " + std::to_string(last_number_) + " at line " + std::to_string(breakpoints_.back().line) + ".");
}

void Stepper::add_watch(std::string_view rest) {
  Breakpoint one;
  const std::optional<std::int32_t> reg = parse_register(rest, one.lane);
  if (!reg) return;
  one.reg = *reg;
  one.block = block_;
  one.warp = warp_;
  one.number = ++last_number_;
  breakpoints_.push_back(std::move(one));
  say("Watchpoint " + std::to_string(last_number_) + ": " + std::string(rest));
}

void Stepper::remove(std::string_view rest) {
  if (rest.empty()) return breakpoints_.clear();
  const std::optional<std::uint64_t> number = parse_count(rest);
  const auto found = std::find_if(breakpoints_.begin(), breakpoints_.end(), [&](const Breakpoint& one) {
    return number && static_cast<std::uint64_t>(one.number) == *number;
  });
  if (found == breakpoints_.end()) return fail("No breakpoint number " + std::string(rest) + ".");
  breakpoints_.erase(found);
}

std::optional<int> Stepper::breakpoint_at(std::uint32_t line) const {
  for (const Breakpoint& one : breakpoints_)
    if (line != 0 && one.line == line) return one.number;
  return std::nullopt;
}

std::string Stepper::breakpoint_text(const Breakpoint& one) const {
  const std::string number = std::to_string(one.number);
  if (one.line != 0)
    return "Breakpoint " + number + ", line " + std::to_string(one.line) +
           (one.condition.empty() ? "" : " if " + one.condition);
  return "Watchpoint " + number + ": " + head().registers[static_cast<std::size_t>(one.reg)].name +
         (one.lane ? "#" + std::to_string(*one.lane) : "");
}

}  // namespace warpsim::tools
