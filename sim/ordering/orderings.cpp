// The variants of an ordering; see orderings.h.
#include "sim/ordering/orderings.h"

#include <span>

namespace warpsim {

Orderings::Orderings(std::uint32_t warps_per_block, bool with_variants) : real_(warps_per_block) {
  if (!with_variants) return;
  for (const Missing one : {Missing::Scope, Missing::Acquire, Missing::Release, Missing::LaneStep, Missing::Both})
    variants_.push_back({one, Ordering(warps_per_block)});
}

void Orderings::synchronize(const SyncEvent& event) {
  real_.synchronize(event);
  for (Variant& variant : variants_) variant.ordering.synchronize(event);
}

// Where lanes do not wait, the version rises all the same.
void Orderings::let_lanes_wait() {
  if (variants_.empty()) return;
  const SyncEvent::Arrival all{warp_, -1, ~LaneMask{0}};
  const SyncEvent event{SyncEvent::Kind::Warp, block_, ~LaneMask{0}, false, std::span(&all, 1)};
  real_.begin_release();
  for (Variant& variant : variants_)
    if (variant.is(Missing::LaneStep)) variant.ordering.synchronize(event);
    else variant.ordering.begin_release();
}

void Orderings::fence(LaneMask lanes, Reach reach, bool is_sc) {
  let_lanes_wait();
  real_.fence(lanes, reach, is_sc);
  for (Variant& variant : variants_)
    variant.ordering.fence(lanes, variant.is(Missing::Scope) ? Reach::Device : reach, is_sc);
}

void Orderings::begin_access(bool releases, bool writes) {
  let_lanes_wait();
  if (!releases && (!writes || variants_.empty())) return;
  real_.begin_release();
  for (Variant& variant : variants_) variant.ordering.begin_release();
}

void Orderings::access(unsigned lane, const StrongAccess& how) {
  real_.access(lane, how);
  for (Variant& variant : variants_) {
    StrongAccess changed = how;
    if (variant.is(Missing::Acquire)) changed.acquires = how.reads;
    if (variant.is(Missing::Release)) changed.releases = how.writes;
    if (variant.is(Missing::Scope)) changed.reach = Reach::Device;
    variant.ordering.access(lane, changed);
  }
}

void Orderings::overwrite(std::uint64_t address, bool shared) {
  real_.overwrite(address, shared);
  for (Variant& variant : variants_) variant.ordering.overwrite(address, shared);
}

void Orderings::end_block(std::uint32_t block) {
  real_.end_block(block);
  for (Variant& variant : variants_) variant.ordering.end_block(block);
}

std::optional<Missing> Orderings::missing(const Stamp& before, LaneMask lanes, unsigned lane) {
  let_lanes_wait();
  for (const Variant& variant : variants_)
    if (variant.ordering.unordered(before, lanes, lane) == 0) return variant.missing;
  return std::nullopt;
}

}  // namespace warpsim
