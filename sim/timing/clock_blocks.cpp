// The clock's machine: the pipes of the profile, and how blocks start on the SMs and end.
#include <algorithm>
#include <cstddef>
#include <numeric>

#include "sim/timing/clock.h"

namespace warpsim {

DeviceLimits limits_of(const TimingProfile& profile) {
  return {profile.sm.sms, profile.sm.max_blocks, profile.sm.max_warps, profile.sm.max_shared_bytes, 0, 0};
}

Clock::Clock(const TimingProfile& profile, const std::vector<TimingClass>& classes, std::uint32_t slots,
             std::uint32_t warps_per_block, const CodeMemoryTiming* paths)
    : profile_(profile),
      paths_(paths),
      warps_per_block_(warps_per_block),
      warps_(std::size_t{slots} * warps_per_block),
      first_room_(static_cast<std::uint32_t>(profile.pipes.size() + 1)),
      l2_(profile.global.l2.bytes / profile.global.l2.line_bytes),
      halves_(paths == nullptr ? L2Halves(0, 0) : L2Halves(paths->page_bits, paths->near_pages)),
      wakes_(std::size_t{std::min(profile.sm.sms, slots)} * profile.sm.sub_cores),
      in_turn_(paths != nullptr && profile.scheduler == Scheduler::Lrr) {
  const std::size_t sms = std::min(profile.sm.sms, slots);
  make_units(classes);
  const std::size_t row = profile.pipes.size() + 1 + depths_.size();
  Sm sm{LineCache(profile.global.l1.bytes / profile.global.l1.line_bytes),
        {},
        {},
        {},
        {},
        0,
        std::vector<Reservations>(profile.pipes.size() + 1),
        LineCache(paths == nullptr ? 0 : paths->write_lines),
        0};
  if (paths_ != nullptr) sm.written.assign(std::max(1U, paths_->write_ahead), 0);
  sms_.assign(sms, sm);
  sub_cores_.resize(sms * profile.sm.sub_cores);
  choosing_.resize(sub_cores_.size() + 1);
  if (sub_cores_.size() <= kFew) few_.resize(sub_cores_.size());
  pipes_.resize((sms + sub_cores_.size()) * row);
  for (std::size_t k = 0; k < sub_cores_.size(); ++k) {
    SubCore& sub_core = sub_cores_[k];
    sub_core.sm = static_cast<std::uint32_t>(k / profile.sm.sub_cores);
    sub_core.sm_pipes = static_cast<std::uint32_t>(sub_core.sm * row);
    sub_core.own_pipes = static_cast<std::uint32_t>((sms + k) * row);
  }
}

void Clock::make_units(const std::vector<TimingClass>& classes) {
  const auto ref = [this](std::size_t number) {
    return PipeRef{profile_.pipes[number].of_sm, static_cast<std::uint16_t>(number + 1)};
  };
  for (const TimingClass& cls : classes) {
    Unit& unit = units_.emplace_back();
    unit.cls = &cls;
    unit.interval = in_256ths(cls.interval);
    unit.interval_of_three = in_256ths(cls.interval_of_three);
    unit.interval_per_way = in_256ths(cls.interval_per_way);
    unit.sm_interval = in_256ths(cls.sm_interval);
    unit.queue = cls.queue;
    unit.interval_of_one = std::max(unit.interval, unit.interval_per_way);
    unit.merges_lanes = cls.merges_lanes;
    unit.keeps_turn = cls.keeps_turn;
    unit.passes_barrier = cls.passes_barrier;
    for (const std::uint8_t number : cls.pipes) unit.pipes.push_back(ref(number));
    if (unit.pipes.empty()) unit.pipes.emplace_back();
    if (cls.sm_pipe >= 0) unit.sm = ref(static_cast<std::size_t>(cls.sm_pipe));
    unit.takes_sm = unit.sm.number != 0 && unit.queue == 0;
    for (const PipeRef pipe : unit.pipes) competes_ |= pipe.of_sm;
    if (unit.queue == 0) {
      if (!cls.is_queued) unit.other = unit.sm;
      competes_ |= unit.other.number != 0;
      continue;
    }
    const auto known = std::find(depths_.begin(), depths_.end(), unit.queue);
    unit.room.number = static_cast<std::uint16_t>(first_room_ + (known - depths_.begin()));
    if (known == depths_.end()) depths_.push_back(unit.queue);
  }
  units_.emplace_back().pipes.emplace_back();
}

void Clock::start_block(std::uint32_t slot, std::uint32_t block, std::uint64_t cycle) {
  const std::uint32_t sm_number = slot % static_cast<std::uint32_t>(sms_.size());
  Sm& sm = sms_[sm_number];
  for (std::uint32_t w = 0; w < warps_per_block_; ++w) {
    const std::uint32_t number = slot * warps_per_block_ + w;
    const std::uint32_t sub_core = sm_number * profile_.sm.sub_cores + (sm.next_sub_core + w) % profile_.sm.sub_cores;
    Warp& warp = warps_[number];
    warp = Warp{};
    warp.order = std::uint64_t{block} * warps_per_block_ + w;
    warp.sub_core = static_cast<std::int32_t>(sub_core);
    warp.place = static_cast<std::uint32_t>(sub_cores_[sub_core].warps.size());
    warp.begin = warp.issue_free = warp.path_free = cycle;
    sub_cores_[sub_core].warps.push_back(number);
    Waiting& waiting = sub_cores_[sub_core].waiting.emplace_back();
    waiting.warp = number;
    waiting.tie = warp.order << kFewBits | sub_core;
    if (in_turn_) add_turn(sub_cores_[sub_core], warp);
  }
  sm.next_sub_core = (sm.next_sub_core + warps_per_block_) % profile_.sm.sub_cores;
}

// Each has another one, in the same order.
void Clock::number_turns(SubCore& sub_core) {
  std::vector<std::uint64_t> turns = sub_core.turns;
  std::sort(turns.begin(), turns.end());
  sub_core.last_turn = kFirstTurn - 1;
  for (const std::uint64_t turn : turns) sub_core.turns[place_in(turn)] = turn_of(++sub_core.last_turn, place_in(turn));
}

// Of several that could issue from the same cycle on the youngest is first.
void Clock::add_turn(SubCore& sub_core, const Warp& warp) {
  number_turns(sub_core);
  std::uint64_t own = kFirstTurn;
  for (std::size_t place = 0; place < sub_core.turns.size(); ++place)
    if (warps_[sub_core.warps[place]].begin < warp.begin) ++own;
  for (std::uint64_t& turn : sub_core.turns)
    if (turn >> kPlaceBits >= own) turn += std::uint64_t{1} << kPlaceBits;
  sub_core.turns.push_back(turn_of(own, warp.place));
  ++sub_core.last_turn;
  sub_core.keys.push_back(key_of(kNever));
  sub_core.firsts.push_back(0);
}

void Clock::leave(SubCore& sub_core, std::uint32_t place) {
  const auto erase = [place](auto& of_places) { of_places.erase(of_places.begin() + place); };
  erase(sub_core.warps);
  erase(sub_core.waiting);
  if (in_turn_) {
    erase(sub_core.keys);
    erase(sub_core.turns);
    erase(sub_core.firsts);
    for (std::uint64_t& turn : sub_core.turns) turn += place_in(turn) > place ? 1 : 0;
  }
  for (std::uint32_t k = place; k < sub_core.warps.size(); ++k) warps_[sub_core.warps[k]].place = k;
  if (sub_core.last > std::int64_t{place}) --sub_core.last;
}

// Another warp may come to have the number: nothing refers to this one any more.
void Clock::end(std::uint32_t number) {
  const Warp& warp = warps_[number];
  SubCore& sub_core = sub_core_of(warp);
  leave(sub_core, warp.place);
  if (sub_core.last_warp == std::int64_t{number}) sub_core.last_warp = -1;
  if (again_ && turn_.warp == number) {
    again_ = false;
    sub_core.free = std::max(sub_core.free, turn_.cycle + 1);  // so that picks stay in order
  }
  wake(static_cast<std::uint32_t>(warp.sub_core));
}

}  // namespace warpsim
