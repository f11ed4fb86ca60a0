// What a trap or a finding says, in each language. A trace has it in English; this knows the sentences that the
// machine, the checker, the advice and the explanation of wrong answers make, and says them in Korean.
//
// Shapes: one sentence; several sentences are joined by "; "; one that nobody makes stays as it is.
// Units:  none.
// Errors: none.
// Source: the tables of traces/words/fault_text_tables.h, each of which names the files whose sentences it has; a test
// runs
//         them all.
#pragma once

#include <string>
#include <string_view>

#include "traces/words/language.h"

namespace warpsim {

std::string fault_text(std::string_view english, Language language);

}  // namespace warpsim
