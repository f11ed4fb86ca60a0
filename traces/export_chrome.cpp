// A trace as Chrome's Trace Event Format: process = block, thread = warp, slice = instruction, flows = shuffles.
//
// Shapes: an arrow runs from the instruction that left the value to the shuffle that moves it.
// Units:  1 cycle is 1 microsecond, the format's unit.
// Source: "Trace Event Format", Google, 2016: phases X, M, s, f.
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
    flows_ = std::make_unique<FlowTracker>(head);
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
    name_tracks(event);
    const std::uint64_t time = time_of(event, events_);
    slice(event, time);
    // A flow is bound by time: it starts in the middle of the one slice and ends in that of the other.
    for (const std::uint64_t producer : flows_->producers(event, time)) {
      ++flow_;
      flow(event, "s", producer);
      flow(event, "f", time);
    }
    output_(text_);
  }
  void outcome() { output_("\n]}\n"); }

 private:
  void open(std::string_view phase, const TraceEvent& event) {
    text_ += first_ ? "\n{" : ",\n{";
    first_ = false;
    text_member(text_, "ph", phase);
    number_member(text_, "pid", event.block);
    number_member(text_, "tid", event.warp);
  }
  void name_tracks(const TraceEvent& event) {
    if (blocks_.insert(event.block).second) {
      open("M", event);
      text_ += ", \"name\": \"process_name\", \"args\": {\"name\": \"block " + std::to_string(event.block) + "\"}}";
    }
    if (warps_.insert({event.block, event.warp}).second) {
      open("M", event);
      text_ += ", \"name\": \"thread_name\", \"args\": {\"name\": \"warp " + std::to_string(event.warp) + "\"}}";
    }
  }
  void slice(const TraceEvent& event, std::uint64_t time) {
    const TraceInsn& insn = head_.code[static_cast<std::size_t>(event.pc)];
    open("X", event);
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
    open(phase, event);
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
          [chrome](const TraceOutcome&) { chrome->outcome(); }};
}

}  // namespace warpsim
