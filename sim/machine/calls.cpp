// See calls.h.
#include "sim/machine/calls.h"

#include <algorithm>

#include "isa/kernels/windows.h"
#include "isa/text/number_text.h"
#include "sim/machine/traps.h"

namespace warpsim {

void LocalMemory::make_room(std::uint64_t end) {
  if (end <= stride) return;
  const std::uint64_t grown = std::max(end, std::min(2 * stride, kMostLocalBytes));
  std::vector<std::byte> moved(grown * stacks.size());
  for (std::size_t lane = 0; lane < stacks.size(); ++lane)
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(lane * stride), stride,
                moved.begin() + static_cast<std::ptrdiff_t>(lane * grown));
  bytes = std::move(moved);
  stride = grown;
}

namespace {

void add(std::vector<Calls::Path>& paths, std::int32_t pc, unsigned lane) {
  const auto path = std::find_if(paths.begin(), paths.end(), [pc](const Calls::Path& one) { return one.pc == pc; });
  if (path != paths.end()) path->lanes |= lane_bit(lane);
  else paths.push_back({pc, lane_bit(lane)});
}

// A register of a lane, whatever it is.
std::uint64_t get(const LaunchState& state, const Warp& warp, std::int32_t reg, unsigned lane) {
  const std::size_t r = static_cast<std::size_t>(reg);
  const std::uint32_t offset = state.code.register_offset[r];
  if (state.program.registers[r].cls == RegClass::Pred)
    return word(static_cast<const std::byte*>(warp.registers), offset) >> lane & 1;
  return read_row(warp, offset, state.code.register_wide[r], lane);
}
void put(const LaunchState& state, Warp& warp, std::int32_t reg, unsigned lane, std::uint64_t value) {
  const std::size_t r = static_cast<std::size_t>(reg);
  const std::uint32_t offset = state.code.register_offset[r];
  if (state.program.registers[r].cls == RegClass::Pred)
    return write_word(warp, offset, lane_bit(lane), value != 0 ? lane_bit(lane) : 0);
  write_row(warp, offset, state.code.register_wide[r], lane, value);
}

void set_frame(const LaunchState& state, Warp& warp, unsigned lane, std::uint64_t frame, std::uint64_t end) {
  LaneStack& stack = warp.local.stacks[lane];
  stack.frame = frame;
  stack.end = end;
  if (state.code.frame_row != kNoOffset) write_row(warp, state.code.frame_row, true, lane, frame);
}

}  // namespace

std::vector<Calls::Path> Calls::paths(Warp& warp, const DecodedInsn& d, LaneMask active) {
  switch (d.lift) {
    case Lift::Call: return call(warp, d, active);
    case Lift::Return: return come_back(warp, active);
    default: return dispatch(warp, d, active);
  }
}

// Null: no function's address.
const Routine* Calls::called(const Warp& warp, const DecodedInsn& d, unsigned lane) const {
  const std::vector<Routine>& all = state_.program.routines;
  if (d.op == Op::Call) return state_.program.routine_at(d.target);
  const std::uint64_t address = read_row(warp, d.a, true, lane) - kFunctionWindow;
  const auto found = std::find_if(all.begin(), all.end(), [&](const Routine& one) {
    return !one.is_kernel && address == one.function * kFunctionBytes;
  });
  return found == all.end() ? nullptr : &*found;
}

void Calls::push(Warp& warp, const Routine& from, const Routine& to, std::int32_t back, unsigned lane) {
  LaneStack& stack = warp.local.stacks[lane];
  CallFrame& frame = stack.calls.emplace_back(CallFrame{back, stack.frame, stack.end, {}});
  for (const std::int32_t reg : from.kept) frame.kept.push_back(get(state_, warp, reg, lane));
  const std::uint64_t next = stack.frame + from.next_frame(), end = end_of_frame(to, next);
  warp.local.make_room(end);
  set_frame(state_, warp, lane, next, end);
}

std::vector<Calls::Path> Calls::call(Warp& warp, const DecodedInsn& d, LaneMask active) {
  const Routine& from = *state_.program.routine_at(d.pc);
  std::vector<Path> paths;
  LaneMask nowhere = 0, full = 0;
  for_each_lane(active, [&](unsigned lane) {
    const Routine* const to = called(warp, d, lane);
    const LaneStack& stack = warp.local.stacks[lane];
    if (to == nullptr) nowhere |= lane_bit(lane);
    else if (stack.calls.size() >= kMostCalls || end_of_frame(*to, stack.frame + from.next_frame()) > kMostLocalBytes)
      full |= lane_bit(lane);
    else add(paths, to->first, lane);
  });
  if (nowhere != 0) {
    trap(state_, TrapKind::NoFunction, warp, d.pc, nowhere,
         {MessageId::CallsNoFunction,
          {lane_named(first_lane(nowhere)), hexadecimal_text(read_row(warp, d.a, true, first_lane(nowhere)))}},
         MessageId::TryFollowPointer);
    return {};
  }
  if (full != 0) {
    trap(state_, TrapKind::StackOverflow, warp, d.pc, full,
         {MessageId::CallsTooDeep,
          {lane_named(first_lane(full)), warp.local.stacks[first_lane(full)].calls.size(),
           warp.local.stacks[first_lane(full)].end}},
         {MessageId::TryLessRecursion, {kMostCalls, kMostLocalBytes}});
    return {};
  }
  for (const Path& path : paths)
    for_each_lane(path.lanes,
                  [&](unsigned lane) { push(warp, from, *state_.program.routine_at(path.pc), d.pc + 1, lane); });
  return paths;
}

std::vector<Calls::Path> Calls::come_back(Warp& warp, LaneMask active) {
  std::vector<Path> paths;
  for_each_lane(active, [&](unsigned lane) {
    LaneStack& stack = warp.local.stacks[lane];
    const CallFrame frame = std::move(stack.calls.back());
    stack.calls.pop_back();
    const std::vector<std::int32_t>& kept = state_.program.routine_at(frame.back - 1)->kept;
    for (std::size_t k = 0; k < kept.size(); ++k) put(state_, warp, kept[k], lane, frame.kept[k]);
    set_frame(state_, warp, lane, frame.frame, frame.end);
    add(paths, frame.back, lane);
  });
  return paths;
}

std::vector<Calls::Path> Calls::dispatch(Warp& warp, const DecodedInsn& d, LaneMask active) {
  const std::vector<std::int32_t>& table = state_.program.tables[static_cast<std::size_t>(d.target)];
  std::vector<Path> paths;
  LaneMask outside = 0;
  for_each_lane(active, [&](unsigned lane) {
    const std::uint64_t index = read_row(warp, d.a, false, lane);
    if (index < table.size()) add(paths, table[index], lane);
    else outside |= lane_bit(lane);
  });
  if (outside == 0) return paths;
  trap(state_, TrapKind::NoFunction, warp, d.pc, outside,
       {MessageId::NoSuchLabel,
        {lane_named(first_lane(outside)), read_row(warp, d.a, false, first_lane(outside)), table.size()}},
       MessageId::TryGuardIndex);
  return {};
}

// The last path is the group's own: to split lanes off leaves the group where it is.
void Calls::diverge(Warp& warp, int group, std::int32_t pc, LaneMask active, const std::vector<Path>& paths) {
  const LaneMask staying = warp.divergence.groups()[static_cast<std::size_t>(group)].lanes & ~active;
  if (staying != 0 && !paths.empty()) warp.divergence.split_off(group, staying, pc + 1, gathering_.joined);
  for (std::size_t k = 0; k + 1 < paths.size(); ++k)
    warp.divergence.split_off(group, paths[k].lanes, paths[k].pc, gathering_.joined);
  warp.divergence.move(group, paths.empty() ? pc + 1 : paths.back().pc, gathering_.joined);
}

}  // namespace warpsim
