// Schedule `blocks`: the turns of warps, and one issue in a turn.
//
// Shapes: an issue's cycle is its number, machine-wide; a turn is block_turns.h's.
// Units:  issues from 1.
// Errors: a Trap in state_.result, after which nothing issues.
#include <algorithm>

#include "sim/machine/machine_impl.h"
#include "sim/machine/traps.h"

namespace warpsim {

bool Machine::Impl::begin_turn() {
  if (!turns_.begin_next()) return false;
  Warp& warp = state_.warps[turns_.warp()];
  warp.cycle = state_.result.instructions + 1;
  state_.lend(warp);
  return true;
}

bool Machine::Impl::has_turn() {
  if (ended_ || turns_.left() != 0) return !ended_;
  if (!begin_turn()) {
    end_of_turns();
    return false;
  }
  const Warp& warp = state_.warps[turns_.warp()];
  if (warp.cycle <= state_.last_cycle && loops_for_ever()) ended_ = true;
  return !ended_;
}

// What is left of a block's turns is no part of the states that are compared: as it goes on it is always the same.
bool Machine::Impl::loops_for_ever() {
  const std::uint32_t k = turns_.warp();
  const Warp& warp = state_.warps[k];
  if (spins_.is_on() && spins_.repeating() == turns_.count_ready()) {
    trap_livelock(state_, warp, {MessageId::SpinsForEver, {spins_.begun()}}, spins_.round());
    return true;
  }
  spins_.begin_turn(warp.cycle);
  if (!livelock_.is_on() || !turns_.begins_block() || !livelock_.repeats(k)) return false;
  spins_.end();
  report_livelock(k);
  return true;
}

template <class Observer>
bool Machine::Impl::issue_in_turn(const Observer& observer) {
  const std::uint32_t k = turns_.warp();
  Warp& warp = state_.warps[k];
  const bool issued =
      spins_.watches_warp(k) && spins_.watch(k) ? issue(warp, spins_.beside(observer)) : issue(warp, observer);
  if (issued) turns_.use(1);
  if (warp.divergence.next_ready() < 0) {
    spins_.end();
    turns_.remove(k);
    turns_.end_with_nothing_ready();
  }
  return issued;
}

void Machine::Impl::repeat_turns(std::uint64_t end, const SinkObserver& observer) {
  while (state_.result.instructions + 1 < end) {
    if (turns_.left() == 0) begin_turn();
    issue_in_turn(observer);
  }
}

template <class Observer>
bool Machine::Impl::step_blocks(const Observer& observer) {
  while (has_turn()) {
    const Warp& warp = state_.warps[turns_.warp()];
    if (warp.cycle > state_.last_cycle) {
      ended_ = true;
      trap_cycle_limit(state_, warp);
      return false;
    }
    const bool issued = issue_in_turn(observer);
    if constexpr (Observer::kActive) state_.end_early(observer.early_end());
    if (!state_.result.ok) ended_ = true;
    else if (warp.divergence.finished()) give_up_slot(warp, observer);
    if (issued) return true;
  }
  return false;
}

// The same turns; within its own a warp runs on through what only its registers can see.
template <class Observer>
void Machine::Impl::run_blocks(const Observer& observer) {
  unsigned version = watch_version(observer);
  while (!has_ended() && has_turn()) {
    Warp& warp = state_.warps[turns_.warp()];
    const std::uint64_t to_limit = state_.last_cycle - std::min(state_.last_cycle, warp.cycle - 1);
    const bool is_watched = spins_.watches_warp(turns_.warp());
    const std::uint64_t done = is_watched ? 0 : run_ahead_.run_alone(warp, std::min(turns_.left(), to_limit));
    turns_.use(done);
    if (const DecodedInsn* const d = done < to_limit && turns_.left() != 0 ? next_of_whole(warp) : nullptr) {
      if (d->op == Op::Exit) {
        exit_whole(warp, observer);
        continue;
      }
      if (!Observer::kActive && !is_watched && d->op == Op::BarSync) {
        wait_whole(warp, *d);
        continue;
      }
    }
    if (done != 0) continue;
    if (is_watched || to_limit == 0 || !access_in_turn(warp, observer)) step_blocks(observer);
    if (const unsigned now = watch_version(observer); now != version) {
      version = now;
      leave_unwatched(observer);
    }
  }
}

// What step_blocks() does at most loads and stores that somebody watches.
bool Machine::Impl::access_in_turn(Warp& warp, const SinkObserver& observer) {
  const Stretch stretch = warp.divergence.stretch();
  if (stretch.group < 0 || stretch.pc + 1 >= stretch.below) return false;
  const DecodedInsn& d = state_.insn(stretch.pc);
  const LaneMask active = taking(warp.registers, d, stretch.lanes);
  if (active == 0 || !d.heard || !memory_.access_heard(warp, d, active, warp.cycle)) {
    QuickAccess quick;
    if (d.lift == Lift::Atomic || !memory_.finds(warp, d, active, quick)) return false;
    observer.report(&EventSink::on_issue, IssueEvent{warp.cycle, warp.block, warp.index, d.pc, active, stretch.lanes,
                                                     warp.alive, &state_.program.code[static_cast<std::size_t>(d.pc)]});
    memory_.move_watched(warp, d, active, quick, observer);
    report_writes(warp, d, active, observer);
  }
  warp.divergence.ran(stretch.group, d.pc + 1, 1);
  state_.count(warp, 1);
  turns_.use(1);
  state_.end_early(observer.early_end());
  return true;
}

// What all lanes of the warp that live come to together and nobody watches; null: they do not.
const DecodedInsn* Machine::Impl::next_of_whole(const Warp& warp) const {
  if (!warp.divergence.whole()) return nullptr;
  const Group& g = warp.divergence.groups()[0];
  if (g.pc < 0 || static_cast<std::size_t>(g.pc) >= state_.code.insns.size()) return nullptr;
  const DecodedInsn& d = state_.insn(g.pc);
  return d.guard == kNoOffset && !d.watched && g.state == Group::State::Ready ? &d : nullptr;
}

// What step_blocks() does at bar.sync.
void Machine::Impl::wait_whole(Warp& warp, const DecodedInsn& barrier) {
  gathering_.joined.clear();
  barriers_.arrive(warp, 0, barrier, warp.alive);
  queue_released(warp);
  state_.count(warp, 1);
  turns_.use(1);
  if (warp.divergence.next_ready() >= 0) return;
  spins_.end();
  turns_.remove(turns_.warp());
  turns_.end_with_nothing_ready();
}

// What it does at an exit.
template <class Observer>
void Machine::Impl::exit_whole(Warp& warp, const Observer& observer) {
  state_.count(warp, 1);
  warp.alive = 0;
  warp.divergence.exit_all();
  gathering_.joined.clear();
  barriers_.open_complete(warp);
  queue_released(warp);
  spins_.end();
  turns_.remove(turns_.warp());
  turns_.end_with_nothing_ready();
  if constexpr (Observer::kActive) report_barriers(warp, observer);
  give_up_slot(warp, observer);
}

void Machine::Impl::sleep(Warp& warp, int group) {
  if (!takes_turns_) return;
  warp.divergence.yield(group);
  turns_.end_asleep();
}

template bool Machine::Impl::issue_in_turn(const SinkObserver&);
template bool Machine::Impl::step_blocks(const NullObserver&);
template bool Machine::Impl::step_blocks(const SinkObserver&);
template void Machine::Impl::run_blocks(const NullObserver&);
template void Machine::Impl::run_blocks(const SinkObserver&);

}  // namespace warpsim
