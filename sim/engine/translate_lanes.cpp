// Integers, bits, copies and predicates, 16 lanes of 32 bits or 8 of 64 bits at a time; see translator.h.
#include <bit>
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Ymm;
using Xbyak::Zmm;

namespace {
unsigned lines_of(bool wide) { return wide ? 4 : 2; }
constexpr std::int64_t kLargestSize = 1 << 16;
constexpr std::uint8_t kAtLeast = 0x1d, kOrdered = 0x07;  // of vcmpps
}  // namespace

void Translator::load_active(const DecodedInsn& d) {
  if (d.guard == kNoOffset) return mov(rax, r14);
  if (d.guard == in_r11_) mov(rax, r11);
  else mov(rax, ptr[r12 + static_cast<int>(d.guard)]);
  if (d.guard_flip != 0) not_(rax);
  and_(rax, r14);
}

void Translator::load_masks(const DecodedInsn& d, bool wide) {
  if (!is_masked(d)) return;
  if (d.guard == kNoOffset) return load_masks_of_group(wide ? Masks::Wide : Masks::Narrow);
  load_active(d);
  spread_masks(wide);
}

// What is there already need not be made again.
void Translator::load_masks_of_group(Masks wanted) {
  if (masks_ >= wanted) return;
  mov(rax, r14);
  spread_masks(wanted == Masks::Wide);
  masks_ = wanted;
}

// rax: lanes.
void Translator::spread_masks(bool wide) {
  masks_ = Masks::None;
  kmovd(k4, eax);
  kshiftrd(k6, k4, 16);
  if (!wide) return;
  kshiftrd(k5, k4, 8);
  kshiftrd(k7, k4, 24);
}

// Whether its code leaves k4 to k7 as they are, if it makes none of its own.
bool Translator::keeps_masks(const DecodedInsn& d) {
  if (d.op == Op::Ex2Approx || d.op == Op::RsqrtApprox) return false;
  switch (d.lift) {
    case Lift::Nothing:
    case Lift::Lane:
    case Lift::LoadParam:
    case Lift::Pack:
    case Lift::Unpack:
    case Lift::Bits:
    case Lift::Compare: return true;
    case Lift::Load:
    case Lift::Store: return !d.watched && is_direct(d);
    default: return false;
  }
}

bool Translator::emit_lanes(const DecodedInsn& d) {
  if (d.dst == kNoOffset) return false;
  switch (d.op) {
    case Op::Mov:
      if (d.type == Type::Pred) return emit_predicates(d);
      return emit_copy(d, d.a, bits(d.type) == 64);
    case Op::CvtaGlobal:
    case Op::CvtaToGlobal:
    case Op::CvtaConst:
    case Op::CvtaToConst: return emit_copy(d, d.a, true);
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Not:
      if (d.type == Type::Pred) return emit_predicates(d);
      return emit_integer(d);
    case Op::Selp: return emit_selection(d);
    case Op::Shl:
    case Op::Shr: return emit_shift(d);
    case Op::MulWide:
    case Op::MadWide: return emit_wide_product(d);
    case Op::Cvt: return emit_conversion(d);
    case Op::Popc: return emit_count(d);
    case Op::MulHi:
    case Op::MadHi: return emit_upper_product(d);
    default: return emit_integer(d) || emit_float(d);
  }
}

bool Translator::emit_copy(const DecodedInsn& d, std::uint32_t from, bool wide) {
  each_line(d, wide, [&](unsigned at) {
    const Zmm source = rows_.read(from + at), value = rows_.fresh();
    vmovdqa64(value, source);
    return value;
  });
  return true;
}

// A row of predicates holds a bit of each lane.
void Translator::load_predicate(const Opmask& k, std::uint32_t row, LaneMask flip, unsigned line, bool wide) {
  const Xbyak::Address bits_of_line = ptr[r12 + static_cast<int>(row + line * (wide ? 1 : 2))];
  if (wide) kmovb(k, bits_of_line);
  else kmovw(k, bits_of_line);
  if (flip != 0) wide ? knotb(k, k) : knotw(k, k);
}

// Where a lane's choice is to be heard of, the machine makes it.
void Translator::check_choices(const DecodedInsn& d) {
  if (!d.choices) return;
  load_active(d);
  const Xbyak::Reg64 bits = rdx, others = rcx;
  mov(bits.cvt32(), dword[r12 + static_cast<int>(d.p)]);
  if (d.p_flip != 0) not_(bits.cvt32());
  mov(others.cvt32(), bits.cvt32());
  not_(others.cvt32());
  and_(bits.cvt32(), static_cast<std::uint32_t>(d.choices->first));
  and_(others.cvt32(), static_cast<std::uint32_t>(d.choices->second));
  or_(bits.cvt32(), others.cvt32());
  test(eax, bits.cvt32());
  jnz(leaving(d.pc, not_issued_at(d.pc)));
}

bool Translator::emit_selection(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64;
  each_line(d, wide, [&](unsigned at) {
    const Zmm a = rows_.read(d.a + at), b = rows_.read(d.b + at), value = rows_.fresh();
    load_predicate(k1, d.p, d.p_flip, at / 64, wide);
    if (wide) vpblendmq(value | k1, b, a);
    else vpblendmd(value | k1, b, a);
    return value;
  });
  return true;
}

void Translator::emit_operation(const DecodedInsn& d, const Zmm& r, const Zmm& a, const Zmm& b, std::uint32_t c) {
  const bool wide = bits(d.type) == 64, negative = is_signed(d.type);
  switch (d.op) {
    case Op::Add: return wide ? vpaddq(r, a, b) : vpaddd(r, a, b);
    case Op::Sub: return wide ? vpsubq(r, a, b) : vpsubd(r, a, b);
    case Op::MulLo: return wide ? vpmullq(r, a, b) : vpmulld(r, a, b);
    case Op::MadLo:
      if (wide) vpmullq(r, a, b);
      else vpmulld(r, a, b);
      return wide ? vpaddq(r, r, rows_.read(c)) : vpaddd(r, r, rows_.read(c));
    case Op::And: return vpandq(r, a, b);
    case Op::Or: return vporq(r, a, b);
    case Op::Xor: return vpxorq(r, a, b);
    case Op::Min:
      if (wide) return negative ? vpminsq(r, a, b) : vpminuq(r, a, b);
      return negative ? vpminsd(r, a, b) : vpminud(r, a, b);
    default:
      if (wide) return negative ? vpmaxsq(r, a, b) : vpmaxuq(r, a, b);
      return negative ? vpmaxsd(r, a, b) : vpmaxud(r, a, b);
  }
}

bool Translator::emit_integer(const DecodedInsn& d) {
  if (!is_word(d.type) || is_float(d.type)) return false;
  const bool wide = bits(d.type) == 64;
  switch (d.op) {
    case Op::Add:
    case Op::Sub:
    case Op::MulLo:
    case Op::MadLo:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Min:
    case Op::Max:
      each_line(d, wide, [&](unsigned at) {
        const Zmm a = rows_.read(d.a + at), b = rows_.read(d.b + at), value = rows_.fresh();
        emit_operation(d, value, a, b, d.c + at);
        return value;
      });
      return true;
    case Op::Not:
    case Op::Neg:
    case Op::Abs:
      each_line(d, wide, [&](unsigned at) {
        const Zmm a = rows_.read(d.a + at), value = rows_.fresh();
        if (d.op == Op::Not) {
          vpternlogd(value, a, a, 0x55);
        } else if (d.op == Op::Abs) {
          wide ? vpabsq(value, a) : vpabsd(value, a);
        } else {
          vpxorq(zmm0, zmm0, zmm0);
          wide ? vpsubq(value, zmm0, a) : vpsubd(value, zmm0, a);
        }
        return value;
      });
      return true;
    default: return false;
  }
}

// The amount is 32 bits wide; one of the width or more shifts everything out, as the host's does.
bool Translator::emit_shift(const DecodedInsn& d) {
  if (!is_word(d.type)) return false;
  const bool wide = bits(d.type) == 64;
  each_line(d, wide, [&](unsigned at) {
    const Zmm a = rows_.read(d.a + at), value = rows_.fresh();
    Zmm amount = zmm0;
    if (wide) widen_half(zmm0, d.b, at / 64, false);
    else amount = rows_.read(d.b + at);
    if (d.op == Op::Shl) wide ? vpsllvq(value, a, amount) : vpsllvd(value, a, amount);
    else if (is_signed(d.type)) wide ? vpsravq(value, a, amount) : vpsravd(value, a, amount);
    else wide ? vpsrlvq(value, a, amount) : vpsrlvd(value, a, amount);
    return value;
  });
  return true;
}

// The 8 lanes of one line of a 64-bit row, from the row of 32 bits.
void Translator::widen_half(const Zmm& to, std::uint32_t row, unsigned line, bool with_sign) {
  const Zmm source = rows_.read(row + line / 2 * 64);
  const Ymm half(to.getIdx());
  if (line % 2 != 0) vextracti64x4(half, source, 1);
  const Ymm from = line % 2 != 0 ? half : Ymm(source.getIdx());
  if (with_sign) vpmovsxdq(to, from);
  else vpmovzxdq(to, from);
}

bool Translator::emit_wide_product(const DecodedInsn& d) {
  if (bits(d.type) != 32) return false;
  load_masks(d, true);
  // Of a size in bytes: an element's.
  const auto literal = static_cast<std::uint64_t>(d.literal);
  const bool is_shift = d.literal > 0 && d.literal <= kLargestSize && std::has_single_bit(literal);
  for (unsigned n = 0; n < 4; ++n) {
    rows_.begin_instruction();
    const Zmm value = rows_.fresh();
    if (is_shift) {
      widen_half(value, d.a, n, is_signed(d.type));
      vpsllq(value, value, static_cast<std::uint8_t>(std::countr_zero(literal)));
    } else {
      widen_half(zmm0, d.a, n, false);
      widen_half(zmm1, d.b, n, false);
      is_signed(d.type) ? vpmuldq(value, zmm0, zmm1) : vpmuludq(value, zmm0, zmm1);
    }
    if (d.op == Op::MadWide) vpaddq(value, value, rows_.read(d.c + n * 64));
    write(d, d.dst, n, value, true);
  }
  return true;
}

// The low words of two lines of 64-bit values.
void Translator::narrow_lines(const Zmm& to, const Zmm& low, const Zmm& high) {
  vmovdqa64(zmm7, ptr[rip + even_]);
  if (to.getIdx() != low.getIdx()) vmovdqa64(to, low);
  vpermt2d(to, zmm7, high);
}

// A 64-bit register of two halves, the first in the low bits; and back.
void Translator::emit_pack(const DecodedInsn& d) {
  load_masks(d, true);
  for (unsigned n = 0; n < 4; ++n) {
    rows_.begin_instruction();
    const Zmm value = rows_.fresh();
    widen_half(value, d.element[1], n, false);
    widen_half(zmm0, d.element[0], n, false);
    vpsllq(value, value, 32);
    vporq(value, value, zmm0);
    write(d, d.dst, n, value, true);
  }
}

void Translator::emit_unpack(const DecodedInsn& d) {
  load_masks(d, false);
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned n = 0; n < 2; ++n) {
      rows_.begin_instruction();
      const Zmm low = rows_.read(d.a + n * 128), high = rows_.read(d.a + n * 128 + 64), value = rows_.fresh();
      if (half == 0) {
        narrow_lines(value, low, high);
      } else {
        vpsrlq(zmm0, low, 32);
        vpsrlq(zmm1, high, 32);
        narrow_lines(value, zmm0, zmm1);
      }
      write(d, d.element[half], n, value, false);
    }
  }
}

// Between integers, from those of at most 32 bits to f32, and from f32 to those of 32. Others are calls.
bool Translator::emit_conversion(const DecodedInsn& d) {
  const Type to = d.type, from = d.type2;
  if (d.mods.ftz || d.mods.sat || d.mods.relu || d.mods.satfinite || is_pair(to) || is_pair(from)) return false;
  if (is_float(from)) return emit_conversion_to_integer(d);
  const bool wide = bits(to) == 64, from_wide = bits(from) == 64;
  if (is_float(to)) {
    if (to != Type::F32 || from_wide || d.mods.round != Round::Rn) return false;
    each_line(d, false, [&](unsigned at) {
      const Zmm value = rows_.fresh();
      emit_extension(value, rows_.read(d.a + at), from);
      if (is_signed(from)) vcvtdq2ps(value, value);
      else vcvtudq2ps(value, value);
      return value;
    });
    return true;
  }
  if (wide && from_wide) return emit_copy(d, d.a, wide);
  each_line(d, wide, [&](unsigned at) {
    const Zmm value = rows_.fresh();
    if (wide) {
      widen_half(value, d.a, at / 64, is_signed(from));
      if (bits(from) == 32) return value;
      vpsllq(value, value, static_cast<std::uint8_t>(64 - bits(from)));
      if (is_signed(from)) vpsraq(value, value, static_cast<std::uint8_t>(64 - bits(from)));
      else vpsrlq(value, value, static_cast<std::uint8_t>(64 - bits(from)));
      return value;
    }
    if (from_wide) {
      const Zmm low = rows_.read(d.a + at * 2), high = rows_.read(d.a + at * 2 + 64);
      narrow_lines(value, low, high);
    } else {
      emit_extension(value, rows_.read(d.a + at), from);
    }
    emit_cut(value, to);
    return value;
  });
  return true;
}

// A word's low bits as that type's number.
void Translator::emit_extension(const Zmm& to, const Zmm& from, Type type) {
  const std::uint8_t above = static_cast<std::uint8_t>(32 - bits(type));
  if (above == 0) return vmovdqa64(to, from);
  vpslld(to, from, above);
  if (is_signed(type)) vpsrad(to, to, above);
  else vpsrld(to, to, above);
}

// A number as a register of that type has it: of 16 bits, in which s8 has its sign on.
void Translator::emit_cut(const Zmm& value, Type type) {
  if (bits(type) == 32) return;
  vpslld(value, value, static_cast<std::uint8_t>(32 - bits(type)));
  if (type == Type::S8) vpsrad(value, value, 8);
  vpsrld(value, value, static_cast<std::uint8_t>(type == Type::S8 ? 16 : 32 - bits(type)));
}

// NaN becomes 0; what is too large or too small, the nearest integer that exists.
bool Translator::emit_conversion_to_integer(const DecodedInsn& d) {
  if (d.type2 != Type::F32 || is_float(d.type) || bits(d.type) != 32) return false;
  Xbyak::EvexModifierRounding how = T_rz_sae;
  switch (d.mods.round) {
    case Round::Rzi: break;
    case Round::Rni: how = T_rn_sae; break;
    case Round::Rmi: how = T_rd_sae; break;
    case Round::Rpi: how = T_ru_sae; break;
    default: return false;
  }
  each_line(d, false, [&](unsigned at) {
    const Zmm a = rows_.read(d.a + at), value = rows_.fresh();
    if (!is_signed(d.type)) {
      vpxord(zmm0, zmm0, zmm0);
      vmaxps(zmm0, a, zmm0);  // the second where one is a NaN
      vcvtps2udq(value, zmm0 | how);
      return value;
    }
    vcvtps2dq(value, a | how);  // the smallest integer where there is none
    vcmpps(k1, a, ptr_b[rip + two_to_31_], kAtLeast);
    vpternlogd(zmm0, zmm0, zmm0, 0xff);
    vpsrld(value | k1, zmm0, 1);
    vcmpps(k1, a, a, kOrdered);
    vmovdqa32(value | k1 | T_z, value);
    return value;
  });
  return true;
}

// rdx: what the predicate becomes, a bit a lane; rax: the lanes that act, if it is masked.
void Translator::write_predicate(const DecodedInsn& d, std::uint32_t row) {
  const Xbyak::Address predicate = ptr[r12 + static_cast<int>(row)];
  if (d.guard == kNoOffset) {
    mov(r11, rdx);
    in_r11_ = row;
  }
  if (!is_masked(d)) return mov(predicate, rdx);
  mov(rcx, predicate);
  xor_(rdx, rcx);
  and_(rdx, rax);
  xor_(rdx, rcx);
  mov(predicate, rdx);
}

bool Translator::emit_predicates(const DecodedInsn& d) {
  mov(rdx, ptr[r12 + static_cast<int>(d.a)]);
  if (d.op == Op::Not) not_(rdx);
  if (d.op == Op::And) and_(rdx, ptr[r12 + static_cast<int>(d.b)]);
  if (d.op == Op::Or) or_(rdx, ptr[r12 + static_cast<int>(d.b)]);
  if (d.op == Op::Xor) xor_(rdx, ptr[r12 + static_cast<int>(d.b)]);
  if (is_masked(d)) load_active(d);
  write_predicate(d, d.dst);
  return true;
}

namespace {

// PTX's relations as predicates of vpcmp and vcmpps (Intel SDM, volume 2, "VPCMPD" and "CMPPS").
int integer_relation(Op op) {
  switch (op) {
    case Op::SetpEq:
    case Op::SetpEqNarrow: return 0;
    case Op::SetpLt:
    case Op::SetpLtNarrow: return 1;
    case Op::SetpLe:
    case Op::SetpLeNarrow: return 2;
    case Op::SetpNe:
    case Op::SetpNeNarrow: return 4;
    case Op::SetpGe:
    case Op::SetpGeNarrow: return 5;
    case Op::SetpGt:
    case Op::SetpGtNarrow: return 6;
    default: return -1;
  }
}

}  // namespace

bool Translator::emit_compare(const DecodedInsn& d) {
  const bool narrow = bits(d.type) == 16 && !is_float(d.type);
  if (!(is_word(d.type) || narrow) || d.dst == kNoOffset) return false;
  const bool wide = bits(d.type) == 64;
  const int relation = is_float(d.type) ? float_relation(d.op) : integer_relation(d.op);
  if (relation < 0) return false;
  const std::uint8_t how = static_cast<std::uint8_t>(relation);
  if (d.mods.ftz) vpbroadcastd(zmm7, ptr[rip + sign_]);
  const bool are_alike = !wide && rows_.alike().contains(d.a) && rows_.alike().contains(d.b);
  for (unsigned n = 0; n < (are_alike ? 1 : lines_of(wide)); ++n) {
    rows_.begin_instruction();
    const Opmask truth = n < 2 ? Opmask(static_cast<int>(2 + n)) : n == 2 ? k3 : k1;
    const Zmm a = narrow ? zmm0 : operand_of(d, d.a + n * 64, zmm0);
    const Zmm b = narrow ? zmm1 : operand_of(d, d.b + n * 64, zmm1);
    if (narrow) {
      raise_half(a, d.a + n * 64);
      raise_half(b, d.b + n * 64);
    }
    if (is_float(d.type)) wide ? vcmppd(truth, a, b, how) : vcmpps(truth, a, b, how);
    else if (is_signed(d.type)) wide ? vpcmpq(truth, a, b, how) : vpcmpd(truth, a, b, how);
    else wide ? vpcmpuq(truth, a, b, how) : vpcmpud(truth, a, b, how);
    if (wide && n == 1) kunpckbw(k2, k3, k2);
    if (n == 3) kunpckbw(k3, k1, k3);
  }
  kunpckwd(k1, are_alike ? k2 : k3, k2);
  kmovd(edx, k1);
  finish_compare(d);
  return true;
}

// From edx, a bit a lane.
void Translator::finish_compare(const DecodedInsn& d) {
  const bool has_opposite = d.dst_pred != kNoOffset;
  if (has_opposite) {
    mov(r8, rdx);
    not_(r8);
  }
  if (d.mods.boolean != BoolOp::None) {
    mov(rcx, ptr[r12 + static_cast<int>(d.p)]);
    if (d.p_flip != 0) not_(rcx);
    for (const Xbyak::Reg64& truth : {rdx, r8}) {
      if (truth == r8 && !has_opposite) continue;
      if (d.mods.boolean == BoolOp::And) and_(truth, rcx);
      else if (d.mods.boolean == BoolOp::Or) or_(truth, rcx);
      else xor_(truth, rcx);
    }
  }
  if (is_masked(d)) load_active(d);  // before the guard itself may change
  write_predicate(d, d.dst);
  if (!has_opposite) return;
  mov(rdx, r8);
  write_predicate(d, d.dst_pred);
}

}  // namespace warpsim::engine
