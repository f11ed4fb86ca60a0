#include "sim/counts.h"

namespace warpsim {

void Counter::on_issue(const IssueEvent& event) {
  const OpInfo& row = info(event.insn->op);
  ++counts_.instructions;
  ++counts_.by_unit[static_cast<std::size_t>(row.unit)];
  counts_.shuffles += row.lift == Lift::Shuffle ? 1 : 0;
  counts_.collectives += row.lift == Lift::Broadcast || row.lift == Lift::Reduce || row.lift == Lift::Scan ? 1 : 0;
  counts_.votes += row.lift == Lift::Vote ? 1 : 0;
  counts_.barriers += row.lift == Lift::Barrier ? 1 : 0;
}

void Counter::on_memory(const MemoryEvent& event) {
  ByteCounts& bytes = event.space == MemoryEvent::Space::Shared ? counts_.shared : counts_.global;
  (event.is_store ? bytes.stored : bytes.loaded) += std::uint64_t{event.bytes} * count_lanes(event.lanes);
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
