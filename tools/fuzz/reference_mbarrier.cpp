// Barriers in shared memory, from PTX's words alone: see reference_interpreter.h.
//
// Shapes: a barrier stands beside its memory, by its address there, since PTX leaves open what the bytes hold. A state
//         is the number of its phase.
// Errors: an arrival that a phase does not lack, or where no barrier is, is a fault.
// Source: PTX ISA 9.0, section 9.7.13.15: "mbarrier.init", "mbarrier.arrive", "mbarrier.arrive_drop",
//         "mbarrier.test_wait", "mbarrier.try_wait".
#include "tools/fuzz/reference_grid.h"

namespace warpsim::reference {

bool Grid::waits_at_mbarrier(const Thread& thread) const {
  return thread.waiting && info(insn_at(thread).op).lift == Lift::Mbarrier;
}

// A wait tries as often as it must: the thread goes on once its phase is over.
void Grid::mbarrier_step(Block& block, Thread& thread, const Insn& insn) {
  const Bits address = address_of(block, thread, *find(insn, "address"));
  const std::string_view mnemonic = info(insn.op).mnemonic;
  thread.waiting = false;
  if (mnemonic.starts_with("mbarrier.init.")) {
    const Bits count = named(block, thread, "count", Type::U32, 0);
    block.mbarriers[address] = {count, count, 0};
  } else if (mnemonic.starts_with("mbarrier.inval.")) {
    block.mbarriers.erase(address);
  } else {
    const auto at = block.mbarriers.find(address);
    if (at == block.mbarriers.end()) {
      fault_ = "no mbarrier is there";
      return;
    }
    Mbarrier& barrier = at->second;
    if (mnemonic.starts_with("mbarrier.arrive")) {
      const Bits count = named(block, thread, "count", Type::U32, 1);
      if (count == 0 || count > barrier.missing) {
        fault_ = "more arrivals than an mbarrier waits for";
        return;
      }
      write(thread, find(insn, "d"), Type::B64, barrier.phase);
      if (mnemonic.starts_with("mbarrier.arrive_drop.")) barrier.count -= count;
      barrier.missing -= count;
      if (barrier.missing == 0) barrier = {barrier.count, barrier.count, barrier.phase + 1};
    } else {
      const Operand* const state = find(insn, "state");
      const bool is_over = state != nullptr ? barrier.phase != value(block, thread, *state, Type::B64)
                                            : barrier.phase % 2 != named(block, thread, "parity", Type::U32, 0) % 2;
      if (!is_over) {
        thread.waiting = true;
        return;
      }
      write(thread, find(insn, "p"), Type::Pred, 1);
    }
  }
  ++thread.pc;
}

bool Grid::release_at_mbarriers(Block& block) {
  bool released = false;
  for (Thread& thread : block.threads) {
    if (!waits_at_mbarrier(thread) || fault_) continue;
    mbarrier_step(block, thread, insn_at(thread));
    released = released || !thread.waiting;
  }
  return released;
}

}  // namespace warpsim::reference
