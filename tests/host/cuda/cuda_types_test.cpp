// The layouts of both interfaces' structures are those of the toolkit's headers, where it is.
//
// Source: cuda.h and driver_types.h of CUDA 13.
#include <gtest/gtest.h>

#include "host/cuda/driver_types.h"

#if __has_include("/usr/local/cuda/include/cuda_runtime_api.h")
#define HAS_TOOLKIT
#include "/usr/local/cuda/include/cuda.h"
#include "/usr/local/cuda/include/cuda_runtime_api.h"
#endif

namespace warpsim {
namespace {

#ifdef HAS_TOOLKIT
#define SAME_SIZE(ours, theirs) static_assert(sizeof(ours) == sizeof(theirs))
#define SAME_PLACE(room, type, member) static_assert(offsetof(room::type, member) == offsetof(::type, member))

SAME_SIZE(cudart::dim3, ::dim3);
SAME_SIZE(cudart::cudaMemcpy3DParms, ::cudaMemcpy3DParms);
SAME_PLACE(cudart, cudaMemcpy3DParms, dstPos);
SAME_PLACE(cudart, cudaMemcpy3DParms, extent);
SAME_PLACE(cudart, cudaMemcpy3DParms, kind);
SAME_SIZE(cudart::cudaPointerAttributes, ::cudaPointerAttributes);
SAME_PLACE(cudart, cudaPointerAttributes, hostPointer);
SAME_SIZE(cudart::cudaFuncAttributes, ::cudaFuncAttributes);
SAME_PLACE(cudart, cudaFuncAttributes, maxDynamicSharedSizeBytes);
SAME_PLACE(cudart, cudaFuncAttributes, nonPortableClusterSizeAllowed);
SAME_SIZE(cudart::cudaMemPoolProps, ::cudaMemPoolProps);
SAME_PLACE(cudart, cudaMemPoolProps, maxSize);
SAME_SIZE(cudart::cudaLaunchAttribute, ::cudaLaunchAttribute);
SAME_PLACE(cudart, cudaLaunchAttribute, val);
SAME_SIZE(cudart::cudaLaunchConfig_t, ::cudaLaunchConfig_t);
SAME_PLACE(cudart, cudaLaunchConfig_t, attrs);
SAME_SIZE(cudart::cudaKernelNodeParams, ::cudaKernelNodeParams);
SAME_PLACE(cudart, cudaKernelNodeParams, kernelParams);
SAME_SIZE(cudart::cudaMemsetParams, ::cudaMemsetParams);
SAME_PLACE(cudart, cudaMemsetParams, width);
SAME_SIZE(cudart::cudaMemAllocNodeParams, ::cudaMemAllocNodeParams);
SAME_PLACE(cudart, cudaMemAllocNodeParams, dptr);
SAME_SIZE(cudart::cudaGraphNodeParams, ::cudaGraphNodeParams);
SAME_PLACE(cudart, cudaGraphNodeParams, kernel);
SAME_SIZE(cudart::cudaGraphEdgeData, ::cudaGraphEdgeData);
SAME_SIZE(cudart::cudaGraphExecUpdateResultInfo, ::cudaGraphExecUpdateResultInfo);
SAME_SIZE(cudart::cudaGraphInstantiateParams, ::cudaGraphInstantiateParams);

SAME_SIZE(driver::CUDA_MEMCPY2D, ::CUDA_MEMCPY2D);
SAME_PLACE(driver, CUDA_MEMCPY2D, dstMemoryType);
SAME_PLACE(driver, CUDA_MEMCPY2D, Height);
SAME_SIZE(driver::CUDA_MEMCPY3D, ::CUDA_MEMCPY3D);
SAME_PLACE(driver, CUDA_MEMCPY3D, srcHeight);
SAME_PLACE(driver, CUDA_MEMCPY3D, dstHost);
SAME_PLACE(driver, CUDA_MEMCPY3D, Depth);
SAME_SIZE(driver::CUlaunchConfig, ::CUlaunchConfig);
SAME_PLACE(driver, CUlaunchConfig, hStream);
SAME_PLACE(driver, CUlaunchConfig, numAttrs);
SAME_SIZE(cudart::cudaLaunchAttribute, ::CUlaunchAttribute);
SAME_SIZE(driver::CUDA_KERNEL_NODE_PARAMS, ::CUDA_KERNEL_NODE_PARAMS);
SAME_PLACE(driver, CUDA_KERNEL_NODE_PARAMS, extra);
SAME_PLACE(driver, CUDA_KERNEL_NODE_PARAMS, kern);
SAME_SIZE(driver::CUDA_MEMCPY_NODE_PARAMS, ::CUDA_MEMCPY_NODE_PARAMS);
SAME_PLACE(driver, CUDA_MEMCPY_NODE_PARAMS, copyParams);
SAME_SIZE(driver::CUgraphNodeParams, ::CUgraphNodeParams);
SAME_PLACE(driver, CUgraphNodeParams, kernel);
SAME_SIZE(cudart::cudaMemsetParams, ::CUDA_MEMSET_NODE_PARAMS);
SAME_SIZE(cudart::cudaHostNodeParams, ::CUDA_HOST_NODE_PARAMS);
SAME_SIZE(cudart::cudaMemAllocNodeParams, ::CUDA_MEM_ALLOC_NODE_PARAMS);
SAME_SIZE(driver::CUdevprop, ::CUdevprop);
SAME_SIZE(driver::CUuuid, ::CUuuid);
SAME_SIZE(driver::CUmemAllocationProp, ::CUmemAllocationProp);
SAME_PLACE(driver, CUmemAllocationProp, location);
SAME_SIZE(cudart::cudaMemAccessDesc, ::CUmemAccessDesc);
#endif

TEST(CudaTypes, AreTheToolkits) {
#ifndef HAS_TOOLKIT
  GTEST_SKIP() << "no toolkit";
#endif
}

}  // namespace
}  // namespace warpsim
