// Machine code beside a GPU's clocks: the captured cycles and code, jobs in the simulator, the scores that come of
// them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "isa/assembly/assembler.h"
#include "programs/embedded.h"
#include "tests/support/sanitized.h"
#include "tests/tools/command/one_file_case.h"
#include "tools/cuda/benchmarks/machine_jobs.h"
#include "tools/cuda/benchmarks/sample_jobs.h"
#include "tools/cuda/recording/capture.h"
#include "tools/cycles/job_file.h"
#include "tools/cycles/machine_capture.h"
#include "tools/cycles/machine_scores.h"
#include "tools/cycles/machine_simulation.h"
#include "tools/support/base64.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim::tools {
namespace {

const TimingProfile& h200() {
  static const TimingProfile profile = builtin_profile("h200")->bounds.front();
  return profile;
}

struct OneJob {
  ClockJob clock;
  MachineJob job;
  sass::Cubin cubin;
};

OneJob captured_job(const std::string& name) {
  OneJob one;
  JobList list = all_jobs([&name](std::string_view other) { return other == name; });
  EXPECT_EQ(list.jobs.size(), 1U) << name;
  one.clock = list.jobs.at(0);
  one.job = std::get<MachineJob>(machine_job(one.clock));
  one.cubin = cubin_of(captured_machine_code(), captured_machine_code().kernels.at(name), one.job.entry);
  return one;
}

// ---- text of bytes

TEST(Base64, IsThatOfTheRfc) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"}};  // RFC 4648, section 10
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(unbase64(text), bytes);
  }
  const std::string high("\xff\xfe\x00\x80", 4);
  EXPECT_EQ(base64(high), "//4AgA==");
  EXPECT_EQ(unbase64("//4AgA=="), high);
  for (const char* wrong : {"Z", "Zg=", "Zg", "Z===", "Zm9*", "Zg==Zg=="}) EXPECT_FALSE(unbase64(wrong)) << wrong;
}

// ---- captures

MachineCapture machine_example() {
  MachineCapture capture{"NVIDIA H200", "13.0", "release 13.0", "2026-11-29", "measure", 90, 21, {}, {}, {}};
  sass::CodeSection code;
  code.is_entry = true;
  code.registers = 12;
  code.shared_bytes = 2048;
  code.words = {{{0x000fe20000000800ULL, 0x0123456789abcdefULL}}, {{1, 2}}};
  capture.codes["00000000000000aa"] = code;
  set_l2(capture, {0, {300, 510, 255, 560, 770}, {260, 330, 270, 290, 320}});
  capture.kernels["p26/x.w2"] = {2, 131, 130, 140, 150, "0123456789abcdef", "00000000000000aa", 7};
  capture.kernels["p26/x.w2.whole"] = {2, 400, 399, 401, 0, "0123456789abcde0", "00000000000000aa"};
  return capture;
}

TEST(MachineCapture, ComesBack) {
  const auto read = read_machine_capture(to_json(machine_example()));
  ASSERT_TRUE(std::holds_alternative<MachineCapture>(read)) << std::get<std::string>(read);
  const MachineCapture& capture = std::get<MachineCapture>(read);
  EXPECT_EQ(to_json(capture), to_json(machine_example()));
  const MeasuredCode& kernel = capture.kernels.at("p26/x.w2");
  EXPECT_EQ(kernel.median, 131U);
  EXPECT_EQ(kernel.least, 130U);
  EXPECT_EQ(kernel.most, 140U);
  EXPECT_EQ(kernel.first, 150U);
  EXPECT_EQ(kernel.place, 7U);
  EXPECT_EQ(capture.kernels.at("p26/x.w2.whole").place, 0U);
  EXPECT_EQ(capture.l2.first, (std::vector<std::uint16_t>{40, 250, 0, 40, 250}))
      << "beyond the nearest; the last two had to come from DRAM";
  EXPECT_EQ(capture.l2.again, (std::vector<std::uint16_t>{0, 70, 10, 30, 60}));
  const sass::Cubin cubin = cubin_of(capture, kernel, "x");
  ASSERT_EQ(cubin.sections.size(), 1U);
  EXPECT_EQ(cubin.target, 90U);
  EXPECT_EQ(cubin.sections[0].name, "x");
  EXPECT_TRUE(cubin.sections[0].is_entry);
  EXPECT_EQ(cubin.sections[0].registers, 12U);
  EXPECT_EQ(cubin.sections[0].shared_bytes, 2048U);
  const auto expected = machine_example().codes.at("00000000000000aa").words;
  ASSERT_EQ(cubin.sections[0].words.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(cubin.sections[0].words[k].word.low, expected[k].word.low);
    EXPECT_EQ(cubin.sections[0].words[k].word.high, expected[k].word.high);
  }
}

TEST(MachineCapture, WhatIsWrongIsSaid) {
  const auto why = [](std::string text, const std::string& from = "", const std::string& to = "") {
    if (const std::size_t at = from.empty() ? 0 : text.find(from); !from.empty()) text.replace(at, from.size(), to);
    const auto read = read_machine_capture(text);
    return std::holds_alternative<std::string>(read) ? std::get<std::string>(read) : "";
  };
  const std::string good = to_json(machine_example());
  EXPECT_EQ(why(good), "");
  EXPECT_NE(why("{").find("it is no capture of machine code's cycles: "), std::string::npos);
  EXPECT_EQ(why("[]"), "it is no capture of machine code's cycles: its \"format\" is not \"warpsim-machine-cycles\"");
  EXPECT_EQ(why(good, "\"1.0\"", "\"2.0\""), "it has version 2.0, and 1.0 can be read");
  for (const std::string member : {"code", "l2"}) {
    const std::string from = '"' + member + "\": [\n\"KLUv", before = from.substr(0, from.size() - 4);
    EXPECT_EQ(why(good, from, before + "*LUv"), '"' + member + "\" is no text of base64");
    EXPECT_NE(why(good, from, before + "KLUw").find('"' + member + '"'), std::string::npos);
  }
  EXPECT_EQ(why(good, "\"00000000000000aa\"", "\"00000000000000ab\""), "p26/x.w2: there is no code 00000000000000ab");
  EXPECT_NE(why(good, "\"cycles\": 131", "\"cycles\": \"131\"").find("p26/x.w2: "), std::string::npos);
}

// Others wrote them: their code is in a file of jobs alone.
TEST(MachineCapture, HasNoCodeOfSamples) {
  MachineJob job;
  job.name = "samples/x";
  job.warps = 2;
  job.code = std::make_shared<const std::string>("no cubin");
  MachineCapture capture = machine_example();
  EXPECT_EQ(add_measured(capture, job, {120, 100, 110}), "");
  EXPECT_EQ(capture.codes.size(), 1U);
  const auto read = read_machine_capture(to_json(capture));
  ASSERT_TRUE(std::holds_alternative<MachineCapture>(read)) << std::get<std::string>(read);
  const MeasuredCode& kernel = std::get<MachineCapture>(read).kernels.at("samples/x");
  EXPECT_EQ(kernel.median, 110U);
  EXPECT_EQ(kernel.code, hash_of(*job.code));
  job.name = "other/x";
  EXPECT_NE(add_measured(capture, job, {1}), "") << "what is no sample needs its code";
}

// A file of jobs is named as a program is.
TEST(MachineCheckOfFiles, OthersAreRefused) {
  EXPECT_TRUE(std::holds_alternative<std::string>(read_job_file("no jobs")));
  MachineJob job;
  job.name = "grids/x";
  job.grid = {2, 3, 4};
  job.code = std::make_shared<const std::string>("no cubin");
  const std::string file = job_file({job});
  const auto read = read_job_file(file);
  ASSERT_TRUE(std::holds_alternative<std::vector<MachineJob>>(read)) << std::get<std::string>(read);
  EXPECT_EQ(std::get<std::vector<MachineJob>>(read).at(0).grid.y, 3U);
  EXPECT_TRUE(std::holds_alternative<std::string>(read_job_file(file.substr(0, file.size() / 2))));
}

// What comes with warpsim is of the jobs that it has: one that has changed is to be measured again.
TEST(CapturedMachineCode, IsOfTheJobsThatThereAre) {
  if (testing::kSanitized) GTEST_SKIP() << "under a sanitizer: all 3471 jobs are made";
  const MachineCapture& capture = captured_machine_code();
  EXPECT_EQ(capture.device, "NVIDIA H200");
  EXPECT_EQ(capture.target, 90U);
  std::vector<std::string> unmeasured, changed;
  const JobList list = all_jobs([](std::string_view) { return true; });
  for (const ClockJob& clock : list.jobs) {
    const auto found = capture.kernels.find(clock.name);
    if (found == capture.kernels.end()) unmeasured.push_back(clock.name);
    else if (job_hash(std::get<MachineJob>(machine_job(clock))) != found->second.job) changed.push_back(clock.name);
  }
  EXPECT_TRUE(unmeasured.empty()) << unmeasured.size() << ", " << unmeasured.front() << " is the first";
  EXPECT_TRUE(changed.empty()) << changed.size() << ", " << changed.front() << " is the first";
  const auto is_own = [](const auto& one) { return !is_sample(one.first); };
  EXPECT_EQ(std::count_if(capture.kernels.begin(), capture.kernels.end(), is_own),
            static_cast<std::ptrdiff_t>(list.jobs.size()))
      << "some are gone";
}

TEST(CapturedMachineCode, AJobWithOtherInputsIsAnother) {
  const OneJob one = captured_job("chain/fma.f32");
  const std::string hash = job_hash(one.job);
  EXPECT_EQ(hash, captured_machine_code().kernels.at("chain/fma.f32").job);
  const auto changed = [&one](auto change) {
    MachineJob job = one.job;
    change(job);
    return job_hash(job);
  };
  EXPECT_NE(changed([](MachineJob& job) { job.block.x = 64; }), hash);
  EXPECT_NE(changed([](MachineJob& job) { job.source[0] = '-'; }), hash);
  EXPECT_NE(changed([](MachineJob& job) { job.params[job.params.size() - 1] ^= 1; }), hash);
  EXPECT_NE(changed([](MachineJob& job) {
              std::string bytes = *job.buffers[0].before;
              bytes[0] = static_cast<char>(bytes[0] ^ 1);
              job.buffers[0].before = std::make_shared<const std::string>(bytes);
            }),
            hash);
  // Where the simulator's memory is, a GPU does not know.
  EXPECT_EQ(changed([](MachineJob& job) { job.buffers[0].address += 4096; }), hash);
}

// ---- in the simulator

// A clocked chain of 32 dependent instructions, whose stall counts are 4 or 5: a GPU's clock says how long it takes.
TEST(MachineSimulation, TheCyclesAreThoseOfTheClockReads) {
  const OneJob one = captured_job("chain/fma.f32");
  const auto ran = simulate_machine_job(one.job, one.cubin, h200());
  ASSERT_TRUE(std::holds_alternative<SimulatedJob>(ran)) << std::get<JobRefusal>(ran).why;
  const SimulatedJob& simulated = std::get<SimulatedJob>(ran);
  EXPECT_EQ(simulated.clocks.begin, std::vector<std::uint32_t>{0});
  EXPECT_NEAR(static_cast<double>(simulated.clocks.cycles()), 126, 2) << "chain/fma.f32 took 126 on an H200";
  EXPECT_GT(simulated.instructions, 4 * 32U) << "four passes";
}

TEST(MachineSimulation, ALaunchHasThePartOfTheL2MapThatItsMemoryHad) {
  const Contents bytes = std::make_shared<const std::string>(1000, '\0'),
                 large = std::make_shared<const std::string>(300'000, '\0');
  MachineJob job;
  job.buffers = {{"all", 0x900000, 0, large, large}, {"in", 0x1100, 8, bytes, bytes}};  // launches share the first one
  L2Map all;  // a launch's memory is from 0x1000 to 0x14e8, and 4,096 bytes further: 0x1600 in whole lines of 512
  for (unsigned k = 0; k < 3 * 0x16; ++k) {
    all.first.push_back(static_cast<std::uint16_t>(k));
    all.again.push_back(static_cast<std::uint16_t>(1000 + k));
  }
  const L2Map part = l2_of(job, 2, all);
  EXPECT_EQ(part.from, 0x1000U);
  ASSERT_EQ(part.first.size(), 0x16U);
  EXPECT_EQ(part.distance(0x1100, true), 2 * 0x16 + 1U);
  EXPECT_EQ(part.distance(0x11ff, false), 1000 + 2 * 0x16 + 1U);
  EXPECT_FALSE(part.has(0x900000));
  EXPECT_TRUE(l2_of(job, 3, all).first.empty()) << "the map does not reach so far";
}

// A chain of loads from L2: as much longer as its pieces lie further away.
TEST(MachineSimulation, LoadsComeFromAsFarAsTheMapSays) {
  const OneJob one = captured_job("global/chase.l2.near.w1");
  const auto cycles_at = [&one](std::uint16_t distance) {
    L2Map map;
    map.from = one.job.buffers.front().address;
    for (const JobBuffer& buffer : one.job.buffers) map.from = std::min(map.from, buffer.address);
    map.first.assign(1 << 16, distance);
    map.again = map.first;
    const auto ran = simulate_machine_job(one.job, one.cubin, h200(), {false, &map});
    return std::get<SimulatedJob>(ran).clocks.cycles();
  };
  EXPECT_EQ(cycles_at(30) - cycles_at(0), 15 * 30U) << "of sixteen loads the clock does not wait for the last one";
}

TEST(MachineSimulation, OtherOutputsAreRefused) {
  OneJob one = captured_job("chain/fma.f32");
  JobBuffer* output = nullptr;
  for (JobBuffer& buffer : one.job.buffers)
    if (!buffer.is_clock() && !buffer.is_read_only()) output = &buffer;
  ASSERT_NE(output, nullptr);
  std::string bytes = *output->after;
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  output->after = std::make_shared<const std::string>(bytes);
  auto ran = simulate_machine_job(one.job, one.cubin, h200());
  ASSERT_TRUE(std::holds_alternative<JobRefusal>(ran));
  EXPECT_EQ(std::get<JobRefusal>(ran).why, "leaves other values in " + output->name);
  one.job.may_differ = true;
  EXPECT_TRUE(std::holds_alternative<SimulatedJob>(simulate_machine_job(one.job, one.cubin, h200())));
}

TEST(MachineSimulation, WhatCannotRunIsRefused) {
  OneJob one = captured_job("chain/fma.f32");
  const auto why = [&one](const TimingProfile& profile) {
    const auto ran = simulate_machine_job(one.job, one.cubin, profile);
    const JobRefusal* const refusal = std::get_if<JobRefusal>(&ran);
    return refusal == nullptr ? JobRefusal{} : *refusal;
  };
  EXPECT_EQ(why(builtin_profile("documents")->bounds.front()).why, "the profile has no numbers for machine code");
  std::vector<sass::CodeWord>& words = one.cubin.sections[0].words;
  const sass::CodeWord first = words[0];
  words[0].word.low = 0x7fff;  // no opcode, and no guard that leaves it out
  EXPECT_NE(why(h200()).why, "");
  EXPECT_NE(why(h200()).where.find("at 0x0, "), std::string::npos) << why(h200()).where;
  words[0] = first;
  one.cubin.sections[0].name = "another";
  EXPECT_EQ(why(h200()).why, "its machine code has no kernel " + one.job.entry);
}

// Today's scores, of every program with one warp and with eight. They may become better.
TEST(MachineSimulation, ThePrograms) {
  std::vector<MachineOutcome> outcomes;
  const JobList list = all_jobs([](std::string_view name) {
    return name.find(".w1.whole") != std::string_view::npos || name.find(".w8.whole") != std::string_view::npos ||
           (name.starts_with("cuda/") && (name.ends_with(".w1") || name.ends_with(".w8")));
  });
  for (const ClockJob& clock : list.jobs) {
    const MeasuredCode& measured = captured_machine_code().kernels.at(clock.name);
    const MachineJob job = std::get<MachineJob>(machine_job(clock));
    if (job_hash(job) != measured.job) continue;
    MachineOutcome outcome{{clock.name, clock.cls, clock.set, clock.warps, measured.least, 0, 0, 0, {}}, {}};
    const L2Map l2 = l2_of(job, measured.place, captured_machine_code().l2);
    const auto ran = simulate_machine_job(job, cubin_of(captured_machine_code(), measured, job.entry), h200(),
                                          {false, l2.first.empty() ? nullptr : &l2});
    if (const JobRefusal* why = std::get_if<JobRefusal>(&ran)) outcome.refusal = *why;
    else outcome.kernel.model = std::get<SimulatedJob>(ran).clocks.cycles();
    outcomes.push_back(std::move(outcome));
  }
  const std::vector<MachineGroup> groups = machine_groups(outcomes);
  ASSERT_EQ(groups.size(), 2U);
  std::cout << groups_text(groups) << refusals_text(outcomes);
  EXPECT_EQ(groups[0].programs, 98U);
  EXPECT_EQ(groups[1].programs, 98U);
  EXPECT_EQ(groups[0].refused, 0U);
  EXPECT_EQ(groups[1].refused, 0U);
  EXPECT_LE(groups[0].mean, 0.013);
  EXPECT_LE(groups[1].mean, 0.018);
}

// ---- scores

MachineOutcome outcome(std::string name, std::string_view cls, unsigned warps, std::uint64_t gpu, std::uint64_t model,
                       std::string refusal = "") {
  MachineOutcome one;
  one.kernel = {std::move(name), cls, KernelSet::Test, warps, gpu, gpu, gpu, model, {CodeVerdict::Kind::Same, ""}};
  one.refusal.why = std::move(refusal);
  return one;
}

TEST(MachineScores, GroupsAreOfTheCatalogue) {
  const std::vector<MachineOutcome> outcomes = {
      outcome("p26/x.w1.whole", "programs", 1, 1000, 1030), outcome("p26/x.w2.whole", "programs", 2, 1000, 900),
      outcome("p26/y.w1.whole", "programs", 1, 1000, 1000), outcome("p26/y.w2.whole", "programs", 2, 1000, 0, "no"),
      outcome("p26/x.w1", "programs", 1, 100, 150),         outcome("cuda/p26/x.w16", "kernels", 16, 200, 200),
      outcome("chain/fma.f32", "chains", 1, 100, 300)};
  const std::vector<MachineGroup> groups = machine_groups(outcomes);
  ASSERT_EQ(groups.size(), 3U);
  EXPECT_EQ(groups[0].programs, 2U);
  EXPECT_EQ(groups[0].jobs, 4U);
  EXPECT_EQ(groups[0].refused, 1U);
  EXPECT_DOUBLE_EQ(groups[0].mean, (0.03 + 0.10 + 0) / 3);
  EXPECT_DOUBLE_EQ(groups[0].worst, 0.10);
  EXPECT_EQ(groups[0].within_mean, 2U);
  EXPECT_EQ(groups[0].within_worst, 3U);
  EXPECT_EQ(groups[1].jobs, 1U);
  EXPECT_DOUBLE_EQ(groups[1].worst, 0.5);
  EXPECT_EQ(groups[2].programs, 1U);
  EXPECT_EQ(groups[2].within_mean, 1U);
  EXPECT_EQ(refusals_text(outcomes), "refused: 1 kernel\n  no: 1 kernel, `p26/y.w2.whole`\n");
  EXPECT_TRUE(refusals_text({outcomes[0]}).empty());
}

TEST(MachineScores, LimitsAreThoseOfMachineCode) {
  const auto is_within = [](std::uint64_t one, std::uint64_t other) {
    const std::vector<ComparedKernel> kernels = {outcome("a", "kernels", 1, 1000, one).kernel,
                                                 outcome("b", "kernels", 1, 1000, other).kernel};
    return is_within_limits(scores(kernels).front(), kMachineCodeLimits);
  };
  EXPECT_TRUE(is_within(1030, 970));
  EXPECT_FALSE(is_within(1040, 970));  // 3.5 % on average
  EXPECT_TRUE(is_within(1050, 1000));
  EXPECT_FALSE(is_within(1110, 1000));  // 11 % at worst
  const std::vector<ComparedKernel> fetch = {outcome("fetch/32", "fetch", 1, 1000, 2000).kernel};
  EXPECT_FALSE(scores(fetch).front().counts) << "only reported";
}

TEST(MachineScores, FitATerminal) {
  std::vector<MachineOutcome> outcomes;
  for (unsigned k = 0; k < 1000; ++k)
    outcomes.push_back(outcome("p26/a_program_with_a_long_name" + std::to_string(k) + ".w1.whole", "programs", 1, 100,
                               100 + 12 * (k % 9),
                               k % 2 == 0 ? "" : "AN.INSTRUCTION.WITH.A.LONG.NAME has no meaning here"));
  const std::string text = groups_text(machine_groups(outcomes)) + refusals_text(outcomes);
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    EXPECT_LE(end - begin, 80U) << text.substr(begin, end - begin);
  EXPECT_EQ(begin, text.size());
  EXPECT_NE(text.find("500 kernels"), std::string::npos) << text;
}

// A GPU on which everything takes twice as long: the model is off by a half, and the command says so.
TEST(MachineScores, TheCommandHoldsTheTestSetToTheLimits) {
  MachineCapture capture = captured_machine_code();
  for (auto& [name, kernel] : capture.kernels)
    for (std::uint64_t* const cycles : {&kernel.least, &kernel.median, &kernel.most}) *cycles *= 2;
  OneFileCase one;
  one.files = {{"slow.json", to_json(capture)}};
  one.command = "warpsim crosscheck --cycles --machine-code --against slow.json chain/mul.f32 chain/fma.f32";
  const OneFileCase ran = run_case(one, std::filesystem::path(WARPSIM_BINARY).parent_path().string());
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_NE(ran.out.find("\n!  over the limits: 3.0 % on average, 10.0 % at worst\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("chains: the test set is off by "), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("the limits are 3.0 % and 10.0 %"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace warpsim::tools
