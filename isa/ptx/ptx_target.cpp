// The lowest compute capability that has an instruction.
//
// Source: PTX ISA 9.0, "Target ISA Notes" of each instruction; compared with ptxas 13.0 for every row, type and
//         modifier (tests/isa/ptx/ptx_writer_test.cpp).
#include "isa/ptx/ptx_writer.h"

namespace warpsim {
namespace {

constexpr unsigned kLowest = 75, kAmpere = 80, kAmpereConsumer = 86, kHopper = 90;

bool is_brain(Type type) { return element(type) == Type::BF16; }

// bf16 came with fma, min, max, abs, neg and the conversion from and to f32; all else followed later.
unsigned brain_target(const Insn& insn) {
  switch (insn.op) {
    case Op::FmaHalf:
    case Op::MinHalf:
    case Op::MaxHalf:
    case Op::AbsHalf:
    case Op::NegHalf: return kAmpere;
    case Op::Cvt: {
      const bool narrows = insn.type == Type::BF16 && insn.type2 == Type::F32;
      const bool widens = insn.type == Type::F32 && insn.type2 == Type::BF16 && !insn.mods.ftz;
      return narrows || widens ? kAmpere : kHopper;
    }
    default: return kHopper;
  }
}

// With a count, a scope or a wait that may sleep it is newer.
unsigned mbarrier_target(const Insn& insn) {
  const Form form = info(insn.op).form;
  const bool counts = form == Form::MbarArrive && insn.operands[2].kind != Operand::Kind::None;
  const bool sleeps = form == Form::MbarTry || form == Form::MbarTryParity;
  const bool drops = form == Form::MbarArrive && insn.operands[0].kind == Operand::Kind::None;
  return counts || sleeps || drops || insn.mods.memory.scope != Scope::None ? kHopper : kAmpere;
}

bool only_moves(const OpInfo& row) { return contains(row.types, Type::BF16) && contains(row.types, Type::B32); }

}  // namespace

unsigned ptx_target(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  if (insn.mods.memory.scope == Scope::Cluster || scope_of_fence(insn.op) == Scope::Cluster) return kHopper;
  if (row.lift == Lift::Mbarrier) return mbarrier_target(insn);
  if (row.mnemonic.starts_with("cp.")) return kAmpere;
  if (insn.mods.xorsign) return kAmpereConsumer;
  if ((is_brain(insn.type) || is_brain(insn.type2)) && !only_moves(row)) return brain_target(insn);
  const bool half_extreme = insn.op == Op::MinHalf || insn.op == Op::MaxHalf;
  return row.lift == Lift::Redux || half_extreme || insn.mods.relu || insn.mods.nan ? kAmpere : kLowest;
}

}  // namespace warpsim
