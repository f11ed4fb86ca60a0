// See trace_statistics.h.
#include "traces/replay/trace_statistics.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "isa/sass/kin.h"
#include "isa/table/op.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kLocalOffset = (std::uint64_t{1} << 20) - 1;  // of an address in local memory

// One value a lane, as events have it.
template <class T, class V>
std::array<T, kMaxLanes> by_lane(LaneMask lanes, const std::vector<V>& values) {
  std::array<T, kMaxLanes> all{};
  std::size_t k = 0;
  for_each_lane(lanes, [&](unsigned lane) {
    if (k < values.size()) all[lane] = static_cast<T>(values[k++]);
  });
  return all;
}

}  // namespace

std::string TraceStatistics::reason_against(const TraceHead& head) {
  if (head.start) return "it is a part of a run, and statistics are of a whole one";
  if (head.backend != "simulator") return "it is of " + head.backend + ", and has no cycles";
  return "";
}

void TraceStatistics::head(const TraceHead& head) {
  head_ = head;
  code_.clear();
  for (const TraceInsn& one : head.code) {
    Insn& insn = code_.emplace_back();
    if (one.row != nullptr) insn.op = static_cast<Op>(one.row - &info(static_cast<Op>(0)));
    insn.type = one.type;
    if (!head.is_machine_code) continue;
    const sass::Kin kin = sass::kin_of(one.op);
    insn.op = kin.op;
    insn.type = kin.type;
  }
  const bool is_timed = !head.scheduler.empty();
  if (is_timed) {
    profile_.emplace();
    profile_->name = profile_->title = head.profile;
    for (const Scheduler one : {Scheduler::Gto, Scheduler::Lrr, Scheduler::Oldest})
      if (head.scheduler == name(one)) profile_->scheduler = one;
  }
  counter_.begin({is_timed, head.sub_cores, [this](std::uint32_t warp) { return head_.existing_lanes(warp); },
                  [this](std::uint32_t, std::uint32_t) { return sub_core_; }, head.lanes});
}

std::int32_t TraceStatistics::pipe_called(const std::string& name) {
  if (name.empty() || !profile_) return -1;
  for (std::size_t k = 0; k < profile_->pipes.size(); ++k)
    if (profile_->pipes[k].name == name) return static_cast<std::int32_t>(k);
  profile_->pipes.push_back({name, false});
  return static_cast<std::int32_t>(profile_->pipes.size() - 1);
}

void TraceStatistics::event(const TraceEvent& event) {
  if (event.pc < 0 || static_cast<std::size_t>(event.pc) >= code_.size()) return;
  sub_core_ = event.sub_core;
  LaneMask& exited = exited_[{event.block, event.warp}];
  std::vector<Stall> stalls;
  for (const TraceStall& one : event.stalls)
    if (one.reason.known) stalls.push_back({*one.reason.known, one.cycles, one.reg, one.pc, pipe_called(one.pipe)});
  const LaneMask alive = head_.existing_lanes(event.warp) & ~exited;
  counter_.on_issue({event.cycle.value_or(0), event.block, event.warp, event.pc, event.active, event.group, alive,
                     &code_[static_cast<std::size_t>(event.pc)], stalls});
  if (event.memory) memory(*event.memory, event.source ? &*event.source : nullptr);
  for (const TraceMask& one : event.masks) {
    counter_.on_mask({one.kind, one.taken, one.not_taken, one.target, one.reconvergence});
    if (one.kind == MaskEvent::Kind::Exit) exited |= one.taken;
  }
}

void TraceStatistics::memory(const TraceMemory& of, const TraceMemory* source) {
  auto address = by_lane<std::uint64_t>(of.lanes, of.address);
  if (of.space == TraceMemory::Space::Local)
    for (std::uint64_t& one : address) one &= kLocalOffset;
  MemoryEvent event{};
  event.space = of.space;
  event.access = of.access;
  event.bytes = of.bytes;
  event.elements = of.elements;
  event.lanes = of.lanes;
  event.address = address.data();
  if (source == nullptr) return counter_.on_memory(event);
  const auto from = by_lane<std::uint64_t>(source->lanes, source->address);
  auto read = by_lane<std::uint8_t>(source->lanes, source->read);
  if (source->read.empty())
    for (std::uint8_t& one : read) one = static_cast<std::uint8_t>(source->bytes * source->elements);
  CopySource copied{source->lanes, from.data(), nullptr, read.data()};
  event.source = &copied;
  counter_.on_memory(event);
}

}  // namespace warpsim
