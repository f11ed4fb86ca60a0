// Floats as text and back.
//
// Shapes: value → digits and a decimal exponent → text. The first step is the library's to_chars where it has one for
//         floats, else a search over printf's digits; the second is ours, so that the two give the same text.
// Units:  none.
// Errors: see number_text.h.
// Source: Emscripten 3.1.6's libc++ 13 has neither to_chars nor from_chars for floats; hence the second implementation.
#include "isa/text/number_text.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <version>

namespace warpsim {
namespace {

// The value is d.ddd… * 10^exponent; no zeros at the end.
struct Digits {
  char digit[32];
  int count = 0;
  int exponent = 0;
};

// Reads "d.ddde±xx". Whatever is between the digits (a locale's point) is skipped.
Digits from_scientific(std::string_view text) {
  Digits result;
  const std::size_t e = text.find('e');
  for (const char c : text.substr(0, e)) {
    if (c >= '0' && c <= '9') result.digit[result.count++] = c;
  }
  int size = 0;
  for (const char c : text.substr(e + 2)) size = size * 10 + (c - '0');
  result.exponent = text[e + 1] == '-' ? -size : size;
  while (result.count > 1 && result.digit[result.count - 1] == '0') --result.count;
  return result;
}

void append_layout(std::string& out, const Digits& d) {
  constexpr int kFirstPlain = -4, kLastPlain = 15;
  const std::string_view digits(d.digit, static_cast<std::size_t>(d.count));
  if (d.exponent < kFirstPlain || d.exponent > kLastPlain) {
    out += digits[0];
    if (d.count > 1) out.append(1, '.').append(digits.substr(1));
    const int size = std::abs(d.exponent);
    out.append(d.exponent < 0 ? "e-" : "e+").append(size < 10 ? "0" : "").append(std::to_string(size));
    return;
  }
  if (d.exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-d.exponent - 1), '0').append(digits);
    return;
  }
  const std::size_t whole = static_cast<std::size_t>(d.exponent) + 1;
  if (digits.size() > whole) {
    out.append(digits.substr(0, whole)).append(1, '.').append(digits.substr(whole));
  } else {
    out.append(digits).append(whole - digits.size(), '0').append(".0");
  }
}

template <class F>
F parse_with_c(const char* text) {
  if constexpr (sizeof(F) == sizeof(float)) return std::strtof(text, nullptr);
  else return std::strtod(text, nullptr);
}

// The neighbour of a decimal "d.ddde±xx" with as many digits; "" where it carries out of the first digit.
std::string next_decimal(std::string text) {
  for (std::size_t i = text.find('e'); i-- > 0;) {
    if (text[i] < '0' || text[i] > '9') continue;
    if (text[i] != '9') {
      ++text[i];
      return text;
    }
    text[i] = '0';
  }
  return "";
}

// The shortest digits, found by trying one more at a time. printf gives the nearest decimal of each length. At a power
// of two the gap above is twice the gap below, so there its upper neighbour may be the one that reads back.
template <class F>
Digits search_digits(F value) {
  char buffer[64];
  for (int precision = 0; precision < std::numeric_limits<F>::max_digits10; ++precision) {
    std::snprintf(buffer, sizeof buffer, "%.*e", precision, static_cast<double>(value));
    if (parse_with_c<F>(buffer) == value) break;
    const std::string next = next_decimal(buffer);
    if (!next.empty() && parse_with_c<F>(next.c_str()) == value) return from_scientific(next);
  }
  return from_scientific(buffer);
}

#if defined(__cpp_lib_to_chars)
template <class F>
Digits shortest_digits(F value) {
  char buffer[64];
  const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  return from_scientific({buffer, static_cast<std::size_t>(end.ptr - buffer)});
}
template <class F>
F parse_decimal(std::string_view text) {
  F value = 0;
  const std::string_view unsigned_text = text[0] == '+' ? text.substr(1) : text;
  const char* const end = unsigned_text.data() + unsigned_text.size();
  if (std::from_chars(unsigned_text.data(), end, value).ec == std::errc{}) return value;
  return parse_with_c<F>(std::string(text).c_str());  // infinity or 0: from_chars says only "out of range"
}
#else
template <class F>
Digits shortest_digits(F value) {
  return search_digits(value);
}
template <class F>
F parse_decimal(std::string_view text) {
  return parse_with_c<F>(std::string(text).c_str());
}
#endif

template <class F>
void append_any(std::string& out, F value, Digits (*digits_of)(F)) {
  if (std::isnan(value)) {
    out += "NaN";
    return;
  }
  if (std::signbit(value)) out += '-';
  if (std::isinf(value)) out += "Infinity";
  else if (value == F{0}) out += "0.0";
  else append_layout(out, digits_of(std::fabs(value)));
}

bool is_decimal_number(std::string_view text) {
  std::size_t i = 0;
  const auto at = [&](char c) { return i < text.size() && text[i] == c; };
  const auto digits = [&] {
    const std::size_t first = i;
    while (i < text.size() && text[i] >= '0' && text[i] <= '9') ++i;
    return i - first;
  };
  if (at('+') || at('-')) ++i;
  std::size_t count = digits();
  if (at('.')) {
    ++i;
    count += digits();
  }
  if (count == 0) return false;
  if (at('e') || at('E')) {
    ++i;
    if (at('+') || at('-')) ++i;
    if (digits() == 0) return false;
  }
  return i == text.size();
}

}  // namespace

void append_number(std::string& out, float value) { append_any<float>(out, value, shortest_digits<float>); }
void append_number(std::string& out, double value) { append_any<double>(out, value, shortest_digits<double>); }

std::string number_text(float value) {
  std::string out;
  append_number(out, value);
  return out;
}
std::string number_text(double value) {
  std::string out;
  append_number(out, value);
  return out;
}

std::optional<float> read_float(std::string_view text) {
  if (!is_decimal_number(text)) return std::nullopt;
  return parse_decimal<float>(text);
}
std::optional<double> read_double(std::string_view text) {
  if (!is_decimal_number(text)) return std::nullopt;
  return parse_decimal<double>(text);
}

std::string hex_digits(std::uint64_t value, std::size_t least) {
  std::string text;
  for (; value != 0 || text.size() < least; value >>= 4) text.insert(text.begin(), "0123456789abcdef"[value & 15]);
  return text;
}

std::string hexadecimal_text(std::uint64_t value) { return "0x" + hex_digits(value, 1); }

std::string counted(std::uint64_t count, std::string_view thing) {
  return std::to_string(count).append(" ").append(thing).append(count == 1 ? "" : "s");
}

namespace number_text_detail {
std::string portable_number_text(float value) {
  std::string out;
  append_any<float>(out, value, search_digits<float>);
  return out;
}
std::string portable_number_text(double value) {
  std::string out;
  append_any<double>(out, value, search_digits<double>);
  return out;
}
}  // namespace number_text_detail

}  // namespace warpsim
