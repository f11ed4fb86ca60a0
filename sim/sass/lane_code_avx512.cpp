// The loops of lane_code.h for the host instruction set "avx512"; sim/CMakeLists.txt gives the flags.
#include "sim/sass/lane_code_impl.h"

namespace warpsim::sass {
LaneCode lane_code_avx512() { return LaneLoops<lane_ops_detail::Avx512>::code(); }
}  // namespace warpsim::sass
