#include "sim/machine/exchange.h"

#include "isa/table/op.h"
#include "isa/text/check.h"
#include "sim/code/collective.h"
#include "sim/code/row_meaning.h"
#include "sim/machine/random.h"

namespace warpsim {
namespace {

// What a lane gets from one that takes no part: 0 is what the H200 gives (tests/data/h200_semantics: shflexited).
std::uint64_t undefined_bits(const LaunchState& state, const Warp& warp, const DecodedInsn& d, unsigned lane) {
  if (state.config.poison == 0) return 0;
  const std::uint64_t where = (std::uint64_t{warp.block} << 32 | warp.index) * kMaxLanes + lane;
  const std::uint64_t value = mixed(mixed(state.config.poison + where) + static_cast<std::uint64_t>(d.pc));
  return bits(d.type) == 64 ? value : value & ((std::uint64_t{1} << bits(d.type)) - 1);
}

}  // namespace

namespace {

// Of a shuffle or a broadcast.
ShuffleSource source_of(const LaunchState& state, const Warp& warp, const DecodedInsn& d, unsigned lane) {
  const unsigned lanes = state.code.lanes;
  const auto operand = [&](std::uint32_t row) { return static_cast<std::uint32_t>(read_row(warp, row, false, lane)); };
  const std::uint32_t c = d.lift == Lift::Shuffle ? operand(d.c) : shuffle_clamp(ShuffleMode::Idx, lanes, lanes);
  return shuffle_source(d.mode, lane, operand(d.b), c, lane_index_mask(lanes));
}

}  // namespace

void execute_exchange(const LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active, Exchange& x) {
  const bool wide = is_wide(d);
  std::uint64_t a[kMaxLanes] = {}, result[kMaxLanes] = {};
  for_each_lane(active, [&](unsigned l) { a[l] = read_row(warp, d.a, wide, l); });
  if (d.lift == Lift::Reduce || d.lift == Lift::Scan) {
    const CollectiveResult r = d.lift == Lift::Reduce
                                   ? reduce_lanes(d.op, d.type, state.code.lanes, active, a)
                                   : scan_lanes(d.op, d.type, d.mods.exclusive, state.code.lanes, active, a);
    for_each_lane(active, [&](unsigned l) {
      x.from[l] = static_cast<std::uint8_t>(l);
      const bool poisoned = state.config.poison != 0 && has_lane(r.undefined, l);
      write_row(warp, d.dst, wide, l, poisoned ? undefined_bits(state, warp, d, l) : r.value[l]);
    });
    x.in_range = active;
    x.undefined = r.undefined;
    return;
  }
  for_each_lane(active, [&](unsigned l) {
    const ShuffleSource s = source_of(state, warp, d, l);
    const bool there = has_lane(active & member_mask(state.code, warp, d, l), s.lane);
    x.from[l] = static_cast<std::uint8_t>(s.lane);
    if (s.in_range) x.in_range |= lane_bit(l);
    if (!there) x.undefined |= lane_bit(l);
    result[l] = there ? a[s.lane] : undefined_bits(state, warp, d, l);
  });
  for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, wide, l, result[l]); });
  if (d.dst_pred != kNoOffset) write_word(warp, d.dst_pred, active, x.in_range);
}

bool finds_all_sources(const LaunchState& state, const Warp& warp, const DecodedInsn& d, LaneMask active) {
  bool finds_all = true;
  for_each_lane(active, [&](unsigned l) {
    const ShuffleSource s = source_of(state, warp, d, l);
    finds_all = finds_all && has_lane(active & member_mask(state.code, warp, d, l), s.lane);
  });
  return finds_all;
}

void execute_vote(const LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active) {
  const LaneMask truth = (word(static_cast<const std::byte*>(warp.registers), d.p) ^ d.p_flip) & active;
  const bool into_predicate = d.type == Type::Pred || d.type == Type::None;
  LaneMask predicate = 0;
  for_each_lane(active, [&](unsigned l) {
    const LaneMask result = vote_of(d.op, truth, member_mask(state.code, warp, d, l) & active);
    if (into_predicate) predicate |= result != 0 ? lane_bit(l) : 0;
    else write_row(warp, d.dst, is_wide(d), l, result);
  });
  if (into_predicate) write_word(warp, d.dst, active, predicate);
}

unsigned count_different_values(const Warp& warp, const DecodedInsn& d, LaneMask active) {
  unsigned count = 0;
  for_each_lane(active, [&](unsigned l) {
    const std::uint64_t value = read_row(warp, d.a, is_wide(d), l);
    bool is_first = true;
    for_each_lane(active & (lane_bit(l) - 1),
                  [&](unsigned m) { is_first = is_first && read_row(warp, d.a, is_wide(d), m) != value; });
    count += is_first ? 1 : 0;
  });
  return count;
}

void execute_match(const LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active) {
  std::uint64_t a[kMaxLanes] = {};
  LaneMask result[kMaxLanes] = {}, predicate = 0;
  for_each_lane(active, [&](unsigned l) { a[l] = read_row(warp, d.a, is_wide(d), l); });
  for_each_lane(active, [&](unsigned l) {
    LaneMask same = 0;
    for_each_lane(active, [&](unsigned m) { same |= a[m] == a[l] ? lane_bit(m) : 0; });
    result[l] = vote_of(d.op, same, member_mask(state.code, warp, d, l) & active);
    if (result[l] != 0) predicate |= lane_bit(l);
  });
  for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, state.code.lanes > 32, l, result[l]); });
  if (d.dst_pred != kNoOffset) write_word(warp, d.dst_pred, active, predicate);
}

void execute_redux(const LaunchState& state, Warp& warp, const DecodedInsn& d, LaneMask active) {
  const Combine combine = combine_of(d.op, d.type);
  WARPSIM_CHECK(combine != nullptr);
  std::uint64_t a[kMaxLanes] = {}, result[kMaxLanes] = {};
  for_each_lane(active, [&](unsigned l) { a[l] = read_row(warp, d.a, is_wide(d), l); });
  for_each_lane(active, [&](unsigned l) {
    const LaneMask members = member_mask(state.code, warp, d, l) & active;
    result[l] = a[first_lane(members)];
    for_each_lane(members & (members - 1), [&](unsigned m) { result[l] = combine(result[l], a[m]); });
  });
  for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, is_wide(d), l, result[l]); });
}

void execute_reduction(Warp& warp, int group, const DecodedInsn& d, LaneMask active) {
  const std::uint64_t result = warp.divergence.groups()[static_cast<std::size_t>(group)].reduced;
  if (d.type == Type::Pred) return write_word(warp, d.dst, active, result != 0 ? active : 0);
  for_each_lane(active, [&](unsigned l) { write_row(warp, d.dst, is_wide(d), l, result); });
}

}  // namespace warpsim
