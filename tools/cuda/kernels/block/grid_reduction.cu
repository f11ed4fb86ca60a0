// Grid reduction: all blocks together add up one long input. Stands beside programs/block/grid_reduction.warp.
//
// At every level values meet where it is cheapest: a thread's in a register, a warp's in one __reduce_add_sync (for
// integers, whose order of addition does not show: it stands for the program's shuffles), a block's in shared memory,
// the grid's in one atomic addition a block. The sums are kept unsigned because those wrap.

extern "C" __global__ void block_grid_reduction(const int* input, int* output, unsigned size) {
  __shared__ unsigned sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  const unsigned warps = (blockDim.x + 31) / 32;
  const unsigned stride = gridDim.x * blockDim.x;

  unsigned sum = 0;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride) sum += input[i];
  sum = __reduce_add_sync(0xffffffff, sum);
  if (lane == 0) sums[warp] = sum;
  __syncthreads();

  if (warp != 0) return;
  const unsigned part = __reduce_add_sync(0xffffffff, lane < warps ? sums[lane] : 0);
  if (lane == 0) atomicAdd(output, static_cast<int>(part));
}
