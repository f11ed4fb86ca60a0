// The rows of the instruction table as constants, for op.cpp, which answers from them, and op_checks.cpp, which refuses
// wrong ones.
//
// Shapes: kOps is indexed by Op.
// Units:  none.
// Errors: none here; see op_checks.cpp.
// Source: isa/table/instructions.def.
#pragma once

#include <array>

#include "isa/table/op.h"

namespace warpsim::table {

inline constexpr std::array<OpInfo, kOpCount> kOps = {{
#define INSN(Name, mnemonic, form, types, mods, lift, kernel, unit, space, traits, doc, aka) \
  {#Name, mnemonic, Form::form, types, mods, Lift::lift, #kernel, Unit::unit, AddressSpace::space, traits, doc, aka},
#include "isa/table/instructions.def"
#undef INSN
}};

}  // namespace warpsim::table
