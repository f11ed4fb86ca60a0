// When each instruction of a timed run issues: the sub-cores of the SMs, their pipes and caches, and which warp is
// next. What a warp waits for says a front end: program_clock.h for programs as they are written, code_clock.h for the
// machine code that ptxas made.
//
// Shapes: warps are numbered as in the machine: slot * warps_per_block + warp. The slots of resident blocks go to
//         the SMs in turn; how many there are residency.h says, by limits_of(). A block that waited begins where one
//         has ended.
//         Warp w of a block belongs to sub-core w % sub_cores, counted from where the last block on its SM ended.
//         A warp issues in order: once its front end lets it, a pipe of its unit is free, and the sub-core's scheduler
//         picks the warp; a sub-core issues one instruction a cycle. Not modelled: instruction fetch (a loop of more
//         than some 4000 instructions would be slower), queues between an issued access and its unit, the bandwidth of
//         L2 and DRAM.
// Units:  cycles, the first is 1. Warps issue in the order (cycle, block, warp). The clock's own time grows with the
//         instructions, not with the cycles between them.
// Errors: none.
// Source: profile.h; sub-core w % 4, issue widths, barriers: measured, tests/data/h200_latency.txt.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/event/lane_mask.h"
#include "sim/event/observer.h"
#include "sim/launch/launch.h"
#include "sim/launch/residency.h"
#include "sim/timing/cache.h"
#include "sim/timing/profile.h"
#include "sim/timing/wake_queue.h"

namespace warpsim {

// What the execution of an instruction adds to its class.
struct TimedOutcome {
  enum class Way : std::uint8_t { On, Taken, Diverged } way = Way::On;       // of a branch
  enum class Side : std::uint8_t { Same, Other, Joined } side = Side::Same;  // which lanes issue next
  // Shared memory: the degree of bank conflict; of an atomic each lane takes its turn. Global atomics: the most lanes
  // that name one word.
  unsigned ways = 1;
  unsigned merged_ways = 1;                // … if lanes that name one word of shared memory are served together
  unsigned values = 1;                     // match: distinct ones
  bool stores = false;                     // global memory
  unsigned bytes = 4;                      // of a lane
  std::span<const std::uint64_t> address;  // … of its lanes; empty for other instructions

  // Of an access to shared memory; `in_turn`: each lane takes its turn.
  void note_shared(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes, bool in_turn);
  // Of an atomic on global memory. It sorts the addresses.
  void note_atomic(std::span<std::uint64_t> addresses);
};

// What a device of the profile holds. It counts neither registers nor what the system takes of shared memory.
DeviceLimits limits_of(const TimingProfile& profile);

class Clock {
 public:
  struct Turn {
    std::uint32_t warp;
    std::uint64_t cycle;
  };

  // The warp that issues next; nullopt if none can. It must be planned, parked or ended before the next call.
  std::optional<Turn> next();
  // Why the current warp, the one that next() returned, waited.
  std::span<const Stall> stalls();
  // The current warp issued nothing: some of its lanes wait for others. It may issue in the same cycle.
  void try_again() { again_ = true; }
  // The current warp waits at a barrier.
  void park();
  // The warp has ended.
  void end(std::uint32_t warp);
  // L2 has what nobody has accessed yet, as after a copy to the device.
  void warm_l2() { l2_is_warm_ = true; }

  std::int32_t sub_core(std::uint32_t warp) const { return warps_[warp].sub_core; }

 protected:
  // `classes` are the front end's and must outlive the clock, as the profile must.
  Clock(const TimingProfile& profile, const std::vector<TimingClass>& classes, std::uint32_t slots,
        std::uint32_t warps_per_block, const CodeMemoryTiming* paths = nullptr);

  static constexpr std::uint64_t kNever = WakeQueue::kNever;

  // Fractions of cycles are counted in 256ths: exact, and the same on every host.
  struct Pipe {
    std::uint64_t free_256ths = 0;
    std::uint64_t free() const { return (free_256ths + 255) / 256; }
    void take(std::uint64_t cycle, std::uint64_t interval_256ths);
  };
  // The profile's pipe n has number n + 1 in its SM's or sub-core's row of pipes; number 0 is always free.
  struct PipeRef {
    bool of_sm = false;
    std::uint32_t number = 0;
  };
  // A class of the profile, precomputed.
  struct Unit {
    const TimingClass* cls = nullptr;
    std::vector<PipeRef> pipes;  // one or more; the compiler chooses
    PipeRef sm;
    std::uint64_t interval = 0, interval_of_three = 0, interval_per_way = 0, sm_interval = 0;  // in 256ths
    unsigned queue = 0;
    bool merges_lanes = false;
    // What lets it issue beside its own pipe: the pipe of its SM, or nothing. With a queue room there, in place of its
    // own pipe, too.
    PipeRef other, room;
  };
  struct Warp {
    std::uint64_t order = 0;  // block * warps_per_block + index
    std::int32_t sub_core = -1;
    std::uint32_t place = 0;  // in its sub-core
    std::int32_t pc = -1;
    std::uint64_t begin = 1;  // the cycle after the warp's last issue
    std::uint64_t issue_free = 1,
                  path_free = 1;  // the cycles from which its last instruction, and a branch, let it issue
    std::uint64_t barrier_open = 0, barrier_left = 0, operands = 0;  // 0: no such wait
    std::int32_t barrier_pc = -1, operand_reg = -1, operand_pc = -1;
    bool operand_from_memory = false;
  };
  // A warp that could issue from `earliest` on if two pipes are free and it is picked; kNever: it does not wait to
  // issue.
  struct Waiting {
    std::uint64_t earliest = kNever;
    std::uint32_t one = 0, other = 0;  // the indices in pipes_
  };
  // What it would issue.
  struct Planned {
    const Unit* unit = nullptr;
    PipeRef pipe;
    bool keeps = false;  // its sub-core prefers it while its operands are kept
  };
  struct SubCore {
    std::uint32_t sm = 0;
    std::uint32_t own_pipes = 0, sm_pipes = 0;        // where their rows begin
    std::vector<std::uint32_t> warps;                 // in the order in which they started
    std::vector<Waiting> waiting;                     // by the same index
    std::vector<Planned> planned;                     // … too
    std::vector<std::uint32_t> turns;                 // with paths_: places, who issued longest ago first
    std::uint64_t free = 1;                           // its issue slot
    std::array<std::uint64_t, kMostQueue> started{};  // in which cycle the last of its queue came to the SM's pipe
    std::uint32_t queued = 0;                         // how many there were
    std::uint64_t served = 0;                         // the cycle in which it last had a pipe of the SM
    bool chooses = false;                             // it does not know yet when it wakes
    std::uint32_t pick = 0;                           // the place of the warp that issues when it wakes
    std::int64_t last = -1;                           // the place of the warp that issued last; it may have ended …
    std::int64_t last_warp = -1;                      // … and its number
  };

  // ---- for front ends

  // The block's warps are in their sub-cores, none planned yet; they begin in that cycle.
  void start_block(std::uint32_t slot, std::uint32_t block, std::uint64_t cycle);
  // The warp's next instruction is of this unit; its wait for operands is in `operands`.
  void put(std::uint32_t warp, const Unit& unit, PipeRef own, bool keeps);
  // The current warp's instruction takes its pipes; gives the cycles that its result comes later than its class says.
  // It keeps its own pipe for `least` 256ths of a cycle at least.
  struct CacheUse {
    bool caches = false;     // it goes through the caches …
    bool passes_l1 = false;  // … and reads L2, whatever L1 has
  };
  double occupy(const TimedOutcome& outcome, CacheUse use, std::uint64_t least);
  // The current warp has issued at `pc`: so many issue slots are taken, it goes on `issue` cycles later, and `way` more
  // where a branch leads.
  void go_on(unsigned slots, unsigned issue, unsigned way);
  void leave_barrier(std::uint32_t warp, std::int32_t barrier_pc, const Unit& unit);
  // A delay in whole cycles.
  static std::uint64_t up(double cycles);
  // What a branch's outcome and a change of lanes add.
  static unsigned way_of(const TimedOutcome& outcome, const BranchTiming& branch);

  const Unit& no_unit() const { return units_.back(); }
  const Unit& unit(std::size_t cls) const { return units_[cls]; }
  const std::vector<SubCore>& sub_cores() const { return sub_cores_; }
  SubCore& sub_core_of(const Warp& warp) { return sub_cores_[static_cast<std::size_t>(warp.sub_core)]; }

  const TimingProfile& profile_;
  // Null: nothing is between L1 and L2 but latency, and L1 has lines whole. Else it has each sector on its own.
  const CodeMemoryTiming* paths_;
  std::uint32_t warps_per_block_;
  std::vector<Warp> warps_;
  Turn turn_{};
  double queued_ = 0;  // how long the instruction of the last occupy() waits in its queue

 private:
  struct Sm {
    LineCache l1;
    Pipe queues;         // where the sub-cores' queues lead
    Pipe reads, writes;  // between it and L2
    // By the last stores that have room between: when each has arrived, in 256ths; a ring, the oldest is at
    // next_written.
    std::vector<std::uint64_t> written;
    std::size_t next_written = 0;
    unsigned next_sub_core = 0;
  };
  struct Pick {
    Turn turn;
    std::uint64_t unit_free;  // the cycle from which its unit was free
    std::uint64_t order;      // of its warp
  };

  void make_units(const std::vector<TimingClass>& classes);
  void add_turn(SubCore& sub_core, const Warp& warp);
  void leave(SubCore& sub_core, std::uint32_t place);
  // From when on the barrier that the warp has left lets an instruction of this class issue.
  static std::uint64_t behind_barrier(const Warp& warp, const Unit& unit) {
    return unit.cls != nullptr && unit.cls->passes_barrier ? warp.barrier_left : warp.barrier_open;
  }
  static std::uint32_t place_of(const SubCore& sub_core, PipeRef ref) {
    return (ref.of_sm ? sub_core.sm_pipes : sub_core.own_pipes) + ref.number;
  }
  std::uint64_t unit_free(const Waiting& one) const;
  void note_room(SubCore& sub_core);
  double wait_in_queue(SubCore& sub_core, std::uint64_t ways, bool stores);
  double pass_to_l2(SubCore& sub_core, bool stores, std::uint64_t sectors, std::uint64_t lines);
  std::uint64_t ready(const SubCore& sub_core, const Waiting& one) const;
  std::uint64_t choose(SubCore& sub_core) const;
  // It chooses anew, before the next cycle's picks.
  void wake(std::uint32_t sub_core) {
    if (std::exchange(sub_cores_[sub_core].chooses, true)) return;
    choosing_.push_back(sub_core);
  }
  void gather();
  void pick(std::uint32_t sub_core, std::uint64_t cycle);
  void add_stall(Stall stall, std::uint64_t until);
  void find_lines(const TimedOutcome& outcome);
  double memory_delay(SubCore& sub_core, const TimedOutcome& outcome, bool passes_l1, const TimingClass& cls);

  std::vector<Unit> units_;  // by class; the last is for instructions without a class
  std::vector<Pipe> pipes_;  // rows of the SMs, then of the sub-cores
  std::vector<Sm> sms_;
  std::vector<SubCore> sub_cores_;  // SM by SM
  LineCache l2_;
  bool l2_is_warm_ = false;
  WakeQueue wakes_;
  std::vector<std::uint32_t> choosing_, due_;  // sub-cores that choose; that wake in one cycle
  std::vector<unsigned> depths_;  // of queues; whether one has room is a pipe behind the profile's, in this order
  std::vector<Pick> picks_;       // of one cycle, in reverse order
  std::uint64_t unit_free_ = 0;   // of turn_
  bool again_ = false;            // turn_'s warp may issue in this cycle
  std::vector<Stall> stalls_;
  std::uint64_t stall_from_ = 0;
  std::vector<std::uint64_t> lines_, sectors_;  // of global memory that the access touches
};

}  // namespace warpsim
