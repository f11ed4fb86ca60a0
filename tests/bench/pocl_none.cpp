// See pocl.h.
#include "tests/bench/pocl.h"

namespace warpsim::bench {

struct Twin::State {};

std::string missing_pocl() {
  return "warpsim_bench was built without OpenCL (Debian: apt-get install pocl-opencl-icd ocl-icd-opencl-dev, then "
         "configure and build again)";
}
std::string pocl_name() { return ""; }

Twin::Twin(const Kernel&) {}
Twin::~Twin() = default;
std::string Twin::run() { return missing_pocl(); }
Bytes Twin::memory() { return {}; }

}  // namespace warpsim::bench
