// The CUDA driver of this machine, by the names of its interface: neither nvcc nor its headers are needed.
//
// Shapes: a CudaDriver is the primary context of the first GPU, current in the thread that opened it. The library is
//         opened at run time, so one binary works with and without a GPU.
// Units:  compute capabilities times ten: 90 is sm_90.
// Errors: open() says why there is none; call() gives the driver's own code, 0 where all is well.
// Source: CUDA driver API 13.0, libcuda.so.1.
#pragma once

#include <dlfcn.h>

#include <cstdint>
#include <memory>
#include <string>

namespace warpsim {

using CudaHandle = void*;
using CudaPointer = std::uint64_t;

class CudaDriver {
 public:
  static std::unique_ptr<CudaDriver> open(std::string& why);
  CudaDriver(const CudaDriver&) = delete;
  CudaDriver& operator=(const CudaDriver&) = delete;
  ~CudaDriver();

  // The arguments must have the function's own types.
  template <class... A>
  int call(const char* function, A... arguments) const {
    void* address = dlsym(library_, function);
    return address == nullptr ? kMissing : reinterpret_cast<int (*)(A...)>(address)(arguments...);
  }
  // "cuMemAlloc_v2: CUDA_ERROR_OUT_OF_MEMORY (2), out of memory"
  std::string error_text(const char* function, int code) const;
  // Makes the context current in the calling thread.
  int make_current() const { return call("cuCtxSetCurrent", context_); }
  std::string description() const { return device_name_ + ", CUDA " + driver_version_; }  // "NVIDIA H200, CUDA 13.0"
  const std::string& device_name() const { return device_name_; }                         // "NVIDIA H200"
  const std::string& driver_version() const { return driver_version_; }                   // "13.0"
  unsigned target() const { return target_; }

  static constexpr int kMissing = -1;  // the library has no such function

 private:
  CudaDriver() = default;
  bool make_context(std::string& why);
  bool works(const char* function, int code, std::string& why) const;

  void* library_ = nullptr;
  int device_ = 0;
  CudaHandle context_ = nullptr;
  std::string device_name_, driver_version_;
  unsigned target_ = 0;
};

}  // namespace warpsim
