#include "tools/fuzz/reference_mufu.h"

#include <cmath>

#include "isa/kernels/mufu_tables.h"
#include "tools/fuzz/exact_float.h"
#include "tools/fuzz/reference_interpreter.h"

namespace warpsim::reference {
namespace {

using Bits = std::uint64_t;
constexpr Bits kQuietNaN = 0x7fffffff, kPositiveInfinity = 0x7f800000;
constexpr Format kF = kSingleFormat, kD = kDoubleFormat;

// ---- f32 and f64 arithmetic, by the reference's own rows
Bits run(Op op, Type type, const std::vector<Bits>& sources, bool ftz = false) {
  Mods mods;
  mods.ftz = ftz;
  if (op == Op::Fma) mods.round = Round::Rn;
  return evaluate(op, type, Type::None, mods, sources, 32);
}
Bits times(Bits a, Bits b) { return run(Op::MulF, Type::F32, {a, b}); }
Bits power_of_two(int exponent) { return static_cast<Bits>(127 + exponent) << 23; }

// ---- a table's polynomial: A 2^s + B X + C SQ(X') 2^t + K
struct Polynomial {
  const mufu::Coefficients* table;
  int x_bits, s, t;
  std::int64_t k;
  bool doubled = false;  // X' is 2 X
};
std::int64_t half_square(std::int64_t x) {
  std::int64_t total = 0;
  for (int i = 16; i >= 0; --i) {
    if ((x & (std::int64_t{1} << i)) != 0) total += static_cast<std::int64_t>(std::floor(std::ldexp(x, i - 18)));
  }
  return total / 2;
}
std::int64_t at(const Polynomial& p, std::int64_t row, std::int64_t x) {
  const mufu::Coefficients& c = p.table[row];
  const std::int64_t square = half_square(p.doubled ? 2 * x : x);
  return c.a * (std::int64_t{1} << p.s) + c.b * x + c.c * square * (std::int64_t{1} << p.t) + p.k;
}
std::int64_t at(const Polynomial& p, std::int64_t argument) {
  const std::int64_t rows = std::int64_t{1} << p.x_bits;
  return at(p, argument / rows, argument % rows);
}
std::int64_t floor_shift(std::int64_t value, int by) {
  return static_cast<std::int64_t>(std::floor(std::ldexp(static_cast<long double>(value), -by)));
}

// size * 2^exponent; what lies below the normal numbers is zero.
Bits packed(const Format& f, bool negative, std::int64_t size, int exponent, Rounding rounding) {
  Number n;
  n.negative = negative;
  n.magnitude = Wide(static_cast<std::uint64_t>(size));
  n.exponent = exponent;
  const Rounded r = round_number(n, f, rounding);
  return size == 0 || r.tiny ? (negative ? f.sign_bit() : 0) : r.bits;
}
Bits exactly(bool negative, std::int64_t size, int exponent) {
  return packed(kF, negative, size, exponent, Rounding::NearestEven);
}
Bits cut_off(bool negative, std::int64_t size, int exponent) {
  return packed(kF, negative, size, exponent, Rounding::TowardZero);
}

// x = ±1.f 2^e
struct Parts {
  bool negative;
  std::int64_t fraction;
  int exponent;
};
Parts parts(const Format& f, Bits x) {
  const std::int64_t fraction = static_cast<std::int64_t>(x & ((Bits{1} << f.fraction_bits) - 1));
  const int biased = static_cast<int>(x >> f.fraction_bits & static_cast<Bits>(f.max_biased()));
  return {is_negative(f, x), fraction, biased - f.bias()};
}
bool is_nothing(const Format& f, Bits x) { return is_zero(f, x) || is_subnormal(f, x); }
int halved(int exponent) { return static_cast<int>(std::floor(exponent / 2.0)); }
// The fraction of 23 bits, and a bit above it where the exponent is odd.
std::int64_t root_argument(const Parts& p, std::int64_t fraction) {
  return fraction + (p.exponent % 2 != 0 ? 1 << 23 : 0);
}

// ---- the operations
std::int64_t rcp_sum(std::int64_t fraction) {
  return floor_shift(at({mufu::kRcp, 16, 13, 0, 0x47e7, true}, fraction), 15);
}
std::int64_t rsqrt_sum(std::int64_t g) { return floor_shift(at({mufu::kRsqrt, 17, 14, 2, 0x7fff}, g), 16); }

Bits rcp(Bits x) {
  const Parts p = parts(kF, x);
  const Bits sign = x & kF.sign_bit();
  if (is_nan(kF, x)) return kQuietNaN;
  if (is_infinite(kF, x)) return sign;
  if (is_nothing(kF, x)) return sign | kPositiveInfinity;
  return exactly(p.negative, rcp_sum(p.fraction), -24 - p.exponent);
}

Bits rsqrt(Bits x) {
  const Parts p = parts(kF, x);
  if (is_nan(kF, x)) return kQuietNaN;
  if (is_nothing(kF, x)) return (x & kF.sign_bit()) | kPositiveInfinity;
  if (p.negative) return kQuietNaN;
  if (is_infinite(kF, x)) return 0;
  const std::int64_t g = root_argument(p, p.fraction);
  if (g == 0) return exactly(false, 1, -halved(p.exponent));
  return exactly(false, rsqrt_sum(g), -24 - halved(p.exponent));
}

Bits sqrt(Bits x) {
  const Parts p = parts(kF, x);
  if (is_nan(kF, x)) return kQuietNaN;
  if (is_nothing(kF, x)) return x & kF.sign_bit();
  if (p.negative) return kQuietNaN;
  if (is_infinite(kF, x)) return x;
  const std::int64_t g = root_argument(p, p.fraction);
  const std::int64_t sum = p.exponent % 2 == 0 ? floor_shift(at({mufu::kSqrt, 17, 15, 1, 0x7fff}, g), 17)
                                               : floor_shift(at({mufu::kSqrt, 17, 14, 0, 0x3fff}, g), 16);
  return exactly(false, sum, halved(p.exponent) - 23);
}

Bits ex2(Bits x) {
  const Parts p = parts(kF, x);
  if (is_nan(kF, x)) return kQuietNaN;
  if (p.exponent >= 7) return p.negative ? 0 : kPositiveInfinity;
  double size = is_nothing(kF, x) ? 0.0 : std::ldexp(1.0 + std::ldexp(p.fraction, -23), p.exponent);
  size = std::floor(std::ldexp(size, 23));  // in 2^-23
  const double unit = 8388608.0;
  double whole = std::floor(size / unit), rest = size - whole * unit;
  if (p.negative && rest == 0) whole = -whole;
  else if (p.negative) whole = -whole - 1, rest = unit - 1 - rest;
  const std::int64_t sum = floor_shift(at({mufu::kEx2, 17, 13, 0, 0x77e2}, static_cast<std::int64_t>(rest)), 15);
  return exactly(false, sum, static_cast<int>(whole) - 23);
}

Bits lg2(Bits x) {
  const Parts p = parts(kF, x);
  if (is_nan(kF, x)) return kQuietNaN;
  if (is_nothing(kF, x)) return kF.sign_bit() | kPositiveInfinity;
  if (p.negative) return kQuietNaN;
  if (is_infinite(kF, x)) return x;
  if (p.fraction == 0 && p.exponent == 0) return 0;
  const std::int64_t value =
      floor_shift(at({mufu::kLg2, 17, 12, 1, 0x3345}, p.fraction), 2) + p.exponent * (std::int64_t{1} << 36);
  return value < 0 ? cut_off(-value - 1 != 0, -value - 1, -36) : cut_off(false, value, -36);
}

// The operand is in radians; x / 2 pi is an exact product cut off.
Bits sine(Bits x, bool cosine) {
  if (is_nan(kF, x) || is_infinite(kF, x)) return kQuietNaN;
  Number product = multiply(decode(kF, x), decode(kF, 0x3e22f983));
  if (is_nothing(kF, x)) product.magnitude = Wide(0);
  const Rounded cut = round_number(product, kF, Rounding::TowardZero);
  const Bits turns = product.is_zero() || cut.tiny ? x & kF.sign_bit() : cut.bits;
  const Parts p = parts(kF, turns);
  double quarters = is_nothing(kF, turns) ? 0.0 : std::ldexp(1.0 + std::ldexp(p.fraction, -23), p.exponent + 2);
  quarters = std::fmod(std::floor(std::ldexp(quarters, 23)), 33554432.0);  // in 2^-23, of one turn
  int quadrant = static_cast<int>(quarters / 8388608.0);
  std::int64_t rest = static_cast<std::int64_t>(std::fmod(quarters, 8388608.0));
  bool negative = p.negative;
  if (cosine) negative = false, ++quadrant;
  if (quadrant % 2 == 1) rest = 8388607 - rest;
  if (quadrant == 2 || quadrant == 3) negative = !negative;
  const std::int64_t value = at({mufu::kSin, 17, 11, 0, 0}, rest);
  return cut_off(negative, value > 0 ? value : 0, -37);
}

Bits tanh(Bits x) {
  if (is_nan(kF, x)) return kQuietNaN;
  const Parts p = parts(kF, x);
  if (p.exponent < -8) return x;
  if (p.exponent >= 3) return (x & kF.sign_bit()) | power_of_two(0);
  const mufu::Binade& binade = mufu::kTanhBinade[p.exponent + 8];
  const std::int64_t segment = std::int64_t{1} << binade.segment_log2, place = p.fraction % segment;
  // Of a binade that is one segment, the exponent's lowest bit is no part of X: only 17 bits count.
  const std::int64_t used = binade.segment_log2 - 17;
  const std::int64_t sum =
      at({mufu::kTanh, 0, 15, 1, 0}, binade.first + p.fraction / segment, floor_shift(place, static_cast<int>(used)));
  return cut_off(p.negative, sum, -binade.fraction_bits);
}

// ---- the forms without .ftz
Bits scaled(Bits (*function)(Bits), Bits x, int up, int back) {
  return times(function(times(x, power_of_two(up))), power_of_two(back));
}
bool is_above_2_126(Bits x) {
  const Bits size = x & ~kF.sign_bit();
  return size > power_of_two(126) && size < kPositiveInfinity;
}

Bits quotient(Bits a, Bits b, bool full, bool ftz) {
  const int scale = !ftz && is_subnormal(kF, b) ? 24 : full && is_above_2_126(b) ? -2 : 0;
  if (scale != 0) {
    a = run(Op::MulF, Type::F32, {a, power_of_two(scale)}, ftz);
    b = run(Op::MulF, Type::F32, {b, power_of_two(scale)}, ftz);
  }
  return run(Op::MulF, Type::F32, {a, rcp(b)}, ftz);
}

// ---- f64
Bits seed(Op op, Bits x) {
  const Bits high = x >> 32 << 32;  // the low word is not read
  const Bits sign = x & kD.sign_bit(), nan = Bits{0x7fffffff} << 32;
  Parts p = parts(kD, high);
  const std::int64_t fraction = (p.fraction >> 32) * 8;  // 20 bits as 23
  if (is_nan(kD, high)) return nan;
  if (is_nothing(kD, high)) return sign | kD.infinity();
  if (op == Op::RcpSeed) {
    if (is_infinite(kD, high)) return sign;
    return packed(kD, p.negative, rcp_sum(fraction) / 8, -21 - p.exponent, Rounding::NearestEven);
  }
  if (p.negative) return nan;
  if (is_infinite(kD, high)) return 0;
  const std::int64_t g = root_argument(p, fraction);
  if (g == 0) return packed(kD, false, 1, -halved(p.exponent), Rounding::NearestEven);
  return packed(kD, false, rsqrt_sum(g) / 8, -21 - halved(p.exponent), Rounding::NearestEven);
}

Bits refined_rsqrt(Bits x) {
  constexpr Bits kOne = 0x3ff0000000000000, kHalf = 0x3fe0000000000000, kThreeEighths = 0x3fd8000000000000;
  if (is_nan(kD, x)) return x | kD.quiet_bit();
  if (is_zero(kD, x)) return x | kD.infinity();
  if (is_negative(kD, x)) return kD.sign_bit() | kD.infinity() | kD.quiet_bit();
  if (is_infinite(kD, x)) return 0;
  const auto mul = [](Bits a, Bits b) { return run(Op::MulF, Type::F64, {a, b}); };
  const auto fma = [](Bits a, Bits b, Bits c) { return run(Op::Fma, Type::F64, {a, b, c}); };
  const bool small = is_subnormal(kD, x);
  if (small) x = mul(x, Bits{1023 + 54} << 52);
  const Bits y = seed(Op::RsqrtDouble, x);
  const Bits error = fma(run(Op::NegF, Type::F64, {mul(y, y)}), x, kOne);
  const Bits better = fma(fma(kThreeEighths, error, kHalf), mul(error, y), y);
  return small ? mul(better, Bits{1023 + 27} << 52) : better;
}

// ---- halves
Bits of_half(Bits (*function)(Bits), Type type, Bits x) {
  const Bits wide = evaluate(Op::Cvt, Type::F32, type, {}, {x}, 32);
  const Bits result = function(wide);
  if (is_nan(kF, result)) return 0x7fff;
  if (type == Type::BF16) return result >> 16;
  if ((result & ~kF.sign_bit()) >= power_of_two(16)) return (result >> 16 & 0x8000) | 0x7c00;
  Mods mods;
  mods.round = Round::Rz;
  return evaluate(Op::Cvt, Type::F16, Type::F32, mods, {result}, 32);
}

}  // namespace

std::optional<std::uint64_t> special_function(Op op, Type type, const Mods& mods, std::uint64_t a, std::uint64_t b) {
  const bool small = !mods.ftz && is_subnormal(kF, a & 0xffffffff);
  switch (op) {
    case Op::RcpApprox:
      if (small) return scaled(rcp, a, 24, 24);
      return !mods.ftz && is_above_2_126(a) ? scaled(rcp, a, -2, -2) : rcp(a);
    case Op::RsqrtApprox: return small ? scaled(rsqrt, a, 24, 12) : rsqrt(a);
    case Op::SqrtApprox: return small ? scaled(sqrt, a, 24, -12) : sqrt(a);
    case Op::Ex2Approx: {
      const bool low = !mods.ftz && !is_nan(kF, a) && compare(kF, a, 0xc2fc0000) < 0;  // -126
      const Bits root = low ? ex2(times(a, power_of_two(-1))) : 0;
      return low ? times(root, root) : ex2(a);
    }
    case Op::Lg2Approx:
      return small ? run(Op::SubF, Type::F32, {lg2(times(a, power_of_two(24))), 0x41c00000}) : lg2(a);  // 24.0
    case Op::SinApprox: return sine(a, false);
    case Op::CosApprox: return sine(a, true);
    case Op::TanhApprox: return tanh(a);
    case Op::DivApprox: return quotient(a, b, false, mods.ftz);
    case Op::DivFull: return quotient(a, b, true, mods.ftz);
    case Op::RcpSeed: return seed(op, a);
    case Op::RsqrtDouble: return mods.ftz ? seed(op, a) : refined_rsqrt(a);
    case Op::Ex2Half:
    case Op::Ex2Brain: return of_half(ex2, type, a);
    case Op::TanhHalf: return of_half(tanh, type, a);
    default: return std::nullopt;
  }
}

}  // namespace warpsim::reference
