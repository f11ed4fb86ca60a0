// Padding, the rest of a word of bit-fields and elements that were never set are copied about, and never used.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

struct Record {
  char kind;  // three bytes of padding behind it
  int value;
  unsigned low : 5, high : 7;
};

__global__ void make(int n, Record* records) {
  const int i = threadIdx.x;
  Record record;
  record.kind = static_cast<char>('a' + i);
  record.value = 10 * i;
  record.low = static_cast<unsigned>(i);
  record.high = static_cast<unsigned>(2 * i);
  if (i < n) records[i] = record;
}

__global__ void use(int n, const Record* records, int* sum) {
  const int i = threadIdx.x;
  const Record record = records[i];  // also behind n
  const int value = record.kind + record.value + static_cast<int>(record.low + record.high);
  if (i < n) atomicAdd(sum, value);
}

int main() {
  const int n = 20, room = 32;
  Record *records, *copies;
  int *sum, result = 0;
  cudaMalloc(&records, room * sizeof(Record));
  cudaMalloc(&copies, room * sizeof(Record));
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  make<<<1, 32>>>(n, records);
  cudaMemcpy(copies, records, room * sizeof(Record), cudaMemcpyDeviceToDevice);
  use<<<1, 32>>>(n, copies, sum);
  cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
  std::printf("%s %d\n", result == 20 * 97 + 190 * 14 ? "ok" : "wrong", result);
  cudaFree(records);
  cudaFree(copies);
  cudaFree(sum);
  return 0;
}
