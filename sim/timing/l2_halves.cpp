#include "sim/timing/l2_halves.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <limits>

namespace warpsim {

bool L2Halves::half_of(std::uint64_t page) const {
  constexpr std::uint64_t kMixed = 0x9e3779b97f4a7c15;
  const std::uint64_t number = page + place_, unknown = number >> std::bit_width(bits_);
  return ((static_cast<unsigned>(std::popcount(number & bits_)) ^ (unknown * kMixed >> 63)) & 1) != 0;
}

std::uint64_t L2Halves::place_with_fewest_far() {
  std::uint64_t best = 0;
  std::ptrdiff_t fewest = std::numeric_limits<std::ptrdiff_t>::max();
  for (place_ = 0; place_ >> std::bit_width(bits_) == 0; ++place_) {
    const bool near = half_of(first_.front());
    const auto far = std::count_if(first_.begin(), first_.end(), [&](auto page) { return half_of(page) != near; });
    if (far < fewest) {
      best = place_;
      fewest = far;
    }
  }
  return best;
}

bool L2Halves::is_far(std::uint64_t address) {
  constexpr int kPageBits = 12;
  const std::uint64_t page = address >> kPageBits;
  if (first_.empty() ||
      (first_.size() < near_pages_ && std::find(first_.begin(), first_.end(), page) == first_.end())) {
    first_.push_back(page);
    place_ = place_with_fewest_far();
  }
  return half_of(page) != half_of(first_.front());
}

}  // namespace warpsim
