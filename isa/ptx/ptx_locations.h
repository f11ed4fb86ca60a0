// Where the compiler that printed a PTX text found each statement: .loc and .file.
//
// Shapes: one object a program, asked for each .loc of its functions in text order. The text itself is file 0 of the
//         program's module; the files of .file follow, in the order of their numbers.
// Units:  none.
// Errors: none: of a file without a .file, and of line 0, there is no place.
// Source: PTX ISA 9.0, 11.5.3 (.file) and 11.5.4 (.loc).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "isa/program/program.h"
#include "isa/ptx/ptx_syntax.h"

namespace warpsim::ptx {

class Locations {
 public:
  explicit Locations(const Module& module) : module_(module) {}
  // The names of the source files, behind those that are there.
  void add_files(std::vector<SourceFile>& files);

  // What follows belongs to this function; nothing of it is inlined into what came before.
  void begin_function(std::string_view name);
  // The place in `sources`, which it may add to; -1: none.
  std::int32_t at(const Location& one, std::vector<SourcePlace>& sources);

 private:
  using Point = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  // file, line and column of PTX

  std::string name_of(const Location& one) const;
  std::int32_t outer_of(const Location& one, std::vector<SourcePlace>& sources);

  const Module& module_;
  std::map<std::uint32_t, std::uint32_t> files_;  // the number in PTX → the index in Module::files
  std::string function_;
  std::map<Point, std::int32_t> seen_;  // in this function, the last one of each
  std::map<std::tuple<Point, std::string, std::int32_t>, std::int32_t> made_;
};

}  // namespace warpsim::ptx
