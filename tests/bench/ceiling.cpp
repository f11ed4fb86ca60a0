#include "tests/bench/ceiling.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpsim {
#if defined(__x86_64__)
namespace {

// 32 lanes are two 512-bit registers: xor 16 exchanges them, the rest stays inside each.
__attribute__((target("avx512f"))) void ceiling_avx512(const std::uint32_t* in, std::uint32_t* out, std::size_t warps,
                                                       unsigned iterations) {
  for (std::size_t w = 0; w < warps; ++w) {
    const __m512i c0 = _mm512_loadu_si512(in + w * 32), c1 = _mm512_loadu_si512(in + w * 32 + 16);
    __m512i v0 = _mm512_setzero_si512(), v1 = v0;
    for (unsigned k = 0; k < iterations; ++k) {
      v0 = _mm512_add_epi32(v0, c0);
      v1 = _mm512_add_epi32(v1, c1);
      v0 = v1 = _mm512_max_epu32(v0, v1);
      v0 = _mm512_max_epu32(v0, _mm512_shuffle_i64x2(v0, v0, 0x4e));
      v1 = _mm512_max_epu32(v1, _mm512_shuffle_i64x2(v1, v1, 0x4e));
      v0 = _mm512_max_epu32(v0, _mm512_shuffle_i64x2(v0, v0, 0xb1));
      v1 = _mm512_max_epu32(v1, _mm512_shuffle_i64x2(v1, v1, 0xb1));
      v0 = _mm512_max_epu32(v0, _mm512_shuffle_epi32(v0, static_cast<_MM_PERM_ENUM>(0x4e)));
      v1 = _mm512_max_epu32(v1, _mm512_shuffle_epi32(v1, static_cast<_MM_PERM_ENUM>(0x4e)));
      v0 = _mm512_max_epu32(v0, _mm512_shuffle_epi32(v0, static_cast<_MM_PERM_ENUM>(0xb1)));
      v1 = _mm512_max_epu32(v1, _mm512_shuffle_epi32(v1, static_cast<_MM_PERM_ENUM>(0xb1)));
    }
    _mm512_storeu_si512(out + w * 32, v0);
    _mm512_storeu_si512(out + w * 32 + 16, v1);
  }
}

// 32 lanes are four 256-bit registers: xor 16 and xor 8 exchange whole ones.
__attribute__((target("avx2"))) void ceiling_avx2(const std::uint32_t* in, std::uint32_t* out, std::size_t warps,
                                                  unsigned iterations) {
  for (std::size_t w = 0; w < warps; ++w) {
    __m256i c[4], v[4];
    for (int r = 0; r < 4; ++r) {
      c[r] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + w * 32 + r * 8));
      v[r] = _mm256_setzero_si256();
    }
    for (unsigned k = 0; k < iterations; ++k) {
      for (int r = 0; r < 4; ++r) v[r] = _mm256_add_epi32(v[r], c[r]);
      v[0] = v[2] = _mm256_max_epu32(v[0], v[2]);
      v[1] = v[3] = _mm256_max_epu32(v[1], v[3]);
      v[0] = v[1] = _mm256_max_epu32(v[0], v[1]);
      v[2] = v[3] = _mm256_max_epu32(v[2], v[3]);
      for (int r = 0; r < 4; ++r) v[r] = _mm256_max_epu32(v[r], _mm256_permute2x128_si256(v[r], v[r], 1));
      for (int r = 0; r < 4; ++r) v[r] = _mm256_max_epu32(v[r], _mm256_shuffle_epi32(v[r], 0x4e));
      for (int r = 0; r < 4; ++r) v[r] = _mm256_max_epu32(v[r], _mm256_shuffle_epi32(v[r], 0xb1));
    }
    for (int r = 0; r < 4; ++r) _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + w * 32 + r * 8), v[r]);
  }
}

}  // namespace

std::string_view ceiling_isa() {
  return __builtin_cpu_supports("avx512f") ? "avx512" : __builtin_cpu_supports("avx2") ? "avx2" : "none";
}
void ceiling(const std::uint32_t* in, std::uint32_t* out, std::size_t warps, unsigned iterations) {
  if (__builtin_cpu_supports("avx512f")) ceiling_avx512(in, out, warps, iterations);
  else if (__builtin_cpu_supports("avx2")) ceiling_avx2(in, out, warps, iterations);
}
#else
std::string_view ceiling_isa() { return "none"; }
void ceiling(const std::uint32_t*, std::uint32_t*, std::size_t, unsigned) {}
#endif
}  // namespace warpsim
