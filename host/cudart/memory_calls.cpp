// The interface: memory.
#include <algorithm>
#include <cstring>
#include <iterator>

#include "host/cudart/call.h"

namespace warpsim::cudart {
namespace {

constexpr unsigned kMapped = 2;  // cudaHostAllocMapped: what unified addressing always does
constexpr unsigned kMemAttachGlobal = 1;
constexpr int kReadWrite = 3;                 // cudaMemAccessFlagsProtReadWrite
constexpr unsigned kAttachAny[] = {1, 2, 4};  // cudaMemAttachGlobal, Host, Single
constexpr std::size_t kPitch = 512;           // as an H200 has it

cudaError_t allocate(void** to, std::size_t size, cudaMemoryType type, unsigned flags, const char* name) {
  return call([&](Runtime& runtime) {
    if (to == nullptr) return cudaErrorInvalidValue;
    *to = nullptr;
    if (size == 0) return cudaSuccess;
    if (const cudaError_t error = runtime.spoil_by_unsafe_call(); error != cudaSuccess) return error;
    std::uint64_t address = 0;
    const cudaError_t error = runtime.allocate(size, type, flags, name, nullptr, address);
    *to = reinterpret_cast<void*>(address);
    return error;
  });
}

cudaError_t allocate_in(void** to, std::size_t size, cudaMemPool_t pool, cudaStream_t stream, const char* name) {
  return call([&](Runtime& runtime) {
    if (to == nullptr) return cudaErrorInvalidValue;
    *to = nullptr;
    Stream* const in = runtime.find(stream);
    if (in == nullptr || !runtime.pools().contains(pool)) return cudaErrorInvalidValue;
    if (size == 0) return cudaSuccess;
    if (in->capture == nullptr)
      if (const cudaError_t error = runtime.spoil_by_unsafe_call(*in); error != cudaSuccess) return error;
    std::uint64_t address = 0;
    const cudaError_t error = in->capture == nullptr
                                  ? runtime.allocate(size, cudaMemoryTypeDevice, 0, name, pool, address)
                                  : runtime.allocate_in_graph(size, name, pool, address);
    if (error != cudaSuccess) return error;
    *to = reinterpret_cast<void*>(address);
    return runtime.submit(stream, AllocateWork{address, size});
  });
}

cudaError_t free(void* at, const char* name, bool of_host) {
  return call([&](Runtime& runtime) {
    if (at == nullptr) return cudaSuccess;
    if (const cudaError_t error = runtime.spoil_by_unsafe_call(); error != cudaSuccess) return error;
    runtime.flush_prints();
    return runtime.free(address_of(at), name, of_host);
  });
}

// A pool may be given by null: the device's own.
cudaError_t with_pool(cudaMemPool_t pool, auto&& f) {
  return call(
      [&](Runtime& runtime) { return runtime.pools().contains(pool) ? f(runtime, *pool) : cudaErrorInvalidValue; });
}

}  // namespace

extern "C" {

// ---- allocations
CUDART(cudaMalloc)(void** to, std::size_t size) { return allocate(to, size, cudaMemoryTypeDevice, 0, "cudaMalloc"); }

CUDART(cudaMallocPitch)(void** to, std::size_t* pitch, std::size_t width, std::size_t height) {
  const std::size_t row = (width + kPitch - 1) / kPitch * kPitch;
  if (pitch == nullptr) return answer([] { return cudaErrorInvalidValue; });
  *pitch = row;
  return allocate(to, row * height, cudaMemoryTypeDevice, 0, "cudaMallocPitch");
}

CUDART(cudaMalloc3D)(cudaPitchedPtr* to, cudaExtent extent) {
  if (to == nullptr) return answer([] { return cudaErrorInvalidValue; });
  const std::size_t row = (extent.width + kPitch - 1) / kPitch * kPitch;
  *to = {nullptr, row, extent.width, extent.height};
  return allocate(&to->ptr, row * extent.height * extent.depth, cudaMemoryTypeDevice, 0, "cudaMalloc3D");
}

CUDART(cudaMallocManaged)(void** to, std::size_t size, unsigned flags) {
  if (flags != kMemAttachGlobal && flags != 2) return answer([] { return cudaErrorInvalidValue; });
  return allocate(to, size, cudaMemoryTypeManaged, flags, "cudaMallocManaged");
}
CUDART(cudaMallocHost)(void** to, std::size_t size) {
  return allocate(to, size, cudaMemoryTypeHost, kMapped, "cudaMallocHost");
}
CUDART(cudaHostAlloc)(void** to, std::size_t size, unsigned flags) {
  if (flags > 7) return answer([] { return cudaErrorInvalidValue; });
  return allocate(to, size, cudaMemoryTypeHost, flags | kMapped, "cudaHostAlloc");
}

CUDART(cudaFree)(void* at) { return free(at, "cudaFree", false); }
CUDART(cudaFreeHost)(void* at) { return free(at, "cudaFreeHost", true); }

CUDART(cudaHostRegister)(void* at, std::size_t size, unsigned flags) {
  return call([&](Runtime& runtime) {
    const cudaError_t error = runtime.spoil_by_unsafe_call();
    return error != cudaSuccess ? error : runtime.register_host(at, size, flags | kMapped);
  });
}
CUDART(cudaHostUnregister)(void* at) {
  return call([&](Runtime& runtime) { return runtime.unregister_host(at); });
}
CUDART(cudaHostGetDevicePointer)(void** to, void* host, unsigned flags) {
  return call([&](Runtime& runtime) {
    const Block* const block = runtime.block_at(address_of(host));
    if (to == nullptr || flags != 0 || block == nullptr || block->type != cudaMemoryTypeHost)
      return cudaErrorInvalidValue;
    return give(to, host);
  });
}
CUDART(cudaHostGetFlags)(unsigned* flags, void* host) {
  return call([&](Runtime& runtime) {
    const Block* const block = runtime.block_at(address_of(host));
    if (block == nullptr || block->type != cudaMemoryTypeHost) return cudaErrorInvalidValue;
    return give(flags, block->flags);
  });
}

// ---- in the order of a stream
CUDART(cudaMallocAsync)(void** to, std::size_t size, cudaStream_t stream) {
  return allocate_in(to, size, Runtime::get().pool(), stream, "cudaMallocAsync");
}
CUDART(cudaMallocFromPoolAsync)(void** to, std::size_t size, cudaMemPool_t pool, cudaStream_t stream) {
  return allocate_in(to, size, pool, stream, "cudaMallocFromPoolAsync");
}
CUDART(cudaFreeAsync)(void* at, cudaStream_t stream) {
  return call([&](Runtime& runtime) { return runtime.free_in(stream, address_of(at)); });
}

CUDART(cudaDeviceGetDefaultMemPool)(cudaMemPool_t* pool, int device) {
  return call(
      [&](Runtime& runtime) { return device != 0 ? cudaErrorInvalidDevice : give(pool, &runtime.default_pool()); });
}
CUDART(cudaDeviceGetMemPool)(cudaMemPool_t* pool, int device) {
  return call([&](Runtime& runtime) { return device != 0 ? cudaErrorInvalidDevice : give(pool, runtime.pool()); });
}
CUDART(cudaDeviceSetMemPool)(int device, cudaMemPool_t pool) {
  return with_pool(pool, [device](Runtime& runtime, Pool& of) {
    return device != 0 ? cudaErrorInvalidValue : (runtime.pool() = &of, cudaSuccess);
  });
}
CUDART(cudaMemPoolCreate)(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return call([&](Runtime& runtime) {
    if (pool == nullptr || properties == nullptr) return cudaErrorInvalidValue;
    return give(pool, *runtime.pools().insert(new Pool).first);
  });
}
CUDART(cudaMemPoolDestroy)(cudaMemPool_t pool) {
  return with_pool(pool, [pool](Runtime& runtime, Pool&) {
    if (pool == &runtime.default_pool()) return cudaErrorInvalidValue;
    if (runtime.pool() == pool) runtime.pool() = &runtime.default_pool();
    runtime.pools().erase(pool);
    delete pool;
    return cudaSuccess;
  });
}
CUDART(cudaMemPoolTrimTo)(cudaMemPool_t pool, std::size_t) {
  return with_pool(pool, [](Runtime&, Pool&) { return cudaSuccess; });
}
CUDART(cudaMemPoolSetAttribute)(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, [&](Runtime&, Pool& of) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (attribute == cudaMemPoolAttrUsedMemHigh || attribute == cudaMemPoolAttrReservedMemHigh) {
      of.most_used = of.used;
      return cudaSuccess;
    }
    const bool is_long = attribute == cudaMemPoolAttrReleaseThreshold;
    std::memcpy(&of.attributes[attribute], value, is_long ? sizeof(std::uint64_t) : sizeof(int));
    return cudaSuccess;
  });
}
CUDART(cudaMemPoolGetAttribute)(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return with_pool(pool, [&](Runtime&, Pool& of) {
    if (value == nullptr) return cudaErrorInvalidValue;
    if (attribute <= cudaMemPoolReuseAllowInternalDependencies) {
      const auto found = of.attributes.find(attribute);
      return give(static_cast<int*>(value), found == of.attributes.end() ? 1 : static_cast<int>(found->second));
    }
    const bool is_high = attribute == cudaMemPoolAttrReservedMemHigh || attribute == cudaMemPoolAttrUsedMemHigh;
    return give(static_cast<std::uint64_t*>(value), attribute == cudaMemPoolAttrReleaseThreshold
                                                        ? of.attributes[attribute]
                                                    : is_high ? of.most_used
                                                              : of.used);
  });
}
// The device that has it can always read and write it.
CUDART(cudaMemPoolSetAccess)(cudaMemPool_t pool, const cudaMemAccessDesc* wanted, std::size_t count) {
  return with_pool(pool, [&](Runtime&, Pool&) {
    if (wanted == nullptr && count != 0) return cudaErrorInvalidValue;
    for (std::size_t k = 0; k < count; ++k)
      if (wanted[k].location.id != 0 || wanted[k].flags != kReadWrite) return cudaErrorInvalidDevice;
    return cudaSuccess;
  });
}
CUDART(cudaMemPoolGetAccess)(int* flags, cudaMemPool_t pool, cudaMemLocation* location) {
  return with_pool(pool, [&](Runtime&, Pool&) {
    return location == nullptr || location->id != 0 ? cudaErrorInvalidValue : give(flags, kReadWrite);
  });
}

// ---- what is there
CUDART(cudaMemGetInfo)(std::size_t* free, std::size_t* total) {
  return call([&](Runtime& runtime) {
    give_wanted(free, runtime.free_bytes());
    give_wanted(total, runtime.free_bytes() + runtime.device().memory().allocated_bytes());
    return cudaSuccess;
  });
}

CUDART(cudaPointerGetAttributes)(cudaPointerAttributes* attributes, const void* pointer) {
  return call([&](Runtime& runtime) {
    if (attributes == nullptr) return cudaErrorInvalidValue;
    *attributes = {};
    auto* const at = const_cast<void*>(pointer);
    const Block* const block = runtime.block_at(address_of(pointer));
    const bool is_variable = block == nullptr && runtime.device().memory().find(address_of(pointer), 1) != nullptr;
    if (block == nullptr && !is_variable) {
      attributes->device = -2;  // cudaInvalidDeviceId
      attributes->hostPointer = at;
      return cudaSuccess;
    }
    attributes->type = !is_variable                                        ? block->type
                       : runtime.modules().is_managed(address_of(pointer)) ? cudaMemoryTypeManaged
                                                                           : cudaMemoryTypeDevice;
    attributes->devicePointer = at;
    attributes->hostPointer = attributes->type == cudaMemoryTypeDevice ? nullptr : at;
    return cudaSuccess;
  });
}

CUDART(cudaMemPrefetchAsync)(const void* at, std::size_t size, cudaMemLocation, unsigned, cudaStream_t) {
  return call([&](Runtime& runtime) {
    return runtime.device().memory().find(address_of(at), size) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}
CUDART(cudaMemAdvise)(const void* at, std::size_t size, int, cudaMemLocation) {
  return call([&](Runtime& runtime) {
    return runtime.device().memory().find(address_of(at), size) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
  });
}
__attribute__((visibility("default"))) cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, int f) {
  return {x, y, z, w, f};
}
CUDART(cudaStreamAttachMemAsync)(cudaStream_t stream, void* at, std::size_t, unsigned flags) {
  return call([&](Runtime& runtime) {
    if (runtime.find(stream) == nullptr) return cudaErrorInvalidResourceHandle;
    if (std::find(std::begin(kAttachAny), std::end(kAttachAny), flags) == std::end(kAttachAny))
      return cudaErrorInvalidValue;
    const Block* const block = runtime.block_at(address_of(at));
    const bool is_managed =
        block != nullptr ? block->type == cudaMemoryTypeManaged : runtime.modules().is_managed(address_of(at));
    return is_managed ? cudaSuccess : cudaErrorInvalidValue;
  });
}
}

}  // namespace warpsim::cudart
