// Groups that come too early wait; a lane that has exited is not waited for. Lanes may wait for each other at
// different lines of `bar.warp`, but only at one line of a shuffle or a vote. See convergence.h.
#include "sim/machine/convergence.h"

#include <algorithm>
#include <utility>

#include "sim/machine/traps.h"

namespace warpsim {

LaneMask member_mask(const Code& code, const Warp& warp, const DecodedInsn& d, unsigned lane) {
  const LaneMask all = full_mask(code.lanes);
  if (d.member_mask == kNoOffset) return all;
  const std::byte* r = warp.registers;
  return all &
         (code.lanes > 32 ? row<std::uint64_t>(r, d.member_mask)[lane] : row<std::uint32_t>(r, d.member_mask)[lane]);
}

bool Convergence::is_needed(const DecodedInsn& d) {
  switch (d.lift) {
    case Lift::Shuffle:
    case Lift::Vote:
    case Lift::Match:
    case Lift::Redux:
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan: return true;
    case Lift::Barrier: return d.op == Op::BarWarp;
    default: return false;
  }
}

bool Convergence::check_members(const Warp& warp, const DecodedInsn& d, LaneMask active) {
  LaneMask outside = 0, partial = 0;
  for_each_lane(active, [&](unsigned l) {
    const LaneMask members = member_mask(state_.code, warp, d, l);
    if (!has_lane(members, l)) outside |= lane_bit(l);
    if (is_collective(d.lift) && (members & warp.alive) != warp.alive) partial |= lane_bit(l);
  });
  if (outside != 0) {
    trap(state_, TrapKind::MemberMask, warp, d.pc, outside,
         {MessageId::LanesOutsideOwnMask,
          {lane_ranges(outside),
           lane_mask_hex(member_mask(state_.code, warp, d, first_lane(outside)), state_.code.lanes)}},
         MessageId::TryOwnMask);
  } else if (partial != 0) {
    trap(state_, TrapKind::PartialCollective, warp, d.pc, partial,
         {MessageId::CollectiveNeedsAll,
          {lane_ranges(warp.alive), lane_ranges(member_mask(state_.code, warp, d, first_lane(partial)) & warp.alive)}},
         MessageId::TryNoMemberMask);
  }
  return state_.result.ok;
}

// Whether every lane that some lane of `group` names stands in `lanes` with the same mask. One that stands there with
// another mask, without naming those, goes on first and may come again with theirs: a loop that some lanes are still in
// and others are in again. It is a mistake where they name each other, or where the stack has brought them together.
bool Convergence::all_there(const Warp& warp, const Group& group, LaneMask lanes, const std::vector<int>& candidates) {
  const DecodedInsn& d = state_.insn(group.pc);
  if (const LaneMask asked = group.lanes & lanes; candidates.size() == 1 && asked != 0) {  // mostly they name the same
    const LaneMask members = member_mask(state_.code, warp, d, first_lane(asked));
    bool are_same = true;
    for_each_lane(asked, [&](unsigned l) { are_same = are_same && member_mask(state_.code, warp, d, l) == members; });
    if (are_same) return (members & warp.alive & ~lanes) == 0 && state_.result.ok;
  }
  bool there = true;
  for_each_lane(group.lanes & lanes, [&](unsigned l) {
    const LaneMask members = member_mask(state_.code, warp, d, l);
    const LaneMask needed = members & warp.alive;
    if ((needed & ~lanes) != 0) {
      there = false;
      return;
    }
    if (d.member_mask == kNoOffset && candidates.size() == 1) return;
    for (int k : candidates) {
      const Group& other = warp.divergence.groups()[static_cast<std::size_t>(k)];
      const DecodedInsn& od = state_.insn(other.pc);
      for_each_lane(other.lanes & needed & lanes, [&](unsigned m) {
        const LaneMask theirs = member_mask(state_.code, warp, od, m);
        if (theirs == members || !state_.result.ok) return;
        if (&other == &group || has_lane(theirs, l)) trap_mismatch(state_, warp, group.pc, lane_bit(l), lane_bit(m));
        else there = false;
      });
    }
  });
  return there && state_.result.ok;
}

bool Convergence::separate_by_masks(Warp& warp, int group, LaneMask active) {
  const Group& g = warp.divergence.groups()[static_cast<std::size_t>(group)];
  const DecodedInsn& d = state_.insn(g.pc);
  if (state_.config.reconvergence == Reconvergence::Stack || d.member_mask == kNoOffset || g.released) return false;
  const LaneMask members = member_mask(state_.code, warp, d, first_lane(active));
  LaneMask others = 0;
  for_each_lane(active,
                [&](unsigned l) { others |= member_mask(state_.code, warp, d, l) != members ? lane_bit(l) : 0; });
  if (others != 0) warp.divergence.part(group, others);
  return others != 0;
}

// The group itself, and those that wait at a fitting instruction.
std::vector<int> Convergence::groups_at(const Warp& warp, int group) const {
  const std::vector<Group>& groups = warp.divergence.groups();
  const Group& g = groups[static_cast<std::size_t>(group)];
  const DecodedInsn& d = state_.insn(g.pc);
  std::vector<int> candidates;
  for (int k = 0; k < static_cast<int>(groups.size()); ++k) {
    const Group& other = groups[static_cast<std::size_t>(k)];
    const bool fits = other.state == Group::State::WaitsForLanes &&
                      (d.lift == Lift::Barrier ? state_.insn(other.pc).op == d.op : other.pc == g.pc);
    if (k == group || fits) candidates.push_back(k);
  }
  return candidates;
}

// Removes the groups some of whose named lanes are missing; returns the lanes of those that are left.
LaneMask Convergence::remove_incomplete(const Warp& warp, int group, LaneMask active, std::vector<int>& candidates) {
  const std::vector<Group>& groups = warp.divergence.groups();
  LaneMask lanes = 0;
  for (bool changed = true; changed && !candidates.empty();) {
    changed = false;
    lanes = 0;
    for (int k : candidates) lanes |= k == group ? active : groups[static_cast<std::size_t>(k)].lanes;
    for (std::size_t k = 0; k < candidates.size(); ++k) {
      if (all_there(warp, groups[static_cast<std::size_t>(candidates[k])], lanes, candidates)) continue;
      if (!state_.result.ok) return 0;
      candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(k));
      changed = true;
      break;
    }
  }
  return lanes;
}

bool Convergence::try_converge(Warp& warp, int group, LaneMask active, LaneMask& together) {
  Group& g = warp.divergence.groups()[static_cast<std::size_t>(group)];
  const DecodedInsn& d = state_.insn(g.pc);
  if (g.released) return true;
  if (!check_members(warp, d, active)) return false;
  std::vector<int> candidates = groups_at(warp, group);
  const LaneMask lanes = remove_incomplete(warp, group, active, candidates);
  if (!state_.result.ok) return false;
  if (std::find(candidates.begin(), candidates.end(), group) == candidates.end()) {
    const LaneMask switched_off = g.lanes & ~active;
    g.state = Group::State::WaitsForLanes;
    if (switched_off != 0) warp.divergence.split_off(group, switched_off, g.pc + 1, gathering_.joined);
    return false;
  }
  if (d.lift == Lift::Barrier) {
    open_warp_barrier(warp, group, active, candidates);
    return true;
  }
  gathering_.groups = std::move(candidates);
  together = lanes;
  return true;
}

// Each group passes at its own line and in its own turn.
void Convergence::open_warp_barrier(Warp& warp, int group, LaneMask active, const std::vector<int>& which) {
  std::vector<Group>& groups = warp.divergence.groups();
  if (gathering_.is_observed) {
    Gathering::Barrier& one = gathering_.barriers.emplace_back(Gathering::Barrier{SyncEvent::Kind::Warp, false, {}});
    for (int k : which)
      one.arrivals.push_back({warp.index, groups[static_cast<std::size_t>(k)].pc,
                              k == group ? active : groups[static_cast<std::size_t>(k)].lanes});
  }
  for (int k : which) {
    if (k == group) continue;
    groups[static_cast<std::size_t>(k)].state = Group::State::Ready;
    groups[static_cast<std::size_t>(k)].released = true;
  }
}

void Convergence::retry_waiting(Warp& warp) {
  for (Group& g : warp.divergence.groups()) {
    if (g.state == Group::State::WaitsForLanes) g.state = Group::State::Ready;
  }
}

}  // namespace warpsim
