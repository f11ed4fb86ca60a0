// How the model's cycles compare with a GPU's: by class of kernel and by set.
//
// Shapes: a kernel is scored if its machine code is the program's, one for one, its region takes kFewestCycles, and its
//         class is scored (kKernelClasses). All others are listed apart.
// Units:  errors are fractions of the GPU's cycles.
// Errors: none.
// Source: tools/cuda/benchmarks/micro_benchmarks.h.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tools/cuda/benchmarks/machine_code.h"
#include "tools/cuda/benchmarks/micro_benchmarks.h"

namespace warpsim::tools {

// Of a shorter region a cycle more is several percent.
inline constexpr std::uint64_t kFewestCycles = 40;

struct ComparedKernel {
  std::string name;
  std::string_view cls;
  KernelSet set = KernelSet::Calibration;
  unsigned warps = 1;
  std::uint64_t gpu = 0, least = 0, most = 0;  // cycles: the median, and how far the launches were apart
  std::uint64_t model = 0;
  CodeVerdict code;
  bool is_scored() const;
  std::string why_apart() const;   // "differs: with 2 MOV more", "too short to be scored"
  double error() const;            // |model - gpu| / gpu
  std::string error_text() const;  // with its sign: "+3.1 %"
};

struct Score {
  std::string_view cls;
  KernelSet set = KernelSet::Calibration;
  bool counts = true;  // the class is scored
  std::size_t kernels = 0;
  double mean = 0, worst = 0;
  const ComparedKernel* worst_kernel = nullptr;
};
// In the order of the classes, calibration before test; those without a kernel are left out. Of a class that is only
// reported the kernels whose machine code differs count, too.
std::vector<Score> scores(const std::vector<ComparedKernel>& kernels);

// Classes that are scored, of which there are `wanted` kernels, but none of the test set in `scores`.
std::vector<std::string> unscored_classes(const std::vector<Score>& scores, const std::set<std::string_view>& wanted);

// What the test set may be off by: programs as they are written, and machine code.
struct CycleLimits {
  double mean = 0, worst = 0;
};
inline constexpr CycleLimits kProgramLimits{0.05, 0.15}, kMachineCodeLimits{0.03, 0.10};
bool is_within_limits(const Score& score, const CycleLimits& limits = kProgramLimits);

std::string percent(double fraction);        // "4.2 %"
std::string fraction_text(double fraction);  // "0.0421"
std::string scores_text(const std::vector<Score>& scores, const CycleLimits& limits = kProgramLimits);
std::string scores_markdown(const std::vector<Score>& scores);
std::string apart_text(const std::vector<ComparedKernel>& kernels);
std::string apart_markdown(const std::vector<ComparedKernel>& kernels);
std::string to_json(const ComparedKernel& kernel);
std::string to_json(const Score& score);

}  // namespace warpsim::tools
