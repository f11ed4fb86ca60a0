// CUDA programs under `warpsim exec`, as nvcc made them: what each call answers as on an H200, mistakes that must be
// found, and right programs of which nothing may be said.
//
// Source: tests/data/cuda_programs.tar.xz is of tests/host/programs, by tools/cuda_programs.sh; each source says what
// is
//         to be found in it. tests/data/h200_calls.txt is what calls.cu printed on an H200 with NVIDIA's libraries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/sanitized.h"
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
#if defined(__x86_64__)
  return testing::kSanitized;
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
  const ChildResult sums = run_child(
      {"sh", "-c",
       "cd '" + kSources.string() +
           "' && find . -name '*.cu' -printf '%P\\n' -o -name '*.h' -printf '%P\\n' | LC_ALL=C sort | xargs sha256sum"},
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

// ---- streams in other orders

std::string fuzzed(const std::string& name, int seed, const std::string& check) {
  return exec({"--streams", "fuzz:" + std::to_string(seed), "--check", check}, name).out;
}

// Of the programs that use streams, events, graphs or managed memory; their mistakes have the same names.
std::vector<std::string> names_of_streams(const std::string& folder) {
  std::vector<std::string> names = names_in(folder);
  std::erase_if(names, [](const std::string& name) {
    const std::string text = read(kSources / (name + ".cu"));
    return text.find("cudaStream_t") == std::string::npos && text.find("cudaMallocManaged") == std::string::npos;
  });
  return names;
}

class RightStreams : public CudaPrograms {};
TEST_P(RightStreams, PrintTheSameInEachOrder) {
  const std::string wanted = exec({}, GetParam()).out;
  for (int seed = 0; seed < 20; ++seed) EXPECT_EQ(fuzzed(GetParam(), seed, seed == 0 ? "on" : "off"), wanted) << seed;
}
INSTANTIATE_TEST_SUITE_P(Right, RightStreams, ::testing::ValuesIn(names_of_streams("right")), test_name);

// Those that are wrong only by their order.
std::vector<std::string> mistakes_of_streams() {
  std::vector<std::string> names = names_of_streams("bugs");
  std::erase_if(names, [](const std::string& name) {
    const std::set<std::string> finds = expected_in(name).finds;
    const bool is_of_order =
        finds.contains("WS1008") || finds.contains("WS1009") || name == "bugs/host_functions_in_two_streams";
    // Memory that is there before it is allocated is the same memory.
    return !is_of_order || name == "bugs/stream_allocated_elsewhere";
  });
  return names;
}

class WrongStreams : public CudaPrograms {};
TEST_P(WrongStreams, PrintSomethingElseInSomeOrder) {
  const std::string issued = exec({"--check", "off"}, GetParam()).out;
  bool differs = false;
  for (int seed = 0; seed < 40 && !differs; ++seed) differs = fuzzed(GetParam(), seed, "off") != issued;
  EXPECT_TRUE(differs) << issued;
}
INSTANTIATE_TEST_SUITE_P(Mistakes, WrongStreams, ::testing::ValuesIn(mistakes_of_streams()), test_name);

TEST_F(CudaCalls, ASeedGivesTheSameOrderEachTime) {
  for (int seed = 0; seed < 8; ++seed)
    EXPECT_EQ(fuzzed("bugs/stream_counter_not_atomic", seed, "off"),
              fuzzed("bugs/stream_counter_not_atomic", seed, "off"));
}

TEST_F(CudaCalls, CallsAnswerTheSameInAnotherOrder) {
  EXPECT_EQ(fuzzed("calls", 1, "off"), read(WARPSIM_SOURCE_DIR "/tests/data/h200_calls.txt"));
  EXPECT_EQ(fuzzed("more_calls", 2, "off"), read(WARPSIM_SOURCE_DIR "/tests/data/h200_more_calls.txt"));
}

TEST_F(CudaCalls, AnOrderThatIsNoneIsAUsageError) {
  for (const char* const order : {"fuzz", "fuzz:", "fuzz:x", "sorted"}) {
    const ChildResult ran = exec({"--streams", order}, "right/double_free");
    EXPECT_EQ(ran.exit_code, 2) << order;
    EXPECT_NE(ran.err.find("--streams"), std::string::npos) << ran.err;
  }
}

TEST_F(CudaCalls, ARaceNamesBothWorksAndTheBuffer) {
  const std::string err = exec({}, "bugs/stream_halves_overlap").err;
  EXPECT_NE(err.find("`fill` (launch 2) writes what `fill` (launch 1) writes, and nothing orders the two: 4 bytes from "
                     "byte 2000 of `cudaMalloc #2` on"),
            std::string::npos)
      << err;
}

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

TEST_F(CudaCalls, ATraceThatNoLaunchMatchesIsMissed) {
  const std::string trace = log_of("no_trace") + ".ndjson";
  fs::remove(trace);
  const ChildResult ran = exec({"--trace", "reduce*:2", "-o", trace}, "right/reduce_no_barrier");
  EXPECT_NE(
      ran.err.find("no trace was written: there was no launch 2 of a kernel `reduce*`; there were sum (1 launch)"),
      std::string::npos)
      << ran.err;
  EXPECT_FALSE(fs::exists(trace));
}

nlohmann::json result_of(const std::string& log) {
  return nlohmann::json::parse(read(log), nullptr, false).value("result", nlohmann::json::object());
}

// A trace of the launch has the numbers that the launch itself was reported with.
TEST_F(CudaCalls, StatisticsOfATraceAreThoseOfTheLaunch) {
  const std::string log = log_of("profile") + ".json", trace = log_of("profile") + ".ndjson";
  exec({"--json", "--log", log, "--profile", "h200", "--timing", "program", "--trace", "*:1", "-o", trace},
       "right/reduce_no_barrier");
  const nlohmann::json launches = result_of(log).value("launches", nlohmann::json::array());
  ASSERT_EQ(launches.size(), 1U) << read(log);
  const ChildResult told = run_child({WARPSIM_BINARY, "stats", "--json", trace}, "");
  ASSERT_EQ(told.exit_code, 0) << told.err;
  const nlohmann::json run = nlohmann::json::parse(told.out)["result"]["reports"][0]["runs"][0];
  EXPECT_EQ(run["profile"], "h200");
  EXPECT_EQ(run["cycles"], launches[0]["cycles"]);
  EXPECT_EQ(run["instructions"], launches[0]["instructions"]);
  EXPECT_EQ(run["issue_cycles"], launches[0]["issued"]);
  EXPECT_EQ(run["stalls"], launches[0]["stalls"]);
  EXPECT_EQ(run["sms"], launches[0]["sms"]);
}

TEST_F(CudaCalls, LaunchesAreTimed) {
  const ChildResult ran =
      exec({"--check", "off", "--profile", "h200", "--timing", "program"}, "right/reduce_no_barrier");
  EXPECT_NE(ran.err.find("profile h200: whole grids of PTX on a model of 132 SMs"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("  1  sum "), std::string::npos) << ran.err;
  const ChildResult none = exec({"--check", "off", "--profile", "h200", "--only", "other"}, "right/reduce_no_barrier");
  EXPECT_EQ(none.err.find("  1  sum "), std::string::npos) << none.err;
  EXPECT_EQ(exec({"--profile", "documents"}, "right/reduce_no_barrier").exit_code, 2) << "two bounds";
  EXPECT_EQ(exec({"--profile", "documents:low", "--timing", "machine-code"}, "right/reduce_no_barrier").exit_code, 5)
      << "which has no numbers for it";
  EXPECT_EQ(exec({"--profile", "h20"}, "right/reduce_no_barrier").exit_code, 2);
}

// nvcc is not beside the tests everywhere; what it made is, without machine code.
TEST_F(CudaCalls, AProgramWithoutMachineCodeIsTimedByPtxOrByWhatPtxasMakes) {
  const std::string log = log_of("made_code") + ".json", bare = log_of("no_code") + ".json";
  exec({"--json", "--log", log, "--profile", "h200"}, "right/reduce_no_barrier");
  const auto timed = [](const std::string& file) {
    const nlohmann::json launches = result_of(file).value("launches", nlohmann::json::array());
    return launches.empty() ? nlohmann::json::object() : launches[0];
  };
#ifdef WARPSIM_PTXAS
  EXPECT_EQ(timed(log).value("timed_by", ""), "machine code") << read(log);
  EXPECT_NE(timed(log)["cycles"], timed(log)["ptx_cycles"]);
#endif
  // Where no ptxas is.
  const ChildResult none =
      run_child({"env", "PATH=/nowhere", "CUDACXX=/nowhere/nvcc", WARPSIM_BINARY, "exec", "--json", "--log", bare,
                 "--profile", "h200", (programs() / "right/reduce_no_barrier").string()},
                "");
  ASSERT_EQ(none.exit_code, 0) << none.err;
  EXPECT_EQ(timed(bare).value("timed_by", ""), "PTX");
  EXPECT_EQ(timed(bare).value("why_not_machine_code", ""),
            "the program has no machine code for sm_90, and there is no ptxas here");
  EXPECT_EQ(timed(bare)["cycles"], timed(bare)["ptx_cycles"]);
}

// … of a kernel that does not end, with and without a profile.
TEST_F(CudaCalls, ALimitEndsALaunch) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--max-cycles", "100000"}, {"--max-cycles", "10000", "--profile", "h200"}}) {
    const ChildResult ran = exec(options, "endless");
    EXPECT_EQ(ran.exit_code, 4);
    EXPECT_NE(ran.err.find("error[WS0702]: still running after " + options[1] + " cycles"), std::string::npos)
        << ran.err;
    EXPECT_NE(ran.err.find("block 0, warp 1, lanes"), std::string::npos) << "each warp: " << ran.err;
    EXPECT_EQ(ran.out, "failed\n");
  }
}

// What a report says to someone who has written CUDA C++.
TEST_F(CudaCalls, ReportsSpeakCuda) {
  const auto says = [](const std::string& name, const std::vector<std::string>& texts) {
    std::string err = exec({}, "bugs/" + name).err;
    // Lines are broken between words.
    for (std::size_t at = 0; (at = err.find("\n", at)) != std::string::npos;)
      err.replace(at, std::max<std::size_t>(err.find_first_not_of(" \n", at), at + 1) - at, " ");
    for (const std::string& text : texts) EXPECT_NE(err.find(text), std::string::npos) << text << "\n" << err;
    EXPECT_EQ(err.find("hint: bar."), std::string::npos) << err;
  };
  says("null_pointer", {"writes 4 bytes at 0x0, which is a null pointer"});
  says("host_pointer", {"which is memory of the host (of malloc or new)", "copy it first"});
  says("atomic_on_host_memory", {"which is memory of the host (a variable on its stack)"});
  says("race_across_warps", {"hint: __syncthreads() between lines"});
  says("syncwarp_missing", {"hint: __syncwarp() between lines"});
  says("total_of_blocks", {"reads the word at byte 0 of cudaMalloc #2", "cudaMalloc #2, 4 bytes: allocated",
                           "hint: __threadfence() and an atomic", "warpsim exec --trace 'count_even:1' -o run.ndjson"});
  says("trap", {"lanes 8-31 call __trap()"});
  says("shuffle_half_mask", {"with the mask argument 0x0000ffff", "inside __shfl_xor_sync"});
  says("mbarrier_without_init", {"was never initialized", "init(&barrier, count)", "inside barrier"});
  says("copy_past", {"cudaMemcpy writes 4096 bytes", "96 bytes past the end of `cudaMalloc #1`"});
  says("memset_of_freed", {"cudaMemset writes 1024 bytes", "in `cudaMalloc #2`, which was freed"});
  says("used_after_free", {"cudaMalloc #1: freed by cudaFree"});
  says("too_many_threads",
       {"failed with cudaErrorInvalidValue (invalid argument), and nobody asked: a block of 2048x1x1 "
        "threads is too large"});
  says("too_much_shared", {"102400 bytes of dynamic shared memory, where the kernel may have 49152"});
  says("symbol_as_pointer", {"it is the host's name of a __device__ variable"});
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
  const ChildResult ran =
      run_child({"timeout", "-s", "INT", "2", WARPSIM_BINARY, "exec", (programs() / "endless").string()}, "");
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
  const ChildResult ran = exec({"--check", "off"}, "libraries/thrust", {"3000", "sets"});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_NE(ran.out.find("ok sets"), std::string::npos) << ran.out;
}

TEST_F(CudaCalls, AnswerAsOnAnH200) {
  for (const std::string name : {"calls", "more_calls", "rare_calls", "capture_calls"}) {
    const ChildResult ran = exec({"--check", "off"}, name);
    EXPECT_EQ(ran.exit_code, 0) << name;
    EXPECT_EQ(ran.out, read(WARPSIM_SOURCE_DIR "/tests/data/h200_" + name + ".txt")) << name;
  }
}

// The words of all programs that print what calls answer.
std::set<std::string> words_of_programs() {
  std::set<std::string> words;
  for (const auto& one : fs::directory_iterator(kSources)) {
    if (!one.is_regular_file()) continue;
    std::string text = read(one.path());
    for (char& c : text)
      if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') c = ' ';
    std::istringstream in(text);
    words.insert(std::istream_iterator<std::string>(in), {});
  }
  return words;
}

// What is said to have a meaning was compared with an H200.
TEST_F(CudaCalls, EveryFunctionWithAMeaningIsCalledByAProgram) {
  const std::set<std::string> words = words_of_programs();
  for (const std::string name : {
#define CUDART_FUNCTION(name) #name,
#define CUDART_REFUSED(name)
#define CUDART_VARIANT(name, suffix)
#include "host/cudart/functions.def"
#undef CUDART_VARIANT
#undef CUDART_REFUSED
#undef CUDART_FUNCTION
       }) {
    const bool is_nvccs_own = name.starts_with("__cuda"), is_nvidias_own = name == "cudaGetExportTable";
    EXPECT_TRUE(is_nvccs_own || is_nvidias_own || words.contains(name)) << name;
  }
  // As the header names them, whose names stand for the newest version of each.
  for (const std::string name : {
#define DRIVER_FUNCTION(name, base, since) #base,
#define DRIVER_REFUSED(name, base, since)
#define DRIVER_VARIANT(name, suffix)
#include "host/cuda/functions.def"
#undef DRIVER_VARIANT
#undef DRIVER_REFUSED
#undef DRIVER_FUNCTION
       })
    EXPECT_TRUE(words.contains(name)) << name;
}

// The driver's interface: programs that are linked to it alone, and one that uses the runtime, too.
TEST_F(CudaCalls, TheDriversAnswerAsOnAnH200) {
  for (const std::string name : {"calls", "memory", "streams", "libraries", "rest"}) {
    const ChildResult ran = exec({"--check", "off"}, "driver_" + name);
    EXPECT_EQ(ran.exit_code, 0);
    EXPECT_EQ(ran.out, read(WARPSIM_SOURCE_DIR "/tests/data/h200_driver_" + name + ".txt"));
  }
}

// dlopen() by name, as much of the world does it.
TEST_F(CudaCalls, TheDriverIsFoundByName) {
  const ChildResult ran = exec({}, "driver_opened");
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out,
            "cuInit is there\n"
            "the same address by cuGetProcAddress\n"
            "1 + 41 = 42\n"
            "a table: 801\n"
            "never freed: 16 bytes\n");
  EXPECT_NE(ran.err.find("has NVIDIA's runtime inside, which works with NVIDIA's driver alone (cuGetExportTable)\n"
                         "  hint: link it to the shared one: NVCC_APPEND_FLAGS='-cudart shared'"),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("16 bytes never freed"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("allocated by cuMemAlloc"), std::string::npos) << ran.err;
}

// Launches of both interfaces are counted in one order.
TEST_F(CudaCalls, LaunchesOfTheDriverCountAsThoseOfTheRuntime) {
  const std::string trace = log_of("driver_trace") + ".ndjson";
  fs::remove(trace);
  EXPECT_EQ(exec({"--trace", "twice:2", "-o", trace}, "driver_libraries", {"beside_the_runtime"}).exit_code, 0);
  EXPECT_EQ(run_child({WARPSIM_BINARY, "validate", trace}, "").exit_code, 0);
}

}  // namespace
}  // namespace warpsim
