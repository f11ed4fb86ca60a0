// What a GPU's clocks say of machine code: from a capture, or from the GPU of this machine.
//
// Shapes: machine code is made here, for sm_90, and measured by child processes; kernels of CUDA C++ need nvcc, the
//         others ptxas. What cannot be made, or leaves something else in memory, is not in the capture.
// Units:  cycles; seconds of --gpu-seconds.
// Errors: through the Reply: no GPU, another one than sm_90 or no ptxas is unsupported (5); a kernel that fails on the
//         GPU a trap (4), and one whose outputs are others a mismatch (1).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/cuda/benchmarks/machine_jobs.h"
#include "tools/cycles/machine_capture.h"
#include "tools/session/session.h"

namespace warpsim::tools {

// --against: a file, or `h200`.
std::optional<MachineCapture> read_capture(Session& session, const std::string& file);

// Whether the GPU here can be asked: false after it has said why not.
bool has_gpu_for_code(Session& session);
// `given` have their machine code.
std::optional<MachineCapture> measure_here(Session& session, const std::vector<ClockJob>& jobs,
                                           const std::vector<MachineJob>& given);

}  // namespace warpsim::tools
