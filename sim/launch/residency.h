// How many blocks of a launch a device holds at once. The others begin one by one, each where one has ended.
//
// Shapes: the blocks of a launch are alike, so that as many fit each multiprocessor.
// Units:  warps as the launch has them, whatever their lanes; registers of 32 bits; bytes of shared memory.
// Errors: none: a block that no multiprocessor has room for runs alone on one.
// Source: CUDA C++ Programming Guide 13.0, tables "Technical Specifications" and "Feature Support", compute capability
//         9.0: 32 blocks, 64 warps, 65,536 registers and 228 KiB of shared memory a multiprocessor, of which the system
//         takes 1 KiB a block; 255 registers a thread; CUDA occupancy calculator: registers are given out by eight a
//         thread. 132 multiprocessors: H200.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/program/program.h"
#include "sim/launch/launch.h"

namespace warpsim {

inline constexpr std::uint32_t kSharedUnitBytes = 128;       // %total_smem_size counts in these: 256 of 136 on an H200
inline constexpr std::uint32_t kReservedSharedBytes = 1024;  // of each block, beside its own

struct DeviceLimits {
  std::uint32_t multiprocessors = 132;
  // Of one multiprocessor.
  std::uint32_t blocks = 32, warps = 64;
  std::uint32_t shared_bytes = 228 * 1024, reserved_bytes = kReservedSharedBytes;
  std::uint32_t registers = 65'536;  // 0: not counted
};

// What a block takes.
struct BlockNeeds {
  std::uint32_t warps = 1;
  std::uint32_t registers = 0;
  std::uint32_t shared_bytes = 0;
};

// Each register of the program counts as one of its own, a 64-bit one as two, a predicate as none: a compiler needs
// fewer, and at most 255 a thread. They are counted for all lanes of each warp.
BlockNeeds needs_of_block(const Program& program, const LaunchConfig& config, std::uint32_t shared_bytes);

std::uint32_t blocks_a_multiprocessor(const DeviceLimits& limits, const BlockNeeds& needs);  // at least 1
// What keeps more of them from it: "warps", "shared memory", "registers", "blocks".
std::string_view limit_of_blocks(const DeviceLimits& limits, const BlockNeeds& needs);

// Of the whole launch: as many as LaunchConfig says, else as the device holds, and no more than there are.
std::uint64_t resident_blocks(const LaunchConfig& config, const DeviceLimits& limits, const BlockNeeds& needs);

}  // namespace warpsim
