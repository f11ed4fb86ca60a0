// Every line that the table allows: each row in every type, with every set of modifiers and a choice of operands.
//
// Shapes: made from all_ops() and slots() alone, so a new row is there the minute it exists. kEveryHead is the head of
//         a program in which each of them is valid: kEveryPrologue instructions and the label `here`.
// Units:  none.
// Errors: none.
// Source: the rounding that cvt needs is PTX ISA 9.0, table in section 9.7.9.21, written here a second time as cases.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "isa/table/op.h"

namespace warpsim {

extern const std::string kEveryHead;
inline constexpr std::size_t kEveryPrologue = 7;

struct EveryLine {
  std::string text;
  Type type = Type::None, type2 = Type::None;
};
// Without a guard, under one and under its opposite.
std::vector<EveryLine> every_line(Op op);
std::string every_line_program(std::span<const EveryLine> lines);

// ---- its pieces
std::vector<Type> members(TypeSet set);
std::vector<Type> second_members(const OpInfo& row);
// With every set of modifiers that the row takes at these types.
std::vector<std::string> opcodes(const OpInfo& row, Op op, Type t, Type t2);
// The operands of a row, each slot going through its choices while the others keep their first.
// With operand c where the opcode combines a comparison with it.
std::vector<std::vector<std::string>> operand_lists(const OpInfo& row, Type t, Type t2, const std::string& opcode = "");
// "-" where the list cannot be written: an operand left out with another after it that has no name.
std::string operand_text(const OpInfo& row, const std::vector<std::string>& list);

}  // namespace warpsim
