// Global memory as a launch sees it; and one block's banked shared memory.
//
// Shapes: an access is (address, bytes); an index into a buffer and pointer arithmetic have one bounds check.
// Units:  bytes; banks are 4 bytes wide, 32 of them (64 lanes change nothing about that).
// Errors: find() gives an empty place for an address outside every allocation.
// Source: CUDA C++ Programming Guide, "Shared Memory" (compute capability 5.0 and up): 32 banks of 32 bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "isa/program/program.h"
#include "isa/table/array.h"
#include "sim/event/lane_mask.h"
#include "sim/event/observer.h"
#include "sim/launch/launch.h"
#include "sim/memory/device_memory.h"

namespace warpsim {

inline constexpr unsigned kBanks = 32;
inline constexpr unsigned kBankBytes = 4;

// What one launch sees of a device's memory: every allocation by address, and by parameter what each is bound to.
class GlobalMemory {
 public:
  // From the address that the parameter is bound to, to the end of the allocation there.
  struct Buffer : DeviceMemory::Range {
    std::int32_t param = -1;  // -1: the parameter is a scalar
    Type type = Type::None;
    std::byte* bytes = nullptr;  // null: nothing is allocated there, and the size is 0
    bool read_only = false;
  };
  // An allocation.
  struct Place : DeviceMemory::Range {
    std::byte* bytes = nullptr;
    bool read_only = false;
  };

  GlobalMemory(const DeviceMemory& device, const Program& program, const Binding& binding);
  const Buffer* of_param(std::int32_t param) const {
    const Buffer& b = by_param_[static_cast<std::size_t>(param)];
    return b.param < 0 ? nullptr : &b;
  }
  // The allocation that holds these bytes; empty if none does. An access mostly goes where the one before went.
  const Place& find(std::uint64_t address, std::uint64_t size_bytes, Place& last) const {
    return last.bytes != nullptr && last.contains(address, size_bytes) ? last : look_up(address, size_bytes, last);
  }
  // Of the buffers in the allocation that holds the address the last that begins at or before it, up to where the next
  // one begins; null if none does.
  const Buffer* buffer_at(std::uint64_t address) const;
  // A launch may store to an allocation unless it is marked, or all that is bound there are `in` parameters.
  bool is_read_only(const DeviceMemory::Allocation& allocation) const;
  const DeviceMemory& device() const { return device_; }
  // What the kernel, and those that it launches, allocate: for as long as the launch.
  DeviceMemory& heap() { return *heap_; }
  const DeviceMemory& heap() const { return *heap_; }
  // That which has this address, or would have it.
  const DeviceMemory& part_with(std::uint64_t address) const {
    return address - kHeapBegin < kHeapEnd - kHeapBegin ? *heap_ : device_;
  }
  Array contents(std::int32_t param) const;

 private:
  const Place& look_up(std::uint64_t address, std::uint64_t size_bytes, Place& last) const;

  const DeviceMemory& device_;
  std::unique_ptr<DeviceMemory> own_heap_;
  DeviceMemory* heap_;
  std::vector<Buffer> by_param_;
  std::vector<Buffer> by_address_;  // of two at one address the first parameter is behind
};

// Allocates each buffer, in the order of the parameters, and fills it. L007 if there is no room.
std::variant<Binding, LaunchError> bind(const Program& program, const Arguments& arguments, DeviceMemory& memory);
// Room for so many elements of a buffer or variable, with values in its first ones and zeros behind them. None if there
// is no room. On the host too, at the same address, if that is asked.
std::optional<std::uint64_t> allocate(const Param& param, std::uint64_t elements, std::span<const std::uint64_t> first,
                                      DeviceMemory& memory, bool on_host = false);
// Writes to a variable that is bound what it holds at its start of the addresses of others, which are bound, too.
void link_addresses(const Program& program, const Binding& binding, std::size_t variable, DeviceMemory& memory);
// The other way round: what the parameters hold now, element by element.
Arguments arguments_of(const Program& program, const Binding& binding, const GlobalMemory& memory);

std::uint64_t load_bits(const std::byte* from, unsigned size_bytes);
void store_bits(std::byte* to, std::uint64_t value, unsigned size_bytes);
// The same where the size is known: one access of the host's.
template <unsigned Bytes>
std::uint64_t load_bits(const std::byte* from) {
  if constexpr (std::endian::native != std::endian::little) return load_bits(from, Bytes);
  std::uint64_t value = 0;
  std::memcpy(&value, from, Bytes);
  return value;
}
template <unsigned Bytes>
void store_bits(std::byte* to, std::uint64_t value) {
  if constexpr (std::endian::native != std::endian::little) return store_bits(to, value, Bytes);
  std::memcpy(to, &value, Bytes);
}

// The most different words that one bank must serve for one access by `lanes`: 1 = no conflict, 0 = nobody. Lanes whose
// turns come one after another (atomics) share no word: each counts.
unsigned bank_ways(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes, bool in_turn);
unsigned bank_ways(const MemoryEvent& shared);
// More ways than these are a conflict: of 64 lanes two turns are none.
inline unsigned turns_without_conflict(LaneMask lanes) { return (count_lanes(lanes) + kBanks - 1) / kBanks; }

}  // namespace warpsim
