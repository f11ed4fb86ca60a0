// Fields of bits, funnel shifts, reversed, counted and looked-up bits for hosts with AVX2 and no AVX-512; see
// translate_avx2.cpp.
#include "isa/kernels/windows.h"
#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Ymm;

bool Translator::emit_bits_avx2(const DecodedInsn& d) {
  switch (d.op) {
    case Op::SetpEqNarrow:
    case Op::SetpNeNarrow:
    case Op::SetpLtNarrow:
    case Op::SetpLeNarrow:
    case Op::SetpGtNarrow:
    case Op::SetpGeNarrow: return emit_compare_avx2(d);
    case Op::RsqrtApprox:
    case Op::RcpApprox:
    case Op::Ex2Approx: return emit_function_avx2(d);
    case Op::Brev: return emit_reversal_avx2(d);
    case Op::Clz:
    case Op::Bfind:
    case Op::BfindShift: return emit_highest_bit_avx2(d);
    case Op::ShfLeftClamp:
    case Op::ShfLeftWrap:
    case Op::ShfRightClamp:
    case Op::ShfRightWrap: return emit_funnel_avx2(d);
    case Op::Bfe: return emit_field_avx2(d);
    case Op::Bfi: return emit_insertion_avx2(d);
    case Op::Prmt: return emit_permutation_avx2(d);
    case Op::Lop3: return emit_lookup_avx2(d);
    case Op::CvtaShared:
    case Op::CvtaToShared:
      return emit_rows_avx2(d, true, [&](unsigned n) {
        const std::uint64_t window = window_of(AddressSpace::Shared);
        vmovdqa(ymm0, chunk(d.a, n));
        vpaddq(ymm0, ymm0, of_all(d.op == Op::CvtaShared ? window : 0 - window));
      });
    default: return emit_narrow_avx2(d);
  }
}

// The low words of 64-bit lanes, in their order.
void Translator::take_low_words(const Ymm& low, const Ymm& high) {
  vshufps(low, low, high, 0x88);  // in each 128 bits for itself
  vpermq(low, low, 0xd8);
}

// The one bits of each byte, of its nibbles by a table. Changes ymm2 and ymm3.
void Translator::count_ones(const Ymm& value) {
  vmovdqa(ymm3, ptr[rip + ones_of_nibbles_]);
  vpsrld(ymm2, value, 4);
  vpand(value, value, of_words(0x0f0f0f0f));
  vpand(ymm2, ymm2, of_words(0x0f0f0f0f));
  vpshufb(value, ymm3, value);
  vpshufb(ymm2, ymm3, ymm2);
  vpaddb(value, value, ymm2);
}

bool Translator::emit_count_avx2(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64;
  return emit_rows_avx2(d, false, [&](unsigned n) {
    if (!wide) {
      vmovdqa(ymm0, chunk(d.a, n));
      count_ones(ymm0);
      vpmaddubsw(ymm0, ymm0, of_words(0x01010101));
      return vpmaddwd(ymm0, ymm0, of_words(0x00010001));
    }
    vpxor(ymm4, ymm4, ymm4);
    for (unsigned half = 0; half < 2; ++half) {
      const Ymm value(static_cast<int>(half));
      vmovdqa(value, chunk(d.a, 2 * n + half));
      count_ones(value);
      vpsadbw(value, value, ymm4);
    }
    take_low_words(ymm0, ymm1);
  });
}

// Of words: the highest bit alone, but for some below the next lower place, is where its float's exponent says. Changes
// ymm2.
void Translator::count_leading_zeros(const Ymm& value) {
  vpsrld(ymm2, value, 1);
  vpandn(value, ymm2, value);
  vcvtdq2ps(value, value);
  vpsrld(value, value, 23);  // with the highest bit of the word the sign's, too: more than any exponent
  vmovdqa(ymm2, of_words(158));
  vpsubd(value, ymm2, value);
  vpmaxsd(value, value, of_words(0));
  vpminsd(value, value, of_words(32));
}

// The sign's copies do not count; where no bit is found the place, and how far it is from the top, are all ones.
bool Translator::emit_highest_bit_avx2(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64, with_sign = is_signed(d.type) && d.op != Op::Clz;
  const std::uint32_t width = wide ? 64 : 32;
  const auto load = [&](const Ymm& to, unsigned n) {
    vmovdqa(to, chunk(d.a, n));
    if (with_sign) {
      vpsrad(ymm2, to, 31);
      if (wide) vpshufd(ymm2, ymm2, 0xf5);
      vpxor(to, to, ymm2);
    }
    count_leading_zeros(to);
    if (!wide) return;
    vpsrlq(ymm2, to, 32);
    vpcmpeqd(ymm3, ymm2, of_words(32));
    vpand(to, to, ymm3);
    vpaddd(to, to, ymm2);
  };
  return emit_rows_avx2(d, false, [&](unsigned n) {
    load(ymm0, wide ? 2 * n : n);
    if (wide) {
      load(ymm1, 2 * n + 1);
      take_low_words(ymm0, ymm1);
    }
    if (d.op == Op::Bfind) {
      vmovdqa(ymm2, of_words(width - 1));
      vpsubd(ymm0, ymm2, ymm0);
    } else if (d.op == Op::BfindShift) {
      vpcmpeqd(ymm2, ymm0, of_words(width));
      vpor(ymm0, ymm0, ymm2);
    }
  });
}

// The nibbles of each byte reversed and exchanged, then the bytes.
bool Translator::emit_reversal_avx2(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64;
  vmovdqa(ymm8, ptr[rip + nibbles_low_]);
  vmovdqa(ymm9, ptr[rip + nibbles_high_]);
  return emit_loop_avx2(d, wide, [&] {
    vmovdqa(ymm0, chunk(d.a, 0));
    vpsrld(ymm1, ymm0, 4);
    vpand(ymm0, ymm0, of_words(0x0f0f0f0f));
    vpand(ymm1, ymm1, of_words(0x0f0f0f0f));
    vpshufb(ymm0, ymm8, ymm0);
    vpshufb(ymm1, ymm9, ymm1);
    vpor(ymm0, ymm0, ymm1);
    vpshufb(ymm0, ymm0, ptr[rip + (wide ? bytes_of_doubles_ : bytes_of_words_)]);
  });
}

// Shifts by 32 and more give 0.
bool Translator::emit_funnel_avx2(const DecodedInsn& d) {
  const bool left = d.op == Op::ShfLeftClamp || d.op == Op::ShfLeftWrap;
  const bool clamps = d.op == Op::ShfLeftClamp || d.op == Op::ShfRightClamp;
  return emit_loop_avx2(d, false, [&] {
    vmovdqa(ymm0, chunk(d.c, 0));
    clamps ? vpminud(ymm0, ymm0, of_words(32)) : vpand(ymm0, ymm0, of_words(31));
    vmovdqa(ymm1, of_words(32));
    vpsubd(ymm1, ymm1, ymm0);
    vmovdqa(ymm2, chunk(d.b, 0));
    vpsllvd(ymm2, ymm2, left ? ymm0 : ymm1);
    vmovdqa(ymm3, chunk(d.a, 0));
    vpsrlvd(ymm3, ymm3, left ? ymm1 : ymm0);
    vpor(ymm0, ymm2, ymm3);
  });
}

// Positions and lengths are eight bits of a word, and all bits where numbers have 64.
bool Translator::emit_field_avx2(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64;
  if (wide && is_signed(d.type)) return false;
  return emit_loop_avx2(d, wide, [&] {
    vmovdqa(ymm0, chunk(d.a, 0));
    vpcmpeqd(ymm3, ymm3, ymm3);
    if (wide) {
      vpmovzxdq(ymm1, half_chunk(d.b, 0));
      vpmovzxdq(ymm2, half_chunk(d.c, 0));
      vpsrlvq(ymm0, ymm0, ymm1);
      vpsllvq(ymm3, ymm3, ymm2);
      return vpandn(ymm0, ymm3, ymm0);
    }
    vmovdqa(ymm4, of_words(0xff));
    vpand(ymm1, ymm4, chunk(d.b, 0));  // the place
    vpand(ymm2, ymm4, chunk(d.c, 0));  // the length
    if (!is_signed(d.type)) {
      vpsrlvd(ymm0, ymm0, ymm1);
      vpsllvd(ymm3, ymm3, ymm2);
      return vpandn(ymm0, ymm3, ymm0);
    }
    vpminud(ymm2, ymm2, of_words(32));
    vmovdqa(ymm3, of_words(32));
    vpsubd(ymm2, ymm3, ymm2);
    vpsravd(ymm0, ymm0, ymm1);
    vpsllvd(ymm0, ymm0, ymm2);
    vpsravd(ymm0, ymm0, ymm2);
  });
}

bool Translator::emit_insertion_avx2(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64;
  return emit_loop_avx2(d, wide, [&] {
    vmovdqa(ymm0, chunk(d.a, 0));
    vpcmpeqd(ymm3, ymm3, ymm3);
    if (wide) {
      vpmovzxdq(ymm1, half_chunk(d.c, 0));
      vpmovzxdq(ymm2, half_chunk(d.d, 0));
      vpsllvq(ymm4, ymm3, ymm2);
      vpandn(ymm4, ymm4, ymm3);
      vpsllvq(ymm4, ymm4, ymm1);  // the field
      vpsllvq(ymm0, ymm0, ymm1);
    } else {
      vmovdqa(ymm4, of_words(0xff));
      vpand(ymm1, ymm4, chunk(d.c, 0));
      vpand(ymm2, ymm4, chunk(d.d, 0));
      vpsllvd(ymm4, ymm3, ymm2);
      vpandn(ymm4, ymm4, ymm3);
      vpsllvd(ymm4, ymm4, ymm1);
      vpsllvd(ymm0, ymm0, ymm1);
    }
    vpand(ymm0, ymm0, ymm4);
    vpandn(ymm4, ymm4, chunk(d.b, 0));
    vpor(ymm0, ymm0, ymm4);
  });
}

// Four bytes of a lane's eight by the digits of c, each a byte's number and whether its sign is wanted eight times.
// Lanes 0, 1, 4 and 5 of a chunk go first, then 2, 3, 6 and 7.
bool Translator::emit_permutation_avx2(const DecodedInsn& d) {
  return emit_loop_avx2(d, false, [&] {
    vmovdqa(ymm0, of_words(0xffff));
    vpand(ymm0, ymm0, chunk(d.c, 0));
    for (const int step : {8, 4}) {  // a digit in each byte
      vpslld(ymm1, ymm0, static_cast<std::uint8_t>(step));
      vpor(ymm0, ymm0, ymm1);
      vpand(ymm0, ymm0, of_words(step == 8 ? 0x00ff00ff : 0x0f0f0f0f));
    }
    vpslld(ymm5, ymm0, 4);  // the highest bit of a byte: whether the sign is wanted
    vpand(ymm0, ymm0, of_words(0x07070707));
    vmovdqa(ymm1, chunk(d.a, 0));
    vpunpckhdq(ymm2, ymm1, chunk(d.b, 0));
    vpunpckldq(ymm1, ymm1, chunk(d.b, 0));
    vpunpckhdq(ymm3, ymm0, ymm0);
    vpunpckldq(ymm0, ymm0, ymm0);
    vpaddb(ymm3, ymm3, ptr[rip + upper_doubles_]);
    vpaddb(ymm0, ymm0, ptr[rip + upper_doubles_]);
    vpshufb(ymm0, ymm1, ymm0);
    vpshufb(ymm2, ymm2, ymm3);
    vshufps(ymm0, ymm0, ymm2, 0x88);
    vpxor(ymm1, ymm1, ymm1);
    vpcmpgtb(ymm1, ymm1, ymm0);
    vpblendvb(ymm0, ymm0, ymm1, ymm5);
  });
}

// The table is the same in all lanes: a register of all zeros or ones for each of its bits. Of two of them the result
// takes one as c says, of two of those one as b says, then as a says.
bool Translator::emit_lookup_avx2(const DecodedInsn& d) {
  for (int k = 0; k < 8; ++k) {
    const Ymm bit(7 + k);
    vpbroadcastd(bit, ptr[r12 + static_cast<int>(d.d)]);
    vpslld(bit, bit, static_cast<std::uint8_t>(31 - k));
    vpsrad(bit, bit, 31);
  }
  // x where s is 0, y where it is 1
  const auto choose = [&](const Ymm& to, const Ymm& x, const Ymm& y, const Ymm& s) {
    vpxor(to, x, y);
    vpand(to, to, s);
    vpxor(to, to, x);
  };
  return emit_loop_avx2(d, false, [&] {
    vmovdqa(ymm0, chunk(d.c, 0));
    choose(ymm1, ymm7, ymm8, ymm0);
    choose(ymm2, ymm9, ymm10, ymm0);
    choose(ymm3, ymm11, ymm12, ymm0);
    choose(ymm4, ymm13, ymm14, ymm0);
    vmovdqa(ymm0, chunk(d.b, 0));
    choose(ymm5, ymm1, ymm2, ymm0);
    choose(ymm1, ymm3, ymm4, ymm0);
    vmovdqa(ymm2, chunk(d.a, 0));
    choose(ymm0, ymm5, ymm1, ymm2);
  });
}

}  // namespace warpsim::engine
