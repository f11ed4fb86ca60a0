// What templates print: values, what lanes exchange, and how wide a text is.
#include <algorithm>
#include <iterator>
#include <utility>

#include "traces/template/phase_template.h"
#include "traces/words/phrases.h"

namespace warpsim {
namespace {

// Unicode Standard Annex 11, as far as Korean, Chinese and Japanese text goes.
constexpr std::pair<std::uint32_t, std::uint32_t> kWide[] = {{0x1100, 0x115F}, {0x2E80, 0x303E}, {0x3041, 0xA4CF},
                                                             {0xAC00, 0xD7A3}, {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},
                                                             {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}};

std::string letters_of(std::uint64_t number) {
  std::string text;
  for (std::uint64_t left = number;; left = left / 26 - 1) {
    text.insert(text.begin(), static_cast<char>('A' + left % 26));
    if (left < 26) return text;
  }
}

std::string digits_of(std::uint64_t number, const ValueFormat& format) {
  std::string text;
  for (; number != 0; number /= format.base) text.insert(text.begin(), "0123456789abcdef"[number % format.base]);
  return std::string(format.digits - std::min<std::size_t>(format.digits, text.size()), '0') + text;
}

}  // namespace

std::size_t text_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U; };
    if ((byte(k) & 0xC0U) == 0x80) continue;  // UTF-8's continuation bytes
    ++width;
    if ((byte(k) & 0xF0U) != 0xE0U) continue;
    const std::uint32_t code = (byte(k) & 0x0FU) << 12U | (byte(k + 1) & 0x3FU) << 6U | (byte(k + 2) & 0x3FU);
    const auto is_wide = [code](const std::pair<std::uint32_t, std::uint32_t>& range) {
      return code >= range.first && code <= range.second;
    };
    if (std::any_of(std::begin(kWide), std::end(kWide), is_wide)) ++width;
  }
  return width;
}

std::string cut(const std::string& text, std::size_t columns) {
  if (text_width(text) <= columns) return text;
  std::size_t end = 0;  // before the first character that leaves no room for the ellipsis
  for (std::size_t next = 0; next < text.size(); end = next) {
    do ++next;
    while (next < text.size() && (text[next] & 0xC0) == 0x80);
    if (text_width(std::string_view(text).substr(0, next)) >= columns) break;
  }
  return text.substr(0, end) + "…";
}

std::string exchange_word(std::int64_t offset, unsigned lanes, Language language) {
  if (offset == 1) return say(language, Phrase::Pairs);
  static constexpr std::pair<unsigned, Phrase> kWords[] = {{2, Phrase::Halves},
                                                           {4, Phrase::Quarters},
                                                           {8, Phrase::Eighths},
                                                           {16, Phrase::Sixteenths},
                                                           {32, Phrase::ThirtySeconds}};
  for (const auto& [parts, word] : kWords) {
    if (offset > 0 && offset <= lanes && offset * parts == lanes) return say(language, word);
  }
  return say(language, Phrase::XorBy, {std::to_string(offset)});
}

std::string display(const TemplateValue& value, unsigned lanes, const ValueFormat& format) {
  switch (value.kind) {
    case TemplateValue::Kind::Missing:
    case TemplateValue::Kind::Undefined: return "?";
    case TemplateValue::Kind::Text: return value.text;
    case TemplateValue::Kind::Bits: break;
  }
  if (format.base != 10) return digits_of(value.bits, format);
  if (value.type == Type::Pred) return value.bits != 0 ? "true" : "false";
  if (value.type == Type::Mask) return lane_mask_hex(value.bits, lanes);
  std::string text = format_value(value.type, value.bits);
  if (format.letters && !is_float(value.type) && !text.starts_with('-')) return letters_of(value.bits);
  if (is_float(value.type) && !format.decimal && text.size() > 2 && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

}  // namespace warpsim
