// What is asked of the table of special registers: see special.h.
//
// Source: isa/table/special.def.
#include "isa/table/special.h"

#include <algorithm>
#include <array>

#include "isa/text/word.h"

namespace warpsim {
namespace {

constexpr std::array<SpecialInfo, kSpecialCount> kSpecials = {{
#define SPECIAL(Name, name, type, doc, mojo, cuda, fixed) {name, Type::type, doc, mojo, cuda, fixed},
#include "isa/table/special.def"
#undef SPECIAL
}};

// "%envreg12" → "%envreg0", if the number is one of `count`; what follows it stays.
std::string first_of(std::string_view word, std::string_view stem, unsigned count) {
  if (!word.starts_with(stem)) return std::string(word);
  std::string_view rest = word.substr(stem.size());
  std::size_t digits = 0;
  unsigned number = 0;
  for (; digits < rest.size() && digits < 2 && is_digit(rest[digits]); ++digits)
    number = number * 10 + static_cast<unsigned>(rest[digits] - '0');
  const bool canonical = digits == 1 || (digits == 2 && rest[0] != '0');
  if (!canonical || number >= count) return std::string(word);
  return std::string(stem) + "0" + std::string(rest.substr(digits));
}

}  // namespace

const SpecialInfo& info(Special special) { return kSpecials[static_cast<std::size_t>(special)]; }
std::span<const SpecialInfo> all_specials() { return kSpecials; }
std::string_view name(Special special) { return info(special).name; }

std::optional<Special> parse_special(std::string_view word) {
  const bool has_own_row = word == "%envreg1" || word == "%envreg2";
  const std::string name = has_own_row ? std::string(word) : first_of(first_of(word, "%envreg", 32), "%pm", 8);
  for (std::size_t i = 0; i < kSpecials.size(); ++i) {
    if (kSpecials[i].name == name) return static_cast<Special>(i);
  }
  return std::nullopt;
}

bool is_unsupported_special(std::string_view word) { return word == "%is_explicit_cluster"; }

std::optional<Special> special_known_as(std::string_view word) {
  const auto bare = [](std::string_view s) { return s.ends_with("()") ? s.substr(0, s.size() - 2) : s; };
  if (bare(word).empty()) return std::nullopt;
  for (std::size_t i = 0; i < kSpecials.size(); ++i) {
    if (bare(kSpecials[i].mojo) == bare(word) || kSpecials[i].cuda == word) return static_cast<Special>(i);
  }
  return std::nullopt;
}

bool is_name_char(char c) { return is_word(c) || c == '.' || c == ':'; }

std::string special_named(std::string_view word) {
  if (word.starts_with('%')) word.remove_prefix(1);
  if (const std::optional<Special> special = special_known_as(word)) return std::string(name(*special));
  for (const SpecialInfo& row : all_specials()) {
    if (row.name.substr(1) == word) return std::string(row.name);
    if (row.name.ends_with(".x") && row.name.substr(1, row.name.size() - 3) == word) return std::string(row.name);
    // "global_i in the Mojo GPU Puzzles"
    const std::size_t at = row.doc.find(word);
    const bool whole = at != std::string_view::npos && (at == 0 || !is_name_char(row.doc[at - 1])) &&
                       (at + word.size() == row.doc.size() || !is_name_char(row.doc[at + word.size()]));
    if (whole && word.find('_') != std::string_view::npos) return std::string(row.name);
  }
  return "";
}

}  // namespace warpsim
