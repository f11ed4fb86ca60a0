// What the parts of a machine share: the program bound to its launch, its memory, its warps and the result so far.
//
// Shapes: warps[block * warps_per_block + warp]. Shared memory is one vector of bytes for each block.
// Units:  bytes; cycles from 1.
// Errors: none here; a trap stands in `result` (traps.h), after which nothing issues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "sim/code/decode.h"
#include "sim/event/observer.h"
#include "sim/launch/launch.h"
#include "sim/machine/warp.h"
#include "sim/memory/memory.h"

namespace warpsim {

struct LaunchState {
  // `bound` is an address space of the launch's own, or the caller's, which must outlive the launch.
  LaunchState(const Program& program, const LaunchConfig& config, Binding binding, const DeviceMemory& bound,
              Code code);

  const Program& program;
  LaunchConfig config;
  Binding binding;
  Code code;
  GlobalMemory memory;
  std::uint32_t warps_per_block = 1;
  std::vector<Warp> warps;
  std::vector<std::vector<std::byte>> shared;  // by block
  RunResult result;

  LaneMask existing_lanes(std::uint32_t warp) const;
  const DecodedInsn& insn(std::int32_t pc) const { return code.insns[static_cast<std::size_t>(pc)]; }
  std::uint32_t number_of(const Warp& warp) const { return static_cast<std::uint32_t>(&warp - warps.data()); }
  std::span<Warp> block_of(const Warp& warp) {
    return {&warps[std::size_t{warp.block} * warps_per_block], warps_per_block};
  }
  std::span<const Warp> block_of(const Warp& warp) const {
    return {&warps[std::size_t{warp.block} * warps_per_block], warps_per_block};
  }
  std::span<const std::byte> registers() const {  // of all warps
    return {register_storage_.get(), warps.size() * code.block_template.size()};
  }
  // The warp, whose lanes all go together, has issued so many instructions and goes on at `pc`.
  void advance(Warp& warp, std::int32_t pc, std::uint64_t instructions);

 private:
  struct FreeAligned {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };

  void make_shared();
  void make_warps();
  void fill_specials(Warp& warp) const;
  void poison_registers(Warp& warp) const;

  std::unique_ptr<std::byte, FreeAligned> register_storage_;
};

inline void LaunchState::advance(Warp& warp, std::int32_t pc, std::uint64_t instructions) {
  warp.divergence.groups()[0].pc = pc;
  warp.cycle += instructions;
  warp.last_issue = warp.cycle - 1;
  result.instructions += instructions;
  result.cycles = result.cycles < warp.last_issue ? warp.last_issue : result.cycles;
}

}  // namespace warpsim
