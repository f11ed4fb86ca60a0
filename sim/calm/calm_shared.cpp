// See calm_shared.h.
#include "sim/calm/calm_shared.h"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace warpsim {

CalmShared::CalmShared(std::size_t bytes, bool has_parts, unsigned lanes)
    : numbers_(has_parts ? bytes : (bytes + 3) / 4), granule_bits_(has_parts ? 0 : 2), lanes_(lanes) {}

void CalmShared::begin_phase() {
  constexpr std::int32_t kMost = 1 << 30;
  first_ += 1 << kPhaseBit;
  if (first_ < kMost) return;
  std::fill(numbers_.begin(), numbers_.end(), 0);
  first_ = 1 << kPhaseBit;
}

// What a word becomes. The result is not 0 where that may be a race.
template <bool kIsStore>
std::int32_t CalmShared::touch_word(std::int32_t& now, std::int32_t own, std::int32_t first) {
  const bool is_fresh = now < first, is_free = is_fresh | ((now & ~kWrites) == own);
  const std::int32_t is_others = is_free ? 0 : kIsStore ? 1 : now & kWrites;
  if (kIsStore) now = own | kWrites;
  else now = is_fresh ? own : is_free ? now : first + kSeveral;
  return is_others;
}

bool CalmShared::touch_neighbours(bool writes, std::uint64_t address, std::uint64_t size, std::uint32_t size_of_lane,
                                  std::int32_t reader) {
  std::int32_t* const numbers = &numbers_[address >> granule_bits_];
  const unsigned count = static_cast<unsigned>(size >> granule_bits_),
                 shift = static_cast<unsigned>(std::countr_zero(size_of_lane)) - granule_bits_;
  const std::int32_t first = first_;
  std::int32_t others = 0;
  const auto touch_all = [&](auto is_store) {
    for (unsigned k = 0; k < count; ++k)
      others |= touch_word<is_store()>(numbers[k], reader + static_cast<std::int32_t>(k >> shift), first);
  };
  writes ? touch_all(std::true_type{}) : touch_all(std::false_type{});
  return others == 0;
}

// What all lanes of a warp read.
bool CalmShared::read_together(std::uint64_t address, std::uint64_t size) {
  std::int32_t written = 0;
  for (std::uint64_t word = address >> granule_bits_; word < (address + size) >> granule_bits_; ++word) {
    std::int32_t& now = numbers_[word];
    written |= now < first_ ? 0 : now & kWrites;
    now = first_ + kSeveral;
  }
  return written == 0;
}

// kWords: how many each lane has; 0: it is not known before.
template <unsigned kWords, bool kIsStore, class Event>
bool CalmShared::touch_lanes(const Event& event, std::int32_t reader) {
  const unsigned words = kWords != 0 ? kWords : event.bytes * event.elements >> granule_bits_;
  std::int32_t* const numbers = numbers_.data();
  std::int32_t others = 0;
  for_lanes(event.lanes, [&, first = first_, granule_bits = granule_bits_](unsigned lane) {
    std::int32_t* const at = numbers + (event.address[lane] >> granule_bits);
    const std::int32_t own = reader + static_cast<std::int32_t>(lane);
    for (unsigned k = 0; k < words; ++k) others |= touch_word<kIsStore>(at[k], own, first);
  });
  return others == 0;
}

template <class Event>
bool CalmShared::touch_lanes(const Event& event, bool writes, std::int32_t reader) {
  const auto touch_each = [&](auto words) {
    return writes ? touch_lanes<words(), true>(event, reader) : touch_lanes<words(), false>(event, reader);
  };
  switch (event.bytes * event.elements >> granule_bits_) {
    case 1: return touch_each(std::integral_constant<unsigned, 1>{});
    case 2: return touch_each(std::integral_constant<unsigned, 2>{});
    case 4: return touch_each(std::integral_constant<unsigned, 4>{});
    default: return touch_each(std::integral_constant<unsigned, 0>{});
  }
}

bool CalmShared::change(const MemoryEvent& event) {
  std::int32_t* const numbers = numbers_.data();
  const std::int32_t first = first_, changed = first + (kSeveral | kWrites);
  std::int32_t others = 0;
  for_lanes(event.lanes, [&, granule_bits = granule_bits_, words = event.bytes >> granule_bits_](unsigned lane) {
    std::int32_t* const at = numbers + (event.address[lane] >> granule_bits);
    for (unsigned k = 0; k < words; ++k) {
      others |= static_cast<std::int32_t>((at[k] >= first) & (at[k] != changed));
      at[k] = changed;
    }
  });
  return others == 0;
}

bool CalmShared::touch(const MemoryEvent& event, std::uint32_t warp) {
  const std::int32_t reader = of_warp(warp).reader;
  const std::uint32_t size = event.bytes * event.elements;
  if (event.access == MemoryEvent::Access::Atomic) return change(event);
  const bool writes = event.access == MemoryEvent::Access::Store;
  if (event.is_one_address && !writes && (event.lanes & (event.lanes - 1)) != 0)
    return read_together(event.address[first_lane(event.lanes)], size);
  if (event.neighbours && std::has_single_bit(size))
    return touch_neighbours(writes, event.address[0], std::uint64_t{size} * count_lanes(event.lanes), size, reader);
  return touch_lanes(event, writes, reader);
}

bool CalmShared::touch(const RangeEvent& event, std::uint32_t warp) {
  if (event.is_one_address) return read_together(event.address, event.bytes);
  return touch_neighbours(event.is_store, event.address, event.size(), event.bytes, of_warp(warp).reader);
}

bool CalmShared::touch(const LanesEvent& event, std::uint32_t warp) {
  if (event.is_one_address && !event.is_store)
    return read_together(event.address[first_lane(event.lanes)], event.size());
  return touch_lanes(event, event.is_store, of_warp(warp).reader);
}

}  // namespace warpsim
