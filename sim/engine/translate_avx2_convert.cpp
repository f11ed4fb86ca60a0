// Conversions for hosts with AVX2 and no AVX-512; see translate_avx2.cpp. What is not here is a call of the
// interpreter's own loop: f32 from integers of 64 bits, halves, and what few programs ask for.
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Xmm;
using Xbyak::Ymm;

namespace {
constexpr std::uint8_t kIsAtLeast = 0x1d, kHasNumbers = 0x07, kHasNan = 0x03;  // of vcmpps
constexpr std::uint64_t kTwoTo84 = 0x4530000000000000;

// Of vroundps; -1: not to an integer.
int integral_rounding(Round round) {
  switch (round) {
    case Round::Rni: return 0;
    case Round::Rmi: return 1;
    case Round::Rpi: return 2;
    case Round::Rzi: return 3;
    default: return -1;
  }
}
std::uint32_t largest_of(Type type) { return 0xffffffffU >> (32 - bits(type) + (is_signed(type) ? 1 : 0)); }
}  // namespace

bool Translator::emit_conversion_avx2(const DecodedInsn& d) {
  const Type to = d.type, from = d.type2;
  if (d.mods.relu || d.mods.satfinite || is_pair(to) || is_pair(from)) return false;
  if (is_float(to) && is_float(from)) return emit_conversion_of_floats_avx2(d);
  if (d.mods.sat) return emit_saturation_avx2(d);
  if (is_float(to)) return emit_conversion_to_float_avx2(d);
  if (is_float(from)) return emit_conversion_to_integer_avx2(d);
  return emit_integer_conversion_avx2(d);
}

// A word's low bits as that type's number.
void Translator::extend_chunk(const Ymm& value, Type type) {
  const std::uint8_t above = static_cast<std::uint8_t>(32 - bits(type));
  if (above == 0) return;
  vpslld(value, value, above);
  is_signed(type) ? vpsrad(value, value, above) : vpsrld(value, value, above);
}

// A number as a register of that type has it: of 16 bits, in which s8 has its sign on.
void Translator::cut_chunk(const Ymm& value, Type type) {
  if (bits(type) >= 32) return;
  if (bits(type) == 8 && type != Type::S8) return vpand(value, value, of_words(0xff));
  if (type == Type::S8) {
    vpslld(value, value, 24);
    vpsrad(value, value, 24);
  }
  vpand(value, value, of_words(0xffff));
}

// Numbers of 32 bits, which those of fewer are too.
void Translator::load_number(const Ymm& to, const DecodedInsn& d, unsigned number) {
  vmovdqa(to, chunk(d.a, number));
  extend_chunk(to, d.type2);
}

bool Translator::emit_integer_conversion_avx2(const DecodedInsn& d) {
  const Type to = d.type, from = d.type2;
  const bool wide = bits(to) == 64, from_wide = bits(from) == 64;
  return emit_rows_avx2(d, wide, [&](unsigned n) {
    if (wide && from_wide) return vmovdqa(ymm0, chunk(d.a, n));
    if (wide) {
      vmovdqa(xmm0, half_chunk(d.a, n));
      extend_chunk(Ymm(xmm0.getIdx()), from);
      return is_signed(from) ? vpmovsxdq(ymm0, xmm0) : vpmovzxdq(ymm0, xmm0);
    }
    if (from_wide) take_words(d.a, n, 0);
    else load_number(ymm0, d, n);
    cut_chunk(ymm0, to);
  });
}

// A number of 32 bits, signed or not, to the nearest one that the type has.
void Translator::clamp_chunk(const Ymm& value, Type type, bool with_sign) {
  if (with_sign && !(is_signed(type) && bits(type) == 32))
    vpmaxsd(value, value, of_words(is_signed(type) ? ~largest_of(type) : 0));
  if (!with_sign) return vpminud(value, value, of_words(largest_of(type)));
  if (bits(type) < 32) vpminsd(value, value, of_words(largest_of(type)));
}

bool Translator::emit_saturation_avx2(const DecodedInsn& d) {
  if (is_float(d.type) || is_float(d.type2) || bits(d.type) == 64 || bits(d.type2) == 64) return false;
  return emit_rows_avx2(d, false, [&](unsigned n) {
    load_number(ymm0, d, n);
    clamp_chunk(ymm0, d.type, is_signed(d.type2));
    cut_chunk(ymm0, d.type);
  });
}

bool Translator::emit_conversion_to_float_avx2(const DecodedInsn& d) {
  const Type from = d.type2;
  const bool wide = d.type == Type::F64, from_wide = bits(from) == 64;
  if (d.mods.round != Round::Rn || !(wide || (d.type == Type::F32 && !from_wide))) return false;
  return emit_rows_avx2(d, wide, [&](unsigned n) {
    if (from_wide) {  // the upper words as multiples of 2^32 above 2^84, the lower ones above 2^52
      vmovdqa(ymm1, chunk(d.a, n));
      vpblendd(ymm0, ymm1, of_all(kTwoTo52), 0xaa);
      vpsrlq(ymm1, ymm1, 32);
      vpxor(ymm1, ymm1, of_all(is_signed(from) ? kTwoTo84 | 0x80000000 : kTwoTo84));
      vsubpd(ymm1, ymm1, of_all(is_signed(from) ? kTwoTo84 + 0x80100000 : kTwoTo84 + 0x00100000));
      return vaddpd(ymm0, ymm0, ymm1);
    }
    if (wide) {
      vmovdqa(xmm0, half_chunk(d.a, n));
      extend_chunk(ymm0, from);
      if (from != Type::U32) return vcvtdq2pd(ymm0, xmm0);
      vpmovzxdq(ymm0, xmm0);
      vpor(ymm0, ymm0, of_all(kTwoTo52));
      return vsubpd(ymm0, ymm0, of_all(kTwoTo52));
    }
    load_number(ymm0, d, n);
    if (from != Type::U32) return vcvtdq2ps(ymm0, ymm0);
    vpsrld(ymm1, ymm0, 16);
    vpand(ymm0, ymm0, of_words(0xffff));
    vcvtdq2ps(ymm1, ymm1);
    vcvtdq2ps(ymm0, ymm0);
    vfmadd231ps(ymm0, ymm1, of_words(0x47800000));  // 2^16: both halves are exact
  });
}

// NaN becomes 0; what is too large or too small, the nearest integer that exists.
bool Translator::emit_conversion_to_integer_avx2(const DecodedInsn& d) {
  const int how = integral_rounding(d.mods.round);
  if (how < 0) return false;
  if (bits(d.type) == 64) return emit_conversion_to_long_avx2(d);
  if (d.type2 == Type::F64) return emit_double_to_integer_avx2(d);
  if (d.type2 != Type::F32) return false;
  return emit_rows_avx2(d, false, [&](unsigned n) {
    load_float(d, ymm0, d.a, n);
    vroundps(ymm0, ymm0, static_cast<std::uint8_t>(how));
    if (d.type == Type::U32) {  // what has the highest bit is moved below it, and back
      vmaxps(ymm0, ymm0, of_words(0));
      vcmpps(ymm1, ymm0, of_words(0x4f000000), kIsAtLeast);
      vandps(ymm2, ymm1, of_words(0x4f000000));
      vcmpps(ymm3, ymm0, of_words(0x4f800000), kIsAtLeast);
      vsubps(ymm0, ymm0, ymm2);
      vcvttps2dq(ymm0, ymm0);
      vpslld(ymm1, ymm1, 31);
      vpxor(ymm0, ymm0, ymm1);
      return vpor(ymm0, ymm0, ymm3);
    }
    vcmpps(ymm1, ymm0, ymm0, kHasNumbers);
    vcmpps(ymm2, ymm0, of_words(0x4f000000), kIsAtLeast);
    vcvttps2dq(ymm0, ymm0);  // the smallest integer where there is none
    vpxor(ymm0, ymm0, ymm2);
    vpand(ymm0, ymm0, ymm1);
    if (bits(d.type) == 32) return;
    clamp_chunk(ymm0, d.type, true);
    cut_chunk(ymm0, d.type);
  });
}

// Words of 128 bits each, in their order.
void Translator::join_halves(const Ymm& low, const Ymm& high) { vinserti128(low, low, Xmm(high.getIdx()), 1); }

// NaN becomes the highest bit.
bool Translator::emit_double_to_integer_avx2(const DecodedInsn& d) {
  const std::uint8_t how = static_cast<std::uint8_t>(integral_rounding(d.mods.round));
  if (bits(d.type) != 32) return false;
  const auto load = [&](const Ymm& to, unsigned n) {
    vroundpd(to, chunk(d.a, n), how);
    if (is_signed(d.type)) {
      vmovapd(ymm2, of_all(0x41dfffffffc00000));  // 2^31 - 1
      vminpd(to, ymm2, to);                       // the second where one is a NaN
      return vcvttpd2dq(Xmm(to.getIdx()), to);    // the smallest integer where there is none
    }
    vcmppd(ymm3, to, to, kHasNan);
    vxorpd(ymm2, ymm2, ymm2);
    vmaxpd(to, to, ymm2);
    vminpd(to, to, of_all(0x41efffffffe00000));  // 2^32 - 1
    vaddpd(to, to, of_all(kTwoTo52));
    vblendvpd(to, to, of_all(0x80000000), ymm3);
  };
  return emit_rows_avx2(d, false, [&](unsigned n) {
    load(ymm0, 2 * n);
    load(ymm1, 2 * n + 1);
    if (is_signed(d.type)) return join_halves(ymm0, ymm1);
    take_low_words(ymm0, ymm1);
  });
}

// Below 2^51 a number added to 1.5 * 2^52 is what the sum's bits are more than those. All others the interpreter's own
// loop converts.
bool Translator::emit_conversion_to_long_avx2(const DecodedInsn& d) {
  constexpr std::uint64_t kTwoTo51 = 0x4320000000000000, kOfBoth = 0x4338000000000000;
  constexpr std::uint8_t kIsNotBelow = 5, kIsBelow = 0x11;
  const std::uint8_t how = static_cast<std::uint8_t>(integral_rounding(d.mods.round));
  if ((d.type2 != Type::F64 && d.type2 != Type::F32) || d.mods.ftz) return false;
  Xbyak::Label& done = later();
  load_resting(d);
  vpxor(ymm5, ymm5, ymm5);
  for (unsigned n = 0; n < chunks_of(true); ++n) {
    const Ymm value = result(n);
    if (d.type2 == Type::F64) vmovapd(value, chunk(d.a, n));
    else vcvtps2pd(value, half_chunk(d.a, n));
    vroundpd(value, value, how);
    vandpd(ymm0, value, of_all(~(std::uint64_t{1} << 63)));
    vcmppd(ymm0, ymm0, of_all(kTwoTo51), kIsNotBelow);
    note(d, n, true);
    if (!is_signed(d.type)) {
      vcmppd(ymm0, value, of_all(0), kIsBelow);
      note(d, n, true);
    }
    vaddpd(value, value, of_all(kOfBoth));
    vpsubq(value, value, of_all(kOfBoth));
  }
  call_if_noted(d, done);
  put_results(d, true);
  L(done);
  return true;
}

// Between f32 and f64 a NaN keeps its sign and the upper bits of its payload, as on the host.
bool Translator::emit_conversion_of_floats_avx2(const DecodedInsn& d) {
  const Mods& mods = d.mods;
  const bool wide = d.type == Type::F64, from_wide = d.type2 == Type::F64;
  const int how = integral_rounding(mods.round);
  if (!(wide || d.type == Type::F32) || !(from_wide || d.type2 == Type::F32)) return false;
  if (wide != from_wide) {
    if (mods.ftz || mods.sat || (mods.round != Round::None && mods.round != Round::Rn)) return false;
    return emit_rows_avx2(d, wide, [&](unsigned n) {
      if (wide) return vcvtps2pd(ymm0, half_chunk(d.a, n));
      for (unsigned half = 0; half < 2; ++half) {
        vmovapd(half == 0 ? ymm0 : ymm1, chunk(d.a, 2 * n + half));
        half == 0 ? vcvtpd2ps(xmm0, ymm0) : vcvtpd2ps(xmm1, ymm1);
      }
      join_halves(ymm0, ymm1);
    });
  }
  const bool moves = mods == Mods{};
  if (mods.round != Round::None && how < 0) return false;
  if (wide && (mods.ftz || mods.sat)) return false;
  return emit_rows_avx2(d, wide, [&](unsigned n) {
    load_float(d, ymm0, d.a, n);
    if (how >= 0)
      wide ? vroundpd(ymm0, ymm0, static_cast<std::uint8_t>(how))
           : vroundps(ymm0, ymm0, static_cast<std::uint8_t>(how));
    if (mods.sat) return saturate_chunk(ymm0);
    if (wide || moves) return;
    vcmpps(ymm1, ymm0, ymm0, kHasNan);
    vblendvps(ymm0, ymm0, of_words(0x7fffffff), ymm1);
  });
}

}  // namespace warpsim::engine
