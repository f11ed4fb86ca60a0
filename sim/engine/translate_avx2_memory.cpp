// Loads and stores for hosts with AVX2 and no AVX-512; see translate_avx2.cpp. As with AVX-512 the code makes an access
// by itself where all its lanes go to the instruction's place (frame.h), aligned. All others go through Frame::access.
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Address;
using Xbyak::Label;

// A load or a store of words. Where all lanes act, they may go to neighbours, or all load one address; else lane by
// lane.
void Translator::emit_access_avx2(const DecodedInsn& d, bool masked) {
  const bool is_load = d.lift == Lift::Load;
  const std::uint32_t row = is_load ? d.dst : d.a;
  if (!is_direct(d) || d.elements != 0 || !is_word(d.type) || row == kNoOffset) return emit_access_call(d, masked);
  Label& done = later();
  Label& slow = outside([this, &d, masked, &done] {
    emit_access_call(d, masked);
    jmp(done);
  });
  if (masked) {
    test(rax, rax);
    jz(done);
  } else {
    Label differ, scattered;
    const int size = static_cast<int>(bytes(d.type));
    emit_first_of_all(d, size, differ);
    emit_bounds(d, 31 * size, slow);
    move_chunks(is_load, row, bits(d.type) == 64);
    jmp(done);
    L(differ);
    if (is_load) {
      emit_first_of_all(d, 0, scattered);
      emit_bounds(d, 0, slow);
      bits(d.type) == 64 ? vpbroadcastq(ymm0, ptr[rax]) : vpbroadcastd(ymm0, ptr[rax]);
      for (unsigned n = 0; n < chunks_of(bits(d.type) == 64); ++n) vmovdqa(chunk(row, n), ymm0);
      jmp(done);
      L(scattered);
    }
  }
  emit_positions(d, masked, slow);
  if (is_load) emit_gather(d, masked);
  else emit_lane_stores(d, masked);
  L(done);
}

// Between a row and the words from rax on.
void Translator::move_chunks(bool is_load, std::uint32_t row, bool wide) {
  for (unsigned n = 0; n < chunks_of(wide); ++n) {
    if (is_load) {
      vmovdqu(ymm0, ptr[rax + static_cast<int>(n) * kChunkBytes]);
      vmovdqa(chunk(row, n), ymm0);
    } else {
      vmovdqa(ymm0, chunk(row, n));
      vmovdqu(ptr[rax + static_cast<int>(n) * kChunkBytes], ymm0);
    }
  }
}

// Frame::scratch: a word a lane, how far behind the place's first position its address is; 0 of those that do not act,
// which rax names. rcx: where the place begins on the host.
void Translator::emit_positions(const DecodedInsn& d, bool masked, Label& outside_of_it) {
  const bool wide = d.index_wide;
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  const Address limit = of_place(d, offsetof(Place, limit));
  if (wide) {
    vpbroadcastq(ymm1, of_place(d, offsetof(Place, first)));
    vpbroadcastq(ymm5, limit);
  } else {
    mov(ecx, static_cast<std::uint32_t>(d.index_bias));
    vmovd(xmm1, ecx);
    vpbroadcastd(ymm1, xmm1);
    vpbroadcastd(ymm5, limit);  // below 2^31
  }
  vpxor(ymm3, ymm3, ymm3);
  vpcmpeqd(ymm0, ymm0, ymm0);
  for (unsigned n = 0; n < chunks_of(wide); ++n) {
    vmovdqa(ymm2, chunk(d.index, n));
    wide ? vpsubq(ymm2, ymm2, ymm1) : vpaddd(ymm2, ymm2, ymm1);
    if (masked) {
      spread_bits(eax, n, wide);
      vpand(ymm2, ymm2, ymm7);
    }
    vpor(ymm3, ymm3, ymm2);
    wide ? vpcmpgtq(ymm4, ymm5, ymm2) : vpcmpgtd(ymm4, ymm5, ymm2);
    vpand(ymm0, ymm0, ymm4);
    if (wide) {
      vpshufd(ymm2, ymm2, 0x08);
      vpermq(ymm2, ymm2, 0x08);
      vmovdqa(ptr[rbx + scratch + static_cast<int>(n * 16)], xmm2);
    } else vmovdqa(ptr[rbx + scratch + static_cast<int>(n) * kChunkBytes], ymm2);
  }
  vpmovmskb(ecx, ymm0);
  cmp(ecx, -1);
  jne(outside_of_it);
  wide ? vmovmskpd(ecx, ymm3) : vmovmskps(ecx, ymm3);  // negative ones are below the limit, too
  test(ecx, ecx);
  jnz(outside_of_it);
  mov(ecx, static_cast<std::uint32_t>(bytes(d.type) - 1));
  vmovd(xmm2, ecx);
  wide ? vpbroadcastq(ymm2, xmm2) : vpbroadcastd(ymm2, xmm2);
  vptest(ymm3, ymm2);
  jnz(outside_of_it);
  if (d.space == AddressSpace::Shared) mov(rcx, ptr[rbx + offsetof(Frame, shared)]);
  else mov(rcx, of_place(d, offsetof(Place, at)));
}

void Translator::emit_gather(const DecodedInsn& d, bool masked) {
  const bool wide = bits(d.type) == 64;
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  for (unsigned n = 0; n < chunks_of(wide); ++n) {
    if (masked) {
      spread_bits(eax, n, wide);
      vmovdqa(ymm0, chunk(d.dst, n));
    } else {
      vpcmpeqd(ymm7, ymm7, ymm7);
      vpxor(ymm0, ymm0, ymm0);
    }
    if (wide) {
      vmovdqa(xmm2, ptr[rbx + scratch + static_cast<int>(n * 16)]);
      vpgatherdq(ymm0, ptr[rcx + xmm2], ymm7);
    } else {
      vmovdqa(ymm2, ptr[rbx + scratch + static_cast<int>(n) * kChunkBytes]);
      vpgatherdd(ymm0, ptr[rcx + ymm2], ymm7);
    }
    vmovdqa(chunk(d.dst, n), ymm0);
  }
}

// In rising order, so that of several stores to one address the last lane's stays.
void Translator::emit_lane_stores(const DecodedInsn& d, bool masked) {
  const bool wide = bits(d.type) == 64;
  const int scratch = static_cast<int>(offsetof(Frame, scratch)), row = static_cast<int>(d.a);
  if (!masked) {
    for (int lane = 0; lane < 32; ++lane) {
      mov(eax, ptr[rbx + scratch + lane * 4]);
      wide ? mov(rdx, ptr[r12 + row + lane * 8]) : mov(edx, ptr[r12 + row + lane * 4]);
      wide ? mov(ptr[rcx + rax], rdx) : mov(ptr[rcx + rax], edx);
    }
    return;
  }
  Label next;
  L(next);
  bsf(r8d, eax);
  mov(esi, ptr[rbx + r8 * 4 + scratch]);
  wide ? mov(rdx, ptr[r12 + r8 * 8 + row]) : mov(edx, ptr[r12 + r8 * 4 + row]);
  wide ? mov(ptr[rcx + rsi], rdx) : mov(ptr[rcx + rsi], edx);
  lea(edx, ptr[rax - 1]);
  and_(eax, edx);
  jnz(next);
}

// From rax, the first lane's position, to where that is on the host; all lanes', the last of them so much behind, must
// be below the limit.
void Translator::emit_bounds(const DecodedInsn& d, int behind, Label& outside_of_it) {
  mov(rdx, of_place(d, offsetof(Place, limit)));
  lea(rcx, ptr[rax + behind]);
  cmp(rcx, rdx);
  jae(outside_of_it);
  cmp(rax, rdx);
  jae(outside_of_it);
  test(eax, static_cast<std::uint32_t>(bytes(d.type) - 1));
  jnz(outside_of_it);
  if (d.space == AddressSpace::Shared) add(rax, ptr[rbx + offsetof(Frame, shared)]);
  else add(rax, of_place(d, offsetof(Place, at)));
}

// rax: where the first lane goes in the instruction's place, if each lane's address is so much behind the one before:
// 0, 4 or 8 bytes.
void Translator::emit_first_of_all(const DecodedInsn& d, int step, Label& otherwise) {
  const bool wide = d.index_wide;
  const Label& steps = wide ? (step == 8 ? steps8_wide_ : steps4_wide_) : (step == 8 ? steps8_narrow_ : steps4_narrow_);
  wide ? vpbroadcastq(ymm1, chunk(d.index, 0)) : vpbroadcastd(ymm1, chunk(d.index, 0));
  for (unsigned n = 0; n < chunks_of(wide); ++n) {
    vmovdqa(ymm2, chunk(d.index, n));
    if (step == 0) {
      wide ? vpcmpeqq(ymm2, ymm2, ymm1) : vpcmpeqd(ymm2, ymm2, ymm1);
    } else {
      const Address expected = ptr[rip + steps + static_cast<int>(n) * kChunkBytes];
      wide ? vpsubq(ymm2, ymm2, ymm1) : vpsubd(ymm2, ymm2, ymm1);
      wide ? vpcmpeqq(ymm2, ymm2, expected) : vpcmpeqd(ymm2, ymm2, expected);
    }
    if (n == 0) vmovdqa(ymm0, ymm2);
    else vpand(ymm0, ymm0, ymm2);
  }
  vpmovmskb(eax, ymm0);
  cmp(eax, -1);
  jne(otherwise);
  emit_position(d);
}

// rax: how far behind the place's first position the first lane's address is.
void Translator::emit_position(const DecodedInsn& d) {
  if (d.index_wide) {
    mov(rax, ptr[r12 + static_cast<int>(d.index)]);
    sub(rax, of_place(d, offsetof(Place, first)));
  } else {
    mov(eax, ptr[r12 + static_cast<int>(d.index)]);
    if (d.index_bias != 0) add(eax, static_cast<std::uint32_t>(d.index_bias));
  }
}

}  // namespace warpsim::engine
