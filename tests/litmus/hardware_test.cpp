// What an H200 showed of programs/litmus beside what the model allows, and the tables of docs/ordering.md.
//
// Shapes: a capture's line is a program, all words of its buffers in the order of the parameters, and how often they
// came
//         out. A GPU shows only a part of what the model allows; nothing else may be among it.
// Errors: WARPSIM_REBASE=1 writes the table of outcomes anew.
// Source: tests/data/h200_litmus.txt, made by tools/cuda/benchmarks/litmus.cpp.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/launch/launch.h"
#include "tests/litmus/model.h"
#include "tests/litmus/program_from.h"
#include "tests/support/program_run.h"

namespace warpsim::litmus {
namespace hardware_test {

using Words = std::vector<std::uint64_t>;
using Lines = std::vector<std::string>;

constexpr std::uint64_t kRuns = 10'000'000;
// ptxas removes a loop of plain loads that does nothing but wait, and with it the wait: `mp_blocks_weak_flag`, compiled
// for sm_90, reads `data` without ever reading `flag`. So what ran was another program than the one written.
const std::map<std::string, std::set<Words>> kWithoutItsLoop = {{"mp_blocks_weak_flag", {{1, 1, 0}}}};
constexpr std::size_t kShown = 8;  // outcomes that a cell of the table lists

struct Seen {
  std::map<Words, std::uint64_t> outcomes;
  std::uint64_t runs = 0;
  bool ends = true;
};

std::map<std::string, Seen> capture() {
  std::map<std::string, Seen> programs;
  std::istringstream lines(testing::source_text("tests/data/h200_litmus.txt"));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream cells(line);
    std::string name, cell;
    cells >> name;
    Seen& seen = programs[name];
    Words words;
    while (cells >> cell && cell != "does") {
      if (cell.front() != 'x') {
        words.push_back(std::stoull(cell, nullptr, 16));
        continue;
      }
      seen.outcomes[words] += std::stoull(cell.substr(1));
      seen.runs += std::stoull(cell.substr(1));
    }
    if (cell == "does") seen.ends = false;
  }
  return programs;
}

struct Judged {
  std::set<Words> allowed;
  Lines names;  // of the words
  Lines races;  // the labels at which its case expects a report
};

std::string label_at(const warpsim::Lesson& lesson, const std::string& text, std::int32_t pc) {
  std::istringstream lines(text);
  std::string line;
  for (std::uint32_t k = lesson.code[static_cast<std::size_t>(pc)].where.line; k > 0; --k) std::getline(lines, line);
  return line.substr(0, line.find(':'));
}

Judged judged(const std::string& name) {
  const std::string text = testing::source_text("programs/litmus/" + name + ".warp");
  const Assembled made = assemble(text, name + ".warp");
  EXPECT_NE(made.lesson(), nullptr) << made.diagnostics.render();
  CaseOverrides overrides;
  overrides.lanes = 4;  // what the threads do beside the two or three that matter is the same at 32 lanes
  const std::variant<PreparedCase, LaunchError> prepared =
      prepare_case(*made.lesson(), made.lesson()->cases.at(0), overrides);
  const PreparedCase& ready = std::get<PreparedCase>(prepared);
  const FromProgram from = litmus_of(*made.lesson(), ready);
  EXPECT_EQ(from.refused, "");
  const Verdict verdict = judge(from.program);
  EXPECT_EQ(verdict.refused, "");
  Judged result{buffers_of(*made.lesson(), from.program, verdict.outcomes), {}, {}};
  for (const Location& location : from.program.locations)
    for (const Param& param : made.lesson()->params)
      if (location.name.starts_with(param.name + "[")) result.names.push_back(location.name);
  for (const ExpectedFinding& each : ready.findings)
    result.races.push_back("`" + label_at(*made.lesson(), text, each.pc) + "`");
  return result;
}

// Programs of programs/litmus, sorted.
std::map<std::string, Judged> all_judged() {
  std::map<std::string, Judged> programs;
  for (const auto& entry : std::filesystem::directory_iterator(WARPSIM_SOURCE_DIR "/programs/litmus"))
    programs[entry.path().stem().string()] = judged(entry.path().stem().string());
  return programs;
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string joined(const Lines& parts, const std::string& between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

// Which words differ among the outcomes.
std::vector<std::size_t> varying(const std::set<Words>& outcomes) {
  std::vector<std::size_t> varies;
  for (std::size_t k = 0; k < outcomes.begin()->size(); ++k) {
    std::set<std::uint64_t> values;
    for (const Words& words : outcomes) values.insert(words[k]);
    if (values.size() > 1) varies.push_back(k);
  }
  return varies;
}

// | program | words | seen | allowed, not seen | reported at |
std::string row_of(const std::string& name, const Judged& program, const Seen& seen) {
  std::set<Words> both = program.allowed;
  for (const auto& [outcome, times] : seen.outcomes) both.insert(outcome);
  const std::vector<std::size_t> varies = varying(both);
  const auto shown = [&](const Words& words) {
    Lines values;
    for (const std::size_t k : varies) values.push_back(std::to_string(words[k]));
    return varies.empty() ? "one outcome" : "`" + joined(values, " ") + "`";
  };
  Lines words, came, missing;
  for (const std::size_t k : varies) words.push_back("`" + program.names[k] + "`");
  std::pair<std::uint64_t, Words> rarest{~std::uint64_t{0}, {}};
  for (const auto& [outcome, times] : seen.outcomes) {
    came.push_back(shown(outcome) + " " + with_commas(times));
    if (times < rarest.first) rarest = {times, outcome};
  }
  for (const Words& outcome : program.allowed)
    if (!seen.outcomes.contains(outcome)) missing.push_back(shown(outcome));
  if (came.size() > kShown)
    came = {std::to_string(came.size()) + " outcomes, the rarest " + shown(rarest.second) + " " +
            with_commas(rarest.first)};
  if (missing.size() > kShown) missing = {std::to_string(missing.size()) + " outcomes"};
  if (!seen.ends) came = {"it never ended"};
  return "| `" + name + "` | " + joined(words, " ") + " | " + joined(came, ", ") + " | " + joined(missing, ", ") +
         " | " + joined(program.races, ", ") + " |";
}

Lines rows_now() {
  Lines rows;
  const std::map<std::string, Seen> seen = capture();
  for (const auto& [name, program] : all_judged()) rows.push_back(row_of(name, program, seen.at(name)));
  return rows;
}

const std::string kPage = WARPSIM_SOURCE_DIR "/docs/ordering.md";

// The page's lines from one heading to the next.
Lines section(const std::string& heading) {
  Lines lines;
  bool inside = false;
  std::istringstream page(testing::source_text("docs/ordering.md"));
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) inside = line == heading;
    else if (inside) lines.push_back(line);
  }
  return lines;
}

TEST(H200Litmus, ShowsNothingThatTheModelForbids) {
  const std::map<std::string, Seen> seen = capture();
  const std::map<std::string, Judged> programs = all_judged();
  std::size_t observed = 0;
  for (const auto& [name, program] : programs) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(seen.contains(name)) << "it is not in the capture";
    EXPECT_TRUE(seen.at(name).runs >= kRuns || !seen.at(name).ends);
    std::set<Words> forbidden;
    for (const auto& [outcome, times] : seen.at(name).outcomes)
      if (!program.allowed.contains(outcome)) forbidden.insert(outcome);
    const auto known = kWithoutItsLoop.find(name);
    EXPECT_EQ(forbidden, known == kWithoutItsLoop.end() ? std::set<Words>{} : known->second);
    observed += seen.at(name).outcomes.size();
  }
  EXPECT_EQ(programs.size(), seen.size());
  EXPECT_GE(observed, 190U);
}

// Without these the captures would not show that weak behaviour could have been seen at all.
TEST(H200Litmus, ShowsWeakBehaviour) {
  const std::map<std::string, Seen> seen = capture();
  EXPECT_TRUE(seen.at("mp_blocks_relaxed").outcomes.contains({1, 1, 0}));
  EXPECT_TRUE(seen.at("sb_blocks_st_release_ld_acquire").outcomes.contains({1, 1, 0, 0}));
  EXPECT_TRUE(seen.at("lb_blocks_st_relaxed").outcomes.contains({1, 1, 1, 1}));
  EXPECT_TRUE(seen.at("iriw_blocks_relaxed").outcomes.contains({1, 1, 1, 0, 1, 0}));
  EXPECT_TRUE(seen.at("two_plus_two_w_relaxed").outcomes.contains({1, 1}));
}

TEST(OrderingPage, HasTheOutcomes) {
  const Lines now = rows_now();
  Lines shown;
  for (const std::string& line : section("## What an H200 showed"))
    if (line.starts_with("| `")) shown.push_back(line);
  if (std::getenv("WARPSIM_REBASE") != nullptr && shown != now) {
    std::string page = testing::source_text("docs/ordering.md");
    const std::string rule = "|---|---|---|---|---|\n";
    const std::size_t from = page.find(rule, page.find("## What an H200 showed")) + rule.size();
    std::size_t to = from;
    while (page.compare(to, 1, "|") == 0) to = page.find('\n', to) + 1;
    page.replace(from, to - from, joined(now, "\n") + "\n");
    std::ofstream(kPage) << page;
  }
  EXPECT_EQ(shown, now) << "WARPSIM_REBASE=1 writes the table anew";
}

Lines cells_of(const std::string& row) {
  Lines cells;
  std::istringstream text(row.substr(2));
  for (std::string cell; std::getline(text, cell, '|');)
    if (cell.size() > 1) cells.push_back(cell.substr(cell.front() == ' ' ? 1 : 0, cell.find_last_not_of(' ') + 1));
  return cells;
}

Lines in_backticks(const std::string& cell) {
  Lines found;
  std::istringstream text(cell);
  for (std::string part; std::getline(text, part, '`') && std::getline(text, part, '`');) found.push_back(part);
  return found;
}

// CUDA C++ | PTX | verdict | why | program: the program has that PTX, and its case expects what the verdict says.
TEST(OrderingPage, IdiomsAreTestedPrograms) {
  std::size_t idioms = 0;
  for (const std::string& line : section("## Idioms")) {
    if (!line.starts_with("| ") || line.starts_with("| CUDA")) continue;
    SCOPED_TRACE(line);
    const Lines cells = cells_of(line);
    ASSERT_EQ(cells.size(), 5U);
    const std::string name = in_backticks(cells[4]).at(0);
    const std::string text = testing::source_text("programs/litmus/" + name + ".warp");
    ASSERT_NE(text, "");
    for (const std::string& ptx : in_backticks(cells[1])) EXPECT_NE(text.find(ptx), std::string::npos) << ptx;
    EXPECT_EQ(cells[2].starts_with("race"), !judged(name).races.empty()) << cells[2];
    EXPECT_TRUE(cells[2].starts_with("race") || cells[2].starts_with("right") || cells[2].starts_with("no race"));
    ++idioms;
  }
  EXPECT_GE(idioms, 30U);
}

}  // namespace hardware_test
}  // namespace warpsim::litmus
