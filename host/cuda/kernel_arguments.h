// What a launch passes to a kernel, as the driver's interface has it: pointers to the values, or the values in a
// buffer.
//
// Shapes: `extra` is a list of marks with what follows each: 1 a buffer, 2 its size, up to a null.
// Units:  bytes.
// Errors: CUDA_ERROR_INVALID_VALUE where both are given or `extra` says neither;
//         CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES if the buffer has another size than the parameters.
// Source: CUDA Driver API 13.0, cuLaunchKernel(); the second error was measured.
#pragma once

#include <vector>

#include "host/cuda/call.h"

namespace warpsim::driver {

class KernelArguments {
 public:
  CUresult set(const cudart::Function& function, void** params, void** extra);
  void** pointers() { return pointers_; }

 private:
  void** pointers_ = nullptr;
  std::vector<void*> own_;
};

}  // namespace warpsim::driver
