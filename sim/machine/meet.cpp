// Where the lanes of a warp wait for each other: `*.sync` instructions and warp barriers.
//
// A lane executes a `.sync` instruction together with every living lane that its member mask names. Groups that come
// too early wait; a lane that has exited is not waited for. `bar.warp` may be met at different lines, a shuffle or a
// vote only at one.
#include "sim/machine/machine_impl.h"

namespace warpsim {

LaneMask Machine::Impl::member_mask(const Warp& warp, const DecodedInsn& d, unsigned lane) const {
  const LaneMask all = full_mask(code_.lanes);
  if (d.member_mask == kNoOffset) return all;
  const std::byte* r = warp.registers;
  return all &
         (code_.lanes > 32 ? row<std::uint64_t>(r, d.member_mask)[lane] : row<std::uint32_t>(r, d.member_mask)[lane]);
}

bool Machine::Impl::check_members(const Warp& warp, const DecodedInsn& d, LaneMask active) {
  LaneMask outside = 0, partial = 0;
  const bool collective = d.lift == Lift::Broadcast || d.lift == Lift::Reduce || d.lift == Lift::Scan;
  for_each_lane(active, [&](unsigned l) {
    const LaneMask members = member_mask(warp, d, l);
    if (!has_lane(members, l)) outside |= lane_bit(l);
    if (collective && (members & warp.alive) != warp.alive) partial |= lane_bit(l);
  });
  if (outside != 0) {
    trap(TrapKind::MemberMask, warp, d.pc, outside,
         "lanes " + lane_ranges(outside) + " execute with the member mask " +
             lane_mask_hex(member_mask(warp, d, first_lane(outside)), code_.lanes) + ", which does not name them",
         "a lane must be in its own member mask: name exactly the lanes that get here");
  } else if (partial != 0) {
    trap(TrapKind::PartialCollective, warp, d.pc, partial,
         "a collective needs every living lane (" + lane_ranges(warp.alive) + "), its member mask names " +
             lane_ranges(member_mask(warp, d, first_lane(partial)) & warp.alive),
         "leave the member mask out, or write the pattern with shuffles and a width");
  }
  return result_.ok;
}

// Whether every lane that some lane of `group` names stands in `lanes` with the same mask. One that stands there with
// another mask, without naming those, goes on first and may come again with theirs: a loop that some lanes are still in
// and others are in again. It is a mistake where they name each other, or where the stack has brought them together.
bool Machine::Impl::all_there(const Warp& warp, const Group& group, LaneMask lanes,
                              const std::vector<int>& candidates) {
  const DecodedInsn& d = code_.insns[static_cast<std::size_t>(group.pc)];
  bool there = true;
  for_each_lane(group.lanes & lanes, [&](unsigned l) {
    const LaneMask members = member_mask(warp, d, l);
    const LaneMask needed = members & warp.alive;
    if ((needed & ~lanes) != 0) {
      there = false;
      return;
    }
    if (d.member_mask == kNoOffset && candidates.size() == 1) return;
    for (int k : candidates) {
      const Group& other = warp.divergence.groups()[static_cast<std::size_t>(k)];
      const DecodedInsn& od = code_.insns[static_cast<std::size_t>(other.pc)];
      for_each_lane(other.lanes & needed & lanes, [&](unsigned m) {
        const LaneMask theirs = member_mask(warp, od, m);
        if (theirs == members || !result_.ok) return;
        if (&other == &group || has_lane(theirs, l)) trap_mismatch(warp, group.pc, lane_bit(l), lane_bit(m));
        else there = false;
      });
    }
  });
  return there && result_.ok;
}

// Lanes that merely happen to stand together, with different masks, ask each for their own: true if there were any.
bool Machine::Impl::part_by_masks(Warp& warp, int group, LaneMask active) {
  const Group& g = warp.divergence.groups()[static_cast<std::size_t>(group)];
  const DecodedInsn& d = code_.insns[static_cast<std::size_t>(g.pc)];
  if (config_.reconvergence == Reconvergence::Stack || d.member_mask == kNoOffset || g.released) return false;
  const LaneMask members = member_mask(warp, d, first_lane(active));
  LaneMask others = 0;
  for_each_lane(active, [&](unsigned l) { others |= member_mask(warp, d, l) != members ? lane_bit(l) : 0; });
  if (others != 0) warp.divergence.part(group, others);
  return others != 0;
}

bool Machine::Impl::meet(Warp& warp, int group, LaneMask active, LaneMask& together) {
  std::vector<Group>& groups = warp.divergence.groups();
  Group& g = groups[static_cast<std::size_t>(group)];
  const DecodedInsn& d = code_.insns[static_cast<std::size_t>(g.pc)];
  if (g.released) return true;
  if (!check_members(warp, d, active)) return false;

  // Everybody who waits at a fitting instruction, and then without those whose lanes are not all there.
  const bool barrier = d.lift == Lift::Barrier;
  std::vector<int> candidates;
  for (int k = 0; k < static_cast<int>(groups.size()); ++k) {
    const Group& other = groups[static_cast<std::size_t>(k)];
    const bool fits = other.state == Group::State::WaitsForLanes &&
                      (barrier ? code_.insns[static_cast<std::size_t>(other.pc)].op == d.op : other.pc == g.pc);
    if (k == group || fits) candidates.push_back(k);
  }
  LaneMask lanes = 0;
  for (bool changed = true; changed && !candidates.empty();) {
    changed = false;
    lanes = 0;
    for (int k : candidates) lanes |= k == group ? active : groups[static_cast<std::size_t>(k)].lanes;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (all_there(warp, groups[static_cast<std::size_t>(candidates[k])], lanes, candidates)) continue;
      if (!result_.ok) return false;
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(k));
      changed = true;
      break;
    }
  }
  bool ready = false;
  for (int k : candidates) ready = ready || k == group;
  if (!ready) {
    const LaneMask switched_off = g.lanes & ~active;
    g.state = Group::State::WaitsForLanes;
    if (switched_off != 0) warp.divergence.split_off(group, switched_off, g.pc + 1, joined_);
    return false;
  }
  if (barrier) {
    if (observed_) {
      Meeting& one = met_.emplace_back(Meeting{SyncEvent::Kind::Warp, false, {}});
      for (int k : candidates)
        one.arrivals.push_back({warp.index, groups[static_cast<std::size_t>(k)].pc,
                                k == group ? active : groups[static_cast<std::size_t>(k)].lanes});
    }
    // Each group passes at its own line and in its own turn.
    for (int k : candidates) {
      if (k == group) continue;
      groups[static_cast<std::size_t>(k)].state = Group::State::Ready;
      groups[static_cast<std::size_t>(k)].released = true;
    }
    return true;
  }
  meeting_ = candidates;
  together = lanes;
  return true;
}

void Machine::Impl::wake_waiting(Warp& warp) {
  for (Group& g : warp.divergence.groups()) {
    if (g.state == Group::State::WaitsForLanes) g.state = Group::State::Ready;  // to ask again
  }
}

}  // namespace warpsim
