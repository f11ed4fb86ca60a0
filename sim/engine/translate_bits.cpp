// Integers of 16 bits, fields of bits, funnel shifts, reversed and counted bits, upper halves of products; see
// translator.h. A register of 16 bits is a row of words whose upper halves are 0.
#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Zmm;

void Translator::emit_bit_constants() {
  align(64);
  L(nibbles_low_);  // of each nibble its bits in reverse order, at the byte's other end
  for (unsigned copy = 0; copy < 4; ++copy)
    for (const int x : {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}) db(x << 4);
  L(nibbles_high_);
  for (unsigned copy = 0; copy < 4; ++copy)
    for (const int x : {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}) db(x);
  L(bytes_of_words_);
  for (int k = 0; k < 64; ++k) db((k % 16) ^ 3);
  L(bytes_of_doubles_);
  for (int k = 0; k < 64; ++k) db((k % 16) ^ 7);
  L(nibble_);
  dd(0x0f0f0f0f);
  L(width_);
  dd(32);
  L(two_to_31_);
  dd(0x4f000000);
}

bool Translator::emit_bits(const DecodedInsn& d) {
  if (d.dst == kNoOffset) return false;
  switch (d.op) {
    case Op::SetpEqNarrow:
    case Op::SetpNeNarrow:
    case Op::SetpLtNarrow:
    case Op::SetpLeNarrow:
    case Op::SetpGtNarrow:
    case Op::SetpGeNarrow: return emit_compare(d);
    case Op::Rcp: return emit_float(d);
    case Op::RsqrtApprox:
    case Op::Ex2Approx: return emit_approximate(d);
    case Op::Brev: return emit_reversal(d);
    case Op::ShfLeftClamp:
    case Op::ShfLeftWrap:
    case Op::ShfRightClamp:
    case Op::ShfRightWrap: return emit_funnel(d);
    case Op::Bfe:
    case Op::Bfi: return emit_field(d);
    default: return emit_narrow(d);
  }
}

// A word's low 16 bits in its upper half: what is signed there compares and shifts as the type says.
void Translator::raise_half(const Zmm& to, std::uint32_t line) { vpslld(to, rows_.read(line), 16); }
void Translator::extend_half(const Zmm& to, std::uint32_t line, bool with_sign) {
  raise_half(to, line);
  if (with_sign) vpsrad(to, to, 16);
  else vpsrld(to, to, 16);
}

bool Translator::emit_narrow(const DecodedInsn& d) {
  if (bits(d.type) != 16 || is_float(d.type)) return false;
  const bool with_sign = is_signed(d.type);
  bool is_word = false;  // the result has 32 bits
  switch (d.op) {
    case Op::MulWideNarrow:
    case Op::MadWideNarrow: is_word = true; break;
    case Op::AddNarrow:
    case Op::SubNarrow:
    case Op::MulLoNarrow:
    case Op::MadLoNarrow:
    case Op::AndNarrow:
    case Op::OrNarrow:
    case Op::XorNarrow:
    case Op::NotNarrow:
    case Op::NegNarrow:
    case Op::MinNarrow:
    case Op::MaxNarrow:
    case Op::ShlNarrow:
    case Op::ShrNarrow: break;
    default: return false;
  }
  each_line(d, false, [&](unsigned at) {
    const Zmm value = rows_.fresh();
    emit_narrow_operation(d, value, at, with_sign);
    if (is_word) return value;
    vpslld(value, value, 16);
    vpsrld(value, value, 16);
    return value;
  });
  return true;
}

void Translator::emit_narrow_operation(const DecodedInsn& d, const Zmm& r, unsigned at, bool with_sign) {
  const Zmm a = rows_.read(d.a + at);
  const auto b = [&] { return rows_.read(d.b + at); };
  switch (d.op) {
    case Op::AddNarrow: return vpaddd(r, a, b());
    case Op::SubNarrow: return vpsubd(r, a, b());
    case Op::MulLoNarrow: return vpmulld(r, a, b());
    case Op::MadLoNarrow: vpmulld(r, a, b()); return vpaddd(r, r, rows_.read(d.c + at));
    case Op::AndNarrow: return vpandd(r, a, b());
    case Op::OrNarrow: return vpord(r, a, b());
    case Op::XorNarrow: return vpxord(r, a, b());
    case Op::NotNarrow: return vpternlogd(r, a, a, 0x55);
    case Op::NegNarrow: vpxord(zmm0, zmm0, zmm0); return vpsubd(r, zmm0, a);
    case Op::ShlNarrow: return vpsllvd(r, a, b());
    case Op::ShrNarrow:
      extend_half(zmm0, d.a + at, with_sign);
      return with_sign ? vpsravd(r, zmm0, b()) : vpsrlvd(r, zmm0, b());
    case Op::MinNarrow:
    case Op::MaxNarrow:
      raise_half(zmm0, d.a + at);
      raise_half(zmm1, d.b + at);
      if (d.op == Op::MinNarrow) with_sign ? vpminsd(r, zmm0, zmm1) : vpminud(r, zmm0, zmm1);
      else with_sign ? vpmaxsd(r, zmm0, zmm1) : vpmaxud(r, zmm0, zmm1);
      return vpsrld(r, r, 16);
    default:
      extend_half(zmm0, d.a + at, with_sign);
      extend_half(zmm1, d.b + at, with_sign);
      vpmulld(r, zmm0, zmm1);
      if (d.op == Op::MadWideNarrow) vpaddd(r, r, rows_.read(d.c + at));
  }
}

// The nibbles of each byte reversed and exchanged, then the bytes.
bool Translator::emit_reversal(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64;
  each_line(d, wide, [&](unsigned at) {
    const Zmm a = rows_.read(d.a + at), value = rows_.fresh();
    vpandd(zmm0, a, ptr_b[rip + nibble_]);
    vpsrld(zmm1, a, 4);
    vpandd(zmm1, zmm1, ptr_b[rip + nibble_]);
    vmovdqa64(zmm2, ptr[rip + nibbles_low_]);
    vpshufb(zmm0, zmm2, zmm0);
    vmovdqa64(zmm2, ptr[rip + nibbles_high_]);
    vpshufb(zmm1, zmm2, zmm1);
    vpord(zmm0, zmm0, zmm1);
    vpshufb(value, zmm0, ptr[rip + (wide ? bytes_of_doubles_ : bytes_of_words_)]);
    return value;
  });
  return true;
}

// Shifts by 32 and more give 0.
bool Translator::emit_funnel(const DecodedInsn& d) {
  const bool left = d.op == Op::ShfLeftClamp || d.op == Op::ShfLeftWrap;
  const bool clamps = d.op == Op::ShfLeftClamp || d.op == Op::ShfRightClamp;
  each_line(d, false, [&](unsigned at) {
    const Zmm a = rows_.read(d.a + at), b = rows_.read(d.b + at), c = rows_.read(d.c + at), value = rows_.fresh();
    if (clamps) vpminud(zmm0, c, ptr_b[rip + width_]);
    else vpandd(zmm0, c, ptr_b[rip + lane_bits_]);
    vpbroadcastd(zmm1, ptr[rip + width_]);
    vpsubd(zmm1, zmm1, zmm0);
    vpsllvd(value, b, left ? zmm0 : zmm1);
    vpsrlvd(zmm2, a, left ? zmm1 : zmm0);
    vpord(value, value, zmm2);
    return value;
  });
  return true;
}

// Positions and lengths are eight bits of a word.
bool Translator::emit_field(const DecodedInsn& d) {
  if (bits(d.type) != 32) return false;
  each_line(d, false, [&](unsigned at) {
    const bool inserts = d.op == Op::Bfi;
    const Zmm a = rows_.read(d.a + at), value = rows_.fresh();
    vpandd(zmm0, rows_.read((inserts ? d.c : d.b) + at), ptr_b[rip + low_byte_]);  // the place
    vpandd(zmm1, rows_.read((inserts ? d.d : d.c) + at), ptr_b[rip + low_byte_]);  // the length
    vpternlogd(zmm2, zmm2, zmm2, 0xff);
    if (inserts) {
      vpsllvd(zmm1, zmm2, zmm1);
      vpandnd(zmm1, zmm1, zmm2);
      vpsllvd(zmm1, zmm1, zmm0);  // the field
      vpsllvd(value, a, zmm0);
      vpternlogd(value, rows_.read(d.b + at), zmm1, 0xe4);  // the field of `value`, else of b
    } else if (is_signed(d.type)) {
      vpbroadcastd(zmm2, ptr[rip + width_]);
      vpminud(zmm1, zmm1, zmm2);
      vpsubd(zmm1, zmm2, zmm1);
      vpsravd(value, a, zmm0);
      vpsllvd(value, value, zmm1);
      vpsravd(value, value, zmm1);
    } else {
      vpsllvd(zmm1, zmm2, zmm1);
      vpsrlvd(value, a, zmm0);
      vpandnd(value, zmm1, value);
    }
    return value;
  });
  return true;
}

bool Translator::emit_count(const DecodedInsn& d) {
  if (!__builtin_cpu_supports("avx512vpopcntdq")) return false;
  each_line(d, false, [&](unsigned at) {
    const Zmm value = rows_.fresh();
    if (bits(d.type) == 64) {
      vpopcntq(zmm0, rows_.read(d.a + at * 2));
      vpopcntq(zmm1, rows_.read(d.a + at * 2 + 64));
      narrow_lines(value, zmm0, zmm1);
    } else {
      vpopcntd(value, rows_.read(d.a + at));
    }
    return value;
  });
  return true;
}

// Words with even numbers and those with odd ones multiply apart.
bool Translator::emit_upper_product(const DecodedInsn& d) {
  if (bits(d.type) != 32) return false;
  each_line(d, false, [&](unsigned at) {
    const Zmm a = rows_.read(d.a + at), b = rows_.read(d.b + at), value = rows_.fresh();
    const auto multiply = [&](const Zmm& to, const Zmm& x, const Zmm& y) {
      if (is_signed(d.type)) vpmuldq(to, x, y);
      else vpmuludq(to, x, y);
    };
    multiply(value, a, b);
    vpsrlq(zmm0, a, 32);
    vpsrlq(zmm1, b, 32);
    multiply(zmm0, zmm0, zmm1);
    vpsrlq(value, value, 32);
    mov(ecx, 0xaaaa);
    kmovw(k1, ecx);
    vmovdqa32(value | k1, zmm0);
    if (d.op == Op::MadHi) vpaddd(value, value, rows_.read(d.c + at));
    return value;
  });
  return true;
}

}  // namespace warpsim::engine
