// See unwritten_reads.h.
#include "isa/program/unwritten_reads.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "isa/program/cfg.h"
#include "isa/program/program_facts.h"
#include "isa/program/reads_writes.h"
#include "isa/program/register_set.h"

namespace warpsim {
namespace {

void add_written(const Insn& insn, RegisterSet& to) {
  if (insn.guard.reg >= 0) return;
  for_each_written(insn, [&](std::int32_t reg) { to.add(reg); });
}

class Written {
 public:
  explicit Written(const Program& program) : program_(program), cfg_(build_cfg(program)) {
    const std::size_t blocks = cfg_.blocks.size(), registers = program.registers.size();
    before_.assign(blocks, RegisterSet(registers, true));
    within_.assign(blocks, RegisterSet(registers, false));
    for (std::size_t pc = 0; pc < program.code.size(); ++pc)
      add_written(program.code[pc], within_[static_cast<std::size_t>(cfg_.block_of[pc])]);
    begins_.assign(blocks, false);
    begins_[0] = true;
    for (const Routine& one : program.routines)
      if (one.first < static_cast<std::int32_t>(program.code.size()))
        begins_[static_cast<std::size_t>(cfg_.block_of[static_cast<std::size_t>(one.first)])] = true;
    while (pass()) {
    }
  }

  // Calls f(instruction, what all paths to it have written).
  template <class F>
  void for_each_insn(F f) {
    for (std::size_t k = 0; k < cfg_.blocks.size(); ++k) {
      RegisterSet written = before_[k];
      for (std::int32_t pc = cfg_.blocks[k].first; pc <= cfg_.blocks[k].last; ++pc) {
        const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
        f(insn, written);
        add_written(insn, written);
      }
    }
  }

 private:
  bool pass() {
    bool changed = false;
    for (std::size_t k = 0; k < cfg_.blocks.size(); ++k) {
      const BasicBlock& block = cfg_.blocks[k];
      RegisterSet before(program_.registers.size(), !begins_[k] && !block.predecessors.empty());
      for (const std::int32_t from : block.predecessors)
        before.keep_of_either(before_[static_cast<std::size_t>(from)], within_[static_cast<std::size_t>(from)]);
      changed = changed || before != before_[k];
      before_[k] = std::move(before);
    }
    return changed;
  }

  const Program& program_;
  Cfg cfg_;
  std::vector<RegisterSet> before_;  // by block: written on every path to it
  std::vector<RegisterSet> within_;  // … and by itself
  std::vector<bool> begins_;         // by block: a routine does
};

}  // namespace

std::vector<bool> unwritten_reads(const Program& program) {
  if (program.facts) return program.facts->unwritten;
  std::vector<bool> found(program.registers.size(), false);
  if (program.code.empty()) return found;
  Written(program).for_each_insn([&](const Insn& insn, const RegisterSet& written) {
    for_each_read(insn, [&](std::int32_t reg) {
      if (reg != program.frame_register && !written.has(reg)) found[static_cast<std::size_t>(reg)] = true;
    });
  });
  return found;
}

}  // namespace warpsim
