// Inclusive minimum scan within a warp. Stands beside programs/scan/min.warp.
//
// A lane with nobody `offset` lanes before it gets its own value back, and min(a, a) is a: no test is needed.

extern "C" __global__ void scan_min(const int* input, int* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  int smallest = input[i];
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    smallest = min(smallest, __shfl_up_sync(inside, smallest, offset));
  }
  output[i] = smallest;
}
