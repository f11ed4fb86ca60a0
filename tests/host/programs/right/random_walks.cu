// Pi by random numbers, of a generator that each thread has for itself.
// finds: nothing
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

struct Random {
  unsigned long long state;
  __device__ float operator()() {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<float>(state >> 40) / static_cast<float>(1 << 24);
  }
};

__global__ void throw_darts(int each, unsigned long long* hits) {
  Random random{blockIdx.x * blockDim.x + threadIdx.x + 1ULL};
  for (int k = 0; k < 4; ++k) random();
  unsigned here = 0;
  for (int k = 0; k < each; ++k) {
    const float x = random(), y = random();
    here += x * x + y * y < 1.0f ? 1 : 0;
  }
  atomicAdd(hits, static_cast<unsigned long long>(here));
}

int main() {
  const int each = 40, threads = 512;
  unsigned long long *hits, result = 0;
  cudaMalloc(&hits, sizeof result);
  cudaMemset(hits, 0, sizeof result);
  throw_darts<<<threads / 128, 128>>>(each, hits);
  cudaMemcpy(&result, hits, sizeof result, cudaMemcpyDeviceToHost);
  const double pi = 4.0 * static_cast<double>(result) / (each * threads);
  std::printf("%s\n", std::fabs(pi - 3.14159) < 0.1 ? "ok" : "wrong");
  cudaFree(hits);
  return 0;
}
