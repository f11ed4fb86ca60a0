// Values that cross lanes, for hosts with AVX2 and no AVX-512; see translate_avx2.cpp. All lanes act; where some do
// not, the machine does it (Frame::access).
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Ymm;

// Where the member mask does not name all lanes, the machine decides.
void Translator::check_members_avx2(const DecodedInsn& d) {
  if (d.names_all) return;
  Label& apart = leaving(d.pc, not_issued_at(d.pc));
  vmovdqa(ymm0, chunk(d.member_mask, 0));
  for (unsigned n = 1; n < chunks_of(false); ++n) vpand(ymm0, ymm0, chunk(d.member_mask, n));
  vpcmpeqd(ymm1, ymm1, ymm1);
  vpcmpeqd(ymm0, ymm0, ymm1);
  vpmovmskb(eax, ymm0);
  cmp(eax, -1);
  jne(apart);
}

// True: done in code.
bool Translator::emit_exchange_avx2(const DecodedInsn& d) {
  const bool is_whole = whole_ && body_.branch < 0 && lanes_ == 32 && d.guard == kNoOffset;
  if (!is_whole) return false;
  if (d.lift == Lift::Vote) return emit_vote_avx2(d);
  if (bits(d.type) != 32) return false;
  if (d.lift == Lift::Shuffle) emit_shuffle_avx2(d);
  else if (d.op == Op::MatchAny) emit_match_avx2(d);
  else return false;
  return true;
}

bool Translator::emit_vote_avx2(const DecodedInsn& d) {
  if (d.op != Op::VoteBallot && d.op != Op::VoteAll && d.op != Op::VoteAny) return false;
  check_members_avx2(d);
  mov(eax, ptr[r12 + static_cast<int>(d.p)]);
  if (d.p_flip != 0) not_(eax);
  if (d.op == Op::VoteBallot) {
    vmovd(xmm0, eax);
    vpbroadcastd(ymm0, xmm0);
    for (unsigned n = 0; n < chunks_of(false); ++n) vmovdqa(chunk(d.dst, n), ymm0);
    return true;
  }
  if (d.op == Op::VoteAll) {
    add(eax, 1);  // carries if all are set
    sbb(edx, edx);
  } else {
    neg(eax);  // carries if one is
    sbb(edx, edx);
  }
  mov(ptr[r12 + static_cast<int>(d.dst)], rdx);
  return true;
}

// ymm0: the lanes that the 8 of a chunk receive from; edx: … of all chunks so far, which are in range.
void Translator::emit_sources_avx2(const DecodedInsn& d, unsigned number) {
  const auto bits5 = [&](const Ymm& of) { vpand(of, of, ymm15); };
  vpcmpeqd(ymm15, ymm15, ymm15);
  vpsrld(ymm15, ymm15, 27);
  vmovdqa(ymm5, ptr[rip + steps_narrow_[0] + static_cast<int>(number * kChunkBytes)]);  // the own lane
  vmovdqa(ymm4, chunk(d.c, number));
  vpsrld(ymm1, ymm4, 8);
  bits5(ymm1);              // the segment's mask
  vpand(ymm2, ymm5, ymm1);  // its first lane
  vpandn(ymm4, ymm1, ymm4);
  bits5(ymm4);
  vpor(ymm4, ymm4, ymm2);  // its limit
  vmovdqa(ymm3, chunk(d.b, number));
  bits5(ymm3);
  switch (d.mode) {
    case ShuffleMode::Idx:
      vpandn(ymm0, ymm1, ymm3);
      vpor(ymm0, ymm0, ymm2);
      break;
    case ShuffleMode::Up: vpsubd(ymm0, ymm5, ymm3); break;
    case ShuffleMode::Down: vpaddd(ymm0, ymm5, ymm3); break;
    case ShuffleMode::Bfly: vpxor(ymm0, ymm5, ymm3); break;
  }
  if (d.mode == ShuffleMode::Up) vpcmpgtd(ymm1, ymm4, ymm0);
  else vpcmpgtd(ymm1, ymm0, ymm4);  // out of range
  vpblendvb(ymm0, ymm0, ymm5, ymm1);
  if (d.dst_pred == kNoOffset) return;
  vmovmskps(ecx, ymm1);
  xor_(ecx, 0xff);
  if (number == 0) return mov(edx, ecx);
  shl(ecx, static_cast<int>(number * 8));
  or_(edx, ecx);
}

// Of two lanes whose numbers differ by an xor bits 3 and 4 say which chunk, bit 2 which half of it.
void Translator::emit_xor_avx2(const DecodedInsn& d) {
  const unsigned words = d.xor_lanes & 3;
  for (unsigned n = 0; n < chunks_of(false); ++n) {
    const Xbyak::Address source = chunk(d.a, n ^ (d.xor_lanes >> 3));
    const Ymm to(static_cast<int>(n));
    if ((d.xor_lanes & 4) != 0) {
      vpermq(to, source, 0x4e);
      if (words != 0) vpshufd(to, to, order_of_xor(words));
    } else if (words != 0) vpshufd(to, source, order_of_xor(words));
    else vmovdqa(to, source);
  }
  for (unsigned n = 0; n < chunks_of(false); ++n) vmovdqa(chunk(d.dst, n), Ymm(static_cast<int>(n)));
  store_in_range(d);
}

// The row is in ymm8 to ymm11: a lane is one of 8 in one of them.
void Translator::emit_shuffle_avx2(const DecodedInsn& d) {
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  const bool is_known = d.table != kNoOffset;
  if (d.xor_lanes != 0) return emit_xor_avx2(d);
  check_members_avx2(d);
  for (unsigned n = 0; n < chunks_of(false); ++n) vmovdqa(Ymm(static_cast<int>(8 + n)), chunk(d.a, n));
  for (int k = 0; k < 3; ++k) {
    mov(eax, 8 * k + 7);
    vmovd(Xbyak::Xmm(12 + k), eax);
    vpbroadcastd(Ymm(12 + k), Xbyak::Xmm(12 + k));
  }
  for (unsigned n = 0; n < chunks_of(false); ++n) {
    if (is_known) vmovdqa(ymm0, chunk(d.table, n));
    else emit_sources_avx2(d, n);
    vpermd(ymm1, ymm0, ymm8);
    for (int k = 0; k < 3; ++k) {
      vpermd(ymm2, ymm0, Ymm(9 + k));
      vpcmpgtd(ymm3, ymm0, Ymm(12 + k));
      vpblendvb(ymm1, ymm1, ymm2, ymm3);
    }
    vmovdqa(ptr[rbx + scratch + static_cast<int>(n) * kChunkBytes], ymm1);  // the row may still be an operand
  }
  for (unsigned n = 0; n < chunks_of(false); ++n) {
    vmovdqa(ymm0, ptr[rbx + scratch + static_cast<int>(n) * kChunkBytes]);
    vmovdqa(chunk(d.dst, n), ymm0);
  }
  if (is_known) return store_in_range(d);
  if (d.dst_pred == kNoOffset) return;
  mov(ptr[r12 + static_cast<int>(d.dst_pred)], rdx);
}

// match.any: each lane's value is compared with all others.
void Translator::emit_match_avx2(const DecodedInsn& d) {
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  check_members_avx2(d);
  vmovdqa(ymm5, ptr[rip + packed_order_]);
  for (unsigned n = 0; n < chunks_of(false); ++n) vmovdqa(Ymm(static_cast<int>(8 + n)), chunk(d.a, n));
  for (int lane = 0; lane < 32; ++lane) {
    vpbroadcastd(ymm0, ptr[r12 + static_cast<int>(d.a) + lane * 4]);
    for (int n = 0; n < 4; ++n) vpcmpeqd(Ymm(1 + n), ymm0, Ymm(8 + n));
    vpackssdw(ymm1, ymm1, ymm2);
    vpackssdw(ymm3, ymm3, ymm4);
    vpacksswb(ymm1, ymm1, ymm3);
    vpermd(ymm1, ymm5, ymm1);
    vpmovmskb(eax, ymm1);
    mov(ptr[rbx + scratch + lane * 4], eax);
  }
  for (unsigned n = 0; n < chunks_of(false); ++n) {
    vmovdqa(ymm0, ptr[rbx + scratch + static_cast<int>(n) * kChunkBytes]);
    vmovdqa(chunk(d.dst, n), ymm0);
  }
}

}  // namespace warpsim::engine
