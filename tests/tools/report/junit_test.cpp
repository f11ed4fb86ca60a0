// JUnit XML of cases, and what of a report becomes a failure.
#include "tools/report/junit.h"

#include <gtest/gtest.h>

#include "tests/tools/report/check_samples.h"

namespace warpsim::tools {
namespace {

using Outcome = JUnitCase::Outcome;

TEST(JUnit, EachOutcomeHasItsElementAndItsCount) {
  const std::string xml = junit_xml({{"g/a", "passed", Outcome::Passed, "unsaid", "unsaid", ""},
                                     {"g/a", "told", Outcome::Passed, "", "", "two\nlines"},
                                     {"g/a", "skipped", Outcome::Skipped, "why", "", ""},
                                     {"g/b", "failed", Outcome::Failure, "a < b", "x & y\n", "beside"},
                                     {"g/b", "broken", Outcome::Error, "\"why\"", "", ""}});
  EXPECT_EQ(xml, R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="warpsim" tests="5" failures="1" errors="1" skipped="1">
  <testsuite name="g/a" tests="3" failures="0" errors="0" skipped="1">
    <testcase classname="g/a" name="passed"/>
    <testcase classname="g/a" name="told"><system-out>two
lines</system-out></testcase>
    <testcase classname="g/a" name="skipped"><skipped message="why"/></testcase>
  </testsuite>
  <testsuite name="g/b" tests="2" failures="1" errors="1" skipped="0">
    <testcase classname="g/b" name="failed"><failure message="a &lt; b">x &amp; y
</failure><system-out>beside</system-out></testcase>
    <testcase classname="g/b" name="broken"><error message="&quot;why&quot;"/></testcase>
  </testsuite>
</testsuites>
)");
}

TEST(JUnit, ARunFailsByWhatItShowed) {
  CheckReport report = testing::sample_report();
  report.warnings_fail = true;
  const std::vector<JUnitCase> cases = junit_cases(report);
  ASSERT_EQ(cases.size(), 4U);
  EXPECT_EQ(cases[0].suite, "demo/hand_on");
  EXPECT_EQ(cases[0].name, "test at 8 lanes");
  EXPECT_EQ(cases[0].outcome, Outcome::Failure);
  EXPECT_EQ(cases[0].message.substr(0, 24), "WS0402: lanes 0-3 of war");
  EXPECT_EQ(cases[0].message.substr(cases[0].message.size() - 13), " (and 1 more)");
  EXPECT_EQ(cases[0].text, "WS0402 as it is drawn, with <, & and \"\nWS0201 as it is drawn, with <, & and \"\n");
  EXPECT_EQ(cases[0].output, "WS0801 as it is drawn, with <, & and \"\n");  // advice fails nothing
  EXPECT_EQ(cases[1].name, "test at 32 lanes");
  EXPECT_EQ(cases[2].outcome, Outcome::Passed);
  EXPECT_EQ(cases[2].output, "");
  EXPECT_EQ(cases[3].outcome, Outcome::Error);
  EXPECT_EQ(cases[3].name, "load");
  EXPECT_EQ(cases[3].message, "it could not be loaded");
}

TEST(JUnit, AWarningFailsOnlyIfItIsAskedTo) {
  const std::vector<JUnitCase> cases = junit_cases(testing::sample_report());
  EXPECT_EQ(cases[0].outcome, Outcome::Failure) << "for its error";
  EXPECT_EQ(cases[0].text, "WS0402 as it is drawn, with <, & and \"\n");
  EXPECT_EQ(cases[0].output, "WS0201 as it is drawn, with <, & and \"\nWS0801 as it is drawn, with <, & and \"\n");
}

TEST(JUnit, WhatIsSuppressedFailsNothing) {
  CheckReport report = testing::sample_report();
  report.findings[0].suppressed_by = "line 3 of ci.supp: one writer";
  report.findings[1].suppressed_by = "line 4 of ci.supp";
  const std::vector<JUnitCase> cases = junit_cases(report);
  EXPECT_EQ(cases[0].outcome, Outcome::Passed);
  EXPECT_EQ(cases[0].text, "");
  EXPECT_EQ(cases[0].output.find("suppressed, line 3 of ci.supp: one writer\nWS0402"), 0U);
  EXPECT_EQ(cases[1].outcome, Outcome::Failure);  // the wrong output is still there
  EXPECT_EQ(cases[1].message, "WS0901: output[0] is 1, expected 2");
}

}  // namespace
}  // namespace warpsim::tools
