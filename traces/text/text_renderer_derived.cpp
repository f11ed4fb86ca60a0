// Lines derived from instructions.
#include "traces/text/text_renderer_derived.h"

#include <algorithm>

#include "isa/table/op.h"
#include "traces/replay/dataflow.h"
#include "traces/words/phrases.h"

namespace warpsim {
namespace {

std::string_view bare_name(std::string_view reg) {
  if (!reg.empty() && reg.front() == '%') reg.remove_prefix(1);
  return reg;
}

std::string lane_word(unsigned lane) { return "Lane " + std::to_string(lane); }

// What a lane wrote, as text.
std::string written(const TraceHead& head, const TraceWrite& write, unsigned lane) {
  if (has_lane(write.undefined, lane)) return "?";
  const TraceRegister& reg = head.registers[static_cast<std::size_t>(write.reg)];
  return display(TemplateValue::of(reg.type, write.bits[lane_place(write.lanes, lane)]), head.lanes);
}

const TraceRegister& register_of(const TraceHead& head, const TraceWrite& write) {
  return head.registers[static_cast<std::size_t>(write.reg)];
}

bool is_two_operand(const TraceInsn& insn) {
  return insn.row != nullptr && insn.row->form == Form::DAB && insn.row->lift == Lift::Lane;
}

std::string operation(std::string_view op, const std::string& a, const std::string& b) {
  if (op == "add") return a + "+" + b;
  if (op == "sub") return a + "-" + b;
  if (op == "mul" || op == "mul.lo") return a + "*" + b;
  return std::string(op) + "(" + a + "," + b + ")";
}

}  // namespace

void DerivedLines::clear() {
  groups_.clear();
  shuffle_.clear();
}

void DerivedLines::before(const TraceHead& head, const TraceEvent& event, const TemplateView& view) {
  operands_a_.clear();
  operands_b_.clear();
  const TraceInsn* insn = find_insn(head, event.pc);
  if (shuffle_.empty() || insn == nullptr || !is_two_operand(*insn)) return;
  const std::string_view a_text = operand_text(*insn, "a"), b_text = operand_text(*insn, "b");
  if (a_text != shuffle_[0].reg && b_text != shuffle_[0].reg) return;
  const Expression a(a_text), b(b_text);
  for (unsigned lane = 0; lane < head.lanes; ++lane) {
    const TemplateScope scope{view, lane, event.active, nullptr};
    operands_a_.push_back(display(a.evaluate(scope), head.lanes));
    operands_b_.push_back(display(b.evaluate(scope), head.lanes));
  }
}

void DerivedLines::after(const TraceHead& head, const TraceEvent& event, const TemplateView& view) {
  if (event.memory) {
    add_memory(head, event);
  } else if (event.exchange) {
    add_exchange(head, event, view);
  } else if (!event.writes.empty()) {
    if (operands_a_.empty()) add_writes(head, event);
    else add_fused(head, event);
  }
}

void DerivedLines::add_memory(const TraceHead& head, const TraceEvent& event) {
  const TraceMemory& memory = *event.memory;
  LaneLines& lines = groups_.emplace_back();
  std::size_t k = 0;
  for_each_lane(memory.lanes, [&](unsigned lane) {
    const auto value = [&](std::uint64_t bits, LaneMask undefined) {
      return has_lane(undefined, lane) ? std::string("?") : display(TemplateValue::of(memory.type, bits), head.lanes);
    };
    std::string text = lane_word(lane) + ": ";
    for (unsigned e = 0; e < memory.elements; ++e, ++k) {
      const std::size_t place = k / memory.elements;
      if (e > 0) text += ", ";
      if (memory.access != TraceMemory::Access::Store && e < event.writes.size())
        text += std::string(bare_name(register_of(head, event.writes[e]).name)) + " = ";
      text += std::string(object_name(head, memory, place)) + "[" + std::to_string(memory.index[place] + e) + "] = ";
      text += value(memory.bits[k], memory.undefined[e]);
      if (memory.access == TraceMemory::Access::Atomic)
        text += " → " + value(memory.stored[place], memory.undefined_stored);
    }
    lines.emplace_back(lane, std::move(text));
  });
}

void DerivedLines::add_exchange(const TraceHead& head, const TraceEvent& event, const TemplateView& view) {
  const TraceInsn* insn = find_insn(head, event.pc);
  if (insn == nullptr || event.writes.empty()) return;
  const TraceWrite& write = event.writes[0];
  const std::string name(bare_name(register_of(head, write).name));
  const std::optional<ShuffleMode> mode = insn->shuffle;
  LaneLines lines;
  for_each_lane(event.exchange->lanes, [&](unsigned lane) {
    const std::optional<TemplateSource> source = view.source(register_of(head, write).name, lane);
    if (!source || !has_lane(write.lanes, lane)) return;
    std::string text = lane_word(lane) + ": ";
    const std::string from = std::to_string(source->from);
    if (!source->in_range) text += say(language_, Phrase::NoSuchLane, {std::to_string(source->asked), name});
    else if (source->undefined) text += say(language_, Phrase::NoPart, {from, name});
    else if (mode == ShuffleMode::Bfly)
      text += say(language_, Phrase::ReceivesXor,
                  {from, std::to_string(lane), std::to_string(static_cast<std::int64_t>(lane) ^ source->asked), name,
                   written(head, write, lane)});
    else
      text += say(language_, Phrase::Receives,
                  {from, bare_name(operand_text(*insn, "a")), name, written(head, write, lane)});
    lines.emplace_back(lane, std::move(text));
  });
  groups_.push_back(std::move(lines));
  shuffle_.clear();
  if (mode) shuffle_.push_back({groups_.size() - 1, register_of(head, write).name, &event, *mode == ShuffleMode::Bfly});
}

// `Lane 0↔4: max(0,8)=8`; lanes that shuffled but did not take up the result keep their line.
void DerivedLines::add_fused(const TraceHead& head, const TraceEvent& event) {
  const Shuffle shuffle = shuffle_[0];
  shuffle_.clear();
  const TraceInsn* insn = find_insn(head, event.pc);
  const TraceWrite& write = event.writes[0];
  const TraceExchange& exchange = *shuffle.event->exchange;
  const std::string arrow = shuffle.swaps ? "↔" : "←";
  for (auto& [lane, text] : groups_[shuffle.group]) {
    if (!has_lane(write.lanes, lane)) continue;
    text = lane_word(lane) + arrow + std::to_string(exchange.from[lane_place(exchange.lanes, lane)]) + ": " +
           operation(insn->op, operands_a_[lane], operands_b_[lane]) + "=" + written(head, write, lane);
  }
}

// Predicates steer and are not drawn, except what a vote found out. What all lanes share is printed once.
void DerivedLines::add_writes(const TraceHead& head, const TraceEvent& event) {
  const TraceInsn* insn = find_insn(head, event.pc);
  const OpInfo* row = insn == nullptr ? nullptr : insn->row;
  const bool vote = row != nullptr && row->lift == Lift::Vote;
  for (const TraceWrite& write : event.writes) {
    const TraceRegister& reg = register_of(head, write);
    if ((reg.type == Type::Pred && !vote) || write.lanes == 0) continue;
    const std::string name(bare_name(reg.name));
    LaneLines lines;
    for_each_lane(write.lanes,
                  [&](unsigned lane) { lines.emplace_back(lane, name + " = " + written(head, write, lane)); });
    const std::string& first = lines[0].second;
    const bool same = lines.size() > 1 &&
                      std::all_of(lines.begin(), lines.end(), [&](const auto& line) { return line.second == first; });
    if (same) lines = {{lines[0].first, say(language_, Phrase::LaneRange, {lane_ranges(write.lanes)}) + ": " + first}};
    else
      for (auto& [lane, text] : lines) text = lane_word(lane) + ": " + text;
    groups_.push_back(std::move(lines));
  }
}

}  // namespace warpsim
