// Adaptive filter: a sample that stands out by more than the noise of its warp's stretch is replaced by the median of
// itself and its neighbors. Neighbors come by __shfl_up_sync and __shfl_down_sync; the noise, the mean difference
// between neighbors times `factor`, is a scan whose last sum __shfl_sync tells everybody. Beside
// programs/coord/adaptive_filter.warp.
//
// The first and the last lane count themselves as the missing neighbor: their difference is 0, their median themselves.

extern "C" __global__ void coord_adaptive_filter(const float* input, float* output, float* noise, unsigned size,
                                                 float factor) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned last_lane = __popc(living) - 1;  // the lanes that stay are the lowest ones

  const float sample = input[i];
  const float prev = __shfl_up_sync(living, sample, 1);  // lane 0 gets its own
  const float right = __shfl_down_sync(living, sample, 1);
  const float next = lane < last_lane ? right : sample;

  float sum = fabsf(next - sample);
  for (unsigned distance = 1; distance < warpSize; distance *= 2) {
    const float left = __shfl_up_sync(living, sum, distance);
    if (lane >= distance) sum += left;
  }
  const unsigned gaps = max(last_lane, 1u);
  const float threshold = __shfl_sync(living, sum, last_lane) / static_cast<float>(gaps) * factor;

  const float lower = fminf(prev, next);
  const float upper = fmaxf(prev, next);
  const float median = fmaxf(fminf(sample, upper), lower);
  const bool spike = fabsf(sample - median) > threshold;
  output[i] = spike ? median : sample;
  noise[i] = threshold;
}
