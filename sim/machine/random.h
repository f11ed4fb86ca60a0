// Random bits that are the same on every machine.
//
// Shapes: a SplitMix is a stream; mixed() is its scrambling of one number.
// Errors: none.
// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators" (OOPSLA 2014): splitmix64.
#pragma once

#include <cstdint>

namespace warpsim {

constexpr std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

class SplitMix {
 public:
  explicit constexpr SplitMix(std::uint64_t seed = 0) : state_(seed) {}
  constexpr std::uint64_t next() { return mixed(state_ += kStep); }
  constexpr void skip(std::uint64_t draws) { state_ += draws * kStep; }
  // 0 … n - 1; n is small, so that the remainder's bias does not count.
  constexpr unsigned below(unsigned n) { return static_cast<unsigned>(next() % n); }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;
  std::uint64_t state_;
};

}  // namespace warpsim
