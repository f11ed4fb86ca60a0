// The instruction reference, generated from the table: as data, as text for a terminal, and as isa/README.md.
//
// Shapes: one InstructionReference a row of instructions.def, in the table's order, grouped by its section comments.
// Units:  none.
// Errors: none. tests/isa/table/reference_test.cpp compares isa/README.md with reference_markdown(); run it with
//         WARPSIM_REBASE=1 in the environment to write the file anew.
// Source: isa/table/instructions.def, isa/table/special.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/table/op.h"
#include "isa/table/special.h"

namespace warpsim {

struct InstructionReference {
  Op op;
  std::string section;                 // "The shuffle network"
  std::string name;                    // "shfl.bfly"
  std::string usage;                   // "shfl.bfly.TYPE d[|p], a, b[, c][, membermask]"
  std::vector<std::string> types;      // "b32", "b64"; empty if it takes none
  std::vector<std::string> modifiers;  // one group each: ".rn .rz .rm .rp, one required", ".ftz (f32)"
  std::string unit;                    // "shfl"
  std::string doc;
  std::string ptx;   // "shfl.sync.bfly"; "" for warpsim's own
  std::string cuda;  // "__shfl_xor_sync(membermask, a, b, width)"; may be ""
  std::string mojo;  // "warp.shuffle_xor(a, b)"; may be ""
};

InstructionReference reference_of(Op op);
std::vector<InstructionReference> instruction_reference();  // all rows, in the table's order
std::string_view section_of(Op op);

// The rows that `word` may mean: a mnemonic ("shfl.bfly"; "shfl" is all four), or a row's name ("ShflBfly").
std::vector<Op> ops_named(std::string_view word);

std::string reference_text(const InstructionReference& instruction);  // a few lines for a terminal
std::string reference_text(Special special);
std::string reference_markdown();

}  // namespace warpsim
