#include "isa/text/columns.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpsim {
namespace {

bool is_within(char32_t c, const std::pair<char32_t, char32_t>* from, const std::pair<char32_t, char32_t>* to) {
  return std::any_of(from, to, [c](const auto& range) { return c >= range.first && c <= range.second; });
}

bool is_wide(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 12> kWide = {{{0x1100, 0x115F},
                                                                           {0x231A, 0x231B},
                                                                           {0x2705, 0x2705},
                                                                           {0x274C, 0x274C},
                                                                           {0x2E80, 0x303E},
                                                                           {0x3041, 0x33FF},
                                                                           {0x3400, 0x4DBF},
                                                                           {0x4E00, 0x9FFF},
                                                                           {0xA960, 0xA97C},
                                                                           {0xAC00, 0xD7A3},
                                                                           {0xF900, 0xFAFF},
                                                                           {0xFE30, 0xFF60}}};
  return is_within(c, kWide.data(), kWide.data() + kWide.size()) || (c >= 0x1F300 && c <= 0x1FAFF) ||
         (c >= 0x20000 && c <= 0x3FFFD);
}

// Those that would move the cursor, turn the writing round, or join the character before.
bool is_unfit(char32_t c) {
  static constexpr std::array<std::pair<char32_t, char32_t>, 10> kUnfit = {{{0, 0x1F},
                                                                            {0x7F, 0x9F},
                                                                            {0xAD, 0xAD},
                                                                            {0x300, 0x36F},
                                                                            {0x590, 0x8FF},
                                                                            {0x1160, 0x11FF},
                                                                            {0x200B, 0x200F},
                                                                            {0x2028, 0x202E},
                                                                            {0x2060, 0x206F},
                                                                            {0xFE00, 0xFE2F}}};
  return is_within(c, kUnfit.data(), kUnfit.data() + kUnfit.size()) || c == 0xFEFF || (c >= 0xD800 && c <= 0xDFFF) ||
         c > 0x3FFFD;
}

}  // namespace

Character take_character(std::string_view& text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  char32_t c = length <= 1 ? first : first & (0xFFU >> (length + 1));
  bool broken = length == 0 || first > 0xF4 || length > text.size();
  for (std::size_t k = 1; k < length && !broken; ++k) {
    broken = (byte(k) & 0xC0) != 0x80;
    c = (c << 6) | (byte(k) & 0x3F);
  }
  if (broken) {
    text.remove_prefix(1);
    return {"?", 1};
  }
  Character taken{std::string(text.substr(0, length)), is_wide(c) ? 2U : 1U};
  if (is_unfit(c)) taken = {c == '\t' ? " " : "?", 1};
  text.remove_prefix(length);
  return taken;
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) columns += take_character(text).columns;
  return columns;
}

std::string fitted(std::string_view text, std::size_t columns, std::string_view cut) {
  const bool whole = columns_of(text) <= columns;
  const std::size_t room = whole ? columns : columns - std::min(columns, columns_of(cut));
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const Character next = take_character(text);
    if (used + next.columns > room) break;
    out += next.text;
    used += next.columns;
  }
  if (!whole && columns >= columns_of(cut)) {
    out += cut;
    used += columns_of(cut);
  }
  return out.append(columns - used, ' ');
}

std::vector<std::string> wrapped_at(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines(1);
  std::size_t used = 0, blank = std::string::npos;  // of the last line; where it can be broken
  while (!text.empty()) {
    const Character next = take_character(text);
    if (used + next.columns > columns && used != 0) {
      std::string rest;
      if (next.text != " " && blank != std::string::npos) {
        rest = lines.back().substr(blank + 1);
        lines.back().resize(blank);
      }
      lines.push_back(rest);
      used = columns_of(rest);
      blank = std::string::npos;
      if (next.text == " ") continue;
    }
    if (next.text == " " && used != 0) blank = lines.back().size();
    lines.back() += next.text;
    used += next.columns;
  }
  return lines;
}

}  // namespace warpsim
