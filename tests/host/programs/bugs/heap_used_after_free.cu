// A kernel reads memory that it has freed.
// finds: WS0601
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Node {
  int value;
  Node* next;
};

__global__ void list(int n, int* out) {
  Node* first = nullptr;
  for (int i = 0; i < n; ++i) {
    Node* const node = static_cast<Node*>(malloc(sizeof(Node)));
    node->value = i;
    node->next = first;
    first = node;
  }
  int sum = 0;
  for (Node* node = first; node != nullptr; node = node->next) {
    sum += node->value;
    free(node);
  }
  *out = sum;
}

int main() {
  int *out, result = 0;
  cudaMalloc(&out, sizeof(int));
  list<<<1, 1>>>(5, out);
  const cudaError_t error = cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s\n", error == cudaSuccess ? "done" : "failed");
  cudaFree(out);
  return 0;
}
