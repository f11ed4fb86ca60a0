// What the clauses of a sentence and the call in it share; private to traces/.
//
// Errors: none.
#pragma once

#include <string>
#include <string_view>

namespace warpsim {

// A register or an operand list without what only the assembler wants: "%own" → "own".
std::string bare(std::string_view text);

}  // namespace warpsim
