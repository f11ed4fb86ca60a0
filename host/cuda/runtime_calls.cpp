// The runtime's interface: what stands on the driver's, libraries and addresses of functions.
#include "host/cuda/call.h"
#include "host/cuda/driver_calls.h"

namespace warpsim::cudart {
namespace {

using driver::CUdeviceptr;
using driver::CUjit_option;
using driver::CUlibrary;

// The runtime initializes the driver itself. The numbers of both interfaces' errors are the same.
template <class F>
cudaError_t by_driver(F&& f) {
  return answer([&] {
    Runtime::thread_uses() = Runtime::is_used() = true;
    return static_cast<cudaError_t>(f());
  });
}

}  // namespace

extern "C" {

// ---- addresses
CUDART(cudaGetDriverEntryPointByVersion)
(const char* name, void** to, unsigned version, unsigned long long flags, int* status) {
  return by_driver([&] {
    int found = 0;
    const driver::CUresult error = driver::cuGetProcAddress_v2(name, to, static_cast<int>(version), flags, &found);
    if (error == driver::CUDA_SUCCESS) give_wanted(status, found);
    return error;
  });
}
CUDART(cudaGetDriverEntryPoint)(const char* name, void** to, unsigned long long flags, int* status) {
  int version = 0;
  static_cast<void>(cudaDriverGetVersion(&version));
  return cudaGetDriverEntryPointByVersion(name, to, static_cast<unsigned>(version), flags, status);
}
CUDART(cudaGetExportTable)(const void** table, const void* id) {
  return by_driver([&] { return driver::cuGetExportTable(table, id); });
}
CUDART(cudaGetFuncBySymbol)(cudaKernel_t* function, const void* symbol) { return cudaGetKernel(function, symbol); }

// ---- libraries
CUDART(cudaLibraryLoadData)
(CUlibrary* library, const void* image, CUjit_option* options, void** values, unsigned count, void*, void**, unsigned) {
  return by_driver(
      [&] { return driver::cuLibraryLoadData(library, image, options, values, count, nullptr, nullptr, 0); });
}
CUDART(cudaLibraryLoadFromFile)
(CUlibrary* library, const char* path, CUjit_option* options, void** values, unsigned count, void*, void**, unsigned) {
  return by_driver(
      [&] { return driver::cuLibraryLoadFromFile(library, path, options, values, count, nullptr, nullptr, 0); });
}
CUDART(cudaLibraryUnload)(CUlibrary library) {
  return by_driver([&] { return driver::cuLibraryUnload(library); });
}
CUDART(cudaLibraryGetKernel)(cudaKernel_t* kernel, CUlibrary library, const char* name) {
  return by_driver([&] { return driver::cuLibraryGetKernel(kernel, library, name); });
}
CUDART(cudaLibraryGetKernelCount)(unsigned* count, CUlibrary library) {
  return by_driver([&] { return driver::cuLibraryGetKernelCount(count, library); });
}
CUDART(cudaLibraryEnumerateKernels)(cudaKernel_t* kernels, unsigned count, CUlibrary library) {
  return by_driver([&] { return driver::cuLibraryEnumerateKernels(kernels, count, library); });
}
CUDART(cudaLibraryGetGlobal)(void** at, std::size_t* size, CUlibrary library, const char* name) {
  return by_driver([&] { return driver::cuLibraryGetGlobal(reinterpret_cast<CUdeviceptr*>(at), size, library, name); });
}
CUDART(cudaLibraryGetManaged)(void** at, std::size_t* size, CUlibrary library, const char* name) {
  return by_driver(
      [&] { return driver::cuLibraryGetManaged(reinterpret_cast<CUdeviceptr*>(at), size, library, name); });
}
CUDART(cudaKernelSetAttributeForDevice)(cudaKernel_t kernel, int which, int value, int device) {
  return by_driver([&] { return driver::cuKernelSetAttribute(which, value, kernel, device); });
}
}

}  // namespace warpsim::cudart
