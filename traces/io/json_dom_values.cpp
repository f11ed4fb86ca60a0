// One value out of a JSON document: the inverse of append_json_value.
//
// Errors: ValueRead::Refused; expected_value() says what would have been right.
// Source: traces/FORMAT.md, "Numbers".
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>

#include "isa/text/number_text.h"
#include "traces/io/json_dom.h"
#include "traces/io/json_text.h"

namespace warpsim {

std::string shortened(std::string_view text) {
  std::string out;
  append_json_string(out, text.size() <= 40 ? text : std::string(text.substr(0, 37)) + "...");
  return out;
}

// "0x" and 1 to 16 hexadecimal digits.
bool read_hex(std::string_view text, std::uint64_t& word) {
  if (text.size() < 3 || text.size() > 18 || text.substr(0, 2) != "0x") return false;
  const char* end = text.data() + text.size();
  const std::from_chars_result result = std::from_chars(text.data() + 2, end, word, 16);
  return result.ec == std::errc() && result.ptr == end;
}

namespace {

// Whole numbers that fit `width` bits.
ValueRead read_integer(const Json& json, Type type, std::uint64_t& bits) {
  const int width = warpsim::bits(type);
  const std::uint64_t ones = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  std::int64_t negative = 0;
  std::uint64_t magnitude = 0;
  if (json.is_number_unsigned()) {
    magnitude = json.get<std::uint64_t>();
  } else if (json.is_number_integer()) {
    negative = json.get<std::int64_t>();
  } else if (json.is_string() && width == 64) {
    const std::string& text = json.get_ref<const std::string&>();
    const char* end = text.data() + text.size();
    const bool minus = !text.empty() && text[0] == '-';
    const std::from_chars_result result =
        minus ? std::from_chars(text.data(), end, negative) : std::from_chars(text.data(), end, magnitude);
    if (result.ec != std::errc() || result.ptr != end) return ValueRead::Refused;
  } else {
    return ValueRead::Refused;
  }
  if (negative < 0) {
    const std::int64_t least = is_signed(type) ? std::numeric_limits<std::int64_t>::min() >> (64 - width) : 0;
    if (negative < least) return ValueRead::Refused;
    bits = static_cast<std::uint64_t>(negative) & ones;
    return ValueRead::Value;
  }
  if (magnitude > (is_signed(type) ? ones >> 1 : ones)) return ValueRead::Refused;
  bits = magnitude;
  return ValueRead::Value;
}

// The float whose shortest text, read as a double, gave `value`. Rounding twice (text → double → float) goes wrong for
// the few texts next to the middle of two floats, such as 7.038531e-26.
float float_of(double value) {
  const float rounded = static_cast<float>(value);
  if (static_cast<double>(rounded) == value || !std::isfinite(rounded)) return rounded;
  const auto wrote = [value](float candidate) {
    std::string text;
    append_number(text, candidate);
    return read_double(text) == value;
  };
  if (wrote(rounded)) return rounded;
  for (const float toward : {-std::numeric_limits<float>::infinity(), std::numeric_limits<float>::infinity()}) {
    const float neighbour = std::nextafter(rounded, toward);
    if (std::isfinite(neighbour) && wrote(neighbour)) return neighbour;
  }
  return rounded;
}

ValueRead float_bits(Type type, double value, std::uint64_t& bits) {
  if (type == Type::F64) {
    bits = __builtin_bit_cast(std::uint64_t, value);
  } else if (type == Type::F32) {
    const float rounded = std::fabs(value) < 3.5e38 ? float_of(value) : std::numeric_limits<float>::infinity();
    if (std::isinf(rounded)) return ValueRead::Refused;
    bits = __builtin_bit_cast(std::uint32_t, rounded);
  } else {
    bits = softfloat::nearest(type, value);
    if (softfloat::is_infinite(softfloat::format_of(type), bits)) return ValueRead::Refused;
  }
  return ValueRead::Value;
}

ValueRead read_float_value(const Json& json, Type type, std::uint64_t& bits) {
  if (json.is_number()) return float_bits(type, json.get<double>(), bits);
  const int width = warpsim::bits(type);
  const std::uint64_t infinity = softfloat::format_of(type).infinity(), sign = softfloat::format_of(type).sign();
  if (json.is_string()) {
    const std::string& text = json.get_ref<const std::string&>();
    if (text == "NaN") bits = canonical_nan(type);
    else if (text == "Infinity") bits = infinity;
    else if (text == "-Infinity") bits = infinity | sign;
    else return ValueRead::Refused;
    return ValueRead::Value;
  }
  if (!json.is_object()) return ValueRead::Refused;
  const auto payload = json.find("nan");
  if (payload == json.end() || !payload->is_string()) return ValueRead::Refused;
  const bool fits = read_hex(payload->get_ref<const std::string&>(), bits) && (width == 64 || bits >> width == 0);
  return fits && (bits & ~sign) > infinity ? ValueRead::Value : ValueRead::Refused;
}

// [low, high]
ValueRead read_pair(const Json& json, Type half, std::uint64_t& bits) {
  std::uint64_t high = 0;
  if (!json.is_array() || json.size() != 2 || read_float_value(json[0], half, bits) != ValueRead::Value ||
      read_float_value(json[1], half, high) != ValueRead::Value)
    return ValueRead::Refused;
  bits |= high << 16;
  return ValueRead::Value;
}

std::string expected_value(Type type, unsigned lanes) {
  const std::string of_type = " (" + std::string(name(type)) + ")";
  if (is_float(type)) return "a number, \"NaN\", \"Infinity\", \"-Infinity\" or {\"nan\": \"0x…\"}" + of_type;
  if (is_pair(type)) return "a pair of numbers such as [1.0, -2.5]" + of_type;
  if (type == Type::Pred) return "true or false";
  if (type == Type::Mask) return lanes > 32 ? "a mask such as \"0x00000000ffffffff\"" : "a mask such as \"0x0000ffff\"";
  switch (bits(type)) {
    case 8: return (is_signed(type) ? "a whole number from -128 to 127" : "a whole number from 0 to 255") + of_type;
    case 16:
      return (is_signed(type) ? "a whole number from -32768 to 32767" : "a whole number from 0 to 65535") + of_type;
    case 32:
      return (is_signed(type) ? "a whole number from -2147483648 to 2147483647"
                              : "a whole number from 0 to 4294967295") +
             of_type;
    default: return "a whole number of 64 bits as a string, such as \"42\"" + of_type;
  }
}

}  // namespace

std::string describe(const Json& json) {
  if (json.is_null()) return "null";
  if (json.is_boolean()) return json.get<bool>() ? "true" : "false";
  if (json.is_string()) return "the string " + shortened(json.get_ref<const std::string&>());
  if (json.is_array()) return "an array";
  if (json.is_object()) return "an object";
  return "the number " + json.dump();
}

ValueRead read_value(const Json& json, Type type, unsigned lanes, std::uint64_t& bits) {
  bits = 0;
  if (json.is_null()) return ValueRead::Undefined;
  if (is_float(type)) return read_float_value(json, type, bits);
  if (is_pair(type)) return read_pair(json, element(type), bits);
  if (type == Type::Pred) {
    if (!json.is_boolean()) return ValueRead::Refused;
    bits = json.get<bool>() ? 1 : 0;
    return ValueRead::Value;
  }
  if (type == Type::Mask) {
    const bool fits =
        json.is_string() && read_hex(json.get_ref<const std::string&>(), bits) && (lanes > 32 || bits >> 32 == 0);
    return fits ? ValueRead::Value : ValueRead::Refused;
  }
  return warpsim::bits(type) == 0 ? ValueRead::Refused : read_integer(json, type, bits);
}

std::string refusal(const Json& json, Type type, unsigned lanes) {
  if (is_float(type) && json.is_number())
    return describe(json) + " is too large for " + std::string(name(type)) + "; infinity is written \"Infinity\"";
  return "expected " + expected_value(type, lanes) + ", found " + describe(json);
}

}  // namespace warpsim
