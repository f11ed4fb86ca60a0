// Barriers in shared memory: phases, states and parities, counts, and what stops a run.
//
// Shapes: warps of 8 lanes; the outputs say what was there when a wait was over.
// Source: PTX ISA 9.0, "mbarrier" (9.7.13.15): a phase is complete once its arrivals have come, and the next begins;
//         test_wait takes the state of an arrival, or the parity of the current phase or the one before.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "isa/assembly/disassembler.h"
#include "tests/support/run.h"

namespace warpsim {
namespace {

using testing::Ran;
using testing::run_text;
using testing::RunSetup;
using Words = std::vector<std::uint64_t>;

std::vector<RunSetup> mbarrier_setups(std::uint32_t warps, std::size_t words) {
  RunSetup plain{.lanes = 8, .block = {8 * warps, 1, 1}, .buffers = {{"out", Words(words)}}};
  std::vector<RunSetup> all(2, plain);
  all[1].reconvergence = Reconvergence::Independent;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    all.push_back(plain);
    all.back().schedule = fuzz_schedule(seed);
  }
  return all;
}

// Every thread arrives and waits by its state, three phases long; each phase's words are the neighbours' of the last.
TEST(Mbarrier, APhaseIsCompleteAfterItsArrivals) {
  const std::string text = R"(.kernel k (out out: u32[])
.shared b64 bar[1]
.shared u32 s[96]
    setp.eq.u32 %first, %tid.x, 0
    @%first mbarrier.init.shared.b64 bar[0], 32
    bar.sync 0
    mov.u32 %round, 0
    mov.u32 %v, %tid.x
again: mad.lo.u32 %at, %round, 32, %tid.x
    st.shared.u32 s[%at], %v
    mbarrier.arrive.shared.b64 %state, bar[0]
wait: mbarrier.try_wait.shared.b64 %done, bar[0], %state
    @!%done bra wait
    add.u32 %next, %tid.x, 1
    and.b32 %next, %next, 31
    mad.lo.u32 %at, %round, 32, %next
    ld.shared.u32 %v, s[%at]
    add.u32 %round, %round, 1
    setp.lt.u32 %more, %round, 3
    @%more bra again
    st.global.u32 out[%tid.x], %v
    exit
)";
  for (const RunSetup& setup : mbarrier_setups(4, 32)) {
    const Ran ran = run_text(text, setup);
    ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
    for (unsigned n = 0; n < 32; ++n) EXPECT_EQ(ran.buffer("out")[n], (n + 3) % 32) << name(setup.schedule);
  }
}

// One thread alone: after init(3) the first phase, of parity 0, lacks three arrivals.
TEST(Mbarrier, ParityCountsAndDrops) {
  const Ran ran = run_text(R"(.kernel k (out out: u32[])
.shared b64 bar[1]
    mbarrier.init.shared.b64 bar[0], 3
    mbarrier.test_wait.parity.shared.b64 %p, bar[0], 0
    selp.u32 %v, 1, 0, %p
    st.global.u32 out[0], %v
    mbarrier.test_wait.parity.shared.b64 %p, bar[0], 1
    selp.u32 %v, 1, 0, %p
    st.global.u32 out[1], %v
    mbarrier.arrive.release.cta.shared.b64 _, bar[0], 2
    mbarrier.test_wait.parity.shared.b64 %p, bar[0], 0
    selp.u32 %v, 1, 0, %p
    st.global.u32 out[2], %v
    mbarrier.arrive_drop.shared.b64 %state, bar[0]
    mbarrier.test_wait.shared.b64 %p, bar[0], %state
    selp.u32 %v, 1, 0, %p
    st.global.u32 out[3], %v
    mbarrier.test_wait.parity.acquire.cta.shared.b64 %p, bar[0], 0
    selp.u32 %v, 1, 0, %p
    st.global.u32 out[4], %v
    mbarrier.arrive.shared.b64 %state, bar[0], 2
    mbarrier.test_wait.parity.shared.b64 %p, bar[0], 1
    selp.u32 %v, 1, 0, %p
    st.global.u32 out[5], %v
    exit
)",
                           {.lanes = 8, .block = {1, 1, 1}, .buffers = {{"out", Words(6)}}});
  ASSERT_TRUE(ran.machine != nullptr && ran.result.ok) << ran.error.message << english(ran.result.trap.message);
  // Parity 1 is that of the phase before the first: over. One arrival is missing after two. The drop completes it, and
  // the next phase takes two.
  EXPECT_EQ(ran.buffer("out"), (Words{0, 1, 0, 1, 1, 1}));
}

TEST(Mbarrier, ArrivalsThatItDoesNotWaitForStopTheRun) {
  const auto trap_of = [](const std::string& body) {
    const Ran ran = run_text(".kernel k ()\n.shared b64 bar[2]\n" + body + "exit\n", {.lanes = 8, .block = {8, 1, 1}});
    EXPECT_NE(ran.machine, nullptr) << ran.error.message;
    return ran.machine == nullptr || ran.result.ok ? Trap() : ran.result.trap;
  };
  const Trap never = trap_of("mbarrier.arrive.shared.b64 %s, bar[1]\n");
  EXPECT_EQ(code(never.code), code(Finding::MbarrierArrivals));
  EXPECT_EQ(english(never.message), "lane 0 arrives at bar[1], which mbarrier.init has not made a barrier");
  const Trap often = trap_of(
      "setp.eq.u32 %f, %laneid, 0\n@%f mbarrier.init.shared.b64 bar[0], 3\nmbarrier.arrive.shared.b64 %s, bar[0], 2\n");
  EXPECT_EQ(english(often.message), "lane 1 arrives with a count of 2 at bar[0], where the phase lacks 1 more");
  EXPECT_EQ(often.lanes, LaneMask{2});
}

TEST(Mbarrier, IsWrittenAsPtxWritesIt) {
  const std::string line = "mbarrier.arrive.release.cta.shared.b64 _, bar[0], 2";
  const Assembled made = assemble(".kernel k ()\n.shared b64 bar[1]\n" + line + "\nexit\n", "k.warp");
  ASSERT_NE(made.lesson(), nullptr) << made.diagnostics.render();
  EXPECT_EQ(disassemble(*made.lesson(), 0), line);
  const auto refusal = [](const std::string& text) {
    return assemble(".kernel k ()\n.shared b64 bar[1]\n" + text + "\nexit\n", "k.warp").diagnostics.render();
  };
  EXPECT_NE(refusal("mbarrier.arrive.expect_tx.shared.b64 _, bar[0], 2").find(".expect_tx` is not supported yet"),
            std::string::npos)
      << refusal("mbarrier.arrive.expect_tx.shared.b64 _, bar[0], 2");
  EXPECT_NE(refusal("mbarrier.expect_tx.shared.b64 bar[0], 2").find("is not supported yet"), std::string::npos)
      << refusal("mbarrier.expect_tx.shared.b64 bar[0], 2");
  EXPECT_NE(refusal("mbarrier.arrive.acquire.cta.shared.b64 _, bar[0]").find(".relaxed .release"), std::string::npos)
      << refusal("mbarrier.arrive.acquire.cta.shared.b64 _, bar[0]");
}

}  // namespace
}  // namespace warpsim
