// Stencil of three points: the second difference, with no flow over a warp's edges. Stands beside
// programs/permute/stencil_3.warp.
//
// At an edge the missing neighbor counts as equal to the own value. That is what a shuffle out of range gives back, so
// the left edge needs no code; the right one may be that of a ragged warp, which the shuffle does not know.

extern "C" __global__ void permute_stencil_3(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned last_lane = __popc(inside) - 1;

  const float own = input[i];
  const float left = __shfl_up_sync(inside, own, 1);
  const float above = __shfl_down_sync(inside, own, 1);
  const float right = lane < last_lane ? above : own;
  output[i] = (left + right) - (own + own);
}
