// Benchmarks of the kernels in kernels/: each by the interpreter, as machine code, checked, and some as C++.
#pragma once

namespace warpsim::bench {

// kernels/NAME/interpreter, engine, checked and native, for the library's own runner. `engine` fails where machine code
// and the interpreter leave different bits in memory.
void add_kernels();

}  // namespace warpsim::bench
