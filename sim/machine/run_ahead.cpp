// See run_ahead.h.
#include "sim/machine/run_ahead.h"

#include <algorithm>
#include <array>

namespace warpsim {
namespace {

constexpr std::uint64_t kMostAhead = 65'536;  // in one go, so that whoever wants to stop a run has not long to wait
constexpr std::size_t kSideBySide = 8;        // with 4 the `iter` benchmark is a quarter slower, with 16 no faster

std::int32_t pc_of(const Warp& warp) { return warp.divergence.groups()[0].pc; }

}  // namespace

// Executes from `d` on until the budget is used up or something else than execute() and branches that all pass the same
// path is needed; `d` is left there. Says how many instructions that were.
template <class Execute>
std::uint64_t RunAhead::run_through(const DecodedInsn*& d, std::uint64_t budget, RegisterBlocks blocks,
                                    Execute execute) const {
  const LaneMask lanes = full_mask(state_.code.lanes);
  std::uint64_t done = 0;
  while (done < budget) {
    if (d->fast.alone != nullptr) [[likely]] {
      execute(*d);
      ++d;
    } else if (d->lift == Lift::Branch && !d->watched) {
      const LaneMask taken = taking(blocks[0], *d, lanes);
      if (taken != 0 && taken != lanes) break;
      for (std::byte* const r : blocks.subspan(1)) {
        if (taking(r, *d, lanes) != taken) return done;
      }
      d = taken != 0 ? &state_.insn(d->target) : d + 1;
    } else break;
    ++done;
  }
  return done;
}

// All lanes go together, and the next instruction is one for run_through(). Lanes that have exited must keep their
// registers, so none has.
bool RunAhead::is_possible(const Warp& warp) const {
  if (!warp.divergence.whole() || warp.cycle > until_cycle_) return false;
  const Group& g = warp.divergence.groups()[0];
  if (g.state != Group::State::Ready || g.lanes != full_mask(state_.code.lanes)) return false;
  const DecodedInsn& d = state_.insn(g.pc);
  if (d.lift != Lift::Branch) return d.fast.alone != nullptr;
  if (d.watched) return false;
  const LaneMask taken = taking(warp.registers, d, g.lanes);
  return taken == 0 || taken == g.lanes;
}

// The earliest warps, for as long as there is one after the other that can.
bool RunAhead::run() {
  std::array<Warp*, kSideBySide> warps{};
  std::size_t count = 0;
  while (count < kSideBySide && !queue_.empty()) {
    Warp& warp = state_.warps[queue_.next()];
    if (!is_possible(warp)) break;
    queue_.take();
    warps[count++] = &warp;
  }
  if (count == 0) return false;
  const Warp& first = *warps[0];
  const std::uint64_t before = first.cycle;
  for (std::span<Warp*> rest(warps.data(), count); !rest.empty();) {
    const std::int32_t pc = pc_of(*rest[0]);
    const auto end = std::stable_partition(rest.begin(), rest.end(), [pc](const Warp* w) { return pc_of(*w) == pc; });
    const std::size_t together = static_cast<std::size_t>(end - rest.begin());
    run_side_by_side(rest.first(together));
    rest = rest.subspan(together);
  }
  for (std::size_t k = 0; k < count; ++k) queue_.add(state_.number_of(*warps[k]));
  return first.cycle != before;
}

RunAhead::RunAhead(LaunchState& state, TurnQueue& queue, MemoryUnit& memory)
    : state_(state),
      queue_(queue),
      memory_(memory),
      until_cycle_(state.config.max_cycles),
      engine_(state.code, state.config.engine) {
  frame_.access = &access_from_code;
  frame_.machine = this;
  frame_.places = memory.places();
}

// All stand at one pc; the order of `warps` changes.
void RunAhead::run_side_by_side(std::span<Warp*> warps) {
  std::array<std::byte*, kSideBySide> registers{};
  std::uint64_t last_cycle = 0;
  for (std::size_t k = 0; k < warps.size(); ++k) {
    registers[k] = warps[k]->registers;
    last_cycle = std::max(last_cycle, warps[k]->cycle);
  }
  const std::uint64_t budget = std::min(kMostAhead, until_cycle_ - last_cycle + 1);
  const DecodedInsn* d = &state_.insn(pc_of(*warps[0]));
  std::uint64_t done = 0;
  if (warps.size() == 1) {
    done =
        run_through(d, budget, {registers.data(), 1}, [r = registers[0]](const DecodedInsn& i) { i.fast.alone(r, i); });
  } else {
    const RegisterBlocks blocks(registers.data(), warps.size());
    done = run_through(d, budget, blocks, [blocks](const DecodedInsn& i) { i.fast.together(blocks, i); });
  }
  advance(warps, d->pc, done);
  if (done < budget && d->lift == Lift::Branch && !d->watched && warps.size() > 1) run_separately(warps, *d);
}

// The warps stand at a branch that they do not pass together. Those whose own lanes part there stay.
void RunAhead::run_separately(std::span<Warp*> warps, const DecodedInsn& branch) {
  const LaneMask lanes = full_mask(state_.code.lanes);
  for (const LaneMask path : {lanes, LaneMask{0}}) {
    const auto end = std::stable_partition(warps.begin(), warps.end(),
                                           [&](const Warp* w) { return taking(w->registers, branch, lanes) == path; });
    const std::span<Warp*> together = warps.first(static_cast<std::size_t>(end - warps.begin()));
    if (together.empty()) continue;
    advance(together, path != 0 ? branch.target : branch.pc + 1, 1);
    run_side_by_side(together);
    warps = warps.subspan(together.size());
  }
}

void RunAhead::advance(std::span<Warp* const> warps, std::int32_t pc, std::uint64_t instructions) {
  if (instructions == 0) return;
  for (Warp* const w : warps) state_.advance(*w, pc, instructions);
}

}  // namespace warpsim
