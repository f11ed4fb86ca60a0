// Butterfly twice: the same __shfl_xor_sync again gives every lane its own value back. Stands beside
// programs/shuffle/xor_twice.warp.
//
// Whoever I read from reads from me. A lane whose partner is not there keeps its value both times.

extern "C" __global__ void shuffle_xor_twice(const unsigned* input, unsigned* once, unsigned* twice, unsigned size,
                                             unsigned lane_mask) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const bool has_partner = (lane ^ (lane_mask % 32)) < __popc(inside);

  const unsigned value = input[i];
  const unsigned received = __shfl_xor_sync(inside, value, lane_mask);
  const unsigned swapped = has_partner ? received : value;
  once[i] = swapped;

  const unsigned returned = __shfl_xor_sync(inside, swapped, lane_mask);
  twice[i] = has_partner ? returned : swapped;
}
