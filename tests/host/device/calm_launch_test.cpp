// Launches whose checks take memory to be calm: where it is not, the launch runs again, and nobody can tell but by the
// engine's log.
//
// Source: the kernels say what they leave; that what is found is right is tests/sim/check's.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
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
  .reg .b32 %r<30>;
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
Launches launch(const std::string& body, int times, unsigned more = 0, EngineChoice engine = EngineChoice::Auto) {
  Launches made;
  Device device;
  device.set_engine(engine);
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

// The kernel is given two pointers in memory, so that it does not show which of both it stores through: where they are
// one, what was taken to be only read is stored to. The launch runs again, calm, and later ones compare from the begin.
TEST(CalmLaunch, WhatIsStoredThroughALoadedPointerMayHaveBeenRead) {
  constexpr std::string_view kThrough = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 t) {
  .reg .b32 %r<6>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [t];
  ld.global.u64 %rd2, [%rd1];
  ld.global.u64 %rd3, [%rd1+8];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %rd4, %r4, 4;
  add.s64 %rd5, %rd2, %rd4;
  add.s64 %rd6, %rd3, %rd4;
  ld.global.u32 %r5, [%rd5];
  add.s32 %r5, %r5, 1;
  st.global.u32 [%rd6], %r5;
  ret;
}
)";
  constexpr std::uint64_t kWords = kBlocks * kThreads, kBytes = kWords * 4;
  for (const bool are_one : {false, true}) {
    Device device;
    int again = 0, found = 0;
    device.listeners().finding = [&](const Report&) { ++found; };
    device.listeners().engine = [&](std::uint64_t, const std::string&, std::string_view line) {
      again += line.find("runs again") != std::string_view::npos;
    };
    const auto loaded = device.load({{"k.ptx", std::string(kThrough)}});
    KernelModule* const* const module = std::get_if<KernelModule*>(&loaded);
    ASSERT_NE(module, nullptr);
    const std::uint64_t table = device.memory().allocate(16, "table").value_or(0),
                        read = device.memory().allocate(kBytes, "x").value_or(0),
                        other = device.memory().allocate(kBytes, "y").value_or(0);
    const std::array<std::uint64_t, 2> pointers{read, are_one ? read : other};
    std::memcpy(device.memory().find(table, 16)->bytes, pointers.data(), sizeof pointers);
    std::vector<std::uint32_t> words(kWords, 40);
    std::memcpy(device.memory().find(read, kBytes)->bytes, words.data(), kBytes);
    const std::array<const void*, 1> params{&table};
    for (int k = 0; k < 2; ++k)
      ASSERT_FALSE(device.launch(*(*module)->find_kernel("k"), {{kBlocks, 1, 1}, {kThreads, 1, 1}}, params));
    std::memcpy(words.data(), device.memory().find(pointers[1], kBytes)->bytes, kBytes);
    EXPECT_EQ(words, std::vector<std::uint32_t>(kWords, are_one ? 42 : 41));
    EXPECT_EQ(again, are_one ? 1 : 0);
    EXPECT_EQ(found, 0);
  }
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

// A scan in which selections let nobody have what was left in place, and one of which a lane chooses it: launched often
// enough that code makes the selections, where they follow shuffles of all lanes, and of half of them.
TEST(CalmLaunch, ASelectionChoosesWhatAShuffleLeftInPlaceOrDoesNot) {
  const auto scan = [](unsigned one_lane_less, bool of_half) {
    std::string body = "  and.b32 %r9, %r3, 31;\n  mov.u32 %r6, %r5;\n";
    if (of_half) body += "  setp.gt.u32 %p3, %r9, 15;\n  @%p3 bra END;\n";
    for (unsigned step = 1; step < 16; step *= 2) {
      const std::string by = std::to_string(step), other = "%r2" + by;  // of each step a register of its own
      body += "  shfl.sync.up.b32 " + other + "|%p1, %r6, " + by + ", 0x1000, " + (of_half ? "0xffff" : "0xffffffff") +
              ";\n  and.b32 %r8, %r9, 15;\n  setp.lt.u32 %p2, %r8, " +
              std::to_string(step - (step == 4 ? one_lane_less : 0)) + ";\n  selp.b32 %r10, 0, " + other +
              ", %p2;\n  add.s32 %r6, %r6, %r10;\n";
    }
    return body + "  st.global.u32 [%rd3], %r6;\nEND:\n";
  };
  for (const EngineChoice engine : {EngineChoice::Compiled, EngineChoice::Interpreter}) {
    for (const bool of_half : {false, true}) {
      const Launches none = launch(scan(0, of_half), 1, 0, engine);
      EXPECT_EQ(none.again, 0) << of_half;
      EXPECT_TRUE(none.found.empty()) << of_half;
      for (unsigned k = 0; k < none.words.size(); ++k)
        EXPECT_EQ(none.words[k], of_half && k % 32 >= 16 ? 1U : k % 16 + 1) << k;
      const Launches one = launch(scan(1, of_half), 1, 0, engine);
      EXPECT_EQ(one.again, 1) << of_half;
      EXPECT_FALSE(one.found.empty()) << of_half;
      // Lane 3 has its own four once more.
      for (unsigned k = 0; k < one.words.size(); ++k)
        EXPECT_EQ(one.words[k], of_half && k % 32 >= 16 ? 1U : k % 16 + 1 + (k % 16 % 8 == 3 ? 4 : 0)) << k;
    }
  }
}

// Words of global memory that the block has touched before a barrier: each thread reads another warp's, writes there
// and reads it again. Without the barriers, or where another block has been there, that is a race.
TEST(CalmLaunch, WordsAreAnotherThreadsBehindABarrier) {
  const auto phases = [](const std::string& barrier, const std::string& other) {
    std::string body = "  xor.b32 %r6, %r3, " + other + ";\n  mad.lo.s32 %r7, %r1, %r2, %r6;\n" +
                       "  mul.wide.s32 %rd4, %r7, 4;\n  add.s64 %rd5, %rd1, %rd4;\n";
    for (const char* const at : {"%rd5", "%rd3", "%rd5"})
      body += "  " + barrier + "\n  ld.global.u32 %r8, [" + at + "];\n  " + barrier + "\n  ld.global.u32 %r8, [" + at +
              "];\n  add.s32 %r8, %r8, 1;\n  st.global.u32 [" + at + "], %r8;\n  ld.global.u32 %r8, [" + at + "];\n";
    return body;
  };
  for (const EngineChoice engine : {EngineChoice::Compiled, EngineChoice::Interpreter}) {
    const Launches calm = launch(phases("bar.sync 0;", "32"), 3, 0, engine);
    EXPECT_EQ(calm.again, 0);
    EXPECT_TRUE(calm.found.empty());
    EXPECT_EQ(calm.words, std::vector<std::uint32_t>(kBlocks * kThreads, 12));
    const Launches race = launch(phases("bar.warp.sync 0xffffffff;", "32"), 1, 0, engine);
    EXPECT_EQ(race.again, 1);
    EXPECT_FALSE(race.found.empty());
    const Launches of_block = launch(phases("bar.sync 0;", "128"), 1, kThreads, engine);
    EXPECT_EQ(of_block.again, 1);
    EXPECT_FALSE(of_block.found.empty());
    // What the first block has written, and read in later phases, is read by the others: by their first warps, since
    // of other warps code does not make all of this.
    const Launches written = launch(
        "  xor.b32 %r6, %r4, 32;\n  mul.wide.s32 %rd4, %r6, 4;\n  add.s64 %rd5, %rd1, %rd4;\n  bar.sync 0;\n"
        "  ld.global.u32 %r8, [%rd5];\n  bar.sync 0;\n  mul.wide.s32 %rd4, %r3, 4;\n  add.s64 %rd5, %rd1, %rd4;\n"
        "  setp.gt.u32 %p1, %r3, 31;\n  @%p1 bra END;\n  ld.global.u32 %r8, [%rd5];\nEND:\n",
        1, 0, engine);
    EXPECT_EQ(written.again, 1);
    EXPECT_FALSE(written.found.empty());
  }
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

// Lanes that go to words in any order, four times; in the last round two threads may meet at one. Each time before that
// code knows where its accesses go.
struct Rounds {
  const char *name, *before, *round, *meets, *after = "";
};

// %a3: a word of tile for each thread, %x3: one behind the threads' words in global memory, of lanes from 16 on in
// another 64 KiB. %q1 to %q3: it is the last round; of threads 68, 69. %a5 and %x5 are what %a3 and %x3 are, unless
// `meets` changes that.
std::string rounds(const Rounds& of, bool meets) {
  return std::string(R"({ .shared .align 16 .b8 tile[2048];
  .reg .b32 %a<10>;
  .reg .b64 %x<8>;
  .reg .pred %q<6>;
  mov.u32 %a1, tile;
  mul.lo.u32 %a2, %r3, 7;
  and.b32 %a2, %a2, 127;
  shl.b32 %a2, %a2, 2;
  add.u32 %a3, %a2, %a1;
  mul.wide.u32 %x1, %r1, 8192;
  cvt.u64.u32 %x2, %a2;
  add.s64 %x1, %x1, %x2;
  and.b32 %a6, %r3, 16;
  mul.wide.u32 %x2, %a6, 8192;
  add.s64 %x3, %x1, %x2;
  add.s64 %x3, %x3, %rd1;
  add.s64 %x1, %x1, %rd1;
  setp.eq.u32 %q4, %r3, 68;
  setp.eq.u32 %q5, %r3, 69;
  setp.ne.u32 %p3, %r3, %r3;
  mov.u32 %r7, 0;
  mov.u32 %a4, 0;
)") + of.before +
         "AGAIN:\n  bar.sync 0;\n  setp.eq.u32 %q1, %a4, 3;\n  and.pred %q2, %q1, %q4;\n  and.pred %q3, %q1, %q5;\n"
         "  mov.u32 %a5, %a3;\n  mov.u64 %x5, %x3;\n" +
         (meets ? of.meets : "") + of.round +
         "  add.u32 %a4, %a4, 1;\n  setp.lt.u32 %p1, %a4, 4;\n  @%p1 bra AGAIN;\n" + of.after + "}\n";
}

constexpr const char* kInitialise = "  st.shared.u32 [%a3], %r4;\n  st.shared.u32 [%a3+512], %r4;\n";
constexpr const char* kLoad = "  ld.shared.u32 %r6, [%a5];\n  add.u32 %r7, %r7, %r6;\n";
constexpr const char* kToThread68 = "  @%q3 add.u32 %a5, %a1, 368;\n";  // 68 · 7 mod 128 words
constexpr const char* kToThread3 = "  @%q3 add.u32 %a5, %a1, 84;\n";

const Rounds kRounds[] = {
    {"two lanes store", "", "  st.shared.u32 [%a5], %r4;\n", kToThread68},
    {"two warps store", "", "  st.shared.u32 [%a5], %r4;\n", kToThread3},
    {"two lanes store pairs", "",
     "  sub.u32 %a7, %a5, %a1;\n  shl.b32 %a7, %a7, 1;\n  add.u32 %a7, %a7, %a1;\n"
     "  st.shared.v2.u32 [%a7], {%r4, %r4};\n",
     kToThread68},
    {"one stores, one adds", "  st.shared.u32 [%a3], 0;\n",
     "  setp.lt.u32 %p2, %r3, 32;\n  @%p2 st.shared.u32 [%a3+1024], %r4;\n"
     "  red.shared.add.u32 [%a5], 1;\n",
     "  @%q3 add.u32 %a5, %a1, 1108;\n"},
    {"one stores, one of another warp loads", "", "  st.shared.u32 [%a3], %r4;\n  ld.shared.u32 %r6, [%a5];\n",
     kToThread3},
    {"one loads what nobody has written", kInitialise, kLoad, "  @%q3 add.u32 %a5, %a1, 1024;\n",
     "  setp.gt.u32 %p2, %r7, 9000;\n  @%p2 st.global.u32 [%rd3], %r4;\n"},
    {"two load, the second stores", kInitialise,
     "  ld.shared.u32 %r6, [%a5];\n  and.pred %p2, %q3, %p3;\n  @%p2 st.shared.u32 [%a5], %r4;\n",
     "  @%q3 add.u32 %a5, %a1, 368;\n  setp.eq.u32 %p3, %a4, %a4;\n"},
    {"one loads, then the other, and the first stores", kInitialise,
     "  ld.shared.u32 %r6, [%a3];\n  ld.shared.u32 %r6, [%a5];\n  and.pred %p2, %q2, %p3;\n"
     "  @%p2 st.shared.u32 [%a3], %r4;\n",
     "  @%q3 add.u32 %a5, %a1, 368;\n  setp.eq.u32 %p3, %a4, %a4;\n"},
    {"one loads from far away, another stores", "",
     "  mul.wide.u32 %x4, %a4, 512;\n  add.s64 %x4, %x4, %x3;\n  ld.global.u32 %r6, [%x4+4096];\n"
     "  and.pred %p2, %q3, %p3;\n  @%p2 st.global.u32 [%x5+4096], %r4;\n",
     "  @%q3 add.s64 %x5, %x1, 132516;\n  setp.eq.u32 %p3, %a4, %a4;\n"},  // what thread 84 loads in round 3
    {"some lanes of a row store, one of another warp loads", "",
     "  shl.b32 %a6, %r3, 2;\n  add.u32 %a6, %a6, %a1;\n  and.b32 %a7, %r3, 3;\n  setp.ne.u32 %p2, %a7, 2;\n"
     "  @%p2 st.shared.u32 [%a6], %r4;\n  @%p2 ld.shared.u32 %r6, [%a6];\n"
     "  and.pred %p2, %q3, %p3;\n  @%p2 ld.shared.u32 %r6, [%a1+12];\n",
     "  setp.eq.u32 %p3, %a4, %a4;\n"},
    {"some lanes of a row load, then one of another warp stores", kInitialise,
     "  shl.b32 %a6, %r3, 2;\n  add.u32 %a6, %a6, %a1;\n  and.b32 %a7, %r3, 3;\n  setp.ne.u32 %p2, %a7, 2;\n"
     "  @%p2 ld.shared.u32 %r6, [%a6];\n  @%p2 ld.shared.u32 %r6, [%a6];\n"
     "  and.pred %p2, %q3, %p3;\n  @%p2 st.shared.u32 [%a1+12], %r4;\n",
     "  setp.eq.u32 %p3, %a4, %a4;\n"},
    {"each reads its word and the one before, then one stores", kInitialise,
     "  shl.b32 %a6, %r3, 2;\n  add.u32 %a6, %a6, %a1;\n  add.u32 %a7, %a6, 4;\n  ld.shared.u32 %r6, [%a7];\n"
     "  ld.shared.u32 %r6, [%a6];\n  and.pred %p2, %q3, %p3;\n  @%p2 st.shared.u32 [%a7], %r4;\n",
     "  setp.eq.u32 %p3, %a4, %a4;\n"},
    {"all of a warp read a word after its thread, which then stores", kInitialise,
     "  shr.u32 %a6, %r3, 5;\n  setp.ne.u32 %p2, %a6, 2;\n  @%p2 bra SKIP;\n  ld.shared.u32 %r6, [%a3];\n"
     "  ld.shared.u32 %r6, [%a1+368];\nSKIP:\n  and.pred %p2, %q2, %p3;\n  @%p2 st.shared.u32 [%a3], %r4;\n",
     "  setp.eq.u32 %p3, %a4, %a4;\n"},
    {"some lanes store, one of another warp loads", "",
     "  and.b32 %a7, %r3, 3;\n  setp.ne.u32 %p2, %a7, 2;\n  @%p2 st.shared.u32 [%a3], %r4;\n"
     "  and.pred %p2, %q3, %p3;\n  @%p2 ld.shared.u32 %r6, [%a1+84];\n",
     "  setp.eq.u32 %p3, %a4, %a4;\n"},
};

TEST(CalmLaunch, LanesThatGoAnywhereMeetInALaterRound) {
  for (const Rounds& one : kRounds)
    for (const EngineChoice engine : {EngineChoice::Interpreter, EngineChoice::Compiled}) {
      const Launches apart = launch(rounds(one, false), 2, 65536, engine);
      EXPECT_EQ(apart.again, 0) << one.name;
      EXPECT_TRUE(apart.found.empty()) << one.name << ": " << apart.found.front();
      const Launches met = launch(rounds(one, true), 1, 65536, engine);
      EXPECT_FALSE(met.found.empty()) << one.name;
    }
}

// Each thread adds 1 to a word a round: those of lanes from 16 on lie on another page each time. Then all blocks read
// what the first has written.
TEST(CalmLaunch, WhatLanesStoreOnSeveralPagesIsUndone) {
  const Rounds adds = {"", "",
                       "  and.b32 %a6, %r3, 16;\n  shr.u32 %a6, %a6, 4;\n  mul.lo.u32 %a6, %a6, %a4;\n"
                       "  mul.wide.u32 %x4, %a6, 1024;\n  add.s64 %x4, %x4, %x1;\n  ld.global.u32 %r6, [%x4+4096];\n"
                       "  add.u32 %r6, %r6, 1;\n  st.global.u32 [%x4+4096], %r6;\n",
                       "", "  ld.global.u32 %r7, [%rd1];\n"};
  for (const EngineChoice engine : {EngineChoice::Interpreter, EngineChoice::Compiled}) {
    const Launches made = launch(rounds(adds, false), 1, 8192, engine);
    EXPECT_EQ(made.again, 1);
    for (unsigned block = 0; block < kBlocks; ++block)
      for (unsigned thread = 0; thread < kThreads; ++thread)
        for (unsigned page = 0; page < 4; ++page)
          EXPECT_EQ(made.words[1024 + block * 2048 + page * 256 + thread * 7 % 128], (thread & 16U) != 0 ? 1U
                                                                                     : page == 0         ? 4U
                                                                                                         : 0U)
              << "block " << block << ", thread " << thread << ", page " << page;
  }
}

// Each block but the first reads, lane by lane, first what nobody writes, and then other words: such as well, which all
// may, or those that the first block has written.
TEST(CalmLaunch, LanesReadWhatOtherBlocksHaveRead) {
  const unsigned behind = kBlocks * kThreads;
  for (const bool is_written : {false, true}) {
    const std::string second = std::to_string(is_written ? 0 : behind + 64),
                      body = "  mov.u32 %r8, " + std::to_string(behind) +
                             ";\n  setp.ne.u32 %p2, %r1, 0;\nround:\n  mul.lo.u32 %r6, %r3, 7;\n"
                             "  and.b32 %r6, %r6, 63;\n  add.u32 %r6, %r6, %r8;\n  mul.wide.s32 %rd4, %r6, 4;\n"
                             "  add.s64 %rd4, %rd1, %rd4;\n  ld.global.u32 %r7, [%rd4];\n  setp.ne.u32 %p1, %r8, " +
                             second + ";\n  and.pred %p1, %p1, %p2;\n  mov.u32 %r8, " + second +
                             ";\n  @%p1 bra round;\n";
    for (const EngineChoice engine : {EngineChoice::Interpreter, EngineChoice::Compiled}) {
      const Launches made = launch(body, 1, 256, engine);
      EXPECT_EQ(made.again, is_written ? 1 : 0);
      EXPECT_EQ(made.found.empty(), !is_written);
    }
  }
}

}  // namespace calm_launch_test
}  // namespace warpsim::host
