// Calls: arguments and results are bytes of the callee's frame; see ptx_lowering.h.
#include <algorithm>
#include <array>
#include <utility>

#include "isa/ptx/ptx_lowering.h"
#include "isa/ptx/ptx_summary.h"

namespace warpsim::ptx {

using Given = ptx::Operand;
using Made = warpsim::Operand;

const Function* Lowering::callee_of(const CallParts& parts) const {
  return parts.callee == nullptr || parts.callee->kind != Given::Kind::Symbol
             ? nullptr
             : linker_.find_function(parts.callee->name, file());
}

// By the function's name, else by the prototype that the call names, or the first of the functions that it lists.
std::optional<Lowering::Head> Lowering::head_of_call(const CallParts& parts) const {
  if (const Function* const function = callee_of(parts)) return Head{&function->results, &function->parameters};
  if (parts.prototype == nullptr) return std::nullopt;
  for (const Names& scope : named_of_scope_)
    if (const auto found = scope.find(parts.prototype->name);
        found != scope.end() && found->second.prototype != nullptr)
      return Head{&found->second.prototype->results, &found->second.prototype->parameters};
  for (const Statement& one : function_.body) {
    const auto* const list = std::get_if<Targets>(&one);
    if (list == nullptr || !list->of_calls || list->label.text != parts.prototype->name || list->names.empty())
      continue;
    if (const Function* const function = linker_.find_function(list->names.front().text, file()))
      return Head{&function->results, &function->parameters};
  }
  return std::nullopt;
}

std::optional<Signature> Lowering::signature_of_call(const CallParts& parts) const {
  const std::optional<Head> head = head_of_call(parts);
  if (!head) return std::nullopt;
  return signature_of(*head->results, *head->parameters);
}

void Lowering::call(const Instruction& from) {
  const CallParts parts = parts_of(from);
  if (parts.callee == nullptr || parts.callee->kind != Given::Kind::Symbol)
    return fail("P022", from.where, "a call names a function or a register");
  const Function* const function = callee_of(parts);
  const std::int32_t pointer = function == nullptr ? named_register(*parts.callee).value_or(-1) : -1;
  if (function == nullptr && pointer < 0)
    return fail("P024", parts.callee->where, "no function " + quoted(parts.callee->name));
  if (function != nullptr && !function->has_body) {
    if (!system_call(from, parts, *function) && !failed_ && !runtime_call(from, parts, *function) && !failed_)
      refuse(from, "the function " + std::string(function->name.text) + " has no body" +
                       linker_.did_you_mean(function->name.text));
    return;
  }
  linker_.frame_register();
  const std::vector<Declaration> none;
  const Head head = head_of_call(parts).value_or(Head{&none, &none});
  const std::vector<Declaration>&results = *head.results, &parameters = *head.parameters;
  const Signature signature = signature_of(results, parameters);
  outgoing_bytes_ = std::max(outgoing_bytes_, signature.bytes);
  if (!pass_arguments(from, parts, parameters, signature)) return;
  Insn insn = made(from, pointer >= 0 ? Op::CallPointer : Op::Call, Type::None);
  Made target;
  target.where = parts.callee->where;
  if (pointer >= 0) {
    target.kind = Made::Kind::Reg;
    target.reg = pointer;
    if (class_of(pointer) != RegClass::R64) return static_cast<void>(wrong_size(from, pointer, Type::U64));
  } else {
    target.kind = Made::Kind::Label;
    linker_.call_later(program_.code.size(), *function);
  }
  insn.operands = {target};
  program_.code.push_back(std::move(insn));
  take_results(from, parts, results, signature);
}

// What the driver does for a kernel (PTX Interoperability 13.0, "System Calls"). The declaration must be the one that
// is written there. False: it is no such function, or a fault.
bool Lowering::system_call(const Instruction& from, const CallParts& parts, const Function& function) {
  struct Known {
    std::string_view name;
    Op op;
    std::vector<Type> results, parameters;  // b64 are addresses
    std::size_t used;                       // parameters that the row takes
  };
  static const std::array<Known, 4> kKnown = {
      Known{"malloc", Op::Malloc, {Type::B64}, {Type::B64}, 1}, Known{"free", Op::Free, {}, {Type::B64}, 1},
      Known{"vprintf", Op::Vprintf, {Type::B32}, {Type::B64, Type::B64}, 2},
      Known{"__assertfail", Op::AssertFail, {}, {Type::B64, Type::B64, Type::B32, Type::B64, Type::B64}, 4}};
  const auto known =
      std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& one) { return one.name == function.name.text; });
  const auto has = [](const std::vector<Declaration>& all, const std::vector<Type>& types) {
    return std::equal(all.begin(), all.end(), types.begin(), types.end(),
                      [](const Declaration& one, Type type) { return bits(type_of(one.type)) == bits(type); });
  };
  if (known == kKnown.end() || !has(function.results, known->results) || !has(function.parameters, known->parameters))
    return false;
  linker_.frame_register();
  const Signature signature = signature_of(function.results, function.parameters);
  outgoing_bytes_ = std::max(outgoing_bytes_, signature.bytes);
  if (!pass_arguments(from, parts, function.parameters, signature)) return false;
  Insn insn = made(from, known->op, Type::None);
  const auto move = [&](Op op, Type type, std::uint32_t offset) {
    const Made reg = register_operand(fresh(reg_class(type)));
    Insn one = made(from, op, type);
    one.mods.memory.space = AddressSpace::Local;
    one.operands = {reg, frame_address(offset, true)};
    if (op == Op::StGlobal) std::swap(one.operands[0], one.operands[1]);
    insn.operands.push_back(reg);
    return one;
  };
  std::optional<Insn> store;
  if (!known->results.empty()) store = move(Op::StGlobal, known->results[0], signature.results[0]);
  for (std::size_t k = 0; k < known->used; ++k)
    program_.code.push_back(move(Op::LdGlobal, known->parameters[k], signature.parameters[k]));
  program_.code.push_back(std::move(insn));
  if (store) program_.code.push_back(*std::move(store));
  take_results(from, parts, function.results, signature);
  return true;
}

// What stands in registers and constants; .param variables have been stored to where the callee has them.
bool Lowering::pass_arguments(const Instruction& from, const CallParts& parts,
                              const std::vector<Declaration>& parameters, const Signature& signature) {
  const std::size_t given = parts.arguments == nullptr ? 0 : parts.arguments->parts.size();
  if (given != parameters.size() && (given > parameters.size() || !parameters.empty())) {
    fail("P021", from.where,
         "the call passes " + std::to_string(given) + " arguments, the function takes " +
             std::to_string(parameters.size()));
    return false;
  }
  for (std::size_t k = 0; k < given; ++k) {
    const Given& one = parts.arguments->parts[k];
    if (const std::optional<bool> known = is_where_the_callee_has_it(from, one, signature.parameters[k]); !known)
      return false;
    else if (*known) continue;
    move_bytes(from, false, one, parameters[k].type, signature.parameters[k], true);
  }
  return !failed_;
}

// A .param variable of this call; false: it is a register or a constant. None: what is passed elsewhere, too.
std::optional<bool> Lowering::is_where_the_callee_has_it(const Instruction& from, const Given& one,
                                                         std::uint32_t offset) {
  const Symbol* const symbol = one.kind == Given::Kind::Symbol ? find(one.name) : nullptr;
  if (symbol == nullptr || (symbol->kind != Symbol::Kind::Outgoing && symbol->kind != Symbol::Kind::Frame))
    return false;
  if (symbol->kind == Symbol::Kind::Outgoing && symbol->offset == offset) return true;
  refuse(from, "one .param variable for two calls with other signatures");
  return std::nullopt;
}

void Lowering::take_results(const Instruction& from, const CallParts& parts, const std::vector<Declaration>& results,
                            const Signature& signature) {
  const std::size_t given = parts.results == nullptr ? 0 : parts.results->parts.size();
  for (std::size_t k = 0; k < given && k < results.size(); ++k) {
    const Given& one = parts.results->parts[k];
    if (one.kind == Given::Kind::Absent) continue;
    if (const std::optional<bool> known = is_where_the_callee_has_it(from, one, signature.results[k]); !known) return;
    else if (*known) continue;
    move_bytes(from, true, one, results[k].type, signature.results[k], true);
  }
}

// Between a register, or a constant that is stored, and a frame.
void Lowering::move_bytes(const Instruction& from, bool loads, const Given& reg, std::string_view type,
                          std::uint32_t offset, bool outgoing) {
  if (type == ".pred") return move_predicate(from, loads, reg, offset, outgoing);
  Insn insn = made(from, loads ? Op::LdGlobal : Op::StGlobal, untyped_of(bits(type_of(type))));
  insn.mods.memory.space = AddressSpace::Local;
  insn.operands.assign(2, Made{});
  const std::size_t value = loads ? 0 : 1;
  if (!bind(from, insn, value, reg)) return;
  insn.operands[1 - value] = frame_address(offset, outgoing);
  emit(std::move(insn));
}

// As a word, 1 or 0.
void Lowering::move_predicate(const Instruction& from, bool loads, const Given& reg, std::uint32_t offset,
                              bool outgoing) {
  const Made word = register_operand(scratch(RegClass::R32)), at = frame_address(offset, outgoing);
  Insn access = made(from, loads ? Op::LdGlobal : Op::StGlobal, Type::B32);
  access.mods.memory.space = AddressSpace::Local;
  access.operands = loads ? std::vector<Made>{word, at} : std::vector<Made>{at, word};
  Insn turns = made(from, loads ? Op::SetpNe : Op::Selp, loads ? Type::U32 : Type::B32);
  turns.operands = loads ? std::vector<Made>{Made{}, Made{}, word, number_operand(0), Made{}}
                         : std::vector<Made>{word, number_operand(1), number_operand(0), Made{}};
  if (!(loads ? bind_destination(from, turns, 0, reg) : bind_source(from, turns, 3, reg))) return;
  if (!loads) std::swap(access, turns);
  program_.code.push_back(std::move(access));
  emit(std::move(turns));
}

// Parameters and results that are registers of the function (PTX ISA 9.0, 7.1): loaded as it begins, stored as it
// returns.
void Lowering::move_registers(const Instruction& from, bool loads, const std::vector<Declaration>& all,
                              const std::vector<std::uint32_t>& offsets) {
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (all[k].space != ".reg") continue;
    Given reg;
    reg.kind = Given::Kind::Symbol;
    reg.name = all[k].name.text;
    move_bytes(from, loads, reg, all[k].type, offsets[k], false);
  }
}

}  // namespace warpsim::ptx
