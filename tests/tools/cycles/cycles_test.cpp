// Captured cycles, the scores that come of them, and profiles that are fitted to them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "isa/assembly/assembler.h"
#include "programs/embedded.h"
#include "tests/support/small_profile.h"
#include "tests/tools/command/one_file_case.h"
#include "tools/cuda/benchmarks/machine_code.h"
#include "tools/cuda/recording/capture.h"
#include "tools/cycles/calibration.h"
#include "tools/cycles/captured_cycles.h"
#include "tools/cycles/cycle_capture.h"
#include "tools/cycles/cycle_scores.h"

namespace warpsim::tools {
namespace {

using warpsim::testing::small_profile;

// ---- captures

CycleCapture example() {
  CycleCapture capture{"NVIDIA H200", "13.0", "2026-11-22", "warpsim crosscheck --cycles --record FILE", 90, 7, {}};
  CapturedCycles kernel{"chain/fma.f32", 1, 0, 0, 0, "0123456789abcdef", "FFMA*32"};
  set_cycles(kernel, {131, 130, 140});
  capture.kernels[kernel.name] = kernel;
  return capture;
}

TEST(CycleCapture, ComesBack) {
  const auto read = read_cycle_capture(to_json(example()));
  ASSERT_TRUE(std::holds_alternative<CycleCapture>(read)) << std::get<std::string>(read);
  const CycleCapture& capture = std::get<CycleCapture>(read);
  EXPECT_EQ(to_json(capture), to_json(example()));
  const CapturedCycles& kernel = capture.kernels.at("chain/fma.f32");
  EXPECT_EQ(kernel.least, 130U);
  EXPECT_EQ(kernel.median, 131U);
  EXPECT_EQ(kernel.most, 140U);
}

TEST(CycleCapture, WhatIsWrongIsSaid) {
  const auto why = [](std::string_view text) {
    const auto read = read_cycle_capture(text);
    return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : "";
  };
  EXPECT_EQ(why("{"), "it is no JSON from line 1, column 2 on");
  EXPECT_EQ(why("{\n \"format\": 1,\n \"version\" 2}"), "it is no JSON from line 3, column 12 on");
  EXPECT_EQ(why("[]"), "it is no capture of cycles: \"format\" should be a text, but is missing");
  EXPECT_EQ(why("{\"format\": \"warpsim-capture\"}"),
            "it is no capture of cycles: its \"format\" is \"warpsim-capture\", not \"warpsim-cycles\"");
  EXPECT_EQ(why("{\"format\": \"warpsim-cycles\"}"), "\"version\" should be a text, but is missing");
  EXPECT_EQ(why("{\"format\": \"warpsim-cycles\", \"version\": \"2.0\"}"), "it has version 2.0, and 1.0 can be read");
  std::string text = to_json(example());
  text.replace(text.find("\"least\": 130"), 12, "\"least\": -13");
  EXPECT_EQ(why(text), "kernels[0] (chain/fma.f32) \"least\" should be a whole number, not -13");
}

// What comes with warpsim is of the kernels and programs that it has: a kernel that is changed is to be measured again.
TEST(CapturedCycles, AreOfTheKernelsThatThereAre) {
  const CycleCapture& capture = captured_cycles();
  EXPECT_EQ(capture.device, "NVIDIA H200");
  EXPECT_EQ(capture.target, 90U);
  std::map<std::string, ClockJob> jobs;
  std::vector<std::string> unmeasured, gone, changed;
  for (ClockJob& job : micro_benchmark_jobs()) {
    if (capture.kernels.count(job.name) == 0) unmeasured.push_back(job.name);
    jobs.emplace(job.name, std::move(job));
  }
  for (const EmbeddedProgram& embedded : embedded_programs()) {
    const Assembled made = assemble(embedded.text, std::string(embedded.name), std::string(embedded.group));
    if (!made.lesson() || made.lesson()->cases.empty()) continue;
    const Case* const test = made.lesson()->find_case("test");
    auto job = make_clock_job(*made.lesson(), test != nullptr ? *test : made.lesson()->cases.front());
    if (std::holds_alternative<ClockJob>(job))
      jobs.emplace(made.lesson()->full_name(), std::get<ClockJob>(std::move(job)));
  }
  for (const auto& [name, kernel] : capture.kernels) {
    EXPECT_TRUE(0 < kernel.least && kernel.least <= kernel.median && kernel.median <= kernel.most) << name;
    EXPECT_FALSE(unpack_opcodes(kernel.code).empty()) << name;
    const auto job = jobs.find(name);
    if (job == jobs.end()) {
      gone.push_back(name);
      continue;
    }
    EXPECT_EQ(kernel.warps, job->second.warps) << name;
    if (kernel.ptx != hash_of(job->second.ptx)) changed.push_back(name);
    else EXPECT_EQ(captured_cycles_of(job->second), &kernel) << name;
  }
  const auto none = [](const std::vector<std::string>& names, const char* what) {
    EXPECT_TRUE(names.empty()) << names.size() << " kernels " << what << ", " << names.front() << " is the first";
  };
  none(unmeasured, "have not been measured");
  none(gone, "are gone");
  none(changed, "have changed since they were measured");
}

TEST(CapturedCycles, AKernelThatHasChangedHasNone) {
  std::vector<ClockJob> jobs = micro_benchmark_jobs();
  jobs.front().ptx += " ";
  EXPECT_EQ(captured_cycles_of(jobs.front()), nullptr);
}

// A shuffle, as versus --profile has it measured: what its part of the program takes counts if it can be compared.
TEST(CapturedCycles, AreComparableIfTheyAreLongAndOfTheSameCode) {
  const Assembled made = assemble(
      ".kernel k (in x: u32[32], out y: u32[32])\nld.global.u32 %a, x[%laneid]\nshfl.bfly.b32 %b, %a, 1\n"
      "add.u32 %b, %b, %a\nst.global.u32 y[%laneid], %b\nexit\n.case test\n    x = i\n",
      "k.warp");
  ASSERT_TRUE(made.lesson()) << made.diagnostics.render();
  const auto job = make_clock_job(*made.lesson(), made.lesson()->cases.front());
  ASSERT_TRUE(std::holds_alternative<ClockJob>(job)) << std::get<NotClocked>(job).why;
  const auto why_not = [&job](std::uint64_t cycles, const char* code) {
    return why_not_comparable(std::get<ClockJob>(job), {"k", 1, cycles, cycles, cycles, "", code});
  };
  EXPECT_EQ(why_not(kFewestCycles, "SHFL.BFLY IADD3"), "");
  EXPECT_EQ(why_not(kFewestCycles - 1, "SHFL.BFLY IADD3"), "too short to be compared: 39 cycles");
  EXPECT_EQ(why_not(400, "SHFL.BFLY IADD3 MOV"), "its machine code has other instructions than the program");
  EXPECT_EQ(why_not(400, "IADD3 SHFL.BFLY"), "its machine code has the program's instructions in another order");
  EXPECT_EQ(why_not(400, ""), "nobody knows its machine code");
}

// ---- scores

ComparedKernel compared(std::string name, std::string_view cls, KernelSet set, std::uint64_t gpu, std::uint64_t model,
                        CodeVerdict::Kind kind = CodeVerdict::Kind::Same) {
  return {std::move(name), cls, set, 1, gpu, gpu, gpu, model, {kind, ""}};
}

TEST(CycleScores, AreOfTheKernelsWhoseMachineCodeIsTheProgram) {
  const std::vector<ComparedKernel> kernels = {
      compared("a", "chains", KernelSet::Test, 100, 102), compared("b", "chains", KernelSet::Test, 200, 180),
      compared("c", "chains", KernelSet::Test, 100, 300, CodeVerdict::Kind::Differs),
      compared("d", "chains", KernelSet::Calibration, 100, 100),
      compared("e", "global", KernelSet::Test, 100, 300, CodeVerdict::Kind::Differs)};
  const std::vector<Score> found = scores(kernels);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].set, KernelSet::Calibration);
  EXPECT_EQ(found[0].mean, 0);
  EXPECT_EQ(found[1].kernels, 2U);
  EXPECT_DOUBLE_EQ(found[1].mean, (0.02 + 0.10) / 2);
  EXPECT_DOUBLE_EQ(found[1].worst, 0.10);
  EXPECT_EQ(found[1].worst_kernel->name, "b");
  EXPECT_FALSE(found[2].counts);  // reported, not scored
  EXPECT_TRUE(is_within_limits(found[2]));
  EXPECT_NE(apart_text(kernels).find("c: GPU 100, model 300 (+200.0 %)"), std::string::npos);
  EXPECT_EQ(apart_text(kernels).find("  e:"), std::string::npos);
}

TEST(CycleScores, TheTestSetHasLimits) {
  const auto within = [](KernelSet set, std::uint64_t one, std::uint64_t other) {
    const std::vector<ComparedKernel> kernels = {compared("a", "shared", set, 1000, one),
                                                 compared("b", "shared", set, 1000, other)};
    return is_within_limits(scores(kernels).front());
  };
  EXPECT_TRUE(within(KernelSet::Test, 1050, 950));
  EXPECT_FALSE(within(KernelSet::Test, 1060, 950));   // 5.5 % on average
  EXPECT_FALSE(within(KernelSet::Test, 1000, 1160));  // 16 % at worst: 8 % on average, too
  EXPECT_TRUE(within(KernelSet::Calibration, 2000, 1000));
}

// Names are cut nowhere, and no line but a name's own is longer than a terminal.
TEST(CycleScores, FitATerminal) {
  std::vector<ComparedKernel> kernels = {
      compared("algorithm/butterfly.add.f32.w32", "algorithms", KernelSet::Test, 100, 250),
      compared("global/l2.stride32", "global", KernelSet::Calibration, 1000, 1900),
      compared("algorithm/fft.w1", "algorithms", KernelSet::Test, 100, 300, CodeVerdict::Kind::Differs)};
  kernels.back().code.difference =
      "with 2 MOV more, 1 SHF.R.S32.HI more, 1 LEA.HI more, 4 IMAD.MOV.U32 more, 1 LOP3.LUT less";
  const std::string text = scores_text(scores(kernels)) + apart_text(kernels);
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    EXPECT_LE(end - begin, 80U) << text.substr(begin, end - begin);
  EXPECT_EQ(begin, text.size());
  EXPECT_NE(text.find("150.0 %!"), std::string::npos) << text;
  EXPECT_NE(text.find("90.0 %*"), std::string::npos) << text;
  EXPECT_NE(text.find("algorithm/butterfly.add.f32.w32\n"), std::string::npos) << text;
  EXPECT_NE(text.find("*  only reported\n!  over the limits: 5.0 % on average, 15.0 % at worst\n"), std::string::npos);
  EXPECT_NE(text.find("IMAD.MOV.U32"), std::string::npos);
  EXPECT_NE(text.find("1 LOP3.LUT less"), std::string::npos);
}

TEST(CycleScores, AClassWithoutAScoredKernelIsNamed) {
  const std::vector<ComparedKernel> kernels = {
      compared("a", "chains", KernelSet::Test, 100, 102), compared("b", "shared", KernelSet::Calibration, 200, 180),
      compared("c", "barriers", KernelSet::Test, 100, 300, CodeVerdict::Kind::Differs)};
  EXPECT_EQ(unscored_classes(scores(kernels), {"chains", "shared", "barriers", "global"}),
            (std::vector<std::string>{"shared", "barriers"}));
  EXPECT_TRUE(unscored_classes(scores(kernels), {"chains"}).empty());
}

// ---- fitting

struct Fit {
  std::vector<ClockJob> jobs;
  std::vector<CalibrationKernel> kernels;
};

// Kernels with the cycles that they take with `truth`.
Fit measured_with(const TimingProfile& truth, const std::vector<std::string>& names) {
  Fit fit;
  for (ClockJob& job : micro_benchmark_jobs())
    if (std::find(names.begin(), names.end(), job.name) != names.end()) fit.jobs.push_back(std::move(job));
  EXPECT_EQ(fit.jobs.size(), names.size());
  for (const ClockJob& job : fit.jobs) {
    const auto simulated = simulate_region(job, std::make_shared<TimingProfile>(truth), kModelPasses);
    fit.kernels.push_back({&job, std::get<SimulatedRegion>(simulated).cycles});
  }
  return fit;
}

TEST(Calibration, FindsTheNumbersThatTheKernelsShow) {
  TimingProfile truth = small_profile();
  truth.classes[testing::kShuffle].latency.assign(testing::kSmallClasses, 26);
  truth.classes[testing::kShared].per_way = 3;
  truth.barrier.release = 20;
  const Fit fit =
      measured_with(truth, {"chain/fma.f32", "chain/add.xor", "pair/alu.ffma", "pair/alu.shfl", "chain/setp.guard",
                            "shuffle/bfly.const", "shuffle/bfly.add", "shared/chase", "shared/conflict.chase.8",
                            "shared/conflict.chase.32", "bar/sync", "bar/sync.w8"});
  const Calibrated found = calibrate(small_profile(), fit.kernels);
  EXPECT_GT(found.mean_before, 0.05);
  EXPECT_LT(found.mean_after, 0.001);
  EXPECT_EQ(found.profile.classes[testing::kShuffle].latency[testing::kShuffle], 26U);
  EXPECT_EQ(found.profile.classes[testing::kShared].per_way, 3);
  EXPECT_EQ(found.profile.barrier.release, 20U);
  EXPECT_EQ(found.profile.classes[testing::kMul].latency, small_profile().classes[testing::kMul].latency);
  // What these kernels load from global memory nothing waits for in their region.
  EXPECT_NE(std::find(found.unmeasured.begin(), found.unmeasured.end(), "classes/memory/latency/memory"),
            found.unmeasured.end());
}

TEST(Calibration, LeavesWhatFits) {
  const Fit fit = measured_with(small_profile(), {"chain/fma.f32", "bar/sync.w4"});
  const Calibrated found = calibrate(small_profile(), fit.kernels);
  EXPECT_EQ(found.changed, 0U);
  EXPECT_EQ(found.mean_after, 0);
}

// A capture of a few kernels, or all, as of today's, in which each takes a quarter longer than the H200 needed.
std::string slower_capture(const std::vector<std::string>& names, const std::string& code = "") {
  CycleCapture capture{"NVIDIA Slow", "13.0", "2026-11-22", "warpsim crosscheck --cycles --record FILE", 90, 1, {}};
  for (const ClockJob& job : micro_benchmark_jobs()) {
    if (!names.empty() && std::find(names.begin(), names.end(), job.name) == names.end()) continue;
    const auto measured = captured_cycles().kernels.find(job.name);
    if (measured == captured_cycles().kernels.end()) continue;
    CapturedCycles kernel = measured->second;
    if (!code.empty()) kernel.code = code;
    kernel.ptx = hash_of(job.ptx);
    kernel.least = kernel.median = kernel.most = kernel.median + kernel.median / 4;
    capture.kernels[job.name] = kernel;
  }
  return to_json(capture);
}

TEST(CalibrateVerb, MakesAProfileThatCanBeUsed) {
  const std::vector<std::string> names = {"chain/fma.f32", "chain/add.xor", "chain/popc", "shuffle/bfly.const"};
  OneFileCase one;
  one.files = {{"clocks.json", slower_capture(names)}};
  one.command =
      "warpsim calibrate --from clocks.json -o mine.json | head -n 2 && warpsim crosscheck --cycles --against "
      "clocks.json --profile mine.json chain/fma.f32 chain/add.xor chain/popc shuffle/bfly.const && grep -o '\"name\": "
      "\"slow\", \"title\": \"NVIDIA Slow\"' mine.json";
  const OneFileCase ran = run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find(" numbers of cycles, fitted to 4 kernels of the calibration set: mean error "),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find(" that no kernel determines are as they were; --json names them\n"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("\n4 kernels on NVIDIA Slow, driver for CUDA 13.0, 2026-11-22"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\"name\": \"slow\", \"title\": \"NVIDIA Slow\"\n"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("over the limit"), std::string::npos) << ran.out;
}

OneFileCase crosscheck_cycles(const std::string& capture, const std::string& arguments) {
  OneFileCase one;
  one.files = {{"clocks.json", capture}};
  one.command = "warpsim crosscheck --cycles --against clocks.json " + arguments;
  return run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
}

TEST(CrosscheckCyclesVerb, WhatTheCaptureLacksIsSaidAndIsNoSuccess) {
  const std::string capture = slower_capture({"chain/fma.f32"});
  const OneFileCase ran = crosscheck_cycles(capture, "");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_NE(ran.err.find("warpsim: warning: "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find(" kernels not in the capture: `"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("error: no kernel of the test set is scored of `chains`, "), std::string::npos) << ran.err;
  const OneFileCase json = crosscheck_cycles(capture,
                                             "--json | python3 -c 'import json, sys; a = json.load(sys.stdin); "
                                             "print(\"chain/mul.f32\" in a[\"result\"][\"without_capture\"], "
                                             "a[\"diagnostics\"][0][\"severity\"])'");
  EXPECT_EQ(json.out, "True warning\n");
  // One that was named is there: that is all that was asked for.
  EXPECT_EQ(crosscheck_cycles(capture, "chain/fma.f32").exit_code, 0);
}

TEST(CrosscheckCyclesVerb, MachineCodeOfAnotherProgramIsNoSuccess) {
  const OneFileCase ran = crosscheck_cycles(slower_capture({}, "FOO"), "");
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_NE(ran.err.find("no kernel of the test set is scored of `chains`, `throughput`, `shuffles`, "),
            std::string::npos)
      << ran.err;
  EXPECT_EQ(ran.out.find(" chains "), std::string::npos);
}

TEST(CrosscheckCyclesVerb, ProgramsThatCannotBeMeasuredAreNamed) {
  const OneFileCase ran = crosscheck_cycles(slower_capture({"chain/fma.f32"}),
                                            "--json | python3 -c 'import json, sys; print([one for one in "
                                            "json.load(sys.stdin)[\"result\"][\"not_clocked\"] if "
                                            "one[\"program\"] == \"graph/connected_components\"])'");
  EXPECT_NE(ran.out.find("'why': 'it uses global memory on line "), std::string::npos) << ran.out << ran.err;
}

// Another GPU of the same architecture, to which nothing was fitted: docs/cycles.md shows it.
TEST(CrosscheckCyclesVerb, TheH200sProfileMeetsAnH100) {
  OneFileCase one;
  one.command = "warpsim crosscheck --cycles --against " WARPSIM_SOURCE_DIR "/traces/captures/h100/cycles.json";
  const OneFileCase ran = run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("NVIDIA H100 80GB HBM3"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.err, "") << "all its kernels are those that there are";
  std::ifstream in(WARPSIM_SOURCE_DIR "/docs/cycles.md");
  const std::string page{std::istreambuf_iterator<char>(in), {}};
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) {
    if (line.find("  test  ") == std::string::npos) continue;
    EXPECT_NE(page.find(line + "\n"), std::string::npos) << "docs/cycles.md does not show: " << line;
  }
}

TEST(CrosscheckCyclesVerb, TheDefaultProfileTakesAScheduler) {
  const OneFileCase ran = crosscheck_cycles(slower_capture({"chain/fma.f32"}), "--scheduler gto chain/fma.f32 --json");
  EXPECT_EQ(ran.exit_code, 0) << ran.out;
  EXPECT_NE(ran.out.find("\"profile\": \"h200 --scheduler gto\""), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace warpsim::tools
