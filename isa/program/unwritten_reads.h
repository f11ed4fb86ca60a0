// Which registers may be read before they are written: those alone need something in them when a warp begins.
//
// Shapes: by register: a lane can come to an instruction that reads it along a path on which nothing has written it, a
//         guarded write counting as none; or another lane reads it, by a shuffle or a vote, wherever its own lane
//         stands.
// Units:  none.
// Errors: none.
#pragma once

#include <vector>

#include "isa/program/program.h"

namespace warpsim {

std::vector<bool> unwritten_reads(const Program& program);

}  // namespace warpsim
