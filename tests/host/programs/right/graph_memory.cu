// A graph allocates and frees its memory on each launch, by nodes and by capture.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int n, int value, int* x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = value;
}

__global__ void add(int n, const int* x, int* sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, x[i]);
}

int main() {
  const int n = 1000;
  int *sum, host = 0;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  int* x;
  cudaMallocAsync(&x, n * sizeof(int), stream);
  fill<<<4, 256, 0, stream>>>(n, 2, x);
  add<<<4, 256, 0, stream>>>(n, x, sum);
  cudaFreeAsync(x, stream);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t runs;
  cudaGraphInstantiate(&runs, graph, 0);
  for (int k = 0; k < 3; ++k) cudaGraphLaunch(runs, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&host, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", host == 3 * 2 * n ? "ok" : "wrong", host);
  cudaGraphExecDestroy(runs);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(sum);
  return 0;
}
