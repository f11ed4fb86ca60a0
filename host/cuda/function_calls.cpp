// The interface: kernels, their attributes, occupancy, and launches.
#include <algorithm>
#include <optional>

#include "host/cuda/call.h"
#include "host/cuda/kernel_arguments.h"
#include "host/cudart/calls.h"

namespace warpsim::driver {
namespace {

using cudart::Runtime;

constexpr int kMultiprocessors = 16, kThreadsOfMultiprocessor = 39;  // attributes of the device

// A kernel that lives, with its code.
template <class F>
CUresult with_function(const char* name, CUfunction function, F&& f) {
  return with_runtime(name, [&](Runtime& runtime) {
    if (runtime.modules().find_function(function) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    const CUresult error = result_of(runtime.modules().use(*function));
    return error != CUDA_SUCCESS ? error : result_of(f(runtime, *function));
  });
}

CUresult attribute(const char* name, int* value, int which, CUfunction function) {
  return with_function(name, function, [&](Runtime&, const cudart::Function&) {
    cudart::cudaFuncAttributes all{};
    if (const CUresult error = result_of(cudart::cudaFuncGetAttributes(&all, function)); error != CUDA_SUCCESS)
      return error;
    const int values[] = {all.maxThreadsPerBlock,
                          static_cast<int>(all.sharedSizeBytes),
                          static_cast<int>(all.constSizeBytes),
                          static_cast<int>(all.localSizeBytes),
                          all.numRegs,
                          all.ptxVersion,
                          all.binaryVersion,
                          all.cacheModeCA,
                          all.maxDynamicSharedSizeBytes,
                          all.preferredShmemCarveout,
                          all.clusterDimMustBeSet,
                          all.requiredClusterWidth,
                          all.requiredClusterHeight,
                          all.requiredClusterDepth,
                          all.nonPortableClusterSizeAllowed,
                          all.clusterSchedulingPolicyPreference};
    return which < 0 || which >= static_cast<int>(std::size(values)) ? CUDA_ERROR_INVALID_VALUE
                                                                     : set_value(value, values[which]);
  });
}

CUresult set_attribute(const char* name, CUfunction function, int which, int value) {
  return with_function(name, function, [&](Runtime&, const cudart::Function&) {
    return cudart::cudaFuncSetAttribute(function, static_cast<cudart::cudaFuncAttribute>(which), value);
  });
}

CUresult parameter(const char* name, CUfunction function, std::size_t index, std::size_t* offset, std::size_t* size) {
  return with_function(name, function, [&](Runtime&, const cudart::Function&) {
    return cudart::cudaFuncGetParamInfo(function, index, offset, size);
  });
}

CUresult launch(const char* name, CUfunction function, const cudart::dim3& grid, const cudart::dim3& block,
                unsigned shared, CUstream stream, void** params, void** extra, const CUlaunchConfig* config) {
  return with_function(name, function, [&](Runtime&, const cudart::Function& of) {
    KernelArguments arguments;
    if (const CUresult error = arguments.set(of, params, extra); error != CUDA_SUCCESS) return error;
    const cudart::cudaLaunchConfig_t all{grid,
                                         block,
                                         shared,
                                         stream,
                                         config == nullptr ? nullptr : config->attrs,
                                         config == nullptr ? 0 : config->numAttrs};
    return result_of(cudart::cudaLaunchKernelExC(&all, function, arguments.pointers()));
  });
}

int device_attribute(int which) {
  int value = 0;
  static_cast<void>(cudart::cudaDeviceGetAttribute(&value, which, 0));
  return value;
}

// The block with which most threads are resident, of those the largest: as the runtime's header has it.
CUresult best_block(const char* name, int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of,
                    std::size_t shared, int most, unsigned flags) {
  return with_function(name, function, [&](Runtime&, const cudart::Function&) {
    if (grid == nullptr || block == nullptr || most < 0) return CUDA_ERROR_INVALID_VALUE;
    cudart::cudaFuncAttributes all{};
    if (const CUresult error = result_of(cudart::cudaFuncGetAttributes(&all, function)); error != CUDA_SUCCESS)
      return error;
    const int limit = most == 0 ? all.maxThreadsPerBlock : std::min(most, all.maxThreadsPerBlock);
    int best = 0, best_blocks = 0;
    for (int threads = (limit + 31) / 32 * 32; threads > 0; threads -= 32) {
      const int tried = std::min(threads, limit);
      int blocks = 0;
      const cudart::cudaError_t error = cudart::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
          &blocks, function, tried, shared_of == nullptr ? shared : shared_of(tried), flags);
      if (error != cudart::cudaSuccess) return result_of(error);
      if (blocks * tried > best * best_blocks) best = tried, best_blocks = blocks;
      if (best * best_blocks == device_attribute(kThreadsOfMultiprocessor)) break;
    }
    *block = best;
    *grid = best_blocks * device_attribute(kMultiprocessors);
    return CUDA_SUCCESS;
  });
}

}  // namespace

extern "C" {

// ---- functions
CUDRIVER(cuFuncGetAttribute)(int* value, int which, CUfunction function) {
  return attribute(__func__, value, which, function);
}
CUDRIVER(cuFuncSetAttribute)(CUfunction function, int which, int value) {
  return set_attribute(__func__, function, which, value);
}
CUDRIVER(cuFuncSetCacheConfig)(CUfunction function, int config) {
  return with_function(__func__, function, [&](Runtime&, const cudart::Function&) {
    return cudart::cudaFuncSetCacheConfig(function, config);
  });
}
CUDRIVER(cuFuncSetSharedMemConfig)(CUfunction function, int config) {
  return with_function(__func__, function, [&](Runtime&, const cudart::Function&) {
    return cudart::cudaFuncSetSharedMemConfig(function, config);
  });
}
CUDRIVER(cuFuncGetModule)(CUmodule* module, CUfunction function) {
  return with_function(__func__, function,
                       [module](Runtime&, const cudart::Function& of) { return set_value(module, of.binary); });
}
CUDRIVER(cuFuncGetName)(const char** name, CUfunction function) {
  if (function == nullptr) return call(__func__, [] { return CUDA_ERROR_INVALID_VALUE; });
  return with_function(__func__, function,
                       [&](Runtime&, const cudart::Function&) { return cudart::cudaFuncGetName(name, function); });
}
CUDRIVER(cuFuncGetParamInfo)(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* size) {
  return parameter(__func__, function, index, offset, size);
}
CUDRIVER(cuFuncIsLoaded)(int* state, CUfunction function) {
  return with_function(__func__, function, [state](Runtime&, const cudart::Function&) { return set_value(state, 1); });
}
CUDRIVER(cuFuncLoad)(CUfunction function) {
  return with_function(__func__, function, [](Runtime&, const cudart::Function&) { return CUDA_SUCCESS; });
}

// ---- kernels of libraries: the same
CUDRIVER(cuKernelGetFunction)(CUfunction* function, CUkernel kernel) {
  return with_function(__func__, kernel,
                       [&](Runtime&, const cudart::Function&) { return set_value(function, kernel); });
}
CUDRIVER(cuKernelGetLibrary)(CUlibrary* library, CUkernel kernel) {
  return with_function(__func__, kernel,
                       [library](Runtime&, const cudart::Function& of) { return set_value(library, of.binary); });
}
CUDRIVER(cuKernelGetName)(const char** name, CUkernel kernel) {
  return with_function(__func__, kernel,
                       [&](Runtime&, const cudart::Function&) { return cudart::cudaFuncGetName(name, kernel); });
}
CUDRIVER(cuKernelGetAttribute)(int* value, int which, CUkernel kernel, CUdevice) {
  return attribute(__func__, value, which, kernel);
}
CUDRIVER(cuKernelSetAttribute)(int which, int value, CUkernel kernel, CUdevice) {
  return set_attribute(__func__, kernel, which, value);
}
CUDRIVER(cuKernelSetCacheConfig)(CUkernel kernel, int config, CUdevice) { return cuFuncSetCacheConfig(kernel, config); }
CUDRIVER(cuKernelGetParamInfo)(CUkernel kernel, std::size_t index, std::size_t* offset, std::size_t* size) {
  return parameter(__func__, kernel, index, offset, size);
}

// ---- occupancy
CUDRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
(int* blocks, CUfunction function, int threads, std::size_t shared, unsigned flags) {
  return with_function(__func__, function, [&](Runtime&, const cudart::Function&) {
    return cudart::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, flags);
  });
}
CUDRIVER(cuOccupancyMaxActiveBlocksPerMultiprocessor)
(int* blocks, CUfunction function, int threads, std::size_t shared) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
CUDRIVER(cuOccupancyMaxPotentialBlockSizeWithFlags)
(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of, std::size_t shared, int most,
 unsigned flags) {
  return best_block(__func__, grid, block, function, shared_of, shared, most, flags);
}
CUDRIVER(cuOccupancyMaxPotentialBlockSize)
(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of, std::size_t shared, int most) {
  return best_block(__func__, grid, block, function, shared_of, shared, most, 0);
}
CUDRIVER(cuOccupancyAvailableDynamicSMemPerBlock)(std::size_t* bytes, CUfunction function, int blocks, int threads) {
  return with_function(__func__, function, [&](Runtime&, const cudart::Function&) {
    return cudart::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, function, blocks, threads);
  });
}

// ---- launches
CUDRIVER(cuLaunchKernel)
(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
 unsigned block_z, unsigned shared, CUstream stream, void** params, void** extra) {
  return launch(__func__, function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream, params,
                extra, nullptr);
}
CUDRIVER(cuLaunchKernelEx)(const CUlaunchConfig* config, CUfunction function, void** params, void** extra) {
  if (config == nullptr) return call(__func__, [] { return CUDA_ERROR_INVALID_VALUE; });
  return launch(__func__, function, {config->gridDimX, config->gridDimY, config->gridDimZ},
                {config->blockDimX, config->blockDimY, config->blockDimZ}, config->sharedMemBytes, config->hStream,
                params, extra, config);
}
CUDRIVER(cuLaunchCooperativeKernel)
(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
 unsigned block_z, unsigned shared, CUstream stream, void** params) {
  cudart::cudaLaunchAttribute cooperative{};
  cooperative.id = cudart::cudaLaunchAttributeCooperative;
  cooperative.val.cooperative = 1;
  const CUlaunchConfig config{grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, stream, &cooperative, 1};
  return launch(__func__, function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream, params,
                nullptr, &config);
}
CUDRIVER(cuLaunchHostFunc)(CUstream stream, cudart::cudaHostFn_t function, void* argument) {
  return call(__func__, [&] { return cudart::cudaLaunchHostFunc(stream, function, argument); });
}
}

}  // namespace warpsim::driver
