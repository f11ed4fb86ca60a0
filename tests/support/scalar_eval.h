// One instruction on one lane, by walking the instruction table: a row is covered the minute it exists.
//
// Shapes: an Instruction is a row with its types and modifiers, as an opcode's text names it ("cvt.rn.ftz.f32.f64").
//         Operands and results are bits.
// Units:  none.
// Errors: nullopt where the text is no instruction of the table, or the row has no scalar meaning.
// Source: isa/table/instructions.def, isa/kernels/kernels.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/table/op.h"

namespace warpsim::tests {

struct Instruction {
  Op op = Op::Mov;
  Type type = Type::None;
  Type type2 = Type::None;  // of cvt: the source's type
  Mods mods;
};

// PTX's text of an opcode, and back. The row must take the types and modifiers.
std::optional<Instruction> parse_opcode(std::string_view text);
// Every combination of the modifiers that the row knows; the assembler does not take all of them.
std::vector<Mods> modifiers_of(const OpInfo& row);
std::string opcode_text(const Instruction& i);

// The width of the result in bits; a comparison has one bit.
int result_bits(const Instruction& i);
int slot_bits(const Slot& slot, const Instruction& i);

// Plain: the kernel without modifiers, which must agree wherever they are the default. Exact: the one that takes Mods.
enum class Path : std::uint8_t { Plain, Exact };
std::optional<std::uint64_t> evaluate(const Instruction& i, const std::array<std::uint64_t, 4>& operands, Path path);

// What the instruction leaves in the carry flag; nullopt if it writes none.
std::optional<bool> evaluate_carry(const Instruction& i, const std::array<std::uint64_t, 4>& operands);

// What an atomic leaves in memory; nullopt if the row is none.
std::optional<std::uint64_t> evaluate_atomic(const Instruction& i, std::uint64_t old, std::uint64_t b, std::uint64_t c);

// A vote over sets of lanes, one bit each, or a match over those with the same value; nullopt if the row is neither.
std::optional<std::uint64_t> evaluate_vote(Op op, std::uint64_t true_lanes, std::uint64_t members);

}  // namespace warpsim::tests
