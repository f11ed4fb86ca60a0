// Arithmetic and comparisons of f32 and f64 for hosts with AVX2 and no AVX-512, with PTX's four roundings, .ftz and
// .sat; see translate_avx2.cpp and translate_floats.cpp. All results of a row are computed before the first is written:
// where one may not be the H200's, the interpreter's own loop computes the row.
#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Operand;
using Xbyak::Ymm;

namespace {
constexpr std::uint8_t kIsNan = 3, kIsNumber = 7;  // of vcmpps: either operand, both
constexpr std::uint32_t kMagnitude = 0x7fffffff, kSign = 0x80000000, kExponent = 0x7f800000, kOne = 0x3f800000;
constexpr std::uint32_t kSmallestNormal = 0x00800000, kNan = 0x7fffffff;
constexpr std::uint64_t kSignOfDouble = std::uint64_t{kSign} << 32, kOneOfDouble = 0x3ff0000000000000;
constexpr std::uint32_t kUsualControl = 0x1f80;  // of MXCSR: all exceptions masked, to the nearest

bool is_extreme(Op op) { return op == Op::MinF || op == Op::MaxF; }
bool is_sign(Op op) { return op == Op::AbsF || op == Op::NegF; }
bool is_sum_or_product(Op op) {
  switch (op) {
    case Op::AddF:
    case Op::SubF:
    case Op::MulF:
    case Op::Fma:
    case Op::MadF: return true;
    default: return false;
  }
}
bool is_arithmetic(Op op) {
  switch (op) {
    case Op::DivF:
    case Op::SqrtF:
    case Op::Rcp: return true;
    default: return is_sum_or_product(op) || is_extreme(op) || is_sign(op);
  }
}
}  // namespace

// How the host rounds from here on: MXCSR's bits 13 and 14.
void Translator::set_rounding(Round round) {
  switch (round) {
    case Round::Rm: return ldmxcsr(of_all(kUsualControl | 1U << 13));
    case Round::Rp: return ldmxcsr(of_all(kUsualControl | 2U << 13));
    case Round::Rz: return ldmxcsr(of_all(kUsualControl | 3U << 13));
    default: return ldmxcsr(of_all(kUsualControl));
  }
}

// A subnormal becomes the zero of its sign. Changes ymm4.
void Translator::flush_chunk(const Ymm& value) {
  vandps(ymm4, value, of_words(kExponent));
  vpcmpeqd(ymm4, ymm4, of_words(0));
  vandps(ymm4, ymm4, of_words(kMagnitude));
  vandnps(value, ymm4, value);
}

void Translator::load_float(const DecodedInsn& d, const Ymm& to, std::uint32_t row, unsigned number) {
  vmovaps(to, chunk(row, number));
  if (d.mods.ftz) flush_chunk(to);
}

// What is below zero, or a NaN, becomes +0, and what is above one becomes one.
void Translator::saturate_chunk(const Ymm& value) {
  vmaxps(value, value, of_words(0));  // the second of two zeros, or where one is a NaN
  vminps(value, value, of_words(kOne));
}

bool Translator::emit_float_avx2(const DecodedInsn& d) {
  const Mods& mods = d.mods;
  const bool wide = d.type == Type::F64;
  if (!is_arithmetic(d.op) || !(wide || d.type == Type::F32) || mods.xorsign || mods.relu) return false;
  const bool rounds = mods.round != Round::None && mods.round != Round::Rn;
  const bool may_round_up = mods.ftz && !is_extreme(d.op) && !is_sign(d.op) && d.op != Op::SqrtF;
  const bool may_call = (wide && is_sign(d.op)) || is_extreme(d.op) || may_round_up;
  load_resting(d);
  if (may_call) vpxor(ymm5, ymm5, ymm5);
  if (rounds) set_rounding(mods.round);
  for (unsigned n = 0; n < chunks_of(wide); ++n) emit_arithmetic_avx2(d, result(n), n);
  if (rounds) set_rounding(Round::Rn);
  for (unsigned n = 0; may_round_up && n < chunks_of(wide); ++n) note_smallest(d, n);
  for (unsigned n = 0; mods.sat && n < chunks_of(wide); ++n) saturate_chunk(result(n));
  if (wide && is_sign(d.op)) note_nans(d);
  if (!wide && !is_extreme(d.op) && !mods.sat && !may_be_any_nan(d)) make_nans_canonical(chunks_of(wide));
  Label& done = later();
  if (may_call) call_if_noted(d, done);
  put_results(d, wide);
  L(done);
  return true;
}

// One chunk; what a NaN becomes is left to the caller, but of f64 where the host gives the H200's
// (translate_floats.cpp).
void Translator::emit_arithmetic_avx2(const DecodedInsn& d, const Ymm& value, unsigned number) {
  const bool wide = d.type == Type::F64;
  if (is_extreme(d.op)) return emit_extreme_avx2(d, value, number);
  // The host takes a hundred times as long over subnormals, and lanes that do not act may have anything: they get 0.
  const bool acts_alone = is_masked(d) && is_sum_or_product(d.op);
  if (acts_alone) find_lanes(ymm6, ymm15, number, wide);
  const auto load = [&](const Ymm& to, std::uint32_t row) {
    load_float(d, to, row, number);
    if (acts_alone) vandnps(to, ymm6, to);
  };
  const bool goes_second = wide && (d.op == Op::AddF || d.op == Op::MulF);  // a: a NaN of b counts
  load(ymm0, goes_second ? d.b : d.a);
  const std::uint32_t second = goes_second ? d.a : d.b;
  const Xbyak::Address memory = chunk(second, number);
  const Operand* b = &memory;
  const bool is_fused = wide && (d.op == Op::SubF || d.op == Op::Fma || d.op == Op::MadF);
  if (acts_alone || is_fused || (d.mods.ftz && (is_sum_or_product(d.op) || d.op == Op::DivF))) {
    load(ymm1, second);
    b = &ymm1;
  }
  switch (d.op) {
    case Op::AddF: return wide ? vaddpd(value, ymm0, *b) : vaddps(value, ymm0, *b);
    case Op::SubF:
      if (!wide) return vsubps(value, ymm0, *b);
      vmovapd(value, ymm0);
      return vfnmadd231pd(value, ymm1, of_all(kOneOfDouble));
    case Op::MulF: return wide ? vmulpd(value, ymm0, *b) : vmulps(value, ymm0, *b);
    case Op::DivF: return wide ? vdivpd(value, ymm0, *b) : vdivps(value, ymm0, *b);
    case Op::SqrtF: return wide ? vsqrtpd(value, ymm0) : vsqrtps(value, ymm0);
    case Op::AbsF:
      return wide ? vandpd(value, ymm0, of_all(kSignOfDouble - 1)) : vandps(value, ymm0, of_words(kMagnitude));
    case Op::NegF: return wide ? vxorpd(value, ymm0, of_all(kSignOfDouble)) : vxorps(value, ymm0, of_words(kSign));
    case Op::Rcp:
      vmovaps(value, wide ? of_all(kOneOfDouble) : of_words(kOne));
      return wide ? vdivpd(value, value, ymm0) : vdivps(value, value, ymm0);
    default:
      load(value, d.c);
      if (!wide) return vfmadd231ps(value, ymm0, *b);
      vcmppd(ymm2, value, value, kIsNumber);
      vandpd(ymm0, ymm0, ymm2);
      return vfmadd231pd(value, ymm1, ymm0);
  }
}

// The host gives the second of two zeros: each way round, either sign bit makes the smaller zero and both the larger.
// Notes where an operand is a NaN.
void Translator::emit_extreme_avx2(const DecodedInsn& d, const Ymm& value, unsigned number) {
  const bool wide = d.type == Type::F64;
  load_float(d, ymm0, d.a, number);
  load_float(d, ymm1, d.b, number);
  if (d.op == Op::MinF) {
    wide ? vminpd(value, ymm0, ymm1) : vminps(value, ymm0, ymm1);
    wide ? vminpd(ymm2, ymm1, ymm0) : vminps(ymm2, ymm1, ymm0);
    vorps(value, value, ymm2);
  } else {
    wide ? vmaxpd(value, ymm0, ymm1) : vmaxps(value, ymm0, ymm1);
    wide ? vmaxpd(ymm2, ymm1, ymm0) : vmaxps(ymm2, ymm1, ymm0);
    vandps(value, value, ymm2);
  }
  wide ? vcmppd(ymm0, ymm0, ymm1, kIsNan) : vcmpps(ymm0, ymm0, ymm1, kIsNan);
  note(d, number, wide);
}

// Whether a result is tiny is asked after rounding, as if exponents had no end. A subnormal one is, and is flushed; the
// smallest normal one may come from a tiny one that the host has rounded up.
void Translator::note_smallest(const DecodedInsn& d, unsigned number) {
  vandps(ymm0, result(number), of_words(kMagnitude));
  vpcmpeqd(ymm0, ymm0, of_words(kSmallestNormal));
  note(d, number, false);
  flush_chunk(result(number));
}

// f64: of a sign the host changes no more than that.
void Translator::note_nans(const DecodedInsn& d) {
  const unsigned step = is_masked(d) ? 1 : 2;
  for (unsigned n = 0; n < chunks_of(true); n += step) {
    vcmppd(ymm0, result(n), result(n + step - 1), kIsNan);
    note(d, n, true);
  }
}

// Notes the lanes of ymm0 that act.
void Translator::note(const DecodedInsn& d, unsigned number, bool wide) {
  if (is_masked(d)) {
    find_lanes(ymm6, ymm15, number, wide);
    vpandn(ymm0, ymm6, ymm0);
  }
  vpor(ymm5, ymm5, ymm0);
}

// f32: there is one NaN.
void Translator::make_nans_canonical(unsigned count) {
  Label& done = later();
  for (unsigned n = 0; n < count; n += 2) {
    vcmpps(n == 0 ? ymm0 : ymm1, result(n), result(n + 1), kIsNan);
    if (n != 0) vorps(ymm0, ymm0, ymm1);
  }
  vptest(ymm0, ymm0);
  jnz(outside([this, count, &done] {
    vmovaps(ymm1, of_words(kNan));
    for (unsigned n = 0; n < count; ++n) {
      vcmpps(ymm0, result(n), result(n), kIsNan);
      vblendvps(result(n), result(n), ymm1, ymm0);
    }
    jmp(done);
  }));
  L(done);
}

void Translator::call_if_noted(const DecodedInsn& d, Label& done) {
  vptest(ymm5, ymm5);
  jnz(outside([this, &d, &done] {
    emit_call_of_loop(d);
    jmp(done);
  }));
}

void Translator::put_results(const DecodedInsn& d, bool wide) {
  for (unsigned n = 0; n < chunks_of(wide); ++n) put_chunk(d, d.dst, n, wide, result(n));
}

bool Translator::emit_float_compare_avx2(const DecodedInsn& d) {
  const int relation = float_relation(d.op);
  if (relation < 0) return false;
  const bool wide = bits(d.type) == 64;
  for (unsigned n = 0; n < chunks_of(wide); ++n) {
    load_float(d, ymm0, d.a, n);
    load_float(d, ymm1, d.b, n);
    if (wide) vcmppd(ymm0, ymm0, ymm1, static_cast<std::uint8_t>(relation));
    else vcmpps(ymm0, ymm0, ymm1, static_cast<std::uint8_t>(relation));
    add_truths(n, wide);
  }
  finish_compare(d);
  return true;
}

}  // namespace warpsim::engine
