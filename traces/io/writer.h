// Trace → JSON: one document, or NDJSON with one record a line.
//
// Shapes: head, then events, then outcome, each written straight into a buffer that is handed on in pieces of about
//         64 KiB, so a run of any length streams. An event's line is the same bytes in both shapes.
// Units:  none.
// Errors: none here: where the bytes go may fail, and that is the owner's of `Output` to notice.
// Source: traces/FORMAT.md.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/model/trace.h"

namespace warpsim {

enum class TraceShape : std::uint8_t { Document, Ndjson };

class TraceWriter {
 public:
  using Output = std::function<void(std::string_view)>;
  TraceWriter(TraceShape shape, Output output);

  // In this order, each exactly once but event(); outcome() outputs the last bytes.
  void head(const TraceHead& head);
  void event(const TraceEvent& event);
  void outcome(const TraceOutcome& outcome);
  // An event as its line, without the line feed; nothing is output. Any number of times, after head().
  std::string line(const TraceEvent& event);

 private:
  void members(const TraceEvent& event);
  void newline(int indent);
  void program(const TraceHead& head);
  void params(const TraceHead& head);
  void code(const TraceHead& head);
  void used_registers(const TraceHead& head, const TraceInsnRegisters& used);
  void sources(const TraceHead& head);
  void phases(std::string_view name, const std::vector<TracePhase>& list);
  void arrays(std::string_view name, const std::vector<std::pair<std::string, Array>>& list,
              const std::vector<UndefinedElements>& undefined, int indent);
  void elements(const Array& array, const std::vector<std::uint64_t>& undefined);
  void exchange(const TraceExchange& exchange);
  void memory(std::string_view key, const TraceMemory& memory);
  void memory_lanes(const TraceMemory& memory);
  void start(const TraceStart& start);
  void writes(std::string_view name, const std::vector<TraceWrite>& writes);
  void masks(const std::vector<TraceMask>& masks);
  void stalls(const std::vector<TraceStall>& stalls);
  void flush_if_large();

  TraceShape shape_;
  Output output_;
  std::string buffer_;
  unsigned lanes_ = 32;
  bool first_event_ = true;
  std::vector<std::string> register_names_;
  std::vector<std::string> register_keys_;  // {"reg": "%x", "lanes":
  std::vector<Type> register_types_;
  std::vector<std::string> op_keys_;       // , "op": "max", "active":
  std::vector<std::string> object_names_;  // parameters, quoted
  std::vector<std::string> shared_names_;  // shared arrays, quoted
};

std::string to_json(const Trace& trace);
std::string to_ndjson(const Trace& trace);
// One event as its line, without the line feed. For tests and for messages; a TraceWriter is faster.
std::string to_json(const TraceEvent& event, const TraceHead& head);

// Writes the head, then the events over and over until about `bytes` are written, then the outcome, to nowhere;
// returns how many bytes it made. For measuring the writer's rate.
std::size_t write_repeatedly(const Trace& trace, std::size_t bytes);

}  // namespace warpsim
