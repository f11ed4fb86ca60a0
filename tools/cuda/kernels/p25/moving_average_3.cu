// Moving average: (input[i] + input[i + 1] + input[i + 2]) / 3, with fewer terms at the end of a warp. Two
// __shfl_down_sync of the same register fetch both neighbors. Beside programs/p25/moving_average_3.warp.
//
// The sum is taken from left to right and divided, not multiplied by 1/3: both matter for the last bit.

extern "C" __global__ void p25_moving_average_3(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const float current = input[i];
  const float next = __shfl_down_sync(living, current, 1);
  const float next_next = __shfl_down_sync(living, current, 2);
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones
  if (lane + 2 < count) {
    output[i] = (current + next + next_next) / 3.0f;
  } else if (lane + 1 < count) {
    output[i] = (current + next) / 2.0f;
  } else {
    output[i] = current;
  }
}
