// What went wrong in a run, in words; see trap_text.h.
#include "tools/report/trap_text.h"

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "isa/assembly/disassembler.h"
#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "sim/event/lane_mask.h"
#include "tools/support/json_object.h"
#include "tools/support/screen.h"
#include "traces/text/text_renderer.h"

namespace warpsim::tools {

namespace {

constexpr std::string_view kIndent = "        ";
constexpr std::size_t kWidth = 80;
constexpr std::size_t kMostCycles = 5;  // named; and the last one
constexpr std::size_t kMostPlaces = 64;

std::string instruction_at(const Program& program, std::int32_t pc) {
  if (pc < 0) return "exited";
  if (static_cast<std::size_t>(pc) >= program.code.size()) return "past the last instruction";
  return (program.sources.empty() ? "line " : "") + program.line(pc) + ", pc " + std::to_string(pc) + ": " +
         disassemble(program, pc);
}

std::string where_and_who(std::uint32_t block, std::uint32_t warp) {
  return "block " + std::to_string(block) + ", warp " + std::to_string(warp) + ", ";
}

// A line below the message, broken to the width of a terminal.
std::string fold(const std::string& text, std::size_t first, std::size_t next) {
  std::string out;
  for (const std::string& line : wrapped_at(text, kWidth - next))
    out += std::string(out.empty() ? first : next, ' ') + line + "\n";
  return out;
}
std::string entry(const std::string& text) { return fold(text, kIndent.size() + 2, kIndent.size() + 6); }

// Of a program with sources: through which calls that were inlined it came there, and what stands in the text.
std::string draw_origin(const Program& program, std::int32_t pc) {
  if (program.source_at(pc) == nullptr) return "";
  std::string text;
  const std::vector<const SourcePlace*> frames = program.frames(pc);
  if (frames.size() > 1) {
    std::string inlined;
    for (const SourcePlace* one : frames)
      inlined += (inlined.empty() ? "inlined: " : ", called at ") +
                 (one == frames.front() ? one->function + " at " : "") + program.line_of(one->where) +
                 (one == frames.front() || one->function.empty() ? "" : " in " + one->function);
    text += fold(inlined, kIndent.size(), kIndent.size() + 2);
  }
  const SourceRange in_text = program.code[static_cast<std::size_t>(pc)].where;
  return text +
         fold("PTX: " + program.line_of(in_text) + ": " + disassemble(program, pc), kIndent.size(), kIndent.size() + 2);
}

void add_origin(JsonObject& json, const Program& program, std::int32_t pc) {
  const std::vector<const SourcePlace*> frames = program.frames(pc);
  if (frames.empty()) return;
  std::vector<std::string> all;
  for (const SourcePlace* one : frames) {
    JsonObject frame;
    frame.text("file", program.source(one->where).name).number("line", one->where.line);
    frame.number("column", one->where.column);
    if (!one->function.empty()) frame.text("function", one->function);
    all.push_back(frame.str());
  }
  json.raw("frames", json_list(all));
  const SourceRange in_text = program.code[static_cast<std::size_t>(pc)].where;
  json.raw("ptx", JsonObject().text("file", program.source().name).number("line", in_text.line).str());
}

std::string draw_steps(const Program& program, const TraceFinding& fault) {
  if (fault.steps.empty()) return "";
  std::string text = std::string(kIndent) + "how it came to that:\n";
  for (const TraceStep& step : fault.steps) {
    const bool elsewhere = step.block != fault.block || step.warp != fault.warp;
    text += entry((step.cycle == 0 ? "" : "cycle " + std::to_string(step.cycle) + ", ") +
                  (elsewhere ? where_and_who(step.block, step.warp) : "") + instruction_at(program, step.pc) + ": " +
                  english(step.text));
  }
  return text;
}

std::string draw_places(const Program& program, unsigned lanes, const TraceFinding& fault) {
  // Not printed if all lanes are where the message points.
  const bool one = fault.places.size() == 1 && fault.places[0].pc == fault.pc && fault.places[0].waits_for.empty();
  if (fault.places.empty() || one) return "";
  std::string text = std::string(kIndent) + "where the lanes are:\n";
  const bool several = std::any_of(fault.places.begin(), fault.places.end(), [&fault](const TracePlace& place) {
    return place.block != fault.places.front().block || place.warp != fault.places.front().warp;
  });
  const std::size_t drawn = std::min(fault.places.size(), kMostPlaces);
  for (const TracePlace& place : std::span(fault.places).first(drawn))
    text += entry((several ? where_and_who(place.block, place.warp) : "") + lanes_text(place.lanes, lanes) + ": " +
                  instruction_at(program, place.pc) + (place.waits_for.empty() ? "" : "; " + english(place.waits_for)));
  if (drawn < fault.places.size())
    text += entry("and " + counted(fault.places.size() - drawn, "other group") + ", which --json lists");
  return text;
}

std::string draw_cycles(const TraceFinding& fault) {
  std::set<std::uint64_t> cycles;
  for (const TraceStep& step : fault.steps) cycles.insert(step.cycle);
  cycles.insert(fault.cycle);
  cycles.erase(0);
  if (cycles.empty()) return "";
  std::string text;
  std::size_t count = 0;
  for (const std::uint64_t cycle : cycles)
    if (++count <= kMostCycles || cycle == *cycles.rbegin()) text += (text.empty() ? "" : ", ") + std::to_string(cycle);
  return below("look at " + std::string(cycles.size() == 1 ? "cycle " : "cycles ") + text + ": `goto " +
               std::to_string(*cycles.begin()) + "` in `warpsim step`");
}

std::string place_json(const Program& program, unsigned lanes, const TracePlace& place) {
  JsonObject json;
  json.number("block", place.block).number("warp", place.warp);
  json.text("lanes", lane_mask_hex(place.lanes, lanes));
  json.raw("pc", place.pc < 0 ? "null" : std::to_string(place.pc));
  json.text("at", instruction_at(program, place.pc));
  if (!place.waits_for.empty()) json.text("waits_for", english(place.waits_for));
  return json.str();
}

std::string step_json(const Program& program, unsigned lanes, const TraceStep& step) {
  JsonObject json;
  json.number("cycle", step.cycle).number("block", step.block).number("warp", step.warp);
  json.text("lanes", lane_mask_hex(step.lanes, lanes));
  json.raw("pc", step.pc < 0 ? "null" : std::to_string(step.pc));
  return json.text("at", instruction_at(program, step.pc)).text("text", english(step.text)).str();
}

// An element's value, and its bits where the value alone does not distinguish the two (two NaNs).
std::string element_text(Type type, std::uint64_t bits, std::uint64_t other) {
  const std::string text = element_value(type, bits);
  if (text != element_value(type, other)) return text;
  return text + " (" + hexadecimal_text(bits) + ")";
}

}  // namespace

std::string lanes_text(LaneMask lanes, unsigned width) {
  return lanes_in_words(lanes) + " (" + lane_mask_hex(lanes, width) + ")";
}

std::string below(const std::string& text) { return fold(text, kIndent.size(), kIndent.size() + 2); }

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

std::string draw_fault(const Program& program, unsigned lanes, const TraceFinding& fault) {
  Diagnostics source;
  const SourceRange where = place_of(program, fault);
  source.file = program.source(where).name;
  source.text = program.source(where).text;
  const Severity severity = severity_of(fault);
  const std::optional<Finding> code = fault.code.known;
  const Diagnostic::Severity drawn = severity == Severity::Warning  ? Diagnostic::Severity::Warning
                                     : severity == Severity::Advice ? Diagnostic::Severity::Note
                                                                    : Diagnostic::Severity::Error;
  std::string text = source.render({drawn, code ? fault.code.word : fault.kind, english(fault.message), "", where});
  if (fault.cycle != 0)
    text += below("in cycle " + std::to_string(fault.cycle) + ", " + where_and_who(fault.block, fault.warp) +
                  lanes_text(fault.lanes, lanes));
  text += draw_origin(program, fault.pc) + draw_steps(program, fault) + draw_places(program, lanes, fault);
  if (code) text += below("rule: " + std::string(info(*code).rule));
  if (!fault.hint.empty()) text += below("hint: " + english(fault.hint));
  text += draw_cycles(fault);
  if (code) text += std::string(kIndent) + "`warpsim explain " + fault.code.word + "` says more\n";
  return text;
}

std::string fault_to_json(const Program& program, unsigned lanes, const TraceFinding& fault) {
  JsonObject json;
  json.text("severity", name(severity_of(fault))).text("code", fault.code.word.empty() ? fault.kind : fault.code.word);
  json.text("kind", fault.kind).text("message", english(fault.message));
  if (!fault.hint.empty()) json.text("hint", english(fault.hint));
  if (const SourceRange where = place_of(program, fault); where.line != 0)
    json.text("file", program.source(where).name).number("line", where.line).number("column", where.column);
  add_origin(json, program, fault.pc);
  json.number("cycle", fault.cycle).number("block", fault.block).number("warp", fault.warp);
  if (fault.pc >= 0) json.number("pc", static_cast<std::uint64_t>(fault.pc));
  json.text("lanes", lane_mask_hex(fault.lanes, lanes));
  std::vector<std::string> places, steps;
  for (const TracePlace& place : fault.places) places.push_back(place_json(program, lanes, place));
  for (const TraceStep& step : fault.steps) steps.push_back(step_json(program, lanes, step));
  json.raw("places", json_list(places));
  if (!steps.empty()) json.raw("steps", json_list(steps));
  return json.str();
}

std::vector<Message> mismatches(const TraceOutcome& outcome) {
  std::vector<Message> sentences;
  for (const auto& [name, expected] : outcome.expected) {
    for (const auto& [output_name, output] : outcome.outputs) {
      if (output_name != name) continue;
      const std::size_t common = std::min(expected.bits.size(), output.bits.size());
      if (expected.bits.size() != output.bits.size())
        sentences.push_back({MessageId::HasElements, {name, output.bits.size(), expected.bits.size()}});
      const UndefinedElements* const undefined = find_undefined(outcome.undefined, name);
      const auto is_undefined = [undefined](std::uint64_t k) {
        return undefined != nullptr && std::binary_search(undefined->index.begin(), undefined->index.end(), k);
      };
      std::size_t differ = 0, first = 0;
      for (std::size_t k = common; k-- > 0;)
        if (output.bits[k] != expected.bits[k] && !is_undefined(k)) ++differ, first = k;
      if (differ == 0) continue;
      const std::uint64_t got = output.bits[first], wanted = expected.bits[first];
      Message sentence(MessageId::IsInsteadOf,
                       {name + "[" + std::to_string(first) + "]", element_text(output.type, got, wanted),
                        element_text(expected.type, wanted, got)});
      if (differ > 1) {
        sentence.id = MessageId::FirstThatDiffers;
        sentence.parts.push_back(differ);
      }
      sentences.push_back(std::move(sentence));
    }
  }
  for (const UndefinedElements& undefined : outcome.undefined) {
    const bool is_expected = std::any_of(outcome.expected.begin(), outcome.expected.end(),
                                         [&undefined](const auto& one) { return one.first == undefined.name; });
    if (!is_expected || undefined.index.empty()) continue;
    const std::string first = undefined.name + "[" + std::to_string(undefined.index.front()) + "]";
    sentences.push_back(undefined.index.size() > 1 ? Message(MessageId::FirstUndefined, {first, undefined.index.size()})
                                                   : Message(MessageId::IsUndefined, {first}));
  }
  return sentences;
}

}  // namespace warpsim::tools
