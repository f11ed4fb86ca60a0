// Benchmarks of the kernels in kernels/: each by the interpreter, as machine code, checked, as OpenCL, some as C++.
#pragma once

namespace warpsim::bench {

// kernels/NAME/interpreter, engine, checked, native and pocl, for the library's own runner. One fails where its results
// are not the interpreter's: bit for bit where the code comes from kernels.cu, else but for rounding. No pocl without
// PoCL.
void add_kernels();

}  // namespace warpsim::bench
