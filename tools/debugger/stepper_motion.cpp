// How the stepper moves.
#include <algorithm>

#include "isa/text/number_text.h"
#include "tools/debugger/stepper.h"
#include "tools/support/words.h"
#include "traces/model/source_lines.h"
#include "traces/sentence/sentence.h"
#include "traces/text/text_renderer.h"
#include "traces/words/fault_text.h"

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
  return next ? lines_.of(insn_of(*next)) : 0;
}

std::uint32_t Stepper::line_here() const {
  const std::optional<std::size_t> last = last_event();
  if (next_event() || !last) return next_line();
  return lines_.of(insn_of(*last));
}

std::uint64_t Stepper::last_moment() const {
  const Trace& trace = history_.trace();
  if (trace.events.empty() || !trace.events.back().cycle) return trace.events.size();
  return std::max(trace.outcome.cycles, *trace.events.back().cycle);
}

LaneMask Stepper::threads() const {
  const WarpPlace* place = history_.warp(block_, warp_);
  return place == nullptr ? full_mask(head().lanes) : place->lanes;
}

bool Stepper::begins_late() const { return head().start && head().start->events > 0; }

bool Stepper::ends_early() const {
  if (!head().start) return false;
  const Trace& trace = history_.trace();
  if (!trace.events.empty() && trace.events.back().cycle) return *trace.events.back().cycle < trace.outcome.cycles;
  return head().start->events + history_.size() < trace.outcome.instructions;
}

bool Stepper::is_at_trap() const {
  return history_.trace().outcome.trap.has_value() && history_.position() == history_.size() && !ends_early();
}

std::string Stepper::beginning_text() const {
  if (!begins_late()) return text_of("Before the first instruction.", "첫 명령을 실행하기 전입니다.");
  return text_of("The window begins here; $1 of the run come before.",
                 "창이 여기서 시작합니다. 이 앞에 이벤트가 $2개 있습니다.",
                 {counted(head().start->events, "event"), std::to_string(head().start->events)});
}

void Stepper::select_of(const TraceEvent& event) {
  if (event.block == block_ && event.warp == warp_) return;
  block_ = event.block;
  warp_ = event.warp;
  if (history_.position() > 0)
    report("[block $1, warp $2]", "[블록 $1, Warp $2]", {std::to_string(block_), std::to_string(warp_)});
}

// The sentence of what led here, and the next line.
void Stepper::say_place(bool with_sentence) {
  if (is_silent_) return;
  const std::optional<std::size_t> last = last_event(), next = next_event();
  std::string notes = answer_.notes;
  if (with_sentence && last) {
    const std::string did = sentence(head(), history_.trace().events[*last], look_.language);
    json_.text("sentence", did);
    say(did);
    answer_.notes = notes;
    say_findings(*last);
    notes = answer_.notes;
  }
  if (next) {
    say_next(insn_of(*next));
    answer_.notes = std::move(notes);
  } else {
    answer_.notes = std::move(notes);
    say_end();
  }
  show_displays();
}

// The line and the instruction; of a program with sources both, and where the line was inlined.
void Stepper::say_next(const TraceInsn& insn) {
  const std::string own = std::to_string(insn.line) + "\t" + insn.text;
  const TraceSourcePlace* const place = warpsim::place_of(head(), insn);
  if (place == nullptr) return say(own);
  say(line_name(head(), *place) + "\t" + std::string(source_text(head(), *place)));
  std::string inlined;
  for (std::int32_t at = place->inlined_at; at >= 0; at = head().places[static_cast<std::size_t>(at)].inlined_at)
    inlined += (inlined.empty() ? "" : ", ") + line_name(head(), head().places[static_cast<std::size_t>(at)]);
  if (!inlined.empty()) say(text_of("\tin $1, inlined at $2", "\t$1 안, 인라인된 곳: $2", {place->function, inlined}));
  say(own);
}

void Stepper::say_end() {
  const TraceOutcome& outcome = history_.trace().outcome;
  const WarpPlace* place = history_.warp(block_, warp_);
  const bool at_end = history_.position() == history_.size();
  if (at_end && ends_early())
    return report("The window ends here; the run goes on.", "창이 여기서 끝납니다. 실행은 계속됩니다.");
  if (at_end && outcome.trap) {
    stopped_ = "trap";
    return report("The run has trapped: $1: $2", "실행이 트랩으로 중단되었습니다: $1: $2",
                  {name_of(*outcome.trap), fault_text(outcome.trap->message, look_.language)});
  }
  if (at_end) {
    report("The run has ended.", "실행이 끝났습니다.");
    const std::string verdict = render_verdict(run_facts(head(), outcome, look_.translations), look_.language);
    if (!verdict.empty()) say(verdict);
  } else if (place != nullptr && place->exited == place->lanes) {
    report("This warp is done.", "이 Warp는 끝났습니다.");
  } else {
    report("This warp does nothing more.", "이 Warp는 더 실행하는 것이 없습니다.");
  }
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

// To a position, or to the first stop before it or at it, which is reported.
bool Stepper::travel(std::size_t position) {
  stopped_at_ = 0;
  const std::size_t from = history_.position();
  const bool forwards = position > from;
  const bool is_free = std::none_of(stops_.begin(), stops_.end(), [](const Stop& one) { return one.enabled; });
  for (std::size_t at = from; !is_free && at != position;) {
    at = forwards ? at + 1 : at - 1;
    const std::vector<const Stop*> found = stops_at(at, forwards);
    if (found.empty()) continue;
    report_stops(found, forwards);
    return true;
  }
  history_.seek(position);
  return false;
}

// One instruction of the selected warp; the others run along.
Stepper::Walked Stepper::walk_one(bool forwards) {
  const std::optional<std::size_t> event = forwards ? next_event() : last_event();
  if (!event) return Walked::Nowhere;
  return travel(forwards ? *event + 1 : *event) ? Walked::Stopped : Walked::Moved;
}

std::optional<std::uint64_t> Stepper::count_from(std::string_view rest) {
  const std::optional<std::uint64_t> times = rest.empty() ? 1 : parse_count(rest);
  if (times && *times > 0) return times;
  refuse("A count is a number from 1: \"$1\" is none.", "횟수는 1 이상의 수입니다: \"$1\".", {std::string(rest)});
  return std::nullopt;
}

void Stepper::step_times(std::string_view rest, bool forwards) {
  const std::optional<std::uint64_t> times = count_from(rest);
  if (!times) return;
  Walked walked = Walked::Moved;
  for (std::uint64_t k = 0; k < *times && walked == Walked::Moved; ++k) walked = walk_one(forwards);
  if (walked == Walked::Nowhere && !forwards) go_to_start();
  say_place(true);
}

void Stepper::any_times(std::string_view rest, bool forwards) {
  const std::optional<std::uint64_t> times = count_from(rest);
  if (!times) return;
  const std::size_t here = history_.position(), room = forwards ? history_.size() - here : here;
  const std::size_t by = static_cast<std::size_t>(std::min<std::uint64_t>(*times, room));
  if (by == 0 && !forwards) go_to_start();
  if (by != 0 && !travel(forwards ? here + by : here - by)) {
    const std::vector<TraceEvent>& events = history_.trace().events;
    select_of(forwards ? *history_.last() : events[history_.position()]);
  }
  say_place(true);
}

namespace {

// Whether an instruction is of a function that was inlined at this line.
bool is_inlined_at(const TraceHead& head, const TraceInsn& insn, const TraceSourcePlace* line) {
  for (const TraceSourcePlace* at = warpsim::place_of(head, insn); at != nullptr && at->inlined_at >= 0;) {
    at = &head.places[static_cast<std::size_t>(at->inlined_at)];
    if (line != nullptr && at->source == line->source && at->line == line->line) return true;
  }
  return false;
}

}  // namespace

// Back to where the line begins that comes next.
Stepper::Walked Stepper::walk_to_begin_of_line() {
  const std::optional<std::size_t> next = next_event();
  for (std::optional<std::size_t> last = last_event(); next && last; last = last_event()) {
    if (!insn_of(*last).is_address && !show_one_line(head(), insn_of(*last), insn_of(*next))) break;
    if (const Walked walked = walk_one(false); walked != Walked::Moved) return walked;
  }
  return Walked::Moved;
}

// Past the instructions that belong to one line, and to functions that were inlined there unless it goes into them.
Stepper::Walked Stepper::walk_line(bool forwards, bool into_inlined) {
  const std::optional<std::size_t> from = next_event();
  const TraceSourcePlace* const here = from ? warpsim::place_of(head(), insn_of(*from)) : nullptr;
  for (;;) {
    const Walked walked = walk_one(forwards);
    if (walked != Walked::Moved) return walked;
    const std::optional<std::size_t> next = next_event();
    if (!next) return walked;
    const TraceInsn& insn = insn_of(*next);
    const bool is_inside = !into_inlined && is_inlined_at(head(), insn, here);
    if (!insn.is_address && !is_inside && (!from || !show_one_line(head(), insn_of(*from), insn)))
      return forwards ? walked : walk_to_begin_of_line();
  }
}

void Stepper::by_line(std::string_view rest, bool forwards, bool into_inlined) {
  const std::optional<std::uint64_t> times = count_from(rest);
  if (!times) return;
  const std::size_t before = history_.position();
  Walked walked = Walked::Moved;
  for (std::uint64_t k = 0; k < *times && walked == Walked::Moved; ++k) {
    if (lines_.has_sources()) {
      walked = walk_line(forwards, into_inlined);
      continue;
    }
    const std::uint32_t from = next_line();
    do walked = walk_one(forwards);
    while (walked == Walked::Moved && next_line() == from);
  }
  if (walked == Walked::Nowhere && !forwards && history_.position() == before) go_to_start();
  if (!lines_.has_sources()) return say_place(true);
  if (forwards) say_sentences(before);
  say_place(false);
}

// What the selected warp has done since, arithmetic of addresses left out.
void Stepper::say_sentences(std::size_t from) {
  constexpr std::size_t kMost = 6;
  if (is_silent_) return;
  std::vector<std::size_t> done;
  const std::vector<TraceEvent>& events = history_.trace().events;
  for (std::size_t n = from; n < history_.position(); ++n)
    if (events[n].block == block_ && events[n].warp == warp_ && !insn_of(n).is_address) done.push_back(n);
  const std::size_t left_out = done.size() > kMost ? done.size() - kMost : 0;
  if (left_out > 0)
    report("... $1 before", "... 앞에 $2개", {counted(left_out, "instruction"), std::to_string(left_out)});
  for (std::size_t k = left_out; k < done.size(); ++k) {
    const std::string did = sentence(head(), events[done[k]], look_.language);
    if (k + 1 == done.size()) json_.text("sentence", did);
    say(did);
    say_findings(done[k]);
  }
}

// Without a line as gdb does at the end of a loop: on, but not back to a line above.
void Stepper::until(std::string_view rest) {
  if (!rest.empty()) return advance(rest);
  const std::uint32_t from = next_line();
  Walked walked = Walked::Moved;
  do walked = walk_one(true);
  while (walked == Walked::Moved && next_line() != 0 && next_line() <= from);
  say_place(true);
}

void Stepper::advance(std::string_view rest) {
  Stop there;
  if (!read_line(rest, there.line)) return;
  there.of_warp = History::WarpKey{block_, warp_};
  stops_.push_back(there);
  const bool stopped = travel(history_.size());
  const auto is_ours = [](const Stop& one) { return one.number == 0; };
  stops_.erase(std::remove_if(stops_.begin(), stops_.end(), is_ours), stops_.end());
  if (!stopped) report("Line $1 is not come to any more.", "$1행에는 더 오지 않습니다.", {lines_.name(there.line)});
  say_place(true);
}

void Stepper::finish(std::string_view) {
  const std::vector<TraceEvent>& events = history_.trace().events;
  std::size_t end = history_.position();
  for (std::size_t n = end; n < events.size(); ++n)
    if (events[n].block == block_ && events[n].warp == warp_) end = n + 1;
  travel(end);
  say_place(true);
}

// Back to where this warp has done nothing yet.
void Stepper::reverse_finish(std::string_view) {
  const std::vector<TraceEvent>& events = history_.trace().events;
  std::size_t begin = history_.position();
  for (std::size_t n = begin; n-- > 0;)
    if (events[n].block == block_ && events[n].warp == warp_) begin = n;
  if (begin == history_.position()) go_to_start();
  else travel(begin);
  say_place(true);
}

void Stepper::run_to_stop(std::string_view rest, bool forwards) {
  const std::optional<std::uint64_t> times = count_from(rest);
  if (!times) return;
  if (!rest.empty()) {
    const auto here = std::find_if(stops_.begin(), stops_.end(),
                                   [&](const Stop& one) { return stopped_at_ != 0 && one.number == stopped_at_; });
    if (here == stops_.end())
      report("Not stopped at a breakpoint: the count is for none. `ignore N COUNT` names one.",
             "중단점에서 멈춘 상태가 아니어서 횟수를 적용할 중단점이 없습니다. `ignore N COUNT`로 지정할 수 있습니다.");
    else here->passes = *times - 1;
  }
  const bool stopped = travel(forwards ? history_.size() : 0);
  if (!stopped) {
    stopped_ = forwards ? "end" : "beginning";
    if (!forwards) go_to_start();
  }
  say_place(history_.position() != 0);
}

// There is nothing further back.
void Stepper::go_to_start() {
  if (begins_late()) return say(beginning_text());
  report("The run begins here: there is nothing before.", "실행은 여기서 시작합니다. 이 앞에는 아무것도 없습니다.");
}

void Stepper::start(std::string_view) {
  history_.seek(0);
  stopped_at_ = 0;
  if (!history_.trace().events.empty()) select_of(history_.trace().events.front());
  say_place(false);
}

void Stepper::run_again(std::string_view) {
  history_.seek(0);
  if (!history_.trace().events.empty()) select_of(history_.trace().events.front());
  if (const std::vector<const Stop*> here = stops_at(0, true); !here.empty()) report_stops(here, true);
  else if (!travel(history_.size())) stopped_ = "end";
  say_place(history_.position() != 0);
}

// Straight there, as a bookmark would be: nothing stops on the way.
void Stepper::go_to(std::string_view rest) {
  const std::vector<TraceEvent>& events = history_.trace().events;
  const std::optional<std::uint64_t> cycle = parse_count(rest);
  const std::uint64_t last = last_moment();
  if (!cycle)
    return refuse("goto wants a cycle, from 0 to $1.", "goto에는 0부터 $1까지의 사이클을 씁니다.",
                  {std::to_string(last)});
  if (*cycle > last) report("The run ends after cycle $1.", "실행은 사이클 $1에서 끝납니다.", {std::to_string(last)});
  std::size_t position = 0;
  while (position < events.size() && events[position].cycle.value_or(position + 1) <= *cycle) ++position;
  history_.seek(position);
  stopped_at_ = 0;
  say_place(true);
}

void Stepper::to_shuffle(bool forwards) {
  const std::vector<TraceEvent>& events = history_.trace().events;
  const auto is_one = [&](std::size_t n) {
    return events[n].block == block_ && events[n].warp == warp_ && events[n].exchange;
  };
  std::size_t position = history_.position();
  if (forwards) {
    while (position < events.size() && !is_one(position)) ++position;
    if (position == events.size()) report("No shuffle comes any more.", "더 나오는 셔플이 없습니다.");
    position = std::min(position + 1, events.size());
  } else {  // the last instruction's own shuffle is where we are; before it lies the one that is meant
    position = last_event().value_or(0);
    while (position > 0 && !is_one(position - 1)) --position;
    if (position == 0) report("No shuffle comes before.", "이 앞에는 셔플이 없습니다.");
  }
  history_.seek(position);
  stopped_at_ = 0;
  say_place(true);
}

}  // namespace warpsim::tools
