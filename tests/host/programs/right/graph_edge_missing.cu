// A node of a graph adds to what another sets, behind an empty node between the two.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void set(int value, int* x) { *x = value; }
__global__ void add(int value, int* x) { *x += value; }

int main() {
  int *x, host = 0;
  cudaMalloc(&x, sizeof(int));
  cudaMemset(x, 0, sizeof(int));
  cudaDeviceSynchronize();
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  int value = 3;
  void* arguments[] = {&value, &x};
  cudaKernelNodeParams kernel = {};
  kernel.gridDim = dim3(1);
  kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  kernel.func = reinterpret_cast<void*>(set);
  cudaGraphNode_t first, second;
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel);
  kernel.func = reinterpret_cast<void*>(add);
  cudaGraphNode_t between;
  cudaGraphAddEmptyNode(&between, graph, &first, 1);
  cudaGraphAddKernelNode(&second, graph, &between, 1, &kernel);
  cudaGraphExec_t runs;
  cudaGraphInstantiate(&runs, graph, 0);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraphLaunch(runs, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(&host, x, sizeof(int), cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", host == 6 ? "ok" : "wrong", host);
  cudaGraphExecDestroy(runs);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(x);
  return 0;
}
