// Small readings that the stepper's files share.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace warpsim::tools {

inline std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

inline std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t number = 0;
  const std::from_chars_result read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace warpsim::tools
