// Schedule `blocks`: the turns of warps, and one issue in a turn.
//
// Shapes: an issue's cycle is its number, machine-wide; a turn is block_turns.h's.
// Units:  issues from 1.
// Errors: a Trap in state_.result, after which nothing issues.
#include <algorithm>
#include <string>
#include <utility>

#include "isa/table/op.h"
#include "sim/launch/block_order.h"
#include "sim/launch/host_threads.h"
#include "sim/machine/machine_impl.h"
#include "sim/machine/traps.h"

namespace warpsim {

template <class Observer>
bool Machine::Impl::begin_turn(const Observer& observer) {
  switch (turns_.begin_next([this] { return state_.is_room(); })) {
    case BlockTurns::Next::Nobody: return false;
    case BlockTurns::Next::NewBlock:
      turns_.begin(begin_block(state_.free_slot(), state_.result.instructions + 1, observer));
      begins_block_ = true;
      break;
    case BlockTurns::Next::Warp: break;
  }
  state_.warps[turns_.warp()].cycle = state_.result.instructions + 1;
  return true;
}

template <class Observer>
bool Machine::Impl::has_turn(const Observer& observer) {
  if (ended_ || turns_.left() != 0) return !ended_;
  if (!begin_turn(observer)) {
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
  if (spins_.is_on() && !state_.is_room() && spins_.repeating() == turns_.count_ready()) {
    if (others_may_go_on()) return false;
    trap_livelock(state_, warp, {MessageId::SpinsForEver, {spins_.begun()}}, spins_.round());
    return true;
  }
  // One that has issued nothing yet has no state that could come again.
  if (turns_.follows_cut_turn() && warp.last_issue != 0 && spins_.is_due(warp.cycle)) {
    const std::uint64_t issues = SpinWatch::most_issues(warp.cycle, warp.divergence.whole());
    if (run_ahead_.stays_in_loop(state_.warps[k], issues)) spins_.pass_probe(warp.cycle);
    else spins_.begin(warp.cycle);
  }
  if (!livelock_.is_on() || !turns_.begins_block()) return false;
  if ((state_.pool != nullptr && state_.pool->running() > 1) || !livelock_.repeats(k)) return false;
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
  if (warp.divergence.next_ready() < 0) end_turn_unready(k);
  return issued;
}

void Machine::Impl::repeat_turns(std::uint64_t end, const SinkObserver& observer) {
  while (state_.result.instructions + 1 < end) {
    if (turns_.left() == 0) begin_turn(observer);
    issue_in_turn(observer);
  }
}

template <class Observer>
bool Machine::Impl::step_blocks(const Observer& observer) {
  while (has_turn(observer)) {
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

// As far as the warp goes by itself. Mostly that is through code to a barrier, or to its end.
std::uint64_t Machine::Impl::run_on(Warp& warp, std::uint64_t budget) {
  const std::uint64_t done = run_ahead_.run_whole(warp, budget);
  if (done == budget) return done;
  if (done != 0)
    if (const DecodedInsn* const d = next_of_whole(warp); d != nullptr && (d->op == Op::Exit || d->op == Op::BarSync))
      return done;
  return done + run_ahead_.run_alone(warp, budget - done);
}

// The same turns; within its own a warp runs on through what only its registers can see.
template <class Observer>
void Machine::Impl::run_blocks(const Observer& observer) {
  if constexpr (!Observer::kActive) find_threads();
  const bool has_rounds =
      !Observer::kActive || (run_ahead_.listener() != nullptr && run_ahead_.listener()->hears_meetings());
  unsigned version = watch_version(observer);
  while (!has_ended() && has_turn(observer)) {
    share_blocks(observer);
    if (std::exchange(begins_block_, false) && has_rounds) {
      run_rounds(observer);
      continue;
    }
    if (go_round_loops()) continue;
    Warp& warp = state_.warps[turns_.warp()];
    const std::uint64_t to_limit = state_.last_cycle - std::min(state_.last_cycle, warp.cycle - 1);
    const bool is_watched = spins_.watches_warp(turns_.warp());
    const std::uint64_t done = is_watched ? 0 : run_on(warp, std::min(turns_.left(), to_limit));
    turns_.use(done);
    if (const DecodedInsn* const d = done < to_limit && turns_.left() != 0 ? next_of_whole(warp) : nullptr) {
      if (d->op == Op::Exit) {
        exit_whole(warp, *d, observer);
        continue;
      }
      if (!is_watched && d->op == Op::BarSync) {
        if (wait_whole(warp, *d, observer) && has_rounds) run_rounds(observer);
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
  join_threads();
}

// ---- several threads

void Machine::Impl::find_threads() {
  const LaunchConfig& config = state_.config;
  if (config.threads <= 1 || state_.pool != nullptr) return;
  if (config.max_cycles != kNoCycleLimit) {
    why_one_thread_ = "a cycle limit counts the instructions of all blocks";
  } else if (config.grid_workspace != 0) {
    why_one_thread_ = "the blocks of a cooperative launch wait for each other";
  } else if (const std::optional<ShownOrder> shown = order_of_blocks_shown(state_.program)) {
    const Insn& insn = state_.program.code[static_cast<std::size_t>(shown->pc)];
    why_one_thread_ = std::string(info(insn.op).mnemonic) + " in line " + state_.program.line(shown->pc) + ": " +
                      std::string(shown->why);
  } else {
    most_threads_ = config.threads;
  }
}

// The blocks that have not begun go to whoever has time for them.
void Machine::Impl::share_blocks() {
  const std::uint64_t count = std::min<std::uint64_t>(std::exchange(most_threads_, 1), state_.blocks_waiting() + 1);
  pool_ = std::make_unique<BlockPool>(state_.next_block, state_.config.grid.count(), static_cast<unsigned>(count));
  state_.pool = pool_.get();
  state_.end_block = state_.next_block;
  LaunchConfig config = state_.config;
  config.blocks = pool_.get();
  pool_->begin();
  helpers_.resize(static_cast<std::size_t>(count - 1));
  for (std::unique_ptr<Impl>& helper : helpers_) {
    pool_->begin();
    running_.push_back(run_on_host_thread([this, &helper, config] {
      helper = std::make_unique<Impl>(state_.program, config, state_.binding, state_.memory.device(), state_.code,
                                      state_.room());
      helper->run_blocks(NullObserver{});
      helper->leave_pool();
    }));
  }
}

void Machine::Impl::leave_pool() {
  if (!state_.result.ok) state_.pool->stop_behind(state_.result.trap.block);
  state_.pool->end();
}

// The numbers of a run on one thread; where the launch was stopped, the first block that did so.
void Machine::Impl::join_threads() {
  if (running_.empty()) return;
  leave_pool();
  await_briefly([this] { return pool_->running() == 0; });
  for (std::future<void>& one : running_) one.get();
  RunResult& all = state_.result;
  for (const std::unique_ptr<Impl>& helper : helpers_) {
    const RunResult& part = helper->state_.result;
    all.instructions += part.instructions;
    if (part.ok || (!all.ok && all.trap.block <= part.trap.block)) continue;
    all.ok = false;
    all.trap = part.trap;
  }
  all.cycles = all.instructions;
}

// What executed the run, and why.
void Machine::Impl::log_engine(bool is_watched) const {
  const std::function<void(std::string_view)>& line = state_.config.engine_log;
  if (!line) return;
  if (!takes_turns_) return line("no machine code: it is for runs in the order of schedule blocks");
  std::uint64_t in_code = run_ahead_.issues_in_code(), in_loops = issues_in_loops_;
  for (const std::unique_ptr<Impl>& helper : helpers_) {
    in_code += helper->run_ahead_.issues_in_code();
    in_loops += helper->issues_in_loops_;
  }
  const std::uint64_t all = state_.result.instructions;
  run_ahead_.engine().report(line);
  line(std::to_string(in_code) + " of " + std::to_string(all) + " instructions were executed as machine code" +
       (in_loops == 0 ? ""
                      : ", " + std::to_string(in_loops) + " of them with warps side by side in loops of registers"));
  if (!helpers_.empty()) return line(std::to_string(helpers_.size() + 1) + " threads");
  line("1 thread: " + (is_watched                   ? "the run is checked, traced or counted"
                       : !why_one_thread_.empty()   ? why_one_thread_
                       : state_.config.threads <= 1 ? "no more may be used"
                                                    : "the run is too short for more, or of too few blocks"));
}

// Blocks that spin wait until the other threads have done their part, and then go on.
bool Machine::Impl::others_may_go_on() {
  if (state_.pool == nullptr || std::exchange(is_alone_, true)) return false;
  state_.pool->wait_for_others();
  spins_.end();
  return true;
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
    report_issue(warp, d, active, stretch.lanes, observer);
    memory_.move_watched(warp, d, active, quick, observer);
    report_writes(warp, d, active, observer);
  }
  warp.divergence.ran(stretch.group, d.pc + 1, 1);
  state_.count(warp, 1);
  turns_.use(1);
  state_.end_early(observer.early_end());
  return true;
}

void Machine::Impl::report_issue(const Warp& warp, const DecodedInsn& d, LaneMask active, LaneMask group,
                                 const SinkObserver& observer) {
  observer.report(&EventSink::on_issue, IssueEvent{warp.cycle, warp.block, warp.index, d.pc, active, group, warp.alive,
                                                   &state_.program.code[static_cast<std::size_t>(d.pc)]});
}

// What all lanes of the warp that live come to together, unguarded; null: they do not.
const DecodedInsn* Machine::Impl::next_of_whole(const Warp& warp) const {
  if (!warp.divergence.whole()) return nullptr;
  const Group& g = warp.divergence.groups()[0];
  if (g.pc < 0 || static_cast<std::size_t>(g.pc) >= state_.code.insns.size()) return nullptr;
  const DecodedInsn& d = state_.insn(g.pc);
  return d.guard == kNoOffset && g.state == Group::State::Ready ? &d : nullptr;
}

// The warp whose turn it is has no group that is ready.
void Machine::Impl::end_turn_unready(std::uint32_t number) {
  spins_.end();
  turns_.remove(number);
  turns_.end_with_nothing_ready();
}

// Who has come together, after an issue.
void Machine::Impl::report_gathered(const Warp& warp, const SinkObserver& observer) {
  report_joined(observer);
  report_barriers(warp, observer);
  state_.end_early(observer.early_end());
}

// What step_blocks() does at bar.sync. Whether the warp goes on behind it, as the last that has come.
template <class Observer>
bool Machine::Impl::wait_whole(Warp& warp, const DecodedInsn& barrier, const Observer& observer) {
  if constexpr (Observer::kActive) report_issue(warp, barrier, warp.alive, warp.alive, observer);
  gathering_.joined.clear();
  barriers_.arrive(warp, 0, barrier, warp.alive);
  queue_released(warp);
  if constexpr (Observer::kActive) report_gathered(warp, observer);
  state_.count(warp, 1);
  turns_.use(1);
  if (warp.divergence.next_ready() >= 0) return true;
  end_turn_unready(turns_.warp());
  return false;
}

// What it does at an exit.
template <class Observer>
void Machine::Impl::exit_whole(Warp& warp, const DecodedInsn& exit, const Observer& observer) {
  if constexpr (Observer::kActive) {
    report_issue(warp, exit, warp.alive, warp.alive, observer);
    observer.report(&EventSink::on_mask, MaskEvent{MaskEvent::Kind::Exit, warp.alive, 0, kExit, kExit});
  }
  state_.count(warp, 1);
  warp.alive = 0;
  warp.divergence.exit_all();
  gathering_.joined.clear();
  barriers_.open_complete(warp);
  queue_released(warp);
  end_turn_unready(turns_.warp());
  if constexpr (Observer::kActive) report_gathered(warp, observer);
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
