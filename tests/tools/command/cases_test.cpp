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

const fs::path kCases = WARPSIM_SOURCE_DIR "/tests/cases";

std::vector<fs::path> case_files(const fs::path& folder = kCases) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The folders of tests/cases/: a verb each.
std::vector<std::string> case_folders() {
  std::vector<std::string> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(kCases))
    if (entry.is_directory()) folders.push_back(entry.path().filename().string());
  std::sort(folders.begin(), folders.end());
  return folders;
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A test a folder, so that processes can share the work.
class Cases : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Verbs, Cases, testing::ValuesIn(case_folders()),
                         [](const auto& folder) { return folder.param; });

TEST_P(Cases, AreWhatTheCommandDoes) {
  const std::string binaries = fs::path(WARPSIM_BINARY).parent_path().string();
  const bool rebase = std::getenv("WARPSIM_REBASE") != nullptr;
  const std::vector<fs::path> files = case_files(kCases / GetParam());
  EXPECT_FALSE(files.empty());
  for (const fs::path& file : files) {
    const std::string text = read(file);
    const ParsedCase parsed = parse_case(text);
    if (!parsed.error.empty() && !rebase) {
      ADD_FAILURE() << file << ": " << parsed.error;
      continue;
    }
    const std::string now = to_text(run_case(parsed.one, binaries));
    if (rebase) std::ofstream(file, std::ios::binary) << now;
    else EXPECT_EQ(text, now) << file;
  }
}

// A case whose name begins with bad- must fail, and any other must not: a rebase cannot turn one into the other.
TEST(CaseFiles, NamesSayWhetherTheyFail) {
  EXPECT_GE(case_files().size(), 400u);
  for (const fs::path& file : case_files()) {
    const bool is_bad = file.filename().string().rfind("bad-", 0) == 0;
    EXPECT_EQ(parse_case(read(file)).one.exit_code != 0, is_bad) << file;
  }
}

TEST(CaseFiles, ATextIsReadAsItIsWritten) {
  const OneFileCase one{"# c\n", "warpsim x", {{"a.warp", "text\n"}, {"b.json", "[1]"}}, "in", "out\n", "", 3};
  const OneFileCase back = parse_case(to_text(one)).one;
  EXPECT_EQ(to_text(back), to_text(one));
  EXPECT_EQ(back.files, one.files);
  EXPECT_EQ(back.in, "in");
  EXPECT_EQ(back.exit_code, 3);
}

}  // namespace cases_test
}  // namespace warpsim
