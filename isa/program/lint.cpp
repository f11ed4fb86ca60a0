// Rules over operands, and over what may flow from one register to another; see lint.h.
#include "isa/program/lint.h"

#include <optional>

#include "isa/table/op.h"

namespace warpsim {
namespace {

class Linter {
 public:
  Linter(const Program& program, unsigned lanes) : program_(program), lanes_(lanes) {}

  std::vector<StaticFinding> run() {
    follow_active_masks();
    for (pc_ = 0; pc_ < program_.code.size(); ++pc_) {
      check_member_mask();
      check_segment();
      check_count();
    }
    return std::move(found_);
  }

 private:
  const Insn& insn() const { return program_.code[pc_]; }
  void add(Finding code, Message message) {
    found_.push_back({code, static_cast<std::int32_t>(pc_), std::move(message)});
  }
  // The operand in the slot of that name, if it was written.
  const Operand* operand(std::string_view slot_name) const {
    const auto form = slots(info(insn().op).form);
    for (std::size_t k = 0; k < form.size() && k < insn().operands.size(); ++k)
      if (form[k].name == slot_name && insn().operands[k].kind != Operand::Kind::None) return &insn().operands[k];
    return nullptr;
  }
  std::optional<std::int64_t> constant(std::string_view slot_name) const {
    const Operand* const found = operand(slot_name);
    if (found == nullptr || found->kind != Operand::Kind::Imm) return std::nullopt;
    return found->expr.evaluate(lanes_);
  }

  // Which registers may hold what activemask gave: directly, or copied. A mask that was computed from it (and, not) is
  // another one: that the program has thought about.
  void follow_active_masks() {
    from_active_mask_.assign(program_.registers.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Insn& one : program_.code) {
        const bool copies =
            has_trait(info(one.op), kCopies) && one.operands[1].kind == Operand::Kind::Reg && from(one.operands[1].reg);
        if (one.op != Op::ActiveMask && !copies) continue;
        const std::int32_t reg = one.operands.front().reg;
        if (reg < 0 || from(reg)) continue;
        from_active_mask_[static_cast<std::size_t>(reg)] = changed = true;
      }
    }
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

  // c of a shuffle as PTX spells it: a clamp in the low bits, above them which bits of the lane stay as they are.
  void check_segment() {
    if (info(insn().op).lift != Lift::Shuffle) return;
    const std::optional<std::int64_t> c = constant("c");
    if (!c) return;
    const std::int64_t keeps = *c >> 8 & 31, width = 32 - keeps;
    if ((width & (width - 1)) == 0) return;
    add(Finding::BadWidth, {MessageId::SegmentsOfNoWidth, {keeps}});
  }

  void check_count() {
    const Lift lift = info(insn().op).lift;
    if (lift != Lift::Barrier && lift != Lift::BarrierReduce) return;
    const std::optional<std::int64_t> count = constant("count");
    if (!count || (*count > 0 && *count % lanes_ == 0)) return;
    add(Finding::BarrierCount, {MessageId::BarrierCountsThreads, {*count, lanes_}});
  }

  const Program& program_;
  unsigned lanes_;
  std::size_t pc_ = 0;
  std::vector<bool> from_active_mask_;  // by register
  std::vector<StaticFinding> found_;
};

}  // namespace

std::vector<StaticFinding> lint(const Program& program, unsigned lanes) { return Linter(program, lanes).run(); }

}  // namespace warpsim
