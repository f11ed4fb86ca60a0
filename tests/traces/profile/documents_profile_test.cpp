// What the sources' claims come to by the profile `documents`, which has their own numbers.
//
// Source: 003:39-61 and 003:514-522; 000:414-415 and 002:642-643.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "tests/support/run.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim {
namespace {

using testing::run_text;
using testing::RunSetup;

// Cycles from the issue of the instruction at `from` to that at `to`.
struct Region : EventSink {
  std::int32_t from = -1, to = -1;
  std::uint64_t begin = 0, end = 0;
  void on_start(const Machine& machine) override {
    for (const auto& [name, pc] : machine.program().labels) {
      if (name == "from") from = pc;
      if (name == "to") to = pc;
    }
  }
  void on_issue(const IssueEvent& event) override {
    if (event.pc == from) begin = event.cycle;
    if (event.pc == to) end = event.cycle;
  }
};

using Bounds = std::pair<std::uint64_t, std::uint64_t>;

Bounds cycles(const std::string& body, unsigned lanes = 32) {
  const ProfileFile file = *builtin_profile("documents");
  std::vector<std::uint64_t> found;
  for (const TimingProfile& bound : file.bounds) {
    Region region;
    RunSetup setup;
    setup.lanes = lanes;
    setup.block = {lanes, 1, 1};
    setup.buffers["o"] = std::vector<std::uint64_t>(lanes);
    setup.timing = std::make_shared<const TimingProfile>(bound);
    setup.sinks = {&region};
    const testing::Ran ran = run_text(".kernel k (inout o: f32[" + std::to_string(lanes) +
                                          "])\n.shared f32 tile[64]\n"
                                          "mov.u32 %i, %laneid\nmov.f32 %v, 1.0\nmov.f32 %w, 2.0\n" +
                                          body + "exit\n",
                                      setup);
    EXPECT_TRUE(ran.result.ok);
    EXPECT_GT(region.begin, 0U);
    found.push_back(region.end - region.begin);
  }
  return {found.front(), found.back()};
}

TEST(DocumentsProfile, AShuffleTakesOneToTwo) {
  EXPECT_EQ(cycles("from: shfl.bfly.b32 %o, %v, 1\nto: add.f32 %v, %v, %o\n"), Bounds(1, 2));
}

// "Latency per step: 1 cycle (register exchange + comparison)", "log2(WARP_SIZE) cycles"; by the table's upper number,
// twice that.
TEST(DocumentsProfile, AButterflyTakesTheLogarithm) {
  for (const unsigned lanes : {2U, 4U, 8U, 16U, 32U, 64U}) {
    std::string body = "from: ";
    for (unsigned offset = lanes / 2; offset > 0; offset /= 2)
      body += "shfl.bfly.b32 %o, %v, " + std::to_string(offset) + "\nmax.f32 %v, %v, %o\n";
    const std::uint64_t steps = static_cast<std::uint64_t>(std::countr_zero(lanes));
    EXPECT_EQ(cycles(body + "to: shfl.bfly.b32 %o, %v, 1\n", lanes), Bounds(steps, 2 * steps)) << lanes;
  }
}

// "(WARP_SIZE-1) cycles for sequential": a comparison for each value but the first.
TEST(DocumentsProfile, ASequenceTakesACycleAValue) {
  for (const unsigned lanes : {4U, 32U, 64U}) {
    std::string body = "from: ";
    for (unsigned k = 1; k < lanes; ++k) body += "max.f32 %v, %v, %w\n";
    EXPECT_EQ(cycles(body + "to: max.f32 %v, %v, %w\n", lanes), Bounds(lanes - 1, lanes - 1)) << lanes;
  }
}

// The table's other rows.
TEST(DocumentsProfile, MemoryTakesWhatTheTableSays) {
  const std::string load = "from: ld.global.f32 %x, o[%i]\nto: add.f32 %v, %v, %x\n";
  EXPECT_EQ(cycles("from: ld.shared.f32 %x, tile[%i]\nto: add.f32 %v, %v, %x\n"), Bounds(20, 40));
  EXPECT_EQ(cycles(load), Bounds(400, 800));
  EXPECT_EQ(cycles("st.global.f32 o[%i], %v\n" + load), Bounds(200, 300));
  EXPECT_EQ(cycles("ld.global.f32 %y, o[%i]\nadd.f32 %v, %v, %y\n" + load), Bounds(30, 80));
}

// 003:41-46 has "~40-60" for a write, a barrier, a read and a barrier. Two accesses at 20 to 40 each are 40 to 80, and
// a barrier is a cycle here; the second one is beside the read that is waited for. The lower number of the document
// is the sum of its own; its upper one is not, whatever a barrier takes.
TEST(DocumentsProfile, AnExchangeThroughSharedMemoryTakesTwoAccesses) {
  EXPECT_EQ(cycles("from: st.shared.f32 tile[%i], %v\nbar.sync 0\nld.shared.f32 %x, tile[%i]\nbar.sync 0\n"
                   "to: add.f32 %v, %v, %x\n"),
            Bounds(20 + 1 + 20, 40 + 1 + 40));
}

// The sources leave out what a warp shares with others: many take as long as one.
TEST(DocumentsProfile, WarpsDoNotCompete) {
  const ProfileFile file = *builtin_profile("documents");
  std::vector<std::uint64_t> found;
  for (const unsigned warps : {1U, 16U}) {
    RunSetup setup;
    setup.block = {32 * warps, 1, 1};
    setup.buffers["o"] = std::vector<std::uint64_t>(32);
    setup.timing = std::make_shared<const TimingProfile>(file.bounds.front());
    found.push_back(run_text(".kernel k (inout o: f32[32])\nmov.f32 %v, 1.0\nshfl.bfly.b32 %o, %v, 1\n"
                             "add.f32 %v, %v, %o\nadd.f32 %v, %v, %o\nshfl.bfly.b32 %o, %v, 1\nexit\n",
                             setup)
                        .result.cycles);
  }
  EXPECT_EQ(found[0], found[1]);
}

}  // namespace
}  // namespace warpsim
