// Seeded random numbers and values: see random_values.h.
#include "tools/fuzz/random/random_values.h"

#include <bit>

namespace warpsim::reference {

namespace {

std::uint64_t random_float(Random& random, int fraction_bits, int exponent_bits) {
  const std::uint64_t sign = random.below(2) << (fraction_bits + exponent_bits);
  const std::uint64_t bias = (std::uint64_t{1} << (exponent_bits - 1)) - 1,
                      fraction = random.next() & low_bits(fraction_bits);
  const auto power = [&](std::uint64_t biased) { return biased << fraction_bits; };
  switch (random.below(10)) {
    case 0:
    case 1:
    case 2: return sign | power(bias - 3 + random.below(7)) | fraction;
    case 3:
    case 4:
    case 5: {  // a small integer or a half, so that equal values occur
      const std::uint64_t quarters = std::uint64_t{1} << random.below(4);
      return sign | power(bias - 1 + static_cast<std::uint64_t>(std::countr_zero(quarters))) |
             (random.chance(50) ? std::uint64_t{1} << (fraction_bits - 1) : 0);
    }
    case 6: return sign;  // zero
    case 7:
      return sign |
             (random.chance(50) ? power(1) - 1 - (fraction >> 2) : power(1) + random.below(2));  // at the lower end
    case 8: {
      const std::uint64_t infinity = power(low_bits(exponent_bits));
      const std::uint64_t specials[] = {infinity, infinity - 1, infinity | std::uint64_t{1} << (fraction_bits - 1),
                                        infinity | fraction | 1};
      return sign | specials[random.below(4)];
    }
    default: return random.next() & low_bits(fraction_bits + exponent_bits + 1);
  }
}

}  // namespace

std::uint64_t Random::next() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

std::uint64_t random_value(Random& random, Type type) {
  const int width = type == Type::Mask ? 64 : bits(type);
  if (type == Type::F16) return random_float(random, 10, 5);
  if (type == Type::BF16) return random_float(random, 7, 8);
  if (is_pair(type)) {
    const std::uint64_t low = random_value(random, element(type));
    return low | random_value(random, element(type)) << 16;
  }
  if (type == Type::F32 || (width == 32 && random.chance(10))) return random_float(random, 23, 8);
  if (type == Type::F64 || (width == 64 && random.chance(10))) return random_float(random, 52, 11);
  switch (random.below(6)) {
    case 0:
    case 1: return random.below(5);
    case 2: return (0 - random.below(4)) & low_bits(width);
    case 3: return random.below(100);
    case 4: {
      const std::uint64_t power = std::uint64_t{1} << random.below(static_cast<std::uint64_t>(width));
      return (power - random.below(2)) & low_bits(width);
    }
    default: return random.next() & low_bits(width);
  }
}

}  // namespace warpsim::reference
