// Instructions of PTX that are several of the table's; see ptx_lowering.h.
#include "isa/ptx/ptx_lowering.h"
#include "isa/ptx/ptx_summary.h"

namespace warpsim::ptx {

using Made = warpsim::Operand;

// A register that holds nothing before and behind one instruction of PTX.
std::int32_t Lowering::scratch(RegClass cls) {
  Scratch& all = scratch_[cls];
  if (all.used == all.registers.size()) all.registers.push_back(fresh(cls));
  return all.registers[all.used++];
}

// One of them, with its sources in their order. Its result.
Made Lowering::step(const Instruction& from, Op op, Type type, std::initializer_list<Made> sources, Type type2) {
  Insn insn = made(from, op, type);
  insn.type2 = type2;
  const auto form = slots(info(op).form);
  insn.operands.assign(form.size(), Made{});
  const Type result = form[0].role == Role::DstPred ? Type::Pred : slot_type(form[0].type, type, type2);
  insn.operands[0] = register_operand(scratch(reg_class(result)));
  auto source = sources.begin();
  for (std::size_t k = 1; k < form.size(); ++k)
    if (form[k].role == Role::Src && source != sources.end()) insn.operands[k] = *source++;
  const Made made = insn.operands[0];
  program_.code.push_back(std::move(insn));
  return made;
}

// elect.sync d|p, membermask: the lowest lane of the mask, and whether this one is it. All of them must be there, as
// for a vote: of true that is the mask.
void Lowering::elect(const Instruction& from) {
  if (from.operands.size() != 2) return static_cast<void>(wrong_count(from, 2, 2, from.operands.size()));
  const ptx::Operand& to = from.operands[0];
  if (to.kind != ptx::Operand::Kind::Pair || to.parts.size() != 2)
    return static_cast<void>(wrong_operand(from, to, "writes a register and a predicate: %r1|%p1, or _|%p1"));
  Insn ballot = made(from, Op::VoteBallot, Type::B32);
  ballot.operands = {register_operand(scratch(RegClass::R32)), number_operand(1), Made{}};
  if (!bind_source(from, ballot, 2, from.operands[1]) || failed_) return;
  const Made voters = ballot.operands[0];
  program_.code.push_back(std::move(ballot));
  const Made leader = step(from, Op::Clz, Type::B32, {step(from, Op::Brev, Type::B32, {voters})});
  Made lane;
  lane.kind = Made::Kind::Special;
  lane.special = Special::LaneId;
  Insn is_leader = made(from, Op::SetpEq, Type::U32), number = made(from, Op::Mov, Type::B32);
  is_leader.operands = {Made{}, Made{}, leader, lane, Made{}};
  number.operands = {Made{}, leader};
  if (!bind_destination(from, is_leader, 0, to.parts[1]) || !bind_destination(from, number, 0, to.parts[0])) return;
  program_.code.push_back(std::move(number));
  emit(std::move(is_leader));
}

// cp.async.mbarrier.arrive: the barrier gets an arrival once the thread's copies are complete, and without .noinc waits
// for one more. Here the copies are complete at once, which they may be, and what is left of that is nothing.
void Lowering::arrive_behind_copies(const Instruction& from) {
  const std::string_view rest = from.opcode.substr(std::string_view("cp.async.mbarrier.arrive").size());
  const bool counts = rest.starts_with(".noinc.");
  const std::string_view space = rest.substr(counts ? std::string_view(".noinc").size() : 0);
  Instruction arrive = from;
  arrive.operands.insert(arrive.operands.begin(), ptx::Operand{});
  arrive.opcode = space == ".b64"               ? "mbarrier.arrive.b64"
                  : space == ".shared.b64"      ? "mbarrier.arrive.shared.b64"
                  : space == ".shared::cta.b64" ? "mbarrier.arrive.shared::cta.b64"
                                                : "";
  if (arrive.opcode.empty()) return static_cast<void>(refuse(from, refused_because(from.opcode)));
  if (from.operands.size() != 1) return static_cast<void>(wrong_count(from, 1, 1, from.operands.size()));
  program_.code.push_back(made(from, Op::CpAsyncWaitAll, Type::None));
  if (counts) lower(arrive);
}

}  // namespace warpsim::ptx
