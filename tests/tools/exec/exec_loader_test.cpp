// `warpsim exec` and the loader: warpsim's runtime is the one that a program finds, however the program was linked and
// however it asks; what a program starts runs in the same way.
//
// Source: ld.so(8): LD_PRELOAD comes before DT_RPATH, LD_LIBRARY_PATH and DT_RUNPATH. The fake runtimes say version 1.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/sanitized.h"
#include "tools/support/child_process.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;
using tools::ChildResult;
using tools::run_child;

constexpr const char* kOurs = "13000\n";

// Prints the version of the runtime that it finds.
constexpr const char* kLinked = R"(
#include <stdio.h>
int cudaRuntimeGetVersion(int*);
int main(void) { int version = 0; cudaRuntimeGetVersion(&version); printf("%d\n", version); return 0; }
)";

// The same, of the library that it opens by name. As a library: what `shown` does.
constexpr const char* kOpening = R"(
#include <dlfcn.h>
#include <stdio.h>
int shown(void) {
  void* library = dlopen("libcudart.so.13", RTLD_NOW | RTLD_LOCAL);
  if (!library) { printf("%s\n", dlerror()); return 1; }
  int (*get)(int*) = (int (*)(int*))dlsym(library, "cudaRuntimeGetVersion");
  int version = 0;
  get(&version);
  printf("%d\n", version);
  return 0;
}
)";

class ExecLoader : public ::testing::Test {
 protected:
  void SetUp() override {
    if (testing::kSanitized) GTEST_SKIP() << "the sanitizers' library would have to come first";
    folder_ = fs::temp_directory_path() /
              ("warpsim-loader-test-" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "-" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_ / "fake");
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text, bool is_executable = false) const {
    std::ofstream(at(name), std::ios::binary) << text;
    if (is_executable) fs::permissions(at(name), fs::perms::owner_all);
  }
  // Compiles C; `words` come behind the source.
  std::string compile(const std::string& name, const std::string& text, const std::vector<std::string>& words) const {
    write(name + ".c", text);
    std::vector<std::string> all = {WARPSIM_COMPILER, "-x", "c", at(name + ".c"), "-x", "none", "-o", at(name)};
    all.insert(all.end(), words.begin(), words.end());
    const ChildResult made = run_child(all, "");
    EXPECT_TRUE(made.is_fine()) << made.err;
    return at(name);
  }
  // A runtime that must not win.
  void make_fake() const {
    compile("fake/libcudart.so.13", "int cudaRuntimeGetVersion(int* version) { *version = 1; return 0; }",
            {"-shared", "-fPIC", "-Wl,-soname,libcudart.so.13"});
  }
  std::vector<std::string> linked_to_fake(const std::string& tags) const {
    return {"-L" + at("fake"), "-l:libcudart.so.13", "-Wl,-rpath," + at("fake"), "-Wl," + tags};
  }

  static ChildResult exec(std::vector<std::string> words) {
    words.insert(words.begin(), {WARPSIM_BINARY, "exec"});
    return run_child(words, "");
  }
  fs::path folder_;
};

TEST_F(ExecLoader, RpathDoesNotWin) {
  make_fake();
  const std::string program = compile("program", kLinked, linked_to_fake("--disable-new-dtags"));
  EXPECT_EQ(run_child({program}, "").out, "1\n") << "without `exec` it is the fake";
  EXPECT_EQ(exec({program}).out, kOurs);
}

TEST_F(ExecLoader, RunpathDoesNotWin) {
  make_fake();
  const std::string program = compile("program", kLinked, linked_to_fake("--enable-new-dtags"));
  EXPECT_EQ(run_child({program}, "").out, "1\n") << "without `exec` it is the fake";
  EXPECT_EQ(exec({program}).out, kOurs);
}

TEST_F(ExecLoader, AProgramThatOpensItByName) {
  make_fake();
  const std::string program = compile("program", std::string(kOpening) + "int main(void) { return shown(); }",
                                      {"-ldl", "-Wl,-rpath," + at("fake"), "-Wl,--disable-new-dtags"});
  EXPECT_EQ(run_child({program}, "").out, "1\n");
  EXPECT_EQ(exec({program}).out, kOurs);
}

TEST_F(ExecLoader, ALibraryThatOpensItByName) {
  make_fake();
  compile("libshown.so", kOpening, {"-shared", "-fPIC", "-ldl", "-Wl,-rpath," + at("fake"), "-Wl,--disable-new-dtags"});
  const std::string program = compile("program", "int shown(void); int main(void) { return shown(); }",
                                      {"-L" + folder_.string(), "-l:libshown.so", "-Wl,-rpath," + folder_.string()});
  EXPECT_EQ(run_child({program}, "").out, "1\n");
  EXPECT_EQ(exec({program}).out, kOurs);
}

TEST_F(ExecLoader, ChildrenFindItToo) {
  make_fake();
  const std::string program = compile("program", kLinked, linked_to_fake("--disable-new-dtags"));
  const std::string forks = compile("forks", R"(
#include <sys/wait.h>
#include <unistd.h>
int main(int count, char** words) {
  (void)count;
  if (fork() == 0) { execv(words[1], words + 1); _exit(9); }
  int status = 0;
  wait(&status);
  return WEXITSTATUS(status);
}
)",
                                    {});
  EXPECT_EQ(exec({forks, program}).out, kOurs);
  const std::string calls =
      compile("calls", "#include <stdlib.h>\nint main(int n, char** w) { (void)n; return system(w[1]) != 0; }", {});
  EXPECT_EQ(exec({calls, program}).out, kOurs);
}

TEST_F(ExecLoader, AScriptIsAProgram) {
  make_fake();
  const std::string program = compile("program", kLinked, linked_to_fake("--disable-new-dtags"));
  write("script", "#!/bin/sh\n" + program + "\nexit 3\n", true);
  const ChildResult made = exec({at("script")});
  EXPECT_EQ(made.out, kOurs);
  EXPECT_EQ(made.exit_code, 3);
}

TEST_F(ExecLoader, AProgramIsFoundOnThePath) {
  make_fake();
  compile("warpsim-loader-program", kLinked, linked_to_fake("--disable-new-dtags"));
  const ChildResult made = run_child(
      {"env", "PATH=" + folder_.string() + ":/usr/bin:/bin", WARPSIM_BINARY, "exec", "warpsim-loader-program"}, "");
  EXPECT_EQ(made.out, kOurs) << made.err;
}

TEST_F(ExecLoader, WhatTheUserLoadsIsKeptBehindOurs) {
  compile("libmine.so", "#include <stdio.h>\n__attribute__((constructor)) static void begin(void) { puts(\"mine\"); }",
          {"-shared", "-fPIC"});
  make_fake();
  const std::string program = compile("program", kLinked, linked_to_fake("--disable-new-dtags"));
  const ChildResult made =
      run_child({"env", "LD_PRELOAD=" + at("libmine.so"), "LD_LIBRARY_PATH=" + at("fake"), WARPSIM_BINARY, "exec",
                 "/bin/sh", "-c", "echo $LD_LIBRARY_PATH; echo $LD_PRELOAD; " + program},
                "");
  const std::string cuda = (fs::path(WARPSIM_BINARY).parent_path() / "cuda").string();
  EXPECT_NE(made.out.find(cuda + ":" + at("fake") + "\n"), std::string::npos) << made.out;
  EXPECT_NE(made.out.find(cuda + "/libcudart.so.13:" + cuda + "/libcuda.so.1:" + at("libmine.so") + "\n"),
            std::string::npos)
      << made.out;
  EXPECT_NE(made.out.find("mine\n13000\n"), std::string::npos) << made.out;
}

TEST_F(ExecLoader, AStaticProgramWithoutCudaJustRuns) {
  const std::string program = compile("program", "int main(void) { return 6; }", {"-static"});
  const ChildResult made = exec({program});
  EXPECT_EQ(made.exit_code, 6);
  EXPECT_EQ(made.err, "");
}

TEST_F(ExecLoader, WhatIsNoProgramIsSaid) {
  write("empty", "", true);
  write("text", "no program\n", true);
  for (const char* name : {"empty", "text"}) {
    const ChildResult made = exec({at(name)});
    EXPECT_EQ(made.exit_code, 3);
    EXPECT_NE(made.err.find("could not be started: Exec format error"), std::string::npos) << made.err;
    EXPECT_NE(made.err.find("#!"), std::string::npos) << made.err;
  }
}

// ELF files whose class or machine is another one's.
TEST_F(ExecLoader, ProgramsOfOtherMachinesAreRefused) {
  std::string elf;
  {
    std::ifstream file("/bin/true", std::ios::binary);
    elf.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::string narrow = elf, other = elf;
  narrow[4] = 1;                        // EI_CLASS: ELFCLASS32
  other[18] = static_cast<char>(0xf3);  // e_machine: RISC-V
  other[19] = 0;
  for (const auto& [name, text] : {std::pair{"narrow", narrow}, {"other", other}}) {
    write(name, text, true);
    const ChildResult made = exec({at(name)});
    EXPECT_EQ(made.exit_code, 5) << name;
    EXPECT_NE(made.err.find("is a program for another machine"), std::string::npos) << made.err;
  }
}

}  // namespace
}  // namespace warpsim
