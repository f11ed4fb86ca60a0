#include "sim/statistics/statistics.h"

#include <algorithm>
#include <set>

#include "sim/machine/machine.h"
#include "sim/memory/coalescing.h"
#include "sim/memory/memory.h"
#include "sim/timing/profile.h"

namespace warpsim {

int activity_of(unsigned active, unsigned existing) {
  if (active == 0) return 0;
  if (active == existing) return kActivityCount - 1;
  return static_cast<int>((active * 4 + existing - 1) / existing);  // 1 … 4: the number of quarters, rounded up
}

std::uint64_t Statistics::sms() const {
  std::set<std::int32_t> found;
  for (const auto& [number, one] : sub_cores)
    found.insert(number / static_cast<std::int32_t>(std::max(sub_cores_an_sm, 1U)));
  return found.size();
}

void StatisticsCounter::Cycles::add(std::uint64_t first, std::uint64_t last) {
  // Warps end in order of time, so mostly the last span grows.
  auto at = std::lower_bound(spans_.begin(), spans_.end(), first,
                             [](const auto& span, std::uint64_t cycle) { return span.second + 1 < cycle; });
  auto end = at;
  for (; end != spans_.end() && end->first <= last + 1; ++end) {
    first = std::min(first, end->first);
    last = std::max(last, end->second);
  }
  at = spans_.erase(at, end);
  spans_.insert(at, {first, last});
}

std::uint64_t StatisticsCounter::Cycles::size() const {
  std::uint64_t size = 0;
  for (const auto& [first, last] : spans_) size += last - first + 1;
  return size;
}

void StatisticsCounter::begin(Source source) {
  *this = StatisticsCounter();
  source_ = std::move(source);
  statistics_.timed = source_.timed;
  statistics_.sub_cores_an_sm = source_.sub_cores_an_sm;
}

void StatisticsCounter::on_start(const Machine& machine) {
  const TimingProfile* profile = machine.config().timing.get();
  begin({profile != nullptr, profile == nullptr ? 0 : profile->sm.sub_cores,
         [&machine](std::uint32_t warp) { return machine.existing_lanes(warp); },
         [&machine](std::uint32_t block, std::uint32_t warp) { return machine.sub_core(block, warp); },
         machine.config().lanes});
  counter_.on_start(machine);
}

void StatisticsCounter::on_issue(const IssueEvent& event) {
  counter_.on_issue(event);
  key_ = std::uint64_t{event.block} << 32 | event.warp;
  cycle_ = event.cycle;
  pc_ = event.pc;
  alive_ = event.alive;
  const bool goes_on = event.insn->op == Op::Bra || event.insn->op == Op::Exit;
  const unsigned active = count_lanes(goes_on ? event.group : event.active);
  const unsigned existing = count_lanes(source_.existing_lanes(event.warp));
  statistics_.active_lanes += active;
  statistics_.existing_lanes += existing;
  ++statistics_.activity[static_cast<std::size_t>(activity_of(active, existing))];
  const std::size_t pc = static_cast<std::size_t>(event.pc);
  if (statistics_.instructions_at.size() <= pc) statistics_.instructions_at.resize(pc + 1);
  ++statistics_.instructions_at[pc];
  if (statistics_.timed) time(event);
}

void StatisticsCounter::time(const IssueEvent& event) {
  std::uint64_t waited = 0;
  for (const Stall& stall : event.stalls) {
    waited += stall.cycles;
    statistics_.stalls[static_cast<std::size_t>(stall.reason)] += stall.cycles;
    auto& [cycles, times] = places_[{stall.reason, event.pc, stall.reg, stall.pc, stall.pipe}];
    cycles += stall.cycles;
    ++times;
  }
  statistics_.stall_cycles += waited;
  const auto [at, is_born] = warps_.emplace(key_, Warp{});
  if (is_born) at->second = {source_.sub_core(event.block, event.warp), event.cycle - waited, 0};
  statistics_.issue_cycles += at->second.last_issue != event.cycle ? 1 : 0;
  at->second.last_issue = event.cycle;
  const std::int32_t number = at->second.sub_core;
  SubCoreStatistics& counted = statistics_.sub_cores[number];
  SubCore& sub_core = sub_cores_[number];
  counted.warps += is_born ? 1 : 0;
  ++counted.instructions;
  counted.issued += sub_core.last_issue != event.cycle ? 1 : 0;
  sub_core.last_issue = event.cycle;
}

void StatisticsCounter::on_memory(const MemoryEvent& event) {
  counter_.on_memory(event);
  if (event.lanes == 0) return;
  if (event.source != nullptr && event.source->lanes != 0) {
    MemoryEvent read = event;
    read.space = MemoryEvent::Space::Global;
    read.access = MemoryEvent::Access::Load;
    read.lanes = event.source->lanes;
    read.address = event.source->address;
    count_sectors(statistics_.global, read);
  }
  if (event.space == MemoryEvent::Space::Shared) {
    SharedStatistics& shared = statistics_.shared;
    ++shared.accesses;
    const unsigned ways = bank_ways(event);
    shared.ways += ways;
    shared.conflicts += ways > turns_without_conflict(event.lanes) ? 1 : 0;
    if (ways <= shared.worst_ways) return;
    shared.worst_ways = ways;
    shared.worst_pc = pc_;
    return;
  }
  // Constants and parameters come from a cache of their own, which is not modelled.
  if (event.space == MemoryEvent::Space::Global) count_sectors(statistics_.global, event);
  if (event.space == MemoryEvent::Space::Local) count_sectors(statistics_.local, event);
}

void StatisticsCounter::count_sectors(SectorStatistics& counted, const MemoryEvent& event) {
  const auto touched = [&](std::uint64_t bytes) {
    return event.space == MemoryEvent::Space::Local ? local_pieces_touched(event, bytes, source_.lanes)
                                                    : pieces_touched(event, bytes);
  };
  const PiecesTouched sectors = touched(kSectorBytes), lines = touched(kLineBytes);
  ++counted.requests;
  counted.sectors += sectors.touched;
  counted.least_sectors += sectors.least;
  counted.lines += lines.touched;
  counted.least_lines += lines.least;
  if (counted.worst_pc >= 0 && sectors.touched - sectors.least <= counted.worst_sectors - counted.worst_least) return;
  counted.worst_sectors = sectors.touched;
  counted.worst_least = sectors.least;
  counted.worst_pc = pc_;
}

void StatisticsCounter::on_mask(const MaskEvent& event) {
  counter_.on_mask(event);
  if (!statistics_.timed || event.kind != MaskEvent::Kind::Exit) return;
  alive_ &= ~event.taken;
  if (alive_ == 0) end_warp(key_, cycle_);
}

void StatisticsCounter::end_warp(std::uint64_t key, std::uint64_t cycle) {
  const auto at = warps_.find(key);
  if (at == warps_.end()) return;
  sub_cores_[at->second.sub_core].lived.add(at->second.born, std::max(cycle, at->second.born));
  warps_.erase(at);
}

void StatisticsCounter::on_finish(const Machine&, const RunResult& result) { finish(result.cycles); }

void StatisticsCounter::finish(std::uint64_t cycles) {
  statistics_.cycles = cycles;
  statistics_.counts = counter_.counts();
  while (!warps_.empty()) end_warp(warps_.begin()->first, cycles);  // the warps of a run that was stopped
  for (auto& [number, one] : statistics_.sub_cores) {
    const std::uint64_t lived = sub_cores_[number].lived.size();
    one.none_eligible = lived - std::min(lived, one.issued);
    one.empty = cycles - std::min(cycles, lived);
  }
  for (const auto& [key, cost] : places_) {
    const auto& [reason, pc, reg, writer, pipe] = key;
    statistics_.places.push_back({reason, pc, reg, writer, pipe, cost.first, cost.second});
  }
  std::stable_sort(statistics_.places.begin(), statistics_.places.end(),
                   [](const StallPlace& x, const StallPlace& y) { return x.cycles > y.cycles; });
  source_ = {};
}

}  // namespace warpsim
