// See constant_copies.h.
#include "isa/program/constant_copies.h"

#include <cstddef>

#include "isa/program/reads_writes.h"
#include "isa/program/unwritten_reads.h"
#include "isa/table/op.h"
#include "isa/table/special.h"

namespace warpsim {
namespace {

class ConstantCopies {
 public:
  explicit ConstantCopies(const Program& program)
      : program_(program), writes_(program.registers.size()), read_before_(unwritten_reads(program)) {
    for (const Insn& insn : program.code)
      for_each_written(insn, [this](std::int32_t reg) { ++writes_[static_cast<std::size_t>(reg)]; });
  }

  std::vector<std::int32_t> all() {
    std::vector<std::int32_t> made_at(program_.registers.size(), -1);
    // A copy of a copy may stand before it in the text.
    for (bool found = true; found;) {
      found = false;
      for (std::size_t pc = 0; pc < program_.code.size(); ++pc) {
        const std::int32_t reg = copied_by(program_.code[pc], made_at);
        if (reg < 0 || made_at[static_cast<std::size_t>(reg)] >= 0) continue;
        made_at[static_cast<std::size_t>(reg)] = static_cast<std::int32_t>(pc);
        found = true;
      }
    }
    return made_at;
  }

 private:
  // The register to which it copies what never changes, as far as is known; -1: none.
  std::int32_t copied_by(const Insn& insn, const std::vector<std::int32_t>& made_at) const {
    if (!is_copy(insn) || insn.type == Type::Pred || insn.operands.size() != 2) return -1;
    const Operand& to = insn.operands[0];
    const Operand& from = insn.operands[1];
    if (to.kind != Operand::Kind::Reg || slots(info(insn.op).form)[0].in_braces) return -1;
    const std::size_t reg = static_cast<std::size_t>(to.reg);
    if (writes_[reg] != 1 || read_before_[reg] || to.reg == program_.frame_register) return -1;
    if (from.kind == Operand::Kind::Reg && made_at[static_cast<std::size_t>(from.reg)] < 0) return -1;
    if (from.kind == Operand::Kind::Special && is_clock(from.special)) return -1;
    return to.reg;
  }

  const Program& program_;
  std::vector<std::uint32_t> writes_;  // by register: instructions that do
  std::vector<bool> read_before_;      // … a lane may read it before it is written
};

}  // namespace

std::vector<std::int32_t> constant_copies(const Program& program) {
  if (!program.routines.empty()) return std::vector<std::int32_t>(program.registers.size(), -1);
  return ConstantCopies(program).all();
}

}  // namespace warpsim
