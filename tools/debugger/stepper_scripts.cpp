// Lists of commands: those of a breakpoint, and those of a file.
//
// Shapes: what is still to be run waits in a queue. A breakpoint's commands come before what waited already, and go as
//         soon as one of them moves the run: the next stop has its own.
// Errors: the first command that is wrong ends the list, as in gdb; of a file its name and the line are said.
// Source: gdb's manual, "Breakpoint Command Lists" and "Command Files".
#include <algorithm>
#include <deque>
#include <fstream>
#include <iterator>

#include "isa/text/word.h"
#include "tools/debugger/stepper.h"

namespace warpsim::tools {
namespace {

constexpr std::size_t kMostLists = 10'000;     // that one command leads to
constexpr std::size_t kMostBytes = 1'000'000;  // of a file

}  // namespace

// # begins a remark where a word could begin; in %r#4 it names a lane.
std::string without_remark(const std::string& line) {
  for (std::size_t at = line.find('#'); at != std::string::npos; at = line.find('#', at + 1))
    if (at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t') return line.substr(0, at);
  return line;
}

void Stepper::run_queue() {
  if (queue_.empty()) return;
  std::deque<Queued> waiting(queue_.begin(), queue_.end());
  std::vector<std::string> jsons;
  const std::string repeated = last_line_;
  const JsonObject json = json_;
  std::string text = answer_.text, notes = answer_.notes, layout = answer_.layout, stopped = stopped_;
  for (std::size_t lists = 0; answer_.ok && !answer_.quit && !waiting.empty();) {
    const Queued one = std::move(waiting.front());
    waiting.pop_front();
    answer_ = {};
    json_ = {};
    stopped_.clear();
    queue_.clear();
    const std::size_t position = history_.position();
    if (lists < kMostLists) perform(one.text);
    else
      refuse("The lists of commands have been run $1 times: they lead to each other without an end.",
             "명령 목록을 $1번 실행했습니다. 서로 끝없이 이어집니다.", {std::to_string(lists)});
    if (!queue_.empty()) ++lists;
    while (one.of_stop && (history_.position() != position || !queue_.empty()) && !waiting.empty() &&
           waiting.front().of_stop)
      waiting.pop_front();
    waiting.insert(waiting.begin(), queue_.begin(), queue_.end());
    if (!stopped_.empty()) json_.text("stopped", stopped = stopped_);
    jsons.push_back(json_.boolean("ok", answer_.ok).text("text", answer_.text).str());
    if (!answer_.layout.empty()) layout = answer_.layout;
    if (!answer_.ok && !one.where.empty()) answer_.text = one.where + ": " + answer_.text;
    if (!answer_.ok) break;
    text += answer_.text;
    notes += answer_.notes;
  }
  if (answer_.ok) {
    answer_.text = std::move(text);
    answer_.notes = std::move(notes);
  } else {
    answer_.before = std::move(text);
  }
  answer_.layout = layout;
  last_line_ = repeated;
  json_ = json;
  json_.raw("commands", json_list(jsons));
  stopped_ = stopped;
}

// ---- of a breakpoint

void Stepper::read_commands(std::string_view rest) {
  if (rest.empty() && !stops_.empty()) reading_for_ = {stops_.back().number};
  else reading_for_ = numbers_from(rest);
  if (reading_for_.empty()) {
    if (answer_.ok)
      refuse("No breakpoint: `break LINE` sets one, `commands` is about the last.",
             "중단점이 없습니다. `break LINE`으로 만들면 `commands`는 마지막 것에 붙습니다.");
    return;
  }
  for (Stop& one : stops_)
    if (std::find(reading_for_.begin(), reading_for_.end(), one.number) != reading_for_.end()) one.commands.clear();
  std::string numbers;
  for (const int number : reading_for_) numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
  report("Commands for breakpoint $1, one a line; `end` closes the list.",
         "중단점 $1의 명령을 한 줄에 하나씩 씁니다. `end`로 끝냅니다.", {numbers});
}

void Stepper::keep_command(std::string_view line) {
  if (line == "end") return reading_for_.clear();
  for (Stop& one : stops_)
    if (std::find(reading_for_.begin(), reading_for_.end(), one.number) != reading_for_.end())
      one.commands.emplace_back(line);
}

// Before what waits already; `silent` is no command, but how the stop is said.
void Stepper::queue_commands_of(const Stop& one) {
  std::vector<Queued> commands;
  for (const std::string& command : one.commands)
    if (command != "silent") commands.push_back({command, "", true});
  queue_.insert(queue_.end(), commands.begin(), commands.end());
}

// ---- of a file

void Stepper::source(std::string_view rest) {
  if (rest.empty())
    return refuse("source wants a file of commands: source session.txt.",
                  "source에는 명령이 든 파일을 씁니다: source session.txt.");
  std::ifstream file{std::string(rest), std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file || text.size() > kMostBytes)
    return refuse("The file \"$1\" cannot be read.", "\"$1\" 파일을 읽을 수 없습니다.", {std::string(rest)});
  std::vector<Queued> commands;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    for (const std::string& one : split_commands(without_remark(std::string(line))))
      if (!trimmed(one).empty())
        commands.push_back({std::string(trimmed(one)), std::string(rest) + ":" + std::to_string(number), false});
  }
  queue_.insert(queue_.begin(), commands.begin(), commands.end());
}

}  // namespace warpsim::tools
