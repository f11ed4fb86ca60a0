// What a kernel asks of the driver: to write a text, to end because an assertion failed, memory.
//
// Shapes: the lanes come one after another, from the lowest. Memory lies in a part of global memory of its own
//         (isa/kernels/windows.h), 8 MiB as CUDA has by default, and no address is given twice. The kernels that it
//         launches run when its grid has ended (run_launched()), each lane's in the order of its calls.
// Units:  bytes, generic addresses.
// Errors: a failed assertion is a trap of the program; to free what is not allocated is one like a bad access.
// Source: PTX Interoperability 13.0, "System Calls"; CUDA C++ Programming Guide 13.0, "Formatted Output", "Assertion",
//         "Dynamic Global Memory Allocation and Operations", "CUDA Dynamic Parallelism".
#pragma once

#include "sim/code/decode.h"
#include "sim/machine/launch_state.h"
#include "sim/machine/memory_unit.h"

namespace warpsim {

void print(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active);
void fail_assertion(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active);
void allocate(LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active);
// A function of the device runtime (isa/table/runtime_functions.h).
void call_runtime(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active);
void release(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active);

}  // namespace warpsim
