// What is known of a row's result beside its form and its lift: the "traits" column of the instruction table.
//
// Shapes: a set, one bit a trait. A shuffle has exactly one of the four that say which lane it reads.
// Units:  lanes.
// Errors: none; op_checks.cpp refuses a row whose traits do not fit its form and lift.
// Source: PTX ISA 9.0, sections 9.7.9.6 "shfl.sync" and 9.7.13.4 "membar, fence".
#pragma once

#include <cstdint>

namespace warpsim {

using TraitSet = std::uint32_t;
inline constexpr TraitSet kPlain = 0;
inline constexpr TraitSet kCopies = 1;         // d is a, bit for bit, in whatever type
inline constexpr TraitSet kSelects = 2;        // d is a or b, bit for bit, as the predicate p says
inline constexpr TraitSet kOverwrites = 4;     // an atomic: the new value does not depend on the old one
inline constexpr TraitSet kIdempotent = 8;     // if a and b are equal, d is the same value: min, max, and, or
inline constexpr TraitSet kOrders = 16;        // orders memory accesses and does nothing else: fences
inline constexpr TraitSet kShifts = 32;        // b is a count, and every count past the width gives the same
inline constexpr TraitSet kBorrows = 64;       // the carry flag is 1 where nothing is borrowed
inline constexpr TraitSet kCounts = 128;       // an atomic that adds or subtracts 1 and wraps at b
inline constexpr TraitSet kApproximate = 256;  // PTX gives a bound, not the bits
inline constexpr TraitSet kFromLane = 512;     // a shuffle from lane b
inline constexpr TraitSet kFromBelow = 1024;   // … from b lanes below
inline constexpr TraitSet kFromAbove = 2048;   // … from b lanes above
inline constexpr TraitSet kSwapped = 4096;     // … from lane ^ b, so that pairs of lanes swap values
// How undefined bits of integer operands spread in d (sim/check/bit_flow.h); a row with none of the four makes all of d
// undefined.
inline constexpr TraitSet kBitwise = 8192;  // a bit of d depends on one bit of each operand at most; counts name which
inline constexpr TraitSet kSums = 16384;    // d is the sum of the operands, each plus or minus, wrapping
inline constexpr TraitSet kProducts = 32768;  // d is a product, or a product and a sum, wrapping
inline constexpr TraitSet kMonotone = 65536;  // d rises or falls with each operand, as numbers, and never wraps
inline constexpr TraitSet kRouted = 131072;   // beside kBitwise: the last operand names the bits
inline constexpr TraitSet kSpreadTraits = kBitwise | kSums | kProducts | kMonotone;
inline constexpr TraitSet kShuffleTraits = kFromLane | kFromBelow | kFromAbove | kSwapped;

// PTX's names of the four shuffles.
enum class ShuffleMode : std::uint8_t { Idx, Up, Down, Bfly };

constexpr ShuffleMode shuffle_mode(TraitSet traits) {
  if ((traits & kFromBelow) != 0) return ShuffleMode::Up;
  if ((traits & kFromAbove) != 0) return ShuffleMode::Down;
  return (traits & kSwapped) != 0 ? ShuffleMode::Bfly : ShuffleMode::Idx;
}

// The lane that a lane asks for by operand b, before the segment and the clamp count; below lane 0 it wraps.
constexpr std::uint64_t lane_asked(ShuffleMode mode, std::uint64_t own, std::uint64_t b) {
  switch (mode) {
    case ShuffleMode::Idx: return b;
    case ShuffleMode::Up: return own - b;
    case ShuffleMode::Down: return own + b;
    case ShuffleMode::Bfly: return own ^ b;
  }
  return b;
}
// The inverse: the operand b by which lane `own` reads lane `from`.
constexpr std::uint64_t operand_for(ShuffleMode mode, std::uint64_t own, std::uint64_t from) {
  switch (mode) {
    case ShuffleMode::Idx: return from;
    case ShuffleMode::Up: return own - from;
    case ShuffleMode::Down: return from - own;
    case ShuffleMode::Bfly: return from ^ own;
  }
  return from;
}

}  // namespace warpsim
