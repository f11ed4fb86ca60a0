// An untraced run, in which warps run ahead side by side, is the same as an observed one.
//
// Shapes: more warps than go side by side, several a block, the last one of a block partial or not.
// Errors: none.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/block_runs.h"
#include "tests/support/run.h"

namespace warpsim {
namespace run_ahead_test {

using testing::expect_alike_each_way;
using testing::program_of;
using testing::Ran;
using testing::run_text;
using testing::RunSetup;
using Words = std::vector<std::uint64_t>;

// Warp w loops 1 + w % 5 times. In an iteration, even warps take one path and odd ones the other; every fourth warp's
// lanes diverge. Guards let the lanes below the middle add something else than those above.
constexpr const char* kDifferentWays = R"(.kernel k (in a: u32[], out o: u32[])
    shl.b32 %w, %ctaid.x, 2
    add.u32 %w, %w, %warpid
    rem.u32 %n, %w, 5
    add.u32 %n, %n, 1
    mov.u32 %v, %w
    and.b32 %odd, %w, 1
    and.b32 %four, %w, 3
    setp.ne.u32 %is_odd, %odd, 0
    setp.eq.u32 %parts, %four, 3
    setp.lt.u32 %low, %laneid, WARP_SZ / 2
    and.pred %parts, %parts, %low
again: @%is_odd bra odd
    add.u32 %v, %v, 100
    bra both
odd: add.u32 %v, %v, 10000
both: @%parts bra skip
    add.u32 %v, %v, 1000000
skip: @%low add.u32 %v, %v, 100000000
    @!%low add.u32 %v, %v, 3
    sub.u32 %n, %n, 1
    setp.ne.u32 %more, %n, 0
    @%more bra again
    ld.global.u32 %c, a[%w]
    add.u32 %v, %v, %c
    mad.lo.u32 %i, %w, WARP_SZ, %laneid
    st.global.u32 o[%i], %v
    exit
)";
constexpr unsigned kBlocks = 7, kWarpsPerBlock = 4, kWarps = kBlocks * kWarpsPerBlock;

RunSetup setup(unsigned lanes, std::size_t inputs, unsigned missing_threads = 0) {
  RunSetup s{.lanes = lanes, .grid = {kBlocks, 1, 1}, .block = {kWarpsPerBlock * lanes - missing_threads, 1, 1}};
  s.buffers["a"] = std::vector<std::uint64_t>(inputs, 7);
  s.buffers["o"] = std::vector<std::uint64_t>(std::size_t{kWarps} * lanes, 0);
  return s;
}

Ran watched(const std::string& text, RunSetup s) {
  EventSink sink;
  s.sinks = {&sink};
  return run_text(text, s);
}

void expect_alike(const Ran& plain, const Ran& seen) {
  EXPECT_EQ(plain.result.ok, seen.result.ok);
  EXPECT_EQ(plain.result.cycles, seen.result.cycles);
  EXPECT_EQ(plain.result.instructions, seen.result.instructions);
  EXPECT_EQ(plain.buffer("o"), seen.buffer("o"));
  if (plain.result.ok) return;
  EXPECT_EQ(plain.result.trap.kind, seen.result.trap.kind);
  EXPECT_EQ(english(plain.result.trap.message), english(seen.result.trap.message));
  EXPECT_EQ(plain.result.trap.cycle, seen.result.trap.cycle);
  EXPECT_EQ(plain.result.trap.block, seen.result.trap.block);
  EXPECT_EQ(plain.result.trap.warp, seen.result.trap.warp);
  EXPECT_EQ(plain.result.trap.pc, seen.result.trap.pc);
}

TEST(RunAhead, WarpsThatTakeDifferentPathsEndWhereTheyWouldAlone) {
  for (const unsigned lanes : {4U, 32U, 64U}) {
    const Ran ran = run_text(kDifferentWays, setup(lanes, kWarps));
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    const std::vector<std::uint64_t> o = ran.buffer("o");
    for (unsigned w = 0; w < kWarps; ++w) {
      for (unsigned lane = 0; lane < lanes; ++lane) {
        const bool low = lane < lanes / 2;
        const std::uint64_t a_round =
            (w % 2 == 1 ? 10000U : 100U) + (w % 4 == 3 && low ? 0U : 1000000U) + (low ? 100000000U : 3U);
        EXPECT_EQ(o[w * lanes + lane], w + (1 + w % 5) * a_round + 7) << lanes << " lanes, warp " << w << ", " << lane;
      }
    }
    expect_alike(ran, watched(kDifferentWays, setup(lanes, kWarps)));
  }
}

TEST(RunAhead, PartialWarpsToo) {
  expect_alike(run_text(kDifferentWays, setup(8, kWarps, 3)), watched(kDifferentWays, setup(8, kWarps, 3)));
}

TEST(RunAhead, EveryCycleLimitStopsTheSameWarpAtTheSamePlace) {
  RunSetup s = setup(4, kWarps);
  const std::uint64_t needed = run_text(kDifferentWays, s).result.cycles;
  ASSERT_GT(needed, 30U);
  for (s.max_cycles = 1; s.max_cycles <= needed; ++s.max_cycles) {
    SCOPED_TRACE(s.max_cycles);
    const Ran plain = run_text(kDifferentWays, s);
    EXPECT_EQ(plain.result.ok, s.max_cycles == needed);
    expect_alike(plain, watched(kDifferentWays, s));
  }
}

TEST(RunAhead, WhatRanAheadOfAFaultDoesNotCount) {
  for (unsigned inputs = 0; inputs < kWarps; ++inputs) {
    SCOPED_TRACE(inputs);
    const Ran plain = run_text(kDifferentWays, setup(4, inputs));
    EXPECT_EQ(plain.result.trap.kind, TrapKind::OutOfBounds);
    expect_alike(plain, watched(kDifferentWays, setup(4, inputs)));
  }
}

// Blocks that wait begin where others have ended, which no warp may run ahead of where it can be seen.
TEST(RunAhead, BlocksThatWaitBeginAtTheSameCycles) {
  for (std::uint64_t resident = 1; resident <= 3; ++resident) {
    RunSetup s = setup(4, kWarps);
    s.resident_blocks = resident;
    const Ran whole = run_text(kDifferentWays, s);
    ASSERT_TRUE(whole.result.ok);
    EXPECT_EQ(whole.buffer("o"), run_text(kDifferentWays, setup(4, kWarps)).buffer("o"));
    for (s.max_cycles = 1; s.max_cycles <= whole.result.cycles; s.max_cycles += 3) {
      SCOPED_TRACE(std::to_string(resident) + " resident, " + std::to_string(s.max_cycles) + " cycles");
      expect_alike(run_text(kDifferentWays, s), watched(kDifferentWays, s));
    }
    for (unsigned inputs = 0; inputs < kWarps; ++inputs) {
      SCOPED_TRACE(std::to_string(resident) + " resident, " + std::to_string(inputs) + " inputs");
      RunSetup few = setup(4, inputs);
      few.resident_blocks = resident;
      expect_alike(run_text(kDifferentWays, few), watched(kDifferentWays, few));
    }
  }
}

// The warps of a block leave a barrier in the cycle after the last one came, and not before it can their instructions
// count: whichever other warp then fails.
TEST(RunAhead, WarpsThatABarrierHeldBackHaveNotIssuedMeanwhile) {
  const std::string text = R"(.kernel k (in a: u32[], out o: u32[])
    mad.lo.u32 %n, %warpid, 3, 1
    setp.ne.u32 %waits, %ctaid.x, 0
    @!%waits mad.lo.u32 %n, %warpid, 2, 4
again: sub.u32 %n, %n, 1
    setp.ne.u32 %more, %n, 0
    @%more bra again
    @!%waits bra loads
    bar.sync 0
    add.u32 %n, %n, 5
    add.u32 %n, %n, 5
    exit
loads: ld.global.u32 %c, a[%warpid]
    exit
)";
  for (unsigned inputs = 0; inputs < kWarpsPerBlock; ++inputs) {
    SCOPED_TRACE(inputs);
    expect_alike(run_text(text, setup(4, inputs)), watched(text, setup(4, inputs)));
  }
}

// ---- one warp within its own turn

// Lanes leave the loop one after another, in each round half of those in it skip something, and who leaves waits longer
// than its patience lasts: 62 rounds are 434 issues a lane more.
TEST(RunAlone, DivergingLanesAreTheSameWatchedOrNot) {
  const Program program = program_of(R"(.kernel k (out o: u32[], inout c: u32[1])
    mov.u32 %n, 0
    mov.u32 %s, 0
    and.b32 %side, %laneid, 1
    mad.lo.u32 %limit, %laneid, 62, 3
again: add.u32 %n, %n, 1
    and.b32 %odd, %n, 1
    setp.eq.u32 %p, %odd, %side
    @%p bra skip
    add.u32 %s, %s, %n
skip: setp.lt.u32 %more, %n, %limit
    @%more bra again
    atom.global.add.u32 %old, c[0], %s
    st.global.u32 o[%gtid], %s
    exit
)");
  for (const unsigned lanes : {8U, 32U, 64U}) {
    LaunchConfig config{.lanes = lanes, .block = {lanes * 2 - 3, 1, 1}};
    config.max_cycles = kNoCycleLimit;
    config.schedule = kBlocksSchedule;
    config.reconvergence = Reconvergence::Independent;
    const Arguments arguments{{}, {{"o", {Type::U32, Words(lanes * 2 - 3)}}, {"c", {Type::U32, {0}}}}};
    const testing::Outputs ran = expect_alike_each_way(program, config, arguments);
    std::uint64_t sum = 0;
    for (std::size_t thread = 0; thread < lanes * 2 - 3; ++thread) {
      const std::uint64_t lane = thread % lanes;
      std::uint64_t s = 0;
      for (std::uint64_t n = 1; n <= std::max<std::uint64_t>(lane * 62 + 3, 1); ++n) s += n % 2 != lane % 2 ? n : 0;
      EXPECT_EQ(ran.arrays.at("o").bits[thread], s) << thread;
      sum += s;
    }
    EXPECT_EQ(ran.arrays.at("c").bits[0], sum);
  }
}

// A body and an else with a loop in it, a `break`, and a `continue`; each lane has its own path.
TEST(RunAlone, PathsOfStructuredCodeAreTheSameInMachineCode) {
  const Program program = program_of(R"(.kernel k (out o: u32[])
    mov.u32 %n, 0
    mov.u32 %s, 1
    and.b32 %kind, %laneid, 3
    setp.eq.u32 %loops, %kind, 1
    setp.eq.u32 %leaves, %kind, 2
again: add.u32 %n, %n, 1
    setp.gt.u32 %past, %n, %laneid
    and.pred %last, %past, %leaves
    @%last bra behind
    @%loops bra inner
    add.u32 %s, %s, %n
    setp.eq.u32 %zero, %kind, 0
    @!%zero bra both
    mad.lo.u32 %s, %s, 3, 1
    bra next
inner: mov.u32 %k, 0
round: mad.lo.u32 %s, %s, 5, %k
    add.u32 %k, %k, 1
    setp.lt.u32 %inner_more, %k, %laneid
    @%inner_more bra round
both: xor.b32 %s, %s, 0x55
next: setp.lt.u32 %more, %n, 40
    @%more bra again
    add.u32 %s, %s, 7
behind: st.global.u32 o[%gtid], %s
    exit
)");
  for (const unsigned lanes : {8U, 32U}) {
    LaunchConfig config{.lanes = lanes, .block = {lanes * 2 - 3, 1, 1}};
    config.schedule = kBlocksSchedule;
    config.reconvergence = Reconvergence::Independent;
    const Arguments arguments{{}, {{"o", {Type::U32, Words(lanes * 2 - 3)}}}};
    const testing::Outputs ran = expect_alike_each_way(program, config, arguments);
    for (std::size_t thread = 0; thread < lanes * 2 - 3; ++thread) {
      const std::uint32_t lane = static_cast<std::uint32_t>(thread % lanes), kind = lane & 3;
      std::uint32_t s = 1, n = 1;
      for (; n <= 40 && !(kind == 2 && n > lane); ++n) {
        if (kind == 1)
          for (std::uint32_t k = 0; k < lane; ++k) s = s * 5 + k;
        else s += n;
        s = kind == 0 ? s * 3 + 1 : s ^ 0x55;
      }
      if (n > 40) s += 7;
      EXPECT_EQ(ran.arrays.at("o").bits[thread], s) << thread;
    }
  }
}

// Pairs of double words side by side, and with gaps; neighbours' words and double words of some lanes, and others.
TEST(RunAlone, NeighboursAreTheSameInMachineCode) {
  const Program program = program_of(R"(.kernel k (in i: u64[], out o: u64[], out p: u32[])
    mov.u64 %from, i
    mov.u64 %to, o
    mov.u64 %words, p
    mov.u32 %n, 3
    and.b32 %odd, %laneid, 1
    setp.eq.u32 %some, %odd, 0
again: mul.lo.u32 %step, %n, 16
    mad.wide.u32 %at, %laneid, %step, %from
    ld.global.v2.u64 {%x, %y}, [%at]
    mad.wide.u32 %at, %laneid, %step, %to
    st.global.v2.u64 [%at], {%y, %x}
    mul.lo.u32 %step, %n, 4
    mad.wide.u32 %at, %laneid, %step, %words
    @%some ld.global.u32 %w, [%at]
    @%some add.u32 %w, %w, %n
    @%some st.global.u32 [%at], %w
    mul.lo.u32 %step, %n, 8
    mad.wide.u32 %at, %laneid, %step, %to
    @!%some ld.global.u64 %x, [%at]
    @!%some add.u64 %x, %x, 1
    @!%some st.global.u64 [%at], %x
    sub.u32 %n, %n, 1
    setp.ne.u32 %more, %n, 0
    @%more bra again
    exit
)");
  for (const unsigned lanes : {8U, 32U}) {
    LaunchConfig config{.lanes = lanes, .block = {lanes, 1, 1}};
    config.schedule = kBlocksSchedule;
    config.reconvergence = Reconvergence::Independent;
    Words input;
    for (std::uint64_t k = 0; k < 6 * lanes; ++k) input.push_back(k << 32 | (1000 - k));
    const Arguments arguments{
        {}, {{"i", {Type::U64, input}}, {"o", {Type::U64, Words(6 * lanes)}}, {"p", {Type::U32, Words(3 * lanes)}}}};
    const testing::Outputs ran = expect_alike_each_way(program, config, arguments);
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    Words o(6 * lanes), p(3 * lanes);
    for (std::size_t n = 3; n != 0; --n) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        o[lane * n * 2] = input[lane * n * 2 + 1];
        o[lane * n * 2 + 1] = input[lane * n * 2];
      }
      for (std::size_t lane = 0; lane < lanes; ++lane)
        if (lane % 2 == 0) p[lane * n] += n;
        else ++o[lane * n];
    }
    EXPECT_EQ(ran.arrays.at("o").bits, o);
    EXPECT_EQ(ran.arrays.at("p").bits, p);
  }
}

TEST(RunAlone, ABreakpointIsNotedAlsoInMachineCode) {
  LaunchConfig config{.schedule = kBlocksSchedule, .engine = EngineChoice::Compiled};
  EXPECT_EQ(
      testing::outputs_of(program_of(".kernel k ()\n mov.u32 %a, 1\n brkpt\n exit\n"), config, {}).result.breakpoint,
      1);
}

// A third of the lanes vote, match and reduce among themselves and shuffle, then all; atomics are in rising order.
TEST(RunAlone, WhatLanesDoTogetherIsTheSameWatchedOrNot) {
  const Program program = program_of(R"(.kernel k (out o: u32[], inout c: u32[2])
    rem.u32 %r, %laneid, 3
    setp.eq.u32 %third, %r, 1
    setp.lt.u32 %low, %laneid, 16
    mov.u32 %mask, 0x92492492
    @!%third mov.u32 %mask, 0x6db6db6d
    @!%third bra others
    vote.sync.ballot.b32 %a, %low, %mask
    redux.sync.add.u32 %b, %laneid, %mask
    bra both
others: activemask.b32 %a
    and.b32 %v, %laneid, 4
    match.any.b32 %b, %v, %mask
both: mul.lo.u32 %i, %laneid, 4
    vote.sync.ballot.b32 %all, %third, 0xffffffff
    atom.global.add.u32 %old, c[0], 1
    @%third atom.global.max.u32 %top, c[1], %laneid
    st.global.u32 o[%i], %a
    add.u32 %i, %i, 1
    st.global.u32 o[%i], %b
    add.u32 %i, %i, 1
    st.global.u32 o[%i], %all
    add.u32 %i, %i, 1
    st.global.u32 o[%i], %old
    exit
)");
  LaunchConfig config{.lanes = 32};
  config.schedule = kBlocksSchedule;
  config.reconvergence = Reconvergence::Independent;
  const Arguments arguments{{}, {{"o", {Type::U32, Words(128)}}, {"c", {Type::U32, {0, 0}}}}};
  const testing::Outputs ran = expect_alike_each_way(program, config, arguments);
  ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  const Words& o = ran.arrays.at("o").bits;
  const std::uint64_t thirds = 0x92492492;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    const bool is_third = lane % 3 == 1;
    std::uint64_t sum = 0, same = 0;
    for (std::uint64_t other = 0; other < 32; ++other) {
      if (other % 3 == 1) sum += other;
      else if ((other & 4) == (lane & 4)) same |= std::uint64_t{1} << other;
    }
    EXPECT_EQ(o[lane * 4], is_third ? thirds & 0xffff : thirds ^ 0xffffffff) << lane;
    EXPECT_EQ(o[lane * 4 + 1], is_third ? sum : same) << lane;
    EXPECT_EQ(o[lane * 4 + 2], thirds) << lane;
    EXPECT_EQ(o[lane * 4 + 3], lane) << "in rising order";
  }
  EXPECT_EQ(ran.arrays.at("c").bits, (Words{32, 31}));
}

}  // namespace run_ahead_test
}  // namespace warpsim
