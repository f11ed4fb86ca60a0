// The lines that a debugger counts: of the sources that a program was compiled from, one file behind the other, then of
// its own text.
//
// Shapes: one numbering for all of them, from 1, so that a line is one number. Of a program without sources it is the
//         text's own. Files of which nothing is shown have no lines.
// Units:  lines.
// Errors: 0 and "" for what is not there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/model/trace.h"

namespace warpsim::tools {

class NumberedLines {
 public:
  explicit NumberedLines(const TraceHead& head);

  bool has_sources() const { return files_.size() > 1; }
  std::uint32_t of(const TraceInsn& insn) const;
  std::uint32_t of(const TraceSourcePlace& place) const { return before_[place.source] + place.line; }
  std::uint32_t in_text(const TraceInsn& insn) const;  // of the program's own text
  const std::string& file(std::uint32_t line) const { return file_of(line).name; }
  std::string name(std::uint32_t line) const;       // "17"; of a program with sources "sum.cu:17"
  std::uint32_t in_file(std::uint32_t line) const;  // 17
  std::string_view text(std::uint32_t line) const;
  // Line `number` of the file with this name or end of a name; of "" the one that `near` is in. 0: there is none.
  std::uint32_t find(std::string_view file, std::uint64_t number, std::uint32_t near) const;
  // The first and the last line of the file that a line is in.
  std::uint32_t first_beside(std::uint32_t line) const { return file_of(line).before + 1; }
  std::uint32_t last_beside(std::uint32_t line) const;

 private:
  struct File {
    std::string name;
    std::uint32_t before = 0;  // lines
    std::vector<std::string_view> lines;
    std::int32_t source = -1;  // -1: the program's own text
  };
  const File& file_of(std::uint32_t line) const;

  const TraceHead& head_;
  std::vector<File> files_;
  std::vector<std::uint32_t> before_;  // by source
};

}  // namespace warpsim::tools
