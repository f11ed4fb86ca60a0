// rsqrt.approx.f32 of positive normal numbers, as isa/kernels/mufu.h computes it; see translator.h. Where a lane has
// another operand the interpreter's own loop computes all.
#include "isa/kernels/mufu.h"
#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Zmm;

namespace {
constexpr std::uint8_t kNotBelow = 5;  // of vpcmpud

}  // namespace

// Of two nibbles the products of bits that mufu::squared adds, a nibble for each value of the second's upper three.
std::uint32_t Translator::pairs_of(std::uint32_t first) {
  std::uint32_t sums = 0;
  for (std::uint32_t second = 0; second < 8; ++second)
    for (int i = 1; i < 4; ++i)
      for (int j = 1; j < 4; ++j)
        if (i + j >= 4) sums += (first >> i & second >> (j - 1) & 1) << (i + j - 4) << 4 * second;
  return sums;
}

void Translator::emit_segments() {
  if (!uses_segments_) return;
  align(64);
  L(rsqrt_a_);
  for (const std::int32_t a : mufu::kRsqrtSegments.a) dd(static_cast<std::uint32_t>(a));
  L(rsqrt_b_and_c_);
  for (const std::int32_t both : mufu::kRsqrtSegments.b_and_c) dd(static_cast<std::uint32_t>(both));
  L(pairs_);
  for (std::uint32_t k = 0; k < 16; ++k) dd(pairs_of(k));
  L(approximate_);
  for (const std::uint32_t one : {0x7f000000U, 0x00ffffffU, 0x1ffffU, 64U, 15U, 28U, 0x7fffU, 0x01000000U, 0x5e800000U})
    dd(one);
}

// A word of a table of 128 by k, zmm4. k1, k2: where k has 32 and 64 in it. Changes zmm6 and zmm7.
void Translator::look_up(const Zmm& to, Xbyak::Label& table) {
  const auto pair = [&](const Zmm& part, int first) {
    vmovdqa64(part, ptr[rip + table + first * 4]);
    vpermt2d(part, zmm4, ptr[rip + table + (first + 16) * 4]);
  };
  pair(to, 0);
  pair(zmm7, 32);
  vmovdqa32(to | k1, zmm7);
  pair(zmm6, 64);
  pair(zmm7, 96);
  vmovdqa32(zmm6 | k1, zmm7);
  vmovdqa32(to | k2, zmm6);
}

// zmm4 = mufu::squared(x), which is zmm2: squares of the upper eight bits, products of nibbles, and two tables of what
// remains. Changes zmm6 and zmm7.
void Translator::emit_square(const Zmm& other) {
  vpsrld(zmm4, zmm2, 9);
  vpmaddwd(zmm4, zmm4, zmm4);
  vpsrld(zmm4, zmm4, 1);
  vpsrld(zmm6, zmm2, 13);
  vpsrld(zmm7, zmm2, 5);
  vpandd(zmm7, zmm7, approximate(4));
  vpmaddwd(other, zmm6, zmm7);
  vpaddd(zmm4, zmm4, other);
  vpermd(zmm6, zmm6, ptr[rip + pairs_]);
  vpandd(other, zmm2, approximate(5));
  vpsrlvd(zmm6, zmm6, other);
  vpandd(zmm6, zmm6, approximate(4));
  vpaddd(zmm4, zmm4, zmm6);
  vpermd(zmm7, zmm7, ptr[rip + pairs_]);
  vpsrld(other, zmm2, 8);
  vpandd(other, other, approximate(5));
  vpsrlvd(zmm7, zmm7, other);
  vpandd(zmm7, zmm7, approximate(4));
  vpaddd(zmm4, zmm4, zmm7);
}

Xbyak::Address Translator::approximate(int index) { return ptr_b[rip + approximate_ + index * 4]; }

bool Translator::emit_rsqrt(const DecodedInsn& d) {
  uses_segments_ = true;
  load_masks(d, false);
  const Zmm values[2] = {zmm0, zmm1};
  for (unsigned n = 0; n < 2; ++n) emit_rsqrt_of_line(values[n], d.a + n * 64, Opmask(static_cast<int>(6 + n)));
  korw(k1, k6, k7);
  take_or_call(d, values, 2, false);
  return true;
}

void Translator::emit_rsqrt_of_line(const Zmm& value, std::uint32_t line, const Opmask& is_other) {
  rows_.begin_instruction();
  const Zmm a = rows_.read(line), other = rows_.fresh();
  vpsubd(zmm2, a, ptr_b[rip + smallest_normal_]);
  vpcmpud(is_other, zmm2, approximate(0), kNotBelow);
  vpaddd(zmm3, a, ptr_b[rip + smallest_normal_]);
  vpsrld(zmm3, zmm3, 24);
  vpslld(zmm3, zmm3, 23);  // half the exponent
  vpandd(zmm2, a, approximate(1));
  vpxord(zmm2, zmm2, ptr_b[rip + smallest_normal_]);  // the exponent's parity, and the fraction
  vpsrld(zmm4, zmm2, 17);
  vptestmd(k1, zmm4, ptr_b[rip + width_]);
  vptestmd(k2, zmm4, approximate(3));
  look_up(value, rsqrt_a_);
  look_up(zmm5, rsqrt_b_and_c_);
  vptestnmd(k1, zmm2, zmm2);  // a power of 4
  vpandd(zmm2, zmm2, approximate(2));
  emit_square(other);
  vpsrad(zmm6, zmm5, mufu::kBitsOfB);  // C
  vpslld(zmm4, zmm4, 2);
  vpmulld(zmm4, zmm4, zmm6);
  vpslld(zmm5, zmm5, 32 - mufu::kBitsOfB);
  vpsrad(zmm5, zmm5, 32 - mufu::kBitsOfB);  // B
  vpandd(zmm6, zmm2, ptr_b[rip + low_byte_]);
  vpmulld(zmm6, zmm6, zmm5);
  vpaddd(zmm4, zmm4, zmm6);
  vpaddd(zmm4, zmm4, approximate(6));
  vpsrad(zmm4, zmm4, 8);
  vpsrld(zmm2, zmm2, 8);
  vpmulld(zmm2, zmm2, zmm5);
  vpaddd(zmm4, zmm4, zmm2);
  vpsrad(zmm4, zmm4, 6);
  vpaddd(value, value, zmm4);
  vpsrad(value, value, 2);
  vpbroadcastd(value | k1, ptr[rip + approximate_ + 7 * 4]);
  vpsubd(value, value, zmm3);
  vpaddd(value, value, approximate(8));
}

}  // namespace warpsim::engine
