// Which instructions of a program only compute addresses: what a compiler made of p[i], and a reader seldom wants to
// see.
//
// Shapes: by pc. An instruction counts if it does nothing but write registers, and what it writes goes into the address
//         of a memory access, at once or through others that count. An index does not: what is also compared or stored,
//         and of 32-bit values all but an offset in shared memory and its scaling.
// Units:  none.
// Errors: none.
// Source: none: it is a matter of reading.
#pragma once

#include <vector>

#include "isa/program/program.h"

namespace warpsim {

std::vector<bool> address_arithmetic(const Program& program);

}  // namespace warpsim
