// A device's global memory: allocations in one flat 64-bit address space, with gaps around them.
//
// Shapes: an allocation is a range of addresses with its bytes on the host, its own or borrowed ones. It outlives the
//         launches that use it: several machines may run on one memory, one after another. No address is given twice.
// Units:  bytes.
// Errors: allocate(), borrow() and map() give nothing when the host or the address space has no room; find() returns
// null for
//         an access that is not all inside one allocation; nearest() and freed() name what a message can speak of.
//         Between a machine's first step and its end nothing may be freed.
// Source: none: a flat space as CUDA's unified addressing has it; the gaps are this simulator's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "isa/kernels/windows.h"

namespace warpsim {

class DeviceMemory {
 public:
  static constexpr std::uint64_t kFirstAddress = 0x1000'0000;
  static constexpr std::uint64_t kGapBytes = 4096;  // behind each allocation, so that a near miss lands in no other
  static constexpr std::uint64_t kAlignBytes = 256;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 38;  // of an allocation: no device has as much

  struct Range {
    std::uint64_t address = 0, size_bytes = 0;
    bool contains(std::uint64_t at, std::uint64_t size) const {
      return at >= address && at - address <= size_bytes && size <= size_bytes - (at - address);
    }
    std::uint64_t end() const { return address + size_bytes; }
  };
  struct Allocation : Range {
    std::string name;
    std::byte* bytes = nullptr;  // on the host
    bool read_only = false;
    bool has_view = false;  // the host has pages of its own for it, at `address`; those at `bytes` are the device's
  };
  struct Freed : Range {
    std::string name;
  };

  // The first allocation is at this address or behind it.
  explicit DeviceMemory(std::uint64_t first = kFirstAddress) : next_(first) {}
  DeviceMemory(DeviceMemory&&) = default;
  DeviceMemory& operator=(DeviceMemory&&) = default;

  // Zeros. `alignment` is a power of two.
  [[nodiscard]] std::optional<std::uint64_t> allocate(std::uint64_t size_bytes, std::string name,
                                                      std::uint64_t alignment = kAlignBytes);
  // The same among the constants (isa/kernels/windows.h): nobody may store there.
  [[nodiscard]] std::optional<std::uint64_t> allocate_constant(std::uint64_t size_bytes, std::string name,
                                                               std::uint64_t alignment = kAlignBytes);
  // Zeros that the host sees at the same address: whole pages of it.
  [[nodiscard]] std::optional<std::uint64_t> allocate_on_host(std::uint64_t size_bytes, std::string name);
  // What allocate_on_host() gives from now on is mapped twice where the system can do that, so that the host's pages
  // may be protected (mprotect) while the device's stay open.
  void map_twice() { maps_twice_ = true; }
  // The host's bytes become device memory where they are; they must stay there until free().
  [[nodiscard]] std::optional<std::uint64_t> borrow(std::span<std::byte> host, std::string name);
  // The same at the host's own address. Not where another allocation lies, or one of the parts above.
  [[nodiscard]] bool map(std::span<std::byte> host, std::string name);
  // False if no allocation begins there.
  [[nodiscard]] bool free(std::uint64_t address);
  // Launches may not store to the allocation that begins there. False if none does.
  [[nodiscard]] bool set_read_only(std::uint64_t address, bool read_only);

  // The allocation that holds all of these bytes.
  const Allocation* find(std::uint64_t address, std::uint64_t size_bytes) const;
  // The one that lies closest to the address, of two the lower; null if there is none.
  const Allocation* nearest(std::uint64_t address) const;
  // What lay there and was freed; only the last kFreedKnown are remembered.
  const Freed* freed(std::uint64_t address) const;
  static constexpr std::size_t kFreedKnown = 256;

  std::size_t size() const { return allocations_.size(); }
  std::uint64_t allocated_bytes() const { return allocated_bytes_; }
  std::size_t views() const { return views_; }  // allocations that are mapped twice
  // Calls f with each allocation, in the order of addresses.
  template <class F>
  void for_each(F&& f) const {
    for (const auto& [address, held] : allocations_) f(held.allocation);
  }

 private:
  struct FreeHost {
    void operator()(std::byte* bytes) const;
    std::size_t mapped_bytes{};  // 0: they are the C library's
    std::byte* view_of{};        // the same memory mapped elsewhere, null if it is not
  };
  struct Held {
    Allocation allocation;
    std::unique_ptr<std::byte, FreeHost> own;  // null: borrowed
  };

  bool meets_another(const Range& range) const;
  std::optional<std::uint64_t> place(std::uint64_t& next, std::uint64_t size_bytes, std::uint64_t alignment) const;
  std::optional<std::uint64_t> allocate_behind(std::uint64_t& next, std::uint64_t size_bytes, std::string name,
                                               std::uint64_t alignment);

  std::map<std::uint64_t, Held> allocations_;  // by address
  std::deque<Freed> freed_;                    // the oldest first
  std::uint64_t next_, next_constant_ = kConstantBegin, allocated_bytes_ = 0;
  bool maps_twice_ = false;
  std::size_t views_ = 0;
};

}  // namespace warpsim
