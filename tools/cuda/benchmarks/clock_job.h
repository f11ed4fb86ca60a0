// A measured kernel made ready: the clocked program, its launch and its PTX; and its cycles, simulated or measured.
//
// Shapes: the cycles of a region are the last warp's end less the first warp's begin. A measurement is several launches
//         of one module. Its machine code is that which ran: made by the driver's compiler, listed by cuobjdump.
// Units:  cycles.
// Errors: texts that say why not; GpuError.
// Source: clocked.h, machine_code.h.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/program/lesson.h"
#include "sim/launch/launch.h"
#include "tools/cuda/benchmarks/clocked.h"
#include "tools/cuda/benchmarks/micro_benchmarks.h"
#include "tools/cuda/driver/gpu.h"

namespace warpsim {

struct ClockJob {
  std::string name;
  std::string_view cls;  // one of kKernelClasses
  KernelSet set = KernelSet::Calibration;
  unsigned warps = 1;
  bool cold = false;
  bool whole = false;              // clocked_whole(): once, from begin to end
  unsigned passes = kClockPasses;  // else
  ClockedProgram clocked;
  PreparedCase prepared;
  std::string entry, ptx;  // of a module
  std::uint32_t dynamic_shared_bytes = 0;
};

enum class Clocks : std::uint8_t { Region, Whole };  // clocked(), clocked_whole()
// A program's case at 32 lanes. What is overridden beside the lanes is a launch's that grown_case() gives.
std::variant<ClockJob, NotClocked> make_clock_job(const Lesson& program, const Case& one,
                                                  Clocks clocks = Clocks::Region, const CaseOverrides& launch = {});
// Of a kernel whose text is a program with one case, which is right.
std::optional<ClockJob> make_clock_job(const MicroBenchmark& one);
// All of micro_benchmarks(), which are right: a test holds them to it.
std::vector<ClockJob> micro_benchmark_jobs();
std::optional<ClockJob> micro_benchmark_job(std::string_view name);

// By warp; a warp that did not reach it has no end.
std::uint64_t region_cycles(const Array& begin, const Array& end);

struct SimulatedRegion {
  std::uint64_t cycles = 0;
  std::map<std::string, Array, std::less<>> buffers;  // the program's own, after the run
};
// Passes: a simulated one is as fast as any other, but the first, which finds idle units.
inline constexpr unsigned kModelPasses = 2;
std::variant<SimulatedRegion, std::string> simulate_region(const ClockJob& job,
                                                           std::shared_ptr<const TimingProfile> timing,
                                                           unsigned passes = kClockPasses);

struct MeasuredRegion {
  std::vector<std::uint64_t> cycles;  // a launch each
  std::string difference;             // "" if each left what the simulator leaves
  std::vector<std::string> opcodes;   // of the region; empty without cuobjdump
};
// The cycles alone, without its outputs.
std::variant<std::uint64_t, std::string> simulate_cycles(const ClockJob& job,
                                                         std::shared_ptr<const TimingProfile> timing);

std::variant<MeasuredRegion, GpuError> measure_region(Gpu& gpu, const ClockJob& job, unsigned launches,
                                                      const std::string& cuobjdump);

// Where cuobjdump is: on the PATH or where the toolkit is usually; "" if nowhere.
std::string find_cuobjdump();
// What it prints of machine code; "" if it cannot be run.
std::string disassembled(const std::string& cuobjdump, const std::string& cubin);

}  // namespace warpsim
