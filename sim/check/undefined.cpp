// The shadow of registers: see undefined.h for its rules.
#include "sim/check/undefined.h"

#include <algorithm>
#include <bit>

#include "isa/program/reads_writes.h"
#include "sim/code/row_meaning.h"
#include "sim/machine/machine.h"

namespace warpsim {
namespace {

// Of two equal operands the result is the operand, or always the same.
bool takes_equals(const Insn& insn) {
  const Form form = info(insn.op).form;
  if (form == Form::PAB) return insn.mods.boolean == BoolOp::None && !is_pair(insn.type);
  return form == Form::DAB && is_idempotent(insn.op);
}

bool carries_lanes(Lift lift) {
  return lift == Lift::Shuffle || lift == Lift::Broadcast || lift == Lift::Vote || lift == Lift::Match ||
         lift == Lift::Redux || lift == Lift::Reduce || lift == Lift::Scan;
}

int register_width(RegClass cls, unsigned lanes) {
  switch (cls) {
    case RegClass::Pred: return 1;
    case RegClass::R16: return 16;
    case RegClass::R64: return 64;
    case RegClass::Mask: return lanes > 32 ? 64 : 32;
    default: return 32;
  }
}

}  // namespace

void UndefinedLanes::on_start(const Machine& machine) {
  *this = UndefinedLanes(of_);
  machine_ = &machine;
  program_ = &machine.program();
  lanes_ = machine.lanes();
  warps_per_block_ = machine.warps_per_block();
  for (const Insn& insn : program_->code) reads_.push_back(reads_of(insn));
  unwritten_.assign(program_->registers.size(), of_ == ShadowOf::Undefined ? full_mask(lanes_) : 0);
  if (program_->frame_register >= 0) unwritten_[static_cast<std::size_t>(program_->frame_register)] = 0;
  for (const Register& reg : program_->registers) all_bits_.push_back(low_ones(register_width(reg.cls, lanes_)));
}

void UndefinedLanes::take_as_written(const std::vector<bool>& but) {
  for (std::size_t reg = 0; reg < unwritten_.size(); ++reg)
    if (!but[reg]) unwritten_[reg] = 0;
}

UndefinedLanes::Reads UndefinedLanes::reads_of(const Insn& insn) {
  const OpInfo& row = info(insn.op);
  Reads reads;
  for_each_read(insn, [&](std::int32_t reg) { reads.all.push_back(reg); });
  for_each_written(insn, [&](std::int32_t reg) { reads.all.push_back(reg); });
  if (insn.guard.reg >= 0) reads.whole.push_back(insn.guard.reg);
  const std::span<const Slot> form = slots(row.form);
  int source = 0;  // index among the Src slots: operand a comes first in every form
  for (std::size_t k = 0; k < form.size() && k < insn.operands.size(); ++k) {
    if (form[k].role == Role::Dst && insn.guard.reg >= 0) reads.guarded = register_of(insn.operands[k]);
    if ((form[k].role != Role::Src && form[k].role != Role::Addr) || !has_slot(form[k], insn.mods)) continue;
    const std::int32_t reg = register_of(insn.operands[k]);
    const int place = form[k].role == Role::Src ? source++ : -1;
    if (place >= 0 && place < 2 && takes_equals(insn)) reads.equals[place] = reg;
    if (place >= 0 && (is_lanewise(row.lift) || row.lift == Lift::Unpack || row.lift == Lift::Atomic)) {
      reads.sources.push_back(reg);
    } else if (place >= 0 && (row.lift == Lift::Store || row.lift == Lift::Pack)) {
      reads.elements.push_back(reg);
    } else if ((carries_lanes(row.lift) && place == 0) ||
               (row.lift == Lift::BarrierReduce && form[k].type == SlotType::Pred)) {
      reads.carried = reg;
    } else if (reg >= 0) {
      reads.whole.push_back(reg);
    }
  }
  return reads;
}

void UndefinedLanes::go_to(std::uint32_t block) {
  if (block_now_ != nullptr && block == block_) return;
  block_ = block;
  const auto known = blocks_.find(block);
  if (known != blocks_.end()) {
    block_now_ = &known->second;
    return;
  }
  if (spare_.empty()) {
    block_now_ = &blocks_[block];
    block_now_->warps.resize(warps_per_block_);
    return;
  }
  spare_.key() = block;
  block_now_ = &blocks_.insert(std::move(spare_)).position->second;
}

void UndefinedLanes::BlockShadow::forget() {
  for (WarpShadow& warp : warps) {
    warp.undefined.clear();
    warp.partly.clear();
    warp.reduction_undefined = 0;
    warp.origin.clear();
    warp.local.clear();
    warp.local_origins.clear();
  }
  shared.clear();
  shared_origins.clear();
}

UndefinedLanes::WarpShadow& UndefinedLanes::shadow(std::uint32_t block, std::uint32_t warp) {
  go_to(block);
  WarpShadow& found = block_now_->warps[warp];
  if (found.undefined.empty()) {
    found.undefined = unwritten_;
    found.existing = machine_->existing_lanes(warp);
  }
  return found;
}

LaneMask UndefinedLanes::at(const std::vector<std::int32_t>& regs) const {
  LaneMask lanes = 0;
  for (const std::int32_t reg : regs) lanes |= at(reg);
  return lanes;
}

std::uint64_t UndefinedLanes::bits_at(std::int32_t reg, unsigned lane) const {
  if (!has_lane(at(reg), lane)) return 0;
  const WarpShadow::Partly* const partly = current_->partly_of(reg);
  return partly != nullptr && has_lane(partly->lanes, lane) ? partly->bits[lane] : all_bits(reg);
}

void UndefinedLanes::set(std::int32_t reg, LaneMask lanes, const LaneBits& result) {
  const std::size_t r = static_cast<std::size_t>(reg);
  LaneMask whole = result.whole & lanes, partial = 0;
  for_each_lane(result.partial & lanes & ~whole, [&](unsigned lane) {
    const std::uint64_t undefined = result.bits[lane] & all_bits_[r];
    if (undefined == all_bits_[r]) whole |= lane_bit(lane);
    if (undefined == 0 || undefined == all_bits_[r]) return;
    partial |= lane_bit(lane);
    current_->partly[reg].bits[lane] = undefined;
  });
  current_->undefined[r] = (current_->undefined[r] & ~lanes) | whole | partial;
  if (current_->partly.empty()) return;
  if (const auto known = current_->partly.find(reg); known != current_->partly.end())
    known->second.lanes = (known->second.lanes & ~lanes) | partial;
}

void UndefinedLanes::on_issue(const IssueEvent& event) {
  if (origins_.size() >= most_origins_) sweep_origins(event);
  const Reads& reads = reads_[static_cast<std::size_t>(event.pc)];
  issue_ = event;
  current_ = &shadow(event.block, event.warp);
  if (is_born_) born_.fill(-1);
  is_born_ = false;
  lift_ = info(event.insn->op).lift;
  pc_ = static_cast<std::size_t>(event.pc);
  written_ = 0;
  evaluated_ = 0;
  stored_undefined_ = 0;
  for (LaneBits& one : result_) one.clear();
  for (LaneBits& one : access_) one.clear();
  whole_ = at(reads.whole);
  carried_ = at(reads.carried);
  if (of_ == ShadowOf::OutOfRange && reads.guarded >= 0) keep_on_purpose(event, reads);
  if (lift_ == Lift::Return) leave_frames(event);
  if (event.insn->op == Op::Free) leave_freed(event);
  if (lift_ != Lift::Load && lift_ != Lift::Store) compute(event, reads);
  if (whole_ == 0) return;
  for (LaneBits& one : result_) one.whole |= whole_;
}

// `@p add x, x, y` with the shuffle's own predicate: the lanes that keep their own value are those that shall.
void UndefinedLanes::keep_on_purpose(const IssueEvent& event, const Reads& reads) {
  const LaneMask holding = at(reads.guarded) & event.group;
  if (holding == 0 || holding != (event.group & ~event.active)) return;
  set(reads.guarded, holding, LaneBits{});
}

// Shuffles and loads learn more in on_exchange and on_memory.
void UndefinedLanes::compute(const IssueEvent& event, const Reads& reads) {
  const LaneMask heard = carried_ & event.active;
  switch (lift_) {
    case Lift::Lane:
    case Lift::Compare:
    case Lift::Bits: return compute_lanewise(event, reads);
    case Lift::Pack: return pack(event, reads);
    case Lift::Unpack: return unpack(event, reads);
    case Lift::Atomic: return keep_atomic_operands(event, reads);
    case Lift::BarrierReduce:
      if (current_->reduction_undefined == 0) return;
      for_each_lane(event.active, [&](unsigned lane) {
        const std::uint64_t all = low_ones(bits(event.insn->type));
        result_[0].set(lane, current_->reduction_undefined & all, all);
      });
      return;
    default: break;
  }
  if (heard == 0 || lift_ == Lift::Shuffle || lift_ == Lift::Broadcast) return;
  registers_ = machine_->registers(event.block, event.warp);
  if (lift_ == Lift::Vote) vote(event);
  else if (lift_ == Lift::Match) match(event, reads.carried);
  else combine(event, reads.carried);
}

void UndefinedLanes::compute_lanewise(const IssueEvent& event, const Reads& reads) {
  LaneMask lanes = at(reads.sources) & event.active & ~whole_;
  if (lanes == 0) return;
  const DecodedInsn& insn = machine_->decoded(event.pc);
  flow_.prepare(insn);
  if (of_ == ShadowOf::OutOfRange) lanes &= ~given_back(event, reads);
  if (flow_.spread() == Spread::All) {
    result_[0].whole |= lanes;
    result_[1].whole |= lanes;
    return;
  }
  // A sum with something that is undefined in all bits.
  if (flow_.spread() == Spread::Sums && insn.dst_pred == kNoOffset) {
    LaneMask whole = 0;
    for (std::size_t k = 0; k < flow_.count; ++k)
      if (const std::int32_t reg = reads.sources[k]; reg >= 0 && flow_.sources[k].bits > 1)
        whole |= at(reg) & ~current_->partial(reg);
    result_[0].whole |= whole & lanes;
    lanes &= ~whole;
    if (lanes == 0) return;
  }
  for (std::size_t k = 0; k < flow_.count; ++k) {
    flow_.sources[k].reg = reads.sources[k];
    for_each_lane(lanes, [&](unsigned lane) { flow_.sources[k].undefined[lane] = bits_at(reads.sources[k], lane); });
  }
  flow_.read_values(machine_->registers(event.block, event.warp), lanes);
  evaluated_ = lanes;
  const BitFlow::Results& results = flow_.run(lanes);
  for_each_lane(lanes, [&](unsigned lane) {
    result_[0].set(lane, results.first[lane], flow_.result_ones());
    result_[1].set(lane, results.second[lane], 1);
  });
}

// Lanes on which what was left in place meets the value that it is.
LaneMask UndefinedLanes::given_back(const IssueEvent& event, const Reads& reads) {
  if (reads.equals[0] < 0 || reads.equals[1] < 0) return 0;
  const LaneMask one_of_two = (at(reads.equals[0]) ^ at(reads.equals[1])) & event.active;
  LaneMask lanes = 0;
  flow_.read_values(machine_->registers(event.block, event.warp), one_of_two);
  for_each_lane(one_of_two, [&](unsigned lane) {
    if (flow_.sources[0].value[lane] == flow_.sources[1].value[lane]) lanes |= lane_bit(lane);
  });
  return lanes;
}

void UndefinedLanes::pack(const IssueEvent& event, const Reads& reads) {
  const int whole = bits(event.insn->type), width = whole / static_cast<int>(reads.elements.size());
  for_each_lane(at(reads.elements) & event.active, [&](unsigned lane) {
    std::uint64_t undefined = 0;
    for (std::size_t k = 0; k < reads.elements.size(); ++k)
      undefined |= bits_at(reads.elements[k], lane) << (static_cast<unsigned>(width) * k);
    result_[0].set(lane, undefined, low_ones(whole));
  });
}

void UndefinedLanes::unpack(const IssueEvent& event, const Reads& reads) {
  const unsigned count = static_cast<unsigned>(elements(info(event.insn->op).form));
  const unsigned width = static_cast<unsigned>(bits(event.insn->type)) / count;
  const std::uint64_t all = low_ones(static_cast<int>(width));
  for_each_lane(at(reads.sources) & event.active, [&](unsigned lane) {
    const std::uint64_t undefined = bits_at(reads.sources[0], lane);
    for (unsigned k = 0; k < count; ++k) result_[k].set(lane, undefined >> width * k & all, all);
  });
}

void UndefinedLanes::on_exchange(const ExchangeEvent& event) {
  const bool follows_undefined = of_ == ShadowOf::Undefined;
  const LaneMask born = follows_undefined ? event.undefined : event.lanes & ~event.in_range;
  if (follows_undefined) result_[0].whole |= born;
  if (lift_ != Lift::Shuffle && lift_ != Lift::Broadcast) return;
  result_[0].whole |= born;
  for_each_lane(born, [&](unsigned lane) {
    Origin origin = here(lane);
    origin.birth = follows_undefined ? birth_of_source(event, lane) : Origin::Birth::OutOfRange;
    origin.from = event.from[lane];
    is_born_ = true;
    born_[lane] = add(origin);
  });
  const LaneMask carrying = carried_ & event.lanes;  // what others have is not what a lane gets of them
  if (carrying == 0) return;
  const std::int32_t carried = reads_[pc_].carried;
  for_each_lane(event.lanes, [&](unsigned lane) {
    const unsigned from = event.from[lane];
    if (!has_lane(carrying, from)) return;
    if (!has_lane(result_[0].whole, lane)) result_[0].set(lane, bits_at(carried, from), all_bits(carried));
    if (born_[lane] >= 0) return;
    Origin origin = here(lane);
    origin.from = static_cast<std::uint8_t>(from);
    origin.before = origin_in(*current_, carried, from);
    is_born_ = true;
    born_[lane] = add(origin);
  });
}

// What the threads at a bar.red make of their predicates, those that are undefined false or true.
void UndefinedLanes::on_sync(const SyncEvent& event) {
  if (!event.reduces) return;
  std::uint64_t threads = 0, fewest = 0, most = 0;
  bool all = false;
  Op op = Op::BarRedPopc;
  for (const SyncEvent::Arrival& arrival : event.arrivals) {
    current_ = &shadow(event.block, arrival.warp);
    const Reads& reads = reads_[static_cast<std::size_t>(arrival.pc)];
    const DecodedInsn& insn = machine_->decoded(arrival.pc);
    const LaneMask truth = word(machine_->registers(event.block, arrival.warp), insn.p) ^ insn.p_flip;
    const LaneMask undefined = at(reads.carried);
    op = insn.op;
    all = all || (at(reads.whole) & arrival.lanes) != 0;
    threads += count_lanes(arrival.lanes);
    fewest += count_lanes(truth & ~undefined & arrival.lanes);
    most += count_lanes((truth | undefined) & arrival.lanes);
  }
  const std::uint64_t differs = barrier_reduction_of(op, fewest, threads) ^ barrier_reduction_of(op, most, threads);
  const std::uint64_t undefined = all ? ~std::uint64_t{0} : low_ones(static_cast<int>(std::bit_width(differs)));
  for (const SyncEvent::Arrival& arrival : event.arrivals)
    shadow(event.block, arrival.warp).reduction_undefined = undefined;
}

void UndefinedLanes::on_write(const WriteEvent& event) {
  const std::size_t element = written_++ & 3;
  if (issue_.insn->op == Op::Malloc && of_ == ShadowOf::Undefined) forget_allocated(event);
  const LaneBits& result = result_[element];  // of a shuffle's in-range predicate: not what was found there
  if (result.undefined() == 0 && at(event.reg) == 0) return;
  if (const LaneMask undefined = result.undefined() & event.lanes; undefined != 0)
    set_origins(undefined, event.reg, static_cast<unsigned>(element));
  set(event.reg, event.lanes, result);
}

void UndefinedLanes::on_block_end(const BlockEndEvent& event) {
  if (const auto ended = blocks_.find(event.block); ended != blocks_.end()) {
    spare_ = blocks_.extract(ended);
    spare_.mapped().forget();
  }
  block_now_ = nullptr;
  current_ = nullptr;
}

// Null: the warp has not issued.
const UndefinedLanes::WarpShadow* UndefinedLanes::known_shadow(std::uint32_t block, std::uint32_t warp) const {
  const BlockShadow* of_block = block_now_;
  if (of_block == nullptr || block != block_) {
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) return nullptr;
    of_block = &found->second;
  }
  const WarpShadow& known = of_block->warps[warp];
  return known.undefined.empty() ? nullptr : &known;
}

LaneMask UndefinedLanes::partly_undefined(std::uint32_t block, std::uint32_t warp, std::int32_t reg) const {
  const WarpShadow* const known = known_shadow(block, warp);
  return known == nullptr ? 0 : known->partial(reg);
}

LaneMask UndefinedLanes::undefined(std::uint32_t block, std::uint32_t warp, std::int32_t reg) const {
  const WarpShadow* const known = known_shadow(block, warp);
  if (known == nullptr) return of_ == ShadowOf::Undefined ? full_mask(lanes_) : 0;
  return known->undefined[static_cast<std::size_t>(reg)];
}

}  // namespace warpsim
