// A run whose whole state comes again loops for ever; see livelock.h.
#include "sim/machine/livelock.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

#include "sim/machine/traps.h"

namespace warpsim {

template <class F>
void LivelockWatch::for_each_writable(F f) const {
  state_.memory.device().for_each([&](const DeviceMemory::Allocation& a) {
    if (!state_.memory.is_read_only(a)) f(a);
  });
  state_.memory.heap().for_each(f);
}

LivelockWatch::LivelockWatch(const LaunchState& state) : state_(state) {
  // What is the same on every host, and what is not.
  std::size_t bytes = state.most_warps() * state.code.block_template.size();
  const std::size_t own_bytes = state.most_warps() * sizeof(WarpState);
  bytes += state.room() * state.code.shared_bytes;
  for_each_writable([&](const DeviceMemory::Allocation& a) { bytes += a.size_bytes; });
  const Schedule::Order order = state.config.schedule.order;
  is_on_ = order != Schedule::Order::Fuzz && !state.config.timing && bytes + own_bytes <= kMostStateBytes;
  next_cycle_ = order == Schedule::Order::Blocks
                    ? std::max<std::uint64_t>(kFirstStateCycleOfMuch, (bytes + own_bytes) / kStateBytesAnIssue)
                    : std::clamp<std::uint64_t>(bytes / kStateBytesAnIssue, kFirstStateCycle, kFirstStateCycleOfMuch);
}

std::span<const std::byte> LivelockWatch::registers_of(const Warp& warp) const {
  if (warp.registers == nullptr) return {};
  return {warp.registers, state_.code.block_template.size()};
}

LivelockWatch::WarpState LivelockWatch::state_of(const Warp& warp, std::uint64_t now) const {
  const std::span<const std::byte> registers = registers_of(warp);
  return {warp.alive, warp.cycle > now ? warp.cycle - now : 0, warp.divergence.groups(), warp.divergence.frames(),
          warp.local, {registers.begin(), registers.end()}};
}

void LivelockWatch::keep_warp(std::uint32_t warp) {
  kept_ = Kept::Warp;
  cycle_ = state_.warps[warp].cycle;
  next_cycle_ = std::max(2 * next_cycle_, cycle_ + 1);
  warp_ = differed_ = warp;
  warps_.resize(state_.warps.size());
  warps_[warp] = state_of(state_.warps[warp], cycle_);
}

void LivelockWatch::keep_all() {
  kept_ = Kept::All;
  cycle_ = state_.warps[warp_].cycle;
  warps_.clear();
  for (const Warp& w : state_.warps) warps_.push_back(state_of(w, cycle_));
  shared_ = state_.shared;
  buffers_.clear();
  for_each_writable([&](const DeviceMemory::Allocation& a) { buffers_.emplace_back(a.bytes, a.bytes + a.size_bytes); });
}

bool LivelockWatch::is_as_kept(std::uint32_t warp, std::uint64_t now) const {
  const Warp& w = state_.warps[warp];
  const WarpState& kept = warps_[warp];
  if (w.alive != kept.alive || (w.cycle > now ? w.cycle - now : 0) != kept.ahead) return false;
  if (w.divergence.groups() != kept.groups || w.divergence.frames() != kept.frames || !(w.local == kept.local))
    return false;
  const std::span<const std::byte> registers = registers_of(w);
  return std::equal(registers.begin(), registers.end(), kept.registers.begin(), kept.registers.end());
}

// The warp that made the difference the last time mostly makes it again.
bool LivelockWatch::all_is_as_kept(std::uint32_t warp) {
  const std::uint64_t now = state_.warps[warp].cycle;
  if (!is_as_kept(warp, now) || !is_as_kept(differed_, now)) return false;
  for (std::uint32_t j = 0; j < state_.warps.size(); ++j) {
    if (is_as_kept(j, now)) continue;
    differed_ = j;
    return false;
  }
  if (state_.shared != shared_) return false;
  auto kept = buffers_.begin();
  bool same = true;
  for_each_writable([&](const DeviceMemory::Allocation& a) {
    same = same && std::equal(kept->begin(), kept->end(), a.bytes);
    ++kept;
  });
  return same;
}

bool LivelockWatch::repeats(std::uint32_t warp) {
  if (kept_ == Kept::All && warp == warp_ && all_is_as_kept(warp)) return true;
  const std::uint64_t now = state_.warps[warp].cycle;
  if (now >= next_cycle_) keep_warp(warp);
  else if (kept_ == Kept::Warp && warp == warp_ && is_as_kept(warp, now)) keep_all();
  return false;
}

// ---- the trap

namespace {

bool stands_before(const Program& program, std::int32_t a, std::int32_t b) {
  const SourceRange x = program.place(a), y = program.place(b);
  return std::tie(x.file, x.line) < std::tie(y.file, y.line);
}

}  // namespace

namespace {

// stands_before(), asked again and again of the same lines: lanes of a group have mostly passed the same ones.
class StandsBefore {
 public:
  explicit StandsBefore(const Program& program) : program_(program) {}
  bool operator()(std::int32_t pc, std::int32_t other) {
    if (pc != pc_ || other != other_) answer_ = stands_before(program_, pc_ = pc, other_ = other);
    return answer_;
  }

 private:
  const Program& program_;
  std::int32_t pc_ = -1, other_ = -1;
  bool answer_ = false;
};

}  // namespace

void LoopRound::on_issue(const IssueEvent& event) {
  StandsBefore is_first(state_.program), is_last(state_.program);
  LoopLines& loop = lines_[state_.number_of(*state_.find(event.block, event.warp))];
  for_each_lane(event.group, [&](unsigned lane) {
    if (!has_lane(loop.lanes, lane)) loop.first[lane] = loop.last[lane] = event.pc;
    if (is_first(event.pc, loop.first[lane])) loop.first[lane] = event.pc;
    if (is_last(loop.last[lane], event.pc)) loop.last[lane] = event.pc;
  });
  loop.lanes |= event.group;
  const Lift lift = info(event.insn->op).lift;
  if (event.active != 0 && (lift == Lift::Load || lift == Lift::Atomic || lift == Lift::Mbarrier || lift == Lift::Copy))
    loop.reads_memory = true;
}

namespace {

// What a lane that loops, or stands still, is said to do.
Message loop_in_words(const Program& program, const LanePlace& place, const LoopLines& lines) {
  const LaneMask lanes = place.lanes & lines.lanes;
  if (lanes == 0) return place.waits_for.empty() ? MessageId::NeverHasItsTurn : place.waits_for;
  std::int32_t first = lines.first[first_lane(lanes)], last = lines.last[first_lane(lanes)];
  for_each_lane(lanes, [&](unsigned lane) {
    if (stands_before(program, lines.first[lane], first)) first = lines.first[lane];
    if (stands_before(program, last, lines.last[lane])) last = lines.last[lane];
  });
  if (!stands_before(program, first, last)) return {MessageId::LoopsOverLine, {program.line(first)}};
  return {MessageId::LoopsOverLines, {program.line(first), program.line(last)}};
}

}  // namespace

void trap_livelock(LaunchState& state, const Warp& warp, Message what, const LoopRound& round) {
  bool reads = false, others_wait = false;
  for (const Warp& w : state.warps) {
    const LoopLines lines = round.lines(w.block, w.index);
    reads = reads || lines.reads_memory;
    others_wait = others_wait || (lines.reads_memory && (w.alive & ~lines.lanes) != 0);
  }
  const bool stack = state.config.reconvergence == Reconvergence::Stack;
  const MessageId hint = stack && others_wait                   ? MessageId::TryFinishBeforeWaiting
                         : reads && state.blocks_waiting() != 0 ? MessageId::TryFewerBlocks
                         : reads                                ? MessageId::MemoryNeverChanges
                                                                : MessageId::LoopTestNeverChanges;
  const Group& g = warp.divergence.groups()[static_cast<std::size_t>(std::max(warp.divergence.next_ready(), 0))];
  trap(state, TrapKind::Livelock, warp, g.pc, g.lanes, std::move(what), hint);
  for (LanePlace& place : state.result.trap.places) {
    if (place.pc >= 0) place.waits_for = loop_in_words(state.program, place, round.lines(place.block, place.warp));
  }
}

}  // namespace warpsim
