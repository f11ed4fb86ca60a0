// What `info` can be asked about: one table, for finding, helping and completing.
#include <algorithm>

#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "tools/debugger/stepper_commands.h"
#include "tools/support/screen.h"

namespace warpsim::tools {
namespace {

bool begins_with(std::string_view names, std::string_view word) {
  while (!names.empty())
    if (take_word(names).starts_with(word)) return true;
  return false;
}

bool is_one_of(std::string_view names, std::string_view word) {
  while (!names.empty())
    if (take_word(names) == word) return true;
  return false;
}

std::string_view first_of(std::string_view names) { return take_word(names); }

}  // namespace

// Of two that begin with the same letters the first is meant.
const std::vector<Stepper::Subject> Stepper::kSubjects = {
    {"registers all-registers", "[%r]", "what every lane holds in each register, or in one",
     "레지스터마다, 또는 하나에 Lane마다 든 값", &Stepper::info_registers},
    {"line", "", "the line that comes next", "다음에 실행할 줄", &Stepper::info_line},
    {"locals", "", "the registers, of the chosen lane or of all", "고른 Lane이나 모든 Lane의 레지스터",
     &Stepper::info_locals},
    {"args", "", "the kernel's parameters", "커널의 매개변수", &Stepper::info_arguments},
    {"lanes", "", "each lane: active, elsewhere, done, and its line", "Lane마다 상태와 서 있는 줄",
     &Stepper::info_lanes},
    {"threads", "", "the block's threads, by where they are", "블록의 스레드와 있는 곳", &Stepper::info_threads},
    {"breakpoints watchpoints", "", "what stops, by number", "멈추게 하는 것과 그 번호", &Stepper::info_stops},
    {"warps", "", "the warps of the run", "실행의 Warp", &Stepper::info_warps},
    {"blocks", "", "the blocks of the grid", "그리드의 블록", &Stepper::info_blocks},
    {"display", "", "what is printed after every motion", "움직일 때마다 출력하는 것", &Stepper::info_displays},
    {"frame", "", "the line that comes next", "다음에 실행할 줄", &Stepper::info_line},
    {"findings", "[N]", "what was found, or all of one finding", "발견 사항, 또는 그 가운데 하나",
     &Stepper::info_findings},
    {"stack", "", "where every lane stands, lanes at one place together", "Lane마다 서 있는 곳", &Stepper::lanes},
    {"shared sharedmem", "", "the arrays in shared memory", "공유 메모리의 배열", &Stepper::info_shared},
    {"program record source", "", "what is stepped through, and where in it this is",
     "기록된 실행과 그 안에서 지금 있는 곳", &Stepper::info_program},
    {"kernels", "", "the kernel and its launch", "커널과 그 실행 구성", &Stepper::info_kernel},
    {"cuda", "lanes|warps|threads|blocks|kernels", "the same as cuda-gdb spells it", "cuda-gdb처럼 쓴 같은 말",
     &Stepper::info_cuda},
};

std::vector<std::string> Stepper::words_of_info() {
  std::vector<std::string> words;
  for (const Subject& one : kSubjects)
    for (std::string_view names = one.names; !names.empty();) words.emplace_back(take_word(names));
  return words;
}

void Stepper::info(std::string_view rest) {
  const std::string_view word = take_word(rest);
  if (word.empty())
    return refuse("info wants what it is about: info registers, info locals. `help info` lists all.",
                  "info 뒤에는 볼 것을 씁니다: info registers, info locals. `help info`로 모두 볼 수 있습니다.");
  const auto named =
      std::find_if(kSubjects.begin(), kSubjects.end(), [&](const Subject& one) { return is_one_of(one.names, word); });
  const auto begun = std::find_if(kSubjects.begin(), kSubjects.end(),
                                  [&](const Subject& one) { return begins_with(one.names, word); });
  const auto subject = named != kSubjects.end() ? named : begun;
  if (subject != kSubjects.end()) return run_subject(*subject, word, rest);
  const std::string near = nearest(word, words_of_info());
  if (near.empty())
    return refuse("info knows no \"$1\": `help info` lists what it knows.",
                  "info에 \"$1\"{은/는} 없습니다. `help info`로 목록을 볼 수 있습니다.", {std::string(word)});
  refuse("info knows no \"$1\". Did you mean \"$2\"?", "info에 \"$1\"{은/는} 없습니다. \"$2\"{을/를} 찾으셨나요?",
         {std::string(word), near});
}

void Stepper::run_subject(const Subject& subject, std::string_view word, std::string_view rest) {
  if (subject.usage.empty() && !rest.empty())
    return refuse("info $1 takes nothing after it: \"$2\".", "info $1 뒤에는 아무것도 쓰지 않습니다: \"$2\".",
                  {std::string(word), std::string(rest)});
  (this->*subject.run)(rest);
}

void Stepper::help_info() {
  constexpr std::size_t kColumn = 22;
  for (const Subject& one : kSubjects) {
    const std::string left = "  " + std::string(first_of(one.names)) + (one.usage.empty() ? "" : " ") +
                             std::string(one.usage.substr(0, one.usage.find('|')));
    say(fitted(left, std::max(kColumn, columns_of(left) + 1), "") + text_of(one.english, one.korean), kColumn);
  }
}

// cuda-gdb's: the word behind it is a subject of its own.
void Stepper::info_cuda(std::string_view rest) {
  const std::string_view word = take_word(rest);
  const std::vector<std::string_view> known = {"lanes", "warps", "threads", "blocks", "kernels"};
  const auto meant = std::find_if(known.begin(), known.end(),
                                  [&](std::string_view one) { return !word.empty() && one.starts_with(word); });
  if (meant == known.end())
    return refuse("info cuda wants one of lanes, warps, threads, blocks, kernels.",
                  "info cuda 뒤에는 lanes, warps, threads, blocks, kernels 가운데 하나를 씁니다.");
  if (!rest.empty())
    return refuse("info $1 takes nothing after it: \"$2\".", "info $1 뒤에는 아무것도 쓰지 않습니다: \"$2\".",
                  {"cuda " + std::string(*meant), std::string(rest)});
  info(*meant);
}

// ---- subjects that no other file has

// Of the chosen lane one a line, as gdb lists them.
void Stepper::info_locals(std::string_view) {
  const std::optional<unsigned> chosen = lane();
  if (!head().variables.empty()) return info_variables();
  if (!chosen) return info_registers("");
  for (std::size_t reg = 0; reg < head().registers.size(); ++reg)
    say(head().registers[reg].name + " = " +
        value_text(history_.value(block_, warp_, static_cast<std::int32_t>(reg), *chosen)));
  if (head().registers.empty()) report("This program has no registers.", "이 프로그램에는 레지스터가 없습니다.");
}

// The variables of the source that registers hold here.
void Stepper::info_variables() {
  const std::optional<std::size_t> next = next_event();
  std::size_t said = 0;
  for (const TraceVariable& one : head().variables) {
    const std::int32_t pc = next ? history_.trace().events[*next].pc : -1;
    if (pc < one.first || pc >= one.end) continue;
    std::vector<TemplateValue> values;
    for (unsigned k = 0; k < head().lanes; ++k) values.push_back(history_.value(block_, warp_, one.reg, k));
    const LaneMask shown = lane() ? lane_bit(*lane()) : threads();
    print_values(one.name, values, shown, "   (" + head().registers[static_cast<std::size_t>(one.reg)].name + ")");
    ++said;
  }
  if (said == 0) report("No variable is in a register here.", "여기서는 레지스터에 든 변수가 없습니다.");
}

void Stepper::info_arguments(std::string_view) {
  for (const TraceParam& one : head().params) {
    const std::string type(name(one.type));
    if (!one.is_buffer()) {
      say(one.name + " = " + value_text(TemplateValue::of(one.type, one.bits)) + "   (" + type + ")");
      continue;
    }
    say(one.name + " = " + hexadecimal_text(one.address) + "   (" + type + "[" + std::to_string(one.length) + "], " +
        std::string(name(one.kind)) + ")");
  }
  if (head().params.empty()) report("This kernel has no parameters.", "이 커널에는 매개변수가 없습니다.");
}

void Stepper::info_shared(std::string_view) {
  for (std::size_t k = 0; k < head().shared.size(); ++k) {
    const TraceShared& one = head().shared[k];
    say(one.name + " = " + hexadecimal_text(history_.memory().shared_base(k)) + "   (" + std::string(name(one.type)) +
        "[" + std::to_string(one.length) + "], " + text_of("of shared memory)", "공유 메모리)"));
  }
  if (head().shared.empty()) report("This program has no shared memory.", "이 프로그램은 공유 메모리를 쓰지 않습니다.");
}

void Stepper::info_kernel(std::string_view) {
  const auto size = [](Dim3 d) {
    return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
  };
  report("* $1: grid $2, block $3, warps of $4", "* $1: 그리드 $2, 블록 $3, Warp마다 Lane $5개",
         {head().program, size(head().grid), size(head().block), counted(head().lanes, "lane"),
          std::to_string(head().lanes)});
}

void Stepper::info_program(std::string_view) {
  const std::size_t lines = static_cast<std::size_t>(std::count(head().text.begin(), head().text.end(), '\n'));
  report("$1: $2, $3. A recorded run of $4.", "$1: $5줄, 명령 $6개. 이벤트 $7개의 기록된 실행입니다.",
         {head().program + (head().file.empty() ? "" : ", " + head().file), counted(lines, "line"),
          counted(head().code.size(), "instruction"), counted(history_.size(), "event"), std::to_string(lines),
          std::to_string(head().code.size()), std::to_string(history_.size())});
  const TraceEvent* const last = history_.last();
  if (last == nullptr) return say(beginning_text());
  if (last->cycle)
    return report("Here: after event $1 of $2, cycle $3.", "지금: 이벤트 $2개 중 $1번째 뒤, 사이클 $3.",
                  {std::to_string(history_.position()), std::to_string(history_.size()), std::to_string(*last->cycle)});
  report("Here: after event $1 of $2.", "지금: 이벤트 $2개 중 $1번째 뒤.",
         {std::to_string(history_.position()), std::to_string(history_.size())});
}

// What a value is, as gdb says it: "type = f32".
void Stepper::whatis(std::string_view rest) {
  if (rest.empty())
    return refuse("whatis wants a register, an array or an expression: whatis %r.",
                  "whatis에는 레지스터, 배열이나 식을 씁니다: whatis %r.");
  const std::string text = in_own_words(rest);
  for (const TraceParam& one : head().params)
    if (one.name == text && one.is_buffer())
      return report("type = $1[$2]   (a buffer in global memory, $3)", "type = $1[$2]   (전역 메모리의 버퍼, $3)",
                    {std::string(name(one.type)), std::to_string(one.length), std::string(name(one.kind))});
  for (const TraceShared& one : head().shared)
    if (one.name == text)
      return report("type = $1[$2]   (an array in shared memory)", "type = $1[$2]   (공유 메모리의 배열)",
                    {std::string(name(one.type)), std::to_string(one.length)});
  const std::optional<Expression> expression = parse_expression(text);
  if (!expression) return;
  const std::string type(name(expression->type([&](std::string_view one) { return about(one); })));
  if (!expression->differs_by_lane()) return say("type = " + type);
  report("type = $1   (one value a lane)", "type = $1   (Lane마다 값 하나)", {type});
}

}  // namespace warpsim::tools
