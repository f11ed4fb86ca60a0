// The special registers whose values the machine decides: sim/README.md says which.
//
// Source: PTX ISA 9.0, chapter 10 "Special Registers".
#include <gtest/gtest.h>

#include <string>

#include "isa/table/special.h"
#include "tests/support/run.h"

namespace warpsim {
namespace {

// What one special register holds in the first lane of each block.
std::vector<std::uint64_t> read(const std::string& special, const std::string& type, unsigned blocks,
                                std::uint64_t resident = 0) {
  const std::string program = ".kernel k (out r: " + type + "[n], param n: u32)\n.shared f32 tile[24]\nmov." + type +
                              " %x, " + special + "\nst.global." + type + " r[%ctaid.x], %x\nexit\n";
  testing::RunSetup setup;
  setup.grid = {blocks, 1, 1};
  setup.block = {1, 1, 1};
  setup.resident_blocks = resident;
  setup.scalars["n"] = blocks;
  setup.buffers["r"].assign(blocks, 77);
  const testing::Ran ran = testing::run_text(program, setup);
  EXPECT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message;
  return ran.machine == nullptr ? std::vector<std::uint64_t>{} : ran.buffer("r");
}
using Values = std::vector<std::uint64_t>;

TEST(SpecialRegisters, ABlockIsAClusterOfItsOwn) {
  EXPECT_EQ(read("%clusterid.x", "u32", 3), (Values{0, 1, 2}));
  EXPECT_EQ(read("%nclusterid.x", "u32", 2), (Values{2, 2}));
  EXPECT_EQ(read("%nclusterid.y", "u32", 1), Values{1});
  EXPECT_EQ(read("%cluster_ctaid.x", "u32", 2), (Values{0, 0}));
  EXPECT_EQ(read("%cluster_nctaid.z", "u32", 1), Values{1});
  EXPECT_EQ(read("%cluster_ctarank", "u32", 2), (Values{0, 0}));
  EXPECT_EQ(read("%cluster_nctarank", "u32", 2), (Values{1, 1}));
}

// Blocks go to the multiprocessors in turn, and a block that waits to the one where another ends.
TEST(SpecialRegisters, MultiprocessorsTakeBlocksInTurn) {
  const Values all = read("%smid", "u32", 140);
  ASSERT_EQ(all.size(), 140U);
  for (std::size_t block = 0; block < all.size(); ++block) EXPECT_EQ(all[block], block % 132) << block;
  EXPECT_EQ(read("%smid", "u32", 4, 2), (Values{0, 1, 0, 1}));
  EXPECT_EQ(read("%nsmid", "u32", 1), Values{132});
}

TEST(SpecialRegisters, SizesOfSharedMemory) {
  EXPECT_EQ(read("%total_smem_size", "u32", 1), Values{128});  // 96 in whole pieces, as an H200 counts
  EXPECT_EQ(read("%aggr_smem_size", "u32", 1), Values{96 + 1024});
  EXPECT_EQ(read("%dynamic_smem_size", "u32", 1), Values{0});
}

TEST(SpecialRegisters, WhatADriverOrAProfilerFillsIsZero) {
  for (const char* const special : {"%envreg0", "%envreg31", "%pm0", "%pm7"})
    EXPECT_EQ(read(special, "u32", 1), Values{0}) << special;
  for (const char* const special : {"%gridid", "%pm7_64", "%current_graph_exec"})
    EXPECT_EQ(read(special, "u64", 1), Values{0}) << special;
}

// 199 instructions come before the last read: in nanoseconds at 1980 MHz, 100 fewer.
TEST(SpecialRegisters, TheGlobalTimerCountsNanoseconds) {
  std::string program = ".kernel k (out r: u64[4])\nmov.u64 %t, %globaltimer\nmov.u64 %c, %clock64\n";
  for (int k = 0; k < 196; ++k) program += "add.u64 %x, %t, 1\n";
  program +=
      "mov.u64 %u, %globaltimer\nmov.u64 %d, %clock64\nmov.u32 %h, %clock_hi\nmov.u32 %l, %globaltimer_lo\n"
      "mov.u32 %g, %globaltimer_hi\nor.b32 %h, %h, %g\ncvt.u64.u32 %h2, %h\nsub.u64 %u, %u, %t\nsub.u64 %d, %d, %c\n"
      "cvt.u64.u32 %l2, %l\nsub.u64 %l2, %l2, %u\nst.global.u64 r[0], %u\nst.global.u64 r[1], %d\n"
      "st.global.u64 r[2], %h2\nst.global.u64 r[3], %l2\nexit\n";
  testing::RunSetup setup;
  setup.block = {1, 1, 1};
  setup.buffers["r"].assign(4, 77);
  const testing::Ran ran = testing::run_text(program, setup);
  ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message;
  EXPECT_EQ(ran.buffer("r")[1], 198U);
  EXPECT_EQ(ran.buffer("r")[0], 100U);
  EXPECT_EQ(ran.buffer("r")[2], 0U);
  EXPECT_LE(ran.buffer("r")[3], 4U);
}

TEST(SpecialRegisters, NumbersPastTheLastAreNone) {
  for (const char* const special : {"%envreg32", "%envreg01", "%envreg", "%pm8", "%pm8_64", "%pm0_6"})
    EXPECT_FALSE(parse_special(special)) << special;
  EXPECT_EQ(parse_special("%envreg31"), Special::EnvReg);
  EXPECT_EQ(parse_special("%pm7_64"), Special::Pm64);
}

}  // namespace
}  // namespace warpsim
