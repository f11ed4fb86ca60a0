// Where the lanes' addresses lead: to which space, into which region, to which element; see memory_unit.h.
#include <algorithm>

#include "isa/kernels/windows.h"
#include "isa/table/op.h"
#include "sim/machine/memory_unit.h"
#include "sim/machine/traps.h"

namespace warpsim {

// Of every lane that has registers, so that the loops have no gaps: nobody asks about those that do not act.
void MemoryUnit::form_addresses(const Warp& warp, const DecodedInsn& d, MemoryAccess& x) const {
  x.warp = &warp;
  const auto form = [&](auto index_of) {
    for (unsigned l = 0; l < state_.code.width; ++l) {
      const std::uint64_t index = static_cast<std::uint64_t>(d.index_bias) + index_of(l);
      x.index[l] = static_cast<std::int64_t>(index);
      x.address[l] = d.base + index * d.scale;
    }
  };
  const std::byte* const r = warp.registers;
  if (d.index == kNoOffset) return form([](unsigned) { return std::uint64_t{0}; });
  if (d.index_wide) return form([rows = row<std::uint64_t>(r, d.index)](unsigned l) { return rows[l]; });
  // A 32-bit index into an array is signed; a 32-bit pointer into shared memory is not, and wraps with its offset.
  if (d.object < 0) {
    return form([rows = row<std::uint32_t>(r, d.index), bias = static_cast<std::uint64_t>(d.index_bias)](unsigned l) {
      return std::uint64_t{static_cast<std::uint32_t>(rows[l] + bias)} - bias;
    });
  }
  form(
      [rows = row<std::int32_t>(r, d.index)](unsigned l) { return static_cast<std::uint64_t>(std::int64_t{rows[l]}); });
}

// Where this lane may go: by name into its array, by a pointer into its space. Of local memory those are the frames of
// the routines that the lane is in, and what the innermost one writes for the next.
MemoryUnit::Region MemoryUnit::region_of(Warp& warp, const DecodedInsn& d, AddressSpace space, std::uint64_t address,
                                         unsigned size, unsigned lane) {
  switch (space) {
    case AddressSpace::Shared: return shared_region(warp, d, size);
    case AddressSpace::Local: return within(warp.local.of_lane(lane), 0, warp.local.stacks[lane].end, size, false);
    case AddressSpace::Param: return within(state_.code.params.data(), 0, state_.code.params.size(), size, true);
    default: return global_region(d, address, size);
  }
}

// Bytes of one piece, at whose first address `begin` an access of `size` bytes may begin and so on.
MemoryUnit::Region MemoryUnit::within(std::byte* at, std::uint64_t begin, std::uint64_t bytes, unsigned size,
                                      bool read_only) {
  if (at == nullptr || size > bytes) return {};
  return {at, begin, begin, bytes - size, false, read_only};
}

MemoryUnit::Region MemoryUnit::global_region(const DecodedInsn& d, std::uint64_t address, unsigned size) {
  if (d.object >= 0) {
    const GlobalMemory::Buffer& b = *state_.memory.of_param(d.object);
    return within(b.bytes, b.address, b.size_bytes, size, b.read_only);
  }
  const GlobalMemory::Place& p = state_.memory.find(address, size, last_place_[static_cast<std::size_t>(d.pc)]);
  return within(p.bytes, p.address, p.size_bytes, size, p.read_only);
}

MemoryUnit::Region MemoryUnit::shared_region(const Warp& warp, const DecodedInsn& d, unsigned size) {
  if (state_.shared.empty()) return {};
  std::byte* const bytes_of_block = state_.shared[warp.slot].data();
  if (d.object < 0) return within(bytes_of_block, 0, state_.code.shared_bytes, size, false);
  const SharedLayout& s = state_.code.shared[static_cast<std::size_t>(d.object)];
  if (size > s.size_bytes) return {};
  return {bytes_of_block + s.offset_bytes, s.offset_bytes, 0, (s.size_bytes - size) / d.scale, true, false};
}

std::optional<std::byte> MemoryUnit::peek(Warp& warp, std::int32_t pc, unsigned lane, std::uint64_t address) {
  DecodedInsn d;
  d.pc = pc;
  const AddressSpace space = space_of_address(address);
  const std::uint64_t in_space = address - window_of(space);
  const Region r = region_of(warp, d, space, in_space, 1, lane);
  if (r.at == nullptr || in_space - r.first > r.span) return std::nullopt;
  return r.at[in_space - r.address];
}

namespace {

template <class Test>
LaneMask lanes_where(LaneMask lanes, Test test) {
  LaneMask where = 0;
  for_each_lane(lanes, [&](unsigned l) { where |= test(l) ? lane_bit(l) : 0; });
  return where;
}

// Those of the lanes whose position is at most `span` from the first: mostly all, which the farthest one shows.
template <class Position>
LaneMask lanes_inside(LaneMask lanes, const Position* positions, std::uint64_t first, std::uint64_t span) {
  const auto distance = [&](unsigned l) { return static_cast<std::uint64_t>(positions[l]) - first; };
  std::uint64_t farthest = 0;
  for_lanes(lanes, [&](unsigned l) { farthest = std::max(farthest, distance(l)); });
  return farthest <= span ? lanes : lanes_where(lanes, [&](unsigned l) { return distance(l) <= span; });
}

// Of sizes that are powers of two.
LaneMask lanes_misaligned(LaneMask lanes, const std::uint64_t* addresses, unsigned size_bytes) {
  std::uint64_t bits_set = 0;
  for_lanes(lanes, [&](unsigned l) { bits_set |= addresses[l]; });
  const std::uint64_t below_size = size_bytes - 1;
  if ((bits_set & below_size) == 0) return 0;
  return lanes_where(lanes, [&](unsigned l) { return (addresses[l] & below_size) != 0; });
}

}  // namespace

// Of the lanes of a generic access those whose addresses are in the space of the first one's.
LaneMask MemoryUnit::in_one_space(LaneMask lanes, const MemoryAccess& x, AddressSpace& space) {
  space = space_of_address(x.address[first_lane(lanes)]);
  return lanes_where(lanes, [&](unsigned l) { return space_of_address(x.address[l]) == space; });
}

// Finds where the lanes' bytes are on the host. Mostly all lie in one region.
bool MemoryUnit::resolve_addresses(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& x) {
  x.element_bytes = static_cast<unsigned>(bytes(d.type));
  x.elements = d.elements == 0 ? 1U : d.elements;
  return find_bytes(warp, d, active, x, x.size_bytes());
}

bool MemoryUnit::find_bytes(Warp& warp, const DecodedInsn& d, LaneMask active, MemoryAccess& x, unsigned alignment) {
  LaneMask found = 0, read_only = 0;
  for (LaneMask left = active; left != 0;) {
    const unsigned lane = first_lane(left);
    const Region r = region_of(warp, d, d.space, x.address[lane], x.size_bytes(), lane);
    const LaneMask asked = d.space == AddressSpace::Local ? lane_bit(lane) : left;  // each lane has its own
    const LaneMask inside = r.at == nullptr ? 0
                            : r.by_index    ? lanes_inside(asked, x.index, r.first, r.span)
                                            : lanes_inside(asked, x.address, r.first, r.span);
    for_lanes(inside, [&](unsigned l) { x.at[l] = r.at + (x.address[l] - r.address); });
    if (r.read_only && d.lift != Lift::Load) read_only |= inside;
    found |= inside;
    left &= ~(inside | lane_bit(lane));
  }
  const LaneMask misaligned = lanes_misaligned(active, x.address, alignment);
  const LaneMask outside = active & ~found;
  if ((outside | misaligned | read_only) == 0) return true;
  for_each_lane(outside, [&](unsigned l) { x.at[l] = nullptr; });
  name_elements(d, active, x);
  if (outside != 0) trap_access(state_, TrapKind::OutOfBounds, warp, d, outside, x);
  else if (misaligned != 0) trap_access(state_, TrapKind::Misaligned, warp, d, misaligned, x);
  else trap_access(state_, TrapKind::ReadOnly, warp, d, read_only, x);
  return false;
}

// An access by name has its indices already, but for 64-bit ones, whose address may have wrapped.
bool MemoryUnit::is_named_as_indexed(const DecodedInsn& d) {
  return d.object >= 0 && (d.space == AddressSpace::Shared || !d.index_wide);
}

// Which element of which object each lane accesses, for messages and events.
void MemoryUnit::name_elements(const DecodedInsn& d, LaneMask active, MemoryAccess& x) {
  const std::int32_t object = d.object;
  for_lanes(active, [&](unsigned l) { x.object_of[l] = object; });
  if (is_named_as_indexed(d)) return;
  if (d.space == AddressSpace::Shared) return name_shared_elements(active, x);
  if (d.space == AddressSpace::Local) return name_local_elements(d, active, x);
  if (d.space == AddressSpace::Param) return name_params(active, x);
  const GlobalMemory::Buffer* b = object < 0 ? nullptr : state_.memory.of_param(object);
  for_each_lane(active, [&](unsigned l) {
    if (x.at[l] == nullptr) return;
    const std::uint64_t address = x.address[l];
    if (object < 0 && (b == nullptr || !b->contains(address, 1))) b = state_.memory.buffer_at(address);
    if (b == nullptr) return;
    x.object_of[l] = b->param;
    x.index[l] = static_cast<std::int64_t>((address - b->address) / static_cast<unsigned>(bytes(b->type)));
  });
}

void MemoryUnit::name_shared_elements(LaneMask active, MemoryAccess& x) {
  for_each_lane(active, [&](unsigned l) {
    for (std::size_t k = 0; k < state_.code.shared.size() && x.object_of[l] < 0; ++k) {
      const SharedLayout& s = state_.code.shared[k];
      if (x.address[l] < s.offset_bytes || x.address[l] - s.offset_bytes >= s.size_bytes) continue;
      x.object_of[l] = static_cast<std::int32_t>(k);
      x.index[l] = static_cast<std::int64_t>((x.address[l] - s.offset_bytes) / static_cast<unsigned>(bytes(s.type)));
    }
  });
}

// By the routine that executes: its own objects. What lies in other frames has no name here.
void MemoryUnit::name_local_elements(const DecodedInsn& d, LaneMask active, MemoryAccess& x) const {
  const std::int32_t routine = state_.code.routine_of[static_cast<std::size_t>(d.pc)];
  const std::vector<Object>& objects = state_.program.locals;
  for_each_lane(active, [&](unsigned l) {
    const std::uint64_t in_frame = x.address[l] - x.warp->local.stacks[l].frame;
    for (std::size_t k = 0; k < objects.size(); ++k) {
      const Object& o = objects[k];
      const std::uint64_t length = static_cast<std::uint64_t>(o.length.evaluate(state_.code.lanes));
      const std::uint64_t element = static_cast<std::uint64_t>(bytes(o.type));
      if (o.routine != routine || in_frame - o.offset_bytes >= length * element) continue;
      x.object_of[l] = static_cast<std::int32_t>(k);
      x.index[l] = static_cast<std::int64_t>((in_frame - o.offset_bytes) / element);
    }
  });
}

void MemoryUnit::name_params(LaneMask active, MemoryAccess& x) const {
  if (!state_.binding.passed.empty()) return;  // of a kernel that another one launched: they have no names
  const std::vector<Param>& params = state_.program.params;
  for_each_lane(active, [&](unsigned l) {
    for (std::size_t k = 0; k < params.size(); ++k) {
      if (params[k].is_variable || x.address[l] - params[k].offset_bytes >= params[k].size_bytes()) continue;
      x.object_of[l] = static_cast<std::int32_t>(k);
      x.index[l] = 0;
    }
  });
}

bool MemoryUnit::reach(Warp& warp, const DecodedInsn& d, LaneMask active, QuickAccess& to) {
  const LaneSpan span = to.span = d.access.span(warp.registers, d, active, to.address);
  const unsigned size = static_cast<unsigned>(bytes(d.type)) * (d.elements == 0 ? 1U : d.elements);
  const AddressSpace space = to.space = d.space == AddressSpace::Generic ? space_of_address(span.first) : d.space;
  const std::uint64_t window = d.space == AddressSpace::Generic ? window_of(space) : 0;
  if ((span.set_bits & (size - 1)) != 0 || space == AddressSpace::Local || span.last - window < span.first - window)
    return false;
  const Region r = region_of(warp, d, space, span.first - window, size, first_lane(active));
  if (r.at == nullptr || (r.read_only && d.lift != Lift::Load)) return false;
  // An index times its scale may have wrapped.
  if (r.by_index && d.index_wide) return false;
  const std::uint64_t begin = r.by_index ? r.address : r.first, reach = r.by_index ? r.span * d.scale : r.span;
  if (span.first - window - begin > reach || span.last - window - begin > reach) return false;
  to.window = window;
  to.first = r.at + (span.first - window - r.address);
  if (!d.watched || (d.is_easily_heard && (space == AddressSpace::Global || space == AddressSpace::Shared)))
    note_place(d, space, r, size);
  return true;
}

// Of shared memory only how much there is: the slot of the block says where.
void MemoryUnit::note_place(const DecodedInsn& d, AddressSpace space, const Region& r, unsigned size) {
  if (r.by_index || d.object >= 0 || r.first % size != 0 || r.span >= engine::kMostOfPlace) return;
  engine::Place& place = places_[static_cast<std::size_t>(d.pc)];
  const std::uint64_t more = d.lift == Lift::Load && size < engine::kBytesOfGather ? engine::kBytesOfGather - size : 0;
  const std::uint64_t limit = r.span + 1 - std::min(r.span + 1, more);
  if (d.space == AddressSpace::Shared) place.limit = limit;
  else if (space != AddressSpace::Shared && space != AddressSpace::Param)
    place = {r.first - d.beyond_index(), limit, r.at,
             d.lift == Lift::Load && space == AddressSpace::Global && listener_ != nullptr &&
                 listener_->reads_only(r.first, limit)};
}

// ---- telling of them before machine code makes the access

namespace {

// Whether each lane goes so many bytes behind the one before.
bool go_by_step(const std::uint32_t* address, unsigned lanes, std::uint32_t step) {
  std::uint32_t differs = 0;
  for (unsigned l = 1; l < lanes; ++l) differs |= address[l] ^ (address[0] + l * step);
  return differs == 0;
}

}  // namespace

bool MemoryUnit::hears_range(const Warp& warp, const DecodedInsn& d, AddressSpace space, std::uint64_t address,
                             bool is_one_address, std::uint64_t cycle) {
  const std::uint32_t size = static_cast<std::uint32_t>(bytes(d.type));
  return listener_->hears_range({cycle, warp.block, warp.index, d.pc},
                                {space, d.lift == Lift::Store, is_one_address, size, state_.code.lanes, address,
                                 d.lift == Lift::Store ? warp.registers + d.a : nullptr});
}

bool MemoryUnit::hears_lanes(const Warp& warp, const DecodedInsn& d, LaneMask active, const std::uint32_t* behind,
                             std::uint64_t cycle) {
  const bool shared = d.space == AddressSpace::Shared, is_store = d.lift == Lift::Store;
  const unsigned size = static_cast<unsigned>(bytes(d.type)), elements = std::max<unsigned>(d.elements, 1);
  const AccessPlace place{cycle, warp.block, warp.index, d.pc};
  const bool are_all = active == full_mask(state_.code.lanes);
  const bool is_one_address = are_all && go_by_step(behind, state_.code.lanes, 0);
  const bool are_adjacent = are_all && !is_one_address && go_by_step(behind, state_.code.lanes, size * elements);
  const std::uint64_t first = shared ? 0 : places_[static_cast<std::size_t>(d.pc)].first + d.beyond_index();
  if ((is_one_address || are_adjacent) && d.lift != Lift::Atomic && d.elements == 0 && size >= 4 &&
      hears_range(warp, d, shared ? AddressSpace::Shared : AddressSpace::Global, first + behind[0], is_one_address,
                  cycle))
    return true;
  if (shared && d.lift != Lift::Atomic) {
    const LanesEvent event{is_store, is_one_address, size,           elements,
                           active,   behind,         warp.registers, d.elements == 0 ? &d.a : d.element.data()};
    if (listener_->hears_lanes(place, event)) return true;
  }
  std::uint64_t address[kMaxLanes], values[4 * kMaxLanes];
  for (unsigned l = 0; l < state_.code.width; ++l) address[l] = first + behind[l];
  if (is_store) tell_values(warp, d, active, values);
  MemoryEvent event{shared ? AddressSpace::Shared : AddressSpace::Global,
                    kind_of(d),
                    size,
                    elements,
                    active,
                    address,
                    &nobodys_,
                    is_store ? values : kNoValues,
                    nullptr,
                    nullptr};
  event.is_one_address = is_one_address;
  event.neighbours = are_adjacent || (!are_all && are_neighbours(active, address, size * elements));
  return listener_->hears_at_once(place, event);
}

}  // namespace warpsim
