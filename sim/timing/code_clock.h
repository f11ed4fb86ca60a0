// The clock's front end for machine code: an instruction waits as its control bits say, for the stall count of the one
// before and for scoreboards.
//
// Shapes: an instruction's number is its place in the code, and stands where programs have a pc.
// Units:  cycles.
// Errors: none.
// Source: docs/machine_code.md; the times of scoreboards are the profile's.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "sim/timing/clock.h"
#include "sim/timing/code_cache.h"
#include "sim/timing/code_timing.h"

namespace warpsim {

class CodeClock : public Clock {
 public:
  // The profile, which the clock refers to, has a machine_code. The first blocks begin, each in the slot of its number.
  // Of a first launch no cache has the code; another one finds what the launch before has left.
  enum class Code : std::uint8_t { Left, First };
  CodeClock(const TimingProfile& profile, std::span<const sass::Instruction> code, std::uint32_t slots,
            std::uint32_t warps_per_block, Code launch = Code::Left);
  CodeClock(const TimingProfile&&, std::span<const sass::Instruction>, std::uint32_t, std::uint32_t,
            Code = Code::Left) = delete;

  // What nobody needs to be told of: of each instruction, how many from there on have the outcome that TimedOutcome
  // begins with, and lead to the next. The clock goes through them on its own, until that cycle, and next() gives the
  // others. Warps may be at different times meanwhile, but for what they have in common. So many blocks come to be.
  void go_alone(std::span<const std::uint32_t> insns, std::uint64_t until, std::uint64_t blocks);
  struct Alone {
    std::uint64_t instructions = 0, cycle = 0;  // so many, and when the last of them issued
  };
  const Alone& alone() const { return alone_; }
  std::int32_t at(std::uint32_t warp) const { return warps_[warp].pc; }
  std::optional<Turn> next();

  // The current warp issued that instruction.
  void issued(std::int32_t at, const TimedOutcome& outcome);
  // The warp continues there; on its own no farther than so many instructions. `is_behind`: behind a barrier that has
  // not opened. It goes on to the first instruction that does not pass barriers, and waits there.
  void plan(std::uint32_t warp, std::int32_t at, std::uint32_t most = 0, bool is_behind = false);
  // Which instructions the machine executes behind a barrier; they pass it if their class does.
  void pass_barriers(const std::function<bool(std::int32_t)>& may_pass);
  void park();
  void end(std::uint32_t warp);
  // All warps of the slot's block have ended: this one begins there, in the next cycle.
  void begin_block(std::uint32_t slot, std::uint32_t block);
  // This warp leaves the barrier at which it waits; the current warp was the last to arrive.
  void leave_barrier(std::uint32_t warp);

 private:
  static constexpr std::size_t kScoreboards = CodeTiming::kScoreboards;
  struct Scoreboard {
    std::uint64_t free = 0;  // when it is at zero
    std::int32_t at = -1;    // who set it last
    bool from_memory = false;
    std::uint32_t groups = 0;  // of copies, that have been counted on it
  };
  struct Slow {
    std::uint64_t ready = 0;
    std::int32_t at = -1;
    std::uint8_t number = sass::kZero, count = 0;
    std::uint64_t marks = 0;
  };
  struct State {
    std::uint64_t slow_until = 0;
    std::int32_t alone_until = 0;            // up to that instruction it goes on its own
    std::uint32_t line = ~std::uint32_t{0};  // of the code, in which it is
    bool yields = false;                     // its last instruction lets another warp go first
    bool issues_behind = false;              // … so does the next one, the first behind its barrier
    bool is_parked = false;                  // it waits for a barrier to open, or will
    bool is_behind = false;                  // … at `barrier_at`, and it has gone on
    std::int32_t barrier_at = 0;
    bool has_ended = false;
    unsigned next_slow = 0;
    std::uint64_t copied = 0;  // when the copies since the last group will have arrived
    std::array<Scoreboard, kScoreboards> scoreboards;
    std::array<Slow, 4> slow;  // the last registers that an interlock guards
  };

  std::uint64_t come_to(std::uint32_t sub_core) override;
  // Up to which cycle nothing that others do concerns the sub-core. That it is `wanted` or later is found out at some
  // cost, if it is not 0.
  std::uint64_t is_alone_until(std::uint32_t sub_core, std::uint64_t wanted) const;
  std::uint64_t block_ends(std::uint32_t sub_core, std::uint64_t wanted) const;
  bool picks_alone(const SubCore& sub_core) const {
    const std::uint32_t number = sub_core.warps[sub_core.pick];
    return warps_[number].pc < states_[number].alone_until;
  }
  bool issue_alone(SubCore& sub_core, std::uint64_t cycle);
  void issue_picked(Warp& warp, SubCore& sub_core, State& state);
  void issue(Warp& warp, SubCore& sub_core, State& state, const CodeTiming::Insn& insn, const TimedOutcome& outcome);
  void find_operands(Warp& warp, State& state, const CodeTiming::Insn& insn) const;
  void come_next(Warp& warp, State& state);
  static bool is_first_behind(State& state) { return state.is_behind && std::exchange(state.issues_behind, false); }
  // Whether the warp waits for its barrier before what is next.
  bool stops(const Warp& warp, const State& state) const {
    return state.is_behind && passing_[static_cast<std::size_t>(warp.pc)] == 0;
  }

  void begin(std::uint32_t slot, std::uint32_t block, std::uint64_t cycle);
  void wait_until(Warp& warp, std::uint64_t cycle, std::int32_t at, bool from_memory) const;
  void wait_for_slow(Warp& warp, const State& state, const CodeTiming::Insn& insn) const;
  void wait_for_copies(Warp& warp, const State& state, const CodeTiming::Insn& insn) const;
  // The cycles until the line of constants that the current warp's instruction reads is there.
  std::uint64_t& constants_of(const SubCore& sub_core, const CodeTiming::Insn& insn) {
    Constants& known = constants_[sub_core.sm * code_.constants() + static_cast<std::size_t>(insn.constants)];
    return insn.loads_constants ? known.loaded : known.uniform;
  }
  unsigned wait_for_constants(const SubCore& sub_core, const CodeTiming::Insn& insn);
  std::uint64_t wait_for_turn(std::uint32_t sm, std::uint64_t queued, unsigned missing);
  std::uint32_t line_of(std::int32_t at) const;  // of the code
  // … until code from elsewhere can be fetched for it.
  unsigned wait_for_code(std::uint32_t sm);
  unsigned wait_for_meeting(std::uint32_t sm, const Unit& of);
  void note_scoreboards(State& state, std::int32_t at, double delay);
  // When a group of copies that is counted on that scoreboard will have arrived: of the last groups it is known.
  std::size_t arrival(const State& state, std::size_t scoreboard, std::uint32_t group) const {
    const auto warp = static_cast<std::size_t>(&state - states_.data());
    return (warp * kScoreboards + scoreboard) * code_.groups() + group % code_.groups();
  }
  std::uint32_t& living_of(std::uint32_t slot, const Warp& warp) {
    const std::uint32_t of_sm = profile_.sm.sub_cores;
    return living_[slot * of_sm + static_cast<std::uint32_t>(warp.sub_core) % of_sm];
  }
  const Use& use_at(std::int32_t at) const {
    return code_.has(at) ? uses_[static_cast<std::size_t>(at)] : uses_.back();
  }
  // Whether the warp goes on before others that are ready.
  static bool keeps(const Warp& warp, const State& state) { return !state.yields && warp.path_free == warp.issue_free; }

  // Takes the registers' banks for the current warp's instruction; gives the issue slots that this takes.
  unsigned read_banks(const Warp& warp, const CodeTiming::Insn& insn, bool keeps);

  CodeTiming code_;
  std::vector<Use> uses_;                            // by instruction; the last is for what is not in the code
  std::vector<CodeCache> caches_;                    // by SM; empty: they have all of the code
  std::vector<std::array<std::uint64_t, 2>> banks_;  // by sub-core: when each has delivered what it was asked for
  // When a line of constants comes that was asked for; 0: it was not. Loads of constants have a cache of their own.
  struct Constants {
    std::uint64_t loaded = 0, uniform = 0;
  };
  std::vector<Constants> constants_;  // SM by SM, as the code counts lines
  struct ConstantTurns {
    std::uint64_t next = 0,
                  next_again = 0;  // when the next load can have its turn; and the next whose line was missing
  };
  std::vector<ConstantTurns> constant_turns_;  // by SM
  std::vector<std::uint64_t> meeting_free_;    // by SM, in 256ths
  std::vector<std::uint64_t> fetch_free_;      // by SM
  std::vector<State> states_;                  // by warp
  std::vector<std::uint64_t> arrivals_;        // warp by warp, of each scoreboard

  std::span<const std::uint32_t> insns_alone_;
  std::vector<std::uint32_t> passing_;  // of each instruction and behind the last, how many from there on pass barriers
  std::uint64_t alone_until_ = 0, blocks_ = 0, begun_;  // blocks: that come to be, that have begun
  Alone alone_;
  std::vector<std::uint32_t> parked_;   // by sub-core: warps
  std::vector<std::uint32_t> living_;   // slot by slot, by the sub-cores of an SM: warps of the slot's block there
  std::vector<std::uint32_t> without_;  // by sub-core: slots of its SM of which it has no warps
};

}  // namespace warpsim
