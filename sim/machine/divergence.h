// Divergence: the groups of lanes of one warp that share a pc, and where they reconverge.
//
// Shapes: a Group is a set of lanes at one pc.
//         Stack: a branch at which a group diverges opens a Frame: its lanes reconverge at the frame's reconvergence
//         pc, the branch's immediate post-dominator, and go on as one group once all that still live have arrived.
//         Groups are a stack: the last ready one runs; one that waits gives its turn to the next below.
//         Independent: no frames, and no group waits to reconverge. Lanes that are ready at one pc are one group. The
//         group at the lowest pc runs, so that those that are behind catch up and structured code reconverges; but a
//         group that has been ready for kPatience issues of its warp has the next turn, so that every lane gets on.
//         With schedule `blocks` it is kTurnIssues issues, and the group then keeps its turn until it waits, sleeps or
//         joins others, or until another one has been passed over as often.
// Units:  pcs count instructions.
// Errors: none; a stack in which nothing is ready is the machine's business (deadlock).
// Source: Fung et al., "Dynamic Warp Formation and Scheduling" (MICRO 2007), section 2; waiting groups give way, as
//         independent thread scheduling does (CUDA C++ Programming Guide, "SIMT Architecture"), whose promise is that
//         every lane gets on, and no more; the lowest pc first is Collange, "Stack-less SIMT
//         reconvergence at low cost" (2011).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "isa/program/cfg.h"
#include "sim/event/lane_mask.h"
#include "sim/launch/launch.h"

namespace warpsim {

// A group may be passed over so often. Longer than most loops that lanes leave one after another, so that they still
// reconverge after the loop; short enough that a lane that spins costs the others no more than that factor.
inline constexpr std::uint32_t kPatience = 32;

struct Group {
  enum class State : std::uint8_t { Ready, WaitsForLanes, WaitsForBlock };
  LaneMask lanes = 0;
  std::int32_t pc = 0;
  std::int32_t frame = -1;  // index into frames, -1: whole
  State state = State::Ready;
  bool released = false;            // bar.warp, bar.red: all have arrived, it may pass
  std::uint32_t barrier = 0;        // WaitsForBlock: which
  std::uint32_t barrier_count = 0;  // … and for how many threads; 0 = all of the block
  std::uint64_t reduced = 0;        // bar.red, released: what the threads' predicates came to
  std::uint32_t passed_over = 0;    // Independent: issues of the warp while it was ready
  bool keeps_turn = false;          // Independent, schedule `blocks`: it has waited long enough for its turn
  friend bool operator==(const Group&, const Group&) = default;
};

struct Frame {
  std::int32_t reconvergence = kExit;
  std::int32_t parent = -1;
  LaneMask lanes = 0;  // that have not exited
  LaneMask arrived = 0;
  friend bool operator==(const Frame&, const Frame&) = default;
};

// What one group can do before another has to be asked: as long as it is below a pc, and for so many issues.
struct Stretch {
  int group = -1;  // -1: nothing
  LaneMask lanes = 0;
  std::int32_t pc = 0, below = 0;
  std::uint64_t most = 0;
};

struct Joined {
  std::int32_t pc;
  LaneMask lanes;
};

class Divergence {
 public:
  explicit Divergence(LaneMask lanes, Reconvergence mode = Reconvergence::Stack,
                      Schedule::Order order = Schedule::Order::Lockstep)
      : independent_(mode == Reconvergence::Independent),
        keeps_turns_(order == Schedule::Order::Blocks),
        patience_(keeps_turns_ ? kTurnIssues : kPatience),
        groups_{Group{lanes}} {}

  // All over again, with these lanes.
  void restart(LaneMask lanes, std::int32_t pc) {
    if (groups_.size() != 1) groups_.resize(1);
    groups_[0] = Group{lanes, pc};
    frames_.clear();
  }
  std::vector<Group>& groups() { return groups_; }
  const std::vector<Group>& groups() const { return groups_; }
  const std::vector<Frame>& frames() const { return frames_; }
  bool is_independent() const { return independent_; }
  // So many issues a group that is ready may be passed over.
  std::uint32_t patience() const { return patience_; }
  bool finished() const { return groups_.empty(); }
  bool whole() const { return groups_.size() == 1 && groups_[0].frame < 0; }
  // Index of the group whose turn it is, or -1 if none is ready.
  int next_ready() const {
    if (groups_.size() == 1) return groups_[0].state == Group::State::Ready ? 0 : -1;
    return next_ready_of_several();
  }
  // For who chooses himself: how many groups are ready, and the n-th of them.
  unsigned count_ready() const;
  int ready(unsigned n) const;
  // These groups, rising, issue now: the other ready ones are passed over.
  void issued(const std::vector<int>& groups) {
    if (independent_ && groups_.size() > 1) pass_over_others(groups);
  }
  Stretch stretch() const {
    if (groups_.size() != 1) return stretch_of_several();
    const Group& g = groups_[0];
    if (g.frame >= 0 || g.state != Group::State::Ready || g.released || g.keeps_turn || g.passed_over >= patience_)
      return {};
    return {0, g.lanes, g.pc, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::uint64_t>::max()};
  }
  // The group of the stretch has issued so many instructions, and goes on at `pc`.
  void ran(int group, std::int32_t pc, std::uint64_t issues);
  // The group lets the other ready ones go first.
  void yield(int group);

  // The group goes on at `pc`; where that is its frame's reconvergence point it waits there for the others. `joined`
  // gets what came together. The group may be gone afterwards: indices are only valid until the next call.
  void move(int group, std::int32_t pc, std::vector<Joined>& joined);
  // Parts the group at a branch: `taken` goes to `target`, the others fall through and run first.
  void diverge(int group, LaneMask taken, std::int32_t target, std::int32_t reconvergence, std::vector<Joined>& joined);
  // Splits `lanes` off the group; they go on at `pc`, the rest stays.
  void split_off(int group, LaneMask lanes, std::int32_t pc, std::vector<Joined>& joined);
  // Independent: those that are ready are these now.
  void regroup(const std::vector<Group>& ready);
  // Splits `lanes` off the group; all stay where they are.
  void part(int group, LaneMask lanes);
  // The lanes end.
  void exit(int group, LaneMask lanes, std::vector<Joined>& joined);
  // All lanes end, which are one whole group.
  void exit_all() { groups_.clear(); }

 private:
  void arrive(int group, std::vector<Joined>& joined);
  void settle(std::int32_t frame, std::vector<Joined>& joined);
  int next_ready_of_several() const;
  Stretch stretch_of_several() const;
  int next_independent() const;
  void pass_over_others(const std::vector<int>& groups);
  void join_others(int group, std::vector<Joined>& joined);
  void forget_turns();

  bool independent_ = false, keeps_turns_ = false;
  std::uint32_t patience_ = kPatience;
  std::vector<Group> groups_;
  std::vector<Frame> frames_;
};

}  // namespace warpsim
