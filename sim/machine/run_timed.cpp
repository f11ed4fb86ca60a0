// Timed runs: the clock says whose turn it is, and is told what came of it.
//
// Shapes: a turn is one issue of one warp, in the order (cycle, block, warp).
// Units:  cycles from 1.
// Errors: a Trap in result_, after which nothing issues.
#include "sim/machine/machine_impl.h"

namespace warpsim {

template <class Observer>
bool Machine::Impl::step_timed(const Observer& observer) {
  while (!ended_) {
    const std::optional<Clock::Turn> turn = clock_->next();
    if (!turn) {
      end_of_turns();
      return false;
    }
    Warp& warp = warps_[turn->warp];
    warp.cycle = turn->cycle;
    if (warp.cycle > config_.max_cycles) {
      warp.cycle = config_.max_cycles + 1;  // however much later it would have issued
      trap_cycle_limit(warp);
      return false;
    }
    const bool issued = issue_timed(turn->warp, observer);
    if (!result_.ok) ended_ = true;
    if (issued) return true;
  }
  return false;
}

template <class Observer>
bool Machine::Impl::issue_timed(std::uint32_t number, const Observer& observer) {
  Warp& warp = warps_[number];
  outcome_ = {};
  if (!Observer::kActive && issue_alone(number)) return true;
  const Group& group = warp.divergence.groups()[static_cast<std::size_t>(warp.divergence.next_ready())];
  const std::int32_t pc = group.pc;
  const LaneMask lanes_of_turn = group.lanes;
  freed_.clear();
  const bool issued = issue(warp, observer);
  if (!result_.ok) return true;
  if (issued) go_on(number, pc, lanes_of_turn);
  for (const Freed& one : freed_) clock_->leave_barrier(one.warp, one.barrier_pc);
  const auto plan = [&](std::uint32_t k) {
    const Divergence& lanes = warps_[k].divergence;
    const int next = lanes.next_ready();
    if (next >= 0) clock_->plan(k, lanes.groups()[static_cast<std::size_t>(next)].pc);
    else if (lanes.finished()) clock_->end(k);
    else if (k == number) clock_->park();
  };
  plan(number);
  for (const Freed& one : freed_)
    if (one.warp != number) plan(one.warp);
  if (!issued) clock_->try_again();
  return issued;
}

// What only its own registers can see, of a warp whose lanes all go together and go on so.
bool Machine::Impl::issue_alone(std::uint32_t number) {
  Warp& warp = warps_[number];
  if (!warp.divergence.whole()) return false;
  const Group& g = warp.divergence.groups()[0];
  if (g.lanes != full_mask(code_.lanes) || static_cast<std::size_t>(g.pc) >= code_.insns.size()) return false;
  const std::int32_t pc = g.pc;
  const DecodedInsn& d = code_.insns[static_cast<std::size_t>(pc)];
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
  Warp* const alone = &warp;
  advance({&alone, 1}, next, 1);
  clock_->issued(pc, outcome_);
  clock_->plan(number, next);
  return true;
}

// Tells the clock that these lanes issued, and with which lanes the warp goes on.
void Machine::Impl::go_on(std::uint32_t number, std::int32_t pc, LaneMask issued) {
  const Divergence& lanes = warps_[number].divergence;
  const int next = lanes.next_ready();
  if (!joined_.empty()) outcome_.side = TimedOutcome::Side::Joined;
  else if (next >= 0 && (lanes.groups()[static_cast<std::size_t>(next)].lanes & issued) == 0)
    outcome_.side = TimedOutcome::Side::Other;
  clock_->issued(pc, outcome_);
}

template bool Machine::Impl::step_timed(const NullObserver&);
template bool Machine::Impl::step_timed(const SinkObserver&);

}  // namespace warpsim
