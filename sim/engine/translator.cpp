// Pieces of code, branches and what leaves the code; see translator.h.
#include "sim/engine/translator.h"

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>

namespace warpsim::engine {

using Xbyak::Label;
using Xbyak::Zmm;
using State = RowCache::State;

std::uint8_t* HeapAllocator::alloc(std::size_t size) {
  return static_cast<std::uint8_t*>(::operator new (size, std::align_val_t{64}));
}
void HeapAllocator::free(std::uint8_t* memory) { ::operator delete (memory, std::align_val_t{64}); }

namespace {
constexpr std::size_t kFirstBytes = 1U << 16;
constexpr int kLabelOfEnd = 1;  // one behind the last instruction
}  // namespace

Translator::Translator(const std::vector<DecodedInsn>& insns, const Code& code, bool whole, Isa isa, IsLive is_live)
    : CodeGenerator(kFirstBytes, Xbyak::AutoGrow, this),
      insns_(insns),
      lanes_(code.lanes),
      whole_(whole),
      isa_(isa),
      is_live_(std::move(is_live)),
      facts_(code, isa == Isa::Avx512),
      specials_(code.specials),
      uses_linear_(whole && code.lanes == 32),
      begins_(insns.size() + kLabelOfEnd),
      labels_(insns.size() + kLabelOfEnd),
      linear_(insns.size() + kLabelOfEnd),
      entries_(insns.size() + kLabelOfEnd),
      rows_(*this, isa) {
  setDefaultJmpNEAR(true);
}

bool Translator::is_translated(const DecodedInsn& d) const {
  if (d.watched && !d.heard && (!d.choices || lanes_ > 32)) return false;
  switch (d.lift) {
    case Lift::Branch: return true;
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::LoadParam: return d.masked != nullptr && !d.reads_clock;
    case Lift::Load:
    case Lift::Store: return is_access(d);
    case Lift::Pack:
    case Lift::Unpack: return bits(d.type) == 64 && d.elements == 2;
    case Lift::Nothing: return d.op != Op::Nanosleep && d.op != Op::Brkpt;  // of a turn's end, and of what is noted
    case Lift::Atomic:
    case Lift::Vote:
    case Lift::Match:
    case Lift::Redux:
    case Lift::Shuffle:
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan: return true;
    case Lift::Special: return d.op == Op::ActiveMask;
    default: return false;
  }
}

// Of what all lanes execute together.
bool Translator::is_of_whole(const DecodedInsn& d) const {
  return whole_ && body_.branch < 0 && lanes_ == 32 && d.guard == kNoOffset && bits(d.type) == 32;
}

void Translator::find_pieces() {
  begins_[0] = true;
  for (const DecodedInsn& d : insns_) {
    const std::size_t pc = static_cast<std::size_t>(d.pc);
    const bool translated = is_translated(d);
    if (!translated) begins_[pc] = true;
    if (!translated || d.lift == Lift::Branch) begins_[pc + 1] = true;
    if (d.target >= 0 && d.lift != Lift::Dispatch) begins_[static_cast<std::size_t>(d.target)] = true;
  }
  begins_[insns_.size()] = true;
}

// Of the issues that were counted when a piece or a body began, those from `pc` on.
std::int32_t Translator::not_issued_at(std::int32_t pc) const {
  return (body_.branch >= 0 ? body_.end : piece_end_of(pc)) - pc;
}

std::int32_t Translator::piece_end_of(std::int32_t pc) const {
  do {
    ++pc;
  } while (!begins_[static_cast<std::size_t>(pc)]);
  return pc;
}

void Translator::translate() {
  find_pieces();
  if (uses_linear_) {
    LinearFacts::Pieces pieces{insns_, begins_, {}};
    for (const DecodedInsn& d : insns_) pieces.in_code.push_back(is_translated(d));
    flow_ = facts_.flow(pieces, [&](std::int32_t pc, std::uint32_t row) { return !is_live_ || is_live_(pc, row); });
  }
  emit_entry();
  for (std::size_t begin = 0; begin < insns_.size();) {
    std::size_t end = begin + 1;
    while (!begins_[end]) ++end;
    if (is_translated(insns_[begin])) {
      find_groups(static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end));
      emit_piece(static_cast<std::int32_t>(begin), static_cast<std::int32_t>(end));
    } else {
      L(labels_[begin]);
      const bool ends = ends_turn(insns_[begin]);
      if (ends) entries_[begin] = getSize();
      else left_.insert(static_cast<std::int32_t>(begin));
      rows_.forget();
      emit_arrival(static_cast<std::int32_t>(begin), static_cast<std::int32_t>(begin));
      if (ends) {
        mov(esi, static_cast<std::uint32_t>(begin));
        jmp(insns_[begin].op == Op::Exit ? end_warp_ : end_turn_);
      } else leave_at(static_cast<std::int32_t>(begin), 0);
    }
    begin = end;
  }
  L(labels_[insns_.size()]);
  rows_.forget();
  leave_at(static_cast<std::int32_t>(insns_.size()), 0);
  finish();
}

void Translator::finish() {
  while (!outside_.empty()) {
    Outside& one = outside_.front();
    L(one.begin);
    body_ = one.body;
    deferred_.clear();
    masks_ = Masks::None;
    in_rax_ = in_r11_ = kNoOffset;
    one.emit();
    outside_.pop_front();
  }
  emit_constants();
  ready(PROTECT_RW);
}

// void (Frame*, const void* piece): System V.
void Translator::emit_entry() {
  for (const Xbyak::Reg64& r : {rbx, rbp, r12, r13, r14, r15}) push(r);
  sub(rsp, 8);
  mov(rbx, rdi);
  mov(r12, ptr[rbx + offsetof(Frame, registers)]);
  mov(r13, ptr[rbx + offsetof(Frame, left)]);
  mov(r14, ptr[rbx + offsetof(Frame, lanes)]);
  mov(r15, ptr[rbx + offsetof(Frame, places)]);
  jmp(rsi);
  emit_regrouping();
  emit_end_of_turns();
  L(leave_);
  mov(ptr[rbx + offsetof(Frame, left)], r13);
  mov(ptr[rbx + offsetof(Frame, lanes)], r14);
  vzeroupper();
  add(rsp, 8);
  for (const Xbyak::Reg64& r : {r15, r14, r13, r12, rbp, rbx}) pop(r);
  ret();
}

void Translator::emit_constants() {
  emit_calm_vectors();
  align(64);
  L(steps4_);
  for (std::uint32_t k = 0; k < 32; ++k) dd(k * 4);
  L(lanes4_);
  for (std::uint32_t k = 0; k < 32; ++k) dd(k);
  for (const unsigned log : {1U, 2U}) {
    L(lanes_of_words_[log - 1]);
    for (std::uint32_t k = 0; k < 16; ++k) dd(k >> log);
  }
  L(steps8_);
  for (std::uint64_t k = 0; k < 32; ++k) dq(k * 8);
  L(even_doubles_);
  for (const std::uint64_t k : {0, 2, 4, 6, 8, 10, 12, 14}) dq(k);
  L(odd_doubles_);
  for (const std::uint64_t k : {1, 3, 5, 7, 9, 11, 13, 15}) dq(k);
  L(low_pairs_);
  for (const std::uint64_t k : {0, 8, 1, 9, 2, 10, 3, 11}) dq(k);
  L(high_pairs_);
  for (const std::uint64_t k : {4, 12, 5, 13, 6, 14, 7, 15}) dq(k);
  L(even_);
  for (std::uint32_t k = 0; k < 16; ++k) dd(k * 2);
  L(odd_);
  for (std::uint32_t k = 0; k < 16; ++k) dd(k * 2 + 1);
  L(below_size_);  // by size: the bits of an address that an access of that size has clear
  for (std::uint64_t size = 0; size <= 16; ++size) dq(size == 0 ? 0 : size - 1);
  L(low_byte_);
  dd(0xff);
  L(low_half_);
  dd(0xffff);
  L(nan_);
  dd(0x7fffffffU);
  L(lane_bits_);
  dd(31);
  L(sign_);
  dd(0x80000000U);
  emit_float_constants();
  emit_bit_constants();
  if (isa_ == Isa::Avx2) emit_avx2_constants();
  emit_segments();
  rows_.emit_steps();
}

Label& Translator::outside(std::function<void()> emit) {
  in_r11_ = kNoOffset;
  outside_.push_back({Label(), std::move(emit), body_});
  return outside_.back().begin;
}

void Translator::leave_at(std::int32_t pc, std::int32_t not_issued) {
  rows_.emit_stores(rows_.state());
  mov(dword[rbx + offsetof(Frame, pc)], static_cast<std::uint32_t>(pc));
  if (not_issued != 0) add(r13, not_issued);
  note_body();
  jmp(leave_);
}

// The code that leaves at `pc` with what is known now.
Label& Translator::leaving(std::int32_t pc, std::int32_t not_issued) {
  return outside([this, pc, not_issued, state = rows_.state()] {
    rows_.set(state);
    leave_at(pc, not_issued);
  });
}

// What a piece asks before it begins: are its issues left, and is all of it where the group may be?
void Translator::emit_head(std::int32_t begin, std::int32_t end) {
  Label& too_few = leaving(begin, 0);
  cmp(r13, end - begin);
  jb(too_few);
  emit_arrival(begin, end);
  sub(r13, end - begin);
}

// Others may wait at the begin of a piece or below it; one that they wait within is the interpreter's.
void Translator::emit_arrival(std::int32_t begin, std::int32_t end) {
  if (whole_) return;
  cmp(dword[rbx + offsetof(Frame, below)], static_cast<std::uint32_t>(end));
  (end == begin ? jle(outside([this, begin] {
    mov(esi, begin);
    jmp(arrive_);
  }))
                : jl(outside([this, begin, state = rows_.state()] {
                    Label arrives, is_higher;
                    rows_.set(state);
                    cmp(dword[rbx + offsetof(Frame, below)], static_cast<std::uint32_t>(begin));
                    jle(arrives);
                    leave_at(begin, 0);
                    L(arrives);
                    rows_.emit_stores(state);
                    cmp(dword[rbx + offsetof(Frame, below)], static_cast<std::uint32_t>(begin));
                    jl(is_higher);
                    emit_join(begin);
                    L(is_higher);
                    mov(esi, begin);
                    jmp(arrive_);
                  })));
}

// Twice, where linear rows are known to come in: one relies on that.
void Translator::emit_piece(std::int32_t begin, std::int32_t end) {
  const std::size_t pc = static_cast<std::size_t>(begin);
  entries_[pc] = getSize();
  if (const KnownRows& known = known_at(begin); !known.linear.empty()) {
    emit_whether_linear(known.linear, labels_[pc]);
    L(linear_[pc]);
    emit_piece_of(begin, end, known);
  }
  L(labels_[pc]);
  emit_piece_of(begin, end, {});
}

void Translator::emit_piece_of(std::int32_t begin, std::int32_t end, const KnownRows& known) {
  const DecodedInsn& last = insns_[static_cast<std::size_t>(end - 1)];
  loops_ = last.lift == Lift::Branch && last.target == begin;
  body_ = {-1, end};
  deferred_.clear();
  defined_.clear();
  known_ = &known;
  masks_ = Masks::None;
  in_rax_ = in_r11_ = kNoOffset;
  rows_.set(State(known));
  emit_head(begin, end);
  if (!loops_) return emit_body(begin, end, nullptr, nullptr);
  // The first round begins with nothing in registers, all others with what it leaves there.
  Label loop;
  State at_loop;
  emit_body(begin, end, &loop, nullptr);
  at_loop = at_loop_;
  if (at_loop.is_empty()) {
    L(loop);
    jmp((known.linear.empty() ? labels_ : linear_)[static_cast<std::size_t>(begin)]);
    return;
  }
  align(16);
  L(loop);
  masks_ = Masks::None;
  in_rax_ = in_r11_ = kNoOffset;
  rows_.set(at_loop);
  emit_head(begin, end);
  emit_body(begin, end, &loop, &at_loop);
}

void Translator::emit_body(std::int32_t begin, std::int32_t end, Label* loop, const State* at_loop) {
  for (std::int32_t pc = begin; pc < end; ++pc) {
    const DecodedInsn& d = insns_[static_cast<std::size_t>(pc)];
    rows_.begin_instruction();
    keep_live(pc);
    if (d.lift == Lift::Branch) {
      in_rax_ = kNoOffset;
      return emit_branch(d, loop, at_loop);
    }
    emit_insn(d);
  }
  go_to(end);
}

// Within a body those who wait at its end count, too.
void Translator::keep_live(std::int32_t pc) {
  if (!is_live_) return;
  rows_.keep([&](std::uint32_t line) {
    return is_live_(pc, line) || (body_.branch >= 0 && is_live_(body_.end, line)) ||
           (!deferred_.empty() && line - deferred_.front()->a < 2 * kLineBytes);
  });
}

// To a piece that begins with nothing in registers, where all who have what is in them now go there.
void Translator::go_to(std::int32_t pc) {
  keep_live(pc);
  const KnownRows& known = known_at(pc);
  const bool is_known = !known.linear.empty() && rows_.state().knows(known);
  rows_.emit_stores(rows_.state(), is_known ? known.stale : std::set<std::uint32_t>());
  jmp((is_known ? linear_ : labels_)[static_cast<std::size_t>(pc)]);
}

void Translator::emit_insn(const DecodedInsn& d) {
  if (d.is_in_place || (d.pc > stores_word_ && d.pc < stores_word_ + kStoresOfWord)) return;
  if (d.pc == stores_word_) stores_word_ = -kStoresOfWord;
  if (!keeps_masks(d)) masks_ = Masks::None;
  const bool computes = d.lift == Lift::Nothing || d.lift == Lift::Lane || d.lift == Lift::Compare;
  if (!computes || d.dst == in_r11_ || d.dst_pred == in_r11_) in_r11_ = kNoOffset;
  if (emit_linear(d)) return;
  in_rax_ = kNoOffset;
  settle_operands(d);
  if (defer(d)) return;
  check_choices(d);
  isa_ == Isa::Avx512 ? emit_insn_avx512(d) : emit_insn_avx2(d);
  for (const std::uint32_t row : rows_written_by(d)) rows_.forget_linear(row);
  if (!keeps_masks(d)) masks_ = Masks::None;
  if (!deferred_.empty() && d.pc == indexed_.at(deferred_.front()->pc).last) deferred_.clear();
}

void Translator::emit_insn_avx512(const DecodedInsn& d) {
  switch (d.lift) {
    case Lift::Nothing: return;
    case Lift::LoadParam:
      if (!emit_copy(d, d.a, bits(d.type) == 64)) emit_call(d);
      return;
    case Lift::Shuffle: return is_of_whole(d) ? emit_shuffle(d) : emit_access(d);
    case Lift::Match: return is_of_whole(d) && d.op == Op::MatchAny ? emit_match(d) : emit_access(d);
    case Lift::Vote: return is_of_whole(d) && d.op == Op::VoteBallot ? emit_ballot(d) : emit_access(d);
    case Lift::Atomic: return is_direct_atomic(d) ? emit_atomic(d) : emit_access(d);
    case Lift::Load:
    case Lift::Store:
    case Lift::Redux:
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan:
    case Lift::Special: return emit_access(d);
    case Lift::Pack: return emit_pack(d);
    case Lift::Unpack: return emit_unpack(d);
    case Lift::Lane:
      if (!emit_lanes(d)) emit_call(d);
      return;
    case Lift::Compare:
      if (!emit_compare(d)) emit_call(d);
      return;
    case Lift::Bits:
      if (!emit_bits(d)) emit_call(d);
      return;
    default: return emit_call(d);
  }
}

// What is not translated is done by the interpreter's own loop over lanes.
void Translator::emit_call(const DecodedInsn& d) {
  called_.insert(d.pc);
  masks_ = Masks::None;
  in_r11_ = kNoOffset;
  rows_.flush();
  rows_.forget_lines();
  emit_call_of_loop(d);
}

// The same where it is seldom needed: outside, and with everything back in its register afterwards.
Label& Translator::calling(const DecodedInsn& d, const State& before, const State& after, Label& done) {
  return outside([this, &d, before, after, &done, masks = masks_] {
    rows_.emit_stores(before);
    emit_call_of_loop(d);
    rows_.emit_loads(after);
    load_masks_of_group(masks);
    jmp(done);
  });
}

void Translator::emit_call_of_loop(const DecodedInsn& d) {
  Label skipped;
  const bool alone = whole_ && body_.branch < 0 && d.fast.alone != nullptr;
  if (!alone) {
    load_active(d);
    test(rax, rax);
    jz(skipped);
    mov(rdx, rax);
  }
  mov(rdi, r12);
  mov(rsi, reinterpret_cast<std::uint64_t>(&d));
  mov(rax, alone ? reinterpret_cast<std::uint64_t>(d.fast.alone) : reinterpret_cast<std::uint64_t>(d.masked));
  vzeroupper();
  call(rax);
  L(skipped);
}

void Translator::write(const DecodedInsn& d, std::uint32_t row, unsigned number, const Zmm& value, bool wide) {
  const std::uint32_t line = row + 64 * number;
  if (is_masked(d) && is_for_resting(d, line)) {
    const Zmm old = rows_.read(line);
    const Opmask k = mask_of(number, wide);
    if (wide) vpblendmq(value | k, old, value);
    else vpblendmd(value | k, old, value);
  }
  define(line, value);
}

namespace {

// Whether lanes may wait there for others, or sleep.
bool may_wait_at(const DecodedInsn& d) {
  switch (d.lift) {
    case Lift::Branch:
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::LoadParam:
    case Lift::Load:
    case Lift::Store:
    case Lift::Atomic:
    case Lift::Pack:
    case Lift::Unpack: return false;
    default: return d.op != Op::Exit;
  }
}

}  // namespace

// Where lanes may stand that do not act: who waits for others, as at a barrier, anywhere; of those that are ready none
// before the end of what the group executes (groups.h). With a guard they are of the group.
bool Translator::is_for_resting(const DecodedInsn& d, std::uint32_t line) {
  if (!is_live_ || d.guard != kNoOffset) return true;
  const auto [known, is_new] = last_for_resting_.try_emplace(line, -1);
  std::int32_t& last = known->second;
  if (!is_new) return last >= body_.end;
  for (const DecodedInsn& one : insns_)
    if (may_wait_at(one) && (is_live_(one.pc, line) || is_live_(one.pc + 1, line)))
      last = std::numeric_limits<std::int32_t>::max();
  for (auto one = insns_.rbegin(); last < 0 && one != insns_.rend(); ++one)
    if (is_live_(one->pc, line)) last = one->pc;
  return last >= body_.end;
}

void Translator::define(std::uint32_t line, const Zmm& value) {
  rows_.define(line, value);
  if (loops_) defined_.insert(line);
}

}  // namespace warpsim::engine
