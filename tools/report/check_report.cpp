// Places of findings, and the report as test results; see check_report.h.
#include "tools/report/check_report.h"

#include <algorithm>
#include <tuple>

#include "isa/text/lines.h"
#include "tools/support/words.h"
#include "traces/text/fault_drawing.h"

namespace warpsim::tools {

namespace {

bool fails(const CheckReport& report, const CheckedFinding& finding) {
  return !finding.suppressed_by && (finding.traps || fails_at(finding.severity, report.warnings_fail));
}

JUnitCase junit_case(const CheckReport& report, const CheckedRun& run) {
  JUnitCase test;
  test.suite = run.program;
  test.name =
      run.lanes == 0 ? "load" : run.case_name + (run.case_name.empty() ? "at " : " at ") + lanes_text({run.lanes});
  std::size_t failing = 0;
  for (const std::size_t number : run.findings) {
    const CheckedFinding& finding = report.findings[number];
    if (!fails(report, finding)) {
      test.output += finding.suppressed_by ? "suppressed, " + *finding.suppressed_by + "\n" : "";
      test.output += finding.drawn;
      continue;
    }
    if (failing++ == 0) test.message = code(finding.code) + ": " + english(finding.finding.message);
    test.text += finding.drawn;
  }
  if (failing > 0) test.outcome = JUnitCase::Outcome::Failure;
  if (failing > 1) test.message += " (and " + std::to_string(failing - 1) + " more)";
  if (run.error.empty()) return test;
  test.outcome = JUnitCase::Outcome::Error;
  test.message = run.error;
  return test;
}

SourceRange place_in_text(const Program& program, std::int32_t pc) {
  return pc >= 0 && static_cast<std::size_t>(pc) < program.code.size()
             ? program.code[static_cast<std::size_t>(pc)].where
             : SourceRange{};
}

}  // namespace

CheckedProgram checked_program(const Program& program) {
  CheckedProgram out{program.full_name(), program.source().name, program.source().text, {}, {}, {}};
  if (!program.module->files.empty())
    out.sources.assign(program.module->files.begin() + 1, program.module->files.end());
  for (const Insn& insn : program.code) out.statements.push_back(insn.where);
  for (const Assertion& one : program.assertions) out.statements.push_back(one.where);
  const auto stands_before = [](SourceRange a, SourceRange b) {
    return std::tie(a.line, a.column) < std::tie(b.line, b.column);
  };
  std::sort(out.statements.begin(), out.statements.end(), stands_before);
  for (const auto& [label, pc] : program.labels) {
    const SourceRange where = place_in_text(program, pc);
    const auto behind = where.line == 0
                            ? out.statements.end()
                            : std::lower_bound(out.statements.begin(), out.statements.end(), where, stands_before);
    out.labels.emplace_back(label, static_cast<std::size_t>(behind - out.statements.begin()));
  }
  return out;
}

void find_places(CheckedFinding& finding, const Program& ran) {
  finding.where = place_of(ran, finding.finding);
  finding.file = ran.source(finding.where).name;
  const bool has_source = ran.source_at(finding.finding.pc) != nullptr;
  finding.in_text = has_source ? place_in_text(ran, finding.finding.pc) : finding.where;
  finding.steps_at.clear();
  for (const TraceStep& step : finding.finding.steps) finding.steps_at.push_back(ran.place(step.pc));
  finding.places_at.clear();
  for (const TracePlace& place : finding.finding.places) finding.places_at.push_back(ran.place(place.pc));
}

const CheckedProgram* find_program(const CheckReport& report, std::string_view name) {
  const auto found = std::find_if(report.programs.begin(), report.programs.end(),
                                  [name](const CheckedProgram& program) { return program.name == name; });
  return found == report.programs.end() ? nullptr : &*found;
}

std::optional<std::size_t> statement_at(const CheckedProgram& program, SourceRange where) {
  const auto found = std::find(program.statements.begin(), program.statements.end(), where);
  if (where.line == 0 || found == program.statements.end()) return std::nullopt;
  return static_cast<std::size_t>(found - program.statements.begin());
}

std::string statement_text(const CheckedProgram& program, std::size_t statement) {
  const SourceRange where = program.statements[statement];
  const std::string_view line = line_in(program.text, where.line);
  std::string out;
  for (const char c : line.substr(std::min<std::size_t>(line.size(), where.column - 1), where.length)) {
    const bool is_space = c == ' ' || c == '\t';
    if (!is_space) out += c;
    else if (!out.empty() && out.back() != ' ') out += ' ';
  }
  return out;
}

const std::string& text_of(const CheckedProgram& program, const SourceRange& where) {
  if (where.file == 0 || where.file > program.sources.size()) return program.text;
  return program.sources[where.file - 1].text;
}

const std::string& file_of(const CheckedProgram& program, const SourceRange& where) {
  return where.file == 0 || where.file > program.sources.size() ? program.file : program.sources[where.file - 1].name;
}

std::vector<JUnitCase> junit_cases(const CheckReport& report) {
  std::vector<JUnitCase> tests;
  for (const CheckedRun& run : report.runs) tests.push_back(junit_case(report, run));
  return tests;
}

}  // namespace warpsim::tools
