// See lane_steps.h.
#include "sim/code/lane_steps.h"

namespace warpsim {

std::optional<std::int64_t> step_of(Special special, const Dim3& block, unsigned lanes) {
  const bool is_flat = block.y == 1 && block.z == 1, is_of_rows = block.x % lanes == 0;
  if (is_clock(special)) return std::nullopt;
  switch (special) {
    case Special::LaneId: return 1;
    case Special::TidX:
    case Special::GTid: return is_flat || is_of_rows ? std::optional(1) : std::nullopt;
    case Special::TidY: return is_flat || is_of_rows ? std::optional(0) : std::nullopt;
    case Special::TidZ: return is_flat || block.x * block.y % lanes == 0 ? std::optional(0) : std::nullopt;
    case Special::LaneMaskEq:
    case Special::LaneMaskLe:
    case Special::LaneMaskLt:
    case Special::LaneMaskGe:
    case Special::LaneMaskGt: return std::nullopt;
    default: return 0;
  }
}

std::int64_t literal_of(Op op, Type type, std::int64_t immediate) {
  switch (op) {
    case Op::Shl:
    case Op::Shr: return immediate;
    case Op::And:
    case Op::Or:
    case Op::Xor: return bits(type) == 32 ? static_cast<std::uint32_t>(immediate) : immediate;
    case Op::MulLo:
    case Op::MulWide:
    case Op::MadLo:
    case Op::MadWide:
      if (bits(type) != 32) return immediate;
      if (is_signed(type)) return static_cast<std::int32_t>(immediate);
      return static_cast<std::uint32_t>(immediate);
    default: return 0;
  }
}

}  // namespace warpsim
