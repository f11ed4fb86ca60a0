// Numbers inside records of seven bytes are read byte by byte, by memcpy.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

__global__ void read_numbers(int n, const std::uint8_t* records, std::uint32_t* numbers) {
  const int i = threadIdx.x;
  if (i >= n) return;
  std::uint32_t number;
  memcpy(&number, records + 7 * i + 1, sizeof number);
  numbers[i] = number;
}

int main() {
  const int n = 32;
  std::vector<std::uint8_t> host(7 * n);
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t number = i * 0x01010101u;
    std::memcpy(&host[7 * i + 1], &number, sizeof number);
  }
  std::uint8_t* records;
  std::uint32_t* numbers;
  cudaMalloc(&records, host.size());
  cudaMalloc(&numbers, n * sizeof(std::uint32_t));
  cudaMemcpy(records, host.data(), host.size(), cudaMemcpyHostToDevice);
  read_numbers<<<1, 32>>>(n, records, numbers);
  std::uint32_t result[n];
  cudaMemcpy(result, numbers, sizeof result, cudaMemcpyDeviceToHost);
  bool good = true;
  for (std::uint32_t i = 0; i < n; ++i) good = good && result[i] == i * 0x01010101u;
  std::printf("%s\n", good ? "ok" : "wrong");
  cudaFree(records);
  cudaFree(numbers);
  return 0;
}
