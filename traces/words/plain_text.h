// Text of a trace, which may come from anybody, made harmless for terminals and readers.
//
// Errors: none.
#pragma once

#include <string>
#include <string_view>

namespace warpsim {

// Control characters but line ends and tabs, those of U+0080 to U+009F too, become "?".
inline std::string without_controls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t k = 0; k < text.size(); ++k) {
    const unsigned char c = static_cast<unsigned char>(text[k]);
    const unsigned char next = k + 1 < text.size() ? static_cast<unsigned char>(text[k + 1]) : 0;
    const bool is_c1 = c == 0xC2 && next >= 0x80 && next < 0xA0;
    if (is_c1) ++k;
    out += is_c1 || c == 0x7F || (c < 0x20 && c != '\n' && c != '\t') ? '?' : text[k];
  }
  return out;
}

}  // namespace warpsim
