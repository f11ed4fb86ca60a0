// Bad texts of every kind: the assembler answers each with messages or a program, soon, and never falls over.
//
// Shapes: mutations of small valid programs from a fixed seed, so that a failure can be repeated; and texts made to
//         hurt. What assembles must also survive disassembly, and what does not must say why.
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "isa/assembly/assembler.h"
#include "isa/assembly/disassembler.h"
#include "isa/table/op.h"
#include "tests/isa/assembly/program_equality.h"

namespace warpsim {
namespace {

const std::vector<std::string> kSeeds = {
    R"(// A butterfly.
.title "Butterfly"
.exempt 1, 2 "half of two is one"
.twin p26/butterfly_pair_swap
.kernel k (in input: f32[size], out output: f32[size], param size: u32 = WARP_SZ)
        setp.ge.u32 %outside, %gtid, size
        @%outside exit
        ld.global.f32 %x, input[%gtid]
        mov.u32 %offset, WARP_SZ / 2
step:   .phase "Step {step}: {%offset}" columns=2
        .draw "Lane {lane}" when=in_range
        shfl.bfly.b32 %other|%ok, %x, %offset
        @%ok max.f32 %x, %x, %other
        shr.u32 %offset, %offset, 1
        setp.ne.u32 %more, %offset, 0
        @%more bra step
        st.global.f32 output[%gtid], %x
        exit
.case test
    size = WARP_SZ
    input = 2 * i, last 1000
    expect output = fill:1000
)",
    R"(.kernel k (in a: f64[], out b: f64[], inout c: b16[4])
.shared .f32 tile[WARP_SZ * 2]
.reg .pred %p<3>; .reg .f32 %f, %g; .reg .b64 %d<2>;
mov.u64 %d0, a; mul.wide.u32 %d1, %laneid, 8; add.u64 %d0, %d0, %d1;
ld.global.f64 %y, [%d0 - 8 + 8]; cvt.rn.f32.f64 %f, %y; fma.rn.ftz.f32 %g, %f, 0f3F800000, -1.5e-3;
st.shared.f32 [tile + 4], %g; bar.sync 0; ld.f32 %f, tile[%tid.x - 1]
ld.global.b16 %h, c[3]; cvt.f32.f16 %g, %h /* block
comment */; setp.lt.f32 %p0|%p1, %f, %g
vote.sync.ballot.mask %m, !%p0, mask=%lanemask_lt; popc.mask %n, %m
scan.add.exclusive.f32 %f, %f; reduce.max.s32 %n, %n; broadcast.f32 %f, %f, 3
shfl.sync.up.b32 %f|%p2, %f, 1, 0, 0xffffffff; shfl.idx.b32 %f, %f, 0, width=8
cvt.f64.f32 %y, %f; st.global.f64 b[%gtid], %y; ret;
.case one; a = [1, 2, 3] repeated; expect b = random:7
)"};

std::string pick(std::mt19937& random, const std::vector<std::string>& from) { return from[random() % from.size()]; }

std::vector<std::string> vocabulary() {
  std::vector<std::string> words = {"%x",
                                    "%p",
                                    "%laneid",
                                    "%tid.x",
                                    "@",
                                    "!",
                                    "|",
                                    ",",
                                    ";",
                                    ":",
                                    "\n",
                                    "[",
                                    "]",
                                    "(",
                                    ")",
                                    "{",
                                    "}",
                                    "<",
                                    ">",
                                    "=",
                                    "+",
                                    "-",
                                    "*",
                                    "/",
                                    "%",
                                    "<<",
                                    "~",
                                    "0",
                                    "-1",
                                    "1.5",
                                    "0x",
                                    "0f",
                                    "0f3F800000",
                                    "0d3",
                                    "99999999999999999999",
                                    "1e999",
                                    "inf",
                                    "nan",
                                    "WARP_SZ",
                                    "width=",
                                    "mask=",
                                    "\"",
                                    "\"a\"",
                                    "\\",
                                    "//",
                                    "/*",
                                    "*/",
                                    ".phase",
                                    ".draw",
                                    ".case",
                                    ".kernel",
                                    ".reg",
                                    ".shared",
                                    ".picture",
                                    ".f32",
                                    ".b32",
                                    ".pred",
                                    "expect",
                                    "size",
                                    "input",
                                    "tile",
                                    std::string(1, '\0'),
                                    "\xff",
                                    "\xc3\xa9",
                                    "\t",
                                    "\r"};
  for (const OpInfo& row : assembly_ops()) words.push_back(std::string(row.mnemonic));
  return words;
}

std::string mutated(std::string text, std::mt19937& random, const std::vector<std::string>& words) {
  for (std::uint_fast32_t count = 1 + random() % 6; count > 0; --count) {
    const std::size_t at = text.empty() ? 0 : random() % text.size();
    const std::size_t length = std::min<std::size_t>(text.size() - at, random() % 20);
    switch (random() % 6) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, pick(random, words)); break;
      case 2: text.insert(at, text.substr(random() % (text.size() + 1), random() % 40)); break;
      case 3:
        if (!text.empty()) text[at] = static_cast<char>(random() % 256);
        break;
      case 4: text.replace(at, length, pick(random, words)); break;
      default:
        if (!text.empty()) text[at] = static_cast<char>(text[at] ^ (1 << random() % 7));
        break;
    }
  }
  return text;
}

void expect_sound(const std::string& text) {
  const Assembled made = assemble(text, "fuzz.warp");
  ASSERT_EQ(made.lesson() != nullptr, !made.diagnostics.has_errors()) << text;
  ASSERT_LE(made.diagnostics.list.size(), 60U);
  for (const Diagnostic& d : made.diagnostics.list) {
    ASSERT_FALSE(d.code.empty()) << d.message;
    ASSERT_FALSE(d.message.empty());
    for (const char c : d.message + d.hint) ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20) << d.message;
  }
  ASSERT_LT(made.diagnostics.render().size(), 100'000U);
  if (!made.lesson()) return;
  const std::string again = disassemble(*made.lesson());
  const Assembled second = assemble(again, "again.warp");
  ASSERT_TRUE(second.lesson()) << text << "\n-----\n" << again << second.diagnostics.render();
  ASSERT_EQ(difference(*made.lesson(), *second.lesson()), "") << text << "\n-----\n" << again;
}

TEST(Fuzz, MutatedPrograms) {
  const char* rounds_text = std::getenv("WARPSIM_FUZZ_ROUNDS");
  const int rounds = rounds_text == nullptr ? 10'000 : std::atoi(rounds_text);
  const std::vector<std::string> words = vocabulary();
  for (const std::string& seed : kSeeds) expect_sound(seed);
  for (const std::string& seed : kSeeds)
    ASSERT_TRUE(assemble(seed, "seed.warp").lesson()) << assemble(seed, "seed.warp").diagnostics.render();
  for (int i = 0; i < rounds; ++i) {
    std::mt19937 random(static_cast<unsigned>(i));
    const std::string text = mutated(kSeeds[static_cast<std::size_t>(i) % kSeeds.size()], random, words);
    SCOPED_TRACE("round " + std::to_string(i));
    expect_sound(text);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

TEST(Fuzz, WordsInAnyOrder) {
  const std::vector<std::string> words = vocabulary();
  std::mt19937 random(11);
  for (int i = 0; i < 3000; ++i) {
    std::string text = i % 2 == 0 ? ".kernel k (in input: f32[size], param size: u32)\n" : "";
    for (std::uint_fast32_t n = random() % 60; n > 0; --n) text += pick(random, words) + (random() % 2 == 0 ? " " : "");
    expect_sound(text);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

// The beginning of a program, cut anywhere.
TEST(Fuzz, CutPrograms) {
  for (const std::string& seed : kSeeds) {
    for (std::size_t n = 0; n < seed.size(); ++n) {
      expect_sound(seed.substr(0, n));
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
}

std::string repeated(const std::string& text, std::size_t times) {
  std::string out;
  out.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

constexpr std::size_t kMany = 300'000;
const std::string kKernel = ".kernel k (in input: f32[size], param size: u32)\n";

TEST(Hostile, DeepNesting) {
  for (const std::string open : {"(", "-", "~", "-(", "1+(", "mask=", "width=", "[", "!", "@"}) {
    expect_sound(kKernel + "mov.u32 %x, " + repeated(open, kMany) + "\nexit\n");
    expect_sound(kKernel + "shfl.idx.b32 %x, %x, 1, " + repeated(open, kMany) + "\nexit\n");
    expect_sound(kKernel + "ld.global.f32 %x, input[" + repeated(open, kMany) + "\nexit\n");
    expect_sound(kKernel + "exit\n.case c\ninput = " + repeated(open, kMany) + "\n");
  }
  expect_sound(kKernel + "mov.u32 %x, " + repeated("(", 1000) + "1" + repeated(")", 1000) + "\nexit\n");
  expect_sound(kKernel + "mov.u32 %x, 1" + repeated(" + 1", kMany) + "\nexit\n");
  expect_sound(".kernel k (in a: f32[" + repeated("(", kMany) + "1])\nexit\n");
}

TEST(Hostile, LongAndManyThings) {
  const std::string long_word(kMany, 'a');
  expect_sound(kKernel + long_word + "\nexit\n");
  expect_sound(kKernel + "add." + long_word + " %x\nexit\n");
  expect_sound(kKernel + "add" + repeated(".u32", kMany) + " %x\nexit\n");
  expect_sound(kKernel + "mov.u32 %" + long_word + ", 1\nexit\n");
  expect_sound(kKernel + "mov.u32 %x, " + std::string(kMany, '9') + "\nexit\n");
  expect_sound(kKernel + "mov.f32 %x, 1." + std::string(kMany, '9') + "\nexit\n");
  expect_sound(kKernel + "mov.u32 %x, 0x" + std::string(kMany, 'f') + "\nexit\n");
  expect_sound(kKernel + long_word + ": bra " + long_word + "\n");
  expect_sound(kKernel + "bra " + long_word + "b\n" + long_word + ": exit\n");
  expect_sound(kKernel + ".phase \"" + long_word + "\" " + long_word + "\nexit\n");
  expect_sound(kKernel + "add.u32 %x" + repeated(", %x", kMany) + "\nexit\n");
  expect_sound(std::string(10'000'000, ' ') + kKernel + "exit");
  expect_sound(std::string(10'000'000, '\0'));
  expect_sound(repeated("\xff ", kMany));
  expect_sound(repeated("\"", kMany));
  expect_sound(repeated("/*", kMany));
  expect_sound(repeated("\n", kMany) + kKernel + "exit");
  expect_sound(kKernel + repeated("exit\n", 20'000));
  expect_sound(kKernel + repeated("exit\n", kMany));
  expect_sound(".kernel k (" + repeated("param a: u32, ", kMany) + ")\nexit\n");
  expect_sound(kKernel + "exit\n.case c\ninput = [" + repeated("1,\n", kMany));
  expect_sound(kKernel + repeated(".reg .b32 %r<4096>\n", 100) + "exit\n");
  expect_sound(kKernel + ".reg .b32 %r<4294967296>\nexit\n");
  expect_sound(kKernel + ".shared f32 t[1 << 62]\nexit\n");
}

// Different names each time: nothing may take time that grows with the square of their number.
TEST(Hostile, ManyNames) {
  std::string labels = kKernel, registers = kKernel, cases = kKernel + "exit\n", params = ".kernel k (",
              shared = kKernel, declared = kKernel, branches = kKernel, chain = kKernel;
  for (int i = 0; i < 20'000; ++i) {
    const std::string n = std::to_string(i);
    labels += "l" + n + ":\n";
    registers += "mov.u32 %r" + n + ", 1\n";
    cases += ".case c" + n + "\nsize = 1\n";
    params += "param p" + n + ": u32, ";
    shared += ".shared f32 t" + n + "[1]\n";
    declared += ".reg .b32 %r" + n + "<9>\n";
    branches += "b" + n + ": setp.eq.u32 %p, %laneid, 0\n@%p bra b" + std::to_string(i * 7 % 20'000) + "\n";
    chain += "mov.b32 %x" + std::to_string(i % 4000) + ", %x" + std::to_string((i + 1) % 4000) + "\n";
  }
  for (const std::string& text : {labels + "exit\nbra nowhere\n", registers + "exit\n", cases, params + ")\nexit\n",
                                  shared + "exit\n", declared + "exit\n", branches + "exit\n", chain + "exit\n"}) {
    expect_sound(text);
    if (::testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace warpsim
