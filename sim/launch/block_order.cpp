// See block_order.h.
#include "sim/launch/block_order.h"

#include <vector>

#include "isa/program/reads_writes.h"
#include "isa/table/op.h"

namespace warpsim {
namespace {

using Why = std::string_view;
constexpr Why kReturns = "what it returns depends on which block came first";
constexpr Why kNotCommutative = "its sum or value depends on which block came first";
constexpr Why kMeets = "it lets blocks wait for each other";
constexpr Why kClock = "it reads a clock";
constexpr Why kSystem = "it asks the system for something, one block after the other";

bool is_integer_word(Type type) {
  return type == Type::U32 || type == Type::S32 || type == Type::B32 || type == Type::U64 || type == Type::S64 ||
         type == Type::B64;
}

bool is_returned(const Insn& insn, const std::vector<bool>& read) {
  bool returned = false;
  for_each_written(insn, [&](std::int32_t reg) { returned = returned || read[static_cast<std::size_t>(reg)]; });
  return returned;
}

// Of an atomic in global memory.
Why shown_by_atomic(const Insn& insn, const OpInfo& row, const std::vector<bool>& read) {
  if (is_returned(insn, read)) return kReturns;
  const bool commutes = (row.traits & (kSums | kMonotone | kBitwise)) != 0 && (row.traits & kOverwrites) == 0;
  if (!commutes || !is_integer_word(insn.type)) return kNotCommutative;
  return insn.mods.memory.semantics <= Semantics::Relaxed ? Why() : kMeets;
}

// Where a block stops the launch, the blocks before it run to their ends.
bool ends_or_asks_for_lanes(Op op) {
  return op == Op::Exit || op == Op::Trap || op == Op::AssertFail || op == Op::ActiveMask;
}

Why shown_by(const Insn& insn, const std::vector<bool>& read) {
  const OpInfo& row = info(insn.op);
  const bool is_shared = space_of(row, insn.mods) == AddressSpace::Shared;
  for (const Operand& operand : insn.operands)
    if (operand.kind == Operand::Kind::Special && is_clock(operand.special)) return kClock;
  switch (row.lift) {
    case Lift::Atomic: return is_shared ? Why() : shown_by_atomic(insn, row, read);
    case Lift::Load:
    case Lift::Store: return insn.mods.memory.semantics > Semantics::Weak && !is_shared ? kMeets : Why();
    case Lift::Nothing: return insn.op == Op::Nanosleep ? kMeets : insn.op == Op::Brkpt ? kSystem : Why();
    case Lift::Special: return ends_or_asks_for_lanes(insn.op) ? Why() : kSystem;
    default: return {};
  }
}

}  // namespace

std::optional<ShownOrder> order_of_blocks_shown(const Program& program) {
  std::vector<bool> read(program.registers.size());
  for (const Insn& insn : program.code)
    for_each_read(insn, [&](std::int32_t reg) { read[static_cast<std::size_t>(reg)] = true; });
  for (std::size_t pc = 0; pc < program.code.size(); ++pc)
    if (const Why why = shown_by(program.code[pc], read); !why.empty())
      return ShownOrder{static_cast<std::int32_t>(pc), why};
  return std::nullopt;
}

}  // namespace warpsim
