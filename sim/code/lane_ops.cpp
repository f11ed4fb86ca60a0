// Chooses the lane loops that fit the machine we run on.
#include "sim/code/lane_ops.h"

#include <string>

#include "sim/code/lift.h"

namespace warpsim {
namespace {

// Lanes that the launch does not have are in no mask, but guards may hold there: what they write is never read.
template <unsigned W>
void guarded(std::byte* r, const DecodedInsn& i) {
  const LaneMask lanes = (word(r, i.guard) ^ i.guard_flip) & full_mask(W);
  if (lanes != 0) i.masked(r, i, lanes);
}

}  // namespace

WholeOp guarded_op(unsigned width) { return width == 64 ? lift::kWhole<guarded<64>> : lift::kWhole<guarded<32>>; }

namespace {

std::string& most_isa() {
  static std::string the;
  return the;
}

// The most that the processor has; of that no more than limit_host_isa() has said.
const LaneOps& best_lane_ops() {
#if defined(__x86_64__)
  const std::string& most = most_isa();
  if (most == "baseline") return lane_ops_baseline();
  if (most != "avx2" && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    return lane_ops_avx512();
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return lane_ops_avx2();
#endif
  return lane_ops_baseline();
}

}  // namespace

void limit_host_isa(std::string_view most) { most_isa() = most; }

const LaneOps& lane_ops() {
  static const LaneOps& kBest = best_lane_ops();
  return kBest;
}

std::string_view host_isa() { return lane_ops().host_isa; }

}  // namespace warpsim
