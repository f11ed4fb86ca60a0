// Exported timelines, Chrome's and Perfetto's, say what the trace says: over every program, read back by other means.
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
#include "tests/traces/export/export_run.h"
#include "tests/traces/record/timed_trace.h"
#include "traces/export/export_parts.h"
#include "traces/replay/dataflow.h"

namespace warpsim {
namespace {

using testing::count;
using testing::for_each_program;
using testing::scratch;
using testing::stream;
using testing::trace_with_faults;

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

// ---- timelines of a timed run; the times are in timed_trace.h

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

}  // namespace
}  // namespace warpsim
