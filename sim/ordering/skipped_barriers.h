// Barriers of a block that some lanes of a warp leave out, where diverged lanes take turns: those go on behind the
// place where both paths join, exit, and so let the others through.
//
// Shapes: a split is a branch at which lanes of a warp diverged that have not been one group since. At a barrier that
//         opens, the lanes that are elsewhere have exited. If they diverged from those that came at a branch whose
//         paths join at anything but the end of the kernel or of the function, they ran past the barrier. Who returns
//         early goes to the end at once: that is right, the barrier does not wait for those.
// Units:  pcs count instructions.
// Errors: none: it knows, others judge.
// Source: CUDA C++ Programming Guide, "Synchronization Functions": conditional code that evaluates identically across
//         the block; PTX ISA 9.0, "bar.sync": the barrier does not wait for threads that have exited.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "isa/program/program.h"
#include "sim/event/observer.h"
#include "sim/launch/launch.h"

namespace warpsim {

class SkippedBarriers {
 public:
  void on_start(const Program& program, Reconvergence reconvergence);
  // Whether lanes could, whatever a run does: a barrier stands between a branch and where its paths join again.
  static bool is_possible(const Program& program);
  bool is_on() const { return is_on_; }
  // Of a warp: the masks of its lanes change.
  void on_mask(std::uint32_t block, std::uint32_t warp, const MaskEvent& event);
  void on_block_end(std::uint32_t block) { warps_.erase(block); }
  // Whether lanes of the block may have skipped one.
  bool may_skip(std::uint32_t block) const { return warps_.contains(block); }
  // Lanes that have skipped the barrier at which `here` of a warp are, and so have left it to them.
  LaneMask skipped_by(std::uint32_t block, std::uint32_t warp, LaneMask here) const;

 private:
  struct Split {
    LaneMask one = 0, other = 0;
  };
  static void join(std::vector<Split>& splits, LaneMask lanes);

  const Program* program_ = nullptr;
  bool is_on_ = false;
  std::unordered_map<std::uint32_t, std::unordered_map<std::uint32_t, std::vector<Split>>> warps_;  // by block, by warp
};

}  // namespace warpsim
