// A random program as a .warp text with one case: its launch, its inputs, and what one side made of them.
//
// Shapes: the case is called `difference`. Buffers that no float's text can give back (NaN with its bits) have an
//         untyped element in the text: the same bits, and instructions load and store them just the same.
// Errors: none.
// Source: isa/SYNTAX.md, isa/cases/case.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tools/fuzz/random/random_program.h"

namespace warpsim::fuzz {

// `comment`: lines for the head. `expected`: by buffer; may be empty.
std::string case_file(const reference::RandomProgram& program, const std::vector<std::string>& comment,
                      const std::map<std::string, Array, std::less<>>& expected);

}  // namespace warpsim::fuzz
