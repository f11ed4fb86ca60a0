// programs/ERRATA.md and programs/DOS_AND_DONTS.md say what is so: every command is run, and what is quoted from it
// comes out of it; every quoted measurement is in tests/data; every citation can be a line of its document; and what
// must be there is there.
//
// Shapes: a page is entries under `### citations title`. A ```console block is `$ warpsim …`, lines of its output in
//         their order, and `--- exit N` where that is not 0. `…` at a line's beginning or end means the rest of
//         it. An ```h200 block quotes whole lines of the captures. "> - 003:61 `words`" quotes a document; where the
//         texts contradict themselves, two such lines do in a command's place.
// Errors: check_page() returns what is wrong, one text each.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/support/vectors.h"

namespace warpsim::tests {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

struct Citation {
  std::size_t document = 0, from = 0, to = 0;
};

struct Command {
  std::string line;  // after "warpsim"
  Texts excerpt;
  int exit_code = 0;
};

struct Entry {
  std::string heading;
  std::vector<Citation> citations;  // of the heading
  std::vector<Command> commands;
  Texts quotes;  // of the five texts
};

struct Page {
  std::vector<Entry> entries;
  std::vector<Citation> citations;  // all of them
  Texts measurements;
};

std::string trimmed(const std::string& text) {
  const std::size_t from = text.find_first_not_of(' ');
  return from == std::string::npos ? "" : text.substr(from, text.find_last_not_of(' ') + 1 - from);
}

std::vector<Citation> citations_in(const std::string& text) {
  static const std::regex form("([0-9]{3}):([0-9]+)(?:-([0-9]+))?");
  std::vector<Citation> found;
  for (std::sregex_iterator m(text.begin(), text.end(), form), end; m != end; ++m) {
    const std::size_t from = std::stoul((*m)[2]);
    found.push_back({std::stoul((*m)[1]), from, (*m)[3].matched ? std::stoul((*m)[3]) : from});
  }
  return found;
}

Page parse_page(const std::string& text) {
  Page page;
  std::string block;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      block = block.empty() ? line.substr(3) : "";
    } else if (block == "h200") {
      page.measurements.push_back(line);
    } else if (block == "console" && !page.entries.empty()) {
      std::vector<Command>& commands = page.entries.back().commands;
      if (line.starts_with("$ warpsim ")) commands.push_back({line.substr(10), {}, 0});
      else if (commands.empty()) continue;
      else if (line.starts_with("--- exit ")) commands.back().exit_code = std::stoi(line.substr(9));
      else commands.back().excerpt.push_back(trimmed(line));
    } else if (block.empty()) {
      const std::vector<Citation> found = citations_in(line);
      page.citations.insert(page.citations.end(), found.begin(), found.end());
      if (line.starts_with("### ")) page.entries.push_back({line.substr(4), found, {}, {}});
      else if (line.starts_with("> ") && !page.entries.empty()) page.entries.back().quotes.push_back(line.substr(2));
    }
  }
  return page;
}

// The program that a `$ warpsim` line runs: its standard output and error as lines, and its exit code.
std::pair<Texts, int> run(const std::string& arguments) {
  const std::string line =
      "cd '" + std::string(WARPSIM_SOURCE_DIR) + "' && '" + std::string(WARPSIM_BINARY) + "' " + arguments + " 2>&1";
  FILE* pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return {{}, -1};
  std::string text;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) text.append(buffer.data(), n);
  const int status = pclose(pipe);
  Texts lines;
  std::istringstream in(text);
  for (std::string one; std::getline(in, one);) lines.push_back(trimmed(one));
  return {lines, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

bool is_quoted_by(std::string quote, const std::string& line) {
  static const std::string kRest = "…";
  const bool open_front = quote.starts_with(kRest), open_back = quote.ends_with(kRest);
  if (open_front) quote = trimmed(quote.substr(kRest.size()));
  if (open_back) quote = trimmed(quote.substr(0, quote.size() - kRest.size()));
  if (open_front && open_back) return line.find(quote) != std::string::npos;
  if (open_front) return line.ends_with(quote);
  return open_back ? line.starts_with(quote) : line == quote;
}

Texts check_command(const Command& command) {
  const auto [output, exit_code] = run(command.line);
  Texts problems;
  if (exit_code != command.exit_code)
    problems.push_back("warpsim " + command.line + ": exit " + std::to_string(exit_code) + ", the page says " +
                       std::to_string(command.exit_code));
  if (command.excerpt.empty()) problems.push_back("warpsim " + command.line + ": nothing is quoted");
  std::size_t at = 0;
  for (const std::string& quote : command.excerpt) {
    while (at < output.size() && !is_quoted_by(quote, output[at])) ++at;
    if (at++ >= output.size()) {
      problems.push_back("warpsim " + command.line + ": does not print (there): " + quote);
      break;
    }
  }
  return problems;
}

// How many lines each document has.
constexpr std::array<std::size_t, 5> kDocumentLines = {667, 737, 1511, 811, 1454};

std::string to_text(const Citation& c) {
  std::string number = std::to_string(1000 + c.document).substr(1) + ":" + std::to_string(c.from);
  return c.to == c.from ? number : number + "-" + std::to_string(c.to);
}

Texts check_page(const Page& page) {
  Texts problems;
  for (const Entry& entry : page.entries) {
    if (entry.citations.empty()) problems.push_back("cites nothing: " + entry.heading);
    if (entry.commands.empty() && entry.quotes.size() < 2) problems.push_back("shows nothing: " + entry.heading);
    for (const std::string& quote : entry.quotes) {
      static const std::regex form("- [0-9]{3}:[0-9]+ `[^`]+`");
      if (!std::regex_match(quote, form)) problems.push_back("not a line and its words: " + quote);
    }
    for (const Command& command : entry.commands) {
      const Texts found = check_command(command);
      problems.insert(problems.end(), found.begin(), found.end());
    }
  }
  for (const Citation& c : page.citations) {
    if (c.document >= kDocumentLines.size() || c.from == 0 || c.to < c.from || c.to > kDocumentLines[c.document])
      problems.push_back("no such lines: " + to_text(c));
  }
  std::set<std::string> measured;
  for (const std::optional<std::string>& capture :
       {read_xz(data_path("h200_semantics.txt.xz")), read_file(data_path("h200_latency.txt")),
        read_file(data_path("h200_meetings.txt"))}) {
    std::istringstream lines(capture.value_or(""));
    for (std::string line; std::getline(lines, line);) measured.insert(line);
  }
  for (const std::string& line : page.measurements)
    if (!measured.contains(line)) problems.push_back("nobody measured: " + line);
  return problems;
}

// What the headings leave out of `wanted`, "003:61" or "003:144-146".
Texts not_covered(const Page& page, const Texts& wanted) {
  Texts missing;
  for (const std::string& text : wanted) {
    const Citation want = citations_in(text).at(0);
    bool is_covered = false;
    for (const Entry& entry : page.entries)
      for (const Citation& c : entry.citations)
        is_covered |= c.document == want.document && c.from <= want.from && want.to <= c.to;
    if (!is_covered) missing.push_back(text);
  }
  return missing;
}

std::string page_text(const std::string& name) {
  return read_file(std::string(WARPSIM_SOURCE_DIR) + "/programs/" + name).value_or("");
}

class PageTest : public ::testing::TestWithParam<std::string> {};

TEST_P(PageTest, SaysWhatIsSo) {
  const Page page = parse_page(page_text(GetParam()));
  EXPECT_GE(page.entries.size(), 20U);
  EXPECT_EQ(check_page(page), Texts{});
}

// `group/name`, `examples/…` and links lead to files.
TEST_P(PageTest, NamesWhatThereIs) {
  const std::string text = page_text(GetParam());
  static const std::regex name("`([a-z0-9]+/[a-z0-9_]+)`"), link("\\]\\(([^)]+)\\)");
  const fs::path programs = fs::path(WARPSIM_SOURCE_DIR) / "programs";
  for (std::sregex_iterator m(text.begin(), text.end(), name), end; m != end; ++m)
    EXPECT_TRUE(fs::exists(programs / ((*m)[1].str() + ".warp"))) << m->str();
  for (std::sregex_iterator m(text.begin(), text.end(), link), end; m != end; ++m)
    EXPECT_TRUE(fs::exists(programs / (*m)[1].str())) << m->str();
}

INSTANTIATE_TEST_SUITE_P(All, PageTest, ::testing::Values("ERRATA.md", "DOS_AND_DONTS.md"),
                         [](const auto& page) { return page.param.substr(0, page.param.find('.')); });

TEST(Errata, HasWhatMustBeThere) {
  const Texts wanted = {"003:61",    "003:522",     "003:63",      "003:144-146",   "003:441",      "003:379",
                        "003:763",   "003:72",      "003:163",     "004:268",       "003:150",      "004:384",
                        "004:26-29", "003:235-238", "000:603",     "000:607",       "002:1443",     "002:57",
                        "002:1005",  "004:661",     "002:42",      "004:41",        "004:166",      "004:964",
                        "004:1099",  "004:666",     "004:609-637", "004:1377-1406", "002:195",      "002:1099",
                        "002:1180",  "003:334",     "003:744-748", "004:640",       "002:1395-1396"};
  EXPECT_EQ(not_covered(parse_page(page_text("ERRATA.md")), wanted), Texts{});
}

// Each command that asks a GPU names one run that there is, and the captures of an H200, where they are, agree.
TEST(Errata, WhatTheH200GivesIsOneRunEach) {
  const std::string text = page_text("ERRATA.md"), captures = "traces/captures/h200";
  const bool captured = fs::is_directory(fs::path(WARPSIM_SOURCE_DIR) / captures);
  static const std::regex form("`warpsim (crosscheck [^`]+ --case [^`]+ --lanes [0-9]+)`");
  int commands = 0;
  for (std::sregex_iterator m(text.begin(), text.end(), form), end; m != end; ++m, ++commands) {
    const auto [output, exit_code] = run((*m)[1].str() + " --against " + (captured ? captures : "traces"));
    EXPECT_TRUE(std::any_of(output.begin(), output.end(), [captured](const std::string& line) {
      return line.starts_with("1 program, 1 run, ") && (!captured || line.ends_with(": all equal"));
    })) << m->str();
    EXPECT_TRUE(!captured || exit_code == 0) << m->str();
  }
  EXPECT_GE(commands, 20);
}

// Every numbered DO, DON'T and pitfall of 003:643-773, and the two lists of 003:531-541 line by line.
TEST(DosAndDonts, HasWhatTheGuideLists) {
  const Texts wanted = {"003:533", "003:534", "003:535", "003:536", "003:537", "003:539", "003:540", "003:541",
                        "003:647", "003:651", "003:655", "003:660", "003:664", "003:668", "003:674", "003:682",
                        "003:689", "003:696", "003:700", "003:704", "003:712", "003:729", "003:744", "003:763"};
  EXPECT_EQ(not_covered(parse_page(page_text("DOS_AND_DONTS.md")), wanted), Texts{});
}

// Each file of examples/pitfalls is on a page, and ends as it says there with more lanes too.
TEST(Pitfalls, EndAsThePagesSayAtAnyLaneCount) {
  std::set<std::string> shown;
  for (const char* name : {"ERRATA.md", "DOS_AND_DONTS.md"}) {
    for (const Entry& entry : parse_page(page_text(name)).entries) {
      for (const Command& command : entry.commands) {
        std::istringstream words(command.line);
        std::string verb, file;
        words >> verb >> file;
        if (!file.starts_with("examples/pitfalls/")) continue;
        shown.insert(fs::path(file).filename().string());
        for (const char* lanes : {"4", "16", "32", "64"})
          EXPECT_EQ(run("run " + file + " --lanes " + lanes).second, command.exit_code) << file << " at " << lanes;
      }
    }
  }
  std::set<std::string> there;
  for (const fs::directory_entry& entry : fs::directory_iterator(WARPSIM_SOURCE_DIR "/examples/pitfalls"))
    there.insert(entry.path().filename().string());
  EXPECT_EQ(shown, there);
}

// Whatever is wrong in a page is seen.
TEST(ErrataCheck, SeesMistakes) {
  const std::string good =
      "### 003:441 Title\n```console\n$ warpsim run shuffle/down --case whole\noutput: [2, 3, 4, 5, 6, 7, 6, 7]\n"
      "in_range: [1, 1, …\n```\n```h200\nlat.shfl.idx 25.922\n```\n";
  EXPECT_EQ(check_page(parse_page(good)), Texts{});
  const std::vector<std::tuple<std::string, std::string, std::string>> mistakes = {
      {"6, 7, 6, 7]", "6, 7, 6, 8]", "does not print"},
      {"in_range: [1, 1, …\n", "output: [2, …\n", "does not print"},  // the line was before
      {"in_range: [1, 1, …\n", "--- exit 1\n", "exit 0, the page says 1"},
      {"output: [2, 3, 4, 5, 6, 7, 6, 7]\nin_range: [1, 1, …\n", "", "nothing is quoted"},
      {"003:441", "003:4410", "no such lines: 003:4410"},
      {"003:441", "003:441-440", "no such lines: 003:441-440"},
      {"003:441", "005:1", "no such lines: 005:1"},
      {"003:441", "Here", "cites nothing"},
      {"```console", "```text", "shows nothing"},
      {"25.922", "2.0", "nobody measured"},
  };
  for (const auto& [taken, given, message] : mistakes) {
    std::string text = good;
    text.replace(text.find(taken), taken.size(), given);
    const Texts problems = check_page(parse_page(text));
    ASSERT_EQ(problems.size(), 1U) << message;
    EXPECT_NE(problems[0].find(message), std::string::npos) << problems[0];
  }
  EXPECT_EQ(not_covered(parse_page(good), {"003:441", "003:442"}), Texts{"003:442"});

  const std::string quoting = "### 003:61 Title\n> - 003:61 `so`\n> - 003:522 `or so`\n";
  EXPECT_EQ(check_page(parse_page(quoting)), Texts{});
  EXPECT_EQ(check_page(parse_page(quoting.substr(0, quoting.rfind("> ")))), Texts{"shows nothing: 003:61 Title"});
  EXPECT_EQ(check_page(parse_page(quoting + "> - `or`\n")), Texts{"not a line and its words: - `or`"});
  EXPECT_EQ(check_page(parse_page(quoting + "> - 003:812 `or`\n")), Texts{"no such lines: 003:812"});
}

}  // namespace
}  // namespace warpsim::tests
