// What the stepper computes: floats, whole 64-bit integers, and what it refuses instead of never stopping.
#include <gtest/gtest.h>

#include "isa/text/number_text.h"
#include "tests/support/every_program.h"
#include "tools/debugger/stepper.h"

namespace warpsim {
namespace stepper_expression_test {

using tools::Stepper;

Trace butterfly() { return testing::program_trace("p26/butterfly_parallel_max", "worked", 8); }

// Lane l holds 0.1 + l in %f, l / 8 in %h, l - 1 in %s, 2^64 - 1 - l in %u.
Trace of_many_types() {
  return testing::text_trace(
      R"(.kernel t (in f: f32[4], in h: f16[4], in s: s32[4], in u: u64[4], in d: f64[4], in p: f16x2[4])
        ld.global.f32 %f, f[%laneid]
        ld.global.f16 %h, h[%laneid]
        ld.global.s32 %s, s[%laneid]
        ld.global.u64 %u, u[%laneid]
        ld.global.f64 %d, d[%laneid]
        ld.global.f16x2 %p, p[%laneid]
        exit
.case test
    f = 0.1 + i
    h = 0.125 * i
    s = i - 1
    u = 18446744073709551615 - i
    d = 0.5 * i
    p = 0
)",
      4);
}

std::string text_of(const Trace& trace, const std::string& commands) {
  Stepper stepper(trace, {});
  std::string text;
  for (const std::string& one : tools::split_commands(commands)) text = stepper.run(one).text;
  return text;
}
std::string of(const std::string& expression) { return text_of(of_many_types(), "goto 6; print " + expression); }
bool is_in(const std::string& part, const std::string& text) { return text.find(part) != std::string::npos; }

TEST(StepperExpressions, FloatsComputeInTheirType) {
  EXPECT_EQ(text_of(butterfly(), "goto 7; print %max_val#7 + 1"), "%max_val#7 + 1 = 1001\n");
  EXPECT_EQ(text_of(butterfly(), "goto 7; print any(%max_val + 1 > 1000)"), "any(%max_val + 1 > 1000) = true\n");
  EXPECT_TRUE(is_in("Breakpoint 1, line 34", text_of(butterfly(), "break 34 if any(%max_val + 1 > 10); continue")));
  EXPECT_EQ(text_of(butterfly(), "print input[3] + 1"), "input[3] + 1 = 7\n");
  // 0.1f + 0.2f is the f32 0x3e99999a, which prints as 0.3; in f64 it would be 0.30000000000000004.
  EXPECT_EQ(of("%f#0 + 0.2"), "%f#0 + 0.2 = " + number_text(0.1F + 0.2F) + "\n");
  EXPECT_EQ(of("%f#0 == 0.1"), "%f#0 == 0.1 = true\n");
  EXPECT_EQ(of("0.1 + 0.2"), "0.1 + 0.2 = 0.30000000000000004\n");
  EXPECT_EQ(of("%f#0 / 3"), "%f#0 / 3 = " + number_text(0.1F / 3.0F) + "\n");
  EXPECT_EQ(of("-%f#0 * 2"), "-%f#0 * 2 = -0.2\n");
  // f16 has 11 bits: 2048 + 1 rounds to even.
  EXPECT_EQ(of("%h#1 + 2048"), "%h#1 + 2048 = 2048\n");
  EXPECT_EQ(of("%h#1 + %f#0"), "%h#1 + %f#0 = " + number_text(0.125F + 0.1F) + "\n");
  EXPECT_EQ(of("%d#1 + %f#0"), "%d#1 + %f#0 = " + number_text(0.5 + static_cast<double>(0.1F)) + "\n");
  EXPECT_EQ(of("%d#1 / 0"), "%d#1 / 0 = Infinity\n");
  EXPECT_EQ(of("%d#1 > 4.9e-1 && %d#1 < 1e3"), "%d#1 > 4.9e-1 && %d#1 < 1e3 = true\n");
  EXPECT_EQ(of("9007199254740993 == 9007199254740992.0"), "9007199254740993 == 9007199254740992.0 = false\n");
}

TEST(StepperExpressions, IntegersAreWhole) {
  for (const char* number : {"9223372036854775807", "1234567890123456789", "18446744073709551615"})
    EXPECT_EQ(of(number), std::string(number) + " = " + number + "\n");
  EXPECT_EQ(of("-9223372036854775808"), "-9223372036854775808 = -9223372036854775808\n");
  for (const char* number :
       {"18446744073709551616", "99999999999999999999999", "0x10000000000000000", "-9223372036854775809"})
    EXPECT_TRUE(is_in("more than 64 bits", of(number))) << of(number);
  EXPECT_EQ(of("%u#1"), "%u#1 = 18446744073709551614\n");
  EXPECT_EQ(of("all(%u > 5)"), "all(%u > 5) = true\n");
  EXPECT_EQ(of("%u#0 - %u#3"), "%u#0 - %u#3 = 3\n");
  EXPECT_EQ(of("%u#3 - %u#0"), "%u#3 - %u#0 = -3\n");
  EXPECT_EQ(of("%u#0 / 3"), "%u#0 / 3 = 6148914691236517205\n");
  EXPECT_EQ(of("%u#0 + 2"), "%u#0 + 2 = 1\n");
  EXPECT_EQ(of("0xff"), "0xff = 255\n");
  EXPECT_EQ(of("0b101 | 0b10"), "0b101 | 0b10 = 7\n");
  EXPECT_EQ(of("1 << 40 >> 38"), "1 << 40 >> 38 = 4\n");
  EXPECT_EQ(of("%u#0 - 1"), "%u#0 - 1 = 18446744073709551614\n");
  EXPECT_EQ(of("9223372036854775807 + 1"), "9223372036854775807 + 1 = 9223372036854775808\n");
  EXPECT_EQ(of("1 << 63"), "1 << 63 = 9223372036854775808\n");
  EXPECT_EQ(of("1 << 64"), "1 << 64 = 0\n");
  EXPECT_EQ(of("-8 >> 1"), "-8 >> 1 = -4\n");
  EXPECT_EQ(of("~0"), "~0 = -1\n");
  EXPECT_EQ(of("1 | 6 ^ 2 & 3"), "1 | 6 ^ 2 & 3 = 5\n");
  EXPECT_EQ(of("5 & 4 == 4"), "5 & 4 == 4 = true\n");
  EXPECT_EQ(of("%s#0 == 0xffffffff"), "%s#0 == 0xffffffff = true\n");
  EXPECT_EQ(of("%s#0 == 4294967295"), "%s#0 == 4294967295 = false\n");
  EXPECT_EQ(of("%s#1 < 0xffffffff"), "%s#1 < 0xffffffff = true\n");
}

// A condition that could never hold is refused when it is given, a print that has no value says why.
TEST(StepperExpressions, WhatHasNoValueIsSaid) {
  for (const auto& [expression, why] : std::vector<std::pair<std::string, std::string>>{
           {"%f & 1", "& works on integers only, and this is f32."},
           {"1 % %f", "% works on integers only, and this is f32."},
           {"~%d", "~ works on integers only, and this is f64."},
           {"%p + 1", "A pair of numbers, f16x2, is printed"},
           {"%f#0 + f", "f is an array: f[0] is an element of it."},
           {"from == 3", "\"from\" is a word of diagrams"},
           {"old %f == 3", "\"old\" is a word of diagrams"},
           {"f[4] == 1", "An element of f is a number from 0 to 3."},
           {"f[%f] == 1", "A lane and an index are integers, and this is f32."},
           {"%f#4 == 1", "After # comes a lane, from 0 to 3."},
           {"%s % 0 == 1", "% by 0 has no value."},
           {"1 << -1", "<< by less than 0 bits has no value."}}) {
    for (const char* command : {"print ", "break 2 if ", "watch %f if "}) {
      const std::string said = text_of(of_many_types(), command + expression);
      EXPECT_TRUE(is_in(why, said)) << command << expression << ": " << said;
    }
    Stepper stepper(of_many_types(), {});
    EXPECT_FALSE(stepper.run("break 2 if " + expression).ok) << expression;
    EXPECT_TRUE(is_in("No breakpoints", stepper.run("info breakpoints").text)) << expression;
  }
  EXPECT_TRUE(is_in("?: an integer divided by 0 has no value.", of("5 / (%s#1)"))) << of("5 / (%s#1)");
  EXPECT_TRUE(is_in("?: there is no such element.", of("f[%s]"))) << of("f[%s]");
  EXPECT_TRUE(is_in("?: there is no such lane.", of("%f@(lane + 1)")));
}

// Errors show what was typed, cut where it is long; nothing long is computed without end.
TEST(StepperExpressions, ErrorsShowWhatWasTyped) {
  EXPECT_TRUE(is_in("unexpected \", %f#1\" in \"%f#0, %f#1\"", of("%f#0, %f#1"))) << of("%f#0, %f#1");
  const std::string endless = "1" + std::string(100'000, '+');
  EXPECT_LT(of(endless).size(), 300U);
  std::string sum = "1";
  for (int k = 0; k < 100'000; ++k) sum += "+1";
  EXPECT_TRUE(is_in("too long", of(sum)));
  EXPECT_LT(of(sum).size(), 300U);
  EXPECT_LT(text_of(of_many_types(), std::string(100'000, 'z')).size(), 300U);
}

// Lane 0 goes 0 → 8 → 12 → 1000 while lane 7 holds 1000 from the start.
TEST(StepperExpressions, AWatchedLanesConditionIsOfThatLane) {
  EXPECT_TRUE(is_in(": 12 → 1000\n", text_of(butterfly(), "goto 7; watch %max_val#0 if %max_val > 100; continue")));
  EXPECT_TRUE(is_in(": 0 → 8\n", text_of(butterfly(), "goto 7; watch %max_val#0 if any(%max_val > 100); continue")));
  EXPECT_TRUE(is_in("any lane", text_of(butterfly(), "help watch")));
  EXPECT_TRUE(is_in("any lane", text_of(butterfly(), "help break")));
}

}  // namespace stepper_expression_test
}  // namespace warpsim
