// Which bits of an instruction's results are undefined, given the values of its operands and which of their bits are.
//
// Shapes: the table's traits say how undefined bits spread (Spread); the rest is asked of the row's own kernel, which
// is
//         run on operands whose undefined bits are filled in. A result bit that two fillings leave different is
//         undefined. By spread, what else is:
//           - Bits      nothing: a result bit depends on one bit of each operand, and of every set of operands those
//           are
//                       filled with ones while the others get zeros. Exact. An undefined count or selector makes all
//                       of d undefined.
//           - Sums      the places at which an operand is undefined. Exact: between the smallest and the largest sum
//                       each carry that can change does.
//           - Products  all bits above the lowest that differs: a factor that changes by a multiple of 2^k changes the
//                       product by a multiple of 2^k times the other factor.
//           - Monotone  all bits below the highest that differs between the smallest and the largest results.
//           - Compares  nothing. Of integers, exact: also filled so that the operands are as equal as they can be.
//           - All       everything: floats, quotients, and what else has no trait of the table.
//         Never is a bit called defined that some filling changes. Two operands that are the same register are filled
//         alike where the spread is Bits or Compares, so that `xor` of a register with itself is defined.
// Units:  bits of a register; sets of lanes.
// Errors: none.
// Source: Nethercote and Seward, "Using Valgrind to Detect Undefined Value Errors with Bit-Precision" (USENIX 2005),
// and
//         Memcheck's mc_translate.c: its rules for and, or, add, sub, mul and the comparisons.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "isa/table/op.h"
#include "sim/code/decode.h"
#include "sim/event/lane_mask.h"

namespace warpsim {

enum class Spread : std::uint8_t { Bits, Sums, Products, Monotone, Compares, All };
// Of a row at its types. Floats spread everywhere, but where they are only moved.
Spread spread_of(const OpInfo& row, Type type, Type type2, const Mods& mods);

// The bits of a register, or of a value in one, that is so wide.
constexpr std::uint64_t low_ones(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }
// What a register has of a value of that type: a byte lies in 16 bits.
constexpr int register_bits_of(Type type) { return bits(type) == 8 ? 16 : bits(type); }

class BitFlow {
 public:
  static constexpr std::size_t kMostSources = 4;
  // An operand on all lanes.
  struct Source {
    std::array<std::uint64_t, kMaxLanes> value, undefined;
    int bits = 0;  // its width
    bool is_signed = false;
    bool names_bits = false;  // a count or a selector
    std::int32_t reg = -1;    // operands of one register are filled alike; -1: of none
  };
  struct Results {
    std::array<std::uint64_t, kMaxLanes> first, second;
  };
  // What the operands in filling() give, for these lanes, in outcome().
  using Evaluate = std::function<void(LaneMask lanes)>;

  // How an instruction spreads, and its operands, in the order of its Src slots; their values and bits are yet to be
  // set.
  void prepare(const DecodedInsn& insn);
  // Fills in the values that a warp's registers hold.
  void read_values(const std::byte* registers, LaneMask lanes);
  // The instruction that was prepared, with its own kernel.
  const Results& run(LaneMask lanes);
  // Something else: of the first `number` operands, results so many bits wide.
  const Results& run(Spread spread, std::size_t number, int result_bits, LaneMask lanes, const Evaluate& evaluate);

  std::array<Source, kMostSources> sources;
  std::size_t count = 0;
  Spread spread() const { return spread_; }
  bool has_second() const { return insn_.dst_pred != kNoOffset; }
  std::uint64_t result_ones() const { return low_ones(result_bits_); }
  const std::array<std::uint64_t, kMaxLanes>& filling(std::size_t source) const { return filling_[source]; }
  Results& outcome() { return outcome_; }

 private:
  enum class Fill : std::uint8_t { Bits, Numbers };
  void run_kernel(LaneMask lanes);
  void fill(Fill how, unsigned high_groups, LaneMask lanes);
  void fill_equal(LaneMask lanes);
  void add_outcome(LaneMask lanes);
  unsigned group_sources(std::size_t number, LaneMask lanes, bool by_register);
  void try_corners(Fill how, unsigned groups, LaneMask lanes, const Evaluate& evaluate);
  void try_products(std::size_t number, LaneMask lanes, const Evaluate& evaluate);
  void close(Spread spread, std::size_t number, std::uint64_t all, LaneMask lanes);

  Spread spread_ = Spread::All;
  DecodedInsn insn_;  // with places in scratch_
  std::array<std::uint32_t, kMostSources> row_offset_{};
  std::array<bool, kMostSources> is_wide_{};
  int result_bits_ = 0;
  std::array<unsigned, kMostSources> group_{};  // by source
  std::size_t filled_ = 0;                      // so many sources
  std::array<std::array<std::uint64_t, kMaxLanes>, kMostSources> filling_{};
  Results outcome_, common_, either_, results_;  // common_: ones in every outcome so far; either_: in some
  // A row of eight bytes a lane for each source and the result, then the two predicates that it can write.
  static constexpr std::size_t kRow = kMaxLanes * 8;
  alignas(64) std::array<std::byte, (kMostSources + 1) * kRow + 3 * 64> scratch_{};
};

}  // namespace warpsim
