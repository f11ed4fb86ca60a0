// What comparing heads, events and outcomes share, for compare.cpp and compare_events.cpp alone.
//
// Shapes: a Difference is the sentence that first_difference() gives, or nothing.
// Errors: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "traces/model/trace.h"

namespace warpsim {

using Difference = std::optional<std::string>;

std::string compared_value(Type type, std::uint64_t bits, unsigned lanes);

template <class Value>
Difference differ(const std::string& what, const Value& one, const Value& two) {
  if (one == two) return {};
  if constexpr (std::is_same_v<Value, std::string>) return what + ": \"" + one + "\", the other has \"" + two + "\"";
  else return what + ": " + std::to_string(one) + ", the other has " + std::to_string(two);
}

// In order; against hardware lane by lane.
Difference compare_events(const Trace& one, const Trace& two, bool hardware);

}  // namespace warpsim
