// Rows of versions; see lane_clock.h.
#include "sim/ordering/lane_clock.h"

#include <algorithm>

namespace warpsim {

const LaneClock::Row* LaneClock::find(std::uint64_t warp) const {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), warp,
                                   [](const Row& row, std::uint64_t number) { return row.warp < number; });
  return at != rows_.end() && at->warp == warp ? &*at : nullptr;
}

LaneClock::Row& LaneClock::row(std::uint64_t warp) {
  const auto at = std::lower_bound(rows_.begin(), rows_.end(), warp,
                                   [](const Row& row, std::uint64_t number) { return row.warp < number; });
  if (at != rows_.end() && at->warp == warp) return *at;
  return *rows_.insert(at, Row{warp, 0, nullptr});
}

LaneClock::Lanes& LaneClock::own_lanes(Row& row) {
  if (!row.lanes) {
    row.lanes = std::make_shared<Lanes>();
    row.lanes->fill(row.all);
  } else if (row.lanes.use_count() > 1) {
    row.lanes = std::make_shared<Lanes>(*row.lanes);
  }
  return *row.lanes;
}

std::uint32_t LaneClock::of(std::uint64_t warp, unsigned lane) const {
  const Row* const found = find(warp);
  if (found == nullptr) return 0;
  return found->lanes ? std::max(found->all, (*found->lanes)[lane]) : found->all;
}

std::uint32_t LaneClock::of_all(std::uint64_t warp) const {
  const Row* const found = find(warp);
  return found == nullptr ? 0 : found->all;
}

void LaneClock::raise(std::uint64_t warp, std::uint32_t version) {
  if (version == 0) return;
  Row& one = row(warp);
  one.all = std::max(one.all, version);
  if (one.lanes && *std::max_element(one.lanes->begin(), one.lanes->end()) <= one.all) one.lanes.reset();
}

void LaneClock::raise(std::uint64_t warp, unsigned lane, std::uint32_t version) {
  if (version == 0) return;
  Row& one = row(warp);
  if (version > one.all) own_lanes(one)[lane] = std::max(own_lanes(one)[lane], version);
}

void LaneClock::join(const LaneClock& from) {
  for (const Row& other : from.rows_) {
    Row& own = row(other.warp);
    if (other.lanes && own.lanes != other.lanes) {
      if (!own.lanes) {
        own.lanes = other.lanes;
      } else {
        Lanes& lanes = own_lanes(own);
        for (unsigned lane = 0; lane < kMaxLanes; ++lane) lanes[lane] = std::max(lanes[lane], (*other.lanes)[lane]);
      }
    }
    own.all = std::max(own.all, other.all);
  }
}

void LaneClock::forget(std::uint64_t warp) {
  std::erase_if(rows_, [&](const Row& one) { return one.warp == warp; });
}

}  // namespace warpsim
