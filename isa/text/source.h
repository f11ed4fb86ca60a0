// A place in a source text.
//
// Shapes: line and column count from 1; 0 means "no place" (a program that was built in memory).
// Units:  columns count bytes of UTF-8.
#pragma once

#include <cstdint>
#include <string>

namespace warpsim {

struct SourceFile {
  std::string name;  // as diagnostics print it
  std::string text;  // as read; "" if it is not at hand
};

struct SourceRange {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t length = 1;
  std::uint32_t file = 0;  // an index into the list of files that belongs to it; 0 in a text of one file
  bool operator==(const SourceRange&) const = default;
};

}  // namespace warpsim
