// What is asked of the instruction table: rows, slots, names, and how an instruction is written.
//
// Shapes: rows are in op_rows.h, slots in form_slots.h.
// Units:  none.
// Errors: none; op_checks.cpp refuses wrong rows at build time.
// Source: isa/table/instructions.def.
#include "isa/table/op.h"

#include <cstddef>

#include "isa/table/form_slots.h"
#include "isa/table/op_rows.h"

namespace warpsim {

const OpInfo& info(Op op) { return table::kOps[static_cast<std::size_t>(op)]; }
std::span<const OpInfo> all_ops() { return table::kOps; }
std::span<const OpInfo> assembly_ops() { return all_ops().first(kAssemblyOpCount); }
std::span<const Slot> slots(Form form) { return table::form_slots(form); }
int elements(Form form) {
  int count = 0;
  for (const Slot& slot : table::form_slots(form)) count += slot.in_braces ? 1 : 0;
  return count;
}
bool has_second_type(Form form) {
  for (const Slot& slot : table::form_slots(form)) {
    if (slot.type == SlotType::T2) return true;
  }
  return false;
}

bool may_flush(const OpInfo& row, Type t, Type t2) {
  if (!has_second_type(row.form)) return takes_ftz(row, t);
  const bool halves = row.form == Form::DA2B2 && contains(kF16 | kF16X2, t2);
  return (row.mods & kFtz) != 0 && (t2 == Type::F32 || halves || (row.form == Form::DAcvt && t == Type::F32));
}

bool combines_by(const OpInfo& collective, const OpInfo& op, Type t) {
  if (collective.lift != Lift::Reduce && collective.lift != Lift::Scan) return false;
  if (op.form != Form::DAB || !is_lanewise(op.lift)) return false;
  if (!contains(collective.types, t) || !contains(op.types, t)) return false;
  const std::string_view by = collective.mnemonic.substr(collective.mnemonic.find('.') + 1);
  return op.mnemonic.starts_with(by) && (op.mnemonic.size() == by.size() || op.mnemonic.substr(by.size()) == ".lo");
}

std::string_view name(Unit unit) {
  switch (unit) {
    case Unit::Alu: return "alu";
    case Unit::Fma: return "fma";
    case Unit::Fp64: return "fp64";
    case Unit::Sfu: return "sfu";
    case Unit::Conv: return "conv";
    case Unit::Shfl: return "shfl";
    case Unit::Vote: return "vote";
    case Unit::Mem: return "mem";
    case Unit::Shared: return "shared";
    case Unit::Branch: return "branch";
    case Unit::Barrier: return "barrier";
    case Unit::Special: return "special";
  }
  return "";
}

std::string_view name(Round round) {
  switch (round) {
    case Round::None: return "";
    case Round::Rn: return "rn";
    case Round::Rz: return "rz";
    case Round::Rm: return "rm";
    case Round::Rp: return "rp";
    case Round::Rni: return "rni";
    case Round::Rzi: return "rzi";
    case Round::Rmi: return "rmi";
    case Round::Rpi: return "rpi";
    case Round::Rna: return "rna";
  }
  return "";
}

std::string_view name(BoolOp boolean) {
  switch (boolean) {
    case BoolOp::None: return "";
    case BoolOp::And: return "and";
    case BoolOp::Or: return "or";
    case BoolOp::Xor: return "xor";
  }
  return "";
}

bool is_block_barrier(Op op) { return is_block_barrier(info(op)); }
bool is_idempotent(Op op) { return has_trait(info(op), kIdempotent); }
Scope scope_of_fence(Op op) {
  switch (op) {
    case Op::MembarCta:
    case Op::FenceAcqRelCta:
    case Op::FenceScCta: return Scope::Cta;
    case Op::FenceAcqRelCluster:
    case Op::FenceScCluster: return Scope::Cluster;
    case Op::MembarGl:
    case Op::FenceAcqRelGpu:
    case Op::FenceScGpu: return Scope::Gpu;
    case Op::MembarSys:
    case Op::FenceAcqRelSys:
    case Op::FenceScSys: return Scope::Sys;
    default: return Scope::None;
  }
}
Op shared_row(Op global) {
  const OpInfo& of = info(global);
  const std::string_view operation = of.mnemonic.substr(of.mnemonic.rfind('.'));
  for (std::size_t k = 0; k < all_ops().size(); ++k) {
    const OpInfo& row = all_ops()[k];
    if (row.space == AddressSpace::Shared && row.lift == Lift::Atomic && row.form == of.form &&
        row.mnemonic.ends_with(operation))
      return static_cast<Op>(k);
  }
  return global;
}
std::string semantics_words(const OpInfo& row) {
  std::string words;
  for (Semantics s = Semantics::Weak; s <= Semantics::AcqRel; s = static_cast<Semantics>(static_cast<int>(s) + 1))
    if (takes_semantics(row, s)) words += (words.empty() ? "." : " .") + std::string(name(s));
  return words;
}
bool is_sc_fence(Op op) {
  return has_trait(info(op), kOrders) && op != Op::FenceAcqRelCta && op != Op::FenceAcqRelCluster &&
         op != Op::FenceAcqRelGpu && op != Op::FenceAcqRelSys;
}
ShuffleMode shuffle_mode(Op op) { return shuffle_mode(info(op).traits); }

std::string spelling(Op op) {
  const OpInfo& row = info(op);
  return std::string(row.mnemonic) + (row.lift == Lift::Barrier && row.form != Form::BarArrive ? ".sync" : "");
}

std::string usage(Op op) {
  const OpInfo& row = info(op);
  std::string text = spelling(op);
  if (row.types != kNoType) text += has_second_type(row.form) ? ".TYPE.TYPE" : ".TYPE";
  const std::span<const Slot> form = table::form_slots(row.form);
  for (std::size_t k = 0; k < form.size(); ++k) {
    const Slot& slot = form[k];
    if (is_hidden(slot)) continue;
    const bool optional = slot.when_absent != Default::Required;
    const bool second_destination = is_second_destination(slot);
    std::string word(slot.name);
    if (slot.role == Role::Addr) word = "[" + word + "]";
    if (slot.in_braces && (k == 0 || !form[k - 1].in_braces)) word = "{" + word;
    if (slot.in_braces && (k + 1 == form.size() || !form[k + 1].in_braces)) word += "}";
    const std::string joint = second_destination ? "|" : k == 0 ? "" : ", ";
    text += k == 0 ? " " : "";
    text += optional ? "[" + joint + word + "]" : joint + word;
  }
  return text;
}

}  // namespace warpsim
