// Nothing can ever run again: what kind of mistake that is, and whose.
//
// Of each warp that is stuck the lanes that wait at its lowest pc are asked first: the others are behind them, where
// they could only come without them. The first warp that gives a reason gives the trap's; without any it is a deadlock
// of warps that wait for each other.
#include <algorithm>

#include "isa/text/check.h"
#include "isa/text/number_text.h"
#include "sim/machine/machine_impl.h"

namespace warpsim {

LanePlace Machine::Impl::place_of(const Warp& warp, LaneMask lanes) const {
  std::vector<LanePlace> places;
  add_places(warp, places);
  for (const LanePlace& place : places) {
    if (place.pc >= 0 && (place.lanes & lanes) != 0) return place;
  }
  return {};
}

// Some lanes of a warp wait at a block barrier, others that live are elsewhere.
bool Machine::Impl::trap_divergent_barrier(const Warp& warp, const Group& group) {
  LaneMask there = 0;
  for (const Group& g : warp.divergence.groups()) {
    if (stand_at_one_barrier(g, group)) there |= g.lanes;
  }
  const LaneMask elsewhere = warp.alive & ~there;
  if (elsewhere == 0) return false;
  const LanePlace place = place_of(warp, elsewhere);
  trap(TrapKind::Deadlock, warp, group.pc, there,
       lanes_in_words(there) + (count_lanes(there) == 1 ? " waits at " : " wait at ") + line_of(group.pc) + ", " +
           lanes_in_words(place.lanes & elsewhere) + " of the warp " +
           (place.pc > group.pc ? "went past it, to " : "never came: they are at ") + line_of(place.pc),
       "move the barrier behind the branch, where all lanes come");
  result_.trap.code = Finding::DivergentBarrier;
  return true;
}

// A barrier with a count that the threads cannot fill.
bool Machine::Impl::trap_barrier_count(const Warp& warp, const Group& group) {
  if (group.barrier_count == 0) return false;
  std::uint64_t living = 0;
  const std::size_t first = std::size_t{warp.block} * warps_per_block_;
  for (std::size_t j = first; j < first + warps_per_block_; ++j) living += warps_[j].alive != 0 ? code_.lanes : 0;
  const std::uint64_t all = std::uint64_t{warps_per_block_} * code_.lanes;
  const bool ragged = group.barrier_count % code_.lanes != 0;
  if (!ragged && living >= group.barrier_count) return false;
  const std::string counts =
      "the barrier of " + line_of(group.pc) + " counts " + counted(group.barrier_count, "thread") + ", ";
  if (ragged || all < group.barrier_count) {
    trap(TrapKind::Deadlock, warp, group.pc, group.lanes,
         counts + (ragged ? "which is no multiple of the warp's " + counted(code_.lanes, "lane")
                          : "the block has only " + std::to_string(all)),
         "leave the count out, or give a multiple of `WARP_SZ` that the block has");
    result_.trap.code = Finding::BarrierCount;
    return true;
  }
  trap(TrapKind::Deadlock, warp, group.pc, group.lanes,
       counts + "only " + std::to_string(living) + " are left: the others have exited",
       "leave the count out, or keep the threads until then");
  result_.trap.code = Finding::BarrierStarved;
  return true;
}

// A `.sync` waits for a named lane that stands elsewhere.
bool Machine::Impl::trap_named_lane(const Warp& warp, const Group& group) {
  const DecodedInsn& d = code_.insns[static_cast<std::size_t>(group.pc)];
  LaneMask named = 0, there = 0;
  for_each_lane(group.lanes, [&](unsigned l) { named |= member_mask(warp, d, l); });
  for (const Group& g : warp.divergence.groups()) {
    const bool fits =
        d.lift == Lift::Barrier ? code_.insns[static_cast<std::size_t>(g.pc)].op == d.op : g.pc == group.pc;
    if (g.state == Group::State::WaitsForLanes && fits) there |= g.lanes;
  }
  const LaneMask missing = named & warp.alive & ~there;
  if (missing == 0) return false;
  const LanePlace place = place_of(warp, missing);
  trap(TrapKind::Deadlock, warp, group.pc, group.lanes,
       lanes_in_words(group.lanes) + (count_lanes(group.lanes) == 1 ? " waits at " : " wait at ") + line_of(group.pc) +
           " for " + lanes_in_words(missing) + " of the member mask, but " + lanes_in_words(place.lanes & missing) +
           (count_lanes(place.lanes & missing) == 1 ? " is at " : " are at ") + line_of(place.pc),
       "name only the lanes that get here, or bring the others");
  result_.trap.code = Finding::NamedLaneNeverCame;
  return true;
}

// Lanes at two different shuffles, each naming the other.
bool Machine::Impl::trap_crossed_shuffles(const Warp& stuck) {
  const std::vector<Group>& groups = stuck.divergence.groups();
  for (const Group& x : groups) {
    for (const Group& y : groups) {
      if (x.state != Group::State::WaitsForLanes || y.state != Group::State::WaitsForLanes || x.pc >= y.pc) continue;
      const DecodedInsn& dx = code_.insns[static_cast<std::size_t>(x.pc)];
      if (dx.lift == Lift::Barrier && code_.insns[static_cast<std::size_t>(y.pc)].lift == Lift::Barrier) continue;
      if ((member_mask(stuck, dx, first_lane(x.lanes)) & y.lanes) == 0) continue;
      trap(TrapKind::ShuffleMismatch, stuck, x.pc, x.lanes | y.lanes,
           lanes_in_words(x.lanes) + " wait at " + line_of(x.pc) + " and " + lanes_in_words(y.lanes) + " at " +
               line_of(y.pc) + " for each other",
           "lanes of one member mask must execute the same instruction: move it out of the branch, or name only the "
           "lanes that get there");
      return true;
    }
  }
  return false;
}

bool Machine::Impl::trap_waiting(const Warp& warp) {
  const std::vector<Group>& groups = warp.divergence.groups();
  const auto lowest =
      std::min_element(groups.begin(), groups.end(), [](const Group& x, const Group& y) { return x.pc < y.pc; });
  if (lowest == groups.end()) return false;
  if (trap_crossed_shuffles(warp)) return true;
  if (lowest->state == Group::State::WaitsForLanes) return trap_named_lane(warp, *lowest);
  if (lowest->state != Group::State::WaitsForBlock) return false;
  return trap_divergent_barrier(warp, *lowest) || trap_barrier_count(warp, *lowest);
}

void Machine::Impl::trap_deadlock() {
  const Warp* stuck = nullptr;
  std::uint64_t waiting = 0;
  for (const Warp& w : warps_) {
    if (w.divergence.finished()) continue;
    if (trap_waiting(w)) return;
    if (stuck == nullptr) stuck = &w;
    ++waiting;
  }
  WARPSIM_CHECK(stuck != nullptr);
  const Group& g = stuck->divergence.groups().front();
  trap(TrapKind::Deadlock, *stuck, g.pc, g.lanes,
       "nothing can ever run again: " + counted(waiting, "warp") + (waiting == 1 ? " waits" : " wait") +
           ", the first in block " + std::to_string(stuck->block) + ", warp " + std::to_string(stuck->index) + " at " +
           line_of(g.pc),
       "every lane that is named must get there: see where each one stands");
}

}  // namespace warpsim
