// Scalar meanings over sets of lanes, over memory and over a block: matches, atomics, reductions at a barrier.
//
// Shapes: a match sees the set of lanes that hold the same value as its own; an atomic the value in memory and its
//         operands, as bits zero-extended, and gives what memory holds next; a barrier's reduction two counts.
// Units:  none.
// Errors: none.
// Source: PTX ISA 9.0, sections 9.7.13.5 (atom), 9.7.13.6 (red), 9.7.13.10 (match.sync), 9.7.13.1 (bar.red). The float
//         sums are the H200's: global memory flushes f32 subnormals, shared memory keeps them
//         (tests/data/h200_semantics.txt.xz: atom, atom.add.f64).
#pragma once

#include <cstdint>

#include "isa/kernels/softfloat.h"
#include "isa/table/op.h"
#include "isa/table/type.h"

namespace warpsim::kernels {

// ---- matches
struct MatchAnyOf {
  static constexpr std::uint64_t of(std::uint64_t same_lanes, std::uint64_t members) { return same_lanes & members; }
};
struct MatchAllOf {
  static constexpr std::uint64_t of(std::uint64_t same_lanes, std::uint64_t members) {
    return (members & ~same_lanes) == 0 ? members : 0;
  }
};

// ---- atomics: what memory holds next
struct AtomicOperands {
  Type type;
  std::uint64_t old, b, c;
};

namespace detail {
constexpr std::uint64_t low_bits(std::uint64_t x, Type type) { return bits(type) >= 64 ? x : x & 0xffffffffU; }
// Signed numbers order like unsigned ones once their sign bit is inverted.
constexpr bool is_less(Type type, std::uint64_t x, std::uint64_t y) {
  const std::uint64_t sign = is_signed(type) ? std::uint64_t{1} << (bits(type) - 1) : 0;
  return (x ^ sign) < (y ^ sign);
}
// In shared memory a sum of floats is the one that add gives for b and what was there, in this order. The unit at
// global memory flushes f32 and hands a f64 NaN on as it is, b's before the one in memory (H200).
constexpr std::uint64_t sum(const AtomicOperands& o, bool global) {
  Mods mods;
  mods.round = Round::Rn;
  mods.ftz = global && o.type == Type::F32;
  if (o.type == Type::F32) return softfloat::add(softfloat::kSingle, o.old, o.b, mods);
  if (o.type == Type::F64) {
    if (global && softfloat::is_nan(softfloat::kDouble, o.b)) return o.b;
    if (global && softfloat::is_nan(softfloat::kDouble, o.old)) return o.old;
    return softfloat::add(softfloat::kDouble, o.b, o.old, mods);
  }
  return low_bits(o.old + o.b, o.type);
}
}  // namespace detail

// clang-format off
struct AtomAddShared { static constexpr std::uint64_t of(const AtomicOperands& o) { return detail::sum(o, false); } };
struct AtomAddGlobal { static constexpr std::uint64_t of(const AtomicOperands& o) { return detail::sum(o, true); } };
struct AtomMin  { static constexpr std::uint64_t of(const AtomicOperands& o) { return detail::is_less(o.type, o.b, o.old) ? o.b : o.old; } };
struct AtomMax  { static constexpr std::uint64_t of(const AtomicOperands& o) { return detail::is_less(o.type, o.old, o.b) ? o.b : o.old; } };
struct AtomAnd  { static constexpr std::uint64_t of(const AtomicOperands& o) { return o.old & o.b; } };
struct AtomOr   { static constexpr std::uint64_t of(const AtomicOperands& o) { return o.old | o.b; } };
struct AtomXor  { static constexpr std::uint64_t of(const AtomicOperands& o) { return o.old ^ o.b; } };
struct AtomInc  { static constexpr std::uint64_t of(const AtomicOperands& o) { return o.old >= o.b ? 0 : o.old + 1; } };
struct AtomDec  { static constexpr std::uint64_t of(const AtomicOperands& o) { return o.old == 0 || o.old > o.b ? o.b : o.old - 1; } };
struct AtomExch { static constexpr std::uint64_t of(const AtomicOperands& o) { return o.b; } };
struct AtomCas  { static constexpr std::uint64_t of(const AtomicOperands& o) { return o.old == o.b ? o.c : o.old; } };

// ---- mbarrier: what the word holds next, and whether a wait is over
// PTX leaves the word's bits open; here: the arrivals that the phase still lacks, how many each phase has, and the
// number of the phase, from the lowest bits.
struct MbarrierWord {
  static constexpr unsigned kCountBits = 20;  // counts up to 2^20 - 1 (PTX ISA 9.0, "Contents of the mbarrier object")
  static constexpr std::uint64_t kMostCount = (std::uint64_t{1} << kCountBits) - 1;
  std::uint64_t missing, count, phase;
  static constexpr MbarrierWord of(std::uint64_t word) {
    return {word & kMostCount, word >> kCountBits & kMostCount, word >> 2 * kCountBits};
  }
  constexpr std::uint64_t bits() const { return missing | count << kCountBits | phase << 2 * kCountBits; }
  constexpr MbarrierWord after(std::uint64_t arrivals) const {
    if (arrivals < missing) return {missing - arrivals, count, phase};
    return {count, count, (phase + 1) & (~std::uint64_t{0} >> 2 * kCountBits)};
  }
};
struct MbarrierInit {
  static constexpr std::uint64_t of(std::uint64_t, std::uint64_t count) {
    return MbarrierWord{count & MbarrierWord::kMostCount, count & MbarrierWord::kMostCount, 0}.bits();
  }
};
struct MbarrierInval {
  static constexpr std::uint64_t of(std::uint64_t, std::uint64_t) { return 0; }
};
struct MbarrierArrive {
  static constexpr std::uint64_t of(std::uint64_t word, std::uint64_t count) {
    return MbarrierWord::of(word).after(count).bits();
  }
};
struct MbarrierArriveDrop {
  static constexpr std::uint64_t of(std::uint64_t word, std::uint64_t count) {
    MbarrierWord w = MbarrierWord::of(word);
    w.count -= count < w.count ? count : w.count;
    return w.after(count).bits();
  }
};
// 1: the phase that the state is of, or has the parity, is over.
struct MbarrierTestState {
  static constexpr std::uint64_t of(std::uint64_t word, std::uint64_t state) {
    return MbarrierWord::of(word).phase != MbarrierWord::of(state).phase ? 1 : 0;
  }
};
struct MbarrierTestParity {
  static constexpr std::uint64_t of(std::uint64_t word, std::uint64_t parity) {
    return (MbarrierWord::of(word).phase & 1) != (parity & 1) ? 1 : 0;
  }
};

// ---- reductions at a barrier: of the threads that have arrived, how many there are and how many have a true predicate
struct CountTrue { static constexpr std::uint64_t of(std::uint64_t trues, std::uint64_t) { return trues; } };
struct AllTrue   { static constexpr std::uint64_t of(std::uint64_t trues, std::uint64_t threads) { return trues == threads ? 1 : 0; } };
struct AnyTrue   { static constexpr std::uint64_t of(std::uint64_t trues, std::uint64_t) { return trues != 0 ? 1 : 0; } };
// clang-format on

}  // namespace warpsim::kernels
