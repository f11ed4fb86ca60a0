// The control-flow graph of a program and its immediate post-dominators.
//
// Shapes: blocks in text order; block_of[pc] maps an instruction to its block. The virtual exit has index kExit.
// Units:  pcs count instructions.
// Errors: none: any verified program has a graph. A branch from which no path leads to an exit has ipdom kExit.
//         Reconvergence: lanes that diverge at a branch converge at its immediate post-dominator. Where an early exit
//         leaves none although both paths lead past it, the exit does not count: the surviving lanes converge as if it
//         were not there.
// Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on the reversed graph; reconvergence at
//         immediate post-dominators as in Fung et al., "Dynamic Warp Formation" (MICRO 2007). That early exits do not
//         keep the others diverged is what the H200 does: returns inside an if, in a longer path, in a loop (activemask
//         afterwards, driver 580.159.04, CUDA 13.0).
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.h"

namespace warpsim {

inline constexpr std::int32_t kExit = -1;

struct BasicBlock {
  std::int32_t first = 0, last = 0;      // pcs, inclusive
  std::vector<std::int32_t> successors;  // block indices, kExit possible
  std::vector<std::int32_t> predecessors;
  std::int32_t ipdom = kExit;           // block index
  std::int32_t reconverges_at = kExit;  // block index: where lanes that diverge at its end reconverge
};

struct Cfg {
  std::vector<BasicBlock> blocks;
  std::vector<std::int32_t> block_of;  // by pc
  // The pc where lanes that diverge at the branch at `pc` reconverge; kExit if only exiting ends the divergence.
  std::int32_t reconvergence_pc(std::int32_t pc) const;
};

Cfg build_cfg(const Program& program);

}  // namespace warpsim
