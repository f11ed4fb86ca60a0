// What `warpsim check` found in all its runs, as data; the text, the SARIF and the JUnit XML are made from it.
//
// Shapes: one CheckedFinding a program, code and instruction, however many runs showed it. Findings are in the order
//         of programs, then of their first sighting. The programs are kept as texts, so that a finding's place can be
//         named in ways that outlive an edit: by the statement, and by the label before it.
// Errors: none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/program/program.h"
#include "isa/table/findings.h"
#include "isa/text/source.h"
#include "tools/report/junit.h"
#include "traces/model/trace.h"

namespace warpsim::tools {

// A run in which something was found.
struct Sighting {
  std::string case_name;
  unsigned lanes = 32;
  std::string schedule, reconvergence;  // "rr" or "fuzz:7"; "stack" or "independent"
};

struct CheckedFinding {
  std::string program;  // "p26/butterfly_parallel_max"
  std::string file;     // of its place, as messages print it
  Finding code{};
  Severity severity{};
  SourceRange where;                             // in the source that was compiled, if there is one; line 0: of no line
  SourceRange in_text;                           // in the program's own text
  TraceFinding finding;                          // of the first run that showed it: message, hint, lanes, steps, places
  std::vector<SourceRange> steps_at, places_at;  // where its steps and places are, in their order
  bool traps = false;                            // it ended the run
  std::vector<Sighting> seen;
  std::string drawn, json;                   // as people read it; its entry among the diagnostics
  std::optional<std::string> suppressed_by;  // the line of the file of suppressions, and its reason
};

struct CheckedRun {
  std::string program, case_name;
  unsigned lanes = 32;
  std::vector<std::size_t> findings;  // numbers of those that it showed, the suppressed ones too
  std::string error;                  // it could not be run at all: why
};

struct CheckedProgram {
  std::string name, file, text;
  std::vector<SourceFile> sources;      // what the text was compiled from: files 1, 2 … of a place
  std::vector<SourceRange> statements;  // its instructions and assertions, in their order
  std::vector<std::pair<std::string, std::size_t>> labels;  // and the number of the statement after each
};

struct CheckReport {
  std::vector<CheckedProgram> programs;
  std::vector<CheckedFinding> findings;
  std::vector<CheckedRun> runs;
  std::uint64_t exact = 0, approximate = 0, unsupported = 0;  // executed warp instructions, of all runs together
  bool warnings_fail = false;                                 // --error-on warning
};

// Advice never fails.
constexpr bool fails_at(Severity severity, bool warnings_fail) {
  return severity == Severity::Warning ? warnings_fail : severity != Severity::Advice;
}

CheckedProgram checked_program(const Program& program);
// Fills in where the finding, its steps and its places are, of the program that ran (which may be an expansion).
void find_places(CheckedFinding& finding, const Program& ran);

const CheckedProgram* find_program(const CheckReport& report, std::string_view name);  // nullptr: none
// The number of the statement at a place, if one is there.
std::optional<std::size_t> statement_at(const CheckedProgram& program, SourceRange where);
// Its text, each run of white space as one space.
std::string statement_text(const CheckedProgram& program, std::size_t statement);
// The file that a place is in.
const std::string& text_of(const CheckedProgram& program, const SourceRange& where);
const std::string& file_of(const CheckedProgram& program, const SourceRange& where);

// A run is a test. Advice, suppressed findings, and warnings if they do not fail, fail none; they are reported, too.
std::vector<JUnitCase> junit_cases(const CheckReport& report);

}  // namespace warpsim::tools
