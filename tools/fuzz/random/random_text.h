// Text from parts: what the writer of random programs builds its lines with.
//
// Shapes: cat({"mov.u32 %a", 3, ", ", value}).
// Errors: none.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace warpsim::reference {

using Text = std::string;

struct Part {
  Text text;
  Part(Text from) : text(std::move(from)) {}
  Part(std::string_view from) : text(from) {}
  Part(const char* from) : text(from) {}
  template <class T>
  requires std::is_arithmetic_v<T> Part(T number) : text(std::to_string(number)) {}
};
// An initialiser list, since only there every compiler evaluates the parts from left to right: cat({a, b}).
Text cat(std::initializer_list<Part> parts);

// `digits` or more hexadecimal digits, without 0x.
Text hex_text(std::uint64_t value, int digits);

}  // namespace warpsim::reference
