// Jumps, calls, barriers of convergence and of the block, and what has no effect on values.
#include "sim/sass/code_builder.h"
#include "sim/sass/lane_loops.h"
#include "sim/sass/warp_groups.h"

namespace warpsim::sass {
namespace control_code {
namespace {

const Operand* operand_of(const CodeBuilder& b, OperandKind kind) {
  for (const Operand& operand : b.insn.operands)
    if (operand.kind == kind) return &operand;
  return nullptr;
}
bool take_target(CodeBuilder& b) {
  const Operand* const target = operand_of(b, OperandKind::Target);
  if (target == nullptr || target->value % kWordBytes != 0) return false;
  b.op.offset = target->value / kWordBytes;
  return target->value >= 0 && static_cast<std::size_t>(b.op.offset) < b.machine.code.size();
}

// ---- jumps
void jump(Exec& x, const CodeOp& op) { go(x, x.mask & x.read(op.p), op.offset); }
// Not all lanes that the mask names are here; or all are.
template <bool Together>
void jump_if_apart(Exec& x, const CodeOp& op) {
  const Lanes wanted = x.row(op.a)[0] & x.warp.alive;
  const bool together = (wanted & ~x.group) == 0;
  go(x, together == Together ? x.mask & x.read(op.p) : 0, op.offset);
}
bool build_jump(CodeBuilder& b) {
  CodeOp& op = b.op;
  op.is_control = true;
  op.p = b.predicate(87);
  op.run = jump;
  if (b.has("ANY")) return false;
  const auto kind = b.bits(32, 2);
  if (kind == 1 && b.bits(9, 3) == 2) op.p = b.predicate(24, true);
  if (kind >= 2) {
    op.a = b.uniform_row(static_cast<unsigned>(b.bits(24, 6)));
    op.run = kind == 2 ? jump_if_apart<false> : jump_if_apart<true>;
  }
  return take_target(b);
}

// To an address that a register says, from a place on.
void jump_by_register(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  std::array<std::int64_t, kLanes> target{};
  for_lanes(x.mask, [&](unsigned l) { target[l] = static_cast<std::int32_t>(a[l]) + op.offset; });
  if (x.mask == 0) return go(x, 0, 0);
  go_each(x, x.mask, target);
}
bool build_jump_by_register(CodeBuilder& b) {
  CodeOp& op = b.op;
  op.is_control = true;
  op.run = jump_by_register;
  if (b.has("ABS")) return false;
  if (b.insn.name == "CALL" && b.bits(9, 3) != 1) {
    op.run = jump;
    op.p = {};
    return take_target(b);
  }
  const Operand* const from = operand_of(b, OperandKind::Register);
  if (from == nullptr) return false;
  op.a = b.row(*from);
  op.offset = from->value + (b.insn.name == "BRX" ? static_cast<std::int64_t>(b.insn.address + kWordBytes) : 0);
  return true;
}

void end(Exec& x, const CodeOp& op) { end_lanes(x, x.mask & x.read(op.p)); }
bool build_end(CodeBuilder& b) {
  b.op.is_control = true;
  b.op.p = b.predicate(87);
  b.op.run = end;
  return true;
}

// ---- barriers of convergence
void begin_convergence(Exec& x, const CodeOp& op) {
  const Lanes mask = x.mask;
  each_word(
      x, x.machine.layout.converge() + op.number * kRowBytes, [=](unsigned) __attribute__((always_inline)) {
        return mask;
      });
}
void end_convergence(Exec& x, const CodeOp& op) { converge(x, op.number); }
void leave_convergence(Exec& x, const CodeOp& op) {
  Lanes* const row = converge_row(x.warp, x.machine.layout, op.number);
  Lanes others = 0;
  for_lanes(x.mask, [&](unsigned l) { others |= row[l]; });
  for_lanes(others, [&](unsigned l) { row[l] &= ~x.mask; });
  ++x.warp.running.at;
  wake(x);
}
void save_convergence(Exec& x, const CodeOp& op) {
  Lanes* const row = converge_row(x.warp, x.machine.layout, op.number);
  each_acting(x, op.d, [=](unsigned l) { return row[l]; });
  if (op.value != 0) for_lanes(x.mask, [&](unsigned l) { row[l] = 0; });
}
void restore_convergence(Exec& x, const CodeOp& op) {
  Lanes* const row = converge_row(x.warp, x.machine.layout, op.number);
  const Row* const a = x.row(op.a);
  for_lanes(x.mask, [&](unsigned l) { row[l] = a[l]; });
}
bool build_convergence(CodeBuilder& b) {
  const Operand* const barrier = operand_of(b, OperandKind::Barrier);
  if (barrier == nullptr || barrier->number >= kConvergenceBarriers) return false;
  CodeOp& op = b.op;
  op.number = barrier->number;
  const std::string_view name = b.insn.name;
  op.is_control = name == "BSYNC" || name == "BREAK";
  op.is_alone = !op.is_control;
  if (name == "BSSY") op.run = begin_convergence;
  else if (name == "BSYNC") op.run = end_convergence;
  else if (name == "BREAK") op.run = leave_convergence;
  else if (barrier->is_destination) {
    op.a = b.row(*operand_of(b, OperandKind::Register));
    op.run = restore_convergence;
  } else {
    op.d = b.destination();
    op.value = b.has("CLEAR") ? 1 : 0;
    op.run = save_convergence;
  }
  return true;
}

// ---- meetings of the warp
template <Wait What>
void meet(Exec& x, const CodeOp& op) {
  const Row* const a = x.row(op.a);
  if (What == Wait::Collective)
    for_lanes(x.mask, [&](unsigned l) { x.warp.back[l] = static_cast<std::int32_t>(op.offset); });
  Lanes left = x.mask;
  Lanes wanted = 0;
  for_lanes(left, [&](unsigned l) { wanted |= a[l]; });
  if ((wanted & x.warp.alive & ~x.mask) == 0) return void(++x.warp.running.at);
  const std::int32_t at = x.warp.running.at;
  while (left != 0) {  // those of one mask wait together
    const Lanes mask = a[first_of(left)];
    Lanes same = 0;
    for_lanes(left, [&](unsigned l) { same |= static_cast<Lanes>(a[l] == mask) << l; });
    x.warp.running.at = at;
    wait(x, same, What, mask);
    left &= ~same;
  }
  x.warp.running.at = at + 1;
  wake(x);
}
// Only those that meet by one mask go on together, the others after them: what follows is in uniform registers.
void meet_alone(Exec& x, const CodeOp& op) {
  if (x.mask == 0) return void(++x.warp.running.at);
  const Row* const a = x.row(op.a);
  const Lanes mask = a[first_of(x.mask)];
  Lanes same = 0;
  for_lanes(x.mask, [&](unsigned l) { same |= static_cast<Lanes>(a[l] == mask) << l; });
  const bool all_are_here = (mask & x.warp.alive & ~same) == 0;
  wait(x, all_are_here ? x.group & ~same : same, all_are_here ? Wait::None : Wait::Exclusive, mask);
  if (!all_are_here) {
    --x.warp.running.at;  // the others ask for theirs
    wake(x);
  }
}
bool build_meeting(CodeBuilder& b) {
  CodeOp& op = b.op;
  op.is_control = true;
  op.a = b.has("ALL") ? b.row_of_word(kAllLanes, 0) : 0;
  if (!b.has("ALL")) op.a = b.row(b.source(0));
  if (b.has("COLLECTIVE") && !take_target(b)) return false;
  op.run = b.has("COLLECTIVE") ? meet<Wait::Collective> : b.has("EXCLUSIVE") ? meet_alone : meet<Wait::Sync>;
  return true;
}

// Those that came from several places go back there.
void end_collective(Exec& x, const CodeOp&) {
  std::array<std::int64_t, kLanes> target{};
  for_lanes(x.group, [&](unsigned l) { target[l] = std::int64_t{x.warp.back[l]} * kWordBytes; });
  go_each(x, x.group, target);
}
bool build_end_of_collective(CodeBuilder& b) {
  b.op.is_control = true;
  b.op.run = end_collective;
  return b.insn.guard == kTrue;
}

void give_way(Exec& x, const CodeOp&) {
  ++x.warp.running.at;
  yield(x.warp);
}
bool build_give_way(CodeBuilder& b) {
  b.op.is_control = true;
  b.op.run = give_way;
  return true;
}

// ---- barriers of the block: the number and the count of threads are in registers or in the word
enum : std::uint32_t { kSync, kArrive, kReduce };
enum : std::uint32_t { kAllThreads, kCounted, kPacked };  // packed: the count is in the upper half of the register

void meet_block(Exec& x, const CodeOp& op) {
  if (x.mask == 0) return void(++x.warp.running.at);
  const unsigned first = first_of(x.mask);
  const std::uint32_t given = x.row(op.a)[first], number = op.value2 == kPacked ? given & 0xf : given;
  const std::uint32_t threads = op.value2 == kAllThreads ? 0 : op.value2 == kPacked ? given >> 16 : x.row(op.b)[first];
  if (number >= kBlockBarriers) return x.fault("a block has no barrier " + std::to_string(number));
  if (op.value == kReduce) x.block().barriers[number].reduction = op.number;
  arrive(x, number, threads, op.value != kArrive, op.value == kReduce ? x.read(op.p) : 0);
}
bool build_block_meeting(CodeBuilder& b) {
  CodeOp& op = b.op;
  op.is_control = true;
  op.run = meet_block;
  op.value = static_cast<std::uint32_t>(b.bits(77, 2));
  if (op.value > kReduce || b.sources() == 0) return false;
  op.a = b.row(b.source(0));
  op.value2 = b.sources() == 1 ? kAllThreads : b.bits(9, 3) == 1 ? kPacked : kCounted;
  if (op.value2 == kCounted) op.b = b.row(b.source(1));
  op.p = b.predicate(87);
  op.number = static_cast<std::uint8_t>(b.bits(74, 2));
  return true;
}
void read_block_result(Exec& x, const CodeOp& op) {
  const std::uint32_t count = x.warp.barrier_count;
  each_word(
      x, op.d, [=](unsigned) __attribute__((always_inline)) { return count; });
  x.write(op.pd, x.warp.barrier_truth ? kAllLanes : 0);
}
bool build_block_result(CodeBuilder& b) {
  b.op.d = b.destination();
  b.op.pd = b.written_predicate(81);
  b.op.run = read_block_result;
  return true;
}

// ---- what only says when, and a stop
void nothing(Exec&, const CodeOp&) {}
bool build_nothing(CodeBuilder& b) { return b.op.run = nothing, b.op.is_alone = true; }
void trap(Exec& x, const CodeOp&) { x.fault("the program stops itself"); }
bool build_trap(CodeBuilder& b) { return b.op.run = trap, true; }

}  // namespace
}  // namespace control_code

std::vector<CodeMeaning> control_meanings() {
  using namespace control_code;
  return {{"BRA", build_jump},
          {"BRX", build_jump_by_register},
          {"CALL", build_jump_by_register},
          {"RET", build_jump_by_register},
          {"EXIT", build_end},
          {"BSSY", build_convergence},
          {"BSYNC", build_convergence},
          {"BREAK", build_convergence},
          {"BMOV", build_convergence},
          {"WARPSYNC", build_meeting},
          {"ENDCOLLECTIVE", build_end_of_collective},
          {"YIELD", build_give_way},
          {"NANOSLEEP", build_give_way},
          {"BAR", build_block_meeting},
          {"B2R", build_block_result},
          {"BPT", build_trap},
          {"NOP", build_nothing},
          {"PMTRIG", build_nothing},
          {"DEPBAR", build_nothing},
          {"LDGDEPBAR", build_nothing},
          {"MEMBAR", build_nothing},
          {"ERRBAR", build_nothing},
          {"CGAERRBAR", build_nothing},
          {"CCTL", build_nothing},
          {"FENCE", build_nothing},
          {"PREEXIT", build_nothing},
          {"ACQBULK", build_nothing}};
}

}  // namespace warpsim::sass
