// Accesses to neighbouring addresses behind lanes' own pointers; see translator.h, and linear_rows.h for which these
// are. Of loads the first one brings all words, all of a lane in a vector, and the others take theirs from
// Frame::fetched. Of stores of bytes the first one stores all of them.
#include <algorithm>
#include <bit>
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Zmm;
using State = RowCache::State;

namespace {
constexpr int kBytesOfWord = 4, kBytesOfRow = 128;

bool is_store_of_byte(const DecodedInsn& d) {
  const Semantics semantics = d.mods.memory.semantics;
  return d.lift == Lift::Store && (semantics == Semantics::None || semantics == Semantics::Weak) && !d.watched &&
         is_direct(d) && d.index_wide && d.elements == 0 && bits(d.type) == 8 && d.a != kNoOffset &&
         d.guard == kNoOffset;
}

}  // namespace

std::vector<std::int32_t> stores_of_words(const std::vector<DecodedInsn>& insns, std::int32_t begin, std::int32_t end) {
  std::vector<std::int32_t> found;
  for (std::int32_t pc = begin, last = end; pc < end; ++pc) {
    const DecodedInsn& d = insns[static_cast<std::size_t>(pc)];
    const auto behind = [&](std::int32_t first) {
      const DecodedInsn& of = insns[static_cast<std::size_t>(first)];
      return d.index == of.index && d.space == of.space ? d.beyond_index() - of.beyond_index() : 0;
    };
    if (!is_store_of_byte(d)) last = end;  // `last`: where those began that this one may go on
    else if (last == end || behind(last) != static_cast<std::uint64_t>(pc - last)) last = pc;
    if (last == end || pc - last + 1 != kStoresOfWord) continue;
    found.push_back(last);
    last = end;
  }
  return found;
}

void Translator::find_groups(std::int32_t begin, std::int32_t end) {
  for (const LoadGroup& one : load_groups(insns_, begin, end))
    for (const std::int32_t pc : one.pcs) load_groups_[pc] = one;
  for (const std::int32_t pc : stores_of_words(insns_, begin, end)) stores_of_words_.insert(pc);
  if (!is_live_) return;
  const auto is_base = [this](std::uint32_t row) { return facts_.of(row, true, {}) == Linear{true, 0}; };
  const auto is_live = [this](std::int32_t pc, std::uint32_t row) {
    for (std::uint32_t n = 0; n < 4; ++n)
      if (is_live_(pc, row + n * kLineBytes)) return true;
    return false;
  };
  std::map<std::int32_t, IndexedAccess> found = indexed_accesses(insns_, begin, end, is_base, is_live);
  // Where a group brings what one of them wants, all are computed.
  std::set<std::int32_t> products;
  for (const auto& [pc, one] : found)
    if (load_groups_.contains(pc)) products.insert(one.product);
  std::erase_if(found, [&](const auto& one) { return products.contains(one.second.product); });
  indexed_.merge(found);
}

// ---- addresses of 32-bit indices

// Whether nobody but the accesses that follow needs it: each takes the index itself.
bool Translator::defer(const DecodedInsn& d) {
  const auto found = indexed_.find(d.pc);
  if (found == indexed_.end() || d.lift != Lift::Lane) return false;
  if (d.pc != found->second.product && deferred_.empty()) return false;
  deferred_.push_back(&d);
  rows_.forget_linear(d.dst);
  return true;
}

// All rows as they are before an access, also those that nobody else has needed so far.
void Translator::emit_stores_before(const State& before, const Deferred& deferred) {
  rows_.set(before);
  for (const DecodedInsn* const d : deferred) {
    rows_.begin_instruction();
    masks_ = Masks::None;
    isa_ == Isa::Avx512 ? emit_insn_avx512(*d) : emit_insn_avx2(*d);
  }
  rows_.emit_stores(rows_.state());
}

// ecx: how many elements may begin in the place; edx: what their numbers there are less than the index. An index counts
// from the place's begin on; that is so near to the base that no difference of two of them wraps into the place, which
// has less than 2^29 elements. That is so of indices with a sign; others may not have that bit. Gives the logarithm of
// the size.
int Translator::load_numbers_of_place(const DecodedInsn& d, Label& slow) {
  const int size = static_cast<int>(bytes_of_access(d)), log = std::countr_zero(bytes_of_access(d));
  constexpr int kNear = 1 << 30;
  static_assert(kMostOfPlace / 4 < kNear);
  mov(rdx, first_lane_of(indexed_.at(d.pc).base, true));
  sub(rdx, of_place(d, offsetof(Place, first)));
  test(edx, size - 1);
  jnz(slow);
  sar(rdx, log);
  lea(rcx, ptr[rdx + kNear]);
  shr(rcx, 31);
  jnz(slow);
  neg(edx);
  mov(rcx, of_place(d, offsetof(Place, limit)));
  add(rcx, size - 1);
  shr(rcx, log);
  return log;
}

// zmm0 and zmm1: how far behind the place's first position each lane's address is, of lanes that do not act 0.
void Translator::emit_indexed_offsets(const Access& of, Label& slow) {
  const DecodedInsn& d = of.d;
  const auto log = static_cast<std::uint8_t>(load_numbers_of_place(d, slow));
  vpbroadcastd(zmm6, edx);
  vpbroadcastd(zmm7, ecx);
  for (int n = 0; n < 2; ++n) {
    const Zmm& from = of.index[static_cast<std::size_t>(n)];
    if (of.masked) vpsubd(Zmm(n) | mask_of(static_cast<unsigned>(n), false) | T_z, from, zmm6);
    else vpsubd(Zmm(n), from, zmm6);
  }
  vpcmpud(k1, zmm0, zmm7, 1);
  vpcmpud(k1 | k1, zmm1, zmm7, 1);
  for (unsigned n = 0; n < 2 && !indexed_.at(d.pc).has_sign; ++n) {
    vptestmd(of.masked ? k2 | mask_of(n, false) : k2, of.index[n], ptr_b[rip + sign_]);
    kandnw(k1, k2, k1);
  }
  kortestw(k1, k1);
  jnc(slow);
  for (int n = 0; n < 2; ++n) vpslld(Zmm(n), Zmm(n), log);
  load_base(d);
  if (bits(d.type) == 64) widen_offsets();
}

// ---- loads of words

// Where the first one could not bring all of them, or should not, each goes its own way.
void Translator::emit_load_of_group(const Access& of, const LoadGroup& group, Label& done) {
  const auto own = std::find(group.pcs.begin(), group.pcs.end(), of.d.pc);
  const bool is_first = own == group.pcs.begin();
  if (of.masked) load_masks_of_group(is_first ? Masks::Wide : Masks::Narrow);
  Label& otherwise = outside([this, of, &group, &done, is_first, masks = masks_, after = rows_.state()] {
    rows_.set(after);
    masks_ = masks;
    if (is_first) mov(are_fetched(group), 0);
    move_directly(of, done);
    jmp(done);
  });
  if (is_first) {
    emit_first_of_group(of, group, otherwise);
    mov(are_fetched(group), 1);
    return;
  }
  cmp(are_fetched(group), 0);
  je(otherwise);
  const int row = static_cast<int>(group.row) + static_cast<int>(own - group.pcs.begin()) - 1;
  for (unsigned n = 0; n < 2; ++n) {
    const auto from = ptr[rbx + static_cast<int>(offsetof(Frame, fetched) + n * kLineBytes) + row * kBytesOfRow];
    if (of.masked) vmovdqa32(of.values[n] | mask_of(n, false), from);
    else vmovdqa64(of.values[n], from);
  }
}

// ---- stores

// Of the offsets in zmm0 to zmm3: 16 lanes in zmm0 and 16 in zmm1.
void Translator::take_words_of_offsets() {
  vmovdqa64(zmm7, ptr[rip + even_]);
  vpermt2d(zmm0, zmm7, zmm1);
  vpermt2d(zmm2, zmm7, zmm3);
  vmovdqa64(zmm1, zmm2);
}

// Of eax offsets in zmm6 and edx in zmm7, which lie one behind the other in the frame: each is to be a word at least
// behind the one before. A vector that the frame's two had to make would wait until both are stored. Uses zmm2 and
// zmm3.
void Translator::check_rising(int offsets, Label& otherwise) {
  constexpr std::uint8_t kAtMost = 2;
  constexpr int kThree = 4 * 8;  // behind below_size_
  mov(esi, -1);
  for (int n = 0; n < 2; ++n) {
    const Opmask pairs(1 + n);
    const Zmm line(6 + n), beyond(2 + n);
    bzhi(edi, esi, n == 0 ? eax : edx);
    shr(edi, 1);
    kmovw(pairs, edi);
    valignd(beyond, line, line, 1);
    vpsubd(beyond, beyond, line);
    vpcmpd(pairs | pairs, beyond, ptr_b[rip + below_size_ + kThree], kAtMost);
  }
  kortestw(k1, k2);
  jnz(otherwise);
  mov(esi, ptr[rbx + rax * 4 + offsets]);  // of both lines, if there are any
  sub(esi, ptr[rbx + rax * 4 + offsets - kBytesOfWord]);
  mov(edi, kBytesOfWord);
  for (const Xbyak::Reg32& count : {eax, edx}) {
    test(count, count);
    cmovz(esi, edi);
  }
  cmp(esi, kBytesOfWord);
  jl(otherwise);
}

// One after the other, where the first one could not make them all.
Label& Translator::storing_apart(const DecodedInsn& d, Label& done) {
  return outside([this, &d, &done, state = rows_.state(), masks = masks_] {
    rows_.set(state);
    masks_ = masks;
    for (std::int32_t pc = d.pc; pc < d.pc + kStoresOfWord; ++pc) {
      const DecodedInsn& one = insns_[static_cast<std::size_t>(pc)];
      const bool masked = is_masked(one) || lanes_ != 32;
      rows_.begin_instruction();
      if (masked) load_active(one);
      isa_ == Isa::Avx512 ? emit_direct_access(one, masked) : emit_direct_avx2(one, masked, nullptr);
    }
    rows_.emit_stores(rows_.state());
    rows_.emit_loads(state);
    load_masks_of_group(masks);
    jmp(done);
  });
}

void Translator::emit_stores_of_word(const DecodedInsn& d, bool masked) {
  stores_word_ = d.pc;
  const Access of{d, masked, read_index(d), {}, {}, {}, {}, false};
  std::vector<Zmm> bytes;
  for (std::int32_t pc = d.pc; pc < d.pc + kStoresOfWord; ++pc)
    for (unsigned n = 0; n < 2; ++n)
      bytes.push_back(rows_.read(insns_[static_cast<std::size_t>(pc)].a + n * kLineBytes));
  if (masked) load_masks_of_group(Masks::Wide);
  Label& done = later();
  Label& apart = storing_apart(d, done);
  emit_wide_offsets(of, kStoresOfWord - 1, apart);
  take_words_of_offsets();
  for (unsigned n = 0; n < 2; ++n) {
    const Zmm whole(static_cast<int>(4 + n));
    vpslld(whole, bytes[6 + n], 24);
    for (unsigned k = 0; k < 3; ++k) {
      vpslld(zmm6, bytes[2 * k + n], 24);
      vpsrld(zmm6, zmm6, static_cast<std::uint8_t>(24 - 8 * k));
      vpord(whole, whole, zmm6);
    }
  }
  if (!masked)
    for (const Xbyak::Opmask& all : {k4, k6}) kxnorw(all, all, all);
  store_some_small(32, zmm4, zmm5, &apart);
  L(done);
}

// As a lane has stored its word, each byte of which is stored again where they are stored apart, it is no harm that
// another one's is found to overlap.
void Translator::emit_stores_of_word_avx2(const DecodedInsn& d, bool masked) {
  stores_word_ = d.pc;
  const int scratch = static_cast<int>(offsetof(Frame, scratch)), words = scratch + kBytesOfRow;
  Label& done = later();
  Label& apart = storing_apart(d, done);
  if (masked) spread_mask(ymm15, eax);
  else mov(eax, -1);
  emit_positions(d, masked, kStoresOfWord - 1, apart);
  const auto byte_of = [&](unsigned k, unsigned n) { return chunk(insns_[static_cast<std::size_t>(d.pc) + k].a, n); };
  for (unsigned n = 0; n < chunks_of(false); ++n) {
    vmovdqa(ymm0, byte_of(3, n));
    vpslld(ymm0, ymm0, 24);
    for (unsigned k = 0; k < 3; ++k) {
      vmovdqa(ymm1, byte_of(k, n));
      vpslld(ymm1, ymm1, 24);
      vpsrld(ymm1, ymm1, static_cast<std::uint8_t>(24 - 8 * k));
      vpor(ymm0, ymm0, ymm1);
    }
    vmovdqa(ptr[rbx + words + static_cast<int>(n) * kChunkBytes], ymm0);
  }
  Label next;
  xor_(edi, edi);  // behind the last word
  L(next);
  bsf(r8d, eax);
  mov(esi, ptr[rbx + r8 * 4 + scratch]);
  cmp(esi, edi);
  jb(apart);
  mov(edx, ptr[rbx + r8 * 4 + words]);
  mov(ptr[rcx + rsi], edx);
  lea(edi, ptr[rsi + kStoresOfWord]);
  lea(edx, ptr[rax - 1]);
  and_(eax, edx);
  jnz(next);
  L(done);
}

// ---- loads for hosts with AVX2

void Translator::emit_load_of_group_avx2(const DecodedInsn& d, const LoadGroup& group, bool masked) {
  const auto own = std::find(group.pcs.begin(), group.pcs.end(), d.pc);
  if (own == group.pcs.begin()) return emit_direct_avx2(d, masked, &group);
  Label& done = later();
  cmp(are_fetched(group), 0);
  je(outside([this, &d, masked, &done, state = rows_.state()] {
    rows_.set(state);
    emit_direct_avx2(d, masked, nullptr);
    jmp(done);
  }));
  const int row = static_cast<int>(group.row) + static_cast<int>(own - group.pcs.begin()) - 1;
  put_fetched(d, masked, static_cast<int>(offsetof(Frame, fetched)) + row * kBytesOfRow);
  L(done);
}

Xbyak::Address Translator::are_fetched(const LoadGroup& group) {
  return byte[rbx + static_cast<int>(offsetof(Frame, are_fetched) + group.row)];
}

// From a row of the frame. rax: the lanes that act, if it is masked.
void Translator::put_fetched(const DecodedInsn& d, bool masked, int from) {
  if (masked) spread_mask(ymm15, eax);
  for (unsigned n = 0; n < chunks_of(false); ++n) {
    vmovdqa(ymm0, ptr[rbx + from + static_cast<int>(n) * kChunkBytes]);
    if (masked) {
      find_lanes(ymm6, ymm15, n, false);
      vmovdqa(ymm1, chunk(d.dst, n));
      vpblendvb(ymm0, ymm1, ymm0, ymm6);
    }
    vmovdqa(chunk(d.dst, n), ymm0);
  }
}

// Falls through where not all words of all lanes are in the place.
void Translator::emit_first_of_group_avx2(const DecodedInsn& d, const LoadGroup& group, bool masked, Label& done) {
  const std::size_t words = group.pcs.size(), k = words == 2 ? 0 : 1;
  Label alone;
  emit_positions(d, masked, static_cast<int>(words - 1) * kBytesOfWord, alone);
  brings_words_[k] = true;
  lea(r8, ptr[rbx + static_cast<int>(offsetof(Frame, fetched) + group.row * kBytesOfRow)]);
  call(words_of_lanes_[k]);
  mov(are_fetched(group), 1);
  put_fetched(d, masked, static_cast<int>(offsetof(Frame, scratch)) + kBytesOfRow);
  jmp(done);
  L(alone);
}

// Of each lane the two or four words at its position in Frame::scratch, behind rcx: the first ones become a row behind
// the positions, the others a row each from r8 on.
void Translator::emit_words_of_lanes() {
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  const auto of_lane = [&](unsigned lane) {
    mov(edx, ptr[rbx + scratch + static_cast<int>(lane * 4)]);
    return ptr[rcx + rdx];
  };
  const auto put = [&](unsigned number, unsigned n, const Xbyak::Ymm& value) {
    const int at = static_cast<int>(n) * kChunkBytes;
    vmovdqa(
        number == 0 ? ptr[rbx + scratch + kBytesOfRow + at] : ptr[r8 + static_cast<int>(number - 1) * kBytesOfRow + at],
        value);
  };
  for (unsigned k = 0; k < 2; ++k) {
    if (!brings_words_[k]) continue;
    align(16);
    L(words_of_lanes_[k]);
    for (unsigned n = 0; n < chunks_of(false); ++n) {
      for (unsigned r = 0; k == 0 && r < 2; ++r) {  // of two lanes in each half
        const Xbyak::Xmm low(static_cast<int>(r));
        for (const unsigned half : {1U, 0U}) {
          const Xbyak::Xmm& to = half == 0 ? low : xmm4;
          vmovq(to, of_lane(n * 8 + half * 4 + r * 2));
          vmovhps(to, to, of_lane(n * 8 + half * 4 + r * 2 + 1));
        }
        vinserti128(Xbyak::Ymm(low.getIdx()), Xbyak::Ymm(low.getIdx()), xmm4, 1);
      }
      if (k == 0) {
        vshufps(ymm2, ymm0, ymm1, 0x88);
        vshufps(ymm3, ymm0, ymm1, 0xdd);
        put(0, n, ymm2);
        put(1, n, ymm3);
        continue;
      }
      for (unsigned r = 0; r < 4; ++r) {
        const Xbyak::Ymm to(static_cast<int>(r));
        vmovdqu(Xbyak::Xmm(to.getIdx()), of_lane(n * 8 + r));
        vinserti128(to, to, of_lane(n * 8 + 4 + r), 1);
      }
      vunpcklps(ymm4, ymm0, ymm1);
      vunpckhps(ymm5, ymm0, ymm1);
      vunpcklps(ymm0, ymm2, ymm3);
      vunpckhps(ymm1, ymm2, ymm3);
      vunpcklpd(ymm2, ymm4, ymm0);
      vunpckhpd(ymm3, ymm4, ymm0);
      vunpcklpd(ymm4, ymm5, ymm1);
      vunpckhpd(ymm5, ymm5, ymm1);
      for (unsigned r = 0; r < 4; ++r) put(r, n, Xbyak::Ymm(static_cast<int>(2 + r)));
    }
    ret();
  }
}

}  // namespace warpsim::engine
