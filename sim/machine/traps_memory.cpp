// What a trap of memory says: which lane, which element or address, and how far outside.
#include <algorithm>
#include <utility>

#include "isa/text/number_text.h"
#include "sim/machine/memory_unit.h"
#include "sim/machine/traps.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kNullBytes = 4096;                  // nothing is allocated there: the null pointer's neighbours
constexpr std::uint64_t kMostFar = std::uint64_t{1} << 30;  // an allocation farther away says nothing about an access

struct Words {
  Message what, hint;
};

// "lane 3 reads a[12]"
Message deed(const DecodedInsn& d, unsigned lane, Message place) {
  const MessageId verb = d.lift == Lift::Load                            ? MessageId::ReadsPlace
                         : d.lift == Lift::Store || d.lift == Lift::Copy ? MessageId::WritesPlace
                                                                         : MessageId::ChangesPlace;
  return {verb, {lane_named(lane), std::move(place)}};
}

Message bytes_at(std::uint64_t size, std::uint64_t address) {
  if (size == 1) return {MessageId::ByteAt, {hexadecimal_text(address)}};
  return {MessageId::BytesAt, {size, hexadecimal_text(address)}};
}

// An element of a buffer whose parameter is bound to nothing: "lane 3 reads a[3], in a, which was freed".
Words unbound_element(const LaunchState& state, const DecodedInsn& d, Message access) {
  const std::uint64_t address = state.memory.of_param(d.object)->address;
  if (const DeviceMemory::Freed* gone = state.memory.part_with(address).freed(address); gone != nullptr)
    return {{MessageId::AccessFreed, {std::move(access), gone->name}}, MessageId::TryFreeLater};
  return {{MessageId::NothingAllocated, {std::move(access), hexadecimal_text(address)}}, MessageId::TryBindAllocated};
}

// An access by name: "lane 3 reads a[12], 3 elements past the end of its 10".
Words named_element(const LaunchState& state, TrapKind kind, const DecodedInsn& d, const MemoryAccess& x, unsigned l) {
  const bool shared = d.space == AddressSpace::Shared;
  const Type type = state.program.held_in(d.space, d.object).element;
  const std::uint64_t size = shared ? state.code.shared[static_cast<std::size_t>(d.object)].size_bytes
                                    : state.memory.of_param(d.object)->size_bytes;
  const std::int64_t length = static_cast<std::int64_t>(size) / bytes(type);
  const std::int64_t first = x.index[l], last = first + std::max<std::int64_t>(x.size_bytes() / bytes(type), 1) - 1;
  const std::string element = state.program.element_name(d.space, d.object, first);
  Message access = deed(d, l, last > first ? Message(MessageId::ElementsTo, {element, last}) : Message(element));
  if (kind != TrapKind::OutOfBounds) return {std::move(access), {}};
  if (!shared && state.memory.of_param(d.object)->bytes == nullptr) return unbound_element(state, d, std::move(access));
  const std::int64_t far = first < 0 ? -first : last - length + 1;
  const MessageId one = first < 0 ? MessageId::OneElementBeforeStart : MessageId::OneElementPastEnd;
  const MessageId several = first < 0 ? MessageId::ElementsBeforeStart : MessageId::ElementsPastEnd;
  return {far == 1 ? Message(one, {std::move(access), length}) : Message(several, {std::move(access), far, length}),
          MessageId::TryGuardAccess};
}

// An access by a pointer: "lane 3 reads 4 bytes at 0x1030, 4 bytes past the end of a".
Words pointed_bytes(const LaunchState& state, TrapKind kind, const DecodedInsn& d, const MemoryAccess& x, unsigned l) {
  const std::uint64_t address = x.address[l];
  Words words{deed(d, l, bytes_at(x.size_bytes(), address)), MessageId::TryFollowPointer};
  if (kind != TrapKind::OutOfBounds) return words;
  if (d.space == AddressSpace::Local || d.space == AddressSpace::Param) {
    const bool local = d.space == AddressSpace::Local;
    words.what = {local ? MessageId::LocalHasBytes : MessageId::ParamsHaveBytes,
                  {std::move(words.what), local ? x.warp->local.stacks[l].end : state.code.params.size()}};
    return words;
  }
  if (d.space == AddressSpace::Shared) {
    const std::uint64_t there = state.code.shared_bytes;
    words.what = there == 1 ? Message(MessageId::SharedHasOneByte, {std::move(words.what)})
                            : Message(MessageId::SharedHasBytes, {std::move(words.what), there});
  } else if (address < kNullBytes) {
    words = {address == 0 ? Message(MessageId::AccessNull, {std::move(words.what)})
                          : Message(MessageId::AccessNearNull, {std::move(words.what), address}),
             MessageId::TryNotNull};
  } else if (const DeviceMemory::Freed* gone = state.memory.part_with(address).freed(address); gone != nullptr) {
    const bool by_kernel = state.memory.heap().freed(address) == gone;
    words = {{MessageId::AccessFreed, {std::move(words.what), gone->name}},
             by_kernel ? MessageId::TryFreeAfterUse : MessageId::TryFreeLater};
  } else if (const DeviceMemory::Allocation* near = state.memory.part_with(address).nearest(address); near == nullptr) {
    words.what = {MessageId::AccessNowhere, {std::move(words.what)}};
  } else {
    const bool before = address < near->address;
    const std::uint64_t far = before ? near->address - address : address - std::min(near->end(), address);
    if (far > kMostFar) words.what = {MessageId::AccessNowhere, {std::move(words.what)}};
    if (far > kMostFar) return words;
    const MessageId one = before ? MessageId::OneByteBeforeStart : MessageId::OneBytePastEnd;
    const MessageId several = before ? MessageId::BytesBeforeStart : MessageId::BytesPastEnd;
    words.what = far == 0   ? Message(MessageId::RightBehindEnd, {std::move(words.what), near->name})
                 : far == 1 ? Message(one, {std::move(words.what), near->name})
                            : Message(several, {std::move(words.what), far, near->name});
  }
  return words;
}

}  // namespace

void trap_mbarrier(LaunchState& state, const Warp& warp, const DecodedInsn& d, unsigned l, std::uint64_t arrivals,
                   std::uint64_t missing, const MemoryAccess& x) {
  const Message place = d.object >= 0 ? Message(state.program.element_name(d.space, d.object, x.index[l]))
                                      : bytes_at(x.size_bytes(), x.address[l]);
  if (missing == 0)
    return trap(state, TrapKind::Mbarrier, warp, d.pc, lane_bit(l), {MessageId::ArrivesAtNoBarrier, {l, place}},
                MessageId::TryMbarrierInit);
  trap(state, TrapKind::Mbarrier, warp, d.pc, lane_bit(l), {MessageId::ArrivesTooOften, {l, arrivals, place, missing}},
       MessageId::TryMbarrierCount);
}

void trap_access(LaunchState& state, TrapKind kind, const Warp& warp, const DecodedInsn& d, LaneMask faulty,
                 const MemoryAccess& x) {
  const unsigned l = first_lane(faulty), others = count_lanes(faulty) - 1;
  Words words = d.object >= 0 ? named_element(state, kind, d, x, l) : pointed_bytes(state, kind, d, x, l);
  if (kind == TrapKind::Misaligned)
    words = {{MessageId::AccessUnaligned, {std::move(words.what), x.size_bytes()}},
             {MessageId::TryAlign, {x.size_bytes()}}};
  if (kind == TrapKind::ReadOnly) {
    const GlobalMemory::Buffer* const b =
        d.object >= 0 ? state.memory.of_param(d.object) : state.memory.buffer_at(x.address[l]);
    const bool is_in = b != nullptr && state.program.params[static_cast<std::size_t>(b->param)].kind == Param::Kind::In;
    words = {{is_in ? MessageId::AccessToInput : MessageId::AccessReadOnly, {std::move(words.what)}},
             is_in ? MessageId::TryDeclareOut : MessageId::TryWriteElsewhere};
  }
  if (others == 1) words.what = {MessageId::AndOneOtherLane, {std::move(words.what)}};
  if (others > 1) words.what = {MessageId::AndOtherLanes, {std::move(words.what), others}};
  if (!state.result.ok) return;
  trap(state, kind, warp, d.pc, faulty, std::move(words.what), std::move(words.hint));
  if (kind == TrapKind::OutOfBounds && d.space != AddressSpace::Shared) state.result.trap.address = x.address[l];
}

}  // namespace warpsim
