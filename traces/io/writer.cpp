// Trace → JSON text.
//
// Shapes: keys in the fixed order of FORMAT.md; ": " and ", " between tokens, so that a line is pleasant to read.
// Units:  none.
// Errors: none.
// Source: traces/FORMAT.md.
#include "traces/io/writer.h"

#include <algorithm>
#include <utility>

#include "traces/io/json_text.h"
#include "traces/io/json_values.h"

namespace warpsim {
namespace {

constexpr std::size_t kFlushBytes = 64 * 1024;

// A finding, and the trap, whose places are always written.
void append_fault(std::string& out, const TraceFinding& fault, unsigned lanes, bool traps) {
  out += '{';
  text_member(out, "kind", fault.kind);
  if (!fault.code.word.empty()) text_member(out, "code", fault.code.word);
  number_member(out, "cycle", fault.cycle);
  number_member(out, "block", fault.block);
  number_member(out, "warp", fault.warp);
  pc_member(out, "pc", fault.pc);
  mask_member(out, "lanes", fault.lanes, lanes);
  text_member(out, "message", english(fault.message));
  text_member(out, "hint", english(fault.hint));
  const auto place_list = [&](std::size_t k) {
    const TracePlace& place = fault.places[k];
    out += '{';
    number_member(out, "block", place.block);
    number_member(out, "warp", place.warp);
    mask_member(out, "lanes", place.lanes, lanes);
    pc_member(out, "pc", place.pc);
    text_member(out, "waits_for", english(place.waits_for));
    out += '}';
  };
  if (traps || !fault.places.empty()) list_member(out, "places", fault.places.size(), place_list);
  const auto step_list = [&](std::size_t k) {
    const TraceStep& step = fault.steps[k];
    out += '{';
    number_member(out, "cycle", step.cycle);
    number_member(out, "block", step.block);
    number_member(out, "warp", step.warp);
    pc_member(out, "pc", step.pc);
    mask_member(out, "lanes", step.lanes, lanes);
    text_member(out, "text", english(step.text));
    out += '}';
  };
  if (!fault.steps.empty()) list_member(out, "steps", fault.steps.size(), step_list);
  out += '}';
}

}  // namespace

TraceWriter::TraceWriter(TraceShape shape, Output output) : shape_(shape), output_(std::move(output)) {}

// In a document, a new line that is indented; in NDJSON, a blank unless a bracket has just opened or is about to close.
void TraceWriter::newline(int indent) {
  if (shape_ == TraceShape::Document) {
    buffer_ += '\n';
    buffer_.append(static_cast<std::size_t>(indent), ' ');
  } else if (buffer_.back() == ',') {
    buffer_ += ' ';
  }
}

void TraceWriter::arrays(std::string_view name, const std::vector<std::pair<std::string, Array>>& list,
                         const std::vector<UndefinedElements>& undefined, int indent) {
  append_json_key(buffer_, name);
  buffer_ += '{';
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (k != 0) buffer_ += ',';
    newline(indent + 2);
    append_json_string(buffer_, list[k].first);
    buffer_ += ": ";
    const auto found = std::find_if(undefined.begin(), undefined.end(),
                                    [&](const UndefinedElements& each) { return each.name == list[k].first; });
    elements(list[k].second, found != undefined.end() ? found->index : std::vector<std::uint64_t>{});
  }
  if (!list.empty()) newline(indent);
  buffer_ += '}';
}

// An array's elements, null where `undefined` lists them.
void TraceWriter::elements(const Array& array, const std::vector<std::uint64_t>& undefined) {
  buffer_ += '[';
  std::size_t next = 0;
  for (std::size_t k = 0; k < array.bits.size(); ++k) {
    if (k != 0) buffer_ += ", ";
    if (next < undefined.size() && undefined[next] == k) {
      buffer_ += "null";
      ++next;
    } else {
      append_json_value(buffer_, array.type, array.bits[k]);
    }
  }
  buffer_ += ']';
}

void TraceWriter::flush_if_large() {
  if (buffer_.size() < kFlushBytes) return;
  output_(buffer_);
  buffer_.clear();
}

void TraceWriter::outcome(const TraceOutcome& outcome) {
  buffer_ += shape_ == TraceShape::Document ? "\n],\n\"outcome\": {" : "{\"outcome\": {";
  newline(2);
  buffer_ += outcome.ok ? "\"ok\": true" : "\"ok\": false";
  number_member(buffer_, "cycles", outcome.cycles);
  number_member(buffer_, "instructions", outcome.instructions);
  buffer_ += ',';
  newline(2);
  arrays("outputs", outcome.outputs, outcome.undefined, 2);
  buffer_ += ',';
  newline(2);
  arrays("expected", outcome.expected, {}, 2);
  buffer_ += ',';
  newline(2);
  buffer_ += "\"passed\": ";
  buffer_ += !outcome.passed ? "null" : *outcome.passed ? "true" : "false";
  buffer_ += ',';
  newline(2);
  list_member(buffer_, "findings", outcome.findings.size(),
              [&](std::size_t k) { append_fault(buffer_, outcome.findings[k], lanes_, false); });
  buffer_ += ',';
  newline(2);
  buffer_ += "\"trap\": ";
  if (outcome.trap) append_fault(buffer_, *outcome.trap, lanes_, true);
  else buffer_ += "null";
  if (!outcome.printed.empty()) {
    buffer_ += ',';
    newline(2);
    buffer_ += "\"printed\": ";
    append_json_string(buffer_, outcome.printed);
  }
  newline(0);
  buffer_ += shape_ == TraceShape::Document ? "}\n}\n" : "}}\n";
  output_(buffer_);
  buffer_.clear();
}

namespace {
std::string write_whole(const Trace& trace, TraceShape shape) {
  std::string out;
  TraceWriter writer(shape, [&out](std::string_view piece) { out += piece; });
  writer.head(trace.head);
  for (const TraceEvent& event : trace.events) writer.event(event);
  writer.outcome(trace.outcome);
  return out;
}
}  // namespace

std::string to_json(const Trace& trace) { return write_whole(trace, TraceShape::Document); }
std::string to_ndjson(const Trace& trace) { return write_whole(trace, TraceShape::Ndjson); }

std::string to_json(const TraceEvent& event, const TraceHead& head) {
  TraceWriter writer(TraceShape::Ndjson, [](std::string_view) {});
  writer.head(head);
  return writer.line(event);
}

std::size_t write_repeatedly(const Trace& trace, std::size_t bytes) {
  std::size_t written = 0;
  TraceWriter writer(TraceShape::Ndjson, [&written](std::string_view piece) { written += piece.size(); });
  writer.head(trace.head);
  while (!trace.events.empty() && written < bytes)
    for (const TraceEvent& event : trace.events) writer.event(event);
  writer.outcome(trace.outcome);
  return written;
}

}  // namespace warpsim
