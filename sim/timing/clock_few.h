// What a clock of a few sub-cores does at each issue, to be compiled into a front end: clock_few.cpp has the rest.
#pragma once

#include <algorithm>
#include <cstddef>

#include "sim/timing/clock.h"

namespace warpsim {

[[gnu::always_inline]] inline void Clock::note_wake(std::size_t number, std::uint64_t cycle) {
  Wake& wake = few_[number];
  wake.cycle = cycle;
  competing_ -= wake.competes ? 1 : 0;
  wake.competes = false;
  if (cycle == kNever) return;
  const SubCore& sub_core = sub_cores_[number];
  const Waiting& one = sub_core.waiting[sub_core.pick];
  wake.tie = one.tie;
  wake.warp = one.warp;
  wake.unit_free = unit_free(one);
  wake.competes = one.competes;
  competing_ += wake.competes ? 1 : 0;
}

// Of those that wake first the one whose warp comes first, below the cycles until then. Who that is cannot be foreseen:
// so it is the smallest of such numbers, without a branch.
[[gnu::always_inline]] inline std::uint64_t Clock::first_of_few() const {
  std::uint64_t best = kNever;
  for (const Wake& one : few_) best = std::min(best, std::min(one.cycle - picked_, kFar) << kTieBits | one.tie);
  return best;
}

template <class ComeTo>
[[gnu::always_inline]] inline void Clock::come_to_few(const ComeTo& come) {
  for (std::size_t k = 0; k < choosing_count_; ++k) {
    sub_cores_[choosing_[k]].chooses = false;
    note_wake(choosing_[k], come(choosing_[k]));
  }
  choosing_count_ = 0;
}

[[gnu::always_inline]] inline std::uint64_t Clock::next_of_few() {
  const std::uint64_t best = first_of_few();
  return best >> kTieBits != kFar ? best : first_of_far();
}

[[gnu::always_inline]] inline void Clock::take_pick(std::size_t number) {
  Wake& wake = few_[number];
  wake.cycle = kNever;
  unit_free_ = wake.unit_free;
  turn_ = {wake.warp, picked_};
}

// Who has issued comes at once to what is next, for nobody else's pipes matter to it.
template <class ComeTo>
[[gnu::always_inline]] inline bool Clock::advance_apart(const ComeTo& come) {
  come_to_few(come);
  const std::uint64_t before = picked_, best = next_of_few();
  if (best == kNever) return false;
  picked_ += best >> kTieBits;
  if (competing_ != 0 && picked_ != before) take_pipes_of_sms();
  take_pick(best & (kFew - 1));
  return true;
}

}  // namespace warpsim
