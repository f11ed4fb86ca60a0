// Watched loads and stores that code compares and notes by itself, where memory is taken to be calm: see
// sim/event/calm_memory.h. Who watches hears of all others (translate_hearing.cpp).
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Ymm;
using Xbyak::Zmm;

std::size_t Translator::of_calm(const DecodedInsn& d, std::size_t offset) {
  const bool shared = d.space == AddressSpace::Shared;
  return offsetof(Frame, calm) + (shared ? offsetof(CalmMemory, of_shared) : offsetof(CalmMemory, of_global)) + offset;
}

// All lanes load or store so many bytes, from the address in rdx on: neighbours of 4 bytes each, or all one element; or
// they load neighbouring parts of words, from a word's begin on.
// The code goes to `otherwise` where the one who watches has to hear of it. rax and rcx stay.
void Translator::emit_calm(const DecodedInsn& d, unsigned size, Label& otherwise) {
  const bool is_one = size == bytes_of_access(d), is_load = d.lift == Lift::Load;
  const bool are_parts = bytes_of_access(d) < kWord && is_load && d.space == AddressSpace::Global;
  const bool is_known = is_one ? is_load : are_parts || size == 32 * kWord;
  if (d.lift == Lift::Atomic || size % kWord != 0 || (!is_known && !may_only_read(d))) return jmp(otherwise, T_NEAR);
  Label done;
  emit_calm_words(d, size, otherwise);
  if (may_only_read(d)) emit_reads(d, size, done);
  if (!is_known) jmp(otherwise, T_NEAR);
  else if (are_parts) emit_calm_parts(d, size, otherwise);
  else if (!is_one) isa_ == Isa::Avx512 ? emit_calm_range(d, 1, otherwise) : emit_calm_range_avx2(d, otherwise);
  for (unsigned k = 0; is_one && k < size / kWord; ++k) emit_calm_word(d, k, otherwise);
  L(done);
}

// rsi: the number of the first word, or byte; r9: whether the bytes of shared memory there are defined. Loads find only
// what is. rdi: the chunk; rdx: how far behind its begin.
void Translator::emit_calm_words(const DecodedInsn& d, unsigned size, Label& otherwise, bool by_byte) {
  const auto of = [&](std::size_t offset) { return ptr[rbx + static_cast<int>(offsetof(Frame, calm) + offset)]; };
  if (d.space == AddressSpace::Shared) {
    mov(rsi, of(offsetof(CalmMemory, shared)));
    test(rsi, rsi);
    jz(otherwise, T_NEAR);
    mov(r9, of(offsetof(CalmMemory, shared_defined)));
    add(rsi, rdx);
    add(r9, rdx);
    return;
  }
  mov(rsi, of(offsetof(CalmMemory, chunks)));
  test(rsi, rsi);
  jz(otherwise, T_NEAR);
  Label defined;
  if (may_only_read(d)) {
    test_only_read(d);
    jne(defined);
  }
  mov(rdi, of(offsetof(CalmMemory, undefined)));
  cmp(qword[rdi], 0);
  jne(otherwise, T_NEAR);
  L(defined);
  mov(rdi, rdx);
  shr(rdi, CalmChunk::kBits);
  mov(r8d, edi);
  and_(r8d, static_cast<std::uint32_t>(CalmChunks::kCount - 1));
  shl(r8d, 4);
  static_assert(sizeof(CalmChunks::One) == 16 && offsetof(CalmChunks::One, chunk) == 8);
  add(rsi, r8);
  cmp(ptr[rsi], rdi);
  jne(otherwise, T_NEAR);
  mov(rsi, ptr[rsi + 8]);
  and_(edx, (1 << CalmChunk::kBits) - 1);
  lea(edi, ptr[rdx + static_cast<int>(size - 1)]);
  cmp(edi, (1 << CalmChunk::kBits) - 1);
  ja(otherwise, T_NEAR);
  if (d.lift == Lift::Store) {
    mov(r8, ptr[rsi + offsetof(CalmChunk, has_old)]);
    shr(edi, CalmChunk::kPageBits);
    bt(r8, rdi);
    jnc(otherwise, T_NEAR);
    mov(edi, edx);
    shr(edi, CalmChunk::kPageBits);
    bt(r8, rdi);
    jnc(otherwise, T_NEAR);
  }
  mov(rdi, rsi);
  mov(rsi, ptr[rsi + (by_byte ? offsetof(CalmChunk, bytes) : offsetof(CalmChunk, words))]);
  test(rsi, rsi);
  jz(otherwise, T_NEAR);
  lea(rsi, ptr[rsi + rdx * static_cast<int>(by_byte ? kWord : 1)]);
}

// A word that all lanes load.
void Translator::emit_calm_word(const DecodedInsn& d, unsigned number, Label& otherwise) {
  const auto of = [&](std::size_t offset) { return ptr[rbx + static_cast<int>(of_calm(d, offset))]; };
  const int behind = static_cast<int>(number * kWord);
  Label is_calm, becomes_several, is_of_others, becomes;
  if (d.space == AddressSpace::Shared) {
    cmp(dword[r9 + behind], -1);
    jne(otherwise, T_NEAR);
  }
  mov(edi, ptr[rsi + behind]);
  cmp(edi, of(offsetof(CalmNumbers, several)));
  je(is_calm);
  cmp(edi, of(offsetof(CalmNumbers, many)));
  je(is_calm);
  cmp(edi, of(offsetof(CalmNumbers, first)));
  jl(becomes_several);
  mov(edx, edi);
  xor_(edx, of(offsetof(CalmNumbers, reader)));
  test(edx, static_cast<std::uint32_t>(~CalmNumbers::kThread));
  jnz(is_of_others);
  L(becomes_several);
  mov(edi, of(offsetof(CalmNumbers, several)));
  jmp(becomes);
  L(is_of_others);
  cmp(edi, of(offsetof(CalmNumbers, others)));
  jl(otherwise, T_NEAR);
  cmp(edi, of(offsetof(CalmNumbers, behind)));
  jg(otherwise, T_NEAR);
  test(edi, static_cast<std::uint32_t>(CalmNumbers::kWrites | CalmNumbers::kWrote));
  jnz(otherwise, T_NEAR);
  mov(edi, of(offsetof(CalmNumbers, many)));
  L(becomes);
  mov(ptr[rsi + behind], edi);
  L(is_calm);
}

// So many bytes of words that nobody has touched, or of which several threads have read, as these do now.
void Translator::emit_calm_parts(const DecodedInsn& d, unsigned size, Label& otherwise) {
  const auto of = [&](std::size_t offset) { return ptr[rbx + static_cast<int>(of_calm(d, offset))]; };
  const Ymm several(4), many(5), first(6), now(2), is_nobodys(3), is_calm(7);
  vpbroadcastd(several, of(offsetof(CalmNumbers, several)));
  vpbroadcastd(many, of(offsetof(CalmNumbers, many)));
  vpbroadcastd(first, of(offsetof(CalmNumbers, first)));
  for (unsigned n = 0; n < size; n += kChunkBytes) {
    vmovdqu(now, ptr[rsi + static_cast<int>(n)]);
    vpcmpgtd(is_nobodys, first, now);
    vpcmpeqd(is_calm, now, several);
    vpor(is_calm, is_calm, is_nobodys);
    vpcmpeqd(now, now, many);
    vpor(is_calm, is_calm, now);
    vpmovmskb(edi, is_calm);
    cmp(edi, -1);
    jne(otherwise, T_NEAR);
    vpmaskmovd(ptr[rsi + static_cast<int>(n)], is_nobodys, several);
  }
}

// ---- AVX-512: all vector registers but zmm2 to zmm7 stay

// Neighbours have so many words each.
void Translator::emit_calm_range(const DecodedInsn& d, unsigned words, Label& otherwise) {
  const bool is_load = d.lift == Lift::Load, shared = d.space == AddressSpace::Shared;
  const int lines = static_cast<int>(2 * words);
  if (is_load && shared) {
    vmovdqu32(zmm6, ptr[r9]);
    for (int n = 1; n < lines; ++n) vpandd(zmm6, zmm6, ptr[r9 + n * 64]);
    vpternlogd(zmm7, zmm7, zmm7, 0xff);
    vpcmpeqd(k1, zmm6, zmm7);
    kortestw(k1, k1);
    jnc(otherwise, T_NEAR);
  }
  for (int line = 0; line < lines; line += 2) emit_calm_lines(d, words, line, otherwise);
  if (is_load || !shared) return;
  vpternlogd(zmm7, zmm7, zmm7, 0xff);
  for (int n = 0; n < lines; ++n) vmovdqu32(ptr[r9 + n * 64], zmm7);
}

// Two lines' numbers.
void Translator::emit_calm_lines(const DecodedInsn& d, unsigned words, int line, Label& otherwise) {
  const bool is_load = d.lift == Lift::Load;
  const auto of = [&](std::size_t offset) { return ptr_b[rbx + static_cast<int>(of_calm(d, offset))]; };
  Label some, done;
  for (int n = 0; n < 2; ++n) {
    const Zmm now(2 + n), own(4 + n);
    vmovdqu32(now, ptr[rsi + (line + n) * 64]);
    vpcmpd(n == 0 ? k1 : k1 | k1, now, of(offsetof(CalmNumbers, first)), 1);
    if (words == 1) {
      vmovdqa32(own, ptr[rip + lanes4_ + n * 64]);
    } else {
      vmovdqa32(own, ptr[rip + lanes_of_words_[words == 2 ? 0 : 1]]);
      vpaddd(own, own, ptr_b[rip + lanes4_ + (line + n) * (64 / static_cast<int>(words))]);
    }
    vpaddd(own, own, of(offsetof(CalmNumbers, reader)));
  }
  kortestw(k1, k1);
  jnc(some);  // else all are nobody's
  for (int n = 0; n < 2; ++n) {
    if (!is_load) vpord(Zmm(4 + n), Zmm(4 + n), of(offsetof(CalmNumbers, writes)));
    vmovdqu32(ptr[rsi + (line + n) * 64], Zmm(4 + n));
  }
  jmp(done, T_NEAR);
  L(some);
  for (int n = 0; n < 2; ++n) emit_calm_line(d, Zmm(2 + n), Zmm(4 + n), otherwise);
  for (int n = 0; n < 2; ++n) vmovdqu32(ptr[rsi + (line + n) * 64], Zmm(2 + n));
  L(done);
}

// What becomes of a line's numbers.
void Translator::emit_calm_line(const DecodedInsn& d, const Zmm& now, const Zmm& own, Label& otherwise) {
  const bool is_load = d.lift == Lift::Load, may_be_of_others = is_load && d.space == AddressSpace::Global;
  const auto of = [&](std::size_t offset) { return ptr_b[rbx + static_cast<int>(of_calm(d, offset))]; };
  const Opmask of_others = k4;
  const auto become = [&](const Opmask& words, std::size_t offset) {
    vpbroadcastd(now | words, ptr[rbx + static_cast<int>(of_calm(d, offset))]);
  };
  vpcmpd(k1, now, of(offsetof(CalmNumbers, first)), 1);
  vpord(zmm6, now, of(offsetof(CalmNumbers, written)));
  vpord(zmm7, own, of(offsetof(CalmNumbers, written)));
  vpcmpeqd(k2, zmm6, zmm7);
  korw(k2, k2, k1);
  if (is_load) {
    vpcmpeqd(k3, now, of(offsetof(CalmNumbers, several)));
    korw(k2, k2, k3);
    vpcmpeqd(k3, now, of(offsetof(CalmNumbers, many)));
    korw(k2, k2, k3);
  }
  if (is_load) {  // read by others
    vpxord(zmm6, now, own);
    vptestnmd(k3, zmm6, of(offsetof(CalmNumbers, unthreaded)));
    kandnw(k3, k2, k3);
    korw(k2, k2, k3);
  }
  Label is_calm;
  kortestw(k2, k2);
  jc(is_calm);
  vpcmpd(k7, now, of(offsetof(CalmNumbers, behind)), 6);
  vpcmpd(k7 | k7, now, of(offsetof(CalmNumbers, phase)), 1);
  korw(k2, k2, k7);
  if (may_be_of_others) {
    vpcmpd(of_others, now, of(offsetof(CalmNumbers, others)), 5);
    vpcmpd(of_others | of_others, now, of(offsetof(CalmNumbers, behind)), 2);
    vptestnmd(of_others | of_others, now, of(offsetof(CalmNumbers, written)));
    korw(k2, k2, of_others);
  }
  kortestw(k2, k2);
  jnc(otherwise, T_NEAR);
  if (is_load) {  // before the last barrier, perhaps written there
    vptestmd(k2 | k7, now, of(offsetof(CalmNumbers, written)));
    vmovdqa32(now | k7, own);
    vpord(now | k2, own, of(offsetof(CalmNumbers, wrote)));
  }
  if (may_be_of_others) become(of_others, offsetof(CalmNumbers, many));
  L(is_calm);
  if (is_load) {
    vmovdqa32(now | k1, own);
    become(k3, offsetof(CalmNumbers, several));
  } else {
    vpord(now, own, of(offsetof(CalmNumbers, writes)));
  }
}

// rdx: where the first lane goes, of the offset in zmm0.
void Translator::load_first_address(const DecodedInsn& d) {
  vmovd(edx, xmm0);
  add_place(d);
}

// rdx: an address, of an offset in the place.
void Translator::add_place(const DecodedInsn& d) {
  if (d.space == AddressSpace::Shared) return;
  mov(rsi, d.beyond_index());
  add(rdx, rsi);
  add(rdx, of_place(d, offsetof(Place, first)));
}

// Of the offsets in zmm0 and zmm1; the base is loaded again.
void Translator::emit_offsets_calm(const DecodedInsn& d, bool masked, Label& otherwise) {
  if (masked || bits(d.type) != 32) return jmp(otherwise, T_NEAR);
  const auto compare = [&](bool with_steps) {
    for (int n = 0; n < 2; ++n) {
      if (with_steps) vpsubd(zmm7, Zmm(n), zmm6);
      if (with_steps) vpcmpeqd(n == 0 ? k1 : k1 | k1, zmm7, ptr[rip + steps4_ + n * 64]);
      else vpcmpeqd(n == 0 ? k1 : k1 | k1, Zmm(n), zmm6);
    }
    kortestw(k1, k1);
  };
  Label one, done;
  vpbroadcastd(zmm6, xmm0);
  if (d.elements == 0) {
    compare(true);
    jnc(d.lift == Lift::Load ? one : otherwise, T_NEAR);
    load_first_address(d);
    emit_calm(d, 32 * kWord, otherwise);
    if (d.lift == Lift::Load) jmp(done, T_NEAR);
  }
  L(one);
  if (d.lift == Lift::Load) {
    compare(false);
    jnc(otherwise, T_NEAR);
    load_first_address(d);
    emit_calm(d, bytes_of_access(d), otherwise);
  } else if (d.elements != 0) {
    jmp(otherwise, T_NEAR);
  }
  L(done);
  load_base(d);
}

// ---- AVX2

void Translator::load_number(const DecodedInsn& d, const Ymm& to, std::size_t offset) {
  vpbroadcastd(to, ptr[rbx + static_cast<int>(of_calm(d, offset))]);
}

// The numbers of 32 words at rsi come into ymm8 to ymm11, and `judge` says of each eight in ymm1 which will do; unless
// all do, it is `otherwise`. ymm0 counts them.
template <class Judge>
static void want_of_all(Xbyak::CodeGenerator& code, Xbyak::Label& otherwise, const Judge& judge) {
  constexpr int kBytes = 32;
  code.vpcmpeqd(code.ymm0, code.ymm0, code.ymm0);
  for (int n = 0; n < 4; ++n) {
    const Xbyak::Ymm now(8 + n);
    code.vmovdqu(now, code.ptr[code.rsi + n * kBytes]);
    judge(now, n);
    code.vpand(code.ymm0, code.ymm0, code.ymm1);
  }
  code.vpmovmskb(code.edi, code.ymm0);
  code.cmp(code.edi, -1);
  code.jne(otherwise, Xbyak::CodeGenerator::T_NEAR);
}

// Words that threads of the block have touched before its last barrier, all of them; or that others have read.
void Translator::emit_calm_behind_avx2(const DecodedInsn& d, Label& otherwise) {
  const bool is_load = d.lift == Lift::Load;
  Label of_others, done;
  load_number(d, ymm4, offsetof(CalmNumbers, written));
  load_number(d, ymm5, offsetof(CalmNumbers, behind));
  load_number(d, ymm6, offsetof(CalmNumbers, reader));
  load_number(d, ymm12, is_load ? offsetof(CalmNumbers, wrote) : offsetof(CalmNumbers, writes));
  load_number(d, ymm13, offsetof(CalmNumbers, phase));
  vpxor(ymm15, ymm15, ymm15);
  want_of_all(*this, is_load ? of_others : otherwise, [&](const Ymm& now, int n) {
    vpcmpgtd(ymm1, now, ymm5);
    vpcmpgtd(ymm2, ymm13, now);
    vpand(ymm1, ymm1, ymm2);
    vpaddd(ymm2, ymm6, ptr[rip + steps_narrow_[0] + n * kChunkBytes]);
    vpand(ymm3, now, ymm4);
    vpcmpeqd(ymm3, ymm3, ymm15);  // only read
    if (is_load) vpandn(ymm3, ymm3, ymm12);
    vpor(now, ymm2, is_load ? ymm3 : ymm12);
  });
  for (int n = 0; n < 4; ++n) vmovdqu(ptr[rsi + n * kChunkBytes], Ymm(8 + n));
  if (!is_load) return;
  jmp(done, T_NEAR);
  L(of_others);
  emit_calm_others_avx2(d, otherwise);
  L(done);
}

// Words that other blocks have read, or several blocks, all of them.
void Translator::emit_calm_others_avx2(const DecodedInsn& d, Label& otherwise) {
  load_number(d, ymm4, offsetof(CalmNumbers, written));
  load_number(d, ymm5, offsetof(CalmNumbers, others));
  load_number(d, ymm6, offsetof(CalmNumbers, behind));
  load_number(d, ymm12, offsetof(CalmNumbers, many));
  vpxor(ymm15, ymm15, ymm15);
  want_of_all(*this, otherwise, [&](const Ymm& now, int) {
    vpcmpgtd(ymm1, ymm5, now);
    vpcmpgtd(ymm2, now, ymm6);
    vpor(ymm1, ymm1, ymm2);
    vpand(ymm3, now, ymm4);
    vpcmpeqd(ymm3, ymm3, ymm15);  // only read
    vpandn(ymm1, ymm1, ymm3);
    vpcmpeqd(ymm2, now, ymm12);
    vpor(ymm1, ymm1, ymm2);
  });
  for (int n = 0; n < 4; ++n) vmovdqu(ptr[rsi + n * kChunkBytes], ymm12);
}

void Translator::emit_calm_range_avx2(const DecodedInsn& d, Label& otherwise) {
  const bool is_load = d.lift == Lift::Load, shared = d.space == AddressSpace::Shared;
  Label behind, done;
  if (is_load && shared) {
    vmovdqu(ymm0, ptr[r9]);
    for (int n = 1; n < 4; ++n) vpand(ymm0, ymm0, ptr[r9 + n * kChunkBytes]);
    vpcmpeqd(ymm1, ymm1, ymm1);
    vptest(ymm0, ymm1);
    jnc(otherwise, T_NEAR);
  }
  load_number(d, ymm4, offsetof(CalmNumbers, written));
  load_number(d, ymm5, offsetof(CalmNumbers, first));
  load_number(d, ymm6, offsetof(CalmNumbers, reader));
  load_number(d, ymm12, is_load ? offsetof(CalmNumbers, several) : offsetof(CalmNumbers, writes));
  if (is_load) {
    load_number(d, ymm13, offsetof(CalmNumbers, many));
    load_number(d, ymm14, offsetof(CalmNumbers, unthreaded));
    vpxor(ymm15, ymm15, ymm15);
  }
  for (int n = 0; n < 4; ++n) {
    const Ymm now(8 + n);
    vmovdqu(now, ptr[rsi + n * kChunkBytes]);
    vpcmpgtd(ymm1, ymm5, now);  // nobody's
    vpaddd(ymm2, ymm6, ptr[rip + steps_narrow_[0] + n * kChunkBytes]);
    vpor(ymm3, now, ymm4);
    vpor(ymm7, ymm2, ymm4);
    vpcmpeqd(ymm3, ymm3, ymm7);
    vpor(ymm3, ymm3, ymm1);
    if (is_load) {
      for (const Ymm& read : {ymm12, ymm13}) {
        vpcmpeqd(ymm7, now, read);
        vpor(ymm3, ymm3, ymm7);
      }
      vpxor(ymm7, now, ymm2);
      vpand(ymm7, ymm7, ymm14);
      vpcmpeqd(ymm7, ymm7, ymm15);
      vpandn(ymm7, ymm3, ymm7);  // read by others
      vpor(ymm3, ymm3, ymm7);
      vpblendvb(now, now, ymm2, ymm1);
      vpblendvb(now, now, ymm12, ymm7);
    } else {
      vpor(now, ymm2, ymm12);
    }
    if (n == 0) vmovdqa(ymm0, ymm3);
    else vpand(ymm0, ymm0, ymm3);
  }
  vpmovmskb(edi, ymm0);
  cmp(edi, -1);
  jne(shared ? otherwise : behind, T_NEAR);
  for (int n = 0; n < 4; ++n) vmovdqu(ptr[rsi + n * kChunkBytes], Ymm(8 + n));
  if (!shared) {
    jmp(done, T_NEAR);
    L(behind);
    emit_calm_behind_avx2(d, otherwise);
    L(done);
  } else if (!is_load) {
    vpcmpeqd(ymm1, ymm1, ymm1);
    for (int n = 0; n < 4; ++n) vmovdqu(ptr[r9 + n * kChunkBytes], ymm1);
  }
}

}  // namespace warpsim::engine
