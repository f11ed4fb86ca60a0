// Sums in memory; see translator.h. All other atomics go through Frame::access.
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Zmm;
using State = RowCache::State;

namespace {
bool is_atomic_of(Op op, Op global, Op shared, Op red_global, Op red_shared) {
  return op == global || op == shared || op == red_global || op == red_shared;
}
bool is_sum(Op op) {
  return is_atomic_of(op, Op::AtomGlobalAdd, Op::AtomSharedAdd, Op::RedGlobalAdd, Op::RedSharedAdd);
}
}  // namespace

// Sums of 32-bit integers; of a generic address only in global memory, which alone its place is in.
bool Translator::is_direct_atomic(const DecodedInsn& d) const {
  return (!d.watched || d.is_easily_heard) && lanes_ == 32 && is_sum(d.op) &&
         (d.type == Type::U32 || d.type == Type::S32) && is_in_place(d);
}

// Lane by lane, in rising order.
void Translator::emit_atomic(const DecodedInsn& d) {
  const bool masked = is_masked(d);
  if (masked) {
    load_active(d);
    mov(ptr[rbx + offsetof(Frame, active)], rax);
  }
  const std::vector<Zmm> index = read_index(d);
  const Zmm added[2] = {rows_.read(d.a), rows_.read(d.a + 64)};
  std::vector<Zmm> old;
  std::vector<Kept> kept;
  for (unsigned n = 0; d.dst != kNoOffset && n < 2; ++n) {
    old.push_back(rows_.fresh());
    if (masked) keep(old[n], d.dst + n * 64, kept);
  }
  const State before = rows_.state();
  for (unsigned n = 0; n < old.size(); ++n) define(d.dst + n * 64, old[n]);
  Label& done = later();
  if (masked) {
    test(rax, rax);
    jz(done);
    spread_masks(true);
  }
  emit_offsets({d, masked, index, {}, kept, before}, done);
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  for (int n = 0; n < 2; ++n) {
    vmovdqa64(ptr[rbx + scratch + n * 64], Zmm(n));
    vmovdqa64(ptr[rbx + scratch + 128 + n * 64], added[n]);
    if (!old.empty() && masked) vmovdqa64(ptr[rbx + scratch + 256 + n * 64], old[static_cast<std::size_t>(n)]);
  }
  emit_lane_sums(d, masked, scratch);
  for (int n = 0; n < 2 && !old.empty(); ++n)
    vmovdqa64(old[static_cast<std::size_t>(n)], ptr[rbx + scratch + 256 + n * 64]);
  L(done);
}

void Translator::emit_atomic_avx2(const DecodedInsn& d, bool masked) {
  Label& done = later();
  if (masked) {
    test(rax, rax);
    jz(done);
    spread_mask(ymm15, eax);
  }
  Label& slow = calling_access(d, masked, done);
  emit_positions(d, masked, 0, slow);
  if (d.watched) emit_hearing_lanes(d, masked, slow);
  const int scratch = static_cast<int>(offsetof(Frame, scratch));
  const auto copy = [&](std::uint32_t row, int behind, bool back) {
    for (unsigned n = 0; n < chunks_of(false); ++n) {
      const Xbyak::Address aside = ptr[rbx + scratch + behind + static_cast<int>(n) * kChunkBytes];
      back ? vmovdqa(ymm0, aside) : vmovdqa(ymm0, chunk(row, n));
      back ? vmovdqa(chunk(row, n), ymm0) : vmovdqa(aside, ymm0);
    }
  };
  copy(d.a, 128, false);
  if (d.dst != kNoOffset && masked) copy(d.dst, 256, false);
  emit_lane_sums(d, masked, scratch);
  if (d.dst != kNoOffset) copy(d.dst, 256, true);
  L(done);
}

// Where other threads may do the same.
void Translator::emit_shared_lane_sums(const DecodedInsn& d, bool masked, int scratch, Label& done) {
  Label next, alone;
  cmp(byte[rbx + offsetof(Frame, shares_memory)], 0);
  je(alone);
  if (masked) mov(eax, ptr[rbx + offsetof(Frame, active)]);
  else mov(eax, 0xffffffffU);
  L(next);
  bsf(r8d, eax);
  mov(esi, ptr[rbx + r8 * 4 + scratch]);
  mov(edi, ptr[rbx + r8 * 4 + scratch + 128]);
  lock();
  xadd(ptr[rcx + rsi], edi);
  if (d.dst != kNoOffset) mov(ptr[rbx + r8 * 4 + scratch + 256], edi);
  lea(edx, ptr[rax - 1]);
  and_(eax, edx);
  jnz(next);
  jmp(done);
  L(alone);
}

// From the lanes' offsets, what they add, and what they find, one behind the other.
void Translator::emit_lane_sums(const DecodedInsn& d, bool masked, int scratch) {
  const auto add_at = [&](const Xbyak::RegExp& lane) {
    mov(esi, ptr[lane + scratch]);
    mov(edi, ptr[lane + scratch + 128]);
    if (d.dst != kNoOffset) {
      mov(edx, ptr[rcx + rsi]);
      add(edi, edx);
      mov(ptr[lane + scratch + 256], edx);
      mov(ptr[rcx + rsi], edi);
    } else add(ptr[rcx + rsi], edi);
  };
  Label done;
  if (d.space != AddressSpace::Shared) emit_shared_lane_sums(d, masked, scratch, done);
  if (!masked) {
    for (int lane = 0; lane < 32; ++lane) add_at(rbx + lane * 4);
    L(done);
    return;
  }
  Label next;
  mov(eax, ptr[rbx + offsetof(Frame, active)]);
  L(next);
  bsf(r8d, eax);
  add_at(rbx + r8 * 4);
  lea(edx, ptr[rax - 1]);
  and_(eax, edx);
  jnz(next);
  L(done);
}

}  // namespace warpsim::engine
