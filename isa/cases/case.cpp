// Cases: arrays and scalars from rules, and elements as text.
//
// Errors: CaseError, with the place in the rule.
// Source: case.h.
#include "isa/cases/case.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <optional>

#include "isa/cases/case_eval.h"
#include "isa/cases/case_rule.h"
#include "isa/kernels/softfloat.h"
#include "isa/text/number_text.h"

namespace warpsim {
namespace {

std::string type_name(Type type) { return std::string(name(type)); }

std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

std::uint64_t both_halves(std::uint64_t low, std::uint64_t high) { return low | high << 16; }

std::uint64_t random_element(Type type, std::uint64_t draw) {
  const auto spread = [&](std::uint64_t bits24) {
    return softfloat::nearest(element(type),
                              static_cast<double>(static_cast<std::int64_t>(bits24) - 0x800000) / 0x10000);
  };
  if (is_float(type)) return spread(draw >> 40);
  if (is_pair(type)) return both_halves(spread(draw >> 40), spread(draw & 0xffffff));
  const int width = type == Type::Mask ? 64 : bits(type);
  return draw >> (64 - width);
}

std::uint64_t keep_low(std::uint64_t value, int width) {
  return width >= 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

std::optional<CaseError> fill(const Rule& rule, RuleEvaluator& evaluator, Array& array) {
  const std::size_t length = array.bits.size();
  if (rule.shape == Rule::Shape::List && rule.items.size() != length) {
    return CaseError{"the list has " + std::to_string(rule.items.size()) +
                         (rule.items.size() == 1 ? " element, and " : " elements, and ") + std::to_string(length) +
                         " are wanted",
                     0};
  }
  std::uint64_t state = 0;
  if (rule.shape == Rule::Shape::Random) {
    const RuleValue seed = evaluator.value(rule.items[0], 0);
    if (!evaluator.error() && seed.is_float) return CaseError{"the seed of random: is an integer", 0};
    state = static_cast<std::uint64_t>(seed.integer);
  }
  for (std::size_t i = 0; i < length && !evaluator.error(); ++i) {
    array.bits[i] = rule.shape == Rule::Shape::Random ? random_element(array.type, next_random(state))
                                                      : evaluator.bits(rule.items[i % rule.items.size()], i);
  }
  for (const Rule::Patch& patch : rule.patches) {
    if (length == 0 || evaluator.error()) break;
    const std::size_t i = patch.last ? length - 1 : 0;
    array.bits[i] = evaluator.bits(patch.value, i);
  }
  return evaluator.error();
}

// Decimal or 0x…, with a sign; nullopt if it is none or does not fit 64 bits.
struct WrittenInteger {
  bool negative = false;
  bool hexadecimal = false;
  std::uint64_t size = 0;
};
std::optional<WrittenInteger> read_integer(std::string_view text) {
  WrittenInteger result;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    result.negative = text[0] == '-';
    text.remove_prefix(1);
  }
  result.hexadecimal = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const unsigned base = result.hexadecimal ? 16 : 10;
  if (result.hexadecimal) text.remove_prefix(2);
  if (text.empty()) return std::nullopt;
  for (const char c : text) {
    const unsigned digit = c >= '0' && c <= '9'   ? static_cast<unsigned>(c - '0')
                           : c >= 'a' && c <= 'f' ? static_cast<unsigned>(c - 'a') + 10
                           : c >= 'A' && c <= 'F' ? static_cast<unsigned>(c - 'A') + 10
                                                  : base;
    if (digit >= base || result.size > (std::numeric_limits<std::uint64_t>::max() - digit) / base) return std::nullopt;
    result.size = result.size * base + digit;
  }
  return result;
}

CaseError not_in_range(std::string_view value, Type type) {
  return {std::string(value) + " does not fit " + type_name(type), 0};
}

bool is_infinite(Type type, std::uint64_t bits) { return std::isinf(softfloat::value_of(type, bits)); }

std::optional<std::uint64_t> read_float_bits(Type type, std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::string_view size = negative ? text.substr(1) : text;
  std::optional<double> special;
  if (size == "NaN" || size == "nan") special = std::numeric_limits<double>::quiet_NaN();
  if (size == "Infinity" || size == "inf") special = std::numeric_limits<double>::infinity();
  if (special) return softfloat::nearest(type, negative ? -*special : *special);
  if (type == Type::F32) {
    const std::optional<float> value = read_float(text);
    if (value) return softfloat::nearest(type, static_cast<double>(*value));
    return std::nullopt;
  }
  // A double holds so many more digits than a half that rounding twice matters to no decimal of up to 17 digits.
  const std::optional<double> value = read_double(text);
  if (value) return softfloat::nearest(type, *value);
  return std::nullopt;
}

// "{low, high}"
std::optional<std::uint64_t> read_pair(Type type, std::string_view text) {
  const std::size_t comma = text.find(", ");
  if (text.size() < 2 || text.front() != '{' || text.back() != '}' || comma == std::string_view::npos)
    return std::nullopt;
  const std::optional<std::uint64_t> low = read_float_bits(element(type), text.substr(1, comma - 1));
  const std::optional<std::uint64_t> high =
      read_float_bits(element(type), text.substr(comma + 2, text.size() - comma - 3));
  if (!low || !high) return std::nullopt;
  return both_halves(*low, *high);
}

// Whole numbers in full; else the fewest digits that read back to these 16 bits.
std::string half_text(Type type, std::uint64_t half) {
  const double value = softfloat::value_of(type, half);
  constexpr double kFirstWithExponent = 1e15;
  if (value == std::floor(value) && std::fabs(value) < kFirstWithExponent) return number_text(value);
  double written = value;
  char text[32];
  for (int precision = 0; precision < 5 && value != 0 && std::isfinite(value); ++precision) {
    std::snprintf(text, sizeof text, "%.*e", precision, value);
    for (char& c : text) {
      if (c == ',') c = '.';  // some locale's point
    }
    written = read_double(text).value_or(value);
    if (softfloat::nearest(type, written) == half) break;
  }
  return number_text(written);
}

bool is_format_type(Type type) { return type == Type::Pred || type == Type::Mask || bits(type) != 0; }

}  // namespace

const CaseField* Case::find(std::string_view key) const {
  for (const CaseField& field : fields) {
    if (field.key == key) return &field;
  }
  return nullptr;
}

std::variant<std::uint64_t, CaseError> value_to_bits(const RuleValue& value, Type type) {
  if (is_float(type)) {
    if (value.is_float) return softfloat::nearest(type, value.real);
    const bool single = type != Type::F64;
    return softfloat::nearest(
        type, single ? static_cast<double>(static_cast<float>(value.integer)) : static_cast<double>(value.integer));
  }
  if (value.is_float) {
    return CaseError{number_text(value.real) + " is a float where " + type_name(type) + " is wanted: write int(…)", 0};
  }
  const int width = type == Type::Mask ? 64 : bits(type);
  const std::uint64_t raw = static_cast<std::uint64_t>(value.integer);
  if (width == 64) return raw;
  const std::int64_t above = std::int64_t{1} << (is_signed(type) ? width - 1 : width);
  const std::int64_t least = is_unsigned(type) || type == Type::Pred ? 0 : -(std::int64_t{1} << (width - 1));
  if (value.integer < least || value.integer >= above) {
    return not_in_range(std::to_string(value.integer), type);
  }
  return keep_low(raw, width);
}

std::variant<Array, CaseError> evaluate_array(std::string_view rule, Type type, std::size_t length,
                                              const CaseScope& scope) {
  const std::variant<Rule, CaseError> parsed = parse_rule(rule);
  if (const CaseError* error = std::get_if<CaseError>(&parsed)) return *error;
  RuleEvaluator evaluator(std::get<Rule>(parsed), type, length, scope);
  if (evaluator.error()) return *evaluator.error();
  Array array{type, std::vector<std::uint64_t>(length)};
  if (std::optional<CaseError> error = fill(std::get<Rule>(parsed), evaluator, array)) return *std::move(error);
  return array;
}

std::variant<std::uint64_t, CaseError> evaluate_scalar(std::string_view rule, Type type, const CaseScope& scope) {
  const std::variant<Rule, CaseError> parsed = parse_rule(rule);
  if (const CaseError* error = std::get_if<CaseError>(&parsed)) return *error;
  const Rule& tree = std::get<Rule>(parsed);
  if (tree.shape != Rule::Shape::Each || !tree.patches.empty())
    return CaseError{"one value is wanted, not an array", 0};
  RuleEvaluator evaluator(tree, type, std::nullopt, scope);
  const std::uint64_t result = evaluator.bits(tree.items[0], 0);
  if (evaluator.error()) return *evaluator.error();
  return result;
}

std::size_t natural_length(std::string_view rule) {
  const std::variant<Rule, CaseError> parsed = parse_rule(rule);
  const Rule* tree = std::get_if<Rule>(&parsed);
  return tree != nullptr && tree->shape == Rule::Shape::List ? tree->items.size() : 0;
}

std::string format_value(Type type, std::uint64_t bits) {
  switch (type) {
    case Type::F16:
    case Type::BF16: return half_text(type, bits & 0xffff);
    case Type::F16X2:
    case Type::BF16X2:
      return "{" + half_text(element(type), bits & 0xffff) + ", " + half_text(element(type), bits >> 16 & 0xffff) + "}";
    case Type::F32: return number_text(__builtin_bit_cast(float, static_cast<std::uint32_t>(bits)));
    case Type::F64: return number_text(__builtin_bit_cast(double, bits));
    case Type::Pred: return bits != 0 ? "true" : "false";
    default: break;
  }
  const int width = warpsim::bits(type) == 0 ? 64 : warpsim::bits(type);
  if (!is_signed(type)) return std::to_string(keep_low(bits, width));
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return std::to_string(static_cast<std::int64_t>((keep_low(bits, width) ^ sign) - sign));
}

std::variant<std::uint64_t, CaseError> parse_value(Type type, std::string_view text) {
  if (!is_format_type(type)) return CaseError{"a value of no type", 0};
  if (type == Type::Pred && (text == "true" || text == "false")) return std::uint64_t{text == "true"};
  const std::optional<WrittenInteger> integer = read_integer(text);
  const int width = type == Type::Mask ? 64 : bits(type);
  if (integer && integer->hexadecimal && !integer->negative) {
    if (keep_low(integer->size, width) != integer->size) return not_in_range(text, type);
    return integer->size;
  }
  if (is_pair(type)) {
    if (const std::optional<std::uint64_t> found = read_pair(type, text)) return *found;
    return CaseError{"'" + std::string(text) + "' is no " + type_name(type) + ": expected a pair such as {1.5, -2}", 0};
  }
  if (is_float(type)) {
    if (const std::optional<std::uint64_t> found = read_float_bits(type, text)) {
      if (is_infinite(type, *found) && !text.ends_with("inf") && !text.ends_with("Infinity"))
        return not_in_range(text, type);
      return *found;
    }
    return CaseError{
        "'" + std::string(text) + "' is no " + type_name(type) + ": expected a number such as 1.5, NaN or Infinity", 0};
  }
  if (!integer) return CaseError{"'" + std::string(text) + "' is no " + type_name(type) + ": expected an integer", 0};
  // Unsigned and untyped types reach up to 2^w - 1, signed and untyped ones down to -2^(w-1).
  const std::uint64_t half_range = std::uint64_t{1} << (width - 1);
  const std::uint64_t most = is_signed(type) ? half_range - 1 : keep_low(~std::uint64_t{0}, width);
  const std::uint64_t least = is_unsigned(type) || type == Type::Pred ? 0 : half_range;
  if (integer->size > (integer->negative ? least : most)) return not_in_range(text, type);
  return keep_low(integer->negative ? 0 - integer->size : integer->size, width);
}

}  // namespace warpsim
