// Blocks over several threads of the host: what comes out is what one thread makes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/engine/compiled.h"
#include "tests/support/block_runs.h"

namespace warpsim {
namespace threads_test {

using testing::Outputs;
using testing::outputs_of;
using testing::program_of;

constexpr unsigned kBlocks = 600, kThreads = 64, kLanes = 32;

// Long enough for more threads: 150 rounds of some instructions a warp. Blocks meet in sums and extremes alone.
const std::string kSums = R"(.kernel k (out own: u32[], inout all: u32[4], inout wide: u64[2])
    .shared .u32 tile[64]
    mov.u32 %x, %gtid
    mov.u32 %n, 0
next: mad.lo.u32 %x, %x, 1664525, 1013904223
    st.shared.u32 tile[%tid.x], %x
    bar.sync 0
    xor.b32 %other, %tid.x, 33
    ld.shared.u32 %y, tile[%other]
    bar.sync 0
    add.u32 %x, %x, %y
    add.u32 %n, %n, 1
    setp.lt.u32 %again, %n, 50
    @%again bra next
    st.global.u32 own[%gtid], %x
    and.b32 %low, %x, 1
    setp.eq.u32 %even, %low, 0
    red.global.add.u32 all[0], %x
    @%even red.global.add.u32 all[1], 1
    red.global.max.u32 all[2], %x
    atom.global.xor.b32 %unread, all[3], %x
    cvt.u64.u32 %w, %x
    red.global.add.u64 wide[0], %w
    red.global.min.u64 wide[1], %w
    exit
)";

LaunchConfig config_of(unsigned threads, EngineChoice engine) {
  LaunchConfig config;
  config.lanes = kLanes;
  config.grid = {kBlocks, 1, 1};
  config.block = {kThreads, 1, 1};
  config.schedule = kBlocksSchedule;
  config.reconvergence = Reconvergence::Independent;
  config.max_cycles = kNoCycleLimit;
  config.engine = engine;
  config.threads = threads;
  return config;
}

Arguments arguments_of(std::uint64_t blocks) {
  return {{},
          {{"own", {Type::U32, std::vector<std::uint64_t>(blocks * kThreads)}},
           {"all", {Type::U32, {0, 0, 0, 0}}},
           {"wide", {Type::U64, {0, ~std::uint64_t{0}}}}}};
}

std::vector<std::string> logged(const Program& program, LaunchConfig config, const Arguments& arguments, Outputs& out) {
  std::vector<std::string> lines;
  config.engine_log = [&](std::string_view line) { lines.emplace_back(line); };
  out = outputs_of(program, config, arguments);
  return lines;
}

TEST(Threads, AnyNumberOfThemComputesTheSame) {
  const Program program = program_of(kSums);
  const Arguments arguments = arguments_of(kBlocks);
  for (const EngineChoice engine : {EngineChoice::Interpreter, EngineChoice::Auto}) {
    Outputs one;
    EXPECT_EQ(logged(program, config_of(1, engine), arguments, one).back(), "1 thread: no more may be used");
    ASSERT_TRUE(one.result.ok);
    // What the blocks have added up, from what each thread has stored.
    const std::vector<std::uint64_t>& own = one.arrays.at("own").bits;
    std::uint64_t sum = 0, even = 0, largest = 0, parity = 0;
    for (const std::uint64_t x : own) sum += x, even += x % 2 == 0, largest = std::max(largest, x), parity ^= x;
    EXPECT_EQ(one.arrays.at("all").bits, (std::vector<std::uint64_t>{sum & 0xffff'ffff, even, largest, parity}));
    EXPECT_EQ(one.arrays.at("wide").bits, (std::vector<std::uint64_t>{sum, *std::min_element(own.begin(), own.end())}));
    for (const unsigned threads : {2U, 3U, 7U}) {
      Outputs several;
      EXPECT_EQ(logged(program, config_of(threads, engine), arguments, several).back(),
                std::to_string(threads) + " threads");
      testing::expect_alike(one.result, several.result);
      EXPECT_TRUE(one.arrays == several.arrays) << threads << " threads";
    }
  }
}

TEST(Threads, TheFirstBlockThatStopsTheLaunchIsNamed) {
  std::string text = kSums;
  text.insert(text.find("    st.global.u32 own"),
              "    mov.u32 %at, %gtid\n    setp.eq.u32 %bad, %ctaid.x, 411\n"
              "    setp.eq.or.u32 %bad, %ctaid.x, 430, %bad\n    @%bad add.u32 %at, %at, 1000000\n");
  text.replace(text.find("own[%gtid]"), 10, "own[%at]");
  const Program program = program_of(text);
  const Arguments arguments = arguments_of(kBlocks);
  for (const unsigned threads : {1U, 2U, 5U}) {
    Outputs out;
    logged(program, config_of(threads, EngineChoice::Auto), arguments, out);
    ASSERT_FALSE(out.result.ok);
    EXPECT_EQ(out.result.trap.block, 411U) << threads << " threads";
    EXPECT_EQ(out.result.trap.kind, TrapKind::OutOfBounds);
  }
}

TEST(Threads, WhyThereIsOneIsSaid) {
  std::string text = kSums;
  text.replace(text.find("%unread, all[3], %x"), 19, "%x, all[3], %x     ");
  const Program program = program_of(text);
  const Arguments arguments = arguments_of(kBlocks);
  Outputs out;
  EXPECT_EQ(logged(program, config_of(2, EngineChoice::Auto), arguments, out).back(),
            "1 thread: atom.global.xor in line 21: what it returns depends on which block came first");
  LaunchConfig limited = config_of(2, EngineChoice::Auto);
  limited.max_cycles = 1'000'000'000;
  EXPECT_EQ(logged(program_of(kSums), limited, arguments, out).back(),
            "1 thread: a cycle limit counts the instructions of all blocks");
  LaunchConfig short_run = config_of(2, EngineChoice::Auto);
  short_run.grid = {4, 1, 1};
  const Arguments few = arguments_of(4);
  EXPECT_EQ(logged(program_of(kSums), short_run, few, out).back(),
            "1 thread: the run is too short for more, or of too few blocks");
}

TEST(Threads, AnEarlierLaunchSaysThatMoreThanOnePays) {
  const Program program = program_of(kSums);
  const Arguments arguments = arguments_of(4);
  LaunchConfig config = config_of(2, EngineChoice::Auto);
  config.grid = {4, 1, 1};
  Outputs one, two;
  logged(program, config, arguments, one);
  config.history.instructions_a_block = 100'000;
  EXPECT_EQ(logged(program, config, arguments, two).back(), "2 threads");
  testing::expect_alike(one.result, two.result);
  EXPECT_TRUE(one.arrays == two.arrays);
}

// Nobody but one block could end the loop, which reads what no block writes.
TEST(Threads, BlocksThatLoopForEverAreFound) {
  const Program program = program_of(R"(.kernel k (inout o: u32[])
    mov.u32 %n, 0
work: add.u32 %n, %n, 1
    setp.lt.u32 %more, %n, 2000
    @%more bra work
    setp.ne.u32 %others, %ctaid.x, 300
    @%others bra done
spin: ld.global.u32 %flag, o[0]
    setp.eq.u32 %again, %flag, 0
    @%again bra spin
done: exit
)");
  for (const unsigned threads : {1U, 3U}) {
    Outputs out;
    logged(program, config_of(threads, EngineChoice::Auto), {{}, {{"o", {Type::U32, {0}}}}}, out);
    ASSERT_FALSE(out.result.ok);
    EXPECT_EQ(out.result.trap.kind, TrapKind::Livelock) << threads << " threads";
    EXPECT_EQ(out.result.trap.block, 300U);
  }
}

// Which value stays is not defined; it is one of those that were stored.
TEST(Threads, ARaceBetweenBlocksIsNoneOfTheHost) {
  const Program program = program_of(R"(.kernel k (inout o: u32[33], inout b: u8[64])
    mov.u32 %n, 0
next: ld.global.u32 %seen, o[%laneid]
    ld.global.u32 %one, o[0]
    st.global.u32 o[%laneid], %ctaid.x
    st.global.u32 o[32], %ctaid.x
    cvt.u8.u32 %byte, %ctaid.x
    st.global.u8 b[%tid.x], %byte
    add.u32 %n, %n, 1
    setp.lt.u32 %again, %n, 40
    @%again bra next
    exit
)");
  for (const EngineChoice engine : {EngineChoice::Interpreter, EngineChoice::Auto}) {
    Outputs out;
    const Arguments arguments{
        {},
        {{"o", {Type::U32, std::vector<std::uint64_t>(33, 1000)}}, {"b", {Type::U8, std::vector<std::uint64_t>(64)}}}};
    logged(program, config_of(3, engine), arguments, out);
    ASSERT_TRUE(out.result.ok);
    for (const std::uint64_t value : out.arrays.at("o").bits) EXPECT_LT(value, kBlocks);
  }
}

TEST(EngineLog, SaysWhatIsMachineCode) {
  if (!engine::can_compile()) GTEST_SKIP() << "the processor has no AVX2";
  const Program program = program_of(kSums);
  const Arguments arguments = arguments_of(kBlocks);
  Outputs out;
  const std::vector<std::string> lines = logged(program, config_of(1, EngineChoice::Compiled), arguments, out);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_TRUE(lines[0].starts_with("all lanes together: 23 of 23 instructions are machine code, ")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("some lanes: 23 of 23 instructions are machine code, ")) << lines[1];
  EXPECT_TRUE(lines[2].ends_with(" of " + std::to_string(out.result.instructions) +
                                 " instructions were executed as machine code"))
      << lines[2];
  const std::vector<std::string> interpreted = logged(program, config_of(1, EngineChoice::Interpreter), arguments, out);
  EXPECT_EQ(interpreted[0], "all lanes together: no machine code, as --engine interpreter says");
  EXPECT_TRUE(interpreted[2].starts_with("0 of ")) << interpreted[2];
  const std::vector<std::string> sleeping =
      logged(program_of(".kernel k ()\n nanosleep.u32 10\n brkpt\n nanosleep.u32 10\n exit\n"),
             config_of(1, EngineChoice::Compiled), {}, out);
  EXPECT_NE(sleeping[0].find("it is left at brkpt in line 3; nanosleep in lines 2, 4"), std::string::npos)
      << sleeping[0];
}

TEST(EngineLog, CodeIsNamedByProgramAndLine) {
  if (!engine::can_compile()) GTEST_SKIP() << "the processor has no AVX2";
  std::string names;
  engine::name_code_by([&](const std::byte* begin, std::size_t bytes, const std::string& name) {
    EXPECT_NE(begin, nullptr);
    EXPECT_NE(bytes, 0U);
    names += name + "; ";
  });
  LaunchConfig config = config_of(1, EngineChoice::Compiled);
  config.grid = {1, 1, 1};
  outputs_of(
      program_of(".kernel named (out o: u32[])\n mov.u32 %a, 7\n bar.sync 0\n st.global.u32 o[%gtid], %a\n exit\n"),
      config, {{}, {{"o", {Type::U32, std::vector<std::uint64_t>(kThreads)}}}});
  engine::name_code_by({});
  EXPECT_EQ(
      names,
      "named:2, some lanes; named:3, some lanes; named:4, some lanes; named:5, some lanes; named:2; named:3; named:4; "
      "named:5; ");
}

}  // namespace threads_test
}  // namespace warpsim
