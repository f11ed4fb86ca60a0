// See spin_watch.h.
#include "sim/machine/spin_watch.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace warpsim {
namespace {

// Loops that spin are short, and most probes are of runs that do not spin: each costs them what it watches, hundreds of
// times as long as machine code takes. So the first ones watch few issues, and what they may miss a later one finds.
// Diverged groups take turns of kTurnIssues: two that spin come back to where they were after two turns, and the state
// that is kept may be one of two more.
constexpr std::uint64_t kMostIssues = 1024, kMostIssuesDiverged = std::uint64_t{5} * kTurnIssues;

bool changes_barriers(const DecodedInsn& d) {
  return d.lift == Lift::BarrierReduce || (d.lift == Lift::Barrier && d.op != Op::BarWarp);
}

}  // namespace

std::uint64_t SpinWatch::most_issues(std::uint64_t begun, bool is_whole) {
  return is_whole ? std::clamp<std::uint64_t>(begun / 8192, 128, kMostIssues)
                  : std::clamp<std::uint64_t>(begun / 16, kMostIssues, kMostIssuesDiverged);
}

void SpinWatch::begin(std::uint64_t issue) {
  is_on_ = true;
  if (!clocks_) clocks_.emplace(state_.program);
  pass_probe(issue);
  repeating_ = 0;
  warps_.clear();
  round_.emplace(state_);
}

void SpinWatch::pass_turns(std::uint64_t issue, std::uint64_t turns) {
  const std::uint64_t second = issue + kTurnIssues, end = issue + turns * kTurnIssues;
  for (;;) {
    const std::uint64_t due = std::max(next_probe_, second);
    const std::uint64_t turn = due + (kTurnIssues - (due - issue) % kTurnIssues) % kTurnIssues;
    if (turn >= end) return;
    pass_probe(turn);
  }
}

void SpinWatch::forget() {
  is_on_ = false;
  warps_.clear();
}

bool SpinWatch::watch(std::uint32_t number) {
  const Warp& warp = state_.warps[number];
  WarpState& kept = warps_[number];
  if (kept.issues != 0 && is_as_kept(warp, kept)) {
    kept.repeats = true;
    kept.registers = {};
    ++repeating_;
    return false;
  }
  if (kept.issues == kept.next_kept) keep(warp, kept);
  ++kept.issues;
  if (kept.issues >= most_issues(begun_, warp.divergence.whole())) end();
  return is_on_;
}

bool SpinWatch::is_as_kept(const Warp& warp, const WarpState& kept) const {
  return warp.divergence.groups() == kept.groups && warp.alive == kept.alive &&
         warp.divergence.frames() == kept.frames && warp.local.stacks == kept.stacks && are_registers_kept(warp, kept);
}

bool SpinWatch::are_registers_kept(const Warp& warp, const WarpState& kept) const {
  if (kept.does_clock_matter || !clocks_->any())
    return std::equal(kept.registers.begin(), kept.registers.end(), warp.registers);
  for (std::size_t reg = 0; reg < state_.program.registers.size(); ++reg) {
    if (clocks_->is_of_clock(reg)) continue;
    const std::size_t at = state_.code.register_offset[reg];
    const bool is_predicate = state_.program.registers[reg].cls == RegClass::Pred;
    const std::size_t bytes =
        is_predicate ? sizeof(LaneMask) : std::size_t{state_.code.width} * (state_.code.register_wide[reg] ? 8 : 4);
    if (std::memcmp(kept.registers.data() + at, warp.registers + at, bytes) != 0) return false;
  }
  return true;
}

void SpinWatch::keep(const Warp& warp, WarpState& kept) {
  kept.next_kept = std::max<std::uint64_t>(1, 2 * kept.issues);
  kept.does_clock_matter = false;
  kept.alive = warp.alive;
  kept.groups = warp.divergence.groups();
  kept.frames = warp.divergence.frames();
  kept.stacks = warp.local.stacks;
  kept.registers.assign(warp.registers, warp.registers + state_.code.block_template.size());
  round_->forget(warp);
}

void SpinWatch::on_issue(const IssueEvent& event) {
  const DecodedInsn& d = state_.insn(event.pc);
  if (event.active != 0 && changes_barriers(d)) return end();
  if (clocks_->matters_at(event.pc))
    warps_[state_.number_of(*state_.find(event.block, event.warp))].does_clock_matter = true;
  round_->on_issue(event);
}

void SpinWatch::on_memory(const MemoryEvent& event) {
  bool changes = event.access == MemoryEvent::Access::Store;
  if (event.access == MemoryEvent::Access::Atomic)
    for_each_lane(event.lanes, [&](unsigned lane) { changes |= event.value_of(lane, 0) != event.stored[lane]; });
  if (changes) end();
}

}  // namespace warpsim
