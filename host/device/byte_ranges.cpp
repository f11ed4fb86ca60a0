// See byte_ranges.h.
#include "host/device/byte_ranges.h"

#include <algorithm>
#include <utility>

namespace warpsim::host {

ByteRanges::ByteRanges(std::vector<ByteRange> unordered) : ranges_(std::move(unordered)) {
  std::erase_if(ranges_, [](const ByteRange& one) { return one.begin >= one.end; });
  std::sort(ranges_.begin(), ranges_.end(), [](const ByteRange& x, const ByteRange& y) { return x.begin < y.begin; });
  std::size_t count = 0;
  for (const ByteRange& one : ranges_)
    if (count != 0 && one.begin <= ranges_[count - 1].end)
      ranges_[count - 1].end = std::max(ranges_[count - 1].end, one.end);
    else ranges_[count++] = one;
  ranges_.resize(count);
}

std::size_t ByteRanges::first_behind(std::uint64_t address) const {
  const auto found = std::partition_point(ranges_.begin(), ranges_.end(),
                                          [address](const ByteRange& one) { return one.end <= address; });
  return static_cast<std::size_t>(found - ranges_.begin());
}

bool ByteRanges::contains(std::uint64_t address) const {
  const std::size_t k = first_behind(address);
  return k < ranges_.size() && ranges_[k].begin <= address;
}

// From range to range in turns, over what lies between by bisection: mostly the two are far apart.
std::optional<ByteRange> ByteRanges::first_common(const ByteRanges& other) const {
  std::size_t k = 0, l = 0;
  while (k < ranges_.size() && l < other.ranges_.size()) {
    const ByteRange &mine = ranges_[k], &theirs = other.ranges_[l];
    if (mine.end <= theirs.begin) k = first_behind(theirs.begin);
    else if (theirs.end <= mine.begin) l = other.first_behind(mine.begin);
    else return ByteRange{std::max(mine.begin, theirs.begin), std::min(mine.end, theirs.end)};
  }
  return std::nullopt;
}

}  // namespace warpsim::host
