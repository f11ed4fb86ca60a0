// Stencil of five points with the weights 1 4 6 4 1: neighbors come from shuffles, and only the two lanes at each edge
// of a warp load theirs. Stands beside programs/permute/stencil_5.warp.
//
// At the two ends of the input the outermost value is repeated.

extern "C" __global__ void permute_stencil_5(const float* input, float* output, unsigned size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int end = static_cast<int>(size) - 1;
  const unsigned inside = __ballot_sync(0xffffffff, i <= end);
  if (i > end) return;
  const int last_lane = __popc(inside) - 1;

  const float c = input[i];
  float a = __shfl_up_sync(inside, c, 2);
  float b = __shfl_up_sync(inside, c, 1);
  float d = __shfl_down_sync(inside, c, 1);
  float e = __shfl_down_sync(inside, c, 2);
  if (lane < 2) a = input[max(i - 2, 0)];
  if (lane < 1) b = input[max(i - 1, 0)];
  if (lane + 1 > last_lane) d = input[min(i + 1, end)];
  if (lane + 2 > last_lane) e = input[min(i + 2, end)];

  output[i] = ((a + e) + (b + d) * 4.0f + c * 6.0f) * 0.0625f;
}
