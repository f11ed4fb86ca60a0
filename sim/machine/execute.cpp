// One issue slot: which lanes of a warp execute, what the instruction does to them, and the events that tell of it.
#include <algorithm>

#include "isa/program/reads_writes.h"
#include "isa/table/op.h"
#include "sim/machine/machine_impl.h"

namespace warpsim {
namespace {

// Instructions that lanes execute only together with those that their member mask names.
bool needs_meeting(const DecodedInsn& d) {
  switch (d.lift) {
    case Lift::Shuffle:
    case Lift::Vote:
    case Lift::Match:
    case Lift::Redux:
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan: return true;
    case Lift::Barrier: return d.op == Op::BarWarp;
    default: return false;
  }
}

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

}  // namespace

template <class Observer>
bool Machine::Impl::issue(Warp& warp, const Observer& observer) {
  const std::uint64_t now = warp.cycle;
  for (;;) {
    const int group = choose_group(warp);
    if (group < 0) return false;
    const Group g = warp.divergence.groups()[static_cast<std::size_t>(group)];
    if (g.pc < 0 || g.pc >= static_cast<std::int32_t>(code_.insns.size())) {
      trap(TrapKind::FellOffTheEnd, warp, g.pc, g.lanes, "control passed the last instruction",
           "end every path with exit");
      return true;
    }
    const DecodedInsn& d = code_.insns[static_cast<std::size_t>(g.pc)];
    const LaneMask active =
        d.guard == kNoOffset ? g.lanes
                             : g.lanes & (word(static_cast<const std::byte*>(warp.registers), d.guard) ^ d.guard_flip);
    LaneMask together = active;
    meeting_.assign(1, group);
    joined_.clear();
    if (active != 0 && needs_meeting(d) && part_by_masks(warp, group, active)) {
      if (clock_) return false;
      continue;
    }
    if (active != 0 && needs_meeting(d) && !meet(warp, group, active, together)) {
      if (!result_.ok) return true;
      if constexpr (Observer::kActive) {
        observer.tell(&EventSink::on_stall,
                      StallEvent{warp.cycle, warp.block, warp.index, g.pc, active, StallEvent::Reason::WarpSync});
        tell_joined(observer);
      }
      if (clock_) return false;
      continue;
    }
    if (active != 0 && d.lift == Lift::BarrierReduce && !g.released) {
      arrive_at_barrier(warp, group, d, active);
      if constexpr (Observer::kActive) {
        tell_met(warp, observer);
        observer.tell(&EventSink::on_stall,
                      StallEvent{now, warp.block, warp.index, g.pc, active, StallEvent::Reason::Barrier});
        tell_joined(observer);
      }
      if (clock_) return false;
      continue;
    }
    if constexpr (Observer::kActive) {
      tell_met(warp, observer);  // at bar.warp
      observer.tell(&EventSink::on_issue,
                    IssueEvent{warp.cycle, warp.block, warp.index, g.pc, together, g.lanes | together, warp.alive,
                               &program_.code[static_cast<std::size_t>(g.pc)],
                               clock_ ? clock_->stalls() : std::span<const Stall>{}});
    }
    warp.divergence.issued(meeting_);
    execute(warp, group, together, observer);
    if (!result_.ok) return true;
    if constexpr (Observer::kActive) tell_met(warp, observer);  // at bar.sync
    ++result_.instructions;
    result_.cycles = std::max(result_.cycles, now);
    warp.last_issue = now;
    // A barrier that opened may have set it already.
    warp.cycle = std::max(warp.cycle, now + 1 + (config_.schedule.fuzz ? pause_cycles() : 0));
    return true;
  }
}

// ---- the schedule

int Machine::Impl::choose_group(const Warp& warp) {
  if (!config_.schedule.fuzz) return warp.divergence.next_ready();
  const unsigned count = warp.divergence.count_ready();
  return warp.divergence.ready(count > 1 ? random_.below(count) : 0);
}

// Mostly none; sometimes a few, so that neighbours overtake each other; rarely so many that a warp is far behind.
std::uint64_t Machine::Impl::pause_cycles() {
  const unsigned what = random_.below(256);
  if (what < 224) return 0;
  return what < 254 ? 1 + random_.below(4) : 100 + random_.below(256);
}

template <class Observer>
void Machine::Impl::execute(Warp& warp, int group, LaneMask active, const Observer& observer) {
  const std::int32_t pc = warp.divergence.groups()[static_cast<std::size_t>(group)].pc;
  const DecodedInsn& d = code_.insns[static_cast<std::size_t>(pc)];
  switch (d.lift) {
    case Lift::Branch: execute_branch(warp, group, d, active, observer); return;
    case Lift::Barrier:
      if (d.op == Op::BarSync && active != 0) {
        arrive_at_barrier(warp, group, d, active);
        return;
      }
      break;
    case Lift::Special:
      if (d.op == Op::Exit) {
        execute_exit(warp, group, active, observer);
        return;
      }
      for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, is_wide(d), l, active); });
      break;
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits:
    case Lift::LoadParam:
      if (d.reads_clock) fill_clock(warp, d);
      if (active != 0) d.masked(warp.registers, d, active);
      break;
    case Lift::Vote: execute_vote(warp, d, active); break;
    case Lift::Match: execute_match(warp, d, active); break;
    case Lift::Redux: execute_redux(warp, d, active); break;
    case Lift::BarrierReduce: execute_reduction(warp, group, d, active); break;
    case Lift::Nothing: break;
    case Lift::Pack: pack(warp, d, active); break;
    case Lift::Unpack: unpack(warp, d, active); break;
    case Lift::Shuffle:
    case Lift::Broadcast:
    case Lift::Reduce:
    case Lift::Scan: {
      Exchange exchange;
      execute_exchange(warp, d, active, exchange);
      if constexpr (Observer::kActive) {
        observer.tell(&EventSink::on_exchange,
                      ExchangeEvent{active, exchange.from, exchange.in_range, exchange.undefined});
      }
      break;
    }
    case Lift::Load:
    case Lift::Store:
    case Lift::Atomic:
      execute_access(warp, d, active, observer);
      if (!result_.ok) return;
      break;
  }
  if constexpr (Observer::kActive) tell_writes(warp, d, active, observer);
  // From the last group down: joining appends behind, so what is still to move keeps its place.
  for (auto k = meeting_.rbegin(); k != meeting_.rend(); ++k) warp.divergence.move(*k, pc + 1, joined_);
  if constexpr (Observer::kActive) tell_joined(observer);
}

void Machine::Impl::fill_clock(Warp& warp, const DecodedInsn& d) const {
  for (unsigned lane = 0; lane < code_.width; ++lane) write_row(warp, d.a, is_wide(d), lane, warp.cycle);
}

template <class Observer>
void Machine::Impl::execute_branch(Warp& warp, int group, const DecodedInsn& d, LaneMask active,
                                   const Observer& observer) {
  const LaneMask lanes = warp.divergence.groups()[static_cast<std::size_t>(group)].lanes;
  if constexpr (Observer::kActive) {
    observer.tell(&EventSink::on_mask,
                  MaskEvent{MaskEvent::Kind::Branch, active, lanes & ~active, d.target, d.reconvergence});
  }
  if (active != 0) outcome_.way = active == lanes ? TimedOutcome::Way::Taken : TimedOutcome::Way::Parted;
  if (active == lanes) warp.divergence.move(group, d.target, joined_);
  else if (active == 0) warp.divergence.move(group, d.pc + 1, joined_);
  else warp.divergence.diverge(group, active, d.target, d.reconvergence, joined_);
  if constexpr (Observer::kActive) tell_joined(observer);
}

template <class Observer>
void Machine::Impl::execute_exit(Warp& warp, int group, LaneMask active, const Observer& observer) {
  const std::int32_t pc = warp.divergence.groups()[static_cast<std::size_t>(group)].pc;
  const LaneMask staying = warp.divergence.groups()[static_cast<std::size_t>(group)].lanes & ~active;
  if constexpr (Observer::kActive) {
    observer.tell(&EventSink::on_mask, MaskEvent{MaskEvent::Kind::Exit, active, staying, kExit, kExit});
  }
  if (active == 0) {
    warp.divergence.move(group, pc + 1, joined_);
  } else {
    warp.alive &= ~active;
    // Those that stay move on first; the exiting ones are then a group of their own.
    if (staying != 0) warp.divergence.split_off(group, staying, pc + 1, joined_);
    warp.divergence.exit(group, active, joined_);
    wake_waiting(warp);
    release_barriers(warp);
  }
  if constexpr (Observer::kActive) {
    tell_joined(observer);
    tell_met(warp, observer);
  }
}

// ---- events

template <class Observer>
void Machine::Impl::tell_writes(const Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer) {
  if (active == 0) return;
  const Insn& insn = program_.code[static_cast<std::size_t>(d.pc)];
  for_each_written(insn, [&](std::int32_t number) {
    const std::size_t reg = static_cast<std::size_t>(number);
    observer.tell(&EventSink::on_write, WriteEvent{number, active, warp.registers + code_.register_offset[reg],
                                                   program_.registers[reg].cls, code_.register_wide[reg]});
  });
}

template <class Observer>
void Machine::Impl::tell_joined(const Observer& observer) {
  for (const Joined& j : joined_) {
    observer.tell(&EventSink::on_mask, MaskEvent{MaskEvent::Kind::Reconverge, j.lanes, 0, j.pc, j.pc});
  }
}

template <class Observer>
void Machine::Impl::tell_met(const Warp& warp, const Observer& observer) {
  for (const Meeting& one : met_)
    observer.tell(&EventSink::on_sync, SyncEvent{one.kind, warp.block, warp.alive, one.reduces, one.arrivals});
  met_.clear();
}

template bool Machine::Impl::issue(Warp&, const NullObserver&);
template bool Machine::Impl::issue(Warp&, const SinkObserver&);

}  // namespace warpsim
