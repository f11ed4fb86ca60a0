// The simulator agrees with what an H200 did, and one wrong value or step in a capture is found and named.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/tools/command/one_file_case.h"

namespace warpsim {
namespace crosscheck_test {

namespace fs = std::filesystem;

const fs::path kCaptures = WARPSIM_SOURCE_DIR "/traces/captures/h200";
constexpr const char* kProgram = "p26/butterfly_parallel_max";
constexpr const char* kNoCaptures = "there are no captures in traces/captures/h200";

OneFileCase warpsim(const std::string& arguments) {
  OneFileCase one;
  one.command = "warpsim " + arguments;
  return run_case(one, fs::path(WARPSIM_BINARY).parent_path().string());
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Behind `after`, the first `what` becomes `with`.
std::string falsified(std::string text, const std::string& after, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what, text.find(after));
  EXPECT_NE(at, std::string::npos) << after << " … " << what;
  return text.replace(at, what.size(), with);
}

TEST(Crosscheck, EveryProgramDoesWhatTheH200Did) {
  if (!fs::is_directory(kCaptures)) GTEST_SKIP() << kNoCaptures;
  const OneFileCase ran = warpsim("crosscheck --against '" + kCaptures.string() + "'");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("comparisons: all equal"), std::string::npos) << ran.out;
  for (const char* lost : {"no capture of", "that the captures have not", "of cases that are gone"})
    EXPECT_EQ(ran.out.find(lost), std::string::npos) << ran.out;
}

// A copy of one program's capture, in which something can be changed.
class FalseCapture : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(kCaptures)) GTEST_SKIP() << kNoCaptures;
    std::string pattern = (fs::temp_directory_path() / "warpsim-capture-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    fs::create_directories(folder_ / "p26");
    for (const char* ending : {".json", ".steps.ndjson"})
      change(ending, read(kCaptures.string() + "/" + kProgram + ending));
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }
  std::string contents(const char* ending) const { return read(folder_.string() + "/" + kProgram + ending); }
  void change(const char* ending, const std::string& text) const {
    std::ofstream(folder_.string() + "/" + kProgram + ending, std::ios::binary) << text;
  }
  OneFileCase crosscheck() const {
    return warpsim(std::string("crosscheck ") + kProgram + " --against '" + folder_.string() + "'");
  }

  fs::path folder_;
};

TEST_F(FalseCapture, TheCopyAgrees) { EXPECT_EQ(crosscheck().exit_code, 0) << crosscheck().err; }

// The inputs are 0, 2, 4, 6, 8, 10, 12, 1000: every lane ends with 1000.
TEST_F(FalseCapture, OneWrongOutputIsNamed) {
  change(".json", falsified(contents(".json"), "\"case\": \"worked\", \"lanes\": 8",
                            "1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0",
                            "1000.0, 1000.0, 999.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0"));
  const OneFileCase ran = crosscheck();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.err, std::string("warpsim: error: ") + kProgram +
                         ", case worked at 8 lanes, ptx: output output[2] holds 1000.0, the other holds 999.0\n");
  EXPECT_NE(ran.out.find("1 differ"), std::string::npos) << ran.out;
}

// After the first exchange lane l < 4 holds what lane l + 4 had: 8, 10, 12, 1000.
TEST_F(FalseCapture, OneWrongStepIsNamed) {
  change(".steps.ndjson", falsified(contents(".steps.ndjson"), "\"pc\": 9, \"op\": \"max\"",
                                    "[8.0, 10.0, 12.0, 1000.0,", "[8.0, 10.0, 11.0, 1000.0,"));
  const OneFileCase ran = crosscheck();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.err,
            std::string("warpsim: error: ") + kProgram +
                ", case worked at 8 lanes, steps: pc 9 max, execution 1: lane 2 holds 12.0, the other holds 11.0\n");
}

TEST_F(FalseCapture, InputsThatHaveChangedAreNoticed) {
  const std::string text = contents(".json");
  const std::size_t run = text.find("\"case\": \"worked\", \"lanes\": 8");
  const std::size_t hash = text.find("\"inputs_hash\": \"", run) + 16;
  std::string other = text;
  other[hash] = other[hash] == '0' ? '1' : '0';
  change(".json", other);
  const OneFileCase ran = crosscheck();
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("case worked at 8 lanes, ptx: the case's inputs have changed since the capture"),
            std::string::npos)
      << ran.err;
}

TEST_F(FalseCapture, ATruncatedFileIsRefused) {
  change(".json", contents(".json").substr(0, 500));
  const OneFileCase ran = crosscheck();
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_NE(ran.err.find(std::string(kProgram) + ".json: it is no JSON"), std::string::npos) << ran.err;
}

}  // namespace crosscheck_test
}  // namespace warpsim
