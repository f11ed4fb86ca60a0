// What stops a run: a trap says which lanes, where each one is, why it is wrong and what to try.
//
// Shapes: the first trap of a run stands in the launch's result; later ones change nothing.
// Units:  cycles from 1.
// Errors: none of their own.
#pragma once

#include <vector>

#include "isa/text/message.h"
#include "sim/machine/launch_state.h"

namespace warpsim {

struct MemoryAccess;  // memory_unit.h

void trap(LaunchState& state, TrapKind kind, const Warp& warp, std::int32_t pc, LaneMask lanes, Message message,
          Message hint);
void trap_access(LaunchState& state, TrapKind kind, const Warp& warp, const DecodedInsn& d, LaneMask faulty,
                 const MemoryAccess& access);
// A lane arrives so often at an mbarrier whose phase lacks fewer arrivals; 0: it is no barrier.
void trap_mbarrier(LaunchState& state, const Warp& warp, const DecodedInsn& d, unsigned lane, std::uint64_t arrivals,
                   std::uint64_t missing, const MemoryAccess& access);
void trap_mismatch(LaunchState& state, const Warp& warp, std::int32_t pc, LaneMask lanes, LaneMask other_lanes);
// At `trap`, which also stands where an instruction is that warpsim does not execute.
void trap_program(LaunchState& state, const Warp& warp, std::int32_t pc, LaneMask lanes);
void trap_cycle_limit(LaunchState& state, const Warp& warp);
// None if all have ended.
void trap_interrupted(LaunchState& state);
// Nothing can ever run again (deadlock.cpp): what kind of mistake that is.
void trap_deadlock(LaunchState& state);

// Where the lanes of a warp stand, and what they wait for.
void add_places(const LaunchState& state, const Warp& warp, std::vector<LanePlace>& places);
Message line_of(const Program& program, std::int32_t pc);  // "line 4 (shfl.bfly)"

}  // namespace warpsim
