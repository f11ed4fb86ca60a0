// Which lanes of a warp go on: groups that split, wait for each other, and join.
//
// Shapes: the running group goes on until it waits or ends; the others stand in `Warp::others`, the latest last.
// Units:  lanes.
// Errors: a warp of which nobody can go on, and that no barrier of its block will wake, is a fault of the program.
// Source: Independent Thread Scheduling as NVIDIA describes it (Volta's white paper). Which group a GPU takes first is
//         not known: choose_group() is the one place that says it. Where a jump parts them the lanes that do not jump
//         go on, and the others wait.
#pragma once

#include "sim/sass/code_state.h"

namespace warpsim::sass {

// Of the running group these lanes go to the target, the others to the next instruction.
void go(Exec& x, Lanes taken, std::int64_t target);
// Each of these lanes to the address that `target` says, in bytes; the others of the group to the next instruction.
void go_each(Exec& x, Lanes taken, const std::array<std::int64_t, kLanes>& target);
// These lanes of the running group wait where they are; the others go on.
void wait(Exec& x, Lanes lanes, Wait what, std::uint32_t which);
// The active lanes wait at a barrier of convergence until everybody whom it names has come.
void converge(Exec& x, std::uint32_t barrier);
void end_lanes(Exec& x, Lanes lanes);
// The running group gives way to another one that can go on, if there is one.
void yield(Warp& warp);
// Lets those go on for whom everybody has come.
void wake(Exec& x);
// The next running group, if there is none.
void choose_group(Warp& warp);
// Whether lanes of the warp wait for each other for ever.
bool is_stuck(const Warp& warp);

// Those that wait at a barrier of the block go on.
bool leave_block_barrier(Warp& warp, std::uint32_t barrier);

// Lanes of a warp at a barrier of their block; `waits`: they stay until all have come. 0 threads: all of the block.
void arrive(Exec& x, std::uint32_t barrier, std::uint32_t threads, bool waits, Lanes trues);

inline Lanes* converge_row(const Warp& warp, const Layout& layout, std::uint32_t barrier) {
  return reinterpret_cast<Lanes*>(warp.registers + layout.converge() + barrier * kRowBytes);
}

}  // namespace warpsim::sass
