// Which sub-cores wake next: each stands in the queue once at most, at the cycle in which it can issue.
//
// Shapes: a sub-core's number is an index. A ring has a set of them for each of the next kSpan cycles; who wakes later
//         waits in one set beside it.
// Units:  cycles. None is earlier than the one that take() last gave.
// Errors: none.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpsim {

class WakeQueue {
 public:
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};

  explicit WakeQueue(std::size_t sub_cores)
      : words_((sub_cores + kWordBits - 1) / kWordBits),
        cycles_(sub_cores, kNever),
        ring_(kSpan * words_),
        far_(words_) {}

  // It wakes then; kNever: it does not.
  void set(std::uint32_t sub_core, std::uint64_t cycle) {
    std::uint64_t& known = cycles_[sub_core];
    if (known == cycle) return;
    const std::size_t word = sub_core / kWordBits;
    const std::uint64_t bit = std::uint64_t{1} << sub_core % kWordBits;
    if (known != kNever) {  // its cycle may stay marked with nobody in it
      at(known)[word] &= ~bit;
      far_[word] &= ~bit;
    }
    known = cycle;
    if (cycle == kNever) return;
    if (cycle - now_ >= kSpan) {
      far_[word] |= bit;
      first_far_ = std::min(first_far_, cycle);
      return;
    }
    at(cycle)[word] |= bit;
    some_[cycle % kSpan / kWordBits] |= std::uint64_t{1} << cycle % kWordBits;
  }

  // Takes out those that wake next, all in one cycle, the lowest number first. That cycle; kNever: nobody wakes.
  std::uint64_t take(std::vector<std::uint32_t>& sub_cores) {
    for (;;) {
      std::uint64_t cycle = next_in_ring();
      if (first_far_ <= cycle) {
        if (first_far_ == kNever) return kNever;
        cycle = come_near();
      }
      now_ = cycle;
      for (std::size_t word = 0; word < words_; ++word) {
        for (std::uint64_t left = std::exchange(at(cycle)[word], 0); left != 0; left &= left - 1) {
          const std::size_t number = word * kWordBits + static_cast<std::size_t>(std::countr_zero(left));
          cycles_[number] = kNever;
          sub_cores.push_back(static_cast<std::uint32_t>(number));
        }
      }
      some_[cycle % kSpan / kWordBits] &= ~(std::uint64_t{1} << cycle % kWordBits);
      if (!sub_cores.empty()) return cycle;
    }
  }

 private:
  static constexpr std::size_t kSpan = 1024, kWordBits = 64, kMarks = kSpan / kWordBits;

  std::uint64_t* at(std::uint64_t cycle) { return &ring_[cycle % kSpan * words_]; }
  std::uint64_t next_in_ring() const {
    const std::size_t from = now_ % kSpan;
    std::uint64_t marks = some_[from / kWordBits] & ~std::uint64_t{0} << from % kWordBits;
    for (std::size_t k = 0; k <= kMarks; ++k) {
      const std::size_t word = (from / kWordBits + k) % kMarks;
      if (k != 0) marks = some_[word];
      if (marks == 0) continue;
      const std::size_t found = word * kWordBits + static_cast<std::size_t>(std::countr_zero(marks));
      return now_ + (found + kSpan - from) % kSpan;
    }
    return kNever;
  }
  // The ring goes on to the first of those that wake late, if it is still one. Its cycle.
  std::uint64_t come_near() {
    now_ = std::exchange(first_far_, kNever);
    for (std::size_t word = 0; word < words_; ++word) {
      for (std::uint64_t left = std::exchange(far_[word], 0); left != 0; left &= left - 1) {
        const std::size_t number = word * kWordBits + static_cast<std::size_t>(std::countr_zero(left));
        const std::uint64_t cycle = std::exchange(cycles_[number], kNever);
        set(static_cast<std::uint32_t>(number), cycle);
      }
    }
    return now_;
  }

  std::uint64_t now_ = 0;
  std::size_t words_;                         // of a set
  std::vector<std::uint64_t> cycles_;         // by sub-core
  std::vector<std::uint64_t> ring_;           // set after set
  std::array<std::uint64_t, kMarks> some_{};  // which of them may have somebody
  std::vector<std::uint64_t> far_;
  std::uint64_t first_far_ = kNever;  // nobody there is earlier
};

}  // namespace warpsim
