// Following a trace's memory and phases.
#include "traces/replay/phase_view.h"

#include <algorithm>

#include "isa/kernels/shuffle_mode.h"
#include "isa/table/op.h"
#include "traces/replay/dataflow.h"

namespace warpsim {

TemplateValue RecordView::reg(std::string_view name, unsigned lane, bool old) const {
  const TraceState& state = old ? record_.old : now_;
  for (std::size_t k = 0; k < head_.registers.size(); ++k) {
    if (head_.registers[k].name != name) continue;
    const std::int32_t index = static_cast<std::int32_t>(k);
    if (has_lane(state.undefined(block_, warp_, index), lane)) return TemplateValue::undefined();
    return TemplateValue::of(head_.registers[k].type, state.bits(block_, warp_, index, lane));
  }
  return {};
}

TemplateValue RecordView::param(std::string_view name) const {
  for (const TraceParam& param : head_.params) {
    if (param.name == name && !param.is_buffer()) return TemplateValue::of(param.type, param.bits);
  }
  return {};
}

TemplateValue RecordView::element(std::string_view buffer, std::int64_t index) const {
  return memory_.element(buffer, index, block_);
}

std::optional<TemplateSource> RecordView::source(std::string_view reg, unsigned lane) const {
  for (auto at = record_.exchanges.rbegin(); at != record_.exchanges.rend(); ++at) {
    const TraceExchange& exchange = *at->event->exchange;
    if (!has_lane(exchange.lanes, lane) || (!reg.empty() && at->reg != reg)) continue;
    TemplateSource source;
    source.from = exchange.from[lane_place(exchange.lanes, lane)];
    source.in_range = has_lane(exchange.in_range, lane);
    source.undefined = has_lane(exchange.undefined, lane);
    source.asked = lane < at->asked.size() ? at->asked[lane] : static_cast<std::int64_t>(source.from);
    return source;
  }
  return std::nullopt;
}

std::vector<TemplateAccess> RecordView::accesses(unsigned lane) const {
  std::vector<TemplateAccess> all;
  for (const TraceEvent* event : record_.accesses) {
    const TraceMemory& memory = *event->memory;
    if (!has_lane(memory.lanes, lane)) continue;
    const std::size_t place = lane_place(memory.lanes, lane);
    for (unsigned e = 0; e < memory.elements; ++e) {
      TemplateAccess access;
      access.buffer = object_name(head_, memory, place);
      access.index = memory.index[place] + e;
      access.value = has_lane(memory.undefined[e], lane)
                         ? TemplateValue::undefined()
                         : TemplateValue::of(memory.type, memory.bits[place * memory.elements + e]);
      access.is_store = memory.writes();
      all.push_back(std::move(access));
    }
  }
  return all;
}

std::string_view object_name(const TraceHead& head, const TraceMemory& memory, std::size_t place) {
  const std::int32_t object = memory.object[place];
  const std::size_t at = static_cast<std::size_t>(object);
  if (object >= 0 && memory.is_shared() && at < head.shared.size()) return head.shared[at].name;
  if (object >= 0 && !memory.is_shared() && at < head.params.size()) return head.params[at].name;
  return "?";
}

std::string_view operand_text(const TraceInsn& insn, std::string_view slot) {
  for (const OpInfo& row : all_ops()) {
    if (row.mnemonic != insn.op || !contains(row.types, insn.type)) continue;
    const std::span<const Slot> form = slots(row.form);
    for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
      if (form[k].name == slot) return insn.operands[k];
    }
    return "";
  }
  return "";
}

const TraceInsn* find_insn(const TraceHead& head, std::int32_t pc) {
  const std::size_t at = static_cast<std::size_t>(pc);
  return pc >= 0 && at < head.code.size() ? &head.code[at] : nullptr;
}

std::vector<std::int64_t> asked_lanes(const TraceInsn& insn, const TemplateView& view, LaneMask lanes) {
  const std::optional<ShuffleMode> mode = insn.shuffle;
  if (!mode) return {};
  const Expression b(operand_text(insn, "b"));
  std::vector<std::int64_t> asked(view.warp_size(), 0);
  for_each_lane(lanes, [&](unsigned lane) {
    const TemplateValue value = b.evaluate({view, lane, lanes, nullptr});
    // Unsigned, so that no operand can overflow; up by 33 asks for the lane below, as the network does.
    const std::uint64_t counted =
        *mode == ShuffleMode::Idx ? value.bits : value.bits & lane_index_mask(view.warp_size());
    asked[lane] = static_cast<std::int64_t>(lane_asked(*mode, lane, counted));
  });
  return asked;
}

}  // namespace warpsim
