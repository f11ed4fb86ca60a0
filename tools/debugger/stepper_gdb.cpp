// What someone types who knows gdb and cuda-gdb: their words for what there is here, and for what there is not.
#include "tools/debugger/stepper_gdb.h"

#include <algorithm>
#include <cctype>

#include "isa/table/special.h"
#include "isa/text/word.h"
#include "tools/debugger/moment_view.h"
#include "tools/debugger/stepper.h"
#include "tools/support/words.h"

namespace warpsim::tools {
namespace {

constexpr GdbWord kGdbWords[] = {
    {"jump j call return signal queue-signal handle",
     "the run is recorded. `goto CYCLE`, `until` and `rstep` move in it.",
     "기록된 실행입니다. `goto CYCLE`, `until`, `rstep`으로 그 안에서 움직입니다."},
    {"attach detach kill k interrupt starti target",
     "the run is recorded. `start` goes to its beginning, `quit` leaves.",
     "기록된 실행입니다. `start`로 처음으로 가고 `quit`으로 끝냅니다."},
    {"up down select-frame", "there are no calls. `info lanes` shows where each lane is, `lane N` chooses one.",
     "함수 호출이 없습니다. `info lanes`는 Lane마다 있는 곳을 보여 주고 `lane N`은 하나를 고릅니다."},
    {"file exec-file symbol-file load directory", "the program is the one that `warpsim step NAME` was given.",
     "프로그램은 `warpsim step NAME`에 준 것입니다."},
    {"shell make python py guile pipe", "only the stepper's own commands are run; `source FILE` runs a list of them.",
     "이 디버거의 명령만 실행합니다. `source FILE`은 명령 목록을 실행합니다."},
    {"define document macro alias", "a list of commands is a file, `source FILE`, or a breakpoint's, `commands N`.",
     "명령 목록은 파일로 만들어 `source FILE`로 실행하거나 `commands N`으로 중단점에 붙입니다."},
    {"end silent", "it stands only behind `commands`: `end` closes the list, `silent` is its first line.",
     "`commands` 뒤에서만 씁니다. `end`는 목록을 닫고 `silent`는 목록의 첫 줄입니다."},
    {"printf echo output call-print", "`print` shows values: print %r, print/x input, print sum(%r).",
     "`print`로 값을 출력합니다: print %r, print/x input, print sum(%r)."},
    {"catch rbreak", "`finding` goes to what was found, `break LINE if COND` stops at a line.",
     "`finding`은 발견 사항으로 가고 `break LINE if COND`는 그 줄에서 멈춥니다."},
    {"record checkpoint bookmark goto-bookmark save restore",
     "the whole run is recorded: `rstep` and `rcontinue` go back, `goto CYCLE` goes anywhere.",
     "실행 전체가 기록되어 있습니다. `rstep`과 `rcontinue`로 뒤로 가고 `goto CYCLE`로 어디로든 갑니다."},
    {"search forward-search reverse-search edit", "`list` shows the program, `disassemble` its instructions.",
     "`list`는 프로그램을, `disassemble`은 그 명령을 보여 줍니다."},
    {"show apropos", "`info` shows what there is, `help` lists the commands.",
     "`info`로 상태를 보고 `help`로 명령 목록을 봅니다."},
    {"tui focus fs refresh winheight tty", "`warpsim tui NAME` is the full screen; `layout` chooses its pane there.",
     "전체 화면은 `warpsim tui NAME`입니다. 창은 그곳에서 `layout`으로 고릅니다."},
};

// What gdb users set in a file of commands, and what is so here anyway.
constexpr std::string_view kNeedless[] = {"pagination", "confirm", "height",  "verbose", "style",
                                          "print",      "logging", "history", "prompt",  "width"};

struct CudaName {
  std::string_view cuda, ours;
};
constexpr CudaName kCudaNames[] = {
    {"threadIdx", "%tid"}, {"blockIdx", "%ctaid"}, {"blockDim", "%ntid"}, {"gridDim", "%nctaid"}};

bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool goes_on(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// The end of a name that begins at `at`, with what stands behind a dot: tid.x.
std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (at < text.size() &&
         (goes_on(text[at]) || (text[at] == '.' && at + 1 < text.size() && begins_name(text[at + 1]))))
    ++at;
  return at;
}

// Where a single = stands, which in gdb sets something.
std::size_t assignment(std::string_view text) {
  for (std::size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    const bool is_compared = at > 0 && std::string_view("=!<>").find(text[at - 1]) != std::string_view::npos;
    if (!is_compared && (at + 1 == text.size() || text[at + 1] != '=')) return at;
  }
  return std::string_view::npos;
}

}  // namespace

const GdbWord* gdb_word(std::string_view word) {
  for (const GdbWord& one : kGdbWords)
    for (std::string_view words = one.words; !words.empty();)
      if (take_word(words) == word) return &one;
  return nullptr;
}

// ---- names

// Which register holds a variable of the source where the run stands; else where it last did so before, or does later.
std::int32_t Stepper::register_of_variable(std::string_view name) const {
  const std::optional<std::size_t> at = next_event() ? next_event() : last_event();
  const std::int32_t pc = at ? history_.trace().events[*at].pc : 0;
  std::int32_t other = -1;
  for (const TraceVariable& one : head().variables) {
    if (one.name != name) continue;
    if (one.first <= pc && pc < one.end) return one.reg;
    if (other < 0 || one.end <= pc) other = one.reg;
  }
  return other;
}

std::string Stepper::own_word(std::string_view word, bool is_called) const {
  static constexpr std::string_view kOfExpressions[] = {"lane", "first",   "last", "block",
                                                        "warp", "WARP_SZ", "W",    "old"};
  static constexpr std::string_view kOverLanes[] = {"all", "any", "count", "sum", "min", "max"};
  const auto is_one_of = [&](const auto& list) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
  };
  if (is_one_of(kOfExpressions) || (is_called && is_one_of(kOverLanes))) return std::string(word);
  if (word == "warpSize") return "WARP_SZ";
  for (const CudaName& one : kCudaNames) {
    const bool is_it = word.size() == one.cuda.size() + 2 && word.substr(0, one.cuda.size()) == one.cuda &&
                       word[one.cuda.size()] == '.';
    if (is_it) return std::string(one.ours) + std::string(word.substr(one.cuda.size()));
  }
  const auto is_named = [&](const auto& one) { return one.name == word; };
  if (std::any_of(head().params.begin(), head().params.end(), is_named) ||
      std::any_of(head().shared.begin(), head().shared.end(), is_named))
    return std::string(word);
  if (const std::int32_t reg = register_of_variable(word); reg >= 0)
    return head().registers[static_cast<std::size_t>(reg)].name;
  const std::string as_register = "%" + std::string(word);
  const bool there = find_register(head(), as_register) >= 0 || parse_special(as_register).has_value();
  return there ? as_register : std::string(word);
}

std::string Stepper::in_own_words(std::string_view text) const {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const std::size_t from = c == '%' || c == '$' ? at + 1 : at;
    if (from < text.size() && begins_name(text[from])) {
      const std::size_t end = end_of_name(text, from);
      const std::string_view word = text.substr(from, end - from);
      const std::size_t behind = std::min(text.find_first_not_of(' ', end), text.size());
      if (from != at) out += "%" + std::string(word);
      else out += own_word(word, behind < text.size() && text[behind] == '(');
      at = end;
    } else if (goes_on(c)) {  // a number: 0xff, 1e-3
      const std::size_t end = end_of_name(text, at);
      out += text.substr(at, end - at);
      at = end;
    } else {
      out += c;
      ++at;
    }
  }
  return out;
}

// CUDA's threadIdx and the like, without .x: three numbers, of each lane or of the chosen one.
bool Stepper::print_coordinates(std::string_view text) {
  const auto is_it = [&](const CudaName& one) { return one.cuda == text; };
  const auto* const name = std::find_if(std::begin(kCudaNames), std::end(kCudaNames), is_it);
  if (name == std::end(kCudaNames)) return false;
  const LaneMask lanes = lane() ? lane_bit(*lane()) : threads();
  const MomentView view(history_, block_, warp_, lanes);
  std::vector<std::string> items;
  for_each_lane(lanes, [&](unsigned lane) {
    std::string item;
    for (const char* axis : {".x", ".y", ".z"})
      item += (item.empty() ? "(" : ", ") +
              value_text(Expression(std::string(name->ours) + axis).evaluate({view, lane, lanes, nullptr}));
    items.push_back(item + ")");
  });
  const bool same =
      std::all_of(items.begin(), items.end(), [&](const std::string& one) { return one == items.front(); });
  if (same) {
    say(std::string(text) + " = " + items.front());
  } else {
    std::size_t k = 0;
    for_each_lane(lanes, [&](unsigned lane) { items[k] = "#" + std::to_string(lane) + " " + items[k], ++k; });
    say(text);
    say_columns(items);
  }
  return true;
}

// ---- setting

bool Stepper::sets_something(std::string_view text) { return assignment(text) != std::string_view::npos; }

void Stepper::set(std::string_view rest) {
  std::string_view after = rest;
  const std::string_view word = take_word(after);
  const bool is_var =
      !word.empty() && (word == "var" || (word.size() > 2 && std::string_view("variable").starts_with(word)));
  if (rest.empty() || is_var || assignment(rest) != std::string_view::npos) return refuse_to_set(is_var ? after : rest);
  if (std::find(std::begin(kNeedless), std::end(kNeedless), word) != std::end(kNeedless))
    return report("Nothing to set: answers are not paged, not confirmed, and as wide as the terminal.",
                  "설정할 것이 없습니다. 응답은 한 번에 나오고 확인을 묻지 않으며 터미널의 너비에 맞춥니다.");
  refuse("There is no setting \"$1\". What a run computes with is given before it: --input, --param, --lanes.",
         "\"$1\" 설정은 없습니다. 실행에 쓸 값은 실행 전에 --input, --param, --lanes로 줍니다.", {std::string(word)});
}

// "--input input=0,2,4,7", of what the run began with and one value for another; "" where that cannot be said.
std::string Stepper::changed_input(std::string_view target, std::string_view value) const {
  constexpr std::uint64_t kMostNamed = 32;
  const std::size_t bracket = std::min(target.find('['), target.size());
  const std::string name(target.substr(0, bracket));
  for (const TraceParam& param : head().params) {
    if (param.name != name) continue;
    if (!param.is_buffer()) return "--param " + name + "=" + std::string(value);
    const bool has_index = bracket < target.size() && target.back() == ']';
    const std::uint64_t index =
        parse_count(has_index ? target.substr(bracket + 1, target.size() - bracket - 2) : "").value_or(param.length);
    const auto given = std::find_if(head().inputs.begin(), head().inputs.end(),
                                    [&](const auto& input) { return input.first == name; });
    if (given == head().inputs.end() || index >= param.length || param.length > kMostNamed)
      return "--input " + name + "=...";
    std::string list;
    for (std::size_t k = 0; k < given->second.bits.size(); ++k)
      list += (k == 0 ? "" : ",") +
              (k == index ? std::string(value) : value_text(TemplateValue::of(param.type, given->second.bits[k])));
    return "--input " + name + "=" + list;
  }
  return "";
}

void Stepper::refuse_to_set(std::string_view text) {
  const std::size_t at = std::min(assignment(text), text.size());
  const std::string_view target = trimmed(text.substr(0, at)),
                         value = at < text.size() ? trimmed(text.substr(at + 1)) : std::string_view("...");
  std::string options = changed_input(target, value);
  if (options.empty()) {
    for (const TraceParam& param : head().params)
      if (!param.is_buffer() || param.kind != Param::Kind::Out)
        options += (options.empty() ? "" : " ") + std::string(param.is_buffer() ? "--input " : "--param ") +
                   param.name + "=...";
  }
  if (options.empty())
    return refuse("This is a recorded run: nothing in it can be set. A changed program is run anew.",
                  "기록된 실행이므로 값을 바꿀 수 없습니다. 프로그램을 고쳐 다시 실행합니다.");
  refuse("This is a recorded run: nothing in it can be set. Start again with `$1` to run it with other values.",
         "기록된 실행이므로 값을 바꿀 수 없습니다. 다른 값으로 실행하려면 `$1` 옵션을 주고 다시 시작합니다.",
         {options});
}

// gdb's windows are panes of the full screen.
void Stepper::layout(std::string_view rest) {
  static constexpr std::string_view kLayouts[] = {"src", "asm", "regs", "split", "next", "prev"};
  if (std::find(std::begin(kLayouts), std::end(kLayouts), rest) == std::end(kLayouts))
    return refuse("layout wants one of src, asm, regs, split, next, prev.",
                  "layout에는 src, asm, regs, split, next, prev 가운데 하나를 씁니다.");
  if (look_.has_layouts) {
    answer_.layout = std::string(rest);
    return;
  }
  refuse("Panes are in the full screen: `warpsim tui NAME` shows the program, the lanes and every command of this one.",
         "창은 전체 화면에 있습니다. `warpsim tui NAME`은 프로그램과 Lane을 함께 보여 주고 이 명령을 모두 받습니다.");
}

// ---- arrays as gdb writes them

// "input[2]@4" and "*input@4": so many elements from there.
bool Stepper::print_elements_of(std::string_view text) {
  const std::size_t sign = text.rfind('@');
  const bool is_pointed = text.starts_with("*");
  if (sign == std::string_view::npos && !is_pointed) return false;
  const std::optional<std::uint64_t> count =
      sign == std::string_view::npos ? 1 : parse_count(trimmed(text.substr(sign + 1)));
  std::string_view place = trimmed(text.substr(0, std::min(sign, text.size())));
  if (is_pointed) place = trimmed(place.substr(1));
  const std::size_t bracket = std::min(place.find('['), place.size());
  const std::optional<Elements> all = elements_of(place.substr(0, bracket));
  if (!all || !count || *count == 0 || (is_pointed && bracket < place.size())) return false;
  std::uint64_t from = 0;
  if (bracket < place.size()) {
    const std::optional<Element> element = read_element(place);
    if (!element) return true;  // it has been said
    from = static_cast<std::uint64_t>(element->index);
  }
  const std::uint64_t size = all->values.size(), to = std::min<std::uint64_t>(size, from + std::min(*count, size));
  if (from < to) print_elements(*all, static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  if (to - from < *count) report("$1 has $2 elements.", "$1의 원소는 $2개입니다.", {all->name, std::to_string(size)});
  return true;
}

}  // namespace warpsim::tools
