// What the stepper lists: the program, its phases, registers, breakpoints.
#include <algorithm>
#include <functional>

#include "isa/text/number_text.h"
#include "isa/text/word.h"
#include "tools/debugger/stepper.h"
#include "tools/debugger/stepper_words.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"
#include "traces/model/source_lines.h"

namespace warpsim::tools {
namespace {

constexpr std::uint32_t kListLines = 10;
constexpr std::size_t kNumberColumn = 8, kInfoNameColumn = 15;

}  // namespace

// "", "-", "30", "30,35", "30," or ",35".
// Lines of the file that the run stands in, or of one that is named.
void Stepper::list(std::string_view rest) {
  const std::size_t colon = lines_.has_sources() ? rest.rfind(':') : std::string_view::npos;
  if (colon != std::string_view::npos) {
    list_file_ = lines_.find(rest.substr(0, colon), 1, 1);
    if (list_file_ == 0)
      return refuse("No file \"$1\" here.", "\"$1\" 파일이 없습니다.", {std::string(rest.substr(0, colon))});
    rest.remove_prefix(colon + 1);
  } else if (!rest.empty() || list_from_ == 0) {
    list_file_ = 0;
  }
  const std::uint32_t near = list_file_ != 0 ? list_file_ : std::max(line_here(), 1U);
  const std::uint32_t before = lines_.first_beside(near) - 1, count = lines_.last_beside(near) - before;
  std::uint64_t from = list_from_, to = 0;
  const auto around = [](std::uint64_t line) { return line > kListLines / 2 ? line - kListLines / 2 : 1; };
  const std::uint64_t here = lines_.in_file(near);
  if (rest == "-") {
    const std::uint64_t shown = listed_from_ != 0 ? listed_from_ : around(here);
    if (shown <= 1) return refuse("The program begins at line 1.", "프로그램은 1행에서 시작합니다.");
    to = shown - 1;
    from = to >= kListLines ? to - kListLines + 1 : 1;
  } else if (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view first = trimmed(rest.substr(0, comma)),
                           second = comma < rest.size() ? trimmed(rest.substr(comma + 1)) : "";
    const std::optional<std::uint64_t> number = parse_count(first), other = parse_count(second);
    const std::optional<std::uint64_t> one = number || first.empty() ? number : line_of_label(first);
    const bool is_read =
        (first.empty() || (one && *one > 0)) && (second.empty() || (other && *other > 0)) && (one || other);
    if (!is_read || (one && other && *one > *other))
      return refuse("list wants a line's number, or two, or a label: list 30, list 30,35.",
                    "list에는 줄 번호 하나나 둘, 또는 레이블을 씁니다: list 30, list 30,35.");
    if (comma == rest.size()) from = around(*one);
    else if (one) from = *one;
    else from = *other >= kListLines ? *other - kListLines + 1 : 1;
    if (other) to = *other;
  }
  if (from == 0) from = around(here);
  if (from > count)
    return refuse("The program ends at line $1.", "프로그램은 $1행에서 끝납니다.", {std::to_string(count)});
  to = std::min<std::uint64_t>(to != 0 ? to : from + kListLines - 1, count);
  for (std::uint64_t line = from; line <= to; ++line) {
    const std::uint32_t numbered = before + static_cast<std::uint32_t>(line);
    const std::string mark = numbered == next_line() ? "=>" : breakpoint_at(numbered) ? " b" : "  ";
    say(mark + right_aligned(std::to_string(line), 4) + "  " + std::string(lines_.text(numbered)), kNumberColumn);
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
  std::size_t name_columns = kInfoNameColumn, cell = columns_of(std::to_string(lanes.back()));
  bool differ = false;
  for (std::size_t reg = 0; reg < head().registers.size(); ++reg) {
    if (one && reg != static_cast<std::size_t>(*one)) continue;
    const std::optional<std::size_t> at = next_event();
    const std::string_view variable =
        at ? variable_in(head(), static_cast<std::int32_t>(reg), history_.trace().events[*at].pc) : "";
    auto& [name, texts] = rows.emplace_back(
        head().registers[reg].name + (variable.empty() ? "" : " " + std::string(variable)), std::vector<std::string>{});
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

void Stepper::info_stops(std::string_view) {
  if (stops_.empty()) return report("No breakpoints or watchpoints.", "중단점이나 감시점이 없습니다.");
  for (const Stop& one : stops_) {
    std::string text = stop_text(one);
    if (!one.enabled) text += text_of(", disabled", ", 꺼짐");
    if (one.passes > 0) text += text_of(", passed over $1 times", ", $1번 지나침", {std::to_string(one.passes)});
    say(text);
    for (const std::string& command : one.commands) say(command, 2, 8);
  }
}

void Stepper::info_displays(std::string_view) {
  if (displays_.empty()) return report("Nothing is displayed.", "자동으로 출력하는 것이 없습니다.");
  for (const Shown& one : displays_)
    say(std::to_string(one.number) + ": " + (one.format.empty() ? "" : "/" + one.format + " ") + one.text);
}

}  // namespace warpsim::tools
