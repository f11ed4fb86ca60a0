// Arithmetic of f32 and f64, with PTX's four roundings, .ftz and .sat; see translator.h. A NaN that comes out is the
// H200's: of f32 the only one. Of f64 the host gives the H200's by itself, its default one, or the first operand that
// is one, where operands stand in the H200's order: b before c before a (isa/kernels/kernels.h); of x * y + z the host
// takes x before y before z (Intel's manual, volume 1, table 14-17; a Zen 5 does so, too). Where they cannot, the
// interpreter's own loop finds out which one it is.
#include <algorithm>
#include <vector>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Zmm;

namespace {
constexpr std::uint8_t kUnordered = 3, kEqual = 0, kNumbers = 7;  // of vcmpps
constexpr std::uint8_t kSubnormal = 0x20;                         // of vfpclassps

// Whether a result can be too small to be normal.
bool can_underflow(Op op) {
  return op == Op::AddF || op == Op::SubF || op == Op::MulF || op == Op::DivF || op == Op::Rcp || op == Op::Fma ||
         op == Op::MadF;
}

bool is_to_nearest(const DecodedInsn& d) { return d.mods.round == Round::None || d.mods.round == Round::Rn; }

// Whether the host gives the H200's NaN of f64. A difference with another rounding is its subtraction.
bool is_nan_of_host(const DecodedInsn& d) {
  switch (d.op) {
    case Op::AddF:
    case Op::MulF:
    case Op::DivF:
    case Op::SqrtF:
    case Op::Rcp:
    case Op::Fma:
    case Op::MadF: return true;
    default: return d.op == Op::SubF && is_to_nearest(d);
  }
}
}  // namespace

void Translator::make_nan_canonical(const Zmm& value) {
  vcmpps(k1, value, value, kUnordered);
  vpbroadcastd(value | k1, ptr[rip + nan_]);
}

namespace {

// Whether of an operand that is a NaN it does not matter which one: the result is the one that f32 has, a number or a
// truth all the same.
bool is_alike_of_all_nans(const DecodedInsn& d) {
  if (d.type != Type::F32 || d.mods.nan || d.mods.xorsign || d.mods.relu) return false;
  switch (d.op) {
    case Op::AddF:
    case Op::SubF:
    case Op::MulF:
    case Op::DivF:
    case Op::Fma:
    case Op::MadF:
    case Op::MinF:
    case Op::MaxF:
    case Op::Ex2Approx: return true;
    default: return d.lift == Lift::Compare;
  }
}

bool has(const std::vector<std::uint32_t>& rows, std::uint32_t row) {
  return std::find(rows.begin(), rows.end(), row) != rows.end();
}

}  // namespace

// Whether nobody finds out which NaN a result of f32 is, as far as straight code shows.
bool Translator::may_be_any_nan(const DecodedInsn& d) const {
  constexpr std::int32_t kFar = 64;  // so that compiling takes no longer than in proportion to the code
  if (!is_live_ || d.guard != kNoOffset || !begins_[0]) return false;  // loops side by side have other rows
  for (std::int32_t pc = d.pc + 1; pc < d.pc + kFar && !begins_[static_cast<std::size_t>(pc)]; ++pc) {
    if (!is_live_(pc, d.dst)) return true;
    const DecodedInsn& next = insns_[static_cast<std::size_t>(pc)];
    if (next.is_in_place) continue;
    if (has(rows_read_by(next), d.dst) && !is_alike_of_all_nans(next)) return false;
    if (has(rows_written_by(next), d.dst)) return next.guard == kNoOffset;
  }
  return false;
}

// A subnormal becomes the zero of its sign. zmm7: the sign bits.
void Translator::flush_subnormals(const Zmm& to, const Zmm& from) {
  vfpclassps(k1, from, kSubnormal);
  if (to.getIdx() != from.getIdx()) vmovaps(to, from);
  vpandd(to | k1, from, zmm7);
}

Zmm Translator::operand_of(const DecodedInsn& d, std::uint32_t line, const Zmm& flushed) {
  const Zmm value = rows_.read(line);
  if (!d.mods.ftz) return value;
  flush_subnormals(flushed, value);
  return flushed;
}

namespace {
Zmm with_rounding(const DecodedInsn& d, const Zmm& operand) {
  switch (d.mods.round) {
    case Round::Rz: return operand | Xbyak::util::T_rz_sae;
    case Round::Rm: return operand | Xbyak::util::T_rd_sae;
    case Round::Rp: return operand | Xbyak::util::T_ru_sae;
    default: return operand;
  }
}
}  // namespace

// One line of f32 or f64; what a NaN becomes is left to the caller, but where it is the host's (is_nan_of_host): of
// sums and products b goes first. Of a - b that is as b * 1 from a. zmm4 to zmm6: operands; zmm7: the sign bits. Lanes
// that do not act get 0: of what they happen to hold, a subnormal would cost the host a hundred cycles.
void Translator::emit_arithmetic(const DecodedInsn& d, const Zmm& to, unsigned at) {
  const bool wide = d.type == Type::F64;
  const Zmm value = is_masked(d) ? to | mask_of(at / 64, wide) | T_z : to;
  const Zmm a = operand_of(d, d.a + at, zmm4);
  const auto b = [&] { return operand_of(d, d.b + at, zmm5); };
  const auto last = [&](const Zmm& operand) { return with_rounding(d, operand); };
  switch (d.op) {
    case Op::AddF: return wide ? vaddpd(value, b(), last(a)) : vaddps(value, a, last(b()));
    case Op::SubF:
      if (!wide) return vsubps(value, a, last(b()));
      if (!is_to_nearest(d)) return vsubpd(value, a, last(b()));
      vmovapd(to, a);
      return vfnmadd231pd(value, b(), ptr_b[rip + one_of_double_]);
    case Op::MulF: return wide ? vmulpd(value, b(), last(a)) : vmulps(value, a, last(b()));
    case Op::DivF: return wide ? vdivpd(value, a, last(b())) : vdivps(value, a, last(b()));
    case Op::Rcp:
      if (wide) vbroadcastsd(zmm5, ptr[rip + one_of_double_]);
      else vbroadcastss(zmm5, ptr[rip + one_]);
      return wide ? vdivpd(value, zmm5, last(a)) : vdivps(value, zmm5, last(a));
    case Op::SqrtF: return wide ? vsqrtpd(value, last(a)) : vsqrtps(value, last(a));
    case Op::AbsF: return vpandnd(to, zmm7, a);
    case Op::NegF: return vpxord(to, zmm7, a);
    case Op::MinF:
    case Op::MaxF: return emit_extreme(d, to, a, b());
    default: {
      const Zmm c = operand_of(d, d.c + at, zmm6);
      if (wide) {  // a NaN of a does not count beside one of c
        vcmppd(k1, c, c, kNumbers);
        vmovapd(to | k1 | T_z, a);
        return vfmadd213pd(value, b(), c);
      }
      vmovaps(to, a);
      vfmadd213ps(value, b(), c);
    }
  }
}

// Of a NaN and a number the number; of equal ones, which differ at most in the sign of zero, either sign bit makes the
// smaller zero and both the larger. The host gives b where either is a NaN.
void Translator::emit_extreme(const DecodedInsn& d, const Zmm& value, const Zmm& a, const Zmm& b) {
  const bool wide = d.type == Type::F64;
  if (d.op == Op::MinF) wide ? vminpd(value, a, b) : vminps(value, a, b);
  else wide ? vmaxpd(value, a, b) : vmaxps(value, a, b);
  wide ? vcmppd(k1, a, b, kEqual) : vcmpps(k1, a, b, kEqual);
  if (d.op == Op::MinF) wide ? vporq(value | k1, a, b) : vpord(value | k1, a, b);
  else wide ? vpandq(value | k1, a, b) : vpandd(value | k1, a, b);
  wide ? vcmppd(k1, b, b, kUnordered) : vcmpps(k1, b, b, kUnordered);
  wide ? vmovapd(value | k1, a) : vmovaps(value | k1, a);
}

bool Translator::emit_float(const DecodedInsn& d) {
  if (d.mods.nan || d.mods.xorsign || d.mods.relu || d.dst == kNoOffset) return false;
  switch (d.op) {
    case Op::AddF:
    case Op::SubF:
    case Op::MulF:
    case Op::DivF:
    case Op::SqrtF:
    case Op::Rcp:
    case Op::AbsF:
    case Op::NegF:
    case Op::MinF:
    case Op::MaxF: break;
    case Op::Fma:
    case Op::MadF:
      if (!is_to_nearest(d)) return false;  // Xbyak 6.68 does not encode the others
      break;
    default: return false;
  }
  if (d.type == Type::F64) return emit_double(d);
  if (d.type != Type::F32) return false;
  if (d.mods.ftz || d.op == Op::AbsF || d.op == Op::NegF) vpbroadcastd(zmm7, ptr[rip + sign_]);
  load_masks(d, false);
  if (d.mods.ftz && can_underflow(d.op)) return emit_flushing(d);
  for (unsigned n = 0; n < 2; ++n) {
    rows_.begin_instruction();
    const Zmm value = rows_.fresh();
    emit_arithmetic(d, value, n * 64);
    finish_single(d, value);
    write(d, d.dst, n, value, false);
  }
  return true;
}

// The only NaN; with .sat what is below zero, or a NaN, becomes +0, and what is above one becomes one.
void Translator::finish_single(const DecodedInsn& d, const Zmm& value) {
  if (!d.mods.sat) {
    if (!may_be_any_nan(d)) make_nan_canonical(value);
    return;
  }
  vpxord(zmm6, zmm6, zmm6);
  vmaxps(value, value, zmm6);  // the second of two zeros, or where one is a NaN
  vminps(value, value, ptr_b[rip + one_]);
}

// Whether a result is tiny is asked after rounding, as if exponents had no end. A subnormal one is; the smallest normal
// one may come from a tiny one that the host has rounded up, which the interpreter's own loop finds out.
bool Translator::emit_flushing(const DecodedInsn& d) {
  const Zmm values[2] = {zmm0, zmm1};
  for (unsigned n = 0; n < 2; ++n) {
    const Opmask smallest(static_cast<int>(2 + n));
    rows_.begin_instruction();
    emit_arithmetic(d, values[n], n * 64);
    vpandnd(zmm4, zmm7, values[n]);
    vpcmpeqd(smallest, zmm4, ptr_b[rip + smallest_normal_]);
    flush_subnormals(values[n], values[n]);
    finish_single(d, values[n]);
  }
  korw(k1, k2, k3);
  take_or_call(d, values, 2, false);
  return true;
}

bool Translator::emit_double(const DecodedInsn& d) {
  if (is_nan_of_host(d)) {
    each_line(d, true, [&](unsigned at) {
      const Zmm value = rows_.fresh();
      emit_arithmetic(d, value, at);
      return value;
    });
    return true;
  }
  const Zmm values[4] = {zmm0, zmm1, zmm2, zmm3};
  if (d.op == Op::AbsF || d.op == Op::NegF) vpbroadcastq(zmm7, ptr[rip + sign_of_double_]);
  load_masks(d, true);
  for (unsigned n = 0; n < 4; ++n) {
    rows_.begin_instruction();
    emit_arithmetic(d, values[n], n * 64);
    vcmppd(n == 0 ? k2 : k1, values[n], values[n], kUnordered);
    if (n != 0) korb(k2, k2, k1);
  }
  kmovb(k1, k2);
  take_or_call(d, values, 4, true);
  return true;
}

// The results of all lines; but where a bit of k1 is set, what the interpreter's own loop gives.
void Translator::take_or_call(const DecodedInsn& d, const Zmm* values, unsigned lines, bool wide) {
  rows_.begin_instruction();
  std::vector<Zmm> old, results;
  const bool keeps_some = is_masked(d) && is_for_resting(d, d.dst);
  for (unsigned n = 0; keeps_some && n < lines; ++n) old.push_back(rows_.read(d.dst + n * 64));
  // Registers for the results first: what is stored for them is stored before the branch.
  for (unsigned n = 0; n < lines; ++n) results.push_back(rows_.fresh());
  const RowCache::State before = rows_.state();
  for (unsigned n = 0; n < lines; ++n) define(d.dst + n * 64, results[n]);
  Xbyak::Label& done = later();
  kortestw(k1, k1);
  jnz(calling(d, before, rows_.state(), done));
  for (unsigned n = 0; n < lines; ++n) {
    const Opmask active = mask_of(n, wide);
    if (!keeps_some) vmovapd(results[n], values[n]);
    else if (wide) vpblendmq(results[n] | active, old[n], values[n]);
    else vpblendmd(results[n] | active, old[n], values[n]);
  }
  L(done);
}

void Translator::emit_float_constants() {
  L(one_of_double_);
  dq(0x3ff0000000000000);
  L(sign_of_double_);
  dq(0x8000000000000000);
  L(one_);
  dd(0x3f800000);
  L(smallest_normal_);
  dd(0x00800000);
}

// PTX's relations as predicates of vcmpps (Intel SDM, volume 2, "CMPPS"); -1: none.
int Translator::float_relation(Op op) {
  switch (op) {
    case Op::SetpEq: return 0x00;
    case Op::SetpNe: return 0x0c;
    case Op::SetpLt: return 0x11;
    case Op::SetpLe: return 0x12;
    case Op::SetpGt: return 0x1e;
    case Op::SetpGe: return 0x1d;
    case Op::SetpEqu: return 0x08;
    case Op::SetpNeu: return 0x04;
    case Op::SetpLtu: return 0x19;
    case Op::SetpLeu: return 0x1a;
    case Op::SetpGtu: return 0x16;
    case Op::SetpGeu: return 0x15;
    case Op::SetpNum: return 0x07;
    case Op::SetpNan: return 0x03;
    default: return -1;
  }
}

}  // namespace warpsim::engine
