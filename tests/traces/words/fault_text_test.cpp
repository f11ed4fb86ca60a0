// Traps, findings, advice and explanations in Korean: of the programs of programs/bugs/. What other tests find is
// asked for its Korean where they find it (tests/support/korean_text.h).
#include "traces/words/fault_text.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/advice/advice.h"
#include "tests/support/every_program.h"
#include "tests/support/korean_text.h"
#include "tools/report/trap_text.h"
#include "traces/explain/wrong_answer.h"

namespace warpsim {
namespace {

using testing::english_in;

std::string korean(const Message& message) { return fault_text(message, Language::Korean); }

// Runs a case; the codes of all that it finds.
std::set<std::string> codes_of(const Lesson& program, const Case& one, unsigned lanes) {
  SCOPED_TRACE(program.full_name() + " " + one.name + " " + std::to_string(lanes));
  CaseOverrides overrides;
  overrides.lanes = lanes;
  Advice advice;
  const testing::RecordedRun run = testing::record_run(program, one, overrides, {&advice});
  EXPECT_EQ(run.error, "");
  const TraceOutcome& outcome = run.trace.outcome;
  std::set<std::string> codes;
  for (const TraceFinding& found : outcome.findings) codes.insert(found.code.word);
  if (outcome.trap) codes.insert(outcome.trap->code.word);
  std::vector<RunFinding> others = advice.found();
  if (outcome.passed == false) {
    for (const Message& sentence : tools::mismatches(outcome)) {
      EXPECT_EQ(english_in(korean(sentence)), "");
      EXPECT_EQ(korean(english(sentence)), korean(sentence));
    }
    for (const RunFinding& found : explain_wrong_answers(run.trace, expected_of(program, one, overrides)))
      others.push_back(found);
  }
  testing::expect_korean(others);
  for (const RunFinding& found : others) codes.insert(code(found.code));
  return codes;
}

TEST(FaultText, MistakesAreSaidInKorean) {
  std::set<std::string> codes;
  for (const std::string& name : testing::programs_in({"bugs"})) {
    const Assembled assembled = testing::assemble_program(name);
    ASSERT_TRUE(assembled.lesson() != nullptr) << assembled.diagnostics.render();
    for (const Case& one : assembled.lesson()->cases)
      for (const unsigned lanes : lane_counts(*assembled.lesson(), one))
        codes.merge(codes_of(*assembled.lesson(), one, lanes));
  }
  for (const FindingInfo& row : all_findings()) {
    EXPECT_NE(korean(row.hint), english(row.hint)) << row.name;
    EXPECT_EQ(english_in(korean(row.hint)), "") << row.name;
    // What no text of the assembly can show, and that the order of warps shows takes two runs.
    const bool apart = row.example.empty() || row.finding == Finding::DependsOnSchedule;
    EXPECT_EQ(codes.count(code(row.finding)), apart ? 0U : 1U) << code(row.finding);
  }
}

TEST(FaultText, ASentenceIsSaidPartByPart) {
  EXPECT_EQ(korean("`tile[3]` holds nothing defined on lanes 0-3 and is stored"),
            "Lane 0-3의 `tile[3]`이 정의되지 않음: 저장되는 값");
  EXPECT_EQ(korean("lane 1 of warp 1 of block 2 changes `x[3]`, which lanes 0-6 of warp 0 of block 0 write at line 5, "
                   "and nothing orders the two"),
            "블록 2, Warp 1의 Lane 1이 `x[3]`을 변경, 5행에서 블록 0, Warp 0의 Lane 0-6이 저장: 둘의 순서를 정하는 "
            "것이 없음");
  EXPECT_EQ(
      korean("bank 3 serves 6 different words: word 3 (tile[3], lane 0), word 35 (lane 1) and 4 more; 6-way; in each "
             "of 4 executions, and this is the worst"),
      "뱅크 3이 서로 다른 워드 6개를 처리: 워드 3(tile[3], Lane 0), 워드 35(Lane 1) 외 4개; 6-way; 4번 실행에서 "
      "매번, 그중 가장 나쁜 것");
  EXPECT_EQ(korean("output[1] is 5, expected 6: nobody stores it; 3 of 8 elements are wrong: 1, 3, 5: all odd ones"),
            "output[1]이 5, 예상 값은 6: 아무도 저장하지 않음; 요소 8개 중 3개가 틀림: 1, 3, 5: 홀수 번째 모두");
  EXPECT_EQ(korean("total[0] is 3 under --schedule rr and 4 under --schedule fuzz:2 --reconvergence independent"),
            "total[0]이 --schedule rr에서는 3, --schedule fuzz:2 --reconvergence independent에서는 4");
}

TEST(FaultText, UnknownTextsStayAsTheyAre) {
  for (const std::string& text : {std::string("whatever a trace may hold"), std::string(""), std::string("; "),
                                  std::string("{0}; {1}"), std::string(100000, ';')})
    EXPECT_EQ(korean(text), text);
  std::string deep;
  for (int k = 0; k < 100; ++k) deep += "word 1 (x), ";
  EXPECT_EQ(korean(deep).find("워드 1(x), 워드 1(x), "), 0U);
}

}  // namespace
}  // namespace warpsim
