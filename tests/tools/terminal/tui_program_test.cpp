// What fits a screen of 80 columns and 24 rows: the program without its directives, whole pages of lanes, whole arrows.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/every_program.h"
#include "tools/terminal/tui.h"
#include "tools/terminal/tui_arrows.h"
#include "tools/terminal/tui_program.h"

namespace warpsim {
namespace tui_program_test {

using tools::Key;
using tools::Pane;
using tools::Screen;
using tools::Tui;

const tools::StepperLook kAscii{Language::English, true, 80};

Key key(char c) { return {Key::Kind::Character, std::string(1, c)}; }

void type(Tui& tui, const std::string& command) {
  for (const char c : ":" + command) tui.press(key(c));
  tui.press({Key::Kind::Enter, ""});
}

std::string text_of(const Screen& screen) {
  std::string text;
  for (std::size_t y = 0; y < screen.height(); ++y) text += screen.row(y) + "\n";
  return text;
}

// Of every program: each instruction's line once, and beside them nothing but labels.
TEST(TuiProgram, HasInstructionsAndLabelsAndNoDirectives) {
  for (const std::string& name : testing::all_program_names()) {
    SCOPED_TRACE(name);
    const Assembled assembled = testing::assemble_program(name);
    const Case& one = assembled.lesson()->cases.at(0);
    const Trace trace = testing::program_trace(name, one.name, testing::about_8_lanes(*assembled.lesson(), one));
    std::vector<std::uint32_t> lines, executed;
    for (const tools::ProgramLine& line : tools::program_lines(trace.head, tools::NumberedLines(trace.head), 1)) {
      lines.push_back(line.line);
      const std::size_t code = std::min(line.text.find_first_not_of(' '), line.text.size());
      const bool is_label = line.text.back() == ':' && code == 0;
      EXPECT_NE(line.text[code], '.') << line.text;
      EXPECT_NE(line.text.substr(code, 2), "//");
      for (const char* directive : {" .phase", " .draw", " .picture"})
        EXPECT_EQ(line.text.find(directive), std::string::npos) << line.text;
      if (!is_label) executed.push_back(line.line);
    }
    EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end()));
    std::vector<std::uint32_t> wanted;
    for (const TraceInsn& insn : trace.head.code) wanted.push_back(insn.line);
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    EXPECT_EQ(executed, wanted);
  }
}

// The step of line 30 begins with a label; lines 31, 32 and 29 are none.
TEST(TuiProgram, TheCursorGoesByLinesThatAreShown) {
  Tui tui(testing::program_trace("p26/butterfly_parallel_max", "worked", 8), kAscii);
  type(tui, "goto 8");
  std::vector<std::uint32_t> seen;
  for (const Key::Kind kind : {Key::Kind::Up, Key::Kind::Up, Key::Kind::Down, Key::Kind::Down, Key::Kind::Down}) {
    tui.press({kind, ""});
    seen.push_back(tui.state().cursor);
  }
  EXPECT_EQ(seen, (std::vector<std::uint32_t>{30, 28, 30, 33, 34}));
  EXPECT_EQ(text_of(tui.draw(80, 24)).find(" .draw"), std::string::npos);
}

// Every lane of every page that receives has its arrowhead, whatever the shuffle; none is left out for lack of rows.
TEST(TuiProgram, ArrowsAreWholeOnEveryPage) {
  int heads = 0;
  for (const char* name :
       {"p26/butterfly_parallel_max", "p25/neighbor_difference", "p25/broadcast_shuffle_coordination", "scan/blelloch",
        "scan/hillis_steele_inclusive", "p26/warp_partition"})
    for (const unsigned lanes : {16U, 32U, 64U}) {
      Tui tui(testing::program_trace(name, "test", lanes), kAscii);
      for (int shuffles = 0; shuffles < 6; ++shuffles) {
        tui.press(key(']'));
        if (tui.state().sent_register < 0) break;
        for (unsigned lane = 0; lane < lanes; ++lane) {
          const Screen screen = tui.draw(80, 24);
          std::size_t from = 0;
          while (from < 24 && screen.row(from).find("|from ") == std::string::npos) ++from;
          ASSERT_LT(from, 24U) << text_of(screen);
          const std::string sources = screen.row(from), row = screen.row(from - 2);
          const std::size_t pane = sources.find("|from ") + 5;
          for (const char* left_out : {"|+1", "|+2", "|+3", "|+4"})
            EXPECT_EQ(text_of(screen).find(left_out), std::string::npos) << name << "\n" << text_of(screen);
          for (std::size_t x = pane; x + 1 < sources.size(); ++x) {
            if (sources[x] == ' ' || sources[x + 1] != ' ') continue;
            const bool has_head = std::string("v|x").find(row[x]) != std::string::npos ||
                                  std::string("v|x").find(row[x - 1]) != std::string::npos;
            EXPECT_TRUE(has_head) << name << " at " << lanes << " lanes, column " << x << "\n" << text_of(screen);
            ++heads;
          }
          type(tui, "lane all");
          tui.press(key('l'));
        }
        for (unsigned lane = 0; lane < lanes; ++lane) tui.press(key('h'));
      }
    }
  EXPECT_GT(heads, 1000);
}

// A lane beyond the edge is a stub that points there, and takes no row of its own.
TEST(TuiProgram, ArrowsBeyondAnEdgeAreStubs) {
  tools::ArrowField field;
  field.width = 20;
  field.rows = 12;
  field.column = {-1, -1, 4, 9, 14, 20, 20};
  const auto text = [&](const std::vector<tools::LaneArrow>& arrows) {
    const tools::ArrowPicture picture = tools::draw_arrows(arrows, field);
    Screen screen(20, picture.rows);
    for (const tools::ArrowCell& cell : picture.cells) screen.put(static_cast<std::size_t>(cell.x), cell.y, cell.text);
    return text_of(screen);
  };
  EXPECT_EQ(text({{2, 5}, {5, 2}, {3, 6}, {6, 3}}),
            "    ├─   ├─         \n"
            "    ▼    ▼          \n");
  EXPECT_EQ(text({{4, 0}, {0, 4}}),
            "             ─┤     \n"
            "              ▼     \n");
  EXPECT_EQ(text({{1, 2}, {2, 3}, {3, 4}, {4, 5}}),
            "  ─┐└───┐└───┐└─    \n"
            "   ▼    ▼    ▼      \n");
  EXPECT_EQ(text({{2, 2}, {2, 3}, {2, 4}, {2, 5}}),
            "   ┌┴───┬────┬─     \n"
            "   ▼    ▼    ▼      \n");
  EXPECT_EQ(text({{0, 2}, {0, 3}, {0, 4}}),
            "  ─┐   ─┐   ─┐      \n"
            "   ▼    ▼    ▼      \n");
}

// Lanes that a butterfly's short steps exchange are on one page.
TEST(TuiProgram, APageIsAPowerOfTwo) {
  Tui tui(testing::program_trace("p25/neighbor_difference", "test", 32), kAscii);
  for (const std::size_t width : {80U, 90U, 100U, 120U}) {
    const std::string row = tui.draw(width, 24).row(1);
    const std::size_t last = row.find_last_not_of(' '), blank = row.rfind(' ', last);
    const unsigned shown = static_cast<unsigned>(std::stoul(row.substr(blank))) + 1;
    EXPECT_EQ(shown & (shown - 1), 0U) << row;
    EXPECT_GE(shown, 8U) << row;
  }
}

TEST(TuiProgram, GdbsWordsChooseTheLaneAndThePane) {
  Tui tui(testing::program_trace("p26/butterfly_parallel_max", "worked", 8), kAscii);
  type(tui, "lane 5");
  EXPECT_EQ(tui.state().lane, 5U);
  tui.press(key('h'));
  type(tui, "step");
  EXPECT_EQ(tui.state().lane, 4U) << "what the keys chose stays";
  for (const auto& [layout, pane] : std::vector<std::pair<std::string, Pane>>{
           {"regs", Pane::Lanes}, {"src", Pane::Program}, {"next", Pane::Lanes}, {"prev", Pane::Program}}) {
    type(tui, "layout " + layout);
    EXPECT_EQ(tui.state().pane, pane) << layout;
  }
}

}  // namespace tui_program_test
}  // namespace warpsim
