// ptx_run(): the host's own memory, and faults that end the call alone.
//
// Source: gpuocelot's ptx_run as tinygrad's mock GPU calls it (test/mockgpu/helpers.py).
#include <sys/mman.h>

#include <array>

#include "tests/host/interface/c_device.h"

namespace warpsim::host {
namespace {

int run_numbers(void* y, int threads, int blocks = 1) {
  void* args[] = {y};
  return ptx_run(ptx_text(kNumbers).c_str(), 1, args, threads, 1, 1, blocks, 1, 1, 0);
}

TEST(PtxRun, WritesTheHostsMemory) {
  std::vector<std::uint32_t> y(8, 99);
  EXPECT_EQ(run_numbers(y.data(), 2, 3), 0);
  EXPECT_EQ(y, (std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 99, 99}));
  std::array<std::uint32_t, 3> on_stack{};
  EXPECT_EQ(run_numbers(on_stack.data(), 3), 0) << "the same text, other memory";
  EXPECT_EQ(on_stack, (std::array<std::uint32_t, 3>{0, 1, 2}));
}

TEST(PtxRun, NumbersAreArguments) {
  std::uint64_t y = 0;
  void* args[] = {&y, reinterpret_cast<void*>(std::uintptr_t{0xfffffffffffffffeU}), reinterpret_cast<void*>(7)};
  const std::string text = ptx_text(
      ".visible .entry k(.param .u64 y, .param .s32 a, .param .u64 b) { .reg .b64 %rd<5>; .reg .b32 %r;\n"
      "ld.param.u64 %rd1, [y]; ld.param.s32 %r, [a]; ld.param.u64 %rd2, [b]; cvt.s64.s32 %rd3, %r;\n"
      "add.s64 %rd4, %rd3, %rd2; st.global.u64 [%rd1], %rd4; ret; }\n");
  EXPECT_EQ(ptx_run(text.c_str(), 3, args, 1, 1, 1, 1, 1, 1, 0), 0);
  EXPECT_EQ(y, 5U) << "-2 + 7";
}

// As gpuocelot takes them: the block's dimensions come first.
TEST(PtxRun, TheBlockComesBeforeTheGrid) {
  alignas(8) std::array<std::uint32_t, 2> y{};
  void* args[] = {y.data()};
  const std::string text = ptx_text(
      ".visible .entry k(.param .u64 y) { .reg .b64 %rd; .reg .b32 %r<3>; ld.param.u64 %rd, [y];\n"
      "mov.u32 %r1, %ntid.y; mov.u32 %r2, %nctaid.z; st.global.v2.u32 [%rd], {%r1, %r2}; ret; }\n");
  EXPECT_EQ(ptx_run(text.c_str(), 1, args, 1, 5, 1, 1, 1, 3, 0), 0);
  EXPECT_EQ(y, (std::array<std::uint32_t, 2>{5, 3}));
}

TEST(PtxRun, AFaultEndsTheCallAlone) {
  constexpr std::size_t kPage = 4096;
  char* const pages =
      static_cast<char*>(mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(pages, MAP_FAILED);
  ASSERT_EQ(mprotect(pages + kPage, kPage, PROT_NONE), 0);
  ::testing::internal::CaptureStderr();
  const int status = run_numbers(pages + kPage - 4 * 20, 32);
  std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(status, WARPSIM_ERROR_TRAP);
  EXPECT_EQ(said.rfind("warpsim: error: ptx_run: ptx:9:", 0), 0U) << said;
  EXPECT_NE(said.find("lanes 20-31"), std::string::npos) << said;
  EXPECT_EQ(reinterpret_cast<std::uint32_t*>(pages + kPage)[-1], 0U) << "a trap comes before the store";

  ASSERT_EQ(mprotect(pages, kPage, PROT_READ), 0);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run_numbers(pages, 4), WARPSIM_ERROR_TRAP);
  said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("read"), std::string::npos) << said;
  ASSERT_EQ(munmap(pages, 2 * kPage), 0);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(run_numbers(pages, 4), WARPSIM_ERROR_TRAP) << "it was there in the call before";
  EXPECT_EQ(run_numbers(nullptr, 1), WARPSIM_ERROR_TRAP);
  said = ::testing::internal::GetCapturedStderr();
}

TEST(PtxRun, WhatIsNoCallIsSaid) {
  void* args[] = {nullptr, nullptr};
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(ptx_run(nullptr, 0, args, 1, 1, 1, 1, 1, 1, 0), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_EQ(ptx_run("nonsense", 0, args, 1, 1, 1, 1, 1, 1, 0), WARPSIM_ERROR_BAD_PTX);
  EXPECT_EQ(ptx_run(ptx_text("").c_str(), 0, args, 1, 1, 1, 1, 1, 1, 0), WARPSIM_ERROR_NOT_FOUND);
  EXPECT_EQ(ptx_run(ptx_text(kNumbers).c_str(), 2, args, 1, 1, 1, 1, 1, 1, 0), WARPSIM_ERROR_INVALID_VALUE);
  EXPECT_EQ(ptx_run(ptx_text(kNumbers).c_str(), 1, args, -4, 1, 1, 1, 1, 1, 0), WARPSIM_ERROR_BAD_LAUNCH);
  const std::string said = ::testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("the text has no kernel"), std::string::npos) << said;
  EXPECT_NE(said.find("numbers takes 1 parameter; given are 2"), std::string::npos) << said;
}

}  // namespace
}  // namespace warpsim::host
