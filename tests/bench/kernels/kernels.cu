// What the benchmarks run: kernels as people write them, each small enough to be read.
//
// Shapes: stated with each kernel; sizes that must divide each other do so where they are launched (kernels.cpp).
// Source: textbook forms of each algorithm; tools/nvcc_ptx.sh says how kernels.ptx is made of this file.
//         kernels.cubin is what `ptxas -arch=sm_90 kernels.ptx -o kernels.cubin` (13.0) makes of that.
#include <cstdint>

extern "C" {

// butterflies: 32 lanes have the largest of what each adds up, `rounds` times over
__global__ void iter(int rounds, const unsigned* x, unsigned* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned mine = x[i];
  unsigned most = 0;
#pragma unroll 1
  for (int k = 0; k < rounds; ++k) {
    most += mine;
    for (int step = 16; step > 0; step /= 2) most = max(most, __shfl_xor_sync(0xffffffff, most, step));
  }
  y[i] = most;
}

// y = a x + y
__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// c = a b, n x n, a thread an element
__global__ void matmul(int n, const float* a, const float* b, float* c) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// the same by tiles of 32 x 32 in shared memory, 32 x 8 threads, four elements a thread
__global__ void matmul_tiled(int n, const float* a, const float* b, float* c) {
  __shared__ float of_a[32][32], of_b[32][32];
  const int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x;
  float sum[4] = {0, 0, 0, 0};
  for (int tile = 0; tile < n; tile += 32) {
    for (int k = 0; k < 4; ++k) {
      of_a[y + k * 8][x] = a[(blockIdx.y * 32 + y + k * 8) * n + tile + x];
      of_b[y + k * 8][x] = b[(tile + y + k * 8) * n + column];
    }
    __syncthreads();
    for (int i = 0; i < 32; ++i)
      for (int k = 0; k < 4; ++k) sum[k] += of_a[y + k * 8][i] * of_b[i][x];
    __syncthreads();
  }
  for (int k = 0; k < 4; ++k) c[(blockIdx.y * 32 + y + k * 8) * n + column] = sum[k];
}

// sum of x by shuffles; each block adds its part
__global__ void reduce_shuffle(int n, const int* x, int* sum) {
  __shared__ int part[32];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xffffffff, mine, step);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  mine = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : 0;
  for (int step = 16; step > 0; step /= 2) mine += __shfl_down_sync(0xffffffff, mine, step);
  if (threadIdx.x == 0) atomicAdd(sum, mine);
}

// the same by a tree in shared memory, blocks of 256
__global__ void reduce_shared(int n, const int* x, int* sum) {
  __shared__ int part[256];
  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine += x[i];
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

// inclusive scan of each block of 256 (Hillis and Steele)
__global__ void block_scan(const int* x, int* y) {
  __shared__ int part[2][256];
  const int at = blockIdx.x * 256 + threadIdx.x;
  int now = 0;
  part[0][threadIdx.x] = x[at];
  __syncthreads();
  for (int step = 1; step < 256; step *= 2) {
    const int own = part[now][threadIdx.x];
    part[1 - now][threadIdx.x] = threadIdx.x >= step ? own + part[now][threadIdx.x - step] : own;
    now = 1 - now;
    __syncthreads();
  }
  y[at] = part[now][threadIdx.x];
}

// how often each byte comes, blocks of 256
__global__ void histogram(int n, const uint8_t* x, unsigned* counts) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[x[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

// sorts pieces of 1024, 512 threads each
__global__ void bitonic(unsigned* x) {
  __shared__ unsigned s[1024];
  const unsigned base = blockIdx.x * 1024, t = threadIdx.x;
  s[t] = x[base + t];
  s[t + 512] = x[base + t + 512];
  for (unsigned size = 2; size <= 1024; size *= 2) {
    for (unsigned step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const unsigned low = 2 * t - (t & (step - 1)), high = low + step;
      const unsigned a = s[low], b = s[high];
      const bool up = (low & size) == 0;
      if ((a > b) == up) {
        s[low] = b;
        s[high] = a;
      }
    }
  }
  __syncthreads();
  x[base + t] = s[t];
  x[base + t + 512] = s[t + 512];
}

// of each row of `columns`, a block of 128 a row
__global__ void softmax(int columns, const float* x, float* y) {
  __shared__ float part[4];
  const float* const row = x + blockIdx.x * columns;
  float most = -3.4e38f;
  for (int k = threadIdx.x; k < columns; k += 128) most = fmaxf(most, row[k]);
  for (int step = 16; step > 0; step /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, step));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = most;
  __syncthreads();
  most = fmaxf(fmaxf(part[0], part[1]), fmaxf(part[2], part[3]));
  __syncthreads();
  float sum = 0;
  for (int k = threadIdx.x; k < columns; k += 128) {
    float e = (row[k] - most) * 1.4426950408889634f;
    asm("ex2.approx.f32 %0, %0;" : "+f"(e));
    y[blockIdx.x * columns + k] = e;
    sum += e;
  }
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(0xffffffff, sum, step);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  sum = (part[0] + part[1]) + (part[2] + part[3]);
  for (int k = threadIdx.x; k < columns; k += 128) y[blockIdx.x * columns + k] /= sum;
}

// n x n, tiles of 32 x 32 with a column to spare, 32 x 8 threads
__global__ void transpose(int n, const float* x, float* y) {
  __shared__ float tile[32][33];
  for (int k = 0; k < 32; k += 8)
    tile[threadIdx.y + k][threadIdx.x] = x[(blockIdx.y * 32 + threadIdx.y + k) * n + blockIdx.x * 32 + threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 32; k += 8)
    y[(blockIdx.x * 32 + threadIdx.y + k) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y + k];
}

// iterations up to 256 of each point of a width x gridDim.y picture
__global__ void mandelbrot(int width, int* count) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  const float cr = x * 3.0f / width - 2, ci = y * 2.0f / gridDim.y - 1;
  float r = 0, i = 0;
  int k = 0;
  for (; k < 256 && r * r + i * i < 4; ++k) {
    const float next = r * r - i * i + cr;
    i = 2 * r * i + ci;
    r = next;
  }
  count[y * width + x] = k;
}

// y = A x, a thread a row
__global__ void spmv(int rows, const int* begin, const int* column, const float* value, const float* x, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

// the accelerations of n bodies, x y z and mass each, by tiles of a block
__global__ void nbody(int n, const float4* body, float4* acceleration) {
  __shared__ float4 tile[256];
  const float4 mine = body[blockIdx.x * 256 + threadIdx.x];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < n; first += 256) {
    tile[threadIdx.x] = body[first + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; ++k) {
      const float dx = tile[k].x - mine.x, dy = tile[k].y - mine.y, dz = tile[k].z - mine.z;
      const float square = dx * dx + dy * dy + dz * dz + 0.01f, inverse = rsqrtf(square);
      const float force = tile[k].w * inverse * inverse * inverse;
      x += dx * force;
      y += dy * force;
      z += dz * force;
    }
    __syncthreads();
  }
  acceleration[blockIdx.x * 256 + threadIdx.x] = make_float4(x, y, z, 0);
}

// places keys by 4 of their bits within each block of 256, stable: a pass of a radix sort
__global__ void radix_pass(int shift, const unsigned* x, unsigned* y) {
  __shared__ unsigned counts[16][8], first[16];
  const unsigned key = x[blockIdx.x * 256 + threadIdx.x], digit = key >> shift & 15, warp = threadIdx.x / 32;
  const unsigned lane = threadIdx.x % 32, same = __match_any_sync(0xffffffff, digit);
  if (threadIdx.x < 128) counts[threadIdx.x / 8][threadIdx.x % 8] = 0;
  __syncthreads();
  const unsigned before = __popc(same & ((1u << lane) - 1));
  if (before == 0) counts[digit][warp] = __popc(same);
  __syncthreads();
  if (threadIdx.x < 16) {
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) {
      const unsigned now = counts[threadIdx.x][w];
      counts[threadIdx.x][w] = sum;
      sum += now;
    }
    unsigned up = sum;
    for (int step = 1; step < 16; step *= 2) {
      const unsigned other = __shfl_up_sync(0xffff, up, step, 16);
      if (threadIdx.x >= step) up += other;
    }
    first[threadIdx.x] = up - sum;
  }
  __syncthreads();
  y[blockIdx.x * 256 + first[digit] + counts[digit][warp] + before] = key;
}

// expands a byte code, `in_bytes` a thread: 0 to 127 copies a byte so often, 128 and up repeats what stood so far
// behind
__global__ void byte_code(int in_bytes, int out_bytes, const uint8_t* in, uint8_t* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const uint8_t* from = in + thread * in_bytes;
  uint8_t* const to = out + thread * out_bytes;
  int at = 0;
  for (int k = 0; k + 1 < in_bytes; k += 2) {
    const int code = from[k], value = from[k + 1];
    if (code < 128) {
      for (int n = code % 8 + 1; n > 0 && at < out_bytes; --n) to[at++] = static_cast<uint8_t>(value);
    } else {
      const int behind = code % 32 + 1;
      for (int n = value % 8 + 1; n > 0 && at < out_bytes; --n, ++at) to[at] = at >= behind ? to[at - behind] : 0;
    }
  }
}

// 64 rounds of a 64-bit hash (the finaliser of splitmix64)
__global__ void hash64(int n, const uint64_t* x, uint64_t* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint64_t z = x[i];
  for (int k = 0; k < 64; ++k) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
  }
  y[i] = z;
}

// complex transforms of 512 doubles in place, 256 threads each; `roots` has the 256 powers of the root of unity.
// Divided by the root of 512, so that the numbers stay as large when it runs again and again.
__global__ void fft512(const double2* roots, double2* x) {
  __shared__ double2 s[512];
  const int base = blockIdx.x * 512, t = threadIdx.x;
  s[__brev(t) >> 23] = x[base + t];
  s[__brev(t + 256) >> 23] = x[base + t + 256];
  for (int half = 1; half < 512; half *= 2) {
    __syncthreads();
    const int k = t & (half - 1), low = 2 * t - k, high = low + half;
    const double2 w = roots[k * (256 / half)], a = s[low], b = s[high];
    const double re = w.x * b.x - w.y * b.y, im = w.x * b.y + w.y * b.x;
    s[low] = make_double2(a.x + re, a.y + im);
    s[high] = make_double2(a.x - re, a.y - im);
  }
  __syncthreads();
  const double scale = 0.044194173824159223;
  x[base + t] = make_double2(s[t].x * scale, s[t].y * scale);
  x[base + t + 256] = make_double2(s[t + 256].x * scale, s[t + 256].y * scale);
}

}  // extern "C"
