// What every function of the driver's interface does before and after its own part.
//
// Shapes: CUDRIVER(name)(parameters) { return call(__func__, [&] { … }); }. The part calls the runtime's functions;
// what
//         they report names the driver's call, and cudaGetLastError() does not see their errors.
// Errors: CUDA_ERROR_NOT_INITIALIZED before cuInit(), CUDA_ERROR_INVALID_CONTEXT without a context.
#pragma once

#include <string>
#include <utility>

#include "host/cuda/contexts.h"
#include "host/cuda/driver_types.h"
#include "host/cudart/call.h"

#define CUDRIVER(name) extern "C" __attribute__((visibility("default"))) CUresult name

namespace warpsim::driver {

// The driver's name for an error of the runtime.
CUresult result_of(cudart::cudaError_t error);
inline CUresult result_of(CUresult error) { return error; }

// While it lives, findings name this call: "cuMemAlloc" of "cuMemAlloc_v2".
class DriverCall {
 public:
  explicit DriverCall(const char* name) : name_(name), before_(cudart::Runtime::driver_call()) {
    const std::size_t version = name_.rfind("_v");
    if (version != std::string::npos) name_.resize(version);
    cudart::Runtime::driver_call() = name_.c_str();
  }
  DriverCall(const DriverCall&) = delete;
  DriverCall& operator=(const DriverCall&) = delete;
  ~DriverCall() {
    cudart::Runtime::driver_call() = before_;
    cudart::Runtime::last_error() = last_error_;
  }

 private:
  std::string name_;
  const char* before_;
  cudart::cudaError_t last_error_ = cudart::Runtime::last_error();
};

enum class Needs : std::uint8_t { Driver, Context };

template <class F>
CUresult call(const char* name, F&& f, Needs needs = Needs::Context) {
  try {
    Contexts& contexts = Contexts::get();
    if (!contexts.is_initialized()) return CUDA_ERROR_NOT_INITIALIZED;
    if (needs == Needs::Context)
      if (const CUresult error = contexts.check_current(); error != CUDA_SUCCESS) return error;
    const DriverCall scope(name);
    return result_of(f());
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::exception&) {
    return CUDA_ERROR_UNKNOWN;
  }
}

// f(runtime), with the runtime locked, unless a kernel has failed.
template <class F>
CUresult with_runtime(const char* name, F&& f, Needs needs = Needs::Context) {
  return call(
      name,
      [&] {
        CUresult result = CUDA_SUCCESS;
        const cudart::cudaError_t error = cudart::call([&](cudart::Runtime& runtime) {
          result = result_of(f(runtime));
          return cudart::cudaSuccess;
        });
        return error == cudart::cudaSuccess ? result : result_of(error);
      },
      needs);
}

template <class T, class V>
CUresult set_value(T* to, V value) {
  if (to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *to = static_cast<T>(value);
  return CUDA_SUCCESS;
}

inline void* pointer(CUdeviceptr at) { return reinterpret_cast<void*>(at); }

}  // namespace warpsim::driver
