// Records of seven bytes lie one behind the other, and a number inside is read as if it were aligned.
// finds: WS0602
// tool: memcheck
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void read_numbers(int n, const std::uint8_t* records, std::uint32_t* numbers) {
  const int i = threadIdx.x;
  if (i < n) numbers[i] = *reinterpret_cast<const std::uint32_t*>(records + 7 * i + 1);
}

int main() {
  const int n = 32;
  std::vector<std::uint8_t> host(7 * n);
  for (std::uint32_t i = 0; i < n; ++i) std::memcpy(&host[7 * i + 1], &i, sizeof i);
  std::uint8_t* records;
  std::uint32_t* numbers;
  cudaMalloc(&records, host.size());
  cudaMalloc(&numbers, n * sizeof(std::uint32_t));
  cudaMemcpy(records, host.data(), host.size(), cudaMemcpyHostToDevice);
  read_numbers<<<1, 32>>>(n, records, numbers);
  std::printf("%s\n", cudaDeviceSynchronize() == cudaSuccess ? "done" : "failed");
  cudaFree(records);
  cudaFree(numbers);
  return 0;
}
