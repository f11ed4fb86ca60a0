// The shared memory of one block in a launch that is taken to be calm: as calm_pages.h says it of global memory, but no
// other block comes here, and what was before a barrier of the block counts no more.
//
// Shapes: numbers as in sim/event/calm_memory.h.
// Units:  words of 4 bytes, or bytes if an access may be smaller; addresses in bytes, in the block's memory.
// Errors: none.
// Source: sim/check/races.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/event/calm_memory.h"
#include "sim/event/observer.h"
#include "sim/memory/line_vector.h"

namespace warpsim {

class CalmShared {
 public:
  CalmShared() = default;
  CalmShared(std::size_t bytes, bool has_parts, unsigned lanes);
  // All threads of the block have met, or another block begins.
  void begin_phase();
  // A load, store or atomic of this warp of the block. False: it is not calm, and from then on nothing is.
  bool touch(const MemoryEvent& event, std::uint32_t warp);
  bool touch(const RangeEvent& event, std::uint32_t warp);
  bool touch(const LanesEvent& event, std::uint32_t warp);
  // Null if the words are bytes.
  std::int32_t* words() { return granule_bits_ == 2 ? numbers_.data() : nullptr; }
  CalmNumbers of_warp(std::uint32_t warp) const {
    const std::int32_t reader = first_ + static_cast<std::int32_t>(warp * lanes_), several = first_ + kSeveral;
    return {first_, reader, several, several, first_, first_};
  }

 private:
  static constexpr int kPhaseBit = 13;
  static constexpr std::int32_t kSeveral = 1 << 10, kWrites = CalmNumbers::kWrites;
  template <bool kIsStore>
  static std::int32_t touch_word(std::int32_t& now, std::int32_t own, std::int32_t first);
  bool touch_neighbours(bool writes, std::uint64_t address, std::uint64_t size, std::uint32_t size_of_lane,
                        std::int32_t reader);
  bool read_together(std::uint64_t address, std::uint64_t size);
  bool change(const MemoryEvent& event);
  template <unsigned kWords, bool kIsStore, class Event>
  bool touch_lanes(const Event& event, std::int32_t reader);
  template <class Event>
  bool touch_lanes(const Event& event, bool writes, std::int32_t reader);

  LineVector<std::int32_t> numbers_;
  unsigned granule_bits_ = 2, lanes_ = 32;
  std::int32_t first_ = 1 << kPhaseBit;  // below are numbers of phases before
};

}  // namespace warpsim
