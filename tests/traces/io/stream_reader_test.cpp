// A trace read in pieces is the trace read at once: same records, same faults; and only a line is held.
#include "traces/io/stream_reader.h"

#include <gtest/gtest.h>

#include "tests/traces/io/sample_trace.h"
#include "traces/io/reader.h"
#include "traces/io/writer.h"

namespace warpsim {
namespace {

using testing::sample_trace;

// The text fed in pieces of `piece` bytes.
std::variant<Trace, JsonError> read_in_pieces(const std::string& text, std::size_t piece) {
  Trace trace;
  StreamReader reader(collect_into(trace));
  for (std::size_t at = 0; at < text.size(); at += piece)
    if (!reader.feed(std::string_view(text).substr(at, piece))) break;
  reader.finish();
  if (reader.error()) return *reader.error();
  return trace;
}

std::string outcome_of(const std::variant<Trace, JsonError>& result) {
  if (const JsonError* error = std::get_if<JsonError>(&result)) return render(*error, "t.json");
  return to_json(std::get<Trace>(result));
}

TEST(StreamReader, PiecesOfAnySizeAreTheSameTrace) {
  for (const unsigned lanes : {8U, 64U}) {
    const Trace trace = sample_trace(lanes);
    for (const std::string& text : {to_json(trace), to_ndjson(trace)})
      for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{1000}, text.size()})
        EXPECT_EQ(outcome_of(read_in_pieces(text, piece)), to_json(trace)) << piece;
  }
}

TEST(StreamReader, FaultsAreTheSameInPieces) {
  const std::string records = to_ndjson(sample_trace(8)), document = to_json(sample_trace(8));
  for (std::size_t cut = 0; cut < records.size(); cut += 97) {
    EXPECT_EQ(outcome_of(read_in_pieces(records.substr(0, cut), 13)), outcome_of(read_trace(records.substr(0, cut))));
    EXPECT_EQ(outcome_of(read_in_pieces(document.substr(0, cut), 13)), outcome_of(read_trace(document.substr(0, cut))));
  }
}

TEST(StreamReader, EventsComeAsTheyAreRead) {
  const Trace trace = sample_trace(8);
  const std::string records = to_ndjson(trace);
  std::size_t events = 0;
  bool has_head = false;
  TraceConsumer consumer;
  consumer.head = [&](const TraceHead&) { has_head = true; };
  consumer.event = [&](const TraceEvent&) { ++events; };
  StreamReader reader(consumer);
  std::size_t lines = 0;
  for (std::size_t at = 0, end = 0; (end = records.find('\n', at)) != std::string::npos; at = end + 1, ++lines) {
    EXPECT_EQ(has_head, lines > 0);
    EXPECT_EQ(events, lines == 0 ? 0 : lines - 1);
    if (lines == trace.events.size() + 1) break;
    ASSERT_TRUE(reader.feed(std::string_view(records).substr(at, end + 1 - at)));
  }
  EXPECT_EQ(events, trace.events.size());
  EXPECT_FALSE(reader.finish());  // the outcome is missing
  EXPECT_EQ(reader.error()->code, "J009");
}

TEST(StreamReader, TheErrorsTextHasWhatIsWrong) {
  std::string records = to_ndjson(sample_trace(8));
  records.replace(records.find("\"cycle\": 3,"), 11, "\"cycle\" 3,");
  StreamReader reader(TraceConsumer{});
  EXPECT_FALSE(reader.feed(records));
  ASSERT_TRUE(reader.error().has_value());
  EXPECT_EQ(reader.error()->line, 4U);
  const std::string text = reader.error_text();
  EXPECT_EQ(text.substr(0, 21), "\n\n\n{\"cycle\" 3, \"block");
  EXPECT_EQ(reader.error()->column, 10U);
}

TEST(StreamReader, ARecordWithoutAnEndIsRefusedBeforeItFillsTheMemory) {
  const std::string records = to_ndjson(sample_trace(8));
  StreamReader reader(TraceConsumer{}, std::size_t{1} << 20);
  ASSERT_TRUE(reader.feed(records.substr(0, records.find('\n') + 1)));
  const std::string piece(1000, ' ');
  int fed = 0;
  while (reader.feed(piece) && fed < 2000) ++fed;
  EXPECT_LE(fed, 1049);
  ASSERT_TRUE(reader.error().has_value());
  EXPECT_EQ(render(*reader.error(), "t.json"),
            "t.json:1: error[J014]: a record or a document of more than 1 MiB is not read\n"
            "  try: a long trace is NDJSON, one event a line\n");
}

}  // namespace
}  // namespace warpsim
