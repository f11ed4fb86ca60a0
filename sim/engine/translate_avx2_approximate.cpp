// rsqrt.approx, rcp.approx and ex2.approx of f32 for hosts with AVX2 and no AVX-512, as isa/kernels/mufu.h computes
// them where operand and result are normal numbers; see translate_avx2_floats.cpp. Where a lane that acts has another
// operand the interpreter's own loop computes all.
#include "isa/kernels/mufu.h"
#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Ymm;

struct Translator::Function {
  const std::int32_t *a, *b_and_c;  // mufu.h's, which stay where they are
  std::uint8_t square_up;           // by how much the square is shifted
  bool is_double;                   // what is squared is twice what is interpolated
  std::uint32_t bias;
  int weight;
  void (Translator::*emit)(const DecodedInsn& d, const Function& of, unsigned number);
};

bool Translator::emit_function_avx2(const DecodedInsn& d) {
  using mufu::kEx2Segments, mufu::kRcpSegments, mufu::kRsqrtSegments;
  static constexpr Function kRsqrt = {
      kRsqrtSegments.a, kRsqrtSegments.b_and_c, 2, false, 0x7fff, 14, &Translator::emit_rsqrt_chunk};
  static constexpr Function kRcp = {
      kRcpSegments.a, kRcpSegments.b_and_c, 0, true, 0x47e7, 13, &Translator::emit_rcp_chunk};
  static constexpr Function kEx2 = {
      kEx2Segments.a, kEx2Segments.b_and_c, 0, false, 0x77e2, 13, &Translator::emit_ex2_chunk};
  return emit_approximate_avx2(d, d.op == Op::RsqrtApprox ? kRsqrt : d.op == Op::RcpApprox ? kRcp : kEx2);
}

bool Translator::emit_approximate_avx2(const DecodedInsn& d, const Function& of) {
  Xbyak::Label& done = later();
  load_resting(d);
  vpxor(ymm5, ymm5, ymm5);
  mov(rcx, reinterpret_cast<std::uint64_t>(of.a));
  mov(rdx, reinterpret_cast<std::uint64_t>(of.b_and_c));
  for (unsigned n = 0; n < chunks_of(false); ++n) (this->*of.emit)(d, of, n);
  call_if_noted(d, done);
  put_results(d, false);
  L(done);
  return true;
}

// ymm3 = mufu::squared(x), which is ymm1: squares of the upper eight bits, products of nibbles, and two tables of what
// remains. Changes ymm4 and ymm6.
void Translator::square_avx2() {
  vpsrld(ymm3, ymm1, 9);
  vpmaddwd(ymm3, ymm3, ymm3);
  vpsrld(ymm3, ymm3, 1);
  vpsrld(ymm4, ymm1, 13);
  vpsrld(ymm6, ymm1, 5);
  vpand(ymm6, ymm6, of_words(15));
  vpmaddwd(ymm4, ymm4, ymm6);
  vpaddd(ymm3, ymm3, ymm4);
  for (const int nibble : {14, 6}) {  // of which the lowest bit does not count
    vpsrld(ymm4, ymm1, static_cast<std::uint8_t>(nibble));
    vpermd(ymm4, ymm4, ptr[rip + even_pairs_]);
    if (nibble == 14) {
      vpand(ymm6, ymm1, of_words(28));
    } else {
      vpsrld(ymm6, ymm1, 8);
      vpand(ymm6, ymm6, of_words(28));
    }
    vpsrlvd(ymm4, ymm4, ymm6);
    vpand(ymm4, ymm4, of_words(15));
    vpaddd(ymm3, ymm3, ymm4);
  }
}

// Of ymm1, the segment's number above 17 bits. Changes ymm0 to ymm4 and ymm6.
void Translator::interpolate(const Function& of, const Ymm& value) {
  vpsrld(ymm4, ymm1, 17);
  vpcmpeqd(ymm3, ymm3, ymm3);
  vpgatherdd(value, ptr[rcx + ymm4 * 4], ymm3);
  vpcmpeqd(ymm3, ymm3, ymm3);
  vpgatherdd(ymm2, ptr[rdx + ymm4 * 4], ymm3);
  vpand(ymm1, ymm1, of_words(0x1ffff));
  square_avx2();
  if (of.square_up != 0) vpslld(ymm3, ymm3, of.square_up);
  if (of.is_double) vpsrld(ymm1, ymm1, 1);
  vpsrad(ymm4, ymm2, mufu::kBitsOfB);  // C
  vpmulld(ymm3, ymm3, ymm4);
  vpslld(ymm2, ymm2, 32 - mufu::kBitsOfB);
  vpsrad(ymm2, ymm2, 32 - mufu::kBitsOfB);  // B
  vpand(ymm4, ymm1, of_words(0xff));
  vpmulld(ymm4, ymm4, ymm2);
  vpaddd(ymm3, ymm3, ymm4);
  vpaddd(ymm3, ymm3, of_words(of.bias));
  vpsrad(ymm3, ymm3, 8);
  vpsrld(ymm1, ymm1, 8);
  vpmulld(ymm1, ymm1, ymm2);
  vpaddd(ymm3, ymm3, ymm1);
  vpsrad(ymm3, ymm3, static_cast<std::uint8_t>(of.weight - 8));
  vpaddd(value, value, ymm3);
  vpsrad(value, value, 2);
}

// Of positive normal numbers.
void Translator::emit_rsqrt_chunk(const DecodedInsn& d, const Function& of, unsigned number) {
  const Ymm value = result(number);
  vmovdqa(ymm1, chunk(d.a, number));
  vpsubd(ymm2, ymm1, of_words(mufu::kHidden));
  vpmaxud(ymm0, ymm2, of_words(mufu::kInfinity - mufu::kHidden));
  vpcmpeqd(ymm0, ymm0, ymm2);
  note(d, number, false);
  vpaddd(ymm11, ymm1, of_words(mufu::kHidden));
  vpsrld(ymm11, ymm11, 24);
  vpslld(ymm11, ymm11, 23);  // half the exponent
  vpand(ymm1, ymm1, of_words(0x00ffffff));
  vpxor(ymm1, ymm1, of_words(mufu::kHidden));  // the exponent's parity, and the fraction
  vpcmpeqd(ymm12, ymm1, of_words(0));          // a power of 4
  interpolate(of, value);
  vpblendvb(value, value, of_words(2 * mufu::kHidden), ymm12);
  vpsubd(value, value, ymm11);
  vpaddd(value, value, of_words(0x5e800000));
}

// ymm0 << 23 is the exponent, but for a carry out of the value's 24 bits.
void Translator::scale_chunk(const Ymm& value) {
  vpsrld(ymm1, value, 24);
  vpaddd(ymm0, ymm0, ymm1);
  vpslld(ymm0, ymm0, 23);
  vpand(value, value, of_words(mufu::kFraction));
  vpor(value, value, ymm0);
}

// Of normal numbers below 2^126.
void Translator::emit_rcp_chunk(const DecodedInsn& d, const Function& of, unsigned number) {
  constexpr std::uint32_t kFirst = mufu::kHidden, kEnd = 0x7e800000;
  const Ymm value = result(number);
  vmovdqa(ymm11, chunk(d.a, number));
  vpand(ymm2, ymm11, of_words(~mufu::kSign));
  vpsubd(ymm2, ymm2, of_words(kFirst));
  vpmaxud(ymm0, ymm2, of_words(kEnd - kFirst));
  vpcmpeqd(ymm0, ymm0, ymm2);
  note(d, number, false);
  vpand(ymm1, ymm11, of_words(mufu::kFraction));
  vpaddd(ymm1, ymm1, ymm1);
  interpolate(of, value);
  vpslld(ymm1, ymm11, 1);
  vpsrld(ymm1, ymm1, 24);
  vmovdqa(ymm0, of_words(253));
  vpsubd(ymm0, ymm0, ymm1);
  scale_chunk(value);
  vpand(ymm11, ymm11, of_words(mufu::kSign));
  vpor(value, value, ymm11);
}

// Of numbers between -126 and 126.
void Translator::emit_ex2_chunk(const DecodedInsn& d, const Function& of, unsigned number) {
  constexpr std::uint32_t k126 = 0x42fc0000;
  const Ymm value = result(number);
  vmovdqa(ymm1, chunk(d.a, number));
  vpand(ymm2, ymm1, of_words(~mufu::kSign));
  vpcmpgtd(ymm0, ymm2, of_words(k126 - 1));
  note(d, number, false);
  vpsrld(ymm2, ymm2, 23);
  vmovdqa(ymm3, of_words(134));
  vpsubd(ymm3, ymm3, ymm2);
  vpand(ymm2, ymm1, of_words(mufu::kFraction));
  vpor(ymm2, ymm2, of_words(mufu::kHidden));
  vpslld(ymm2, ymm2, 7);
  vpsrlvd(ymm2, ymm2, ymm3);  // the size with 23 bits behind the point
  vpsrad(ymm1, ymm1, 31);
  vpand(ymm3, ymm2, of_words(mufu::kFraction));
  vpcmpeqd(ymm3, ymm3, of_words(0));
  vpand(ymm3, ymm3, ymm1);
  vpxor(ymm2, ymm2, ymm1);
  vpsubd(ymm2, ymm2, ymm3);  // of a negative number the ones' complement, but of an integer
  vpsrad(ymm11, ymm2, 23);
  vpand(ymm1, ymm2, of_words(mufu::kFraction));
  interpolate(of, value);
  vpaddd(ymm0, ymm11, of_words(127));
  scale_chunk(value);
}

}  // namespace warpsim::engine
