// Integers of 16 bits for hosts with AVX2 and no AVX-512; see translate_avx2.cpp. A register of 16 bits is a row of
// words whose upper halves are 0.
#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Ymm;

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
