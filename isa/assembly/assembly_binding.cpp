// What written operands mean to their instruction: each is bound to a slot of the form. Memory operands are in
// assembly_addresses.cpp.
//
// Shapes: operands fill the slots in order; `%d|%p` fills two, width= and mask= name theirs. Slots that stay empty hold
//         Kind::None. The first use of a register gives it its class.
// Errors: A021 number of operands, A022 kind of operand, A023 register class, A025 unknown name, A026 integer for a
//         float, A027 float for an integer, A028 constant too large, A029 destination, A030 store to an `in` buffer,
//         A031 element size, A035 wrong space, A036 named operand that the instruction has not.
// Source: PTX ISA 9.0, chapters 6 and 9.
#include <algorithm>
#include <cmath>
#include <iterator>

#include "isa/assembly/assembly.h"
#include "isa/assembly/opcode_errors.h"
#include "isa/kernels/softfloat.h"
#include "isa/table/special.h"
#include "isa/text/number_text.h"

namespace warpsim {
namespace {

using Written = WrittenOperand::Kind;

bool is_bits_only(Type t) { return is_untyped(t) || t == Type::Mask; }

// Does it fit as a signed or as an unsigned number of that many bits?
bool fits(std::int64_t value, int width) {
  if (width == 0 || width >= 64) return true;
  return value >= -(std::int64_t{1} << (width - 1)) && value < (std::int64_t{1} << width);
}
// Wrong at every lane count that a warp can have.
bool fits_somewhere(const ConstExpr& e, int width) {
  for (unsigned lanes = 1; lanes <= 64; lanes *= 2) {
    if (fits(e.evaluate(lanes), width)) return true;
  }
  return false;
}

std::string describe(Type t) {
  if (t == Type::Pred) return "a predicate register";
  return "." + std::string(name(t));
}

// May this operand be left out although a required one follows it?
bool is_optional_in_the_middle(std::span<const Slot> form, std::size_t k) {
  if (form[k].when_absent == Default::Required) return false;
  for (std::size_t later = k + 1; later < form.size(); ++later) {
    if (form[later].when_absent == Default::Required) return true;
  }
  return false;
}

}  // namespace

Type Assembly::slot_type(const Statement& s, const Slot& slot) const {
  return warpsim::slot_type(slot.type, s.opcode.type, s.opcode.type2);
}

// `add.u32 %a, %b` may mean what other assemblers write so: the first register is changed.
Hint Assembly::in_place(const Statement& s, const std::vector<WrittenOperand>& written) {
  Hint hint = "the form is " + usage(s.opcode.op);
  const auto form = slots(info(s.opcode.op).form);
  const bool binary = form.size() == 3 && form[0].role == Role::Dst && form[1].role == Role::Src &&
                      form[2].role == Role::Src && form[0].type == form[1].type;
  if (!binary || written.size() != 2 || written[0].kind != Written::Register || !written[0].second.empty()) return hint;
  hint.text += "; to change " + written[0].name + " write it twice";
  SourceRange before = written[1].where;
  before.length = 0;
  hint.fixes = {{before, written[0].name + ", "}};
  return hint;
}

bool Assembly::wrong_count(const Statement& s, const std::vector<WrittenOperand>& written) {
  std::size_t least = 0, most = 0;
  const auto form = slots(info(s.opcode.op).form);
  for (std::size_t k = 0; k < form.size(); ++k) {
    if (form[k].when_absent == Default::Required) ++least;
    if (!is_second_destination(form[k]) && !is_hidden(form[k]) &&
        !(k > 0 && form[k].in_braces && form[k - 1].in_braces))
      ++most;
  }
  least = std::min(least, most);
  const auto given =
      std::count_if(written.begin(), written.end(), [](const WrittenOperand& w) { return w.keyword.empty(); });
  std::string takes = std::to_string(least);
  if (least != most) takes += " to " + std::to_string(most);
  if (most == 0) takes = "no";
  return fail("A021", s.opcode_where,
              quoted(s.text) + " takes " + takes + (most == 1 ? " operand, " : " operands, ") + std::to_string(given) +
                  (given == 1 ? " is given" : " are given"),
              in_place(s, written));
}

// `.L2::cache_hint`: the last operand says how the cache treats the access, which changes nothing here.
bool Assembly::drop_cache_policy(Statement& s, std::vector<WrittenOperand>& written) {
  const WrittenOperand* const last = written.size() > 1 ? &written.back() : nullptr;
  if (last == nullptr || last->kind != Written::Register || !last->second.empty())
    return fail("A022", last == nullptr ? s.opcode_where : last->where,
                "the last operand of " + quoted(s.text) + " with .L2::cache_hint is a policy, in a 64-bit register",
                "leave .L2::cache_hint out if there is none");
  if (use_register(last->name, last->where, RegClass::R64, s.text, false) < 0) return false;
  written.pop_back();
  return true;
}

// A BoolOp combines with operand c, and nothing else does.
bool Assembly::check_combined(Statement& s) {
  const auto form = slots(info(s.opcode.op).form);
  for (std::size_t k = 0; k < form.size(); ++k) {
    if (!is_combined(form[k]) || (s.insn.operands[k].kind != Operand::Kind::None) == has_slot(form[k], s.opcode.mods))
      continue;
    if (has_slot(form[k], s.opcode.mods))
      return fail("A021", s.opcode_where, quoted(s.text) + " takes one more operand, a predicate",
                  "the form is " + usage(s.opcode.op));
    return fail("A021", s.insn.operands[k].where, quoted(s.text) + " does not say how to combine operand c",
                "write .and, .or or .xor behind the comparison");
  }
  return true;
}

bool Assembly::bind_operands(Statement& s, std::vector<WrittenOperand>& written) {
  if (s.opcode.has_cache_policy && !drop_cache_policy(s, written)) return false;
  if (s.opcode.space_left_out && !choose_space(s, written)) return false;
  if (!choose_braces(s, written)) return false;
  const auto form = slots(info(s.opcode.op).form);
  s.insn.operands.assign(form.size(), Operand{});
  std::size_t positional = 0, least = 0, most = 0;
  for (std::size_t k = 0; k < form.size(); ++k) {
    if (form[k].when_absent == Default::Required) ++least;
    if (!is_second_destination(form[k]) && !is_hidden(form[k])) ++most;
  }
  for (const WrittenOperand& w : written) positional += w.keyword.empty() ? 1 : 0;
  if (positional < least || positional > most) return wrong_count(s, written);
  std::size_t slot = 0;
  bool named = false, ok = true;
  for (const WrittenOperand& w : written) {
    if (!w.keyword.empty()) {
      named = true;
      ok = bind_keyword(s, w) && ok;
      continue;
    }
    if (named)
      return fail("A036", w.where, "an operand without a name after width= or mask=", "put the named operands last");
    while (is_second_destination(form[slot]) || is_hidden(form[slot])) ++slot;
    // `bar.red.popc.u32 %d, 0, %p`: the optional operand before the last one is left out.
    if (positional < most && is_optional_in_the_middle(form, slot)) ++slot;
    ok = bind_slot(s, slot++, w) && ok;
  }
  for (std::size_t k = 0; ok && k < form.size(); ++k) {
    if (!is_hidden(form[k])) continue;
    Operand& o = s.insn.operands[k];
    o.kind = Operand::Kind::Reg;
    o.reg = use_register(std::string(kCarryFlag), s.opcode_where, RegClass::Pred, s.text, form[k].role != Role::Src);
    o.where = s.opcode_where;
    ok = o.reg >= 0;
  }
  return ok && check_combined(s);
}

// `mov.b64 {%lo, %hi}, %x`: the braces choose among the rows of one mnemonic and type. Then the vector's elements stand
// like operands, each for its slot.
bool Assembly::choose_braces(Statement& s, std::vector<WrittenOperand>& written) {
  const auto fits = [&](Form candidate) {
    const auto form = slots(candidate);
    std::size_t k = 0;
    for (const WrittenOperand& w : written) {
      if (w.kind != Written::Vector) {
        if (k < form.size() && form[k].in_braces) return false;
        if (k < form.size() && is_second_destination(form[k])) ++k;
        ++k;
        continue;
      }
      for (std::size_t n = 0; n < w.elements.size(); ++n, ++k) {
        if (k >= form.size() || !form[k].in_braces) return false;
      }
      if (k < form.size() && form[k].in_braces) return false;
    }
    return true;
  };
  const OpInfo& row = info(s.opcode.op);
  const auto vector =
      std::find_if(written.begin(), written.end(), [](const WrittenOperand& w) { return w.kind == Written::Vector; });
  if (!fits(row.form)) {
    for (std::size_t i = 0; i < assembly_ops().size(); ++i) {
      const OpInfo& other = assembly_ops()[i];
      if (other.mnemonic != row.mnemonic || !contains(other.types, s.opcode.type) || !fits(other.form)) continue;
      s.opcode.op = static_cast<Op>(i);
      break;
    }
  }
  const OpInfo& chosen = info(s.opcode.op);
  if (!fits(chosen.form)) {
    if (vector == written.end())
      return fail("A022", s.opcode_where, quoted(s.text) + " takes a vector", "the form is " + usage(s.opcode.op));
    const std::string count =
        std::to_string(vector->elements.size()) + (vector->elements.size() == 1 ? " element" : " elements");
    return fail("A022", vector->where, quoted(s.text) + " takes no vector of " + count + " here",
                "the form is " + usage(s.opcode.op));
  }
  if (vector == written.end()) return true;
  std::vector<WrittenOperand> elements = std::move(vector->elements);
  const auto at = written.erase(vector);
  written.insert(at, std::make_move_iterator(elements.begin()), std::make_move_iterator(elements.end()));
  return true;
}

bool Assembly::bind_keyword(Statement& s, const WrittenOperand& w) {
  const auto form = slots(info(s.opcode.op).form);
  const Default wanted = w.keyword == "width" ? Default::FullWidth : Default::FullMask;
  for (std::size_t k = 0; k < form.size(); ++k) {
    if (form[k].when_absent != wanted) continue;
    if (s.insn.operands[k].kind != Operand::Kind::None)
      return fail("A036", w.where, quoted(w.keyword) + " is given twice");
    if (wanted == Default::FullMask) return bind_source(s, k, w);
    if (w.kind != Written::Constant)
      return fail("A022", w.where, "a width is a constant",
                  "for a width that is not, give operand c: (32 - width) << 8 | clamp");
    Operand& o = s.insn.operands[k];
    o.kind = Operand::Kind::Width;
    o.expr = w.expr;
    o.where = w.where;
    return true;
  }
  return fail("A036", w.where, quoted(s.text) + " has no " + quoted(w.keyword), "the form is " + usage(s.opcode.op));
}

bool Assembly::bind_slot(Statement& s, std::size_t k, const WrittenOperand& w) {
  const auto form = slots(info(s.opcode.op).form);
  if (!w.second.empty()) {
    if (k + 1 >= form.size() || !is_second_destination(form[k + 1])) {
      return fail("A021", w.second_where, quoted(s.text) + " writes no second register",
                  "the form is " + usage(s.opcode.op));
    }
    WrittenOperand second;
    second.kind = Written::Register;
    second.name = w.second;
    second.where = w.second_where;
    if (!bind_destination(s, k + 1, second)) return false;
  }
  switch (form[k].role) {
    case Role::Dst:
    case Role::DstPred: return bind_destination(s, k, w);
    case Role::Src: return bind_source(s, k, w);
    case Role::Addr: return bind_address(s, k, w);
    case Role::Label: return bind_label(s, k, w);
  }
  return false;
}

bool Assembly::bind_destination(Statement& s, std::size_t k, const WrittenOperand& w) {
  const OpInfo& row = info(s.opcode.op);
  if (w.kind == Written::Name && w.name == "_" && may_be_dropped(row, slots(row.form)[k])) return true;
  if (w.kind == Written::Special)
    return fail("A029", w.where, quoted(info(*w.special).name) + " is filled by the machine: nothing can write it",
                "write a register of your own, such as %x");
  if (w.kind == Written::Element || w.kind == Written::Address)
    return fail("A029", w.where, quoted(s.text) + " writes a register, not memory",
                "st.global or st.shared writes memory");
  if (w.kind != Written::Register) {
    const bool is_name = w.kind == Written::Name;
    return fail("A029", w.where, "the first operand of " + quoted(s.text) + " is the register that it writes",
                is_name && names_.registers.count("%" + w.name) != 0 ? did_you_mean(w.where, "%" + w.name)
                : is_name && names_.params.count(w.name) != 0        ? "a parameter does not change"
                : is_name ? Hint("a register's name begins with %: %" + w.name, {{w.where, "%" + w.name}})
                          : "a register's name begins with %");
  }
  if (w.negated) return fail("A022", w.where, "`!` comes before a predicate that is read");
  const Type type = slot_type(s, slots(info(s.opcode.op).form)[k]);
  Operand& o = s.insn.operands[k];
  o.reg = use_register(w.name, w.where, reg_class(type), s.text, true,
                       slots(info(s.opcode.op).form)[k].type == SlotType::Mask);
  o.kind = Operand::Kind::Reg;
  o.where = w.where;
  return o.reg >= 0;
}

bool Assembly::bind_source(Statement& s, std::size_t k, const WrittenOperand& w) {
  const Slot slot = slots(info(s.opcode.op).form)[k];
  const Type type = slot_type(s, slot);
  Operand& o = s.insn.operands[k];
  o.where = w.where;
  if (slot.type == SlotType::Byte) return bind_byte(s, slot, w, o);
  if (w.negated && slot.type != SlotType::Pred)
    return fail("A022", w.where, quoted(s.text) + " takes no `!` here",
                type == Type::Pred ? "not.pred turns a predicate round" : "`!` comes before a predicate");
  if (w.kind != Written::Register && type == Type::Pred) {
    return fail("A022", w.where,
                "operand " + std::string(slot.name) + " of " + quoted(s.text) + " is a predicate register",
                "setp makes one: setp.eq.u32 %p, 0, 0 is always true");
  }
  switch (w.kind) {
    case Written::Register:
      o.kind = Operand::Kind::Reg;
      o.negated = w.negated;
      o.reg = use_register(w.name, w.where, reg_class(type), s.text, false, slot.type == SlotType::Mask);
      return o.reg >= 0;
    case Written::Special: return bind_special(s, type, w, o);
    case Written::Constant: return bind_constant(s, slot, type, w, o);
    case Written::Float:
    case Written::Bits: return bind_float(s, type, w, o);
    case Written::Name: return bind_name(s, type, w, o);
    case Written::Element:
    case Written::Address:
    case Written::Vector: break;
  }
  return fail("A022", w.where, quoted(s.text) + " takes no memory operand",
              "load it first: ld.global." + std::string(is_bits_only(type) ? "b32" : name(type)) + " %x, …");
}

bool Assembly::bind_constant(Statement& s, const Slot& slot, Type type, const WrittenOperand& w, Operand& o) {
  if (is_float(element(type))) {
    const bool number = w.expr.is_number();
    const std::string both =
        is_pair(type) ? " (both halves), or move the pair's bits into a register with mov.b32" : "";
    const std::string as_float = number ? number_text(static_cast<double>(w.expr.tokens[0].number)) : "";
    return fail("A026", w.where, "an integer constant in " + quoted(s.text),
                number ? Hint("write " + as_float + both, {{w.where, as_float}})
                       : "a float needs a register here: cvt.rn." + std::string(name(element(type))) + ".u32 %x, …");
  }
  if (!fits_somewhere(w.expr, bits(type))) {
    return fail("A028", w.where, w.expr.to_string() + " does not fit into " + std::to_string(bits(type)) + " bits",
                "operand " + std::string(slot.name) + " of " + s.text + " is " + describe(type));
  }
  o.kind = Operand::Kind::Imm;
  o.expr = w.expr;
  return true;
}

// A constant that is part of the instruction: every lane count must have one.
bool Assembly::bind_byte(Statement& s, const Slot& slot, const WrittenOperand& w, Operand& o) {
  bool fits = w.kind == Written::Constant && !w.negated;
  for (unsigned lanes = 1; fits && lanes <= 64; lanes *= 2) {
    const std::int64_t value = w.expr.evaluate(lanes);
    fits = slot.name == "size" ? takes_size(s.opcode.op, value) : value >= 0 && value <= 255;
    if (slot.name == "pending") fits = fits && value == w.expr.evaluate(1);
    if (slot.name == "event") fits = fits && value < 16;
  }
  if (!fits && slot.name == "size" && info(s.opcode.op).lift == Lift::Nothing)
    return fail("A022", w.where, quoted(s.text) + " takes a line of the cache", write_instead(w.where, "128"));
  if (!fits && slot.name == "size") {
    return fail("A022", w.where, quoted(s.text) + " copies 4, 8 or 16 bytes, and the number is a constant",
                s.opcode.op == Op::CpAsyncCa ? "write 4, 8 or 16" : ".cg copies 16 bytes: write 16, or .ca");
  }
  if (!fits && slot.name == "event")
    return fail("A022", w.where, "an event of " + quoted(s.text) + " is a constant from 0 to 15", "");
  if (!fits && slot.name == "pending") {
    return fail("A022", w.where, "the number of groups in " + quoted(s.text) + " is a constant from 0 to 255",
                "0 waits for all of the thread's groups");
  }
  if (!fits) {
    return fail("A022", w.where,
                "operand " + std::string(slot.name) + " of " + quoted(s.text) + " is a constant from 0 to 255",
                "lop3's is what the operation gives for 0xF0, 0xCC and 0xAA: (0xF0 & 0xCC) ^ 0xAA is a & b ^ c");
  }
  o.kind = Operand::Kind::Imm;
  o.expr = w.expr;
  return true;
}

bool Assembly::bind_float(Statement& s, Type type, const WrittenOperand& w, Operand& o) {
  o.float_bits = w.bits;
  if (w.kind == Written::Float) {
    o.kind = Operand::Kind::FloatImm;
    if (is_float(element(type))) {  // in a pair, both halves
      const Type half = element(type);
      const double value = __builtin_bit_cast(double, w.bits);
      if (std::isinf(value) || !std::isinf(softfloat::value_of(half, softfloat::nearest(half, value)))) return true;
      return fail("A028", w.where, number_text(value) + " is larger than any " + std::string(name(half)),
                  "infinity is written inf");
    }
    return fail("A027", w.where, "a float constant in " + quoted(s.text),
                is_bits_only(type) && bits(type) >= 32
                    ? "write its bits, such as 0f3F800000 for 1.0, or move it with mov." +
                          std::string(bits(type) == 32 ? "f32" : "f64")
                    : "operands of " + s.text + " are integers");
  }
  o.kind = Operand::Kind::BitsImm;
  if (bits(type) == bits(w.bits_type) && (is_float(type) || is_untyped(type))) return true;
  return fail("A027", w.where, "the bits of an " + std::string(name(w.bits_type)) + " in " + quoted(s.text),
              is_float(type) ? (w.bits_type == Type::F32 ? "an f64 is written 0d and 16 digits"
                                                         : "an f32 is written 0f and 8 digits")
                             : "write them as 0x…");
}

bool Assembly::bind_special(Statement& s, Type type, const WrittenOperand& w, Operand& o) {
  const SpecialInfo& special = info(*w.special);
  o.kind = Operand::Kind::Special;
  o.special = *w.special;
  const std::string text = quoted(special.name);
  if (is_float(element(type)))
    return fail(
        "A022", w.where, text + " is an integer, " + quoted(s.text) + " computes with floats",
        "cvt.rn." + std::string(name(element(type))) + ".u32 %x, " + std::string(special.name) + " converts it");
  const bool is_set = special.type == Type::Mask;
  if (is_set ? type != Type::Mask && bits(type) != 32 : bits(type) != bits(special.type)) {
    const std::string is = is_set ? " is a set of lanes" : " has " + std::to_string(bits(special.type)) + " bits";
    return fail("A023", w.where,
                text + is + "; " + quoted(s.text) + " reads " +
                    (type == Type::Mask ? "a set of lanes" : std::to_string(bits(type)) + " bits"),
                *w.special == Special::Clock64 ? "mov.u32 %x, %clock reads its low half"
                : *w.special == Special::Clock ? "mov.u64 %x, %clock64 reads all of it"
                : bits(type) == 64 && !is_set  ? "cvt.u64.u32 %x, " + std::string(special.name) + " widens it"
                                               : "");
  }
  return true;
}

bool Assembly::bind_name(Statement& s, Type type, const WrittenOperand& w, Operand& o) {
  const auto param = names_.params.find(w.name);
  const auto shared = names_.objects.find(w.name);
  if (param == names_.params.end() && shared == names_.objects.end()) return undefined_name(w);
  const bool is_shared = shared != names_.objects.end();
  const Param* p = is_shared ? nullptr : &lesson_.params[static_cast<std::size_t>(param->second)];
  if (!is_shared && !p->is_buffer()) {
    o.kind = Operand::Kind::Param;
    o.param = param->second;
    if (bits(p->type) != bits(type)) {
      return fail("A023", w.where,
                  quoted(w.name) + " is a " + std::string(name(p->type)) + " parameter; " + quoted(s.text) + " reads " +
                      describe(type),
                  "cvt changes the size, once the parameter is in a register");
    }
    const bool floats = is_float(element(type)) || is_float(element(p->type));
    if (floats && type != p->type && !is_bits_only(type) && !is_untyped(p->type)) {
      return fail(
          "A022", w.where,
          quoted(w.name) + " is " + std::string(name(p->type)) + ", " + quoted(s.text) + " reads " + describe(type),
          "mov." + std::string(name(p->type)) + " it into a register, then cvt." +
              std::string(is_float(type) ? "rn." : "rzi.") + std::string(name(type)) + "." +
              std::string(name(p->type)));
    }
    return true;
  }
  o.kind = is_shared ? Operand::Kind::ObjectAddr : Operand::Kind::BufferAddr;
  (is_shared ? o.object : o.param) = is_shared ? shared->second : param->second;
  const int width = is_shared ? 32 : 64;
  if (bits(type) == width && !is_float(type)) return true;
  const std::string load = is_shared ? "ld.shared" : "ld.global";
  return fail("A023", w.where,
              quoted(w.name) + " alone is an address of " + std::to_string(width) + " bits; " + quoted(s.text) +
                  " reads " + describe(type),
              "an element is loaded with " + load + " from " + w.name + "[…]");
}

bool Assembly::bind_label(Statement& s, std::size_t k, const WrittenOperand& w) {
  if (w.kind != Written::Name) return fail("A022", w.where, quoted(s.text) + " takes a label");
  Operand& o = s.insn.operands[k];
  o.kind = Operand::Kind::Label;
  o.where = w.where;
  names_.label_uses.push_back({lesson_.code.size(), w.name, w.where});
  return true;
}

}  // namespace warpsim
