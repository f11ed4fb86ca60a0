// Operand values by type: those at every boundary, and random ones near one another.
//
// Shapes: bits, zero-extended. Random is splitmix64.
// Units:  none.
// Errors: none.
// Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (OOPSLA 2014), for the generator.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/table/type.h"

namespace warpsim::rows {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_;
};

std::vector<std::uint64_t> special_values(Type t);
// Floats of nearby sizes half of the time, so that sums round and cancel; anything else as well.
std::uint64_t random_value(Type t, Random& random);

}  // namespace warpsim::rows
