// Loads and stores; see translator.h. The code makes an access by itself where all its lanes go to the instruction's
// place (frame.h), aligned; neighbours as one vector. All others go through Frame::access, as do atomics, and votes.
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Opmask;
using Xbyak::Xmm;
using Xbyak::Zmm;
using State = RowCache::State;

namespace {
unsigned elements_of(const DecodedInsn& d) { return d.elements == 0 ? 1U : d.elements; }
// At most 32 bits of one lane: how far behind rcx stands at `lane`, what is stored so many bytes further.
void store_part(Xbyak::CodeGenerator& code, unsigned bits, const Xbyak::RegExp& lane, int to_value) {
  using namespace Xbyak::util;
  code.mov(esi, ptr[lane]);
  code.mov(edi, ptr[lane + to_value]);
  switch (bits) {
    case 8: return code.mov(ptr[rcx + rsi], dil);
    case 16: return code.mov(ptr[rcx + rsi], di);
    default: code.mov(ptr[rcx + rsi], edi);
  }
}
}  // namespace

bool Translator::is_access(const DecodedInsn& d) const {
  return d.access.move != nullptr && d.space != AddressSpace::Local;
}

Xbyak::Address Translator::of_place(const DecodedInsn& d, std::size_t offset) const {
  return ptr[r15 + d.pc * static_cast<int>(sizeof(Place)) + static_cast<int>(offset)];
}

// Frame::access: false, and the code is left at this instruction.
void Translator::emit_access_call(const DecodedInsn& d, bool is_masked_access) {
  Label made;
  if (d.watched) note_cycle(d);
  mov(rdi, rbx);
  mov(esi, d.pc);
  if (is_masked_access && d.guard != kNoOffset) mov(rdx, ptr[rbx + offsetof(Frame, active)]);
  else mov(rdx, r14);
  vzeroupper();
  call(ptr[rbx + offsetof(Frame, access)]);
  test(al, al);
  jnz(made);
  mov(dword[rbx + offsetof(Frame, pc)], static_cast<std::uint32_t>(d.pc));
  add(r13, not_issued_at(d.pc));
  note_body();
  jmp(leave_);
  L(made);
}

void Translator::emit_access(const DecodedInsn& d) {
  const bool masked = is_masked(d) || lanes_ != 32;
  if (masked && (d.guard != kNoOffset || d.watched)) {
    load_active(d);
    mov(ptr[rbx + offsetof(Frame, active)], rax);
  }
  if (is_direct(d))
    return stores_of_words_.contains(d.pc) ? emit_stores_of_word(d, masked) : emit_direct_access(d, masked);
  rows_.flush();
  rows_.forget_lines();
  emit_access_call(d, masked);
}

// What is loaded or stored, a register a line; of a load where some lanes keep what they have a copy of that in `kept`.
std::vector<Zmm> Translator::values_of_access(const DecodedInsn& d, std::vector<Kept>* kept) {
  std::vector<Zmm> values;
  const unsigned lines = bits(d.type) == 64 ? 4 : 2;
  for (unsigned e = 0; e < elements_of(d); ++e) {
    for (unsigned n = 0; n < lines; ++n) {
      const std::uint32_t row = row_of_element(d, e);
      if (d.lift == Lift::Store) {
        values.push_back(rows_.read(row + n * 64));
      } else {
        const Zmm value = rows_.fresh();
        if (kept != nullptr && row != kNoOffset) {
          if (is_for_resting(d, row + n * 64)) keep(value, row + n * 64, *kept);
          else vpxord(value, value, value);
        }
        values.push_back(value);
      }
    }
  }
  return values;
}

std::vector<Zmm> Translator::read_index(const DecodedInsn& d) {
  std::vector<Zmm> index;
  for (unsigned n = 0; n < (d.index_wide && !is_indexed(d) ? 4U : 2U); ++n)
    index.push_back(rows_.read(index_of(d) + n * 64));
  return index;
}

// Where each lane goes. If that is not to one known place, the machine makes the access, from the rows as they were
// before, and the code goes on behind it.
void Translator::emit_offsets(const Access& of, Label& done) {
  const DecodedInsn& d = of.d;
  const bool masked = of.masked;
  Label& slow = outside(
      [this, &d, masked, before = of.before, deferred = of.deferred, after = rows_.state(), &done, masks = masks_] {
        emit_stores_before(before, deferred);
        emit_access_call(d, masked);
        rows_.emit_loads(after);
        masks_ = Masks::None;
        load_masks_of_group(masks);
        jmp(done);
      });
  if (of.is_indexed) emit_indexed_offsets(of, slow);
  else if (d.index_wide) emit_wide_offsets(of, 0, slow);
  else emit_narrow_offsets(d, of.index, masked, slow);
  if (!d.watched) return;
  Label& heard = later();
  Label& unsettled = outside(
      [this, &d = of.d, masked = of.masked, before = of.before, kept = of.kept, after = rows_.state(), &heard, &done] {
        Label unheard, unknown;
        emit_calm_lanes(d, masked, unknown);
        jmp(heard);
        L(unknown);
        rows_.emit_stores(before);
        emit_hearing_offsets(d, masked, unheard);
        rows_.emit_loads(before);
        for (const Kept& one : kept) vmovdqa64(one.copy, ptr[r12 + static_cast<int>(one.line)]);
        jmp(heard);
        L(unheard);
        emit_access_call(d, masked);
        rows_.emit_loads(after);
        jmp(done);
      });
  Label calm;
  emit_offsets_settled(d, masked, calm);
  jmp(heard, T_NEAR);
  L(calm);
  emit_offsets_calm(d, masked, unsettled);
  L(heard);
}

// rcx: where the place begins on the host.
void Translator::load_base(const DecodedInsn& d) {
  if (d.space == AddressSpace::Shared) mov(rcx, ptr[rbx + offsetof(Frame, shared)]);
  else mov(rcx, of_place(d, offsetof(Place, at)));
}

// Of a register that is written where some lanes keep what they have.
void Translator::keep(const Zmm& copy, std::uint32_t line, std::vector<Kept>& kept) {
  vmovdqa64(copy, rows_.read(line));
  kept.push_back({copy, line});
}

void Translator::define_loaded(const DecodedInsn& d, const std::vector<Zmm>& values) {
  const unsigned lines = bits(d.type) == 64 ? 4 : 2;
  for (unsigned k = 0; k < values.size(); ++k)
    if (const std::uint32_t row = row_of_element(d, k / lines); row != kNoOffset)
      define(row + k % lines * 64, values[k]);
}

void Translator::emit_direct_access(const DecodedInsn& d, bool masked) {
  Access of{d, masked, read_index(d), {}, {}, {}, deferred_, is_indexed(d)};
  of.values = values_of_access(d, masked ? &of.kept : nullptr);
  of.before = rows_.state();
  if (d.lift == Lift::Load) define_loaded(d, of.values);
  Label& done = later();
  if (const auto group = load_groups_.find(d.pc); group != load_groups_.end())
    emit_load_of_group(of, group->second, done);
  else move_directly(of, done);
  L(done);
}

void Translator::move_directly(const Access& of, Label& done) {
  const DecodedInsn& d = of.d;
  const bool masked = of.masked;
  const std::vector<Zmm>& values = of.values;
  if (masked && d.guard == kNoOffset) {
    load_masks_of_group(Masks::Wide);
  } else if (masked) {
    test(rax, rax);
    jz(done);
    spread_masks(true);
  }
  emit_offsets(of, done);
  if (bits(d.type) >= 32) emit_moves(d, values, masked, of.is_indexed);
  else if (masked && d.lift == Lift::Store) store_some_small(bits(d.type), values[0], values[1], nullptr);
  else
    for (int n = 0; n < 2; ++n) move_small(d, Zmm(n), values[static_cast<std::size_t>(n)], masked);
}

// zmm0 to zmm3: how far behind the place's first position each lane's address is, of lanes that do not act 0. So many
// bytes `more` must lie there, too: then all four are left as they are.
void Translator::emit_wide_offsets(const Access& of, int more, Label& slow) {
  const DecodedInsn& d = of.d;
  const unsigned size = bytes_of_access(d);
  vpbroadcastq(zmm6, of_place(d, offsetof(Place, first)));
  if (more == 0) {
    vpbroadcastq(zmm7, of_place(d, offsetof(Place, limit)));
  } else {
    mov(rax, of_place(d, offsetof(Place, limit)));
    sub(rax, more);
    jb(slow);
    vpbroadcastq(zmm7, rax);
  }
  for (int n = 0; n < 4; ++n) {
    const Zmm& from = of.index[static_cast<std::size_t>(n)];
    if (of.masked) vpsubq(Zmm(n) | Opmask(4 + n) | T_z, from, zmm6);
    else vpsubq(Zmm(n), from, zmm6);
  }
  vporq(zmm6, zmm0, zmm1);
  vpternlogq(zmm6, zmm2, zmm3, 0xfe);
  vptestnmq(k1, zmm6, ptr_b[rip + below_size_ + static_cast<int>(size) * 8]);
  for (int n = 0; n < 4; ++n) vpcmpuq(k1 | k1, Zmm(n), zmm7, 1);
  kortestb(k1, k1);
  jnc(slow);
  load_base(d);
  if (bits(d.type) != 64 && more == 0) take_words_of_offsets();
}

// The same of 32-bit addresses, 16 lanes in zmm0 and 16 in zmm1.
void Translator::emit_narrow_offsets(const DecodedInsn& d, const std::vector<Zmm>& index, bool masked, Label& slow) {
  const unsigned size = bytes_of_access(d);
  vpbroadcastd(zmm7, of_place(d, offsetof(Place, limit)));
  if (d.index_bias != 0) {
    mov(ecx, static_cast<std::uint32_t>(d.index_bias));
    vpbroadcastd(zmm6, ecx);
  }
  for (int n = 0; n < 2; ++n) {
    const Zmm& from = index[static_cast<std::size_t>(n)];
    if (d.index_bias != 0) vpaddd(Zmm(n), from, zmm6);
    else vmovdqa64(Zmm(n), from);
    if (masked) vmovdqa32(Zmm(n) | (n == 0 ? k4 : k6) | T_z, Zmm(n));
  }
  vpord(zmm6, zmm0, zmm1);
  vptestnmd(k1, zmm6, ptr_b[rip + below_size_ + static_cast<int>(size) * 8]);
  for (int n = 0; n < 2; ++n) vpcmpud(k1 | k1, Zmm(n), zmm7, 1);
  kortestw(k1, k1);
  jnc(slow);
  load_base(d);
  if (bits(d.type) == 64 && (masked || !are_pairs_in_words(d))) widen_offsets();
}

// Of lanes that choose their elements few are neighbours.
void Translator::emit_moves(const DecodedInsn& d, const std::vector<Zmm>& values, bool masked, bool is_indexed) {
  const bool wide = bits(d.type) == 64;
  const unsigned lines = wide ? 4 : 2;
  Label done;
  if (!masked && are_pairs_in_words(d)) emit_moves_of_all_pairs(d, values, done);
  if (!masked && d.elements != 0 && d.lift == Lift::Load) emit_loads_of_one_address(d, values, done);
  if (!masked && d.elements == 2 && wide) return emit_moves_of_pairs(d, values, done);
  const bool moves_vectors = d.elements != 0 && (!masked || d.lift == Lift::Load);
  for (unsigned n = 0; moves_vectors && n < lines; ++n) move_vectors(d, n, values, masked, nullptr);
  for (unsigned k = 0; !moves_vectors && k < values.size(); ++k) {
    if (row_of_element(d, k / lines) == kNoOffset) continue;
    const Zmm offsets(static_cast<int>(k % lines));
    const int behind = static_cast<int>(k / lines * static_cast<unsigned>(bytes(d.type)));
    if (masked) kmovw(k3, Opmask(static_cast<int>(4 + k % lines * (wide ? 1 : 2))));
    if (masked && d.elements == 0 && !(is_indexed && d.lift == Lift::Load)) {
      move_some_together(d, offsets, values[k]);
    } else if (masked) {
      move_scattered(d, offsets, values[k], behind);
    } else move_together(d, offsets, values[k]);
  }
  L(done);
}

// A vector's elements where all lanes load the same ones.
void Translator::emit_loads_of_one_address(const DecodedInsn& d, const std::vector<Zmm>& values, Label& done) {
  const bool wide = bits(d.type) == 64;
  const unsigned lines = wide ? 4 : 2;
  Label differ;
  wide ? vpbroadcastq(zmm6, xmm0) : vpbroadcastd(zmm6, xmm0);
  kxnorw(k2, k2, k2);
  for (int n = 0; n < static_cast<int>(lines); ++n)
    wide ? vpcmpeqq(k2 | k2, Zmm(n), zmm6) : vpcmpeqd(k2 | k2, Zmm(n), zmm6);
  wide ? kortestb(k2, k2) : kortestw(k2, k2);
  jnc(differ);
  vmovd(eax, xmm0);
  for (unsigned k = 0; k < values.size(); ++k) {
    const Xbyak::Address at = ptr[rcx + rax + static_cast<int>(k / lines * static_cast<unsigned>(bytes(d.type)))];
    if (row_of_element(d, k / lines) == kNoOffset) continue;
    if (k % lines != 0) vmovdqa64(values[k], values[k - k % lines]);
    else wide ? vpbroadcastq(values[k], at) : vpbroadcastd(values[k], at);
  }
  jmp(done);
  L(differ);
}

// Lanes k3; of a store so many bytes behind.
void Translator::move_scattered(const DecodedInsn& d, const Zmm& offsets, const Zmm& value, int behind) {
  const bool wide = bits(d.type) == 64;
  const Xbyak::Address at = ptr[rcx + offsets + behind];
  if (d.lift == Lift::Store) return wide ? vpscatterqq(at | k3, value) : vpscatterdd(at | k3, value);
  load_scattered(offsets, wide);
  wide ? vmovdqa64(value | k3, zmm4) : vmovdqa32(value | k3, zmm4);
}

// Lanes k3, of each place in the line: neighbours, or any.
void Translator::move_some_together(const DecodedInsn& d, const Zmm& offsets, const Zmm& value) {
  const bool wide = bits(d.type) == 64;
  Label scattered, done;
  kmovw(eax, k3);
  and_(eax, wide ? 0xff : 0xffff);
  jz(done);
  tzcnt(edx, eax);
  if (wide) vpcompressq(zmm6 | k3 | T_z, offsets);
  else vpcompressd(zmm6 | k3 | T_z, offsets);
  vmovd(esi, xmm6);
  shl(edx, wide ? 3 : 2);
  sub(rsi, rdx);  // where the line's first lane would go
  if (wide) vpbroadcastq(zmm6, rsi);
  else vpbroadcastd(zmm6, esi);
  if (wide) vpsubq(zmm6, offsets, zmm6);
  else vpsubd(zmm6, offsets, zmm6);
  if (wide) vpcmpeqq(k2 | k3, zmm6, ptr[rip + steps8_]);
  else vpcmpeqd(k2 | k3, zmm6, ptr[rip + steps4_]);
  kmovw(edx, k2);
  cmp(edx, eax);
  jne(scattered);
  const Xbyak::Address at = ptr[rcx + rsi];
  if (d.lift == Lift::Load) wide ? vmovdqu64(value | k3, at) : vmovdqu32(value | k3, at);
  else wide ? vmovdqu64(at | k3, value) : vmovdqu32(at | k3, value);
  jmp(done);
  L(scattered);
  move_scattered(d, offsets, value, 0);
  L(done);
}

// All lanes: neighbours, one address, or any. Of several stores to one address the last lane's stays: a scatter stores
// in rising order (Intel SDM, volume 2, "VPSCATTERDD").
void Translator::move_together(const DecodedInsn& d, const Zmm& offsets, const Zmm& value) {
  const bool wide = bits(d.type) == 64, is_load = d.lift == Lift::Load;
  Label differ, scattered, done;
  const Xmm first(offsets.getIdx());
  if (wide) {
    vpbroadcastq(zmm6, first);
    vpsubq(zmm6, offsets, zmm6);
    vpcmpeqq(k2, zmm6, ptr[rip + steps8_]);
    kortestb(k2, k2);
  } else {
    vpbroadcastd(zmm6, first);
    vpsubd(zmm6, offsets, zmm6);
    vpcmpeqd(k2, zmm6, ptr[rip + steps4_]);
    kortestw(k2, k2);
  }
  jnc(differ);
  vmovd(eax, first);
  if (is_load) vmovdqu64(value, ptr[rcx + rax]);
  else vmovdqu64(ptr[rcx + rax], value);
  jmp(done);
  L(differ);
  if (is_load) {
    if (wide) vptestmq(k2, zmm6, zmm6);
    else vptestmd(k2, zmm6, zmm6);
    wide ? kortestb(k2, k2) : kortestw(k2, k2);
    jnz(scattered);
    vmovd(eax, first);
    if (wide) vpbroadcastq(value, ptr[rcx + rax]);
    else vpbroadcastd(value, ptr[rcx + rax]);
    jmp(done);
    L(scattered);
  }
  kxnorw(k3, k3, k3);
  move_scattered(d, offsets, value, 0);
  L(done);
}

// All 16 lanes, in rising order.
void Translator::store_small(const DecodedInsn& d, const Zmm& offsets, const Zmm& value) {
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  vmovdqa64(ptr[rbx + scratch], offsets);
  vmovdqa64(ptr[rbx + scratch + 64], value);
  for (int lane = 0; lane < 16; ++lane) store_part(*this, bits(d.type), rbx + scratch + lane * 4, 64);
}

// Those of both lines that act, in rising order: one behind the other in Frame::scratch, and four a round. As many as
// are missing there are the first one once more, before it. The lines' offsets are in zmm0 and zmm1. `overlap`: where
// two lanes' words may have a byte in common, and nothing is stored.
void Translator::store_some_small(unsigned bits, const Zmm& low, const Zmm& high, Label* overlap) {
  constexpr int kBefore = 16, kToValues = kBefore + 32 * 4;
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  Label next;
  kmovw(eax, k4);
  kmovw(edx, k6);
  popcnt(eax, eax);
  popcnt(edx, edx);
  for (int n = 0; n < 2; ++n) {
    const int at = scratch + n * kToValues;
    vpcompressd(zmm6 | k4 | T_z, n == 0 ? zmm0 : low);
    vpcompressd(zmm7 | k6 | T_z, n == 0 ? zmm1 : high);
    vmovdqu32(ptr[rbx + at + kBefore], zmm6);
    vmovdqu32(ptr[rbx + rax * 4 + at + kBefore], zmm7);
    if (n == 0 && overlap != nullptr) check_rising(at + kBefore, *overlap);
    vpbroadcastd(xmm6, ptr[rbx + at + kBefore]);
    vmovdqu(ptr[rbx + at], xmm6);
  }
  add(edx, eax);
  lea(r8, ptr[rbx + rdx * 4 + scratch + kBefore]);  // behind the last one
  add(edx, 3);
  and_(edx, ~3);
  neg(rdx);
  L(next);
  for (int lane = 0; lane < 4; ++lane) store_part(*this, bits, r8 + rdx * 4 + lane * 4, kToValues);
  add(rdx, 4);
  jnz(next);
}

// Values of 8 and 16 bits: neighbours as one vector; of others a load gathers words, all of which lie in the place
// (kBytesOfGather), and a store goes lane by lane.
void Translator::move_small(const DecodedInsn& d, const Zmm& offsets, const Zmm& value, bool masked) {
  const bool is_byte = bits(d.type) == 8, is_load = d.lift == Lift::Load;
  const Xmm first(offsets.getIdx());
  Label differ, done;
  if (!masked) {
    vpbroadcastd(zmm6, first);
    vpsubd(zmm6, offsets, zmm6);
    vpcmpeqd(k2, zmm6, is_byte ? ptr[rip + lanes4_] : ptr[rip + even_]);
    kortestw(k2, k2);
    jnc(differ);
    vmovd(eax, first);
    const Xbyak::Address at = ptr[rcx + rax];
    if (!is_load) is_byte ? vpmovdb(at, value) : vpmovdw(at, value);
    else if (!is_byte) vpmovzxwd(value, at);
    else d.type == Type::S8 ? vpmovsxbd(value, at) : vpmovzxbd(value, at);
    if (is_load && d.type == Type::S8) vpandd(value, value, ptr_b[rip + low_half_]);
    jmp(done);
    L(differ);
    if (!is_load) {
      store_small(d, offsets, value);
      L(done);
      return;
    }
    kxnorw(k3, k3, k3);
  } else kmovw(k3, offsets.getIdx() == 0 ? k4 : k6);
  load_scattered(offsets, false);
  if (d.type == Type::S8) {
    vpslld(zmm4, zmm4, 24);
    vpsrad(zmm4, zmm4, 24);
  }
  vpandd(value | k3, zmm4, is_byte && d.type != Type::S8 ? ptr_b[rip + low_byte_] : ptr_b[rip + low_half_]);
  L(done);
}

}  // namespace warpsim::engine
