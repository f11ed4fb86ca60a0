// Operations that are loops over lanes, compiled for several host instruction sets and chosen at run time.
//
// Shapes: a function runs one operation of a warp. Of two that stand side by side the first is of unsigned numbers.
// Errors: none.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "sim/memory/bank_ways.h"
#include "sim/memory/memory.h"
#include "sim/sass/code_state.h"

namespace warpsim::sass {

inline constexpr std::size_t kIntegerRelations = 7, kFloatRelations = 15;  // by their numbers in a word; 0: none

// Of the lanes of an access.
struct AddressRange {
  std::uint64_t lowest = ~std::uint64_t{0}, highest = 0, all = 0;  // `all`: or-ed together
  bool in_a_row = false;  // all lanes access, each so many bytes behind the lane before
};
// Shared memory: accesses that lie so near to each other that no bank has two words of them.
inline bool is_conflict_free(std::uint64_t lowest, std::uint64_t highest, unsigned bytes) {
  const int shift = std::countr_zero(std::max(bytes, kBankBytes));
  return (highest >> shift) - (lowest >> shift) < kBanks * kBankBytes >> shift;
}

struct LaneCode {
  RunFn addresses;                                    // compute_addresses()
  AddressRange (*locate)(Exec& x, const CodeOp& op);  // the same, and the range of accesses of op.number bytes
  AddressRange (*range)(const std::uint64_t* address, Lanes mask, unsigned bytes);
  BankWays (*ways)(const std::uint64_t* address, Lanes mask, unsigned bytes);  // as bank_ways(), of some lanes
  RunFn add, add_with_carries, multiply_add, move_or_negate, absolute, shift_add;
  std::array<RunFn, 2> shift_add_high;  // the second one extends the sign
  std::array<RunFn, 2> multiply_wide, multiply_high, smaller_or_larger;
  std::array<std::array<RunFn, kIntegerRelations>, 2> compare;
  RunFn logic, logic_and, logic_or, logic_xor, logic_with_predicate;
  RunFn shift, shift_left_word, count_ones, reverse, move, select;
  std::array<RunFn, 2> shift_right_upper;
  std::array<std::array<RunFn, kFloatRelations>, 2> compare_floats, set_floats;  // the second ones flush
  RunFn smaller_float, larger_float;
  std::array<RunFn, 2> word_to_float;
  std::array<RunFn, 4> shuffle;  // by the mode's number in a word
  RunFn wide_add, wide_multiply, wide_fma;
};

const LaneCode& lane_code();

// One for each instruction set that this build has.
LaneCode lane_code_baseline();
LaneCode lane_code_avx2();
LaneCode lane_code_avx512();

}  // namespace warpsim::sass
