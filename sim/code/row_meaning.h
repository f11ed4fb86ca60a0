// What the table's kernels say of rows that are no loop over lanes: votes and matches, atomics, a barrier's reduction.
//
// Shapes: one function a lift; each is a switch over the rows, made from the table.
// Units:  none.
// Errors: none: of a row of another lift it gives 0.
#pragma once

#include <cstdint>

#include "isa/kernels/kernels_warp.h"
#include "isa/table/op.h"
#include "sim/event/lane_mask.h"

namespace warpsim {

// Of a match, `truth` is the set of lanes that hold the same value.
LaneMask vote_of(Op op, LaneMask truth, LaneMask members);
// What memory holds after an atomic.
// What the word of an mbarrier becomes, or whether a wait at it is over.
std::uint64_t mbarrier_of(Op op, std::uint64_t word, std::uint64_t operand);
std::uint64_t atomic_of(Op op, const kernels::AtomicOperands& operands);
// Of the threads at a barrier, how many there are and how many have a true predicate.
std::uint64_t barrier_reduction_of(Op op, std::uint64_t trues, std::uint64_t threads);

}  // namespace warpsim
