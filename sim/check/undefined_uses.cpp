#include "sim/check/undefined_uses.h"

#include "isa/op.h"

namespace warpsim {

void UndefinedUses::look_at(const Program& program, const IssueEvent& event, const UndefinedLanes& shadow,
                            std::int32_t reg, LaneMask lanes, const char* use) {
  if (reg < 0) return;
  const LaneMask undefined = shadow.undefined(event.block, event.warp, reg) & lanes;
  if (undefined == 0 || !seen_.emplace(event.pc, reg).second) return;
  const std::string& name = program.registers[static_cast<std::size_t>(reg)].name;
  found_.push_back({event.cycle, event.block, event.warp, event.pc, undefined,
                    "`" + name + "` holds nothing defined on lane" + (count_lanes(undefined) == 1 ? " " : "s ") +
                        lane_ranges(undefined) + " and " + use,
                    "was it written on every path to here, and from lanes that take part?"});
}

void UndefinedUses::on_issue(const Program& program, const IssueEvent& event, const UndefinedLanes& shadow) {
  const Insn& insn = *event.insn;
  const OpInfo& row = info(insn.op);
  look_at(program, event, shadow, insn.guard.reg, event.group, "decides which lanes execute this");
  const auto form = slots(row.form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    if (form[k].role == Role::Addr) {
      look_at(program, event, shadow, operand.reg, event.active, "is an address");
    } else if (form[k].role == Role::Src && operand.kind == Operand::Kind::Reg) {
      if (row.lift == Lift::Atomic) look_at(program, event, shadow, operand.reg, event.active, "goes into an atomic");
      if (row.lift == Lift::BarrierReduce && form[k].type == SlotType::Pred)
        look_at(program, event, shadow, operand.reg, event.active, "decides what a barrier gives");
      if (row.lift == Lift::Store) look_at(program, event, shadow, operand.reg, event.active, "is stored");
      if (row.lift == Lift::Vote) look_at(program, event, shadow, operand.reg, event.active, "decides a vote");
    }
  }
}

void UndefinedUses::on_memory(const Program& program, const IssueEvent& issue, const MemoryEvent& event,
                              const UndefinedLanes& shadow) {
  const bool overwrites = info(issue.insn->op).kernel == "AtomExch";
  LaneMask undefined = shadow.undefined_access() & event.lanes;
  // What an address leads astray has been said on issue.
  for (const Operand& operand : issue.insn->operands) {
    const bool addresses = operand.kind == Operand::Kind::Element || operand.kind == Operand::Kind::Address;
    if (addresses && operand.reg >= 0) undefined &= ~shadow.undefined(issue.block, issue.warp, operand.reg);
  }
  constexpr std::int32_t kMemory = -1;
  if (event.access != MemoryEvent::Access::Atomic || overwrites || undefined == 0) return;
  if (!seen_.emplace(issue.pc, kMemory).second) return;
  const unsigned lane = first_lane(undefined);
  const std::size_t object = static_cast<std::size_t>(event.object_of[lane]);
  const bool shared = event.space == MemoryEvent::Space::Shared;
  std::string place = "memory";
  if (event.object_of[lane] >= 0)
    place = "`" + (shared ? program.shared[object].name : program.params[object].name) + "[" +
            std::to_string(event.index[lane]) + "]`";
  found_.push_back({issue.cycle, issue.block, issue.warp, issue.pc, undefined,
                    place + " holds nothing defined when the atomic of lane" +
                        (count_lanes(undefined) == 1 ? " " : "s ") + lane_ranges(undefined) + " changes it",
                    "store a first value there, and a barrier before the atomics of other warps"});
}

}  // namespace warpsim
