// Which NaN a result is matters only where somebody sees its bits: in memory, in an exchange, in an operation on bits.
// In between machine code lets a NaN of f32 be any, and of f64 it has the host find out which operand's it is; what
// comes out is the interpreter's all the same.
//
// Shapes: straight programs of f32 and of f64 with NaNs, infinities and subnormals of all kinds in their inputs, what
//         they do drawn; at their end, and wherever it is drawn, the bits of registers are stored.
// Errors: a difference prints the seed and the program.
// Source: the interpreter, each of whose results is made whole before the next instruction (isa/kernels).
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "sim/machine/random.h"
#include "tests/support/block_runs.h"
#include "tests/support/sanitized.h"

namespace warpsim {
namespace nans_test {

constexpr std::uint64_t kPrograms = testing::kSanitized ? 10 : 150;
constexpr std::uint32_t kThreads = 64, kRegisters = 6;

std::string drawn(SplitMix& draw) { return "%f" + std::to_string(draw.next() % kRegisters); }

std::string line(SplitMix& draw, std::uint32_t number) {
  constexpr std::array<const char*, 7> kTwo{"add.f32", "sub.f32",     "mul.f32",    "min.f32",
                                            "max.f32", "add.ftz.f32", "add.sat.f32"};
  const std::string to = drawn(draw), a = drawn(draw), b = drawn(draw), c = drawn(draw);
  switch (draw.next() % 12) {
    case 0: return "  fma.rn.f32 " + to + ", " + a + ", " + b + ", " + c + "\n";
    case 1: return "  setp.lt.f32 %p, " + a + ", " + b + "\n  selp.f32 " + to + ", " + b + ", " + c + ", %p\n";
    case 2: return "  @%q add.f32 " + to + ", " + a + ", " + b + "\n";
    case 3: return "  shfl.sync.bfly.b32 " + to + ", " + a + ", 3, 0x1f, 0xffffffff\n";
    case 4: return "  ex2.approx.f32 " + to + ", " + a + "\n";
    case 5: return "  neg.f32 " + to + ", " + a + "\n";
    case 6:  // a body of some lanes
      return "  @%q bra b" + std::to_string(number) + "\n  mul.f32 " + to + ", " + a + ", " + b + "\n  sub.f32 " + c +
             ", " + to + ", " + a + "\nb" + std::to_string(number) + ":\n";
    case 7: return "  st.global.f32 at[%gid], " + a + "\n  ld.global.f32 " + to + ", at[%gid]\n";
    default: return std::string("  ") + kTwo.at(draw.next() % kTwo.size()) + " " + to + ", " + a + ", " + b + "\n";
  }
}

std::string line_of_doubles(SplitMix& draw, std::uint32_t number) {
  constexpr std::array<const char*, 11> kTwo{"add.f64",    "sub.f64",    "mul.f64",    "min.f64",
                                             "max.f64",    "div.rn.f64", "add.rz.f64", "sub.rm.f64",
                                             "mul.rp.f64", "sub.f64",    "mul.f64"};
  constexpr std::array<const char*, 4> kOne{"neg.f64", "abs.f64", "sqrt.rn.f64", "rcp.rn.f64"};
  const std::string to = drawn(draw), a = drawn(draw), b = drawn(draw), c = drawn(draw);
  switch (draw.next() % 12) {
    case 0:
    case 1:
    case 2: return "  fma.rn.f64 " + to + ", " + a + ", " + b + ", " + c + "\n";
    case 3: return "  @%q fma.rn.f64 " + to + ", " + a + ", " + b + ", " + c + "\n";
    case 4: return "  @%q sub.f64 " + to + ", " + a + ", " + b + "\n";
    case 5: return std::string("  ") + kOne.at(draw.next() % kOne.size()) + " " + to + ", " + a + "\n";
    case 6:  // a body of some lanes
      return "  @%q bra b" + std::to_string(number) + "\n  mul.f64 " + to + ", " + a + ", " + b + "\n  sub.f64 " + c +
             ", " + to + ", " + a + "\nb" + std::to_string(number) + ":\n";
    default: return std::string("  ") + kTwo.at(draw.next() % kTwo.size()) + " " + to + ", " + a + ", " + b + "\n";
  }
}

using Line = std::string (*)(SplitMix& draw, std::uint32_t number);

// Of floats of so many bits.
std::string program(std::uint64_t seed, const std::string& bits, Line line_of) {
  SplitMix draw(seed);
  std::string text = ".kernel k (in x: u" + bits + "[], inout at: f" + bits + "[], out o: f" + bits +
                     "[])\n  mad.lo.u32 %gid, %ctaid.x, %ntid.x, %tid.x\n"
                     "  and.b32 %bit, %laneid, 5\n  setp.eq.u32 %q, %bit, 4\n";
  for (std::uint32_t k = 0; k < kRegisters; ++k)
    text += "  mad.lo.u32 %i, %gid, " + std::to_string(kRegisters) + ", " + std::to_string(k) + "\n  ld.global.u" +
            bits + " %u, x[%i]\n  mov.b" + bits + " %f" + std::to_string(k) + ", %u\n";
  for (std::uint32_t k = 0; k < 12; ++k) text += line_of(draw, k);
  for (std::uint32_t k = 0; k < kRegisters; ++k)
    text += "  mad.lo.u32 %i, %gid, " + std::to_string(kRegisters) + ", " + std::to_string(k) + "\n  st.global.f" +
            bits + " o[%i], %f" + std::to_string(k) + "\n";
  return text + "  exit\n";
}

constexpr std::array<std::uint64_t, 12> kSingles{0x7fc00000, 0xffc12345, 0x7f800001, 0xff923456, 0x7f800000, 0xff800000,
                                                 0x3f800000, 0xbf000000, 0x00000001, 0x80400000, 0x42f00000, 0};
constexpr std::array<std::uint64_t, 12> kDoubles{0x7ff8000000000123, 0xfff8000000000456, 0x7ff0000000000789,
                                                 0xfff000000000abcd, 0x7ff0000000000000, 0xfff0000000000000,
                                                 0x3ff0000000000000, 0xbfe0000000000000, 0x0000000000000001,
                                                 0x8008000000000000, 0x7fe0000000000000, 0};

void expect_same_nans(std::uint64_t seed, unsigned bits, Line line_of) {
  const std::string text = program(seed, std::to_string(bits), line_of);
  SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + text);
  const std::array<std::uint64_t, 12>& values = bits == 64 ? kDoubles : kSingles;
  const Type type = bits == 64 ? Type::F64 : Type::F32;
  SplitMix draw(seed + 1000);
  LaunchConfig config;
  config.block.x = kThreads / 2;
  config.grid.x = 2;
  config.schedule = kBlocksSchedule;
  config.keeps_state = false;
  Arguments arguments;
  std::vector<std::uint64_t> x;
  for (std::uint32_t k = 0; k < kThreads * kRegisters; ++k) x.push_back(values.at(draw.next() % values.size()));
  arguments.buffers["x"] = {bits == 64 ? Type::U64 : Type::U32, x};
  arguments.buffers["at"] = {type, std::vector<std::uint64_t>(kThreads)};
  arguments.buffers["o"] = {type, std::vector<std::uint64_t>(std::size_t{kThreads} * kRegisters)};
  testing::expect_engines_alike(testing::program_of(text), config, arguments);
}

TEST(NansOfMachineCode, WhichOneTheyAreShowsNowhere) {
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed)
    expect_same_nans(seed, 32, line);
}

TEST(NansOfMachineCode, OfDoublesIsTheOperandThatTheH200Takes) {
  for (std::uint64_t seed = 1; seed <= kPrograms && !::testing::Test::HasFailure(); ++seed)
    expect_same_nans(seed, 64, line_of_doubles);
}

}  // namespace nans_test
}  // namespace warpsim
