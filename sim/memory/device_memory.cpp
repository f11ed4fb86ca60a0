#include "sim/memory/device_memory.h"

#include <sys/mman.h>

#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <tuple>
#include <utility>

#include "sim/memory/line_vector.h"

namespace warpsim {

void DeviceMemory::FreeHost::operator()(std::byte* bytes) const {
  if (mapped_bytes != 0) ::munmap(bytes, mapped_bytes);
  else std::free(bytes);
  if (view_of != nullptr) ::munmap(view_of, mapped_bytes);
}

namespace {

std::byte* mapped(std::size_t size, int flags) {
  void* const made = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, flags, -1, 0);
  return made == MAP_FAILED ? nullptr : static_cast<std::byte*>(made);
}

// Zeros at two addresses; null where the system cannot do that.
std::pair<std::byte*, std::byte*> mapped_twice([[maybe_unused]] std::size_t size) {
  std::pair<std::byte*, std::byte*> made;
#if defined(__linux__)
  std::byte* const first = mapped(size, MAP_SHARED | MAP_ANONYMOUS);
  if (first == nullptr) return made;
  // A shared mapping of which no bytes move stays, and is there a second time: mremap(2).
  void* const second = ::mremap(first, 0, size, MREMAP_MAYMOVE);
  if (second == MAP_FAILED) ::munmap(first, size);
  else made = {first, static_cast<std::byte*>(second)};
#endif
  return made;
}

}  // namespace

bool DeviceMemory::meets_another(const Range& range) const {
  const auto behind = allocations_.upper_bound(range.address);
  return (behind != allocations_.end() && behind->first < range.end()) ||
         (behind != allocations_.begin() &&
          (std::prev(behind)->first == range.address || std::prev(behind)->second.allocation.end() > range.address));
}

// Addresses only rise: what was freed is never met again by a pointer that was left over.
std::optional<std::uint64_t> DeviceMemory::place(std::uint64_t& next, std::uint64_t size_bytes,
                                                 std::uint64_t alignment) const {
  constexpr std::uint64_t kEnd = std::numeric_limits<std::uint64_t>::max();
  while (true) {
    if (next > kEnd - (alignment - 1)) return std::nullopt;
    const std::uint64_t address = (next + alignment - 1) & ~(alignment - 1);
    if (size_bytes > kEnd - kGapBytes || address > kEnd - kGapBytes - size_bytes) return std::nullopt;
    const Range range{address, size_bytes};
    next = range.end() + kGapBytes;
    if (!meets_another(range)) return address;  // what is mapped may lie in the way
  }
}

std::optional<std::uint64_t> DeviceMemory::allocate(std::uint64_t size_bytes, std::string name,
                                                    std::uint64_t alignment) {
  return allocate_behind(next_, size_bytes, std::move(name), alignment);
}

std::optional<std::uint64_t> DeviceMemory::allocate_constant(std::uint64_t size_bytes, std::string name,
                                                             std::uint64_t alignment) {
  if (size_bytes > kConstantEnd - kGapBytes - alignment - next_constant_) return std::nullopt;
  const std::optional<std::uint64_t> made = allocate_behind(next_constant_, size_bytes, std::move(name), alignment);
  if (made) allocations_.at(*made).allocation.read_only = true;
  return made;
}

std::optional<std::uint64_t> DeviceMemory::allocate_behind(std::uint64_t& next, std::uint64_t size_bytes,
                                                           std::string name, std::uint64_t alignment) {
  if (size_bytes > kMostBytes || size_bytes > std::numeric_limits<std::size_t>::max() - kHostLineBytes)
    return std::nullopt;
  // Large ones are zero pages of the host until they are written.
  std::size_t room = static_cast<std::size_t>(size_bytes) + kHostLineBytes;
  std::unique_ptr<std::byte, FreeHost> own(static_cast<std::byte*>(std::calloc(room, 1)), FreeHost());
  if (own == nullptr) return std::nullopt;
  void* line = own.get();
  std::align(kHostLineBytes, static_cast<std::size_t>(size_bytes), line, room);
  const std::optional<std::uint64_t> address = place(next, size_bytes, alignment);
  if (!address) return std::nullopt;
  Held held{{{*address, size_bytes}, std::move(name), static_cast<std::byte*>(line), false}, std::move(own)};
  allocations_.emplace(*address, std::move(held));
  allocated_bytes_ += size_bytes;
  return address;
}

std::optional<std::uint64_t> DeviceMemory::allocate_on_host(std::uint64_t size_bytes, std::string name) {
  if (size_bytes > kMostBytes) return std::nullopt;
  const std::size_t size = size_bytes == 0 ? 1 : static_cast<std::size_t>(size_bytes);
  std::byte *host = nullptr, *device = nullptr;
  if (maps_twice_) std::tie(host, device) = mapped_twice(size);
  if (host == nullptr) host = mapped(size, MAP_PRIVATE | MAP_ANONYMOUS);
  if (host == nullptr) return std::nullopt;
  std::unique_ptr<std::byte, FreeHost> own(host, FreeHost{size, device});
  if (!map({host, static_cast<std::size_t>(size_bytes)}, std::move(name))) return std::nullopt;
  const std::uint64_t address = reinterpret_cast<std::uintptr_t>(host);
  Held& held = allocations_.at(address);
  held.own = std::move(own);
  if (device != nullptr) held.allocation.bytes = device, held.allocation.has_view = true, ++views_;
  return address;
}

std::optional<std::uint64_t> DeviceMemory::borrow(std::span<std::byte> host, std::string name) {
  const std::optional<std::uint64_t> address = place(next_, host.size(), kAlignBytes);
  if (!address) return std::nullopt;
  Held held{{{*address, host.size()}, std::move(name), host.data(), false}, {nullptr, FreeHost()}};
  allocations_.emplace(*address, std::move(held));
  allocated_bytes_ += host.size();
  return address;
}

bool DeviceMemory::map(std::span<std::byte> host, std::string name) {
  const Range range{reinterpret_cast<std::uintptr_t>(host.data()), host.size()};
  const bool is_apart = range.size_bytes <= kConstantBegin && range.address <= kConstantBegin - range.size_bytes &&
                        (range.end() <= kHeapBegin || range.address >= kHeapEnd);
  if (!is_apart || meets_another(range)) return false;
  allocations_.emplace(range.address, Held{{range, std::move(name), host.data(), false}, {nullptr, FreeHost()}});
  allocated_bytes_ += range.size_bytes;
  return true;
}

bool DeviceMemory::free(std::uint64_t address) {
  const auto at = allocations_.find(address);
  if (at == allocations_.end()) return false;
  if (freed_.size() == kFreedKnown) freed_.pop_front();
  Allocation& gone = at->second.allocation;
  allocated_bytes_ -= gone.size_bytes;
  views_ -= gone.has_view ? 1 : 0;
  freed_.push_back({{gone.address, gone.size_bytes}, std::move(gone.name)});
  allocations_.erase(at);
  return true;
}

bool DeviceMemory::set_read_only(std::uint64_t address, bool read_only) {
  const auto at = allocations_.find(address);
  if (at == allocations_.end()) return false;
  at->second.allocation.read_only = read_only;
  return true;
}

const DeviceMemory::Allocation* DeviceMemory::find(std::uint64_t address, std::uint64_t size_bytes) const {
  const auto behind = allocations_.upper_bound(address);
  if (behind == allocations_.begin()) return nullptr;
  const Allocation& one = std::prev(behind)->second.allocation;
  return one.contains(address, size_bytes) ? &one : nullptr;
}

const DeviceMemory::Allocation* DeviceMemory::nearest(std::uint64_t address) const {
  const auto behind = allocations_.upper_bound(address);
  const Allocation* const above = behind == allocations_.end() ? nullptr : &behind->second.allocation;
  if (behind == allocations_.begin()) return above;
  const Allocation& below = std::prev(behind)->second.allocation;
  const std::uint64_t distance = address < below.end() ? 0 : address - below.end();
  return above != nullptr && above->address - address < distance ? above : &below;
}

const DeviceMemory::Freed* DeviceMemory::freed(std::uint64_t address) const {
  for (auto one = freed_.rbegin(); one != freed_.rend(); ++one)
    if (one->contains(address, 1)) return &*one;
  return nullptr;
}

}  // namespace warpsim
