// What is wrong with a program before it runs, whatever front end it comes from.
//
// Shapes: first each instruction by itself (V006: operands fit their slots); only if all do, the flow of control and
//         of registers.
// Units:  pcs count instructions.
// Errors: V001 register that no path writes, V002 control falls off the end, V003 branch target, V004 division by
//         zero in a constant, V005 shuffle width, V006 malformed instruction, V007 no instructions, V008 barrier
//         number, V009 assertion after the last instruction, V010 a clock that is not read by a mov of its width.
// Source: Tarjan, "Depth-First Search and Linear Graph Algorithms" (1972). PTX ISA 9.0: barriers 0 … 15 in section
//         9.7.13.1.
#include <algorithm>
#include <utility>

#include "isa/program/cfg.h"
#include "isa/program/reads_writes.h"
#include "isa/program/verifier.h"
#include "isa/table/special.h"
#include "isa/text/lines.h"
#include "isa/text/number_text.h"

namespace warpsim {
namespace {

constexpr unsigned kMostLanes = 64;
constexpr std::int64_t kBarriers = 16;
constexpr std::size_t kMostMessages = 50;  // of one kind

// One bit a register.
using Bits = std::vector<std::uint64_t>;
bool has_bit(const Bits& bits, std::int32_t i) { return (bits[static_cast<std::size_t>(i) / 64] >> (i % 64) & 1) != 0; }
void set_bit(Bits& bits, std::int32_t i) { bits[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << (i % 64); }
void unite(Bits& into, const Bits& from) {
  if (into.size() < from.size()) into.resize(from.size(), 0);
  for (std::size_t i = 0; i < from.size(); ++i) into[i] |= from[i];
}

void add_writes(const Insn& insn, Bits& written) {
  for_each_written(insn, [&written](std::int32_t reg) { set_bit(written, reg); });
}

// The strongly connected components that the first block leads to, in reverse topological order, without recursion.
class Components {
 public:
  explicit Components(const Cfg& cfg)
      : cfg_(cfg), number_(cfg.blocks.size(), 0), lowest_(cfg.blocks.size(), 0), open_(cfg.blocks.size(), false) {
    visit(0);
    while (!path_.empty()) step();
  }
  std::vector<std::vector<std::int32_t>> found;

 private:
  struct Place {
    std::size_t block, edge;
  };
  void visit(std::size_t block) {
    number_[block] = lowest_[block] = ++count_;
    open_[block] = true;
    stack_.push_back(static_cast<std::int32_t>(block));
    path_.push_back({block, 0});
  }
  void step() {
    Place& place = path_.back();
    const std::size_t b = place.block;
    const std::vector<std::int32_t>& next = cfg_.blocks[b].successors;
    if (place.edge == next.size()) return leave(b);
    const std::int32_t to = next[place.edge++];
    if (to == kExit) return;
    const std::size_t n = static_cast<std::size_t>(to);
    if (number_[n] == 0) visit(n);
    else if (open_[n]) lowest_[b] = std::min(lowest_[b], number_[n]);
  }
  void leave(std::size_t b) {
    path_.pop_back();
    if (!path_.empty()) lowest_[path_.back().block] = std::min(lowest_[path_.back().block], lowest_[b]);
    if (lowest_[b] != number_[b]) return;
    found.emplace_back();
    std::int32_t member = -1;
    do {
      member = stack_.back();
      stack_.pop_back();
      open_[static_cast<std::size_t>(member)] = false;
      found.back().push_back(member);
    } while (static_cast<std::size_t>(member) != b);
  }

  const Cfg& cfg_;
  std::vector<std::size_t> number_, lowest_;  // Tarjan's; 0: not yet visited
  std::vector<bool> open_;
  std::vector<std::int32_t> stack_;
  std::vector<Place> path_;
  std::size_t count_ = 0;
};

// Before each block: the registers that some path from the start writes; empty where no path leads. Inside a loop every
// block follows every other, so one pass over the components is enough.
std::vector<Bits> written_before(const Program& program, const Cfg& cfg) {
  const Bits none((program.registers.size() + 63) / 64 + 1, 0);
  const Components components(cfg);
  std::vector<Bits> before(cfg.blocks.size());
  before[0] = none;
  for (std::size_t c = components.found.size(); c-- > 0;) {
    const std::vector<std::int32_t>& members = components.found[c];
    Bits in = none;
    for (const std::int32_t b : members) unite(in, before[static_cast<std::size_t>(b)]);
    Bits out = in;
    for (const std::int32_t b : members) {
      const BasicBlock& block = cfg.blocks[static_cast<std::size_t>(b)];
      for (std::int32_t pc = block.first; pc <= block.last; ++pc) {
        add_writes(program.code[static_cast<std::size_t>(pc)], out);
      }
      before[static_cast<std::size_t>(b)] = in;
    }
    // Where the component is a loop, its own blocks are among the successors.
    for (const std::int32_t b : members) {
      for (const std::int32_t next : cfg.blocks[static_cast<std::size_t>(b)].successors) {
        if (next != kExit) unite(before[static_cast<std::size_t>(next)], out);
      }
    }
  }
  return before;
}

class Verifier {
 public:
  Verifier(const Program& program, Diagnostics& diagnostics) : program_(program), diagnostics_(diagnostics) {}

  void run() {
    if (program_.code.empty()) {
      diagnostics_.error("V007", {}, "the program has no instructions", "the least is `exit`");
      return;
    }
    for (const Assertion& one : program_.assertions)
      if (one.pc < 0 || static_cast<std::size_t>(one.pc) >= program_.code.size())
        diagnostics_.error("V009", one.where, "an assertion after the last instruction",
                           "put it before an instruction");
    for (const Object& s : program_.objects) check_constant(s.length, s.where);
    for (const Insn& insn : program_.code) check_insn(insn);
    if (!well_formed_) return;
    check_flow();
  }

 private:
  void malformed(const Insn& insn, const std::string& why) {
    well_formed_ = false;
    diagnostics_.error("V006", insn.where, quoted(spelling(insn.op)) + ": " + why);
  }
  bool is_register(std::int32_t reg) const {
    return reg >= 0 && static_cast<std::size_t>(reg) < program_.registers.size();
  }
  RegClass class_of(std::int32_t reg) const { return program_.registers[static_cast<std::size_t>(reg)].cls; }

  void check_insn(const Insn& insn) {
    const OpInfo& row = info(insn.op);
    const auto form = slots(row.form);
    if (insn.operands.size() != form.size()) return malformed(insn, "it has not as many operands as its form");
    if (!contains(row.types, insn.type))
      return malformed(insn, "it does not take the type ." + std::string(name(insn.type)));
    if (has_second_type(row.form) && !contains(second_types(row.types), insn.type2))
      return malformed(insn, "its second type is not ." + std::string(name(insn.type2)));
    if (has_second_type(row.form) && !takes_types(row, insn.type, insn.type2))
      return malformed(
          insn, "it does not go from ." + std::string(name(insn.type2)) + " to ." + std::string(name(insn.type)));
    if (insn.guard.reg != -1 && (!is_register(insn.guard.reg) || class_of(insn.guard.reg) != RegClass::Pred))
      return malformed(insn, "its guard is no predicate");
    for (std::size_t k = 0; k < form.size(); ++k) check_operand(insn, form[k], insn.operands[k]);
  }

  void check_operand(const Insn& insn, const Slot& slot, const Operand& o) {
    check_constant(o.expr, o.where);
    if (is_combined(slot) && (o.kind != Operand::Kind::None) != has_slot(slot, insn.mods))
      return malformed(insn, "operand c goes with .and, .or or .xor");
    if (o.kind == Operand::Kind::None) {
      if (may_be_dropped(info(insn.op), slot)) return;
      if (slot.when_absent == Default::Required || is_hidden(slot))
        malformed(insn, "operand " + std::string(slot.name) + " is missing");
      return;
    }
    if (o.reg != -1 && !is_register(o.reg)) return malformed(insn, "a register that does not exist");
    if (o.param != -1 && (o.param < 0 || static_cast<std::size_t>(o.param) >= program_.params.size()))
      return malformed(insn, "a parameter that does not exist");
    if (o.object != -1 && (o.object < 0 || static_cast<std::size_t>(o.object) >= program_.objects.size()))
      return malformed(insn, "a shared array that does not exist");
    if (slot.role == Role::Label) return check_target(insn, o);
    if ((slot.role == Role::Dst || slot.role == Role::DstPred) && (o.kind != Operand::Kind::Reg || o.reg < 0))
      return malformed(insn, "its destination is no register");
    if (slot.type == SlotType::Byte && o.kind != Operand::Kind::Imm)
      return malformed(insn, "operand " + std::string(slot.name) + " is no constant");
    if (slot.name == "size" && !takes_size(insn.op, o.expr.evaluate(1)))
      return malformed(insn, "it does not copy so many bytes");
    if (o.kind == Operand::Kind::Reg) check_class(insn, slot, o);
    if (o.kind == Operand::Kind::Width) check_width(o);
    if (o.kind == Operand::Kind::Special || o.special_index >= 0) check_clock(insn, o);
    if (slot.name == "barrier") check_barrier(o);
  }

  void check_class(const Insn& insn, const Slot& slot, const Operand& o) {
    if (!is_register(o.reg)) return malformed(insn, "a register that does not exist");
    const Type type = slot_type(slot.type, insn.type, insn.type2);
    const RegClass cls = class_of(o.reg);
    const bool is_set_of_lanes = cls == RegClass::Mask || cls == RegClass::R32 || cls == RegClass::R64;
    if (slot.type == SlotType::Mask ? !is_set_of_lanes : cls != reg_class(type)) {
      malformed(insn, quoted(program_.registers[static_cast<std::size_t>(o.reg)].name) + " is a " +
                          std::string(name(cls)) + ", operand " + std::string(slot.name) + " is not");
    }
  }

  void check_target(const Insn& insn, const Operand& o) {
    if (o.target >= 0 && static_cast<std::size_t>(o.target) < program_.code.size()) return;
    if (static_cast<std::size_t>(o.target) == program_.code.size()) {
      diagnostics_.error("V003", o.where, "this label comes after the last instruction", "end the program with `exit`");
    } else {
      diagnostics_.error("V003", insn.where, "the branch leads nowhere");
    }
    well_formed_ = false;
  }

  void check_constant(const ConstExpr& e, SourceRange where) {
    if (e.tokens.size() < 2) return;
    for (unsigned lanes = 1; lanes <= kMostLanes; lanes *= 2) {
      if (!e.divides_by_zero(lanes) || bad_constants_ >= kMostMessages) continue;
      ++bad_constants_;
      diagnostics_.error("V004", where, e.to_string() + " divides by zero at " + counted(lanes, "lane"),
                         "a program must fit 1, 2, 4 … 64 lanes");
      return;
    }
  }

  void check_width(const Operand& o) {
    for (unsigned lanes = 1; lanes <= kMostLanes; lanes *= 2) {
      const std::int64_t width = o.expr.evaluate(lanes);
      if (width >= 1 && width <= static_cast<std::int64_t>(lanes) && (width & (width - 1)) == 0) return;
    }
    const std::int64_t width = o.expr.evaluate(kMostLanes);
    diagnostics_.error("V005", o.where, "no warp has segments of " + std::to_string(width) + " lanes",
                       "the width is a power of two from 1 to WARP_SZ");
  }

  // Other special registers keep their value through a run: only these must be read at one place in it.
  void check_clock(const Insn& insn, const Operand& o) {
    const Special special = o.kind == Operand::Kind::Special ? o.special : static_cast<Special>(o.special_index);
    if (!is_clock(special) || (insn.op == Op::Mov && bits(insn.type) == bits(info(special).type))) return;
    const std::string read = "mov." + std::string(name(info(special).type)) + " %t, " + std::string(name(special));
    diagnostics_.error(
        "V010", o.where,
        quoted(name(special)) + " is read by a mov of " + std::to_string(bits(info(special).type)) + " bits alone",
        "write `" + read + "` before this, and %t here");
  }

  void check_barrier(const Operand& o) {
    if (o.kind != Operand::Kind::Imm || !o.expr.is_number()) return;
    const std::int64_t number = o.expr.evaluate(1);
    if (number < 0 || number >= kBarriers)
      diagnostics_.error("V008", o.where, "no barrier " + std::to_string(number), "a block has the barriers 0 to 15");
  }

  // ---- flow
  void check_flow() {
    const Cfg cfg = build_cfg(program_);
    const std::vector<Bits> before = written_before(program_, cfg);
    for (std::size_t b = 0; b < cfg.blocks.size(); ++b) {
      if (before[b].empty()) continue;  // nothing leads there
      check_reads(cfg.blocks[b], before[b]);
      check_end(cfg.blocks[b]);
    }
  }

  void check_reads(const BasicBlock& block, Bits written) {
    for (std::int32_t pc = block.first; pc <= block.last; ++pc) {
      const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
      const auto form = slots(info(insn.op).form);
      if (insn.guard.reg >= 0) check_read(insn.guard.reg, guard_place(insn), written);
      for (std::size_t k = 0; k < form.size(); ++k) {
        const bool reads = form[k].role == Role::Src || form[k].role == Role::Addr;
        if (reads && insn.operands[k].reg >= 0) check_read(insn.operands[k].reg, insn.operands[k].where, written);
      }
      add_writes(insn, written);
    }
  }

  SourceRange guard_place(const Insn& insn) const {
    const std::size_t length = program_.registers[static_cast<std::size_t>(insn.guard.reg)].name.size();
    return {insn.where.line, insn.where.column + (insn.guard.negated ? 2 : 1), static_cast<std::uint32_t>(length)};
  }

  void check_read(std::int32_t reg, SourceRange where, Bits& written) {
    if (has_bit(written, reg)) return;
    set_bit(written, reg);
    if (reported_.size() >= kMostMessages || std::find(reported_.begin(), reported_.end(), reg) != reported_.end())
      return;
    reported_.push_back(reg);
    const std::string& register_name = program_.registers[static_cast<std::size_t>(reg)].name;
    diagnostics_.error("V001", where, "no path writes " + quoted(register_name) + " before it is read here",
                       hint_for(reg, where));
  }

  Hint hint_for(std::int32_t reg, SourceRange where) const {
    const std::string& register_name = program_.registers[static_cast<std::size_t>(reg)].name;
    if (register_name == kCarryFlag) return "add.cc, sub.cc, mad.lo.cc and mad.hi.cc write the carry flag";
    const std::string special = special_named(register_name);
    if (!special.empty()) return did_you_mean(where, special);
    if (is_unsupported_special(register_name)) return "a special register of PTX, which is not supported yet";
    const std::int32_t param = program_.find_param(std::string_view(register_name).substr(1));
    if (param >= 0) {
      const std::string& parameter = program_.params[static_cast<std::size_t>(param)].name;
      return {"a parameter is written without %: " + parameter, {{where, parameter}}};
    }
    Bits ever((program_.registers.size() + 63) / 64, 0);
    for (const Insn& insn : program_.code) add_writes(insn, ever);
    if (has_bit(ever, reg)) return "it is written only after this";
    std::vector<std::string> names;
    for (const SpecialInfo& row : all_specials()) names.push_back(std::string(row.name));
    for (std::size_t r = 0; r < program_.registers.size(); ++r) {
      if (has_bit(ever, static_cast<std::int32_t>(r)) && program_.registers[r].cls == class_of(reg))
        names.push_back(program_.registers[r].name);
    }
    const std::string meant = nearest(register_name, names);
    return did_you_mean(where, meant);
  }

  // In a line of its own, below this and as far from the left.
  Fix exit_after(SourceRange last) const {
    const std::string_view line = line_in(diagnostics_.text_of(last), last.line);
    const std::string_view blanks = line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
    return {{last.line, static_cast<std::uint32_t>(line.size()) + 1, 0}, "\n" + std::string(blanks) + "exit"};
  }

  void check_end(const BasicBlock& block) {
    if (static_cast<std::size_t>(block.last) + 1 != program_.code.size()) return;
    const Insn& last = program_.code.back();
    const Lift lift = info(last.op).lift;
    const bool leaves =
        last.guard.reg < 0 && (lift == Lift::Branch || (lift == Lift::Special && info(last.op).form == Form::None));
    if (!leaves)
      diagnostics_.error("V002", last.where, "control can go past the last instruction",
                         {"end the program with `exit`", {exit_after(last.where)}});
  }

  const Program& program_;
  Diagnostics& diagnostics_;
  bool well_formed_ = true;
  std::size_t bad_constants_ = 0;
  std::vector<std::int32_t> reported_;
};

}  // namespace

void verify(const Program& program, Diagnostics& diagnostics) { Verifier(program, diagnostics).run(); }

}  // namespace warpsim
