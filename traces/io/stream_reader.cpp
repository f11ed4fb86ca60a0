// Lines → records; see stream_reader.h.
#include "traces/io/stream_reader.h"

#include <utility>

#include "traces/io/reader_parts.h"

namespace warpsim {
namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

// NDJSON is what has a whole head, without events, on its first line.
bool begins_records(std::string_view line) {
  const std::variant<Json, JsonError> parsed = parse_json(line);
  const Json* json = std::get_if<Json>(&parsed);
  return json != nullptr && json->is_object() && !json->contains("events");
}

}  // namespace

struct StreamReader::State {
  enum class Shape : std::uint8_t { Unknown, Document, Records };

  TraceConsumer consumer;
  std::size_t max_record_bytes;
  Shape shape = Shape::Unknown;
  std::string pending;  // of a document all of it, else what follows the last line feed
  JsonDepth depth;      // of what is pending, up to `looked_at`
  std::size_t looked_at = 0;
  Reading reading;  // its line: of the record read last
  TraceHead head;
  HeadIndex index;
  EventOrder order;
  std::uint64_t events = 0;
  bool has_head = false, ended = false;
  std::string error_line;
  std::function<bool(const JsonError&)> on_fault;
  std::optional<JsonError> forgiven;  // the last fault after which reading continued

  // Whether reading continues after a fault.
  bool forgive() {
    if (!reading.failed()) return true;
    const bool goes_on = on_fault && on_fault(*reading.error) && has_head;
    if (goes_on) forgiven = std::exchange(reading.error, std::nullopt);
    return goes_on;
  }

  void fail(std::string code, std::string message, std::string hint) {
    if (!reading.failed())
      reading.error = JsonError{std::move(code), std::move(message), std::move(hint), "", reading.line, 0};
  }
  void check_size(std::size_t bytes) {
    if (bytes > max_record_bytes)
      fail("J014", "a record or a document of more than " + std::to_string(max_record_bytes >> 20) + " MiB is not read",
           "a long trace is NDJSON, one event a line");
    if (bytes > max_record_bytes && on_fault) on_fault(*reading.error);
  }

  // Long before it could be parsed.
  void check_depth() {
    constexpr std::size_t kMuch = std::size_t{1} << 20;
    if (reading.failed() || pending.size() < kMuch) return;
    const bool too_deep = depth.is_too_deep(std::string_view(pending).substr(looked_at));
    looked_at = pending.size();
    if (!too_deep) return;
    reading.error = nested_too_deep();
    if (on_fault) on_fault(*reading.error);
  }

  void read_records_head(const Json& json) {
    head = read_head(Node(json, reading), index);
    has_head = !reading.failed();
    if (has_head && consumer.head) consumer.head(head);
  }
  void read_record(const Json& json) {
    const Node record(json, reading);
    if (ended) return record.fail("J012", "a record comes after the outcome, which is the last one");
    if (record.has("outcome")) {
      ended = true;
      const TraceOutcome outcome = read_outcome(record.member("outcome"), head, index);
      if (!reading.failed() && !forgiven) order.check_end(head, outcome, record.member("outcome"));
      if (!reading.failed() && consumer.outcome) consumer.outcome(outcome);
      return;
    }
    const TraceEvent event = read_event(record, head, index);
    if (!reading.failed()) order.check(head, event, record);
    ++events;
    if (!reading.failed() && consumer.event) consumer.event(event);
  }
  // One line, without its line feed.
  void line(std::string_view text) {
    ++reading.line;
    if (is_blank(text)) return;
    const std::variant<Json, JsonError> parsed = parse_json(text);
    if (const JsonError* error = std::get_if<JsonError>(&parsed)) {
      reading.error = *error;
      reading.error->line = reading.line;
    } else if (!has_head) {
      read_records_head(std::get<Json>(parsed));
    } else {
      read_record(std::get<Json>(parsed));
    }
    if (reading.failed()) error_line = text;
    forgive();
  }
  // Looks at the first line that is not blank, once it has ended.
  void find_shape() {
    const std::size_t first = pending.find_first_not_of(" \t\r\n");
    const std::size_t end = first == std::string::npos ? first : pending.find('\n', first);
    if (end == std::string::npos) return;
    shape = begins_records(std::string_view(pending).substr(first, end - first)) ? Shape::Records : Shape::Document;
  }
  void take_lines() {
    std::string_view rest = pending;
    for (std::size_t end = 0; !reading.failed() && (end = rest.find('\n')) != std::string_view::npos;) {
      line(rest.substr(0, end));
      rest.remove_prefix(end + 1);
    }
    pending.erase(0, pending.size() - rest.size());
    depth.restart();
    looked_at = 0;
  }
  void finish_records() {
    if (!is_blank(pending)) line(pending);
    if (reading.failed() || ended) return;
    fail("J009",
         "the trace ends after " + std::to_string(events) + (events == 1 ? " event" : " events") +
             " without its outcome: it is cut off",
         "record it again, to the end");
    forgive();
  }
  void finish_document() {
    const std::variant<Json, JsonError> parsed = parse_json(pending);
    if (const JsonError* error = std::get_if<JsonError>(&parsed)) reading.error = *error;
    else reading.error = read_document(std::get<Json>(parsed), consumer, on_fault);
    if (parsed.index() == 1 && on_fault) on_fault(*reading.error);
  }
};

StreamReader::StreamReader(TraceConsumer consumer, std::size_t max_record_bytes) : state_(std::make_unique<State>()) {
  state_->consumer = std::move(consumer);
  state_->max_record_bytes = max_record_bytes;
}
StreamReader::~StreamReader() = default;

bool StreamReader::feed(std::string_view text) {
  State& state = *state_;
  if (state.reading.failed()) return false;
  state.pending += text;
  // A first line is looked at once it has ended; of a later one only the new text can hold its end.
  if (text.find('\n') != std::string_view::npos) {
    if (state.shape == State::Shape::Unknown) state.find_shape();
    if (state.shape == State::Shape::Records) state.take_lines();
  }
  state.check_size(state.pending.size());
  state.check_depth();
  return !state.reading.failed();
}

bool StreamReader::finish() {
  State& state = *state_;
  if (state.reading.failed()) return false;
  // A head whose line has not ended is the head of a trace that was cut off.
  if (state.shape == State::Shape::Unknown && state.pending.find("\"format\"") != std::string::npos &&
      begins_records(state.pending))
    state.shape = State::Shape::Records;
  if (state.shape == State::Shape::Records) state.finish_records();
  else state.finish_document();
  return !error();
}

const std::optional<JsonError>& StreamReader::error() const {
  return state_->reading.failed() ? state_->reading.error : state_->forgiven;
}

void StreamReader::on_fault(std::function<bool(const JsonError&)> handler) { state_->on_fault = std::move(handler); }

std::string StreamReader::error_text() const {
  if (!is_ndjson()) return state_->pending;
  return std::string(state_->reading.line == 0 ? 0 : state_->reading.line - 1, '\n') + state_->error_line;
}

bool StreamReader::is_ndjson() const { return state_->shape == State::Shape::Records; }

}  // namespace warpsim
