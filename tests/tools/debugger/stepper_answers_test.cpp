// The stepper's answers: findings, JSON, and that every answer fits its width and is in one language.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/korean_text.h"
#include "tests/tools/debugger/stepper_run.h"
#include "tools/support/screen.h"
#include "traces/io/window.h"

namespace warpsim {
namespace stepper_test {

// In one line, with one blank between words.
std::string squeezed(const std::string& text) {
  std::istringstream words(text);
  std::string out;
  for (std::string word; words >> word;) out += (out.empty() ? "" : " ") + word;
  return out;
}

// Lanes 2 and 3 never write %some, which line 4 stores in cycle 3; then a load past the end. Cycle 0: activemask as a
// member mask, which is known before.
Trace found() {
  return testing::text_trace(
      ".kernel t (in input: u32[4], out output: u32[4])\n"
      "        setp.lt.u32 %low, %laneid, 2\n        @%low mov.u32 %some, 1\n"
      "        st.global.u32 output[%laneid], %some\n        activemask.mask %here\n"
      "        shfl.idx.b32 %v, %laneid, 0, mask=%here\n        ld.global.u32 %v, input[99]\n        exit\n"
      ".case test\n    input = i\n",
      4);
}

TEST(Stepper, FindingsAreListedAndReportedWhereTheyHappen) {
  Stepper stepper(found(), {});
  EXPECT_TRUE(is_in("3 findings: `info findings` lists them.", stepper.greeting())) << stepper.greeting();
  const std::string list = stepper.run("info findings").text;
  EXPECT_TRUE(is_in("* 1: WS0305 active-mask-as-member, before the run, line 6\n", list)) << list;
  EXPECT_TRUE(is_in("  2: WS0101 never-written, cycle 3, line 4, lanes 2, 3\n", list)) << list;
  EXPECT_TRUE(is_in("  3: WS0601 out-of-bounds, cycle 6, line 7, lanes 0-3\n", list)) << list;
  const Stepper::Answer stepped = stepper.run("step 3");
  EXPECT_TRUE(is_in("Finding 2: WS0101 never-written: `%some` holds nothing defined on lanes 2, 3 and is stored",
                    squeezed(stepped.text)))
      << stepped.text;
  EXPECT_TRUE(is_in("Finding 2", stepped.notes) && !is_in("Cycle 3", stepped.notes)) << stepped.notes;
  EXPECT_FALSE(is_in("Finding", stepper.run("step").text));
  const std::string all = stepper.run("info findings 2").text;
  EXPECT_TRUE(is_in("   cycle 3, line 4: lane 2 has never written `%some`\n", all)) << all;
  EXPECT_TRUE(is_in("Where the lanes were:\n   lanes 0-3: line 4: st.global.u32 output[%laneid], %some\n", all)) << all;
  EXPECT_TRUE(is_in("What to try: write it on every path", all)) << all;
  EXPECT_TRUE(is_in("* 2: WS0101", stepper.run("info findings").text));
  EXPECT_EQ(text_of("info findings"), "Nothing was found.\n");
  EXPECT_EQ(text_of("finding"), "Nothing was found.\n");
}

TEST(Stepper, FindingGoesToThem) {
  Stepper stepper(found(), {});
  EXPECT_EQ(stepper.run("finding").ok, true);
  EXPECT_EQ(stepper.history().position(), 3U);
  EXPECT_TRUE(is_in("The run has trapped: WS0601 out-of-bounds", stepper.run("").text)) << "Enter: the next";
  EXPECT_TRUE(is_in("There is no further finding", stepper.run("finding").text));
  EXPECT_EQ(stepper.history().position(), stepper.history().size());
  EXPECT_TRUE(is_in("Finding 2: WS0101", stepper.run("finding 2").text));
  EXPECT_EQ(stepper.history().position(), 3U);
  EXPECT_TRUE(is_in("1: WS0305", stepper.run("finding 1").text)) << "known before: told, and nothing moves";
  EXPECT_EQ(stepper.history().position(), 3U);
  for (const char* const none : {"finding 0", "finding 4", "finding x", "info findings 4"})
    EXPECT_FALSE(stepper.run(none).ok) << none;
  EXPECT_TRUE(stepper.run("info findings 3").ok);
}

TEST(Stepper, FindingsAreReportedInKorean) {
  StepperLook look;
  look.language = Language::Korean;
  Stepper stepper(found(), look);
  for (const char* const command :
       {"info findings", "info findings 1", "info findings 2", "info findings 3", "finding"}) {
    std::string text = squeezed(stepper.run(command).text);
    for (const TraceInsn& insn : stepper.history().head().code)
      for (std::size_t at; !insn.text.empty() && (at = text.find(squeezed(insn.text))) != std::string::npos;)
        text.erase(at, squeezed(insn.text).size());
    for (const char* const kind : {"active-mask-as-member", "never-written", "out-of-bounds"})
      for (std::size_t at; (at = text.find(kind)) != std::string::npos;) text.erase(at, std::string(kind).size());
    EXPECT_EQ(testing::english_in(text), "") << text;
  }
}

const std::vector<std::string> kCommandsOfAllKinds = {"help",
                                                      "help print",
                                                      "help break",
                                                      "list 1,60",
                                                      "masks",
                                                      "step 9",
                                                      "masks",
                                                      "lanes",
                                                      "network",
                                                      "info registers",
                                                      "print %gtid",
                                                      "print input",
                                                      "why %max_val#3",
                                                      "goto 12",
                                                      "why %max_val#3",
                                                      "explain",
                                                      "phases",
                                                      "info warps",
                                                      "break 33 if any(%max_val > 10)",
                                                      "watch %max_val#0",
                                                      "tbreak 34",
                                                      "info break",
                                                      "continue",
                                                      "display %max_val",
                                                      "rcontinue",
                                                      "condition 1",
                                                      "ignore 1 2",
                                                      "continue",
                                                      "goto 99",
                                                      "print output",
                                                      "until 3",
                                                      "start",
                                                      "rstep",
                                                      "x",
                                                      "x/4 output[0]",
                                                      "stpe",
                                                      "st",
                                                      "print %max_vol",
                                                      "print %max_val#99",
                                                      "print",
                                                      "print $q",
                                                      "print 3 +",
                                                      "print/q 3",
                                                      "watch",
                                                      "watch a[0]",
                                                      "watch output[9999]",
                                                      "break x",
                                                      "break 999",
                                                      "break 33 when",
                                                      "condition",
                                                      "condition 9",
                                                      "ignore",
                                                      "list x",
                                                      "list 9999",
                                                      "goto x",
                                                      "step x",
                                                      "warp 9",
                                                      "block 9",
                                                      "info",
                                                      "info q",
                                                      "info line x",
                                                      "masks x",
                                                      "why",
                                                      "why %max_val",
                                                      "clear 20",
                                                      "delete 9",
                                                      "undisplay 9",
                                                      "continue x",
                                                      "goto 12",
                                                      "help x",
                                                      "help info",
                                                      "help commands",
                                                      "help jump",
                                                      "info lanes",
                                                      "info cuda threads",
                                                      "info args",
                                                      "info shared",
                                                      "info blocks",
                                                      "info kernels",
                                                      "info program",
                                                      "info loclas",
                                                      "info cuda",
                                                      "lane 3",
                                                      "info locals",
                                                      "print %max_val",
                                                      "print threadIdx",
                                                      "lane 99",
                                                      "thread 7",
                                                      "thread 99",
                                                      "lane all",
                                                      "print threadIdx",
                                                      "cuda",
                                                      "cuda sm 0",
                                                      "whatis %max_val",
                                                      "whatis input",
                                                      "whatis",
                                                      "x/8xw input",
                                                      "x/8xg output",
                                                      "x/4xw 0x20",
                                                      "x/400xw input",
                                                      "x/3i $pc",
                                                      "x/i 99",
                                                      "print &input[3]",
                                                      "print &size",
                                                      "print input[2]@3",
                                                      "print $1",
                                                      "print size = 3",
                                                      "set var input[3] = 3",
                                                      "set var %max_val = 3",
                                                      "set pagination off",
                                                      "set foo",
                                                      "disassemble",
                                                      "disassemble 99",
                                                      "jump 3",
                                                      "layout src",
                                                      "layout x",
                                                      "rwatch input[3]",
                                                      "awatch %max_val#3",
                                                      "rfinish",
                                                      "continue",
                                                      "continue",
                                                      "commands 99",
                                                      "source",
                                                      "source no/such/file",
                                                      "commands"};

// Every row of every answer fits, in both languages, also beside 64 lanes; and no Korean answer has an English word of
// the stepper's own.
TEST(Stepper, AnswersFitAndAreInOneLanguage) {
  for (const Language language : {Language::English, Language::Korean}) {
    for (const std::size_t width : {std::size_t{40}, std::size_t{80}}) {
      StepperLook look;
      look.language = language;
      look.width = width;
      Stepper stepper(testing::program_trace("p26/butterfly_parallel_max", "test", 64), look);
      std::string everything = stepper.greeting();
      for (const std::string& command : kCommandsOfAllKinds) {
        const std::string text = stepper.run(command).text;
        if (text.empty()) ADD_FAILURE() << command;
        const bool lists_words = command == "help info" || command == "info cuda";  // that are to be typed
        const bool is_quoting =
            lists_words || command == "explain" || command == "phases" || command.rfind("list", 0) == 0;
        for (const char* english : {" the ", " is ", " wants ", "Watchpoint", "No ", "There ", " lanes", " of ",
                                    "Cycle", "Breakpoint", "done", "active"}) {
          EXPECT_FALSE(language == Language::Korean && !is_quoting && is_in(english, text)) << command << ": " << text;
        }
        everything += text;
      }
      std::istringstream rows(everything);
      for (std::string row; std::getline(rows, row);) {
        const std::size_t tab = row.find('\t');
        EXPECT_LE(columns_of(row) + (tab == std::string::npos ? 0 : 7 - tab), width) << row;
      }
    }
  }
}

}  // namespace stepper_test
}  // namespace warpsim
