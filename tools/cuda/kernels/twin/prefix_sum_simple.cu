// Prefix sum in shared memory, the hard way: the warp's scan with two barriers a step. Stands beside
// programs/twin/prefix_sum_simple.warp.
//
// All read before anyone writes, and all have written before anyone reads again. A place looks back inside its own warp
// only. No thread leaves early: those without an element come to every barrier. A block has at most 64 threads.

extern "C" __global__ void twin_prefix_sum_simple(const float* input, float* output, unsigned size) {
  __shared__ float tile[64];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const bool inside = i < size;

  if (inside) tile[threadIdx.x] = input[i];
  __syncthreads();

  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const bool adds = inside && lane >= offset;
    float before = 0.0f;
    if (adds) before = tile[threadIdx.x - offset];
    __syncthreads();
    if (adds) tile[threadIdx.x] += before;
    __syncthreads();
  }

  if (inside) output[i] = tile[threadIdx.x];
}
