// Edges between lanes and between warps; see ordering.h.
#include "sim/check/ordering.h"

#include <algorithm>

namespace warpsim {

std::uint32_t& Ordering::Clock::operator[](std::uint64_t warp) {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), std::pair{warp, std::uint32_t{0}});
  if (at != rows_.end() && at->first == warp) return at->second;
  return rows_.insert(at, {warp, 0})->second;
}

std::uint32_t Ordering::Clock::of(std::uint64_t warp) const {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), std::pair{warp, std::uint32_t{0}});
  return at != rows_.end() && at->first == warp ? at->second : 0;
}

void Ordering::Clock::join(const Clock& from) {
  for (const auto& [warp, version] : from.rows_) {
    std::uint32_t& known = (*this)[warp];
    known = std::max(known, version);
  }
}

void Ordering::synchronize_lanes(WarpTime& warp, LaneMask lanes) {
  ++warp.version;
  if (!warp.between) {
    warp.between = std::make_unique<Between>(kMaxLanes);
    for (auto& row : *warp.between) row.fill(warp.all);
  }
  std::array<std::uint32_t, kMaxLanes> joint{};
  for_each_lane(lanes, [&](unsigned lane) {
    const auto& row = (*warp.between)[lane];
    for (unsigned u = 0; u < kMaxLanes; ++u) joint[u] = std::max(joint[u], row[u]);
  });
  for_each_lane(lanes, [&](unsigned lane) { joint[lane] = warp.version; });
  for_each_lane(lanes, [&](unsigned lane) { (*warp.between)[lane] = joint; });
}

void Ordering::synchronize_warps(const SyncEvent& event) {
  Clock joint;
  const std::uint64_t first = std::uint64_t{event.block} * warps_per_block_;
  std::vector<WarpTime>& times = times_of(event.block);
  for (const SyncEvent::Arrival& arrival : event.arrivals) {
    WarpTime& warp = times[arrival.warp];
    joint[first + arrival.warp] = warp.version + 1;
    joint.join(warp.known);
  }
  for (const SyncEvent::Arrival& arrival : event.arrivals) {
    WarpTime& warp = times[arrival.warp];
    const std::uint32_t next = joint[first + arrival.warp];
    if (warp.version == next) continue;  // several groups of one warp
    warp.version = warp.all = next;
    warp.between.reset();
    warp.known = joint;
  }
}

void Ordering::synchronize(const SyncEvent& event) {
  if (event.kind == SyncEvent::Kind::Block) return synchronize_warps(event);
  LaneMask lanes = 0;
  for (const SyncEvent::Arrival& arrival : event.arrivals) lanes |= arrival.lanes;
  WarpTime& warp = times_of(event.block)[event.arrivals.front().warp];
  if ((event.alive & ~lanes) != 0) return synchronize_lanes(warp, lanes);
  warp.all = ++warp.version;
  warp.between.reset();
}

void Ordering::fence(LaneMask lanes) {
  WarpTime& time = *current_;
  if (time.own)
    for_each_lane(lanes, [&](unsigned lane) {
      time.own->known[lane] = std::max(time.own->known[lane], time.own->acquired[lane]);
    });
  time.known.join(time.acquired);
  time.acquired.clear();
  time.released = time.known;
  time.released[number_] = ++time.version;
  time.has_released = true;
}

void Ordering::atomic(unsigned lane, std::uint64_t address) {
  WarpTime& time = *current_;
  if (const auto at = released_at_.find(address); at != released_at_.end()) {
    time.acquired.join(at->second);
    if (const std::uint32_t own = at->second.of(number_); own != 0) {
      if (!time.own) time.own = std::make_unique<OwnWarp>();
      time.own->acquired[lane] = std::max(time.own->acquired[lane], own);
    }
  }
  if (time.has_released) released_at_[address].join(time.released);
}

LaneMask Ordering::unordered_slowly(const Stamp& before, LaneMask lanes, unsigned lane) const {
  const WarpTime& time = *current_;
  if (before.warp != number_) {
    return before.version < time.known.of(before.warp) ? 0 : lanes;
  }
  const LaneMask others = lanes & ~lane_bit(lane);
  if (time.own && before.version < time.own->known[lane]) return 0;
  if (others == 0 || !time.between) return others;
  LaneMask out = 0;
  for_each_lane(others, [&](unsigned u) {
    if (before.version >= (*time.between)[lane][u]) out |= lane_bit(u);
  });
  return out;
}

}  // namespace warpsim
