// See skipped_barriers.h.
#include "sim/ordering/skipped_barriers.h"

#include <algorithm>
#include <vector>

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

namespace {

bool ends_at(const Program& program, std::int32_t pc) {
  if (pc == kExit) return true;
  const Op op = program.code[static_cast<std::size_t>(pc)].op;
  return op == Op::Exit || op == Op::Ret;
}

bool has_barrier(const Program& program, const BasicBlock& block) {
  return std::any_of(program.code.begin() + block.first, program.code.begin() + block.last + 1,
                     [](const Insn& insn) { return is_block_barrier(insn.op) || info(insn.op).lift == Lift::Call; });
}

// Behind this block, as far as to that one.
bool may_meet_barrier(const Program& program, const Cfg& cfg, std::int32_t from, std::int32_t to) {
  std::vector<bool> seen(cfg.blocks.size(), false);
  std::vector<std::int32_t> open{from};
  while (!open.empty()) {
    const BasicBlock& block = cfg.blocks[static_cast<std::size_t>(open.back())];
    open.pop_back();
    for (const std::int32_t next : block.successors) {
      if (next == kExit || next == to || seen[static_cast<std::size_t>(next)]) continue;
      seen[static_cast<std::size_t>(next)] = true;
      if (has_barrier(program, cfg.blocks[static_cast<std::size_t>(next)])) return true;
      open.push_back(next);
    }
  }
  return false;
}

}  // namespace

bool SkippedBarriers::is_possible(const Program& program) {
  const Cfg cfg = build_cfg(program);
  for (std::size_t k = 0; k < cfg.blocks.size(); ++k) {
    if (cfg.blocks[k].successors.size() < 2) continue;
    const std::int32_t join = cfg.reconvergence_pc(cfg.blocks[k].last);
    if (!ends_at(program, join) &&
        may_meet_barrier(program, cfg, static_cast<std::int32_t>(k), cfg.block_of[static_cast<std::size_t>(join)]))
      return true;
  }
  return false;
}

void SkippedBarriers::on_mask(std::uint32_t block, std::uint32_t warp, const MaskEvent& event) {
  if (!is_on_) return;
  const LaneMask group = event.taken | event.not_taken;
  const bool splits = event.kind == MaskEvent::Kind::Branch && event.taken != 0 && event.not_taken != 0;
  if (!splits && warps_.empty()) return;
  std::vector<Split>& known = warps_[block][warp];
  join(known, group);
  if (splits && !ends_at(*program_, event.reconvergence)) known.push_back({event.taken, event.not_taken});
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
