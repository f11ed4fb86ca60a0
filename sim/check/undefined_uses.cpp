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
      if (row.lift == Lift::Store) look_at(program, event, shadow, operand.reg, event.active, "is stored");
      if (row.lift == Lift::Vote) look_at(program, event, shadow, operand.reg, event.active, "decides a vote");
    }
  }
}

}  // namespace warpsim
