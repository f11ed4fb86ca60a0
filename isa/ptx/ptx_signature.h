// Where the results and parameters of a function lie in its frame.
//
// Shapes: results first, then parameters, each at a multiple of its alignment. Caller and callee compute the same from
//         the same types, also through a pointer.
// Units:  bytes from the start of the callee's frame.
// Errors: none: what has no size takes none.
// Source: PTX ISA 9.0, 7.1 "Function Declarations and Definitions"; the order is this simulator's own.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/ptx/ptx_syntax.h"

namespace warpsim::ptx {

struct Signature {
  std::vector<std::uint32_t> results, parameters;  // offsets
  std::uint32_t results_bytes = 0, bytes = 0;
};
Signature signature_of(const std::vector<Declaration>& results, const std::vector<Declaration>& parameters);

// call (results), callee, (arguments), prototype: all but the callee may be left out.
struct CallParts {
  const Operand *results = nullptr, *callee = nullptr, *arguments = nullptr, *prototype = nullptr;
};
CallParts parts_of(const Instruction& call);

std::uint32_t alignment_of(const Declaration& declaration);

}  // namespace warpsim::ptx
