// The shadow of memory, and of what loads, stores and atomics do: see undefined.h.
#include <algorithm>
#include <bit>
#include <cstring>

#include "isa/program/reads_writes.h"
#include "sim/calm/element_value.h"
#include "sim/check/undefined.h"
#include "sim/code/row_meaning.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

// Shared memory is at most 228 KiB a multiprocessor (CUDA C++ Programming Guide, compute capability 9.0); this is a
// safety net against events with wild addresses, not a limit of the machine.
constexpr std::uint64_t kMaxSharedBytes = std::uint64_t{1} << 24;

std::uint64_t value_bits(std::uint32_t bytes) { return low_ones(static_cast<int>(bytes) * 8); }

// What a register gets of the undefined bits that were loaded: s8 fills its 16 bits with the sign.
std::uint64_t loaded_bits(Type type, std::uint64_t undefined) {
  return type == Type::S8 && (undefined & 0x80) != 0 ? undefined | 0xff00 : undefined;
}

}  // namespace

// malloc: the register that is written holds the address.
void UndefinedLanes::forget_allocated(const WriteEvent& event) {
  for_each_lane(event.lanes, [&](unsigned lane) {
    const DeviceMemory::Allocation* const made = machine_->heap().find(event.at(lane), 0);
    if (made != nullptr) forget_global(made->address, made->size_bytes);
  });
}

// free: no address is given twice, so nobody asks for these any more.
void UndefinedLanes::leave_freed(const IssueEvent& event) {
  const std::int32_t reg = register_of(event.insn->operands[0]);
  if (global_.empty() || reg < 0) return;
  for_each_lane(event.active, [&](unsigned lane) {
    const std::uint64_t address = machine_->register_bits(event.block, event.warp, reg, lane);
    const DeviceMemory::Allocation* const gone = machine_->heap().find(address, 0);
    if (gone == nullptr || gone->address != address) return;
    global_.define(address, gone->size_bytes);
  });
}

bool UndefinedLanes::undefined_global(std::uint64_t address, std::uint64_t size) const {
  if (global_.empty()) return false;
  for (std::uint64_t at = address; at < address + size;) {
    const std::uint64_t next = std::min(address + size, (at / 8 + 1) * 8);
    if (global_bits(at, static_cast<std::uint32_t>(next - at)) != 0) return true;
    at = next;
  }
  return false;
}

// Of bytes that lie in one word of eight.
std::uint64_t UndefinedLanes::global_bits(std::uint64_t address, std::uint32_t size) const {
  if (global_.empty()) return 0;
  return global_.bits(address) >> 8 * (address & 7) & value_bits(size);
}

static bool is_given(MemoryEvent::Space space) {
  return space == MemoryEvent::Space::Constant || space == MemoryEvent::Space::Param;
}

// Of shared memory the block's, of local memory the lane's.
const DefinedBytes& UndefinedLanes::defined_bytes(const MemoryEvent& event, unsigned lane) const {
  static const DefinedBytes kNone;
  if (event.space == MemoryEvent::Space::Shared) return block_now_->shared;
  return lane < current_->local.size() ? current_->local[lane] : kNone;
}
DefinedBytes& UndefinedLanes::defined_bytes(const MemoryEvent& event, unsigned lane) {
  if (event.space == MemoryEvent::Space::Shared) return block_now_->shared;
  if (current_->local.empty()) current_->local.resize(lanes_);
  return current_->local[lane];
}

// What comes back from a function leaves its frame, but for the results: the next call finds nothing there.
void UndefinedLanes::leave_frames(const IssueEvent& event) {
  const Routine* const routine = program_->routine_at(event.pc);
  if (current_->local.empty() || routine == nullptr || program_->frame_register < 0) return;
  for_each_lane(event.active, [&](unsigned lane) {
    const std::uint64_t frame = machine_->register_bits(event.block, event.warp, program_->frame_register, lane);
    DefinedBytes& known = current_->local[lane];
    if (known.size() > frame + routine->results_bytes) known.resize(frame + routine->results_bytes);
  });
}

std::uint64_t UndefinedLanes::memory_bits(const MemoryEvent& event, unsigned lane, std::uint64_t address) const {
  if (of_ == ShadowOf::OutOfRange || is_given(event.space)) return 0;
  if (event.space == MemoryEvent::Space::Global) return global_bits(address, event.bytes);
  const DefinedBytes& known = defined_bytes(event, lane);
  const std::uint64_t there = address < known.size() ? std::min<std::uint64_t>(event.bytes, known.size() - address) : 0;
  std::uint64_t defined = 0;
  if (there == 4) {
    std::uint32_t word;
    std::memcpy(&word, known.data() + address, sizeof word);
    defined = word;
  } else if (there != 0) {  // nothing written: there is nothing to point at
    std::memcpy(&defined, known.data() + address, there);
  }
  return ~defined & value_bits(event.bytes);
}

// Of an element that a copy takes from global memory; the zeros behind what it reads are defined.
std::uint64_t UndefinedLanes::copied_bits(const MemoryEvent& event, unsigned element, unsigned lane) const {
  if (of_ == ShadowOf::OutOfRange || !has_lane(event.source->lanes, lane)) return 0;
  std::uint64_t undefined = 0;
  for (std::uint64_t k = 0; k < event.bytes; ++k) {
    const std::uint64_t far = std::uint64_t{element} * event.bytes + k;
    if (far < event.source->bytes[lane]) undefined |= global_bits(event.source->address[lane] + far, 1) << 8 * k;
  }
  return undefined;
}

void UndefinedLanes::on_memory(const MemoryEvent& event) {
  for (unsigned k = 0; k < event.elements; ++k) {
    if (is_element_defined(event, k)) continue;
    event.for_each_turn([&](unsigned lane) { access(event, k, lane); });
    if (event.access != MemoryEvent::Access::Store) result_[k].assign(access_[k]);
  }
}

// As it mostly is: a load that finds nothing undefined, or a store of something defined, which is then done.
bool UndefinedLanes::is_element_defined(const MemoryEvent& event, unsigned element) {
  using Access = MemoryEvent::Access;
  if (event.access == Access::Atomic || (whole_ & event.lanes) != 0) return false;
  if (event.source != nullptr && !global_.empty()) return false;
  const bool is_load = event.access == Access::Load, shared = event.space == MemoryEvent::Space::Shared;
  const std::vector<std::int32_t>& elements = reads_[pc_].elements;
  if (!is_load && element < elements.size() && (at(elements[element]) & event.lanes) != 0) return false;
  const bool global = event.space == MemoryEvent::Space::Global;
  if (of_ == ShadowOf::OutOfRange || (global && global_.empty()) || is_given(event.space)) return true;
  if (!shared || event.bytes != 4) return false;
  if (event.neighbours && event.elements == 1) {
    const std::uint64_t size = static_cast<std::uint64_t>(std::bit_width(event.lanes)) * 4;
    return is_load ? are_defined(event.address[0], size) : define(event.address[0], size);
  }
  const std::uint64_t behind = std::uint64_t{element} * event.bytes;
  std::uint64_t last = 0;
  for_lanes(event.lanes, [&](unsigned lane) { last = std::max(last, event.address[lane] + behind); });
  DefinedBytes& known = block_now_->shared;
  if (last >= kMaxSharedBytes || (is_load && known.size() < last + 4)) return false;
  constexpr std::uint32_t kAll = ~std::uint32_t{0};
  if (is_load) {
    std::uint32_t defined = kAll;
    for_lanes(event.lanes, [&](unsigned lane) {
      std::uint32_t word;
      std::memcpy(&word, known.data() + event.address[lane] + behind, sizeof word);
      defined &= word;
    });
    return defined == kAll;
  }
  if (known.size() < last + 4) known.resize(last + 4, 0);
  for_lanes(event.lanes,
            [&](unsigned lane) { std::memcpy(known.data() + event.address[lane] + behind, &kAll, sizeof kAll); });
  return true;
}

// Bytes of the block's shared memory.
bool UndefinedLanes::are_defined(std::uint64_t address, std::uint64_t size) const {
  const DefinedBytes& known = block_now_->shared;
  if (known.size() < address + size) return false;
  std::uint8_t defined = 0xff;
  for (std::uint64_t k = 0; k < size; ++k) defined &= known[address + k];
  return defined == 0xff;
}
bool UndefinedLanes::define(std::uint64_t address, std::uint64_t size) {
  DefinedBytes& known = block_now_->shared;
  if (address + size > kMaxSharedBytes) return false;
  if (known.size() < address + size) known.resize(address + size, 0);
  std::memset(known.data() + address, 0xff, size);
  return true;
}

// ---- an access of which all is defined

std::uint8_t* UndefinedLanes::defined_shared(std::uint32_t block) {
  go_to(block);
  DefinedBytes& known = block_now_->shared;
  if (known.size() < machine_->shared_bytes_per_block()) known.resize(machine_->shared_bytes_per_block(), 0);
  return known.data();
}

bool UndefinedLanes::are_all_defined(const AccessPlace& place) {
  const WarpShadow& warp = shadow(place.block, place.warp);
  LaneMask undefined = 0;
  for (const std::int32_t reg : reads_[static_cast<std::size_t>(place.pc)].all)
    undefined |= warp.undefined[static_cast<std::size_t>(reg)];
  return undefined == 0;
}

bool UndefinedLanes::is_all_defined(const AccessPlace& place, const MemoryEvent& event) {
  if (is_given(event.space)) return true;
  if (event.space == MemoryEvent::Space::Global) {
    if (global_.empty() || event.access == MemoryEvent::Access::Store) return true;
    const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
    bool are = true;
    for_lanes(event.lanes, [&](unsigned lane) { are = are && global_.are_defined(event.address[lane], size); });
    return are;
  }
  go_to(place.block);
  return event.space == MemoryEvent::Space::Shared &&
         (event.access == MemoryEvent::Access::Store || are_defined_in_shared(event));
}

bool UndefinedLanes::is_all_defined(const AccessPlace& place, const RangeEvent& event) {
  if (event.space == AddressSpace::Global)
    return event.is_store || global_.empty() || global_.are_defined(event.address, event.size());
  go_to(place.block);
  return event.is_store || are_defined(event.address, event.size());
}

void UndefinedLanes::define(const RangeEvent& event) {
  if (event.space == AddressSpace::Shared) define(event.address, event.size());
  else global_.define(event.address, event.size());
}

namespace {

template <class Event>
std::uint64_t end_of(const Event& event) {
  std::uint64_t last = 0;
  for_lanes(event.lanes, [&](unsigned lane) { last = std::max<std::uint64_t>(last, event.address[lane]); });
  return last + std::uint64_t{event.bytes} * event.elements;
}

}  // namespace

template <class Event>
bool UndefinedLanes::are_lanes_defined(const Event& event) const {
  const DefinedBytes& known = block_now_->shared;
  if (known.size() < machine_->shared_bytes_per_block() && known.size() < end_of(event)) return false;
  return with_value_of(event.bytes, [&](auto ones) {
    ones = static_cast<decltype(ones)>(~ones);
    const std::size_t size = sizeof ones * event.elements;
    auto defined = ones;
    for_lanes(event.lanes, [&](unsigned lane) {
      for (std::size_t behind = 0; behind < size; behind += sizeof ones) {
        decltype(ones) here;
        std::memcpy(&here, known.data() + event.address[lane] + behind, sizeof here);
        defined = static_cast<decltype(ones)>(defined & here);
      }
    });
    return defined == ones;
  });
}

template <class Event>
void UndefinedLanes::define_lanes(const Event& event) {
  DefinedBytes& known = block_now_->shared;
  const std::uint64_t all = machine_->shared_bytes_per_block();
  if (known.size() < all) known.resize(std::max(all, end_of(event)), 0);
  with_value_of(event.bytes, [&](auto ones) {
    ones = static_cast<decltype(ones)>(~ones);
    const std::size_t size = sizeof ones * event.elements;
    for_lanes(event.lanes, [&](unsigned lane) {
      for (std::size_t behind = 0; behind < size; behind += sizeof ones)
        std::memcpy(known.data() + event.address[lane] + behind, &ones, sizeof ones);
    });
  });
}

bool UndefinedLanes::is_all_defined(const AccessPlace& place, const LanesEvent& event) {
  go_to(place.block);
  return event.is_store || are_lanes_defined(event);
}

void UndefinedLanes::define(const LanesEvent& event) { define_lanes(event); }

bool UndefinedLanes::are_defined_in_shared(const MemoryEvent& event) const {
  const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
  if (event.neighbours) return are_defined(event.address[0], size * count_lanes(event.lanes));
  if (event.is_one_address) return are_defined(event.address[first_lane(event.lanes)], size);
  return are_lanes_defined(event);
}

void UndefinedLanes::define(const MemoryEvent& event) {
  if (of_ == ShadowOf::OutOfRange) return;
  if (event.space == MemoryEvent::Space::Global) {
    if (global_.empty()) return;
    const std::uint64_t size = std::uint64_t{event.bytes} * event.elements;
    return for_lanes(event.lanes, [&](unsigned lane) { global_.define(event.address[lane], size); });
  }
  if (event.space != MemoryEvent::Space::Shared) return;
  if (event.neighbours)
    define(event.address[0], std::uint64_t{event.bytes} * event.elements * count_lanes(event.lanes));
  else define_lanes(event);
}

// One lane's load or store of an element, or its atomic.
void UndefinedLanes::access(const MemoryEvent& event, unsigned element, unsigned lane) {
  const std::vector<std::int32_t>& elements = reads_[pc_].elements;
  const std::int32_t reg = element < elements.size() ? elements[element] : -1;
  const bool is_store = event.access == MemoryEvent::Access::Store, leads_astray = has_lane(whole_, lane);
  const std::uint64_t all = value_bits(event.bytes == 1 && !is_store ? 2 : event.bytes);
  const std::uint64_t address = event.address[lane] + std::uint64_t{element} * event.bytes;
  const std::uint64_t undefined = leads_astray              ? all
                                  : event.source != nullptr ? copied_bits(event, element, lane)
                                  : is_store                ? bits_at(reg, lane) & all
                                             : loaded_bits(issue_.insn->type, memory_bits(event, lane, address));
  if (undefined != 0) {
    access_[element].set(lane, undefined, all);
    access_origin_[element][lane] = origin_at(event, lane, element, reg);
  }
  if (is_store) store(event, lane, element, undefined);
  if (event.access != MemoryEvent::Access::Atomic) return;
  const bool is_mbarrier = lift_ == Lift::Mbarrier;
  const std::uint64_t left = leads_astray  ? all
                             : is_mbarrier ? (undefined != 0 ? all : 0)
                                           : left_by_atomic(event, lane, undefined);
  if (left != 0) stored_undefined_ |= lane_bit(lane);
  store(event, lane, element, left);
}

// An atomic may write its result over an operand before its memory event comes.
void UndefinedLanes::keep_atomic_operands(const IssueEvent& event, const Reads& reads) {
  const DecodedInsn& insn = machine_->decoded(event.pc);
  registers_ = machine_->registers(event.block, event.warp);
  const std::uint32_t rows[] = {insn.a, insn.b};
  flow_.count = reads.sources.size() + 1;  // behind what it finds
  for (std::size_t k = 0; k < flow_.count; ++k) {
    BitFlow::Source& source = flow_.sources[k];
    source.bits = bits(insn.type);
    source.is_signed = is_signed(insn.type);
    source.names_bits = false;
    source.reg = -1;
    if (k == 0) continue;
    for_each_lane(event.active, [&](unsigned lane) {
      source.value[lane] = value_at(rows[k - 1], source.bits == 64, lane);
      source.undefined[lane] = bits_at(reads.sources[k - 1], lane);
    });
  }
}

std::uint64_t UndefinedLanes::left_by_atomic(const MemoryEvent& event, unsigned lane, std::uint64_t found) {
  std::uint64_t undefined = found;
  for (std::size_t k = 1; k < flow_.count; ++k) undefined |= flow_.sources[k].undefined[lane];
  if (undefined == 0) return 0;
  const DecodedInsn& insn = machine_->decoded(issue_.pc);
  flow_.sources[0].value[lane] = event.value_of(lane, 0);
  flow_.sources[0].undefined[lane] = found;
  const auto evaluate = [&](LaneMask lanes) {
    for_each_lane(lanes, [&](unsigned l) {
      flow_.outcome().first[l] = atomic_of(insn.op, {insn.type, flow_.filling(0)[l], flow_.filling(1)[l], 0});
    });
  };
  const Spread spread = spread_of(info(insn.op), insn.type, insn.type2, insn.mods);
  return flow_.run(spread, flow_.count, bits(insn.type), lane_bit(lane), evaluate).first[lane];
}

void UndefinedLanes::store(const MemoryEvent& event, unsigned lane, unsigned element, std::uint64_t undefined) {
  if (of_ == ShadowOf::OutOfRange) return;
  const std::uint64_t address = event.address[lane] + std::uint64_t{element} * event.bytes;
  if (undefined != 0) {
    Origin origin = here(lane);
    origin.space = event.space;
    origin.object = event.object_of(lane);
    origin.index = event.index_of(lane) + element;
    origin.address = address;
    origin.before = has_lane(access_[element].undefined(), lane) ? access_origin_[element][lane] : carried_origin(lane);
    const std::int32_t number = add(origin);
    for (std::uint32_t k = 0; k < event.bytes; ++k)
      if ((undefined >> 8 * k & 0xff) != 0)
        memory_origins(event.space)[origin_key(event.space, lane, address + k)] = number;
  }
  if (event.space == MemoryEvent::Space::Global) {
    if (global_.empty() && undefined == 0) return;
    const unsigned place = 8 * static_cast<unsigned>(address & 7);
    const std::uint64_t others = global_.bits(address) & ~(value_bits(event.bytes) << place);
    return global_.set_bits(address, others | (undefined & value_bits(event.bytes)) << place);
  }
  if (address >= kMaxSharedBytes) return;
  DefinedBytes& known = defined_bytes(event, lane);
  if (known.size() < address + event.bytes) known.resize(address + event.bytes, 0);
  const std::uint64_t defined = ~undefined;
  if (event.bytes == 4) {
    const std::uint32_t word = static_cast<std::uint32_t>(defined);
    std::memcpy(known.data() + address, &word, sizeof word);
  } else {
    std::memcpy(known.data() + address, &defined, event.bytes);
  }
}

}  // namespace warpsim
