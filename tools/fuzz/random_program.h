// Seeded random programs that are valid by construction, as assembly text, with their inputs.
//
// Shapes: one seed, one program: the same text and the same inputs on every machine. The instructions come from walking
//         the table: a row's form, types and modifiers say how to write it, its lift says what care it needs, so a new
//         row is generated from the minute it exists.
//         Nothing that is compared is undefined: every register is written before the first branch, sources of shuffles
//         are members that live, threads share memory only across barriers and store only to their own elements.
// Units:  lengths count elements.
// Errors: none; a text that does not assemble is a fault of this file or of the assembler, and the test says so.
// Source: the numbers come from splitmix64 (Steele, Lea, Flood, OOPSLA 2014), not from a standard distribution.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/case.h"

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

struct RandomProgram {
  std::uint64_t seed = 0;
  unsigned lanes = 32;
  Dim3 grid, block;
  std::vector<std::string> lines;  // of the program text
  std::map<std::string, std::uint64_t, std::less<>> scalars;
  std::map<std::string, Array, std::less<>> buffers;
  std::string text() const;
  std::string launch() const;  // "32 lanes, grid 2x1x1, block 40x1x1"
};

RandomProgram random_program(std::uint64_t seed);

// A value of that type that is likely to be interesting: small numbers, extremes, special floats, random bits.
std::uint64_t random_value(Random& random, Type type);

}  // namespace warpsim::reference
