// Rows of versions; see lane_clock.h.
#include "sim/ordering/lane_clock.h"

#include <algorithm>

namespace warpsim {

LaneClock::Rows& LaneClock::own_rows() {
  if (!rows_) rows_ = std::make_shared<Rows>();
  else if (rows_.use_count() > 1) rows_ = std::make_shared<Rows>(*rows_);
  return *rows_;
}

const LaneClock::Row* LaneClock::find(std::uint64_t warp) const {
  if (empty()) return nullptr;
  const auto at = std::lower_bound(rows_->begin(), rows_->end(), warp,
                                   [](const Row& row, std::uint64_t number) { return row.warp < number; });
  return at != rows_->end() && at->warp == warp ? &*at : nullptr;
}

LaneClock::Row& LaneClock::row(std::uint64_t warp) {
  Rows& rows = own_rows();
  if (!rows.empty() && warp >= rows.front().warp) {
    const std::uint64_t behind = warp - rows.front().warp;
    if (behind < rows.size() && rows[behind].warp == warp) return rows[behind];
  }
  const auto at = std::lower_bound(rows.begin(), rows.end(), warp,
                                   [](const Row& row, std::uint64_t number) { return row.warp < number; });
  if (at != rows.end() && at->warp == warp) return *at;
  return *rows.insert(at, Row{warp, 0, nullptr});
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

void LaneClock::raise(std::uint64_t warp, std::uint32_t version) {
  if (version == 0) return;
  Row& one = row(warp);
  one.all = std::max(one.all, version);
  if (one.lanes && *std::max_element(one.lanes->begin(), one.lanes->end()) <= one.all) one.lanes.reset();
}

bool LaneClock::raise_for_all(std::uint64_t warp, std::uint32_t version) {
  const std::uint64_t behind = warp - rows_->front().warp;
  if (behind >= rows_->size() || (*rows_)[behind].warp != warp || (*rows_)[behind].lanes) return false;
  (*rows_)[behind].all = std::max((*rows_)[behind].all, version);
  return true;
}

void LaneClock::raise(std::uint64_t warp, unsigned lane, std::uint32_t version) {
  if (version == 0) return;
  Row& one = row(warp);
  if (version > one.all) own_lanes(one)[lane] = std::max(own_lanes(one)[lane], version);
}

void LaneClock::join(const LaneClock& from) {
  if (from.empty() || from.rows_ == rows_) return;
  if (empty()) {
    rows_ = from.rows_;
    return;
  }
  const std::shared_ptr<Rows> others = from.rows_;
  for (const Row& other : *others) {
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
  if (find(warp) != nullptr) std::erase_if(own_rows(), [&](const Row& one) { return one.warp == warp; });
}

}  // namespace warpsim
