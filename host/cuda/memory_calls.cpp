// The interface: memory.

#include <cstring>

#include "host/cuda/call.h"
#include "host/cudart/calls.h"

namespace warpsim::driver {
namespace {

using cudart::Block;
using cudart::Runtime;

// An allocation that has a size and a place for its address.
template <class F>
CUresult allocate(const char* name, const void* to, std::size_t size, F&& f) {
  return call(name, [&] { return to == nullptr || size == 0 ? CUDA_ERROR_INVALID_VALUE : result_of(f()); });
}

// What cuPointerGetAttribute() is asked for.
enum Attribute : int {
  kContext = 1,
  kMemoryType = 2,
  kDevicePointer = 3,
  kHostPointer = 4,
  kSyncMemops = 6,
  kBufferId = 7,
  kIsManaged = 8,
  kDeviceOrdinal = 9,
  kRangeStart = 11,
  kRangeSize = 12,
  kMapped = 13,
  kPool = 17
};

// Memory that the driver knows: an allocation, or a variable of a module.
struct Known {
  cudart::cudaMemoryType type = cudart::cudaMemoryTypeDevice;
  std::uint64_t address = 0, size = 0;
  cudart::Pool* pool = nullptr;
};
std::optional<Known> known_at(Runtime& runtime, CUdeviceptr at) {
  if (const Block* const block = runtime.block_at(at))
    return Known{block->type, block->address, block->size, block->pool};
  const DeviceMemory::Allocation* const in = runtime.device().memory().find(at, 1);
  if (in == nullptr) return std::nullopt;
  return Known{cudart::cudaMemoryTypeDevice, in->address, in->size_bytes, nullptr};
}

template <class T>
CUresult put(void* to, T value) {
  *static_cast<T*>(to) = value;
  return CUDA_SUCCESS;
}

CUresult answer(const Known& known, CUdeviceptr at, int attribute, void* to) {
  const bool is_of_host = known.type != cudart::cudaMemoryTypeDevice;
  switch (attribute) {
    case kContext: return put(to, cudart::address_of(&Contexts::get().primary()));
    case kMemoryType:
      return put(to, known.type == cudart::cudaMemoryTypeHost ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE);
    case kDevicePointer: return put(to, at);
    case kHostPointer: return is_of_host ? put(to, at) : CUDA_ERROR_INVALID_VALUE;
    case kSyncMemops: return put(to, 0);
    case kBufferId: return put(to, known.address);
    case kIsManaged: return put(to, known.type == cudart::cudaMemoryTypeManaged ? 1 : 0);
    case kDeviceOrdinal: return put(to, 0);
    case kRangeStart: return put(to, known.address);
    case kRangeSize: return put(to, known.size);
    case kMapped: return put(to, 1);
    case kPool: return put(to, known.pool);
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

// Of memory that nobody knows.
void answer_nothing(int attribute, void* to) {
  const bool is_short = attribute == kMemoryType || attribute == kSyncMemops || attribute == kIsManaged ||
                        attribute == kDeviceOrdinal || attribute == kMapped;
  std::memset(to, 0, is_short ? sizeof(int) : sizeof(CUdeviceptr));
  if (attribute == kDeviceOrdinal) put(to, -2);
}

}  // namespace

extern "C" {

// ---- allocations
CUDRIVER(cuMemAlloc_v2)(CUdeviceptr* to, std::size_t size) {
  return allocate(__func__, to, size, [&] { return cudart::cudaMalloc(reinterpret_cast<void**>(to), size); });
}
CUDRIVER(cuMemAllocPitch_v2)
(CUdeviceptr* to, std::size_t* pitch, std::size_t width, std::size_t height, unsigned element_bytes) {
  return allocate(__func__, to, width * height, [&] {
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) return cudart::cudaErrorInvalidValue;
    return cudart::cudaMallocPitch(reinterpret_cast<void**>(to), pitch, width, height);
  });
}
CUDRIVER(cuMemAllocManaged)(CUdeviceptr* to, std::size_t size, unsigned flags) {
  return allocate(__func__, to, size,
                  [&] { return cudart::cudaMallocManaged(reinterpret_cast<void**>(to), size, flags); });
}
CUDRIVER(cuMemAllocHost_v2)(void** to, std::size_t size) {
  return call(__func__, [&] { return cudart::cudaMallocHost(to, size); });
}
CUDRIVER(cuMemHostAlloc)(void** to, std::size_t size, unsigned flags) {
  return call(__func__, [&] { return cudart::cudaHostAlloc(to, size, flags); });
}
CUDRIVER(cuMemFree_v2)(CUdeviceptr at) {
  return call(__func__, [at] { return cudart::cudaFree(pointer(at)); });
}
CUDRIVER(cuMemFreeHost)(void* at) {
  return call(__func__, [at] { return cudart::cudaFreeHost(at); });
}
CUDRIVER(cuMemHostRegister_v2)(void* at, std::size_t size, unsigned flags) {
  return call(__func__, [&] { return cudart::cudaHostRegister(at, size, flags); });
}
CUDRIVER(cuMemHostUnregister)(void* at) {
  return call(__func__, [at] { return cudart::cudaHostUnregister(at); });
}
CUDRIVER(cuMemHostGetDevicePointer_v2)(CUdeviceptr* to, void* host, unsigned flags) {
  return call(__func__, [&] { return cudart::cudaHostGetDevicePointer(reinterpret_cast<void**>(to), host, flags); });
}
CUDRIVER(cuMemHostGetFlags)(unsigned* flags, void* host) {
  return call(__func__, [&] { return cudart::cudaHostGetFlags(flags, host); });
}

// ---- in the order of a stream
CUDRIVER(cuMemAllocAsync)(CUdeviceptr* to, std::size_t size, CUstream stream) {
  return call(__func__, [&] { return cudart::cudaMallocAsync(reinterpret_cast<void**>(to), size, stream); });
}
CUDRIVER(cuMemAllocFromPoolAsync)(CUdeviceptr* to, std::size_t size, CUmemoryPool pool, CUstream stream) {
  return call(__func__,
              [&] { return cudart::cudaMallocFromPoolAsync(reinterpret_cast<void**>(to), size, pool, stream); });
}
CUDRIVER(cuMemFreeAsync)(CUdeviceptr at, CUstream stream) {
  return call(__func__, [&] { return at == 0 ? cudart::cudaSuccess : cudart::cudaFreeAsync(pointer(at), stream); });
}
CUDRIVER(cuMemPoolCreate)(CUmemoryPool* pool, const cudart::cudaMemPoolProps* properties) {
  return call(
      __func__, [&] { return cudart::cudaMemPoolCreate(pool, properties); }, Needs::Driver);
}
CUDRIVER(cuMemPoolDestroy)(CUmemoryPool pool) {
  return call(
      __func__, [&] { return cudart::cudaMemPoolDestroy(pool); }, Needs::Driver);
}
CUDRIVER(cuMemPoolTrimTo)(CUmemoryPool pool, std::size_t kept) {
  return call(
      __func__, [&] { return cudart::cudaMemPoolTrimTo(pool, kept); }, Needs::Driver);
}
CUDRIVER(cuMemPoolSetAttribute)(CUmemoryPool pool, cudart::cudaMemPoolAttr attribute, void* value) {
  return call(
      __func__, [&] { return cudart::cudaMemPoolSetAttribute(pool, attribute, value); }, Needs::Driver);
}
CUDRIVER(cuMemPoolGetAttribute)(CUmemoryPool pool, cudart::cudaMemPoolAttr attribute, void* value) {
  return call(
      __func__, [&] { return cudart::cudaMemPoolGetAttribute(pool, attribute, value); }, Needs::Driver);
}
CUDRIVER(cuMemPoolSetAccess)(CUmemoryPool pool, const cudart::cudaMemAccessDesc* accesses, std::size_t count) {
  return call(
      __func__, [&] { return cudart::cudaMemPoolSetAccess(pool, accesses, count); }, Needs::Driver);
}
CUDRIVER(cuMemPoolGetAccess)(int* flags, CUmemoryPool pool, cudart::cudaMemLocation* location) {
  return call(
      __func__, [&] { return cudart::cudaMemPoolGetAccess(flags, pool, location); }, Needs::Driver);
}

// ---- what is there
CUDRIVER(cuMemGetInfo_v2)(std::size_t* free, std::size_t* total) {
  return call(__func__, [&] { return cudart::cudaMemGetInfo(free, total); });
}
CUDRIVER(cuMemGetAddressRange_v2)(CUdeviceptr* base, std::size_t* size, CUdeviceptr at) {
  return with_runtime(__func__, [&](Runtime& runtime) {
    const std::optional<Known> known = known_at(runtime, at);
    if (!known) return CUDA_ERROR_NOT_FOUND;
    cudart::give_wanted(base, known->address);
    cudart::give_wanted(size, known->size);
    return CUDA_SUCCESS;
  });
}
CUDRIVER(cuPointerGetAttribute)(void* to, int attribute, CUdeviceptr at) {
  return with_runtime(__func__, [&](Runtime& runtime) {
    const std::optional<Known> known = known_at(runtime, at);
    return to == nullptr || !known ? CUDA_ERROR_INVALID_VALUE : answer(*known, at, attribute, to);
  });
}
CUDRIVER(cuPointerGetAttributes)(unsigned count, const int* attributes, void** to, CUdeviceptr at) {
  return with_runtime(__func__, [&](Runtime& runtime) {
    if (attributes == nullptr || to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::optional<Known> known = known_at(runtime, at);
    for (unsigned k = 0; k < count; ++k)
      if (!known || answer(*known, at, attributes[k], to[k]) != CUDA_SUCCESS) answer_nothing(attributes[k], to[k]);
    return CUDA_SUCCESS;
  });
}
CUDRIVER(cuPointerSetAttribute)(const void* value, int attribute, CUdeviceptr at) {
  return with_runtime(__func__, [&](Runtime& runtime) {
    const bool is_known = value != nullptr && attribute == kSyncMemops && known_at(runtime, at);
    return is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;  // copies are always as synchronous as that
  });
}
CUDRIVER(cuMemAdvise_v2)(CUdeviceptr at, std::size_t size, int advice, cudart::cudaMemLocation location) {
  return call(__func__, [&] { return cudart::cudaMemAdvise(pointer(at), size, advice, location); });
}
CUDRIVER(cuMemAdvise)(CUdeviceptr at, std::size_t size, int advice, CUdevice) {
  return cuMemAdvise_v2(at, size, advice, {});
}
CUDRIVER(cuMemPrefetchAsync_v2)
(CUdeviceptr at, std::size_t size, cudart::cudaMemLocation location, unsigned flags, CUstream stream) {
  return call(__func__, [&] { return cudart::cudaMemPrefetchAsync(pointer(at), size, location, flags, stream); });
}
CUDRIVER(cuMemPrefetchAsync)(CUdeviceptr at, std::size_t size, CUdevice, CUstream stream) {
  return cuMemPrefetchAsync_v2(at, size, {}, 0, stream);
}
CUDRIVER(cuStreamAttachMemAsync)(CUstream stream, CUdeviceptr at, std::size_t size, unsigned flags) {
  return call(__func__, [&] { return cudart::cudaStreamAttachMemAsync(stream, pointer(at), size, flags); });
}
}

}  // namespace warpsim::driver
