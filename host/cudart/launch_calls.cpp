// The interface: what nvcc's code registers, and launches.
#include <cstring>
#include <utility>

#include "host/cudart/call.h"
#include "sim/launch/launch_limits.h"
#include "sim/launch/residency.h"

namespace warpsim::cudart {
namespace {

// Between <<<…>>> and the call behind it.
struct Configuration {
  dim3 grid, block;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
};
std::vector<Configuration>& configurations() {
  thread_local std::vector<Configuration> pushed;
  return pushed;
}

cudaError_t launch(const void* function, const dim3& grid, const dim3& block, void* const* arguments,
                   std::size_t shared, cudaStream_t stream, bool is_cooperative) {
  return call(
      [&](Runtime& runtime) {
        KernelWork work;
        if (const cudaError_t error = kernel_work(runtime, function, grid, block, arguments, shared, work);
            error != cudaSuccess)
          return error;
        work.is_cooperative = is_cooperative;
        return runtime.submit(stream, std::move(work));
      },
      Notices::No);
}

// The program of a kernel of the host's, made.
template <class F>
cudaError_t with_program(const void* function, F&& f) {
  return call([&](Runtime& runtime) {
    Function* const found = runtime.modules().find_function(function);
    if (found == nullptr) return function == nullptr ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle;
    if (const cudaError_t error = runtime.modules().use(*found); error != cudaSuccess) return error;
    auto made = found->kernel->module().program_of(*found->kernel);
    if (const auto* const failure = std::get_if<host::Failure>(&made)) {
      runtime.say(failure->text);
      return cudaErrorInvalidPtx;
    }
    return f(*found, *std::get<const Program*>(made));
  });
}

std::size_t static_shared_bytes(const Program& program) {
  return shared_offsets(program.objects_of_launch(-1), 32).back();
}

std::size_t most_dynamic_shared(const Function& function, const Program& program) {
  const std::size_t own = static_shared_bytes(program);
  return function.most_dynamic_shared.value_or(own > kUsualSharedBytes ? 0 : kUsualSharedBytes - own);
}

// Without registers: a compiler decides how many a kernel takes.
DeviceLimits limits() {
  DeviceLimits device;
  device.registers = 0;
  return device;
}

unsigned blocks_of(const Program& program, unsigned threads, std::size_t dynamic_shared) {
  if (threads == 0 || threads > kMaxThreadsPerBlock) return 0;
  const BlockNeeds needs{(threads + 31) / 32, 0,
                         static_cast<std::uint32_t>(static_shared_bytes(program) + dynamic_shared)};
  return needs.shared_bytes > kMostSharedBytes ? 0 : blocks_a_multiprocessor(limits(), needs);
}

bool is_resident(const Program& program, const dim3& grid, const dim3& block, std::size_t shared) {
  const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
  return blocks <= std::uint64_t{limits().multiprocessors} * blocks_of(program, block.x * block.y * block.z, shared);
}

}  // namespace

cudaError_t kernel_work(Runtime& runtime, const void* function, const dim3& grid, const dim3& block,
                        void* const* arguments, std::size_t shared, KernelWork& work) {
  Function* const found = runtime.modules().find_function(function);
  if (found == nullptr) return function == nullptr ? cudaErrorInvalidDeviceFunction : cudaErrorInvalidResourceHandle;
  if (const cudaError_t error = runtime.modules().use(*found); error != cudaSuccess) return error;
  work.function = found;
  work.grid = grid;
  work.block = block;
  work.shared_bytes = static_cast<std::uint32_t>(std::min<std::size_t>(shared, ~std::uint32_t{0}));
  const std::size_t count = found->kernel->parameter_count();
  if (arguments == nullptr && count != 0) return cudaErrorInvalidValue;
  for (std::size_t k = 0; k < count; ++k) {
    const auto* const from = static_cast<const std::byte*>(arguments[k]);
    work.values.emplace_back(from, from + found->kernel->parameter_bytes(k));
  }
  return cudaSuccess;
}

extern "C" {

// ---- registration
__attribute__((visibility("default"))) void** __cudaRegisterFatBinary(void* wrapper) {
  return locked([&](Runtime& runtime) {
    return reinterpret_cast<void**>(runtime.modules().add(static_cast<const FatWrapper*>(wrapper)));
  });
}
__attribute__((visibility("default"))) void __cudaRegisterFatBinaryEnd(void**) {}
__attribute__((visibility("default"))) void __cudaUnregisterFatBinary(void** binary) {
  locked([&](Runtime& runtime) {
    static_cast<void>(runtime.wait());  // work that uses it
    runtime.modules().remove(reinterpret_cast<const FatBinary*>(binary));
  });
}
__attribute__((visibility("default"))) void __cudaRegisterFunction(void** binary, const char* host, char*,
                                                                   const char* name, int, void*, void*, void*, void*,
                                                                   int*) {
  locked([&](Runtime& runtime) { runtime.modules().add(host, Function{reinterpret_cast<FatBinary*>(binary), name}); });
}
__attribute__((visibility("default"))) void __cudaRegisterVar(void** binary, char* host, char*, const char* name, int,
                                                              std::size_t, int, int) {
  locked([&](Runtime& runtime) { runtime.modules().add(host, Variable{reinterpret_cast<FatBinary*>(binary), name}); });
}
__attribute__((visibility("default"))) void __cudaRegisterManagedVar(void** binary, void** host, char*,
                                                                     const char* name, int, std::size_t, int, int) {
  locked([&](Runtime& runtime) {
    runtime.modules().add(host, Variable{reinterpret_cast<FatBinary*>(binary), name, host});
  });
}
__attribute__((visibility("default"))) char __cudaInitModule(void** binary) {
  const cudaError_t error =
      call([&](Runtime& runtime) { return runtime.modules().initialize(*reinterpret_cast<FatBinary*>(binary)); },
           Notices::No);
  return static_cast<char>(error == cudaSuccess ? 1 : 0);
}

// ---- launches
__attribute__((visibility("default"))) unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared,
                                                                            cudaStream_t stream) {
  configurations().push_back({grid, block, shared, stream});
  return 0;
}
CUDART(__cudaPopCallConfiguration)(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
  if (configurations().empty()) return answer([] { return cudaErrorMissingConfiguration; });
  const Configuration& last = configurations().back();
  *grid = last.grid;
  *block = last.block;
  *shared = last.shared;
  *static_cast<cudaStream_t*>(stream) = last.stream;
  configurations().pop_back();
  return cudaSuccess;
}
CUDART(__cudaGetKernel)(cudaKernel_t* kernel, const void* function) {
  return call(
      [&](Runtime& runtime) {
        Function* const found = runtime.modules().find_function(function);
        return found == nullptr ? cudaErrorInvalidDeviceFunction : give(kernel, found);
      },
      Notices::No);
}
CUDART(cudaGetKernel)(cudaKernel_t* kernel, const void* function) { return __cudaGetKernel(kernel, function); }
CUDART(__cudaLaunchKernel)
(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t stream) {
  return launch(kernel, grid, block, arguments, shared, stream, false);
}
CUDART(cudaLaunchKernel)
(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t stream) {
  return launch(function, grid, block, arguments, shared, stream, false);
}
CUDART(cudaLaunchCooperativeKernel)
(const void* function, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t stream) {
  const cudaError_t error = with_program(function, [&](Function&, const Program& program) {
    return is_resident(program, grid, block, shared) ? cudaSuccess : cudaErrorCooperativeLaunchTooLarge;
  });
  return error != cudaSuccess ? error : launch(function, grid, block, arguments, shared, stream, true);
}
CUDART(cudaLaunchKernelExC)(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  if (config == nullptr) return answer([] { return cudaErrorInvalidValue; });
  bool is_cooperative = false, has_cluster = false;
  for (unsigned k = 0; k < config->numAttrs; ++k) {
    const cudaLaunchAttribute& one = config->attrs[k];
    if (one.id == cudaLaunchAttributeCooperative) is_cooperative = one.val.cooperative != 0;
    if (one.id == cudaLaunchAttributeClusterDimension)
      has_cluster = one.val.cluster[0] * one.val.cluster[1] * one.val.cluster[2] > 1;
  }
  if (has_cluster) {
    Runtime::get().say("a launch in clusters of several blocks is not supported");
    return answer([] { return cudaErrorNotSupported; });
  }
  return is_cooperative ? cudaLaunchCooperativeKernel(function, config->gridDim, config->blockDim, arguments,
                                                      config->dynamicSmemBytes, config->stream)
                        : launch(function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                                 config->stream, false);
}

// ---- functions
CUDART(cudaFuncGetAttributes)(cudaFuncAttributes* attributes, const void* function) {
  return with_program(function, [&](Function& found, const Program& program) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    attributes->sharedSizeBytes = static_shared_bytes(program);
    attributes->constSizeBytes = found.kernel->module().constant_bytes();
    attributes->maxThreadsPerBlock = static_cast<int>(kMaxThreadsPerBlock);
    LaunchConfig config;
    config.block = {32, 1, 1};
    attributes->numRegs = static_cast<int>(needs_of_block(program, config, 0).registers / 32);
    attributes->ptxVersion = attributes->binaryVersion = kArch;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(most_dynamic_shared(found, program));
    attributes->preferredShmemCarveout = found.carveout;
    return cudaSuccess;
  });
}
CUDART(cudaFuncSetAttribute)(const void* function, cudaFuncAttribute attribute, int value) {
  return with_program(function, [&](Function& found, const Program& program) {
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      if (value < -1 || value > 100) return cudaErrorInvalidValue;
      return found.carveout = value, cudaSuccess;
    }
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
      return attribute > 8 && attribute < cudaFuncAttributeMax ? cudaSuccess : cudaErrorInvalidValue;
    if (value < 0 || static_cast<std::size_t>(value) + static_shared_bytes(program) > kMostSharedBytes)
      return cudaErrorInvalidValue;
    return found.most_dynamic_shared = static_cast<std::uint32_t>(value), cudaSuccess;
  });
}
CUDART(cudaFuncSetCacheConfig)(const void* function, int) {
  return with_program(function, [](Function&, const Program&) { return cudaSuccess; });
}
CUDART(cudaFuncSetSharedMemConfig)(const void* function, int) {
  return with_program(function, [](Function&, const Program&) { return cudaSuccess; });
}
CUDART(cudaFuncGetName)(const char** name, const void* function) {
  return with_program(function,
                      [&](Function& found, const Program&) { return give(name, found.kernel->symbol().c_str()); });
}
CUDART(cudaFuncGetParamInfo)(const void* function, std::size_t index, std::size_t* offset, std::size_t* size) {
  return with_program(function, [&](Function& found, const Program&) {
    if (index >= found.kernel->parameter_count()) return cudaErrorInvalidValue;
    give_wanted(size, found.kernel->parameter_bytes(index));
    return give(offset, found.kernel->parameter_offset(index));
  });
}

// ---- occupancy
CUDART(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags)
(int* blocks, const void* function, int threads, std::size_t shared, unsigned flags) {
  return with_program(function, [&](Function&, const Program& program) {
    if (threads <= 0 || flags > 1) return cudaErrorInvalidValue;
    return give(blocks, blocks_of(program, static_cast<unsigned>(threads), shared));
  });
}
CUDART(cudaOccupancyMaxActiveBlocksPerMultiprocessor)
(int* blocks, const void* function, int threads, std::size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared, 0);
}
CUDART(cudaOccupancyAvailableDynamicSMemPerBlock)(std::size_t* bytes, const void* function, int blocks, int) {
  return with_program(function, [&](Function& found, const Program& program) {
    if (blocks <= 0) return cudaErrorInvalidValue;
    const std::size_t each = limits().shared_bytes / static_cast<unsigned>(blocks);
    const std::size_t taken = kReservedSharedBytes + static_shared_bytes(program);
    return give(bytes, std::min<std::size_t>(each > taken ? each - taken : 0, most_dynamic_shared(found, program)));
  });
}
}

}  // namespace warpsim::cudart
