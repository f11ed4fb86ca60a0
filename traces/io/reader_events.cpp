// The events of a trace and its outcome, checked against its head.
//
// Errors: those of json_dom.h.
#include <utility>

#include "sim/memory/memory.h"
#include "traces/io/reader_parts.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kMostCycles = std::uint64_t{1} << 62;  // of a stall: a sum of some does not wrap

class EventReader {
 public:
  EventReader(const TraceHead& head, const HeadIndex& index) : head_(head), index_(index) {}

  TraceEvent read(const Node& node) const {
    TraceEvent event;
    if (const Node cycle = node.member("cycle"); !cycle.is_null()) event.cycle = cycle.number(~std::uint64_t{0});
    event.block = static_cast<std::uint32_t>(node.member("block").number(index_.blocks - 1));
    event.warp = static_cast<std::uint32_t>(node.member("warp").number(index_.warps_per_block - 1));
    event.pc = node.member("pc").pc(head_.code.size());
    if (event.pc < 0) node.fail("J006", "an event needs a pc");
    if (node.has("op") && event.pc >= 0) {
      const std::string& op = head_.code[static_cast<std::size_t>(event.pc)].op;
      if (node.member("op").text() != op)
        node.member("op").fail("J006", "the instruction at this pc is \"" + op + "\"");
    }
    event.active = node.member("active").lanes(head_.lanes);
    event.group = node.has("group") ? node.member("group").lanes(head_.lanes) : event.active;
    if ((event.active & ~event.group) != 0) node.fail("J006", "lanes are active that are not in the group");
    if (node.has("phase")) event.phase = phase(node.member("phase"));
    if (node.has("exchange")) event.exchange = exchange(node.member("exchange"));
    if (node.has("memory")) event.memory = memory(node.member("memory"));
    if (node.has("source")) event.source = source(node.member("source"));
    if (node.has("writes")) {
      const Node writes = node.member("writes");
      for (std::size_t k = 0, n = writes.size_of_some(); k < n; ++k) event.writes.push_back(write(writes.item(k)));
    }
    if (node.has("masks")) {
      const Node masks = node.member("masks");
      for (std::size_t k = 0, n = masks.size_of_some(); k < n; ++k) event.masks.push_back(mask(masks.item(k)));
    }
    timing(node, event);
    return event;
  }

  TraceWrite write(const Node& node) const {
    TraceWrite out;
    const std::string name = node.member("reg").text();
    const auto found = index_.registers.find(name);
    if (found == index_.registers.end()) {
      node.member("reg").fail("J011", "the program has no register \"" + name + "\"");
      return out;
    }
    out.reg = found->second;
    out.lanes = node.member("lanes").lanes(head_.lanes);
    const Type type = head_.registers[static_cast<std::size_t>(out.reg)].type;
    out.bits = values(node.member("values"), out.lanes, type, out.undefined);
    return out;
  }

 private:
  TracePhaseStart phase(const Node& node) const {
    TracePhaseStart start;
    start.phase = node.member("index").pc(head_.phases.size());
    if (start.phase < 0) node.fail("J006", "a phase start needs an index");
    start.number = static_cast<std::uint32_t>(node.member("number").number(0xFFFFFFFF));
    start.step = static_cast<std::uint32_t>(node.member("step").number_from_1(0xFFFFFFFF));
    start.title = node.member("title").text();
    return start;
  }

  TraceExchange exchange(const Node& node) const {
    TraceExchange out;
    out.lanes = node.member("lanes").lanes(head_.lanes);
    const Node from = node.member("from");
    const std::size_t count = from.size_as(count_lanes(out.lanes), "\"lanes\" has");
    for (std::size_t k = 0; k < count; ++k)
      out.from.push_back(static_cast<std::uint8_t>(from.item(k).number(head_.lanes - 1)));
    out.in_range = node.member("in_range").lanes(head_.lanes);
    out.undefined = node.member("undefined").lanes(head_.lanes);
    return out;
  }

  std::int32_t object(const Node& node, bool shared) const {
    if (node.is_null()) return -1;
    const std::string name = node.text();
    const auto& names = shared ? index_.shared : index_.buffers;
    const auto found = names.find(name);
    if (found != names.end()) return found->second;
    node.fail("J011", (shared ? "the program has no shared array \"" : "the program has no buffer \"") + name + "\"");
    return -1;
  }

  static void check_banks(const Node& banks, const TraceMemory& memory) {
    for (std::size_t k = 0, n = banks.size_as(memory.address.size(), "\"lanes\" has"); k < n; ++k)
      if (banks.item(k).number(kBanks - 1) != memory.address[k] / kBankBytes % kBanks)
        banks.item(k).fail("J006", "this is not the bank of its address");
  }

  TraceMemory memory(const Node& node) const {
    TraceMemory out;
    out.space = read_word<TraceMemory::Space>(node.member("space"));
    const bool shared = out.is_shared();
    out.access = read_word<TraceMemory::Access>(node.member("access"));
    out.type = node.member("type").type();
    out.bytes = static_cast<unsigned>(bytes(out.type));
    if (out.bytes == 0) node.member("type").fail("J006", "expected the type of a value in memory");
    out.lanes = node.member("lanes").lanes(head_.lanes);
    const std::size_t lanes = count_lanes(out.lanes);
    const Node objects = node.member("object");
    if (objects.is_array()) {
      for (std::size_t k = 0, n = objects.size_as(lanes, "\"lanes\" has"); k < n; ++k)
        out.object.push_back(object(objects.item(k), shared));
    } else {
      out.object.assign(lanes, object(objects, shared));
    }
    const Node indices = node.member("index");
    for (std::size_t k = 0, n = indices.size_as(lanes, "\"lanes\" has"); k < n; ++k)
      out.index.push_back(indices.item(k).is_null() ? 0 : indices.item(k).integer());
    const Node addresses = node.member("address");
    for (std::size_t k = 0, n = addresses.size_as(lanes, "\"lanes\" has"); k < n; ++k)
      out.address.push_back(addresses.item(k).address());
    vector_values(node, out);
    if (out.access == TraceMemory::Access::Atomic)
      out.stored = values(node.member("stored"), out.lanes, out.type, out.undefined_stored);
    if (node.has("order")) lane_order(node.member("order"), out);
    if (shared) out.ways = static_cast<unsigned>(node.member("ways").number_from_1(64));
    if (shared) check_banks(node.member("bank"), out);
    return out;
  }

  TraceMemory source(const Node& node) const {
    TraceMemory out = memory(node);
    if (out.access != TraceMemory::Access::Load) node.member("access").fail("J006", "a copy's source is a load");
    if (!node.has("read")) return out;
    const Node list = node.member("read");
    for (std::size_t k = 0, n = list.size_as(count_lanes(out.lanes), "\"lanes\" has"); k < n; ++k)
      out.read.push_back(
          static_cast<std::uint8_t>(list.item(k).number_from_1(std::uint64_t{out.bytes} * out.elements)));
    return out;
  }

  // Each lane once.
  static void lane_order(const Node& node, TraceMemory& out) {
    LaneMask seen = 0;
    for (std::size_t k = 0, n = node.size_as(count_lanes(out.lanes), "\"lanes\" has"); k < n; ++k) {
      const auto lane = static_cast<unsigned>(node.item(k).number(kMaxLanes - 1));
      if (!has_lane(out.lanes, lane) || has_lane(seen, lane)) {
        node.item(k).fail("J006", "expected each lane of \"lanes\" once");
        out.order.clear();
        return;
      }
      seen |= lane_bit(lane);
      out.order.push_back(static_cast<std::uint8_t>(lane));
    }
    if (seen != out.lanes) out.order.clear();
  }

  // `elements` a lane; of a vector each lane's are a list.
  void vector_values(const Node& node, TraceMemory& out) const {
    const Node lists = node.member("values");
    if (!node.has("elements")) {
      out.bits = values(lists, out.lanes, out.type, out.undefined[0]);
      return;
    }
    out.elements = static_cast<unsigned>(node.member("elements").number(4));
    if (out.elements != 2 && out.elements != 4) {
      out.elements = 1;
      node.member("elements").fail("J006", "expected 2 or 4");
      return;
    }
    LaneMask rest = out.lanes;
    for (std::size_t k = 0, n = lists.size_as(count_lanes(out.lanes), "\"lanes\" has"); k < n; ++k, rest &= rest - 1) {
      const Node list = lists.item(k);
      const std::size_t count = list.size_as(out.elements, "\"elements\" says");
      for (std::size_t e = 0; e < count; ++e)
        out.bits.push_back(value(list, e, rest & (~rest + 1), out.type, out.undefined[e]));
    }
    out.bits.resize(std::size_t{count_lanes(out.lanes)} * out.elements);
  }

  // Item k of a list, which is of the lane whose bit is given.
  std::uint64_t value(const Node& node, std::size_t k, LaneMask lane, Type type, LaneMask& undefined_mask) const {
    std::uint64_t bits = 0;
    const Json& item = node.json()[k];
    const ValueRead read = read_value(item, type, head_.lanes, bits);
    if (read == ValueRead::Undefined) undefined_mask |= lane;
    if (read == ValueRead::Refused) node.item(k).fail("J004", refusal(item, type, head_.lanes));
    return bits;
  }

  std::vector<std::uint64_t> values(const Node& node, LaneMask lanes, Type type, LaneMask& undefined_mask) const {
    std::vector<std::uint64_t> bits;
    const std::size_t count = node.size_as(count_lanes(lanes), "\"lanes\" has");
    bits.reserve(count);
    for (std::size_t k = 0; k < count; ++k, lanes &= lanes - 1) {
      bits.push_back(value(node, k, lanes & (~lanes + 1), type, undefined_mask));
    }
    return bits;
  }

  void timing(const Node& node, TraceEvent& event) const {
    const bool timed = !head_.scheduler.empty();
    if (timed && !event.cycle) node.fail("J004", "an event of a timed run has a cycle");
    if (timed || node.has("sub_core"))
      event.sub_core = static_cast<std::int32_t>(node.member("sub_core").number(kMaxSubCores - 1));
    if (!node.has("stalls")) return;
    const Node stalls = node.member("stalls");
    for (std::size_t k = 0, n = stalls.size_of_some(); k < n; ++k) event.stalls.push_back(stall(stalls.item(k)));
  }

  TraceStall stall(const Node& node) const {
    TraceStall out;
    out.reason = OpenWord<Stall::Reason>(node.member("reason").text());
    out.cycles = node.member("cycles").number_from_1(kMostCycles);
    if (node.has("register")) {
      const std::string name = node.member("register").text();
      const auto found = index_.registers.find(name);
      if (found != index_.registers.end()) out.reg = found->second;
      else node.member("register").fail("J011", "the program has no register \"" + name + "\"");
    }
    if (node.has("pc")) out.pc = node.member("pc").pc(head_.code.size());
    if (node.has("pipe")) out.pipe = node.member("pipe").text();
    return out;
  }

  TraceMask mask(const Node& node) const {
    TraceMask out;
    out.kind = read_word<TraceMask::Kind>(node.member("kind"));
    if (out.kind == TraceMask::Kind::Branch) {
      out.taken = node.member("taken").lanes(head_.lanes);
      out.not_taken = node.member("not_taken").lanes(head_.lanes);
      out.target = node.member("target").pc(head_.code.size());
      out.reconvergence = node.member("reconvergence").pc(head_.code.size());
    } else {
      out.taken = node.member("lanes").lanes(head_.lanes);
      if (out.kind == TraceMask::Kind::Reconverge) out.target = node.member("pc").pc(head_.code.size());
    }
    return out;
  }

  const TraceHead& head_;
  const HeadIndex& index_;
};

// ---- the outcome

// A place of the launch; control that fell off the end is after the last instruction.
template <class Place>
void read_place(const Node& node, const TraceHead& head, const HeadIndex& index, Place& place) {
  place.block = static_cast<std::uint32_t>(node.member("block").number(index.blocks - 1));
  place.warp = static_cast<std::uint32_t>(node.member("warp").number(index.warps_per_block - 1));
  place.pc = node.member("pc").pc(head.code.size() + 1);
  place.lanes = node.member("lanes").lanes(head.lanes);
}

void read_fault(const Node& node, const TraceHead& head, const HeadIndex& index, bool traps, TraceFinding& fault) {
  fault.kind = node.member("kind").text();
  fault.cycle = node.member("cycle").number(~std::uint64_t{0});
  read_place(node, head, index, fault);
  fault.message = node.member("message").text();
  fault.hint = node.member("hint").text();
  if (node.has("code")) fault.code = OpenWord<Finding>(node.member("code").text());
  if (traps || node.has("places")) {
    const Node places = node.member("places");
    for (std::size_t k = 0, n = places.size(); k < n; ++k) {
      TracePlace& out = fault.places.emplace_back();
      read_place(places.item(k), head, index, out);
      out.waits_for = places.item(k).member("waits_for").text();
    }
  }
  if (!node.has("steps")) return;
  const Node steps = node.member("steps");
  for (std::size_t k = 0, n = steps.size(); k < n; ++k) {
    TraceStep& out = fault.steps.emplace_back();
    read_place(steps.item(k), head, index, out);
    out.cycle = steps.item(k).member("cycle").number(~std::uint64_t{0});
    out.text = steps.item(k).member("text").text();
  }
}

}  // namespace

TraceWrite read_write(const Node& node, const TraceHead& head, const HeadIndex& index) {
  return EventReader(head, index).write(node);
}

TraceEvent read_event(const Node& node, const TraceHead& head, const HeadIndex& index) {
  return EventReader(head, index).read(node);
}

TraceOutcome read_outcome(const Node& node, const TraceHead& head, const HeadIndex& index) {
  TraceOutcome outcome;
  outcome.ok = node.member("ok").truth();
  outcome.cycles = node.member("cycles").number(~std::uint64_t{0});
  outcome.instructions = node.member("instructions").number(~std::uint64_t{0});
  outcome.outputs = read_arrays(node.member("outputs"), head, index, &outcome.undefined);
  outcome.expected = read_arrays(node.member("expected"), head, index, nullptr);
  if (const Node passed = node.member("passed"); !passed.is_null()) outcome.passed = passed.truth();
  const Node findings = node.member("findings");
  for (std::size_t k = 0, n = findings.size(); k < n; ++k)
    read_fault(findings.item(k), head, index, false, outcome.findings.emplace_back());
  if (const Node trap = node.member("trap"); !trap.is_null())
    read_fault(trap, head, index, true, outcome.trap.emplace());
  if (node.has("printed")) outcome.printed = node.member("printed").text();
  if (outcome.ok && outcome.trap) node.member("ok").fail("J006", "a run that trapped is not ok");
  return outcome;
}

}  // namespace warpsim
