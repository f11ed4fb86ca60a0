// Instructions of PTX that are several of the table's; see ptx_lowering.h.
#include "isa/kernels/kernels_warp.h"
#include "isa/ptx/ptx_lowering.h"
#include "isa/ptx/ptx_summary.h"

namespace warpsim::ptx {

using Given = ptx::Operand;
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

// True if this is one of them.
bool Lowering::lower_in_steps(const Instruction& from) {
  const std::string_view opcode = from.opcode;
  constexpr std::size_t npos = std::string_view::npos;
  const auto begins = [opcode](std::string_view with) { return opcode.starts_with(with); };
  if (const std::optional<VideoForm> form = video_form(opcode)) video(from, *form);
  else if (const std::optional<VideoForm> of_integers = integer_form(opcode)) integers(from, *of_integers);
  else if (opcode == "elect.sync") elect(from);
  else if (begins("cp.async.mbarrier.arrive.")) arrive_behind_copies(from);
  else if (begins("cp.async.c") && from.operands.size() == 4 && is_predicate(from.operands[3])) copy_unless(from);
  else if (opcode == "mbarrier.pending_count.b64") pending_count(from);
  else if (begins("createpolicy.")) cache_policy(from);
  else if (begins("mov.v2.") || begins("mov.v4.")) move_elements(from);
  else if (begins("lop3.and.") || begins("lop3.or.")) logic_with_predicate(from);
  else if (begins("cvt.") && (opcode.ends_with(".satfinite.f16.f32") || opcode.ends_with(".satfinite.bf16.f32")))
    convert_to_finite_half(from);
  else if ((begins("atom.") || begins("red.")) && (opcode.find(".v2.") != npos || opcode.find(".v4.") != npos))
    atomic_of_vector(from);
  else if ((begins("atom.") || begins("red.")) && opcode.ends_with("f16x2") && opcode.find(".add.noftz.") != npos)
    atomic_of_pair(from);
  else return false;
  return true;
}

// The last step: into the destination, which is the first operand.
void Lowering::finish(const Instruction& from, Type type, const Made& result) {
  Insn move = made(from, Op::Mov, type);
  move.operands = {Made{}, result};
  if (bind_destination(from, move, 0, from.operands[0]) && !failed_) emit(std::move(move));
}

// elect.sync d|p, membermask: the lowest lane of the mask, and whether this one is it. All of them must be there, as
// for a vote: of true that is the mask.
void Lowering::elect(const Instruction& from) {
  if (from.operands.size() != 2) return static_cast<void>(wrong_count(from, 2, 2, from.operands.size()));
  const Given& to = from.operands[0];
  if (to.kind != Given::Kind::Pair || to.parts.size() != 2)
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
  arrive.operands.insert(arrive.operands.begin(), Given{});
  arrive.opcode = space == ".b64"               ? "mbarrier.arrive.b64"
                  : space == ".shared.b64"      ? "mbarrier.arrive.shared.b64"
                  : space == ".shared::cta.b64" ? "mbarrier.arrive.shared::cta.b64"
                                                : "";
  if (arrive.opcode.empty()) return static_cast<void>(refuse(from, refused_because(from.opcode)));
  if (from.operands.size() != 1) return static_cast<void>(wrong_count(from, 1, 1, from.operands.size()));
  program_.code.push_back(made(from, Op::CpAsyncWaitAll, Type::None));
  if (counts) lower(arrive);
}

bool Lowering::is_predicate(const Given& operand) {
  const std::optional<std::int32_t> reg = named_register(operand);
  return reg && class_of(*reg) == RegClass::Pred;
}

// cp.async …, size, ignore: where the predicate is true nothing is read, and zeros are written.
void Lowering::copy_unless(const Instruction& from) {
  Instruction plain = from;
  plain.operands.pop_back();
  AddressSpace space = AddressSpace::None;
  const std::optional<Opcode> opcode = opcode_of(plain, space);
  if (!opcode) return;
  Insn copy = made(from, opcode->op, opcode->type);
  if (!bind_all(plain, copy) || failed_) return;
  Insn ignores = made(from, Op::Selp, Type::B32);
  ignores.operands = {register_operand(scratch(RegClass::R32)), number_operand(0), copy.operands[2], Made{}};
  if (!bind_source(from, ignores, 3, from.operands[3]) || failed_) return;
  copy.operands[3] = ignores.operands[0];
  program_.code.push_back(std::move(ignores));
  emit(std::move(copy));
}

// How many arrivals the phase of a state lacked before that arrival.
void Lowering::pending_count(const Instruction& from) {
  if (from.operands.size() != 2) return static_cast<void>(wrong_count(from, 2, 2, from.operands.size()));
  Insn reads = made(from, Op::Mov, Type::B64);
  reads.operands.assign(2, Made{});
  if (!bind_source(from, reads, 1, from.operands[1]) || failed_) return;
  const Made word = step(from, Op::Cvt, Type::U32, {reads.operands[1]}, Type::U64);
  constexpr auto kCount = static_cast<std::int64_t>(kernels::MbarrierWord::kMostCount);
  finish(from, Type::B32, step(from, Op::And, Type::B32, {word, number_operand(kCount)}));
}

// What caches are to keep: PTX leaves its bits open, and here no access looks at it.
void Lowering::cache_policy(const Instruction& from) {
  if (!from.opcode.ends_with(".b64") || from.operands.size() < 2)
    return static_cast<void>(refuse(from, refused_because(from.opcode)));
  finish(from, Type::B64, number_operand(0));
}

// mov.v2.u32 {a, b}, {b, a}: all are read before one is written.
void Lowering::move_elements(const Instruction& from) {
  const std::size_t count = from.opcode[5] == '2' ? 2 : 4;
  const Type type = type_of(from.opcode.substr(6));
  if (from.operands.size() != 2) return static_cast<void>(wrong_count(from, 2, 2, from.operands.size()));
  for (const Given& one : from.operands)
    if (one.kind != Given::Kind::Vector || one.parts.size() != count)
      return static_cast<void>(wrong_operand(from, one, "moves vectors of " + std::to_string(count) + " elements"));
  if (type == Type::None || type == Type::Pred || bits(type) == 8)
    return static_cast<void>(refuse(from, refused_because(from.opcode)));
  std::vector<Insn> writes;
  for (std::size_t k = 0; k < count; ++k) {
    Insn read = made(from, Op::Mov, untyped_of(bits(type)));
    Insn write = made(from, Op::Mov, untyped_of(bits(type)));
    read.operands = {register_operand(scratch(reg_class(type))), Made{}};
    write.operands = {Made{}, read.operands[0]};
    if (!bind_source(from, read, 1, from.operands[1].parts[k]) ||
        !bind_destination(from, write, 0, from.operands[0].parts[k]) || failed_)
      return;
    program_.code.push_back(std::move(read));
    writes.push_back(std::move(write));
  }
  for (Insn& write : writes) program_.code.push_back(std::move(write));
}

// lop3.or.b32 d|p, a, b, c, lut, q: p = d is not 0, or q.
void Lowering::logic_with_predicate(const Instruction& from) {
  const std::vector<std::string_view> words = split_at_dots(from.opcode);
  if (from.operands.size() != 6) return static_cast<void>(wrong_count(from, 6, 6, from.operands.size()));
  const Given& to = from.operands[0];
  if (to.kind != Given::Kind::Pair || to.parts.size() != 2)
    return static_cast<void>(wrong_operand(from, to, "writes a register and a predicate: %r1|%p1, or _|%p1"));
  if (words.size() != 3 || words[2] != "b32") return static_cast<void>(refuse(from, refused_because(from.opcode)));
  Insn logic = made(from, Op::Lop3, Type::B32), test = made(from, Op::SetpNe, Type::U32);
  logic.operands.assign(slots(info(Op::Lop3).form).size(), Made{});
  logic.operands[0] = register_operand(scratch(RegClass::R32));
  for (std::size_t k = 1; k < logic.operands.size(); ++k)
    if (!bind_source(from, logic, k, from.operands[k])) return;
  test.mods.boolean = words[1] == "and" ? BoolOp::And : BoolOp::Or;
  test.operands = {Made{}, Made{}, logic.operands[0], number_operand(0), Made{}};
  Insn word = made(from, Op::Mov, Type::B32);
  word.operands = {Made{}, logic.operands[0]};
  if (!bind_destination(from, test, 0, to.parts[1]) || !bind_source(from, test, 4, from.operands[5]) ||
      !bind_destination(from, word, 0, to.parts[0]) || failed_)
    return;
  program_.code.push_back(std::move(logic));
  program_.code.push_back(std::move(word));
  emit(std::move(test));
}

// cvt.rn.satfinite.f16.f32: the low half of a pair.
void Lowering::convert_to_finite_half(const Instruction& from) {
  if (from.operands.size() != 2) return static_cast<void>(wrong_count(from, 2, 2, from.operands.size()));
  std::string text(from.opcode);
  text.insert(text.size() - std::string_view(".f32").size(), "x2");
  Instruction both = from;
  both.opcode = text;
  AddressSpace space = AddressSpace::None;
  const std::optional<Opcode> opcode = opcode_of(both, space);
  if (!opcode) return;
  Insn pair = made(from, opcode->op, opcode->type);
  pair.type2 = opcode->type2;
  pair.mods = opcode->mods;
  pair.operands = {register_operand(scratch(RegClass::R32)), number_operand(0), Made{}};
  pair.operands[1].kind = Made::Kind::BitsImm;
  if (!bind_source(from, pair, 2, from.operands[1]) || failed_) return;
  const Made halves = pair.operands[0];
  program_.code.push_back(std::move(pair));
  finish(from, Type::B16, step(from, Op::Cvt, Type::U16, {halves}, Type::U32));
}

}  // namespace warpsim::ptx
