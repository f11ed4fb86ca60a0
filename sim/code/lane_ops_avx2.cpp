// The lane loops for the host instruction set "avx2"; sim/CMakeLists.txt gives the flags.
#include "sim/code/lane_ops_impl.h"

namespace warpsim {
const LaneOps& lane_ops_avx2() { return lane_ops_detail::Table<lane_ops_detail::Avx2>::ops("avx2"); }
}  // namespace warpsim
