// The machine: one launch of one program, from its first cycle to its last.
//
// Shapes: a Machine owns all state of its launch; many can live in one process, and none shares anything with another.
// Units:  cycles from 1. In profile lockstep every warp issues one instruction a cycle, side by side; else the launch's
//         timing profile says when (sim/timing/clock.h).
// Errors: create() returns a LaunchError for a launch beyond the limits (sim/launch/launch_limits.h) and for arguments
//         that do not fit; run() returns a Trap inside RunResult.
// Source: sim/README.md.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "isa/program/program.h"
#include "sim/event/observer.h"
#include "sim/launch/launch.h"
#include "sim/memory/device_memory.h"

namespace warpsim {

struct DecodedInsn;

class Machine {
 public:
  // `program` must outlive the machine, which has a memory of its own: the buffers, and nothing else.
  [[nodiscard]] static std::variant<Machine, LaunchError> create(const Program& program, const LaunchConfig& config,
                                                                 const Arguments& arguments);
  // On a memory that is there already, keeps what the launch leaves, and must outlive the machine. A buffer reaches
  // from its address to the end of the allocation there; one where nothing is allocated has no element.
  [[nodiscard]] static std::variant<Machine, LaunchError> create(const Program& program, const LaunchConfig& config,
                                                                 const Binding& binding, DeviceMemory& memory);
  Machine(Machine&&) noexcept;
  Machine& operator=(Machine&&) noexcept;
  ~Machine();

  // Runs to the end. With no sinks the observing code is not there at all (NullObserver); what no sink watches,
  // complete warps run through without it.
  RunResult run();
  RunResult run(std::span<EventSink* const> sinks);
  // Issues the next instruction in (cycle, block, warp) order; false when the run has ended, result() says how.
  bool step(std::span<EventSink* const> sinks);
  const RunResult& result() const;

  const Program& program() const;
  const LaunchConfig& config() const;  // with block.x filled in
  LaunchHistory history() const;       // for the next launch of the program, once this one has ended
  // As given, before the run. On a memory that was there already: what it held as a watched run began.
  const Arguments& arguments() const;
  const DeviceMemory& memory() const;
  const DeviceMemory& heap() const;  // what the kernel itself allocated
  unsigned lanes() const;
  std::uint32_t warps_per_block() const;
  std::uint32_t shared_bytes_per_block() const;
  LaneMask existing_lanes(std::uint32_t warp) const;  // of a warp of any block: fewer in a partial last warp
  Array buffer(std::string_view name) const;          // the contents now
  std::uint64_t buffer_address(std::int32_t param) const;
  // Only blocks that are resident have a state (sim/launch/residency.h): each until the run has ended, but for those
  // that gave their place to one that waited. Of a block that has not begun, or has given up its place:
  //   sub_core() is -1, register_bits() is 0, places() says that all lanes have not begun, or have exited.
  //
  // Where a warp of a timed run lives: SM * sub-cores an SM + sub-core. -1 in an untimed run.
  std::int32_t sub_core(std::uint32_t block, std::uint32_t warp) const;
  // Where the lanes of a warp stand, and what they wait for.
  std::vector<LanePlace> places(std::uint32_t block, std::uint32_t warp) const;
  // One register of one warp, a lane: bits, 0 where the lane never wrote it.
  std::uint64_t register_bits(std::uint32_t block, std::uint32_t warp, std::int32_t reg, unsigned lane) const;
  // What runs at a pc, and where the registers live that it names (sim/code/decode.h); null: a warp without state.
  const DecodedInsn& decoded(std::int32_t pc) const;
  const std::byte* registers(std::uint32_t block, std::uint32_t warp) const;

 private:
  struct Impl;
  explicit Machine(std::unique_ptr<Impl> impl);
  void start(std::span<EventSink* const> sinks);
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpsim
