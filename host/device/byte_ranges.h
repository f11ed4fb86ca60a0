// Sets of bytes of a large address space, as ranges.
//
// Shapes: ranges in rising order that neither overlap nor touch.
// Units:  bytes; `end` is behind the last one.
// Errors: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpsim::host {

struct ByteRange {
  std::uint64_t begin = 0, end = 0;
  bool operator==(const ByteRange&) const = default;
};

class ByteRanges {
 public:
  ByteRanges() = default;
  explicit ByteRanges(std::vector<ByteRange> unordered);
  static ByteRanges of(std::uint64_t address, std::uint64_t size) { return ByteRanges({{address, address + size}}); }

  bool operator==(const ByteRanges&) const = default;
  bool empty() const { return ranges_.empty(); }
  std::size_t size() const { return ranges_.size(); }
  const std::vector<ByteRange>& ranges() const { return ranges_; }
  bool contains(std::uint64_t address) const;
  // The bytes of both that lie first in one piece.
  std::optional<ByteRange> first_common(const ByteRanges& other) const;
  // Calls f with each range, or what of it lies in these bytes.
  template <class F>
  void for_each_in(const ByteRange& part, F&& f) const {
    for (std::size_t k = first_behind(part.begin); k < ranges_.size() && ranges_[k].begin < part.end; ++k)
      f(ByteRange{ranges_[k].begin < part.begin ? part.begin : ranges_[k].begin,
                  ranges_[k].end > part.end ? part.end : ranges_[k].end});
  }

 private:
  std::size_t first_behind(std::uint64_t address) const;  // the first range that ends behind it
  std::vector<ByteRange> ranges_;
};

}  // namespace warpsim::host
