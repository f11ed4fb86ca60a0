// The second interpreter as the witness of a sweep's self-test: everything but the GPU's part, where there is no GPU.
//
// Shapes: runs the same program as the machine, one lane at a time.
// Errors: refuses what the assembler refuses, and opcodes that the interpreter does not define.
// Source: tools/fuzz/reference_interpreter.h.
#pragma once

#include <memory>

#include "tools/cuda/rows/row_compare.h"

namespace warpsim::rows {

std::unique_ptr<Witness> reference_witness();

}  // namespace warpsim::rows
