// The two shapes of a trace.
//
// Errors: beside those of json_dom.h: J007 no warpsim trace, J008 version, J013 a launch that is too large, and those
//         of stream_reader.h.
#include "traces/io/reader.h"

#include <utility>

#include "traces/io/reader_parts.h"
#include "traces/io/stream_reader.h"

namespace warpsim {

std::optional<JsonError> read_document(const Json& json, const TraceConsumer& consumer, const FaultHandler& on_fault) {
  Reading reading;
  std::optional<JsonError> forgiven;
  // Whether reading continues after a fault.
  const auto forgive = [&](bool possible) {
    if (!reading.failed()) return true;
    if (!on_fault || !on_fault(*reading.error) || !possible) return false;
    forgiven = std::exchange(reading.error, std::nullopt);
    return true;
  };
  const Node root(json, reading);
  HeadIndex index;
  const TraceHead head = read_head(root, index);
  if (!forgive(false)) return reading.error;
  if (consumer.head) consumer.head(head);
  const Node events = root.member("events");
  EventOrder order;
  for (std::size_t k = 0, n = events.size(); k < n && !reading.failed(); ++k) {
    const TraceEvent event = read_event(events.item(k), head, index);
    if (!reading.failed()) order.check(head, event, events.item(k));
    if (!reading.failed() && consumer.event) consumer.event(event);
    if (!forgive(true)) return reading.error;
  }
  if (!forgive(true)) return reading.error;
  const TraceOutcome outcome = read_outcome(root.member("outcome"), head, index);
  if (!reading.failed() && !forgiven) order.check_end(head, outcome, root.member("outcome"));
  if (!forgive(true)) return reading.error;
  if (!forgiven && consumer.outcome) consumer.outcome(outcome);
  return forgiven;
}

TraceConsumer collect_into(Trace& trace) {
  return {[&trace](const TraceHead& head) { trace.head = head; },
          [&trace](const TraceEvent& event) { trace.events.push_back(event); },
          [&trace](const TraceOutcome& outcome) { trace.outcome = outcome; }};
}

std::variant<Trace, JsonError> read_trace(std::string_view text) {
  Trace trace;
  StreamReader reader(collect_into(trace));
  if (reader.feed(text)) reader.finish();
  if (reader.error()) return *reader.error();
  return trace;
}

}  // namespace warpsim
