// Comparing the events of two traces, in order or lane by lane; see compare.h.
#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "traces/compare/compare_parts.h"
#include "traces/io/json_values.h"
#include "traces/io/writer.h"

namespace warpsim {
namespace {

// "holds 36", "is undefined"
std::string holds(Type type, std::uint64_t bits, bool undefined, unsigned lanes) {
  return undefined ? "is undefined" : "holds " + compared_value(type, bits, lanes);
}

// ---- writes, for both kinds of comparison

// The place of a lane in the lists that run over the lanes of `mask`.
std::size_t place_of(LaneMask mask, unsigned lane) { return count_lanes(mask & (lane_bit(lane) - 1)); }

// The line of an event without what is a title.
std::string untitled_line(TraceWriter& writer, const TraceEvent& event) {
  if (!event.phase) return writer.line(event);
  TraceEvent untitled = event;
  untitled.phase.reset();
  return writer.line(untitled);
}

// The first member in which two lines differ. Where only one has it, its name follows the comma.
Difference differing_member(const std::string& one, const std::string& two) {
  if (one == two) return {};
  const auto [in_one, in_two] = std::mismatch(one.begin(), one.end(), two.begin(), two.end());
  const bool two_is_longer = in_two != two.end() && *in_two == ',';
  const std::string& text = two_is_longer ? two : one;
  const std::size_t at = static_cast<std::size_t>(in_one - one.begin());
  constexpr std::string_view kNext = ", \"";
  const bool is_extra = text.compare(at, kNext.size(), kNext) == 0;
  const std::size_t begin = is_extra ? at + kNext.size() : text.rfind('"', text.rfind("\": ", at) - 1) + 1;
  return "\"" + text.substr(begin, text.find('"', begin) - begin) + "\" differs";
}

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

  std::string element(const TraceMemory& memory, std::size_t k, unsigned e = 0) const {
    if (memory.object[k] < 0) return "elsewhere";
    const std::size_t object = static_cast<std::size_t>(memory.object[k]);
    const std::string& name = memory.is_shared() ? one.head.shared[object].name : one.head.params[object].name;
    return name + "[" + std::to_string(memory.index[k] + e) + "]";
  }

  Difference memory(const TraceEvent& a, const TraceEvent& b) const {
    if (a.memory.has_value() != b.memory.has_value()) return "one of the two touches memory, the other does not";
    if (a.source.has_value() != b.source.has_value()) return "one of the two reads what it copies, the other does not";
    if (a.source)
      if (Difference d = accesses(*a.source, *b.source)) return d;
    return a.memory ? accesses(*a.memory, *b.memory) : Difference();
  }

  Difference accesses(const TraceMemory& x, const TraceMemory& y) const {
    if (x.lanes != y.lanes) return "lanes " + mask(x.lanes) + " touch memory, in the other lanes " + mask(y.lanes);
    std::size_t k = 0;
    for (unsigned n = 0; n < one.head.lanes; ++n) {
      if (!has_lane(x.lanes, n)) continue;
      const std::string verb = verb_of(x), other_verb = verb_of(y);
      if (verb != other_verb || x.space != y.space || x.object[k] != y.object[k] || x.index[k] != y.index[k])
        return "lane " + std::to_string(n) + verb + element(x, k) + ", the other" + other_verb + element(y, k);
      if (x.elements != y.elements)
        return "lane " + std::to_string(n) + verb + std::to_string(x.elements) + " elements at once, the other" +
               other_verb + std::to_string(y.elements);
      for (unsigned e = 0; e < x.elements; ++e) {
        if (Difference d = values(x, y, n, k * x.elements + e, e)) return d;
      }
      ++k;
    }
    return {};
  }

  // Of the k-th value, element e of lane n.
  Difference values(const TraceMemory& x, const TraceMemory& y, unsigned n, std::size_t k, unsigned e) const {
    const std::string who = "lane " + std::to_string(n), where = element(x, k / x.elements, e);
    const bool undefined = has_lane(x.undefined[e], n), other_undefined = has_lane(y.undefined[e], n);
    if (undefined != other_undefined || (!undefined && x.bits[k] != y.bits[k]))
      return who + verb_of(x) + where + ", which " + holds(x.type, x.bits[k], undefined, one.head.lanes) +
             ", the other " + holds(y.type, y.bits[k], other_undefined, one.head.lanes);
    const bool left_undefined = has_lane(x.left_undefined(e), n), other_left = has_lane(y.left_undefined(e), n);
    if (left_undefined != other_left || (!left_undefined && x.left(k) != y.left(k)))
      return who + " leaves in " + where + " what " + holds(x.type, x.left(k), left_undefined, one.head.lanes) +
             ", the other " + holds(y.type, y.left(k), other_left, one.head.lanes);
    return {};
  }

  static std::string verb_of(const TraceMemory& memory) {
    return memory.access == TraceMemory::Access::Load    ? " loads from "
           : memory.access == TraceMemory::Access::Store ? " stores to "
                                                         : " changes ";
  }

  Difference masks(const TraceEvent& a, const TraceEvent& b) const {
    for (std::size_t k = 0; k < std::min(a.masks.size(), b.masks.size()); ++k) {
      const TraceMask &x = a.masks[k], &y = b.masks[k];
      const std::string kind(name(x.kind));
      if (x.kind != y.kind) return kind + ", the other has " + std::string(name(y.kind));
      if (x.taken != y.taken) return kind + " of lanes " + mask(x.taken) + ", in the other of lanes " + mask(y.taken);
      if (x.target != y.target || x.reconvergence != y.reconvergence || x.not_taken != y.not_taken)
        return kind + " goes elsewhere than the other";
    }
    return differ("number of mask changes", a.masks.size(), b.masks.size());
  }

  // "5 cycles: dependency %x of pc 3"
  std::string stall(const TraceStall& one_stall) const {
    std::string text = std::to_string(one_stall.cycles) + (one_stall.cycles == 1 ? " cycle: " : " cycles: ");
    text += one_stall.reason.word;
    if (one_stall.reg >= 0) text += " " + one.head.registers[static_cast<std::size_t>(one_stall.reg)].name;
    if (one_stall.pc >= 0) text += " of pc " + std::to_string(one_stall.pc);
    return one_stall.pipe.empty() ? text : text + " " + one_stall.pipe;
  }

  Difference stalls(const TraceEvent& a, const TraceEvent& b) const {
    for (std::size_t k = 0; k < std::min(a.stalls.size(), b.stalls.size()); ++k)
      if (a.stalls[k] != b.stalls[k])
        return "waited " + stall(a.stalls[k]) + ", the other waited " + stall(b.stalls[k]);
    if (Difference d = differ("number of stalls", a.stalls.size(), b.stalls.size())) return d;
    return differ("sub-core", a.sub_core, b.sub_core);
  }

  Difference event(const TraceEvent& a, const TraceEvent& b) const {
    if (a.cycle != b.cycle || a.block != b.block || a.warp != b.warp || a.pc != b.pc)
      return place(a) + ": the other has " + place(b);
    const std::string here = place(a) + ": ";
    if (a.active != b.active)
      return here + "lanes " + mask(a.active) + " are active, in the other lanes " + mask(b.active);
    if (a.group != b.group) return here + "lanes " + mask(a.group) + " are here, in the other lanes " + mask(b.group);
    for (const auto compare :
         {&Comparer::exchange, &Comparer::memory, &Comparer::writes, &Comparer::masks, &Comparer::stalls})
      if (Difference d = (this->*compare)(a, b)) return here + *d;
    return {};
  }

  Difference in_order() const {
    const TraceWriter::Output nowhere = [](std::string_view) {};
    TraceWriter first(TraceShape::Ndjson, nowhere), second(TraceShape::Ndjson, nowhere);
    first.head(one.head);
    second.head(two.head);
    for (std::size_t k = 0; k < std::min(one.events.size(), two.events.size()); ++k) {
      const TraceEvent &a = one.events[k], &b = two.events[k];
      if (Difference d = event(a, b)) return d;
      // Members that need no sentence of their own.
      if (Difference d = differing_member(untitled_line(first, a), untitled_line(second, b)))
        return place(a) + ": " + *d;
    }
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

}  // namespace

std::string compared_value(Type type, std::uint64_t bits, unsigned lanes) {
  std::string text;
  append_json_value(text, type, bits, lanes);
  return text;
}

Difference compare_events(const Trace& one, const Trace& two, bool hardware) {
  const bool several = one.head.grid.count() > 1 || one.head.block.count() > one.head.lanes;
  const Comparer comparer{one, two, several};
  return hardware ? comparer.lane_by_lane() : comparer.in_order();
}

}  // namespace warpsim
