// See warp_groups.h.
#include "sim/sass/warp_groups.h"

#include <algorithm>

namespace warpsim::sass {
namespace {

void push(Warp& warp, const Group& group) {
  if (group.wait == Wait::None)
    for (Group& other : warp.others)
      if (other.wait == Wait::None && other.at == group.at) {
        Group joined = other;
        joined.mask |= group.mask;
        warp.others.erase(warp.others.begin() + (&other - warp.others.data()));
        warp.others.push_back(joined);
        return;
      }
  warp.others.push_back(group);
}

// Groups that `leaves` names go on behind their instruction. It is asked before any of them does.
template <class F>
bool release(Warp& warp, const F& leaves) {
  const auto go_on = [](Group& group) {
    if (group.wait != Wait::Exclusive) ++group.at;  // one mask goes on at a time: they ask again
    group.wait = Wait::None;
  };
  if (warp.others.size() == 1) {  // it stays where it is
    Group& only = warp.others.front();
    const bool goes = only.wait != Wait::None && leaves(only);
    if (goes) go_on(only);
    return goes;
  }
  Lanes leaving = 0;  // a bit for each group
  for (std::size_t k = 0; k < warp.others.size(); ++k)
    if (warp.others[k].wait != Wait::None && leaves(warp.others[k])) leaving |= Lanes{1} << k;
  if (leaving == 0) return false;
  std::array<Group, kLanes> left;
  std::size_t count = 0, stay = 0;
  for (std::size_t k = 0; k < warp.others.size(); ++k)
    ((leaving >> k & 1) != 0 ? left[count++] : warp.others[stay++]) = warp.others[k];
  warp.others.resize(stay);
  for (std::size_t k = 0; k < count; ++k) {
    go_on(left[k]);
    push(warp, left[k]);
  }
  return true;
}

Lanes waiting(const Warp& warp, Wait what, std::uint32_t which) {
  Lanes lanes = 0;
  for (const Group& group : warp.others)
    if (group.wait == what && group.which == which) lanes |= group.mask;
  return lanes;
}

// Everybody that a group at BSYNC waits for.
Lanes participants(const Exec& x, const Group& group) {
  const Lanes* const row = converge_row(x.warp, x.machine.layout, group.which);
  Lanes all = group.mask;
  for (unsigned l = 0; l < kLanes; ++l) all |= row[l] & (Lanes{0} - (group.mask >> l & 1));
  return all;
}

std::uint32_t expected_warps(const Block& block, const BlockBarrier& barrier) {
  return barrier.expected != 0 ? barrier.expected : block.living;
}

void open_if_complete(Exec& x, std::uint32_t number) {
  Block& block = x.block();
  BlockBarrier& barrier = block.barriers[number];
  if (barrier.warps == 0 || barrier.warps < expected_warps(block, barrier)) return;
  const std::uint32_t count = x.machine.warps_per_block, first = x.warp.slot * count;
  for (std::uint32_t w = 0; w < count; ++w) {
    Warp& warp = x.machine.warps[first + w];
    if (warp.behind == number + 1) warp.behind = 0;
    else if (!leave_block_barrier(warp, number)) continue;
    warp.barrier_count = barrier.trues;
    warp.barrier_truth = barrier.reduction == 1 ? barrier.trues == barrier.threads : barrier.trues != 0;
    x.machine.released.push_back(first + w);
  }
  barrier.warps = barrier.expected = barrier.trues = barrier.threads = 0;
}

// Once all living lanes of the warp have come it has.
bool count_warp(Exec& x, std::uint32_t number) {
  BlockBarrier& barrier = x.block().barriers[number];
  Lanes& arrived = barrier.arrived[x.warp.index];
  if (arrived == 0 || (x.warp.alive & ~arrived) != 0) return false;
  arrived = 0;
  ++barrier.warps;
  return true;
}

}  // namespace

void choose_group(Warp& warp) {
  if (warp.running.mask != 0) return;
  warp.issued = 0;
  for (auto group = warp.others.rbegin(); group != warp.others.rend(); ++group) {
    if (group->wait != Wait::None) continue;
    warp.running = *group;
    warp.others.erase(std::next(group).base());
    return;
  }
}

void yield(Warp& warp) {
  warp.issued = 0;
  const auto ready = [](const Group& group) { return group.wait == Wait::None; };
  if (std::none_of(warp.others.begin(), warp.others.end(), ready)) return;
  const Group before = warp.running;
  warp.running.mask = 0;
  choose_group(warp);
  if (before.mask != 0) warp.others.insert(warp.others.begin(), before);
}

bool is_stuck(const Warp& warp) {
  return warp.running.mask == 0 && warp.alive != 0 &&
         std::any_of(warp.others.begin(), warp.others.end(), [](const Group& g) { return g.wait != Wait::Block; });
}

void go(Exec& x, Lanes taken, std::int64_t target) {
  Group& running = x.warp.running;
  const auto to = static_cast<std::int32_t>(target);
  const Lanes rest = running.mask & ~taken;
  x.step.gone = taken;
  if (taken == 0) {
    ++running.at;
  } else if (rest == 0) {
    running.at = to;
    x.step.way = CodeStep::Way::Taken;
  } else {
    push(x.warp, {taken, to});
    running.mask = rest;
    ++running.at;
    x.step.way = CodeStep::Way::Diverged;
  }
}

void go_each(Exec& x, Lanes taken, const std::array<std::int64_t, kLanes>& target) {
  const auto end = static_cast<std::int64_t>(x.machine.ops.size() * kWordBytes);
  Lanes left = taken;
  for_lanes(taken, [&](unsigned l) {
    if (target[l] < 0 || target[l] >= end || target[l] % kWordBytes != 0) left = 0;
  });
  if (left != taken) return x.refuse("it jumps to where no code of this function is");
  Group& running = x.warp.running;
  const Lanes rest = running.mask & ~taken;
  x.step.gone = taken;
  const std::int32_t next = running.at + 1;
  bool is_first = rest == 0;
  if (!is_first) running = {rest, next};
  x.step.way = is_first ? CodeStep::Way::Taken : CodeStep::Way::Diverged;
  while (left != 0) {
    const std::int64_t to = target[first_of(left)];
    Lanes same = 0;
    for_lanes(left, [&](unsigned l) { same |= static_cast<Lanes>(target[l] == to) << l; });
    const Group group{same, static_cast<std::int32_t>(to / kWordBytes)};
    if (is_first) running = group;
    else push(x.warp, group);
    if (!is_first) x.step.way = CodeStep::Way::Diverged;
    is_first = false;
    left &= ~same;
  }
}

void wait(Exec& x, Lanes lanes, Wait what, std::uint32_t which) {
  Group& running = x.warp.running;
  const std::int32_t at = running.at;
  running.mask &= ~lanes;
  ++running.at;
  if (lanes != 0) x.warp.others.push_back({lanes, at, what, which});
}

void wake(Exec& x) {
  Warp& warp = x.warp;
  if (warp.others.empty()) return;
  const auto is_here = [&](const Group& group, Lanes here) {
    const Lanes wanted = group.wait == Wait::Converge ? participants(x, group) : group.which;
    return (wanted & warp.alive & ~here) == 0;
  };
  // What all of them execute stands at one place: that of those who came last.
  for (Group& group : warp.others)
    if (group.wait == Wait::Collective && is_here(group, waiting(warp, group.wait, group.which))) group.at = x.step.at;
  for (bool again = true; again;) {
    again = release(warp, [&](const Group& group) {
      return group.wait != Wait::Block && is_here(group, waiting(warp, group.wait, group.which));
    });
  }
}

void converge(Exec& x, std::uint32_t barrier) {
  Warp& warp = x.warp;
  const Group here{x.mask, warp.running.at, Wait::Converge, barrier};
  const auto meets = [&](const Group& other) {
    return other.wait == Wait::None ? other.at == here.at + 1 : other.wait == here.wait && other.which == barrier;
  };
  const bool goes_on = x.mask != 0 && x.mask == warp.running.mask && (participants(x, here) & warp.alive) == x.mask &&
                       std::none_of(warp.others.begin(), warp.others.end(), meets);
  if (goes_on) {  // as one that was chosen anew
    ++warp.running.at;
    warp.issued = 0U - 1;  // behind this issue it is 0
    return;
  }
  wait(x, x.mask, Wait::Converge, barrier);
  wake(x);
}

void end_lanes(Exec& x, Lanes lanes) {
  Warp& warp = x.warp;
  warp.running.mask &= ~lanes;
  ++warp.running.at;
  warp.alive &= ~lanes;
  x.step.gone = lanes;
  if (lanes == 0) return;
  Block& block = x.block();
  if (warp.alive == 0) --block.living;
  for_lanes(block.used, [&](unsigned number) {
    if (warp.alive != 0) count_warp(x, number);
    else block.barriers[number].arrived[warp.index] = 0;
    open_if_complete(x, number);
  });
  wake(x);
}

bool leave_block_barrier(Warp& warp, std::uint32_t barrier) {
  const bool left =
      release(warp, [barrier](const Group& group) { return group.wait == Wait::Block && group.which == barrier; });
  if (left) choose_group(warp);
  return left;
}

void arrive(Exec& x, std::uint32_t number, std::uint32_t threads, bool waits, Lanes trues) {
  BlockBarrier& barrier = x.block().barriers[number];
  x.block().used |= 1U << number;
  barrier.arrived[x.warp.index] |= x.mask;
  barrier.trues += static_cast<std::uint32_t>(__builtin_popcount(trues & x.mask));
  barrier.threads += static_cast<std::uint32_t>(__builtin_popcount(x.mask));
  barrier.expected = (threads + kLanes - 1) / kLanes;
  const bool is_whole = x.mask == x.warp.alive && x.warp.others.empty();
  if (waits && !is_whole) {
    wait(x, x.mask, Wait::Block, number);
  } else {
    ++x.warp.running.at;
    if (waits) x.warp.behind = number + 1;
  }
  if (!count_warp(x, number)) return;
  x.step.arrived = waits;
  open_if_complete(x, number);
}

}  // namespace warpsim::sass
