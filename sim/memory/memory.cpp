#include "sim/memory/memory.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace warpsim {

std::uint64_t load_bits(const std::byte* from, unsigned size_bytes) {
  std::uint64_t value = 0;
  for (unsigned k = 0; k < size_bytes; ++k) value |= std::to_integer<std::uint64_t>(from[k]) << (8 * k);
  return value;
}

void store_bits(std::byte* to, std::uint64_t value, unsigned size_bytes) {
  for (unsigned k = 0; k < size_bytes; ++k) to[k] = static_cast<std::byte>(value >> (8 * k) & 0xff);
}

GlobalMemory::GlobalMemory(const std::vector<BufferLayout>& layouts, const Program& program,
                           const Arguments& arguments) {
  for (const BufferLayout& layout : layouts) {
    Buffer buffer{layout, std::vector<std::byte>(layout.size_bytes)};
    const auto given = arguments.buffers.find(program.params[static_cast<std::size_t>(layout.param)].name);
    if (given != arguments.buffers.end()) {
      const unsigned size = static_cast<unsigned>(bytes(layout.type));
      for (std::size_t k = 0; k < given->second.bits.size(); ++k)
        store_bits(&buffer.bytes[k * size], given->second.bits[k], size);
    }
    buffers_.push_back(std::move(buffer));
  }
}

GlobalMemory::Buffer* GlobalMemory::find(std::uint64_t address, std::uint64_t size) {
  for (Buffer& b : buffers_)
    if (b.contains(address, size)) return &b;
  return nullptr;
}

const GlobalMemory::Buffer* GlobalMemory::of_param(std::int32_t param) const {
  for (const Buffer& b : buffers_)
    if (b.layout.param == param) return &b;
  return nullptr;
}
GlobalMemory::Buffer* GlobalMemory::of_param(std::int32_t param) {
  return const_cast<Buffer*>(static_cast<const GlobalMemory*>(this)->of_param(param));
}

const GlobalMemory::Buffer* GlobalMemory::nearest(std::uint64_t address) const {
  const Buffer* best = nullptr;
  std::uint64_t best_distance = ~std::uint64_t{0};
  for (const Buffer& b : buffers_) {
    const std::uint64_t end = b.layout.address + b.layout.size_bytes;
    const std::uint64_t distance = address < b.layout.address ? b.layout.address - address
                                   : address >= end           ? address - end
                                                              : 0;
    if (distance < best_distance) {
      best_distance = distance;
      best = &b;
    }
  }
  return best;
}

Array GlobalMemory::contents(std::int32_t param) const {
  const Buffer* b = of_param(param);
  if (b == nullptr) return {};
  const unsigned size = static_cast<unsigned>(bytes(b->layout.type));
  Array array{b->layout.type, std::vector<std::uint64_t>(b->bytes.size() / size)};
  for (std::size_t k = 0; k < array.bits.size(); ++k) array.bits[k] = load_bits(&b->bytes[k * size], size);
  return array;
}

namespace {

// Mostly every lane asks another bank.
bool ask_different_banks(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes) {
  if (size_bytes > kBankBytes) return false;
  std::uint64_t asked = 0, sum = 0;  // the same, unless some bank is asked twice
  for_lanes(lanes, [&](unsigned lane) {
    const std::uint64_t bank = std::uint64_t{1} << offsets[lane] / kBankBytes % kBanks;
    asked |= bank;
    sum += bank;
  });
  return asked == sum;
}

}  // namespace

unsigned bank_ways(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes, bool in_turn) {
  if (ask_different_banks(lanes, offsets, size_bytes)) return lanes == 0 ? 0 : 1;
  constexpr unsigned kMostWords = 8;  // a lane: of 32 bytes
  const unsigned words_a_lane = std::max(size_bytes / kBankBytes, 1U);
  std::array<std::uint64_t, kMaxLanes * kMostWords> words;
  auto end = words.begin();
  for_lanes(lanes, [&](unsigned lane) {
    for (unsigned k = 0; k < words_a_lane; ++k) *end++ = offsets[lane] / kBankBytes + k;
  });
  if (!in_turn) {
    if (!std::is_sorted(words.begin(), end)) std::sort(words.begin(), end);
    end = std::unique(words.begin(), end);
  }
  std::array<unsigned, kBanks> asked{};
  unsigned ways = 0;
  for (auto word = words.begin(); word != end; ++word) ways = std::max(ways, ++asked[*word % kBanks]);
  // A 64-bit access is served in two halves, one for each half of the lanes, a 128-bit one in quarters, so full use of
  // it is no conflict.
  return words_a_lane > 1 && ways > 1 ? (ways + words_a_lane - 1) / words_a_lane : ways;
}

}  // namespace warpsim
