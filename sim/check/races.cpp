// The shadow of memory and the comparison of accesses; see races.h.
#include "sim/check/races.h"

#include <algorithm>

#include "sim/machine.h"

namespace warpsim {
namespace {

bool is_fence(Op op) {
  switch (op) {
    case Op::MembarCta:
    case Op::MembarGl:
    case Op::MembarSys:
    case Op::FenceAcqRelCta:
    case Op::FenceAcqRelGpu:
    case Op::FenceAcqRelSys:
    case Op::FenceScCta:
    case Op::FenceScGpu:
    case Op::FenceScSys: return true;
    default: return false;
  }
}

std::size_t number(MemoryEvent::Space space) { return space == MemoryEvent::Space::Shared ? 1 : 0; }

}  // namespace

void Races::on_start(const Machine& machine) {
  *this = Races();
  program_ = &machine.program();
  warps_per_block_ = machine.warps_per_block();
  ordering_.begin(warps_per_block_);
  // Lanes that touch two halves of a word do not meet.
  for (const Insn& insn : program_->code) {
    const OpInfo& row = info(insn.op);
    if (row.lift != Lift::Load && row.lift != Lift::Store && row.lift != Lift::Atomic) continue;
    const std::uint64_t size = static_cast<std::uint64_t>(bytes(insn.type));
    for (std::uint64_t& granule : granule_)
      if (size != 0) granule = std::min(granule, size);
  }
}

void Races::on_issue(const IssueEvent& event) {
  now_ = {};
  now_.cycle = event.cycle;
  now_.block = event.block;
  now_.warp = event.warp;
  now_.pc = event.pc;
  const std::uint32_t warp = event.block * warps_per_block_ + event.warp;
  if (event.active != 0 && is_fence(event.insn->op)) ordering_.fence(warp);
  now_.stamp = ordering_.now(warp);
}

Races::Words& Races::words_of(const MemoryEvent& event) {
  return event.space == MemoryEvent::Space::Shared ? shared_[now_.block] : global_;
}

// Calls f(word, lane, value) for each word that each lane touches.
template <class F>
void Races::for_each_word(const MemoryEvent& event, F f) {
  Words& words = words_of(event);
  const std::uint64_t granule = granule_[number(event.space)];
  for_each_lane(event.lanes, [&](unsigned lane) {
    const std::uint64_t end = event.address[lane] + std::uint64_t{event.bytes} * event.elements;
    for (std::uint64_t address = event.address[lane]; address < end; address += granule) {
      const std::uint64_t behind = address - event.address[lane];
      const std::uint64_t bits = event.value_of(lane, static_cast<unsigned>(behind / event.bytes));
      f(words[address / granule], lane, bits >> behind % event.bytes * 8);
    }
  });
}

void Races::on_memory(const MemoryEvent& event) {
  now_.lanes = event.lanes;
  now_.atomic = event.access == MemoryEvent::Access::Atomic;
  now_.writes = event.access != MemoryEvent::Access::Load;
  if (now_.atomic)
    for_each_lane(event.lanes, [&](unsigned lane) { ordering_.atomic(now_.stamp.warp, event.address[lane]); });
  for_each_word(event, [&](Word& word, unsigned lane, std::uint64_t) {
    compare(word.write, event, lane);
    if (!now_.writes) return;
    compare(word.read, event, lane);
    compare(word.other_read, event, lane);
  });
  for_each_word(event, [&](Word& word, unsigned lane, std::uint64_t value) { keep(word, event, lane, value); });
}

void Races::compare(const RaceAccess& before, const MemoryEvent& event, unsigned lane) {
  if (before.pc < 0 || (before.atomic && now_.atomic)) return;
  const LaneMask with = ordering_.unordered(before.stamp, before.lanes, now_.stamp.warp, lane);
  if (with == 0) return;
  report(before.stamp.warp == now_.stamp.warp ? Race::Kind::InWarp
         : before.block == now_.block         ? Race::Kind::InBlock
                                              : Race::Kind::InGrid,
         before, with, event, lane);
}

void Races::report(Race::Kind kind, const RaceAccess& before, LaneMask with, const MemoryEvent& event, unsigned lane) {
  if (!seen_.emplace(before.pc, now_.pc).second) return;
  Race race;
  race.kind = kind;
  race.earlier = before;
  race.earlier.lanes = with;
  race.later = now_;
  race.later.lanes = lane_bit(lane);
  race.space = event.space;
  race.object = event.object_of[lane];
  race.index = event.index[lane];
  found_.push_back(race);
}

void Races::keep(Word& word, const MemoryEvent& event, unsigned lane, std::uint64_t value) {
  const auto is_now = [&](const RaceAccess& one) {
    return one.pc == now_.pc && one.cycle == now_.cycle && one.stamp.warp == now_.stamp.warp;
  };
  const auto of_lane = [&] {
    RaceAccess one = now_;
    one.lanes = lane_bit(lane);
    return one;
  };
  if (now_.writes) {
    if (!is_now(word.write)) {
      word.write = of_lane();
      word.read = word.other_read = {};
      word.value = value;
      return;
    }
    if (!now_.atomic && word.value != value) report(Race::Kind::OneStore, word.write, word.write.lanes, event, lane);
    word.write.lanes |= lane_bit(lane);
    return;
  }
  const bool goes_on =
      word.read.pc >= 0 && word.read.stamp.warp == now_.stamp.warp && word.read.stamp.version == now_.stamp.version;
  if (goes_on) {
    word.read.lanes |= lane_bit(lane);
    return;
  }
  // The reader before is forgotten where this one comes after it: who writes after this one comes after both.
  if (word.read.pc >= 0 && ordering_.unordered(word.read.stamp, word.read.lanes, now_.stamp.warp, lane) != 0)
    word.other_read = word.read;
  word.read = of_lane();
}

}  // namespace warpsim
