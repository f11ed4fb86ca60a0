// bar.arrive and barriers without .aligned: who waits, who goes on, and when a count begins again.
//
// Shapes: warps of 8 lanes that take roles by their number; the outputs say what was there when somebody went on.
// Source: PTX ISA 9.0, "bar, barrier": arrive does not wait for other warps; a complete barrier begins again; without
//         .aligned the lanes of a warp may come from several instructions.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/run.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;
using Words = std::vector<std::uint64_t>;

// As it is written, in rounds of lanes that diverge, and timed.
std::vector<RunSetup> ways(std::uint32_t warps, std::size_t words) {
  RunSetup plain{.lanes = 8, .block = {8 * warps, 1, 1}, .buffers = {{"out", Words(words)}}};
  std::vector<RunSetup> all(2, plain);
  all[1].reconvergence = Reconvergence::Independent;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    all.push_back(plain);
    all.back().schedule = fuzz_schedule(seed);
  }
  return all;
}

// The producer fills one word while the consumer reads the other: two barriers say full, two say empty.
TEST(Arrivals, AProducerRunsAheadByTwoWords) {
  const std::string text = R"(.kernel k (out out: u32[])
.shared u32 s[16]
    setp.ge.u32 %consumes, %tid.x, 8
    mov.u32 %round, 0
    @%consumes bra consume
produce: and.b32 %at, %round, 1
    setp.lt.u32 %free, %round, 2
    add.u32 %full, %at, 1
    add.u32 %empty, %at, 3
    @!%free bar.sync %empty, 16
    shl.b32 %e, %at, 3
    add.u32 %e, %e, %laneid
    mad.lo.u32 %v, %round, 100, %laneid
    st.shared.u32 s[%e], %v
    bar.arrive %full, 16
    add.u32 %round, %round, 1
    setp.lt.u32 %more, %round, 6
    @%more bra produce
    exit
consume: and.b32 %at, %round, 1
    add.u32 %full, %at, 1
    add.u32 %empty, %at, 3
    bar.sync %full, 16
    shl.b32 %e, %at, 3
    add.u32 %e, %e, %laneid
    ld.shared.u32 %v, s[%e]
    mad.lo.u32 %o, %round, 8, %laneid
    st.global.u32 out[%o], %v
    add.u32 %round, %round, 1
    setp.ge.u32 %last, %round, 5
    @!%last bar.arrive %empty, 16
    setp.lt.u32 %more, %round, 6
    @%more bra consume
    exit
)";
  for (const RunSetup& setup : ways(2, 48)) {
    const Ran ran = run_text(text, setup);
    ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
    for (unsigned n = 0; n < 48; ++n) EXPECT_EQ(ran.buffer("out")[n], n / 8 * 100 + n % 8) << name(setup.schedule);
  }
}

// Who arrives goes on at once: warp 0 stores before warp 1, which waits for that, comes.
TEST(Arrivals, WaitForNoOtherWarp) {
  const Ran ran = run_text(R"(.kernel k (out out: u32[])
.shared u32 s[1]
    setp.ge.u32 %second, %tid.x, 8
    @%second bra wait
    bar.arrive 1, 16
    st.shared.u32 s[0], 7
    exit
wait: ld.shared.u32 %v, s[0]
    setp.ne.u32 %there, %v, 7
    @%there bra wait
    bar.sync 1, 16
    st.global.u32 out[0], %v
    exit
)",
                           ways(2, 1)[0]);
  ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
  EXPECT_EQ(ran.buffer("out")[0], 7U);
}

// Two arrivals fill the count of 16, so that the next two warps meet at a barrier that is empty again.
TEST(Arrivals, AFullCountBeginsAgain) {
  for (const RunSetup& setup : ways(2, 1)) {
    const Ran ran = run_text(R"(.kernel k (out out: u32[])
.shared u32 s[1]
    bar.arrive 1, 16
    bar.sync 0
    setp.lt.u32 %first, %tid.x, 8
    @%first bra wait
    mov.u32 %n, 40
late: sub.u32 %n, %n, 1
    setp.ne.u32 %more, %n, 0
    @%more bra late
    st.shared.u32 s[0], 5
wait: bar.sync 1, 16
    ld.shared.u32 %v, s[0]
    @%first st.global.u32 out[0], %v
    exit
)",
                             setup);
    ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
    EXPECT_EQ(ran.buffer("out")[0], 5U) << name(setup.schedule);
  }
}

// One warp has arrived and ended: the count of three warps lacks one.
TEST(Arrivals, CountInADeadlocksReport) {
  const Ran ran = run_text(R"(.kernel k (out out: u32[])
    setp.ge.u32 %second, %tid.x, 8
    @%second bra wait
    bar.arrive 1, 24
    exit
wait: bar.sync 1, 24
    exit
)",
                           {.lanes = 8, .block = {24, 1, 1}, .buffers = {{"out", Words(1)}}});
  ASSERT_NE(ran.machine, nullptr) << ran.error.message;
  EXPECT_TRUE(ran.result.ok) << "three warps: one arrives, two wait";
  const Ran two = run_text(R"(.kernel k (out out: u32[])
    setp.ge.u32 %second, %tid.x, 8
    @%second bra wait
    bar.arrive 1, 24
    exit
wait: setp.ge.u32 %third, %tid.x, 16
    @%third exit
    bar.sync 1, 24
    exit
)",
                           {.lanes = 8, .block = {24, 1, 1}, .buffers = {{"out", Words(1)}}});
  ASSERT_NE(two.machine, nullptr) << two.error.message;
  ASSERT_FALSE(two.result.ok);
  EXPECT_EQ(code(two.result.trap.code), code(Finding::BarrierStarved));
  EXPECT_EQ(english(two.result.trap.message),
            "the barrier of line 8 (bar) counts 24 threads, only 16 are left: the others have exited");
}

// Warp 1 leaves the second of three rounds out, so that warp 0 waits in the third: the path that is wrong is warp 1's.
TEST(Arrivals, WhoCameLessOftenIsNamed) {
  const Ran ran = run_text(R"(.kernel k (out out: u32[])
    setp.ge.u32 %second, %tid.x, 8
    mov.u32 %n, 0
again: setp.eq.u32 %skip, %n, 1
    and.pred %skip, %skip, %second
    @%skip bra next
    bar.sync 3, 16
next: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 3
    @%more bra again
    exit
)",
                           {.lanes = 8, .block = {16, 1, 1}, .buffers = {{"out", Words(1)}}});
  ASSERT_NE(ran.machine, nullptr) << ran.error.message;
  ASSERT_FALSE(ran.result.ok);
  EXPECT_EQ(code(ran.result.trap.code), code(Finding::BarrierStarved));
  EXPECT_EQ(
      english(ran.result.trap.message),
      "the barrier of line 7 (bar) counts 16 threads, only 8 are left: the others have exited; arrivals at barrier "
      "3: 3 of warp 0, 2 of warp 1, which has ended");
  EXPECT_EQ(english(ran.result.trap.hint),
            "every warp must come as often: look for the path on which warp 1 leaves the barrier out");
}

// Each half of the warp comes by its own line.
TEST(Arrivals, WithoutAlignedLanesComeFromSeveralLines) {
  for (const RunSetup& setup : ways(1, 8)) {
    const Ran ran = run_text(R"(.kernel k (out out: u32[])
.shared u32 s[8]
    setp.lt.u32 %low, %laneid, 4
    st.shared.u32 s[%laneid], %laneid
    @%low bra other
    barrier.cta.sync 2
    bra take
other: barrier.cta.sync 2
take: xor.b32 %j, %laneid, 4
    ld.shared.u32 %v, s[%j]
    st.global.u32 out[%laneid], %v
    exit
)",
                             setup);
    ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
    for (unsigned l = 0; l < 8; ++l) EXPECT_EQ(ran.buffer("out")[l], l ^ 4U) << name(setup.schedule);
  }
}

}  // namespace
}  // namespace warpsim
