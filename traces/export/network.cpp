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
    row.cells.resize(head_.lanes);
    fill(row, reg, lanes);
    net_.rows.push_back(std::move(row));
    shown_ = reg;
  }
  void carry(NetworkRow& row, const TraceInsn& insn, LaneMask lanes) const {
    if (!reads(insn, shown_)) return;
    for_each_lane(lanes, [&](unsigned lane) { row.edges.push_back({lane, lane, NetworkEdge::Kind::Carries}); });
  }

  // The operation that takes a shuffle's result, if it comes next.
  const TraceEvent* fused_with(const TraceEvent& event, std::int32_t result) const {
    if (at_ + 1 >= mine_.size() || result < 0) return nullptr;
    const TraceEvent& next = trace_.events[mine_[at_ + 1]];
    const OpInfo* row = insn_of(next).row;
    const bool fits = row != nullptr && row->lift == Lift::Lane && next.group == event.group &&
                      next.writes.size() == 1 && !next.phase && reads(insn_of(next), result);
    return fits ? &next : nullptr;
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
    const TraceEvent* next = fused_with(event, result);
    if (next != nullptr) {
      active = next->active;
      value = next->writes.front().reg;
      row.more = insn_of(*next).text;
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
    if (next != nullptr) {
      if (source >= 0 && source != result) carry(row, insn_of(*next), active);
      state_.apply(*next);
      ++at_;
    }
    if (value >= 0) fill(row, value, active);
    if (next == nullptr) add_second(row, event);
    shown_ = value;
    net_.rows.push_back(std::move(row));
  }

  void add_memory(const TraceEvent& event) {
    const TraceMemory& memory = *event.memory;
    const TraceInsn& insn = insn_of(event);
    NetworkRow row = begin(event);
    if (memory.writes()) carry(row, insn, memory.lanes);
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
    row.access = memory.access;
    const bool load = memory.access == TraceMemory::Access::Load && event.writes.size() == 1;
    shown_ = load ? event.writes.front().reg : -1;
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
    shown_ = event.writes.front().reg;
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
    if (event.active == live_) {
      state_.apply(event);
      for (const TraceWrite& write : event.writes)
        if (write.reg == shown_) shown_ = -1;
      return;
    }
    NetworkRow row = begin(event);
    carry(row, insn_of(event), event.active);
    state_.apply(event);
    fill(row, reg, event.active);
    shown_ = reg;
    net_.rows.push_back(std::move(row));
  }

  const Trace& trace_;
  const TraceHead& head_;
  std::uint32_t block_, warp_;
  Language language_;
  TraceState state_;
  Network net_;
  LaneMask live_ = 0;  // that have not exited
  std::vector<std::size_t> mine_;
  std::size_t at_ = 0;       // in mine_
  std::int32_t shown_ = -1;  // the register that the last row shows
  std::string title_;        // of a phase that has no row yet
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
