// Accesses of shared memory that are calm, see calm_words.h: they are logged, and told once something else happens.
#include "sim/check/races.h"

namespace warpsim {

template <class Event>
bool Races::is_calm(SharedWords& shared, const Event& event) {
  if (!calm_.is_of(block_)) {
    leave_calm();
    if (!shared.touches.empty()) return false;
    calm_.begin(block_);
  }
  const std::uint32_t warp = static_cast<std::uint32_t>(now_.warp % warps_per_block_);
  if (!calm_.touch(event, warp, settles_shared_ && granule_bits_ == 2 ? shared.settled.data() : nullptr)) {
    leave_calm();
    return false;
  }
  shared.has_settled = shared.has_settled || calm_.has_settled();
  if (calm_.is_known()) return true;
  if (!calm_.has_room()) tell_calm();
  calm_.log({now_.cycle, now_.pc, now_.version, static_cast<std::uint16_t>(warp)}, event);
  return true;
}
template bool Races::is_calm(SharedWords& shared, const MemoryEvent& event);
template bool Races::is_calm(SharedWords& shared, const RangeEvent& event);
template bool Races::is_calm(SharedWords& shared, const LanesEvent& event);

// What is in the log, as if it had been told when it came. Nothing has happened since then by which a warp of the block
// would know more.
void Races::tell_calm() {
  if (calm_.is_log_empty()) return;
  const Touch now = now_;
  const Insn* const insn = insn_;
  const std::uint32_t block = block_;
  calm_.for_each_logged([&](const CalmWords::Logged& logged, const MemoryEvent& event) {
    begin_issue({logged.cycle, *calm_.block(), logged.warp, logged.pc});
    now_.version = logged.version;
    tell_access(event);
    begin_touch(event);
    if (now_.atomic ? !change_at_once(event) : !touch_all_at_once(event)) touch_words(event, event.lanes);
    end_touch();
  });
  calm_.forget_log();
  now_ = now;
  insn_ = insn;
  go_to(block);
  ordering_.select(block, static_cast<std::uint32_t>(now_.warp % warps_per_block_));
}

void Races::leave_calm() {
  tell_calm();
  calm_.end();
}

// Of no other access of single lanes anything is known here.
bool Races::hears_access(const AccessPlace& place, const LanesEvent& event) {
  begin_issue(place);
  now_.atomic = false;
  now_.writes = event.is_store;
  now_.bytes = static_cast<std::uint8_t>(event.bytes);
  if (event.is_store && ordering_.may_overwrite(true)) return false;
  return is_calm(shared_words(), event);
}

}  // namespace warpsim
