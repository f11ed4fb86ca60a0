// programs/README.md is what running all cases of all programs says, and every program runs at 8, 16, 32 and 64 lanes
// or says why not.
//
// WARPSIM_REBASE=1 writes the page anew.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

const std::string kPage = std::string(WARPSIM_SOURCE_DIR) + "/programs/README.md";

std::string read(const std::string& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string page_now() {
  FILE* pipe = popen(("'" + std::string(WARPSIM_BINARY) + "' list --markdown").c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::string text;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
  pclose(pipe);
  return text;
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> cells;
  for (std::size_t from = 0; from + 1 < row.size();) {
    std::size_t bar = row.find(" |", from);
    while (bar != std::string::npos && row[bar - 1] == '\\') bar = row.find(" |", bar + 1);
    if (bar == std::string::npos) break;
    cells.push_back(row.substr(std::min(from + 2, bar), bar - std::min(from + 2, bar)));
    from = bar + 1;
  }
  return cells;
}

TEST(ProgramsPage, IsWhatTheRunsSay) {
  const std::string now = page_now();
  if (std::getenv("WARPSIM_REBASE") != nullptr) std::ofstream(kPage) << now;
  EXPECT_EQ(read(kPage), now) << "run this test with WARPSIM_REBASE=1 and read the difference";
}

TEST(ProgramsPage, EveryProgramRunsFromEightLanesOnOrSaysWhyNot) {
  std::istringstream lines(read(kPage));
  int programs = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| [", 0) != 0) continue;
    ++programs;
    const std::vector<std::string> cells = cells_of(line);
    ASSERT_EQ(cells.size(), 13U) << line;  // five, seven lane counts, the reasons
    const std::vector<std::string> lanes = {"1", "2", "4", "8", "16", "32", "64"};
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      const std::string& verdict = cells[5 + k];
      EXPECT_NE(verdict, "FAIL") << line;
      if (k < 3 || verdict == "ok") continue;
      EXPECT_EQ(verdict, "exempt") << line;
      EXPECT_NE((", " + cells[12]).find(lanes[k]), std::string::npos) << line;
    }
  }
  EXPECT_GE(programs, 10);
}

}  // namespace
