// Benchmarks of machine code: how many instructions a second it is executed with, and executed and timed.
#pragma once

namespace warpsim::bench {

// machine_code/NAME/WARPS/executed and …/timed, of kernels of kernels/kernels.cubin on one SM with that many warps.
void add_machine_code();

}  // namespace warpsim::bench
