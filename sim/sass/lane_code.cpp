// See lane_code.h.
#include "sim/sass/lane_code.h"

#include "sim/code/lane_ops.h"

namespace warpsim::sass {
namespace {

LaneCode best_lane_code() {
#if defined(__x86_64__)
  if (host_isa() == "avx512") return lane_code_avx512();
  if (host_isa() == "avx2") return lane_code_avx2();
#endif
  return lane_code_baseline();
}

}  // namespace

const LaneCode& lane_code() {
  static const LaneCode kBest = best_lane_code();
  return kBest;
}

}  // namespace warpsim::sass
