// What somebody knows of lanes: of each lane of each warp, below which version its accesses come before.
//
// Shapes: rows in the order of the warps' numbers: one version for all lanes of a warp, and where lanes differ one for
//         each. Few warps, so that a row in order is the fastest map. Copies share everything until one of them
//         changes, so that warps which a barrier has told the same have one table.
// Units:  versions from 0, which says nothing; warps are numbered over the launch.
// Errors: none.
// Source: Flanagan and Freund, "FastTrack" (PLDI 2009): vector clocks, by the warp where its lanes go together.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/launch/launch.h"

namespace warpsim {

class LaneClock {
 public:
  bool empty() const { return !rows_ || rows_->empty(); }
  void clear() { rows_.reset(); }
  std::uint32_t of(std::uint64_t warp, unsigned lane) const;
  // Of every lane at least. Mostly the rows are of a block's warps, one behind the other.
  std::uint32_t of_all(std::uint64_t warp) const {
    if (empty()) return 0;
    const std::uint64_t behind = warp - rows_->front().warp;
    if (behind < rows_->size() && (*rows_)[behind].warp == warp) return (*rows_)[behind].all;
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
  // Is this one table of so many clocks, this one and others? Then they may all be raised at once.
  bool is_shared_by(long clocks) const { return rows_ && rows_.use_count() == clocks; }
  bool is_same(const LaneClock& other) const { return rows_ == other.rows_; }
  // Of this clock and of all that share its table; false if it has no row of the warp.
  bool raise_for_all(std::uint64_t warp, std::uint32_t version);
  void forget(std::uint64_t warp);

 private:
  using Lanes = std::array<std::uint32_t, kMaxLanes>;
  struct Row {
    std::uint64_t warp = 0;
    std::uint32_t all = 0;
    std::shared_ptr<Lanes> lanes;  // null: none is above `all`
  };
  using Rows = std::vector<Row>;
  Rows& own_rows();
  Row& row(std::uint64_t warp);
  const Row* find(std::uint64_t warp) const;
  static Lanes& own_lanes(Row& row);

  std::shared_ptr<Rows> rows_;  // null: empty
};

}  // namespace warpsim
