// How many blocks a device holds at once.
#include "sim/launch/residency.h"

#include <gtest/gtest.h>

#include <string>

#include "isa/assembly/assembler.h"

namespace warpsim {
namespace {

Program with_registers(unsigned words, const std::string& more = "") {
  std::string text = ".kernel k ()\n";
  for (unsigned k = 0; k < words; ++k) text += " mov.u32 %r" + std::to_string(k) + ", 1\n";
  Assembled assembled = assemble(text + more + " exit\n", "test.warp");
  EXPECT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
  return assembled.lesson() != nullptr ? Program(*assembled.lesson()) : Program{};
}

LaunchConfig blocks_of(std::uint32_t threads, unsigned lanes = 32) {
  LaunchConfig config;
  config.lanes = lanes;
  config.block = {threads, 1, 1};
  return config;
}

std::uint32_t held(const Program& program, const LaunchConfig& config, std::uint32_t shared_bytes = 0) {
  return blocks_a_multiprocessor({}, needs_of_block(program, config, shared_bytes));
}

TEST(Residency, BlocksWarpsSharedMemoryAndRegistersEachLimitIt) {
  const Program small = with_registers(8);
  EXPECT_EQ(held(small, blocks_of(32)), 32U) << "blocks";
  EXPECT_EQ(held(small, blocks_of(128)), 16U) << "64 warps";
  EXPECT_EQ(held(small, blocks_of(33)), 32U) << "two warps each";
  EXPECT_EQ(held(small, blocks_of(1024)), 2U);
  EXPECT_EQ(held(small, blocks_of(32), 48 * 1024), 4U) << "49 KiB each of 228";
  EXPECT_EQ(held(small, blocks_of(32), 227 * 1024), 1U);
  EXPECT_EQ(held(with_registers(128), blocks_of(256)), 2U) << "65,536 registers";
  EXPECT_EQ(held(with_registers(129), blocks_of(256)), 1U) << "136 a thread";
}

TEST(Residency, WhatLimitsItIsNamed) {
  const Program small = with_registers(8);
  const auto limit = [&](const Program& program, std::uint32_t threads, std::uint32_t shared_bytes = 0) {
    return limit_of_blocks({}, needs_of_block(program, blocks_of(threads), shared_bytes));
  };
  EXPECT_EQ(limit(small, 32), "blocks");
  EXPECT_EQ(limit(small, 128), "warps");
  EXPECT_EQ(limit(small, 32, 48 * 1024), "shared memory");
  EXPECT_EQ(limit(with_registers(128), 256), "registers");
}

TEST(Residency, RegistersAreCountedInWordsByEights) {
  const Program program = with_registers(7, " mov.u64 %wide, 1\n setp.eq.u32 %p, %r0, 1\n");
  EXPECT_EQ(needs_of_block(program, blocks_of(64), 0).registers, 16U * 64);
  EXPECT_EQ(needs_of_block(with_registers(8, " setp.eq.u32 %p, %r0, 1\n"), blocks_of(33), 0).registers, 8U * 64)
      << "no predicates, all lanes of a partial warp";
  EXPECT_EQ(needs_of_block(with_registers(400), blocks_of(32), 0).registers, 256U * 32) << "no thread has more";
}

TEST(Residency, ABlockForWhichThereIsNoRoomRunsAlone) {
  EXPECT_EQ(held(with_registers(400), blocks_of(1024)), 1U);
  EXPECT_EQ(held(with_registers(8), blocks_of(1024, 4)), 1U) << "256 warps";
}

TEST(Residency, OfALaunchAsManyAsItSaysOrTheDeviceHolds) {
  const Program small = with_registers(8);
  LaunchConfig config = blocks_of(64);
  config.grid = {0x7fffffff, 1, 1};
  const BlockNeeds needs = needs_of_block(small, config, 0);
  EXPECT_EQ(resident_blocks(config, {}, needs), 132U * 32);
  config.resident_blocks = 5;
  EXPECT_EQ(resident_blocks(config, {}, needs), 5U);
  config.cooperative = true;
  EXPECT_EQ(resident_blocks(config, {}, needs), 0x7fffffffU);
  config.grid = {3, 1, 1};
  config.cooperative = false;
  EXPECT_EQ(resident_blocks(config, {}, needs), 3U);
}

}  // namespace
}  // namespace warpsim
