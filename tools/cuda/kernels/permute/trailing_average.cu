// Trailing average: the mean of a value and the two before it, of fewer at the start of a warp. Stands beside
// programs/permute/trailing_average.warp.
//
// The sum is taken from the own value backward, and divided: both matter for the last bit.

extern "C" __global__ void permute_trailing_average(const float* input, float* output, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const float value = input[i];
  const float previous = __shfl_up_sync(inside, value, 1);
  const float before = __shfl_up_sync(inside, value, 2);
  float sum = value;
  float count = 1.0f;
  if (lane >= 1) {
    sum += previous;
    count += 1.0f;
  }
  if (lane >= 2) {
    sum += before;
    count += 1.0f;
  }
  output[i] = sum / count;
}
