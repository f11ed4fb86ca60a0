// Translates a warpsim program, lane by lane and instruction by instruction.
#include "tests/litmus/program_from.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/program/module.h"
#include "isa/table/op.h"
#include "isa/table/special.h"

namespace warpsim::litmus {
namespace {

struct ProgramRefusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

constexpr std::array<std::pair<Op, Math>, 22> kSets = {{
    {Op::Mov, Math::Move},         {Op::Add, Math::Add},         {Op::Sub, Math::Sub},
    {Op::MulLo, Math::Mul},        {Op::MulWide, Math::Mul},     {Op::MadLo, Math::MulAdd},
    {Op::MadWide, Math::MulAdd},   {Op::And, Math::And},         {Op::Or, Math::Or},
    {Op::Xor, Math::Xor},          {Op::Shl, Math::ShiftLeft},   {Op::Shr, Math::ShiftRight},
    {Op::Min, Math::Min},          {Op::Max, Math::Max},         {Op::Selp, Math::Select},
    {Op::SetpEq, Math::Equal},     {Op::SetpNe, Math::NotEqual}, {Op::SetpLt, Math::Less},
    {Op::SetpLe, Math::LessEqual}, {Op::SetpGt, Math::Greater},  {Op::SetpGe, Math::GreaterEqual},
    {Op::Not, Math::Xor},
}};
// By the last word of the opcode.
constexpr std::array<std::pair<std::string_view, Math>, 8> kAtomics = {{
    {"add", Math::Add},
    {"and", Math::And},
    {"or", Math::Or},
    {"xor", Math::Xor},
    {"min", Math::Min},
    {"max", Math::Max},
    {"exch", Math::Exchange},
    {"cas", Math::CompareSwap},
}};

class Translator {
 public:
  Translator(const warpsim::Program& program, const PreparedCase& launch) : from_(program), launch_(launch) {}
  Program translate();

 private:
  void place_buffers();
  void place_objects(std::uint64_t block);
  void translate_thread(std::uint64_t block, std::uint64_t index);
  void translate_instruction(const Insn& insn, std::int32_t pc);
  void set(const Insn& insn, Instruction made);
  void access(const Insn& insn, Instruction made);
  void fence(const Insn& insn, Instruction made) const;
  void barrier(const Insn& insn, Instruction made);
  void address(const warpsim::Operand& operand, const Insn& insn, Instruction& made);
  Operand operand(const warpsim::Operand& operand) const;
  std::int64_t special(Special which) const;
  void emit(const Instruction& made) { thread_->code.push_back(made); }
  std::int64_t constant(const ConstExpr& expr) const { return expr.empty() ? 0 : expr.evaluate(launch_.config.lanes); }
  std::uint64_t block_size() const {
    return launch_.config.block.x == 0 ? launch_.config.lanes : launch_.config.block.count();
  }

  const warpsim::Program& from_;
  const PreparedCase& launch_;
  Program made_;
  struct Extent {
    std::int32_t first = 0, count = 0;
  };
  std::map<std::int32_t, Extent> params_;
  std::map<std::pair<std::uint64_t, std::int32_t>, Extent> objects_;  // block, object
  // Of the thread that is being translated.
  Thread* thread_ = nullptr;
  std::uint64_t block_ = 0, index_ = 0;
  std::vector<std::int32_t> begins_;  // by pc
};

void Translator::place_buffers() {
  for (std::size_t k = 0; k < from_.params.size(); ++k) {
    const Param& param = from_.params[k];
    if (!param.is_buffer()) continue;
    const auto found = launch_.arguments.buffers.find(param.name);
    if (found == launch_.arguments.buffers.end()) throw ProgramRefusal("a buffer of unknown length: " + param.name);
    const std::vector<std::uint64_t>& bits = found->second.bits;
    params_[static_cast<std::int32_t>(k)] = {static_cast<std::int32_t>(made_.locations.size()),
                                             static_cast<std::int32_t>(bits.size())};
    for (std::size_t i = 0; i < bits.size(); ++i)
      made_.locations.push_back({param.name + "[" + std::to_string(i) + "]", static_cast<std::int64_t>(bits[i])});
  }
}

void Translator::place_objects(std::uint64_t block) {
  for (std::size_t k = 0; k < from_.objects.size(); ++k) {
    const Object& object = from_.objects[k];
    const std::int32_t count = static_cast<std::int32_t>(constant(object.length));
    objects_[{block, static_cast<std::int32_t>(k)}] = {static_cast<std::int32_t>(made_.locations.size()), count};
    for (std::int32_t i = 0; i < count; ++i)
      made_.locations.push_back({object.name + "@" + std::to_string(block) + "[" + std::to_string(i) + "]", 0});
  }
}

std::int64_t Translator::special(Special which) const {
  const std::int64_t lanes = launch_.config.lanes, size = static_cast<std::int64_t>(block_size());
  const std::int64_t block = static_cast<std::int64_t>(block_), thread = static_cast<std::int64_t>(index_);
  switch (which) {
    case Special::LaneId: return thread % lanes;
    case Special::WarpId: return thread / lanes;
    case Special::NWarpId: return (size + lanes - 1) / lanes;
    case Special::TidX: return thread;
    case Special::NTidX: return size;
    case Special::CtaIdX: return block;
    case Special::NCtaIdX: return static_cast<std::int64_t>(launch_.config.grid.count());
    case Special::GTid: return block * size + thread;
    default: throw ProgramRefusal("a special register: " + std::string(name(which)));
  }
}

Operand Translator::operand(const warpsim::Operand& operand) const {
  if (operand.negated) throw ProgramRefusal("a negated predicate as an operand");
  switch (operand.kind) {
    case warpsim::Operand::Kind::Reg: return {operand.reg, 0};
    case warpsim::Operand::Kind::Imm: return {-1, constant(operand.expr)};
    case warpsim::Operand::Kind::Special: return {-1, special(operand.special)};
    case warpsim::Operand::Kind::Param: {
      const Param& param = from_.params[static_cast<std::size_t>(operand.param)];
      const auto found = launch_.arguments.scalars.find(param.name);
      return {-1, found == launch_.arguments.scalars.end() ? 0 : static_cast<std::int64_t>(found->second)};
    }
    default: throw ProgramRefusal("an operand that is no register, integer or special register");
  }
}

// d, a, b, c; setp has its second predicate between them.
void Translator::set(const Insn& insn, Instruction made) {
  std::vector<Operand> sources;
  const std::span<const Slot> all = slots(info(insn.op).form);
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!has_slot(all[k], insn.mods)) continue;
    if (is_combined(all[k])) throw ProgramRefusal("a comparison combined with a predicate");
    if (all[k].role == Role::Src) {
      sources.push_back(operand(insn.operands[k]));
    } else if (k > 0 && insn.operands[k].kind != warpsim::Operand::Kind::None) {
      throw ProgramRefusal("a second result");
    } else if (k == 0) {
      made.target = insn.operands[k].reg;
    }
  }
  const bool wide = insn.op == Op::MulWide || insn.op == Op::MadWide;
  if (is_float(insn.type) || bits(insn.type) > 64) throw ProgramRefusal("arithmetic on floats");
  if (made.is_signed && (wide || insn.op == Op::Shr))
    throw ProgramRefusal("signed: " + std::string(info(insn.op).mnemonic));
  made.bits = wide ? 64 : made.bits;
  made.a = sources[0];
  made.b = insn.op == Op::Not ? Operand{-1, -1} : sources.size() > 1 ? sources[1] : Operand{};
  made.c = sources.size() > 2 ? sources[2] : Operand{};
  if (insn.op == Op::Not && insn.type == Type::Pred) made.b.constant = 1;
  emit(made);
}

// The index of an element; of a byte address in an object, its offset.
void Translator::address(const warpsim::Operand& operand, const Insn& insn, Instruction& made) {
  const bool element = operand.kind == warpsim::Operand::Kind::Element;
  if (!element && operand.kind != warpsim::Operand::Kind::Address) throw ProgramRefusal("an address of another kind");
  if (operand.param >= 0 && params_.contains(operand.param)) {
    made.location = params_.at(operand.param).first;
    made.extent = params_.at(operand.param).count;
  } else if (operand.object >= 0) {
    made.location = objects_.at({block_, operand.object}).first;
    made.extent = objects_.at({block_, operand.object}).count;
  } else {
    throw ProgramRefusal("an address from a register");
  }
  std::int64_t offset = constant(operand.expr);
  if (!element) {
    const std::int64_t size = bytes(insn.type);
    if (operand.reg >= 0 || offset % size != 0) throw ProgramRefusal("an address in bytes");
    offset /= size;
  }
  if (operand.special_index >= 0) offset += special(static_cast<Special>(operand.special_index));
  made.index = {-1, offset};
  if (operand.reg < 0) return;
  made.index = {operand.reg, 0};
  if (offset == 0) return;
  Instruction add;
  add.math = Math::Add;
  add.a = {operand.reg, 0};
  add.b = {-1, offset};
  add.target = static_cast<std::int32_t>(thread_->registers.size()) - 1;  // the one for indices
  emit(add);
  made.index = {add.target, 0};
}

Order order_of(Semantics semantics, bool atomic) {
  switch (semantics) {
    case Semantics::None: return atomic ? Order::Relaxed : Order::Weak;
    case Semantics::Weak: return Order::Weak;
    case Semantics::Volatile:
    case Semantics::Relaxed: return Order::Relaxed;
    case Semantics::Acquire: return Order::Acquire;
    case Semantics::Release: return Order::Release;
    case Semantics::AcqRel: return Order::AcqRel;
    default: throw ProgramRefusal("an access with .mmio");
  }
}

Scope scope_of(warpsim::Scope scope) {
  switch (scope) {
    case warpsim::Scope::Cta: return Scope::Cta;
    case warpsim::Scope::Cluster: return Scope::Cluster;
    case warpsim::Scope::Sys: return Scope::Sys;
    default: return Scope::Gpu;
  }
}

void Translator::access(const Insn& insn, Instruction made) {
  const OpInfo& row = info(insn.op);
  const bool atomic = row.lift == Lift::Atomic;
  const MemoryQualifiers& memory = insn.mods.memory;
  if (memory.non_coherent) throw ProgramRefusal("an access with .nc");
  made.order = order_of(memory.semantics, atomic);
  made.scope = memory.semantics == Semantics::Volatile ? Scope::Sys : scope_of(memory.scope);
  const bool returns = row.form == Form::Load || row.form == Form::Atom || row.form == Form::AtomCas;
  if (!returns && row.form != Form::Store && row.form != Form::Red)
    throw ProgramRefusal("a vector: " + std::string(row.mnemonic));
  std::size_t next = 0;
  if (returns) made.target = insn.operands[next++].reg;
  address(insn.operands[next++], insn, made);
  made.kind = row.form == Form::Load    ? Instruction::Kind::Load
              : row.form == Form::Store ? Instruction::Kind::Store
                                        : Instruction::Kind::Atomic;
  if (row.form != Form::Load) made.a = operand(insn.operands[next++]);
  if (row.form == Form::AtomCas) made.b = operand(insn.operands[next]);
  if (atomic) {
    if (is_float(insn.type)) throw ProgramRefusal("arithmetic on floats");
    const std::string_view word = row.mnemonic.substr(row.mnemonic.rfind('.') + 1);
    const auto found =
        std::find_if(kAtomics.begin(), kAtomics.end(), [&](const auto& each) { return each.first == word; });
    if (found == kAtomics.end()) throw ProgramRefusal("an atomic: " + std::string(row.mnemonic));
    made.math = found->second;
  }
  emit(made);
}

void Translator::fence(const Insn& insn, Instruction made) const {
  made.kind = Instruction::Kind::Fence;
  made.order = info(insn.op).mnemonic.starts_with("fence.acq_rel") ? Order::AcqRel : Order::Sc;
  made.scope = scope_of(scope_of_fence(insn.op));
  thread_->code.push_back(made);
}

void Translator::barrier(const Insn& insn, Instruction made) {
  made.kind = Instruction::Kind::Barrier;
  const warpsim::Operand& first = insn.operands[0];
  if (insn.op == Op::BarWarp) {
    made.within_warp = true;
    const bool all = first.kind == warpsim::Operand::Kind::None;
    const std::uint64_t mask = all ? ~std::uint64_t{0} : static_cast<std::uint64_t>(operand(first).constant);
    if (!all && operand(first).reg >= 0) throw ProgramRefusal("a member mask in a register");
    made.members = mask & (~std::uint64_t{0} >> (64 - launch_.config.lanes));
  } else if (insn.op == Op::BarSync || insn.op == Op::BarArrive) {
    const warpsim::Operand& count = insn.operands[1];
    if (count.kind != warpsim::Operand::Kind::None &&
        static_cast<std::uint64_t>(operand(count).constant) != launch_.config.block.count())
      throw ProgramRefusal("a barrier for some of the block's threads");
    made.waits = insn.op == Op::BarSync;
    if (first.kind != warpsim::Operand::Kind::None) made.a = operand(first);
  } else {
    throw ProgramRefusal("a barrier that reduces");
  }
  emit(made);
}

void Translator::translate_instruction(const Insn& insn, std::int32_t pc) {
  Instruction made;
  made.origin = pc;
  made.guard = insn.guard.reg;
  made.guard_negated = insn.guard.negated;
  made.bits = insn.type == Type::None || insn.type == Type::Pred ? 64 : static_cast<unsigned>(bits(insn.type));
  made.is_signed = is_signed(insn.type);
  const OpInfo& row = info(insn.op);
  const auto found = std::find_if(kSets.begin(), kSets.end(), [&](const auto& each) { return each.first == insn.op; });
  if (found != kSets.end()) {
    made.math = found->second;
    set(insn, made);
  } else if (insn.op == Op::Bra || insn.op == Op::Exit) {
    made.kind = Instruction::Kind::Jump;
    made.a = {-1, 1};
    made.jump = insn.op == Op::Bra ? insn.operands[0].target : static_cast<std::int32_t>(from_.code.size());
    emit(made);
  } else if (accesses_memory(row) && access_of(row) != AccessKind::None) {
    access(insn, made);
  } else if (scope_of_fence(insn.op) != warpsim::Scope::None) {
    fence(insn, made);
  } else if (row.lift == Lift::Barrier) {
    barrier(insn, made);
  } else {
    throw ProgramRefusal("an instruction: " + std::string(row.mnemonic));
  }
}

void Translator::translate_thread(std::uint64_t block, std::uint64_t index) {
  made_.threads.emplace_back();
  thread_ = &made_.threads.back();
  block_ = block;
  index_ = index;
  thread_->name = std::to_string(block) + ":" + std::to_string(index);
  thread_->cta = thread_->cluster = static_cast<std::int32_t>(block);
  thread_->warp = static_cast<std::int32_t>(index / launch_.config.lanes);
  thread_->lane = static_cast<std::int32_t>(index % launch_.config.lanes);
  for (const Register& each : from_.registers) thread_->registers.push_back(each.name);
  thread_->registers.emplace_back("%index");
  begins_.clear();
  for (std::size_t pc = 0; pc < from_.code.size(); ++pc) {
    begins_.push_back(static_cast<std::int32_t>(thread_->code.size()));
    translate_instruction(from_.code[pc], static_cast<std::int32_t>(pc));
  }
  begins_.push_back(static_cast<std::int32_t>(thread_->code.size()));
  for (Instruction& each : thread_->code)
    if (each.kind == Instruction::Kind::Jump) each.jump = begins_[static_cast<std::size_t>(each.jump)];
}

Program Translator::translate() {
  made_.name = from_.name;
  if (launch_.config.block.y != 1 || launch_.config.block.z != 1) throw ProgramRefusal("a block in two dimensions");
  place_buffers();
  for (std::uint64_t block = 0; block < launch_.config.grid.count(); ++block) {
    place_objects(block);
    for (std::uint64_t index = 0; index < block_size(); ++index) translate_thread(block, index);
  }
  return made_;
}

}  // namespace

FromProgram litmus_of(const warpsim::Program& program, const PreparedCase& launch) {
  try {
    return {Translator(program, launch).translate(), ""};
  } catch (const ProgramRefusal& refusal) {
    return {{}, refusal.what()};
  }
}

std::vector<std::uint64_t> buffer_of(const Program& program, const Outcome& outcome, const std::string& name) {
  std::vector<std::uint64_t> bits;
  for (std::size_t k = 0; k < program.locations.size(); ++k)
    if (program.locations[k].name.starts_with(name + "["))
      bits.push_back(static_cast<std::uint64_t>(outcome.memory[k]));
  return bits;
}

std::set<std::vector<std::uint64_t>> buffers_of(const warpsim::Program& program, const Program& made,
                                                const std::set<Outcome>& outcomes) {
  std::set<std::vector<std::uint64_t>> buffers;
  for (const Outcome& outcome : outcomes) {
    std::vector<std::uint64_t> all;
    for (const Param& param : program.params) {
      const std::vector<std::uint64_t> bits = buffer_of(made, outcome, param.name);
      all.insert(all.end(), bits.begin(), bits.end());
    }
    buffers.insert(all);
  }
  return buffers;
}

}  // namespace warpsim::litmus
