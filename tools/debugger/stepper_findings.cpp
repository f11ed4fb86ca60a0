// What the stepper says of findings and of the trap, which is counted as the last of them.
#include <map>
#include <tuple>

#include "tools/debugger/stepper.h"
#include "tools/debugger/stepper_words.h"
#include "tools/support/words.h"
#include "traces/model/source_lines.h"
#include "traces/replay/phase_view.h"
#include "traces/words/fault_text.h"

namespace warpsim::tools {

const TraceFinding& Stepper::fault(std::size_t number) const {
  const TraceOutcome& outcome = history_.trace().outcome;
  return number < outcome.findings.size() ? outcome.findings[number] : *outcome.trap;
}

// At which event each happened, by one walk through all.
void Stepper::find_faults() {
  const Trace& trace = history_.trace();
  fault_events_.resize(trace.outcome.findings.size() + (trace.outcome.trap ? 1 : 0));
  if (fault_events_.empty()) return;
  using Key = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::int32_t>;
  const auto key_of = [](const TraceFinding& one) { return Key{one.cycle, one.block, one.warp, one.pc}; };
  std::map<Key, std::optional<std::size_t>> last;
  for (std::size_t k = 0; k < fault_events_.size(); ++k)
    if (fault(k).cycle != 0) last.emplace(key_of(fault(k)), std::nullopt);
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const TraceEvent& event = trace.events[n];
    const auto at = last.find({event.cycle.value_or(0), event.block, event.warp, event.pc});
    if (at != last.end()) at->second = n;
  }
  for (std::size_t k = 0; k < fault_events_.size(); ++k)
    if (const auto at = last.find(key_of(fault(k))); at != last.end()) fault_events_[k] = at->second;
}

std::string Stepper::line_words(std::int32_t pc) const {
  const TraceInsn* const insn = find_insn(head(), pc);
  if (insn == nullptr) return "";
  return lines_.has_sources() ? line_name(head(), *insn) : text_of("line $1", "$1행", {std::to_string(insn->line)});
}

std::string Stepper::warp_words(std::uint32_t block, std::uint32_t warp) const {
  return text_of("block $1, warp $2", "블록 $1, Warp $2", {std::to_string(block), std::to_string(warp)});
}

// "WS0101 never-written, cycle 5, line 7, lanes 2-3"
std::string Stepper::fault_words(const TraceFinding& one) const {
  std::string text = name_of(one);
  const auto add = [&text](const std::string& more) { text += (more.empty() ? "" : ", ") + more; };
  add(one.cycle == 0 ? text_of("before the run", "실행 전")
                     : text_of("cycle $1", "사이클 $1", {std::to_string(one.cycle)}));
  if (history_.warps().size() > 1 && one.cycle != 0) add(warp_words(one.block, one.warp));
  add(line_words(one.pc));
  if (one.lanes != 0) add(lanes_words(one.lanes));
  return text;
}

void Stepper::info_findings(std::string_view rest) {
  if (!rest.empty()) {
    if (const std::optional<std::size_t> number = fault_number(rest)) show_fault(*number);
    return;
  }
  if (fault_events_.empty()) return report("Nothing was found.", "발견 사항이 없습니다.");
  for (std::size_t k = 0; k < fault_events_.size(); ++k) {
    const TraceFinding& one = fault(k);
    const bool is_past = fault_events_[k] ? *fault_events_[k] < history_.position() : one.cycle == 0 || is_at_trap();
    say((is_past ? "* " : "  ") + std::to_string(k + 1) + ": " + fault_words(one), 5);
    say(fault_text(one.message, look_.language), 0, 5);
  }
  report("`info findings N` shows all of one, `finding N` goes there.",
         "`info findings N`은 하나를 자세히 보여 주고, `finding N`은 그곳으로 갑니다.");
}

std::optional<std::size_t> Stepper::fault_number(std::string_view text) {
  const std::optional<std::uint64_t> number = parse_count(text);
  if (number && *number >= 1 && *number <= fault_events_.size()) return static_cast<std::size_t>(*number) - 1;
  refuse("There is no finding \"$1\"; \"info findings\" lists them.",
         "\"$1\"번 발견 사항이 없습니다. \"info findings\"로 목록을 볼 수 있습니다.", {std::string(text)});
  return std::nullopt;
}

void Stepper::show_fault(std::size_t number) {
  const TraceFinding& one = fault(number);
  const auto said = [this](const Message& message) { return fault_text(message, look_.language); };
  say(std::to_string(number + 1) + ": " + fault_words(one), 3);
  say(said(one.message), 0, 3);
  if (!one.steps.empty()) report("How it came to that:", "여기까지의 과정:");
  for (const TraceStep& step : one.steps) {
    const bool elsewhere = step.block != one.block || step.warp != one.warp;
    say(text_of("cycle $1", "사이클 $1", {std::to_string(step.cycle)}) +
            (elsewhere ? ", " + warp_words(step.block, step.warp) : "") + ", " + line_words(step.pc) + ": " +
            said(step.text),
        3, 3);
  }
  if (!one.places.empty()) report("Where the lanes were:", "Lane이 있던 곳:");
  for (const TracePlace& place : one.places) {
    const TraceInsn* const insn = find_insn(head(), place.pc);
    say((history_.warps().size() > 1 ? warp_words(place.block, place.warp) + ", " : "") + lanes_words(place.lanes) +
            ": " + (insn == nullptr ? text_of("done", "끝남") : line_words(place.pc) + ": " + insn->text) +
            (place.waits_for.empty() ? "" : "; " + said(place.waits_for)),
        3, 3);
  }
  if (!one.hint.empty()) say(text_of("What to try: ", "해 볼 것: ") + said(one.hint), 3);
}

// What was found at an event, behind its sentence; the trap is said by the sentence, or at the end.
void Stepper::say_findings(std::size_t event) {
  for (std::size_t k = 0; k < history_.trace().outcome.findings.size(); ++k)
    if (fault_events_[k] == event)
      report("Finding $1: $2: $3", "발견 사항 $1: $2: $3",
             {std::to_string(k + 1), name_of(fault(k)), fault_text(fault(k).message, look_.language)});
}

// Straight to one, or to the next; the trap may have no event of its own and stands at the end.
void Stepper::to_finding(std::string_view rest) {
  if (fault_events_.empty() && rest.empty()) return report("Nothing was found.", "발견 사항이 없습니다.");
  const std::optional<std::size_t> number = rest.empty() ? next_fault() : fault_number(rest);
  if (!number && rest.empty())
    return report("There is no further finding; \"info findings\" lists all.",
                  "이 뒤에는 발견 사항이 없습니다. \"info findings\"로 모두 볼 수 있습니다.");
  if (!number) return;
  const std::size_t moment = moment_of(*number);
  if (moment == 0) return show_fault(*number);  // known before the run, or not in this window
  const TraceFinding& one = fault(*number);
  history_.seek(moment);
  stopped_at_ = 0;
  if (history_.warp(one.block, one.warp) != nullptr) {
    block_ = one.block;
    warp_ = one.warp;
  }
  say_place(true);
}

std::optional<std::size_t> Stepper::next_fault() const {
  std::optional<std::size_t> next;
  for (std::size_t k = 0; k < fault_events_.size(); ++k)
    if (moment_of(k) > history_.position() && (!next || moment_of(k) < moment_of(*next))) next = k;
  return next;
}

// Of the event that has happened then; 0: none.
std::size_t Stepper::moment_of(std::size_t number) const {
  if (fault_events_[number]) return *fault_events_[number] + 1;
  const bool traps = number == history_.trace().outcome.findings.size();
  return traps && !ends_early() ? history_.size() : 0;
}

}  // namespace warpsim::tools
