// A list in managed memory, made by the host and changed by the device.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

struct Node {
  int value;
  Node* next;
};

__global__ void double_all(Node* first) {
  for (Node* node = first; node != nullptr; node = node->next) node->value *= 2;
}

int main() {
  Node* first = nullptr;
  for (int k = 0; k < 10; ++k) {
    Node* node;
    cudaMallocManaged(&node, sizeof(Node));
    *node = {k, first};
    first = node;
  }
  double_all<<<1, 1>>>(first);
  cudaDeviceSynchronize();
  int sum = 0;
  while (first != nullptr) {
    Node* const next = first->next;
    sum += first->value;
    cudaFree(first);
    first = next;
  }
  std::printf("%s %d\n", sum == 90 ? "ok" : "wrong", sum);
  return 0;
}
