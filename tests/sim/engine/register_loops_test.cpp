// Loops of registers alone, which all warps go round together: what they compute, the order of what they do before and
// behind them, and their numbers and traps are the interpreter's.
//
// Shapes: programs of loops that take several turns, as often for each warp as is drawn. What lanes compute there is
//         drawn, too: integers, floats, predicates, exchanges. Between loops each warp notes where it is, in one log.
// Errors: a difference prints the seed and the program.
// Source: the interpreter, which has its turns one by one (sim/machine/run_blocks.cpp).
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>

#include "sim/engine/compiled.h"
#include "sim/engine/register_loops.h"
#include "sim/machine/random.h"
#include "tests/support/block_runs.h"
#include "tests/support/every_run.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace register_loops_test {

using testing::Outputs;
using testing::program_of;

constexpr std::uint64_t kPrograms = testing::kSanitized ? 4 : 30;
constexpr std::size_t kLogged = 4096;

std::string drawn_register(SplitMix& draw) {
  constexpr std::array<const char*, 4> kRegisters{"%x", "%y", "%z", "%same"};
  return kRegisters.at(draw.next() % kRegisters.size());
}

// What a loop's body may be of. `together`: lanes may need each other. `words`: on 32-bit integers alone.
struct Body {
  bool together, words;
};

std::string lines(SplitMix& draw, Body body) {
  const std::string to = drawn_register(draw), a = drawn_register(draw), b = drawn_register(draw);
  constexpr std::array<const char*, 8> kOps{"add.u32", "xor.b32", "max.u32", "min.s32",
                                            "sub.u32", "and.b32", "or.b32",  "mul.lo.u32"};
  const std::string lanes = std::to_string(1 << draw.next() % 5);
  constexpr std::array<std::uint64_t, 7> kWords{0, 1, 1, 5, 6, 7, 7};
  const std::uint64_t kind = body.words ? kWords.at((body.together ? 0 : 3) + draw.next() % (body.together ? 7 : 4))
                                        : (body.together ? draw.next() % 9 : 3 + draw.next() % 6);
  switch (kind) {
    case 0:
      return "  shfl.sync.bfly.b32 %t, " + a + ", " + lanes + ", 0x1f, 0xffffffff\n  max.u32 " + to + ", %t, " + a +
             "\n";
    case 1: return "  shfl.sync.bfly.b32 %t, " + a + ", 16, 0x1f, 0xffffffff\n  add.u32 " + to + ", " + a + ", %t\n";
    case 2:
      return "  shfl.sync.down.b32 %t|%in, " + a + ", " + lanes + ", 0x1f, 0xffffffff\n  @%in add.u32 " + to + ", " +
             b + ", %t\n";
    case 3: return "  setp.lt.u32 %p, " + a + ", " + b + "\n  selp.u32 " + to + ", " + a + ", " + b + ", %p\n";
    case 4: return "  cvt.rn.f32.u32 %f, " + a + "\n  add.f32 %f, %f, %g\n  mul.f32 %g, %f, 0.5\n";
    case 5: return "  mov.u32 " + to + ", " + std::to_string(draw.next() % 1000) + "\n";
    case 6: return "  mad.lo.u32 " + to + ", " + a + ", 3, " + b + "\n";
    default: return "  " + std::string(kOps.at(draw.next() % kOps.size())) + " " + to + ", " + a + ", " + b + "\n";
  }
}

// How a loop ends that has so many rounds left, %k: what counts, what asks, and who goes back.
std::string counting(SplitMix& draw) {
  constexpr std::array<const char*, 9> kWays{
      "  sub.u32 %k, %k, 1\n  setp.ne.u32 %more, %k, 0\n  @%more",
      "  add.s32 %k, %k, -1\n  setp.gt.s32 %more, %k, 0\n  @%more",
      "  setp.gt.u32 %more, %k, 1\n  sub.u32 %k, %k, 1\n  @%more",
      "  sub.u32 %k, %k, 1\n  setp.eq.u32 %more, %k, 0\n  @!%more",
      "  sub.s32 %k, %k, 3\n  setp.lt.s32 %more, %k, 5\n  @!%more",
      "  sub.s32 %k, %k, 7\n  setp.ge.s32 %more, %k, -9\n  @%more",
      // Nothing counts as an addition would; something else wants to know; the counter wraps on its way.
      "  mad.lo.u32 %k, %k, 1, 0xffffffff\n  setp.ne.u32 %more, %k, 0\n  @%more",
      "  sub.u32 %k, %k, 1\n  xor.b32 %x, %x, %k\n  setp.ne.u32 %more, %k, 0\n  @%more",
      "  add.u32 %k, %k, 0x7f000000\n  sub.u32 %k, %k, 0x7f000001\n  setp.ne.u32 %more, %k, 0\n  @%more"};
  return kWays.at(draw.next() % kWays.size());
}

std::string loop(SplitMix& draw, int number, bool words) {
  const std::string n = std::to_string(number), rounds = std::to_string(1000 + draw.next() % 20'000);
  const std::uint64_t kind = draw.next() % 4;
  std::string text;
  switch (kind) {
    case 0: text = "  mov.u32 %k, " + rounds + "\n"; break;                                                // all alike
    case 1: text = "  mad.lo.u32 %k, %warpid, " + std::to_string(draw.next() % 3000) + ", 4000\n"; break;  // by warp
    case 2: text = "  mad.lo.u32 %k, %laneid, 7, " + rounds + "\n"; break;                                 // by lane
    default: text = "  mad.lo.u32 %k, %ctaid.x, 2000, " + rounds + "\n";
  }
  text += "loop" + n + ":\n";
  for (std::uint64_t left = 1 + draw.next() % 7; left != 0; --left) text += lines(draw, {kind != 2, words});
  return text + counting(draw) + " bra loop" + n + "\n";
}

std::string program(std::uint64_t seed, bool words) {
  SplitMix draw(seed);
  std::string text = R"(.kernel k (inout count: u32[1], inout log: u32[], out o: u32[], out of_floats: f32[])
  setp.eq.u32 %first, %laneid, 0
  mad.lo.u32 %who, %ctaid.x, 100, %warpid
  mul.lo.u32 %who, %who, 100
  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x
  add.u32 %x, %gid, 17
  mul.lo.u32 %y, %gid, 0x9e3779b1
  xor.b32 %z, %x, %y
  mov.u32 %same, %ctaid.x
  mov.f32 %g, 1.5
)";
  const int loops = 1 + static_cast<int>(draw.next() % 3);
  for (int k = 0; k < loops; ++k) {
    text += loop(draw, k, words);
    text += "  add.u32 %what, %who, " + std::to_string(k) +
            "\n  @%first atom.global.add.u32 %at, count[0], 1\n  @%first st.global.u32 log[%at], %what\n";
    if (draw.next() % 3 == 0) text += "  bar.sync 0\n";
  }
  return text + "  add.u32 %x, %x, %y\n  add.u32 %x, %x, %z\n  add.u32 %x, %x, %same\n" +
         "  st.global.u32 o[%gid], %x\n  st.global.f32 of_floats[%gid], %g\n  exit\n";
}

void expect_same(std::uint64_t seed, bool words) {
  const std::string text = program(seed, words);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  LaunchConfig config;
  config.grid.x = words ? 1 : static_cast<std::uint32_t>(1 + seed % 4);
  config.resident_blocks = seed % 5 == 0 ? 2 : 0;
  config.block.x = static_cast<std::uint32_t>(32 * (1 + seed % 7));
  config.schedule = kBlocksSchedule;
  config.reconvergence = seed % 3 == 0 ? Reconvergence::Stack : Reconvergence::Independent;
  config.max_cycles = seed % 6 == 0 ? 100'000 + 1237 * seed : 200'000'000;
  config.keeps_state = seed % 3 == 0;
  const std::size_t threads = std::size_t{config.grid.x} * config.block.x;
  Arguments arguments;
  arguments.buffers["count"] = {Type::U32, {0}};
  arguments.buffers["log"] = {Type::U32, std::vector<std::uint64_t>(kLogged)};
  arguments.buffers["o"] = {Type::U32, std::vector<std::uint64_t>(threads)};
  arguments.buffers["of_floats"] = {Type::F32, std::vector<std::uint64_t>(threads)};
  testing::expect_engines_alike(program_of(text), config, arguments);
}

TEST(RegisterLoops, ResultsAndTurnsAreTheInterpreters) {
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed)
    for (const bool words : {false, true}) expect_same(seed, words);
}

// Of so many warps.
std::string log_of(const std::string& text, std::uint32_t warps) {
  LaunchConfig config;
  config.block.x = 32 * warps;
  config.schedule = kBlocksSchedule;
  return testing::executed_as_code(text, config);
}

TEST(RegisterLoops, MostOfALongLoopIsGoneRoundSideBySide) {
  if (!engine::can_compile()) GTEST_SKIP() << "the processor has no AVX2";
  const std::string begin = ".kernel k ()\n mov.u32 %k, 0\n mov.u32 %x, %laneid\n";
  const std::string body = " shfl.sync.bfly.b32 %y, %x, 1, 0x1f, 0xffffffff\n add.u32 %x, %x, %y\n";
  const std::string end = " setp.lt.u32 %more, %k, 100000\n @%more bra loop\n exit\n";
  const std::string counted = log_of(begin + "loop:\n" + body + " add.u32 %k, %k, 1\n" + end, 4);
  // Four warps of 500,003 instructions: a round or two of turns before it, and less than one at the end, are their own.
  constexpr std::uint64_t kWarps = 4, kInstructions = kWarps * 500'003, kOwn = kWarps * 3 * kTurnIssues;
  const std::size_t comma = counted.find(", ");
  ASSERT_NE(comma, std::string::npos) << counted;
  EXPECT_GE(std::stoull(counted.substr(comma + 2)), kInstructions - kOwn) << counted;
  EXPECT_NE(counted.find("with warps side by side in loops of registers"), std::string::npos) << counted;
  // Nothing says that this one's states never come twice.
  const std::string uncounted = log_of(begin + "loop:\n" + body + " mad.lo.u32 %k, %k, 1, 1\n" + end, 4);
  EXPECT_EQ(uncounted.find("side by side"), std::string::npos) << uncounted;
}

Outputs run_alike(const std::string& text, LaunchConfig config, const Arguments& arguments) {
  SCOPED_TRACE(text);
  config.schedule = kBlocksSchedule;
  return testing::expect_engines_alike(program_of(text), config, arguments);
}

// Lanes that have the same for a part of a round alone: after an operation that no scalar instruction is, before one
// that makes them differ, and where halves were exchanged before one of them changed.
TEST(RegisterLoops, LanesThatAreAlikeForAWhile) {
  for (const char* const body :
       {" add.u32 %u, %u, 3\n min.u32 %u, %u, 1000\n mul.lo.u32 %t, %u, %u\n xor.b32 %v, %v, %t\n",
        " mov.u32 %u, 5\n mad.lo.u32 %x, %x, %laneid, %u\n xor.b32 %u, %u, %laneid\n add.u32 %v, %v, %u\n",
        " shfl.sync.bfly.b32 %u, %x, 16, 0x1f, 0xffffffff\n add.u32 %x, %x, %laneid\n max.u32 %t, %u, %x\n"
        " mad.lo.u32 %v, %v, %laneid, %t\n",
        " shfl.sync.bfly.b32 %u, %x, 16, 0x1f, 0xffffffff\n add.u32 %x, %x, %u\n xor.b32 %v, %v, %x\n"
        " add.u32 %x, %x, %laneid\n"})
    for (const std::uint32_t warps : {1U, 4U, 6U}) {
      LaunchConfig config;
      config.block.x = 32 * warps;
      config.keeps_state = false;
      Arguments arguments;
      for (const char* const name : {"a", "b", "c"})
        arguments.buffers[name] = {Type::U32, std::vector<std::uint64_t>(config.block.x)};
      run_alike(std::string(".kernel k (out a: u32[], out b: u32[], out c: u32[])\n mov.u32 %k, 0\n mov.u32 %u, 1\n"
                            " mov.u32 %v, 2\n mov.u32 %x, %laneid\nloop:\n") +
                    body +
                    " add.u32 %k, %k, 1\n setp.lt.u32 %more, %k, 20000\n @%more bra loop\n"
                    " st.global.u32 a[%tid.x], %u\n st.global.u32 b[%tid.x], %v\n st.global.u32 c[%tid.x], %x\n exit\n",
                config, arguments);
    }
}

// As a lane would count, from where each comparison can change and from where the counter wraps.
TEST(RegisterLoops, RoundsAreKnownBefore) {
  Code code;
  code.insns.resize(1);
  DecodedInsn& asks = code.insns[0];
  SplitMix draw(1);
  std::size_t known = 0;
  constexpr std::size_t kCases = 20'000;
  for (std::size_t n = 0; n < kCases; ++n) {
    constexpr std::array<Op, 6> kOps{Op::SetpEq, Op::SetpNe, Op::SetpLt, Op::SetpLe, Op::SetpGt, Op::SetpGe};
    constexpr std::array<std::uint32_t, 4> kNear{0, 0x7fffffff, 0x80000000, 100};
    constexpr std::uint64_t kMost = 12;
    const auto near = [&] {
      return kNear.at(draw.next() % kNear.size()) + static_cast<std::uint32_t>(draw.next() % 17) - 8;
    };
    asks.op = kOps.at(draw.next() % kOps.size());
    asks.type = draw.next() % 2 == 0 ? Type::U32 : Type::S32;
    const bool counts_first = draw.next() % 2 == 0;
    const std::int64_t step = static_cast<std::int64_t>(draw.next() % 9) - 4;
    if (step == 0) continue;
    const engine::CountedLoop of{.counts = counts_first ? -1 : 1,
                                 .asks = 0,
                                 .counter = 0,
                                 .step = step,
                                 .bound = near(),
                                 .goes_back_if = draw.next() % 2 == 0};
    const std::uint32_t first = near();
    std::uint64_t rounds = 0;
    bool wraps = false;
    for (std::uint32_t now = first; rounds < kMost; ++rounds) {
      const std::uint32_t next = now + static_cast<std::uint32_t>(step), compared = counts_first ? next : now;
      const auto value = [&](std::uint32_t v) {
        return asks.type == Type::S32 ? std::int64_t{static_cast<std::int32_t>(v)} : std::int64_t{v};
      };
      wraps = wraps || value(next) != value(now) + step;
      const std::int64_t a = value(compared), b = value(of.bound);
      const bool is = asks.op == Op::SetpEq   ? a == b
                      : asks.op == Op::SetpNe ? a != b
                      : asks.op == Op::SetpLt ? a < b
                      : asks.op == Op::SetpLe ? a <= b
                      : asks.op == Op::SetpGt ? a > b
                                              : a >= b;
      if (is != of.goes_back_if) break;
      now = next;
    }
    const std::optional<std::uint64_t> found = engine::rounds_to_go(code, of, first, kMost);
    EXPECT_TRUE(found || wraps) << n;
    if (!found) continue;
    EXPECT_EQ(*found, rounds) << "case " << n << ": from " << first << " by " << step << ", bound " << of.bound;
    ++known;
  }
  EXPECT_GT(known, kCases / 2);
}

// One that never ends, of which nothing repeats for long, is still to be stopped by a limit, at its very instruction.
TEST(RegisterLoops, ALimitIsKeptToTheInstruction) {
  LaunchConfig config;
  config.block.x = 96;
  constexpr std::uint64_t kRound = 3 * kTurnIssues;
  for (const std::uint64_t limit : {std::uint64_t{1'234'567}, 100 * kRound, 101 * kRound + kTurnIssues}) {
    config.max_cycles = limit;
    const Outputs ran = run_alike(".kernel k ()\n mov.u32 %k, 0\nloop:\n add.u32 %k, %k, 1\n bra loop\n", config, {});
    EXPECT_EQ(ran.result.trap.kind, TrapKind::CycleLimit);
    EXPECT_EQ(ran.result.instructions, limit);
  }
}

// A counter that does not get far counts nothing: each state of these comes again soon.
TEST(RegisterLoops, OnesThatRepeatAreFound) {
  LaunchConfig config;
  config.block.x = 96;
  config.max_cycles = 10'000'000;
  for (const char* const body :
       {" add.u32 %k, %k, 1\n and.b32 %k, %k, 7\n", " add.u32 %k, %k, 0\n", " add.u32 %k, %k, 0x20000000\n"}) {
    const Outputs ran =
        run_alike(std::string(".kernel k ()\n mov.u32 %k, 0\nloop:\n") + body + " bra loop\n", config, {});
    EXPECT_EQ(ran.result.trap.kind, TrapKind::Livelock);
    EXPECT_LT(ran.result.cycles, 50'000U);
  }
}

// Warps that never end behind a long loop, with memory that stays the same, and with memory that changes there and
// back: the report is the same.
TEST(RegisterLoops, WhatNeverEndsBehindOneIsReportedAlike) {
  const std::string loop = R"(.kernel k (inout a: u32[1])
  mov.u32 %k, 300000
loop:
  add.u32 %x, %x, %k
  sub.u32 %k, %k, 1
  setp.ne.u32 %more, %k, 0
  @%more bra loop
again:
)";
  const std::string waits =
      "  ld.volatile.global.u32 %v, a[0]\n  setp.eq.u32 %more, %v, 0\n  @%more bra again\n  exit\n";
  const std::string changes = "  atom.global.xor.b32 %v, a[0], 1\n  bra again\n";
  Arguments arguments;
  arguments.buffers["a"] = {Type::U32, {0}};
  for (const std::uint32_t warps : {1U, 4U, 5U})
    for (const std::string& end : {waits, changes}) {
      LaunchConfig config;
      config.block.x = 32 * warps;
      config.max_cycles = 100'000'000;
      EXPECT_EQ(run_alike(loop + end, config, arguments).result.trap.kind, TrapKind::Livelock);
    }
}

}  // namespace register_loops_test
}  // namespace warpsim
