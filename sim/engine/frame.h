// What machine code works on: one group of lanes of one warp, and where the memory lies that it may access by itself.
//
// Shapes: a Place for each instruction: the positions at which its access may begin are those that are below `limit`
//         when `first` is subtracted; there the bytes are, on the host, from `at` on. `limit` 0: nothing is known.
// Units:  bytes; issues.
// Errors: none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/event/lane_mask.h"

namespace warpsim::engine {

struct Place {
  std::uint64_t first = 0, limit = 0;
  std::byte* at = nullptr;  // of shared memory unused: Frame::shared
};

// More than these a place never has: offsets are 31 bits.
inline constexpr std::uint64_t kMostOfPlace = std::uint64_t{1} << 31;

// What a load of less than that reads all the same where its lanes' addresses are not neighbours: the place of such an
// instruction ends so early that it may.
inline constexpr unsigned kBytesOfGather = 4;

struct Frame {
  std::byte* registers = nullptr;
  std::byte* shared = nullptr;  // of the warp's block
  Place* places = nullptr;      // by pc
  std::uint64_t left = 0;       // issues that may still be made; during `access` of a watched instruction with it
  LaneMask lanes = 0;           // of the group
  LaneMask active = 0;          // of an instruction with a guard: those that execute
  std::int32_t below = 0;       // the group goes on alone below this pc
  std::int32_t pc = 0;          // where it begins, and then where it goes on
  // What the code has done to the group, if it has:
  LaneMask shed = 0;              // lanes that have left it for those who wait at `below`
  LaneMask apart = 0;             // it was left within a body: who waits at its end …
  std::int32_t branch = 0;        // … since this branch
  std::uint32_t passed_over = 0;  // some have waited so many issues at a body's end …
  std::uint64_t joined_at = 0;    // … where that many issues were left
  bool shares_memory = false;     // with other threads: atomics in global memory must be the host's, too
  // Makes the access of these lanes, if nothing is wrong with it, and sets the instruction's place if it has one. Also
  // executes votes and the like, if the lanes that need each other are there.
  bool (*access)(Frame& frame, std::int32_t pc, LaneMask active) = nullptr;
  void* machine = nullptr;  // for `access`
  alignas(64) std::uint32_t scratch[96] = {};
};

}  // namespace warpsim::engine
