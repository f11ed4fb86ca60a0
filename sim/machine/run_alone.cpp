// A warp within its own turn of schedule `blocks`: what issue() does, where nothing watches and nobody else is needed.
//
// Shapes: a stretch (divergence.h) of the group whose turn it is, in the interpreter or in machine code; at its end
// groups
//         diverge or join; then the next stretch.
// Units:  issues.
// Errors: none: what traps or waits is left to issue(), and nothing has happened.
#include <algorithm>

#include "sim/machine/exchange.h"
#include "sim/machine/run_ahead.h"

namespace warpsim {

// Whether these lanes are all who execute an instruction that lanes execute together: each names all of them, of those
// that live no other, and none that waits there has come before.
bool RunAhead::are_together(const Warp& warp, const DecodedInsn& d, LaneMask active) const {
  if (d.member_mask == kNoOffset || is_collective(d.lift)) {
    if (active != warp.alive) return false;
  } else {
    for (const Group& g : warp.divergence.groups())
      if (g.state == Group::State::WaitsForLanes && g.pc == d.pc) return false;
  }
  if (d.member_mask == kNoOffset) return true;
  const LaneMask members = member_mask(state_.code, warp, d, first_lane(active));
  if ((members & warp.alive) != active) return false;
  LaneMask others = 0;
  for_lanes(active, [&](unsigned l) { others |= member_mask(state_.code, warp, d, l) ^ members; });
  return others == 0;
}

// What needs neither other warps nor other groups, and is no branch. False: it does.
bool RunAhead::execute(Warp& warp, const DecodedInsn& d, LaneMask active) {
  if (d.watched) return false;
  switch (d.lift) {
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::LoadParam:
      if (d.masked == nullptr || d.reads_clock) return false;
      if (active != 0) d.masked(warp.registers, d, active);
      return true;
    case Lift::Load:
    case Lift::Store: return d.access.move != nullptr && memory_.move(warp, d, active);
    case Lift::Atomic: return memory_.change_alone(warp, d, active);
    case Lift::Vote:
    case Lift::Match:
    case Lift::Redux:
    case Lift::Shuffle:
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan: break;
    case Lift::Special:
      if (d.op != Op::ActiveMask) return false;
      for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, is_wide(d), l, active); });
      return true;
    default: return false;
  }
  if (active == 0) return true;
  if (!are_together(warp, d, active)) return false;
  if (d.lift == Lift::Vote) execute_vote(state_, warp, d, active);
  else if (d.lift == Lift::Match) execute_match(state_, warp, d, active);
  else if (d.lift == Lift::Redux) execute_redux(state_, warp, d, active);
  else {
    Exchange exchange;
    execute_exchange(state_, warp, d, active, exchange);
  }
  return true;
}

bool RunAhead::access_from_code(engine::Frame& frame, std::int32_t pc, LaneMask active) {
  RunAhead& self = *static_cast<RunAhead*>(frame.machine);
  return self.execute(*self.in_code_, self.state_.insn(pc), active);
}

std::uint64_t RunAhead::run_code(Warp& warp, Run& run, std::uint64_t budget, bool whole) {
  in_code_ = &warp;
  frame_.registers = warp.registers;
  frame_.shared = state_.shared.empty() ? nullptr : state_.shared[warp.slot].data();
  frame_.lanes = run.lanes;
  frame_.pc = run.pc;
  frame_.below = run.below;
  frame_.left = budget;
  frame_.shed = frame_.apart = 0;
  frame_.joined_at = ~std::uint64_t{0};
  engine_.run(frame_, whole);
  run.pc = frame_.pc;
  run.lanes &= ~frame_.shed;
  run.apart = frame_.apart;
  run.branch = frame_.branch;
  if (frame_.left != budget) run.passed_over = frame_.left == frame_.joined_at ? frame_.passed_over : 0;
  return budget - frame_.left;
}

// As far as the group goes before others have to be asked, or it comes to where they are.
std::uint64_t RunAhead::run_stretch(Warp& warp, Run& run, std::uint64_t budget) {
  std::uint64_t done = 0, interpreted = 0;
  const bool is_full = run.lanes == full_mask(state_.code.lanes);
  while (done < budget && run.pc < run.below && run.apart == 0) {
    const std::uint64_t in_code =
        engine_.has_code_at(run.pc, is_full) ? run_code(warp, run, budget - done, is_full) : 0;
    done += in_code;
    if (in_code != 0) continue;
    const DecodedInsn& d = state_.insn(run.pc);
    if (d.lift == Lift::Branch) {
      const LaneMask taken = taking(warp.registers, d, run.lanes);
      if (d.watched || (taken != 0 && taken != run.lanes)) break;
      run.pc = taken != 0 ? d.target : run.pc + 1;
    } else {
      if (is_full && d.fast.alone != nullptr) d.fast.alone(warp.registers, d);
      else if (!execute(warp, d, taking(warp.registers, d, run.lanes))) break;
      ++run.pc;
    }
    run.passed_over = 0;
    ++done;
    ++interpreted;
  }
  if (interpreted != 0) engine_.note_interpreted(interpreted, is_full);
  return done;
}

// What the group's issues have come to: who has left it, where it is, and whom it has met there.
void RunAhead::settle(Warp& warp, const Stretch& stretch, const Run& run, std::uint64_t issues) {
  Divergence& groups = warp.divergence;
  const auto in_body = run.apart == 0 ? 0 : static_cast<std::uint64_t>(run.pc - run.branch - 1);
  joined_.clear();
  groups.ran(stretch.group, run.apart == 0 ? run.pc : run.branch, issues - in_body);
  if (run.lanes != stretch.lanes) groups.split_off(stretch.group, stretch.lanes & ~run.lanes, stretch.below, joined_);
  if (run.apart != 0) {
    const DecodedInsn& branch = state_.insn(run.branch);
    groups.diverge(stretch.group, run.apart, branch.target, branch.reconvergence, joined_);
    if (in_body != 0) groups.ran(groups.next_ready(), run.pc, in_body);
    return;
  }
  if (groups.groups().size() > 1)
    groups.groups()[static_cast<std::size_t>(stretch.group)].passed_over = run.passed_over;
  if (run.pc >= run.below) groups.move(stretch.group, run.pc, joined_);
}

std::uint64_t RunAhead::run_alone(Warp& warp, std::uint64_t budget) {
  std::uint64_t done = 0;
  const auto end = static_cast<std::int32_t>(state_.code.insns.size());
  while (done < budget) {
    const Stretch stretch = warp.divergence.stretch();
    if (stretch.group < 0 || stretch.pc < 0 || stretch.pc >= end) break;
    const std::uint64_t most = std::min(budget - done, stretch.most);
    Run run{.lanes = stretch.lanes, .below = stretch.below, .pc = stretch.pc};
    const std::uint64_t issues = run_stretch(warp, run, most);
    if (issues != 0) settle(warp, stretch, run, issues);
    done += issues;
    if (issues == 0 && run.pc >= run.below) break;  // groups that stand at one pc and have not joined
    if (issues == most || run.pc >= run.below || run.apart != 0) continue;
    const DecodedInsn& d = state_.insn(run.pc);
    const LaneMask taken = taking(warp.registers, d, run.lanes);
    if (d.lift != Lift::Branch || d.watched || taken == 0 || taken == run.lanes) break;
    joined_.clear();
    warp.divergence.ran(stretch.group, run.pc, 1);
    warp.divergence.diverge(stretch.group, taken, d.target, d.reconvergence, joined_);
    ++done;
  }
  if (done != 0) state_.count(warp, done);
  return done;
}

}  // namespace warpsim
