// Counts of small programs, by hand; and for every program the total is what the machine says.
#include "sim/statistics/counts.h"
#include "isa/assembly/disassembler.h"
#include "isa/program/expand.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "programs/embedded.h"
#include "tests/support/run.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;

struct Counted {
  Ran ran;
  Counts counts;
  std::uint64_t of(Unit unit) const { return counts.by_unit[static_cast<std::size_t>(unit)]; }
};

Counted count(const std::string& text, RunSetup setup) {
  Counter counter;
  setup.sinks.push_back(&counter);
  Counted counted{run_text(text, setup), {}};
  counted.counts = counter.counts();
  return counted;
}

// 11 instructions; lanes 0 to 2 of a warp jump over one of them.
constexpr const char* kEveryUnit = R"(
.kernel k (in input: f32[], out output: f32[])
.shared f32 tile[32]
        ld.global.f32   %x, input[%gtid]
        st.shared.f32   tile[%tid.x], %x
        bar.sync
        shfl.bfly.b32   %y, %x, 1
        setp.lt.u32     %low, %laneid, 3
        @%low bra       together
        add.f32         %y, %y, 1.0
together: ld.shared.f32 %z, tile[%tid.x]
        add.f32         %y, %y, %z
        st.global.f32   output[%gtid], %y
        exit
)";

TEST(Counts, DoublesHaveAUnitOfTheirOwn) {
  const Counted c = count(R"(
.kernel k ()
        mov.f64         %x, 1.5
        fma.rn.f64      %y, %x, %x, %x
        setp.lt.f64     %p, %x, %y
        selp.f64        %y, %x, %y, %p
        cvt.rn.f32.f64  %z, %y
        min.f32         %z, %z, 1.0
        max.f64         %y, %y, %x
        exit
)",
                          {.lanes = 4});
  ASSERT_TRUE(c.ran.result.ok);
  EXPECT_EQ(c.of(Unit::Fp64), 3U);  // fma, setp, max
  EXPECT_EQ(c.of(Unit::Fma), 0U);
  EXPECT_EQ(c.of(Unit::Alu), 3U);  // mov, selp, min
  EXPECT_EQ(c.of(Unit::Conv), 1U);
}

TEST(Counts, AWarpInstructionIsOneHoweverManyLanes) {
  RunSetup setup;
  setup.lanes = 8;
  setup.block = {16, 1, 1};
  setup.buffers = {{"input", std::vector<std::uint64_t>(16, 0)}, {"output", std::vector<std::uint64_t>(16, 0)}};
  const Counted two = count(kEveryUnit, setup);
  ASSERT_TRUE(two.ran.result.ok);
  EXPECT_EQ(two.counts.instructions, 22U);       // 11 in each of two warps
  EXPECT_EQ(two.of(Unit::Mem), 4U);              // ld.global, st.global
  EXPECT_EQ(two.of(Unit::Shared), 4U);           // st.shared, ld.shared
  EXPECT_EQ(two.counts.shared_allocated, 128U);  // tile[32] of f32
  EXPECT_EQ(two.of(Unit::Barrier), 2U);
  EXPECT_EQ(two.of(Unit::Shfl), 2U);
  EXPECT_EQ(two.of(Unit::Alu), 2U);     // setp
  EXPECT_EQ(two.of(Unit::Fma), 4U);     // two add.f32
  EXPECT_EQ(two.of(Unit::Branch), 4U);  // bra, exit
  EXPECT_EQ(two.counts.shuffles, 2U);
  EXPECT_EQ(two.counts.barriers, 2U);
  EXPECT_EQ(two.counts.votes, 0U);
  EXPECT_EQ(two.counts.collectives, 0U);
  EXPECT_EQ(two.counts.divergent_branches, 2U);
  EXPECT_EQ(two.counts.global, (ByteCounts{64, 64}));  // 16 lanes of 4 bytes
  EXPECT_EQ(two.counts.shared, (ByteCounts{64, 64}));

  // The second warp has two lanes, which both jump: one instruction fewer, and nothing diverges there.
  setup.block = {10, 1, 1};
  const Counted ragged = count(kEveryUnit, setup);
  ASSERT_TRUE(ragged.ran.result.ok);
  EXPECT_EQ(ragged.counts.instructions, 21U);
  EXPECT_EQ(ragged.of(Unit::Fma), 3U);
  EXPECT_EQ(ragged.counts.divergent_branches, 1U);
  EXPECT_EQ(ragged.counts.global, (ByteCounts{40, 40}));
}

// Six warp instructions, of which PTX bounds the results of two.
TEST(Counts, ApproximateIsWhatPtxOnlyBounds) {
  const Counted c = count(R"(
.kernel k ()
        mov.f32         %x, 1.5
        sqrt.rn.f32     %y, %x
        sqrt.approx.f32 %y, %x
        div.rn.f32      %z, %x, %y
        div.full.f32    %z, %x, %y
        exit
)",
                          {.lanes = 4});
  ASSERT_TRUE(c.ran.result.ok);
  EXPECT_EQ(c.counts.by_exactness, (std::array<std::uint64_t, kExactnessCount>{4, 2, 0}));
}

// Bytes are what lanes ask for: eight lanes that load one f64 are 64 bytes; a guard that no lane passes moves none.
TEST(Counts, BytesAreThoseThatLanesAskFor) {
  RunSetup setup;
  setup.lanes = 8;
  setup.buffers = {{"input", {0}}, {"output", {0}}};
  const Counted all = count(R"(
.kernel k (in input: f64[], out output: f64[])
        ld.global.f64   %x, input[0]
        setp.gt.u32     %never, %laneid, 7
        @%never st.global.f64 output[0], %x
        setp.eq.u32     %first, %laneid, 0
        @%first st.global.f64 output[0], %x
        exit
)",
                            setup);
  ASSERT_TRUE(all.ran.result.ok);
  EXPECT_EQ(all.counts.global, (ByteCounts{64, 8}));
  EXPECT_EQ(all.counts.instructions, 6U);  // also the one that no lane executes
  EXPECT_EQ(all.counts.divergent_branches, 0U);
}

// A loop counts in each iteration; where lanes have diverged, each group's instruction counts.
TEST(Counts, LoopsAndDivergedLanes) {
  RunSetup setup;
  setup.lanes = 4;
  setup.buffers = {{"output", {0, 0, 0, 0}}};
  const Counted loop = count(R"(
.kernel k (out output: u32[])
        mov.u32         %i, 0
again:  add.u32         %i, %i, 1
        setp.le.u32     %more, %i, %laneid
        @%more bra      again
        vote.any.pred   %any, %more
        st.global.u32   output[%laneid], %i
        exit
)",
                             setup);
  ASSERT_TRUE(loop.ran.result.ok);
  EXPECT_EQ(loop.ran.buffer("output"), (std::vector<std::uint64_t>{1, 2, 3, 4}));
  EXPECT_EQ(loop.counts.instructions, 1U + 4 * 3 + 3);  // lane 3 loops four times, the others with it
  EXPECT_EQ(loop.counts.divergent_branches, 3U);        // in the last iteration no other lane is left
  EXPECT_EQ(loop.counts.votes, 1U);
}

TEST(Counts, CollectivesAreShufflesOnlyWhenExpanded) {
  const std::string text = R"(
.kernel k (in input: f32[], out output: f32[])
        ld.global.f32   %x, input[%gtid]
        reduce.add.f32  %x, %x
        st.global.f32   output[%gtid], %x
        exit
)";
  RunSetup setup;
  setup.lanes = 8;
  setup.buffers = {{"input", std::vector<std::uint64_t>(8, 0)}, {"output", std::vector<std::uint64_t>(8, 0)}};
  const Counted one = count(text, setup);
  EXPECT_EQ(one.counts.collectives, 1U);
  EXPECT_EQ(one.counts.shuffles, 0U);
  const Counted steps = count(disassemble(expand_collectives(*one.ran.program, 8)), setup);
  EXPECT_EQ(steps.counts.collectives, 0U);
  EXPECT_EQ(steps.counts.shuffles, 3U);  // by 4, 2, 1
}

TEST(Counts, RegistersAreWordsAndPredicates) {
  const Assembled made = assemble(R"(
.kernel k (out output: u64[])
        mov.b16         %half, 1
        mov.u32         %word, 2
        mov.u64         %long, 3
        setp.eq.u32     %p|%q, %word, 2
        vote.ballot.mask %lanes, %p
        st.global.u64   output[%laneid], %long
        exit
)",
                                  "k.warp");
  ASSERT_TRUE(made.program) << made.diagnostics.render();
  EXPECT_EQ(count_registers(*made.program, 32), (RegisterCounts{1 + 1 + 2 + 1, 2}));
  EXPECT_EQ(count_registers(*made.program, 64), (RegisterCounts{1 + 1 + 2 + 2, 2}));
}

TEST(Counts, TotalsAreTheMachines) {
  for (const EmbeddedProgram& embedded : embedded_programs()) {
    if (shows_mistakes(embedded.group)) continue;
    const Assembled made = assemble(embedded.text, std::string(embedded.name));
    ASSERT_TRUE(made.program) << made.diagnostics.render();
    for (const Case& one : made.program->cases) {
      const std::variant<PreparedCase, LaunchError> prepared = prepare_case(*made.program, one, {});
      if (std::holds_alternative<LaunchError>(prepared)) continue;  // exempt at 32 lanes
      const PreparedCase& ready = std::get<PreparedCase>(prepared);
      std::variant<Machine, LaunchError> machine = Machine::create(*made.program, ready.config, ready.arguments);
      Counter counter;
      EventSink* const sinks[] = {&counter};
      const RunResult result = std::get<Machine>(machine).run(sinks);
      ASSERT_TRUE(result.ok);
      const Counts& counts = counter.counts();
      EXPECT_EQ(counts.instructions, result.instructions) << embedded.name;
      EXPECT_EQ(std::accumulate(counts.by_unit.begin(), counts.by_unit.end(), std::uint64_t{0}), result.instructions);
      const auto& exactness = counts.by_exactness;
      EXPECT_EQ(std::accumulate(exactness.begin(), exactness.end(), std::uint64_t{0}), result.instructions);
    }
  }
}

}  // namespace
}  // namespace warpsim
