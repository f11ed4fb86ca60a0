// What is kept of memory that is taken to be calm (sim/calm/calm_pages.h), as far as machine code compares it, and
// notes there what it accesses, without a word to the one who watches.
//
// Shapes: a number for each word of 4 bytes. Below `first` it is nobody's. A thread that alone has touched a word has
//         the number `reader` and its lane there, and a bit if it has written; several threads that have read it have
//         `several`, and of several blocks `many`: who reads such a word changes nothing. In shared memory atomics have
//         `several` and the bit. Numbers above `behind` and below `phase` are of threads of the same block before its
//         last barrier: who touches such a word now has it alone. From `others` up to `behind` are those of other
//         blocks: who reads such a word that has only been read makes it `many`. What else there is only the one who
//         watches knows. Of global memory the numbers are in chunks, some of which are in a table, each in its place.
//         In an allocation that the launch has only read a word needs nothing but `many`, and a row of words its bit:
//         it is compared with nothing (EventSink::reads_only).
// Units:  bytes.
// Errors: none.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace warpsim {

struct CalmNumbers {
  static constexpr std::int32_t kWrites = 1 << 12, kWrote = 1 << 11;  // beside the thread: now; before
  static constexpr std::int32_t kThread = kWrote - 1;                 // the thread, or that there were several
  static constexpr std::int32_t kNoOthers = std::numeric_limits<std::int32_t>::max();
  std::int32_t first = 0, reader = 0, several = 0, many = 0, behind = 0, phase = 0, others = kNoOthers;
  std::int32_t wrote = kWrote, writes = kWrites, written = kWrites | kWrote,
               unthreaded = ~kThread;  // as code needs them
};

struct CalmChunk {
  static constexpr unsigned kBits = 16, kPageBits = 10;
  std::int32_t* words = nullptr;           // null: they are of a byte each, and are these
  std::int32_t* bytes = nullptr;           // null: they are of 4 bytes
  std::uint64_t has_old = 0;               // a bit for each page that may be written: what stood there is known
  static constexpr unsigned kRowBits = 7;  // a word of each lane of a warp
  std::array<std::uint32_t, (1 << kBits) / (1 << kRowBits) / 32> read_rows{};  // in rising order, from bit 0 on
};

struct CalmChunks {
  static constexpr std::size_t kCount = 1024;
  struct One {
    std::uint64_t number = ~std::uint64_t{0};  // address >> CalmChunk::kBits
    CalmChunk* chunk = nullptr;
  };
  static constexpr std::size_t place_of(std::uint64_t number) { return number % kCount; }
  std::array<One, kCount> all{};
};

struct CalmMemory {
  // Of a block's shared memory; null: it is not known so.
  std::int32_t* shared = nullptr;
  std::uint8_t* shared_defined = nullptr;  // by byte: all bits set = defined
  CalmNumbers of_shared;
  // Of global memory; null: it is not known so.
  const CalmChunks* chunks = nullptr;
  const std::size_t* undefined = nullptr;  // pages with something undefined
  CalmNumbers of_global;
};

}  // namespace warpsim
