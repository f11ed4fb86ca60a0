// Reduction through shared memory: a tree of additions in a tile, one barrier a step. Stands beside
// programs/twin/reduction_shared.warp.
//
// The order of the additions is that of reduce/sum_down. All threads come to every barrier; one whose partner has no
// element adds nothing. A block has at most 64 threads.

extern "C" __global__ void twin_reduction_shared(const float* input, float* output, unsigned size) {
  __shared__ float tile[64];
  const unsigned block_start = blockIdx.x * blockDim.x;
  const unsigned i = block_start + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;

  if (i < size) tile[threadIdx.x] = input[i];
  __syncthreads();

  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const unsigned other = threadIdx.x + offset;
    if (lane < offset && other < blockDim.x && block_start + other < size) tile[threadIdx.x] += tile[other];
    __syncthreads();
  }

  if (lane == 0 && i < size) output[i] = tile[threadIdx.x];
}
