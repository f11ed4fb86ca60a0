// The lane loops for the host instruction set "baseline"; sim/CMakeLists.txt gives the flags.
#include "sim/code/lane_ops_impl.h"

namespace warpsim {
const LaneOps& lane_ops_baseline() { return lane_ops_detail::Table<lane_ops_detail::Baseline>::ops("baseline"); }
}  // namespace warpsim
