// Watching a run: events at warp grain, delivered to sinks. Observers read and never steer.
//
// Shapes: one event an instruction of one warp (or of one divergent group of it). For each issued instruction the
//         hooks come in this order: issue, then exchange (shuffles, broadcast), memory (loads, stores, atomics),
//         write (once for each register written, in operand order), mask (branches, reconvergence, exit). Pointers
//         are valid during the call.
// Units:  cycles from 1; addresses in bytes.
// Errors: none.
// Source: the observer pattern of Oclgrind (Price, McIntosh-Smith, "Oclgrind: An Extensible OpenCL Device Simulator",
//         IWOCL 2015).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "isa/program/program.h"
#include "sim/event/lane_mask.h"
#include "sim/event/trap.h"
#include "sim/launch/launch.h"

namespace warpsim {

class Machine;

// Why a warp did not issue, and for how many cycles. A timed run knows.
struct Stall {
  enum class Reason : std::uint8_t {
    Issue,       // its last instruction took more than one issue slot
    Branch,      // the way to the next instruction: a jump, lanes that part or meet
    Dependency,  // an operand that is computed: `reg`, which the instruction at `pc` writes
    Memory,      // an operand that comes from memory
    Barrier,     // other warps, at the barrier at `pc`
    Unit,        // `pipe` is taken
    NotSelected  // another warp of its sub-core had the turn
  } reason;
  std::uint64_t cycles = 0;
  std::int32_t reg = -1, pc = -1;
  std::int32_t pipe = -1;  // index into the profile's pipes
  bool operator==(const Stall&) const = default;
};
std::string_view name(Stall::Reason reason);  // "dependency"

struct IssueEvent {
  std::uint64_t cycle;
  std::uint32_t block;  // linear: x + y * grid.x + …
  std::uint32_t warp;   // in the block
  std::int32_t pc;
  LaneMask active;  // the lanes that execute: the group's, without those its guard switches off
  LaneMask group;   // the lanes that stand at this pc together
  LaneMask alive;   // the lanes of the warp that exist and have not exited
  const Insn* insn;
  // Since this warp issued last, or came to be; in the order in which it waited. Empty in an untimed run.
  std::span<const Stall> stalls = {};
};

// A register after the instruction. `data` holds one value a lane: std::uint32_t for R16 and R32 (and for Mask up to 32
// lanes), std::uint64_t for R64 (and Mask at 64); for a predicate it points to one LaneMask.
struct WriteEvent {
  std::int32_t reg;  // index into Program::registers
  LaneMask lanes;    // written
  const void* data;
  RegClass cls;
  bool wide;                              // data is std::uint64_t a lane
  std::uint64_t at(unsigned lane) const;  // one lane's bits
};

struct MemoryEvent {
  enum class Space : std::uint8_t { Global, Shared } space;
  enum class Access : std::uint8_t { Load, Store, Atomic } access;
  std::uint32_t bytes;     // an element
  std::uint32_t elements;  // a lane: of a vector 2 or 4, which follow each other in memory, else 1
  LaneMask lanes;
  const std::uint64_t* address;   // one a lane; shared: offset from the block's shared memory
  std::int32_t object;            // the program's parameter (global) or shared array of the lowest lane; -1: unknown
  const std::int64_t* index;      // element of `object_of[lane]` a lane
  const std::int32_t* object_of;  // parameter or shared array a lane
  const std::uint64_t* value;     // the bits loaded or stored, see value_of; of an atomic what it found
  const std::uint64_t* stored;    // Atomic: the bits that it left there, one a lane, one after another
  // The lanes in the order in which they took effect, so many as `lanes` has; null: rising. Stores and atomics alone.
  const std::uint8_t* order;
  // Calls f(lane) in that order.
  template <class F>
  void for_each_turn(F&& f) const {
    if (order == nullptr) return for_each_lane(lanes, f);
    for (unsigned k = 0; k < count_lanes(lanes); ++k) f(unsigned{order[k]});
  }
  std::uint64_t value_of(unsigned lane, unsigned element) const { return value[element * kMaxLanes + lane]; }
  std::uint32_t ways;  // shared: the most different words that one bank serves; 1 = no conflict
};

struct ExchangeEvent {
  LaneMask lanes;            // destinations
  const std::uint8_t* from;  // source lane of each lane
  LaneMask in_range;         // destinations whose source is in range
  LaneMask undefined;        // destinations whose source is in range but does not take part
};

// Threads that come together at a barrier, which orders their accesses to memory. Told once all have come, before the
// first of them goes on.
struct SyncEvent {
  enum class Kind : std::uint8_t { Warp, Block } kind;  // bar.warp; bar.sync and bar.red
  struct Arrival {
    std::uint32_t warp;
    std::int32_t pc;
    LaneMask lanes;
  };
  std::uint32_t block;
  LaneMask alive;  // Warp: the lanes of the warp that exist and have not exited
  bool reduces;    // bar.red: their predicates are taken together
  std::span<const Arrival> arrivals;
};

struct MaskEvent {
  enum class Kind : std::uint8_t { Branch, Reconverge, Exit } kind;
  LaneMask taken;  // Branch: to the target; Exit: the lanes that end; Reconverge: the joined group
  LaneMask not_taken;
  std::int32_t target;         // pc
  std::int32_t reconvergence;  // pc, kExit
};

// A warp could not issue: it waits from this cycle on.
struct StallEvent {
  std::uint64_t cycle;
  std::uint32_t block, warp;
  std::int32_t pc;
  LaneMask lanes;
  enum class Reason : std::uint8_t { Barrier, WarpSync } reason;
};

struct RunResult {
  bool ok = true;                  // no trap
  Trap trap;                       // meaningful if !ok
  std::uint64_t cycles = 0;        // the last issuing cycle
  std::uint64_t instructions = 0;  // warp instructions issued
};

class EventSink {
 public:
  virtual ~EventSink() = default;
  virtual void on_start(const Machine&) {}
  // Asked after on_start, and again whenever the version has changed. What nobody watches and only changes registers
  // may go untold: the run is then faster.
  virtual bool watches(std::int32_t) const { return true; }
  virtual unsigned watch_version() const { return 0; }
  virtual void on_issue(const IssueEvent&) {}
  virtual void on_exchange(const ExchangeEvent&) {}
  virtual void on_memory(const MemoryEvent&) {}
  virtual void on_write(const WriteEvent&) {}
  virtual void on_sync(const SyncEvent&) {}
  virtual void on_mask(const MaskEvent&) {}
  virtual void on_stall(const StallEvent&) {}
  virtual void on_finish(const Machine&, const RunResult&) {}  // the trap, if any, is in the result
};

}  // namespace warpsim
