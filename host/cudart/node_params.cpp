#include "host/cudart/node_params.h"

#include <algorithm>
#include <utility>

#include "host/cudart/call.h"

namespace warpsim::cudart {

cudaError_t work_of(Runtime& runtime, const cudaKernelNodeParams* params, Work& work) {
  if (params == nullptr) return cudaErrorInvalidValue;
  KernelWork kernel;
  const cudaError_t error = kernel_work(runtime, params->func, params->gridDim, params->blockDim, params->kernelParams,
                                        params->sharedMemBytes, kernel);
  work = std::move(kernel);
  return error;
}
cudaError_t work_of(Runtime&, const cudaMemcpy3DParms* params, Work& work) {
  CopyWork copy;
  const cudaError_t error = params == nullptr ? cudaErrorInvalidValue : copy_in(*params, copy);
  work = copy;
  return error;
}
cudaError_t work_of(Runtime&, const cudaMemsetParams* params, Work& work) {
  if (params == nullptr || (params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4))
    return cudaErrorInvalidValue;
  const std::size_t width = params->width * params->elementSize;
  work = FillWork{rows_at(params->dst, params->height <= 1 ? width : params->pitch),
                  {width, params->height},
                  params->value,
                  params->elementSize};
  return cudaSuccess;
}
cudaError_t work_of(Runtime&, const cudaHostNodeParams* params, Work& work) {
  if (params == nullptr || params->fn == nullptr) return cudaErrorInvalidValue;
  work = HostWork{params->fn, params->userData};
  return cudaSuccess;
}
cudaError_t work_of(Runtime& runtime, cudaGraph_t child, Work& work) {
  const auto found = runtime.find(child);
  if (found == nullptr) return cudaErrorInvalidValue;
  work = GraphWork{found->clone()};
  return cudaSuccess;
}
cudaError_t work_of(Runtime& runtime, const EventWork& event, Work& work) {
  if (event.event == nullptr) return cudaErrorInvalidValue;
  if (!runtime.is_live(event.event)) return cudaErrorInvalidResourceHandle;
  work = event;
  return cudaSuccess;
}
cudaError_t work_of(Runtime& runtime, cudaMemAllocNodeParams* params, Work& work) {
  if (params == nullptr || params->bytesize == 0) return cudaErrorInvalidValue;
  AllocateWork made;
  made.size = params->bytesize;
  const cudaError_t error =
      runtime.allocate_in_graph(params->bytesize, "cudaGraphAddMemAllocNode", nullptr, made.address);
  params->dptr = reinterpret_cast<void*>(made.address);
  work = made;
  return error;
}
cudaError_t work_of(Runtime&, const CopyWork& copy, Work& work) {
  work = copy;
  return cudaSuccess;
}
cudaError_t work_of(Runtime&, const NoWork&, Work& work) {
  work = NoWork{};
  return cudaSuccess;
}
cudaError_t work_of(Runtime&, const FreeWork& free, Work& work) {
  work = free;
  return cudaSuccess;
}
cudaError_t work_of(Runtime& runtime, cudaGraphNodeParams* params, Work& work) {
  if (params == nullptr) return cudaErrorInvalidValue;
  switch (params->type) {
    case cudaGraphNodeTypeKernel: {
      const auto& k = params->kernel;
      const cudaKernelNodeParams kernel{k.func,
                                        {k.grid[0], k.grid[1], k.grid[2]},
                                        {k.block[0], k.block[1], k.block[2]},
                                        k.sharedMemBytes,
                                        k.kernelParams,
                                        k.extra};
      return work_of(runtime, &kernel, work);
    }
    case cudaGraphNodeTypeMemcpy: return work_of(runtime, &std::as_const(params->memcpy.copyParams), work);
    case cudaGraphNodeTypeMemset: return work_of(runtime, &std::as_const(params->memset), work);
    case cudaGraphNodeTypeHost: return work_of(runtime, &std::as_const(params->host), work);
    case cudaGraphNodeTypeGraph: return work_of(runtime, params->graph, work);
    case cudaGraphNodeTypeEmpty: return work_of(runtime, NoWork{}, work);
    case cudaGraphNodeTypeWaitEvent: return work_of(runtime, EventWork{params->event, false}, work);
    case cudaGraphNodeTypeEventRecord: return work_of(runtime, EventWork{params->event, true}, work);
    case cudaGraphNodeTypeMemAlloc: return work_of(runtime, &params->alloc, work);
    case cudaGraphNodeTypeMemFree: return work_of(runtime, FreeWork{address_of(params->free)}, work);
    case cudaGraphNodeTypeConditional: return cudaErrorNotSupported;
  }
  return cudaErrorInvalidValue;
}

cudaPitchedPtr box_at(const Rows& rows, const Extent& extent) {
  const std::size_t pitch = std::max(rows.pitch, extent.width);
  return {reinterpret_cast<void*>(rows.address), pitch, extent.width,
          rows.layer == 0 ? extent.height : rows.layer / pitch};
}

}  // namespace warpsim::cudart
