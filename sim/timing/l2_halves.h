// The two halves of L2: which pages of global memory lie in the half that is not the SM's, and are far.
//
// Shapes: a page is its number, the address without its 12 low bits. Some bits of it, whose parity it is, say in which
//         half it lies; of those above that no measurement reached, one of two is taken by their number.
// Errors: none.
// Source: the launches behind traces/captures/h200/machine_code.json: of those of one kernel, each with its memory
//         elsewhere, some take 200 cycles more. 56 pages of an allocation's first 700 KB were read so, 23 of them far
//         (tests/sim/timing/l2_halves_test.cpp names them), all as bits 0, 1, 3, 5 and 7 say.
#pragma once

#include <cstdint>
#include <vector>

namespace warpsim {

class L2Halves {
 public:
  // The bits of a page's number that count; and of how many pages that a launch reads first as many as can be are near,
  // as those of a small kernel in the fastest of several launches.
  L2Halves(unsigned page_bits, unsigned near_pages) : bits_(page_bits), near_pages_(near_pages) {}

  bool is_far(std::uint64_t address);

 private:
  bool half_of(std::uint64_t page) const;
  std::uint64_t place_with_fewest_far();

  std::uint64_t bits_;
  std::size_t near_pages_;
  std::vector<std::uint64_t> first_;  // pages that were read
  std::uint64_t place_ = 0;           // so many pages from where they are said to be
};

}  // namespace warpsim
