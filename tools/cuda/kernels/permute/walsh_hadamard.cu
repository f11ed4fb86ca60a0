// Walsh-Hadamard transform of a warp's 32 integers: a butterfly of sums and differences. Stands beside
// programs/permute/walsh_hadamard.warp.
//
// The values are kept unsigned because those wrap. A ragged warp has no transform.

extern "C" __global__ void permute_walsh_hadamard(const int* input, int* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  if (__ballot_sync(0xffffffff, i < size) != 0xffffffff) return;

  unsigned value = input[i];
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const unsigned other = __shfl_xor_sync(0xffffffff, value, offset);
    value = (lane & offset) == 0 ? other + value : other - value;
  }
  output[i] = static_cast<int>(value);
}
