// rsqrt.approx.f32 of positive normal numbers and ex2.approx.f32 of numbers between -126 and 126, as
// isa/kernels/mufu.h computes them; see translator.h. Where a lane has another operand the interpreter's own loop
// computes all.
#include "isa/kernels/mufu.h"

#include <algorithm>
#include <iterator>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Zmm;

namespace {
constexpr std::uint8_t kNotBelow = 5;  // of vpcmpud

enum Constant : int {  // by their place in `approximate_`
  kRangeOfRsqrt,
  kOfTwoExponents,
  kOfSegment,
  kSixtyFour,
  kFifteen,
  kTwentyEight,
  kBiasOfRsqrt,
  kTwo,
  kScaleOfRsqrt,
  kBiasOfEx2,
  kOneTwentySix,
  kTwoTo23,
  kExponentOf126,
  kOfWhole,
  kOfFraction,
  kOfSize,
};

// C above B - 2^15: both have 16 bits, with their signs.
constexpr std::int32_t packed(const mufu::Coefficients& one) {
  return one.c * (1 << 16) + ((one.b - (1 << 15)) & 0xffff);
}
constexpr bool has_16_bits(std::int64_t value) { return value == static_cast<std::int16_t>(value); }
static_assert(std::all_of(std::begin(mufu::kEx2), std::end(mufu::kEx2), [](const mufu::Coefficients& one) {
  return has_16_bits(one.c) && has_16_bits(one.b - (1 << 15)) && one.b > 0 && one.c > 0;
}));
static_assert(has_16_bits(mufu::squared(0x1ffffU)));

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
  L(ex2_a_);
  for (const std::int32_t a : mufu::kEx2Segments.a) dd(static_cast<std::uint32_t>(a));
  L(ex2_b_and_c_);
  for (const mufu::Coefficients& one : mufu::kEx2) dd(static_cast<std::uint32_t>(packed(one)));
  L(pairs_);
  for (std::uint32_t k = 0; k < 16; ++k) dd(pairs_of(k));
  L(approximate_);
  // In the order of Constant.
  for (const std::uint32_t one :
       {0x7f000000U, 0x00ffffffU, 0x1ffffU, 64U, 15U, 28U, 0x7fffU, 0x01000000U, 0x5e800000U, 0x77e2U, 0x42fc0000U,
        0x4b000000U, 126U << 23, ~mufu::kFraction, mufu::kFraction, ~mufu::kSign})
    dd(one);
}

// A word of a table of 64, or 128, by k, zmm4. k1, k2: where k has 32 and 64 in it. Changes zmm6 and zmm7.
void Translator::look_up(const Zmm& to, Xbyak::Label& table, unsigned words) {
  const auto pair = [&](const Zmm& part, int first) {
    vmovdqa64(part, ptr[rip + table + first * 4]);
    vpermt2d(part, zmm4, ptr[rip + table + (first + 16) * 4]);
  };
  pair(to, 0);
  pair(zmm7, 32);
  vmovdqa32(to | k1, zmm7);
  if (words == 64) return;
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
  vpandd(zmm7, zmm7, approximate(kFifteen));
  vpmaddwd(other, zmm6, zmm7);
  vpaddd(zmm4, zmm4, other);
  vpermd(zmm6, zmm6, ptr[rip + pairs_]);
  vpandd(other, zmm2, approximate(kTwentyEight));
  vpsrlvd(zmm6, zmm6, other);
  vpandd(zmm6, zmm6, approximate(kFifteen));
  vpaddd(zmm4, zmm4, zmm6);
  vpermd(zmm7, zmm7, ptr[rip + pairs_]);
  vpsrld(other, zmm2, 8);
  vpandd(other, other, approximate(kTwentyEight));
  vpsrlvd(zmm7, zmm7, other);
  vpandd(zmm7, zmm7, approximate(kFifteen));
  vpaddd(zmm4, zmm4, zmm7);
}

Xbyak::Address Translator::approximate(int index) { return ptr_b[rip + approximate_ + index * 4]; }

bool Translator::emit_approximate(const DecodedInsn& d) {
  uses_segments_ = true;
  load_masks(d, false);
  const Zmm values[2] = {zmm0, zmm1};
  for (unsigned n = 0; n < 2; ++n) {
    const Opmask is_other(static_cast<int>(5 + 2 * n));
    d.op == Op::Ex2Approx ? emit_ex2_of_line(values[n], d.a + n * 64, is_other)
                          : emit_rsqrt_of_line(values[n], d.a + n * 64, is_other);
  }
  korw(k1, k5, k7);
  take_or_call(d, values, 2, false);
  return true;
}

void Translator::emit_rsqrt_of_line(const Zmm& value, std::uint32_t line, const Opmask& is_other) {
  rows_.begin_instruction();
  const Zmm a = rows_.read(line), other = rows_.fresh();
  vpsubd(zmm2, a, ptr_b[rip + smallest_normal_]);
  vpcmpud(is_other, zmm2, approximate(kRangeOfRsqrt), kNotBelow);
  vpaddd(zmm3, a, ptr_b[rip + smallest_normal_]);
  vpsrld(zmm3, zmm3, 24);
  vpslld(zmm3, zmm3, 23);  // half the exponent
  vpandd(zmm2, a, approximate(kOfTwoExponents));
  vpxord(zmm2, zmm2, ptr_b[rip + smallest_normal_]);  // the exponent's parity, and the fraction
  vpsrld(zmm4, zmm2, 17);
  vptestmd(k1, zmm4, ptr_b[rip + width_]);
  vptestmd(k2, zmm4, approximate(kSixtyFour));
  look_up(value, rsqrt_a_, 128);
  look_up(zmm5, rsqrt_b_and_c_, 128);
  vptestnmd(k1, zmm2, zmm2);  // a power of 4
  vpandd(zmm2, zmm2, approximate(kOfSegment));
  emit_square(other);
  vpslld(zmm4, zmm4, 2);
  interpolate_rsqrt(value);
  vpbroadcastd(value | k1, ptr[rip + approximate_ + kTwo * 4]);
  vpsubd(value, value, zmm3);
  vpaddd(value, value, approximate(kScaleOfRsqrt));
}

// A carry out of the value's 24 bits adds to the exponent by itself: the value is at least 2^23.
void Translator::emit_ex2_of_line(const Zmm& value, std::uint32_t line, const Opmask& is_other) {
  rows_.begin_instruction();
  const Zmm a = rows_.read(line), other = rows_.fresh();
  vpandd(zmm2, a, approximate(kOfSize));
  vpcmpud(is_other, zmm2, approximate(kOneTwentySix), kNotBelow);
  vmulps(zmm3, a, approximate(kTwoTo23));
  vcvttps2dq(zmm3, zmm3);  // the size with 23 bits behind the point, and its sign
  vptestmd(k1, zmm3, approximate(kOfFraction));
  vpsrad(zmm2, zmm3, 31);
  vpaddd(zmm3 | k1, zmm3, zmm2);  // of a negative number the ones' complement, but of an integer
  vpandd(zmm2, zmm3, approximate(kOfFraction));
  vpandd(zmm3, zmm3, approximate(kOfWhole));
  vpsrld(zmm4, zmm2, 17);
  vptestmd(k1, zmm4, ptr_b[rip + width_]);
  look_up(value, ex2_a_, 64);
  look_up(zmm5, ex2_b_and_c_, 64);
  vpandd(zmm2, zmm2, approximate(kOfSegment));
  emit_square(other);
  interpolate_ex2(value);
  vpaddd(zmm3, zmm3, approximate(kExponentOf126));
  vpaddd(value, value, zmm3);
}

// The same as below, of a B that is 2^15 more than in the table, beside which C and the square have 16 bits each: so
// both products are one instruction, and what of them is 2^15 * x needs none.
void Translator::interpolate_ex2(const Zmm& value) {
  constexpr std::uint8_t kSumWithBits = 0xf8;  // of vpternlogd: the first, or what both others have
  constexpr int kShiftOfRest = 8, kWeight = 13;
  vpslld(zmm4, zmm4, 16);
  vpternlogd(zmm4, zmm2, ptr_b[rip + low_byte_], kSumWithBits);
  vpmaddwd(zmm4, zmm4, zmm5);
  vpaddd(zmm4, zmm4, approximate(kBiasOfEx2));
  vpsrad(zmm4, zmm4, kShiftOfRest);
  vpsrld(zmm6, zmm2, kShiftOfRest);
  vpmaddwd(zmm6, zmm6, zmm5);
  vpaddd(zmm4, zmm4, zmm6);
  vpslld(zmm2, zmm2, 15 - kShiftOfRest);
  vpaddd(zmm4, zmm4, zmm2);
  vpsrad(zmm4, zmm4, kWeight - kShiftOfRest);
  vpaddd(value, value, zmm4);
  vpsrad(value, value, 2);
}

// Of x, zmm2, and its square, zmm4; A is in `value`, B and C in zmm5.
void Translator::interpolate_rsqrt(const Zmm& value) {
  vpsrad(zmm6, zmm5, mufu::kBitsOfB);  // C
  vpmulld(zmm4, zmm4, zmm6);
  vpslld(zmm5, zmm5, 32 - mufu::kBitsOfB);
  vpsrad(zmm5, zmm5, 32 - mufu::kBitsOfB);  // B
  vpandd(zmm6, zmm2, ptr_b[rip + low_byte_]);
  vpmulld(zmm6, zmm6, zmm5);
  vpaddd(zmm4, zmm4, zmm6);
  vpaddd(zmm4, zmm4, approximate(kBiasOfRsqrt));
  vpsrad(zmm4, zmm4, 8);
  vpsrld(zmm2, zmm2, 8);
  vpmulld(zmm2, zmm2, zmm5);
  vpaddd(zmm4, zmm4, zmm2);
  vpsrad(zmm4, zmm4, 14 - 8);
  vpaddd(value, value, zmm4);
  vpsrad(value, value, 2);
}

}  // namespace warpsim::engine
