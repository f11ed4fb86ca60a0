// Accesses that are calm, see calm_words.h and calm_pages.h. In a launch that is taken to be calm nothing else may
// happen; in others those of shared memory are logged, and told once something else does.
#include <algorithm>

#include "sim/check/races.h"
#include "sim/machine/machine.h"

namespace warpsim {

void Races::take_as_calm(const Calmly& how) {
  constexpr std::uint32_t kMostOfBlock = 1024;  // of a block
  bool has_parts = false;
  const auto is_calm = [&](const Insn& insn) {
    const OpInfo& row = info(insn.op);
    const AddressSpace space = space_of(row, insn.mods);
    shares_parts_ = shares_parts_ || (accesses_memory(row) && bytes(insn.type) < 4 &&
                                      (space == AddressSpace::Shared || space == AddressSpace::Generic));
    if (!accesses_memory(row) || space == AddressSpace::Shared) return true;
    has_parts = has_parts || ((how.by_bytes || row.lift != Lift::Load) && bytes(insn.type) < 4);
    if (!is_strong(insn)) return true;
    return row.lift == Lift::Atomic && reach_of(qualifiers_of(insn).scope) == Reach::Device;
  };
  if (!settles_global_ || warps_per_block_ * machine_->lanes() > kMostOfBlock ||
      !std::all_of(program_->code.begin(), program_->code.end(), is_calm))
    return;
  calm_pages_ = &how.pages;
  how.pages.begin({&machine_->memory(), &machine_->heap(), &how.undefined, machine_->lanes(), has_parts,
                   how.knows_reads, how.stored});
}

namespace {

AddressSpace space_of(const MemoryEvent& event) { return event.space; }
AddressSpace space_of(const RangeEvent& event) { return event.space; }
AddressSpace space_of(const LanesEvent&) { return AddressSpace::Shared; }

bool touch(CalmPages& pages, const MemoryEvent& event, std::uint32_t block, std::uint32_t warp, bool settles) {
  return pages.touch(event, block, warp, settles);
}
bool touch(CalmPages& pages, const RangeEvent& event, std::uint32_t block, std::uint32_t warp, bool) {
  return pages.touch(event, block, warp);
}
bool touch(CalmPages&, const LanesEvent&, std::uint32_t, std::uint32_t, bool) { return false; }

}  // namespace

// False: the launch is not, or no longer.
template <class Event>
bool Races::touch_calm(const Event& event, std::uint32_t block, std::uint32_t warp, bool settles) {
  if (!calm_pages_->is_calm()) return false;
  if (space_of(event) == AddressSpace::Global) return touch(*calm_pages_, event, block, warp, settles);
  if (space_of(event) != AddressSpace::Shared) return true;
  go_to(block);
  if (!shared_words().calm.touch(event, warp)) calm_pages_->leave_calm();
  return calm_pages_->is_calm();
}
template bool Races::touch_calm(const MemoryEvent&, std::uint32_t, std::uint32_t, bool);

void Races::calm_memory(std::uint32_t block, std::uint32_t warp, CalmMemory& memory) {
  if (calm_pages_ == nullptr || !calm_pages_->is_calm()) return;
  memory.chunks = &calm_pages_->chunks();
  memory.of_global = calm_pages_->of_warp(block, warp);
  if (shared_words_ == 0) return;
  go_to(block);
  SharedWords& shared = shared_words();
  memory.shared = shared.calm.words();
  memory.of_shared = shared.calm.of_warp(warp);
}

template <class Event>
bool Races::hears_calm(const AccessPlace& place, const Event& event, std::size_t most_pages) {
  return pages() < most_pages && touch_calm(event, place.block, place.warp, true);
}
template bool Races::hears_calm(const AccessPlace&, const MemoryEvent&, std::size_t);
template bool Races::hears_calm(const AccessPlace&, const RangeEvent&, std::size_t);

template <class Event>
bool Races::is_calm(SharedWords& shared, const Event& event) {
  if (!calm_.is_of(block_)) {
    leave_calm_words();
    if (!shared.touches.empty()) return false;
    calm_.begin(block_);
  }
  const std::uint32_t warp = static_cast<std::uint32_t>(now_.warp % warps_per_block_);
  if (!calm_.touch(event, warp, settles_shared_ && granule_bits_ == 2 ? shared.settled.data() : nullptr)) {
    leave_calm_words();
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

void Races::leave_calm_words() {
  tell_calm();
  calm_.end();
}

// Of no other access of single lanes anything is known here.
bool Races::hears_access(const AccessPlace& place, const LanesEvent& event) {
  if (calm_pages_ != nullptr) return touch_calm(event, place.block, place.warp, true);
  begin_issue(place);
  now_.atomic = false;
  now_.writes = event.is_store;
  now_.bytes = static_cast<std::uint8_t>(event.bytes);
  if (event.is_store && ordering_.may_overwrite(true)) return false;
  return is_calm(shared_words(), event);
}

}  // namespace warpsim
