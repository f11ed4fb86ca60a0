// The H200's approximate functions, bit for bit: quadratic interpolation in integers, cut off instead of rounded.
//
// Shapes: rcp … tanh are the unit's own operations on an f32: subnormals count as zero of their sign, results too small
//         become zero. PTX's `.approx.ftz` forms are these; the forms without `.ftz` scale an operand that the unit
//         cannot take and scale the result back (`kept`). An f64 has its high word worked on. Every NaN result is the
//         one NaN that f32 has. W is a Word, or several side by side, for which Words<W> says what operators cannot:
//         so all of a function is computed, whatever the operand is, and then one result is taken.
// Units:  a function says the weight of its sum's lowest bit; sin and cos count turns, not radians.
// Errors: none: every input has an answer.
// Source: measured on an H200; the interpolator's scheme agrees with what envytools documents of the G80. The 15 forms
//         on f32 without a second operand are proved over all 2^32 inputs by tests/isa/kernels/mufu_test.cpp. The rest
//         agrees with every recorded result (tests/data), and is marked approximate in the instruction table: not
//         proved.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/kernels/mufu_tables.h"
#include "isa/kernels/softfloat.h"

namespace warpsim::mufu {

using Word = std::uint32_t;

inline constexpr Word kNan = 0x7fffffff, kInfinity = 0x7f800000, kSign = 0x80000000, kOne = 0x3f800000;
inline constexpr Word kHidden = 1U << 23, kFraction = kHidden - 1;

// What words side by side do otherwise than one: sim/code/word_vector.h has those of the host's vectors.
template <class W>
struct Words;
template <>
struct Words<Word> {
  using Signed = std::int32_t;
  using Float = float;
  template <std::size_t N>
  [[gnu::always_inline]] static constexpr Signed at(const Signed (&table)[N], Word k) {
    return table[k];
  }
  [[gnu::always_inline]] static constexpr Float converted(Signed x) { return static_cast<float>(x); }
};
template <class W>
using Signed = typename Words<W>::Signed;
template <class W>
using Float = typename Words<W>::Float;

template <class W>
[[gnu::always_inline]] constexpr Signed<W> as_signed(W x) {
  return __builtin_bit_cast(Signed<W>, x);
}
template <class W>
[[gnu::always_inline]] constexpr W as_words(Signed<W> x) {
  return __builtin_bit_cast(W, x);
}
template <class W>
[[gnu::always_inline]] constexpr W of_all(Word x) {
  return W{} + x;
}
template <class Condition, class W>
[[gnu::always_inline]] constexpr W choose(Condition condition, W yes, W no) {
  return condition ? yes : no;
}
template <class W, class Condition>
[[gnu::always_inline]] constexpr W choose_constant(Condition condition, Word yes, Word no) {
  return choose(condition, of_all<W>(yes), of_all<W>(no));
}
// Counted as signed, for shifts by a number that has bounds.
template <class W>
[[gnu::always_inline]] constexpr W clamped(W x, Word least, Word most) {
  x = choose(as_signed(x) < as_signed(of_all<W>(least)), of_all<W>(least), x);
  return choose(as_signed(x) > as_signed(of_all<W>(most)), of_all<W>(most), x);
}

template <class W>
[[gnu::always_inline]] constexpr W exponent_of(W x) {
  return x >> 23 & 255U;
}
template <class W>
[[gnu::always_inline]] constexpr auto is_nan(W x) {
  return (x & ~kSign) > kInfinity;
}
template <class W>
[[gnu::always_inline]] constexpr auto is_subnormal(W x) {
  return (x & ~kSign) - 1U < kFraction;
}

// ---- the interpolator
// A truncated squarer: x * x / 2^19 of 17 bits, from partial products that are cut off one by one. The upper eight bits
// give their square; those of the others that reach the sum come in equal pairs.
template <class W>
[[gnu::always_inline]] constexpr W squared(W x) {
  const W upper = x >> 9, lower = x & 511U;
  const auto pairs = [=](Word k) __attribute__((always_inline)) {
    return choose((upper & (1U << k)) != 0U, lower >> (9U - k), W{});
  };
  return (upper * upper >> 1) + pairs(1) + pairs(2) + pairs(3) + pairs(4) + pairs(5) + pairs(6) + pairs(7);
}

// The rows of a table in two words: A, and B below C.
inline constexpr int kBitsOfB = 18;
template <std::size_t N>
struct Segments {
  std::int32_t a[N], b_and_c[N];

  constexpr explicit Segments(const Coefficients (&rows)[N]) : a(), b_and_c() {
    for (std::size_t k = 0; k < N; ++k) {
      a[k] = rows[k].a;
      b_and_c[k] = rows[k].c * (1 << kBitsOfB) + (rows[k].b & ((1 << kBitsOfB) - 1));
    }
  }
};
inline constexpr Segments kRcpSegments(kRcp), kRsqrtSegments(kRsqrt), kSqrtSegments(kSqrt);
inline constexpr Segments kEx2Segments(kEx2), kLg2Segments(kLg2), kSinSegments(kSin);

// The sum is A * 2^weight + upper * 2^8 + rest, the weight being A's place relative to B * x.
template <class W>
struct Sum {
  Signed<W> a, upper;
  W rest;
};
// The square's place, and what is added so that truncation is most accurate.
template <class W>
[[gnu::always_inline]] constexpr Sum<W> interpolated(Signed<W> a, Signed<W> b, Signed<W> c, W x, W square, int bias) {
  const Signed<W> lower = b * as_signed(x & 255U) + c * as_signed(square) + bias;
  return {a, b * as_signed(x >> 8) + (lower >> 8), as_words<W>(lower) & 255U};
}
template <class W, std::size_t N>
[[gnu::always_inline]] constexpr Sum<W> interpolated(const Segments<N>& rows, W k, W x, W square, int bias) {
  const Signed<W> both = Words<W>::at(rows.b_and_c, k), b = (both << (32 - kBitsOfB)) >> (32 - kBitsOfB);
  return interpolated<W>(Words<W>::at(rows.a, k), b, both >> kBitsOfB, x, square, bias);
}
template <class W>
[[gnu::always_inline]] constexpr W cut(const Sum<W>& sum, int weight, int bits) {
  return as_words<W>((sum.a + (sum.upper >> (weight - 8))) >> (bits - weight));
}

// Of a fraction of 23 bits: 1 / 1.f in 2^-24.
template <class W>
[[gnu::always_inline]] constexpr W rcp_core(W f) {
  const W x = f & 0xffffU;
  return cut(interpolated(kRcpSegments, f >> 16, x, squared(x + x), 0x47e7), 13, 15);
}
// Of the parity of the exponent and the fraction, 24 bits: 1 / sqrt in 2^-24, sqrt in 2^-23.
template <class W>
[[gnu::always_inline]] constexpr W rsqrt_core(W g) {
  const W x = g & 0x1ffffU;
  return cut(interpolated(kRsqrtSegments, g >> 17, x, squared(x) << 2, 0x7fff), 14, 16);
}
template <class W>
[[gnu::always_inline]] constexpr W sqrt_core(W g) {
  const W x = g & 0x1ffffU, square = squared(x), k = g >> 17;
  const auto is_odd = (g & kHidden) != 0U;
  const Sum<W> even = interpolated(kSqrtSegments, k, x, square << 1, 0x7fff);
  const Sum<W> odd = interpolated(kSqrtSegments, k, x, square, 0x3fff);
  return choose(is_odd, cut(odd, 14, 16), cut(even, 15, 17));
}
// Of a fraction of 23 bits: 2^0.f in 2^-23.
template <class W>
[[gnu::always_inline]] constexpr W ex2_core(W f) {
  const W x = f & 0x1ffffU;
  return cut(interpolated(kEx2Segments, f >> 17, x, squared(x), 0x77e2), 13, 15);
}

// A number of more than 32 bits: upper * 2^bits + lower, the number of bits being its user's.
template <class W>
struct Split {
  W upper, lower;
};
// log2 1.f in 2^-36, with 12 lower bits; sin of a quarter turn's 0.f in 2^-37, with 8.
template <class W>
[[gnu::always_inline]] constexpr Split<W> lg2_core(W f) {
  const W x = f & 0x1ffffU;
  const Sum<W> sum = interpolated(kLg2Segments, f >> 17, x, squared(x) << 1, 0x3345);
  const Signed<W> upper = sum.a * 16 + sum.upper;
  return {as_words<W>(upper >> 6), (as_words<W>(upper) & 63U) << 6 | sum.rest >> 2};
}
template <class W>
[[gnu::always_inline]] constexpr Split<W> sin_core(W f) {
  const W x = f & 0x1ffffU;
  const Sum<W> sum = interpolated(kSinSegments, f >> 17, x, squared(x), 0);
  return {as_words<W>(sum.a * 8 + sum.upper), sum.rest};
}

// value * 2^-fraction_bits as an f32, cut off; 0 < value < 2^(31 + bits).
template <class W>
[[gnu::always_inline]] constexpr W normalised(const Split<W>& value, Word bits, Word fraction_bits) {
  const auto is_short = value.upper == 0U;
  const W upper = choose(is_short, value.lower, value.upper), lower = choose(is_short, W{}, value.lower);
  const W above = choose_constant<W>(is_short, 0, bits);
  // The conversion cannot round up to the next power of two: the second bit is 0.
  const W power = __builtin_bit_cast(W, Words<W>::converted(as_signed(upper & ~(upper >> 1)))) >> 23;
  const W up = 158U - power;  // that brings the highest bit to the top
  const W from_lower = choose(up < bits, lower >> clamped(bits - up, 0, 31), lower << clamped(up - bits, 0, 31));
  const W significand = (upper << clamped(up, 0, 31)) | from_lower;
  return (power + above - fraction_bits) << 23 | (significand >> 8 & kFraction);
}

// Sign, biased exponent and a significand in 2^-bits, whose carry into the next power of two is possible. Too small
// becomes zero.
template <class W>
[[gnu::always_inline]] constexpr W scaled(W sign, W exponent, W significand, int bits) {
  exponent += significand >> bits;  // the fraction is 0 then, halved or not
  W size = exponent << 23 | (significand & kFraction);
  size = choose(as_signed(exponent) >= 255, of_all<W>(kInfinity), size);
  return sign | choose(as_signed(exponent) <= 0, W{}, size);
}

// ---- the unit's operations
template <class W>
[[gnu::always_inline]] constexpr W rcp(W b) {
  const W sign = b & kSign, exponent = exponent_of(b);
  W result = scaled(sign, 253U - exponent, rcp_core(b & kFraction), 24);
  result = choose(exponent == 0U, sign | kInfinity, result);
  result = choose(exponent == 255U, sign, result);
  return choose(is_nan(b), of_all<W>(kNan), result);
}

// The exponent halved (rounded down), and what the square root's argument is besides: parity and fraction.
template <class W>
struct HalvedExponent {
  W half, rest;
};
template <class W>
[[gnu::always_inline]] constexpr HalvedExponent<W> halved(W exponent, W fraction) {
  return {as_words<W>(as_signed(exponent) >> 1), (exponent & 1U) << 23 | fraction};
}

template <class W>
[[gnu::always_inline]] constexpr W rsqrt(W b) {
  const HalvedExponent<W> x = halved(exponent_of(b) - 127U, b & kFraction);
  W result = ((126U - x.half) << 23) + choose(x.rest == 0U, of_all<W>(kHidden), rsqrt_core(x.rest) - kHidden);
  result = choose(b >= kInfinity, of_all<W>(kNan), result);  // and all below zero
  result = choose(b == kInfinity, W{}, result);
  return choose(exponent_of(b) == 0U, (b & kSign) | kInfinity, result);
}

template <class W>
[[gnu::always_inline]] constexpr W sqrt(W b) {
  const HalvedExponent<W> x = halved(exponent_of(b) - 127U, b & kFraction);
  W result = ((x.half + 127U) << 23) + sqrt_core(x.rest) - kHidden;
  result = choose(b >= kInfinity, of_all<W>(kNan), result);  // and all below zero
  result = choose(b == kInfinity, b, result);
  return choose(exponent_of(b) == 0U, b & kSign, result);
}

template <class W>
[[gnu::always_inline]] constexpr W ex2(W b) {
  const auto negative = (b & kSign) != 0U;
  const W exponent = exponent_of(b) - 127U;
  // |x| with 23 bits after the point. Of 2^7 or more the result is known.
  const W fixed = ((b & kFraction) | kHidden) << 7 >> clamped(7U - exponent, 1, 31);
  const W floor = fixed >> 23, rest = fixed & kFraction;
  const auto is_whole = rest == 0U;
  const W whole = choose(negative, choose(is_whole, 0U - floor, ~floor), floor);
  const W fraction = choose(negative, choose(is_whole, W{}, kFraction - rest), rest);  // ones' complement
  W result = scaled(W{}, whole + 127U, ex2_core(fraction), 24);
  result = choose(as_signed(exponent) >= 7, choose_constant<W>(negative, 0, kInfinity), result);
  return choose(is_nan(b), of_all<W>(kNan), result);
}

template <class W>
[[gnu::always_inline]] constexpr W lg2(W b) {
  const Split<W> core = lg2_core(b & kFraction);
  const W upper = ((exponent_of(b) - 127U) << 24) + core.upper;
  const W flip = as_words<W>(as_signed(upper) >> 31);  // of a negative one the ones' complement
  const Split<W> size = {upper ^ flip, (core.lower ^ flip) & 0xfffU};
  W result = normalised(size, 12, 36) | (flip & kSign);
  result = choose((size.upper | size.lower) == 0U, W{}, result);
  result = choose(b == kOne, W{}, result);
  result = choose(b >= kInfinity, of_all<W>(kNan), result);  // and all below zero
  result = choose(b == kInfinity, b, result);
  return choose(exponent_of(b) == 0U, of_all<W>(kSign | kInfinity), result);
}

// The operand counts turns; `quarters` is 1 for the cosine.
template <class W>
[[gnu::always_inline]] constexpr W sine_of_turns(W b, Word quarters) {
  const W significand = (b & kFraction) | kHidden;
  const W shift = exponent_of(b) - 125U;  // to quarter turns with 23 bits after the point
  const W fixed =
      choose(as_signed(shift) >= 0, significand << clamped(shift, 0, 31), significand >> clamped(0U - shift, 0, 31));
  const W quadrant = (fixed >> 23) + quarters;
  W rest = fixed & kFraction;
  rest = choose((quadrant & 1U) != 0U, kFraction - rest, rest);
  const W sign = (quarters != 0 ? W{} : b & kSign) ^ (quadrant << 30 & kSign);
  const Split<W> value = sin_core(rest);
  W result = choose((value.upper | value.lower) == 0U, W{}, normalised(value, 8, 37));
  result = sign | choose(as_signed(value.upper) < 0, W{}, result);
  return choose(exponent_of(b) == 255U, of_all<W>(kNan), result);
}

constexpr Word tanh(Word b) {
  const Word size = b & ~kSign, sign = b & kSign;
  if (is_nan(b)) return kNan;
  if (size < 0x3b800000) return b;             // below 2^-8 the identity
  if (size >= 0x41000000) return sign | kOne;  // from 8 on
  const Binade& binade = kTanhBinade[(size >> 23) - 0x77];
  const Coefficients& row = kTanh[static_cast<Word>(binade.first) + ((size & kFraction) >> binade.segment_log2)];
  const Word x = size >> (binade.segment_log2 - 17) & 0x1ffff;
  const Sum<Word> sum = interpolated<Word>(row.a, row.b, row.c, x, squared(x) << 1, 0);
  const Split<Word> value{static_cast<Word>(sum.a * 128 + sum.upper), sum.rest};
  return sign | normalised(value, 8, static_cast<Word>(binade.fraction_bits));
}

// ---- around the unit: IEEE f32 arithmetic of the host, to nearest, with subnormals
template <class W>
[[gnu::always_inline]] constexpr W product(W x, W y) {
  return __builtin_bit_cast(W, __builtin_bit_cast(Float<W>, x) * __builtin_bit_cast(Float<W>, y));
}
template <class W>
[[gnu::always_inline]] constexpr W one_nan(W x) {
  return choose(is_nan(x), of_all<W>(kNan), x);
}
[[gnu::always_inline]] constexpr Word bits_of(float x) { return __builtin_bit_cast(Word, x); }

// Too large for rcp to have a normal result.
template <class W>
[[gnu::always_inline]] constexpr auto is_huge(W x) {
  return (x & ~kSign) - 0x7e800001U < 0x7f800000U - 0x7e800001U;
}
// What scales a divisor into the range that rcp can take, and the quotient back.
template <class W>
[[gnu::always_inline]] constexpr W scale_of(W b, bool also_of_huge) {
  W scale = choose_constant<W>(is_subnormal(b), bits_of(0x1p24F), kOne);
  if (also_of_huge) scale = choose(is_huge(b), of_all<W>(bits_of(0.25F)), scale);
  return scale;
}

// The forms without .ftz.
template <class W>
[[gnu::always_inline]] constexpr W rcp_kept(W b) {
  const W scale = scale_of(b, true);
  return one_nan(product(rcp(product(b, scale)), scale));
}
template <class W>
[[gnu::always_inline]] constexpr W rsqrt_kept(W b) {
  const W back = choose_constant<W>(is_subnormal(b), bits_of(0x1p12F), kOne);
  return one_nan(product(rsqrt(product(b, scale_of(b, false))), back));
}
template <class W>
[[gnu::always_inline]] constexpr W sqrt_kept(W b) {
  const W back = choose_constant<W>(is_subnormal(b), bits_of(0x1p-12F), kOne);
  return one_nan(product(sqrt(product(b, scale_of(b, false))), back));
}
template <class W>
[[gnu::always_inline]] constexpr W lg2_kept(W b) {
  const W result = lg2(product(b, scale_of(b, false)));
  const W less = choose_constant<W>(is_subnormal(b), bits_of(24.0F), 0);
  return one_nan(__builtin_bit_cast(W, __builtin_bit_cast(Float<W>, result) - __builtin_bit_cast(Float<W>, less)));
}
template <class W>
[[gnu::always_inline]] constexpr W ex2_kept(W b) {
  const auto tiny = b - 0xc2fc0001U < 0xff800001U - 0xc2fc0001U;  // below -126
  const W root = ex2(product(b, choose_constant<W>(tiny, bits_of(0.5F), kOne)));
  return one_nan(product(root, choose(tiny, root, of_all<W>(kOne))));
}

// x / 2 pi, cut off. To nearest gives other results than the H200.
template <class W>
[[gnu::always_inline]] constexpr W turns(W x) {
  constexpr Word kInverseTurn = 0xa2f983, kUpper = kInverseTurn >> 12, kLower = kInverseTurn & 0xfff;  // in 2^-26
  const W sign = x & kSign, significand = (x & kFraction) | kHidden;
  const W upper = significand >> 12, lower = significand & 0xfffU;
  const W middle = upper * kLower + lower * kUpper + (lower * kLower >> 12);
  const W wide = upper * (2 * kUpper) + (middle >> 11);  // the product without its low 23 bits
  const W carry = wide >> 24, exponent = exponent_of(x) - 3U + carry;
  W result = exponent << 23 | (choose(carry != 0U, wide >> 1, wide) & kFraction);
  result = choose(as_signed(exponent) <= 0, W{}, result);
  result = choose(exponent_of(x) == 0U, W{}, result);
  return choose(exponent_of(x) == 255U, x, sign | result);
}
template <class W>
[[gnu::always_inline]] constexpr W sin(W x) {
  return sine_of_turns(turns(x), 0);
}
template <class W>
[[gnu::always_inline]] constexpr W cos(W x) {
  return sine_of_turns(turns(x), 1);
}

// ---- division: a times the reciprocal of b. Where b's reciprocal would be subnormal `full` scales both; without it
// the quotient is 0. With .ftz the multiplications flush, which asks for tininess after rounding: that of the product
// times 2^60, which has all its bits (H200: div.approx.ftz.f32 of 3f7fffff and 7e800000 is 0).
template <class W>
[[gnu::always_inline]] constexpr W divided(W a, W b, bool full) {
  const W scale = scale_of(b, full);
  return one_nan(product(product(a, scale), rcp(product(b, scale))));
}
template <class W>
[[gnu::always_inline]] constexpr W flushed(W x) {
  return choose(is_subnormal(x), x & kSign, x);
}
template <class W>
[[gnu::always_inline]] constexpr W flushed_product(W x, W y) {
  x = flushed(x);
  y = flushed(y);
  const W larger = product(product(x, of_all<W>(bits_of(0x1p60F))), y), result = product(x, y);
  const auto is_tiny = (larger & ~kSign) < bits_of(0x1p-66F);
  return one_nan(choose(is_tiny, result & kSign, result));
}
template <class W>
[[gnu::always_inline]] constexpr W divided_flushed(W a, W b, bool full) {
  const W quotient = flushed_product(a, rcp(b));
  if (!full) return quotient;
  const W quarter = of_all<W>(bits_of(0.25F));
  const W scaled_quotient = flushed_product(flushed_product(a, quarter), rcp(flushed_product(b, quarter)));
  return choose(is_huge(b), scaled_quotient, quotient);
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
  const HalvedExponent<Word> half = halved(static_cast<Word>(exponent - 1023), fraction << 3);
  const Word result = 1022 - half.half;
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
