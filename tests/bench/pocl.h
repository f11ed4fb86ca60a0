// The twins in kernels/kernels.cl, run by PoCL, OpenCL on a CPU, in one thread: what a CPU does with a GPU's code.
//
// Errors: texts, "" where all is well. pocl_none.cpp is for builds without OpenCL's headers and loader.
// Source: OpenCL 1.2, and PoCL's documentation of its environment variables.
#pragma once

#include <memory>
#include <string>

#include "tests/bench/kernel.h"

namespace warpsim::bench {

// Why there is no PoCL here.
std::string missing_pocl();

// Its version, and what it compiles for: "OpenCL 3.0 PoCL 3.1 … on pthread-skylake-avx512-…". Only where it is not
// missing.
std::string pocl_name();

// The twin of a kernel, compiled, with buffers of its own. Only where nothing is missing.
class Twin {
 public:
  explicit Twin(const Kernel& of);
  ~Twin();
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;

  // Launches it and waits for its end.
  std::string run();
  // All buffers as they are now, one after the other.
  Bytes memory();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpsim::bench
