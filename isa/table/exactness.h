// Whether an instruction's result is the same bits on every GPU, or what the hardware makes of it within a bound.
//
// Shapes: a property of the opcode, whatever its operands are. What PTX leaves open for some operands of an exact
//         instruction (a division by zero, the payload of a NaN, a source lane that is not there) is not told here: a
//         checker that sees the values tells it. So it is at 64 lanes too: the same rules, though no hardware was
//         asked.
// Errors: none.
// Source: PTX ISA 9.0: where a result is only bounded, the opcode says `.approx`, or `.full` of div. Collectives are
//         warpsim's own, and exact: their bits are those of their expansions.
#pragma once

#include <cstdint>
#include <string_view>

#include "isa/table/op.h"

namespace warpsim {

enum class Exactness : std::uint8_t {
  Exact,        // PTX fixes the bits
  Approximate,  // PTX gives a bound; warpsim gives the H200's bits
  // Executed without its effect. No instruction is: what is not supported does not assemble, and of those that
  // have no effect here, fences order what is in order anyway and nanosleep may sleep for no time at all, as PTX says.
  Unsupported,
};
inline constexpr int kExactnessCount = static_cast<int>(Exactness::Unsupported) + 1;

Exactness exactness(Op op);
std::string_view name(Exactness exactness);  // "exact", "approximate", "unsupported"

}  // namespace warpsim
