// What the environment asks of the machine, before it runs anything.
//
// Shapes: WARPSIM_HOST is the most of the processor's vectors that is used: baseline, avx2 or avx512.
//         With WARPSIM_PERF_MAP machine code is named in /tmp/perf-PID.map, where `perf` looks for names.
// Units:  none.
// Errors: none: any other word asks for nothing, and a file that cannot be written is not.
#pragma once

namespace warpsim::host {

void heed_environment();
unsigned threads_of_host();  // that can run side by side, at least 1

}  // namespace warpsim::host
