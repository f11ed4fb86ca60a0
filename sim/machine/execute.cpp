// One issue slot: which lanes of a warp execute, what the instruction does to them, and the events that report it.
#include <algorithm>

#include "isa/program/reads_writes.h"
#include "isa/table/op.h"
#include "sim/machine/exchange.h"
#include "sim/machine/machine_impl.h"
#include "sim/machine/system_calls.h"
#include "sim/machine/traps.h"

namespace warpsim {
namespace {

// A register of the elements of a vector, the first in the low bits; and back.
void pack(Warp& warp, const DecodedInsn& d, LaneMask active) {
  const int width = bits(d.type) / d.elements;
  for_each_lane(active, [&](unsigned l) {
    std::uint64_t whole = 0;
    for (unsigned k = 0; k < d.elements; ++k)
      whole |= read_row(warp, d.element[k], false, l) << static_cast<unsigned>(width) * k;
    write_row(warp, d.dst, is_wide(d), l, whole);
  });
}
void unpack(Warp& warp, const DecodedInsn& d, LaneMask active) {
  const int width = bits(d.type) / d.elements;
  for_each_lane(active, [&](unsigned l) {
    const std::uint64_t whole = read_row(warp, d.a, is_wide(d), l);
    for (unsigned k = 0; k < d.elements; ++k)
      write_row(warp, d.element[k], false, l,
                whole >> static_cast<unsigned>(width) * k & ((std::uint64_t{1} << width) - 1));
  });
}

// The SM clock of the H200 in tests/data: 1980 MHz.
std::uint64_t nanoseconds(std::uint64_t cycles) { return cycles / 198 * 100 + cycles % 198 * 100 / 198; }

std::uint64_t clock_value(Special clock, std::uint64_t cycle) {
  switch (clock) {
    case Special::ClockHi: return cycle >> 32;
    case Special::GlobalTimer:
    case Special::GlobalTimerLo: return nanoseconds(cycle);
    case Special::GlobalTimerHi: return nanoseconds(cycle) >> 32;
    default: return cycle;
  }
}

void fill_clock(Warp& warp, const DecodedInsn& d, unsigned width) {
  const std::uint64_t value = clock_value(d.clock, warp.cycle);
  for (unsigned lane = 0; lane < width; ++lane) write_row(warp, d.a, is_wide(d), lane, value);
}

}  // namespace

// Those who leave a barrier that the issuing warp has opened have a turn again. Of a timed run the clock says when.
void Machine::Impl::queue_released(const Warp& issuing) {
  if (clock_) return;
  for (const Barriers::Released& one : barriers_.released()) {
    Warp& warp = state_.warps[one.warp];
    if (&warp == &issuing) continue;  // its turn is now
    if (warp.cycle <= issuing.cycle) warp.cycle = issuing.cycle + 1;
    make_ready(one.warp);
  }
  barriers_.clear_released();
}

template <class Observer>
bool Machine::Impl::issue(Warp& warp, const Observer& observer) {
  const std::uint64_t now = warp.cycle;
  for (;;) {
    const int group = draws_.choose_group(warp);
    if (group < 0) return false;
    const Group g = warp.divergence.groups()[static_cast<std::size_t>(group)];
    if (g.pc < 0 || g.pc >= static_cast<std::int32_t>(state_.code.insns.size())) {
      trap(state_, TrapKind::FellOffTheEnd, warp, g.pc, g.lanes, MessageId::PassedLastInstruction,
           MessageId::HintFellOffTheEnd);
      return true;
    }
    const DecodedInsn& d = state_.insn(g.pc);
    const LaneMask active =
        d.guard == kNoOffset ? g.lanes
                             : g.lanes & (word(static_cast<const std::byte*>(warp.registers), d.guard) ^ d.guard_flip);
    LaneMask together = active;
    gathering_.groups.assign(1, group);
    gathering_.joined.clear();
    const bool together_only = Convergence::is_needed(d) || d.lift == Lift::BarrierReduce;
    if (active != 0 && together_only && must_wait(warp, group, d, active, together, observer)) {
      if (!state_.result.ok) return true;
      if (clock_) return false;
      continue;
    }
    if constexpr (Observer::kActive) {
      report_barriers(warp, observer);  // at bar.warp
      observer.report(&EventSink::on_issue,
                      IssueEvent{warp.cycle, warp.block, warp.index, g.pc, together, g.lanes | together, warp.alive,
                                 &state_.program.code[static_cast<std::size_t>(g.pc)],
                                 clock_ ? clock_->stalls() : std::span<const Stall>{}});
    }
    warp.divergence.issued(gathering_.groups);
    execute(warp, group, together, observer);
    if (!state_.result.ok) return true;
    if constexpr (Observer::kActive) report_barriers(warp, observer);  // at bar.sync
    ++state_.result.instructions;
    state_.result.cycles = std::max(state_.result.cycles, now);
    warp.last_issue = now;
    // A barrier that opened may have set it already.
    warp.cycle = std::max(warp.cycle, now + 1 + draws_.pause_cycles());
    return true;
  }
}

// Do the active lanes of the group wait for others, at an instruction that lanes execute together? `together` gets the
// lanes that execute if they do not. True also on a trap.
template <class Observer>
bool Machine::Impl::must_wait(Warp& warp, int group, const DecodedInsn& d, LaneMask active, LaneMask& together,
                              const Observer& observer) {
  const std::uint64_t now = warp.cycle;
  StallEvent::Reason reason = StallEvent::Reason::WarpSync;
  if (d.lift == Lift::BarrierReduce) {
    if (warp.divergence.groups()[static_cast<std::size_t>(group)].released) return false;
    reason = StallEvent::Reason::Barrier;
    barriers_.arrive(warp, group, d, active);
    queue_released(warp);
    if constexpr (Observer::kActive) report_barriers(warp, observer);
  } else {
    if (convergence_.separate_by_masks(warp, group, active)) return true;
    if (convergence_.try_converge(warp, group, active, together)) return false;
    if (!state_.result.ok) return true;
  }
  if constexpr (Observer::kActive) {
    observer.report(&EventSink::on_stall, StallEvent{now, warp.block, warp.index, d.pc, active, reason});
    report_joined(observer);
  }
  return true;
}

// True: the lanes do not go on behind it, or have gone.
template <class Observer>
bool Machine::Impl::execute_special(Warp& warp, int group, const DecodedInsn& d, LaneMask active,
                                    const Observer& observer) {
  switch (d.op) {
    case Op::Exit: execute_exit(warp, group, active, observer); return true;
    case Op::Trap:
      if (active != 0) trap_program(state_, warp, d.pc, active);
      return active != 0;
    case Op::AssertFail:
      if (active != 0) fail_assertion(state_, memory_, warp, d, active);
      return active != 0;
    case Op::Vprintf: print(state_, memory_, warp, d, active); return false;
    case Op::Malloc:
      livelock_.forget();  // it compares the allocations that there were
      allocate(state_, warp, d, active);
      return false;
    case Op::CallRuntime:
      livelock_.forget();
      call_runtime(state_, memory_, warp, d, active);
      return false;
    case Op::Free:
      livelock_.forget();
      release(state_, memory_, warp, d, active);
      return false;
    default:  // activemask
      for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, is_wide(d), l, active); });
      return false;
  }
}

template <class Observer>
void Machine::Impl::execute(Warp& warp, int group, LaneMask active, const Observer& observer) {
  const std::int32_t pc = warp.divergence.groups()[static_cast<std::size_t>(group)].pc;
  const DecodedInsn& d = state_.insn(pc);
  switch (d.lift) {
    case Lift::Branch: execute_branch(warp, group, d, active, observer); return;
    case Lift::Call:
    case Lift::Return:
    case Lift::Dispatch: execute_jump(warp, group, d, active, observer); return;
    case Lift::Barrier:
      if (d.op != Op::BarWarp && active != 0) {
        if (d.op == Op::BarArrive) livelock_.forget();  // what has arrived is no part of the state that it compares
        barriers_.arrive(warp, group, d, active);
        queue_released(warp);
        return;
      }
      break;
    case Lift::Special:
      if (execute_special(warp, group, d, active, observer)) return;
      break;
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::LoadParam:
      if (d.reads_clock) fill_clock(warp, d, state_.code.width);
      if (active != 0) d.masked(warp.registers, d, active);
      break;
    case Lift::Vote: execute_vote(state_, warp, d, active); break;
    case Lift::Match:
      if (clock_) outcome_.values = count_different_values(warp, d, active);
      execute_match(state_, warp, d, active);
      break;
    case Lift::Redux: execute_redux(state_, warp, d, active); break;
    case Lift::BarrierReduce: execute_reduction(warp, group, d, active); break;
    case Lift::Nothing:
      if (d.op == Op::Nanosleep && active != 0) sleep(warp, group);
      if (d.op == Op::Brkpt && active != 0 && state_.result.breakpoint < 0) state_.result.breakpoint = pc;
      break;
    case Lift::Pack: pack(warp, d, active); break;
    case Lift::Unpack: unpack(warp, d, active); break;
    case Lift::Shuffle:
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan: exchange_lanes(warp, d, active, observer); break;
    case Lift::Load:
    case Lift::Store:
    case Lift::Atomic:
    case Lift::Mbarrier:
    case Lift::Copy:
      memory_.execute(warp, d, active, observer);
      if (!state_.result.ok) return;
      break;
  }
  if constexpr (Observer::kActive) report_writes(warp, d, active, observer);
  // From the last group down: joining appends behind, so what is still to move keeps its place.
  for (auto k = gathering_.groups.rbegin(); k != gathering_.groups.rend(); ++k)
    warp.divergence.move(*k, pc + 1, gathering_.joined);
  if constexpr (Observer::kActive) report_joined(observer);
}

template <class Observer>
void Machine::Impl::execute_branch(Warp& warp, int group, const DecodedInsn& d, LaneMask active,
                                   const Observer& observer) {
  const LaneMask lanes = warp.divergence.groups()[static_cast<std::size_t>(group)].lanes;
  if constexpr (Observer::kActive) {
    observer.report(&EventSink::on_mask,
                    MaskEvent{MaskEvent::Kind::Branch, active, lanes & ~active, d.target, d.reconvergence});
  }
  if (active != 0) outcome_.way = active == lanes ? TimedOutcome::Way::Taken : TimedOutcome::Way::Diverged;
  if (active == lanes) warp.divergence.move(group, d.target, gathering_.joined);
  else if (active == 0) warp.divergence.move(group, d.pc + 1, gathering_.joined);
  else warp.divergence.diverge(group, active, d.target, d.reconvergence, gathering_.joined);
  if constexpr (Observer::kActive) report_joined(observer);
}

// A call, a return, or a branch by a table. Its masks are those of a branch to the first lane's place.
template <class Observer>
void Machine::Impl::execute_jump(Warp& warp, int group, const DecodedInsn& d, LaneMask active,
                                 const Observer& observer) {
  const LaneMask lanes = warp.divergence.groups()[static_cast<std::size_t>(group)].lanes;
  const std::vector<Calls::Path> paths = active == 0 ? std::vector<Calls::Path>{} : calls_.paths(warp, d, active);
  if (!state_.result.ok) return;
  const LaneMask first = paths.empty() ? 0 : paths.front().lanes;
  if constexpr (Observer::kActive) {
    observer.report(&EventSink::on_mask, MaskEvent{MaskEvent::Kind::Branch, first, lanes & ~first,
                                                   paths.empty() ? d.pc + 1 : paths.front().pc, kExit});
  }
  if (active != 0) outcome_.way = first == lanes ? TimedOutcome::Way::Taken : TimedOutcome::Way::Diverged;
  calls_.diverge(warp, group, d.pc, active, paths);
  if constexpr (Observer::kActive) report_joined(observer);
}

template <class Observer>
void Machine::Impl::exchange_lanes(Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer) {
  Exchange exchange;
  execute_exchange(state_, warp, d, active, exchange);
  if constexpr (Observer::kActive) {
    observer.report(&EventSink::on_exchange,
                    ExchangeEvent{active, exchange.from, exchange.in_range, exchange.undefined});
  }
}

template <class Observer>
void Machine::Impl::execute_exit(Warp& warp, int group, LaneMask active, const Observer& observer) {
  const std::int32_t pc = warp.divergence.groups()[static_cast<std::size_t>(group)].pc;
  const LaneMask staying = warp.divergence.groups()[static_cast<std::size_t>(group)].lanes & ~active;
  if constexpr (Observer::kActive) {
    observer.report(&EventSink::on_mask, MaskEvent{MaskEvent::Kind::Exit, active, staying, kExit, kExit});
  }
  if (active == 0) {
    warp.divergence.move(group, pc + 1, gathering_.joined);
  } else {
    warp.alive &= ~active;
    // Those that stay move on first; the exiting ones are then a group of their own.
    if (staying != 0) warp.divergence.split_off(group, staying, pc + 1, gathering_.joined);
    warp.divergence.exit(group, active, gathering_.joined);
    Convergence::retry_waiting(warp);
    barriers_.open_complete(warp);
    queue_released(warp);
  }
  if constexpr (Observer::kActive) {
    report_joined(observer);
    report_barriers(warp, observer);
  }
}

// ---- events

template <class Observer>
void Machine::Impl::report_writes(const Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer) {
  if (active == 0 || d.lift == Lift::Store || d.lift == Lift::Barrier) return;
  const Insn& insn = state_.program.code[static_cast<std::size_t>(d.pc)];
  for_each_written(insn, [&](std::int32_t number) {
    const std::size_t reg = static_cast<std::size_t>(number);
    observer.report(&EventSink::on_write,
                    WriteEvent{number, active, warp.registers + state_.code.register_offset[reg],
                               state_.program.registers[reg].cls, state_.code.register_wide[reg]});
  });
}

template <class Observer>
void Machine::Impl::report_joined(const Observer& observer) {
  for (const Joined& j : gathering_.joined) {
    observer.report(&EventSink::on_mask, MaskEvent{MaskEvent::Kind::Reconverge, j.lanes, 0, j.pc, j.pc});
  }
}

template <class Observer>
void Machine::Impl::report_barriers(const Warp& warp, const Observer& observer) {
  for (const Gathering::Barrier& one : gathering_.barriers)
    observer.report(&EventSink::on_sync, SyncEvent{one.kind, warp.block, warp.alive, one.reduces, one.arrivals});
  gathering_.barriers.clear();
}

template bool Machine::Impl::issue(Warp&, const NullObserver&);
template bool Machine::Impl::issue(Warp&, const SinkObserver&);
template void Machine::Impl::report_writes(const Warp&, const DecodedInsn&, LaneMask, const SinkObserver&);
template void Machine::Impl::report_joined(const SinkObserver&);
template void Machine::Impl::report_barriers(const Warp&, const SinkObserver&);

}  // namespace warpsim
