// Integers for hosts with AVX2 and no AVX-512; see translate_avx2.cpp. A register of 16 bits is a row of words whose
// upper halves are 0.
#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Ymm;

bool Translator::emit_integer_avx2(const DecodedInsn& d) {
  if (!is_word(d.type)) return false;
  const bool wide = bits(d.type) == 64;
  switch (d.op) {
    case Op::Add:
    case Op::Sub:
    case Op::And:
    case Op::Or:
    case Op::Xor: break;
    case Op::Shl:
    case Op::Shr: return emit_shift_avx2(d);
    case Op::MulLo:
    case Op::MadLo:
    case Op::Min:
    case Op::Max:
      if (wide) return emit_wide_integer_avx2(d);
      break;
    case Op::Not:
    case Op::Neg:
    case Op::Abs: return emit_one_operand_avx2(d);
    default: return false;
  }
  return emit_rows_avx2(d, wide, [&](unsigned n) {
    vmovdqa(ymm0, chunk(d.a, n));
    emit_operation_avx2(d, chunk(d.b, n));
    if (d.op == Op::MadLo) vpaddd(ymm0, ymm0, chunk(d.c, n));
  });
}

// One operation on ymm0.
void Translator::emit_operation_avx2(const DecodedInsn& d, const Xbyak::Address& b) {
  const bool wide = bits(d.type) == 64, negative = is_signed(d.type);
  switch (d.op) {
    case Op::Add: return wide ? vpaddq(ymm0, ymm0, b) : vpaddd(ymm0, ymm0, b);
    case Op::Sub: return wide ? vpsubq(ymm0, ymm0, b) : vpsubd(ymm0, ymm0, b);
    case Op::And: return vpand(ymm0, ymm0, b);
    case Op::Or: return vpor(ymm0, ymm0, b);
    case Op::Xor: return vpxor(ymm0, ymm0, b);
    case Op::Min: return negative ? vpminsd(ymm0, ymm0, b) : vpminud(ymm0, ymm0, b);
    case Op::Max: return negative ? vpmaxsd(ymm0, ymm0, b) : vpmaxud(ymm0, ymm0, b);
    default: return vpmulld(ymm0, ymm0, b);
  }
}

bool Translator::emit_one_operand_avx2(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64;
  return emit_rows_avx2(d, wide, [&](unsigned n) {
    if (d.op == Op::Abs && !wide) return vpabsd(ymm0, chunk(d.a, n));
    if (d.op == Op::Not) {
      vpcmpeqd(ymm0, ymm0, ymm0);
      return vpxor(ymm0, ymm0, chunk(d.a, n));
    }
    vpxor(ymm0, ymm0, ymm0);
    if (d.op == Op::Neg) return wide ? vpsubq(ymm0, ymm0, chunk(d.a, n)) : vpsubd(ymm0, ymm0, chunk(d.a, n));
    vpcmpgtq(ymm1, ymm0, chunk(d.a, n));
    vpxor(ymm0, ymm1, chunk(d.a, n));
    vpsubq(ymm0, ymm0, ymm1);
  });
}

// Of 64 bits.
bool Translator::emit_wide_integer_avx2(const DecodedInsn& d) {
  const bool is_product = d.op == Op::MulLo || d.op == Op::MadLo;
  return emit_loop_avx2(d, true, [&] {
    vmovdqa(ymm0, chunk(d.a, 0));
    vmovdqa(ymm1, chunk(d.b, 0));
    if (is_product) {
      multiply_doubles();
      if (d.op == Op::MadLo) vpaddq(ymm0, ymm0, chunk(d.c, 0));
      return;
    }
    if (is_signed(d.type)) {
      vpcmpgtq(ymm2, ymm0, ymm1);
    } else {
      vpxor(ymm2, ymm0, of_all(std::uint64_t{1} << 63));
      vpxor(ymm3, ymm1, of_all(std::uint64_t{1} << 63));
      vpcmpgtq(ymm2, ymm2, ymm3);
    }
    if (d.op == Op::Min) vpblendvb(ymm0, ymm0, ymm1, ymm2);
    else vpblendvb(ymm0, ymm1, ymm0, ymm2);
  });
}

// ymm0 = the low 64 bits of ymm0 times ymm1: of three products of words. Changes ymm2 and ymm3.
void Translator::multiply_doubles() {
  vpsrlq(ymm2, ymm0, 32);
  vpsrlq(ymm3, ymm1, 32);
  vpmuludq(ymm2, ymm2, ymm1);
  vpmuludq(ymm3, ymm3, ymm0);
  vpmuludq(ymm0, ymm0, ymm1);
  vpaddq(ymm2, ymm2, ymm3);
  vpsllq(ymm2, ymm2, 32);
  vpaddq(ymm0, ymm0, ymm2);
}

// The amount is 32 bits wide; one of the width or more shifts everything out, as the host's does.
bool Translator::emit_shift_avx2(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64, left = d.op == Op::Shl;
  return emit_rows_avx2(d, wide, [&](unsigned n) {
    vmovdqa(ymm0, chunk(d.a, n));
    if (wide) {
      vpmovzxdq(ymm1, half_chunk(d.b, n));
      if (left) return vpsllvq(ymm0, ymm0, ymm1);
      return is_signed(d.type) ? shift_signed_doubles() : vpsrlvq(ymm0, ymm0, ymm1);
    }
    const Xbyak::Address amount = chunk(d.b, n);
    if (left) return vpsllvd(ymm0, ymm0, amount);
    is_signed(d.type) ? vpsravd(ymm0, ymm0, amount) : vpsrlvd(ymm0, ymm0, amount);
  });
}

// ymm0 >> ymm1: of a negative number what is shifted is its complement. Changes ymm2.
void Translator::shift_signed_doubles() {
  vpxor(ymm2, ymm2, ymm2);
  vpcmpgtq(ymm2, ymm2, ymm0);
  vpxor(ymm0, ymm0, ymm2);
  vpsrlvq(ymm0, ymm0, ymm1);
  vpxor(ymm0, ymm0, ymm2);
}

// The halves of products of 32 bits fill 64.
bool Translator::emit_wide_product_avx2(const DecodedInsn& d) {
  if (bits(d.type) != 32) return false;
  return emit_rows_avx2(d, true, [&](unsigned n) {
    vpmovzxdq(ymm0, half_chunk(d.a, n));
    vpmovzxdq(ymm1, half_chunk(d.b, n));
    if (is_signed(d.type)) vpmuldq(ymm0, ymm0, ymm1);
    else vpmuludq(ymm0, ymm0, ymm1);
    if (d.op == Op::MadWide) vpaddq(ymm0, ymm0, chunk(d.c, n));
  });
}

// Of 32 bits words with even numbers and those with odd ones multiply apart; of 64 bits four products add up, a
// negative factor counting as 2^64 more.
bool Translator::emit_upper_product_avx2(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64, negative = is_signed(d.type);
  return emit_loop_avx2(d, wide, [&] {
    vmovdqa(ymm0, chunk(d.a, 0));
    vmovdqa(ymm1, chunk(d.b, 0));
    vpsrlq(ymm2, ymm0, 32);
    vpsrlq(ymm3, ymm1, 32);
    if (!wide) {
      negative ? vpmuldq(ymm0, ymm0, ymm1) : vpmuludq(ymm0, ymm0, ymm1);
      negative ? vpmuldq(ymm2, ymm2, ymm3) : vpmuludq(ymm2, ymm2, ymm3);
      vpsrlq(ymm0, ymm0, 32);
      vpblendd(ymm0, ymm0, ymm2, 0xaa);
      if (d.op == Op::MadHi) vpaddd(ymm0, ymm0, chunk(d.c, 0));
      return;
    }
    vpmuludq(ymm4, ymm0, ymm1);
    vpsrlq(ymm4, ymm4, 32);
    vpmuludq(ymm5, ymm0, ymm3);
    vpaddq(ymm4, ymm4, ymm5);  // below 2^64
    vpmuludq(ymm5, ymm2, ymm1);
    vpblendd(ymm7, ymm4, of_all(0), 0xaa);
    vpaddq(ymm5, ymm5, ymm7);
    vpsrlq(ymm4, ymm4, 32);
    vpsrlq(ymm5, ymm5, 32);
    vpmuludq(ymm2, ymm2, ymm3);
    vpaddq(ymm4, ymm4, ymm5);
    vpaddq(ymm4, ymm4, ymm2);
    if (negative) {
      vpxor(ymm5, ymm5, ymm5);
      vpcmpgtq(ymm2, ymm5, ymm0);
      vpcmpgtq(ymm3, ymm5, ymm1);
      vpand(ymm2, ymm2, ymm1);
      vpand(ymm3, ymm3, ymm0);
      vpsubq(ymm4, ymm4, ymm2);
      vpsubq(ymm4, ymm4, ymm3);
    }
    if (d.op == Op::MadHi) vpaddq(ymm0, ymm4, chunk(d.c, 0));
    else vmovdqa(ymm0, ymm4);
  });
}

// Of 32 bits, in f64: a quotient that is no integer is further from the next one than rounding moves it. By zero all
// ones.
bool Translator::emit_division_avx2(const DecodedInsn& d) {
  if (bits(d.type) != 32) return false;
  const bool negative = is_signed(d.type);
  const auto load = [&](const Ymm& to, std::uint32_t row, unsigned n) {
    if (negative) return vcvtdq2pd(to, half_chunk(row, n));
    vpmovzxdq(to, half_chunk(row, n));
    vpor(to, to, of_all(kTwoTo52));
    vsubpd(to, to, of_all(kTwoTo52));
  };
  const auto divide = [&](const Ymm& to, unsigned n) {
    load(to, d.a, n);
    load(ymm2, d.b, n);
    vdivpd(to, to, ymm2);
    if (negative) return vcvttpd2dq(Xbyak::Xmm(to.getIdx()), to);  // 2^31 becomes the smallest integer
    vroundpd(to, to, 3);
    vaddpd(to, to, of_all(kTwoTo52));
  };
  return emit_rows_avx2(d, false, [&](unsigned n) {
    divide(ymm0, 2 * n);
    divide(ymm1, 2 * n + 1);
    if (negative) join_halves(ymm0, ymm1);
    else take_low_words(ymm0, ymm1);
    vmovdqa(ymm1, chunk(d.b, n));
    if (d.op == Op::Rem) {
      vpmulld(ymm0, ymm0, ymm1);
      vmovdqa(ymm2, chunk(d.a, n));
      vpsubd(ymm0, ymm2, ymm0);
    }
    vpcmpeqd(ymm1, ymm1, of_all(0));
    vpor(ymm0, ymm0, ymm1);
  });
}

// ---- 16 bits

// A word's low 16 bits as a number.
void Translator::extend_narrow(const Ymm& to, std::uint32_t row, unsigned number, bool with_sign) {
  vmovdqa(to, chunk(row, number));
  vpslld(to, to, 16);
  with_sign ? vpsrad(to, to, 16) : vpsrld(to, to, 16);
}

bool Translator::emit_narrow_avx2(const DecodedInsn& d) {
  if (bits(d.type) != 16 || is_float(d.type)) return false;
  bool is_word = false;  // the result has 32 bits
  switch (d.op) {
    case Op::MulWideNarrow:
    case Op::MadWideNarrow: is_word = true; break;
    case Op::AddNarrow:
    case Op::SubNarrow:
    case Op::MulLoNarrow:
    case Op::MulHiNarrow:
    case Op::MadLoNarrow:
    case Op::MadHiNarrow:
    case Op::AndNarrow:
    case Op::OrNarrow:
    case Op::XorNarrow:
    case Op::NotNarrow:
    case Op::NegNarrow:
    case Op::AbsNarrow:
    case Op::MinNarrow:
    case Op::MaxNarrow:
    case Op::ShlNarrow:
    case Op::ShrNarrow: break;
    default: return false;
  }
  return emit_rows_avx2(d, false, [&](unsigned n) {
    emit_narrow_operation_avx2(d, n);
    if (!is_word) vpand(ymm0, ymm0, of_words(0xffff));
  });
}

void Translator::emit_narrow_operation_avx2(const DecodedInsn& d, unsigned number) {
  const bool with_sign = is_signed(d.type);
  const Xbyak::Address b = chunk(d.b, number), c = chunk(d.c, number);
  vmovdqa(ymm0, chunk(d.a, number));
  switch (d.op) {
    case Op::AddNarrow: return vpaddd(ymm0, ymm0, b);
    case Op::SubNarrow: return vpsubd(ymm0, ymm0, b);
    case Op::MulLoNarrow: return vpmullw(ymm0, ymm0, b);
    case Op::MadLoNarrow: vpmullw(ymm0, ymm0, b); return vpaddd(ymm0, ymm0, c);
    case Op::MulHiNarrow: return with_sign ? vpmulhw(ymm0, ymm0, b) : vpmulhuw(ymm0, ymm0, b);
    case Op::MadHiNarrow: with_sign ? vpmulhw(ymm0, ymm0, b) : vpmulhuw(ymm0, ymm0, b); return vpaddd(ymm0, ymm0, c);
    case Op::AndNarrow: return vpand(ymm0, ymm0, b);
    case Op::OrNarrow: return vpor(ymm0, ymm0, b);
    case Op::XorNarrow: return vpxor(ymm0, ymm0, b);
    case Op::NotNarrow: return vpxor(ymm0, ymm0, of_words(0xffff));
    case Op::NegNarrow: vpxor(ymm1, ymm1, ymm1); return vpsubd(ymm0, ymm1, ymm0);
    case Op::AbsNarrow: return vpabsw(ymm0, ymm0);
    case Op::ShlNarrow: return vpsllvd(ymm0, ymm0, b);
    case Op::ShrNarrow:
      extend_narrow(ymm0, d.a, number, with_sign);
      return with_sign ? vpsravd(ymm0, ymm0, b) : vpsrlvd(ymm0, ymm0, b);
    case Op::MinNarrow: return with_sign ? vpminsw(ymm0, ymm0, b) : vpminuw(ymm0, ymm0, b);
    case Op::MaxNarrow: return with_sign ? vpmaxsw(ymm0, ymm0, b) : vpmaxuw(ymm0, ymm0, b);
    default:
      extend_narrow(ymm0, d.a, number, with_sign);
      extend_narrow(ymm1, d.b, number, with_sign);
      vpmulld(ymm0, ymm0, ymm1);
      if (d.op == Op::MadWideNarrow) vpaddd(ymm0, ymm0, c);
  }
}

}  // namespace warpsim::engine
