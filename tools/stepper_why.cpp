// Where a value came from, and what an instruction is.
#include <algorithm>

#include "tools/stepper.h"
#include "traces/sentence.h"
#include "traces/text_renderer_state.h"

namespace warpsim::tools {
namespace {

constexpr int kWhyDepth = 40;

}  // namespace

void Stepper::why_lines(const FlowValue& value, int depth, std::vector<FlowValue>& told) {
  const TraceEvent& event = history_.trace().events[value.event];
  const std::string indent(2 * static_cast<std::size_t>(std::min(depth, 20)), ' ');
  std::string held = "?";
  std::string name = "memory";
  for (const TraceWrite& write : event.writes) {
    if (write.reg != value.reg || !has_lane(write.lanes, value.lane)) continue;
    const TraceRegister& reg = head().registers[static_cast<std::size_t>(write.reg)];
    held = has_lane(write.undefined, value.lane)
               ? value_text(TemplateValue::undefined())
               : value_text(TemplateValue::of(reg.type, write.bits[lane_place(write.lanes, value.lane)]));
    name = reg.name + "#" + std::to_string(value.lane);
  }
  if (value.reg < 0) {
    const TraceMemory& memory = *event.memory;
    const std::size_t place = lane_place(memory.lanes, value.lane);
    name = std::string(object_name(head(), memory, place)) + "[" + std::to_string(memory.index[place] + value.element) +
           "]";
    held = value_text(TemplateValue::of(memory.type, memory.left(place * memory.elements + value.element)));
  }
  const std::string when =
      event.cycle ? "cycle " + std::to_string(*event.cycle) : "event " + std::to_string(value.event);
  const bool known = std::find(told.begin(), told.end(), value) != told.end();
  say(indent + name + " = " + held + "   " + when + ", " + call_text(head(), event) + (known ? "  (above)" : ""));
  if (known) return;
  told.push_back(value);
  if (depth >= kWhyDepth) return say(indent + "  …");
  const std::vector<FlowSource> sources = flow_->sources(value);
  for (const FlowSource& source : sources) {
    if (source.kind == FlowSource::Kind::Value) {
      why_lines(source.value, depth + 1, told);
    } else if (source.kind == FlowSource::Kind::Input) {
      const TraceParam& param = head().params[static_cast<std::size_t>(source.input.param)];
      say(indent + "  " + param.name + "[" + std::to_string(source.input.index) + "], an input");
    } else {
      say(indent + "  undefined: " +
          (source.reg >= 0 ? head().registers[static_cast<std::size_t>(source.reg)].name + "#" +
                                 std::to_string(source.lane) + " was never written, or takes no part"
                           : "nobody has stored there"));
    }
  }
}

void Stepper::why(std::string_view rest) {
  std::optional<unsigned> lane;
  const std::optional<std::int32_t> reg = parse_register(rest, lane);
  if (!reg) return;
  if (!lane) return fail("why wants a lane: why " + std::string(rest) + "#0.");
  if (!flow_) flow_.emplace(history_.trace());
  const std::optional<FlowValue> value = flow_->definition(history_.position(), block_, warp_, *reg, *lane);
  if (!value) return say(std::string(rest) + " has not been written yet: it is undefined.");
  std::vector<FlowValue> told;
  why_lines(*value, 0, told);
  const std::vector<InputElement> inputs = flow_->contributions(*value);
  if (inputs.empty()) say("No input reached it: it was computed from constants and lane numbers.");
  else say("Inputs that reached it: " + element_ranges(head(), inputs));
  std::vector<std::string> slice, elements;
  for (const FlowValue& one : flow_->slice(*value)) {
    const std::string name = one.reg < 0 ? "" : head().registers[static_cast<std::size_t>(one.reg)].name;
    slice.push_back(JsonObject().number("event", one.event).number("lane", one.lane).text("reg", name).str());
  }
  for (const InputElement& one : inputs)
    elements.push_back(JsonObject()
                           .text("buffer", head().params[static_cast<std::size_t>(one.param)].name)
                           .number("index", static_cast<std::uint64_t>(one.index))
                           .str());
  json_.raw("slice", json_list(slice)).raw("contributions", json_list(elements));
}

void Stepper::explain(std::string_view) {
  const std::optional<std::size_t> last = last_event();
  const std::optional<std::size_t> shown = last ? last : next_event();
  if (!shown) return fail("This warp has no instruction.");
  const TraceEvent& event = history_.trace().events[*shown];
  const TraceInsn& insn = head().code[static_cast<std::size_t>(event.pc)];
  if (last) say(sentence(head(), event, look_.language));
  say(std::to_string(insn.line) + "\t" + insn.text);
  say("\t" + insn.op + ": " + insn.doc);
  const InsnFlow flow = flow_of(head(), event.pc);
  const auto tell = [&](std::string_view word, const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    if (!all.empty()) say("\t" + std::string(word) + " " + all);
  };
  tell("reads", flow.value);
  tell("reads on other lanes", flow.exchanged);
  tell("is directed by", flow.address);
  tell("writes", flow.writes);
  if (!flow.guard.empty()) say("\tonly where " + flow.guard + (flow.negated ? " is false" : " is true"));
}

}  // namespace warpsim::tools
