// The banks of constants of a launch: its sizes and parameters, and what the file and the program's memory have.
//
// Units:  bytes.
// Errors: none: a word that nobody fills in is unknown, and what reads it is refused.
// Source: bank 0 is what listings read: 0x0 the block's size, 0xc the grid's, 0x20 the window of local memory, 0x28 the
// top
//         of the stack, 0x208 a descriptor of global memory, 0x210 the parameters; the others are sections of the file.
#pragma once

#include "sim/sass/code_state.h"

namespace warpsim::sass {

void fill_banks(CodeMachine::Impl& machine, const Cubin& cubin, const CodeSection& section);

}  // namespace warpsim::sass
