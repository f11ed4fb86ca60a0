// Votes, matches and reductions of a warp.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

__global__ void ask(unsigned* out) {
  const unsigned lane = threadIdx.x, all = 0xffffffff;
  unsigned answers = 0;
  if (__all_sync(all, lane < 32)) answers |= 1;
  if (!__all_sync(all, lane < 31)) answers |= 2;
  if (__any_sync(all, lane == 9)) answers |= 4;
  if (__ballot_sync(all, lane % 4 == 0) == 0x11111111) answers |= 8;
  if (__match_any_sync(all, lane / 8) == 0xffu << (lane / 8 * 8)) answers |= 16;
  int same = 0;
  if (__match_all_sync(all, 5, &same) == all && same != 0) answers |= 32;
  if (__reduce_add_sync(all, lane) == 496 && __reduce_max_sync(all, lane) == 31) answers |= 64;
  if (__reduce_xor_sync(all, lane) == 0 && __reduce_or_sync(all, lane) == 31) answers |= 128;
  if (__syncthreads_and(answers == 255)) answers |= 256;
  if (__fns(0x0f0f, 0, 6) == 9) answers |= 512;
  out[lane] = answers;
}

int main() {
  unsigned *out, host[32];
  cudaMalloc(&out, sizeof host);
  ask<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  bool good = true;
  for (const unsigned answers : host) good = good && answers == 1023;
  std::printf("%s %u\n", good ? "ok" : "wrong", host[7]);
  cudaFree(out);
  return 0;
}
