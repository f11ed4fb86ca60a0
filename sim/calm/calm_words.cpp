// See calm_words.h.
#include "sim/calm/calm_words.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "sim/calm/element_value.h"

namespace warpsim {

CalmWords::CalmWords(std::uint32_t words, unsigned granule_bits, unsigned width, std::uint32_t warps)
    : words_(words),
      granule_bits_(granule_bits),
      warp_bits_(std::countr_zero(std::bit_ceil(width)) + 1),
      warps_(warps) {}

void CalmWords::begin(std::uint32_t block) {
  constexpr std::int32_t kMost = 1 << 30;
  block_ = block;
  has_settled_ = false;
  used_ = 0;
  const std::int32_t numbers = (of_atomics() + 2) & ~1;  // of a phase
  base_ += numbers;
  if (base_ < kMost) return;
  std::fill(words_.begin(), words_.end(), 0);
  base_ = numbers;
}

// ---- words

namespace {

constexpr std::int32_t bit(bool truth) { return static_cast<std::int32_t>(truth); }
// One of two, without a branch.
constexpr std::int32_t either(bool truth, std::int32_t a, std::int32_t b) { return truth ? a : b; }

}  // namespace

// What a word becomes by being read, of the states that calm_words.h names.
class CalmWords::Reading {
 public:
  Reading(const CalmWords& words, std::uint32_t warp)
      : base_(words.base_),
        warp_(static_cast<std::int32_t>(warp)),
        warp_bits_(words.warp_bits_),
        threads_(words.of_warp(0)),
        own_warp_(base_ + words.of_warp(warp)),
        all_(base_ + words.of_warps()) {}

  std::int32_t next(std::int32_t now, std::int32_t reader) {
    const std::int32_t known = now - base_;
    const bool is_fresh = known < 0, is_own = (now | 1) == reader + 1, is_of_thread = known < threads_;
    const std::int32_t their_warp = either(is_of_thread, known >> warp_bits_, known - threads_);
    others_ |= bit(!is_fresh) & bit(!is_own) & ((bit(is_of_thread) & known) | bit(now > all_));
    const std::int32_t shared = either(their_warp == warp_, own_warp_, all_);
    const std::int32_t next = either(is_fresh, reader, either(is_own, now, shared));
    more_are_of_all_ |= bit(next == all_) & bit(now != all_);
    some_are_not_ |= next ^ all_;
    return next;
  }
  std::int32_t all() const { return all_; }
  // Whether it is calm; then words that several warps have read by now are settled. `each_word(f)` calls f(number of a
  // word) for each that was read.
  template <class F>
  bool end(CalmWords& words, std::uint32_t* settled, F each_word) const {
    if (others_ != 0) return false;
    const bool some_are_new = more_are_of_all_ != 0;
    if (some_are_new && settled != nullptr) each_word([&](std::uint32_t word) { words.settle(word, settled); });
    words.is_known_ = settled != nullptr && !some_are_new && some_are_not_ == 0;
    return true;
  }

 private:
  std::int32_t base_, warp_, warp_bits_, threads_, own_warp_, all_;
  std::int32_t others_ = 0, more_are_of_all_ = 0, some_are_not_ = 0;
};

// Of words that a thread alone has touched, or nobody: what it leaves there. Others have if the result is not 0, and
// those words stay what they are, unless they are written.
inline std::int32_t CalmWords::touch_own(std::int32_t& now, std::int32_t base, std::int32_t reader, bool writes) {
  const bool is_others = (now >= base) & ((now | 1) != reader + 1);
  now = writes ? reader + 1 : either(now < base, reader, now);
  return bit(is_others);
}

// `reader` is that of the first lane; each lane has 1 << shift words.
template <bool kWrites>
bool CalmWords::touch_own_neighbours(std::uint32_t first, std::uint32_t count, unsigned shift, std::int32_t reader) {
  std::int32_t* const words = words_.data() + first;
  const std::int32_t base = base_;
  std::int32_t others = 0;
  for (std::uint32_t k = 0; k < count; ++k)
    others |= touch_own(words[k], base, reader + static_cast<std::int32_t>(k >> shift << 1), kWrites);
  return others == 0;
}

bool CalmWords::touch_neighbours(std::uint32_t first, std::uint32_t count, unsigned shift, bool writes,
                                 std::uint32_t warp, std::uint32_t* settled) {
  const std::int32_t reader = read_by(warp, 0);
  if (writes) return touch_own_neighbours<true>(first, count, shift, reader);
  if (touch_own_neighbours<false>(first, count, shift, reader)) return true;
  std::int32_t* const words = words_.data() + first;
  Reading reading(*this, warp);
  for (std::uint32_t k = 0; k < count; ++k)
    words[k] = reading.next(words[k], reader + static_cast<std::int32_t>(k >> shift << 1));
  return reading.end(*this, settled, [&](auto f) {
    for (std::uint32_t word = first; word < first + count; ++word) f(word);
  });
}

// If several warps have read it.
void CalmWords::settle(std::uint32_t word, std::uint32_t* settled) {
  settled[word / 32] |= std::uint32_t{words_[word] == base_ + of_warps()} << word % 32;
  has_settled_ = true;
}

bool CalmWords::read_together(std::uint64_t address, std::uint32_t size, LaneMask lanes, std::uint32_t warp,
                              std::uint32_t* settled) {
  const std::uint32_t first = static_cast<std::uint32_t>(address >> granule_bits_), count = size >> granule_bits_;
  const bool are_several = (lanes & (lanes - 1)) != 0;
  const std::int32_t reader = read_by(warp, first_lane(lanes)), own_warp = base_ + of_warp(warp);
  bool is_of_warp = are_several;  // each word nobody's yet, or the warp's
  for (std::uint32_t word = first; word < first + count; ++word)
    is_of_warp = is_of_warp && (words_[word] < base_ || words_[word] == own_warp);
  if (is_of_warp) {
    std::fill_n(&words_[first], count, own_warp);
    return true;
  }
  Reading reading(*this, warp);
  std::int32_t written = 0;
  for (std::uint32_t word = first; word < first + count; ++word) {
    std::int32_t& now = words_[word];
    now = reading.next(now, reader);
    if (!are_several || now == reading.all()) continue;
    written |= bit(now == reader + 1);
    now = own_warp;
  }
  if (written != 0) return false;
  return reading.end(*this, settled, [&](auto f) {
    for (std::uint32_t word = first; word < first + count; ++word) f(word);
  });
}

// The words of each lane, one after the other. kCount: how many a lane has; 0: `count`.
template <unsigned kCount, class Event>
bool CalmWords::touch_each(const Event& event, unsigned count, bool writes, std::uint32_t warp,
                           std::uint32_t* settled) {
  const std::int32_t base = base_, of_first = read_by(warp, 0);
  std::int32_t* const words = words_.data();
  // Calls f(word, reader) for each.
  const auto for_each_word = [&, granule_bits = granule_bits_](auto f) {
    for_lanes(event.lanes, [&](unsigned lane) {
      std::int32_t* const first = words + (event.address[lane] >> granule_bits);
      for (unsigned k = 0; k < (kCount == 0 ? count : kCount); ++k)
        f(first[k], of_first + static_cast<std::int32_t>(2 * lane));
    });
  };
  std::int32_t others = 0;
  if (writes) {
    for_each_word([&](std::int32_t& now, std::int32_t reader) { others |= touch_own(now, base, reader, true); });
    return others == 0;
  }
  for_each_word([&](std::int32_t& now, std::int32_t reader) { others |= touch_own(now, base, reader, false); });
  if (others == 0) return true;
  Reading reading(*this, warp);
  for_each_word([&](std::int32_t& now, std::int32_t reader) { now = reading.next(now, reader); });
  return reading.end(*this, settled, [&](auto f) {
    for_each_word([&](const std::int32_t& now, std::int32_t) { f(static_cast<std::uint32_t>(&now - words)); });
  });
}

template <class Event>
bool CalmWords::touch_each(const Event& event, bool writes, std::uint32_t warp, std::uint32_t* settled) {
  const unsigned count = event.bytes * event.elements >> granule_bits_;
  const auto touch = [&](auto known) { return touch_each<known()>(event, count, writes, warp, settled); };
  switch (count) {
    case 1: return touch(std::integral_constant<unsigned, 1>{});
    case 2: return touch(std::integral_constant<unsigned, 2>{});
    case 4: return touch(std::integral_constant<unsigned, 4>{});
    default: return touch(std::integral_constant<unsigned, 0>{});
  }
}

bool CalmWords::change(const MemoryEvent& event) {
  const std::uint32_t count = event.bytes >> granule_bits_;
  const std::int32_t base = base_, atomics = base + of_atomics();
  std::int32_t others = 0;
  for_lanes(event.lanes, [&](unsigned lane) {
    std::int32_t* const first = words_.data() + (event.address[lane] >> granule_bits_);
    for (std::uint32_t k = 0; k < count; ++k) {
      others |= bit(first[k] >= base) & bit(first[k] != atomics);
      first[k] = atomics;
    }
  });
  return others == 0;
}

bool CalmWords::touch(const MemoryEvent& event, std::uint32_t warp, std::uint32_t* settled) {
  is_known_ = false;
  if (event.access == Access::Atomic) return change(event);
  const std::uint32_t size = event.bytes * event.elements, words = size >> granule_bits_;
  const bool writes = event.access == Access::Store;
  if (event.is_one_address && !writes)
    return read_together(event.address[first_lane(event.lanes)], size, event.lanes, warp, settled);
  if (!event.neighbours || !std::has_single_bit(words)) return touch_each(event, writes, warp, settled);
  const std::uint32_t first = static_cast<std::uint32_t>(event.address[0] >> granule_bits_),
                      count = words * count_lanes(event.lanes);
  const unsigned shift = static_cast<unsigned>(std::countr_zero(words));
  return touch_neighbours(first, count, shift, writes, warp, settled);
}

bool CalmWords::touch(const LanesEvent& event, std::uint32_t warp, std::uint32_t* settled) {
  is_known_ = false;
  if (event.is_one_address && !event.is_store)
    return read_together(event.address[first_lane(event.lanes)], event.size(), event.lanes, warp, settled);
  return touch_each(event, event.is_store, warp, settled);
}

bool CalmWords::touch(const RangeEvent& event, std::uint32_t warp, std::uint32_t* settled) {
  is_known_ = false;
  if (event.is_one_address) return read_together(event.address, event.bytes, full_mask(event.lanes), warp, settled);
  const std::uint32_t first = static_cast<std::uint32_t>(event.address >> granule_bits_),
                      words = event.bytes >> granule_bits_, count = words * event.lanes;
  const unsigned shift = static_cast<unsigned>(std::countr_zero(words));
  return touch_neighbours(first, count, shift, event.is_store, warp, settled);
}

// ---- the log

// Where what is behind it goes.
std::byte* CalmWords::add(const Entry& entry, std::size_t behind) {
  const std::size_t at = used_;
  used_ += sizeof entry + behind;
  if (used_ > log_.size()) log_.resize(std::max(2 * used_, std::size_t{1} << 12));
  std::memcpy(&log_[at], &entry, sizeof entry);
  return log_.data() + at + sizeof entry;
}

void CalmWords::log(const Logged& logged, const RangeEvent& event) {
  const Entry entry{logged,
                    event.is_store ? Access::Store : Access::Load,
                    static_cast<std::uint8_t>(event.bytes),
                    1,
                    !event.is_one_address,
                    event.is_one_address,
                    full_mask(event.lanes)};
  const std::uint32_t address = static_cast<std::uint32_t>(event.address);
  std::byte* const to = add(entry, sizeof address + (event.is_store ? event.size() : 0));
  std::memcpy(to, &address, sizeof address);
  if (event.is_store) std::memcpy(to + sizeof address, event.values, event.size());
}

// value_of(value, lane, element) reads a value of that kind.
template <class AddressOf, class ValueOf>
void CalmWords::log(const Entry& entry, AddressOf address_of, ValueOf value_of) {
  std::byte* to = add(entry, entry.address_bytes() + entry.value_bytes());
  const auto put = [&](auto what) {
    std::memcpy(to, &what, sizeof what);
    to += sizeof what;
  };
  if (entry.has_one_address()) put(address_of(first_lane(entry.lanes)));
  else for_lanes(entry.lanes, [&](unsigned lane) { put(address_of(lane)); });
  if (entry.access != Access::Store) return;
  with_value_of(entry.bytes, [&](auto value) {
    for (unsigned k = 0; k < entry.elements; ++k)
      for_lanes(entry.lanes, [&](unsigned lane) { put(value_of(value, lane, k)); });
  });
}

void CalmWords::log(const Logged& logged, const MemoryEvent& event) {
  const Entry entry{logged,
                    event.access,
                    static_cast<std::uint8_t>(event.bytes),
                    static_cast<std::uint8_t>(event.elements),
                    event.neighbours,
                    event.is_one_address,
                    event.lanes};
  log(
      entry, [&](unsigned lane) { return static_cast<std::uint32_t>(event.address[lane]); },
      [&](auto value, unsigned lane, unsigned k) { return static_cast<decltype(value)>(event.value_of(lane, k)); });
}

void CalmWords::log(const Logged& logged, const LanesEvent& event) {
  const Entry entry{logged,
                    event.is_store ? Access::Store : Access::Load,
                    static_cast<std::uint8_t>(event.bytes),
                    static_cast<std::uint8_t>(event.elements),
                    false,
                    event.is_one_address,
                    event.lanes};
  log(
      entry, [&](unsigned lane) { return event.address[lane]; },
      [&](auto value, unsigned lane, unsigned k) {
        std::memcpy(&value, event.registers + event.rows[k] + std::size_t{lane} * (sizeof value == 8 ? 8 : 4),
                    sizeof value);
        return value;
      });
}

std::size_t CalmWords::read_entry(std::size_t at, Told& told) const {
  Entry entry;
  std::memcpy(&entry, &log_[at], sizeof entry);
  const std::byte* from = &log_[at] + sizeof entry;
  const auto take = [&from](void* to, std::size_t bytes) {
    std::memcpy(to, from, bytes);
    from += bytes;
  };
  told.logged = entry.logged;
  std::uint32_t address = 0;
  if (entry.has_one_address()) take(&address, sizeof address);
  const unsigned step = entry.neighbours ? unsigned{entry.bytes} * entry.elements : 0;
  for_each_lane(entry.lanes, [&](unsigned lane) {
    if (!entry.has_one_address()) take(&address, sizeof address);
    told.address[lane] = address + lane * step;
  });
  for (unsigned k = 0; k < entry.elements; ++k)
    for_each_lane(entry.lanes, [&](unsigned lane) {
      std::uint64_t& value = told.value[k * kMaxLanes + lane];
      value = 0;
      if (entry.access == Access::Store) take(&value, entry.bytes);
    });
  told.event = {MemoryEvent::Space::Shared,
                entry.access,
                entry.bytes,
                entry.elements,
                entry.lanes,
                told.address,
                &told.names,
                told.value,
                nullptr,
                nullptr};
  told.event.neighbours = entry.neighbours;
  told.event.is_one_address = entry.is_one_address;
  return at + sizeof entry + entry.address_bytes() + entry.value_bytes();
}

}  // namespace warpsim
