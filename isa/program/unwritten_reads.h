// Which registers may be read before they are written: those alone need something in them when a warp begins.
//
// Shapes: by register: a lane can come to an instruction that reads it along a path from the begin of its routine on
//         which nothing has written it. A guarded write does not reach every lane, and counts as none. The machine
//         writes Program::frame_register.
// Units:  none.
// Errors: none.
// Source: definite assignment as a forward "must" problem over the control-flow graph: Aho, Lam, Sethi, Ullman,
//         "Compilers" (2nd edition), section 9.2.
#pragma once

#include <vector>

#include "isa/program/program.h"

namespace warpsim {

std::vector<bool> unwritten_reads(const Program& program);

}  // namespace warpsim
