// What written memory operands mean to their instruction: elements, addresses and parameters.
//
// Shapes: the array that an operand names decides the space of an opcode that leaves it out, and must agree with the
//         row's space otherwise.
// Errors: A014 no space, A022 kind of operand, A025 unknown name, A030 store to an `in` buffer, A031 element size, A035
//         wrong space.
// Source: PTX ISA 9.0, chapters 5 and 6.
#include "isa/assembly/assembly.h"
#include "isa/assembly/opcode_errors.h"
#include "isa/table/special.h"

namespace warpsim {
namespace {

using Written = WrittenOperand::Kind;

}  // namespace

// `ld.f32 %x, tile[%i]`: the array's space is the load's.
bool Assembly::choose_space(Statement& s, const std::vector<WrittenOperand>& written) {
  const auto form = slots(info(s.opcode.op).form);
  const WrittenOperand* address = nullptr;
  for (std::size_t k = 0, n = 0; k < form.size() && n < written.size(); ++k) {
    if (form[k].role == Role::Addr) address = &written[n];
    n += k + 1 < form.size() && form[k].in_braces && form[k + 1].in_braces ? 0 : 1;  // a vector is one operand
  }
  if (address == nullptr) return wrong_count(s, written);
  const bool is_shared = names_.objects.count(address->name) != 0;
  const std::string word = without_space(info(s.opcode.op).mnemonic);
  if (address->name.empty() || (!is_shared && names_.params.count(address->name) == 0)) {
    if (!address->name.empty()) return undefined_name(*address);
    return fail("A014", s.opcode_where, quoted(word) + " needs to say which memory",
                "write " + with_space(info(s.opcode.op).mnemonic, AddressSpace::Global) + " or " +
                    with_space(info(s.opcode.op).mnemonic, AddressSpace::Shared) + "; only a name implies its space");
  }
  const AddressSpace wanted = is_shared ? AddressSpace::Shared : AddressSpace::Global;
  for (std::size_t i = 0; i < assembly_ops().size(); ++i) {
    const OpInfo& row = assembly_ops()[i];
    if (row.space == wanted && row.lift == info(s.opcode.op).lift && without_space(row.mnemonic) == word &&
        contains(row.types, s.opcode.type)) {
      s.opcode.op = static_cast<Op>(i);
      break;
    }
  }
  const OpInfo& chosen = info(s.opcode.op);
  const bool hints = s.opcode.has_cache_policy || !cache_words(s.opcode.mods.memory).empty();
  if (hints && (chosen.mods & kCache) == 0)
    return fail("A018", s.opcode_where, quoted(spelling(s.opcode.op)) + " takes no words for the caches",
                "shared memory is not cached: leave them out");
  s.text = opcode_text(s.opcode);
  return true;
}

// The same with another space or type. What the opcode says besides stays unsaid: then it is for people alone.
Hint Assembly::other_opcode(const Statement& s, const std::string& opcode) {
  if (s.text == std::string(info(s.opcode.op).mnemonic) + "." + std::string(name(s.opcode.type)))
    return write_instead(s.opcode_where, opcode);
  return "write " + opcode;
}

bool Assembly::undefined_name(const WrittenOperand& w) {
  if (!names_.complete) return false;  // the faulty declaration has been reported
  const std::string special = special_named(w.name);
  Hint hint = "the kernel has no parameters";
  std::vector<std::string> names;
  for (const auto& [known, index] : names_.params) names.push_back(known);
  for (const auto& [known, index] : names_.objects) names.push_back(known);
  const std::string meant = nearest(w.name, names);
  SourceRange where = w.kind == Written::Address ? w.index_where : w.where;
  where.length = static_cast<std::uint32_t>(w.name.size());
  if (!special.empty()) hint = did_you_mean(where, special);
  else if (names_.registers.count("%" + w.name) != 0) hint = did_you_mean(where, "%" + w.name);
  else if (!meant.empty()) hint = did_you_mean(where, meant);
  else if (!names.empty()) hint = "there are " + joined(names, "and");
  return fail("A025", where, "no parameter or shared array " + quoted(w.name), hint);
}

bool Assembly::bind_address(Statement& s, std::size_t k, const WrittenOperand& w) {
  Operand& o = s.insn.operands[k];
  o.where = w.where;
  const OpInfo& row = info(s.opcode.op);
  if (row.lift == Lift::LoadParam) return bind_parameter(s, w, o);
  // Advice to the caches accesses nothing, and is about global memory.
  const AddressSpace space = row.lift == Lift::Nothing ? AddressSpace::Global : space_of(row, slots(row.form)[k]);
  if (w.kind == Written::Element) return bind_element(s, space, w, o);
  if (w.kind == Written::Address) return bind_plain_address(s, space, w, o);
  Hint hint = "an address is written in brackets";
  if (w.kind == Written::Name) hint = "say which element: " + w.name + "[%gtid]";
  if (w.kind == Written::Register) hint = write_instead(w.where, "[" + w.name + "]");
  return fail("A022", w.where, quoted(s.text) + " takes a memory operand here", hint);
}

bool Assembly::bind_element(Statement& s, AddressSpace wanted, const WrittenOperand& w, Operand& o) {
  const OpInfo& row = info(s.opcode.op);
  const auto param = names_.params.find(w.name);
  const auto shared = names_.objects.find(w.name);
  if (param == names_.params.end() && shared == names_.objects.end()) return undefined_name(w);
  const bool is_shared = shared != names_.objects.end();
  const bool stores = writes_memory(row) && wanted == row.space;
  const Param* p = is_shared ? nullptr : &lesson_.params[static_cast<std::size_t>(param->second)];
  if (p != nullptr && !p->is_buffer())
    return fail("A022", w.where, quoted(w.name) + " is one value, not an array",
                "use it as an operand: mov." + std::string(name(p->type)) + " %x, " + w.name);
  const AddressSpace space = is_shared ? AddressSpace::Shared : AddressSpace::Global;
  if (wanted != space) {
    return fail("A035", w.where, quoted(w.name) + " is in " + std::string(name(space)) + " memory",
                row.lift == Lift::Copy
                    ? "a copy goes to shared memory, its first operand, from global memory, its second"
                : row.lift == Lift::Nothing
                    ? "shared memory is not cached"
                    : other_opcode(s, with_space(row.mnemonic, space) + "." + std::string(name(s.opcode.type))));
  }
  if (stores && p != nullptr && p->kind == Param::Kind::In)
    return fail("A030", w.where, quoted(w.name) + " is an `in` buffer: the kernel must not write it",
                "declare it `inout " + w.name + "` if it should");
  if (row.lift == Lift::Nothing) return bind_index(is_shared, is_shared ? shared->second : param->second, w, o);
  const Type element = is_shared ? lesson_.objects[static_cast<std::size_t>(shared->second)].type : p->type;
  if (bytes(element) != bytes(s.opcode.type) && row.lift != Lift::Copy) {
    const auto size_text = [](Type t) { return std::to_string(bytes(t)) + (bytes(t) == 1 ? " byte" : " bytes"); };
    const int count = elements(row.form);
    Type fitting = contains(row.types, element) ? element : Type::None;
    for (int t = 1; t < kTypeCount && fitting == Type::None; ++t) {
      const Type other = static_cast<Type>(t);
      const bool same_kind = is_untyped(other) || is_float(other) == is_float(element);
      if (contains(row.types, other) && bytes(other) == bytes(element) && same_kind) fitting = other;
    }
    return fail("A031", w.where,
                quoted(s.text) +
                    (row.lift == Lift::Atomic ? " changes "
                     : stores                 ? " writes "
                                              : " reads ") +
                    (count == 0 ? "" : std::to_string(count) + " times ") + size_text(s.opcode.type) +
                    ", an element of " + quoted(w.name) + " (" + std::string(name(element)) + ") has " +
                    std::to_string(bytes(element)),
                fitting == Type::None ? "no " + std::string(row.mnemonic) + " takes " + std::string(name(element))
                                      : other_opcode(s, std::string(row.mnemonic) + "." + std::string(name(fitting))));
  }
  return bind_index(is_shared, is_shared ? shared->second : param->second, w, o);
}

bool Assembly::bind_index(bool is_shared, std::int32_t array, const WrittenOperand& w, Operand& o) {
  o.kind = Operand::Kind::Element;
  (is_shared ? o.object : o.param) = array;
  o.expr = w.expr;
  if (w.special) {
    if (info(*w.special).type != Type::U32)
      return fail("A022", w.index_where, quoted(info(*w.special).name) + " is no index");
    o.special_index = static_cast<std::int32_t>(*w.special);
  }
  if (w.index.empty()) return true;
  const auto known = names_.registers.find(w.index);
  const bool wide = known != names_.registers.end() && known->second.cls == RegClass::R64;
  o.reg = use_register(w.index, w.index_where, wide ? RegClass::R64 : RegClass::R32, "an index", false);
  return o.reg >= 0;
}

bool Assembly::bind_plain_address(Statement& s, AddressSpace space, const WrittenOperand& w, Operand& o) {
  const bool is_shared = space == AddressSpace::Shared;
  o.kind = Operand::Kind::Address;
  o.expr = w.expr;
  if (!w.name.empty()) {
    const auto shared = names_.objects.find(w.name);
    if (shared == names_.objects.end()) {
      if (names_.params.count(w.name) == 0) return undefined_name(w);
      const bool buffer = lesson_.params[static_cast<std::size_t>(names_.params.find(w.name)->second)].is_buffer();
      return fail("A022", w.where, quoted(w.name) + " in brackets is what ld.param reads",
                  buffer ? "an element is written " + w.name + "[%i]; its address is mov.u64 %p, " + w.name
                         : "use it as an operand: mov.u32 %x, " + w.name);
    }
    if (!is_shared)
      return fail("A035", w.where, quoted(w.name) + " is in shared memory",
                  info(s.opcode.op).lift == Lift::Copy ? "a copy's second operand is its source, in global memory"
                  : info(s.opcode.op).lift == Lift::Nothing
                      ? "shared memory is not cached"
                      : other_opcode(s, with_space(info(s.opcode.op).mnemonic, AddressSpace::Shared) + "." +
                                            std::string(name(s.opcode.type))));
    o.object = shared->second;
    return true;
  }
  if (w.index.empty()) return true;
  o.reg = use_register(w.index, w.index_where, is_shared ? RegClass::R32 : RegClass::R64,
                       is_shared ? "a shared address" : "a global address", false);
  return o.reg >= 0;
}

bool Assembly::bind_parameter(Statement& s, const WrittenOperand& w, Operand& o) {
  if (w.kind != Written::Address || w.name.empty() || !w.expr.empty()) {
    return fail("A022", w.where, quoted(s.text) + " takes a parameter's name in brackets",
                w.kind == Written::Name ? write_instead(w.where, "[" + w.name + "]") : "for example [size]");
  }
  const auto param = names_.params.find(w.name);
  if (param == names_.params.end()) return undefined_name(w);
  const Param& p = lesson_.params[static_cast<std::size_t>(param->second)];
  const int width = p.is_buffer() ? 64 : bits(p.type);
  o.kind = Operand::Kind::Param;
  o.param = param->second;
  if (width == bits(s.opcode.type)) return true;
  const std::string type = p.is_buffer() ? "u64" : std::string(name(p.type));
  return fail("A031", w.where,
              quoted(w.name) + (p.is_buffer() ? " is a buffer: its parameter is a 64-bit address"
                                              : " has " + std::to_string(width) + " bits"),
              other_opcode(s, "ld.param." + type));
}

}  // namespace warpsim
