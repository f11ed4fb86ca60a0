// Transpose: 4 x 4 tiles, one row on each of four lanes, turned in registers. Stands beside
// programs/permute/transpose.warp.
//
// A tile is a cooperative group of four threads. Transposing exchanges the two bits of the row number, which is the
// thread's rank, with the two bits of the column number, which is the register: first 2 x 2 blocks change places, then
// single elements. A register cannot be chosen by a number at run time, hence the selections. The number of threads of
// a block must be a multiple of 4.

#include <cooperative_groups.h>

extern "C" __global__ void permute_transpose(const float* input, float* output, unsigned tiles) {
  namespace cg = cooperative_groups;
  const cg::thread_block_tile<4> tile = cg::tiled_partition<4>(cg::this_thread_block());
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i / 4 >= tiles) return;
  const bool in_lower_half = (tile.thread_rank() & 2) != 0;
  const bool odd = (tile.thread_rank() & 1) != 0;

  const float* row = input + 4 * i;
  float r0 = row[0];
  float r1 = row[1];
  float r2 = row[2];
  float r3 = row[3];

  float get = tile.shfl_xor(in_lower_half ? r0 : r2, 2);
  float get_too = tile.shfl_xor(in_lower_half ? r1 : r3, 2);
  if (in_lower_half) {
    r0 = get;
    r1 = get_too;
  } else {
    r2 = get;
    r3 = get_too;
  }

  get = tile.shfl_xor(odd ? r0 : r1, 1);
  get_too = tile.shfl_xor(odd ? r2 : r3, 1);
  if (odd) {
    r0 = get;
    r2 = get_too;
  } else {
    r1 = get;
    r3 = get_too;
  }

  float* column = output + 4 * i;
  column[0] = r0;
  column[1] = r1;
  column[2] = r2;
  column[3] = r3;
}
