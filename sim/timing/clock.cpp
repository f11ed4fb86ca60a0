#include "sim/timing/clock.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace warpsim {
namespace {

std::uint64_t up(double cycles) { return cycles <= 0 ? 0 : static_cast<std::uint64_t>(std::ceil(cycles)); }

}  // namespace

// A pipe that is always busy accumulates fractions of cycles; one that was idle starts with a whole cycle.
void Clock::Pipe::take(std::uint64_t cycle, std::uint64_t interval_256ths) {
  const std::uint64_t now = cycle * 256;
  free_256ths = (free_256ths + 256 > now ? free_256ths : now) + interval_256ths;
}

std::string_view name(Stall::Reason reason) {
  switch (reason) {
    case Stall::Reason::Issue: return "issue";
    case Stall::Reason::Branch: return "branch";
    case Stall::Reason::Dependency: return "dependency";
    case Stall::Reason::Memory: return "memory";
    case Stall::Reason::Barrier: return "barrier";
    case Stall::Reason::Unit: return "unit";
    case Stall::Reason::NotSelected: return "not_selected";
  }
  return "";
}

// ---- what a warp waits for

// The first cycle in which an instruction of `cls` that reads it may issue.
std::uint64_t Clock::operand_ready(const Written& w, const TimedCode::Read& read, std::uint8_t cls) const {
  if (w.cycle == 0) return 0;
  const bool is_plain = read.use == TimedCode::Use::Value || (read.use == TimedCode::Use::Index && w.addressed);
  return w.cycle +
         (is_plain ? latencies_[w.cls * profile_.classes.size() + cls] : latency(profile_, w.cls, read.use, cls));
}

void Clock::plan(std::uint32_t number, std::int32_t pc) {
  Warp& warp = warps_[number];
  const bool goes_on = pc == warp.pc + 1 && warp.pc >= 0;
  warp.pc = pc;
  warp.operands = 0;
  warp.extra_issue = 0;
  if (code_.has(pc)) {
    const TimedCode::Insn& insn = code_.at(pc);
    if (insn.reconverges && warp.came_by_itself) warp.path_free += profile_.branch.passed;
    warp.came_by_itself = false;
    for (const TimedCode::Read& read : code_.reads(insn)) {
      Written& w = written(number, read.reg);
      const std::uint64_t at = operand_ready(w, read, insn.cls);
      if (read.use == TimedCode::Use::Index && !w.addressed) warp.extra_issue = profile_.address.issue;
      if (at <= warp.operands) continue;
      warp.operands = at;
      warp.operand_reg = read.reg;
      warp.operand_pc = w.pc;
      warp.operand_from_memory = w.from_memory;
    }
    const std::uint64_t counted = warp.begin - 1 + insn.distance;
    if (goes_on && insn.distance_reg >= 0 && counted > warp.operands) {
      warp.operands = counted;
      warp.operand_reg = insn.distance_reg;
      warp.operand_pc = written(number, insn.distance_reg).pc;
      warp.operand_from_memory = false;
    }
  }
  if (code_.has(pc) && code_.at(pc).copy_groups > TimedCode::CopyGroups::Commit) wait_for_copies(warp, code_.at(pc));
  const Unit& unit = unit_at(pc);
  if (unit.cls != nullptr && unit.cls->waits_for_stores && warp.stored > warp.operands) {
    warp.operands = warp.stored;
    warp.operand_reg = -1;
    warp.operand_pc = warp.store_pc;
    warp.operand_from_memory = true;
  }
  const std::uint64_t earliest = std::max({warp.issue_free, warp.path_free, warp.operands, behind_barrier(warp, unit)});
  SubCore& sub_core = sub_core_of(warp);
  const PipeRef own = chosen_pipe(number, unit);
  sub_core.waiting[warp.place] = {earliest,
                                  &unit,
                                  own,
                                  place_of(sub_core, own),
                                  place_of(sub_core, unit.cls != nullptr && unit.cls->is_queued ? PipeRef{} : unit.sm),
                                  unit.interval_of_three != 0 && code_.at(pc).three_kept};
  wake(static_cast<std::uint32_t>(warp.sub_core));
}

void Clock::wait_for_copies(Warp& warp, const TimedCode::Insn& insn) const {
  const bool all = insn.copy_groups == TimedCode::CopyGroups::WaitAll;
  const std::size_t left = all ? 0 : std::size_t{insn.pending} + 1;  // one: those since the last group
  for (std::size_t k = 0; k + left < warp.copied.size(); ++k) {
    if (warp.copied[k] <= warp.operands) continue;
    warp.operands = warp.copied[k];
    warp.operand_reg = -1;
    warp.operand_pc = warp.copy_pc;
    warp.operand_from_memory = true;
  }
}

void Clock::note_copies(Warp& warp, std::int32_t pc, double delay) {
  const TimedCode::Insn& insn = code_.at(pc);
  if (warp.copied.empty()) warp.copied.push_back(0);
  if (insn.copy_groups == TimedCode::CopyGroups::Commit) warp.copied.push_back(0);
  if (!insn.copies) return;
  warp.copied.back() = std::max(warp.copied.back(), turn_.cycle + profile_.global.l1.latency + up(delay));
  warp.copy_pc = pc;
}

// Balanced as by a compiler: the pipe that the warp's last instructions used less.
Clock::PipeRef Clock::chosen_pipe(std::uint32_t warp, const Unit& unit) const {
  PipeRef best = unit.pipes[0];
  if (unit.pipes.size() == 1) return best;
  const std::uint32_t* const used = &used_[std::size_t{warp} * (profile_.pipes.size() + 1)];
  for (const PipeRef other : unit.pipes)
    if (used[other.number] < used[best.number]) best = other;
  return best;
}

void Clock::use_pipe(std::uint32_t warp, PipeRef pipe, std::uint64_t interval) {
  constexpr std::uint32_t kMost = 32 * 256;  // then earlier use counts half
  std::uint32_t* const used = &used_[std::size_t{warp} * (profile_.pipes.size() + 1)];
  used[pipe.number] += static_cast<std::uint32_t>(interval);
  if (used[pipe.number] < kMost) return;
  for (std::size_t k = 0; k <= profile_.pipes.size(); ++k) used[k] /= 2;
}

void Clock::park() {
  const Warp& warp = warps_[turn_.warp];
  sub_core_of(warp).waiting[warp.place].earliest = kNever;
  wake(static_cast<std::uint32_t>(warp.sub_core));
}

void Clock::leave_barrier(std::uint32_t number, std::int32_t barrier_pc) {
  Warp& warp = warps_[number];
  const Unit& unit = unit_at(barrier_pc);
  std::uint64_t served = turn_.cycle;
  if (unit.cls->is_queued) served = std::max(served, pipes_[place_of(sub_core_of(warp), unit.sm)].free());
  warp.barrier_open = served + std::max(profile_.barrier.release, 1U);
  warp.barrier_left = turn_.cycle + std::max(profile_.barrier.leave, 1U);
  warp.barrier_pc = barrier_pc;
}

// ---- which warp issues next

// The cycle from which the unit takes another instruction.
std::uint64_t Clock::unit_free(const Waiting& one) const {
  return (std::max(pipes_[one.own_at].free_256ths, pipes_[one.sm_at].free_256ths) + 255) / 256;
}

std::uint64_t Clock::ready(const SubCore& sub_core, const Waiting& one) const {
  if (one.earliest == kNever) return kNever;
  return std::max({one.earliest, sub_core.free, unit_free(one)});
}

// Whether the scheduler prefers `other`, the younger of two warps that can issue in the same cycle.
bool Clock::is_preferred(const SubCore& sub_core, std::uint32_t place, std::uint32_t other) const {
  if (sub_core.waiting[other].keeps && std::int64_t{sub_core.warps[other]} == sub_core.last_warp) return true;
  if (sub_core.waiting[place].keeps && std::int64_t{sub_core.warps[place]} == sub_core.last_warp) return false;
  switch (profile_.scheduler) {
    case Scheduler::Gto: return std::int64_t{sub_core.warps[other]} == sub_core.last_warp;
    case Scheduler::Lrr: return std::int64_t{place} >= sub_core.last || std::int64_t{other} < sub_core.last;
    case Scheduler::Oldest: break;
  }
  return false;
}

// Computes the next cycle in which the sub-core can issue, and the warp that then does.
void Clock::wake(std::uint32_t number) {
  SubCore& sub_core = sub_cores_[number];
  std::uint64_t first = kNever;
  const std::uint32_t count = static_cast<std::uint32_t>(sub_core.waiting.size());
  for (std::uint32_t k = 0; k < count; ++k) {
    const Waiting& one = sub_core.waiting[k];
    if (one.earliest > first || one.earliest == kNever) continue;
    const std::uint64_t at = ready(sub_core, one);
    if (at > first || (at == first && !is_preferred(sub_core, sub_core.pick, k))) continue;
    first = at;
    sub_core.pick = k;
  }
  if (first != kNever && first != sub_core.wakes) wakes_.push({first, sub_core.served, number});
  sub_core.wakes = first;
}

// The picks of the next cycle in which a warp can issue. Each sub-core picks for itself; a pipe of the SM, for which
// sub-cores compete, goes to the one that had one longest ago.
void Clock::gather() {
  while (!wakes_.empty() && (picks_.empty() || wakes_.top().cycle == picks_.front().turn.cycle)) {
    const Wake top = wakes_.top();
    wakes_.pop();
    SubCore& sub_core = sub_cores_[top.sub_core];
    // An outdated entry: the sub-core wakes in another cycle, or has had a pipe of the SM since.
    if (sub_core.wakes != top.cycle || sub_core.served != top.served) continue;
    sub_core.wakes = kNever;
    const Waiting& one = sub_core.waiting[sub_core.pick];
    const Unit& unit = *one.unit;
    const std::uint64_t free = unit_free(one);
    if (free > top.cycle) {  // another sub-core has taken the pipe
      wake(top.sub_core);
      continue;
    }
    if (unit.sm.number != 0) {
      pipes_[place_of(sub_core, unit.sm)].take(top.cycle, unit.sm_interval);
      sub_core.served = top.cycle;
    }
    picks_.push_back({{sub_core.warps[sub_core.pick], top.cycle}, free});
  }
  if (picks_.size() > 1)
    std::sort(picks_.begin(), picks_.end(),
              [this](const Pick& x, const Pick& y) { return warps_[x.turn.warp].order > warps_[y.turn.warp].order; });
}

std::optional<Clock::Turn> Clock::next() {
  if (again_) {
    again_ = false;
    const Warp& warp = warps_[turn_.warp];
    SubCore& sub_core = sub_core_of(warp);
    const bool is_there = warp.place < sub_core.warps.size() && sub_core.warps[warp.place] == turn_.warp;
    if (is_there && ready(sub_core, sub_core.waiting[warp.place]) <= turn_.cycle) {
      unit_free_ = turn_.cycle;
      return turn_;
    }
    sub_core.free = std::max(sub_core.free, turn_.cycle + 1);  // so that picks stay in order
    wake(static_cast<std::uint32_t>(warp.sub_core));
  }
  if (picks_.empty()) gather();
  if (picks_.empty()) return std::nullopt;
  turn_ = picks_.back().turn;
  unit_free_ = picks_.back().unit_free;
  picks_.pop_back();
  return turn_;
}

void Clock::add_stall(Stall stall, std::uint64_t until) {
  until = std::min(until, turn_.cycle);
  if (until <= stall_from_) return;
  stall.cycles = until - stall_from_;
  stalls_.push_back(stall);
  stall_from_ = until;
}

std::span<const Stall> Clock::stalls() {
  const Warp& warp = warps_[turn_.warp];
  stalls_.clear();
  stall_from_ = warp.begin;
  add_stall({Stall::Reason::Issue}, warp.issue_free);
  add_stall({Stall::Reason::Branch}, warp.path_free);
  add_stall({Stall::Reason::Barrier, 0, -1, warp.barrier_pc}, behind_barrier(warp, unit_at(warp.pc)));
  add_stall({warp.operand_from_memory ? Stall::Reason::Memory : Stall::Reason::Dependency, 0, warp.operand_reg,
             warp.operand_pc},
            warp.operands);
  const SubCore& sub_core = sub_core_of(warp);
  const Waiting& one = sub_core.waiting[warp.place];
  const bool of_sm = pipes_[one.own_at].free() < unit_free_;
  const std::int32_t held = static_cast<std::int32_t>(of_sm ? one.unit->sm.number : one.pipe.number) - 1;
  add_stall({Stall::Reason::Unit, 0, -1, -1, held}, unit_free_);
  add_stall({Stall::Reason::NotSelected}, turn_.cycle);
  return stalls_;
}

// ---- how long an instruction takes

void Clock::find_lines(const TimedOutcome& outcome) {
  lines_.clear();
  for (const std::uint64_t address : outcome.address) lines_.push_back(address / profile_.global.l1.line_bytes);
  std::sort(lines_.begin(), lines_.end());
  lines_.erase(std::unique(lines_.begin(), lines_.end()), lines_.end());
}

// The cycles that global memory takes beyond a hit of one line in L1.
double Clock::memory_delay(SubCore& sub_core, bool stores, const TimingClass& cls) {
  const GlobalTiming& global = profile_.global;
  LineCache& l1 = sms_[sub_core.sm].l1;
  const std::uint64_t now = turn_.cycle;
  std::uint64_t there = now + global.l1.latency;
  for (const std::uint64_t line : lines_) {
    if (const std::uint64_t* const hit = stores ? nullptr : l1.find(line)) {
      there = std::max(there, *hit);  // the line may still be arriving
      continue;
    }
    const std::uint64_t l2_line = line * global.l1.line_bytes / global.l2.line_bytes;
    const std::uint64_t* const hit = l2_.find(l2_line);
    const std::uint64_t comes = hit != nullptr ? std::max(*hit, now + global.l2.latency) : now + global.dram_latency;
    if (hit == nullptr) l2_.fill(l2_line, stores ? now : comes);  // a store does not wait for the line
    if (!stores) l1.fill(line, comes);
    there = std::max(there, comes);
  }
  const double lines = cls.per_line * (static_cast<double>(lines_.size()) - 1);
  return stores ? 0 : static_cast<double>(there - now - global.l1.latency) + lines;
}

void Clock::issued(std::int32_t pc, const TimedOutcome& outcome) {
  Warp& warp = warps_[turn_.warp];
  SubCore& sub_core = sub_core_of(warp);
  const TimedCode::Insn& insn = code_.at(pc);
  const Unit& unit = units_[insn.cls];
  const TimingClass& cls = *unit.cls;
  const std::uint64_t now = turn_.cycle;
  const Waiting& one = sub_core.waiting[warp.place];
  const bool caches = insn.caches && !outcome.address.empty();
  if (caches) find_lines(outcome);
  const unsigned turns = cls.merges_lanes ? outcome.merged_ways : outcome.ways;
  const std::uint64_t ways = caches ? lines_.size() : turns;
  const bool reads_twice = unit.interval_of_three != 0 && insn.three_anew && sub_core.last_warp != turn_.warp;
  if (one.pipe.number != 0) {
    std::uint64_t interval = std::max(unit.interval, unit.interval_per_way * ways);
    if (reads_twice) interval = std::max(interval, unit.interval_of_three);
    pipes_[one.own_at].take(now, interval);
    use_pipe(turn_.warp, one.pipe, unit.interval);
  }
  if (unit.sm.number != 0) pipes_[place_of(sub_core, unit.sm)].free_256ths += unit.sm_interval * (ways - 1);
  double delay = reads_twice ? 1 : 0;
  if (turns > 1 || outcome.values > 1) delay += cls.per_way * (turns - 1) + cls.per_value * (outcome.values - 1);
  if (caches) delay += memory_delay(sub_core, outcome.stores, cls);
  if (caches && outcome.stores) {
    warp.stored = now + profile_.global.store_latency;
    warp.store_pc = pc;
  }
  if (insn.copies || insn.copy_groups == TimedCode::CopyGroups::Commit) note_copies(warp, pc, delay);
  if (insn.has_index) {
    for (const TimedCode::Read& read : code_.reads(insn))
      if (read.use == TimedCode::Use::Index) written(turn_.warp, read.reg).addressed = true;
  }
  for (const std::int32_t reg : code_.writes(insn))
    written(turn_.warp, reg) = {now + up(delay), pc, insn.cls, insn.from_memory, false};

  const bool goes_alike = cls.issue_alike != 0 && code_.has(pc + 1) && code_.at(pc + 1).cls == insn.cls;
  const unsigned issue = goes_alike ? cls.issue_alike : cls.issue;
  const unsigned slots = cls.issue == 0 ? 0 : 1 + warp.extra_issue;
  sub_core.free = std::max(sub_core.free, now + slots);
  sub_core.last = warp.place;
  sub_core.last_warp = turn_.warp;
  again_ = slots == 0;
  warp.begin = now + 1;
  warp.issue_free = now + issue + warp.extra_issue;
  unsigned way = 0;
  if (outcome.way == TimedOutcome::Way::Taken) way += profile_.branch.taken;
  if (outcome.way == TimedOutcome::Way::Diverged) way += profile_.branch.diverged;
  if (outcome.side == TimedOutcome::Side::Other) way += profile_.branch.other_side;
  if (outcome.side == TimedOutcome::Side::Joined) way += profile_.branch.joined;
  warp.path_free = warp.issue_free + way;
  warp.came_by_itself = outcome.side == TimedOutcome::Side::Same;
}

}  // namespace warpsim
