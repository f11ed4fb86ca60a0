// Machine code made of jobs, by a toolkit that a script stands for, and lines of a GPU's clocks put into a capture.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "host/exec/temporary_folder.h"
#include "tools/cuda/benchmarks/machine_jobs.h"
#include "tools/cuda/recording/capture.h"
#include "tools/cycles/machine_record.h"

namespace warpsim::tools {
namespace {

namespace fs = std::filesystem;

// An assembler whose code is the text; it keeps a line for each call. ptxas -arch=… -lineinfo SOURCE -o CUBIN
std::string copying_assembler(const fs::path& folder) {
  const fs::path file = folder / "ptxas";
  std::ofstream(file) << "#!/bin/sh\necho called >> " << (folder / "calls").string() << "\ncp \"$3\" \"$5\"\n";
  fs::permissions(file, fs::perms::owner_all);
  return file.string();
}

std::size_t lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::size_t lines = 0;
  for (std::string line; std::getline(in, line);) ++lines;
  return lines;
}

std::vector<ClockJob> jobs_called(const std::vector<std::string>& names) {
  JobList list =
      all_jobs([&names](std::string_view name) { return std::find(names.begin(), names.end(), name) != names.end(); });
  return std::move(list.jobs);
}

TEST(MachineRecord, CodeIsMadeOnceATextAndWhatCannotBeIsNamed) {
  const host::TemporaryFolder folder;
  const std::string assembler = copying_assembler(folder.path());
  std::vector<ClockJob> jobs = jobs_called({"chain/fma.f32", "cuda/p26/butterfly_pair_swap.w1"});
  ASSERT_EQ(jobs.size(), 2U);
  if (is_cuda(jobs[0])) std::swap(jobs[0], jobs[1]);
  jobs.push_back(jobs[0]);
  const CodeMakers makers{{"/no/such/ptxas", assembler}, {}};
  const MadeJobs made = make_jobs(jobs, makers, (folder.path() / "cubins").string());
  ASSERT_EQ(made.jobs.size(), 2U);
  EXPECT_EQ(*made.jobs[0].code, jobs[0].ptx);
  EXPECT_EQ(made.jobs[0].code, made.jobs[1].code) << "of one text there is one";
  ASSERT_EQ(made.not_made.size(), 1U);
  EXPECT_EQ(made.not_made[0].name, "cuda/p26/butterfly_pair_swap.w1");
  EXPECT_EQ(made.not_made[0].why, "there is no nvcc here");
  EXPECT_EQ(lines_of(folder.path() / "calls"), 1U);
  make_jobs(jobs, makers, (folder.path() / "cubins").string());
  EXPECT_EQ(lines_of(folder.path() / "calls"), 1U) << "the folder has it already";
}

TEST(MachineRecord, WhatTheAssemblerSaysIsTheReason) {
  const host::TemporaryFolder folder;
  const fs::path file = folder.path() / "ptxas";
  std::ofstream(file) << "#!/bin/sh\necho no such instruction >&2\nexit 1\n";
  fs::permissions(file, fs::perms::owner_all);
  const MadeJobs made = make_jobs(jobs_called({"chain/fma.f32"}), {{file.string()}, {}}, folder.path().string());
  EXPECT_TRUE(made.jobs.empty());
  ASSERT_EQ(made.not_made.size(), 1U);
  EXPECT_EQ(made.not_made[0].why, "no such instruction\n");
}

// Code of samples is not kept, so that it can be anything here.
MachineJob sample(const std::string& name) {
  MachineJob job;
  job.name = name;
  job.warps = 2;
  job.code = std::make_shared<const std::string>("code");
  return job;
}

TEST(MachineRecord, LinesOfClocksBecomeCyclesAndWhatIsWrongIsLeftOut) {
  const std::vector<MachineJob> jobs = {sample("samples/good"), sample("samples/other"), sample("samples/hangs"),
                                        sample("samples/stale")};
  const std::string code = "\"code\": \"" + hash_of("code") + "\"";
  const std::string clocks = "\"begin\": [[0,1],[0,1],[0,1]], \"end\": [[90,120],[110,null],[100,100]]}\n";
  const std::string lines =
      R"({"device": "NVIDIA H200", "driver": "13.0", "target": 90, "launches": 21})"
      "\n{\"name\": \"samples/good\", \"difference\": \"\", " +
      code + ", " + clocks +
      "{\"name\": \"samples/other\", \"difference\": \"output is not what the simulator gives\", " + code + ", " +
      clocks + "{\"name\": \"samples/hangs\", " + code +
      ", \"error\": \"it ended the process that measured it\"}\n{\"name\": \"samples/stale\", \"difference\": \"\", "
      "\"code\": \"0\", " +
      clocks + "{\"name\": \"samples/unknown\", \"difference\": \"\", " + code + ", " + clocks;
  MachineCapture capture;
  const Measured measured = take_measured(capture, jobs, lines);
  ASSERT_TRUE(measured.gpu);
  EXPECT_EQ(measured.gpu->target, 90U);
  EXPECT_EQ(capture.device, "NVIDIA H200");
  EXPECT_EQ(capture.launches, 21U);
  ASSERT_EQ(capture.kernels.size(), 1U);
  const MeasuredCode& good = capture.kernels.at("samples/good");
  EXPECT_EQ(good.least, 100U) << "the last warp's end; one that has none is left aside";
  EXPECT_EQ(good.median, 110U);
  EXPECT_EQ(good.most, 120U);
  std::vector<std::string> why;
  for (const JobFault& fault : measured.not_taken) why.push_back(fault.name + ": " + fault.why);
  EXPECT_EQ(why, (std::vector<std::string>{"samples/other: output is not what the simulator gives",
                                           "samples/hangs: it ended the process that measured it",
                                           "samples/stale: its machine code is another",
                                           "samples/unknown: there is no such job"}));
}

TEST(MachineRecord, WithAnL2MapTheFastestLaunchHasItsPlace) {
  const std::vector<MachineJob> jobs = {sample("samples/good")};
  const std::string line = "{\"name\": \"samples/good\", \"difference\": \"\", \"code\": \"" + hash_of("code") +
                           "\", \"end\": [[120],[100],[110]]}\n";
  MachineCapture capture;
  EXPECT_TRUE(take_measured(capture, jobs, line).not_taken.empty());
  EXPECT_EQ(capture.kernels.at("samples/good").place, 0U) << "nobody knows where it lay";
  const std::string map = "{\"l2_first\": [300, 520], \"l2_again\": [290, 310]}\n";
  EXPECT_TRUE(take_measured(capture, jobs, map + line).not_taken.empty());
  EXPECT_EQ(capture.kernels.at("samples/good").place, 2U) << "launch 0 warmed up";
  EXPECT_EQ(capture.l2.first, (std::vector<std::uint16_t>{10, 230}));
  EXPECT_EQ(capture.l2.again, (std::vector<std::uint16_t>{0, 20}));
  EXPECT_TRUE(take_measured(capture, jobs, map + map + line).not_taken.empty());
  EXPECT_EQ(capture.kernels.at("samples/good").place, 0U) << "of another process than the map that counts";
  EXPECT_TRUE(take_measured(capture, jobs, map + line).not_taken.empty());
  EXPECT_TRUE(take_measured(capture, jobs, map).not_taken.empty());
  EXPECT_EQ(capture.kernels.at("samples/good").place, 0U) << "it was not measured with this map";
}

TEST(MachineRecord, FirstLaunchesComeBehindTheOthers) {
  const std::vector<MachineJob> jobs = {sample("samples/good")};
  const std::string line = "{\"name\": \"samples/good\", \"difference\": \"\", \"code\": \"" + hash_of("code") + "\", ";
  const std::string first = line + "\"first\": true, \"end\": [[300],[280]]}\n";
  MachineCapture capture;
  ASSERT_EQ(take_measured(capture, jobs, first).not_taken.size(), 1U);
  EXPECT_TRUE(take_measured(capture, jobs, line + "\"end\": [[100],[110]]}\n" + first).not_taken.empty());
  EXPECT_EQ(capture.kernels.at("samples/good").least, 100U);
  EXPECT_EQ(capture.kernels.at("samples/good").first, 280U);
}

TEST(MachineRecord, WithoutAGpuTheLineSaysWhy) {
  MachineCapture capture;
  const Measured measured = take_measured(capture, {}, "{\"error\": \"no CUDA driver here\"}\n");
  EXPECT_FALSE(measured.gpu);
  EXPECT_EQ(measured.error, "no CUDA driver here");
}

}  // namespace
}  // namespace warpsim::tools
