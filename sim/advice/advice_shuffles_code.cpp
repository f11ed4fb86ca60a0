// What each instruction of a program means to the shuffles' advice: see advice_shuffles.h.
#include <algorithm>

#include "isa/program/reads_writes.h"
#include "isa/table/op.h"
#include "sim/advice/advice_parts.h"
#include "sim/advice/advice_shuffles.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

DependsOn depends_on(Special special) {
  switch (special) {
    case Special::LaneId:
    case Special::LaneMaskEq:
    case Special::LaneMaskLe:
    case Special::LaneMaskLt:
    case Special::LaneMaskGe:
    case Special::LaneMaskGt: return DependsOn::Lane;
    default: return DependsOn::Launch;
  }
}

DependsOn depends_on(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::Special: return depends_on(operand.special);
    case Operand::Kind::Param:
    case Operand::Kind::BufferAddr: return DependsOn::Launch;
    default: return DependsOn::Lane;
  }
}

// Of what an instruction gives beside what its operands do: memory, or who happens to execute it.
DependsOn depends_on(const OpInfo& row) {
  if (row.lift == Lift::Load || row.lift == Lift::Atomic || row.lift == Lift::Mbarrier) return DependsOn::Memory;
  const bool by_who_is_there = crosses_lanes(row.lift) && row.lift != Lift::Shuffle && row.lift != Lift::Broadcast;
  return by_who_is_there || row.lift == Lift::LoadParam || row.lift == Lift::Special ? DependsOn::Launch
                                                                                     : DependsOn::Lane;
}

}  // namespace

void ShuffleAdvice::begin(const Machine& machine) {
  *this = ShuffleAdvice();
  program_ = &machine.program();
  lanes_ = machine.lanes();
  warps_per_block_ = machine.warps_per_block();
  sites_.resize(program_->code.size());
  for (const Insn& insn : program_->code) {
    code_.push_back(code_of(insn));
    if (code_.back().part == Part::Shuffle && lanes_ > 1) shuffles_at_all_ = true;
  }
}

ShuffleAdvice::Code ShuffleAdvice::code_of(const Insn& insn) const {
  const OpInfo& row = info(insn.op);
  const auto form = slots(row.form);
  Code code;
  code.depends = depends_on(row);
  std::vector<std::int32_t> read;
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    const std::int32_t reg = register_of(operand);
    if (form[k].role == Role::Dst || form[k].role == Role::DstPred) {
      if (reg >= 0) code.writes.push_back(reg);
      if (is_second_destination(form[k])) code.in_range = reg;
      else code.dst = reg;
      continue;
    }
    code.depends = std::max(code.depends, depends_on(operand));
    if (operand.special_index >= 0)
      code.depends = std::max(code.depends, depends_on(static_cast<Special>(operand.special_index)));
    if (reg >= 0) read.push_back(reg);
    if (form[k].name == "a") code.a = operand.kind == Operand::Kind::Reg ? reg : -1;
    if (form[k].name == "b") code.b = operand.kind == Operand::Kind::Reg ? reg : -1;
    if (form[k].name == "p") {
      code.pred = reg;
      code.negated = operand.negated;
    }
  }
  const bool moves = has_trait(row, kCopies) && insn.type != Type::Pred;
  if (row.lift == Lift::Shuffle || row.lift == Lift::Broadcast) code.part = Part::Shuffle;
  else if (moves && code.a >= 0) code.part = Part::Copy;
  else if (has_trait(row, kSelects) && code.pred >= 0) code.part = Part::Select;
  else if (code.a >= 0 && code.b >= 0 && advice::collective_row(Lift::Reduce, insn) != nullptr)
    code.part = Part::Combine;
  code.twice_is_once = code.part == Part::Combine && is_idempotent(insn.op);
  const bool takes_a = code.part != Part::Other;
  const bool takes_b = code.part == Part::Select || code.part == Part::Combine;
  bool a_taken = !takes_a || code.a < 0, b_taken = !takes_b || code.b < 0;
  for (const std::int32_t reg : read) {
    if (!a_taken && reg == code.a) a_taken = true;
    else if (!b_taken && reg == code.b) b_taken = true;
    else code.others.push_back(reg);
  }
  return code;
}

}  // namespace warpsim
