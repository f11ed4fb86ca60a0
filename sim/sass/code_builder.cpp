// See code_builder.h.
#include "sim/sass/code_builder.h"

#include <algorithm>
#include <unordered_map>

namespace warpsim::sass {
namespace {

bool is_predicate(OperandKind kind) { return kind == OperandKind::Predicate || kind == OperandKind::UniformPredicate; }

void refuse_unknown(Exec& x, const CodeOp& op) {
  const Instruction& insn = x.machine.code[static_cast<std::size_t>(op.at)];
  x.refuse(insn.is_known ? text_of(insn) + " has no meaning here" : opcode_of(insn) + " is no instruction known here");
}

struct Meaning {
  BuildFn build;
  bool computes;  // and does nothing else
};
const std::unordered_map<std::string_view, Meaning>& meanings() {
  static const auto all = [] {
    std::unordered_map<std::string_view, Meaning> found;
    for (const auto& list :
         {integer_meanings(), bit_meanings(), float_meanings(), wide_float_meanings(), conversion_meanings()})
      for (const CodeMeaning& one : list) found.emplace(one.name, Meaning{one.build, true});
    for (const auto& list :
         {exchange_meanings(), register_meanings(), memory_meanings(), atomic_meanings(), control_meanings()})
      for (const CodeMeaning& one : list) found.emplace(one.name, Meaning{one.build, false});
    return found;
  }();
  return all;
}

// Rows for all registers that the code names, and for those behind them that wide accesses reach.
void count_registers(const std::vector<Instruction>& code, Layout& layout) {
  constexpr unsigned kMostTogether = 16, kMostUniformTogether = 4;
  unsigned highest = 0, uniform = 0, barrier = 0;
  for (const Instruction& insn : code) {
    for (const Operand& operand : insn.operands) {
      for (const unsigned number : {unsigned{operand.number}, unsigned{operand.base}})
        if (number != kZero) highest = std::max(highest, number);
      if (operand.uniform != kUniformZero) uniform = std::max(uniform, unsigned{operand.uniform});
      if (operand.kind == OperandKind::Uniform && operand.number != kUniformZero)
        uniform = std::max(uniform, unsigned{operand.number});
      if (operand.kind == OperandKind::Barrier) barrier = std::max(barrier, unsigned{operand.number});
    }
  }
  layout.registers = std::min(highest + kMostTogether, 256U);
  layout.uniforms = std::min(uniform + kMostUniformTogether, kUniformZero + 1);
  layout.barriers = std::min(barrier + 1, kConvergenceBarriers);
}

void build_one(CodeMachine::Impl& machine, const Instruction& insn, CodeOp& op) {
  op.guard = {static_cast<std::uint8_t>(insn.guard + (insn.guard_uniform ? kUniformPredicate : 0)), insn.guard_negated};
  const auto found = meanings().find(insn.name);
  if (insn.is_whole() && found != meanings().end()) {
    CodeBuilder builder(machine, insn, op);
    op.is_uniform = builder.is_uniform;
    op.is_alone = found->second.computes;
    if (found->second.build(builder) && !builder.lacks_a_constant()) return;
  }
  op.run = refuse_unknown;
  op.is_control = op.is_alone = false;
}

}  // namespace

CodeBuilder::CodeBuilder(CodeMachine::Impl& of_machine, const Instruction& of_insn, CodeOp& of_op)
    : machine(of_machine), insn(of_insn), op(of_op), is_uniform(of_insn.guard_uniform) {
  for (const Operand& operand : insn.operands) {
    if (is_predicate(operand.kind)) continue;
    if (!operand.is_destination) sources_.push_back(&operand);
    else if (destination_ == nullptr) destination_ = &operand;
  }
}

bool CodeBuilder::has(std::string_view modifier) const { return has_modifier(insn, modifier); }

std::uint32_t CodeBuilder::register_row(unsigned number) const {
  return number == kZero ? machine.layout.zero() : number * kRowBytes;
}
std::uint32_t CodeBuilder::uniform_row(unsigned number) const {
  return number == kUniformZero ? machine.layout.zero() : machine.layout.uniform() + number * kRowBytes;
}

std::uint32_t CodeBuilder::destination(std::uint32_t otherwise) const {
  if (destination_ == nullptr) return otherwise;
  if (destination_->kind == OperandKind::Uniform)
    return destination_->number == kUniformZero ? otherwise : uniform_row(destination_->number);
  return destination_->number == kZero ? otherwise : register_row(destination_->number);
}

std::uint32_t CodeBuilder::row_of_word(std::uint32_t low, std::uint32_t high) {
  std::vector<std::uint32_t>& held = machine.constants;
  for (std::size_t k = 0; k + 1 < held.size(); k += 2)
    if (held[k] == low && held[k + 1] == high)
      return machine.layout.constants() + static_cast<std::uint32_t>(k) * kRowBytes;
  held.push_back(low);
  held.push_back(high);
  return machine.layout.constants() + static_cast<std::uint32_t>(held.size() - 2) * kRowBytes;
}

std::uint32_t CodeBuilder::row(const Operand& operand) {
  const auto bits = static_cast<std::uint64_t>(operand.value);
  switch (operand.kind) {
    case OperandKind::Register: return register_row(operand.number);
    case OperandKind::Uniform: return uniform_row(operand.number);
    case OperandKind::Constant: {
      const auto low = constant_word(machine, operand.number, bits),
                 high = constant_word(machine, operand.number, bits + 4);
      lacks_a_constant_ = lacks_a_constant_ || !low;
      return row_of_word(low.value_or(0), high.value_or(0));
    }
    default: return row_of_word(static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32));
  }
}

void CodeBuilder::take_integers() {
  std::uint32_t* const rows[] = {&op.a, &op.b, &op.c};
  Signs* const signs[] = {&op.sign_a, &op.sign_b, &op.sign_c};
  op.a = op.b = op.c = machine.layout.zero();
  for (std::size_t k = 0; k < 3 && k < sources_.size(); ++k) {
    *rows[k] = row(*sources_[k]);
    signs[k]->flip = sources_[k]->is_negated ? ~0U : 0;
  }
  op.d = destination();
}

void CodeBuilder::take_floats() {
  take_integers();
  Signs* const signs[] = {&op.sign_a, &op.sign_b, &op.sign_c};
  for (std::size_t k = 0; k < 3 && k < sources_.size(); ++k)
    *signs[k] = {sources_[k]->is_absolute ? 0x7fffffffU : ~0U, sources_[k]->is_negated ? 0x80000000U : 0};
}

PredicateIn CodeBuilder::predicate(unsigned at, bool uniform) const {
  const auto number = static_cast<std::uint8_t>(bits(at, 3) + (uniform || is_uniform ? kUniformPredicate : 0));
  return {number, bits(at + 3, 1) != 0};
}

std::uint8_t CodeBuilder::written_predicate(unsigned at, bool uniform) const {
  const auto number = static_cast<std::uint8_t>(bits(at, 3));
  if (number == kTrue) return kNowhere;
  return static_cast<std::uint8_t>(number + (uniform || is_uniform ? kUniformPredicate : 0));
}

Round CodeBuilder::round() const {
  if (has("RM") || has("FLOOR")) return Round::Rm;
  if (has("RP") || has("CEIL")) return Round::Rp;
  return has("RZ") || has("TRUNC") ? Round::Rz : Round::Rn;
}

BoolOp CodeBuilder::boolean() const { return has("OR") ? BoolOp::Or : has("XOR") ? BoolOp::Xor : BoolOp::And; }

std::optional<std::uint32_t> constant_word(const CodeMachine::Impl& machine, std::uint8_t bank, std::uint64_t offset) {
  const auto found = machine.banks.find(bank);
  std::uint32_t word = 0;
  if (found == machine.banks.end() || offset + sizeof word > found->second.bytes.size() ||
      found->second.unknown.count(offset / 4 * 4) != 0)
    return std::nullopt;
  std::memcpy(&word, found->second.bytes.data() + offset, sizeof word);
  return word;
}

void build_code(CodeMachine::Impl& machine) {
  count_registers(machine.code, machine.layout);
  machine.ops.resize(machine.code.size());
  for (std::size_t k = 0; k < machine.code.size(); ++k) {
    machine.ops[k].at = static_cast<std::int32_t>(k);
    build_one(machine, machine.code[k], machine.ops[k]);
  }
  machine.alone.resize(machine.ops.size());
  for (std::size_t k = machine.ops.size(), last = k; k-- > 0;) {
    if (!machine.ops[k].is_alone) last = k;
    machine.alone[k] = static_cast<std::uint32_t>(last - k);
  }
}

}  // namespace warpsim::sass
