// Benchmarks of the kernels in kernels/: each by the interpreter, as machine code, checked, some as C++.
#pragma once

namespace warpsim::bench {

// kernels/NAME/interpreter, engine, checked and native, for the library's own runner. One fails where its results
// are not the interpreter's: bit for bit where the code comes from kernels.cu, else but for rounding.
void add_kernels();

}  // namespace warpsim::bench
