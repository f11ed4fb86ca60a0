// Conflicts of shared memory's banks, counted for all banks at once: bank_ways() in loops over lanes.
//
// Shapes: `Host` keeps the copies of one binary apart, as in lane_code_impl.h.
// Units:  bytes.
// Errors: none.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/code/lift.h"
#include "sim/memory/bank_ways.h"
#include "sim/memory/memory.h"
#include "sim/sass/code_state.h"

namespace warpsim::sass {

template <class Host>
struct BankLoops {
  static constexpr unsigned kPlanes = 6;  // bits of a number of lanes

  // Of each bank the lanes' pieces are counted, all banks at once: plane[p] has bit p of the banks' numbers. Those of
  // the lanes are added in halves.
  template <unsigned Half, unsigned Planes>
  static void add_halves(std::uint32_t (&plane)[kPlanes][kLanes]) {
    lift::each_lane<Half>([&](unsigned l) __attribute__((always_inline)) {
      std::uint32_t carry = 0;
      for (unsigned p = 0; p < Planes; ++p) {
        const std::uint32_t a = plane[p][l], b = plane[p][l + Half];
        plane[p][l] = a ^ b ^ carry;
        carry = (a & b) | (carry & (a ^ b));
      }
      plane[Planes][l] = carry;
    });
    if constexpr (Half > 1) add_halves<Half / 2, Planes + 1>(plane);
  }
  // The largest of the banks' numbers, of which bit 0 of each lane stands in plane 0.
  static unsigned most_of_a_bank(std::uint32_t (&plane)[kPlanes][kLanes]) {
    add_halves<kLanes / 2, 1>(plane);
    std::uint32_t most = ~std::uint32_t{0};
    unsigned count = 0;
    for (unsigned p = kPlanes; p-- > 0;) {
      if ((most & plane[p][0]) == 0) continue;
      most &= plane[p][0];
      count |= 1U << p;
    }
    return count;
  }
  // Whether all are different because each is below the next one; behind the last is the highest number.
  static bool each_rises(const std::uint32_t* piece) {
    std::uint32_t falls = 0;
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
      falls |= piece[l] >= piece[l + 1] ? ~std::uint32_t{0} : std::uint32_t{0};
    });
    return falls == 0;
  }
  static BankWays ways(const std::uint64_t* address, Lanes mask, unsigned bytes) {
    const unsigned words = std::max(bytes / kBankBytes, 1U), lanes = static_cast<unsigned>(__builtin_popcount(mask));
    const std::uint32_t banks = kBanks / words - 1,
                        shift = static_cast<std::uint32_t>(__builtin_ctz(words * kBankBytes));
    // Those of lanes that do not act are no lane's.
    alignas(64) std::uint32_t before[2 * kLanes + 1], plane[kPlanes][kLanes], asks[kLanes];
    std::uint32_t* const piece = before + kLanes;
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
      piece[l] = static_cast<std::uint32_t>(address[l] >> shift);
    });
    piece[kLanes] = ~std::uint32_t{0};
    const bool rises = each_rises(piece);  // those that do not act mostly rise, too
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
      before[l] = ~std::uint32_t{0};
      piece[l] |= std::uint32_t{0} - (~mask >> l & 1);
    });
    const std::uint32_t first = piece[__builtin_ctz(mask)];
    std::uint32_t asked = 0, differ = 0;
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
      const std::uint32_t acts = std::uint32_t{0} - (mask >> l & 1);
      plane[0][l] = asks[l] = (std::uint32_t{1} << (piece[l] & banks)) & acts;
      asked |= asks[l];
      differ |= (piece[l] ^ first) & acts;
    });
    if (differ == 0) return {1, (lanes + words - 1) / words, 1};
    if (static_cast<unsigned>(__builtin_popcount(asked)) == lanes) return {1, 1, 1};
    const unsigned each = most_of_a_bank(plane);
    if (rises) return {(each + words - 1) / words, (each + words - 1) / words, each};
    std::uint32_t again[kLanes] = {};  // what a lane before has asked for
    for (unsigned apart = 1; apart < kLanes; ++apart)
      lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
        again[l] |= piece[l] == before[kLanes + l - apart] ? ~std::uint32_t{0} : std::uint32_t{0};
      });
    std::uint32_t any = 0;
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
      any |= asks[l] & again[l];
      plane[0][l] = asks[l] & ~again[l];
    });
    const unsigned merged = any != 0 ? most_of_a_bank(plane) : each;
    return {(merged + words - 1) / words, (each + words - 1) / words, merged};
  }
};

}  // namespace warpsim::sass
