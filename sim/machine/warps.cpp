// The warps of a launch as they begin: their lanes, registers and special registers, and their block's shared memory.
//
// Shapes: warps[slot * warps_per_block + warp].
// Units:  bytes.
// Errors: none.
#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "isa/program/unwritten_reads.h"
#include "isa/table/op.h"
#include "sim/launch/residency.h"
#include "sim/machine/calls.h"
#include "sim/machine/launch_state.h"
#include "sim/machine/random.h"

namespace warpsim {

namespace {

// Those that change when another block has the registers.
bool is_of_block(Special s) {
  switch (s) {
    case Special::CtaIdX:
    case Special::CtaIdY:
    case Special::CtaIdZ:
    case Special::ClusterIdX:
    case Special::ClusterIdY:
    case Special::ClusterIdZ:
    case Special::SmId:
    case Special::GTid: return true;
    default: return false;
  }
}

}  // namespace

LaunchState::LaunchState(const Program& of, const LaunchConfig& how, Binding with, const DeviceMemory& bound, Code made,
                         std::uint64_t resident)
    : program(of),
      config(how),
      binding(std::move(with)),
      code(std::move(made)),
      memory(bound, of, binding),
      room_(static_cast<std::size_t>(resident)),
      begins_one_by_one_(config.schedule.order == Schedule::Order::Blocks),
      has_calls_(std::any_of(code.insns.begin(), code.insns.end(),
                             [](const DecodedInsn& d) { return d.lift == Lift::Call; })) {
  warps_per_block = static_cast<std::uint32_t>((config.block.count() + config.lanes - 1) / config.lanes);
  warps.reserve(most_warps());
  pool = config.blocks;
  if (pool == nullptr) end_block = config.grid.count();
  // All at once, so that more than there is fails at once.
  if (!begins_one_by_one_) register_storage_.push_back(make_registers(most_warps() * code.block_template.size()));
  std::copy_if(code.specials.begin(), code.specials.end(), std::back_inserter(specials_of_block_),
               [](const SpecialRow& s) { return is_of_block(s.special); });
  if (code.counts_arrivals) visits.resize(most_warps() * kBarriersOfABlock);
  const std::size_t begun = begins_one_by_one_ ? (is_room() ? 1 : 0) : room_;
  for (std::uint32_t slot = 0; slot < begun; ++slot) begin_next_block(slot, 1);
}

bool LaunchState::take_blocks() {
  std::tie(next_block, end_block) = pool->take();
  return next_block < end_block;
}

void LaunchState::add_slot() {
  const std::size_t stride = code.block_template.size();
  const std::uint32_t slot = slots();
  living_.push_back(0);
  if (code.shared_bytes != 0) shared.emplace_back();
  if (begins_one_by_one_) register_storage_.push_back(make_registers(warps_per_block * stride));
  std::byte* registers = register_storage_.back().get() + (begins_one_by_one_ ? 0 : warps.size() * stride);
  for (std::uint32_t index = 0; index < warps_per_block; ++index, registers += stride) {
    Warp& warp = warps.emplace_back();
    warp.index = index;
    warp.slot = slot;
    warp.registers = registers;
    warp.existing = existing_lanes(index);
  }
}

// What is to be kept is kept for as long as there are other slots.
std::uint32_t LaunchState::free_slot() {
  if (free_slots_.empty() || (config.keeps_state && slots() < room_)) return slots();
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  return slot;
}

void LaunchState::begin_next_block(std::uint32_t slot, std::uint64_t cycle) {
  const std::uint32_t block = static_cast<std::uint32_t>(next_block++);
  const bool is_reused = slot < slots();
  if (!is_reused) add_slot();
  const std::span<Warp> own(&warps[std::size_t{slot} * warps_per_block], warps_per_block);
  if (is_reused) {
    if (clears_what_is_read() && !knows_to_be_cleared_) find_to_be_cleared();
    if (!arrivals.empty())
      std::erase_if(arrivals, [&](const PendingArrival& one) { return one.block == own[0].block; });
    for (const Warp& gone : own) last_issue_gone = std::max(last_issue_gone, gone.last_issue);
  }
  living_[slot] = warps_per_block;
  if (!shared.empty()) clear_shared(slot, block);
  if (is_reused && begin_alike_) begin_again(own, block, cycle);
  else
    for (Warp& warp : own) begin(warp, block, cycle, is_reused);
  fill_specials(own, is_reused);
}

std::uint64_t LaunchState::arrivals_at(std::uint32_t block, const Group& barrier) const {
  return static_cast<std::uint64_t>(std::count_if(
      arrivals.begin(), arrivals.end(), [&](const PendingArrival& one) { return counts_at(one, block, barrier); }));
}

void LaunchState::clear_shared(std::uint32_t slot, std::uint32_t block) {
  LineVector<std::byte>& bytes = shared[slot];
  bytes.assign(code.shared_bytes, std::byte{0});
  if (config.poison == 0) return;
  SplitMix draw(mixed(config.poison));
  draw.skip(std::uint64_t{block} * code.shared_bytes);
  for (std::byte& one : bytes) one = static_cast<std::byte>(draw.next());
}

void LaunchState::begin(Warp& w, std::uint32_t block, std::uint64_t cycle, bool is_reused) {
  if (!is_reused) w.divergence = Divergence(w.existing, config.reconvergence, config.schedule.order);
  begin_again({&w, 1}, block, cycle);
  if (code.counts_arrivals)
    for (std::uint32_t b = 0; b < kBarriersOfABlock; ++b) visits_of(w, b) = 0;
  begin_local(w, is_reused);
  fill_registers(w, is_reused);
}

// All of begin() that there is to do where begin_alike_ says so.
void LaunchState::begin_again(std::span<Warp> own, std::uint32_t block, std::uint64_t cycle) {
  const std::int32_t pc = first_pc();
  for (Warp& w : own) {
    w.block = block;
    w.order = std::uint64_t{block} * warps_per_block + w.index;
    w.alive = w.existing;
    w.cycle = cycle;
    w.last_issue = 0;
    w.divergence.restart(w.existing, pc);
  }
}

void LaunchState::begin_next_alike(std::uint32_t slot, std::uint64_t blocks, std::uint64_t cycle) {
  next_block += blocks;
  unsettled_ = {slot, static_cast<std::uint32_t>(next_block - 1), cycle};
  last_issue_gone = cycle - 1;
  if (!shared.empty()) clear_shared(slot, unsettled_->block);
  warps[std::size_t{slot} * warps_per_block].block = unsettled_->block;
}

void LaunchState::fill_specials_of_block(std::uint32_t slot) {
  fill_specials({&warps[std::size_t{slot} * warps_per_block], warps_per_block}, true);
}

std::uint64_t LaunchState::alike_but_for_number(std::uint32_t slot) const {
  const auto differs = [](const SpecialRow& s) { return s.special == Special::SmId || s.special == Special::GTid; };
  if (!shared.empty() || std::any_of(specials_of_block_.begin(), specials_of_block_.end(), differs)) return 0;
  const std::uint32_t number = warps[std::size_t{slot} * warps_per_block].block % config.grid.x;
  return std::min<std::uint64_t>(end_block - next_block, config.grid.x - 1 - number);
}

void LaunchState::begin_unsettled() {
  const Unsettled now = *std::exchange(unsettled_, std::nullopt);
  begin_again({&warps[std::size_t{now.slot} * warps_per_block], warps_per_block}, now.block, now.cycle);
}

const Routine& LaunchState::kernel_routine() const {
  return binding.kernel < 0 ? program.routines.back() : program.routines[static_cast<std::size_t>(binding.kernel)];
}

// A warp that has no local memory and calls nothing leaves it as it was.
bool LaunchState::uses_local() const {
  return !program.routines.empty() && (has_calls_ || end_of_frame(kernel_routine(), 0) != 0);
}

void LaunchState::begin_local(Warp& w, bool is_reused) const {
  if (!program.routines.empty() && (!is_reused || uses_local()))
    w.local.reset(config.lanes, end_of_frame(kernel_routine(), 0));
}

// Nobody sees what was in the other registers: all paths write them before they read them.
void LaunchState::find_to_be_cleared() {
  knows_to_be_cleared_ = true;
  std::vector<bool> read = unwritten_reads(program);
  if (program.frame_register >= 0) read[static_cast<std::size_t>(program.frame_register)] = true;
  for (std::size_t r = 0; r < read.size(); ++r) {
    if (!read[r]) continue;
    const bool is_predicate = program.registers[r].cls == RegClass::Pred;
    const std::uint32_t bytes = is_predicate ? sizeof(LaneMask) : code.width * (code.register_wide[r] ? 8U : 4U);
    to_be_cleared_.push_back({code.register_offset[r], bytes});
  }
  begin_alike_ = to_be_cleared_.empty() && config.poison == 0 && !code.counts_arrivals && !uses_local();
}

// Constants and most special registers are what they were.
void LaunchState::fill_registers(Warp& w, bool is_reused) const {
  if (is_reused && clears_what_is_read()) {
    for (const Bytes& one : to_be_cleared_) std::fill_n(w.registers + one.offset, one.count, std::byte{0});
  } else if (is_reused) std::fill_n(w.registers, code.register_bytes, std::byte{0});
  else std::copy(code.block_template.begin(), code.block_template.end(), w.registers);
  if (config.poison != 0) poison_registers(w);
}

const Warp* LaunchState::find(std::uint32_t block, std::uint32_t index) const {
  const auto is_in = [&](std::size_t slot) { return slot < slots() && warps[slot * warps_per_block].block == block; };
  if (!is_in(found_slot_)) found_slot_ = block;
  if (!is_in(found_slot_))
    for (found_slot_ = 0; found_slot_ < slots() && !is_in(found_slot_);) ++found_slot_;
  return is_in(found_slot_) ? &warps[found_slot_ * warps_per_block + index] : nullptr;
}

std::vector<const Warp*> LaunchState::in_order() const {
  std::vector<const Warp*> all;
  for (const Warp& warp : warps) all.push_back(&warp);
  std::sort(all.begin(), all.end(), [](const Warp* x, const Warp* y) { return x->order < y->order; });
  return all;
}

LaneMask LaunchState::existing_lanes(std::uint32_t warp) const {
  const std::uint64_t before = std::uint64_t{warp} * config.lanes;
  const std::uint64_t left = config.block.count() > before ? config.block.count() - before : 0;
  return full_mask(static_cast<unsigned>(std::min<std::uint64_t>(left, config.lanes)));
}

void LaunchState::poison_registers(Warp& w) const {
  SplitMix bits(mixed(config.poison + w.block) + w.index);
  for (std::size_t r = 0; r < program.registers.size(); ++r) {
    const std::uint32_t offset = code.register_offset[r];
    const RegClass cls = program.registers[r].cls;
    if (cls == RegClass::Pred) {
      word(w.registers, offset) = bits.next() & full_mask(config.lanes);
      continue;
    }
    for (unsigned lane = 0; lane < config.lanes; ++lane) {
      const std::uint64_t value = bits.next();
      if (offset >= code.register_bytes) continue;  // it is what it is from the begin on
      if (code.register_wide[r]) row<std::uint64_t>(w.registers, offset)[lane] = value;
      else
        row<std::uint32_t>(w.registers, offset)[lane] =
            static_cast<std::uint32_t>(cls == RegClass::R16 ? value & 0xffff : value);
    }
  }
}

namespace {

void fill_row(Warp& w, const SpecialRow& s, unsigned width, std::uint64_t value) {
  if (s.wide) std::fill_n(row<std::uint64_t>(w.registers, s.offset), width, value);
  else if (width == 32) std::fill_n(row<std::uint32_t>(w.registers, s.offset), 32, static_cast<std::uint32_t>(value));
  else std::fill_n(row<std::uint32_t>(w.registers, s.offset), width, static_cast<std::uint32_t>(value));
}

}  // namespace

// All of them, or those of the block alone.
void LaunchState::fill_specials(std::span<Warp> block, bool only_of_block) const {
  for (const SpecialRow& s : only_of_block ? specials_of_block_ : code.specials) {
    if (is_of_block(s.special) && s.special != Special::GTid) {
      const std::uint64_t value = special_of_block(s.special, block[0]);
      for (Warp& w : block) fill_row(w, s, code.width, value);
      continue;
    }
    for (Warp& w : block)
      for (unsigned lane = 0; lane < code.width; ++lane)
        write_row(w, s.offset, s.wide, lane, special_of_lane(s.special, block[0].block, w.index, lane));
  }
}

std::uint64_t LaunchState::special_of_block(Special special, const Warp& w) const {
  const Dim3 grid = config.grid;
  switch (special) {
    case Special::CtaIdX:
    case Special::ClusterIdX: return w.block % grid.x;
    case Special::CtaIdY:
    case Special::ClusterIdY: return w.block / grid.x % grid.y;
    case Special::SmId:
      return (config.schedule.order == Schedule::Order::Blocks ? w.block : w.slot) % DeviceLimits{}.multiprocessors;
    default: return w.block / grid.x / grid.y;
  }
}

std::uint64_t LaunchState::special_of_lane(Special special, std::uint32_t of, std::uint32_t warp, unsigned lane) const {
  const Dim3 grid = config.grid, block = config.block;
  const std::uint32_t thread = warp * config.lanes + lane;
  const LaneMask all = full_mask(code.lanes > 32 ? 64 : 32), eq = lane_bit(lane), lt = eq - 1;
  switch (special) {
    case Special::LaneId: return lane;
    case Special::WarpId: return warp;
    case Special::NWarpId: return warps_per_block;
    case Special::TidX: return thread % block.x;
    case Special::TidY: return thread / block.x % block.y;
    case Special::TidZ: return thread / block.x / block.y;
    case Special::NTidX: return block.x;
    case Special::NTidY: return block.y;
    case Special::NTidZ: return block.z;
    case Special::NCtaIdX:
    case Special::NClusterIdX: return grid.x;
    case Special::NCtaIdY:
    case Special::NClusterIdY: return grid.y;
    case Special::NCtaIdZ:
    case Special::NClusterIdZ: return grid.z;
    case Special::LaneMaskEq: return eq;
    case Special::LaneMaskLe: return lt | eq;
    case Special::LaneMaskLt: return lt;
    case Special::LaneMaskGe: return all & ~lt;
    case Special::LaneMaskGt: return all & ~(lt | eq);
    case Special::GTid: return std::uint64_t{of % grid.x} * block.x + thread % block.x;
    case Special::TotalSmemSize: return aligned(code.own_shared_bytes, kSharedUnitBytes);
    case Special::AggrSmemSize: return code.own_shared_bytes + kReservedSharedBytes;
    case Special::DynamicSmemSize: return config.dynamic_shared_bytes;
    case Special::ReservedSmemOffsetBegin:
    case Special::ReservedSmemOffset0: return code.shared_bytes - kReservedSharedBytes;
    case Special::ReservedSmemOffset1: return code.shared_bytes - kReservedSharedBytes / 2;
    case Special::ReservedSmemOffsetEnd: return code.shared_bytes;
    case Special::EnvReg1: return config.grid_workspace >> 32;
    case Special::EnvReg2: return config.grid_workspace & 0xffff'ffff;
    default: return info(special).fixed.value_or(0);  // a clock: when it is read
  }
}

}  // namespace warpsim
