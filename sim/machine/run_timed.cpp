// Timed runs: the clock says whose turn it is, and learns what came of it.
//
// Shapes: a turn is one issue of one warp, in the order (cycle, block, warp).
// Units:  cycles from 1.
// Errors: a Trap in result_, after which nothing issues.
#include "sim/machine/machine_impl.h"
#include "sim/machine/traps.h"

namespace warpsim {

template <class Observer>
bool Machine::Impl::step_timed(const Observer& observer) {
  while (!ended_) {
    const std::optional<Clock::Turn> turn = clock_->next();
    if (!turn) {
      end_of_turns();
      return false;
    }
    Warp& warp = state_.warps[turn->warp];
    warp.cycle = turn->cycle;
    if (warp.cycle > state_.last_cycle) {
      warp.cycle = state_.last_cycle + 1;  // however much later it would have issued
      trap_cycle_limit(state_, warp);
      return false;
    }
    const bool issued = issue_timed(turn->warp, observer);
    if constexpr (Observer::kActive) state_.end_early(observer.early_end());
    if (!state_.result.ok) ended_ = true;
    if (issued) return true;
  }
  return false;
}

template <class Observer>
bool Machine::Impl::issue_timed(std::uint32_t number, const Observer& observer) {
  Warp& warp = state_.warps[number];
  outcome_ = {};
  if (!Observer::kActive && issue_alone(number)) return true;
  const Group& group = warp.divergence.groups()[static_cast<std::size_t>(warp.divergence.next_ready())];
  const std::int32_t pc = group.pc;
  const LaneMask lanes_of_turn = group.lanes;
  barriers_.clear_released();
  const bool issued = issue(warp, observer);
  if (!state_.result.ok) return true;
  if (issued) go_on(number, pc, lanes_of_turn);
  for (const Barriers::Released& one : barriers_.released()) clock_->leave_barrier(one.warp, one.barrier_pc);
  const auto plan = [&](std::uint32_t k) {
    const Divergence& lanes = state_.warps[k].divergence;
    const int next = lanes.next_ready();
    if (next >= 0) clock_->plan(k, lanes.groups()[static_cast<std::size_t>(next)].pc);
    else if (lanes.finished()) {
      clock_->end(k);
      give_up_slot(state_.warps[k], observer);
    } else if (k == number) clock_->park();
  };
  plan(number);
  for (const Barriers::Released& one : barriers_.released())
    if (one.warp != number) plan(one.warp);
  if (!issued) clock_->try_again();
  return issued;
}

// What only its own registers can see, of a warp whose lanes all go together and go on so.
bool Machine::Impl::issue_alone(std::uint32_t number) {
  Warp& warp = state_.warps[number];
  if (!warp.divergence.whole()) return false;
  const Group& g = warp.divergence.groups()[0];
  if (g.lanes != full_mask(state_.code.lanes) || static_cast<std::size_t>(g.pc) >= state_.code.insns.size())
    return false;
  const std::int32_t pc = g.pc;
  const DecodedInsn& d = state_.insn(pc);
  std::int32_t next = pc + 1;
  if (d.fast.alone != nullptr) {
    d.fast.alone(warp.registers, d);
  } else {
    if (d.lift != Lift::Branch) return false;
    const LaneMask taken = taking(warp.registers, d, g.lanes);
    if (taken != 0 && taken != g.lanes) return false;
    if (taken != 0) {
      outcome_.way = TimedOutcome::Way::Taken;
      next = d.target;
    }
  }
  state_.advance(warp, next, 1);
  clock_->issued(pc, outcome_);
  clock_->plan(number, next);
  return true;
}

// Reports to the clock that these lanes issued, and with which lanes the warp goes on.
void Machine::Impl::go_on(std::uint32_t number, std::int32_t pc, LaneMask issued) {
  const Divergence& lanes = state_.warps[number].divergence;
  const int next = lanes.next_ready();
  if (!gathering_.joined.empty()) outcome_.side = TimedOutcome::Side::Joined;
  else if (next >= 0 && (lanes.groups()[static_cast<std::size_t>(next)].lanes & issued) == 0)
    outcome_.side = TimedOutcome::Side::Other;
  clock_->issued(pc, outcome_);
}

template bool Machine::Impl::step_timed(const NullObserver&);
template bool Machine::Impl::step_timed(const SinkObserver&);

}  // namespace warpsim
