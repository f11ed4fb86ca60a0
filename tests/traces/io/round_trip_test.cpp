// What the writer writes the reader reads, in both shapes, to the last byte and the last bit.
#include <gtest/gtest.h>

#include <cstring>

#include "tests/traces/io/sample_trace.h"
#include "traces/io/json_values.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"

namespace warpsim {
namespace {

using testing::f32;
using testing::f64;
using testing::sample_head;
using testing::sample_trace;
using testing::sample_write;

Trace read(const std::string& text) {
  std::variant<Trace, JsonError> result = read_trace(text);
  if (const JsonError* error = std::get_if<JsonError>(&result)) {
    ADD_FAILURE() << render(*error, "trace");
    return {};
  }
  return std::get<Trace>(std::move(result));
}

TEST(TraceRoundTrip, BothShapesAreByteIdentical) {
  for (const unsigned lanes : {4U, 8U, 16U, 32U, 64U}) {
    const Trace trace = sample_trace(lanes);
    const std::string document = to_json(trace), records = to_ndjson(trace);
    EXPECT_EQ(to_json(read(document)), document);
    EXPECT_EQ(to_ndjson(read(records)), records);
    // The two shapes hold the same records.
    EXPECT_EQ(to_json(read(records)), document);
    EXPECT_EQ(to_ndjson(read(document)), records);
  }
}

TEST(TraceRoundTrip, SourcesPlacesAndVariablesComeBack) {
  Trace trace = sample_trace(8);
  trace.head = testing::sourced_head(8);
  const std::string document = to_json(trace), records = to_ndjson(trace);
  const TraceHead back = read(document).head;
  EXPECT_EQ(back.version, "1.6");
  ASSERT_EQ(back.sources.size(), 2U);
  EXPECT_EQ(back.sources[0].text, "first\nsecond\n");
  EXPECT_EQ(back.sources[1].file, "intrinsics.hpp");
  EXPECT_EQ(back.places, trace.head.places);
  ASSERT_EQ(back.variables.size(), 1U);
  EXPECT_EQ(back.variables[0].name, "i");
  EXPECT_EQ(back.variables[0].reg, 4);
  EXPECT_EQ(back.variables[0].end, 2);
  EXPECT_EQ(back.code[0].place, 1);
  EXPECT_EQ(back.code[0].innermost, 2);
  EXPECT_FALSE(back.code[0].is_address);
  EXPECT_TRUE(back.code[1].is_address);
  EXPECT_EQ(back.code[2].place, -1);
  EXPECT_EQ(to_ndjson(read(records)), records);
  EXPECT_EQ(to_json(read(records)), document);
}

TEST(TraceRoundTrip, PlacesThatAreNotThereAreRefused) {
  Trace trace = sample_trace(8);
  trace.head = testing::sourced_head(8);
  const std::string document = to_json(trace);
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"\"place\": 1", "\"place\": 3"},
                                 {"\"innermost\": 2", "\"innermost\": 3"},
                                 {"\"inlined_at\": 0", "\"inlined_at\": 1"},
                                 {"\"source\": 1", "\"source\": 2"},
                                 {"\"register\": \"%u32\"", "\"register\": \"%none\""}}) {
    std::string text = document;
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    EXPECT_TRUE(std::holds_alternative<JsonError>(read_trace(text))) << to;
  }
  // Without sources there are no places.
  std::string text = to_json(sample_trace(8));
  const std::string from = "\"doc\": \"the lane is done\"";
  text.replace(text.find(from), from.size(), from + ", \"place\": 0");
  EXPECT_TRUE(std::holds_alternative<JsonError>(read_trace(text)));
}

TEST(TraceRoundTrip, ReadsBackTheSameTrace) {
  const Trace trace = sample_trace(8);
  const Trace back = read(to_json(trace));
  ASSERT_EQ(back.events.size(), trace.events.size());
  for (std::size_t k = 0; k < trace.events.size(); ++k) {
    const TraceEvent &a = trace.events[k], &b = back.events[k];
    EXPECT_EQ(a.cycle, b.cycle);
    EXPECT_EQ(a.active, b.active);
    EXPECT_EQ(a.group, b.group);
    ASSERT_EQ(a.writes.size(), b.writes.size());
    for (std::size_t n = 0; n < a.writes.size(); ++n) {
      const TraceWrite &x = a.writes[n], &y = b.writes[n];
      EXPECT_EQ(x.reg, y.reg);
      EXPECT_EQ(x.lanes, y.lanes);
      EXPECT_EQ(x.undefined, y.undefined);
      for (unsigned lane = 0; lane < 4; ++lane)
        EXPECT_TRUE(has_lane(x.undefined, lane) || x.bits[lane] == y.bits[lane]) << "event " << k << " lane " << lane;
    }
    ASSERT_EQ(a.memory.has_value(), b.memory.has_value());
    if (a.memory) {
      EXPECT_EQ(a.memory->object, b.memory->object);
      EXPECT_EQ(a.memory->index, b.memory->index);
      EXPECT_EQ(a.memory->address, b.memory->address);
      EXPECT_EQ(a.memory->undefined, b.memory->undefined);
      EXPECT_EQ(a.memory->ways, b.memory->ways);
      EXPECT_EQ(a.memory->bytes, b.memory->bytes);
    }
  }
  EXPECT_EQ(back.head.text, trace.head.text);
  EXPECT_EQ(back.head.params[3].bits, f64(0.1));
  EXPECT_EQ(back.head.params[1].address, 0x200000100U);
  EXPECT_EQ(back.outcome.trap->places[1].pc, -1);
  EXPECT_EQ(back.outcome.undefined[0].index, std::vector<std::uint64_t>{1});
}

// The expected lines are written from FORMAT.md, by hand.
TEST(TraceWriter, WritesWhatTheFormatSays) {
  const Trace trace = sample_trace(8);
  const auto line = [&](std::size_t k) { return to_json(trace.events[k], trace.head); };
  const std::string front =
      R"("block": 0, "warp": 0, "pc": 0, "op": "shfl.down", "active": "0x0000000f", "writes": [{"reg": )";
  EXPECT_EQ(line(0),
            R"({"cycle": 1, )" + front + R"("%pred", "lanes": "0x0000000f", "values": [true, false, null, true]}]})");
  EXPECT_EQ(line(1), R"({"cycle": 2, )" + front +
                         R"("%f32", "lanes": "0x0000000f", "values": [0.1, "NaN", {"nan": "0x7fc12345"}, -0.0]}]})");
  EXPECT_EQ(line(2),
            R"({"cycle": 3, )" + front +
                R"("%f32", "lanes": "0x0000000f", "values": [1e+16, "Infinity", "-Infinity", 7.038531e-26]}]})");
  EXPECT_EQ(line(3),
            R"({"cycle": 4, )" + front +
                R"("%f64", "lanes": "0x0000000f", "values": [0.1, "NaN", {"nan": "0x7ff8000000000001"}, 5e-324]}]})");
  EXPECT_EQ(line(5),
            R"({"cycle": 6, )" + front + R"("%u32", "lanes": "0x0000000f", "values": [0, 1, 4294967295, 7]}]})");
  EXPECT_EQ(line(6), R"({"cycle": 7, )" + front +
                         R"("%s32", "lanes": "0x0000000f", "values": [0, -1, -2147483648, 2147483647]}]})");
  EXPECT_EQ(
      line(7),
      R"({"cycle": 8, )" + front +
          R"("%u64", "lanes": "0x0000000f", "values": ["0", "18446744073709551615", "9007199254740992", "7"]}]})");
  EXPECT_EQ(line(8), R"({"cycle": 9, )" + front +
                         R"("%s64", "lanes": "0x0000000f", "values": ["0", "-1", "-9223372036854775808", "7"]}]})");
  EXPECT_EQ(
      line(10),
      R"({"cycle": 11, )" + front +
          R"("%mask", "lanes": "0x0000000f", "values": ["0x00000000", "0x0000000f", "0xffffffff", "0x00000007"]}]})");
  EXPECT_EQ(
      line(12),
      R"({"cycle": 13, "block": 1, "warp": 1, "pc": 0, "op": "shfl.down", "active": "0x0000000f", "group": "0x000000ff", )"
      R"("phase": {"index": 0, "number": 4, "step": 2, "title": "Step 2 – \"quoted\"\n"}, )"
      R"("exchange": {"lanes": "0x0000000f", "from": [1, 2, 3, 3], "in_range": "0x00000007", "undefined": "0x00000004"}, )"
      R"("writes": [{"reg": "%f32", "lanes": "0x0000000f", "values": [1.0, 2.0, null, 3.0]}]})");
  EXPECT_EQ(
      line(13),
      R"({"cycle": 14, "block": 0, "warp": 0, "pc": 0, "op": "shfl.down", "active": "0x0000000a", "memory": {"space": "global", )"
      R"("access": "load", "type": "f32", "lanes": "0x0000000a", "object": ["input", null], "index": [2, null], )"
      R"("address": ["0x100000008", "0x42"], "values": [1e+20, null]}})");
  EXPECT_EQ(
      line(14),
      R"({"cycle": 15, "block": 0, "warp": 0, "pc": 0, "op": "shfl.down", "active": "0x0000000a", "memory": {"space": "shared", )"
      R"("access": "store", "type": "f32", "lanes": "0x0000000a", "object": "tile", "index": [2, 7], )"
      R"("address": ["0x8", "0x1c"], "values": [1e+20, 0.5], "bank": [2, 7], "ways": 2}})");
  EXPECT_EQ(
      line(16),
      R"({"cycle": null, "block": 0, "warp": 0, "pc": 1, "op": "bra", "active": "0x00000000", "group": "0x0000000f", "masks": [)"
      R"({"kind": "branch", "taken": "0x00000003", "not_taken": "0x0000000c", "target": 2, "reconvergence": null}, )"
      R"({"kind": "reconverge", "lanes": "0x0000000f", "pc": 2}, {"kind": "exit", "lanes": "0x00000001"}]})");
}

TEST(TraceWriter, MasksHave16DigitsAt64Lanes) {
  const Trace trace = sample_trace(64);
  EXPECT_NE(to_json(trace.events[0], trace.head).find(R"("active": "0x000000000000000f")"), std::string::npos);
  EXPECT_NE(to_json(trace.events[10], trace.head).find(R"("0xffffffffffffffff")"), std::string::npos);
}

TEST(TraceWriter, AnEventIsOneLineOfTheDocument) {
  const Trace trace = sample_trace(8);
  const std::string document = to_json(trace);
  for (const TraceEvent& event : trace.events)
    EXPECT_NE(document.find("\n" + to_json(event, trace.head)), std::string::npos);
  EXPECT_EQ(document.find('\r'), std::string::npos);
  EXPECT_EQ(document.find('\t'), std::string::npos);  // a tab in the source text is escaped
  EXPECT_EQ(document.back(), '\n');
}

TEST(TraceWriter, AnEmptyTraceIsADocumentToo) {
  Trace trace;
  trace.head = sample_head(8);
  trace.head.inputs.clear();
  EXPECT_EQ(to_json(read(to_json(trace))), to_json(trace));
  EXPECT_EQ(to_ndjson(read(to_ndjson(trace))), to_ndjson(trace));
}

// What is written streams out in pieces, whole only in the end.
TEST(TraceWriter, StreamsInPieces) {
  Trace trace = sample_trace(32);
  std::size_t pieces = 0, largest = 0;
  std::string all;
  TraceWriter writer(TraceShape::Ndjson, [&](std::string_view piece) {
    ++pieces;
    largest = std::max(largest, piece.size());
    all += piece;
  });
  writer.head(trace.head);
  for (std::uint64_t k = 0; k < 2000; ++k) {
    trace.events[12].cycle = k + 1;
    writer.event(trace.events[12]);
  }
  trace.outcome.cycles = trace.outcome.instructions = 2000;
  writer.outcome(trace.outcome);
  EXPECT_GT(pieces, 5U);
  EXPECT_LT(largest, 80'000U);
  EXPECT_EQ(read(all).events.size(), 2000U);
}

// ---- values

std::uint64_t through_json(Type type, std::uint64_t bits) {
  std::string text = "[";
  append_json_value(text, type, bits);
  text += "]";
  const std::variant<Array, JsonError> back = array_from_json(text, type);
  if (const JsonError* error = std::get_if<JsonError>(&back)) {
    ADD_FAILURE() << text << ": " << error->message;
    return ~bits;
  }
  return std::get<Array>(back).bits[0];
}

TEST(JsonValues, EveryHalfComesBack) {
  for (std::uint64_t bits = 0; bits < 0x10000; ++bits)
    for (const Type type : {Type::F16, Type::BF16})
      ASSERT_EQ(through_json(type, bits), bits) << name(type) << std::hex << " " << bits;
}

TEST(JsonValues, PairsComeBack) {
  std::string text;
  append_json_value(text, Type::F16X2, 0xfc003c00);
  EXPECT_EQ(text, "[1.0, \"-Infinity\"]");
  for (std::uint64_t low = 0; low < 0x10000; low += 7) {
    const std::uint64_t bits = low | (low * 40503 & 0xffff) << 16;
    for (const Type type : {Type::F16X2, Type::BF16X2}) ASSERT_EQ(through_json(type, bits), bits) << std::hex << bits;
  }
  for (const char* wrong : {"[1.0]", "[[1.0]]", "[[1.0, 2.0, 3.0]]", "[[1.0, null]]", "[[1.0, 65536.0]]", "[\"1\"]"})
    EXPECT_EQ(array_from_json(wrong, Type::F16X2).index(), 1U) << wrong;
}

TEST(JsonValues, SingleFloatsComeBack) {
  // 7.038531e-26: as a double it is in the middle between two floats, and rounding it again would give the wrong one.
  for (const std::uint64_t bits :
       {0x15ae43fdULL, 0x15ae43feULL, 0x00000001ULL, 0x80000000ULL, 0x7f7fffffULL, 0x00800000ULL, 0x007fffffULL})
    EXPECT_EQ(through_json(Type::F32, bits), bits) << std::hex << bits;
  std::uint64_t state = 1;
  for (int k = 0; k < 100'000; ++k) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::uint64_t bits = state >> 32;
    ASSERT_EQ(through_json(Type::F32, bits), bits) << std::hex << bits;
  }
}

TEST(JsonValues, DoublesAndIntegersComeBack) {
  std::uint64_t state = 2;
  for (int k = 0; k < 30'000; ++k) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    const std::uint64_t word = state ^ state >> 29;
    for (const Type type : {Type::F64, Type::U64, Type::S64, Type::B64}) ASSERT_EQ(through_json(type, word), word);
    for (const Type type : {Type::U32, Type::S32, Type::B32}) ASSERT_EQ(through_json(type, word >> 32), word >> 32);
    for (const Type type : {Type::U16, Type::S16, Type::B16}) ASSERT_EQ(through_json(type, word >> 48), word >> 48);
    for (const Type type : {Type::U8, Type::S8, Type::B8}) ASSERT_EQ(through_json(type, word >> 56), word >> 56);
  }
}

TEST(JsonValues, StringsAreValidJson) {
  std::string out;
  append_json_string(out, std::string_view("a\"\\\n\t\x01\xff\xe2\x86\x94\xc3", 11));
  EXPECT_EQ(out, "\"a\\\"\\\\\\n\\t\\u0001\xEF\xBF\xBD\xe2\x86\x94\xEF\xBF\xBD\"");
}

TEST(JsonValues, AnArrayMayStandInAnObject) {
  const Array expected{Type::F32, {f32(1), f32(2.5F)}};
  for (const char* text :
       {"[1, 2.5]", "{\"input\": [1, 2.5]}", "{\"other\": [3], \"input\": [1, 2.5]}", "{\"x\": [1.0, 25e-1]}"}) {
    const auto read_back = array_from_json(text, Type::F32, "input");
    ASSERT_TRUE(std::holds_alternative<Array>(read_back)) << text;
    EXPECT_EQ(std::get<Array>(read_back), expected) << text;
  }
  EXPECT_EQ(array_to_json(expected), "[1.0, 2.5]");
}

TEST(JsonValues, RefusalsSayWhatWasExpected) {
  const auto message = [](const char* text, Type type) {
    const auto result = array_from_json(text, type, "input");
    const JsonError* error = std::get_if<JsonError>(&result);
    return error == nullptr ? std::string("accepted") : render(*error, "x.json");
  };
  EXPECT_EQ(message("[1, \"a\"]", Type::U32),
            "x.json: error[J004]: at /1: expected a whole number from 0 to 4294967295 (u32), found the string \"a\"\n");
  EXPECT_EQ(message("[1, 2.5]", Type::S32),
            "x.json: error[J004]: at /1: expected a whole number from -2147483648 to 2147483647 (s32), found the "
            "number 2.5\n");
  EXPECT_EQ(message("[-2147483648, 2147483648]", Type::S32).substr(0, 28), "x.json: error[J004]: at /1: ");
  EXPECT_EQ(message("[\"-9223372036854775808\", \"9223372036854775808\"]", Type::S64).substr(0, 28),
            "x.json: error[J004]: at /1: ");
  EXPECT_EQ(message("[-128, -129]", Type::S8).substr(0, 28), "x.json: error[J004]: at /1: ");
  EXPECT_EQ(message("[-1]", Type::U32),
            "x.json: error[J004]: at /0: expected a whole number from 0 to 4294967295 (u32), found the number -1\n");
  EXPECT_EQ(message("[1e300]", Type::F32),
            "x.json: error[J004]: at /0: the number 1e+300 is too large for f32; infinity is written \"Infinity\"\n");
  EXPECT_EQ(message("[1, 2", Type::U32),
            "x.json:1:6: error[J003]: the JSON text ends too early\n  try: was the file cut off?\n");
  EXPECT_EQ(message("[1,\n 2 3]", Type::U32),
            "x.json:2:4: error[J001]: this is no JSON: \"3\" is out of place, expected ']'\n");
  EXPECT_EQ(message("", Type::U32), "x.json: error[J003]: there is no JSON text here: it is empty\n");
  EXPECT_EQ(message("7", Type::U32),
            "x.json: error[J004]: expected an array, found the number 7\n  try: write [1, 2, 3], or {\"input\": [1, 2, "
            "3]}\n");
}

}  // namespace
}  // namespace warpsim
