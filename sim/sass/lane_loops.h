// Loops over the lanes of a warp: a function of the lane for each that acts.
//
// Shapes: all lanes are computed, which vectorises; those that do not act keep what they have.
// Errors: none.
#pragma once

#include "sim/code/host_vector.h"
#include "sim/code/lift.h"
#include "sim/sass/code_state.h"

namespace warpsim::sass {

struct PlainHost;  // what every host has

// d[l] = t[l] where the lane acts.
[[gnu::always_inline]] inline void blend(Row* d, const std::uint32_t* t, Lanes mask) {
  alignas(64) static constexpr auto kBits = [] {
    std::array<std::uint32_t, kLanes> bits{};
    for (unsigned l = 0; l < kLanes; ++l) bits[l] = 1U << l;
    return bits;
  }();
  lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
    const std::uint32_t acts = (mask & kBits[l]) == kBits[l] ? ~0U : 0U;
    d[l] = (t[l] & acts) | (d[l] & ~acts);
  });
}

template <class F>
[[gnu::always_inline]] inline void each_word(const Exec& x, std::uint32_t destination, F f) {
  Row* const d = x.row(destination);
  if (x.mask == kAllLanes) {
    lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) { d[l] = f(l); });
    return;
  }
  alignas(64) std::uint32_t t[kLanes];
  lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) { t[l] = f(l); });
  blend(d, t, x.mask);
}

// Of 64 bits: the row and the next one.
template <class F>
[[gnu::always_inline]] inline void each_pair(const Exec& x, std::uint32_t destination, F f) {
  alignas(64) std::uint32_t low[kLanes], high[kLanes];
  lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) {
    const std::uint64_t value = f(l);
    low[l] = static_cast<std::uint32_t>(value);
    high[l] = static_cast<std::uint32_t>(value >> 32);
  });
  blend(x.row(destination), low, x.mask);
  blend(x.row(destination + kRowBytes), high, x.mask);
}

// The lanes for which f is true, whether they act or not.
template <class Host = PlainHost, class F>
[[gnu::always_inline]] inline Lanes lanes_where(F f) {
  alignas(64) std::uint32_t truth[kLanes];
  lift::each_lane<kLanes>([&](unsigned l) __attribute__((always_inline)) { truth[l] = f(l) ? 1U : 0U; });
  return static_cast<Lanes>(host_vector::pack<Host, kLanes>(truth));
}

[[gnu::always_inline]] inline std::uint64_t pair_at(const Row* low, unsigned l) {
  return std::uint64_t{low[l + kLanes]} << 32 | low[l];
}

[[gnu::always_inline]] inline Lanes combined(BoolOp how, Lanes a, Lanes b) {
  return how == BoolOp::Or ? a | b : how == BoolOp::Xor ? a ^ b : a & b;
}

// A comparison's two predicates: its truth and its opposite, each combined with a third.
[[gnu::always_inline]] inline void write_combined(const Exec& x, const CodeOp& op, Lanes truth) {
  const Lanes p = x.read(op.p);
  const Lanes yes = combined(op.mods.boolean, truth, p), no = combined(op.mods.boolean, ~truth, p);
  x.write(op.pd, yes);
  x.write(op.pe, no);
}

[[gnu::always_inline]] inline std::uint32_t with_signs(std::uint32_t bits, Signs s) { return (bits & s.keep) ^ s.flip; }
// Of 64 bits. A NaN is not touched by a sign.
[[gnu::always_inline]] inline double wide_float(const Row* row, unsigned l, Signs s) {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63, kInfinity = std::uint64_t{0x7ff} << 52;
  const std::uint64_t bits = pair_at(row, l);
  const std::uint64_t changed = (s.keep != ~0U ? bits & ~kSign : bits) ^ (s.flip != 0 ? kSign : 0);
  return __builtin_bit_cast(double, (bits & ~kSign) > kInfinity ? bits : changed);
}

// One lane after the other, those that act: for what is not worth a vector.
template <class F>
void each_acting(const Exec& x, std::uint32_t destination, F f) {
  Row* const d = x.row(destination);
  for_lanes(x.mask, [&](unsigned l) { d[l] = f(l); });
}

}  // namespace warpsim::sass
