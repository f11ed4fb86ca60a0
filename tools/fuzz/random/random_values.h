// Seeded random numbers, and random values of every type that are worth trying.
//
// Shapes: one seed, one sequence, on every machine.
// Errors: none.
// Source: the numbers come from splitmix64 (Steele, Lea, Flood, OOPSLA 2014), not from a standard distribution.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/table/type.h"

namespace warpsim::reference {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next();
  std::uint64_t below(std::uint64_t n) { return next() % n; }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

// The lowest `width` bits set.
inline std::uint64_t low_bits(int width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }

// "0x1f".

// A value of that type that is likely to be interesting: small numbers, extremes, special floats, random bits.
std::uint64_t random_value(Random& random, Type type);

}  // namespace warpsim::reference
