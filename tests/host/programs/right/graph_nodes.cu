// A graph made node by node: a fill, a kernel, a copy; then its kernel's parameters are changed.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int n, int value, int* x) {
  const int i = threadIdx.x;
  if (i < n) x[i] += value;
}

int main() {
  int n = 32, value = 7, *x, host[32];
  cudaMalloc(&x, sizeof host);
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t clear, kernel, copy;
  cudaMemsetParams fill = {};
  fill.dst = x;
  fill.elementSize = 4;
  fill.width = 32;
  fill.height = 1;
  fill.value = 3;
  cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill);
  void* arguments[] = {&n, &value, &x};
  cudaKernelNodeParams params = {};
  params.func = reinterpret_cast<void*>(add);
  params.gridDim = dim3(1);
  params.blockDim = dim3(32);
  params.kernelParams = arguments;
  cudaGraphAddKernelNode(&kernel, graph, &clear, 1, &params);
  cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, host, x, sizeof host, cudaMemcpyDeviceToHost);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphLaunch(executable, 0);
  cudaDeviceSynchronize();
  const int first = host[31];
  value = 20;
  cudaGraphExecKernelNodeSetParams(executable, kernel, &params);
  cudaGraphLaunch(executable, 0);
  cudaDeviceSynchronize();
  std::printf("%s %d %d\n", first == 10 && host[0] == 23 ? "ok" : "wrong", first, host[0]);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaFree(x);
  return 0;
}
