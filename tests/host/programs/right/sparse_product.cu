// A sparse matrix times a vector, a warp for each row.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

template <class T>
T* uploaded(const std::vector<T>& host) {
  T* device;
  cudaMalloc(&device, host.size() * sizeof(T));
  cudaMemcpy(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice);
  return device;
}

__global__ void multiply(int rows, const int* begin, const int* column, const float* value, const float* x, float* y) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row] + lane; k < begin[row + 1]; k += 32) sum += value[k] * x[column[k]];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  if (lane == 0) y[row] = sum;
}

int main() {
  const int rows = 45;
  std::vector<int> begin = {0}, column;
  std::vector<float> value, x(rows), y(rows), expected(rows, 0.0f);
  for (int i = 0; i < rows; ++i) x[i] = static_cast<float>(i % 5);
  for (int i = 0; i < rows; ++i) {
    for (int j = i % 3; j < rows; j += 1 + i % 4) {
      column.push_back(j);
      value.push_back(static_cast<float>(j % 3));
      expected[i] += value.back() * x[j];
    }
    begin.push_back(static_cast<int>(column.size()));
  }
  int *begins = uploaded(begin), *columns = uploaded(column);
  float *values = uploaded(value), *xs = uploaded(x), *ys = uploaded(y);
  multiply<<<(rows + 3) / 4, 128>>>(rows, begins, columns, values, xs, ys);
  cudaMemcpy(y.data(), ys, rows * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("%s %g\n", y == expected ? "ok" : "wrong", y[10]);
  for (void* one : {static_cast<void*>(begins), static_cast<void*>(columns)}) cudaFree(one);
  for (float* one : {values, xs, ys}) cudaFree(one);
  return 0;
}
