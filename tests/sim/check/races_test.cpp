// Data races: what is one, what orders two accesses, and that no program of programs/ has any.
//
// Source: CUDA C++ Programming Guide: "Synchronization Functions" (__syncwarp orders the memory of its lanes),
//         "Warp Shuffle Functions" (a shuffle does not), "Memory Fence Functions" (the counter of the last block).
#include "sim/check/races.h"

#include <gtest/gtest.h>

#include "tests/support/every_program.h"
#include "tests/support/run.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace races_test {

using testing::Ran;
using testing::run_text;

struct Found {
  std::vector<Race> races;
  std::string hint;  // of the first
  explicit Found(const std::string& body, unsigned lanes = 4, Dim3 grid = {1, 1, 1}, std::uint32_t threads = 4) {
    Races sink;
    const Ran ran = run_text(".kernel k (inout out: u32[])\n.shared u32 tile[64]\n" + body + "\n exit\n",
                             {.lanes = lanes,
                              .grid = grid,
                              .block = {threads, 1, 1},
                              .buffers = {{"out", std::vector<std::uint64_t>(64)}},
                              .sinks = {&sink}});
    EXPECT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
    races = sink.found();
    for (const Race& race : races) testing::expect_korean({finding_of(race, *ran.program)});
    if (!races.empty()) hint = english(finding_of(races.front(), *ran.program).hint);
  }
  // "in warp 1-2: lanes 0x2, 0x1" of each: kind, pcs, lanes before and now.
  std::string text() const {
    constexpr const char* kKinds[] = {"in warp", "in block", "in grid", "one store"};
    std::string out;
    for (const Race& race : races) {
      out += std::string(out.empty() ? "" : "; ") + kKinds[static_cast<int>(race.kind)] + " " +
             std::to_string(race.earlier.pc) + "-" + std::to_string(race.later.pc) +
             (race.equal_stores ? " equal" : "") + " [" + std::to_string(race.index) + "] lanes " +
             lane_ranges(race.earlier.lanes) + " and " + lane_ranges(race.later.lanes);
    }
    return out;
  }
};

constexpr const char* kSwap =
    " xor.b32 %i, %laneid, 1\n st.shared.u32 tile[%laneid], %laneid\nMIDDLE\n ld.shared.u32 %v, tile[%i]\n"
    " st.global.u32 out[%gtid], %v\n";

std::string swap_with(const std::string& middle) {
  std::string text = kSwap;
  return text.replace(text.find("MIDDLE"), 6, middle);
}

TEST(Races, LanesOfAWarpAreOrderedByWarpBarriersAlone) {
  EXPECT_EQ(Found(swap_with("")).text(), "in warp 1-2 [1] lanes 1 and 0");
  EXPECT_EQ(Found(swap_with(" bar.warp.sync")).text(), "");
  EXPECT_EQ(Found(swap_with(" bar.sync 0")).text(), "");
  EXPECT_EQ(Found(swap_with(" shfl.bfly.b32 %w, %laneid, 1")).text(), "in warp 1-3 [1] lanes 1 and 0");
  EXPECT_EQ(Found(swap_with(" setp.eq.u32 %p, %laneid, 0\n vote.any.pred %q, %p")).text(),
            "in warp 1-4 [1] lanes 1 and 0");
  EXPECT_EQ(Found(swap_with(" membar.cta")).text(), "in warp 1-3 [1] lanes 1 and 0");
}

TEST(Races, ABarrierOfSomeLanesOrdersThose) {
  const std::string some = " setp.lt.u32 %low, %laneid, 2\n @%low bar.warp.sync 0x3";
  EXPECT_EQ(Found(swap_with(some)).text(), "in warp 1-4 [3] lanes 3 and 2");
  // What one lane knows it passes on.
  EXPECT_EQ(Found(" setp.lt.u32 %low, %laneid, 2\n setp.ge.u32 %high, %laneid, 1\n setp.lt.u32 %mid, %laneid, 3\n"
                  " and.pred %mid, %mid, %high\n setp.eq.u32 %first, %laneid, 0\n setp.eq.u32 %third, %laneid, 2\n"
                  " @%first st.shared.u32 tile[0], 7\n @%low bar.warp.sync 0x3\n @%mid bar.warp.sync 0x6\n"
                  " @%third ld.shared.u32 %v, tile[0]\n @%third st.global.u32 out[0], %v\n")
                .text(),
            "");
}

TEST(Races, WarpsOfABlock) {
  const std::string body =
      " st.shared.u32 tile[%tid.x], %tid.x\nMIDDLE\n sub.u32 %i, 7, %tid.x\n"
      " ld.shared.u32 %v, tile[%i]\n st.global.u32 out[%gtid], %v\n";
  const auto with = [&](const std::string& middle) {
    std::string text = body;
    return text.replace(text.find("MIDDLE"), 6, middle);
  };
  EXPECT_EQ(Found(with(""), 4, {1, 1, 1}, 8).races.size(), 1U);
  EXPECT_EQ(Found(with(""), 4, {1, 1, 1}, 8).races.front().kind, Race::Kind::InBlock);
  EXPECT_EQ(Found(with(" bar.sync 0"), 4, {1, 1, 1}, 8).text(), "");
  EXPECT_EQ(Found(with(" bar.warp.sync"), 4, {1, 1, 1}, 8).races.size(), 1U);
}

// Three warps of four lanes, of which two meet: what the third has stored, nobody comes after.
TEST(Races, ABarrierOfSomeWarpsOrdersThose) {
  const std::string text =
      " shr.u32 %w, %tid.x, 2\n setp.eq.u32 %third, %w, 2\n @!%third bra meet\n"
      " st.shared.u32 tile[%laneid], %tid.x\n exit\nmeet:\n mov.u32 %n, 0\n mov.u32 %n, 1\n bar.sync 1, 8\n"
      " xor.b32 %i, %laneid, 1\n ld.shared.u32 %v, tile[%i]\n st.global.u32 out[%gtid], %v\n";
  EXPECT_EQ(Found(text, 4, {1, 1, 1}, 12).text(), "in block 3-9 [1] lanes 1 and 0");
  // All of them: a word that was touched before the barrier is as new behind it.
  const std::string all =
      " st.shared.u32 tile[%tid.x], %tid.x\n bar.sync 0\n xor.b32 %i, %tid.x, 4\n ld.shared.u32 %v, tile[%i]\nMIDDLE"
      " st.shared.u32 tile[%tid.x], %v\n";
  const auto with = [&](const std::string& middle) {
    std::string whole = all;
    return whole.replace(whole.find("MIDDLE"), 6, middle);
  };
  EXPECT_EQ(Found(with(""), 4, {1, 1, 1}, 8).text(), "in block 3-4 [0] lanes 0 and 0");
  EXPECT_EQ(Found(with(" bar.sync 0\n"), 4, {1, 1, 1}, 8).text(), "");
}

// What each barrier of a loop orders, in global memory too.
TEST(Races, EveryRoundOfBarriersOrders) {
  const auto rounds = [](const std::string& last) {
    return Found(
               " mov.u32 %n, 4\n xor.b32 %i, %tid.x, 4\nagain:\n st.global.u32 out[%tid.x], %n\n bar.sync 0\n"
               " ld.global.u32 %v, out[%i]\n" +
                   last + " sub.u32 %n, %n, 1\n setp.ne.u32 %more, %n, 0\n @%more bra again\n",
               4, {1, 1, 1}, 8)
        .text();
  };
  EXPECT_EQ(rounds(" bar.sync 0\n"), "");
  EXPECT_EQ(rounds(""), "in block 4-2 [0] lanes 0 and 0");
}

// A word that one lane touches between two barriers is kept more simply than others: one that changes from the one to
// the other, back behind a barrier, or that all lanes load at once, is as well known.
TEST(Races, WordsThatMoreThanOneLaneTouches) {
  const auto found = [](const std::string& body) { return Found(body, 4, {1, 1, 1}, 8).text(); };
  const std::string second = " and.b32 %w, %tid.x, 4\n setp.eq.u32 %second, %w, 4\n";
  // All lanes of the first warp load a word, into which one lane of the second stores.
  EXPECT_EQ(found(second + " @!%second ld.shared.u32 %v, tile[9]\n setp.eq.u32 %one, %tid.x, 6\n"
                           " @%one st.shared.u32 tile[9], 5\n"),
            "in block 2-4 [9] lanes 0-3 and 2");
  // Both warps load it first, one behind the other.
  EXPECT_EQ(found(second + " ld.shared.u32 %v, tile[9]\n setp.eq.u32 %one, %tid.x, 6\n"
                           " @%one st.shared.u32 tile[9], 5\n"),
            "in warp 2-4 [9] lanes 0, 1, 3 and 2");
  // Two words for four lanes of one store.
  EXPECT_EQ(found(" shr.u32 %i, %tid.x, 1\n st.shared.u32 tile[%i], %tid.x\n"), "one store 1-1 [0] lanes 0 and 1");
  // The same place, neighbour by neighbour, behind barriers: nothing of the round before is left.
  const auto rounds = [&](const std::string& middle) {
    return found(
        " mov.u32 %n, 3\n add.u32 %next, %tid.x, 1\n and.b32 %next, %next, 7\nagain:\n"
        " st.shared.u32 tile[%tid.x], %n\n" +
        middle +
        " ld.shared.u32 %v, tile[%next]\n bar.sync 0\n"
        " sub.u32 %n, %n, 1\n setp.ne.u32 %more, %n, 0\n @%more bra again\n");
  };
  EXPECT_EQ(rounds(" bar.sync 0\n"), "");
  EXPECT_EQ(rounds(""), "in warp 3-4 [1] lanes 1 and 0");
  // In the second round alone, by way of a word that many touched in the first.
  EXPECT_EQ(found(" mov.u32 %n, 0\nagain:\n ld.shared.u32 %v, tile[9]\n bar.sync 0\n"
                  " setp.eq.u32 %one, %tid.x, 6\n setp.eq.u32 %late, %n, 1\n and.pred %one, %one, %late\n"
                  " @%one st.shared.u32 tile[9], 5\n setp.eq.u32 %other, %tid.x, 1\n and.pred %other, %other, %late\n"
                  " @%other ld.shared.u32 %v, tile[9]\n bar.sync 0\n"
                  " add.u32 %n, %n, 1\n setp.lt.u32 %more, %n, 2\n @%more bra again\n"),
            "in block 6-9 [9] lanes 2 and 1");
}

TEST(Races, BlocksSynchroniseOnlyThroughFencesAndAtomics) {
  const std::string head = " setp.eq.u32 %one, %ctaid.x, 1\n mov.u32 %n, 0\n";
  const auto with = [&](const std::string& release, const std::string& acquire) {
    return head + " @%one bra reads\n st.global.u32 out[0], 7\n" + release +
           "\n atom.global.add.u32 %old, out[1], 1\n exit\n"
           "reads: add.u32 %n, %n, 1\n setp.lt.u32 %more, %n, 50\n @%more bra reads\n"
           " atom.global.add.u32 %old, out[1], 0\n" +
           acquire + "\n ld.global.u32 %v, out[0]\n st.global.u32 out[2], %v\n";
  };
  EXPECT_EQ(Found(with(" membar.gl", " membar.gl"), 1, {2, 1, 1}, 1).text(), "");
  EXPECT_EQ(Found(with("", " membar.gl"), 1, {2, 1, 1}, 1).races.size(), 1U);
  EXPECT_EQ(Found(with(" membar.gl", ""), 1, {2, 1, 1}, 1).races.size(), 1U);
  EXPECT_EQ(Found(with("", ""), 1, {2, 1, 1}, 1).races.front().kind, Race::Kind::InGrid);
}

// Two pairs of warps wait at barrier 1, each pair at a line of its own; the quick ones of both pairs meet.
TEST(Races, OneBarrierForTwoPurposes) {
  const auto pairs = [](const std::string& second) {
    return " and.b32 %odd, %tid.x, 4\n setp.eq.u32 %quick, %odd, 0\n setp.lt.u32 %first, %tid.x, 8\n mov.u32 %n, 0\n"
           " @%quick bra go\n add.u32 %n, %n, 1\n add.u32 %n, %n, 1\n add.u32 %n, %n, 1\n add.u32 %n, %n, 1\n"
           "go: st.shared.u32 tile[%tid.x], %n\n @!%first bra other\n bar.sync 1, 8\n bra after\n"  // line 14
           "other: bar.sync " +
           second +
           ", 8\n"  // line 16
           "after: xor.b32 %i, %tid.x, 4\n ld.shared.u32 %v, tile[%i]\n st.global.u32 out[%gtid], %v\n";
  };
  EXPECT_EQ(Found(pairs("2"), 4, {1, 1, 1}, 16).text(), "");
  const Found one = Found(pairs("1"), 4, {1, 1, 1}, 16);
  ASSERT_FALSE(one.races.empty());
  EXPECT_EQ(one.hint,
            "the two did not wait for each other at line 16: that barrier also counts who comes to line 14. Give each "
            "purpose "
            "a barrier of its own, or let all threads of the block wait");
}

// A lock that lanes of one warp pass on, each with a fence after taking it and before releasing it.
TEST(Races, LanesOfAWarpSynchroniseThroughFencesAndAtomics) {
  const auto with = [](const std::string& release, const std::string& acquire) {
    return "try: atom.global.cas.b32 %old, out[0], 0, 1\n setp.ne.u32 %taken, %old, 0\n" + acquire +
           "\n @!%taken ld.global.u32 %v, out[1]\n @!%taken add.u32 %v, %v, 1\n @!%taken st.global.u32 out[1], %v\n" +
           release + "\n @!%taken atom.global.exch.b32 %old, out[0], 0\n @%taken bra try\n";
  };
  EXPECT_EQ(Found(with(" membar.gl", " membar.gl")).text(), "");
  EXPECT_NE(Found(with("", " membar.gl")).text(), "");
  EXPECT_NE(Found(with(" membar.gl", "")).text(), "");
}

// Block 0 does `first`, block 1 waits for that and then does `second`. What is ordered holds however long it waits.
std::string one_after_the_other(const std::string& first, const std::string& second) {
  return " setp.eq.u32 %one, %ctaid.x, 1\n setp.eq.u32 %zero, %tid.x, 0\n mov.u32 %n, 0\n @%one bra reads\n" + first +
         "\n exit\nreads: add.u32 %n, %n, 1\n setp.lt.u32 %more, %n, 100\n @%more bra reads\n" + second + "\n";
}

// PTX ISA 9.0, 8.5 "Scope" and 8.7 "Morally strong operations": .cta reaches the threads of the own block.
TEST(Races, AScopeOrdersWhomItReaches) {
  const auto with = [](const std::string& release, const std::string& scope, const std::string& acquire) {
    return Found(one_after_the_other(
                     " st.global.u32 out[0], 7\n " + release + "\n atom.global" + scope + ".add.u32 %old, out[1], 1",
                     " atom.global" + scope + ".add.u32 %old, out[1], 0\n " + acquire +
                         "\n ld.global.u32 %v, out[0]\n st.global.u32 out[2], %v"),
                 1, {2, 1, 1}, 1)
        .races.size();
  };
  EXPECT_EQ(with("membar.gl", "", "membar.gl"), 0U);
  EXPECT_EQ(with("fence.acq_rel.gpu", ".relaxed.sys", "fence.sc.sys"), 0U);
  EXPECT_EQ(with("membar.cta", "", "membar.gl"), 1U);
  EXPECT_EQ(with("membar.gl", "", "fence.acq_rel.cta"), 1U);
  EXPECT_EQ(with("membar.gl", ".relaxed.cta", "membar.gl"), 2U) << "the atomics race with each other, too";
  const auto hint = [](const std::string& fence, const std::string& scope) {
    const Found found(one_after_the_other(
                          " st.global.u32 out[0], 7\n " + fence + "\n atom.global" + scope + ".add.u32 %old, out[1], 1",
                          " atom.global" + scope +
                              ".add.u32 %old, out[1], 0\n membar.gl\n ld.global.u32 %v, out[0]\n"
                              " st.global.u32 out[2], %v"),
                      1, {2, 1, 1}, 1);
    return found.hint;
  };
  EXPECT_EQ(hint("membar.cta", ""),
            "membar.cta of line 8 reaches the threads of its own block alone: membar.gl reaches all");
  EXPECT_EQ(hint("membar.gl", ".relaxed.cta"),
            "lines 9 and 14 both need `.gpu`: `.cta` reaches the threads of one block alone");
  // Within a block .cta is enough.
  const auto in_block = [](const std::string& release, const std::string& acquire) {
    return Found(
               " setp.ge.u32 %one, %tid.x, 4\n mov.u32 %n, 0\n @%one bra reads\n setp.ne.u32 %no, %tid.x, 0\n"
               " @%no exit\n st.shared.u32 tile[0], 7\n" +
                   release +
                   "\n exit\nreads: setp.ne.u32 %no, %tid.x, 4\n @%no exit\nagain: add.u32 %n, %n, 1\n"
                   " setp.lt.u32 %more, %n, 100\n @%more bra again\n" +
                   acquire + "\n ld.shared.u32 %v, tile[0]\n st.global.u32 out[2], %v",
               4, {1, 1, 1}, 8)
        .text();
  };
  EXPECT_EQ(in_block(" atom.shared.release.cta.exch.b32 %old, tile[1], 1",
                     " atom.shared.acquire.cta.or.b32 %old, tile[1], 0"),
            "");
  EXPECT_EQ(in_block(" membar.cta\n red.shared.relaxed.cta.add.u32 tile[1], 1",
                     " atom.shared.relaxed.cta.or.b32 %old, tile[1], 0\n membar.cta"),
            "");
  EXPECT_EQ(in_block(" red.shared.relaxed.cta.add.u32 tile[1], 1", " atom.shared.acquire.cta.or.b32 %old, tile[1], 0"),
            "in block 5-14 [0] lanes 0 and 0");
}

TEST(Races, ReleaseAndAcquireOrderWithoutFences) {
  const auto with = [](const std::string& release, const std::string& acquire) {
    return Found(
               one_after_the_other(" st.global.u32 out[0], 7\n atom.global" + release + ".exch.b32 %old, out[1], 1",
                                   " atom.global" + acquire +
                                       ".or.b32 %old, out[1], 0\n ld.global.u32 %v, out[0]\n st.global.u32 out[2], %v"),
               1, {2, 1, 1}, 1)
        .races.size();
  };
  EXPECT_EQ(with(".release.gpu", ".acquire.gpu"), 0U);
  EXPECT_EQ(with(".acq_rel.gpu", ".acq_rel.gpu"), 0U);
  EXPECT_EQ(with(".relaxed.gpu", ".acquire.gpu"), 1U);
  EXPECT_EQ(with(".release.gpu", ".relaxed.gpu"), 1U);
  EXPECT_EQ(with(".acquire.gpu", ".release.gpu"), 1U) << "the wrong way round";
}

// The later access of a run may stand before the earlier one in the program: whether control comes back there decides.
TEST(Races, BetweenWhichLinesABarrierIsMissing) {
  const std::string first = " st.shared.u32 tile[%tid.x], 1\n", second = " ld.shared.u32 %v, tile[7]\n";
  // Warp 0 reads what warp 1 stores only after it.
  const std::string late =
      " setp.ge.u32 %late, %tid.x, 4\n mov.u32 %n, 0\n@%late bra.uni wait\n bra.uni go\n"
      "wait: add.u32 %n, %n, 1\n setp.lt.u32 %more, %n, 100\n @%more bra wait\ngo:";
  EXPECT_EQ(Found(late + first + second, 4, {1, 1, 1}, 8).hint, "bar.sync between lines 10 and 11 would order them");
  EXPECT_EQ(Found(late + first + second + " add.u32 %n, %n, 50\n setp.lt.u32 %again, %n, 100\n @%again bra go", 4,
                  {1, 1, 1}, 8)
                .hint,
            "bar.sync after line 11, before line 10 is executed again would order them");
}

// PTX ISA, 8.10.4 "No Thin Air": what the read finds decides what is handed on, and the write needs that. If the read
// found what the write stores, the value would be its own cause.
TEST(Races, AWriteThatDependsOnWhatTheReadFoundComesBehindIt) {
  const auto with = [](const std::string& hands_on, const std::string& takes) {
    return Found(
               one_after_the_other(" ld.global.u32 %v, out[0]\n" + hands_on,
                                   "look: ld.relaxed.gpu.global.u32 %s, out[1]\n" + takes + " st.global.u32 out[0], 7"),
               1, {2, 1, 1}, 1)
        .races.size();
  };
  const std::string status = " or.b32 %s, %v, 1\n st.relaxed.gpu.global.u32 out[1], %s";
  const std::string waits = " setp.eq.u32 %none, %s, 0\n @%none bra look\n";
  EXPECT_EQ(with(status, waits), 0U);
  EXPECT_EQ(with(" st.shared.u32 tile[3], %v\n ld.shared.u32 %w, tile[3]\n or.b32 %s, %w, 1\n"
                 " st.relaxed.gpu.global.u32 out[1], %s",
                 waits),
            0U)
      << "through shared memory";
  EXPECT_EQ(with(" st.relaxed.gpu.global.u32 out[1], 1", waits), 1U) << "the read may come after the flag";
  EXPECT_EQ(with(status, ""), 1U) << "the write waits for nothing";
  EXPECT_EQ(with(status + "\n st.relaxed.gpu.global.u32 out[2], 1", waits), 1U) << "it may be this that is waited for";
  // What was written before, and is read, is another matter: relaxed accesses alone do not hand it over.
  EXPECT_EQ(Found(one_after_the_other(" mov.u32 %v, 5\n st.global.u32 out[0], %v\n" + status,
                                      "look: ld.relaxed.gpu.global.u32 %s, out[1]\n" + waits +
                                          " ld.global.u32 %v, out[0]\n st.global.u32 out[2], %v"),
                  1, {2, 1, 1}, 1)
                .races.size(),
            1U);
}

// It is lanes that release, not warps.
TEST(Races, ALaneReleasesWhatItComesAfter) {
  const auto with = [](const std::string& middle) {
    return Found(one_after_the_other(" setp.eq.u32 %last, %tid.x, 3\n @%last st.global.u32 out[0], 7\n" + middle +
                                         "\n @%zero membar.gl\n @%zero atom.global.add.u32 %old, out[1], 1",
                                     " @!%zero exit\n atom.global.add.u32 %old, out[1], 0\n membar.gl\n"
                                     " ld.global.u32 %v, out[0]\n st.global.u32 out[2], %v"),
                 4, {2, 1, 1}, 4)
        .races.size();
  };
  EXPECT_EQ(with(""), 1U);
  EXPECT_EQ(with(" bar.warp.sync"), 0U);
  EXPECT_EQ(with(" setp.eq.u32 %some, %tid.x, 1\n or.pred %some, %some, %zero\n @%some bar.warp.sync 0x3"), 1U)
      << "lane 3 is not among them";
}

// Every thread fences, bar.sync, one thread's atomic: the idiom of the last block. And the other way round.
TEST(Races, BarriersPassOnWhatFencesReleased) {
  const auto with = [](const std::string& fence, const std::string& after) {
    return Found(one_after_the_other(" st.global.u32 out[%tid.x], 7\n" + fence +
                                         "\n bar.sync 0\n @%zero atom.global.add.u32 %old, out[16], 1",
                                     " @%zero atom.global.add.u32 %old, out[16], 0\n bar.sync 0\n" + after +
                                         "\n sub.u32 %i, 7, %tid.x\n ld.global.u32 %v, out[%i]\n"
                                         " add.u32 %i, %i, 32\n st.global.u32 out[%i], %v"),
                 4, {2, 1, 1}, 8)
        .races.size();
  };
  EXPECT_EQ(with(" membar.gl", " membar.gl"), 0U);
  EXPECT_EQ(with(" membar.cta", " membar.gl"), 1U);
  EXPECT_EQ(with("", " membar.gl"), 1U);
  EXPECT_EQ(with(" membar.gl", ""), 1U);
  EXPECT_EQ(with(" @%zero membar.gl", " membar.gl"), 1U) << "before the barrier, one thread's fence is its own";
}

// Who reads what another store wrote has not read what was released before it.
TEST(Races, AStoreEndsWhatWasReleased) {
  const auto with = [](const std::string& later) {
    return Found(one_after_the_other(
                     " st.global.u32 out[0], 7\n atom.global.release.gpu.exch.b32 %old, out[1], 1\n" + later,
                     " atom.global.acquire.gpu.or.b32 %old, out[1], 0\n ld.global.u32 %v, out[0]\n st.global.u32 "
                     "out[2], %v"),
                 1, {2, 1, 1}, 1)
        .races.size();
  };
  EXPECT_EQ(with(""), 0U);
  EXPECT_EQ(with(" atom.global.add.u32 %old, out[1], 1"), 0U) << "an atomic continues it";
  EXPECT_GE(with(" st.global.u32 out[1], 2"), 1U);
}

// PTX ISA 9.0, 8.9.4: who observes a write comes after it in causality order, with all that it does later.
TEST(Races, WhoHasReadAStrongWriteComesAfterIt) {
  const auto with = [](const std::string& first, const std::string& second, Dim3 grid = {2, 1, 1}) {
    return Found(one_after_the_other(first, second), 1, grid, 1).races.size();
  };
  const std::string add = " atom.global.add.u32 %old, out[0], 1\n", reset = " st.global.u32 out[0], 0";
  EXPECT_EQ(with(add, add + reset), 0U) << "the last one that counts sets the count back";
  EXPECT_EQ(with(add, reset), 1U) << "who has not counted";
  EXPECT_EQ(with(" st.global.u32 out[1], 5\n" + add, add + " ld.global.u32 %v, out[1]\n st.global.u32 out[2], %v"), 1U)
      << "what was done before that write is not handed on";
  EXPECT_EQ(with(" st.volatile.global.u32 out[0], 1", " ld.volatile.global.u32 %v, out[0]\n" + reset), 0U);
  EXPECT_EQ(with(" st.volatile.global.u32 out[0], 1", " ld.global.u32 %v, out[0]\n" + reset), 2U) << "a weak load";
  EXPECT_EQ(with(" atom.global.cta.add.u32 %old, out[0], 1", " atom.global.cta.add.u32 %old, out[0], 1\n" + reset), 2U)
      << "the scopes do not reach the other block";
  // Three blocks count; the last has observed the first through the second.
  EXPECT_EQ(
      Found(" setp.eq.u32 %zero, %ctaid.x, 0\n @%zero bra count\n mul.lo.u32 %far, %ctaid.x, 100\n mov.u32 %n, 0\n"
            "wait: add.u32 %n, %n, 1\n setp.lt.u32 %early, %n, %far\n @%early bra wait\n"
            "count: atom.global.add.u32 %old, out[0], 1\n setp.eq.u32 %last, %old, 2\n"
            " @%last st.global.u32 out[0], 0",
            1, {3, 1, 1}, 1)
          .text(),
      "");
  // Of one instruction the last lane has observed the others.
  EXPECT_EQ(Found(" atom.global.add.u32 %old, out[0], 1\n setp.eq.u32 %last, %old, 3\n @%last st.global.u32 out[0], 0")
                .text(),
            "");
  EXPECT_EQ(Found(" atom.global.add.u32 %old, out[0], 1\n setp.eq.u32 %first, %old, 0\n"
                  " @%first st.global.u32 out[0], 0")
                .races.size(),
            1U)
      << "the first lane has not";
}

TEST(Races, OneStoreOfSeveralValues) {
  EXPECT_EQ(Found(" st.global.u32 out[0], %laneid").text(), "one store 0-0 [0] lanes 0 and 1");
  EXPECT_EQ(Found(" st.global.u32 out[0], 7").text(), "");
  EXPECT_EQ(Found(" atom.global.add.u32 %old, out[0], %laneid").text(), "");
}

// PTX ISA 9.0, 8.7.2 "Limitations on Mixed-size Data-races": the axioms hold where racing accesses overlap completely.
TEST(Races, StoresOfOneValueAreNoError) {
  const auto by_two_warps = [](const std::string& one, const std::string& other) {
    return Found(
               " setp.ge.u32 %other, %tid.x, 4\n setp.ne.u32 %no, %laneid, 0\n @%no exit\n mov.u64 %wide, 7\n"
               " @%other bra second\n " +
                   one + "\n exit\nsecond: " + other,
               4, {1, 1, 1}, 8)
        .text();
  };
  const std::string seven = "st.global.u32 out[0], 7";
  EXPECT_EQ(by_two_warps(seven, seven), "in block 5-7 equal [0] lanes 0 and 0");
  EXPECT_EQ(by_two_warps(seven, "st.relaxed.gpu.global.u32 out[0], 7"), "in block 5-7 equal [0] lanes 0 and 0");
  EXPECT_EQ(by_two_warps(seven, "st.global.u32 out[0], 8"), "in block 5-7 [0] lanes 0 and 0");
  EXPECT_EQ(by_two_warps(seven, "atom.global.exch.b32 %o, out[0], 7"), "in block 5-7 [0] lanes 0 and 0");
  EXPECT_EQ(by_two_warps(seven, "ld.global.u32 %v, out[0]"), "in block 5-7 [0] lanes 0 and 0");
  EXPECT_EQ(by_two_warps("mov.u64 %p, out\n st.global.u64 [%p], %wide", seven), "in block 8-6 [0] lanes 0 and 0")
      << "the sizes differ";
  // The first store is not forgotten behind the second: it races with what comes after that alone.
  EXPECT_EQ(by_two_warps(seven, seven + "\n st.global.u32 out[0], 8"),
            "in block 5-7 equal [0] lanes 0 and 0; in block 5-8 [0] lanes 0 and 0");
  // Equal once, and different the next time.
  EXPECT_EQ(Found(" setp.ne.u32 %no, %laneid, 0\n @%no exit\n mov.u32 %n, 0\n mov.u32 %v, 7\n"
                  "again: st.global.u32 out[%n], %v\n add.u32 %n, %n, 1\n add.u32 %v, %v, %tid.x\n"
                  " setp.lt.u32 %more, %n, 2\n @%more bra again",
                  4, {1, 1, 1}, 8)
                .text(),
            "in block 4-4 equal [0] lanes 0 and 0; in block 4-4 [1] lanes 0 and 0");
}

TEST(Races, HalvesOfAWordAreApart) {
  EXPECT_EQ(Found(" cvt.u16.u32 %h, %laneid\n mov.u64 %p, out\n mul.wide.u32 %o, %laneid, 2\n add.u64 %p, %p, %o\n"
                  " st.global.u16 [%p], %h\n ld.global.u16 %g, [%p]\n")
                .text(),
            "");
}

TEST(Races, NoProgramHasOne) {
  int count = 0;
  for (const std::string& name : testing::all_program_names()) {
    const Assembled assembled = testing::assemble_program(name);
    ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
    for (const Case& one : assembled.lesson()->cases) {
      for (const unsigned lanes : lane_counts(*assembled.lesson(), one)) {
        if (testing::kSanitized && lanes != 32) continue;
        CaseOverrides overrides;
        overrides.lanes = lanes;
        Races races;
        const testing::RecordedRun run = testing::record_run(*assembled.lesson(), one, overrides, {&races});
        ASSERT_EQ(run.error, "");
        for (const Race& race : races.found())
          ADD_FAILURE() << name << " " << one.name << " at " << lanes << " lanes: kind " << static_cast<int>(race.kind)
                        << ", pc " << race.earlier.pc << " lanes " << lane_ranges(race.earlier.lanes) << " and pc "
                        << race.later.pc << " lanes " << lane_ranges(race.later.lanes);
        ++count;
      }
    }
  }
  EXPECT_GT(count, testing::kSanitized ? 150 : 1000);
}

}  // namespace races_test
}  // namespace warpsim
