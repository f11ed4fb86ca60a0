// Words of sm_90 as nvdisasm prints them, and no bit that is overlooked.
//
// Shapes: tests/data/sm90_words.txt.xz has a word, its address and its text a line: one or two of each shape of
//         instruction that ptxas made of our own kernels (tests/data/README.md).
#include "isa/sass/decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "sim/machine/random.h"
#include "tests/support/sanitized.h"
#include "tests/support/vectors.h"

namespace warpsim::sass {
namespace {

struct Captured {
  Word word;
  std::uint64_t address = 0;
  std::string text;
};

std::uint64_t hex(std::string_view digits) {
  std::uint64_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
  return value;
}

const std::vector<Captured>& captured() {
  static const auto all = [] {
    std::vector<Captured> made;
    std::istringstream file(tests::read_xz(tests::data_path("sm90_words.txt.xz")).value_or(""));
    for (std::string word, address, text; file >> word >> address && std::getline(file, text);)
      made.push_back({{hex(std::string_view(word).substr(16)), hex(std::string_view(word).substr(0, 16))},
                      hex(address),
                      text.substr(1)});
    return made;
  }();
  return all;
}

TEST(SassDecoder, TheTableCanBeRead) { EXPECT_EQ(faults_of_table(), ""); }

TEST(SassDecoder, EveryCapturedWordIsAsNvdisasmPrintsIt) {
  ASSERT_GT(captured().size(), 7000u);
  for (const Captured& one : captured()) EXPECT_EQ(text_of(decode(one.word, one.address)), one.text);
}

// Whoever flips a bit sees another text, or is told of bits that are not known. The control bits are no part of the
// text, and of a NaN nvdisasm prints no payload.
TEST(SassDecoder, NoBitIsOverlooked) {
  for (std::size_t k = 0; k < captured().size(); k += testing::kSanitized ? 37 : 3) {
    const Captured& one = captured()[k];
    const Instruction insn = decode(one.word, one.address);
    const std::string text = text_of(insn);
    if (text.find("QNAN") != std::string::npos) continue;
    for (unsigned bit = 0; bit < 128; ++bit) {
      if (bit >= 105 && bit < 122) continue;
      const Word flip = Word::ones(bit, 1);
      const Word other{one.word.low ^ flip.low, one.word.high ^ flip.high};
      EXPECT_NE(text_of(decode(other, one.address)), text) << "bit " << bit;
    }
  }
}

TEST(SassDecoder, AnyBitsAreReadOrNamed) {
  SplitMix random(2026);
  for (int k = 0; k < (testing::kSanitized ? 20'000 : 200'000); ++k) {
    const Word word{random.next(), random.next()};
    const Instruction insn = decode(word, static_cast<std::uint64_t>(k) * kWordBytes);
    const std::string text = text_of(insn);
    ASSERT_FALSE(text.empty());
    // An opcode that is not in the table says so; the control bits are read all the same.
    ASSERT_EQ(insn.is_known, text.find("unknown 0x") == std::string::npos) << text;
    ASSERT_EQ(insn.control.stall, word.bits(105, 4));
  }
}

TEST(SassDecoder, NamesWhatItDoesNotKnow) {
  const auto text = [](std::uint64_t high, std::uint64_t low) { return text_of(decode({low, high}, 0)); };
  EXPECT_EQ(text(0x000fe20000000000, 0x000000000000f9ff), "@!PT unknown 0x9ff");
  EXPECT_EQ(text(0x000fe20000000000, 0x0000000500007221), "FADD R0, R0, R5");
  EXPECT_EQ(text(0x000fe20000100000, 0x0000000500007221), "FADD R0, R0, R5 (unknown bits 0x1000000000000000000000)");
  // A value of a field that no listing has shown.
  EXPECT_EQ(text(0x000fe200000e000c, 0x0000000502007c3c).substr(0, 13), "unknown 0xc3c");
  EXPECT_EQ(text(0x000fe20000002c00, 0x0000000000007308), "MUFU.unknown_11 R0, R0");
}

TEST(SassDecoder, ReadsTheControlBits) {
  // FADD R5, R34, R3.reuse, and a load that sets scoreboard 2 and waits for 0 and 3.
  const Control add = decode({0x0000000322057221, 0x100fe20000000000}, 0).control;
  EXPECT_EQ(add.stall, 1);
  EXPECT_FALSE(add.yields);
  EXPECT_EQ(add.write_scoreboard, kNoScoreboard);
  EXPECT_EQ(add.read_scoreboard, kNoScoreboard);
  EXPECT_EQ(add.wait_mask, 0);
  EXPECT_EQ(add.reuse, 4);
  const Control load = decode({0x0000000602077981, 0x009ea2000c1e1900}, 0).control;
  EXPECT_EQ(load.stall, 1);
  EXPECT_EQ(load.write_scoreboard, 2);
  EXPECT_EQ(load.read_scoreboard, kNoScoreboard);
  EXPECT_EQ(load.wait_mask, 0b1001);
}

// What timing needs stands apart from the text.
TEST(SassDecoder, OperandsHaveTheirParts) {
  const Instruction load = decode({0x00000c08221b7981, 0x000ea2000c1e1900}, 0);
  ASSERT_EQ(load.operands.size(), 2u);
  EXPECT_TRUE(load.operands[0].is_destination);
  EXPECT_EQ(load.operands[0].kind, OperandKind::Register);
  EXPECT_EQ(load.operands[1].kind, OperandKind::Memory);
  EXPECT_TRUE(load.operands[1].has_descriptor);
  const Instruction jump = decode({0xfffffffc00fc7947, 0x000fc0000383ffff}, 0x1e0);
  ASSERT_EQ(jump.operands.size(), 1u);
  EXPECT_EQ(jump.operands[0].kind, OperandKind::Target);
  EXPECT_EQ(jump.operands[0].value, 0x1e0);
  const Instruction guarded = decode({0x000000040505a825, 0x001fca00078e0002}, 0);
  EXPECT_EQ(guarded.guard, 2);
  EXPECT_TRUE(guarded.guard_negated);
}

}  // namespace
}  // namespace warpsim::sass
