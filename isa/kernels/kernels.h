// The scalar meaning of every instruction: pure functions, one struct a kernel of the instruction table.
//
// Shapes: K::of<T>(operands) for the instruction's type T. Floats have two forms: without modifiers (round to
//         nearest, no .ftz, no .sat), made of the host's own IEEE operations so that a loop over lanes vectorises;
//         and with Mods, exact for any of them. sim/code/lift.h says how a kernel acts on a warp.
// Units:  a shift amount counts bits.
// Errors: none: every input has an answer, and no input is undefined behaviour in C++.
// Source: PTX ISA 9.0, chapter 9.7; what PTX leaves to the machine is what the H200 gives
//         (tests/data/h200_semantics.txt.xz).  The files that include this are compiled for several host instruction
//         sets and linked into one binary. A copy that the linker shares could be one that this host cannot run, so
//         everything a fast path calls is always inlined.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "isa/kernels/kernels_bits.h"
#include "isa/kernels/kernels_convert.h"
#include "isa/kernels/kernels_float.h"
#include "isa/kernels/kernels_warp.h"
#include "isa/kernels/softfloat.h"
#include "isa/table/op.h"
#include "isa/table/type.h"

namespace warpsim::kernels {

template <class T>
using Unsigned = std::make_unsigned_t<T>;
template <class T>
inline constexpr unsigned kBitsOf = sizeof(T) * 8;

__extension__ typedef __int128 Int128;  // ISO C++ has no such types
template <class T>
struct WideOf;
template <>
struct WideOf<std::uint32_t> {
  using type = std::uint64_t;
};
template <>
struct WideOf<std::int32_t> {
  using type = std::int64_t;
};
template <>
struct WideOf<std::uint64_t> {
  using type = softfloat::UInt128;
};
template <>
struct WideOf<std::int64_t> {
  using type = Int128;
};
template <class T>
using Wide = typename WideOf<T>::type;

// clang-format off

// ---- moves and selection
struct Copy   { template <class T> [[gnu::always_inline]] static constexpr T of(T a) { return a; } };
struct Select { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b, bool p) { return p ? a : b; } };

struct Convert {
  static constexpr std::uint64_t of(std::uint64_t bits, Type to, Type from, Mods m) { return softfloat::convert(bits, to, from, m); }
};

// ---- integers, wrapping: computed unsigned, where C++ wraps too
struct Add   { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b)); } };
struct Sub   { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b)); } };
struct MulLo { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return static_cast<T>(static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b)); } };
struct MulHi { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return static_cast<T>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b) >> kBitsOf<T>); } };
struct MadLo { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b, T c) { return Add::of<T>(MulLo::of<T>(a, b), c); } };
struct MadHi { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b, T c) { return Add::of<T>(MulHi::of<T>(a, b), c); } };
struct MulWide { template <class T> [[gnu::always_inline]] static constexpr Wide<T> of(T a, T b) { return static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b); } };
struct MadWide { template <class T> [[gnu::always_inline]] static constexpr Wide<T> of(T a, T b, Wide<T> c) { return Add::of<Wide<T>>(MulWide::of<T>(a, b), c); } };

struct Neg { template <class T> [[gnu::always_inline]] static constexpr T of(T a) { return Sub::of<T>(0, a); } };
struct Abs { template <class T> [[gnu::always_inline]] static constexpr T of(T a) { return a < 0 ? Neg::of<T>(a) : a; } };
struct Min { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return a < b ? a : b; } };
struct Max { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return a > b ? a : b; } };

// By zero: all ones, the quotient and the rest (H200: i_div*, i_rem*, l_div*, l_rem*). By -1: the wrapped negation.
template <class T> [[gnu::always_inline]] constexpr bool is_minus_one(T b) { return std::is_signed_v<T> && b == static_cast<T>(-1); }
struct Div { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return b == 0 ? static_cast<T>(-1) : is_minus_one(b) ? Sub::of<T>(0, a) : static_cast<T>(a / b); } };
struct Rem { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return b == 0 ? static_cast<T>(-1) : is_minus_one(b) ? T{0} : static_cast<T>(a % b); } };

// ---- logic, shifts, counting. A shift past the width shifts everything out.
struct And { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return a & b; } };
struct Or  { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return a | b; } };
struct Xor { template <class T> [[gnu::always_inline]] static constexpr T of(T a, T b) { return a ^ b; } };
struct Not { template <class T> [[gnu::always_inline]] static constexpr T of(T a) { return ~a; } };
struct Shl { template <class T> [[gnu::always_inline]] static constexpr T of(T a, std::uint32_t b) { return b < kBitsOf<T> ? static_cast<T>(a << (b & (kBitsOf<T> - 1))) : T{0}; } };
struct Shr {
  template <class T> [[gnu::always_inline]] static constexpr T of(T a, std::uint32_t b) {
    if constexpr (std::is_signed_v<T>) return a >> (b < kBitsOf<T> ? b : kBitsOf<T> - 1);
    else return b < kBitsOf<T> ? a >> (b & (kBitsOf<T> - 1)) : T{0};
  }
};
struct Popc {  // pairs, nibbles, bytes, then all bytes added into the top one: this vectorises, unlike a call per lane
  template <class T> [[gnu::always_inline]] static constexpr std::uint32_t of(T a) {
    constexpr Unsigned<T> kOnes = static_cast<Unsigned<T>>(-1);
    Unsigned<T> x = static_cast<Unsigned<T>>(a);
    x -= x >> 1 & kOnes / 3;
    x = (x & kOnes / 5) + (x >> 2 & kOnes / 5);
    x = (x + (x >> 4)) & kOnes / 17;
    return static_cast<std::uint32_t>(x * (kOnes / 255) >> (kBitsOf<T> - 8));
  }
};

// clang-format on

// ---- floats: bits, and the NaN of a result
namespace detail {

template <class T>
struct FloatBits;
template <>
struct FloatBits<float> {
  using type = std::uint32_t;
};
template <>
struct FloatBits<double> {
  using type = std::uint64_t;
};
template <class T>
using BitsOf = typename FloatBits<T>::type;

template <class T>
[[gnu::always_inline]] constexpr BitsOf<T> to_bits(T x) {
  return __builtin_bit_cast(BitsOf<T>, x);
}
template <class T>
[[gnu::always_inline]] constexpr T from_bits(BitsOf<T> x) {
  return __builtin_bit_cast(T, x);
}
template <class T>
[[gnu::always_inline]] constexpr bool is_nan(T x) {
  return x != x;
}

template <class T>
inline constexpr softfloat::Format kFormat = sizeof(T) == 8 ? softfloat::kDouble : softfloat::kSingle;

// result, or the H200's NaN where it is one: for f32 the only one, for f64 the first of the operands that is one,
// quieted. The order of the operands is the hardware's.
template <class T>
[[gnu::always_inline]] constexpr T with_nan(T result, T first, T second, T third) {
  constexpr BitsOf<T> kDefault = static_cast<BitsOf<T>>(softfloat::default_nan(kFormat<T>));
  if constexpr (sizeof(T) == 4) {
    return is_nan(result) ? from_bits<T>(kDefault) : result;
  } else {
    constexpr BitsOf<T> kQuiet = kFormat<T>.quiet();
    BitsOf<T> nan = is_nan(third) ? to_bits(third) | kQuiet : kDefault;
    nan = is_nan(second) ? to_bits(second) | kQuiet : nan;
    nan = is_nan(first) ? to_bits(first) | kQuiet : nan;
    return is_nan(result) ? from_bits<T>(nan) : result;
  }
}
template <class T>
[[gnu::always_inline]] constexpr T with_nan(T result, T first, T second) {
  return with_nan(result, first, second, second);
}
template <class T>
[[gnu::always_inline]] constexpr T with_nan(T result, T first) {
  return with_nan(result, first, first, first);
}

// Min and max agree on everything but which operand is taken and which zero. A NaN loses (a's: take_a is false then);
// two NaNs make one.
template <class T>
[[gnu::always_inline]] constexpr T pick(bool take_a, BitsOf<T> zeros, T a, T b) {
  const BitsOf<T> x = to_bits(a), y = to_bits(b);
  BitsOf<T> r = take_a ? x : y;
  r = a == b ? zeros : r;
  r = is_nan(b) ? x : r;
  return with_nan(from_bits<T>(r), b, a);
}

template <class T>
constexpr T flushed(T x, Mods m) {
  return from_bits<T>(static_cast<BitsOf<T>>(softfloat::flush(kFormat<T>, to_bits(x), m)));
}
template <class T>
constexpr T exact(softfloat::Bits bits) {
  return from_bits<T>(static_cast<BitsOf<T>>(bits));
}

template <class T>
[[gnu::always_inline]] inline T host_fma(T a, T b, T c) {
#if defined(__EMSCRIPTEN__)
  return exact<T>(
      softfloat::fma(kFormat<T>, to_bits(a), to_bits(b), to_bits(c), Mods{}));  // its libm rounds fmaf twice
#else
  if constexpr (sizeof(T) == 4) return __builtin_fmaf(a, b, c);
  else return __builtin_fma(a, b, c);
#endif
}
template <class T>
[[gnu::always_inline]] inline T host_sqrt(T a) {
  if constexpr (sizeof(T) == 4) return __builtin_sqrtf(a);
  else return __builtin_sqrt(a);
}

}  // namespace detail

// ---- float arithmetic. f64 passes on a NaN of b before c before a; division of a before b (H200: d_*).
struct AddF {
  template <class T>
  [[gnu::always_inline]] static constexpr T of(T a, T b) {
    return detail::with_nan<T>(a + b, b, a);
  }
  template <class T>
  static constexpr T of(T a, T b, Mods m) {
    return detail::exact<T>(softfloat::add(detail::kFormat<T>, detail::to_bits(a), detail::to_bits(b), m));
  }
};
struct SubF {
  template <class T>
  [[gnu::always_inline]] static constexpr T of(T a, T b) {
    return detail::with_nan<T>(a - b, b, a);
  }
  template <class T>
  static constexpr T of(T a, T b, Mods m) {
    return detail::exact<T>(softfloat::sub(detail::kFormat<T>, detail::to_bits(a), detail::to_bits(b), m));
  }
};
struct MulF {
  template <class T>
  [[gnu::always_inline]] static constexpr T of(T a, T b) {
    return detail::with_nan<T>(a * b, b, a);
  }
  template <class T>
  static constexpr T of(T a, T b, Mods m) {
    return detail::exact<T>(softfloat::mul(detail::kFormat<T>, detail::to_bits(a), detail::to_bits(b), m));
  }
};
struct FmaF {
  template <class T>
  [[gnu::always_inline]] static T of(T a, T b, T c) {
    return detail::with_nan<T>(detail::host_fma(a, b, c), b, c, a);
  }
  template <class T>
  static constexpr T of(T a, T b, T c, Mods m) {
    using detail::to_bits;
    return detail::exact<T>(softfloat::fma(detail::kFormat<T>, to_bits(a), to_bits(b), to_bits(c), m));
  }
};
struct DivF {
  template <class T>
  [[gnu::always_inline]] static constexpr T of(T a, T b) {
    return detail::with_nan<T>(a / b, a, b);
  }
  template <class T>
  static constexpr T of(T a, T b, Mods m) {
    return detail::exact<T>(softfloat::div(detail::kFormat<T>, detail::to_bits(a), detail::to_bits(b), m));
  }
};
struct SqrtF {
  template <class T>
  [[gnu::always_inline]] static T of(T a) {
    return detail::with_nan<T>(detail::host_sqrt(a), a);
  }
  template <class T>
  static constexpr T of(T a, Mods m) {
    return detail::exact<T>(softfloat::sqrt(detail::kFormat<T>, detail::to_bits(a), m));
  }
};

// A NaN becomes what arithmetic would make of it: its sign is not touched (H200: f_abs, f_neg, d_abs, d_neg).
struct AbsF {
  template <class T>
  [[gnu::always_inline]] static constexpr T of(T a) {
    constexpr auto kMagnitude = static_cast<detail::BitsOf<T>>(detail::kFormat<T>.sign() - 1);
    return detail::with_nan<T>(detail::is_nan(a) ? a : detail::from_bits<T>(detail::to_bits(a) & kMagnitude), a);
  }
  template <class T>
  static constexpr T of(T a, Mods m) {
    return of<T>(detail::flushed(a, m));
  }
};
struct NegF {
  template <class T>
  [[gnu::always_inline]] static constexpr T of(T a) {
    constexpr auto kSign = static_cast<detail::BitsOf<T>>(detail::kFormat<T>.sign());
    return detail::with_nan<T>(detail::is_nan(a) ? a : detail::from_bits<T>(detail::to_bits(a) ^ kSign), a);
  }
  template <class T>
  static constexpr T of(T a, Mods m) {
    return of<T>(detail::flushed(a, m));
  }
};

// Equal operands differ at most in the sign of zero: either sign bit makes the smaller zero, both the larger.
struct MinF {
  template <class T>
  [[gnu::always_inline]] static constexpr T of(T a, T b) {
    return detail::pick<T>(a < b, detail::to_bits(a) | detail::to_bits(b), a, b);
  }
  template <class T>
  static constexpr T of(T a, T b, Mods m) {
    if (m.nan || m.xorsign)
      return detail::exact<T>(detail::extreme(detail::kFormat<T>, detail::to_bits(a), detail::to_bits(b), m, true));
    return of<T>(detail::flushed(a, m), detail::flushed(b, m));
  }
};
struct MaxF {
  template <class T>
  [[gnu::always_inline]] static constexpr T of(T a, T b) {
    return detail::pick<T>(a > b, detail::to_bits(a) & detail::to_bits(b), a, b);
  }
  template <class T>
  static constexpr T of(T a, T b, Mods m) {
    if (m.nan || m.xorsign)
      return detail::exact<T>(detail::extreme(detail::kFormat<T>, detail::to_bits(a), detail::to_bits(b), m, false));
    return of<T>(detail::flushed(a, m), detail::flushed(b, m));
  }
};

// ---- comparisons. Written so that each is false, or for the …u ones true, where an operand is NaN.
template <class Relation>
struct Comparison {
  template <class T>
  [[gnu::always_inline]] static constexpr bool of(T a, T b) {
    return Relation::holds(a, b);
  }
  template <class T>
  static constexpr bool of(T a, T b, Mods m) {
    if constexpr (std::is_floating_point_v<T>) return Relation::holds(detail::flushed(a, m), detail::flushed(b, m));
    else return Relation::holds(a, b);
  }
};
// clang-format off
struct Eq  : Comparison<Eq>  { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return a == b; } };
struct Ne  : Comparison<Ne>  { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return (a < b) | (a > b); } };
struct Lt  : Comparison<Lt>  { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return a < b; } };
struct Le  : Comparison<Le>  { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return a <= b; } };
struct Gt  : Comparison<Gt>  { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return a > b; } };
struct Ge  : Comparison<Ge>  { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return a >= b; } };
struct Equ : Comparison<Equ> { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return !((a < b) | (a > b)); } };
struct Neu : Comparison<Neu> { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return !(a == b); } };
struct Ltu : Comparison<Ltu> { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return !(a >= b); } };
struct Leu : Comparison<Leu> { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return !(a > b); } };
struct Gtu : Comparison<Gtu> { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return !(a <= b); } };
struct Geu : Comparison<Geu> { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return !(a < b); } };
struct Num : Comparison<Num> { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return (a == a) & (b == b); } };
struct Nan : Comparison<Nan> { template <class T> [[gnu::always_inline]] static constexpr bool holds(T a, T b) { return (a != a) | (b != b); } };

// The same of 16-bit floats. Of a pair the second predicate is the upper halves' result.
template <class Relation>
struct HalfComparison {
  static constexpr std::uint64_t of(const Operands& o) { return NarrowCompare<Relation>::of(detail::half_of(o, false)); }
  static constexpr bool second(const Operands& o) {
    if (!is_pair(o.type)) return NarrowCompare<Relation>::second(o);
    return NarrowCompare<Relation>::of(detail::half_of(o, true)) != 0;
  }
};
struct HalfEq : HalfComparison<Eq> {};
struct HalfNe : HalfComparison<Ne> {};
struct HalfLt : HalfComparison<Lt> {};
struct HalfLe : HalfComparison<Le> {};
struct HalfGt : HalfComparison<Gt> {};
struct HalfGe : HalfComparison<Ge> {};
struct HalfEqu : HalfComparison<Equ> {};
struct HalfNeu : HalfComparison<Neu> {};
struct HalfLtu : HalfComparison<Ltu> {};
struct HalfLeu : HalfComparison<Leu> {};
struct HalfGtu : HalfComparison<Gtu> {};
struct HalfGeu : HalfComparison<Geu> {};
struct HalfNum : HalfComparison<Num> {};
struct HalfNan : HalfComparison<Nan> {};
struct NarrowEq : NarrowCompare<Eq> {};
struct NarrowNe : NarrowCompare<Ne> {};
struct NarrowLt : NarrowCompare<Lt> {};
struct NarrowLe : NarrowCompare<Le> {};
struct NarrowGt : NarrowCompare<Gt> {};
struct NarrowGe : NarrowCompare<Ge> {};
struct SetEq : SetTo<Eq> {};
struct SetNe : SetTo<Ne> {};
struct SetLt : SetTo<Lt> {};
struct SetLe : SetTo<Le> {};
struct SetGt : SetTo<Gt> {};
struct SetGe : SetTo<Ge> {};
struct SetEqu : SetTo<Equ> {};
struct SetNeu : SetTo<Neu> {};
struct SetLtu : SetTo<Ltu> {};
struct SetLeu : SetTo<Leu> {};
struct SetGtu : SetTo<Gtu> {};
struct SetGeu : SetTo<Geu> {};
struct SetNum : SetTo<Num> {};
struct SetNan : SetTo<Nan> {};

// ---- votes: over sets of lanes, one bit each
struct All      { static constexpr bool of(std::uint64_t true_lanes, std::uint64_t members) { return (members & ~true_lanes) == 0; } };
struct Any      { static constexpr bool of(std::uint64_t true_lanes, std::uint64_t members) { return (members & true_lanes) != 0; } };
struct Uni      { static constexpr bool of(std::uint64_t true_lanes, std::uint64_t members) { return All::of(true_lanes, members) || !Any::of(true_lanes, members); } };
struct BallotOf { static constexpr std::uint64_t of(std::uint64_t true_lanes, std::uint64_t members) { return true_lanes & members; } };
// clang-format on

// ---- collectives: the operation for two lanes, and what an exclusive scan gives to the first
template <class Integer, class Float>
struct Collect {
  template <class T>
  [[gnu::always_inline]] static constexpr T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) return Float::template of<T>(a, b);
    else return Integer::template of<T>(a, b);
  }
};
struct CollectAdd : Collect<Add, AddF> {
  template <class T>
  static constexpr T identity() {
    return T{0};
  }
};
struct CollectMul : Collect<MulLo, MulF> {
  template <class T>
  static constexpr T identity() {
    return T{1};
  }
};
struct CollectMin : Collect<Min, MinF> {
  template <class T>
  static constexpr T identity() {
    using Limits = std::numeric_limits<T>;
    constexpr T kLargest = Limits::has_infinity ? Limits::infinity() : Limits::max();
    return kLargest;
  }
};
struct CollectMax : Collect<Max, MaxF> {
  template <class T>
  static constexpr T identity() {
    using Limits = std::numeric_limits<T>;
    constexpr T kSmallest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    return kSmallest;
  }
};

}  // namespace warpsim::kernels
