// Neighbor difference: input[i + 1] - input[i], and 0 where a lane has no next lane. The neighbor's element is not
// loaded a second time: __shfl_down_sync takes it from the neighbor's register. Beside
// programs/p25/neighbor_difference.warp.

extern "C" __global__ void p25_neighbor_difference(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const float current = input[i];
  const float next = __shfl_down_sync(living, current, 1);
  const bool has_next = lane + 1 < __popc(living);  // the lanes that stay are the lowest ones
  output[i] = has_next ? next - current : 0.0f;
}
