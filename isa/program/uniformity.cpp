#include "isa/program/uniformity.h"

#include <algorithm>
#include <cstddef>

#include "isa/program/reads_writes.h"

namespace warpsim {
namespace {

bool is_same_for_all(Special special) {
  switch (special) {
    case Special::NWarpId:
    case Special::NTidX:
    case Special::NTidY:
    case Special::NTidZ:
    case Special::CtaIdX:
    case Special::CtaIdY:
    case Special::CtaIdZ:
    case Special::NCtaIdX:
    case Special::NCtaIdY:
    case Special::NCtaIdZ: return true;
    default: return special > Special::GTid && !is_clock(special);  // of the block's multiprocessor or its cluster
  }
}

bool computes_alone(Lift lift) {
  return is_lanewise(lift) || lift == Lift::Pack || lift == Lift::Unpack || lift == Lift::LoadParam;
}

}  // namespace

Uniformity::Uniformity(const Program& program, const Cfg& cfg)
    : program_(program), cfg_(cfg), varies_(program.registers.size(), false) {
  for (bool changed = true; changed;) {
    changed = false;
    const std::vector<bool> diverged = divergent_blocks();
    for (std::size_t pc = 0; pc < program.code.size(); ++pc)
      changed = spread(program.code[pc], diverged[static_cast<std::size_t>(cfg.block_of[pc])]) || changed;
  }
}

bool Uniformity::may_part(std::int32_t pc) const {
  const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
  if (is_jump(info(insn.op).lift) && insn.guard.reg >= 0 && !is_uniform(insn.guard.reg)) return true;
  if (insn.op == Op::Ret) return true;  // lanes may have come from several calls
  const bool chooses = insn.op == Op::BrxIdx || insn.op == Op::CallPointer;
  return chooses && register_of(insn.operands.front()) >= 0 && !is_uniform(insn.operands.front().reg);
}

// Marks what the instruction writes as varying if it may be; says whether that is news.
bool Uniformity::spread(const Insn& insn, bool diverged) {
  bool varies = diverged || !computes_alone(info(insn.op).lift);
  for_each_read(insn, [&](std::int32_t reg) { varies = varies || !is_uniform(reg); });
  for (const Operand& o : insn.operands)
    varies = varies || (o.kind == Operand::Kind::Special && !is_same_for_all(o.special));
  if (!varies) return false;
  bool news = false;
  for_each_written(insn, [&](std::int32_t reg) {
    news = news || is_uniform(reg);
    varies_[static_cast<std::size_t>(reg)] = true;
  });
  return news;
}

// The blocks between a branch where lanes may diverge and the block where they reconverge.
std::vector<bool> Uniformity::divergent_blocks() const {
  std::vector<bool> diverged(cfg_.blocks.size(), false);
  for (const BasicBlock& block : cfg_.blocks) {
    if (!may_part(block.last)) continue;
    std::vector<std::int32_t> todo = block.successors;
    std::vector<bool> seen(cfg_.blocks.size(), false);
    while (!todo.empty()) {
      const std::int32_t b = todo.back();
      todo.pop_back();
      if (b == kExit || b == block.reconverges_at || seen[static_cast<std::size_t>(b)]) continue;
      seen[static_cast<std::size_t>(b)] = diverged[static_cast<std::size_t>(b)] = true;
      const std::vector<std::int32_t>& next = cfg_.blocks[static_cast<std::size_t>(b)].successors;
      todo.insert(todo.end(), next.begin(), next.end());
    }
  }
  return diverged;
}

}  // namespace warpsim
