// What only kernels from PTX do: calls, local memory, generic addresses, variables, and what stops them.
//
// Source: PTX ISA 9.0; expected values are worked out in the comments or by C++ beside them.
#include <gtest/gtest.h>

#include <string>

#include "isa/assembly/assembler.h"
#include "isa/ptx/ptx_lesson.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "sim/machine/machine.h"
#include "sim/memory/memory.h"
#include "tests/support/ptx_run.h"

namespace warpsim {
namespace {

using namespace testing;

// n! by recursion: each call keeps n for those after it.
const std::string kFactorial =
    ".func (.param .b32 r) fact(.param .b32 n) {\n.reg .b32 %r<9>; .reg .pred %p;\n"
    "ld.param.u32 %r1, [n]; setp.lt.u32 %p, %r1, 2; mov.u32 %r3, 1; @%p bra done;\n"
    "sub.u32 %r2, %r1, 1;\n{ .param .b32 a; st.param.b32 [a], %r2; .param .b32 b; call (b), fact, (a);\n"
    "ld.param.b32 %r4, [b]; }\nmul.lo.u32 %r3, %r4, %r1;\ndone: st.param.b32 [r], %r3; ret; }\n";
const std::string kCallFactorial =
    "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 b; call (b), fact, (a); ld.param.b32 %r9, [b]; }\n";

TEST(PtxRuns, CallsRecurAndLanesDiverge) {
  const PtxRun ran = run_ptx(kFactorial + kPtxBegin + kCallFactorial + kPtxEnd, 8);
  EXPECT_TRUE(ran.result.ok);
  EXPECT_EQ(ran.y, (PtxWords{1, 1, 2, 6, 24, 120, 720, 5040}));
  EXPECT_EQ(ran.found, std::vector<std::string>{});
}

TEST(PtxRuns, ParametersAndResultsMayBeRegisters) {
  const PtxRun ran = run_ptx(
      ".func (.reg .u32 s, .reg .u32 d) both(.reg .u32 a, .reg .u32 b) { add.u32 s, a, b; sub.u32 d, a, b; ret; }\n" +
          kPtxBegin + "call (%r2, %r3), both, (%r1, 3); mul.lo.u32 %r9, %r2, 100; add.u32 %r9, %r9, %r3;\n" + kPtxEnd,
      4);
  // (t + 3) * 100 + (t - 3), wrapping
  EXPECT_EQ(ran.y, (PtxWords{297, 398, 499, 600}));
}

TEST(PtxRuns, ACallWithoutEndHasALimit) {
  const PtxRun ran =
      run_ptx(".func deep() { call deep; ret; }\n" + kPtxBegin + "call deep; mov.u32 %r9, 1;" + kPtxEnd, 2);
  EXPECT_FALSE(ran.result.ok);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::StackOverflow);
  EXPECT_EQ(english(ran.result.trap.message),
            "lane 0 calls too deep: 4096 calls are open, and take 0 bytes of local memory");
}

// Each frame has a kilobyte: 512 of them fill the 512 KB of a thread.
TEST(PtxRuns, FramesHaveALimit) {
  const PtxRun ran = run_ptx(
      ".func deep() { .local .b8 a[1024]; call deep; ret; }\n" + kPtxBegin + "call deep; mov.u32 %r9, 1;" + kPtxEnd, 1);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::StackOverflow);
  EXPECT_EQ(english(ran.result.trap.message),
            "lane 0 calls too deep: 512 calls are open, and take 524288 bytes of local memory");
}

const std::string kTwoFunctions =
    ".func (.param .b32 r) twice(.param .b32 n) { .reg .b32 %r; ld.param.u32 %r, [n]; shl.b32 %r, %r, 1; "
    "st.param.b32 [r], %r; ret; }\n"
    ".func (.param .b32 r) square(.param .b32 n) { .reg .b32 %r; ld.param.u32 %r, [n]; mul.lo.u32 %r, %r, %r; "
    "st.param.b32 [r], %r; ret; }\n"
    ".global .u64 table[2] = {twice, square};\n";
const std::string kCallByTable =
    "and.b32 %r2, %r1, 1; mul.wide.u32 %rd3, %r2, 8; mov.u64 %rd4, table; add.s64 %rd4, %rd4, %rd3;\n"
    "ld.global.u64 %rd5, [%rd4];\n"
    "{ .param .b32 a; st.param.b32 [a], %r1; .param .b32 b;\n p: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
    "call (b), %rd5, (a), p; ld.param.b32 %r9, [b]; }\n";

TEST(PtxRuns, PointersCallOneFunctionALane) {
  const PtxRun ran = run_ptx(kTwoFunctions + kPtxBegin + kCallByTable + kPtxEnd, 6);
  EXPECT_EQ(ran.y, (PtxWords{0, 1, 4, 9, 8, 25}));  // even: doubled, odd: squared
  EXPECT_EQ(ran.found, std::vector<std::string>{});
}

TEST(PtxRuns, APointerToNoFunctionStopsTheRun) {
  const PtxRun ran = run_ptx(
      kTwoFunctions + kPtxBegin + "mov.u64 %rd5, 4660;\n" + kCallByTable.substr(kCallByTable.find('{')) + kPtxEnd, 1);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::NoFunction);
  EXPECT_EQ(english(ran.result.trap.message), "lane 0 calls 0x1234, which is no function's address");
}

const std::string kSwitch =
    "t: .branchtargets a, b, c;\nbrx.idx %r1, t;\na: mov.u32 %r9, 70; bra z;\nb: mov.u32 %r9, 80; bra z;\n"
    "c: mov.u32 %r9, 90;\nz:\n";

TEST(PtxRuns, LanesBranchByATable) {
  EXPECT_EQ(run_ptx(kPtxBegin + kSwitch + kPtxEnd, 3).y, (PtxWords{70, 80, 90}));
  const PtxRun outside = run_ptx(kPtxBegin + kSwitch + kPtxEnd, 4);
  EXPECT_EQ(outside.result.trap.kind, TrapKind::NoFunction);
  EXPECT_EQ(outside.result.trap.lanes, LaneMask{8});
  EXPECT_EQ(english(outside.result.trap.message), "lane 3 branches to label 3 of a table that has 3");
}

// One load whose lanes read local, shared and global memory.
TEST(PtxRuns, GenericAddressesLeadWhereTheySay) {
  const PtxRun ran =
      run_ptx(".shared .align 4 .b32 s[4];\n" + kPtxBegin +
                  ".local .align 4 .b32 l[4];\nmov.u64 %rd3, l; add.u32 %r2, %r1, 100; st.local.u32 [%rd3+8], %r2;\n"
                  "cvta.local.u64 %rd3, %rd3;\nmov.u64 %rd4, s; add.u32 %r3, %r1, 200; st.shared.u32 [s+4], %r3; "
                  "cvta.shared.u64 %rd4, %rd4;\n"
                  "cvta.global.u64 %rd5, %rd1;\nsetp.eq.u32 %p1, %r1, 0; setp.eq.u32 %p2, %r1, 1;\n"
                  "add.s64 %rd6, %rd3, 8; add.s64 %rd7, %rd4, 4; selp.b64 %rd8, %rd6, %rd5, %p1; selp.b64 %rd8, %rd7, "
                  "%rd8, %p2;\n"
                  "isspacep.local %p3, %rd8; isspacep.shared %p4, %rd8; ld.u32 %r9, [%rd8];\n"
                  "@%p3 add.u32 %r9, %r9, 1000; @%p4 add.u32 %r9, %r9, 2000;\n" +
                  kPtxEnd,
              3);
  // lane 0: its own local 100; lane 1: shared, where the last lane's 202 stays; lane 2: its element of y
  EXPECT_EQ(ran.y, (PtxWords{1100, 2202, 2}));
}

// A pointer of 32 bits and its offset wrap together: what nvcc makes of tile[m - x + 1].
TEST(PtxRuns, PointersOf32BitsWrapWithTheirOffset) {
  const std::string wrap =
      "mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3; st.shared.u32 [%r4], %r1;\n"
      "sub.u32 %r5, %r4, 68; ld.shared.u32 %r9, [%r5 + 68];\n";
  const PtxRun ran = run_ptx(".shared .align 4 .b32 s[4];\n" + kPtxBegin + wrap + kPtxEnd, 4);
  EXPECT_EQ(ran.y, (PtxWords{0, 1, 2, 3}));
  EXPECT_EQ(ran.found, std::vector<std::string>{});
}

// Floats of shared memory keep subnormals that those of global memory lose: the address decides.
TEST(PtxRuns, GenericAtomicsAreThoseOfTheirSpace) {
  const std::string add =
      "mov.u32 %r2, 1; cvta.global.u64 %rd5, %rd1; st.global.u32 [%rd1], 0; atom.add.f32 %r3, [%rd5], %r2;\n"
      "ld.global.u32 %r4, [%rd1]; st.shared.u32 [s], 0; mov.u64 %rd4, s; cvta.shared.u64 %rd4, %rd4;\n"
      "atom.add.f32 %r3, [%rd4], %r2; ld.shared.u32 %r5, [s]; shl.b32 %r5, %r5, 4; or.b32 %r9, %r4, %r5;\n";
  EXPECT_EQ(run_ptx(".shared .align 4 .b32 s[1];\n" + kPtxBegin + add + kPtxEnd, 1).y, (PtxWords{0x10}));
}

TEST(PtxRuns, LocalMemoryHoldsNothingAtFirstAndIsEachLanesOwn) {
  const std::string body =
      ".local .align 4 .b32 l[2];\nmov.u64 %rd3, l; st.local.u32 [%rd3], %r1; ld.local.u32 %r9, [%rd3+OFF];\n";
  const auto at = [&](const std::string& offset) {
    std::string text = body;
    return text.replace(text.find("OFF"), 3, offset);
  };
  const PtxRun own = run_ptx(kPtxBegin + at("0") + kPtxEnd, 40);  // a partial warp, too
  for (std::uint64_t k = 0; k < 40; ++k) EXPECT_EQ(own.y[k], k);
  EXPECT_EQ(own.found, std::vector<std::string>{});
  EXPECT_EQ(run_ptx(kPtxBegin + at("4") + kPtxEnd, 1).found, std::vector<std::string>{"WS0107"});
  const PtxRun outside = run_ptx(kPtxBegin + at("16") + kPtxEnd, 1);
  EXPECT_EQ(outside.result.trap.kind, TrapKind::OutOfBounds);
  EXPECT_EQ(english(outside.result.trap.message),
            "lane 0 reads 4 bytes at 0x10, and this thread's local memory ends at 8");
}

// What a function left in its frame is nothing to the next call.
TEST(PtxRuns, AFrameHoldsNothingAtEachCall) {
  const std::string callee =
      ".func (.param .b32 r) f(.param .b32 w) { .reg .b32 %r<3>; .reg .pred %p; .local .align 4 .b32 l[1];\n"
      "ld.param.u32 %r1, [w]; setp.ne.u32 %p, %r1, 0; @%p st.local.u32 [l], 5; ld.local.u32 %r2, [l]; st.param.b32 "
      "[r], %r2; ret; }\n";
  const auto call = [](const std::string& writes) {
    return "{ .param .b32 a; st.param.b32 [a], " + writes +
           "; .param .b32 b; call (b), f, (a); ld.param.b32 %r9, [b]; }\n";
  };
  EXPECT_EQ(run_ptx(callee + kPtxBegin + call("1") + call("1") + kPtxEnd, 1).found, std::vector<std::string>{});
  EXPECT_EQ(run_ptx(callee + kPtxBegin + call("1") + call("0") + kPtxEnd, 1).found, std::vector<std::string>{"WS0107"});
}

TEST(PtxRuns, VariablesBeginWithWhatTheModuleSays) {
  const PtxRun ran = run_ptx(
      ".const .align 4 .u32 c[3] = {7, 8};\n.global .align 4 .b8 bytes[8] = {1, 2, 3, 4, 0xff, 5};\n"
      ".global .u64 to_bytes = bytes+4;\n" +
          kPtxBegin +
          "ld.const.u32 %r2, [c+4]; mov.u64 %rd3, c; ld.const.u32 %r3, [%rd3+8]; ld.global.u32 %r4, [bytes];\n"
          "ld.global.u64 %rd4, [to_bytes]; ld.global.u16 %rs1, [%rd4]; cvt.u32.u16 %r5, %rs1; mul.lo.u32 %r2, %r2, "
          "1000;\n"
          "add.u32 %r2, %r2, %r3; xor.b32 %r9, %r4, %r5; add.u32 %r9, %r9, %r2;\n" +
          kPtxEnd,
      1);
  EXPECT_EQ(ran.y, (PtxWords{(0x04030201U ^ 0x05ffU) + 8000}));
}

TEST(PtxRuns, NobodyStoresToConstants) {
  const PtxRun ran =
      run_ptx(".const .u32 c = 1;\n" + kPtxBegin +
                  "mov.u64 %rd3, c; cvta.const.u64 %rd3, %rd3; st.u32 [%rd3], 5; mov.u32 %r9, 0;" + kPtxEnd,
              1);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::ReadOnly);
}

// Two arrays without a length are one place, behind what the kernel declares.
TEST(PtxRuns, TheLaunchSaysHowMuchDynamicSharedMemoryThereIs) {
  const std::string text =
      ".shared .align 4 .b32 fixed[3];\n.extern .shared .align 16 .b8 a[];\n.extern .shared .align 16 .b8 b[];\n" +
      kPtxBegin +
      "st.shared.u32 [fixed], 1; mov.u32 %r2, a; mad.lo.u32 %r2, %r1, 4, %r2; add.u32 %r3, %r1, 50; st.shared.u32 "
      "[%r2], %r3;\n"
      "mov.u32 %r4, b; mad.lo.u32 %r4, %r1, 4, %r4; ld.shared.u32 %r5, [%r4]; mul.lo.u32 %r6, %r4, 1000; add.u32 %r9, "
      "%r5, %r6;\n" +
      kPtxEnd;
  EXPECT_EQ(run_ptx(text, 2, 8).y, (PtxWords{16050, 20051}));
  EXPECT_EQ(run_ptx(text, 2, 4).result.trap.kind, TrapKind::OutOfBounds);
}

// Loads, stores and conversions may have wider registers than their types (PTX ISA 9.0, 9.4.1).
TEST(PtxRuns, RegistersMayBeWiderThanTheType) {
  const PtxRun ran = run_ptx(
      kPtxBegin +
          "mov.u32 %r2, 0x12345680; st.global.u8 [%rd1], %r2; ld.global.s8 %r3, [%rd1]; ld.global.u8 %rd3, [%rd1];\n"
          "cvt.u32.u64 %r4, %rd3; sub.u32 %r5, %r4, %r3; cvt.u32.u8 %r6, %r2; add.u32 %r9, %r5, %r6;\n" +
          kPtxEnd,
      1);
  EXPECT_EQ(ran.y, (PtxWords{(0x80 - 0xffffff80U + 0x80) & 0xffffffffU}));
}

TEST(PtxRuns, TrapsAndWhatIsNotSupportedStopTheRunWhereTheyStand) {
  const std::string unless = "setp.ne.u32 %p1, %r1, 1; @%p1 bra on;\n";
  const PtxRun trap = run_ptx(kPtxBegin + unless + "trap;\non: mov.u32 %r9, 0;" + kPtxEnd, 3);
  EXPECT_EQ(trap.result.trap.kind, TrapKind::Trap);
  EXPECT_EQ(trap.result.trap.lanes, LaneMask{2});
  Diagnostics diagnostics;
  const Lesson lesson =
      ptx_lesson(kPtxBegin + "mapa.u64 %rd3, %rd2, 0;\nmov.u32 %r9, 0;" + kPtxEnd, "inout y: u32[1]", diagnostics);
  EXPECT_NE(diagnostics.render().find("warning[P020]: `mapa.u64` is not supported: clusters of several blocks"),
            std::string::npos)
      << diagnostics.render();
  ASSERT_EQ(lesson.unsupported.size(), 1U);
  EXPECT_EQ(lesson.code[static_cast<std::size_t>(lesson.unsupported[0].pc)].op, Op::Trap);
  const PtxRun refused = run_ptx(kPtxBegin + "mapa.u64 %rd3, %rd2, 0;\nmov.u32 %r9, 0;" + kPtxEnd, 1);
  EXPECT_EQ(refused.result.trap.kind, TrapKind::Unsupported);
  EXPECT_EQ(english(refused.result.trap.message), "`mapa.u64` is not supported: clusters of several blocks");
  EXPECT_TRUE(run_ptx(kPtxBegin + "bra on;\nmapa.u64 %rd3, %rd2, 0;\non: mov.u32 %r9, 0;" + kPtxEnd, 1).result.ok);
}

// The only kernel of a module.
Program kernel_from(const std::string& text) {
  Diagnostics diagnostics;
  const ptx::ReadModule read = ptx::read_module(kPtxHead + text, "t.ptx");
  std::optional<Program> program = ptx::make_program(read.module, read.module.functions.front(), diagnostics);
  EXPECT_TRUE(program.has_value()) << diagnostics.render();
  return program.value_or(Program{});
}

// What one thread leaves in the 16 bytes that the first parameter points to; the others are the binding's.
std::pair<std::uint64_t, std::uint64_t> left_by_one_thread(const Program& program, Binding binding, bool keeps_state) {
  DeviceMemory memory;
  binding.params[0] = *memory.allocate(16, "y");
  LaunchConfig config;
  config.block = Dim3{1, 1, 1};
  config.keeps_state = keeps_state;
  auto made = Machine::create(program, config, binding, memory);
  EXPECT_TRUE(std::get<Machine>(made).run().ok);
  const std::byte* const y = memory.find(binding.params[0], 16)->bytes;
  return {load_bits(y, 8), load_bits(y + 8, 8)};
}

// A vector of parameters, and a parameter by its address.
TEST(PtxRuns, ParametersAreReadInParts) {
  const Program program = kernel_from(
      ".visible .entry k(.param .u64 y, .param .align 8 .b8 s[16]) {\n.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b16 "
      "%rs<3>;\n"
      "ld.param.u64 %rd1, [y]; ld.param.v2.u32 {%r1, %r2}, [s+8]; ld.param.u16 %rs1, [s+2]; cvt.u32.u16 %r3, %rs1;\n"
      "mov.b64 %rd2, s; ld.param.u8 %rs2, [%rd2+15]; cvt.u32.u16 %r4, %rs2;\n"
      "st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4}; ret; }\n");
  ASSERT_EQ(program.params.size(), 2U);
  EXPECT_EQ(program.params[1].offset_bytes, 8U);
  Binding binding{{0, 0}, {{}, {}}};
  for (int k = 0; k < 16; ++k) binding.values[1].push_back(static_cast<std::byte>(0x10 + k));
  const auto [first, second] = left_by_one_thread(program, binding, true);
  EXPECT_EQ(first, 0x1f1e1d1c1b1a1918U);
  EXPECT_EQ(second, 0x0000001f00001312U);
}

// The first bytes of a parameter that has more, as they stand in memory.
TEST(PtxRuns, AParameterIsCutToWhatIsRead) {
  const Program program = kernel_from(
      ".visible .entry k(.param .u64 y, .param .u32 n) {\n.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b16 %rs<4>;\n"
      "ld.param.u64 %rd1, [y]; ld.param.u8 %rs1, [n]; cvt.u32.u16 %r1, %rs1; ld.param.s8 %rs2, [n];\n"
      "cvt.s32.s16 %r2, %rs2; ld.param.u16 %rs3, [n]; mov.b32 %r3, {%rs1, %rs3}; ld.param.u32 %r4, [n];\n"
      "st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4}; ret; }\n");
  ASSERT_EQ(program.params.size(), 2U);
  for (const bool keeps_state : {true, false}) {
    const auto [first, second] = left_by_one_thread(program, Binding{{0, 0x12345681}, {{}, {}}}, keeps_state);
    EXPECT_EQ(first, 0xffffff8100000081U);
    EXPECT_EQ(second, 0x1234568156810081U);
  }
}

// An inner scope's registers and labels hide the outer ones of the same names.
TEST(PtxRuns, ScopesShadow) {
  const PtxRun ran =
      run_ptx(kPtxBegin +
                  "mov.u32 %r9, 1; bra l;\nl: { .reg .b32 %r9; mov.u32 %r9, 7; bra l; l: add.u32 %r2, %r9, 1; }\n"
                  "mad.lo.u32 %r9, %r2, 10, %r9;\n" +
                  kPtxEnd,
              1);
  EXPECT_EQ(ran.y, (PtxWords{81}));
}

// Lanes of a warp take a lock from each other: each gets on, as on a GPU from Volta on.
TEST(PtxRuns, LanesMaySpinForEachOther) {
  const PtxRun ran =
      run_ptx(".global .u32 lock = 0;\n.global .u32 sum = 0;\n" + kPtxBegin +
                  "again: atom.global.acquire.gpu.cas.b32 %r2, [lock], 0, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra again;\n"
                  "ld.global.u32 %r9, [sum]; add.u32 %r3, %r9, 1; st.global.u32 [sum], %r3;\n"
                  "atom.global.release.gpu.exch.b32 %r4, [lock], 0;\n" +
                  kPtxEnd,
              40);
  EXPECT_TRUE(ran.result.ok);
  std::vector<std::uint64_t> sorted = ran.y;
  std::sort(sorted.begin(), sorted.end());
  for (std::uint64_t k = 0; k < 40; ++k) EXPECT_EQ(sorted[k], k);
  EXPECT_EQ(ran.found, std::vector<std::string>{});
}

TEST(PtxProgram, ACallThatIsRefusedLeavesNoneBehind) {
  const PtxRun ran = run_ptx(
      ".func (.param .b32 x) one() { st.param.b32 [x], 1; ret; }\n"
      ".func (.param .b64 x, .param .b32 y) two() { st.param.b32 [y], 2; ret; }\n" +
          kPtxBegin + "{ .param .b32 b; .param .b64 c; call (b), one; ld.param.b32 %r9, [b]; call (c, b), two; }\n" +
          kPtxEnd,
      1);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Unsupported) << english(ran.result.trap.message);
}

// The arguments as nvcc stores them for printf("%d %lld %s|%-5u|%c%%\n", …): each at a multiple of its size.
const std::string kPrintfHead =
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);\n"
    ".global .align 1 .b8 format[21] = {37,100,32,37,108,108,100,32,37,115,124,37,45,53,117,124,37,99,37,37,10};\n"
    ".global .align 1 .b8 word[4] = {97,98,99,0};\n";
const std::string kPrintf =
    "{ .local .align 8 .b8 args[40]; .reg .b64 %a, %f, %w; .reg .b32 %n;\n"
    "cvta.global.u64 %w, word; st.local.u32 [args], %r1; mul.wide.u32 %a, %r1, 1073741824; st.local.u64 [args+8], %a;\n"
    "st.local.u64 [args+16], %w; st.local.u32 [args+24], 7; add.u32 %n, %r1, 65; st.local.u32 [args+28], %n;\n"
    "cvta.global.u64 %f, format; mov.u64 %a, args; cvta.local.u64 %a, %a;\n"
    "{ .param .b64 p0; st.param.b64 [p0], %f; .param .b64 p1; st.param.b64 [p1], %a; .param .b32 r0;\n"
    "call.uni (r0), vprintf, (p0, p1); ld.param.b32 %r9, [r0]; }\n}\n";

TEST(PtxProgram, PrintfWritesLaneByLaneAndCountsItsValues) {
  const PtxRun ran = run_ptx(kPrintfHead + kPtxBegin + kPrintf + kPtxEnd, 3);
  ASSERT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  EXPECT_EQ(ran.result.printed, "0 0 abc|7    |A%\n1 1073741824 abc|7    |B%\n2 2147483648 abc|7    |C%\n");
  EXPECT_EQ(ran.y, (PtxWords{5, 5, 5}));
  EXPECT_EQ(ran.found, std::vector<std::string>{});
}

TEST(PtxProgram, AnAssertionThatFailsSaysWhatItSaid) {
  const PtxRun ran = run_ptx(
      ".extern .func __assertfail (.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 c);\n"
      ".global .align 1 .b8 what[6] = {120,32,60,32,50,0};\n.global .align 1 .b8 file[5] = {97,46,99,117,0};\n"
      ".global .align 1 .b8 name[2] = {107,0};\n" +
          kPtxBegin +
          "setp.lt.u32 %p1, %r1, 2; @%p1 bra fine;\n{ .reg .b64 %m, %f, %n; cvta.global.u64 %m, what; cvta.global.u64 "
          "%f, file;\n"
          "cvta.global.u64 %n, name; .param .b64 p0; st.param.b64 [p0], %m; .param .b64 p1; st.param.b64 [p1], %f;\n"
          ".param .b32 p2; st.param.b32 [p2], 12; .param .b64 p3; st.param.b64 [p3], %n; .param .b64 p4;\n"
          "st.param.b64 [p4], 1; call.uni __assertfail, (p0, p1, p2, p3, p4); }\nfine: mov.u32 %r9, 0;" +
          kPtxEnd,
      4);
  ASSERT_FALSE(ran.result.ok);
  EXPECT_EQ(ran.result.trap.kind, TrapKind::Trap);
  EXPECT_EQ(english(ran.result.trap.message), "lanes 2, 3 failed the assertion `x < 2` in k, a.cu:12");
}

TEST(PtxProgram, WhatIsNoPtxIsSaidWithItsPlace) {
  const auto error_of = [](const std::string& line) {
    Diagnostics diagnostics;
    const ptx::ReadModule read = ptx::read_module(kPtxHead + kPtxBegin + line + "\nret; }\n", "t.ptx");
    diagnostics.text = read.module.text;
    const std::optional<Program> made = ptx::make_program(read.module, read.module.functions.back(), diagnostics);
    EXPECT_EQ(made.has_value(), !diagnostics.has_errors());
    if (diagnostics.list.empty()) return std::string();
    const Diagnostic& one = diagnostics.list.front();
    return one.code + " " + std::to_string(one.where.line - 7) + ": " + one.message +
           (one.hint.empty() ? "" : "; " + one.hint);
  };
  EXPECT_EQ(error_of("add.u32 %r2, %r3;"), "P021 1: `add.u32` takes 3 operands, not 2");
  EXPECT_EQ(error_of("add.u32 %r2, %r3, %rx;"),
            "P024 1: nothing declares `%rx`; did you mean %r? Or declare it: .reg .b32 %rx;");
  EXPECT_EQ(error_of("add.u32 %r2, %rd3, 1;"), "P023 1: `add.u32` takes .u32 here, and `%rd3` is a 64-bit register");
  EXPECT_EQ(error_of("add.u32 5, %r3, 1;"), "P022 1: `add.u32` writes a register here");
  EXPECT_EQ(error_of("bra nowhere;"), "P027 1: no label `nowhere`");
  EXPECT_EQ(error_of("\nld.param.u64 %rd2, [y+4];"), "P028 2: bytes 4 to 11 of `y`, which has 8 bytes");
  EXPECT_EQ(error_of("call nobody;"), "P024 1: no function `nobody`");
  EXPECT_EQ(
      error_of("tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [t, {%r5}];"),
      "P020 1: `tex.1d.v4.f32.s32` is not supported: textures and surfaces; the run stops where it would execute it");
}

// Members have the places of C's structures, and what is read of them is read as bytes: alone, over two, in part.
TEST(PtxRuns, StructuresByValue) {
  Diagnostics diagnostics;
  const Lesson lesson = ptx_lesson(
      ".entry k(.param .u32 m, .param .align 8 .b8 s[24], .param .u64 out) {\n"
      " .reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .b16 %h<3>;\n"
      " ld.param.u64 %rd1, [out];\n"
      " ld.param.u16 %h1, [s]; cvt.u32.u16 %r1, %h1; st.global.u32 [%rd1], %r1;\n"
      " ld.param.u64 %rd2, [s+8]; ld.global.u32 %r2, [%rd2+4]; st.global.u32 [%rd1+4], %r2;\n"
      " ld.param.v2.u32 {%r3, %r4}, [s+16]; st.global.u32 [%rd1+8], %r3; st.global.u32 [%rd1+12], %r4;\n"
      " ld.param.u64 %rd3, [s+16]; st.global.u64 [%rd1+16], %rd3;\n"
      " ld.param.u16 %h2, [s+18]; cvt.u32.u16 %r5, %h2; st.global.u32 [%rd1+24], %r5;\n"
      " ld.param.u64 %rd4, [s]; st.global.u64 [%rd1+32], %rd4;\n"
      " ld.param.u32 %r6, [m]; st.global.u32 [%rd1+28], %r6; ret; }\n",
      "param m: u32, s { param h: u16, in x: u32[2], param a: u32, param b: s32 }, out y: u32[10]", diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  CaseOverrides overrides;
  overrides.block = Dim3{1, 1, 1};
  overrides.inputs["x"] = "[5, 6]";
  overrides.params = {{"m", "9"}, {"h", "0x1234"}, {"a", "0xabcd0001"}, {"b", "-1"}};
  const auto prepared = prepare_case(lesson, Case{}, overrides);
  ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared)) << std::get<LaunchError>(prepared).message;
  const PreparedCase& ready = std::get<PreparedCase>(prepared);
  auto made = Machine::create(lesson, ready.config, ready.arguments);
  Machine& machine = std::get<Machine>(made);
  EXPECT_TRUE(machine.run().ok);
  EXPECT_EQ(machine.buffer("y").bits,
            (PtxWords{0x1234, 6, 0xabcd0001, 0xffffffff, 0xabcd0001, 0xffffffff, 0xabcd, 9, 0x1234, 0}));
}

TEST(PtxRuns, StructuresAreDescribedWhole) {
  const auto fault = [](const std::string& line) {
    const ptx::ReadModule read =
        ptx::read_module(kPtxHead + ".entry k(.param .align 8 .b8 s[24], .param .u32 n) { ret; }\n", "t.ptx");
    Diagnostics diagnostics;
    std::optional<Program> program = ptx::make_program(read.module, read.module.functions.front(), diagnostics);
    const ptx::Descriptions descriptions = ptx::with_bodies(".kernel k (" + line + ")\n");
    const Assembled launch = assemble(descriptions.text, "t.launch");
    EXPECT_EQ(launch.diagnostics.render(), "") << line;
    static_cast<void>(ptx::described(std::move(*program), *launch.lesson(), diagnostics, descriptions.structures));
    return diagnostics.list.empty() ? "" : diagnostics.list.front().message;
  };
  EXPECT_EQ(fault("s { param a: u64, param b: u32, param c: u64 }, param n: u32"), "");
  EXPECT_EQ(fault("s { param a: u64, param b: f64, param c: u32 }, param n: u32"), "") << "padded at its end";
  EXPECT_EQ(fault("s { param a: u64, param b: u32 }, param n: u32"),
            "the members fill 16 bytes, but parameter 0 of the kernel is a structure of 24 bytes");
  EXPECT_EQ(fault("s { param a: u64, param b: u64, param c: u64 }, t { param n: u32 }"),
            "the members fill 4 bytes, but parameter 1 of the kernel is no structure: it has 4 bytes");
  EXPECT_EQ(fault("param a: u64, param n: u32"),
            "`a` has 8 bytes, but parameter 0 of the kernel is a structure of 24 bytes");
  EXPECT_EQ(fault("param a: u64, param b: u64, param c: u64, param n: u32"),
            "`k` is described with 4 parameters, the kernel has 2");
}

}  // namespace
}  // namespace warpsim
