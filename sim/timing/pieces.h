// The pieces of global memory that lanes access, as lines and sectors: each once, in the order of their numbers.
//
// Shapes: a piece is an address divided by its size, which is a power of two.
// Units:  bytes.
// Errors: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpsim {

class Pieces {
 public:
  const std::uint64_t* begin() const { return found_.data(); }
  const std::uint64_t* end() const { return begin() + count_; }
  std::size_t size() const { return count_; }

  void clear() { count_ = 0; }
  // All from `first` to `last`.
  void assign(std::uint64_t first, std::uint64_t last);
  // Those of 1 << bits bytes that lanes access, so many bytes each. False: some lane accesses more than one.
  bool find(std::span<const std::uint64_t> lanes, unsigned bytes, int bits);
  // Those that hold the others, of each 1 << bits.
  void hold(const Pieces& others, int bits);

 private:
  void find_each(std::span<const std::uint64_t> lanes, unsigned bytes, int bits);
  void sort();

  std::vector<std::uint64_t> found_;  // so many of them; behind them there is room
  std::size_t count_ = 0;
};

}  // namespace warpsim
