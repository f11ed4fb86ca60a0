// Two loops that compilers do not vectorise by themselves, written for each host instruction set.
//
// Shapes: W lanes, 64-byte aligned rows. Host is a tag that separates the copies of one binary; what is compiled in
//         follows the flags of the translation unit.
// Errors: none.
#pragma once

#include <cstdint>
#if defined(__AVX2__) || defined(__SSE2__)
#include <immintrin.h>
#endif

#include "sim/code/register_file.h"
#include "sim/event/lane_mask.h"

namespace warpsim::host_vector {

// Bit l of the result is truth[l] & 1.
template <class Host, unsigned W>
[[gnu::always_inline]] inline LaneMask pack(const std::uint32_t* truth) {
  LaneMask mask = 0;
#if defined(__AVX512F__)
  for (unsigned l = 0; l < W; l += 16) {
    const __m512i v = _mm512_load_si512(truth + l);
    mask |= static_cast<LaneMask>(_mm512_test_epi32_mask(v, v)) << l;
  }
#elif defined(__AVX2__)
  for (unsigned l = 0; l < W; l += 8) {
    const __m256i v = _mm256_slli_epi32(_mm256_load_si256(reinterpret_cast<const __m256i*>(truth + l)), 31);
    mask |= static_cast<LaneMask>(static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(v)))) << l;
  }
#elif defined(__SSE2__)
  for (unsigned l = 0; l < W; l += 4) {
    const __m128i v = _mm_slli_epi32(_mm_load_si128(reinterpret_cast<const __m128i*>(truth + l)), 31);
    mask |= static_cast<LaneMask>(static_cast<std::uint32_t>(_mm_movemask_ps(_mm_castsi128_ps(v)))) << l;
  }
#else
  for (unsigned l = 0; l < W; ++l) mask |= static_cast<LaneMask>(truth[l] & 1U) << l;
#endif
  return mask;
}

// d[l] = a[from[l]]; d and a may be the same row. Lanes whose from[l] is not below W do not matter.
template <class Host, class T, unsigned W>
[[gnu::always_inline]] inline void permute(Aliased<T>* d, const Aliased<T>* a, const Aliased<std::uint32_t>* from) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4) {
    __m512i in[W / 16], out[W / 16];
    for (unsigned k = 0; k < W / 16; ++k) in[k] = _mm512_load_si512(a + k * 16);
    for (unsigned k = 0; k < W / 16; ++k) {
      const __m512i index = _mm512_load_si512(from + k * 16);
      out[k] = _mm512_permutex2var_epi32(in[0], index, in[1]);
      if constexpr (W == 64) {
        const __mmask16 upper = _mm512_test_epi32_mask(index, _mm512_set1_epi32(32));
        out[k] = _mm512_mask_blend_epi32(upper, out[k], _mm512_permutex2var_epi32(in[2], index, in[3]));
      }
    }
    for (unsigned k = 0; k < W / 16; ++k) _mm512_store_si512(d + k * 16, out[k]);
    return;
  }
#elif defined(__AVX2__)
  if constexpr (sizeof(T) == 4) {
    __m256i in[W / 8], out[W / 8];
    for (unsigned k = 0; k < W / 8; ++k) in[k] = _mm256_load_si256(reinterpret_cast<const __m256i*>(a + k * 8));
    for (unsigned k = 0; k < W / 8; ++k) {
      const __m256i index = _mm256_load_si256(reinterpret_cast<const __m256i*>(from + k * 8));
      const __m256i part = _mm256_srli_epi32(index, 3);
      out[k] = _mm256_permutevar8x32_epi32(in[0], index);
      for (unsigned s = 1; s < W / 8; ++s) {
        const __m256i here = _mm256_cmpeq_epi32(part, _mm256_set1_epi32(static_cast<int>(s)));
        out[k] = _mm256_blendv_epi8(out[k], _mm256_permutevar8x32_epi32(in[s], index), here);
      }
    }
    for (unsigned k = 0; k < W / 8; ++k) _mm256_store_si256(reinterpret_cast<__m256i*>(d + k * 8), out[k]);
    return;
  }
#endif
  alignas(64) T copy[W];
  for (unsigned l = 0; l < W; ++l) copy[l] = a[l];
  for (unsigned l = 0; l < W; ++l) d[l] = copy[from[l] & (W - 1)];
}

}  // namespace warpsim::host_vector
