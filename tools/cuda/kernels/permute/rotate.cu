// Rotate: each lane takes the value `rotation` lanes above its own, in a circle over the living lanes of its warp.
// Stands beside programs/permute/rotate.warp.
//
// The rotation may be negative and of any size: its remainder lies between -lanes and lanes, and adding the number of
// lanes makes the sum positive.

extern "C" __global__ void permute_rotate(const float* input, float* output, unsigned size, int rotation) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const int lanes = __popc(inside);
  const int source = (lane + lanes + rotation % lanes) % lanes;
  output[i] = __shfl_sync(inside, input[i], source);
}
