// Program → PTX: the instructions. See ptx_writer.h.
#include <algorithm>
#include <utility>

#include "isa/assembly/disassembler.h"
#include "isa/assembly/opcode.h"
#include "isa/kernels/shuffle_mode.h"
#include "isa/kernels/softfloat.h"
#include "isa/ptx_writer/ptx_kernel.h"
#include "isa/table/special.h"

namespace warpsim {
namespace {

using Kind = Operand::Kind;

// Moves and accesses know 16-bit floats and pairs as bits only.
Type bits_only(Type type) {
  if (contains(kHalfFloat, type)) return Type::B16;
  return is_pair(type) ? Type::B32 : ptx_type(type);
}
bool knows_bits_only(Op op) {
  const Lift lift = info(op).lift;
  return lift == Lift::Load || lift == Lift::Store || lift == Lift::LoadParam ||
         has_trait(info(op), kCopies | kSelects);
}

std::string opcode(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  Opcode written{insn.op, ptx_type(insn.type), ptx_type(insn.type2), insn.mods, false};
  if (knows_bits_only(insn.op)) written.type = bits_only(insn.type);
  const bool rounds = (row.mods & kRnd) != 0 && is_float(element(insn.type));
  if (rounds && written.mods.round == Round::None) written.mods.round = Round::Rn;  // else ptxas fuses it
  if (access_of(row) == AccessKind::Reduction)
    written.mods.memory.semantics = as_reduction(written.mods.memory.semantics);
  written.mods.memory.hints &= static_cast<HintSet>(~kL2Hints);  // PTX has them from sm_100 on, and they change nothing
  std::string text = opcode_text(written);
  switch (row.lift) {  // PTX writes .sync where lanes converge, the table does not
    case Lift::Shuffle:
    case Lift::Vote:
    case Lift::Redux: return text.insert(text.find('.'), ".sync");
    case Lift::Match: return text.insert(row.mnemonic.size(), ".sync");
    case Lift::Nothing: return insn.op == Op::FenceProxyAsyncShared ? text + "::cta" : text;
    default: return text;
  }
}

// Untyped, as wide as the register.
Type raw_bits(Type type) {
  const int width = bits(ptx_type(type));
  return width == 64 ? Type::B64 : width == 32 ? Type::B32 : Type::B16;
}

// Place and length of a bit field: as literals ptxas takes them up to 255 only.
bool is_field(Form form, const Slot& slot) {
  return (form == Form::DASS || form == Form::DABSS) && slot.type == SlotType::U32;
}

// Rows that ptxas turns into several instructions, some of which may lack the guard. Those of the carry chains
// write their flag only under the guard itself.
bool loses_guards(Op op) {
  const auto form = slots(info(op).form);
  return info(op).lift == Lift::Bits && std::none_of(form.begin(), form.end(), is_hidden);
}

// A comparison of 16-bit floats writes one predicate in PTX: the opposite is a line of its own.
bool needs_opposite(const Insn& insn) {
  return info(insn.op).form == Form::PAB && contains(kHalfFloat, insn.type) &&
         insn.operands[1].kind != Operand::Kind::None;
}

// PTX has no literals of 16-bit floats, pairs and bytes.
bool has_literals(Type type) { return !contains(kHalfFloat, type) && !is_pair(type) && bits(ptx_type(type)) != 8; }

}  // namespace

std::string ptx_number(std::uint64_t value, Type type) {
  if (type == Type::Pred) return value != 0 ? "1" : "0";
  if (type == Type::F32) return "0f" + ptx_hex(value & 0xffffffff, 8);
  if (type == Type::F64) return "0d" + ptx_hex(value, 16);
  switch (bits(ptx_type(type))) {
    case 8:
    case 16: return std::to_string(value & 0xffff);
    case 32:
      return is_signed(type) ? std::to_string(static_cast<std::int32_t>(value)) : std::to_string(value & 0xffffffff);
    default: return "0x" + ptx_hex(value, 1);
  }
}

// ---- operands

std::uint64_t PtxKernelText::immediate_bits(const Operand& o, Type type) const {
  switch (o.kind) {
    case Kind::BitsImm: return o.float_bits;
    case Kind::FloatImm: return softfloat::literal(type, o.float_bits);
    case Kind::ObjectAddr: return shared_offsets_[static_cast<std::size_t>(o.object)];
    default: return static_cast<std::uint64_t>(o.expr.evaluate(options_.lanes));
  }
}

// As PTX writes it; `in_register` where PTX takes no literal.
std::string PtxKernelText::source(const Operand& o, Type type, bool in_register) {
  if (is_module_)
    if (std::string named = symbol(o); !named.empty()) return named;
  switch (o.kind) {
    case Kind::Reg: return reg(o.reg);
    case Kind::Special:
      return is_clock(o.special) ? std::string(name(o.special)) : kept_special(o.special, bits(type) == 64);
    case Kind::BufferAddr: return kept_param(o.param);
    case Kind::Param: {
      const Type held = program_.params[static_cast<std::size_t>(o.param)].type;
      const std::string kept = kept_param(o.param);
      return ptx_register_type(held) == ptx_register_type(type) ? kept : converted(kept, held, type);
    }
    default: break;
  }
  const std::uint64_t value = immediate_bits(o, type);
  if (options_.backend && type != Type::Pred) return unfolded(ptx_number(value, raw_bits(type)), type);
  if ((!in_register || is_module_) && has_literals(type)) return ptx_number(value, type);
  const std::string temporary = fresh(type);
  if (type == Type::Pred) line("setp.ne.u32 " + temporary + ", " + std::to_string(value != 0 ? 1 : 0) + ", 0");
  else line("mov." + ptx_register_type(type) + " " + temporary + ", " + ptx_number(value, bits_only(type)));
  return temporary;
}

// The bits of a scalar parameter in a register of another width.
std::string PtxKernelText::converted(const std::string& kept, Type held, Type type) {
  const std::string temporary = fresh(type);
  const std::string from = ptx_register_type(held).substr(1), to = ptx_register_type(type).substr(1);
  if (type == Type::Pred) line("setp.ne.u" + from + " " + temporary + ", " + kept + ", 0");
  else line("cvt.u" + to + ".u" + from + " " + temporary + ", " + kept);
  return temporary;
}

std::string PtxKernelText::predicate(const Operand& o, bool may_negate) {
  if (o.kind != Kind::Reg) return source(o, Type::Pred, true);
  if (!o.negated) return reg(o.reg);
  if (may_negate) return "!" + reg(o.reg);
  const std::string temporary = fresh(Type::Pred);
  line("not.pred " + temporary + ", " + reg(o.reg));
  return temporary;
}

std::string PtxKernelText::member_mask(const Operand& o) {
  if (o.kind != Kind::None) return source(o, Type::B32);
  return "0x" + ptx_hex((std::uint64_t{1} << options_.lanes) - 1, 8);
}

// A count of simulated threads → whole warps of 32.
std::string PtxKernelText::barrier_count(const Operand& o) {
  const unsigned lanes = options_.lanes, factor = kPtxLanes / lanes;
  if (o.kind != Kind::Reg && o.kind != Kind::Special && o.kind != Kind::Param)
    return std::to_string((immediate_bits(o, Type::U32) + lanes - 1) / lanes * kPtxLanes);
  const std::string given = source(o, Type::U32), count = fresh(Type::U32);
  line("add.u32 " + count + ", " + given + ", " + std::to_string(lanes - 1));
  line("and.b32 " + count + ", " + count + ", " + std::to_string(~(lanes - 1)));
  line("mul.lo.u32 " + count + ", " + count + ", " + std::to_string(factor));
  return count;
}

// ---- addresses

// base + (index + constant) * scale. The program's own address is needed for a record alone.
std::string PtxKernelText::address(const Operand& o, bool shared) {
  if (is_module_) return named_address(o);
  std::uint64_t scale = 1, constant = 0;
  if (o.kind == Kind::Element) {
    const Type type = o.param >= 0 ? program_.params[static_cast<std::size_t>(o.param)].type
                                   : program_.objects[static_cast<std::size_t>(o.object)].type;
    scale = static_cast<std::uint64_t>(bytes(type));
  }
  if (!o.expr.empty()) constant = static_cast<std::uint64_t>(o.expr.evaluate(options_.lanes)) * scale;
  if (o.object >= 0) constant += shared_offsets_[static_cast<std::size_t>(o.object)];
  const std::string index = scaled_index(o, scale);
  if (options_.records) keep_address(o.param >= 0 ? kept_param(o.param) : "", index, constant);
  std::string base;
  if (shared) base = kept_shared();
  else if (o.param >= 0) base = real_base(o.param);
  else if (options_.backend) base = kept_delta();
  std::string sum = base.empty() ? index : base;
  if (!base.empty() && !index.empty()) {
    sum = own(own_prefix_ + "real", Type::U64);
    line("add.u64 " + sum + ", " + base + ", " + index);
  }
  if (sum.empty()) {
    sum = own(own_prefix_ + "real", Type::U64);
    line("mov.u64 " + sum + ", 0");
  }
  const std::int64_t offset = static_cast<std::int64_t>(constant);
  if (offset != static_cast<std::int32_t>(offset)) {
    const std::string far = own(own_prefix_ + "far", Type::U64);
    line("add.u64 " + far + ", " + sum + ", 0x" + ptx_hex(constant, 1));
    return "[" + far + "]";
  }
  return offset == 0 ? "[" + sum + "]" : "[" + sum + " + " + std::to_string(offset) + "]";
}

void PtxKernelText::keep_address(const std::string& base, const std::string& index, std::uint64_t constant) {
  const std::string visible = own(own_prefix_ + "address", Type::U64);
  if (!base.empty() && !index.empty()) line("add.u64 " + visible + ", " + base + ", " + index);
  else line("mov.u64 " + visible + ", " + (!base.empty() ? base : !index.empty() ? index : "0"));
  if (constant != 0) line("add.u64 " + visible + ", " + visible + ", 0x" + ptx_hex(constant, 1));
}

std::string PtxKernelText::scaled_index(const Operand& o, std::uint64_t scale) {
  if (o.reg < 0 && o.special_index < 0) return "";
  const bool wide = o.reg >= 0 && program_.registers[static_cast<std::size_t>(o.reg)].cls == RegClass::R64;
  const std::string index = o.reg >= 0 ? reg(o.reg) : kept_special(static_cast<Special>(o.special_index), false);
  if (wide && scale == 1) return index;
  const std::string scaled = own(own_prefix_ + "index", Type::U64);
  // A 32-bit index into an array is signed; a 32-bit pointer into shared memory is not.
  if (wide) line("mul.lo.u64 " + scaled + ", " + index + ", " + std::to_string(scale));
  else if (o.kind == Kind::Element) line("mul.wide.s32 " + scaled + ", " + index + ", " + std::to_string(scale));
  else line("cvt.u64.u32 " + scaled + ", " + index);
  return scaled;
}

// ---- instructions

void PtxKernelText::labels(std::int32_t pc) {
  bool named = false;
  for (const auto& [name, at] : program_.labels) {
    if (at != pc) continue;
    out_ += "L_" + name + ":\n";
    named = true;
  }
  const auto jump = last_jumps_.find(pc);
  if (jump == last_jumps_.end()) return;
  if (!named) out_ += target_name(pc) + ":\n";
  if (pc <= jump->second && options_.keeps_loops) line(".pragma \"nounroll\"");
}

// For what is still to be guarded after the instruction has written its own guard.
void PtxKernelText::copy_guard(const Insn& insn, const std::string& into) {
  line((insn.guard.negated ? "not.pred " : "mov.pred ") + into + ", " + reg(insn.guard.reg));
}
std::string PtxKernelText::kept_guard(const Insn& insn) {
  const std::string kept = own("kept_guard", Type::Pred);
  copy_guard(insn, kept);
  return "@" + kept + " ";
}

void PtxKernelText::instruction(std::int32_t pc) {
  const Insn& insn = program_.code[static_cast<std::size_t>(pc)];
  kernel_.target = std::max(kernel_.target, ptx_target(insn));
  kernel_.version = std::max(kernel_.version, ptx_version(insn));
  fresh_count_.clear();
  if (options_.records) out_ += "        // pc " + std::to_string(pc) + ": " + disassemble(program_, pc) + "\n";
  Record record = begin_record(insn);
  if (insn.op == Op::Exit || insn.op == Op::Bra) {
    end_record(pc, record);
    if (insn.op == Op::Exit) line(guard(insn) + "exit");
    else line(guard(insn) + "bra " + target_name(insn.operands[0].target));
    return;
  }
  if (is_module_ && of_module(insn)) return;
  if (info(insn.op).lift == Lift::Shuffle) shuffle(insn, record);
  else if (needs_opposite(insn) || (insn.guard.reg >= 0 && loses_guards(insn.op))) apart(insn, record);
  else general(insn, record);
  keep_destinations(insn, record);
  end_record(pc, record);
}

// The operands in the order of the form.
void PtxKernelText::general(const Insn& insn, Record& record, const Destinations& destinations) {
  const auto form = slots(info(insn.op).form);
  std::string operands;
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    if (is_hidden(form[k])) continue;
    const auto other = destinations.find(k);
    std::string word = other != destinations.end() ? other->second : operand_text(insn, k, record);
    if (word.empty()) continue;
    if (form[k].in_braces && (k == 0 || !form[k - 1].in_braces)) word.insert(0, "{");
    if (form[k].in_braces && (k + 1 == form.size() || !form[k + 1].in_braces)) word += "}";
    operands += (operands.empty() ? "" : is_second_destination(form[k]) ? "|" : ", ") + word;
  }
  line(guard(insn) + opcode(insn) + (operands.empty() ? "" : " " + operands));
}

std::string PtxKernelText::operand_text(const Insn& insn, std::size_t slot, Record& record) {
  const OpInfo& row = info(insn.op);
  const Slot& s = slots(row.form)[slot];
  const Operand& o = insn.operands[slot];
  switch (s.role) {
    case Role::Dst:
    case Role::DstPred:
      if (o.kind == Kind::Reg) return reg(o.reg);
      if (row.form == Form::PAB && is_pair(insn.type)) return fresh(Type::Pred);  // PTX wants both halves' results
      return may_be_dropped(row, s) ? "_" : "";
    case Role::Addr: {
      if (row.lift == Lift::LoadParam) {
        const std::int64_t far = o.expr.empty() ? 0 : o.expr.evaluate(options_.lanes);
        return "[" + param(o.param) + (far == 0 ? "" : "+" + std::to_string(far)) + "]";
      }
      own_prefix_ = space_of(row, s) == row.space ? "" : "source_";  // the destination's are still needed
      const std::string text = address(o, space_of(row, s) == AddressSpace::Shared);
      own_prefix_.clear();
      if (accesses_memory(row) && row.lift != Lift::Copy) keep(record, "%__address", Type::U64);
      return text;
    }
    case Role::Label: return target_name(o.target);
    case Role::Src: break;
  }
  const std::string word = source_text(insn, s, o);
  if (writes_memory(row) && row.lift != Lift::Copy && !word.empty())
    keep(record, word, ptx_type(slot_type(s.type, insn.type, insn.type2)));
  return word;
}

std::string PtxKernelText::source_text(const Insn& insn, const Slot& s, const Operand& o) {
  const OpInfo& row = info(insn.op);
  if (s.type == SlotType::Mask) return member_mask(o);
  const Type type = ptx_type(slot_type(s.type, insn.type, insn.type2));
  if (is_block_barrier(row)) {
    if (s.name == "count") return o.kind == Kind::None ? "" : barrier_count(o);
    if (s.when_absent == Default::Zero && o.kind == Kind::None) return "0";
  }
  if (o.kind == Kind::None) return "";
  if (type == Type::Pred)
    return predicate(o, is_combined(s) || row.lift == Lift::Vote || row.lift == Lift::BarrierReduce);
  const bool in_register = (row.mods & (kCvtRnd | kNarrowRnd)) != 0 || row.lift == Lift::Match ||
                           row.lift == Lift::Redux || writes_memory(row) || s.in_braces || is_field(row.form, s);
  if (s.type == SlotType::Byte) return ptx_number(immediate_bits(o, type), type);
  return as_integer(insn, s, o, source(o, type, in_register));
}

// ptxas 13.0 takes a register's type from what wrote it: a byte stored from a register that holds an f16, and a shift
// by one that holds an f32, are conversions to it (F2I in the machine code). What integer arithmetic leaves is
// bits.
std::string PtxKernelText::as_integer(const Insn& insn, const Slot& slot, const Operand& o, std::string word) {
  if (o.kind != Kind::Reg || float_registers_.count(o.reg) == 0) return word;
  const bool byte = info(insn.op).lift == Lift::Store && bits(insn.type) == 8;
  const bool shift = has_trait(info(insn.op), kShifts) && slot.type == SlotType::U32;
  if (!byte && !shift) return word;
  const std::string out = fresh(byte ? Type::B16 : Type::U32);
  if (byte) line("and.b16 " + out + ", " + word + ", 255");
  else line("min.u32 " + out + ", " + word + ", 64");  // every shift by so much or more gives the same
  return out;
}

std::string PtxKernelText::shuffle_segment(const Insn& insn, const Operand& c) {
  const ShuffleMode mode = shuffle_mode(insn.op);
  if (c.kind == Kind::None) return "0x" + ptx_hex(shuffle_clamp(mode, options_.lanes, options_.lanes), 1);
  if (c.kind != Kind::Width) return source(c, Type::U32);
  const unsigned width = static_cast<unsigned>(c.expr.evaluate(options_.lanes));
  return "0x" + ptx_hex(shuffle_clamp(mode, width, options_.lanes), 1);
}

// d[|p], a, b[, c][, membermask]; of 64 bits the two halves one after the other, of 16 bits in a register of 32.
void PtxKernelText::shuffle(const Insn& insn, Record& record) {
  const std::string d = reg(insn.operands[0].reg);
  const bool writes_guard = insn.operands[1].kind == Kind::Reg && insn.operands[1].reg == insn.guard.reg;
  const std::string g = writes_guard ? kept_guard(insn) : guard(insn);
  const std::string p = insn.operands[1].kind == Kind::Reg ? "|" + reg(insn.operands[1].reg) : "";
  const std::string a = source(insn.operands[2], insn.type, true), b = source(insn.operands[3], Type::U32);
  const std::string rest =
      ", " + b + ", " + shuffle_segment(insn, insn.operands[4]) + ", " + member_mask(insn.operands[5]);
  Insn word = insn;
  word.type = Type::B32;
  const std::string shfl = g + opcode(word) + " ";
  if (options_.records) {
    record.from = own("from", Type::U32);
    record.in_range = own("in_range", Type::Pred);
    line(shfl + record.from + "|" + record.in_range + ", " + kept_special(Special::LaneId, false) + rest);
  }
  if (bits(insn.type) == 32) {
    line(shfl + d + p + ", " + a + rest);
  } else if (bits(insn.type) == 64) {
    const std::string low = fresh(Type::B32), high = fresh(Type::B32);
    line("mov.b64 {" + low + ", " + high + "}, " + a);
    line(shfl + low + ", " + low + rest);
    // The predicate last: it may be a part of the mask or of the operands of the first half.
    line(shfl + high + p + ", " + high + rest);
    line(g + "mov.b64 " + d + ", {" + low + ", " + high + "}");
  } else {
    const std::string wide = fresh(Type::B32);
    line("cvt.u32.u16 " + wide + ", " + a);
    line(shfl + wide + p + ", " + wide + rest);
    line(g + "cvt.u16.u32 " + d + ", " + wide);
  }
}

// Into registers of the writer's own, and from there to the destinations under the guard. A destination may be the
// guard, so that is kept first.
void PtxKernelText::apart(const Insn& insn, Record& record) {
  const auto form = slots(info(insn.op).form);
  const std::string g = insn.guard.reg >= 0 ? kept_guard(insn) : "";
  Insn plain = insn;
  plain.guard = {};
  if (needs_opposite(insn)) {  // a BoolOp follows, on both
    plain.operands[1] = plain.operands[4] = {};
    plain.mods.boolean = BoolOp::None;
  }
  Destinations destinations;
  for (std::size_t k = 0; k < form.size() && form[k].role != Role::Src; ++k) {
    if (plain.operands[k].kind != Kind::Reg) continue;
    const RegClass cls = program_.registers[static_cast<std::size_t>(plain.operands[k].reg)].cls;
    destinations[k] = own("apart" + std::to_string(k) + "_" + ptx_register_type(ptx_type_of(cls)), ptx_type_of(cls));
  }
  general(plain, record, destinations);
  const std::string opposite = needs_opposite(insn) ? own("opposite", Type::Pred) : "";
  if (!opposite.empty()) line("not.pred " + opposite + ", " + destinations[0]);
  if (!opposite.empty() && insn.mods.boolean != BoolOp::None) {
    const std::string c = predicate(insn.operands[4], false);
    for (const std::string& p : {opposite, destinations[0]})
      line(std::string(name(insn.mods.boolean)) + ".pred " + p + ", " + p + ", " + c);
  }
  for (const auto& [slot, from] : destinations) {
    const std::int32_t to = insn.operands[slot].reg;
    const Type type = ptx_type_of(program_.registers[static_cast<std::size_t>(to)].cls);
    line(g + "mov." + ptx_register_type(type) + " " + reg(to) + ", " + from);
  }
  if (!opposite.empty()) line(g + "mov.pred " + reg(insn.operands[1].reg) + ", " + opposite);
}

// The same bits, but ptxas does not know them.
std::string PtxKernelText::unfolded(const std::string& value, Type type) {
  const std::string kind = ptx_register_type(type), out = fresh(type);
  zeros_.insert(kind);
  line("or." + kind + " " + out + ", " + value + ", " + own("zero_" + kind, type));
  return out;
}

// ---- recording

PtxKernelText::Record PtxKernelText::begin_record(const Insn& insn) {
  Record record;
  if (!options_.records || insn.guard.reg < 0) return record;
  record.executed = own("executed", Type::Pred);
  copy_guard(insn, record.executed);
  return record;
}

void PtxKernelText::keep(Record& record, const std::string& value, Type type) {
  if (!options_.records) return;
  record.values.push_back(as_word(value, type, own("value" + std::to_string(record.values.size()), Type::U64)));
}

void PtxKernelText::keep_destinations(const Insn& insn, Record& record) {
  for (std::size_t k = 0; k < insn.operands.size(); ++k) {
    if (!ptx_record::is_destination(insn, k)) continue;
    const std::int32_t index = insn.operands[k].reg;
    keep(record, reg(index), ptx_type_of(program_.registers[static_cast<std::size_t>(index)].cls));
  }
}

std::string PtxKernelText::as_word(const std::string& value, Type type, const std::string& into) {
  if (type == Type::Pred) line("selp.u64 " + into + ", 1, 0, " + value);
  else if (bits(type) == 64) line("mov.b64 " + into + ", " + value);
  else line("cvt.u64.u" + ptx_register_type(type).substr(1) + " " + into + ", " + value);
  return into;
}

void PtxKernelText::end_record(std::int32_t pc, const Record& record) {
  if (!options_.records) return;
  const std::string head = own("head", Type::U64), next = own("next", Type::U64), word = own("word", Type::U64);
  const std::string fits = own("fits", Type::Pred), cursor = own("cursor", Type::U64), log = own("log", Type::U64);
  const std::uint64_t off = static_cast<std::uint64_t>(pc), on = off | ptx_record::kExecuted;
  const std::uint64_t bytes = 8 * (1 + record.values.size());
  if (record.executed.empty()) {
    line("mov.u64 " + head + ", 0x" + ptx_hex(on, 1));
    line("add.u64 " + next + ", " + cursor + ", " + std::to_string(bytes));
  } else {
    line("selp.u64 " + head + ", 0x" + ptx_hex(on, 1) + ", 0x" + ptx_hex(off, 1) + ", " + record.executed);
    line("selp.u64 " + next + ", " + std::to_string(bytes) + ", 8, " + record.executed);
    line("add.u64 " + next + ", " + cursor + ", " + next);
  }
  if (!record.from.empty()) {
    line("cvt.u64.u32 " + word + ", " + record.from);
    line("shl.b64 " + word + ", " + word + ", " + std::to_string(ptx_record::kFromShift));
    line("or.b64 " + head + ", " + head + ", " + word);
    line("selp.u64 " + word + ", 0x" + ptx_hex(ptx_record::kInRange, 1) + ", 0, " + record.in_range);
    line("or.b64 " + head + ", " + head + ", " + word);
  }
  line("setp.le.u64 " + fits + ", " + next + ", " + own("end", Type::U64));
  line("@" + fits + " st.global.u64 [" + cursor + "], " + head);
  if (!record.executed.empty()) line("and.pred " + fits + ", " + fits + ", " + record.executed);
  for (std::size_t k = 0; k < record.values.size(); ++k)
    line("@" + fits + " st.global.u64 [" + cursor + " + " + std::to_string(8 * (k + 1)) + "], " + record.values[k]);
  line("mov.u64 " + cursor + ", " + next);
  line("sub.u64 " + word + ", " + cursor + ", " + log);
  line("shr.u64 " + word + ", " + word + ", 3");
  line("st.global.u64 [" + log + "], " + word);
}

}  // namespace warpsim
