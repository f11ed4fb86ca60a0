// Which instructions let the order of blocks show.
#include "sim/launch/block_order.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/block_runs.h"

namespace warpsim {
namespace block_order_test {

// "" or the instruction through which it shows.
std::string shown_in(const std::string& line, const std::string& more = "") {
  const Program program = testing::program_of(".kernel k (inout c: u32[8], inout f: f32[8])\n .shared .u32 s[4]\n " +
                                              line + "\n " + more + "\n st.global.u32 c[0], %laneid\n exit\n");
  const std::optional<ShownOrder> shown = order_of_blocks_shown(program);
  return shown ? std::string(info(program.code[static_cast<std::size_t>(shown->pc)].op).mnemonic) : "";
}

TEST(BlockOrder, WhatBlocksAddUpComesToTheSameInAnyOrder) {
  EXPECT_EQ(shown_in("red.global.add.u32 c[1], 1"), "");
  EXPECT_EQ(shown_in("red.global.max.s32 c[1], 1"), "");
  EXPECT_EQ(shown_in("red.global.xor.b32 c[1], 1"), "");
  EXPECT_EQ(shown_in("red.global.add.f32 f[1], 1.0"), "red.global.add") << "a sum of floats is rounded on the way";
  EXPECT_EQ(shown_in("red.global.inc.u32 c[1], 9"), "red.global.inc");
}

TEST(BlockOrder, WhatAnAtomicReturnsShowsItIfSomebodyReadsIt) {
  EXPECT_EQ(shown_in("atom.global.add.u32 %old, c[1], 1"), "");
  EXPECT_EQ(shown_in("atom.global.add.u32 %old, c[1], 1", "st.global.u32 c[2], %old"), "atom.global.add");
  EXPECT_EQ(shown_in("atom.global.exch.b32 %old, c[1], 1"), "atom.global.exch") << "the last one's value stays";
  EXPECT_EQ(shown_in("atom.global.cas.b32 %old, c[1], 0, 1"), "atom.global.cas");
  EXPECT_EQ(shown_in("atom.shared.add.u32 %old, s[1], 1", "st.global.u32 c[2], %old"), "") << "of one block";
}

TEST(BlockOrder, BlocksThatMeetOrReadAClockShowIt) {
  EXPECT_EQ(shown_in("ld.volatile.global.u32 %a, c[1]"), "ld.global");
  EXPECT_EQ(shown_in("ld.acquire.gpu.global.u32 %a, c[1]"), "ld.global");
  EXPECT_EQ(shown_in("st.release.gpu.global.u32 c[1], 1"), "st.global");
  EXPECT_EQ(shown_in("ld.volatile.shared.u32 %a, s[1]"), "");
  EXPECT_EQ(shown_in("nanosleep 100"), "nanosleep");
  EXPECT_EQ(shown_in("mov.u32 %a, %clock"), "mov");
  EXPECT_EQ(shown_in("ld.global.u32 %a, c[1]"), "");
  EXPECT_EQ(shown_in("bar.sync 0", "membar.gl"), "");
}

}  // namespace block_order_test
}  // namespace warpsim
