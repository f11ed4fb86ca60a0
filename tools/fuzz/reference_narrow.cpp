// Conversions to and from narrow floats, and of integers into parts of a word: see reference_float.h.
//
// Shapes: an 8-bit float is looked for among all the values of its format.
// Errors: none.
// Source: PTX ISA 9.0, 9.7.9.21 "cvt" and 9.7.9.22 "cvt.pack"; OCP 8-bit Floating Point Specification, revision 1.0.
#include <bit>
#include <cmath>
#include <optional>

#include "tools/fuzz/reference_float.h"
#include "tools/fuzz/reference_integer.h"

namespace warpsim::reference {
namespace {

constexpr std::uint64_t kNaN8 = 0x7f;

bool is_e4m3(Type pair) { return pair == Type::E4M3X2; }
std::uint64_t largest_code(Type pair) { return is_e4m3(pair) ? 0x7e : 0x7b; }

// What a code without a sign means.
double size_of_code(Type pair, std::uint64_t code) {
  const int fraction_bits = is_e4m3(pair) ? 3 : 2, bias = is_e4m3(pair) ? 7 : 15;
  const int field = static_cast<int>(code) >> fraction_bits;
  const double fraction = static_cast<double>(code & ((1U << fraction_bits) - 1));
  const double hidden = field == 0 ? 0.0 : std::ldexp(1.0, fraction_bits);
  return std::ldexp(hidden + fraction, (field == 0 ? 1 : field) - bias - fraction_bits);
}

double value_of(Type type, std::uint64_t bits) { return std::bit_cast<double>(convert(Type::F64, type, Mods{}, bits)); }

std::uint64_t nearest_code(Type pair, Type from, const Mods& mods, std::uint64_t bits) {
  const double x = value_of(from, bits);
  if (std::isnan(x)) return kNaN8;
  if (mods.relu && std::signbit(x)) return 0;
  const double size = std::fabs(x);
  std::uint64_t code = 0;
  while (code < largest_code(pair)) {
    const double middle = (size_of_code(pair, code) + size_of_code(pair, code + 1)) / 2;
    if (size < middle || (size == middle && code % 2 == 0)) break;
    ++code;
  }
  return code | (std::signbit(x) ? 0x80 : 0);
}

std::uint64_t half_of_code(Type pair, const Mods& mods, std::uint64_t code) {
  const std::uint64_t size = code & 0x7f;
  if (size > largest_code(pair) && (is_e4m3(pair) || size > 0x7c)) return 0x7fff;
  if (mods.relu && code >= 0x80) return 0;
  const std::uint64_t sign = (code & 0x80) << 8;
  if (size > largest_code(pair)) return sign | 0x7c00;
  Mods nearest;
  nearest.round = Round::Rn;
  return sign | convert(Type::F16, Type::F64, nearest, std::bit_cast<std::uint64_t>(size_of_code(pair, size)));
}

std::uint64_t narrowed(Type to, const Mods& mods, std::uint64_t single) {
  Mods plain;
  plain.round = mods.round;
  plain.relu = mods.relu;
  const std::uint64_t half = convert(to, Type::F32, plain, single);
  return mods.satfinite && is_infinite(format_of(to), half) ? half - 1 : half;
}

std::uint64_t tf32(const Mods& mods, std::uint64_t single) {
  constexpr Format kTf32{10, 8};
  if (is_nan(kSingleFormat, single)) return mods.round == Round::Rna ? single >> 13 << 13 : 0x7fffe000;
  if (mods.relu && is_negative(kSingleFormat, single)) return 0;
  if (is_infinite(kSingleFormat, single)) return single;
  const Number exact = decode(kSingleFormat, single);
  if (mods.round == Round::Rna) {
    const std::uint64_t down = round_number(exact, kTf32, Rounding::TowardZero).bits;
    const bool at_least_half = (single & 0x1fff) >= 0x1000;
    return (down + (at_least_half ? 1 : 0)) << 13;
  }
  return round_number(exact, kTf32, rounding_of(mods.round)).bits << 13;
}

std::uint64_t packed(int width, bool is_signed, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const Int128 most = (Int128{1} << (is_signed ? width - 1 : width)) - 1;
  const Int128 least = is_signed ? -most - 1 : Int128{0};
  const auto part = [&](std::uint64_t x) {
    const Int128 number = integer(Type::S32, x);
    return cut(number < least ? least : number > most ? most : number, width);
  };
  const std::uint64_t above = width == 16 ? 0 : c << 2 * width;
  return (part(b) | part(a) << width | above) & 0xffffffff;
}

}  // namespace

std::optional<std::uint64_t> narrow_conversion(Op op, Type type, Type type2, const Mods& mods,
                                               const std::vector<std::uint64_t>& s) {
  const std::uint64_t a = s[0], b = s.size() > 1 ? s[1] : 0, c = s.size() > 2 ? s[2] : 0;
  switch (op) {
    case Op::CvtPair: return narrowed(element(type), mods, b) | narrowed(element(type), mods, a) << 16;
    case Op::CvtFloat8: return nearest_code(type, Type::F32, mods, b) | nearest_code(type, Type::F32, mods, a) << 8;
    case Op::CvtFloat8Half:
      return nearest_code(type, Type::F16, mods, a & 0xffff) | nearest_code(type, Type::F16, mods, a >> 16) << 8;
    case Op::CvtFromFloat8: return half_of_code(type2, mods, a & 0xff) | half_of_code(type2, mods, a >> 8 & 0xff) << 16;
    case Op::CvtTf32: return tf32(mods, a);
    case Op::CvtPackU16: return packed(16, false, a, b, c);
    case Op::CvtPackS16: return packed(16, true, a, b, c);
    case Op::CvtPackU8: return packed(8, false, a, b, c);
    case Op::CvtPackS8: return packed(8, true, a, b, c);
    case Op::CvtPackU4: return packed(4, false, a, b, c);
    case Op::CvtPackS4: return packed(4, true, a, b, c);
    case Op::CvtPackU2: return packed(2, false, a, b, c);
    case Op::CvtPackS2: return packed(2, true, a, b, c);
    default: return std::nullopt;
  }
}

}  // namespace warpsim::reference
