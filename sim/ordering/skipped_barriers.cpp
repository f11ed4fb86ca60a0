// See skipped_barriers.h.
#include "sim/ordering/skipped_barriers.h"

#include <algorithm>

#include "isa/program/cfg.h"
#include "isa/program/program.h"

namespace warpsim {

void SkippedBarriers::on_start(const Program& program, Reconvergence reconvergence) {
  *this = SkippedBarriers();
  program_ = &program;
  is_on_ =
      reconvergence == Reconvergence::Independent &&
      std::any_of(program.code.begin(), program.code.end(), [](const Insn& one) { return is_block_barrier(one.op); });
}

// These lanes are one group now.
void SkippedBarriers::join(std::vector<Split>& splits, LaneMask lanes) {
  std::erase_if(splits, [&](const Split& one) { return ((one.one | one.other) & ~lanes) == 0; });
}

bool SkippedBarriers::ends_at(std::int32_t pc) const {
  if (pc == kExit) return true;
  const Op op = program_->code[static_cast<std::size_t>(pc)].op;
  return op == Op::Exit || op == Op::Ret;
}

void SkippedBarriers::on_mask(std::uint32_t block, std::uint32_t warp, const MaskEvent& event) {
  if (!is_on_) return;
  const LaneMask group = event.taken | event.not_taken;
  const bool splits = event.kind == MaskEvent::Kind::Branch && event.taken != 0 && event.not_taken != 0;
  if (!splits && warps_.empty()) return;
  std::vector<Split>& known = warps_[block][warp];
  join(known, group);
  if (splits && !ends_at(event.reconvergence)) known.push_back({event.taken, event.not_taken});
}

LaneMask SkippedBarriers::skipped_by(std::uint32_t block, std::uint32_t warp, LaneMask here) const {
  const auto of_block = warps_.find(block);
  if (of_block == warps_.end()) return 0;
  const auto of_warp = of_block->second.find(warp);
  if (of_warp == of_block->second.end()) return 0;
  LaneMask skipped = 0;
  for (const Split& split : of_warp->second) {
    if ((split.one & here) != 0) skipped |= split.other & ~here;
    if ((split.other & here) != 0) skipped |= split.one & ~here;
  }
  return skipped;
}

}  // namespace warpsim
