// Whether a write may depend on a read of another thread, through what the two threads hand over: then it comes behind
// it, although nothing releases or acquires.
//
// Shapes: a read, the strong writes that hand on what depends on it, the strong reads that take such a value, and a
//         write that depends on these. If the read found what the write stores, that value would be its own cause: PTX
//         allows no such execution. So this pair needs no fence. CUB's decoupled look-back is such: a block's status
//         is computed from the elements that it has read, and who writes there waits for the status.
//         A value goes through registers, through shared and local memory as a whole, and through guards. A write
//         depends on a strong read, too, where a loop that asks for it lies before the write. What the program says
//         counts, not what a run did: a program of which only some strong writes depend on the read is not known to
//         be right.
// Units:  registers and pcs by number.
// Errors: none.
// Source: PTX ISA 9.0, chapter 8, the axiom "No Thin Air".
#pragma once

#include <cstdint>

#include "isa/program/program.h"

namespace warpsim {

// Whether control may come from the one to the other.
bool may_follow(const Program& program, std::int32_t pc, std::int32_t before);

// Every strong write behind the read at `read` depends on what it gives, and the write at `write` on every strong read
// before it.
bool depends_through_hand_over(const Program& program, std::int32_t read, std::int32_t write);

}  // namespace warpsim
