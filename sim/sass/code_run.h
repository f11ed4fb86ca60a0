// A launch of machine code, timed: the clock says which warp issues next, and learns what came of it.
//
// Shapes: blocks are resident as far as the profile's device has room for them, the others begin where one has ended.
// Units:  cycles, the first is 1.
// Errors: CodeRefusal: what has no meaning, or a fault; a run that takes longer than `most_cycles` is refused, too.
// Source: sim/timing/code_clock.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>

#include "sim/event/observer.h"
#include "sim/launch/residency.h"
#include "sim/sass/code_machine.h"
#include "sim/timing/profile.h"

namespace warpsim::sass {

struct CodeIssue {
  std::uint64_t cycle = 0;
  std::uint32_t block = 0, warp = 0;  // of its block
  std::int32_t sub_core = 0;
  const CodeStep* step = nullptr;
  const CodeMachine* machine = nullptr;  // behind the step
  std::uint32_t machine_warp = 0;        // as it counts them
  std::span<const Stall>
      stalls;  // since the warp last issued; where a program has a pc the instruction's number stands
};

class CodeSink {
 public:
  virtual ~CodeSink() = default;
  virtual void on_issue(const CodeIssue& issue) = 0;
};

struct CodeRun {
  std::optional<CodeRefusal> refusal;
  std::uint64_t cycles = 0;        // of the last issue
  std::uint64_t instructions = 0;  // issued, of all warps
};

inline constexpr std::uint64_t kMostCodeCycles = 1'000'000'000;

// What a block takes of an SM, whose registers count here: it is known how many there are.
BlockNeeds needs_of_block(const CodeSection& section, const CodeLaunch& launch);
DeviceLimits limits_of_code(const TimingProfile& profile);

// `profile` has a machine_code. Once `stop` is true it is refused.
CodeRun run_code(const Cubin& cubin, const CodeSection& section, const CodeLaunch& launch, const TimingProfile& profile,
                 std::span<CodeSink* const> sinks = {}, std::uint64_t most_cycles = kMostCodeCycles,
                 const std::atomic<bool>* stop = nullptr);

}  // namespace warpsim::sass
