// Exact arithmetic on bits, against two things that share no line with it: the host's floating-point unit under each of
// its rounding modes (f32, f64), and the definition of rounding applied to the list of all f16 values.
//
// Units:  a million random operand tuples an operation, a quarter of them in each rounding mode.
// Errors: a difference prints the operands' bits.
// Source: IEEE 754-2019, section 4.3. NaN results are the captures' business (vectors_test.cpp); here they need only
//         be NaN.
#include "isa/kernels/softfloat.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace warpsim::softfloat {
namespace {

constexpr int kTuplesPerMode = 250'000;

struct Direction {
  Round round;
  int host;  // fesetround's name for it
};
constexpr Direction kDirections[] = {
    {Round::Rn, FE_TONEAREST}, {Round::Rz, FE_TOWARDZERO}, {Round::Rm, FE_DOWNWARD}, {Round::Rp, FE_UPWARD}};

// Restores the host's rounding when a test ends, however it ends.
struct HostRounding {
  explicit HostRounding(int mode) { std::fesetround(mode); }
  ~HostRounding() { std::fesetround(FE_TONEAREST); }
};

class Random {
 public:
  std::uint64_t next() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9U;
    z = (z ^ z >> 27) * 0x94d049bb133111ebU;
    return z ^ z >> 31;
  }
  // Any bits; a value beside a border (zero, the subnormals, one, the largest); or one of few exponents and few set
  // bits, so that operands are close to each other and ties happen.
  Bits operand(Format f) {
    const Bits all = f.sign() | (f.sign() - 1), r = next();
    const Bits borders[] = {0, f.hidden(), f.one(), f.largest(), f.infinity(), f.one() + 8 * f.hidden()};
    switch (r >> 61) {
      case 0:
      case 1: return next() & all;
      case 2: return ((borders[r % 6] + (r >> 32 & 3) - 1) & (f.sign() - 1)) | (r & 8 ? f.sign() : 0);
      case 3: return ((f.one() + ((r & 15) << f.fraction)) | Bits{1} << (r >> 8 & 63) % unsigned(f.fraction)) & all;
      default:
        return (((next() & (f.hidden() - 1)) + f.one() + (r & 63) * f.hidden() - 32 * f.hidden()) ^
                (r >> 6 & 1) * f.sign()) &
               all;
    }
  }

 private:
  std::uint64_t state_ = 2026;
};

std::string text(std::initializer_list<Bits> operands, Round round) {
  std::string all = std::string(name(round)) + ":";
  for (const Bits x : operands) {
    char one[20];
    std::snprintf(one, sizeof one, " %llx", static_cast<unsigned long long>(x));
    all += one;
  }
  return all;
}

// The same bits, or both NaN.
bool agree(Format f, Bits x, Bits y) { return x == y || (is_nan(f, x) && is_nan(f, y)); }

template <class T>
constexpr Format kFormatOf = sizeof(T) == 4 ? kSingle : kDouble;
template <class T>
T value(Bits x) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<T>(static_cast<std::uint32_t>(x));
  else return std::bit_cast<T>(x);
}
template <class T>
Bits to_bits(T x) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<std::uint32_t>(x);
  else return std::bit_cast<std::uint64_t>(x);
}

// The host computes between volatile accesses, so that the compiler cannot move it past a change of rounding mode.
template <class T, class Host, class Ours>
void compare_with_host(Host host, Ours ours) {
  constexpr Format kF = kFormatOf<T>;
  Random random;
  int differences = 0;
  for (const Direction d : kDirections) {
    const HostRounding rounding(d.host);
    for (int i = 0; i < kTuplesPerMode && differences < 5; ++i) {
      const Bits a = random.operand(kF), b = random.operand(kF), c = random.operand(kF);
      volatile T x = value<T>(a), y = value<T>(b), z = value<T>(c);
      volatile T result = host(x, y, z);
      const Bits expected = to_bits<T>(result), got = ours(kF, a, b, c, Mods{.round = d.round});
      if (agree(kF, expected, got)) continue;
      ++differences;
      ADD_FAILURE() << text({a, b, c}, d.round) << ": host " << text({expected}, d.round) << ", ours "
                    << text({got}, d.round);
    }
  }
}

template <class T>
class AgainstTheHost : public testing::Test {};
using HostTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(AgainstTheHost, HostTypes);

TYPED_TEST(AgainstTheHost, Add) {
  using T = TypeParam;
  compare_with_host<T>([](T a, T b, T) { return a + b; },
                       [](Format f, Bits a, Bits b, Bits, Mods m) { return add(f, a, b, m); });
}
TYPED_TEST(AgainstTheHost, Sub) {
  using T = TypeParam;
  compare_with_host<T>([](T a, T b, T) { return a - b; },
                       [](Format f, Bits a, Bits b, Bits, Mods m) { return sub(f, a, b, m); });
}
TYPED_TEST(AgainstTheHost, Mul) {
  using T = TypeParam;
  compare_with_host<T>([](T a, T b, T) { return a * b; },
                       [](Format f, Bits a, Bits b, Bits, Mods m) { return mul(f, a, b, m); });
}
TYPED_TEST(AgainstTheHost, Div) {
  using T = TypeParam;
  compare_with_host<T>([](T a, T b, T) { return a / b; },
                       [](Format f, Bits a, Bits b, Bits, Mods m) { return div(f, a, b, m); });
}
TYPED_TEST(AgainstTheHost, Fma) {
  using T = TypeParam;
  compare_with_host<T>([](T a, T b, T c) { return std::fma(a, b, c); },
                       [](Format f, Bits a, Bits b, Bits c, Mods m) { return fma(f, a, b, c, m); });
}
TYPED_TEST(AgainstTheHost, Sqrt) {
  using T = TypeParam;
  compare_with_host<T>([](T a, T, T) { return std::sqrt(std::fabs(a)); },
                       [](Format f, Bits a, Bits, Bits, Mods m) { return sqrt(f, a & ~f.sign(), m); });
}
TYPED_TEST(AgainstTheHost, RoundToIntegral) {
  using T = TypeParam;
  compare_with_host<T>([](T a, T, T) { return std::nearbyint(a); },
                       [](Format f, Bits a, Bits, Bits, Mods m) {
                         const Round integral[] = {Round::Rni, Round::Rzi, Round::Rmi, Round::Rpi};
                         return float_to_float(
                             f, f, a, Mods{.round = integral[static_cast<int>(m.round) - static_cast<int>(Round::Rn)]});
                       });
}

TEST(AgainstTheHost, DoubleToFloat) {
  Random random;
  for (const Direction d : kDirections) {
    const HostRounding rounding(d.host);
    for (int i = 0; i < kTuplesPerMode; ++i) {
      // Half of them near the floats, where roundings and overflows are.
      Bits a = random.operand(kDouble);
      if (i % 2 != 0) a = float_to_float(kDouble, kSingle, random.operand(kSingle), {}) + random.next() % (1U << 30);
      volatile double x = value<double>(a);
      volatile float result = static_cast<float>(x);
      const Bits got = float_to_float(kSingle, kDouble, a, Mods{.round = d.round});
      ASSERT_TRUE(agree(kSingle, to_bits<float>(result), got)) << text({a, got}, d.round);
    }
  }
}

TEST(AgainstTheHost, FloatToDoubleIsExact) {
  Random random;
  for (int i = 0; i < 4 * kTuplesPerMode; ++i) {
    const Bits a = random.operand(kSingle), got = float_to_float(kDouble, kSingle, a, {});
    ASSERT_TRUE(agree(kDouble, to_bits<double>(static_cast<double>(value<float>(a))), got))
        << text({a, got}, Round::Rn);
  }
}

template <class Int, class T>
void integers_to_floats() {
  Random random;
  for (const Direction d : kDirections) {
    const HostRounding rounding(d.host);
    for (int i = 0; i < kTuplesPerMode / 4; ++i) {
      const Int n = static_cast<Int>(random.next() >> (random.next() & 63));
      volatile Int x = n;
      volatile T result = static_cast<T>(x);
      const Bits got = integer_to_float(kFormatOf<T>, sizeof(Int) * 8, std::is_signed_v<Int>, static_cast<Bits>(n),
                                        Mods{.round = d.round});
      ASSERT_EQ(to_bits<T>(result), got) << text({static_cast<Bits>(n)}, d.round);
    }
  }
}
TEST(AgainstTheHost, IntegersToFloats) {
  integers_to_floats<std::int32_t, float>();
  integers_to_floats<std::uint32_t, float>();
  integers_to_floats<std::int64_t, float>();
  integers_to_floats<std::int32_t, double>();
  integers_to_floats<std::uint32_t, double>();
  integers_to_floats<std::int64_t, double>();
  // u64 is left to the captures: x86 has no such instruction, and what compilers put there rounds twice in some modes.
}

// What fits is what the host gives; what does not is the nearest end of the range.
template <class Int, class T>
void floats_to_integers() {
  using Limits = std::numeric_limits<Int>;
  Random random;
  for (const Direction d : kDirections) {
    const HostRounding rounding(d.host);
    for (int i = 0; i < kTuplesPerMode / 4; ++i) {
      const Bits a = random.operand(kFormatOf<T>);
      volatile T x = value<T>(a);
      if (std::isnan(value<T>(a))) continue;
      volatile T whole = std::nearbyint(x);
      const T end = std::ldexp(T{1}, Limits::digits);  // one past the largest
      const Int expected = whole >= end                                ? Limits::max()
                           : whole < (Limits::is_signed ? -end : T{0}) ? Limits::min()
                                                                       : static_cast<Int>(whole);
      const Bits got = float_to_integer(sizeof(Int) * 8, Limits::is_signed, kFormatOf<T>, a, Mods{.round = d.round});
      ASSERT_EQ(static_cast<Bits>(static_cast<std::make_unsigned_t<Int>>(expected)), got) << text({a}, d.round);
    }
  }
}
TEST(AgainstTheHost, FloatsToIntegers) {
  floats_to_integers<std::int32_t, float>();
  floats_to_integers<std::uint32_t, float>();
  floats_to_integers<std::int64_t, float>();
  floats_to_integers<std::uint64_t, float>();
  floats_to_integers<std::int32_t, double>();
  floats_to_integers<std::uint32_t, double>();
  floats_to_integers<std::int64_t, double>();
  floats_to_integers<std::uint64_t, double>();
}

// ---- f16 by definition: of the two neighbouring values, the one that the direction asks for
struct Halves {
  std::vector<double> magnitude;  // of bits 0 … 0x7bff, and 2^16 in the place of infinity
  Halves() {
    for (int bits = 0; bits <= 0x7c00; ++bits) {
      const int exponent = bits >> 10, fraction = bits & 0x3ff;
      magnitude.push_back(exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25));
    }
  }
  double of(Bits x) const { return (x & 0x8000) != 0 ? -magnitude[x & 0x7fff] : magnitude[x & 0x7fff]; }
};
const Halves& halves() {
  static const Halves kHalves;
  return kHalves;
}

// `below(v)` says whether v is at most the exact size, `compare(v)` orders the exact size against v: -1, 0, 1.
template <class Compare>
Bits half_by_definition(bool negative, Round round, Compare compare) {
  const std::vector<double>& values = halves().magnitude;
  int low = 0, high = 0x7c00;  // the largest value that is not above the exact size
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (compare(values[static_cast<std::size_t>(middle)]) >= 0) low = middle;
    else high = middle - 1;
  }
  const Bits sign = negative ? 0x8000 : 0;
  const bool exact = compare(values[static_cast<std::size_t>(low)]) == 0 && low < 0x7c00;
  const bool away = round == Round::Rp ? !negative : round == Round::Rm && negative;
  if (exact) return sign | static_cast<Bits>(low);
  if (low == 0x7c00) return sign | (away || round == Round::Rn ? 0x7c00U : 0x7bffU);
  if (round != Round::Rn) return sign | static_cast<Bits>(low + away);
  const double middle = (values[static_cast<std::size_t>(low)] + values[static_cast<std::size_t>(low) + 1]) / 2;
  const int order = compare(middle);
  return sign | static_cast<Bits>(low + (order > 0 || (order == 0 && low % 2 != 0)));
}
int order(double x, double y) { return x < y ? -1 : x > y ? 1 : 0; }

// Finite operands; the exact results are doubles, or are compared by multiplying out.
TEST(HalfByDefinition, AddMulDiv) {
  Random random;
  for (const Direction d : kDirections) {
    const Mods mods{.round = d.round};
    for (int i = 0; i < kTuplesPerMode; ++i) {
      const Bits x = random.operand(kHalf), y = random.operand(kHalf);
      if ((x & 0x7c00) == 0x7c00 || (y & 0x7c00) == 0x7c00) continue;
      const double a = halves().of(x), b = halves().of(y), sum = a + b, size = std::fabs(sum),
                   product = std::fabs(a * b);
      const bool negative = (x ^ y) >> 15 != 0;
      if (sum != 0) {
        const Bits expected = half_by_definition(sum < 0, d.round, [size](double v) { return order(size, v); });
        ASSERT_EQ(expected, add(kHalf, x, y, mods)) << text({x, y}, d.round);
        ASSERT_EQ(expected, sub(kHalf, x, y ^ 0x8000, mods)) << text({x, y}, d.round);
      }
      const Bits times = half_by_definition(negative, d.round, [product](double v) { return order(product, v); });
      ASSERT_EQ(times, mul(kHalf, x, y, mods)) << text({x, y}, d.round);
      if (b == 0) continue;
      const Bits over =
          half_by_definition(negative, d.round, [a, b](double v) { return order(std::fabs(a), v * std::fabs(b)); });
      ASSERT_EQ(over, div(kHalf, x, y, mods)) << text({x, y}, d.round);
    }
  }
}

TEST(HalfByDefinition, SqrtOfEveryValue) {
  for (const Direction d : kDirections) {
    for (Bits x = 1; x < 0x7c00; ++x) {
      const double a = halves().of(x);
      const Bits expected = half_by_definition(false, d.round, [a](double v) { return order(a, v * v); });
      ASSERT_EQ(expected, sqrt(kHalf, x, Mods{.round = d.round})) << text({x}, d.round);
    }
  }
}

// The operands are spread so that the sum is exact in a double: products of nearby sizes.
TEST(HalfByDefinition, Fma) {
  Random random;
  for (const Direction d : kDirections) {
    for (int i = 0; i < kTuplesPerMode; ++i) {
      const Bits x = random.operand(kHalf), y = random.operand(kHalf), z = random.operand(kHalf);
      if ((x & 0x7c00) == 0x7c00 || (y & 0x7c00) == 0x7c00 || (z & 0x7c00) == 0x7c00) continue;
      const double product = halves().of(x) * halves().of(y), c = halves().of(z), sum = product + c;
      if (sum == 0 || sum - product != c || sum - c != product) continue;
      const Bits expected = half_by_definition(sum < 0, d.round, [sum](double v) { return order(std::fabs(sum), v); });
      ASSERT_EQ(expected, fma(kHalf, x, y, z, Mods{.round = d.round})) << text({x, y, z}, d.round);
    }
  }
}

TEST(HalfByDefinition, Conversions) {
  Random random;
  for (const Direction d : kDirections) {
    const Mods mods{.round = d.round};
    for (int i = 0; i < kTuplesPerMode; ++i) {
      const Bits wide = random.operand(kDouble), narrow = random.operand(kSingle);
      const double a = value<double>(wide);
      const double b = static_cast<double>(value<float>(narrow));
      const auto nearest = [d](double x) {
        return half_by_definition(std::signbit(x), d.round, [x](double v) { return order(std::fabs(x), v); });
      };
      if (std::isfinite(a)) {
        ASSERT_EQ(nearest(a), float_to_float(kHalf, kDouble, wide, mods)) << text({wide}, d.round);
      }
      if (std::isfinite(b)) {
        ASSERT_EQ(nearest(b), float_to_float(kHalf, kSingle, narrow, mods)) << text({narrow}, d.round);
      }
      const std::int32_t n = static_cast<std::int32_t>(random.next()) >> (random.next() & 31);
      ASSERT_EQ(nearest(n), integer_to_float(kHalf, 32, true, static_cast<Bits>(n), mods)) << n;
    }
  }
  for (Bits x = 0; x < 0x10000; ++x) {
    if ((x & 0x7c00) == 0x7c00) continue;
    ASSERT_EQ(to_bits<double>(halves().of(x)), float_to_float(kDouble, kHalf, x, {}));
    ASSERT_EQ(to_bits<float>(static_cast<float>(halves().of(x))), float_to_float(kSingle, kHalf, x, {}));
  }
}

// ---- .ftz and .sat, from what the unmodified operation gives
template <class Op>
void flushes_and_saturates(Op op) {
  Random random;
  for (const Direction d : kDirections) {
    for (int i = 0; i < kTuplesPerMode / 4; ++i) {
      const Bits a = random.operand(kSingle), b = random.operand(kSingle), c = random.operand(kSingle);
      const Mods plain{.round = d.round}, ftz{.round = d.round, .ftz = true}, sat{.round = d.round, .sat = true};
      const Bits kept = op(a, b, c, plain), clamped = op(a, b, c, sat);
      const float x = value<float>(kept);
      ASSERT_EQ(clamped, to_bits<float>(x > 1 ? 1.0F : x > 0 ? x : 0.0F)) << text({a, b, c}, d.round);
      const auto zeroed = [](Bits bits) { return is_subnormal(kSingle, bits) ? bits & kSingle.sign() : bits; };
      const Bits from_zeroed = op(zeroed(a), zeroed(b), zeroed(c), plain), flushed = op(a, b, c, ftz);
      // The smallest normal number may have come from a tiny result that was rounded up: then the machine says which.
      if (magnitude(kSingle, from_zeroed) == kSingle.hidden()) continue;
      ASSERT_EQ(flushed, zeroed(from_zeroed)) << text({a, b, c}, d.round);
    }
  }
}
TEST(FlushAndSaturate, EveryOperation) {
  flushes_and_saturates([](Bits a, Bits b, Bits, Mods m) { return add(kSingle, a, b, m); });
  flushes_and_saturates([](Bits a, Bits b, Bits, Mods m) { return sub(kSingle, a, b, m); });
  flushes_and_saturates([](Bits a, Bits b, Bits, Mods m) { return mul(kSingle, a, b, m); });
  flushes_and_saturates([](Bits a, Bits b, Bits, Mods m) { return div(kSingle, a, b, m); });
  flushes_and_saturates([](Bits a, Bits b, Bits c, Mods m) { return fma(kSingle, a, b, c, m); });
  flushes_and_saturates([](Bits a, Bits, Bits, Mods m) { return sqrt(kSingle, a, m); });
}

// It is all constexpr: a build would fail here.
static_assert(add(kDouble, kDouble.one(), kDouble.one(), {}) == 0x4000000000000000U);
static_assert(sqrt(kSingle, 0x40800000, {}) == 0x40000000);
static_assert(convert(0xbfc00000, Type::S32, Type::F32, Mods{.round = Round::Rni}) == 0xfffffffe);

}  // namespace
}  // namespace warpsim::softfloat
