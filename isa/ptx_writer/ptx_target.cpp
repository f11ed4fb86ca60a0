// The lowest compute capability that has an instruction.
//
// Source: PTX ISA 9.0, "Target ISA Notes" of each instruction; compared with ptxas 13.0 for every row, type and
//         modifier (tests/isa/ptx_writer/ptx_writer_test.cpp).
#include <algorithm>

#include "isa/ptx_writer/ptx_writer.h"
#include "isa/table/special.h"

namespace warpsim {
namespace {

constexpr unsigned kLowest = 75, kAmpere = 80, kAmpereConsumer = 86, kAda = 89, kHopper = 90;

bool is_brain(Type type) { return element(type) == Type::BF16; }

// bf16 came with fma, min, max, abs, neg and the conversion from and to f32; all else followed later.
unsigned brain_target(const Insn& insn) {
  switch (insn.op) {
    case Op::CvtPair:
    case Op::FmaHalf:
    case Op::MinHalf:
    case Op::MaxHalf:
    case Op::AbsHalf:
    case Op::NegHalf: return kAmpere;
    case Op::Cvt: {
      const bool narrows = insn.type == Type::BF16 && insn.type2 == Type::F32;
      const bool widens = insn.type == Type::F32 && insn.type2 == Type::BF16 && !insn.mods.ftz;
      return narrows || widens ? kAmpere : kHopper;
    }
    default: return kHopper;
  }
}

// With a count, a scope or a wait that may sleep it is newer.
unsigned mbarrier_target(const Insn& insn) {
  const Form form = info(insn.op).form;
  const bool counts = form == Form::MbarArrive && insn.operands[2].kind != Operand::Kind::None;
  const bool sleeps = form == Form::MbarTry || form == Form::MbarTryParity;
  const bool drops = form == Form::MbarArrive && insn.operands[0].kind == Operand::Kind::None;
  return counts || sleeps || drops || insn.mods.memory.scope != Scope::None ? kHopper : kAmpere;
}

// Clusters came with Hopper.
unsigned special_target(const Insn& insn) {
  unsigned target = kLowest;
  for (const Operand& o : insn.operands) {
    const bool is_special = o.kind == Operand::Kind::Special || o.special_index >= 0;
    const Special special = o.special_index >= 0 ? static_cast<Special>(o.special_index) : o.special;
    if (!is_special || !is_of_the_machine(special)) continue;
    if ((special >= Special::ClusterIdX && special <= Special::ClusterNCtaRank) || special == Special::AggrSmemSize)
      return kHopper;
    if (special >= Special::ReservedSmemOffsetBegin && special <= Special::ReservedSmemOffset1) target = kAmpere;
  }
  return target;
}

// What does nothing here: advice to the caches, proxies, grids that wait for others.
unsigned advice_target(Op op) {
  switch (op) {
    case Op::PrefetchL2Last:
    case Op::PrefetchL2Normal:
    case Op::ApplyPriority:
    case Op::DiscardL2: return kAmpere;
    case Op::FenceProxyAsync:
    case Op::FenceProxyAsyncGlobal:
    case Op::FenceProxyAsyncShared:
    case Op::GridLaunchDependents:
    case Op::GridWait: return kHopper;
    default: return kLowest;
  }
}

bool only_moves(const OpInfo& row) { return contains(row.types, Type::BF16) && contains(row.types, Type::B32); }

unsigned row_target(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  if (insn.mods.memory.scope == Scope::Cluster || scope_of_fence(insn.op) == Scope::Cluster) return kHopper;
  if (row.lift == Lift::Mbarrier) return mbarrier_target(insn);
  if (row.mnemonic.starts_with("cp.")) return kAmpere;
  if (insn.mods.xorsign) return kAmpereConsumer;
  if (contains(kFloat8X2, insn.type) || contains(kFloat8X2, insn.type2)) return kAda;
  if (insn.type == Type::TF32) return insn.mods.round == Round::Rna ? kAmpere : kHopper;
  if (parse_hint("L2::256B") == (insn.mods.memory.hints & kPrefetchHints)) return kAmpere;
  if ((is_brain(insn.type) || is_brain(insn.type2)) && !only_moves(row)) return brain_target(insn);
  const bool half_extreme = insn.op == Op::MinHalf || insn.op == Op::MaxHalf;
  const bool is_new = row.lift == Lift::Redux || half_extreme || insn.op == Op::CvtPair;
  return is_new || insn.mods.relu || insn.mods.nan ? kAmpere : kLowest;
}

}  // namespace

unsigned ptx_version(const Insn& insn) {
  const auto reads_aggregate = [](const Operand& o) {
    return o.kind == Operand::Kind::Special && o.special == Special::AggrSmemSize;
  };
  const bool aggregate = std::any_of(insn.operands.begin(), insn.operands.end(), reads_aggregate);
  const bool eights = contains(kFloat8X2, insn.type) || contains(kFloat8X2, insn.type2);
  return insn.mods.satfinite || eights || aggregate ? 81 : 80;
}

unsigned ptx_target(const Insn& insn) {
  return std::max({row_target(insn), special_target(insn), advice_target(insn.op)});
}

}  // namespace warpsim
