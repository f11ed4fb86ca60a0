// One machine instruction of sm_90, taken apart: guard, opcode with its modifiers, operands, and the control bits by
// which the compiler tells the hardware when it may issue.
//
// Shapes: a word is 16 bytes; names and order of modifiers and operands are those of nvdisasm. A register that reads as
//         zero, or a predicate that is true, has its own number (kZero, kUniformZero, kTrue). Bits that no field of the
//         instruction's row explains stand in `unknown_bits`.
// Units:  addresses and offsets in bytes from the function's start; `stall` in cycles.
// Errors: none: what is not known is named.
// Source: the control bits are those that maxas described for Maxwell, where Volta moved them to (Jia et al. 2018, and
//         CuAssembler): 105-108 stall, 109 yield, 110-112 write scoreboard, 113-115 read scoreboard, 116-121 wait mask,
//         122-125 reuse.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "isa/sass/word.h"

namespace warpsim::sass {

inline constexpr unsigned kWordBytes = 16;
inline constexpr unsigned kZero = 255;        // RZ
inline constexpr unsigned kUniformZero = 63;  // URZ
inline constexpr unsigned kTrue = 7;          // PT, UPT
inline constexpr unsigned kNoScoreboard = 7;

struct Control {
  std::uint8_t stall = 0;  // cycles before the warp's next instruction
  bool yields = false;     // another warp is preferred next
  std::uint8_t write_scoreboard = kNoScoreboard, read_scoreboard = kNoScoreboard;  // 0-5; counted up until it is done
  std::uint8_t wait_mask = 0;                                                      // scoreboards that must be at zero
  std::uint8_t reuse = 0;  // operands that stay in the operand cache
};
Control control_of(Word word);

enum class OperandKind : std::uint8_t {
  Register,          // R4, RZ
  Uniform,           // UR4, URZ
  Predicate,         // P0, PT
  UniformPredicate,  // UP0, UPT
  Barrier,           // B0, of convergence
  Scoreboard,        // SB0
  Immediate,
  Float,  // an immediate of floating-point type; `value` has its bits
  Constant,
  Memory,
  Special,  // SR_TID.X
  Target,   // of a jump
  Other,    // a word
};

struct Operand {
  OperandKind kind = OperandKind::Other;
  bool is_destination = false;
  bool is_negated = false;              // -R4, ~R4, !P0
  bool is_absolute = false;             // |R4|
  bool is_reused = false;               // stays in the operand cache
  std::uint8_t number = 0;              // of the register, predicate, barrier, scoreboard; of a constant's bank
  std::uint8_t base = kZero;            // register in an address
  std::uint8_t uniform = kUniformZero;  // uniform register in an address, or a descriptor's
  bool has_descriptor = false;
  std::int64_t value = 0;  // of an immediate; offset of a constant or of an address; the target's address
  std::string text;        // as nvdisasm prints it
};

struct Instruction {
  Word word;
  std::uint64_t address = 0;
  bool is_known = false;  // its opcode; without, there is nothing below but the guard and the control bits
  std::uint8_t guard = kTrue;
  bool guard_negated = false, guard_uniform = false;
  std::string_view name;               // "IMAD"
  std::vector<std::string> modifiers;  // "MOV", "U32"
  std::vector<Operand> operands;
  Word unknown_bits;
  Control control;

  // Without anything that is not known.
  bool is_whole() const { return is_known && unknown_bits.is_zero(); }
};

bool has_modifier(const Instruction& insn, std::string_view modifier);  // "U32"
// "@!P0 IMAD.MOV.U32 R2, RZ, RZ, R4", as nvdisasm prints it; "unknown 0x1ff" for an opcode that no row has, and
// "unknown bits 0x…" behind an instruction that has some.
std::string text_of(const Instruction& insn);
// "IMAD.MOV.U32"
std::string opcode_of(const Instruction& insn);

}  // namespace warpsim::sass
