// See trap_text.h.
#include "tools/report/trap_text.h"

#include <algorithm>
#include <optional>

#include "isa/assembly/disassembler.h"
#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "sim/event/lane_mask.h"
#include "tools/support/json_object.h"
#include "traces/text/fault_drawing.h"
#include "traces/text/text_renderer.h"

namespace warpsim::tools {

namespace {

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

std::string place_json(const Program& program, unsigned lanes, const TracePlace& place) {
  JsonObject json;
  json.number("block", place.block).number("warp", place.warp);
  json.text("lanes", lane_mask_hex(place.lanes, lanes));
  json.raw("pc", place.pc < 0 ? "null" : std::to_string(place.pc));
  json.text("at", instruction_at(program, place.pc));
  if (!place.waits_for.empty()) json.text("waits_for", said_of(program, place.waits_for));
  return json.str();
}

std::string step_json(const Program& program, unsigned lanes, const TraceStep& step) {
  JsonObject json;
  json.number("cycle", step.cycle).number("block", step.block).number("warp", step.warp);
  json.text("lanes", lane_mask_hex(step.lanes, lanes));
  json.raw("pc", step.pc < 0 ? "null" : std::to_string(step.pc));
  return json.text("at", instruction_at(program, step.pc)).text("text", said_of(program, step.text)).str();
}

// An element's value, and its bits where the value alone does not distinguish the two (two NaNs).
std::string element_text(Type type, std::uint64_t bits, std::uint64_t other) {
  const std::string text = element_value(type, bits);
  if (text != element_value(type, other)) return text;
  return text + " (" + hexadecimal_text(bits) + ")";
}

}  // namespace

std::string fault_to_json(const Program& program, unsigned lanes, const TraceFinding& fault) {
  JsonObject json;
  json.text("severity", name(severity_of(fault))).text("code", fault.code.word.empty() ? fault.kind : fault.code.word);
  json.text("kind", fault.kind).text("message", said_of(program, fault.message));
  if (!fault.hint.empty()) json.text("hint", said_of(program, fault.hint));
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
