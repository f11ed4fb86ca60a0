// See stored_pointers.h.
#include "isa/program/stored_pointers.h"

#include <algorithm>

#include "isa/program/reads_writes.h"
#include "isa/program/register_set.h"

namespace warpsim {
namespace {

constexpr unsigned kLanes = 32;

bool stores(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  return (row.lift == Lift::Store || row.lift == Lift::Atomic) && space_of(row, insn.mods) != AddressSpace::Shared;
}

// Whether what the instruction writes is computed from what it reads.
bool computes(const Insn& insn) {
  const Lift lift = info(insn.op).lift;
  return is_lanewise(lift) || lift == Lift::Pack || lift == Lift::Unpack || lift == Lift::LoadParam;
}

class Slice {
 public:
  explicit Slice(const Program& program) : program_(program), reached_(program.registers.size(), false) {}

  std::vector<ParamPart> parts() {
    for (const Insn& insn : program_.code) {
      const auto form = slots(info(insn.op).form);
      for (std::size_t k = 0; stores(insn) && k < form.size() && k < insn.operands.size(); ++k)
        if (form[k].role == Role::Addr) reach(insn.operands[k]);
    }
    while (grows_) {
      grows_ = false;
      for (const Insn& insn : program_.code)
        if (computes(insn) && writes_reached(insn))
          for (const Operand& operand : insn.operands) reach(operand);
    }
    std::sort(parts_.begin(), parts_.end());
    parts_.erase(std::unique(parts_.begin(), parts_.end()), parts_.end());
    return std::move(parts_);
  }

 private:
  bool writes_reached(const Insn& insn) const {
    bool writes = false;
    for_each_written(insn, [&](std::int32_t reg) { writes = writes || reached_.has(reg); });
    return writes;
  }

  void reach(const Operand& operand) {
    if (operand.param >= 0) {
      const bool has_offset = operand.kind == Operand::Kind::Param && !operand.expr.empty();
      parts_.push_back({operand.param, has_offset ? operand.expr.evaluate(kLanes) : 0});
    }
    const std::int32_t reg = register_of(operand);
    if (reg < 0 || reached_.has(reg)) return;
    reached_.add(reg);
    grows_ = true;
  }

  const Program& program_;
  RegisterSet reached_;
  bool grows_ = false;
  std::vector<ParamPart> parts_;
};

}  // namespace

std::vector<ParamPart> stored_pointers(const Program& program) { return Slice(program).parts(); }

}  // namespace warpsim
