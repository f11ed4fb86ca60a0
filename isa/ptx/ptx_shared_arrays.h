// Arrays in shared memory as their author wrote them, where PTX has `.b8 _ZZ3revPKfPfE4tile[256]`.
//
// Shapes: names lose the function around them, if no other array has the name then; bytes become elements, if all of
//         the program's accesses of shared memory that name their space are of one width.
// Units:  bytes.
// Errors: none: what cannot be told stays as it is.
// Source: none: it is a matter of reading. No address and no size changes.
#pragma once

#include "isa/program/program.h"

namespace warpsim::ptx {

void show_shared_arrays(Program& program);

}  // namespace warpsim::ptx
