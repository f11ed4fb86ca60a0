#include "sim/launch/residency.h"

#include <algorithm>

namespace warpsim {

BlockNeeds needs_of_block(const Program& program, const LaunchConfig& config, std::uint32_t shared_bytes) {
  constexpr std::uint32_t kMostAThread = 255, kGivenOut = 8;
  std::uint32_t registers = 0;
  for (const Register& one : program.registers) {
    const bool wide = one.cls == RegClass::R64 || (one.cls == RegClass::Mask && config.lanes > 32);
    registers += one.cls == RegClass::Pred ? 0 : wide ? 2 : 1;
  }
  registers = (std::min(registers, kMostAThread) + kGivenOut - 1) / kGivenOut * kGivenOut;
  BlockNeeds needs;
  needs.warps = static_cast<std::uint32_t>((config.block.count() + config.lanes - 1) / config.lanes);
  needs.registers = registers * config.lanes * needs.warps;
  needs.shared_bytes = shared_bytes;
  return needs;
}

std::uint32_t blocks_a_multiprocessor(const DeviceLimits& limits, const BlockNeeds& needs) {
  const std::uint32_t shared_bytes = needs.shared_bytes + limits.reserved_bytes;
  std::uint32_t blocks = std::min(limits.blocks, limits.warps / needs.warps);
  if (shared_bytes != 0) blocks = std::min(blocks, limits.shared_bytes / shared_bytes);
  if (limits.registers != 0 && needs.registers != 0) blocks = std::min(blocks, limits.registers / needs.registers);
  return std::max(blocks, 1U);
}

std::string_view limit_of_blocks(const DeviceLimits& limits, const BlockNeeds& needs) {
  const std::uint32_t there = blocks_a_multiprocessor(limits, needs),
                      shared = needs.shared_bytes + limits.reserved_bytes;
  if (limits.warps / needs.warps <= there) return "warps";
  if (shared != 0 && limits.shared_bytes / shared <= there) return "shared memory";
  if (limits.registers != 0 && needs.registers != 0 && limits.registers / needs.registers <= there) return "registers";
  return "blocks";
}

std::uint64_t resident_blocks(const LaunchConfig& config, const DeviceLimits& limits, const BlockNeeds& needs) {
  const std::uint64_t all = config.grid.count();
  if (config.cooperative) return all;
  const std::uint64_t most = config.resident_blocks != 0
                                 ? config.resident_blocks
                                 : std::uint64_t{limits.multiprocessors} * blocks_a_multiprocessor(limits, needs);
  return std::min(all, most);
}

}  // namespace warpsim
