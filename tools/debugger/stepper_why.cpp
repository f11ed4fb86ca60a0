// Where a value came from, and what an instruction is.
#include <algorithm>

#include "tools/debugger/stepper.h"
#include "traces/replay/phase_view.h"
#include "traces/replay/state.h"
#include "traces/sentence/sentence.h"

namespace warpsim::tools {
namespace {

constexpr int kWhyDepth = 40;

}  // namespace

void Stepper::why_lines(const FlowValue& value, int depth, std::vector<FlowValue>& shown) {
  const TraceEvent& event = history_.trace().events[value.event];
  const std::size_t indent = 2 * static_cast<std::size_t>(std::min(depth, 20));
  std::string held = "?";
  std::string name = text_of("memory", "메모리");
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
  const std::string when = event.cycle ? text_of("cycle $1, ", "사이클 $1, ", {std::to_string(*event.cycle)})
                                       : text_of("event $1, ", "이벤트 $1, ", {std::to_string(value.event)});
  const bool known = std::find(shown.begin(), shown.end(), value) != shown.end();
  const std::string above = known ? text_of("  (above)", "  (위에 있음)") : "";
  say(name + " = " + held + "   " + when + call_text(head(), event) + above, 4, indent);
  if (known) return;
  shown.push_back(value);
  if (depth >= kWhyDepth) return say("…", 0, indent + 2);
  const std::vector<FlowSource> sources = flow_->sources(value);
  for (const FlowSource& source : sources) {
    if (source.kind == FlowSource::Kind::Value) {
      why_lines(source.value, depth + 1, shown);
    } else if (source.kind == FlowSource::Kind::Input) {
      const TraceParam& param = head().params[static_cast<std::size_t>(source.input.param)];
      say(text_of("$1[$2], an input", "$1[$2], 입력", {param.name, std::to_string(source.input.index)}), 4, indent + 2);
    } else if (source.kind == FlowSource::Kind::Before) {
      const TraceWrite* const write =
          source.reg < 0 ? nullptr : found_at_start(head(), event.block, event.warp, source.reg, source.lane);
      if (write == nullptr) {
        say(text_of("from before the window", "창이 시작하기 전의 값"), 4, indent + 2);
        continue;
      }
      const TraceRegister& reg = head().registers[static_cast<std::size_t>(source.reg)];
      const TemplateValue was = TemplateValue::of(reg.type, write->bits[lane_place(write->lanes, source.lane)]);
      say(text_of("$1 = $2, from before the window", "$1 = $2, 창이 시작하기 전의 값",
                  {reg.name + "#" + std::to_string(source.lane), value_text(was)}),
          4, indent + 2);
    } else if (source.reg >= 0) {
      const std::string& reg = head().registers[static_cast<std::size_t>(source.reg)].name;
      say(text_of("undefined: $1 was never written, or takes no part",
                  "정의되지 않음: $1에 쓴 적이 없거나 참여하지 않는 Lane입니다",
                  {reg + "#" + std::to_string(source.lane)}),
          4, indent + 2);
    } else {
      say(text_of("undefined: nobody has stored there", "정의되지 않음: 아무도 저장하지 않았습니다"), 4, indent + 2);
    }
  }
}

void Stepper::why(std::string_view rest) {
  if (rest.empty())
    return refuse("why wants a register of a lane or an element: why %r#4, why output[3].",
                  "why에는 한 Lane의 레지스터나 원소를 씁니다: why %r#4, why output[3].");
  if (rest.back() == ']' && in_own_words(rest).front() != '%') return why_element(rest);
  std::optional<unsigned> lane;
  const std::optional<std::int32_t> reg = parse_register(rest, lane);
  if (!reg) return;
  if (!lane) lane = this->lane();
  if (!lane) return refuse("why wants a lane: why $1#0.", "why에는 Lane도 씁니다: why $1#0.", {std::string(rest)});
  if (!flow_) flow_.emplace(history_.trace());
  const std::optional<FlowValue> value = flow_->definition(history_.position(), block_, warp_, *reg, *lane);
  const TemplateValue held = history_.value(block_, warp_, *reg, *lane);
  if (!value && held.kind == TemplateValue::Kind::Bits)
    return report("$1 = $2, from before the window.", "$1 = $2, 창이 시작하기 전의 값입니다.",
                  {std::string(rest), value_text(held)});
  if (!value)
    return report("$1 has not been written yet: it is undefined.", "$1: 아직 쓴 적이 없어 정의되지 않았습니다.",
                  {std::string(rest)});
  why_value(*value);
}

// The last store to an element so far.
std::optional<FlowValue> Stepper::stored(const Element& element) const {
  for (std::size_t n = history_.position(); n-- > 0;) {
    const TraceEvent& event = history_.trace().events[n];
    if (!event.memory || !event.memory->writes()) continue;
    if (event.memory->is_shared() && event.block != block_) continue;
    std::optional<FlowValue> found;
    std::size_t place = 0;
    for_each_lane(event.memory->lanes, [&](unsigned lane) {
      const std::int64_t offset = element.index - event.memory->index[place];
      const bool is_it = event.memory->object[place] >= 0 && offset >= 0 && offset < event.memory->elements &&
                         object_name(head(), *event.memory, place) == element.array;
      if (is_it) found = FlowValue{n, lane, -1, static_cast<unsigned>(offset)};
      ++place;
    });
    if (found) return found;
  }
  return std::nullopt;
}

void Stepper::why_element(std::string_view text) {
  const std::optional<Element> element = read_element(text);
  if (!element) return;
  if (!flow_) flow_.emplace(history_.trace());
  if (const std::optional<FlowValue> value = stored(*element)) return why_value(*value);
  report("Nothing has stored to $1 so far: it is as it was at the start.",
         "$1에 아직 저장한 적이 없습니다. 시작할 때의 값입니다.", {std::string(text)});
}

void Stepper::why_value(const FlowValue& value) {
  std::vector<FlowValue> shown;
  why_lines(value, 0, shown);
  const std::vector<InputElement> inputs = flow_->contributions(value);
  if (inputs.empty())
    report("No input reached it: it was computed from constants and lane numbers.",
           "어떤 입력에서도 오지 않았습니다. 상수와 Lane 번호로 계산한 값입니다.");
  else report("Inputs that reached it: $1", "이 값에 닿은 입력: $1", {element_ranges(head(), inputs)});
  std::vector<std::string> slice, elements;
  for (const FlowValue& one : flow_->slice(value)) {
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
  if (!shown) return refuse("This warp has no instruction.", "이 Warp에는 명령이 없습니다.");
  const TraceEvent& event = history_.trace().events[*shown];
  const TraceInsn& insn = head().code[static_cast<std::size_t>(event.pc)];
  if (last) say(sentence(head(), event, look_.language));
  say_next(insn);
  say("\t" + insn.op + ": " + insn.doc);
  const InsnFlow flow = flow_of(head(), event.pc);
  const auto all_of = [&](std::string_view english, std::string_view korean, const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    if (!all.empty()) say("\t" + text_of(english, korean, {all}));
  };
  all_of("reads $1", "읽음: $1", flow.value);
  all_of("reads on other lanes $1", "다른 Lane에서 읽음: $1", flow.exchanged);
  all_of("is directed by $1", "주소나 Lane을 정함: $1", flow.address);
  all_of("writes $1", "씀: $1", flow.writes);
  if (flow.guard.empty()) return;
  if (flow.negated) say("\t" + text_of("only where $1 is false", "$1{이/가} 거짓인 Lane에서만", {flow.guard}));
  else say("\t" + text_of("only where $1 is true", "$1{이/가} 참인 Lane에서만", {flow.guard}));
}

}  // namespace warpsim::tools
