// One warp's run as a network; see network.h.
#include "traces/export/network.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "isa/table/op.h"
#include "traces/replay/dataflow.h"
#include "traces/replay/phase_view.h"
#include "traces/replay/state.h"
#include "traces/template/phase_template.h"
#include "traces/words/fault_text.h"
#include "traces/words/phrases.h"

namespace warpsim {
namespace {

class NetworkBuilder {
 public:
  NetworkBuilder(const Trace& trace, std::uint32_t block, std::uint32_t warp, Language language)
      : trace_(trace), head_(trace.head), block_(block), warp_(warp), language_(language), state_(trace.head) {
    net_.lanes = head_.lanes;
    net_.block = block;
    net_.warp = warp;
    net_.present = lanes_of_warp(head_, warp);
    live_ = net_.present;
    for (std::size_t k = 0; k < trace.events.size(); ++k)
      if (trace.events[k].block == block && trace.events[k].warp == warp) mine_.push_back(k);
    touching_.resize(head_.registers.size());
    for (std::size_t k = 0; k < mine_.size(); ++k) note_registers(k);
    find_values();
    if (!head_.start) return;
    for (const TraceStart::Warp& one : head_.start->warps)
      if (one.block == block && one.warp == warp) live_ &= ~one.exited;
  }

  Network build() {
    for (at_ = 0; at_ < mine_.size() && net_.rows.size() <= kMaxNetworkRows; ++at_) {
      const TraceEvent& event = trace_.events[mine_[at_]];
      if (event.phase && !event.phase->title.empty()) title_ = event.phase->title;
      add(event);
      for (const TraceMask& mask : event.masks)
        if (mask.kind == TraceMask::Kind::Exit) live_ &= ~mask.taken;
    }
    if (at_ == mine_.size()) add_trap();
    for (const TraceFinding& one : trace_.outcome.findings)
      if (one.block == block_ && one.warp == warp_)
        net_.findings.push_back(say(language_, Phrase::WhenCycle, {std::to_string(one.cycle)}) + ": " + name_of(one) +
                                ": " + fault_text(one.message, language_));
    return std::move(net_);
  }

 private:
  const TraceInsn& insn_of(const TraceEvent& event) const { return head_.code[static_cast<std::size_t>(event.pc)]; }

  void add(const TraceEvent& event) {
    const OpInfo* row = insn_of(event).row;
    const auto parts_lanes = [](const TraceMask& mask) {
      return mask.kind == TraceMask::Kind::Branch && mask.taken != 0 && mask.not_taken != 0;
    };
    // Of one warp: a reduction at a barrier is the block's.
    const bool collective = row != nullptr && crosses_lanes(row->lift) && row->lift != Lift::BarrierReduce;
    const auto branch = std::find_if(event.masks.begin(), event.masks.end(), parts_lanes);
    if (event.exchange) add_exchange(event);
    else if (event.memory) add_memory(event);
    else if (collective && !event.writes.empty()) add_collective(event);
    else if (branch != event.masks.end()) add_branch(event, *branch);
    else add_arithmetic(event);
  }

  // ---- registers

  std::int32_t find(std::string_view name) const { return find_register(head_, name); }
  // Whether an instruction reads a register as a value on its own lane.
  bool reads(const TraceInsn& insn, std::int32_t reg) const {
    const OpInfo* row = insn.row;
    if (row == nullptr || reg < 0) return false;
    const std::span<const Slot> form = slots(row->form);
    for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
      const std::string& text = insn.operands[k];
      if (form[k].role != Role::Src) continue;
      if (text == head_.registers[static_cast<std::size_t>(reg)].name ||
          text == "!" + head_.registers[static_cast<std::size_t>(reg)].name)
        return true;
    }
    return false;
  }
  NetworkCell cell_of(std::int32_t reg, unsigned lane, bool active) const {
    NetworkCell cell;
    cell.kind = active ? NetworkCell::Kind::Value : NetworkCell::Kind::Inactive;
    if (has_lane(state_.undefined(block_, warp_, reg), lane)) {
      if (active) cell.kind = NetworkCell::Kind::Undefined;
      return cell;
    }
    const Type type = head_.registers[static_cast<std::size_t>(reg)].type;
    cell.text = display(TemplateValue::of(type, state_.bits(block_, warp_, reg, lane)), head_.lanes);
    return cell;
  }

  // ---- rows

  NetworkRow begin(const TraceEvent& event) {
    NetworkRow row;
    row.event = mine_[at_] + 1 + events_before(head_);
    if (event.cycle) row.when = say(language_, Phrase::WhenCycle, {std::to_string(*event.cycle)});
    row.title = std::exchange(title_, {});
    row.text = insn_of(event).text;
    row.cells.resize(head_.lanes);
    return row;
  }
  void fill(NetworkRow& row, std::int32_t reg, LaneMask active) const {
    for_each_lane(net_.present, [&](unsigned lane) { row.cells[lane] = cell_of(reg, lane, has_lane(active, lane)); });
  }
  // The register that the next row takes its values from, if the row above is not it.
  void show(std::int32_t reg, LaneMask lanes) {
    if (reg < 0 || reg == shown_) return;
    NetworkRow row;
    row.text = head_.registers[static_cast<std::size_t>(reg)].name;
    row.before = texts_of(unshown_of({row.text}));
    row.cells.resize(head_.lanes);
    fill(row, reg, lanes);
    net_.rows.push_back(std::move(row));
    set_shown(reg);
  }
  void carry(NetworkRow& row, const TraceInsn& insn, LaneMask lanes) const {
    if (!reads(insn, shown_)) return;
    for_each_lane(lanes, [&](unsigned lane) { row.edges.push_back({lane, lane, NetworkEdge::Kind::Carries}); });
  }

  // ---- values

  // Marks the registers whose contents reach memory or another lane.
  void find_values() {
    is_value_.resize(head_.registers.size());
    unshown_.resize(head_.registers.size());
    std::vector<InsnFlow> flows;
    for (const TraceInsn& insn : head_.code) flows.push_back(flow_of(head_, insn.pc));
    for (bool changed = true; changed;) {
      changed = false;
      const auto mark = [&](const std::vector<std::string>& names) {
        for (const std::string& name : names) {
          const std::int32_t reg = find(name);
          if (reg < 0 || is_value(reg) || head_.registers[static_cast<std::size_t>(reg)].type == Type::Pred) continue;
          is_value_[static_cast<std::size_t>(reg)] = changed = true;
        }
      };
      for (std::size_t pc = 0; pc < flows.size(); ++pc) {
        const OpInfo* const row = head_.code[pc].row;
        mark(flows[pc].exchanged);
        const bool makes_one = std::any_of(flows[pc].writes.begin(), flows[pc].writes.end(),
                                           [this](const std::string& name) { return is_value(find(name)); });
        if (makes_one || (row != nullptr && writes_memory(*row))) mark(flows[pc].value);
      }
    }
  }
  bool is_value(std::int32_t reg) const { return reg >= 0 && is_value_[static_cast<std::size_t>(reg)]; }

  // Arithmetic without a row: where its result came from, for the row that shows it.
  void note_unshown(const TraceEvent& event, std::int32_t reg) {
    if (!is_value(reg)) return;
    std::vector<std::size_t> chain = unshown_of(flow_of(head_, event.pc).value);
    chain.push_back(at_);
    if (chain.size() > kMostUnshown) chain.erase(chain.begin());
    unshown_[static_cast<std::size_t>(reg)] = std::move(chain);
  }
  std::vector<std::size_t> unshown_of(const std::vector<std::string>& names) const {
    std::vector<std::size_t> all;
    for (const std::string& name : names) {
      const std::int32_t reg = find(name);
      if (!is_value(reg) || reg == shown_) continue;
      const std::vector<std::size_t>& of = unshown_[static_cast<std::size_t>(reg)];
      all.insert(all.end(), of.begin(), of.end());
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
  std::vector<std::string> texts_of(const std::vector<std::size_t>& chain) const {
    std::vector<std::string> texts;
    for (const std::size_t k : chain) texts.push_back(insn_of(trace_.events[mine_[k]]).text);
    return texts;
  }
  void set_shown(std::int32_t reg) {
    shown_ = reg;
    if (reg >= 0) unshown_[static_cast<std::size_t>(reg)].clear();
  }

  // The registers that mine_[k] reads or writes.
  void note_registers(std::size_t k) {
    const TraceInsn& insn = insn_of(trace_.events[mine_[k]]);
    const auto note = [&](std::int32_t reg) {
      std::vector<std::size_t>& list = touching_[static_cast<std::size_t>(reg)];
      if (list.empty() || list.back() != k) list.push_back(k);
    };
    if (insn.guard.reg >= 0) note(insn.guard.reg);
    for (const std::vector<std::int32_t>& operand : insn.operand_registers)
      for (const std::int32_t reg : operand) note(reg);
  }
  // Whether one of these lanes uses what a register holds now, from mine_[at] on.
  bool is_used(std::int32_t reg, LaneMask lanes, std::size_t at) const {
    const std::vector<std::size_t>& touching = touching_[static_cast<std::size_t>(reg)];
    for (auto k = std::lower_bound(touching.begin(), touching.end(), at); k != touching.end() && lanes != 0; ++k) {
      const TraceEvent& event = trace_.events[mine_[*k]];
      if ((users(event, reg) & lanes) != 0) return true;
      for (const TraceWrite& write : event.writes)
        if (write.reg == reg) lanes &= ~write.lanes;
    }
    return false;
  }
  // The lanes that read a register in an instruction, as an operand, in an address or as the guard.
  LaneMask users(const TraceEvent& event, std::int32_t reg) const {
    const TraceInsn& insn = insn_of(event);
    if (insn.guard.reg == reg) return event.group;
    if (insn.row == nullptr) return 0;
    const std::span<const Slot> form = slots(insn.row->form);
    for (std::size_t k = 0; k < form.size() && k < insn.operand_registers.size(); ++k) {
      if (form[k].role == Role::Dst || form[k].role == Role::DstPred) continue;
      const std::vector<std::int32_t>& named = insn.operand_registers[k];
      if (std::find(named.begin(), named.end(), reg) != named.end()) return event.active;
    }
    return 0;
  }

  // The operations that come next and take a shuffle's result: one, or several on lanes of their own, as under a guard
  // and its opposite, which leave their values in one register. None if another lane uses what it got later: the row
  // of an operation has no arrow for it.
  std::vector<const TraceEvent*> fused_with(const TraceEvent& event, std::int32_t result) const {
    std::vector<const TraceEvent*> found;
    if (result < 0) return found;
    LaneMask covered = 0;
    for (std::size_t k = at_ + 1; k < mine_.size(); ++k) {
      const TraceEvent& next = trace_.events[mine_[k]];
      const OpInfo* row = insn_of(next).row;
      const bool takes = row != nullptr && row->lift == Lift::Lane && next.group == event.group &&
                         next.writes.size() == 1 && !next.phase && reads(insn_of(next), result);
      if (!takes || (next.active & covered) != 0) break;
      if (!found.empty() && next.writes.front().reg != found.front()->writes.front().reg) break;
      found.push_back(&next);
      covered |= next.active;
    }
    if (is_used(result, event.exchange->lanes & ~covered, at_ + 1 + found.size())) found.clear();
    return found;
  }

  void add_exchange(const TraceEvent& event) {
    const TraceInsn& insn = insn_of(event);
    const std::int32_t source = find(operand_text(insn, "a"));
    show(source, event.group);
    const std::int32_t result = event.writes.empty() ? -1 : event.writes.front().reg;
    NetworkRow row = begin(event);
    state_.apply(event);
    LaneMask active = event.active;
    std::int32_t value = result;
    const std::vector<const TraceEvent*> operations = fused_with(event, result);
    if (!operations.empty()) {
      active = 0;
      value = operations.front()->writes.front().reg;
    }
    for (const TraceEvent* const next : operations) {
      active |= next->active;
      row.more.push_back(insn_of(*next).text);
    }
    std::size_t k = 0;
    for_each_lane(event.exchange->lanes, [&](unsigned lane) {
      const unsigned from = event.exchange->from[k++];
      if (!has_lane(active, lane)) return;
      const auto kind = has_lane(event.exchange->undefined, lane)   ? NetworkEdge::Kind::Undefined
                        : !has_lane(event.exchange->in_range, lane) ? NetworkEdge::Kind::Keeps
                        : from == lane                              ? NetworkEdge::Kind::Own
                                                                    : NetworkEdge::Kind::Moves;
      row.edges.push_back({from, lane, kind});
    });
    for (const TraceEvent* const next : operations) {
      if (source >= 0 && source != result) carry(row, insn_of(*next), next->active);
      state_.apply(*next);
    }
    at_ += operations.size();
    if (value >= 0) fill(row, value, active);
    if (operations.empty()) add_second(row, event);
    set_shown(value);
    net_.rows.push_back(std::move(row));
  }

  void add_memory(const TraceEvent& event) {
    const TraceMemory& memory = *event.memory;
    const TraceInsn& insn = insn_of(event);
    NetworkRow row = begin(event);
    if (memory.writes()) {
      carry(row, insn, memory.lanes);
      row.before = texts_of(unshown_of(flow_of(head_, event.pc).value));
    }
    state_.apply(event);
    for_each_lane(net_.present, [&](unsigned lane) {
      NetworkCell& cell = row.cells[lane];
      cell.kind = NetworkCell::Kind::Inactive;
      if (!has_lane(memory.lanes, lane)) return;
      const std::size_t place = lane_place(memory.lanes, lane);
      const unsigned elements = memory.elements;
      for (unsigned e = 0; e < elements; ++e) {
        const LaneMask undefined = memory.writes() ? memory.left_undefined(e) : memory.undefined[e];
        const std::size_t k = place * elements + e;
        const std::uint64_t bits = memory.writes() ? memory.left(k) : memory.bits[k];
        cell.kind = has_lane(undefined, lane) ? NetworkCell::Kind::Undefined : NetworkCell::Kind::Value;
        cell.text += (e == 0 ? "" : " ") +
                     (has_lane(undefined, lane) ? "" : display(TemplateValue::of(memory.type, bits), head_.lanes));
      }
      cell.caption = memory.object[place] < 0 ? "?" : "[" + std::to_string(memory.index[place]) + "]";
    });
    for (const TraceWrite& write : event.writes) unshown_[static_cast<std::size_t>(write.reg)].clear();
    row.access = memory.access;
    const bool load = memory.access == TraceMemory::Access::Load && event.writes.size() == 1;
    set_shown(load ? event.writes.front().reg : -1);
    net_.rows.push_back(std::move(row));
  }

  void add_collective(const TraceEvent& event) {
    std::string_view source = operand_text(insn_of(event), "a");
    if (!source.empty() && source.front() == '!') source.remove_prefix(1);
    show(find(source), event.group);
    NetworkRow row = begin(event);
    const InsnFlow flow = flow_of(head_, event.pc);
    row.gathered = event.active;
    row.collective = flow.kind;
    row.exclusive = flow.exclusive;
    state_.apply(event);
    set_shown(event.writes.front().reg);
    fill(row, shown_, event.active);
    add_second(row, event);
    net_.rows.push_back(std::move(row));
  }

  // %p of %d|%p, below what %d holds.
  void add_second(NetworkRow& row, const TraceEvent& event) const {
    if (event.writes.size() < 2) return;
    const TraceWrite& second = event.writes[1];
    for_each_lane(second.lanes, [&](unsigned lane) {
      const NetworkCell cell = cell_of(second.reg, lane, true);
      row.cells[lane].caption = cell.kind == NetworkCell::Kind::Undefined ? "⟂" : cell.text;
    });
  }

  // Where this warp was when the run stopped: the lanes at fault, and why.
  void add_trap() {
    const std::optional<TraceTrap>& trap = trace_.outcome.trap;
    if (!trap || !holds_end(trace_) || trap->block != block_ || trap->warp != warp_) return;
    NetworkRow row;
    row.event = events_before(head_) + trace_.events.size();
    row.when = say(language_, Phrase::WhenCycle, {std::to_string(trap->cycle)});
    row.title = std::exchange(title_, {});
    if (const TraceInsn* const insn = find_insn(head_, trap->pc)) row.text = insn->text;
    row.stopped = say(language_, Phrase::StoppedHere, {fault_text(trap->message, language_)});
    row.cells.resize(head_.lanes);
    for_each_lane(net_.present, [&](unsigned lane) {
      row.cells[lane].kind = NetworkCell::Kind::Value;
      if (has_lane(trap->lanes, lane)) row.cells[lane].text = "✕";
    });
    net_.rows.push_back(std::move(row));
  }

  void add_branch(const TraceEvent& event, const TraceMask& mask) {
    NetworkRow row = begin(event);
    for_each_lane(net_.present, [&](unsigned lane) {
      NetworkCell& cell = row.cells[lane];
      const bool taken = has_lane(mask.taken, lane), stays = has_lane(mask.not_taken, lane);
      cell.kind = taken || stays ? NetworkCell::Kind::Value : NetworkCell::Kind::Inactive;
      cell.text = taken ? say(language_, Phrase::Jumps) : stays ? say(language_, Phrase::GoesOn) : "";
    });
    shown_ = -1;
    net_.rows.push_back(std::move(row));
  }

  void add_arithmetic(const TraceEvent& event) {
    if (event.writes.empty()) return;
    const std::int32_t reg = event.writes.front().reg;
    if (event.active == live_ || !is_value(reg)) {
      note_unshown(event, reg);
      state_.apply(event);
      for (const TraceWrite& write : event.writes)
        if (write.reg == shown_) shown_ = -1;
      return;
    }
    NetworkRow row = begin(event);
    row.before = texts_of(unshown_of(flow_of(head_, event.pc).value));
    carry(row, insn_of(event), event.active);
    state_.apply(event);
    fill(row, reg, event.active);
    set_shown(reg);
    net_.rows.push_back(std::move(row));
  }

  const Trace& trace_;
  const TraceHead& head_;
  std::uint32_t block_, warp_;
  Language language_;
  TraceState state_;
  Network net_;
  LaneMask live_ = 0;                              // that have not exited
  static constexpr std::size_t kMostUnshown = 4;   // named beside a row: the last of them
  std::vector<bool> is_value_;                     // by register
  std::vector<std::vector<std::size_t>> unshown_;  // by register: the arithmetic behind it that has no row, in mine_
  std::vector<std::size_t> mine_;
  std::vector<std::vector<std::size_t>> touching_;  // by register: where in mine_ it is read or written, rising
  std::size_t at_ = 0;                              // in mine_
  std::int32_t shown_ = -1;                         // the register that the last row shows
  std::string title_;                               // of a phase that has no row yet
};

}  // namespace

unsigned NetworkRow::reach() const {
  unsigned farthest = 0;
  for (const NetworkEdge& edge : edges)
    farthest = std::max(farthest, edge.from > edge.to ? edge.from - edge.to : edge.to - edge.from);
  return farthest;
}

bool NetworkRow::is_one_value(LaneMask present) const {
  if (gathered == 0 || gathered != present) return false;
  const NetworkCell& first = cells[first_lane(present)];
  bool same = first.kind == NetworkCell::Kind::Value;
  for_each_lane(present, [&](unsigned lane) {
    same = same && cells[lane].text == first.text && cells[lane].caption == first.caption;
  });
  return same;
}

Network network_of(const Trace& trace, std::uint32_t block, std::uint32_t warp, Language language) {
  return NetworkBuilder(trace, block, warp, language).build();
}

}  // namespace warpsim
