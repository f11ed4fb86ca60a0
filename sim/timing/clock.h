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
#include "sim/timing/l2_halves.h"
#include "sim/timing/l2_map.h"
#include "sim/timing/pieces.h"
#include "sim/timing/profile.h"
#include "sim/timing/reservations.h"
#include "sim/timing/wake_queue.h"

namespace warpsim {

struct BankWays;

// What the execution of an instruction adds to its class.
struct TimedOutcome {
  enum class Way : std::uint8_t { On, Taken, Diverged } way = Way::On;       // of a branch
  enum class Side : std::uint8_t { Same, Other, Joined } side = Side::Same;  // which lanes issue next
  // Shared memory: the degree of bank conflict; of an atomic each lane takes its turn. Global atomics: the most lanes
  // that name one word.
  unsigned ways = 1;
  unsigned merged_ways = 1;                // … if lanes that name one word of shared memory are served together
  unsigned values = 1;                     // match: distinct ones; of constants: places; 0: no lane acts
  bool stores = false;                     // global memory
  bool is_atomic = false;                  // … too
  unsigned bytes = 4;                      // of a lane
  bool in_a_row = false;                   // each lane's address is so many bytes behind that of the one before
  std::span<const std::uint64_t> address;  // … of its lanes; empty for other instructions

  // Of an access to shared memory; `in_turn`: each lane takes its turn.
  void note_shared(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes, bool in_turn);
  // The same, of counted ways.
  void note_banks(const BankWays& found, LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes,
                  bool in_turn);
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
  // Where a warm L2 has the memory that the map has; it outlives the clock. Null: it is not known.
  void place_in_l2(const L2Map* map) { l2_map_ = map; }

  std::int32_t sub_core(std::uint32_t warp) const { return warps_[warp].sub_core; }

 protected:
  virtual ~Clock() = default;
  // `classes` are the front end's and must outlive the clock, as the profile must.
  Clock(const TimingProfile& profile, const std::vector<TimingClass>& classes, std::uint32_t slots,
        std::uint32_t warps_per_block, const CodeMemoryTiming* paths = nullptr);

  static constexpr std::uint64_t kNever = WakeQueue::kNever;

  // Who is first is the least of sums of a cycle, a turn and a place, each above the next.
  static constexpr unsigned kPlaceBits = 12, kTurnBits = 14, kKeyBits = kPlaceBits + kTurnBits;
  static constexpr std::uint64_t kLatest = kNever >> kKeyBits;  // it does not wait to issue; no run is so long
  static constexpr std::uint64_t kMostTurns = (1U << kTurnBits) - 1, kPlace = (1U << kPlaceBits) - 1;
  static std::uint64_t key_of(std::uint64_t cycle) { return std::min(cycle, kLatest) << kKeyBits; }
  // The lower, the earlier its turn; of several with one turn the highest place, the youngest, is first.
  static constexpr std::uint64_t kKept = 0, kLeftBarrier = 1, kFirstTurn = 2;
  static std::uint64_t turn_of(std::uint64_t turn, std::uint64_t place) {
    return turn << kPlaceBits | (kPlace - place);
  }
  static std::uint64_t place_in(std::uint64_t turn) { return kPlace - (turn & kPlace); }

  // Fractions of cycles are counted in 256ths: exact, and the same on every host.
  struct Pipe {
    std::uint64_t free_256ths = 0;
    std::uint64_t from = 0;  // the same as a key
    std::uint64_t free() const { return from >> kKeyBits; }
    void free_at(std::uint64_t in_256ths) {
      free_256ths = in_256ths;
      from = (in_256ths + 255) / 256 << kKeyBits;
    }
    [[gnu::always_inline]] void take(std::uint64_t cycle, std::uint64_t interval_256ths) {
      // A pipe that is always busy accumulates fractions of cycles; one that was idle starts with a whole cycle.
      const std::uint64_t now = cycle * 256;
      free_at((free_256ths + 256 > now ? free_256ths : now) + interval_256ths);
    }
  };
  // The profile's pipe n has number n + 1 in its SM's or sub-core's row of pipes; number 0 is always free.
  struct PipeRef {
    bool of_sm = false;
    std::uint16_t number = 0;
  };
  // A class of the profile, precomputed.
  struct Unit {
    const TimingClass* cls = nullptr;
    std::vector<PipeRef> pipes;  // one or more; the compiler chooses
    PipeRef sm;
    std::uint64_t interval = 0, interval_of_three = 0, interval_per_way = 0, sm_interval = 0;  // in 256ths
    std::uint64_t interval_of_one = 0;                                                         // of one way
    unsigned queue = 0;
    bool merges_lanes = false, passes_barrier = false, keeps_turn = false;
    bool takes_sm = false;  // once it is picked it has the pipe of its SM, for which sub-cores compete
    // What lets it issue beside its own pipe: the pipe of its SM, or nothing. With a queue room there, in place of its
    // own pipe, too.
    PipeRef other, room;
  };
  // What an instruction issues to: its unit, which of its pipes, and the one for which it waits.
  struct Use {
    const Unit* unit = nullptr;
    PipeRef own, first;
    bool competes = false;  // with other sub-cores, for a pipe of their SM
  };
  static Use use_of(const Unit& unit, PipeRef own) {
    const PipeRef first = unit.queue != 0 ? unit.room : own;
    return {&unit, own, first, unit.takes_sm || first.of_sm || unit.other.of_sm};
  }
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
  // issue. And what it would issue.
  struct Waiting {
    std::uint64_t earliest = kNever;
    std::uint32_t one = 0, other = 0;  // the indices in pipes_
    const Unit* unit = nullptr;
    PipeRef pipe;
    bool keeps = false;     // its sub-core prefers it while its operands are kept
    bool competes = false;  // Use::competes
    std::uint32_t warp = 0;
    std::uint64_t tie = 0;  // of several in one cycle the smallest goes first: the warp's order, the sub-core
  };
  struct SubCore {
    std::uint32_t sm = 0;
    std::uint32_t own_pipes = 0, sm_pipes = 0;  // where their rows begin
    std::uint32_t pick = 0;                     // the place of the warp that issues when it wakes
    std::uint64_t free = 1;                     // its issue slot
    std::int64_t last = -1;                     // the place of the warp that issued last; it may have ended …
    std::int64_t last_warp = -1;                // … and its number
    std::uint64_t served = 0;                   // the cycle in which it last had a pipe of the SM
    std::uint32_t queued = 0;                   // how many there were in its queue
    std::uint64_t last_turn = 0;                // the highest of `turns`
    bool chooses = false;                       // it does not know yet when it wakes
    std::vector<std::uint32_t> warps;           // in the order in which they started
    std::vector<Waiting> waiting;               // by the same index
    // … too, where who issued longest ago goes first, what choose_in_turn() adds: of whom is `earliest` a key, the
    // turn, the lower, the longer ago, from kFirstTurn on, with its place; and `one`.
    std::vector<std::uint64_t> keys, turns;
    std::vector<std::uint32_t> firsts;
    std::array<std::uint64_t, kMostQueue> started{};  // in which cycle the last of its queue came to the SM's pipe
  };

  // ---- for front ends

  // next(), of which turn_ says the rest.
  bool advance();
  // The same of a few sub-cores that do not compete, none of which tries again.
  template <class ComeTo>
  bool advance_apart(const ComeTo& come);  // come_to() of the front end itself
  bool is_apart() const { return !few_.empty() && !competes_; }
  // The block's warps are in their sub-cores, none planned yet; they begin in that cycle.
  void start_block(std::uint32_t slot, std::uint32_t block, std::uint64_t cycle);
  // The warp's next instruction is of this unit; its wait for operands is in `operands`.
  [[gnu::always_inline]] void put(std::uint32_t number, const Use& use, bool keeps) {
    const Warp& warp = warps_[number];
    put_beside(warp, sub_core_of(warp), use, keeps);
    wake(static_cast<std::uint32_t>(warp.sub_core));
  }
  // … of a sub-core that is choosing.
  [[gnu::always_inline]] void put_beside(const Warp& warp, SubCore& sub_core, const Use& use, bool keeps) {
    Waiting& waiting = sub_core.waiting[warp.place];
    const std::uint64_t earliest =
        std::max({warp.issue_free, warp.path_free, warp.operands, behind_barrier(warp, *use.unit)});
    waiting.earliest = earliest;
    waiting.one = place_of(sub_core, use.first);
    waiting.other = place_of(sub_core, use.unit->other);
    waiting.unit = use.unit;
    waiting.pipe = use.own;
    waiting.keeps = keeps;
    waiting.competes = use.competes;
    if (in_turn_) {
      sub_core.keys[warp.place] = key_of(earliest);
      sub_core.firsts[warp.place] = waiting.one;
    }
  }
  void rest(const Warp& warp, SubCore& sub_core) const;  // the same: it waits for others
  // The current warp's instruction takes its pipes; gives the cycles that its result comes later than its class says.
  // It keeps its own pipe for `least` 256ths of a cycle at least.
  struct CacheUse {
    bool caches = false;     // it goes through the caches …
    bool passes_l1 = false;  // … and reads L2, whatever L1 has
  };
  [[gnu::always_inline]] double occupy(const TimedOutcome& outcome, CacheUse use, std::uint64_t least) {
    const Waiting& one = issuing();
    const Unit& unit = *one.unit;
    if (use.caches || unit.queue != 0 || (outcome.ways | outcome.merged_ways | outcome.values) != 1)
      return occupy_for_longer(outcome, use, least);
    queued_ = 0;
    if (one.pipe.number != 0) own_pipe(one).take(turn_.cycle, std::max(unit.interval_of_one, least));
    return 0;
  }
  // The same of an instruction that has the outcome that TimedOutcome begins with, and takes no more than its own pipe.
  [[gnu::always_inline]] void occupy_alone(const SubCore& sub_core, const Use& use) {
    if (use.own.number != 0) pipes_[place_of(sub_core, use.own)].take(turn_.cycle, use.unit->interval_of_one);
  }
  // The current warp has issued at `pc`: so many issue slots are taken, it goes on `issue` cycles later, and `way` more
  // where a branch leads. Its sub-core stands still for `held` of the cycles: nobody there goes on meanwhile.
  [[gnu::always_inline]] void go_on(unsigned slots, unsigned issue, unsigned way, unsigned held = 0) {
    Warp& warp = warps_[turn_.warp];
    SubCore& sub_core = sub_core_of(warp);
    sub_core.free = std::max(sub_core.free, turn_.cycle + slots);
    sub_core.last = warp.place;
    sub_core.last_warp = turn_.warp;
    again_ = slots == 0;
    if (in_turn_) {
      if (sub_core.last_turn == kMostTurns) number_turns(sub_core);
      sub_core.turns[warp.place] = turn_of(++sub_core.last_turn, warp.place);
    }
    warp.begin = turn_.cycle + 1;
    if (held != 0) stand_still(sub_core, warp, held);
    warp.issue_free = turn_.cycle + issue + held;
    warp.path_free = warp.issue_free + way;
  }
  void leave_barrier(std::uint32_t warp, std::int32_t barrier_pc, const Unit& unit);
  // A delay in whole cycles.
  static std::uint64_t up(double cycles) {
    if (cycles <= 0) return 0;
    const auto whole = static_cast<std::uint64_t>(cycles);
    return whole + (static_cast<double>(whole) < cycles ? 1 : 0);
  }
  static std::uint64_t in_256ths(double cycles) {  // rounded
    const double exact = cycles * 256;
    const auto whole = static_cast<std::uint64_t>(exact);
    return whole + (exact - static_cast<double>(whole) >= 0.5 ? 1 : 0);
  }
  // What a branch's outcome and a change of lanes add.
  static unsigned way_of(const TimedOutcome& outcome, const BranchTiming& branch) {
    unsigned way = 0;
    if (outcome.way == TimedOutcome::Way::Taken) way += branch.taken;
    if (outcome.way == TimedOutcome::Way::Diverged) way += branch.diverged;
    if (outcome.side == TimedOutcome::Side::Other) way += branch.other_side;
    if (outcome.side == TimedOutcome::Side::Joined) way += branch.joined;
    return way;
  }

  const Unit& no_unit() const { return units_.back(); }
  const Unit& unit(std::size_t cls) const { return units_[cls]; }
  const std::vector<SubCore>& sub_cores() const { return sub_cores_; }
  SubCore& sub_core_at(std::uint32_t number) { return sub_cores_[number]; }
  // The next cycle in which the sub-core can issue, and in `pick` which warp then does. A front end may issue before
  // what concerns the sub-core alone.
  virtual std::uint64_t come_to(std::uint32_t sub_core) { return choose(sub_cores_[sub_core]); }
  std::uint64_t choose(SubCore& sub_core) const;
  // The same where it is the turn of who issued longest ago. `OnePipe`: no unit has another pipe beside its first.
  template <bool OnePipe>
  [[gnu::always_inline]] std::uint64_t choose_in_turn(SubCore& sub_core) const;
  bool is_in_turn() const { return in_turn_; }
  // Whether some units wait, before they issue, for a pipe of their SM, which other sub-cores may take.
  bool competes() const { return competes_; }
  // Of the other sub-cores none issues before that cycle, but what come_to() has issued.
  std::uint64_t others_issue(std::uint32_t sub_core) const {
    std::uint64_t first = few_.empty() ? picked_ + 1 : kNever;
    for (std::uint32_t k = 0; k < few_.size(); ++k) {
      const std::uint64_t cycle = sub_cores_[k].chooses ? std::min(few_[k].cycle, picked_ + 1) : few_[k].cycle;
      first = k == sub_core ? first : std::min(first, cycle);
    }
    return first;
  }
  SubCore& sub_core_of(const Warp& warp) { return sub_cores_[static_cast<std::size_t>(warp.sub_core)]; }
  // What the current warp issues.
  const Waiting& issuing() {
    const Warp& warp = warps_[turn_.warp];
    return sub_core_of(warp).waiting[warp.place];
  }

  const TimingProfile& profile_;
  // Null: nothing is between L1 and L2 but latency, and L1 has lines whole. Else it has each sector on its own.
  const CodeMemoryTiming* paths_;
  std::uint32_t warps_per_block_;
  std::vector<Warp> warps_;
  Turn turn_{};
  std::uint64_t queued_ = 0;  // so many cycles the instruction of the last occupy() waits in its queue

 private:
  struct Sm {
    LineCache l1;
    Pipe queues;         // where the sub-cores' queues lead
    Pipe reads, writes;  // between it and L2
    // By the last stores and atomics for which there is room before the SM's pipe: when each has left it, in 256ths;
    // a ring, the oldest is at next_written.
    std::vector<std::uint64_t> written;
    std::size_t next_written = 0;
    std::vector<Reservations> taken;  // of its pipes, by number, to which queues lead
    LineCache writing;                // when each sector that was stored last has gone to L2, in 256ths
    unsigned next_sub_core = 0;
  };
  struct Pick {
    std::uint64_t order;      // of its warp
    std::uint64_t unit_free;  // the cycle from which its unit was free
    std::uint32_t warp;
  };
  // When one of a few sub-cores wakes, and what it picks.
  struct Wake {
    std::uint64_t cycle = kNever;
    std::uint64_t tie = 0, unit_free = 0;  // of what it picks
    std::uint32_t warp = 0;
    bool competes = false;
  };
  static constexpr unsigned kFewBits = 3, kTieBits = 40;
  static constexpr std::size_t kFew = std::size_t{1} << kFewBits;
  static constexpr std::uint64_t kFar = kNever >> kTieBits;

  void make_units(const std::vector<TimingClass>& classes);
  static void number_turns(SubCore& sub_core);
  void stand_still(SubCore& sub_core, const Warp& current, unsigned cycles);
  void add_turn(SubCore& sub_core, const Warp& warp);
  void leave(SubCore& sub_core, std::uint32_t place);
  // From when on the barrier that the warp has left lets an instruction of this class issue.
  static std::uint64_t behind_barrier(const Warp& warp, const Unit& unit) {
    return unit.passes_barrier ? warp.barrier_left : warp.barrier_open;
  }
  static std::uint32_t place_of(const SubCore& sub_core, PipeRef ref) {
    return (ref.of_sm ? sub_core.sm_pipes : sub_core.own_pipes) + ref.number;
  }
  Pipe& own_pipe(const Waiting& one) { return pipes_[place_of(sub_core_of(warps_[turn_.warp]), one.pipe)]; }
  double occupy_for_longer(const TimedOutcome& outcome, CacheUse use, std::uint64_t least);
  // The cycle from which the unit takes another instruction.
  std::uint64_t unit_free(const Waiting& one) const {
    return std::max(pipes_[one.one].from, pipes_[one.other].from) >> kKeyBits;
  }
  void note_room(SubCore& sub_core);
  double wait_in_queue(SubCore& sub_core, const Waiting& one, const TimedOutcome& outcome, std::uint64_t ways,
                       bool stores);
  double pass_from_l2(SubCore& sub_core, std::uint64_t sectors);
  std::uint64_t pass_to_l2(Sm& sm, const TimedOutcome& outcome, std::uint64_t start);
  void keep_stored(SubCore& sub_core);
  // Whether the current warp's access is of sectors_ as wholes.
  bool is_of_whole_sectors(const TimedOutcome& outcome) const {
    return sectors_.size() * profile_.global.sector_bytes <= outcome.address.size() * outcome.bytes;
  }
  std::uint64_t ready(const SubCore& sub_core, const Waiting& one) const;
  // It chooses anew, before the next cycle's picks.
  void wake(std::uint32_t number) {
    bool& chooses = sub_cores_[number].chooses;
    choosing_[choosing_count_] = number;  // there is room for one more than there are
    choosing_count_ += chooses ? 0 : 1;
    chooses = true;
  }
  void gather();
  void put_in_order_of_service(std::vector<std::uint32_t>& sub_cores) const;
  std::uint64_t hold(SubCore& sub_core, std::uint64_t cycle, std::uint64_t& unit_free);
  void pick(std::uint32_t sub_core, std::uint64_t cycle);
  std::uint64_t first_of_few() const;
  template <class ComeTo>
  void come_to_few(const ComeTo& come);
  std::uint64_t next_of_few();
  std::uint64_t first_of_far();
  std::size_t begin_cycle_of_few();
  void note_wake(std::size_t sub_core, std::uint64_t cycle);
  bool compete();
  void take_pipes_of_sms();
  void take_pick(std::size_t sub_core);
  void add_stall(Stall stall, std::uint64_t until);
  void find_lines(const TimedOutcome& outcome);
  double memory_delay(SubCore& sub_core, const TimedOutcome& outcome, bool passes_l1, const TimingClass& cls,
                      double waited);

  const std::uint32_t first_room_;  // behind the profile's pipes: depths_
  std::vector<Unit> units_;         // by class; the last is for instructions without a class
  std::vector<Pipe> pipes_;         // rows of the SMs, then of the sub-cores
  std::vector<Sm> sms_;
  std::vector<SubCore> sub_cores_;  // SM by SM
  LineCache l2_;
  bool l2_is_warm_ = false;
  const L2Map* l2_map_ = nullptr;
  L2Halves halves_;
  WakeQueue wakes_;
  const bool in_turn_;     // the warp that issued longest ago goes first
  bool competes_ = false;  // competes()
  // Sub-cores that choose, so many; there is room for all, and one more.
  std::vector<std::uint32_t> choosing_;
  std::size_t choosing_count_ = 0;
  std::uint64_t picked_ = 0;        // the cycle of the picks
  std::size_t competing_ = 0;       // how many of these compete
  std::vector<Wake> few_;           // by sub-core, where there are few: it stands here when they wake
  std::vector<std::uint32_t> due_;  // … else those that wake in one cycle
  std::vector<Pick> picks_;         // … and theirs, in reverse order
  std::vector<unsigned> depths_;    // of queues; whether one has room is a pipe behind the profile's, in this order
  std::uint64_t unit_free_ = 0;     // of turn_
  bool again_ = false;              // turn_'s warp may issue in this cycle
  std::vector<Stall> stalls_;
  std::uint64_t stall_from_ = 0;
  Pieces lines_, sectors_;  // of global memory that the access touches
};

// Without branches, for who can issue is hard to foresee. The first pipes count at once; who is first and waits for its
// other pipe gets a larger key.
template <bool OnePipe>
[[gnu::always_inline]] inline std::uint64_t Clock::choose_in_turn(SubCore& sub_core) const {
  std::uint64_t* const keys = sub_core.keys.data();
  std::uint64_t* const turns = sub_core.turns.data();
  const std::uint32_t* const firsts = sub_core.firsts.data();
  const Pipe* const pipes = pipes_.data();
  const std::size_t count = sub_core.keys.size(),
                    last = static_cast<std::size_t>(std::max<std::int64_t>(sub_core.last, 0));
  const std::uint64_t free = sub_core.free << kKeyBits;
  std::uint64_t turn = 0;
  if (sub_core.last_warp >= 0 && sub_core.waiting[last].keeps) {  // it goes before all turns
    Waiting& one = sub_core.waiting[last];
    const std::uint64_t ready = std::max(keys[last], free),
                        unit = OnePipe ? pipes[one.one].from : std::max(pipes[one.one].from, pipes[one.other].from);
    if (unit > ready && !one.unit->keeps_turn) {
      one.keeps = false;  // others take their turns meanwhile
    } else if (std::max(ready, unit) <= free) {
      sub_core.pick = static_cast<std::uint32_t>(last);
      return sub_core.free;
    } else {
      turn = std::exchange(turns[last], turn_of(kKept, last));
    }
  }
  const auto key = [=](std::size_t k) __attribute__((always_inline)) {
    return std::max({pipes[firsts[k]].from, free, keys[k]}) + turns[k];
  };
  // A loop that passes here is not made one of vectors, which need many times as long for numbers of 64 bits.
  const auto keep_in_register = [](std::uint64_t & value) __attribute__((always_inline)) {
    asm volatile("" : "+r"(value));
  };
  std::uint64_t at = kNever, best = kNever;
  for (bool waits = true; waits;) {
    best = kNever;
    std::uint64_t beside = kNever;  // two by two, so that they need not wait for each other
    std::size_t k = 0;
    for (; k + 1 < count; k += 2) {
      best = std::min(best, key(k));
      keep_in_register(best);
      beside = std::min(beside, key(k + 1));
      keep_in_register(beside);
    }
    if (k < count) best = std::min(best, key(k));
    best = std::min(best, beside);
    at = best >> kKeyBits;
    if (OnePipe || at == kLatest) break;
    const std::uint64_t unit = unit_free(sub_core.waiting[place_in(best)]);
    waits = unit > at;
    if (waits) keys[place_in(best)] = unit << kKeyBits;
  }
  if (turn != 0) turns[last] = turn;
  sub_core.pick = static_cast<std::uint32_t>(place_in(best));
  return at == kLatest ? kNever : at;
}

}  // namespace warpsim
