// What is printed in another form, or again and again: print/x, x/4, display.
#include <algorithm>
#include <cstring>

#include "isa/text/number_text.h"
#include "tools/debugger/moment_view.h"
#include "tools/debugger/stepper.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr std::string_view kFormats = "xdutf";

std::string in_base(std::uint64_t bits, unsigned base) {
  std::string out;
  for (; bits != 0 || out.empty(); bits /= base) out += "0123456789abcdef"[bits % base];
  out += base == 16 ? "x0" : "b0";
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

// format_ without the digits that `x` takes off it: a letter or nothing.
bool Stepper::is_format_known() {
  if (format_.empty() || (format_.size() == 1 && kFormats.find(format_.front()) != std::string_view::npos)) return true;
  refuse("There is no format /$1: x hexadecimal, d signed, u unsigned, t binary, f float.",
         "/$1 형식은 없습니다: x 16진수, d 부호 있음, u 부호 없음, t 2진수, f 부동소수점.", {format_});
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
    case 'x': return in_base(kept, 16);
    case 't': return in_base(kept, 2);
    case 'd': return width == 0 || width == 1 ? std::to_string(kept) : signed_text(kept, std::min(width, 64U));
    case 'f': return width == 32 || width == 64 ? float_text(kept, width) : value_text(value);
    default: return std::to_string(kept);
  }
}

// x/4x input[8]; without an array it goes on behind the last one.
void Stepper::examine(std::string_view rest) {
  const std::string spelled = format_;
  const std::size_t digits = std::min(format_.find_first_not_of("0123456789"), format_.size());
  const std::optional<std::uint64_t> count = digits == 0 ? 1 : parse_count(format_.substr(0, digits));
  format_.erase(0, digits);
  if (!is_format_known()) return;
  if (!count || *count == 0) return refuse("x/N wants a number from 1.", "x/N의 N은 1 이상의 수입니다.");
  const std::size_t bracket = std::min(rest.find('['), rest.size());
  std::string name(rest.substr(0, bracket));
  std::uint64_t from = 0;
  if (rest.empty()) {
    name = examined_;
    from = examined_from_;
  } else if (bracket != rest.size()) {
    const std::optional<std::uint64_t> index =
        rest.back() == ']' ? parse_count(rest.substr(bracket + 1, rest.size() - bracket - 2)) : std::nullopt;
    if (!index)
      return refuse("x wants an element of an array: x/4 input[8].", "x에는 배열의 원소를 씁니다: x/4 input[8].");
    from = *index;
  }
  const std::optional<Elements> all = elements_of(name);
  if (!all) return refuse("x wants an element of an array: x/4 input[8].", "x에는 배열의 원소를 씁니다: x/4 input[8].");
  if (from >= all->values.size())
    return refuse("$1 has $2 elements.", "$1의 원소는 $2개입니다.", {name, std::to_string(all->values.size())});
  examined_ = name;
  examined_from_ = static_cast<std::size_t>(std::min<std::uint64_t>(all->values.size() - from, *count) + from);
  print_elements(*all, static_cast<std::size_t>(from), examined_from_);
  if (examined_from_ - from < *count)
    report("$1 has $2 elements.", "$1의 원소는 $2개입니다.", {name, std::to_string(all->values.size())});
  format_ = spelled;  // for Enter
}

void Stepper::display_this(std::string_view rest) {
  if (!is_format_known()) return;
  if (rest.empty()) return show_displays();
  const std::string format = format_;
  print(rest);
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
    print(one.text);
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
