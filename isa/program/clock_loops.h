// Which registers may hold something that comes from a clock, and which loops a clock can end.
//
// Shapes: a register is of the clock if an instruction that reads a clock writes it, one that reads such a register, or
//         one on a path that such a register chooses. A loop is the blocks that reach each other. A clock can end it,
//         or matter in it, if a branch that leaves it asks such a register, or if what threads share is written, waited
//         at or left under one. Where none does, the registers that are not of the clock decide alone how often it
//         runs: a wait with a growing pause between its attempts is such a loop, a pause of so many cycles is not.
// Units:  pcs count instructions.
// Errors: none; in a program with calls every loop counts as one that a clock can end.
// Source: control dependence by immediate post-dominators: Ferrante, Ottenstein, Warren, "The Program Dependence Graph
// and
//         Its Use in Optimization" (TOPLAS 1987).
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/cfg.h"
#include "isa/program/program.h"

namespace warpsim {

class ClockLoops {
 public:
  explicit ClockLoops(const Program& program);
  // Whether there is a register of the clock, in a loop that no clock can end.
  bool any() const { return any_; }
  bool is_of_clock(std::size_t reg) const { return of_clock_[reg]; }
  // Whether the clock matters to the loop that the instruction is in; outside of loops it does.
  bool matters_at(std::int32_t pc) const { return matters_[static_cast<std::size_t>(pc)]; }

 private:
  void follow_clocks();
  bool reads_clock(const Insn& insn) const;
  void find_chosen();
  void add_reached(std::int32_t from, std::int32_t end, std::vector<bool>& reached) const;
  bool asks_clock(std::int32_t block) const;
  void find_loops();
  bool matters_in(const std::vector<bool>& loop) const;

  const Program& program_;
  const Cfg cfg_;
  bool any_ = false;
  std::vector<bool> of_clock_;  // by register
  std::vector<bool> chosen_;    // by block: a clock may choose whether lanes come there
  std::vector<bool> matters_;   // by pc
};

}  // namespace warpsim
