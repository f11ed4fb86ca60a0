// The clock of a few sub-cores: who wakes first is looked for, and nothing is put in order.
#include <algorithm>
#include <cstddef>

#include "sim/timing/clock_few.h"

namespace warpsim {

// first_of_few(), of who is far; kNever: there is none.
std::uint64_t Clock::first_of_far() {
  const auto is_earlier = [](const Wake& x, const Wake& y) {
    return x.cycle != y.cycle ? x.cycle < y.cycle : x.tie < y.tie;
  };
  const Wake& first = *std::min_element(few_.begin(), few_.end(), is_earlier);
  if (first.cycle == kNever) return kNever;
  picked_ = first.cycle;
  return first.tie;
}

// Begins the next cycle in which one of them can issue, with their picks; gives the first of them; kFew: there is none.
std::size_t Clock::begin_cycle_of_few() {
  come_to_few([this](std::uint32_t sub_core) { return come_to(sub_core); });
  for (;;) {
    std::uint64_t best = next_of_few();
    if (best == kNever) return kFew;
    picked_ += best >> kTieBits;
    if (!compete()) return best & (kFew - 1);
    best = first_of_few();
    if (best >> kTieBits == 0) return best & (kFew - 1);
  }
}

// Whether some of those that wake want a pipe of their SM: then it goes to the one that had one longest ago, and others
// may wake later.
bool Clock::compete() {
  if (competing_ == 0) return false;
  bool competes = false;
  for (const Wake& one : few_) competes |= one.competes & (one.cycle == picked_);
  if (!competes) return false;
  due_.clear();
  for (std::uint32_t k = 0; k < few_.size(); ++k)
    if (few_[k].cycle == picked_) due_.push_back(k);
  put_in_order_of_service(due_);
  for (const std::uint32_t number : due_) {
    std::uint64_t unit_free_then = 0;
    const std::uint64_t then = hold(sub_cores_[number], picked_, unit_free_then);
    note_wake(number, then);
    if (then == picked_) few_[number].unit_free = unit_free_then;
  }
  return true;
}

// The same of those that need not wait for what they take: it is theirs from the begin of the cycle on.
void Clock::take_pipes_of_sms() {
  for (std::uint32_t k = 0; k < few_.size(); ++k) {
    if (few_[k].cycle != picked_ || !few_[k].competes) continue;
    const SubCore& sub_core = sub_cores_[k];
    const Unit& unit = *sub_core.waiting[sub_core.pick].unit;
    pipes_[place_of(sub_core, unit.sm)].take(picked_, unit.sm_interval);
  }
}

}  // namespace warpsim
