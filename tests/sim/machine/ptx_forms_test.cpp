// Forms that compilers other than nvcc print, and instructions that become several of the table's.
//
// Source: PTX ISA 9.0; expected values are worked out in the comments.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/ptx_run.h"

namespace warpsim {
namespace forms_test {

using testing::kPtxBegin;
using testing::kPtxEnd;
using testing::PtxRun;
using testing::PtxWords;
using testing::run_ptx;

// Which lane leads PTX leaves open, but not that it is one of the mask, and the same for all of it: here the lowest.
TEST(PtxForms, ElectSyncFindsOneLeader) {
  const PtxRun ran = run_ptx(kPtxBegin +
                                 "mov.u32 %r9, 99; setp.lt.u32 %p1, %r1, 2; @%p1 bra low;\n"
                                 "elect.sync %r2|%p2, 0xfc; selp.u32 %r3, 100, 0, %p2; add.u32 %r9, %r2, %r3;\n"
                                 "elect.sync _|%p3, 0xfc; @%p3 add.u32 %r9, %r9, 1000; bra done;\n"
                                 "low: @!%p1 elect.sync %r9|%p2, 3;\ndone:\n" +
                                 kPtxEnd,
                             8);
  EXPECT_TRUE(ran.result.ok);
  EXPECT_EQ(ran.found, std::vector<std::string>{});
  EXPECT_EQ(ran.y, (PtxWords{99, 99, 1102, 2, 2, 2, 2, 2}));
}

// Each thread copies its own word of y (its index) into shared memory and reads its neighbour's, once the barrier says
// that all copies are there.
std::string copies_with(const std::string& arrive) {
  return ".shared .align 8 .b64 bar; .shared .align 4 .b8 s[128];\n" + kPtxBegin +
         "setp.eq.u32 %p1, %r1, 0; @%p1 mbarrier.init.shared.b64 [bar], 32; bar.sync 0;\n"
         "mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3;\n"
         "cp.async.ca.shared.global [%r4], [%rd1], 4;\n" +
         arrive +
         "wait: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra wait;\n"
         "xor.b32 %r5, %r3, 4; add.u32 %r5, %r5, %r2; ld.shared.u32 %r9, [%r5]; bar.sync 0;\n" +
         kPtxEnd;
}

TEST(PtxForms, CopiesArriveAtABarrier) {
  for (const char* const arrive :
       {"cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n", "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [bar];\n",
        "cp.async.mbarrier.arrive.shared.b64 [bar]; mbarrier.arrive.shared.b64 _, [bar];\n"}) {
    const PtxRun ran = run_ptx(copies_with(arrive), 32);
    EXPECT_TRUE(ran.result.ok) << arrive;
    EXPECT_EQ(ran.found, std::vector<std::string>{}) << arrive;
    for (std::uint64_t thread = 0; thread < 32; ++thread) EXPECT_EQ(ran.y[thread], thread ^ 1) << arrive;
  }
}

}  // namespace forms_test
}  // namespace warpsim
