// What somebody knows of lanes: of each lane of each warp, below which version its accesses come before.
//
// Shapes: a row a warp: one version for all its lanes, and where lanes differ one for each. Rows of neighbouring warps
//         make a part, and parts stand in the order of the warps' numbers. Copies share everything until one of them
//         changes, and then all parts but that one: warps which a barrier has told the same have one table, and of a
//         grid whose blocks wait for each other each warp has little of its own.
// Units:  versions from 0, which says nothing; warps are numbered over the launch.
// Errors: none.
// Source: Flanagan and Freund, "FastTrack" (PLDI 2009): vector clocks, by the warp where its lanes go together.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/launch/launch.h"

namespace warpsim {

class LaneClock {
 public:
  bool empty() const { return !parts_ || parts_->empty(); }
  void clear() { parts_.reset(); }
  std::uint32_t of(std::uint64_t warp, unsigned lane) const;
  // Of every lane at least.
  std::uint32_t of_all(std::uint64_t warp) const {
    const Row* const found = find(warp);
    return found == nullptr ? 0 : found->all;
  }
  bool has_lanes_of(std::uint64_t warp) const {
    const Row* const found = find(warp);
    return found != nullptr && found->lanes;
  }
  // Of all lanes of a warp, or of one, it knows at least so much.
  void raise(std::uint64_t warp, std::uint32_t version);
  void raise(std::uint64_t warp, unsigned lane, std::uint32_t version);
  void join(const LaneClock& from);
  // Whether joining the other would change nothing, but for what it says of this warp.
  bool covers(const LaneClock& other, std::uint64_t but_warp) const;
  // Is this one table of so many clocks, this one and others? Then they may all be raised at once.
  bool is_shared_by(long clocks) const { return parts_ && parts_.use_count() == clocks; }
  bool is_same(const LaneClock& other) const { return parts_ == other.parts_; }
  // Of this clock and of all that share its table; false if it has no row of the warp.
  bool raise_for_all(std::uint64_t warp, std::uint32_t version);
  void forget(std::uint64_t warp);

 private:
  // A version each. Most warps have no upper half of lanes.
  class Lanes {
   public:
    Lanes() = default;
    Lanes(const Lanes& other) : low_(other.low_), high_(other.high_ ? std::make_unique<Half>(*other.high_) : nullptr) {}
    std::uint32_t of(unsigned lane) const { return lane < kHalf ? low_[lane] : high_ ? (*high_)[lane - kHalf] : 0; }
    void raise(unsigned lane, std::uint32_t version);
    std::uint32_t highest() const;

   private:
    static constexpr unsigned kHalf = kMaxLanes / 2;
    using Half = std::array<std::uint32_t, kHalf>;
    Half low_{};
    std::unique_ptr<Half> high_;  // null: 0 each
  };
  struct Row {
    std::uint32_t all = 0;
    std::shared_ptr<Lanes> lanes;  // null: none is above `all`
    std::uint32_t of(unsigned lane) const { return lanes ? std::max(all, lanes->of(lane)) : all; }
    bool empty() const { return all == 0 && !lanes; }
  };
  static constexpr unsigned kPartBits = 4;  // of the number of warps in one
  struct Part {
    std::array<Row, std::size_t{1} << kPartBits> rows;
  };
  struct Place {
    std::uint64_t number = 0;  // of its warps, without their last bits
    std::shared_ptr<Part> part;
  };
  using Parts = std::vector<Place>;
  static std::uint64_t number_of(std::uint64_t warp) { return warp >> kPartBits; }
  static std::size_t place_of(std::uint64_t warp) { return warp % (std::size_t{1} << kPartBits); }
  // The first that has this number or a higher one. Mostly they stand one behind the other.
  static std::size_t at(const Parts& parts, std::uint64_t number) {
    const std::uint64_t behind = number - parts.front().number;
    if (behind < parts.size() && parts[behind].number == number) return behind;
    return search_for(parts, number);
  }
  static std::size_t search_for(const Parts& parts, std::uint64_t number);
  // Null: nothing is known of its warps.
  const Part* find_part(std::uint64_t number) const {
    if (empty()) return nullptr;
    const std::size_t k = at(*parts_, number);
    return k == parts_->size() || (*parts_)[k].number != number ? nullptr : (*parts_)[k].part.get();
  }
  const Row* find(std::uint64_t warp) const {
    const Part* const part = find_part(number_of(warp));
    return part == nullptr ? nullptr : &part->rows[place_of(warp)];
  }
  Parts& own_parts();
  static Part& own_part(Place& place);
  Row& row(std::uint64_t warp);
  static Lanes& own_lanes(Row& row);
  static bool covers(const Row& own, const Row& other);
  static bool covers(const Part& one, const Part& other);
  static void join(Row& own, const Row& other);

  std::shared_ptr<Parts> parts_;  // null: empty
};

}  // namespace warpsim
