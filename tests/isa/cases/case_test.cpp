// The rule language: values worked out by hand, C++'s own arithmetic as the witness for floats, and bad rules.
//
// Source: case.h; the splitmix64 numbers are those that Rosetta Code, "Pseudo-random numbers/Splitmix64", lists for
//         its seeds.
#include "isa/cases/case.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace warpsim {
namespace {

using Words = std::vector<std::uint64_t>;

CaseScope scope_of(unsigned lanes = 8) {
  CaseScope scope;
  scope.lanes = lanes;
  scope.grid = {2, 1, 1};
  scope.block = {16, 1, 1};
  scope.scalars = {{"size", 20}, {"low", 0xfffffffdU}, {"scale", 0x3e800000U}};
  scope.scalar_types = {{"size", Type::U32}, {"low", Type::S32}, {"scale", Type::F32}};
  scope.arrays["input"] = {Type::S32, {10, 20, 30, 0xffffffffU}};
  scope.arrays["weights"] = {Type::F32, {0x3f800000U, 0x40000000U}};
  return scope;
}

// The elements' bits; a failed rule gives an empty array and a failed test.
Words array(std::string_view rule, Type type, std::size_t length, const CaseScope& scope = scope_of()) {
  const std::variant<Array, CaseError> result = evaluate_array(rule, type, length, scope);
  if (const CaseError* error = std::get_if<CaseError>(&result)) {
    ADD_FAILURE() << rule << ": " << error->message << " at " << error->offset;
    return {};
  }
  EXPECT_EQ(std::get<Array>(result).type, type);
  return std::get<Array>(result).bits;
}

std::vector<float> floats(std::string_view rule, std::size_t length) {
  std::vector<float> values;
  for (const std::uint64_t word : array(rule, Type::F32, length)) {
    values.push_back(__builtin_bit_cast(float, static_cast<std::uint32_t>(word)));
  }
  return values;
}

std::int64_t number(std::string_view rule) {
  const Words words = array(rule, Type::S64, 1);
  return words.empty() ? -987654321 : static_cast<std::int64_t>(words[0]);
}

std::string error_of(std::string_view rule, Type type = Type::U32, std::size_t length = 4) {
  const std::variant<Array, CaseError> result = evaluate_array(rule, type, length, scope_of());
  const CaseError* error = std::get_if<CaseError>(&result);
  return error == nullptr ? "no error" : error->message + " @" + std::to_string(error->offset);
}

// ---- the shapes of a rule

TEST(CaseRule, ArraysOfEveryShape) {
  EXPECT_EQ(array("[3, 1, 7]", Type::U32, 3), (Words{3, 1, 7}));
  EXPECT_EQ(array("3, 1, 7", Type::U32, 3), (Words{3, 1, 7}));
  EXPECT_EQ(array("[3, 1, 7] repeated", Type::U32, 5), (Words{3, 1, 7, 3, 1}));
  EXPECT_EQ(array("iota", Type::U32, 4), (Words{0, 1, 2, 3}));
  EXPECT_EQ(array("fill:1000", Type::U32, 3), (Words{1000, 1000, 1000}));
  EXPECT_EQ(array("2*i, last 1000", Type::U32, 4), (Words{0, 2, 4, 1000}));
  EXPECT_EQ(array("2*i, first 9, last i*100", Type::U32, 4), (Words{9, 2, 4, 300}));
  EXPECT_EQ(array("[1,2,3,4] repeated, last 0", Type::U32, 6), (Words{1, 2, 3, 4, 1, 0}));
  EXPECT_EQ(array("[ 1, // one\n 2 /* two */ ]", Type::U32, 2), (Words{1, 2}));
  EXPECT_EQ(array("i, last 5", Type::U32, 0), Words{});
}

TEST(CaseRule, NaturalLengthIsThatOfAListAlone) {
  EXPECT_EQ(natural_length("[3, 1, 7]"), 3U);
  EXPECT_EQ(natural_length("3, 1, 7, last 4"), 3U);
  EXPECT_EQ(natural_length("[3, 1, 7] repeated"), 0U);
  EXPECT_EQ(natural_length("2*i, last 1000"), 0U);
  EXPECT_EQ(natural_length("iota"), 0U);
  EXPECT_EQ(natural_length("[3, 1"), 0U);
}

TEST(CaseRule, TheThreadOfAnElement) {
  CaseScope scope = scope_of(4);
  scope.block = {6, 1, 1};
  EXPECT_EQ(array("thread*1000 + warp*100 + lane*10 + block", Type::U32, 8, scope),
            (Words{0, 1010, 2020, 3030, 4100, 5110, 1, 1011}));
  EXPECT_EQ(array("[n, W, WARP_SZ, grid, block_size]", Type::U32, 5, scope), (Words{5, 4, 4, 2, 6}));
}

// ---- expressions over integers

TEST(CaseRule, OperatorsBindAsInC) {
  EXPECT_EQ(number("2 + 3 * 4"), 14);
  EXPECT_EQ(number("(2 + 3) * 4"), 20);
  EXPECT_EQ(number("20 - 5 - 3"), 12);
  EXPECT_EQ(number("1 << 2 + 1"), 8);
  EXPECT_EQ(number("1 | 6 & 2 ^ 7"), 5);  // 1 | ((6 & 2) ^ 7)
  EXPECT_EQ(number("6 & 6 == 6"), 0);     // 6 & (6 == 6)
  EXPECT_EQ(number("1 < 2 == 1"), 1);
  EXPECT_EQ(number("0 && 0 || 1"), 1);
  EXPECT_EQ(number("1 || 1 && 0"), 1);
  EXPECT_EQ(number("0 ? 1 : 0 ? 2 : 3"), 3);
  EXPECT_EQ(number("1 ? 0 ? 5 : 6 : 7"), 6);
  EXPECT_EQ(number("-2 * -3"), 6);
  EXPECT_EQ(number("- -5 + +2"), 7);
  EXPECT_EQ(number("!0 + !7 * 10"), 1);
  EXPECT_EQ(number("~0"), -1);
}

TEST(CaseRule, IntegersDivideTowardZeroAndWrap) {
  EXPECT_EQ(number("7 / 2 * 10 + 7 % 2"), 31);
  EXPECT_EQ(number("-7 / 2"), -3);
  EXPECT_EQ(number("-7 % 2"), -1);
  EXPECT_EQ(number("-8 >> 1"), -4);
  EXPECT_EQ(number("9223372036854775807 + 1"), INT64_MIN);
  EXPECT_EQ(number("-9223372036854775808 / -1"), INT64_MIN);
  EXPECT_EQ(number("-9223372036854775808 % -1"), 0);
  EXPECT_EQ(number("18446744073709551615"), -1);
  EXPECT_EQ(number("0x1F + 0b101 + 10"), 46);
  EXPECT_EQ(number("min(3, -4) * 100 + max(3, -4)"), -397);
  EXPECT_EQ(number("abs(-3) + abs(4)"), 7);
  EXPECT_EQ(number("int(-2.9) * 10 + int(2.9)"), -18);
}

TEST(CaseRule, WhatIsNotNeededIsNotComputed) {
  EXPECT_EQ(array("i + 1 < n ? input[i + 1] - input[i] : 0", Type::S32, 3), (Words{10, 10, 0}));
  EXPECT_EQ(array("i < 4 && input[i] > 15", Type::U32, 6), (Words{0, 1, 1, 0, 0, 0}));
  EXPECT_EQ(array("i >= 4 || input[i] > 15", Type::U32, 6), (Words{0, 1, 1, 0, 1, 1}));
}

TEST(CaseRule, ScalarsAndArraysKeepTheirSigns) {
  EXPECT_EQ(number("size"), 20);
  EXPECT_EQ(number("low"), -3);
  EXPECT_EQ(number("input[3]"), -1);
  EXPECT_EQ(floats("scale * i", 3), (std::vector<float>{0.0F, 0.25F, 0.5F}));
  EXPECT_EQ(floats("weights[i] * input[i]", 2), (std::vector<float>{10.0F, 40.0F}));
}

TEST(CaseRule, LoopsRunInIncreasingOrder) {
  EXPECT_EQ(array("sum(j, 0, i + 1, input[j])", Type::S32, 4), (Words{10, 30, 60, 59}));
  EXPECT_EQ(array("product(j, 1, i + 1, j)", Type::U32, 5), (Words{1, 1, 2, 6, 24}));
  EXPECT_EQ(array("max(j, 0, 4, input[j] * (j != 2))", Type::S32, 1), Words{20});
  EXPECT_EQ(array("min(j, 0, 4, input[j])", Type::S64, 1), Words{~std::uint64_t{0}});
  EXPECT_EQ(array("count(j, 0, 4, input[j] >= 20)", Type::U32, 1), Words{2});
  EXPECT_EQ(number("sum(j, 5, 5, 1) + 10 * product(j, 5, 2, 9) + 100 * count(j, 0, 0, 1)"), 10);
  EXPECT_EQ(number("sum(j, 0, 3, sum(k, 0, j + 1, 10*j + k))"), 0 + (10 + 11) + (20 + 21 + 22));
  EXPECT_EQ(number("sum(j, 0, 2, sum(j, 0, 3, j))"), 6);  // the inner j hides the outer one
  EXPECT_EQ(number("sum(size, 0, 3, size) + size"), 23);  // and a loop's variable a parameter, inside the loop
}

// ---- floats

TEST(CaseRule, SinglesAreRoundedAtEveryStep) {
  const volatile float tenth = 0.1F, third = 3.0F;
  float sum = tenth;
  for (int k = 1; k < 100; ++k) sum = sum + tenth;
  EXPECT_EQ(floats("sum(j, 0, 100, 0.1)", 1), std::vector<float>{sum});
  EXPECT_NE(sum, static_cast<float>(10.0));
  EXPECT_EQ(floats("(0.1 + 16777216.0) - 16777216.0", 1), std::vector<float>{0.0F});
  EXPECT_EQ(floats("10 / 3.0", 1), std::vector<float>{10.0F / third});
  EXPECT_EQ(floats("sqrt(2)", 1), std::vector<float>{std::sqrt(2.0F)});
  EXPECT_EQ(floats("16777217", 1), std::vector<float>{16777216.0F});
  EXPECT_EQ(floats("9 / 2 + 0.5", 1), std::vector<float>{4.5F});  // integers divide as integers
}

TEST(CaseRule, DoublesAreNot) {
  const volatile double tenth = 0.1;
  double sum = tenth;
  for (int k = 1; k < 100; ++k) sum = sum + tenth;
  EXPECT_EQ(array("sum(j, 0, 100, 0.1)", Type::F64, 1), Words{__builtin_bit_cast(std::uint64_t, sum)});
  EXPECT_EQ(number("int((0.5 + 9007199254740992.0) - 9007199254740991.0)"), 1);
}

TEST(CaseRule, FloatsHaveTheirCorners) {
  EXPECT_EQ(array("[-0.0, 0.0, inf, -inf]", Type::F32, 4), (Words{0x80000000U, 0, 0x7f800000U, 0xff800000U}));
  EXPECT_EQ(array("[0f3F800001, 1.5e1, .5, 2.]", Type::F32, 4),
            (Words{0x3f800001U, 0x41700000U, 0x3f000000U, 0x40000000U}));
  EXPECT_EQ(array("[0d3FF0000000000001]", Type::F64, 1), Words{0x3ff0000000000001U});
  EXPECT_TRUE(std::isnan(floats("nan", 1)[0]));
  EXPECT_EQ(floats("[min(nan, 2.0), max(2.0, nan), min(1, 0.5)]", 3), (std::vector<float>{2.0F, 2.0F, 0.5F}));
  EXPECT_EQ(array("[min(0.0, -0.0), max(-0.0, 0.0)]", Type::F32, 2), (Words{0x80000000U, 0}));
  EXPECT_EQ(array("sum(j, 0, 1, -0.0)", Type::F32, 1), Words{0x80000000U});
  EXPECT_EQ(array("[nan == nan, nan != nan, nan < 1, 1 / 0.0 > 5]", Type::U32, 4), (Words{0, 1, 0, 1}));
}

TEST(CaseRule, HalvesAreSinglesRoundedOnce) {
  EXPECT_EQ(array("[1.0, -2, 65504, 65520.0, 0.1, 6e-8]", Type::F16, 6),
            (Words{0x3c00, 0xc000, 0x7bff, 0x7c00, 0x2e66, 1}));
  // 2049 is half way between the halves 2048 and 2050 and goes to the even one; the sum is exact before that.
  EXPECT_EQ(array("2048 + 1.0", Type::F16, 1), Words{0x6800});
  EXPECT_EQ(array("2048 + 1.0 + 1.0", Type::F16, 1), Words{0x6801});
  EXPECT_EQ(array("16777216.0 + 1.0 - 16777216.0", Type::F16, 1), Words{0});  // in f32 the one is lost
}

// ---- the generator

TEST(CaseRule, RandomIsSplitmix64) {
  EXPECT_EQ(array("random:1234567", Type::U64, 5),
            (Words{6457827717110365317U, 3203168211198807973U, 9817491932198370423U, 4593380528125082431U,
                   16408922859458223821U}));
  EXPECT_EQ(array("random:1234567", Type::S32, 2), (Words{6457827717110365317U >> 32, 3203168211198807973U >> 32}));
  EXPECT_EQ(array("random:1234567, last 3", Type::U32, 2), (Words{6457827717110365317U >> 32, 3}));
  const float first = (static_cast<float>(6457827717110365317U >> 40) - 8388608.0F) / 65536.0F;
  EXPECT_EQ(floats("random:1234567", 1), std::vector<float>{first});
  EXPECT_EQ(array("random:1234567", Type::F64, 1),
            Words{__builtin_bit_cast(std::uint64_t, static_cast<double>(first))});
}

// ---- scalars

TEST(CaseRule, ScalarsKnowTheLaunchButNoElement) {
  const CaseScope scope = scope_of();
  EXPECT_EQ(std::get<std::uint64_t>(evaluate_scalar("WARP_SZ * grid - 1", Type::U32, scope)), 15U);
  EXPECT_EQ(std::get<std::uint64_t>(evaluate_scalar("-1", Type::S32, scope)), 0xffffffffU);
  EXPECT_EQ(std::get<std::uint64_t>(evaluate_scalar("size * 0.5", Type::F32, scope)), 0x41200000U);
  EXPECT_EQ(std::get<CaseError>(evaluate_scalar("i + 1", Type::U32, scope)).message.rfind("'i' has no meaning here", 0),
            0U);
  EXPECT_EQ(std::get<CaseError>(evaluate_scalar("[1]", Type::U32, scope)).message, "one value is wanted, not an array");
  EXPECT_EQ(std::get<CaseError>(evaluate_scalar("1, last 2", Type::U32, scope)).message,
            "one value is wanted, not an array");
}

// ---- bad rules

TEST(CaseRule, ErrorsSayWhatAndWhere) {
  EXPECT_EQ(error_of("2 *"), "expected a value, not the end of the rule @3");
  EXPECT_EQ(error_of("2 * )"), "expected a value, not ')' @4");
  EXPECT_EQ(error_of("(1 + 2"), "expected ')' to close the parenthesis, not the end of the rule @6");
  EXPECT_EQ(error_of("[1, 2"), "this '[' has no ']' @0");
  EXPECT_EQ(error_of("[1 2]"), "expected ',' or ']' in the list, not '2' @3");
  EXPECT_EQ(error_of("1 ? 2"), "expected ':' and the other value of '?', not the end of the rule @5");
  EXPECT_EQ(error_of("i i"), "expected the end of the rule, not 'i' @2");
  EXPECT_EQ(error_of("1 # 2"), "'#' has no meaning in a rule @2");
  EXPECT_EQ(error_of("1 → 2"), "'→' has no meaning in a rule @2");
  EXPECT_EQ(error_of(""), "expected a value, not the end of the rule @0");
  EXPECT_EQ(error_of("12abc"), "'12abc' is no number @0");
  EXPECT_EQ(error_of("99999999999999999999"), "'99999999999999999999' is no number of 64 bits @0");
  EXPECT_EQ(error_of("iota, fill:2"), "expected 'last' or 'first' and a value after the comma, not 'fill' @6");
  EXPECT_EQ(
      error_of("foo(1)"),
      "there is no function 'foo'; there are min, max, abs, sqrt, float, int, pair, low, high, sum, product, count @0");
  EXPECT_EQ(error_of("abs(1, 2)"), "'abs' takes 1 argument, not 2 @0");
  EXPECT_EQ(error_of("sum(1)"), "'sum' takes 4 arguments (loops are written sum(j, from, to, value)), not 1 @0");
  EXPECT_EQ(error_of("[1, 2, 3]"), "the list has 3 elements, and 4 are wanted @0");
}

TEST(CaseRule, PairsAreComputedHalfByHalf) {
  CaseScope scope;
  scope.arrays["x"] = {Type::F16X2, {0x3c004000, 0xc000c400}};  // {2, 1}, {-4, -2}
  scope.scalars["p"] = 0x42003c00;                              // {1, 3}
  scope.scalar_types["p"] = Type::F16X2;
  const auto pairs = [&](std::string_view rule, Type type) {
    const std::variant<Array, CaseError> result = evaluate_array(rule, type, 2, scope);
    return result.index() == 0 ? std::get<Array>(result).bits : Words{};
  };
  EXPECT_EQ(pairs("pair(i, -1)", Type::F16X2), (Words{0xbc000000, 0xbc003c00}));
  EXPECT_EQ(pairs("1.5", Type::BF16X2), (Words{0x3fc03fc0, 0x3fc03fc0}));
  EXPECT_EQ(pairs("x[i] + p", Type::F16X2), (Words{0x44004200, 0x3c00c200}));  // {3, 4}, {-3, 1}
  EXPECT_EQ(pairs("pair(high(x[i]), low(x[i]))", Type::F16X2), (Words{0x40003c00, 0xc400c000}));
  EXPECT_EQ(pairs("low(x[i]) * high(p)", Type::F32), (Words{0x40c00000, 0xc1400000}));
  EXPECT_EQ(pairs("[pair(1, 2), pair(3, 4)]", Type::F16X2), (Words{0x40003c00, 0x44004200}));
  const auto problem = [&](std::string_view rule) {
    return std::get<CaseError>(evaluate_array(rule, Type::F32, 2, scope)).message;
  };
  EXPECT_EQ(problem("x[0]"), "'x' holds pairs: write low(x[…]) or high(x[…]) (element 0)");
  EXPECT_EQ(problem("p"), "'p' holds pairs: write low(p) or high(p) (element 0)");
  EXPECT_EQ(problem("pair(1, 2)"), "pair() is a value of f16x2 and bf16x2 only (element 0)");
}

TEST(CaseRule, ErrorsOfValuesNameTheElement) {
  EXPECT_EQ(error_of("i / (i - 2)", Type::S32), "a division by zero (element 2) @2");
  EXPECT_EQ(error_of("1 << i * 32", Type::U64), "a shift by 64 (element 2) @2");
  EXPECT_EQ(error_of("1e400", Type::F64), "'1e400' is no number of 64 bits @0");
  EXPECT_EQ(error_of("i - 1"), "-1 does not fit u32 (element 0) @2");
  EXPECT_EQ(error_of("i * 1431655766"), "4294967298 does not fit u32 (element 3) @2");
  EXPECT_EQ(error_of("2147483648", Type::S32), "2147483648 does not fit s32 (element 0) @0");
  EXPECT_EQ(error_of("i * 0.5"), "0.0 is a float where u32 is wanted: write int(…) (element 0) @2");
  EXPECT_EQ(error_of("input[i + 2]", Type::S32), "input[4] is out of range: 'input' has 4 elements (element 2) @0");
  EXPECT_EQ(error_of("input[-1]", Type::S32), "input[-1] is out of range: 'input' has 4 elements (element 0) @0");
  EXPECT_EQ(error_of("1.5 % 2"), "this operator wants integers, and one side is a float (element 0) @4");
  EXPECT_EQ(error_of("int(nan)"), "int() of a float that no 64-bit integer holds (element 0) @0");
  EXPECT_EQ(error_of("min(j, 3, 3, j)"),
            "the smallest or largest of nothing: the loop runs from 3 to 3 (element 0) @0");
  EXPECT_EQ(error_of("input * 2"), "'input' is an array: write input[i] @0");
  EXPECT_EQ(error_of("sizes * 2"), "'sizes' has no meaning here; did you mean 'size'? @0");
  EXPECT_EQ(error_of("inptu[i]"), "there is no array 'inptu' here; did you mean 'input'? @0");
}

TEST(CaseRule, UntypedElementsTakeBothSigns) {
  EXPECT_EQ(array("[-1, 4294967295, -2147483648]", Type::B32, 3), (Words{0xffffffffU, 0xffffffffU, 0x80000000U}));
  EXPECT_EQ(error_of("4294967296", Type::B32), "4294967296 does not fit b32 (element 0) @0");
}

TEST(CaseRule, NoRuleRunsOnForEverOrExhaustsTheStack) {
  EXPECT_EQ(error_of("sum(j, 0, 1 << 62, 1)").rfind("the rule takes too long to compute", 0), 0U);
  const std::string deep(100000, '('), minus(100000, '-'), nots(100000, '!');
  EXPECT_EQ(error_of(deep + "1").rfind("the expression is nested too deeply", 0), 0U);
  EXPECT_EQ(error_of(minus + "1").rfind("the expression is nested too deeply", 0), 0U);
  EXPECT_EQ(error_of(nots + "1").rfind("the expression is nested too deeply", 0), 0U);
  std::string conditions, chain = "1", calls, lists;
  for (int k = 0; k < 100000; ++k) {
    conditions += "1?";
    chain += "+1";
    calls += "abs(";
    lists += "input[";
  }
  EXPECT_EQ(error_of(conditions + "1").rfind("the expression is nested too deeply", 0), 0U);
  EXPECT_EQ(error_of(chain).rfind("the expression is too deep", 0), 0U);
  EXPECT_EQ(error_of(lists + "1").rfind("the expression is nested too deeply", 0), 0U);
  EXPECT_NE(error_of(calls + "1"), "no error");
}

TEST(CaseRule, MutatedRulesNeverCrash) {
  const std::vector<std::string> seeds = {"2*i, last 1000",
                                          "[3, 1, 7] repeated",
                                          "sum(j, 0, i + 1, input[j])",
                                          "random:7, first 2",
                                          "i + 1 < n ? input[i + 1] - input[i] : 0",
                                          "fill:0f3F800000",
                                          "max(j,0,3,j%5)<<2|!~-1"};
  const std::string letters = "0123456789abij[](),:?+-*/%<>=!&|^~. \n\xe2\x82";
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string rule = seeds[random() % seeds.size()];
    for (unsigned k = random() % 4 + 1; k-- > 0;) {
      const std::size_t at = random() % (rule.size() + 1);
      const char letter = letters[random() % letters.size()];
      if (random() % 3 == 0 && at < rule.size()) rule.erase(at, random() % 3 + 1);
      else if (random() % 2 == 0 && at < rule.size()) rule[at] = letter;
      else rule.insert(at, 1, letter);
    }
    const Type type = static_cast<Type>(1 + random() % (kTypeCount - 1));
    const std::variant<Array, CaseError> result = evaluate_array(rule, type, 5, scope_of());
    if (const CaseError* error = std::get_if<CaseError>(&result)) {
      EXPECT_FALSE(error->message.empty());
      EXPECT_LE(error->offset, rule.size());
    } else {
      EXPECT_EQ(std::get<Array>(result).bits.size(), 5U);
    }
    natural_length(rule);
  }
}

// ---- elements as text

TEST(CaseValue, FormatsAsTheTypeSays) {
  EXPECT_EQ(format_value(Type::S32, 0xffffffffU), "-1");
  EXPECT_EQ(format_value(Type::U32, 0xffffffffU), "4294967295");
  EXPECT_EQ(format_value(Type::B32, 0xffffffffU), "4294967295");
  EXPECT_EQ(format_value(Type::S8, 0x80), "-128");
  EXPECT_EQ(format_value(Type::S64, 0x8000000000000000U), "-9223372036854775808");
  EXPECT_EQ(format_value(Type::U64, ~std::uint64_t{0}), "18446744073709551615");
  EXPECT_EQ(format_value(Type::Pred, 1), "true");
  EXPECT_EQ(format_value(Type::F32, 0x40555555U), "3.3333333");
  EXPECT_EQ(format_value(Type::F32, 0x80000000U), "-0.0");
  EXPECT_EQ(format_value(Type::F32, 0x447a0000U), "1000.0");
  EXPECT_EQ(format_value(Type::F32, 0x7fc00000U), "NaN");
  EXPECT_EQ(format_value(Type::F64, 0xfff0000000000000U), "-Infinity");
  EXPECT_EQ(format_value(Type::F16, 0x3555), "0.3333");
  EXPECT_EQ(format_value(Type::F16, 0x7bff), "65504.0");  // in full, though 65500 would read back
  EXPECT_EQ(format_value(Type::BF16, 0x4049), "3.14");
  EXPECT_EQ(format_value(Type::BF16, 0x4b80), "16777216.0");
  EXPECT_EQ(format_value(Type::BF16, 0x7f7f), "3.39e+38");
  EXPECT_EQ(format_value(Type::F16X2, 0xc1003c00), "{1.0, -2.5}");
  EXPECT_EQ(format_value(Type::BF16X2, 0xff807fc0), "{NaN, -Infinity}");
  EXPECT_EQ(format_value(Type::F16, 0x8000), "-0.0");
  EXPECT_EQ(format_value(Type::F16, 1), "6e-08");
}

std::uint64_t parsed(Type type, std::string_view text) {
  const std::variant<std::uint64_t, CaseError> result = parse_value(type, text);
  if (const CaseError* error = std::get_if<CaseError>(&result)) ADD_FAILURE() << text << ": " << error->message;
  return result.index() == 0 ? std::get<std::uint64_t>(result) : 0;
}
std::string refused(Type type, std::string_view text) {
  const std::variant<std::uint64_t, CaseError> result = parse_value(type, text);
  return result.index() == 0 ? "no error" : std::get<CaseError>(result).message;
}

TEST(CaseValue, ParsesBackWhatItFormats) {
  std::mt19937_64 random(11);
  for (int t = 1; t < kTypeCount; ++t) {
    const Type type = static_cast<Type>(t);
    const int width = type == Type::Mask ? 64 : bits(type);
    for (int round = 0; round < 5000; ++round) {
      const std::uint64_t word = random() >> (64 - width);
      const std::string text = format_value(type, word);
      if (text.find("NaN") != std::string::npos) continue;
      EXPECT_EQ(parsed(type, text), word) << name(type) << " " << text;
    }
  }
  for (std::uint64_t word = 0; word < 0x7c01; ++word) EXPECT_EQ(parsed(Type::F16, format_value(Type::F16, word)), word);
}

TEST(CaseValue, ParsesWhatPeopleWrite) {
  EXPECT_EQ(parsed(Type::U32, "0xFF"), 255U);
  EXPECT_EQ(parsed(Type::S32, "-5"), 0xfffffffbU);
  EXPECT_EQ(parsed(Type::S32, "0xFFFFFFFB"), 0xfffffffbU);
  EXPECT_EQ(parsed(Type::F32, "1"), 0x3f800000U);
  EXPECT_EQ(parsed(Type::F32, "0x3F800001"), 0x3f800001U);
  EXPECT_EQ(parsed(Type::F32, "-Infinity"), 0xff800000U);
  EXPECT_EQ(parsed(Type::F32, "16777217"), 0x4b800000U);
  EXPECT_EQ(parsed(Type::F64, "NaN"), 0x7ff8000000000000U);
}

TEST(CaseValue, RefusesWhatIsNone) {
  EXPECT_EQ(refused(Type::U32, "-1"), "-1 does not fit u32");
  EXPECT_EQ(refused(Type::U32, "4294967296"), "4294967296 does not fit u32");
  EXPECT_EQ(refused(Type::S32, "2147483648"), "2147483648 does not fit s32");
  EXPECT_EQ(refused(Type::U8, "0x100"), "0x100 does not fit u8");
  EXPECT_EQ(refused(Type::F32, "1e39"), "1e39 does not fit f32");
  EXPECT_EQ(refused(Type::F16, "-65520"), "-65520 does not fit f16");
  EXPECT_EQ(refused(Type::F64, "1e400"), "1e400 does not fit f64");
  EXPECT_EQ(refused(Type::U32, "1.5"), "'1.5' is no u32: expected an integer");
  EXPECT_EQ(refused(Type::U32, ""), "'' is no u32: expected an integer");
  EXPECT_EQ(refused(Type::F32, "one"), "'one' is no f32: expected a number such as 1.5, NaN or Infinity");
  EXPECT_EQ(refused(Type::F32, "1.5x"), "'1.5x' is no f32: expected a number such as 1.5, NaN or Infinity");
}

}  // namespace
}  // namespace warpsim
