// Which side of a hand-over a report names, and that doing what it says orders the two accesses.
//
// Source: PTX ISA 9.0, 8.8 "Release and acquire patterns"; programs/litmus, whose cases the model of tests/litmus
// judges.
#include "sim/ordering/orderings.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/support/program_run.h"

namespace warpsim {
namespace orderings_test {

std::string source_of(const std::string& name) { return testing::source_text("programs/litmus/" + name + ".warp"); }

// The hint of the first finding at eight lanes; "": none.
std::string hint_of(const std::string& text) {
  const Assembled made = assemble(text, "t.warp");
  EXPECT_NE(made.lesson(), nullptr) << made.diagnostics.render();
  if (made.lesson() == nullptr) return "";
  CaseOverrides overrides;
  overrides.lanes = 8;
  const testing::RecordedRun run = testing::record_run(*made.lesson(), made.lesson()->cases.at(0), overrides);
  EXPECT_EQ(run.error, "");
  const std::vector<TraceFinding>& findings = run.trace.outcome.findings;
  return findings.empty() ? "" : english(findings.front().hint);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

bool starts(const std::string& text, const std::string& with) { return text.rfind(with, 0) == 0; }

TEST(Orderings, TheAcquireIsMissing) {
  const std::string text = source_of("mp_blocks_st_release_ld_relaxed");
  EXPECT_TRUE(starts(hint_of(text), "the acquire is missing: line 11 ")) << hint_of(text);
  EXPECT_EQ(hint_of(replaced(text, "ld.relaxed", "ld.acquire")), "");
  const std::string fenced = source_of("mp_blocks_volatile_one_fence");
  EXPECT_TRUE(starts(hint_of(fenced), "the acquire is missing: line 12 ")) << hint_of(fenced);
  EXPECT_EQ(hint_of(replaced(fenced, "take:", "membar.gl\ntake:")), "");
  const std::string warps = source_of("mp_warps_one_fence");
  EXPECT_TRUE(starts(hint_of(warps), "the acquire is missing: line 14 ")) << hint_of(warps);
}

TEST(Orderings, TheReleaseIsMissing) {
  const std::string text = source_of("mp_blocks_st_relaxed_ld_acquire");
  EXPECT_TRUE(starts(hint_of(text), "the release is missing: line 9 hands on what line 8 did")) << hint_of(text);
  EXPECT_EQ(hint_of(replaced(text, "st.relaxed", "st.release")), "");
  // Every thread's fence.acq_rel before the barrier is of its own accesses alone.
  const std::string grid = source_of("grid_message_acq_rel");
  EXPECT_TRUE(starts(hint_of(grid), "the release is missing: line 14 hands on what line 11 did")) << hint_of(grid);
  EXPECT_EQ(hint_of(replaced(grid, "@%first atom", "@%first atom.release.gpu")), "");
}

TEST(Orderings, BothSidesAreMissing) {
  for (const char* const name :
       {"mp_blocks_relaxed", "grid_message_no_fence", "mp_blocks_volatile", "mp_warps_volatile"})
    EXPECT_TRUE(starts(hint_of(source_of(name)), "both sides are missing: ")) << hint_of(source_of(name));
}

TEST(Orderings, TheScopeIsTooSmall) {
  EXPECT_TRUE(starts(hint_of(source_of("mp_blocks_fence_cta")), "membar.cta of line 9 "));
  EXPECT_TRUE(starts(hint_of(source_of("mp_blocks_one_fence_cta")), "membar.cta of line "));
}

// Lane 1 stores, lane 0 releases: one thread's release is not another's.
TEST(Orderings, TheStepBetweenLanesIsMissing) {
  const std::string text =
      ".kernel k (inout data: u32[1], inout flag: u32[1], out seen: u32[1])\n"
      " setp.eq.u32 %second, %ctaid.x, 1\n setp.eq.u32 %first, %tid.x, 0\n"
      " setp.eq.u32 %writer, %tid.x, 1\n @%second bra look\n"
      " @%writer st.global.u32 data[0], 1\n @%first atom.release.gpu.global.exch.b32 %o, flag[0], 1\n"
      " exit\nlook: @!%first exit\nagain: ld.acquire.gpu.global.u32 %up, flag[0]\n"
      " setp.eq.u32 %down, %up, 0\n @%down bra again\ntake: ld.global.u32 %v, data[0]\n"
      " st.global.u32 seen[0], %v\n exit\n"
      ".case test\n grid = 2\n block = 2\n data = 0\n flag = 0\n";
  EXPECT_TRUE(starts(hint_of(text), "the step between lanes is missing")) << hint_of(text);
  EXPECT_EQ(hint_of(replaced(text, " @%first atom", " bar.warp.sync -1\n @%first atom")), "");
}

// A third thread reads and hands on: both ends have what they need.
TEST(Orderings, TheThreadBetweenOrdersNothing) {
  const std::string text = source_of("isa2_blocks_broken");
  EXPECT_TRUE(starts(hint_of(text), "lines 10 and 23 have their sides")) << hint_of(text);
}

// Nothing hands anything over: a barrier is what is missing.
TEST(Orderings, WithoutAHandOverABarrierIsMissing) {
  EXPECT_TRUE(starts(hint_of(source_of("mp_warps_no_barrier")), "bar.sync "));
  EXPECT_TRUE(starts(hint_of(source_of("mp_warps_fence_for_barrier")), "bar.sync "));
}

// One message from block 0 to block 1, of one warp each, told to the orderings directly.
struct HandOver {
  std::optional<Reach> fence_before, fence_behind;        // fence.acq_rel of the lane that hands on, or takes
  bool releases = true, acquires = true;                  // the accesses
  Reach hands_on = Reach::Device, takes = Reach::Device;  // they reach
  unsigned stores = 0, reads = 0;                         // the lanes of the data; lane 0 hands on and takes
  bool overwritten = false;                               // the flag, by a plain store in between
  bool stores_late = false;                               // behind the access that hands on
};

// What is missing between the store and the read of the data; none of these is: "more".
std::string missing_in(const HandOver& how) {
  Orderings orderings(1, true);
  orderings.select(0, 0);
  Stamp stored = orderings.now();
  if (how.fence_before) orderings.fence(1, *how.fence_before, false);
  orderings.begin_access(how.releases, true);
  orderings.access(0, {0, false, false, true, false, how.releases, how.hands_on});
  if (how.stores_late) stored = orderings.now();
  if (how.overwritten) orderings.overwrite(0, false);
  orderings.select(1, 0);
  orderings.begin_access(false, false);
  orderings.access(0, {0, false, true, false, how.acquires, false, how.takes});
  if (how.fence_behind) orderings.fence(1, *how.fence_behind, false);
  const LaneMask lanes = lane_bit(how.stores);
  if (orderings.unordered(stored, lanes, how.reads) == 0) return "nothing";
  const std::optional<Missing> missing = orderings.missing(stored, lanes, how.reads);
  constexpr const char* kNames[] = {"acquire", "release", "scope", "lane step", "both"};
  return missing ? kNames[static_cast<int>(*missing)] : "more";
}

TEST(Orderings, EachSideByItself) {
  EXPECT_EQ(missing_in({}), "nothing");
  EXPECT_EQ(missing_in({.acquires = false}), "acquire");
  EXPECT_EQ(missing_in({.releases = false}), "release");
  EXPECT_EQ(missing_in({.hands_on = Reach::Block}), "scope");
  EXPECT_EQ(missing_in({.takes = Reach::Block}), "scope");
  EXPECT_EQ(missing_in({.fence_before = Reach::Block, .releases = false}), "scope");
  EXPECT_EQ(missing_in({.fence_behind = Reach::Block, .acquires = false}), "scope");
  EXPECT_EQ(missing_in({.fence_before = Reach::Device, .releases = false}), "nothing");
}

// Lane 0 hands on and takes: another lane's store or read is a step away, at the fence, the access or the read.
TEST(Orderings, TheStepBetweenLanesAtEachPlace) {
  EXPECT_EQ(missing_in({.stores = 1}), "lane step");
  EXPECT_EQ(missing_in({.reads = 1}), "lane step");
  EXPECT_EQ(missing_in({.fence_before = Reach::Device, .releases = false, .stores = 1}), "lane step");
  EXPECT_EQ(missing_in({.fence_behind = Reach::Device, .acquires = false, .reads = 1}), "lane step");
  EXPECT_EQ(missing_in({.stores = 2, .reads = 3}), "lane step");
}

// Two sides at once: "both" says that each lacks something, whatever that is.
TEST(Orderings, TwoSidesAtOnce) {
  EXPECT_EQ(missing_in({.releases = false, .acquires = false}), "both");
  EXPECT_EQ(missing_in({.acquires = false, .hands_on = Reach::Block}), "both");
  EXPECT_EQ(missing_in({.releases = false, .takes = Reach::Block}), "both");
  EXPECT_EQ(missing_in({.fence_before = Reach::Block, .releases = false, .acquires = false}), "both");
  EXPECT_EQ(missing_in({.fence_behind = Reach::Block, .releases = false, .acquires = false}), "both");
  EXPECT_EQ(missing_in({.releases = false, .stores = 1}), "both");
  EXPECT_EQ(missing_in({.acquires = false, .reads = 1}), "both");
  EXPECT_EQ(missing_in({.hands_on = Reach::Block, .reads = 1}), "both");
}

// A plain store between the two, or a store behind the access that hands on: no side of this hand-over orders that.
TEST(Orderings, MoreThanASideIsMissing) {
  EXPECT_EQ(missing_in({.overwritten = true}), "more");
  EXPECT_EQ(missing_in({.releases = false, .acquires = false, .overwritten = true}), "more");
  EXPECT_EQ(missing_in({.stores_late = true}), "more");
  EXPECT_EQ(missing_in({.releases = false, .stores_late = true}), "more");
}

}  // namespace orderings_test
}  // namespace warpsim
