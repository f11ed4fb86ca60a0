// Calls, returns and branches of each lane to a place of its own.
//
// Shapes: lanes of a group that go to different places become a group for each. A call pushes a frame on each lane's
//         stack (lane_stack.h), a return pops it.
// Units:  pcs count instructions; frames bytes.
// Errors: traps: no room for a frame, an address that is no function's, an index that the table does not have.
// Source: PTX ISA 9.0, 9.7.12 "Control Flow Instructions".
#pragma once

#include <vector>

#include "sim/machine/launch_state.h"
#include "sim/machine/observation.h"

namespace warpsim {

class Calls {
 public:
  Calls(LaunchState& state, Gathering& gathering) : state_(state), gathering_(gathering) {}

  // Where the active lanes go on, the frames of calls and returns pushed and popped.
  struct Path {
    std::int32_t pc = 0;
    LaneMask lanes = 0;
  };
  // Nothing after a trap.
  std::vector<Path> paths(Warp& warp, const DecodedInsn& d, LaneMask active);
  // The group's lanes take those paths, the others go on to the next instruction.
  void diverge(Warp& warp, int group, std::int32_t pc, LaneMask active, const std::vector<Path>& paths);

 private:
  std::vector<Path> call(Warp& warp, const DecodedInsn& d, LaneMask active);
  std::vector<Path> come_back(Warp& warp, LaneMask active);
  std::vector<Path> dispatch(Warp& warp, const DecodedInsn& d, LaneMask active);
  const Routine* called(const Warp& warp, const DecodedInsn& d, unsigned lane) const;
  void push(Warp& warp, const Routine& from, const Routine& to, std::int32_t back, unsigned lane);

  LaunchState& state_;
  Gathering& gathering_;
};

// Where the frame of this routine ends, with what it writes for the next one.
inline std::uint64_t end_of_frame(const Routine& routine, std::uint64_t frame) {
  return frame + (routine.outgoing_bytes == 0 ? routine.frame_bytes : routine.next_frame() + routine.outgoing_bytes);
}

}  // namespace warpsim
