// Where the lanes of a load or a store go, and what moves there: loops over lanes, for accesses that nothing watches.
//
// Shapes: addresses by lane; at lanes that do not act stands the address of one that does. `step` is the difference
//         from each lane to the next where all lanes act and it is the same for all.
// Units:  bytes.
// Errors: none: that the bytes are there is for the caller to know.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sim/code/decode.h"
#include "sim/code/lift.h"

namespace warpsim {

struct LaneSpan {
  std::uint64_t first = 0, last = 0;  // the lowest and the highest address
  std::uint64_t set_bits = 0;         // its lowest is the lowest that some address has
  std::uint64_t step = 0;
  bool has_step = false;
};

namespace lift {

template <class Host, unsigned W>
struct AccessLift {
  template <class Index>
  [[gnu::always_inline]] static void form(const std::byte* r, const DecodedInsn& d, std::uint64_t* address) {
    const Aliased<Index>* const index = row<Index>(r, d.index);
    const std::uint64_t scale = d.scale, base = d.beyond_index();
    each_lane<W>([&](unsigned l) __attribute__((always_inline)) {
      address[l] = base + static_cast<std::uint64_t>(std::int64_t{static_cast<std::int64_t>(index[l])}) * scale;
    });
  }

  [[gnu::always_inline]] static void form_short(const std::byte* r, const DecodedInsn& d, std::uint64_t* address) {
    const Aliased<std::uint32_t>* const index = row<std::uint32_t>(r, d.index);
    const std::uint64_t bias = static_cast<std::uint64_t>(d.index_bias), base = d.base;
    each_lane<W>([&](unsigned l) __attribute__((always_inline)) {
      address[l] = base + static_cast<std::uint32_t>(index[l] + bias);
    });
  }

  static LaneSpan span(const std::byte* r, const DecodedInsn& d, LaneMask active, std::uint64_t* address) {
    if (d.index == kNoOffset) {
      const std::uint64_t one = d.beyond_index();
      each_lane<W>([&](unsigned l) __attribute__((always_inline)) { address[l] = one; });
      return {one, one, one, 0, true};
    }
    // A 32-bit index into an array is signed; a 32-bit pointer into shared memory is not, and wraps with its offset.
    if (d.index_wide) form<std::uint64_t>(r, d, address);
    else if (d.object < 0) form_short(r, d, address);
    else form<std::int32_t>(r, d, address);
    const std::uint64_t some = address[first_lane(active)];
    if (active != full_mask(W))
      each_lane<W>([&](unsigned l)
                       __attribute__((always_inline)) { address[l] = has_lane(active, l) ? address[l] : some; });
    LaneSpan span{some, some, 0, address[1] - address[0], false};
    std::uint64_t differs = 0;
    const std::uint64_t lane_0 = address[0];
    for (unsigned l = 1; l < W; ++l) differs |= address[l] ^ (lane_0 + l * span.step);
    span.has_step = differs == 0;
    if (span.has_step && span.step < (std::uint64_t{1} << 32) && lane_0 <= address[W - 1]) {
      span.first = lane_0;
      span.last = address[W - 1];
      span.set_bits = lane_0 | span.step;
      return span;
    }
    for (unsigned l = 0; l < W; ++l) {
      span.first = address[l] < span.first ? address[l] : span.first;
      span.last = address[l] > span.last ? address[l] : span.last;
      span.set_bits |= address[l];
    }
    return span;
  }

  // `bytes`: where the bytes of address `span.first` are.
  template <class M>
  static void load(std::byte* r, const DecodedInsn& d, const std::byte* bytes, const LaneSpan& span,
                   const std::uint64_t* address, LaneMask active) {
    using R = std::conditional_t<sizeof(M) == 8, std::uint64_t, std::uint32_t>;
    const auto widened = [](M value) __attribute__((always_inline)) {
      if constexpr (std::is_same_v<M, std::int8_t>) return R{static_cast<std::uint16_t>(std::int16_t{value})};
      else return static_cast<R>(value);
    };
    const auto at = [](const std::byte* from) __attribute__((always_inline)) {
      M value;
      std::memcpy(&value, from, sizeof value);
      return value;
    };
    const unsigned elements = d.elements == 0 ? 1 : d.elements;
    for (unsigned k = 0; k < elements; ++k, bytes += sizeof(M)) {
      const std::uint32_t to = d.elements == 0 ? d.dst : d.element[k];
      if (to == kNoOffset) continue;
      Aliased<R>* const dst = row<R>(r, to);
      if (active != full_mask(W)) {
        for_each_lane(active, [&](unsigned l) { dst[l] = widened(at(bytes + (address[l] - span.first))); });
      } else if (span.has_step && span.step == 0) {
        const R value = widened(at(bytes));
        each_lane<W>([&](unsigned l) __attribute__((always_inline)) { dst[l] = value; });
      } else if (span.has_step && span.step == sizeof(M)) {
        each_lane<W>([&](unsigned l) __attribute__((always_inline)) { dst[l] = widened(at(bytes + l * sizeof(M))); });
      } else {
        each_lane<W>([&](unsigned l)
                         __attribute__((always_inline)) { dst[l] = widened(at(bytes + (address[l] - span.first))); });
      }
    }
  }

  // Of several stores to one address the last lane's stays.
  template <class M>
  static void store(std::byte* r, const DecodedInsn& d, std::byte* bytes, const LaneSpan& span,
                    const std::uint64_t* address, LaneMask active) {
    using R = std::conditional_t<sizeof(M) == 8, std::uint64_t, std::uint32_t>;
    const unsigned elements = d.elements == 0 ? 1 : d.elements;
    for (unsigned k = 0; k < elements; ++k, bytes += sizeof(M)) {
      const Aliased<R>* const src = row<R>(static_cast<const std::byte*>(r), d.elements == 0 ? d.a : d.element[k]);
      const auto put = [src](std::byte * to, unsigned l) __attribute__((always_inline)) {
        const M value = static_cast<M>(src[l]);
        std::memcpy(to, &value, sizeof value);
      };
      if (active != full_mask(W)) {
        for_each_lane(active, [&](unsigned l) { put(bytes + (address[l] - span.first), l); });
      } else if (span.has_step && span.step == sizeof(M)) {
        each_lane<W>([&](unsigned l) __attribute__((always_inline)) { put(bytes + l * sizeof(M), l); });
      } else {
        for (unsigned l = 0; l < W; ++l) put(bytes + (address[l] - span.first), l);
      }
    }
  }
};

}  // namespace lift
}  // namespace warpsim
