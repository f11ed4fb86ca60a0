// Fast Fourier transform of a warp's 32 complex numbers, radix 2, decimation in frequency. Stands beside
// programs/permute/fft_radix2.warp.
//
// Five butterflies by __shfl_xor_sync leave the frequencies in bit-reversed order; one __shfl_sync puts them right.
// The bits are the program's: a complex product is a product and a fused multiply-add, in this order, for either part.
// A ragged warp has no transform.

extern "C" __global__ void permute_fft_radix2(const float* re, const float* im, const float* cosine, const float* sine,
                                              float* spectrum_re, float* spectrum_im, unsigned size) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  if (__ballot_sync(0xffffffff, i < size) != 0xffffffff) return;

  float x = re[i];
  float y = im[i];
  unsigned frequency = 0;  // the bits of the lane number, backward
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const unsigned stride = 16 / offset;
    const float other_x = __shfl_xor_sync(0xffffffff, x, offset);
    const float other_y = __shfl_xor_sync(0xffffffff, y, offset);
    if ((lane & offset) == 0) {
      x += other_x;
      y += other_y;
    } else {
      const unsigned factor = (lane & (offset - 1)) * stride;
      const float c = cosine[factor];
      const float s = sine[factor];
      const float minus_x = other_x - x;
      const float minus_y = other_y - y;
      x = fmaf(minus_y, s, minus_x * c);
      y = fmaf(minus_y, c, -(minus_x * s));
      frequency += stride;
    }
  }

  spectrum_re[i] = __shfl_sync(0xffffffff, x, frequency);
  spectrum_im[i] = __shfl_sync(0xffffffff, y, frequency);
}
