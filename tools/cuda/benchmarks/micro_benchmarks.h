// The kernels whose cycles are measured: small programs, each made for one thing that a GPU takes time for.
//
// Shapes: families of texts in warpsim's assembly, with `measure` and `measured` around what is timed (clocked.h). One
//         block of one warp or several. A kernel is either one that a profile may be fitted to or one of the test set,
//         which stays unseen: all algorithms, and of each other class about a third. The split is fixed here.
// Units:  warps; a class is what results are reported by.
// Errors: none; a test assembles them all.
// Source: what ptxas 13.0 makes of PTX decided how they are written: what it would fuse, drop or turn round is avoided.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/cuda/benchmarks/clocked.h"

namespace warpsim {

enum class KernelSet : std::uint8_t { Calibration, Test };
std::string_view name(KernelSet set);  // "calibration", "test"

struct MicroBenchmark {
  std::string name;      // "chain/fma.f32", "shared/conflict.8.w4"
  std::string_view cls;  // one of kernel_classes()
  KernelSet set = KernelSet::Calibration;
  unsigned warps = 1;  // of its block
  bool cold = false;   // its buffers are in no cache when it starts
  std::string text;    // a program with the case `clock`
  unsigned passes = kClockPasses;
  bool whole = false;  // clocked from begin to end (clocked_whole.h)
};

const std::vector<MicroBenchmark>& micro_benchmarks();
// More of them, for the model of machine code alone: it does not matter what ptxas makes of their texts.
const std::vector<MicroBenchmark>& machine_benchmarks();

// Classes in the order in which they are reported; what is scored, and what is only reported.
struct KernelClass {
  std::string_view name;
  bool scored = true;
};
inline constexpr KernelClass kKernelClasses[] = {
    {"chains"},
    {"throughput"},
    {"shuffles"},
    {"shared"},
    {"barriers"},
    {"divergence"},
    {"algorithms"},
    {"programs"},
    {"kernels"},
    {"fetch", false},
    {"first launches", false},
    {"global", false},
    {"samples"},
    {"sample grids", false},
};

}  // namespace warpsim
