// What happens before what: the edges that barriers, and releases and acquires, draw between lanes.
//
// Shapes: each warp has a version, which rises whenever lanes of it synchronise or release; an access is stamped with
//         its warp and that version. What is known is kept lane by lane: of each lane of its own and of other warps,
//         below which version that lane's accesses come before. What all lanes of a warp know, its barriers have told
//         them, stands once.
//           - bar.sync and bar.red: all lanes that come together, of all their warps; bar.arrive hands on and gets
//           nothing;
//           - bar.warp: the lanes that come together;
//           - a release at an address and an acquire that reads what it wrote, or what atomics made of that: the lane
//             that acquires comes after what the lane that releases came after. A release is an access with .release,
//             or a fence and a strong access behind it; an acquire one with .acquire, or a strong access and a fence
//             behind it. Both must reach the other's thread: .cta reaches the threads of its own block alone;
//           - a fence.sc (membar) before such a write and a fence.sc behind such a read are ordered, also where
//           barriers
//             stand between the fence and the access: every thread fences, bar.sync, then one thread's atomic hands on
//             what all of them did, and the other way round. Both sides need the fence.sc: release and acquire patterns
//             are about accesses of their own thread alone;
//           - a plain store to the address ends what was released there;
//           - shuffles, votes, match and redux order no memory (CUDA C++ Programming Guide, "Warp Shuffle Functions").
//         Less than PTX orders, so that a race may be reported where none is: a relaxed access beside a release or an
//         acquire of its own thread at the same address is no part of a pattern; who is reached by .cta alone takes
//         nothing from a word that another block has changed since; fence.sc operations are ordered by barriers and the
//         access that hands on, not by longer chains.
// Units:  versions from 0; warps are numbered over the launch. What is kept grows with the blocks that have not ended,
//         and with the addresses at which something was released.
// Errors: none: it knows, others judge.
// Source: PTX ISA 9.0, chapter 8, "Memory Consistency Model": release and acquire patterns, morally strong operations,
//         causality order; Lamport, "Time, Clocks, and the Ordering of Events" (CACM 1978); Flanagan and Freund,
//         "FastTrack" (PLDI 2009).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/event/lane_mask.h"
#include "sim/event/observer.h"
#include "sim/ordering/lane_clock.h"

namespace warpsim {

struct Stamp {
  std::uint64_t warp = 0;  // of the launch
  std::uint32_t version = 0;
};

// Which threads an access or a fence reaches: those of its block (.cta, and .cluster, for a cluster is one block here),
// or all (.gpu, .sys).
enum class Reach : std::uint8_t { Block, Device };
constexpr Reach reach_of(Scope scope) {
  return scope == Scope::Cta || scope == Scope::Cluster ? Reach::Block : Reach::Device;
}

// A strong access of one lane: an atomic, or a load or store with qualifiers.
struct StrongAccess {
  std::uint64_t address = 0;  // of shared memory: in the block's
  bool shared = false;
  bool reads = false, writes = false, acquires = false, releases = false;
  Reach reach = Reach::Device;
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
  void fence(LaneMask lanes, Reach reach, bool is_sc);
  // An instruction of the warp releases: what its lanes do from now on has another version.
  void begin_release() { ++current_->version; }
  void access(unsigned lane, const StrongAccess& how);
  // Whether that draws no edge, for any lane and address, as long as it neither acquires nor releases by itself: nobody
  // has released anything, and the warp has nothing to release.
  bool draws_nothing(bool shared) const;
  // Nothing was told of single lanes of the warp since all of them came together: it is the warp that knows.
  bool is_by_warps() const { return !current_->lanes && !current_->between; }
  // Whether all lanes come after what all lanes of the warp itself did at that version.
  bool has_all(std::uint32_t version) const { return version < current_->all; }
  // A weak store: what was released there is not read any more.
  void overwrite(std::uint64_t address, bool shared) {
    if (Places& places = places_of(shared); !places.empty()) places.erase(address);
  }
  bool may_overwrite(bool shared) const {
    if (!shared) return !released_.empty();
    if (released_shared_.empty()) return false;
    const auto places = released_shared_.find(block_);
    return places != released_shared_.end() && !places->second.empty();
  }
  Stamp now() const { return {number_, current_->version}; }
  // Which of `lanes`, that accessed something at `before`, lane `lane` now does not come after.
  LaneMask unordered(const Stamp& before, LaneMask lanes, unsigned lane) const {
    if (before.version < (before.warp == number_ ? current_->all : current_->known.of_all(before.warp))) return 0;
    return unordered_slowly(before, lanes, lane);
  }
  // All lanes come after what all lanes of another warp did at `before`, for the whole warp does.
  bool comes_after(const Stamp& before) const { return before.version < current_->known.of_all(before.warp); }
  // No lane comes after anything that another warp did at `before`.
  // All lanes come after what all lanes of the warp did at lower versions.
  std::uint32_t known_version(std::uint64_t warp) const {
    return warp == number_ ? current_->all : current_->known.of_all(warp);
  }
  // Whether lanes come after what some lanes of that other warp did, beyond what all come after.
  bool knows_lanes_of(std::uint64_t warp) const { return current_->lanes || current_->known.has_lanes_of(warp); }
  bool knows_nothing_of(const Stamp& before) const {
    return !current_->lanes && !current_->known.has_lanes_of(before.warp) && !comes_after(before);
  }
  // Nothing more comes of the block. What others know of it stays.
  void end_block(std::uint32_t block) {
    if (const auto ended = times_.find(block); ended != times_.end()) {
      spare_ = times_.extract(ended);
      for (WarpTime& warp : spare_.mapped()) warp = WarpTime();
    }
    released_shared_.erase(block);
    times_now_ = nullptr;
    current_ = nullptr;
  }

 private:
  // known[t][u]: lane t comes after what lane u did at lower versions.
  using Between = std::vector<std::array<std::uint32_t, kMaxLanes>>;
  // By how far what was released reaches: the threads of a block, or all.
  using ByReach = std::array<LaneClock, 2>;
  enum Kind : std::size_t { kAcqRel, kSc };  // of fences
  // Who takes what was released: any acquire, for it is a release pattern; or a fence.sc alone.
  enum Taker : std::size_t { kAnyAcquire, kFenceSc };

  // Of one lane, beyond what its warp has.
  struct LaneTime {
    LaneClock known;
    std::array<ByReach, 2> released;       // by its own fences, of each kind
    std::array<ByReach, 2> read;           // by its own accesses, by taker
    ByReach passed_released, passed_read;  // by barriers, for fence.sc alone
  };
  // At a barrier, from those who come to those who go on.
  struct HandedOn {
    LaneClock known;
    ByReach passed_released, passed_read;
    void join(const LaneClock& other, const ByReach& other_released, const ByReach& other_read);
  };
  // What lanes knew when they fenced last, kept once for all of them.
  struct Fenced {
    LaneMask lanes = 0, passed = 0;  // passed: whose release a barrier has passed on to the whole warp
    std::uint32_t version = 0, all = 0;
    LaneClock known;
    std::unique_ptr<Between> between;
  };
  struct WarpTime {
    std::uint32_t version = 0;
    std::uint32_t all = 0;                        // every lane comes after what any did at lower versions
    std::unique_ptr<Between> between;             // where lanes have met that are not all; null: none since `all`
    LaneClock known;                              // of other warps
    ByReach passed_released, passed_read;         // by barriers, for fence.sc alone
    std::array<std::array<Fenced, 2>, 2> fenced;  // by kind and reach
    std::unique_ptr<std::array<LaneTime, kMaxLanes>> lanes;  // null: none has more than its warp
  };
  // What was released at an address, by taker; and the write that hands it on.
  struct Released {
    std::uint64_t block = 0;
    Reach reach = Reach::Block;
    std::array<LaneClock, 2> in_block;  // of threads of `block`, to each other
    std::array<LaneClock, 2> anywhere;  // by what reaches the device
    bool empty() const {
      return in_block[kAnyAcquire].empty() && anywhere[kAnyAcquire].empty() && in_block[kFenceSc].empty() &&
             anywhere[kFenceSc].empty();
    }
  };

  using Places = std::unordered_map<std::uint64_t, Released>;  // by address

  Places& places_of(bool shared) { return shared ? released_shared_[block_] : released_; }
  LaneMask unordered_slowly(const Stamp& before, LaneMask lanes, unsigned lane) const;
  std::vector<WarpTime>& times_of(std::uint32_t block) {
    if (times_now_ != nullptr && block == block_) return *times_now_;
    if (const auto known = times_.find(block); known != times_.end()) return known->second;
    if (!spare_.empty()) {
      spare_.key() = block;
      return times_.insert(std::move(spare_)).position->second;
    }
    std::vector<WarpTime>& times = times_[block];
    times.resize(warps_per_block_);
    return times;
  }
  static LaneTime& lane_of(WarpTime& warp, unsigned lane) {
    if (!warp.lanes) warp.lanes = std::make_unique<std::array<LaneTime, kMaxLanes>>();
    return (*warp.lanes)[lane];
  }
  void acquire(unsigned lane, const StrongAccess& how, const Released& from);
  void acquire_by_fence(unsigned lane, Reach reach, Kind kind);
  void release(unsigned lane, const StrongAccess& how, Places& places);
  // Whether the access and the last write of the word are morally strong.
  bool is_linked(const Released& at, Reach reach) const {
    return at.block == block_ || (at.reach == Reach::Device && reach == Reach::Device);
  }
  LaneClock known_by(unsigned lane) const;
  LaneClock released_by(unsigned lane, Reach reach, Taker taker) const;
  static void add_own_row(LaneClock& to, std::uint64_t number, unsigned lane, const Between* between, std::uint32_t all,
                          std::uint32_t version);
  static LaneClock fenced_by(const Fenced& fenced, std::uint64_t number, LaneMask lanes);
  static LaneTime joint_of(const WarpTime& warp, std::uint64_t number, LaneMask lanes);
  static bool has_released_sc(const WarpTime& warp, LaneMask lanes);
  static void pass_on(LaneTime& to, const LaneTime& joint);
  static void synchronize_lanes(WarpTime& warp, std::uint64_t number, LaneMask lanes);
  static void gather_lanes(WarpTime& warp, std::uint64_t number, LaneMask alive);
  static void forget_known(WarpTime& warp, std::uint64_t number, LaneMask alive);
  static void come_together(WarpTime& warp, std::uint64_t number, LaneMask alive);
  void synchronize_warps(const SyncEvent& event);
  bool meet_again(const SyncEvent& event, std::vector<WarpTime>& times, std::uint64_t first) const;
  void arrive(const SyncEvent& event);
  void hand_on(std::uint64_t number, WarpTime& warp, LaneMask lanes, HandedOn& to) const;

  std::uint32_t warps_per_block_ = 1;
  using Times = std::unordered_map<std::uint32_t, std::vector<WarpTime>>;
  Times times_;             // by block, then by warp
  Times::node_type spare_;  // of a block that has ended, for the next
  // Of the warp that is selected.
  std::uint32_t block_ = 0;
  std::uint64_t number_ = 0;
  std::vector<WarpTime>* times_now_ = nullptr;
  WarpTime* current_ = nullptr;
  std::unordered_map<std::uint64_t, HandedOn> arrived_;  // by ticket: what those who have gone on hand on
  bool only_barriers_ = true;     // no fence and no strong access until now: no lane has more than its warp
  std::vector<LaneMask> coming_;  // to the barrier that is told, by warp
  Places released_;
  std::unordered_map<std::uint32_t, Places> released_shared_;  // by block
};

}  // namespace warpsim
