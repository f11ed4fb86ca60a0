// The H200's approximate functions, bit for bit: quadratic interpolation in integers, cut off instead of rounded.
//
// Shapes: rcp … tanh are the unit's own operations on an f32: subnormals count as zero of their sign, results too small
//         become zero. PTX's `.approx.ftz` forms are these; the forms without `.ftz` scale an operand that the unit
//         cannot take and scale the result back (`kept`). An f64 has its high word worked on. Every NaN result is the
//         one NaN that f32 has.
// Units:  a function says the weight of its sum's lowest bit; sin and cos count turns, not radians.
// Errors: none: every input has an answer.
// Source: measured on an H200; the interpolator's scheme agrees with what envytools documents of the G80. The 15 forms
//         on f32 without a second operand are proved over all 2^32 inputs by tests/isa/kernels/mufu_test.cpp. The rest
//         agrees with every recorded result (tests/data), and is marked approximate in the instruction table: not
//         proved.
#pragma once

#include <cstdint>

#include "isa/kernels/mufu_tables.h"
#include "isa/kernels/softfloat.h"

namespace warpsim::mufu {

using Word = std::uint32_t;

inline constexpr Word kNan = 0x7fffffff, kInfinity = 0x7f800000, kSign = 0x80000000, kOne = 0x3f800000;
inline constexpr Word kHidden = 1U << 23, kFraction = kHidden - 1;

constexpr Word exponent_of(Word x) { return x >> 23 & 255; }
constexpr bool is_nan(Word x) { return (x & ~kSign) > kInfinity; }
constexpr bool is_subnormal(Word x) { return exponent_of(x) == 0 && (x & kFraction) != 0; }

// ---- the interpolator
// A truncated squarer: x * x / 2^19 from partial products that are cut off one by one.
constexpr std::int64_t squared(Word x) {
  Word sum = 0;
  for (unsigned i = 2; i < 17; ++i) sum += x >> (18 - i) & (0 - (x >> i & 1));
  return sum >> 1;
}

// A's and the square's places relative to B * x, and what is added so that truncation is most accurate.
struct Weights {
  int a, square;
  std::int64_t bias;
};
constexpr std::int64_t interpolated(const Coefficients& row, Word x, Word squared_x, const Weights& w) {
  const std::int64_t constant = static_cast<std::int64_t>(row.a) << w.a, linear = std::int64_t{row.b} * x;
  return constant + linear + (row.c * squared(squared_x) << w.square) + w.bias;
}

// Of a fraction of 23 bits: 1 / 1.f in 2^-24.
constexpr Word rcp_core(Word f) {
  const Word x = f & 0xffff;
  return static_cast<Word>(interpolated(kRcp[f >> 16], x, 2 * x, {13, 0, 0x47e7}) >> 15);
}
// Of the parity of the exponent and the fraction, 24 bits: 1 / sqrt in 2^-24, sqrt in 2^-23.
constexpr Word rsqrt_core(Word g) {
  const Word x = g & 0x1ffff;
  return static_cast<Word>(interpolated(kRsqrt[g >> 17], x, x, {14, 2, 0x7fff}) >> 16);
}
constexpr Word sqrt_core(Word g) {
  const Word x = g & 0x1ffff;
  const Coefficients& row = kSqrt[g >> 17];
  return (g & kHidden) == 0 ? static_cast<Word>(interpolated(row, x, x, {15, 1, 0x7fff}) >> 17)
                            : static_cast<Word>(interpolated(row, x, x, {14, 0, 0x3fff}) >> 16);
}
// Of a fraction of 23 bits: 2^0.f in 2^-23, log2 1.f in 2^-36, sin of a quarter turn's 0.f in 2^-37.
constexpr Word ex2_core(Word f) {
  const Word x = f & 0x1ffff;
  return static_cast<Word>(interpolated(kEx2[f >> 17], x, x, {13, 0, 0x77e2}) >> 15);
}
constexpr std::int64_t lg2_core(Word f) {
  const Word x = f & 0x1ffff;
  return interpolated(kLg2[f >> 17], x, x, {12, 1, 0x3345}) >> 2;
}
constexpr std::int64_t sin_core(Word f) {
  const Word x = f & 0x1ffff;
  return interpolated(kSin[f >> 17], x, x, {11, 0, 0});
}

// value * 2^-fraction_bits as an f32, cut off; value > 0.
constexpr Word normalised(std::int64_t value, int fraction_bits) {
  const int top = 63 - __builtin_clzll(static_cast<std::uint64_t>(value));
  const std::int64_t fraction = top >= 23 ? value >> (top - 23) : value << (23 - top);
  return (static_cast<Word>(127 + top - fraction_bits) << 23) | (static_cast<Word>(fraction) & kFraction);
}

// Sign, biased exponent and a significand in 2^-bits, whose carry into the next power of two is possible. Too small
// becomes zero.
constexpr Word scaled(Word sign, int exponent, Word significand, int bits) {
  if (significand == 1U << bits) ++exponent;  // the fraction is 0 then, halved or not
  if (exponent <= 0) return sign;
  return sign | (exponent >= 255 ? kInfinity : static_cast<Word>(exponent) << 23 | (significand & kFraction));
}

// ---- the unit's operations
constexpr Word rcp(Word b) {
  const Word sign = b & kSign;
  const int exponent = static_cast<int>(exponent_of(b));
  if (exponent == 255) return is_nan(b) ? kNan : sign;
  if (exponent == 0) return sign | kInfinity;
  return scaled(sign, 253 - exponent, rcp_core(b & kFraction), 24);
}

// The exponent halved (rounded down), and what the square root's argument is besides: parity and fraction.
struct HalvedExponent {
  int half;
  Word rest;
};
constexpr HalvedExponent halved(int exponent, Word fraction) {
  return {exponent >> 1, (static_cast<Word>(exponent & 1) << 23) + fraction};
}

constexpr Word rsqrt(Word b) {
  const Word sign = b & kSign;
  if (is_nan(b)) return kNan;
  if (exponent_of(b) == 0) return sign | kInfinity;
  if (sign != 0) return kNan;
  if (b == kInfinity) return 0;
  const HalvedExponent x = halved(static_cast<int>(exponent_of(b)) - 127, b & kFraction);
  const Word exponent = static_cast<Word>(126 - x.half);
  return x.rest == 0 ? (exponent + 1) << 23 : (exponent << 23) + rsqrt_core(x.rest) - kHidden;
}

constexpr Word sqrt(Word b) {
  if (is_nan(b)) return kNan;
  if (exponent_of(b) == 0) return b & kSign;
  if ((b & kSign) != 0) return kNan;
  if (b == kInfinity) return b;
  const HalvedExponent x = halved(static_cast<int>(exponent_of(b)) - 127, b & kFraction);
  return (static_cast<Word>(x.half + 127) << 23) + sqrt_core(x.rest) - kHidden;
}

constexpr Word ex2(Word b) {
  const bool negative = (b & kSign) != 0;
  const int exponent = static_cast<int>(exponent_of(b)) - 127;
  if (is_nan(b)) return kNan;
  if (exponent >= 7) return negative ? 0 : kInfinity;
  Word fixed = 0;  // |x| with 23 bits after the point
  if (exponent >= 0) fixed = ((b & kFraction) | kHidden) << exponent;
  else if (exponent > -127) fixed = exponent < -23 ? 0 : ((b & kFraction) | kHidden) >> -exponent;
  int whole = static_cast<int>(fixed >> 23);
  Word rest = fixed & kFraction;
  if (negative) {
    whole = rest == 0 ? -whole : -whole - 1;
    rest = rest == 0 ? 0 : kFraction - rest;  // ones' complement
  }
  return scaled(0, whole + 127, ex2_core(rest), 24);
}

constexpr Word lg2(Word b) {
  if (is_nan(b)) return kNan;
  if (exponent_of(b) == 0) return kSign | kInfinity;
  if ((b & kSign) != 0) return kNan;
  if (b == kInfinity) return b;
  if (b == kOne) return 0;
  const std::int64_t value =
      lg2_core(b & kFraction) + (static_cast<std::int64_t>(exponent_of(b)) - 127) * (std::int64_t{1} << 36);
  const std::int64_t size = value < 0 ? ~value : value;  // ones' complement
  return size == 0 ? 0 : normalised(size, 36) | (value < 0 ? kSign : 0);
}

// The operand counts turns; `quarters` is 1 for the cosine.
constexpr Word sine_of_turns(Word b, Word quarters) {
  if (exponent_of(b) == 255) return kNan;
  const Word significand = (b & kFraction) | kHidden;
  const int shift = static_cast<int>(exponent_of(b)) - 125;  // to quarter turns with 23 bits after the point
  Word fixed = 0;
  if (exponent_of(b) != 0 && shift > -24 && shift < 25)
    fixed = shift >= 0 ? significand << shift : significand >> -shift;
  const Word quadrant = (fixed >> 23) + quarters;
  Word rest = fixed & kFraction;
  if ((quadrant & 1) != 0) rest = kFraction - rest;
  const Word sign = (quarters != 0 ? 0 : b & kSign) ^ ((quadrant & 2) != 0 ? kSign : 0);
  const std::int64_t value = sin_core(rest);
  return sign | (value > 0 ? normalised(value, 37) : 0);
}

constexpr Word tanh(Word b) {
  const Word size = b & ~kSign, sign = b & kSign;
  if (is_nan(b)) return kNan;
  if (size < 0x3b800000) return b;             // below 2^-8 the identity
  if (size >= 0x41000000) return sign | kOne;  // from 8 on
  const Binade& binade = kTanhBinade[(size >> 23) - 0x77];
  const Coefficients& row = kTanh[static_cast<Word>(binade.first) + ((size & kFraction) >> binade.segment_log2)];
  const Word x = size >> (binade.segment_log2 - 17) & 0x1ffff;
  return sign | normalised(interpolated(row, x, x, {15, 1, 0}), binade.fraction_bits);
}

// ---- around the unit: IEEE f32 arithmetic of the host, to nearest, with subnormals
constexpr Word multiplied(Word x, float factor) {
  return __builtin_bit_cast(Word, __builtin_bit_cast(float, x) * factor);
}
constexpr Word product(Word x, Word y) { return multiplied(x, __builtin_bit_cast(float, y)); }
constexpr Word one_nan(Word x) { return is_nan(x) ? kNan : x; }

// Too large for rcp to have a normal result.
constexpr bool is_huge(Word x) { return (x & ~kSign) > 0x7e800000 && (x & ~kSign) < kInfinity; }

// The forms without .ftz.
constexpr Word rcp_kept(Word b) {
  if (is_subnormal(b)) return one_nan(multiplied(rcp(multiplied(b, 0x1p24F)), 0x1p24F));
  return is_huge(b) ? multiplied(rcp(multiplied(b, 0.25F)), 0.25F) : rcp(b);
}
constexpr Word rsqrt_kept(Word b) {
  return is_subnormal(b) ? one_nan(multiplied(rsqrt(multiplied(b, 0x1p24F)), 0x1p12F)) : rsqrt(b);
}
constexpr Word sqrt_kept(Word b) {
  return is_subnormal(b) ? one_nan(multiplied(sqrt(multiplied(b, 0x1p24F)), 0x1p-12F)) : sqrt(b);
}
constexpr Word lg2_kept(Word b) {
  if (!is_subnormal(b)) return lg2(b);
  return one_nan(__builtin_bit_cast(Word, __builtin_bit_cast(float, lg2(multiplied(b, 0x1p24F))) - 24.0F));
}
constexpr Word ex2_kept(Word b) {
  const bool tiny = b > 0xc2fc0000 && !is_nan(b);  // below -126
  if (!tiny) return ex2(b);
  const Word root = ex2(multiplied(b, 0.5F));
  return product(root, root);
}

// x / 2 pi, cut off. To nearest gives other results than the H200.
constexpr Word turns(Word x) {
  constexpr std::uint64_t kInverseTurn = 0xa2f983;  // 1 / 2 pi in 2^-26
  const Word sign = x & kSign;
  if (exponent_of(x) == 255) return x;
  if (exponent_of(x) == 0) return sign;
  const std::uint64_t wide = ((x & kFraction) | kHidden) * kInverseTurn;
  const int carry = static_cast<int>(wide >> 47);
  const int exponent = static_cast<int>(exponent_of(x)) - 3 + carry;
  if (exponent <= 0) return sign;
  return sign | static_cast<Word>(exponent) << 23 | (static_cast<Word>(wide >> (23 + carry)) & kFraction);
}
constexpr Word sin(Word x) { return sine_of_turns(turns(x), 0); }
constexpr Word cos(Word x) { return sine_of_turns(turns(x), 1); }

// ---- division: a times the reciprocal of b. Where b's reciprocal would be subnormal `full` scales both; without it
// the quotient is 0. With .ftz the multiplications flush, which asks for tininess after rounding: softfloat's, not the
// host's (H200: div.approx.ftz.f32 of 3f7fffff and 7e800000 is 0).
constexpr Word divided(Word a, Word b, bool full) {
  const float scale = is_subnormal(b) ? 0x1p24F : full && is_huge(b) ? 0.25F : 1.0F;
  return one_nan(product(multiplied(a, scale), rcp(multiplied(b, scale))));
}
constexpr Word flushed_product(Word x, Word y) {
  return static_cast<Word>(softfloat::mul(softfloat::kSingle, x, y, Mods{.ftz = true}));
}
constexpr Word divided_flushed(Word a, Word b, bool full) {
  constexpr Word kQuarter = 0x3e800000;
  if (!full || !is_huge(b)) return flushed_product(a, rcp(b));
  return flushed_product(flushed_product(a, kQuarter), rcp(flushed_product(b, kQuarter)));
}

// ---- seeds for f64: 20 bits of the fraction in, 20 out
constexpr std::uint64_t seed(std::uint32_t high_word) { return std::uint64_t{high_word} << 32; }
inline constexpr std::uint32_t kWideInfinity = 0x7ff00000;

constexpr std::uint64_t rcp_seed(std::uint64_t x) {
  const Word high = static_cast<Word>(x >> 32), sign = high & kSign, fraction = high & 0xfffff;
  int exponent = static_cast<int>(high >> 20 & 2047);
  if (exponent == 2047) return seed(fraction != 0 ? kNan : sign);
  if (exponent == 0) return seed(sign | kWideInfinity);
  const Word significand = rcp_core(fraction << 3) >> 3;
  exponent = 2045 - exponent + (significand == 1U << 21);
  return seed(exponent <= 0 ? sign : sign | static_cast<Word>(exponent) << 20 | (significand & 0xfffff));
}

constexpr std::uint64_t rsqrt_seed(std::uint64_t x) {
  const Word high = static_cast<Word>(x >> 32), sign = high & kSign, fraction = high & 0xfffff;
  const int exponent = static_cast<int>(high >> 20 & 2047);
  if (exponent == 2047 && fraction != 0) return seed(kNan);
  if (exponent == 0) return seed(sign | kWideInfinity);
  if (sign != 0) return seed(kNan);
  if (exponent == 2047) return 0;
  const HalvedExponent half = halved(exponent - 1023, fraction << 3);
  const Word result = static_cast<Word>(1022 - half.half);
  if (half.rest == 0) return seed((result + 1) << 20);
  return seed((result << 20) + (rsqrt_core(half.rest) >> 3) - (1U << 20));
}

// rsqrt.approx.f64: the seed y and one step of Newton's kind, y + y e (1/2 + 3/8 e) with e = 1 - x y². Subnormals are
// scaled; what is no positive number goes IEEE's way, a NaN as in arithmetic.
constexpr std::uint64_t rsqrt_refined(std::uint64_t x) {
  using softfloat::kDouble;
  constexpr std::uint64_t kOneWide = 0x3ff0000000000000, kHalfWide = 0x3fe0000000000000,
                          kThreeEighths = 0x3fd8000000000000;
  constexpr std::uint64_t kUp = 0x4350000000000000, kBack = 0x41a0000000000000;  // 2^54, 2^27
  if (softfloat::is_nan(kDouble, x)) return x | kDouble.quiet();
  if (softfloat::is_zero(kDouble, x)) return kDouble.infinity() | (x & kDouble.sign());
  if (softfloat::is_negative(kDouble, x)) return softfloat::default_nan(kDouble);
  if (softfloat::is_infinite(kDouble, x)) return 0;
  const auto mul = [](std::uint64_t a, std::uint64_t b) { return softfloat::mul(kDouble, a, b, {}); };
  const auto fma = [](std::uint64_t a, std::uint64_t b, std::uint64_t c) {
    return softfloat::fma(kDouble, a, b, c, {});
  };
  const bool tiny = softfloat::is_subnormal(kDouble, x);
  if (tiny) x = mul(x, kUp);
  const std::uint64_t y = rsqrt_seed(x);
  const std::uint64_t error = fma(x, mul(y, y) | kDouble.sign(), kOneWide);
  const std::uint64_t result = fma(fma(error, kThreeEighths, kHalfWide), mul(y, error), y);
  return tiny ? mul(result, kBack) : result;
}

}  // namespace warpsim::mufu
