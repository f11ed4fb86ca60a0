// A device without a GPU: memory, modules of PTX, launches, and what is found in them.
//
// Shapes: one device has one memory and any number of modules; devices share nothing. Launches run one after another
//         and have ended when launch() returns. Not for several threads at once: who shares a device locks it.
// Units:  bytes; launches are counted from 1.
// Errors: a Failure. A launch that traps fails with what the command would draw; what it left in memory stays.
// Source: warps of 32 lanes in order `blocks`, or as a timing profile says, with independent thread scheduling:
//         docs/ptx.md, docs/cycles.md.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "host/device/code_timer.h"
#include "host/device/failure.h"
#include "host/device/kernel_module.h"
#include "host/device/touched_bytes.h"
#include "host/device/touching_checker.h"
#include "sim/calm/calm_pages.h"
#include "sim/calm/undefined_words.h"
#include "sim/launch/launch.h"
#include "sim/launch/residency.h"
#include "sim/machine/machine.h"
#include "sim/memory/device_memory.h"
#include "sim/statistics/statistics.h"
#include "traces/model/trace.h"

namespace warpsim::host {

// Where a device's own allocations begin: above what a process of the host has near its program, below its stacks and
// libraries, so that memory of the host can be mapped at its own addresses.
inline constexpr std::uint64_t kDeviceBegin = std::uint64_t{1} << 45;

struct LaunchShape {
  Dim3 grid, block;
  std::uint32_t shared_bytes = 0;  // dynamic
  bool cooperative = false;
};

// A trap or a finding of a launch.
struct Report {
  std::uint64_t launch = 0;
  const KernelModule::Kernel& kernel;
  const Program& program;
  const LaunchConfig& config;
  const TraceFinding& finding;
  bool is_trap = false;
  std::string drawn;  // as people read it, several lines
};

struct LaunchStatistics {
  std::uint64_t launch = 0;
  const KernelModule::Kernel& kernel;
  const LaunchConfig& config;
  const Statistics& statistics;
  BlockNeeds needs;                // of each block; registers are not counted, as a compiler gives them out
  bool has_ended = true;           // … as it should: it did not trap
  const CodeTime* code = nullptr;  // null: its machine code was not asked for
  bool is_by_code() const { return code != nullptr && code->why_none.empty(); }
  std::uint64_t cycles() const { return is_by_code() ? code->cycles : statistics.cycles; }
};

// Who is told; what is empty is not made.
struct Listeners {
  std::function<void(const Report&)> finding;
  std::function<void(std::string_view text)> print;  // of a launch, once it has ended
  std::function<void(std::string_view json)> trace;  // pieces of one line a record; while the launch runs
  std::function<void(const LaunchStatistics&)> statistics;
  // What executed a launch, and why.
  std::function<void(std::uint64_t launch, const std::string& kernel, std::string_view line)> engine;
};

class Device {
 public:
  DeviceMemory& memory() { return memory_; }
  const DeviceMemory& memory() const { return memory_; }
  Listeners& listeners() { return listeners_; }
  void set_checks(bool checks) { checks_ = checks; }
  // Of the launches that follow: how long what takes; null: nothing is timed, and warps run in order `blocks`. In a
  // timed launch they issue as the profile has it.
  void set_timing(std::shared_ptr<const TimingProfile> timing) { timing_ = std::move(timing); }
  // … and by their machine code, too: a launch of it on a copy of the memory, of which nothing stays.
  void set_times_code(bool times_code) { times_code_ = times_code; }
  // … and after how many cycles each is stopped. What loops for ever is found without, but not in a timed launch.
  void set_max_cycles(std::uint64_t cycles) { max_cycles_ = cycles; }
  void set_engine(EngineChoice engine) { engine_ = engine; }
  void set_threads(unsigned threads) { threads_ = threads; }  // LaunchConfig's

  std::variant<KernelModule*, Failure> load(std::vector<PtxSource> sources);
  bool unload(const KernelModule* module);  // false: it is none of this device's

  // `params` point to the values, each as large as the kernel's parameter.
  std::optional<Failure> launch(KernelModule::Kernel& kernel, const LaunchShape& shape,
                                std::span<const void* const> params);
  std::uint64_t launches() const { return launches_; }
  // What nobody has written in the memory: of what is allocated nothing counts as undefined unless it is said here. A
  // launch without checks defines everything: what it wrote is not known.
  UndefinedWords& undefined() { return undefined_; }
  // What launches with checks have touched of the memory since the last take(); nothing unless it is asked for.
  void record_touched() { records_touched_ = true; }
  Touched take_touched() { return touched_.take(); }
  // Of the launch that runs now, from another thread.
  std::uint64_t ended_blocks() const { return ended_blocks_; }
  // Ends the launch that runs now, from another thread or a signal handler.
  void stop() { stop_ = true; }

 private:
  LaunchConfig begin(const LaunchShape& shape);
  bool is_memory_left();
  struct Launched;
  void prepare(Checker& checker, const Launched& launched, UndefinedWords undefined);
  RunResult run_again(Launched& launched, Machine& machine, TouchingChecker& checker);
  std::optional<CodeTimer> timer_of(const KernelModule::Kernel& kernel, const LaunchConfig& config,
                                    std::span<const void* const> params);
  void tell_statistics(const Launched& launched, const Machine& machine, const Statistics& statistics, CodeTimer* code,
                       bool has_ended) const;
  static std::optional<Failure> refuse(const KernelModule::Kernel& kernel, const LaunchShape& shape,
                                       std::span<const void* const> params);
  void tell(const KernelModule::Kernel& kernel, const Program& program, const LaunchConfig& config,
            const TraceFinding& finding, bool is_trap) const;

  DeviceMemory memory_{kDeviceBegin};
  DeviceMemory heap_{kHeapBegin + DeviceMemory::kGapBytes};  // what kernels allocate: it outlives the launch
  std::vector<std::unique_ptr<KernelModule>> modules_;       // before the memory that they use goes
  Listeners listeners_;
  UndefinedWords undefined_;
  CalmPages calm_pages_;
  TouchedBytes touched_;
  bool checks_ = true, records_touched_ = false;
  std::shared_ptr<const TimingProfile> timing_;
  bool times_code_ = false;
  std::set<const sass::CodeSection*> launched_code_;
  std::uint64_t max_cycles_ = kNoCycleLimit;
  EngineChoice engine_ = EngineChoice::Auto;
  unsigned threads_ = 1;
  std::uint64_t launches_ = 0;
  std::uint64_t grid_workspace_ = 0;  // once a cooperative launch needed one
  std::atomic<bool> stop_ = false;
  std::atomic<std::uint64_t> ended_blocks_ = 0;
  std::chrono::steady_clock::time_point memory_known_until_{};
};

}  // namespace warpsim::host
