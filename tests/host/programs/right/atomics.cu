// All atomics of integers and floats, and one of floats made of a compare-and-swap.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

struct Results {
  int sum, least, most, last;
  unsigned bits, common, parity, wrapped, down;
  float float_sum, float_most;
  double double_sum;
  unsigned long long large;
};

__device__ void atomic_max(float* place, float value) {
  int old = __float_as_int(*static_cast<volatile float*>(place));
  while (__int_as_float(old) < value) {
    const int seen = atomicCAS(reinterpret_cast<int*>(place), old, __float_as_int(value));
    if (seen == old) break;
    old = seen;
  }
}

__global__ void gather(Results* r) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&r->sum, i);
  atomicSub(&r->sum, 1);
  atomicMin(&r->least, 5 - i);
  atomicMax(&r->most, i);
  atomicExch(&r->last, 77);
  atomicOr(&r->bits, 1u << (i % 20));
  atomicAnd(&r->common, ~(1u << (i % 8)));
  atomicXor(&r->parity, static_cast<unsigned>(i));
  atomicInc(&r->wrapped, 9);
  atomicDec(&r->down, 1000);
  atomicAdd(&r->float_sum, 0.5f);
  atomicAdd(&r->double_sum, 0.25);
  atomicAdd(&r->large, 1ULL << 33);
  atomic_max(&r->float_most, static_cast<float>(i % 100));
}

int main() {
  Results host = {0, 1000, -1, 0, 0, ~0u, 0, 0, 500, 0, -1, 0, 0}, *device;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, &host, sizeof host, cudaMemcpyHostToDevice);
  gather<<<2, 64>>>(device);
  cudaMemcpy(&host, device, sizeof host, cudaMemcpyDeviceToHost);
  const bool good = host.sum == 8128 - 128 && host.least == -122 && host.most == 127 && host.last == 77 &&
                    host.bits == 0xfffff && host.common == 0xffffff00 && host.parity == 0 && host.wrapped == 8 &&
                    host.down == 372 && host.float_sum == 64 && host.float_most == 99 && host.double_sum == 32 &&
                    host.large == 1ULL << 40;
  std::printf("%s %d %u %u\n", good ? "ok" : "wrong", host.sum, host.wrapped, host.down);
  cudaFree(device);
  return 0;
}
