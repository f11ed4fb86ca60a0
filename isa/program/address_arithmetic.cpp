// See address_arithmetic.h.
#include "isa/program/address_arithmetic.h"

#include <utility>

#include "isa/program/reads_writes.h"

namespace warpsim {
namespace {

bool only_writes_registers(const Insn& insn) {
  const Lift lift = info(insn.op).lift;
  return insn.guard.reg < 0 &&
         (is_lanewise(lift) || lift == Lift::Pack || lift == Lift::Unpack || lift == Lift::LoadParam);
}

bool accesses_memory(const Insn& insn) {
  const Lift lift = info(insn.op).lift;
  return lift == Lift::Load || lift == Lift::Store || lift == Lift::Atomic;
}

// Of an access, whether the register is read to form its address alone.
bool reads_as_pointer(const Insn& insn, std::int32_t reg) {
  bool as_pointer = false, otherwise = insn.guard.reg == reg;
  for (const Operand& o : insn.operands) {
    if (o.reg != reg || register_of(o) != reg) continue;
    (o.kind == Operand::Kind::Address ? as_pointer : otherwise) = true;
  }
  return as_pointer && !otherwise;
}

bool writes_wide(const Program& program, const Insn& insn) {
  bool wide = false;
  for_each_written(insn, [&](std::int32_t reg) {
    wide = wide || program.registers[static_cast<std::size_t>(reg)].cls == RegClass::R64;
  });
  return wide;
}

// Of 32-bit values only an offset in shared memory and its scaling count: what else has 32 bits is an index, which a
// program's author wrote.
std::vector<bool> without_indices(const Program& program, std::vector<bool> counts) {
  // By register: whether all that read it are accesses, or accesses and sums that only accesses read.
  std::vector<bool> of_access(program.registers.size(), true), of_sum(program.registers.size(), true);
  const auto visit = [&](auto&& is_near, std::vector<bool>& of) {
    for (std::size_t pc = 0; pc < program.code.size(); ++pc)
      for_each_read(program.code[pc], [&](std::int32_t reg) {
        const Insn& insn = program.code[pc];
        const bool as_pointer = accesses_memory(insn) && reads_as_pointer(insn, reg);
        if (!as_pointer && !is_near(pc)) of[static_cast<std::size_t>(reg)] = false;
      });
  };
  const auto writes_only = [&](std::size_t pc, const std::vector<bool>& of) {
    bool only = true;
    for_each_written(program.code[pc], [&](std::int32_t reg) { only = only && of[static_cast<std::size_t>(reg)]; });
    return only;
  };
  visit([](std::size_t) { return false; }, of_access);
  visit(
      [&](std::size_t pc) {
        return counts[pc] && !writes_wide(program, program.code[pc]) && writes_only(pc, of_access);
      },
      of_sum);
  for (std::size_t pc = 0; pc < program.code.size(); ++pc)
    if (counts[pc] && !writes_wide(program, program.code[pc])) counts[pc] = writes_only(pc, of_sum);
  return counts;
}

}  // namespace

std::vector<bool> address_arithmetic(const Program& program) {
  constexpr unsigned kReadAsPointer = 1, kReadOtherwise = 2;
  std::vector<unsigned> uses(program.registers.size(), 0);
  std::vector<bool> counts(program.code.size());
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) counts[pc] = only_writes_registers(program.code[pc]);
  const auto use_of = [&uses](std::int32_t reg) -> unsigned& { return uses[static_cast<std::size_t>(reg)]; };
  // What is read otherwise grows until nothing changes; whoever writes such a register does not count.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
      const Insn& insn = program.code[pc];
      unsigned written = 0;
      bool writes = false;
      for_each_written(insn, [&](std::int32_t reg) {
        written |= use_of(reg);
        writes = true;
      });
      if (counts[pc] && (!writes || (written & kReadOtherwise) != 0)) {
        counts[pc] = false;
        changed = true;
      }
      for_each_read(insn, [&](std::int32_t reg) {
        const bool as_pointer = accesses_memory(insn) && reads_as_pointer(insn, reg);
        const unsigned use = as_pointer ? kReadAsPointer : counts[pc] ? written : kReadOtherwise;
        changed = changed || (use_of(reg) | use) != use_of(reg);
        use_of(reg) |= use;
      });
    }
  }
  for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
    unsigned written = 0;
    for_each_written(program.code[pc], [&](std::int32_t reg) { written |= use_of(reg); });
    counts[pc] = counts[pc] && written == kReadAsPointer;
  }
  return without_indices(program, std::move(counts));
}

}  // namespace warpsim
