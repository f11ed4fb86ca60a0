// tests/samples: every kernel of the list has a launch description and a capture, and none is there without the list.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "tests/tools/command/one_file_case.h"

namespace warpsim {
namespace {

const std::filesystem::path kSamples = WARPSIM_SOURCE_DIR "/tests/samples";

// NAME/ENTRY of each line of the list.
std::set<std::string> listed() {
  std::set<std::string> all;
  std::ifstream in(kSamples / "list.txt");
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string name, file, entry;
    words >> name >> file >> entry;
    EXPECT_TRUE(all.insert(name + "/" + entry).second) << name << " stands twice";
  }
  return all;
}

TEST(Samples, EachHasALaunchOfItsKernel) {
  std::set<std::string> described;
  for (const auto& one : std::filesystem::directory_iterator(kSamples)) {
    if (one.path().extension() != ".launch") continue;
    std::ifstream in(one.path());
    std::string line = "//";  // comments come first
    while (line.starts_with("//") && std::getline(in, line)) continue;
    std::string directive, entry;
    std::istringstream(line) >> directive >> entry;
    EXPECT_EQ(directive, ".kernel") << one.path();
    described.insert(one.path().stem().string() + "/" + entry);
  }
  EXPECT_EQ(described, listed());
  EXPECT_GE(described.size(), 60U);
}

TEST(Samples, EachHasACapture) {
  OneFileCase one;
  one.command = "tar -tJf " WARPSIM_SOURCE_DIR "/tests/data/h200_samples.tar.xz";
  const OneFileCase made = run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
  std::set<std::string> captured;
  std::istringstream lines(made.out);
  const std::string begin = "h200_samples/", end = ".json";
  for (std::string line; std::getline(lines, line);)
    if (line.ends_with(end)) captured.insert(line.substr(begin.size(), line.size() - begin.size() - end.size()));
  EXPECT_EQ(captured, listed());
}

}  // namespace
}  // namespace warpsim
