// How long the machine code of a launch takes.
//
// Shapes: the launch that counts is that of the PTX. The machine code executes on a copy of the memory as it was before
//         that, and has a number only if it leaves there what the PTX has left.
// Units:  cycles of the profile's device.
// Errors: a CodeTime that says why it has no number.
// Source: sim/sass/code_run.h.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "host/device/kernel_module.h"
#include "sim/event/observer.h"
#include "sim/launch/launch.h"
#include "sim/launch/residency.h"
#include "sim/memory/device_memory.h"
#include "sim/sass/code_run.h"

namespace warpsim::host {

struct CodeTime {
  std::string why_none;      // "": it has a number
  std::uint64_t cycles = 0;  // to the last instruction
  std::uint64_t instructions = 0;
  std::array<std::uint64_t, kStallReasonCount> stalls{};  // of all warps; the index is the Reason
  BlockNeeds needs;                                       // of each block, its registers counted
};

class CodeTimer {
 public:
  static constexpr std::uint64_t kMostCopied = std::uint64_t{256} << 20;

  // Before the launch: copies the memory. What is given must outlive it. `config` has a profile with machine_code.
  CodeTimer(DeviceMemory& memory, const KernelModule::Kernel& kernel, const LaunchConfig& config,
            std::span<const void* const> params);
  // Of the kernel's first launch: no cache has its code.
  void set_first() { launch_.is_first = true; }
  const sass::CodeSection* code() const { return code_.section; }
  // Behind it.
  CodeTime time();

 private:
  std::string difference() const;

  DeviceMemory& memory_;
  const KernelModule::Kernel& kernel_;
  const LaunchConfig& config_;
  KernelModule::Code code_;
  std::string why_none_;
  sass::CodeLaunch launch_;
  std::map<std::uint64_t, std::vector<std::byte>> copies_;
};

}  // namespace warpsim::host
