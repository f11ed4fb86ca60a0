// Products and sums that a compiler of PTX may fuse, and a text in which it may not.
//
// Shapes: ptxas makes one fma of a `mul` and an `add` or `sub` that name no rounding, unless it is told -fmad=false.
// With
//         `.rn` the two round as without it, and stay two: ptxas 13.0 makes the same machine code, byte for byte, of a
//         text whose instructions say `.rn` as of the same text with -fmad=false.
// Units:  none.
// Errors: none.
// Source: PTX ISA 9.0, 9.7.3 and 9.7.4, "Rounding modifiers" of add, sub and mul.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "isa/ptx/ptx_syntax.h"

namespace warpsim::ptx {

// A sum or difference without a rounding, one of whose terms a product without a rounding has computed.
struct FusiblePair {
  SourceRange product, sum;
};
// In each function by itself, in the order of the sums. The product is the last one in the text that wrote the
// register, with no label between.
std::vector<FusiblePair> fusible_pairs(const Module& module);

// The module's text for a compiler that has no -fmad=false: `.rn` where no rounding is named. Lines of `.loc` are left
// empty: they name files and strings that a text may lack.
std::string with_roundings(const Module& module);

}  // namespace warpsim::ptx
