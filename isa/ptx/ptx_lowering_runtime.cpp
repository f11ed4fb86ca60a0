// Calls of CUDA's device runtime (isa/table/runtime_functions.h): a value is computed, then stored as the function
// does.
#include "isa/ptx/ptx_lowering.h"
#include "isa/ptx/ptx_summary.h"
#include "isa/table/runtime_functions.h"

namespace warpsim::ptx {
namespace {

using Made = warpsim::Operand;

bool is_declared_as(const RuntimeFunction& known, const Function& function, const Signature& signature) {
  if (function.results.size() != (known.result_bytes == 0 ? 0U : 1U)) return false;
  std::size_t k = 0;
  for (; k < known.argument_bytes.size() && known.argument_bytes[k] != 0; ++k)
    if (k >= function.parameters.size() || bytes_of(function.parameters[k]) != known.argument_bytes[k] ||
        signature.parameters[k] != argument_offset(known, k))
      return false;
  return k == function.parameters.size();
}

constexpr std::int64_t kOutOfMemory = 2;  // cudaErrorMemoryAllocation

}  // namespace

// False: it is no such function, or a fault.
bool Lowering::runtime_call(const Instruction& from, const CallParts& parts, const Function& function) {
  const std::int32_t number = find_runtime_function(function.name.text);
  if (number < 0) return false;
  const RuntimeFunction& known = kRuntimeFunctions[static_cast<std::size_t>(number)];
  const Signature signature = signature_of(function.results, function.parameters);
  if (!is_declared_as(known, function, signature)) return false;
  linker_.frame_register();
  outgoing_bytes_ = std::max(outgoing_bytes_, signature.bytes);
  if (!pass_arguments(from, parts, function.parameters, signature)) return false;
  if (known.call == RuntimeCall::SetConditional)
    diagnostics_.list.push_back({Diagnostic::Severity::Note, "P043",
                                 quoted(function.name.text) + " has no effect: a launch is part of no graph here",
                                 "launch what the graph would run next", from.where});
  const std::int32_t value = fresh(RegClass::R64);
  Insn call = made(from, Op::CallRuntime, Type::None);
  call.operands = {register_operand(value), number_operand(number)};
  program_.code.push_back(std::move(call));
  if (known.stored_bytes != 0) store_through_argument(from, known, value);
  else if (known.result_bytes != 0) store_result(from, known.result_bytes, value);
  take_results(from, parts, function.results, signature);
  return true;
}

// The value goes to where the first argument points, the result says whether there is one.
void Lowering::store_through_argument(const Instruction& from, const RuntimeFunction& known, std::int32_t value) {
  const std::int32_t pointer = fresh(RegClass::R64), error = fresh(RegClass::R64);
  Insn load = made(from, Op::LdGlobal, Type::B64);
  load.mods.memory.space = AddressSpace::Local;
  load.operands = {register_operand(pointer), frame_address(argument_offset(known, 0), true)};
  program_.code.push_back(std::move(load));
  Made target = register_operand(pointer);
  target.kind = Made::Kind::Address;
  store(from, AddressSpace::Generic, target, known.stored_bytes, value);
  if (known.call == RuntimeCall::Allocate) {
    const std::int32_t is_none = fresh(RegClass::Pred);
    Insn compare = made(from, Op::SetpEq, Type::U64);
    compare.operands = {register_operand(is_none), Made{}, register_operand(value), number_operand(0)};
    program_.code.push_back(std::move(compare));
    Insn select = made(from, Op::Selp, Type::B64);
    select.operands = {register_operand(error), number_operand(kOutOfMemory), number_operand(0),
                       register_operand(is_none)};
    program_.code.push_back(std::move(select));
  } else {
    Insn none = made(from, Op::Mov, Type::B64);
    none.operands = {register_operand(error), number_operand(0)};
    program_.code.push_back(std::move(none));
  }
  store_result(from, known.result_bytes, error);
}

void Lowering::store_result(const Instruction& from, std::uint32_t bytes, std::int32_t value) {
  store(from, AddressSpace::Local, frame_address(0, true), bytes, value);
}

// The low bytes, 4 or 8, of a register of 64 bits.
void Lowering::store(const Instruction& from, AddressSpace space, Made target, std::uint32_t bytes,
                     std::int32_t value) {
  const bool is_whole = bytes == 8;
  const std::int32_t stored = is_whole ? value : fresh(RegClass::R32);
  if (!is_whole) program_.code.push_back(conversion(from, stored, Type::U32, value, Type::U64));
  Insn insn = made(from, Op::StGlobal, is_whole ? Type::B64 : Type::B32);
  insn.mods.memory.space = space;
  insn.operands = {std::move(target), register_operand(stored)};
  program_.code.push_back(std::move(insn));
}

}  // namespace warpsim::ptx
