// Moving through a trace.
#include "traces/replay/history.h"

#include <algorithm>

namespace warpsim {
namespace {

constexpr std::size_t kMostKeyframes = 100, kLeastInterval = 64;

bool is_same(const TemplateValue& a, const TemplateValue& b) { return a.kind == b.kind && a.bits == b.bits; }

}  // namespace

History::History(Trace trace, std::size_t interval) : trace_(std::move(trace)), interval_(interval) {
  if (interval_ == 0) interval_ = std::max(kLeastInterval, trace_.events.size() / kMostKeyframes);
  now_ = beginning();
  keyframes_.emplace(0, now_);
}

// All lanes at the first instruction; in a window, where its events will find them.
History::Moment History::beginning() const {
  Moment moment{TraceState(trace_.head), TraceMemoryState(trace_.head), {}};
  const auto place = [&](std::uint32_t block, std::uint32_t warp) -> WarpPlace& {
    WarpPlace& added = moment.warps[{block, warp}];
    if (added.pc.empty()) added.pc.assign(trace_.head.lanes, 0);
    added.lanes = lanes_of_warp(trace_.head, warp);
    return added;
  };
  for (const TraceEvent& event : trace_.events) place(event.block, event.warp);
  if (!trace_.head.start) return moment;
  for (const TraceStart::Warp& warp : trace_.head.start->warps) {
    WarpPlace& added = place(warp.block, warp.warp);
    added.exited = warp.exited;
    std::size_t k = 0;
    for_each_lane(warp.lanes, [&](unsigned lane) { added.pc[lane] = warp.pc[k++] + 1; });
  }
  std::map<WarpKey, LaneMask> found;
  for (const TraceEvent& event : trace_.events) {
    LaneMask& seen = found[{event.block, event.warp}];
    for_each_lane(event.group & ~seen, [&](unsigned lane) { place(event.block, event.warp).pc[lane] = event.pc; });
    seen |= event.group;
  }
  return moment;
}

void History::seek(std::size_t position) {
  position = std::min(position, size());
  if (position == position_) return;
  auto keyframe = std::prev(keyframes_.upper_bound(position));
  // The event before the position is always applied, because what it changes is part of the state.
  if (keyframe->first == position && position > 0) --keyframe;
  if (position < position_ || keyframe->first > position_) {
    now_ = keyframe->second;
    position_ = keyframe->first;
  }
  changes_ = {};
  while (position_ < position) {
    const TraceEvent& event = trace_.events[position_];
    if (position_ + 1 == position) apply_noting_changes(event);
    else apply(event);
    ++position_;
    if (position_ % interval_ == 0) keyframes_.try_emplace(position_, now_);
  }
}

void History::apply(const TraceEvent& event) {
  now_.registers.apply(event);
  now_.memory.apply(event);
  move_lanes(event);
}

void History::move_lanes(const TraceEvent& event) {
  WarpPlace& warp = now_.warps[{event.block, event.warp}];
  ++warp.events;
  warp.active = event.active;
  if (event.phase) {
    warp.phase = event.phase->phase;
    warp.phase_number = event.phase->number;
  }
  const auto put = [&](LaneMask lanes, std::int32_t pc) {
    for_each_lane(lanes, [&](unsigned lane) { warp.pc[lane] = pc; });
  };
  const std::optional<TraceTrap>& trap = trace_.outcome.trap;
  if (&event == &trace_.events.back() && trap && is_trapping(event, *trap)) return;  // its lanes never came any further
  put(event.group, event.pc + 1);
  for (const TraceMask& mask : event.masks) {
    if (mask.kind == TraceMask::Kind::Branch) put(mask.taken, mask.target);
    else if (mask.kind == TraceMask::Kind::Exit) warp.exited |= mask.taken;
  }
}

void History::apply_noting_changes(const TraceEvent& event) {
  const auto held = [&](const TraceWrite& write) {
    std::vector<TemplateValue> values;
    for_each_lane(write.lanes,
                  [&](unsigned lane) { values.push_back(value(event.block, event.warp, write.reg, lane)); });
    return values;
  };
  std::vector<std::vector<TemplateValue>> old_values;
  for (const TraceWrite& write : event.writes) old_values.push_back(held(write));
  std::vector<TemplateValue> old_elements;
  add_stored_elements(event);
  for (const HistoryChanges::Element& at : changes_.elements) old_elements.push_back(element(at, event.block));
  apply(event);
  for (std::size_t n = 0; n < event.writes.size(); ++n) {
    const TraceWrite& write = event.writes[n];
    HistoryChanges::Register& change = changes_.registers.emplace_back();
    change.reg = write.reg;
    change.written = write.lanes;
    const std::vector<TemplateValue> values = held(write);
    std::size_t k = 0;
    for_each_lane(write.lanes, [&](unsigned lane) {
      if (!is_same(old_values[n][k], values[k])) change.changed |= lane_bit(lane);
      ++k;
    });
  }
  for (std::size_t k = 0; k < old_elements.size(); ++k) {
    HistoryChanges::Element& at = changes_.elements[k];
    at.changed = !is_same(old_elements[k], element(at, event.block));
  }
}

void History::add_stored_elements(const TraceEvent& event) {
  if (!event.memory || !event.memory->writes()) return;
  const TraceMemory& memory = *event.memory;
  for (std::size_t k = 0; k < memory.object.size(); ++k) {
    for (unsigned e = 0; e < memory.elements && memory.object[k] >= 0; ++e) {
      const HistoryChanges::Element at{memory.is_shared(), memory.object[k], memory.index[k] + e, false};
      if (std::find(changes_.elements.begin(), changes_.elements.end(), at) == changes_.elements.end())
        changes_.elements.push_back(at);
    }
  }
}

TemplateValue History::element(const HistoryChanges::Element& at, std::uint32_t block) const {
  const std::size_t object = static_cast<std::size_t>(at.object);
  const std::string& name = at.shared ? trace_.head.shared[object].name : trace_.head.params[object].name;
  const TemplateValue value = now_.memory.element(name, at.index, block);
  // Shared memory that was never written is not in the state.
  return value.kind == TemplateValue::Kind::Missing ? TemplateValue::undefined() : value;
}

const WarpPlace* History::warp(std::uint32_t block, std::uint32_t warp) const {
  const auto found = now_.warps.find({block, warp});
  return found == now_.warps.end() ? nullptr : &found->second;
}

TemplateValue History::value(std::uint32_t block, std::uint32_t warp, std::int32_t reg, unsigned lane) const {
  if (has_lane(now_.registers.undefined(block, warp, reg), lane)) return TemplateValue::undefined();
  return TemplateValue::of(head().registers[static_cast<std::size_t>(reg)].type,
                           now_.registers.bits(block, warp, reg, lane));
}

}  // namespace warpsim
