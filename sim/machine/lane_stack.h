// The stacks of a warp's lanes: the frames of local memory that calls have put one behind another, and where each call
// comes back to.
//
// Shapes: the lanes' bytes lie one lane after another, `stride` each. Hardware interleaves them by words of four bytes:
//         interleaved_address() of sim/memory/coalescing.h says so to whoever counts sectors.
// Units:  bytes, from the start of a lane's local memory.
// Errors: none here: calls.cpp refuses a call beyond the limits.
// Source: CUDA C++ Programming Guide, "Local Memory" (how it is interleaved) and "Technical Specifications" (512 KB a
//         thread). How deep calls may nest is this simulator's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpsim {

inline constexpr std::size_t kMostCalls = 4096;

struct CallFrame {
  std::int32_t back = 0;             // the pc to come back to
  std::uint64_t frame = 0, end = 0;  // of the caller
  std::vector<std::uint64_t> kept;   // the caller's registers (Routine::kept)
  bool operator==(const CallFrame&) const = default;
};

struct LaneStack {
  std::uint64_t frame = 0;  // where the frame of the routine begins that the lane is in
  std::uint64_t end = 0;    // … and where what it may touch ends: its frame and what it writes for the next
  std::vector<CallFrame> calls;
  bool operator==(const LaneStack&) const = default;
};

struct LocalMemory {
  std::vector<LaneStack> stacks;  // by lane; empty if the program has no routines
  std::vector<std::byte> bytes;
  std::uint64_t stride = 0;

  void reset(unsigned lanes, std::uint64_t end) {
    stacks.resize(lanes);
    for (LaneStack& one : stacks) {
      one.frame = 0;
      one.end = end;
      one.calls.clear();
    }
    stride = 0;
    bytes.clear();
    make_room(end);
  }
  void make_room(std::uint64_t end);
  bool operator==(const LocalMemory&) const = default;
  std::byte* of_lane(unsigned lane) { return bytes.data() + lane * stride; }
};

}  // namespace warpsim
