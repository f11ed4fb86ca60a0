// Dot product: each lane multiplies its own pair, and the products fold down to lane 0 by five __shfl_down_sync. Beside
// programs/reduce/dot_product.warp.
//
// The products are rounded before they are added, so this must not be compiled to fused multiply-adds.

extern "C" __global__ void reduce_dot_product(const float* a, const float* b, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones

  float sum = a[i] * b[i];
  for (unsigned offset = warpSize / 2; offset > 0; offset /= 2) {
    const float other = __shfl_down_sync(living, sum, offset);
    if (lane + offset < count) sum += other;
  }
  if (lane == 0) output[i] = sum;
}
