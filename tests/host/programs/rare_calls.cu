// What the calls of the runtime answer that few programs make: nodes of every kind and their parameters, captures into
// a graph that is there, memory of graphs, access to pools, flags, attributes. Prints a line a call; the same on a GPU
// and under warpsim.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#define SAY(call)                                            \
  do {                                                       \
    const cudaError_t said = call;                           \
    cudaGetLastError();                                      \
    std::printf("%s = %s\n", #call, cudaGetErrorName(said)); \
  } while (0)

__global__ void add(int* to, int value) { to[threadIdx.x] += value; }
__device__ __managed__ int shared_with_host = 4;
static void count(void* calls) { ++*static_cast<int*>(calls); }

static cudaMemcpy3DParms box(void* to, void* from, size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(from, bytes, bytes, 1);
  copy.dstPtr = make_cudaPitchedPtr(to, bytes, bytes, 1);
  copy.extent = make_cudaExtent(bytes, 1, 1);
  copy.kind = kind;
  return copy;
}

static void nodes() {
  std::puts("# nodes of every kind");
  int *a = nullptr, host[32] = {}, other[32] = {}, calls = 0, more_calls = 0, value = 5;
  cudaMalloc(&a, sizeof host);
  cudaMemset(a, 0, sizeof host);
  cudaEvent_t event, second;
  cudaEventCreate(&event);
  cudaEventCreate(&second);
  cudaGraph_t graph = nullptr, child = nullptr, other_child = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphCreate(&child, 0);
  cudaGraphCreate(&other_child, 0);
  void* arguments[] = {&a, &value};

  cudaGraphNodeParams params = {};
  params.type = cudaGraphNodeTypeKernel;
  params.kernel.func = reinterpret_cast<void*>(add);
  params.kernel.gridDim = dim3(1), params.kernel.blockDim = dim3(32), params.kernel.kernelParams = arguments;
  cudaGraphNode_t first, filled, copied, called, recorded, waited, inner, nested, boxed;
  SAY(cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &params));
  cudaGraphNodeParams fill = {};
  fill.type = cudaGraphNodeTypeMemset;
  fill.memset.dst = a, fill.memset.value = 3, fill.memset.elementSize = 4, fill.memset.width = 4,
  fill.memset.height = 1;
  SAY(cudaGraphAddNode(&filled, graph, &first, nullptr, 1, &fill));
  SAY(cudaGraphAddEventRecordNode(&recorded, graph, &filled, 1, event));
  SAY(cudaGraphAddEventWaitNode(&waited, graph, &recorded, 1, event));
  SAY(cudaGraphAddEventWaitNode(&waited, graph, &recorded, 1, nullptr));
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add), kernel.gridDim = dim3(1), kernel.blockDim = dim3(32);
  kernel.kernelParams = arguments;
  cudaGraphAddKernelNode(&inner, child, nullptr, 0, &kernel);
  value = 50;
  cudaGraphNode_t other_inner;
  cudaGraphAddKernelNode(&other_inner, other_child, nullptr, 0, &kernel);
  SAY(cudaGraphAddChildGraphNode(&nested, graph, &waited, 1, child));
  cudaMemcpy3DParms copy = box(host, a, sizeof host, cudaMemcpyDeviceToHost);
  SAY(cudaGraphAddMemcpyNode(&copied, graph, &nested, 1, &copy));
  cudaGraphNodeParams on_host = {};
  on_host.type = cudaGraphNodeTypeHost;
  on_host.host.fn = count, on_host.host.userData = &calls;
  SAY(cudaGraphAddNode(&called, graph, &copied, nullptr, 1, &on_host));
  cudaGraphNodeParams no_kind = {};
  no_kind.type = static_cast<cudaGraphNodeType>(99);
  SAY(cudaGraphAddNode(&boxed, graph, nullptr, nullptr, 0, &no_kind));

  cudaGraphExec_t made;
  SAY(cudaGraphInstantiate(&made, graph, 0));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  SAY(cudaGraphLaunch(made, stream));
  SAY(cudaStreamSynchronize(stream));
  SAY(cudaEventQuery(event));
  std::printf("%d %d, called %d\n", host[0], host[7], calls);

  cudaEvent_t of_node = nullptr;
  SAY(cudaGraphEventRecordNodeGetEvent(recorded, &of_node));
  std::printf("%d\n", of_node == event);
  SAY(cudaGraphEventWaitNodeGetEvent(waited, &of_node));
  SAY(cudaGraphEventRecordNodeSetEvent(recorded, second));
  SAY(cudaGraphEventWaitNodeSetEvent(waited, second));
  SAY(cudaGraphEventRecordNodeSetEvent(waited, second));
  SAY(cudaGraphEventRecordNodeGetEvent(recorded, &of_node));
  std::printf("%d\n", of_node == second);
  SAY(cudaGraphExecEventRecordNodeSetEvent(made, recorded, second));
  SAY(cudaGraphExecEventWaitNodeSetEvent(made, waited, second));

  std::puts("# what nodes do, changed in the executable graph");
  SAY(cudaGraphExecChildGraphNodeSetParams(made, nested, other_child));
  SAY(cudaGraphExecChildGraphNodeSetParams(made, nested, nullptr));
  copy = box(other, a, sizeof host, cudaMemcpyDeviceToHost);
  SAY(cudaGraphExecMemcpyNodeSetParams(made, copied, &copy));
  fill.memset.value = 1000;
  SAY(cudaGraphExecNodeSetParams(made, filled, &fill));
  SAY(cudaGraphExecNodeSetParams(made, filled, &params));
  SAY(cudaGraphLaunch(made, stream));
  SAY(cudaStreamSynchronize(stream));
  SAY(cudaEventQuery(second));
  std::printf("%d %d, before %d %d, called %d\n", other[0], other[7], host[0], host[7], calls);
  unsigned long long flags = 77;
  SAY(cudaGraphExecGetFlags(made, &flags));
  std::printf("flags %llu\n", flags);
  SAY(cudaGraphExecDestroy(made));

  std::puts("# and in the graph");
  on_host.host.userData = &more_calls;
  SAY(cudaGraphNodeSetParams(called, &on_host));
  SAY(cudaGraphNodeSetParams(called, &fill));
  cudaHostNodeParams called_params = {count, &calls};
  SAY(cudaGraphHostNodeSetParams(called, &called_params));
  called_params.userData = &more_calls;
  SAY(cudaGraphHostNodeSetParams(called, &called_params));
  cudaMemsetParams cleared = {};
  cleared.dst = a, cleared.value = 7, cleared.elementSize = 4, cleared.width = 2, cleared.height = 1;
  SAY(cudaGraphMemsetNodeSetParams(filled, &cleared));
  cleared.elementSize = 3;
  SAY(cudaGraphMemsetNodeSetParams(filled, &cleared));
  copy = box(host, a, sizeof host / 2, cudaMemcpyDeviceToHost);
  SAY(cudaGraphMemcpyNodeSetParams(copied, &copy));
  cudaMemcpy3DParms kept;
  SAY(cudaGraphMemcpyNodeGetParams(copied, &kept));
  std::printf("%zu %zu %zu\n", kept.extent.width, kept.extent.height, kept.extent.depth);
  SAY(cudaGraphMemcpyNodeSetParams1D(copied, host, a, sizeof host, cudaMemcpyDeviceToHost));
  cudaGraphInstantiateParams how = {};
  how.flags = cudaGraphInstantiateFlagUpload, how.uploadStream = stream;
  SAY(cudaGraphInstantiateWithParams(&made, graph, &how));
  std::printf("result %d\n", how.result_out);
  SAY(cudaGraphExecGetFlags(made, &flags));
  std::printf("flags %llu\n", flags);
  SAY(cudaGraphLaunch(made, stream));
  SAY(cudaStreamSynchronize(stream));
  std::printf("%d %d %d, called %d %d\n", host[0], host[3], host[20], calls, more_calls);
  how.flags = 64;
  SAY(cudaGraphInstantiateWithParams(&made, graph, &how));
  SAY(cudaGraphInstantiateWithParams(nullptr, graph, &how));
  SAY(cudaGraphDestroy(graph));
  SAY(cudaGraphDestroy(child));
  SAY(cudaGraphDestroy(other_child));
  cudaStreamDestroy(stream);
  cudaEventDestroy(event);
  cudaEventDestroy(second);
  cudaFree(a);
}

static void memory_of_graphs() {
  std::puts("# memory of graphs");
  cudaGraph_t graph = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaMemAllocNodeParams wanted = {};
  wanted.poolProps.allocType = cudaMemAllocationTypePinned;
  wanted.poolProps.location.type = cudaMemLocationTypeDevice;
  wanted.bytesize = 128;
  cudaGraphNode_t made, used, filled, copied, freed;
  SAY(cudaGraphAddMemAllocNode(&made, graph, nullptr, 0, &wanted));
  int* const a = static_cast<int*>(wanted.dptr);
  int host[32] = {}, value = 8;
  std::printf("%d\n", a != nullptr);
  cudaMemAllocNodeParams none = {};
  none.bytesize = 0;
  SAY(cudaGraphAddMemAllocNode(&used, graph, nullptr, 0, &none));
  cudaMemsetParams zeros = {};
  zeros.dst = a, zeros.elementSize = 4, zeros.width = 32, zeros.height = 1;
  SAY(cudaGraphAddMemsetNode(&filled, graph, &made, 1, &zeros));
  void* arguments[] = {const_cast<int**>(&a), &value};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(add), kernel.gridDim = dim3(1), kernel.blockDim = dim3(32);
  kernel.kernelParams = arguments;
  SAY(cudaGraphAddKernelNode(&used, graph, &filled, 1, &kernel));
  SAY(cudaGraphAddMemcpyNode1D(&copied, graph, &used, 1, host, a, sizeof host, cudaMemcpyDeviceToHost));
  SAY(cudaGraphAddMemFreeNode(&freed, graph, &copied, 1, a));
  cudaMemAllocNodeParams kept = {};
  SAY(cudaGraphMemAllocNodeGetParams(made, &kept));
  std::printf("%zu bytes, %d\n", kept.bytesize, kept.dptr == a);
  void* at = nullptr;
  SAY(cudaGraphMemFreeNodeGetParams(freed, &at));
  std::printf("%d\n", at == a);
  SAY(cudaGraphMemFreeNodeGetParams(made, &at));
  cudaGraph_t clone = nullptr;
  SAY(cudaGraphClone(&clone, graph));
  cudaGraphExec_t exec;
  SAY(cudaGraphInstantiate(&exec, graph, 0));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int k = 0; k < 2; ++k) {
    SAY(cudaGraphLaunch(exec, stream));
    SAY(cudaStreamSynchronize(stream));
    std::printf("%d\n", host[9]);
    ++host[9];
  }
  unsigned long long bytes = 0;
  SAY(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
  SAY(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &bytes));
  std::printf("%d\n", bytes != 0);
  SAY(cudaDeviceGetGraphMemAttribute(0, static_cast<cudaGraphMemAttributeType>(9), &bytes));
  SAY(cudaDeviceGetGraphMemAttribute(5, cudaGraphMemAttrUsedMemHigh, &bytes));
  bytes = 0;
  SAY(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &bytes));
  SAY(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &bytes));
  SAY(cudaDeviceGraphMemTrim(0));
  SAY(cudaGraphExecDestroy(exec));
  SAY(cudaGraphDestroy(graph));
  cudaStreamDestroy(stream);
}

static void captures() {
  std::puts("# a capture into a graph that is there");
  int *a = nullptr, host[32] = {};
  cudaMalloc(&a, sizeof host);
  cudaStream_t stream, plain;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&plain);
  cudaGraph_t graph = nullptr, of_capture = nullptr, ended = nullptr;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t first;
  cudaMemsetParams fill = {};
  fill.dst = a, fill.value = 1, fill.elementSize = 4, fill.width = 32, fill.height = 1;
  cudaGraphAddMemsetNode(&first, graph, nullptr, 0, &fill);
  SAY(cudaStreamBeginCaptureToGraph(stream, graph, &first, nullptr, 1, cudaStreamCaptureModeThreadLocal));
  add<<<1, 32, 0, stream>>>(a, 2);
  cudaStreamCaptureStatus status;
  unsigned long long id = 0;
  const cudaGraphNode_t* behind = nullptr;
  size_t many = 0;
  SAY(cudaStreamGetCaptureInfo(stream, &status, &id, &of_capture, &behind, nullptr, &many));
  std::printf("status %d, %d, %d, %zu behind\n", status, id != 0, of_capture == graph, many);
  cudaGraphNode_t last = many == 1 ? behind[0] : nullptr;
  SAY(cudaStreamUpdateCaptureDependencies(stream, &first, nullptr, 1, cudaStreamAddCaptureDependencies));
  SAY(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &behind, nullptr, &many));
  std::printf("%zu behind\n", many);
  SAY(cudaStreamUpdateCaptureDependencies(stream, &last, nullptr, 1, cudaStreamSetCaptureDependencies));
  SAY(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &behind, nullptr, &many));
  std::printf("%zu behind, %d\n", many, many == 1 && behind[0] == last);
  cudaMemcpyAsync(host, a, sizeof host, cudaMemcpyDeviceToHost, stream);
  SAY(cudaStreamEndCapture(stream, &ended));
  std::printf("%d\n", ended == graph);
  size_t nodes = 0, edges = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  std::printf("%zu nodes, %zu edges\n", nodes, edges);
  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  SAY(cudaStreamSynchronize(stream));
  std::printf("%d\n", host[31]);
  SAY(cudaStreamGetCaptureInfo(plain, &status, &id, nullptr, nullptr, nullptr, nullptr));
  std::printf("status %d\n", status);
  SAY(cudaStreamUpdateCaptureDependencies(plain, &first, nullptr, 1, cudaStreamAddCaptureDependencies));
  SAY(cudaStreamBeginCaptureToGraph(plain, nullptr, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal));
  SAY(cudaStreamBeginCaptureToGraph(plain, graph, nullptr, nullptr, 0, static_cast<cudaStreamCaptureMode>(9)));
  SAY(cudaGraphExecDestroy(exec));
  SAY(cudaGraphDestroy(graph));
  cudaStreamDestroy(stream);
  cudaStreamDestroy(plain);
  cudaFree(a);
}

static void streams_and_launches() {
  std::puts("# streams and launches");
  int *a = nullptr, host[32] = {}, value = 6;
  cudaMalloc(&a, sizeof host);
  cudaMemset(a, 0, sizeof host);
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaStreamAttrValue attribute = {};
  attribute.syncPolicy = cudaSyncPolicySpin;
  SAY(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &attribute));
  SAY(cudaStreamCopyAttributes(other, stream));
  attribute.syncPolicy = cudaSyncPolicyAuto;
  SAY(cudaStreamGetAttribute(other, cudaStreamAttributeSynchronizationPolicy, &attribute));
  std::printf("policy %d\n", attribute.syncPolicy);
  attribute.priority = -2;
  SAY(cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &attribute));
  int priority = 9;
  SAY(cudaStreamGetPriority(stream, &priority));
  std::printf("priority %d\n", priority);
  SAY(cudaStreamCopyAttributes(other, stream));
  SAY(cudaStreamGetPriority(other, &priority));
  std::printf("priority %d\n", priority);
  SAY(cudaStreamSetAttribute(stream, static_cast<cudaStreamAttrID>(77), &attribute));
  SAY(cudaStreamGetAttribute(stream, cudaStreamAttributeMemSyncDomain, &attribute));
  std::printf("domain %d\n", attribute.memSyncDomain);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1), config.blockDim = dim3(32), config.stream = stream;
  void* arguments[] = {&a, &value};
  SAY(cudaLaunchKernelExC(&config, reinterpret_cast<void*>(add), arguments));
  SAY(cudaLaunchKernelEx(&config, add, a, 10));
  SAY(cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost));
  std::printf("%d\n", host[31]);
  config.blockDim = dim3(2048);
  SAY(cudaLaunchKernelExC(&config, reinterpret_cast<void*>(add), arguments));
  config.blockDim = dim3(0);
  SAY(cudaLaunchKernelExC(&config, reinterpret_cast<void*>(add), arguments));
  cudaKernel_t kernel = nullptr;
  SAY(cudaGetKernel(&kernel, reinterpret_cast<void*>(add)));
  std::printf("%d\n", kernel != nullptr);
  int blocks = 0;
  SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, add, 1024, 0, cudaOccupancyDefault));
  std::printf("%d blocks\n", blocks);
  SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, add, 1024, 0, 7));
  SAY(cudaStreamAttachMemAsync(stream, &shared_with_host, sizeof(int), cudaMemAttachGlobal));
  SAY(cudaStreamSynchronize(stream));
  std::printf("%d\n", shared_with_host);
  cudaPointerAttributes where = {};
  SAY(cudaPointerGetAttributes(&where, &shared_with_host));
  std::printf("type %d, %d %d\n", where.type, where.devicePointer == &shared_with_host,
              where.hostPointer == &shared_with_host);
  SAY(cudaStreamAttachMemAsync(stream, a, sizeof host, cudaMemAttachGlobal));
  int* managed = nullptr;
  cudaMallocManaged(&managed, 64);
  SAY(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachSingle));
  SAY(cudaStreamAttachMemAsync(stream, managed, 0, cudaMemAttachHost));
  SAY(cudaStreamAttachMemAsync(stream, managed, 0, 64));
  SAY(cudaStreamSynchronize(stream));
  cudaFree(managed);
  cudaStreamDestroy(stream);
  cudaStreamDestroy(other);
  cudaFree(a);
}

static void pools_and_devices() {
  std::puts("# pools and devices");
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool = nullptr, found = nullptr;
  cudaMemPoolCreate(&pool, &props);
  cudaMemLocation place = {};
  place.type = cudaMemLocationTypeDevice;
  cudaMemAccessFlags access = cudaMemAccessFlagsProtNone;
  SAY(cudaMemPoolGetAccess(&access, pool, &place));
  std::printf("access %d\n", access);
  cudaMemAccessDesc wanted = {};
  wanted.location = place, wanted.flags = cudaMemAccessFlagsProtReadWrite;
  SAY(cudaMemPoolSetAccess(pool, &wanted, 1));
  wanted.flags = cudaMemAccessFlagsProtNone;
  SAY(cudaMemPoolSetAccess(pool, &wanted, 1));
  place.id = 7;
  SAY(cudaMemPoolGetAccess(&access, pool, &place));
  SAY(cudaDeviceSetMemPool(0, pool));
  SAY(cudaDeviceGetMemPool(&found, 0));
  std::printf("%d\n", found == pool);
  cudaDeviceGetDefaultMemPool(&found, 0);
  SAY(cudaDeviceSetMemPool(0, found));
  SAY(cudaDeviceSetMemPool(3, found));
  SAY(cudaMemPoolDestroy(pool));

  char id[32] = {};
  int device = 9, version = 0;
  SAY(cudaDeviceGetPCIBusId(id, sizeof id, 0));
  SAY(cudaDeviceGetByPCIBusId(&device, id));
  std::printf("device %d\n", device);
  SAY(cudaDeviceGetPCIBusId(id, 4, 0));
  SAY(cudaDeviceGetByPCIBusId(&device, "nothing"));
  SAY(cudaDriverGetVersion(&version));
  std::printf("%d\n", version >= 13000);
  unsigned flags = 99;
  SAY(cudaGetDeviceFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cudaSetDeviceFlags(cudaDeviceScheduleSpin));
  SAY(cudaGetDeviceFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync | cudaDeviceMapHost));
  SAY(cudaGetDeviceFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cudaSetDeviceFlags(0));
  SAY(cudaGetDeviceFlags(&flags));
  std::printf("flags %u\n", flags);
  SAY(cudaSetDeviceFlags(1024));
  cudaSharedMemConfig banks = cudaSharedMemBankSizeDefault;
  SAY(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  SAY(cudaDeviceGetSharedMemConfig(&banks));
  std::printf("banks %d\n", banks);
  SAY(cudaFuncSetSharedMemConfig(add, cudaSharedMemBankSizeFourByte));
  SAY(cudaDeviceFlushGPUDirectRDMAWrites(cudaFlushGPUDirectRDMAWritesTargetCurrentDevice,
                                         cudaFlushGPUDirectRDMAWritesToOwner));
  SAY(cudaProfilerStart());
  SAY(cudaProfilerStop());
  int* pinned = nullptr;
  SAY(cudaHostAlloc(&pinned, 64, cudaHostAllocPortable | cudaHostAllocWriteCombined));
  SAY(cudaHostGetFlags(&flags, pinned));
  std::printf("flags %u\n", flags);
  SAY(cudaFreeHost(pinned));
  SAY(cudaHostAlloc(&pinned, 0, cudaHostAllocDefault));
  std::printf("%d\n", pinned == nullptr);
  SAY(cudaHostAlloc(&pinned, 64, 99));
  SAY(cudaHostAlloc(static_cast<void**>(nullptr), 64, cudaHostAllocDefault));
  const cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 16, 0, 32, cudaChannelFormatKindUnsigned);
  std::printf("%d %d %d %d, kind %d\n", format.x, format.y, format.z, format.w, format.f);
}

int main() {
  nodes();
  memory_of_graphs();
  captures();
  streams_and_launches();
  pools_and_devices();
}
