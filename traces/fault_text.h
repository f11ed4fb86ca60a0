// What a trap or a finding says, in each language. A trace has it in English; this knows the sentences that the machine
// makes and says them in Korean.
//
// Shapes: one sentence; a sentence that the machine does not make stays as it is.
// Units:  none.
// Errors: none.
// Source: sim/failure.cpp, sim/deadlock.cpp, sim/livelock.cpp, sim/meet.cpp, sim/machine.cpp, sim/execute.cpp and
// sim/check/ make the sentences; a test
//         runs them all.
#pragma once

#include <string>
#include <string_view>

#include "traces/language.h"

namespace warpsim {

std::string fault_text(std::string_view english, Language language);

}  // namespace warpsim
