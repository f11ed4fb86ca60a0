// Which registers an instruction reads and writes, from its form.
//
// Shapes: registers by number, in the order of the operands; one that is named twice is listed twice.
// Units:  none.
// Errors: none: operands that the verifier has not seen may be fewer than the form has slots.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/program/program.h"
#include "isa/table/op.h"

namespace warpsim {

// The register that an operand reads: as a value, a predicate, an index or a pointer; -1: none.
inline std::int32_t register_of(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::Reg:
    case Operand::Kind::Element:
    case Operand::Kind::Address: return operand.reg;
    default: return -1;
  }
}

// Calls f(register) for what the instruction reads, its guard first.
template <class F>
void for_each_read(const Insn& insn, F&& f) {
  if (insn.guard.reg >= 0) f(insn.guard.reg);
  const auto form = slots(info(insn.op).form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k)
    if ((form[k].role == Role::Src || form[k].role == Role::Addr) && register_of(insn.operands[k]) >= 0)
      f(insn.operands[k].reg);
}

// Whether what it writes is what it reads, in all lanes: a copy, if it is of one row.
inline bool is_copy(const Insn& insn) {
  if (insn.guard.reg >= 0) return false;
  switch (insn.op) {
    case Op::Mov:
    case Op::CvtaGlobal:
    case Op::CvtaToGlobal:
    case Op::CvtaConst:
    case Op::CvtaToConst: return true;
    default: return info(insn.op).lift == Lift::LoadParam;
  }
}

template <class F>
void for_each_written(const Insn& insn, F&& f) {
  const auto form = slots(info(insn.op).form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k)
    if ((form[k].role == Role::Dst || form[k].role == Role::DstPred) && insn.operands[k].kind == Operand::Kind::Reg)
      f(insn.operands[k].reg);
}

}  // namespace warpsim
