// Jobs whose machine code a GPU's clocks time: programs with more warps, clocks from begin to end, CUDA kernels with
// clocks, and the file that carries them.
#include "tools/cuda/benchmarks/machine_job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "isa/assembly/assembler.h"
#include "programs/embedded.h"
#include "sim/machine/machine.h"
#include "tools/cuda/benchmarks/clocked_cuda.h"
#include "tools/cuda/benchmarks/clocked_whole.h"
#include "tools/cuda/benchmarks/grown_case.h"
#include "tools/cuda/benchmarks/machine_jobs.h"
#include "tools/cuda/benchmarks/machine_measure.h"

namespace warpsim {
namespace {

Lesson program_of(const std::string& text) {
  Assembled made = assemble(text, "test.warp");
  EXPECT_TRUE(made.lesson() != nullptr) << made.diagnostics.render() << text;
  return made.lesson() ? *made.lesson() : Lesson{};
}

const char* const kShortSums = R"(.kernel sums (in x: u32[size], out y: u32[size], param size: u32 = WARP_SZ)
        ld.global.u32   %v, x[%gtid]
        setp.lt.u32     %low, %laneid, 4
        @%low exit
        shfl.bfly.b32   %o, %v, 1
        add.u32         %v, %v, %o
        st.global.u32   y[%gtid], %v
        exit
.case test
    x = i * i
)";

// ---- from begin to end

// In lockstep each instruction is a cycle. Each thread's first clock is read in cycle 1; two instructions find its
// number, and then come the program's own.
TEST(ClockedWhole, EachThreadHasClocksOfItsOwn) {
  const Lesson program = program_of(kShortSums);
  const auto made = make_clock_job(program, program.cases.front(), Clocks::Whole);
  ASSERT_TRUE(std::holds_alternative<ClockJob>(made)) << std::get<NotClocked>(made).why;
  const auto job = machine_job(std::get<ClockJob>(made));
  ASSERT_TRUE(std::holds_alternative<MachineJob>(job)) << std::get<std::string>(job);
  const auto region = simulate_region(std::get<ClockJob>(made), nullptr);
  const auto& buffers = std::get<SimulatedRegion>(region).buffers;
  const std::vector<std::uint64_t>&begin = buffers.at("clock_begin").bits, &end = buffers.at("clock_end").bits;
  for (std::size_t t = 0; t < 32; ++t) {
    EXPECT_EQ(begin[t], begin[0]) << t;
    // Before its clock: itself, mov, mad, load, setp. Lanes that stay go on behind three guarded ones and the exit.
    EXPECT_EQ(end[t] - begin[t], t < 4 ? 5U : 5U + 4 + 3) << t;
    EXPECT_EQ(buffers.at("y").bits[t], t < 4 ? 0 : t * t + (t ^ 1) * (t ^ 1)) << t;
  }
  EXPECT_EQ(end[32], 0U);
  EXPECT_EQ(std::get<SimulatedRegion>(region).cycles, 12U);
}

// ---- more warps

TEST(GrownCase, EachWarpDoesTheProgramsWork) {
  const Lesson program = program_of(kShortSums);
  const auto grown = grown_case(program, program.cases.front(), 4);
  ASSERT_TRUE(std::holds_alternative<CaseOverrides>(grown)) << std::get<NotClocked>(grown).why;
  const auto prepared = prepare_case(program, program.cases.front(), std::get<CaseOverrides>(grown));
  ASSERT_TRUE(std::holds_alternative<PreparedCase>(prepared));
  const PreparedCase& ready = std::get<PreparedCase>(prepared);
  EXPECT_EQ(ready.config.block.x, 128U);
  EXPECT_EQ(ready.arguments.scalars.at("size"), 128U);
  for (std::uint64_t i = 0; i < 128; ++i) EXPECT_EQ(ready.arguments.buffers.at("x").bits.at(i), (i % 32) * (i % 32));
}

TEST(GrownCase, AProgramThatFindsSomethingIsRefused) {
  const Lesson program = program_of(R"(.kernel k (out y: u32[2])
        setp.lt.u32     %in, %tid.x, 32
        @%in st.global.u32 y[0], %tid.x
        @!%in st.global.u32 y[%tid.x], %tid.x
        exit
.case test
    block = 32
)");
  const auto grown = grown_case(program, program.cases.front(), 2);
  ASSERT_TRUE(std::holds_alternative<NotClocked>(grown));
  EXPECT_EQ(std::get<NotClocked>(grown).why.rfind("with 2 warps: ", 0), 0U) << std::get<NotClocked>(grown).why;
}

// ---- all of them

TEST(MachineJobs, AllProgramsAreThereWithEveryNumberOfWarps) {
  std::set<std::string> names;
  std::size_t programs = 0;
  JobList list;
  const JobFilter wanted = [](std::string_view name) {
    return name.ends_with(".w1.whole") || name.ends_with(".w8.whole") || name.ends_with(".w2");
  };
  for (const EmbeddedProgram& one : embedded_programs()) {
    if (shows_mistakes(one.group) || one.group == "litmus") continue;
    const Assembled made = assemble(one.text, std::string(one.name), std::string(one.group));
    ASSERT_NE(made.lesson(), nullptr);
    ++programs;
    add_program_jobs(list, *made.lesson(), wanted);
  }
  EXPECT_EQ(programs, 98U);
  std::map<std::string, std::size_t> ways;
  for (const ClockJob& job : list.jobs) {
    EXPECT_TRUE(names.insert(job.name).second) << job.name;
    EXPECT_EQ(job.ptx.find("clock_begin[thread] = begin") != std::string::npos, is_cuda(job)) << job.name;
    ++ways[job.name.ends_with(".w8.whole") ? "whole" : is_cuda(job) ? "cuda" : job.whole ? "one" : "region"];
    EXPECT_EQ(job.warps, job.name.ends_with(".w8.whole") ? 8U : job.whole && !is_cuda(job) ? 1U : 2U) << job.name;
  }
  EXPECT_EQ(ways["one"], 98U);
  EXPECT_EQ(ways["whole"], 98U);
  EXPECT_EQ(ways["cuda"], 98U);
  EXPECT_EQ(list.left_out.size(), 98U - ways["region"]);  // those without a region
}

TEST(MachineJobs, KernelsAreRightAndOfBothSets) {
  std::set<std::string> names;
  for (const MicroBenchmark& one : micro_benchmarks()) names.insert(one.name);
  std::map<std::string_view, std::pair<std::size_t, std::size_t>> sets;
  for (const MicroBenchmark& one : machine_benchmarks()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    auto& [all, test] = sets[one.cls];
    ++all;
    test += one.set == KernelSet::Test ? 1 : 0;
    const Assembled made = assemble(one.text, one.name);
    EXPECT_NE(made.lesson(), nullptr) << one.name << "\n" << made.diagnostics.render();
  }
  for (const auto& [cls, counts] : sets) {
    EXPECT_GT(4 * counts.second, counts.first) << cls;       // more than a quarter
    EXPECT_LT(20 * counts.second, 9 * counts.first) << cls;  // less than 45 %
  }
}

// ---- CUDA

TEST(ClockedCuda, TheBodyIsInlinedBetweenTheClocks) {
  const std::string text = clocked_cuda(
      "// k\nextern \"C\" __global__ void g_k(const float* input, float* output, unsigned size) {\n  return;\n}\n");
  EXPECT_NE(text.find("__forceinline__ void body_of_g_k(const float* input"), std::string::npos) << text;
  EXPECT_NE(text.find("void g_k(const float* input, float* output, unsigned size,\n    unsigned* clock_begin"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  body_of_g_k(input, output, size);\n"), std::string::npos) << text;
  EXPECT_EQ(clocked_cuda("void f() {}"), "");
}

// ---- clocks and the file

MachineJob small_job(const std::string& name) {
  MachineJob job;
  job.name = name;
  job.cls = "chains";
  job.set = KernelSet::Test;
  job.warps = 2;
  job.cold = true;
  job.source = "0123";
  job.entry = "k";
  job.code = std::make_shared<const std::string>("code");
  job.block = {64, 1, 1};
  job.shared_bytes = 12;
  job.params = std::string(24, '\1');
  const auto words = std::make_shared<const std::string>(8, '\0');
  job.buffers = {{"y", 4096, 0, words, std::make_shared<const std::string>(8, '\2')},
                 {"clock_begin", 5120, 8, words, words},
                 {"clock_end", 5632, 16, words, words}};
  return job;
}

std::string words(const std::vector<std::uint32_t>& values) {
  return {reinterpret_cast<const char*>(values.data()), 4 * values.size()};
}

TEST(WarpClocks, CountFromTheFirstBeginThoughTheClockWrapsRound) {
  const MachineJob job = small_job("a");
  const WarpClocks clocks = warp_clocks(job, words({0xfffffff8, 0xfffffff0}), words({0x10, 0x4}));
  EXPECT_EQ(clocks.begin, (std::vector<std::uint32_t>{8, 0}));
  EXPECT_EQ(clocks.end, (std::vector<std::uint32_t>{0x20, 0x14}));
  EXPECT_EQ(clocks.cycles(), 0x20U);
  const WarpClocks one = warp_clocks(job, words({5, 0}), words({25, 0}));
  EXPECT_EQ(one.end, (std::vector<std::uint32_t>{20, kNoClock}));
  EXPECT_EQ(one.cycles(), 20U);
}

TEST(WarpClocks, OfThreadsAreTheWarpsFirstAndLast) {
  MachineJob job = small_job("a");
  job.whole = true;
  std::vector<std::uint32_t> begin(64, 100), end(64, 200);
  begin[3] = 98;
  end[40] = 207;
  end[5] = 0;
  const WarpClocks clocks = warp_clocks(job, words(begin), words(end));
  EXPECT_EQ(clocks.begin, (std::vector<std::uint32_t>{0, 2}));
  EXPECT_EQ(clocks.end, (std::vector<std::uint32_t>{102, 109}));
}

TEST(MachineJob, ComesBackFromItsFile) {
  const std::string bytes = pack_jobs({small_job("a"), small_job("b")});
  const auto read = unpack_jobs(bytes);
  ASSERT_TRUE(std::holds_alternative<std::vector<MachineJob>>(read)) << std::get<std::string>(read);
  const std::vector<MachineJob>& jobs = std::get<std::vector<MachineJob>>(read);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].code, jobs[1].code);  // there once
  EXPECT_EQ(pack_jobs(jobs), bytes);
  EXPECT_EQ(jobs[1].buffers[0].name, "y");
  EXPECT_EQ(*jobs[1].buffers[0].after, std::string(8, '\2'));
  EXPECT_TRUE(jobs[1].cold);
  EXPECT_EQ(jobs[1].block.x, 64U);
  for (std::size_t length = 0; length < bytes.size(); length += 7)
    EXPECT_TRUE(std::holds_alternative<std::string>(unpack_jobs(bytes.substr(0, length)))) << length;
}

std::vector<std::string> lines_of_file(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(MeasureJobs, GoOnWhereAFileEnds) {
  const std::string file = ::testing::TempDir() + "machine_jobs_out.ndjson";
  std::remove(file.c_str());
  const std::vector<MachineJob> jobs = {small_job("a"), small_job("b"), small_job("c")};
  MeasureOptions options;
  options.out = file;
  options.without_gpu = true;
  EXPECT_EQ(measure_jobs(std::span(jobs).first(1), options), "");
  ASSERT_EQ(lines_of_file(file).size(), 1U);
  EXPECT_EQ(measure_jobs(jobs, options), "");
  const std::vector<std::string> lines = lines_of_file(file);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[2].rfind("{\"name\": \"c\", \"class\": \"chains\", \"set\": \"test\", \"warps\": 2, ", 0), 0U)
      << lines[2];
  EXPECT_NE(lines[2].find("\"end\": [[100,101],[100,101]"), std::string::npos) << lines[2];
}

}  // namespace
}  // namespace warpsim
