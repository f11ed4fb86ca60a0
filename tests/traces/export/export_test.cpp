// What the exports say is what the trace says: over every program, read back by other means.
#include "traces/export/export.h"

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
#include "tests/traces/io/sample_trace.h"
#include "tests/traces/record/timed_trace.h"
#include "traces/export/export_parts.h"
#include "traces/export/network.h"
#include "traces/io/json_values.h"
#include "traces/replay/dataflow.h"
#include "traces/replay/phase_view.h"

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
  std::vector<TraceFinding> faults = trace.outcome.findings;
  if (trace.outcome.trap) faults.push_back(*trace.outcome.trap);
  for (const TraceFinding& fault : faults) {  // what was wrong: rows of no event
    for_each_lane(fault.lanes, [&](unsigned lane) {
      ASSERT_LT(at, rows.size());
      const std::vector<std::string>& row = rows[at++];
      ASSERT_EQ(row.size(), 18U);
      EXPECT_EQ(row[0], "");
      EXPECT_EQ(row[1], std::to_string(fault.cycle));
      EXPECT_EQ(row[7], std::to_string(lane));
      EXPECT_EQ(row[10], fault.kind);
      EXPECT_EQ(row[11], fault.message);
    });
  }
  EXPECT_EQ(at, rows.size());
}

TEST(ExportCsv, ReadsBackToTheSameValues) {
  for_each_program([](const Program&, const Trace& trace) { expect_csv_of(trace); }, testing::LanesInTurn());
  for (const unsigned lanes : {8U, 64U}) {
    Trace odd = testing::sample_trace(lanes);  // NaNs, pairs, 64-bit integers, undefined lanes
    odd.head.registers[1].name = "%a,\"b\"\n";
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
      [&](const Program& program, const Trace& trace) {
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

// ---- what was wrong

// The tests' trace with the trap and a finding in its warps.
Trace trace_with_faults() {
  Trace trace = testing::sample_trace(8);
  trace.outcome.trap->block = 1;
  trace.outcome.trap->warp = 1;
  trace.outcome.trap->pc = 1;
  trace.outcome.instructions = trace.events.size();
  return trace;
}

TEST(ExportFaults, EveryFormNamesTheTrapAndTheFindings) {
  const Trace trace = trace_with_faults();
  const Network net = network_of(trace, 1, 1);
  const std::string dot = export_dot(trace.head, net), svg = export_svg(trace.head, net);
  for (const std::string* picture : {&dot, &svg}) {
    EXPECT_NE(picture->find("stopped here: nothing can run"), std::string::npos);
    EXPECT_NE(picture->find("cycle 13: undefined-lane: lane 2 is undefined"), std::string::npos);
  }
  const std::string elsewhere = export_dot(trace.head, network_of(trace, 0, 0));  // another warp did not stop
  EXPECT_EQ(elsewhere.find("stopped"), std::string::npos);
  EXPECT_EQ(elsewhere.find("undefined-lane"), std::string::npos);

  const std::string page = stream(trace, export_markdown);
  EXPECT_NE(page.find("**undefined-lane** in cycle 13, block 1, warp 1, lane 2, line 2: shfl.down.b32"),
            std::string::npos);
  EXPECT_NE(page.find("**deadlock** in cycle 16, block 1, warp 1, lane 0, line 0: @%pred bra loop\n\nnothing can run"),
            std::string::npos);
  EXPECT_NE(page.find("- block 1, warp 0, lane 0, line 3: exit: bar 0\n"), std::string::npos);
  const std::vector<std::vector<std::string>> rows = read_csv(stream(trace, export_csv));
  EXPECT_EQ(rows.back(), (std::vector<std::string>{"", "16", "1", "1", "1", "0", "bra", "0", "", "trap", "deadlock",
                                                   "nothing can run", "", "", "", "", "", ""}));
  EXPECT_EQ(rows[rows.size() - 2][9], "finding");
}

// A name that a terminal would obey.
TEST(ExportFaults, TextFormsCarryNoControlCharacters) {
  const std::string evil = std::string("\x1B[2J\x07\xC2\x9B", 7) + std::string(1, '\0') + "\x7F\r";
  Trace trace = trace_with_faults();
  trace.head.title = trace.head.program = trace.head.case_name = trace.head.backend = evil;
  trace.head.text = "exit\r\n" + evil + "\n";
  for (TraceRegister& reg : trace.head.registers) reg.name += evil;
  for (TraceInsn& insn : trace.head.code) insn.text = insn.op = evil;
  for (TraceParam& param : trace.head.params) param.name = evil;
  for (TraceEvent& event : trace.events)
    if (event.phase) event.phase->title = evil;
  trace.outcome.trap->message = trace.outcome.findings[0].message = trace.outcome.findings[0].kind = evil;
  const Network net = network_of(trace, 1, 1);
  const std::map<std::string, std::string> forms = {
      {"md", stream(trace, export_markdown)}, {"csv", stream(trace, export_csv)}, {"dot", export_dot(trace.head, net)}};
  for (const auto& [form, text] : forms) {
    for (std::size_t k = 0; k < text.size(); ++k) {
      const unsigned char c = static_cast<unsigned char>(text[k]);
      const bool ends_row = form == "csv" && c == '\r' && text.compare(k, 2, "\r\n") == 0;
      ASSERT_TRUE(c == '\n' || c == '\t' || ends_row || (c >= 0x20 && c != 0x7F)) << form << " at " << k;
      ASSERT_FALSE(c == 0xC2 && static_cast<unsigned char>(text.at(k + 1)) < 0xA0) << form << " at " << k;
    }
  }
  EXPECT_NE(forms.at("md").find("exit\n?[2J"), std::string::npos);  // a file of CR LF line ends has none of it in md
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

struct Packet {
  std::uint64_t timestamp = 0;
  std::string type, track, name, category;
  std::vector<std::string> flows;
  std::size_t annotations = 0;
};

// The packets as protoc prints them by Perfetto's own field numbers, in the file's order; descriptors have no type.
std::vector<Packet> packets_in(const std::string& printed) {
  std::vector<Packet> packets;
  std::istringstream in(printed);
  std::size_t depth = 0;
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    const std::string text = first == std::string::npos ? "" : line.substr(first);
    EXPECT_FALSE(!text.empty() && text[0] >= '0' && text[0] <= '9')
        << "a field that the schema does not have: " << text;
    const std::string value = text.substr(std::min(text.size(), text.find(": ") + 2));
    if (text == "packet {") packets.emplace_back();
    if (text == "debug_annotations {") ++packets.back().annotations;
    if (text.rfind("timestamp: ", 0) == 0) packets.back().timestamp = std::stoull(value);
    if (text.rfind("type: ", 0) == 0) packets.back().type = value;
    if (text.rfind("track_uuid: ", 0) == 0) packets.back().track = value;
    if (text.rfind("categories: ", 0) == 0) packets.back().category = value;
    if (text.rfind("name: ", 0) == 0 && depth == 2) packets.back().name = value;
    if (text.rfind("flow_ids: ", 0) == 0) packets.back().flows.push_back(value);
    if (!text.empty() && text.back() == '{') ++depth;
    if (text == "}") --depth;
  }
  return packets;
}

std::vector<Packet> packets_of(const Trace& trace) {
  const std::string path = scratch("trace.perfetto");
  std::ofstream(path, std::ios::binary) << stream(trace, export_perfetto);
  const std::string command = "protoc --decode=perfetto.protos.Trace -I '" WARPSIM_SOURCE_DIR
                              "/tests/data' perfetto_trace.proto < '" +
                              path + "' > '" + path + ".txt'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(path + ".txt");
  const std::vector<Packet> packets = packets_in({std::istreambuf_iterator<char>(in), {}});
  std::remove(path.c_str());
  std::remove((path + ".txt").c_str());
  return packets;
}

bool has_protoc() { return std::system("protoc --version > /dev/null 2>&1") == 0; }

// Of every track: a begin and an end an event, none nested, as a reader orders them: by time, then by place in the
// file.
void expect_slices(const std::vector<Packet>& packets, const Trace& trace) {
  std::map<std::string, std::vector<Packet>> tracks;
  std::size_t descriptors = 0, begins = 0;
  for (const Packet& packet : packets)
    if (packet.type.empty()) ++descriptors;
    else tracks[packet.track].push_back(packet);
  for (auto& [track, list] : tracks) {
    std::stable_sort(list.begin(), list.end(),
                     [](const Packet& a, const Packet& b) { return a.timestamp < b.timestamp; });
    const Packet* open = nullptr;
    for (const Packet& packet : list) {
      if (packet.type == "TYPE_SLICE_BEGIN") {
        ASSERT_EQ(open, nullptr) << "slices nest";
        open = &packet;
        ++begins;
      } else if (packet.type == "TYPE_SLICE_END") {
        ASSERT_NE(open, nullptr);
        EXPECT_EQ(packet.timestamp, open->timestamp + 1000);
        open = nullptr;
      }
    }
    EXPECT_EQ(open, nullptr);
  }
  EXPECT_EQ(begins, trace.events.size());
  std::set<std::uint32_t> blocks;
  std::set<std::pair<std::uint32_t, std::uint32_t>> warps;
  for (const TraceEvent& event : trace.events) {
    blocks.insert(event.block);
    warps.insert({event.block, event.warp});
  }
  EXPECT_EQ(descriptors, blocks.size() + warps.size());
}

// Flows have two ends or more, and as many as the trace says: found by walking each warp backwards from its shuffles.
void expect_flows(const std::vector<Packet>& packets, const Trace& trace) {
  std::map<std::string, std::size_t> flows;
  for (const Packet& packet : packets)
    for (const std::string& flow : packet.flows) {
      EXPECT_EQ(packet.type, "TYPE_SLICE_BEGIN");
      ++flows[flow];
    }
  std::map<std::size_t, std::set<std::size_t>> takers;  // by the event that left a value
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    const TraceEvent& taker = trace.events[k];
    if (!taker.exchange) continue;
    const std::int32_t reg = find_register(trace.head, flow_of(trace.head, taker.pc).exchanged.empty()
                                                           ? std::string()
                                                           : flow_of(trace.head, taker.pc).exchanged.front());
    LaneMask sources = 0;
    for (const std::uint8_t from : taker.exchange->from) sources |= lane_bit(from);
    for (std::size_t n = k; n-- > 0 && sources != 0;) {
      const TraceEvent& event = trace.events[n];
      if (event.block != taker.block || event.warp != taker.warp) continue;
      for (const TraceWrite& write : event.writes)
        if (write.reg == reg && (write.lanes & sources) != 0) {
          takers[n].insert(k);
          sources &= ~write.lanes;
        }
    }
  }
  EXPECT_EQ(flows.size(), takers.size());
  std::multiset<std::size_t> ends, expected;
  for (const auto& [id, count_of] : flows) ends.insert(count_of);
  for (const auto& [event, list] : takers) expected.insert(list.size() + 1);
  EXPECT_EQ(ends, expected);
}

TEST(ExportPerfetto, DecodesByItsPublishedSchema) {
  if (!has_protoc()) GTEST_SKIP() << "SKIPPED ALOUD: protoc is not installed (Debian: protobuf-compiler)";
  for_each_program(
      [](const Program&, const Trace& trace) {
        const std::vector<Packet> packets = packets_of(trace);
        expect_slices(packets, trace);
        expect_flows(packets, trace);
      },
      testing::LanesInTurn());
}

TEST(ExportPerfetto, SaysWhatWasWrongOnItsWarpsTrack) {
  if (!has_protoc()) GTEST_SKIP() << "SKIPPED ALOUD: protoc is not installed (Debian: protobuf-compiler)";
  const std::vector<Packet> packets = packets_of(trace_with_faults());
  std::vector<Packet> instants;
  std::string track;  // of block 1, warp 1: its only event is in cycle 13
  for (const Packet& packet : packets) {
    if (packet.type == "TYPE_INSTANT") instants.push_back(packet);
    if (packet.type == "TYPE_SLICE_BEGIN" && packet.timestamp == 13000) track = packet.track;
  }
  ASSERT_EQ(instants.size(), 2U);
  EXPECT_EQ(instants[0].name, "\"undefined-lane\"");
  EXPECT_EQ(instants[0].category, "\"finding\"");
  EXPECT_EQ(instants[0].timestamp, 13000U);
  EXPECT_EQ(instants[0].annotations, 2U);  // message, at
  EXPECT_EQ(instants[1].name, "\"deadlock\"");
  EXPECT_EQ(instants[1].category, "\"trap\"");
  EXPECT_EQ(instants[1].timestamp, 16000U);
  EXPECT_EQ(instants[1].annotations, 5U);  // message, hint, at, two places
  for (const Packet& packet : instants) EXPECT_EQ(packet.track, track);
}

TEST(ExportChrome, SaysWhatWasWrongOnItsWarpsTrack) {
  const nlohmann::json json = nlohmann::json::parse(stream(trace_with_faults(), export_chrome));
  const nlohmann::json& events = json.at("traceEvents");
  const nlohmann::json &finding = events.at(events.size() - 2), &trap = events.back();
  for (const nlohmann::json* one : {&finding, &trap}) {
    EXPECT_EQ(one->at("ph"), "i");
    EXPECT_EQ(one->at("s"), "t");
    EXPECT_EQ(one->at("pid"), 1);
    EXPECT_EQ(one->at("tid"), 1);
  }
  EXPECT_EQ(finding.at("name"), "undefined-lane");
  EXPECT_EQ(finding.at("ts"), 13);
  EXPECT_EQ(trap.at("name"), "deadlock");
  EXPECT_EQ(trap.at("ts"), 16);
  EXPECT_EQ(trap.at("args").at("message"), "nothing can run");
  EXPECT_EQ(trap.at("args").at("hint"), "count the arrivals");
  EXPECT_EQ(trap.at("args").at("where 1"), "block 1, warp 0, lane 0, line 3: exit: bar 0");
}

// Readers count nanoseconds in 63 bits: nothing lies past them, and no end before its begin.
TEST(ExportTimelines, TheLastCycleOfAllDoesNotWrapAround) {
  Trace trace = testing::sample_trace(8);
  trace.events = {testing::sample_write(~0ULL, 1, {0, 0, 0, 0})};
  trace.outcome.trap->cycle = ~0ULL;
  const nlohmann::json json = nlohmann::json::parse(stream(trace, export_chrome));
  for (const nlohmann::json& one : json.at("traceEvents")) {
    if (one.contains("ts")) {
      EXPECT_LE(one.at("ts").get<std::uint64_t>(), 9'223'372'036'854'774U);
    }
  }
  if (!has_protoc()) GTEST_SKIP() << "SKIPPED ALOUD: protoc is not installed (Debian: protobuf-compiler)";
  for (const Packet& packet : packets_of(trace)) {
    if (packet.type == "TYPE_SLICE_BEGIN") {
      EXPECT_EQ(packet.timestamp, 9'223'372'036'854'774'000U);
    }
    if (packet.type == "TYPE_SLICE_END") {
      EXPECT_EQ(packet.timestamp, 9'223'372'036'854'775'000U);
    }
    EXPECT_LE(packet.timestamp, 9'223'372'036'854'775'000U);
  }
}

// ---- timelines of a timed run; the times stand in timed_trace.h

using Track = std::pair<std::uint64_t, std::uint64_t>;
struct Span {
  double begin = 0, end = 0;
  std::string name, category;
};

std::map<Track, std::vector<Span>> chrome_spans(const nlohmann::json& events) {
  std::map<Track, std::vector<Span>> spans, open;
  for (const nlohmann::json& one : events) {
    const Track track(one.at("pid"), one.at("tid"));
    const std::string phase = one.at("ph");
    if (phase == "X")
      spans[track].push_back(
          {one.at("ts"), one.at("ts").get<double>() + one.at("dur").get<double>(), one.at("name"), one.at("cat")});
    if (phase == "B") open[track].push_back({one.at("ts"), 0, one.at("name"), one.at("cat")});
    if (phase != "E") continue;
    EXPECT_FALSE(open[track].empty());
    open[track].back().end = one.at("ts");
    spans[track].push_back(open[track].back());
    open[track].pop_back();
  }
  for (const auto& [track, left] : open) EXPECT_TRUE(left.empty());
  return spans;
}

TEST(ExportChrome, TimedRunsShowSubCoresAndStalls) {
  const nlohmann::json json = nlohmann::json::parse(stream(testing::timed_trace(), export_chrome));
  EXPECT_EQ(json.at("otherData").at("profile"), "h200");
  EXPECT_EQ(json.at("otherData").at("scheduler"), "gto");
  std::map<Track, std::vector<Span>> spans = chrome_spans(json.at("traceEvents"));
  ASSERT_EQ(spans.size(), 4U);  // two warps of block 0; two sub-cores of SM 0, which is process 1
  const std::vector<Span>& issued = spans.at({1, 0});
  ASSERT_EQ(issued.size(), 6U + 4);
  EXPECT_EQ(issued[1].name, "no eligible warp");
  EXPECT_EQ(issued[1].category, "idle");
  EXPECT_EQ(issued[1].begin, 2);
  EXPECT_EQ(issued[1].end, 31);
  EXPECT_EQ(issued[2].name, "shfl.bfly");
  EXPECT_EQ(issued[2].begin, 31);
  EXPECT_EQ(issued[2].end, 32);
  // Warp 0 is held or waits in every cycle from 1 to 71, never twice.
  std::vector<Span>& warp = spans.at({0, 0});
  std::sort(warp.begin(), warp.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
  double reached = 1;
  std::string stalls;
  for (const Span& one : warp) {
    EXPECT_EQ(one.begin, reached) << one.name;
    reached = one.end;
    if (one.category == "stall") stalls += one.name + " ";
    if (one.name.rfind("add", 0) == 0) {
      EXPECT_EQ(one.end, 57);  // two issue slots
    }
  }
  EXPECT_EQ(reached, 72);
  EXPECT_EQ(stalls, "memory dependency barrier unit ");
  std::map<std::string, std::string> names;
  std::string counted;
  for (const nlohmann::json& one : json.at("traceEvents")) {
    if (one.at("ph") == "M" && one.at("name") == "process_name")
      names[one.at("pid").dump()] = one.at("args").at("name");
    if (one.at("ph") == "C") counted += one.at("ts").dump() + ":" + one.at("args").at("instructions").dump() + " ";
    if (one.value("cat", "") == "stall" && one.at("name") == "dependency") {
      EXPECT_EQ(one.at("args").at("register"), "%y");
      EXPECT_EQ(one.at("args").at("line"), "3");
    }
    if (one.value("cat", "") == "stall" && one.at("name") == "unit") {
      EXPECT_EQ(one.at("args").at("pipe"), "lsu");
    }
  }
  EXPECT_EQ(names, (std::map<std::string, std::string>{{"0", "block 0"}, {"1", "SM 0 (profile h200, scheduler gto)"}}));
  EXPECT_EQ(counted.substr(0, 25), "1:1 3:0 31:1 32:0 33:1 34");
  EXPECT_NE(counted.find("57:2 58:1 59:0"), std::string::npos);
}

TEST(ExportPerfetto, TimedRunsShowSubCoresAndStalls) {
  if (!has_protoc()) GTEST_SKIP() << "SKIPPED ALOUD: protoc is not installed (Debian: protobuf-compiler)";
  const std::vector<Packet> packets = packets_of(testing::timed_trace());
  std::map<std::string, std::vector<Packet>> tracks;
  std::size_t descriptors = 0, counters = 0, stalls = 0, issues = 0, idle = 0;
  for (const Packet& packet : packets) {
    descriptors += packet.type.empty() ? 1 : 0;
    counters += packet.type == "TYPE_COUNTER" ? 1 : 0;
    stalls += packet.category == "\"stall\"" ? 1 : 0;
    issues += packet.category == "\"issue\"" ? 1 : 0;
    idle += packet.category == "\"idle\"" ? 1 : 0;
    tracks[packet.track].push_back(packet);
  }
  EXPECT_EQ(descriptors, 1U + 2 + 1 + 2 + 1);  // block, warps, SM, sub-cores, counter
  EXPECT_EQ(issues, 12U);
  EXPECT_EQ(idle, 4U + 4);
  EXPECT_EQ(stalls, 4U + 6);
  EXPECT_GT(counters, 10U);
  for (auto& [track, list] : tracks) {
    std::stable_sort(list.begin(), list.end(),
                     [](const Packet& a, const Packet& b) { return a.timestamp < b.timestamp; });
    int depth = 0;
    for (const Packet& packet : list) {
      depth += packet.type == "TYPE_SLICE_BEGIN" ? 1 : packet.type == "TYPE_SLICE_END" ? -1 : 0;
      EXPECT_TRUE(depth == 0 || depth == 1 || packet.timestamp >= 72000) << "slices nest but where two issue at once";
      EXPECT_GE(depth, 0);
    }
    EXPECT_EQ(depth, 0);
  }
}

// ---- markdown

TEST(ExportMarkdown, SaysByWhichProfileARunWasTimed) {
  EXPECT_NE(stream(testing::timed_trace(), export_markdown).find(", simulator, profile h200, scheduler gto\n"),
            std::string::npos);
}

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
