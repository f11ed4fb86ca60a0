// Two traces of one program: the first place where they differ, as a sentence.
//
// Shapes: two traces from simulators are compared event by event. A trace whose cycles are null comes from hardware,
//         which gives no order across lanes: then each lane's k-th execution of a pc is compared with the other's k-th,
//         for the instructions and registers that both traces have. So it is for two timing profiles.
// Units:  as trace.h.
// Errors: none: any two traces can be compared; of two programs, that is the difference.
// Source: traces/FORMAT.md, "Comparing".
#pragma once

#include <optional>
#include <string>

#include "traces/model/trace.h"

namespace warpsim {

// "cycle 41, pc 7 shfl.down: lane 9 holds 36, the other holds 28"; nothing if the traces agree. What the first holds is
// said first. Titles, documents and the trace's origin do not matter. Against hardware an undefined lane agrees with
// whatever the hardware put there.
std::optional<std::string> first_difference(const Trace& first, const Trace& other);

}  // namespace warpsim
