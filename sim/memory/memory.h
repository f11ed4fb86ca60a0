// Global memory: one 64-bit address space of buffers with gaps around; and one block's banked shared memory.
//
// Shapes: an access is (address, bytes); an index into a buffer and pointer arithmetic meet the same bounds check.
// Units:  bytes; banks are 4 bytes wide, 32 of them (64 lanes change nothing about that).
// Errors: find() returns null for an address outside every buffer; nearest() names the closest for the message.
// Source: CUDA C++ Programming Guide, "Shared Memory" (compute capability 5.0 and up): 32 banks of 32 bits.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "isa/cases/case.h"
#include "sim/code/decode.h"
#include "sim/event/lane_mask.h"

namespace warpsim {

inline constexpr unsigned kBanks = 32;
inline constexpr unsigned kBankBytes = 4;

class GlobalMemory {
 public:
  struct Buffer {
    BufferLayout layout;
    std::vector<std::byte> bytes;
    bool contains(std::uint64_t address, std::uint64_t size) const {
      return address >= layout.address && address - layout.address <= layout.size_bytes &&
             size <= layout.size_bytes - (address - layout.address);
    }
  };

  GlobalMemory(const std::vector<BufferLayout>& layouts, const Program& program, const Arguments& arguments);
  Buffer* find(std::uint64_t address, std::uint64_t size);
  Buffer* of_param(std::int32_t param);
  const Buffer* of_param(std::int32_t param) const;
  // The buffer whose range lies closest to the address; null if there is none.
  const Buffer* nearest(std::uint64_t address) const;
  Array contents(std::int32_t param) const;
  const std::vector<Buffer>& buffers() const { return buffers_; }

 private:
  std::vector<Buffer> buffers_;
};

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
// More ways than these are a conflict: of 64 lanes two turns are none.
inline unsigned turns_without_conflict(LaneMask lanes) { return (count_lanes(lanes) + kBanks - 1) / kBanks; }

}  // namespace warpsim
