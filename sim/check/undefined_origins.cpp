// Where what is undefined comes from: see undefined.h, Origin.
#include "sim/check/undefined.h"

#include <algorithm>
#include <iterator>

#include "sim/machine/machine.h"

namespace warpsim {

// Why a lane's source did not take part.
Origin::Birth UndefinedLanes::birth_of_source(const ExchangeEvent& event, unsigned lane) const {
  const unsigned from = event.from[lane];
  if (!has_lane(current_->existing, from)) return Origin::Birth::SourceAbsent;
  if (!has_lane(issue_.alive, from)) return Origin::Birth::SourceExited;
  return has_lane(event.lanes, from) ? Origin::Birth::SourceOutsideMask : Origin::Birth::SourceInactive;
}

// A chain is told whole up to so many steps of a run; what is undefined beyond them keeps the origin before.
constexpr std::size_t kMostOrigins = std::size_t{1} << 20;

std::int32_t UndefinedLanes::add(Origin origin) {
  if (origins_.size() >= kMostOrigins && origin.before >= 0) return origin.before;
  origin.root = origin.before >= 0 ? origins_[static_cast<std::size_t>(origin.before)].root : origin.birth;
  origins_.push_back(origin);
  return static_cast<std::int32_t>(origins_.size()) - 1;
}

// Of what is defined by now, and of registers that no lane reads any more where it stands. The warp that issues next
// may stand behind what it reads.
void UndefinedLanes::leave_dead_origins(const IssueEvent& next) {
  if (!liveness_) liveness_ = std::make_unique<Liveness>(*program_);
  for (auto& [block, shadow] : blocks_)
    for (std::uint32_t index = 0; index < shadow.warps.size(); ++index) {
      WarpShadow& warp = shadow.warps[index];
      if (warp.origin.empty()) continue;
      std::vector<LanePlace> places;
      if (block != next.block || index != next.warp) places = machine_->places(block, index);
      for (auto one = warp.origin.begin(); one != warp.origin.end();) {
        auto& [reg, numbers] = *one;
        LaneMask live = warp.undefined[static_cast<std::size_t>(reg)];
        for (const LanePlace& place : places)
          if (place.pc < 0 || !liveness_->is_live(place.pc, reg)) live &= ~place.lanes;
        for (unsigned lane = 0; lane < lanes_; ++lane)
          if (!has_lane(live, lane)) numbers[lane] = -1;
        one = live == 0 ? warp.origin.erase(one) : std::next(one);
      }
    }
  std::erase_if(global_origins_, [this](const auto& one) { return !undefined_global(one.first, 1); });
}

// Calls f(number) for each number of an origin that is kept.
template <class F>
void UndefinedLanes::for_each_place_of_origin(F f) {
  for (auto& [block, shadow] : blocks_) {
    for (WarpShadow& warp : shadow.warps) {
      for (auto& [reg, numbers] : warp.origin)
        for (std::int32_t& number : numbers)
          if (number >= 0) f(number);
      for (auto& [place, number] : warp.local_origins) f(number);
    }
    for (auto& [place, number] : shadow.shared_origins) f(number);
  }
  for (auto& [place, number] : global_origins_) f(number);
}

// Between two instructions. An origin carries on from one with a lower number.
void UndefinedLanes::sweep_origins(const IssueEvent& next) {
  leave_dead_origins(next);
  std::vector<std::int32_t> place(origins_.size(), -1);  // by number: the next one; -1: left out
  for_each_place_of_origin([&](std::int32_t number) { place[static_cast<std::size_t>(number)] = 0; });
  for (std::size_t k = origins_.size(); k-- > 0;)
    if (const std::int32_t before = origins_[k].before; place[k] == 0 && before >= 0)
      place[static_cast<std::size_t>(before)] = 0;
  std::size_t count = 0;
  for (std::size_t k = 0; k < origins_.size(); ++k) {
    if (place[k] < 0) continue;
    Origin one = origins_[k];
    if (one.before >= 0) one.before = place[static_cast<std::size_t>(one.before)];
    place[k] = static_cast<std::int32_t>(count);
    origins_[count++] = one;
  }
  origins_.resize(count);
  for_each_place_of_origin([&](std::int32_t& number) { number = place[static_cast<std::size_t>(number)]; });
  most_origins_ = std::clamp(2 * count, kFewOrigins, std::max(kMostOrigins, count + kFewOrigins));
}

Origin UndefinedLanes::here(unsigned lane) const {
  Origin origin;
  origin.cycle = issue_.cycle;
  origin.block = issue_.block;
  origin.warp = issue_.warp;
  origin.pc = issue_.pc;
  origin.lane = static_cast<std::uint8_t>(lane);
  return origin;
}

std::vector<std::int32_t>& UndefinedLanes::origins_of(WarpShadow& warp, std::int32_t reg) const {
  std::vector<std::int32_t>& of_register = warp.origin[reg];
  if (of_register.empty()) of_register.assign(lanes_, -1);
  return of_register;
}

std::int32_t UndefinedLanes::origin_in(WarpShadow& warp, std::int32_t reg, unsigned lane) {
  std::int32_t& known = origins_of(warp, reg)[lane];
  if (known < 0) {
    Origin origin = here(lane);
    origin.birth = Origin::Birth::NeverWritten;
    origin.reg = reg;
    known = add(origin);
  }
  return known;
}

std::int32_t UndefinedLanes::origin(std::uint32_t block, std::uint32_t warp, std::int32_t reg, unsigned lane) {
  return origin_in(shadow(block, warp), reg, lane);
}

// Of the operands of the instruction that is being told, one that is undefined on the lane and matters; of one that
// takes lanes together, on the first lane that is. Asked before the instruction's first write.
std::int32_t UndefinedLanes::carried_origin(unsigned lane) {
  const Reads& reads = reads_[pc_];
  const auto undefined_here = [&](std::int32_t reg) { return reg >= 0 && has_lane(at(reg), lane); };
  for (const std::int32_t reg : reads.whole)
    if (undefined_here(reg)) return origin_in(*current_, reg, lane);
  if (const std::int32_t reg = source_that_matters(lane); reg >= 0) return origin_in(*current_, reg, lane);
  for (const std::int32_t reg : reads.elements)
    if (undefined_here(reg)) return origin_in(*current_, reg, lane);
  if (const LaneMask heard = carried_ & issue_.active; heard != 0)
    return origin_in(*current_, reads.carried, has_lane(heard, lane) ? lane : first_lane(heard));
  return -1;
}

// Of what is computed lane by lane, the first operand that makes something of the result undefined by itself.
std::int32_t UndefinedLanes::source_that_matters(unsigned lane) {
  std::int32_t first = -1, count = 0;
  for (const std::int32_t reg : reads_[pc_].sources) {
    if (reg < 0 || !has_lane(at(reg), lane)) continue;
    if (first < 0) first = reg;
    ++count;
  }
  if (count < 2 || !has_lane(evaluated_, lane)) return first;
  std::array<std::uint64_t, BitFlow::kMostSources> undefined{};
  for (std::size_t k = 0; k < flow_.count; ++k) undefined[k] = flow_.sources[k].undefined[lane];
  std::int32_t found = -1;
  for (std::size_t k = 0; k < flow_.count && found < 0; ++k) {
    if (undefined[k] == 0) continue;
    for (std::size_t other = 0; other < flow_.count; ++other)
      flow_.sources[other].undefined[lane] = other == k ? undefined[k] : 0;
    const BitFlow::Results& results = flow_.run(lane_bit(lane));
    if (results.first[lane] != 0 || (flow_.has_second() && results.second[lane] != 0)) found = reads_[pc_].sources[k];
  }
  for (std::size_t k = 0; k < flow_.count; ++k) flow_.sources[k].undefined[lane] = undefined[k];
  return found < 0 ? first : found;
}

std::unordered_map<std::uint64_t, std::int32_t>& UndefinedLanes::memory_origins(MemoryEvent::Space space) {
  return space == MemoryEvent::Space::Shared  ? block_now_->shared_origins
         : space == MemoryEvent::Space::Local ? current_->local_origins
                                              : global_origins_;
}

// Of what the lane loads, stores or finds, where that is undefined; `element_reg` is the register that is stored.
std::int32_t UndefinedLanes::origin_at(const MemoryEvent& event, unsigned lane, unsigned element,
                                       std::int32_t element_reg) {
  if (has_lane(whole_, lane)) return carried_origin(lane);
  if (element_reg >= 0 && has_lane(at(element_reg), lane)) return origin_in(*current_, element_reg, lane);
  if (event.source != nullptr) {
    MemoryEvent from = event;
    from.space = MemoryEvent::Space::Global;
    from.address = event.source->address;
    from.names = event.source->names;
    from.source = nullptr;
    return origin_at(from, lane, element, element_reg);
  }
  const std::uint64_t address = event.address[lane] + std::uint64_t{element} * event.bytes;
  const std::uint64_t undefined = memory_bits(event, lane, address);
  const auto& known = memory_origins(event.space);
  std::uint8_t unwritten = 0, all = 0;  // one bit a byte
  for (std::uint32_t k = 0; k < event.bytes; ++k) {
    all = static_cast<std::uint8_t>(all | 1U << k);
    if ((undefined >> 8 * k & 0xff) == 0) continue;
    unwritten = static_cast<std::uint8_t>(unwritten | 1U << k);
    if (const auto found = known.find(origin_key(event.space, lane, address + k)); found != known.end())
      return found->second;
  }
  Origin origin = here(lane);
  origin.unwritten_bytes = unwritten == all ? std::uint8_t{0} : unwritten;
  const bool shared = event.space == MemoryEvent::Space::Shared;
  const bool local = event.space == MemoryEvent::Space::Local;
  origin.birth = shared  ? Origin::Birth::SharedUnwritten
                 : local ? Origin::Birth::LocalUnwritten
                         : Origin::Birth::GlobalUnwritten;
  origin.space = event.space;
  origin.object = event.object_of(lane);
  origin.index = event.index_of(lane) + element;
  origin.address = address;
  return add(origin);
}

// In a loop that carries something undefined round by round, each round tells what the first one told. -1: no such
// loop, or one of more instructions than are looked back at.
std::int32_t UndefinedLanes::earlier_round(const Origin& next) const {
  constexpr int kLongestRound = 8;
  std::int32_t at = next.before;
  for (int k = 0; k < kLongestRound && at >= 0; ++k, at = origins_[static_cast<std::size_t>(at)].before) {
    const Origin& one = origins_[static_cast<std::size_t>(at)];
    const bool same = one.pc == next.pc && one.lane == next.lane && one.reg == next.reg && one.block == next.block &&
                      one.warp == next.warp;
    if (same) return at;
  }
  return -1;
}

// What this instruction leaves in a register, on these lanes.
void UndefinedLanes::set_origins(LaneMask lanes, std::int32_t reg, unsigned element) {
  std::vector<std::int32_t>& of_register = origins_of(*current_, reg);
  const bool accesses = lift_ == Lift::Load || lift_ == Lift::Atomic || lift_ == Lift::Mbarrier;
  for_each_lane(lanes, [&](unsigned lane) {
    std::int32_t& origin = of_register[lane];
    if (accesses || born_[lane] < 0) {
      Origin next = here(lane);
      next.reg = reg;
      next.before = accesses ? access_origin_[element][lane] : carried_origin(lane);
      is_born_ = true;
      const std::int32_t round = earlier_round(next);
      born_[lane] = round >= 0 ? round : add(next);
    }
    origin = born_[lane];
    if (origin >= 0 && origins_[static_cast<std::size_t>(origin)].pc == issue_.pc)
      origins_[static_cast<std::size_t>(origin)].reg = reg;
  });
}

}  // namespace warpsim
