// Words side by side, as wide as the host's vectors, for the kernels that take them (isa/kernels/mufu.h).
//
// Shapes: HostWords are 16 words with AVX-512, 8 with AVX2, and elsewhere one.
// Errors: none: a place in a table is known to be inside it.
#pragma once

#include <cstddef>
#include <cstdint>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "isa/kernels/mufu.h"
#include "sim/event/lane_mask.h"

namespace warpsim {

#if defined(__AVX2__)
#if defined(__AVX512F__)
inline constexpr int kHostWordBytes = 64;
#else
inline constexpr int kHostWordBytes = 32;
#endif
typedef std::uint32_t HostWords __attribute__((vector_size(kHostWordBytes)));
typedef std::int32_t HostSigned __attribute__((vector_size(kHostWordBytes)));
typedef float HostFloats __attribute__((vector_size(kHostWordBytes)));

template <>
struct mufu::Words<HostWords> {
  using Signed = HostSigned;
  using Float = HostFloats;
  template <std::size_t N>
  [[gnu::always_inline]] static Signed at(const std::int32_t (&table)[N], HostWords k) {
#if defined(__AVX512F__)
    // Two registers of a table at a time, which is faster than a gather.
    static_assert(N == 64 || N == 128);
    const __m512i place = (__m512i)k;
    const auto of_pair = [&](std::size_t first) __attribute__((always_inline)) {
      return _mm512_permutex2var_epi32(_mm512_loadu_si512(table + first), place,
                                       _mm512_loadu_si512(table + first + 16));
    };
    const auto of_half = [&](std::size_t first) __attribute__((always_inline)) {
      const __mmask16 upper = _mm512_test_epi32_mask(place, _mm512_set1_epi32(32));
      return _mm512_mask_blend_epi32(upper, of_pair(first), of_pair(first + 32));
    };
    if constexpr (N == 64) return (Signed)of_half(0);
    const __mmask16 upper = _mm512_test_epi32_mask(place, _mm512_set1_epi32(64));
    return (Signed)_mm512_mask_blend_epi32(upper, of_half(0), of_half(N - 64));
#else
    return (Signed)_mm256_i32gather_epi32(table, (__m256i)k, sizeof *table);
#endif
  }
  [[gnu::always_inline]] static Float converted(Signed x) { return __builtin_convertvector(x, Float); }
};
#else
inline constexpr int kHostWordBytes = 4;
using HostWords = mufu::Word;
#endif

inline constexpr unsigned kHostWords = kHostWordBytes / 4;

// Not 0 where a lane is in the set, of the first kHostWords lanes.
[[gnu::always_inline]] inline HostWords words_of_lanes(LaneMask lanes) {
  std::uint32_t bit[kHostWords];
  for (unsigned l = 0; l < kHostWords; ++l) bit[l] = 1U << l;
  return mufu::of_all<HostWords>(static_cast<std::uint32_t>(lanes)) & __builtin_bit_cast(HostWords, bit);
}

}  // namespace warpsim
