// Watched accesses of lanes that go anywhere, and of neighbours wider than a word, compared and noted by AVX-512 code
// where memory is taken to be calm: see translate_calm.cpp and sim/event/calm_memory.h.
#include <bit>
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Address;
using Xbyak::CodeGenerator;
using Xbyak::Label;
using Xbyak::Opmask;
using Xbyak::Xmm;
using Xbyak::Ymm;
using Xbyak::Zmm;

namespace {

constexpr std::uint8_t kLess = 1, kNotEqual = 4;  // of vpcmpd

// k3: which of these lanes are compared; r11 has a bit for each.
void load_lanes(CodeGenerator& code, unsigned half) {
  if (half == 0) return code.kmovw(code.k3, code.r11d);
  code.mov(code.eax, code.r11d);
  code.shr(code.eax, 16);
  code.kmovw(code.k3, code.eax);
}

// Of 64-bit lanes in zmm0 to zmm3: 32-bit ones in zmm0 and zmm1.
void narrow_offsets(CodeGenerator& code) {
  for (int n = 0; n < 4; ++n) code.vpmovqd(Ymm(n), Zmm(n));
  code.vinserti64x4(code.zmm0, code.zmm0, code.ymm1, 1);
  code.vinserti64x4(code.zmm1, code.zmm2, code.ymm3, 1);
}

// What some lanes have behind `first`, 8 or 16 bytes each, to a register or from there. rdi: where their offsets are in
// Frame::scratch. Changes rax, rdx and zmm5.
void move_calm_vectors(CodeGenerator& code, const Xbyak::Reg64& first, const Zmm& line, unsigned size, bool is_load) {
  const auto offset_of = [&](unsigned lane) {
    return code.ptr[code.rbx + code.rdi + static_cast<int>(offsetof(Frame, scratch) + lane * 4)];
  };
  for (unsigned quarter = 0; quarter < 4; ++quarter) {
    const Xmm part(quarter == 0 ? line.getIdx() : 5);
    const auto number = static_cast<std::uint8_t>(quarter);
    const Address one = code.ptr[first + code.rax], other = code.ptr[first + code.rdx];
    if (size == 16) {
      code.mov(code.eax, offset_of(quarter));
      if (quarter == 0) is_load ? code.vmovdqu(part, one) : code.vmovdqu(one, part);
      else is_load ? code.vinserti64x2(line, line, one, number) : code.vextracti64x2(one, line, number);
      continue;
    }
    code.mov(code.eax, offset_of(2 * quarter));
    code.mov(code.edx, offset_of(2 * quarter + 1));
    if (!is_load && quarter != 0) code.vextracti64x2(part, line, number);
    is_load ? code.vmovq(part, one) : code.vmovq(one, part);
    is_load ? code.vmovhps(part, part, other) : code.vmovhps(other, part);
    if (is_load && quarter != 0) code.vinserti64x2(line, line, part, number);
  }
}

// zmm2: what words have; zmm3: the lanes whose they are to be, then what they have once they are. k1: whose is
// nobody's, k2: whose may be the lane's. Changes zmm4, zmm5 and, of loads, k3.
void compare_numbers(CodeGenerator& code, int numbers, bool is_load) {
  const auto number = [&](std::size_t offset) { return code.ptr_b[code.rbx + numbers + static_cast<int>(offset)]; };
  const Zmm &now = code.zmm2, &own = code.zmm3;
  code.vpaddd(own, own, number(offsetof(CalmNumbers, reader)));
  code.vpcmpd(code.k1, now, number(offsetof(CalmNumbers, first)), kLess);
  code.vpord(code.zmm4, now, number(offsetof(CalmNumbers, written)));
  code.vpord(code.zmm5, own, number(offsetof(CalmNumbers, written)));
  code.vpcmpeqd(code.k2, code.zmm4, code.zmm5);
  code.korw(code.k2, code.k2, code.k1);
  for (const std::size_t read : {offsetof(CalmNumbers, several), offsetof(CalmNumbers, many)}) {
    if (!is_load) break;
    code.vpcmpeqd(code.k3, now, number(read));
    code.korw(code.k2, code.k2, code.k3);
  }
}

}  // namespace

// How 16 lanes find their words' numbers: so far behind rsi, and as far behind r9 whether their bytes are defined.
// `in_row`: each lane's lies where it would if all went to neighbours. `by_byte`: each byte has a number.
struct Translator::CalmLanes {
  const DecodedInsn& d;
  bool shared, by_byte, in_row = false;

  int scale() const { return by_byte ? static_cast<int>(kWord) : 1; }
  unsigned numbers() const { return bytes_of_access(d) / (by_byte ? 1 : kWord); }  // of each lane
  Zmm behind(unsigned half) const { return Zmm(static_cast<int>((shared ? 0 : 6) + half)); }
  Address at(const Xbyak::Reg64& first, unsigned half, unsigned k) const {
    if (in_row) return Xbyak::util::ptr[first + static_cast<int>(half * 64)];
    return Xbyak::util::ptr[first + behind(half) * scale() + static_cast<int>(k * kWord)];
  }
  // Words of the lanes in k3; those of `lanes`.
  void take(CodeGenerator& code, const Zmm& to, const Address& from) const {
    in_row ? code.vmovdqu32(to | code.k3, from) : code.vpgatherdd(to | code.k3, from);
  }
  void put(CodeGenerator& code, const Address& to, const Opmask& lanes, const Zmm& from) const {
    in_row ? code.vmovdqu32(to | lanes, from) : code.vpscatterdd(to | lanes, from);
  }
};

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
  if (wide) narrow_offsets(*this);
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
    if (!masked && bytes_of_access(d) > kWord) call_calm_vectors(of, known);
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
  Label done;
  if (may_only_read(d)) emit_reads(d, 32 * size, done);
  emit_calm_range(d, size / kWord, otherwise);
  L(done);
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
  Label compared, done;
  if (may_only_read(of.d)) {
    test_only_read(of.d);
    je(compared, T_NEAR);
    vpbroadcastd(zmm4, ptr[rbx + static_cast<int>(of_calm(of.d, offsetof(CalmNumbers, many)))]);
    for (unsigned k = 0; k < 2 * of.numbers(); ++k) {
      load_lanes(*this, k % 2);
      of.put(*this, of.at(rsi, k % 2, k / 2), k3, zmm4);
    }
    jmp(done, T_NEAR);
    L(compared);
  }
  for (unsigned half = 0; half < 2; ++half) {
    if (of.d.lift == Lift::Atomic) {
      emit_calm_sums(of, half, otherwise);
      continue;
    }
    if (!is_load && !of.shared && !of.in_row) emit_whether_kept(of, half, otherwise);
    for (unsigned k = 0; k < of.numbers(); ++k)
      is_load ? emit_calm_loads(of, half, k, otherwise) : emit_calm_stores(of, half, k, otherwise);
  }
  L(done);
}

// Stores to global memory are compared where what stood on each lane's page is known: r8 has the bits of the chunk's.
void Translator::emit_whether_kept(const CalmLanes& of, unsigned half, Label& otherwise) {
  vpbroadcastq(zmm5, r8);
  vpsrld(zmm2, of.behind(half), CalmChunk::kPageBits);
  vpsrld(zmm3, zmm2, 5);
  vpermd(zmm4, zmm3, zmm5);
  vpandd(zmm2, zmm2, ptr_b[rip + lane_bits_]);
  vpsrlvd(zmm4, zmm4, zmm2);
  load_lanes(*this, half);
  vptestnmd(k1 | k3, zmm4, ptr_b[rip + lanes4_ + 4]);  // bit 0
  kortestw(k1, k1);
  jnz(otherwise);
}

// As compare_numbers(), of the words of these lanes, but k2 of all. k3: the lanes.
void Translator::emit_numbers_of_lanes(const CalmLanes& of, unsigned half, const Address& at) {
  load_lanes(*this, half);
  of.take(*this, zmm2, at);
  vmovdqa32(zmm3, ptr[rip + lanes4_ + static_cast<int>(half * 64)]);
  compare_numbers(*this, static_cast<int>(of_calm(of.d, 0)), of.d.lift == Lift::Load);
  load_lanes(*this, half);
  kandw(k1, k1, k3);
}

// k1: lanes whose word in shared memory is not defined; zmm5: all bits set.
void Translator::find_undefined_lanes(const CalmLanes& of, unsigned half, unsigned k) {
  load_lanes(*this, half);
  of.take(*this, zmm4, of.at(r9, half, k));
  vpternlogd(zmm5, zmm5, zmm5, 0xff);
  if (!of.in_row) load_lanes(*this, half);
  vpcmpd(k1 | k3, zmm4, zmm5, 4);
  kortestw(k1, k1);
}

// k2: the lanes of these whose numbers are not as they should be; those that other blocks have read become several
// blocks'.
void Translator::emit_numbers_of_others(const CalmLanes& of, const Address& at, Label& otherwise) {
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
  of.put(*this, at, k3, zmm4);
  L(none);
}

// Nobody's words become the lane's. Those that other threads have read become several threads', and so do those that
// several lanes are the first to read.
void Translator::emit_calm_loads(const CalmLanes& of, unsigned half, unsigned k, Label& otherwise) {
  const auto number = [&](std::size_t offset) { return ptr_b[rbx + static_cast<int>(of_calm(of.d, offset))]; };
  const Address at = of.at(rsi, half, k);
  const Zmm now = zmm2, own = zmm3, several = zmm4;
  Label none_read, done;
  if (of.shared) {
    find_undefined_lanes(of, half, k);
    jnz(otherwise);
  }
  emit_numbers_of_lanes(of, half, at);
  vpxord(zmm4, now, own);
  vptestnmd(k7 | k3, zmm4, number(offsetof(CalmNumbers, unthreaded)));
  kandnw(k7, k2, k7);  // were read by others
  korw(k2, k2, k7);
  kandnw(k2, k2, k3);
  emit_numbers_of_others(of, at, otherwise);
  kortestw(k1, k7);
  jz(done);
  vpbroadcastd(several, ptr[rbx + static_cast<int>(of_calm(of.d, offsetof(CalmNumbers, several)))]);
  kortestw(k7, k7);
  jz(none_read);
  of.put(*this, at, k7, several);
  L(none_read);
  kmovw(k3, k1);
  of.put(*this, at, k1, own);
  if (!of.in_row) {
    kmovw(k1, k3);
    find_whether_apart(of, half, k1);
    je(done);
    of.take(*this, now, at);
    vpcmpd(k3 | k1, now, own, 4);
    kortestw(k3, k3);
    jz(done);
    of.put(*this, at, k3, several);
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
  const Address at = of.at(rsi, half, k);
  const Zmm now = zmm2, own = zmm3;
  emit_numbers_of_lanes(of, half, at);
  kandnw(k2, k2, k3);
  kortestw(k2, k2);
  jnz(otherwise);
  vpord(own, own, ptr_b[rbx + static_cast<int>(of_calm(of.d, offsetof(CalmNumbers, writes)))]);
  of.put(*this, at, k3, own);
  if (!of.in_row) {
    Label apart;
    load_lanes(*this, half);
    find_whether_apart(of, half, k3);
    je(apart);
    of.take(*this, now, at);
    load_lanes(*this, half);
    vpcmpd(k1 | k3, now, own, 4);
    kortestw(k1, k1);
    jnz(otherwise);
    L(apart);
  }
  if (!of.shared) return;
  Label defined;
  find_undefined_lanes(of, half, k);
  jz(defined);
  of.put(*this, of.at(r9, half, k), k1, zmm5);
  L(defined);
}

// Of words in shared memory that only atomics change, several lanes' or not.
void Translator::emit_calm_sums(const CalmLanes& of, unsigned half, Label& otherwise) {
  const Address at = of.at(rsi, half, 0);
  const Zmm now = zmm2, changed = zmm3;
  find_undefined_lanes(of, half, 0);
  jnz(otherwise);
  load_lanes(*this, half);
  vpgatherdd(now | k3, at);
  load_lanes(*this, half);
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

// ---- vectors of all lanes in shared memory

// To `known` if all that the lanes' words need has been done; otherwise the lanes of each word are looked at. Changes
// rax, rdx, rdi, zmm2 to zmm5, and k1 to k3.
void Translator::call_calm_vectors(const CalmLanes& of, Label& known) {
  const std::size_t kind = (of.d.lift == Lift::Load ? 0 : 32) + bytes_of_access(of.d);
  auto& [caller, begin] = calm_vectors_[kind];
  caller = &of.d;
  for (unsigned half = 0; half < 2; ++half)
    vmovdqa64(ptr[rbx + static_cast<int>(offsetof(Frame, scratch) + half * 64)], of.behind(half));
  call(begin);
  jc(known, T_NEAR);
}

void Translator::emit_calm_vectors() {
  for (auto& [kind, code] : calm_vectors_) emit_calm_vectors_of(*code.first, code.second);
}

// CF: whether each word of all lanes is defined, and the lane's own now or one that several may read. Where it is not,
// nothing has been noted that is not so. rsi and r9: as CalmLanes has them.
void Translator::emit_calm_vectors_of(const DecodedInsn& d, Label& begin) {
  const unsigned size = bytes_of_access(d), words = size / kWord;
  const bool is_load = d.lift == Lift::Load;
  const Zmm now = zmm2, own = zmm3;
  Label next, go_on, fail, defined;
  L(begin);
  xor_(edi, edi);
  L(next);
  move_calm_vectors(*this, r9, zmm4, size, true);
  vpternlogd(zmm5, zmm5, zmm5, 0xff);
  vpcmpd(k3, zmm4, zmm5, kNotEqual);
  if (is_load) {
    kortestw(k3, k3);
    jnz(fail, T_NEAR);
  }
  move_calm_vectors(*this, rsi, now, size, true);
  lea(rax, ptr[rip + lanes4_]);
  if (words == 2) vbroadcasti64x4(own, ptr[rax + rdi]);
  else vbroadcasti64x2(own, ptr[rax + rdi]);
  vmovdqa32(zmm5, ptr[rip + lanes_of_words_[words / 2 - 1]]);
  vpermd(own, zmm5, own);
  compare_numbers(*this, static_cast<int>(of_calm(d, 0)), is_load);
  kortestw(k2, k2);
  jnc(fail, T_NEAR);
  if (is_load) {
    kortestw(k1, k1);
    jz(go_on, T_NEAR);
    vmovdqa32(now | k1, own);
  } else vpord(now, own, ptr_b[rbx + static_cast<int>(of_calm(d, offsetof(CalmNumbers, writes)))]);
  move_calm_vectors(*this, rsi, now, size, false);
  if (!is_load) {
    kortestw(k3, k3);
    jz(defined);
    vpternlogd(zmm4, zmm4, zmm4, 0xff);
    move_calm_vectors(*this, r9, zmm4, size, false);
    L(defined);
  }
  move_calm_vectors(*this, rsi, zmm4, size, true);  // two lanes' words that are one have one number
  vpcmpd(k1, zmm4, now, kNotEqual);
  kortestw(k1, k1);
  jnz(fail);
  L(go_on);
  add(edi, static_cast<int>(64 / size * 4));
  cmp(edi, 32 * 4);
  jb(next, T_NEAR);
  stc();
  ret();
  L(fail);
  clc();
  ret();
}

}  // namespace warpsim::engine
