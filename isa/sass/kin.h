// What a machine instruction is like among those of the table, for counts: of the same unit, and a jump where it jumps.
//
// Shapes: an opcode as opcode_of() prints it, "IMAD.MOV.U32". What no row is like is like a move.
// Units:  none.
// Errors: none.
// Source: the units that the instruction set chapter of NVIDIA's CUDA binary utilities groups them by.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "isa/sass/instruction.h"
#include "isa/table/op.h"
#include "isa/table/type.h"

namespace warpsim::sass {

struct Kin {
  Op op = Op::Mov;
  Type type = Type::B32;
};
Kin kin_of(std::string_view opcode);

// Whether it goes to where it names, or where a register says: not what only prepares for lanes to meet.
bool is_jump(std::string_view opcode);

// Whether its result is a float of 32 bits, or a copy of whatever it was.
enum class ResultKind : std::uint8_t { Integer, Float, Copy };
ResultKind result_of(std::string_view opcode);

// Registers that its destination is: 1, 2 or 4.
unsigned registers_written(std::string_view opcode);
// Registers that the operand is, which is a source: 1, 2 or 4.
unsigned registers_read(const Instruction& insn, std::size_t operand);
// Of an address in memory its register and the next, or the register alone: R2.64, R2.
unsigned registers_of_address(const Operand& memory);

}  // namespace warpsim::sass
