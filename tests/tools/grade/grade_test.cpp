// Tasks: each is solved by its solution and by others that do the same, and by nothing else; hidden inputs; answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "isa/assembly/assembler.h"
#include "tools/grade/grader.h"
#include "tools/grade/question.h"
#include "tools/grade/task.h"
#include "tools/grade/trials.h"
#include "tools/session/loading.h"
#include "tools/support/profiles.h"

namespace warpsim::tools {
namespace {

namespace fs = std::filesystem;
const fs::path kAnswers = WARPSIM_SOURCE_DIR "/tests/data/grade";

class Grade : public ::testing::Test {
 protected:
  Options options_;
  Catalogue catalogue_{""};
  Reply reply_{true, false};
  Session session_{options_, catalogue_, nullptr, reply_};

  Task task(const std::string& name) { return task_named(session_, name).value(); }
  Lesson solution(const Task& task) { return load_program(session_, task.program).value(); }
  static TrialPlan plan(std::uint64_t seed = 7) {
    TrialPlan plan;
    plan.seed = seed;
    plan.cycles_by = timing_called("h200");
    return plan;
  }
  // Nothing where it does not assemble, or its parameters are others.
  std::optional<Verdict> verdict(const std::string& name, const std::string& text) {
    const auto made = assemble(text, "mine.warp");
    const Lesson* const program = made.lesson();
    const Task one = task(name);
    return program != nullptr ? graded(session_, one, solution(one), *program, plan()) : std::nullopt;
  }
  bool solves(const std::string& name, const std::string& text) {
    const std::optional<Verdict> one = verdict(name, text);
    return one && one->solved();
  }
};

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string folder_of(std::string task) {
  const std::size_t slash = task.find('/');
  return slash == std::string::npos ? task : task.replace(slash, 1, "__");
}

TEST_F(Grade, EveryTaskIsSolvedByItsSolutionAndNotByItsStart) {
  for (const Task& one : all_tasks()) {
    SCOPED_TRACE(one.name);
    if (one.kind == TaskKind::Predict) continue;
    EXPECT_TRUE(solves(one.name, solution(one).source().text.string()));
    const std::optional<std::string> start = start_of(session_, one);
    ASSERT_TRUE(start.has_value());
    EXPECT_FALSE(solves(one.name, *start));
  }
}

TEST_F(Grade, WhatOthersWriteIsAcceptedWhereItIsRightAndRefusedWhereItIsWrong) {
  std::size_t other_ways = 0;
  for (const Task& one : all_tasks()) {
    SCOPED_TRACE(one.name);
    if (one.kind == TaskKind::Predict) continue;
    std::size_t wrong = 0;
    for (const auto& file : fs::directory_iterator(kAnswers / folder_of(one.name))) {
      SCOPED_TRACE(file.path().filename());
      const bool is_wrong = file.path().filename().string().starts_with("wrong_");
      EXPECT_EQ(solves(one.name, text_of(file.path())), !is_wrong);
      ++(is_wrong ? wrong : other_ways);
    }
    EXPECT_GE(wrong, 1U);
  }
  EXPECT_GE(other_ways, 5U);
}

TEST_F(Grade, NothingButTasksLiesAmongTheAnswers) {
  std::set<std::string> folders;
  for (const Task& one : all_tasks()) folders.insert(folder_of(one.name));
  for (const auto& folder : fs::directory_iterator(kAnswers))
    EXPECT_TRUE(folders.contains(folder.path().filename().string())) << folder.path();
}

// The case `test` has 2 * i for every lane count, and 1000 on the last lane.
TEST_F(Grade, TheOutputsOfTheCaseAloneAreNotEnough) {
  const std::optional<Verdict> cheat = verdict("p26/butterfly_pair_swap", R"(
.kernel cheat (in input: f32[size], out output: f32[size], param size: u32 = WARP_SZ)
        setp.ge.u32     %outside, %gtid, size
        @%outside exit
        xor.b32         %partner, %gtid, 1
        setp.ge.u32     %none, %partner, size
        selp.b32        %partner, %gtid, %partner, %none
        cvt.rn.f32.u32  %x, %partner
        st.global.f32   output[%gtid], %x
        exit
)");
  ASSERT_TRUE(cheat && cheat->feedback);
  EXPECT_FALSE(cheat->solved());
  EXPECT_NE(cheat->feedback->run.hidden, 0U) << cheat->feedback->run.name;
  EXPECT_TRUE(cheat->feedback->same_as_seen);
}

TEST_F(Grade, TheFeedbackNamesTheLaneAndWhatNeverReachedIt) {
  // Offsets 2 and up alone: of four lanes, 0 and 2 exchange, and 1 and 3.
  const std::optional<Verdict> one = verdict(
      "fix/butterfly_without_a_step", text_of(WARPSIM_SOURCE_DIR "/programs/bugs/butterfly_without_a_step.warp"));
  ASSERT_TRUE(one && one->feedback);
  EXPECT_EQ(one->feedback->run.lanes, 4U);
  const std::string said = english(one->feedback->finding.message);
  EXPECT_NE(said.find("never heard lanes 1, 3"), std::string::npos) << said;
  EXPECT_EQ(one->feedback->drawn.find("add a step"), std::string::npos) << "that is the solution";
  EXPECT_EQ(one->feedback->drawn.find("hint:"), std::string::npos) << one->feedback->drawn;
}

TEST_F(Grade, HiddenInputsAreInTheRangeOfTheCasesAndFollowTheSeed) {
  const Task one = task("p26/butterfly_parallel_max");
  TrialPlan few = plan(1);
  few.lanes = {8};
  const std::vector<Trial> trials = trials_of(session_, solution(one), few),
                           again = trials_of(session_, solution(one), few);
  few.seed = 2;
  const std::vector<Trial> others = trials_of(session_, solution(one), few);
  ASSERT_EQ(trials.size(), others.size());
  const auto input_of = [](const Trial& trial) { return trial.prepared.arguments.buffers.at("input"); };
  const Trial* seen = nullptr;
  for (std::size_t k = 0; k < trials.size(); ++k) {
    EXPECT_EQ(input_of(trials[k]), input_of(again[k]));
    if (trials[k].hidden == 0) {
      seen = &trials[k];
      EXPECT_EQ(input_of(trials[k]), input_of(others[k]));
      continue;
    }
    ASSERT_NE(seen, nullptr);
    EXPECT_NE(input_of(trials[k]), input_of(*seen)) << k;
    EXPECT_NE(input_of(trials[k]), input_of(others[k])) << k;
    const auto number = [](std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); };
    float least = number(input_of(*seen).bits.front()), most = least;
    for (const std::uint64_t bits : input_of(*seen).bits)
      least = std::min(least, number(bits)), most = std::max(most, number(bits));
    // The last but one of a case is negative: some cases of this program are.
    const bool negative = trials[k].hidden == plan().hidden + 1;
    for (const std::uint64_t bits : input_of(trials[k]).bits) {
      EXPECT_GE(number(bits), negative ? -std::max(most, -least) : least);
      EXPECT_LE(number(bits), negative ? -1 : most);
    }
  }
}

// The only case has both signs on 32 lanes, and its largest is positive: what begins at 0 is right there.
TEST_F(Grade, AMaximumThatBeginsAtZeroIsRefusedThoughNoCaseIsNegativeThroughout) {
  const auto program = [](const std::string& begin) {
    return R"(
.kernel largest (in input: s32[size], out output: s32[size], param size: u32 = WARP_SZ)
        ld.global.s32   %own, input[%gtid]
        redux.max.s32   %most, %own
        max.s32         %most, %most, )" +
           begin + R"(
        st.global.s32   output[%gtid], %most
        exit
.case test
    lanes = 32
    input = i - 16
    expect output = 15
)";
  };
  const auto right = assemble(program("-2147483648"), "right.warp"), zero = assemble(program("0"), "zero.warp");
  ASSERT_TRUE(right.lesson() != nullptr && zero.lesson() != nullptr);
  const Task any = task("p26/butterfly_pair_swap");
  const auto judged = [&](const Lesson& one) { return graded(session_, any, *right.lesson(), one, plan()).value(); };
  EXPECT_TRUE(judged(*right.lesson()).solved());
  const Verdict verdict = judged(*zero.lesson());
  ASSERT_TRUE(verdict.feedback);
  EXPECT_EQ(verdict.feedback->run.hidden, plan().hidden + 1);
}

TEST_F(Grade, AProgramThatDoesNotEndIsStopped) {
  const std::optional<Verdict> one = verdict("p26/butterfly_pair_swap", R"(
.kernel endless (in input: f32[size], out output: f32[size], param size: u32 = WARP_SZ)
        mov.u32         %n, 0
again:  add.u32         %n, %n, 1
        bra             again
)");
  ASSERT_TRUE(one && one->feedback);
  EXPECT_EQ(one->feedback->run.status, GradedRun::Status::Trap);
}

TEST_F(Grade, OtherParametersAreRefused) {
  EXPECT_FALSE(
      verdict("p26/butterfly_pair_swap", ".kernel f (out output: f32[size], param size: u32 = WARP_SZ)\n    exit\n")
          .has_value());
  EXPECT_EQ(reply_.code(), ExitCode::BadInput);
  EXPECT_NE(reply_.said().find("in input: f32"), std::string::npos) << reply_.said();
}

// A butterfly by 3: the partner differs in the two lowest bits.
TEST_F(Grade, AnswersAreThoseOfTheRun) {
  const Task one = task("predict/two_bits_at_once");
  const std::optional<Answers> answers = answers_to(session_, one, solution(one));
  ASSERT_TRUE(answers.has_value());
  std::string right, wrong;
  for (unsigned lane = 0; lane < one.question->lanes; ++lane) {
    right += std::to_string(lane ^ 3U) + " ";
    wrong += std::to_string(lane == 5 ? 5 : lane ^ 3U) + ",";
  }
  EXPECT_TRUE(marked(session_, *answers, right)->wrong.empty());
  EXPECT_EQ(marked(session_, *answers, wrong)->wrong, std::vector<unsigned>{5});
  EXPECT_FALSE(marked(session_, *answers, "1 2 3").has_value());
  EXPECT_EQ(reply_.code(), ExitCode::BadInput);
}

TEST_F(Grade, EveryQuestionAsksAStepThatThereIs) {
  for (const Task& one : all_tasks()) {
    if (one.kind != TaskKind::Predict) continue;
    SCOPED_TRACE(one.name);
    const std::optional<Answers> answers = answers_to(session_, one, solution(one));
    ASSERT_TRUE(answers.has_value()) << reply_.said();
    EXPECT_GE(std::count_if(answers->right.begin(), answers->right.end(),
                            [](const std::string& right) { return !right.empty(); }),
              2);
  }
}

TEST_F(Grade, EveryTaskIsToldInBothLanguagesWithThreeHints) {
  for (const Task& one : all_tasks())
    for (const std::string_view language : {"en", "ko"}) {
      SCOPED_TRACE(one.name);
      ASSERT_TRUE(one.words.contains(language));
      EXPECT_FALSE(one.in(language).title.empty() || one.in(language).text.empty());
      EXPECT_EQ(one.in(language).hints.size(), 3U);
    }
}

}  // namespace
}  // namespace warpsim::tools
