// The CUDA driver of this machine, by the names of its interface: neither nvcc nor its headers are needed.
//
// Shapes: a Driver is a context on the first GPU, current in the thread that opened it.
// Units:  none.
// Errors: open() says why there is none; call() gives the driver's own code, 0 where all is well.
// Source: CUDA driver API 13.0, from libcuda.so.1 at run time.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <optional>
#include <string>

namespace warpsim::rows {

using Handle = void*;
using DevicePointer = std::uint64_t;

class Driver {
 public:
  static std::optional<Driver> open(std::string& why);

  // The arguments must have the function's own types.
  template <class... A>
  int call(const char* function, A... arguments) const {
    void* address = dlsym(library_, function);
    return address == nullptr ? kMissing : reinterpret_cast<int (*)(A...)>(address)(arguments...);
  }
  const std::string& description() const { return description_; }  // "NVIDIA H200, CUDA 13.0"
  Handle context() const { return context_; }

  static constexpr int kMissing = -1;  // the library has no such function

 private:
  void* library_ = nullptr;
  Handle context_ = nullptr;
  std::string description_;
};

}  // namespace warpsim::rows
