// Where the lanes of a warp stand, and what they wait for, in words. See traps.h.
#include "isa/table/op.h"
#include "sim/machine/traps.h"

namespace warpsim {

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
  for (const Group& g : warp.divergence.groups()) {
    places.push_back({warp.block, warp.index, g.lanes, g.pc, what_it_waits_for(state, warp, g)});
  }
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
