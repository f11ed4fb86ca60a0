// A written opcode → the row of the table, its types and its modifiers; and back.
//
// Shapes: `add.rn.ftz.f32` is split at its dots. A row matches if the words of its mnemonic are among them in order,
//         the first one first; the row with the most words wins. What is left over must be types and modifiers of that
//         row.
// Units:  none.
// Errors: A012 … A020; each says what would have been right.
// Source: isa/table/instructions.def is the only list; what PTX has besides is in opcode_errors.cpp, only to say "not
//         yet".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "isa/assembly/lexer.h"
#include "isa/table/op.h"
#include "isa/text/diagnostic.h"

namespace warpsim {

struct Opcode {
  Op op = Op::Exit;
  Type type = Type::None;
  Type type2 = Type::None;
  Mods mods;
  bool space_left_out = false;  // `ld.f32`: the address operand says which space, so `op` is only one of its kind
  // `.L2::cache_hint`: a last operand holds a policy for the cache. Neither is kept.
  bool has_cache_policy = false;
};

// "ld.global.u32" → its words, .shared::cta as .shared; of more than a few the first ones.
std::vector<std::string_view> split_at_dots(std::string_view opcode);

// Reports what is wrong and returns nothing. `of_module`: the rows of modules of PTX count, too.
std::optional<Opcode> select_opcode(const Token& word, Diagnostics& diagnostics, bool of_module = false);

// "ld.global" → "ld", "atom.shared.add" → "atom.add"; and back, with a space.
std::string without_space(std::string_view mnemonic);
std::string with_space(std::string_view mnemonic, AddressSpace space);
// "add.rn.ftz.f32", "atom.relaxed.gpu.global.add.u32": the opcode in full, as PTX orders it.
std::string opcode_text(const Opcode& opcode);

// ".u32, .s32 and .f32", in the table's order of types.
std::string type_list(TypeSet types);
// "a, b and c" or "a, b or c".
std::string joined(const std::vector<std::string>& words, std::string_view last_joint);

// ---- for opcode.cpp: what to say about an opcode that no row matches
struct OpcodeWords {
  std::vector<std::string_view> words;  // split at the dots
  Token token;
  SourceRange where(std::size_t first, std::size_t last) const;  // of words[first … last]
  SourceRange with_dot(std::size_t word) const;                  // of it and the dot before it
};
void report_unknown_opcode(const OpcodeWords& opcode, Diagnostics& diagnostics);
void report_wrong_word(const OpcodeWords& opcode, std::size_t index, Op row, Diagnostics& diagnostics);
void report_wrong_type(const OpcodeWords& opcode, std::size_t index, Type type, const std::vector<Op>& rows,
                       bool second, Diagnostics& diagnostics);

}  // namespace warpsim
