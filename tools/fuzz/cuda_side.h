// A GPU as a side.
//
// Shapes: all programs of a call become one module and one launch each. Where that fails, halves of them are tried, so
//         that the one at fault is known and the others have their outcomes.
// Errors: as in side.h.
// Source: tools/cuda/recording/backend.h.
#pragma once

#include <memory>

#include "tools/cuda/recording/backend.h"
#include "tools/fuzz/side.h"

namespace warpsim::fuzz {

std::unique_ptr<Side> cuda_side(std::unique_ptr<CudaBackend> gpu);

}  // namespace warpsim::fuzz
