// Votes, matches and reductions over lanes of which some are undefined: see undefined.h.
#include "sim/check/undefined.h"
#include "sim/code/collective.h"
#include "sim/code/register_file.h"
#include "sim/code/row_meaning.h"
#include "sim/machine/machine.h"

namespace warpsim {

std::uint64_t UndefinedLanes::value_at(std::uint32_t row_offset, bool wide, unsigned lane) const {
  return wide ? row<std::uint64_t>(registers_, row_offset)[lane] : row<std::uint32_t>(registers_, row_offset)[lane];
}

LaneMask UndefinedLanes::members_of(const DecodedInsn& insn, unsigned lane) const {
  if (insn.member_mask == kNoOffset) return issue_.active;
  return value_at(insn.member_mask, lanes_ > 32, lane) & issue_.active;
}

// All undefined lanes false, all true, and one of them true: a vote that none of these changes is decided.
void UndefinedLanes::vote(const IssueEvent& event) {
  const DecodedInsn& insn = machine_->decoded(event.pc);
  const bool into_predicate = info(insn.op).form == Form::Vote;
  const std::uint64_t all = into_predicate ? 1 : low_ones(bits(insn.type));
  const LaneMask undefined = carried_ & event.active;
  const LaneMask truth = (word(registers_, insn.p) ^ insn.p_flip) & event.active & ~undefined;
  for_each_lane(event.active, [&](unsigned lane) {
    const LaneMask members = members_of(insn, lane), of_members = undefined & members;
    LaneMask common = ~LaneMask{0}, either = 0;
    for (const LaneMask filled : {LaneMask{0}, of_members, of_members & (0 - of_members)}) {
      const LaneMask result = vote_of(insn.op, truth | filled, members);
      const LaneMask shown = into_predicate ? LaneMask{result != 0} : result;
      common &= shown;
      either |= shown;
    }
    result_[0].set(lane, either & ~common & all, all);
  });
}

// Two lanes hold the same value for certain, or may: a defined bit that differs rules it out.
void UndefinedLanes::match(const IssueEvent& event, std::int32_t reg) {
  const DecodedInsn& insn = machine_->decoded(event.pc);
  const bool wide = bits(insn.type) == 64, is_of_all = info(insn.op).form == Form::MatchAll;
  const std::uint64_t all = low_ones(lanes_ > 32 ? 64 : 32);
  std::array<LaneMask, kMaxLanes> certain{}, possible{};
  for_each_lane(event.active, [&](unsigned lane) {
    certain[lane] = possible[lane] = lane_bit(lane);
    for_each_lane(event.active & ~lane_bit(lane), [&](unsigned other) {
      const std::uint64_t undefined = bits_at(reg, lane) | bits_at(reg, other);
      if (((value_at(insn.a, wide, lane) ^ value_at(insn.a, wide, other)) & ~undefined) != 0) return;
      possible[lane] |= lane_bit(other);
      if (undefined == 0) certain[lane] |= lane_bit(other);
    });
  });
  for_each_lane(event.active, [&](unsigned lane) {
    const LaneMask members = members_of(insn, lane);
    bool two_differ = false;  // then not all are the same, whatever this lane holds
    for_each_lane(members, [&](unsigned member) { two_differ = two_differ || (members & ~possible[member]) != 0; });
    if (is_of_all && two_differ) return;
    const LaneMask least = vote_of(insn.op, certain[lane], members), most = vote_of(insn.op, possible[lane], members);
    result_[0].set(lane, (least ^ most) & all, all);
    result_[1].set(lane, std::uint64_t{(least != 0) != (most != 0)}, 1);
  });
}

// Redux over each lane's members, reduce over all, scan over those before.
void UndefinedLanes::combine(const IssueEvent& event, std::int32_t reg) {
  const DecodedInsn& insn = machine_->decoded(event.pc);
  const std::uint64_t all = low_ones(bits(insn.type));
  LaneMask last_members = 0;
  std::uint64_t undefined = 0;
  for_each_lane(event.active, [&](unsigned lane) {
    LaneMask members = members_of(insn, lane);
    if (lift_ == Lift::Scan) members &= full_mask(insn.mods.exclusive ? lane : lane + 1);
    if (members != last_members) undefined = (members & carried_) == 0 ? 0 : combined(insn, members, reg) & all;
    last_members = members;
    result_[0].set(lane, undefined, all);
  });
}

std::uint64_t UndefinedLanes::combined(const DecodedInsn& insn, LaneMask members, std::int32_t reg) {
  const Spread spread = spread_of(info(insn.op), insn.type, insn.type2, insn.mods);
  if (spread == Spread::All) return ~std::uint64_t{0};
  const Combine operation = combine_of(insn.op, insn.type);
  const bool wide = bits(insn.type) == 64;
  BitFlow::Source &so_far = flow_.sources[0], &next = flow_.sources[1];
  for (BitFlow::Source* const source : {&so_far, &next}) {
    source->bits = bits(insn.type);
    source->is_signed = is_signed(insn.type);
    source->names_bits = false;
    source->reg = -1;
  }
  const unsigned first = first_lane(members);
  so_far.value[0] = value_at(insn.a, wide, first);
  so_far.undefined[0] = bits_at(reg, first);
  for_each_lane(members & (members - 1), [&](unsigned lane) {
    next.value[0] = value_at(insn.a, wide, lane);
    next.undefined[0] = bits_at(reg, lane);
    const auto evaluate = [&](LaneMask) {
      flow_.outcome().first[0] = operation(flow_.filling(0)[0], flow_.filling(1)[0]);
    };
    const std::uint64_t undefined = flow_.run(spread, 2, bits(insn.type), lane_bit(0), evaluate).first[0];
    so_far.value[0] = operation(so_far.value[0], next.value[0]);
    so_far.undefined[0] = undefined;
  });
  return so_far.undefined[0];
}

}  // namespace warpsim
