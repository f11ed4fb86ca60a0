// A graph allocates its memory on each launch, and adds to what the launch before left there.
// finds: WS0106
// tool: none
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int value, int* x) { *x = value; }
__global__ void add(const int* x, int* sum, const int* round) {
  if (*round > 0 && *x == 5) *sum += 5;
}
__global__ void next(int* x, int* round) {
  if (*round == 0) *x = 5;
  ++*round;
}

int main() {
  int *sum, *round, host = 0;
  cudaMalloc(&sum, sizeof(int));
  cudaMalloc(&round, sizeof(int));
  fill<<<1, 1>>>(0, sum);
  fill<<<1, 1>>>(0, round);
  cudaDeviceSynchronize();
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  int* x;
  cudaMallocAsync(&x, sizeof(int), stream);
  add<<<1, 1, 0, stream>>>(x, sum, round);
  next<<<1, 1, 0, stream>>>(x, round);
  cudaFreeAsync(x, stream);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  cudaGraphExec_t runs;
  cudaGraphInstantiate(&runs, graph, 0);
  for (int k = 0; k < 2; ++k) cudaGraphLaunch(runs, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&host, sum, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", host == 5 ? "ok" : "wrong", host);
  cudaGraphExecDestroy(runs);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(sum);
  cudaFree(round);
  return 0;
}
