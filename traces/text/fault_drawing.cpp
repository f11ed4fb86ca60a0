// See fault_drawing.h.
#include "traces/text/fault_drawing.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "isa/assembly/disassembler.h"
#include "isa/text/columns.h"
#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "traces/text/text_renderer.h"

namespace warpsim {

namespace {

constexpr std::string_view kFaultIndent = "        ";
constexpr std::size_t kFaultWidth = 80;
constexpr std::size_t kMostCycles = 5;  // named; and the last one
constexpr std::size_t kMostPlaces = 64;

std::string where_and_who(std::uint32_t block, std::uint32_t warp) {
  return "block " + std::to_string(block) + ", warp " + std::to_string(warp) + ", ";
}

// A line below the message, broken to the width of a terminal.
std::string fold_lines(const std::string& text, std::size_t first, std::size_t next) {
  std::string out;
  for (const std::string& line : wrapped_at(text, kFaultWidth - next))
    out += std::string(out.empty() ? first : next, ' ') + line + "\n";
  return out;
}
std::string entry_line(const std::string& text) {
  return fold_lines(text, kFaultIndent.size() + 2, kFaultIndent.size() + 6);
}

// The functions that were inlined there: those of the program, from the innermost on; and which function of a header of
// CUDA's was called.
std::string inlined_in_words(const Program& program, std::int32_t pc) {
  const SourcePlace* called = nullptr;
  std::vector<const SourcePlace*> own;
  for (const SourcePlace* one : program.frames(pc)) {
    if (!program.is_of_the_toolkit(*one)) own.push_back(one);
    else if (own.empty()) called = one;
  }
  std::string text = own.size() < 2 ? "" : "in " + own.front()->function;
  for (std::size_t k = 1; k < own.size(); ++k)
    text += ", inlined into " + (own[k]->function.empty() ? "" : own[k]->function + " at ") +
            program.line_of(own[k]->where);
  if (called == nullptr || called->function.empty()) return text;
  return text + (text.empty() ? "" : "; ") + "inside " + called->function + ", " + program.line_of(called->where);
}

std::set<std::uint64_t> cycles_of(const TraceFinding& fault) {
  std::set<std::uint64_t> cycles;
  for (const TraceStep& step : fault.steps) cycles.insert(step.cycle);
  cycles.insert(fault.cycle);
  cycles.erase(0);
  return cycles;
}

// Of a program with sources: what was inlined there, and what stands in the text.
std::string draw_origin(const Program& program, std::int32_t pc) {
  if (program.source_at(pc) == nullptr) return "";
  const std::string inlined = inlined_in_words(program, pc);
  const SourceRange in_text = program.code[static_cast<std::size_t>(pc)].where;
  return (inlined.empty() ? "" : below(inlined)) +
         below("PTX: " + program.line_of(in_text) + ": " + disassemble(program, pc));
}

std::string draw_steps(const Program& program, const TraceFinding& fault) {
  if (fault.steps.empty()) return "";
  std::string text = std::string(kFaultIndent) + "how it came to that:\n";
  for (const TraceStep& step : fault.steps) {
    const bool elsewhere = step.block != fault.block || step.warp != fault.warp;
    text += entry_line((step.cycle == 0 ? "" : "cycle " + std::to_string(step.cycle) + ", ") +
                       (elsewhere ? where_and_who(step.block, step.warp) : "") + instruction_at(program, step.pc) +
                       ": " + said_of(program, step.text));
  }
  return text;
}

std::string draw_places(const Program& program, unsigned lanes, const TraceFinding& fault) {
  // Not printed if all lanes are where the message points.
  const bool one = fault.places.size() == 1 && fault.places[0].pc == fault.pc && fault.places[0].waits_for.empty();
  if (fault.places.empty() || one) return "";
  std::string text = std::string(kFaultIndent) + "where the lanes are:\n";
  const bool several = std::any_of(fault.places.begin(), fault.places.end(), [&fault](const TracePlace& place) {
    return place.block != fault.places.front().block || place.warp != fault.places.front().warp;
  });
  const std::size_t drawn = std::min(fault.places.size(), kMostPlaces);
  for (const TracePlace& place : std::span(fault.places).first(drawn))
    text += entry_line((several ? where_and_who(place.block, place.warp) : "") + lanes_and_mask(place.lanes, lanes) +
                       ": " + instruction_at(program, place.pc) +
                       (place.waits_for.empty() ? "" : "; " + said_of(program, place.waits_for)));
  if (drawn < fault.places.size())
    text += entry_line("and " + counted(fault.places.size() - drawn, "other group") + ", which --json lists");
  return text;
}

std::string draw_cycles(const TraceFinding& fault) {
  const std::set<std::uint64_t> cycles = cycles_of(fault);
  if (cycles.empty()) return "";
  std::string text;
  std::size_t count = 0;
  for (const std::uint64_t cycle : cycles)
    if (++count <= kMostCycles || cycle == *cycles.rbegin()) text += (text.empty() ? "" : ", ") + std::to_string(cycle);
  return below("look at " + std::string(cycles.size() == 1 ? "cycle " : "cycles ") + text + ": `goto " +
               std::to_string(*cycles.begin()) + "` in `warpsim step`");
}

}  // namespace

std::string said_of(const Program& program, const Message& message) {
  return program.sources.empty() ? english(message) : in_cuda(message);
}

std::uint64_t first_cycle(const TraceFinding& fault) {
  const std::set<std::uint64_t> cycles = cycles_of(fault);
  return cycles.empty() ? 0 : *cycles.begin();
}

std::string instruction_at(const Program& program, std::int32_t pc) {
  if (pc < 0) return "exited";
  if (static_cast<std::size_t>(pc) >= program.code.size()) return "past the last instruction";
  return (program.sources.empty() ? "line " : "") + program.line(pc) + ", pc " + std::to_string(pc) + ": " +
         disassemble(program, pc);
}

std::string lanes_and_mask(LaneMask lanes, unsigned width) {
  return lanes_in_words(lanes) + " (" + lane_mask_hex(lanes, width) + ")";
}

std::string below(const std::string& text) { return fold_lines(text, kFaultIndent.size(), kFaultIndent.size() + 2); }

Severity severity_of(const TraceFinding& fault) {
  const std::optional<Finding> code = fault.code.known;
  return code ? info(*code).severity : Severity::Error;
}

SourceRange place_of(const Program& program, const TraceFinding& fault) {
  if (fault.code == Finding::AssertFailed) {
    const std::string message = english(fault.message);
    for (const Assertion& one : program.assertions)
      if (one.pc == fault.pc && message.find(one.condition) != std::string::npos) return one.where;
  }
  return program.place(fault.pc);
}

std::string draw_fault(const Program& program, unsigned lanes, const TraceFinding& fault, FaultTrace trace) {
  Diagnostics source;
  const SourceRange where = place_of(program, fault);
  source.file = program.source(where).name;
  source.text = program.source(where).text;
  const Severity severity = severity_of(fault);
  const std::optional<Finding> code = fault.code.known;
  const Diagnostic::Severity drawn = severity == Severity::Warning  ? Diagnostic::Severity::Warning
                                     : severity == Severity::Advice ? Diagnostic::Severity::Note
                                                                    : Diagnostic::Severity::Error;
  std::string text =
      source.render({drawn, code ? fault.code.word : fault.kind, said_of(program, fault.message), "", where});
  if (fault.cycle != 0)
    text += below("in cycle " + std::to_string(fault.cycle) + ", " + where_and_who(fault.block, fault.warp) +
                  lanes_and_mask(fault.lanes, lanes));
  text += draw_origin(program, fault.pc) + draw_steps(program, fault) + draw_places(program, lanes, fault);
  if (code) text += below("rule: " + std::string(info(*code).rule));
  if (!fault.hint.empty()) text += below("hint: " + said_of(program, fault.hint));
  if (trace == FaultTrace::Made) text += draw_cycles(fault);
  if (code) text += std::string(kFaultIndent) + "`warpsim explain " + fault.code.word + "` says more\n";
  return text;
}

}  // namespace warpsim
