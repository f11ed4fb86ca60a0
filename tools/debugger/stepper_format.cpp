// What is printed in another form, or again and again: print/x, display.
#include <algorithm>
#include <cstring>

#include "isa/text/number_text.h"
#include "tools/debugger/moment_view.h"
#include "tools/debugger/stepper.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr std::string_view kFormats = "xzaduotfc";

std::string in_base(std::uint64_t bits, unsigned base) {
  std::string out;
  for (; bits != 0 || out.empty(); bits /= base) out += "0123456789abcdef"[bits % base];
  out += base == 16 ? "x0" : base == 2 ? "b0" : "0";
  return {out.rbegin(), out.rend()};
}

std::string signed_text(std::uint64_t value, unsigned width) {
  const std::uint64_t sign = std::uint64_t{1} << (width - 1);
  return std::to_string(static_cast<std::int64_t>((value ^ sign) - sign));
}

std::string float_text(std::uint64_t value, unsigned width) {
  if (width == 64) {
    double number = 0;
    std::memcpy(&number, &value, sizeof number);
    return number_text(number);
  }
  const std::uint32_t half = static_cast<std::uint32_t>(value);
  float number = 0;
  std::memcpy(&number, &half, sizeof number);
  return number_text(number);
}

}  // namespace

// format_ without the digits and the size that `x` takes off it: a letter or nothing.
bool Stepper::is_format_known() {
  if (format_.empty() || (format_.size() == 1 && kFormats.find(format_.front()) != std::string_view::npos)) return true;
  refuse("There is no format /$1: x and z hexadecimal, d signed, u unsigned, o octal, t binary, f float, c character.",
         "/$1 형식은 없습니다: x와 z 16진수, d 부호 있음, u 부호 없음, o 8진수, t 2진수, f 부동소수점, c 문자.",
         {format_});
  return false;
}

std::string Stepper::formatted(const TemplateValue& value) const {
  const char letter = format_.empty() ? '\0' : format_.back();
  if (value.kind != TemplateValue::Kind::Bits || kFormats.find(letter) == std::string_view::npos || letter == '\0')
    return value_text(value);
  const unsigned width =
      value.type == Type::Mask ? std::max(head().lanes, 32U) : static_cast<unsigned>(bits(value.type));
  const std::uint64_t kept = width >= 64 || width == 0 ? value.bits : value.bits & ((std::uint64_t{1} << width) - 1);
  switch (letter) {
    case 'x':
    case 'a': return in_base(kept, 16);
    case 'z': {
      const std::string digits = in_base(kept, 16).substr(2);
      return "0x" + std::string((width + 3) / 4 - std::min<std::size_t>(digits.size(), (width + 3) / 4), '0') + digits;
    }
    case 't': return in_base(kept, 2);
    case 'o': return in_base(kept, 8);
    case 'c':
      return std::to_string(kept) +
             (kept >= ' ' && kept < 127 ? " '" + std::string(1, static_cast<char>(kept)) + "'" : "");
    case 'd': return width == 0 || width == 1 ? std::to_string(kept) : signed_text(kept, std::min(width, 64U));
    case 'f': return width == 32 || width == 64 ? float_text(kept, width) : value_text(value);
    default: return std::to_string(kept);
  }
}

// display/i $pc, display/4xw input: what `x` understands and `print` does not.
void Stepper::print_or_examine(std::string_view text) {
  if (format_.find_first_of("0123456789ibhwg") != std::string::npos) examine(text);
  else print(text);
}

void Stepper::display_this(std::string_view rest) {
  if (rest.empty() && !is_format_known()) return;
  if (rest.empty()) return show_displays();
  const std::string format = format_;
  print_or_examine(rest);
  if (!answer_.ok) return;
  displays_.push_back({++last_display_, std::string(rest), format});
  const std::string number = std::to_string(last_display_) + ": ";
  answer_.text.insert(0, number);
  answer_.notes.insert(0, number);
}

void Stepper::show_displays() {
  const std::string format = format_;
  const JsonObject json = json_;
  std::vector<std::string> jsons;
  for (const Shown& one : displays_) {
    const Answer before = answer_;
    format_ = one.format;
    print_or_examine(one.text);
    if (!answer_.ok) {  // $pc where nothing comes any more
      answer_ = before;
      continue;
    }
    const std::string number = std::to_string(one.number) + ": ";
    jsons.push_back(JsonObject()
                        .number("number", static_cast<unsigned>(one.number))
                        .text("text", answer_.text.substr(before.text.size()))
                        .str());
    answer_.text.insert(before.text.size(), number);
    answer_.notes.insert(before.notes.size(), number);
  }
  format_ = format;
  json_ = json;
  if (!jsons.empty()) json_.raw("display", json_list(jsons));
}

void Stepper::undisplay(std::string_view rest) {
  if (rest.empty()) displays_.clear();
  while (!rest.empty()) {
    const std::string word(take_word(rest));
    const std::optional<std::uint64_t> number = parse_count(word);
    const auto found = std::find_if(displays_.begin(), displays_.end(), [&](const Shown& one) {
      return number && static_cast<std::uint64_t>(one.number) == *number;
    });
    if (found == displays_.end()) return refuse("No display number $1.", "$1번 출력이 없습니다.", {word});
    displays_.erase(found);
  }
}

}  // namespace warpsim::tools
