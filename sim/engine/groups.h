// Where the lanes of a warp go in machine code: groups diverge, wait and join, as Divergence (sim/machine) has it for
// independent lanes: the group at the lowest pc goes on, and those that are ready at one pc are one group.
//
// Shapes: diverge() and arrive() say where the code of the group that goes on begins; null: there is none, and
//         Frame::pc is where the group stands.
// Units:  pcs; issues, of Frame::left.
// Errors: none.
#pragma once

#include "sim/engine/frame.h"

namespace warpsim::engine {

// Nobody waits.
void forget_waiting(Frame& frame);
inline std::int32_t lowest_pc(const Frame& frame) { return frame.waiting.pc[frame.waiting.lowest]; }
// One more group, with whoever waits at its pc; Frame::below is the caller's.
void wait(Frame& frame, std::int32_t pc, LaneMask lanes, std::uint64_t since);
// The group has issued the branch at `pc`, which these lanes take.
const std::byte* diverge(Frame& frame, std::int32_t pc, std::int32_t target, LaneMask taken);
// The group has come to `pc`, where others wait, or where it is no longer the lowest.
const std::byte* arrive(Frame& frame, std::int32_t pc);
// For how many issues the group has been passed over.
std::uint32_t passed_over(const Frame& frame);

}  // namespace warpsim::engine
