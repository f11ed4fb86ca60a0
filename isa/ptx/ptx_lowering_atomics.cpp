// Atomics that the table does not have: of vectors, and sums of pairs of 16-bit floats; see ptx_lowering.h.
//
// Source: PTX ISA 9.0, 9.7.13.5: a vector is atomic element by element, a pair half by half.
#include <algorithm>
#include <array>

#include "isa/ptx/ptx_lowering.h"
#include "isa/ptx/ptx_summary.h"

namespace warpsim::ptx {

using Given = ptx::Operand;
using Made = warpsim::Operand;

namespace {

std::string joined(const std::vector<std::string_view>& words) {
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ".") + std::string(word);
  return text;
}

bool is_vector(std::string_view word) { return word == "v2" || word == "v4"; }

// [a+4] for the second element of [a].
Given moved(const Given& address, std::uint64_t bytes) {
  Given made = address;
  if (made.parts.empty() || bytes == 0) return made;
  Expression far, sum;
  far.bits = bytes;
  far.where = sum.where = address.where;
  Given& part = made.parts.front();
  if (part.of.empty()) {
    part.of.push_back(std::move(far));
    return made;
  }
  sum.kind = Expression::Kind::Binary;
  sum.text = "+";
  sum.of.push_back(std::move(part.of.front()));
  sum.of.push_back(std::move(far));
  part.of.front() = std::move(sum);
  return made;
}

}  // namespace

// atom.global.v2.f32.add {a, b}, [x], {c, d}: an atomic for each element.
void Lowering::atomic_of_vector(const Instruction& from) {
  std::vector<std::string_view> words = split_at_dots(from.opcode);
  std::erase_if(words, is_vector);
  const bool has_policy = std::erase(words, "L2::cache_hint") != 0;
  if (const auto type = std::find(words.begin(), words.end(), "f32"); type != words.end())
    std::rotate(type, type + 1, words.end());  // the table has it last
  const std::string opcode = joined(words);
  const std::size_t lists = words[0] == "atom" ? 2 : 1;  // of elements: what was there, and what is added
  const std::size_t operands = lists + 1 + (has_policy ? 1 : 0);
  if (from.operands.size() != operands)
    return static_cast<void>(wrong_count(from, operands, operands, from.operands.size()));
  const Given& added = from.operands[lists];
  const Given& last_list = from.operands[lists == 2 ? 0 : 1];
  if (added.kind != Given::Kind::Vector || last_list.parts.size() != added.parts.size() || words.back() != "f32")
    return static_cast<void>(refuse(from, refused_because(from.opcode)));
  for (std::size_t k = 0; k < added.parts.size() && !refused_ && !failed_; ++k) {
    Instruction one = from;
    one.opcode = opcode;
    one.operands.clear();
    if (lists == 2) one.operands.push_back(from.operands[0].parts[k]);
    one.operands.push_back(moved(from.operands[lists - 1], 4 * k));
    one.operands.push_back(added.parts[k]);
    lower(one);
  }
}

// The access that this opcode names, at the address of the instruction.
std::optional<Insn> Lowering::access_of(const Instruction& from, const Given& address, const std::string& opcode) {
  Instruction named = from;
  named.opcode = opcode;
  AddressSpace space = AddressSpace::None;
  const std::optional<Opcode> row = opcode_of(named, space);
  if (!row) return std::nullopt;
  Insn insn = made(from, row->op, row->type);
  insn.mods = row->mods;
  if (space != info(row->op).space) insn.mods.memory.space = space;
  const auto form = slots(info(row->op).form);
  insn.operands.assign(form.size(), Made{});
  for (std::size_t k = 0; k < form.size(); ++k)
    if (form[k].role == Role::Addr && !bind_address(from, insn, k, address)) return std::nullopt;
  return insn;
}

// What ptxas makes of it in shared memory: a sum, and a cas that says whether it came in between.
void Lowering::atomic_of_pair(const Instruction& from) {
  std::vector<std::string_view> words = split_at_dots(from.opcode);
  const bool returns = words[0] == "atom";
  const bool has_policy = std::erase(words, "L2::cache_hint") != 0;
  const std::size_t wanted = returns ? 3 : 2;
  if (from.operands.size() != wanted + (has_policy ? 1 : 0))
    return static_cast<void>(wrong_count(from, wanted, wanted, from.operands.size()));
  const Type pair = words.back() == "f16x2" ? Type::F16X2 : Type::BF16X2;
  std::erase(words, "noftz");
  std::replace(words.begin(), words.end(), std::string_view("add"), std::string_view("cas"));
  words.front() = "atom";
  words.back() = "b32";
  std::vector<std::string_view> load = {"ld", "relaxed", "gpu"};
  for (const std::string_view word : words)
    if (word == "global" || word.starts_with("shared")) load.push_back(word);
  load.push_back("b32");
  const Given& address = from.operands[returns ? 1 : 0];
  std::optional<Insn> first = access_of(from, address, joined(load)), cas = access_of(from, address, joined(words));
  Insn sum = made(from, Op::AddHalf, pair);
  sum.mods.round = Round::Rn;
  sum.operands.assign(slots(info(Op::AddHalf).form).size(), Made{});
  if (!first || !cas || !bind_source(from, sum, 2, from.operands[wanted - 1]) || failed_) return;
  const Made old = register_operand(scratch(RegClass::R32)), next = register_operand(scratch(RegClass::R32)),
             seen = register_operand(scratch(RegClass::R32)), again = register_operand(scratch(RegClass::Pred));
  Insn never = made(from, Op::SetpNe, Type::U32), differs = never, keeps = made(from, Op::Mov, Type::B32),
       loops = made(from, Op::Bra, Type::None);
  never.guard = {};  // lanes without the guard do not loop
  never.operands = {again, Made{}, number_operand(0), number_operand(0), Made{}};
  first->operands[0] = old;
  sum.operands[0] = next;
  sum.operands[1] = old;
  cas->operands[0] = seen;
  cas->operands[2] = old;
  cas->operands[3] = next;
  differs.operands = {again, Made{}, seen, old, Made{}};
  keeps.operands = {old, seen};
  loops.guard = {again.reg, false};
  loops.operands.assign(1, Made{});
  loops.operands[0].kind = Made::Kind::Label;
  for (Insn& one : std::array<Insn, 2>{std::move(never), *std::move(first)}) program_.code.push_back(std::move(one));
  const std::int32_t label = static_cast<std::int32_t>(label_pc_.size());
  label_pc_.push_back(static_cast<std::int32_t>(program_.code.size()));
  for (Insn& one : std::array<Insn, 4>{std::move(sum), *std::move(cas), std::move(differs), std::move(keeps)})
    program_.code.push_back(std::move(one));
  uses_.push_back({program_.code.size(), 0, label});
  program_.code.push_back(std::move(loops));
  if (returns) finish(from, Type::B32, seen);
}

}  // namespace warpsim::ptx
