// Formats, rounding modes and conversions of the second interpreter: see reference_float.h.
//
// Errors: none.
// Source: PTX ISA 9.0, section 9.7.9 (cvt); NaN bits: the H200's vectors (`c_*`).
#include "tools/fuzz/reference_float.h"
#include "tools/fuzz/reference_integer.h"

namespace warpsim::reference {

Format format_of(Type type) {
  switch (type) {
    case Type::F16: return kHalfFormat;
    case Type::BF16: return kBrainFormat;
    case Type::F32: return kSingleFormat;
    default: return kDoubleFormat;
  }
}

Rounding rounding_of(Round round) {
  switch (round) {
    case Round::None:
    case Round::Rn:
    case Round::Rni:
    case Round::Rna: return Rounding::NearestEven;  // away from zero: tf32() rounds itself
    case Round::Rz:
    case Round::Rzi: return Rounding::TowardZero;
    case Round::Rm:
    case Round::Rmi: return Rounding::Down;
    case Round::Rp:
    case Round::Rpi: return Rounding::Up;
  }
  return Rounding::NearestEven;
}

namespace {

std::uint64_t float_to_integer(Type to, Type from, const Mods& mods, std::uint64_t a) {
  const Arithmetic source(from, mods);
  const Format& f = source.format();
  const std::uint64_t x = source.input(a);
  if (is_nan(f, x)) {
    const bool zero = bits(to) <= 32 && from != Type::F64;  // c_rzi_* and c_d_* in the vectors
    return zero ? 0 : std::uint64_t{1} << (bits(to) - 1);
  }
  const Int128 beyond = Int128{1} << 100;
  if (is_infinite(f, x)) return clamped(is_negative(f, x) ? -beyond : beyond, to);
  const Number whole = round_to_integer(decode(f, x), rounding_of(mods.round));
  const bool huge = whole.exponent + whole.magnitude.top_bit() > 90;
  const Int128 magnitude =
      huge ? beyond
           : static_cast<Int128>(whole.magnitude.low64()) * (Int128{1} << (whole.exponent > 0 ? whole.exponent : 0));
  return clamped(whole.negative ? -magnitude : magnitude, to);
}

std::uint64_t integer_to_float(Type to, Type from, const Mods& mods, std::uint64_t a) {
  const Int128 value = integer(from, a);
  const std::uint64_t magnitude = static_cast<std::uint64_t>(value < 0 ? -value : value);
  return Arithmetic(to, mods).finish(from_integer(value < 0, magnitude));
}

// What becomes of a NaN, by the two formats (`c_f_d`, `c_d_f32n`, `c_d_f16`, `c_f16rn`, `cvt.f32.f16`).
std::uint64_t converted_nan(Type to, Type from, std::uint64_t a) {
  const Arithmetic target(to, {});
  const bool without_f64 = from != Type::F64 && to != Type::F64;  // f16 and f32 among themselves have one NaN
  if (without_f64) return target.nan_of({});
  const Format source = format_of(from);
  const Format& f = target.format();
  const std::uint64_t fraction = a & ((std::uint64_t{1} << source.fraction_bits) - 1);
  const int shift = f.fraction_bits - source.fraction_bits;
  const std::uint64_t payload = shift >= 0 ? fraction << shift : fraction >> -shift;
  return (is_negative(source, a) ? f.sign_bit() : 0) | f.infinity() | f.quiet_bit() | payload;
}

std::uint64_t float_to_float(Type to, Type from, const Mods& written, std::uint64_t a) {
  if (to == from && bits(to) > 16 && written == Mods{}) return a;  // a move by another name
  Mods mods = written;
  if (to == Type::F16) mods.ftz = false;  // cvt.rm.ftz.f16.f32 of 80000001 is 8001
  Mods in = mods, out = mods;             // .ftz is about f32 alone
  in.ftz = in.ftz && from == Type::F32;
  out.ftz = out.ftz && to == Type::F32;
  const Arithmetic source(from, in), target(to, out);
  const Format& f = source.format();
  const std::uint64_t x = source.input(a);
  if (is_nan(f, x)) {
    if (from == Type::BF16 && to == Type::F32 && !mods.ftz) return a << 16;  // cvt.f32.bf16 of 7f81 is 7f810000
    const std::uint64_t nan = from == Type::F32 && mods.ftz ? source.nan_of({}) : x;  // cvt.ftz.f64.f32 of 7fc00000
    return target.finish(converted_nan(to, from, nan));
  }
  const std::uint64_t sign = is_negative(f, x) ? target.format().sign_bit() : 0;
  if (is_infinite(f, x)) return target.finish(sign | target.format().infinity());
  Number value = decode(f, x);
  const bool to_integral =
      mods.round == Round::Rni || mods.round == Round::Rzi || mods.round == Round::Rmi || mods.round == Round::Rpi;
  if (to_integral) value = round_to_integer(value, rounding_of(mods.round));
  return target.finish(value);
}

}  // namespace

std::uint64_t convert(Type to, Type from, const Mods& mods, std::uint64_t a) {
  if (is_float(from)) return is_float(to) ? float_to_float(to, from, mods, a) : float_to_integer(to, from, mods, a);
  if (is_float(to)) return integer_to_float(to, from, mods, a);
  return mods.sat ? clamped(integer(from, a), to) : cut(integer(from, a), bits(to));
}

}  // namespace warpsim::reference
