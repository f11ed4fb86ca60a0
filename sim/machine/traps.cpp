// See traps.h. What a trap of memory says stands in traps_memory.cpp.
#include "sim/machine/traps.h"

#include <algorithm>

#include "isa/table/op.h"

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
    case TrapKind::NoFunction: return "no-function";
    case TrapKind::StackOverflow: return "stack-overflow";
    case TrapKind::Trap: return "trap";
    case TrapKind::Unsupported: return "unsupported";
    case TrapKind::Livelock: return "livelock";
    case TrapKind::Interrupted: return "interrupted";
    case TrapKind::NoMemory: return "no-memory";
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
    case TrapKind::NoFunction: return Finding::NoFunction;
    case TrapKind::StackOverflow: return Finding::StackOverflow;
    case TrapKind::Trap: return Finding::ProgramTrap;
    case TrapKind::Unsupported: return Finding::Unsupported;
    case TrapKind::Livelock: return Finding::Livelock;
    case TrapKind::Interrupted: return Finding::Interrupted;
    case TrapKind::NoMemory: return Finding::NoMemory;
  }
  return Finding::Deadlock;
}

void trap(LaunchState& state, TrapKind kind, const Warp& warp, std::int32_t pc, LaneMask lanes, Message message,
          Message hint) {
  if (!state.result.ok) return;
  state.result.ok = false;
  state.result.trap = Trap{kind,  finding_of(kind),   warp.cycle,      warp.block, warp.index, pc,
                           lanes, std::move(message), std::move(hint), 0,          {}};
  const bool everywhere = kind == TrapKind::Deadlock || kind == TrapKind::Livelock || kind == TrapKind::Interrupted;
  if (const std::uint64_t waiting = state.blocks_waiting();
      waiting != 0 && (everywhere || kind == TrapKind::CycleLimit)) {
    Message& what = state.result.trap.message;
    const std::size_t room = state.room();
    what = waiting == 1 ? Message(MessageId::OneBlockNotBegun, {std::move(what), room})
                        : Message(MessageId::BlocksNotBegun, {std::move(what), waiting, room});
  }
  // Where the warps issue one by one, none has run ahead of the limit.
  const bool one_by_one = state.config.timing || state.config.schedule == kBlocksSchedule;
  if (everywhere || (kind == TrapKind::CycleLimit && one_by_one)) {
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

void trap_program(LaunchState& state, const Warp& warp, std::int32_t pc, LaneMask lanes) {
  const std::vector<Unsupported>& all = state.program.unsupported;
  const auto found = std::find_if(all.begin(), all.end(), [pc](const Unsupported& one) { return one.pc == pc; });
  if (found == all.end())
    return trap(state, TrapKind::Trap, warp, pc, lanes,
                {count_lanes(lanes) == 1 ? MessageId::ExecutesTrap : MessageId::ExecuteTrap, {lanes_named(lanes)}},
                MessageId::HintProgramTrap);
  trap(state, TrapKind::Unsupported, warp, pc, lanes, {MessageId::ExecutesUnsupported, {found->text, found->because}},
       MessageId::HintUnsupported);
}

void trap_cycle_limit(LaunchState& state, const Warp& warp) {
  const int group = std::max(warp.divergence.next_ready(), 0);
  const Group& g = warp.divergence.groups()[static_cast<std::size_t>(group)];
  if (const EarlyEnd* const end = state.early_end)
    return trap(state, end->kind, warp, g.pc, g.lanes, end->message, end->hint);
  trap(state, TrapKind::CycleLimit, warp, g.pc, g.lanes, {MessageId::StillRunning, {state.config.max_cycles}},
       state.config.timing ? MessageId::TryLockstep : MessageId::TryMaxCycles);
}

void trap_interrupted(LaunchState& state) {
  for (const Warp* w : state.in_order()) {
    if (w->divergence.finished()) continue;
    const int group = std::max(w->divergence.next_ready(), 0);
    const Group& g = w->divergence.groups()[static_cast<std::size_t>(group)];
    return trap(state, TrapKind::Interrupted, *w, g.pc, g.lanes, {MessageId::StoppedFromOutside, {state.result.cycles}},
                MessageId::HintInterrupted);
  }
}

// ---- where the lanes of a warp stand, and what they wait for, in words

bool stand_at_one_barrier(const Code& code, const Group& x, const Group& y) {
  const auto op = [&code](const Group& g) { return code.insns[static_cast<std::size_t>(g.pc)].op; };
  return x.state == Group::State::WaitsForBlock && y.state == Group::State::WaitsForBlock && x.barrier == y.barrier &&
         op(x) == op(y);
}

Message line_of(const Program& program, std::int32_t pc) {
  if (pc < 0 || pc >= static_cast<std::int32_t>(program.code.size())) return MessageId::TheEnd;
  const Insn& insn = program.code[static_cast<std::size_t>(pc)];
  return {MessageId::LineWithOp, {program.line(pc), info(insn.op).mnemonic}};
}

namespace {

Message what_it_waits_for(const LaunchState& state, const Warp& warp, const Group& g) {
  if (g.pc < 0 || g.pc >= static_cast<std::int32_t>(state.code.insns.size())) return {};
  const DecodedInsn& d = state.insn(g.pc);
  if (g.state == Group::State::WaitsForLanes) {
    LaneMask needed = 0;
    for_each_lane(g.lanes, [&](unsigned l) { needed |= member_mask(state.code, warp, d, l); });
    return {MessageId::WaitsForMembers,
            {lanes_named(needed & warp.alive & ~g.lanes), lane_mask_hex(needed, state.code.lanes)}};
  }
  if (g.state == Group::State::WaitsForBlock) {
    std::uint64_t arrived = 0;
    for (const Warp& one : state.block_of(warp)) {
      for (const Group& other : one.divergence.groups()) {
        if (stand_at_one_barrier(state.code, other, g)) arrived += count_lanes(other.lanes);
      }
    }
    arrived += state.arrivals_at(warp.block, g) * state.code.lanes;
    const std::uint64_t all = g.barrier_count == 0 ? state.config.block.count() : g.barrier_count;
    return {arrived == 1 ? MessageId::WaitsAtBarrierOne : MessageId::WaitsAtBarrier, {g.barrier, arrived, all}};
  }
  return {};
}

}  // namespace

void add_places(const LaunchState& state, const Warp& warp, std::vector<LanePlace>& places) {
  // By lane: which group is the first depends on how they were executed.
  std::vector<Group> groups = warp.divergence.groups();
  std::sort(groups.begin(), groups.end(),
            [](const Group& a, const Group& b) { return first_lane(a.lanes) < first_lane(b.lanes); });
  for (const Group& g : groups)
    places.push_back({warp.block, warp.index, g.lanes, g.pc, what_it_waits_for(state, warp, g)});
  for (const Frame& f : warp.divergence.frames()) {
    if (f.arrived == 0) continue;
    places.push_back({warp.block,
                      warp.index,
                      f.arrived,
                      f.reconvergence,
                      {MessageId::WaitsToConverge, {lanes_named(f.lanes & ~f.arrived)}}});
  }
  if (const LaneMask exited = warp.existing & ~warp.alive; exited != 0)
    places.push_back({warp.block, warp.index, exited, -1, {}});
}

}  // namespace warpsim
