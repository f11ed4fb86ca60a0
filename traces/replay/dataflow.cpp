// Walking a trace backwards.
#include "traces/replay/dataflow.h"

#include <algorithm>
#include <set>

#include "traces/replay/state.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kNoElement = ~std::uint64_t{0};

std::size_t place_of(LaneMask lanes, unsigned lane) { return count_lanes(lanes & (lane_bit(lane) - 1)); }

// Which element of a vector a register holds: of machine code it may be half of one, of 64 bits.
unsigned element_at(std::size_t place, std::size_t registers, const TraceMemory& memory) {
  return static_cast<unsigned>(place * memory.elements / registers);
}

const TraceWrite* write_of(const TraceEvent& event, std::int32_t reg, unsigned lane) {
  for (auto at = event.writes.rbegin(); at != event.writes.rend(); ++at)
    if (at->reg == reg && has_lane(at->lanes, lane)) return &*at;
  return nullptr;
}

}  // namespace

Dataflow::Operands Dataflow::operands_of(const TraceHead& head, std::int32_t pc) {
  Operands out;
  const TraceInsn& insn = head.code[static_cast<std::size_t>(pc)];
  const InsnFlow flow = flow_of(head, pc);
  const auto numbers = [&](const std::vector<std::string>& names) {
    std::vector<std::int32_t> list;
    for (const std::string& name : names) list.push_back(find_register(head, name));
    return list;
  };
  out.kind = flow.kind;
  out.finds_memory = flow.kind == FlowKind::Load || flow.kind == FlowKind::Atomic;
  out.value = numbers(flow.value);
  out.exchanged = numbers(flow.exchanged);
  out.writes = numbers(flow.writes);
  out.members = insn.members;
  out.exclusive = flow.exclusive;
  out.overwrites = flow.overwrites;
  if (insn.row == nullptr) {
    if (flow.kind == FlowKind::Load) out.elements = out.writes;
    if (flow.kind == FlowKind::Store) out.elements = out.value;
    if (out.elements.size() < 2) out.elements.clear();
    return out;
  }
  out.finds_memory = out.finds_memory || insn.row->lift == Lift::Mbarrier;
  const std::span<const Slot> form = slots(insn.row->form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    const bool names_one = k < insn.operand_registers.size() && !insn.operand_registers[k].empty();
    const std::int32_t reg = names_one ? insn.operand_registers[k].front() : -1;
    if (form[k].in_braces) out.elements.push_back(reg);
    if (form[k].type == SlotType::Mask && form[k].role == Role::Src) out.members_reg = reg;
  }
  return out;
}

Dataflow::Dataflow(const Trace& trace) : trace_(trace) {
  for (std::size_t pc = 0; pc < trace.head.code.size(); ++pc)
    code_.push_back(operands_of(trace.head, static_cast<std::int32_t>(pc)));
  for (std::size_t n = 0; n < trace.events.size(); ++n) {
    const TraceEvent& event = trace.events[n];
    for (const TraceWrite& write : event.writes) {
      std::vector<std::size_t>& list = writers_[{event.block, event.warp, write.reg}];
      if (list.empty() || list.back() != n) list.push_back(n);
    }
    if (event.memory && event.memory->writes()) index_memory(n);
  }
}

void Dataflow::index_memory(std::size_t event) {
  const TraceEvent& at = trace_.events[event];
  const TraceMemory& memory = *at.memory;
  Bytes& all = memory.is_shared() ? shared_[at.block] : global_;
  const std::uint64_t width = static_cast<std::uint64_t>(std::max(bytes(memory.type), 1));
  memory.for_each_turn([&](unsigned lane, std::size_t k) {
    const std::uint64_t base = memory.address[k];
    for (unsigned e = 0; e < memory.elements; ++e) {
      for (std::uint64_t b = 0; b < width; ++b)
        all[base + e * width + b].push_back({event, static_cast<std::uint8_t>(lane), static_cast<std::uint8_t>(e)});
    }
  });
}

const Dataflow::Bytes* Dataflow::bytes_of(const TraceEvent& event, const TraceMemory& memory) const {
  if (!memory.is_shared()) return &global_;
  const auto found = shared_.find(event.block);
  return found == shared_.end() ? nullptr : &found->second;
}

const Dataflow::Operands& Dataflow::operands(std::size_t event) const {
  return code_[static_cast<std::size_t>(trace_.events[event].pc)];
}

std::optional<FlowValue> Dataflow::definition(std::size_t count, std::uint32_t block, std::uint32_t warp,
                                              std::int32_t reg, unsigned lane) const {
  const auto found = writers_.find({block, warp, reg});
  if (found == writers_.end()) return std::nullopt;
  const std::vector<std::size_t>& list = found->second;
  for (auto at = std::lower_bound(list.begin(), list.end(), count); at != list.begin();) {
    --at;
    if (write_of(trace_.events[*at], reg, lane) != nullptr) return FlowValue{*at, lane, reg, 0};
  }
  return std::nullopt;
}

void Dataflow::add_register(std::vector<FlowSource>& list, std::size_t event, std::int32_t reg, unsigned lane) const {
  const TraceEvent& at = trace_.events[event];
  FlowSource source;
  source.reg = reg;
  source.lane = lane;
  if (const std::optional<FlowValue> value = definition(event, at.block, at.warp, reg, lane)) source.value = *value;
  else if (found_at_start(trace_.head, at.block, at.warp, reg, lane) != nullptr) source.kind = FlowSource::Kind::Before;
  else source.kind = FlowSource::Kind::Undefined;
  list.push_back(source);
}

bool Dataflow::found_in_memory(const TraceEvent& event, const TraceMemory& memory, std::size_t place) const {
  if (!trace_.head.start) return false;
  const TraceStart& start = *trace_.head.start;
  const std::int32_t object = memory.object[place];
  if (memory.is_shared())
    return std::any_of(start.shared.begin(), start.shared.end(), [&](const TraceStart::Shared& one) {
      const bool is_it = one.block == event.block && one.object == object;
      const std::uint64_t index = static_cast<std::uint64_t>(memory.index[place]);
      return is_it && !std::binary_search(one.undefined.begin(), one.undefined.end(), index);
    });
  if (object < 0 || static_cast<std::size_t>(object) >= trace_.head.params.size()) return false;
  const std::string& name = trace_.head.params[static_cast<std::size_t>(object)].name;
  return std::any_of(start.buffers.begin(), start.buffers.end(), [&](const auto& one) { return one.first == name; });
}

// What a load or an atomic finds: byte by byte the last that was stored there, or the input.
void Dataflow::add_memory(std::vector<FlowSource>& list, std::size_t event, const TraceMemory& memory, unsigned lane,
                          unsigned element) const {
  const TraceEvent& at = trace_.events[event];
  const std::size_t place = place_of(memory.lanes, lane);
  const std::uint64_t width = static_cast<std::uint64_t>(std::max(bytes(memory.type), 1));
  const Bytes* all = bytes_of(at, memory);
  std::set<std::pair<int, std::uint64_t>> seen;
  for (std::uint64_t b = 0; b < width; ++b) {
    const std::uint64_t address = memory.address[place] + element * width + b;
    FlowSource source;
    source.lane = lane;
    const Writer* last = nullptr;
    if (all != nullptr) {
      if (const auto found = all->find(address); found != all->end()) {
        for (auto w = found->second.rbegin(); w != found->second.rend() && last == nullptr; ++w)
          if (w->event < event || (w->event == event && memory.turn(w->lane) < memory.turn(lane))) last = &*w;
      }
    }
    const std::int32_t object = memory.object[place];
    if (last != nullptr) {
      source.value = {last->event, last->lane, -1, last->element};
      if (!seen.insert({0, last->event * 256 + last->lane * 4U + last->element}).second) continue;
    } else if (found_in_memory(at, memory, place)) {
      source.kind = FlowSource::Kind::Before;
      if (!seen.insert({3, kNoElement}).second) continue;
    } else if (memory.is_shared()) {
      source.kind = FlowSource::Kind::Undefined;
      if (!seen.insert({1, kNoElement}).second) continue;
    } else {
      if (object < 0 || static_cast<std::size_t>(object) >= trace_.head.params.size()) continue;
      const TraceParam& param = trace_.head.params[static_cast<std::size_t>(object)];
      const std::uint64_t size = static_cast<std::uint64_t>(std::max(bytes(param.type), 1));
      source.kind = FlowSource::Kind::Input;
      source.input = {object, static_cast<std::int64_t>((address - param.address) / size)};
      if (!seen.insert({2, static_cast<std::uint64_t>(source.input.index)}).second) continue;
    }
    list.push_back(source);
  }
}

// The lanes whose values a vote, match, reduction or scan takes on this lane.
LaneMask Dataflow::members(std::size_t event, unsigned lane) const {
  const TraceEvent& at = trace_.events[event];
  const Operands& code = operands(event);
  LaneMask lanes = at.active;
  if (code.members_reg >= 0) {
    if (const auto value = definition(event, at.block, at.warp, code.members_reg, lane)) {
      const TraceWrite* write = write_of(trace_.events[value->event], code.members_reg, lane);
      lanes &= write->bits[place_of(write->lanes, lane)];
    }
  } else {
    lanes &= code.members;
  }
  if (code.kind == FlowKind::Scan) lanes &= code.exclusive ? lane_bit(lane) - 1 : lane_bit(lane) | (lane_bit(lane) - 1);
  return lanes;
}

void Dataflow::add_exchanged(std::vector<FlowSource>& list, std::size_t event, unsigned lane) const {
  const TraceEvent& at = trace_.events[event];
  const Operands& code = operands(event);
  LaneMask from = 0;
  if (at.exchange) {
    if (!has_lane(at.exchange->lanes, lane)) return;
    const unsigned source = at.exchange->from[place_of(at.exchange->lanes, lane)];
    if (has_lane(at.exchange->undefined, lane)) {
      FlowSource none;
      none.kind = FlowSource::Kind::Undefined;
      none.lane = source;
      none.reg = code.exchanged.empty() ? -1 : code.exchanged.front();
      list.push_back(none);
      return;
    }
    from = lane_bit(source);
  } else {
    from = members(event, lane);
  }
  for (const std::int32_t reg : code.exchanged)
    for_each_lane(from, [&](unsigned source) { add_register(list, event, reg, source); });
}

// bar.red takes the predicates of the whole block: every thread's n-th arrival, if this is this lane's n-th.
void Dataflow::add_arrivals(std::vector<FlowSource>& list, std::size_t event, unsigned lane) const {
  const TraceEvent& at = trace_.events[event];
  const std::string& op = trace_.head.code[static_cast<std::size_t>(at.pc)].op;
  std::map<std::pair<std::uint32_t, unsigned>, std::vector<std::size_t>> arrivals;  // by warp and lane
  for (std::size_t n = 0; n < trace_.events.size(); ++n) {
    const TraceEvent& other = trace_.events[n];
    if (other.block != at.block || trace_.head.code[static_cast<std::size_t>(other.pc)].op != op) continue;
    for_each_lane(other.active, [&](unsigned l) { arrivals[{other.warp, l}].push_back(n); });
  }
  const std::vector<std::size_t>& own = arrivals[{at.warp, lane}];
  const std::size_t turn = static_cast<std::size_t>(std::find(own.begin(), own.end(), event) - own.begin());
  for (const auto& [thread, events] : arrivals) {
    if (turn >= events.size()) continue;
    for (const std::int32_t reg : operands(events[turn]).exchanged)
      add_register(list, events[turn], reg, thread.second);
  }
}

// What a copy brings to an element; zeros behind what it reads come from nowhere.
void Dataflow::add_copied(std::vector<FlowSource>& list, const FlowValue& value) const {
  const TraceEvent& at = trace_.events[value.event];
  const TraceMemory &from = *at.source, &to = *at.memory;
  if (!has_lane(from.lanes, value.lane)) return;
  const std::size_t place = place_of(from.lanes, value.lane);
  const unsigned first = value.element * to.bytes;
  if (!from.read.empty() && first >= from.read[place]) return;
  add_memory(list, value.event, from, value.lane, first / from.bytes);
}

std::vector<FlowSource> Dataflow::sources(const FlowValue& value) const {
  std::vector<FlowSource> list;
  const TraceEvent& at = trace_.events[value.event];
  const Operands& code = operands(value.event);
  if (value.reg < 0) {  // in memory: the stored register, and of most atomics what was there
    if (at.memory->access == TraceMemory::Access::Atomic && !code.overwrites)
      add_memory(list, value.event, *at.memory, value.lane, 0);
    if (at.source) add_copied(list, value);
    else if (code.elements.empty()) {
      for (const std::int32_t reg : code.value) add_register(list, value.event, reg, value.lane);
    } else {
      for (std::size_t k = 0; k < code.elements.size(); ++k)
        if (code.elements[k] >= 0 && element_at(k, code.elements.size(), *at.memory) == value.element)
          add_register(list, value.event, code.elements[k], value.lane);
    }
    return list;
  }
  if (at.memory) {
    const auto element = std::find(code.elements.begin(), code.elements.end(), value.reg);
    const auto place = static_cast<std::size_t>(element - code.elements.begin());
    add_memory(list, value.event, *at.memory, value.lane,
               element == code.elements.end() ? 0 : element_at(place, code.elements.size(), *at.memory));
    return list;
  }
  if (code.finds_memory) return list;  // hardware does not say what it found
  if (code.kind == FlowKind::BlockReduce) {
    add_arrivals(list, value.event, value.lane);
    return list;
  }
  // Whether a shuffle's source was in range follows from lane numbers alone.
  if (code.kind == FlowKind::Shuffle && code.writes.size() > 1 && value.reg == code.writes[1]) return list;
  for (const std::int32_t reg : code.value) add_register(list, value.event, reg, value.lane);
  if (!code.exchanged.empty()) add_exchanged(list, value.event, value.lane);
  return list;
}

Dataflow::Walk Dataflow::walk(const FlowValue& value) const {
  Walk out;
  std::set<FlowValue> seen = {value};
  std::set<InputElement> inputs;
  std::vector<FlowValue> open = {value};
  while (!open.empty()) {
    const FlowValue next = open.back();
    open.pop_back();
    for (const FlowSource& source : sources(next)) {
      if (source.kind == FlowSource::Kind::Input) inputs.insert(source.input);
      else if (source.kind == FlowSource::Kind::Value && seen.insert(source.value).second) open.push_back(source.value);
    }
  }
  seen.erase(value);
  out.values = {value};
  std::vector<FlowValue> rest(seen.begin(), seen.end());
  std::stable_sort(rest.begin(), rest.end(), [](const FlowValue& a, const FlowValue& b) { return a.event > b.event; });
  out.values.insert(out.values.end(), rest.begin(), rest.end());
  out.inputs.assign(inputs.begin(), inputs.end());
  return out;
}

std::vector<FlowValue> Dataflow::slice(const FlowValue& value) const { return walk(value).values; }
std::vector<InputElement> Dataflow::contributions(const FlowValue& value) const { return walk(value).inputs; }

std::string element_ranges(const TraceHead& head, const std::vector<InputElement>& elements) {
  std::size_t readable = 0;
  for (const TraceParam& param : head.params)
    readable += param.kind == TraceParam::Kind::In || param.kind == TraceParam::Kind::InOut ? 1 : 0;
  std::string text;
  for (std::size_t k = 0; k < elements.size();) {
    const std::int32_t param = elements[k].param;
    const TraceParam& buffer = head.params[static_cast<std::size_t>(param)];
    const bool named = readable > 1 || buffer.kind == TraceParam::Kind::Out;
    text += text.empty() ? "" : ", ";
    if (named) text += buffer.name + "[";
    for (bool first = true; k < elements.size() && elements[k].param == param; first = false) {
      const std::int64_t low = elements[k].index;
      std::int64_t high = low;
      for (++k; k < elements.size() && elements[k].param == param && elements[k].index == high + 1; ++k) ++high;
      text += (first ? "" : ", ") + std::to_string(low) + (high == low ? "" : ".." + std::to_string(high));
    }
    if (named) text += "]";
  }
  return text;
}

}  // namespace warpsim
