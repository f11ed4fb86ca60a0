// Watching a run: events at warp grain, delivered to sinks. Observers read and never steer.
//
// Shapes: one event an instruction of one warp (or of one diverged group of it). An instruction's hooks are called in
//         the order of the numbers at EventSink. A group that has to wait gets a stall instead of an issue, and issues
//         later. An instruction that traps ends the run, and may have no hooks after its issue. Pointers are valid
//         during the call.
// Units:  cycles from 1; addresses in bytes.
// Errors: none.
// Source: the observer pattern of Oclgrind (Price, McIntosh-Smith, "Oclgrind: An Extensible OpenCL Device Simulator",
//         IWOCL 2015).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isa/program/program.h"
#include "sim/event/calm_memory.h"
#include "sim/event/lane_mask.h"
#include "sim/event/settled_words.h"
#include "sim/event/trap.h"
#include "sim/launch/launch.h"

namespace warpsim {

class Machine;

// Why a warp did not issue, and for how many cycles. Timed runs only.
struct Stall {
  enum class Reason : std::uint8_t {
    Issue,       // its last instruction took more than one issue slot
    Branch,      // the path to the next instruction: a jump, lanes that diverge or converge
    Dependency,  // an operand that is computed: `reg`, which the instruction at `pc` writes
    Memory,      // an operand that comes from memory
    Barrier,     // other warps, at the barrier at `pc`
    Unit,        // `pipe` is taken
    NotSelected  // another warp of its sub-core issued
  } reason;
  std::uint64_t cycles = 0;
  std::int32_t reg = -1, pc = -1;
  std::int32_t pipe = -1;  // index into the profile's pipes
  bool operator==(const Stall&) const = default;
};
inline constexpr int kStallReasonCount = static_cast<int>(Stall::Reason::NotSelected) + 1;
std::string_view name(Stall::Reason reason);  // "dependency"

struct IssueEvent {
  std::uint64_t cycle;
  std::uint32_t block;  // linear: x + y * grid.x + …
  std::uint32_t warp;   // in the block
  std::int32_t pc;
  LaneMask active;  // the lanes that execute: the group's, without those that the guard switches off
  LaneMask group;   // the lanes that are at this pc together
  LaneMask alive;   // the lanes of the warp that exist and have not exited
  const Insn* insn;
  // Since this warp last issued, or started; in the order in which it waited. Empty in an untimed run.
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

// Which element of which object each lane of an access touches, by lane.
class ElementNames {
 public:
  ElementNames(const std::int32_t* object_of, const std::int64_t* index) : object_of_(object_of), index_(index) {}
  virtual ~ElementNames() = default;
  const std::int32_t* objects() {  // as Program::held_in() has them; -1: unknown
    know();
    return object_of_;
  }
  const std::int64_t* indices() {  // of the element in its object
    know();
    return index_;
  }

 protected:
  // The arrays are filled by find(), when somebody asks: most accesses nobody names.
  ElementNames(const std::int32_t* object_of, const std::int64_t* index, bool are_known)
      : object_of_(object_of), index_(index), are_known_(are_known) {}
  ElementNames(const ElementNames&) = default;
  ElementNames& operator=(const ElementNames&) = default;
  virtual void find() {}

 private:
  void know() {
    if (!are_known_) find();
    are_known_ = true;
  }

  const std::int32_t* object_of_;
  const std::int64_t* index_;
  bool are_known_ = true;
};

// Of an access of which nobody asks.
class NoElementNames final : public ElementNames {
 public:
  NoElementNames() : ElementNames(kObjects.data(), kIndices.data()) {}

 private:
  static constexpr std::array<std::int32_t, kMaxLanes> kObjects = [] {
    std::array<std::int32_t, kMaxLanes> none{};
    none.fill(-1);
    return none;
  }();
  static constexpr std::array<std::int64_t, kMaxLanes> kIndices{};
};

// Where a copy takes its bytes from, in global memory.
struct CopySource {
  LaneMask lanes;  // that read something: a copy of 0 bytes writes zeros alone
  const std::uint64_t* address;
  ElementNames* names;
  const std::uint8_t* bytes;  // that a lane reads; behind them it writes zeros
};

struct MemoryEvent {
  using Space = AddressSpace;
  Space space;  // one that has a name: of a generic access that of these lanes; lanes in other spaces are another event
  enum class Access : std::uint8_t { Load, Store, Atomic } access;
  std::uint32_t bytes;     // an element
  std::uint32_t elements;  // a lane: 2 or 4 of a vector, adjacent in memory, else 1
  LaneMask lanes;
  const std::uint64_t* address;  // one a lane; shared, local: offset from the start of the block's, the lane's memory
  ElementNames* names;
  std::int32_t object_of(unsigned lane) const { return names->objects()[lane]; }
  std::int64_t index_of(unsigned lane) const { return names->indices()[lane]; }
  const std::uint64_t* value;   // the bits loaded or stored, see value_of; of an atomic the old value
  const std::uint64_t* stored;  // Atomic: the new value of each lane's operation
  // The order in which the lanes took effect, one entry for each of `lanes`; null: rising. Only of stores and atomics.
  const std::uint8_t* order;
  // Calls f(lane) in that order.
  template <class F>
  void for_each_turn(F&& f) const {
    if (order == nullptr) return for_each_lane(lanes, f);
    for (unsigned k = 0; k < count_lanes(lanes); ++k) f(unsigned{order[k]});
  }
  std::uint64_t value_of(unsigned lane, unsigned element) const { return value[element * kMaxLanes + lane]; }
  bool neighbours = false;      // the first lanes, and each lane's bytes begin where the bytes of the lane before end
  bool is_one_address = false;  // all lanes access the same bytes; false: not known
  bool is_apart = false;        // no two lanes do; false: not known
  LaneMask complete = ~LaneMask{0};    // of a wait at an mbarrier: the lanes for which it is over
  const CopySource* source = nullptr;  // cp.async, a Store to shared memory: who may see it must have waited
};

// Lanes that are about to change so many bytes of global memory each.
struct ChangeEvent {
  LaneMask lanes;
  const std::uint64_t* address;
  std::uint32_t bytes;
};

// A weak load or store of all lanes of a warp, in global or shared memory: of neighbours in rising order, or loads of
// one address.
struct RangeEvent {
  AddressSpace space;
  bool is_store = false, is_one_address = false;
  std::uint32_t bytes = 4;  // a lane: 4 or 8
  std::uint32_t lanes = 32;
  std::uint64_t address = 0;     // of lane 0
  const void* values = nullptr;  // of a store, as memory has them
  std::uint32_t size() const { return is_one_address ? bytes : bytes * lanes; }
};

// A weak load or store of some lanes of a warp in the shared memory of its block, as machine code makes it: the lanes'
// addresses and, of a store, what it reads are rows of registers.
struct LanesEvent {
  bool is_store = false, is_one_address = false;  // false: not known
  std::uint32_t bytes = 4, elements = 1;          // as in MemoryEvent
  LaneMask lanes = 0;
  const std::uint32_t* address = nullptr;  // one a lane
  const std::byte* registers = nullptr;    // of a store: the warp's, and where in them the rows of its elements begin
  const std::uint32_t* rows = nullptr;
  std::uint32_t size() const { return bytes * elements; }  // of a lane
};

// Whose access it is.
struct AccessPlace {
  std::uint64_t cycle;
  std::uint32_t block, warp;
  std::int32_t pc;
};

struct ExchangeEvent {
  LaneMask lanes;            // destinations
  const std::uint8_t* from;  // source lane of each lane
  LaneMask in_range;         // destinations whose source is in range
  LaneMask undefined;        // destinations whose source is in range but does not participate
};

// Threads synchronise at a barrier, which orders their accesses to memory. Reported once all have arrived, before the
// first of them continues. Who does not wait for the others arrives in an event of its own.
struct SyncEvent {
  enum class Kind : std::uint8_t { Warp, Block, Arrive } kind;  // bar.warp; bar.sync and bar.red; bar.arrive
  struct Arrival {
    std::uint32_t warp;
    std::int32_t pc;
    LaneMask lanes;
    // Not 0: they have not waited, and are elsewhere when the others continue. Their Arrive had the same number.
    std::uint64_t ticket = 0;
  };
  std::uint32_t block;
  LaneMask alive;  // Warp: the lanes of the warp that exist and have not exited
  bool reduces;    // bar.red: their predicates are combined
  std::span<const Arrival> arrivals;
};
inline bool come_from_one_line(const SyncEvent& event) {
  return std::all_of(event.arrivals.begin(), event.arrivals.end(),
                     [&](const SyncEvent::Arrival& one) { return one.pc == event.arrivals.front().pc; });
}

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

// A block has ended, and one that waited takes its place (sim/launch/residency.h): nothing more comes of it. Not
// reported of the blocks that keep their place until the run has ended.
struct BlockEndEvent {
  std::uint64_t cycle;
  std::uint32_t block;
};

inline constexpr std::size_t kMostPrinted = std::size_t{1} << 20;  // bytes, as CUDA's buffer has by default

struct RunResult {
  bool ok = true;                  // no trap
  Trap trap;                       // meaningful if !ok
  std::uint64_t cycles = 0;        // the last cycle in which a warp issued
  std::uint64_t instructions = 0;  // warp instructions issued
  std::string printed;             // by printf of the kernel, in the order of execution: the first MiB
  bool printed_all = true;         // … or there was more
  std::int32_t breakpoint = -1;    // pc of the first brkpt that it has passed
  // Of the kernels that the kernel has launched, and those that they have: what is above, but for what they print, is
  // without them.
  std::uint64_t launched_grids = 0, launched_instructions = 0;
};

// Why a run need not go on, and after which cycle it ends: the trap says it.
struct EarlyEnd {
  std::uint64_t last_cycle = 0;
  TrapKind kind = TrapKind::CycleLimit;
  Message message, hint;
};

struct DeviceWork;  // sim/launch/device_work.h

class EventSink {
 public:
  virtual ~EventSink() = default;
  // A grid that a kernel has launched begins, as a run of its own: who watches it; null: nobody. Then it has ended.
  virtual std::unique_ptr<EventSink> watcher_of_launched() { return nullptr; }
  virtual void on_launched(EventSink&, const DeviceWork&) {}
  virtual void on_start(const Machine&) {}
  // Whether the sink needs the events of this pc; asked after on_start and whenever the version has changed. What only
  // writes registers and no sink watches may go unreported: the run is then faster.
  virtual bool watches(std::int32_t) const { return true; }
  virtual unsigned watch_version() const { return 0; }
  // Whether it asks for registers other than the operands of the instruction that it hears of: then those that the
  // program does not read any more are kept, too.
  virtual bool looks_at_registers() const { return true; }
  // Not null once the sink has seen enough; asked after each reported issue.
  virtual const EarlyEnd* early_end() const { return nullptr; }
  // A load, a store or an atomic that is about to be made, of which nobody else hears. True: the sink knows now all
  // that on_issue, on_memory and on_write would have said. False: it knows nothing of it yet, and is told by those. The
  // event has no values of what is loaded, or of an atomic.
  virtual bool hears_at_once(const AccessPlace&, const MemoryEvent&) { return false; }
  virtual bool can_hear_at_once() const { return false; }
  // Whether, of the accesses at this pc, it may be told so of ranges and of single lanes, too, and needs to hear
  // nothing of loads of settled words. Those of shared memory stay where they are for as long as the block goes on.
  virtual bool hears_ranges(std::int32_t) const { return false; }
  virtual bool hears_range(const AccessPlace&, const RangeEvent&) { return false; }
  virtual bool hears_lanes(const AccessPlace&, const LanesEvent&) { return false; }
  virtual const SettledPages* settled_pages() const { return nullptr; }
  // A load of some of these bytes of global memory is about to be made. Whether they are of an allocation that the
  // launch only reads, so that machine code need only note which of them it loads (sim/event/calm_memory.h).
  virtual bool reads_only(std::uint64_t /*address*/, std::uint64_t /*size_bytes*/) { return false; }
  virtual const std::uint32_t* settled_shared(std::uint32_t) { return nullptr; }
  // Where machine code may compare and note accesses of this warp by itself; asked again after each barrier. Nothing:
  // it hears of all.
  virtual void calm_memory(std::uint32_t /*block*/, std::uint32_t /*warp*/, CalmMemory&) {}
  // Of a selection that it watches: where none of these lanes chooses that operand, it may go by without an event.
  // None: it may not.
  virtual std::optional<ChoiceLanes> choices_heard(std::int32_t /*pc*/) const { return std::nullopt; }
  // Whether barriers at which all lanes of a block meet, and exits, may go by without the events of theirs, where the
  // pc is not watched: of those barriers on_meeting() says it, of exits nothing does.
  virtual bool hears_meetings() const { return false; }
  virtual void on_meeting(std::uint32_t /*block*/) {}
  // Whether it wants every on_mask by which groups of lanes diverge or come together, whatever it watches.
  virtual bool follows_masks() const { return false; }
  virtual void on_issue(const IssueEvent&) {}        // 2
  virtual void on_change(const ChangeEvent&) {}      // 3, before memory changes; not of a copy
  virtual void on_exchange(const ExchangeEvent&) {}  // 3: shuffles, broadcast, reduce, scan
  virtual void on_memory(const MemoryEvent&) {}      // 3: loads, stores, atomics
  virtual void on_write(const WriteEvent&) {}        // 4: each register written, in operand order
  virtual void on_sync(const SyncEvent&) {}    // 1: bar.warp, bar.red; 6: bar.sync, a barrier that an exit releases
  virtual void on_mask(const MaskEvent&) {}    // 5: branch or exit, then each reconvergence
  virtual void on_stall(const StallEvent&) {}  // instead of 2; after a sync, before a reconvergence
  virtual void on_block_end(const BlockEndEvent&) {}           // 7
  virtual void on_finish(const Machine&, const RunResult&) {}  // the trap, if any, is in the result
};

}  // namespace warpsim
