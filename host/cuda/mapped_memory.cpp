// See mapped_memory.h.
#include "host/cuda/mapped_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "host/cudart/calls.h"

namespace warpsim::driver {

using cudart::Runtime;

namespace {

bool fits(std::size_t size) { return size != 0 && size % MappedMemory::kGranularity == 0; }

}  // namespace

MappedMemory& MappedMemory::get() {
  static auto* const memory = new MappedMemory;
  return *memory;
}

CUresult MappedMemory::reserve(std::size_t size, std::size_t alignment, CUdeviceptr& at) {
  const std::size_t align = std::max(alignment, kGranularity);
  if (!fits(size) || (align & (align - 1)) != 0) return CUDA_ERROR_INVALID_VALUE;
  constexpr int kNothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* const whole = ::mmap(nullptr, size + align, PROT_NONE, kNothing, -1, 0);
  if (whole == MAP_FAILED) return CUDA_ERROR_OUT_OF_MEMORY;
  const auto begin = reinterpret_cast<std::uintptr_t>(whole);
  at = (begin + align - 1) / align * align;
  if (at != begin) ::munmap(whole, at - begin);
  if (const std::size_t behind = begin + align - at; behind != 0) ::munmap(pointer(at + size), behind);
  reserved_[at] = size;
  return CUDA_SUCCESS;
}

CUresult MappedMemory::release_addresses(CUdeviceptr at, std::size_t size) {
  const auto found = reserved_.find(at);
  const auto mapped = mappings_.lower_bound(at);
  if (found == reserved_.end() || found->second != size || (mapped != mappings_.end() && mapped->first < at + size))
    return CUDA_ERROR_INVALID_VALUE;
  ::munmap(pointer(at), size);
  reserved_.erase(found);
  return CUDA_SUCCESS;
}

CUresult MappedMemory::create(Runtime& runtime, std::size_t size, const CUmemAllocationProp& properties,
                              std::uint64_t& handle) {
  if (!fits(size)) return CUDA_ERROR_INVALID_VALUE;
  if (size > runtime.free_bytes()) return CUDA_ERROR_OUT_OF_MEMORY;
  Memory made{::memfd_create("cuMemCreate", MFD_CLOEXEC), size, properties};
  if (made.file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  if (::ftruncate(made.file, static_cast<off_t>(size)) != 0) return ::close(made.file), CUDA_ERROR_OUT_OF_MEMORY;
  handle = next_handle_++;
  memories_[handle] = made;
  return CUDA_SUCCESS;
}

void MappedMemory::drop_user(std::uint64_t handle) {
  Memory& memory = memories_.at(handle);
  if (--memory.users != 0) return;
  ::close(memory.file);
  memories_.erase(handle);
}

CUresult MappedMemory::release(std::uint64_t handle) {
  const auto found = memories_.find(handle);
  if (found == memories_.end() || found->second.handles == 0) return CUDA_ERROR_INVALID_VALUE;
  --found->second.handles;
  drop_user(handle);
  return CUDA_SUCCESS;
}

bool MappedMemory::is_reserved(CUdeviceptr at, std::size_t size) const {
  const auto behind = reserved_.upper_bound(at);
  if (behind == reserved_.begin()) return false;
  const auto& [begin, length] = *std::prev(behind);
  return at - begin <= length && size <= length - (at - begin);
}

CUresult MappedMemory::map(CUdeviceptr at, std::size_t size, std::size_t offset, std::uint64_t handle) {
  const auto memory = memories_.find(handle);
  const auto next = mappings_.lower_bound(at);
  const bool is_free = (next == mappings_.end() || next->first >= at + size) &&
                       (next == mappings_.begin() || std::prev(next)->first + std::prev(next)->second.size <= at);
  if (!fits(size) || at % kGranularity != 0 || offset != 0 || memory == memories_.end() ||
      size != memory->second.size || !is_free || !is_reserved(at, size))
    return CUDA_ERROR_INVALID_VALUE;
  constexpr int kBoth = PROT_READ | PROT_WRITE;
  if (::mmap(pointer(at), size, kBoth, MAP_SHARED | MAP_FIXED, memory->second.file, 0) == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  ++memory->second.users;
  mappings_[at] = {size, handle, false};
  return CUDA_SUCCESS;
}

std::pair<MappedMemory::Mappings::iterator, MappedMemory::Mappings::iterator> MappedMemory::covering(CUdeviceptr at,
                                                                                                     std::size_t size) {
  const auto first = mappings_.find(at);
  auto last = first;
  CUdeviceptr reached = at;
  for (; last != mappings_.end() && last->first == reached && reached < at + size; ++last) reached += last->second.size;
  if (reached != at + size) return {mappings_.end(), mappings_.end()};
  return {first, last};
}

CUresult MappedMemory::unmap(Runtime& runtime, CUdeviceptr at, std::size_t size) {
  const auto [first, last] = covering(at, size);
  if (first == last) return CUDA_ERROR_INVALID_VALUE;
  static_cast<void>(cudart::cudaDeviceSynchronize());  // nothing runs any more
  std::vector<std::uint64_t> handles;
  for (auto one = first; one != last; ++one) handles.push_back(one->second.handle);
  mappings_.erase(first, last);
  show(runtime);
  constexpr int kNothing = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  static_cast<void>(::mmap(pointer(at), size, PROT_NONE, kNothing, -1, 0));
  for (const std::uint64_t handle : handles) drop_user(handle);
  return CUDA_SUCCESS;
}

CUresult MappedMemory::set_access(Runtime& runtime, CUdeviceptr at, std::size_t size, bool may) {
  const auto [first, last] = covering(at, size);
  if (first == last) return CUDA_ERROR_INVALID_VALUE;
  std::vector<Mappings::iterator> fresh;
  for (auto one = first; one != last; ++one) {
    if (may && !one->second.may_access) fresh.push_back(one);
    one->second.may_access = may;
  }
  show(runtime);
  for (const auto one : fresh) runtime.device().undefined().forget(one->first, one->second.size);
  return CUDA_SUCCESS;
}

// Device memory is what may be accessed now, in pieces as long as can be.
void MappedMemory::show(Runtime& runtime) {
  std::map<CUdeviceptr, std::size_t> wanted;
  for (const auto& [at, mapping] : mappings_) {
    if (!mapping.may_access) continue;
    const auto last = wanted.empty() ? wanted.end() : std::prev(wanted.end());
    if (last != wanted.end() && last->first + last->second == at) last->second += mapping.size;
    else wanted[at] = mapping.size;
  }
  for (const auto& [at, size] : shown_)
    if (const auto same = wanted.find(at); same == wanted.end() || same->second != size)
      static_cast<void>(runtime.unregister_host(pointer(at)));
  for (const auto& [at, size] : wanted)
    if (const auto same = shown_.find(at); same == shown_.end() || same->second != size)
      static_cast<void>(runtime.register_host(pointer(at), size, 0, cudart::cudaMemoryTypeDevice));
  shown_ = std::move(wanted);
}

const bool* MappedMemory::access(CUdeviceptr at) const {
  const auto behind = mappings_.upper_bound(at);
  if (behind == mappings_.begin()) return nullptr;
  const auto& [begin, mapping] = *std::prev(behind);
  return at - begin < mapping.size ? &mapping.may_access : nullptr;
}

CUresult MappedMemory::handle_at(CUdeviceptr at, std::uint64_t& handle) {
  if (access(at) == nullptr) return CUDA_ERROR_INVALID_VALUE;
  handle = std::prev(mappings_.upper_bound(at))->second.handle;
  Memory& memory = memories_.at(handle);
  ++memory.users, ++memory.handles;
  return CUDA_SUCCESS;
}

const CUmemAllocationProp* MappedMemory::properties(std::uint64_t handle) const {
  const auto found = memories_.find(handle);
  return found == memories_.end() ? nullptr : &found->second.properties;
}

// ---- the interface
namespace {

constexpr int kPinned = 1, kOnDevice = 1, kReadWrite = 3;

CUresult with_mapped(const char* name, auto&& f) {
  return with_runtime(name, [&](Runtime& runtime) { return f(runtime, MappedMemory::get()); });
}

// Of the device's own memory, which is the only kind here.
bool is_of_device(const CUmemAllocationProp& properties) {
  return properties.type == kPinned && properties.location.type == kOnDevice && properties.location.id == 0;
}

}  // namespace

extern "C" {

CUDRIVER(cuMemGetAllocationGranularity)(std::size_t* to, const CUmemAllocationProp* properties, int) {
  return with_mapped(__func__, [&](Runtime&, const MappedMemory&) {
    if (properties == nullptr || !is_of_device(*properties)) return CUDA_ERROR_INVALID_VALUE;
    return set_value(to, MappedMemory::kGranularity);
  });
}
CUDRIVER(cuMemAddressReserve)
(CUdeviceptr* at, std::size_t size, std::size_t alignment, CUdeviceptr, unsigned long long flags) {
  return with_mapped(__func__, [&](Runtime&, MappedMemory& memory) {
    return at == nullptr || flags != 0 ? CUDA_ERROR_INVALID_VALUE : memory.reserve(size, alignment, *at);
  });
}
CUDRIVER(cuMemAddressFree)(CUdeviceptr at, std::size_t size) {
  return with_mapped(__func__, [&](Runtime&, MappedMemory& memory) { return memory.release_addresses(at, size); });
}
CUDRIVER(cuMemCreate)
(std::uint64_t* handle, std::size_t size, const CUmemAllocationProp* properties, unsigned long long flags) {
  return with_mapped(__func__, [&](Runtime& runtime, MappedMemory& memory) {
    if (handle == nullptr || properties == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
    if (!is_of_device(*properties)) return CUDA_ERROR_NOT_SUPPORTED;
    return memory.create(runtime, size, *properties, *handle);
  });
}
CUDRIVER(cuMemRelease)(std::uint64_t handle) {
  return with_mapped(__func__, [&](Runtime&, MappedMemory& memory) { return memory.release(handle); });
}
CUDRIVER(cuMemMap)
(CUdeviceptr at, std::size_t size, std::size_t offset, std::uint64_t handle, unsigned long long flags) {
  return with_mapped(__func__, [&](Runtime&, MappedMemory& memory) {
    return flags != 0 ? CUDA_ERROR_INVALID_VALUE : memory.map(at, size, offset, handle);
  });
}
CUDRIVER(cuMemUnmap)(CUdeviceptr at, std::size_t size) {
  return with_mapped(__func__, [&](Runtime& runtime, MappedMemory& memory) { return memory.unmap(runtime, at, size); });
}
CUDRIVER(cuMemSetAccess)
(CUdeviceptr at, std::size_t size, const cudart::cudaMemAccessDesc* accesses, std::size_t count) {
  return with_mapped(__func__, [&](Runtime& runtime, MappedMemory& memory) {
    if (accesses == nullptr || count != 1 || accesses->location.type != kOnDevice || accesses->location.id != 0)
      return CUDA_ERROR_INVALID_VALUE;
    return memory.set_access(runtime, at, size, accesses->flags != 0);
  });
}
CUDRIVER(cuMemGetAccess)(unsigned long long* flags, const cudart::cudaMemLocation* location, CUdeviceptr at) {
  return with_mapped(__func__, [&](Runtime&, const MappedMemory& memory) {
    const bool* const access = memory.access(at);
    if (location == nullptr || access == nullptr) return CUDA_ERROR_INVALID_VALUE;
    return set_value(flags, *access ? kReadWrite : 0);
  });
}
CUDRIVER(cuMemRetainAllocationHandle)(std::uint64_t* handle, void* at) {
  return with_mapped(__func__, [&](Runtime&, MappedMemory& memory) {
    return handle == nullptr ? CUDA_ERROR_INVALID_VALUE : memory.handle_at(cudart::address_of(at), *handle);
  });
}
CUDRIVER(cuMemGetAllocationPropertiesFromHandle)(CUmemAllocationProp* properties, std::uint64_t handle) {
  return with_mapped(__func__, [&](Runtime&, const MappedMemory& memory) {
    const CUmemAllocationProp* const found = memory.properties(handle);
    return found == nullptr ? CUDA_ERROR_INVALID_VALUE : set_value(properties, *found);
  });
}
}

}  // namespace warpsim::driver
