// Segmented inclusive scan within a warp: prefix sums that begin anew wherever a head flag is set. Stands beside
// programs/scan/segmented.warp.
//
// The flag travels with the sum: a lane whose stretch already holds a head adds nothing more. The sums are kept
// unsigned because those wrap.

extern "C" __global__ void scan_segmented(const int* input, const unsigned* head, int* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  unsigned sum = input[i];
  bool has_head = head[i] != 0;
  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const unsigned other = __shfl_up_sync(inside, sum, offset);
    const bool other_has_head = __shfl_up_sync(inside, static_cast<int>(has_head), offset) != 0;
    if (lane >= offset && !has_head) {
      sum += other;
      has_head = other_has_head;
    }
  }
  output[i] = static_cast<int>(sum);
}
