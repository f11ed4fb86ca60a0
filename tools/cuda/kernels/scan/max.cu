// Inclusive maximum scan within a warp. Stands beside programs/scan/max.warp.
//
// A lane with nobody `offset` lanes before it gets its own value back, and max(a, a) is a: no test is needed. fmaxf
// prefers a number to a NaN, and +0 to -0.

extern "C" __global__ void scan_max(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  float largest = input[i];
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    largest = fmaxf(largest, __shfl_up_sync(inside, largest, offset));
  }
  output[i] = largest;
}
