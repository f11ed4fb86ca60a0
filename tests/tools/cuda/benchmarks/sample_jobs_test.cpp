// Kernels that others wrote, as jobs: clock reads in PTX, one block and the whole grid.
#include "tools/cuda/benchmarks/sample_jobs.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <variant>
#include <vector>

#include "tools/cuda/benchmarks/clock_job.h"
#include "tools/cuda/benchmarks/clocked_ptx.h"
#include "tools/cuda/benchmarks/machine_job.h"

namespace warpsim {
namespace sample_jobs_test {

constexpr const char* kTwice = R"(.version 9.0
.target sm_90
.address_size 64

.visible .entry twice(
        .param .u64 twice_param_0
)
{
        .reg .pred %p<2>;
        .reg .b32 %r<7>;
        .reg .b64 %rd<5>;
        ld.param.u64 %rd1, [twice_param_0];
        cvta.to.global.u64 %rd2, %rd1;
        mov.u32 %r1, %ctaid.x;
        mov.u32 %r2, %ntid.x;
        mov.u32 %r3, %tid.x;
        mad.lo.s32 %r4, %r1, %r2, %r3;
        setp.gt.u32 %p1, %r4, 99;
        @%p1 bra $L_end;
        shl.b32 %r5, %r4, 1;
        mul.wide.u32 %rd3, %r4, 4;
        add.s64 %rd4, %rd2, %rd3;
        st.global.u32 [%rd4], %r5;
$L_end:
        ret;
}
)";
constexpr const char* kLaunch = R"(.kernel twice (out y: u32[100])
.case test
    grid = 3
    block = 48
)";

std::vector<std::uint32_t> words_of(const std::string& bytes) {
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

const JobBuffer& buffer(const MachineJob& job, const std::string& name) {
  for (const JobBuffer& one : job.buffers)
    if (one.name == name) return one;
  ADD_FAILURE() << name;
  return job.buffers.front();
}

// A block of 48 threads is two warps.
TEST(SampleJobs, AreOneBlockAndTheWholeGrid) {
  const auto made = sample_jobs({"twice", kTwice, kLaunch});
  ASSERT_TRUE(std::holds_alternative<std::vector<ClockJob>>(made)) << std::get<std::string>(made);
  const auto& jobs = std::get<std::vector<ClockJob>>(made);
  ASSERT_EQ(jobs.size(), 2U);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::size_t blocks = k == 0 ? 1 : 3;
    EXPECT_EQ(jobs[k].name, k == 0 ? "samples/twice" : "grids/twice");
    EXPECT_TRUE(is_sample(jobs[k].name));
    const auto job = machine_job(jobs[k]);
    ASSERT_TRUE(std::holds_alternative<MachineJob>(job)) << std::get<std::string>(job);
    const MachineJob& one = std::get<MachineJob>(job);
    EXPECT_EQ(one.grid.count(), blocks);
    EXPECT_EQ(one.warps, 2 * blocks);
    EXPECT_EQ(one.params.size(), 4 * sizeof(std::uint64_t));
    const auto y = words_of(*buffer(one, "y").after);
    ASSERT_EQ(y.size(), 100U);
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_EQ(y[i], i < 48 * blocks ? 2 * i : 0) << i;
    for (const char* const name : {"clock_begin", "clock_end", "clock_sm"})
      EXPECT_EQ(buffer(one, name).before->size(), 4 * 64 * blocks) << name;
  }
  EXPECT_FALSE(is_sample("p26/warp_sum.w4"));
}

// Its threads are those that there are, each with its own clocks.
TEST(SampleJobs, EachThreadHasClocksOfItsOwn) {
  const auto made = sample_jobs({"twice", kTwice, kLaunch});
  const auto& jobs = std::get<std::vector<ClockJob>>(made);
  const auto region = simulate_region(jobs.at(1), nullptr);
  ASSERT_TRUE(std::holds_alternative<SimulatedRegion>(region));
  const auto& buffers = std::get<SimulatedRegion>(region).buffers;
  const auto& begin = buffers.at("clock_begin").bits;
  const auto& end = buffers.at("clock_end").bits;
  ASSERT_EQ(end.size(), 3U * 64);
  for (std::size_t i = 0; i < end.size(); ++i) {
    if (i % 64 < 48) EXPECT_GT(end[i], begin[i]) << i;
    else EXPECT_EQ(end[i], 0U) << i;
  }
}

TEST(SampleJobs, SayWhyThereIsNone) {
  const auto why = [](const std::string& ptx, const std::string& launch) {
    const auto made = sample_jobs({"twice", ptx, launch});
    return std::holds_alternative<std::string>(made) ? std::get<std::string>(made) : "";
  };
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(why(kTwice, kLaunch), "");
  EXPECT_EQ(why(with(kTwice, "        ret;", "        exit;"), kLaunch), "it ends in other ways than by `ret`");
  EXPECT_EQ(why(with(kTwice, "@%p1 bra $L_end;", "@%p1 ret;"), kLaunch), "it ends in other ways than by `ret`");
  EXPECT_EQ(why(kTwice, ".case test\n"), "its description has no kernel");
  EXPECT_EQ(why(with(kTwice, ".visible", ".global .u32 total;\n.visible"), kLaunch), "");
  EXPECT_EQ(why(with(with(kTwice, ".visible", ".global .u32 total;\n.visible"), "        st.global.u32 [%rd4], %r5;",
                     "        st.global.u32 [total], %r5;"),
                kLaunch),
            "it has variables in global memory");
}

TEST(ClockedPtx, KernelsWithoutParametersGetTheFirst) {
  const std::string text = clocked_ptx(".entry none()\n{\n        ret;\n}\n", "none");
  EXPECT_NE(text.find(".entry none(\n        .param .u64 none_clock_begin"), std::string::npos) << text;
  EXPECT_EQ(clocked_description(".kernel none ()\n", "none", 64),
            ".kernel none (out clock_begin: u32[64], out clock_end: u32[64], out clock_sm: u32[64])\n");
  EXPECT_EQ(clocked_ptx(".entry other()\n{\n        ret;\n}\n", "none"), "");
}

// Clocks of two multiprocessors have nothing to do with each other, and wrap round each for itself.
TEST(WarpClocksOfGrids, CountFromTheFirstBeginOnTheirMultiprocessor) {
  MachineJob job;
  job.whole = true;
  job.warps = 4;
  std::string begin(4 * 32 * 4, '\0'), end = begin, sm = begin;
  const auto put = [](std::string& bytes, unsigned warp, std::uint32_t value) {
    for (unsigned lane = 0; lane < 32; ++lane) std::memcpy(bytes.data() + (warp * 32 + lane) * 4, &value, 4);
  };
  const std::uint32_t begins[] = {1000, 0xfffffff0, 990, 0x20}, ends[] = {1100, 0x40, 1200, 0x30}, sms[] = {3, 7, 3, 7};
  for (unsigned warp = 0; warp < 4; ++warp)
    put(begin, warp, begins[warp]), put(end, warp, ends[warp]), put(sm, warp, sms[warp]);
  const WarpClocks clocks = warp_clocks(job, begin, end, sm);
  EXPECT_EQ(clocks.begin, (std::vector<std::uint32_t>{10, 0, 0, 0x30}));
  EXPECT_EQ(clocks.end, (std::vector<std::uint32_t>{110, 0x50, 210, 0x40}));
  EXPECT_EQ(clocks.cycles(), 210U);
}

}  // namespace sample_jobs_test
}  // namespace warpsim
