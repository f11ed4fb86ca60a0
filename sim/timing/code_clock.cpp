#include "sim/timing/code_clock.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "sim/timing/clock_few.h"

namespace warpsim {
namespace {

// Cycles in which an instruction of a fixed latency can collect its operands while others issue.
constexpr std::uint64_t kBankWindow = 1;

bool goes_on(const TimedOutcome& outcome) {
  return outcome.way == TimedOutcome::Way::On && outcome.side == TimedOutcome::Side::Same;
}

// When what serves one after the other, each for so long, serves who comes at `from`; then it is free again at `free`.
std::uint64_t take_turn(std::uint64_t& free, std::uint64_t from, std::uint64_t interval) {
  const std::uint64_t start = std::max(from, free);
  free = start + interval;
  return start;
}

}  // namespace

CodeClock::CodeClock(const TimingProfile& profile, std::span<const sass::Instruction> code, std::uint32_t slots,
                     std::uint32_t warps_per_block, Code launch)
    : Clock(profile, profile.machine_code->classes, slots, warps_per_block, &profile.machine_code->memory),
      code_(*profile.machine_code, code),
      banks_(sub_cores().size()),
      constants_(sub_cores().size() / profile.sm.sub_cores * code_.constants()),
      constant_turns_(sub_cores().size() / profile.sm.sub_cores),
      meeting_free_(sub_cores().size() / profile.sm.sub_cores),
      fetch_free_(sub_cores().size() / profile.sm.sub_cores),
      states_(warps_.size()),
      arrivals_(warps_.size() * kScoreboards * code_.groups()),
      begun_(slots),
      parked_(sub_cores().size()),
      living_(slots * std::size_t{profile.sm.sub_cores}),
      without_(sub_cores().size(), static_cast<std::uint32_t>((slots + fetch_free_.size() - 1) / fetch_free_.size())) {
  const CodeFetchTiming& fetch = profile.machine_code->fetch;
  const std::size_t lines = code.empty() ? 0 : line_of(static_cast<std::int32_t>(code.size() - 1)) + std::size_t{1};
  if (launch == Code::First || lines > fetch.lines) {
    caches_.assign(fetch_free_.size(), CodeCache(fetch, lines));
    for (CodeCache& one : caches_)
      if (launch == Code::Left) one.warm();
  }
  for (std::int32_t at = 0; code_.has(at); ++at) {
    const Unit& mine = unit(code_.at(at).cls);
    uses_.push_back(use_of(mine, mine.pipes.front()));
  }
  uses_.push_back(use_of(no_unit(), no_unit().pipes.front()));
  for (std::uint32_t slot = 0; slot < slots; ++slot) begin(slot, slot, 1);
}

std::uint32_t CodeClock::line_of(std::int32_t at) const {
  return static_cast<std::uint32_t>(at) * sass::kWordBytes / profile_.machine_code->fetch.line;
}

void CodeClock::begin(std::uint32_t slot, std::uint32_t block, std::uint64_t cycle) {
  start_block(slot, block, cycle);
  for (std::uint32_t number = slot * warps_per_block_; number < (slot + 1) * warps_per_block_; ++number) {
    if (living_of(slot, warps_[number])++ == 0) --without_[static_cast<std::size_t>(warps_[number].sub_core)];
    states_[number] = State{};
    plan(number, 0);
  }
}

void CodeClock::wait_until(Warp& warp, std::uint64_t cycle, std::int32_t at, bool from_memory) const {
  if (cycle <= warp.operands) return;
  warp.operands = cycle;
  warp.operand_pc = at;
  warp.operand_from_memory = from_memory;
}

void CodeClock::wait_for_slow(Warp& warp, const State& state, const CodeTiming::Insn& insn) const {
  for (const Slow& one : state.slow) {
    if (one.ready <= warp.issue_free || (one.marks & insn.read_marks) == 0) continue;
    for (std::uint8_t k = 0; k < insn.reads; ++k) {
      const unsigned beyond = insn.register_[k] - unsigned{one.number};
      if (beyond < one.count) wait_until(warp, one.ready, one.at, false);
    }
  }
}

void CodeClock::wait_for_copies(Warp& warp, const State& state, const CodeTiming::Insn& insn) const {
  const std::size_t number = insn.counted % kScoreboards;
  const Scoreboard& one = state.scoreboards[number];
  const auto left = static_cast<std::uint32_t>(insn.at_most);
  if (one.groups > left)
    wait_until(warp, arrivals_[arrival(state, number, one.groups - 1 - left)], one.at, one.from_memory);
}

void CodeClock::find_operands(Warp& warp, State& state, const CodeTiming::Insn& insn) const {
  for (unsigned left = insn.control.wait_mask; left != 0; left &= left - 1) {
    const Scoreboard& one = state.scoreboards[static_cast<std::size_t>(std::countr_zero(left))];
    wait_until(warp, one.free, one.at, one.from_memory);
  }
  if (insn.at_most >= 0) wait_for_copies(warp, state, insn);
}

// Where the warp's next instruction is there, and what it waits for.
[[gnu::always_inline]] inline void CodeClock::come_next(Warp& warp, State& state) {
  warp.operands = 0;
  if (!code_.has(warp.pc)) return;
  const CodeTiming::Insn& insn = code_.at(warp.pc);
  if (!caches_.empty() && line_of(warp.pc) != state.line) {
    state.line = line_of(warp.pc);
    warp.path_free = caches_[sub_core_of(warp).sm].enter(state.line, warp.path_free);
  }
  if (insn.waits) find_operands(warp, state, insn);
  if (state.slow_until > warp.issue_free) wait_for_slow(warp, state, insn);
}

void CodeClock::plan(std::uint32_t number, std::int32_t at, std::uint32_t most, bool is_behind) {
  Warp& warp = warps_[number];
  State& state = states_[number];
  if (is_behind && !state.is_behind) {
    state.barrier_at = warp.pc;
    state.issues_behind = true;
  }
  if (is_behind != state.is_parked) {
    state.is_parked = is_behind;
    parked_[static_cast<std::size_t>(warp.sub_core)] += is_behind ? 1U : ~0U;
  }
  state.is_behind = is_behind;
  warp.pc = at;
  state.alone_until = 0;
  if (static_cast<std::size_t>(at) < insns_alone_.size())
    state.alone_until = at + static_cast<std::int32_t>(std::min(insns_alone_[static_cast<std::size_t>(at)], most));
  if (is_behind)
    state.alone_until =
        std::min(state.alone_until, at + static_cast<std::int32_t>(passing_[static_cast<std::size_t>(at)]));
  if (stops(warp, state)) return Clock::park();
  come_next(warp, state);
  put(number, use_at(at), keeps(warp, state));
}

void CodeClock::pass_barriers(const std::function<bool(std::int32_t)>& may_pass) {
  const auto count = static_cast<std::int32_t>(uses_.size()) - 1;
  passing_.assign(static_cast<std::size_t>(count) + 1, 0);
  for (std::int32_t at = count; at-- > 0;)
    if (may_pass(at) && use_at(at).unit->passes_barrier)
      passing_[static_cast<std::size_t>(at)] = passing_[static_cast<std::size_t>(at) + 1] + 1;
}

void CodeClock::park() {
  bool& is_parked = states_[turn_.warp].is_parked;
  parked_[static_cast<std::size_t>(warps_[turn_.warp].sub_core)] += is_parked ? 0 : 1;
  is_parked = true;
  Clock::park();
}

void CodeClock::end(std::uint32_t number) {
  const Warp& warp = warps_[number];
  states_[number].has_ended = true;
  if (--living_of(number / warps_per_block_, warp) == 0) ++without_[static_cast<std::size_t>(warp.sub_core)];
  Clock::end(number);
}

void CodeClock::begin_block(std::uint32_t slot, std::uint32_t block) {
  ++begun_;
  begin(slot, block, turn_.cycle + 1);
}

void CodeClock::leave_barrier(std::uint32_t number) {
  Warp& warp = warps_[number];
  const State& state = states_[number];
  const std::int32_t at = state.is_behind ? state.barrier_at : warp.pc;
  Clock::leave_barrier(number, at, *use_at(at).unit);
  const bool waits = sub_core_of(warp).waiting[warp.place].earliest == kNever;
  if (state.is_behind && !waits) warp.barrier_left = 0;  // it goes on as it does
}

[[gnu::always_inline]] inline void CodeClock::note_scoreboards(State& state, std::int32_t at, double delay) {
  const CodeTiming::Insn& insn = code_.at(at);
  if (insn.copies) state.copied = std::max(state.copied, turn_.cycle + insn.written + up(delay));
  if (insn.control.write_scoreboard < kScoreboards) {
    Scoreboard& one = state.scoreboards[insn.control.write_scoreboard];
    std::uint64_t done = turn_.cycle + insn.written + up(delay);
    if (insn.commits) {
      done = std::max(done, state.copied);
      if (code_.groups() != 0) arrivals_[arrival(state, insn.control.write_scoreboard, one.groups++)] = done;
    }
    one.free = std::max(one.free, done);
    one.at = at;
    one.from_memory = insn.from_memory;
  }
  if (insn.control.read_scoreboard < kScoreboards) {
    Scoreboard& one = state.scoreboards[insn.control.read_scoreboard];
    one.free = std::max(one.free, turn_.cycle + insn.operands_read + queued_);
    one.at = at;
    one.from_memory = insn.from_memory;
  }
}

unsigned CodeClock::read_banks(const Warp& warp, const CodeTiming::Insn& insn, bool keeps) {
  std::uint64_t last = 0;
  std::array<std::uint64_t, 2>& banks = banks_[static_cast<std::size_t>(warp.sub_core)];
  for (std::size_t k = 0; k < banks.size(); ++k) {
    banks[k] = std::max(banks[k], turn_.cycle) + (keeps ? insn.banks_kept : insn.banks)[k];
    last = std::max(last, banks[k]);
  }
  const std::uint64_t slots = last - turn_.cycle;
  return static_cast<unsigned>(slots > kBankWindow + 1 ? slots - kBankWindow : 1);
}

// The SM begins to fetch code from elsewhere for one warp a cycle: a jump's target, and where lanes part, change or
// meet.
unsigned CodeClock::wait_for_code(std::uint32_t sm) {
  return static_cast<unsigned>(take_turn(fetch_free_[sm], turn_.cycle, 1) - turn_.cycle);
}

// … to let the warp's lanes meet: an SM does that for one warp after the other.
unsigned CodeClock::wait_for_meeting(std::uint32_t sm, const Unit& of) {
  const std::uint64_t start = take_turn(meeting_free_[sm], turn_.cycle * 256, of.sm_interval);
  return static_cast<unsigned>((start + 255) / 256 - turn_.cycle);
}

unsigned CodeClock::wait_for_constants(const SubCore& sub_core, const CodeTiming::Insn& insn) {
  std::uint64_t& comes = constants_of(sub_core, insn);
  if (comes == 0) comes = turn_.cycle + (insn.loads_constants ? paths_->constants : paths_->uniform_constants);
  return static_cast<unsigned>(comes - std::min(comes, turn_.cycle));
}

// How much later a load of constants comes for others of its SM; `queued` and `missing`: until it is its turn, and
// until its line is there. Those whose lines are there do not wait for those whose are not: these have another turn
// then.
std::uint64_t CodeClock::wait_for_turn(std::uint32_t sm, std::uint64_t queued, unsigned missing) {
  ConstantTurns& turns = constant_turns_[sm];
  const std::uint64_t from = turn_.cycle + queued, comes = take_turn(turns.next, from, paths_->constants_apart);
  if (missing == 0) return comes - turn_.cycle;
  return take_turn(turns.next_again, from + missing, paths_->constants_apart) - turn_.cycle;
}

void CodeClock::issue(Warp& warp, SubCore& sub_core, State& state, const CodeTiming::Insn& insn,
                      const TimedOutcome& outcome) {
  const bool caches = insn.caches && !outcome.address.empty();
  const unsigned slots = read_banks(warp, insn, sub_core.last_warp == turn_.warp);
  state.yields = insn.control.yields || is_first_behind(state);
  double delay = occupy(outcome, {caches, insn.passes_l1}, 0);
  const unsigned constants =
      insn.constants < 0 || (insn.loads_constants && outcome.values == 0) ? 0 : wait_for_constants(sub_core, insn);
  if (insn.loads_constants) delay = static_cast<double>(wait_for_turn(sub_core.sm, up(delay), constants));
  note_scoreboards(state, warp.pc, delay);
  if (insn.interlock != 0) {
    Slow& one = state.slow[state.next_slow++ % state.slow.size()];
    one = {turn_.cycle + insn.interlock, warp.pc, insn.slow, insn.slow_count, insn.slow_marks};
    state.slow_until = std::max(state.slow_until, one.ready);
  }
  const BranchTiming& branch = profile_.machine_code->branch;
  const bool passes = insn.converges && outcome.side == TimedOutcome::Side::Same;
  const unsigned fetch = passes || !goes_on(outcome) ? wait_for_code(sub_core.sm) : 0;
  const unsigned stops = fetch + (passes ? branch.passed : 0) + (insn.loads_constants ? 0 : constants) +
                         (insn.meets ? wait_for_meeting(sub_core.sm, unit(insn.cls)) : 0);
  go_on(slots, insn.issue, way_of(outcome, branch) + stops, insn.holds ? slots - 1 : 0);
}

void CodeClock::issued(std::int32_t at, const TimedOutcome& outcome) {
  Warp& warp = warps_[turn_.warp];
  warp.pc = at;
  issue(warp, sub_core_of(warp), states_[turn_.warp], code_.at(at), outcome);
}

// ---- what goes on its own

void CodeClock::go_alone(std::span<const std::uint32_t> insns, std::uint64_t until, std::uint64_t blocks) {
  if (!is_in_turn() || competes()) return;
  insns_alone_ = insns;
  alone_until_ = std::min(until, kLatest);
  blocks_ = blocks;
}

// The current warp, which its sub-core has picked, issues on its own, and comes to the next instruction.
[[gnu::always_inline]] inline void CodeClock::issue_picked(Warp& warp, SubCore& sub_core, State& state) {
  const CodeTiming::Insn& insn = code_.at(warp.pc);
  if (insn.is_plain) {
    const unsigned slots = read_banks(warp, insn, sub_core.last_warp == turn_.warp);
    state.yields = insn.control.yields || is_first_behind(state);
    occupy_alone(sub_core, use_at(warp.pc));
    go_on(slots, insn.issue, 0, insn.holds ? slots - 1 : 0);
  } else {
    issue(warp, sub_core, state, insn, {});
  }
  ++warp.pc;
  come_next(warp, state);
  ++alone_.instructions;
  alone_.cycle = std::max(alone_.cycle, turn_.cycle);
}

std::optional<Clock::Turn> CodeClock::next() {
  const auto come = [this](std::uint32_t sub_core) { return CodeClock::come_to(sub_core); };
  while (is_apart() ? advance_apart(come) : advance()) {
    Warp& warp = warps_[turn_.warp];
    State& state = states_[turn_.warp];
    if (turn_.cycle > alone_until_ || warp.pc >= state.alone_until) return Turn{turn_.warp, turn_.cycle};
    issue_picked(warp, sub_core_of(warp), state);
    if (stops(warp, state)) Clock::park();
    else put(turn_.warp, use_at(warp.pc), keeps(warp, state));
  }
  return std::nullopt;
}

// Others open a barrier at which its warps wait, or begin a block in the place of one of which it has no warps any
// more.
[[gnu::always_inline]] inline std::uint64_t CodeClock::is_alone_until(std::uint32_t number,
                                                                      std::uint64_t wanted) const {
  if (!caches_.empty()) return 0;
  const bool may_get_warps = begun_ < blocks_ && without_[number] != 0;
  if (parked_[number] == 0 && !may_get_warps) return alone_until_;
  const std::uint64_t others = others_issue(number);
  std::uint64_t until = alone_until_;
  if (parked_[number] != 0) {
    const BarrierTiming& barrier = profile_.barrier;
    until = std::min(until, others + std::max(1U, std::min(barrier.release, barrier.leave)) - 1);
  }
  if (may_get_warps) until = std::min(until, wanted != 0 ? std::max(others, block_ends(number, wanted)) : others);
  return until;
}

// In which cycle at the earliest a block ends of which the sub-core has no warps: the last of its warps ends it. If it
// is before `wanted` it may be later.
std::uint64_t CodeClock::block_ends(std::uint32_t number, std::uint64_t wanted) const {
  const std::uint32_t of_sm = profile_.sm.sub_cores, sms = static_cast<std::uint32_t>(fetch_free_.size());
  std::uint64_t first = kNever;
  for (std::uint32_t slot = number / of_sm; slot * warps_per_block_ < warps_.size() && first >= wanted; slot += sms) {
    if (living_[slot * of_sm + number % of_sm] != 0) continue;
    std::uint64_t last = 0;
    for (std::uint32_t k = slot * warps_per_block_; k < (slot + 1) * warps_per_block_; ++k) {
      if (states_[k].has_ended || !code_.has(warps_[k].pc)) continue;
      // One that waits at a barrier has issued it.
      const std::uint64_t from = states_[k].is_parked ? warps_[k].begin - 1 : warps_[k].issue_free;
      last = std::max(last, from + code_.at(warps_[k].pc).until_end);
    }
    first = std::min(first, last);
  }
  return first;
}

[[gnu::always_inline]] inline bool CodeClock::issue_alone(SubCore& sub_core, std::uint64_t cycle) {
  const std::uint32_t number = sub_core.warps[sub_core.pick];
  Warp& warp = warps_[number];
  State& state = states_[number];
  if (warp.pc >= state.alone_until) return false;
  const CodeTiming::Insn& insn = code_.at(warp.pc);
  if (!insn.is_own || (insn.constants >= 0 && constants_of(sub_core, insn) == 0)) return false;
  turn_ = {number, cycle};
  issue_picked(warp, sub_core, state);
  if (stops(warp, state)) rest(warp, sub_core);
  else put_beside(warp, sub_core, use_at(warp.pc), keeps(warp, state));
  return true;
}

std::uint64_t CodeClock::come_to(std::uint32_t number) {
  SubCore& sub_core = sub_core_at(number);
  if (insns_alone_.empty()) return choose(sub_core);
  std::uint64_t cycle = choose_in_turn<true>(sub_core);
  std::uint64_t until = is_alone_until(number, 0);
  if (cycle > until && cycle <= alone_until_ && picks_alone(sub_core)) until = is_alone_until(number, cycle);
  while (cycle <= until && issue_alone(sub_core, cycle)) cycle = choose_in_turn<true>(sub_core);
  return cycle;
}

}  // namespace warpsim
