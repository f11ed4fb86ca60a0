// Who waits for whom: see advice_idle.h.
#include "sim/advice/advice_idle.h"

#include <algorithm>

#include "isa/program/reads_writes.h"
#include "isa/table/op.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kReportedPart = 4;  // a quarter

}  // namespace

void IdleAdvice::begin(const Machine& machine) {
  *this = IdleAdvice();
  program_ = &machine.program();
  lanes_ = machine.lanes();
  warps_per_block_ = machine.warps_per_block();
  last_warp_ = machine.existing_lanes(warps_per_block_ - 1);
  is_guard_.assign(program_->registers.size(), 0);
  for (const Insn& insn : program_->code)
    if (insn.guard.reg >= 0) is_guard_[static_cast<std::size_t>(insn.guard.reg)] = 1;
  for (const Insn& insn : program_->code) {
    predicates_.emplace_back();
    for_each_written(insn, [this](std::int32_t reg) {
      if (is_guard_[static_cast<std::size_t>(reg)] != 0) predicates_.back().push_back(reg);
    });
  }
}

void IdleAdvice::blame(const Cause& cause, LaneMask lanes) {
  std::vector<Cost>& costs = current_->costs;
  auto at = std::find_if(costs.begin(), costs.end(), [&](const Cost& one) { return one.cause == cause; });
  if (at == costs.end()) at = costs.insert(costs.end(), Cost{cause, 0, cycle_, lanes});
  at->idle += count_lanes(lanes);
}

void IdleAdvice::on_issue(const IssueEvent& event) {
  key_ = std::uint64_t{event.block} * warps_per_block_ + event.warp;
  current_ = &warps_[key_];
  cycle_ = event.cycle;
  pc_ = event.pc;
  WarpState& warp = *current_;
  if (warp.written_at.empty()) warp.written_at.assign(program_->registers.size() + 1, -1);
  warp.alive = event.alive;
  warp.slots += count_lanes(event.alive);
  const bool goes_on = event.insn->op == Op::Bra || event.insn->op == Op::Exit;
  const LaneMask off = goes_on ? 0 : event.group & ~event.active;
  if (off != 0) {
    const std::int32_t written = warp.written_at[static_cast<std::size_t>(event.insn->guard.reg)];
    blame({written < 0 ? event.pc : written, true}, off);
  }
  LaneMask elsewhere = event.alive & ~event.group;
  for (const Split& split : warp.splits) {
    if (elsewhere == 0) break;
    for (const int side : {0, 1}) {
      const bool is_here = (event.group & ~split.sides[side]) == 0;
      const LaneMask waiting = is_here ? split.sides[1 - side] & elsewhere : 0;
      if (waiting == 0) continue;
      blame({split.pc, false}, waiting);
      elsewhere &= ~waiting;
    }
  }
  for (const std::int32_t reg : predicates_[static_cast<std::size_t>(event.pc)])
    if (event.active != 0) warp.written_at[static_cast<std::size_t>(reg)] = event.pc;
}

void IdleAdvice::on_mask(const MaskEvent& event) {
  if (current_ == nullptr) return;
  std::vector<Split>& splits = current_->splits;
  if (event.kind == MaskEvent::Kind::Branch) {
    if (event.taken != 0 && event.not_taken != 0) splits.push_back({pc_, {event.taken, event.not_taken}});
    return;
  }
  const bool exits = event.kind == MaskEvent::Kind::Exit;
  for (Split& split : splits) {
    if (exits) {
      for (LaneMask& side : split.sides) side &= ~event.taken;
    } else if (((split.sides[0] | split.sides[1]) & ~event.taken) == 0) {
      split.sides[0] = 0;
    }
  }
  splits.erase(std::remove_if(splits.begin(), splits.end(),
                              [](const Split& split) { return split.sides[0] == 0 || split.sides[1] == 0; }),
               splits.end());
  if (!exits) return;
  current_->alive &= ~event.taken;
  if (current_->alive == 0) settle(key_);
}

// The warp has ended: only what it costs most is kept.
void IdleAdvice::settle(std::uint64_t key) {
  const auto at = warps_.find(key);
  if (at == warps_.end()) return;
  const WarpState& warp = at->second;
  for (const Cost& cost : warp.costs) {
    if (cost.idle * kReportedPart < warp.slots) continue;
    Worst& worst = worst_[cost.cause];
    ++worst.warps;
    // As fractions, without their rounding.
    const bool more = worst.slots == 0 || cost.idle * worst.slots > worst.cost.idle * warp.slots;
    const std::uint32_t block = static_cast<std::uint32_t>(key / warps_per_block_);
    const std::uint32_t number = static_cast<std::uint32_t>(key % warps_per_block_);
    const bool first = cost.idle * worst.slots == worst.cost.idle * warp.slots &&
                       std::pair(block, number) < std::pair(worst.block, worst.warp);
    if (!more && !first) continue;
    worst.cost = cost;
    worst.slots = warp.slots;
    worst.block = block;
    worst.warp = number;
  }
  warps_.erase(at);
  current_ = nullptr;
}

void IdleAdvice::finish(std::vector<RunFinding>& found) {
  while (!warps_.empty()) settle(warps_.begin()->first);  // of a run that was stopped
  std::vector<Worst> all;
  for (const auto& [cause, worst] : worst_) all.push_back(worst);
  std::stable_sort(all.begin(), all.end(),
                   [](const Worst& a, const Worst& b) { return a.cost.idle * b.slots > b.cost.idle * a.slots; });
  for (const Worst& worst : all) {
    RunFinding one;
    one.code = Finding::IdleLanes;
    one.cycle = worst.cost.cycle;
    one.block = worst.block;
    one.warp = worst.warp;
    one.pc = worst.cost.cause.first;
    one.lanes = worst.cost.lanes;
    const bool guard = worst.cost.cause.second;
    one.message = {MessageId::IdleSlots,
                   {guard ? MessageId::GuardSwitchesOff : MessageId::BranchDiverges, worst.cost.idle, worst.slots,
                    worst.cost.idle * 100 / worst.slots, lanes_named(worst.cost.lanes), worst.cost.cycle}};
    if (worst.warps > 1) add_sentence(one.message, {MessageId::IdleInWarps, {worst.warps}});
    found.push_back(one);
  }
  report_partial_warp(found);
}

void IdleAdvice::report_partial_warp(std::vector<RunFinding>& found) const {
  const unsigned there = count_lanes(last_warp_);
  if ((lanes_ - there) * kReportedPart < lanes_) return;
  RunFinding one;
  one.code = Finding::IdleLanes;
  one.warp = warps_per_block_ - 1;
  one.lanes = last_warp_;
  const unsigned missing = lanes_ - there;
  one.message = {warps_per_block_ == 1 ? MessageId::WarpHasLanes : MessageId::LastWarpHasLanes,
                 {there, lanes_,
                  missing == 1 ? Message(MessageId::OneNeverExists) : Message(MessageId::OthersNeverExist, {missing})}};
  one.hint = {MessageId::TryFullWarps, {lanes_}};
  found.push_back(one);
}

}  // namespace warpsim
