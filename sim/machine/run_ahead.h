// Untraced runs: complete warps run on through what only their own registers can see, several of them side by side.
//
// Shapes: up to kSideBySide warps that stand at one pc execute each instruction together: it is looked up once, and
//         what one warp waits for overlaps with the others (lift.h). Warps that a branch separates go on without each
//         other.
// Units:  cycles; each warp keeps its own.
// Errors: none: what can trap is left to the caller, in the order (cycle, block, warp).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/engine/engine.h"
#include "sim/machine/launch_state.h"
#include "sim/machine/memory_unit.h"
#include "sim/machine/turns.h"

namespace warpsim {

class RunAhead {
 public:
  RunAhead(LaunchState& state, TurnQueue& queue, MemoryUnit& memory);

  // The last cycle that warps may run ahead to.
  void set_until(std::uint64_t cycle) { until_cycle_ = cycle; }
  // Whether somebody hears of every split and join of groups, of unwatched instructions too. A straight body that some
  // lanes pass by is none.
  void follow_masks(bool follows) { follows_masks_ = follows; }
  // Whether somebody watches: who hears where an exchange gives something undefined.
  void watch(bool is_watched) { is_watched_ = is_watched; }
  // Who hears of accesses at once; null: nobody.
  void set_listener(EventSink* sink) {
    listener_ = sink;
    frame_.settled_pages = sink == nullptr ? nullptr : sink->settled_pages();
  }
  EventSink* listener() const { return listener_; }
  // The instructions are other ones than before. `keeps_all`: somebody looks at registers.
  void forget_code(bool keeps_all) { engine_.restart(keeps_all); }
  const engine::Engine& engine() const { return engine_; }
  std::uint64_t issues_in_code() const { return issues_in_code_; }
  // False if the warp whose turn it is has nothing to run ahead through.
  bool run();
  // A warp whose lanes all go together, through code that begins where it stands; 0: there is none.
  std::uint64_t run_whole(Warp& warp, std::uint64_t budget);
  // This warp within its own turn, through at most so many instructions of what needs no other warp; the number that it
  // has run through.
  std::uint64_t run_alone(Warp& warp, std::uint64_t budget);
  // The loop of registers alone that all lanes of the warp are within, together; null: there is none.
  const engine::RegisterLoop* loop_of(const Warp& warp);
  // So many issues of each of these warps, which stand at one place of such a loop. If one of them leaves it before:
  // how many all can make, and what is in their registers is of no use.
  std::uint64_t go_round(std::span<Warp* const> warps, const engine::RegisterLoop& loop, std::uint64_t issues);
  // Whether the warp is within such a loop, and still will be behind so many issues.
  bool stays_in_loop(Warp& warp, std::uint64_t issues);
  // Seats for these warps, in a ring; false if not all that live stand where code begins, ready and whole.
  bool take_seats(std::span<Warp> block);
  // The same ones for another block that has begun in their slot; false if no code begins there for all of them.
  bool take_seats_again();
  std::span<engine::Seat> seats() { return seats_; }
  // The seat's turn begins at `at`; false if no code does there.
  bool set_out(engine::Seat& seat, std::int32_t at) const;
  // The turns of these and of those between them, the first with so many issues left. Null: all have come to a barrier
  // or to their ends; else who has not, and goes on as settle_seat() says.
  engine::Seat* run_seats(engine::Seat& first, engine::Seat& last, std::uint64_t left);
  void note_in_code(std::uint64_t issues) { issues_in_code_ += issues; }
  // Who lets another block begin on the seats within code, once all of one have come to their ends with so many issues
  // (LaunchState::begin_next_alike()), and says how many more may by themselves; none: not even that one does. Of those
  // that have it is told before it or anybody else is asked what there is: of their number, and of the issues of as
  // many blocks before the last one.
  struct NextBlock {
    std::function<std::optional<std::uint64_t>(std::uint64_t issues)> begins;
    std::function<void(std::uint64_t blocks, std::uint64_t issues)> have_begun;
  };
  void set_next_block(NextBlock next) { next_block_ = std::move(next); }
  // Whether that was so since it was asked last.
  bool has_begun_blocks() { return std::exchange(has_begun_blocks_, false); }
  // The seat's last issue is not made: that is where it has left the code.
  void take_back(engine::Seat& seat);
  // The warp has left the code, having had so many issues left; what it has issued.
  std::uint64_t settle_seat(Warp& warp, std::uint64_t left);

 private:
  void link_seats();
  bool is_possible(const Warp& warp) const;
  static bool access_from_code(engine::Frame& frame, std::int32_t pc, LaneMask active);
  static bool hear_from_code(engine::Frame& frame, std::int32_t pc, std::uint64_t address, bool is_one_address);
  static bool hear_lanes_from_code(engine::Frame& frame, std::int32_t pc, LaneMask active);
  static bool next_block_from_code(engine::Frame& frame);
  void note_begun_blocks();
  void settle_block() {
    note_begun_blocks();
    state_.settle_block();
  }
  bool begin_next_block();
  Warp& warp_in(const engine::Frame& frame) {
    settle_block();
    return frame.seat != nullptr ? seated_[frame.seat->warp] : *in_code_;
  }
  struct Run {  // of a group through its stretch
    LaneMask lanes = 0;
    std::int32_t below = 0;
    std::int32_t branch = 0;  // Frame's, as `apart` and `passed_over`
    LaneMask apart = 0;
    std::uint32_t passed_over = 0;
    std::int32_t pc = 0;
    int group = 0;
    bool regrouped = false;  // the warp's groups are those of the frame
  };
  std::uint64_t run_code(Warp& warp, Run& run, std::uint64_t done, std::uint64_t budget, bool whole);
  void enter_groups(const Warp& warp, const Run& run, std::uint64_t done);
  void take_groups(Run& run);
  void enter_code(LaneMask lanes, std::int32_t pc, std::uint64_t most, const Warp& warp);
  std::uint64_t leave_code(Run& run, std::uint64_t most);
  std::uint64_t run_stretch(Warp& warp, Run& run, std::uint64_t budget);
  void settle(Warp& warp, const Stretch& stretch, const Run& run, std::uint64_t issues);
  bool execute(Warp& warp, const DecodedInsn& d, LaneMask active, std::uint64_t cycle);
  bool are_together(const Warp& warp, const DecodedInsn& d, LaneMask active) const;
  template <class Execute>
  std::uint64_t run_through(const DecodedInsn*& d, std::uint64_t budget, RegisterBlocks blocks, Execute execute) const;
  std::uint64_t step_in_loop(std::span<Warp* const> warps, const engine::RegisterLoop& loop, std::int32_t pc,
                             std::uint64_t issues);
  std::uint64_t go_whole_rounds(std::span<Warp* const> warps, const engine::RegisterLoop& loop, std::uint64_t rounds);
  void run_side_by_side(std::span<Warp*> warps);
  void run_separately(std::span<Warp*> warps, const DecodedInsn& branch);
  void advance(std::span<Warp* const> warps, std::int32_t pc, std::uint64_t instructions);

  LaunchState& state_;
  TurnQueue& queue_;
  MemoryUnit& memory_;
  std::uint64_t until_cycle_;
  bool follows_masks_ = false;
  bool is_watched_ = false;
  EventSink* listener_ = nullptr;
  engine::Engine engine_;
  std::uint64_t issues_in_code_ = 0;
  engine::Frame frame_;
  Warp* in_code_ = nullptr;     // the warp that the engine runs …
  std::uint64_t code_end_ = 0;  // … and the cycle in which it would have used up its issues
  std::uint64_t issued_ = 0;    // of run_alone(), before the present stretch
  std::vector<engine::Seat> seats_;
  std::span<Warp> seated_;        // the block that they belong to
  std::uint64_t first_left_ = 0;  // the issues that the first one's turn began with
  NextBlock next_block_;
  bool has_begun_blocks_ = false;
  std::vector<Group> ready_;    // scratch
  std::vector<Joined> joined_;  // scratch: nobody watches
};

}  // namespace warpsim
