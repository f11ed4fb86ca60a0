// Which bytes of global memory a launch reads and writes.
//
// Shapes: what a launch does is added by those who watch it (touching_checker.h), and what the grids do that its
//         kernels launch. What a kernel has allocated itself is left out: no other launch is told where it is. A page
//         has a bit a byte for each way to touch it, once it is touched so.
// Units:  addresses and sizes in bytes.
// Errors: a launch that touches more ranges than kMostRanges is not known: take() says nothing of it.
// Source: none; what may be a race between two launches: PTX ISA 9.0, chapter 8, "Memory Consistency Model".
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "host/device/byte_ranges.h"
#include "sim/calm/calm_pages.h"
#include "sim/event/observer.h"

namespace warpsim::host {

struct Touched {
  ByteRanges reads, writes;                // as C++ reads and writes a variable
  ByteRanges strong_reads, strong_writes;  // atomically, volatile or in an order with others: these are never a race
                                           // among themselves
  bool operator==(const Touched&) const = default;
  bool empty() const { return reads.empty() && writes.empty() && strong_reads.empty() && strong_writes.empty(); }
  std::size_t size() const { return reads.size() + writes.size() + strong_reads.size() + strong_writes.size(); }
};

class TouchedBytes {
 public:
  static constexpr std::size_t kMostRanges = std::size_t{1} << 20;

  void add(const MemoryEvent& event, const Insn* insn);
  void add(const RangeEvent& event);  // of a weak access
  // All of a launch that was calm. What a thread has read before it wrote there counts as written.
  void add(const CalmPages& pages);
  void leave_out(ByteRange range) { left_out_ = range; }
  // What was touched since the last time.
  Touched take();

 private:
  enum class Way : std::uint8_t { Read, Write, StrongRead, StrongWrite };
  static constexpr std::uint64_t kPageBytes = 4096;
  using Bits = std::array<std::uint64_t, kPageBytes / 64>;
  struct Page {
    std::array<std::unique_ptr<Bits>, 4> bits;  // by Way
  };

  void add(Way way, std::uint64_t address, std::uint64_t size);
  Page& page(std::uint64_t number);
  ByteRanges ranges(Way way, const std::vector<std::uint64_t>& numbers) const;

  std::unordered_map<std::uint64_t, Page> pages_;  // by address / kPageBytes
  std::uint64_t last_number_ = ~std::uint64_t{0};
  Page* last_ = nullptr;
  ByteRange left_out_;
};

}  // namespace warpsim::host
