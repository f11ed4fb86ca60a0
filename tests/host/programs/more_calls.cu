// What further calls of the runtime answer: graphs that are built by hand, pools, boxes, streams and their captures,
// what functions and devices say of themselves. Prints a line a call; the same on a GPU and under warpsim.
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
__global__ void twice(int* to) { to[threadIdx.x] *= 2; }
__device__ int counter = 3;
static void count(void* calls) { ++*static_cast<int*>(calls); }

static void built_graphs() {
  std::puts("# graphs by hand");
  int* a = nullptr;
  int host[32] = {}, calls = 0, value = 5;
  cudaMalloc(&a, sizeof host);
  cudaGraph_t graph = nullptr, child = nullptr, clone = nullptr;
  SAY(cudaGraphCreate(&graph, 0));
  SAY(cudaGraphCreate(&child, 1));
  SAY(cudaGraphCreate(&child, 0));
  cudaMemsetParams fill = {};
  fill.dst = a, fill.value = 2, fill.elementSize = 4, fill.width = 32, fill.height = 1;
  cudaGraphNode_t cleared, added, doubled, copied, called, nothing, inner, found;
  SAY(cudaGraphAddMemsetNode(&cleared, graph, nullptr, 0, &fill));
  void* arguments[] = {&a, &value};
  cudaKernelNodeParams kernel = {};
  kernel.func = (void*)add, kernel.gridDim = 1, kernel.blockDim = 32, kernel.kernelParams = arguments;
  SAY(cudaGraphAddKernelNode(&added, graph, &cleared, 1, &kernel));
  cudaKernelNodeParams second = kernel;
  second.func = (void*)twice;
  SAY(cudaGraphAddKernelNode(&inner, child, nullptr, 0, &second));
  SAY(cudaGraphAddChildGraphNode(&doubled, graph, &added, 1, child));
  SAY(cudaGraphAddMemcpyNode1D(&copied, graph, &doubled, 1, host, a, sizeof host, cudaMemcpyDeviceToHost));
  cudaHostNodeParams on_host = {count, &calls};
  SAY(cudaGraphAddHostNode(&called, graph, &copied, 1, &on_host));
  SAY(cudaGraphAddEmptyNode(&nothing, graph, nullptr, 0));
  SAY(cudaGraphAddDependencies(graph, &called, &nothing, nullptr, 1));
  size_t nodes = 0, roots = 0, edges = 0, before = 0, behind = 0;
  SAY(cudaGraphGetNodes(graph, nullptr, &nodes));
  SAY(cudaGraphGetRootNodes(graph, nullptr, &roots));
  SAY(cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges));
  SAY(cudaGraphNodeGetDependencies(copied, nullptr, nullptr, &before));
  SAY(cudaGraphNodeGetDependentNodes(copied, nullptr, nullptr, &behind));
  std::printf("%zu nodes, %zu roots, %zu edges; %zu before, %zu behind\n", nodes, roots, edges, before, behind);
  SAY(cudaGraphClone(&clone, graph));
  SAY(cudaGraphNodeFindInClone(&found, added, clone));
  cudaGraphExec_t made;
  SAY(cudaGraphInstantiateWithFlags(&made, graph, 0));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  SAY(cudaGraphUpload(made, stream));
  SAY(cudaGraphLaunch(made, stream));
  SAY(cudaStreamSynchronize(stream));
  std::printf("%d, called %d\n", host[7], calls);
  value = 9;
  SAY(cudaGraphKernelNodeSetParams(added, &kernel));
  SAY(cudaGraphLaunch(made, stream));
  SAY(cudaStreamSynchronize(stream));
  std::printf("as before: %d\n", host[7]);
  cudaGraphExecUpdateResultInfo result;
  SAY(cudaGraphExecUpdate(made, graph, &result));
  std::printf("result %d\n", result.result);
  SAY(cudaGraphLaunch(made, stream));
  SAY(cudaStreamSynchronize(stream));
  std::printf("updated: %d\n", host[7]);
  fill.value = 100;
  SAY(cudaGraphExecMemsetNodeSetParams(made, cleared, &fill));
  SAY(cudaGraphExecMemcpyNodeSetParams1D(made, copied, host, a, sizeof host / 2, cudaMemcpyDeviceToHost));
  SAY(cudaGraphExecHostNodeSetParams(made, called, &on_host));
  SAY(cudaGraphNodeSetEnabled(made, added, 0));
  unsigned enabled = 7;
  SAY(cudaGraphNodeGetEnabled(made, added, &enabled));
  SAY(cudaGraphLaunch(made, stream));
  SAY(cudaStreamSynchronize(stream));
  std::printf("enabled %u: %d %d, called %d\n", enabled, host[7], host[20], calls);
  SAY(cudaGraphExecUpdate(made, child, &result));
  std::printf("result %d\n", result.result);
  cudaMemsetParams kept;
  SAY(cudaGraphMemsetNodeGetParams(cleared, &kept));
  std::printf("value %u, width %zu, height %zu\n", kept.value, kept.width, kept.height);
  cudaHostNodeParams called_params;
  SAY(cudaGraphHostNodeGetParams(called, &called_params));
  std::printf("%d\n", called_params.userData == &calls);
  SAY(cudaGraphRemoveDependencies(graph, &called, &nothing, nullptr, 1));
  SAY(cudaGraphRemoveDependencies(graph, &called, &nothing, nullptr, 1));
  SAY(cudaGraphDestroyNode(nothing));
  SAY(cudaGraphGetNodes(graph, nullptr, &nodes));
  std::printf("%zu nodes\n", nodes);
  SAY(cudaGraphAddDependencies(graph, &called, &cleared, nullptr, 1));
  cudaGraphExec_t circle;
  SAY(cudaGraphInstantiate(&circle, graph, 0));
  SAY(cudaGraphExecDestroy(made));
  SAY(cudaGraphDestroy(clone));
  SAY(cudaGraphDestroy(child));
  SAY(cudaGraphDestroy(graph));
  cudaStreamDestroy(stream);
  cudaFree(a);
}

static void captures() {
  std::puts("# captures");
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  int *a = nullptr, *b = nullptr, host[2] = {};
  cudaMalloc(&a, 128);
  cudaMalloc(&b, 128);
  cudaGraph_t graph;
  cudaStreamCaptureStatus status;
  SAY(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed));
  SAY(cudaMemsetAsync(a, 0, 128, one));
  SAY(cudaEventRecord(fork, one));
  SAY(cudaStreamWaitEvent(two, fork, 0));
  SAY(cudaStreamIsCapturing(two, &status));
  std::printf("status %d\n", status);
  SAY(cudaMemsetAsync(b, 1, 128, two));
  add<<<1, 32, 0, one>>>(a, 4);
  SAY(cudaEventRecord(join, two));
  SAY(cudaStreamWaitEvent(one, join, 0));
  SAY(cudaMemcpyAsync(&host[0], a, 4, cudaMemcpyDeviceToHost, one));
  SAY(cudaMemcpyAsync(&host[1], b, 4, cudaMemcpyDeviceToHost, one));
  SAY(cudaStreamEndCapture(one, &graph));
  size_t nodes = 0, edges = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &edges);
  std::printf("%zu nodes, %zu edges\n", nodes, edges);
  cudaGraphExec_t made;
  SAY(cudaGraphInstantiate(&made, graph, 0));
  SAY(cudaGraphLaunch(made, one));
  SAY(cudaStreamSynchronize(one));
  std::printf("%d %x\n", host[0], host[1]);
  cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
  SAY(cudaThreadExchangeStreamCaptureMode(&mode));
  std::printf("mode %d\n", mode);
  SAY(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeRelaxed));
  cudaGraphExecDestroy(made);
  cudaGraphDestroy(graph);
  std::puts("# begun twice");
  SAY(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed));
  SAY(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed));
  SAY(cudaMemsetAsync(a, 0, 128, one));
  SAY(cudaStreamEndCapture(one, &graph));
  std::puts("# ended elsewhere");
  SAY(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed));
  SAY(cudaEventRecord(fork, one));
  SAY(cudaStreamWaitEvent(two, fork, 0));
  SAY(cudaStreamEndCapture(two, &graph));
  SAY(cudaStreamIsCapturing(one, &status));
  std::printf("status %d\n", status);
  SAY(cudaMemsetAsync(a, 0, 128, one));
  SAY(cudaStreamEndCapture(one, &graph));
  std::printf("%s\n", graph == nullptr ? "no graph" : "a graph");
  std::puts("# not joined");
  SAY(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed));
  SAY(cudaEventRecord(fork, one));
  SAY(cudaStreamWaitEvent(two, fork, 0));
  SAY(cudaMemsetAsync(a, 0, 128, two));
  SAY(cudaStreamEndCapture(one, &graph));
  std::printf("%s\n", graph == nullptr ? "no graph" : "a graph");
  SAY(cudaStreamIsCapturing(two, &status));
  std::printf("status %d\n", status);
  std::puts("# waited for");
  SAY(cudaStreamBeginCapture(one, cudaStreamCaptureModeRelaxed));
  SAY(cudaStreamSynchronize(one));
  SAY(cudaStreamIsCapturing(one, &status));
  std::printf("status %d\n", status);
  SAY(cudaStreamEndCapture(one, &graph));
  SAY(cudaStreamSynchronize(one));
  cudaEventDestroy(fork);
  cudaEventDestroy(join);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
  cudaFree(a);
  cudaFree(b);
}

static void pools() {
  std::puts("# pools");
  cudaMemPool_t pool = nullptr, own = nullptr;
  SAY(cudaDeviceGetDefaultMemPool(&pool, 0));
  SAY(cudaDeviceGetMemPool(&own, 0));
  std::printf("%d\n", pool == own);
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  SAY(cudaMemPoolCreate(&own, &properties));
  unsigned long long threshold = 1 << 20, used = 9;
  SAY(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold));
  threshold = 0;
  SAY(cudaMemPoolGetAttribute(own, cudaMemPoolAttrReleaseThreshold, &threshold));
  int reuse = 7;
  SAY(cudaMemPoolGetAttribute(own, cudaMemPoolReuseAllowOpportunistic, &reuse));
  std::printf("%llu %d\n", threshold, reuse);
  int* a = nullptr;
  SAY(cudaMallocFromPoolAsync((void**)&a, 1 << 16, own, 0));
  SAY(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
  std::printf("used %llu\n", used);
  SAY(cudaFreeAsync(a, 0));
  SAY(cudaStreamSynchronize(0));
  SAY(cudaMemPoolGetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &used));
  std::printf("used %llu\n", used);
  SAY(cudaMemPoolTrimTo(own, 0));
  SAY(cudaMemPoolDestroy(own));
}

static void copies() {
  std::puts("# copies");
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  char *a = nullptr, *b = nullptr, host[64] = {};
  size_t pitch = 0;
  cudaMallocPitch(&a, &pitch, 20, 8);
  cudaMallocPitch(&b, &pitch, 20, 8);
  SAY(cudaMemset2DAsync(a, pitch, 'x', 20, 8, stream));
  SAY(cudaMemset2DAsync(a + pitch + 2, pitch, 'y', 3, 2, stream));
  SAY(cudaMemcpy2DAsync(b, pitch, a, pitch, 20, 8, cudaMemcpyDeviceToDevice, stream));
  SAY(cudaMemcpy2DAsync(host, 8, b, pitch, 7, 4, cudaMemcpyDeviceToHost, stream));
  SAY(cudaStreamSynchronize(stream));
  for (int row = 0; row < 4; ++row) std::printf("%.7s\n", host + 8 * row);
  SAY(cudaMemset3DAsync(make_cudaPitchedPtr(a, pitch, 20, 4), 'z', make_cudaExtent(5, 2, 2), stream));
  cudaMemcpy3DParms box = {};
  box.srcPtr = make_cudaPitchedPtr(a, pitch, 20, 4);
  box.dstPtr = make_cudaPitchedPtr(host, 8, 8, 4);
  box.srcPos = make_cudaPos(3, 1, 0);
  box.extent = make_cudaExtent(6, 2, 2);
  box.kind = cudaMemcpyDeviceToHost;
  SAY(cudaMemcpy3DAsync(&box, stream));
  SAY(cudaStreamSynchronize(stream));
  for (const int at : {0, 8, 32, 40}) std::printf("%.6s\n", host + at);
  int value = 77, back = 0;
  SAY(cudaMemcpyToSymbolAsync(counter, &value, sizeof value, 0, cudaMemcpyHostToDevice, stream));
  SAY(cudaMemcpyFromSymbolAsync(&back, counter, sizeof back, 0, cudaMemcpyDeviceToHost, stream));
  SAY(cudaStreamSynchronize(stream));
  std::printf("%d\n", back);
  SAY(cudaMemcpyPeer(b, 0, a, 0, 20));
  SAY(cudaMemcpyPeerAsync(b, 0, a, 0, 20, stream));
  SAY(cudaFree(a));
  SAY(cudaFree(b));
  SAY(cudaStreamDestroy(stream));
}

static void others() {
  std::puts("# others");
  cudaStream_t stream;
  int priority = 5, device = 7;
  unsigned flags = 0;
  unsigned long long id = 0;
  SAY(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, -3));
  SAY(cudaStreamGetPriority(stream, &priority));
  SAY(cudaStreamGetDevice(stream, &device));
  std::printf("priority %d, device %d\n", priority, device);
  SAY(cudaStreamGetId(stream, &id));
  SAY(cudaStreamGetFlags(nullptr, &flags));
  std::printf("flags %u\n", flags);
  SAY(cudaStreamCreateWithFlags(&stream, 8));
  SAY(cudaStreamQuery(stream));
  cudaEvent_t event;
  SAY(cudaEventCreateWithFlags(&event, 64));
  SAY(cudaEventCreateWithFlags(&event, cudaEventBlockingSync));
  SAY(cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault));
  SAY(cudaEventSynchronize(event));
  SAY(cudaEventQuery(event));
  SAY(cudaEventDestroy(event));
  SAY(cudaStreamDestroy(stream));
  const char* name = nullptr;
  size_t offset = 9, size = 9;
  SAY(cudaFuncGetName(&name, (const void*)add));
  std::printf("%s\n", name);
  SAY(cudaFuncGetParamInfo((const void*)add, 1, &offset, &size));
  std::printf("at %zu, %zu bytes\n", offset, size);
  SAY(cudaFuncGetParamInfo((const void*)add, 2, &offset, &size));
  SAY(cudaFuncSetCacheConfig((const void*)add, cudaFuncCachePreferL1));
  SAY(cudaFuncSetAttribute(add, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  SAY(cudaFuncSetAttribute(add, cudaFuncAttributePreferredSharedMemoryCarveout, 500));
  int value = 0, devices[] = {0};
  cudaDeviceProp properties;
  SAY(cudaGetDeviceProperties(&properties, 0));
  std::printf("%d.%d, %d multiprocessors, %zu, %d\n", properties.major, properties.minor,
              properties.multiProcessorCount, properties.sharedMemPerBlockOptin,
              properties.maxThreadsPerMultiProcessor);
  SAY(cudaGetDeviceProperties(&properties, 1000));
  SAY(cudaChooseDevice(&value, &properties));
  SAY(cudaSetValidDevices(devices, 1));
  SAY(cudaInitDevice(0, 0, 0));
  SAY(cudaDeviceGetLimit(&size, cudaLimitDevRuntimeSyncDepth));
  SAY(cudaDeviceSetLimit(static_cast<cudaLimit>(99), 1));
  cudaFuncCache cache;
  SAY(cudaDeviceSetCacheConfig(cudaFuncCachePreferL1));
  SAY(cudaDeviceGetCacheConfig(&cache));
  SAY(cudaDeviceDisablePeerAccess(0));
  SAY(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  SAY(cudaDeviceGraphMemTrim(0));
  SAY(cudaCtxResetPersistingL2Cache());
  size_t free = 0, total = 0;
  SAY(cudaMemGetInfo(&free, &total));
  std::printf("%d\n", free > 0 && free <= total);
  cudaPointerAttributes attributes;
  void* address = nullptr;
  cudaGetSymbolAddress(&address, counter);
  SAY(cudaPointerGetAttributes(&attributes, address));
  std::printf("type %d, %d %d\n", attributes.type, attributes.devicePointer == address,
              attributes.hostPointer == nullptr);
  SAY(cudaDeviceReset());
  SAY(cudaDeviceSynchronize());
}

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  built_graphs();
  captures();
  pools();
  copies();
  others();
}
