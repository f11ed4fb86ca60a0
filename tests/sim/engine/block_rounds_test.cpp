// The warps of a block that have their turns within machine code: their order, numbers and traps are the interpreter's.
//
// Shapes: each program notes, in one log, which warp came where: so the log shows the order of all turns. Programs are
//         drawn from pieces: barriers, exits of some warps, lanes that diverge, loops longer than a turn, faults, and
//         instructions at which code is left.
// Errors: a difference prints the seed and the program.
// Source: the interpreter, which has its turns one by one (sim/machine/run_blocks.cpp).
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sim/engine/compiled.h"
#include "sim/machine/random.h"
#include "tests/support/block_runs.h"
#include "tests/support/every_run.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace block_rounds_test {

using testing::Outputs;
using testing::program_of;

constexpr std::uint64_t kPrograms = testing::kSanitized ? 60 : 300;
constexpr std::size_t kLogged = 4096;

// The lowest lane of the warp notes where it is.
std::string note(int number) {
  return "  add.u32 %what, %who, " + std::to_string(number) +
         "\n  @%first atom.global.add.u32 %at, count[0], 1\n  @%first st.global.u32 log[%at], %what\n";
}

std::string piece(SplitMix& draw, int number) {
  const std::string n = std::to_string(number), warps = std::to_string(draw.next() % 4);
  const std::string some = "  setp.eq.u32 %some, %warpid, " + warps + "\n";
  switch (draw.next() % 12) {
    case 0:
    case 1:
    case 2: return "  bar.sync 0\n";
    case 3: return "  bar.sync " + std::to_string(draw.next() % 2) + "\n";
    case 4: return some + "  @%some bra go" + n + "\n  bra on" + n + "\ngo" + n + ":\n  exit\non" + n + ":\n";
    case 5:  // half of the lanes do something by themselves
      return "  setp.lt.u32 %half, %laneid, " + std::to_string(1 + draw.next() % 20) + "\n  @%half bra else" + n +
             "\n  add.u32 %x, %x, 3\n  mul.lo.u32 %x, %x, %x\n  bra both" + n + "\nelse" + n +
             ":\n  xor.b32 %x, %x, %laneid\nboth" + n + ":\n";
    case 6:  // longer than a turn, for some warps
      return some + "  mov.u32 %k, 3\n  @%some mov.u32 %k, " + std::to_string(1500 + draw.next() % 1500) + "\nloop" +
             n + ":\n  add.u32 %x, %x, %k\n  sub.u32 %k, %k, 1\n  setp.ne.u32 %more, %k, 0\n  @%more bra loop" + n +
             "\n";
    case 7: return "  bar.red.popc.u32 %y, 0, %first\n  add.u32 %x, %x, %y\n";
    case 8: return some + "  @%some nanosleep.u32 100\n";
    case 9:  // some of one block go beyond a buffer
      return "  setp.eq.u32 %some, %who, " + std::to_string(draw.next() % 3 * 10'000 + draw.next() % 8 * 100) +
             "\n  mov.u32 %k, 1000000\n  @%some ld.global.u32 %x, o[%k]\n";
    case 10:  // some lanes are through
      return "  setp.gt.u32 %half, %laneid, " + std::to_string(10 + draw.next() % 20) + "\n  @%half exit\n";
    default: return "  shfl.sync.bfly.b32 %y, %x, 1, 0x1f, 0xffffffff\n  add.u32 %x, %x, %y\n";
  }
}

std::string program(std::uint64_t seed) {
  SplitMix draw(seed);
  std::string text = R"(.kernel k (inout count: u32[1], inout log: u32[], out o: u32[])
  setp.eq.u32 %first, %laneid, 0
  mad.lo.u32 %who, %ctaid.x, 100, %warpid
  mul.lo.u32 %who, %who, 100
  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x
  add.u32 %x, %gid, 17
)";
  const int pieces = 2 + static_cast<int>(draw.next() % 10);
  for (int k = 0; k < pieces; ++k) text += note(k) + piece(draw, k);
  return text + note(pieces) + "  st.global.u32 o[%gid], %x\n  exit\n";
}

void expect_same(std::uint64_t seed, bool keeps_state) {
  const std::string text = program(seed);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  LaunchConfig config;
  config.grid.x = 3;
  config.block.x = static_cast<std::uint32_t>(seed % 5 == 0 ? 32 : 32 * (seed % 4) + 1 + seed * 7 % 64);
  config.schedule = kBlocksSchedule;
  config.reconvergence = seed % 3 == 0 ? Reconvergence::Stack : Reconvergence::Independent;
  config.max_cycles = seed % 7 == 0 ? 1000 + seed : kNoCycleLimit;
  config.keeps_state = keeps_state;
  Arguments arguments;
  arguments.buffers["count"] = {Type::U32, {0}};
  arguments.buffers["log"] = {Type::U32, std::vector<std::uint64_t>(kLogged)};
  arguments.buffers["o"] = {Type::U32, std::vector<std::uint64_t>(3 * std::size_t{config.block.x})};
  const Outputs expected = testing::expect_engines_alike(program_of(text), config, arguments);
  EXPECT_GT(expected.arrays.at("count").bits[0], 0U);
}

TEST(BlockRounds, TurnsAreTheInterpreters) {
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed) expect_same(seed, true);
}

// Registers that nobody reads any more may then hold anything.
TEST(BlockRounds, ResultsAreTheSameWhereNobodyLooksAtRegisters) {
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed) expect_same(seed, false);
}

// Blocks of a grid of three dimensions whose registers are all written before they are read: the next one begins within
// code, and by itself where there is no shared memory, nor a special register that differs by more than one. In every
// fourth program some lane of some block goes beyond its buffer, in others the warps of some blocks meet or end early.
std::string program_of_many_blocks(std::uint64_t seed, bool shares) {
  SplitMix draw(seed);
  std::string text = std::string(shares ? ".shared u32 s[128]\n" : "") + R"(.kernel k (out o: u32[])
  mad.lo.u32 %block, %ctaid.z, %nctaid.y, %ctaid.y
  mad.lo.u32 %block, %block, %nctaid.x, %ctaid.x
  mad.lo.u32 %gid, %block, %ntid.x, %tid.x
  mad.lo.u32 %x, %ctaid.z, 1000, %gid
)";
  const int faulty = seed % 4 == 0 ? static_cast<int>(draw.next() % 4) : -1;
  for (int k = 0; k < 4; ++k) {
    const std::string n = std::to_string(k),
                      some = "  setp.ne.u32 %some, %ctaid.x, " + std::to_string(draw.next() % 20);
    switch (draw.next() % (shares ? 4 : 8)) {
      case 0:
        text += shares ? "  bar.sync 0\n" : some + "\n  @%some bra on" + n + "\n  bar.sync 0\non" + n + ":\n";
        break;
      case 1: text += "  shfl.sync.bfly.b32 %y, %x, 1, 0x1f, 0xffffffff\n  add.u32 %x, %x, %y\n"; break;
      case 2:
        text += shares ? "  ld.shared.u32 %y, s[%tid.x]\n  add.u32 %y, %y, %x\n  st.shared.u32 s[%tid.x], %y\n"
                       : some + "\n  @%some bra on" + n + "\n  exit\non" + n + ":\n";
        break;
      case 3: text += "  add.u32 %x, %x, " + std::string(draw.next() % 2 == 0 ? "%gtid" : "%smid") + "\n"; break;
      default: text += "  mad.lo.u32 %x, %x, 5, %ctaid.y\n"; break;
    }
    if (k != faulty) continue;
    text += "  setp.eq.u32 %bad, %gid, " + std::to_string(draw.next() % 1500) + "\n  mov.u32 %at, 1000000\n" +
            "  @%bad st.global.u32 o[%at], %x\n";
  }
  if (shares) text += "  ld.shared.u32 %y, s[%tid.x]\n  add.u32 %x, %x, %y\n";
  return text + "  st.global.u32 o[%gid], %x\n  exit\n";
}

void expect_same_blocks(std::uint64_t seed, bool shares, Dim3 grid) {
  const std::string text = program_of_many_blocks(seed, shares);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  LaunchConfig config;
  config.grid = grid;
  config.block.x = seed % 2 == 0 ? 64 : 80;
  config.schedule = kBlocksSchedule;
  config.max_cycles = seed % 7 == 0 ? 500 + seed * (shares ? 1 : 8) : kNoCycleLimit;
  config.keeps_state = false;
  Arguments arguments;
  arguments.buffers["o"] = {Type::U32, std::vector<std::uint64_t>(grid.count() * std::size_t{config.block.x})};
  testing::expect_engines_alike(program_of(text), config, arguments);
}

TEST(BlockRounds, BlocksThatBeginWithinCode) {
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed)
    expect_same_blocks(seed, true, {3, 4, 2});
}

// A few rows of more blocks than begin without anybody being asked.
TEST(BlockRounds, BlocksThatBeginByThemselves) {
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed)
    expect_same_blocks(seed, false, {37, 2, 1});
}

// What is executed in code says whether code does it at all.
TEST(BlockRounds, BarriersAndExitsAreMachineCode) {
  if (!engine::can_compile()) GTEST_SKIP() << "the processor has no AVX2";
  LaunchConfig config;
  config.grid.x = 2;
  config.block.x = 128;
  config.schedule = kBlocksSchedule;
  const std::string said =
      testing::executed_as_code(".kernel k ()\n mov.u32 %a, 1\n bar.sync 0\n bar.sync 0\n exit\n", config);
  // The first block has begun before there are turns: its first barrier is the machine's, four times.
  EXPECT_EQ(said, "28 of 32 instructions were executed as machine code");
}

}  // namespace block_rounds_test
}  // namespace warpsim
