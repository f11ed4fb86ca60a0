// What flows from where, over the whole program; see dependences.h.
#include "sim/ordering/dependences.h"

#include <cstddef>
#include <vector>

#include "isa/program/cfg.h"
#include "isa/program/reads_writes.h"
#include "isa/table/op.h"
#include "sim/ordering/orderings.h"

namespace warpsim {
namespace {

using Bits = std::vector<bool>;

// Which instructions control may come to after others.
class Paths {
 public:
  explicit Paths(const Program& program) : cfg_(build_cfg(program)), behind_(cfg_.blocks.size()) {}

  bool is_behind(std::int32_t pc, std::int32_t before) {
    const std::size_t one = block_of(pc), other = block_of(before);
    return (one == other && pc > before) || behind(other)[one];
  }

 private:
  std::size_t block_of(std::int32_t pc) const {
    return static_cast<std::size_t>(cfg_.block_of[static_cast<std::size_t>(pc)]);
  }
  const Bits& behind(std::size_t block) {
    Bits& seen = behind_[block];
    if (!seen.empty()) return seen;
    seen.assign(cfg_.blocks.size(), false);
    std::vector<std::int32_t> open = cfg_.blocks[block].successors;
    while (!open.empty()) {
      const std::int32_t next = open.back();
      open.pop_back();
      if (next == kExit || seen[static_cast<std::size_t>(next)]) continue;
      seen[static_cast<std::size_t>(next)] = true;
      const std::vector<std::int32_t>& more = cfg_.blocks[static_cast<std::size_t>(next)].successors;
      open.insert(open.end(), more.begin(), more.end());
    }
    return seen;
  }

  Cfg cfg_;
  std::vector<Bits> behind_;  // by block: the blocks that may come after it; empty: not asked yet
};

class Flow {
 public:
  explicit Flow(const Program& program) : program_(program), paths_(program) {}

  bool every_strong_write_depends_on(std::int32_t read) {
    const Bits from = from_read(read);
    return holds_for_each_strong(
        [&](const Insn& insn, std::int32_t pc) { return writes_memory(info(insn.op)) && paths_.is_behind(pc, read); },
        [&](const Insn& insn, std::int32_t) { return reads_one_of(insn, from); });
  }

  bool depends_on_every_strong_read(std::int32_t write) {
    return holds_for_each_strong(
        [&](const Insn& insn, std::int32_t pc) {
          return access_of(info(insn.op)) != AccessKind::Store && paths_.is_behind(write, pc);
        },
        [&](const Insn&, std::int32_t pc) {
          const Bits from = from_read(pc);
          return reads_one_of(insn_at(write), from) || is_asked_for_before(write, pc, from);
        });
  }

 private:
  const Insn& insn_at(std::int32_t pc) const { return program_.code[static_cast<std::size_t>(pc)]; }
  std::int32_t end() const { return static_cast<std::int32_t>(program_.code.size()); }

  // There is such a strong access, and each is as it should be.
  template <class Is, class Holds>
  bool holds_for_each_strong(Is is, Holds holds) const {
    bool any = false;
    for (std::int32_t pc = 0; pc < end(); ++pc) {
      const Insn& insn = insn_at(pc);
      if (!is_strong(insn) || !is(insn, pc)) continue;
      if (!holds(insn, pc)) return false;
      any = true;
    }
    return any;
  }

  bool reads_one_of(const Insn& insn, const Bits& registers) const {
    bool any = false;
    for_each_read(insn, [&](std::int32_t reg) { any = any || registers[static_cast<std::size_t>(reg)]; });
    return any;
  }

  // The registers that may depend on what the instruction at `read` gives.
  Bits from_read(std::int32_t read) const {
    Bits from(program_.registers.size(), false);
    bool memory = false, changed = true;
    const auto mark = [&](std::int32_t reg) {
      if (!from[static_cast<std::size_t>(reg)]) from[static_cast<std::size_t>(reg)] = changed = true;
    };
    for_each_written(insn_at(read), mark);
    while (changed) {
      changed = false;
      for (const Insn& insn : program_.code) {
        const OpInfo& row = info(insn.op);
        const AddressSpace space = space_of(row, insn.mods);
        const bool is_near = accesses_memory(row) && (space == AddressSpace::Shared || space == AddressSpace::Local);
        const bool loads = is_near && access_of(row) != AccessKind::Store;
        if (!reads_one_of(insn, from) && !(loads && memory)) continue;
        for_each_written(insn, mark);
        if (is_near && writes_memory(row) && !memory) memory = changed = true;
      }
    }
    return from;
  }

  // A branch by it stands in a loop with the read, and control comes from there to the write.
  bool is_asked_for_before(std::int32_t write, std::int32_t read, const Bits& from) {
    for (std::int32_t pc = 0; pc < end(); ++pc)
      if (info(insn_at(pc).op).lift == Lift::Branch && reads_one_of(insn_at(pc), from) && paths_.is_behind(pc, read) &&
          paths_.is_behind(read, pc) && paths_.is_behind(write, pc))
        return true;
    return false;
  }

  const Program& program_;
  Paths paths_;
};

}  // namespace

bool may_follow(const Program& program, std::int32_t pc, std::int32_t before) {
  return Paths(program).is_behind(pc, before);
}

bool depends_through_hand_over(const Program& program, std::int32_t read, std::int32_t write) {
  Flow flow(program);
  return flow.every_strong_write_depends_on(read) && flow.depends_on_every_strong_read(write);
}

}  // namespace warpsim
