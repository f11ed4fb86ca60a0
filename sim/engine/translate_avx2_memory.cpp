// Loads and stores for hosts with AVX2 and no AVX-512; see translate_avx2.cpp. As with AVX-512 the code makes an access
// by itself where all its lanes go to the instruction's place (frame.h), aligned. All others go through Frame::access.
#include <algorithm>
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Address;
using Xbyak::Label;

namespace {
int logarithm(unsigned size) { return size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3; }
}  // namespace

void Translator::emit_access_avx2(const DecodedInsn& d, bool masked) {
  const bool is_vector = d.elements != 0, is_known_vector = !masked && bytes_of_access(d) <= 16;
  if (!is_direct(d) || (is_vector ? !is_known_vector : (d.lift == Lift::Load ? d.dst : d.a) == kNoOffset)) {
    for (const DecodedInsn* const one : deferred_) emit_insn_avx2(*one);
    rows_.flush();
    return emit_access_call(d, masked);
  }
  if (stores_of_words_.contains(d.pc)) return emit_stores_of_word_avx2(d, masked);
  if (const auto group = load_groups_.find(d.pc); group != load_groups_.end())
    return emit_load_of_group_avx2(d, group->second, masked);
  emit_direct_avx2(d, masked, nullptr);
}

// Where all lanes act, they may go to neighbours, or all load one address; else lane by lane, with the words of a group
// that this load is the first of. rax: the lanes that act, if it is masked.
void Translator::emit_direct_avx2(const DecodedInsn& d, bool masked, const LoadGroup* group) {
  const bool is_load = d.lift == Lift::Load, is_small = bits(d.type) < 32, is_vector = d.elements != 0;
  const std::uint32_t row = is_load ? d.dst : d.a;
  Label& done = later();
  Label& slow = calling_access(d, masked, done);
  Label scattered;
  if (group != nullptr) mov(are_fetched(*group), 0);
  if (masked) {
    test(rax, rax);
    jz(done);
    spread_mask(ymm15, eax);
  } else if (!d.watched || !is_small) {
    Label differ;
    const int size = static_cast<int>(bytes(d.type));
    if (!is_vector) {
      emit_first_of_all(d, size, differ);
      emit_bounds(d, 31 * size, slow);
      if (d.watched) emit_hearing(d, 32 * static_cast<unsigned>(size), {}, scattered);
      is_small ? move_small_chunks(d) : move_chunks(is_load, row, bits(d.type) == 64);
      jmp(done);
      L(differ);
    }
    if (is_load) {
      emit_first_of_all(d, 0, scattered);
      emit_bounds(d, 0, slow);
      if (d.watched) emit_hearing(d, bytes_of_access(d), {}, scattered);
      broadcast_avx2(d);
      jmp(done);
    }
  }
  L(scattered);
  if (group != nullptr) emit_first_of_group_avx2(d, *group, masked, done);
  emit_positions(d, masked, 0, slow);
  if (d.watched) emit_hearing_lanes(d, masked, slow);
  if (is_vector) emit_vectors_avx2(d);
  else if (!is_load) emit_lane_stores(d, masked);
  else is_small ? emit_small_gather(d, masked) : emit_gather(d, masked);
  L(done);
}

// Outside: the machine makes the access, and the code goes on behind it.
Label& Translator::calling_access(const DecodedInsn& d, bool masked, Label& done) {
  return outside([this, &d, masked, &done, state = rows_.state(), deferred = deferred_] {
    emit_stores_before(state, deferred);
    emit_access_call(d, masked);
    jmp(done);
  });
}

// All lanes load what rax points to.
void Translator::broadcast_avx2(const DecodedInsn& d) {
  const int size = static_cast<int>(bytes(d.type));
  for (unsigned e = 0; e < std::max<unsigned>(d.elements, 1); ++e) {
    const std::uint32_t row = d.elements == 0 ? d.dst : d.element[e];
    if (row == kNoOffset) continue;
    const Address from = ptr[rax + static_cast<int>(e) * size];
    switch (size) {
      case 1: vpbroadcastb(ymm0, from); break;
      case 2: vpbroadcastw(ymm0, from); break;
      case 4: vpbroadcastd(ymm0, from); break;
      default: vpbroadcastq(ymm0, from);
    }
    cut_chunk(ymm0, d.type);
    for (unsigned n = 0; n < chunks_of(size == 8); ++n) vmovdqa(chunk(row, n), ymm0);
  }
}

// Between a row and the bytes or halves of words from rax on.
void Translator::move_small_chunks(const DecodedInsn& d) {
  const bool is_byte = bits(d.type) == 8;
  for (unsigned n = 0; n < chunks_of(false); ++n) {
    const Address at = ptr[rax + static_cast<int>(n * (is_byte ? 8 : 16))];
    if (d.lift == Lift::Load) {
      is_byte ? vpmovzxbd(ymm0, at) : vpmovzxwd(ymm0, at);
      if (d.type == Type::S8) cut_chunk(ymm0, d.type);
      vmovdqa(chunk(d.dst, n), ymm0);
      continue;
    }
    vmovdqa(ymm0, chunk(d.a, n));
    vpshufb(ymm0, ymm0, ptr[rip + (is_byte ? low_bytes_ : low_halves_)]);
    vextracti128(xmm1, ymm0, 1);
    if (is_byte) {
      vpunpckldq(xmm0, xmm0, xmm1);
      vmovq(at, xmm0);
    } else {
      vpunpcklqdq(xmm0, xmm0, xmm1);
      vmovdqu(at, xmm0);
    }
  }
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

// Frame::scratch: a word a lane, how far behind the place's first position its address is; 0 of those that do not act:
// ymm15 has the mask of the others. rcx: where the place begins on the host. So many bytes `more` must lie there, too.
void Translator::emit_positions(const DecodedInsn& d, bool masked, int more, Label& outside_of_it) {
  if (is_indexed(d)) return emit_indexed_positions(d, masked, outside_of_it);
  const bool wide = d.index_wide;
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  if (wide) {
    vpbroadcastq(ymm1, of_place(d, offsetof(Place, first)));
  } else {
    mov(ecx, static_cast<std::uint32_t>(d.index_bias));
    vmovd(xmm1, ecx);
    vpbroadcastd(ymm1, xmm1);
  }
  if (more == 0) {
    vpbroadcastd(ymm5, of_place(d, offsetof(Place, limit)));  // kMostOfPlace
  } else {
    mov(ecx, of_place(d, offsetof(Place, limit)));
    sub(ecx, more);
    jb(outside_of_it);
    vmovd(xmm5, ecx);
    vpbroadcastd(ymm5, xmm5);
  }
  vpxor(ymm3, ymm3, ymm3);
  vpcmpeqd(ymm0, ymm0, ymm0);
  const auto position = [&](const Xbyak::Ymm& to, unsigned n) {
    vmovdqa(to, chunk(d.index, n));
    wide ? vpsubq(to, to, ymm1) : vpaddd(to, to, ymm1);
    if (masked) {
      find_lanes(ymm7, ymm15, n, wide);
      vpand(to, to, ymm7);
    }
    vpor(ymm3, ymm3, to);
  };
  for (unsigned n = 0; n < chunks_of(false); ++n) {
    position(ymm2, wide ? 2 * n : n);
    if (wide) {
      position(ymm4, 2 * n + 1);
      take_low_words(ymm2, ymm4);
    }
    vmovdqa(ptr[rbx + scratch + static_cast<int>(n) * kChunkBytes], ymm2);
    vpcmpgtd(ymm4, ymm5, ymm2);
    vpand(ymm0, ymm0, ymm4);
  }
  vpmovmskb(ecx, ymm0);
  cmp(ecx, -1);
  jne(outside_of_it);
  // Whether one is negative, too large for a word, or not aligned.
  const std::uint64_t unwanted = (wide ? ~(kMostOfPlace) : std::uint64_t{0x80000000}) | (bytes_of_access(d) - 1);
  mov(rcx, unwanted);
  vmovq(xmm2, rcx);
  wide ? vpbroadcastq(ymm2, xmm2) : vpbroadcastd(ymm2, xmm2);
  vptest(ymm3, ymm2);
  jnz(outside_of_it);
  load_base(d);
}

// The same of 32-bit indices.
void Translator::emit_indexed_positions(const DecodedInsn& d, bool masked, Label& slow) {
  const auto log = static_cast<std::uint8_t>(load_numbers_of_place(d, slow));
  vmovd(xmm1, edx);
  vmovd(xmm5, ecx);
  vpbroadcastd(ymm1, xmm1);
  vpbroadcastd(ymm5, xmm5);
  vpxor(ymm3, ymm3, ymm3);
  vpcmpeqd(ymm0, ymm0, ymm0);
  for (unsigned n = 0; n < chunks_of(false); ++n) {
    if (masked) find_lanes(ymm7, ymm15, n, false);
    vmovdqa(ymm4, chunk(index_of(d), n));
    vpsubd(ymm2, ymm4, ymm1);
    if (masked) vpand(ymm2, ymm2, ymm7);
    vpor(ymm3, ymm3, ymm2);
    if (!indexed_.at(d.pc).has_sign) {
      if (masked) vpand(ymm4, ymm4, ymm7);
      vpor(ymm3, ymm3, ymm4);
    }
    vpcmpgtd(ymm4, ymm5, ymm2);
    vpand(ymm0, ymm0, ymm4);
    vpslld(ymm2, ymm2, log);
    vmovdqa(ptr[rbx + static_cast<int>(offsetof(Frame, scratch) + n * kChunkBytes)], ymm2);
  }
  vpandn(ymm0, ymm3, ymm0);  // signs
  vmovmskps(ecx, ymm0);
  cmp(ecx, 0xff);
  jne(slow);
  load_base(d);
}

void Translator::emit_gather(const DecodedInsn& d, bool masked) {
  const bool wide = bits(d.type) == 64;
  gathers_[wide ? 1 : 0] = true;
  call(gather_[wide ? 1 : 0]);
  for (unsigned n = 0; n < chunks_of(wide); ++n) {
    if (masked) {
      find_lanes(ymm6, ymm15, n, wide);
      vmovdqa(ymm0, chunk(d.dst, n));
      vpblendvb(result(n), ymm0, result(n), ymm6);
    }
    vmovdqa(chunk(d.dst, n), result(n));
  }
}

// Of words, which all lie in the place (kBytesOfGather).
void Translator::emit_small_gather(const DecodedInsn& d, bool masked) {
  gathers_[0] = true;
  call(gather_[0]);
  for (unsigned n = 0; n < chunks_of(false); ++n) {
    vmovdqa(ymm0, result(n));
    cut_chunk(ymm0, d.type);
    if (masked) {
      find_lanes(ymm6, ymm15, n, false);
      vmovdqa(ymm1, chunk(d.dst, n));
      vpblendvb(ymm0, ymm1, ymm0, ymm6);
    }
    vmovdqa(chunk(d.dst, n), ymm0);
  }
}

// What all lanes find at the positions in Frame::scratch, behind rcx, in result(). By single loads, which are faster
// than gathers on AMD's Zen 3. Lanes that do not act load the place's first word.
void Translator::emit_gathers() {
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  const auto load_two = [&](const Xbyak::Xmm& to, unsigned lane) {
    for (unsigned k = 0; k < 2; ++k) {
      mov(eax, ptr[rbx + scratch + static_cast<int>((lane + k) * 4)]);
      k == 0 ? vmovq(to, ptr[rcx + rax]) : vpinsrq(to, to, ptr[rcx + rax], 1);
    }
  };
  const auto load_four = [&](const Xbyak::Xmm& to, unsigned lane) {
    for (unsigned k = 0; k < 4; ++k) {
      mov(eax, ptr[rbx + scratch + static_cast<int>((lane + k) * 4)]);
      k == 0 ? vmovd(to, ptr[rcx + rax]) : vpinsrd(to, to, ptr[rcx + rax], static_cast<std::uint8_t>(k));
    }
  };
  for (const bool wide : {false, true}) {
    if (!gathers_[wide ? 1 : 0]) continue;
    align(16);
    L(gather_[wide ? 1 : 0]);
    const unsigned lanes = wide ? 2 : 4;
    for (unsigned n = 0; n < chunks_of(wide); ++n) {
      const Xbyak::Xmm low(result(n).getIdx());
      const auto load = [&](const Xbyak::Xmm& to, unsigned lane) { wide ? load_two(to, lane) : load_four(to, lane); };
      load(low, 2 * n * lanes);
      load(xmm1, (2 * n + 1) * lanes);
      vinserti128(result(n), result(n), xmm1, 1);
    }
    ret();
  }
}

// In rising order, so that of several stores to one address the last lane's stays.
void Translator::emit_lane_stores(const DecodedInsn& d, bool masked) {
  const bool wide = bits(d.type) == 64;
  const int scratch = static_cast<int>(offsetof(Frame, scratch)), row = static_cast<int>(d.a);
  const auto store = [&](const Address& at) {
    switch (bits(d.type)) {
      case 8: return mov(at, dl);
      case 16: return mov(at, dx);
      case 32: return mov(at, edx);
      default: return mov(at, rdx);
    }
  };
  if (!masked) {
    for (int lane = 0; lane < 32; ++lane) {
      mov(eax, ptr[rbx + scratch + lane * 4]);
      wide ? mov(rdx, ptr[r12 + row + lane * 8]) : mov(edx, ptr[r12 + row + lane * 4]);
      store(ptr[rcx + rax]);
    }
    return;
  }
  Label next;
  L(next);
  bsf(r8d, eax);
  mov(esi, ptr[rbx + r8 * 4 + scratch]);
  wide ? mov(rdx, ptr[r12 + r8 * 8 + row]) : mov(edx, ptr[r12 + r8 * 4 + row]);
  store(ptr[rcx + rsi]);
  lea(edx, ptr[rax - 1]);
  and_(eax, edx);
  jnz(next);
}

// From rax, the first lane's position, to where that is on the host; all lanes', the last of them so much behind, must
// be below the limit.
void Translator::emit_bounds(const DecodedInsn& d, int behind, Label& outside_of_it) {
  if (behind != 0) lea(rcx, ptr[rax + behind]);
  cmp(behind != 0 ? rcx : rax, of_place(d, offsetof(Place, limit)));
  jae(outside_of_it);
  // Bits 31 and up, which the first lane's position has not either (kMostOfPlace), and those below its size.
  static_assert(kMostOfPlace < std::uint64_t{1} << 31);
  test(rax, 0x8000'0000U | (bytes_of_access(d) - 1));
  jnz(outside_of_it);
  if (d.space == AddressSpace::Shared) add(rax, ptr[rbx + offsetof(Frame, shared)]);
  else add(rax, of_place(d, offsetof(Place, at)));
}

// rax: where the first lane goes in the instruction's place, if each lane's address is so much behind the one before:
// its size, or 0.
void Translator::emit_first_of_all(const DecodedInsn& d, int step, Label& otherwise) {
  const bool wide = d.index_wide && !is_indexed(d);
  const std::uint32_t row = index_of(d);
  const Label& steps = (wide ? steps_wide_ : steps_narrow_)[is_indexed(d) ? 0 : logarithm(static_cast<unsigned>(step))];
  wide ? vpbroadcastq(ymm1, chunk(row, 0)) : vpbroadcastd(ymm1, chunk(row, 0));
  for (unsigned n = 0; n < chunks_of(wide); ++n) {
    vmovdqa(ymm2, chunk(row, n));
    if (step == 0) {
      wide ? vpcmpeqq(ymm2, ymm2, ymm1) : vpcmpeqd(ymm2, ymm2, ymm1);
    } else {
      const Address expected = ptr[rip + steps + static_cast<int>(n) * kChunkBytes];
      wide ? vpsubq(ymm2, ymm2, ymm1) : vpsubd(ymm2, ymm2, ymm1);
      wide ? vpcmpeqq(ymm2, ymm2, expected) : vpcmpeqd(ymm2, ymm2, expected);
    }
    if (n == 0) {  // which mostly says that they do not
      vpmovmskb(eax, ymm2);
      cmp(eax, -1);
      jne(otherwise);
    } else if (n == 1) vmovdqa(ymm0, ymm2);
    else vpand(ymm0, ymm0, ymm2);
  }
  vpmovmskb(eax, ymm0);
  cmp(eax, -1);
  jne(otherwise);
  if (!is_indexed(d)) return emit_position(d);
  emit_position_by_index(d, step, otherwise);
}

// rax: how far behind the place's first position the first lane's address is.
void Translator::emit_position(const DecodedInsn& d) {
  if (d.index_wide) {
    load_first_lane(rax, d.index, true);
    sub(rax, of_place(d, offsetof(Place, first)));
  } else {
    load_first_lane(eax, d.index, false);
    if (d.index_bias != 0) add(eax, static_cast<std::uint32_t>(d.index_bias));
  }
}

// The same of indices, unless those of neighbours wrap.
void Translator::emit_position_by_index(const DecodedInsn& d, int step, Label& otherwise) {
  constexpr int kLast = 31;
  const IndexedAccess& one = indexed_.at(d.pc);
  if (step != 0) {
    mov(eax, first_lane_of(one.index, false));
    add(eax, kLast);
    one.has_sign ? jo(otherwise) : jc(otherwise);
  }
  if (one.has_sign) movsxd(rax, first_lane_of(one.index, false));
  else mov(eax, first_lane_of(one.index, false));
  imul(rax, rax, static_cast<int>(bytes_of_access(d)));
  add(rax, first_lane_of(one.base, true));
  sub(rax, of_place(d, offsetof(Place, first)));
}

}  // namespace warpsim::engine
