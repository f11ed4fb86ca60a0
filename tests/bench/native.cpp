// See native.h. Compiled with -O3 -ffast-math for this machine, as a CPU's programmer would.
#include "tests/bench/native.h"

#include <algorithm>
#include <cmath>

namespace warpsim::bench::native {

void saxpy(int n, float a, const float* x, float* y) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}

// By rows, four of b's at a time, so that c stays in registers and caches.
void matmul(int n, const float* a, const float* b, float* c) {
  std::fill_n(c, n * n, 0.0F);
  constexpr int kTile = 64;
  for (int first = 0; first < n; first += kTile)
    for (int row = 0; row < n; ++row)
      for (int k = first; k < std::min(first + kTile, n); k += 4) {
        const float *b0 = b + k * n, *b1 = b0 + n, *b2 = b1 + n, *b3 = b2 + n;
        const float a0 = a[row * n + k], a1 = a[row * n + k + 1], a2 = a[row * n + k + 2], a3 = a[row * n + k + 3];
        float* const to = c + row * n;
        for (int j = 0; j < n; ++j) to[j] += a0 * b0[j] + a1 * b1[j] + a2 * b2[j] + a3 * b3[j];
      }
}

void softmax(int rows, int columns, const float* x, float* y) {
  for (int r = 0; r < rows; ++r, x += columns, y += columns) {
    const float most = *std::max_element(x, x + columns);
    float sum = 0;
    for (int k = 0; k < columns; ++k) sum += y[k] = std::exp2((x[k] - most) * 1.4426950408889634F);
    for (int k = 0; k < columns; ++k) y[k] /= sum;
  }
}

// 16 points at a time, until the last of them has left.
void mandelbrot(int width, int height, int* count) {
  constexpr int kAtOnce = 16;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; x += kAtOnce) {
      float cr[kAtOnce], r[kAtOnce] = {}, i[kAtOnce] = {};
      int k[kAtOnce] = {}, inside = 1;
      const float ci = static_cast<float>(y) * 2.0F / static_cast<float>(height) - 1;
      for (int l = 0; l < kAtOnce; ++l) cr[l] = static_cast<float>(x + l) * 3.0F / static_cast<float>(width) - 2;
      for (int round = 0; round < 256 && inside != 0; ++round) {
        inside = 0;
        for (int l = 0; l < kAtOnce; ++l) {
          const int in = r[l] * r[l] + i[l] * i[l] < 4 ? 1 : 0;
          const float next = r[l] * r[l] - i[l] * i[l] + cr[l];
          i[l] = in != 0 ? 2 * r[l] * i[l] + ci : i[l];
          r[l] = in != 0 ? next : r[l];
          k[l] += in;
          inside |= in;
        }
      }
      std::copy_n(k, kAtOnce, count + y * width + x);
    }
}

void nbody(int n, const float* body, float* acceleration) {
  for (int i = 0; i < n; ++i) {
    float x = 0, y = 0, z = 0;
    for (int k = 0; k < n; ++k) {
      const float dx = body[k * 4] - body[i * 4], dy = body[k * 4 + 1] - body[i * 4 + 1];
      const float dz = body[k * 4 + 2] - body[i * 4 + 2], square = dx * dx + dy * dy + dz * dz + 0.01F;
      const float inverse = 1 / std::sqrt(square), force = body[k * 4 + 3] * inverse * inverse * inverse;
      x += dx * force;
      y += dy * force;
      z += dz * force;
    }
    acceleration[i * 4] = x;
    acceleration[i * 4 + 1] = y;
    acceleration[i * 4 + 2] = z;
    acceleration[i * 4 + 3] = 0;
  }
}

void hash64(int n, const std::uint64_t* x, std::uint64_t* y) {
  for (int i = 0; i < n; ++i) {
    std::uint64_t z = x[i];
    for (int k = 0; k < 64; ++k) {
      z += 0x9e3779b97f4a7c15;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      z ^= z >> 31;
    }
    y[i] = z;
  }
}

}  // namespace warpsim::bench::native
