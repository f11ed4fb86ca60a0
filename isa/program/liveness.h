// Which registers may still be read: what the others hold nobody sees any more.
//
// Shapes: is_live(pc, register): a lane that comes to `pc` may read the register before it writes it. A guarded
//         write does not reach every lane, and counts as none. Lanes exchange what each has at that instruction:
//         another lane's read is its own. All registers of a program with functions are always live.
// Units:  none.
// Errors: none.
// Source: live variables as a backward "may" problem over the control-flow graph: Aho, Lam, Sethi, Ullman, "Compilers"
//         (2nd edition), section 9.2.5.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/cfg.h"
#include "isa/program/program.h"
#include "isa/program/register_set.h"

namespace warpsim {

class Liveness {
 public:
  explicit Liveness(const Program& program);
  // Quickest where one asks about instructions of one block of the graph after the other.
  bool is_live(std::int32_t pc, std::int32_t reg);
  // Of an instruction of the program.
  const RegisterSet& live_at(std::int32_t pc);

 private:
  bool has_functions() const { return !program_.routines.empty(); }
  RegisterSet at_end_of(const BasicBlock& block) const;
  bool pass();
  static void pass_back(const Insn& insn, RegisterSet& live);
  void look_at(std::int32_t block);

  const Program& program_;
  Cfg cfg_;
  std::vector<RegisterSet> before_;   // by block
  std::int32_t shown_ = kExit;        // the block that `of_insn_` is of
  std::vector<RegisterSet> of_insn_;  // by instruction of it: live before it
};

}  // namespace warpsim
