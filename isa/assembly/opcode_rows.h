// Which rows of the table the words of an opcode may mean.
//
// Shapes: a row matches if the words of its mnemonic are among those of the opcode in order, the first one first; the
// row
//         with the most words wins. Rows that share a mnemonic are found together.
// Units:  none.
// Errors: none: no row is an empty match.
// Source: isa/table/instructions.def.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "isa/table/op.h"

namespace warpsim {

struct OpcodeMatch {
  std::vector<Op> rows;    // the same mnemonic
  std::vector<bool> used;  // words that belong to it
  bool space_left_out = false;
};
// Among `rows`, the table's first ones. Exactly: those that take all other words, too.
OpcodeMatch find_rows(const std::vector<std::string_view>& words, bool exactly, std::span<const OpInfo> rows);
// `ld.f32 %x, input[%i]`: the first row that fits is taken until the operand decides the space.
OpcodeMatch find_any_space(const std::vector<std::string_view>& words);

Round parse_round(std::string_view word);     // None: it is no rounding
BoolOp parse_bool_op(std::string_view word);  // "and", "or", "xor"
// Words that PTX writes and that change nothing here.
bool is_noise(std::string_view word, const OpInfo& row);

}  // namespace warpsim
