#include "traces/template/phase_arithmetic.h"

#include <compare>
#include <limits>

#include "isa/kernels/softfloat.h"

namespace warpsim {
namespace {

using Wide = softfloat::UInt128;
__extension__ typedef __int128 Number;  // holds every integer of 64 bits, with either sign
using Lack = TemplateValue::Lack;

constexpr Number kMostSigned = std::numeric_limits<std::int64_t>::max(),
                 kMost = std::numeric_limits<std::uint64_t>::max();

bool is_unsigned_word(Type type) { return type == Type::U64 || type == Type::B64 || type == Type::Mask; }

Number number_of(const TemplateValue& value) {
  return is_unsigned_word(value.type) ? static_cast<Number>(value.bits) : static_cast<Number>(as_integer(value));
}

// What 64 bits do not hold wraps.
TemplateValue integer_of(Number n) {
  if (n > kMostSigned && n <= kMost) return TemplateValue::of(Type::U64, static_cast<std::uint64_t>(n));
  return TemplateValue::integer(static_cast<std::int64_t>(static_cast<std::uint64_t>(n)));
}

// Sign and size separately: the product of two sizes fits 128 bits, a signed one might not.
TemplateValue product(Number x, Number y) {
  const auto size = [](Number n) { return static_cast<Wide>(n < 0 ? -n : n); };
  const Wide whole = size(x) * size(y);
  const std::uint64_t low = static_cast<std::uint64_t>(whole);
  if ((x < 0) != (y < 0)) return integer_of(-static_cast<Number>(low));
  return integer_of(static_cast<Number>(low));
}

TemplateValue shifted(char op, Number x, Number by) {
  if (by < 0) return TemplateValue::lacking(Lack::NegativeShift);
  const int amount = by > 127 ? 127 : static_cast<int>(by);
  if (op == 'R') return integer_of(x >> amount);
  const std::uint64_t low = amount > 63 ? 0 : static_cast<std::uint64_t>(x) << amount;
  return x < 0 ? TemplateValue::integer(static_cast<std::int64_t>(low)) : integer_of(static_cast<Number>(low));
}

TemplateValue compute_integers(char op, const TemplateValue& a, const TemplateValue& b) {
  const Number x = number_of(a), y = number_of(b);
  const bool bits_count = x > kMostSigned || y > kMostSigned;  // then the top bit is no sign
  const auto of_bits = [&](std::uint64_t bits) {
    return bits_count ? integer_of(static_cast<Number>(bits)) : TemplateValue::integer(static_cast<std::int64_t>(bits));
  };
  const auto word = [](Number n) { return static_cast<std::uint64_t>(n); };
  switch (op) {
    case '+': return integer_of(x + y);
    case '-': return integer_of(x - y);
    case '*': return product(x, y);
    case '^': return of_bits(word(x) ^ word(y));
    case '&': return of_bits(word(x) & word(y));
    case '|': return of_bits(word(x) | word(y));
    case 'L':
    case 'R': return shifted(op, x, y);
    case '/': return y == 0 ? TemplateValue::lacking(Lack::DividedByZero) : integer_of(x / y);
    case '%': return y == 0 ? TemplateValue::lacking(Lack::DividedByZero) : integer_of(x % y);
    default: return {};
  }
}

// The type that both take, where at least one is a float.
Type common_float(Type x, Type y) {
  if (!is_float(x)) return y;
  if (!is_float(y) || x == y) return x;
  return x == Type::F64 || y == Type::F64 ? Type::F64 : Type::F32;
}

std::uint64_t float_bits(Type to, const TemplateValue& value) {
  if (is_float(value.type)) return value.type == to ? value.bits : softfloat::convert(value.bits, to, value.type, {});
  const Number n = number_of(value);
  return softfloat::convert(static_cast<std::uint64_t>(n), to, n > kMostSigned ? Type::U64 : Type::S64, {});
}

TemplateValue compute_floats(char op, const TemplateValue& x, const TemplateValue& y) {
  const Type type = common_float(x.type, y.type);
  const softfloat::Format format = softfloat::format_of(type);
  const std::uint64_t a = float_bits(type, x), b = float_bits(type, y);
  TemplateValue result = TemplateValue::of(type, 0);
  result.is_literal = x.is_literal && y.is_literal;
  switch (op) {
    case '+': result.bits = softfloat::add(format, a, b, {}); return result;
    case '-': result.bits = softfloat::sub(format, a, b, {}); return result;
    case '*': result.bits = softfloat::mul(format, a, b, {}); return result;
    case '/': result.bits = softfloat::div(format, a, b, {}); return result;
    default: return {};
  }
}

double real(const TemplateValue& value) { return softfloat::value_of(value.type, value.bits); }

std::partial_ordering order(Number n, double x) {
  if (x != x) return std::partial_ordering::unordered;
  if (x >= 0x1p64 || x < -0x1p63) return 0.0 <=> x;  // beyond every integer
  const Number whole = static_cast<Number>(x);
  if (n != whole) return n < whole ? std::partial_ordering::less : std::partial_ordering::greater;
  return static_cast<double>(whole) <=> x;
}

// By what they are worth: no operand is rounded to the other's type.
std::partial_ordering order(const TemplateValue& x, const TemplateValue& y) {
  if (is_float(x.type) && is_float(y.type)) return real(x) <=> real(y);
  if (is_float(y.type)) return order(number_of(x), real(y));
  if (is_float(x.type)) {
    const std::partial_ordering turned = order(y, x);
    return std::is_lt(turned)   ? std::partial_ordering::greater
           : std::is_gt(turned) ? std::partial_ordering::less
                                : turned;
  }
  const Number a = number_of(x), b = number_of(y);
  return a < b   ? std::partial_ordering::less
         : a > b ? std::partial_ordering::greater
                 : std::partial_ordering::equivalent;
}

// A literal as the type beside it. 0xffffffff is -1 of 32 bits where it asks for the same, but it is not below 0.
TemplateValue beside(char op, const TemplateValue& value, Type type) {
  if (!value.is_literal) return value;
  if (is_float(value.type)) return is_float(type) ? TemplateValue::of(type, float_bits(type, value)) : value;
  const int width = bits(type);
  if ((op != '=' && op != 'n') || !is_signed(type) || (width < 64 && value.bits >> width != 0)) return value;
  return TemplateValue::of(type, value.bits);
}

bool holds(char op, std::partial_ordering order) {
  const bool is_equal = order == std::partial_ordering::equivalent;
  const bool is_less = order == std::partial_ordering::less, is_greater = order == std::partial_ordering::greater;
  switch (op) {
    case '=': return is_equal;
    case 'n': return !is_equal;
    case '<': return is_less;
    case 'l': return is_less || is_equal;
    case '>': return is_greater;
    default: return is_greater || is_equal;
  }
}

bool are_equal_pairs(const TemplateValue& x, const TemplateValue& y) {
  const auto half = [](const TemplateValue& pair, unsigned at) {
    return softfloat::value_of(element(pair.type), pair.bits >> at & 0xffffU);
  };
  return half(x, 0) == half(y, 0) && half(x, 16) == half(y, 16);
}

bool is_logic(char op) { return op == 'a' || op == 'o'; }
bool is_of_bits(char op) { return op == '&' || op == '|' || op == '^' || op == '%' || op == 'L' || op == 'R'; }

}  // namespace

std::int64_t as_integer(const TemplateValue& value) {
  const int width = bits(value.type);
  if (is_signed(value.type) && width < 64 && width > 0) {
    const unsigned shift = 64U - static_cast<unsigned>(width);
    return static_cast<std::int64_t>(value.bits << shift) >> shift;
  }
  return static_cast<std::int64_t>(value.bits);
}

bool TemplateValue::is_true() const {
  if (kind != Kind::Bits) return false;
  return is_float(type) ? softfloat::value_of(type, bits) != 0 : bits != 0;
}

bool is_comparison(char op) { return op == '=' || op == 'n' || op == '<' || op == 'l' || op == '>' || op == 'g'; }

bool can_combine(char op, Type x, Type y) {
  if (is_logic(op)) return true;
  if (is_pair(x) || is_pair(y)) return x == y && (op == '=' || op == 'n');
  return !is_of_bits(op) || (!is_float(x) && !is_float(y));
}

Type combined_type(char op, Type x, Type y) {
  if (is_logic(op) || is_comparison(op)) return Type::Pred;
  return is_float(x) || is_float(y) ? common_float(x, y) : Type::S64;
}

TemplateValue combined(char op, const TemplateValue& x, const TemplateValue& y) {
  if (op == 'a') return TemplateValue::truth(x.is_true() && y.is_true());
  if (op == 'o') return TemplateValue::truth(x.is_true() || y.is_true());
  if (x.kind == TemplateValue::Kind::Undefined || y.kind == TemplateValue::Kind::Undefined)
    return TemplateValue::undefined();
  if (x.kind != TemplateValue::Kind::Bits || y.kind != TemplateValue::Kind::Bits)
    return TemplateValue::lacking(x.lack != Lack::None ? x.lack : y.lack);
  if (!can_combine(op, x.type, y.type)) return {};
  if (is_pair(x.type)) return TemplateValue::truth(are_equal_pairs(x, y) == (op == '='));
  const TemplateValue a = y.is_literal ? x : beside(op, x, y.type), b = x.is_literal ? y : beside(op, y, x.type);
  if (is_comparison(op)) return TemplateValue::truth(holds(op, order(a, b)));
  if (is_float(x.type) || is_float(y.type)) return compute_floats(op, a, b);
  return compute_integers(op, x, y);
}

TemplateValue negated(const TemplateValue& value) {
  if (value.kind != TemplateValue::Kind::Bits) return value;
  if (is_pair(value.type)) return {};
  if (!is_float(value.type)) return combined('-', TemplateValue::integer(0), value);
  TemplateValue opposite = value;
  opposite.bits ^= softfloat::format_of(value.type).sign();
  return opposite;
}

TemplateValue inverted(const TemplateValue& value, unsigned lanes) {
  if (value.kind != TemplateValue::Kind::Bits) return value;
  if (is_float(value.type) || is_pair(value.type)) return {};
  if (value.type == Type::Mask) return TemplateValue::of(Type::Mask, full_mask(lanes) & ~value.bits);
  const int width = bits(value.type) == 0 ? 64 : bits(value.type);
  return TemplateValue::of(value.type, ~value.bits & ~std::uint64_t{0} >> (64 - width));
}

}  // namespace warpsim
