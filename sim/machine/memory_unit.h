// Loads, stores and atomics: where the lanes' addresses lead, and what moves.
//
// Shapes: arrays of an access are by lane; what stands at lanes that do not act means nothing.
// Units:  bytes.
// Errors: traps, before anything has moved: outside every object, misaligned, a store to an `in` buffer.
// Source: PTX ISA 9.0, "ld", "st", "atom", "red"; sim/README.md, "Memory" and "Atomics".
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "sim/code/lane_access.h"
#include "sim/code/lane_atomics.h"
#include "sim/engine/frame.h"
#include "sim/machine/launch_state.h"
#include "sim/machine/observation.h"
#include "sim/machine/turns.h"
#include "sim/timing/clock.h"

namespace warpsim {

// One memory access by the lanes of a warp.
struct MemoryAccess {
  unsigned element_bytes = 4, elements = 1;
  unsigned size_bytes() const { return element_bytes * elements; }
  std::uint64_t address[kMaxLanes];
  std::int64_t index[kMaxLanes];      // element of object_of, for messages and events
  std::int32_t object_of[kMaxLanes];  // parameter or shared array; -1: none
  std::byte* at[kMaxLanes];           // where it is on the host; null: outside
  std::uint64_t value[4][kMaxLanes];  // an element a row
  std::uint64_t stored[kMaxLanes];    // atomics
  std::uint8_t order[kMaxLanes];      // in which the lanes take effect, if not rising
  bool is_reordered = false;
  const Warp* warp = nullptr;
  LaneMask complete = ~LaneMask{0};  // of a wait at an mbarrier: where it is over
};

// An access all of whose lanes go to one place where they may.
struct QuickAccess {
  alignas(64) std::uint64_t address[kMaxLanes];  // at lanes that do not act that of one that does
  LaneSpan span;
  AddressSpace space = AddressSpace::Global;
  std::uint64_t window = 0;    // of a generic access: what its addresses have beyond those in their space
  std::byte* first = nullptr;  // the host's bytes at span.first
};

// What a copy reads.
struct CopiedFrom {
  MemoryAccess access;
  LaneMask lanes = 0;  // that read something
  std::uint8_t bytes[kMaxLanes];
};

class MemoryUnit {
 public:
  // A fuzzed schedule draws the order of lanes that touch one address. In a timed run `outcome` gets what the clock
  // needs of each access.
  MemoryUnit(LaunchState& state, ScheduleDraws& draws, TimedOutcome& outcome)
      : state_(state),
        draws_(draws),
        outcome_(outcome),
        last_place_(state.code.insns.size()),
        places_(state.code.insns.size()) {}

  template <class Observer>
  void execute(Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer);
  // Of a load or a store that nobody watches, if all lanes go to one place where they may. Else false, and nothing has
  // moved: execute() has the rest.
  bool move(Warp& warp, const DecodedInsn& d, LaneMask active);
  // The same of an atomic.
  bool change_alone(Warp& warp, const DecodedInsn& d, LaneMask active);
  // The same of one, or an atomic, that somebody watches, in two steps: between them is the event of the issue.
  bool finds(Warp& warp, const DecodedInsn& d, LaneMask active, QuickAccess& quick);
  void move_watched(Warp& warp, const DecodedInsn& d, LaneMask active, QuickAccess& quick,
                    const SinkObserver& observer);
  // The same, of an atomic too, at once, if the only one who watches can hear of it so. False: nothing has moved, and
  // nobody knows of it. Asked again in the same cycle it says so without a look.
  bool access_heard(Warp& warp, const DecodedInsn& d, LaneMask active, std::uint64_t cycle);
  // Whether who listens has heard of an access of all lanes of the warp that is a range; the access is yet to be made.
  bool hears_range(const Warp& warp, const DecodedInsn& d, AddressSpace space, std::uint64_t address,
                   bool is_one_address, std::uint64_t cycle);
  // The same of some lanes, which go so many bytes behind the first position of the instruction's place each.
  bool hears_lanes(const Warp& warp, const DecodedInsn& d, LaneMask active, const std::uint32_t* behind,
                   std::uint64_t cycle);
  void set_listener(EventSink* sink) { listener_ = sink; }  // null: nobody can
  // By pc: where accesses went, for code that makes them itself.
  engine::Place* places() { return places_.data(); }
  // Something was freed: nothing that was found before holds.
  void forget_places() {
    std::fill(last_place_.begin(), last_place_.end(), GlobalMemory::Place{});
    std::fill(places_.begin(), places_.end(), engine::Place{});
  }
  // The byte that a generic address of this lane leads to, for a text of the program; none if nothing is there.
  std::optional<std::byte> peek(Warp& warp, std::int32_t pc, unsigned lane, std::uint64_t address);

 private:
  class AccessNames;
  class QuickNames;
  struct Region {                       // what one lane's access must stay in
    std::byte* at = nullptr;            // on the host; null: there is none
    std::uint64_t address = 0;          // … and in its space
    std::uint64_t first = 0, span = 0;  // the positions at which an access may begin, from the first to `span` behind
    bool by_index = false;              // a position is an index, else an address
    bool read_only = false;
  };
  bool reach(Warp& warp, const DecodedInsn& d, LaneMask active, QuickAccess& to);
  static Region within(std::byte* at, std::uint64_t begin, std::uint64_t bytes, unsigned size, bool read_only);
  Region global_region(const DecodedInsn& d, std::uint64_t address, unsigned size);
  Region shared_region(const Warp& warp, const DecodedInsn& d, unsigned size);
  void note_place(const DecodedInsn& d, AddressSpace space, const Region& region, unsigned size);
  bool is_heard_as_range(const Warp& warp, const DecodedInsn& d, LaneMask active, std::uint64_t cycle,
                         const QuickAccess& quick);
  bool move_heard(Warp& warp, const DecodedInsn& d, LaneMask active, std::uint64_t cycle, QuickAccess& quick,
                  EventSink& sink);
  void change_found(Warp& warp, const DecodedInsn& d, LaneMask active, const QuickAccess& to);
  MemoryEvent event_of(const DecodedInsn& d, LaneMask active, const QuickAccess& quick, ElementNames& names,
                       const std::uint64_t* values) const;
  void tell_values(const Warp& warp, const DecodedInsn& d, LaneMask active, std::uint64_t* values) const;
  static constexpr std::uint64_t kNoValues[4 * kMaxLanes] = {};  // of loads that are heard before they are made
  static MemoryEvent::Access kind_of(const DecodedInsn& d) {
    return d.lift == Lift::Load    ? MemoryEvent::Access::Load
           : d.lift == Lift::Store ? MemoryEvent::Access::Store
                                   : MemoryEvent::Access::Atomic;
  }
  // Whether these are the first lanes, and each one's bytes begin where those of the lane before end.
  static bool are_neighbours(LaneMask lanes, const std::uint64_t* address, std::uint64_t size_bytes) {
    if ((lanes & (lanes + 1)) != 0) return false;
    std::uint64_t differences = 0;
    for_lanes(lanes >> 1, [&](unsigned l) { differences |= (address[l + 1] - address[l]) ^ size_bytes; });
    return differences == 0;
  }
  static LaneMask in_one_space(LaneMask lanes, const MemoryAccess& access, AddressSpace& space);
  static bool is_named_as_indexed(const DecodedInsn& d);
  void form_addresses(const Warp& warp, const DecodedInsn& d, MemoryAccess& access) const;
  Region region_of(Warp& warp, const DecodedInsn& d, AddressSpace space, std::uint64_t address, unsigned size,
                   unsigned lane);
  bool resolve_addresses(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& access);
  bool find_bytes(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& access, unsigned alignment);
  bool resolve_source(Warp& warp, const DecodedInsn& d, LaneMask active, CopiedFrom& from);
  void name_elements(const DecodedInsn& d, LaneMask active, MemoryAccess& access);
  void name_shared_elements(LaneMask active, MemoryAccess& access);
  void name_local_elements(const DecodedInsn& d, LaneMask active, MemoryAccess& access) const;
  void name_params(LaneMask active, MemoryAccess& access) const;
  void move_shared(Warp& warp, const DecodedInsn& d, LaneMask active, const QuickAccess& to);
  template <unsigned Bytes>
  std::uint64_t load_element(const std::byte* at) const {
    return state_.pool != nullptr ? load_shared<Bytes>(at) : load_bits<Bytes>(at);
  }
  template <unsigned Bytes>
  void store_element(std::byte* at, std::uint64_t value) const {
    if (state_.pool != nullptr) store_shared<Bytes>(at, value);
    else store_bits<Bytes>(at, value);
  }
  void load(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& access) const;
  void store(const Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& access);
  void change(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& access);
  void mbarrier(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& access);
  void copy(LaneMask active, MemoryAccess& access, const CopiedFrom& from);
  void order_lanes(LaneMask active, MemoryAccess& access);
  void note_outcome(const DecodedInsn& d, LaneMask active, const MemoryAccess& access);
  void note_copied(LaneMask active, const CopiedFrom& from);
  template <class Observer>
  void execute_in(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& access, const Observer& observer);
  template <class Observer>
  void execute_generic(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& access,
                       const Observer& observer);
  template <class Observer>
  void execute_copy(Warp& warp, const DecodedInsn& d, LaneMask active, const Observer& observer);
  void report(const DecodedInsn& d, LaneMask active, MemoryAccess& access, const SinkObserver& observer,
              const CopySource* source = nullptr);
  static void report_change(const DecodedInsn& d, LaneMask active, const std::uint64_t* address,
                            const SinkObserver& observer);

  LaunchState& state_;
  ScheduleDraws& draws_;
  TimedOutcome& outcome_;
  EventSink* listener_ = nullptr;
  NoElementNames nobodys_;
  std::uint64_t not_heard_ = 0;                  // the cycle of the access that was last refused
  std::vector<std::uint64_t> addresses_;         // that `outcome_` refers to
  std::vector<GlobalMemory::Place> last_place_;  // by pc: where its last access through a pointer went
  std::vector<engine::Place> places_;            // by pc
};

}  // namespace warpsim
