// The texts of the files that a kernel was compiled from, beside its PTX: findings, traces and pages show their lines.
//
// Shapes: the texts of the files that .file directives name, in the program's module.
// Units:  bytes.
// Errors: a source that is not at hand has no text, and only its name and lines are shown.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "isa/program/program.h"
#include "isa/text/source.h"

namespace warpsim::host {

inline constexpr std::size_t kMostSourceBytes = std::size_t{8} << 20;  // of one file; a longer one is not shown

class SourceTexts {
 public:
  // Adds what is at hand of the program's sources: by their names, or beside the file that was given, if one was.
  void add_to(Program& program, const std::string& given = "");

 private:
  const SharedText& text_of(const std::string& name, const std::string& given);
  std::map<std::string, SharedText> known_;  // by name: kernels of one module share them
};

}  // namespace warpsim::host
