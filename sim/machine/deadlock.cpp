// Nothing can ever run again: what kind of mistake that is, and whose.
//
// Of each warp that is stuck the lanes that wait at its lowest pc are asked first: the others are behind them, where
// they could only come without them. The first warp that gives a reason gives the trap's; without any it is a deadlock
// of warps that wait for each other.
#include <algorithm>

#include "isa/text/check.h"
#include "sim/machine/traps.h"

namespace warpsim {
namespace {

LanePlace place_of(const LaunchState& state, const Warp& warp, LaneMask lanes) {
  std::vector<LanePlace> places;
  add_places(state, warp, places);
  for (const LanePlace& place : places) {
    if (place.pc >= 0 && (place.lanes & lanes) != 0) return place;
  }
  return {};
}

// Some lanes of a warp wait at a block barrier, others that live are elsewhere.
bool trap_divergent_barrier(LaunchState& state, const Warp& warp, const Group& group) {
  LaneMask there = 0;
  for (const Group& g : warp.divergence.groups()) {
    if (stand_at_one_barrier(state.code, g, group)) there |= g.lanes;
  }
  const LaneMask elsewhere = warp.alive & ~there;
  if (elsewhere == 0) return false;
  const LanePlace place = place_of(state, warp, elsewhere);
  const bool one = count_lanes(there) == 1;
  const MessageId passed = one ? MessageId::LaneWaitsOthersPassed : MessageId::LanesWaitOthersPassed;
  const MessageId never_came = one ? MessageId::LaneWaitsOthersNeverCame : MessageId::LanesWaitOthersNeverCame;
  trap(state, TrapKind::Deadlock, warp, group.pc, there,
       {place.pc > group.pc ? passed : never_came,
        {lanes_named(there), line_of(state.program, group.pc), lanes_named(place.lanes & elsewhere),
         line_of(state.program, place.pc)}},
       MessageId::TryBarrierBehindBranch);
  state.result.trap.code = Finding::DivergentBarrier;
  return true;
}

// A barrier with a count that the threads cannot fill.
bool trap_barrier_count(LaunchState& state, const Warp& warp, const Group& group) {
  if (group.barrier_count == 0) return false;
  std::uint64_t living = state.arrivals_at(warp.block, group) * state.code.lanes;
  for (const Warp& one : state.block_of(warp)) living += one.alive != 0 ? state.code.lanes : 0;
  const std::uint64_t all = std::uint64_t{state.warps_per_block} * state.code.lanes;
  const bool ragged = group.barrier_count % state.code.lanes != 0;
  if (!ragged && living >= group.barrier_count) return false;
  const Message line = line_of(state.program, group.pc);
  const Message threads =
      group.barrier_count == 1 ? Message(MessageId::OneThread) : Message(MessageId::Threads, {group.barrier_count});
  if (ragged || all < group.barrier_count) {
    const Message lanes =
        state.code.lanes == 1 ? Message(MessageId::OneLane) : Message(MessageId::Lanes, {state.code.lanes});
    trap(state, TrapKind::Deadlock, warp, group.pc, group.lanes,
         ragged ? Message(MessageId::BarrierCountRagged, {line, threads, lanes})
                : Message(MessageId::BarrierCountAboveBlock, {line, threads, all}),
         MessageId::TryMultipleOfWarp);
    state.result.trap.code = Finding::BarrierCount;
    return true;
  }
  Message what(MessageId::BarrierCountAboveLiving, {line, threads, living}), hint = MessageId::TryKeepThreads;
  // One that has come, but not as often, has left a barrier out on its path: this one waits for its next round.
  const std::uint32_t here = state.visits_of(warp, group.barrier);
  for (const Warp& one : state.block_of(warp)) {
    const std::uint32_t there = state.visits_of(one, group.barrier);
    if (one.alive != 0 || there == 0 || there >= here) continue;
    what = {MessageId::CameLessOften, {std::move(what), group.barrier, here, warp.index, there, one.index}};
    hint = {MessageId::TryAsOften, {one.index}};
    break;
  }
  trap(state, TrapKind::Deadlock, warp, group.pc, group.lanes, std::move(what), std::move(hint));
  state.result.trap.code = Finding::BarrierStarved;
  return true;
}

// A `.sync` waits for a named lane that stands elsewhere.
bool trap_named_lane(LaunchState& state, const Warp& warp, const Group& group) {
  const DecodedInsn& d = state.insn(group.pc);
  LaneMask named = 0, there = 0;
  for_each_lane(group.lanes, [&](unsigned l) { named |= member_mask(state.code, warp, d, l); });
  for (const Group& g : warp.divergence.groups()) {
    const bool fits = d.lift == Lift::Barrier ? state.insn(g.pc).op == d.op : g.pc == group.pc;
    if (g.state == Group::State::WaitsForLanes && fits) there |= g.lanes;
  }
  const LaneMask missing = named & warp.alive & ~there;
  if (missing == 0) return false;
  const LanePlace place = place_of(state, warp, missing);
  const bool one_waits = count_lanes(group.lanes) == 1, one_is = count_lanes(place.lanes & missing) == 1;
  const MessageId message = one_waits ? (one_is ? MessageId::LaneWaitsLaneIs : MessageId::LaneWaitsLanesAre)
                                      : (one_is ? MessageId::LanesWaitLaneIs : MessageId::LanesWaitLanesAre);
  trap(state, TrapKind::Deadlock, warp, group.pc, group.lanes,
       {message,
        {lanes_named(group.lanes), line_of(state.program, group.pc), lanes_named(missing),
         lanes_named(place.lanes & missing), line_of(state.program, place.pc)}},
       MessageId::TryNameThoseThatCome);
  state.result.trap.code = Finding::NamedLaneNeverCame;
  return true;
}

// Lanes at two different shuffles, each naming the other.
bool trap_crossed_shuffles(LaunchState& state, const Warp& stuck) {
  const std::vector<Group>& groups = stuck.divergence.groups();
  for (const Group& x : groups) {
    for (const Group& y : groups) {
      if (x.state != Group::State::WaitsForLanes || y.state != Group::State::WaitsForLanes || x.pc >= y.pc) continue;
      const DecodedInsn& dx = state.insn(x.pc);
      if (dx.lift == Lift::Barrier && state.insn(y.pc).lift == Lift::Barrier) continue;
      if ((member_mask(state.code, stuck, dx, first_lane(x.lanes)) & y.lanes) == 0) continue;
      trap(state, TrapKind::ShuffleMismatch, stuck, x.pc, x.lanes | y.lanes,
           {MessageId::WaitForEachOther,
            {lanes_named(x.lanes), line_of(state.program, x.pc), lanes_named(y.lanes), line_of(state.program, y.pc)}},
           MessageId::TrySameInstruction);
      return true;
    }
  }
  return false;
}

bool trap_waiting(LaunchState& state, const Warp& warp) {
  const std::vector<Group>& groups = warp.divergence.groups();
  const auto lowest =
      std::min_element(groups.begin(), groups.end(), [](const Group& x, const Group& y) { return x.pc < y.pc; });
  if (lowest == groups.end()) return false;
  if (trap_crossed_shuffles(state, warp)) return true;
  if (lowest->state == Group::State::WaitsForLanes) return trap_named_lane(state, warp, *lowest);
  if (lowest->state != Group::State::WaitsForBlock) return false;
  return trap_divergent_barrier(state, warp, *lowest) || trap_barrier_count(state, warp, *lowest);
}

}  // namespace

void trap_deadlock(LaunchState& state) {
  const Warp* stuck = nullptr;
  std::uint64_t waiting = 0;
  for (const Warp* w : state.in_order()) {
    if (w->divergence.finished()) continue;
    if (trap_waiting(state, *w)) return;
    if (stuck == nullptr) stuck = w;
    ++waiting;
  }
  WARPSIM_CHECK(stuck != nullptr);
  const Group& g = stuck->divergence.groups().front();
  const Message line = line_of(state.program, g.pc);
  trap(state, TrapKind::Deadlock, *stuck, g.pc, g.lanes,
       waiting == 1 ? Message(MessageId::OneWarpStuck, {stuck->block, stuck->index, line})
                    : Message(MessageId::WarpsStuck, {waiting, stuck->block, stuck->index, line}),
       MessageId::TrySeeWhereLanesStand);
}

}  // namespace warpsim
