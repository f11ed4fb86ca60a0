// Which lane, thread, warp and block are looked at, and where the others are.
#include <algorithm>
#include <cctype>
#include <map>

#include "isa/text/number_text.h"
#include "isa/text/word.h"
#include "tools/debugger/stepper.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"
#include "traces/replay/phase_view.h"
#include "traces/words/fault_text.h"

namespace warpsim::tools {
namespace {

Dim3 at_least_one(Dim3 size) { return {std::max(size.x, 1U), std::max(size.y, 1U), std::max(size.z, 1U)}; }

}  // namespace

// ---- places in the grid

// "(3,0,0)"
std::string Stepper::coordinates(Dim3 size, std::uint64_t number) const {
  const Dim3 d = at_least_one(size);
  return "(" + std::to_string(number % d.x) + "," + std::to_string(number / d.x % d.y) + "," +
         std::to_string(number / d.x / d.y) + ")";
}

std::optional<std::uint64_t> Stepper::number_in(Dim3 size, std::string_view text) const {
  const Dim3 d = at_least_one(size);
  const std::uint64_t most[] = {d.x, d.y, d.z}, step[] = {1, d.x, std::uint64_t{d.x} * d.y};
  text = trimmed(text);
  const bool is_bracketed = text.size() > 1 && text.front() == '(' && text.back() == ')';
  if (is_bracketed) text = text.substr(1, text.size() - 2);
  if (!is_bracketed && text.find(',') == std::string_view::npos) {
    const std::optional<std::uint64_t> number = parse_count(text);
    return number && *number < size.count() ? number : std::nullopt;
  }
  std::uint64_t number = 0;
  for (std::size_t axis = 0; axis < 3 && !text.empty(); ++axis) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::optional<std::uint64_t> part = parse_count(trimmed(text.substr(0, comma)));
    if (!part || *part >= most[axis]) return std::nullopt;
    number += *part * step[axis];
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return text.empty() ? std::optional(number) : std::nullopt;
}

// "[block (0,0,0), thread (3,0,0): warp 0, lane 3]"
void Stepper::say_focus() {
  const std::string block = coordinates(head().grid, block_), warp = std::to_string(warp_);
  if (const std::optional<unsigned> chosen = lane())
    return report("[block $1, thread $2: warp $3, lane $4]", "[블록 $1, 스레드 $2: Warp $3, Lane $4]",
                  {block, coordinates(head().block, std::uint64_t{warp_} * head().lanes + *chosen), warp,
                   std::to_string(*chosen)});
  report("[block $1, warp $2, all lanes]", "[블록 $1, Warp $2, 모든 Lane]", {block, warp});
}

bool Stepper::choose_lane(std::string_view text) {
  if (text == "all") {
    lane_.reset();
    return true;
  }
  const std::optional<std::uint64_t> number = parse_count(text);
  if (number && *number < head().lanes && has_lane(threads(), static_cast<unsigned>(*number))) {
    lane_ = static_cast<unsigned>(*number);
    return true;
  }
  refuse("There is no lane \"$1\" in this warp: a lane is a number from 0 to $2, or all.",
         "이 Warp에는 \"$1\"번 Lane이 없습니다. 0부터 $2까지의 수나 all을 씁니다.",
         {std::string(text), std::to_string(count_lanes(threads()) - 1)});
  return false;
}

bool Stepper::choose_thread(std::string_view text) {
  const std::optional<std::uint64_t> number = number_in(head().block, text);
  const auto warp = static_cast<std::uint32_t>(number.value_or(0) / head().lanes);
  const auto of_warp = static_cast<unsigned>(number.value_or(0) % head().lanes);
  const WarpPlace* const place = number ? history_.warp(block_, warp) : nullptr;
  if (place != nullptr && has_lane(place->lanes, of_warp)) {
    warp_ = warp;
    lane_ = of_warp;
    return true;
  }
  refuse("There is no thread \"$1\" in a block: they are numbered from 0 to $2; \"info threads\" lists them.",
         "블록에는 \"$1\"번 스레드가 없습니다. 번호는 0부터 $2까지이고 \"info threads\"로 목록을 볼 수 있습니다.",
         {std::string(text), std::to_string(std::max<std::uint64_t>(head().block.count(), 1) - 1)});
  return false;
}

bool Stepper::choose_warp(std::string_view text) {
  const std::optional<std::uint64_t> number = parse_count(text);
  if (number && history_.warp(block_, static_cast<std::uint32_t>(*number)) != nullptr) {
    warp_ = static_cast<std::uint32_t>(*number);
    return true;
  }
  refuse("There is no warp \"$1\" in block $2; \"info warps\" lists them.",
         "블록 $2에는 \"$1\"번 Warp가 없습니다. \"info warps\"로 목록을 볼 수 있습니다.",
         {std::string(text), std::to_string(block_)});
  return false;
}

bool Stepper::choose_block(std::string_view text, bool by_coordinates) {
  const std::optional<std::uint64_t> number = by_coordinates ? number_in(head().grid, text) : parse_count(text);
  if (number && history_.warp(static_cast<std::uint32_t>(*number), 0) != nullptr) {
    block_ = static_cast<std::uint32_t>(*number);
    warp_ = 0;
    return true;
  }
  refuse("There is no block \"$1\"; \"info warps\" lists them.",
         "\"$1\"번 블록이 없습니다. \"info warps\"로 목록을 볼 수 있습니다.", {std::string(text)});
  return false;
}

// ---- commands that choose

void Stepper::select_lane(std::string_view rest) {
  if (!rest.empty() && !choose_lane(rest)) return;
  say_focus();
  if (!rest.empty()) say_place(false);
}

void Stepper::select_thread(std::string_view rest) {
  if (!rest.empty() && !choose_thread(rest)) return;
  say_focus();
  if (!rest.empty()) say_place(false);
}

void Stepper::select_warp(std::string_view rest) {
  if (rest.empty()) return say_focus();
  if (choose_warp(rest)) say_place(true);
}

void Stepper::select_block(std::string_view rest) {
  if (rest.empty()) return say_focus();
  if (choose_block(rest, false)) say_place(true);
}

// cuda-gdb's "cuda block 1 thread (3,0,0)"; without numbers it says where this is.
void Stepper::select_as_cuda(std::string_view rest) {
  const std::uint32_t block = block_, warp = warp_;
  const std::optional<unsigned> lane = lane_;
  bool ok = true, chosen = false;
  while (ok && !rest.empty()) {
    const std::string_view what = take_word(rest);
    std::size_t end = 0;
    while (end < rest.size() && std::isalpha(static_cast<unsigned char>(rest[end])) == 0) ++end;
    if (rest.substr(0, 3) == "all") end = 3;
    const std::string_view which = trimmed(rest.substr(0, end));
    rest = trimmed(rest.substr(end));
    const bool is_one = what == "kernel" || what == "grid" || what == "device";  // there is one of each
    if (what != "block" && what != "thread" && what != "warp" && what != "lane" && !is_one) {
      refuse("cuda chooses a block, warp, thread or lane: cuda block 1 thread 3. \"$1\" is none of them.",
             "cuda 뒤에는 block, warp, thread, lane을 씁니다: cuda block 1 thread 3. \"$1\"{은/는} 고를 수 없습니다.",
             {std::string(what)});
      ok = false;
    } else if (!which.empty() && !is_one) {
      ok = what == "block"    ? choose_block(which, true)
           : what == "thread" ? choose_thread(which)
           : what == "warp"   ? choose_warp(which)
                              : choose_lane(which);
      chosen = true;
    }
  }
  if (!ok) {
    block_ = block, warp_ = warp, lane_ = lane;
    return;
  }
  say_focus();
  if (chosen) say_place(false);
}

// ---- where lanes are

LaneMask Stepper::active_lanes() const {
  const std::optional<std::size_t> next = next_event();
  const LaneMask group = next ? history_.trace().events[*next].group : 0;
  return group != 0 ? group : threads();
}

// Where they stopped for good says the trap: some wait at an instruction that they have come to.
std::vector<Stepper::Standing> Stepper::standings(std::uint32_t block, std::uint32_t warp) const {
  const WarpPlace* const place = history_.warp(block, warp);
  if (place == nullptr) return {};
  std::vector<Standing> all;
  LaneMask open = place->lanes & ~place->exited;
  if (is_at_trap()) {
    for (const TracePlace& one : history_.trace().outcome.trap->places) {
      if (one.block != block || one.warp != warp) continue;
      all.push_back({one.lanes, one.pc, fault_text(one.waits_for, look_.language)});
      open &= ~one.lanes;
    }
  }
  std::map<std::int32_t, LaneMask> by_pc;
  for_each_lane(open, [&](unsigned lane) { by_pc[place->pc[lane]] |= lane_bit(lane); });
  for (const auto& [pc, lanes] : by_pc) all.push_back({lanes, pc, ""});
  return all;
}

void Stepper::lanes(std::string_view) {
  const WarpPlace* place = history_.warp(block_, warp_);
  if (place == nullptr) return refuse("There is no such warp.", "그런 Warp는 없습니다.");
  constexpr std::size_t kNameColumn = 16;
  const auto row = [&](LaneMask of, const std::string& what) {
    const std::string name = lanes_words(of);
    say(fitted(name, std::max(kNameColumn, columns_of(name) + 1), "") + what, kNameColumn);
  };
  for (const Standing& one : standings(block_, warp_)) {
    const TraceInsn* insn = find_insn(head(), one.pc);
    if (insn == nullptr) row(one.lanes, text_of("after the program's end", "프로그램의 끝 뒤"));
    else
      row(one.lanes, text_of("line $1: $2", "$1행: $2", {std::to_string(insn->line), insn->text}) +
                         (one.waits_for.empty() ? "" : "; " + one.waits_for));
  }
  if (place->exited != 0) row(place->exited, text_of("done", "끝남"));
}

// One row a lane, as cuda-gdb's `info cuda lanes`.
void Stepper::info_lanes(std::string_view) {
  const WarpPlace* const place = history_.warp(block_, warp_);
  if (place == nullptr) return refuse("There is no such warp.", "그런 Warp는 없습니다.");
  constexpr std::size_t kState = 11, kThread = 13, kLine = 6;
  const std::vector<Standing> all = standings(block_, warp_);
  const LaneMask active = next_event() ? active_lanes() : 0;
  const auto row = [&](const std::string& mark, const std::string& number, const std::string& state,
                       const std::string& thread, const std::string& line, const std::string& text) {
    const std::string left = mark + right_aligned(number, 4) + "  " + fitted(state, kState, "") +
                             fitted(thread, kThread, "") + fitted(line, kLine, "");
    say(text.empty() ? left.substr(0, left.find_last_not_of(' ') + 1) : left + text, columns_of(left));
  };
  row(" ", text_of("lane", "Lane"), text_of("state", "상태"), text_of("thread", "스레드"), text_of("line", "행"),
      text_of("instruction", "명령"));
  for_each_lane(place->lanes, [&](unsigned lane) {
    const auto here =
        std::find_if(all.begin(), all.end(), [&](const Standing& one) { return has_lane(one.lanes, lane); });
    const TraceInsn* const insn = here == all.end() ? nullptr : find_insn(head(), here->pc);
    const bool is_done = has_lane(place->exited, lane);
    const std::string state = is_done                  ? text_of("done", "끝남")
                              : is_at_trap()           ? text_of("stopped", "멈춤")
                              : has_lane(active, lane) ? text_of("active", "활성")
                                                       : text_of("elsewhere", "다른 곳");
    row(this->lane() == lane ? "*" : " ", std::to_string(lane), state,
        coordinates(head().block, std::uint64_t{warp_} * head().lanes + lane),
        insn == nullptr || is_done ? "-" : std::to_string(insn->line), insn == nullptr || is_done ? "" : insn->text);
  });
}

// Ranges of threads of the selected block, as cuda-gdb's `info cuda threads`.
void Stepper::info_threads(std::string_view) {
  constexpr std::size_t kThreads = 12, kWarp = 10;
  for (const auto& [key, place] : history_.warps()) {
    if (key.first != block_) continue;
    std::vector<Standing> all = standings(key.first, key.second);
    if (place.exited != 0) all.push_back({place.exited, -1, ""});
    const std::uint64_t first = std::uint64_t{key.second} * head().lanes;
    for (unsigned from = 0; from < head().lanes;) {
      const auto of = [&](unsigned lane) {
        return std::find_if(all.begin(), all.end(), [&](const Standing& one) { return has_lane(one.lanes, lane); });
      };
      const auto here = of(from);
      unsigned to = from;
      while (to + 1 < head().lanes && of(to + 1) == here) ++to;
      const unsigned begin = std::exchange(from, to + 1);
      if (here == all.end()) continue;
      const bool is_done = here->pc < 0;
      const TraceInsn* const insn = is_done ? nullptr : find_insn(head(), here->pc);
      const bool has_focus = key.second == warp_ && (!lane() || (*lane() >= begin && *lane() <= to));
      const std::string range = std::to_string(first + begin) + (to > begin ? "-" + std::to_string(first + to) : "");
      const std::string left = (has_focus ? "* " : "  ") + fitted(range, kThreads, "") +
                               fitted(text_of("warp $1", "Warp $1", {std::to_string(key.second)}), kWarp, "");
      say(left + (is_done           ? text_of("done", "끝남")
                  : insn == nullptr ? text_of("after the program's end", "프로그램의 끝 뒤")
                                    : text_of("line $1: $2", "$1행: $2", {std::to_string(insn->line), insn->text})),
          columns_of(left));
    }
  }
}

void Stepper::info_warps(std::string_view) {
  for (const auto& [key, place] : history_.warps()) {
    const bool selected = key.first == block_ && key.second == warp_;
    say((selected ? "* " : "  ") +
        text_of("block $1, warp $2: $3, done: $4", "블록 $1, Warp $2: 명령 $5개, 끝남: $6",
                {std::to_string(key.first), std::to_string(key.second), counted(place.events, "instruction"),
                 lane_ranges(place.exited), std::to_string(place.events), lanes_words(place.exited)}));
  }
}

void Stepper::info_blocks(std::string_view) {
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> blocks;  // warps, and those that are done
  for (const auto& [key, place] : history_.warps()) {
    ++blocks[key.first].first;
    if (place.exited == place.lanes) ++blocks[key.first].second;
  }
  for (const auto& [block, warps] : blocks)
    say((block == block_ ? "* " : "  ") +
        text_of("block $1 $2: $3, done: $4", "블록 $1 $2: Warp $5개, 끝남: $4개",
                {std::to_string(block), coordinates(head().grid, block), counted(warps.first, "warp"),
                 std::to_string(warps.second), std::to_string(warps.first)}));
}

}  // namespace warpsim::tools
