// The values of operands in the second interpreter: see reference_interpreter.h.
//
// Units:  bits, zero-extended.
// Errors: none.
// Source: PTX ISA 9.0, chapter 10 (special registers).
#include "tools/fuzz/reference_grid.h"

namespace warpsim::reference {
namespace {

std::int64_t apply_operator(ConstToken::Kind kind, std::int64_t x, std::int64_t y) {
  const std::uint64_t a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
  switch (kind) {
    case ConstToken::Kind::Add: return static_cast<std::int64_t>(a + b);
    case ConstToken::Kind::Sub: return static_cast<std::int64_t>(a - b);
    case ConstToken::Kind::Mul: return static_cast<std::int64_t>(a * b);
    case ConstToken::Kind::Div: return y == 0 ? 0 : y == -1 ? static_cast<std::int64_t>(0 - a) : x / y;
    case ConstToken::Kind::Rem: return y == 0 || y == -1 ? 0 : x % y;
    case ConstToken::Kind::Shl: return b > 63 ? 0 : static_cast<std::int64_t>(a << b);
    case ConstToken::Kind::Shr: return b > 63 ? 0 : x >> y;
    case ConstToken::Kind::And: return x & y;
    case ConstToken::Kind::Or: return x | y;
    case ConstToken::Kind::Xor: return x ^ y;
    default: return 0;
  }
}

}  // namespace

std::int64_t constant(const ConstExpr& expression, unsigned lanes) {
  std::vector<std::int64_t> stack;
  for (const ConstToken& token : expression.tokens) {
    if (token.kind == ConstToken::Kind::Number) {
      stack.push_back(token.number);
    } else if (token.kind == ConstToken::Kind::WarpSize) {
      stack.push_back(lanes);
    } else if (token.kind == ConstToken::Kind::Neg) {
      stack.back() = static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(stack.back()));
    } else if (token.kind == ConstToken::Kind::Not) {
      stack.back() = ~stack.back();
    } else {
      const std::int64_t right = stack.back();
      stack.pop_back();
      stack.back() = apply_operator(token.kind, stack.back(), right);
    }
  }
  return stack.empty() ? 0 : stack.back();
}

Grid::Bits Grid::special(const Block& block, const Thread& thread, Special which) const {
  const Bits lane = thread.linear % lanes_;
  const Bits eq = Bits{1} << lane, lt = eq - 1;
  switch (which) {
    case Special::LaneId: return lane;
    case Special::WarpId: return thread.linear / lanes_;
    case Special::NWarpId: return (launch_.block.count() + lanes_ - 1) / lanes_;
    case Special::TidX: return thread.tid.x;
    case Special::TidY: return thread.tid.y;
    case Special::TidZ: return thread.tid.z;
    case Special::NTidX: return launch_.block.x;
    case Special::NTidY: return launch_.block.y;
    case Special::NTidZ: return launch_.block.z;
    case Special::CtaIdX: return block.ctaid.x;
    case Special::CtaIdY: return block.ctaid.y;
    case Special::CtaIdZ: return block.ctaid.z;
    case Special::NCtaIdX: return launch_.grid.x;
    case Special::NCtaIdY: return launch_.grid.y;
    case Special::NCtaIdZ: return launch_.grid.z;
    case Special::LaneMaskEq: return eq;
    case Special::LaneMaskLe: return lt | eq;
    case Special::LaneMaskLt: return lt;
    case Special::LaneMaskGe: return ~lt & ones(width_of(Type::Mask));
    case Special::LaneMaskGt: return ~(lt | eq) & ones(width_of(Type::Mask));
    case Special::GTid: return block.ctaid.x * launch_.block.x + thread.tid.x;
    case Special::ClusterIdX: return block.ctaid.x;  // clusters of one block
    case Special::ClusterIdY: return block.ctaid.y;
    case Special::ClusterIdZ: return block.ctaid.z;
    case Special::NClusterIdX: return launch_.grid.x;
    case Special::NClusterIdY: return launch_.grid.y;
    case Special::NClusterIdZ: return launch_.grid.z;
    case Special::ClusterNCtaIdX:
    case Special::ClusterNCtaIdY:
    case Special::ClusterNCtaIdZ:
    case Special::ClusterNCtaRank: return 1;
    case Special::NSmId: return 132;
    case Special::TotalSmemSize: return (shared_size_ + 127) / 128 * 128;  // in whole pieces
    case Special::AggrSmemSize: return shared_size_ + 1024;
    case Special::ReservedSmemOffsetBegin:  // behind the program's own, at a multiple of 128
    case Special::ReservedSmemOffset0: return (shared_size_ + 127) / 128 * 128;
    case Special::ReservedSmemOffset1: return (shared_size_ + 127) / 128 * 128 + 512;
    case Special::ReservedSmemOffsetEnd: return (shared_size_ + 127) / 128 * 128 + 1024;
    case Special::ReservedSmemOffsetCap: return 1024;
    default: break;  // 0; no cycles and no multiprocessors here: random programs do not ask for them
  }
  return 0;
}

Grid::Bits Grid::value(const Block& block, const Thread& thread, const Operand& operand, Type type) const {
  Bits raw = 0;
  switch (operand.kind) {
    case Operand::Kind::Reg: raw = thread.registers[static_cast<std::size_t>(operand.reg)]; break;
    case Operand::Kind::Imm: raw = static_cast<Bits>(constant(operand.expr, lanes_)); break;
    case Operand::Kind::FloatImm: {
      const Type one = element(type);
      const bool narrow = is_float(one) && one != Type::F64;
      Mods nearest;
      nearest.round = Round::Rn;
      raw = narrow ? evaluate(Op::Cvt, one, Type::F64, nearest, {operand.float_bits}, lanes_) : operand.float_bits;
      if (one != type) raw |= raw << 16;  // a pair has the constant twice
      break;
    }
    case Operand::Kind::BitsImm: raw = operand.float_bits; break;
    case Operand::Kind::Special: raw = special(block, thread, operand.special); break;
    case Operand::Kind::Param: raw = scalar(operand.param); break;
    case Operand::Kind::BufferAddr: raw = global_[static_cast<std::size_t>(operand.param)].address; break;
    case Operand::Kind::ObjectAddr: raw = shared_offset_[static_cast<std::size_t>(operand.object)]; break;
    default: break;
  }
  if (type == Type::Pred) raw = (raw != 0) != operand.negated ? 1 : 0;
  return raw & ones(width_of(type));
}

Grid::Bits Grid::scalar(std::int32_t param) const {
  const auto it = launch_.scalars.find(program_.params[static_cast<std::size_t>(param)].name);
  return it == launch_.scalars.end() ? 0 : it->second;
}

// The operand in the slot of that name; null where it was left out or the form has none.
const Operand* Grid::find(const Insn& insn, std::string_view slot_name) {
  const auto form = slots(info(insn.op).form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    if (form[k].name == slot_name && insn.operands[k].kind != Operand::Kind::None) return &insn.operands[k];
  }
  return nullptr;
}

Grid::Bits Grid::named(const Block& block, const Thread& thread, std::string_view slot_name, Type type,
                       Bits absent) const {
  const Operand* operand = find(insn_at(thread), slot_name);
  return operand == nullptr ? absent : value(block, thread, *operand, type);
}

void Grid::write(Thread& thread, const Operand* destination, Type type, Bits bits_written) {
  if (destination == nullptr || destination->kind != Operand::Kind::Reg) return;
  Bits held = bits_written & ones(width_of(type));
  if (type == Type::S8 && held >= 0x80) held += 0xff00;  // its register has 16 bits
  thread.registers[static_cast<std::size_t>(destination->reg)] = held;
}

// The destination `d`, whose slot says the type.
void Grid::write_d(Thread& thread, Bits bits_written) {
  const Insn& insn = insn_at(thread);
  for (const Slot& slot : slots(info(insn.op).form)) {
    if (slot.role == Role::Dst) write(thread, find(insn, "d"), type_of(insn, slot), bits_written);
  }
}

}  // namespace warpsim::reference
