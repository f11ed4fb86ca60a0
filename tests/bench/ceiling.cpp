#include "tests/bench/ceiling.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace warpsim {
#if defined(__x86_64__)
namespace {

constexpr std::size_t kSideBySide = 4;  // warps whose values fit into the registers together

// Loops over arrays of registers, so that the compiler unrolls them.
#define EACH(count) _Pragma("GCC unroll 16") for (std::size_t r = 0; r < (count); ++r)

// 32 lanes are two 512-bit registers: xor 16 exchanges them, the rest stays inside each. So many warps at once.
template <std::size_t kWarps>
__attribute__((target("avx512f"))) void ceiling_avx512(const std::uint32_t* in, std::uint32_t* out,
                                                       unsigned iterations) {
  constexpr std::size_t kRegisters = 2 * kWarps;
  __m512i c[kRegisters], v[kRegisters];
  EACH(kRegisters) {
    c[r] = _mm512_loadu_si512(in + r * 16);
    v[r] = _mm512_setzero_si512();
  }
  for (unsigned k = 0; k < iterations; ++k) {
    EACH(kRegisters) v[r] = _mm512_add_epi32(v[r], c[r]);
    EACH(kWarps) v[2 * r] = v[2 * r + 1] = _mm512_max_epu32(v[2 * r], v[2 * r + 1]);
    EACH(kRegisters) v[r] = _mm512_max_epu32(v[r], _mm512_shuffle_i64x2(v[r], v[r], 0x4e));
    EACH(kRegisters) v[r] = _mm512_max_epu32(v[r], _mm512_shuffle_i64x2(v[r], v[r], 0xb1));
    EACH(kRegisters) v[r] = _mm512_max_epu32(v[r], _mm512_shuffle_epi32(v[r], static_cast<_MM_PERM_ENUM>(0x4e)));
    EACH(kRegisters) v[r] = _mm512_max_epu32(v[r], _mm512_shuffle_epi32(v[r], static_cast<_MM_PERM_ENUM>(0xb1)));
  }
  EACH(kRegisters) _mm512_storeu_si512(out + r * 16, v[r]);
}

// 32 lanes are four 256-bit registers: xor 16 and xor 8 exchange whole ones.
template <std::size_t kWarps>
__attribute__((target("avx2"))) void ceiling_avx2(const std::uint32_t* in, std::uint32_t* out, unsigned iterations) {
  constexpr std::size_t kRegisters = 4 * kWarps;
  __m256i c[kRegisters], v[kRegisters];
  EACH(kRegisters) {
    c[r] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + r * 8));
    v[r] = _mm256_setzero_si256();
  }
  for (unsigned k = 0; k < iterations; ++k) {
    EACH(kRegisters) v[r] = _mm256_add_epi32(v[r], c[r]);
    EACH(kRegisters / 2) {
      const std::size_t one = r / 2 * 4 + r % 2;
      v[one] = v[one + 2] = _mm256_max_epu32(v[one], v[one + 2]);
    }
    EACH(kRegisters / 2) v[2 * r] = v[2 * r + 1] = _mm256_max_epu32(v[2 * r], v[2 * r + 1]);
    EACH(kRegisters) v[r] = _mm256_max_epu32(v[r], _mm256_permute2x128_si256(v[r], v[r], 1));
    EACH(kRegisters) v[r] = _mm256_max_epu32(v[r], _mm256_shuffle_epi32(v[r], 0x4e));
    EACH(kRegisters) v[r] = _mm256_max_epu32(v[r], _mm256_shuffle_epi32(v[r], 0xb1));
  }
  EACH(kRegisters) _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + r * 8), v[r]);
}
#undef EACH

template <std::size_t kWarps>
void ceiling_of(const std::uint32_t* in, std::uint32_t* out, std::size_t warps, unsigned iterations) {
  const bool is_wide = __builtin_cpu_supports("avx512f");
  for (std::size_t w = 0; w < warps; w += kWarps)
    is_wide ? ceiling_avx512<kWarps>(in + w * 32, out + w * 32, iterations)
            : ceiling_avx2<kWarps>(in + w * 32, out + w * 32, iterations);
}

}  // namespace

std::string_view ceiling_isa() {
  return __builtin_cpu_supports("avx512f") ? "avx512" : __builtin_cpu_supports("avx2") ? "avx2" : "none";
}
void ceiling(const std::uint32_t* in, std::uint32_t* out, std::size_t warps, unsigned iterations, bool side_by_side) {
  if (ceiling_isa() == "none") return;
  if (side_by_side && warps % kSideBySide == 0) ceiling_of<kSideBySide>(in, out, warps, iterations);
  else ceiling_of<1>(in, out, warps, iterations);
}
#else
std::string_view ceiling_isa() { return "none"; }
void ceiling(const std::uint32_t*, std::uint32_t*, std::size_t, unsigned, bool) {}
#endif
}  // namespace warpsim
