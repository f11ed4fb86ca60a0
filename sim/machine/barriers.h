// Block barriers: where the warps of a block wait for each other, and what predicates come to there.
//
// Shapes: a barrier is its number and what is done at it: PTX leaves open what bar.sync and bar.red do to each other. A
//         warp has arrived when all its living lanes wait there; one that has exited counts where no number of threads
//         is given (H200: shared hardware notes in sim/README.md). bar.arrive waits for the other lanes of its warp
//         alone; its count stays until as many have come as the barrier is for.
// Units:  counts of threads.
// Errors: none: what never opens is a deadlock (deadlock.cpp).
// Source: PTX ISA 9.0, "bar.sync" and "bar.red"; sim/README.md, "Barriers".
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/machine/launch_state.h"
#include "sim/machine/observation.h"

namespace warpsim {

class Barriers {
 public:
  Barriers(LaunchState& state, Gathering& gathering) : state_(state), gathering_(gathering) {}

  struct Released {
    std::uint32_t warp;
    std::int32_t barrier_pc;
  };

  // The group waits at the barrier from now on; those of its lanes that are not active pass.
  void arrive(Warp& warp, int group, const DecodedInsn& d, LaneMask active);
  // Opens every barrier of the block at which enough have arrived: some lane of `issuing` has arrived or exited.
  void open_complete(Warp& issuing);
  // The warps that may go on since clear_released().
  const std::vector<Released>& released() const { return released_; }
  void clear_released() { released_.clear(); }

 private:
  bool has_arrived(const Warp& warp, const Group& barrier) const;
  bool only_arrives(const Group& g) const {
    return g.state == Group::State::WaitsForBlock && state_.insn(g.pc).op == Op::BarArrive;
  }
  std::optional<PendingArrival> pass_arrival(Warp& warp);
  void drop_complete(std::uint32_t block, const PendingArrival& last);
  bool open_whole(const Warp& issuing);
  bool some_warp_is_missing(const Warp& issuing) const;
  bool is_open(std::span<const Warp> block, const Group& asked) const;
  void open(std::span<Warp> block, const Group& barrier);
  void reduce_predicates();
  std::vector<SyncEvent::Arrival> arrivals(const Group& barrier) const;

  LaunchState& state_;
  Gathering& gathering_;
  std::vector<Warp*> leaving_;  // scratch: who leaves the barrier that opens
  std::uint64_t last_ticket_ = 0;
  std::vector<Released> released_;
};

}  // namespace warpsim
