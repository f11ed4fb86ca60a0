// What a kernel asks the device to do once its grid has ended: grids, copies and fills, in the order in which they were
// asked for.
//
// Shapes: a grid that is asked for in a block's own stream, in one that it made or in the fire-and-forget stream waits
//         in one line; what is asked for in the tail-launch stream waits behind all of that. What a grid asks for comes
//         before what waits behind the grid: so a grid is over when all that it asked for is.
// Units:  bytes.
// Errors: as CUDA's error codes, which calls return to the kernel.
// Source: CUDA C++ Programming Guide 13.0, "CUDA Dynamic Parallelism": execution environment, streams, limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "isa/cases/case.h"

namespace warpsim {

// cudaError_t: those that the device runtime gives.
enum class RuntimeError : std::uint32_t {
  Success = 0,
  InvalidValue = 1,
  MemoryAllocation = 2,
  InvalidConfiguration = 9,
  MaxDepthExceeded = 65,
  PendingCountExceeded = 69,
  InvalidDeviceFunction = 98,
  InvalidResourceHandle = 400,
};

struct DeviceWork {
  enum class Kind : std::uint8_t { Grid, Copy, Fill } kind = Kind::Grid;
  // Grid
  std::int32_t kernel = -1;  // index into Program::routines
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;
  std::vector<std::byte> passed;  // its parameters
  unsigned depth = 0;             // of nesting; the host's grid has 0
  // Copy and Fill
  std::uint64_t to = 0, from = 0, bytes = 0;
  std::byte value{};
  // Which instruction asked for it, in the grid that the host has launched.
  std::uint64_t cycle = 0;
  std::uint32_t by_block = 0, by_warp = 0;
  std::int32_t by_pc = -1;
  unsigned by_lane = 0;
};

struct DeviceQueue {
  static constexpr unsigned kMostDepth = 2048;  // of nesting: an H100 ran 2,049 grids, each launched by the one before
  // CUDA's default is 2,048. A GPU's grids end meanwhile, and leave their places: on an H100 a thread launched 3,000
  // without an error. Here none ends before the one that launches, hence more.
  static constexpr std::size_t kMostWaiting = 16384;
  using Thread = std::tuple<std::uint32_t, std::uint32_t, unsigned>;  // block, warp, lane

  unsigned depth = 0;                          // of the grid that runs
  const DeviceWork* by = nullptr;              // it; null: the host's
  std::map<std::uint64_t, DeviceWork> filled;  // by the address of their parameters: grids that are not launched yet
  std::vector<DeviceWork> waiting, tail;
  std::set<std::uint64_t> handles;  // of streams that were made
  std::uint64_t next_handle = 16;
  std::map<Thread, RuntimeError> errors;  // the last one, where there was one
  std::size_t count() const { return filled.size() + waiting.size() + tail.size(); }
};

}  // namespace warpsim
