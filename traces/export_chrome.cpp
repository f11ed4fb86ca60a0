// A trace as Chrome's Trace Event Format: process = block, thread = warp, slice = instruction, flows = shuffles.
//
// Shapes: an arrow runs from the instruction that left the value to the shuffle that moves it.
// Units:  1 cycle is 1 microsecond, the format's unit.
// Source: "Trace Event Format", Google, 2016: phases X, M, s, f, i.
#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "traces/export.h"
#include "traces/export_parts.h"
#include "traces/json_text.h"
#include "traces/json_values.h"

namespace warpsim {
namespace {

class Chrome {
 public:
  explicit Chrome(ExportOutput output) : output_(std::move(output)) {}

  void head(const TraceHead& head) {
    head_ = head;
    flows_ = std::make_unique<FlowTracker>(head_);
    std::string out = "{\"displayTimeUnit\": \"ns\", \"otherData\": {";
    text_member(out, "program", head.program);
    text_member(out, "launch", launch_text(head));
    text_member(out, "backend", head.backend);
    text_member(out, "unit", "1 cycle is 1 microsecond");
    output_(out + "}, \"traceEvents\": [");
  }
  void event(const TraceEvent& event) {
    text_.clear();
    ++events_;
    name_tracks(event.block, event.warp);
    const std::uint64_t time = time_of(event, events_);
    slice(event, time);
    // A flow is bound by time: it starts in the middle of the one slice and ends in that of the other.
    for (const std::uint64_t producer : flows_->note(event, time).producers) {
      ++flow_;
      flow(event, "s", producer);
      flow(event, "f", time);
    }
    output_(text_);
  }
  void outcome(const TraceOutcome& outcome) {
    text_.clear();
    for (const TraceFinding& finding : outcome.findings) instant(finding, "finding", {});
    if (outcome.trap) instant(*outcome.trap, "trap", outcome.trap->places);
    output_(text_ + "\n]}\n");
  }

 private:
  void open(std::string_view phase, std::uint32_t block, std::uint32_t warp) {
    text_ += first_ ? "\n{" : ",\n{";
    first_ = false;
    text_member(text_, "ph", phase);
    number_member(text_, "pid", block);
    number_member(text_, "tid", warp);
  }
  void name_tracks(std::uint32_t block, std::uint32_t warp) {
    if (blocks_.insert(block).second) {
      open("M", block, warp);
      text_ += ", \"name\": \"process_name\", \"args\": {\"name\": \"block " + std::to_string(block) + "\"}}";
    }
    if (warps_.insert({block, warp}).second) {
      open("M", block, warp);
      text_ += ", \"name\": \"thread_name\", \"args\": {\"name\": \"warp " + std::to_string(warp) + "\"}}";
    }
  }
  // What was wrong, on its warp's track.
  void instant(const TraceFinding& fault, std::string_view category, const std::vector<TracePlace>& places) {
    name_tracks(fault.block, fault.warp);
    open("i", fault.block, fault.warp);
    text_member(text_, "name", fault.kind);
    text_member(text_, "cat", category);
    number_member(text_, "ts", std::min(fault.cycle, kLastCycle));
    text_member(text_, "s", "t");
    text_ += ", \"args\": {";
    for (const auto& [name, value] : fault_members(head_, fault, places)) text_member(text_, name, value);
    text_ += "}}";
  }
  void slice(const TraceEvent& event, std::uint64_t time) {
    const TraceInsn& insn = head_.code[static_cast<std::size_t>(event.pc)];
    open("X", event.block, event.warp);
    text_member(text_, "name", insn.text);
    text_member(text_, "cat", insn.op);
    number_member(text_, "ts", time);
    number_member(text_, "dur", 1);
    text_ += ", \"args\": {";
    number_member(text_, "pc", static_cast<std::uint64_t>(event.pc));
    number_member(text_, "line", insn.line);
    mask_member(text_, "active", event.active, head_.lanes);
    if (event.group != event.active) mask_member(text_, "group", event.group, head_.lanes);
    if (event.phase) text_member(text_, "phase", event.phase->title);
    for (const TraceWrite& write : event.writes) {
      append_json_string(text_ += ", ", head_.registers[static_cast<std::size_t>(write.reg)].name);
      text_ += ": ";
      append_json_string(text_, list_text(head_, write));
    }
    text_ += "}}";
  }
  void flow(const TraceEvent& event, std::string_view phase, std::uint64_t time) {
    open(phase, event.block, event.warp);
    text_ += ", \"name\": \"shuffle\", \"cat\": \"shuffle\"";
    number_member(text_, "id", flow_);
    text_ += ", \"ts\": " + std::to_string(time) + ".5";
    if (phase == "f") text_ += ", \"bp\": \"e\"";
    text_ += "}";
  }

  ExportOutput output_;
  TraceHead head_;
  std::unique_ptr<FlowTracker> flows_;
  std::set<std::uint32_t> blocks_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> warps_;
  std::uint64_t events_ = 0, flow_ = 0;
  bool first_ = true;
  std::string text_;
};

}  // namespace

TraceConsumer export_chrome(ExportOutput output) {
  const auto chrome = std::make_shared<Chrome>(std::move(output));
  return {[chrome](const TraceHead& head) { chrome->head(head); },
          [chrome](const TraceEvent& event) { chrome->event(event); },
          [chrome](const TraceOutcome& outcome) { chrome->outcome(outcome); }};
}

}  // namespace warpsim
