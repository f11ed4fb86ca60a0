// The state of a launch, and how one instruction of one warp is executed. Internal to sim/.
//
// Shapes: warps_[block * warps_per_block + warp]. A queue holds the warps that can issue, ordered by (cycle, block,
//         warp): that order is what a run means, and every way of running keeps to it where it can be seen, in memory.
// Units:  cycles from 1.
// Errors: a Trap in result_, after which nothing issues.
#pragma once

#include <memory>
#include <new>
#include <queue>
#include <span>
#include <string>
#include <vector>

#include "sim/code/decode.h"
#include "sim/machine/divergence.h"
#include "sim/machine/livelock.h"
#include "sim/machine/machine.h"
#include "sim/machine/random.h"
#include "sim/memory/memory.h"
#include "sim/timing/clock.h"

namespace warpsim {

struct Warp {
  std::uint32_t block = 0, index = 0;  // index: in the block
  std::byte* registers = nullptr;
  LaneMask existing = 0, alive = 0;
  std::uint64_t cycle = 1;       // of its next issue; of one that waits meaningless
  std::uint64_t last_issue = 0;  // cycle of its last one
  bool queued = false;
  Divergence divergence{0};
};

// One lane's value in a row of a register.
inline std::uint64_t read_row(const Warp& w, std::uint32_t offset, bool wide, unsigned lane) {
  const std::byte* r = w.registers;
  return wide ? row<std::uint64_t>(r, offset)[lane] : row<std::uint32_t>(r, offset)[lane];
}
inline void write_row(Warp& w, std::uint32_t offset, bool wide, unsigned lane, std::uint64_t value) {
  if (wide) row<std::uint64_t>(w.registers, offset)[lane] = value;
  else row<std::uint32_t>(w.registers, offset)[lane] = static_cast<std::uint32_t>(value);
}
inline bool is_wide(const DecodedInsn& d) { return bits(d.type) == 64; }

// Of these lanes, those that take the branch.
inline LaneMask taking(const std::byte* registers, const DecodedInsn& branch, LaneMask lanes) {
  return branch.guard == kNoOffset ? lanes : (word(registers, branch.guard) ^ branch.guard_flip) & lanes;
}

// Vanishes: every hook is `if constexpr (Observer::kActive)`.
struct NullObserver {
  static constexpr bool kActive = false;
};
struct SinkObserver {
  static constexpr bool kActive = true;
  std::span<EventSink* const> sinks;
  template <class Event>
  void tell(void (EventSink::*hook)(const Event&), const Event& event) const {
    for (EventSink* sink : sinks) (sink->*hook)(event);
  }
};

struct Machine::Impl {
  Impl(const Program& program, const LaunchConfig& config, const Arguments& arguments, Code code);

  const Program& program_;
  LaunchConfig config_;
  Arguments arguments_;
  Code code_;
  GlobalMemory memory_;
  std::uint32_t warps_per_block_ = 1;
  std::vector<Warp> warps_;
  std::vector<std::vector<std::byte>> shared_;  // a block
  RunResult result_;
  bool started_ = false, ended_ = false;
  std::unique_ptr<Clock> clock_;   // of a timed run, which has its turns from it and not from the queue
  std::uint64_t ahead_until_ = 0;  // the last cycle that warps may run ahead to
  bool observed_ = false;

  // ---- running (machine.cpp, run_timed.cpp)
  template <class Observer>
  bool step(const Observer& observer);
  template <class Observer>
  bool step_timed(const Observer& observer);
  template <class Observer>
  void run(const Observer& observer);
  bool leave_unwatched(std::span<EventSink* const> sinks);
  void run_watched(const SinkObserver& observer);
  template <class Observer>
  void finish(const Machine& machine, const Observer& observer);

  LaneMask existing_lanes(std::uint32_t warp) const;
  void add_places(const Warp& warp, std::vector<LanePlace>& places) const;  // failure.cpp

 private:
  struct Later {  // for std::priority_queue: the earliest first
    const std::vector<Warp>* warps;
    bool operator()(std::uint32_t x, std::uint32_t y) const {
      const std::uint64_t cx = (*warps)[x].cycle, cy = (*warps)[y].cycle;
      return cx != cy ? cx > cy : x > y;
    }
  };
  struct FreeAligned {
    void operator()(std::byte* p) const { ::operator delete (p, std::align_val_t{64}); }
  };

  // ---- how warps begin (warps.cpp)
  void make_warps();
  void fill_specials(Warp& warp);
  void poison_registers(Warp& warp) const;

  void queue(std::uint32_t warp);
  // One issue slot of a warp (execute.cpp). False if the warp has nothing ready; in a timed run also if the lanes whose
  // turn it was now wait for others.
  template <class Observer>
  bool issue(Warp& warp, const Observer& observer);
  template <class Observer>
  bool issue_timed(std::uint32_t number, const Observer& observer);
  bool issue_alone(std::uint32_t number);
  void go_on(std::uint32_t number, std::int32_t pc, LaneMask issued);
  void end_of_turns();
  void trap_cycle_limit(const Warp& warp);

  // The group whose turn it is, and how long a warp then pauses: the schedule's part in it.
  int choose_group(const Warp& warp);
  std::uint64_t pause_cycles();

  // Register-only instructions of warps whose lanes all go together, without looking left or right (run_ahead.cpp).
  // False if the warp whose turn it is has none.
  bool run_ahead();
  bool can_run_ahead(const Warp& warp) const;
  template <class Execute>
  std::uint64_t run_through(const DecodedInsn*& d, std::uint64_t budget, RegisterBlocks blocks, Execute execute) const;
  void run_side_by_side(std::span<Warp*> warps);
  void run_apart(std::span<Warp*> warps, const DecodedInsn& branch);
  void advance(std::span<Warp* const> warps, std::int32_t pc, std::uint64_t instructions);

  template <class Observer>
  void execute(Warp& warp, int group, LaneMask active, const Observer& observer);
  void fill_clock(Warp& warp, const DecodedInsn& d) const;
  template <class Observer>
  void execute_branch(Warp& warp, int group, const DecodedInsn& d, LaneMask active, const Observer& observer);
  template <class Observer>
  void execute_exit(Warp& warp, int group, LaneMask active, const Observer& observer);

  // Values that cross lanes (exchange.cpp).
  struct Exchange;
  std::uint64_t undefined_bits(const Warp& warp, const DecodedInsn& d, unsigned lane) const;
  void execute_exchange(Warp& warp, const DecodedInsn& d, LaneMask active, Exchange& exchange);
  void execute_vote(Warp& warp, const DecodedInsn& d, LaneMask active);
  void execute_match(Warp& warp, const DecodedInsn& d, LaneMask active);
  void execute_redux(Warp& warp, const DecodedInsn& d, LaneMask active);
  void execute_reduction(Warp& warp, int group, const DecodedInsn& d, LaneMask active);

  // Loads, stores and atomics (access.cpp). A region is what one lane's access must stay in.
  struct Access;
  struct Region {
    std::byte* at = nullptr;            // on the host; null: there is none
    std::uint64_t address = 0;          // … and in its space
    std::uint64_t first = 0, span = 0;  // the positions at which an access may begin, from the first to `span` behind
    bool by_index = false;              // a position is an index, else an address
    bool read_only = false;
  };
  template <class Observer>
  void execute_access(Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer);
  void form_addresses(const Warp& warp, const DecodedInsn& d, Access& access) const;
  Region region_of(const Warp& warp, const DecodedInsn& d, const Access& access, unsigned lane);
  bool resolve_addresses(const Warp& warp, const DecodedInsn& d, LaneMask active, Access& access);
  void name_elements(const DecodedInsn& d, LaneMask active, Access& access);
  void note_access(const DecodedInsn& d, LaneMask active, const Access& access);
  void load(Warp& warp, const DecodedInsn& d, LaneMask active, Access& access) const;
  void store(const Warp& warp, const DecodedInsn& d, LaneMask active, Access& access);
  void change(Warp& warp, const DecodedInsn& d, LaneMask active, Access& access);
  void order_lanes(LaneMask active, Access& access);
  void tell_access(const DecodedInsn& d, LaneMask active, Access& access, const SinkObserver& observer);

  // `*.sync` instructions (meet.cpp): true if the lanes may execute now; `together` gets the lanes of all groups that
  // do, and meeting_ the groups. False if the group must wait, or on a trap.
  bool meet(Warp& warp, int group, LaneMask active, LaneMask& together);
  LaneMask member_mask(const Warp& warp, const DecodedInsn& d, unsigned lane) const;
  bool part_by_masks(Warp& warp, int group, LaneMask active);
  bool check_members(const Warp& warp, const DecodedInsn& d, LaneMask active);
  bool all_there(const Warp& warp, const Group& group, LaneMask lanes, const std::vector<int>& candidates);
  void wake_waiting(Warp& warp);

  // Block barriers (barrier.cpp). One is named by a group that waits at it.
  void arrive_at_barrier(Warp& warp, int group, const DecodedInsn& d, LaneMask active);
  void release_barriers(const Warp& issuing);
  bool stand_at_one_barrier(const Group& x, const Group& y) const;
  bool has_arrived(const Warp& warp, const Group& barrier) const;
  bool some_warp_is_to_come(const Warp& issuing) const;
  bool is_open(std::span<const Warp> block, const Group& asked) const;
  void open_barrier(const Warp& issuing, std::span<Warp> block, const Group& barrier);
  void reduce_predicates(std::span<Warp* const> warps);
  std::vector<SyncEvent::Arrival> arrivals_of(std::span<Warp* const> warps) const;

  // ---- failing (failure.cpp)
  void trap(TrapKind kind, const Warp& warp, std::int32_t pc, LaneMask lanes, std::string message, std::string hint);
  void trap_access(TrapKind kind, const Warp& warp, const DecodedInsn& d, LaneMask faulty, const Access& access);
  void trap_mismatch(const Warp& warp, std::int32_t pc, LaneMask lanes, LaneMask other_lanes);
  std::string what_it_waits_for(const Warp& warp, const Group& group) const;
  std::string line_of(std::int32_t pc) const;

  // Nothing can ever run again (deadlock.cpp): what kind of mistake that is.
  void trap_deadlock();
  bool trap_crossed_shuffles(const Warp& stuck);
  bool trap_waiting(const Warp& warp);
  bool trap_divergent_barrier(const Warp& warp, const Group& group);
  bool trap_barrier_count(const Warp& warp, const Group& group);
  bool trap_named_lane(const Warp& warp, const Group& group);
  LanePlace place_of(const Warp& warp, LaneMask lanes) const;

  // Something runs, and the whole state comes again (livelock.cpp): true if it does before warp `k` issues.
  bool goes_round(std::uint32_t k);
  void keep_state(std::uint32_t k);
  LivelockWatch::WarpState state_of(const Warp& warp, std::uint64_t now) const;
  bool is_as_kept(std::uint32_t warp, std::uint64_t now) const;
  bool all_is_as_kept(std::uint32_t k);
  std::vector<LinesGoneRound> lines_gone_round(std::uint32_t k);
  void trap_livelock(std::uint32_t k);

  // ---- events (execute.cpp)
  template <class Observer>
  void tell_writes(const Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer);
  template <class Observer>
  void tell_joined(const Observer& observer);
  template <class Observer>
  void tell_met(const Warp& warp, const Observer& observer);

  std::unique_ptr<std::byte, FreeAligned> register_storage_;
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, Later> queue_{Later{&warps_}};
  std::vector<Joined> joined_;   // scratch: what came together in the current issue
  std::vector<int> meeting_;     // scratch: the groups that execute the current issue, rising
  std::vector<Warp*> released_;  // scratch: who leaves the barrier that opens
  // Scratch: who has just come together at barriers, where somebody watches.
  struct Meeting {
    SyncEvent::Kind kind;
    bool reduces;
    std::vector<SyncEvent::Arrival> arrivals;
  };
  std::vector<Meeting> met_;
  // Scratch of a timed run: what the current issue came to, and who leaves a barrier with it.
  TimedOutcome outcome_;
  std::vector<std::uint64_t> addresses_;
  struct Freed {
    std::uint32_t warp;
    std::int32_t barrier_pc;
  };
  std::vector<Freed> freed_;
  SplitMix random_;  // of a fuzzed schedule
  LivelockWatch livelock_;
};

// One memory access by the lanes of a warp; arrays are indexed by lane.
struct Machine::Impl::Access {
  unsigned element_bytes = 4, elements = 1;
  unsigned size_bytes() const { return element_bytes * elements; }
  std::uint64_t address[kMaxLanes];
  std::int64_t index[kMaxLanes];      // element of object_of, for messages and events
  std::int32_t object_of[kMaxLanes];  // parameter or shared array; -1: none
  std::byte* at[kMaxLanes];           // where it is on the host; null: outside
  std::uint64_t value[4][kMaxLanes];  // an element a row
  std::uint64_t stored[kMaxLanes];    // atomics
  std::uint8_t order[kMaxLanes];      // in which the lanes take effect, if not rising
  bool is_reordered = false;
};

// Where each lane's value came from.
struct Machine::Impl::Exchange {
  std::uint8_t from[kMaxLanes] = {};
  LaneMask in_range = 0, undefined = 0;
};

}  // namespace warpsim
