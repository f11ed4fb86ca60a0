// Exported pictures, SVG and DOT, say what the trace says: over every program, read back by other means.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "isa/text/word.h"
#include "tests/support/every_program.h"
#include "tests/traces/export/export_run.h"
#include "traces/export/export_parts.h"
#include "traces/export/network.h"
#include "traces/replay/phase_view.h"

namespace warpsim {
namespace {

using testing::count;
using testing::for_each_program;
using testing::scratch;
using testing::stream;
using testing::xml_fault;

using Ends = std::pair<unsigned, unsigned>;  // from, to

// What the arrows of the picture join, in writing order.
std::vector<Ends> arrows_in(const std::string& svg) {
  std::vector<Ends> ends;
  for (std::size_t at = svg.find("data-from=\""); at != std::string::npos; at = svg.find("data-from=\"", at + 1)) {
    unsigned from = 0, to = 0;
    EXPECT_EQ(std::sscanf(svg.c_str() + at, "data-from=\"%u\" data-to=\"%u\"", &from, &to), 2);
    ends.emplace_back(from, to);
  }
  return ends;
}

// Whether a lane uses what it got in a register by event `got`, before it gets something else there.
bool uses_it(const Trace& trace, const std::vector<const TraceEvent*>& mine, std::size_t got, std::int32_t reg,
             unsigned lane) {
  const std::string& name = trace.head.registers[static_cast<std::size_t>(reg)].name;
  for (std::size_t k = got + 1; k < mine.size(); ++k) {
    const TraceEvent& event = *mine[k];
    const TraceInsn& insn = trace.head.code[static_cast<std::size_t>(event.pc)];
    if (has_lane(event.group, lane) && insn.guard.reg == reg) return true;
    if (!has_lane(event.active, lane)) continue;
    const std::span<const Slot> form = slots(insn.row->form);
    for (std::size_t n = 0; n < insn.operands.size(); ++n) {
      if (form[n].role == Role::Dst || form[n].role == Role::DstPred) continue;
      for (std::size_t at = insn.operands[n].find(name); at != std::string::npos;
           at = insn.operands[n].find(name, at + 1))
        if (at + name.size() == insn.operands[n].size() || !is_word(insn.operands[n][at + name.size()])) return true;
    }
    for (const TraceWrite& write : event.writes)
      if (write.reg == reg && has_lane(write.lanes, lane)) return false;
  }
  return false;
}

// The same from the trace's `from`. A lane that never uses what it gets may have no arrow.
void expect_arrows(const Trace& trace, std::uint32_t block, std::uint32_t warp) {
  const std::vector<Ends> drawn = arrows_in(export_svg(trace.head, network_of(trace, block, warp)));
  std::vector<const TraceEvent*> mine;
  for (const TraceEvent& event : trace.events)
    if (event.block == block && event.warp == warp) mine.push_back(&event);
  std::size_t at = 0;
  for (std::size_t k = 0; k < mine.size(); ++k) {
    if (!mine[k]->exchange) continue;
    const TraceExchange& exchange = *mine[k]->exchange;
    const std::int32_t reg = mine[k]->writes.empty() ? -1 : mine[k]->writes.front().reg;
    std::size_t n = 0;
    for_each_lane(exchange.lanes, [&](unsigned lane) {
      const Ends ends(exchange.from[n++], lane);
      if (at < drawn.size() && drawn[at] == ends) ++at;
      else
        EXPECT_FALSE(reg >= 0 && uses_it(trace, mine, k, reg, lane))
            << trace.head.program << ": no arrow " << ends.first << " to " << ends.second << ", event " << k;
    });
  }
  EXPECT_EQ(at, drawn.size()) << "arrows that the trace does not have";
}

TEST(ExportSvg, HasTheArrowsOfTheTraceAndIsXml) {
  std::size_t arrows = 0;
  for_each_program(
      [&](const Lesson&, const Trace& trace) {
        const std::string svg = export_svg(trace.head, network_of(trace, 0, 0));
        std::string body = svg;
        body.erase(body.find("<style>"), body.find("</style>") - body.find("<style>") + 8);
        EXPECT_EQ(xml_fault(body), "");
        EXPECT_EQ(svg, export_svg(trace.head, network_of(trace, 0, 0)));
        expect_arrows(trace, 0, 0);
        expect_arrows(trace, trace.events.back().block, trace.events.back().warp);
        arrows += arrows_in(svg).size();
      },
      testing::LanesInTurn());
  EXPECT_GT(arrows, 1000U);
}

TEST(ExportSvg, AHostileTitleIsText) {
  Trace trace = testing::sample_trace(8);
  trace.head.title = "</text><script>alert(1)</script>&\x01\xEF\xBF\xBF";
  trace.head.code[0].text = "\"><image href='x' onerror=alert(1)>";
  std::string svg = export_svg(trace.head, network_of(trace, 1, 1));
  EXPECT_EQ(svg.find("<script"), std::string::npos);
  EXPECT_EQ(svg.find("<image"), std::string::npos);
  svg.erase(svg.find("<style>"), svg.find("</style>") - svg.find("<style>") + 8);
  EXPECT_EQ(xml_fault(svg), "");
}

// The picture in README.md. WARPSIM_REBASE=1 writes it anew; then look at it.
TEST(ExportSvg, TheReadmesPictureIsTheTraces) {
  const testing::RecordedRun run = testing::record_run("p26/butterfly_parallel_max", "worked", {});
  ASSERT_EQ(run.error, "");
  const std::string path = WARPSIM_SOURCE_DIR "/traces/pictures/butterfly.svg",
                    now = export_svg(run.trace.head, network_of(run.trace, 0, 0));
  if (std::getenv("WARPSIM_REBASE") != nullptr) std::ofstream(path) << now;
  std::ifstream in(path);
  EXPECT_EQ(now, std::string(std::istreambuf_iterator<char>(in), {}));
}

// Two guarded instructions take one shuffle's result: the even lanes add it, the odd ones take it over. By hand: every
// lane's neighbour.
TEST(ExportSvg, BothSidesOfAGuardHaveTheirArrows) {
  const std::string head =
      ".kernel k (out o: u32[8])\n and.b32 %bit, %laneid, 1\n setp.eq.u32 %even, %bit, 0\n"
      " mov.u32 %v, %laneid\n shfl.bfly.b32 %got, %v, 1\n";
  const std::vector<Ends> all = {{1, 0}, {0, 1}, {3, 2}, {2, 3}, {5, 4}, {4, 5}, {7, 6}, {6, 7}};
  for (const std::string both : {"@%even add.u32 %v, %v, %got\n @!%even mov.u32 %v, %got\n",
                                 "@%even add.u32 %v, %v, %got\n add.u32 %bit, %bit, 1\n @!%even mov.u32 %v, %got\n",
                                 "@%even add.u32 %v, %v, %got\n @!%even mov.u32 %w, %got\n"}) {
    const Trace trace = testing::text_trace(head + both + " st.global.u32 o[%laneid], %v\n exit\n.case test\n", 8);
    EXPECT_EQ(arrows_in(export_svg(trace.head, network_of(trace, 0, 0))), all) << both;
  }
  const Trace one_side =
      testing::text_trace(head + "@%even add.u32 %v, %v, %got\n st.global.u32 o[%laneid], %v\n exit\n.case test\n", 8);
  EXPECT_EQ(arrows_in(export_svg(one_side.head, network_of(one_side, 0, 0))).size(), 4U) << "the odd lanes drop it";
}

// By hand, 8 lanes: 4, 2 and 1 pairs on the way up, where the right lane listens; 1, 2 and 4 on the way down, both do.
TEST(ExportSvg, TheDownSweepHasBothDirections) {
  const testing::RecordedRun run = testing::record_run("scan/blelloch", "worked", {.lanes = 8});
  ASSERT_EQ(run.error, "");
  std::size_t to_the_right = 0, to_the_left = 0;
  for (const auto& [from, to] : arrows_in(export_svg(run.trace.head, network_of(run.trace, 0, 0)))) {
    to_the_right += from < to ? 1 : 0;
    to_the_left += from > to ? 1 : 0;
  }
  EXPECT_EQ(to_the_right, 14U);
  EXPECT_EQ(to_the_left, 7U);
}

// The butterfly of Mojo GPU Puzzle 26 at 8 lanes, by hand: three exchanges of all lanes, of 4, 2 and 1 lanes.
TEST(Network, OfTheButterflyIsAButterfly) {
  const testing::RecordedRun run = testing::record_run("p26/butterfly_parallel_max", "worked", {});
  ASSERT_EQ(run.error, "");
  const Network net = network_of(run.trace, 0, 0);
  std::vector<unsigned> distances;
  for (const NetworkRow& row : net.rows) {
    if (row.edges.empty() || row.more.empty()) continue;
    std::set<unsigned> reached;
    for (const NetworkEdge& edge : row.edges) {
      if (edge.kind != NetworkEdge::Kind::Moves) continue;
      reached.insert(edge.from ^ edge.to);
      EXPECT_LT(edge.to, 8U);
    }
    ASSERT_EQ(reached.size(), 1U);
    distances.push_back(*reached.begin());
  }
  EXPECT_EQ(distances, (std::vector<unsigned>{4, 2, 1}));
  const auto load = std::find_if(net.rows.begin(), net.rows.end(),
                                 [](const NetworkRow& row) { return row.text.rfind("ld.", 0) == 0; });
  ASSERT_NE(load, net.rows.end());
  std::vector<std::string> first, last;
  for (unsigned lane = 0; lane < 8; ++lane) {
    first.push_back(load->cells[lane].text);
    last.push_back(net.rows.back().cells[lane].text);
  }
  EXPECT_EQ(first, (std::vector<std::string>{"0", "2", "4", "6", "8", "10", "12", "1000"}));
  EXPECT_EQ(last, std::vector<std::string>(8, "1000"));
}

// Where `dot` draws each lane's nodes: one place from left to right for all rows.
void expect_columns(const std::string& dot, const std::string& of) {
  const std::string path = scratch("network.dot");
  std::ofstream(path) << dot;
  ASSERT_EQ(std::system(("dot -Tplain '" + path + "' > '" + path + ".txt'").c_str()), 0) << of;
  std::ifstream in(path + ".txt");
  std::map<std::string, std::set<std::string>> columns;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("node r", 0) != 0) continue;
    std::istringstream words(line.substr(5));
    std::string name, x;
    words >> name >> x;
    columns[name.substr(name.find('_'))].insert(x);
  }
  EXPECT_FALSE(columns.empty()) << of;
  for (const auto& [lane, places] : columns) EXPECT_EQ(places.size(), 1U) << of << ", lane " << lane;
  std::remove(path.c_str());
  std::remove((path + ".txt").c_str());
}

TEST(ExportDot, HasANodeForEachLaneAndRow) {
  const bool has_dot = std::system("dot -V 2>/dev/null") == 0;
  for_each_program(
      [&](const Lesson& program, const Trace& trace) {
        const Network net = network_of(trace, 0, 0);
        const std::string dot = export_dot(trace.head, net);
        std::size_t edges = 0;
        for (std::size_t k = 1; k < net.rows.size(); ++k)
          edges += net.rows[k].edges.size() + 2 * count_lanes(net.rows[k].gathered);
        EXPECT_EQ(count(dot, " [label="), net.rows.size() * count_lanes(net.present)) << program.full_name();
        EXPECT_EQ(count(dot, " -> r") + count(dot, " -> g"), edges) << program.full_name();
        EXPECT_EQ(dot.find("::"), std::string::npos) << program.full_name() << ": a title ends in its own colon";
        if (has_dot) expect_columns(dot, program.full_name());
      },
      testing::LanesInTurn());
}

}  // namespace
}  // namespace warpsim
