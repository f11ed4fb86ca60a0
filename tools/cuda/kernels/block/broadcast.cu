// Block broadcast: all threads hear the value of thread `source`, through one word of shared memory. Stands beside
// programs/block/broadcast.warp.
//
// Where the source has no element, every thread keeps its own value.

extern "C" __global__ void block_broadcast(const float* input, float* output, unsigned size, unsigned source) {
  __shared__ float word;
  const unsigned block_start = blockIdx.x * blockDim.x;
  const unsigned i = block_start + threadIdx.x;
  const bool inside = i < size;
  const bool heard = source < blockDim.x && block_start + source < size;

  float value = inside ? input[i] : 0.0f;
  if (inside && threadIdx.x == source) word = value;
  __syncthreads();

  if (heard) value = word;
  if (inside) output[i] = value;
}
