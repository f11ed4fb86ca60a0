// IEEE arithmetic without shortcuts: see exact_float.h.
#include "tools/fuzz/exact_float.h"

#include <algorithm>

namespace warpsim::reference {

Wide::Wide(std::uint64_t value) {
  words_[0] = static_cast<std::uint32_t>(value);
  words_[1] = static_cast<std::uint32_t>(value >> 32);
}

bool Wide::is_zero() const {
  return std::all_of(words_.begin(), words_.end(), [](std::uint32_t w) { return w == 0; });
}

int Wide::top_bit() const {
  for (int index = kWords * 32 - 1; index >= 0; --index) {
    if (words_[index / 32] == 0) {
      index -= index % 32;
    } else if (bit(index)) {
      return index;
    }
  }
  return -1;
}

bool Wide::bit(int index) const {
  return index >= 0 && index < kWords * 32 && (words_[index / 32] >> (index % 32) & 1U) != 0;
}

bool Wide::any_below(int index) const {
  for (int k = 0; k < std::min(index, kWords * 32); ++k) {
    if (k % 32 == 0 && k + 32 <= index && words_[k / 32] == 0) {
      k += 31;
    } else if (bit(k)) {
      return true;
    }
  }
  return false;
}

std::uint64_t Wide::low64() const { return std::uint64_t{words_[1]} << 32 | words_[0]; }

Wide Wide::shifted_left(int count) const {
  Wide result;
  const int whole = count / 32, part = count % 32;
  for (int k = kWords - 1; k >= whole; --k) {
    const std::uint64_t low = k - whole >= 1 ? words_[k - whole - 1] : 0;
    const std::uint64_t pair = std::uint64_t{words_[k - whole]} << 32 | low;
    result.words_[k] = static_cast<std::uint32_t>(pair << part >> 32);
  }
  return result;
}

Wide Wide::shifted_right(int count) const {
  Wide result;
  const int whole = count / 32, part = count % 32;
  for (int k = 0; k + whole < kWords; ++k) {
    const std::uint64_t high = k + whole + 1 < kWords ? words_[k + whole + 1] : 0;
    const std::uint64_t pair = high << 32 | words_[k + whole];
    result.words_[k] = static_cast<std::uint32_t>(pair >> part);
  }
  return result;
}

Wide Wide::plus(const Wide& other) const {
  Wide result;
  std::uint64_t carry = 0;
  for (int k = 0; k < kWords; ++k) {
    carry += std::uint64_t{words_[k]} + other.words_[k];
    result.words_[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return result;
}

Wide Wide::minus(const Wide& other) const {
  Wide result;
  std::int64_t carry = 0;
  for (int k = 0; k < kWords; ++k) {
    carry += std::int64_t{words_[k]} - std::int64_t{other.words_[k]};
    result.words_[k] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return result;
}

Wide Wide::times(const Wide& other) const {
  Wide result;
  for (int i = 0; i < kWords; ++i) {
    if (words_[i] == 0) continue;
    std::uint64_t carry = 0;
    for (int j = 0; i + j < kWords; ++j) {
      carry += std::uint64_t{words_[i]} * other.words_[j] + result.words_[i + j];
      result.words_[i + j] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  return result;
}

bool Wide::less_than(const Wide& other) const {
  for (int k = kWords - 1; k >= 0; --k) {
    if (words_[k] != other.words_[k]) return words_[k] < other.words_[k];
  }
  return false;
}

bool is_nan(const Format& f, std::uint64_t bits) { return (bits & (f.sign_bit() - 1)) > f.infinity(); }
bool is_infinite(const Format& f, std::uint64_t bits) { return (bits & (f.sign_bit() - 1)) == f.infinity(); }
bool is_zero(const Format& f, std::uint64_t bits) { return (bits & (f.sign_bit() - 1)) == 0; }
bool is_subnormal(const Format& f, std::uint64_t bits) {
  const std::uint64_t magnitude = bits & (f.sign_bit() - 1);
  return magnitude != 0 && magnitude >> f.fraction_bits == 0;
}
bool is_negative(const Format& f, std::uint64_t bits) { return (bits & f.sign_bit()) != 0; }

Number decode(const Format& f, std::uint64_t finite_bits) {
  const std::uint64_t fraction = finite_bits & ((std::uint64_t{1} << f.fraction_bits) - 1);
  const int biased = static_cast<int>((finite_bits & (f.sign_bit() - 1)) >> f.fraction_bits);
  const std::uint64_t hidden = biased == 0 ? 0 : std::uint64_t{1} << f.fraction_bits;
  return {is_negative(f, finite_bits), Wide(hidden | fraction), std::max(biased, 1) - f.bias() - f.fraction_bits,
          false};
}

Number from_integer(bool negative, std::uint64_t magnitude) { return {negative, Wide(magnitude), 0, false}; }

Number add(const Number& a, const Number& b) {
  if (a.is_zero()) return b;
  if (b.is_zero()) return a;
  const int a_top = a.exponent + a.magnitude.top_bit(), b_top = b.exponent + b.magnitude.top_bit();
  const Number& high = a_top >= b_top ? a : b;
  const Number& low = a_top >= b_top ? b : a;
  // So far below that only its sign can matter: any value between 0 and one unit of the widened high part rounds alike.
  const bool out_of_reach = std::max(a_top, b_top) - std::min(a_top, b_top) > 180;
  const int exponent = out_of_reach ? high.exponent - 8 : std::min(high.exponent, low.exponent);
  const Wide x = high.magnitude.shifted_left(high.exponent - exponent);
  const Wide y = out_of_reach ? Wide(1) : low.magnitude.shifted_left(low.exponent - exponent);
  if (high.negative == low.negative) return {high.negative, x.plus(y), exponent, false};
  const bool swap = x.less_than(y);
  return {swap ? low.negative : high.negative, swap ? y.minus(x) : x.minus(y), exponent, false};
}

Number multiply(const Number& a, const Number& b) {
  return {a.negative != b.negative, a.magnitude.times(b.magnitude), a.exponent + b.exponent, false};
}

Number divide(const Number& a, const Number& b) {
  // School division, one bit at a time, until the quotient has 70 bits after the leading one.
  Number result{a.negative != b.negative, Wide(), 0, false};
  if (a.is_zero()) return result;
  const int shift = 70 + b.magnitude.top_bit() - a.magnitude.top_bit() + 1;
  Wide rest = a.magnitude.shifted_left(std::max(shift, 0));
  const Wide divisor = b.magnitude.shifted_left(std::max(-shift, 0));
  const int steps = rest.top_bit() - divisor.top_bit();
  for (int k = steps; k >= 0; --k) {
    const Wide part = divisor.shifted_left(k);
    result.magnitude = result.magnitude.shifted_left(1);
    if (!rest.less_than(part)) {
      rest = rest.minus(part);
      result.magnitude = result.magnitude.plus(Wide(1));
    }
  }
  result.exponent = a.exponent - b.exponent - shift;
  result.more = !rest.is_zero();
  return result;
}

Number square_root(const Number& a) {
  // The largest root with root * root <= radicand, one bit at a time from the top.
  Number result{false, Wide(), 0, false};
  if (a.is_zero()) return result;
  int shift = 130 - a.magnitude.top_bit();
  if ((a.exponent - shift) % 2 != 0) ++shift;
  const Wide radicand = a.magnitude.shifted_left(shift);
  Wide root;
  for (int k = 66; k >= 0; --k) {
    const Wide candidate = root.plus(Wide(1).shifted_left(k));
    if (!radicand.less_than(candidate.times(candidate))) root = candidate;
  }
  result.magnitude = root;
  result.exponent = (a.exponent - shift) / 2;
  result.more = root.times(root).less_than(radicand);
  return result;
}

namespace {

// Does a magnitude that is cut off below bit `cut` have to be raised by one unit of that bit?
bool rounds_away(const Number& n, int cut, bool kept_is_odd, Rounding rounding) {
  const bool half = n.magnitude.bit(cut - 1);
  const bool below_half = n.magnitude.any_below(cut - 1) || n.more;
  switch (rounding) {
    case Rounding::NearestEven: return half && (below_half || kept_is_odd);
    case Rounding::TowardZero: return false;
    case Rounding::Down: return n.negative && (half || below_half);
    case Rounding::Up: return !n.negative && (half || below_half);
  }
  return false;
}

// The magnitude in units of 2^unit_exponent, rounded.
Wide rounded_units(const Number& n, int unit_exponent, Rounding rounding) {
  const int cut = unit_exponent - n.exponent;
  if (cut <= 0) {
    const Wide kept = n.magnitude.shifted_left(-cut);
    return rounds_away(n, 0, kept.bit(0), rounding) ? kept.plus(Wide(1)) : kept;
  }
  const Wide kept = cut >= Wide::kWords * 32 ? Wide() : n.magnitude.shifted_right(cut);
  return rounds_away(n, cut, kept.bit(0), rounding) ? kept.plus(Wide(1)) : kept;
}

}  // namespace

Rounded round_number(const Number& n, const Format& f, Rounding rounding) {
  const std::uint64_t sign = n.negative ? f.sign_bit() : 0;
  if (n.is_zero()) return {sign, false};
  const int least = 1 - f.bias();  // exponent of the smallest normal number
  int exponent = n.exponent + n.magnitude.top_bit();
  if (exponent > f.bias() + 1) exponent = f.bias() + 1;  // surely too large; keeps the shift small
  const bool free_carries = rounded_units(n, exponent - f.fraction_bits, rounding).top_bit() > f.fraction_bits;
  const bool tiny = exponent + (free_carries ? 1 : 0) < least;  // H200: mul.ftz.f32 80800001 3f7ffffe is not flushed
  int unit = std::max(exponent, least) - f.fraction_bits;
  const bool huge = exponent > f.bias();
  Wide units = huge ? Wide(1).shifted_left(f.fraction_bits + 1) : rounded_units(n, unit, rounding);
  if (units.top_bit() > f.fraction_bits) {  // carried into the next binade
    units = units.shifted_right(1);
    ++unit;
  }
  const bool subnormal = units.top_bit() < f.fraction_bits;
  const int biased = subnormal ? 0 : unit + f.fraction_bits + f.bias();
  if (huge || biased >= f.max_biased()) {
    const bool to_infinity = rounding == Rounding::NearestEven || (rounding == Rounding::Up && !n.negative) ||
                             (rounding == Rounding::Down && n.negative);
    return {sign | (to_infinity ? f.infinity() : f.largest()), false};
  }
  const std::uint64_t fraction = units.low64() & ((std::uint64_t{1} << f.fraction_bits) - 1);
  return {sign | static_cast<std::uint64_t>(biased) << f.fraction_bits | fraction, tiny};
}

Number round_to_integer(const Number& n, Rounding rounding) {
  if (n.exponent >= 0 && !n.more) return n;
  return {n.negative, rounded_units(n, 0, rounding), 0, false};
}

int compare(const Format& f, std::uint64_t a, std::uint64_t b) {
  if (is_zero(f, a) && is_zero(f, b)) return 0;
  // With the sign taken off, IEEE bits are ordered like the values they stand for.
  const std::int64_t x = static_cast<std::int64_t>(a & (f.sign_bit() - 1)) * (is_negative(f, a) ? -1 : 1);
  const std::int64_t y = static_cast<std::int64_t>(b & (f.sign_bit() - 1)) * (is_negative(f, b) ? -1 : 1);
  return x < y ? -1 : x > y ? 1 : 0;
}

}  // namespace warpsim::reference
