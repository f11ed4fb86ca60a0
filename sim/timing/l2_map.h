// How far away in L2 each piece of some memory lies, as one GPU's multiprocessor measured it.
//
// Shapes: pieces of kPiece bytes one after another, the first at the address `from`. `first` is how much later than the
//         nearest piece of all a load comes that is the first of its line since a copy to the device; `again` the same
//         of later ones, which the half of L2 has that lies nearer to the multiprocessor.
// Units:  cycles.
// Errors: none.
// Source: tools/cuda/benchmarks/machine_measure.h, distances().
#pragma once

#include <cstdint>
#include <vector>

namespace warpsim {

struct L2Map {
  static constexpr std::uint64_t kPiece = 256;

  std::uint64_t from = 0;
  std::vector<std::uint16_t> first, again;

  bool has(std::uint64_t address) const { return address >= from && (address - from) / kPiece < first.size(); }
  // Of an address that it has.
  unsigned distance(std::uint64_t address, bool is_first) const {
    return (is_first ? first : again)[(address - from) / kPiece];
  }
};

}  // namespace warpsim
