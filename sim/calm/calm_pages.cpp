// See calm_pages.h.
#include "sim/calm/calm_pages.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "isa/kernels/windows.h"

namespace warpsim {

void CalmPages::begin(const Launch& launch) {
  launch_ = launch;
  lanes_ = static_cast<std::int32_t>(launch.lanes);
  ++launch_number_;
  is_calm_ = true;
  known_ = {};
  settled_ = {};
  old_.clear();
  parts_.clear();
  last_part_ = {};
  only_reads_.clear();
  only_read_ = not_only_read_ = {};
  stored_to_read_ = false;
  for (const std::uint64_t address : launch.stored)
    if (const DeviceMemory::Allocation* const of = launch.memory->find(address, 1)) only_reads_[of->address] = false;
  launch_.stored = {};
  epochs_.clear();
  blocks_.clear();
  epoch_now_ = 0;
  if (next_epoch_ > kEpochs / 2) {
    chunks_.clear();
    kept_bytes_ = 0;
    next_epoch_ = 1;
  }
  first_epoch_ = next_epoch_;
  first_ = first_epoch_ << kEpochBit;
  constexpr std::uint32_t kNobody = ~std::uint32_t{0};
  many_ = new_epoch(kNobody);
  atomics_ = new_epoch(kNobody);
}

void CalmPages::end() {
  launch_ = {};
  known_ = {};
  old_.clear();
  if (kept_bytes_ <= kMostKept) return;
  chunks_.clear();
  kept_bytes_ = 0;
}

// ---- epochs

void CalmPages::begin_phase(std::uint32_t block) {
  if (const auto known = epochs_.find(block); known != epochs_.end()) known->second = 0;
  epoch_now_ = 0;
}

void CalmPages::end_block(std::uint32_t block) {
  epochs_.erase(block);
  epoch_now_ = 0;
}

void CalmPages::select(std::uint32_t block) {
  const auto [at, is_new] = epochs_.try_emplace(block, 0);
  std::int32_t& epoch = at->second;
  bool follows_own = false;
  if (epoch == 0) {
    if (next_epoch_ >= kEpochs) number_again();
    else follows_own = block == block_now_ && blocks_.back() == block;
    epoch = new_epoch(block);
  }
  if (!follows_own) {
    epochs_since_ = epoch;
    is_new_block_ = is_new;
  }
  block_now_ = block;
  epoch_now_ = epoch;
}

std::int32_t CalmPages::new_epoch(std::uint32_t block) {
  blocks_.push_back(block);
  return next_epoch_++ << kEpochBit;
}

// What was before the last barrier of a block needs one epoch, and so does all that blocks did which have ended.
void CalmPages::number_again() {
  const std::vector<std::uint32_t> blocks = std::exchange(blocks_, {});
  const std::int32_t first = first_, first_epoch = first_epoch_;
  first_epoch_ = next_epoch_ = 1;
  first_ = first_epoch_ << kEpochBit;
  many_ = new_epoch(blocks[0]);
  atomics_ = new_epoch(blocks[0]);
  const std::int32_t of_ended = new_epoch(blocks[0]);
  std::vector<std::int32_t> next{many_, atomics_};  // by epoch until now
  std::map<std::uint32_t, std::int32_t> before;
  for (std::size_t k = next.size(); k < blocks.size(); ++k) {
    const auto living = epochs_.find(blocks[k]);
    const std::int32_t now = (first_epoch + static_cast<std::int32_t>(k)) << kEpochBit;
    if (living == epochs_.end()) next.push_back(of_ended);
    else if (living->second == now) next.push_back(living->second = new_epoch(blocks[k]));
    else if (const auto known = before.find(blocks[k]); known != before.end()) next.push_back(known->second);
    else next.push_back(before[blocks[k]] = new_epoch(blocks[k]));
  }
  for (auto& [number, chunk] : chunks_) {
    for (std::uint64_t word = 0; word < kChunkBytes >> chunk.granule_bits; ++word) {
      std::int32_t& of = chunk.numbers[word];
      of = of < first ? 0 : next[static_cast<std::size_t>((of - first) >> kEpochBit)] | of % (1 << kEpochBit);
    }
  }
}

// ---- chunks

CalmPages::Chunk& CalmPages::look_up(std::uint64_t number) {
  Chunk& chunk = chunks_[number];
  if (chunk.numbers.empty()) {
    chunk.numbers.resize(kChunkBytes >> chunk.granule_bits);
    chunk.words = chunk.numbers.data();
    kept_bytes_ += sizeof(Chunk) + (kChunkBytes * sizeof(std::int32_t) >> chunk.granule_bits);
  }
  if (chunk.launch != launch_number_) {
    chunk.launch = launch_number_;
    chunk.has_old = 0;
    chunk.read_rows = {};
    if (!launch_.has_parts) {  // those of bytes are nobody's now
      chunk.words = chunk.numbers.data();
      chunk.bytes = nullptr;
      chunk.granule_bits = 2;
    }
    chunk.settled = {};
  }
  known_.all[CalmChunks::place_of(number)] = {number, &chunk};
  return chunk;
}

// Each byte is what its word was.
void CalmPages::make_bytes(Chunk& chunk) {
  if (chunk.granule_bits == 0) return;
  const std::uint64_t words = kChunkBytes >> chunk.granule_bits, bytes_of_word = kChunkBytes / words;
  LineVector<std::int32_t> numbers(kChunkBytes);
  for (std::uint64_t word = 0; word < words; ++word)
    std::fill_n(&numbers[word * bytes_of_word], bytes_of_word, chunk.numbers[word]);
  kept_bytes_ += (kChunkBytes - words) * sizeof(std::int32_t);
  chunk.numbers = std::move(numbers);
  chunk.words = nullptr;
  chunk.bytes = chunk.numbers.data();
  chunk.granule_bits = 0;
}

// ---- what becomes of a word

std::int32_t CalmPages::after_read(std::int32_t now, std::int32_t reader) const {
  if (now < first_) return reader;
  if ((now & ~(kWrites | kWrote)) == reader || now == many_) return now;
  if (now == atomics_) return kRace;
  const std::int32_t epoch = now >> kEpochBit;
  if (epoch == reader >> kEpochBit) return (now & kWrites) != 0 ? kRace : (now & ~kThread) | kSeveral;
  const bool was_written = (now & (kWrites | kWrote)) != 0;
  if (is_of(block_now_, epoch)) return reader | (was_written ? kWrote : 0);
  return was_written ? kRace : many_;
}

std::int32_t CalmPages::after_write(std::int32_t now, std::int32_t reader) const {
  const std::int32_t epoch = now >> kEpochBit;
  const bool is_before = now < first_ || (now & ~(kWrites | kWrote)) == reader ||
                         (epoch != reader >> kEpochBit && is_of(block_now_, epoch));
  return is_before ? reader | kWrites : kRace;
}

// Neighbours' words, each 1 << shift of one lane; `reader` is the first lane. `settles`: whether some have become what
// several blocks have read.
bool CalmPages::read(std::int32_t* numbers, unsigned count, unsigned shift, std::int32_t reader, bool& settles) {
  const std::int32_t first = first_, many = many_;
  std::int32_t others = 0;
  for (unsigned k = 0; k < count; ++k) {
    const std::int32_t now = numbers[k], own = reader + static_cast<std::int32_t>(k >> shift);
    others |= static_cast<std::int32_t>((now >= first) & ((now & ~(kWrites | kWrote)) != own) & (now != many));
    numbers[k] = now < first ? own : now;
  }
  if (others == 0) return true;
  bool is_race = false;
  std::int32_t asked = 0, answer = 0;  // mostly all words are of one epoch, and nobody has written them
  for (unsigned k = 0; k < count; ++k) {
    const std::int32_t now = numbers[k], own = reader + static_cast<std::int32_t>(k >> shift);
    const bool is_plain = now != many && (now & (kWrites | kWrote)) == 0 && (now >> kEpochBit) != (reader >> kEpochBit);
    if (is_plain && now >> kEpochBit == asked && answer == many) {
      numbers[k] = many;
      continue;
    }
    const std::int32_t next = after_read(now, own);
    is_race = is_race || next == kRace;
    settles = settles || (next == many && now != many);
    if (next != kRace) numbers[k] = next;
    if (is_plain) asked = now >> kEpochBit, answer = next;
  }
  return !is_race;
}

bool CalmPages::write(std::int32_t* numbers, unsigned count, unsigned shift, std::int32_t reader) {
  const std::int32_t first = first_;
  std::int32_t others = 0;
  for (unsigned k = 0; k < count; ++k) {
    const std::int32_t now = numbers[k], own = reader + static_cast<std::int32_t>(k >> shift);
    others |= static_cast<std::int32_t>((now >= first) & ((now & ~(kWrites | kWrote)) != own));
  }
  if (others != 0) {
    for (unsigned k = 0; k < count; ++k)
      if (after_write(numbers[k], reader + static_cast<std::int32_t>(k >> shift)) == kRace) return false;
  }
  for (unsigned k = 0; k < count; ++k) numbers[k] = (reader + static_cast<std::int32_t>(k >> shift)) | kWrites;
  return true;
}

// ---- allocations that are only read

bool CalmPages::reads_only(std::uint64_t address, std::uint64_t size) {
  if (!launch_.knows_reads || not_only_read_.contains(address, size)) return false;
  if (only_read_.contains(address, size)) return true;
  const DeviceMemory::Allocation* const of = launch_.memory->find(address, size);
  if (of == nullptr) return false;
  const auto [known, is_new] = only_reads_.try_emplace(of->address, false);
  if (is_new) known->second = launch_.undefined->are_defined(of->address, of->size_bytes);
  (known->second ? only_read_ : not_only_read_) = *of;
  return known->second;
}

void CalmPages::note_read(std::uint64_t address, std::uint64_t size) {
  while (size != 0) {
    Chunk& chunk = chunk_of(address);
    const std::uint64_t behind = address % kChunkBytes, of_row = kRowBytes - behind % kRowBytes,
                        now = std::min(size, of_row);
    if (now == kRowBytes) {
      chunk.read_rows[behind / kRowBytes / 32] |= std::uint32_t{1} << behind / kRowBytes % 32;
    } else {
      for (std::uint64_t word = behind >> chunk.granule_bits; word <= (behind + now - 1) >> chunk.granule_bits; ++word)
        chunk.numbers[word] = many_;
    }
    address += now;
    size -= now;
  }
}

// False: not all of them are such loads, and none is noted.
bool CalmPages::note_reads(const MemoryEvent& event) {
  if (event.access != MemoryEvent::Access::Load || !launch_.knows_reads) return false;
  const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
  bool are_all = true;
  for_lanes(event.lanes, [&](unsigned lane) { are_all = are_all && reads_only(event.address[lane], size); });
  if (!are_all) return false;
  for_lanes(event.lanes, [&](unsigned lane) {
    if (event.bytes < 4 && launch_.has_parts) make_bytes(chunk_of(event.address[lane]));
    note_read(event.address[lane], size);
  });
  return true;
}

// ---- accesses

// Neighbours' accesses of so many bytes each, all in one chunk.
bool CalmPages::touch_neighbours(bool writes, std::uint64_t address, std::uint64_t size, std::uint64_t size_of_lane,
                                 std::int32_t reader, bool settles) {
  Chunk& chunk = chunk_of(address);
  if (writes) keep_old(chunk, address, size);
  const unsigned granule = chunk.granule_bits, count = static_cast<unsigned>(size >> granule),
                 shift = static_cast<unsigned>(std::countr_zero(size_of_lane)) - granule;
  std::int32_t* const numbers = &chunk.numbers[address % kChunkBytes >> granule];
  if (writes && write(numbers, count, shift, reader)) return is_calm_;
  if (writes) {
    std::fill_n(numbers, count, atomics_);  // written, for undo()
    return not_calm();
  }
  bool some_settle = false;
  if (!read(numbers, count, shift, reader, some_settle)) return not_calm();
  for (std::uint64_t behind = 0; some_settle && settles && behind < size; behind += 4)
    if (numbers[behind >> granule] == many_) settle(chunk, address + behind);
  return true;
}

// So many bytes that several lanes have read, the first of them `reader`.
bool CalmPages::read_together(std::uint64_t address, std::uint64_t size, std::int32_t reader, bool settles) {
  Chunk& chunk = chunk_of(address);
  const unsigned granule = chunk.granule_bits;
  const std::uint64_t behind = address % kChunkBytes;
  const std::int32_t first = first_, many = many_, several = (reader & ~kThread) | kSeveral;
  for (std::uint64_t word = behind >> granule; word <= (behind + size - 1) >> granule; ++word) {
    std::int32_t& now = chunk.numbers[word];
    if (now < first) now = several;
    if (now == several || now == many) continue;
    const std::int32_t of_one = after_read(now, reader),
                       next = of_one == kRace ? kRace : after_read(of_one, reader + 1);
    if (next == kRace) return not_calm();
    now = next;
    if (next == many && settles) settle(chunk, address - behind + (word << granule));
  }
  return true;
}

bool CalmPages::touch(const RangeEvent& event, std::uint32_t block, std::uint32_t warp) {
  const std::uint64_t size = event.is_one_address ? event.bytes : event.size();
  if (!event.is_store && reads_only(event.address, size)) {
    note_read(event.address, size);
    for (std::uint64_t behind = 0; event.is_one_address && behind < size; behind += 4)
      settle(chunk_of(event.address), event.address + behind);
    return true;
  }
  const std::int32_t reader = reader_of(block, warp);
  if (event.is_one_address) return read_together(event.address, event.bytes, reader, true);
  if (event.address % kChunkBytes + event.size() <= kChunkBytes)
    return touch_neighbours(event.is_store, event.address, event.size(), event.bytes, reader, true);
  for (std::uint64_t k = 0; k < event.lanes; ++k)
    if (!touch_neighbours(event.is_store, event.address + k * event.bytes, event.bytes, event.bytes,
                          reader + static_cast<std::int32_t>(k), true))
      return false;
  return true;
}

// next(number, lane) is what becomes of each word.
template <class Next>
bool CalmPages::touch_lanes(const MemoryEvent& event, bool settles, Next next) {
  const std::uint32_t size = event.bytes * event.elements;
  const bool makes_bytes = event.bytes < 4 && launch_.has_parts, stores = event.access != MemoryEvent::Access::Load;
  bool is_race = false;
  for_lanes(event.lanes, [&](unsigned lane) {
    const std::uint64_t address = event.address[lane];
    Chunk& chunk = chunk_of(address);
    if (makes_bytes) make_bytes(chunk);
    if (stores) keep_old(chunk, address, size);
    const std::uint64_t behind = address % kChunkBytes;
    const std::uint64_t first = behind >> chunk.granule_bits, last = (behind + size - 1) >> chunk.granule_bits;
    for (std::uint64_t word = first; word <= last; ++word) {
      std::int32_t& now = chunk.numbers[word];
      const std::int32_t becomes = next(now, lane);
      is_race = is_race || becomes == kRace;
      if (settles && becomes == many_ && now != many_) settle(chunk, address + ((word - first) << chunk.granule_bits));
      now = becomes == kRace ? atomics_ : becomes;  // was written, for undo()
    }
  });
  if (is_race) not_calm();
  return is_calm_;
}

// Of whole words.
bool CalmPages::read_lanes(const MemoryEvent& event, std::int32_t reader, bool settles) {
  const std::int32_t first = first_, many = many_, several = (reader & ~kThread) | kSeveral;
  const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
  bool is_race = false;
  std::uint64_t number = ~std::uint64_t{0};
  Chunk* chunk = nullptr;
  for_lanes(event.lanes, [&](unsigned lane) {
    const std::uint64_t address = event.address[lane];
    if (address >> kChunkBits != number) {
      chunk = &chunk_of(address);
      number = address >> kChunkBits;
    }
    const std::int32_t own = reader + static_cast<std::int32_t>(lane);
    std::int32_t* const words = &chunk->numbers[address % kChunkBytes >> chunk->granule_bits];
    for (std::uint64_t k = 0; k < size >> chunk->granule_bits; ++k) {
      const std::int32_t now = words[k];
      if (now == many || now == several || (now & ~(kWrites | kWrote)) == own) continue;
      const std::int32_t next = now < first ? own : after_read(now, own);
      is_race = is_race || next == kRace;
      if (next == kRace) continue;
      words[k] = next;
      if (settles && next == many) settle(*chunk, address + (k << chunk->granule_bits));
    }
  });
  return !is_race || not_calm();
}

bool CalmPages::touch(const MemoryEvent& event, std::uint32_t block, std::uint32_t warp, bool settles) {
  if (note_reads(event)) return true;
  settles = settles && event.bytes >= 4;  // of a part of a word the rest may be undefined
  const std::int32_t reader = reader_of(block, warp);
  const std::uint64_t of_one = std::uint64_t{event.bytes} * event.elements, size = of_one * count_lanes(event.lanes);
  if (event.neighbours && event.access != MemoryEvent::Access::Atomic && std::has_single_bit(of_one) &&
      event.address[0] % kChunkBytes + size <= kChunkBytes) {
    if (event.bytes < 4 && launch_.has_parts) make_bytes(chunk_of(event.address[0]));
    if (event.bytes >= 4 || chunk_of(event.address[0]).granule_bits == 0)
      return touch_neighbours(event.access == MemoryEvent::Access::Store, event.address[0], size, of_one, reader,
                              settles);
    if (event.access == MemoryEvent::Access::Load && size >= 8)
      return read_together(event.address[0], size, reader, settles);
  }
  const auto of_lane = [reader](unsigned lane) { return reader + static_cast<std::int32_t>(lane); };
  switch (event.access) {
    case MemoryEvent::Access::Load:
      if (event.bytes >= 4) return read_lanes(event, reader, settles);
      return touch_lanes(event, settles,
                         [&](std::int32_t now, unsigned lane) { return after_read(now, of_lane(lane)); });
    case MemoryEvent::Access::Store:
      return touch_lanes(event, false,
                         [&](std::int32_t now, unsigned lane) { return after_write(now, of_lane(lane)); });
    case MemoryEvent::Access::Atomic: break;
  }
  return touch_lanes(event, false,
                     [&](std::int32_t now, unsigned) { return now < first_ || now == atomics_ ? atomics_ : kRace; });
}

// A word of four bytes.
void CalmPages::settle(Chunk& chunk, std::uint64_t address) {
  if (chunk.granule_bits != 2) return;
  SettledPages::Words& words = chunk.settled[address % kChunkBytes >> kPageBits];
  const std::uint32_t word = SettledPages::word_of(address);
  words[word / 32] |= std::uint32_t{1} << word % 32;
  settled_.pages[SettledPages::place_of(address >> kPageBits)] = {address >> kPageBits, words.data()};
}

// ---- what memory was

void CalmPages::keep_old(LaneMask lanes, const std::uint64_t* address, std::uint64_t size) {
  for_each_lane(lanes, [&](unsigned lane) {
    Chunk& chunk = chunk_of(address[lane]);
    keep_old(chunk, address[lane], size);
    if (is_calm_) return;
    const std::uint64_t behind = address[lane] % kChunkBytes;
    for (std::uint64_t word = behind >> chunk.granule_bits; word <= (behind + size - 1) >> chunk.granule_bits; ++word)
      chunk.numbers[word] = atomics_;
  });
}

void CalmPages::keep_old(Chunk& chunk, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t last = address + size - 1;
  if ((chunk.has_old >> (address % kChunkBytes >> kPageBits) & 1) == 0) keep_page(chunk, address);
  if (address >> kPageBits != last >> kPageBits && (chunk.has_old >> (last % kChunkBytes >> kPageBits) & 1) == 0)
    keep_page(chunk, last);
}

void CalmPages::keep_page(Chunk& chunk, std::uint64_t address) {
  if (last_part_.contains(address, 1)) return;
  const bool is_heap = address - kHeapBegin < kHeapEnd - kHeapBegin;
  const DeviceMemory::Allocation* const of = (is_heap ? launch_.heap : launch_.memory)->find(address, 1);
  if (of == nullptr) return;  // the access is a trap
  if (of->address != not_only_read_.address) {
    bool& is_only_read = only_reads_[of->address];
    if (is_only_read) stored_to_read_ = true, not_calm();
    is_only_read = false;
    not_only_read_ = *of;
  }
  const std::uint64_t page = address & ~(kPageBytes - 1), begin = std::max(page, of->address),
                      end = std::min(page + kPageBytes, of->end());
  if (end - begin == kPageBytes) chunk.has_old |= std::uint64_t{1} << (page % kChunkBytes >> kPageBits);
  else last_part_ = {begin, end - begin};
  if (end - begin != kPageBytes && !parts_.emplace(page, of->address).second) return;
  if (!chunk.old) {
    chunk.old.reset(new std::byte[kChunkBytes]);
    kept_bytes_ += kChunkBytes;
  }
  Old& kept = old_.emplace_back(
      Old{begin, end - begin, of->bytes + (begin - of->address), &chunk.old[begin % kChunkBytes], {}});
  std::memcpy(&chunk.old[begin % kChunkBytes], kept.bytes, kept.size);
  if (launch_.undefined->is_page_defined(begin)) return;
  for (std::uint64_t at = begin & ~std::uint64_t{7}; at < end; at += 8)
    kept.undefined.push_back(launch_.undefined->bits(at));
}

// Only what was written: the host may have changed what lies beside it.
void CalmPages::undo(UndefinedWords& undefined) {
  for (const Old& kept : old_) {
    const Chunk& chunk = chunk_of(kept.address);
    for (std::uint64_t k = 0; k < kept.size; ++k) {
      const std::int32_t now = chunk.numbers[(kept.address + k) % kChunkBytes >> chunk.granule_bits];
      if (now == atomics_ || (now >= first_ && (now & (kWrites | kWrote)) != 0)) kept.bytes[k] = kept.old[k];
    }
    if (kept.undefined.empty()) undefined.define(kept.address, kept.size);
    const std::uint64_t first = kept.address & ~std::uint64_t{7};
    for (std::size_t k = 0; k < kept.undefined.size(); ++k) undefined.set_bits(first + 8 * k, kept.undefined[k]);
  }
}

}  // namespace warpsim
