#include "sim/timing/program_clock.h"

#include <algorithm>
#include <cstddef>

namespace warpsim {
ProgramClock::ProgramClock(const TimingProfile& profile, const Program& program, std::uint32_t slots,
                           std::uint32_t warps_per_block)
    : Clock(profile, profile.classes, slots, warps_per_block),
      code_(profile, program),
      registers_(program.registers.size()),
      states_(warps_.size()),
      written_(warps_.size() * registers_),
      used_(warps_.size() * (profile.pipes.size() + 1)) {
  for (const TimingClass& cls : profile.classes)
    latencies_.insert(latencies_.end(), cls.latency.begin(), cls.latency.end());
  for (std::uint32_t slot = 0; slot < slots; ++slot) begin(slot, slot, 1);
}

void ProgramClock::begin(std::uint32_t slot, std::uint32_t block, std::uint64_t cycle) {
  start_block(slot, block, cycle);
  const std::size_t row = profile_.pipes.size() + 1;
  for (std::uint32_t number = slot * warps_per_block_; number < (slot + 1) * warps_per_block_; ++number) {
    std::fill_n(written_.begin() + static_cast<std::ptrdiff_t>(number * registers_), registers_, Written{});
    std::fill_n(used_.begin() + static_cast<std::ptrdiff_t>(number * row), row, 0U);
    states_[number] = State{};
    plan(number, 0);
  }
}

// The first cycle in which an instruction of `cls` that reads it may issue.
std::uint64_t ProgramClock::operand_ready(const Written& w, const TimedCode::Read& read, std::uint8_t cls) const {
  if (w.cycle == 0) return 0;
  const bool is_plain = read.use == TimedCode::Use::Value || (read.use == TimedCode::Use::Index && w.addressed);
  return w.cycle +
         (is_plain ? latencies_[w.cls * profile_.classes.size() + cls] : latency(profile_, w.cls, read.use, cls));
}

void ProgramClock::wait_for_operands(std::uint32_t number, const TimedCode::Insn& insn, bool goes_on) {
  Warp& warp = warps_[number];
  State& state = states_[number];
  if (insn.reconverges && state.came_by_itself) warp.path_free += profile_.branch.passed;
  state.came_by_itself = false;
  for (const TimedCode::Read& read : code_.reads(insn)) {
    Written& w = written(number, read.reg);
    const std::uint64_t at = operand_ready(w, read, insn.cls);
    if (read.use == TimedCode::Use::Index && !w.addressed) state.extra_issue = profile_.address.issue;
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
  if (insn.copy_groups > TimedCode::CopyGroups::Commit) wait_for_copies(warp, state, insn);
}

void ProgramClock::plan(std::uint32_t number, std::int32_t pc) {
  Warp& warp = warps_[number];
  State& state = states_[number];
  const bool goes_on = pc == warp.pc + 1 && warp.pc >= 0;
  warp.pc = pc;
  warp.operands = 0;
  state.extra_issue = 0;
  if (code_.has(pc)) wait_for_operands(number, code_.at(pc), goes_on);
  const Unit& unit = unit_at(pc);
  if (unit.cls != nullptr && unit.cls->waits_for_stores && state.stored > warp.operands) {
    warp.operands = state.stored;
    warp.operand_reg = -1;
    warp.operand_pc = state.store_pc;
    warp.operand_from_memory = true;
  }
  put(number, use_of(unit, chosen_pipe(number, unit)), unit.interval_of_three != 0 && code_.at(pc).three_kept);
}

void ProgramClock::wait_for_copies(Warp& warp, const State& state, const TimedCode::Insn& insn) const {
  const bool all = insn.copy_groups == TimedCode::CopyGroups::WaitAll;
  const std::size_t left = all ? 0 : std::size_t{insn.pending} + 1;  // one: those since the last group
  for (std::size_t k = 0; k + left < state.copied.size(); ++k) {
    if (state.copied[k] <= warp.operands) continue;
    warp.operands = state.copied[k];
    warp.operand_reg = -1;
    warp.operand_pc = state.copy_pc;
    warp.operand_from_memory = true;
  }
}

void ProgramClock::note_copies(State& state, std::int32_t pc, double delay) {
  const TimedCode::Insn& insn = code_.at(pc);
  if (state.copied.empty()) state.copied.push_back(0);
  if (insn.copy_groups == TimedCode::CopyGroups::Commit) state.copied.push_back(0);
  if (!insn.copies) return;
  state.copied.back() = std::max(state.copied.back(), turn_.cycle + profile_.global.l1.latency + up(delay));
  state.copy_pc = pc;
}

// Balanced as by a compiler: the pipe that the warp's last instructions used less.
Clock::PipeRef ProgramClock::chosen_pipe(std::uint32_t warp, const Unit& unit) const {
  PipeRef best = unit.pipes[0];
  if (unit.pipes.size() == 1) return best;
  const std::uint32_t* const used = &used_[std::size_t{warp} * (profile_.pipes.size() + 1)];
  for (const PipeRef other : unit.pipes)
    if (used[other.number] < used[best.number]) best = other;
  return best;
}

void ProgramClock::use_pipe(std::uint32_t warp, PipeRef pipe, std::uint64_t interval) {
  constexpr std::uint32_t kMost = 32 * 256;  // then earlier use counts half
  std::uint32_t* const used = &used_[std::size_t{warp} * (profile_.pipes.size() + 1)];
  used[pipe.number] += static_cast<std::uint32_t>(interval);
  if (used[pipe.number] < kMost) return;
  for (std::size_t k = 0; k <= profile_.pipes.size(); ++k) used[k] /= 2;
}

void ProgramClock::issued(std::int32_t pc, const TimedOutcome& outcome) {
  const std::uint32_t number = turn_.warp;
  State& state = states_[number];
  const TimedCode::Insn& insn = code_.at(pc);
  const Unit& mine = unit(insn.cls);
  const TimingClass& cls = *mine.cls;
  const bool caches = insn.caches && !outcome.address.empty();
  SubCore& sub_core = sub_core_of(warps_[number]);
  const bool reads_twice = mine.interval_of_three != 0 && insn.three_anew && sub_core.last_warp != number;
  const PipeRef own = issuing().pipe;
  const double delay = occupy(outcome, {caches}, reads_twice ? mine.interval_of_three : 0) + (reads_twice ? 1 : 0);
  if (own.number != 0) use_pipe(number, own, mine.interval);
  if (caches && outcome.stores) {
    state.stored = turn_.cycle + profile_.global.store_latency;
    state.store_pc = pc;
  }
  if (insn.copies || insn.copy_groups == TimedCode::CopyGroups::Commit) note_copies(state, pc, delay);
  if (insn.has_index) {
    for (const TimedCode::Read& read : code_.reads(insn))
      if (read.use == TimedCode::Use::Index) written(number, read.reg).addressed = true;
  }
  for (const std::int32_t reg : code_.writes(insn))
    written(number, reg) = {turn_.cycle + up(delay), pc, insn.cls, insn.from_memory, false};
  const bool goes_alike = cls.issue_alike != 0 && code_.has(pc + 1) && code_.at(pc + 1).cls == insn.cls;
  const unsigned issue = (goes_alike ? cls.issue_alike : cls.issue) + state.extra_issue;
  go_on(cls.issue == 0 ? 0 : 1 + state.extra_issue, issue, way_of(outcome, profile_.branch));
  state.came_by_itself = outcome.side == TimedOutcome::Side::Same;
}

}  // namespace warpsim
