// Chooses the lane loops that fit the machine we run on.
#include "sim/lane_ops.h"

#include "sim/machine.h"

namespace warpsim {

const LaneOps& lane_ops() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    return lane_ops_avx512();
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return lane_ops_avx2();
#endif
  return lane_ops_baseline();
}

std::string_view host_isa() { return lane_ops().host_isa; }

}  // namespace warpsim
