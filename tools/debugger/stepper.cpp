// The stepper's command line: which command a word means, what it answers, and help.
#include "tools/debugger/stepper.h"

#include <algorithm>

#include "isa/text/diagnostic.h"
#include "isa/text/number_text.h"
#include "isa/text/word.h"
#include "tools/debugger/stepper_commands.h"
#include "tools/debugger/stepper_gdb.h"
#include "tools/support/screen.h"
#include "tools/support/words.h"
#include "traces/sentence/phase_titles.h"
#include "traces/text/text_renderer.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kLongestEcho = 160, kTab = 8, kLeastWidth = 20, kHelpColumn = 22;

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

std::vector<std::string_view> split(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) words.push_back(take_word(text));
  return words;
}

// The nearest by its letters, or else the first one that begins with the same two: "brake" is "break".
std::string nearest_word(std::string_view word, const std::vector<std::string>& names) {
  const std::string near = nearest(word, names);
  if (!near.empty() || word.size() < 3) return near;
  const auto alike = std::find_if(names.begin(), names.end(),
                                  [&](const std::string& name) { return begins(name, word.substr(0, 2)); });
  return alike == names.end() ? "" : *alike;
}

}  // namespace

Stepper::Stepper(Trace trace, StepperLook look) : history_(std::move(trace)), lines_(history_.head()), look_(look) {
  find_faults();
  add_stops_of_program();
  if (!history_.trace().events.empty()) select_of(history_.trace().events.front());
  if (look_.translations == nullptr) return;
  for (std::pair<std::size_t, std::string>& one : phase_titles(history_.trace(), look_.language, *look_.translations))
    titles_.insert(std::move(one));
}

std::string Stepper::greeting() const {
  const TraceHead& h = head();
  const std::string lanes = std::to_string(h.lanes), events = std::to_string(history_.size());
  const std::string name =
      h.program + (h.case_name.empty() ? "" : text_of(", case ", ", 케이스 ") + h.case_name) + ": ";
  std::string text = name;
  if (begins_late() || ends_early())
    text += text_of("$1, a window of $2 out of $3.", "Lane $4개, 이벤트 $6개 중 $5개의 창.",
                    {counted(h.lanes, "lane"), counted(history_.size(), "event"),
                     std::to_string(history_.trace().outcome.instructions), lanes, events,
                     std::to_string(history_.trace().outcome.instructions)});
  else
    text += text_of("$1, $2.", "Lane $3개, 이벤트 $4개.",
                    {counted(h.lanes, "lane"), counted(history_.size(), "event"), lanes, events});
  if (!fault_events_.empty())
    text += text_of(" $1: `info findings` lists them.", " 발견 사항 $2개: `info findings`로 볼 수 있습니다.",
                    {counted(fault_events_.size(), "finding"), std::to_string(fault_events_.size())});
  text += text_of(" `help` lists commands.", " `help`로 명령 목록을 볼 수 있습니다.");
  const std::string out = paragraph(text, std::max(look_.width, kLeastWidth));
  return look_.ascii ? to_ascii(out) : out;
}

std::string Stepper::phase_title(std::size_t event) const {
  const auto translated = titles_.find(event);
  const std::optional<TracePhaseStart>& phase = history_.trace().events[event].phase;
  return translated != titles_.end() ? translated->second : phase ? phase->title : "";
}

// The word itself, or the one command that has a name or an alias which begins with it.
const Stepper::Command* Stepper::find(std::string_view word) {
  std::vector<const Command*> fitting;
  std::vector<std::string> names;
  for (const Command& one : kCommands) {
    std::vector<std::string_view> spellings = split(one.aliases);
    spellings.push_back(one.name);
    if (std::find(spellings.begin(), spellings.end(), word) != spellings.end()) return &one;
    if (std::any_of(spellings.begin(), spellings.end(), [&](std::string_view name) { return begins(name, word); }))
      fitting.push_back(&one);
    for (const std::string_view spelling : spellings)
      if (spelling.size() > 2) names.emplace_back(spelling);
  }
  if (const GdbWord* other = gdb_word(word)) {
    refuse("No command \"$1\" here: $2", "\"$1\" 명령은 없습니다: $2",
           {std::string(word), text_of(other->english, other->korean)});
    return nullptr;
  }
  if (!word.empty() && fitting.size() == 1) return fitting.front();
  if (word.empty() || fitting.empty()) {
    const std::string near = nearest_word(word, names);
    if (near.empty())
      refuse("Undefined command: \"$1\". Try \"help\".", "그런 명령은 없습니다: \"$1\". \"help\"를 입력해 보세요.",
             {std::string(word)});
    else
      refuse("Undefined command: \"$1\". Did you mean \"$2\"?",
             "그런 명령은 없습니다: \"$1\". \"$2\" 명령을 찾으셨나요?", {std::string(word), near});
    return nullptr;
  }
  std::string all;
  for (const Command* one : fitting) all += (all.empty() ? "" : ", ") + std::string(one->name);
  refuse("Ambiguous command \"$1\": $2.", "\"$1\"에 맞는 명령이 여럿입니다: $2.", {std::string(word), all});
  return nullptr;
}

Stepper::Answer Stepper::run(std::string_view line) {
  answer_ = {};
  json_ = {};
  stopped_.clear();
  queue_.clear();
  if (!perform(line)) return answer_;
  run_queue();
  if (look_.ascii) {
    answer_.before = to_ascii(answer_.before);
    answer_.text = to_ascii(answer_.text);
    answer_.notes = to_ascii(answer_.notes);
  }
  if (!stopped_.empty()) json_.text("stopped", stopped_);
  json_.boolean("ok", answer_.ok).number("position", history_.position());
  if (const TraceEvent* last = history_.last(); last != nullptr && last->cycle) json_.number("cycle", *last->cycle);
  json_.number("block", block_).number("warp", warp_);
  if (lane()) json_.number("lane", *lane());
  const std::uint32_t next = next_line();
  if (lines_.has_sources() && next != 0) json_.text("file", lines_.file(next));
  json_.raw("line", next == 0 ? "null" : std::to_string(lines_.in_file(next))).text("text", answer_.text);
  answer_.json = json_.str();
  return answer_;
}

bool Stepper::perform(std::string_view line) {
  format_.clear();
  is_silent_ = false;
  line = trimmed(line);
  const std::string text(line.empty() && !is_reading_commands() ? last_line_ : std::string(line));
  if (text.empty()) return false;
  json_.text("command", shortened(text));
  if (is_reading_commands()) {
    keep_command(text);
    return true;
  }
  std::string_view rest(text);
  const std::string_view word = rest.substr(0, std::min(rest.find_first_of(" \t%/$&*(\""), rest.size()));
  rest.remove_prefix(word.size());
  const Command* command = find(word);
  if (command != nullptr && command->has_format && begins(trimmed(rest), "/")) rest = trimmed(rest);  // "p /x %r"
  if (begins(rest, "/")) {
    const std::string_view format = rest.substr(1, rest.find_first_of(" \t%$&*(\"") - 1);
    format_ = std::string(format);
    rest.remove_prefix(std::min(1 + format.size(), rest.size()));
  }
  rest = trimmed(rest);
  if (command != nullptr && !format_.empty() && !command->has_format) {
    refuse("$1 takes no format: /$2.", "$1 뒤에는 형식을 쓰지 않습니다: /$2.", {std::string(command->name), format_});
  } else if (command != nullptr && command->usage.empty() && !rest.empty()) {
    refuse("$1 takes nothing after it: \"$2\".", "$1 뒤에는 아무것도 쓰지 않습니다: \"$2\".",
           {std::string(command->name), std::string(rest)});
  } else if (command != nullptr) {
    if (command->run != &Stepper::list) list_from_ = listed_from_ = 0;
    (this->*command->run)(rest);
    last_line_ = command->repeats ? text : "";
    if (command->run == &Stepper::list) last_line_ = rest == "-" ? "list -" : "list";
    if (command->run == &Stepper::examine) last_line_ = format_.empty() ? "x" : "x/" + format_;
  }
  if (is_at_trap()) came_to_trap_ = true;
  return true;
}

// Broken at blanks where it is too wide; what goes on below begins `hang` columns further right.
void Stepper::say(std::string_view text, std::size_t hang, std::size_t indent) {
  const std::size_t width = std::max(look_.width, kLeastWidth);
  const std::size_t tab = text.find('\t');
  std::string lines;
  if (tab != std::string_view::npos) {  // "33\tcode"
    std::string before(text.substr(0, tab));
    for (const std::string& part : wrapped_at(text.substr(tab + 1), width - kTab)) {
      lines += before + "\t" + part + "\n";
      before.clear();
    }
  } else {
    const std::size_t room = width - std::min(indent, width / 2);
    const bool whole = columns_of(text) <= room;
    std::size_t blanks = std::min(indent, width / 2);
    for (const std::string& part : wrapped_at(text, whole ? room : room - std::min(hang, room / 2))) {
      lines += std::string(blanks, ' ') + part + "\n";
      if (blanks == std::min(indent, width / 2)) blanks += std::min(hang, room / 2);
    }
  }
  answer_.text += lines;
  answer_.notes += lines;
}

// Items side by side in columns, as many as fit.
void Stepper::say_columns(const std::vector<std::string>& items) {
  std::size_t widest = 1;
  for (const std::string& item : items) widest = std::max(widest, columns_of(item) + 2);
  const std::size_t columns = std::max<std::size_t>(1, std::max(look_.width, kLeastWidth) / widest);
  std::string row;
  for (std::size_t k = 0; k < items.size(); ++k) {
    const bool last = (k + 1) % columns == 0 || k + 1 == items.size();
    row += last ? items[k] : fitted(items[k], widest, "");
    if (!last) continue;
    say(row, 2, 2);
    row.clear();
  }
}

void Stepper::refuse(std::string_view english, std::string_view korean, StepperWords words) {
  answer_.text.clear();
  answer_.notes.clear();
  answer_.ok = false;
  say(filled(look_.language, english, korean, words, kLongestEcho), 0);
}

std::optional<unsigned> Stepper::lane() const { return lane_ && has_lane(threads(), *lane_) ? lane_ : std::nullopt; }

std::string Stepper::lanes_words(LaneMask lanes) const {
  if (look_.language == Language::Korean) return lanes == 0 ? "없음" : "Lane " + lane_ranges(lanes);
  return lanes_in_words(lanes);
}

void Stepper::help(std::string_view rest) {
  if (const std::string_view word = rest.substr(0, rest.find(' ')); word != rest && (word == "info" || word == "i"))
    return help(word);  // one subject: all of them are a screen
  if (const GdbWord* other = gdb_word(rest))
    return say(text_of("No command \"$1\" here: $2", "\"$1\" 명령은 없습니다: $2",
                       {std::string(rest), text_of(other->english, other->korean)}),
               0);
  const Command* only = rest.empty() ? nullptr : find(rest);
  if (!rest.empty() && only == nullptr) return;
  for (const Command& one : kCommands) {
    if (only != nullptr && only != &one) continue;
    const bool joined = one.usage.substr(0, 2) == "[/";
    const std::string left = std::string(one.name) +
                             (one.usage.empty() ? ""
                              : joined          ? ""
                                                : " ") +
                             std::string(one.usage);
    say(fitted(left, std::max(kHelpColumn, columns_of(left) + 1), "") + text_of(one.english, one.korean), kHelpColumn);
    if (only == nullptr) continue;
    if (!one.aliases.empty()) report("also: $1", "같은 명령: $1", {std::string(one.aliases)});
    if (one.repeats) report("Enter does it again.", "Enter를 누르면 되풀이합니다.");
    if (one.usage.starts_with("[/"))
      report(
          "F: x hexadecimal, z with its zeros, d signed, u unsigned, o octal, t binary, f float, c character: the "
          "bits as they are.",
          "F: x 16진수, z 앞의 0까지, d 부호 있음, u 부호 없음, o 8진수, t 2진수, f 부동소수점, c 문자: 비트를 "
          "그대로 읽습니다.");
    if (!one.more_english.empty()) report(one.more_english, one.more_korean);
    if (one.run == &Stepper::info) help_info();
    if (one.usage.find("LINE") != std::string_view::npos)
      report("LINE: a number, a label of the program, or either after the program's name: NAME:9.",
             "LINE: 줄 번호나 프로그램의 레이블. 앞에 프로그램 이름을 붙일 수도 있습니다: NAME:9.");
    if (one.usage.find("COND") != std::string_view::npos)
      report(
          "COND: %r#4 == 7, all(%r > 0.5), input[3] != 0. A bare %r > 10 holds if it is true on any lane that stands "
          "there; of watch %r#4, on lane 4.",
          "COND: %r#4 == 7, all(%r > 0.5), input[3] != 0. %r > 10처럼 Lane 없이 쓰면 그곳에 있는 Lane 가운데 "
          "하나에서라도 "
          "참이면 성립합니다. watch %r#4에서는 Lane 4에서 참일 때입니다.");
  }
  if (only == nullptr)
    report("Enter repeats a motion. A prefix that fits one command stands for it, and gdb's words do: help COMMAND.",
           "Enter는 이동을 되풀이합니다. 하나에만 맞는 앞부분과 gdb의 명령도 쓸 수 있습니다: help COMMAND.");
}

std::vector<std::string> Stepper::words_of_commands() const {
  std::vector<std::string> words;
  for (const Command& one : kCommands) {
    words.emplace_back(one.name);
    for (const std::string_view alias : split(one.aliases))
      if (alias.size() > 2) words.emplace_back(alias);
  }
  return words;
}

std::vector<std::string> Stepper::complete(std::string_view line, std::size_t& from) const {
  const std::size_t first = line.find_first_not_of(" \t");
  const std::size_t blank = first == std::string_view::npos ? first : line.find_first_of(" \t/", first);
  std::vector<std::string> words;
  if (blank == std::string_view::npos) {
    from = std::min(first, line.size());
    words = words_of_commands();
  } else {
    from = line.find_last_of(" \t(![],<>=&|+-*/") + 1;
    const std::string_view command = line.substr(first, blank - first);
    if (!command.empty() && begins("help", command)) words = words_of_commands();
    else if (begins("info", command)) words = words_of_info();
    else if (begins(line.substr(from), "$"))
      for (const TraceRegister& one : head().registers) words.push_back("$" + one.name.substr(1));
    else if (begins(line.substr(from), "%"))
      for (const TraceRegister& one : head().registers) words.push_back(one.name);
    else {
      for (const TraceParam& one : head().params) words.push_back(one.name);
      for (const TraceShared& one : head().shared) words.push_back(one.name);
    }
  }
  const std::string_view begun = line.substr(from);
  words.erase(std::remove_if(words.begin(), words.end(), [&](const std::string& one) { return !begins(one, begun); }),
              words.end());
  std::sort(words.begin(), words.end());
  return words;
}

std::vector<std::string> split_commands(std::string_view text) {
  std::vector<std::string> list(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ';' && depth <= 0) list.emplace_back();
    else list.back() += c;
  }
  return list;
}

}  // namespace warpsim::tools
