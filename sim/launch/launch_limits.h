// The limits of a launch: its lanes, grid, block and cycles.
//
// Shapes: each function checks one part, check_limits() all of them in this order.
// Units:  grid counts blocks, block counts threads, max_cycles counts machine cycles.
// Errors: a LaunchError without a place: L001 lanes, L002 grid or block, L010 max_cycles. Nothing if the part fits.
// Source: CUDA C++ Programming Guide 13.0, table "Technical Specifications": the limits of grids and blocks.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/launch/launch.h"

namespace warpsim {

inline constexpr std::uint64_t kMaxThreadsPerBlock = 1024;
inline constexpr std::uint32_t kMostParameterBytes = 32'764;   // of a kernel that a kernel launches, as CUDA has it
inline constexpr std::uint64_t kMostSharedBytes = 227 * 1024;  // a block, as CUDA has it on the H200 (9.0)

std::optional<LaunchError> check_lanes(unsigned lanes);
std::optional<LaunchError> check_grid(const Dim3& grid);
std::optional<LaunchError> check_block(const Dim3& block);
// What the kernel says of its blocks.
std::optional<LaunchError> check_block(const Dim3& block, const Program& program);
std::optional<LaunchError> check_max_cycles(std::uint64_t max_cycles);
std::optional<LaunchError> check_limits(const LaunchConfig& config);

}  // namespace warpsim
