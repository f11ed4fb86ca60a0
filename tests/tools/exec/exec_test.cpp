// `warpsim exec`: which programs it runs, what it gives them, and what comes of their end.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/sanitized.h"
#include "tools/exec/program_file.h"
#include "tools/support/child_process.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;
using tools::ChildResult;

class Exec : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("warpsim-exec-test-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static ChildResult exec(std::vector<std::string> words) {
    words.insert(words.begin(), {WARPSIM_BINARY, "exec"});
    return tools::run_child(words, "");
  }
  // A copy of a program of this machine, with something behind it.
  std::string copy_of(const std::string& program, const std::string& behind) const {
    const fs::path path = folder_ / fs::path(program).filename();
    fs::copy_file(program, path, fs::copy_options::overwrite_existing);
    std::ofstream(path, std::ios::binary | std::ios::app) << behind;
    return path.string();
  }
  fs::path folder_;
};

TEST_F(Exec, EndsAsTheProgramDoes) {
  if (testing::kSanitized) GTEST_SKIP() << "the sanitizers' library would have to come first";
  EXPECT_EQ(exec({"/bin/sh", "-c", "exit 7"}).exit_code, 7);
  const ChildResult killed = exec({"/bin/sh", "-c", "kill -TERM $$"});
  EXPECT_EQ(killed.exit_code, 128 + 15);
  EXPECT_NE(killed.err.find("was ended by signal 15"), std::string::npos) << killed.err;
}

TEST_F(Exec, ArgumentsBehindTheProgramAreItsOwn) {
  if (testing::kSanitized) GTEST_SKIP() << "the sanitizers' library would have to come first";
  const ChildResult made = exec({"--check", "off", "/bin/echo", "--json", "--check", "-x"});
  EXPECT_EQ(made.out, "--json --check -x\n");
  EXPECT_EQ(made.err, "");
}

TEST_F(Exec, TheLibraryComesFirstAndNoPartIsEmpty) {
  if (testing::kSanitized) GTEST_SKIP() << "the sanitizers' library would have to come first";
  const std::string folder = (fs::path(WARPSIM_BINARY).parent_path() / "cuda").string();
  const ChildResult made = exec({"/bin/sh", "-c", "echo $LD_LIBRARY_PATH; echo $LD_PRELOAD"});
  const std::string path = made.out.substr(0, made.out.find('\n'));
  const std::string preload = made.out.substr(path.size() + 1);
  EXPECT_TRUE(path == folder || path.starts_with(folder + ":")) << path;
  EXPECT_TRUE(preload.starts_with(folder + "/libcudart.so.13:" + folder + "/libcuda.so.1")) << preload;
  EXPECT_EQ(path.find("::"), std::string::npos);
  EXPECT_FALSE(path.ends_with(":"));
}

TEST_F(Exec, WhatIsNotThereIsSaid) {
  const ChildResult made = exec({"no-such-program"});
  EXPECT_EQ(made.exit_code, 3);
  EXPECT_NE(made.err.find("there is no program `no-such-program`"), std::string::npos) << made.err;
  EXPECT_EQ(exec({}).exit_code, 2);
  EXPECT_EQ(exec({"--launches", "x", "/bin/true"}).exit_code, 2);
  const ChildResult no_file = exec({"--trace", "k", "/bin/true"});
  EXPECT_EQ(no_file.exit_code, 2);
  EXPECT_NE(no_file.err.find("-o FILE"), std::string::npos) << no_file.err;
}

TEST_F(Exec, MoreRightsAreRefused) {
  const std::string program = copy_of("/bin/true", "");
  fs::permissions(program, fs::perms::set_uid | fs::perms::owner_all);
  const ChildResult made = exec({program});
  EXPECT_EQ(made.exit_code, 5);
  EXPECT_NE(made.err.find("more rights than yours"), std::string::npos) << made.err;
}

// Such a program has the section of fat binaries, the runtime's texts, and asks for no libcudart.
TEST_F(Exec, ARuntimeInsideIsRefused) {
  const ChildResult made = exec({copy_of("/bin/true", "cudaErrorSoftwareValidityNotEstablished .nvFatBinSegment")});
  EXPECT_EQ(made.exit_code, 5);
  EXPECT_NE(made.err.find("has NVIDIA's runtime inside"), std::string::npos) << made.err;
  EXPECT_NE(made.err.find("-cudart shared"), std::string::npos) << made.err;
}

TEST(ProgramFile, LibrariesAreReadFromElf) {
  std::ifstream file(WARPSIM_BINARY, std::ios::binary);
  const std::string elf{std::istreambuf_iterator<char>(file), {}};
  const std::vector<std::string> needed = tools::needed_libraries(elf);
  EXPECT_NE(std::find(needed.begin(), needed.end(), "libc.so.6"), needed.end());
  for (std::size_t size = 0; size < 4096; size += 7) tools::needed_libraries(std::string_view(elf).substr(0, size));
  std::string wild = elf.substr(0, 4096);
  for (std::size_t k = 32; k < wild.size(); ++k) wild[k] = static_cast<char>(~wild[k]);
  EXPECT_TRUE(tools::needed_libraries(wild).empty());
  EXPECT_TRUE(tools::needed_libraries("#!/bin/sh\n").empty());
}

}  // namespace
}  // namespace warpsim
