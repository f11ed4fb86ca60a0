// Which lanes may hold what a shuffle has left in place.
//
// Source: the lanes that PTX ISA 9.0, 9.7.9.6 "shfl.sync", leaves without a source, by hand.
#include "sim/calm/left_lanes.h"

#include <gtest/gtest.h>

#include <string>

#include "isa/program/unwritten_reads.h"
#include "tests/support/run.h"

namespace warpsim {
namespace left_lanes_test {

struct Left {
  testing::Ran ran;
  LeftLanes lanes;
  LaneMask of(const std::string& reg) const {
    return lanes.lanes[static_cast<std::size_t>(ran.program->find_register(reg))];
  }
};

Left left_by(const std::string& body, Selections selections) {
  Left left{testing::run_text(".kernel k (out out: u32[32])\n" + body, {}), {}};
  if (!left.ran.program) ADD_FAILURE() << body;
  const ShuffleConstants constants(*left.ran.program, unwritten_reads(*left.ran.program), 32);
  left.lanes = left_lanes(*left.ran.program, constants, 32, selections);
  EXPECT_TRUE(left.lanes.is_known);
  return left;
}

LaneMask lanes_of(const std::string& body, const std::string& reg) {
  return left_by(body, Selections::PassBoth).of(reg);
}

TEST(LeftLanes, FollowShufflesByConstants) {
  const std::string reduce =
      "mov.u32 %a, %laneid\nmov.u32 %c, 31\nshfl.down.b32 %b, %a, 16\nadd.u32 %d, %a, %b\n"
      "shfl.down.b32 %e, %d, 8\nadd.u32 %f, %d, %e\nshfl.bfly.b32 %g, %f, 1\nshfl.idx.b32 %h, %f, 0\n"
      "shfl.up.b32 %i, %a, 3\nshfl.down.b32 %j, %a, %c\nexit\n";
  EXPECT_EQ(lanes_of(reduce, "%a"), 0U);
  EXPECT_EQ(lanes_of(reduce, "%b"), 0xffff0000U);
  EXPECT_EQ(lanes_of(reduce, "%d"), 0xffff0000U);
  EXPECT_EQ(lanes_of(reduce, "%e"), 0xffffff00U) << "from those above, or left in place itself";
  EXPECT_EQ(lanes_of(reduce, "%f"), 0xffffff00U);
  EXPECT_EQ(lanes_of(reduce, "%g"), 0xffffff00U);
  EXPECT_EQ(lanes_of(reduce, "%h"), 0U) << "lane 0 alone";
  EXPECT_EQ(lanes_of(reduce, "%i"), 0x7U);
  EXPECT_EQ(lanes_of(reduce, "%j"), 0xfffffffeU) << "by a constant in a register";
}

TEST(LeftLanes, KnowNothingOfOtherShuffles) {
  const std::string by_lane = "mov.u32 %a, %laneid\nshfl.down.b32 %b, %a, %a\nreduce.add.u32 %c, %b\nexit\n";
  EXPECT_EQ(lanes_of(by_lane, "%b"), 0xffffffffU);
  EXPECT_EQ(lanes_of(by_lane, "%c"), 0xffffffffU);
  const std::string some = "mov.u32 %a, %laneid\nshfl.up.b32 %b, %a, 1\nreduce.add.u32 %c, %b\nexit\n";
  EXPECT_EQ(lanes_of(some, "%b"), 1U);
  EXPECT_EQ(lanes_of(some, "%c"), 0xffffffffU) << "all of what one lane has";
}

TEST(LeftLanes, SelectionsPassOnBothOrNone) {
  const std::string body =
      "mov.u32 %a, %laneid\nshfl.up.b32 %b, %a, 2\nshfl.down.b32 %c, %a, 1\nsetp.lt.u32 %p, %a, 2\n"
      "selp.b32 %d, %b, %c, %p\nadd.u32 %e, %d, %a\n"
      "setp.lt.u32 %q, %b, 5\nselp.b32 %f, %a, 7, %q\nexit\n";
  const Left both = left_by(body, Selections::PassBoth), none = left_by(body, Selections::PassNone);
  EXPECT_EQ(both.of("%e"), 0x80000003U);
  EXPECT_EQ(none.of("%e"), 0U);
  EXPECT_EQ(none.lanes.chosen_by(none.ran.program->code[4]), (ChoiceLanes{0x3U, 0x80000000U}));
  EXPECT_EQ(none.of("%f"), 0x3U) << "what chooses may have been left in place";
  EXPECT_EQ(none.lanes.chosen_by(none.ran.program->code[7]), ChoiceLanes{});
}

}  // namespace left_lanes_test
}  // namespace warpsim
