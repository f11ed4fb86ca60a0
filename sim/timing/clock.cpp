#include "sim/timing/clock.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "sim/memory/bank_ways.h"
#include "sim/memory/memory.h"
#include "sim/timing/clock_few.h"

namespace warpsim {
void TimedOutcome::note_shared(LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes, bool in_turn) {
  note_banks(bank_ways(lanes, offsets, size_bytes), lanes, offsets, size_bytes, in_turn);
}

void TimedOutcome::note_banks(const BankWays& found, LaneMask lanes, const std::uint64_t* offsets, unsigned size_bytes,
                              bool in_turn) {
  // A 64-bit access of all lanes is two of the memory's own, a 128-bit one four.
  const unsigned words = std::max(size_bytes / kBankBytes, 1U);
  merged_ways = words * std::max(found.merged, 1U);
  if (words > 1 && are_alike_in_pairs(lanes, offsets)) {
    const unsigned parts = words / 2;
    merged_ways = (std::max(found.most, 1U) + parts - 1) / parts * parts;
  }
  ways = in_turn ? words * std::max(found.each, 1U) : merged_ways;
}

void TimedOutcome::note_atomic(std::span<std::uint64_t> addresses) {
  std::sort(addresses.begin(), addresses.end());
  for (auto from = addresses.begin(), to = from; from != addresses.end(); from = to) {
    to = std::upper_bound(from, addresses.end(), *from);
    ways = std::max(ways, static_cast<unsigned>(to - from));
  }
}

std::string_view name(Stall::Reason reason) {
  switch (reason) {
    case Stall::Reason::Issue: return "issue";
    case Stall::Reason::Branch: return "branch";
    case Stall::Reason::Dependency: return "dependency";
    case Stall::Reason::Memory: return "memory";
    case Stall::Reason::Barrier: return "barrier";
    case Stall::Reason::Unit: return "unit";
    case Stall::Reason::NotSelected: return "not_selected";
  }
  return "";
}

// ---- what a warp waits for

void Clock::rest(const Warp& warp, SubCore& sub_core) const {
  sub_core.waiting[warp.place].earliest = kNever;
  if (in_turn_) sub_core.keys[warp.place] = key_of(kNever);
}

void Clock::park() {
  const Warp& warp = warps_[turn_.warp];
  rest(warp, sub_core_of(warp));
  wake(static_cast<std::uint32_t>(warp.sub_core));
}

void Clock::leave_barrier(std::uint32_t number, std::int32_t barrier_pc, const Unit& unit) {
  Warp& warp = warps_[number];
  std::uint64_t served = turn_.cycle;
  if (unit.cls->is_queued) served = std::max(served, pipes_[place_of(sub_core_of(warp), unit.sm)].free());
  warp.barrier_open = served + std::max(profile_.barrier.release, 1U);
  warp.barrier_left = turn_.cycle + std::max(profile_.barrier.leave, 1U);
  warp.barrier_pc = barrier_pc;
  if (!in_turn_) return;
  // Who issued before it no longer counts, nor whose turn it was.
  SubCore& sub_core = sub_core_of(warp);
  sub_core.turns[warp.place] = turn_of(kLeftBarrier, warp.place);
  if (sub_core.last_warp == std::int64_t{number}) sub_core.last_warp = -1;
}

// Who would go on after a fixed number of cycles does so that much later.
void Clock::stand_still(SubCore& sub_core, const Warp& current, unsigned cycles) {
  for (std::uint32_t place = 0; place < sub_core.warps.size(); ++place) {
    Warp& warp = warps_[sub_core.warps[place]];
    if (&warp == &current || warp.path_free <= turn_.cycle) continue;
    warp.issue_free += cycles;
    warp.path_free += cycles;
    Waiting& waiting = sub_core.waiting[place];
    if (waiting.earliest == kNever) continue;
    waiting.earliest = std::max(waiting.earliest, warp.path_free);
    if (in_turn_) sub_core.keys[place] = std::max(sub_core.keys[place], key_of(waiting.earliest));
  }
}

// ---- which warp issues next

std::uint64_t Clock::ready(const SubCore& sub_core, const Waiting& one) const {
  return std::max({one.earliest, sub_core.free, unit_free(one)});
}

// Computes the next cycle in which the sub-core can issue, and the warp that then does. Those whom the scheduler
// prefers where several can are asked first; none can be earlier than the sub-core is free.
std::uint64_t Clock::choose(SubCore& sub_core) const {
  if (in_turn_) return choose_in_turn<false>(sub_core);
  std::uint64_t first = kNever;
  const std::uint64_t free = sub_core.free;
  const Waiting* const waiting = sub_core.waiting.data();
  const auto ask = [&](std::uint32_t place) {
    const Waiting& one = waiting[place];
    if (one.earliest >= first) return false;
    const std::uint64_t at = std::max({one.earliest, free, unit_free(one)});
    if (at >= first) return false;
    first = at;
    sub_core.pick = place;
    return at == free;
  };
  const std::uint32_t count = static_cast<std::uint32_t>(sub_core.waiting.size());
  const std::uint32_t last = static_cast<std::uint32_t>(std::max<std::int64_t>(sub_core.last, 0));
  const bool is_there = sub_core.last_warp >= 0;
  if (is_there && (profile_.scheduler == Scheduler::Gto || waiting[last].keeps) && ask(last)) return first;
  if (profile_.scheduler == Scheduler::Lrr) {  // the next in turn, from the youngest to the oldest
    for (std::uint32_t k = std::min(last, count); k-- > 0;)
      if (ask(k)) return first;
    for (std::uint32_t k = count; k-- > last;)
      if (ask(k)) return first;
  } else {
    for (std::uint32_t k = 0; k < count; ++k)
      if (ask(k)) return first;
  }
  return first;
}

// From when on the sub-core's pick can issue; where that is this cycle, it has the pipe of its SM now.
std::uint64_t Clock::hold(SubCore& sub_core, std::uint64_t cycle, std::uint64_t& unit_free_then) {
  unit_free_then = unit_free(sub_core.waiting[sub_core.pick]);
  while (unit_free_then > cycle) {  // another sub-core has taken the pipe
    const std::uint64_t then = choose(sub_core);
    if (then != cycle) return then;
    unit_free_then = unit_free(sub_core.waiting[sub_core.pick]);
  }
  const Unit& unit = *sub_core.waiting[sub_core.pick].unit;
  if (unit.takes_sm) {
    pipes_[place_of(sub_core, unit.sm)].take(cycle, unit.sm_interval);
    sub_core.served = cycle;
  }
  return cycle;
}

// The picks of the next cycle in which a warp can issue. Each sub-core picks for itself; a pipe of the SM, for which
// sub-cores compete, goes to the one that had one longest ago.
void Clock::gather() {
  for (std::size_t k = 0; k < choosing_count_; ++k) {
    sub_cores_[choosing_[k]].chooses = false;
    wakes_.set(choosing_[k], come_to(choosing_[k]));
  }
  choosing_count_ = 0;
  while (picks_.empty()) {
    due_.clear();
    picked_ = wakes_.take(due_);
    if (picked_ == kNever) return;
    put_in_order_of_service(due_);
    for (const std::uint32_t number : due_) pick(number, picked_);
  }
  if (picks_.size() > 1)
    std::sort(picks_.begin(), picks_.end(), [](const Pick& x, const Pick& y) { return x.order > y.order; });
}

void Clock::put_in_order_of_service(std::vector<std::uint32_t>& sub_cores) const {
  if (sub_cores.size() <= 1) return;
  std::sort(sub_cores.begin(), sub_cores.end(), [this](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t of_a = sub_cores_[a].served, of_b = sub_cores_[b].served;
    return of_a != of_b ? of_a < of_b : a < b;
  });
}

void Clock::pick(std::uint32_t number, std::uint64_t cycle) {
  SubCore& sub_core = sub_cores_[number];
  std::uint64_t unit_free_then = 0;
  const std::uint64_t then = hold(sub_core, cycle, unit_free_then);
  if (then != cycle) return wakes_.set(number, then);
  const std::uint32_t warp = sub_core.warps[sub_core.pick];
  picks_.push_back({warps_[warp].order, unit_free_then, warp});
}

std::optional<Clock::Turn> Clock::next() {
  if (!advance()) return std::nullopt;
  return Turn{turn_.warp, turn_.cycle};
}

bool Clock::advance() {
  if (again_) {
    again_ = false;
    const Warp& warp = warps_[turn_.warp];
    SubCore& sub_core = sub_core_of(warp);
    const bool is_there = warp.place < sub_core.warps.size() && sub_core.warps[warp.place] == turn_.warp;
    if (is_there && ready(sub_core, sub_core.waiting[warp.place]) <= turn_.cycle) {
      unit_free_ = turn_.cycle;
      return true;
    }
    sub_core.free = std::max(sub_core.free, turn_.cycle + 1);  // so that picks stay in order
    wake(static_cast<std::uint32_t>(warp.sub_core));
  }
  if (!few_.empty()) {
    const std::uint64_t best = first_of_few();
    const std::size_t first = best >> kTieBits == 0 ? best & (kFew - 1) : begin_cycle_of_few();
    if (first == kFew) return false;
    take_pick(first);
    return true;
  }
  if (picks_.empty()) gather();
  if (picks_.empty()) return false;
  const Pick next = picks_.back();
  picks_.pop_back();
  unit_free_ = next.unit_free;
  turn_ = {next.warp, picked_};
  return true;
}

void Clock::add_stall(Stall stall, std::uint64_t until) {
  until = std::min(until, turn_.cycle);
  if (until <= stall_from_) return;
  stall.cycles = until - stall_from_;
  stalls_.push_back(stall);
  stall_from_ = until;
}

std::span<const Stall> Clock::stalls() {
  const Warp& warp = warps_[turn_.warp];
  const SubCore& sub_core = sub_core_of(warp);
  const Waiting& one = sub_core.waiting[warp.place];
  stalls_.clear();
  stall_from_ = warp.begin;
  add_stall({Stall::Reason::Issue}, warp.issue_free);
  add_stall({Stall::Reason::Branch}, warp.path_free);
  add_stall({Stall::Reason::Barrier, 0, -1, warp.barrier_pc}, behind_barrier(warp, *one.unit));
  add_stall({warp.operand_from_memory ? Stall::Reason::Memory : Stall::Reason::Dependency, 0, warp.operand_reg,
             warp.operand_pc},
            warp.operands);
  const bool of_sm = pipes_[place_of(sub_core, one.pipe)].free() < unit_free_;
  const std::int32_t held = static_cast<std::int32_t>(of_sm ? one.unit->sm.number : one.pipe.number) - 1;
  add_stall({Stall::Reason::Unit, 0, -1, -1, held}, unit_free_);
  add_stall({Stall::Reason::NotSelected}, turn_.cycle);
  return stalls_;
}

// ---- how long an instruction takes

void Clock::find_lines(const TimedOutcome& outcome) {
  lines_.clear();
  sectors_.clear();
  const int line_bits = std::countr_zero(profile_.global.l1.line_bytes);
  const int sector_bits = std::countr_zero(profile_.global.sector_bytes);
  if (outcome.in_a_row) {
    const std::uint64_t first = outcome.address.front(), last = outcome.address.back();
    lines_.assign(first >> line_bits, last >> line_bits);
    if (paths_ != nullptr) sectors_.assign(first >> sector_bits, (last + outcome.bytes - 1) >> sector_bits);
    return;
  }
  // A line counts where a lane's first byte is.
  if (paths_ != nullptr && sectors_.find(outcome.address, outcome.bytes, sector_bits))
    lines_.hold(sectors_, line_bits - sector_bits);
  else lines_.find(outcome.address, 1, line_bits);
}

// What is between L2 and L1: the cycles that sectors wait there.
double Clock::pass_from_l2(SubCore& sub_core, std::uint64_t sectors) {
  if (sectors == 0) return 0;
  Pipe& pipe = sms_[sub_core.sm].reads;
  const std::uint64_t now = turn_.cycle * 256, start = std::max(now, pipe.free_256ths);
  pipe.free_at(start + static_cast<std::uint64_t>(paths_->read_sector * static_cast<double>(sectors) * 256));
  return static_cast<double>(pipe.free_256ths - now) / 256;
}

// How long a store or an atomic that comes to the SM's pipe at `start` keeps it, in 256ths. Stored sectors go on to L2
// one by one; one that has not gone yet takes along what is stored there next, if its line is one of the last.
std::uint64_t Clock::pass_to_l2(Sm& sm, const TimedOutcome& outcome, std::uint64_t start) {
  if (outcome.is_atomic)
    return in_256ths(std::max(paths_->atomic_sector * static_cast<double>(sectors_.size()),
                              paths_->atomic_lane * static_cast<double>(outcome.ways)));
  const std::uint64_t room = in_256ths(paths_->write_room);
  std::uint64_t& free = sm.writes.free_256ths;
  const std::uint64_t from = std::max(start + room, free) - room;
  free = std::max(free, from);
  const bool is_whole = is_of_whole_sectors(outcome);
  const std::uint64_t interval = in_256ths(is_whole ? paths_->write_sector : paths_->write_partial);
  const int line_bits =
      std::countr_zero(profile_.global.l1.line_bytes) - std::countr_zero(profile_.global.sector_bytes);
  const std::uint64_t mask = is_whole ? 0 : in_256ths(paths_->write_mask);
  std::uint64_t last_line = kNever, known = kNever;
  LineCache::Arrivals* line = nullptr;  // of the known one
  for (const std::uint64_t sector : sectors_) {
    const std::uint64_t of_line = sector >> line_bits;
    if (of_line != std::exchange(known, of_line)) line = sm.writing.find(of_line);
    const std::size_t at = sector - (of_line << line_bits);
    if (line != nullptr && (*line)[at] != LineCache::kAbsent && (*line)[at] > from) continue;
    free += interval + (of_line == last_line ? 0 : mask);
    last_line = of_line;
    line = sm.writing.fill(line, of_line, at, free);
  }
  return from - start + in_256ths(paths_->write + paths_->write_line * static_cast<double>(lines_.size()));
}

// The cycles that global memory takes beyond a hit of one line in L1, of an access that has waited so many cycles for
// its pipes. A load that L1 does not serve leaves the SM behind the stores that have not gone to L2 yet.
double Clock::memory_delay(SubCore& sub_core, const TimedOutcome& outcome, bool passes_l1, const TimingClass& cls,
                           double waited) {
  const GlobalTiming& global = profile_.global;
  LineCache& l1 = sms_[sub_core.sm].l1;
  const bool stores = outcome.stores, passes = stores || passes_l1;
  const unsigned l2_latency = paths_ == nullptr ? global.l2.latency : paths_->l2_latency;
  std::uint64_t missed = 0;
  const std::uint64_t now = turn_.cycle, written = sms_[sub_core.sm].writes.free_256ths;
  const std::uint64_t at_l1 = now * 256 + in_256ths(waited);
  const std::uint64_t leaves = now + (stores ? 0 : (std::max(written, at_l1) - at_l1 + 255) / 256);
  std::uint64_t there = now + global.l1.latency;
  // Without paths a line is one piece.
  const Pieces& pieces = paths_ == nullptr ? lines_ : sectors_;
  const int line_bits = std::countr_zero(global.l1.line_bytes), l2_line_bits = std::countr_zero(global.l2.line_bytes);
  const int piece_bits = paths_ == nullptr ? line_bits : std::countr_zero(global.sector_bytes);
  const int sector_bits = std::max(piece_bits, line_bits - LineCache::kSectorBits);
  std::uint64_t line = kNever, l2_line = kNever;
  LineCache::Arrivals *near = nullptr, *far = nullptr;  // of these
  for (const std::uint64_t piece : pieces) {
    const std::uint64_t address = piece << piece_bits;
    if (line != address >> line_bits) {
      line = address >> line_bits;
      near = passes ? nullptr : l1.find(line);
    }
    const std::size_t sector = (address & (global.l1.line_bytes - 1)) >> sector_bits;
    if (near != nullptr && (*near)[sector] != LineCache::kAbsent) {
      there = std::max(there, (*near)[sector]);  // it may still be arriving
      continue;
    }
    if (l2_line != address >> l2_line_bits) {
      l2_line = address >> l2_line_bits;
      far = l2_.find(l2_line);
    }
    std::uint64_t comes = leaves + (far != nullptr || l2_is_warm_ ? l2_latency : global.dram_latency);
    const bool is_placed = !stores && l2_is_warm_ && l2_map_ != nullptr && l2_map_->has(address);
    if (is_placed) comes = leaves + paths_->l2_nearest + l2_map_->distance(address, far == nullptr);
    if (far != nullptr) comes = std::max(comes, far->front());
    else if (!is_placed && paths_ != nullptr && l2_is_warm_ && !stores && halves_.is_far(address))
      comes += paths_->far_page;
    if (far == nullptr) far = l2_.fill(far, l2_line, 0, stores ? now : comes);  // a store does not wait for the line
    if (!passes) near = l1.fill(near, line, sector, comes);
    ++missed;
    there = std::max(there, comes);
  }
  const double lines = cls.per_line * (static_cast<double>(lines_.size()) - 1);
  const double path = paths_ == nullptr || stores ? 0 : pass_from_l2(sub_core, missed);
  return stores ? 0 : static_cast<double>(there - now - global.l1.latency) + lines + path;
}

// Sectors that a store has written as wholes are in L1, too, where its SM's next loads find them.
void Clock::keep_stored(SubCore& sub_core) {
  LineCache& l1 = sms_[sub_core.sm].l1;
  const int line_bits =
      std::countr_zero(profile_.global.l1.line_bytes) - std::countr_zero(profile_.global.sector_bytes);
  std::uint64_t line = kNever;
  LineCache::Arrivals* near = nullptr;
  for (const std::uint64_t sector : sectors_) {
    if (line != sector >> line_bits) {
      line = sector >> line_bits;
      near = l1.find(line);
    }
    near = l1.fill(near, line, sector - (line << line_bits), turn_.cycle);
  }
}

// A queue has room once the last of those that would fill it has left.
[[gnu::always_inline]] inline void Clock::note_room(SubCore& sub_core) {
  Pipe* room = &pipes_[sub_core.own_pipes + first_room_];
  for (const unsigned depth : depths_)
    (room++)->from = sub_core.started[(sub_core.queued - depth) % kMostQueue] << kKeyBits;
}

[[gnu::always_inline]] inline double Clock::wait_in_queue(SubCore& sub_core, const Waiting& one,
                                                          const TimedOutcome& outcome, std::uint64_t ways,
                                                          bool stores) {
  const Unit& unit = *one.unit;
  const std::uint64_t now = turn_.cycle * 256;
  std::uint64_t start = now;
  Sm& sm = sms_[sub_core.sm];
  const auto pass = [&start](Pipe& pipe, std::uint64_t interval) {
    start = std::max(start, pipe.free_256ths);
    pipe.free_at(start + interval);
  };
  if (stores) start = std::max(start, sm.written[sm.next_written]);  // until there is room before the SM's pipe
  pass(sm.queues, unit.sm_interval);
  sub_core.started[sub_core.queued++ % kMostQueue] = (start + 255) / 256;
  queued_ = (start - now + 255) / 256;
  note_room(sub_core);
  pass(pipes_[place_of(sub_core, one.pipe)], std::max(unit.interval, unit.interval_per_way * ways));
  if (unit.sm.number != 0) {
    Reservations& taken = sm.taken[unit.sm.number];
    if (stores) start = std::max(start, taken.end());
    const std::uint64_t interval = stores ? pass_to_l2(sm, outcome, start) : unit.sm_interval * ways;
    start = taken.take(now, start, interval);
    pipes_[place_of(sub_core, unit.sm)].free_at(taken.end());
    if (stores) {
      sm.written[sm.next_written] = start + interval;
      if (++sm.next_written == sm.written.size()) sm.next_written = 0;
    }
  }
  return static_cast<double>(start - now) / 256;
}

double Clock::occupy_for_longer(const TimedOutcome& outcome, CacheUse use, std::uint64_t least) {
  Warp& warp = warps_[turn_.warp];
  SubCore& sub_core = sub_core_of(warp);
  const Waiting& one = sub_core.waiting[warp.place];
  const Unit& unit = *one.unit;
  const TimingClass& cls = *unit.cls;
  if (use.caches) find_lines(outcome);
  const unsigned turns = unit.merges_lanes ? outcome.merged_ways : outcome.ways;
  const std::uint64_t ways = use.caches ? lines_.size() : turns;
  double delay = 0;
  queued_ = 0;
  if (unit.queue != 0) {
    delay = wait_in_queue(sub_core, one, outcome, ways, paths_ != nullptr && use.caches && outcome.stores);
  } else {
    if (one.pipe.number != 0)
      pipes_[place_of(sub_core, one.pipe)].take(turn_.cycle,
                                                std::max({unit.interval, unit.interval_per_way * ways, least}));
    Pipe& shared = pipes_[place_of(sub_core, unit.sm)];
    if (unit.sm.number != 0) shared.free_at(shared.free_256ths + unit.sm_interval * (ways - 1));
  }
  if (turns > 1) delay += cls.per_way * (turns - 1);
  if (outcome.values > 1) delay += cls.per_value * (outcome.values - 1);
  if (!use.caches) return delay;
  delay += memory_delay(sub_core, outcome, use.passes_l1, cls, delay);
  if (paths_ != nullptr && outcome.stores && !outcome.is_atomic && !use.passes_l1 && is_of_whole_sectors(outcome))
    keep_stored(sub_core);
  return delay;
}

}  // namespace warpsim
