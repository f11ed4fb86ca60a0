// Conversions to and from narrow floats, and of integers into parts of a word.
//
// Shapes: K::of(Operands) gives the bits of the result. Of two operands the first becomes the upper part.
// Units:  none.
// Errors: none: every input has an answer.
// Source: PTX ISA 9.0, 9.7.9.21 "cvt" and 9.7.9.22 "cvt.pack"; e4m3 and e5m2: OCP 8-bit Floating Point Specification,
//         revision 1.0. unverified: what becomes of NaN.
#pragma once

#include <cstdint>

#include "isa/kernels/kernels_bits.h"
#include "isa/kernels/softfloat.h"

namespace warpsim::kernels {

namespace detail {

inline constexpr softfloat::Format kE4M3{8, 3}, kE5M2{8, 2};
inline constexpr Bits kFloat8NaN = 0x7f;

constexpr softfloat::Format float8_format(Type pair) { return pair == Type::E4M3X2 ? kE4M3 : kE5M2; }
// e4m3 has no infinity: but for the NaN its highest exponent has numbers, too.
constexpr Bits largest_float8(softfloat::Format f) { return f == kE4M3 ? 0x7e : 0x7b; }

// The nearest 8-bit float; what is too large, an infinity too, becomes the largest number.
constexpr Bits to_float8(softfloat::Format to, softfloat::Format from, Bits x, Mods m) {
  if (softfloat::is_nan(from, x)) return kFloat8NaN;
  const bool negative = softfloat::is_negative(from, x);
  if (m.relu && negative) return 0;
  const Bits sign = to.signed_zero(negative);
  if (softfloat::is_infinite(from, x)) return sign | largest_float8(to);
  const softfloat::Exact value = softfloat::unpack(from, x);
  if (value.significand == 0) return sign;
  const int natural = value.exponent + softfloat::bit_length(value.significand) - (to.fraction + 1);
  const int exponent = natural < to.min_exponent() ? to.min_exponent() : natural;
  const Bits field = static_cast<Bits>(exponent - to.min_exponent()) << to.fraction;
  const Bits size = static_cast<Bits>(softfloat::rounded(value, exponent, Round::Rn)) + field;
  return sign | (size < largest_float8(to) ? size : largest_float8(to));
}

constexpr Bits from_float8(softfloat::Format from, Bits x, Mods m) {
  const Bits size = softfloat::magnitude(from, x);
  const bool is_nan = from == kE4M3 ? size == kFloat8NaN : softfloat::is_nan(from, x);
  if (is_nan) return softfloat::default_nan(softfloat::kHalf);
  if (from == kE5M2) return softfloat::saturated(softfloat::kHalf, x << 8, m);
  return softfloat::pack(softfloat::kHalf, softfloat::unpack(from, x), m);
}

constexpr Bits to_half(softfloat::Format to, Bits single, Mods m) {
  const Bits x = softfloat::float_to_float(to, softfloat::kSingle, single, m);
  return m.satfinite && softfloat::is_infinite(to, x) ? x - 1 : x;
}

}  // namespace detail

struct CvtPair {
  static constexpr std::uint64_t of(const Operands& o) {
    if (contains(kFloat8X2, o.type)) {
      const softfloat::Format f = detail::float8_format(o.type);
      return detail::to_float8(f, softfloat::kSingle, o.a, o.mods) << 8 |
             detail::to_float8(f, softfloat::kSingle, o.b, o.mods);
    }
    const softfloat::Format f = softfloat::format_of(element(o.type));
    return detail::to_half(f, o.a, o.mods) << 16 | detail::to_half(f, o.b, o.mods);
  }
};
struct CvtFloat8Half {
  static constexpr std::uint64_t of(const Operands& o) {
    const softfloat::Format f = detail::float8_format(o.type);
    return detail::to_float8(f, softfloat::kHalf, o.a >> 16 & 0xffff, o.mods) << 8 |
           detail::to_float8(f, softfloat::kHalf, o.a & 0xffff, o.mods);
  }
};
struct CvtFromFloat8 {
  static constexpr std::uint64_t of(const Operands& o) {
    const softfloat::Format f = detail::float8_format(o.type2);
    return detail::from_float8(f, o.a >> 8 & 0xff, o.mods) << 16 | detail::from_float8(f, o.a & 0xff, o.mods);
  }
};

// A carry out of the fraction makes the next power of two, or infinity. Of a NaN .rna drops the low bits, even if
// infinity is what remains (tests/data/h200_rows.txt.xz).
struct CvtTf32 {
  static constexpr std::uint64_t of(const Operands& o) {
    constexpr std::uint64_t kDropped = 0x1fff;
    if (softfloat::is_nan(softfloat::kSingle, o.a))
      return (o.mods.round == Round::Rna ? o.a : softfloat::default_nan(softfloat::kSingle)) & ~kDropped;
    if (o.mods.relu && softfloat::is_negative(softfloat::kSingle, o.a)) return 0;
    const std::uint64_t even = kDropped / 2 + (o.a >> 13 & 1);
    const std::uint64_t added = o.mods.round == Round::Rz ? 0 : o.mods.round == Round::Rna ? kDropped / 2 + 1 : even;
    return (o.a + added) & ~kDropped;
  }
};

// a and b, clamped to Size bits each; below 16 bits c goes on above them.
template <int Size, bool Signed>
struct CvtPack {
  static constexpr std::uint64_t part(std::uint64_t x) {
    constexpr std::int64_t kLeast = Signed ? -(std::int64_t{1} << (Size - 1)) : 0;
    constexpr std::int64_t kMost = (std::int64_t{1} << (Signed ? Size - 1 : Size)) - 1;
    const std::int64_t number = detail::number(Type::S32, x);
    return detail::low_bits(static_cast<std::uint64_t>(number < kLeast  ? kLeast
                                                       : number > kMost ? kMost
                                                                        : number),
                            Size);
  }
  static constexpr std::uint64_t of(const Operands& o) {
    const std::uint64_t both = part(o.a) << Size | part(o.b);
    return Size == 16 ? both : both | o.c << 2 * Size;
  }
};
struct CvtPackU16 : CvtPack<16, false> {};
struct CvtPackS16 : CvtPack<16, true> {};
struct CvtPackU8 : CvtPack<8, false> {};
struct CvtPackS8 : CvtPack<8, true> {};
struct CvtPackU4 : CvtPack<4, false> {};
struct CvtPackS4 : CvtPack<4, true> {};
struct CvtPackU2 : CvtPack<2, false> {};
struct CvtPackS2 : CvtPack<2, true> {};

}  // namespace warpsim::kernels
