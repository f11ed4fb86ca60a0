// How a run can fail: a trap stops the simulated program and names every lane involved and where each one is.
//
// Shapes: one Trap a run at most; the first in (cycle, block, warp) order.
// Units:  cycle is the machine's; pcs count instructions.
// Errors: this is the error type of a run (exit code 4).
#pragma once

#include <cstdint>
#include <vector>

#include "isa/table/findings.h"
#include "isa/text/message.h"
#include "sim/event/lane_mask.h"

namespace warpsim {

enum class TrapKind : std::uint8_t {
  OutOfBounds,  // an access outside every buffer, or outside the shared memory
  Misaligned,
  ReadOnly,           // a store to an `in` buffer
  MemberMask,         // a lane that is not in its own member mask, or a mask that names no lane of the warp
  PartialCollective,  // broadcast, reduce or scan without all living lanes
  ShuffleMismatch,    // lanes of one member mask at different shuffles, or with different masks
  Deadlock,           // nothing can ever run again
  CycleLimit,
  FellOffTheEnd,  // control passed the last instruction
  Mbarrier,       // an arrival at what is no barrier, or that the phase does not lack
  NoFunction,     // a call of what is no function, or a branch by a table that has no such label
  StackOverflow,  // calls that nest too deep
  Trap,           // the program says so: trap, a failed assertion
  Unsupported,    // an instruction that warpsim does not execute
  Livelock,       // something runs and loops for ever: the whole state occurred before
  Interrupted,    // LaunchConfig::stop
  NoMemory,       // none left on this machine for the checks of the launch
};
std::string_view name(TrapKind kind);  // "out-of-bounds"
Finding finding_of(TrapKind kind);     // the finding of such a trap, where nothing more is known

// Where a set of lanes of one warp is.
struct LanePlace {
  std::uint32_t block = 0, warp = 0;
  LaneMask lanes = 0;
  std::int32_t pc = -1;  // -1: exited
  Message waits_for;     // "waits at barrier 0: 2 threads of 4 there"; empty if it waits for nothing
};

struct Trap {
  TrapKind kind = TrapKind::Deadlock;
  Finding code = Finding::Deadlock;
  std::uint64_t cycle = 0;
  std::uint32_t block = 0, warp = 0;
  std::int32_t pc = -1;
  LaneMask lanes = 0;             // the lanes at fault
  Message message;                // one sentence: what happened, with numbers
  Message hint;                   // what to try
  std::uint64_t address = 0;      // OutOfBounds: of the first lane at fault, in global memory
  std::vector<LanePlace> places;  // where the lanes are (the warp's; every warp's where none could go on)
};

}  // namespace warpsim
