// How far lanes are beyond the first one: see linear_rows.h.
#include <algorithm>
#include <bit>

#include "sim/engine/linear_rows.h"

namespace warpsim::engine {

namespace {

// By lane; modulo 2^32, of lanes of 32 bits. Those that count have a step.
template <class F>
Linear of_lanes(bool wide, unsigned zeros, F&& beyond) {
  Linear::Lanes lanes{};
  bool counts = true;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    const std::uint64_t one = beyond(lane);
    lanes[lane] = wide ? static_cast<std::int64_t>(one) : static_cast<std::int32_t>(one);
    const std::uint64_t counted = static_cast<std::uint64_t>(lanes[1]) * lane;
    if (lane > 1)
      counts =
          counts && lanes[lane] == (wide ? static_cast<std::int64_t>(counted) : static_cast<std::int32_t>(counted));
  }
  Linear made{wide, lanes[1]};
  if (!counts || made.step == Linear::kNoStep)
    made.step = Linear::kNoStep, made.lanes = std::make_shared<const Linear::Lanes>(lanes);
  if (made.step != 0) made.zeros = std::min(zeros, wide ? 64U : 32U);
  return made;
}

std::uint64_t bits_of(const Linear& a, std::size_t lane) { return static_cast<std::uint64_t>(a.beyond(lane)); }

// Whether no lane is so far beyond the first one that a bit of that changes.
bool keeps_first(const Linear& a) {
  return a.zeros < 32 && a.lowest() >= 0 && a.highest() < std::int64_t{1} << a.zeros;
}

}  // namespace

std::int64_t Linear::lowest() const {
  return lanes ? *std::min_element(lanes->begin(), lanes->end()) : std::min<std::int64_t>(0, beyond(31));
}
std::int64_t Linear::highest() const {
  return lanes ? *std::max_element(lanes->begin(), lanes->end()) : std::max<std::int64_t>(0, beyond(31));
}

bool Linear::operator==(const Linear& other) const { return !(*this < other) && !(other < *this); }
bool Linear::operator<(const Linear& other) const {
  if (std::pair(wide, step) != std::pair(other.wide, other.step))
    return std::pair(wide, step) < std::pair(other.wide, other.step);
  return lanes && other.lanes && *lanes < *other.lanes;
}

Linear sum(const Linear& a, const Linear& b, bool subtracts) {
  return of_lanes(a.wide, std::min(a.zeros, b.zeros), [&](std::size_t lane) {
    return subtracts ? bits_of(a, lane) - bits_of(b, lane) : bits_of(a, lane) + bits_of(b, lane);
  });
}

Linear times(const Linear& a, std::uint64_t factor, bool wide) {
  const auto zeros = a.zeros + static_cast<unsigned>(std::countr_zero(factor));
  return of_lanes(wide, zeros, [&](std::size_t lane) { return bits_of(a, lane) * factor; });
}

std::optional<Linear> with_bits(Op op, const Linear& a, std::int64_t literal) {
  if (literal == 0 || !keeps_first(a)) return std::nullopt;
  const std::uint64_t below = (std::uint64_t{1} << a.zeros) - 1, mask = static_cast<std::uint64_t>(literal) & below;
  const unsigned of_mask = mask == 0 ? a.zeros : static_cast<unsigned>(std::countr_zero(mask));
  return of_lanes(a.wide, op == Op::And ? a.zeros : std::min(a.zeros, of_mask), [&](std::size_t lane) {
    const std::uint64_t one = bits_of(a, lane);
    return op == Op::And ? one & mask : op == Op::Or ? (one | mask) - mask : (one ^ mask) - mask;
  });
}

std::optional<Linear> shifted_right(const Linear& a, std::int64_t by) {
  if (a.step == 0) return Linear{a.wide, 0};
  const auto bits = static_cast<unsigned>(by);
  if (!keeps_first(a) || a.zeros < bits) return std::nullopt;
  return of_lanes(a.wide, a.zeros - bits, [&](std::size_t lane) { return bits_of(a, lane) >> bits; });
}

}  // namespace warpsim::engine
