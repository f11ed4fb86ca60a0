// What the stepper lists: the program, its phases, registers, breakpoints, warps.
#include <algorithm>

#include "isa/number_text.h"
#include "tools/screen.h"
#include "tools/stepper.h"
#include "tools/stepper_words.h"
#include "tools/words.h"

namespace warpsim::tools {
namespace {

constexpr std::uint32_t kListLines = 10;
constexpr std::size_t kNumberColumn = 8, kNameColumn = 15;

}  // namespace

// "", "-", "30", "30,35", "30," or ",35".
void Stepper::list(std::string_view rest) {
  const std::vector<std::string_view> lines = lines_of(head().text);
  const std::uint64_t count = lines.size();
  std::uint64_t from = list_from_, to = 0;
  const auto around = [](std::uint64_t line) { return line > kListLines / 2 ? line - kListLines / 2 : 1; };
  if (rest == "-") {
    const std::uint64_t shown = listed_from_ != 0 ? listed_from_ : around(std::max(next_line(), 1U));
    if (shown <= 1) return refuse("The program begins at line 1.", "프로그램은 1행에서 시작합니다.");
    to = shown - 1;
    from = to >= kListLines ? to - kListLines + 1 : 1;
  } else if (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view first = trimmed(rest.substr(0, comma)),
                           second = comma < rest.size() ? trimmed(rest.substr(comma + 1)) : "";
    const std::optional<std::uint64_t> one = parse_count(first), other = parse_count(second);
    const bool is_read =
        (first.empty() || (one && *one > 0)) && (second.empty() || (other && *other > 0)) && (one || other);
    if (!is_read || (one && other && *one > *other))
      return refuse("list wants a line's number, or two: list 30, list 30,35.",
                    "list에는 줄 번호 하나나 둘을 씁니다: list 30, list 30,35.");
    if (comma == rest.size()) from = around(*one);
    else if (one) from = *one;
    else from = *other >= kListLines ? *other - kListLines + 1 : 1;
    if (other) to = *other;
  }
  if (from == 0) from = around(std::max(next_line(), 1U));
  if (from > count)
    return refuse("The program ends at line $1.", "프로그램은 $1행에서 끝납니다.", {std::to_string(count)});
  to = std::min(to != 0 ? to : from + kListLines - 1, count);
  for (std::uint64_t line = from; line <= to; ++line) {
    const bool stops = breakpoint_at(static_cast<std::uint32_t>(line)).has_value();
    const std::string mark = line == next_line() ? "=>" : stops ? " b" : "  ";
    say(mark + right_aligned(std::to_string(line), 4) + "  " + std::string(lines[line - 1]), kNumberColumn);
  }
  listed_from_ = static_cast<std::uint32_t>(from);
  list_from_ = static_cast<std::uint32_t>(to + 1);
}

void Stepper::phases(std::string_view) {
  const std::vector<TraceEvent>& events = history_.trace().events;
  for (std::size_t n = 0; n < events.size(); ++n) {
    const TraceEvent& event = events[n];
    if (!event.phase || event.block != block_ || event.warp != warp_ || event.phase->title.empty()) continue;
    const std::string when = event.cycle ? std::to_string(*event.cycle) : std::to_string(n);
    say((n < history_.position() ? "* " : "  ") + right_aligned(when, 6) + "  " + phase_title(n), kNumberColumn + 2);
  }
  if (answer_.text.empty()) tell("This program has no phases.", "이 프로그램에는 단계가 없습니다.");
}

void Stepper::info_registers(std::string_view only) {
  std::optional<unsigned> one_lane;
  const std::optional<std::int32_t> one = only.empty() ? std::nullopt : parse_register(only, one_lane);
  if (!only.empty() && !one) return;
  for (std::size_t reg = 0; reg < head().registers.size(); ++reg) {
    if (one && reg != static_cast<std::size_t>(*one)) continue;
    std::vector<std::string> texts;
    for_each_lane(threads(), [&](unsigned lane) {
      if (!one_lane || lane == *one_lane)
        texts.push_back(value_text(history_.value(block_, warp_, static_cast<std::int32_t>(reg), lane)));
    });
    const bool same = std::all_of(texts.begin(), texts.end(), [&](const std::string& t) { return t == texts.front(); });
    const std::string& name = head().registers[reg].name;
    std::string line = fitted(name, std::max(kNameColumn, columns_of(name) + 1), "");
    if (same && !texts.empty()) texts.resize(1);
    for (std::size_t k = 0; k < texts.size(); ++k) {
      if (!one && columns_of(line) + columns_of(texts[k]) + 6 > look_.width) {
        line += ", …";
        break;
      }
      line += (k == 0 ? "" : ", ") + texts[k];
    }
    say(line, kNameColumn);
  }
}

void Stepper::info_stops() {
  if (stops_.empty()) return tell("No breakpoints or watchpoints.", "중단점이나 감시점이 없습니다.");
  for (const Stop& one : stops_) {
    std::string text = stop_text(one);
    if (!one.enabled) text += text_of(", disabled", ", 꺼짐");
    if (one.passes > 0) text += text_of(", passed over $1 times", ", $1번 지나침", {std::to_string(one.passes)});
    say(text);
  }
}

void Stepper::info_displays() {
  if (displays_.empty()) return tell("Nothing is displayed.", "자동으로 출력하는 것이 없습니다.");
  for (const Shown& one : displays_)
    say(std::to_string(one.number) + ": " + (one.format.empty() ? "" : "/" + one.format + " ") + one.text);
}

void Stepper::info_warps() {
  for (const auto& [key, place] : history_.warps()) {
    const bool selected = key.first == block_ && key.second == warp_;
    say((selected ? "* " : "  ") +
        text_of("block $1, warp $2: $3, done: $4", "블록 $1, Warp $2: 명령 $5개, 끝남: $6",
                {std::to_string(key.first), std::to_string(key.second), counted(place.events, "instruction"),
                 lane_ranges(place.exited), std::to_string(place.events), lanes_words(place.exited)}));
  }
}

void Stepper::select_warp(std::string_view rest) {
  const std::optional<std::uint64_t> number = parse_count(rest);
  if (!number || history_.warp(block_, static_cast<std::uint32_t>(*number)) == nullptr)
    return refuse("There is no warp \"$1\" in block $2; \"info warps\" lists them.",
                  "블록 $2에는 \"$1\"번 Warp가 없습니다. \"info warps\"로 목록을 볼 수 있습니다.",
                  {std::string(rest), std::to_string(block_)});
  warp_ = static_cast<std::uint32_t>(*number);
  say_place(true);
}

void Stepper::select_block(std::string_view rest) {
  const std::optional<std::uint64_t> number = parse_count(rest);
  if (!number || history_.warp(static_cast<std::uint32_t>(*number), 0) == nullptr)
    return refuse("There is no block \"$1\"; \"info warps\" lists them.",
                  "\"$1\"번 블록이 없습니다. \"info warps\"로 목록을 볼 수 있습니다.", {std::string(rest)});
  block_ = static_cast<std::uint32_t>(*number);
  warp_ = 0;
  say_place(true);
}

void Stepper::info(std::string_view rest) {
  const std::string_view subject = take_word(rest);
  const auto means = [&](std::string_view word) {
    return !subject.empty() && word.substr(0, subject.size()) == subject;
  };
  const bool about_registers = means("registers");
  if (!rest.empty() && !about_registers)
    return refuse("info $1 takes nothing behind it: \"$2\".", "info $1 뒤에는 아무것도 쓰지 않습니다: \"$2\".",
                  {std::string(subject), std::string(rest)});
  if (about_registers) return info_registers(rest);
  if (means("breakpoints") || means("watchpoints")) return info_stops();
  if (means("display")) return info_displays();
  if (means("warps") || means("threads")) return info_warps();
  if (means("line") || means("frame")) return say_place(false);
  refuse("info wants one of registers, breakpoints, display, warps, line.",
         "info 뒤에는 registers, breakpoints, display, warps, line 가운데 하나를 씁니다.");
}

}  // namespace warpsim::tools
