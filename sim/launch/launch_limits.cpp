#include "sim/launch/launch_limits.h"

#include <string>

namespace warpsim {
namespace {

std::string in_words(const Dim3& d) {
  return std::to_string(d.x) + "x" + std::to_string(d.y) + "x" + std::to_string(d.z);
}

bool has_none(const Dim3& d) { return d.x == 0 || d.y == 0 || d.z == 0; }

LaunchError shape_error(std::string message, std::string hint) {
  return {"L002", std::move(message), std::move(hint), {}};
}

}  // namespace

std::optional<LaunchError> check_lanes(unsigned lanes) {
  if (lanes >= 1 && lanes <= kMaxLanes && (lanes & (lanes - 1)) == 0) return std::nullopt;
  return LaunchError{
      "L001", "a warp of " + std::to_string(lanes) + " lanes", "lanes is a power of two from 1 to 64", {}};
}

std::optional<LaunchError> check_grid(const Dim3& grid) {
  const std::string what = "a grid of " + in_words(grid) + " blocks ";
  if (has_none(grid)) return shape_error(what + "has none", "every dimension is at least 1");
  if (grid.x <= 0x7fffffffU && grid.y <= 65535 && grid.z <= 65535) return std::nullopt;
  return shape_error(what + "is too large", "at most 2147483647x65535x65535, as in CUDA");
}

std::optional<LaunchError> check_block(const Dim3& block) {
  const std::string what = "a block of " + in_words(block) + " threads ";
  if (has_none(block)) return shape_error(what + "has none", "every dimension is at least 1");
  // Each dimension first: the product of three large ones wraps.
  if (block.x <= 1024 && block.y <= 1024 && block.z <= 64 && block.count() <= kMaxThreadsPerBlock) return std::nullopt;
  return shape_error(what + "is too large", "at most 1024x1024x64 and 1024 threads in all, as in CUDA");
}

std::optional<LaunchError> check_block(const Dim3& block, const Program& program) {
  const std::string what = "a block of " + in_words(block) + " threads, ";
  const Dim3& required = program.required_block;
  const bool fits = block.x == required.x && block.y == required.y && block.z == required.z;
  if (required.x != 0 && !fits)
    return shape_error(what + "but the kernel takes " + in_words(required) + " alone: .reqntid",
                       "--block " + in_words(required));
  if (program.most_threads != 0 && block.count() > program.most_threads)
    return shape_error(what + "but the kernel takes at most " + std::to_string(program.most_threads) +
                           ": __launch_bounds__ (.maxntid)",
                       "launch smaller blocks, or compile the kernel for larger ones");
  return std::nullopt;
}

std::optional<LaunchError> check_max_cycles(std::uint64_t max_cycles) {
  if (max_cycles != 0) return std::nullopt;
  return LaunchError{"L010", "max_cycles is at least 1", "", {}};
}

std::optional<LaunchError> check_limits(const LaunchConfig& config) {
  if (std::optional<LaunchError> e = check_lanes(config.lanes)) return e;
  if (std::optional<LaunchError> e = check_grid(config.grid)) return e;
  if (std::optional<LaunchError> e = check_block(config.block)) return e;
  return check_max_cycles(config.max_cycles);
}

}  // namespace warpsim
