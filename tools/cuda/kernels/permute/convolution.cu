// Circular convolution of a warp's lanes by way of the Fourier transform: transform, square, transform back. Stands
// beside programs/permute/convolution.warp, which explains why one transform of f + i g is enough and why nothing has
// to be put in order.
//
// The bits are the program's: a complex product is a product and a fused multiply-add, in this order, for either part.
// A ragged warp has no result.

namespace convolution {
namespace {

struct Complex {
  float re;
  float im;
};

__device__ Complex shuffle_xor(Complex value, unsigned mask) {
  return {__shfl_xor_sync(0xffffffff, value.re, mask), __shfl_xor_sync(0xffffffff, value.im, mask)};
}

// value * (c - i s)
__device__ Complex turn(Complex value, float c, float s) {
  return {fmaf(value.im, s, value.re * c), fmaf(value.im, c, -(value.re * s))};
}

// value * (c + i s)
__device__ Complex turn_back(Complex value, float c, float s) {
  return {fmaf(value.re, c, -(value.im * s)), fmaf(value.re, s, value.im * c)};
}

__device__ Complex square(Complex value) {
  const float product = value.re * value.im;
  return {(value.re - value.im) * (value.re + value.im), product + product};
}

}  // namespace
}  // namespace convolution

extern "C" __global__ void permute_convolution(const float* f, const float* g, const float* cosine, const float* sine,
                                               float* output, int* nearest, unsigned size) {
  using convolution::Complex;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % 32;
  if (__ballot_sync(0xffffffff, i < size) != 0xffffffff) return;

  Complex value = {f[i], g[i]};
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const Complex other = convolution::shuffle_xor(value, offset);
    if ((lane & offset) == 0) {
      value = {value.re + other.re, value.im + other.im};
    } else {
      const unsigned factor = (lane & (offset - 1)) * (16 / offset);
      value = {other.re - value.re, other.im - value.im};
      value = convolution::turn(value, cosine[factor], sine[factor]);
    }
  }

  value = convolution::square(value);

  for (unsigned offset = 1; offset < 32; offset *= 2) {
    const bool upper = (lane & offset) != 0;
    if (upper) {
      const unsigned factor = (lane & (offset - 1)) * (16 / offset);
      value = convolution::turn_back(value, cosine[factor], sine[factor]);
    }
    const Complex other = convolution::shuffle_xor(value, offset);
    value =
        upper ? Complex{other.re - value.re, other.im - value.im} : Complex{other.re + value.re, other.im + value.im};
  }

  const float result = value.im / 64.0f;
  output[i] = result;
  nearest[i] = __float2int_rn(result);
}
