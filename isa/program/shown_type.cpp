// In which type a register's bits are shown: what a learner means by it.
//
// Shapes: an instruction that says a type gives it to the register that it writes. One that only moves bits passes on
//         the type of their source: moves, selections and shuffles of their source registers, loads of the elements of
//         their array. The pass over the program repeats until nothing changes; the first writer in the text wins.
// Units:  none.
// Errors: none.
#include <algorithm>

#include "isa/program/shown_type.h"

namespace warpsim {
namespace {

constexpr int kMostRounds = 64;  // one a move of a chain that is written last move first: more than any program has

Type plain_type(RegClass cls) {
  switch (cls) {
    case RegClass::Pred: return Type::Pred;
    case RegClass::R16: return Type::B16;
    case RegClass::R32: return Type::U32;
    case RegClass::R64: return Type::U64;
    case RegClass::Mask: return Type::Mask;
    case RegClass::None: break;
  }
  return Type::None;
}

// Instructions whose result is one of their sources, bit for bit.
bool passes_bits_on(const OpInfo& row) {
  return row.lift == Lift::Shuffle || row.lift == Lift::Broadcast || has_trait(row, kCopies | kSelects);
}

class Inference {
 public:
  explicit Inference(Program& program) : program_(program) {}

  void run() {
    bool changed = true;
    for (int round = 0; changed && round < kMostRounds; ++round) {
      changed = false;
      for (const Insn& insn : program_.code) changed = visit(insn) || changed;
    }
    for (Register& r : program_.registers) {
      if (r.shown_as == Type::None) r.shown_as = plain_type(r.cls);
    }
  }

 private:
  bool visit(const Insn& insn) {
    const auto form = slots(info(insn.op).form);
    bool changed = false;
    for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
      if ((form[k].role != Role::Dst && form[k].role != Role::DstPred) || insn.operands[k].kind != Operand::Kind::Reg)
        continue;
      Register& r = program_.registers[static_cast<std::size_t>(insn.operands[k].reg)];
      if (r.shown_as != Type::None) continue;
      r.shown_as = written_type(insn, form[k]);
      changed = changed || r.shown_as != Type::None;
    }
    return changed;
  }

  Type written_type(const Insn& insn, const Slot& slot) const {
    if (slot.type == SlotType::Half || slot.type == SlotType::Quarter) return Type::None;  // of no known type
    if (slot.type != SlotType::T) return slot_type(slot.type, insn.type, insn.type2);
    const OpInfo& row = info(insn.op);
    if (!is_untyped(insn.type)) return insn.type;
    if (passes_bits_on(row)) return source_type(insn);
    if (row.lift == Lift::Load || row.lift == Lift::LoadParam) return loaded_type(insn);
    if (row.lift == Lift::Vote || row.lift == Lift::Special) return insn.type;  // lanes as bits
    return insn.type == Type::B64 ? Type::U64 : insn.type == Type::B32 ? Type::U32 : insn.type;
  }

  Type source_type(const Insn& insn) const {
    const auto form = slots(info(insn.op).form);
    for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
      if (form[k].role != Role::Src || form[k].type != SlotType::T) continue;
      const Type type = operand_type(insn.operands[k]);
      if (type != Type::None) return type;
    }
    return Type::None;
  }

  Type operand_type(const Operand& o) const {
    switch (o.kind) {
      case Operand::Kind::Reg: return program_.registers[static_cast<std::size_t>(o.reg)].shown_as;
      case Operand::Kind::Param: return program_.params[static_cast<std::size_t>(o.param)].type;
      case Operand::Kind::BufferAddr: return Type::U64;
      case Operand::Kind::Special:
      case Operand::Kind::ObjectAddr: return Type::U32;
      default: return Type::None;
    }
  }

  Type loaded_type(const Insn& insn) const {
    for (const Operand& o : insn.operands) {
      if (o.kind == Operand::Kind::Param) {
        const Param& p = program_.params[static_cast<std::size_t>(o.param)];
        return p.is_buffer() ? Type::U64 : p.type;
      }
      if (o.kind != Operand::Kind::Element) continue;
      if (o.param >= 0) return program_.params[static_cast<std::size_t>(o.param)].type;
      return program_.objects[static_cast<std::size_t>(o.object)].type;
    }
    return Type::None;
  }

  Program& program_;
};

}  // namespace

void infer_shown_types(Program& program) { Inference(program).run(); }

}  // namespace warpsim
