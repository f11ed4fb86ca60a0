// What the stepper shows of the run: values, lanes, masks, the network.
#include <algorithm>
#include <cctype>
#include <set>

#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "tools/debugger/moment_view.h"
#include "tools/debugger/stepper.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"
#include "traces/replay/phase_view.h"
#include "traces/sentence/sentence.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kMostElements = 200;  // that `print` lists, as gdb does
constexpr unsigned kLanesOfGroup = 8;

}  // namespace

// ---- reading what is asked for

// "%r", "%r#4" or "%r[4]"; gdb's "$r", and the bare name.
std::optional<std::int32_t> Stepper::parse_register(std::string_view text, std::optional<unsigned>& lane) {
  const std::string own = in_own_words(text);
  text = own;
  if (text.ends_with(']')) text.remove_suffix(1);
  const std::size_t hash = std::min(text.find_first_of("#@["), text.size());
  const std::string name(text.substr(0, hash));
  const std::int32_t reg = find_register(head(), name);
  if (reg < 0) {
    std::vector<std::string> names;
    for (const TraceRegister& one : head().registers) names.push_back(one.name);
    const std::string near = nearest(name, names);
    if (near.empty())
      refuse("No register \"$1\" in this program. \"info registers\" lists them.",
             "이 프로그램에는 \"$1\" 레지스터가 없습니다. \"info registers\"로 목록을 볼 수 있습니다.", {name});
    else
      refuse("No register \"$1\" in this program. Did you mean \"$2\"?",
             "이 프로그램에는 \"$1\" 레지스터가 없습니다. \"$2\" 레지스터를 찾으셨나요?", {name, near});
    return std::nullopt;
  }
  if (hash == text.size()) return reg;
  const std::optional<std::uint64_t> number = parse_count(text.substr(hash + 1));
  if (!number || *number >= head().lanes) {
    refuse("After # comes a lane, from 0 to $1.", "# 뒤에는 0부터 $1까지의 Lane을 씁니다.",
           {std::to_string(head().lanes - 1)});
    return std::nullopt;
  }
  lane = static_cast<unsigned>(*number);
  return reg;
}

std::optional<Expression> Stepper::parse_expression(std::string_view text) {
  Expression expression(in_own_words(text));
  if (!expression.error().empty()) {
    refuse("This cannot be read: $1.", "\"$2\" 식을 읽을 수 없습니다. 예: %r#4, input[3], any(%r > 10).",
           {expression.error(), shortened(text)});
    return std::nullopt;
  }
  if (!names_are_known(expression) || !can_have_value(expression)) return std::nullopt;
  return expression;
}

TemplateName Stepper::about(std::string_view asked) const {
  for (const TraceRegister& one : head().registers)
    if (one.name == asked) return {one.type, std::nullopt};
  for (const TraceParam& one : head().params)
    if (one.name == asked) return {one.type, one.is_buffer() ? std::optional(one.length) : std::nullopt};
  for (const TraceShared& one : head().shared)
    if (one.name == asked) return {one.type, one.length};
  return {};
}

// A condition that could never hold is refused when it is given: it would not stop anywhere, without a word.
bool Stepper::can_have_value(const Expression& expression) {
  const ExpressionFault fault = expression.fault(head().lanes, [&](std::string_view asked) { return about(asked); });
  const std::string type(name(fault.type)), last = std::to_string(fault.number - 1);
  switch (fault.kind) {
    case ExpressionFault::Kind::None: return true;
    case ExpressionFault::Kind::Float:
      refuse("$1 works on integers only, and this is $2.", "$1 연산은 정수에만 쓸 수 있는데, 이 값은 $2입니다.",
             {fault.what, type});
      break;
    case ExpressionFault::Kind::Pair:
      refuse("A pair of numbers, $2, is printed, and compared by == and != with another pair; $1 does not work on it.",
             "두 수를 묶은 $2 값은 출력하거나 같은 형의 값과 ==, !=로 비교할 수만 있습니다. $1 연산은 쓸 수 없습니다.",
             {fault.what, type});
      break;
    case ExpressionFault::Kind::NotInteger:
      refuse("A lane and an index are integers, and this is $1.", "Lane과 원소 번호는 정수인데, 이 값은 $1입니다.",
             {type});
      break;
    case ExpressionFault::Kind::OfDiagrams:
      refuse("\"$1\" is a word of diagrams: it has no value here.", "\"$1\"{은/는} 그림의 틀에서만 쓰는 말입니다.",
             {fault.what});
      break;
    case ExpressionFault::Kind::Array:
      refuse("$1 is an array: $1[0] is an element of it.", "$1{은/는} 배열입니다. 원소는 $1[0]처럼 씁니다.",
             {fault.what});
      break;
    case ExpressionFault::Kind::NoArray:
      refuse("No array \"$1\" in this program.", "이 프로그램에는 \"$1\" 배열이 없습니다.", {fault.what});
      break;
    case ExpressionFault::Kind::NoElement:
      if (fault.number == 0) refuse("$1 has no elements.", "$1에는 원소가 없습니다.", {fault.what});
      else
        refuse("An element of $1 is a number from 0 to $2.", "$1의 원소 번호는 0부터 $2까지입니다.",
               {fault.what, last});
      break;
    case ExpressionFault::Kind::NoLane:
      refuse("After # comes a lane, from 0 to $1.", "# 뒤에는 0부터 $1까지의 Lane을 씁니다.", {last});
      break;
    case ExpressionFault::Kind::Zero:
      if (fault.what == "/" || fault.what == "%")
        refuse("$1 by 0 has no value.", "0으로는 $1 연산을 할 수 없습니다.", {fault.what});
      else refuse("$1 by less than 0 bits has no value.", "음수 비트만큼은 $1 연산을 할 수 없습니다.", {fault.what});
      break;
  }
  return false;
}

bool Stepper::names_are_known(const Expression& expression) {
  std::vector<std::string> known;
  for (const TraceRegister& one : head().registers) known.push_back(one.name);
  for (const TraceParam& one : head().params) known.push_back(one.name);
  for (const TraceShared& one : head().shared) known.push_back(one.name);
  for (const std::string_view name : expression.names()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest(name, known);
    if (near.empty())
      refuse("No \"$1\" in this program.", "이 프로그램에는 \"$1\" 이름이 없습니다.", {std::string(name)});
    else
      refuse("No \"$1\" in this program. Did you mean \"$2\"?",
             "이 프로그램에는 \"$1\" 이름이 없습니다. \"$2\" 이름을 찾으셨나요?", {std::string(name), near});
    return false;
  }
  return true;
}

// ---- values

std::string Stepper::value_text(const TemplateValue& value) const {
  switch (value.kind) {
    case TemplateValue::Kind::Undefined: return look_.ascii ? "?" : "⟂";
    case TemplateValue::Kind::Missing: return "?";
    default: return display(value, head().lanes);
  }
}

void Stepper::print_values(const std::string& name, const std::vector<TemplateValue>& values, LaneMask lanes,
                           const std::string& remark) {
  std::vector<std::string> texts, items, jsons;
  for (const TemplateValue& value : values) {
    texts.push_back(formatted(value));
    std::string json = "null";
    if (value.kind == TemplateValue::Kind::Bits) {
      json.clear();
      append_json_value(json, value.type, value.bits, head().lanes);
    }
    jsons.push_back(json);
  }
  json_.raw("values", json_list(jsons));
  const auto say_lacks = [&] {
    std::set<TemplateValue::Lack> lacks;
    for (const TemplateValue& value : values)
      if (value.kind == TemplateValue::Kind::Missing && lacks.insert(value.lack).second) say_lack(value.lack);
  };
  const bool same =
      std::all_of(texts.begin(), texts.end(), [&](const std::string& text) { return text == texts.front(); });
  if (same && !texts.empty()) {
    const std::string count = std::to_string(texts.size());
    say(name + " = " + texts.front() +
        (texts.size() > 1 ? text_of("   (all $1 lanes)", "   (Lane $1개 모두)", {count}) : remark));
    return say_lacks();
  }
  std::size_t k = 0;
  for_each_lane(lanes, [&](unsigned lane) { items.push_back("#" + std::to_string(lane) + " " + texts[k++]); });
  say(name);
  say_columns(items);
  say_lacks();
}

// What the ? means.
void Stepper::say_lack(TemplateValue::Lack lack) {
  switch (lack) {
    case TemplateValue::Lack::DividedByZero:
      return report("?: an integer divided by 0 has no value.", "?: 정수를 0으로 나눌 수 없습니다.");
    case TemplateValue::Lack::NegativeShift:
      return report("?: bits are not shifted by less than 0.", "?: 비트를 음수만큼 옮길 수 없습니다.");
    case TemplateValue::Lack::NoLane: return report("?: there is no such lane.", "?: 그런 Lane이 없습니다.");
    case TemplateValue::Lack::NoElement: return report("?: there is no such element.", "?: 그런 원소가 없습니다.");
    case TemplateValue::Lack::None: return report("?: this has no value here.", "?: 여기서는 값이 없습니다.");
  }
}

// A buffer or a shared array of the selected block, as it is now.
std::optional<Stepper::Elements> Stepper::elements_of(std::string_view name) const {
  const auto with_values = [&](TraceMemoryState::Elements&& all) {
    Elements out{std::string(name), {}};
    for (const std::uint64_t bits : all.values.bits) out.values.push_back(TemplateValue::of(all.values.type, bits));
    for (const std::uint64_t index : all.undefined) out.values[index] = TemplateValue::undefined();
    return out;
  };
  for (std::size_t k = 0; k < head().params.size(); ++k)
    if (head().params[k].name == name && head().params[k].is_buffer()) return with_values(history_.memory().buffer(k));
  for (std::size_t k = 0; k < head().shared.size(); ++k)
    if (head().shared[k].name == name) return with_values(history_.memory().shared(block_, k));
  return std::nullopt;
}

void Stepper::print_elements(const Elements& all, std::size_t from, std::size_t to) {
  std::vector<std::string> items;
  bool same = true;
  for (std::size_t k = from; k < to; ++k) {
    const std::string text = formatted(all.values[k]);
    same = same && text == formatted(all.values[from]);
    items.push_back("[" + std::to_string(k) + "] " + text);
  }
  const std::string count = std::to_string(to - from);
  if (same && to - from > 1)
    return say(all.name + " = " + formatted(all.values[from]) +
               text_of("   (all $1 elements)", "   (원소 $1개 모두)", {count}));
  say(all.name);
  say_columns(items);
}

void Stepper::print_pc() {
  const std::optional<std::size_t> next = next_event();
  if (!next) return refuse("This warp comes to no instruction any more.", "이 Warp에는 더 실행할 명령이 없습니다.");
  report("$pc = $1   (line $2)", "$pc = $1   ($2행)",
         {std::to_string(history_.trace().events[*next].pc), lines_.name(next_line())});
}

// "input[8]" of eight elements, "input[-1]": said, not guessed.
bool Stepper::names_no_element(std::string_view text) {
  const std::size_t bracket = text.find('[');
  if (bracket == std::string_view::npos || text.back() != ']') return false;
  const std::string_view index = text.substr(bracket + 1, text.size() - bracket - 2);
  if (index.empty() || index.find_first_not_of("-0123456789") != std::string_view::npos) return false;
  return elements_of(text.substr(0, bracket)) && !read_element(text);
}

void Stepper::print(std::string_view rest) {
  if (!is_format_known()) return;
  if (rest.empty())
    return refuse("print wants a register, an element or an expression: print %r#4.",
                  "print에는 레지스터, 원소나 식을 씁니다: print %r#4.");
  if (rest == "$pc") return print_pc();
  if (rest.front() == '$' && (rest.size() == 1 || std::isalpha(static_cast<unsigned char>(rest[1])) == 0))
    return refuse("There is no history of values: \"$1\". Registers are written %r or $r.",
                  "값의 이력은 없습니다: \"$1\". 레지스터는 %r이나 $r처럼 씁니다.", {std::string(rest)});
  if (sets_something(rest)) return refuse_to_set(rest);
  if (print_coordinates(rest)) return;
  const std::string text = in_own_words(rest);
  if (text.front() == '&') return print_address(text);
  if (print_elements_of(text)) return;
  print_value(text);
}

// An array, an element, or what an expression is worth on each lane.
void Stepper::print_value(const std::string& rest) {
  if (const std::optional<Elements> all = elements_of(rest)) {
    if (all->values.empty()) return report("$1 has no elements.", "$1에는 원소가 없습니다.", {all->name});
    print_elements(*all, 0, std::min(all->values.size(), kMostElements));
    if (all->values.size() > kMostElements)
      report("... $1 elements in all: x/8 $2[200] shows others.",
             "... 원소는 모두 $1개입니다. 나머지는 x/8 $2[200]으로 볼 수 있습니다.",
             {std::to_string(all->values.size()), all->name});
    return;
  }
  if (names_no_element(rest)) return;
  const std::optional<Expression> expression = parse_expression(rest);
  if (!expression) return;
  const LaneMask all = threads(), active = active_lanes();
  const bool is_one = !expression->differs_by_lane();
  LaneMask lanes = is_one ? all & (~all + 1) : all;
  std::string remark;
  if (is_one && expression->is_over_lanes() && active != all)
    remark = text_of("   (of the active $1)", "   (활성 $2)", {lanes_in_words(active), lanes_words(active)});
  if (!is_one && lane()) {
    lanes = lane_bit(*lane());
    remark = text_of("   (lane $1)", "   (Lane $1)", {std::to_string(*lane())});
  }
  const MomentView view(history_, block_, warp_, all);
  std::vector<TemplateValue> values;
  for_each_lane(lanes, [&](unsigned lane) { values.push_back(expression->evaluate({view, lane, active, nullptr})); });
  print_values(rest, values, lanes, remark);
}

// ---- lanes

// As many groups of eight lanes in a line as fit, the mask behind the last.
void Stepper::masks(std::string_view) {
  const WarpPlace* place = history_.warp(block_, warp_);
  const std::optional<std::size_t> last = last_event();
  if (place == nullptr) return refuse("There is no such warp.", "그런 Warp는 없습니다.");
  constexpr std::size_t kNameColumn = 12;
  const unsigned lanes = head().lanes;
  const std::size_t hex_columns = 2 + lane_mask_hex(0, lanes).size();
  const std::size_t room = look_.width > kNameColumn + hex_columns ? look_.width - kNameColumn - hex_columns : 0;
  const unsigned fitting = static_cast<unsigned>(std::max<std::size_t>(1, room / (kLanesOfGroup + 1))) * kLanesOfGroup;
  const unsigned in_line = fitting >= lanes ? lanes : fitting >= 32 ? 32 : fitting;
  const auto row = [&](std::string_view name, std::string_view korean, LaneMask mask) {
    std::string line = fitted(text_of(name, korean), kNameColumn, "");
    for (unsigned lane = 0; lane < lanes; ++lane) {
      if (lane != 0 && lane % in_line == 0) {
        say(line);
        line.assign(kNameColumn, ' ');
      } else if (lane != 0 && lane % kLanesOfGroup == 0) {
        line += ' ';
      }
      line += has_lane(mask, lane) ? '1' : '0';
    }
    say(line + "  " + lane_mask_hex(mask, lanes));
    json_.text(name, lane_mask_hex(mask, lanes));
  };
  if (last) {
    const TraceEvent& event = history_.trace().events[*last];
    row("active", "활성", event.active);
    if (event.group != event.active) row("guard off", "가드로 꺼짐", event.group & ~event.active);
    row("elsewhere", "다른 곳", place->lanes & ~place->exited & ~event.group);
  }
  row("done", "끝남", place->exited);
  if (place->lanes != full_mask(lanes)) row("no thread", "스레드 없음", full_mask(lanes) & ~place->lanes);
}

void Stepper::network(std::string_view) {
  const std::vector<TraceEvent>& events = history_.trace().events;
  std::size_t at = history_.position();
  while (at > 0 && (events[at - 1].block != block_ || events[at - 1].warp != warp_ || !events[at - 1].exchange)) --at;
  if (at == 0) return report("This warp has not shuffled yet.", "이 Warp는 아직 셔플을 하지 않았습니다.");
  const TraceEvent& event = events[at - 1];
  const TraceExchange& exchange = *event.exchange;
  const std::string cycle = event.cycle ? text_of("Cycle $1: ", "사이클 $1: ", {std::to_string(*event.cycle)}) : "";
  say(cycle + call_text(head(), event));
  std::vector<std::string> items, from;
  for_each_lane(exchange.lanes, [&](unsigned lane) {
    const unsigned source = exchange.from[lane_place(exchange.lanes, lane)];
    from.push_back(std::to_string(source));
    std::string held = "?";
    if (!event.writes.empty() && has_lane(event.writes.front().lanes, lane)) {
      const TraceWrite& write = event.writes.front();
      const Type type = head().registers[static_cast<std::size_t>(write.reg)].type;
      held = value_text(has_lane(write.undefined, lane)
                            ? TemplateValue::undefined()
                            : TemplateValue::of(type, write.bits[lane_place(write.lanes, lane)]));
    }
    const std::string to = std::to_string(lane);
    if (!has_lane(exchange.in_range, lane)) items.push_back(to + text_of(" keeps ", " 유지: ") + held);
    else if (has_lane(exchange.undefined, lane)) items.push_back(std::to_string(source) + " -x " + to + ": " + held);
    else items.push_back(std::to_string(source) + " " + arrow() + " " + to + ": " + held);
  });
  json_.raw("from", json_list(from)).text("lanes", lane_mask_hex(exchange.lanes, head().lanes));
  say_columns(items);
}

}  // namespace warpsim::tools
