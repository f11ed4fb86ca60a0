// See liveness.h.
#include "isa/program/liveness.h"

#include <cstddef>
#include <utility>

#include "isa/program/reads_writes.h"

namespace warpsim {

Liveness::Liveness(const Program& program)
    : program_(program),
      cfg_(build_cfg(program)),
      before_(cfg_.blocks.size(), RegisterSet(program.registers.size(), has_functions())) {
  while (!has_functions() && pass()) {
  }
}

void Liveness::pass_back(const Insn& insn, RegisterSet& live) {
  if (insn.guard.reg < 0) for_each_written(insn, [&](std::int32_t reg) { live.remove(reg); });
  for_each_read(insn, [&](std::int32_t reg) { live.add(reg); });
}

RegisterSet Liveness::at_end_of(const BasicBlock& block) const {
  RegisterSet live(program_.registers.size(), false);
  for (const std::int32_t next : block.successors)
    if (next != kExit) live.add(before_[static_cast<std::size_t>(next)]);
  return live;
}

bool Liveness::pass() {
  bool changed = false;
  for (std::size_t k = cfg_.blocks.size(); k-- > 0;) {
    const BasicBlock& block = cfg_.blocks[k];
    RegisterSet live = at_end_of(block);
    for (std::int32_t pc = block.last; pc >= block.first; --pc)
      pass_back(program_.code[static_cast<std::size_t>(pc)], live);
    if (live == before_[k]) continue;
    before_[k] = std::move(live);
    changed = true;
  }
  return changed;
}

void Liveness::look_at(std::int32_t number) {
  const BasicBlock& block = cfg_.blocks[static_cast<std::size_t>(number)];
  shown_ = number;
  const std::size_t count = static_cast<std::size_t>(block.last - block.first) + 1;
  if (has_functions()) return of_insn_.assign(count, before_.front());
  of_insn_.assign(count, {});
  RegisterSet live = at_end_of(block);
  for (std::size_t k = of_insn_.size(); k-- > 0;) {
    pass_back(program_.code[static_cast<std::size_t>(block.first) + k], live);
    of_insn_[k] = live;
  }
}

bool Liveness::is_live(std::int32_t pc, std::int32_t reg) {
  if (pc < 0 || static_cast<std::size_t>(pc) >= program_.code.size()) return false;
  return live_at(pc).has(reg);
}

const RegisterSet& Liveness::live_at(std::int32_t pc) {
  const std::int32_t block = cfg_.block_of[static_cast<std::size_t>(pc)];
  if (block != shown_) look_at(block);
  return of_insn_[static_cast<std::size_t>(pc - cfg_.blocks[static_cast<std::size_t>(block)].first)];
}

}  // namespace warpsim
