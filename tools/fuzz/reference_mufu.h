// The special-function unit a second time: the formulas as exact numbers, packed by exact_float.
//
// Shapes: bits in, bits out; `op` is a row of the table whose kernel is in isa/kernels/mufu.h.
// Units:  none.
// Errors: none.
// Source: isa/kernels/mufu_tables.h for the coefficients, which are data; nothing else is shared.
#pragma once

#include <cstdint>
#include <optional>

#include "isa/table/op.h"

namespace warpsim::reference {

// Nothing for a row that the special-function unit does not execute.
std::optional<std::uint64_t> special_function(Op op, Type type, const Mods& mods, std::uint64_t a, std::uint64_t b);

}  // namespace warpsim::reference
