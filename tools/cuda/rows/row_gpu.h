// The GPU of this machine as the witness of a sweep.
//
// Shapes: every thread of the sweep has a stream and memory of its own; each opcode is a module that the driver
//         compiles.
// Units:  seconds.
// Errors: open_gpu() gives null and why where there is no GPU. A launch that is not over after kLaunchSeconds is a
//         failure, and the process can then only be ended: it may wait for ever for the GPU otherwise.
// Source: driver.h.
#pragma once

#include <memory>
#include <string>

#include "tools/cuda/rows/row_compare.h"

namespace warpsim::rows {

inline constexpr int kLaunchSeconds = 30;

std::unique_ptr<Witness> open_gpu(unsigned threads, std::string& why);

}  // namespace warpsim::rows
