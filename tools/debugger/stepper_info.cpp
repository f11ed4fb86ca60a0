// What the stepper lists: the program, its phases, registers, breakpoints, warps.
#include <algorithm>
#include <functional>

#include "isa/text/number_text.h"
#include "tools/debugger/stepper.h"
#include "tools/debugger/stepper_words.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"

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
    const std::uint64_t shown = listed_from_ != 0 ? listed_from_ : around(std::max(line_here(), 1U));
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
  if (from == 0) from = around(std::max(line_here(), 1U));
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
  if (answer_.text.empty()) report("This program has no phases.", "이 프로그램에는 단계가 없습니다.");
}

// Lanes are columns. All registers at once are cut to one line each, one alone is whole; one value stands for all lanes
// that hold it.
void Stepper::info_registers(std::string_view only) {
  std::optional<unsigned> one_lane;
  const std::optional<std::int32_t> one = only.empty() ? std::nullopt : parse_register(only, one_lane);
  if (!only.empty() && !one) return;
  std::vector<unsigned> lanes;
  for_each_lane(threads(), [&](unsigned lane) {
    if (!one_lane || lane == *one_lane) lanes.push_back(lane);
  });
  std::vector<std::pair<std::string, std::vector<std::string>>> rows;
  std::size_t name_columns = kNameColumn, cell = columns_of(std::to_string(lanes.back()));
  bool differ = false;
  for (std::size_t reg = 0; reg < head().registers.size(); ++reg) {
    if (one && reg != static_cast<std::size_t>(*one)) continue;
    auto& [name, texts] = rows.emplace_back(head().registers[reg].name, std::vector<std::string>{});
    for (const unsigned lane : lanes)
      texts.push_back(value_text(history_.value(block_, warp_, static_cast<std::int32_t>(reg), lane)));
    name_columns = std::max(name_columns, columns_of(name) + 1);
    if (std::adjacent_find(texts.begin(), texts.end(), std::not_equal_to<>()) == texts.end()) {
      texts.resize(1);
      continue;
    }
    differ = true;
    for (const std::string& text : texts) cell = std::max(cell, columns_of(text));
  }
  constexpr std::size_t kCut = 2;  // " …"
  const std::size_t room = look_.width > name_columns + kCut ? look_.width - name_columns - kCut : 0;
  const std::size_t fit = std::max<std::size_t>(1, (room + 1) / (cell + 1));
  const auto columns = [&](std::size_t from, const std::vector<std::string>& texts) {
    std::string line;
    for (std::size_t k = from; k < std::min(from + fit, texts.size()); ++k)
      line += std::string((k == from ? 0 : 1) + cell - columns_of(texts[k]), ' ') + texts[k];
    return line;
  };
  std::vector<std::string> numbers;
  for (const unsigned lane : lanes) numbers.push_back(std::to_string(lane));
  const std::string more = fit < lanes.size() && !one ? look_.ascii ? " ..." : " …" : "";
  for (std::size_t from = 0; from < lanes.size(); from += fit) {
    if (differ) say(fitted(text_of("lane", "Lane"), name_columns, "") + columns(from, numbers) + more);
    for (const auto& [name, texts] : rows)
      say(fitted(name, name_columns, "") + (texts.size() == 1 ? texts.front() : columns(from, texts) + more));
    if (!one || !differ) break;
  }
}

void Stepper::info_stops() {
  if (stops_.empty()) return report("No breakpoints or watchpoints.", "중단점이나 감시점이 없습니다.");
  for (const Stop& one : stops_) {
    std::string text = stop_text(one);
    if (!one.enabled) text += text_of(", disabled", ", 꺼짐");
    if (one.passes > 0) text += text_of(", passed over $1 times", ", $1번 지나침", {std::to_string(one.passes)});
    say(text);
  }
}

void Stepper::info_displays() {
  if (displays_.empty()) return report("Nothing is displayed.", "자동으로 출력하는 것이 없습니다.");
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
  const bool about_registers = means("registers"), about_findings = means("findings") && !means("frame");
  if (!rest.empty() && !about_registers && !about_findings)
    return refuse("info $1 takes nothing after it: \"$2\".", "info $1 뒤에는 아무것도 쓰지 않습니다: \"$2\".",
                  {std::string(subject), std::string(rest)});
  if (about_registers) return info_registers(rest);
  if (means("breakpoints") || means("watchpoints")) return info_stops();
  if (means("display")) return info_displays();
  if (means("warps") || means("threads")) return info_warps();
  if (about_findings) return info_findings(rest);
  if (means("line") || means("frame")) return say_place(false);
  refuse("info wants one of registers, breakpoints, display, warps, findings, line.",
         "info 뒤에는 registers, breakpoints, display, warps, findings, line 가운데 하나를 씁니다.");
}

}  // namespace warpsim::tools
