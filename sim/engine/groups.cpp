// See groups.h.
#include "sim/engine/groups.h"

#include <algorithm>

namespace warpsim::engine {

void forget_waiting(Frame& frame) { frame.waiting.lowest = 0; }

std::uint32_t passed_over(const Frame& frame) { return frame.left == frame.joined_at ? frame.passed_over : 0; }

void wait(Frame& frame, std::int32_t pc, LaneMask lanes, std::uint64_t since) {
  Waiting& all = frame.waiting;
  std::uint64_t at = all.lowest;
  while (all.pc[at] < pc) --at;
  if (all.pc[at] == pc) {
    all.lanes[at] |= lanes;
    all.since[at] = std::max(all.since[at], since);
    return;
  }
  // Few, up to the one found above, which is asked once more: of a loop that counts compilers make calls of memmove().
  for (at = ++all.lowest; all.pc[at - 1] < pc; --at) {
    all.pc[at] = all.pc[at - 1];
    all.lanes[at] = all.lanes[at - 1];
    all.since[at] = all.since[at - 1];
  }
  all.pc[at] = pc;
  all.lanes[at] = lanes;
  all.since[at] = since;
}

namespace {

// The one that is the lowest now, and does not wait, goes on.
const std::byte* go_on(Frame& frame, std::int32_t pc, LaneMask lanes, std::uint64_t since) {
  frame.below = lowest_pc(frame);
  frame.regrouped = true;
  frame.pc = pc;
  frame.lanes = lanes;
  frame.joined_at = frame.left;
  frame.passed_over = static_cast<std::uint32_t>(since - frame.left);
  const std::size_t whole = lanes == frame.all ? 1 : 0;
  if (frame.entries[whole] == nullptr) return nullptr;
  const std::size_t entry = frame.entries[whole][static_cast<std::size_t>(pc)];
  return entry == 0 ? nullptr : frame.code[whole] + entry;
}

// This one, if it is the lowest; together with who waits there, or instead the lowest of them.
const std::byte* go_on_or_wait(Frame& frame, std::int32_t pc, LaneMask lanes, std::uint64_t since) {
  Waiting& all = frame.waiting;
  const std::int32_t of_lowest = lowest_pc(frame);
  if (of_lowest > pc) return go_on(frame, pc, lanes, since);
  const LaneMask others = all.lanes[all.lowest];
  const std::uint64_t since_when = all.since[all.lowest--];
  if (of_lowest == pc) return go_on(frame, pc, lanes | others, std::max(since, since_when));
  wait(frame, pc, lanes, since);
  return go_on(frame, of_lowest, others, since_when);
}

}  // namespace

const std::byte* diverge(Frame& frame, std::int32_t pc, std::int32_t target, LaneMask taken) {
  const LaneMask staying = frame.lanes & ~taken;
  if (target < pc) {
    wait(frame, pc + 1, staying, frame.left);
    return go_on_or_wait(frame, target, taken, frame.left);
  }
  wait(frame, target, taken, frame.left);
  return go_on_or_wait(frame, pc + 1, staying, frame.left);
}

const std::byte* arrive(Frame& frame, std::int32_t pc) {
  return go_on_or_wait(frame, pc, frame.lanes, frame.left + passed_over(frame));
}

}  // namespace warpsim::engine
