// What the exports say is what the trace says: over every program, read back by other means.
#include "traces/export.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <tuple>

#include "tests/support/every_program.h"
#include "tests/traces/sample_trace.h"
#include "traces/export_parts.h"
#include "traces/json_values.h"
#include "traces/network.h"
#include "traces/text_renderer_state.h"

namespace warpsim {
namespace {

using testing::for_each_program;

std::string stream(const Trace& trace, TraceConsumer (*form)(ExportOutput)) {
  std::string out;
  const TraceConsumer consumer = form([&out](std::string_view text) { out += text; });
  if (consumer.head) consumer.head(trace.head);
  for (const TraceEvent& event : trace.events) consumer.event(event);
  if (consumer.outcome) consumer.outcome(trace.outcome);
  return out;
}

// A file of this process alone: tests of several builds may run side by side.
std::string scratch(const std::string& name) { return ::testing::TempDir() + std::to_string(::getpid()) + name; }

// ---- csv

std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows(1, std::vector<std::string>(1));
  bool quoted = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    std::string& field = rows.back().back();
    if (quoted) {
      if (text[k] != '"') field += text[k];
      else if (k + 1 < text.size() && text[k + 1] == '"') field += '"', ++k;
      else quoted = false;
    } else if (text[k] == '"') {
      EXPECT_EQ(field, "") << "a quote inside a field";
      quoted = true;
    } else if (text[k] == ',') {
      rows.back().emplace_back();
    } else if (text[k] == '\r' && text.compare(k, 2, "\r\n") == 0) {
      ++k;
      rows.emplace_back(1);
    } else {
      field += text[k];
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(rows.back(), std::vector<std::string>(1)) << "the last row has no line end";
  rows.pop_back();
  return rows;
}

// A field read back as the bits of its type.
std::uint64_t bits_of(const std::string& field, Type type) {
  const bool text = field.find_first_not_of("0123456789+-.eE[], ") != std::string::npos && field[0] != '{' &&
                    field != "true" && field != "false";
  const bool wide = bits(type) == 64 && !is_float(type);
  if (type == Type::Pred) return field == "true" ? 1 : 0;
  if (type == Type::Mask) return std::strtoull(field.c_str(), nullptr, 16);
  const auto array = array_from_json("[" + (text || wide ? "\"" + field + "\"" : field) + "]", type);
  EXPECT_TRUE(std::holds_alternative<Array>(array)) << field << " as " << name(type);
  return std::holds_alternative<Array>(array) ? std::get<Array>(array).bits.at(0) : 0;
}

void expect_csv_of(const Trace& trace) {
  const std::vector<std::vector<std::string>> rows = read_csv(stream(trace, export_csv));
  ASSERT_EQ(rows.at(0).size(), 18U);
  std::size_t at = 1;
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    const TraceEvent& event = trace.events[k];
    for_each_lane(event.group, [&](unsigned lane) {
      std::vector<const TraceWrite*> writes;
      for (const TraceWrite& write : event.writes)
        if (has_lane(write.lanes, lane)) writes.push_back(&write);
      if (writes.empty()) writes.push_back(nullptr);
      for (const TraceWrite* write : writes) {
        ASSERT_LT(at, rows.size());
        const std::vector<std::string>& row = rows[at++];
        ASSERT_EQ(row.size(), 18U);
        EXPECT_EQ(row[0], std::to_string(k + 1));
        EXPECT_EQ(row[7], std::to_string(lane));
        EXPECT_EQ(row[9].empty(), write == nullptr);
        if (write != nullptr) {
          const TraceRegister& reg = trace.head.registers[static_cast<std::size_t>(write->reg)];
          const bool is_undefined = has_lane(write->undefined, lane);
          EXPECT_EQ(row[9], reg.name);
          EXPECT_EQ(row[12], is_undefined ? "false" : "true");
          if (!is_undefined) {
            EXPECT_EQ(bits_of(row[11], reg.type), write->bits[lane_place(write->lanes, lane)]) << row[11];
          }
        }
        const bool receives = event.exchange && has_lane(event.exchange->lanes, lane);
        EXPECT_EQ(row[13],
                  receives ? std::to_string(event.exchange->from[lane_place(event.exchange->lanes, lane)]) : "");
      }
    });
  }
  EXPECT_EQ(at, rows.size());
}

TEST(ExportCsv, ReadsBackToTheSameValues) {
  for_each_program([](const Program&, const Trace& trace) { expect_csv_of(trace); }, testing::LanesInTurn());
  for (const unsigned lanes : {8U, 64U}) {
    Trace odd = testing::sample_trace(lanes);  // NaNs, pairs, 64-bit integers, undefined lanes
    odd.head.registers[1].name = "%a,\"b\"\r\n";
    expect_csv_of(odd);
  }
}

// ---- pictures

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// "" if every element that opens closes again, attributes are quoted and no markup stands in text.
std::string xml_fault(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const unsigned char c = static_cast<unsigned char>(text[at]);
    if (c < 0x20 && c != '\n') return "a control character";
    if (c == '&') {
      const std::string entity = text.substr(at, text.find(';', at) - at);
      if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot") return entity;
    }
    if (c == '>') return "a bare >";
    if (c != '<') continue;
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return "an open tag";
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (tag.find('<') != std::string::npos || count(tag, "\"") % 2 != 0) return "a broken tag: " + tag;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "closes nothing: " + tag;
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    at = end;
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

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

// The same from the trace's `from`. Where the operation fused with the shuffle leaves a lane out, its arrow may be too.
void expect_arrows(const Trace& trace, std::uint32_t block, std::uint32_t warp) {
  const std::vector<Ends> drawn = arrows_in(export_svg(trace.head, network_of(trace, block, warp)));
  std::vector<const TraceEvent*> mine;
  for (const TraceEvent& event : trace.events)
    if (event.block == block && event.warp == warp) mine.push_back(&event);
  std::size_t at = 0;
  for (std::size_t k = 0; k < mine.size(); ++k) {
    if (!mine[k]->exchange) continue;
    const TraceExchange& exchange = *mine[k]->exchange;
    const LaneMask takers = k + 1 < mine.size() ? mine[k + 1]->active : 0;
    std::size_t n = 0;
    for_each_lane(exchange.lanes, [&](unsigned lane) {
      const Ends ends(exchange.from[n++], lane);
      if (at < drawn.size() && drawn[at] == ends) ++at;
      else
        EXPECT_FALSE(has_lane(takers, lane)) << "no arrow " << ends.first << " to " << ends.second << ", event " << k;
    });
  }
  EXPECT_EQ(at, drawn.size()) << "arrows that the trace does not have";
}

TEST(ExportSvg, HasTheArrowsOfTheTraceAndIsXml) {
  std::size_t arrows = 0;
  for_each_program(
      [&](const Program&, const Trace& trace) {
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

// The documents' butterfly at 8 lanes, by hand: three exchanges of all lanes, of 4, 2 and 1 lanes.
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

TEST(ExportDot, HasANodeForEachLaneAndRow) {
  const bool has_dot = std::system("dot -V 2>/dev/null") == 0;
  for_each_program(
      [&](const Program& program, const Trace& trace) {
        const std::string dot = export_dot(trace.head, network_of(trace, 0, 0));
        const Network net = network_of(trace, 0, 0);
        std::size_t edges = 0;
        for (std::size_t k = 1; k < net.rows.size(); ++k)
          edges += net.rows[k].edges.size() + 2 * count_lanes(net.rows[k].gathered);
        EXPECT_EQ(count(dot, "    r") - count(dot, "    r0_0 ->"), net.rows.size() * count_lanes(net.present))
            << program.full_name();
        EXPECT_EQ(count(dot, " -> r") + count(dot, " -> g") - net.rows.size() * count_lanes(net.present), edges)
            << program.full_name();
        if (!has_dot) return;
        const std::string path = scratch("network.dot");
        std::ofstream(path) << dot;
        EXPECT_EQ(std::system(("dot -Tcanon '" + path + "' > /dev/null").c_str()), 0) << program.full_name();
        std::remove(path.c_str());
      },
      testing::LanesInTurn());
}

// ---- timelines

TEST(ExportChrome, IsWhatTheFormatAsksFor) {
  for_each_program(
      [](const Program&, const Trace& trace) {
        const nlohmann::json json = nlohmann::json::parse(stream(trace, export_chrome));
        using Track = std::pair<int, int>;
        std::map<Track, std::string> names;
        std::map<Track, double> ends;
        std::set<std::tuple<int, int, double>> slices;
        std::map<int, std::vector<nlohmann::json>> flows;
        std::size_t count_of_slices = 0;
        for (const nlohmann::json& one : json.at("traceEvents")) {
          const Track track(one.at("pid"), one.at("tid"));
          const std::string phase = one.at("ph");
          if (phase == "M") names[track] = one.at("args").at("name");
          if (phase == "X") {
            EXPECT_TRUE(names.count(track) != 0);
            EXPECT_GE(one.at("ts").get<double>(), ends[track]) << "slices of a track overlap";
            ends[track] = one.at("ts").get<double>() + one.at("dur").get<double>();
            slices.insert({track.first, track.second, one.at("ts").get<double>()});
            const TraceEvent& event = trace.events.at(count_of_slices++);
            EXPECT_EQ(one.at("args").at("pc"), event.pc);
            EXPECT_EQ(one.at("name"), trace.head.code[static_cast<std::size_t>(event.pc)].text);
            EXPECT_EQ(track, Track(event.block, event.warp));
          }
          if (phase == "s" || phase == "f") flows[one.at("id")].push_back(one);
        }
        EXPECT_EQ(count_of_slices, trace.events.size());
        for (const auto& [id, ends_of] : flows) {
          ASSERT_EQ(ends_of.size(), 2U) << "flow " << id;
          EXPECT_EQ(ends_of[0].at("ph"), "s");
          EXPECT_EQ(ends_of[1].at("ph"), "f");
          EXPECT_LT(ends_of[0].at("ts"), ends_of[1].at("ts"));
          for (const nlohmann::json& end : ends_of)  // each lies in a slice
            EXPECT_TRUE(slices.count({end.at("pid"), end.at("tid"), end.at("ts").get<double>() - 0.5}) != 0);
        }
      },
      testing::LanesInTurn());
}

// The packets as protoc prints them by Perfetto's own field numbers: a begin and an end an event, in order, none
// nested, and a flow from every event whose value a shuffle moves.
void expect_packets(const std::string& printed, const Trace& trace) {
  std::istringstream in(printed);
  std::size_t begins = 0, ends = 0, tracks = 0, depth = 0;
  std::map<std::string, std::size_t> flows;
  std::uint64_t timestamp = 0, begin_time = 0;
  bool begin = false;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    const std::string text = first == std::string::npos ? "" : line.substr(first);
    ASSERT_FALSE(!text.empty() && text[0] >= '0' && text[0] <= '9')
        << "a field that the schema does not have: " << text;
    if (text.rfind("timestamp: ", 0) == 0) timestamp = std::stoull(text.substr(11));
    if (text == "track_descriptor {") ++tracks;
    if (text == "type: TYPE_SLICE_BEGIN") {
      ASSERT_EQ(depth++, 0U) << "slices nest";
      ASSERT_LT(begins, trace.events.size());
      begin_time = timestamp;
      begin = true;
      ++begins;
      EXPECT_EQ(timestamp, trace.events[begins - 1].cycle.value() * 1000);
    }
    if (text == "type: TYPE_SLICE_END") {
      ASSERT_EQ(depth--, 1U);
      EXPECT_EQ(timestamp, begin_time + 1000);
      begin = false;
      ++ends;
    }
    if (text.rfind("flow_ids: ", 0) == 0) {
      EXPECT_TRUE(begin);
      ++flows[text];
    }
  }
  EXPECT_EQ(begins, trace.events.size());
  EXPECT_EQ(ends, begins);
  std::set<std::uint32_t> blocks;
  std::set<std::pair<std::uint32_t, std::uint32_t>> warps;
  std::size_t exchanges = 0, arrived = 0;
  for (const TraceEvent& event : trace.events) {
    blocks.insert(event.block);
    warps.insert({event.block, event.warp});
    exchanges += event.exchange ? 1 : 0;
  }
  EXPECT_EQ(tracks, blocks.size() + warps.size());
  for (const auto& [id, times] : flows) arrived += times - 1;
  EXPECT_GE(arrived, exchanges) << "a shuffle without a flow";
}

TEST(ExportPerfetto, DecodesByItsPublishedSchema) {
  if (std::system("protoc --version > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "SKIPPED ALOUD: protoc is not installed (Debian: protobuf-compiler)";
  for_each_program(
      [](const Program&, const Trace& trace) {
        const std::string path = scratch("trace.perfetto");
        std::ofstream(path, std::ios::binary) << stream(trace, export_perfetto);
        const std::string command = "protoc --decode=perfetto.protos.Trace -I '" WARPSIM_SOURCE_DIR
                                    "/tests/data' perfetto_trace.proto < '" +
                                    path + "' > '" + path + ".txt'";
        ASSERT_EQ(std::system(command.c_str()), 0);
        std::ifstream in(path + ".txt");
        expect_packets({std::istreambuf_iterator<char>(in), {}}, trace);
        std::remove(path.c_str());
        std::remove((path + ".txt").c_str());
      },
      testing::LanesInTurn());
}

// ---- markdown

TEST(ExportMarkdown, HasATableAStepWithItsValues) {
  for_each_program(
      [](const Program&, const Trace& trace) {
        const std::string page = stream(trace, export_markdown);
        EXPECT_EQ(count(page, "\n### "), trace.events.size());
        EXPECT_EQ(count(page, "\n| lane |"), trace.events.size());
        std::istringstream in(page);
        std::size_t bars = 0;
        for (std::string line; std::getline(in, line);) {  // every row of a table has as many cells as its head
          if (line.rfind("| lane |", 0) == 0) bars = count(line, "|");
          if (line.rfind("|", 0) != 0) bars = 0;
          if (bars != 0) {
            EXPECT_EQ(count(line, "|") - count(line, "\\|"), bars) << line;
          }
        }
      },
      testing::LanesInTurn());
}

}  // namespace
}  // namespace warpsim
