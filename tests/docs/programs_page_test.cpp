// programs/README.md is what running all cases of all programs says, and every program runs at 8, 16, 32 and 64 lanes
// or says why not.
//
// WARPSIM_REBASE=1 writes the page anew.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
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
    if (line == "# The mistakes") break;
    if (line.rfind("| [", 0) != 0) continue;
    ++programs;
    const std::vector<std::string> cells = cells_of(line);
    ASSERT_EQ(cells.size(), 14U) << line;  // six, seven lane counts, the reasons
    EXPECT_NE(cells[3], "") << "where it comes from: " << line;
    EXPECT_NE(cells[4], "") << "the heading there: " << line;
    const std::vector<std::string> lanes = {"1", "2", "4", "8", "16", "32", "64"};
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      const std::string& verdict = cells[6 + k];
      EXPECT_NE(verdict, "FAIL") << line;
      if (k < 3 || verdict == "ok") continue;
      EXPECT_EQ(verdict, "exempt") << line;
      EXPECT_NE((", " + cells[13]).find(lanes[k]), std::string::npos) << line;
    }
  }
  EXPECT_GT(programs, 0);
}

TEST(ProgramsPage, TheMistakesShowWhatTheirCasesSay) {
  const std::string page = read(kPage);
  const std::size_t begin = page.find("\n# The mistakes\n");
  ASSERT_NE(begin, std::string::npos);
  for (const char* verdict : {"FAIL", "runs", "exempt"})
    EXPECT_EQ(page.find(verdict, begin), std::string::npos) << verdict;
}

TEST(ProgramsPage, HasEveryProgram) {
  const std::map<std::string, std::string> groups = {
      {"shuffle",
       "idx_broadcast idx_gather up down bfly_masks widths out_of_range member_masks type_s32 type_u32 type_f32 "
       "type_s64 "
       "type_u64 type_f64 type_f16 type_f16x2 struct_members split_64 pointer_value xor_twice lane_number"},
      {"reduce",
       "sum_down sum_bfly min_down min_bfly max_down max_bfly and_down and_bfly or_down or_bfly xor_down xor_bfly "
       "by_width then_broadcast argmax dual_min_max dot_product mean_variance first_valid"},
      {"scan",
       "hillis_steele_inclusive hillis_steele_exclusive blelloch min max product segmented work_offsets "
       "radix_sort_split"},
      {"permute",
       "rotate reverse stencil_3 stencil_5 transpose bitonic_sort odd_even_merge_sort fft_radix2 walsh_hadamard "
       "convolution backward_difference trailing_average"},
      {"coord",
       "leader_election compact_ballot compact_scan quicksort_partition quicksort load_balance match_histogram "
       "aggregated_atomics conditional_gather frontier_expansion collective_decision parallel_filter adaptive_filter "
       "quality_control"},
      {"graph", "connected_components tree_traversal"},
      {"block", "sum prefix_sum broadcast histogram grid_reduction"},
      {"twin",
       "pair_swap_shared neighbor_difference_shared neighbor_difference_global broadcast_shared reduction_shared "
       "prefix_sum_simple"},
  };
  const std::string page = read(kPage);
  for (const auto& [group, names] : groups) {
    std::istringstream words(names);
    for (std::string name; words >> name;) {
      const std::string row = "| [" + name + "](" + group + "/" + name + ".warp) |";
      EXPECT_NE(page.find(row), std::string::npos) << group << "/" << name;
    }
  }
}

}  // namespace
