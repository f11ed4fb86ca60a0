#include "traces/export/export_timing.h"
#include "traces/sentence/launch_text.h"

#include <algorithm>

#include "sim/event/observer.h"
#include "traces/replay/phase_view.h"
#include "traces/replay/state.h"

namespace warpsim {

std::vector<std::pair<std::string, std::string>> stall_members(const TraceHead& head, const TraceStall& stall) {
  std::vector<std::pair<std::string, std::string>> members;
  if (stall.reg >= 0) members.emplace_back("register", head.registers[static_cast<std::size_t>(stall.reg)].name);
  if (const TraceInsn* const insn = find_insn(head, stall.pc)) {
    members.emplace_back("line", std::to_string(insn->line));
    members.emplace_back("instruction", insn->text);
  }
  if (!stall.pipe.empty()) members.emplace_back("pipe", stall.pipe);
  return members;
}

WarpSlices::Before WarpSlices::note(const TraceEvent& event) {
  Before before;
  const std::uint64_t now = time_of(event, 0), waited = std::min(event.waited(), now);
  std::uint64_t at = now - waited;
  std::size_t first = 0;
  if (const auto open = open_.find({event.block, event.warp}); open != open_.end()) {
    before.end = std::min(open->second + 1, kLastCycle + 1);
    // It took more than one issue slot: the warp was its own.
    const bool slots = !event.stalls.empty() && event.stalls.front().reason == Stall::Reason::Issue;
    if (slots) before.end = at = std::min(at + event.stalls[first++].cycles, now);
  }
  for (; first < event.stalls.size(); ++first) {
    const std::uint64_t end = std::min(at + event.stalls[first].cycles, now);
    before.stalls.push_back({at, end, &event.stalls[first]});
    at = end;
  }
  open_[{event.block, event.warp}] = now;
  return before;
}

std::optional<std::uint64_t> WarpSlices::close_if_done(const TraceEvent& event) {
  const bool exits = std::any_of(event.masks.begin(), event.masks.end(),
                                 [](const TraceMask& mask) { return mask.kind == TraceMask::Kind::Exit; });
  const auto open = open_.find({event.block, event.warp});
  if (!exits || open == open_.end()) return std::nullopt;
  const std::uint64_t end = open->second + 1;
  open_.erase(open);
  return end;
}

std::map<WarpSlices::WarpKey, std::uint64_t> WarpSlices::close_all() {
  std::map<WarpKey, std::uint64_t> ends = std::exchange(open_, {});
  for (auto& [key, cycle] : ends) ++cycle;
  return ends;
}

void NoneEligible::head(const TraceHead& head) {
  head_.lanes = head.lanes;
  head_.block = head.block;
  if (!head.start) return;
  for (const TraceStart::Warp& warp : head.start->warps) exited_[{warp.block, warp.warp}] = warp.exited;
}

std::optional<NoneEligible::Gap> NoneEligible::note(const TraceEvent& event) {
  SubCore& sub_core = sub_cores_[event.sub_core];
  const std::pair<std::uint32_t, std::uint32_t> key(event.block, event.warp);
  const std::uint64_t now = time_of(event, 0);
  // Nobody there: the event's own warp is the first, since it waits.
  const std::uint64_t since = sub_core.warps.empty() ? now - std::min(event.waited(), now) : sub_core.next;
  const Gap gap{std::max(sub_core.next, since), now};
  sub_core.next = now + 1;
  sub_core.warps.insert(key);
  LaneMask& exited = exited_[key];
  for (const TraceMask& mask : event.masks)
    if (mask.kind == TraceMask::Kind::Exit) exited |= mask.taken;
  if ((lanes_of_warp(head_, event.warp) & ~exited) == 0) {
    sub_core.warps.erase(key);
    exited_.erase(key);
  }
  return gap.begin < gap.end ? std::optional(gap) : std::nullopt;
}

std::string sm_text(const TraceHead& head, std::uint64_t sm) {
  return "SM " + std::to_string(sm) + " (profile " + profile_name(head) + ", scheduler " + head.scheduler + ")";
}

void IssueRate::tell(std::vector<Point>& points, std::uint64_t cycle, std::uint64_t value) {
  if (value != told_) points.push_back({cycle, value});
  told_ = value;
}

std::vector<IssueRate::Point> IssueRate::note(std::uint64_t cycle) {
  std::vector<Point> points;
  if (cycle != cycle_ && count_ != 0) tell(points, cycle_, count_);
  if (cycle > cycle_ + 1 && count_ != 0) tell(points, cycle_ + 1, 0);
  if (cycle != cycle_) count_ = 0;
  cycle_ = cycle;
  ++count_;
  return points;
}

std::vector<IssueRate::Point> IssueRate::finish() {
  std::vector<Point> points;
  if (count_ != 0) tell(points, cycle_, count_);
  if (count_ != 0) tell(points, cycle_ + 1, 0);
  return points;
}

}  // namespace warpsim
