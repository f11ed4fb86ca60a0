// The types of the CUDA driver's interface, as programs pass them.
//
// Shapes: names, numbers and layouts are CUDA 13's. Handles are the runtime's own: a stream, an event, a graph, a pool
// and
//         a function are the same things in both interfaces; a module and a library are a fat binary that was loaded.
// Units:  bytes, threads, blocks.
// Errors: CUresult, whose numbers are those of cudaError_t where both have an error.
// Source: cuda.h of CUDA 13.0; tests/host/cuda/cuda_types_test.cpp compares the layouts where the toolkit is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "host/cudart/cuda_types.h"

// NOLINTBEGIN(readability-identifier-naming): these are CUDA's names
namespace warpsim::cudart {
struct FatBinary;
}

namespace warpsim::driver {

enum CUresult : int {
#define DRIVER_ERROR(number, name) name = number,
#define DRIVER_OWN_ERROR(number, name, text) name = number,
#include "host/cuda/errors.def"
#undef DRIVER_OWN_ERROR
#undef DRIVER_ERROR
};

struct Context;
struct Link;
using CUcontext = Context*;
using CUlinkState = Link*;
using CUmodule = cudart::FatBinary*;
using CUlibrary = cudart::FatBinary*;
using CUfunction = cudart::Function*;
using CUkernel = cudart::Function*;
using CUstream = cudart::Stream*;
using CUevent = cudart::Event*;
using CUgraph = cudart::Graph*;
using CUgraphNode = cudart::GraphNode*;
using CUgraphExec = cudart::GraphExec*;
using CUmemoryPool = cudart::Pool*;
using CUdevice = int;
using CUdeviceptr = std::uint64_t;
using CUstreamCallback = void (*)(CUstream, CUresult, void*);
using CUoccupancyB2DSize = std::size_t (*)(int);

enum CUmemorytype : int {
  CU_MEMORYTYPE_HOST = 1,
  CU_MEMORYTYPE_DEVICE = 2,
  CU_MEMORYTYPE_ARRAY = 3,
  CU_MEMORYTYPE_UNIFIED = 4
};
struct CUDA_MEMCPY2D {
  std::size_t srcXInBytes, srcY;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  void* srcArray;
  std::size_t srcPitch;
  std::size_t dstXInBytes, dstY;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  void* dstArray;
  std::size_t dstPitch;
  std::size_t WidthInBytes, Height;
};
struct CUDA_MEMCPY3D {
  std::size_t srcXInBytes, srcY, srcZ, srcLOD;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  void *srcArray, *reserved0;
  std::size_t srcPitch, srcHeight;
  std::size_t dstXInBytes, dstY, dstZ, dstLOD;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  void *dstArray, *reserved1;
  std::size_t dstPitch, dstHeight;
  std::size_t WidthInBytes, Height, Depth;
};

struct CUlaunchConfig {
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  CUstream hStream;
  const cudart::cudaLaunchAttribute* attrs;
  unsigned numAttrs;
};

struct CUDA_KERNEL_NODE_PARAMS {
  CUfunction func;
  unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
  void **kernelParams, **extra;
  CUkernel kern;  // these two: not in version 1
  CUcontext ctx;
};
struct CUDA_MEMCPY_NODE_PARAMS {
  int flags, reserved;
  CUcontext copyCtx;
  CUDA_MEMCPY3D copyParams;
};
struct CUgraphNodeParams {
  cudart::cudaGraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    CUDA_KERNEL_NODE_PARAMS kernel;
    CUDA_MEMCPY_NODE_PARAMS memcpy;
    cudart::cudaMemsetParams memset;
    cudart::cudaHostNodeParams host;
    CUgraph graph;
    CUevent event;
    cudart::cudaMemAllocNodeParams alloc;
    CUdeviceptr free;
  };
  long long reserved2;
};

struct CUdevprop {
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], sharedMemPerBlock, totalConstantMemory, SIMDWidth, memPitch,
      regsPerBlock, clockRate, textureAlign;
};
struct CUuuid {
  unsigned char bytes[16];
};

enum CUjit_option : int {
  CU_JIT_INFO_LOG_BUFFER = 3,
  CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
  CU_JIT_ERROR_LOG_BUFFER = 5,
  CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
};
enum CUjitInputType : int {
  CU_JIT_INPUT_CUBIN,
  CU_JIT_INPUT_PTX,
  CU_JIT_INPUT_FATBINARY,
  CU_JIT_INPUT_OBJECT,
  CU_JIT_INPUT_LIBRARY
};

struct CUmemAllocationProp {
  int type, requestedHandleTypes;
  cudart::cudaMemLocation location;
  void* win32HandleMetaData;
  unsigned char compressionType, gpuDirectRDMACapable;
  unsigned short usage;
  unsigned char reserved[4];
};

}  // namespace warpsim::driver
// NOLINTEND(readability-identifier-naming)
