// Where the lanes of a warp wait for each other: `*.sync` instructions and warp barriers.
//
// Shapes: a group is named by its index in the warp's Divergence. What converges is noted in a Gathering: the groups
//         that execute the instruction, the lanes that reconverge after it, the warp barriers that open.
// Units:  none.
// Errors: a trap in the launch's result: a lane outside its own mask, masks that differ, a collective without
//         some living lane.
// Source: PTX ISA 9.0, "shfl.sync", "vote.sync", "bar.warp.sync"; sim/README.md, "Convergence".
#pragma once

#include <vector>

#include "sim/machine/launch_state.h"
#include "sim/machine/observation.h"

namespace warpsim {

class Convergence {
 public:
  Convergence(LaunchState& state, Gathering& gathering) : state_(state), gathering_(gathering) {}

  // Whether an instruction is one that lanes execute only together with those that their member mask names.
  static bool is_needed(const DecodedInsn& d);
  // True if the lanes may execute now: `together` gets the lanes of all groups that do, and the gathering those groups.
  // False if the group must wait, or on a trap.
  bool try_converge(Warp& warp, int group, LaneMask active, LaneMask& together);
  // Independent lanes that merely stand at one pc, with different masks, become groups of their own: true if any do.
  bool separate_by_masks(Warp& warp, int group, LaneMask active);
  // Some lane has exited: those that wait for it try again.
  static void retry_waiting(Warp& warp);

 private:
  bool check_members(const Warp& warp, const DecodedInsn& d, LaneMask active);
  bool all_there(const Warp& warp, const Group& group, LaneMask lanes, const std::vector<int>& candidates);
  std::vector<int> groups_at(const Warp& warp, int group) const;
  LaneMask remove_incomplete(const Warp& warp, int group, LaneMask active, std::vector<int>& candidates);
  void open_warp_barrier(Warp& warp, int group, LaneMask active, const std::vector<int>& groups);

  LaunchState& state_;
  Gathering& gathering_;
};

}  // namespace warpsim
