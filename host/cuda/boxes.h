// The driver's copies in two and three dimensions as the runtime's.
//
// Shapes: a side is of the host, of the device, or of whichever the address says; a pitch or height of 0 is the copy's.
// Units:  bytes, rows, layers.
// Errors: CUDA_ERROR_INVALID_VALUE; CUDA_ERROR_NOT_SUPPORTED for arrays.
// Source: CUDA Driver API 13.0, cuMemcpy3D(); what a pitch of 0 means was measured.
#pragma once

#include "host/cuda/driver_types.h"

namespace warpsim::driver {

CUresult box_of(const CUDA_MEMCPY3D& from, cudart::cudaMemcpy3DParms& box);
CUDA_MEMCPY3D box_of(const CUDA_MEMCPY2D& from);
CUDA_MEMCPY3D description_of(const cudart::cudaMemcpy3DParms& box);

}  // namespace warpsim::driver
