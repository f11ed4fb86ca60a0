// A machine instruction as it lies in memory: 128 bits, the lowest byte first.
//
// Shapes: a field is `width` bits from bit `first` on, at most 64 of them; bits are counted from 0, the lowest, to 127.
// Units:  bits.
// Errors: none.
#pragma once

#include <cstdint>

namespace warpsim::sass {

struct Word {
  std::uint64_t low = 0, high = 0;

  constexpr std::uint64_t bits(unsigned first, unsigned width) const {
    std::uint64_t value = first < 64 ? low >> first : high >> (first - 64);
    if (first < 64 && first + width > 64) value |= high << (64 - first);
    return width < 64 ? value & ((std::uint64_t{1} << width) - 1) : value;
  }
  constexpr bool bit(unsigned at) const { return bits(at, 1) != 0; }
  constexpr std::int64_t signed_bits(unsigned first, unsigned width) const {
    const std::uint64_t sign = std::uint64_t{1} << (width - 1);
    return static_cast<std::int64_t>((bits(first, width) ^ sign) - sign);
  }
  // Ones from bit `first` on.
  static constexpr Word ones(unsigned first, unsigned width) {
    Word word;
    for (unsigned k = first; k < first + width; ++k) {
      if (k < 64) word.low |= std::uint64_t{1} << k;
      else word.high |= std::uint64_t{1} << (k - 64);
    }
    return word;
  }
  constexpr bool operator==(const Word&) const = default;
  constexpr bool is_zero() const { return low == 0 && high == 0; }
};
constexpr Word operator|(Word a, Word b) { return {a.low | b.low, a.high | b.high}; }
constexpr Word operator&(Word a, Word b) { return {a.low & b.low, a.high & b.high}; }
constexpr Word operator~(Word a) { return {~a.low, ~a.high}; }

}  // namespace warpsim::sass
