// A node of a graph copies from pageable memory, which the node before it fills on each launch.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

static int values[1000];

static void raise(void*) {
  for (int& one : values) ++one;
}

__global__ void add(int n, const int* x, int* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}

int main() {
  const int n = 1000;
  int *host, *x, *y;
  cudaMallocHost(&host, n * sizeof(int));
  cudaMalloc(&x, n * sizeof(int));
  cudaMalloc(&y, n * sizeof(int));
  cudaMemset(y, 0, n * sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaLaunchHostFunc(stream, raise, nullptr);
  cudaMemcpyAsync(x, values, n * sizeof(int), cudaMemcpyHostToDevice, stream);
  add<<<4, 256, 0, stream>>>(n, x, y);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t runs;
  cudaGraphInstantiate(&runs, graph, 0);
  for (int k = 0; k < 3; ++k) cudaGraphLaunch(runs, stream);
  cudaMemcpyAsync(host, y, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  int equal = 0;
  for (int i = 0; i < n; ++i) equal += host[i] == 1 + 2 + 3;
  std::printf("%s %d\n", equal == n ? "ok" : "wrong", equal);
  cudaGraphExecDestroy(runs);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFreeHost(host);
  cudaFree(x);
  cudaFree(y);
  return 0;
}
