// What each call of the runtime answers, right and wrong: prints a line a call. The same on a GPU and under warpsim.
#include <cuda_profiler_api.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define SAY(call)                                                                              \
  do {                                                                                         \
    const cudaError_t said = call;                                                             \
    const cudaError_t kept = cudaPeekAtLastError();                                            \
    const cudaError_t last = cudaGetLastError();                                               \
    std::printf("%s = %s; last %s%s\n", #call, cudaGetErrorName(said), cudaGetErrorName(last), \
                kept == last ? "" : "; peeked otherwise");                                     \
  } while (0)

__global__ void add(int* to, int value) { to[blockIdx.x * blockDim.x + threadIdx.x] += value; }
__global__ void big(int* to) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = 1;
  __syncthreads();
  to[threadIdx.x] = tile[threadIdx.x ^ 1];
}
__device__ int counter = 5;
__device__ int table[100];
__constant__ float factors[4] = {1, 2, 3, 4};
__managed__ int shared_count = 7;
__global__ void count() { atomicAdd(&counter, 1), atomicAdd(&shared_count, 2); }

static void memory() {
  std::puts("# memory");
  int* a = nullptr;
  int* b = nullptr;
  int host[256] = {};
  SAY(cudaMalloc(&a, 1024));
  SAY(cudaMalloc(&b, 0));
  std::printf("of no size: %s\n", b == nullptr ? "null" : "an address");
  SAY(cudaMalloc(&b, size_t{1} << 60));
  SAY(cudaMalloc((void**)nullptr, 16));
  SAY(cudaMemset(a, 1, 1024));
  SAY(cudaMemset(a, 1, 1 << 28));
  SAY(cudaMemcpy(host, a, 1024, cudaMemcpyDeviceToHost));
  std::printf("%x %x\n", host[0], host[255]);
  SAY(cudaMemcpy(host, a, 1024, cudaMemcpyDefault));
  SAY(cudaMemcpy(host, a, 1024, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(a, host, 1024, cudaMemcpyDeviceToHost));
  SAY(cudaMemcpy(a, host, 1024, static_cast<cudaMemcpyKind>(9)));
  SAY(cudaMemcpy(a, host, 0, cudaMemcpyHostToDevice));
  SAY(cudaMemcpy(nullptr, a, 16, cudaMemcpyDeviceToHost));
  size_t pitch = 0;
  SAY(cudaMallocPitch(&b, &pitch, 1000, 10));
  std::printf("pitch of 1000: %zu\n", pitch);
  SAY(cudaMemset2D(b, pitch, 3, 1000, 10));
  SAY(cudaMemset2D(b, 100, 3, 1000, 10));
  SAY(cudaMemcpy2D(host, 100, b, pitch, 100, 10, cudaMemcpyDeviceToHost));
  SAY(cudaMemcpy2D(host, 50, b, pitch, 100, 10, cudaMemcpyDeviceToHost));
  SAY(cudaFree(b));
  cudaPitchedPtr box;
  SAY(cudaMalloc3D(&box, make_cudaExtent(100, 4, 3)));
  std::printf("pitch of 100: %zu, %zu x %zu\n", box.pitch, box.xsize, box.ysize);
  SAY(cudaMemset3D(box, 9, make_cudaExtent(100, 4, 3)));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(host, 10, 10, 4);
  copy.extent = make_cudaExtent(10, 4, 3);
  copy.kind = cudaMemcpyDeviceToHost;
  SAY(cudaMemcpy3D(&copy));
  std::printf("%x\n", host[0]);
  SAY(cudaFree(box.ptr));
  SAY(cudaFree(nullptr));
  SAY(cudaFree(a + 1));
  SAY(cudaFree(host));
  SAY(cudaFree(a));
  SAY(cudaFree(a));
}

static void host_memory() {
  std::puts("# host memory");
  int* pinned = nullptr;
  SAY(cudaMallocHost(&pinned, 4096));
  unsigned flags = 77;
  SAY(cudaHostGetFlags(&flags, pinned));
  std::printf("flags %u\n", flags);
  SAY(cudaHostGetFlags(&flags, &flags));
  int* seen = nullptr;
  SAY(cudaHostGetDevicePointer(&seen, pinned, 0));
  std::printf("%s\n", seen == pinned ? "the same address" : "another address");
  pinned[0] = 1;
  add<<<1, 32>>>(pinned, 5);
  SAY(cudaDeviceSynchronize());
  std::printf("%d\n", pinned[0]);
  cudaPointerAttributes attributes;
  SAY(cudaPointerGetAttributes(&attributes, pinned));
  std::printf("type %d, device %d, %d %d\n", attributes.type, attributes.device, attributes.devicePointer == pinned,
              attributes.hostPointer == pinned);
  SAY(cudaPointerGetAttributes(&attributes, &flags));
  std::printf("type %d, device %d\n", attributes.type, attributes.device);
  SAY(cudaFree(pinned));
  SAY(cudaFreeHost(pinned));
  SAY(cudaFreeHost(pinned));
  SAY(cudaFreeHost(nullptr));
  void* page = std::aligned_alloc(4096, 8192);
  SAY(cudaHostRegister(page, 8192, cudaHostRegisterDefault));
  SAY(cudaHostRegister(page, 8192, cudaHostRegisterDefault));
  SAY(cudaHostUnregister(page));
  SAY(cudaHostUnregister(page));
  std::free(page);
  int* managed = nullptr;
  SAY(cudaMallocManaged(&managed, 4096));
  managed[3] = 4;
  SAY(cudaPointerGetAttributes(&attributes, managed));
  std::printf("type %d, device %d\n", attributes.type, attributes.device);
  add<<<1, 32>>>(managed, 5);
  SAY(cudaDeviceSynchronize());
  std::printf("%d\n", managed[3]);
  cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
  SAY(cudaMemPrefetchAsync(managed, 4096, here, 0));
  SAY(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, here));
  SAY(cudaFree(managed));
  SAY(cudaMallocManaged(&managed, 0));
}

static void symbols() {
  std::puts("# symbols");
  int value = 0;
  float more[4] = {};
  size_t size = 0;
  void* address = nullptr;
  SAY(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  std::printf("%d\n", value);
  value = 41;
  SAY(cudaMemcpyToSymbol(counter, &value, sizeof value));
  count<<<1, 1>>>();
  SAY(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  std::printf("%d %d\n", value, shared_count);
  SAY(cudaMemcpyFromSymbol(more, factors, sizeof more));
  std::printf("%g %g\n", more[0], more[3]);
  more[1] = 8;
  SAY(cudaMemcpyToSymbol(factors, &more[1], sizeof(float), 12));
  SAY(cudaMemcpyFromSymbol(more, factors, sizeof more));
  std::printf("%g %g\n", more[0], more[3]);
  SAY(cudaGetSymbolSize(&size, table));
  std::printf("%zu\n", size);
  SAY(cudaGetSymbolAddress(&address, table));
  SAY(cudaMemset(address, 0, size));
  SAY(cudaMemcpyToSymbol(table, more, 404));
  SAY(cudaGetSymbolSize(&size, value));
}

static void launches() {
  std::puts("# launches");
  int* a = nullptr;
  cudaMalloc(&a, 4096);
  cudaMemset(a, 0, 4096);
  add<<<1, 2048>>>(a, 1);
  SAY(cudaGetLastError());
  add<<<0, 32>>>(a, 1);
  SAY(cudaGetLastError());
  add<<<1, 0>>>(a, 1);
  SAY(cudaGetLastError());
  add<<<dim3(1, 70000), 32>>>(a, 1);
  SAY(cudaGetLastError());
  add<<<1, dim3(1, 1, 65)>>>(a, 1);
  SAY(cudaGetLastError());
  big<<<1, 32, 50000>>>(a);
  SAY(cudaGetLastError());
  SAY(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000));
  big<<<1, 32, 50000>>>(a);
  SAY(cudaGetLastError());
  SAY(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000));
  big<<<1, 32, 120000>>>(a);
  SAY(cudaGetLastError());
  int value = 3;
  void* arguments[] = {&a, &value};
  SAY(cudaLaunchKernel((const void*)add, dim3(2), dim3(64), arguments, 0, 0));
  SAY(cudaLaunchKernel((const void*)launches, dim3(2), dim3(64), arguments, 0, 0));
  SAY(cudaLaunchKernel((const void*)nullptr, dim3(2), dim3(64), arguments, 0, 0));
  SAY(cudaLaunchCooperativeKernel((const void*)add, dim3(2), dim3(64), arguments, 0, 0));
  SAY(cudaLaunchCooperativeKernel((const void*)add, dim3(60000), dim3(1024), arguments, 0, 0));
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 32;
  SAY(cudaLaunchKernelEx(&config, add, a, 4));
  SAY(cudaDeviceSynchronize());
  int out[2] = {};
  SAY(cudaMemcpy(out, a, sizeof out, cudaMemcpyDeviceToHost));
  std::printf("%d %d\n", out[0], out[1]);
  cudaFuncAttributes attributes;
  SAY(cudaFuncGetAttributes(&attributes, big));
  std::printf("threads %d, shared %zu, dynamic %d, const %zu, local %zu, version %d\n", attributes.maxThreadsPerBlock,
              attributes.sharedSizeBytes, attributes.maxDynamicSharedSizeBytes, attributes.constSizeBytes,
              attributes.localSizeBytes, attributes.binaryVersion);
  SAY(cudaFuncGetAttributes(&attributes, (const void*)launches));
  int blocks = 0, threads = 0;
  SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0));
  std::printf("%d blocks of 256\n", blocks);
  SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, 0));
  std::printf("%d blocks of 32\n", blocks);
  SAY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, big, 256, 40000));
  std::printf("%d blocks with 40000 bytes\n", blocks);
  SAY(cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, add, 0, 0));
  std::printf("%d blocks of %d\n", blocks, threads);
  size_t bytes = 0;
  SAY(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 2, 256));
  std::printf("%zu bytes\n", bytes);
  SAY(cudaFree(a));
}

static void called(void* count) { *static_cast<int*>(count) += 1; }
static void called_back(cudaStream_t, cudaError_t status, void* count) {
  *static_cast<int*>(count) += 10 + static_cast<int>(status);
}

static void streams() {
  std::puts("# streams");
  cudaStream_t one = nullptr, two = nullptr;
  unsigned flags = 0;
  int priority = 9, least = 9, greatest = 9;
  SAY(cudaStreamCreate(&one));
  SAY(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  SAY(cudaStreamGetFlags(two, &flags));
  std::printf("flags %u\n", flags);
  SAY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  std::printf("priorities %d to %d\n", least, greatest);
  SAY(cudaStreamGetPriority(two, &priority));
  std::printf("priority %d\n", priority);
  SAY(cudaStreamQuery(one));
  SAY(cudaStreamSynchronize(one));
  SAY(cudaStreamSynchronize(nullptr));
  cudaEvent_t begin, end, untimed;
  float ms = -1;
  SAY(cudaEventCreate(&begin));
  SAY(cudaEventCreate(&end));
  SAY(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  SAY(cudaEventQuery(begin));
  SAY(cudaEventSynchronize(begin));
  SAY(cudaEventElapsedTime(&ms, begin, end));
  SAY(cudaEventRecord(begin, one));
  SAY(cudaStreamWaitEvent(two, begin, 0));
  SAY(cudaEventRecord(end, one));
  SAY(cudaEventRecord(untimed, one));
  SAY(cudaEventSynchronize(end));
  SAY(cudaEventElapsedTime(&ms, begin, end));
  std::printf("%s\n", ms >= 0 ? "a time" : "no time");
  SAY(cudaEventElapsedTime(&ms, begin, untimed));
  int calls = 0;
  SAY(cudaLaunchHostFunc(one, called, &calls));
  SAY(cudaStreamSynchronize(one));
  std::printf("%d\n", calls);
  SAY(cudaStreamAddCallback(one, called_back, &calls, 0));
  SAY(cudaStreamSynchronize(one));
  std::printf("%d\n", calls);
  int* a = nullptr;
  SAY(cudaMallocAsync(&a, 1 << 20, one));
  SAY(cudaMemsetAsync(a, 0, 1 << 20, one));
  SAY(cudaFreeAsync(a, one));
  SAY(cudaStreamSynchronize(one));
  SAY(cudaEventDestroy(begin));
  SAY(cudaEventDestroy(end));
  SAY(cudaEventDestroy(untimed));
  SAY(cudaStreamDestroy(one));
  SAY(cudaStreamDestroy(two));
}

static void graphs() {
  std::puts("# graphs");
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* a = nullptr;
  int host[32] = {};
  cudaMalloc(&a, sizeof host);
  cudaGraph_t graph;
  cudaGraphExec_t made;
  cudaStreamCaptureStatus status;
  SAY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  SAY(cudaStreamIsCapturing(stream, &status));
  std::printf("status %d\n", status);
  SAY(cudaMemsetAsync(a, 0, sizeof host, stream));
  add<<<1, 32, 0, stream>>>(a, 2);
  add<<<1, 32, 0, stream>>>(a, 3);
  SAY(cudaMemcpyAsync(host, a, sizeof host, cudaMemcpyDeviceToHost, stream));
  SAY(cudaStreamEndCapture(stream, &graph));
  std::printf("before: %d\n", host[0]);
  size_t count = 0;
  SAY(cudaGraphGetNodes(graph, nullptr, &count));
  std::printf("%zu nodes\n", count);
  cudaGraphNode_t nodes[4];
  SAY(cudaGraphGetNodes(graph, nodes, &count));
  cudaGraphNodeType type;
  for (const cudaGraphNode_t node : nodes) {
    cudaGraphNodeGetType(node, &type);
    std::printf("type %d\n", type);
  }
  SAY(cudaGraphInstantiate(&made, graph, 0));
  SAY(cudaGraphLaunch(made, stream));
  SAY(cudaStreamSynchronize(stream));
  std::printf("after: %d\n", host[0]);
  cudaKernelNodeParams params;
  SAY(cudaGraphKernelNodeGetParams(nodes[1], &params));
  int value = 40;
  void* arguments[] = {&a, &value};
  params.kernelParams = arguments;
  SAY(cudaGraphExecKernelNodeSetParams(made, nodes[1], &params));
  SAY(cudaGraphLaunch(made, stream));
  SAY(cudaStreamSynchronize(stream));
  std::printf("then: %d\n", host[0]);
  SAY(cudaGraphExecDestroy(made));
  SAY(cudaGraphDestroy(graph));
  SAY(cudaStreamEndCapture(stream, &graph));
  SAY(cudaFree(a));
  SAY(cudaStreamDestroy(stream));
}

static void device() {
  std::puts("# device");
  int count = 0, current = 7, value = 0;
  size_t size = 0;
  SAY(cudaGetDeviceCount(&count));
  SAY(cudaGetDevice(&current));
  SAY(cudaSetDevice(99));
  SAY(cudaSetDevice(0));
  SAY(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  std::printf("device %d, warps of %d\n", current, value);
  SAY(cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0));
  SAY(cudaDeviceGetLimit(&size, cudaLimitStackSize));
  std::printf("stack %zu\n", size);
  SAY(cudaDeviceGetLimit(&size, cudaLimitPrintfFifoSize));
  std::printf("printf %zu\n", size);
  SAY(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
  std::printf("heap %zu\n", size);
  SAY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
  SAY(cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize));
  std::printf("heap %zu\n", size);
  SAY(cudaDeviceCanAccessPeer(&value, 0, 0));
  std::printf("peer %d\n", value);
  SAY(cudaDeviceEnablePeerAccess(0, 0));
  SAY(cudaRuntimeGetVersion(&value));
  std::printf("runtime %d\n", value / 1000);
  SAY(cudaProfilerStart());
  std::printf("%s: %s\n", cudaGetErrorName(cudaErrorLaunchFailure), cudaGetErrorString(cudaErrorLaunchFailure));
  std::printf("%s\n", cudaGetErrorString(static_cast<cudaError_t>(12345)));
}

static void stop_at(int which) {
  int* a = nullptr;
  cudaMalloc(&a, 256);
  std::printf("# a fault: %s\n", which == 0 ? "illegal address" : "misaligned address");
  if (which == 0) add<<<1, 32>>>(nullptr, 1);
  if (which == 1) add<<<1, 32>>>(reinterpret_cast<int*>(reinterpret_cast<char*>(a) + 1), 1);
  SAY(cudaDeviceSynchronize());
  SAY(cudaDeviceSynchronize());
  SAY(cudaMalloc(&a, 16));
  add<<<1, 32>>>(a, 1);
  SAY(cudaGetLastError());
  SAY(cudaFree(a));
  SAY(cudaDeviceReset());
  SAY(cudaMalloc(&a, 16));
}

int main(int argc, char** argv) {
  if (argc > 1) return stop_at(std::atoi(argv[1])), 0;
  memory();
  host_memory();
  symbols();
  launches();
  streams();
  graphs();
  device();
}
