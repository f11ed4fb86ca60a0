// The text of a measured kernel: what all of them have in common. Private to micro_benchmarks*.cpp.
//
// Shapes: a kernel's body names registers, and those with a meaning are filled and stored for it:
//           %a %b %c %d   u32   four random words a thread          %f %g %h %k  f32   four random floats
//           %s %t         u64   two random words                    %u %v        f64   two random floats
//           %zero %one    u32   0 and 1, which no compiler knows    %own  the address of the thread's own shared word
//           %w0 … %w15    f32   further floats
//         A lane's results are stored so that nothing is left out.
// Units:  shared memory in words, of which each thread has its own.
// Errors: none.
// Source: micro_benchmarks.h.
#pragma once

#include <string>
#include <vector>

#include "tools/cuda/benchmarks/micro_benchmarks.h"

namespace warpsim {

inline constexpr KernelSet kFit = KernelSet::Calibration, kTest = KernelSet::Test;

struct KernelText {
  std::string before;                      // behind the loads, not measured
  std::string region;                      // measured; instructions end in '\n' or ';'
  std::vector<std::string> results{"%a"};  // registers of 32 bits, or of those named above
  unsigned shared_words = 0;               // beside the threads' own
  std::string after;                       // behind the region, not measured
  bool cold = false;                       // nothing of its buffers is cached before
  unsigned passes = kClockPasses;
  bool whole = false;          // clocked from begin to end
  std::string params, fields;  // more of them: "in ring: u32[1024], ", "    ring = i\n"
};

// Steps of a chain, where any will do.
inline constexpr const char* kStep = "mad.lo.u32 %a, %a, %b, %c";
inline constexpr const char* kOther = "mad.lo.u32 %a, %a, %c, %b";

inline std::string text(unsigned number) { return std::to_string(number); }
inline std::string by_warps(const std::string& name, unsigned warps) { return name + ".w" + text(warps); }
std::string repeated(const std::string& text, unsigned times);
// The `#`s of a text become a number.
std::string numbered(std::string text, unsigned number);
std::string kernel_text(const std::string& name, unsigned warps, const KernelText& kernel);

// What a family adds its kernels to.
class Kernels {
 public:
  explicit Kernels(std::vector<MicroBenchmark>& all) : all_(all) {}
  void add(const std::string& name, std::string_view cls, KernelSet set, unsigned warps, const KernelText& kernel);
  // The set by the name alone: a third is the test set.
  void add(const std::string& name, std::string_view cls, unsigned warps, const KernelText& kernel);

 private:
  std::vector<MicroBenchmark>& all_;
};

void add_chains(Kernels& kernels);
void add_streams(Kernels& kernels);
void add_exchanges(Kernels& kernels);  // shuffles, votes, matches, redux
void add_shared(Kernels& kernels);     // shared memory, and a little of global
void add_control(Kernels& kernels);    // barriers, branches, loops
void add_algorithms(Kernels& kernels);
// Of machine_benchmarks().
void add_pipes(Kernels& kernels);     // arithmetic and exchanges by 1 to 32 warps, two pipes at once
void add_paths(Kernels& kernels);     // divergence, jumps, instruction fetch, where warps begin
void add_meetings(Kernels& kernels);  // barriers
void add_memories(Kernels& kernels);  // shared and global memory

}  // namespace warpsim
