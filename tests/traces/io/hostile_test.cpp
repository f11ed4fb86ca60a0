// The reader against texts that are wrong by accident or by intent: it refuses, says where, and never falls over.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/traces/io/sample_trace.h"
#include "traces/compare/compare.h"
#include "traces/io/reader.h"
#include "traces/io/stream_reader.h"
#include "traces/io/writer.h"
#include "traces/replay/state.h"

namespace warpsim {
namespace {

using testing::sample_trace;

std::string refusal(const std::string& text) {
  const std::variant<Trace, JsonError> result = read_trace(text);
  const JsonError* error = std::get_if<JsonError>(&result);
  return error == nullptr ? "accepted" : render(*error, "t.json");
}

// The document with one piece of text replaced by another.
std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class HostileTrace : public ::testing::Test {
 protected:
  const std::string document = to_json(sample_trace(8));
  const std::string records = to_ndjson(sample_trace(8));
  std::string refusal_with(const std::string& from, const std::string& to) const {
    return refusal(with(document, from, to));
  }
};

TEST_F(HostileTrace, EveryRefusalIsExact) {
  EXPECT_EQ(refusal_with("\"lanes\": 8", "\"lanes\": 1000000000"),
            "t.json: error[J006]: at /machine/lanes: a warp of 1000000000 lanes does not exist\n"
            "  try: lanes is 1, 2, 4, 8, 16, 32 or 64\n");
  EXPECT_EQ(refusal_with("\"lanes\": 8", "\"lanes\": 12"),
            "t.json: error[J006]: at /machine/lanes: a warp of 12 lanes does not exist\n  try: lanes is 1, 2, 4, 8, "
            "16, 32 or 64\n");
  EXPECT_EQ(refusal_with("\"lanes\": 8", "\"lanes\": \"8\""),
            "t.json: error[J004]: at /machine/lanes: expected a whole number that is not negative, found the "
            "string \"8\"\n");
  EXPECT_EQ(refusal_with("\"version\": \"1.0\"", "\"version\": \"2.0\""),
            "t.json: error[J008]: at /version: the trace has version 2.0, this program reads version 1\n"
            "  try: use a newer warpsim, or record it again\n");
  EXPECT_EQ(refusal_with("warpsim-trace", "vcd"),
            "t.json: error[J007]: this is no warpsim trace: it does not begin with \"format\": \"warpsim-trace\"\n");
  EXPECT_EQ(refusal_with("\"cycle\": 3, ", ""), "t.json: error[J005]: at /events/2: the member \"cycle\" is missing\n");
  EXPECT_EQ(refusal_with("\"cycle\": 3, \"block\": 0", "\"cycle\": 3, \"block\": 2"),
            "t.json: error[J006]: at /events/2/block: expected a whole number from 0 to 1, found the number 2\n");
  EXPECT_EQ(refusal_with("\"pc\": 0, \"op\"", "\"pc\": 3, \"op\""),
            "t.json: error[J006]: at /events/0/pc: expected a whole number from 0 to 2, found the number 3\n");
  EXPECT_EQ(refusal_with("{\"reg\": \"%u32\"", "{\"reg\": \"%nope\""),
            "t.json: error[J011]: at /events/5/writes/0/reg: the program has no register \"%nope\"\n");
  EXPECT_EQ(refusal_with("[0, 1, 4294967295, 7]", "[0, 1, 4294967296, 7]"),
            "t.json: error[J004]: at /events/5/writes/0/values/2: expected a whole number from 0 to 4294967295 (u32), "
            "found the number 4294967296\n");
  EXPECT_EQ(refusal_with("[0, 1, 4294967295, 7]", "[0, 1, 7]"),
            "t.json: error[J010]: at /events/5/writes/0/values: this holds 3 values, but \"lanes\" has 4\n");
  EXPECT_EQ(
      refusal_with("\"active\": \"0x0000000f\"", "\"active\": \"0xF\""),
      "t.json: error[J004]: at /events/0/active: expected a set of lanes such as \"0x0000ffff\", found the string "
      "\"0xF\"\n");
  EXPECT_EQ(refusal_with("\"active\": \"0x0000000f\"", "\"active\": \"0x00000f0f\""),
            "t.json: error[J006]: at /events/0/active: this names lane 11, but a warp has 8 lanes\n");
}

TEST_F(HostileTrace, EveryRefusalOfEventsAndOutcomesIsExact) {
  EXPECT_EQ(
      refusal_with("\"from\": [1, 2, 3, 3]", "\"from\": [1, 2, 3, 8]"),
      "t.json: error[J006]: at /events/12/exchange/from/3: expected a whole number from 0 to 7, found the number 8\n");
  EXPECT_EQ(refusal_with("{\"cycle\": 3, \"block\": 0", "{\"cycle\": 2, \"block\": 0"),
            "t.json: error[J015]: at /events/2: cycle 2, block 0, warp 0 comes after cycle 2, block 0, warp 0\n"
            "  try: sort the events by cycle, then block, then warp: the order in which they issue\n");
  EXPECT_EQ(refusal(with(with(document, "{\"cycle\": 3, \"block\": 0", "{\"cycle\": 2, \"block\": 0"), "lockstep",
                         "documents:low")),
            "accepted");  // by a profile a warp may issue twice in a cycle
  EXPECT_NE(refusal(with(with(document, "{\"cycle\": 3, \"block\": 0", "{\"cycle\": 1, \"block\": 0"), "lockstep",
                         "documents:low")),
            "accepted");
  EXPECT_EQ(refusal_with("{\"cycle\": 3, \"block\": 0", "{\"cycle\": 0, \"block\": 0"),
            "t.json: error[J015]: at /events/2/cycle: cycles are counted from 1\n");
  EXPECT_EQ(
      refusal_with("\"cycles\": 18", "\"cycles\": 17"),
      "t.json: error[J017]: at /outcome/cycles: the run ends in cycle 17, but its last event issues in cycle 18\n");
  EXPECT_EQ(
      refusal_with("\"pc\": 2, \"waits_for\"", "\"pc\": 4, \"waits_for\""),
      "t.json: error[J006]: at /outcome/trap/places/0/pc: expected a whole number from 0 to 3, found the number 4\n");
  EXPECT_EQ(refusal_with("\"cycle\": 16, \"block\": 1, \"warp\": 0, \"pc\": null",
                         "\"cycle\": 16, \"block\": 1, \"warp\": 2, \"pc\": null"),
            "t.json: error[J006]: at /outcome/trap/warp: expected a whole number from 0 to 1, found the number 2\n");
  EXPECT_EQ(refusal_with("\"grid\": [2, 1, 1]", "\"grid\": [2147483647, 2147483647, 1]"),
            "t.json: error[J013]: at /launch/grid: this launch is too large: more than 2^40\n");
  EXPECT_EQ(refusal_with("\"length\": 16}", "\"length\": 999999999999}"),
            "t.json: error[J013]: at /program/shared/0/length: this array is too large: more than 2^30 bytes\n");
  EXPECT_EQ(refusal_with("\"input\": [1.5, -0.0, 1e+20]", "\"input\": [1.5, -0.0]"),
            "t.json: error[J010]: at /inputs/input: this holds 2 values, but the buffer \"input\" has 3\n");
  EXPECT_EQ(refusal_with("\"events\": [", "\"events\": {"),
            "t.json:35:1: error[J001]: this is no JSON: \"{\" is out of place, expected string literal\n");
  EXPECT_EQ(refusal(document.substr(0, document.size() / 2)).substr(0, 7), "t.json:");
  EXPECT_EQ(refusal(""), "t.json: error[J003]: there is no JSON text here: it is empty\n");
  EXPECT_EQ(refusal("[]"),
            "t.json: error[J007]: this is no warpsim trace: it does not begin with \"format\": \"warpsim-trace\"\n");
}

TEST_F(HostileTrace, WhatContradictsItselfIsRefused) {
  EXPECT_EQ(refusal_with("\"instructions\": 18", "\"instructions\": 17"),
            "t.json: error[J017]: at /outcome/instructions: the run has 17 instructions, but there are more events\n");
  EXPECT_EQ(
      refusal_with("\"instructions\": 18", "\"instructions\": 20"),
      "t.json: error[J017]: at /outcome/instructions: the run has 20 instructions, but only 19 are here\n"
      "  try: a part of a run says so in its head, in `start`: `warpsim trace FILE --from 5 --to 12` makes one\n");
  Trace passed = sample_trace(8);
  passed.outcome.trap.reset();
  passed.outcome.instructions = 19;
  EXPECT_EQ(refusal(to_json(passed)), "accepted");
  passed.outcome.ok = true;
  EXPECT_EQ(refusal(to_json(passed)), "t.json: error[J017]: at /outcome/ok: a run that did not pass is not ok\n");
  EXPECT_EQ(refusal_with("\"bank\": [2, 7]", "\"bank\": [2, 8]"),
            "t.json: error[J006]: at /events/14/memory/bank/1: this is not the bank of its address\n");
  EXPECT_EQ(refusal_with("{\"name\": \"%pred\"", "{\"name\": \"pred\""),
            "t.json: error[J006]: at /program/registers/0/name: a register's name begins with %\n");
}

TEST_F(HostileTrace, AMemberIsThereOnce) {
  EXPECT_EQ(refusal_with("\"lanes\": 8", "\"lanes\": 8, \"lanes\": 64"),
            "t.json: error[J016]: at /machine: the member \"lanes\" appears twice\n"
            "  try: JSON leaves open which of the two counts: leave one out\n");
  EXPECT_EQ(refusal_with("{\"cycle\": 3, ", "{\"cycle\": 3, \"block\": 0, "),
            "t.json: error[J016]: at /events/2: the member \"block\" appears twice\n"
            "  try: JSON leaves open which of the two counts: leave one out\n");
  std::string many = "{\"format\": 1";  // so many that their names are looked up
  for (int k = 0; k < 100; ++k) many += ", \"" + std::to_string(k) + "\": 0";
  EXPECT_EQ(refusal(many + ", \"7\": 0}").substr(0, 61),
            "t.json: error[J016]: the member \"7\" appears twice\n  try: JSON");
}

TEST_F(HostileTrace, NothingHidesBehindANul) {
  const std::string hidden = std::string(1, '\0') + "junk";
  EXPECT_NE(refusal(document + hidden).find("error[J001]: this is no JSON: a NUL byte is out of place"),
            std::string::npos);
  std::string behind_a_record = records;
  const std::size_t end = records.find("\n{\"cycle\": 3");
  behind_a_record.insert(end, hidden);
  EXPECT_EQ(refusal(behind_a_record), "t.json:3:" + std::to_string(end - records.rfind('\n', end - 1)) +
                                          ": error[J001]: this is no JSON: a NUL byte is out of place\n");
}

TEST_F(HostileTrace, DeepNestingIsRefusedBeforeItHurts) {
  StreamReader reader(TraceConsumer{});
  const std::string brackets(std::size_t{1} << 20, '[');
  EXPECT_FALSE(reader.feed(brackets) && reader.feed(brackets));
  ASSERT_TRUE(reader.error());
  EXPECT_EQ(reader.error()->code, "J002");
  StreamReader text(TraceConsumer{});  // brackets in a string are text
  EXPECT_TRUE(text.feed("{\"a\": \"" + brackets + "\\\"" + brackets));
  EXPECT_EQ(refusal(std::string(10'000'000, '[')),
            "t.json: error[J002]: the JSON text nests deeper than 64 brackets\n");
  std::string objects;
  for (int k = 0; k < 100'000; ++k) objects += "{\"a\":";
  EXPECT_EQ(refusal(objects), "t.json: error[J002]: the JSON text nests deeper than 64 brackets\n");
}

TEST_F(HostileTrace, AMillionMembersOfOneObjectAreRefusedQuickly) {
  std::string text = "{";
  for (int k = 0; k < 1'000'000; ++k) text += (k == 0 ? "\"" : ", \"") + std::to_string(k) + "\": 0";
  EXPECT_EQ(refusal(text + "}").substr(0, 20), "t.json: error[J007]:");
}

TEST_F(HostileTrace, UnknownMembersAndNewerMinorVersionsAreAccepted) {
  const std::string newer =
      with(with(with(document, "\"1.0\"", "\"1.7\""), "\"machine\": {", "\"machine\": {\"clock\": [1, {}], "),
           "{\"cycle\": 1, ", "{\"colour\": \"red\", \"cycle\": 1, ");
  const std::variant<Trace, JsonError> result = read_trace(newer);
  ASSERT_TRUE(std::holds_alternative<Trace>(result)) << refusal(newer);
  EXPECT_EQ(to_json(std::get<Trace>(result)), document);  // what was read is a 1.0 trace
}

TEST_F(HostileTrace, CutOffRecordsSaySo) {
  const std::size_t last = records.rfind("{\"outcome\"");
  EXPECT_EQ(refusal(records.substr(0, last)),
            "t.json:20: error[J009]: the trace ends after 19 events without its outcome: it is cut off\n"
            "  try: record it again, to the end\n");
  EXPECT_EQ(refusal(records.substr(0, records.find('\n') + 1)),
            "t.json:1: error[J009]: the trace ends after 0 events without its outcome: it is cut off\n"
            "  try: record it again, to the end\n");
  EXPECT_EQ(refusal(records.substr(0, last - 30)).substr(0, 26), "t.json:20:283: error[J003]");
  EXPECT_EQ(refusal(records + "{\"cycle\": 1}\n"),
            "t.json:22: error[J012]: a record comes after the outcome, which is the last one\n");
  EXPECT_EQ(refusal(with(records, "\"cycle\": 3, ", "")), "t.json:4: error[J005]: the member \"cycle\" is missing\n");
}

// A trace that was accepted can be used: nothing below may fall over, whatever the mutation left.
void use(const Trace& trace) {
  TraceState state(trace.head);
  for (const TraceEvent& event : trace.events) {
    state.apply(event);
    for (std::size_t reg = 0; reg < trace.head.registers.size(); ++reg)
      static_cast<void>(state.bits(event.block, event.warp, static_cast<std::int32_t>(reg), trace.head.lanes - 1));
  }
  const std::string once = to_json(trace);
  const std::variant<Trace, JsonError> again = read_trace(once);
  ASSERT_TRUE(std::holds_alternative<Trace>(again)) << render(std::get<JsonError>(again), "again");
  EXPECT_EQ(to_json(std::get<Trace>(again)), once);
  EXPECT_EQ(first_difference(trace, std::get<Trace>(again)), std::nullopt);
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t limit) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state_ >> 33) % limit;
  }

 private:
  std::uint64_t state_;
};

std::string mutated(std::string text, const std::string& other, Random& random) {
  static const std::vector<std::string> kSnippets = {"null",
                                                     "-1",
                                                     "0",
                                                     "1e999",
                                                     "1000000000",
                                                     "18446744073709551616",
                                                     "\"\"",
                                                     "\"0xffffffffffffffff\"",
                                                     "[]",
                                                     "{}",
                                                     "true",
                                                     "\"NaN\"",
                                                     "{\"nan\": \"0x1\"}",
                                                     "[[[[",
                                                     "\\u0000",
                                                     "\xff\xfe",
                                                     "\"%pred\"",
                                                     "64",
                                                     "3.5",
                                                     ",",
                                                     ":",
                                                     "\"",
                                                     "\n",
                                                     "-0.0",
                                                     "\"in\"",
                                                     "\"mask\""};
  for (std::size_t n = 1 + random.below(3); n > 0; --n) {
    const std::size_t at = random.below(text.size());
    switch (random.below(6)) {
      case 0: text[at] = static_cast<char>(random.below(256)); break;
      case 1: text.erase(at, 1 + random.below(20)); break;
      case 2: text.insert(at, kSnippets[random.below(kSnippets.size())]); break;
      case 3: text.insert(at, other, random.below(other.size()), random.below(40)); break;
      case 4: text.resize(at + 1); break;
      default: {  // a whole token: most mutants stay JSON
        const std::size_t from = text.find_first_of(":[,", at);
        const std::size_t to = from == std::string::npos ? from : text.find_first_of(",]}\n", from + 1);
        if (to != std::string::npos) text.replace(from + 1, to - from - 1, kSnippets[random.below(kSnippets.size())]);
      }
    }
    if (text.empty()) text = " ";
  }
  return text;
}

TEST_F(HostileTrace, ThousandsOfMutantsAreReadOrRefused) {
  const char* wanted = std::getenv("WARPSIM_MUTANTS");
  const int count = wanted != nullptr ? std::atoi(wanted) : 6000;
  Random random(20);
  int accepted = 0;
  for (int k = 0; k < count; ++k) {
    const std::string& original = k % 2 == 0 ? document : records;
    const std::variant<Trace, JsonError> result = read_trace(mutated(original, k % 4 < 2 ? document : records, random));
    if (const Trace* trace = std::get_if<Trace>(&result)) {
      ++accepted;
      use(*trace);
    } else {
      const JsonError& error = std::get<JsonError>(result);
      ASSERT_EQ(error.code.size(), 4U);
      ASSERT_EQ(error.code[0], 'J');
      ASSERT_FALSE(error.message.empty());
    }
  }
  // Both outcomes occur, or the test would show little.
  EXPECT_GT(accepted, count / 100);
  EXPECT_LT(accepted, count / 2);
}

}  // namespace
}  // namespace warpsim
