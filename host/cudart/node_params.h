// What a node of a graph does, from the parameters that the interface has for it, and back.
//
// Shapes: one function a kind of parameters. After an error `work` means nothing.
// Units:  bytes; elements where the interface counts them.
// Errors: cudaErrorInvalidValue and the like, as the calls return them.
// Source: CUDA Runtime API 13.0, "Graph Management".
#pragma once

#include "host/cudart/cuda_types.h"
#include "host/cudart/runtime.h"
#include "host/cudart/work.h"

namespace warpsim::cudart {

cudaError_t work_of(Runtime& runtime, const cudaKernelNodeParams* params, Work& work);
cudaError_t work_of(Runtime&, const cudaMemcpy3DParms* params, Work& work);
cudaError_t work_of(Runtime&, const cudaMemsetParams* params, Work& work);
cudaError_t work_of(Runtime&, const cudaHostNodeParams* params, Work& work);
cudaError_t work_of(Runtime& runtime, cudaGraph_t child, Work& work);
cudaError_t work_of(Runtime& runtime, const EventWork& event, Work& work);
cudaError_t work_of(Runtime& runtime, cudaMemAllocNodeParams* params, Work& work);
cudaError_t work_of(Runtime&, const CopyWork& copy, Work& work);
cudaError_t work_of(Runtime&, const NoWork&, Work& work);
cudaError_t work_of(Runtime&, const FreeWork& free, Work& work);
cudaError_t work_of(Runtime& runtime, cudaGraphNodeParams* params, Work& work);

// One side of a copy, as the interface describes it.
cudaPitchedPtr box_at(const Rows& rows, const Extent& extent);

}  // namespace warpsim::cudart
