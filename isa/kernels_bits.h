// The scalar meaning of instructions that need no fast loop: one function on bits, whatever the types.
//
// Shapes: K::of(Operands) gives the bits of the result; only as many as the destination has count. Operands come
//         zero-extended, in the order in which the form writes them.
// Units:  positions, lengths and shift amounts count bits.
// Errors: none: every input has an answer.
// Source: PTX ISA 9.0, section 9.7.1; what PTX leaves open is what the H200 gives (tests/data/h200_semantics.txt.xz).
#pragma once

#include <cstdint>

#include "isa/op.h"
#include "isa/softfloat.h"
#include "isa/type.h"

namespace warpsim::kernels {

struct Operands {
  Type type = Type::None, type2 = Type::None;
  Mods mods;
  std::uint64_t a = 0, b = 0, c = 0, d = 0;
};

namespace detail {

using Bits = std::uint64_t;

constexpr Bits low_bits(Bits x, int width) { return width >= 64 ? x : x & ((Bits{1} << width) - 1); }
constexpr bool bit_of(Bits x, int position) { return (x >> position & 1) != 0; }
// The bits as the type's number, in two's complement over all 64 bits.
constexpr Bits extended(Type t, Bits x) {
  const int width = bits(t);
  const bool negative = is_signed(t) && bit_of(x, width - 1);
  return width >= 64 ? x : negative ? x | ~Bits{0} << width : low_bits(x, width);
}
constexpr std::int64_t number(Type t, Bits x) { return static_cast<std::int64_t>(extended(t, x)); }
constexpr bool less(Type t, Bits a, Bits b) {
  return is_signed(t) ? number(t, a) < number(t, b) : low_bits(a, bits(t)) < low_bits(b, bits(t));
}

}  // namespace detail

// ---- 16-bit arithmetic: in 64 bits, where nothing overflows
struct NarrowAdd {
  static constexpr std::uint64_t of(const Operands& o) { return o.a + o.b; }
};
struct NarrowSub {
  static constexpr std::uint64_t of(const Operands& o) { return o.a - o.b; }
};

}  // namespace warpsim::kernels
