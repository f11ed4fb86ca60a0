// malloc and free on the device: what an access outside, after or before says, and what holds nothing defined.
//
// Source: CUDA C++ Programming Guide 13.0, "Dynamic Global Memory Allocation and Operations"; C: malloc clears nothing.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/ptx_run.h"

namespace warpsim {
namespace {

using testing::kPtxBegin;
using testing::kPtxEnd;
using testing::PtxRun;
using testing::PtxWords;
using testing::run_ptx;

// What a program of these lines does; malloc is in line 10, its call in 11.
const std::string kHeapHead =
    ".extern .func (.param .b64 r) malloc (.param .b64 s);\n.extern .func free (.param .b64 a);\n";
const std::string kMallocOf8 =
    "{ .param .b64 p0; st.param.b64 [p0], 8; .param .b64 r0; call.uni (r0), malloc, (p0);\n"
    "ld.param.b64 %rd4, [r0]; }\n";
const std::string kFreeIt = "{ .param .b64 p0; st.param.b64 [p0], %rd4; call.uni free, (p0); }\n";

PtxRun run_heap(const std::string& body, unsigned threads) {
  return run_ptx(kHeapHead + kPtxBegin + body + kPtxEnd, threads);
}
std::string trap_of(const std::string& body) {
  const PtxRun ran = run_heap(body, 2);
  return ran.result.ok ? "" : english(ran.result.trap.message) + " | " + english(ran.result.trap.hint);
}

TEST(PtxHeap, MallocGivesEachLaneItsOwnUntilItIsFreed) {
  const PtxRun right =
      run_heap(kMallocOf8 + "mul.lo.u32 %r2, %r1, 10; st.u32 [%rd4+4], %r2; ld.u32 %r9, [%rd4+4];\n" + kFreeIt, 4);
  ASSERT_TRUE(right.result.ok) << english(right.result.trap.message);
  EXPECT_EQ(right.y, (PtxWords{0, 10, 20, 30}));
  EXPECT_EQ(right.found, std::vector<std::string>{});
}

TEST(PtxHeap, AnAccessOutsideNamesTheAllocationAndItsLine) {
  EXPECT_EQ(
      trap_of(kMallocOf8 + "ld.u8 %rs1, [%rd4+8]; mov.u32 %r9, 1;"),
      "lane 0 reads 1 byte at 0x400000001008, right behind the end of the 8 bytes that malloc gave in line 10; so "
      "does 1 other lane | follow the pointer back to where it was made");
  EXPECT_EQ(trap_of(kMallocOf8 + "ld.u8 %rs1, [%rd4+7]; mov.u32 %r9, 1;"), "");
  EXPECT_NE(trap_of(kMallocOf8 + "st.u8 [%rd4+-1], %r1; mov.u32 %r9, 1;")
                .find("1 byte before the start of the 8 bytes that malloc gave in line 10"),
            std::string::npos);
}

TEST(PtxHeap, AnAccessAfterFreeIsFound) {
  EXPECT_EQ(
      trap_of(kMallocOf8 + kFreeIt + "st.u32 [%rd4+4], %r1; mov.u32 %r9, 1;"),
      "lane 0 writes 4 bytes at 0x400000001004, in the 8 bytes that malloc gave in line 10, which was freed; so does "
      "1 other lane | call free after the last access");
}

TEST(PtxHeap, FreeTakesWhatMallocGaveOnce) {
  const std::string once = " | free what malloc gave, once, and by one lane";
  EXPECT_EQ(trap_of(kMallocOf8 + kFreeIt + kFreeIt),
            "lane 0 frees the 8 bytes that malloc gave in line 10, which are free already" + once);
  EXPECT_EQ(trap_of(kMallocOf8 + "add.u64 %rd4, %rd4, 4;\n" + kFreeIt),
            "lane 0 frees 0x400000001004, which is 4 bytes into the 8 bytes that malloc gave in line 10" + once);
  EXPECT_EQ(trap_of("mov.u64 %rd4, 4660;\n" + kFreeIt), "lane 0 frees 0x1234, which malloc did not give" + once);
  EXPECT_EQ(trap_of("mov.u64 %rd4, 0; mov.u32 %r9, 1;\n" + kFreeIt), "") << "free(NULL) does nothing";
}

// %r9 is stored in y, which the kernel leaves.
TEST(PtxHeap, WhatNobodyWroteIsUndefined) {
  const PtxRun ran = run_heap(kMallocOf8 + "st.u32 [%rd4], %r1; ld.u32 %r9, [%rd4+4];\n", 3);
  EXPECT_EQ(ran.found, std::vector<std::string>{"WS0106"});
  ASSERT_FALSE(ran.way.empty());
  EXPECT_EQ(ran.way.back(),
            "lane 0 loads the word at byte 4 of the 8 bytes that malloc gave in line 10, which nobody has written");
  const PtxRun used =
      run_heap(kMallocOf8 + "ld.u32 %r2, [%rd4]; setp.eq.u32 %p1, %r2, 0; mov.u32 %r9, 1; @%p1 mov.u32 %r9, 2;\n", 1);
  EXPECT_EQ(used.found, (std::vector<std::string>{"WS0106", "WS0106"})) << "it decides, and what it decides is left";
}

TEST(PtxHeap, AByteThatIsWrittenLeavesTheOthersUndefined) {
  const PtxRun ran =
      run_heap(kMallocOf8 + "mov.u16 %rs1, 5; st.u8 [%rd4+5], %rs1; ld.u32 %r9, [%rd4+4];\n" + kFreeIt, 1);
  EXPECT_EQ(ran.found, std::vector<std::string>{"WS0106"});
  ASSERT_FALSE(ran.way.empty());
  EXPECT_NE(ran.way.back().find("of which nobody has written bytes 0, 2, 3"), std::string::npos) << ran.way.back();
  const PtxRun right =
      run_heap(kMallocOf8 + "mov.u16 %rs1, 5; st.u8 [%rd4+5], %rs1; ld.u8 %r9, [%rd4+5];\n" + kFreeIt, 1);
  EXPECT_EQ(right.found, std::vector<std::string>{});
  EXPECT_EQ(right.y, PtxWords{5});
}

TEST(PtxHeap, MallocOfMoreThanThereIsGivesNothing) {
  const PtxRun ran = run_heap(
      "{ .param .b64 p0; st.param.b64 [p0], 8388609; .param .b64 r0;\n"
      "call.uni (r0), malloc, (p0); ld.param.b64 %rd4, [r0]; }\nsetp.eq.u64 %p1, %rd4, 0; selp.u32 %r9, 1, 2, %p1;",
      1);
  EXPECT_EQ(ran.y, PtxWords{1});
  EXPECT_EQ(ran.found, std::vector<std::string>{});
}

// 8 MiB in pieces of 112 bytes, each with 16 of the allocator's own.
TEST(PtxHeap, MallocEnds) {
  const PtxRun ran = run_heap(
      "mov.u32 %r9, 0;\nagain: { .param .b64 p0; st.param.b64 [p0], 112; .param .b64 r0;\n"
      "call.uni (r0), malloc, (p0); ld.param.b64 %rd4, [r0]; }\nsetp.eq.u64 %p1, %rd4, 0; @%p1 bra end;\n"
      "add.u32 %r9, %r9, 1; bra again;\nend:\n",
      1);
  EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  EXPECT_EQ(ran.y, PtxWords{65536});
}

}  // namespace
}  // namespace warpsim
