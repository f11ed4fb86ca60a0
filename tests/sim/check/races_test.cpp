// Data races: what is one, what orders two accesses, and that no program of programs/ has any.
//
// Source: CUDA C++ Programming Guide: "Synchronization Functions" (__syncwarp orders the memory of its lanes),
//         "Warp Shuffle Functions" (a shuffle does not), "Memory Fence Functions" (the counter of the last block).
#include "sim/check/races.h"

#include <gtest/gtest.h>

#include "tests/support/every_program.h"
#include "tests/support/run.h"

namespace warpsim {
namespace races_test {

using testing::Ran;
using testing::run_text;

struct Found {
  std::vector<Race> races;
  explicit Found(const std::string& body, unsigned lanes = 4, Dim3 grid = {1, 1, 1}, std::uint32_t threads = 4) {
    Races sink;
    const Ran ran = run_text(".kernel k (inout out: u32[])\n.shared u32 tile[64]\n" + body + "\n exit\n",
                             {.lanes = lanes,
                              .grid = grid,
                              .block = {threads, 1, 1},
                              .buffers = {{"out", std::vector<std::uint64_t>(64)}},
                              .sinks = {&sink}});
    EXPECT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << ran.result.trap.message;
    races = sink.found();
    for (const Race& race : races) testing::expect_korean({finding_of(race, *ran.program)});
  }
  // "in warp 1-2: lanes 0x2, 0x1" of each: kind, pcs, lanes before and now.
  std::string text() const {
    constexpr const char* kKinds[] = {"in warp", "in block", "in grid", "one store"};
    std::string out;
    for (const Race& race : races) {
      out += std::string(out.empty() ? "" : "; ") + kKinds[static_cast<int>(race.kind)] + " " +
             std::to_string(race.earlier.pc) + "-" + std::to_string(race.later.pc) + " [" + std::to_string(race.index) +
             "] lanes " + lane_ranges(race.earlier.lanes) + " and " + lane_ranges(race.later.lanes);
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

TEST(Races, OneStoreOfSeveralValues) {
  EXPECT_EQ(Found(" st.global.u32 out[0], %laneid").text(), "one store 0-0 [0] lanes 0 and 1");
  EXPECT_EQ(Found(" st.global.u32 out[0], 7").text(), "");
  EXPECT_EQ(Found(" atom.global.add.u32 %old, out[0], %laneid").text(), "");
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
    ASSERT_TRUE(assembled.program.has_value()) << assembled.diagnostics.render();
    for (const Case& one : assembled.program->cases) {
      for (const unsigned lanes : lane_counts(*assembled.program, one)) {
        CaseOverrides overrides;
        overrides.lanes = lanes;
        Races races;
        const testing::RecordedRun run = testing::record_run(*assembled.program, one, overrides, {&races});
        ASSERT_EQ(run.error, "");
        for (const Race& race : races.found())
          ADD_FAILURE() << name << " " << one.name << " at " << lanes << " lanes: kind " << static_cast<int>(race.kind)
                        << ", pc " << race.earlier.pc << " lanes " << lane_ranges(race.earlier.lanes) << " and pc "
                        << race.later.pc << " lanes " << lane_ranges(race.later.lanes);
        ++count;
      }
    }
  }
  EXPECT_GT(count, 1000);
}

}  // namespace races_test
}  // namespace warpsim
