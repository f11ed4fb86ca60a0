// The scalar meaning of every row, one definition each, from PTX's text: integers with 128 bits of room, exact floats.
//
// Shapes: values are bits, zero-extended to 64.
// Units:  none.
// Errors: none: every input has an answer.
// Source: PTX ISA 9.0, sections 9.7.1 to 9.7.9; NaN bits, division by zero and what else PTX leaves open: the H200's
//         vectors (`d_*`, `f_*`, `c_*`, `i_*`, `l_*`).
#include <initializer_list>

#include "tests/reference/exact_float.h"
#include "tests/reference/reference_interpreter.h"
#include "tests/reference/reference_mufu.h"

namespace warpsim::reference {
namespace {

__extension__ typedef __int128 Int128;

int width_of(Type type, unsigned lanes) {
  if (type == Type::Mask) return lanes > 32 ? 64 : 32;
  return bits(type);
}
std::uint64_t ones(int width) { return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1; }
std::uint64_t cut(Int128 value, int width) { return static_cast<std::uint64_t>(value) & ones(width); }

// The integer that the bits stand for.
Int128 integer(Type type, std::uint64_t value) {
  const int width = bits(type);
  const Int128 plain = static_cast<Int128>(value & ones(width));
  const bool negative = is_signed(type) && (value >> (width - 1) & 1) != 0;
  return negative ? plain - (Int128{1} << width) : plain;
}

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
    case Round::Rni: return Rounding::NearestEven;
    case Round::Rz:
    case Round::Rzi: return Rounding::TowardZero;
    case Round::Rm:
    case Round::Rmi: return Rounding::Down;
    case Round::Rp:
    case Round::Rpi: return Rounding::Up;
  }
  return Rounding::NearestEven;
}

// ---- floats

// One float instruction: its format, its modifiers, and the H200's rules for NaN.
class Arithmetic {
 public:
  Arithmetic(Type type, const Mods& mods)
      : type_(type), format_(format_of(type)), rounding_(rounding_of(mods.round)), mods_(mods) {}

  std::uint64_t add(std::uint64_t a, std::uint64_t b) const { return sum(input(a), input(b)); }
  std::uint64_t subtract(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t y = input(b);
    return sum(input(a), is_nan(format_, y) ? y : y ^ format_.sign_bit());
  }

  std::uint64_t multiply(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t x = input(a), y = input(b);
    if (is_nan(format_, x) || is_nan(format_, y)) return finish(nan_of({y, x}));
    const std::uint64_t sign = (x ^ y) & format_.sign_bit();
    if (is_infinite(format_, x) || is_infinite(format_, y)) {
      return finish(is_zero(format_, x) || is_zero(format_, y) ? nan_of({}) : sign | format_.infinity());
    }
    return finish(reference::multiply(decode(format_, x), decode(format_, y)));
  }

  std::uint64_t fma(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
    const std::uint64_t x = input(a), y = input(b), z = input(c);
    if (is_nan(format_, x) || is_nan(format_, y) || is_nan(format_, z)) return finish(nan_of({y, z, x}));
    const bool product_negative = is_negative(format_, x) != is_negative(format_, y);
    if (is_infinite(format_, x) || is_infinite(format_, y)) {
      if (is_zero(format_, x) || is_zero(format_, y)) return finish(nan_of({}));
      if (is_infinite(format_, z) && is_negative(format_, z) != product_negative) return finish(nan_of({}));
      return finish((product_negative ? format_.sign_bit() : 0) | format_.infinity());
    }
    if (is_infinite(format_, z)) return finish(z);
    return exact_sum(reference::multiply(decode(format_, x), decode(format_, y)), decode(format_, z));
  }

  std::uint64_t divide(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t x = input(a), y = input(b);
    if (is_nan(format_, x) || is_nan(format_, y)) return finish(nan_of({x, y}));
    const std::uint64_t sign = (x ^ y) & format_.sign_bit();
    if (is_infinite(format_, x)) return finish(is_infinite(format_, y) ? nan_of({}) : sign | format_.infinity());
    if (is_infinite(format_, y)) return finish(sign);
    if (is_zero(format_, y)) return finish(is_zero(format_, x) ? nan_of({}) : sign | format_.infinity());
    return finish(reference::divide(decode(format_, x), decode(format_, y)));
  }

  std::uint64_t square_root(std::uint64_t a) const {
    const std::uint64_t x = input(a);
    if (is_nan(format_, x)) return finish(nan_of({x}));
    if (is_zero(format_, x)) return x;
    if (is_negative(format_, x)) return finish(nan_of({}));
    return is_infinite(format_, x) ? x : finish(reference::square_root(decode(format_, x)));
  }

  std::uint64_t absolute(std::uint64_t a) const {
    const std::uint64_t x = input(a);
    return is_nan(format_, x) ? nan_of({x}) : x & ~format_.sign_bit();
  }
  std::uint64_t negate(std::uint64_t a) const {
    const std::uint64_t x = input(a);
    return is_nan(format_, x) ? nan_of({x}) : x ^ format_.sign_bit();
  }

  std::uint64_t copy_sign(std::uint64_t a, std::uint64_t b) const {
    return (b & (format_.sign_bit() - 1)) | (a & format_.sign_bit());
  }

  // A NaN loses; -0 is smaller than +0.
  std::uint64_t extreme(std::uint64_t a, std::uint64_t b, bool smaller) const {
    std::uint64_t x = input(a), y = input(b);
    const std::uint64_t sign = (x ^ y) & format_.sign_bit();
    if (mods_.nan && (is_nan(format_, x) || is_nan(format_, y))) return nan_of({y, x});
    if (mods_.xorsign) {
      Mods plain = mods_;
      plain.xorsign = false;
      const std::uint64_t size =
          Arithmetic(type_, plain).extreme(x & ~format_.sign_bit(), y & ~format_.sign_bit(), smaller);
      return is_nan(format_, size) ? size : size | sign;
    }
    if (is_nan(format_, x)) return is_nan(format_, y) ? nan_of({y, x}) : y;
    if (is_nan(format_, y)) return x;
    int order = compare(format_, x, y);
    if (order == 0) order = static_cast<int>(is_negative(format_, y)) - static_cast<int>(is_negative(format_, x));
    return (order < 0) == smaller ? x : y;
  }

  // -1, 0, 1, or 2 if either is NaN.
  int order(std::uint64_t a, std::uint64_t b) const {
    const std::uint64_t x = input(a), y = input(b);
    return is_nan(format_, x) || is_nan(format_, y) ? 2 : compare(format_, x, y);
  }

  std::uint64_t input(std::uint64_t bits) const {
    return flushes() && is_subnormal(format_, bits) ? bits & format_.sign_bit() : bits;
  }
  // The NaN that comes of these operands; the first NaN among them counts.
  std::uint64_t nan_of(std::initializer_list<std::uint64_t> by_priority) const {
    if (type_ == Type::F16 || type_ == Type::BF16) return 0x7fff;
    if (type_ == Type::F32) return 0x7fffffff;
    for (const std::uint64_t bits : by_priority) {
      if (is_nan(format_, bits)) return bits | format_.quiet_bit();
    }
    return format_.sign_bit() | format_.infinity() | format_.quiet_bit();
  }
  std::uint64_t finish(std::uint64_t bits) const {
    if (mods_.relu && !is_nan(format_, bits) && is_negative(format_, bits)) return 0;
    return mods_.sat ? saturate(bits) : bits;
  }
  std::uint64_t finish(const Number& exact) const {
    const Rounded rounded = round_number(exact, format_, rounding_);
    return finish(flushes() && rounded.tiny ? rounded.bits & format_.sign_bit() : rounded.bits);
  }
  const Format& format() const { return format_; }

 private:
  bool flushes() const { return mods_.ftz && (type_ == Type::F32 || type_ == Type::F16); }
  std::uint64_t saturate(std::uint64_t bits) const {
    if (is_nan(format_, bits) || is_negative(format_, bits)) return 0;
    return compare(format_, bits, format_.one()) > 0 ? format_.one() : bits;
  }
  std::uint64_t sum(std::uint64_t x, std::uint64_t y) const {
    if (is_nan(format_, x) || is_nan(format_, y)) return finish(nan_of({y, x}));
    if (is_infinite(format_, x)) return finish(is_infinite(format_, y) && x != y ? nan_of({}) : x);
    if (is_infinite(format_, y)) return finish(y);
    return exact_sum(decode(format_, x), decode(format_, y));
  }
  // IEEE 6.3: a sum that is exactly zero is +0, or -0 when rounding down; -0 + -0 stays -0.
  std::uint64_t exact_sum(const Number& x, const Number& y) const {
    const Number total = reference::add(x, y);
    if (!total.is_zero()) return finish(total);
    const bool same_sign = x.negative == y.negative;
    const bool negative = same_sign ? x.negative : rounding_ == Rounding::Down;
    return finish(negative ? format_.sign_bit() : 0);
  }

  Type type_;
  Format format_;
  Rounding rounding_;
  Mods mods_;
};

// ---- conversions

std::uint64_t clamped(Int128 value, Type to) {
  const int width = bits(to);
  const Int128 low = is_signed(to) ? -(Int128{1} << (width - 1)) : Int128{0};
  const Int128 high = (Int128{1} << (is_signed(to) ? width - 1 : width)) - 1;
  return cut(value < low ? low : value > high ? high : value, width);
}

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

std::uint64_t convert(Type to, Type from, const Mods& mods, std::uint64_t a) {
  if (is_float(from)) return is_float(to) ? float_to_float(to, from, mods, a) : float_to_integer(to, from, mods, a);
  if (is_float(to)) return integer_to_float(to, from, mods, a);
  return mods.sat ? clamped(integer(from, a), to) : cut(integer(from, a), bits(to));
}

// ---- integers

std::uint64_t quotient(Type type, std::uint64_t a, std::uint64_t b) {
  const Int128 y = integer(type, b);
  return y == 0 ? ones(bits(type)) : cut(integer(type, a) / y, bits(type));
}
std::uint64_t remainder(Type type, std::uint64_t a, std::uint64_t b) {
  const Int128 y = integer(type, b);
  return y == 0 ? ones(bits(type)) : cut(integer(type, a) % y, bits(type));
}
// The full product, which for 64-bit operands needs all 128 bits.
Wide unsigned_product(std::uint64_t a, std::uint64_t b) { return Wide(a).times(Wide(b)); }
std::uint64_t high_product(Type type, std::uint64_t a, std::uint64_t b) {
  const int width = bits(type);
  if (width == 32) return cut((integer(type, a) * integer(type, b)) >> 32, 32);
  std::uint64_t high = unsigned_product(a, b).shifted_right(64).low64();
  // Two's complement: a negative operand counted 2^64 too much.
  if (is_signed(type) && a >> 63 != 0) high -= b;
  if (is_signed(type) && b >> 63 != 0) high -= a;
  return high;
}
std::uint64_t low_product(Type type, std::uint64_t a, std::uint64_t b) {
  return unsigned_product(a, b).low64() & ones(bits(type));
}
std::uint64_t shift_left(int width, std::uint64_t a, std::uint64_t count) {
  return count >= static_cast<std::uint64_t>(width) ? 0 : a << count & ones(width);
}
std::uint64_t shift_right(Type type, int width, std::uint64_t a, std::uint64_t count) {
  const int by = static_cast<int>(count >= static_cast<std::uint64_t>(width) ? width : count);
  if (is_signed(type)) return cut(integer(type, a) >> by, width);
  return by >= 64 ? 0 : a >> by;
}
std::uint64_t smaller(Type type, std::uint64_t a, std::uint64_t b) {
  return integer(type, a) < integer(type, b) ? a : b;
}
std::uint64_t larger(Type type, std::uint64_t a, std::uint64_t b) {
  return integer(type, a) > integer(type, b) ? a : b;
}
std::uint64_t ones_in(std::uint64_t a) {
  std::uint64_t count = 0;
  for (; a != 0; a >>= 1) count += a & 1;
  return count;
}

// -1, 0, 1, or 2 if the order is not defined. Untyped bits compare as unsigned.
int order_of(Type type, const Mods& mods, std::uint64_t a, std::uint64_t b) {
  if (is_float(type)) return Arithmetic(type, mods).order(a, b);
  const Int128 x = integer(type, a), y = integer(type, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

bool holds(Op op, int order) {
  const bool unordered = order == 2;
  switch (op) {
    case Op::SetpEq:
    case Op::SetpEqHalf: return order == 0;
    case Op::SetpNe:
    case Op::SetpNeHalf: return order == -1 || order == 1;
    case Op::SetpLt:
    case Op::SetpLtHalf: return order == -1;
    case Op::SetpLe:
    case Op::SetpLeHalf: return order == -1 || order == 0;
    case Op::SetpGt:
    case Op::SetpGtHalf: return order == 1;
    case Op::SetpGe:
    case Op::SetpGeHalf: return order == 1 || order == 0;
    case Op::SetpEqu:
    case Op::SetpEquHalf: return unordered || order == 0;
    case Op::SetpNeu:
    case Op::SetpNeuHalf: return unordered || order != 0;
    case Op::SetpLtu:
    case Op::SetpLtuHalf: return unordered || order == -1;
    case Op::SetpLeu:
    case Op::SetpLeuHalf: return unordered || order != 1;
    case Op::SetpGtu:
    case Op::SetpGtuHalf: return unordered || order == 1;
    case Op::SetpGeu:
    case Op::SetpGeuHalf: return unordered || order != -1;
    case Op::SetpNum:
    case Op::SetpNumHalf: return !unordered;
    case Op::SetpNan:
    case Op::SetpNanHalf: return unordered;
    default: return false;
  }
}

std::uint64_t integer_operation(Op op, Type type, int width, const std::vector<std::uint64_t>& s) {
  const std::uint64_t a = s[0], b = s.size() > 1 ? s[1] : 0, c = s.size() > 2 ? s[2] : 0;
  switch (op) {
    case Op::Mov: return a & ones(width);
    case Op::Selp: return (c != 0 ? a : b) & ones(width);
    case Op::Add:
    case Op::AddNarrow: return (a + b) & ones(width);
    case Op::Sub:
    case Op::SubNarrow: return (a - b) & ones(width);
    case Op::MulLo: return low_product(type, a, b);
    case Op::MulHi: return high_product(type, a, b);
    case Op::MulWide: return cut(integer(type, a) * integer(type, b), 64);
    case Op::MadLo: return (low_product(type, a, b) + c) & ones(width);
    case Op::MadHi: return (high_product(type, a, b) + c) & ones(width);
    case Op::MadWide: return cut(integer(type, a) * integer(type, b), 64) + c;
    case Op::Div: return quotient(type, a, b);
    case Op::Rem: return remainder(type, a, b);
    case Op::Abs: return integer(type, a) < 0 ? cut(-integer(type, a), width) : a;
    case Op::Neg: return cut(-integer(type, a), width);
    case Op::Min: return smaller(type, a, b);
    case Op::Max: return larger(type, a, b);
    case Op::And: return a & b;
    case Op::Or: return a | b;
    case Op::Xor: return a ^ b;
    case Op::Not: return ~a & ones(width);
    case Op::Shl: return shift_left(width, a, b);
    case Op::Shr: return shift_right(type, width, a, b);
    case Op::Popc: return ones_in(a);
    default: return 0;
  }
}

std::uint64_t float_operation(Op op, Type type, const Mods& mods, const std::vector<std::uint64_t>& s) {
  const Arithmetic unit(type, mods);
  const std::uint64_t a = s[0], b = s.size() > 1 ? s[1] : 0, c = s.size() > 2 ? s[2] : 0;
  switch (op) {
    case Op::AddF:
    case Op::AddHalf: return unit.add(a, b);
    case Op::SubF:
    case Op::SubHalf: return unit.subtract(a, b);
    case Op::MulF:
    case Op::MulHalf: return unit.multiply(a, b);
    case Op::Fma:
    case Op::MadF:
    case Op::FmaHalf: return unit.fma(a, b, c);
    case Op::Rcp: return unit.divide(unit.format().one(), a);
    case Op::CopySign: return unit.copy_sign(a, b);
    case Op::DivF: return unit.divide(a, b);
    case Op::SqrtF: return unit.square_root(a);
    case Op::AbsF:
    case Op::AbsHalf: return unit.absolute(a);
    case Op::NegF:
    case Op::NegHalf: return unit.negate(a);
    case Op::MinF:
    case Op::MinHalf: return unit.extreme(a, b, true);
    case Op::MaxF:
    case Op::MaxHalf: return unit.extreme(a, b, false);
    default: return 0;
  }
}

// testp; zero counts as normal (tp_norm).
bool has_property(Op op, Type type, std::uint64_t x) {
  const Format f = format_of(type);
  switch (op) {
    case Op::TestpFinite: return !is_nan(f, x) && !is_infinite(f, x);
    case Op::TestpInfinite: return is_infinite(f, x);
    case Op::TestpNumber: return !is_nan(f, x);
    case Op::TestpNotANumber: return is_nan(f, x);
    case Op::TestpNormal: return !is_nan(f, x) && !is_infinite(f, x) && !is_subnormal(f, x);
    default: return is_subnormal(f, x);
  }
}

// What two lanes' values become in a reduction or scan, as an instruction of the table.
Op combining(Op op, bool of_floats) {
  switch (op) {
    case Op::ReduceAdd:
    case Op::ScanAdd: return of_floats ? Op::AddF : Op::Add;
    case Op::ReduceMul:
    case Op::ScanMul: return of_floats ? Op::MulF : Op::MulLo;
    case Op::ReduceMin:
    case Op::ScanMin: return of_floats ? Op::MinF : Op::Min;
    case Op::ReduceMax:
    case Op::ScanMax: return of_floats ? Op::MaxF : Op::Max;
    case Op::ReduceAnd: return Op::And;
    case Op::ReduceOr: return Op::Or;
    case Op::ReduceXor: return Op::Xor;
    default: return Op::Exit;
  }
}

}  // namespace

// Every row has a line here; one that has none makes the test fail that walks the table.
bool defines(Op op) {
  switch (op) {
    case Op::Mov:
    case Op::Selp:
    case Op::Cvt:
    case Op::Add:
    case Op::AddNarrow:
    case Op::Sub:
    case Op::SubNarrow:
    case Op::MulLo:
    case Op::MulHi:
    case Op::MulWide:
    case Op::MadLo:
    case Op::MadHi:
    case Op::MadWide:
    case Op::Div:
    case Op::Rem:
    case Op::Abs:
    case Op::Neg:
    case Op::Min:
    case Op::Max:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Not:
    case Op::Shl:
    case Op::Shr:
    case Op::Popc:
    case Op::AddF:
    case Op::SubF:
    case Op::MulF:
    case Op::Fma:
    case Op::MadF:
    case Op::DivF:
    case Op::SqrtF:
    case Op::AbsF:
    case Op::NegF:
    case Op::MinF:
    case Op::MaxF:
    case Op::SetpEq:
    case Op::SetpNe:
    case Op::SetpLt:
    case Op::SetpLe:
    case Op::SetpGt:
    case Op::SetpGe:
    case Op::SetpEqu:
    case Op::SetpNeu:
    case Op::SetpLtu:
    case Op::SetpLeu:
    case Op::SetpGtu:
    case Op::SetpGeu:
    case Op::SetpNum:
    case Op::SetpNan:
    case Op::AddHalf:
    case Op::SubHalf:
    case Op::MulHalf:
    case Op::FmaHalf:
    case Op::AbsHalf:
    case Op::NegHalf:
    case Op::MinHalf:
    case Op::MaxHalf:
    case Op::CopySign:
    case Op::Rcp:
    case Op::RcpApprox:
    case Op::RcpSeed:
    case Op::RsqrtApprox:
    case Op::RsqrtDouble:
    case Op::SqrtApprox:
    case Op::DivApprox:
    case Op::DivFull:
    case Op::Ex2Approx:
    case Op::Ex2Half:
    case Op::Ex2Brain:
    case Op::Lg2Approx:
    case Op::SinApprox:
    case Op::CosApprox:
    case Op::TanhApprox:
    case Op::TanhHalf:
    case Op::SetpEqHalf:
    case Op::SetpNeHalf:
    case Op::SetpLtHalf:
    case Op::SetpLeHalf:
    case Op::SetpGtHalf:
    case Op::SetpGeHalf:
    case Op::SetpEquHalf:
    case Op::SetpNeuHalf:
    case Op::SetpLtuHalf:
    case Op::SetpLeuHalf:
    case Op::SetpGtuHalf:
    case Op::SetpGeuHalf:
    case Op::SetpNumHalf:
    case Op::SetpNanHalf:
    case Op::TestpFinite:
    case Op::TestpInfinite:
    case Op::TestpNumber:
    case Op::TestpNotANumber:
    case Op::TestpNormal:
    case Op::TestpSubnormal:
    case Op::LdGlobal:
    case Op::StGlobal:
    case Op::LdShared:
    case Op::StShared:
    case Op::LdParam:
    case Op::ShflIdx:
    case Op::ShflUp:
    case Op::ShflDown:
    case Op::ShflBfly:
    case Op::VoteAll:
    case Op::VoteAny:
    case Op::VoteUni:
    case Op::VoteBallot:
    case Op::ActiveMask:
    case Op::Broadcast:
    case Op::ReduceAdd:
    case Op::ReduceMul:
    case Op::ReduceMin:
    case Op::ReduceMax:
    case Op::ReduceAnd:
    case Op::ReduceOr:
    case Op::ReduceXor:
    case Op::ScanAdd:
    case Op::ScanMul:
    case Op::ScanMin:
    case Op::ScanMax:
    case Op::Bra:
    case Op::Exit:
    case Op::BarWarp:
    case Op::BarSync: return true;
  }
  return false;
}

std::uint64_t evaluate(Op op, Type type, Type type2, const Mods& mods, const std::vector<std::uint64_t>& sources,
                       unsigned lanes) {
  const OpInfo& row = info(op);
  if (op == Op::Cvt) return convert(type, type2, mods, sources[0]);
  if (is_pair(type)) {
    std::vector<std::uint64_t> low, high;
    for (const std::uint64_t source : sources) {
      low.push_back(source & 0xffff);
      high.push_back(source >> 16 & 0xffff);
    }
    if (row.kernel != "Copy" && row.kernel != "Select")
      return evaluate(op, element(type), type2, mods, low, lanes) |
             evaluate(op, element(type), type2, mods, high, lanes) << 16;
  }
  if (is_special_function(op)) return special_function(op, type, mods, sources[0], sources.size() > 1 ? sources[1] : 0);
  if (row.form == Form::PA) return has_property(op, type, sources[0]) ? 1 : 0;
  if (row.form == Form::PAB) return holds(op, order_of(type, mods, sources[0], sources[1])) ? 1 : 0;
  const Op plain = combining(op, is_float(type));
  if (plain != Op::Exit) return evaluate(plain, type, type2, mods, sources, lanes);
  if ((first_types(row.types) & ~(kFloat | kHalfFloat | kPair)) == 0) return float_operation(op, type, mods, sources);
  return integer_operation(op, type, width_of(type, lanes), sources);
}

}  // namespace warpsim::reference
