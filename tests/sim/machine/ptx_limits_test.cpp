// What a launch of a kernel from PTX may be, and what of its text is refused by name.
//
// Source: PTX ISA 9.0, 11.4 "Performance-Tuning Directives", 10.26 to 10.30 (reserved shared memory), 9.7.13.12
//         "brx.idx"; CUDA C++ Programming Guide 13.0, table "Technical Specifications".
#include <gtest/gtest.h>

#include <string>

#include "tests/support/ptx_run.h"

namespace warpsim {
namespace {

using testing::kPtxBegin;
using testing::kPtxEnd;
using testing::ptx_lesson;
using testing::PtxRun;
using testing::PtxWords;
using testing::run_ptx;

struct Launch {
  Dim3 block{32, 1, 1};
  std::uint32_t dynamic_shared = 0;
};

// "L002 message | hint"; "" if both accept it: prepare_case(), and Machine::create() by itself.
std::string refusal(const std::string& directives, const std::string& body, const Launch& launch) {
  Diagnostics diagnostics;
  const Lesson lesson = ptx_lesson(".visible .entry k(.param .u64 y) " + directives + " {\n" + body + "\nret; }\n",
                                   "out y: u32[1]", diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  CaseOverrides overrides;
  overrides.block = launch.block;
  overrides.shared_bytes = launch.dynamic_shared;
  const auto prepared = prepare_case(lesson, Case{}, overrides);
  const auto text = [](const LaunchError& error) { return error.code + " " + error.message + " | " + error.hint; };
  LaunchConfig config;
  config.block = launch.block;
  config.dynamic_shared_bytes = launch.dynamic_shared;
  const auto made = Machine::create(lesson, config, {{}, {{"y", Array{Type::U32, {0}}}}, {}});
  const LaunchError* const by_machine = std::get_if<LaunchError>(&made);
  if (const LaunchError* const error = std::get_if<LaunchError>(&prepared)) {
    EXPECT_TRUE(by_machine != nullptr);
    return text(*error);
  }
  return by_machine != nullptr ? text(*by_machine) : "";
}

TEST(PtxLimits, ABlockHasAtMostTheThreadsThatTheKernelIsMadeFor) {
  EXPECT_EQ(refusal(".maxntid 64", "", {.block = {64, 1, 1}}), "");
  EXPECT_EQ(refusal(".maxntid 64", "", {.block = {4, 4, 4}}), "") << "it is the product that counts";
  EXPECT_EQ(refusal(".maxntid 8, 8", "", {.block = {64, 1, 1}}), "");
  EXPECT_EQ(refusal(".maxntid 8, 8", "", {.block = {65, 1, 1}}),
            "L002 a block of 65x1x1 threads, but the kernel takes at most 64: __launch_bounds__ (.maxntid) | "
            "launch smaller blocks, or compile the kernel for larger ones");
  EXPECT_EQ(refusal(".maxntid 4294967296, 4294967296", "", {.block = {1024, 1, 1}}), "");
}

TEST(PtxLimits, ABlockIsTheOneThatTheKernelRequires) {
  EXPECT_EQ(refusal(".reqntid 8, 4", "", {.block = {8, 4, 1}}), "");
  for (const Dim3 other : {Dim3{4, 8, 1}, Dim3{32, 1, 1}, Dim3{8, 4, 2}, Dim3{8, 3, 1}})
    EXPECT_EQ(refusal(".reqntid 8, 4", "", {.block = other}).substr(0, 4), "L002") << other.x << " " << other.y;
  EXPECT_EQ(refusal(".reqntid 8, 4", "", {.block = {32, 1, 1}}),
            "L002 a block of 32x1x1 threads, but the kernel takes 8x4x1 alone: .reqntid | --block 8x4x1");
  Diagnostics diagnostics;
  const Lesson lesson =
      ptx_lesson(".visible .entry k(.param .u64 y) .reqntid 8, 4 { ret; }\n", "out y: u32[1]", diagnostics);
  const auto prepared = prepare_case(lesson, Case{}, CaseOverrides{});
  ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared));
  EXPECT_EQ(std::get<PreparedCase>(prepared).config.block.y, 4U) << "who says nothing gets that one";
}

TEST(PtxLimits, ABlockHasAtMost1024Threads) {
  EXPECT_EQ(refusal("", "", {.block = {32, 32, 1}}), "");
  EXPECT_EQ(refusal("", "", {.block = {32, 33, 1}}),
            "L002 a block of 32x33x1 threads is too large | at most 1024x1024x64 and 1024 threads in all, as in CUDA");
}

// 227 KB = 232,448 bytes.
TEST(PtxLimits, ABlockHasAtMost227KilobytesOfSharedMemory) {
  const std::string body = ".shared .align 4 .b8 s[1024]; .reg .b32 %r; mov.u32 %r, s;";
  EXPECT_EQ(refusal("", body, {.dynamic_shared = 231'424}), "");
  EXPECT_EQ(
      refusal("", body, {.dynamic_shared = 231'425}),
      "L020 the launch asks for 231425 bytes of dynamic shared memory beside the 1024 that the kernel declares; a "
      "block has 232448 | ask for less");
}

// down(n) opens n calls, each with a frame of 16 bytes for argument and result and `local` bytes more, and gives n.
PtxRun run_down(unsigned n, unsigned local) {
  const std::string array = local == 0 ? "" : ".local .align 16 .b8 l[" + std::to_string(local) + "]; ";
  return run_ptx(".func (.param .b32 r) down(.param .b32 n) { " + array +
                     ".reg .b32 %r<5>; .reg .pred %p;\nld.param.u32 %r1, [n]; mov.u32 %r3, 1; setp.lt.u32 %p, %r1, 2; "
                     "@%p bra done; sub.u32 %r2, %r1, 1;\n{ .param .b32 a; st.param.b32 [a], %r2; .param .b32 b; call "
                     "(b), down, (a); ld.param.b32 %r4, [b]; } add.u32 %r3, %r4, 1;\n"
                     "done: st.param.b32 [r], %r3; ret; }\n" +
                     kPtxBegin + "{ .param .b32 a; mov.u32 %r2, " + std::to_string(n) +
                     "; st.param.b32 [a], %r2; .param .b32 b; call (b), down, (a); ld.param.b32 %r9, [b]; }\n" +
                     kPtxEnd,
                 1);
}

TEST(PtxLimits, AThreadHas4096OpenCalls) {
  EXPECT_EQ(run_down(4096, 0).y, PtxWords{4096});
  const PtxRun deeper = run_down(4097, 0);
  EXPECT_EQ(deeper.result.trap.kind, TrapKind::StackOverflow);
  EXPECT_NE(english(deeper.result.trap.message).find("4096 calls are open"), std::string::npos);
}

// Frames of 1,024 bytes, and 16 behind the last one for what it would pass on.
TEST(PtxLimits, AThreadHas512KilobytesOfLocalMemory) {
  EXPECT_EQ(run_down(511, 1008).y, PtxWords{511});
  const PtxRun deeper = run_down(512, 1008);
  EXPECT_EQ(deeper.result.trap.kind, TrapKind::StackOverflow);
  EXPECT_NE(english(deeper.result.trap.message).find("511 calls are open, and take 523280 bytes of local memory"),
            std::string::npos)
      << english(deeper.result.trap.message);
}

TEST(PtxLimits, AClusterHasOneBlock) {
  const std::string parameters = ".visible .entry k(.param .u64 y) ";
  EXPECT_EQ(refusal(".reqnctapercluster 1, 1, 1", "", {}), "");
  Diagnostics diagnostics;
  static_cast<void>(ptx_lesson(parameters + ".reqnctapercluster 1, 2, 1 { ret; }\n", "out y: u32[1]", diagnostics));
  ASSERT_EQ(diagnostics.list.size(), 1U);
  EXPECT_EQ(diagnostics.list[0].message, "`.reqnctapercluster` is not supported: clusters of several blocks");
}

// Lanes 1 and 3 jump, each to another label; of the others the index does not count, lane 4 has none of the table.
TEST(PtxLimits, AJumpByATableHasAGuard) {
  const PtxRun ran = run_ptx(
      kPtxBegin +
          "and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 1; shr.u32 %r3, %r1, 1; t: .branchtargets a, b;\n"
          "@%p1 brx.idx %r3, t;\nmov.u32 %r9, 50; bra z;\na: mov.u32 %r9, 70; bra z;\nb: mov.u32 %r9, 80;\nz:\n" +
          kPtxEnd,
      5);
  EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  EXPECT_EQ(ran.y, (PtxWords{50, 70, 50, 80, 50}));
  EXPECT_EQ(ran.found, std::vector<std::string>{});
}

// What the system takes is 1 KB beside what the program has, which nothing there changes.
TEST(PtxLimits, ReservedSharedMemoryIsNotTheProgramsOwn) {
  const PtxRun ran = run_ptx(
      ".shared .align 4 .b32 s[3];\n.extern .shared .align 4 .b8 d[];\n" + kPtxBegin +
          "mov.u32 %r2, s; st.shared.u32 [s], 7; st.shared.u32 [s+8], 7; st.shared.u32 [d+4], 7;\n"
          "mov.u32 %r3, %reserved_smem_offset_0; st.shared.u32 [%r3], 100; st.shared.u32 [%r3+508], 100;\n"
          "mov.u32 %r4, %reserved_smem_offset_1; st.shared.u32 [%r4], 1000; st.shared.u32 [%r4+508], 1000;\n"
          "ld.shared.u32 %r5, [s]; ld.shared.u32 %r6, [s+8]; ld.shared.u32 %r7, [d+4]; ld.shared.u32 %r8, [%r3+508];\n"
          "add.u32 %r9, %r5, %r6; add.u32 %r9, %r9, %r7; add.u32 %r9, %r9, %r8;\n"
          "mov.u32 %r3, %reserved_smem_offset_begin; mov.u32 %r4, %reserved_smem_offset_end; sub.u32 %r4, %r4, %r3;\n"
          "mov.u32 %r5, %reserved_smem_offset_cap; add.u32 %r9, %r9, %r4; sub.u32 %r9, %r9, %r5;\n" +
          kPtxEnd,
      1, 8);
  EXPECT_TRUE(ran.result.ok) << english(ran.result.trap.message);
  EXPECT_EQ(ran.y, (PtxWords{7 + 7 + 7 + 100}));
}

TEST(PtxLimits, TheLaunchSaysHowMuchSharedMemoryIsDynamic) {
  const PtxRun ran = run_ptx(".shared .align 4 .b32 s[4];\n.extern .shared .align 4 .b8 d[];\n" + kPtxBegin +
                                 "mov.u32 %r2, s; mov.u32 %r2, d; mov.u32 %r3, %dynamic_smem_size; mov.u32 %r4, "
                                 "%total_smem_size; mad.lo.u32 %r9, %r3, 1000, %r4;\n" +
                                 kPtxEnd,
                             1, 24);
  EXPECT_EQ(ran.y, (PtxWords{24 * 1000 + 128}));
}

}  // namespace
}  // namespace warpsim
