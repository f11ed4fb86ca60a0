// Lane number in a block of two dimensions, and what threadIdx.x % 32 makes of it. Stands beside
// programs/shuffle/lane_number.warp.
//
// Threads fill warps in the order of their linear number, so the lane is that number modulo 32. threadIdx.x % 32 is the
// same only where a row is a multiple of a warp; read_own is a shuffle that goes by it.

extern "C" __global__ void shuffle_lane_number(const unsigned* input, unsigned* laneid, unsigned* by_x,
                                               unsigned* read_own, unsigned size) {
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  const unsigned inside = __ballot_sync(0xffffffff, thread < size);
  if (thread >= size) return;

  const unsigned column = threadIdx.x % 32;
  laneid[thread] = thread % 32;
  by_x[thread] = column;
  read_own[thread] = __shfl_sync(inside, input[thread], column);
}
