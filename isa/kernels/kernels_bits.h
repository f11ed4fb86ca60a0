// The scalar meaning of instructions that need no fast loop: one function on bits, whatever the types.
//
// Shapes: K::of(Operands) gives the bits of the result; only as many as the destination has count. Operands come
//         zero-extended, in the order in which the form writes them.
// Units:  positions, lengths and shift amounts count bits.
// Errors: none: every input has an answer.
// Source: PTX ISA 9.0, section 9.7.1; what PTX leaves open is what the H200 gives (tests/data/h200_semantics.txt.xz).
#pragma once

#include <cstdint>

#include "isa/kernels/softfloat.h"
#include "isa/kernels/windows.h"
#include "isa/table/op.h"
#include "isa/table/type.h"

namespace warpsim::kernels {

struct Operands {
  Type type = Type::None, type2 = Type::None;
  Mods mods;
  std::uint64_t a = 0, b = 0, c = 0, d = 0;
};

namespace detail {

using Bits = std::uint64_t;

constexpr Bits low_bits(Bits x, int width) { return width >= 64 ? x : x & ((Bits{1} << width) - 1); }
constexpr bool bit_of(Bits x, int position) { return (x >> position & 1) != 0; }
// The bits as the type's number, in two's complement over all 64 bits.
constexpr Bits extended(Type t, Bits x) {
  const int width = bits(t);
  const bool negative = is_signed(t) && bit_of(x, width - 1);
  return width >= 64 ? x : negative ? x | ~Bits{0} << width : low_bits(x, width);
}
constexpr std::int64_t number(Type t, Bits x) { return static_cast<std::int64_t>(extended(t, x)); }
constexpr bool less(Type t, Bits a, Bits b) {
  return is_signed(t) ? number(t, a) < number(t, b) : low_bits(a, bits(t)) < low_bits(b, bits(t));
}

constexpr Bits clamped_s32(std::int64_t x) {
  return static_cast<Bits>(x > 0x7fffffff ? 0x7fffffff : x < -0x80000000LL ? -0x80000000LL : x);
}
constexpr std::int64_t product24(const Operands& o) {
  const auto part = [&](Bits x) { return number(o.type, low_bits(x << 8, 32)) >> 8; };
  return part(o.a) * part(o.b);
}
// The sum of `count` products: parts of a, of that width, by bytes of b from the first on.
constexpr Bits dot(const Operands& o, int count, int width, int first) {
  const auto part = [](Type t, Bits x, int size, int index) {
    const Bits cut = low_bits(x >> (size * index), size);
    return is_signed(t) && bit_of(cut, size - 1) ? cut | ~Bits{0} << size : cut;
  };
  Bits sum = 0;
  for (int k = 0; k < count; ++k) sum += part(o.type, o.a, width, k) * part(o.type2, o.b, 8, first + k);
  return sum;
}
constexpr int top_bit(Bits x) { return x == 0 ? -1 : 63 - __builtin_clzll(x); }
constexpr Bits reversed(Bits x, int width) {
  Bits result = 0;
  for (int k = 0; k < width; ++k) result |= (x >> k & 1) << (width - 1 - k);
  return result;
}
// Each digit of the selectors takes a byte; a digit of 8 and more its sign, eight times.
constexpr Bits permuted(const Operands& o, Bits selectors) {
  const Bits both = o.b << 32 | o.a;
  Bits result = 0;
  for (int k = 0; k < 4; ++k) {
    const Bits selector = selectors >> (4 * k) & 15, byte = both >> (8 * (selector & 7)) & 255;
    result |= ((selector & 8) == 0 ? byte : bit_of(byte, 7) ? Bits{255} : Bits{0}) << (8 * k);
  }
  return result;
}

}  // namespace detail

// clang-format off

// ---- arithmetic in 64 bits: of 16-bit operands nothing overflows there
struct NarrowAdd   { static constexpr std::uint64_t of(const Operands& o) { return o.a + o.b; } };
struct NarrowSub   { static constexpr std::uint64_t of(const Operands& o) { return o.a - o.b; } };
struct NarrowMul   { static constexpr std::uint64_t of(const Operands& o) { return detail::extended(o.type, o.a) * detail::extended(o.type, o.b); } };  // .lo and .wide
struct NarrowMulHi { static constexpr std::uint64_t of(const Operands& o) { return NarrowMul::of(o) >> bits(o.type); } };
struct NarrowMad   { static constexpr std::uint64_t of(const Operands& o) { return NarrowMul::of(o) + o.c; } };
struct NarrowMadHi { static constexpr std::uint64_t of(const Operands& o) { return NarrowMulHi::of(o) + o.c; } };
struct NarrowNeg   { static constexpr std::uint64_t of(const Operands& o) { return 0 - o.a; } };
struct NarrowAbs   { static constexpr std::uint64_t of(const Operands& o) { return detail::number(o.type, o.a) < 0 ? 0 - o.a : o.a; } };
struct NarrowMin   { static constexpr std::uint64_t of(const Operands& o) { return detail::less(o.type, o.b, o.a) ? o.b : o.a; } };
struct NarrowMax   { static constexpr std::uint64_t of(const Operands& o) { return detail::less(o.type, o.a, o.b) ? o.b : o.a; } };

// By zero: all ones (H200: h_div*, h_rem*).
struct NarrowDiv { static constexpr std::uint64_t of(const Operands& o) { return o.b == 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(detail::number(o.type, o.a) / detail::number(o.type, o.b)); } };
struct NarrowRem { static constexpr std::uint64_t of(const Operands& o) { return o.b == 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(detail::number(o.type, o.a) % detail::number(o.type, o.b)); } };

struct BitsAnd { static constexpr std::uint64_t of(const Operands& o) { return o.a & o.b; } };
struct BitsOr  { static constexpr std::uint64_t of(const Operands& o) { return o.a | o.b; } };
struct BitsXor { static constexpr std::uint64_t of(const Operands& o) { return o.a ^ o.b; } };
struct BitsNot { static constexpr std::uint64_t of(const Operands& o) { return ~o.a; } };
struct Cnot    { static constexpr std::uint64_t of(const Operands& o) { return o.a == 0 ? 1 : 0; } };
struct NarrowShl { static constexpr std::uint64_t of(const Operands& o) { return o.b < 16 ? o.a << o.b : 0; } };
struct NarrowShr { static constexpr std::uint64_t of(const Operands& o) { return static_cast<std::uint64_t>(detail::number(o.type, o.a) >> (o.b < 16 ? o.b : 16)); } };

// ---- saturating, and products of 24 bits
struct AddSat   { static constexpr std::uint64_t of(const Operands& o) { return detail::clamped_s32(detail::number(o.type, o.a) + detail::number(o.type, o.b)); } };
struct SubSat   { static constexpr std::uint64_t of(const Operands& o) { return detail::clamped_s32(detail::number(o.type, o.a) - detail::number(o.type, o.b)); } };
struct MadHiSat { static constexpr std::uint64_t of(const Operands& o) { return detail::clamped_s32((detail::number(o.type, o.a) * detail::number(o.type, o.b) >> 32) + detail::number(o.type, o.c)); } };
struct Mul24Lo  { static constexpr std::uint64_t of(const Operands& o) { return static_cast<std::uint64_t>(detail::product24(o)); } };
struct Mul24Hi  { static constexpr std::uint64_t of(const Operands& o) { return static_cast<std::uint64_t>(detail::product24(o) >> 16); } };
struct Mad24Lo  { static constexpr std::uint64_t of(const Operands& o) { return Mul24Lo::of(o) + o.c; } };
struct Mad24Hi  { static constexpr std::uint64_t of(const Operands& o) { return Mul24Hi::of(o) + o.c; } };
struct Mad24HiSat { static constexpr std::uint64_t of(const Operands& o) { return detail::clamped_s32((detail::product24(o) >> 16) + detail::number(o.type, o.c)); } };
struct Sad { static constexpr std::uint64_t of(const Operands& o) { return o.c + (detail::less(o.type, o.a, o.b) ? o.b - o.a : o.a - o.b); } };

// Products of the parts of two words, added up: the first type is a's, the second b's.
struct Dp4a   { static constexpr std::uint64_t of(const Operands& o) { return o.c + detail::dot(o, 4, 8, 0); } };
struct Dp2aLo { static constexpr std::uint64_t of(const Operands& o) { return o.c + detail::dot(o, 2, 16, 0); } };
struct Dp2aHi { static constexpr std::uint64_t of(const Operands& o) { return o.c + detail::dot(o, 2, 16, 2); } };

// ---- bits and their places
struct Clz  { static constexpr std::uint64_t of(const Operands& o) { return static_cast<std::uint64_t>(bits(o.type) - 1 - detail::top_bit(o.a)); } };
struct Brev { static constexpr std::uint64_t of(const Operands& o) { return detail::reversed(o.a, bits(o.type)); } };
// All ones where no bit is found; the sign's copies do not count.
struct Bfind {
  static constexpr int place(const Operands& o) { return detail::top_bit(detail::number(o.type, o.a) < 0 && is_signed(o.type) ? detail::low_bits(~o.a, bits(o.type)) : o.a); }
  static constexpr std::uint64_t of(const Operands& o) { return static_cast<std::uint64_t>(place(o)); }
};
struct BfindShift { static constexpr std::uint64_t of(const Operands& o) { return Bfind::place(o) < 0 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(bits(o.type) - 1 - Bfind::place(o)); } };

// clang-format on

// Of a position and a length eight bits count in words, all bits in double words (H200: bfe.u64, bfi.b64). What is more
// than the width means the width.
constexpr int place_of(const Operands& o, std::uint64_t x) {
  const std::uint64_t width = static_cast<std::uint64_t>(bits(o.type)), counts = width == 64 ? x : x & 0xff;
  return static_cast<int>(counts < width ? counts : width);
}
// Past the top the field is what the sign says.
struct Bfe {
  static constexpr std::uint64_t of(const Operands& o) {
    const int width = bits(o.type), position = place_of(o, o.b), length = place_of(o, o.c);
    const int last = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
    const bool sign = is_signed(o.type) && length != 0 && detail::bit_of(o.a, last);
    const std::uint64_t moved = position < width ? o.a >> position : 0;
    const int valid = position >= width ? 0 : length < width - position ? length : width - position;
    return detail::low_bits(moved, valid) | (sign && valid < 64 ? ~std::uint64_t{0} << valid : 0);
  }
};
struct Bfi {
  static constexpr std::uint64_t of(const Operands& o) {
    const int position = place_of(o, o.c), length = place_of(o, o.d);
    if (position >= bits(o.type)) return o.b;
    const std::uint64_t field = detail::low_bits(~std::uint64_t{0}, length) << position;
    return (o.b & ~field) | (o.a << position & field);
  }
};
template <bool Clamp>
struct Bmsk {
  static constexpr std::uint64_t of(const Operands& o) {
    const std::uint64_t start = Clamp ? o.a : o.a & 31, length = Clamp ? o.b : o.b & 31;
    if (start >= 32) return 0;
    return detail::low_bits(~std::uint64_t{0}, length < 32 ? static_cast<int>(length) : 32) << start;
  }
};
struct BmskClamp : Bmsk<true> {};
struct BmskWrap : Bmsk<false> {};
// The low b bits, extended; none of them is 0, and all of them the number itself.
template <bool Clamp>
struct Szext {
  static constexpr std::uint64_t of(const Operands& o) {
    if (Clamp && o.b >= 32) return o.a;
    const int length = static_cast<int>(o.b & 31);
    const bool sign = is_signed(o.type) && length != 0 && detail::bit_of(o.a, length - 1);
    return detail::low_bits(o.a, length) | (sign ? ~std::uint64_t{0} << length : 0);
  }
};
struct SzextClamp : Szext<true> {};
struct SzextWrap : Szext<false> {};
// The |c|th set bit of a from position b on, upwards or downwards; with c = 0 the bit at b itself. The smallest c gives
// 0 (H200).
struct Fns {
  static constexpr std::uint64_t of(const Operands& o) {
    if (o.c == 0x80000000) return 0;
    const std::int64_t offset = detail::number(Type::S32, o.c);
    std::int64_t left = offset < 0 ? -offset : offset;
    for (std::int64_t at = static_cast<std::int64_t>(o.b); at >= 0 && at < 32; at += offset < 0 ? -1 : 1) {
      const bool set = detail::bit_of(o.a, static_cast<int>(at));
      if (set && left <= 1) return static_cast<std::uint64_t>(at);
      if (left == 0) break;
      left -= set ? 1 : 0;
    }
    return ~std::uint64_t{0};
  }
};

// Two words side by side, b above a, moved by at most a word: the upper word of the result, or the lower one.
template <bool Left, bool Clamp>
struct Funnel {
  static constexpr std::uint64_t of(const Operands& o) {
    const std::uint64_t count = Clamp ? (o.c < 32 ? o.c : 32) : o.c & 31;
    const std::uint64_t both = o.b << 32 | o.a;
    return Left ? both << count >> 32 : both >> count;
  }
};
struct ShfLeftClamp : Funnel<true, true> {};
struct ShfLeftWrap : Funnel<true, false> {};
struct ShfRightClamp : Funnel<false, true> {};
struct ShfRightWrap : Funnel<false, false> {};

// Bit a·4 + b·2 + c of the table is the result's bit.
struct Lop3 {
  static constexpr std::uint64_t of(const Operands& o) {
    std::uint64_t result = 0;
    for (int k = 0; k < 8; ++k) {
      if (!detail::bit_of(o.d, k)) continue;
      result |= ((k & 4) != 0 ? o.a : ~o.a) & ((k & 2) != 0 ? o.b : ~o.b) & ((k & 1) != 0 ? o.c : ~o.c);
    }
    return result;
  }
};

// Four bytes out of the eight of b and a. A mode is four selectors for each value of c's low two bits.
struct Prmt {
  static constexpr std::uint64_t of(const Operands& o) { return detail::permuted(o, o.c & 0xffff); }
};
template <std::uint64_t S0, std::uint64_t S1, std::uint64_t S2, std::uint64_t S3>
struct PrmtMode {
  static constexpr std::uint64_t of(const Operands& o) {
    constexpr std::uint64_t kSelectors[] = {S0, S1, S2, S3};
    return detail::permuted(o, kSelectors[o.c & 3]);
  }
};
struct PrmtF4e : PrmtMode<0x3210, 0x4321, 0x5432, 0x6543> {};
struct PrmtB4e : PrmtMode<0x5670, 0x6701, 0x7012, 0x0123> {};
struct PrmtRc8 : PrmtMode<0x0000, 0x1111, 0x2222, 0x3333> {};
struct PrmtEcl : PrmtMode<0x3210, 0x3211, 0x3222, 0x3333> {};
struct PrmtEcr : PrmtMode<0x0000, 0x1110, 0x2210, 0x3210> {};
struct PrmtRc16 : PrmtMode<0x1010, 0x3232, 0x1010, 0x3232> {};

// A NaN is not at least 0; -0 is, and with .ftz every subnormal.
struct Slct {
  static constexpr std::uint64_t of(const Operands& o) {
    if (o.type2 == Type::S32) return detail::number(Type::S32, o.c) >= 0 ? o.a : o.b;
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(softfloat::flush(softfloat::kSingle, o.c, o.mods))) >= 0
               ? o.a
               : o.b;
  }
};

// ---- sums with the carry flag, which is the last operand (0 where the form has none), and what they carry out
struct Addc {
  static constexpr softfloat::UInt128 sum(const Operands& o, std::uint64_t a, std::uint64_t b, std::uint64_t carry) {
    const int width = bits(o.type);
    return softfloat::UInt128{detail::low_bits(a, width)} + detail::low_bits(b, width) + carry;
  }
  static constexpr bool carries(const Operands& o, softfloat::UInt128 sum) { return (sum >> bits(o.type) & 1) != 0; }
  static constexpr std::uint64_t of(const Operands& o) { return o.a + o.b + o.c; }
  static constexpr bool second(const Operands& o) { return carries(o, sum(o, o.a, o.b, o.c)); }
};
// a + ~b + 1 where nothing was borrowed: the flag says that there was no borrow (H200: sub.cc, subc, subc.cc).
struct Subc {
  static constexpr std::uint64_t of(const Operands& o) { return o.a + ~o.b + o.c; }
  static constexpr bool second(const Operands& o) { return Addc::carries(o, Addc::sum(o, o.a, ~o.b, o.c)); }
};
struct SubCc {
  static constexpr Operands begun(Operands o) {
    o.c = 1;
    return o;
  }
  static constexpr std::uint64_t of(const Operands& o) { return Subc::of(begun(o)); }
  static constexpr bool second(const Operands& o) { return Subc::second(begun(o)); }
};
template <bool High>
struct Madc {
  static constexpr std::uint64_t product(const Operands& o) {
    const std::uint64_t a = detail::extended(o.type, o.a), b = detail::extended(o.type, o.b);
    if (!High) return a * b;
    if (bits(o.type) < 64) return a * b >> bits(o.type);
    std::uint64_t high = static_cast<std::uint64_t>(softfloat::UInt128{a} * b >> 64);
    if (is_signed(o.type)) high -= (a >> 63) * b + (b >> 63) * a;  // a negative factor counted as 2^64 more
    return high;
  }
  static constexpr std::uint64_t of(const Operands& o) { return product(o) + o.c + o.d; }
  static constexpr bool second(const Operands& o) { return Addc::carries(o, Addc::sum(o, product(o), o.c, o.d)); }
};
struct MadcLo : Madc<false> {};
struct MadcHi : Madc<true> {};

// ---- comparisons, with the relations of kernels.h
template <class Relation>
constexpr bool compares(Type t, const Operands& o) {
  switch (t) {
    case Type::F32:
      return Relation::template of<float>(__builtin_bit_cast(float, static_cast<std::uint32_t>(o.a)),
                                          __builtin_bit_cast(float, static_cast<std::uint32_t>(o.b)), o.mods);
    case Type::F64:
      return Relation::template of<double>(__builtin_bit_cast(double, o.a), __builtin_bit_cast(double, o.b), o.mods);
    case Type::F16:
    case Type::BF16: {
      const softfloat::Format f = softfloat::format_of(t);
      return Relation::holds(softfloat::value_of(t, softfloat::flush(f, o.a, o.mods)),
                             softfloat::value_of(t, softfloat::flush(f, o.b, o.mods)));
    }
    case Type::B64:
    case Type::U64: return Relation::template of<std::uint64_t>(o.a, o.b);
    default: return Relation::template of<std::int64_t>(detail::number(t, o.a), detail::number(t, o.b));
  }
}
// Operand c is the predicate of a BoolOp.
template <class Relation>
struct NarrowCompare {
  static constexpr std::uint64_t of(const Operands& o) {
    return combined(o.mods.boolean, compares<Relation>(o.type, o), o.c != 0) ? 1 : 0;
  }
  static constexpr bool second(const Operands& o) {
    return combined(o.mods.boolean, !compares<Relation>(o.type, o), o.c != 0);
  }
};

namespace detail {
// The low or the high half of a pair's operands.
constexpr Operands half_of(Operands o, bool high) {
  if (is_pair(o.type) || is_pair(o.type2)) {
    o.a = o.a >> (high ? 16 : 0) & 0xffff;
    o.b = o.b >> (high ? 16 : 0) & 0xffff;
  }
  o.type = element(o.type);
  o.type2 = element(o.type2);
  return o;
}
// What stands for true: all ones, or 1.0.
constexpr Bits true_as(Type t) { return is_float(t) ? softfloat::format_of(t).one() : low_bits(~Bits{0}, bits(t)); }
}  // namespace detail

// Of pairs each half of the result is as wide as they are.
template <class Relation>
struct SetTo {
  static constexpr std::uint64_t of_one(const Operands& o, std::uint64_t yes) {
    return combined(o.mods.boolean, compares<Relation>(o.type2, o), o.c != 0) ? yes : 0;
  }
  static constexpr std::uint64_t of(const Operands& o) {
    if (!is_pair(o.type2)) return of_one(o, detail::true_as(o.type));
    const std::uint64_t yes = is_pair(o.type) ? detail::true_as(element(o.type)) : 0xffff;
    return of_one(detail::half_of(o, false), yes) | of_one(detail::half_of(o, true), yes) << 16;
  }
};

// ---- addresses: from a space to the generic one and back
template <AddressSpace S>
struct ToGeneric {
  static constexpr std::uint64_t of(const Operands& o) { return o.a + window_of(S); }
};
template <AddressSpace S>
struct FromGeneric {
  static constexpr std::uint64_t of(const Operands& o) { return o.a - window_of(S); }
};
template <AddressSpace S>
struct IsInSpace {
  static constexpr std::uint64_t of(const Operands& o) { return space_of_address(o.a) == S ? 1 : 0; }
};
using SharedToGeneric = ToGeneric<AddressSpace::Shared>;
using GenericToShared = FromGeneric<AddressSpace::Shared>;
using LocalToGeneric = ToGeneric<AddressSpace::Local>;
using GenericToLocal = FromGeneric<AddressSpace::Local>;
using ParamToGeneric = ToGeneric<AddressSpace::Param>;
using GenericToParam = FromGeneric<AddressSpace::Param>;
using IsInGlobal = IsInSpace<AddressSpace::Global>;
using IsInShared = IsInSpace<AddressSpace::Shared>;
using IsInLocal = IsInSpace<AddressSpace::Local>;
using IsInConstant = IsInSpace<AddressSpace::Constant>;
using IsInParam = IsInSpace<AddressSpace::Param>;

}  // namespace warpsim::kernels
