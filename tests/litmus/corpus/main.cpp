// warpsim_litmus DIR EXPECTED.csv: judges the PTX litmus tests below a folder, and compares with the expected verdicts.
//
// Shapes: a line of the csv is `PATH,1` or `PATH,0`: whether the test's question is answered as its quantifier wants.
//         Paths are relative to DIR. Tests without a line there are counted and not judged: those of the public
//         collection ask whether a program ends, which the model does not say. Prints a table; with -v a line for each
//         file, too.
// Units:  none.
// Errors: 0 no disagreement; 1 a disagreement; 2 usage; 3 something could not be read.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/litmus/litmus_text.h"
#include "tests/litmus/model.h"

namespace {

namespace fs = std::filesystem;
using namespace warpsim::litmus;

struct Table {
  std::size_t files = 0, expected = 0, agree = 0, cut = 0;
  std::vector<std::string> disagree;
  std::map<std::string, std::size_t> refused;
};

// Without what differs from file to file.
std::string reason(const std::string& refused) { return refused.substr(0, refused.find(':')); }

std::map<std::string, bool> read_expected(const std::string& path) {
  std::map<std::string, bool> expected;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t comma = line.rfind(',');
    if (comma != std::string::npos && comma + 1 < line.size()) expected[line.substr(0, comma)] = line[comma + 1] == '1';
  }
  return expected;
}

void judge_file(const fs::path& root, const fs::path& path, const std::map<std::string, bool>& expected, bool verbose,
                Table& table) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  if (!text.str().starts_with("PTX")) return;
  ++table.files;
  const std::string name = fs::relative(path, root).generic_string();
  const auto wanted = expected.find(name);
  if (wanted == expected.end()) return;
  ++table.expected;
  const ReadText read = read_litmus(text.str());
  const Verdict verdict = read.refused.empty() ? judge(read.program) : Verdict{};
  const std::string& refused = read.refused.empty() ? verdict.refused : read.refused;
  if (!refused.empty()) {
    ++table.refused[reason(refused)];
    if (verbose) std::printf("%s: refused: %s\n", name.c_str(), refused.c_str());
    return;
  }
  const bool answer = satisfied(read.program, verdict);
  table.cut += verdict.cut ? 1 : 0;
  if (verbose)
    std::printf("%s: %d%s, %zu outcomes, %llu candidates\n", name.c_str(), answer ? 1 : 0,
                verdict.racy() ? ", races" : "", verdict.outcomes.size(),
                static_cast<unsigned long long>(verdict.candidates));
  if (answer == wanted->second) ++table.agree;
  else table.disagree.push_back(name + ": " + (answer ? "1" : "0") + ", expected " + (wanted->second ? "1" : "0"));
}

void line(const std::string& what, std::size_t count) { std::printf("%-60s %6zu\n", what.c_str(), count); }

void print(const Table& table) {
  std::size_t refused = 0;
  for (const auto& [why, count] : table.refused) refused += count;
  line("tests of PTX", table.files);
  line("  without an expected verdict, not judged", table.files - table.expected);
  line("  with an expected verdict", table.expected);
  line("    judged", table.expected - refused);
  line("      agree", table.agree);
  line("      disagree", table.disagree.size());
  line("      of these, with longer loops cut off", table.cut);
  for (const auto& [why, count] : table.refused) line("    refused: " + why, count);
  for (const std::string& each : table.disagree) std::printf("DISAGREES %s\n", each.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const bool verbose = std::erase(words, "-v") != 0;
  if (words.size() != 2) {
    std::fputs("usage: warpsim_litmus [-v] DIR EXPECTED.csv\n", stderr);
    return 2;
  }
  const std::map<std::string, bool> expected = read_expected(words[1]);
  if (!fs::is_directory(words[0]) || expected.empty()) {
    std::fputs("warpsim_litmus: no folder, or no expected verdicts: lines of PATH,1 or PATH,0\n", stderr);
    return 3;
  }
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(words[0]))
    if (entry.path().extension() == ".litmus") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  Table table;
  for (const fs::path& path : paths) judge_file(words[0], path, expected, verbose, table);
  print(table);
  return table.disagree.empty() ? 0 : 1;
}
