// The file of suppressions: what its lines mean, what is wrong with some, and what it leaves out.
#include "tools/report/suppressions.h"

#include <gtest/gtest.h>

#include "tests/tools/report/check_samples.h"

namespace warpsim::tools {
namespace {

// The numbers of the findings of the sample that this leaves out.
std::vector<std::size_t> left_out_by(const std::string& text) {
  CheckReport report = testing::sample_report();
  Suppressions suppressions("ci.supp", text);
  EXPECT_EQ(suppressions.diagnostics().render(), "");
  suppressions.apply(report);
  std::vector<std::size_t> numbers;
  for (std::size_t k = 0; k < report.findings.size(); ++k)
    if (report.findings[k].suppressed_by) numbers.push_back(k);
  return numbers;
}
using Numbers = std::vector<std::size_t>;

TEST(Suppressions, CodesAndPrograms) {
  EXPECT_EQ(left_out_by(""), Numbers{});
  EXPECT_EQ(left_out_by("# all of it\n\n   \n"), Numbers{});
  EXPECT_EQ(left_out_by("WS0402"), Numbers{0});
  EXPECT_EQ(left_out_by("ws0402 # in lower case\r\n"), Numbers{0});
  EXPECT_EQ(left_out_by("WS0402 demo/hand_on"), Numbers{0});
  EXPECT_EQ(left_out_by("WS0402 demo/*"), Numbers{0});
  EXPECT_EQ(left_out_by("WS0402 programs/demo/hand_on.warp"), Numbers{0});  // its file
  EXPECT_EQ(left_out_by("WS0402 *"), Numbers{0});
  EXPECT_EQ(left_out_by("WS0402 hand_on"), Numbers{});  // the whole name, as Valgrind has it
  EXPECT_EQ(left_out_by("WS0402 demo/clean"), Numbers{});
  EXPECT_EQ(left_out_by("WS0401"), Numbers{});
  EXPECT_EQ(left_out_by("WS04* demo/hand_?n"), Numbers{0});
  EXPECT_EQ(left_out_by("WS* demo/*"), (Numbers{0, 1, 2, 3}));
}

TEST(Suppressions, Places) {
  EXPECT_EQ(left_out_by("WS* * line 9"), Numbers{0});
  EXPECT_EQ(left_out_by("WS* line 9"), Numbers{0});
  EXPECT_EQ(left_out_by("WS* * line 10"), Numbers{});
  EXPECT_EQ(left_out_by("WS* * label read"), Numbers{0});
  EXPECT_EQ(left_out_by("WS* * label publish"), (Numbers{1, 2}));  // up to the next label
  EXPECT_EQ(left_out_by("WS* * label nowhere"), Numbers{});
  EXPECT_EQ(left_out_by("WS0801 * label publish # the rows are padded later"), Numbers{2});
}

TEST(Suppressions, TheFirstThatFitsSaysWhy) {
  CheckReport report = testing::sample_report();
  Suppressions suppressions("ci/ci.supp", "WS0402 demo/hand_on #  one writer  \nWS*\n");
  suppressions.apply(report);
  EXPECT_EQ(report.findings[0].suppressed_by, "line 1 of ci.supp: one writer");
  EXPECT_EQ(report.findings[1].suppressed_by, "line 2 of ci.supp");
  EXPECT_EQ(suppressions.list()[0].used, 1U);
  EXPECT_EQ(suppressions.list()[1].used, 3U);
}

TEST(Suppressions, SaysWhatIsWrongAndWhere) {
  const Suppressions bad("ci.supp",
                         "WS0204 p25/*\n  out-of-range\nout-of-rang\n{\nWS04 a\nWS0201 a line x\nWS0201 a "
                         "label\nWS0201 a b # c\nWS0201 a\n");
  EXPECT_EQ(bad.list().size(), 1U);  // the last line is right
  EXPECT_EQ(bad.diagnostics().render(),
            R"(ci.supp:1:1: error[S001]: there is no finding with the code `WS0204`
    1 | WS0204 p25/*
      | ^~~~~~
      hint: did you mean WS0104?
ci.supp:2:3: error[S001]: there is no finding with the code `out-of-range`
    2 |   out-of-range
      |   ^~~~~~~~~~~~
      hint: write its code: WS0201
ci.supp:3:1: error[S001]: there is no finding with the code `out-of-rang`
    3 | out-of-rang
      | ^~~~~~~~~~~
      hint: did you mean WS0201?
ci.supp:4:1: error[S001]: there is no finding with the code `{`
    4 | {
      | ^
      hint: a line is: CODE [PROGRAM] [line N | label NAME] # REASON
ci.supp:5:1: error[S001]: there is no finding with the code `WS04`
    5 | WS04 a
      | ^~~~
      hint: WS04* means all that begin with that
ci.supp:6:15: error[S002]: `line` wants a line's number, from 1
    6 | WS0201 a line x
      |               ^
      hint: a line is: CODE [PROGRAM] [line N | label NAME] # REASON
ci.supp:7:10: error[S002]: `label` wants a label's name
    7 | WS0201 a label
      |          ^~~~~
      hint: a line is: CODE [PROGRAM] [line N | label NAME] # REASON
ci.supp:8:10: error[S003]: nothing was expected here but a reason after #
    8 | WS0201 a b # c
      |          ^
      hint: a line is: CODE [PROGRAM] [line N | label NAME] # REASON
)");
}

TEST(Suppressions, NotesWhatLeftNothingOut) {
  CheckReport report = testing::sample_report();
  const std::string text = "WS0402 demo/*\nWS0402 demo/hand_on\nWS0701 demo/clean\nWS0201 demo/hand_om\n";
  const auto noted = [&](bool everything) {
    Suppressions suppressions("ci.supp", text);
    CheckReport copy = report;
    suppressions.apply(copy);
    suppressions.note_unused(copy, everything);
    EXPECT_FALSE(suppressions.diagnostics().has_errors());
    return suppressions.diagnostics().render();
  };
  const std::string about_these =
      R"(ci.supp:2:1: note[S004]: this left nothing out: no such finding, or a line before leaves it out
    2 | WS0402 demo/hand_on
      | ^~~~~~
      hint: delete the line
ci.supp:3:1: note[S004]: this left nothing out: no such finding, or a line before leaves it out
    3 | WS0701 demo/clean
      | ^~~~~~
      hint: delete the line
)";
  EXPECT_EQ(noted(false), about_these);
  EXPECT_EQ(noted(true), about_these + R"(ci.supp:4:1: note[S004]: no program that was checked is called `demo/hand_om`
    4 | WS0201 demo/hand_om
      | ^~~~~~
      hint: did you mean `demo/hand_on`?
)");
}

}  // namespace
}  // namespace warpsim::tools
