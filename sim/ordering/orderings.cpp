// The variants of an ordering; see orderings.h.
#include "sim/ordering/orderings.h"

#include <span>

namespace warpsim {

Orderings::Orderings(std::uint32_t warps_per_block, bool with_variants)
    : real_(warps_per_block), has_variants_(with_variants) {
  if (!with_variants) return;
  for (const Missing one : {Missing::Scope, Missing::Acquire, Missing::Release, Missing::LaneStep, Missing::Both})
    variants_.push_back({one, Ordering(warps_per_block)});
}

// ---- what happens

// Of so many the variants are still told. They are not told of any more otherwise.
bool Orderings::has_room_for(std::size_t steps) {
  if (count_ + steps <= kMostSteps) return true;
  are_steps_known_ = false;
  steps_ = {};
  syncs_ = {};
  addresses_ = {};
  variants_.clear();
  written_ = {};
  written_shared_ = {};
  return false;
}

// Keeps a step for the variants.
Orderings::Step& Orderings::note(Step::Kind kind) {
  has_room_for(1);
  ++count_;
  Step& step = steps_.emplace_back();
  step.kind = kind;
  step.block = block_;
  step.warp = warp_;
  return step;
}

void Orderings::synchronize(const SyncEvent& event) {
  real_.synchronize(event);
  if (!has_variants_ || !are_steps_known_) return;
  note(Step::Kind::Synchronize).sync = syncs_.size();
  syncs_.push_back({event, {event.arrivals.begin(), event.arrivals.end()}});
}

// Where lanes do not wait, the version rises all the same.
void Orderings::let_lanes_wait() {
  if (!has_variants_) return;
  real_.begin_release();
  if (are_steps_known_) note(Step::Kind::LanesWait);
}

void Orderings::fence(LaneMask lanes, Reach reach, bool is_sc) {
  let_lanes_wait();
  real_.fence(lanes, reach, is_sc);
  if (!has_variants_ || !are_steps_known_) return;
  Step& step = note(Step::Kind::Fence);
  step.lanes = lanes;
  step.reach = reach;
  step.is_sc = is_sc;
}

void Orderings::begin_access(bool releases, bool writes) {
  let_lanes_wait();
  if (!releases && (!writes || !has_variants_)) return;
  real_.begin_release();
  if (has_variants_ && are_steps_known_) note(Step::Kind::Release);
}

void Orderings::access(unsigned lane, const StrongAccess& how) {
  real_.access(lane, how);
  if (!are_steps_known_) return;
  if (how.writes) note_written(how.address, how.shared);
  if (!has_variants_) return;
  Step& step = note(Step::Kind::Access);
  step.lane = static_cast<std::uint8_t>(lane);
  step.how = how;
}

void Orderings::access_at_once(LaneMask lanes, const std::uint64_t* address, const StrongAccess& how) {
  if (!are_steps_known_ || !has_room_for(count_lanes(lanes))) return;
  Step& step = note(Step::Kind::Accesses);
  step.lanes = lanes;
  step.how = how;
  step.sync = addresses_.size();
  count_ += count_lanes(lanes) - 1;
  for_each_lane(lanes, [&](unsigned lane) {
    addresses_.push_back(address[lane]);
    if (how.writes) note_written(address[lane], how.shared);
  });
}

void Orderings::note_written(std::uint64_t address, bool shared) {
  if (!shared) {
    written_.insert(address);
    return;
  }
  if (written_shared_.size() <= address) written_shared_.resize(address + 1);
  written_shared_[address] = true;
}

void Orderings::overwrite(std::uint64_t address, bool shared) {
  if (!are_steps_known_) return real_.overwrite(address, shared);
  if (shared ? address >= written_shared_.size() || !written_shared_[address] : !written_.contains(address)) return;
  real_.overwrite(address, shared);
  if (!has_variants_) return;
  Step& step = note(Step::Kind::Overwrite);
  step.lanes = address;
  step.is_sc = shared;
}

void Orderings::end_block(std::uint32_t block) {
  real_.end_block(block);
  if (has_variants_ && are_steps_known_) note(Step::Kind::EndBlock).block = block;
}

// ---- the variants

void Orderings::tell(Variant& variant, const Step& step) const {
  Ordering& ordering = variant.ordering;
  if (step.kind != Step::Kind::EndBlock && step.kind != Step::Kind::Synchronize) ordering.select(step.block, step.warp);
  switch (step.kind) {
    case Step::Kind::Synchronize: {
      SyncEvent event = syncs_[step.sync].event;
      event.arrivals = syncs_[step.sync].arrivals;
      return ordering.synchronize(event);
    }
    case Step::Kind::LanesWait: {
      if (!variant.is(Missing::LaneStep)) return ordering.begin_release();
      const SyncEvent::Arrival all{step.warp, -1, ~LaneMask{0}};
      return ordering.synchronize({SyncEvent::Kind::Warp, step.block, ~LaneMask{0}, false, std::span(&all, 1)});
    }
    case Step::Kind::Fence:
      return ordering.fence(step.lanes, variant.is(Missing::Scope) ? Reach::Device : step.reach, step.is_sc);
    case Step::Kind::Release: return ordering.begin_release();
    case Step::Kind::Access:
    case Step::Kind::Accesses: {
      StrongAccess changed = step.how;
      if (variant.is(Missing::Acquire)) changed.acquires = changed.reads;
      if (variant.is(Missing::Release)) changed.releases = changed.writes;
      if (variant.is(Missing::Scope)) changed.reach = Reach::Device;
      if (step.kind == Step::Kind::Access) return ordering.access(step.lane, changed);
      std::size_t at = step.sync;
      return for_each_lane(step.lanes, [&](unsigned lane) {
        changed.address = addresses_[at++];
        ordering.access(lane, changed);
      });
    }
    case Step::Kind::Overwrite: return ordering.overwrite(step.lanes, step.is_sc);
    case Step::Kind::EndBlock: return ordering.end_block(step.block);
  }
}

std::optional<Missing> Orderings::missing(const Stamp& before, LaneMask lanes, unsigned lane) {
  let_lanes_wait();
  for (const Step& step : steps_)
    for (Variant& variant : variants_) tell(variant, step);
  steps_.clear();
  syncs_.clear();
  addresses_.clear();
  count_ = 0;
  for (Variant& variant : variants_) {
    variant.ordering.select(block_, warp_);
    if (variant.ordering.unordered(before, lanes, lane) == 0) return variant.missing;
  }
  return std::nullopt;
}

}  // namespace warpsim
