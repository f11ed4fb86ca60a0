// Exports in text, CSV and Markdown, say what the trace says: over every program, read back by other means.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "tests/support/every_program.h"
#include "tests/traces/export/export_run.h"
#include "tests/traces/record/timed_trace.h"
#include "traces/export/export_parts.h"
#include "traces/export/network.h"
#include "traces/io/json_values.h"
#include "traces/model/instruction_texts.h"
#include "traces/replay/phase_view.h"

namespace warpsim {
namespace {

using testing::count;
using testing::for_each_program;
using testing::stream;
using testing::trace_with_faults;
using testing::xml_fault;

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
      EXPECT_EQ(row[11], english(fault.message));
    });
  }
  EXPECT_EQ(at, rows.size());
}

TEST(ExportCsv, ReadsBackToTheSameValues) {
  for_each_program([](const Lesson&, const Trace& trace) { expect_csv_of(trace); }, testing::LanesInTurn());
  for (const unsigned lanes : {8U, 64U}) {
    Trace odd = testing::sample_trace(lanes);  // NaNs, pairs, 64-bit integers, undefined lanes
    odd.head.registers[1].name = "%a,\"b\"\n";
    expect_csv_of(odd);
  }
}

// ---- what was wrong

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
  read_instruction_texts(trace.head);
  for (TraceParam& param : trace.head.params) param.name = evil;
  for (TraceEvent& event : trace.events)
    if (event.phase) event.phase->title = evil;
  trace.outcome.trap->message = trace.outcome.findings[0].message = Message(evil);
  trace.outcome.findings[0].kind = evil;
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

// ---- markdown

TEST(ExportMarkdown, SaysByWhichProfileARunWasTimed) {
  EXPECT_NE(stream(testing::timed_trace(), export_markdown).find(", simulator, profile h200, scheduler gto\n"),
            std::string::npos);
}

TEST(ExportMarkdown, HasATableAStepWithItsValues) {
  for_each_program(
      [](const Lesson&, const Trace& trace) {
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
