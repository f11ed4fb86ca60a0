// See clock_loops.h.
#include "isa/program/clock_loops.h"

#include <algorithm>

#include "isa/program/reads_writes.h"
#include "isa/table/op.h"
#include "isa/table/special.h"

namespace warpsim {
namespace {

bool calls(const Insn& insn) {
  const Lift lift = info(insn.op).lift;
  return lift == Lift::Call || lift == Lift::Return || lift == Lift::Dispatch;
}

bool leaves_to_system(Op op) { return op == Op::Malloc || op == Op::Free || op == Op::Vprintf || op == Op::AssertFail; }

bool is_wait(const Insn& insn) {
  return info(insn.op).lift == Lift::Mbarrier && access_of(info(insn.op)) == AccessKind::Load;
}

// Who executes it matters to others, or to the lane beyond its registers.
bool has_effect(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  if (is_wait(insn)) return false;
  return writes_memory(row) || row.lift == Lift::Mbarrier || row.lift == Lift::Barrier ||
         row.lift == Lift::BarrierReduce || crosses_lanes(row.lift) || insn.op == Op::Exit || leaves_to_system(insn.op);
}

}  // namespace

ClockLoops::ClockLoops(const Program& program)
    : program_(program),
      cfg_(build_cfg(program)),
      of_clock_(program.registers.size(), false),
      chosen_(cfg_.blocks.size(), false),
      matters_(program.code.size(), true) {
  const bool reads =
      std::any_of(program.code.begin(), program.code.end(), [&](const Insn& one) { return reads_clock(one); });
  if (!reads || std::any_of(program.code.begin(), program.code.end(), calls)) return;
  follow_clocks();
  find_loops();
  any_ = std::find(matters_.begin(), matters_.end(), false) != matters_.end();
}

// A clock, a register of one, or who is here just now.
bool ClockLoops::reads_clock(const Insn& insn) const {
  const bool is_clock_read = std::any_of(insn.operands.begin(), insn.operands.end(), [](const Operand& one) {
    return one.kind == Operand::Kind::Special && is_clock(one.special);
  });
  bool reads = is_clock_read || insn.op == Op::ActiveMask;
  for_each_read(insn, [&](std::int32_t reg) { reads = reads || of_clock_[static_cast<std::size_t>(reg)]; });
  return reads;
}

bool ClockLoops::asks_clock(std::int32_t block) const {
  const BasicBlock& one = cfg_.blocks[static_cast<std::size_t>(block)];
  return one.successors.size() > 1 && reads_clock(program_.code[static_cast<std::size_t>(one.last)]);
}

void ClockLoops::follow_clocks() {
  for (bool changed = true; changed;) {
    changed = false;
    find_chosen();
    for (std::size_t pc = 0; pc < program_.code.size(); ++pc) {
      const Insn& insn = program_.code[pc];
      if (!chosen_[static_cast<std::size_t>(cfg_.block_of[pc])] && !reads_clock(insn)) continue;
      for_each_written(insn, [&](std::int32_t reg) {
        changed = changed || !of_clock_[static_cast<std::size_t>(reg)];
        of_clock_[static_cast<std::size_t>(reg)] = true;
      });
    }
  }
}

// The blocks behind a branch that asks a clock, up to where its paths join.
void ClockLoops::find_chosen() {
  for (std::size_t block = 0; block < cfg_.blocks.size(); ++block) {
    if (!asks_clock(static_cast<std::int32_t>(block))) continue;
    for (const std::int32_t next : cfg_.blocks[block].successors)
      if (next != kExit) add_reached(next, cfg_.blocks[block].ipdom, chosen_);
  }
}

void ClockLoops::add_reached(std::int32_t from, std::int32_t end, std::vector<bool>& reached) const {
  std::vector<std::int32_t> open{from};
  while (!open.empty()) {
    const std::int32_t block = open.back();
    open.pop_back();
    if (block == end || block == kExit || reached[static_cast<std::size_t>(block)]) continue;
    reached[static_cast<std::size_t>(block)] = true;
    for (const std::int32_t next : cfg_.blocks[static_cast<std::size_t>(block)].successors) open.push_back(next);
  }
}

void ClockLoops::find_loops() {
  const std::size_t count = cfg_.blocks.size();
  std::vector<std::vector<bool>> behind(count, std::vector<bool>(count, false));
  for (std::size_t block = 0; block < count; ++block)
    for (const std::int32_t next : cfg_.blocks[block].successors) add_reached(next, kExit, behind[block]);
  for (std::size_t block = 0; block < count; ++block) {
    std::vector<bool> loop(count, false);
    for (std::size_t other = 0; other < count; ++other) loop[other] = behind[block][other] && behind[other][block];
    if (!loop[block] || matters_in(loop)) continue;
    for (std::int32_t pc = cfg_.blocks[block].first; pc <= cfg_.blocks[block].last; ++pc)
      matters_[static_cast<std::size_t>(pc)] = false;
  }
}

bool ClockLoops::matters_in(const std::vector<bool>& loop) const {
  for (std::size_t block = 0; block < loop.size(); ++block) {
    if (!loop[block]) continue;
    const BasicBlock& one = cfg_.blocks[block];
    const auto leaves = [&](std::int32_t next) { return next == kExit || !loop[static_cast<std::size_t>(next)]; };
    if (asks_clock(static_cast<std::int32_t>(block)) &&
        std::any_of(one.successors.begin(), one.successors.end(), leaves))
      return true;
    for (std::int32_t pc = one.first; pc <= one.last; ++pc) {
      const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
      if (has_effect(insn) && (chosen_[block] || reads_clock(insn))) return true;
    }
  }
  return false;
}

}  // namespace warpsim
