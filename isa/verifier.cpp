// What is wrong with a program before it runs, whatever front end it comes from.
//
// Shapes: first each instruction by itself (V006: operands fit their slots); only if all do, the flow of control and of
//         registers.
// Units:  pcs count instructions.
// Errors: V001 register that no path writes, V002 control falls off the end, V003 branch target, V004 division by zero in a
//         constant, V005 shuffle width, V006 malformed instruction, V007 no instructions, V008 barrier number.
// Source: PTX ISA 9.0: barriers 0 … 15 in section 9.7.13.1.
#include <algorithm>
#include <utility>

#include "isa/assembler.h"
#include "isa/cfg.h"
#include "isa/lexer.h"
#include "isa/opcode_errors.h"

namespace warpsim {
namespace {

constexpr unsigned kMostLanes = 64;
constexpr std::int64_t kBarriers = 16;

std::string at_lanes(unsigned lanes) { return std::to_string(lanes) + (lanes == 1 ? " lane" : " lanes"); }

class Verifier {
 public:
  Verifier(const Program& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

  void run() {
    if (program_.code.empty()) {
      diagnostics_.error("V007", {}, "the program has no instructions", "the least is `exit`");
      return;
    }
    for (const SharedArray& s : program_.shared) check_constant(s.length, s.where);
    for (const Insn& insn : program_.code) check_insn(insn);
    if (!well_formed_) return;
    check_flow();
  }

 private:
  void malformed(const Insn& insn, const std::string& why) {
    well_formed_ = false;
    diagnostics_.error("V006", insn.where, quoted(spelling(insn.op)) + ": " + why);
  }
  bool is_register(std::int32_t reg) const { return reg >= 0 && static_cast<std::size_t>(reg) < program_.registers.size(); }
  RegClass class_of(std::int32_t reg) const { return program_.registers[static_cast<std::size_t>(reg)].cls; }

  void check_insn(const Insn& insn) {
    const OpInfo& row = info(insn.op);
    const auto form = slots(row.form);
    if (insn.operands.size() != form.size()) return malformed(insn, "it has not as many operands as its form");
    if (!contains(row.types, insn.type)) return malformed(insn, "it does not take the type ." + std::string(name(insn.type)));
    if (insn.guard.reg != -1 && (!is_register(insn.guard.reg) || class_of(insn.guard.reg) != RegClass::Pred)) return malformed(insn, "its guard is no predicate");
    for (std::size_t k = 0; k < form.size(); ++k) check_operand(insn, form[k], insn.operands[k]);
  }

  void check_operand(const Insn& insn, const Slot& slot, const Operand& o) {
    check_constant(o.expr, o.where);
    if (o.kind == Operand::Kind::None) {
      if (slot.when_absent == Default::Required) malformed(insn, "operand " + std::string(slot.name) + " is missing");
      return;
    }
    if (o.reg != -1 && !is_register(o.reg)) return malformed(insn, "a register that does not exist");
    if (o.param != -1 && (o.param < 0 || static_cast<std::size_t>(o.param) >= program_.params.size())) return malformed(insn, "a parameter that does not exist");
    if (o.shared != -1 && (o.shared < 0 || static_cast<std::size_t>(o.shared) >= program_.shared.size())) return malformed(insn, "a shared array that does not exist");
    if (slot.role == Role::Label) return check_target(insn, o);
    if ((slot.role == Role::Dst || slot.role == Role::DstPred) && (o.kind != Operand::Kind::Reg || o.reg < 0)) return malformed(insn, "its destination is no register");
    if (o.kind == Operand::Kind::Reg) check_class(insn, slot, o);
    if (o.kind == Operand::Kind::Width) check_width(o);
    if (info(insn.op).form == Form::Bar && slot.name == "barrier") check_barrier(o);
  }

  void check_class(const Insn& insn, const Slot& slot, const Operand& o) {
    if (!is_register(o.reg)) return malformed(insn, "a register that does not exist");
    Type type = insn.type;
    if (slot.type == SlotType::T2) type = insn.type2;
    if (slot.type == SlotType::Wide) type = Type::U64;
    if (slot.type == SlotType::U32) type = Type::U32;
    if (slot.type == SlotType::Pred) type = Type::Pred;
    const RegClass cls = class_of(o.reg);
    const bool is_set_of_lanes = cls == RegClass::Mask || cls == RegClass::R32 || cls == RegClass::R64;
    if (slot.type == SlotType::Mask ? !is_set_of_lanes : cls != reg_class(type)) {
      malformed(insn, quoted(program_.registers[static_cast<std::size_t>(o.reg)].name) + " is a " + std::string(name(cls)) + ", operand " + std::string(slot.name) + " is not");
    }
  }

  void check_target(const Insn& insn, const Operand& o) {
    if (o.target >= 0 && static_cast<std::size_t>(o.target) < program_.code.size()) return;
    if (static_cast<std::size_t>(o.target) == program_.code.size()) {
      diagnostics_.error("V003", o.where, "this label stands behind the last instruction", "end the program with `exit`");
    } else {
      diagnostics_.error("V003", insn.where, "the branch leads nowhere");
    }
    well_formed_ = false;
  }

  void check_constant(const ConstExpr& e, SourceRange where) {
    if (e.tokens.size() < 2) return;
    for (unsigned lanes = 1; lanes <= kMostLanes; lanes *= 2) {
      if (!e.divides_by_zero(lanes)) continue;
      diagnostics_.error("V004", where, e.to_string() + " divides by zero at " + at_lanes(lanes), "a program must fit 1, 2, 4 … 64 lanes");
      return;
    }
  }

  void check_width(const Operand& o) {
    for (unsigned lanes = 1; lanes <= kMostLanes; lanes *= 2) {
      const std::int64_t width = o.expr.evaluate(lanes);
      if (width >= 1 && width <= static_cast<std::int64_t>(lanes) && (width & (width - 1)) == 0) return;
    }
    const std::int64_t width = o.expr.evaluate(kMostLanes);
    diagnostics_.error("V005", o.where, "no warp has segments of " + std::to_string(width) + " lanes", "the width is a power of two from 1 to WARP_SZ");
  }

  void check_barrier(const Operand& o) {
    if (o.kind != Operand::Kind::Imm || !o.expr.is_number()) return;
    const std::int64_t number = o.expr.evaluate(1);
    if (number < 0 || number >= kBarriers) diagnostics_.error("V008", o.where, "no barrier " + std::to_string(number), "a block has the barriers 0 to 15");
  }

  // ---- flow
  void check_flow() {
    const Cfg cfg = build_cfg(program_);
    reached_.assign(cfg.blocks.size(), false);
    written_.assign(cfg.blocks.size(), std::vector<bool>(program_.registers.size(), false));
    spread(cfg);
    for (std::size_t b = 0; b < cfg.blocks.size(); ++b) {
      if (!reached_[b]) continue;
      check_reads(cfg.blocks[b], written_[b]);
      check_end(cfg.blocks[b]);
    }
  }

  // written_[b]: the registers that some path from the start to block b writes.
  void spread(const Cfg& cfg) {
    std::vector<std::int32_t> work{0};
    reached_[0] = true;
    while (!work.empty()) {
      const std::size_t b = static_cast<std::size_t>(work.back());
      work.pop_back();
      std::vector<bool> after = written_[b];
      for (std::int32_t pc = cfg.blocks[b].first; pc <= cfg.blocks[b].last; ++pc) add_writes(program_.code[static_cast<std::size_t>(pc)], after);
      for (const std::int32_t next : cfg.blocks[b].successors) {
        if (next == kExit) continue;
        const std::size_t n = static_cast<std::size_t>(next);
        bool changed = !reached_[n];
        reached_[n] = true;
        for (std::size_t r = 0; r < after.size(); ++r) {
          if (!after[r] || written_[n][r]) continue;
          written_[n][r] = true;
          changed = true;
        }
        if (changed) work.push_back(next);
      }
    }
  }

  static void add_writes(const Insn& insn, std::vector<bool>& written) {
    const auto form = slots(info(insn.op).form);
    for (std::size_t k = 0; k < form.size(); ++k) {
      const bool writes = form[k].role == Role::Dst || form[k].role == Role::DstPred;
      if (writes && insn.operands[k].kind == Operand::Kind::Reg) written[static_cast<std::size_t>(insn.operands[k].reg)] = true;
    }
  }

  void check_reads(const BasicBlock& block, std::vector<bool> written) {
    for (std::int32_t pc = block.first; pc <= block.last; ++pc) {
      const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
      const auto form = slots(info(insn.op).form);
      if (insn.guard.reg >= 0) check_read(insn.guard.reg, {insn.where.line, insn.where.column + (insn.guard.negated ? 2 : 1), static_cast<std::uint32_t>(program_.registers[static_cast<std::size_t>(insn.guard.reg)].name.size())}, written);
      for (std::size_t k = 0; k < form.size(); ++k) {
        const bool reads = form[k].role == Role::Src || form[k].role == Role::Addr;
        if (reads && insn.operands[k].reg >= 0) check_read(insn.operands[k].reg, insn.operands[k].where, written);
      }
      add_writes(insn, written);
    }
  }

  void check_read(std::int32_t reg, SourceRange where, std::vector<bool>& written) {
    if (written[static_cast<std::size_t>(reg)]) return;
    written[static_cast<std::size_t>(reg)] = true;
    if (std::find(reported_.begin(), reported_.end(), reg) != reported_.end()) return;
    reported_.push_back(reg);
    const std::string& register_name = program_.registers[static_cast<std::size_t>(reg)].name;
    diagnostics_.error("V001", where, "no path writes " + quoted(register_name) + " before it is read here", hint_for(reg));
  }

  std::string hint_for(std::int32_t reg) const {
    const std::string& register_name = program_.registers[static_cast<std::size_t>(reg)].name;
    const std::string special = special_named(register_name);
    if (!special.empty()) return "did you mean " + special + "?";
    const std::int32_t param = program_.find_param(std::string_view(register_name).substr(1));
    if (param >= 0) return "the parameter is written without %: " + program_.params[static_cast<std::size_t>(param)].name;
    std::vector<bool> ever(program_.registers.size(), false);
    for (const Insn& insn : program_.code) add_writes(insn, ever);
    if (ever[static_cast<std::size_t>(reg)]) return "it is written only after this";
    std::vector<std::string> names;
    for (std::size_t r = 0; r < ever.size(); ++r) {
      if (ever[r] && program_.registers[r].cls == class_of(reg)) names.push_back(program_.registers[r].name);
    }
    const std::string meant = nearest(register_name, names);
    return meant.empty() ? "" : "did you mean " + meant + "?";
  }

  void check_end(const BasicBlock& block) {
    if (static_cast<std::size_t>(block.last) + 1 != program_.code.size()) return;
    const Insn& last = program_.code.back();
    const Lift lift = info(last.op).lift;
    const bool leaves = last.guard.reg < 0 && (lift == Lift::Branch || (lift == Lift::Special && info(last.op).form == Form::None));
    if (!leaves) diagnostics_.error("V002", last.where, "control can go past the last instruction", "end the program with `exit`");
  }

  const Program& program_;
  Diagnostics& diagnostics_;
  bool well_formed_ = true;
  std::vector<bool> reached_;
  std::vector<std::vector<bool>> written_;
  std::vector<std::int32_t> reported_;
};

}  // namespace

void verify(const Program& program, Diagnostics& diagnostics) { Verifier(program, diagnostics).run(); }

}  // namespace warpsim
