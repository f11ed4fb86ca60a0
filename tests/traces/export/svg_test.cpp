// What the pictures say beside arrows: collectives as what they are, second destinations, whole titles, traps.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "tests/support/every_program.h"
#include "traces/export/export.h"
#include "traces/export/network.h"
#include "traces/export/svg_parts.h"

namespace warpsim {
namespace {

std::string svg_of(const std::string& body, unsigned lanes) {
  const std::string text = ".kernel t (in input: u32[size], out output: u32[size], param size: u32 = WARP_SZ)\n" +
                           body + "\n        exit\n.case test\n    input = i\n";
  const Trace trace = testing::text_trace(text, lanes);
  return export_svg(trace.head, network_of(trace, 0, 0));
}

struct Line {
  int x1, y1, x2, y2;
};
std::vector<Line> lines_of(const std::string& svg, const std::string& kind) {
  std::vector<Line> lines;
  const std::string number = "\"([0-9]+)\"";
  const std::regex pattern("<line class=\"line " + kind + "\" x1=" + number + " y1=" + number + " x2=" + number +
                           " y2=" + number + "/>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    lines.push_back({std::stoi((*at)[1]), std::stoi((*at)[2]), std::stoi((*at)[3]), std::stoi((*at)[4])});
  return lines;
}
std::size_t heads(const std::string& svg) {
  std::size_t found = 0;
  for (std::size_t at = svg.find("data-gather"); at != std::string::npos; at = svg.find("data-gather", at + 1)) ++found;
  return found;
}

TEST(Svg, AScanIsAStaircase) {
  for (const unsigned lanes : {8U, 32U, 64U}) {
    SCOPED_TRACE(lanes);
    const std::string inclusive = svg_of("        ld.global.u32 %v, input[%gtid]\n        scan.add.u32 %s, %v", lanes);
    const std::vector<Line> stairs = lines_of(inclusive, "bus");
    std::size_t across = 0;
    for (std::size_t k = 0; k < stairs.size(); ++k) {
      if (stairs[k].x1 < stairs[k].x2) ++across;
      EXPECT_LE(stairs[k].x1, stairs[k].x2);
      EXPECT_LE(stairs[k].y1, stairs[k].y2);
      if (k == 0) continue;  // without a gap from the first lane to the last
      EXPECT_EQ(stairs[k].x1, stairs[k - 1].x2);
      EXPECT_EQ(stairs[k].y1, stairs[k - 1].y2);
    }
    EXPECT_EQ(across, lanes - 1);
    EXPECT_GT(stairs.back().y2, stairs.front().y1 + 20) << "it goes down";
    EXPECT_EQ(heads(inclusive), lanes);
    const std::string exclusive =
        svg_of("        ld.global.u32 %v, input[%gtid]\n        scan.add.exclusive.u32 %s, %v", lanes);
    EXPECT_EQ(heads(exclusive), lanes - 1) << "lane 0 gets nothing";
  }
}

TEST(Svg, AReductionHasTwoBarsAndAVoteOne) {
  const std::string load = "        ld.global.u32 %v, input[%gtid]\n";
  const std::vector<Line> reduction = lines_of(svg_of(load + "        reduce.max.u32 %m, %v", 8), "bus");
  ASSERT_EQ(reduction.size(), 3U);  // two bars and what joins them
  EXPECT_EQ(reduction[0].x1, reduction[1].x1);
  EXPECT_EQ(reduction[0].x2, reduction[1].x2);
  EXPECT_EQ(reduction[2].x1, (reduction[0].x1 + reduction[0].x2) / 2);
  const std::string vote = svg_of(load + "        setp.gt.u32 %p, %v, 3\n        vote.ballot.mask %m, %p", 8);
  EXPECT_EQ(lines_of(vote, "bus").size(), 1U);
  EXPECT_EQ(heads(vote), 8U);
}

TEST(Svg, TheSecondDestinationIsBelow) {
  const std::string svg = svg_of(
      "        ld.global.u32 %v, input[%gtid]\n        shfl.up.b32 %left|%there, %v, 1\n        st.global.u32 "
      "output[%gtid], %left\n        @%there add.u32 %v, %v, 1",
      4);
  const auto captions = [&](const std::string& word) {
    const std::regex pattern("<text class=\"caption\"[^>]*>" + word + "</text>");
    return std::distance(std::sregex_iterator(svg.begin(), svg.end(), pattern), std::sregex_iterator());
  };
  EXPECT_EQ(captions("true"), 3);
  EXPECT_EQ(captions("false"), 1);
}

TEST(Svg, ATrapIsSaid) {
  const std::string svg = svg_of("        add.u32 %i, %gtid, 3\n        st.global.u32 output[%i], %i", 8);
  std::string words;
  const std::regex pattern("<text class=\"stop\"[^>]*>([^<]*)</text>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at)
    words += (words.empty() ? "" : " ") + (*at)[1].str();
  EXPECT_EQ(words, "stopped here: lane 5 writes output[8], 1 element past the end of its 8; so do 2 other lanes");
  const std::regex fault("<rect class=\"fault\"");
  EXPECT_EQ(std::distance(std::sregex_iterator(svg.begin(), svg.end(), fault), std::sregex_iterator()), 3);
  EXPECT_EQ(svg_of("        add.u32 %i, %gtid, 3", 8).find("stopped here"), std::string::npos);
}

TEST(Svg, TitlesAreWhole) {
  const std::vector<std::string> lines = wrapped("a title of many words, which is longer than one line of twenty", 20);
  EXPECT_EQ(lines,
            (std::vector<std::string>{"a title of many", "words, which is", "longer than one line", "of twenty"}));
  int long_ones = 0;
  testing::for_each_program([&](const Program&, const Trace& trace) {
    const Network net = network_of(trace, 0, 0);
    const std::string svg = export_svg(trace.head, net);
    for (const NetworkRow& row : net.rows) {
      const std::vector<std::string> title = wrapped(row.title, 60);
      long_ones += title.size() > 1 ? 1 : 0;
      for (const std::string& line : title)
        EXPECT_TRUE(line.empty() || svg.find(">" + xml_text(line) + "</text>") != std::string::npos) << line;
    }
  });
  EXPECT_GT(long_ones, 10);
}

// A step's words are together, apart from those of the step before.
TEST(Svg, LabelsKeepApart) {
  int steps = 0;
  const std::regex pattern("<text class=\"(phase|op|dim)\" x=\"20\" y=\"([0-9]+)\"");
  testing::for_each_program([&](const Program&, const Trace& trace) {
    const std::string svg = export_svg(trace.head, network_of(trace, 0, 0));
    int last = 0;
    std::string kind;
    for (std::sregex_iterator at(svg.begin(), svg.end(), pattern), end; at != end; ++at) {
      const int y = std::stoi((*at)[2]);
      const bool begins = (*at)[1] == "phase" && kind != "phase";
      EXPECT_GE(y - last, begins ? 34 : 16) << at->str();
      steps += begins ? 1 : 0;
      last = y;
      kind = (*at)[1];
    }
  });
  EXPECT_GT(steps, 200);
}

}  // namespace
}  // namespace warpsim
