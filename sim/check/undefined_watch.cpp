// What flows from where, and the run that asks for what can matter; see undefined_watch.h.
#include "sim/check/undefined_watch.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "isa/kernels/shuffle_mode.h"
#include "isa/program/reads_writes.h"
#include "isa/program/unwritten_reads.h"
#include "isa/table/op.h"
#include "sim/calm/left_lanes.h"
#include "sim/code/shuffle_network.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

using Bits = std::vector<bool>;

class Watching {
 public:
  Watching(const Program& program, Bits unwritten, const WatchedRun& run)
      : program_(program),
        run_(run),
        registers_(std::move(unwritten)),
        constants_(program, registers_, run.lanes),
        memory_(run.memory_may_be) {
    for (const Insn& insn : program.code) memory_ = memory_ || insn.op == Op::Malloc;  // it clears nothing
  }

  Watched run() {
    follow();
    Watched watched{registers_, Bits(program_.code.size()), Bits(program_.code.size())};
    for (std::size_t pc = 0; pc < program_.code.size(); ++pc) {
      watched.pcs[pc] = touches(program_.code[pc]);
      watched.meets[pc] = meets(program_.code[pc]);
    }
    return watched;
  }

 private:
  bool may(std::int32_t reg) const { return registers_[static_cast<std::size_t>(reg)]; }
  void mark(std::int32_t reg) {
    if (may(reg)) return;
    registers_[static_cast<std::size_t>(reg)] = changed_ = true;
  }

  void follow() {
    do {
      changed_ = false;
      for (const Insn& insn : program_.code) {
        bool gives = gives_such(insn);
        for_each_read(insn, [&](std::int32_t reg) { gives = gives || may(reg); });
        if (!gives) continue;
        for_each_written(insn, [&](std::int32_t reg) { mark(reg); });
        const OpInfo& row = info(insn.op);
        const AddressSpace space = space_of(row, insn.mods);
        const bool leaves = writes_memory(row) && (space == AddressSpace::Global || space == AddressSpace::Generic);
        if (leaves && !memory_) memory_ = changed_ = true;
      }
    } while (changed_);
  }

  bool gives_such(const Insn& insn) const {
    const OpInfo& row = info(insn.op);
    switch (row.lift) {
      case Lift::Shuffle:
        if (!run_.finds_sources || !constants_.clamp_of(insn)) return true;
        return run_.follows_left && !is_in_range(insn);
      case Lift::Broadcast:
      case Lift::Reduce:
      case Lift::Scan: return true;
      case Lift::Load:
      case Lift::Atomic:
      case Lift::Mbarrier: {
        const AddressSpace space = space_of(row, insn.mods);
        return !run_.loads_defined && ((space != AddressSpace::Global && space != AddressSpace::Constant) || memory_);
      }
      default: return false;
    }
  }

  // Of a shuffle by constants: whether every lane's source is in range.
  bool is_in_range(const Insn& insn) const {
    const std::optional<std::int64_t> by = constants_.of(insn.operands[3]);
    if (!by) return false;
    for (unsigned lane = 0; lane < run_.lanes; ++lane)
      if (!shuffle_source(shuffle_mode(insn.op), lane, static_cast<std::uint32_t>(*by), *constants_.clamp_of(insn),
                          lane_index_mask(run_.lanes))
               .in_range)
        return false;
    return true;
  }

  bool touches(const Insn& insn) const {
    const Lift lift = info(insn.op).lift;
    const bool finds = lift == Lift::Shuffle && !gives_such(insn);
    const bool combines = lift == Lift::Vote || lift == Lift::Match || lift == Lift::Redux;
    if (!is_lanewise(lift) && !finds && !combines && lift != Lift::Branch && lift != Lift::LoadParam) return true;
    return meets(insn);
  }

  bool meets(const Insn& insn) const {
    bool any = false;
    for_each_read(insn, [&](std::int32_t reg) { any = any || may(reg); });
    for_each_written(insn, [&](std::int32_t reg) { any = any || may(reg); });
    return any;
  }

  const Program& program_;
  WatchedRun run_;
  Bits registers_;
  ShuffleConstants constants_;
  bool memory_;
  bool changed_ = false;
};

}  // namespace

Watched what_to_watch(const Program& program, std::vector<bool> unwritten, const WatchedRun& run) {
  return Watching(program, std::move(unwritten), run).run();
}

// ---- a run that asks for those alone

void UndefinedWatch::on_start(const Machine& machine) {
  program_ = &machine.program();
  UndefinedWords memory = lanes_.take_memory();  // of the grid before
  unwritten_ = unwritten_reads(*program_);
  watch_ = {machine.lanes(), !machine.arguments().undefined.empty() || !memory.empty(), follows_left_};
  lanes_.on_start(machine);
  lanes_.give_memory(std::move(memory));
  watched_ = what_to_watch(*program_, unwritten_, watch_);
  lanes_.take_as_written(watched_.registers);
  for (const std::string& name : machine.arguments().undefined) {
    const std::int32_t param = program_->find_param(name);
    const std::uint64_t size =
        static_cast<std::uint64_t>(bytes(program_->params[static_cast<std::size_t>(param)].type));
    lanes_.forget_global(machine.buffer_address(param), machine.buffer(name).bits.size() * size);
  }
}

// A shuffle whose source takes no part: from now on every shuffle is watched.
void UndefinedWatch::on_exchange(const ExchangeEvent& event) {
  if (event.undefined != 0 && watch_.finds_sources) {
    watch_.finds_sources = false;
    watched_ = what_to_watch(*program_, unwritten_, watch_);
  }
  lanes_.on_exchange(event);
}

// Something undefined comes from memory: from now on what loads give is watched.
void UndefinedWatch::on_memory(const MemoryEvent& event) {
  lanes_.on_memory(event);
  if (!watch_.loads_defined || event.access == MemoryEvent::Access::Store) return;
  LaneMask undefined = 0;
  for (unsigned k = 0; k < event.elements; ++k) undefined |= lanes_.undefined_access(k);
  if (undefined == 0) return;
  watch_.loads_defined = false;
  watched_ = what_to_watch(*program_, unwritten_, watch_);
}

}  // namespace warpsim
