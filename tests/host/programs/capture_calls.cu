// What calls answer while a stream is captured that they are not made of: which spoil the capture. Prints a line a
// call; the same on a GPU and under warpsim.
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <string_view>
#include <vector>

__global__ void add(int* to) { ++*to; }
__device__ int variable;

struct Call {
  const char* name;
  std::function<cudaError_t()> make;
};

int main() {
  int *a = nullptr, *pinned = nullptr, *none = nullptr, host[16] = {}, attribute = 0;
  static char pages[3 * 4096];
  size_t free_bytes, total;
  void* const page = reinterpret_cast<void*>((reinterpret_cast<size_t>(pages) + 4095) / 4096 * 4096);
  cudaMalloc(&a, 64);
  cudaMallocHost(&pinned, 64);
  cudaStream_t blocking, apart, other, made;
  cudaStreamCreate(&blocking);
  cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
  cudaStreamCreate(&other);
  cudaEvent_t event, created;
  cudaEventCreate(&event);
  cudaEventRecord(event, other);
  cudaDeviceSynchronize();
  cudaFuncAttributes attributes;
  cudaGraph_t empty;
  cudaGraphExec_t executable;
  cudaGraphCreate(&empty, 0);
  const std::vector<Call> calls = {
      {"cudaStreamSynchronize(0)", [&] { return cudaStreamSynchronize(0); }},
      {"add<<<1, 1>>>", [&] { return add<<<1, 1>>>(a), cudaPeekAtLastError(); }},
      {"cudaMemset", [&] { return cudaMemset(a, 0, 4); }},
      {"cudaMemsetAsync(0)", [&] { return cudaMemsetAsync(a, 0, 4, 0); }},
      {"cudaMemcpy", [&] { return cudaMemcpy(host, a, 4, cudaMemcpyDeviceToHost); }},
      {"cudaMemcpyToSymbol", [&] { return cudaMemcpyToSymbol(variable, host, 4); }},
      {"cudaEventRecord(0)", [&] { return cudaEventRecord(event, 0); }},
      {"cudaStreamWaitEvent(0)", [&] { return cudaStreamWaitEvent(0, event, 0); }},
      {"cudaLaunchHostFunc(0)",
       [&] {
         return cudaLaunchHostFunc(
             0, [](void*) {}, nullptr);
       }},
      {"cudaMallocAsync(0)", [&] { return cudaMallocAsync(&none, 64, 0); }},
      {"cudaStreamQuery(0)",
       [&] { return cudaStreamQuery(0) == cudaErrorNotReady ? cudaSuccess : cudaStreamQuery(0); }},
      {"cudaStreamSynchronize(other)", [&] { return cudaStreamSynchronize(other); }},
      {"cudaStreamQuery(other)", [&] { return cudaStreamQuery(other); }},
      {"add<<<other>>>", [&] { return add<<<1, 1, 0, other>>>(a), cudaPeekAtLastError(); }},
      {"cudaEventQuery", [&] { return cudaEventQuery(event); }},
      {"cudaEventSynchronize", [&] { return cudaEventSynchronize(event); }},
      {"cudaDeviceSynchronize", [&] { return cudaDeviceSynchronize(); }},
      {"cudaMalloc", [&] { return cudaMalloc(&none, 64); }},
      {"cudaMallocManaged", [&] { return cudaMallocManaged(&none, 64); }},
      {"cudaMallocHost", [&] { return cudaMallocHost(&none, 64); }},
      {"cudaHostRegister", [&] { return cudaHostRegister(page, 4096, 0); }},
      {"cudaFreeHost", [&] { return cudaFreeHost(pinned); }},
      {"cudaFree", [&] { return cudaFree(a); }},
      {"cudaMemGetInfo", [&] { return cudaMemGetInfo(&free_bytes, &total); }},
      {"cudaDeviceGetAttribute", [&] { return cudaDeviceGetAttribute(&attribute, cudaDevAttrWarpSize, 0); }},
      {"cudaFuncGetAttributes", [&] { return cudaFuncGetAttributes(&attributes, add); }},
      {"cudaStreamCreate", [&] { return cudaStreamCreate(&made); }},
      {"cudaEventCreate", [&] { return cudaEventCreate(&created); }},
      {"cudaGraphInstantiate", [&] { return cudaGraphInstantiate(&executable, empty, 0); }},
      {"cudaGetLastError", [&] { return cudaGetLastError(); }},
  };
  for (const cudaStream_t stream : {blocking, apart}) {
    for (const cudaStreamCaptureMode mode :
         {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed}) {
      std::printf("# %s, mode %d\n", stream == blocking ? "blocking" : "non-blocking", mode);
      for (const Call& call : calls) {
        if (a == nullptr) cudaMalloc(&a, 64);
        if (pinned == nullptr) cudaMallocHost(&pinned, 64);
        cudaHostUnregister(page);
        cudaDeviceSynchronize();
        cudaGetLastError();
        cudaStreamBeginCapture(stream, mode);
        const cudaError_t error = call.make();
        cudaGetLastError();
        cudaStreamCaptureStatus status;
        cudaStreamIsCapturing(stream, &status);
        cudaGraph_t graph = nullptr;
        const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
        cudaGetLastError();
        if (error == cudaSuccess && call.name == std::string_view("cudaFree")) a = nullptr;
        if (error == cudaSuccess && call.name == std::string_view("cudaFreeHost")) pinned = nullptr;
        std::printf("%s = %s, status %d, then %s\n", call.name, cudaGetErrorName(error), status,
                    cudaGetErrorName(ended));
      }
    }
  }
}
