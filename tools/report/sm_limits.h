// What a profile's SM allows a launch: how many of its blocks fit at once and what keeps more of them out, and how many
// instructions a cycle its issue slots and its way to global memory let through at most (a roofline).
//
// Shapes: all of one SM.
// Units:  warps, blocks, bytes; warp instructions a cycle, lines of global memory a cycle.
// Errors: nothing where the trace's head does not say how much shared memory a block has: its kernel has dynamic one.
// Source: the roofs are those of Ding and Williams, "An Instruction Roofline Model for GPUs" (PMBS 2019), with the
//         model's lines for their transactions. The profile has no bandwidth of L2 and DRAM, so there is no roof of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/launch/residency.h"
#include "sim/statistics/statistics.h"
#include "sim/timing/profile.h"
#include "traces/model/trace.h"

namespace warpsim::tools {

struct SmLimits {
  BlockNeeds block;  // its registers are not counted, since timed runs do not
  DeviceLimits device;
  std::uint32_t blocks = 0;     // that fit at once
  std::string_view limited_by;  // "warps", "shared memory", "blocks"
};
std::optional<SmLimits> sm_limits(const TraceHead& head, const TimingProfile& profile);

struct SmRoofs {
  // No sub-core issues more than one instruction a cycle. 0: the profile has instructions that issue beside others.
  double issue = 0;
  // What the pipes of accesses to global memory take, by the fastest of their classes. 0: the profile gives them none.
  double lines = 0;
};
SmRoofs sm_roofs(const TimingProfile& profile);

// Of an SM that had a warp, on average.
double instructions_a_cycle(const Statistics& statistics);
double warps_at_once(const Statistics& statistics);
// Instructions for each line of global and local memory that they asked for; 0: they asked for none.
double instructions_a_line(const Statistics& statistics);

double ratio(std::uint64_t of, std::uint64_t whole);  // 0 where the whole is 0
std::string decimals(double value, int digits);

}  // namespace warpsim::tools
