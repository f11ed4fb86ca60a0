// Rules over operands, and over what may flow from one register to another; see lint.h.
#include "isa/program/lint.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "isa/table/op.h"

namespace warpsim {
namespace {

// The operand in the slot of that name, if it was written.
const Operand* operand_of(const Insn& insn, std::string_view slot_name) {
  const auto form = slots(info(insn.op).form);
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k)
    if (form[k].name == slot_name && insn.operands[k].kind != Operand::Kind::None) return &insn.operands[k];
  return nullptr;
}

// The operand that lint_value() is about; null: there is none.
const Operand* counted_operand(const Insn& insn) {
  const Lift lift = info(insn.op).lift;
  if (lift == Lift::Shuffle) return operand_of(insn, "c");
  return lift == Lift::Barrier || lift == Lift::BarrierReduce ? operand_of(insn, "count") : nullptr;
}

class Linter {
 public:
  Linter(const Program& program, unsigned lanes) : program_(program), lanes_(lanes) {}

  std::vector<StaticFinding> run() {
    follow_active_masks();
    if (lanes_ < 32) follow_absent_lanes();
    for (pc_ = 0; pc_ < program_.code.size(); ++pc_) {
      check_member_mask();
      if (lanes_ < 32) check_absent_lanes();
      check_counted();
    }
    return std::move(found_);
  }

 private:
  const Insn& insn() const { return program_.code[pc_]; }
  void add(Finding code, Message message) {
    found_.push_back({code, static_cast<std::int32_t>(pc_), std::move(message)});
  }
  const Operand* operand(std::string_view slot_name) const { return operand_of(insn(), slot_name); }

  // Which registers may hold what activemask gave: directly, or copied. A mask that was computed from it (and, not) is
  // another one: that the program has thought about.
  void follow_active_masks() {
    from_active_mask_.assign(program_.registers.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Insn& one : program_.code) {
        const bool copies =
            has_trait(info(one.op), kCopies) && one.operands[1].kind == Operand::Kind::Reg && from(one.operands[1].reg);
        if ((one.op != Op::ActiveMask || is_coalesced_group(one)) && !copies) continue;
        const std::int32_t reg = one.operands.front().reg;
        if (reg < 0 || from(reg)) continue;
        from_active_mask_[static_cast<std::size_t>(reg)] = changed = true;
      }
    }
  }
  // cg::coalesced_threads() is about who is here, and names it so.
  bool is_coalesced_group(const Insn& one) const {
    const std::vector<const SourcePlace*> frames =
        program_.frames(static_cast<std::int32_t>(&one - program_.code.data()));
    return std::any_of(frames.begin(), frames.end(), [](const SourcePlace* frame) {
      return frame->function.find("coalesced_threads") != std::string::npos;
    });
  }
  // Which registers may hold a set of lanes with bits of lanes that the warp does not have: a set that was
  // complemented, copied, or united with another. An `and` with a set ends it.
  void follow_absent_lanes() {
    std::vector<bool> sets(program_.registers.size(), false);
    absent_lanes_ = sets;
    const auto holds = [](const std::vector<bool>& which, const Operand& o) {
      return o.kind == Operand::Kind::Reg && which[static_cast<std::size_t>(o.reg)];
    };
    for (bool changed = true; changed;) {
      changed = false;
      for (const Insn& one : program_.code) {
        if (one.operands.size() < 2 || one.operands[0].kind != Operand::Kind::Reg) continue;
        const bool gives_set = info(one.op).form == Form::Ballot || info(one.op).form == Form::Match;
        const bool copies = has_trait(info(one.op), kCopies), unites = one.op == Op::Or || one.op == Op::Xor;
        const bool is_set = one.type == Type::Mask || gives_set || (copies && holds(sets, one.operands[1]));
        const bool absent = (one.op == Op::Not && (one.type == Type::Mask || holds(sets, one.operands[1]))) ||
                            ((copies || unites) && holds(absent_lanes_, one.operands[1])) ||
                            (unites && holds(absent_lanes_, one.operands[2]));
        const std::size_t reg = static_cast<std::size_t>(one.operands[0].reg);
        changed = changed || (is_set && !sets[reg]) || (absent && !absent_lanes_[reg]);
        sets[reg] = sets[reg] || is_set;
        absent_lanes_[reg] = absent_lanes_[reg] || absent;
      }
    }
  }

  // What counts such bits, or looks for the highest one.
  void check_absent_lanes() {
    const Op op = insn().op;
    if (op != Op::Popc && op != Op::Clz && op != Op::Bfind && op != Op::BfindShift) return;
    const Operand& set = insn().operands[1];
    if (set.kind != Operand::Kind::Reg || !absent_lanes_[static_cast<std::size_t>(set.reg)]) return;
    const std::string& name = program_.registers[static_cast<std::size_t>(set.reg)].name;
    add(Finding::AbsentLanes, {MessageId::CountsAbsentLanes, {"`" + name + "`", lanes_}});
  }

  bool from(std::int32_t reg) const { return from_active_mask_[static_cast<std::size_t>(reg)]; }

  void check_member_mask() {
    const Operand* const mask = operand("membermask");
    if (mask == nullptr || mask->kind != Operand::Kind::Reg || !from(mask->reg)) return;
    // Which of those here hold the same: it is right whoever is here, in one part or in several.
    if (insn().op == Op::MatchAny) return;
    const std::string& name = program_.registers[static_cast<std::size_t>(mask->reg)].name;
    add(Finding::ActiveMaskAsMember, {MessageId::ActiveMaskIsMember, {"`" + name + "`"}});
  }

  void check_counted() {
    const Operand* const counted = counted_operand(insn());
    if (counted == nullptr || counted->kind != Operand::Kind::Imm) return;
    const std::int64_t value = counted->expr.evaluate(lanes_);
    if (std::optional<StaticFinding> wrong = lint_value(insn(), static_cast<std::int32_t>(pc_), value, lanes_))
      found_.push_back(std::move(*wrong));
  }

  const Program& program_;
  unsigned lanes_;
  std::size_t pc_ = 0;
  std::vector<bool> from_active_mask_, absent_lanes_;  // by register
  std::vector<StaticFinding> found_;
};

}  // namespace

std::int32_t register_linted(const Insn& insn) {
  const Operand* const counted = counted_operand(insn);
  return counted != nullptr && counted->kind == Operand::Kind::Reg ? counted->reg : -1;
}

std::optional<StaticFinding> lint_value(const Insn& insn, std::int32_t pc, std::int64_t value, unsigned lanes) {
  if (info(insn.op).lift != Lift::Shuffle) {
    if (value > 0 && value % lanes == 0) return std::nullopt;
    return StaticFinding{Finding::BarrierCount, pc, {MessageId::BarrierCountsThreads, {value, lanes}}};
  }
  // c of a shuffle as PTX spells it: a clamp in the low bits, above them which bits of the lane stay as they are.
  const std::int64_t places = std::bit_ceil(lanes), keeps = value >> 8 & (places - 1), width = places - keeps;
  if ((width & (width - 1)) == 0) return std::nullopt;
  return StaticFinding{Finding::BadWidth, pc, {MessageId::SegmentsOfNoWidth, {keeps}}};
}

std::vector<StaticFinding> lint(const Program& program, unsigned lanes) { return Linter(program, lanes).run(); }

}  // namespace warpsim
