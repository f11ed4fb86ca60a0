// What expected numbers are of the inputs, where the case does not say it; worked out by hand.
//
// Shapes: a case's inputs and the numbers that are expected; the program stores a constant, or what its lines compute.
#include "traces/explain/closed_form.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/every_program.h"

namespace warpsim {
namespace {

struct Told {
  std::string message, hint;
};

Told told_of(const std::string& body, const std::string& fields, unsigned lanes) {
  const std::string text =
      ".kernel k (in a: u32[n], in b: u32[n], inout output: u32[m], param n: u32 = WARP_SZ, param m: u32 = WARP_SZ)\n"
      "ld.global.u32 %x, a[%gtid]\n" +
      body + "exit\n.case t\n" + fields;
  const Assembled assembled = assemble(text, "t.warp");
  EXPECT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
  if (!assembled.lesson()) return {};
  const Case& one = *assembled.lesson()->find_case("t");
  CaseOverrides overrides;
  overrides.lanes = lanes;
  const testing::RecordedRun run = testing::record_run(*assembled.lesson(), one, overrides);
  EXPECT_EQ(run.error, "");
  const auto found = explain_wrong_answers(run.trace, expected_of(*assembled.lesson(), one, overrides));
  testing::expect_korean(found);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? Told{} : Told{english(found[0].message), english(found[0].hint)};
}

const std::string kStore = "st.global.u32 output[%gtid], %x\n";

// "3 (the sum of a[0, 1])": what is said of the first wrong element.
std::string form(const std::string& fields, const std::string& body = "mov.u32 %x, 999\n" + kStore,
                 unsigned lanes = 4) {
  const std::string text = told_of(body, fields, lanes).message;
  const std::size_t at = text.find("expected ") + 9, end = text.find(':', at);
  return text.substr(at, end - at);
}

TEST(ClosedForm, SumsOfSome) {
  EXPECT_EQ(form("a = i + 1\nb = 0\noutput = 0\nexpect output = 10\n"), "10 (the sum of a[0-3])");
  EXPECT_EQ(form("a = 2 * i + 3\nb = 0\noutput = 0\nexpect output = [3, 8, 15, 24]\n"), "3 (that is a[0])");
  // 5 + 7 and 5 + 7 + 9 behind them, and nothing behind the last.
  EXPECT_EQ(
      form("a = 2 * i + 3\nb = 0\noutput = 0\nexpect output = [0, 3, 8, 15]\n", "st.global.u32 output[%gtid], %gtid\n"),
      "3 (that is a[0])");
  EXPECT_EQ(form("a = 2 * i + 3\nb = 0\noutput = 0\nexpect output = [21, 16, 9, 0]\n"), "21 (the sum of a[1-3])");
  EXPECT_EQ(form("a = 2 * i + 3\nb = 0\noutput = 0\nexpect output = [8, 15, 21, 16]\n"), "8 (the sum of a[0, 1])");
}

TEST(ClosedForm, OfAWarpAndOfABlock) {
  const std::string two =
      "block = 2 * WARP_SZ\ngrid = 2\nn = 4 * WARP_SZ\nm = 4 * WARP_SZ\na = i + 1\nb = 0\noutput = 0\n";
  // 1 + 2 + 3 + 4, 5 + 6 + 7 + 8 …; of blocks 36 and 100.
  EXPECT_EQ(form(two + "expect output = [10, 10, 10, 10, 26, 26, 26, 26, 42, 42, 42, 42, 58, 58, 58, 58]\n"),
            "10 (the sum of a[0-3])");
  EXPECT_EQ(form(two + "expect output = [36, 36, 36, 36, 36, 36, 36, 36, 100, 100, 100, 100, 100, 100, 100, 100]\n"),
            "36 (the sum of a[0-7])");
  EXPECT_EQ(
      form("block = 2 * WARP_SZ\nn = 2 * WARP_SZ\nm = 2\na = i + 1\nb = 0\noutput = 0\nexpect output = [10, 26]\n",
           "setp.lt.u32 %p, %gtid, 2\n@%p st.global.u32 output[%gtid], %x\n"),
      "10 (the sum of a[0-3])");
}

TEST(ClosedForm, OneElementEach) {
  EXPECT_EQ(form("a = 3 * i + 1\nb = 0\noutput = 0\nexpect output = [10, 7, 4, 1]\n"), "10 (that is a[3])");
  EXPECT_EQ(form("a = 3 * i + 1\nb = 0\noutput = 0\nexpect output = [4, 1, 10, 7]\n"), "4 (that is a[1])");
  EXPECT_EQ(form("a = 3 * i + 1\nb = 0\noutput = 0\nexpect output = [4, 7, 10, 10]\n"), "4 (that is a[1])");
  EXPECT_EQ(form("a = [7, 2, 9, 4]\nb = 0\noutput = 0\nexpect output = [2, 4, 7, 9]\n"), "2 (that is a[1])");
}

TEST(ClosedForm, OfTwoInputs) {
  EXPECT_EQ(form("a = i + 2\nb = 10 * i + 5\noutput = 0\nexpect output = [7, 18, 29, 40]\n"),
            "7 (the sum of a[0], b[0])");
  EXPECT_EQ(form("a = i + 2\nb = 10 * i + 5\noutput = 0\nexpect output = [10, 45, 100, 175]\n"),
            "10 (the product of a[0], b[0])");
  EXPECT_EQ(form("a = i + 2\nb = 10 * i + 5\noutput = 0\nexpect output = 330\n"),
            "330 (the dot product of a[0-3], b[0-3])");
}

TEST(ClosedForm, LargestAndSmallest) {
  const std::string pair = "shfl.bfly.b32 %y, %x, 1\nmax.u32 %x, %x, %y\n" + kStore;
  // Two inputs went in, so that it is not taken for the last element, which has the same value.
  EXPECT_EQ(form("a = i + 1\nb = 0\noutput = 0\nexpect output = 4\n", pair), "4 (the largest of a[0-3])");
  EXPECT_EQ(form("a = [9, 3, 8, 5]\nb = 0\noutput = 0\nexpect output = 3\n", "add.u32 %x, %x, 1\n" + pair),
            "3 (the smallest of a[0-3])");
}

TEST(ClosedForm, NothingWhereSeveralFit) {
  EXPECT_EQ(form("a = 0\nb = 0\noutput = 5\nexpect output = 0\n"), "0");
  EXPECT_EQ(form("a = i + 1\nb = i + 1\noutput = 0\nexpect output = i + 1\n"), "1");
  EXPECT_EQ(form("a = i + 1\nb = 0\noutput = 0\nexpect output = [17, 99, 3, 4]\n"), "17");
}

TEST(ClosedForm, WhatIsMissingIsNamedAsOfARule) {
  std::string body;
  for (const char* const offset : {"8", "2", "1"})
    body += std::string("shfl.bfly.b32 %y, %x, ") + offset + "\nadd.u32 %x, %x, %y\n";
  const Told told = told_of(body + kStore, "a = i + 1\nb = 0\noutput = 0\nexpect output = n * (n + 1) / 2\n", 16);
  EXPECT_EQ(told.message,
            "output[0] is 52, expected 136 (the sum of a[0-15]): lane 0 never heard lanes 4-7, 12-15; lane 4 is lane 0 "
            "^ 4, and "
            "no shfl.bfly has offset 4 (they have 1, 2, 8); 16 of 16 elements are wrong: all 16");
  EXPECT_EQ(told.hint, "add a step of offset 4");
}

TEST(ClosedForm, TheHintIsNeverEmpty) {
  EXPECT_EQ(
      told_of(kStore, "a = i + 1\nb = 0\noutput = 0\nexpect output = [17, 99, 3, 4]\n", 4).hint,
      "say what is expected in terms of the inputs, such as `expect output = sum(j, 0, n, a[j])`: then what is missing "
      "can be named");
}

TEST(ClosedForm, AResultThatOneLaneHasAlone) {
  std::string body;
  for (const char* const offset : {"4", "2", "1"})
    body += std::string("shfl.down.b32 %y, %x, ") + offset + "\nadd.u32 %x, %x, %y\n";
  for (const char* const expected : {"36", "sum(j, 0, n, a[j])"}) {
    const Told told =
        told_of(body + kStore, std::string("a = i + 1\nb = 0\noutput = 0\nexpect output = ") + expected + "\n", 8);
    EXPECT_NE(told.message.find(
                  "; in %x lane 0 alone holds the expected value there: the result is complete on that lane only"),
              std::string::npos)
        << told.message;
    EXPECT_EQ(told.hint,
              "broadcast it (shfl.idx from lane 0), let that lane alone use it, or use shfl.bfly, which completes it "
              "on every "
              "lane");
  }
}

}  // namespace
}  // namespace warpsim
