// Programs with clock reads around what is measured: what they compute stays, and what is between the clocks is the
// region, once a pass.
#include "tools/cuda/benchmarks/clocked.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "isa/assembly/assembler.h"
#include "programs/embedded.h"
#include "sim/machine/machine.h"
#include "tests/support/ptxas.h"
#include "tools/cuda/benchmarks/clock_job.h"

namespace warpsim {
namespace {

Lesson assembled(const std::string& text) {
  Assembled made = assemble(text, "test.warp");
  EXPECT_TRUE(made.lesson() != nullptr) << made.diagnostics.render() << text;
  return made.lesson() ? *made.lesson() : Lesson{};
}

std::string why_not(const std::string& text) {
  const auto made = clocked(assembled(text));
  const NotClocked* const why = std::get_if<NotClocked>(&made);
  return why == nullptr ? "" : why->why;
}

const char* const kSums = R"(.kernel sums (in x: u32[size], out y: u32[size], param size: u32 = WARP_SZ)
        setp.ge.u32     %outside, %gtid, size
        @%outside exit
        ld.global.u32   %v, x[%gtid]
        shfl.bfly.b32   %o, %v, 1
        add.u32         %v, %v, %o
        setp.lt.u32     %low, %laneid, 4
        @!%low bra      done
        add.u32         %v, %v, size
done:   st.global.u32   y[%gtid], %v
        exit
.case test
    x = i * i
)";

// In lockstep each instruction is a cycle: the clock at the region's end is read as many cycles after the first as the
// region has instructions that the warp issues, and one.
TEST(Clocked, WhatIsBetweenTheClocksIsTheRegion) {
  const Lesson program = assembled(kSums);
  const auto made = make_clock_job(program, program.cases.front());
  ASSERT_TRUE(std::holds_alternative<ClockJob>(made)) << std::get<NotClocked>(made).why;
  const ClockJob& job = std::get<ClockJob>(made);
  EXPECT_EQ(job.clocked.last - job.clocked.first, 5);  // the shuffle to the guarded add
  const auto simulated = simulate_region(job, nullptr);
  ASSERT_TRUE(std::holds_alternative<SimulatedRegion>(simulated));
  EXPECT_EQ(std::get<SimulatedRegion>(simulated).cycles, 5U + 1);
}

// Though the region runs several times on a value that it changes.
TEST(Clocked, TheOutputsAreThoseOfOnePass) {
  const Lesson program = assembled(kSums);
  const auto made = make_clock_job(program, program.cases.front());
  ASSERT_TRUE(std::holds_alternative<ClockJob>(made));
  const auto simulated = simulate_region(std::get<ClockJob>(made), nullptr);
  const std::vector<std::uint64_t> y = std::get<SimulatedRegion>(simulated).buffers.at("y").bits;
  for (std::uint64_t i = 0; i < 32; ++i) EXPECT_EQ(y[i], i * i + (i ^ 1) * (i ^ 1) + (i < 4 ? 32 : 0)) << i;
}

TEST(Clocked, TheLabelsSayWhatIsMeasured) {
  const Lesson program = assembled(R"(.kernel k (out y: u32[32])
        mov.u32 %a, %laneid
measure:
        add.u32 %a, %a, 1
        st.global.u32 y[%laneid], %a
measured:
        exit
.case test
    lanes = 32
)");
  const auto made = clocked(program);
  ASSERT_TRUE(std::holds_alternative<ClockedProgram>(made)) << std::get<NotClocked>(made).why;
  EXPECT_EQ(std::get<ClockedProgram>(made).last - std::get<ClockedProgram>(made).first, 2);
}

// An atomic that is marked to be measured counts how often the region was passed.
TEST(Clocked, TheRegionIsPassedAsOftenAsIsSaid) {
  const Lesson program = assembled(R"(.kernel k (inout y: u32[1])
measure:
        atom.global.add.u32 %old, y[0], 1
measured:
        exit
.case test
    lanes = 32
    y = 0 * i
)");
  const auto made = make_clock_job(program, program.cases.front());
  ASSERT_TRUE(std::holds_alternative<ClockJob>(made)) << std::get<NotClocked>(made).why;
  const auto passed = [&](unsigned passes) {
    const auto simulated = simulate_region(std::get<ClockJob>(made), nullptr, passes);
    return std::get<SimulatedRegion>(simulated).buffers.at("y").bits.front() / 32;
  };
  EXPECT_EQ(passed(kClockPasses), kClockPasses);
  EXPECT_EQ(passed(1), 1U);
  // On a GPU the launch's own arguments say how often.
  EXPECT_EQ(std::get<ClockJob>(made).prepared.arguments.scalars.at("clock_passes"), kClockPasses);
}

TEST(Clocked, WhatCannotBeMeasuredSaysWhy) {
  const std::string head = ".kernel k (inout y: u32[32])\n ld.global.u32 %a, y[%laneid]\n";
  const std::string tail = " st.global.u32 y[%laneid], %a\n exit\n";
  EXPECT_EQ(why_not(head + tail), "there is nothing between its leading loads and its trailing stores");
  EXPECT_EQ(
      why_not(head + " shfl.bfly.b32 %a, %a, 1\n st.global.u32 y[%laneid], %a\n shfl.bfly.b32 %a, %a, 1\n" + tail),
      "it uses global memory on line 4, within what would be measured");
  EXPECT_EQ(why_not(head + " setp.eq.u32 %p, %a, 1\n @%p bra out\n @%p exit\nout: shfl.bfly.b32 %a, %a, 1\n" + tail),
            "lanes exit on line 5, within what would be measured");
  EXPECT_EQ(why_not(".kernel k (inout y: u32[32], param clock_zero: u32 = 0)\n exit\n"),
            "it has a parameter clock_zero of its own");
  EXPECT_EQ(why_not(".shared u32 t[32]\n" + head + " atom.shared.add.u32 %a, t[%laneid], %a\n" + tail),
            "what its atomic on line 4 does is not the same in each pass");
}

// Every program that can be clocked gives with clocks what its cases expect without.
TEST(Clocked, ProgramsComputeTheSame) {
  std::size_t clocked_programs = 0;
  for (const EmbeddedProgram& embedded : embedded_programs()) {
    if (shows_mistakes(embedded.group)) continue;
    const Assembled made = assemble(embedded.text, std::string(embedded.name), std::string(embedded.group));
    ASSERT_TRUE(made.lesson());
    for (const Case& one : made.lesson()->cases) {
      const auto job = make_clock_job(*made.lesson(), one);
      if (std::holds_alternative<NotClocked>(job)) continue;
      const auto simulated = simulate_region(std::get<ClockJob>(job), nullptr);
      ASSERT_TRUE(std::holds_alternative<SimulatedRegion>(simulated)) << made.lesson()->full_name();
      ++clocked_programs;
      for (const auto& [name, expected] : std::get<ClockJob>(job).prepared.expected)
        EXPECT_EQ(std::get<SimulatedRegion>(simulated).buffers.at(name).bits, expected.bits)
            << made.lesson()->full_name() << ", case " << one.name << ", " << name;
    }
  }
  EXPECT_GT(clocked_programs, 50U);
}

// ---- the measured kernels

TEST(MicroBenchmarks, AreProgramsThatCanBeClocked) {
  std::set<std::string> names;
  std::map<std::string_view, std::map<KernelSet, unsigned>> counts;
  for (const MicroBenchmark& one : micro_benchmarks()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    const Lesson program = assembled(one.text);
    if (program.code.empty()) continue;
    const auto made = make_clock_job(program, program.cases.front());
    const NotClocked* const why = std::get_if<NotClocked>(&made);
    ASSERT_EQ(why, nullptr) << one.name << ": " << why->why;
    EXPECT_EQ(std::get<ClockJob>(made).warps, one.warps) << one.name;
    ++counts[one.cls][one.set];
  }
  for (const KernelClass& cls : kKernelClasses) {
    if (cls.name == "programs" || cls.name == "kernels") continue;  // the catalogue's
    if (cls.name == "fetch") continue;                              // of machine_benchmarks() alone
    if (cls.name == "first launches") continue;                     // of any
    if (cls.name.find("sample") == 0) continue;                     // of files
    EXPECT_GT(counts[cls.name][KernelSet::Test], 0U) << cls.name;
    // The algorithms stay unseen.
    EXPECT_EQ(counts[cls.name][KernelSet::Calibration] == 0, cls.name == "algorithms" || !cls.scored) << cls.name;
  }
  EXPECT_GT(names.size(), 150U);
}

TEST(MicroBenchmarks, RunToTheirEnd) {
  for (const ClockJob& job : micro_benchmark_jobs()) {
    const auto simulated = simulate_region(job, nullptr);
    ASSERT_TRUE(std::holds_alternative<SimulatedRegion>(simulated)) << job.name;
    EXPECT_GT(std::get<SimulatedRegion>(simulated).cycles, 1U) << job.name;
  }
}

TEST(MicroBenchmarks, AreAssembledByPtxas) {
  WARPSIM_NEEDS_PTXAS();
  std::string module;
  for (const ClockJob& job : micro_benchmark_jobs())
    module += module.empty() ? ".version 8.0\n.target sm_90\n.address_size 64\n" + job.ptx.substr(job.ptx.find("\n\n"))
                             : job.ptx.substr(job.ptx.find("\n\n"));
  EXPECT_EQ(testing::assemble_ptx(module, 90), "");
}

TEST(RegionCycles, AreFromTheFirstBeginToTheLastEnd) {
  const auto clocks = [](std::vector<std::uint64_t> bits) { return Array{Type::U64, std::move(bits)}; };
  EXPECT_EQ(region_cycles(clocks({105, 100, 0}), clocks({150, 149, 0})), 50U);
  EXPECT_EQ(region_cycles(clocks({0, 0}), clocks({0, 0})), 0U);
}

}  // namespace
}  // namespace warpsim
