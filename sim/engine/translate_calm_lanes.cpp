// Watched accesses of lanes that go anywhere, and of neighbours wider than a word, compared and noted by AVX-512 code
// where memory is taken to be calm: see translate_calm.cpp and sim/event/calm_memory.h.
#include <bit>
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Opmask;
using Xbyak::Zmm;

// How 16 lanes find their words' numbers: so far behind rsi, and as far behind r9 whether their bytes are defined.
// `in_row`: each lane's lies where it would if all went to neighbours. `by_byte`: each byte has a number.
struct Translator::CalmLanes {
  const DecodedInsn& d;
  bool shared, by_byte, in_row = false;

  int scale() const { return by_byte ? static_cast<int>(kWord) : 1; }
  unsigned numbers() const { return bytes_of_access(d) / (by_byte ? 1 : kWord); }  // of each lane
  Zmm behind(unsigned half) const { return Zmm(static_cast<int>((shared ? 0 : 6) + half)); }
  Xbyak::Address at(const Xbyak::Reg64& first, unsigned half, unsigned k) const {
    if (in_row) return Xbyak::util::ptr[first + static_cast<int>(half * 64)];
    return Xbyak::util::ptr[first + behind(half) * scale() + static_cast<int>(k * kWord)];
  }
};

// k3: which of these lanes are compared; r11 has a bit for each.
void Translator::load_lanes(unsigned half) {
  if (half == 0) return kmovw(k3, r11d);
  mov(eax, r11d);
  shr(eax, 16);
  kmovw(k3, eax);
}

// Words of the lanes in k3.
void Translator::take_lanes(const CalmLanes& of, const Zmm& to, const Xbyak::Address& at) {
  of.in_row ? vmovdqu32(to | k3, at) : vpgatherdd(to | k3, at);
}
void Translator::put_lanes(const CalmLanes& of, const Xbyak::Address& at, const Opmask& lanes, const Zmm& from) {
  of.in_row ? vmovdqu32(at | lanes, from) : vpscatterdd(at | lanes, from);
}

// Of 64-bit lanes in zmm0 to zmm3: 32-bit ones in zmm0 and zmm1.
void Translator::narrow_offsets() {
  for (int n = 0; n < 4; ++n) vpmovqd(Xbyak::Ymm(n), Zmm(n));
  vinserti64x4(zmm0, zmm0, ymm1, 1);
  vinserti64x4(zmm1, zmm2, ymm3, 1);
}

void Translator::widen_offsets() {
  vextracti64x4(ymm3, zmm1, 1);
  vpmovzxdq(zmm2, ymm1);
  vpmovzxdq(zmm3, ymm3);
  vextracti64x4(ymm1, zmm0, 1);
  vpmovzxdq(zmm0, ymm0);
  vpmovzxdq(zmm1, ymm1);
}

// Of the offsets in zmm0 and the next. Those and the masks are as they were, at `otherwise`, too; rcx is where the
// place begins.
void Translator::emit_calm_lanes(const DecodedInsn& d, bool masked, Label& otherwise) {
  const CalmLanes of{d, d.space == AddressSpace::Shared, bytes_of_access(d) < kWord};
  const bool wide = bits(d.type) == 64;
  if (of.shared ? of.by_byte : d.lift == Lift::Atomic) return jmp(otherwise);
  const std::size_t known_memory = of.shared ? offsetof(CalmMemory, shared) : offsetof(CalmMemory, chunks);
  cmp(qword[rbx + static_cast<int>(offsetof(Frame, calm) + known_memory)], 0);
  je(otherwise);
  Label scattered, known, unknown, done;
  if (wide) narrow_offsets();
  if (!masked && bytes_of_access(d) > kWord) {
    emit_calm_neighbours(d, scattered);
    jmp(known);
    L(scattered);
  }
  if (masked) mov(r10d, ptr[rbx + offsetof(Frame, active)]);
  else mov(r10d, 0xffffffffU);
  if (masked || !of.shared) {
    for (int n = 0; n < 2; ++n) vmovdqa64(ptr[rbx + static_cast<int>(offsetof(Frame, scratch)) + n * 64], Zmm(n));
  }
  if (masked && bytes_of_access(d) == kWord && d.lift != Lift::Atomic) {
    emit_calm_row(of, scattered);
    jmp(known);
    L(scattered);
  }
  if (of.shared) {
    xor_(edx, edx);
    emit_calm_words(d, bytes_of_access(d), unknown);
    mov(r11d, r10d);
    emit_calm_lanes_of(of, unknown);
  } else {
    Label next;
    for (int n = 0; n < 2; ++n) vmovdqa64(ptr[rbx + static_cast<int>(offsetof(Frame, scratch)) + n * 64], Zmm(n));
    L(next);
    find_lanes_of_chunk(of, unknown);
    emit_calm_lanes_of(of, unknown);
    test(r10d, r10d);
    jnz(next);
  }
  L(known);
  const auto restore = [&] {
    if (wide) widen_offsets();
    if (masked) kshiftrd(k7, k4, 24);
  };
  restore();
  load_base(d);
  jmp(done);
  L(unknown);
  restore();
  jmp(otherwise);
  L(done);
}

// All lanes', each so many words.
void Translator::emit_calm_neighbours(const DecodedInsn& d, Label& otherwise) {
  const unsigned size = bytes_of_access(d);
  vpbroadcastd(zmm6, xmm0);
  for (int n = 0; n < 2; ++n) {
    vpsubd(zmm7, Zmm(n), zmm6);
    vpsrld(zmm7, zmm7, static_cast<std::uint8_t>(std::countr_zero(size)));
    vpcmpeqd(n == 0 ? k1 : k1 | k1, zmm7, ptr[rip + lanes4_ + n * 64]);
  }
  kortestw(k1, k1);
  jnc(otherwise);
  load_first_address(d);
  emit_calm_words(d, 32 * size, otherwise);
  emit_calm_range(d, size / kWord, otherwise);
}

// The lanes in r10, if each goes as far behind the first one as if all that are between them went to neighbours.
void Translator::emit_calm_row(CalmLanes of, Label& otherwise) {
  of.in_row = true;
  bsf(r11d, r10d);
  mov(edx, ptr[rbx + r11 * 4 + static_cast<int>(offsetof(Frame, scratch))]);
  shl(r11d, 2);
  mov(eax, edx);
  sub(eax, r11d);
  vpbroadcastd(zmm6, eax);
  for (int n = 0; n < 2; ++n) {
    vpsubd(zmm7, Zmm(n), zmm6);
    vpcmpd((n == 0 ? k1 : k2) | (n == 0 ? k4 : k6), zmm7, ptr[rip + steps4_ + n * 64], 4);
  }
  kortestw(k1, k2);
  jnz(otherwise);
  add_place(of.d);
  emit_calm_words(of.d, 32 * kWord, otherwise);
  sub(rsi, r11);
  if (of.shared) sub(r9, r11);
  mov(r11d, r10d);
  emit_calm_lanes_of(of, otherwise);
}

// Global memory is compared chunk by chunk: that of the first lane in r10, and all who go there: those are in r11 then,
// and r10 has the others.
void Translator::find_lanes_of_chunk(const CalmLanes& of, Label& otherwise) {
  const DecodedInsn& d = of.d;
  bsf(eax, r10d);
  mov(edx, ptr[rbx + rax * 4 + static_cast<int>(offsetof(Frame, scratch))]);
  mov(r8, d.beyond_index());
  add(r8, of_place(d, offsetof(Place, first)));
  movzx(edi, r8w);
  lea(eax, ptr[rdx + rdi]);
  shr(eax, CalmChunk::kBits);
  add(rdx, r8);
  vpbroadcastd(zmm4, eax);
  vpbroadcastd(zmm5, edi);
  for (unsigned half = 0; half < 2; ++half) {
    const Zmm behind = of.behind(half), chunk = zmm2;
    vpaddd(behind, zmm5, Zmm(static_cast<int>(half)));
    vpsrld(chunk, behind, CalmChunk::kBits);
    vpcmpeqd(half == 0 ? k1 : k2, chunk, zmm4);
    vpslld(behind, behind, 32 - CalmChunk::kBits);
    vpsrld(behind, behind, 32 - CalmChunk::kBits);
  }
  kunpckwd(k1, k2, k1);
  kmovd(r11d, k1);
  and_(r11d, r10d);
  xor_(r10d, r11d);
  emit_calm_words(d, bytes_of_access(d), otherwise, of.by_byte);
  neg(rdx);
  lea(rsi, ptr[rsi + rdx * of.scale()]);
}

// The lanes in r11.
void Translator::emit_calm_lanes_of(const CalmLanes& of, Label& otherwise) {
  const bool is_load = of.d.lift == Lift::Load;
  for (unsigned half = 0; half < 2; ++half) {
    if (of.d.lift == Lift::Atomic) {
      emit_calm_sums(of, half, otherwise);
      continue;
    }
    if (!is_load && !of.shared && !of.in_row) emit_whether_kept(of, half, otherwise);
    for (unsigned k = 0; k < of.numbers(); ++k)
      is_load ? emit_calm_loads(of, half, k, otherwise) : emit_calm_stores(of, half, k, otherwise);
  }
}

// Stores to global memory are compared where what stood on each lane's page is known: r8 has the bits of the chunk's.
void Translator::emit_whether_kept(const CalmLanes& of, unsigned half, Label& otherwise) {
  vpbroadcastq(zmm5, r8);
  vpsrld(zmm2, of.behind(half), CalmChunk::kPageBits);
  vpsrld(zmm3, zmm2, 5);
  vpermd(zmm4, zmm3, zmm5);
  vpandd(zmm2, zmm2, ptr_b[rip + lane_bits_]);
  vpsrlvd(zmm4, zmm4, zmm2);
  load_lanes(half);
  vptestnmd(k1 | k3, zmm4, ptr_b[rip + lanes4_ + 4]);  // bit 0
  kortestw(k1, k1);
  jnz(otherwise);
}

// zmm2: what these lanes' words have; zmm3: what they have once it is the lane's own. k1: whose is nobody's, k2: whose
// is the lane's. k3: the lanes.
void Translator::emit_numbers_of_lanes(const CalmLanes& of, unsigned half, const Xbyak::Address& at) {
  const auto number = [&](std::size_t offset) { return ptr_b[rbx + static_cast<int>(of_calm(of.d, offset))]; };
  load_lanes(half);
  take_lanes(of, zmm2, at);
  if (!of.in_row) load_lanes(half);
  vmovdqa32(zmm3, ptr[rip + lanes4_ + static_cast<int>(half * 64)]);
  vpaddd(zmm3, zmm3, number(offsetof(CalmNumbers, reader)));
  vpcmpd(k1 | k3, zmm2, number(offsetof(CalmNumbers, first)), 1);
  vpord(zmm4, zmm2, number(offsetof(CalmNumbers, written)));
  vpord(zmm5, zmm3, number(offsetof(CalmNumbers, written)));
  vpcmpeqd(k2 | k3, zmm4, zmm5);
}

// k1: lanes whose word in shared memory is not defined; zmm5: all bits set.
void Translator::find_undefined_lanes(const CalmLanes& of, unsigned half, unsigned k) {
  load_lanes(half);
  take_lanes(of, zmm4, of.at(r9, half, k));
  vpternlogd(zmm5, zmm5, zmm5, 0xff);
  if (!of.in_row) load_lanes(half);
  vpcmpd(k1 | k3, zmm4, zmm5, 4);
  kortestw(k1, k1);
}

// k2: the lanes of these whose numbers are not as they should be; those that other blocks have read become several
// blocks'.
void Translator::emit_numbers_of_others(const CalmLanes& of, const Xbyak::Address& at, Label& otherwise) {
  const auto number = [&](std::size_t offset) { return ptr_b[rbx + static_cast<int>(of_calm(of.d, offset))]; };
  Label none;
  kortestw(k2, k2);
  if (of.shared) return jnz(otherwise);
  jz(none);
  vpcmpd(k3 | k2, zmm2, number(offsetof(CalmNumbers, others)), 5);
  vpcmpd(k3 | k3, zmm2, number(offsetof(CalmNumbers, behind)), 2);
  vptestnmd(k3 | k3, zmm2, number(offsetof(CalmNumbers, written)));
  kxorw(k2, k2, k3);
  kortestw(k2, k2);
  jnz(otherwise);
  vpbroadcastd(zmm4, ptr[rbx + static_cast<int>(of_calm(of.d, offsetof(CalmNumbers, many)))]);
  put_lanes(of, at, k3, zmm4);
  L(none);
}

// Nobody's words become the lane's. Those that other threads have read become several threads', and so do those that
// several lanes are the first to read.
void Translator::emit_calm_loads(const CalmLanes& of, unsigned half, unsigned k, Label& otherwise) {
  const auto number = [&](std::size_t offset) { return ptr_b[rbx + static_cast<int>(of_calm(of.d, offset))]; };
  const Xbyak::Address at = of.at(rsi, half, k);
  const Zmm now = zmm2, own = zmm3, several = zmm4;
  Label none_read, done;
  if (of.shared) {
    find_undefined_lanes(of, half, k);
    jnz(otherwise);
  }
  emit_numbers_of_lanes(of, half, at);
  for (const std::size_t read : {offsetof(CalmNumbers, several), offsetof(CalmNumbers, many)}) {
    vpcmpeqd(k7 | k3, now, number(read));
    korw(k2, k2, k7);  // stay as they are
  }
  vpxord(zmm4, now, own);
  vptestnmd(k7 | k3, zmm4, number(offsetof(CalmNumbers, unthreaded)));
  kandnw(k7, k2, k7);  // were read by others
  korw(k2, k2, k1);
  korw(k2, k2, k7);
  kxorw(k2, k2, k3);
  emit_numbers_of_others(of, at, otherwise);
  kortestw(k1, k7);
  jz(done);
  vpbroadcastd(several, ptr[rbx + static_cast<int>(of_calm(of.d, offsetof(CalmNumbers, several)))]);
  kortestw(k7, k7);
  jz(none_read);
  put_lanes(of, at, k7, several);
  L(none_read);
  kmovw(k3, k1);
  put_lanes(of, at, k1, own);
  if (!of.in_row) {
    kmovw(k1, k3);
    find_whether_apart(of, half, k1);
    je(done);
    take_lanes(of, now, at);
    vpcmpd(k3 | k1, now, own, 4);
    kortestw(k3, k3);
    jz(done);
    put_lanes(of, at, k3, several);
  }
  L(done);
}

// Whether the places of these lanes rise from lane to lane, so that no two are one: ZF says so. Uses zmm5, k2 and eax.
void Translator::find_whether_apart(const CalmLanes& of, unsigned half, const Opmask& lanes) {
  constexpr int kGreater = 6, kAllPairs = 0x7fff;
  const Zmm behind = zmm2;
  vmovdqa32(behind, ptr[rip + steps4_]);
  vpord(behind, behind, ptr_b[rip + sign_]);  // above all of them
  vpcompressd(behind | lanes, of.behind(half));
  valignd(zmm5, behind, behind, 1);
  vpcmpud(k2, zmm5, behind, kGreater);
  kmovw(eax, k2);
  cmp(eax, kAllPairs);
}

// Two lanes' stores to one word are a race: one of them does not find its number there.
void Translator::emit_calm_stores(const CalmLanes& of, unsigned half, unsigned k, Label& otherwise) {
  const Xbyak::Address at = of.at(rsi, half, k);
  const Zmm now = zmm2, own = zmm3;
  emit_numbers_of_lanes(of, half, at);
  korw(k2, k2, k1);
  kxorw(k2, k2, k3);
  kortestw(k2, k2);
  jnz(otherwise);
  vpord(own, own, ptr_b[rbx + static_cast<int>(of_calm(of.d, offsetof(CalmNumbers, writes)))]);
  put_lanes(of, at, k3, own);
  if (!of.in_row) {
    Label apart;
    load_lanes(half);
    find_whether_apart(of, half, k3);
    je(apart);
    take_lanes(of, now, at);
    load_lanes(half);
    vpcmpd(k1 | k3, now, own, 4);
    kortestw(k1, k1);
    jnz(otherwise);
    L(apart);
  }
  if (!of.shared) return;
  Label defined;
  find_undefined_lanes(of, half, k);
  jz(defined);
  put_lanes(of, of.at(r9, half, k), k1, zmm5);
  L(defined);
}

// Of words in shared memory that only atomics change, several lanes' or not.
void Translator::emit_calm_sums(const CalmLanes& of, unsigned half, Label& otherwise) {
  const Xbyak::Address at = of.at(rsi, half, 0);
  const Zmm now = zmm2, changed = zmm3;
  find_undefined_lanes(of, half, 0);
  jnz(otherwise);
  load_lanes(half);
  vpgatherdd(now | k3, at);
  load_lanes(half);
  mov(eax, ptr[rbx + static_cast<int>(of_calm(of.d, offsetof(CalmNumbers, several)))]);
  or_(eax, CalmNumbers::kWrites);
  vpbroadcastd(changed, eax);
  vpcmpd(k2 | k3, now, ptr_b[rbx + static_cast<int>(of_calm(of.d, offsetof(CalmNumbers, first)))], 1);  // nobody's
  vpcmpd(k3 | k3, now, changed, 4);
  kandnw(k7, k2, k3);
  kortestw(k7, k7);
  jnz(otherwise);
  vpscatterdd(at | k2, changed);
}

}  // namespace warpsim::engine
