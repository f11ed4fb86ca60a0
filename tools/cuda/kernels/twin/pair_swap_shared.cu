// Pair swap through shared memory: what one __shfl_xor_sync does, without shuffles. Stands beside
// programs/twin/pair_swap_shared.warp.
//
// A thread without a partner, because the elements or the block end, keeps its own value. A block has at most 64
// threads.

extern "C" __global__ void twin_pair_swap_shared(const float* input, float* output, unsigned size) {
  __shared__ float tile[64];
  const unsigned block_start = blockIdx.x * blockDim.x;
  const unsigned i = block_start + threadIdx.x;
  const bool inside = i < size;

  const float own = inside ? input[i] : 0.0f;
  if (inside) tile[threadIdx.x] = own;
  __syncthreads();

  const unsigned partner = threadIdx.x ^ 1;
  const bool has_partner = partner < blockDim.x && block_start + partner < size;
  if (inside) output[i] = has_partner ? tile[partner] : own;
}
