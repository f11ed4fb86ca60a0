// See traps.h. What a trap of memory says stands in traps_memory.cpp.
#include "sim/machine/traps.h"

#include <algorithm>

namespace warpsim {
std::string_view name(TrapKind kind) {
  switch (kind) {
    case TrapKind::OutOfBounds: return "out-of-bounds";
    case TrapKind::Misaligned: return "misaligned";
    case TrapKind::ReadOnly: return "read-only";
    case TrapKind::MemberMask: return "member-mask";
    case TrapKind::PartialCollective: return "partial-collective";
    case TrapKind::ShuffleMismatch: return "shuffle-mismatch";
    case TrapKind::Deadlock: return "deadlock";
    case TrapKind::CycleLimit: return "cycle-limit";
    case TrapKind::FellOffTheEnd: return "fell-off-the-end";
    case TrapKind::Mbarrier: return "mbarrier";
    case TrapKind::Livelock: return "livelock";
    case TrapKind::ProgramTrap: return "program-trap";
  }
  return "";
}

Finding finding_of(TrapKind kind) {
  switch (kind) {
    case TrapKind::OutOfBounds: return Finding::OutOfBounds;
    case TrapKind::Misaligned: return Finding::Misaligned;
    case TrapKind::ReadOnly: return Finding::ReadOnly;
    case TrapKind::MemberMask: return Finding::NotInOwnMask;
    case TrapKind::PartialCollective: return Finding::PartialCollective;
    case TrapKind::ShuffleMismatch: return Finding::DifferentMasks;
    case TrapKind::Deadlock: break;
    case TrapKind::CycleLimit: return Finding::CycleLimit;
    case TrapKind::FellOffTheEnd: return Finding::FellOffTheEnd;
    case TrapKind::Mbarrier: return Finding::MbarrierArrivals;
    case TrapKind::Livelock: return Finding::Livelock;
    case TrapKind::ProgramTrap: return Finding::ProgramTrap;
  }
  return Finding::Deadlock;
}

void trap(LaunchState& state, TrapKind kind, const Warp& warp, std::int32_t pc, LaneMask lanes, Message message,
          Message hint) {
  if (!state.result.ok) return;
  state.result.ok = false;
  state.result.trap = Trap{kind,  finding_of(kind),   warp.cycle,      warp.block, warp.index, pc,
                           lanes, std::move(message), std::move(hint), {}};
  if (const std::uint64_t waiting = state.blocks_waiting();
      waiting != 0 && (kind == TrapKind::Deadlock || kind == TrapKind::Livelock || kind == TrapKind::CycleLimit)) {
    Message& what = state.result.trap.message;
    const std::size_t room = state.warps.size() / state.warps_per_block;
    what = waiting == 1 ? Message(MessageId::OneBlockNotBegun, {std::move(what), room})
                        : Message(MessageId::BlocksNotBegun, {std::move(what), waiting, room});
  }
  const bool everywhere = kind == TrapKind::Deadlock || kind == TrapKind::Livelock;
  if (everywhere) {
    for (const Warp* w : state.in_order()) add_places(state, *w, state.result.trap.places);
  } else {
    add_places(state, warp, state.result.trap.places);
  }
  // Warps that ran ahead of this point (run_ahead) have issued what, in order, comes after the trap: it does not count.
  // Of a block that has given up its slot nothing came after it: no warp runs ahead through its own exit.
  state.result.cycles = state.last_issue_gone;
  for (const Warp& w : state.warps) {
    const std::uint64_t last = everywhere ? w.last_issue : w.order < warp.order ? warp.cycle : warp.cycle - 1;
    if (w.last_issue > last) state.result.instructions -= w.last_issue - last;
    state.result.cycles = std::max(state.result.cycles, std::min(w.last_issue, last));
  }
  // In a timed run nobody need have issued just before it.
  if (state.config.timing && !everywhere) state.result.cycles = std::max(state.result.cycles, warp.cycle - 1);
}

void trap_mismatch(LaunchState& state, const Warp& warp, std::int32_t pc, LaneMask lanes, LaneMask other_lanes) {
  const DecodedInsn& d = state.insn(pc);
  const unsigned a = first_lane(lanes), b = first_lane(other_lanes);
  trap(state, TrapKind::ShuffleMismatch, warp, pc, lanes | other_lanes,
       {MessageId::MasksDiffer,
        {a, b, lane_mask_hex(member_mask(state.code, warp, d, a), state.code.lanes),
         lane_mask_hex(member_mask(state.code, warp, d, b), state.code.lanes)}},
       MessageId::TrySameMask);
}

void trap_cycle_limit(LaunchState& state, const Warp& warp) {
  const int group = std::max(warp.divergence.next_ready(), 0);
  const Group& g = warp.divergence.groups()[static_cast<std::size_t>(group)];
  Message message(MessageId::StillRunning, {state.config.max_cycles});
  Message hint = state.config.timing ? MessageId::TryLockstep : MessageId::TryMaxCycles;
  if (state.early_end != nullptr) message = state.early_end->message, hint = state.early_end->hint;
  trap(state, TrapKind::CycleLimit, warp, g.pc, g.lanes, std::move(message), std::move(hint));
}

}  // namespace warpsim
