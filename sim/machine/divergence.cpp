#include "sim/machine/divergence.h"

#include <algorithm>

namespace warpsim {

int Divergence::next_ready_of_several() const {
  if (independent_) return next_independent();
  for (int k = static_cast<int>(groups_.size()) - 1; k >= 0; --k) {
    if (groups_[static_cast<std::size_t>(k)].state == Group::State::Ready) return k;
  }
  return -1;
}

unsigned Divergence::count_ready() const {
  unsigned count = 0;
  for (const Group& g : groups_) count += g.state == Group::State::Ready ? 1 : 0;
  return count;
}

int Divergence::ready(unsigned n) const {
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    if (groups_[k].state == Group::State::Ready && n-- == 0) return static_cast<int>(k);
  }
  return -1;
}

// ---- independent

int Divergence::next_independent() const {
  // The longest passed over of those whose patience is at its end; else the one that keeps its turn; else the lowest
  // pc.
  const auto urgency = [this](const Group& g) -> std::uint32_t {
    if (g.passed_over >= patience_) return g.passed_over;
    return g.keeps_turn ? 1 : 0;
  };
  const auto before = [&urgency](const Group& x, const Group& y) {
    const std::uint32_t urgency_x = urgency(x), urgency_y = urgency(y);
    return urgency_x != urgency_y ? urgency_x > urgency_y : x.pc < y.pc;
  };
  int next = -1;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    if (groups_[k].state != Group::State::Ready) continue;
    if (next < 0 || before(groups_[k], groups_[static_cast<std::size_t>(next)])) next = static_cast<int>(k);
  }
  return next;
}

void Divergence::pass_over_others(const std::vector<int>& groups) {
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    Group& g = groups_[k];
    if (std::find(groups.begin(), groups.end(), static_cast<int>(k)) == groups.end()) {
      g.keeps_turn = false;
      if (g.state == Group::State::Ready) ++g.passed_over;
    } else {
      g.keeps_turn = keeps_turns_ && (g.keeps_turn || g.passed_over >= patience_);
      g.passed_over = 0;
    }
  }
}

Stretch Divergence::stretch_of_several() const {
  constexpr std::int32_t kAnywhere = std::numeric_limits<std::int32_t>::max();
  if (!independent_) return {};
  const int chosen = next_ready();
  if (chosen < 0) return {};
  const Group& one = groups_[static_cast<std::size_t>(chosen)];
  Stretch stretch{chosen, one.lanes, one.pc, kAnywhere, std::numeric_limits<std::uint64_t>::max()};
  for (const Group& g : groups_) {
    if (g.state != Group::State::Ready) continue;
    // A released group passes its barrier on its own; one that has waited long enough has another order.
    if (g.released || g.keeps_turn || g.passed_over >= patience_) return {};
    if (&g == &one) continue;
    stretch.below = std::min(stretch.below, g.pc);
    stretch.most = std::min<std::uint64_t>(stretch.most, patience_ - g.passed_over);
  }
  return stretch;
}

void Divergence::ran(int group, std::int32_t pc, std::uint64_t issues) {
  groups_[static_cast<std::size_t>(group)].pc = pc;
  if (groups_.size() == 1) return;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    Group& g = groups_[k];
    g.keeps_turn = false;
    if (static_cast<int>(k) == group) g.passed_over = 0;
    else if (g.state == Group::State::Ready) g.passed_over += static_cast<std::uint32_t>(issues);
  }
}

void Divergence::yield(int group) {
  groups_[static_cast<std::size_t>(group)].keeps_turn = false;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    Group& g = groups_[k];
    if (static_cast<int>(k) != group && g.state == Group::State::Ready)
      g.passed_over = std::max(g.passed_over, patience_);
  }
}

// Of a group that is alone now it does not matter how long it waited for others.
void Divergence::forget_turns() {
  if (!keeps_turns_ || groups_.size() != 1) return;
  groups_[0].passed_over = 0;
  groups_[0].keeps_turn = false;
}

// The group stands ready at its pc, together with whoever does so already: the lower of the two stays in its place, so
// that no index below the group's changes. Those whom a barrier has released have to pass it on their own.
void Divergence::join_others(int group, std::vector<Joined>& joined) {
  const std::size_t own = static_cast<std::size_t>(group);
  const std::int32_t pc = groups_[own].pc;
  for (std::size_t k = 0; k < groups_.size(); ++k) {
    const Group& other = groups_[k];
    if (other.pc != pc || k == own || other.state != Group::State::Ready || other.released) continue;
    Group both{groups_[own].lanes | other.lanes, pc};
    both.passed_over = std::max(groups_[own].passed_over, other.passed_over);
    groups_[std::min(k, own)] = both;
    joined.push_back({both.pc, both.lanes});
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(std::max(k, own)));
    forget_turns();
    return;
  }
}

void Divergence::regroup(const std::vector<Group>& ready) {
  std::erase_if(groups_, [](const Group& g) { return g.state == Group::State::Ready; });
  groups_.insert(groups_.end(), ready.begin(), ready.end());
  forget_turns();
}

// ---- stack

// The group reached its frame's reconvergence point: its lanes wait in the frame, and the group is gone.
void Divergence::arrive(int group, std::vector<Joined>& joined) {
  const Group g = groups_[static_cast<std::size_t>(group)];
  groups_.erase(groups_.begin() + group);
  frames_[static_cast<std::size_t>(g.frame)].arrived |= g.lanes;
  settle(g.frame, joined);
}

// If every living lane of the frame has arrived, they go on together as a group of the frame around.
void Divergence::settle(std::int32_t frame, std::vector<Joined>& joined) {
  while (frame >= 0) {
    Frame& f = frames_[static_cast<std::size_t>(frame)];
    if (f.lanes == 0 || f.arrived != f.lanes) return;
    Group g{f.lanes, f.reconvergence, f.parent};
    joined.push_back({g.pc, g.lanes});
    f.lanes = f.arrived = 0;  // closed
    while (!frames_.empty() && frames_.back().lanes == 0) frames_.pop_back();
    if (g.frame >= 0 && frames_[static_cast<std::size_t>(g.frame)].reconvergence == g.pc) {
      frames_[static_cast<std::size_t>(g.frame)].arrived |= g.lanes;
      frame = g.frame;
      continue;
    }
    groups_.push_back(g);
    return;
  }
}

void Divergence::move(int group, std::int32_t pc, std::vector<Joined>& joined) {
  Group& g = groups_[static_cast<std::size_t>(group)];
  g.pc = pc;
  g.state = Group::State::Ready;
  g.released = false;
  if (independent_) return join_others(group, joined);
  if (g.frame >= 0 && frames_[static_cast<std::size_t>(g.frame)].reconvergence == pc) arrive(group, joined);
}

void Divergence::diverge(int group, LaneMask taken, std::int32_t target, std::int32_t reconvergence,
                         std::vector<Joined>& joined) {
  Group& g = groups_[static_cast<std::size_t>(group)];
  const LaneMask rest = g.lanes & ~taken;
  const std::int32_t fall_through = g.pc + 1;
  std::int32_t frame = g.frame;
  // Lanes that reconverge only by exiting need no frame; a loop that sheds lanes at one point shares that point's
  // frame.
  const bool opens = !independent_ && reconvergence != kExit;
  const bool shared = frame >= 0 && frames_[static_cast<std::size_t>(frame)].reconvergence == reconvergence;
  if (opens && !shared) {
    frames_.push_back({reconvergence, frame, g.lanes, 0});
    frame = static_cast<std::int32_t>(frames_.size()) - 1;
  }
  g.lanes = taken;
  g.frame = frame;
  Group other{rest, fall_through, frame};
  groups_.insert(groups_.begin() + group + 1, other);
  // The upper one first: the lower one's index stays right, and a frame cannot close before both have moved.
  move(group + 1, fall_through, joined);
  move(group, target, joined);
}

void Divergence::split_off(int group, LaneMask lanes, std::int32_t pc, std::vector<Joined>& joined) {
  Group& g = groups_[static_cast<std::size_t>(group)];
  g.lanes &= ~lanes;
  Group other{lanes, pc, g.frame};
  groups_.insert(groups_.begin() + group + 1, other);
  move(group + 1, pc, joined);
}

void Divergence::part(int group, LaneMask lanes) {
  Group& g = groups_[static_cast<std::size_t>(group)];
  Group other = g;
  g.lanes &= ~lanes;
  other.lanes = lanes;
  groups_.insert(groups_.begin() + group + 1, other);
}

void Divergence::exit(int group, LaneMask lanes, std::vector<Joined>& joined) {
  Group& g = groups_[static_cast<std::size_t>(group)];
  const std::int32_t innermost = g.frame;
  g.lanes &= ~lanes;
  if (g.lanes == 0) {
    groups_.erase(groups_.begin() + group);
    forget_turns();
  }
  for (std::int32_t f = innermost; f >= 0; f = frames_[static_cast<std::size_t>(f)].parent) {
    frames_[static_cast<std::size_t>(f)].lanes &= ~lanes;
  }
  // The exit may have been what the others waited for. Closing a frame may drop it and its neighbours from the stack,
  // so each step asks again.
  for (std::int32_t f = innermost; f >= 0 && f < static_cast<std::int32_t>(frames_.size());) {
    const std::int32_t parent = frames_[static_cast<std::size_t>(f)].parent;
    settle(f, joined);
    f = parent;
  }
  while (!frames_.empty() && frames_.back().lanes == 0) frames_.pop_back();
}

}  // namespace warpsim
