// The sets of tests/support/heard.h for programs of a few lines, worked out by hand.
#include <gtest/gtest.h>

#include <set>

#include "tests/support/heard.h"
#include "tests/support/run.h"

namespace warpsim::testing {
namespace {

// What lane 1's element of `out` has heard of the inputs in[0] … in[3].
std::set<std::int64_t> lane_1_heard(const std::string& body, Follow follow = Follow::Values) {
  Heard ears(follow);
  RunSetup setup;
  setup.lanes = 4;
  setup.buffers = {{"in", {5, 6, 7, 8}}, {"out", {0, 0, 0, 0}}};
  setup.sinks = {&ears};
  const Ran ran =
      run_text(".kernel k (in in: u32[4], out out: u32[4])\n.shared .u32 tile[4]\nld.global.u32 %x, in[%laneid]\n" +
                   body + "\nst.global.u32 out[%laneid], %y\nexit\n",
               setup);
  EXPECT_TRUE(ran.result.ok) << ran.error.message << english(ran.result.trap.message);
  std::set<std::int64_t> indices;
  for (const Source& source : ears.stored().at({1, 1})) indices.insert(source.index);
  return indices;
}

TEST(HeardByHand, ValuesAndChoices) {
  using Set = std::set<std::int64_t>;
  const Follow choices = Follow::Choices;
  EXPECT_EQ(lane_1_heard("mov.u32 %y, 9"), Set{});
  EXPECT_EQ(lane_1_heard("mov.u32 %y, %x"), Set{1});
  EXPECT_EQ(lane_1_heard("shfl.down.b32 %y, %x, 1"), Set{2});
  EXPECT_EQ(lane_1_heard("shfl.up.b32 %y, %x, 3"), Set{1});  // out of range: the own value
  EXPECT_EQ(lane_1_heard("shfl.bfly.b32 %z, %x, 1\nadd.u32 %y, %x, %z"), (Set{0, 1}));
  EXPECT_EQ(lane_1_heard("broadcast.u32 %y, %x, 3"), Set{3});
  EXPECT_EQ(lane_1_heard("reduce.add.u32 %y, %x"), (Set{0, 1, 2, 3}));
  EXPECT_EQ(lane_1_heard("scan.add.u32 %y, %x"), (Set{0, 1}));
  EXPECT_EQ(lane_1_heard("scan.add.exclusive.u32 %y, %x"), Set{0});
  EXPECT_EQ(lane_1_heard("st.shared.u32 tile[%laneid], %x\nbar.sync\nld.shared.u32 %y, tile[3]"), Set{3});
  EXPECT_EQ(lane_1_heard("setp.gt.u32 %p, %x, 5\nvote.ballot.b32 %y, %p"), (Set{0, 1, 2, 3}));
  // A guard that holds, and one that does not; the guard is made from the neighbour's element.
  const std::string neighbour = "shfl.down.b32 %n, %x, 1\nmov.u32 %y, 3\n";
  for (const char* guard : {"setp.eq.u32 %p, %n, 7\n", "setp.ne.u32 %p, %n, 7\n"}) {
    const bool holds = guard[6] == 'q';
    const std::string program = neighbour + guard + "@%p mov.u32 %y, %x";
    EXPECT_EQ(lane_1_heard(program), holds ? Set{1} : Set{}) << guard;
    EXPECT_EQ(lane_1_heard(program, choices), holds ? (Set{1, 2}) : Set{2}) << guard;
    const std::string picks = neighbour + guard + "broadcast.u32 %b, %x\nselp.u32 %y, %x, %b, %p";
    EXPECT_EQ(lane_1_heard(picks), holds ? Set{1} : Set{0}) << guard;
    EXPECT_EQ(lane_1_heard(picks, choices), holds ? (Set{1, 2}) : (Set{0, 2})) << guard;
  }
  // Where a shuffle reads, and where a load does.
  const std::string from_3 = "shfl.down.b32 %n, %x, 1\nsub.u32 %n, %n, 4\n";
  EXPECT_EQ(lane_1_heard(from_3 + "shfl.idx.b32 %y, %x, %n"), Set{3});
  EXPECT_EQ(lane_1_heard(from_3 + "shfl.idx.b32 %y, %x, %n", choices), (Set{2, 3}));
  const std::string load_3 = "shfl.down.b32 %n, %x, 1\nand.b32 %n, %n, 3\nld.global.u32 %y, in[%n]";
  EXPECT_EQ(lane_1_heard(load_3), Set{3});
  EXPECT_EQ(lane_1_heard(load_3, choices), (Set{2, 3}));
}

}  // namespace
}  // namespace warpsim::testing
