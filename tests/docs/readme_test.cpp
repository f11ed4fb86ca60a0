// What README.md shows is what the command prints: every ```console block is run and compared.
//
// WARPSIM_REBASE=1 writes the blocks anew. The block in "Your first program" that is no console block is first.warp.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace {

namespace fs = std::filesystem;
const fs::path kReadme = fs::path(WARPSIM_SOURCE_DIR) / "README.md";

std::string read(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Standard output of `command` in `folder`, `warpsim` being the command that was built.
std::string output_of(const std::string& command, const fs::path& folder) {
  const std::string line = "cd '" + folder.string() + "' && '" + WARPSIM_BINARY + "'" +
                           command.substr(std::string("warpsim").size()) + " 2>&1";
  FILE* pipe = popen(line.c_str(), "r");
  EXPECT_NE(pipe, nullptr);
  std::string text;
  char buffer[4096];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
  pclose(pipe);
  return text;
}

TEST(Readme, ShowsWhatTheCommandPrints) {
  const std::string readme = read(kReadme);
  const fs::path folder = fs::path(WARPSIM_BINARY_DIR) / "readme";
  fs::create_directories(folder);
  const std::size_t first = readme.find("```\n// ");
  ASSERT_NE(first, std::string::npos) << "the first program";
  std::ofstream(folder / "first.warp") << readme.substr(first + 4, readme.find("```", first + 4) - first - 4);

  std::istringstream in(readme);
  std::string now, line, command;
  bool in_block = false;
  int commands = 0;
  while (std::getline(in, line)) {
    if (line == "```console") in_block = true;
    else if (in_block && line == "```") in_block = false;
    else if (in_block && line.rfind("$ warpsim", 0) == 0) {
      now += line + "\n" + output_of(line.substr(2), folder);
      ++commands;
      continue;
    } else if (in_block) {
      continue;  // what it printed last time
    }
    now += line + "\n";
  }
  EXPECT_GE(commands, 4);
  if (std::getenv("WARPSIM_REBASE") != nullptr) std::ofstream(kReadme) << now;
  EXPECT_EQ(readme, now);
}

}  // namespace
