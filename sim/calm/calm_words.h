// The shared memory of one block between two barriers of all its warps, for as long as nothing there can be a race:
// each word was touched by one thread alone, or was only read, or was only changed by atomics.
//
// Shapes: a number a word says which of these it is; between barriers that is all there is to know.
//         A log keeps each access. RaceWords is told of them should a word not
//         stay like that.
// Units:  words of the smallest access that the program makes; addresses in bytes, in the block's memory.
// Errors: none. An access that is not calm may leave any numbers behind, but settles nothing: begin() comes before the
//         next.
// Source: sim/check/races.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/event/observer.h"

namespace warpsim {

class CalmWords {
 public:
  CalmWords() = default;
  CalmWords(std::uint32_t words, unsigned granule_bits, unsigned width, std::uint32_t warps);

  bool is_of(std::uint32_t block) const { return block_ == block; }
  std::optional<std::uint32_t> block() const { return block_; }
  // Nothing of this block's has been touched.
  void begin(std::uint32_t block);
  void end() {
    block_.reset();
    used_ = 0;
  }

  // A weak load or store, or an atomic, of this warp of the block. False: it is not calm, or it is not known whether it
  // is. Bits of `settled`, if there are any, are set for words that several warps have read, and has_settled().
  bool touch(const MemoryEvent& event, std::uint32_t warp, std::uint32_t* settled);
  bool touch(const RangeEvent& event, std::uint32_t warp, std::uint32_t* settled);
  bool touch(const LanesEvent& event, std::uint32_t warp, std::uint32_t* settled);
  bool has_settled() const { return has_settled_; }
  // The last access has only loaded words that had a bit there already.
  bool is_known() const { return is_known_; }

  // ---- what was touched
  struct Logged {
    std::uint64_t cycle;
    std::int32_t pc;
    std::uint32_t version;
    std::uint16_t warp;  // of the block
  };
  bool has_room() const { return kMostBytes - used_ >= kMostBytesOfOne; }
  void log(const Logged& logged, const MemoryEvent& event);
  void log(const Logged& logged, const RangeEvent& event);
  void log(const Logged& logged, const LanesEvent& event);
  // Calls f(logged, event) for each access since then. Nobody knows the elements by name any more.
  template <class F>
  void for_each_logged(F f) const {
    for (std::size_t at = 0; at < used_;) {
      Told told;
      at = read_entry(at, told);
      f(told.logged, told.event);
    }
  }
  bool is_log_empty() const { return used_ == 0; }
  void forget_log() { used_ = 0; }

 private:
  using Access = MemoryEvent::Access;
  // Of a word, above base_: what one thread has read, or written; of each warp, what several of its lanes have read;
  // what several warps have read; and what atomics have changed.
  std::int32_t of_warp(std::uint32_t warp) const { return static_cast<std::int32_t>((warps_ << warp_bits_) + warp); }
  std::int32_t of_warps() const { return of_warp(warps_); }
  std::int32_t of_atomics() const { return of_warps() + 1; }
  std::int32_t read_by(std::uint32_t warp, unsigned lane) const {  // 1 more: written
    return base_ + static_cast<std::int32_t>((warp << warp_bits_) + 2 * lane);
  }
  class Reading;

  // Behind it are its addresses, 4 bytes each: the first lane's or every one's; and what it has stored.
  struct Entry {
    Logged logged;
    Access access;
    std::uint8_t bytes, elements;
    bool neighbours, is_one_address;
    LaneMask lanes;
    bool has_one_address() const { return neighbours || is_one_address; }
    std::size_t address_bytes() const { return has_one_address() ? 4 : 4 * std::size_t{count_lanes(lanes)}; }
    std::size_t value_bytes() const {
      return access == Access::Store ? std::size_t{count_lanes(lanes)} * bytes * elements : 0;
    }
  };
  struct Told {
    Logged logged;
    MemoryEvent event;
    NoElementNames names;
    std::uint64_t address[kMaxLanes], value[4 * kMaxLanes];
  };
  static constexpr std::size_t kMostBytes = std::size_t{1} << 18,
                               kMostBytesOfOne = sizeof(Entry) + std::size_t{kMaxLanes} * (4 + 4 * 8);

  static std::int32_t touch_own(std::int32_t& now, std::int32_t base, std::int32_t reader, bool writes);
  template <bool kWrites>
  bool touch_own_neighbours(std::uint32_t first, std::uint32_t count, unsigned shift, std::int32_t reader);
  bool touch_neighbours(std::uint32_t first, std::uint32_t count, unsigned shift, bool writes, std::uint32_t warp,
                        std::uint32_t* settled);
  void settle(std::uint32_t word, std::uint32_t* settled);
  bool read_together(std::uint64_t address, std::uint32_t size, LaneMask lanes, std::uint32_t warp,
                     std::uint32_t* settled);
  template <unsigned kCount, class Event>
  bool touch_each(const Event& event, unsigned count, bool writes, std::uint32_t warp, std::uint32_t* settled);
  template <class Event>
  bool touch_each(const Event& event, bool writes, std::uint32_t warp, std::uint32_t* settled);
  bool change(const MemoryEvent& event);
  std::byte* add(const Entry& entry, std::size_t behind);
  template <class AddressOf, class ValueOf>
  void log(const Entry& entry, AddressOf address_of, ValueOf value_of);
  std::size_t read_entry(std::size_t at, Told& told) const;

  std::vector<std::int32_t> words_;
  unsigned granule_bits_ = 2;
  int warp_bits_ = 6;  // numbers of a warp's threads: two each
  std::uint32_t warps_ = 1;
  std::int32_t base_ = 0;  // what a word has from here on is of this phase; even
  std::optional<std::uint32_t> block_;
  bool has_settled_ = false, is_known_ = false;
  std::vector<std::byte> log_;
  std::size_t used_ = 0;  // bytes of log_
};

}  // namespace warpsim
