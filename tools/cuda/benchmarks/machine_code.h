// The machine code of a measured region, and whether it does what the program says, one for one.
//
// Shapes: a listing is what `cuobjdump -sass` prints of one kernel; the region stands between the last two reads of the
//         clock. Of machine instructions the opcode counts ("IMAD.MOV.U32"), not the registers. A table says which
//         opcodes an instruction of a program may become; what keeps diverging and converging lanes in order (BSSY,
//         BSYNC, BRA.DIV, WARPSYNC) is no difference, nor is NOP.
// Units:  none.
// Errors: no region, no verdict.
// Source: `cuobjdump -sass` of what ptxas 13.0 makes for sm_90.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/program/program.h"

namespace warpsim {

struct MachineInsn {
  std::string guard;   // "@!P0", may be ""
  std::string opcode;  // "IMAD.MOV.U32"
  std::string operands;
};

// All instructions of a listing, in the order of their addresses.
std::vector<MachineInsn> parse_machine_code(std::string_view listing);
// The opcodes between the last two reads of the clock; empty if there are not two.
std::vector<std::string> region_opcodes(std::span<const MachineInsn> code);

struct CodeVerdict {
  // Unknown: there was nothing to compare with.
  enum class Kind : std::uint8_t { Same, Reordered, Differs, Unknown } kind = Kind::Unknown;
  // "without 3 add.u32; with 1 MOV more"; of another order the first place where the two part: "instruction 13 is
  // mul.f32, but FFMA is there".
  std::string difference;
};
std::string_view name(CodeVerdict::Kind kind);  // "same", "reordered", "differs", "unknown"

// The instructions [first, last) of `program` and the opcodes that its region became.
CodeVerdict compare_code(const Program& program, std::int32_t first, std::int32_t last,
                         std::span<const std::string> opcodes);

// "SHFL.BFLY IADD3*2 EXIT" and back: what follows itself is counted.
std::string pack_opcodes(std::span<const std::string> opcodes);
std::vector<std::string> unpack_opcodes(std::string_view text);

}  // namespace warpsim
