// The clock's front end for programs as they are written: an instruction waits for the registers that it reads.
//
// Shapes: Registers count as renamed, as a compiler does it: only reads wait. Register banks are not modelled.
// Units:  cycles.
// Errors: none.
// Source: profile.h; traces/PROFILE.md describes the model.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.h"
#include "sim/timing/clock.h"
#include "sim/timing/timed_code.h"

namespace warpsim {

class ProgramClock : public Clock {
 public:
  // The first blocks begin, each in the slot of its number. The clock refers to the profile.
  ProgramClock(const TimingProfile& profile, const Program& program, std::uint32_t slots,
               std::uint32_t warps_per_block);
  ProgramClock(const TimingProfile&&, const Program&, std::uint32_t, std::uint32_t) = delete;

  // The current warp issued the instruction at `pc`.
  void issued(std::int32_t pc, const TimedOutcome& outcome);
  // The warp continues at `pc`.
  void plan(std::uint32_t warp, std::int32_t pc);
  // All warps of the slot's block have ended: this one begins there, in the next cycle.
  void begin_block(std::uint32_t slot, std::uint32_t block) { begin(slot, block, turn_.cycle + 1); }
  // This warp leaves a barrier, at which the current warp was the last to arrive.
  void leave_barrier(std::uint32_t warp, std::int32_t barrier_pc) {
    Clock::leave_barrier(warp, barrier_pc, unit_at(barrier_pc));
  }

 private:
  struct Written {
    std::uint64_t cycle = 0;  // what the latency counts from; 0: never
    std::int32_t pc = -1;
    std::uint8_t cls = 0;
    bool from_memory = false, addressed = false;
  };
  struct State {
    bool came_by_itself = false;  // the same lanes continue after its last issue
    unsigned extra_issue = 0;     // for the address of an element
    std::uint64_t stored = 0;     // the cycle in which its stores to global memory have arrived
    std::int32_t store_pc = -1;
    std::vector<std::uint64_t> copied;  // by group of copies, and last those since: when all have arrived
    std::int32_t copy_pc = -1;
  };

  void begin(std::uint32_t slot, std::uint32_t block, std::uint64_t cycle);
  std::uint64_t operand_ready(const Written& written, const TimedCode::Read& read, std::uint8_t cls) const;
  void wait_for_operands(std::uint32_t number, const TimedCode::Insn& insn, bool goes_on);
  void wait_for_copies(Warp& warp, const State& state, const TimedCode::Insn& insn) const;
  void note_copies(State& state, std::int32_t pc, double delay);
  const Unit& unit_at(std::int32_t pc) const { return code_.has(pc) ? unit(code_.at(pc).cls) : no_unit(); }
  PipeRef chosen_pipe(std::uint32_t warp, const Unit& unit) const;
  void use_pipe(std::uint32_t warp, PipeRef pipe, std::uint64_t interval);
  Written& written(std::uint32_t warp, std::int32_t reg) {
    return written_[std::size_t{warp} * registers_ + static_cast<std::size_t>(reg)];
  }

  TimedCode code_;
  std::vector<unsigned> latencies_;  // by the class of the writer, then of the reader
  std::size_t registers_;
  std::vector<State> states_;        // by warp
  std::vector<Written> written_;     // warp by warp
  std::vector<std::uint32_t> used_;  // the recent use of each pipe of a sub-core, in 256ths: warp by warp
};

}  // namespace warpsim
