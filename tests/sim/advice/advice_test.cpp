// Advice about accesses and idle lanes: bank conflicts, scattered sectors, branches and guards. What is expected is
// worked out by hand.
#include <algorithm>

#include "tests/sim/advice/advice_run.h"

namespace warpsim {
namespace {

using testing::advise;
using testing::Advised;
using testing::Messages;
using testing::on;
using testing::run_text;
using testing::RunSetup;

// ---- bank conflicts

// Lane i touches tile[scale * i].
Advised shared_stride(int scale, unsigned lanes, const std::string& type = "u32") {
  return advise(".kernel k (in input: u32[4], out output: " + type + "[size], param size: u32 = WARP_SZ)\n" +
                    ".shared ." + type + " tile[64 * 40]\n" + "mul.lo.u32 %i, %laneid, " + std::to_string(scale) +
                    "\n" + "mov." + type + " %x, 7\nst.shared." + type + " tile[%i], %x\nexit\n",
                on(lanes));
}

TEST(Advice, BankConflictsWithTheirWords) {
  // 32 lanes, 8 words apart: banks 0, 8, 16 and 24 serve 8 lanes each; lanes 0, 4, 8 … share bank 0.
  const Advised eight = shared_stride(8, 32);
  EXPECT_EQ(eight.messages(Finding::BankConflict),
            Messages{"bank 0 serves 8 different words: word 0 (tile[0], lane 0), word 32 (tile[32], lane 4), word 64 "
                     "(tile[64], lane 8), word 96 (tile[96], lane 12) and 4 more; 8-way; in its one execution"});
  EXPECT_EQ(eight.line(eight.found.at(0)), 5U);
  EXPECT_EQ(eight.found.at(0).lanes, full_mask(32));
  // Two words apart: lanes i and i + 16 share a bank.
  EXPECT_EQ(
      shared_stride(2, 32).messages(Finding::BankConflict),
      Messages{"bank 0 serves 2 different words: word 0 (tile[0], lane 0), word 32 (tile[32], lane 16); 2-way; in "
               "its one execution"});
  for (const int none : {0, 1, 3, 33}) EXPECT_EQ(shared_stride(none, 32).messages(Finding::BankConflict), Messages{});
  // 64 lanes take two turns at best.
  EXPECT_EQ(shared_stride(1, 64).messages(Finding::BankConflict), Messages{});
  // A row of 64-bit elements is served half by half, without a conflict; every second one is not.
  EXPECT_EQ(shared_stride(1, 32, "u64").messages(Finding::BankConflict), Messages{});
  const Messages wide = shared_stride(2, 32, "u64").messages(Finding::BankConflict);
  ASSERT_EQ(wide.size(), 1U);
  // Lane i: words 4 i and 4 i + 1; lanes 0, 8, 16, 24 share bank 0.
  EXPECT_EQ(
      wide[0],
      "bank 0 serves 4 different words: word 0 (tile[0], lane 0), word 32 (tile[16], lane 8), word 64 (tile[32], "
      "lane 16), word 96 (tile[48], lane 24); 2-way, as 8 bytes a lane are served in 2 parts; in its one execution");
}

TEST(Advice, AtomicsInTurn) {
  const Advised advised = advise(
      ".kernel k (in input: u32[4], out output: u32[4])\n.shared .u32 count[4]\n"
      "setp.lt.u32 %some, %laneid, 5\n@%some red.shared.add.u32 count[3], 1\nexit\n",
      on(8));
  EXPECT_EQ(
      advised.messages(Finding::BankConflict),
      Messages{"bank 3 serves 5 lanes one after another: word 3 (count[3], lanes 0-4); 5-way; in its one execution"});
}

// ---- sectors

Advised global_index(const std::string& index, const std::string& guard = "") {
  return advise(".kernel k (in input: u32[2048], out output: u32[2048])\n" + index + guard +
                    "ld.global.u32 %x, input[%i]\nexit\n",
                on(32));
}

TEST(Advice, ScatteredSectors) {
  // 32 words 32 words apart: a sector each; 128 bytes fit into 4.
  EXPECT_EQ(
      global_index("mul.lo.u32 %i, %laneid, 32\n").messages(Finding::Uncoalesced),
      Messages{"32 lanes touch 32 sectors of 32 bytes, where 4 could hold what they read: lanes are 128 bytes apart, "
               "input[0], input[32], input[64], input[96], …; in its one execution"});
  // Every second word: 8 sectors.
  EXPECT_EQ(global_index("mul.lo.u32 %i, %laneid, 2\n").messages(Finding::Uncoalesced).size(), 1U);
  // No stride: 0, 1, 4, 9 … 961 words. Squares lie in sectors of 8 words; lanes 0-2 share the first, from lane 4 on
  // each has its own (16 / 8 = 2, 25 / 8 = 3, 36 / 8 = 4 …), lane 3 has sector 1: 30 sectors.
  EXPECT_EQ(global_index("mul.lo.u32 %i, %laneid, %laneid\n").messages(Finding::Uncoalesced),
            Messages{"32 lanes touch 30 sectors of 32 bytes, where 4 could hold what they read: input[0], input[1], "
                     "input[4], input[9], …; in its one execution"});
}

TEST(Advice, RowsAreWholeHoweverTheyLie) {
  for (const char* const index : {"mov.u32 %i, %laneid\n", "mov.u32 %i, 7\n", "add.u32 %i, %laneid, 3\n",
                                  "sub.u32 %i, 31, %laneid\n", "xor.b32 %i, %laneid, 5\n", "shr.u32 %i, %laneid, 2\n"})
    EXPECT_EQ(global_index(index).messages(Finding::Uncoalesced), Messages{}) << index;
  // Half of the lanes are missing: that has nothing to do with the addresses.
  EXPECT_EQ(global_index("mov.u32 %i, %laneid\nand.b32 %odd, %laneid, 1\nsetp.eq.u32 %even, %odd, 0\n", "@%even ")
                .messages(Finding::Uncoalesced),
            Messages{});
}

// ---- idle lanes

constexpr const char* kNoBuffers = ".kernel k (in input: u32[4], out output: u32[4])\n";

// A warp of four lanes.
Advised advise_four(const std::string& lines) { return advise(kNoBuffers + lines, on(4)); }

TEST(Advice, IdleBecauseOfABranch) {
  // Six cycles of 4 lanes; in three of them lanes 1-3 wait: 9 of 24.
  const Advised advised = advise_four(
      "setp.ne.u32 %p, %laneid, 0\n@%p bra join\n"
      "mov.u32 %a, 1\nmov.u32 %a, 2\nmov.u32 %a, 3\njoin: exit\n");
  EXPECT_EQ(
      advised.messages(Finding::IdleLanes),
      Messages{"the lanes diverge at this branch: 9 of 24 lane slots of the warp (37 %) are idle because of it, first "
               "lanes 1-3 in cycle 3"});
  EXPECT_EQ(advised.line(advised.found.at(0)), 3U);
  EXPECT_EQ(advised.found.at(0).lanes, LaneMask{0b1110});
  // Both paths: while lane 0 does two, three wait, and then it waits for the others' two: 2 * 3 + 2 * 1 of 7 * 4, with
  // the branch at the end of the first path, which lane 0 executes alone: 3 * 3 + 2 = 11.
  EXPECT_EQ(
      advise_four("setp.ne.u32 %p, %laneid, 0\n@%p bra other\nmov.u32 %a, 1\nmov.u32 %a, 2\nbra join\n"
                  "other: mov.u32 %a, 3\nmov.u32 %a, 4\njoin: exit\n")
          .messages(Finding::IdleLanes),
      Messages{"the lanes diverge at this branch: 11 of 32 lane slots of the warp (34 %) are idle because of it, first "
               "lanes 1-3 in cycle 3"});
}

TEST(Advice, IdleByTheOldestBranchAtWhichTheyDiverged) {
  // Lane 0 alone takes the first branch's near path; no other lane is left there. Lanes 2 and 3 diverge from lane 1
  // later.
  const Advised advised = advise_four(
      "setp.eq.u32 %zero, %laneid, 0\n"                // cycle 1
      "@%zero bra join\n"                              // 2
      "setp.ge.u32 %high, %laneid, 2\n"                // 3: lane 0 idle
      "@%high bra inner\n"                             // 4: lane 0
      "mov.u32 %a, 1\nmov.u32 %a, 1\nmov.u32 %a, 1\n"  // 5-7: lanes 0; 2, 3
      "mov.u32 %a, 1\nmov.u32 %a, 1\nmov.u32 %a, 1\n"  // 8-10: lanes 0; 2, 3
      "inner: mov.u32 %b, 1\n"                         // 11: lane 0
      "join: exit\n");                                 // 12
  // Of 12 * 4 slots the inner branch costs 6 * 2 = 12, a quarter; the outer 9, which is less.
  EXPECT_EQ(
      advised.messages(Finding::IdleLanes),
      Messages{"the lanes diverge at this branch: 12 of 48 lane slots of the warp (25 %) are idle because of it, first "
               "lanes 2, 3 in cycle 5"});
  EXPECT_EQ(advised.line(advised.found.at(0)), 5U);
}

TEST(Advice, IdleBecauseOfAGuard) {
  // Three of five instructions leave out three of four lanes: 9 of 20. It is the predicate that is blamed.
  const Advised advised = advise_four(
      "setp.eq.u32 %p, %laneid, 0\n"
      "@%p mov.u32 %a, 1\n@%p mov.u32 %a, 2\n@%p mov.u32 %a, 3\nexit\n");
  EXPECT_EQ(
      advised.messages(Finding::IdleLanes),
      Messages{"what this writes switches lanes off: 9 of 20 lane slots of the warp (45 %) are idle because of it, "
               "first lanes 1-3 in cycle 2"});
  EXPECT_EQ(advised.line(advised.found.at(0)), 2U);
  // One of five: 3 of 20 is not worth a word. Neither is an exit under a guard, nor lanes that have exited.
  EXPECT_EQ(advise_four("setp.eq.u32 %p, %laneid, 0\n@%p mov.u32 %a, 1\nmov.u32 %a, 2\n"
                        "mov.u32 %a, 3\nexit\n")
                .found.size(),
            0U);
  EXPECT_EQ(advise_four("setp.ne.u32 %p, %laneid, 0\n@%p exit\nmov.u32 %a, 2\nmov.u32 %a, 3\nexit\n").found.size(), 0U);
}

TEST(Advice, BranchesUnderAGuardCostNothingThemselves) {
  EXPECT_EQ(advise_four("setp.eq.u32 %p, %laneid, 0\n@%p bra a\na: @%p bra b\nb: @%p bra c\nc: exit\n").found.size(),
            0U);
}

// Lanes 0 and 1 diverge from 2 and 3, lane 1 exits, the three converge; then lane 0 diverges anew, for eight moves.
TEST(Advice, ABranchWhoseLanesHaveConvergedIsNotBlamed) {
  const Advised advised = advise_four(
      "setp.lt.u32 %low, %laneid, 2\n"
      "setp.eq.u32 %one, %laneid, 1\n"
      "setp.ne.u32 %not_zero, %laneid, 0\n"
      "@%low bra near\n"  // line 5
      "bra meet\n"
      "near: @%one exit\n"
      "meet: @%not_zero bra done\n"  // line 8
      "mov.u32 %a, 1\nmov.u32 %a, 2\nmov.u32 %a, 3\nmov.u32 %a, 4\n"
      "mov.u32 %a, 5\nmov.u32 %a, 6\nmov.u32 %a, 7\nmov.u32 %a, 8\n"
      "done: exit\n");
  // Slots: four instructions of 4 lanes, the far branch and the exit, of 4 yet; then the branch, the moves and the exit
  // of 3: 16 + 8 + 30. The moves leave two lanes idle: 16.
  EXPECT_EQ(
      advised.messages(Finding::IdleLanes),
      Messages{"the lanes diverge at this branch: 16 of 54 lane slots of the warp (29 %) are idle because of it, first "
               "lanes 2, 3 in cycle 8"});
  EXPECT_EQ(advised.line(advised.found.at(0)), 8U);
}

TEST(Advice, PartialLastWarp) {
  RunSetup setup = on(4);
  setup.block = {7, 1, 1};
  const std::string text = std::string(kNoBuffers) + "exit\n";
  EXPECT_EQ(advise(text, setup).messages(Finding::IdleLanes),
            Messages{"the last warp of each block has 3 of 4 lanes: one never exists, and its slots stay empty"});
  setup.lanes = 8;
  EXPECT_EQ(advise(text, setup).found.size(), 0U);  // an eighth
}

}  // namespace
}  // namespace warpsim
