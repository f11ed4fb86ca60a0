// Values that cross lanes: shuffles and what is made of them, votes, matches, reductions.
//
// Shapes: arrays by lane. Inactive lanes' registers are not read, unless a shuffle names them.
// Units:  none.
// Errors: none: who must take part has been settled (convergence.h).
// Source: PTX ISA 9.0, "shfl.sync", "vote.sync", "match.sync", "redux.sync"; shuffle_network.h.
#pragma once

#include "sim/machine/launch_state.h"

namespace warpsim {

// Where each lane's value came from.
struct Exchange {
  std::uint8_t from[kMaxLanes] = {};
  LaneMask in_range = 0, undefined = 0;
};

void execute_exchange(const LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active, Exchange& exchange);
// Whether each of these lanes of a shuffle takes its value from one of them, or keeps its own.
bool finds_all_sources(const LaunchState& state, const Warp& warp, const DecodedInsn& d, LaneMask active);
void execute_vote(const LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active);
// How many different values the lanes of a match hold, before it executes.
unsigned count_different_values(const Warp& warp, const DecodedInsn& d, LaneMask active);
void execute_match(const LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active);
void execute_redux(const LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active);
// bar.red, once the barrier is open: the group's result.
void execute_reduction(Warp& warp, int group, const DecodedInsn& d, LaneMask active);

}  // namespace warpsim
