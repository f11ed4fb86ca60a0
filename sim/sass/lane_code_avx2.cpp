// The loops of lane_code.h for the host instruction set "avx2"; sim/CMakeLists.txt gives the flags.
#include "sim/sass/lane_code_impl.h"

namespace warpsim::sass {
LaneCode lane_code_avx2() { return LaneLoops<lane_ops_detail::Avx2>::code(); }
}  // namespace warpsim::sass
