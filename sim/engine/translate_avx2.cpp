// Instructions for hosts with AVX2 and no AVX-512; see translator.h. Rows stay in memory between instructions: each is
// read, computed and written in chunks of 32 bytes, 8 lanes of 32 bits or 4 of 64. What is not here is a call of the
// interpreter's own loop, or of the machine.
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Address;
using Xbyak::Ymm;

Address Translator::chunk(std::uint32_t row, unsigned number) const {
  if (bytes_of_loop_ != 0) return ptr[r12 + r8 * 2 + static_cast<int>(row) + bytes_of_loop_];
  return ptr[r12 + static_cast<int>(row + number * kChunkBytes)];
}

// Of a row of 32 bits, the lanes that a chunk of 64 bits has.
Address Translator::half_chunk(std::uint32_t row, unsigned number) const {
  if (bytes_of_loop_ != 0) return ptr[r12 + r8 + static_cast<int>(row) + bytes_of_loop_ / 2];
  return ptr[r12 + static_cast<int>(row + number * kChunkBytes / 2)];
}

// A bit in each lane of a chunk: its own of a mask.
Address Translator::lanes_of(unsigned number, bool wide) {
  if (bytes_of_loop_ != 0) return ptr[r9 + r8 * 2 + bytes_of_loop_];
  return ptr[rip + (wide ? lane_bits_wide_ : lane_bits_narrow_) + static_cast<int>(number * kChunkBytes)];
}

// A mask, a bit a lane, in all words, for find_lanes().
void Translator::spread_mask(const Ymm& to, const Xbyak::Reg32& from) {
  const Xbyak::Xmm first(to.getIdx());
  vmovd(first, from);
  vpbroadcastd(to, first);
}

// All bits of those lanes of a chunk whose bits the mask has.
void Translator::find_lanes(const Ymm& to, const Ymm& mask, unsigned number, bool wide) {
  const Address lanes = lanes_of(number, wide);
  vpand(to, mask, lanes);
  wide ? vpcmpeqq(to, to, lanes) : vpcmpeqd(to, to, lanes);
}

// ymm15: the mask of the lanes that keep what they have, if it is masked.
void Translator::load_resting(const DecodedInsn& d) {
  if (!is_masked(d)) return;
  load_active(d);
  not_(eax);
  spread_mask(ymm15, eax);
}

// The lanes that act get the value, which changes; the others are in ymm15.
void Translator::put_chunk(const DecodedInsn& d, std::uint32_t row, unsigned number, bool wide, const Ymm& value) {
  if (is_masked(d) && is_for_resting(d, row)) {
    find_lanes(ymm6, ymm15, number, wide);
    vpblendvb(value, value, chunk(row, number), ymm6);
  }
  vmovdqa(chunk(row, number), value);
}

bool Translator::emit_rows_avx2(const DecodedInsn& d, bool wide, const ComputeChunk& compute) {
  load_resting(d);
  for (unsigned n = 0; n < chunks_of(wide); ++n) {
    compute(n);
    put_chunk(d, d.dst, n, wide, ymm0);
  }
  return true;
}

bool Translator::emit_loop_avx2(const DecodedInsn& d, bool wide, const std::function<void()>& compute) {
  Xbyak::Label next;
  load_resting(d);
  if (is_masked(d)) lea(r9, lanes_of(0, wide));
  bytes_of_loop_ = static_cast<int>(chunks_of(wide)) * kChunkBytes;
  mov(r8, -bytes_of_loop_ / 2);
  L(next);
  compute();
  put_chunk(d, d.dst, 0, wide, ymm0);
  bytes_of_loop_ = 0;
  add(r8, kChunkBytes / 2);
  jnz(next);
  return true;
}

void Translator::emit_insn_avx2(const DecodedInsn& d) {
  switch (d.lift) {
    case Lift::Nothing: return;
    case Lift::Pack: return emit_pack_avx2(d);
    case Lift::Unpack: return emit_unpack_avx2(d);
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::LoadParam:
      if (!emit_avx2(d)) emit_call(d);
      return;
    default: break;
  }
  const bool masked = is_masked(d) || lanes_ != 32;
  if (masked) {
    load_active(d);
    mov(ptr[rbx + offsetof(Frame, active)], rax);
  }
  if (d.lift == Lift::Load || d.lift == Lift::Store) return emit_access_avx2(d, masked);
  if (is_direct_atomic(d)) return emit_atomic_avx2(d, masked);
  if (emit_exchange_avx2(d)) return;
  rows_.flush();
  emit_access_call(d, masked);
}

bool Translator::emit_avx2(const DecodedInsn& d) {
  if (d.lift == Lift::LoadParam)
    return emit_rows_avx2(d, bits(d.type) == 64, [&](unsigned n) { vmovdqa(ymm0, chunk(d.a, n)); });
  if (d.lift == Lift::Compare) return emit_compare_avx2(d);
  if (d.dst == kNoOffset) return false;
  switch (d.op) {
    case Op::Rcp: return emit_float_avx2(d);
    case Op::CvtaGlobal:
    case Op::CvtaToGlobal:
    case Op::CvtaConst:
    case Op::CvtaToConst: return emit_rows_avx2(d, true, [&](unsigned n) { vmovdqa(ymm0, chunk(d.a, n)); });
    case Op::Mov:
    case Op::And:
    case Op::Or:
    case Op::Xor:
    case Op::Not:
      if (d.type == Type::Pred) return emit_predicates(d);
      break;
    case Op::MulWide:
    case Op::MadWide: return emit_wide_product_avx2(d);
    case Op::Cvt: return emit_conversion_avx2(d);
    case Op::Popc: return emit_count_avx2(d);
    case Op::MulHi:
    case Op::MadHi: return emit_upper_product_avx2(d);
    case Op::Div:
    case Op::Rem: return emit_division_avx2(d);
    case Op::Selp: return emit_selection_avx2(d);
    default: break;
  }
  if (d.op == Op::Mov) return emit_rows_avx2(d, bits(d.type) == 64, [&](unsigned n) { vmovdqa(ymm0, chunk(d.a, n)); });
  if (d.lift == Lift::Bits) return emit_bits_avx2(d);
  return is_float(d.type) ? emit_float_avx2(d) : emit_integer_avx2(d);
}

bool Translator::emit_selection_avx2(const DecodedInsn& d) {
  const bool wide = bits(d.type) == 64;
  load_resting(d);
  mov(edx, ptr[r12 + static_cast<int>(d.p)]);
  if (d.p_flip != 0) not_(edx);
  spread_mask(ymm8, edx);
  for (unsigned n = 0; n < chunks_of(wide); ++n) {
    find_lanes(ymm7, ymm8, n, wide);
    vmovdqa(ymm0, chunk(d.b, n));
    vpblendvb(ymm0, ymm0, chunk(d.a, n), ymm7);
    put_chunk(d, d.dst, n, wide, ymm0);
  }
  return true;
}

void Translator::emit_pack_avx2(const DecodedInsn& d) {
  emit_rows_avx2(d, true, [&](unsigned n) {
    vpmovzxdq(ymm0, half_chunk(d.element[1], n));
    vpsllq(ymm0, ymm0, 32);
    vpmovzxdq(ymm1, half_chunk(d.element[0], n));
    vpor(ymm0, ymm0, ymm1);
  });
}

void Translator::emit_unpack_avx2(const DecodedInsn& d) {
  load_resting(d);
  for (unsigned half = 0; half < 2; ++half) {
    for (unsigned n = 0; n < chunks_of(false); ++n) {
      take_words(d.a, n, half);
      put_chunk(d, d.element[half], n, false, ymm0);
    }
  }
}

// ymm0: the low or the high words of two chunks of 64-bit lanes.
void Translator::take_words(std::uint32_t row, unsigned number, unsigned half) {
  vmovaps(ymm0, chunk(row, 2 * number));
  vshufps(ymm0, ymm0, chunk(row, 2 * number + 1), half == 0 ? 0x88 : 0xdd);  // in each 128 bits for itself
  vpermq(ymm0, ymm0, 0xd8);
}

namespace {
// PTX's relations as an AVX comparison: equal or greater, of which operands, and whether the opposite is wanted.
struct Relation {
  bool known = true, equal = false, swapped = false, opposite = false;
};
Relation integer_relation_of(Op op) {
  switch (op) {
    case Op::SetpEq:
    case Op::SetpEqNarrow: return {true, true, false, false};
    case Op::SetpNe:
    case Op::SetpNeNarrow: return {true, true, false, true};
    case Op::SetpGt:
    case Op::SetpGtNarrow: return {true, false, false, false};
    case Op::SetpLe:
    case Op::SetpLeNarrow: return {true, false, false, true};
    case Op::SetpLt:
    case Op::SetpLtNarrow: return {true, false, true, false};
    case Op::SetpGe:
    case Op::SetpGeNarrow: return {true, false, true, true};
    default: return {false, false, false, false};
  }
}
}  // namespace

bool Translator::emit_compare_avx2(const DecodedInsn& d) {
  const bool narrow = bits(d.type) == 16 && !is_float(d.type);
  if (!(is_word(d.type) || narrow) || d.dst == kNoOffset) return false;
  if (is_float(d.type)) return emit_float_compare_avx2(d);
  const Relation relation = integer_relation_of(d.op);
  if (!relation.known) return false;
  const bool wide = bits(d.type) == 64, is_flipped = !is_signed(d.type) && !relation.equal;
  if (is_flipped) wide ? vpbroadcastq(ymm5, ptr[rip + sign_of_double_]) : vpbroadcastd(ymm5, ptr[rip + sign_]);
  for (unsigned n = 0; n < chunks_of(wide); ++n) {
    vmovdqa(ymm0, chunk(relation.swapped ? d.b : d.a, n));
    vmovdqa(ymm1, chunk(relation.swapped ? d.a : d.b, n));
    if (narrow) {  // in the upper halves, where what is signed compares as the type says
      vpslld(ymm0, ymm0, 16);
      vpslld(ymm1, ymm1, 16);
    }
    if (is_flipped) {
      vpxor(ymm0, ymm0, ymm5);
      vpxor(ymm1, ymm1, ymm5);
    }
    if (relation.equal) wide ? vpcmpeqq(ymm0, ymm0, ymm1) : vpcmpeqd(ymm0, ymm0, ymm1);
    else wide ? vpcmpgtq(ymm0, ymm0, ymm1) : vpcmpgtd(ymm0, ymm0, ymm1);
    add_truths(n, wide);
  }
  if (relation.opposite) not_(edx);
  finish_compare(d);
  return true;
}

// edx: a bit a lane, of the chunks so far and of ymm0.
void Translator::add_truths(unsigned number, bool wide) {
  const Xbyak::Reg32& to = number == 0 ? edx : ecx;
  wide ? vmovmskpd(to, ymm0) : vmovmskps(to, ymm0);
  if (number == 0) return;
  shl(ecx, static_cast<int>(number * (wide ? 4 : 8)));
  or_(edx, ecx);
}

void Translator::emit_avx2_constants() {
  emit_gathers();
  emit_words_of_lanes();
  align(32);
  L(lane_bits_narrow_);
  for (unsigned lane = 0; lane < 32; ++lane) dd(1U << lane);
  L(lane_bits_wide_);
  for (unsigned lane = 0; lane < 32; ++lane) dq(std::uint64_t{1} << lane);
  for (const unsigned log : {0U, 1U, 2U, 3U}) {
    L(steps_narrow_[log]);
    for (std::uint32_t lane = 0; lane < 32; ++lane) dd(lane << log);
    L(steps_wide_[log]);
    for (std::uint64_t lane = 0; lane < 32; ++lane) dq(lane << log);
  }
  L(packed_order_);
  for (const std::uint32_t k : {0, 4, 1, 5, 2, 6, 3, 7}) dd(k);
  L(low_bytes_);  // of each word, in each 128 bits
  for (unsigned half = 0; half < 2; ++half)
    for (const std::uint32_t k : {0x0c080400U, 0x80808080U, 0x80808080U, 0x80808080U}) dd(k);
  L(low_halves_);
  for (unsigned half = 0; half < 2; ++half)
    for (const std::uint32_t k : {0x05040100U, 0x0d0c0908U, 0x80808080U, 0x80808080U}) dd(k);
  L(ones_of_nibbles_);
  for (int copy = 0; copy < 2; ++copy)
    for (const int ones : {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4}) db(ones);
  L(even_pairs_);
  for (std::uint32_t k = 0; k < 16; k += 2) dd(pairs_of(k));
  L(upper_doubles_);  // of each 128 bits those behind 8 bytes
  for (int copy = 0; copy < 2; ++copy) {
    dq(0);
    dq(0x0808080808080808);
  }
  for (auto& [both, label] : constants_) {
    L(label);
    for (int copy = 0; copy < 4; ++copy) dq(both);
  }
}

}  // namespace warpsim::engine
