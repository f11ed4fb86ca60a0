#include "sim/timing/pieces.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpsim {
namespace {

constexpr std::size_t kMostAtOnce = 32;

// Whether lanes share pieces, and in which order theirs are, cannot be foreseen: no loop here has a branch for it.

// Behind each the next other one; how many there are.
std::size_t keep_each_once(std::uint64_t* pieces, std::size_t count) {
  std::size_t kept = 0;
  std::uint64_t before = ~pieces[0];
  for (std::size_t k = 0; k < count; ++k) {
    const std::uint64_t piece = pieces[k];
    pieces[kept] = piece;
    kept += piece != before ? 1 : 0;
    before = piece;
  }
  return kept;
}

// Puts each once to the place that says how many are lower; how many there are. All are within 31 bits.
std::size_t put_in_order(std::uint64_t* pieces, std::size_t count, std::uint64_t lowest) {
  std::array<std::int32_t, kMostAtOnce> above;
  above.fill(~(std::int32_t{1} << 31));
  for (std::size_t k = 0; k < count; ++k) above[k] = static_cast<std::int32_t>(pieces[k] - lowest);
  std::array<std::uint64_t, kMostAtOnce> in_order;
  std::uint32_t taken = 0;
  for (std::size_t k = 0; k < count; ++k) {
    std::uint32_t place = 0;
    for (const std::int32_t other : above) place += other < above[k] ? 1 : 0;
    in_order[place] = pieces[k];
    taken |= std::uint32_t{1} << place;
  }
  std::size_t kept = 0;
  for (; taken != 0; taken &= taken - 1) pieces[kept++] = in_order[static_cast<std::size_t>(std::countr_zero(taken))];
  return kept;
}

}  // namespace

void Pieces::assign(std::uint64_t first, std::uint64_t last) {
  count_ = last - first + 1;
  if (found_.size() < count_) found_.resize(count_);
  for (std::size_t k = 0; k < count_; ++k) found_[k] = first + k;
}

bool Pieces::find(std::span<const std::uint64_t> lanes, unsigned bytes, int bits) {
  count_ = 0;
  if (lanes.empty()) return true;
  if (found_.size() < lanes.size()) found_.resize(lanes.size());
  std::uint64_t* const found = found_.data();
  std::uint64_t before = lanes[0] >> bits, parts = 0;
  std::size_t last = 0;
  bool falls = false;
  found[0] = before;
  for (const std::uint64_t address : lanes) {
    const std::uint64_t piece = address >> bits;
    parts |= piece ^ (address + bytes - 1) >> bits;
    falls |= piece < before;
    last += piece != before ? 1 : 0;
    found[last] = piece;
    before = piece;
  }
  count_ = last + 1;
  if (parts != 0) find_each(lanes, bytes, bits);
  else if (falls) sort();
  return parts == 0;
}

void Pieces::find_each(std::span<const std::uint64_t> lanes, unsigned bytes, int bits) {
  found_.clear();
  for (const std::uint64_t address : lanes)
    for (std::uint64_t piece = address >> bits; piece <= (address + bytes - 1) >> bits; ++piece)
      found_.push_back(piece);
  count_ = found_.size();
  sort();
}

void Pieces::sort() {
  const auto [lowest, highest] = std::minmax_element(begin(), end());
  if (count_ <= kMostAtOnce && *highest - *lowest < std::uint64_t{1} << 31) {
    count_ = put_in_order(found_.data(), count_, *lowest);
    return;
  }
  std::sort(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(count_));
  count_ = keep_each_once(found_.data(), count_);
}

void Pieces::hold(const Pieces& others, int bits) {
  count_ = others.size();
  if (count_ == 0) return;
  if (found_.size() < count_) found_.resize(count_);
  for (std::size_t k = 0; k < count_; ++k) found_[k] = others.found_[k] >> bits;
  count_ = keep_each_once(found_.data(), count_);
}

}  // namespace warpsim
