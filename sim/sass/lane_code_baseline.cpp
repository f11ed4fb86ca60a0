// The loops of lane_code.h for the host instruction set "baseline"; sim/CMakeLists.txt gives the flags.
#include "sim/sass/lane_code_impl.h"

namespace warpsim::sass {
LaneCode lane_code_baseline() { return LaneLoops<lane_ops_detail::Baseline>::code(); }
}  // namespace warpsim::sass
