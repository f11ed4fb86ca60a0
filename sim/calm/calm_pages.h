// Global memory during one launch, for as long as nothing there can be a race: each word was touched by one thread
// between two barriers of its block, or was only read, or was only changed by atomics; and what one block has touched
// no other has, unless both only read it, or only changed it by atomics.
//
// Shapes: a number a word says which of these it is, and that is all that is kept: not who was there at which line.
//         Once a word does not stay calm, undo() makes memory what it was as the launch began, and the launch runs
//         again under Races, which knows. For that, what a launch stores to is kept as it was. Numbers are in chunks of
//         64 KiB of memory; they stay from one launch to the next, where they are of nobody.
//         An allocation of which nothing is undefined, and which is first read, is only read from then on: its words
//         have been read by many, and nobody asks by whom. A store there is not calm. Those that the program shows
//         that it stores to (isa/program/stored_pointers.h) are not among them.
// Units:  words of 4 bytes; single bytes where parts of words are kept apart; addresses in bytes.
// Errors: none.
// Source: sim/check/races.h; sim/calm/calm_words.h is the same of shared memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/calm/undefined_words.h"
#include "sim/event/calm_memory.h"
#include "sim/event/observer.h"
#include "sim/memory/device_memory.h"
#include "sim/memory/line_vector.h"

namespace warpsim {

class CalmPages {
 public:
  // A launch begins, of warps with so many lanes. `has_parts`: it may access less than a word, and that is kept apart.
  // What it finds undefined is in `undefined`. All three stay for as long as the launch.
  struct Launch {
    const DeviceMemory* memory;
    const DeviceMemory* heap;  // what kernels allocate
    const UndefinedWords* undefined;
    unsigned lanes;
    bool has_parts;
    bool knows_reads = false;                    // allocations may be only read, but for those …
    std::span<const std::uint64_t> stored = {};  // … with one of these addresses, while begin() goes on
  };
  void begin(const Launch& launch);
  // All threads of the block have met.
  void begin_phase(std::uint32_t block);
  void end_block(std::uint32_t block);

  // A weak load or store, or an atomic that reaches the whole device, of this warp of the block; it is yet to be made.
  // False: it is not calm, and from then on nothing is. Loads settle words only if they find something defined.
  bool touch(const RangeEvent& event, std::uint32_t block, std::uint32_t warp);
  bool touch(const MemoryEvent& event, std::uint32_t block, std::uint32_t warp, bool settles);
  bool is_calm() const { return is_calm_; }
  // Whether these bytes are of an allocation that is only read. A load of some of them is about to be made.
  bool reads_only(std::uint64_t address, std::uint64_t size);
  // It is not calm, as it has stored to an allocation that was only read.
  bool has_stored_to_read() const { return stored_to_read_; }
  void leave_calm() { is_calm_ = false; }
  // These lanes are about to store so many bytes each, whether that is calm or not.
  void keep_old(LaneMask lanes, const std::uint64_t* address, std::uint64_t size);
  // Settled words have been read by several blocks (sim/event/settled_words.h).
  const SettledPages& settled() const { return settled_; }
  // For machine code; the numbers hold until the next barrier of the block.
  const CalmChunks& chunks() const { return known_; }
  CalmNumbers of_warp(std::uint32_t block, std::uint32_t warp) {
    const std::int32_t reader = reader_of(block, warp);
    const std::int32_t others = is_new_block_ ? atomics_ + (1 << kEpochBit) : CalmNumbers::kNoOthers;
    return {first_, reader, (reader & ~kThread) | kSeveral, many_, epochs_since_ - 1, epoch_now_, others};
  }
  std::size_t kept_bytes() const { return kept_bytes_; }

  // How words were touched: read alone, written, or changed by atomics.
  enum class Way : std::uint8_t { None, Read, Write, Atomic };  // None: nobody's
  // Calls f(way, address, size) for all that this launch has touched.
  template <class F>
  void for_each_touched(F f) const {
    for (const auto& [number, chunk] : chunks_) {
      if (chunk.launch != launch_number_) continue;
      const std::uint64_t words = kChunkBytes >> chunk.granule_bits, begin = number << kChunkBits;
      for (std::uint64_t word = 0; word < words;) {
        const Way way = chunk.is_row_read(word) ? Way::Read : way_of(chunk.numbers[word]);
        const std::uint64_t end = end_of(chunk, way, word);
        if (way != Way::None) f(way, begin + (word << chunk.granule_bits), (end - word) << chunk.granule_bits);
        word = end;
      }
    }
  }

  // Memory, and what is undefined in it, is again what it was at begin().
  void undo(UndefinedWords& undefined);
  // The launch has ended. Of a large one nothing is kept for the next.
  void end();

 private:
  static constexpr unsigned kChunkBits = CalmChunk::kBits, kPageBits = SettledPages::kPageBits,
                            kRowBits = CalmChunk::kRowBits;
  static_assert(kPageBits == CalmChunk::kPageBits);
  static constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << kChunkBits,
                                 kPageBytes = std::uint64_t{1} << kPageBits, kRowBytes = std::uint64_t{1} << kRowBits;
  static constexpr std::size_t kPages = kChunkBytes / kPageBytes, kMostKept = std::size_t{64} << 20;
  // Of a word: the epoch, which is a block's time between two barriers; whether it was written in this epoch, or by the
  // block before; and the thread, or that there were several.
  static constexpr int kEpochBit = 13;
  static constexpr std::int32_t kWrites = CalmNumbers::kWrites, kWrote = CalmNumbers::kWrote, kSeveral = 1 << 10,
                                kThread = CalmNumbers::kThread;
  static constexpr std::int32_t kEpochs = 1 << 18, kRace = -1;

  struct Chunk : CalmChunk {
    std::uint64_t launch = 0;   // that has touched it last
    unsigned granule_bits = 2;  // of its words
    LineVector<std::int32_t> numbers;
    std::unique_ptr<std::byte[]> old;  // of pages in has_old, and of parts of some others
    std::array<SettledPages::Words, kPages> settled;
    bool is_row_read(std::uint64_t word) const {
      const std::uint64_t row = word << granule_bits >> kRowBits;
      return (read_rows[row / 32] >> row % 32 & 1) != 0;
    }
  };
  // What stood in memory as the launch began.
  struct Old {
    std::uint64_t address, size;
    std::byte* bytes;                      // in memory
    const std::byte* old;                  // in its chunk
    std::vector<std::uint64_t> undefined;  // by word of 8 bytes; empty: all was defined
  };

  Chunk& chunk_of(std::uint64_t address) {
    const std::uint64_t number = address >> kChunkBits;
    const CalmChunks::One& known = known_.all[CalmChunks::place_of(number)];
    return known.number == number ? static_cast<Chunk&>(*known.chunk) : look_up(number);
  }
  Chunk& look_up(std::uint64_t number);
  void make_bytes(Chunk& chunk);
  std::int32_t reader_of(std::uint32_t block, std::uint32_t warp) {
    if (block != block_now_ || epoch_now_ == 0) select(block);
    return epoch_now_ + static_cast<std::int32_t>(warp * lanes_);
  }
  Way way_of(std::int32_t number) const {
    if (number < first_) return Way::None;
    if (number == atomics_) return Way::Atomic;
    return (number & (kWrites | kWrote)) != 0 && number != many_ ? Way::Write : Way::Read;
  }
  static constexpr std::size_t kAtOnce = 64;
  // Of so many numbers. Without branches, so that it is one comparison for several.
  bool are_all(Way way, const std::int32_t* numbers) const {
    const auto all = [numbers](auto is_so) {
      unsigned others = 0;
      for (std::size_t k = 0; k < kAtOnce; ++k) others |= is_so(numbers[k]) ? 0U : 1U;
      return others == 0;
    };
    // Plain numbers are neither of those of which way_of() knows better.
    const auto is_plain = [this](std::int32_t n) { return (n >= first_) & (n != atomics_) & (n != many_); };
    switch (way) {
      case Way::None: return all([this](std::int32_t n) { return n < first_; });
      case Way::Read:
        return all([&](std::int32_t n) { return (is_plain(n) & ((n & (kWrites | kWrote)) == 0)) | (n == many_); });
      case Way::Write: return all([&](std::int32_t n) { return is_plain(n) & ((n & (kWrites | kWrote)) != 0); });
      case Way::Atomic: return all([this](std::int32_t n) { return n == atomics_; });
    }
    return false;
  }
  // Whether none of so many words is of a row that was read, if they begin where rows, or halves of rows, may.
  static bool is_unread(const Chunk& chunk, std::uint64_t word) {
    return word % kAtOnce == 0 && !chunk.is_row_read(word) && !chunk.is_row_read(word + kAtOnce - 1);
  }
  // Of the words from there on that were touched so, where `word` was.
  std::uint64_t end_of(const Chunk& chunk, Way way, std::uint64_t word) const {
    const std::uint64_t words = kChunkBytes >> chunk.granule_bits, row = kRowBytes >> chunk.granule_bits;
    const bool has_rows = chunk.read_rows != decltype(chunk.read_rows){};
    while (word < words) {
      const bool is_row_read = has_rows && word % row == 0 && chunk.is_row_read(word);
      if (is_row_read && way != Way::Read) return word;
      if (is_row_read) word += row;
      else if (word + kAtOnce <= words && (!has_rows || is_unread(chunk, word)) && are_all(way, &chunk.numbers[word]))
        word += kAtOnce;
      else if (way_of(chunk.numbers[word]) == way) ++word;
      else return word;
    }
    return words;
  }
  void select(std::uint32_t block);
  std::int32_t new_epoch(std::uint32_t block);
  void number_again();
  bool is_of(std::uint32_t block, std::int32_t epoch) const {
    return blocks_[static_cast<std::size_t>(epoch - first_epoch_)] == block;
  }
  std::int32_t after_read(std::int32_t now, std::int32_t reader) const;
  std::int32_t after_write(std::int32_t now, std::int32_t reader) const;
  bool read(std::int32_t* numbers, unsigned count, unsigned shift, std::int32_t reader, bool& settles);
  bool write(std::int32_t* numbers, unsigned count, unsigned shift, std::int32_t reader);
  bool touch_neighbours(bool writes, std::uint64_t address, std::uint64_t size, std::uint64_t size_of_lane,
                        std::int32_t reader, bool settles);
  bool read_together(std::uint64_t address, std::uint64_t size, std::int32_t reader, bool settles);
  bool read_lanes(const MemoryEvent& event, std::int32_t reader, bool settles);
  template <class Next>
  bool touch_lanes(const MemoryEvent& event, bool settles, Next next);
  void note_read(std::uint64_t address, std::uint64_t size);
  bool note_reads(const MemoryEvent& event);
  void keep_old(Chunk& chunk, std::uint64_t address, std::uint64_t size);
  void keep_page(Chunk& chunk, std::uint64_t address);
  void settle(Chunk& chunk, std::uint64_t address);
  bool not_calm() { return is_calm_ = false; }

  Launch launch_{};
  std::uint64_t launch_number_ = 0;
  bool is_calm_ = true;
  std::int32_t lanes_ = 32;
  std::unordered_map<std::uint64_t, Chunk> chunks_;  // by address >> kChunkBits
  CalmChunks known_;                                 // some that this launch has touched
  std::size_t kept_bytes_ = 0;
  std::int32_t first_ = 0, first_epoch_ = 0;  // below are numbers of launches before
  std::int32_t many_ = 0, atomics_ = 0;       // numbers of words that several blocks have read, that atomics changed
  std::int32_t next_epoch_ = 1;
  std::vector<std::uint32_t> blocks_;                       // by epoch of this launch
  std::unordered_map<std::uint32_t, std::int32_t> epochs_;  // of blocks that have not ended; 0: none yet
  std::uint32_t block_now_ = 0;
  std::int32_t epoch_now_ = 0;     // of block_now_, as numbers have it; 0: not asked yet
  std::int32_t epochs_since_ = 0;  // all from here to it are of that block …
  bool is_new_block_ = false;      // … and none before
  std::vector<Old> old_;
  std::set<std::pair<std::uint64_t, std::uint64_t>>
      parts_;                      // pages of which it is in part: address, and of which allocation
  DeviceMemory::Range last_part_;  // one of those
  // Of allocations that were accessed, by address: whether they are only read.
  std::unordered_map<std::uint64_t, bool> only_reads_;
  DeviceMemory::Range only_read_, not_only_read_;  // those that loads went to last
  bool stored_to_read_ = false;
  SettledPages settled_;
};

}  // namespace warpsim
