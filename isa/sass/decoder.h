// Words of sm_90 → instructions.
//
// Shapes: `address` is that of the word in its function; a jump's target is computed from it.
// Units:  bytes.
// Errors: none: an opcode without a row, a value without a name and a bit without a field are named in the result,
// never
//         guessed.
// Source: instructions.def, next to this.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "isa/sass/cubin.h"
#include "isa/sass/instruction.h"

namespace warpsim::sass {

Instruction decode(Word word, std::uint64_t address);
std::vector<Instruction> decode(const CodeSection& section);
// Where the instructions begin that only fill the function's last 128 bytes.
std::size_t begin_of_padding(std::span<const Instruction> code);

// What is wrong with the table: rows whose fields cannot be read. "" if nothing is.
std::string faults_of_table();

}  // namespace warpsim::sass
