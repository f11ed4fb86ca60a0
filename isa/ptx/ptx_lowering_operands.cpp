// Operands of PTX as the table's slots take them; see ptx_lowering.h.
#include <algorithm>

#include "isa/kernels/windows.h"
#include "isa/ptx/ptx_lowering.h"
#include "isa/ptx/ptx_summary.h"
#include "isa/table/special.h"
#include "isa/text/lines.h"

namespace warpsim::ptx {
namespace {

using Given = ptx::Operand;
using Made = warpsim::Operand;

// A set of lanes is 32 bits in PTX.
Type value_type(const Slot& slot, const Insn& insn) {
  const Type type = slot_type(slot.type, insn.type, insn.type2);
  return type == Type::Mask ? Type::B32 : type;
}

}  // namespace

// ---- slots

bool Lowering::bind_all(const Instruction& from, Insn& insn) {
  const auto form = slots(info(insn.op).form);
  insn.operands.assign(form.size(), Made{});
  std::vector<const Given*> given;
  for (const Given& one : from.operands) {
    if (one.kind == Given::Kind::Vector)
      for (const Given& part : one.parts) given.push_back(&part);
    else given.push_back(&one);
  }
  if (from.opcode.find(".L2::cache_hint") != std::string_view::npos && !given.empty())
    given.pop_back();  // the policy, which changes no value
  std::size_t wanted = 0, required = 0;
  for (const Slot& slot : form) {
    wanted += is_hidden(slot) || is_second_destination(slot) ? 0 : 1;
    required += slot.when_absent == Default::Required ? 1 : 0;
  }
  if (given.size() > wanted || given.size() < required) return wrong_count(from, required, wanted, given.size());
  std::size_t missing = wanted - given.size(), next = 0;
  for (std::size_t k = 0; k < form.size(); ++k) {
    if (is_hidden(form[k])) {
      insn.operands[k].kind = Made::Kind::Reg;
      insn.operands[k].reg = carry_register();
      continue;
    }
    if (is_second_destination(form[k])) continue;  // bound with the first
    if (missing != 0 && form[k].when_absent != Default::Required && are_required_behind(form, k)) {
      --missing;
      continue;
    }
    if (next == given.size()) break;
    const Given& operand = *given[next++];
    if (operand.kind == Given::Kind::Pair) {
      if (k + 1 >= form.size() || !is_second_destination(form[k + 1]) || operand.parts.size() != 2)
        return wrong_operand(from, operand, "takes one destination");
      if (!bind(from, insn, k, operand.parts[0])) return false;
      if (operand.parts[1].kind != Given::Kind::Absent && !bind(from, insn, k + 1, operand.parts[1])) return false;
    } else if (!bind(from, insn, k, operand)) {
      return false;
    }
  }
  return true;
}

// PTX leaves out the last operands, but for bar.red's count, which stands before the predicate.
bool Lowering::are_required_behind(std::span<const Slot> form, std::size_t slot) {
  return std::any_of(form.begin() + static_cast<std::ptrdiff_t>(slot), form.end(),
                     [](const Slot& one) { return one.when_absent == Default::Required; });
}

bool Lowering::wrong_count(const Instruction& from, std::size_t required, std::size_t wanted, std::size_t given) {
  const std::string takes =
      required == wanted ? std::to_string(wanted) : std::to_string(required) + " to " + std::to_string(wanted);
  fail("P021", from.where, quoted(from.opcode) + " takes " + takes + " operands, not " + std::to_string(given));
  return false;
}

bool Lowering::wrong_operand(const Instruction& from, const Given& operand, const std::string& takes) {
  fail("P022", operand.where.line == 0 ? from.where : operand.where, quoted(from.opcode) + " " + takes);
  return false;
}

bool Lowering::bind(const Instruction& from, Insn& insn, std::size_t k, const Given& operand) {
  const Slot& slot = slots(info(insn.op).form)[k];
  switch (slot.role) {
    case Role::Dst:
    case Role::DstPred: return bind_destination(from, insn, k, operand);
    case Role::Src: return bind_source(from, insn, k, operand);
    case Role::Addr: return bind_address(from, insn, k, operand);
    case Role::Label: return bind_label(insn, k, operand);
  }
  return false;
}

bool Lowering::bind_destination(const Instruction& from, Insn& insn, std::size_t k, const Given& operand) {
  const Slot& slot = slots(info(insn.op).form)[k];
  const Type type = slot.role == Role::DstPred ? Type::Pred : value_type(slot, insn);
  Made& made = insn.operands[k];
  made.where = operand.where;
  if (operand.kind == Given::Kind::Absent) {
    if (may_be_dropped(info(insn.op), slot)) return true;
    made.kind = Made::Kind::Reg;
    made.reg = fresh(reg_class(type));
    return true;
  }
  const std::optional<std::int32_t> reg = named_register(operand);
  if (!reg) {
    if (operand.kind == Given::Kind::Symbol && find(operand.name) == nullptr) return undeclared(operand, type);
    return wrong_operand(from, operand, "writes a register here");
  }
  made.kind = Made::Kind::Reg;
  made.reg = *reg;
  if (class_of(*reg) == reg_class(type)) return true;
  return fit_destination(from, insn, k, *reg, type);
}

namespace {

// What a load, a conversion or a read of a parameter may be wider than (PTX ISA 9.0, 9.4.1).
bool takes_wider_registers(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  return row.lift == Lift::Load || row.lift == Lift::Store || row.lift == Lift::LoadParam || row.form == Form::DAcvt ||
         row.form == Form::Atom;
}
int register_bits(RegClass cls) {
  return cls == RegClass::R64 ? 64 : cls == RegClass::R32 ? 32 : cls == RegClass::R16 ? 16 : 0;
}

}  // namespace

// How wide the register is; 0, after a fault, if this instruction takes none that is wider than its type.
int Lowering::wider_bits(const Instruction& from, const Insn& insn, std::int32_t reg, Type type) {
  const int wide = register_bits(class_of(reg));
  if (takes_wider_registers(insn) && wide > bits(type) && type != Type::Pred) return wide;
  wrong_size(from, reg, type);
  return 0;
}

// The result comes into a register of its own, which is then widened: with the sign where the type has one.
bool Lowering::fit_destination(const Instruction& from, Insn& insn, std::size_t k, std::int32_t reg, Type type) {
  const int wide = wider_bits(from, insn, reg, type);
  if (wide == 0) return false;
  const std::int32_t result = fresh(reg_class(type));
  insn.operands[k].reg = result;
  after_.push_back(
      conversion(from, reg, integer_of(wide, is_signed(type)), result, integer_of(bits(type), is_signed(type))));
  return true;
}

// The low part of a register is stored, or converted.
bool Lowering::fit_source(const Instruction& from, Insn& insn, std::size_t k, std::int32_t reg, Type type) {
  const int wide = wider_bits(from, insn, reg, type);
  if (wide == 0) return false;
  const std::int32_t part = fresh(reg_class(type));
  insn.operands[k].reg = part;
  program_.code.push_back(
      conversion(from, part, integer_of(register_bits(reg_class(type)), false), reg, integer_of(wide, false)));
  return true;
}

Insn Lowering::conversion(const Instruction& from, std::int32_t to, Type type, std::int32_t source, Type source_type) {
  Insn insn = made(from, Op::Cvt, type);
  insn.type2 = source_type;
  insn.operands = {register_operand(to), register_operand(source)};
  return insn;
}

bool Lowering::wrong_size(const Instruction& from, std::int32_t reg, Type type) {
  const Register& r = program_.registers[static_cast<std::size_t>(reg)];
  fail("P023", from.where,
       quoted(from.opcode) + " takes ." + std::string(name(type)) + " here, and " + quoted(r.name) + " is a " +
           std::string(name(r.cls)));
  return false;
}

bool Lowering::undeclared(const Given& operand, Type type) {
  fail("P024", operand.where, "nothing declares " + quoted(operand.name), meant_by(operand.name, operand.where, type));
  return false;
}

// A variable or a kernel that no module defines: what would use it is refused.
bool Lowering::is_undefined(const Instruction& from, const Given& operand) {
  if (find(operand.name) != nullptr) return false;
  const std::string why = linker_.undefined(operand.name, file());
  return !why.empty() && !refuse(from, why);
}

Hint Lowering::meant_by(std::string_view name, SourceRange where, Type type) const {
  std::vector<std::string> known;
  for (const Names& scope : scopes_)
    for (const auto& [text, symbol] : scope) known.emplace_back(text);
  for (const Declaration& one : linker_.module().objects)
    if (one.name.where.file == file()) known.emplace_back(one.name.text);
  const std::string meant = nearest(name, known);
  Hint hint = did_you_mean(where, meant);
  for (const Names& scope : scopes_) {
    const auto found = scope.find(meant);
    const bool is_row =
        found != scope.end() && found->second.declaration != nullptr && found->second.declaration->count;
    if (is_row) hint.fixes.clear();  // %r of %r<8>: one of them, but which
  }
  if (!name.starts_with("%") || bits(type) == 0) return hint;
  const std::string_view line = line_in(diagnostics_.text_of(where), where.line);
  const std::string_view before = line.substr(0, where.column - 1);
  if (before.find_first_of(";{}:") != std::string_view::npos) return hint;  // a line with more than this statement
  const std::string_view blanks = line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
  const Type declared = type == Type::Pred ? type : untyped_of(std::max(16, bits(type)));
  const std::string declaration = ".reg ." + std::string(warpsim::name(declared)) + " " + std::string(name) + ";";
  hint.text += (hint.text.empty() ? "declare it: " : " Or declare it: ") + declaration;
  hint.fixes.push_back(
      {{where.line, static_cast<std::uint32_t>(blanks.size()) + 1, 0}, declaration + "\n" + std::string(blanks)});
  return hint;
}

Made Lowering::register_operand(std::int32_t reg) {
  Made made;
  made.kind = Made::Kind::Reg;
  made.reg = reg;
  return made;
}
Made Lowering::number_operand(std::int64_t number) {
  Made made;
  made.kind = Made::Kind::Imm;
  made.expr = ConstExpr::number(number);
  return made;
}

// ---- sources

bool Lowering::bind_source(const Instruction& from, Insn& insn, std::size_t k, const Given& operand) {
  const Slot& slot = slots(info(insn.op).form)[k];
  const Type type = slot.type == SlotType::Pred ? Type::Pred : value_type(slot, insn);
  Made& made = insn.operands[k];
  made.where = operand.where;
  if (operand.kind == Given::Kind::Constant) return bind_constant(insn, k, operand.of.front(), type);
  if (operand.kind != Given::Kind::Symbol) return wrong_operand(from, operand, "takes a register or a constant here");
  const std::optional<std::int32_t> reg = named_register(operand);
  if (!reg) return bind_symbol(from, insn, k, operand, type);
  made = register_operand(*reg);
  made.negated = operand.negated;
  made.where = operand.where;
  if (class_of(*reg) == reg_class(type)) return true;
  return fit_source(from, insn, k, *reg, type);
}

// A special register, WARP_SZ, or the address of something.
bool Lowering::bind_symbol(const Instruction& from, Insn& insn, std::size_t k, const Given& operand, Type type) {
  Made& made = insn.operands[k];
  if (operand.name == "WARP_SZ") {
    made.kind = Made::Kind::Imm;
    made.expr = ConstExpr::warp_size();
    return true;
  }
  if (operand.name.starts_with("%") && find(operand.name) == nullptr) {
    const std::string whole = std::string(operand.name) + std::string(operand.element);
    if (const std::optional<Special> special = parse_special(whole)) {
      made.kind = Made::Kind::Special;
      made.special = *special;
      return fits_special(from, insn, k, *special, type);
    }
    if (is_unsupported_special(whole)) return refuse(from, "the special register " + whole);
    return undeclared(operand, type);
  }
  if (is_undefined(from, operand)) return false;
  const std::optional<Place> place = place_of(operand);
  if (!place)
    return find(operand.name) == nullptr ? undeclared(operand) : wrong_operand(from, operand, "takes a value here");
  if (place->frame) {
    const std::int32_t address = fresh(RegClass::R64);
    put_frame_address(from, address, *place);
    made = register_operand(address);
    if (reg_class(type) == RegClass::R64) return true;
    const std::int32_t half = fresh(RegClass::R32);
    program_.code.push_back(conversion(from, half, Type::U32, address, Type::U64));
    made.reg = half;
    return reg_class(type) == RegClass::R32 || wrong_operand(from, operand, "takes a value of another size here");
  }
  made = place->operand;
  made.where = operand.where;
  return true;
}

// The table's special registers have one size each; PTX moves some of them into either.
bool Lowering::fits_special(const Instruction& from, Insn& insn, std::size_t k, Special special, Type type) {
  const Type own = info(special).type == Type::Mask ? Type::B32 : info(special).type;
  const RegClass wanted = reg_class(type);
  if (reg_class(own) == wanted) return true;
  if (wanted == RegClass::R16 || wanted == RegClass::R64) {
    const std::int32_t read = fresh(reg_class(own));
    Insn move = made(from, Op::Mov, untyped_of(bits(own)));
    move.operands = {register_operand(read), insn.operands[k]};
    program_.code.push_back(std::move(move));
    const std::int32_t fitted = fresh(wanted);
    program_.code.push_back(
        conversion(from, fitted, integer_of(register_bits(wanted), false), read, integer_of(bits(own), false)));
    insn.operands[k] = register_operand(fitted);
    return true;
  }
  fail("P023", from.where,
       quoted(from.opcode) + " cannot take " + std::string(name(special)) + " as ." + std::string(name(type)));
  return false;
}

bool Lowering::bind_constant(Insn& insn, std::size_t k, const Expression& value, Type type) {
  Made& made = insn.operands[k];
  const Expression* of = &value;
  bool negative = false;
  while (of->kind == Expression::Kind::Unary && (of->text == "-" || of->text == "+")) {
    negative = negative != (of->text == "-");
    of = &of->of.front();
  }
  const bool is_f32 = of->kind == Expression::Kind::F32, is_f64 = of->kind == Expression::Kind::F64;
  if (is_f32 || is_f64) {
    const std::uint64_t sign = negative ? std::uint64_t{1} << (is_f32 ? 31 : 63) : 0;
    made.kind = is_f64 && is_float(type) && type != Type::F64 ? Made::Kind::FloatImm : Made::Kind::BitsImm;
    made.float_bits = of->bits ^ sign;
    return true;
  }
  const std::optional<std::int64_t> number = constant(value);
  if (!number) return false;
  if (is_float(type) || is_pair(type)) {  // PTX has no integers there; its bits are meant
    made.kind = Made::Kind::BitsImm;
    made.float_bits = static_cast<std::uint64_t>(*number);
    return true;
  }
  made.kind = Made::Kind::Imm;
  made.expr = ConstExpr::number(*number);
  return true;
}

// ---- addresses

// Where a name stands in memory.
std::optional<Lowering::Place> Lowering::place_of(const Given& operand) {
  std::int64_t far = 0;
  if (!operand.of.empty()) {
    const std::optional<std::int64_t> offset = constant(operand.of.front());
    if (!offset) return std::nullopt;
    far = *offset;
  }
  Place place;
  place.offset = far;
  if (const Symbol* const symbol = find(operand.name)) {
    switch (symbol->kind) {
      case Symbol::Kind::Frame:
      case Symbol::Kind::Outgoing:
        place.frame = true;
        place.outgoing = symbol->kind == Symbol::Kind::Outgoing;
        place.offset += static_cast<std::int64_t>(symbol->offset);
        return place;
      case Symbol::Kind::Shared: return object_place(symbol->index, far);
      case Symbol::Kind::Variable: return variable_place(symbol->index, far);
      case Symbol::Kind::Parameter: {
        if (symbol->index < 0) {  // of a kernel that is launched from the device: known as it is launched
          place.operand = number_operand(static_cast<std::int64_t>(symbol->offset) + far);
          return place;
        }
        place.param = symbol->index;
        place.operand = number_operand(program_.params[static_cast<std::size_t>(symbol->index)].offset_bytes + far);
        return place;
      }
      default: return std::nullopt;
    }
  }
  if (const std::int32_t param = linker_.variable(operand.name, file()); param >= 0) return variable_place(param, far);
  if (const std::int32_t object = linker_.shared(operand.name, file()); object >= 0) return object_place(object, far);
  if (const std::optional<std::uint64_t> at = linker_.module_local(operand.name, file())) {
    linker_.frame_register();
    place.operand = number_operand(static_cast<std::int64_t>(*at) + far);
    return place;
  }
  if (const Function* const function = linker_.find_function(operand.name, file())) {
    place.operand = number_operand(static_cast<std::int64_t>(
        kFunctionWindow + kFunctionBytes * static_cast<std::uint64_t>(linker_.number_of(*function))));
    return place;
  }
  return std::nullopt;
}

Lowering::Place Lowering::object_place(std::int32_t object, std::int64_t far) {
  Place place;
  place.offset = far;
  place.operand.kind = Made::Kind::ObjectAddr;
  place.operand.object = object;
  if (far != 0) place.operand.expr = ConstExpr::number(far);
  return place;
}

Lowering::Place Lowering::variable_place(std::int32_t param, std::int64_t far) {
  Place place;
  place.offset = far;
  place.operand.kind = Made::Kind::BufferAddr;
  place.operand.param = param;
  if (far != 0) place.operand.expr = ConstExpr::number(far);
  return place;
}

Made Lowering::frame_address(std::int64_t offset, bool outgoing) {
  Made made;
  made.kind = Made::Kind::Address;
  made.reg = linker_.frame_register();
  made.expr = ConstExpr::number(offset);
  if (outgoing) made.target = kOutgoing;
  return made;
}

// The address itself, in a register of 64 bits.
void Lowering::put_frame_address(const Instruction& from, std::int32_t reg, const Place& place) {
  Insn add = made(from, Op::Add, Type::U64);
  add.operands = {register_operand(reg), register_operand(linker_.frame_register()), number_operand(place.offset)};
  program_.code.push_back(std::move(add));
}

bool Lowering::bind_address(const Instruction& from, Insn& insn, std::size_t k, const Given& operand) {
  Made& made = insn.operands[k];
  if (operand.kind != Given::Kind::Address || operand.parts.size() != 1)
    return operand.kind == Given::Kind::Address ? refuse(from, "an address of several parts")
                                                : wrong_operand(from, operand, "takes an address here, in brackets");
  const Given& part = operand.parts.front();
  made.kind = Made::Kind::Address;
  if (part.kind == Given::Kind::Constant) {
    const std::optional<std::int64_t> at = constant(part.of.front());
    made.expr = ConstExpr::number(at.value_or(0));
    made.where = operand.where;
    return at.has_value();
  }
  if (part.kind != Given::Kind::Symbol) return wrong_operand(from, operand, "takes a register or a name in brackets");
  if (const std::optional<std::int32_t> reg = named_register(part)) {
    if (class_of(*reg) != RegClass::R64 && class_of(*reg) != RegClass::R32)
      return wrong_operand(from, operand, "takes a register of 32 or 64 bits as an address");
    made.reg = *reg;
    made.where = operand.where;
    if (part.of.empty()) return true;
    const std::optional<std::int64_t> far = constant(part.of.front());
    made.expr = ConstExpr::number(far.value_or(0));
    return far.has_value();
  }
  if (is_undefined(from, part)) return false;
  const std::optional<Place> place = place_of(part);
  if (!place) return failed_ ? false : undeclared(part);
  if (place->operand.kind == Made::Kind::ObjectAddr && insn.mods.memory.space == AddressSpace::Generic)
    return refuse(from, "shared memory by name where a generic address stands");
  if (place->frame) {
    made = frame_address(place->offset, place->outgoing);
  } else if (place->operand.kind == Made::Kind::Imm) {  // of the module's local memory, or among the parameters
    made.expr = place->operand.expr;
  } else {
    made.param = place->operand.param;
    made.object = place->operand.object;
    made.expr = place->operand.expr;
  }
  made.where = operand.where;
  return true;
}

bool Lowering::bind_label(Insn& insn, std::size_t k, const Given& operand) {
  Made& made = insn.operands[k];
  made.where = operand.where;
  const Symbol* const symbol = operand.kind == Given::Kind::Symbol ? find(operand.name) : nullptr;
  const bool wants_table = info(insn.op).lift == Lift::Dispatch;
  if (symbol == nullptr || symbol->kind != (wants_table ? Symbol::Kind::Table : Symbol::Kind::Label)) {
    fail("P027", operand.where,
         std::string("no ") + (wants_table ? "table of labels " : "label ") + quoted(operand.name),
         meant_by(operand.name, operand.where));
    return false;
  }
  made.kind = wants_table ? Made::Kind::Table : Made::Kind::Label;
  made.target = symbol->index;
  if (!wants_table) uses_.push_back({program_.code.size(), k, symbol->index});
  return true;
}

}  // namespace warpsim::ptx
