// The stepper's commands, one by one; scripts, people and exit codes: step_test.cpp; findings and
// the shape of answers: stepper_answers_test.cpp.
#include "tools/debugger/stepper.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "tests/support/every_program.h"
#include "tests/support/korean_text.h"
#include "tests/tools/debugger/stepper_run.h"
#include "tools/support/screen.h"
#include "traces/io/window.h"

namespace warpsim {
namespace stepper_test {

// The program stores max_val of every lane to `output`, of which nothing is defined before.
TEST(Stepper, ABufferIsPrintedAsItsElementsAre) {
  EXPECT_EQ(text_of("print input"),
            "input\n  [0] 0     [1] 2     [2] 4     [3] 6     [4] 8     [5] 10    [6] 12    [7] 1000\n");
  EXPECT_EQ(text_of("print input[7]"), "input[7] = 1000\n");
  const Trace atomics = testing::program_trace("block/prefix_sum", "test", 4);
  Stepper stepper(atomics, {});
  ASSERT_FALSE(atomics.head.shared.empty());
  EXPECT_TRUE(is_in("⟂", stepper.run("print " + atomics.head.shared.front().name).text))
      << "nobody has stored there yet";
}

// Lines 33 and 34 of the loop are reached three times.
TEST(Stepper, CountsAreHonoured) {
  EXPECT_TRUE(is_in("Breakpoint 1, line 33\n", text_of("break 33; step 100")));
  EXPECT_TRUE(is_in("Breakpoint 1, line 33\n", text_of("break 33; goto 15; rstep 100")));
  EXPECT_TRUE(is_in("Breakpoint 1, line 33\n", text_of("break 33; stepi 100")));
  EXPECT_TRUE(is_in("Breakpoint 1, line 33\n", text_of("break 33; next 100")));
  EXPECT_EQ(text_of("goto 5; next 2"), text_of("goto 5; next; next"));
  EXPECT_EQ(text_of("goto 15; rnext 3"), text_of("goto 15; rnext; rnext; rnext"));
  EXPECT_EQ(text_of("stepi 4"), text_of("stepi; stepi; stepi; stepi"));
  EXPECT_EQ(text_of("break 33; continue; continue 2"), text_of("break 33; continue; continue; continue"));
  EXPECT_EQ(text_of("break 33; goto 99; rcontinue; rcontinue 2"),
            text_of("break 33; goto 99; rcontinue; rcontinue; rcontinue"));
  EXPECT_TRUE(is_in("Not stopped at a breakpoint", text_of("break 33; continue 2")));
  EXPECT_EQ(text_of("break 33; ignore 1 2; continue"), text_of("break 33; continue; continue; continue"));
  const std::string listed = text_of("list 30,35");
  EXPECT_EQ(std::count(listed.begin(), listed.end(), '\n'), 9) << listed;  // three of them are too wide for one row
  EXPECT_TRUE(is_in("  30  ", listed) && is_in("  35  ", listed) && !is_in("  36  ", listed));
  EXPECT_TRUE(is_in("  20  ", text_of("list 30,35; list -")));
  EXPECT_TRUE(is_in("  36  ", text_of("list 30,35; list")));
}

// Whatever a command does not understand it refuses: no argument is dropped.
TEST(Stepper, NoArgumentIsDropped) {
  Stepper probe(butterfly(), {});
  std::size_t from = 0;
  for (const std::string& command : probe.complete("", from)) {
    for (const char* rest : {" bogus extra", " 7 bogus", " %max_val#0 bogus", " 1,2,3", "/q"}) {
      Stepper stepper(butterfly(), {});
      EXPECT_FALSE(stepper.run(command + rest).ok) << command << rest;
      EXPECT_EQ(stepper.history().position(), 0U) << command << rest;
    }
  }
}

TEST(Stepper, GdbsWords) {
  EXPECT_EQ(text_of("step; run"), text_of("continue"));
  EXPECT_EQ(text_of("break 33; goto 20; r"), text_of("break 33; continue"));
  EXPECT_EQ(text_of("goto 9; start"), text_of("goto 0"));
  // Line 37 goes back to line 33 while lanes are left to exchange with; until goes on below it.
  EXPECT_TRUE(is_in("38\t", text_of("goto 12; until")));
  EXPECT_EQ(text_of("advance 34"), text_of("goto 9"));
  EXPECT_EQ(text_of("u 34"), text_of("goto 9"));
  EXPECT_EQ(text_of("goto 9; finish"), text_of("continue"));
  EXPECT_TRUE(is_in("Temporary breakpoint 1, line 33", text_of("tbreak 33; c")));
  EXPECT_TRUE(is_in("No breakpoints", text_of("tbreak 33; c; info break")));
  EXPECT_TRUE(is_in("The run has ended.", text_of("break 33; disable 1; c")));
  EXPECT_EQ(text_of("break 33; disable; enable; c"), text_of("break 33; c"));
  EXPECT_TRUE(is_in("Breakpoint 1, line 33 if %max_val#0 == 12", text_of("break 33; condition 1 %max_val#0 == 12; c")));
  EXPECT_EQ(text_of("break 33; break 34; clear 33; info b"), "Breakpoint 2, line 34\n");
  EXPECT_TRUE(is_in("No breakpoint at line 34.", text_of("break 33; clear 34")));
  EXPECT_EQ(text_of("break 33; watch %max_val#1; delete 1 2; i b"), "No breakpoints or watchpoints.\n");
  EXPECT_EQ(text_of("goto 10; print/x %last_lane"), "%last_lane = 0x7   (all 8 lanes)\n");
  EXPECT_EQ(text_of("goto 7; p/x %max_val#7"), "%max_val#7 = 0x447a0000\n");  // IEEE 754: 1000 = 1.953125 * 2^9
  EXPECT_EQ(text_of("p/t 5"), "5 = 0b101\n");
  EXPECT_EQ(text_of("p/d 0 - 1"), "0 - 1 = -1\n");
  EXPECT_EQ(text_of("x/3 input[4]"), "input\n  [4] 8   [5] 10  [6] 12\n");
  EXPECT_EQ(text_of("x/2x input[6]"), "input\n  [6] 0x41400000  [7] 0x447a0000\n");
  EXPECT_TRUE(is_in("1: %offset = 2", text_of("goto 7; display %offset; goto 13")));
  EXPECT_FALSE(is_in("1: %offset", text_of("goto 7; display %offset; undisplay 1; goto 13")));
  EXPECT_EQ(text_of("display/x %offset; info display"), "1: /x %offset\n");
  EXPECT_EQ(text_of("print $pc"), "$pc = 0   (line 18)\n");
  Stepper repeated(butterfly(), {});
  repeated.run("x/2 input[0]");
  EXPECT_EQ(repeated.run("").text, "input\n  [2] 4  [3] 6\n");
}

TEST(Stepper, WhatThereIsNotIsSaid) {
  EXPECT_TRUE(is_in("An element of input is a number from 0 to 7: \"8\" is none.", text_of("print input[8]")));
  EXPECT_TRUE(is_in("\"-1\" is none", text_of("print input[-1]")));
  EXPECT_TRUE(is_in("input has 8 elements.", text_of("x/20 input")));
  EXPECT_TRUE(is_in("The run ends after cycle 26.", text_of("goto 27")));
  EXPECT_FALSE(is_in("The run ends after", text_of("goto 26")));
}

// `store` is line 44 of the program, `step` line 30; the first instructions from there on are in lines 45 and 33.
TEST(Stepper, PlacesByLabelAndByFile) {
  EXPECT_EQ(text_of("break step"), text_of("break 30"));
  EXPECT_TRUE(is_in("Breakpoint 1 at line 33.", text_of("break step")));
  EXPECT_EQ(text_of("advance store"), text_of("advance 44"));
  for (const char* file : {"p26/butterfly_parallel_max", "butterfly_parallel_max", "butterfly_parallel_max.warp"}) {
    EXPECT_EQ(text_of(std::string("break ") + file + ":34"), text_of("break 34")) << file;
    EXPECT_EQ(text_of(std::string("break ") + file + ":step"), text_of("break step")) << file;
  }
  EXPECT_TRUE(is_in("No file \"other.warp\" here", text_of("break other.warp:34")));
  EXPECT_TRUE(is_in("No file \"max\" here", text_of("break max:34")));
  EXPECT_TRUE(is_in("No line and no label of this program: \"ste\"", text_of("break ste")));
  EXPECT_TRUE(is_in("a label of the program", text_of("help break")));
}

TEST(Stepper, ListAfterTheEndIsAroundTheLastLine) {
  Stepper stepper(butterfly(), {});
  stepper.run("continue");
  const std::uint32_t last = stepper.history().head().code.back().line;
  EXPECT_TRUE(is_in("  " + std::to_string(last) + "  ", stepper.run("list").text));
}

// The event before line 34's is the shuffle of line 33, which writes %other.
TEST(Stepper, AllThatStopAtAPlaceAreNamed) {
  for (const char* commands : {"break 34; watch %other; continue", "watch %other; break 34; continue"}) {
    const std::string said = text_of(commands);
    EXPECT_TRUE(is_in("Breakpoint ", said) && is_in("Watchpoint ", said)) << said;
  }
  const std::string back = text_of("break 33; watch %other; goto 10; rcontinue");
  EXPECT_TRUE(is_in("Breakpoint 1, line 33\n", back) && is_in("Watchpoint 2: %other\n", back)) << back;
  EXPECT_EQ(text_of("tbreak 34; tbreak 34; continue; info breakpoints"), "No breakpoints or watchpoints.\n");
}

TEST(Stepper, NoShuffleYetIsNoMistake) {
  Stepper stepper(butterfly(), {});
  const Stepper::Answer answer = stepper.run("network");
  EXPECT_TRUE(answer.ok);
  EXPECT_TRUE(is_in("has not shuffled yet", answer.text));
}

// Where an element comes from: the store, and what it stored.
TEST(Stepper, WhyAnElement) {
  const std::string told = text_of("goto 26; why output[3]");
  EXPECT_TRUE(is_in("output[3] = 1000", told)) << told;
  EXPECT_TRUE(is_in("%max_val#3 = 1000", told)) << told;
  EXPECT_TRUE(is_in("Inputs that reached it: 0..7", told)) << told;
  EXPECT_TRUE(is_in("Nothing has stored to output[3]", text_of("goto 9; why output[3]")));
  EXPECT_TRUE(is_in("is none", text_of("why output[8]")));
}

// At a deadlock lanes are where the trap says that they wait, not after it.
TEST(Stepper, LanesAtADeadlock) {
  const std::string text = R"(
.kernel t (out output: u32[size], param size: u32 = WARP_SZ)
        and.b32         %odd, %laneid, 1
        setp.ne.u32     %skips, %odd, 0
        @%skips bra     done
        bar.sync        0
done:   st.global.u32   output[%gtid], %odd
        exit
.case test
    output = 0
)";
  const Trace trace = testing::text_trace(text, 4);
  ASSERT_TRUE(trace.outcome.trap.has_value());
  Stepper stepper(trace, {});
  stepper.run("continue");
  const std::string told = stepper.run("lanes").text;
  EXPECT_TRUE(is_in("line 6: bar.sync 0; ", told)) << told;
  EXPECT_FALSE(is_in("lanes 0-3", told)) << told;
}

TEST(Stepper, MemoryIsWatched) {
  const std::string stored = text_of("watch output[3]; continue");
  EXPECT_TRUE(is_in("Watchpoint 1: output[3]: 0 → 1000\n", stored)) << stored;
  EXPECT_TRUE(is_in("Watchpoint 1: output[3]: 1000 → 0\n", text_of("watch output[3]; goto 99; rc")));
  EXPECT_TRUE(is_in("An element of output is a number from 0 to 7", text_of("watch output[8]")));
  EXPECT_TRUE(is_in("No array \"outptu\"", text_of("watch outptu[0]")));
  EXPECT_TRUE(is_in("Watchpoint 1: %max_val#0 if %max_val#0 > 10: 8 → 12",
                    text_of("goto 7; watch %max_val#0 if %max_val#0 > 10; c")));
}

// Every prefix of every word means its command, or says which it could mean.
TEST(Stepper, PrefixesOfEveryWord) {
  Stepper stepper(butterfly(), {});
  std::size_t from = 0;
  for (const std::string& word : stepper.complete("", from)) {
    for (std::size_t length = 1; length <= word.size(); ++length) {
      const std::string answer = stepper.run("help " + word.substr(0, length)).text;
      EXPECT_FALSE(is_in("Undefined", answer)) << answer;
    }
    EXPECT_TRUE(stepper.run("help " + word).ok);
  }
  EXPECT_EQ(stepper.run("help backt").text, stepper.run("help lanes").text);
  EXPECT_EQ(stepper.run("help reverse-n").text, stepper.run("help rnext").text);
  EXPECT_TRUE(is_in("Ambiguous command \"reverse-st\": rstep, rstepi.", stepper.run("reverse-st").text));
}

TEST(Stepper, WordsAreCompleted) {
  const Stepper stepper(butterfly(), {});
  const auto words = [&](std::string_view line) {
    std::size_t from = 0;
    return std::make_pair(stepper.complete(line, from), from);
  };
  using Words = std::vector<std::string>;
  EXPECT_EQ(words("rst"), std::make_pair(Words({"rstep", "rstepi"}), std::size_t{0}));
  EXPECT_EQ(words("print %max"), std::make_pair(Words({"%max_val"}), std::size_t{6}));
  EXPECT_EQ(words("break 33 if any(%off"), std::make_pair(Words({"%offset"}), std::size_t{16}));
  EXPECT_EQ(words("x/4 inp"), std::make_pair(Words({"input"}), std::size_t{4}));
  EXPECT_EQ(words("info d"), std::make_pair(Words({"display"}), std::size_t{5}));
  EXPECT_EQ(words("help cond"), std::make_pair(Words({"condition"}), std::size_t{5}));
}

// The lanes of the instruction that trapped have not left it.
TEST(Stepper, AtATrap) {
  Stepper stepper(trapped(), {});
  EXPECT_FALSE(stepper.came_to_trap());
  EXPECT_TRUE(is_in("The run has trapped: WS0601 out-of-bounds", last_of(stepper, "continue").text));
  EXPECT_EQ(stepper.run("lanes").text, "lanes 0-3       line 4: ld.global.u32 %v, input[99]\n");
  stepper.run("start");
  EXPECT_TRUE(stepper.came_to_trap());
  const nlohmann::json answer = nlohmann::json::parse(stepper.run("continue").json);
  EXPECT_EQ(answer["stopped"], "trap");
}

// No key is twice in an object: a reader keeps one of them, and which is undefined.
TEST(Stepper, JsonKeysStandOnce) {
  for (const Trace& trace : {butterfly(), trapped()}) {
    Stepper stepper(trace, {});
    for (const char* command : {"display %a", "display %max_val", "display %offset", "break 33", "continue", "continue",
                                "goto 99", "continue", "rcontinue", "masks", "network", "run", "info line"}) {
      std::vector<std::set<std::string>> keys;
      const std::string json = stepper.run(command).json;
      const nlohmann::json::parser_callback_t once = [&](int, nlohmann::json::parse_event_t event,
                                                         nlohmann::json& value) {
        if (event == nlohmann::json::parse_event_t::object_start) keys.emplace_back();
        if (event == nlohmann::json::parse_event_t::object_end) keys.pop_back();
        if (event == nlohmann::json::parse_event_t::key) {
          EXPECT_TRUE(keys.back().insert(value.get<std::string>()).second) << value << " in " << json;
        }
        return true;
      };
      EXPECT_TRUE(nlohmann::json::parse(json, once).is_object());
    }
  }
}

TEST(Stepper, AWindowSaysThatItIsOne) {
  WindowOptions options;
  options.from = 9;
  options.to = 14;
  Stepper stepper(window_of(butterfly(), options), {});
  EXPECT_TRUE(is_in("a window of 6 events", stepper.greeting())) << stepper.greeting();
  EXPECT_TRUE(is_in("The window begins here; 8 events of the run come before.", stepper.run("rstep").text));
  const Stepper::Answer end = stepper.run("continue");
  EXPECT_TRUE(is_in("The window ends here; the run goes on.", end.text)) << end.text;
  EXPECT_FALSE(is_in("passed", end.text));
  stepper.run("start");
  EXPECT_EQ(stepper.run("why %max_val#1").text, "%max_val#1 = 2, from before the window.\n");
  stepper.run("step 2");
  EXPECT_TRUE(is_in("  %max_val#1 = 2, from before the window\n", stepper.run("why %max_val#1").text));
  options.to = 99;
  Stepper last(window_of(butterfly(), options), {});
  EXPECT_TRUE(is_in("The run has ended.", last.run("continue").text));
}

TEST(Stepper, MasksOf64LanesStandInTwoRows) {
  Stepper stepper(testing::program_trace("p26/butterfly_parallel_max", "test", 64), {});
  EXPECT_EQ(stepper.run("masks").text,
            "done        00000000 00000000 00000000 00000000\n"
            "            00000000 00000000 00000000 00000000  0x0000000000000000\n");
}

// What a lane holds ends below the lane's number; one value means all lanes; one register alone is not cut.
TEST(Stepper, RegistersStandInColumnsByLane) {
  const auto ends = [](const std::string& row) {
    std::vector<std::size_t> columns;
    for (std::size_t k = 1; k <= row.size(); ++k)
      if (row[k - 1] != ' ' && (k == row.size() || row[k] == ' ')) columns.push_back(k);
    return columns;
  };
  const auto rows_of = [](Stepper& stepper, const std::string& command) {
    std::istringstream text(stepper.run(command).text);
    std::vector<std::string> rows;
    for (std::string row; std::getline(text, row);) rows.push_back(row);
    return rows;
  };
  StepperLook look;
  look.ascii = true;
  Stepper stepper(butterfly(), look);
  stepper.run("goto 9");
  const std::vector<std::string> rows = rows_of(stepper, "info registers");
  ASSERT_EQ(ends(rows.front()).size(), 9U) << rows.front();
  int of_all = 0, of_each = 0;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    const std::vector<std::size_t> columns = ends(rows[k]);
    if (columns.size() == 2) ++of_all;
    else if (std::equal(columns.begin() + 1, columns.end(), ends(rows.front()).begin() + 1)) ++of_each;
    else ADD_FAILURE() << rows.front() << "\n" << rows[k];
  }
  EXPECT_GT(of_all, 0);
  EXPECT_GT(of_each, 1);

  Stepper wide(testing::program_trace("p26/butterfly_parallel_max", "test", 64), look);
  wide.run("goto 9");
  std::size_t shown = 0;
  const std::vector<std::string> alone = rows_of(wide, "info registers %max_val");
  for (std::size_t k = 1; k < alone.size(); k += 2) shown += ends(alone[k]).size() - 1;
  EXPECT_EQ(shown, 64U) << wide.run("info registers %max_val").text;
}

}  // namespace stepper_test
}  // namespace warpsim
