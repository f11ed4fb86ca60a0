// Which line of a source each machine instruction came from.
//
// Shapes: rows in the order of the section: from its address on, up to the next row's, the code is of that line. Files
//         and rows are counted from 1; 0 is none. `caller` is the row where a function was inlined that the line is in.
// Units:  addresses in bytes from the begin of a section of code.
// Errors: a sentence; nothing outside of the given bytes is read.
// Source: DWARF 2 to 4, chapter 6.2. NVIDIA's extended opcode 0x90 has two numbers: the row of the call, counted over
//         the unit, and where in .debug_str the called function's name is (read off what nvcc 13.0 writes beside its
//         own `.loc … inlined_at`).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "isa/sass/bytes.h"

namespace warpsim::sass {

struct CodePlace {
  std::uint32_t section = 0;
  std::uint64_t address = 0;
};

struct LineRow {
  CodePlace place;
  std::uint32_t file = 0, line = 0, caller = 0;
  bool is_end = false;  // of a stretch of code: what is behind has no line
};

struct LineTable {
  std::vector<std::string> files;
  std::vector<LineRow> rows;
};

// `addresses`: by their places in the bytes, the addresses that a linker puts there.
std::variant<LineTable, std::string> read_line_table(Bytes bytes, const std::map<std::size_t, CodePlace>& addresses);

}  // namespace warpsim::sass
