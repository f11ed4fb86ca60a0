// Numbers, masks and strings as JSON text.
//
// Shapes: see json_values.h and json_text.h.
// Units:  none.
// Errors: none.
// Source: RFC 8259; the digits of floats are isa/text/number_text.h's.
#include "traces/io/json_text.h"

#include <bit>
#include <charconv>
#include <cmath>

#include "isa/text/number_text.h"
#include "traces/io/json_values.h"

namespace warpsim {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

// Appends 0x and `digits` hexadecimal digits.
void append_hex(std::string& out, std::uint64_t word, int digits) {
  out += "0x";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4) out += kHexDigits[word >> shift & 15];
}

template <class Float>
void append_finite(std::string& out, Float value) {
  // Small whole numbers are most of what programs hold, and need no search for digits.
  const Float magnitude = std::fabs(value);
  if (magnitude < Float{1'000'000} && magnitude == static_cast<Float>(static_cast<std::uint32_t>(magnitude))) {
    if (std::signbit(value)) out += '-';
    append_json_unsigned(out, static_cast<std::uint32_t>(magnitude));
    out += ".0";
  } else {
    append_number(out, value);
  }
}

template <class Float>
void append_float(std::string& out, Type type, Float value, std::uint64_t bits) {
  if (std::isfinite(value)) {
    append_finite(out, value);
  } else if (std::isinf(value)) {
    out += value < 0 ? "\"-Infinity\"" : "\"Infinity\"";
  } else if (bits == canonical_nan(type)) {
    out += "\"NaN\"";
  } else {
    out += "{\"nan\": \"";
    append_hex(out, bits, warpsim::bits(type) / 4);
    out += "\"}";
  }
}

// The length of the valid UTF-8 sequence at `at`, or 0.
std::size_t utf8_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t k) { return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0U; };
  const auto follows = [&](std::size_t k) { return (byte(k) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const bool overlong = first == 0xE0 && byte(1) < 0xA0;
    const bool surrogate = first == 0xED && byte(1) >= 0xA0;
    return follows(1) && follows(2) && !overlong && !surrogate ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const bool overlong = first == 0xF0 && byte(1) < 0x90;
    const bool too_large = first == 0xF4 && byte(1) >= 0x90;
    return follows(1) && follows(2) && follows(3) && !overlong && !too_large ? 4 : 0;
  }
  return 0;
}

void append_escaped(std::string& out, unsigned char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  out += "\\u00";
  out += kHexDigits[c >> 4];
  out += kHexDigits[c & 15];
}

}  // namespace

void append_json_unsigned(std::string& out, std::uint64_t number) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

void append_json_signed(std::string& out, std::int64_t number) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

void append_json_mask(std::string& out, LaneMask mask, unsigned lanes) {
  out += '"';
  append_hex(out, mask, lanes > 32 ? 16 : 8);
  out += '"';
}

void append_json_address(std::string& out, std::uint64_t address) {
  out += '"';
  append_hex(out, address, address == 0 ? 1 : (static_cast<int>(std::bit_width(address)) + 3) / 4);
  out += '"';
}

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[at]);
    if (c >= 0x80) {
      const std::size_t length = utf8_length(text, at);
      if (length == 0) out += "\xEF\xBF\xBD";
      else out.append(text, at, length);
      at += length == 0 ? 1 : length;
      continue;
    }
    if (c < 0x20 || c == '"' || c == '\\') append_escaped(out, c);
    else out += static_cast<char>(c);
    ++at;
  }
  out += '"';
}

void append_json_value(std::string& out, Type type, std::uint64_t bits, unsigned lanes) {
  switch (type) {
    case Type::Pred: out += bits != 0 ? "true" : "false"; return;
    case Type::Mask: append_json_mask(out, bits, lanes); return;
    case Type::F16:
    case Type::BF16:
      append_float(out, type, static_cast<float>(softfloat::value_of(type, bits & 0xFFFF)), bits & 0xFFFF);
      return;
    case Type::F16X2:
    case Type::BF16X2:
      out += '[';
      append_json_value(out, element(type), bits & 0xFFFF, lanes);
      out += ", ";
      append_json_value(out, element(type), bits >> 16 & 0xFFFF, lanes);
      out += ']';
      return;
    case Type::F32: append_float(out, type, __builtin_bit_cast(float, static_cast<std::uint32_t>(bits)), bits); return;
    case Type::F64: append_float(out, type, __builtin_bit_cast(double, bits), bits); return;
    case Type::S8: append_json_signed(out, static_cast<std::int8_t>(bits)); return;
    case Type::S16: append_json_signed(out, static_cast<std::int16_t>(bits)); return;
    case Type::S32: append_json_signed(out, static_cast<std::int32_t>(bits)); return;
    case Type::B8:
    case Type::U8: append_json_unsigned(out, bits & 0xFF); return;
    case Type::B16:
    case Type::E4M3X2:
    case Type::E5M2X2:
    case Type::U16: append_json_unsigned(out, bits & 0xFFFF); return;
    case Type::B32:
    case Type::TF32:
    case Type::U32: append_json_unsigned(out, bits & 0xFFFFFFFF); return;
    case Type::S64:
    case Type::U64:
    case Type::B64:
    case Type::None: break;
  }
  out += '"';
  if (type == Type::S64) append_json_signed(out, static_cast<std::int64_t>(bits));
  else append_json_unsigned(out, bits);
  out += '"';
}

void append_json_array(std::string& out, const Array& array) {
  out += '[';
  for (std::size_t k = 0; k < array.bits.size(); ++k) {
    if (k != 0) out += ", ";
    append_json_value(out, array.type, array.bits[k]);
  }
  out += ']';
}

std::string array_to_json(const Array& array) {
  std::string out;
  append_json_array(out, array);
  return out;
}

// `, "key": `, or without the comma after an opening brace.
void append_json_key(std::string& out, std::string_view name) {
  if (out.empty() || (out.back() != '{' && out.back() != ' ' && out.back() != '\n')) out += ", ";
  out += '"';
  out += name;
  out += "\": ";
}

void text_member(std::string& out, std::string_view name, std::string_view text) {
  append_json_key(out, name);
  append_json_string(out, text);
}

void number_member(std::string& out, std::string_view name, std::uint64_t number) {
  append_json_key(out, name);
  append_json_unsigned(out, number);
}

void mask_member(std::string& out, std::string_view name, LaneMask mask, unsigned lanes) {
  append_json_key(out, name);
  append_json_mask(out, mask, lanes);
}

// A program counter, where -1 means "none".
void pc_member(std::string& out, std::string_view name, std::int32_t pc) {
  append_json_key(out, name);
  if (pc < 0) out += "null";
  else append_json_unsigned(out, static_cast<std::uint64_t>(pc));
}

void dim_member(std::string& out, std::string_view name, const Dim3& dim) {
  append_json_key(out, name);
  out += '[';
  append_json_unsigned(out, dim.x);
  out += ", ";
  append_json_unsigned(out, dim.y);
  out += ", ";
  append_json_unsigned(out, dim.z);
  out += ']';
}

}  // namespace warpsim
