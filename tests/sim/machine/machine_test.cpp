// The machine: lanes, masks, divergence, reconvergence, barriers, memory, cycles and traps.
#include "sim/machine/machine.h"

#include <gtest/gtest.h>

#include <numeric>

#include "sim/launch/launch.h"
#include "tests/support/run.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;

using Words = std::vector<std::uint64_t>;

Words zeros(std::size_t n) { return Words(n, 0); }

// One word a lane in the buffer `o`, and what a warp leaves there.
Ran run_one_warp(const std::string& text, unsigned lanes) {
  return run_text(text, {.lanes = lanes, .buffers = {{"o", zeros(lanes)}}});
}
Words stored(const std::string& text, unsigned lanes) {
  const Ran ran = run_one_warp(text, lanes);
  EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  return ran.buffer("o");
}

TEST(Machine, StoresTheThreadNumberAtEveryLaneCount) {
  for (unsigned lanes : kLaneCounts) {
    const Ran ran = run_text(".kernel k (out o: u32[])\n st.global.u32 o[%gtid], %gtid\n exit\n",
                             {.lanes = lanes, .grid = {3, 1, 1}, .buffers = {{"o", zeros(3 * lanes)}}});
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    std::vector<std::uint64_t> expected(3 * lanes);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(ran.buffer("o"), expected);
    EXPECT_EQ(ran.result.cycles, 2U);  // two instructions, all warps side by side
    EXPECT_EQ(ran.result.instructions, 6U);
  }
}

TEST(Machine, ThreeDimensionalBlocksNumberThreadsAsCudaDoes) {
  // 4 x 3 x 2 threads on 8 lanes: three warps. Each thread stores its coordinates at its linear number.
  const std::string text = R"(.kernel k (out o: u32[])
    mad.lo.u32 %n, %tid.z, %ntid.y, %tid.y
    mad.lo.u32 %n, %n, %ntid.x, %tid.x
    mad.lo.u32 %v, %tid.z, 100, %laneid
    mad.lo.u32 %v, %tid.y, 1000, %v
    mad.lo.u32 %v, %tid.x, 10000, %v
    st.global.u32 o[%n], %v
    exit
)";
  const Ran ran = run_text(text, {.lanes = 8, .block = {4, 3, 2}, .buffers = {{"o", zeros(24)}}});
  ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  for (unsigned t = 0; t < 24; ++t) {
    EXPECT_EQ(ran.buffer("o")[t], t % 4 * 10000 + t / 4 % 3 * 1000 + t / 12 * 100 + t % 8) << "thread " << t;
  }
}

TEST(Machine, IfElseBothPathsRunAndReconverge) {
  const std::string text = R"(.kernel k (out o: u32[])
    setp.lt.u32 %low, %laneid, 3
    @!%low bra other
    mov.u32 %v, 10
    bra meet
other: mov.u32 %v, 20
meet: activemask.mask %m
    popc.mask %n, %m
    add.u32 %v, %v, %n
    st.global.u32 o[%gtid], %v
    exit
)";
  for (unsigned lanes : {4U, 8U, 32U, 64U}) {
    const Ran ran = run_text(text, {.lanes = lanes, .buffers = {{"o", zeros(lanes)}}});
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    for (unsigned l = 0; l < lanes; ++l) EXPECT_EQ(ran.buffer("o")[l], (l < 3 ? 10 : 20) + lanes);
    EXPECT_EQ(ran.result.cycles, 10U);  // 2 + (mov, bra) + mov + 5: groups take turns
  }
}

TEST(Machine, LoopsShedLanesAndAllConvergeAtTheEnd) {
  // Lane l loops l + 1 times.
  const std::string text = R"(.kernel k (out o: u32[], out m: u32[])
    mov.u32 %v, 0
again: add.u32 %v, %v, 1
    setp.le.u32 %more, %v, %laneid
    @%more bra again
    activemask.mask %mask
    popc.mask %n, %mask
    st.global.u32 o[%gtid], %v
    st.global.u32 m[%gtid], %n
    exit
)";
  for (unsigned lanes : {4U, 32U, 64U}) {
    const Ran ran = run_text(text, {.lanes = lanes, .buffers = {{"o", zeros(lanes)}, {"m", zeros(lanes)}}});
    ASSERT_TRUE(ran.result.ok);
    for (unsigned l = 0; l < lanes; ++l) {
      EXPECT_EQ(ran.buffer("o")[l], l + 1);
      EXPECT_EQ(ran.buffer("m")[l], lanes);
    }
    EXPECT_EQ(ran.result.cycles, 1 + 3 * lanes + 5);
  }
}

TEST(Machine, NestedDivergenceWithEarlyExit) {
  const std::string text = R"(.kernel k (out o: u32[])
    setp.ge.u32 %out, %laneid, 6
    @%out exit
    and.b32 %odd, %laneid, 1
    setp.ne.u32 %p, %odd, 0
    @%p bra odd
    setp.eq.u32 %two, %laneid, 2
    @%two exit
    mov.u32 %v, 1
    bra done
odd: mov.u32 %v, 2
done: activemask.mask %m
    popc.mask %n, %m
    mad.lo.u32 %v, %v, 10, %n
    st.global.u32 o[%gtid], %v
    exit
)";
  EXPECT_EQ(stored(text, 8), (Words{15, 25, 0, 25, 15, 25, 0, 0}));
}

// The H200's own three cases (isa/program/cfg.h): a return inside an if, in a longer path, and in a loop does not keep
// the others diverged.
TEST(Machine, EarlyExitsDoNotKeepTheOthersDiverged) {
  const std::string text = R"(.kernel k (out a: b32[], out b: b32[], out c: b32[])
    mov.u32 %x, %laneid
    and.b32 %t, %x, 1
    setp.ne.u32 %odd, %t, 0
    @%odd bra odd
    setp.eq.u32 %p, %x, 2
    @%p exit
    mov.u32 %v, 3
    bra first
odd: mov.u32 %v, 2
first: activemask.b32 %m
    st.global.b32 a[%gtid], %m
    and.b32 %t, %x, 4
    setp.eq.u32 %p, %t, 0
    @%p bra low
    setp.ne.u32 %p, %x, 5
    @%p bra stay
    mov.u32 %v, 9
    mov.u32 %v, 8
    exit
stay: mov.u32 %v, 5
    bra second
low: mov.u32 %v, 6
second: activemask.b32 %m
    st.global.b32 b[%gtid], %m
    mov.u32 %i, 0
again: setp.eq.u32 %seven, %i, 7
    setp.eq.u32 %twenty, %x, 20
    and.pred %p, %seven, %twenty
    @%p exit
    add.u32 %i, %i, 1
    setp.lt.u32 %more, %i, %x
    @%more bra again
    activemask.b32 %m
    st.global.b32 c[%gtid], %m
    exit
)";
  const Ran ran = run_text(text, {.lanes = 32, .buffers = {{"a", zeros(32)}, {"b", zeros(32)}, {"c", zeros(32)}}});
  ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  for (unsigned l = 0; l < 32; ++l) {
    EXPECT_EQ(ran.buffer("a")[l], l == 2 ? 0 : 0xfffffffbU) << "lane " << l;
    EXPECT_EQ(ran.buffer("b")[l], l == 2 || l == 5 ? 0 : 0xffffffdbU) << "lane " << l;
    EXPECT_EQ(ran.buffer("c")[l], l == 2 || l == 5 || l == 20 ? 0 : 0xffefffdbU) << "lane " << l;
  }
}

TEST(Machine, BothPathsOfABranchMayConvergeAtDifferentWarpBarriers) {
  const std::string text = R"(.kernel k (out o: u32[])
    setp.lt.u32 %low, %laneid, 2
    @%low bra left
    bar.warp.sync
    bra done
left: bar.warp.sync
done: st.global.u32 o[%gtid], 7
    exit
)";
  EXPECT_EQ(stored(text, 4), (Words{7, 7, 7, 7}));
}

TEST(Machine, APartialMaskShufflesInsideABranch) {
  const std::string text = R"(.kernel k (out o: u32[])
    setp.lt.u32 %low, %laneid, 4
    mov.u32 %v, %laneid
    @!%low bra done
    shfl.bfly.b32 %v, %v, 1, mask=0xf
done: st.global.u32 o[%gtid], %v
    exit
)";
  EXPECT_EQ(stored(text, 8), (Words{1, 0, 3, 2, 4, 5, 6, 7}));
}

TEST(Machine, AFullMaskInsideABranchDeadlocksAndSaysWhereEverybodyIs) {
  const std::string text = R"(.kernel k (out o: u32[])
    setp.lt.u32 %low, %laneid, 4
    mov.u32 %v, %laneid
    @!%low bra done
    shfl.idx.b32 %v, %v, 5
done: st.global.u32 o[%gtid], %v
    exit
)";
  const Ran ran = run_one_warp(text, 8);
  ASSERT_FALSE(ran.result.ok);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Deadlock);
  ASSERT_EQ(ran.result.trap.places.size(), 2U);
  EXPECT_EQ(ran.result.trap.places[0].lanes, 0xfU);
  EXPECT_EQ(ran.result.trap.places[0].pc, 3);
  EXPECT_EQ(ran.result.trap.places[1].lanes, 0xf0U);
  EXPECT_EQ(ran.result.trap.places[1].pc, 4);
}

TEST(Machine, TwoShufflesUnderOneMaskAreAMistake) {
  const std::string text = R"(.kernel k (out o: u32[])
    setp.lt.u32 %low, %laneid, 2
    mov.u32 %v, %laneid
    @%low bra left
    shfl.idx.b32 %v, %v, 0
    bra done
left: shfl.idx.b32 %v, %v, 1
done: st.global.u32 o[%gtid], %v
    exit
)";
  const Ran ran = run_one_warp(text, 4);
  ASSERT_FALSE(ran.result.ok);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::ShuffleMismatch);
  EXPECT_EQ(ran.result.trap.lanes, 0xfU);
}

TEST(Machine, LanesNotInTheirOwnMaskTrap) {
  const Ran ran = run_text(".kernel k (out o: u32[])\n mov.u32 %v, %laneid\n shfl.idx.b32 %v, %v, 0, mask=0x3\n exit\n",
                           {.lanes = 4, .buffers = {{"o", zeros(4)}}});
  ASSERT_FALSE(ran.result.ok);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::MemberMask);
  EXPECT_EQ(ran.result.trap.lanes, 0xcU);
}

TEST(Machine, ExitedLanesMayBeNamedAndGiveZero) {
  // Lanes 2 and 3 have exited; lane 0 reads lane 2 (0 on the H200), lane 1 reads lane 0.
  const std::string text = R"(.kernel k (out o: u32[])
    setp.ge.u32 %gone, %laneid, 2
    @%gone exit
    add.u32 %v, %laneid, 100
    setp.eq.u32 %zero, %laneid, 0
    selp.u32 %from, 2, 0, %zero
    shfl.idx.b32 %w, %v, %from
    st.global.u32 o[%gtid], %w
    exit
)";
  const Ran ran = run_text(text, {.lanes = 4, .buffers = {{"o", {9, 9, 9, 9}}}});
  ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  EXPECT_EQ(ran.buffer("o"), (Words{0, 100, 9, 9}));
}

TEST(Machine, WarpsExchangeThroughSharedMemoryAcrossABarrier) {
  const std::string text = R"(.kernel k (out o: u32[])
.shared u32 tile[64]
    st.shared.u32 tile[%tid.x], %tid.x
    bar.sync 0
    sub.u32 %n, %ntid.x, 1
    sub.u32 %n, %n, %tid.x
    ld.shared.u32 %v, tile[%n]
    st.global.u32 o[%gtid], %v
    exit
)";
  for (unsigned lanes : {4U, 8U, 32U}) {
    const Ran ran = run_text(text, {.lanes = lanes, .block = {40, 1, 1}, .buffers = {{"o", zeros(40)}}});
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    for (unsigned t = 0; t < 40; ++t) EXPECT_EQ(ran.buffer("o")[t], 39 - t);
  }
}

TEST(Machine, AnExitedWarpCountsAsArrivedUnlessACountIsGiven) {
  const std::string body = R"(
    setp.ge.u32 %second, %tid.x, 4
    @%second exit
    BARRIER
    st.global.u32 o[%gtid], 1
    exit
)";
  const auto with = [&](const std::string& barrier) {
    std::string text = ".kernel k (out o: u32[])" + body;
    text.replace(text.find("BARRIER"), 7, barrier);
    return run_text(text, {.lanes = 4, .block = {8, 1, 1}, .buffers = {{"o", zeros(8)}}});
  };
  EXPECT_TRUE(with("bar.sync 0").result.ok);
  EXPECT_TRUE(with("bar.sync 0, 4").result.ok);
  const Ran starved = with("bar.sync 0, 8");
  ASSERT_FALSE(starved.result.ok);
  EXPECT_EQ(starved.result.trap.kind, TrapKind::Deadlock);
  EXPECT_NE(english(starved.result.trap.places[0].waits_for).find("4 threads of 8"), std::string::npos)
      << english(starved.result.trap.places[0].waits_for);
}

// The third warp waits for what the two do after their barrier, and never arrives at one.
TEST(Machine, ABarrierOfSomeThreadsDoesNotWaitForTheOthers) {
  RunSetup setup;
  setup.lanes = 4;
  setup.block.x = 12;
  setup.buffers["o"] = zeros(12);
  const Ran ran = run_text(R"(.kernel k (out o: u32[])
.shared u32 flag[1]
        mov.u32         %one, 1
        setp.lt.u32     %two, %tid.x, 8
        @%two bra       together
spin:   ld.shared.u32   %f, flag[0]
        setp.eq.u32     %again, %f, 0
        @%again bra     spin
        exit
together: bar.sync      1, 8
        st.shared.u32   flag[0], %one
        exit
)",
                           setup);
  EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
}

TEST(Machine, ABarrierWaitsForTheSlowestWarp) {
  // Warp 1 loops first; no warp passes before it has arrived.
  const std::string text = R"(.kernel k (out o: u32[])
    setp.lt.u32 %fast, %tid.x, 4
    mov.u32 %n, 0
    @%fast bra ready
again: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 10
    @%more bra again
    st.global.u32 o[1], 5
ready: bar.sync 0
    ld.global.u32 %v, o[1]
    @%fast st.global.u32 o[0], %v
    exit
)";
  const Ran ran = run_text(".kernel k (inout o: u32[])" + text.substr(text.find('\n')),
                           {.lanes = 4, .block = {8, 1, 1}, .buffers = {{"o", {0, 0}}}});
  ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  EXPECT_EQ(ran.buffer("o"), (Words{5, 5}));
  EXPECT_EQ(ran.result.cycles, 38U);  // warp 1: 3 + 30 + 1 + 1 (barrier in cycle 35), then three more
}

TEST(Machine, IndexAndPointerHaveTheSameBounds) {
  const Ran index =
      run_text(".kernel k (in a: f32[], out o: u32[])\n add.u32 %i, %laneid, 6\n ld.global.f32 %v, a[%i]\n exit\n",
               {.lanes = 4, .buffers = {{"a", zeros(8)}, {"o", {}}}});
  ASSERT_FALSE(index.result.ok);
  EXPECT_EQ(index.result.trap.kind, TrapKind::OutOfBounds);
  EXPECT_EQ(index.result.trap.lanes, 0xcU);
  EXPECT_EQ(english(index.result.trap.message),
            "lane 2 reads a[8], 1 element past the end of its 8; so does 1 other lane");
  const Ran pointer =
      run_text(".kernel k (in a: f32[], out o: u32[])\n mov.u64 %p, a\n ld.global.f32 %v, [%p+40]\n exit\n",
               {.lanes = 4, .buffers = {{"a", zeros(8)}, {"o", {}}}});
  ASSERT_FALSE(pointer.result.ok);
  EXPECT_EQ(pointer.result.trap.kind, TrapKind::OutOfBounds);
  EXPECT_NE(english(pointer.result.trap.message).find("8 bytes past the end of a"), std::string::npos)
      << english(pointer.result.trap.message);
  const Ran negative =
      run_text(".kernel k (in a: f32[], out o: u32[])\n sub.s32 %i, %laneid, 1\n ld.global.f32 %v, a[%i]\n exit\n",
               {.lanes = 4, .buffers = {{"a", zeros(8)}, {"o", {}}}});
  ASSERT_FALSE(negative.result.ok);
  EXPECT_EQ(english(negative.result.trap.message), "lane 0 reads a[-1], 1 element before the start of its 8");
}

TEST(Machine, MisalignedAndReadOnlyAccessesTrap) {
  const Ran misaligned =
      run_text(".kernel k (in a: f32[], out o: u32[])\n mov.u64 %p, a\n ld.global.f32 %v, [%p+2]\n exit\n",
               {.lanes = 4, .buffers = {{"a", zeros(8)}, {"o", {}}}});
  ASSERT_FALSE(misaligned.result.ok);
  EXPECT_EQ(misaligned.result.trap.kind, TrapKind::Misaligned);
  const Ran read_only =
      run_text(".kernel k (in a: f32[], out o: u32[])\n mov.u64 %p, a\n st.global.f32 [%p], 1.0\n exit\n",
               {.lanes = 4, .buffers = {{"a", zeros(8)}, {"o", {}}}});
  ASSERT_FALSE(read_only.result.ok);
  EXPECT_EQ(read_only.result.trap.kind, TrapKind::ReadOnly);
}

TEST(Machine, AnEndlessLoopEndsAtTheLimit) {
  const std::string text = ".kernel k (out o: u32[])\nagain: add.u32 %n, %laneid, 1\n bra again\n exit\n";
  std::vector<EventSink*> none;
  EventSink sink;
  // Before it can be known that it is endless: a state is kept from cycle 256 on.
  for (const std::vector<EventSink*>& sinks : {none, std::vector<EventSink*>{&sink}}) {
    const Ran ran = run_text(text, {.lanes = 8, .max_cycles = 200, .buffers = {{"o", {}}}, .sinks = sinks});
    ASSERT_FALSE(ran.result.ok);
    EXPECT_EQ(ran.result.trap.kind, TrapKind::CycleLimit);
    EXPECT_EQ(ran.result.cycles, 200U);
    EXPECT_EQ(ran.result.instructions, 200U);
  }
}

TEST(Machine, ATrapCountsTheSameWithAndWithoutSinks) {
  // Warp 1 runs ahead of warp 0's fault, but what it did after the fault does not count.
  const std::string text = R"(.kernel k (in a: u32[], out o: u32[])
    setp.lt.u32 %first, %tid.x, 4
    mov.u32 %i, 99
    @%first ld.global.u32 %v, a[%i]
    mov.u32 %n, 0
again: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 100
    @%more bra again
    exit
)";
  EventSink sink;
  const RunSetup setup{.lanes = 4, .grid = {2, 1, 1}, .block = {8, 1, 1}, .buffers = {{"a", zeros(4)}, {"o", {}}}};
  RunSetup watched = setup;
  watched.sinks = {&sink};
  const Ran plain = run_text(text, setup), traced = run_text(text, watched);
  ASSERT_FALSE(plain.result.ok);
  ASSERT_FALSE(traced.result.ok);
  EXPECT_EQ(english(plain.result.trap.message), english(traced.result.trap.message));
  EXPECT_EQ(plain.result.cycles, traced.result.cycles);
  EXPECT_EQ(plain.result.instructions, traced.result.instructions);
}

TEST(Machine, RefusesLaunchesThatMakeNoSense) {
  for (unsigned lanes : {0U, 3U, 65U, 128U}) {
    const Ran ran = run_text(".kernel k (out o: u32[])\n exit\n", {.lanes = lanes, .buffers = {{"o", {}}}});
    EXPECT_EQ(ran.machine, nullptr);
    EXPECT_EQ(ran.error.code, "L001");
  }
}

TEST(Machine, CollectivesGiveTheBitsOfTheirExpansion) {
  // A float sum whose result depends on the order of additions.
  const std::string text = R"(.kernel k (in a: f32[], out r: f32[], out s: f32[], out x: f32[])
    ld.global.f32 %v, a[%gtid]
    reduce.add.f32 %r, %v
    scan.add.f32 %s, %v
    scan.add.exclusive.f32 %x, %v
    st.global.f32 r[%gtid], %r
    st.global.f32 s[%gtid], %s
    st.global.f32 x[%gtid], %x
    exit
)";
  for (unsigned lanes : kLaneCounts) {
    std::vector<std::uint64_t> a(lanes);
    std::vector<float> v(lanes);
    for (unsigned l = 0; l < lanes; ++l) {
      v[l] = (l % 3 == 0 ? 1e8F : 0.1F) * static_cast<float>(l + 1) * (l % 2 == 0 ? 1.0F : -1.0F);
      a[l] = __builtin_bit_cast(std::uint32_t, v[l]);
    }
    std::vector<float> sum = v, scan = v;
    for (unsigned o = lanes / 2; o > 0; o /= 2) {
      const std::vector<float> before = sum;
      for (unsigned l = 0; l < lanes; ++l) sum[l] = before[l] + before[l ^ o];
    }
    for (unsigned o = 1; o < lanes; o *= 2) {
      const std::vector<float> before = scan;
      for (unsigned l = o; l < lanes; ++l) scan[l] = before[l] + before[l - o];
    }
    const Ran ran = run_text(
        text, {.lanes = lanes, .buffers = {{"a", a}, {"r", zeros(lanes)}, {"s", zeros(lanes)}, {"x", zeros(lanes)}}});
    ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
    for (unsigned l = 0; l < lanes; ++l) {
      EXPECT_EQ(ran.buffer("r")[l], __builtin_bit_cast(std::uint32_t, sum[l]));
      EXPECT_EQ(ran.buffer("s")[l], __builtin_bit_cast(std::uint32_t, scan[l]));
      EXPECT_EQ(ran.buffer("x")[l], l == 0 ? 0 : __builtin_bit_cast(std::uint32_t, scan[l - 1]));
    }
  }
}

TEST(Machine, ACollectiveWithAPartialMaskTraps) {
  const Ran ran = run_text(
      ".kernel k (out o: u32[])\n setp.lt.u32 %p, %laneid, 2\n @!%p bra done\n reduce.add.u32 %v, %laneid, 0x3\ndone: "
      "exit\n",
      {.lanes = 4, .buffers = {{"o", {}}}});
  ASSERT_FALSE(ran.result.ok);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::PartialCollective);
}

}  // namespace
}  // namespace warpsim
