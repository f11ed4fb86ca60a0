// The words of a trace for the members of an enumeration: name() gives the word, parse_word() the member.
//
// Shapes: one list of words an enumeration, in the enumeration's order. An OpenWord is of a list that a later version
//         may extend: it keeps a word that is not in the list.
// Errors: parse_word() returns nothing for a word that is not in the list.
// Source: traces/FORMAT.md.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "isa/program/program.h"
#include "isa/table/findings.h"
#include "sim/event/observer.h"
#include "sim/launch/launch.h"

namespace warpsim {

inline constexpr std::string_view kMachineCode = "machine-code";  // of a head's `timing`

template <class Kind>
inline constexpr std::array<std::string_view, 0> kTraceWords = {};
template <>
inline constexpr std::array<std::string_view, 3> kTraceWords<MemoryEvent::Access> = {"load", "store", "atomic"};
template <>
inline constexpr std::array<std::string_view, 3> kTraceWords<MaskEvent::Kind> = {"branch", "reconverge", "exit"};

template <class Kind>
concept HasTraceWords = kTraceWords<Kind>
.size() > 0;

template <HasTraceWords Kind>
constexpr std::string_view name(Kind kind) {
  return kTraceWords<Kind>[static_cast<std::size_t>(kind)];
}

template <class Kind>
inline constexpr std::size_t kWordCount = kTraceWords<Kind>.size();
template <>
inline constexpr std::size_t kWordCount<AddressSpace> = 5;  // isa/table/memory_access.h names them
template <>
inline constexpr std::size_t kWordCount<Reconvergence> = 2;  // sim/launch/launch.h names them
template <>
inline constexpr std::size_t kWordCount<Param::Kind> = 4;  // isa/program/module.h does

template <>
inline constexpr std::size_t kWordCount<Stall::Reason> = kStallReasonCount;  // sim/event/observer.h does

// The first member that has a word.
template <class Kind>
inline constexpr std::size_t kFirstWord = 0;
template <>
inline constexpr std::size_t kFirstWord<AddressSpace> = 1;

template <class Kind>
constexpr Kind nth_with_word(std::size_t n) {
  return static_cast<Kind>(kFirstWord<Kind> + n);
}

template <class Kind>
std::optional<Kind> parse_word(std::string_view word) {
  for (std::size_t k = 0; k < kWordCount<Kind>; ++k)
    if (name(nth_with_word<Kind>(k)) == word) return nth_with_word<Kind>(k);
  return std::nullopt;
}

// A member of an enumeration that a later version may extend, and its word; what this version does not know has only
// the word. A finding's word is its code.
template <class Kind>
struct OpenWord {
  std::optional<Kind> known;
  std::string word;

  OpenWord() = default;
  OpenWord(Kind kind) : known(kind), word(name(kind)) {}
  explicit OpenWord(std::string text) : known(parse_word<Kind>(text)), word(std::move(text)) {}
  bool operator==(const OpenWord&) const = default;
  bool operator==(Kind kind) const { return known == kind; }
};
template <>
inline OpenWord<Finding>::OpenWord(Finding finding) : known(finding), word(code(finding)) {}
template <>
inline OpenWord<Finding>::OpenWord(std::string text) : known(finding_of(text)), word(std::move(text)) {}

// All words of an enumeration, for messages: `"load", "store" or "atomic"`.
template <class Kind>
std::string words_of() {
  std::string text;
  for (std::size_t k = 0; k < kWordCount<Kind>; ++k) {
    text += k == 0 ? "\"" : k + 1 == kWordCount<Kind> ? "\" or \"" : "\", \"";
    text += name(nth_with_word<Kind>(k));
  }
  return text + "\"";
}

}  // namespace warpsim
