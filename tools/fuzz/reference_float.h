// Float instructions of the second interpreter: exact results, rounded once, with the H200's rules for NaN.
//
// Shapes: operands and results are bits, zero-extended to 64.
// Errors: none: every input has an answer.
// Source: PTX ISA 9.0, sections 9.7.3 to 9.7.5; NaN bits: the H200's vectors (`d_*`, `f_*`).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include "tools/fuzz/exact_float.h"
#include "tools/fuzz/reference_interpreter.h"

namespace warpsim::reference {

Format format_of(Type type);
Rounding rounding_of(Round round);

// One float instruction: its format, its modifiers, and the rules for NaN.
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
  // The NaN that results from these operands; the first NaN among them counts.
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

// cvt.
std::uint64_t convert(Type to, Type from, const Mods& mods, std::uint64_t a);
// cvt of pairs, to tf32, and cvt.pack; nothing for other rows. reference_narrow.cpp
std::optional<std::uint64_t> narrow_conversion(Op op, Type type, Type type2, const Mods& mods,
                                               const std::vector<std::uint64_t>& s);

}  // namespace warpsim::reference
