// The warps of a launch as they begin: their lanes, registers and special registers, and their block's shared memory.
//
// Shapes: warps_[block * warps_per_block + warp].
// Units:  bytes.
// Errors: none.
#include <algorithm>

#include "sim/machine/machine_impl.h"

namespace warpsim {

Machine::Impl::Impl(const Program& program, const LaunchConfig& config, const Arguments& arguments, Code code)
    : program_(program),
      config_(config),
      arguments_(arguments),
      code_(std::move(code)),
      memory_(code_.buffers, program, arguments) {
  warps_per_block_ = static_cast<std::uint32_t>((config_.block.count() + config_.lanes - 1) / config_.lanes);
  random_ = SplitMix(config_.schedule.seed);
  shared_.assign(code_.shared_bytes == 0 ? 0 : config_.grid.count(), std::vector<std::byte>(code_.shared_bytes));
  if (config_.poison != 0) {
    SplitMix bits(mixed(config_.poison));
    for (std::vector<std::byte>& block : shared_)
      for (std::byte& one : block) one = static_cast<std::byte>(bits.next());
  }
  make_warps();
  std::size_t state_bytes = warps_.size() * (sizeof(LivelockWatch::WarpState) + code_.block_template.size());
  state_bytes += shared_.size() * code_.shared_bytes;
  for (const GlobalMemory::Buffer& b : memory_.buffers()) state_bytes += b.layout.read_only ? 0 : b.bytes.size();
  ahead_until_ = config_.max_cycles;
  livelock_.is_on = !config_.schedule.fuzz && !config_.timing && state_bytes <= kMostStateBytes;
  if (config_.timing)
    clock_ =
        std::make_unique<Clock>(*config_.timing, program_, config_.grid.count(), warps_per_block_, code_.shared_bytes);
}

LaneMask Machine::Impl::existing_lanes(std::uint32_t warp) const {
  const std::uint64_t before = std::uint64_t{warp} * config_.lanes;
  const std::uint64_t left = config_.block.count() > before ? config_.block.count() - before : 0;
  return full_mask(static_cast<unsigned>(std::min<std::uint64_t>(left, config_.lanes)));
}

void Machine::Impl::make_warps() {
  const std::size_t count = static_cast<std::size_t>(config_.grid.count() * warps_per_block_);
  const std::size_t stride = code_.block_template.size();
  if (stride != 0) {
    register_storage_.reset(static_cast<std::byte*>(::operator new (count* stride, std::align_val_t{64})));
  }
  warps_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    Warp& w = warps_[k];
    w.block = static_cast<std::uint32_t>(k / warps_per_block_);
    w.index = static_cast<std::uint32_t>(k % warps_per_block_);
    w.registers = register_storage_.get() + k * stride;
    std::copy(code_.block_template.begin(), code_.block_template.end(), w.registers);
    w.existing = w.alive = existing_lanes(w.index);
    w.divergence = Divergence(w.existing, config_.reconvergence);
    if (config_.poison != 0) poison_registers(w);
    fill_specials(w);
    if (config_.schedule.fuzz && random_.below(2) == 0) w.cycle += random_.below(200);
    queue(static_cast<std::uint32_t>(k));
  }
}

void Machine::Impl::poison_registers(Warp& w) const {
  SplitMix bits(mixed(config_.poison + w.block) + w.index);
  for (std::size_t r = 0; r < program_.registers.size(); ++r) {
    const std::uint32_t offset = code_.register_offset[r];
    const RegClass cls = program_.registers[r].cls;
    if (cls == RegClass::Pred) {
      word(w.registers, offset) = bits.next() & full_mask(config_.lanes);
      continue;
    }
    for (unsigned lane = 0; lane < config_.lanes; ++lane) {
      const std::uint64_t value = bits.next();
      if (code_.register_wide[r]) row<std::uint64_t>(w.registers, offset)[lane] = value;
      else
        row<std::uint32_t>(w.registers, offset)[lane] =
            static_cast<std::uint32_t>(cls == RegClass::R16 ? value & 0xffff : value);
    }
  }
}

void Machine::Impl::fill_specials(Warp& w) {
  const Dim3 grid = config_.grid, block = config_.block;
  const Dim3 cta{w.block % grid.x, w.block / grid.x % grid.y, w.block / grid.x / grid.y};
  for (const SpecialRow& s : code_.specials) {
    for (unsigned lane = 0; lane < code_.width; ++lane) {
      const std::uint32_t thread = w.index * config_.lanes + lane;
      const Dim3 tid{thread % block.x, thread / block.x % block.y, thread / block.x / block.y};
      const LaneMask all = full_mask(code_.lanes > 32 ? 64 : 32), eq = lane_bit(lane), lt = eq - 1;
      std::uint64_t value = 0;
      switch (s.special) {
        case Special::LaneId: value = lane; break;
        case Special::WarpId: value = w.index; break;
        case Special::NWarpId: value = warps_per_block_; break;
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
        case Special::Clock:
        case Special::Clock64: break;  // when it is read
      }
      if (s.wide) row<std::uint64_t>(w.registers, s.offset)[lane] = value;
      else row<std::uint32_t>(w.registers, s.offset)[lane] = static_cast<std::uint32_t>(value);
    }
  }
}

}  // namespace warpsim
