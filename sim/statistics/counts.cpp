#include "sim/statistics/counts.h"

#include <algorithm>

#include "sim/machine/machine.h"

namespace warpsim {

void ExactnessCounter::on_start(const Machine& machine) {
  *this = ExactnessCounter();
  for (const Insn& insn : machine.program().code) of_.push_back(exactness(insn.op));
}

void ExactnessCounter::on_issue(const IssueEvent& event) {
  const Exactness of = of_[static_cast<std::size_t>(event.pc)];
  if (of != Exactness::Exact) ++counts_[static_cast<std::size_t>(of)];
}

void ExactnessCounter::on_finish(const Machine&, const RunResult& result) {
  std::uint64_t others = 0;
  for (const std::uint64_t count : counts_) others += count;
  counts_[static_cast<std::size_t>(Exactness::Exact)] = result.instructions - std::min(result.instructions, others);
}

void Counter::on_start(const Machine& machine) {
  counts_ = {};
  counts_.shared_allocated = machine.shared_bytes_per_block();
}

void Counter::on_issue(const IssueEvent& event) {
  const OpInfo& row = info(event.insn->op);
  ++counts_.instructions;
  ++counts_.by_unit[static_cast<std::size_t>(unit_of(row, event.insn->type))];
  ++counts_.by_exactness[static_cast<std::size_t>(exactness(event.insn->op))];
  counts_.shuffles += row.lift == Lift::Shuffle ? 1 : 0;
  counts_.collectives += is_collective(row.lift) ? 1 : 0;
  counts_.votes += row.lift == Lift::Vote || row.lift == Lift::Match || row.lift == Lift::Redux ? 1 : 0;
  counts_.barriers += row.lift == Lift::Barrier || row.lift == Lift::BarrierReduce ? 1 : 0;
}

void Counter::on_memory(const MemoryEvent& event) {
  using Space = MemoryEvent::Space;
  ByteCounts* const bytes = event.space == Space::Global   ? &counts_.global
                            : event.space == Space::Shared ? &counts_.shared
                            : event.space == Space::Local  ? &counts_.local
                                                           : nullptr;
  if (bytes == nullptr) return;
  const std::uint64_t moved = std::uint64_t{event.bytes} * event.elements * count_lanes(event.lanes);
  if (event.access != MemoryEvent::Access::Store) bytes->loaded += moved;
  if (event.access != MemoryEvent::Access::Load) bytes->stored += moved;
  if (event.source != nullptr)
    for_each_lane(event.source->lanes, [&](unsigned lane) { counts_.global.loaded += event.source->bytes[lane]; });
}

void Counter::on_mask(const MaskEvent& event) {
  const bool parts = event.kind == MaskEvent::Kind::Branch && event.taken != 0 && event.not_taken != 0;
  counts_.divergent_branches += parts ? 1 : 0;
}

RegisterCounts count_registers(const Program& program, unsigned lanes) {
  RegisterCounts counts;
  for (const Register& reg : program.registers) {
    const bool wide = reg.cls == RegClass::R64 || (reg.cls == RegClass::Mask && lanes > 32);
    if (reg.cls == RegClass::Pred) ++counts.predicates;
    else counts.words += wide ? 2 : 1;
  }
  return counts;
}

}  // namespace warpsim
