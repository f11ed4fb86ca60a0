// The type in which a register is printed.
//
// Errors: none.
#pragma once

#include "isa/program/program.h"

namespace warpsim {

// Fills Register::shown_as where it is None: from the types of the instructions that write the register, through moves
// and shuffles of bits, and from the elements that it is loaded from.
void infer_shown_types(Program& program);

}  // namespace warpsim
