// The language that a trace is told in: the text diagrams, the sentence of a step, the page.
//
// Source: traces/FORMAT.md, "Languages".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpsim {

enum class Language : std::uint8_t { English, Korean };

// "en" or "ko", as `--lang` takes it.
constexpr std::optional<Language> language_from(std::string_view name) {
  if (name == "en") return Language::English;
  if (name == "ko") return Language::Korean;
  return std::nullopt;
}

}  // namespace warpsim
