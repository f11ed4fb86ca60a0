// What happens before what: the edges that barriers, and fences with atomics, draw between lanes.
//
// Shapes: each warp has a version, which rises whenever it synchronises; an access is stamped with its warp and that
//         version. Inside a warp edges are kept from lane to lane, between warps from warp to warp: a block barrier is
//         waited at by whole warps, and what a lane learns through a fence and an atomic counts for its warp, so that
//         an edge may be taken to be there that is not, never the other way round. Lanes of one warp hand a lock to
//         each other in this way, too: what the lane that acquires learns of its own warp is its own, and of all its
//         lanes.
//           - bar.sync and bar.red: all lanes that come together, of all their warps;
//           - bar.warp: the lanes that come together;
//           - a fence, then an atomic: what came before the fence is released at that address; an atomic there, then a
//             fence, acquires it (release and acquire patterns, PTX ISA 9.0, "Memory Consistency Model");
//           - shuffles, votes, match and redux order no memory (CUDA C++ Programming Guide, "Warp Shuffle Functions").
// Units:  versions from 0; warps are numbered over the launch. What is kept grows with the blocks that have not ended,
//         and with the warps whose releases are acquired.
// Errors: none: it knows, others judge.
// Source: Lamport, "Time, Clocks, and the Ordering of Events" (CACM 1978); Flanagan and Freund, "FastTrack" (PLDI
// 2009).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/event/lane_mask.h"
#include "sim/event/observer.h"

namespace warpsim {

struct Stamp {
  std::uint64_t warp = 0;  // of the launch
  std::uint32_t version = 0;
};

class Ordering {
 public:
  Ordering() = default;
  explicit Ordering(std::uint32_t warps_per_block) : warps_per_block_(warps_per_block) {}

  void synchronize(const SyncEvent& event);
  // The warp that the calls below are about.
  void select(std::uint32_t block, std::uint32_t warp) {
    number_ = std::uint64_t{block} * warps_per_block_ + warp;
    if (times_now_ == nullptr || block != block_) times_now_ = &times_of(block);
    block_ = block;
    current_ = &(*times_now_)[warp];
  }
  void fence(LaneMask lanes);
  void atomic(unsigned lane, std::uint64_t address);
  Stamp now() const { return {number_, current_->version}; }
  // Which of `lanes`, that accessed something at `before`, lane `lane` now does not come after.
  LaneMask unordered(const Stamp& before, LaneMask lanes, unsigned lane) const {
    if (before.warp == number_ && before.version < current_->all) return 0;
    return unordered_slowly(before, lanes, lane);
  }
  // Nothing more comes of the block. What others know of it stays.
  void end_block(std::uint32_t block) {
    times_.erase(block);
    times_now_ = nullptr;
    current_ = nullptr;
  }

 private:
  // warp → what it did at lower versions is known. Few warps, so that a row in order is the fastest map.
  class Clock {
   public:
    std::uint32_t& operator[](std::uint64_t warp);
    std::uint32_t of(std::uint64_t warp) const;  // 0: nothing
    void join(const Clock& from);
    void clear() { rows_.clear(); }

   private:
    std::vector<std::pair<std::uint64_t, std::uint32_t>> rows_;  // by warp
  };
  // known[t][u]: lane t comes after what lane u did at lower versions.
  using Between = std::vector<std::array<std::uint32_t, kMaxLanes>>;

  // Of the own warp, by lane: what the lane has acquired, and what it knows since its fence.
  struct OwnWarp {
    std::array<std::uint32_t, kMaxLanes> acquired{}, known{};
  };

  struct WarpTime {
    std::uint32_t version = 0;
    std::uint32_t all = 0;             // every lane comes after what any did at lower versions
    std::unique_ptr<Between> between;  // where lanes have met that are not all; null: none since `all`
    Clock known;                       // of other warps
    Clock released, acquired;          // by the last fence; by atomics since
    bool has_released = false;
    std::unique_ptr<OwnWarp> own;  // where lanes have acquired what lanes of this warp released
  };

  LaneMask unordered_slowly(const Stamp& before, LaneMask lanes, unsigned lane) const;
  std::vector<WarpTime>& times_of(std::uint32_t block) {
    std::vector<WarpTime>& times = times_[block];
    if (times.empty()) times.resize(warps_per_block_);
    return times;
  }
  static void synchronize_lanes(WarpTime& warp, LaneMask lanes);
  void synchronize_warps(const SyncEvent& event);

  std::uint32_t warps_per_block_ = 1;
  std::unordered_map<std::uint32_t, std::vector<WarpTime>> times_;  // by block, then by warp
  // Of the warp that is selected.
  std::uint32_t block_ = 0;
  std::uint64_t number_ = 0;
  std::vector<WarpTime>* times_now_ = nullptr;
  WarpTime* current_ = nullptr;
  std::unordered_map<std::uint64_t, Clock> released_at_;
};

}  // namespace warpsim
