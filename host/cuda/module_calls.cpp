// The interface: modules, and libraries, which are the same.
#include <algorithm>

#include "host/cuda/loading.h"
#include "host/cudart/calls.h"

namespace warpsim::driver {
namespace {

using cudart::Runtime;

constexpr int kEager = 1;  // the loading mode: PTX is read at once

template <class F>
CUresult with_module(const char* name, CUmodule module, F&& f) {
  return with_runtime(name, [&](Runtime& runtime) {
    return runtime.modules().is_live(module) ? f(runtime, *module) : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult load(const char* name, CUmodule* module, const void* image, JitOptions options) {
  return with_runtime(name, [&](Runtime& runtime) {
    if (module == nullptr || image == nullptr || !options.is_valid()) return CUDA_ERROR_INVALID_VALUE;
    return load_image(runtime, image, options, *module);
  });
}

CUresult load_from(const char* name, CUmodule* module, const char* path, JitOptions options) {
  return with_runtime(name, [&](Runtime& runtime) {
    return module == nullptr || !options.is_valid() ? CUDA_ERROR_INVALID_VALUE
                                                    : load_file(runtime, path, options, *module);
  });
}

CUresult unload(const char* name, CUmodule module) {
  return with_module(name, module, [](Runtime& runtime, const cudart::FatBinary& of) {
    static_cast<void>(cudart::cudaDeviceSynchronize());  // nothing runs any more
    runtime.modules().remove(&of);
    return CUDA_SUCCESS;
  });
}

CUresult find_kernel(const char* call, CUfunction* function, CUmodule module, const char* name) {
  return with_module(call, module, [&](Runtime& runtime, cudart::FatBinary& of) {
    if (function == nullptr || name == nullptr || *name == '\0') return CUDA_ERROR_INVALID_VALUE;
    CUfunction const found = runtime.modules().find_function(of, name);
    return found == nullptr ? CUDA_ERROR_NOT_FOUND : set_value(function, found);
  });
}

CUresult count_kernels(const char* name, unsigned* count, CUmodule module) {
  return with_module(name, module, [count](Runtime&, const cudart::FatBinary& of) {
    return set_value(count, of.module->kernel_count());
  });
}

CUresult list_kernels(const char* name, CUfunction* functions, unsigned count, CUmodule module) {
  return with_module(name, module, [&](Runtime& runtime, cudart::FatBinary& of) {
    if (functions == nullptr) return CUDA_ERROR_INVALID_VALUE;
    for (std::size_t k = 0; k < std::min<std::size_t>(count, of.module->kernel_count()); ++k)
      functions[k] = runtime.modules().find_function(of, of.module->kernel(k).symbol());
    return CUDA_SUCCESS;
  });
}

CUresult find_global(const char* call, CUdeviceptr* at, std::size_t* size, CUmodule module, const char* name,
                     bool is_managed) {
  return with_module(call, module, [&](Runtime& runtime, const cudart::FatBinary& of) {
    if (name == nullptr || (at == nullptr && size == nullptr)) return CUDA_ERROR_INVALID_VALUE;
    const auto symbol = of.module->find_symbol(name);
    if (!symbol) return of.module->find_kernel(name) == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_ERROR_INVALID_VALUE;
    const DeviceMemory::Allocation* const in = runtime.device().memory().find(symbol->address, 1);
    const bool is_on_host = in != nullptr && (in->has_view || cudart::address_of(in->bytes) == in->address);
    if (is_managed && !is_on_host) return CUDA_ERROR_NOT_FOUND;
    cudart::give_wanted(at, symbol->address);
    cudart::give_wanted(size, symbol->size_bytes);
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

// ---- modules
CUDRIVER(cuModuleLoad)(CUmodule* module, const char* path) {
  return load_from(__func__, module, path, {0, nullptr, nullptr});
}
CUDRIVER(cuModuleLoadData)(CUmodule* module, const void* image) {
  return load(__func__, module, image, {0, nullptr, nullptr});
}
CUDRIVER(cuModuleLoadDataEx)
(CUmodule* module, const void* image, unsigned count, CUjit_option* options, void** values) {
  return load(__func__, module, image, {count, options, values});
}
CUDRIVER(cuModuleLoadFatBinary)(CUmodule* module, const void* image) {
  return load(__func__, module, image, {0, nullptr, nullptr});
}
CUDRIVER(cuModuleUnload)(CUmodule module) { return unload(__func__, module); }
CUDRIVER(cuModuleGetFunction)(CUfunction* function, CUmodule module, const char* name) {
  return find_kernel(__func__, function, module, name);
}
CUDRIVER(cuModuleGetFunctionCount)(unsigned* count, CUmodule module) { return count_kernels(__func__, count, module); }
CUDRIVER(cuModuleEnumerateFunctions)(CUfunction* functions, unsigned count, CUmodule module) {
  return list_kernels(__func__, functions, count, module);
}
CUDRIVER(cuModuleGetGlobal_v2)(CUdeviceptr* at, std::size_t* size, CUmodule module, const char* name) {
  return find_global(__func__, at, size, module, name, false);
}
CUDRIVER(cuModuleGetLoadingMode)(int* mode) {
  return call(
      __func__, [mode] { return set_value(mode, kEager); }, Needs::Driver);
}

// ---- libraries
CUDRIVER(cuLibraryLoadData)
(CUlibrary* library, const void* image, CUjit_option* options, void** values, unsigned count, void*, void**, unsigned) {
  return load(__func__, library, image, {count, options, values});
}
CUDRIVER(cuLibraryLoadFromFile)
(CUlibrary* library, const char* path, CUjit_option* options, void** values, unsigned count, void*, void**, unsigned) {
  return load_from(__func__, library, path, {count, options, values});
}
CUDRIVER(cuLibraryUnload)(CUlibrary library) { return unload(__func__, library); }
CUDRIVER(cuLibraryGetKernel)(CUkernel* kernel, CUlibrary library, const char* name) {
  return find_kernel(__func__, kernel, library, name);
}
CUDRIVER(cuLibraryGetKernelCount)(unsigned* count, CUlibrary library) {
  return count_kernels(__func__, count, library);
}
CUDRIVER(cuLibraryEnumerateKernels)(CUkernel* kernels, unsigned count, CUlibrary library) {
  return list_kernels(__func__, kernels, count, library);
}
CUDRIVER(cuLibraryGetModule)(CUmodule* module, CUlibrary library) {
  return with_module(__func__, library, [&](Runtime&, cudart::FatBinary& of) { return set_value(module, &of); });
}
CUDRIVER(cuLibraryGetGlobal)(CUdeviceptr* at, std::size_t* size, CUlibrary library, const char* name) {
  return find_global(__func__, at, size, library, name, false);
}
CUDRIVER(cuLibraryGetManaged)(CUdeviceptr* at, std::size_t* size, CUlibrary library, const char* name) {
  return find_global(__func__, at, size, library, name, true);
}
}

}  // namespace warpsim::driver
