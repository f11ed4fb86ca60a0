// Products and sums that a compiler of PTX may fuse: which they are, a text in which they are fused as ptxas does it,
// and one in which they cannot be.
//
// Shapes: ptxas makes one fma of a `mul` and an `add` or `sub` that name no rounding, unless it is told -fmad=false.
// With
//         `.rn` the two round as without it, and stay two: ptxas 13.0 makes the same machine code, byte for byte, of a
//         text whose instructions say `.rn` as of the same text with -fmad=false.
//         What it fuses, in its machine code: a product is fused if every use of it is a term of such a sum, of its
//         type and with its .ftz, not both terms at once, and no branch stands between. Of a sum of two such products
//         the first is fused. A guarded product is not, a guarded sum is. Of a difference from the product's negative
//         the first factor is negated. Registers are told apart by their names in a function. A product's is written
//         once, and its factors, if a label stands between: what compilers write. Products that move through other
//         registers, and what ptxas fuses after it has moved code, are left out.
// Units:  none.
// Errors: none.
// Source: PTX ISA 9.0, 9.7.3 and 9.7.4, "Rounding modifiers" of add, sub and mul; what is fused: ptxas 13.0 for sm_90
// at
//         -O3, by comparing its machine code of texts that are fused and of texts that are not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "isa/ptx/ptx_syntax.h"

namespace warpsim::ptx {

struct FusedPair {
  SourceRange product, sum;
};
// What ptxas fuses in a function, in the order of the sums.
std::vector<FusedPair> fused_pairs(const Function& function);

// The module's text with an `fma.rn` for each such sum. Lines stay where they are.
std::string with_fused_pairs(const Module& module);

// The module's text for a compiler that has no -fmad=false: `.rn` where no rounding is named.
std::string with_roundings(const Module& module);

// The text without lines of `.loc`, which name files and strings that a text may lack.
std::string without_locations(std::string_view text);

}  // namespace warpsim::ptx
