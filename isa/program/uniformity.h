// Which registers hold one value on all lanes of a warp, as far as a compiler can know.
//
// Shapes: by register; a branch is uniform if its guard is: then all lanes of a warp take the same path.
// Units:  none.
// Errors: none: what cannot be decided counts as varying.
// Source: the divergence analysis of Coutinho et al., "Divergence Analysis and Optimizations" (PACT 2011): a value
//         varies if a varying one goes into it, or if it is written where a varying branch decides whether it is. What
//         memory, shuffles, votes and atomics give counts as varying, as in ptxas 13.0 (BSSY beside such branches).
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/cfg.h"
#include "isa/program/program.h"

namespace warpsim {

class Uniformity {
 public:
  Uniformity(const Program& program, const Cfg& cfg);
  bool is_uniform(std::int32_t reg) const { return !varies_[static_cast<std::size_t>(reg)]; }
  // Of a branch: whether lanes of a warp may diverge there.
  bool may_part(std::int32_t pc) const;

 private:
  bool spread(const Insn& insn, bool diverged);
  std::vector<bool> divergent_blocks() const;

  const Program& program_;
  const Cfg& cfg_;
  std::vector<bool> varies_;
};

}  // namespace warpsim
