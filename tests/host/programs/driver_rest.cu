// What the calls of the driver answer that are asked rarely, and those of the runtime that stand on it. As
// driver_calls.cu.

// nvcc: -cudart shared -lcuda
#include <cuda_runtime.h>

#include "driver_calls.h"

static void hosted(void* argument) { ++*static_cast<int*>(argument); }
static void hosted_by_ten(void* argument) { *static_cast<int*>(argument) += 10; }

static void nodes() {
  begin();
  CUgraph graph = nullptr, child = nullptr, clone = nullptr;
  CUgraphExec executable = nullptr;
  CUdeviceptr at = 0, second = 0;
  int calls = 0;
  SAY(cuMemAlloc(&at, 4096));
  SAY(cuMemAlloc(&second, 4096));
  SAY(cuMemsetD32(at, 1, 1024));
  SAY(cuGraphCreate(&graph, 0));
  SAY(cuGraphCreate(&child, 0));
  CUgraphNode host = nullptr, fill = nullptr, copy = nullptr, records = nullptr, waits = nullptr, children = nullptr,
              inner = nullptr, found = nullptr;
  CUDA_HOST_NODE_PARAMS host_params = {hosted, &calls}, host_got = {};
  SAY(cuGraphAddHostNode(&host, graph, nullptr, 0, &host_params));
  SAY(cuGraphAddHostNode(&inner, child, nullptr, 0, &host_params));
  SAY(cuGraphHostNodeGetParams(host, &host_got));
  YES(host_got.fn == hosted && host_got.userData == &calls);
  host_params.fn = hosted_by_ten;
  SAY(cuGraphHostNodeSetParams(host, &host_params));
  CUDA_MEMSET_NODE_PARAMS fill_params = {};
  fill_params.dst = at, fill_params.value = 3, fill_params.elementSize = 4, fill_params.width = 256,
  fill_params.height = 1;
  SAY(cuGraphAddMemsetNode(&fill, graph, &host, 1, &fill_params, primary));
  fill_params.value = 9;
  SAY(cuGraphMemsetNodeSetParams(fill, &fill_params));
  CUDA_MEMCPY3D box = {}, box_got = {};
  box.srcMemoryType = box.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = at, box.dstDevice = second;
  box.WidthInBytes = 512, box.Height = box.Depth = 1;
  SAY(cuGraphAddMemcpyNode(&copy, graph, &fill, 1, &box, primary));
  box.WidthInBytes = 1024;
  SAY(cuGraphMemcpyNodeSetParams(copy, &box));
  SAY(cuGraphMemcpyNodeGetParams(copy, &box_got));
  YES(box_got.srcDevice == at && box_got.dstDevice == second);
  std::printf("%d %d %zu %zu %zu\n", box_got.srcMemoryType, box_got.dstMemoryType, box_got.WidthInBytes, box_got.Height,
              box_got.Depth);
  CUevent event = nullptr, other = nullptr, got = nullptr;
  cuEventCreate(&event, 0);
  cuEventCreate(&other, 0);
  SAY(cuGraphAddEventRecordNode(&records, graph, &copy, 1, event));
  SAY(cuGraphAddEventWaitNode(&waits, graph, &records, 1, event));
  SAY(cuGraphEventRecordNodeSetEvent(records, other));
  SAY(cuGraphEventWaitNodeSetEvent(waits, other));
  SAY(cuGraphEventRecordNodeGetEvent(records, &got));
  YES(got == other);
  SAY(cuGraphEventWaitNodeGetEvent(waits, &got));
  YES(got == other);
  SAY(cuGraphAddChildGraphNode(&children, graph, &waits, 1, child));
  SAY(cuGraphClone(&clone, graph));
  SAY(cuGraphNodeFindInClone(&found, fill, clone));
  YES(found != nullptr && found != fill);
  CUDA_GRAPH_INSTANTIATE_PARAMS with = {};
  SAY(cuGraphInstantiateWithParams(&executable, graph, &with));
  std::printf("%d\n", with.result_out);
  SAY(cuGraphLaunch(executable, nullptr));
  SAY(cuCtxSynchronize());
  std::printf("%d %d\n", first(second), calls);
  host_params.fn = hosted;
  SAY(cuGraphExecHostNodeSetParams(executable, host, &host_params));
  SAY(cuGraphExecMemcpyNodeSetParams(executable, copy, &box, primary));
  SAY(cuGraphExecEventRecordNodeSetEvent(executable, records, event));
  SAY(cuGraphExecEventWaitNodeSetEvent(executable, waits, event));
  SAY(cuGraphExecChildGraphNodeSetParams(executable, children, child));
  CUgraphNodeParams any = {CU_GRAPH_NODE_TYPE_MEMSET};
  any.memset.dst = at, any.memset.value = 21, any.memset.elementSize = 4, any.memset.width = 256, any.memset.height = 1;
  SAY(cuGraphNodeSetParams(fill, &any));
  SAY(cuGraphExecNodeSetParams(executable, fill, &any));
  SAY(cuGraphLaunch(executable, nullptr));
  SAY(cuCtxSynchronize());
  std::printf("%d %d\n", first(second), calls);
  SAY(cuGraphExecDestroy(executable));
  SAY(cuGraphDestroy(clone));
  SAY(cuGraphDestroy(child));
  SAY(cuGraphDestroy(graph));
  SAY(cuMemFree(at));
  SAY(cuMemFree(second));
}

static void memory_of_graphs() {
  begin();
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  CUgraphNode made = nullptr, freed = nullptr;
  CUDA_MEM_ALLOC_NODE_PARAMS params = {}, got = {};
  params.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  params.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  params.bytesize = 4096;
  SAY(cuGraphCreate(&graph, 0));
  SAY(cuGraphAddMemAllocNode(&made, graph, nullptr, 0, &params));
  YES(params.dptr != 0);
  SAY(cuGraphMemAllocNodeGetParams(made, &got));
  YES(got.dptr == params.dptr && got.bytesize == 4096);
  SAY(cuGraphAddMemFreeNode(&freed, graph, &made, 1, params.dptr));
  CUdeviceptr at = 0;
  SAY(cuGraphMemFreeNodeGetParams(freed, &at));
  YES(at == params.dptr);
  SAY(cuGraphInstantiate(&executable, graph, 0));
  SAY(cuGraphLaunch(executable, nullptr));
  SAY(cuCtxSynchronize());
  cuuint64_t used = 0;
  SAY(cuDeviceGetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
  SAY(cuDeviceSetGraphMemAttribute(device, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &used));
  SAY(cuGraphExecDestroy(executable));
  SAY(cuGraphDestroy(graph));
  SAY(cuDeviceGraphMemTrim(device));
  // Mapped memory and pools.
  CUmemAllocationProp properties = {}, mine = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  const size_t size = 2 << 20;
  CUdeviceptr range = 0;
  CUmemGenericAllocationHandle handle = 0, again = 0;
  SAY(cuMemAddressReserve(&range, size, 0, 0, 0));
  SAY(cuMemCreate(&handle, size, &properties, 0));
  SAY(cuMemGetAllocationPropertiesFromHandle(&mine, handle));
  std::printf("%d %d %d\n", mine.type, mine.location.type, mine.location.id);
  SAY(cuMemMap(range, size, 0, handle, 0));
  SAY(cuMemRetainAllocationHandle(&again, reinterpret_cast<void*>(range)));
  YES(again == handle);
  SAY(cuMemRelease(again));
  SAY(cuMemRelease(handle));
  SAY(cuMemUnmap(range, size));
  SAY(cuMemAddressFree(range, size));
  CUmemoryPool pool = nullptr;
  SAY(cuDeviceGetDefaultMemPool(&pool, device));
  CUmemAccessDesc access = {};
  access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  SAY(cuMemPoolSetAccess(pool, &access, 1));
}

static void further() {
  begin();
  int value = -1;
  SAY(cuCtxEnablePeerAccess(nullptr, 0));
  SAY(cuCtxDisablePeerAccess(nullptr));
  SAY(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device, device));
  SAY(cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device, 9));
  SAY(cuFlushGPUDirectRDMAWrites(CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
                                 CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER));
  CUstream stream = nullptr;
  CUgraph graph = nullptr, captured = nullptr;
  SAY(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  CUstreamAttrValue attribute = {};
  SAY(cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &attribute));
  std::printf("%d\n", attribute.syncPolicy);
  attribute.syncPolicy = CU_SYNC_POLICY_SPIN;
  SAY(cuStreamSetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &attribute));
  attribute.syncPolicy = CU_SYNC_POLICY_AUTO;
  SAY(cuStreamGetAttribute(stream, CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY, &attribute));
  std::printf("%d\n", attribute.syncPolicy);
  int calls = 0;
  size_t count = 0;
  SAY(cuGraphCreate(&graph, 0));
  SAY(cuStreamBeginCaptureToGraph(stream, graph, nullptr, nullptr, 0, CU_STREAM_CAPTURE_MODE_RELAXED));
  SAY(cuLaunchHostFunc(stream, hosted, &calls));
  SAY(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  SAY(cuLaunchHostFunc(stream, hosted, &calls));
  SAY(cuStreamUpdateCaptureDependencies(stream, nullptr, nullptr, 0, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  SAY(cuLaunchHostFunc(stream, hosted, &calls));
  SAY(cuGraphGetRootNodes(graph, nullptr, &count));
  std::printf("%zu\n", count);
  SAY(cuStreamEndCapture(stream, &captured));
  SAY(cuGraphGetNodes(graph, nullptr, &count));
  std::printf("%zu\n", count);
}

#define RUN(call) std::printf("%s = %s\n", #call, cudaGetErrorName(call))

static void libraries_of_the_runtime() {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr, kernels[8] = {};
  unsigned count = 0;
  void* at = nullptr;
  size_t size = 0;
  RUN(cudaLibraryLoadData(&library, kAdd, nullptr, nullptr, 0, nullptr, nullptr, 0));
  RUN(cudaLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  RUN(cudaLibraryLoadFromFile(&library, "/nowhere/at/all.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
  RUN(cudaLibraryLoadData(&library, kAdd, nullptr, nullptr, 0, nullptr, nullptr, 0));
  RUN(cudaLibraryGetKernelCount(&count, library));
  std::printf("%u\n", count);
  RUN(cudaLibraryEnumerateKernels(kernels, 8, library));
  YES(kernels[3] != nullptr && kernels[4] == nullptr);
  RUN(cudaLibraryGetKernel(&kernel, library, "nothing"));
  RUN(cudaLibraryGetKernel(&kernel, library, "add"));
  RUN(cudaLibraryGetGlobal(&at, &size, library, "counter"));
  std::printf("%zu\n", size);
  RUN(cudaLibraryGetGlobal(&at, &size, library, "nothing"));
  RUN(cudaLibraryGetManaged(&at, &size, library, "counter"));
  RUN(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000, 0));
  int *memory = nullptr, value = 5, result = 0;
  RUN(cudaMalloc(&memory, 16));
  RUN(cudaMemset(memory, 0, 16));
  void* arguments[] = {&memory, &value};
  RUN(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(4), arguments, 0, nullptr));
  RUN(cudaMemcpy(&result, memory, 4, cudaMemcpyDeviceToHost));
  std::printf("%d\n", result);
  RUN(cudaLibraryUnload(library));
  RUN(cudaFree(memory));
  cudaDriverEntryPointQueryResult found;
  RUN(cudaGetDriverEntryPoint("cuMemAlloc", &at, cudaEnableDefault, &found));
  YES(at == reinterpret_cast<void*>(&cuMemAlloc_v2));
}

int main(int argc, char** argv) {
  static const Part kParts[] = {{"nodes", nodes},
                                {"memory_of_graphs", memory_of_graphs},
                                {"further", further},
                                {"libraries_of_the_runtime", libraries_of_the_runtime}};
  return run_parts(kParts, argc, argv);
}
