// What several exports need.
#include "traces/export/export_parts.h"

#include <algorithm>
#include <set>

#include "traces/io/json_values.h"
#include "traces/replay/dataflow.h"
#include "traces/replay/phase_view.h"
#include "traces/replay/state.h"
#include "traces/words/phrases.h"

namespace warpsim {

std::string plain_value(Type type, std::uint64_t bits, bool is_undefined, unsigned lanes) {
  if (is_undefined) return "";
  std::string text;
  append_json_value(text, type, bits, lanes);
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

std::string element_text(const TraceHead& head, const TraceMemory& memory, std::size_t place) {
  if (memory.object[place] < 0) return "?";
  return std::string(object_name(head, memory, place)) + "[" + std::to_string(memory.index[place]) + "]";
}

std::string access_text(const TraceMemory& memory, std::size_t place, unsigned lane, unsigned lanes, bool left) {
  std::string text;
  for (unsigned e = 0; e < memory.elements; ++e) {
    const std::size_t k = place * memory.elements + e;
    const LaneMask undefined = left ? memory.left_undefined(e) : memory.undefined[e];
    const bool is_undefined = has_lane(undefined, lane);
    text += (e == 0 ? "" : ", ") +
            (is_undefined && memory.elements > 1
                 ? "null"
                 : plain_value(memory.type, left ? memory.left(k) : memory.bits[k], is_undefined, lanes));
  }
  return memory.elements > 1 ? "[" + text + "]" : text;
}

std::string list_text(const TraceHead& head, const TraceWrite& write) {
  const Type type = head.registers[static_cast<std::size_t>(write.reg)].type;
  std::string text;
  std::size_t k = 0;
  for_each_lane(write.lanes, [&](unsigned lane) {
    const bool is_undefined = has_lane(write.undefined, lane);
    text += (k == 0 ? "" : ", ") + (is_undefined ? "null" : plain_value(type, write.bits[k], false, head.lanes));
    ++k;
  });
  return "[" + text + "]";
}

std::string place_text(const TraceHead& head, const TracePlace& place) {
  std::string text = "block " + std::to_string(place.block) + ", warp " + std::to_string(place.warp);
  if (place.lanes != 0) text += (count_lanes(place.lanes) == 1 ? ", lane " : ", lanes ") + lane_ranges(place.lanes);
  const TraceInsn* const insn = find_insn(head, place.pc);
  return insn == nullptr ? text : text + ", line " + std::to_string(insn->line) + ": " + insn->text;
}

std::vector<std::pair<std::string, std::string>> fault_members(const TraceHead& head, const TraceFinding& fault,
                                                               const std::vector<TracePlace>& places) {
  std::vector<std::pair<std::string, std::string>> members = {{"message", english(fault.message)}};
  if (!fault.hint.empty()) members.emplace_back("hint", english(fault.hint));
  members.emplace_back("at", place_text(head, {fault.block, fault.warp, fault.lanes, fault.pc, {}}));
  for (std::size_t k = 0; k < places.size(); ++k)
    members.emplace_back(
        "where " + std::to_string(k + 1),
        place_text(head, places[k]) + (places[k].waits_for.empty() ? "" : ": " + english(places[k].waits_for)));
  return members;
}

FlowTracker::FlowTracker(const TraceHead& head) : head_(head) {
  feeds_.resize(head.registers.size());
  for (const TraceInsn& insn : head.code) {
    const InsnFlow flow = flow_of(head, insn.pc);
    const bool moves = flow.kind == FlowKind::Shuffle && !flow.exchanged.empty();
    exchanged_.push_back(moves ? find_register(head, flow.exchanged.front()) : -1);
    if (exchanged_.back() >= 0) feeds_[static_cast<std::size_t>(exchanged_.back())] = true;
  }
}

FlowTracker::Flows FlowTracker::note(const TraceEvent& event, std::uint64_t number) {
  Flows flows;
  Warp& warp = warps_[{event.block, event.warp}];
  warp.writers.resize(feeds_.size() * head_.lanes);
  const std::int32_t reg = exchanged_[static_cast<std::size_t>(event.pc)];
  if (event.exchange && reg >= 0) {
    std::set<std::uint64_t> found;
    for (const std::uint8_t from : event.exchange->from)
      found.insert(warp.writers[static_cast<std::size_t>(reg) * head_.lanes + from]);
    found.erase(0);
    flows.producers.assign(found.begin(), found.end());
  }
  flows.over = write(warp, event, number);
  for (const TraceMask& mask : event.masks)
    if (mask.kind == TraceMask::Kind::Exit) warp.exited |= mask.taken;
  if ((lanes_of_warp(head_, event.warp) & ~warp.exited) == 0) {  // nothing is kept of a warp that is done
    for (const auto& [writer, lanes] : warp.left) flows.over.push_back(writer);
    warps_.erase({event.block, event.warp});
  }
  std::sort(flows.over.begin(), flows.over.end());
  return flows;
}

// The writers of whose values nothing is left after this event.
std::vector<std::uint64_t> FlowTracker::write(Warp& warp, const TraceEvent& event, std::uint64_t number) const {
  std::vector<std::uint64_t> over;
  for (const TraceWrite& write : event.writes) {
    const std::size_t reg = static_cast<std::size_t>(write.reg);
    if (!feeds_[reg]) continue;
    for_each_lane(write.lanes, [&](unsigned lane) {
      std::uint64_t& writer = warp.writers[reg * head_.lanes + lane];
      const auto before = warp.left.find(std::exchange(writer, number));
      ++warp.left[number];
      if (before == warp.left.end() || --before->second != 0) return;
      over.push_back(before->first);
      warp.left.erase(before);
    });
  }
  return over;
}

bool FlowTracker::feeds_exchange(const TraceEvent& event) const {
  return std::any_of(event.writes.begin(), event.writes.end(),
                     [this](const TraceWrite& write) { return feeds_[static_cast<std::size_t>(write.reg)]; });
}

}  // namespace warpsim
