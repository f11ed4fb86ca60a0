// What the stepper shows: values, lanes, masks, the network, the program.
#include <algorithm>
#include <charconv>
#include <map>

#include "isa/diagnostic.h"
#include "isa/number_text.h"
#include "tools/moment_view.h"
#include "tools/stepper.h"
#include "tools/words.h"
#include "traces/sentence.h"
#include "traces/text_renderer.h"
#include "traces/text_renderer_state.h"

namespace warpsim::tools {
namespace {

constexpr std::uint32_t kListLines = 10;

std::string lanes_words(LaneMask lanes) { return (count_lanes(lanes) == 1 ? "lane " : "lanes ") + lane_ranges(lanes); }

// Items side by side in columns, as many as fit.
void add_columns(std::string& out, const std::vector<std::string>& items, std::size_t width) {
  std::size_t widest = 1;
  for (const std::string& item : items) widest = std::max(widest, text_width(item) + 2);
  const std::size_t columns = std::max<std::size_t>(1, (width - 2) / widest);
  for (std::size_t k = 0; k < items.size(); ++k) {
    if (k % columns == 0) out += k == 0 ? "  " : "\n  ";
    out += items[k];
    if (k % columns + 1 < columns && k + 1 < items.size()) out.append(widest - text_width(items[k]), ' ');
  }
  if (!items.empty()) out += '\n';
}

}  // namespace

std::string Stepper::value_text(const TemplateValue& value) const {
  switch (value.kind) {
    case TemplateValue::Kind::Undefined: return look_.ascii ? "?" : "⟂";
    case TemplateValue::Kind::Missing: return "?";
    default: return display(value, head().lanes);
  }
}

// "%r" or "%r#4".
std::optional<std::int32_t> Stepper::parse_register(std::string_view text, std::optional<unsigned>& lane) {
  const std::size_t hash = std::min(text.find_first_of("#@"), text.size());
  const std::string name(text.substr(0, hash));
  const std::int32_t reg = find_register(head(), name);
  if (reg < 0) {
    std::vector<std::string> names;
    for (const TraceRegister& one : head().registers) names.push_back(one.name);
    const std::string near = nearest(name, names);
    fail("No register \"" + name + "\" in this program." +
         (near.empty() ? " \"info registers\" lists them." : " Did you mean \"" + near + "\"?"));
    return std::nullopt;
  }
  if (hash == text.size()) return reg;
  unsigned number = 0;
  const std::from_chars_result read = std::from_chars(text.data() + hash + 1, text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || number >= head().lanes) {
    fail("After # comes a lane, from 0 to " + std::to_string(head().lanes - 1) + ".");
    return std::nullopt;
  }
  lane = number;
  return reg;
}

// `%r#4` is the template language's `%r@4`.
std::optional<Expression> Stepper::parse_expression(std::string_view text) {
  std::string spelled(text);
  for (std::size_t k = spelled.find('#'); k != std::string::npos; k = spelled.find('#', k + 1)) {
    spelled[k] = '@';
    unsigned lane = 0;
    const std::from_chars_result read = std::from_chars(spelled.data() + k + 1, spelled.data() + spelled.size(), lane);
    if (read.ec == std::errc() && lane < head().lanes) continue;
    fail("After # comes a lane, from 0 to " + std::to_string(head().lanes - 1) + ".");
    return std::nullopt;
  }
  Expression expression(spelled);
  if (!expression.error().empty()) {
    fail(expression.error());
    return std::nullopt;
  }
  if (!names_are_known(expression)) return std::nullopt;
  return expression;
}

bool Stepper::names_are_known(const Expression& expression) {
  std::vector<std::string> known;
  for (const TraceRegister& one : head().registers) known.push_back(one.name);
  for (const TraceParam& one : head().params) known.push_back(one.name);
  for (const TraceShared& one : head().shared) known.push_back(one.name);
  for (const std::string_view name : expression.names()) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string near = nearest(name, known);
    fail("No \"" + std::string(name) + "\" in this program." + (near.empty() ? "" : " Did you mean \"" + near + "\"?"));
    return false;
  }
  return true;
}

void Stepper::print_values(const std::string& name, const std::vector<TemplateValue>& values, LaneMask lanes) {
  std::vector<std::string> texts, items, jsons;
  for (const TemplateValue& value : values) {
    texts.push_back(value_text(value));
    std::string json = "null";
    if (value.kind == TemplateValue::Kind::Bits) {
      json.clear();
      append_json_value(json, value.type, value.bits, head().lanes);
    }
    jsons.push_back(json);
  }
  json_.raw("values", json_list(jsons));
  const bool same =
      std::all_of(texts.begin(), texts.end(), [&](const std::string& text) { return text == texts.front(); });
  if (same && !texts.empty()) {
    const std::string everywhere = texts.size() > 1 ? "   (all " + counted(texts.size(), "lane") + ")" : "";
    return say(name + " = " + texts.front() + everywhere);
  }
  std::size_t k = 0;
  for_each_lane(lanes, [&](unsigned lane) { items.push_back("#" + std::to_string(lane) + " " + texts[k++]); });
  say(name);
  add_columns(answer_.text, items, look_.width);
}

void Stepper::print(std::string_view rest) {
  if (rest.empty()) return fail("print wants a register, an element or an expression: print %r#4.");
  for (std::size_t k = 0; k < head().params.size(); ++k) {  // a whole buffer
    if (head().params[k].name != rest || head().params[k].kind == "param") continue;
    const TraceMemoryState::Elements all = history_.memory().buffer(k);
    return say(std::string(rest) + " = " + array_text(all.values, nullptr));
  }
  const std::optional<Expression> expression = parse_expression(rest);
  if (!expression) return;
  const LaneMask lanes = threads();
  const MomentView view(history_, block_, warp_, lanes);
  std::vector<TemplateValue> values;
  for_each_lane(lanes, [&](unsigned lane) { values.push_back(expression->evaluate({view, lane, lanes, nullptr})); });
  const bool one_value = rest.find('%') == std::string_view::npos ||
                         rest.find_first_of("#@") != std::string_view::npos || rest.starts_with("all(") ||
                         rest.starts_with("any(") || rest.starts_with("count(");
  const auto same = [&](const TemplateValue& v) {
    return v.kind == values.front().kind && v.bits == values.front().bits;
  };
  if (one_value && std::all_of(values.begin(), values.end(), same)) values.resize(1);
  print_values(std::string(rest), values, lanes);
}

void Stepper::lanes(std::string_view) {
  const WarpPlace* place = history_.warp(block_, warp_);
  if (place == nullptr) return fail("There is no such warp.");
  std::map<std::int32_t, LaneMask> standing;
  for_each_lane(place->lanes & ~place->exited, [&](unsigned lane) { standing[place->pc[lane]] |= lane_bit(lane); });
  for (const auto& [pc, lanes] : standing) {
    const TraceInsn* insn = find_insn(head(), pc);
    if (insn != nullptr) say(padded(lanes_words(lanes), 16) + "line " + std::to_string(insn->line) + ": " + insn->text);
    else say(padded(lanes_words(lanes), 16) + "behind the program's end");
  }
  if (place->exited != 0) say(padded(lanes_words(place->exited), 16) + "done");
}

void Stepper::masks(std::string_view) {
  const WarpPlace* place = history_.warp(block_, warp_);
  const std::optional<std::size_t> last = last_event();
  if (place == nullptr) return fail("There is no such warp.");
  const auto row = [&](std::string_view name, LaneMask mask) {
    std::string bits;
    for (unsigned lane = 0; lane < head().lanes; ++lane) {
      if (lane != 0 && lane % 8 == 0) bits += ' ';
      bits += has_lane(mask, lane) ? '1' : '0';
    }
    say(padded(std::string(name), 10) + bits + "  " + lane_mask_hex(mask, head().lanes));
    json_.text(name, lane_mask_hex(mask, head().lanes));
  };
  say("          lane 0 comes first");
  if (last) {
    const TraceEvent& event = history_.trace().events[*last];
    row("active", event.active);
    if (event.group != event.active) row("guard off", event.group & ~event.active);
    row("elsewhere", place->lanes & ~place->exited & ~event.group);
  }
  row("done", place->exited);
  if (place->lanes != full_mask(head().lanes)) row("no thread", full_mask(head().lanes) & ~place->lanes);
}

void Stepper::network(std::string_view) {
  std::optional<std::size_t> at = last_event();
  const std::vector<TraceEvent>& events = history_.trace().events;
  for (std::size_t n = at ? *at + 1 : 0; n-- > 0;) {
    at = n;
    if (events[n].block == block_ && events[n].warp == warp_ && events[n].exchange) break;
    at.reset();
  }
  if (!at) return fail("This warp has not shuffled yet.");
  const TraceEvent& event = events[*at];
  const TraceExchange& exchange = *event.exchange;
  say((event.cycle ? "Cycle " + std::to_string(*event.cycle) + ": " : "") + call_text(head(), event));
  std::vector<std::string> items, from;
  for_each_lane(exchange.lanes, [&](unsigned lane) {
    const unsigned source = exchange.from[lane_place(exchange.lanes, lane)];
    from.push_back(std::to_string(source));
    std::string held = "?";
    for (const TraceWrite& write : event.writes) {
      if (!has_lane(write.lanes, lane) || &write != &event.writes.front()) continue;
      const TraceRegister& reg = head().registers[static_cast<std::size_t>(write.reg)];
      held = value_text(has_lane(write.undefined, lane)
                            ? TemplateValue::undefined()
                            : TemplateValue::of(reg.type, write.bits[lane_place(write.lanes, lane)]));
    }
    const std::string to = std::to_string(lane);
    if (!has_lane(exchange.in_range, lane)) items.push_back(to + " keeps " + held);
    else if (has_lane(exchange.undefined, lane)) items.push_back(std::to_string(source) + " -x " + to + ": " + held);
    else items.push_back(std::to_string(source) + " " + arrow() + " " + to + ": " + held);
  });
  json_.raw("from", json_list(from)).text("lanes", lane_mask_hex(exchange.lanes, head().lanes));
  add_columns(answer_.text, items, look_.width);
}

void Stepper::list(std::string_view rest) {
  std::vector<std::string_view> lines;
  for (std::string_view text = head().text; !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::uint32_t around = next_line() != 0 ? next_line() : 1, from = list_from_;
  if (!rest.empty()) {
    const std::from_chars_result read = std::from_chars(rest.data(), rest.data() + rest.size(), around);
    if (read.ec != std::errc() || around == 0) return fail("list wants a line's number.");
    from = 0;
  }
  if (from == 0) from = around > kListLines / 2 ? around - kListLines / 2 : 1;
  if (from > lines.size()) return fail("The program ends at line " + std::to_string(lines.size()) + ".");
  std::uint32_t line = from;
  for (; line < from + kListLines && line <= lines.size(); ++line) {
    const bool stops =
        std::any_of(breakpoints_.begin(), breakpoints_.end(), [&](const Breakpoint& one) { return one.line == line; });
    say((line == next_line() ? "=>"
         : stops             ? " b"
                             : "  ") +
        right_aligned(std::to_string(line), 4) + "  " + std::string(lines[line - 1]));
  }
  list_from_ = line;
}

void Stepper::phases(std::string_view) {
  const std::vector<TraceEvent>& events = history_.trace().events;
  for (std::size_t n = 0; n < events.size(); ++n) {
    const TraceEvent& event = events[n];
    if (!event.phase || event.block != block_ || event.warp != warp_ || event.phase->title.empty()) continue;
    const std::string when = event.cycle ? std::to_string(*event.cycle) : std::to_string(n);
    say((n < history_.position() ? "* " : "  ") + right_aligned(when, 6) + "  " + event.phase->title);
  }
  if (answer_.text.empty()) say("This program has no phases.");
}

void Stepper::info_registers() {
  const LaneMask lanes = threads();
  std::vector<std::string> names;
  for (std::size_t reg = 0; reg < head().registers.size(); ++reg) {
    std::vector<std::string> texts;
    for_each_lane(lanes, [&](unsigned lane) {
      texts.push_back(value_text(history_.value(block_, warp_, static_cast<std::int32_t>(reg), lane)));
    });
    const bool same = std::all_of(texts.begin(), texts.end(), [&](const std::string& t) { return t == texts.front(); });
    std::string line = padded(head().registers[reg].name, 14) + " ";
    if (same && !texts.empty()) line += texts.front();
    else
      for (std::size_t k = 0; k < texts.size(); ++k) {
        if (text_width(line) + text_width(texts[k]) + 6 > look_.width) {
          line += ", …";
          break;
        }
        line += (k == 0 ? "" : ", ") + texts[k];
      }
    say(line);
  }
}

void Stepper::info_breakpoints() {
  if (breakpoints_.empty()) return say("No breakpoints or watchpoints.");
  for (const Breakpoint& one : breakpoints_) say(breakpoint_text(one));
}

void Stepper::info(std::string_view rest) {
  const auto means = [&](std::string_view word) { return !rest.empty() && word.substr(0, rest.size()) == rest; };
  if (means("registers")) return info_registers();
  if (means("breakpoints") || means("watchpoints")) return info_breakpoints();
  if (means("warps") || means("threads")) {
    for (const auto& [key, place] : history_.warps()) {
      const bool selected = key.first == block_ && key.second == warp_;
      say((selected ? "* " : "  ") + std::string("block ") + std::to_string(key.first) + ", warp " +
          std::to_string(key.second) + ": " + counted(place.events, "instruction") +
          ", done: " + lane_ranges(place.exited));
    }
    return;
  }
  if (means("line")) return say_place(false);
  fail("info wants one of registers, breakpoints, warps, line.");
}

}  // namespace warpsim::tools
