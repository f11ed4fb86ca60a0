// English in Korean texts; see korean_text.h.
#include "tests/support/korean_text.h"

#include <gtest/gtest.h>

#include <regex>

#include "traces/record/recorder.h"
#include "traces/words/fault_text.h"

namespace warpsim::testing {
namespace {

// In Korean, without and with the way through a file.
void expect_korean(const Message& message) {
  const std::string said = english(message), korean = fault_text(message, Language::Korean);
  EXPECT_EQ(fault_text(said, Language::Korean), korean) << said;
  // What an assertion asks and says is the program's own.
  static const std::regex kOwn(R"((성립하지 않음|정의되지 않은 값을 물음): .*?(; Lane |$))");
  EXPECT_EQ(english_in(std::regex_replace(korean, kOwn, "$1: $2")), "") << said << "\n" << korean;
  EXPECT_EQ(korean.find("{0}"), std::string::npos) << korean;
}

}  // namespace

std::string english_in(const std::string& text) {
  static const std::regex kNames(
      R"(`[^`]*`|\([a-z.]+\)|%[A-Za-z_][A-Za-z_.0-9]*|[a-z]+([.][a-z0-9]+)+|[A-Za-z_]+\[[^\]]*\])"
      R"(|--schedule (rr|blocks|fuzz:[0-9]+)|--reconvergence (stack|independent)|--[a-z-]+|0x[0-9a-f]+|max_cycles|WARP_SZ)"
      R"(|[0-9]-way|\b(Lane|Warp|input|output|exit|barrier|shuffle|width|ballot|scan|reduction|clamp|fence|offset)\b)"
      R"(|\b(predicate|activemask|selp|xor|bits|broadcast|unordered|NaN|inf|nan|true|false)\b)");
  const std::string rest = std::regex_replace(text, kNames, "");
  std::smatch found;
  return std::regex_search(rest, found, std::regex("[A-Za-z]{3,}")) ? found.str() : "";
}

void expect_korean(const TraceFinding& finding) {
  expect_korean(finding.message);
  expect_korean(finding.hint);
  for (const TraceStep& step : finding.steps) expect_korean(step.text);
  for (const TracePlace& place : finding.places) expect_korean(place.waits_for);
}

void expect_korean(const TraceOutcome& outcome) {
  for (const TraceFinding& one : outcome.findings) expect_korean(one);
  if (outcome.trap) expect_korean(*outcome.trap);
}

void expect_korean(const std::vector<RunFinding>& findings) {
  for (const RunFinding& one : findings) expect_korean(told(one));
}

void expect_korean(const Trap& trap) {
  expect_korean(trap.message);
  expect_korean(trap.hint);
  for (const LanePlace& place : trap.places) expect_korean(place.waits_for);
}

}  // namespace warpsim::testing
