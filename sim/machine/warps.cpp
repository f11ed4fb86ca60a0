// The warps of a launch as they begin: their lanes, registers and special registers, and their block's shared memory.
//
// Shapes: warps[slot * warps_per_block + warp].
// Units:  bytes.
// Errors: none.
#include <algorithm>
#include <utility>

#include "sim/launch/residency.h"
#include "sim/machine/calls.h"
#include "sim/machine/launch_state.h"
#include "sim/machine/random.h"

namespace warpsim {

LaunchState::LaunchState(const Program& of, const LaunchConfig& how, Binding with, const DeviceMemory& bound, Code made,
                         std::uint64_t resident)
    : program(of), config(how), binding(std::move(with)), code(std::move(made)), memory(bound, of, binding) {
  warps_per_block = static_cast<std::uint32_t>((config.block.count() + config.lanes - 1) / config.lanes);
  const std::size_t slots = static_cast<std::size_t>(resident);
  const std::size_t stride = code.block_template.size();
  warps.resize(slots * warps_per_block);
  if (stride != 0) {
    register_storage_.reset(static_cast<std::byte*>(::operator new (warps.size() * stride, std::align_val_t{64})));
  }
  living_.resize(slots);
  if (code.shared_bytes != 0) shared.resize(slots);
  for (std::size_t k = 0; k < warps.size(); ++k) {
    warps[k].index = static_cast<std::uint32_t>(k % warps_per_block);
    warps[k].slot = static_cast<std::uint32_t>(k / warps_per_block);
    warps[k].registers = register_storage_.get() + k * stride;
  }
  if (code.counts_arrivals) visits.resize(warps.size() * kBarriersOfABlock);
  for (std::uint32_t slot = 0; slot < slots; ++slot) begin_next_block(slot, 1);
}

void LaunchState::begin_next_block(std::uint32_t slot, std::uint64_t cycle) {
  const std::uint32_t block = static_cast<std::uint32_t>(next_block++);
  const std::span<Warp> own(&warps[std::size_t{slot} * warps_per_block], warps_per_block);
  if (block != slot) {
    slots_.erase(own[0].block);
    slots_[block] = slot;
    std::erase_if(arrivals, [&](const PendingArrival& one) { return one.block == own[0].block; });
    for (const Warp& gone : own) last_issue_gone = std::max(last_issue_gone, gone.last_issue);
  }
  living_[slot] = warps_per_block;
  if (!shared.empty()) clear_shared(slot, block);
  for (Warp& warp : own) begin(warp, block, cycle);
}

std::uint64_t LaunchState::arrivals_at(std::uint32_t block, const Group& barrier) const {
  return static_cast<std::uint64_t>(std::count_if(
      arrivals.begin(), arrivals.end(), [&](const PendingArrival& one) { return counts_at(one, block, barrier); }));
}

void LaunchState::clear_shared(std::uint32_t slot, std::uint32_t block) {
  std::vector<std::byte>& bytes = shared[slot];
  bytes.assign(code.shared_bytes, std::byte{0});
  if (config.poison == 0) return;
  SplitMix draw(mixed(config.poison));
  draw.skip(std::uint64_t{block} * code.shared_bytes);
  for (std::byte& one : bytes) one = static_cast<std::byte>(draw.next());
}

void LaunchState::begin(Warp& w, std::uint32_t block, std::uint64_t cycle) {
  w.block = block;
  w.order = std::uint64_t{block} * warps_per_block + w.index;
  std::copy(code.block_template.begin(), code.block_template.end(), w.registers);
  if (code.counts_arrivals)
    for (std::uint32_t b = 0; b < kBarriersOfABlock; ++b) visits_of(w, b) = 0;
  w.existing = w.alive = existing_lanes(w.index);
  w.cycle = cycle;
  w.last_issue = 0;
  w.divergence = Divergence(w.existing, config.reconvergence, config.schedule.order);
  if (!program.routines.empty()) {
    const Routine& kernel =
        binding.kernel < 0 ? program.routines.back() : program.routines[static_cast<std::size_t>(binding.kernel)];
    w.divergence.groups()[0].pc = kernel.first;
    w.local.reset(config.lanes, end_of_frame(kernel, 0));
  }
  if (config.poison != 0) poison_registers(w);
  fill_specials(w);
}

const Warp* LaunchState::find(std::uint32_t block, std::uint32_t index) const {
  std::size_t slot = block;
  if (const auto at = slots_.find(block); at != slots_.end()) slot = at->second;
  if (slot >= living_.size()) return nullptr;
  const Warp& warp = warps[slot * warps_per_block + index];
  return warp.block == block ? &warp : nullptr;
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
      if (code.register_wide[r]) row<std::uint64_t>(w.registers, offset)[lane] = value;
      else
        row<std::uint32_t>(w.registers, offset)[lane] =
            static_cast<std::uint32_t>(cls == RegClass::R16 ? value & 0xffff : value);
    }
  }
}

void LaunchState::fill_specials(Warp& w) const {
  const Dim3 grid = config.grid, block = config.block;
  const Dim3 cta{w.block % grid.x, w.block / grid.x % grid.y, w.block / grid.x / grid.y};
  for (const SpecialRow& s : code.specials) {
    for (unsigned lane = 0; lane < code.width; ++lane) {
      const std::uint32_t thread = w.index * config.lanes + lane;
      const Dim3 tid{thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
      const LaneMask all = full_mask(code.lanes > 32 ? 64 : 32), eq = lane_bit(lane), lt = eq - 1;
      std::uint64_t value = 0;
      switch (s.special) {
        case Special::LaneId: value = lane; break;
        case Special::WarpId: value = w.index; break;
        case Special::NWarpId: value = warps_per_block; break;
        case Special::TidX: value = tid.x; break;
        case Special::TidY: value = tid.y; break;
        case Special::TidZ: value = tid.z; break;
        case Special::NTidX: value = block.x; break;
        case Special::NTidY: value = block.y; break;
        case Special::NTidZ: value = block.z; break;
        case Special::CtaIdX: value = cta.x; break;
        case Special::CtaIdY: value = cta.y; break;
        case Special::CtaIdZ: value = cta.z; break;
        case Special::NCtaIdX: value = grid.x; break;
        case Special::NCtaIdY: value = grid.y; break;
        case Special::NCtaIdZ: value = grid.z; break;
        case Special::LaneMaskEq: value = eq; break;
        case Special::LaneMaskLe: value = lt | eq; break;
        case Special::LaneMaskLt: value = lt; break;
        case Special::LaneMaskGe: value = all & ~lt; break;
        case Special::LaneMaskGt: value = all & ~(lt | eq); break;
        case Special::GTid: value = std::uint64_t{cta.x} * block.x + tid.x; break;
        case Special::SmId: value = w.slot % DeviceLimits{}.multiprocessors; break;
        case Special::ClusterIdX: value = cta.x; break;
        case Special::ClusterIdY: value = cta.y; break;
        case Special::ClusterIdZ: value = cta.z; break;
        case Special::NClusterIdX: value = grid.x; break;
        case Special::NClusterIdY: value = grid.y; break;
        case Special::NClusterIdZ: value = grid.z; break;
        case Special::TotalSmemSize: value = aligned(code.own_shared_bytes, kSharedUnitBytes); break;
        case Special::AggrSmemSize: value = code.own_shared_bytes + kReservedSharedBytes; break;
        case Special::DynamicSmemSize: value = config.dynamic_shared_bytes; break;
        case Special::ReservedSmemOffsetBegin:
        case Special::ReservedSmemOffset0: value = code.shared_bytes - kReservedSharedBytes; break;
        case Special::ReservedSmemOffset1: value = code.shared_bytes - kReservedSharedBytes / 2; break;
        case Special::ReservedSmemOffsetEnd: value = code.shared_bytes; break;
        case Special::EnvReg1: value = config.grid_workspace >> 32; break;
        case Special::EnvReg2: value = config.grid_workspace & 0xffff'ffff; break;
        default: value = info(s.special).fixed.value_or(0); break;  // a clock: when it is read
      }
      if (s.wide) row<std::uint64_t>(w.registers, s.offset)[lane] = value;
      else row<std::uint32_t>(w.registers, s.offset)[lane] = static_cast<std::uint32_t>(value);
    }
  }
}

}  // namespace warpsim
