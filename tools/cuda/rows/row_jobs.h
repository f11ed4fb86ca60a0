// The jobs of a sweep: which opcodes, with how many operands.
//
// Shapes: Mixed: `count` tuples for each opcode; Fractions: the same for those that have them; Every: all of them, for
//         opcodes that compute alone and are not proved by a hash over all operands. An operand that is part of the
//         instruction takes all 256 values, a job each, with a 256th of the tuples.
// Units:  tuples; rounded up to a multiple of kBlockThreads.
// Errors: none. Opcodes that PTX does not have are among them: both sides must refuse them.
// Source: isa/kernels/mufu.h, for what is proved.
#pragma once

#include <vector>

#include "tools/cuda/rows/row_compare.h"

namespace warpsim::rows {

std::vector<Job> all_jobs(Pattern pattern, std::uint64_t count, std::uint64_t seed);

}  // namespace warpsim::rows
