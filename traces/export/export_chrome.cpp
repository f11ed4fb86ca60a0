// A trace as Chrome's Trace Event Format: process = block, thread = warp, slice = instruction, flows = shuffles.
//
// Shapes: an arrow runs from the instruction that left the value to the shuffle that moves it.
//         A timed run has a process for each SM besides, with a thread for each sub-core and a counter; its warps'
//         slices begin and end separately, and what they waited for has slices of its own.
// Units:  1 cycle is 1 microsecond, the format's unit.
// Source: "Trace Event Format", Google, 2016: phases X, B, E, C, M, s, f, i.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "traces/export/export.h"
#include "traces/export/export_parts.h"
#include "traces/export/export_timing.h"
#include "traces/io/json_text.h"
#include "traces/io/json_values.h"
#include "traces/sentence/launch_text.h"

namespace warpsim {
namespace {

class Chrome {
 public:
  explicit Chrome(ExportOutput output) : output_(std::move(output)) {}

  void head(const TraceHead& head) {
    head_ = head;
    flows_ = std::make_unique<FlowTracker>(head_);
    none_eligible_.head(head);
    std::string out = "{\"displayTimeUnit\": \"ns\", \"otherData\": {";
    text_member(out, "program", head.program);
    text_member(out, "launch", launch_text(head));
    text_member(out, "backend", head.backend);
    if (!head.scheduler.empty()) {
      text_member(out, "profile", profile_name(head));
      text_member(out, "scheduler", head.scheduler);
    }
    text_member(out, "unit", "1 cycle is 1 microsecond");
    output_(out + "}, \"traceEvents\": [");
  }
  void event(const TraceEvent& event) {
    text_.clear();
    ++events_;
    const std::uint64_t time = time_of(event, events_);
    if (event.sub_core >= 0) sub_core(event, time);
    name_tracks(event.block, event.warp);
    if (event.sub_core >= 0) waited(event);
    slice(event, time);
    if (const auto end = slices_.close_if_done(event)) close(event.block, event.warp, *end);
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
    for (const auto& [warp, end] : slices_.close_all()) close(warp.first, warp.second, end);
    for (auto& [sm, rate] : rates_) count(sm, rate.finish());
    for (const TraceFinding& finding : outcome.findings) instant(finding, "finding", {});
    if (outcome.trap) instant(*outcome.trap, "trap", outcome.trap->places);
    output_(text_ + "\n]}\n");
  }

 private:
  void open(std::string_view phase, std::uint64_t block, std::uint64_t warp) {
    text_ += first_ ? "\n{" : ",\n{";
    first_ = false;
    text_member(text_, "ph", phase);
    number_member(text_, "pid", block);
    number_member(text_, "tid", warp);
  }
  void name_track(std::string_view what, std::uint64_t process, std::uint64_t thread, const std::string& name) {
    open("M", process, thread);
    text_member(text_, "name", what);
    text_ += ", \"args\": {\"name\": \"" + name + "\"}}";
  }
  void name_tracks(std::uint32_t block, std::uint32_t warp) {
    if (blocks_.insert(block).second) name_track("process_name", block, warp, "block " + std::to_string(block));
    if (warps_.insert({block, warp}).second) name_track("thread_name", block, warp, "warp " + std::to_string(warp));
  }
  // ---- of a timed run
  std::uint64_t process_of_sm(std::uint64_t sm) const { return head_.grid.count() + sm; }
  void sub_core(const TraceEvent& event, std::uint64_t time) {
    const TraceInsn& insn = head_.code[static_cast<std::size_t>(event.pc)];
    const auto [sm, number] = place_of(head_, event);
    const std::uint64_t process = process_of_sm(sm);
    const auto [rate, is_new] = rates_.try_emplace(sm);
    if (is_new) {
      name_track("process_name", process, number, sm_text(head_, sm));
      open("M", process, number);  // above the blocks
      text_ += ", \"name\": \"process_sort_index\", \"args\": {\"sort_index\": -1}}";
    }
    if (sub_cores_.insert(event.sub_core).second)
      name_track("thread_name", process, number, "sub-core " + std::to_string(number));
    if (const auto gap = none_eligible_.note(event)) {
      open("X", process, number);
      text_member(text_, "name", kNoneEligible);
      text_member(text_, "cat", "idle");
      number_member(text_, "ts", gap->begin);
      number_member(text_, "dur", gap->end - gap->begin);
      text_ += "}";
    }
    open("X", process, number);
    text_member(text_, "name", insn.op);
    text_member(text_, "cat", "issue");
    number_member(text_, "ts", time);
    number_member(text_, "dur", 1);
    text_ += ", \"args\": {";
    number_member(text_, "block", event.block);
    number_member(text_, "warp", event.warp);
    number_member(text_, "line", insn.line);
    text_ += "}}";
    count(sm, rate->second.note(time));
  }
  void count(std::uint64_t sm, const std::vector<IssueRate::Point>& points) {
    for (const IssueRate::Point& point : points) {
      open("C", process_of_sm(sm), 0);
      text_ += ", \"name\": \"issued a cycle\"";
      number_member(text_, "ts", point.cycle);
      text_ += ", \"args\": {\"instructions\": " + std::to_string(point.value) + "}}";
    }
  }
  void waited(const TraceEvent& event) {
    const WarpSlices::Before before = slices_.note(event);
    if (before.end) close(event.block, event.warp, *before.end);
    for (const StallSlice& slice : before.stalls) {
      open("X", event.block, event.warp);
      text_member(text_, "name", slice.stall->reason.word);
      text_member(text_, "cat", "stall");
      number_member(text_, "ts", slice.begin);
      number_member(text_, "dur", slice.end - slice.begin);
      text_ += ", \"args\": {";
      for (const auto& [name, value] : stall_members(head_, *slice.stall)) text_member(text_, name, value);
      text_ += "}}";
    }
  }
  void close(std::uint32_t block, std::uint32_t warp, std::uint64_t end) {
    open("E", block, warp);
    number_member(text_, "ts", end);
    text_ += "}";
  }
  // ---- of any run
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
    open(event.sub_core >= 0 ? "B" : "X", event.block, event.warp);
    text_member(text_, "name", insn.text);
    text_member(text_, "cat", insn.op);
    number_member(text_, "ts", time);
    if (event.sub_core < 0) number_member(text_, "dur", 1);
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
  WarpSlices slices_;
  NoneEligible none_eligible_;
  std::map<std::uint64_t, IssueRate> rates_;  // by SM
  std::set<std::int32_t> sub_cores_;
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
