// Rows of versions; see lane_clock.h.
#include "sim/ordering/lane_clock.h"

#include <algorithm>

namespace warpsim {

std::size_t LaneClock::search_for(const Parts& parts, std::uint64_t number) {
  const auto found = std::lower_bound(parts.begin(), parts.end(), number,
                                      [](const Place& place, std::uint64_t n) { return place.number < n; });
  return static_cast<std::size_t>(found - parts.begin());
}

LaneClock::Parts& LaneClock::own_parts() {
  if (!parts_) parts_ = std::make_shared<Parts>();
  else if (parts_.use_count() > 1) parts_ = std::make_shared<Parts>(*parts_);
  return *parts_;
}

LaneClock::Part& LaneClock::own_part(Place& place) {
  if (place.part.use_count() > 1) place.part = std::make_shared<Part>(*place.part);
  return *place.part;
}

LaneClock::Row& LaneClock::row(std::uint64_t warp) {
  Parts& parts = own_parts();
  const std::uint64_t number = number_of(warp);
  const std::size_t k = parts.empty() ? 0 : at(parts, number);
  if (k == parts.size() || parts[k].number != number)
    parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(k), Place{number, std::make_shared<Part>()});
  return own_part(parts[k]).rows[place_of(warp)];
}

LaneClock::Lanes& LaneClock::own_lanes(Row& row) {
  if (!row.lanes) row.lanes = std::make_shared<Lanes>();
  else if (row.lanes.use_count() > 1) row.lanes = std::make_shared<Lanes>(*row.lanes);
  return *row.lanes;
}

void LaneClock::Lanes::raise(unsigned lane, std::uint32_t version) {
  if (version <= of(lane)) return;
  if (lane >= kHalf && !high_) high_ = std::make_unique<Half>();
  (lane < kHalf ? low_[lane] : (*high_)[lane - kHalf]) = version;
}

std::uint32_t LaneClock::Lanes::highest() const {
  const std::uint32_t low = *std::max_element(low_.begin(), low_.end());
  return high_ ? std::max(low, *std::max_element(high_->begin(), high_->end())) : low;
}

std::uint32_t LaneClock::of(std::uint64_t warp, unsigned lane) const {
  const Row* const found = find(warp);
  return found == nullptr ? 0 : found->of(lane);
}

void LaneClock::raise(std::uint64_t warp, std::uint32_t version) {
  const Row* const known = find(warp);
  if (version == 0 || (known != nullptr && known->all >= version && !known->lanes)) return;
  Row& one = row(warp);
  one.all = std::max(one.all, version);
  if (one.lanes && one.lanes->highest() <= one.all) one.lanes.reset();
}

bool LaneClock::raise_for_all(std::uint64_t warp, std::uint32_t version) {
  const Row* const known = find(warp);
  if (known == nullptr || known->empty() || known->lanes) return false;
  if (known->all >= version) return true;
  own_part((*parts_)[at(*parts_, number_of(warp))]).rows[place_of(warp)].all = version;
  return true;
}

void LaneClock::raise(std::uint64_t warp, unsigned lane, std::uint32_t version) {
  if (version == 0 || version <= of(warp, lane)) return;
  own_lanes(row(warp)).raise(lane, version);
}

// Whether joining the other to the one would change nothing.
bool LaneClock::covers(const Row& own, const Row& other) {
  if (other.all > own.all) return false;
  if (!other.lanes || other.lanes == own.lanes) return true;
  for (unsigned lane = 0; lane < kMaxLanes; ++lane)
    if (other.lanes->of(lane) > own.of(lane)) return false;
  return true;
}

bool LaneClock::covers(const Part& one, const Part& other) {
  for (std::size_t k = 0; k < one.rows.size(); ++k)
    if (!covers(one.rows[k], other.rows[k])) return false;
  return true;
}

bool LaneClock::covers(const LaneClock& other, std::uint64_t but_warp) const {
  if (other.empty() || other.parts_ == parts_) return true;
  const Part nothing;
  for (const Place& place : *other.parts_) {
    const Part* const known = find_part(place.number);
    if (known == place.part.get()) continue;
    const Part& own = known == nullptr ? nothing : *known;
    for (std::size_t row = 0; row < own.rows.size(); ++row)
      if ((place.number << kPartBits | row) != but_warp && !covers(own.rows[row], place.part->rows[row])) return false;
  }
  return true;
}

void LaneClock::join(Row& own, const Row& other) {
  if (other.lanes && own.lanes != other.lanes) {
    if (!own.lanes) {
      own.lanes = other.lanes;
    } else {
      Lanes& lanes = own_lanes(own);
      for (unsigned lane = 0; lane < kMaxLanes; ++lane) lanes.raise(lane, other.lanes->of(lane));
    }
  }
  own.all = std::max(own.all, other.all);
}

void LaneClock::join(const LaneClock& from) {
  if (from.empty() || from.parts_ == parts_) return;
  if (empty()) {
    parts_ = from.parts_;
    return;
  }
  const std::shared_ptr<Parts> others = from.parts_;
  for (const Place& other : *others) {
    Parts& parts = own_parts();
    const std::size_t k = at(parts, other.number);
    if (k == parts.size() || parts[k].number != other.number) {
      parts.insert(parts.begin() + static_cast<std::ptrdiff_t>(k), other);
      continue;
    }
    Place& own = parts[k];
    if (own.part == other.part || covers(*own.part, *other.part)) continue;
    if (covers(*other.part, *own.part)) {
      own.part = other.part;
      continue;
    }
    Part& part = own_part(own);
    for (std::size_t row = 0; row < part.rows.size(); ++row) join(part.rows[row], other.part->rows[row]);
  }
}

void LaneClock::forget(std::uint64_t warp) {
  const Row* const known = find(warp);
  if (known == nullptr || known->empty()) return;
  row(warp) = Row();
  Parts& parts = own_parts();
  const std::size_t k = at(parts, number_of(warp));
  const auto& rows = parts[k].part->rows;
  if (std::all_of(rows.begin(), rows.end(), [](const Row& one) { return one.empty(); }))
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(k));
}

}  // namespace warpsim
