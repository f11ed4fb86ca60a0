// The lane loops for the host instruction set "avx512"; sim/CMakeLists.txt gives the flags.
#include "sim/code/lane_ops_impl.h"

namespace warpsim {
const LaneOps& lane_ops_avx512() { return lane_ops_detail::Table<lane_ops_detail::Avx512>::ops("avx512"); }
}  // namespace warpsim
