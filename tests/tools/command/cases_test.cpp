// Every file of tests/cases/: the `warpsim` command prints exactly what the file says, and exits as it says.
//
// WARPSIM_REBASE=1 rewrites the files with what the command prints now: read the diff before you commit it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/tools/command/one_file_case.h"

namespace warpsim {
namespace cases_test {

namespace fs = std::filesystem;

std::vector<fs::path> case_files() {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(WARPSIM_SOURCE_DIR "/tests/cases"))
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(Cases, EveryFileIsWhatTheCommandDoes) {
  const std::string folder = fs::path(WARPSIM_BINARY).parent_path().string();
  const bool rebase = std::getenv("WARPSIM_REBASE") != nullptr;
  const std::vector<fs::path> files = case_files();
  EXPECT_GE(files.size(), 50u);
  for (const fs::path& file : files) {
    const std::string text = read(file);
    const ParsedCase parsed = parse_case(text);
    if (!parsed.error.empty() && !rebase) {
      ADD_FAILURE() << file << ": " << parsed.error;
      continue;
    }
    const std::string now = to_text(run_case(parsed.one, folder));
    if (rebase) std::ofstream(file, std::ios::binary) << now;
    else EXPECT_EQ(text, now) << file;
  }
}

// A case whose name begins with bad- must fail, and any other must not: a rebase cannot turn one into the other.
TEST(Cases, NamesSayWhetherTheyFail) {
  for (const fs::path& file : case_files()) {
    const bool is_bad = file.filename().string().rfind("bad-", 0) == 0;
    EXPECT_EQ(parse_case(read(file)).one.exit_code != 0, is_bad) << file;
  }
}

TEST(Cases, ATextIsReadAsItIsWritten) {
  const OneFileCase one{"# c\n", "warpsim x", {{"a.warp", "text\n"}, {"b.json", "[1]"}}, "in", "out\n", "", 3};
  const OneFileCase back = parse_case(to_text(one)).one;
  EXPECT_EQ(to_text(back), to_text(one));
  EXPECT_EQ(back.files, one.files);
  EXPECT_EQ(back.in, "in");
  EXPECT_EQ(back.exit_code, 3);
}

}  // namespace cases_test
}  // namespace warpsim
