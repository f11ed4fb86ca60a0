// See groups.h.
#include "sim/engine/groups.h"

#include <algorithm>

namespace warpsim::engine {

void forget_waiting(Frame& frame) { frame.lowest = frame.waiting; }

std::uint32_t passed_over(const Frame& frame) { return frame.left == frame.joined_at ? frame.passed_over : 0; }

void wait(Frame& frame, const Waiting& group) {
  Waiting* at = frame.lowest;
  while (at->pc < group.pc) --at;
  if (at->pc == group.pc) {
    at->lanes |= group.lanes;
    at->since = std::max(at->since, group.since);
    return;
  }
  for (Waiting* one = frame.lowest; one != at; --one) {  // few: a call of memmove() takes longer
    one[1].pc = one->pc;
    one[1].lanes = one->lanes;
    one[1].since = one->since;
  }
  at[1] = group;
  ++frame.lowest;
}

namespace {

// The one that is the lowest now, and does not wait, goes on.
const std::byte* go_on(Frame& frame, const Waiting& group) {
  frame.below = frame.lowest->pc;
  frame.regrouped = true;
  frame.pc = group.pc;
  frame.lanes = group.lanes;
  frame.joined_at = frame.left;
  frame.passed_over = static_cast<std::uint32_t>(group.since - frame.left);
  const std::size_t whole = group.lanes == frame.all ? 1 : 0;
  if (frame.entries[whole] == nullptr) return nullptr;
  const std::size_t entry = frame.entries[whole][static_cast<std::size_t>(group.pc)];
  return entry == 0 ? nullptr : frame.code[whole] + entry;
}

// This one, if it is the lowest; together with who waits there, or instead the lowest of them.
const std::byte* go_on_or_wait(Frame& frame, Waiting group) {
  if (frame.lowest->pc > group.pc) return go_on(frame, group);
  const Waiting lowest = *frame.lowest--;
  if (lowest.pc == group.pc) {
    group.lanes |= lowest.lanes;
    group.since = std::max(group.since, lowest.since);
    return go_on(frame, group);
  }
  wait(frame, group);
  return go_on(frame, lowest);
}

}  // namespace

const std::byte* diverge(Frame& frame, std::int32_t pc, std::int32_t target, LaneMask taken) {
  const Waiting taking{target, taken, frame.left}, staying{pc + 1, frame.lanes & ~taken, frame.left};
  wait(frame, target < pc ? staying : taking);
  return go_on_or_wait(frame, target < pc ? taking : staying);
}

const std::byte* arrive(Frame& frame, std::int32_t pc) {
  return go_on_or_wait(frame, {pc, frame.lanes, frame.left + passed_over(frame)});
}

}  // namespace warpsim::engine
