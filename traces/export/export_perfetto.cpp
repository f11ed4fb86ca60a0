// A trace as Perfetto's own protobuf: process = block, thread track = warp, slice = instruction, flows = shuffles.
//
// Shapes: a begin and an end a slice. A flow joins the instruction that left a value to the shuffles that move it, in
//         their order; its id is the number of that instruction's event. The begin of an instruction whose value a
//         shuffle may move is held back until one does or none can: readers order packets by their timestamps. What
//         was wrong is an instant on its warp's track. A timed run has a process for each SM besides, with a thread
//         track for each sub-core and a counter, and slices for what its warps waited for.
// Units:  timestamps are nanoseconds; 1 cycle is 1000 of them, so that a viewer can look into one.
// Source: google/perfetto, protos/perfetto/trace/: trace.proto, trace_packet.proto, track_event/track_event.proto,
//         track_descriptor.proto, process_descriptor.proto, thread_descriptor.proto, counter_descriptor.proto,
//         debug_annotation.proto.
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "traces/export/export.h"
#include "traces/export/export_parts.h"
#include "traces/export/export_timing.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kNanosecondsACycle = 1000;

// A message in the making: fields are written in the order of the calls.
class Proto {
 public:
  Proto& number(std::uint32_t field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3);
    varint(value);
    return *this;
  }
  Proto& fixed64(std::uint32_t field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3 | 1);
    for (int k = 0; k < 8; ++k) bytes_ += static_cast<char>(value >> (8 * k) & 0xFF);
    return *this;
  }
  Proto& text(std::uint32_t field, std::string_view value) {
    varint(std::uint64_t{field} << 3 | 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  Proto& message(std::uint32_t field, const Proto& value) { return text(field, value.bytes_); }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  std::string bytes_;
};

// Field numbers, by message.
namespace trace_file {
constexpr std::uint32_t kPacket = 1;
}
namespace packet {
constexpr std::uint32_t kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kSequenceFlags = 13, kTrackDescriptor = 60;
constexpr std::uint64_t kIncrementalStateCleared = 1;
}  // namespace packet
namespace track {
constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParentUuid = 5, kCounter = 8;
}
namespace process {
constexpr std::uint32_t kPid = 1, kName = 6;
}
namespace thread {
constexpr std::uint32_t kPid = 1, kTid = 2, kName = 5;
}
namespace event {
constexpr std::uint32_t kAnnotation = 4, kType = 9, kTrackUuid = 11, kCategory = 22, kName = 23, kCounterValue = 30,
                        kFlowIds = 47;
constexpr std::uint64_t kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4;
}  // namespace event
namespace annotation {
constexpr std::uint32_t kUint = 3, kString = 6, kName = 10;
}

class Perfetto {
 public:
  explicit Perfetto(ExportOutput output) : output_(std::move(output)) {}

  void head(const TraceHead& head) {
    head_ = head;
    flows_ = std::make_unique<FlowTracker>(head_);
    none_eligible_.head(head);
    output_("");
  }
  void event(const TraceEvent& event) {
    text_.clear();
    ++events_;
    const std::uint64_t time = time_of(event, events_) * kNanosecondsACycle;
    if (event.sub_core >= 0) sub_core(event, time);
    describe_tracks(event.block, event.warp);
    if (event.sub_core >= 0) waited(event);
    Proto begin = slice(event);
    const FlowTracker::Flows flows = flows_->note(event, events_);
    for (const std::uint64_t producer : flows.producers) {
      begin.fixed64(event::kFlowIds, producer);
      release(producer, true);
    }
    for (const std::uint64_t number : flows.over) release(number, false);
    held_[events_] = {time, std::move(begin)};
    if (!flows_->feeds_exchange(event)) release(events_, false);
    if (event.sub_core < 0) add_end(uuid(event.block, event.warp), time + kNanosecondsACycle);
    else if (const auto end = slices_.close_if_done(event))
      add_end(uuid(event.block, event.warp), *end * kNanosecondsACycle);
    output_(text_);
  }
  void outcome(const TraceOutcome& outcome) {
    text_.clear();
    while (!held_.empty()) release(held_.begin()->first, false);
    for (const auto& [warp, end] : slices_.close_all())
      add_end(uuid(warp.first, warp.second), end * kNanosecondsACycle);
    for (auto& [sm, rate] : rates_) count(sm, rate.finish());
    for (const TraceFinding& finding : outcome.findings) add_instant(finding, "finding", {});
    if (outcome.trap) add_instant(*outcome.trap, "trap", outcome.trap->places);
    output_(text_);
  }

 private:
  struct Begin {
    std::uint64_t time = 0;
    Proto message;
  };
  static std::uint64_t uuid(std::uint32_t block) { return (std::uint64_t{block} + 1) << 32; }
  static std::uint64_t uuid(std::uint32_t block, std::uint32_t warp) { return uuid(block) + warp + 1; }
  // Numbers from 1: 0 is the idle process. No two threads share one, nor with a process.
  std::uint64_t thread_number(std::uint32_t block, std::uint32_t warp) const {
    const std::uint64_t warps = head_.warps_per_block();
    return head_.grid.count() + block * warps + warp + 1;
  }

  void add(Proto record) {
    record.number(packet::kSequence, 1);
    if (std::exchange(first_, false)) record.number(packet::kSequenceFlags, packet::kIncrementalStateCleared);
    text_ += Proto().message(trace_file::kPacket, record).bytes();
  }
  // Writes a begin that was held back, if it still is.
  void release(std::uint64_t number, bool has_flow) {
    const auto found = held_.find(number);
    if (found == held_.end()) return;
    Begin& begin = found->second;
    if (has_flow) begin.message.fixed64(event::kFlowIds, number);
    add(Proto().number(packet::kTimestamp, begin.time).message(packet::kTrackEvent, begin.message));
    held_.erase(found);
  }
  void describe_tracks(std::uint32_t block, std::uint32_t warp) {
    const std::uint64_t pid = std::uint64_t{block} + 1;
    if (blocks_.insert(block).second) describe_process(uuid(block), pid, "block " + std::to_string(block));
    if (warps_.insert({block, warp}).second)
      describe_thread(uuid(block, warp), uuid(block), pid, thread_number(block, warp), "warp " + std::to_string(warp));
  }
  void describe_process(std::uint64_t uuid, std::uint64_t pid, const std::string& name) {
    Proto one;
    one.number(process::kPid, pid).text(process::kName, name);
    add(Proto().message(packet::kTrackDescriptor, Proto().number(track::kUuid, uuid).message(track::kProcess, one)));
  }
  void describe_thread(std::uint64_t uuid, std::uint64_t parent, std::uint64_t pid, std::uint64_t tid,
                       const std::string& name) {
    Proto one;
    one.number(thread::kPid, pid).number(thread::kTid, tid).text(thread::kName, name);
    add(Proto().message(
        packet::kTrackDescriptor,
        Proto().number(track::kUuid, uuid).number(track::kParentUuid, parent).message(track::kThread, one)));
  }
  void add_begin(std::uint64_t time, const Proto& begin) {
    add(Proto().number(packet::kTimestamp, time).message(packet::kTrackEvent, begin));
  }
  void add_end(std::uint64_t uuid, std::uint64_t time) {
    Proto end;
    end.number(event::kType, event::kSliceEnd).number(event::kTrackUuid, uuid);
    add(Proto().number(packet::kTimestamp, time).message(packet::kTrackEvent, end));
  }
  // ---- of a timed run
  static std::uint64_t uuid_of_sm(std::uint64_t sm) { return std::uint64_t{1} << 63 | sm << 32; }
  static std::uint64_t uuid_of_counter(std::uint64_t sm) { return uuid_of_sm(sm) | 0xFFFFFFFF; }
  std::uint64_t number_of_sm(std::uint64_t sm) const {  // of its process: after all warps
    return thread_number(static_cast<std::uint32_t>(head_.grid.count()), 0) + sm * (head_.sub_cores + 1);
  }
  void sub_core(const TraceEvent& event, std::uint64_t time) {
    const TraceInsn& insn = head_.code[static_cast<std::size_t>(event.pc)];
    const auto [sm, number] = place_of(head_, event);
    const std::uint64_t uuid = uuid_of_sm(sm) + number + 1, pid = number_of_sm(sm);
    const auto [rate, is_new] = rates_.try_emplace(sm);
    if (is_new) {
      describe_process(uuid_of_sm(sm), pid, sm_text(head_, sm));
      add(Proto().message(packet::kTrackDescriptor, Proto()
                                                        .number(track::kUuid, uuid_of_counter(sm))
                                                        .text(track::kName, "issued a cycle")
                                                        .number(track::kParentUuid, uuid_of_sm(sm))
                                                        .message(track::kCounter, Proto())));
    }
    if (sub_cores_.insert(event.sub_core).second)
      describe_thread(uuid, uuid_of_sm(sm), pid, pid + number + 1, "sub-core " + std::to_string(number));
    if (const auto gap = none_eligible_.note(event)) {
      Proto idle;
      idle.number(event::kType, event::kSliceBegin).number(event::kTrackUuid, uuid);
      add_begin(gap->begin * kNanosecondsACycle, idle.text(event::kCategory, "idle").text(event::kName, kNoneEligible));
      add_end(uuid, gap->end * kNanosecondsACycle);
    }
    Proto out;
    out.number(event::kType, event::kSliceBegin).number(event::kTrackUuid, uuid);
    out.text(event::kCategory, "issue").text(event::kName, insn.op);
    annotate(out, "block", std::uint64_t{event.block});
    annotate(out, "warp", std::uint64_t{event.warp});
    annotate(out, "line", std::uint64_t{insn.line});
    add_begin(time, out);
    add_end(uuid, time + kNanosecondsACycle);
    count(sm, rate->second.note(time / kNanosecondsACycle));
  }
  void count(std::uint64_t sm, const std::vector<IssueRate::Point>& points) {
    for (const IssueRate::Point& point : points) {
      Proto out;
      out.number(event::kType, event::kCounter).number(event::kTrackUuid, uuid_of_counter(sm));
      add_begin(point.cycle * kNanosecondsACycle, out.number(event::kCounterValue, point.value));
    }
  }
  void waited(const TraceEvent& event) {
    const std::uint64_t uuid = Perfetto::uuid(event.block, event.warp);
    const WarpSlices::Before before = slices_.note(event);
    if (before.end) add_end(uuid, *before.end * kNanosecondsACycle);
    for (const StallSlice& slice : before.stalls) {
      Proto out;
      out.number(event::kType, event::kSliceBegin).number(event::kTrackUuid, uuid);
      out.text(event::kCategory, "stall").text(event::kName, slice.stall->reason.word);
      for (const auto& [name, value] : stall_members(head_, *slice.stall)) annotate(out, name, std::string_view(value));
      add_begin(slice.begin * kNanosecondsACycle, out);
      add_end(uuid, slice.end * kNanosecondsACycle);
    }
  }
  // ---- of any run
  static void annotate(Proto& out, std::string_view name, std::uint64_t value) {
    out.message(event::kAnnotation, Proto().text(annotation::kName, name).number(annotation::kUint, value));
  }
  static void annotate(Proto& out, std::string_view name, std::string_view value) {
    out.message(event::kAnnotation, Proto().text(annotation::kName, name).text(annotation::kString, value));
  }
  void add_instant(const TraceFinding& fault, std::string_view category, const std::vector<TracePlace>& places) {
    describe_tracks(fault.block, fault.warp);
    Proto out;
    out.number(event::kType, event::kInstant)
        .number(event::kTrackUuid, uuid(fault.block, fault.warp))
        .text(event::kCategory, category)
        .text(event::kName, fault.kind);
    for (const auto& [name, value] : fault_members(head_, fault, places)) annotate(out, name, std::string_view(value));
    const std::uint64_t time = std::min(fault.cycle, kLastCycle) * kNanosecondsACycle;
    add(Proto().number(packet::kTimestamp, time).message(packet::kTrackEvent, out));
  }
  Proto slice(const TraceEvent& event) const {
    const TraceInsn& insn = head_.code[static_cast<std::size_t>(event.pc)];
    Proto out;
    out.number(event::kType, event::kSliceBegin)
        .number(event::kTrackUuid, uuid(event.block, event.warp))
        .text(event::kCategory, insn.op)
        .text(event::kName, insn.text);
    annotate(out, "pc", static_cast<std::uint64_t>(event.pc));
    annotate(out, "line", std::uint64_t{insn.line});
    const auto text = [&out](std::string_view name, const std::string& value) {
      annotate(out, name, std::string_view(value));
    };
    text("active", lane_mask_hex(event.active, head_.lanes));
    if (event.group != event.active) text("group", lane_mask_hex(event.group, head_.lanes));
    if (event.phase) text("phase", event.phase->title);
    for (const TraceWrite& write : event.writes)
      text(head_.registers[static_cast<std::size_t>(write.reg)].name, list_text(head_, write));
    return out;
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
  std::map<std::uint64_t, Begin> held_;  // by event
  std::uint64_t events_ = 0;
  bool first_ = true;
  std::string text_;
};

}  // namespace

TraceConsumer export_perfetto(ExportOutput output) {
  const auto perfetto = std::make_shared<Perfetto>(std::move(output));
  return {[perfetto](const TraceHead& head) { perfetto->head(head); },
          [perfetto](const TraceEvent& event) { perfetto->event(event); },
          [perfetto](const TraceOutcome& outcome) { perfetto->outcome(outcome); }};
}

}  // namespace warpsim
