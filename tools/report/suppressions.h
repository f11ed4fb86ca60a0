// Findings that somebody has looked at and lives with: what `--suppress FILE` leaves out.
//
// Shapes: a line of the file is
//
//           CODE [PROGRAM] [line N | label NAME] [# REASON]
//
//           WS0201 p25/neighbor_*             # the picture shows what stays in place
//           WS04*  *            label publish  # one writer: the leader of the group
//
//         CODE is one of isa/table/findings.def, or with `*` several. PROGRAM is a program's name or file as messages
//         print it; `*`, `?` and `[abc]` mean what they do in a shell, but `*` matches slashes too; without it any
//         program. `label` means the statements from that label to the next one: lines move, labels stay. Empty lines
//         and lines that begin with # say nothing. Of several lines that fit, the first counts. A finding that is
//         suppressed stays in the report, with the reason; it neither fails nor is drawn.
// Units:  lines from 1.
// Errors: Diagnostics: S001 an unknown code, S002 a place that is none, S003 a word too many; the notes S004 name lines
//         that left nothing out.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "isa/text/diagnostic.h"
#include "tools/report/check_report.h"

namespace warpsim::tools {

struct Suppression {
  std::vector<Finding> codes;
  std::string program = "*";
  std::uint32_t line = 0;  // 0: any
  std::string label;       // "": any
  std::string reason;      // may be ""
  SourceRange where;       // in the file
  std::size_t used = 0;    // findings that it left out
};

class Suppressions {
 public:
  // What is wrong with the text is said in diagnostics(); the correct lines count.
  Suppressions(std::string file, std::string text);

  // Fills in suppressed_by: "line 3 of ci.supp: one writer".
  void apply(CheckReport& report);
  // After that: notes about lines that left nothing out. Where only some programs were checked, a line that is about
  // others is not noted.
  void note_unused(const CheckReport& report, bool everything_was_checked);

  const std::vector<Suppression>& list() const { return list_; }
  const Diagnostics& diagnostics() const { return diagnostics_; }

 private:
  void read_line(std::uint32_t number, const std::string& line);

  std::vector<Suppression> list_;
  Diagnostics diagnostics_;
};

}  // namespace warpsim::tools
