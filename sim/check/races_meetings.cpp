// What barriers are to the race check; see races.h.
#include <algorithm>

#include "sim/check/races.h"
#include "sim/machine/machine.h"

namespace warpsim {

void Races::on_sync(const SyncEvent& event) {
  const bool all_meet = meets_as_a_whole(event);
  if (calm_.is_of(event.block) && !all_meet) {
    go_to(event.block);
    now_.warp = std::uint64_t{event.block} * warps_per_block_ + event.arrivals.front().warp;
    leave_calm_words();
  }
  if (calm_pages_ != nullptr) {
    if (all_meet && have_all_lanes(event)) on_meeting(event.block);
    return;
  }
  ordering_.synchronize(event);
  if (all_meet) {
    if (calm_.is_of(event.block)) calm_.end();
    if (SharedWords* const shared = known_shared_words(event.block); shared != nullptr) shared->begin_phase();
  }
  if (event.kind == SyncEvent::Kind::Block && program_ != nullptr) note_meeting(event);
}

// Of a launch that is taken to be calm.
void Races::on_meeting(std::uint32_t block) {
  calm_pages_->begin_phase(block);
  if (SharedWords* const shared = known_shared_words(block); shared != nullptr) shared->begin_phase();
}

// All warps of the block have waited for each other.
bool Races::meets_as_a_whole(const SyncEvent& event) const {
  if (event.kind != SyncEvent::Kind::Block || event.arrivals.size() != warps_per_block_) return false;
  for (std::size_t w = 0; w < event.arrivals.size(); ++w)
    if (event.arrivals[w].warp != w || event.arrivals[w].ticket != 0) return false;
  return true;
}

// … and no lane had left its warp before.
bool Races::have_all_lanes(const SyncEvent& event) const {
  return std::all_of(event.arrivals.begin(), event.arrivals.end(),
                     [this](const SyncEvent::Arrival& one) { return one.lanes == machine_->existing_lanes(one.warp); });
}

void Races::note_meeting(const SyncEvent& event) {
  const auto waits = [](const SyncEvent::Arrival& one) { return one.ticket == 0; };
  if (come_from_one_line(event)) return;
  for (const SyncEvent::Arrival& one : event.arrivals)
    for (const SyncEvent::Arrival& other : event.arrivals)
      if (waits(one) && waits(other) && one.pc != other.pc)
        mixed_[event.block * warps_per_block_ + one.warp].emplace(one.pc, other.pc);
}

// One has met a warp that came from another line, and the other warp has not come from that line: it still comes, or
// has met others, too.
std::optional<std::pair<std::int32_t, std::int32_t>> Races::met_others(std::uint32_t warp, std::uint32_t other) const {
  for (const auto& [one, partner] : {std::pair{warp, other}, std::pair{other, warp}}) {
    const auto met = mixed_.find(one), of_partner = mixed_.find(partner);
    if (met == mixed_.end()) continue;
    for (const auto& lines : met->second) {
      const bool from_there =
          of_partner != mixed_.end() && std::any_of(of_partner->second.begin(), of_partner->second.end(),
                                                    [&](const auto& own) { return own.first == lines.second; });
      if (!from_there) return lines;
    }
  }
  return std::nullopt;
}

}  // namespace warpsim
