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

// y[t] of a kernel whose body leaves it in %r9, without findings.
PtxWords words_of(const std::string& body, unsigned threads, const std::string& before = "") {
  const PtxRun ran = run_ptx(before + kPtxBegin + body + kPtxEnd, threads);
  EXPECT_TRUE(ran.result.ok);
  EXPECT_EQ(ran.found, std::vector<std::string>{});
  return ran.y;
}

TEST(PtxForms, ComparisonsOfUnsignedIntegersNameTheirOrder) {
  // bit 0: t < 2, bit 1: t <= 2, bit 2: t > 2, bit 3: t >= 2
  EXPECT_EQ(words_of("setp.lo.u32 %p1, %r1, 2; setp.ls.u32 %p2, %r1, 2; setp.hi.u32 %p3, %r1, 2;\n"
                     "selp.u32 %r2, 1, 0, %p1; selp.u32 %r3, 2, 0, %p2; selp.u32 %r4, 4, 0, %p3;\n"
                     "set.hs.u32.u32 %r5, %r1, 2; and.b32 %r5, %r5, 8;\n"
                     "or.b32 %r9, %r2, %r3; or.b32 %r9, %r9, %r4; or.b32 %r9, %r9, %r5;\n",
                     4),
            (PtxWords{3, 3, 10, 12}));
}

TEST(PtxForms, VectorsMoveAtOnce) {
  EXPECT_EQ(words_of("mov.u32 %r2, 5; mov.v2.u32 {%r1, %r2}, {%r2, %r1}; mad.lo.u32 %r9, %r1, 10, %r2;\n", 3),
            (PtxWords{50, 51, 52}));
}

TEST(PtxForms, AVectorRegisterIsFourRegisters) {
  // v is {7, 47, 30, 40}: 100 * 7 + 47 + 30
  EXPECT_EQ(
      words_of(".reg .v4 .u32 v; .reg .v2 .u32 w;\n"
               "mov.v4.u32 v, {7, 20, 30, 40}; add.u32 v.y, v.x, v.w; st.shared.v4.u32 [s], v;\n"
               "ld.shared.v2.u32 w, [s]; mov.u32 %r2, v.z; mad.lo.u32 %r9, w.x, 100, w.y; add.u32 %r9, %r9, %r2;\n",
               1, ".shared .align 16 .b8 s[16];\n"),
      (PtxWords{777}));
}

TEST(PtxForms, LogicAlsoSaysWhetherSomethingIsLeft) {
  // 0xc0 is a & b
  EXPECT_EQ(words_of("setp.eq.u32 %p1, %r1, 0; lop3.or.b32 %r2|%p2, %r1, 2, 0, 0xc0, %p1;\n"
                     "lop3.and.b32 _|%p3, %r1, 1, 0, 0xc0, !%p1; selp.u32 %r3, 10, 0, %p2; selp.u32 %r4, 100, 0, %p3;\n"
                     "add.u32 %r9, %r2, %r3; add.u32 %r9, %r9, %r4;\n",
                     4),
            (PtxWords{10, 100, 12, 112}));
}

TEST(PtxForms, PairsOfIntegers) {
  // t = 1: 0xffff0001 + 0x00010002 = 0x00000003, no carry between the halves
  EXPECT_EQ(words_of("or.b32 %r2, %r1, 0xffff0000; add.u16x2 %r9, %r2, 0x00010002;\n", 2), (PtxWords{2, 3}));
  // high: min(-1, 1); low: min(t, 2)
  EXPECT_EQ(words_of("or.b32 %r2, %r1, 0xffff0000; min.s16x2 %r9, %r2, 0x00010002;\n", 4),
            (PtxWords{0xffff0000, 0xffff0001, 0xffff0002, 0xffff0002}));
  EXPECT_EQ(words_of("or.b32 %r2, %r1, 0xffff0000; min.relu.s16x2 %r9, %r2, 0x00010002;\n", 4), (PtxWords{0, 1, 2, 2}));
  EXPECT_EQ(words_of("or.b32 %r2, %r1, 0xffff0000; max.u16x2 %r9, %r2, 0x00010002;\n", 4),
            (PtxWords{0xffff0002, 0xffff0002, 0xffff0002, 0xffff0003}));
  EXPECT_EQ(words_of("sub.s32 %r2, %r1, 2; max.relu.s32 %r9, %r2, -1;\n", 4), (PtxWords{0, 0, 0, 1}));
}

TEST(PtxForms, AHalfStaysFinite) {
  // 2^20 is more than f16's greatest, 0x7bff; -1 is nothing less than 0 with .relu, and -2^20 the least
  EXPECT_EQ(words_of(".reg .f32 %f<4>; .reg .b16 %h<4>; mov.f32 %f1, 0f49800000; mov.f32 %f2, 0fBF800000;\n"
                     "cvt.rn.satfinite.f16.f32 %h1, %f1; cvt.rn.relu.satfinite.bf16.f32 %h2, %f2;\n"
                     "neg.f32 %f1, %f1; cvt.rz.satfinite.f16.f32 %h3, %f1; xor.b16 %h3, %h3, %h2;\n"
                     "mov.b32 %r9, {%h1, %h3};\n",
                     1),
            (PtxWords{0xfbff7bff}));
}

TEST(PtxForms, ACopyMayReadNothing) {
  EXPECT_EQ(
      words_of(
          "setp.eq.u32 %p1, %r1, 1; mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3;\n"
          "add.u32 %r5, %r1, 7; st.global.u32 [%rd1], %r5;\n"
          "cp.async.ca.shared.global.L2::128B [%r4], [%rd1], 4, %p1; cp.async.wait_all; ld.shared.u32 %r9, [%r4];\n",
          3, ".shared .align 16 .b8 s[16];\n"),
      (PtxWords{7, 0, 9}));
}

// Three arrivals are awaited; the state of the second one says that two were missing, and one is left then.
TEST(PtxForms, AStateSaysWhatIsMissing) {
  EXPECT_EQ(words_of("mbarrier.init.shared.b64 [s], 3; mbarrier.arrive.noComplete.shared.b64 %rd3, [s], 1;\n"
                     "mbarrier.arrive.shared.b64 %rd4, [s]; mbarrier.pending_count.b64 %r2, %rd3;\n"
                     "mbarrier.pending_count.b64 %r3, %rd4; mad.lo.u32 %r9, %r2, 10, %r3;\n",
                     1, ".shared .align 8 .b64 s;\n"),
            (PtxWords{32}));
}

// Variables of functions are there once, whoever calls, and apart from others of the same name.
TEST(PtxForms, FunctionsHaveVariables) {
  EXPECT_EQ(words_of(".const .u32 c[2] = {100, 200}; .global .u32 g = 5; .reg .u64 %a;\n"
                     "{ .global .u32 g = 7; ld.global.u32 %r2, [g]; } mov.u64 %a, g; ld.global.u32 %r3, [%a];\n"
                     "call (%r4), count, (); call (%r5), count, (); ld.const.u32 %r6, [c+4];\n"
                     "mad.lo.u32 %r9, %r2, 10, %r3; mad.lo.u32 %r9, %r9, 10, %r4; mad.lo.u32 %r9, %r9, 10, %r5;\n"
                     "add.u32 %r9, %r9, %r6;\n",
                     1,
                     ".func (.reg .u32 n) count() { .global .u32 g = 1; ld.global.u32 n, [g]; add.u32 n, n, 1;\n"
                     "st.global.u32 [g], n; ret; }\n"),
            (PtxWords{7723}));  // 7, 5, 2, 3, and 200
}

TEST(PtxForms, FunctionsTakeAndReturnPredicates) {
  EXPECT_EQ(words_of("setp.lt.u32 %p1, %r1, 2; call (%r2, %p2), f, (%r1, %p1); selp.u32 %r9, 10, 20, %p2;\n"
                     "add.u32 %r9, %r9, %r2;\n",
                     4,
                     ".func (.reg .u32 r, .reg .pred q) f(.reg .u32 n, .reg .pred p) {\n"
                     "selp.u32 r, 100, 0, p; add.u32 r, r, n; not.pred q, p; ret; }\n"),
            (PtxWords{120, 121, 12, 13}));
}

TEST(PtxForms, WhatCachesAreToKeepChangesNoValue) {
  EXPECT_EQ(words_of("createpolicy.fractional.L2::evict_last.L2::evict_unchanged.b64 %rd3, 0.5;\n"
                     "createpolicy.range.global.L2::evict_last.b64 %rd4, [%rd1], 0x1000, 0x2000;\n"
                     "ld.global.L1::evict_last.L2::cache_hint.b32 {%r9}, [%rd1 + 0], %rd3;\n",
                     2),
            (PtxWords{0, 1}));
}

// 16-bit floats: 1 is 0x3c00 in f16 and 0x3f80 in bf16. All four threads add 1 and 2 to one word, in some order: the
// last one to come sees sums of three.
TEST(PtxForms, AtomicsOfPairs) {
  const std::string zero = "mov.u64 %rd3, s; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [s], 0; bar.sync 0;\n";
  EXPECT_EQ(
      words_of(zero + "setp.ne.u32 %p2, %r1, 9; mov.u32 %r9, 7;\n"
                      "@%p2 atom.shared.add.noftz.f16x2 %r2, [s], 0x40003c00; bar.sync 0; ld.shared.u32 %r9, [s];\n",
               4, ".shared .align 4 .b8 s[4];\n"),
      (PtxWords{0x48004400, 0x48004400, 0x48004400, 0x48004400}));  // 8 and 4
  EXPECT_EQ(
      words_of(
          "mul.wide.u32 %rd4, %r1, 4; sub.s64 %rd3, %rd1, %rd4;\n"
          "setp.eq.u32 %p1, %r1, 3; @%p1 st.global.u32 [%rd3], 0; bar.sync 0; mov.u32 %r9, 5;\n"
          "@!%p1 red.global.add.noftz.bf16x2 [%rd3], 0x40003f80; bar.sync 0; ld.global.u32 %r9, [%rd3]; bar.sync 0;\n",
          4),
      (PtxWords{0x40c04040, 0x40c04040, 0x40c04040, 0x40c04040}));  // 6 and 3
  EXPECT_EQ(
      words_of("st.global.u32 [%rd1], 0x3c003c00; atom.add.noftz.L2::cache_hint.f16x2 %r9, [%rd1], 0x3c000000, %rd2;\n"
               "ld.global.u32 %r2, [%rd1]; sub.u32 %r9, %r2, %r9;\n",
               1),
      (PtxWords{0x04000000}));  // 2 is 0x4000
}

TEST(PtxForms, AtomicsOfVectors) {
  // 1.0 is 0x3f800000, 2.0 0x40000000, 3.0 0x40400000
  EXPECT_EQ(words_of(".reg .f32 %f<5>; mov.u64 %rd3, w; mov.f32 %f3, 0f3F800000;\n"
                     "atom.global.v2.f32.add {%f1, %f2}, [%rd3+0], {%f3, %f3}; red.global.add.L2::cache_hint.v2.f32 "
                     "[w], {%f3, %f1}, %rd4;\n"
                     "ld.global.v2.u32 {%r2, %r3}, [w]; mov.b32 %r4, %f2; xor.b32 %r9, %r3, %r4;\n"
                     "setp.eq.u32 %p1, %r2, 0x40400000; @!%p1 mov.u32 %r9, 0;\n",
                     1, ".global .align 8 .f32 w[2] = {1.0, 2.0};\n"),
            (PtxWords{0x00800000}));  // the second is 4.0 in the end, and was 2.0
}

// A pointer is called as the functions are that the call lists.
TEST(PtxForms, ACallListsWhatItMayCall) {
  EXPECT_EQ(
      words_of("L: .calltargets f, g; setp.eq.u32 %p1, %r1, 0; mov.u64 %rd3, f; @%p1 mov.u64 %rd3, g;\n"
               "{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), %rd3, (a), L;\n"
               "ld.param.b32 %r9, [b]; }\n",
               2,
               ".func (.param .b32 r) f(.param .b32 n) { .reg .b32 %r; ld.param.b32 %r, [n]; add.u32 %r, %r, 10;\n"
               "st.param.b32 [r], %r; ret; }\n"
               ".func (.param .b32 r) g(.param .b32 n) { st.param.b32 [r], 5; ret; }\n"),
      (PtxWords{5, 11}));
}

// Without a space it is that of the name.
TEST(PtxForms, SharedMemoryByNameNeedsNoSpace) {
  EXPECT_EQ(words_of(".shared .align 4 .b32 t[2]; st.u32 [s+4], 5; st.shared.u32 [t+4], %r1;\n"
                     "atom.add.u32 %r2, [t+4], 30; ld.shared.u32 %r3, [s+4]; ld.u32 %r4, [t+4];\n"
                     "mad.lo.u32 %r9, %r3, 100, %r4;\n",
                     1, ".shared .align 4 .b8 s[8];\n"),
            (PtxWords{530}));
}

// What ptxas 13.0 does: the bits of an f32 are the low half of the f64.
TEST(PtxForms, Constants) {
  EXPECT_EQ(
      words_of(".reg .f64 %d; .reg .b32 %h; mov.f64 %d, 0f40490FDB; mov.b64 {%r9, %h}, %d; add.u32 %r9, %r9, %h;\n", 1),
      (PtxWords{0x40490fdb}));
  EXPECT_EQ(words_of("add.u32 %r9, %r1, (5 + 3) * 2;\n", 2), (PtxWords{16, 17}));
}

// nvcc up to 2.2 wrote declarations of functions without a semicolon.
TEST(PtxForms, ADeclarationNeedsNoSemicolon) {
  EXPECT_EQ(words_of("call (%r9), f, (%r1);\n", 2,
                     ".visible .func (.reg .u32 r) f(.reg .u32 n)\n.visible .func g()\n"
                     ".visible .func (.reg .u32 r) f(.reg .u32 n) { add.u32 r, n, 3; ret; }\n"),
            (PtxWords{3, 4}));
}

}  // namespace forms_test
}  // namespace warpsim
