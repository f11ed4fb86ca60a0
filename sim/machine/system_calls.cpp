// See system_calls.h.
#include "sim/machine/system_calls.h"

#include <optional>
#include <string>

#include "isa/kernels/windows.h"
#include "isa/text/number_text.h"
#include "sim/machine/traps.h"
#include "sim/memory/device_printf.h"

namespace warpsim {
namespace {

constexpr std::size_t kMostPrinted = std::size_t{1} << 20;  // bytes of a launch, as CUDA's buffer has by default

ByteReader reader_of(MemoryUnit& memory, Warp& warp, std::int32_t pc, unsigned lane) {
  return [&memory, &warp, pc, lane](std::uint64_t address) { return memory.peek(warp, pc, lane, address); };
}

constexpr std::uint64_t kHeapBytes = std::uint64_t{8} << 20;  // cudaLimitMallocHeapSize, by default
constexpr std::uint64_t kHeapAlignment = 16;
constexpr std::uint64_t kHeapHeader = 16;  // unverified: so many are taken beside each, so that small ones are few

Message bad_free(const DeviceMemory& heap, std::uint64_t address, unsigned lane) {
  if (const DeviceMemory::Freed* const gone = heap.freed(address); gone != nullptr && gone->address == address)
    return {MessageId::FreesAgain, {lane, gone->name}};
  if (const DeviceMemory::Allocation* const in = heap.find(address, 1))
    return {MessageId::FreesInside, {lane, hexadecimal_text(address), address - in->address, in->name}};
  return {MessageId::FreesUnknown, {lane, hexadecimal_text(address)}};
}

}  // namespace

void allocate(LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active) {
  DeviceMemory& heap = state.memory.heap();
  const std::uint32_t line = state.program.code[static_cast<std::size_t>(d.pc)].where.line;
  for_each_lane(active, [&](unsigned lane) {
    const std::uint64_t size = read_row(warp, d.a, true, lane);
    std::optional<std::uint64_t> address;
    const std::uint64_t used = heap.allocated_bytes() + heap.size() * kHeapHeader;
    if (size != 0 && size <= kHeapBytes && used <= kHeapBytes - size)
      address =
          heap.allocate(size, "the " + std::to_string(size) + " bytes that malloc gave in line " + std::to_string(line),
                        kHeapAlignment);
    const bool fits = address && *address + size <= kHeapEnd;
    if (address && !fits) static_cast<void>(heap.free(*address));
    write_row(warp, d.dst, true, lane, fits ? *address : 0);
  });
}

void release(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active) {
  memory.forget_places();
  for_each_lane(active, [&](unsigned lane) {
    const std::uint64_t address = read_row(warp, d.a, true, lane);
    if (!state.result.ok || address == 0 || state.memory.heap().free(address)) return;
    trap(state, TrapKind::OutOfBounds, warp, d.pc, lane_bit(lane), bad_free(state.memory.heap(), address, lane),
         MessageId::TryFreeOnce);
  });
}

void print(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active) {
  RunResult& result = state.result;
  for_each_lane(active, [&](unsigned lane) {
    const Printed printed = device_printf(read_row(warp, d.a, true, lane), read_row(warp, d.b, true, lane),
                                          reader_of(memory, warp, d.pc, lane));
    const std::size_t room = kMostPrinted - result.printed.size();
    result.printed_all = result.printed_all && printed.text.size() <= room;
    result.printed += printed.text.substr(0, room);
    if (d.dst != kNoOffset) write_row(warp, d.dst, false, lane, printed.arguments);
  });
}

void fail_assertion(LaunchState& state, MemoryUnit& memory, Warp& warp, const DecodedInsn& d, LaneMask active) {
  const unsigned lane = first_lane(active);
  const ByteReader read = reader_of(memory, warp, d.pc, lane);
  const auto text = [&](std::uint32_t row) { return device_string(read_row(warp, row, true, lane), read); };
  trap(state, TrapKind::Trap, warp, d.pc, active,
       {MessageId::AssertionFailed,
        {lanes_named(active), text(d.a), text(d.d), text(d.b), std::to_string(read_row(warp, d.c, false, lane))}},
       MessageId::HintProgramTrap);
}

}  // namespace warpsim
