// The interface: graphs. They are the runtime's; kernels and copies are described otherwise.
#include "host/cuda/boxes.h"
#include "host/cuda/call.h"
#include "host/cuda/kernel_arguments.h"
#include "host/cudart/calls.h"

namespace warpsim::driver {
namespace {

using cudart::cudaGraphEdgeData;
using cudart::cudaHostNodeParams;
using cudart::cudaMemAllocNodeParams;
using cudart::cudaMemsetParams;
using cudart::GraphNode;
using cudart::Runtime;
using Nodes = GraphNode* const*;

// f(parameters), as the runtime's functions take them.
template <class F>
CUresult with_kernel(const char* name, const CUDA_KERNEL_NODE_PARAMS* from, bool has_kernel, F&& f) {
  return with_runtime(name, [&](Runtime& runtime) {
    if (from == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUfunction const function = from->func == nullptr && has_kernel ? from->kern : from->func;
    if (runtime.modules().find_function(function) == nullptr) return CUDA_ERROR_INVALID_VALUE;
    KernelArguments arguments;
    CUresult error = result_of(runtime.modules().use(*function));
    if (error == CUDA_SUCCESS) error = arguments.set(*function, from->kernelParams, from->extra);
    if (error != CUDA_SUCCESS) return error;
    const cudart::cudaKernelNodeParams params{function,
                                              {from->gridDimX, from->gridDimY, from->gridDimZ},
                                              {from->blockDimX, from->blockDimY, from->blockDimZ},
                                              from->sharedMemBytes,
                                              arguments.pointers(),
                                              nullptr};
    return result_of(f(&params));
  });
}

template <class F>
CUresult with_box(const char* name, const CUDA_MEMCPY3D* from, F&& f) {
  return call(name, [&] {
    cudart::cudaMemcpy3DParms box{};
    const CUresult error = from == nullptr ? CUDA_ERROR_INVALID_VALUE : box_of(*from, box);
    return error != CUDA_SUCCESS ? error : result_of(f(&box));
  });
}

// Of any kind: only kernels and copies differ from the runtime's.
template <class F>
CUresult with_any(const char* name, CUgraphNodeParams* from, F&& f) {
  if (from == nullptr) return call(name, [] { return CUDA_ERROR_INVALID_VALUE; });
  cudart::cudaGraphNodeParams params{};
  params.type = from->type;
  if (from->type == cudart::cudaGraphNodeTypeKernel)
    return with_kernel(name, &from->kernel, true, [&](const cudart::cudaKernelNodeParams* kernel) {
      const cudart::dim3 &grid = kernel->gridDim, &block = kernel->blockDim;
      params.kernel = {kernel->func,           {grid.x, grid.y, grid.z}, {block.x, block.y, block.z},
                       kernel->sharedMemBytes, kernel->kernelParams,     nullptr};
      return f(&params);
    });
  if (from->type == cudart::cudaGraphNodeTypeMemcpy)
    return with_box(name, &from->memcpy.copyParams, [&](const cudart::cudaMemcpy3DParms* box) {
      params.memcpy.copyParams = *box;
      return f(&params);
    });
  return call(name, [&] {
    std::copy(std::begin(from->reserved1), std::end(from->reserved1), params.reserved1);
    const cudart::cudaError_t error = f(&params);
    if (from->type == cudart::cudaGraphNodeTypeMemAlloc) from->alloc.dptr = params.alloc.dptr;
    return error;
  });
}

CUresult get_kernel(const char* name, CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* to, bool has_kernel) {
  return call(name, [&] {
    cudart::cudaKernelNodeParams params{};
    if (to == nullptr) return cudart::cudaErrorInvalidValue;
    const cudart::cudaError_t error = cudart::cudaGraphKernelNodeGetParams(node, &params);
    if (error != cudart::cudaSuccess) return error;
    to->func = static_cast<CUfunction>(params.func);
    to->gridDimX = params.gridDim.x, to->gridDimY = params.gridDim.y, to->gridDimZ = params.gridDim.z;
    to->blockDimX = params.blockDim.x, to->blockDimY = params.blockDim.y, to->blockDimZ = params.blockDim.z;
    to->sharedMemBytes = params.sharedMemBytes;
    to->kernelParams = params.kernelParams, to->extra = nullptr;
    if (has_kernel) to->kern = nullptr, to->ctx = nullptr;
    return error;
  });
}

CUresult add_kernel(const char* name, CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count,
                    const CUDA_KERNEL_NODE_PARAMS* from, bool has_kernel) {
  return with_kernel(name, from, has_kernel, [&](const cudart::cudaKernelNodeParams* params) {
    return cudart::cudaGraphAddKernelNode(node, graph, behind, count, params);
  });
}

CUresult instantiate(const char* name, CUgraphExec* made, CUgraph graph, unsigned long long flags) {
  return call(name, [&] { return cudart::cudaGraphInstantiateWithFlags(made, graph, flags); });
}

}  // namespace

extern "C" {

// ---- graphs and their nodes
CUDRIVER(cuGraphCreate)(CUgraph* graph, unsigned flags) {
  return call(
      __func__, [&] { return cudart::cudaGraphCreate(graph, flags); }, Needs::Driver);
}
CUDRIVER(cuGraphDestroy)(CUgraph graph) {
  return call(
      __func__, [&] { return cudart::cudaGraphDestroy(graph); }, Needs::Driver);
}
CUDRIVER(cuGraphClone)(CUgraph* clone, CUgraph graph) {
  return call(__func__, [&] { return cudart::cudaGraphClone(clone, graph); });
}
CUDRIVER(cuGraphNodeFindInClone)(CUgraphNode* node, CUgraphNode original, CUgraph clone) {
  return call(__func__, [&] { return cudart::cudaGraphNodeFindInClone(node, original, clone); });
}
CUDRIVER(cuGraphAddKernelNode_v2)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, const CUDA_KERNEL_NODE_PARAMS* params) {
  return add_kernel(__func__, node, graph, behind, count, params, true);
}
CUDRIVER(cuGraphAddKernelNode)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, const CUDA_KERNEL_NODE_PARAMS* params) {
  return add_kernel(__func__, node, graph, behind, count, params, false);
}
CUDRIVER(cuGraphAddMemcpyNode)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, const CUDA_MEMCPY3D* from, CUcontext) {
  return with_box(__func__, from, [&](const cudart::cudaMemcpy3DParms* box) {
    return cudart::cudaGraphAddMemcpyNode(node, graph, behind, count, box);
  });
}
CUDRIVER(cuGraphAddMemsetNode)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, const cudaMemsetParams* params, CUcontext) {
  return call(__func__, [&] { return cudart::cudaGraphAddMemsetNode(node, graph, behind, count, params); });
}
CUDRIVER(cuGraphAddHostNode)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, const cudaHostNodeParams* params) {
  return call(__func__, [&] { return cudart::cudaGraphAddHostNode(node, graph, behind, count, params); });
}
CUDRIVER(cuGraphAddChildGraphNode)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, CUgraph child) {
  return call(__func__, [&] { return cudart::cudaGraphAddChildGraphNode(node, graph, behind, count, child); });
}
CUDRIVER(cuGraphAddEmptyNode)(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count) {
  return call(__func__, [&] { return cudart::cudaGraphAddEmptyNode(node, graph, behind, count); });
}
CUDRIVER(cuGraphAddEventRecordNode)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, CUevent event) {
  return call(__func__, [&] { return cudart::cudaGraphAddEventRecordNode(node, graph, behind, count, event); });
}
CUDRIVER(cuGraphAddEventWaitNode)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, CUevent event) {
  return call(__func__, [&] { return cudart::cudaGraphAddEventWaitNode(node, graph, behind, count, event); });
}
CUDRIVER(cuGraphAddMemAllocNode)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, cudaMemAllocNodeParams* params) {
  return call(__func__, [&] { return cudart::cudaGraphAddMemAllocNode(node, graph, behind, count, params); });
}
CUDRIVER(cuGraphAddMemFreeNode)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, CUdeviceptr at) {
  return call(__func__, [&] { return cudart::cudaGraphAddMemFreeNode(node, graph, behind, count, pointer(at)); });
}
CUDRIVER(cuGraphAddNode_v2)
(CUgraphNode* node, CUgraph graph, Nodes behind, const cudaGraphEdgeData* edges, std::size_t count,
 CUgraphNodeParams* from) {
  return with_any(__func__, from, [&](cudart::cudaGraphNodeParams* params) {
    return cudart::cudaGraphAddNode(node, graph, behind, edges, count, params);
  });
}
CUDRIVER(cuGraphAddNode)
(CUgraphNode* node, CUgraph graph, Nodes behind, std::size_t count, CUgraphNodeParams* from) {
  return cuGraphAddNode_v2(node, graph, behind, nullptr, count, from);
}
CUDRIVER(cuGraphDestroyNode)(CUgraphNode node) {
  return call(__func__, [&] { return cudart::cudaGraphDestroyNode(node); });
}

// ---- edges
CUDRIVER(cuGraphAddDependencies_v2)
(CUgraph graph, Nodes from, Nodes to, const cudaGraphEdgeData* edges, std::size_t count) {
  return call(__func__, [&] { return cudart::cudaGraphAddDependencies(graph, from, to, edges, count); });
}
CUDRIVER(cuGraphAddDependencies)(CUgraph graph, Nodes from, Nodes to, std::size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}
CUDRIVER(cuGraphRemoveDependencies_v2)
(CUgraph graph, Nodes from, Nodes to, const cudaGraphEdgeData* edges, std::size_t count) {
  return call(__func__, [&] { return cudart::cudaGraphRemoveDependencies(graph, from, to, edges, count); });
}
CUDRIVER(cuGraphRemoveDependencies)(CUgraph graph, Nodes from, Nodes to, std::size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}
CUDRIVER(cuGraphGetNodes)(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  return call(__func__, [&] { return cudart::cudaGraphGetNodes(graph, nodes, count); });
}
CUDRIVER(cuGraphGetRootNodes)(CUgraph graph, CUgraphNode* nodes, std::size_t* count) {
  return call(__func__, [&] { return cudart::cudaGraphGetRootNodes(graph, nodes, count); });
}
CUDRIVER(cuGraphGetEdges_v2)
(CUgraph graph, CUgraphNode* from, CUgraphNode* to, cudaGraphEdgeData* edges, std::size_t* count) {
  return call(__func__, [&] { return cudart::cudaGraphGetEdges(graph, from, to, edges, count); });
}
CUDRIVER(cuGraphGetEdges)(CUgraph graph, CUgraphNode* from, CUgraphNode* to, std::size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}
CUDRIVER(cuGraphNodeGetType)(CUgraphNode node, cudart::cudaGraphNodeType* type) {
  return call(__func__, [&] { return cudart::cudaGraphNodeGetType(node, type); });
}
CUDRIVER(cuGraphNodeGetDependencies_v2)
(CUgraphNode node, CUgraphNode* nodes, cudaGraphEdgeData* edges, std::size_t* count) {
  return call(__func__, [&] { return cudart::cudaGraphNodeGetDependencies(node, nodes, edges, count); });
}
CUDRIVER(cuGraphNodeGetDependencies)(CUgraphNode node, CUgraphNode* nodes, std::size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}
CUDRIVER(cuGraphNodeGetDependentNodes_v2)
(CUgraphNode node, CUgraphNode* nodes, cudaGraphEdgeData* edges, std::size_t* count) {
  return call(__func__, [&] { return cudart::cudaGraphNodeGetDependentNodes(node, nodes, edges, count); });
}
CUDRIVER(cuGraphNodeGetDependentNodes)(CUgraphNode node, CUgraphNode* nodes, std::size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}

// ---- what nodes do
CUDRIVER(cuGraphKernelNodeGetParams_v2)(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* to) {
  return get_kernel(__func__, node, to, true);
}
CUDRIVER(cuGraphKernelNodeGetParams)(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* to) {
  return get_kernel(__func__, node, to, false);
}
CUDRIVER(cuGraphKernelNodeSetParams_v2)(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* from) {
  return with_kernel(__func__, from, true, [&](const cudart::cudaKernelNodeParams* params) {
    return cudart::cudaGraphKernelNodeSetParams(node, params);
  });
}
CUDRIVER(cuGraphKernelNodeSetParams)(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* from) {
  return with_kernel(__func__, from, false, [&](const cudart::cudaKernelNodeParams* params) {
    return cudart::cudaGraphKernelNodeSetParams(node, params);
  });
}
CUDRIVER(cuGraphMemcpyNodeSetParams)(CUgraphNode node, const CUDA_MEMCPY3D* from) {
  return with_box(__func__, from, [&](const cudart::cudaMemcpy3DParms* box) {
    return cudart::cudaGraphMemcpyNodeSetParams(node, box);
  });
}
CUDRIVER(cuGraphMemsetNodeGetParams)(CUgraphNode node, cudaMemsetParams* params) {
  return call(__func__, [&] { return cudart::cudaGraphMemsetNodeGetParams(node, params); });
}
CUDRIVER(cuGraphMemsetNodeSetParams)(CUgraphNode node, const cudaMemsetParams* params) {
  return call(__func__, [&] { return cudart::cudaGraphMemsetNodeSetParams(node, params); });
}
CUDRIVER(cuGraphHostNodeGetParams)(CUgraphNode node, cudaHostNodeParams* params) {
  return call(__func__, [&] { return cudart::cudaGraphHostNodeGetParams(node, params); });
}
CUDRIVER(cuGraphHostNodeSetParams)(CUgraphNode node, const cudaHostNodeParams* params) {
  return call(__func__, [&] { return cudart::cudaGraphHostNodeSetParams(node, params); });
}
CUDRIVER(cuGraphEventRecordNodeSetEvent)(CUgraphNode node, CUevent event) {
  return call(__func__, [&] { return cudart::cudaGraphEventRecordNodeSetEvent(node, event); });
}
CUDRIVER(cuGraphEventWaitNodeSetEvent)(CUgraphNode node, CUevent event) {
  return call(__func__, [&] { return cudart::cudaGraphEventWaitNodeSetEvent(node, event); });
}
CUDRIVER(cuGraphMemcpyNodeGetParams)(CUgraphNode node, CUDA_MEMCPY3D* to) {
  return call(__func__, [&] {
    cudart::cudaMemcpy3DParms box{};
    if (to == nullptr) return cudart::cudaErrorInvalidValue;
    const cudart::cudaError_t error = cudart::cudaGraphMemcpyNodeGetParams(node, &box);
    if (error == cudart::cudaSuccess) *to = description_of(box);
    return error;
  });
}
CUDRIVER(cuGraphEventRecordNodeGetEvent)(CUgraphNode node, CUevent* event) {
  return call(__func__, [&] { return cudart::cudaGraphEventRecordNodeGetEvent(node, event); });
}
CUDRIVER(cuGraphEventWaitNodeGetEvent)(CUgraphNode node, CUevent* event) {
  return call(__func__, [&] { return cudart::cudaGraphEventWaitNodeGetEvent(node, event); });
}
CUDRIVER(cuGraphMemAllocNodeGetParams)(CUgraphNode node, cudaMemAllocNodeParams* params) {
  return call(__func__, [&] { return cudart::cudaGraphMemAllocNodeGetParams(node, params); });
}
CUDRIVER(cuGraphMemFreeNodeGetParams)(CUgraphNode node, CUdeviceptr* at) {
  return call(__func__, [&] { return cudart::cudaGraphMemFreeNodeGetParams(node, at); });
}
CUDRIVER(cuGraphNodeSetParams)(CUgraphNode node, CUgraphNodeParams* from) {
  return with_any(__func__, from,
                  [&](cudart::cudaGraphNodeParams* params) { return cudart::cudaGraphNodeSetParams(node, params); });
}

// ---- executable ones
CUDRIVER(cuGraphInstantiateWithFlags)(CUgraphExec* made, CUgraph graph, unsigned long long flags) {
  return instantiate(__func__, made, graph, flags);
}
CUDRIVER(cuGraphInstantiate)(CUgraphExec* made, CUgraph graph, CUgraphNode*, char*, std::size_t) {
  return instantiate(__func__, made, graph, 0);
}
CUDRIVER(cuGraphInstantiate_v2)(CUgraphExec* made, CUgraph graph, CUgraphNode*, char*, std::size_t) {
  return instantiate(__func__, made, graph, 0);
}
CUDRIVER(cuGraphInstantiateWithParams)
(CUgraphExec* made, CUgraph graph, cudart::cudaGraphInstantiateParams* params) {
  return call(__func__, [&] { return cudart::cudaGraphInstantiateWithParams(made, graph, params); });
}
CUDRIVER(cuGraphExecDestroy)(CUgraphExec graph) {
  return call(__func__, [&] { return cudart::cudaGraphExecDestroy(graph); });
}
CUDRIVER(cuGraphExecGetFlags)(CUgraphExec graph, unsigned long long* flags) {
  return call(__func__, [&] { return cudart::cudaGraphExecGetFlags(graph, flags); });
}
CUDRIVER(cuGraphLaunch)(CUgraphExec graph, CUstream stream) {
  return call(__func__, [&] { return cudart::cudaGraphLaunch(graph, stream); });
}
CUDRIVER(cuGraphUpload)(CUgraphExec graph, CUstream stream) {
  return call(__func__, [&] { return cudart::cudaGraphUpload(graph, stream); });
}
CUDRIVER(cuGraphNodeSetEnabled)(CUgraphExec graph, CUgraphNode node, unsigned is_enabled) {
  return call(__func__, [&] { return cudart::cudaGraphNodeSetEnabled(graph, node, is_enabled); });
}
CUDRIVER(cuGraphNodeGetEnabled)(CUgraphExec graph, CUgraphNode node, unsigned* is_enabled) {
  return call(__func__, [&] { return cudart::cudaGraphNodeGetEnabled(graph, node, is_enabled); });
}
CUDRIVER(cuGraphExecKernelNodeSetParams_v2)
(CUgraphExec graph, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* from) {
  return with_kernel(__func__, from, true, [&](const cudart::cudaKernelNodeParams* params) {
    return cudart::cudaGraphExecKernelNodeSetParams(graph, node, params);
  });
}
CUDRIVER(cuGraphExecKernelNodeSetParams)
(CUgraphExec graph, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* from) {
  return with_kernel(__func__, from, false, [&](const cudart::cudaKernelNodeParams* params) {
    return cudart::cudaGraphExecKernelNodeSetParams(graph, node, params);
  });
}
CUDRIVER(cuGraphExecMemcpyNodeSetParams)
(CUgraphExec graph, CUgraphNode node, const CUDA_MEMCPY3D* from, CUcontext) {
  return with_box(__func__, from, [&](const cudart::cudaMemcpy3DParms* box) {
    return cudart::cudaGraphExecMemcpyNodeSetParams(graph, node, box);
  });
}
CUDRIVER(cuGraphExecMemsetNodeSetParams)
(CUgraphExec graph, CUgraphNode node, const cudaMemsetParams* params, CUcontext) {
  return call(__func__, [&] { return cudart::cudaGraphExecMemsetNodeSetParams(graph, node, params); });
}
CUDRIVER(cuGraphExecHostNodeSetParams)(CUgraphExec graph, CUgraphNode node, const cudaHostNodeParams* params) {
  return call(__func__, [&] { return cudart::cudaGraphExecHostNodeSetParams(graph, node, params); });
}
CUDRIVER(cuGraphExecChildGraphNodeSetParams)(CUgraphExec graph, CUgraphNode node, CUgraph child) {
  return call(__func__, [&] { return cudart::cudaGraphExecChildGraphNodeSetParams(graph, node, child); });
}
CUDRIVER(cuGraphExecEventRecordNodeSetEvent)(CUgraphExec graph, CUgraphNode node, CUevent event) {
  return call(__func__, [&] { return cudart::cudaGraphExecEventRecordNodeSetEvent(graph, node, event); });
}
CUDRIVER(cuGraphExecEventWaitNodeSetEvent)(CUgraphExec graph, CUgraphNode node, CUevent event) {
  return call(__func__, [&] { return cudart::cudaGraphExecEventWaitNodeSetEvent(graph, node, event); });
}
CUDRIVER(cuGraphExecNodeSetParams)(CUgraphExec graph, CUgraphNode node, CUgraphNodeParams* from) {
  return with_any(__func__, from, [&](cudart::cudaGraphNodeParams* params) {
    return cudart::cudaGraphExecNodeSetParams(graph, node, params);
  });
}
CUDRIVER(cuGraphExecUpdate_v2)
(CUgraphExec graph, CUgraph from, cudart::cudaGraphExecUpdateResultInfo* result) {
  return call(__func__, [&] { return cudart::cudaGraphExecUpdate(graph, from, result); });
}
CUDRIVER(cuGraphExecUpdate)(CUgraphExec graph, CUgraph from, CUgraphNode* error_node, int* result) {
  return call(__func__, [&] {
    cudart::cudaGraphExecUpdateResultInfo info{};
    const cudart::cudaError_t error = cudart::cudaGraphExecUpdate(graph, from, &info);
    cudart::give_wanted(error_node, info.errorNode);
    cudart::give_wanted(result, info.result);
    return error;
  });
}
}

}  // namespace warpsim::driver
