// The types an instruction can name, and sets of them for the instruction table.
//
// Shapes: a register holds bits; a Type says how one instruction reads them. f16x2 and bf16x2 are a pair in 32 bits,
//         the first in the low half. e4m3x2 and e5m2x2 are a pair of 8-bit floats in 16 bits, tf32 an f32 whose low 13
//         bits are 0: only conversions know them. `mask` is one bit a lane: 32 bits wide up to 32 lanes and 64 bits
//         wide at 64 lanes, so that one program text serves every lane count; it becomes B32 or B64 when a program is
//         bound to a launch (see sim/code/decode.h).
// Units:  bits(), bytes().
// Errors: none; parse_type returns Type::None for a word that is no type.
// Source: PTX ISA 9.0, section 5.2 "Types".
#pragma once

#include <cstdint>
#include <string_view>

namespace warpsim {

enum class Type : std::uint8_t {
  None,
  Pred,
  B8,
  U8,
  S8,
  B16,
  U16,
  S16,
  F16,
  BF16,
  E4M3X2,
  E5M2X2,
  B32,
  U32,
  S32,
  F32,
  TF32,
  F16X2,
  BF16X2,
  B64,
  U64,
  S64,
  F64,
  Mask,
};
inline constexpr int kTypeCount = static_cast<int>(Type::Mask) + 1;

// A set of types, one bit each: the "types" column of the instruction table. The upper half is the set of an
// instruction's second type, where that is another than the first one's.
using TypeSet = std::uint64_t;
inline constexpr int kSecondShift = 32;
static_assert(kTypeCount <= kSecondShift);
constexpr TypeSet set_of(Type t) { return TypeSet{1} << static_cast<int>(t); }
constexpr bool contains(TypeSet set, Type t) { return (set & set_of(t)) != 0; }
constexpr TypeSet second(TypeSet set) { return set << kSecondShift; }
constexpr TypeSet first_types(TypeSet set) { return set & ((TypeSet{1} << kSecondShift) - 1); }
constexpr TypeSet second_types(TypeSet set) { return (set >> kSecondShift) != 0 ? set >> kSecondShift : set; }

inline constexpr TypeSet kNoType = set_of(Type::None);
inline constexpr TypeSet kPred = set_of(Type::Pred);
inline constexpr TypeSet kMask = set_of(Type::Mask);
inline constexpr TypeSet kB16 = set_of(Type::B16);
inline constexpr TypeSet kU16 = set_of(Type::U16);
inline constexpr TypeSet kS16 = set_of(Type::S16);
inline constexpr TypeSet kF16 = set_of(Type::F16);
inline constexpr TypeSet kBF16 = set_of(Type::BF16);
inline constexpr TypeSet kF16X2 = set_of(Type::F16X2);
inline constexpr TypeSet kBF16X2 = set_of(Type::BF16X2);
inline constexpr TypeSet kF32 = set_of(Type::F32);
inline constexpr TypeSet kF64 = set_of(Type::F64);
inline constexpr TypeSet kB32 = set_of(Type::B32);
inline constexpr TypeSet kB64 = set_of(Type::B64);
inline constexpr TypeSet kU32 = set_of(Type::U32);
inline constexpr TypeSet kS32 = set_of(Type::S32);
inline constexpr TypeSet kU64 = set_of(Type::U64);
inline constexpr TypeSet kS64 = set_of(Type::S64);
inline constexpr TypeSet kInt8 = set_of(Type::U8) | set_of(Type::S8);
inline constexpr TypeSet kInt16 = kU16 | kS16;
inline constexpr TypeSet kInt32 = kU32 | kS32;
inline constexpr TypeSet kSigned = kS32 | kS64;
inline constexpr TypeSet kInt = kInt32 | kU64 | kS64;
inline constexpr TypeSet kBits = kB32 | kB64;
inline constexpr TypeSet kTF32 = set_of(Type::TF32);
inline constexpr TypeSet kFloat8X2 = set_of(Type::E4M3X2) | set_of(Type::E5M2X2);
inline constexpr TypeSet kFloat = kF32 | kF64;
inline constexpr TypeSet kHalfFloat = kF16 | kBF16;
inline constexpr TypeSet kPair = kF16X2 | kBF16X2;
inline constexpr TypeSet kWord = kBits | kInt | kFloat;  // anything in a 32- or 64-bit register, but pairs
inline constexpr TypeSet kWord32 = kB32 | kInt32 | kF32;
inline constexpr TypeSet kHalf = kB16 | kInt16 | kHalfFloat;  // anything in a 16-bit register
inline constexpr TypeSet kByte = set_of(Type::B8) | kInt8;    // in memory and conversions; in 16-bit registers
inline constexpr TypeSet kSetTo = kInt16 | kInt32 | kF32 | kHalfFloat | kPair;  // what `set` makes of a comparison
inline constexpr TypeSet kConvertible = kInt | kInt16 | kInt8 | kFloat | kHalfFloat;

constexpr int bits(Type t) {
  switch (t) {
    case Type::Pred: return 1;
    case Type::B8:
    case Type::U8:
    case Type::S8: return 8;
    case Type::B16:
    case Type::U16:
    case Type::S16:
    case Type::F16:
    case Type::BF16:
    case Type::E4M3X2:
    case Type::E5M2X2: return 16;
    case Type::B32:
    case Type::U32:
    case Type::S32:
    case Type::F32:
    case Type::TF32:
    case Type::F16X2:
    case Type::BF16X2: return 32;
    case Type::B64:
    case Type::U64:
    case Type::S64:
    case Type::F64: return 64;
    case Type::None:
    case Type::Mask: break;
  }
  return 0;  // Mask: known only once the lane count is
}
constexpr int bytes(Type t) { return bits(t) / 8; }
// The integer type of twice the width, which the products `.wide` have.
constexpr Type widened(Type t) {
  switch (t) {
    case Type::U16: return Type::U32;
    case Type::S16: return Type::S32;
    case Type::U32: return Type::U64;
    case Type::S32: return Type::S64;
    default: return Type::None;
  }
}
constexpr bool is_float(Type t) { return t == Type::F16 || t == Type::BF16 || t == Type::F32 || t == Type::F64; }
constexpr bool is_pair(Type t) { return t == Type::F16X2 || t == Type::BF16X2; }
// The type of each half of a pair; of everything else, itself.
constexpr Type element(Type t) { return t == Type::F16X2 ? Type::F16 : t == Type::BF16X2 ? Type::BF16 : t; }
constexpr bool is_signed(Type t) { return t == Type::S8 || t == Type::S16 || t == Type::S32 || t == Type::S64; }
constexpr bool is_unsigned(Type t) { return t == Type::U8 || t == Type::U16 || t == Type::U32 || t == Type::U64; }
constexpr bool is_integer(Type t) { return is_signed(t) || is_unsigned(t); }
constexpr bool is_untyped(Type t) { return t == Type::B8 || t == Type::B16 || t == Type::B32 || t == Type::B64; }

// By width: b8, b16, b32, b64; and the integers.
constexpr Type untyped_of(int bits) {
  return bits == 64 ? Type::B64 : bits == 32 ? Type::B32 : bits == 16 ? Type::B16 : Type::B8;
}
constexpr Type integer_of(int bits, bool is_signed) {
  if (bits == 64) return is_signed ? Type::S64 : Type::U64;
  if (bits == 32) return is_signed ? Type::S32 : Type::U32;
  if (bits == 16) return is_signed ? Type::S16 : Type::U16;
  return is_signed ? Type::S8 : Type::U8;
}

// What a register holds of a value: s8 fills its 16 bits with the sign.
constexpr std::uint64_t in_register(Type t, std::uint64_t value) {
  return t == Type::S8 && (value & 0x80) != 0 ? (value & 0xff) | 0xff00 : value;
}

// How a register is stored. A 16-bit register lives zero-extended in a 32-bit slot.
enum class RegClass : std::uint8_t { None, Pred, R16, R32, R64, Mask };
constexpr RegClass reg_class(Type t) {
  if (t == Type::Pred) return RegClass::Pred;
  if (t == Type::Mask) return RegClass::Mask;
  switch (bits(t)) {
    case 8:
    case 16: return RegClass::R16;
    case 32: return RegClass::R32;
    case 64: return RegClass::R64;
    default: return RegClass::None;
  }
}

std::string_view name(Type t);           // "f32", "pred", "mask"; None is ""
std::string_view name(RegClass c);       // "32-bit register", "predicate", "mask" …, for messages
Type parse_type(std::string_view word);  // "f32" → F32; Type::None if it is no type

}  // namespace warpsim
