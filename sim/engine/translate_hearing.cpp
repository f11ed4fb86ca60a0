// Watched loads, stores and sums: who watches hears of each before the code makes it, but for loads of settled words.
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Opmask;

// Who hears of an access wants to know its cycle.
void Translator::note_cycle(const DecodedInsn& d) {
  lea(rax, ptr[r13 + not_issued_at(d.pc)]);
  mov(ptr[rbx + offsetof(Frame, left)], rax);
}

// Who watches need not hear of a load of so many bytes, from rdx on, an address in global or shared memory, if all
// their words are settled (sim/event/settled_words.h). The size is a power of two from 4 on. The code goes to
// `unsettled` also where it cannot say it. Uses rcx, rdx and rsi.
void Translator::emit_whether_settled(const DecodedInsn& d, unsigned size, Label& unsettled) {
  if (size > 256) return jmp(unsettled, T_NEAR);
  if (d.space == AddressSpace::Shared) {
    mov(rsi, ptr[rbx + offsetof(Frame, settled_shared)]);
  } else {
    mov(rcx, rdx);
    shr(rcx, SettledPages::kPageBits);
    imul(esi, ecx, static_cast<int>(SettledPages::kHash));
    shr(esi, 32 - SettledPages::kCountBits);
    shl(esi, 4);
    static_assert(sizeof(SettledPages::Page) == 16 && offsetof(SettledPages::Page, words) == 8);
    add(rsi, ptr[rbx + offsetof(Frame, settled_pages)]);
    cmp(ptr[rsi], rcx);
    jne(unsettled, T_NEAR);
    mov(rsi, ptr[rsi + 8]);
    and_(edx, (1 << SettledPages::kPageBits) - 1);
  }
  shr(edx, 2);
  mov(ecx, edx);
  and_(ecx, 31);
  shr(edx, 5);
  lea(rsi, ptr[rsi + rdx * 4]);
  if (size > 128) {  // from a word's first bit on
    test(ecx, ecx);
    jnz(unsettled, T_NEAR);
    cmp(qword[rsi], -1);
    return jne(unsettled, T_NEAR);
  }
  mov(rdx, ptr[rsi]);
  shr(rdx, cl);
  not_(edx);
  const std::uint32_t mask = ~std::uint32_t{0} >> (32 - size / 4);
  test(edx, mask);
  jnz(unsettled, T_NEAR);
}

// Who watches hears of the lanes whose positions stand in Frame::scratch. rcx and, of some lanes, rax are as they were;
// of vector registers nothing is left.
void Translator::emit_lanes_call(const DecodedInsn& d, bool masked, Label& unheard) {
  const auto active = ptr[rbx + offsetof(Frame, active)];
  note_cycle(d);
  mov(rdi, rbx);
  mov(esi, d.pc);
  masked ? mov(rdx, active) : mov(rdx, r14);
  vzeroupper();
  call(ptr[rbx + offsetof(Frame, hear_lanes)]);
  test(al, al);
  jz(unheard, T_NEAR);
  load_base(d);
  if (masked) mov(rax, active);
}

// ---- of an allocation that is only read (EventSink::reads_only)

// ZF: whether the instruction's place is not one that is only read.
void Translator::test_only_read(const DecodedInsn& d) {
  cmp(byte[r15 + d.pc * static_cast<int>(sizeof(Place)) + static_cast<int>(offsetof(Place, is_only_read))], 0);
}

// All lanes load so many bytes. Where their place is only read that is noted, and the code goes on at `done`. rsi: the
// bytes' numbers, rdi: their chunk, rdx: how far behind its begin; these stay where it is not. Uses r8, r9 and ymm4.
void Translator::emit_reads(const DecodedInsn& d, unsigned size, Label& done) {
  constexpr unsigned kRow = 1U << CalmChunk::kRowBits;
  const auto many = ptr[rbx + static_cast<int>(of_calm(d, offsetof(CalmNumbers, many)))];
  Label apart, compared;
  test_only_read(d);
  je(compared, T_NEAR);
  if (size % kRow == 0) {
    test(edx, kRow - 1);
    jnz(apart, T_NEAR);
    mov(r8d, edx);
    shr(r8d, CalmChunk::kRowBits);
    for (unsigned row = 0; row < size / kRow; ++row) {
      if (row != 0) add(r8d, 1);
      xor_(r9d, r9d);
      bts(r9d, r8d);
      mov(edx, r8d);
      shr(edx, 5);
      or_(ptr[rdi + rdx * 4 + static_cast<int>(offsetof(CalmChunk, read_rows))], r9d);
    }
    jmp(done, T_NEAR);
    L(apart);
  }
  unsigned at = 0;
  if (size >= kChunkBytes) vpbroadcastd(ymm4, many);
  for (; at + kChunkBytes <= size; at += kChunkBytes) vmovdqu(ptr[rsi + static_cast<int>(at)], ymm4);
  if (at < size) mov(r8d, many);
  for (; at < size; at += kWord) mov(ptr[rsi + static_cast<int>(at)], r8d);
  jmp(done, T_NEAR);
  L(compared);
}

// ---- AVX-512

// The same of offsets in its place that stand in zmm0 and the next: neighbours', or one.
void Translator::emit_offsets_settled(const DecodedInsn& d, bool masked, Label& unsettled) {
  if (masked || d.lift != Lift::Load || bits(d.type) < 32) return jmp(unsettled, T_NEAR);
  const bool wide = bits(d.type) == 64;
  const unsigned size = static_cast<unsigned>(bytes(d.type));
  Label one, settled;
  wide ? vpbroadcastq(zmm6, xmm0) : vpbroadcastd(zmm6, xmm0);
  const auto compare = [&](const Zmm& with, const Xbyak::Operand& expected, int n) {
    const Opmask k = n == 0 ? k1 : k1 | k1;
    wide ? vpcmpeqq(k, with, expected) : vpcmpeqd(k, with, expected);
  };
  const auto look = [&](unsigned bytes_of_all) {
    wide ? kortestb(k1, k1) : kortestw(k1, k1);
    jnc(bytes_of_all == bytes_of_access(d) ? unsettled : one, T_NEAR);
    wide ? vmovq(rdx, xmm0) : vmovd(edx, xmm0);
    if (d.space != AddressSpace::Shared) {
      mov(rsi, d.beyond_index());
      add(rdx, rsi);
      add(rdx, of_place(d, offsetof(Place, first)));
    }
    mov(r8, rcx);
    emit_whether_settled(d, bytes_of_all, unsettled);
    mov(rcx, r8);
  };
  if (d.elements == 0) {
    for (int n = 0; n < (wide ? 4 : 2); ++n) {
      wide ? vpsubq(zmm7, Zmm(n), zmm6) : vpsubd(zmm7, Zmm(n), zmm6);
      compare(zmm7, ptr[rip + (wide ? steps8_ : steps4_) + n * 64], n);
    }
    look(32 * size);
    jmp(settled);
    L(one);
  }
  for (int n = 0; n < (wide ? 4 : 2); ++n) compare(Zmm(n), zmm6, n);
  look(bytes_of_access(d));
  L(settled);
}

// Who watches hears of the lanes that go to the offsets in zmm0 and the next. Those, rcx and the masks are as they
// were.
void Translator::emit_hearing_offsets(const DecodedInsn& d, bool masked, Label& unheard) {
  const bool wide = bits(d.type) == 64;
  const auto aside = [&](int n) {
    return ptr[rbx + static_cast<int>(offsetof(Frame, scratch)) + n * (wide ? 32 : 64)];
  };
  for (int n = 0; n < (wide ? 4 : 2); ++n) wide ? vpmovqd(aside(n), Zmm(n)) : vmovdqa64(aside(n), Zmm(n));
  emit_lanes_call(d, masked, unheard);
  for (int n = 0; n < (wide ? 4 : 2); ++n) wide ? vpmovzxdq(Zmm(n), aside(n)) : vmovdqa64(Zmm(n), aside(n));
  if (masked) spread_masks(true);
}

// ---- of rows' first lanes

// Who watches hears of so many bytes, from the first lane's address on, if it has to. rax stays, and so do rows that
// lie in registers as `before` says.
void Translator::emit_hearing(const DecodedInsn& d, unsigned size, const RowCache::State& before, Label& unheard) {
  const bool shared = d.space == AddressSpace::Shared;
  const auto load_address = [&] {
    if (shared) {
      mov(edx, ptr[r12 + static_cast<int>(d.index)]);
      if (d.index_bias != 0) add(edx, static_cast<std::uint32_t>(d.index_bias));
      return;
    }
    mov(rdx, d.beyond_index());
    add(rdx, ptr[r12 + static_cast<int>(d.index)]);
  };
  Label unsettled, unheard_yet, heard;
  const bool are_parts = bits(d.type) < 32;
  if (are_parts) {
    load_address();
    test(edx, kWord - 1);
    jnz(unheard, T_NEAR);
  }
  if (d.lift == Lift::Load) {
    if (shared) {
      cmp(qword[rbx + static_cast<int>(offsetof(Frame, calm) + offsetof(CalmMemory, shared))], 0);
      jne(unsettled, T_NEAR);
    }
    if (may_only_read(d) && size != bytes_of_access(d)) {
      test_only_read(d);
      jne(unsettled, T_NEAR);
    }
    load_address();
    emit_whether_settled(d, size, unsettled);
    jmp(heard, T_NEAR);
  }
  L(unsettled);
  load_address();
  emit_calm(d, size, unheard_yet);
  jmp(heard, T_NEAR);
  L(unheard_yet);
  if (d.elements != 0 || are_parts) {
    jmp(unheard, T_NEAR);
    return L(heard);
  }
  const auto kept = ptr[rbx + offsetof(Frame, scratch)];
  rows_.emit_stores(before);
  mov(kept, rax);
  load_address();
  note_cycle(d);
  mov(rdi, rbx);
  mov(esi, d.pc);
  mov(ecx, size == bytes_of_access(d) ? 1 : 0);
  vzeroupper();
  call(ptr[rbx + offsetof(Frame, hear)]);
  rows_.emit_loads(before);
  test(al, al);
  mov(rax, kept);
  jz(unheard, T_NEAR);
  L(heard);
}

// ---- AVX2

// The same of the lanes whose positions stand in Frame::scratch. rax, rcx and ymm15 are as they were.
void Translator::emit_hearing_lanes(const DecodedInsn& d, bool masked, Label& unheard) {
  emit_lanes_call(d, masked, unheard);
  if (masked) spread_mask(ymm15, eax);
}

}  // namespace warpsim::engine
