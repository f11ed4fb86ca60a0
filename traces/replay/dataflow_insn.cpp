// What one instruction reads and writes, from its row of the table.
#include <algorithm>
#include <utility>

#include "isa/program/program.h"
#include "isa/sass/kin.h"
#include "traces/replay/dataflow.h"

namespace warpsim {
namespace {

// An instruction that crosses lanes exchanges one operand; its other operands choose lanes. A barrier exchanges none.
bool is_address(const OpInfo& row, const Slot& slot) {
  if (slot.role == Role::Addr || slot.role == Role::Label || slot.type == SlotType::Mask) return true;
  if (row.lift == Lift::Barrier || row.lift == Lift::Copy) return true;
  if (row.lift == Lift::BarrierReduce) return slot.name != "p";
  return crosses_lanes(row.lift) && slot.name != "a";
}

FlowKind kind_of(const OpInfo& row) {
  switch (row.lift) {
    case Lift::Load: return FlowKind::Load;
    case Lift::Store:
    case Lift::Copy: return FlowKind::Store;
    case Lift::Atomic: return FlowKind::Atomic;
    case Lift::Mbarrier:
      return access_of(row) == AccessKind::Load    ? FlowKind::Load
             : access_of(row) == AccessKind::Store ? FlowKind::Store
                                                   : FlowKind::Atomic;
    case Lift::Shuffle:
    case Lift::Broadcast: return FlowKind::Shuffle;
    case Lift::Vote: return FlowKind::Vote;
    case Lift::Match: return FlowKind::Match;
    case Lift::Redux:
    case Lift::Reduce: return FlowKind::Reduce;
    case Lift::Scan: return FlowKind::Scan;
    case Lift::Barrier: return FlowKind::Barrier;
    case Lift::BarrierReduce: return FlowKind::BlockReduce;
    default: return FlowKind::Own;
  }
}

// Of machine code the trace says the registers. What comes from a bank of constants was not stored by anybody.
InsnFlow of_machine_code(const TraceHead& head, const TraceInsn& insn, InsnFlow flow) {
  const auto names = [&head](const std::vector<std::int32_t>& registers) {
    std::vector<std::string> list;
    for (const std::int32_t reg : registers) list.push_back(head.registers[static_cast<std::size_t>(reg)].name);
    return list;
  };
  const bool is_constant = insn.op.starts_with("LDC") || insn.op.starts_with("ULDC");
  if (head.is_machine_code && !is_constant) flow.kind = kind_of(info(sass::kin_of(insn.op).op));
  flow.writes = names(insn.registers.writes);
  flow.value = names(insn.registers.value);
  flow.exchanged = names(insn.registers.exchanged);
  flow.address = names(insn.registers.address);
  return flow;
}

void add_once(std::vector<std::string>& list, const std::string& name) {
  if (std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

// Of operand k, which belongs to `slot`. The carry flag has no text.
std::vector<std::int32_t> registers_of(const TraceHead& head, const Slot& slot, std::size_t k, const TraceInsn& insn) {
  if (!is_hidden(slot))
    return k < insn.operand_registers.size() ? insn.operand_registers[k] : std::vector<std::int32_t>();
  const std::int32_t carry = find_register(head, kCarryFlag);
  return carry < 0 ? std::vector<std::int32_t>() : std::vector<std::int32_t>{carry};
}

}  // namespace

std::string_view name(FlowKind kind) {
  switch (kind) {
    case FlowKind::Load: return "load";
    case FlowKind::Store: return "store";
    case FlowKind::Atomic: return "atomic";
    case FlowKind::Shuffle: return "shuffle";
    case FlowKind::Vote: return "vote";
    case FlowKind::Match: return "match";
    case FlowKind::Reduce: return "reduce";
    case FlowKind::Scan: return "scan";
    case FlowKind::Barrier: return "barrier";
    case FlowKind::BlockReduce: return "block-reduce";
    case FlowKind::Own: break;
  }
  return "";
}

InsnFlow flow_of(const TraceHead& head, std::int32_t pc) {
  InsnFlow flow;
  if (pc < 0 || static_cast<std::size_t>(pc) >= head.code.size()) return flow;
  const TraceInsn& insn = head.code[static_cast<std::size_t>(pc)];
  if (insn.guard.reg >= 0) flow.guard = head.registers[static_cast<std::size_t>(insn.guard.reg)].name;
  flow.negated = insn.guard.negated;
  const OpInfo* row = insn.row;
  if (row == nullptr) return of_machine_code(head, insn, std::move(flow));
  flow.kind = kind_of(*row);
  flow.exclusive = (row->mods & kExclusive) != 0 && insn.exclusive;
  flow.overwrites = has_trait(*row, kOverwrites);
  const std::span<const Slot> form = slots(row->form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    const Slot& slot = form[k];
    if (slot.type == SlotType::Mask && slot.role == Role::Src)
      flow.members = insn.operands[k].starts_with("mask=") ? insn.operands[k].substr(5) : insn.operands[k];
    std::vector<std::string>& list = slot.role == Role::Dst || slot.role == Role::DstPred ? flow.writes
                                     : is_address(*row, slot)                             ? flow.address
                                     : crosses_lanes(row->lift)                           ? flow.exchanged
                                                                                          : flow.value;
    for (const std::int32_t reg : registers_of(head, slot, k, insn))
      add_once(list, head.registers[static_cast<std::size_t>(reg)].name);
  }
  return flow;
}

}  // namespace warpsim
