// The sides that need no GPU.
//
// Shapes: the simulator as `warpsim run` uses it, watched by nobody; the same as machine code; the same, watched; the
//         same, with broadcast, reduce and scan expanded into shuffles; the reference interpreter.
// Errors: as in side.h.
// Source: sim/machine/machine.h, tools/fuzz/reference_interpreter.h.
#pragma once

#include <memory>

#include "sim/machine/machine.h"
#include "tools/fuzz/reference_interpreter.h"
#include "tools/fuzz/side.h"

namespace warpsim::fuzz {

std::unique_ptr<Side> simulator_side();
std::unique_ptr<Side> compiled_side();  // as machine code, in the order of schedule `blocks`
std::unique_ptr<Side> watched_side();
std::unique_ptr<Side> expanded_side();
std::unique_ptr<Side> reference_side();

// The first use of an undefined value in the simulator's run of the job; "" if there is none, or if it is stopped.
std::string undefined_use(const Job& job);

// The launch that the reference needs; `machine`, made for the job, says where the buffers lie.
reference::Launch launch_of(const Job& job, const Machine& machine);

}  // namespace warpsim::fuzz
