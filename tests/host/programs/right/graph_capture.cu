// A stream's work is captured as a graph, with a fork to another stream, and launched three times.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int n, int value, int* x) {
  const int i = threadIdx.x;
  if (i < n) x[i] += value;
}

__global__ void join(int n, const int* x, const int* y, int* sum) {
  const int i = threadIdx.x;
  if (i < n) sum[i] += x[i] * y[i];
}

int main() {
  const int n = 64;
  int *x, *y, *sum, host[n];
  for (int** one : {&x, &y, &sum}) {
    cudaMalloc(one, n * sizeof(int));
    cudaMemset(*one, 0, n * sizeof(int));
  }
  cudaStream_t stream, other;
  cudaStreamCreate(&stream);
  cudaStreamCreate(&other);
  cudaEvent_t fork, back;
  cudaEventCreate(&fork);
  cudaEventCreate(&back);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, stream);
  cudaStreamWaitEvent(other, fork, 0);
  add<<<1, n, 0, stream>>>(n, 1, x);
  add<<<1, n, 0, other>>>(n, 2, y);
  cudaEventRecord(back, other);
  cudaStreamWaitEvent(stream, back, 0);
  join<<<1, n, 0, stream>>>(n, x, y, sum);
  cudaMemcpyAsync(host, sum, sizeof host, cudaMemcpyDeviceToHost, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  for (int k = 0; k < 3; ++k) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  std::printf("%s %d\n", host[0] == 28 && host[n - 1] == 28 ? "ok" : "wrong", host[0]);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  for (const cudaEvent_t event : {fork, back}) cudaEventDestroy(event);
  for (const cudaStream_t one : {stream, other}) cudaStreamDestroy(one);
  for (int* const one : {x, y, sum}) cudaFree(one);
  return 0;
}
