// Kernels that kernels launch: in which order they run, what they see, what is found in them, and how launches fail.
//
// Source: CUDA C++ Programming Guide 13.0, "CUDA Dynamic Parallelism": grids of one stream run in order, a parent is
//         over when its children are, the tail-launch stream comes behind all others; codes of errors: driver_types.h.
//         Expected values are worked out in the comments.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/ptx/ptx_lesson.h"
#include "isa/ptx/ptx_program.h"
#include "isa/ptx/ptx_reader.h"
#include "sim/check/checker.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

using Words = std::vector<std::uint64_t>;

const std::string kRuntime =
    ".version 9.0\n.target sm_90\n.address_size 64\n"
    ".extern .func (.param .b64 r) __cudaCDP2GetParameterBufferV2(.param .b64 a, .param .align 4 .b8 b[12],\n"
    "  .param .align 4 .b8 c[12], .param .b32 d);\n"
    ".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2(.param .b64 a, .param .b64 b);\n"
    ".extern .func (.param .b32 r) __cudaCDP2GetLastError();\n"
    ".extern .func (.param .b32 r) __cudaCDP2StreamCreateWithFlags(.param .b64 a, .param .b32 b);\n"
    ".extern .func (.param .b32 r) __cudaCDP2MemsetAsync(.param .b64 a, .param .b32 b, .param .b64 c, .param .b64 d);\n"
    ".extern .func (.param .b32 r) __cudaCDP2Malloc(.param .b64 a, .param .b64 b);\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n";

// A kernel's head: %rd1 is y, %r1 the thread's number, %r2 the second parameter.
std::string kernel(const std::string& name, const std::string& body) {
  return ".visible .entry " + name +
         "(.param .u64 y, .param .u32 n) {\n.reg .b64 %rd<9>; .reg .b32 %r<20>; .reg .pred %p<5>;\n"
         "ld.param.u64 %rd1, [y]; ld.param.u32 %r2, [n]; cvta.to.global.u64 %rd1, %rd1; mov.u32 %r1, %tid.x;\n" +
         body + "\nret; }\n";
}

// As nvcc writes callee<<<grid, block, 0, stream>>>(y, n): %r9 gets the error, 1000 where there is no buffer.
std::string launch(const std::string& callee, const std::string& n, unsigned grid = 1, unsigned block = 1,
                   const std::string& stream = "0") {
  const auto shape = [](const std::string& name, unsigned x) {
    return ".param .align 4 .b8 " + name + "[12]; st.param.b32 [" + name + "], " + std::to_string(x) +
           "; st.param.b32 [" + name + "+4], 1; st.param.b32 [" + name + "+8], 1;\n";
  };
  return "{ .reg .b64 %f, %b; mov.u64 %f, " + callee +
         "; mov.u32 %r9, 1000;\n.param .b64 p0; st.param.b64 [p0], %f;\n" + shape("p1", grid) + shape("p2", block) +
         ".param .b32 p3; st.param.b32 [p3], 0; .param .b64 r0;\n"
         "call.uni (r0), __cudaCDP2GetParameterBufferV2, (p0, p1, p2, p3); ld.param.b64 %b, [r0];\n"
         "setp.eq.s64 %p4, %b, 0; @%p4 bra none;\nst.u64 [%b], %rd1; st.u32 [%b+8], " +
         n + ";\n.param .b64 q0; st.param.b64 [q0], %b; .param .b64 q1; st.param.b64 [q1], " + stream +
         "; .param .b32 s0;\ncall.uni (s0), __cudaCDP2LaunchDeviceV2, (q0, q1); ld.param.b32 %r9, [s0];\nnone: }\n";
}

const std::string kLastError = "{ .param .b32 e; call.uni (e), __cudaCDP2GetLastError, (); ld.param.b32 %r10, [e]; }\n";

struct Launched {
  RunResult result;
  Words y;
  std::vector<std::string> found;  // codes of findings
  std::string message;             // of the first, or of the trap
};

// The last kernel of the text on y: u32[elements], each 0 unless `input` says otherwise, and n = 7.
Launched run(const std::string& ptx, std::size_t elements, const std::string& input = "0", unsigned threads = 1) {
  const ptx::ReadModule read = ptx::read_module(kRuntime + ptx, "t.ptx");
  EXPECT_EQ(read.diagnostics.render(), "");
  const ptx::Function* entry = nullptr;
  for (const ptx::Function& one : read.module.functions) entry = one.is_entry ? &one : entry;
  Diagnostics diagnostics = read.diagnostics;
  std::optional<Program> program = ptx::make_program(read.module, *entry, diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  if (!program) return {};
  const std::string line = ".kernel k (inout y: u32[" + std::to_string(elements) + "], param n: u32)\n";
  const Assembled described = assemble(ptx::with_bodies(line).text, "t.launch");
  const std::optional<Lesson> lesson = ptx::described(std::move(*program), *described.lesson(), diagnostics);
  EXPECT_TRUE(lesson) << diagnostics.render();
  CaseOverrides overrides;
  overrides.block = Dim3{threads, 1, 1};
  overrides.inputs["y"] = input;
  overrides.params["n"] = "7";
  const PreparedCase prepared = std::get<PreparedCase>(prepare_case(*lesson, Case{}, overrides));
  Checker checker(prepared);
  EventSink* const sinks[] = {&checker};
  auto made = Machine::create(*lesson, prepared.config, prepared.arguments);
  Machine& machine = std::get<Machine>(made);
  Launched ran{machine.run(sinks), machine.buffer("y").bits, {}, ""};
  for (const RunFinding& one : checker.found()) {
    if (ran.found.empty()) ran.message = english(one.message);
    ran.found.push_back(code(one.code));
  }
  if (!ran.result.ok) ran.message = english(ran.result.trap.message);
  // Unwatched it is the same run.
  auto again = Machine::create(*lesson, prepared.config, prepared.arguments);
  const RunResult unwatched = std::get<Machine>(again).run();
  EXPECT_EQ(unwatched.ok, ran.result.ok);
  EXPECT_EQ(unwatched.launched_grids, ran.result.launched_grids);
  EXPECT_EQ(unwatched.launched_instructions, ran.result.launched_instructions);
  EXPECT_EQ(std::get<Machine>(again).buffer("y").bits, ran.y);
  return ran;
}

// y[0] = y[0] * 10 + n.
const std::string kAppend =
    kernel("append", "ld.global.u32 %r3, [%rd1]; mad.lo.u32 %r3, %r3, 10, %r2; st.global.u32 [%rd1], %r3;");

TEST(PtxLaunches, GridsRunAfterTheirParentInOrderAndTheTailLast) {
  const Launched ran =
      run(kAppend + kernel("k", launch("append", "3", 1, 1, "3") + launch("append", "1") +
                                    launch("append", "2", 1, 1, "4") + "mov.u32 %r3, 9; st.global.u32 [%rd1], %r3;"),
          1);
  ASSERT_TRUE(ran.result.ok) << ran.message;
  EXPECT_EQ(ran.y, (Words{9123}));  // the parent's 9, then 1 and 2, the tail's 3
  EXPECT_EQ(ran.result.launched_grids, 3U);
  EXPECT_EQ(ran.found, std::vector<std::string>{});
}

// A grid is over when those that it launched are: what the first one launches comes before the second one.
TEST(PtxLaunches, AGridIsOverWhenItsOwnAreOver) {
  const std::string middle = kernel("middle", launch("append", "8", 1, 1, "3") + launch("append", "%r2"));
  const Launched ran =
      run(kAppend + middle + kernel("k", launch("middle", "1") + launch("append", "5") + launch("middle", "2")), 1);
  ASSERT_TRUE(ran.result.ok) << ran.message;
  EXPECT_EQ(ran.y, (Words{18528}));
  EXPECT_EQ(ran.result.launched_grids, 7U);
}

// Halves its range [n >> 16, n & 0xffff) until one element is left, which becomes its square.
TEST(PtxLaunches, AKernelLaunchesItself) {
  const Launched ran =
      run(kernel("split",
                 "shr.u32 %r3, %r2, 16; and.b32 %r4, %r2, 65535; sub.u32 %r5, %r4, %r3; setp.gt.u32 %p1, %r5, 1;\n"
                 "@%p1 bra more; mul.lo.u32 %r6, %r3, %r3; mul.wide.u32 %rd2, %r3, 4; add.u64 %rd2, %rd1, %rd2;\n"
                 "st.global.u32 [%rd2], %r6; ret;\nmore: shr.u32 %r5, %r5, 1; add.u32 %r5, %r5, %r3;\n"
                 "shl.b32 %r6, %r3, 16; or.b32 %r6, %r6, %r5; shl.b32 %r7, %r5, 16; or.b32 %r7, %r7, %r4;\n" +
                     launch("split", "%r6") + launch("split", "%r7")),
          7);
  ASSERT_TRUE(ran.result.ok) << ran.message;
  EXPECT_EQ(ran.y, (Words{0, 1, 4, 9, 16, 25, 36}));
  EXPECT_EQ(ran.result.launched_grids, 12U);  // a tree with 7 leaves has 13 nodes
  EXPECT_EQ(ran.found, std::vector<std::string>{});
}

TEST(PtxLaunches, TwoThousandAndFortyEightLevelsNestAndTheTailIsNone) {
  const std::string count = "ld.global.u32 %r3, [%rd1]; add.u32 %r3, %r3, 1; st.global.u32 [%rd1], %r3;\n";
  const Launched deep = run(kernel("k", count + launch("k", "0") + "st.global.u32 [%rd1+4], %r9;"), 2);
  ASSERT_TRUE(deep.result.ok) << deep.message;
  EXPECT_EQ(deep.y, (Words{2049, 65}));  // as an H100 counts; cudaErrorLaunchMaxDepthExceeded
  const Launched tail =
      run(kernel("k", count + "setp.ge.u32 %p1, %r3, 100; @%p1 bra end;\n" + launch("k", "0", 1, 1, "3") + "end:"), 1);
  ASSERT_TRUE(tail.result.ok) << tail.message;
  EXPECT_EQ(tail.y, (Words{100}));
}

TEST(PtxLaunches, ALaunchThatCannotBeHasAnErrorThatIsForgottenOnceRead) {
  const Launched shape = run(kAppend + kernel("k", launch("append", "1", 1, 1025) + kLastError +
                                                       "st.global.u32 [%rd1], %r9; st.global.u32 [%rd1+4], %r10;\n" +
                                                       kLastError + "st.global.u32 [%rd1+8], %r10;"),
                             3);
  EXPECT_EQ(shape.y, (Words{1000, 9, 0}));  // no buffer, cudaErrorInvalidConfiguration
  const Launched stream =
      run(kAppend + kernel("k", launch("append", "1", 1, 1, "12345") + "st.global.u32 [%rd1], %r9;"), 1);
  EXPECT_EQ(stream.y, (Words{400}));  // cudaErrorInvalidResourceHandle
  const Launched many =
      run(kAppend + kernel("k", "mov.u32 %r11, 0; loop:\n" + launch("append", "1") +
                                    "add.u32 %r11, %r11, 1; setp.ne.u32 %p1, %r9, 1000; @%p1 bra loop;\n" + kLastError +
                                    "st.global.u32 [%rd1+4], %r11; st.global.u32 [%rd1+8], %r10;"),
          3);
  ASSERT_TRUE(many.result.ok) << many.message;
  EXPECT_EQ(many.y[1], 16385U);  // 16384 wait
  EXPECT_EQ(many.y[2], 69U);     // cudaErrorLaunchPendingCountExceeded
}

TEST(PtxLaunches, AStreamThatWasMadeCanBeLaunchedInto) {
  const Launched ran = run(
      kAppend + kernel("k",
                       "{ .local .align 8 .b8 s[8]; .reg .b64 %s; mov.u64 %s, s; cvta.local.u64 %s, %s;\n"
                       ".param .b64 p0; st.param.b64 [p0], %s; .param .b32 p1; st.param.b32 [p1], 1; .param .b32 r0;\n"
                       "call.uni (r0), __cudaCDP2StreamCreateWithFlags, (p0, p1); ld.local.u64 %rd3, [s]; }\n" +
                           launch("append", "4", 1, 1, "%rd3")),
      1);
  ASSERT_TRUE(ran.result.ok) << ran.message;
  EXPECT_EQ(ran.y, (Words{4}));
  EXPECT_EQ(ran.found, std::vector<std::string>{});  // the handle is defined
}

// 0x05050505 is what the fill leaves, before the grid behind it and after the one before it.
TEST(PtxLaunches, FillsHaveTheirPlaceAmongTheGrids) {
  const std::string fill =
      "{ .param .b64 p0; st.param.b64 [p0], %rd1; .param .b32 p1; st.param.b32 [p1], 5; .param .b64 p2;\n"
      "st.param.b64 [p2], 4; .param .b64 p3; st.param.b64 [p3], 0; .param .b32 r0;\n"
      "call.uni (r0), __cudaCDP2MemsetAsync, (p0, p1, p2, p3); }\n";
  const Launched ran = run(kAppend + kernel("k", launch("append", "1") + fill + launch("append", "2")), 1);
  ASSERT_TRUE(ran.result.ok) << ran.message;
  EXPECT_EQ(ran.y, (Words{0x05050505U * 10 + 2}));
  const Launched outside = run(kernel("k", "add.u64 %rd1, %rd1, 4;\n" + fill), 1);
  EXPECT_FALSE(outside.result.ok);
  EXPECT_EQ(outside.result.trap.kind, TrapKind::OutOfBounds);
}

TEST(PtxLaunches, WhatIsWrongInAChildNamesIt) {
  const std::string far = kernel("far", "add.u32 %r3, %r2, %r1; st.global.u32 [%rd1+4096], %r3;");
  const Launched trapped = run(far + kernel("k", launch("far", "1", 3, 2)), 1);
  EXPECT_FALSE(trapped.result.ok);
  EXPECT_EQ(trapped.result.trap.kind, TrapKind::OutOfBounds);
  EXPECT_EQ(trapped.message.find("in far, which the kernel launched, block 0, warp 0: lane 0 writes"), 0U)
      << trapped.message;
  // Two blocks store other values to one place: once told, however many grids do it.
  const std::string racing = kernel("racing", "mov.u32 %r3, %ctaid.x; st.global.u32 [%rd1], %r3;");
  const Launched raced = run(racing + kernel("k", launch("racing", "1", 2) + launch("racing", "1", 2)), 1);
  ASSERT_TRUE(raced.result.ok) << raced.message;
  EXPECT_EQ(raced.found.size(), 1U);
  EXPECT_EQ(raced.message.find("in racing, which the kernel launched, block 1, warp 0: "), 0U) << raced.message;
}

// What nobody gave contents is so for the child, and what the child writes is defined for who comes then.
TEST(PtxLaunches, WhatIsUndefinedInMemoryIsKnownFromGridToGrid) {
  const std::string write = kernel("write", "st.global.u32 [%rd1], %r2;");
  const Launched right =
      run(write + kAppend + kernel("k", launch("write", "4") + launch("append", "2")), 1, "undefined");
  ASSERT_TRUE(right.result.ok) << right.message;
  EXPECT_EQ(right.y, (Words{42}));
  EXPECT_EQ(right.found, std::vector<std::string>{});
  const std::string branch = kernel("branch",
                                    "ld.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra end;\n"
                                    "st.global.u32 [%rd1+4], %r3; end:");
  const Launched wrong = run(branch + kernel("k", launch("branch", "2")), 2, "undefined");
  EXPECT_FALSE(wrong.found.empty());
  EXPECT_EQ(wrong.message.find("in branch, which the kernel launched"), 0U) << wrong.message;
}

TEST(PtxLaunches, EachKernelHasSharedMemoryAndVariablesAreOne) {
  const std::string variable = ".global .u32 sum = 1;\n";
  const auto uses = [](const std::string& name, const std::string& more) {
    return kernel(
        name,
        ".shared .b32 big[50000]; st.shared.u32 [big+199996], %r2; ld.shared.u32 %r3, [big+199996];\n"
        "ld.global.u32 %r4, [sum]; add.u32 %r4, %r4, %r3; st.global.u32 [sum], %r4; st.global.u32 [%rd1], %r4;\n" +
            more);
  };
  const Launched ran = run(variable + uses("child", "") + uses("k", launch("child", "20")), 1);
  ASSERT_TRUE(ran.result.ok) << ran.message;
  EXPECT_EQ(ran.y, (Words{1 + 7 + 20}));
}

TEST(PtxLaunches, TextsComeInTheOrderOfTheGrids) {
  const std::string text =
      ".global .align 1 .b8 parent[4] = {112, 37, 117, 0};\n.global .align 1 .b8 child[4] = {99, 37, 117, 0};\n";
  const auto print = [](const std::string& what) {
    return "{ .local .align 4 .b8 a[4]; .reg .b64 %a, %f; st.local.u32 [a], %r2; mov.u64 %a, a; cvta.local.u64 %a, "
           "%a;\n"
           "cvta.global.u64 %f, " +
           what +
           "; .param .b64 p0; st.param.b64 [p0], %f; .param .b64 p1; st.param.b64 [p1], %a; .param .b32 r0;\n"
           "call.uni (r0), vprintf, (p0, p1); }\n";
  };
  const Launched ran = run(
      text + kernel("one", print("child")) + kernel("k", launch("one", "1") + launch("one", "2") + print("parent")), 1);
  ASSERT_TRUE(ran.result.ok) << ran.message;
  EXPECT_EQ(ran.result.printed, "p7c1c2");
}

// Each lane's launches come in the order of its calls, lane after lane where they call together.
TEST(PtxLaunches, LanesLaunchOneAfterAnother) {
  const Launched ran = run(kAppend + kernel("k", "add.u32 %r3, %r1, 1;\n" + launch("append", "%r3")), 1, "0", 4);
  ASSERT_TRUE(ran.result.ok) << ran.message;
  EXPECT_EQ(ran.y, (Words{1234}));
}

TEST(PtxLaunches, AllocatedMemoryOutlivesTheKernelThatAskedForIt) {
  const std::string use = kernel("use", "ld.global.u64 %rd2, [%rd1]; ld.u32 %r3, [%rd2]; st.global.u32 [%rd1+8], %r3;");
  const Launched ran = run(
      use +
          kernel("k",
                 "{ .param .b64 p0; st.param.b64 [p0], %rd1; .param .b64 p1; st.param.b64 [p1], 4; .param .b32 r0;\n"
                 "call.uni (r0), __cudaCDP2Malloc, (p0, p1); ld.param.b32 %r3, [r0]; st.global.u32 [%rd1+12], %r3; }\n"
                 "ld.global.u64 %rd2, [%rd1]; mov.u32 %r3, 321; st.u32 [%rd2], %r3;\n" +
                     launch("use", "0")),
      4, "9");
  ASSERT_TRUE(ran.result.ok) << ran.message;
  EXPECT_EQ(ran.y[2], 321U);
  EXPECT_EQ(ran.y[3], 0U);  // cudaSuccess
}

}  // namespace
}  // namespace warpsim
