// A kernel of a PTX module → a program, as a machine runs it.
//
// Shapes: the functions that the kernel may call come first, each behind those that it calls, then the kernel: so the
//         lowest pc is the deepest place, and lanes that are behind catch up (sim/machine/divergence.h). Registers of a
//         function keep their names, with the function's behind an @. Parameters of functions are bytes of local
//         memory. A parameter of the kernel is a scalar here, of the size that PTX says; who launches it says which of
//         them are buffers. Variables of the module that the code names, or that hold the address of one, come behind
//         them.
// Units:  bytes.
// Errors: Diagnostics P021 … : what is not PTX (a name that nothing declares, operands that do not fit). What is PTX,
//         but not supported, is a warning (P020) and a `trap` in the program, with what it stands for in
//         Program::unsupported.
// Source: PTX ISA 9.0, chapters 5, 6, 7 and 9.
#pragma once

#include <optional>

#include "isa/program/program.h"
#include "isa/ptx/ptx_syntax.h"
#include "isa/text/diagnostic.h"

namespace warpsim::ptx {

// `entry` is a function of the module that has a body.
std::optional<Program> make_program(const Module& module, const Function& entry, Diagnostics& diagnostics);

}  // namespace warpsim::ptx
