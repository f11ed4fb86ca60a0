// The screen of `warpsim tui`, drawn without a terminal. What a terminal makes of it: tests/tui/.
#include "tools/terminal/tui.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/support/every_program.h"
#include "tools/terminal/tui_arrows.h"
#include "tools/terminal/tui_lanes.h"
#include "traces/replay/phase_view.h"

namespace warpsim {
namespace {

using tools::Key;
using tools::Screen;
using tools::Tui;

Key key(char c) { return {Key::Kind::Character, std::string(1, c)}; }

std::vector<std::string> rows_of(const Screen& screen) {
  std::vector<std::string> rows;
  for (std::size_t y = 0; y < screen.height(); ++y) rows.push_back(screen.row(y));
  return rows;
}

// The words of the first row below `from` that begins, in the lanes' pane, with `name`.
std::vector<std::string> words_after(const Screen& screen, const std::string& name, std::size_t from = 0) {
  for (std::size_t y = from; y < screen.height(); ++y) {
    const std::string row = screen.row(y);
    const std::size_t pane = row.find("|" + name);
    if (pane == std::string::npos) continue;
    std::istringstream in(row.substr(pane + 1 + name.size()));
    std::vector<std::string> words;
    for (std::string word; in >> word;) words.push_back(word);
    return words;
  }
  return {};
}

const tools::StepperLook kAscii{Language::English, true, 80};

TEST(Tui, EverySizeIsFilledAndNoRowIsLonger) {
  for (const Language language : {Language::English, Language::Korean}) {
    Tui tui(testing::program_trace("p26/butterfly_parallel_max", "test", 32), {language, false, 80});
    tui.press(key(']'));
    tui.press(key('w'));
    for (std::size_t width = 1; width <= 200; width += width < 78 ? 11 : 1)
      for (std::size_t height = 24; height <= 60; height += 4) {
        tui.press({Key::Kind::Tab, ""});
        const Screen screen = tui.draw(width, height);
        ASSERT_EQ(screen.width(), width);
        ASSERT_EQ(screen.height(), height);
        for (const std::string& row : rows_of(screen)) ASSERT_EQ(columns_of(row), width) << row;
        const bool small = width < tools::kLeastColumns;
        EXPECT_EQ(screen.row(0).find("p26/butterfly_parallel_max") == std::string::npos, small);
      }
  }
}

// Every register of every lane shown, at every moment, is what the history holds.
TEST(Tui, NumbersAreTheTraces) {
  Tui tui(testing::program_trace("p26/butterfly_parallel_max", "worked", 8), kAscii);
  const History& history = tui.stepper().history();
  int compared = 0;
  for (std::size_t n = 0; n <= history.size(); ++n) {
    const Screen screen = tui.draw(160, 60);
    for (std::size_t reg = 0; reg < history.head().registers.size(); ++reg) {
      std::vector<std::string> words = words_after(screen, history.head().registers[reg].name + " ");
      if (words.size() != 8) continue;  // one value for all
      for (unsigned lane = 0; lane < 8; ++lane) {
        std::string& word = words[lane];
        word.erase(0, word.find_first_not_of("*=."));
        const TemplateValue value = history.value(0, 0, static_cast<std::int32_t>(reg), lane);
        std::string wanted = tui.stepper().value_text(value);
        if (value.type == Type::Pred && wanted != "?") wanted = value.bits != 0 ? "T" : "F";
        EXPECT_EQ(word, wanted) << history.head().registers[reg].name << "#" << lane << " after " << n << " events";
        ++compared;
      }
    }
    tui.press(key('n'));
  }
  EXPECT_GT(compared, 26 * 8 * 5);
}

TEST(Tui, AShuffleIsDrawn) {
  Tui tui(testing::program_trace("p26/butterfly_parallel_max", "worked", 8), kAscii);
  tui.press(key(']'));
  const Screen screen = tui.draw(80, 24);
  std::size_t at = 0;
  while (at < 24 && screen.row(at).find("v    v    v    v    v    v    v    v") == std::string::npos) ++at;
  ASSERT_LT(at, 24U);
  EXPECT_EQ(words_after(screen, "%max_val", at - 5),
            (std::vector<std::string>{"0", "2", "4", "6", "8", "10", "12", "1000"}));
  EXPECT_EQ(words_after(screen, "%other", at), (std::vector<std::string>{"8", "10", "12", "1000", "0", "2", "4", "6"}));
  EXPECT_EQ(words_after(screen, "from", at), (std::vector<std::string>{"4", "5", "6", "7", "0", "1", "2", "3"}));
  EXPECT_NE(screen.row(at - 4).find("+----+----+----+----+    |    |    |"), std::string::npos) << screen.row(at - 4);
  EXPECT_NE(screen.row(at - 1).find("|    |    |    +----+----+----+----+"), std::string::npos) << screen.row(at - 1);
}

// Following an arrow's line from its head ends at the column of the lane that the trace names.
TEST(Tui, ArrowsLeadFromTheirLane) {
  tools::ArrowField field;
  field.width = 40;
  field.rows = 12;
  for (int lane = 0; lane < 8; ++lane) field.column.push_back(5 * lane + 4);
  // A shift by one, and a lane that all read.
  std::vector<tools::LaneArrow> shift{{0, 0, tools::LaneArrow::Kind::Keeps}}, all;
  for (unsigned lane = 0; lane < 8; ++lane) {
    if (lane > 0) shift.push_back({lane - 1, lane});
    all.push_back({2, lane});
  }
  const auto text = [&](const std::vector<tools::LaneArrow>& arrows) {
    const tools::ArrowPicture picture = tools::draw_arrows(arrows, field);
    EXPECT_EQ(picture.left_out, 0U);
    Screen screen(40, picture.rows);
    for (const tools::ArrowCell& cell : picture.cells) screen.put(static_cast<std::size_t>(cell.x), cell.y, cell.text);
    std::string lines;
    for (const std::string& row : rows_of(screen)) lines += row + "\n";
    return lines;
  };
  EXPECT_EQ(text(shift),
            "   ┌┴───┐└───┐└───┐└───┐└───┐└───┐└───┐ \n"
            "   │    ▼    ▼    ▼    ▼    ▼    ▼    ▼ \n");
  EXPECT_EQ(text(all),
            "   ┌────┬────┬┴───┬────┬────┬────┬────┐ \n"
            "   ▼    ▼    ▼    ▼    ▼    ▼    ▼    ▼ \n");
}

TEST(Tui, KeysAndCommandsDoTheSame) {
  const Trace trace = testing::program_trace("p26/butterfly_parallel_max", "worked", 8);
  Tui by_key(trace, kAscii), by_word(trace, kAscii);
  const auto say = [&](const std::string& command) {
    by_word.press(key(':'));
    for (const char c : command) by_word.press(key(c));
    return by_word.press({Key::Kind::Enter, ""});
  };
  const std::vector<std::pair<Key, std::string>> motions = {{key('n'), "step"},
                                                            {key(' '), "step"},
                                                            {key('p'), "rstep"},
                                                            {key(']'), "goto 9"},
                                                            {key(']'), "goto 14"},
                                                            {key('['), "goto 9"},
                                                            {key('b'), "break 34"},
                                                            {key('c'), "continue"},
                                                            {key('C'), "rcontinue"},
                                                            {{Key::Kind::End, ""}, "goto 26"},
                                                            {{Key::Kind::Home, ""}, "goto 0"},
                                                            {key('N'), "next"}};
  for (const auto& [pressed, command] : motions) {
    EXPECT_TRUE(by_key.press(pressed));
    EXPECT_TRUE(say(command));
    EXPECT_EQ(by_key.stepper().history().position(), by_word.stepper().history().position()) << command;
  }
  EXPECT_FALSE(say("quit"));
  EXPECT_FALSE(by_key.press(key('q')));
}

TEST(Tui, TypingIsEdited) {
  Tui tui(testing::program_trace("p26/butterfly_pair_swap", "test", 4), kAscii);
  tui.press(key(':'));
  for (const char c : std::string("stpe")) tui.press(key(c));
  tui.press({Key::Kind::Backspace, ""});
  tui.press({Key::Kind::Left, ""});
  tui.press({Key::Kind::Character, "e"});
  EXPECT_EQ(tui.state().typed, "step");
  tui.press({Key::Kind::Enter, ""});
  EXPECT_EQ(tui.stepper().history().position(), 1U);
  tui.press(key(':'));
  tui.press({Key::Kind::Up, ""});
  EXPECT_EQ(tui.state().typed, "step");
  tui.press({Key::Kind::Escape, ""});
  EXPECT_FALSE(tui.state().typing);
}

TEST(Tui, TheHelpPageIsWhole) {
  for (const Language language : {Language::English, Language::Korean}) {
    Tui tui(testing::program_trace("p26/butterfly_pair_swap", "test", 8), {language, false, 80});
    tui.press(key('?'));
    for (const std::string& row : rows_of(tui.draw(80, 24))) EXPECT_EQ(row.find("…"), std::string::npos) << row;
  }
}

TEST(Tui, TabCompletesWhatIsTyped) {
  Tui tui(testing::program_trace("p26/butterfly_parallel_max", "worked", 8), kAscii);
  const auto typed_as = [&](const std::string& keys) {
    tui.press({Key::Kind::Escape, ""});
    tui.press(key(':'));
    for (const char c : keys) tui.press(c == '\t' ? Key{Key::Kind::Tab, ""} : key(c));
    return tui.state().typed;
  };
  EXPECT_EQ(typed_as("adv\t34"), "advance 34");
  EXPECT_EQ(typed_as("print %max\t#3"), "print %max_val#3");
  EXPECT_EQ(typed_as("rst\t\t"), "rstep");  // or rstepi
  EXPECT_EQ(tui.state().answers.back(), "rstep  rstepi");
  EXPECT_EQ(typed_as("print %nothing\t"), "print %nothing");
}

// What a key adds to the sentence and the next line, which the screen always shows.
TEST(Tui, NoticesSayWhatTheScreenDoesNot) {
  Tui tui(testing::program_trace("p26/butterfly_parallel_max", "worked", 8), kAscii);
  for (const char c : std::string(":break 33")) tui.press(key(c));
  tui.press({Key::Kind::Enter, ""});
  tui.press(key('n'));
  EXPECT_EQ(tui.state().notice, "");
  tui.press(key('c'));
  EXPECT_EQ(tui.state().notice, "Breakpoint 1, line 33");
  for (const char c : std::string(":display %max_val#7")) tui.press(key(c));
  tui.press({Key::Kind::Enter, ""});
  tui.press(key('n'));
  EXPECT_EQ(tui.state().notice, "1: %max_val#7 = 1000");
  tui.press(key(']'));
  EXPECT_EQ(tui.stepper().history().position(), 14U);
}

std::string text_of(const Screen& screen) {
  std::string text;
  for (const std::string& row : rows_of(screen)) text += row.substr(0, row.find_last_not_of(' ') + 1) + "\n";
  return text;
}

// The text left of the bar between the program and the lanes, of the row that begins so.
std::string program_row(const Screen& screen, const std::string& beginning) {
  for (const std::string& row : rows_of(screen))
    if (row.rfind(beginning, 0) == 0) return row.substr(0, row.find('|'));
  return "";
}

TEST(Tui, ATrapsReasonIsWholeAndItsLineIsMarked) {
  const Trace trace = testing::text_trace(testing::source_text("examples/pitfalls/divergent_barrier.warp"), 4);
  ASSERT_TRUE(trace.outcome.trap);
  Tui tui(trace, kAscii);
  tui.draw(80, 24);
  tui.press(key('c'));
  const Screen screen = tui.draw(80, 24);
  std::string words = text_of(screen);
  std::replace(words.begin(), words.end(), '\n', ' ');
  words.erase(std::unique(words.begin(), words.end(), [](char a, char b) { return a == ' ' && b == ' '; }),
              words.end());
  EXPECT_NE(words.find("The run has trapped: " + name_of(*trace.outcome.trap) + ": " +
                       english(trace.outcome.trap->message) + " "),
            std::string::npos)
      << text_of(screen);
  EXPECT_EQ(tui.state().notice.find("  "), std::string::npos) << tui.state().notice;
  EXPECT_EQ(program_row(screen, " ! ").substr(0, 12), " ! 9  bar.sy");
  EXPECT_NE(screen.row(23).find("q quit"), std::string::npos);
  tui.press(key('p'));
  EXPECT_EQ(program_row(tui.draw(80, 24), " ! "), "");
}

// Control that fell off the end is after the last instruction, where there is no line.
TEST(Tui, ATrapAfterTheLastInstructionMarksNoLineOfItsOwn) {
  Trace trace = testing::program_trace("p26/butterfly_pair_swap", "test", 4);
  trace.outcome.trap.emplace();
  trace.outcome.trap->kind = "fell-off-the-end";
  trace.outcome.trap->message = "control passed the last instruction";
  trace.outcome.trap->cycle = trace.outcome.cycles;
  trace.outcome.trap->pc = static_cast<std::int32_t>(trace.head.code.size());
  trace.outcome.ok = false;
  Tui tui(trace, kAscii);
  tui.draw(80, 24);
  tui.press(key('c'));
  const Screen screen = tui.draw(80, 24);
  EXPECT_NE(text_of(screen).find("fell-off-the-end"), std::string::npos) << text_of(screen);
  EXPECT_EQ(program_row(screen, " ! "), "");
}

// The sentence says why a run stopped, unless the notice does.
TEST(Tui, WhyARunStoppedIsSaidOnce) {
  const Trace trace = testing::text_trace(testing::source_text("examples/pitfalls/divergent_barrier.warp"), 4);
  Tui tui(trace, kAscii);
  const std::string beginning = english(trace.outcome.trap->message).substr(0, 20);
  for (const char* commands : {"c", ":frame\r", ":lanes\r"}) {
    for (const char c : std::string(commands)) tui.press(c == '\r' ? Key{Key::Kind::Enter, ""} : key(c));
    const std::string text = text_of(tui.draw(200, 40));
    const std::size_t first = text.find(beginning);
    EXPECT_NE(first, std::string::npos) << text;
    EXPECT_TRUE(commands[0] != 'c' || text.find(beginning, first + 1) == std::string::npos) << text;
  }
}

// 32 values do not fit three rows; of the list of commands as much is seen as half a screen holds.
TEST(Tui, AnswersHaveTheRoomThatTheyNeed) {
  Tui tui(testing::program_trace("p26/butterfly_parallel_max", "test", 32), kAscii);
  const auto ask = [&](const std::string& command) {
    tui.press(key(':'));
    for (const char c : command) tui.press(key(c));
    tui.press({Key::Kind::Enter, ""});
    return tui.draw(80, 24);
  };
  Screen screen = ask("print input");
  EXPECT_NE(text_of(screen).find("[31] "), std::string::npos) << text_of(screen);
  EXPECT_EQ(text_of(screen).find(" more lines"), std::string::npos) << text_of(screen);
  screen = ask("help");
  EXPECT_NE(screen.row(13).find("(warpsim) help"), std::string::npos) << text_of(screen);
  EXPECT_EQ(screen.row(22).rfind(" +", 0), 0U) << text_of(screen);
  EXPECT_NE(screen.row(22).find("more lines: PgDn"), std::string::npos) << text_of(screen);
  tui.press({Key::Kind::PageDown, ""});
  EXPECT_EQ(text_of(tui.draw(80, 24)).find("(warpsim) help"), std::string::npos);
  tui.press(key('n'));
  EXPECT_NE(tui.draw(80, 24).row(17).find("-----"), std::string::npos) << text_of(tui.draw(80, 24));
}

TEST(Tui, CtrlCCancelsWhatIsTypedAndLeavesOtherwise) {
  Tui tui(testing::program_trace("p26/butterfly_parallel_max", "worked", 8), kAscii);
  tui.press(key('n'));
  for (const char c : std::string(":conti")) tui.press(key(c));
  EXPECT_TRUE(tui.press({Key::Kind::Interrupt, ""}));
  EXPECT_FALSE(tui.state().typing);
  EXPECT_EQ(tui.stepper().history().position(), 1U);
  EXPECT_FALSE(tui.press({Key::Kind::Interrupt, ""}));
}

// Not the end of the file, where the cases are.
TEST(Tui, AtTheEndTheLastLineStays) {
  Tui tui(testing::program_trace("p26/butterfly_parallel_max", "worked", 8), kAscii);
  tui.press({Key::Kind::End, ""});
  EXPECT_NE(program_row(tui.draw(80, 24), " #46").find(" exit"), std::string::npos) << text_of(tui.draw(80, 24));
  EXPECT_NE(tui.draw(80, 24).row(23).find("q quit"), std::string::npos);
}

TEST(Tui, NamesAreWholeWhereTheLanesLeaveRoom) {
  Tui tui(testing::program_trace("p26/warp_partition", "test", 8), kAscii);
  tui.press(key(']'));
  const std::string text = text_of(tui.draw(80, 24));
  for (const char* name : {"|%predicate_left ", "|%predicate_right ", "|%warp_left_pos ", "|%warp_right_pos "})
    EXPECT_NE(text.find(name), std::string::npos) << name << "\n" << text;
}

TEST(Tui, NamesThatAreCutStayApart) {
  std::vector<TraceRegister> registers;
  for (const char* name : {"%warp_left_total", "%warp_right_total", "%warp_left_pos", "%warp_right_pos",
                           "%predicate_left", "%predicate_right", "%sum_of_all_lanes", "%sum_of_odd_lanes", "%x"}) {
    registers.emplace_back();
    registers.back().name = name;
  }
  EXPECT_EQ(tools::distinct_name(registers, 1, 12, "~"), "%warp_r~otal");
  EXPECT_EQ(tools::distinct_name(registers, 8, 10, "~"), "%x");
  for (std::size_t columns = 6; columns <= 20; ++columns) {
    std::vector<std::string> cut;
    for (std::size_t reg = 0; reg < registers.size(); ++reg) {
      cut.push_back(tools::distinct_name(registers, reg, columns, "~"));
      EXPECT_LE(cut.back().size(), columns);
    }
    std::sort(cut.begin(), cut.end());
    EXPECT_EQ(std::adjacent_find(cut.begin(), cut.end()), cut.end()) << columns << " columns";
  }
}

TEST(Tui, WhatComesNextIsBelowALongSentence) {
  Tui tui(testing::program_trace("p26/warp_partition", "test", 64), kAscii);
  tui.press(key(']'));
  const Screen screen = tui.draw(80, 24);
  EXPECT_EQ(screen.row(19).rfind(" lanes active", 0), 0U) << text_of(screen);
  EXPECT_EQ(screen.row(20).rfind(" > 57 @%there add.f32", 0), 0U) << text_of(screen);
}

TEST(Tui, TheProgramHasAQuarterWhereTheLanesCannotAllBeSeen) {
  Tui tui(testing::program_trace("p26/butterfly_parallel_max", "worked", 64), kAscii);
  for (const std::size_t width : {120U, 160U, 200U})
    EXPECT_EQ(program_row(tui.draw(width, 50), " >18").size(), width / 4);
}

TEST(Screen, HostileTextStaysText) {
  Screen screen(9, 1);
  screen.put(0, 0, "a\x1b[2J\xff한글");
  EXPECT_EQ(screen.row(0), "a?[2J?한 ");  // 글 does not fit
  screen.put(7, 0, "x");                  // over half of a wide character
  EXPECT_EQ(columns_of(screen.row(0)), 9U);
  EXPECT_EQ(fitted("한글", 3, "~"), "한~");
  EXPECT_EQ(wrapped_at("one two three", 7), (std::vector<std::string>{"one two", "three"}));
}

}  // namespace
}  // namespace warpsim
