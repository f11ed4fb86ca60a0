// Constant expressions: values as C computes them, and the text that reads back as the same tokens.
#include "isa/program/const_expr.h"

#include <gtest/gtest.h>

#include <random>

#include "isa/assembly/assembler.h"

namespace warpsim {
namespace {

using Kind = ConstToken::Kind;

// The expression as the assembler reads it.
ConstExpr parse(const std::string& text) {
  const Assembled made = assemble(".kernel k ()\nmov.u64 %x, " + text + "\nexit\n", "made.warp");
  EXPECT_TRUE(made.lesson()) << made.diagnostics.render();
  return made.lesson() ? made.lesson()->code[0].operands[1].expr : ConstExpr{};
}
std::int64_t value(const std::string& text, unsigned lanes = 32) { return parse(text).evaluate(lanes); }

TEST(ConstExpr, ComputesAsCDoes) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("(1 + 2) * 3"), 9);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("100 / 7 / 2"), 7);
  EXPECT_EQ(value("-7 / 2"), -3);
  EXPECT_EQ(value("-7 % 3"), -1);
  EXPECT_EQ(value("1 << 2 + 1"), 8);
  EXPECT_EQ(value("6 & 3 | 8 ^ 12"), 6);  // & before ^ before |
  EXPECT_EQ(value("~0"), -1);
  EXPECT_EQ(value("-~5"), 6);
  EXPECT_EQ(value("+5 - -5"), 10);
  EXPECT_EQ(value("-8 >> 1"), -4);
  EXPECT_EQ(value("0x10 + 0b101"), 21);
  EXPECT_EQ(value("18446744073709551615"), -1);
  EXPECT_EQ(value("1U + 1"), 2);
  EXPECT_EQ(value("-2 + 1"), -1);
  EXPECT_EQ(value("-WARP_SZ + 1"), -31);
}

TEST(ConstExpr, InAnIndexASignBelongsToTheFirstTerm) {
  const auto index = [](const std::string& text) {
    const Assembled made =
        assemble(".kernel k (in a: f32[])\nld.global.f32 %x, a[%laneid " + text + "]\nexit\n", "made.warp");
    EXPECT_TRUE(made.lesson()) << made.diagnostics.render();
    return made.lesson() ? made.lesson()->code[0].operands[1].expr.evaluate(32) : -1000;
  };
  EXPECT_EQ(index("- 2 + 1"), -1);
  EXPECT_EQ(index("- 2 * 3 + 1"), -5);
  EXPECT_EQ(index("+ 2 - 1"), 1);
  EXPECT_EQ(index("- WARP_SZ / 2 - 1"), -17);
  EXPECT_EQ(index("+ (1 << 3)"), 8);
  EXPECT_EQ(index(""), 0);
}

TEST(ConstExpr, FollowsTheLaneCount) {
  for (const unsigned lanes : {1U, 2U, 8U, 32U, 64U}) {
    EXPECT_EQ(value("WARP_SZ / 2 - 1", lanes), static_cast<std::int64_t>(lanes) / 2 - 1);
    EXPECT_EQ(value("-WARP_SZ", lanes), -static_cast<std::int64_t>(lanes));
  }
}

TEST(ConstExpr, WrapsAndNeverTraps) {
  EXPECT_EQ(value("9223372036854775807 + 1"), INT64_MIN);
  EXPECT_EQ(value("-9223372036854775808 / -1"), INT64_MIN);
  EXPECT_EQ(value("-9223372036854775808 % -1"), 0);
  EXPECT_EQ(value("1 << 64"), 0);
  EXPECT_EQ(value("1 >> -1"), 0);
  const ConstExpr zero{{{Kind::Number, 5}, {Kind::Number, 0}, {Kind::Div, 0}}};
  EXPECT_EQ(zero.evaluate(32), 0);
  EXPECT_TRUE(zero.divides_by_zero(32));
  const ConstExpr sometimes{
      {{Kind::Number, 8}, {Kind::WarpSize, 0}, {Kind::Number, 2}, {Kind::Div, 0}, {Kind::Div, 0}}};
  EXPECT_TRUE(sometimes.divides_by_zero(1));
  EXPECT_FALSE(sometimes.divides_by_zero(2));
}

TEST(ConstExpr, WritesOnlyTheParenthesesItNeeds) {
  for (const std::string text : {"WARP_SZ / 2 - 1", "(WARP_SZ + 1) * 2", "WARP_SZ - (1 - 2)", "WARP_SZ - 1 - 2",
                                 "-WARP_SZ", "-(WARP_SZ + 1)", "~WARP_SZ & 7", "1 << WARP_SZ - 1", "(1 << WARP_SZ) - 1",
                                 "WARP_SZ * -3", "-5", "WARP_SZ % 4 / 2", "WARP_SZ % (4 / 2)"}) {
    EXPECT_EQ(parse(text).to_string(), text);
  }
  EXPECT_EQ(parse("((3))").to_string(), "3");
  EXPECT_TRUE(parse("- 5").is_number());
}

// Any expression, written and read again, has the same tokens.
TEST(ConstExpr, TextReadsBack) {
  std::mt19937 random(20);
  const std::vector<Kind> binary = {Kind::Add, Kind::Sub, Kind::Mul, Kind::Shl,
                                    Kind::Shr, Kind::And, Kind::Or,  Kind::Xor};
  for (int round = 0; round < 2000; ++round) {
    ConstExpr e;
    std::size_t depth = 0;
    while (e.tokens.size() < 12 || depth != 1) {
      const unsigned choice = random() % 4;
      if (depth == 0 || (choice < 2 && e.tokens.size() < 12)) {
        if (random() % 3 == 0) e.tokens.push_back({Kind::WarpSize, 0});
        else e.tokens.push_back({Kind::Number, static_cast<std::int64_t>(random() % 100) - 20});
        ++depth;
      } else if (choice == 2 && e.tokens.size() < 12 && e.tokens.back().kind != Kind::Number) {
        e.tokens.push_back({random() % 2 == 0 ? Kind::Neg : Kind::Not, 0});  // -5 is one token
      } else if (depth >= 2) {
        e.tokens.push_back({binary[random() % binary.size()], 0});
        --depth;
      }
    }
    EXPECT_EQ(parse(e.to_string()), e) << e.to_string();
  }
}

}  // namespace
}  // namespace warpsim
