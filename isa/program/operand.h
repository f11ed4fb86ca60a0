// An operand of an instruction.
//
// Shapes: one tagged struct. The comment of each kind names the members that it uses.
// Errors: none.
#pragma once

#include <cstdint>

#include "isa/program/const_expr.h"
#include "isa/table/special.h"
#include "isa/text/source.h"

namespace warpsim {

struct Operand {
  enum class Kind : std::uint8_t {
    None,        // left out: the slot's default applies
    Reg,         // reg
    Imm,         // expr: an integer constant; for a float type the integer's value is NOT converted: see FloatImm
    FloatImm,    // float_bits: the bits of an f64; rounded to the instruction's type when bound
    BitsImm,     // float_bits: exact bits, 0f3F800000 (f32) or 0d3FF0000000000000 (f64)
    Special,     // special
    Param,       // param: a scalar parameter's value (sugar), or in ld.param its name
    BufferAddr,  // param: a buffer's 64-bit address (sugar: mov.u64 %p, input)
    ObjectAddr,  // object: its address, 32 bits of one in shared memory
    Element,  // input[%i + 1]: param or object, index reg (may be none), expr = constant part of the index, in elements
    Address,  // [%p + 8], [tile + 8]: reg or object (or neither), expr = constant part, in bytes
    Label,    // target: instruction index
    Table,    // target: index into Function::tables
    Width,    // expr: a segment width, width=8, for the shuffle's operand c
  };
  Kind kind = Kind::None;
  bool negated = false;  // Reg of class predicate, !%p (vote and selp take it)
  Special special = Special::LaneId;
  std::int32_t reg = -1;            // index into Function::registers; Element and Address: -1 = no register part
  std::int32_t special_index = -1;  // Element: a special register as the index (static_cast<int>(Special)), -1 = none
  std::int32_t param = -1;          // index into Function::params
  std::int32_t object = -1;         // index into Function::objects
  std::int32_t target = -1;
  std::uint64_t float_bits = 0;
  ConstExpr expr;
  SourceRange where;
};

}  // namespace warpsim
