// A trace as a table of values: a row for each event, lane and register written; for an event that writes none, a row a
// lane.
//
// Source: RFC 4180; traces/FORMAT.md, "Exports", has the columns.
#include <memory>
#include <utility>

#include "traces/export/export.h"
#include "traces/export/export_parts.h"
#include "traces/replay/phase_view.h"
#include "traces/words/plain_text.h"

namespace warpsim {
namespace {

constexpr std::string_view kColumns =
    "event,cycle,block,warp,pc,line,op,lane,active,register,type,value,defined,from,in_range,access,element,memory\r\n";

void append_field(std::string& out, std::string_view words) {
  const std::string text = without_controls(words);
  if (text.find_first_of(",\"\n") == std::string::npos) {
    out += text;
    return;
  }
  out += '"';
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  out += '"';
}

class Csv {
 public:
  explicit Csv(ExportOutput output) : output_(std::move(output)) {}

  void head(const TraceHead& head) {
    head_ = head;
    if (head.start) events_ = head.start->events;
    output_(kColumns);
  }
  void event(const TraceEvent& event) {
    text_.clear();
    ++events_;
    for_each_lane(event.group, [&](unsigned lane) {
      bool any = false;
      for (const TraceWrite& write : event.writes) {
        if (!has_lane(write.lanes, lane)) continue;
        any = true;
        row(event, lane, &write);
      }
      if (!any) row(event, lane, nullptr);
    });
    output_(text_);
  }
  // What was wrong, a row a lane at fault: no event, no register.
  void outcome(const TraceOutcome& outcome) {
    text_.clear();
    for (const TraceFinding& fault : outcome.findings) fault_rows(fault, "finding");
    if (outcome.trap) fault_rows(*outcome.trap, "trap");
    output_(text_);
  }

 private:
  void fault_rows(const TraceFinding& fault, std::string_view what) {
    const auto row = [&](const std::string& lane) {
      const TraceInsn* const insn = find_insn(head_, fault.pc);
      field(std::to_string(fault.cycle));
      field(std::to_string(fault.block));
      field(std::to_string(fault.warp));
      field(insn != nullptr ? std::to_string(fault.pc) : "");
      field(insn != nullptr ? std::to_string(insn->line) : "");
      field(insn != nullptr ? insn->op : "");
      field(lane);
      text_ += ',';
      field(what);
      field(fault.kind);
      field(english(fault.message));
      text_ += ",,,,,,\r\n";
    };
    for_each_lane(fault.lanes, [&](unsigned lane) { row(std::to_string(lane)); });
    if (fault.lanes == 0) row("");
  }
  void field(std::string_view text) {
    text_ += ',';
    append_field(text_, text);
  }
  void row(const TraceEvent& event, unsigned lane, const TraceWrite* write) {
    const TraceInsn& insn = head_.code[static_cast<std::size_t>(event.pc)];
    text_ += std::to_string(events_);
    field(event.cycle ? std::to_string(*event.cycle) : "");
    field(std::to_string(event.block));
    field(std::to_string(event.warp));
    field(std::to_string(event.pc));
    field(std::to_string(insn.line));
    field(insn.op);
    field(std::to_string(lane));
    field(has_lane(event.active, lane) ? "true" : "false");
    if (write != nullptr) written(*write, lane);
    else text_ += ",,,,";
    const TraceExchange* exchange = event.exchange ? &*event.exchange : nullptr;
    if (exchange != nullptr && has_lane(exchange->lanes, lane)) {
      field(std::to_string(exchange->from[lane_place(exchange->lanes, lane)]));
      field(has_lane(exchange->in_range, lane) ? "true" : "false");
    } else {
      text_ += ",,";
    }
    const TraceMemory* memory = event.memory ? &*event.memory : nullptr;
    if (memory != nullptr && has_lane(memory->lanes, lane)) {
      const std::size_t place = lane_place(memory->lanes, lane);
      field(name(memory->access));
      field(element_text(head_, *memory, place));
      field(access_text(*memory, place, lane, head_.lanes, true));
    } else {
      text_ += ",,,";
    }
    text_ += "\r\n";
  }
  void written(const TraceWrite& write, unsigned lane) {
    const TraceRegister& reg = head_.registers[static_cast<std::size_t>(write.reg)];
    const bool is_undefined = has_lane(write.undefined, lane);
    field(reg.name);
    field(name(reg.type));
    field(plain_value(reg.type, write.bits[lane_place(write.lanes, lane)], is_undefined, head_.lanes));
    field(is_undefined ? "false" : "true");
  }

  ExportOutput output_;
  TraceHead head_;
  std::uint64_t events_ = 0;
  std::string text_;
};

}  // namespace

TraceConsumer export_csv(ExportOutput output) {
  const auto csv = std::make_shared<Csv>(std::move(output));
  return {[csv](const TraceHead& head) { csv->head(head); }, [csv](const TraceEvent& event) { csv->event(event); },
          [csv](const TraceOutcome& outcome) { csv->outcome(outcome); }};
}

}  // namespace warpsim
