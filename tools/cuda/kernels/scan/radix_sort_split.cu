// Radix sort by splits: each warp sorts its keys by their lowest `bits` bits, one bit at a time, zeros first. Stands
// beside programs/scan/radix_sort_split.warp.
//
// A ballot is the scan: the number of zeros below a lane is a popc. A shuffle lets a lane choose where it reads, not
// where it writes, so the keys change places through shared memory, where each warp has a stretch of its own.

extern "C" __global__ void scan_radix_sort_split(const unsigned* input, unsigned* output, unsigned size,
                                                 unsigned bits) {
  __shared__ unsigned tile[1024];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp_start = threadIdx.x - lane;
  const unsigned lanes_below = (1u << lane) - 1;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  unsigned key = input[i];
  for (unsigned bit = 0; bit < bits; ++bit) {
    const bool zero = (key >> bit & 1) == 0;
    const unsigned zeros = __ballot_sync(inside, zero);
    const unsigned zeros_before = __popc(zeros & lanes_below);
    const unsigned ones_before = lane - zeros_before;
    const unsigned place = zero ? zeros_before : __popc(zeros) + ones_before;
    tile[warp_start + place] = key;
    __syncwarp(inside);
    key = tile[threadIdx.x];
    __syncwarp(inside);
  }
  output[i] = key;
}
