// Inclusive product scan of 64-bit integers within a warp. Stands beside programs/scan/product.warp.
//
// A lane with nobody `offset` lanes before it gets its own value back and must not multiply by it. Products wrap.

extern "C" __global__ void scan_product(const unsigned long long* input, unsigned long long* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  unsigned long long product = input[i];
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const unsigned long long other = __shfl_up_sync(inside, product, offset);
    if (lane >= offset) product *= other;
  }
  output[i] = product;
}
