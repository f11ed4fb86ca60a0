// What went wrong in a run, in words; see trap_text.h.
#include "tools/trap_text.h"

#include <algorithm>
#include <cstdio>

#include "isa/assembler.h"
#include "isa/diagnostic.h"
#include "sim/lane_mask.h"
#include "tools/json_object.h"
#include "traces/text_renderer.h"

namespace warpsim::tools {

namespace {

constexpr std::string_view kIndent = "        ";

std::string lanes_text(LaneMask lanes, unsigned width) {
  return std::string(count_lanes(lanes) == 1 ? "lane " : "lanes ") + lane_ranges(lanes) + " (" +
         lane_mask_hex(lanes, width) + ")";
}

SourceRange place_of(const Program& program, std::int32_t pc) {
  return pc >= 0 && static_cast<std::size_t>(pc) < program.code.size()
             ? program.code[static_cast<std::size_t>(pc)].where
             : SourceRange{};
}

std::string instruction_at(const Program& program, std::int32_t pc) {
  if (pc < 0) return "exited";
  if (static_cast<std::size_t>(pc) >= program.code.size()) return "past the last instruction";
  return "line " + std::to_string(place_of(program, pc).line) + ", pc " + std::to_string(pc) + ": " +
         disassemble(program, pc);
}

// The head of the message: file, line, caret.
std::string draw_head(const Program& program, const std::string& kind, const std::string& message, std::int32_t pc) {
  Diagnostics diagnostics;
  diagnostics.file = program.file;
  diagnostics.text = program.text;
  return diagnostics.render({Diagnostic::Severity::Error, kind, message, "", place_of(program, pc)});
}

std::string when_and_who(std::uint64_t cycle, std::uint32_t block, std::uint32_t warp, LaneMask lanes, unsigned width) {
  return std::string(kIndent) + "in cycle " + std::to_string(cycle) + ", block " + std::to_string(block) + ", warp " +
         std::to_string(warp) + ", " + lanes_text(lanes, width) + "\n";
}

// What traps and findings have in common.
JsonObject fault_to_json(const Program& program, const Trace& trace, const TraceFinding& fault) {
  JsonObject json;
  json.text("severity", "error").text("code", fault.kind).text("message", fault.message);
  if (!fault.hint.empty()) json.text("hint", fault.hint);
  if (const SourceRange where = place_of(program, fault.pc); where.line != 0)
    json.text("file", program.file).number("line", where.line).number("column", where.column);
  json.number("cycle", fault.cycle).number("block", fault.block).number("warp", fault.warp);
  if (fault.pc >= 0) json.number("pc", static_cast<std::uint64_t>(fault.pc));
  json.text("lanes", lane_mask_hex(fault.lanes, trace.head.lanes));
  return json;
}

// An element's value, and its bits where the value alone does not tell the two apart (two NaNs).
std::string element_text(Type type, std::uint64_t bits, std::uint64_t other) {
  const std::string text = element_value(type, bits);
  if (text != element_value(type, other)) return text;
  char hex[24];
  std::snprintf(hex, sizeof hex, " (0x%llx)", static_cast<unsigned long long>(bits));
  return text + hex;
}

}  // namespace

std::string draw_trap(const Program& program, const Trace& trace, const TraceTrap& trap) {
  const unsigned width = trace.head.lanes;
  std::string text = draw_head(program, trap.kind, trap.message, trap.pc);
  text += when_and_who(trap.cycle, trap.block, trap.warp, trap.lanes, width);
  if (!trap.places.empty()) text += std::string(kIndent) + "where the lanes are:\n";
  const bool several = std::any_of(trap.places.begin(), trap.places.end(), [&trap](const TracePlace& place) {
    return place.block != trap.places.front().block || place.warp != trap.places.front().warp;
  });
  for (const TracePlace& place : trap.places) {
    text += std::string(kIndent) + "  ";
    if (several) text += "block " + std::to_string(place.block) + ", warp " + std::to_string(place.warp) + ", ";
    text += lanes_text(place.lanes, width) + ": " + instruction_at(program, place.pc);
    if (!place.waits_for.empty()) text += "; " + place.waits_for;
    text += "\n";
  }
  if (!trap.hint.empty()) text += std::string(kIndent) + "hint: " + trap.hint + "\n";
  return text;
}

std::string trap_to_json(const Program& program, const Trace& trace, const TraceTrap& trap) {
  std::vector<std::string> places;
  for (const TracePlace& place : trap.places) {
    JsonObject json;
    json.number("block", place.block).number("warp", place.warp);
    json.text("lanes", lane_mask_hex(place.lanes, trace.head.lanes));
    json.raw("pc", place.pc < 0 ? "null" : std::to_string(place.pc));
    json.text("at", instruction_at(program, place.pc));
    if (!place.waits_for.empty()) json.text("waits_for", place.waits_for);
    places.push_back(json.str());
  }
  return fault_to_json(program, trace, trap).raw("places", json_list(places)).str();
}

std::string draw_finding(const Program& program, const Trace& trace, const TraceFinding& finding) {
  std::string text = draw_head(program, finding.kind, finding.message, finding.pc);
  text += when_and_who(finding.cycle, finding.block, finding.warp, finding.lanes, trace.head.lanes);
  if (!finding.hint.empty()) text += std::string(kIndent) + "hint: " + finding.hint + "\n";
  return text;
}

std::string finding_to_json(const Program& program, const Trace& trace, const TraceFinding& finding) {
  return fault_to_json(program, trace, finding).str();
}

std::vector<std::string> mismatches(const TraceOutcome& outcome) {
  std::vector<std::string> sentences;
  for (const auto& [name, expected] : outcome.expected) {
    for (const auto& [output_name, output] : outcome.outputs) {
      if (output_name != name) continue;
      const std::size_t common = std::min(expected.bits.size(), output.bits.size());
      if (expected.bits.size() != output.bits.size())
        sentences.push_back(name + " has " + std::to_string(output.bits.size()) + " elements, " +
                            std::to_string(expected.bits.size()) + " are expected");
      const UndefinedElements* const undefined = find_undefined(outcome.undefined, name);
      const auto is_undefined = [undefined](std::uint64_t k) {
        return undefined != nullptr && std::binary_search(undefined->index.begin(), undefined->index.end(), k);
      };
      std::size_t differ = 0, first = 0;
      for (std::size_t k = common; k-- > 0;)
        if (output.bits[k] != expected.bits[k] && !is_undefined(k)) ++differ, first = k;
      if (differ == 0) continue;
      const std::uint64_t got = output.bits[first], wanted = expected.bits[first];
      std::string sentence = name + "[" + std::to_string(first) + "] is " + element_text(output.type, got, wanted) +
                             ", expected " + element_text(expected.type, wanted, got);
      if (differ > 1) sentence += " (the first of " + std::to_string(differ) + " that differ)";
      sentences.push_back(std::move(sentence));
    }
  }
  for (const UndefinedElements& undefined : outcome.undefined) {
    const bool is_expected = std::any_of(outcome.expected.begin(), outcome.expected.end(),
                                         [&undefined](const auto& one) { return one.first == undefined.name; });
    if (is_expected && !undefined.index.empty())
      sentences.push_back(
          undefined.name + "[" + std::to_string(undefined.index.front()) + "] is undefined" +
          (undefined.index.size() > 1 ? " (the first of " + std::to_string(undefined.index.size()) + ")" : ""));
  }
  return sentences;
}

}  // namespace warpsim::tools
