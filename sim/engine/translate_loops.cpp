// Loops of registers alone, of several warps side by side: what one warp waits for overlaps with the others' work.
//
// Shapes: r13 counts the rounds that are left. All lanes of all warps act. Where not all go back, the code ends there:
//         whoever has called it has kept the registers.
#include "sim/engine/translator.h"

namespace warpsim::engine {

using Xbyak::Label;

void Translator::translate_loop(const SideBySide& of) {
  Label loop, done;
  const std::int32_t begin = of.insns.front().pc;
  emit_entry();
  entries_[static_cast<std::size_t>(begin)] = getSize();
  loops_ = true;
  test(r13, r13);
  jz(leave_);
  emit_round(of, leave_);
  const std::set<std::uint32_t> alike = rows_.alike();
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
  for (const std::uint32_t row : alike) {
    if (!defined_.contains(row)) continue;
    vmovdqa64(zmm0, ptr[r12 + static_cast<int>(row)]);
    vmovdqa64(ptr[r12 + static_cast<int>(row + kBytesOfHalf)], zmm0);
  }
  jmp(leave_);
  finish();
}

void Translator::emit_round(const SideBySide& of, Label& ends) {
  rows_.set_alike(of.alike);
  std::int32_t pc = -1;
  for (std::size_t k = 0; k < of.insns.size(); ++k) {
    const DecodedInsn& d = of.insns[k];
    rows_.begin_instruction();
    if (d.pc != pc) keep_live(pc = d.pc);  // before the first warp executes it
    if (d.lift == Lift::Branch) {
      if (d.guard == kNoOffset) continue;
      load_active(d);
      cmp(rax, r14);
      jne(ends);
      continue;
    }
    is_result_alike_ = of.alike_results[k];
    if (!is_result_alike_) rows_.separate(d.dst);
    emit_insn(d);
    if (is_result_alike_) rows_.make_alike(d.dst);
  }
  is_result_alike_ = false;
  keep_live(of.insns.front().pc);
}

}  // namespace warpsim::engine
