// Ordering, and what it would be if a program said a little more: which side of a hand-over is missing where two
// accesses race.
//
// Shapes: beside the ordering of the program as it is written stand variants: one in which every strong access that
//         reads acquires, one in which every one that writes releases, one in which every scope is the device, one in
//         which the lanes of a warp wait for each other before each fence and strong access, and one with all of these.
//         The variant in which two accesses do not race names what is missing. All are told the same, and have the same
//         versions. They are told when somebody asks: mostly nobody does. Of a run in which too much has happened until
//         then nothing is known. A program without fences and strong accesses has no variants.
// Units:  as in ordering.h.
// Errors: none.
// Source: PTX ISA 9.0, 8.8 "Release and acquire patterns": what such a pattern consists of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_set>
#include <vector>

#include "isa/program/program.h"
#include "isa/table/op.h"
#include "sim/event/lane_mask.h"
#include "sim/event/observer.h"
#include "sim/ordering/ordering.h"

namespace warpsim {

// Atomics, .relaxed unless they say more, and loads and stores with a qualifier. An atomic without a scope reaches the
// device, a volatile access the system (PTX ISA 9.0, 8.4 "Operation types").
inline bool is_strong(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  if (row.lift == Lift::Mbarrier) return access_of(row) != AccessKind::Store;
  return row.lift == Lift::Atomic || insn.mods.memory.semantics > Semantics::Weak;
}
// An mbarrier's arrivals release and its waits acquire, for the threads of the block, unless they say otherwise.
inline MemoryQualifiers qualifiers_of(const Insn& insn) {
  MemoryQualifiers said = insn.mods.memory;
  const OpInfo& row = info(insn.op);
  if (row.lift != Lift::Mbarrier) return said;
  if (said.scope == Scope::None) said.scope = Scope::Cta;
  if (said.semantics == Semantics::None)
    said.semantics = access_of(row) == AccessKind::Load ? Semantics::Acquire : Semantics::Release;
  return said;
}

// Both: neither side orders.
enum class Missing : std::uint8_t { Acquire, Release, Scope, LaneStep, Both };

class Orderings {
 public:
  Orderings() = default;
  Orderings(std::uint32_t warps_per_block, bool with_variants);

  void synchronize(const SyncEvent& event);
  void select(std::uint32_t block, std::uint32_t warp) {
    block_ = block;
    warp_ = warp;
    real_.select(block, warp);
  }
  void fence(LaneMask lanes, Reach reach, bool is_sc);
  // An instruction of the warp that releases, or makes a strong store: what its lanes do from now on has another
  // version.
  void begin_access(bool releases, bool writes);
  void access(unsigned lane, const StrongAccess& how);
  // The same of lanes that draw nothing, in rising order.
  void access_at_once(LaneMask lanes, const std::uint64_t* address, const StrongAccess& how);
  bool draws_nothing(bool shared) const { return real_.draws_nothing(shared); }
  bool is_by_warps() const { return real_.is_by_warps(); }
  bool has_all(std::uint32_t version) const { return real_.has_all(version); }
  void overwrite(std::uint64_t address, bool shared);
  // Whether a weak store may end a release.
  bool may_overwrite(bool shared) const {
    if (!are_steps_known_) return real_.may_overwrite(shared);
    return shared ? !written_shared_.empty() : !written_.empty();
  }
  void end_block(std::uint32_t block);
  bool may_release() const { return has_variants_; }
  Stamp now() const { return real_.now(); }
  LaneMask unordered(const Stamp& before, LaneMask lanes, unsigned lane) const {
    return real_.unordered(before, lanes, lane);
  }
  bool comes_after(const Stamp& before) const { return real_.comes_after(before); }
  // All lanes come after what all lanes of the warp did at lower versions.
  std::uint32_t known_version(std::uint64_t warp) const { return real_.known_version(warp); }
  // Whether lanes come after what some lanes of that other warp did, beyond what all come after.
  bool knows_lanes_of(std::uint64_t warp) const { return real_.knows_lanes_of(warp); }
  bool knows_nothing_of(const Stamp& before) const { return real_.knows_nothing_of(before); }
  // Why `lane` does not come after what `lanes` did at `before`; none: more than these are missing, or too much has
  // happened to say it.
  std::optional<Missing> missing(const Stamp& before, LaneMask lanes, unsigned lane);

 private:
  struct Variant {
    Missing missing;
    Ordering ordering;
    bool is(Missing one) const { return missing == one || missing == Missing::Both; }
  };
  // What the variants have not been told yet.
  struct Step {
    enum class Kind : std::uint8_t {
      Synchronize,
      LanesWait,
      Fence,
      Release,
      Access,
      Accesses,
      Overwrite,
      EndBlock
    } kind;
    std::uint8_t lane = 0;
    Reach reach = Reach::Device;  // of a fence
    bool is_sc = false;           // a fence; of Overwrite: shared
    std::uint32_t block = 0, warp = 0;
    LaneMask lanes = 0;  // of a fence, of Accesses; of Overwrite: the address
    StrongAccess how;
    std::size_t sync = 0;  // in syncs_; of Accesses: their first address in addresses_
  };
  struct Sync {
    SyncEvent event;
    std::vector<SyncEvent::Arrival> arrivals;
  };
  static constexpr std::size_t kMostSteps = std::size_t{1} << 17;
  Step& note(Step::Kind kind);
  bool has_room_for(std::size_t steps);
  void note_written(std::uint64_t address, bool shared);
  void let_lanes_wait();
  void tell(Variant& variant, const Step& step) const;

  Ordering real_;
  bool has_variants_ = false;
  std::vector<Variant> variants_;  // made when they are asked for
  std::deque<Step> steps_;
  std::size_t count_ = 0;  // of steps_, of each lane's access one
  std::vector<Sync> syncs_;
  std::vector<std::uint64_t> addresses_;
  bool are_steps_known_ = true;  // since the start
  // While steps are known: places of strong accesses, where who stores may end a release.
  std::unordered_set<std::uint64_t> written_;
  std::vector<bool> written_shared_;  // … in shared memory of any block, by address
  std::uint32_t block_ = 0, warp_ = 0;
};

}  // namespace warpsim
