// Why an answer is wrong: small programs with one mistake each, and what there is to say of it, worked out by hand.
#include "traces/explain/wrong_answer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/every_program.h"
#include "traces/explain/wrong_answer_parts.h"

namespace warpsim {
namespace {

struct Explained {
  Assembled assembled;
  Trace trace;
  std::vector<RunFinding> found;

  std::uint32_t line(std::int32_t pc) const {
    return assembled.lesson()->code.at(static_cast<std::size_t>(pc)).where.line;
  }
  // "line 7: lane 0 hears lane 1 here"
  std::vector<std::string> steps() const {
    std::vector<std::string> list;
    for (const FindingStep& step : found.at(0).steps)
      list.push_back("line " + std::to_string(line(step.pc)) + ": " + english(step.text));
    return list;
  }
};

using Texts = std::vector<std::string>;

Explained explain(const std::string& text, unsigned lanes, const std::string& case_name = "t") {
  Explained out;
  out.assembled = assemble(text, "t.warp");
  EXPECT_TRUE(out.assembled.lesson() != nullptr) << out.assembled.diagnostics.render();
  if (!out.assembled.lesson()) return out;
  const Case& one = *out.assembled.lesson()->find_case(case_name);
  CaseOverrides overrides;
  overrides.lanes = lanes;
  testing::RecordedRun run = testing::record_run(*out.assembled.lesson(), one, overrides);
  EXPECT_EQ(run.error, "");
  out.trace = std::move(run.trace);
  out.found = explain_wrong_answers(out.trace, expected_of(*out.assembled.lesson(), one, overrides));
  testing::expect_korean(out.found);
  return out;
}

std::string message(const std::string& text, unsigned lanes, const std::string& case_name = "t") {
  const Explained explained = explain(text, lanes, case_name);
  EXPECT_EQ(explained.found.size(), 1U);
  return explained.found.empty() ? "" : english(explained.found[0].message);
}

const std::string kHead =
    ".kernel k (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)\n"
    "ld.global.u32 %x, input[%gtid]\n";
const std::string kTail = "st.global.u32 output[%gtid], %x\nexit\n";
const std::string kSumOfAll = ".case t\ninput = i + 1\nexpect output = sum(j, 0, n, input[j])\n";
const std::string kEach = ".case t\ninput = 3 * i + 1\nexpect output = input[i]\n";

// The scan starts at offset 2: odd lanes never hear even ones.
const std::string kScanFrom2 =
    kHead +
    "mov.u32 %offset, 2\n"
    "step: shfl.up.b32 %y|%there, %x, %offset\n"  // line 4
    "@%there add.u32 %x, %x, %y\n"
    "shl.b32 %offset, %offset, 1\nsetp.lt.u32 %more, %offset, WARP_SZ\n@%more bra step\n" +
    kTail +  // line 9
    ".case t\ninput = i + 1\nexpect output = sum(j, 0, i + 1, input[j])\n"
    ".case list\nlanes = 8\ninput = i + 1\nexpect output = [1, 3, 6, 10, 15, 21, 28, 36]\n"
    ".case later\nlanes = 8\ninput = i == 2 ? 1 : 0\nexpect output = sum(j, 0, i + 1, input[j])\n";

TEST(WrongAnswer, AScanThatStartsAtOffset2) {
  const Explained explained = explain(kScanFrom2, 32);
  ASSERT_EQ(explained.found.size(), 1U);
  const RunFinding& one = explained.found[0];
  EXPECT_EQ(one.code, Finding::WrongOutput);
  EXPECT_EQ(
      english(one.message),
      "output[1] is 2, expected 3: lane 1 never heard lane 0; lane 0 is 1 lane below it, and no shfl.up has offset 1 "
      "(they have 2, 4, 8, 16); 31 of 32 elements are wrong: 1-31: all from 1 on");
  EXPECT_EQ(english(one.hint), "add a step of offset 1");
  EXPECT_EQ(explained.line(one.pc), 9U);
  EXPECT_EQ(one.lanes, LaneMask{2});
  // Four rounds of five instructions after the load and the mov: the store is in cycle 23.
  EXPECT_EQ(one.cycle, 23U);
  EXPECT_EQ(explained.steps(), (Texts{"line 9: lane 1 stores it", "line 2: lane 0 loads what is missing"}));
}

TEST(WrongAnswer, WhatIsFarIsShownAsASumOfOffsets) {
  // Inputs but the third are 0, so lane 3 is the first that is wrong: it heard lanes 3 and 1. Lanes 0 and 2 never.
  EXPECT_EQ(
      message(kScanFrom2, 8, "later"),
      "output[3] is 0, expected 1: lane 3 never heard lanes 0, 2; lane 0 is 3 = 2 + 1 lanes below it, and no shfl.up "
      "has offset 1 (they have 2, 4); 3 of 8 elements are wrong: 3, 5, 7: all odd ones from 3 on");
}

TEST(WrongAnswer, AListThatIsASumOfInputs) {
  EXPECT_EQ(
      message(kScanFrom2, 8, "list"),
      "output[1] is 2, expected 3 (the sum of input[0, 1]): lane 1 never heard lane 0; lane 0 is 1 lane below it, and "
      "no shfl.up has offset 1 (they have 2, 4); 7 of 8 elements are wrong: 1-7: all from 1 on");
}

TEST(WrongAnswer, AButterflyThatMissesAStep) {
  std::string text = kHead;
  for (const char* const offset : {"8", "2", "1"})
    text += std::string("shfl.bfly.b32 %y, %x, ") + offset + "\nadd.u32 %x, %x, %y\n";
  const Explained explained = explain(text + kTail + kSumOfAll, 16);
  ASSERT_EQ(explained.found.size(), 1U);
  // Lane 0 has heard 0, 1, 2, 3 and 8 … 11, that is inputs 1 + 2 + 3 + 4 + 9 + 10 + 11 + 12 = 52.
  EXPECT_EQ(
      english(explained.found[0].message),
      "output[0] is 52, expected 136: lane 0 never heard lanes 4-7, 12-15; lane 4 is lane 0 ^ 4, and no shfl.bfly has "
      "offset 4 (they have 1, 2, 8); 16 of 16 elements are wrong: all 16");
  EXPECT_EQ(english(explained.found[0].hint), "add a step of offset 4");
  EXPECT_EQ(explained.steps(), (Texts{"line 9: lane 0 stores it", "line 2: lane 4 loads what is missing",
                                      "line 2: lane 5 loads what is missing", "line 7: lane 0 hears lane 1 here",
                                      "line 5: lane 0 hears lane 2 here", "line 3: lane 0 hears lane 8 here"}));
}

const std::string kFold =
    "mov.u32 %offset, WARP_SZ / 2\n"
    "step: shfl.down.b32 %y, %x, %offset\n"
    "add.u32 %x, %x, %y\n"
    "shr.u32 %offset, %offset, 1\nsetp.ne.u32 %more, %offset, 0\n@%more bra step\n";

TEST(WrongAnswer, AFoldReadAtTheWrongLane) {
  // The last lane adds itself to itself three times: 8 * 8.
  EXPECT_EQ(
      message(kHead + kFold +
                  "setp.eq.u32 %last, %laneid, WARP_SZ - 1\nmov.u32 %zero, 0\n"
                  "@%last st.global.u32 output[%zero], %x\nexit\n"
                  ".case t\ninput = i + 1\nexpect output = i == 0 ? sum(j, 0, n, input[j]) : 0\n",
              8),
      "output[0] is 64, expected 36: lane 7 never heard lanes 0-6; lane 0 is below it, and shfl.down brings values "
      "from higher lanes alone; in %x lane 0 alone holds the expected value there: the result is complete on that lane "
      "only");
}

TEST(WrongAnswer, AnInputThatGoesInTwice) {
  // Lane 4 adds itself (there is no lane 8), lane 2 hears that of it, lane 1 of lane 2: 2 + 6 + 4 + 8 + 3 + 7 + 2 * 5.
  EXPECT_EQ(
      message(kHead + kFold + kTail + ".case t\ninput = i + 1\nexpect output = sum(j, i, n, input[j])\n", 8),
      "output[1] is 40, expected 35: all 7 inputs that it depends on reached it, but input[4] goes in 2 times, others "
      "once; lane 1 heard lane 4 more than once; 7 of 8 elements are wrong: 1-7: all from 1 on");
}

TEST(WrongAnswer, AMaximumThatBeginsWithZero) {
  const Explained explained = explain(
      ".kernel k (in input: s32[size], out output: s32[size], param size: u32 = WARP_SZ)\n"
      "ld.global.s32 %own, input[%gtid]\n"
      "mov.s32 %x, 0\n"
      "max.s32 %x, %x, %own\n"
      "mov.u32 %offset, WARP_SZ / 2\n"
      "step: shfl.bfly.b32 %y, %x, %offset\n"
      "max.s32 %x, %x, %y\n"
      "shr.u32 %offset, %offset, 1\nsetp.ne.u32 %more, %offset, 0\n@%more bra step\n"
      "st.global.s32 output[%gtid], %x\nexit\n"
      ".case t\ninput = -5 - i\nexpect output = max(j, 0, n, input[j])\n",
      8);
  ASSERT_EQ(explained.found.size(), 1U);
  EXPECT_EQ(
      english(explained.found[0].message),
      "output[0] is 0, expected -5: all 8 inputs that it depends on reached it, but its value is the one that lane 0 "
      "began with, which no input changed; 8 of 8 elements are wrong: all 8");
  EXPECT_EQ(english(explained.found[0].hint), "begin with the operation's identity, or with an input");
  EXPECT_EQ(explained.steps().back(), "line 3: lane 0 begins with this");
}

TEST(WrongAnswer, AnotherOperation) {
  EXPECT_EQ(
      message(kHead +
                  "mov.u32 %offset, WARP_SZ / 2\nstep: shfl.bfly.b32 %y, %x, %offset\nxor.b32 %x, %x, %y\n"
                  "shr.u32 %offset, %offset, 1\nsetp.ne.u32 %more, %offset, 0\n@%more bra step\n" +
                  kTail + kSumOfAll,
              8),
      "output[0] is 8, expected 36: all 8 inputs that it depends on reached it: look at the operation and its order, "
      "not at the shuffles; 8 of 8 elements are wrong: all 8");
}

TEST(WrongAnswer, WhatGoesIntoALargestTwiceDoesNotMatter) {
  // As in the fold above input 4 reaches lane 1 twice.
  EXPECT_EQ(
      message(kHead +
                  "mov.u32 %offset, WARP_SZ / 2\nstep: shfl.down.b32 %y, %x, %offset\nmax.u32 %x, %x, %y\n"
                  "shr.u32 %offset, %offset, 1\nsetp.ne.u32 %more, %offset, 0\n@%more bra step\n" +
                  kTail + ".case t\ninput = i + 1\nexpect output = i == 0 ? 8 : sum(j, i, n, input[j])\n",
              8),
      "output[1] is 8, expected 35: all 7 inputs that it depends on reached it: look at the operation and its order, "
      "not at the shuffles; 6 of 8 elements are wrong: 1-6");
}

TEST(WrongAnswer, AConstantThatIsNotTheValueIsNotBlamed) {
  // Every lane adds 5: 36 + 8 * 5.
  EXPECT_EQ(
      message(kHead +
                  "mov.u32 %s, 5\nadd.u32 %x, %x, %s\n"
                  "mov.u32 %offset, WARP_SZ / 2\nstep: shfl.bfly.b32 %y, %x, %offset\nadd.u32 %x, %x, %y\n"
                  "shr.u32 %offset, %offset, 1\nsetp.ne.u32 %more, %offset, 0\n@%more bra step\n" +
                  kTail + kSumOfAll,
              8),
      "output[0] is 76, expected 36: all 8 inputs that it depends on reached it: look at the operation and its order, "
      "not at the shuffles; 8 of 8 elements are wrong: all 8");
}

TEST(WrongAnswer, AnExchangeWithAnotherLaneThanMeant) {
  // Lane i takes lane i ^ 4's value, where i ^ 6's is meant; only input 5 is not 0.
  const Explained explained = explain(
      kHead + "shfl.bfly.b32 %x, %x, 4\n" + kTail + ".case t\ninput = i == 5 ? 1 : 0\nexpect output = input[i ^ 6]\n",
      8);
  ASSERT_EQ(explained.found.size(), 1U);
  EXPECT_EQ(
      english(explained.found[0].message),
      "output[1] is 1, expected 0: it is computed from input[5], where input[7] is expected to go in; lane 1 never "
      "heard lane 7; lane 7 is lane 1 ^ 6 = 4 + 2, and no shfl.bfly has offset 2 (they have 4); 2 of 8 elements are "
      "wrong: 1, 3");
}

TEST(WrongAnswer, AThreadThatStoresElsewhereIsNotSaidToBeFirst) {
  EXPECT_EQ(
      message(kHead + "sub.u32 %i, WARP_SZ - 1, %gtid\nst.global.u32 output[%i], %x\nexit\n" + kEach, 8),
      "output[0] is 22, expected 1: it is computed from input[7], where input[0] is expected to go in; 8 of 8 elements "
      "are wrong: all 8");
}

TEST(WrongAnswer, WhatIsUndefinedIsNotWrongBesides) {
  const Explained explained =
      explain(kHead +
                  "setp.eq.u32 %p, %laneid, 0\n@%p mov.u32 %y, 7\nst.global.u32 output[%gtid], %y\nexit\n"
                  ".case t\ninput = i\nexpect output = fill:7\n",
              4);
  EXPECT_EQ(explained.trace.outcome.passed, false);
  EXPECT_TRUE(explained.found.empty());
}

TEST(WrongAnswer, AnIndexThatIsOffByOne) {
  const Explained explained = explain(
      ".kernel k (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)\n"
      "add.u32 %i, %gtid, 1\nrem.u32 %i, %i, WARP_SZ\nld.global.u32 %x, input[%i]\n" +
          kTail + kEach,
      8);
  ASSERT_EQ(explained.found.size(), 1U);
  EXPECT_EQ(
      english(explained.found[0].message),
      "output[0] is 4, expected 1: it is computed from input[1], where input[0] is expected to go in; 8 of 8 elements "
      "are wrong: all 8");
  EXPECT_EQ(english(explained.found[0].hint), "is the index off by 1?");
}

TEST(WrongAnswer, AStoreToTheNextElement) {
  EXPECT_EQ(
      message(
          kHead + "add.u32 %i, %gtid, 1\nsetp.lt.u32 %ok, %i, size\n@%ok st.global.u32 output[%i], %x\nexit\n" + kEach,
          8),
      "output[0] is 0, expected 1: nobody stores it; thread 0 stores to output[1]; every thread stores at its number + "
      "1; 8 of 8 elements are wrong: all 8");
}

TEST(WrongAnswer, ALaneThatNeverStores) {
  const Explained explained = explain(kHead + "setp.eq.u32 %two, %laneid, 2\n@%two exit\n" + kTail + kEach, 8);
  ASSERT_EQ(explained.found.size(), 1U);
  EXPECT_EQ(english(explained.found[0].message),
            "output[2] is 0, expected 7: nobody stores it; thread 2, lane 2 of its warp, comes to no store to output");
  EXPECT_EQ(explained.steps(), Texts{"line 4: the last that it executes"});
  // A guard instead.
  const Explained guarded =
      explain(kHead + "setp.ne.u32 %p, %laneid, 2\n@%p st.global.u32 output[%gtid], %x\nexit\n" + kEach, 8);
  ASSERT_EQ(guarded.found.size(), 1U);
  EXPECT_EQ(
      english(guarded.found[0].message),
      "output[2] is 0, expected 7: nobody stores it; thread 2, lane 2 of its warp, is switched off where it would "
      "store");
  EXPECT_EQ(guarded.steps(), Texts{"line 4: its guard switches it off here"});
  // Nobody at all.
  EXPECT_EQ(
      message(kHead + "exit\n" + kEach, 4),
      "output[0] is 0, expected 1: nobody stores it, nor any element of output; 4 of 4 elements are wrong: all 4");
}

TEST(WrongAnswer, TwoThreadsThatStoreToOneElement) {
  const Explained explained = explain(kHead + "and.b32 %i, %gtid, 3\nst.global.u32 output[%i], %x\nexit\n" + kEach, 8);
  ASSERT_EQ(explained.found.size(), 1U);
  // Lanes 4-7 store to 0-3, too, and in one instruction the highest lane's value stays.
  EXPECT_EQ(
      english(explained.found[0].message),
      "output[0] is 13, expected 1: it is computed from input[4], where input[0] is expected to go in; thread 0 stored "
      "to it first, then thread 4; 8 of 8 elements are wrong: all 8");
}

TEST(WrongAnswer, ThreadsThatStoreTheSameToOneElement) {
  EXPECT_EQ(
      message(kHead + "mov.u32 %i, 0\nmov.u32 %x, 5\nst.global.u32 output[%i], %x\nexit\n"
                      ".case t\ninput = i\nexpect output = i == 0 ? 6 : 0\n",
              4),
      "output[0] is 5, expected 6: no input went into the value itself: it comes from constants and lane numbers");
}

TEST(WrongAnswer, WhatOtherWarpsLoad) {
  EXPECT_EQ(
      message(kHead +
                  "mov.u32 %offset, WARP_SZ / 2\nstep: shfl.bfly.b32 %y, %x, %offset\nadd.u32 %x, %x, %y\n"
                  "shr.u32 %offset, %offset, 1\nsetp.ne.u32 %more, %offset, 0\n@%more bra step\n" +
                  kTail + ".case t\nblock = 2 * WARP_SZ\nsize = 2 * WARP_SZ\n" +
                  "input = i + 1\nexpect output = sum(j, 0, n, input[j])\n",
              4),
      "output[0] is 10, expected 36: input[4-7], which other warps alone load, never came to lane 0; 8 of 8 elements "
      "are wrong: all 8");
}

// A value that may have come through a vote or shared memory is not reported as never having come.
TEST(WrongAnswer, WhatMayHaveComeIsNotSaidToBeMissing) {
  const std::string vote = "setp.gt.u32 %big, %x, 4\nvote.any %any, %big\n@%any add.u32 %x, %x, 100\n";
  EXPECT_EQ(
      message(kHead + vote + kTail + kSumOfAll, 4),
      "output[0] is 1, expected 10: input[1-3] may have come to lane 0, but did not go into the value; 4 of 4 elements "
      "are wrong: all 4");
}

TEST(WrongAnswer, EveryOutputHasItsOwn) {
  const Explained explained = explain(
      ".kernel k (in input: u32[size], out left: u32[size], out right: u32[size], out sum: u32[size], "
      "param size: u32 = WARP_SZ)\n"
      "ld.global.u32 %x, input[%gtid]\nst.global.u32 left[%gtid], %x\nst.global.u32 right[%gtid], %x\n"
      "add.u32 %y, %x, 1\nst.global.u32 sum[%gtid], %y\nexit\n"
      ".case t\ninput = i\nexpect left = input[i]\nexpect right = input[i] + i % 2\n"
      "expect sum = i < 2 ? 0 : input[i] + 1\n",
      8);
  ASSERT_EQ(explained.found.size(), 2U);
  EXPECT_EQ(
      english(explained.found[0].message),
      "right[1] is 1, expected 2: input[1] reached it, as it should: look at the operation and its order, not at the "
      "shuffles; 4 of 8 elements are wrong: 1, 3, 5, 7: all odd ones");
  // sum[0] is expected to be 0 whatever the input is; nothing says on what it depends.
  EXPECT_EQ(english(explained.found[1].message),
            "sum[0] is 1, expected 0: the case does not say which inputs it depends on; input[0] went in; 2 of 8 "
            "elements are "
            "wrong: 0, 1");
}

TEST(WrongAnswer, WrongElementsInWords) {
  const auto which_ones = [](const std::vector<std::size_t>& numbers, std::size_t of) {
    return english(wrong::which_ones(numbers, of));
  };
  EXPECT_EQ(which_ones({0, 1, 2, 3}, 4), "all 4");
  EXPECT_EQ(which_ones({2}, 8), "2");
  EXPECT_EQ(which_ones({1, 4}, 8), "1, 4");
  EXPECT_EQ(which_ones({1, 3, 5, 7}, 8), "1, 3, 5, 7: all odd ones");
  EXPECT_EQ(which_ones({2, 4, 6}, 8), "2, 4, 6: all even ones from 2 on");
  EXPECT_EQ(which_ones({0, 4, 8, 12, 16, 20, 24, 28}, 32), "0, 4, 8, 12, 16, 20 …: all multiples of 4");
  EXPECT_EQ(which_ones({3, 7, 11, 15}, 16), "3, 7, 11, 15: all that are 3 modulo 4");
  EXPECT_EQ(which_ones({3, 7, 11}, 32), "3, 7, 11");
  EXPECT_EQ(which_ones({0, 1, 2}, 8), "0-2: all below 3");
  EXPECT_EQ(which_ones({5, 6, 7}, 8), "5-7: all from 5 on");
  EXPECT_EQ(which_ones({0, 2, 3, 4, 7}, 8), "0, 2-4, 7");
}

TEST(WrongAnswer, RightAnswersAndStoppedRunsSayNothing) {
  EXPECT_TRUE(explain(kHead + kTail + kEach, 8).found.empty());
  EXPECT_TRUE(explain(kHead + "add.u32 %i, %gtid, 1\nst.global.u32 output[%i], %x\nexit\n" + kEach, 8).found.empty());
}

// Right programs have nothing to explain; with an expectation that is wrong at one element each has one thing to say.
TEST(WrongAnswer, Programs) {
  testing::for_each_program([](const Lesson& program, Trace trace) {
    const Case& one = program.cases.at(0);
    CaseOverrides overrides;
    overrides.lanes = trace.head.lanes;
    const Expected expected = expected_of(program, one, overrides);
    EXPECT_TRUE(explain_wrong_answers(trace, expected).empty());
    for (auto& [name, array] : trace.outcome.expected) array.bits.back() ^= 1;
    EXPECT_EQ(explain_wrong_answers(trace, expected).size(), trace.outcome.expected.size());
  });
}

}  // namespace
}  // namespace warpsim
