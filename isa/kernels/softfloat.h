// Exact IEEE 754 arithmetic on bits, with every rounding, flushing and saturation that PTX has.
//
// Shapes: operands and results are bits, right-aligned in 64; a Format says how to read them. Every operation goes the
//         same way: unpack, compute exactly (with one sticky bit for what is too small to hold), round once.
// Units:  exponents are powers of two of the significand's lowest bit.
// Errors: none: every input has an answer.
// Source: IEEE 754-2019, sections 4.3 and 5.4. What IEEE leaves open (NaN payloads, tininess, the results of float to
//         integer) is what the H200 gives: tests/data/h200_semantics.txt.xz and h200_rows.txt.xz. No rounding mode of
//         the host is touched.
#pragma once

#include <cstdint>

#include "isa/table/op.h"
#include "isa/table/type.h"

namespace warpsim::softfloat {

using Bits = std::uint64_t;
__extension__ typedef unsigned __int128 UInt128;  // ISO C++ has no such type

struct Format {
  int width;
  int fraction;  // bits of the fraction, without the hidden one
  bool operator==(const Format&) const = default;

  constexpr int bias() const { return (1 << (width - fraction - 2)) - 1; }
  constexpr int min_exponent() const { return 1 - bias() - fraction; }  // of the lowest bit of a subnormal
  constexpr Bits sign() const { return Bits{1} << (width - 1); }
  constexpr Bits hidden() const { return Bits{1} << fraction; }
  constexpr Bits infinity() const { return sign() - hidden(); }
  constexpr Bits largest() const { return infinity() - 1; }
  constexpr Bits one() const { return static_cast<Bits>(bias()) << fraction; }
  constexpr Bits quiet() const { return hidden() >> 1; }
  constexpr Bits signed_zero(bool negative) const { return negative ? sign() : 0; }
};
inline constexpr Format kHalf{16, 10}, kBrain{16, 7}, kSingle{32, 23}, kDouble{64, 52};  // f16, bf16, f32, f64

constexpr Format format_of(Type t) {
  return t == Type::F16 ? kHalf : t == Type::BF16 ? kBrain : t == Type::F32 ? kSingle : kDouble;
}

constexpr bool is_negative(Format f, Bits x) { return (x & f.sign()) != 0; }
constexpr Bits magnitude(Format f, Bits x) { return x & (f.sign() - 1); }
constexpr bool is_nan(Format f, Bits x) { return magnitude(f, x) > f.infinity(); }
constexpr bool is_infinite(Format f, Bits x) { return magnitude(f, x) == f.infinity(); }
constexpr bool is_zero(Format f, Bits x) { return magnitude(f, x) == 0; }
constexpr bool is_subnormal(Format f, Bits x) { return magnitude(f, x) != 0 && magnitude(f, x) < f.hidden(); }

// .ftz on an operand: a subnormal counts as the zero of its sign. f64 has no .ftz.
constexpr Bits flush(Format f, Bits x, Mods m) {
  return m.ftz && f != kDouble && is_subnormal(f, x) ? x & f.sign() : x;
}

// ---- NaN results (H200): f16, bf16 and f32 know one NaN, all ones but the sign; f64 passes the first NaN operand on,
// quieted.
constexpr Bits default_nan(Format f) { return f == kDouble ? 0xfff8000000000000U : f.sign() - 1; }
constexpr Bits nan_result(Format f, Bits first) {
  return f == kDouble && is_nan(f, first) ? first | f.quiet() : default_nan(f);
}
constexpr Bits nan_result(Format f, Bits first, Bits second) {
  return nan_result(f, is_nan(f, first) ? first : second);
}

// ---- exact values
struct Exact {
  bool negative;
  int exponent;
  UInt128 significand;  // the value is significand * 2^exponent …
  bool sticky = false;  // … plus something above 0 and below 2^exponent, where set
};

constexpr Exact unpack(Format f, Bits x) {
  const Bits size = magnitude(f, x);
  const int field = static_cast<int>(size >> f.fraction);
  const Bits fraction = size & (f.hidden() - 1);
  if (field == 0) return {is_negative(f, x), f.min_exponent(), fraction};
  return {is_negative(f, x), f.min_exponent() + field - 1, fraction | f.hidden()};
}

constexpr int bit_length(UInt128 x) {
  const std::uint64_t high = static_cast<std::uint64_t>(x >> 64), low = static_cast<std::uint64_t>(x);
  return high != 0 ? 128 - __builtin_clzll(high) : low != 0 ? 64 - __builtin_clzll(low) : 0;
}

// The same value with the significand's highest bit at bit `top`; only ever shifts left.
constexpr Exact normalised(Exact x, int top) {
  const int shift = top + 1 - bit_length(x.significand);
  return {x.negative, x.exponent - shift, x.significand << shift, x.sticky};
}

// Rn for what is left out; the integer roundings are the same four directions.
constexpr Round direction(Round r) {
  switch (r) {
    case Round::Rz:
    case Round::Rzi: return Round::Rz;
    case Round::Rm:
    case Round::Rmi: return Round::Rm;
    case Round::Rp:
    case Round::Rpi: return Round::Rp;
    default: return Round::Rn;
  }
}
constexpr bool is_integral(Round r) { return r == Round::Rni || r == Round::Rzi || r == Round::Rmi || r == Round::Rpi; }

// x's significand in units of 2^exponent, rounded. Where x is sticky, `exponent` must lie above x's own.
constexpr UInt128 rounded(const Exact& x, int exponent, Round round) {
  const int shift = exponent - x.exponent;
  if (shift <= 0) return x.significand << -shift;
  const UInt128 whole = shift > 127 ? 0 : x.significand >> shift;
  const UInt128 rest = shift > 127 ? x.significand : x.significand & ((UInt128{1} << shift) - 1);
  const UInt128 half = shift > 127 ? ~UInt128{0} : UInt128{1} << (shift - 1);  // above 127 every rest is below the half
  const bool inexact = rest != 0 || x.sticky;
  switch (direction(round)) {
    case Round::Rz: return whole;
    case Round::Rm: return whole + (inexact && x.negative);
    case Round::Rp: return whole + (inexact && !x.negative);
    default: return whole + (rest > half || (rest == half && (x.sticky || (whole & 1) != 0)));
  }
}

// .sat on a result: NaN and what is below zero become +0, what is above one becomes one. .relu: below zero becomes +0.
constexpr Bits saturated(Format f, Bits x, Mods m) {
  if (m.relu && is_negative(f, x)) return 0;
  if (!m.sat) return x;
  if (is_nan(f, x) || is_negative(f, x)) return 0;
  return x > f.one() ? f.one() : x;
}

constexpr Bits overflow(Format f, bool negative, Round round) {
  const Round r = direction(round);
  const bool to_infinity = r == Round::Rn || (r == Round::Rm && negative) || (r == Round::Rp && !negative);
  return (to_infinity ? f.infinity() : f.largest()) | f.signed_zero(negative);
}

// The float nearest to x in the rounding's direction.
constexpr Bits pack(Format f, const Exact& x, Mods m) {
  if (x.significand == 0 && !x.sticky) return saturated(f, f.signed_zero(x.negative), m);
  const int natural = x.exponent + bit_length(x.significand) - (f.fraction + 1);
  const bool tiny = natural < f.min_exponent();
  // .ftz asks after rounding as if exponents had no end (H200: mul.ftz.f32 80800001 3f7ffffe is 80800000).
  const bool carries = tiny && natural + 1 == f.min_exponent() && rounded(x, natural, m.round) == 2 * f.hidden();
  if (tiny && !carries && m.ftz && f != kDouble) return saturated(f, f.signed_zero(x.negative), m);
  const int exponent = tiny ? f.min_exponent() : natural;
  const Bits whole = static_cast<Bits>(rounded(x, exponent, m.round));
  const int field = exponent - f.min_exponent();  // the hidden bit, or a carry out of the fraction, adds one by itself
  if (field >= 2 * f.bias() + 1) return saturated(f, overflow(f, x.negative, m.round), m);
  const Bits size = whole + (static_cast<Bits>(field) << f.fraction);
  if (size >= f.infinity()) return saturated(f, overflow(f, x.negative, m.round), m);
  return saturated(f, size | f.signed_zero(x.negative), m);
}

// x + y. Significands may have up to 107 bits: an operand that loses bits to alignment is then at least 2^18 times the
// smaller, so that cancellation takes one bit at most and the sticky bit stays below what is rounded.
constexpr Exact sum(Exact x, Exact y, Round round) {
  const bool zero_sign = direction(round) == Round::Rm;
  if (x.significand == 0 && y.significand == 0)
    return {x.negative == y.negative ? x.negative : zero_sign, x.exponent, 0};
  if (x.significand == 0) return y;
  if (y.significand == 0) return x;
  Exact big = normalised(x, 125), small = normalised(y, 125);
  if (big.exponent < small.exponent || (big.exponent == small.exponent && big.significand < small.significand)) {
    const Exact swapped = big;
    big = small;
    small = swapped;
  }
  const int distance = big.exponent - small.exponent;
  const UInt128 aligned = distance > 127 ? 0 : small.significand >> distance;
  const bool lost = distance > 127 || (aligned << distance) != small.significand;
  if (big.negative == small.negative) return {big.negative, big.exponent, big.significand + aligned, lost};
  const UInt128 difference = big.significand - aligned - lost;
  return {difference == 0 && !lost ? zero_sign : big.negative, big.exponent, difference, lost};
}

// ---- arithmetic. Of several NaN operands, f64 passes on b before c before a; division passes on a before b.
constexpr Bits add(Format f, Bits a, Bits b, Mods m) {
  a = flush(f, a, m);
  b = flush(f, b, m);
  if (is_nan(f, a) || is_nan(f, b)) return saturated(f, nan_result(f, b, a), m);
  if (is_infinite(f, a) || is_infinite(f, b)) {
    if (is_infinite(f, a) && is_infinite(f, b) && a != b) return saturated(f, default_nan(f), m);
    return saturated(f, is_infinite(f, a) ? a : b, m);
  }
  return pack(f, sum(unpack(f, a), unpack(f, b), m.round), m);
}

constexpr Bits sub(Format f, Bits a, Bits b, Mods m) { return add(f, a, is_nan(f, b) ? b : b ^ f.sign(), m); }

constexpr Exact product(const Exact& x, const Exact& y) {
  return {x.negative != y.negative, x.exponent + y.exponent, x.significand * y.significand};
}

constexpr Bits mul(Format f, Bits a, Bits b, Mods m) {
  a = flush(f, a, m);
  b = flush(f, b, m);
  if (is_nan(f, a) || is_nan(f, b)) return saturated(f, nan_result(f, b, a), m);
  if (is_infinite(f, a) || is_infinite(f, b)) {
    if (is_zero(f, a) || is_zero(f, b)) return saturated(f, default_nan(f), m);
    return saturated(f, f.infinity() | ((a ^ b) & f.sign()), m);
  }
  return pack(f, product(unpack(f, a), unpack(f, b)), m);
}

constexpr Bits fma(Format f, Bits a, Bits b, Bits c, Mods m) {
  a = flush(f, a, m);
  b = flush(f, b, m);
  c = flush(f, c, m);
  if (is_nan(f, a) || is_nan(f, b) || is_nan(f, c)) return saturated(f, nan_result(f, is_nan(f, b) ? b : c, a), m);
  const Bits product_sign = (a ^ b) & f.sign();
  if (is_infinite(f, a) || is_infinite(f, b)) {
    const bool invalid = is_zero(f, a) || is_zero(f, b) || (is_infinite(f, c) && (c & f.sign()) != product_sign);
    return saturated(f, invalid ? default_nan(f) : f.infinity() | product_sign, m);
  }
  if (is_infinite(f, c)) return saturated(f, c, m);
  return pack(f, sum(product(unpack(f, a), unpack(f, b)), unpack(f, c), m.round), m);
}

constexpr Bits div(Format f, Bits a, Bits b, Mods m) {
  a = flush(f, a, m);
  b = flush(f, b, m);
  if (is_nan(f, a) || is_nan(f, b)) return saturated(f, nan_result(f, a, b), m);
  const Bits sign = (a ^ b) & f.sign();
  if (is_infinite(f, a)) return saturated(f, is_infinite(f, b) ? default_nan(f) : f.infinity() | sign, m);
  if (is_infinite(f, b)) return saturated(f, sign, m);
  if (is_zero(f, b)) return saturated(f, is_zero(f, a) ? default_nan(f) : f.infinity() | sign, m);
  if (is_zero(f, a)) return saturated(f, sign, m);
  const Exact x = normalised(unpack(f, a), 126), y = normalised(unpack(f, b), f.fraction);
  const UInt128 quotient = x.significand / y.significand;
  return pack(f, {sign != 0, x.exponent - y.exponent, quotient, quotient * y.significand != x.significand}, m);
}

// The largest r with r * r <= x, bit by bit.
constexpr UInt128 integer_sqrt(UInt128 x) {
  UInt128 root = 0;
  for (UInt128 bit = UInt128{1} << 126; bit != 0; bit >>= 2) {
    const UInt128 trial = root + bit;
    root >>= 1;
    if (x >= trial) {
      x -= trial;
      root += bit;
    }
  }
  return root;
}

constexpr Bits sqrt(Format f, Bits a, Mods m) {
  a = flush(f, a, m);
  if (is_nan(f, a)) return saturated(f, nan_result(f, a), m);
  if (is_zero(f, a)) return saturated(f, a, m);
  if (is_negative(f, a)) return saturated(f, default_nan(f), m);
  if (is_infinite(f, a)) return saturated(f, a, m);
  Exact x = normalised(unpack(f, a), 125);
  if ((x.exponent & 1) != 0) {
    x.significand <<= 1;
    --x.exponent;
  }
  const UInt128 root = integer_sqrt(x.significand);
  return pack(f, {false, x.exponent / 2, root, root * root != x.significand}, m);
}

// ---- conversions
// A NaN keeps its sign and the upper bits of its payload wherever f64 is involved; f16 and f32 among themselves have
// one NaN, which is also what .ftz makes of an f32 operand (H200: cvt.f64.f16 fe12, cvt.ftz.f64.f32 ffd54321).
constexpr Bits convert_nan(Format to, Format from, Bits x, Mods m) {
  if (from == kBrain && to == kSingle && !m.ftz) return x << 16;  // (H200: cvt.f32.bf16 7f81 is 7f810000)
  if (from != kDouble && to != kDouble) return default_nan(to);
  if (from == kSingle && m.ftz) x = default_nan(kSingle);
  const Bits fraction = (x & (from.hidden() - 1)) | from.quiet();
  const Bits moved = to.fraction >= from.fraction ? fraction << (to.fraction - from.fraction)
                                                  : fraction >> (from.fraction - to.fraction);
  return to.signed_zero(is_negative(from, x)) | to.infinity() | moved;
}

constexpr Bits float_to_float(Format to, Format from, Bits x, Mods m) {
  if (to == from && to.width > 16 && m == Mods{}) return x;  // a move, even of a NaN (H200: cvt.f32.f32 7f800001)
  if (to == kHalf) m.ftz = false;  // not even of the operand (H200: cvt.rm.ftz.f16.f32 80000001 is 8001)
  if (from == kSingle) x = flush(from, x, m);
  if (is_nan(from, x)) return saturated(to, convert_nan(to, from, x, m), m);
  if (is_infinite(from, x)) return saturated(to, to.infinity() | to.signed_zero(is_negative(from, x)), m);
  Exact value = unpack(from, x);
  if (is_integral(m.round) && value.exponent < 0) value = {value.negative, 0, rounded(value, 0, m.round)};
  if (to != kSingle) m.ftz = false;  // PTX: .ftz concerns f32 operands and results only
  return pack(to, value, m);
}

// Integers are bits of their width; signed ones in two's complement.
constexpr Bits low_bits(Bits x, int width) { return width == 64 ? x : x & ((Bits{1} << width) - 1); }
constexpr Bits largest_integer(int width, bool is_signed) { return low_bits(~Bits{0}, width) >> is_signed; }

// Too large or too small becomes the nearest integer that exists; so does an infinity.
constexpr Bits clamped(UInt128 size, bool negative, int width, bool is_signed) {
  const Bits largest = largest_integer(width, is_signed);
  if (!negative) return size > largest ? largest : static_cast<Bits>(size);
  const Bits smallest_size = is_signed ? largest + 1 : 0;
  return low_bits(Bits{0} - (size > smallest_size ? smallest_size : static_cast<Bits>(size)), width);
}

constexpr Bits float_to_integer(int width, bool is_signed, Format from, Bits x, Mods m) {
  if (from == kSingle) x = flush(from, x, m);
  // NaN: the top bit where either side has 64 bits, else 0.
  if (is_nan(from, x)) return from == kDouble || width == 64 ? Bits{1} << (width - 1) : 0;
  const bool negative = is_negative(from, x);
  const Exact value = unpack(from, x);
  if (is_infinite(from, x) || value.exponent > 64)
    return clamped(is_zero(from, x) ? 0 : UInt128{1} << 65, negative, width, is_signed);
  return clamped(rounded(value, 0, m.round), negative, width, is_signed);
}

constexpr Exact integer_value(int width, bool is_signed, Bits x) {
  x = low_bits(x, width);
  const bool negative = is_signed && (x >> (width - 1) & 1) != 0;
  return {negative, 0, negative ? low_bits(Bits{0} - x, width) : x};
}

constexpr Bits integer_to_float(Format to, int width, bool is_signed, Bits x, Mods m) {
  if (to != kSingle) m.ftz = false;
  return pack(to, integer_value(width, is_signed, x), m);
}

constexpr Bits integer_to_integer(int to_width, bool to_signed, int width, bool is_signed, Bits x, Mods m) {
  const Exact value = integer_value(width, is_signed, x);
  if (m.sat) return clamped(value.significand, value.negative, to_width, to_signed);
  const Bits size = static_cast<Bits>(value.significand);
  return low_bits(value.negative ? Bits{0} - size : size, to_width);
}

// cvt: any of the integer and float types to any other.
constexpr Bits convert(Bits x, Type to, Type from, Mods m) {
  if (is_float(to) && is_float(from)) return float_to_float(format_of(to), format_of(from), x, m);
  if (is_float(to)) return integer_to_float(format_of(to), bits(from), is_signed(from), x, m);
  if (is_float(from)) return float_to_integer(bits(to), is_signed(to), format_of(from), x, m);
  return integer_to_integer(bits(to), is_signed(to), bits(from), is_signed(from), x, m);
}

// A float's value as a double, exact; and the float nearest to a double.
constexpr double value_of(Type t, Bits x) {
  return __builtin_bit_cast(double, t == Type::F64 ? x : float_to_float(kDouble, format_of(t), x, {}));
}
constexpr Bits nearest(Type t, double value) {
  const Bits bits = __builtin_bit_cast(Bits, value);
  return t == Type::F64 ? bits : float_to_float(format_of(t), kDouble, bits, {});
}
// A literal, whose value is kept as a double, as an operand of type t: of a pair both halves; where no float is wanted,
// the double's bits.
constexpr Bits literal(Type t, Bits as_double) {
  if (!is_float(element(t))) return as_double;
  const Bits one = nearest(element(t), __builtin_bit_cast(double, as_double));
  return is_pair(t) ? one * 0x10001 : one;
}

}  // namespace warpsim::softfloat
