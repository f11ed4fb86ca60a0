// Loops of registers alone, of several warps side by side: what one warp waits for overlaps with the others' work.
//
// Shapes: r13 counts the rounds that are left. All lanes of all warps act. Where not all go back, the code ends there:
//         whoever has called it has kept the registers. Of rows whose lanes are alike the first lane is computed, in
//         memory; of those whose halves are, the first one (register_loops.h).
#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;

void Translator::translate_loop(const SideBySide& of) {
  Label loop, done;
  emit_entry();
  entries_[static_cast<std::size_t>(of.begin)] = getSize();
  loops_ = true;
  uses_linear_ = false;
  test(r13, r13);
  jz(leave_);
  mov(ptr[rsp], r13);
  emit_round(of, leave_);
  const std::set<std::uint32_t> alike = rows_.alike(), uniform = rows_.uniform();
  const RowCache::State at_loop = state_at_loop();
  align(16);
  L(loop);
  rows_.set(at_loop);
  dec(r13);
  jz(done);
  emit_round(of, leave_);
  rows_.return_to(at_loop);
  jmp(loop);
  L(done);
  rows_.emit_stores(at_loop);
  for (const DecodedInsn& d : of.at_end) emit_at_end(d, of);
  for (const std::uint32_t row : alike) {
    const Xbyak::Address half = ptr[r12 + static_cast<int>(row)];
    if (of.constants.contains(row)) continue;
    if (uniform.contains(row)) {
      vpbroadcastd(zmm0, half);
      vmovdqa64(half, zmm0);
    } else vmovdqa64(zmm0, half);
    vmovdqa64(ptr[r12 + static_cast<int>(row + kBytesOfHalf)], zmm0);
  }
  jmp(leave_);
  finish();
}

void Translator::emit_round(const SideBySide& of, Label& ends) {
  std::set<std::uint32_t> alike = of.constants, uniform;
  for (const auto& [row, how] : of.at_begin) {
    alike.insert(row);
    if (how == Alike::Lanes) uniform.insert(row);
  }
  rows_.set_alike(std::move(alike));
  rows_.set_uniform(std::move(uniform));
  std::int32_t pc = -1;
  for (std::size_t k = 0; k < of.insns.size(); ++k) {
    const DecodedInsn& d = of.insns[k];
    rows_.begin_instruction();
    if (d.pc != pc) keep_live(pc = d.pc);  // before the first warp executes it
    if (d.lift != Lift::Branch) {
      emit_in_loop(d, of.results[k]);
    } else if (d.guard != kNoOffset) {
      load_active(d);
      cmp(rax, r14);
      jne(ends);
    }
  }
  keep_live(of.begin);
}

// What all rounds would have come to: rsp points to how many there were.
void Translator::emit_at_end(const DecodedInsn& d, const SideBySide& of) {
  if (d.lift == Lift::Compare) {
    mov(edx, of.truth ? 0xffffffffU : 0U);
    return write_predicate(d, d.dst);
  }
  imul(eax, dword[rsp], static_cast<int>(of.step));
  add(dword[r12 + static_cast<int>(d.dst)], eax);
}

void Translator::emit_in_loop(const DecodedInsn& d, Alike result) {
  if (d.is_in_place) return;
  if (result == Alike::Lanes) return emit_scalar(d);
  is_result_alike_ = result == Alike::Halves;
  if (!is_result_alike_) rows_.separate(d.dst);
  emit_insn(d);
  rows_.end_uniform(d.dst);
  if (is_result_alike_) rows_.make_alike(d.dst);
  is_result_alike_ = false;
}

// Of operands that are alike in all lanes.
void Translator::emit_scalar(const DecodedInsn& d) {
  if (d.lift == Lift::Compare) return emit_truth(d, false);
  emit_first_lane(d, false);
  in_rax_ = in_r11_ = kNoOffset;  // of several warps others come next
  rows_.make_uniform(d.dst);
}

}  // namespace warpsim::engine
