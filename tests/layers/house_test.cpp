// The size of rooms, files and functions: tools/house.sh on the repository, and on small trees that break each limit.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace warpsim {
namespace house_test {

namespace fs = std::filesystem;

struct Measured {
  int exit_code = -1;
  std::string text;  // stdout and stderr
};

Measured measure(const fs::path& root) {
  const std::string script = std::string(WARPSIM_SOURCE_DIR) + "/tools/house.sh";
  Measured measured;
  std::FILE* pipe = ::popen(("'" + script + "' '" + root.string() + "' 2>&1").c_str(), "r");
  if (pipe == nullptr) return measured;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) measured.text.append(buffer, n);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) measured.exit_code = WEXITSTATUS(status);
  return measured;
}

// A tree of one room, sim/room, that keeps every limit.
class House : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) / ("house-" + std::to_string(::getpid()));
    fs::remove_all(root_);
    fs::create_directories(root_ / "sim/room");
    write("sim/room/small.cpp", function_of(60));
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) const { std::ofstream(root_ / file) << text; }
  // From its signature to its closing brace.
  static std::string function_of(int lines) {
    std::string text = "int f() {\n";
    for (int k = 2; k < lines; ++k) text += "  // a line\n";
    return text + "}\n";
  }
  static std::string lines(int count) {
    std::string text;
    for (int k = 0; k < count; ++k) text += "// a line\n";
    return text;
  }
  void expect_broken(const std::string& what) const {
    const Measured measured = measure(root_);
    EXPECT_EQ(measured.exit_code, 1) << measured.text;
    EXPECT_NE(measured.text.find("house: " + what), std::string::npos) << measured.text;
  }
  void expect_kept() const {
    const Measured measured = measure(root_);
    EXPECT_EQ(measured.exit_code, 0) << measured.text;
  }

  fs::path root_;
};

TEST(HouseOfTheRepository, KeepsItsLimits) {
  const Measured measured = measure(WARPSIM_SOURCE_DIR);
  EXPECT_EQ(measured.exit_code, 0) << measured.text;
  for (const char* const part : {"sim/machine", "median C++ file: ", "places to touch", "instruction    2"})
    EXPECT_NE(measured.text.find(part), std::string::npos) << part << " is missing:\n" << measured.text;
}

TEST_F(House, SixtyLinesAreAFunction) { expect_kept(); }

TEST_F(House, SixtyOneLinesAreTooLongAFunction) {
  write("sim/room/long.cpp", function_of(61));
  expect_broken("sim/room/long.cpp:1: 61 lines; a function has at most 60: int f() {");
}

TEST_F(House, AMemberFunctionIsAFunction) {
  std::string member = "struct S {\n  int f() {\n";
  for (int k = 2; k < 61; ++k) member += "    // a line\n";
  write("sim/room/member.h", member + "  }\n};\n");
  expect_broken("sim/room/member.h:2: 61 lines; a function has at most 60: int f() {");
}

TEST_F(House, ATableAndATextAreNoFunctions) {
  std::string table = "const int kTable[] = {\n", text = "const char* const kText = R\"(\nvoid f() {\n";
  for (int k = 0; k < 99; ++k) table += "    1,\n", text += "  a line\n";
  write("sim/room/table.cpp", table + "};\n" + text + "}\n)\";\n");
  expect_kept();
}

TEST_F(House, FiveHundredLinesAreAFile) {
  write("sim/room/long.h", lines(500));
  expect_kept();
  write("sim/room/long.h", lines(501));
  expect_broken("sim/room/long.h: 501 lines; a file has at most 500");
}

TEST_F(House, FortyFilesAreARoom) {
  for (int k = 2; k <= 40; ++k) write("sim/room/f" + std::to_string(k) + ".h", "// a line\n");
  expect_kept();
  write("sim/room/one_more.js", "// a line\n");
  expect_broken("sim/room: 41 files; a room has at most 40");
}

TEST_F(House, AFileOfAHallLiesInARoom) {
  write("sim/main.cpp", "// a line\n");
  write("sim/README.md", "a line\n");
  expect_kept();
  write("sim/flat.h", "// a line\n");
  expect_broken("sim/flat.h: a source file beside the rooms of sim/, not in one");
}

TEST_F(House, ThePlacesToTouchAreListedAsTheTableSays) {
  const std::string table =
      "| an instruction | 1 | |\n| a checker | 0 | |\n| an export form | 0 | |\n| a trace event | at most 0 | |\n";
  write("CONTRIBUTING.md", table + "## Add an instruction\n\n1. a row\n");
  expect_kept();
  write("CONTRIBUTING.md", table + "## Add an instruction\n\n1. a row\n2. a kernel\n");
  expect_broken("CONTRIBUTING.md: instruction: 2 places in the list, 1 in the table");
}

TEST_F(House, AFolderWithoutHallsIsAnError) { EXPECT_EQ(measure(root_ / "sim").exit_code, 2); }

}  // namespace house_test
}  // namespace warpsim
