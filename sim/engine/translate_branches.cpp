// Branches; see translator.h. Where lanes diverge the code goes on with the group at the lowest pc (groups.h). Two
// cases keep it in straight code: lanes that do not branch execute a straight body and join the others behind it; and
// lanes that leave a loop join who waits there already.
#include <algorithm>
#include <cstddef>

#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;
using State = RowCache::State;

namespace {
constexpr std::int32_t kLongestBody = 32;
constexpr int kWaiting = static_cast<int>(offsetof(Frame, waiting));

Xbyak::Address lowest_waiting(const Xbyak::CodeGenerator& code) {
  return code.qword[code.rbx + kWaiting + static_cast<int>(offsetof(Waiting, lowest))];
}
// Of the group that waits at rcx.
Xbyak::RegExp waiting_at(const Xbyak::CodeGenerator& code, std::size_t member, int size) {
  return code.rbx + code.rcx * size + kWaiting + static_cast<int>(member);
}

// rdi: where the code of groups of some lanes, or of all, has this pc.
void load_entry(Xbyak::CodeGenerator& code, bool whole, std::int32_t pc, Label& otherwise) {
  const int k = whole ? 1 : 0;
  code.mov(code.rdi, code.ptr[code.rbx + static_cast<int>(offsetof(Frame, entries)) + k * 8]);
  code.test(code.rdi, code.rdi);
  code.jz(otherwise);
  code.mov(code.rdi, code.ptr[code.rdi + pc * 8]);
  code.test(code.rdi, code.rdi);
  code.jz(otherwise);
  code.add(code.rdi, code.ptr[code.rbx + static_cast<int>(offsetof(Frame, code)) + k * 8]);
}
}  // namespace

void Translator::emit_branch(const DecodedInsn& d, Label* loop, const State* at_loop) {
  Label passes;
  const State state = rows_.state();
  if (d.guard != kNoOffset) {
    load_active(d);
    test(rax, rax);
    jz(passes);
    cmp(rax, r14);
    jne(outside([this, &d, state] {
      rows_.set(state);
      emit_divergence(d);
    }));
  }
  if (loop != nullptr && rows_.state().knows(*known_)) {
    keep_live(d.target);
    // Later rounds begin as the first one has ended, not as it has begun.
    rows_.settle_all_but(at_loop == nullptr ? *known_ : KnownRows{at_loop->linear, at_loop->stale});
    if (at_loop == nullptr) at_loop_ = state_at_loop();
    else rows_.return_to(*at_loop);
    jmp(*loop);
  } else {
    at_loop_ = State();
    go_to(d.target);
  }
  L(passes);
  if (d.guard == kNoOffset) return;
  rows_.set(state);
  go_to(d.pc + 1);
}

// What is in registers at the end of a loop's first round; behind other rounds what the loop writes is newer there.
State Translator::state_at_loop() const {
  State state = rows_.state();
  for (std::size_t r = 0; r < state.line.size(); ++r)
    state.dirty[r] = state.line[r] != RowCache::kNone && (state.dirty[r] || defined_.contains(state.line[r]));
  return state;
}

// Whether nothing but straight code, which nobody else comes into, lies between a branch and its target.
bool Translator::is_around_body(const DecodedInsn& d) const {
  const std::int32_t first = d.pc + 1;
  if (d.target <= first || d.target - first > kLongestBody || d.reconvergence != d.target) return false;
  for (std::int32_t pc = first; pc < d.target; ++pc) {
    const DecodedInsn& one = insns_[static_cast<std::size_t>(pc)];
    if (one.lift == Lift::Branch || !is_translated(one)) return false;
    if (pc != first && begins_[static_cast<std::size_t>(pc)]) return false;
  }
  return true;
}

// rax: the lanes that take the branch, neither none nor all.
void Translator::emit_divergence(const DecodedInsn& d) {
  if (body_.branch < 0 && is_around_body(d)) emit_body_of_some(d);
  else if (!whole_ && d.target <= d.pc) emit_shed(d);
  rows_.emit_stores(rows_.state());
  if (d.target != d.pc + 1) emit_split(d);
  mov(esi, d.pc);
  mov(edx, d.target);
  jmp(diverge_);
}

// Where each place is left for one other, the host can foresee it; it could not behind a call that all places make. So
// what diverge() and arrive() mostly come to is here, too: what remains falls through.

// rax: the lanes that take the branch. Those at the higher pc wait, and join who is next to be asked, or who is behind
// that one.
void Translator::emit_split(const DecodedInsn& d) {
  const bool is_back = d.target <= d.pc;
  const std::int32_t next = is_back ? d.target : d.pc + 1, waits = is_back ? d.pc + 1 : d.target;
  Label otherwise, is_new, joins, goes_on;
  const auto split = [&](const Xbyak::Reg64& waiting) {
    mov(waiting, rax);
    xor_(r14, rax);
    if (is_back) xchg(waiting, r14);
  };
  cmp(byte[rbx + offsetof(Frame, may_regroup)], 0);
  je(otherwise);
  if (whole_) load_entry(*this, false, next, otherwise);
  mov(rcx, lowest_waiting(*this));
  if (!whole_ && !is_back) {
    cmp(dword[rbx + offsetof(Frame, below)], static_cast<std::uint32_t>(d.pc + 1));
    je(otherwise);
    cmp(dword[rbx + offsetof(Frame, below)], static_cast<std::uint32_t>(waits));
    jg(is_new);
    je(joins);
    dec(rcx);
    cmp(dword[waiting_at(*this, offsetof(Waiting, pc), 4)], static_cast<std::uint32_t>(waits));
    jne(otherwise);
    L(joins);
    split(rdx);
    or_(qword[waiting_at(*this, offsetof(Waiting, lanes), 8)], rdx);
    jmp(goes_on);
    L(is_new);
  }
  inc(rcx);
  mov(lowest_waiting(*this), rcx);
  split(rdx);
  mov(dword[waiting_at(*this, offsetof(Waiting, pc), 4)], static_cast<std::uint32_t>(waits));
  mov(qword[waiting_at(*this, offsetof(Waiting, lanes), 8)], rdx);
  mov(qword[waiting_at(*this, offsetof(Waiting, since), 8)], r13);
  mov(dword[rbx + offsetof(Frame, below)], static_cast<std::uint32_t>(waits));
  L(goes_on);
  mov(byte[rbx + offsetof(Frame, regrouped)], 1);
  if (whole_) jmp(rdi);
  else jmp(labels_[static_cast<std::size_t>(next)]);
  L(otherwise);
}

// Who is next to be asked waits at this pc, where a piece begins: passed over whenever the group was.
void Translator::emit_join(std::int32_t pc) {
  Label otherwise, is_whole;
  mov(rcx, lowest_waiting(*this));
  mov(rax, qword[waiting_at(*this, offsetof(Waiting, lanes), 8)]);
  or_(rax, r14);
  for (const bool whole : {false, true}) {
    if (whole) L(is_whole);
    else cmp(rax, ptr[rbx + offsetof(Frame, all)]);
    if (whole) load_entry(*this, true, pc, otherwise);
    else je(is_whole);
    mov(r14, rax);
    mov(rdx, qword[waiting_at(*this, offsetof(Waiting, since), 8)]);
    sub(rdx, r13);
    mov(dword[rbx + offsetof(Frame, passed_over)], edx);
    mov(ptr[rbx + offsetof(Frame, joined_at)], r13);
    dec(rcx);
    mov(lowest_waiting(*this), rcx);
    mov(ecx, dword[waiting_at(*this, offsetof(Waiting, pc), 4)]);
    mov(dword[rbx + offsetof(Frame, below)], ecx);
    mov(byte[rbx + offsetof(Frame, regrouped)], 1);
    if (whole) jmp(rdi);
    else jmp(labels_[static_cast<std::size_t>(pc)]);
  }
  L(otherwise);
}

// The lanes that do not branch are at the lower pc, so that they go first. rbp: all of the group, meanwhile. Falls
// through, with nothing done, where that cannot be.
void Translator::emit_body_of_some(const DecodedInsn& d) {
  const std::int32_t count = d.target - d.pc - 1;
  Label not_alone;
  cmp(r13, count);
  jb(not_alone);
  if (!whole_) {
    cmp(dword[rbx + offsetof(Frame, below)], static_cast<std::uint32_t>(d.target));
    jl(not_alone);
  }
  const State before = rows_.state();
  const Body outer = body_;
  mov(rbp, r14);
  xor_(r14, rax);
  sub(r13, count);
  body_ = {d.pc, d.target};
  for (std::int32_t pc = d.pc + 1; pc < d.target; ++pc) {
    rows_.begin_instruction();
    keep_live(pc);
    emit_insn(insns_[static_cast<std::size_t>(pc)]);
  }
  body_ = outer;
  mov(r14, rbp);
  if (!whole_) {
    mov(ptr[rbx + offsetof(Frame, joined_at)], r13);
    mov(dword[rbx + offsetof(Frame, passed_over)], static_cast<std::uint32_t>(count));
  }
  go_to(d.target);
  L(not_alone);
  rows_.set(before);
}

// Where the code is left within a body: who waits at its end.
void Translator::note_body() {
  if (body_.branch < 0) return;
  mov(rax, rbp);
  xor_(rax, r14);
  mov(ptr[rbx + offsetof(Frame, apart)], rax);
  mov(dword[rbx + offsetof(Frame, branch)], static_cast<std::uint32_t>(body_.branch));
}

// The lanes that do not go back join those who wait behind the loop, if the next ones to be asked do. Falls through if
// not.
void Translator::emit_shed(const DecodedInsn& d) {
  Label nobody;
  cmp(dword[rbx + offsetof(Frame, below)], static_cast<std::uint32_t>(d.pc + 1));
  jne(nobody);
  xor_(r14, rax);
  mov(rcx, lowest_waiting(*this));
  or_(qword[waiting_at(*this, offsetof(Waiting, lanes), 8)], r14);
  mov(byte[rbx + offsetof(Frame, regrouped)], 1);
  mov(r14, rax);
  const State before = rows_.state();
  rows_.emit_stores(before);  // those that leave the loop need what those that stay do not
  rows_.forget();
  go_to(d.target);
  L(nobody);
  rows_.set(before);
}

// Where groups diverge, behind the branch esi to edx that the lanes rax take, and where they arrive at others, at esi:
// all rows are stored.
void Translator::emit_regrouping() {
  Label may, goes_on;
  L(diverge_);
  cmp(byte[rbx + offsetof(Frame, may_regroup)], 0);
  jne(may);
  mov(dword[rbx + offsetof(Frame, pc)], esi);
  add(r13, 1);
  jmp(leave_);
  L(may);
  mov(rcx, rax);
  mov(rax, ptr[rbx + offsetof(Frame, diverge)]);
  jmp(goes_on);
  L(arrive_);
  mov(rax, ptr[rbx + offsetof(Frame, arrive)]);
  L(goes_on);
  mov(rdi, rbx);
  mov(ptr[rbx + offsetof(Frame, left)], r13);
  mov(ptr[rbx + offsetof(Frame, lanes)], r14);
  vzeroupper();
  call(rax);
  mov(r14, ptr[rbx + offsetof(Frame, lanes)]);
  test(rax, rax);
  jz(leave_);
  jmp(rax);
}

// ---- the ends of turns

// What ends a warp's turn, and its registers alone say so.
bool Translator::ends_turn(const DecodedInsn& d) {
  return !d.watched && d.guard == kNoOffset && (d.op == Op::Exit || (d.op == Op::BarSync && d.b == kNoOffset));
}

// Behind all rows' stores, before the barrier or exit at esi: it is issued where others have their turns in code, too.
void Translator::emit_end_of_turns() {
  Label goes_on;
  L(end_turn_);
  emit_end_of_turn(false, goes_on);
  L(end_warp_);
  emit_end_of_turn(true, goes_on);
}

// rcx: the seat of who goes on next.
void Translator::emit_end_of_turn(bool is_exit, Label& goes_on) {
  Label alone, is_last;
  mov(rcx, ptr[rbx + offsetof(Frame, seat)]);
  test(rcx, rcx);
  jz(alone);
  cmp(r14, ptr[rcx + offsetof(Seat, lanes)]);
  jne(alone);
  test(r13, r13);
  jz(alone);
  dec(r13);
  mov(ptr[rcx + offsetof(Seat, left)], r13);
  mov(ptr[rcx + offsetof(Seat, pc)], esi);
  if (is_exit) {
    inc(qword[rbx + offsetof(Frame, blocks) + offsetof(NextBlocks, ended)]);
    add(ptr[rbx + offsetof(Frame, blocks) + offsetof(NextBlocks, unused)], r13);
  }
  cmp(rcx, ptr[rbx + offsetof(Frame, last_seat)]);
  je(is_last);
  mov(rcx, ptr[rcx + offsetof(Seat, next)]);
  if (!is_exit) L(goes_on);
  mov(ptr[rbx + offsetof(Frame, seat)], rcx);
  mov(r12, ptr[rcx + offsetof(Seat, registers)]);
  mov(r13, ptr[rbx + offsetof(Frame, turn)]);
  mov(r14, ptr[rcx + offsetof(Seat, lanes)]);
  if (std::any_of(insns_.begin(), insns_.end(), [](const DecodedInsn& d) { return d.watched; })) {
    const auto of_calm = [&](std::size_t numbers) {
      return ptr[rbx + static_cast<int>(offsetof(Frame, calm) + numbers + offsetof(CalmNumbers, reader))];
    };
    mov(eax, ptr[rcx + offsetof(Seat, shared_reader)]);
    mov(of_calm(offsetof(CalmMemory, of_shared)), eax);
    mov(eax, ptr[rcx + offsetof(Seat, global_reader)]);
    mov(of_calm(offsetof(CalmMemory, of_global)), eax);
  }
  mov(byte[rbx + offsetof(Frame, regrouped)], 0);
  mov(qword[rbx + offsetof(Frame, joined_at)], ~std::uint64_t{0});
  jmp(ptr[rcx + offsetof(Seat, resume)]);
  L(is_last);
  if (is_exit) emit_next_block(goes_on);
  mov(byte[rbx + offsetof(Frame, turns_are_over)], 1);
  L(alone);
  mov(ptr[rbx + offsetof(Frame, pc)], esi);
  jmp(leave_);
}

// The last warp of a ring has come to its end, at rcx: the next block begins by itself, or who knows is asked. Falls
// through where none does.
void Translator::emit_next_block(Label& goes_on) {
  const auto of_blocks = [&](std::size_t member) {
    return ptr[rbx + static_cast<int>(offsetof(Frame, blocks) + member)];
  };
  Label asks, is_over, each;
  mov(rax, of_blocks(offsetof(NextBlocks, ended)));
  cmp(rax, of_blocks(offsetof(NextBlocks, warps)));
  jne(asks);
  mov(rax, of_blocks(offsetof(NextBlocks, left)));
  sub(rax, 1);
  jb(asks);
  mov(of_blocks(offsetof(NextBlocks, left)), rax);
  inc(qword[rbx + offsetof(Frame, blocks) + offsetof(NextBlocks, begun)]);
  mov(qword[rbx + offsetof(Frame, blocks) + offsetof(NextBlocks, ended)], 0);
  mov(rax, of_blocks(offsetof(NextBlocks, unused)));
  mov(of_blocks(offsetof(NextBlocks, unused_earlier)), rax);
  inc(dword[rbx + offsetof(Frame, blocks) + offsetof(NextBlocks, number)]);
  const bool is_avx512 = isa_ == Isa::Avx512;
  const Xbyak::Ymm number = is_avx512 ? Zmm(0) : Xbyak::Ymm(0);
  vpbroadcastd(number, of_blocks(offsetof(NextBlocks, number)));
  mov(rcx, ptr[rcx + offsetof(Seat, next)]);
  mov(rdx, rcx);
  L(each);
  mov(rax, ptr[rdx + offsetof(Seat, registers)]);
  mov(rdx, ptr[rdx + offsetof(Seat, next)]);
  for (const SpecialRow& one : specials_) {
    if (!is_number_in_row(one.special)) continue;
    for (unsigned n = 0; n < 2 * kLineBytes; n += is_avx512 ? kLineBytes : kChunkBytes) {
      const Xbyak::Address at = ptr[rax + static_cast<int>(one.offset + n)];
      is_avx512 ? vmovdqa64(at, number) : vmovdqa(at, number);
    }
  }
  cmp(rdx, rcx);
  jne(each);
  jmp(goes_on, T_NEAR);
  L(asks);
  mov(rax, ptr[rbx + offsetof(Frame, next_block)]);
  test(rax, rax);
  jz(is_over);
  mov(rdi, rbx);
  mov(ptr[rbx + offsetof(Frame, pc)], esi);
  vzeroupper();
  call(rax);
  mov(rcx, ptr[rbx + offsetof(Frame, seat)]);
  mov(esi, ptr[rbx + offsetof(Frame, pc)]);
  test(al, al);
  jnz(goes_on);
  L(is_over);
}

}  // namespace warpsim::engine
