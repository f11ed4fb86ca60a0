// The scalar meaning of every row, one definition each, from PTX's text: integers with 128 bits of room, exact floats.
//
// Shapes: values are bits, zero-extended to 64.
// Units:  none.
// Errors: none: every input has an answer.
// Source: PTX ISA 9.0, sections 9.7.1 to 9.7.9; NaN bits, division by zero and what else PTX leaves open: the H200's
//         vectors (`d_*`, `f_*`, `c_*`, `i_*`, `l_*`).
#include <initializer_list>

#include "tools/fuzz/exact_float.h"
#include "tools/fuzz/reference_interpreter.h"
#include "tools/fuzz/reference_mufu.h"

namespace warpsim::reference {
namespace {

__extension__ typedef __int128 Int128;

int width_of(Type type, unsigned lanes) {
  if (type == Type::Mask) return lanes > 32 ? 64 : 32;
  return bits(type);
}
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
  if (width < 64) return cut((integer(type, a) * integer(type, b)) >> width, width);
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

// ---- integers, the rarer ones

Int128 clamp_to(Type type, Int128 value) { return static_cast<Int128>(clamped(value, type)); }
// The low 24 bits as a number of that signedness.
Int128 number24(Type type, std::uint64_t a) {
  const Int128 low = static_cast<Int128>(a & 0xffffff);
  return is_signed(type) && low >= 0x800000 ? low - 0x1000000 : low;
}
std::uint64_t difference(Type type, std::uint64_t a, std::uint64_t b) {
  const Int128 x = integer(type, a), y = integer(type, b);
  return cut(x < y ? y - x : x - y, bits(type));
}
Int128 byte_of(Type type, std::uint64_t word, int index) {
  return integer(is_signed(type) ? Type::S8 : Type::U8, word >> 8 * index & 0xff);
}
Int128 half_of(Type type, std::uint64_t word, int index) {
  return integer(is_signed(type) ? Type::S16 : Type::U16, word >> 16 * index & 0xffff);
}
std::uint64_t dot_of_bytes(Type a_type, Type b_type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  Int128 sum = static_cast<Int128>(c);
  for (int k = 0; k < 4; ++k) sum += byte_of(a_type, a, k) * byte_of(b_type, b, k);
  return cut(sum, 32);
}
std::uint64_t dot_of_halves(Type a_type, Type b_type, std::uint64_t a, std::uint64_t b, std::uint64_t c, int first) {
  return cut(static_cast<Int128>(c) + half_of(a_type, a, 0) * byte_of(b_type, b, first) +
                 half_of(a_type, a, 1) * byte_of(b_type, b, first + 1),
             32);
}

bool has_bit(std::uint64_t a, int place) { return place >= 0 && place < 64 && (a >> place & 1) != 0; }
// PTX's loop: from the top down to the first bit that differs from the sign.
std::uint64_t find_bit(Type type, std::uint64_t a, bool as_shift) {
  const int top = bits(type) - 1;
  const bool sign = is_signed(type) && has_bit(a, top);
  for (int place = top; place >= 0; --place) {
    if (has_bit(a, place) != sign) return static_cast<std::uint64_t>(as_shift ? top - place : place);
  }
  return 0xffffffff;
}
std::uint64_t leading_zeros(int width, std::uint64_t a) {
  std::uint64_t count = 0;
  for (int place = width - 1; place >= 0 && !has_bit(a, place); --place) ++count;
  return count;
}
std::uint64_t turned_round(int width, std::uint64_t a) {
  std::uint64_t result = 0;
  for (int place = 0; place < width; ++place) result = result << 1 | (a >> place & 1);
  return result;
}
// PTX gives positions and lengths eight bits; the H200 takes all of them for 64-bit fields. 999 stands for more.
int field_number(int width, std::uint64_t x) {
  if (width == 32) return static_cast<int>(x % 256);
  return x > 999 ? 999 : static_cast<int>(x);
}
// PTX's loop over the result's bits.
std::uint64_t extract_field(Type type, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const int top = bits(type) - 1, start = field_number(bits(type), b), length = field_number(bits(type), c);
  const bool fill = is_signed(type) && length != 0 && has_bit(a, start + length - 1 < top ? start + length - 1 : top);
  std::uint64_t result = 0;
  for (int k = 0; k <= top; ++k) {
    const bool bit = k < length && start + k <= top ? has_bit(a, start + k) : fill;
    result |= static_cast<std::uint64_t>(bit) << k;
  }
  return result;
}
std::uint64_t insert_field(int width, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
  const int start = field_number(width, c), length = field_number(width, d);
  for (int k = 0; k < length && start + k < width; ++k) {
    const std::uint64_t place = std::uint64_t{1} << (start + k);
    b = has_bit(a, k) ? b | place : b & ~place;
  }
  return b;
}
std::uint64_t mask_of(std::uint64_t a, std::uint64_t b, bool clamps) {
  const std::uint64_t start = clamps ? a : a % 32, length = clamps ? b : b % 32;
  std::uint64_t result = 0;
  for (std::uint64_t k = 0; k < 32; ++k) {
    if (k >= start && k - start < length) result |= std::uint64_t{1} << k;
  }
  return result;
}
std::uint64_t sign_or_zero_extend(Type type, std::uint64_t a, std::uint64_t b, bool clamps) {
  if (clamps && b >= 32) return a;
  const std::uint64_t length = b % 32;
  std::uint64_t result = 0;
  for (std::uint64_t k = 0; k < 32; ++k) {
    const bool bit = k < length ? has_bit(a, static_cast<int>(k))
                                : is_signed(type) && length != 0 && has_bit(a, static_cast<int>(length) - 1);
    result |= static_cast<std::uint64_t>(bit) << k;
  }
  return result;
}
// PTX's own text of fns; the H200 gives 0 for the one offset whose size has no 32-bit number.
std::uint64_t find_nth_set(std::uint64_t mask, std::uint64_t base, std::uint64_t offset_bits) {
  const Int128 offset = integer(Type::S32, offset_bits);
  if (offset == -(Int128{1} << 31)) return 0;
  if (offset == 0) return base < 32 && has_bit(mask, static_cast<int>(base)) ? base : 0xffffffff;
  Int128 place = static_cast<Int128>(base), count = (offset < 0 ? -offset : offset) - 1;
  const int step = offset > 0 ? 1 : -1;
  while (place >= 0 && place < 32) {
    if (has_bit(mask, static_cast<int>(place))) {
      if (count == 0) return static_cast<std::uint64_t>(place);
      --count;
    }
    place += step;
  }
  return 0xffffffff;
}
std::uint64_t funnel(bool left, bool clamps, std::uint64_t low, std::uint64_t high, std::uint64_t count) {
  const int by = static_cast<int>(clamps ? (count > 32 ? 32 : count) : count % 32);
  std::uint64_t result = 0;
  for (int k = 0; k < 32; ++k) {
    const int from = left ? 32 + k - by : k + by;  // of the 64 bits
    const bool bit = from < 32 ? has_bit(low, from) : has_bit(high, from - 32);
    result |= static_cast<std::uint64_t>(bit) << k;
  }
  return result;
}
std::uint64_t lookup(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t table) {
  std::uint64_t result = 0;
  for (int k = 0; k < 32; ++k) {
    const int entry = 4 * has_bit(a, k) + 2 * has_bit(b, k) + has_bit(c, k);
    result |= static_cast<std::uint64_t>(has_bit(table, entry)) << k;
  }
  return result;
}
std::uint64_t numbered_byte(std::uint64_t a, std::uint64_t b, std::uint64_t number) {
  return number < 4 ? a >> 8 * number & 0xff : b >> 8 * (number - 4) & 0xff;
}
// PTX's table of the modes, byte 3 of the result first.
std::uint64_t permuted(Op op, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t result = 0;
  const std::uint64_t n = c % 4;
  for (std::uint64_t k = 4; k-- > 0;) {  // from the top
    std::uint64_t number = 0;
    switch (op) {
      case Op::PrmtF4e: number = n + k; break;
      case Op::PrmtB4e: number = (n + 8 - k) % 8; break;
      case Op::PrmtRc8: number = n; break;
      case Op::PrmtEcl: number = k > n ? k : n; break;
      case Op::PrmtEcr: number = k < n ? k : n; break;
      case Op::PrmtRc16: number = n % 2 * 2 + k % 2; break;
      default: number = c >> 4 * k & 15; break;
    }
    std::uint64_t byte = numbered_byte(a, b, number % 8);
    if (number >= 8) byte = byte >= 128 ? 255 : 0;
    result = result << 8 | byte;
  }
  return result;
}
std::uint64_t select_by_sign(Type type2, const Mods& mods, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  if (type2 == Type::S32) return integer(Type::S32, c) >= 0 ? a : b;
  const int order = Arithmetic(Type::F32, mods).order(c, 0);
  return order == 0 || order == 1 ? a : b;
}
// The factors' half of the product, with c (or not) and the carry: more bits than the width show what is carried out.
Int128 chained(Op op, Type type, const std::vector<std::uint64_t>& s) {
  const int width = bits(type);
  const auto plain = [&](std::size_t k) { return static_cast<Int128>(k < s.size() ? s[k] & ones(width) : 0); };
  switch (op) {
    case Op::AddCc:
    case Op::Addc:
    case Op::AddcCc: return plain(0) + plain(1) + plain(2);
    // The difference and 2^width, so that the bit above says that nothing was borrowed.
    case Op::SubCc: return plain(0) - plain(1) + (Int128{1} << width);
    case Op::Subc:
    case Op::SubcCc: return plain(0) - plain(1) - (1 - plain(2)) + (Int128{1} << width);
    case Op::MadLoCc:
    case Op::MadcLo:
    case Op::MadcLoCc: return static_cast<Int128>(low_product(type, s[0], s[1])) + plain(2) + plain(3);
    default: return static_cast<Int128>(high_product(type, s[0], s[1])) + plain(2) + plain(3);
  }
}

// -1, 0, 1, or 2 if the order is not defined. Untyped bits compare as unsigned.
int order_of(Type type, const Mods& mods, std::uint64_t a, std::uint64_t b) {
  if (is_float(type)) return Arithmetic(type, mods).order(a, b);
  const Int128 x = integer(type, a), y = integer(type, b);
  return x < y ? -1 : x > y ? 1 : 0;
}

Meaning holds(Op op, int order) {
  const bool unordered = order == 2;
  switch (op) {
    case Op::SetEq:
    case Op::SetpEqNarrow:
    case Op::SetpEq:
    case Op::SetpEqHalf: return order == 0;
    case Op::SetNe:
    case Op::SetpNeNarrow:
    case Op::SetpNe:
    case Op::SetpNeHalf: return order == -1 || order == 1;
    case Op::SetLt:
    case Op::SetpLtNarrow:
    case Op::SetpLt:
    case Op::SetpLtHalf: return order == -1;
    case Op::SetLe:
    case Op::SetpLeNarrow:
    case Op::SetpLe:
    case Op::SetpLeHalf: return order == -1 || order == 0;
    case Op::SetGt:
    case Op::SetpGtNarrow:
    case Op::SetpGt:
    case Op::SetpGtHalf: return order == 1;
    case Op::SetGe:
    case Op::SetpGeNarrow:
    case Op::SetpGe:
    case Op::SetpGeHalf: return order == 1 || order == 0;
    case Op::SetEqu:
    case Op::SetpEqu:
    case Op::SetpEquHalf: return unordered || order == 0;
    case Op::SetNeu:
    case Op::SetpNeu:
    case Op::SetpNeuHalf: return unordered || order != 0;
    case Op::SetLtu:
    case Op::SetpLtu:
    case Op::SetpLtuHalf: return unordered || order == -1;
    case Op::SetLeu:
    case Op::SetpLeu:
    case Op::SetpLeuHalf: return unordered || order != 1;
    case Op::SetGtu:
    case Op::SetpGtu:
    case Op::SetpGtuHalf: return unordered || order == 1;
    case Op::SetGeu:
    case Op::SetpGeu:
    case Op::SetpGeuHalf: return unordered || order != -1;
    case Op::SetNum:
    case Op::SetpNum:
    case Op::SetpNumHalf: return !unordered;
    case Op::SetNan:
    case Op::SetpNan:
    case Op::SetpNanHalf: return unordered;
    default: return std::nullopt;
  }
}

Meaning integer_operation(Op op, Type type, Type type2, const Mods& mods, int width,
                          const std::vector<std::uint64_t>& s) {
  const auto source = [&](std::size_t k) { return k < s.size() ? s[k] : 0; };
  const std::uint64_t a = source(0), b = source(1), c = source(2), d = source(3);
  switch (op) {
    case Op::Mov: return a & ones(width);
    case Op::Selp: return (c != 0 ? a : b) & ones(width);
    case Op::Add:
    case Op::AddNarrow: return (a + b) & ones(width);
    case Op::Sub:
    case Op::SubNarrow: return (a - b) & ones(width);
    case Op::MulLo:
    case Op::MulLoNarrow: return low_product(type, a, b);
    case Op::MulHi:
    case Op::MulHiNarrow: return high_product(type, a, b);
    case Op::MulWide:
    case Op::MulWideNarrow: return cut(integer(type, a) * integer(type, b), 2 * width);
    case Op::MadLo:
    case Op::MadLoNarrow: return (low_product(type, a, b) + c) & ones(width);
    case Op::MadHi:
    case Op::MadHiNarrow: return (high_product(type, a, b) + c) & ones(width);
    case Op::MadWide:
    case Op::MadWideNarrow: return cut(integer(type, a) * integer(type, b) + static_cast<Int128>(c), 2 * width);
    case Op::Div:
    case Op::DivNarrow: return quotient(type, a, b);
    case Op::Rem:
    case Op::RemNarrow: return remainder(type, a, b);
    case Op::Abs:
    case Op::AbsNarrow: return integer(type, a) < 0 ? cut(-integer(type, a), width) : a;
    case Op::Neg:
    case Op::NegNarrow: return cut(-integer(type, a), width);
    case Op::Min:
    case Op::MinNarrow: return smaller(type, a, b);
    case Op::Max:
    case Op::MaxNarrow: return larger(type, a, b);
    case Op::And:
    case Op::AndNarrow: return a & b;
    case Op::Or:
    case Op::OrNarrow: return a | b;
    case Op::Xor:
    case Op::XorNarrow: return a ^ b;
    case Op::Not:
    case Op::NotNarrow: return ~a & ones(width);
    case Op::Shl:
    case Op::ShlNarrow: return shift_left(width, a, b);
    case Op::Shr:
    case Op::ShrNarrow: return shift_right(type, width, a, b);
    case Op::Popc: return ones_in(a);
    case Op::AddSat: return static_cast<std::uint64_t>(clamp_to(type, integer(type, a) + integer(type, b)));
    case Op::SubSat: return static_cast<std::uint64_t>(clamp_to(type, integer(type, a) - integer(type, b)));
    case Op::MadHiSat:
      return static_cast<std::uint64_t>(clamp_to(type, (integer(type, a) * integer(type, b) >> 32) + integer(type, c)));
    case Op::Mul24Lo: return cut(number24(type, a) * number24(type, b), 32);
    case Op::Mul24Hi: return cut(number24(type, a) * number24(type, b) >> 16, 32);
    case Op::Mad24Lo: return cut(number24(type, a) * number24(type, b) + integer(type, c), 32);
    case Op::Mad24Hi: return cut((number24(type, a) * number24(type, b) >> 16) + integer(type, c), 32);
    case Op::Mad24HiSat:
      return static_cast<std::uint64_t>(
          clamp_to(type, (number24(type, a) * number24(type, b) >> 16) + integer(type, c)));
    case Op::SadAbs: return (difference(type, a, b) + c) & ones(width);
    case Op::Dp4a: return dot_of_bytes(type, type2, a, b, c);
    case Op::Dp2aLo: return dot_of_halves(type, type2, a, b, c, 0);
    case Op::Dp2aHi: return dot_of_halves(type, type2, a, b, c, 2);
    case Op::Cnot: return a == 0 ? 1 : 0;
    case Op::Lop3: return lookup(a, b, c, d);
    case Op::ShfLeftClamp: return funnel(true, true, a, b, c);
    case Op::ShfLeftWrap: return funnel(true, false, a, b, c);
    case Op::ShfRightClamp: return funnel(false, true, a, b, c);
    case Op::ShfRightWrap: return funnel(false, false, a, b, c);
    case Op::Clz: return leading_zeros(width, a);
    case Op::Bfind: return find_bit(type, a, false);
    case Op::BfindShift: return find_bit(type, a, true);
    case Op::Brev: return turned_round(width, a);
    case Op::Fns: return find_nth_set(a, b, c);
    case Op::Bfe: return extract_field(type, a, b, c);
    case Op::Bfi: return insert_field(width, a, b, c, d);
    case Op::BmskClamp: return mask_of(a, b, true);
    case Op::BmskWrap: return mask_of(a, b, false);
    case Op::SzextClamp: return sign_or_zero_extend(type, a, b, true);
    case Op::SzextWrap: return sign_or_zero_extend(type, a, b, false);
    case Op::Prmt:
    case Op::PrmtF4e:
    case Op::PrmtB4e:
    case Op::PrmtRc8:
    case Op::PrmtEcl:
    case Op::PrmtEcr:
    case Op::PrmtRc16: return permuted(op, a, b, c);
    case Op::Slct: return select_by_sign(type2, mods, a, b, c);
    case Op::AddCc:
    case Op::Addc:
    case Op::AddcCc:
    case Op::SubCc:
    case Op::Subc:
    case Op::SubcCc:
    case Op::MadLoCc:
    case Op::MadcLo:
    case Op::MadcLoCc:
    case Op::MadHiCc:
    case Op::MadcHi:
    case Op::MadcHiCc: return cut(chained(op, type, s), width);
    default: return std::nullopt;
  }
}

Meaning float_operation(Op op, Type type, const Mods& mods, const std::vector<std::uint64_t>& s) {
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
    default: return std::nullopt;
  }
}

// testp; zero counts as normal (tp_norm).
Meaning has_property(Op op, Type type, std::uint64_t x) {
  const Format f = format_of(type);
  switch (op) {
    case Op::TestpFinite: return !is_nan(f, x) && !is_infinite(f, x);
    case Op::TestpInfinite: return is_infinite(f, x);
    case Op::TestpNumber: return !is_nan(f, x);
    case Op::TestpNotANumber: return is_nan(f, x);
    case Op::TestpNormal: return !is_nan(f, x) && !is_infinite(f, x) && !is_subnormal(f, x);
    case Op::TestpSubnormal: return is_subnormal(f, x);
    default: return std::nullopt;
  }
}

Meaning both_halves(Meaning low, Meaning high) { return low && high ? Meaning(*low | *high << 16) : std::nullopt; }

// What two lanes' values become in a reduction or scan, as an instruction of the table.
Op combining(Op op, bool of_floats) {
  switch (op) {
    case Op::ReduceAdd:
    case Op::ReduxAdd:
    case Op::ScanAdd: return of_floats ? Op::AddF : Op::Add;
    case Op::ReduceMul:
    case Op::ScanMul: return of_floats ? Op::MulF : Op::MulLo;
    case Op::ReduceMin:
    case Op::ReduxMin:
    case Op::ScanMin: return of_floats ? Op::MinF : Op::Min;
    case Op::ReduceMax:
    case Op::ReduxMax:
    case Op::ScanMax: return of_floats ? Op::MaxF : Op::Max;
    case Op::ReduxAnd:
    case Op::ReduceAnd: return Op::And;
    case Op::ReduxOr:
    case Op::ReduceOr: return Op::Or;
    case Op::ReduxXor:
    case Op::ReduceXor: return Op::Xor;
    default: return Op::Exit;
  }
}

}  // namespace

bool carries_out(Op op, Type type, const std::vector<std::uint64_t>& sources) {
  const Int128 sum = chained(op, type, sources);
  return sum >> bits(type) != 0;
}

Meaning meaning(Op op, Type type, Type type2, const Mods& mods, const std::vector<std::uint64_t>& sources,
                unsigned lanes) {
  const OpInfo& row = info(op);
  if (op == Op::Cvt) return convert(type, type2, mods, sources[0]);
  if (is_pair(type)) {
    std::vector<std::uint64_t> low, high;
    for (const std::uint64_t source : sources) {
      low.push_back(source & 0xffff);
      high.push_back(source >> 16 & 0xffff);
    }
    if (!has_trait(row, kCopies | kSelects))
      return both_halves(meaning(op, element(type), type2, mods, low, lanes),
                         meaning(op, element(type), type2, mods, high, lanes));
  }
  if (const Meaning special = special_meaning(op, type, mods, sources[0], sources.size() > 1 ? sources[1] : 0))
    return special;
  if (row.form == Form::DA2B2) {
    const std::uint64_t yes = type == Type::F32 ? 0x3f800000 : 0xffffffff;
    const Meaning truth = holds(op, order_of(type2, mods, sources[0], sources[1]));
    return truth ? Meaning(*truth != 0 ? yes : 0) : std::nullopt;
  }
  if (row.form == Form::PA) return has_property(op, type, sources[0]);
  if (row.form == Form::PAB) return holds(op, order_of(type, mods, sources[0], sources[1]));
  const Op plain = combining(op, is_float(type));
  if (plain != Op::Exit) return meaning(plain, type, type2, mods, sources, lanes);
  if ((first_types(row.types) & ~(kFloat | kHalfFloat | kPair)) == 0) return float_operation(op, type, mods, sources);
  return integer_operation(op, type, type2, mods, width_of(type, lanes), sources);
}

std::uint64_t evaluate(Op op, Type type, Type type2, const Mods& mods, const std::vector<std::uint64_t>& sources,
                       unsigned lanes) {
  return meaning(op, type, type2, mods, sources, lanes).value_or(0);
}

}  // namespace warpsim::reference
