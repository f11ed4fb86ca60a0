// The manual page has all that the help has, and is roff without faults.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tools/command/command_line.h"
#include "tools/manual/man_page.h"

namespace warpsim::tools {
namespace man_page_test {

TEST(ManualPage, HasEveryVerbAndOption) {
  const Catalogue catalogue("");
  const CommandLine command_line(catalogue);
  const std::string page = manual_page(command_line.manual_text(), command_line.describe());
  const auto has = [&page](std::string text) {
    for (std::size_t at = text.find('-'); at != std::string::npos; at = text.find('-', at + 2)) text.insert(at, "\\");
    return page.find(text) != std::string::npos;
  };
  EXPECT_GT(command_line.describe().size(), 25u);
  for (const VerbInfo& verb : command_line.describe()) {
    EXPECT_TRUE(has("\\fBwarpsim " + verb.name + "\\fR")) << verb.name;
    for (const OptionInfo& option : verb.options)
      for (const std::string& name : option.names) EXPECT_TRUE(has("\\fB" + name + "\\fR")) << verb.name << " " << name;
  }
}

TEST(ManualPage, TextIsNoRequest) {
  VerbInfo verb;
  verb.name = "x";
  verb.description = "Does x";
  verb.more = ".json files\n'quoted' \\ and a-b";
  const std::string page = manual_page({"a", "b", "c"}, {verb});
  EXPECT_NE(page.find("\n\\&.json files\n\\&'quoted' \\e and a\\-b\n"), std::string::npos) << page;
}

TEST(ManualPage, GroffHasNoWarnings) {
  if (std::system("groff --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no groff";
  const std::filesystem::path folder = std::filesystem::path(WARPSIM_BINARY_DIR) / "man_page";
  std::filesystem::create_directories(folder);
  const Catalogue catalogue("");
  const CommandLine command_line(catalogue);
  std::ofstream(folder / "warpsim.1") << manual_page(command_line.manual_text(), command_line.describe());
  const std::string said = (folder / "said").string();
  const std::string command =
      "groff -man -ww -Tutf8 -k '" + (folder / "warpsim.1").string() + "' >/dev/null 2>'" + said + "'";
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(said);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "");
}

}  // namespace man_page_test
}  // namespace warpsim::tools
