// CUDA programs under `warpsim exec`, as nvcc made them: what each call answers as on an H200, mistakes that must be
// found, and right programs of which nothing may be said.
//
// Source: tests/data/cuda_programs.tar.xz is of tests/host/programs, by tools/cuda_programs.sh; each source says what
// is
//         to be found in it. tests/data/h200_calls.txt is what calls.cu printed on an H200 with NVIDIA's libraries.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tools/support/child_process.h"

namespace warpsim {
namespace {

namespace fs = std::filesystem;
using tools::ChildResult;
using tools::run_child;

const fs::path kSources = fs::path(WARPSIM_SOURCE_DIR) / "tests/host/programs";

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Where the archive is unpacked, once for all tests.
const fs::path& programs() {
  static const fs::path folder = [] {
    fs::path made = fs::path(WARPSIM_BINARY_DIR) / "tests/cuda_programs";
    fs::create_directories(made);
    const ChildResult unpacked =
        run_child({"tar", "-xJf", WARPSIM_SOURCE_DIR "/tests/data/cuda_programs.tar.xz", "-C", made.string()}, "");
    EXPECT_TRUE(unpacked.is_fine()) << unpacked.err;
    return made;
  }();
  return folder;
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& one : fs::directory_iterator(kSources / folder))
    if (one.path().extension() == ".cu") names.push_back(folder + "/" + one.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// What is to be found, and, where that is not so today, what is: "// finds: WS0601", "// today: nothing (why)".
struct Expected {
  std::set<std::string> finds;
  std::optional<std::string> today;
};

std::set<std::string> codes_in(const std::string& text) {
  std::istringstream words(text.substr(0, text.find('(')));
  std::set<std::string> codes{std::istream_iterator<std::string>(words), {}};
  codes.erase("nothing");
  return codes;
}

Expected expected_in(const std::string& name) {
  static const std::string kFinds = "// finds: ", kToday = "// today: ";
  std::ifstream source(kSources / (name + ".cu"));
  Expected expected;
  std::string line;
  std::getline(source, line);
  std::getline(source, line);
  EXPECT_TRUE(line.starts_with(kFinds)) << name;
  expected.finds = codes_in(line.substr(kFinds.size()));
  for (int k = 0; k < 2 && std::getline(source, line); ++k)
    if (line.starts_with(kToday)) expected.today = line.substr(kToday.size());
  return expected;
}

ChildResult exec(const std::vector<std::string>& options, const std::string& name,
                 const std::vector<std::string>& arguments = {}) {
  std::vector<std::string> words = {WARPSIM_BINARY, "exec"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back((programs() / name).string());
  words.insert(words.end(), arguments.begin(), arguments.end());
  return run_child(words, "");
}

// The programs are for x86-64, and the sanitizers' libraries must be loaded before all others.
bool cannot_run() {
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
  return false;
#else
  return true;
#endif
}

class CudaPrograms : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (cannot_run()) GTEST_SKIP() << "the programs are for x86-64, without sanitizers";
  }
};

TEST(CudaProgramArchive, IsOfTheSourcesOfToday) {
  const ChildResult sums =
      run_child({"sh", "-c",
                 "cd '" + kSources.string() +
                     "' && find . -name '*.cu' -o -name '*.h' | sed 's:^\\./::' | LC_ALL=C sort | xargs sha256sum"},
                "");
  EXPECT_EQ(read(programs() / "SOURCES"), sums.out) << "tools/cuda_programs.sh makes it anew, where nvcc is";
}

TEST_P(CudaPrograms, FindsWhatTheSourceSays) {
  const Expected expected = expected_in(GetParam());
  if (expected.today && expected.today->starts_with("does not end")) GTEST_SKIP() << *expected.today;
  const std::string log = (programs() / (GetParam() + ".json")).string();
  const ChildResult ran = exec({"--json", "--log", log}, GetParam());
  const nlohmann::json answer = nlohmann::json::parse(read(log), nullptr, false);
  ASSERT_TRUE(answer.is_object()) << ran.err;
  std::set<std::string> found;
  for (const auto& one : answer["diagnostics"])
    if (one.contains("code")) found.insert(one["code"].get<std::string>());
  if (expected.today) {
    EXPECT_NE(found, expected.finds) << "it is right now: take the line `// today` away";
  }
  EXPECT_EQ(found, expected.today ? codes_in(*expected.today) : expected.finds) << ran.out << answer.dump(1);
  const bool is_right = !GetParam().starts_with("bugs/");
  if (is_right) {
    EXPECT_EQ(ran.exit_code, 0) << ran.out;
    EXPECT_NE(ran.out.find("ok"), std::string::npos) << ran.out;
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Mistakes, CudaPrograms, ::testing::ValuesIn(names_in("bugs")), test_name);
INSTANTIATE_TEST_SUITE_P(Libraries, CudaPrograms, ::testing::ValuesIn(names_in("libraries")), test_name);
INSTANTIATE_TEST_SUITE_P(Right, CudaPrograms, ::testing::ValuesIn(names_in("right")), test_name);

class CudaCalls : public CudaPrograms {};

std::string log_of(const std::string& name) { return (programs() / name).string() + ".log"; }

TEST_F(CudaCalls, AFaultStaysUntilTheEnd) {
  const ChildResult ran = exec({}, "calls", {"1"});
  const std::string wanted = "cudaMalloc(&a, 16) = cudaErrorMisalignedAddress; last cudaErrorMisalignedAddress\n";
  EXPECT_NE(ran.out.find(wanted), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("cudaDeviceReset() = cudaSuccess"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("error[WS0602]"), std::string::npos) << ran.err;
}

TEST_F(CudaCalls, FindingsChangeTheExitCodeWhereThatIsAsked) {
  EXPECT_EQ(exec({}, "bugs/double_free").exit_code, 0);
  EXPECT_EQ(exec({"--error-exitcode", "9"}, "bugs/double_free").exit_code, 9);
  EXPECT_EQ(exec({"--error-exitcode", "9", "--check", "warn"}, "bugs/double_free").exit_code, 0);
  EXPECT_EQ(exec({"--error-exitcode", "9"}, "right/double_free").exit_code, 0);
}

TEST_F(CudaCalls, OnlyWhatIsNamedIsChecked) {
  EXPECT_NE(exec({}, "bugs/reduce_no_barrier").err.find("WS0402"), std::string::npos);
  EXPECT_EQ(exec({"--only", "another*"}, "bugs/reduce_no_barrier").err, "");
  EXPECT_EQ(exec({"--launches", "2-"}, "bugs/reduce_no_barrier").err, "");
  EXPECT_EQ(exec({"--check", "off"}, "bugs/reduce_no_barrier").err, "");
}

TEST_F(CudaCalls, ATraceIsWrittenOfOneLaunch) {
  const std::string trace = log_of("trace") + ".ndjson";
  fs::remove(trace);
  EXPECT_EQ(exec({"--trace", "*:1", "-o", trace}, "right/reduce_no_barrier").exit_code, 0);
  EXPECT_EQ(run_child({WARPSIM_BINARY, "validate", trace}, "").exit_code, 0);
}

TEST_F(CudaCalls, ReportsAreWritten) {
  const std::string log = log_of("report");
  const ChildResult ran = exec({"--log", log, "--sarif", log + ".sarif", "--junit", log + ".xml"}, "bugs/double_free");
  EXPECT_EQ(ran.err, "");
  EXPECT_NE(read(log).find("error[WS1002]"), std::string::npos) << read(log);
  EXPECT_NE(read(log + ".sarif").find("\"ruleId\": \"WS1002\""), std::string::npos);
  EXPECT_NE(read(log + ".xml").find("WS1002"), std::string::npos);
}

// Of a kernel that does not end.
TEST_F(CudaCalls, AnInterruptSaysWhereTheKernelWas) {
  const ChildResult ran = run_child(
      {"timeout", "-s", "INT", "2", WARPSIM_BINARY, "exec", (programs() / "bugs/mbarrier_count").string()}, "");
  EXPECT_EQ(ran.exit_code, 124);
  EXPECT_NE(ran.err.find("error[WS0706]"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("was ended by signal 2"), std::string::npos) << ran.err;
}

TEST_F(CudaCalls, ChildrenRunInTheSameWay) {
  const ChildResult ran =
      run_child({WARPSIM_BINARY, "exec", "/bin/sh", "-c", (programs() / "bugs/double_free").string() + "; exit 3"}, "");
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find("error[WS1002]"), std::string::npos) << ran.err;
}

// What is reported of Thrust does not change its results.
TEST_F(CudaCalls, ThrustIsRightWhereItIsNotClean) {
  const ChildResult ran = exec({"--check", "off"}, "libraries/thrust", {"3000", "unique_in_place", "sets"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_NE(ran.out.find("ok unique_in_place"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("ok sets"), std::string::npos) << ran.out;
}

TEST_F(CudaCalls, FurtherOnesAnswerAsOnAnH200) {
  const ChildResult ran = exec({"--check", "off"}, "more_calls");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, read(WARPSIM_SOURCE_DIR "/tests/data/h200_more_calls.txt"));
}

TEST_F(CudaCalls, AnswerAsOnAnH200) {
  const ChildResult ran = exec({"--check", "off"}, "calls");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out, read(WARPSIM_SOURCE_DIR "/tests/data/h200_calls.txt"));
}

}  // namespace
}  // namespace warpsim
