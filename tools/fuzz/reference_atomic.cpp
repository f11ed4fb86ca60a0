// What an atomic leaves in memory, from PTX's words alone: see reference_interpreter.h.
//
// Shapes: the operation is the last word of the mnemonic; PTX's pseudo-code for each stands beside it.
// Units:  bits, zero-extended.
// Errors: an operation that is not one of these has no answer.
// Source: PTX ISA 9.0, section 9.7.13.5 (atom), and the H200: in global memory f32 sums flush subnormals and f64 sums
//         hand NaN on as they are, in shared memory neither.
#include <string_view>

#include "tools/fuzz/reference_interpreter.h"

namespace warpsim::reference {

std::optional<std::uint64_t> evaluate_atomic(Op op, Type type, std::uint64_t old, std::uint64_t b, std::uint64_t c) {
  const std::string_view operation = operation_of(op);
  const bool global = info(op).space == AddressSpace::Global;
  const std::uint64_t all = bits(type) == 64 ? ~std::uint64_t{0} : 0xffffffff;
  const auto is_nan_64 = [](std::uint64_t x) { return (x & 0x7fffffffffffffff) > 0x7ff0000000000000; };
  if (operation == "add" && global && type == Type::F64 && (is_nan_64(b) || is_nan_64(old)))
    return is_nan_64(b) ? b : old;
  if (operation == "add" && is_float(type)) {
    Mods mods;
    mods.round = Round::Rn;
    mods.ftz = global && type == Type::F32;
    return evaluate(Op::AddF, type, Type::None, mods, {b, old}, 32);
  }
  if (operation == "add") return (old + b) & all;
  if (operation == "and") return old & b;
  if (operation == "or") return old | b;
  if (operation == "xor") return old ^ b;
  if (operation == "exch") return b;
  if (operation == "inc") return old >= b ? 0 : old + 1;             // r = (r >= s) ? 0 : r + 1
  if (operation == "dec") return old == 0 || old > b ? b : old - 1;  // r = (r == 0 || r > s) ? s : r - 1
  if (operation == "cas") return old == b ? c : old;                 // r = (r == s) ? t : r
  if (operation != "min" && operation != "max") return std::nullopt;
  const bool wide = bits(type) == 64;
  const std::int64_t x = wide ? static_cast<std::int64_t>(old) : static_cast<std::int32_t>(old);
  const std::int64_t y = wide ? static_cast<std::int64_t>(b) : static_cast<std::int32_t>(b);
  const bool b_is_less = is_signed(type) ? y < x : b < old;
  return (operation == "min") == b_is_less ? b : old;
}

}  // namespace warpsim::reference
