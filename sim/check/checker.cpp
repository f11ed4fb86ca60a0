// Handing each event to each part in the order that they need; see checker.h.
#include "sim/check/checker.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "isa/program/lint.h"
#include "isa/program/reads_writes.h"
#include "isa/program/unwritten_reads.h"
#include "isa/table/op.h"
#include "sim/calm/left_lanes.h"
#include "sim/launch/device_work.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

bool can_leave_in_place(const Insn& insn) { return info(insn.op).lift == Lift::Shuffle; }

bool is_plain_access(const Insn& insn) {
  const Lift lift = info(insn.op).lift;
  if (lift == Lift::Atomic) return insn.mods.memory.semantics <= Semantics::Relaxed;
  return (lift == Lift::Load || lift == Lift::Store) && !is_strong(insn);
}

}  // namespace

Checker::Checker(const PreparedCase& prepared) {
  for (const auto& [output, array] : prepared.expected) outputs_.push_back(output);
}

void Checker::on_start(const Machine& machine) {
  std::vector<std::string> outputs = std::move(outputs_);
  std::function<bool()> is_memory_left = std::move(is_memory_left_);
  UndefinedWords memory;
  if (knows_memory_) memory = undefined_.take_memory();
  CalmPages* const calm_pages = calm_pages_;
  const Calm calm = calm_;
  const bool by_bytes = by_bytes_;
  const std::vector<std::uint64_t> stored = std::move(stored_);
  *this = Checker();
  outputs_ = std::move(outputs);
  is_memory_left_ = std::move(is_memory_left);
  undefined_.give_memory(std::move(memory));
  machine_ = &machine;
  const Program& program = machine.program();
  races_.on_start(machine);
  if (calm_pages != nullptr)
    races_.take_as_calm({*(calm_pages_ = calm_pages), undefined_.lanes().global(), by_bytes, calm.reads, stored});
  if (is_taken_as_calm()) calm_ = calm;
  leaves_in_place_ = std::any_of(program.code.begin(), program.code.end(), can_leave_in_place);
  if (leaves_in_place_) left_in_place_uses_.begin(machine);
  if (leaves_in_place_ && calm_.lanes) find_left(program);
  if (leaves_in_place_) left_in_place_.on_start(machine);
  undefined_.on_start(machine);
  undefined_uses_.begin(machine);
  for (const Insn& insn : program.code) {
    barrier_.push_back(barrier_of(insn));
    asked_register_.push_back(register_linted(insn));
    is_plain_.push_back(is_plain_access(insn));
  }
  copies_.on_start(machine);
  stale_swaps_.on_start(machine);
  lock_order_.on_start(machine);
  if (copies_.is_on() || stale_swaps_.is_on() || lock_order_.is_on()) is_plain_.assign(program.code.size(), false);
  if (!is_taken_as_calm()) skipped_barriers_.on_start(program, machine.config().reconvergence);
  for (StaticFinding& known : lint(program, machine.lanes())) {
    if (program.allows(known.code)) continue;
    RunFinding& finding = found_.emplace_back();
    finding.code = known.code;
    finding.pc = known.pc;
    finding.message = std::move(known.message);
  }
}

// A run that follows no value that a shuffle has left in place knows which lanes may hold one.
void Checker::find_left(const Program& program) {
  const ShuffleConstants constants(program, unwritten_reads(program), machine_->lanes());
  for (const Selections selections : {Selections::PassBoth, Selections::PassNone}) {
    const LeftLanes left = left_lanes(program, constants, machine_->lanes(), selections);
    if (!left.is_known) return;
    left_uses_.clear();
    bool may_be_used = false;
    for (std::size_t pc = 0; pc < program.code.size(); ++pc) {
      LeftUse& use = left_uses_.emplace_back();
      use.by_guard = left_in_place_uses_.used(pc, true, left.lanes);
      use.otherwise = left_in_place_uses_.used(pc, false, left.lanes);
      may_be_used = may_be_used || (use.by_guard | use.otherwise) != 0;
      const bool is_selection = has_trait(info(program.code[pc].op), kSelects);
      if (selections == Selections::PassNone && is_selection) use.chosen = left.chosen_by(program.code[pc]);
    }
    if (!may_be_used) break;
  }
  leaves_in_place_ = false;
  undefined_.leave_left();
}

bool Checker::chooses_left(const IssueEvent& event) const {
  const ChoiceLanes chosen = left_use(event.pc).chosen;
  if (chosen == ChoiceLanes{}) return false;
  const Operand& by = event.insn->operands[3];
  LaneMask first = 0;
  for_each_lane(event.active, [&](unsigned lane) {
    const bool is_true = machine_->register_bits(event.block, event.warp, by.reg, lane) != 0;
    if (is_true != by.negated) first |= lane_bit(lane);
  });
  return chosen.among(event.active, first) != 0;
}

// Code asks for it by itself, but for what may be undefined in another way.
std::optional<ChoiceLanes> Checker::choices_heard(std::int32_t pc) const {
  const ChoiceLanes chosen = left_use(pc).chosen;
  return chosen == ChoiceLanes{} || undefined_.watches(pc) ? std::nullopt : std::optional(chosen);
}

// Where a function's frame is, as it returns.
bool Checker::looks_at_registers() const { return machine_->program().frame_register >= 0; }

Checker::Barrier Checker::barrier_of(const Insn& insn) {
  if (insn.op == Op::Exit && insn.guard.reg < 0) return Barrier::Exit;
  if (!is_block_barrier(insn.op)) return Barrier::None;
  const bool reads = std::any_of(insn.operands.begin(), insn.operands.end(),
                                 [](const Operand& operand) { return register_of(operand) >= 0; });
  return insn.guard.reg >= 0 || reads || info(insn.op).lift != Lift::Barrier ? Barrier::Other : Barrier::Plain;
}

void Checker::on_issue(const IssueEvent& event) {
  note({event.cycle, event.block, event.warp, event.pc});
  const Barrier barrier = barrier_[static_cast<std::size_t>(event.pc)];
  if (barrier == Barrier::Exit) return;
  if (barrier == Barrier::Plain) return check_barrier(event);
  if (uses_left(event.pc, event.active, event.group) || chooses_left(event)) {
    uses_left_ = true;
    end_to_repeat();
  }
  races_.on_issue(event);
  copies_.on_issue(event, [this](const PendingCopies::Copy& copy) {
    races_.finish_copy(copy.lane, copy.pc, copy.cycle, copy.to, copy.size);
  });
  issue_ = event;
  undefined_.on_issue(event);
  undefined_uses_.on_issue(event, undefined_.lanes());
  if (!early_end_ && undefined_uses_.first_branch()) plan_early_end(event.cycle);
  if (leaves_in_place_) {
    left_in_place_.on_issue(event);
    left_in_place_uses_.on_issue(event, left_in_place_);
  }
  if (barrier == Barrier::Other) check_barrier(event);
  if (asked_register_[static_cast<std::size_t>(event.pc)] >= 0) check_operands(event);
  collect();
}

void Checker::note(const AccessPlace& place) {
  cycle_ = place.cycle;
  issue_.block = place.block;
  issue_.warp = place.warp;
}

bool Checker::hears_at_once(const AccessPlace& place, const MemoryEvent& event) {
  if (!is_plain_[static_cast<std::size_t>(place.pc)]) return false;
  if (may_use_left(place.pc) && uses_left(place.pc, event.lanes, full_mask(machine_->lanes()))) return false;
  if (undefined_.meets(place.pc)) {
    if (!undefined_.are_all_defined(place)) return false;
    if (leaves_in_place_ && !left_in_place_.are_all_defined(place)) return false;
  }
  if (!undefined_.is_all_defined(place, event)) return false;
  if (!races_.hears_access(place, event, pages_asked_for_)) return false;
  if (event.access == MemoryEvent::Access::Store) undefined_.define(event);
  note(place);
  return true;
}

// A word that is settled was all defined, and has not been written since.
bool Checker::hears_ranges(std::int32_t pc) const {
  return races_.settled_pages() != nullptr && is_plain_[static_cast<std::size_t>(pc)] && !undefined_.meets(pc) &&
         !may_use_left(pc);
}

// As hears_at_once().
bool Checker::hears_range(const AccessPlace& place, const RangeEvent& event) {
  if (!undefined_.is_all_defined(place, event) || !races_.hears_access(place, event, pages_asked_for_)) return false;
  if (event.is_store) undefined_.define(event);
  note(place);
  return true;
}

bool Checker::hears_lanes(const AccessPlace& place, const LanesEvent& event) {
  if (!undefined_.is_all_defined(place, event) || !races_.hears_access(place, event)) return false;
  if (event.is_store) undefined_.define(event);
  note(place);
  return true;
}

void Checker::calm_memory(std::uint32_t block, std::uint32_t warp, CalmMemory& memory) {
  races_.calm_memory(block, warp, memory);
  memory.undefined = undefined_.lanes().global().undefined_pages();
  if (memory.shared != nullptr) memory.shared_defined = undefined_.lanes().defined_shared(block);
}

// What lanes do after an undefined branch is arbitrary, so it may be a loop that never ends, and each round of it
// another state. It gets as long again as it took to come here, and a while for programs that end soon.
void Checker::plan_early_end(std::uint64_t cycle) {
  constexpr std::uint64_t kPatience = 200'000;
  const std::uint64_t more = std::max(kPatience, cycle);
  early_end_ = EarlyEnd{cycle + more,
                        TrapKind::CycleLimit,
                        {MessageId::StillRunningUndefined, {more, cycle}},
                        MessageId::TryDefinedBranch};
}

void Checker::on_exchange(const ExchangeEvent& event) {
  undefined_.on_exchange(event);
  if (leaves_in_place_) left_in_place_.on_exchange(event);
}

void Checker::on_memory(const MemoryEvent& event) {
  undefined_.on_memory(event);
  if (event.lanes == 0) return;
  undefined_uses_.on_memory(issue_, event, undefined_.lanes());
  if (leaves_in_place_) left_in_place_.on_memory(event);
  races_.on_memory(event);
  if (races_.must_repeat()) end_to_repeat();
  if (event.access == MemoryEvent::Access::Load && are_all_defined(event)) races_.note_defined(event);
  copies_.on_memory(issue_, event);
  stale_swaps_.on_memory(issue_, event);
  lock_order_.on_memory(issue_, event);
  if (races_.pages() >= pages_asked_for_) ask_for_memory();
  collect();
}

bool Checker::are_all_defined(const MemoryEvent& event) const {
  LaneMask undefined = 0;
  for (unsigned k = 0; k < event.elements; ++k) undefined |= undefined_.lanes().undefined_access(k);
  return undefined == 0;
}

UndefinedWords Checker::undo() {
  UndefinedWords undefined = undefined_.take_memory();
  calm_pages_->undo(undefined);
  return undefined;
}

void Checker::end_to_repeat() {
  races_.leave_calm();
  early_end_ = EarlyEnd{0, TrapKind::CycleLimit, MessageId::RunsAgain, {}};
}

void Checker::ask_for_memory() {
  constexpr std::size_t kBytes = std::size_t{16} << 20;
  pages_asked_for_ = races_.pages() + kBytes / RacePage::kMostBytes;
  if (!is_memory_left_ || is_memory_left_()) return;
  early_end_ = EarlyEnd{cycle_, TrapKind::NoMemory, MessageId::NoMemoryForChecks, MessageId::HintNoMemory};
}

// What the parts have just found says where the lanes of its warp stand.
void Checker::collect() {
  if (undefined_uses_.found().empty() && left_in_place_uses_.found().empty() && races_.found().empty() &&
      copies_.found().empty() && stale_swaps_.found().empty() && lock_order_.found().empty())
    return;
  const auto collect_from = [this](auto& part) {
    for (RunFinding& one : part.take()) add(std::move(one));
  };
  collect_from(undefined_uses_);
  collect_from(left_in_place_uses_);
  for (const Race& race : races_.take())
    if (!race.equal_stores) add(finding_of(race, machine_->program()));  // advice.h reports those
  collect_from(copies_);
  collect_from(stale_swaps_);
  collect_from(lock_order_);
}

void Checker::add(RunFinding finding) {
  if (machine_->program().allows(finding.code)) return;
  // Locks are known once they are released, when the lanes have moved on.
  if (finding.places.empty() && finding.code != Finding::LockOrder)
    finding.places = machine_->places(finding.block, finding.warp);
  found_.push_back(std::move(finding));
}

void Checker::on_write(const WriteEvent& event) {
  undefined_.on_write(event);
  if (leaves_in_place_) left_in_place_.on_write(event);
}

void Checker::on_sync(const SyncEvent& event) {
  undefined_.on_sync(event);
  if (leaves_in_place_) left_in_place_.on_sync(event);
  races_.on_sync(event);
  lock_order_.on_sync(event);
  if (event.kind != SyncEvent::Kind::Warp) check_meeting(event);
  if (event.kind == SyncEvent::Kind::Block) is_taken_as_calm() ? check_whole(event) : check_skipped(event);
}

void Checker::on_block_end(const BlockEndEvent& event) {
  undefined_.on_block_end(event);
  if (leaves_in_place_) left_in_place_.on_block_end(event);
  races_.on_block_end(event);
  skipped_barriers_.on_block_end(event.block);
  copies_.on_block_end(event);
}

void Checker::on_finish(const Machine&, const RunResult&) {
  undefined_uses_.on_finish(outputs_, undefined_.lanes());
  collect();
}

// A barrier that some lanes of a warp come to without the others. If those never come, the run says so with a trap.
// Where diverged lanes take turns, they may arrive one after the other: check_meeting() then sees which converged.
void Checker::check_barrier(const IssueEvent& event) {
  if (event.active == 0 || event.active == event.alive || event.insn->mods.unaligned) return;
  if (machine_->config().reconvergence == Reconvergence::Independent) return;
  add_barrier(event.block, event.warp, event.pc, event.active, event.alive & ~event.active);
}

// Lanes of one warp that meet at one barrier from different lines.
void Checker::check_meeting(const SyncEvent& event) {
  const std::vector<Insn>& code = machine_->program().code;
  if (come_from_one_line(event)) return;
  for (const SyncEvent::Arrival& one : event.arrivals) {
    if (event.kind == SyncEvent::Kind::Block && one.ticket != 0) continue;  // seen when it arrived
    if (code[static_cast<std::size_t>(one.pc)].mods.unaligned) continue;
    LaneMask elsewhere = 0;
    for (const SyncEvent::Arrival& other : event.arrivals)
      if (other.warp == one.warp && other.pc != one.pc && other.ticket == one.ticket) elsewhere |= other.lanes;
    if (elsewhere != 0) add_barrier(event.block, one.warp, one.pc, one.lanes, elsewhere);
  }
}

// Where diverged lanes take turns: lanes that have exited without a barrier of which others of their warp have waited.
void Checker::check_skipped(const SyncEvent& event) {
  if (!skipped_barriers_.may_skip(event.block)) return;
  for (const SyncEvent::Arrival& one : event.arrivals) {
    LaneMask here = 0;
    for (const SyncEvent::Arrival& other : event.arrivals)
      if (other.warp == one.warp) here |= other.lanes;
    const LaneMask skipped = skipped_barriers_.skipped_by(event.block, one.warp, here);
    if (skipped == 0 || machine_->program().code[static_cast<std::size_t>(one.pc)].mods.unaligned) continue;
    add_barrier(event.block, one.warp, one.pc, one.lanes, skipped);
  }
}

// The same, of a run that is taken to be calm: whether some may have. Who returns early has not. Then it runs again.
void Checker::check_whole(const SyncEvent& event) {
  if (machine_->config().reconvergence != Reconvergence::Independent) return;
  for (const SyncEvent::Arrival& one : event.arrivals) {
    LaneMask here = 0;
    for (const SyncEvent::Arrival& other : event.arrivals)
      if (other.warp == one.warp) here |= other.lanes;
    if (here == machine_->existing_lanes(one.warp)) continue;
    if (!may_skip_) may_skip_ = SkippedBarriers::is_possible(machine_->program());
    if (*may_skip_) return end_to_repeat();
  }
}

// What the lint asks of constants, asked of what a register holds.
void Checker::check_operands(const IssueEvent& event) {
  std::int32_t& reg = asked_register_[static_cast<std::size_t>(event.pc)];
  for_each_lane(event.active, [&](unsigned lane) {
    if (reg < 0) return;
    const std::uint64_t value = machine_->register_bits(event.block, event.warp, reg, lane);
    std::optional<StaticFinding> wrong =
        lint_value(*event.insn, event.pc, static_cast<std::int64_t>(value), machine_->lanes());
    if (!wrong || has_lane(undefined_.lanes().undefined(event.block, event.warp, reg), lane)) return;
    RunFinding finding;
    finding.code = wrong->code;
    finding.cycle = cycle_;
    finding.block = event.block;
    finding.warp = event.warp;
    finding.pc = event.pc;
    finding.lanes = event.active;
    finding.message = std::move(wrong->message);
    add(std::move(finding));
    reg = -1;
  });
}

void Checker::add_barrier(std::uint32_t block, std::uint32_t warp, std::int32_t pc, LaneMask lanes, LaneMask others) {
  if (!divergent_barriers_.insert(pc).second) return;
  RunFinding finding;
  finding.code = Finding::DivergentBarrier;
  finding.cycle = cycle_;
  finding.block = block;
  finding.warp = warp;
  finding.pc = pc;
  finding.lanes = lanes;
  finding.message = {MessageId::ComeWithoutOthers, {lanes_named(lanes), lanes_named(others)}};
  add(std::move(finding));
}

std::unique_ptr<EventSink> Checker::watcher_of_launched() {
  auto made = std::make_unique<Checker>();
  begin_launched(*made);
  return made;
}

void Checker::begin_launched(Checker& other) {
  other.outputs_ = outputs_;
  other.is_memory_left_ = is_memory_left_;
  other.begin_with(undefined_.take_memory());
}

void Checker::on_launched(EventSink& watcher, const DeviceWork& work) {
  Checker& other = static_cast<Checker&>(watcher);
  undefined_.give_memory(other.undefined_.take_memory());
  for (RunFinding& one : other.found_) {
    const auto is_known = [&one](const RunFinding& known) { return known.code == one.code && known.pc == one.pc; };
    if (std::any_of(found_.begin(), found_.end(), is_known)) continue;
    one.message = {MessageId::InLaunchedGrid,
                   {machine_->program().routines[static_cast<std::size_t>(work.kernel)].name, one.block, one.warp,
                    std::move(one.message)}};
    one.cycle = work.cycle;
    one.block = work.by_block;
    one.warp = work.by_warp;
    one.lanes = lane_bit(work.by_lane);
    one.places.clear();
    found_.push_back(std::move(one));
  }
}

std::vector<RunFinding> Checker::found() const {
  std::vector<RunFinding> all = found_;
  std::stable_sort(all.begin(), all.end(), [](const RunFinding& x, const RunFinding& y) {
    return std::tie(x.cycle, x.block, x.warp, x.pc) < std::tie(y.cycle, y.block, y.warp, y.pc);
  });
  return all;
}

}  // namespace warpsim
