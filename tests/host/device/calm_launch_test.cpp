// Launches whose checks take memory to be calm: where it is not, the launch runs again, and nobody can tell but by the
// engine's log.
//
// Source: the kernels say what they leave; that what is found is right is tests/sim/check's.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "host/device/device.h"

namespace warpsim::host {
namespace calm_launch_test {

constexpr unsigned kThreads = 128, kBlocks = 3;

// Each thread adds 1 to its own word; what follows gets its address in %rd3, and its number in %r4.
std::string kernel(const std::string& body) {
  return R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 x) {
  .reg .pred %p<4>;
  .reg .b32 %r<12>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [x];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  ld.global.u32 %r5, [%rd3];
  add.s32 %r5, %r5, 1;
  st.global.u32 [%rd3], %r5;
)" + body +
         "  ret;\n}\n";
}

struct Launches {
  std::vector<std::uint32_t> words;  // after all of them
  std::vector<std::string> found;    // codes, of all
  int again = 0;
};

// `more`: so many words behind those of the threads.
Launches launch(const std::string& body, int times, unsigned more = 0) {
  Launches made;
  Device device;
  device.listeners().finding = [&](const Report& report) { made.found.push_back(report.finding.code.word); };
  device.listeners().engine = [&](std::uint64_t, const std::string&, std::string_view line) {
    made.again += line.find("runs again") != std::string_view::npos;
  };
  const auto loaded = device.load({{"k.ptx", kernel(body)}});
  KernelModule* const* const module = std::get_if<KernelModule*>(&loaded);
  if (module == nullptr) {
    ADD_FAILURE() << std::get<Failure>(loaded).text;
    return made;
  }
  const std::uint64_t bytes = (kBlocks * kThreads + more) * 4,
                      address = device.memory().allocate(bytes, "x").value_or(0);
  const std::array<const void*, 1> params{&address};
  for (int k = 0; k < times; ++k) {
    const std::optional<Failure> failure =
        device.launch(*(*module)->find_kernel("k"), {{kBlocks, 1, 1}, {kThreads, 1, 1}}, params);
    EXPECT_FALSE(failure) << failure->text;
  }
  made.words.resize(bytes / 4);
  std::memcpy(made.words.data(), device.memory().find(address, bytes)->bytes, bytes);
  return made;
}

TEST(CalmLaunch, RunsOnceWhereNothingMeets) {
  const Launches made = launch("", 2);
  EXPECT_EQ(made.words, std::vector<std::uint32_t>(kBlocks * kThreads, 2));
  EXPECT_TRUE(made.found.empty());
  EXPECT_EQ(made.again, 0);
}

// What the first try has stored is no longer there, and the next launch does not try.
TEST(CalmLaunch, ARaceIsFoundInASecondRun) {
  const Launches made =
      launch("  ld.global.u32 %r6, [%rd1];\n  setp.eq.u32 %p1, %r6, 77;\n  @%p1 st.global.u32 [%rd3], 0;\n", 2);
  EXPECT_EQ(made.words, std::vector<std::uint32_t>(kBlocks * kThreads, 2));
  EXPECT_EQ(made.again, 1);
  ASSERT_FALSE(made.found.empty());
  for (const std::string& code : made.found)
    EXPECT_TRUE(code == "WS0401" || code == "WS0402" || code == "WS0403") << code;
}

// Two lanes of a warp meet in their own order: it runs again, and nothing is found.
TEST(CalmLaunch, WhatIsOrderedOtherwiseIsNoRace) {
  const Launches made = launch(
      "  bar.warp.sync 0xffffffff;\n  xor.b32 %r6, %r4, 1;\n  mul.wide.s32 %rd4, %r6, 4;\n"
      "  add.s64 %rd5, %rd1, %rd4;\n  ld.global.u32 %r7, [%rd5];\n",
      2);
  EXPECT_EQ(made.words, std::vector<std::uint32_t>(kBlocks * kThreads, 2));
  EXPECT_EQ(made.again, 1);
  EXPECT_TRUE(made.found.empty());
}

// A value that a shuffle has left in place is stored by the lanes that have it, or by none of them.
TEST(CalmLaunch, WhatAShuffleLeftInPlaceIsFollowedOnceItIsUsed) {
  constexpr const char* kShuffle =
      "  shfl.sync.down.b32 %r6, %r5, 16, 31, 0xffffffff;\n  add.s32 %r10, %r6, %r5;\n"
      "  shfl.sync.down.b32 %r8, %r10, 8, 31, 0xffffffff;\n  add.s32 %r7, %r10, %r8;\n";
  const Launches all = launch(std::string(kShuffle) + "  st.global.u32 [%rd3], %r7;\n", 2);
  EXPECT_EQ(all.again, 1);
  EXPECT_EQ(all.words, std::vector<std::uint32_t>(kBlocks * kThreads, 20)) << "four times 1, plus 1, four times";
  ASSERT_FALSE(all.found.empty());
  const Launches one = launch(std::string(kShuffle) +
                                  "  and.b32 %r9, %r3, 31;\n  setp.lt.u32 %p1, %r9, 8;\n"
                                  "  @%p1 st.global.u32 [%rd3], %r7;\n",
                              1);
  EXPECT_EQ(one.again, 0);
  EXPECT_TRUE(one.found.empty());
  for (unsigned k = 0; k < one.words.size(); ++k) EXPECT_EQ(one.words[k], k % 32 < 8 ? 4U : 1U) << k;
}

// A lane that goes on behind the barrier of the others has skipped it; one that returns early has not.
TEST(CalmLaunch, ASkippedBarrierIsFoundInASecondRun) {
  const std::string test = "  setp.eq.u32 %p1, %r3, 5;\n";
  const Launches skips = launch(test +
                                    "  @%p1 bra JOIN;\n  bar.sync 0;\nJOIN:\n  add.s32 %r6, %r5, 1;\n"
                                    "  st.global.u32 [%rd3], %r6;\n",
                                1);
  EXPECT_EQ(skips.again, 1);
  EXPECT_EQ(skips.words, std::vector<std::uint32_t>(kBlocks * kThreads, 2));
  EXPECT_EQ(skips.found, std::vector<std::string>{"WS0501"});
  const Launches returns = launch(test + "  @%p1 bra END;\n  bar.sync 0;\nEND:\n", 1);
  EXPECT_EQ(returns.again, 0);
  EXPECT_TRUE(returns.found.empty());
}

// Whether a lane was in range is decided by what a shuffle left in place, too.
TEST(CalmLaunch, APredicateMayBeOfAValueLeftInPlace) {
  const Launches made = launch(
      "  shfl.sync.up.b32 %r6, %r5, 1, 0, 0xffffffff;\n  and.b32 %r7, %r6, 31;\n"
      "  shfl.sync.idx.b32 %r8|%p1, %r5, %r7, 31, 0xffffffff;\n"
      "  @%p1 st.global.u32 [%rd3], %r5;\n",
      1);
  EXPECT_EQ(made.again, 1);
  EXPECT_FALSE(made.found.empty());
}

// Sums into neighbours behind the threads' words, which all blocks share; and the same undone.
TEST(CalmLaunch, SumsOfNeighbours) {
  const std::string sums =
      "  mul.wide.u32 %rd4, %r3, 4;\n  add.s64 %rd5, %rd1, %rd4;\n  mov.u32 %r6, 0;\n"
      "AGAIN:\n  red.global.add.u32 [%rd5+1536], 1;\n  add.u32 %r6, %r6, 1;\n"
      "  setp.lt.u32 %p1, %r6, 3;\n  @%p1 bra AGAIN;\n";
  const auto expect_sums = [](const Launches& made, std::uint32_t expected) {
    ASSERT_EQ(made.words.size(), (kBlocks + 2) * kThreads);
    for (unsigned k = 0; k < kThreads; ++k) EXPECT_EQ(made.words[kBlocks * kThreads + k], expected) << k;
  };
  const Launches shared = launch(sums, 2, 2 * kThreads);
  EXPECT_EQ(shared.again, 0);
  EXPECT_TRUE(shared.found.empty());
  expect_sums(shared, 18);
  const Launches undone = launch(sums + "  ld.global.u32 %r7, [%rd1];\n", 1, 2 * kThreads);
  EXPECT_EQ(undone.again, 1);
  expect_sums(undone, 9);
}

}  // namespace calm_launch_test
}  // namespace warpsim::host
