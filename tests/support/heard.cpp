// The sets of inputs that every value depends on: see heard.h for the rules.
#include "tests/support/heard.h"

#include <algorithm>
#include <iterator>
#include <span>

#include "sim/machine/machine.h"

namespace warpsim::testing {
namespace {

void unite(Sources& into, const Sources& more) {
  if (more.empty()) return;
  Sources both;
  std::set_union(into.begin(), into.end(), more.begin(), more.end(), std::back_inserter(both));
  into = std::move(both);
}

LaneMask lanes_up_to(unsigned lane, bool exclusive) {
  return exclusive ? (LaneMask{1} << lane) - 1 : (LaneMask{2} << lane) - 1;
}

}  // namespace

Heard::Reads Heard::reads_of(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  const bool shuffles = row.lift == Lift::Shuffle || row.lift == Lift::Broadcast;
  const bool gathers = row.lift == Lift::Vote || row.lift == Lift::Match || row.lift == Lift::Redux ||
                       row.lift == Lift::Reduce || row.lift == Lift::Scan;
  Reads reads;
  reads.selects = row.form == Form::DABP;
  if (insn.guard.reg >= 0) reads.choices.push_back(insn.guard.reg);
  const std::span<const Slot> form = slots(row.form);
  int source = 0;  // the Src slot's index: operand a comes first in every form
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    const Operand& operand = insn.operands[k];
    const int place = form[k].role == Role::Src ? source++ : -1;
    if (operand.reg < 0) continue;
    switch (form[k].role) {
      case Role::Dst:
      case Role::DstPred: reads.written.push_back(operand.reg); break;
      case Role::Addr: reads.choices.push_back(operand.reg); break;
      case Role::Src:
        if (reads.selects) {
          (place == 0 ? reads.if_true : place == 1 ? reads.if_false : reads.selector) = operand.reg;
          if (place == 2) reads.selector_negated = operand.negated;
        } else if ((shuffles || gathers) && place == 0) {
          reads.carried = operand.reg;
        } else {
          (shuffles || gathers ? reads.choices : reads.values).push_back(operand.reg);
        }
        break;
      case Role::Label: break;
    }
  }
  if (reads.selector >= 0) reads.choices.push_back(reads.selector);
  return reads;
}

void Heard::on_start(const Machine& machine) {
  *this = Heard(follow_);
  program_ = &machine.program();
  lanes_ = machine.lanes();
  for (const Insn& insn : program_->code) all_reads_.push_back(reads_of(insn));
}

Heard::WarpState& Heard::state(std::uint32_t block, std::uint32_t warp) {
  WarpState& found = warps_[{block, warp}];
  if (found.heard.empty()) {
    found.heard.assign(program_->registers.size(), Lanes(lanes_));
    found.truth.assign(program_->registers.size(), 0);
  }
  return found;
}

const Sources& Heard::at(std::int32_t reg, unsigned lane) const {
  static const Sources nobody;
  return reg < 0 ? nobody : current_->heard[static_cast<std::size_t>(reg)][lane];
}

Sources Heard::united(std::int32_t reg, LaneMask lanes) const {
  Sources all;
  for_each_lane(lanes, [&](unsigned lane) { unite(all, at(reg, lane)); });
  return all;
}

void Heard::on_issue(const IssueEvent& event) {
  const Reads& reads = all_reads_[static_cast<std::size_t>(event.pc)];
  reads_ = &reads;
  current_ = &state(event.block, event.warp);
  insn_ = event.insn;
  block_ = event.block;
  const Lift lift = info(insn_->op).lift;
  result_.assign(lanes_, {});
  Sources gathered;
  if (lift == Lift::Vote || lift == Lift::Match || lift == Lift::Redux || lift == Lift::Reduce)
    gathered = united(reads.carried, event.active);
  for_each_lane(event.active, [&](unsigned lane) {
    Sources& result = result_[lane];
    for (const std::int32_t reg : reads.values) unite(result, at(reg, lane));
    if (reads.selects) {
      const bool holds =
          reads.selector >= 0 && has_lane(current_->truth[static_cast<std::size_t>(reads.selector)], lane);
      unite(result, at(holds != reads.selector_negated ? reads.if_true : reads.if_false, lane));
    }
    unite(result, gathered);
    if (lift == Lift::Scan)
      unite(result, united(reads.carried, event.active & lanes_up_to(lane, insn_->mods.exclusive)));
  });
  if (follow_ == Follow::Values) return;
  for (const std::int32_t choice : reads.choices)
    for_each_lane(event.active, [&](unsigned lane) { unite(result_[lane], at(choice, lane)); });
  // A lane that its guard switches off keeps its value for a reason, too.
  for (const std::int32_t reg : reads.written) {
    for_each_lane(event.group & ~event.active, [&](unsigned lane) {
      unite(current_->heard[static_cast<std::size_t>(reg)][lane], at(insn_->guard.reg, lane));
    });
  }
}

void Heard::on_exchange(const ExchangeEvent& event) {
  const Lift lift = info(insn_->op).lift;
  // A reduction's or a scan's exchange says which lanes are undefined, not which inputs they depend on.
  if (lift != Lift::Shuffle && lift != Lift::Broadcast) return;
  const std::int32_t carried = reads_->carried;
  for_each_lane(event.lanes & ~event.undefined,
                [&](unsigned lane) { unite(result_[lane], at(carried, event.from[lane])); });
}

void Heard::on_memory(const MemoryEvent& event) {
  for_each_lane(event.lanes, [&](unsigned lane) {
    for (std::uint32_t k = 0; k < event.elements; ++k) {  // what the elements of a vector heard becomes one
      const bool global = event.space == MemoryEvent::Space::Global;
      const Source element = {event.object_of(lane), event.index_of(lane) + k};
      const std::pair<std::uint32_t, std::uint64_t> word = {block_, event.address[lane] + k * event.bytes};
      if (event.access != MemoryEvent::Access::Store) {
        const auto found = global_.find(element);
        if (!global) unite(result_[lane], shared_[word]);
        else if (found != global_.end()) unite(result_[lane], found->second);
        else unite(result_[lane], {element});
      }
      if (event.access != MemoryEvent::Access::Load) (global ? global_[element] : shared_[word]) = result_[lane];
    }
  });
}

void Heard::on_write(const WriteEvent& event) {
  const std::size_t reg = static_cast<std::size_t>(event.reg);
  // A shuffle's in-range predicate depends on where it reads from, not on what it finds there.
  const bool in_range = info(insn_->op).lift == Lift::Shuffle && event.cls == RegClass::Pred;
  for_each_lane(event.lanes, [&](unsigned lane) {
    Sources heard;
    if (!in_range) heard = result_[lane];
    if (in_range && follow_ == Follow::Choices)
      for (const std::int32_t choice : reads_->choices) unite(heard, at(choice, lane));
    current_->heard[reg][lane] = std::move(heard);
  });
  if (event.cls == RegClass::Pred) {
    LaneMask& truth = current_->truth[reg];
    truth = (truth & ~event.lanes) | (*static_cast<const LaneMask*>(event.data) & event.lanes);
  }
}

}  // namespace warpsim::testing
