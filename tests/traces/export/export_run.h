// What the tests of exports share: running a form, counting in its text, a trace with faults.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "tests/traces/io/sample_trace.h"
#include "traces/export/export.h"

namespace warpsim::testing {

inline std::string stream(const Trace& trace, TraceConsumer (*form)(ExportOutput)) {
  std::string out;
  const TraceConsumer consumer = form([&out](std::string_view text) { out += text; });
  if (consumer.head) consumer.head(trace.head);
  for (const TraceEvent& event : trace.events) consumer.event(event);
  if (consumer.outcome) consumer.outcome(trace.outcome);
  return out;
}

// A file of this process alone: tests of several builds may run side by side.
inline std::string scratch(const std::string& name) { return ::testing::TempDir() + std::to_string(::getpid()) + name; }

inline std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

// "" if every element that opens closes again, attributes are quoted and no markup is in text.
inline std::string xml_fault(const std::string& text) {
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

// The tests' trace with the trap and a finding in its warps.
inline Trace trace_with_faults() {
  Trace trace = testing::sample_trace(8);
  trace.outcome.trap->block = 1;
  trace.outcome.trap->warp = 1;
  trace.outcome.trap->pc = 1;
  trace.outcome.instructions = trace.events.size();
  return trace;
}

}  // namespace warpsim::testing
