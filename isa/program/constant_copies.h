// Registers that hold a copy of what never changes while a block is there: a parameter, a special register, a constant.
// Whoever reads such a register can as well read where its value comes from, and the copy need not be made.
//
// Shapes: by register, the instruction that makes the copy; -1: the register is no such copy. That instruction alone
//         writes it, without a guard, and no lane reads it before. A copy of such a copy is one. Of clocks, and in
//         programs with functions, there are none.
// Units:  pcs.
// Errors: none.
// Source: copy propagation where a use has one definition: Aho, Lam, Sethi, Ullman, "Compilers" (2nd edition),
//         section 9.1.5.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program/program.h"

namespace warpsim {

std::vector<std::int32_t> constant_copies(const Program& program);

}  // namespace warpsim
