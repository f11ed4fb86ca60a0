#include "tools/cuda/benchmarks/clocked.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "isa/program/reads_writes.h"
#include "isa/program/shown_type.h"
#include "isa/table/special.h"
#include "tools/cuda/benchmarks/clocked_region.h"

namespace warpsim {
namespace {

using Kind = Operand::Kind;

class Clocking {
 public:
  Clocking(const Program& program, ClockedRegion region) : program_(program), out_{program, 0, 0}, region_(region) {}
  ClockedProgram run();

 private:
  // ---- what the region reads
  void find_registers();
  bool varies(const Insn& insn) const;
  void replace_specials();
  void replace(Operand& o, Type slot);
  std::int32_t kept(const std::string& name, const Operand& value, bool varying);

  // ---- instructions
  std::int32_t own(const std::string& name, RegClass cls);
  static Operand reg(std::int32_t index);
  static Operand number(std::int64_t value);
  Operand scalar(std::string_view name) const;
  Insn& put(Op op, Type type, std::vector<Operand> operands);
  Operand shared_word(std::int64_t index) const;
  void put_clock(std::int32_t into);
  void put_copy(std::int32_t to, std::int32_t from);
  void put_mixed(std::int32_t x, bool varying);
  void put_gathered(std::int32_t x);
  void put_store(const char* buffer, std::int32_t value);
  void put_originals(std::int32_t from, std::int32_t to);
  RegClass cls(std::int32_t index) const { return out_.program.registers[static_cast<std::size_t>(index)].cls; }

  void put_before();
  void put_pass();
  void put_behind();

  const Program& program_;
  ClockedProgram out_;
  ClockedRegion region_;
  std::vector<Insn> code_;
  std::map<std::int32_t, bool> read_;          // registers from before that the region reads: whether lanes differ
  std::map<std::int32_t, std::int32_t> save_;  // … and writes: where their values are kept
  std::vector<std::int32_t> results_;          // that what stands behind reads
  std::vector<std::pair<Operand, std::int32_t>> specials_;  // the region's special registers and parameters
  std::vector<std::int32_t> moved_;                         // pc there → pc here
  std::int32_t mix_ = -1, mix64_ = -1, mix16_ = -1, mix_pred_ = -1, flag_ = -1, word_ = -1, high_ = -1, passes_ = -1,
               always_ = -1;
  std::int32_t begin_ = -1, end_ = -1, waited_ = -1;
  std::int32_t again_ = 0;
};

// ---- instructions

std::int32_t Clocking::own(const std::string& name, RegClass cls) {
  const std::string full = "%clock_" + name;
  std::vector<Register>& registers = out_.program.registers;
  for (std::size_t k = 0; k < registers.size(); ++k)
    if (registers[k].name == full) return static_cast<std::int32_t>(k);
  registers.push_back({full, cls, Type::None, {}});
  return static_cast<std::int32_t>(registers.size()) - 1;
}
Operand Clocking::reg(std::int32_t index) {
  Operand o;
  o.kind = Kind::Reg;
  o.reg = index;
  return o;
}
Operand Clocking::number(std::int64_t value) {
  Operand o;
  o.kind = Kind::Imm;
  o.expr = ConstExpr::number(value);
  return o;
}
Operand Clocking::scalar(std::string_view name) const {
  Operand o;
  o.kind = Kind::Param;
  o.param = out_.program.find_param(name);
  return o;
}
Insn& Clocking::put(Op op, Type type, std::vector<Operand> operands) {
  Insn insn;
  insn.op = op;
  insn.type = type;
  insn.operands = std::move(operands);
  insn.operands.resize(slots(info(op).form).size());
  code_.push_back(std::move(insn));
  return code_.back();
}

Operand Clocking::shared_word(std::int64_t index) const {
  Operand o;
  o.kind = Kind::Element;
  o.object = static_cast<std::int32_t>(out_.program.objects.size()) - 1;
  o.expr = ConstExpr::number(index);
  return o;
}

void Clocking::put_clock(std::int32_t into) {
  Operand clock;
  clock.kind = Kind::Special;
  clock.special = Special::Clock;
  put(Op::Mov, Type::U32, {reg(into), clock});
}

Type bits_of(RegClass cls) {
  switch (cls) {
    case RegClass::Pred: return Type::Pred;
    case RegClass::R16: return Type::B16;
    case RegClass::R64: return Type::B64;
    case RegClass::Mask: return Type::Mask;
    case RegClass::R32:
    case RegClass::None: break;
  }
  return Type::B32;
}

void Clocking::put_copy(std::int32_t to, std::int32_t from) { put(Op::Mov, bits_of(cls(from)), {reg(to), reg(from)}); }

// x keeps its value; a set of lanes has no zero of its own and is left as it is.
void Clocking::put_mixed(std::int32_t x, bool varying) {
  switch (cls(x)) {
    case RegClass::R64:
      put(Op::Xor, Type::B64, {reg(x), reg(x), varying ? reg(mix64_) : scalar("clock_zero64")});
      return;
    case RegClass::R16: put(Op::XorNarrow, Type::B16, {reg(x), reg(x), reg(mix16_)}); return;
    case RegClass::Pred: put(Op::Xor, Type::Pred, {reg(x), reg(x), reg(mix_pred_)}); return;
    case RegClass::R32: put(Op::Xor, Type::B32, {reg(x), reg(x), varying ? reg(mix_) : scalar("clock_zero")}); return;
    case RegClass::Mask:
    case RegClass::None: return;
  }
}

// mix |= x & clock_zero
void Clocking::put_gathered(std::int32_t x) {
  std::int32_t word = word_;
  switch (cls(x)) {
    case RegClass::R64:
      put(Op::Unpack2, Type::B64, {reg(word_), reg(high_), reg(x)});
      put(Op::Xor, Type::B32, {reg(word_), reg(word_), reg(high_)});
      break;
    case RegClass::R16: put(Op::Cvt, Type::U32, {reg(word_), reg(x)}).type2 = Type::U16; break;
    case RegClass::Pred: put(Op::Selp, Type::B32, {reg(word_), number(1), number(0), reg(x)}); break;
    case RegClass::Mask: put(Op::Popc, Type::Mask, {reg(word_), reg(x)}); break;
    case RegClass::R32:
    case RegClass::None: word = x; break;
  }
  put(Op::And, Type::B32, {reg(word_), reg(word), scalar("clock_zero")});
  put(Op::Or, Type::B32, {reg(mix_), reg(mix_), reg(word_)});
}

void Clocking::put_store(const char* buffer, std::int32_t value) {
  Operand element;
  element.kind = Kind::Element;
  element.param = out_.program.find_param(buffer);
  element.special_index = static_cast<std::int32_t>(Special::WarpId);
  put(Op::StGlobal, Type::U32, {element, reg(value)}).guard = {flag_, false};
}

void Clocking::put_originals(std::int32_t from, std::int32_t to) {
  for (std::int32_t pc = from; pc < to; ++pc) {
    moved_[static_cast<std::size_t>(pc)] = static_cast<std::int32_t>(code_.size());
    code_.push_back(out_.program.code[static_cast<std::size_t>(pc)]);
  }
}

// ---- what the region reads

// Whether the lanes' results may differ, as far as what stands before the region goes.
bool Clocking::varies(const Insn& insn) const {
  const Lift lift = info(insn.op).lift;
  if (lift == Lift::Load || lift == Lift::Atomic || crosses_lanes(lift)) return true;
  bool varying = false;
  for_each_read(insn, [&](std::int32_t r) {
    const auto found = read_.find(r);
    varying = varying || (found != read_.end() && found->second);
  });
  for (const Operand& o : insn.operands) varying = varying || o.kind == Kind::Special || o.special_index >= 0;
  return varying;
}

void Clocking::find_registers() {
  std::map<std::int32_t, bool> before;
  for (std::int32_t pc = 0; pc < region_.first; ++pc) {
    const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
    const bool varying = varies(insn);
    for_each_written(insn, [&](std::int32_t r) {
      before[r] = before[r] || varying;
      read_[r] = before[r];
    });
  }
  std::set<std::int32_t> used, written, behind;
  for (std::size_t pc = 0; pc < program_.code.size(); ++pc) {
    const Insn& insn = program_.code[pc];
    const bool inside = static_cast<std::int32_t>(pc) >= region_.first && static_cast<std::int32_t>(pc) < region_.last;
    if (inside) for_each_written(insn, [&](std::int32_t r) { written.insert(r); });
    if (inside && insn.guard.reg >= 0) for_each_written(insn, [&](std::int32_t r) { used.insert(r); });
    if (inside) for_each_read(insn, [&](std::int32_t r) { used.insert(r); });
    if (static_cast<std::int32_t>(pc) >= region_.last) for_each_read(insn, [&](std::int32_t r) { behind.insert(r); });
  }
  read_.clear();
  for (const auto& [r, varying] : before)
    if (used.count(r) != 0) read_[r] = varying;
  for (const auto& [r, varying] : read_)
    if (written.count(r) != 0) save_[r] = -1;
  for (const std::int32_t r : written)
    if (behind.count(r) != 0) results_.push_back(r);
}

// Special registers and parameters in the region → registers that are filled before.
void Clocking::replace_specials() {
  for (std::int32_t pc = region_.first; pc < region_.last; ++pc) {
    Insn& insn = out_.program.code[static_cast<std::size_t>(pc)];
    const auto form = slots(info(insn.op).form);
    for (std::size_t k = 0; k < insn.operands.size(); ++k) {
      const bool source = form[k].role == Role::Src || form[k].role == Role::Addr;
      if (source && info(insn.op).lift != Lift::LoadParam)
        replace(insn.operands[k], slot_type(form[k].type, insn.type, insn.type2));
    }
  }
}

void Clocking::replace(Operand& o, Type slot) {
  const bool indexes = o.special_index >= 0;
  if (!indexes && (bits(slot) != 32 || slot == Type::Mask)) return;
  if (o.kind == Kind::Special || indexes) {
    const Special special = indexes ? static_cast<Special>(o.special_index) : o.special;
    if (is_clock(special) || info(special).type != Type::U32) return;
    Operand value;
    value.kind = Kind::Special;
    value.special = special;
    std::string name(warpsim::name(special).substr(1));
    std::replace(name.begin(), name.end(), '.', '_');
    const std::int32_t held = kept(name, value, true);
    if (!indexes) o = reg(held);
    o.reg = held;
    o.special_index = -1;
  } else if (o.kind == Kind::Param) {
    const Param& p = program_.params[static_cast<std::size_t>(o.param)];
    if (bits(p.type) == 32) o = reg(kept("of_" + p.name, o, false));
  }
}

std::int32_t Clocking::kept(const std::string& name, const Operand& value, bool varying) {
  const std::int32_t held = own(name, RegClass::R32);
  if (read_.emplace(held, varying).second) specials_.emplace_back(value, held);
  return held;
}

// ---- the program

void Clocking::put_before() {
  put_originals(0, region_.first);
  put(Op::Mov, Type::U32, {reg(passes_), scalar("clock_passes")});
  put(Op::Mov, Type::U32, {reg(mix_), scalar("clock_zero")});
  put(Op::StShared, Type::U32, {shared_word(0), number(0)});
  put(Op::SetpEq, Type::U32, {reg(always_), {}, scalar("clock_zero"), number(0)});
  for (const auto& [value, held] : specials_) put(Op::Mov, Type::B32, {reg(held), value});
  for (auto& [r, saved] : save_) {
    saved = own("saved_" + std::to_string(r), cls(r));
    put_copy(saved, r);
  }
}

void Clocking::put_pass() {
  again_ = static_cast<std::int32_t>(code_.size());
  const auto any = [&](RegClass wanted) {
    return std::any_of(read_.begin(), read_.end(), [&](const auto& one) { return cls(one.first) == wanted; });
  };
  if (any(RegClass::R64))
    put(Op::Cvt, Type::U64, {reg(mix64_ = own("mix64", RegClass::R64)), reg(mix_)}).type2 = Type::U32;
  if (any(RegClass::R16))
    put(Op::Cvt, Type::U16, {reg(mix16_ = own("mix16", RegClass::R16)), reg(mix_)}).type2 = Type::U32;
  if (any(RegClass::Pred))
    put(Op::SetpNe, Type::U32, {reg(mix_pred_ = own("mix_pred", RegClass::Pred)), {}, reg(mix_), number(0)});
  for (const auto& [r, varying] : read_) {
    const auto saved = save_.find(r);
    put_mixed(saved == save_.end() ? r : saved->second, varying);
    if (saved != save_.end()) put_copy(r, saved->second);
  }
  put(Op::BarSync, Type::None, {number(0)});
  put(Op::LdShared, Type::U32, {reg(waited_), shared_word(0)});
  put(Op::StShared, Type::U32, {shared_word(1), reg(waited_)});
  // Guarded, the clock behind the region seldom gets a register that the region's last instructions have yet to read:
  // it would wait for them.
  put(Op::Mov, Type::U32, {reg(end_), reg(passes_)});
  put_clock(begin_);
  out_.first = static_cast<std::int32_t>(code_.size());
  put_originals(region_.first, region_.last);
  out_.last = static_cast<std::int32_t>(code_.size());
  put_clock(end_);
  code_.back().guard = {always_, false};
  put(Op::Mov, Type::U32, {reg(mix_), scalar("clock_zero")});
  for (const std::int32_t r : results_) put_gathered(r);
  // So no instruction of the region can have its register: the store in front of the clock reads that late.
  put(Op::Xor, Type::B32, {reg(word_), reg(end_), reg(waited_)});
  put_gathered(word_);
  put(Op::Sub, Type::U32, {reg(passes_), reg(passes_), number(1)});
  put(Op::Xor, Type::B32, {reg(passes_), reg(passes_), reg(mix_)});
  put(Op::SetpNe, Type::U32, {reg(flag_), {}, reg(passes_), number(0)});
  Operand target;
  target.kind = Kind::Label;
  target.target = again_;
  put(Op::Bra, Type::None, {target}).guard = {flag_, false};
}

// The lowest lane of each warp says what its clocks were.
void Clocking::put_behind() {
  Operand lane;
  lane.kind = Kind::Special;
  lane.special = Special::LaneId;
  put(Op::SetpEq, Type::U32, {reg(flag_), {}, lane, number(0)});
  put_store("clock_begin", begin_);
  put_store("clock_end", end_);
  put_originals(region_.last, static_cast<std::int32_t>(program_.code.size()));
}

ClockedProgram Clocking::run() {
  Program& program = out_.program;
  const std::string most = std::to_string(kMostClockedWarps);
  program.params.push_back({"clock_begin", Param::Kind::Out, Type::U32, most, "", {}});
  program.params.push_back({"clock_end", Param::Kind::Out, Type::U32, most, "", {}});
  program.params.push_back({"clock_passes", Param::Kind::Scalar, Type::U32, "", std::to_string(kClockPasses), {}});
  program.params.push_back({"clock_zero", Param::Kind::Scalar, Type::U32, "", "0", {}});
  program.params.push_back({"clock_zero64", Param::Kind::Scalar, Type::U64, "", "0", {}});
  place_params(program.params);
  mix_ = own("mix", RegClass::R32);
  word_ = own("word", RegClass::R32);
  high_ = own("high", RegClass::R32);
  passes_ = own("passes_left", RegClass::R32);
  flag_ = own("flag", RegClass::Pred);
  always_ = own("always", RegClass::Pred);
  begin_ = own("begin", RegClass::R32);
  end_ = own("end", RegClass::R32);
  waited_ = own("waited", RegClass::R32);
  program.objects.push_back({"clock_shared", AddressSpace::Shared, Type::U32, ConstExpr::number(2), 0, {}, {}});
  find_registers();
  replace_specials();
  moved_.assign(program_.code.size() + 1, 0);
  put_before();
  put_pass();
  put_behind();
  moved_.back() = static_cast<std::int32_t>(code_.size());
  for (std::size_t pc = 0; pc < program_.code.size(); ++pc) {
    if (program_.code[pc].op != Op::Bra) continue;
    // A jump to the end of the region comes to the clock that is read there.
    const bool inside = static_cast<std::int32_t>(pc) >= region_.first && static_cast<std::int32_t>(pc) < region_.last;
    const std::int32_t target = program_.code[pc].operands[0].target;
    code_[static_cast<std::size_t>(moved_[pc])].operands[0].target =
        inside && target == region_.last ? out_.last : moved_[static_cast<std::size_t>(target)];
  }
  program.code = std::move(code_);
  for (auto& [name, pc] : program.labels) pc = pc == region_.last ? out_.last : moved_[static_cast<std::size_t>(pc)];
  program.labels.emplace_back("clock_again", again_);
  program.assertions.clear();
  infer_shown_types(program);
  return std::move(out_);
}

}  // namespace

std::variant<ClockedProgram, NotClocked> clocked(const Program& program) {
  for (const char* name : {"clock_begin", "clock_end", "clock_passes", "clock_zero", "clock_zero64"})
    if (program.find_param(name) >= 0) return NotClocked{"it has a parameter " + std::string(name) + " of its own"};
  const auto found = find_clocked_region(program);
  if (const NotClocked* why = std::get_if<NotClocked>(&found)) return *why;
  return Clocking(program, std::get<ClockedRegion>(found)).run();
}

}  // namespace warpsim
