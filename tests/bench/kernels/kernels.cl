// The kernels of kernels.cu once more, written by hand in OpenCL C for PoCL: the same parameters, work-groups and
// algorithms.
//
// Shapes: as in kernels.cu; a block is a work-group, a thread a work-item.
//
// Where a warp of kernels.cu shuffles, 32 work-items exchange through local memory: sub-groups are an extension of
// OpenCL C 1.2, which this is written in, and PoCL 3.1 has no shuffles in them. A sum or a maximum of 32 halves what is
// left of them in each step, so that it adds the floats in the order in which lane 0 of the warp adds them.

// butterflies: 32 work-items have the largest of what each adds up, `rounds` times over
kernel void iter(int rounds, global const uint* x, global uint* y) {
  local uint lanes[256];
  const int t = get_local_id(0);
  const uint mine = x[get_global_id(0)];
  uint most = 0;
  for (int k = 0; k < rounds; ++k) {
    most += mine;
    for (int step = 16; step > 0; step /= 2) {
      lanes[t] = most;
      barrier(CLK_LOCAL_MEM_FENCE);
      most = max(most, lanes[t ^ step]);
      barrier(CLK_LOCAL_MEM_FENCE);
    }
  }
  y[get_global_id(0)] = most;
}

// y = a x + y
kernel void saxpy(int n, float a, global const float* x, global float* y) {
  const int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

// c = a b, n x n, a work-item an element
kernel void matmul(int n, global const float* a, global const float* b, global float* c) {
  const int row = get_global_id(1), column = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

// the same by tiles of 32 x 32 in local memory, 32 x 8 work-items, four elements each
kernel void matmul_tiled(int n, global const float* a, global const float* b, global float* c) {
  local float of_a[32][32], of_b[32][32];
  const int x = get_local_id(0), y = get_local_id(1), column = get_group_id(0) * 32 + x, top = get_group_id(1) * 32;
  float sum[4] = {0, 0, 0, 0};
  for (int tile = 0; tile < n; tile += 32) {
    for (int k = 0; k < 4; ++k) {
      of_a[y + k * 8][x] = a[(top + y + k * 8) * n + tile + x];
      of_b[y + k * 8][x] = b[(tile + y + k * 8) * n + column];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 32; ++i)
      for (int k = 0; k < 4; ++k) sum[k] += of_a[y + k * 8][i] * of_b[i][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int k = 0; k < 4; ++k) c[(top + y + k * 8) * n + column] = sum[k];
}

// sum of x by the exchanges of warps; each work-group of 256 adds its part
kernel void reduce_shuffle(int n, global const int* x, global int* sum) {
  local int lanes[256], part[32];
  const int t = get_local_id(0), lane = t % 32;
  int mine = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) mine += x[i];
  lanes[t] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 16; step > 0; step /= 2) {
    if (lane < step) lanes[t] += lanes[t + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t < 32) part[t] = t < 8 ? lanes[t * 32] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 16; step > 0; step /= 2) {
    if (t < step) part[t] += part[t + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) atomic_add(sum, part[0]);
}

// the same by a tree over the work-group of 256
kernel void reduce_shared(int n, global const int* x, global int* sum) {
  local int part[256];
  const int t = get_local_id(0);
  int mine = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) mine += x[i];
  part[t] = mine;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_of = 128; half_of > 0; half_of /= 2) {
    if (t < half_of) part[t] += part[t + half_of];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) atomic_add(sum, part[0]);
}

// inclusive scan of each work-group of 256 (Hillis and Steele)
kernel void block_scan(global const int* x, global int* y) {
  local int part[2][256];
  const int t = get_local_id(0);
  int now = 0;
  part[0][t] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < 256; step *= 2) {
    const int own = part[now][t];
    part[1 - now][t] = t >= step ? own + part[now][t - step] : own;
    now = 1 - now;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  y[get_global_id(0)] = part[now][t];
}

// how often each byte comes, work-groups of 256
kernel void histogram(int n, global const uchar* x, global uint* counts) {
  local uint own[256];
  const int t = get_local_id(0);
  own[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&own[x[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&counts[t], own[t]);
}

// sorts pieces of 1024, 512 work-items each
kernel void bitonic(global uint* x) {
  local uint s[1024];
  const uint base = get_group_id(0) * 1024, t = get_local_id(0);
  s[t] = x[base + t];
  s[t + 512] = x[base + t + 512];
  for (uint size = 2; size <= 1024; size *= 2) {
    for (uint step = size / 2; step > 0; step /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      const uint low = 2 * t - (t & (step - 1)), high = low + step;
      const uint a = s[low], b = s[high];
      const bool up = (low & size) == 0;
      if ((a > b) == up) {
        s[low] = b;
        s[high] = a;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  x[base + t] = s[t];
  x[base + t + 512] = s[t + 512];
}

// of each row of `columns`, a work-group of 128 a row
kernel void softmax(int columns, global const float* x, global float* y) {
  local float lanes[128];
  const int t = get_local_id(0), lane = t % 32;
  global const float* const row = x + get_group_id(0) * columns;
  global float* const to = y + get_group_id(0) * columns;
  float most = -3.4e38f;
  for (int k = t; k < columns; k += 128) most = fmax(most, row[k]);
  lanes[t] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 16; step > 0; step /= 2) {
    if (lane < step) lanes[t] = fmax(lanes[t], lanes[t + step]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = fmax(fmax(lanes[0], lanes[32]), fmax(lanes[64], lanes[96]));
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0;
  for (int k = t; k < columns; k += 128) {
    const float e = native_exp2((row[k] - most) * 1.4426950408889634f);
    to[k] = e;
    sum += e;
  }
  lanes[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 16; step > 0; step /= 2) {
    if (lane < step) lanes[t] += lanes[t + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum = (lanes[0] + lanes[32]) + (lanes[64] + lanes[96]);
  for (int k = t; k < columns; k += 128) to[k] /= sum;
}

// n x n, tiles of 32 x 32 with a column to spare, 32 x 8 work-items
kernel void transpose(int n, global const float* x, global float* y) {
  local float tile[32][33];
  const int tx = get_local_id(0), ty = get_local_id(1), left = get_group_id(0) * 32, top = get_group_id(1) * 32;
  for (int k = 0; k < 32; k += 8) tile[ty + k][tx] = x[(top + ty + k) * n + left + tx];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 32; k += 8) y[(left + ty + k) * n + top + tx] = tile[tx][ty + k];
}

// iterations up to 256 of each point of a width x get_num_groups(1) picture. A single fused operation, where nvcc
// fuses: one rounding more or less, and points at the edge count differently.
kernel void mandelbrot(int width, global int* count) {
#pragma OPENCL FP_CONTRACT OFF
  const int x = get_global_id(0), y = get_global_id(1);
  const float cr = x * 3.0f / width - 2, ci = y * 2.0f / get_num_groups(1) - 1;
  float r = 0, i = 0;
  int k = 0;
  for (; k < 256 && r * r + i * i < 4; ++k) {
    const float next = r * r - i * i + cr;
    i = fma(2 * r, i, ci);
    r = next;
  }
  count[y * width + x] = k;
}

// y = A x, a work-item a row
kernel void spmv(int rows, global const int* begin, global const int* column, global const float* value,
                 global const float* x, global float* y) {
  const int row = get_global_id(0);
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}

// the accelerations of n bodies, x y z and mass each, by tiles of a work-group
kernel void nbody(int n, global const float4* body, global float4* acceleration) {
  local float4 tile[256];
  const int t = get_local_id(0);
  const float4 mine = body[get_global_id(0)];
  float x = 0, y = 0, z = 0;
  for (int first = 0; first < n; first += 256) {
    tile[t] = body[first + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 256; ++k) {
      const float dx = tile[k].x - mine.x, dy = tile[k].y - mine.y, dz = tile[k].z - mine.z;
      const float square = dx * dx + dy * dy + dz * dz + 0.01f, inverse = native_rsqrt(square);
      const float force = tile[k].w * inverse * inverse * inverse;
      x += dx * force;
      y += dy * force;
      z += dz * force;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  acceleration[get_global_id(0)] = (float4)(x, y, z, 0);
}

// places keys by 4 of their bits within each work-group of 256, stable: a pass of a radix sort. The lanes with the same
// digit are found by a bit each in a word of the digit.
kernel void radix_pass(int shift, global const uint* x, global uint* y) {
  local uint same[16][8], counts[16][8], first[16];
  const uint t = get_local_id(0), key = x[get_global_id(0)], digit = key >> shift & 15, warp = t / 32, lane = t % 32;
  if (t < 128) same[t / 8][t % 8] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_or(&same[digit][warp], 1u << lane);
  barrier(CLK_LOCAL_MEM_FENCE);
  const uint before = popcount(same[digit][warp] & ((1u << lane) - 1));
  if (t < 128) counts[t / 8][t % 8] = popcount(same[t / 8][t % 8]);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint sum = 0;
  if (t < 16) {
    for (int w = 0; w < 8; ++w) {
      const uint now = counts[t][w];
      counts[t][w] = sum;
      sum += now;
    }
    first[t] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = 1; step < 16; step *= 2) {
    uint up = 0;
    if (t < 16) up = first[t] + (t >= step ? first[t - step] : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 16) first[t] = up;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t < 16) first[t] -= sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  y[get_group_id(0) * 256 + first[digit] + counts[digit][warp] + before] = key;
}

// expands a byte code, `in_bytes` a work-item: 0 to 127 copies a byte so often, 128 and up repeats what stood so far
// behind
kernel void byte_code(int in_bytes, int out_bytes, global const uchar* in, global uchar* out) {
  global const uchar* const from = in + get_global_id(0) * in_bytes;
  global uchar* const to = out + get_global_id(0) * out_bytes;
  int at = 0;
  for (int k = 0; k + 1 < in_bytes; k += 2) {
    const int code = from[k], value = from[k + 1];
    if (code < 128) {
      for (int n = code % 8 + 1; n > 0 && at < out_bytes; --n) to[at++] = value;
    } else {
      const int behind = code % 32 + 1;
      for (int n = value % 8 + 1; n > 0 && at < out_bytes; --n, ++at) to[at] = at >= behind ? to[at - behind] : 0;
    }
  }
}

// 64 rounds of a 64-bit hash (the finaliser of splitmix64)
kernel void hash64(int n, global const ulong* x, global ulong* y) {
  const int i = get_global_id(0);
  if (i >= n) return;
  ulong z = x[i];
  for (int k = 0; k < 64; ++k) {
    z += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    z ^= z >> 31;
  }
  y[i] = z;
}

// the lowest nine bits of t in the opposite order
uint reversed(uint t) {
  uint byte = (t & 0x55) << 1 | (t >> 1 & 0x55);
  byte = (byte & 0x33) << 2 | (byte >> 2 & 0x33);
  byte = (byte & 0x0f) << 4 | (byte >> 4 & 0x0f);
  return byte << 1 | t >> 8;
}

// complex transforms of 512 doubles in place, 256 work-items each, divided by the root of 512; `roots` has the 256 powers
// of the root of unity
kernel void fft512(global const double2* roots, global double2* x) {
  local double2 s[512];
  const int base = get_group_id(0) * 512, t = get_local_id(0);
  s[reversed(t)] = x[base + t];
  s[reversed(t + 256)] = x[base + t + 256];
  for (int half_of = 1; half_of < 512; half_of *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    const int k = t & (half_of - 1), low = 2 * t - k, high = low + half_of;
    const double2 w = roots[k * (256 / half_of)], a = s[low], b = s[high];
    const double re = w.x * b.x - w.y * b.y, im = w.x * b.y + w.y * b.x;
    s[low] = (double2)(a.x + re, a.y + im);
    s[high] = (double2)(a.x - re, a.y - im);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const double scale = 0.044194173824159223;
  x[base + t] = s[t] * scale;
  x[base + t + 256] = s[t + 256] * scale;
}
