// Arithmetic of f32 and f64 to nearest, without modifiers; see translator.h. A NaN that comes out is the H200's: of f32
// the only one; which one of f64 the interpreter's own loop finds out.
#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Zmm;

namespace {
bool is_plain(const Mods& m) {
  return !m.ftz && !m.sat && !m.nan && !m.xorsign && (m.round == Round::None || m.round == Round::Rn);
}
constexpr std::uint8_t kUnordered = 3, kEqual = 0;
}  // namespace

void Translator::make_nan_canonical(const Zmm& value) {
  vcmpps(k1, value, value, kUnordered);
  vpbroadcastd(value | k1, ptr[rip + nan_]);
}

// One line of f32 or f64; what a NaN becomes is left to the caller. zmm7: the sign bits.
void Translator::emit_arithmetic(const DecodedInsn& d, const Zmm& value, unsigned at) {
  const bool wide = d.type == Type::F64;
  const Zmm a = rows_.read(d.a + at);
  const auto b = [&] { return rows_.read(d.b + at); };
  switch (d.op) {
    case Op::AddF: return wide ? vaddpd(value, a, b()) : vaddps(value, a, b());
    case Op::SubF: return wide ? vsubpd(value, a, b()) : vsubps(value, a, b());
    case Op::MulF: return wide ? vmulpd(value, a, b()) : vmulps(value, a, b());
    case Op::DivF: return wide ? vdivpd(value, a, b()) : vdivps(value, a, b());
    case Op::SqrtF: return wide ? vsqrtpd(value, a) : vsqrtps(value, a);
    case Op::AbsF: return vpandnd(value, zmm7, a);
    case Op::NegF: return vpxord(value, zmm7, a);
    case Op::MinF:
    case Op::MaxF: return emit_extreme(d, value, a, b());
    default:
      vmovaps(value, a);
      if (wide) vfmadd213pd(value, b(), rows_.read(d.c + at));
      else vfmadd213ps(value, b(), rows_.read(d.c + at));
  }
}

// Of a NaN and a number the number; of equal ones, which differ at most in the sign of zero, either sign bit makes the
// smaller zero and both the larger. The host gives b where either is a NaN.
void Translator::emit_extreme(const DecodedInsn& d, const Zmm& value, const Zmm& a, const Zmm& b) {
  if (d.op == Op::MinF) vminps(value, a, b);
  else vmaxps(value, a, b);
  vcmpps(k1, a, b, kEqual);
  if (d.op == Op::MinF) vpord(value | k1, a, b);
  else vpandd(value | k1, a, b);
  vcmpps(k1, b, b, kUnordered);
  vmovaps(value | k1, a);
}

bool Translator::emit_float(const DecodedInsn& d) {
  if (!is_plain(d.mods)) return false;
  switch (d.op) {
    case Op::AddF:
    case Op::SubF:
    case Op::MulF:
    case Op::DivF:
    case Op::SqrtF:
    case Op::Fma:
    case Op::MadF: break;
    case Op::AbsF:
    case Op::NegF:
    case Op::MinF:
    case Op::MaxF:
      if (d.type != Type::F32) return false;
      break;
    default: return false;
  }
  if (d.type == Type::F64) return emit_double(d);
  if (d.type != Type::F32) return false;
  if (d.op == Op::AbsF || d.op == Op::NegF) vpbroadcastd(zmm7, ptr[rip + sign_]);
  load_masks(d, false);
  for (unsigned n = 0; n < 2; ++n) {
    rows_.begin_instruction();
    const Zmm value = rows_.fresh();
    emit_arithmetic(d, value, n * 64);
    make_nan_canonical(value);
    write(d, d.dst, n, value, false);
  }
  return true;
}

bool Translator::emit_double(const DecodedInsn& d) {
  if (is_masked(d)) return false;
  const Zmm values[4] = {zmm0, zmm1, zmm2, zmm3};
  for (unsigned n = 0; n < 4; ++n) {
    rows_.begin_instruction();
    emit_arithmetic(d, values[n], n * 64);
    vcmppd(n == 0 ? k1 : k2, values[n], values[n], kUnordered);
    if (n != 0) korb(k1, k1, k2);
  }
  // Registers for the results first: what is stored for them is stored before the branch.
  rows_.begin_instruction();
  const Zmm results[4] = {rows_.fresh(), rows_.fresh(), rows_.fresh(), rows_.fresh()};
  const RowCache::State before = rows_.state();
  for (unsigned n = 0; n < 4; ++n) define(d.dst + n * 64, results[n]);
  Xbyak::Label& done = later();
  kortestb(k1, k1);
  jnz(calling(d, before, rows_.state(), done));
  for (unsigned n = 0; n < 4; ++n) vmovapd(results[n], values[n]);
  L(done);
  return true;
}

}  // namespace warpsim::engine
