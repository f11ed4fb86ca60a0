// Copies of what never changes while a block is there: parameters, special registers, constants. Whoever reads such a
// copy can as well read where it comes from, and the copy need not be made.
//
// Shapes: rows of a warp's register block, by offset (register_file.h). A register is forwarded that one instruction
//         alone writes, which has no guard, and that nothing reads before.
// Units:  bytes.
// Errors: none.
// Source: copy propagation where a use has one definition: Aho, Lam, Sethi, Ullman, "Compilers" (2nd edition),
//         section 9.1.5.
#pragma once

#include "sim/code/decode.h"

namespace warpsim {

// For runs in which nobody looks at registers. What is copied keeps its row, and DecodedInsn::is_unread says that
// nobody reads it.
void forward_copies(const Program& program, Code& code);

}  // namespace warpsim
