// The state of a launch and its parts; how turns pass and how one instruction of one warp is executed. Internal to the
// room.
//
// Shapes: the queue holds the warps that can issue, ordered by (cycle, block, warp): that order is what a run means,
//         and every way of running keeps to it where it can be seen, in memory. A timed run has its turns from the
//         clock instead, and schedule `blocks` from block_turns.h.
// Units:  cycles from 1.
// Errors: a Trap in state_.result, after which nothing issues.
#pragma once

#include <future>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/launch/block_pool.h"
#include "sim/machine/barriers.h"
#include "sim/machine/block_turns.h"
#include "sim/machine/calls.h"
#include "sim/machine/convergence.h"
#include "sim/machine/launch_state.h"
#include "sim/machine/livelock.h"
#include "sim/machine/machine.h"
#include "sim/machine/memory_unit.h"
#include "sim/machine/observation.h"
#include "sim/machine/run_ahead.h"
#include "sim/machine/spin_watch.h"
#include "sim/machine/turns.h"
#include "sim/timing/program_clock.h"

namespace warpsim {

struct Machine::Impl {
  Impl(const Program& program, const LaunchConfig& config, Binding binding, const DeviceMemory& memory, Code code,
       std::uint64_t resident);

  std::unique_ptr<DeviceMemory> own_memory_;  // null: the caller's
  LaunchState state_;
  Arguments arguments_;  // as given; of a launch on the caller's memory what a watched run began with
  Gathering gathering_;
  bool started_ = false, ended_ = false;
  // Whether the run has ended, also because it was asked to.
  bool has_ended() {
    if (!ended_ && is_asked_to_stop()) stop();
    return ended_;
  }
  std::unique_ptr<ProgramClock> clock_;  // of a timed run

  // Of a launch on the caller's memory.
  void note_arguments();

  // ---- running (machine.cpp, run_timed.cpp)
  template <class Observer>
  bool step(const Observer& observer);
  template <class Observer>
  void run(const Observer& observer);
  // Lets warps run ahead through what no sink watches. False if that is nothing.
  bool leave_unwatched(const SinkObserver& observer);
  bool leave_unwatched(const NullObserver&) { return true; }
  void run_watched(const SinkObserver& observer);
  template <class Observer>
  void finish(const Machine& machine, const Observer& observer);
  void log_engine(bool is_watched) const;
  LaunchHistory history() const {
    return {state_.result.instructions / state_.config.grid.count(), run_ahead_.engine().interpreted()};
  }
  // What the kernel has asked the device to do, once its grid has ended (sim/launch/device_work.h).
  void run_launched(std::span<EventSink* const> sinks);
  static std::variant<Machine, LaunchError> create_on(const Program& program, const LaunchConfig& config,
                                                      const Binding& binding, const DeviceMemory& memory);

 private:
  std::vector<DeviceWork> take_work();
  std::vector<DeviceWork> run_grid(const DeviceWork& work, std::span<EventSink* const> sinks);
  void move_bytes(const DeviceWork& work);
  void fail_launched(const DeviceWork& work, Trap trap);
  Binding binding_of(const DeviceWork& work);
  bool is_asked_to_stop() const {
    const std::atomic<bool>* const asked = state_.config.stop;
    return asked != nullptr && asked->load(std::memory_order_relaxed);
  }
  void stop();
  void end_of_turns();
  // The warp has ended: if it was the last of its block, another one can begin in its place.
  template <class Observer>
  void give_up_slot(const Warp& warp, const Observer& observer);
  // The next block begins in the slot; whoever watches hears of the end of the one before.
  template <class Observer>
  void begin_in_slot(std::uint32_t slot, std::uint64_t cycle, const Observer& observer);
  // The same, and its warps can issue; the first of them.
  template <class Observer>
  std::uint32_t begin_block(std::uint32_t slot, std::uint64_t cycle, const Observer& observer);
  // The warp can issue.
  void make_ready(std::uint32_t number) {
    if (takes_turns_) turns_.add(number);
    else queue_.add(number);
  }
  void make_ready(std::uint32_t begin, std::uint32_t end);
  void report_livelock(std::uint32_t number);
  void repeat_cycles(std::uint32_t number, std::uint64_t end, const SinkObserver& observer);
  void queue_released(const Warp& issuing);

  // ---- schedule `blocks` (run_blocks.cpp)
  // The turn goes on, or the next one has begun. False if the run has ended.
  template <class Observer>
  bool has_turn(const Observer& observer);
  // The next warp has its turn; false if none is ready.
  template <class Observer>
  bool begin_turn(const Observer& observer);
  // Whether the run goes on as it did before, for ever; asked as a turn begins.
  bool loops_for_ever();
  // False if the warp whose turn it is has nothing ready.
  template <class Observer>
  bool issue_in_turn(const Observer& observer);
  template <class Observer>
  bool step_blocks(const Observer& observer);
  template <class Observer>
  void run_blocks(const Observer& observer);
  void find_threads();
  void share_blocks();
  void share_blocks(const NullObserver&) {
    if (most_threads_ > 1 && is_worth_threads()) share_blocks();
  }
  void share_blocks(const SinkObserver&) {}
  void join_threads();
  void leave_pool();
  bool others_may_go_on();
  bool access_in_turn(Warp& warp, const SinkObserver& observer);
  bool access_in_turn(Warp&, const NullObserver&) { return false; }
  std::uint64_t run_on(Warp& warp, std::uint64_t budget);
  const DecodedInsn* next_of_whole(const Warp& warp) const;
  template <class Observer>
  bool wait_whole(Warp& warp, const DecodedInsn& barrier, const Observer& observer);
  template <class Observer>
  void exit_whole(Warp& warp, const DecodedInsn& exit, const Observer& observer);
  void report_issue(const Warp& warp, const DecodedInsn& d, LaneMask active, LaneMask group,
                    const SinkObserver& observer);
  void repeat_turns(std::uint64_t end, const SinkObserver& observer);
  // ---- the warps of a block within code (block_rounds.cpp)
  struct Ring;
  template <class Observer>
  void run_rounds(const Observer& observer);
  bool may_go_on(std::uint64_t issues) const;
  bool may_go_round(const Ring& ring) const;
  bool are_through(const Ring& ring) const;
  template <class Observer>
  void pass_turns(Ring& ring, const engine::Seat* stopped, const Observer& observer);
  std::optional<bool> open_ring(Ring& ring);
  bool open_ring_at_once(Ring& ring);
  template <class Observer>
  std::optional<bool> begin_on_seats(Ring& ring, const Observer& observer);
  std::optional<std::uint64_t> begin_in_code(std::uint64_t issues);
  void have_begun_in_code(std::uint64_t blocks, std::uint64_t issues);
  void end_blocks_in_code(std::uint64_t blocks, std::uint64_t issues);
  // So many issues that are made.
  void count_in_code(std::uint64_t issues) {
    state_.result.cycles = state_.result.instructions += issues;
    run_ahead_.note_in_code(issues);
  }
  void leave_ring(const Ring& ring, const engine::Seat& stopped);
  template <class Observer>
  void end_seat(const engine::Seat& seat, const Observer& observer);
  void report_meeting(const Ring& ring);
  void end_turn_unready(std::uint32_t number);
  void report_gathered(const Warp& warp, const SinkObserver& observer);
  bool has_exited(const engine::Seat& seat) const;
  // Many turns of all warps in one go; false if nothing is done, as they are not all within loops of registers alone.
  bool go_round_loops();
  std::uint64_t rounds_in_one_go(std::span<Warp* const> warps) const;
  std::uint64_t go_round_together(std::span<Warp* const> warps, std::uint64_t rounds);

  // The group executes nanosleep: it gives its turn to the other groups, and the warp gives its own to other warps.
  void sleep(Warp& warp, int group);

  // ---- timed runs (run_timed.cpp)
  template <class Observer>
  bool step_timed(const Observer& observer);
  template <class Observer>
  bool issue_timed(std::uint32_t number, const Observer& observer);
  bool issue_alone(std::uint32_t number);
  void go_on(std::uint32_t number, std::int32_t pc, LaneMask issued);

  // ---- one issue slot of a warp (execute.cpp). False if the warp has nothing ready; in a timed run also if the lanes
  // whose turn it was now wait for others.
  template <class Observer>
  bool issue(Warp& warp, const Observer& observer);
  template <class Observer>
  bool must_wait(Warp& warp, int group, const DecodedInsn& d, LaneMask active, LaneMask& together,
                 const Observer& observer);
  template <class Observer>
  void execute(Warp& warp, int group, LaneMask active, const Observer& observer);
  template <class Observer>
  void execute_branch(Warp& warp, int group, const DecodedInsn& d, LaneMask active, const Observer& observer);
  template <class Observer>
  void execute_jump(Warp& warp, int group, const DecodedInsn& d, LaneMask active, const Observer& observer);
  template <class Observer>
  void exchange_lanes(Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer);
  template <class Observer>
  void execute_exit(Warp& warp, int group, LaneMask active, const Observer& observer);
  template <class Observer>
  bool execute_special(Warp& warp, int group, const DecodedInsn& d, LaneMask active, const Observer& observer);

  // ---- events (execute.cpp)
  template <class Observer>
  void report_writes(const Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer);
  template <class Observer>
  void report_joined(const Observer& observer);
  template <class Observer>
  void report_barriers(const Warp& warp, const Observer& observer);

  // Of a run on several threads: each has a machine of its own.
  static constexpr std::uint64_t kBeforeThreads = 4'096, kWorthThreads = 65'536;  // instructions
  // Blocks that wait count as what those that have begun have taken so far, or as those of an earlier launch.
  bool is_worth_threads() const {
    const std::uint64_t so_far = state_.result.instructions;
    if (state_.config.history.instructions_a_block * state_.blocks_waiting() >= kWorthThreads) return true;
    return so_far >= kBeforeThreads && so_far / state_.next_block * state_.blocks_waiting() >= kWorthThreads;
  }
  unsigned most_threads_ = 1;  // until they have begun
  std::string why_one_thread_;
  std::unique_ptr<BlockPool> pool_;
  std::vector<std::unique_ptr<Impl>> helpers_;
  std::vector<std::future<void>> running_;
  bool is_alone_ = false;      // no other thread goes on
  bool begins_block_ = false;  // schedule `blocks`: the turn is the first one of a new block
  // go_round_loops() is tried again from so many issues on; each failure makes it later.
  static constexpr unsigned kMostDoubled = 10;
  std::uint64_t next_go_round_ = 0, issues_in_loops_ = 0;
  unsigned failed_rounds_ = 0;
  std::vector<std::byte> kept_registers_;  // scratch

  TimedOutcome outcome_;  // of a timed run: what the current issue came to
  const bool takes_turns_ = state_.config.schedule.order == Schedule::Order::Blocks;
  ScheduleDraws draws_;
  BlockTurns turns_{state_.most_warps(), state_.warps_per_block};  // of schedule `blocks`; of any other the queue
  TurnQueue queue_{state_.warps};
  Convergence convergence_{state_, gathering_};
  Barriers barriers_{state_, gathering_};
  Calls calls_{state_, gathering_};
  MemoryUnit memory_{state_, draws_, outcome_};
  RunAhead run_ahead_{state_, queue_, memory_};
  LivelockWatch livelock_{state_};
  SpinWatch spins_{state_};  // of schedule `blocks`
};

}  // namespace warpsim
