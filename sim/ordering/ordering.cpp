// Edges between lanes and between warps; see ordering.h.
#include "sim/ordering/ordering.h"

#include <algorithm>

namespace warpsim {
namespace {

constexpr std::size_t kReaches[] = {static_cast<std::size_t>(Reach::Block), static_cast<std::size_t>(Reach::Device)};

}  // namespace

// ---- what lanes know and hand on

// What a lane comes after of its own warp, and what it did itself.
void Ordering::add_own_row(LaneClock& to, std::uint64_t number, unsigned lane, const Between* between,
                           std::uint32_t all, std::uint32_t version) {
  to.raise(number, all);
  if (between != nullptr)
    for (unsigned u = 0; u < kMaxLanes; ++u) to.raise(number, u, (*between)[lane][u]);
  to.raise(number, lane, version);
}

LaneClock Ordering::known_by(unsigned lane) const {
  LaneClock known = current_->known;
  if (current_->lanes) known.join((*current_->lanes)[lane].known);
  add_own_row(known, number_, lane, current_->between.get(), current_->all, current_->version);
  return known;
}

// What these lanes have released by this fence.
LaneClock Ordering::fenced_by(const Fenced& fenced, std::uint64_t number, LaneMask lanes) {
  LaneClock released;
  if ((lanes & fenced.lanes) == 0) return released;
  released = fenced.known;
  for_each_lane(lanes & fenced.lanes, [&](unsigned lane) {
    add_own_row(released, number, lane, fenced.between.get(), fenced.all, fenced.version);
  });
  return released;
}

// What a fence that reaches the device releases, it releases in the block, too.
LaneClock Ordering::released_by(unsigned lane, Reach reach, Taker taker) const {
  LaneClock released;
  const LaneTime* const own = current_->lanes ? &(*current_->lanes)[lane] : nullptr;
  for (const std::size_t r : kReaches) {
    if (r < static_cast<std::size_t>(reach)) continue;
    for (const Kind kind : {kAcqRel, kSc}) {
      if (taker == kFenceSc && kind != kSc) continue;
      if (own != nullptr) released.join(own->released[kind][r]);
      released.join(fenced_by(current_->fenced[kind][r], number_, lane_bit(lane)));
    }
    if (taker != kFenceSc) continue;
    released.join(current_->passed_released[r]);
    if (own != nullptr) released.join(own->passed_released[r]);
  }
  return released;
}

// ---- fences and strong accesses

// What the lane's accesses have read it comes after now.
void Ordering::acquire_by_fence(unsigned lane, Reach reach, Kind kind) {
  WarpTime& time = *current_;
  for (const std::size_t r : kReaches) {
    if (r > static_cast<std::size_t>(reach)) continue;
    if (kind == kSc && !time.passed_read[r].empty()) lane_of(time, lane).known.join(time.passed_read[r]);
    if (!time.lanes) continue;
    LaneTime& own = (*time.lanes)[lane];
    for (const Taker taker : {kAnyAcquire, kFenceSc}) {
      if (taker == kFenceSc && kind != kSc) continue;
      own.known.join(own.read[taker][r]);
      own.read[taker][r].clear();
    }
    if (kind == kSc) own.known.join(own.passed_read[r]);
  }
}

void Ordering::fence(LaneMask lanes, Reach reach, bool is_sc) {
  only_barriers_ = false;
  WarpTime& time = *current_;
  const Kind kind = is_sc ? kSc : kAcqRel;
  ++time.version;
  for_each_lane(lanes, [&](unsigned lane) { acquire_by_fence(lane, reach, kind); });
  const std::size_t r = static_cast<std::size_t>(reach);
  Fenced& fenced = time.fenced[kind][r];
  for_each_lane(fenced.lanes & ~lanes, [&](unsigned lane) {
    lane_of(time, lane).released[kind][r].join(fenced_by(fenced, number_, lane_bit(lane)));
  });
  if (time.lanes)
    for_each_lane(lanes, [&](unsigned lane) { (*time.lanes)[lane].released[kind][r].join((*time.lanes)[lane].known); });
  fenced.lanes = lanes;
  fenced.passed = 0;
  fenced.version = time.version;
  fenced.all = time.all;
  fenced.known = time.known;
  fenced.between = time.between ? std::make_unique<Between>(*time.between) : nullptr;
}

bool Ordering::draws_nothing(bool shared) const {
  if (may_overwrite(shared) || current_->lanes) return false;
  for (const std::size_t r : kReaches) {
    if (!current_->passed_released[r].empty()) return false;
    for (const Kind kind : {kAcqRel, kSc})
      if (current_->fenced[kind][r].lanes != 0) return false;
  }
  return true;
}

void Ordering::access(unsigned lane, const StrongAccess& how) {
  if (!how.acquires && !how.releases && draws_nothing(how.shared)) return;
  only_barriers_ = false;
  Places& places = places_of(how.shared);
  if (how.reads && !places.empty()) {
    if (const auto at = places.find(how.address); at != places.end()) acquire(lane, how, at->second);
  }
  if (how.writes) release(lane, how, places);
}

// The lane reads what was released: it comes after that now, or with its next fence.
void Ordering::acquire(unsigned lane, const StrongAccess& how, const Released& from) {
  if (from.empty() || !is_linked(from, how.reach)) return;
  LaneTime& time = lane_of(*current_, lane);
  const bool device = how.reach == Reach::Device;
  for (const Taker taker : {kAnyAcquire, kFenceSc}) {
    const bool now = how.acquires && taker == kAnyAcquire;
    if (from.block == block_) (now ? time.known : time.read[taker][0]).join(from.in_block[taker]);
    (now && device ? time.known : time.read[taker][1]).join(from.anywhere[taker]);
  }
}

// What the lane releases here. An atomic continues what others released at the address, as far as they reach each
// other; a store begins anew.
void Ordering::release(unsigned lane, const StrongAccess& how, Places& places) {
  const auto before = places.find(how.address);
  Released at;
  if (how.reads && before != places.end() && is_linked(before->second, how.reach)) at = std::move(before->second);
  if (at.block != block_) at.in_block = {};
  at.block = block_;
  at.reach = how.reach;
  for (const Taker taker : {kAnyAcquire, kFenceSc}) {
    at.in_block[taker].join(released_by(lane, Reach::Block, taker));
    at.anywhere[taker].join(released_by(lane, Reach::Device, taker));
  }
  if (how.releases) {
    const LaneClock known = known_by(lane);
    at.in_block[kAnyAcquire].join(known);
    if (how.reach == Reach::Device) at.anywhere[kAnyAcquire].join(known);
  }
  if (!at.empty()) places[how.address] = std::move(at);
  else if (before != places.end()) places.erase(before);
}

// ---- barriers

// What lanes that come together have beyond their warp and pass on: each has it all then. What they have read and
// released themselves counts as others', which is for fence.sc alone.
Ordering::LaneTime Ordering::joint_of(const WarpTime& warp, std::uint64_t number, LaneMask lanes) {
  LaneTime joint;
  for (const std::size_t r : kReaches) {
    const Fenced& fenced = warp.fenced[kSc][r];
    joint.passed_released[r] = fenced_by(fenced, number, lanes & ~fenced.passed);
  }
  if (!warp.lanes) return joint;
  for_each_lane(lanes, [&](unsigned lane) {
    const LaneTime& one = (*warp.lanes)[lane];
    joint.known.join(one.known);
    for (const std::size_t r : kReaches) {
      joint.passed_released[r].join(one.released[kSc][r]);
      joint.passed_released[r].join(one.passed_released[r]);
      joint.passed_read[r].join(one.passed_read[r]);
      joint.passed_read[r].join(one.read[kFenceSc][r]);
    }
  });
  return joint;
}

// Beyond what the warp has.
bool Ordering::has_released_sc(const WarpTime& warp, LaneMask lanes) {
  return std::any_of(warp.fenced[kSc].begin(), warp.fenced[kSc].end(),
                     [&](const Fenced& fenced) { return (fenced.lanes & ~fenced.passed & lanes) != 0; });
}

// What is passed on, put in the place of what the lane had of it.
void Ordering::pass_on(LaneTime& to, const LaneTime& joint) {
  to.known = joint.known;
  to.passed_released = joint.passed_released;
  to.passed_read = joint.passed_read;
}

void Ordering::synchronize_lanes(WarpTime& warp, std::uint64_t number, LaneMask lanes) {
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
  if (!warp.lanes && !has_released_sc(warp, lanes)) return;
  const LaneTime together = joint_of(warp, number, lanes);
  for_each_lane(lanes, [&](unsigned lane) { pass_on(lane_of(warp, lane), together); });
}

// All living lanes come together: what some had and pass on is the warp's.
void Ordering::gather_lanes(WarpTime& warp, std::uint64_t number, LaneMask alive) {
  if (!warp.lanes && !has_released_sc(warp, alive)) return;
  const LaneTime joint = joint_of(warp, number, alive);
  warp.known.join(joint.known);
  warp.known.forget(number);  // all of it is known
  for (const std::size_t r : kReaches) {
    warp.passed_released[r].join(joint.passed_released[r]);
    warp.passed_read[r].join(joint.passed_read[r]);
    warp.fenced[kSc][r].passed = warp.fenced[kSc][r].lanes;
  }
  if (!warp.lanes) return;
  for_each_lane(alive, [&](unsigned lane) {
    LaneTime& one = (*warp.lanes)[lane];
    pass_on(one, {});
    for (const std::size_t r : kReaches) one.read[kFenceSc][r].clear();
  });
}

// A fence would give a lane nothing of what it has read and the whole warp knows by now.
void Ordering::forget_known(WarpTime& warp, std::uint64_t number, LaneMask alive) {
  if (!warp.lanes) return;
  bool some_have_more = false;  // than their warp
  for_each_lane(alive, [&](unsigned lane) {
    LaneTime& one = (*warp.lanes)[lane];
    for (const std::size_t r : kReaches) {
      if (warp.known.covers(one.read[kAnyAcquire][r], number)) one.read[kAnyAcquire][r].clear();
      some_have_more = some_have_more || !one.read[kAnyAcquire][r].empty() || !one.released[kAcqRel][r].empty() ||
                       !one.released[kSc][r].empty();
    }
  });
  if (!some_have_more) warp.lanes.reset();
}

// All living lanes, gathered, come after all that their warp did.
void Ordering::come_together(WarpTime& warp, std::uint64_t number, LaneMask alive) {
  warp.all = ++warp.version;
  warp.between.reset();
  forget_known(warp, number, alive);
}

// What lanes of a warp hand on at a barrier.
void Ordering::HandedOn::join(const LaneClock& other, const ByReach& other_released, const ByReach& other_read) {
  known.join(other);
  for (const std::size_t r : kReaches) {
    passed_released[r].join(other_released[r]);
    passed_read[r].join(other_read[r]);
  }
}

// A clock that is joined with itself stays shared: what warps have of their last barrier is copied once.
void Ordering::hand_on(std::uint64_t number, WarpTime& warp, LaneMask lanes, HandedOn& to) const {
  if (only_barriers_) return to.known.join(warp.known);
  gather_lanes(warp, number, lanes);
  to.join(warp.known, warp.passed_released, warp.passed_read);
}

// The lanes of the warp have waited for each other, and for nobody else.
void Ordering::arrive(const SyncEvent& event) {
  const SyncEvent::Arrival& arrival = event.arrivals.front();
  WarpTime& warp = times_of(event.block)[arrival.warp];
  const std::uint64_t number = std::uint64_t{event.block} * warps_per_block_ + arrival.warp;
  HandedOn& handed_on = arrived_[arrival.ticket];
  hand_on(number, warp, arrival.lanes, handed_on);
  handed_on.known.raise(number, warp.version + 1);
  come_together(warp, number, arrival.lanes);
}

// As after the barrier before: all warps of the block have waited, and they know the same. In place.
bool Ordering::meet_again(const SyncEvent& event, std::vector<WarpTime>& times, std::uint64_t first) const {
  if (!only_barriers_ || event.arrivals.size() != times.size()) return false;
  LaneClock& known = times.front().known;
  if (!known.is_shared_by(static_cast<long>(times.size()))) return false;
  for (std::size_t w = 0; w < times.size(); ++w) {
    const SyncEvent::Arrival& one = event.arrivals[w];
    if (one.ticket != 0 || one.warp != w || !times[w].known.is_same(known)) return false;
  }
  for (std::size_t w = 0; w < times.size(); ++w)
    if (!known.raise_for_all(first + w, times[w].version + 1)) return false;
  for (WarpTime& warp : times) {
    warp.all = ++warp.version;
    warp.between.reset();
  }
  return true;
}

void Ordering::synchronize_warps(const SyncEvent& event) {
  const std::uint64_t first = std::uint64_t{event.block} * warps_per_block_;
  std::vector<WarpTime>& times = times_of(event.block);
  if (meet_again(event, times, first)) return;
  HandedOn joint;
  std::vector<LaneMask>& lanes = coming_;
  lanes.assign(times.size(), 0);
  for (const SyncEvent::Arrival& arrival : event.arrivals) {
    if (arrival.ticket == 0) lanes[arrival.warp] |= arrival.lanes;
    else if (const auto at = arrived_.find(arrival.ticket); at != arrived_.end()) {
      joint.join(at->second.known, at->second.passed_released, at->second.passed_read);
      arrived_.erase(at);
    }
  }
  for (std::size_t w = 0; w < times.size(); ++w)
    if (lanes[w] != 0) hand_on(first + w, times[w], lanes[w], joint);
  for (std::size_t w = 0; w < times.size(); ++w)
    if (lanes[w] != 0) joint.known.raise(first + w, times[w].version + 1);
  for (std::size_t w = 0; w < times.size(); ++w) {
    if (lanes[w] == 0) continue;
    WarpTime& warp = times[w];
    warp.known = joint.known;
    if (!only_barriers_) {
      warp.passed_released = joint.passed_released;
      warp.passed_read = joint.passed_read;
    }
    come_together(warp, first + w, lanes[w]);
  }
}

void Ordering::synchronize(const SyncEvent& event) {
  if (event.kind == SyncEvent::Kind::Block) return synchronize_warps(event);
  if (event.kind == SyncEvent::Kind::Arrive) return arrive(event);
  LaneMask lanes = 0;
  for (const SyncEvent::Arrival& arrival : event.arrivals) lanes |= arrival.lanes;
  const std::uint32_t index = event.arrivals.front().warp;
  const std::uint64_t number = std::uint64_t{event.block} * warps_per_block_ + index;
  WarpTime& warp = times_of(event.block)[index];
  if ((event.alive & ~lanes) != 0) return synchronize_lanes(warp, number, lanes);
  gather_lanes(warp, number, lanes);
  come_together(warp, number, lanes);
}

// ---- the question

LaneMask Ordering::unordered_slowly(const Stamp& before, LaneMask lanes, unsigned lane) const {
  const WarpTime& time = *current_;
  const bool own = before.warp == number_;
  const LaneMask others = own ? lanes & ~lane_bit(lane) : lanes;
  if (others == 0 || (!own && before.version < time.known.of_all(before.warp))) return 0;
  const LaneTime* const more = time.lanes ? &(*time.lanes)[lane] : nullptr;
  if (more == nullptr && !(own ? time.between != nullptr : time.known.has_lanes_of(before.warp))) return others;
  LaneMask out = 0;
  for_each_lane(others, [&](unsigned u) {
    const std::uint32_t in_warp = !own ? time.known.of(before.warp, u) : time.between ? (*time.between)[lane][u] : 0;
    const std::uint32_t known = more == nullptr ? in_warp : std::max(in_warp, more->known.of(before.warp, u));
    if (before.version >= known) out |= lane_bit(u);
  });
  return out;
}

}  // namespace warpsim
