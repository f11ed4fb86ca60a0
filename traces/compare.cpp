// Comparing two traces: heads, then events in order or lane by lane, then outcomes.
#include "traces/compare.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "traces/json_values.h"

namespace warpsim {
namespace {

using Difference = std::optional<std::string>;

std::string value_text(Type type, std::uint64_t bits, unsigned lanes) {
  std::string text;
  append_json_value(text, type, bits, lanes);
  return text;
}

// "holds 36", "is undefined"
std::string holds(Type type, std::uint64_t bits, bool undefined, unsigned lanes) {
  return undefined ? "is undefined" : "holds " + value_text(type, bits, lanes);
}

std::string quote(const std::string& text) { return "\"" + text + "\""; }

template <class Value>
Difference differ(const std::string& what, const Value& one, const Value& two) {
  if (one == two) return {};
  if constexpr (std::is_same_v<Value, std::string>) return what + ": " + quote(one) + ", the other has " + quote(two);
  else return what + ": " + std::to_string(one) + ", the other has " + std::to_string(two);
}

std::string dim_text(const Dim3& dim) {
  return std::to_string(dim.x) + "x" + std::to_string(dim.y) + "x" + std::to_string(dim.z);
}

Difference compare_arrays(const std::string& what, const std::vector<std::pair<std::string, Array>>& one,
                          const std::vector<std::pair<std::string, Array>>& two) {
  for (std::size_t k = 0; k < std::min(one.size(), two.size()); ++k) {
    const auto& [name, a] = one[k];
    const auto& [other_name, b] = two[k];
    if (name != other_name) return differ(what, name, other_name);
    if (a.type != b.type || a.bits.size() != b.bits.size())
      return what + " " + name + " has " + std::to_string(a.bits.size()) + " elements of " +
             std::string(warpsim::name(a.type)) + ", the other " + std::to_string(b.bits.size()) + " of " +
             std::string(warpsim::name(b.type));
    for (std::size_t n = 0; n < a.bits.size(); ++n)
      if (a.bits[n] != b.bits[n])
        return what + " " + name + "[" + std::to_string(n) + "] holds " + value_text(a.type, a.bits[n], 64) +
               ", the other holds " + value_text(b.type, b.bits[n], 64);
  }
  return differ("number of " + what + "s", one.size(), two.size());
}

Difference compare_heads(const TraceHead& one, const TraceHead& two) {
  if (Difference d = differ("program", one.program, two.program)) return d;
  if (Difference d = differ("lanes", one.lanes, two.lanes)) return d;
  if (Difference d = differ("grid", dim_text(one.grid), dim_text(two.grid))) return d;
  if (Difference d = differ("block", dim_text(one.block), dim_text(two.block))) return d;
  for (std::size_t k = 0; k < std::min(one.code.size(), two.code.size()); ++k)
    if (Difference d = differ("pc " + std::to_string(k), one.code[k].text, two.code[k].text)) return d;
  if (Difference d = differ("number of instructions", one.code.size(), two.code.size())) return d;
  for (std::size_t k = 0; k < std::min(one.registers.size(), two.registers.size()); ++k) {
    if (Difference d = differ("register " + std::to_string(k), one.registers[k].name, two.registers[k].name)) return d;
    if (Difference d = differ("type of " + one.registers[k].name, std::string(name(one.registers[k].type)),
                              std::string(name(two.registers[k].type))))
      return d;
  }
  if (Difference d = differ("number of registers", one.registers.size(), two.registers.size())) return d;
  for (std::size_t k = 0; k < std::min(one.params.size(), two.params.size()); ++k) {
    const TraceParam &a = one.params[k], &b = two.params[k];
    if (Difference d = differ("parameter " + std::to_string(k), a.name, b.name)) return d;
    if (Difference d = differ("length of " + a.name, a.length, b.length)) return d;
    if (a.bits != b.bits || a.type != b.type)
      return "parameter " + a.name + " is " + value_text(a.type, a.bits, 64) + ", the other is " +
             value_text(b.type, b.bits, 64);
  }
  if (Difference d = differ("number of parameters", one.params.size(), two.params.size())) return d;
  return compare_arrays("input", one.inputs, two.inputs);
}

// ---- writes, in both ways of comparing

// The place of a lane in the lists that run over the lanes of `mask`.
std::size_t place_of(LaneMask mask, unsigned lane) { return count_lanes(mask & (lane_bit(lane) - 1)); }

struct Comparer {
  const Trace& one;
  const Trace& two;
  bool several_warps;

  std::string place(const TraceEvent& event) const {
    std::string text;
    if (event.cycle) text += "cycle " + std::to_string(*event.cycle) + ", ";
    if (several_warps) text += "block " + std::to_string(event.block) + ", warp " + std::to_string(event.warp) + ", ";
    return text + at_pc(event.pc);
  }
  std::string at_pc(std::int32_t pc) const {
    return "pc " + std::to_string(pc) + " " + one.head.code[static_cast<std::size_t>(pc)].op;
  }
  std::string mask(LaneMask lanes) const { return lane_ranges(lanes); }

  // One lane of one register.
  Difference lane(const TraceWrite& a, const TraceWrite& b, unsigned lane, bool hardware) const {
    const bool a_undefined = has_lane(a.undefined, lane), b_undefined = has_lane(b.undefined, lane);
    if (hardware && (a_undefined || b_undefined)) return {};
    if (a_undefined && b_undefined) return {};
    const std::uint64_t a_bits = a.bits[place_of(a.lanes, lane)], b_bits = b.bits[place_of(b.lanes, lane)];
    if (a_undefined == b_undefined && a_bits == b_bits) return {};
    const TraceRegister& reg = one.head.registers[static_cast<std::size_t>(a.reg)];
    return "lane " + std::to_string(lane) + " " + holds(reg.type, a_bits, a_undefined, one.head.lanes) +
           ", the other " + holds(reg.type, b_bits, b_undefined, one.head.lanes);
  }

  std::string in_register(const TraceEvent& event, std::int32_t reg) const {
    // With one destination it is plain which register is meant.
    return event.writes.size() < 2 ? "" : one.head.registers[static_cast<std::size_t>(reg)].name + " of ";
  }

  Difference writes(const TraceEvent& a, const TraceEvent& b) const {
    for (std::size_t k = 0; k < std::min(a.writes.size(), b.writes.size()); ++k) {
      const TraceWrite &x = a.writes[k], &y = b.writes[k];
      const std::string which = in_register(a, x.reg);
      if (x.reg != y.reg)
        return "writes " + one.head.registers[static_cast<std::size_t>(x.reg)].name + ", the other writes " +
               one.head.registers[static_cast<std::size_t>(y.reg)].name;
      if (x.lanes != y.lanes)
        return which + "lanes " + mask(x.lanes) + " are written, in the other lanes " + mask(y.lanes);
      for (unsigned n = 0; n < one.head.lanes; ++n)
        if (has_lane(x.lanes, n))
          if (Difference d = lane(x, y, n, false)) return which + *d;
    }
    return differ("number of registers written", a.writes.size(), b.writes.size());
  }

  Difference exchange(const TraceEvent& a, const TraceEvent& b) const {
    if (a.exchange.has_value() != b.exchange.has_value())
      return "one of the two exchanges values between lanes, the other does not";
    if (!a.exchange) return {};
    const TraceExchange &x = *a.exchange, &y = *b.exchange;
    if (x.lanes != y.lanes) return "lanes " + mask(x.lanes) + " receive, in the other lanes " + mask(y.lanes);
    for (unsigned n = 0; n < one.head.lanes; ++n) {
      if (!has_lane(x.lanes, n)) continue;
      const unsigned from = x.from[place_of(x.lanes, n)], other = y.from[place_of(y.lanes, n)];
      if (from != other)
        return "lane " + std::to_string(n) + " receives from lane " + std::to_string(from) + ", the other from lane " +
               std::to_string(other);
    }
    if (x.in_range != y.in_range)
      return "lanes " + mask(x.in_range) + " are in range, in the other lanes " + mask(y.in_range);
    return {};
  }

  std::string element(const TraceMemory& memory, std::size_t k) const {
    if (memory.object[k] < 0) return "elsewhere";
    const std::size_t object = static_cast<std::size_t>(memory.object[k]);
    const std::string& name = memory.space == "shared" ? one.head.shared[object].name : one.head.params[object].name;
    return name + "[" + std::to_string(memory.index[k]) + "]";
  }

  Difference memory(const TraceEvent& a, const TraceEvent& b) const {
    if (a.memory.has_value() != b.memory.has_value()) return "one of the two touches memory, the other does not";
    if (!a.memory) return {};
    const TraceMemory &x = *a.memory, &y = *b.memory;
    if (x.lanes != y.lanes) return "lanes " + mask(x.lanes) + " touch memory, in the other lanes " + mask(y.lanes);
    std::size_t k = 0;
    for (unsigned n = 0; n < one.head.lanes; ++n) {
      if (!has_lane(x.lanes, n)) continue;
      const std::string verb = x.is_store ? " stores to " : " loads from ";
      if (x.space != y.space || x.object[k] != y.object[k] || x.index[k] != y.index[k])
        return "lane " + std::to_string(n) + verb + element(x, k) + ", the other" + verb + element(y, k);
      const bool undefined = has_lane(x.undefined, n), other_undefined = has_lane(y.undefined, n);
      if (undefined != other_undefined || (!undefined && x.bits[k] != y.bits[k]))
        return "lane " + std::to_string(n) + verb + element(x, k) + ", which " +
               holds(x.type, x.bits[k], undefined, one.head.lanes) + ", the other " +
               holds(y.type, y.bits[k], other_undefined, one.head.lanes);
      ++k;
    }
    return {};
  }

  Difference masks(const TraceEvent& a, const TraceEvent& b) const {
    for (std::size_t k = 0; k < std::min(a.masks.size(), b.masks.size()); ++k) {
      const TraceMask &x = a.masks[k], &y = b.masks[k];
      if (x.kind != y.kind) return x.kind + ", the other has " + y.kind;
      if (x.taken != y.taken) return x.kind + " of lanes " + mask(x.taken) + ", in the other of lanes " + mask(y.taken);
      if (x.target != y.target || x.reconvergence != y.reconvergence || x.not_taken != y.not_taken)
        return x.kind + " goes elsewhere than the other";
    }
    return differ("number of mask changes", a.masks.size(), b.masks.size());
  }

  Difference event(const TraceEvent& a, const TraceEvent& b) const {
    if (a.cycle != b.cycle || a.block != b.block || a.warp != b.warp || a.pc != b.pc)
      return place(a) + ": the other has " + place(b);
    const std::string here = place(a) + ": ";
    if (a.active != b.active)
      return here + "lanes " + mask(a.active) + " are active, in the other lanes " + mask(b.active);
    if (a.group != b.group) return here + "lanes " + mask(a.group) + " stand here, in the other lanes " + mask(b.group);
    for (const auto compare : {&Comparer::exchange, &Comparer::memory, &Comparer::writes, &Comparer::masks})
      if (Difference d = (this->*compare)(a, b)) return here + *d;
    return {};
  }

  Difference in_order() const {
    for (std::size_t k = 0; k < std::min(one.events.size(), two.events.size()); ++k)
      if (Difference d = event(one.events[k], two.events[k])) return d;
    if (one.events.size() == two.events.size()) return {};
    const bool first_longer = one.events.size() > two.events.size();
    const TraceEvent& next = (first_longer ? one : two).events[std::min(one.events.size(), two.events.size())];
    return place(next) + ": " + (first_longer ? "the other trace has ended" : "the first trace has ended");
  }

  // ---- against hardware

  struct LaneKey {
    std::uint32_t block, warp;
    std::int32_t pc;
    unsigned lane;
    bool operator<(const LaneKey& o) const {
      return std::tie(block, warp, pc, lane) < std::tie(o.block, o.warp, o.pc, o.lane);
    }
  };
  using Executions = std::map<LaneKey, std::vector<const TraceEvent*>>;

  static Executions executions(const Trace& trace) {
    Executions found;
    for (const TraceEvent& event : trace.events)
      for_each_lane(event.active, [&](unsigned lane) {
        found[{event.block, event.warp, event.pc, lane}].push_back(&event);
      });
    return found;
  }

  static std::vector<bool> pcs(const Trace& trace, std::size_t count) {
    std::vector<bool> seen(count, false);
    for (const TraceEvent& event : trace.events) seen[static_cast<std::size_t>(event.pc)] = true;
    return seen;
  }

  std::string lane_place(const LaneKey& key, std::size_t k) const {
    std::string text;
    if (several_warps) text += "block " + std::to_string(key.block) + ", warp " + std::to_string(key.warp) + ", ";
    return text + at_pc(key.pc) + ", execution " + std::to_string(k + 1) + ": ";
  }

  Difference executed(const LaneKey& key, std::size_t k, const TraceEvent& a, const TraceEvent& b) const {
    for (const TraceWrite& x : a.writes) {
      for (const TraceWrite& y : b.writes) {
        if (x.reg != y.reg || !has_lane(x.lanes, key.lane) || !has_lane(y.lanes, key.lane)) continue;
        if (Difference d = lane(x, y, key.lane, true)) return lane_place(key, k) + in_register(a, x.reg) + *d;
      }
    }
    return {};
  }

  Difference lane_by_lane() const {
    const Executions first = executions(one), second = executions(two);
    const std::vector<bool> in_one = pcs(one, one.head.code.size()), in_two = pcs(two, one.head.code.size());
    // In the first trace's order, so that the first difference is the earliest one.
    std::map<LaneKey, std::size_t> done;
    for (const TraceEvent& a : one.events) {
      if (!in_two[static_cast<std::size_t>(a.pc)]) continue;
      for (unsigned n = 0; n < one.head.lanes; ++n) {
        if (!has_lane(a.active, n)) continue;
        const LaneKey key{a.block, a.warp, a.pc, n};
        const std::size_t k = done[key]++;
        const auto found = second.find(key);
        if (found == second.end() || found->second.size() <= k)
          return lane_place(key, k) + "lane " + std::to_string(n) + " executes it, in the other it does not";
        if (Difference d = executed(key, k, a, *found->second[k])) return d;
      }
    }
    for (const auto& [key, events] : second) {
      const auto found = first.find(key);
      const std::size_t count = found == first.end() ? 0 : found->second.size();
      if (in_one[static_cast<std::size_t>(key.pc)] && events.size() > count)
        return lane_place(key, count) + "lane " + std::to_string(key.lane) +
               " does not execute it, in the other it does";
    }
    return {};
  }
};

Difference compare_outputs(const TraceOutcome& one, const TraceOutcome& two, bool hardware) {
  if (!hardware) {
    if (Difference d = compare_arrays("output", one.outputs, two.outputs)) return d;
    for (std::size_t k = 0; k < std::min(one.undefined.size(), two.undefined.size()); ++k)
      if (one.undefined[k].name != two.undefined[k].name || one.undefined[k].index != two.undefined[k].index)
        return "the undefined elements of output " + one.undefined[k].name + " differ";
    return differ("number of outputs with undefined elements", one.undefined.size(), two.undefined.size());
  }
  // What is undefined in one of them agrees with anything.
  std::vector<std::pair<std::string, Array>> a = one.outputs, b = two.outputs;
  const auto blank = [&](const std::vector<UndefinedElements>& undefined) {
    for (const UndefinedElements& each : undefined)
      for (auto* outputs : {&a, &b})
        for (auto& [name, array] : *outputs)
          if (name == each.name)
            for (const std::uint64_t k : each.index)
              if (k < array.bits.size()) array.bits[k] = 0;
  };
  blank(one.undefined);
  blank(two.undefined);
  return compare_arrays("output", a, b);
}

Difference compare_outcomes(const TraceOutcome& one, const TraceOutcome& two, bool hardware) {
  if (Difference d = compare_outputs(one, two, hardware)) return d;
  if (one.trap.has_value() != two.trap.has_value())
    return one.trap ? "trap " + one.trap->kind + ", the other has none" : "no trap, the other has " + two.trap->kind;
  if (one.trap)
    if (Difference d = differ("trap", one.trap->kind, two.trap->kind)) return d;
  if (hardware) return {};
  if (one.trap)
    if (Difference d = differ("trap's message", one.trap->message, two.trap->message)) return d;
  if (Difference d = differ("cycles", one.cycles, two.cycles)) return d;
  return differ("instructions", one.instructions, two.instructions);
}

bool from_hardware(const Trace& trace) {
  return std::any_of(trace.events.begin(), trace.events.end(), [](const TraceEvent& event) { return !event.cycle; });
}

}  // namespace

std::optional<std::string> first_difference(const Trace& first, const Trace& other) {
  if (Difference d = compare_heads(first.head, other.head)) return d;
  const bool hardware = from_hardware(first) || from_hardware(other);
  const bool several = first.head.grid.count() > 1 || first.head.block.count() > first.head.lanes;
  const Comparer comparer{first, other, several};
  if (Difference d = hardware ? comparer.lane_by_lane() : comparer.in_order()) return d;
  return compare_outcomes(first.outcome, other.outcome, hardware);
}

}  // namespace warpsim
