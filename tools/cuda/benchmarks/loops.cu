// loops: what an H200 takes for one instruction in loops of several lengths, with many warps, and for reductions at a
// barrier.
//
//   loops > h200_loops.txt      the capture that tests/data holds
//
// Build: nvcc -arch=sm_90 -O3 tools/cuda/benchmarks/loops.cu -o loops
//
// Shapes: one block. `loop.OP.body<N>.warps<W> cycles`: a loop of N instructions OP, four chains side by side, behind a
//         barrier; from the first warp's begin to the last one's end, for each OP of all warps.
//         `bar.red.popc.warps<W> cycles`: a chain of setp and bar.red.popc, the mean of the warps.
// Units:  cycles of the SM, medians of 7 launches, the second pass of each.
// Errors: the last line is the driver's last error, or `no error`.
// Source: PTX ISA 9.0; clock reads around the region.
#include <algorithm>
#include <cstdio>
#include <vector>

namespace {

constexpr int kChains = 4, kInstructions = 8192, kBarriers = 128, kLaunches = 7, kMaxWarps = 32;
unsigned *clocks, *sink;

template <bool kAdds, int kBody>
__global__ void loop(unsigned* clocks, float g, float h, unsigned* sink) {
  float f[kChains];
  for (int i = 0; i < kChains; ++i) f[i] = g + i + threadIdx.x;
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    const unsigned begin = clock();
#pragma unroll 1
    for (int round = 0; round < kInstructions / kBody; ++round) {
#pragma unroll
      for (int k = 0; k < kBody; ++k) {
        if (kAdds) asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(f[k % kChains]) : "f"(g));
        else asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(f[k % kChains]) : "f"(g), "f"(h));
      }
    }
    const unsigned end = clock();
    if (threadIdx.x % 32 == 0) clocks[threadIdx.x / 16] = begin, clocks[threadIdx.x / 16 + 1] = end;
  }
  sink[threadIdx.x] = f[0] + f[1] + f[2] + f[3];
}

__global__ void reductions(unsigned* clocks, unsigned value, unsigned* sink) {
  for (int pass = 0; pass < 2; ++pass) {
    __syncthreads();
    const unsigned begin = clock();
#pragma unroll
    for (int k = 0; k < kBarriers; ++k)
      asm volatile("{.reg .pred p; setp.ne.u32 p, %0, 0; bar.red.popc.u32 %0, 0, p;}" : "+r"(value));
    const unsigned end = clock();
    if (threadIdx.x % 32 == 0) clocks[threadIdx.x / 16] = begin, clocks[threadIdx.x / 16 + 1] = end;
  }
  sink[threadIdx.x] = value;
}

// From the first begin to the last end, or the mean of all.
template <typename Launch>
double median(int warps, bool is_mean, Launch launch) {
  std::vector<double> all;
  for (int k = 0; k < kLaunches; ++k) {
    launch();
    unsigned host[2 * kMaxWarps];
    cudaMemcpy(host, clocks, sizeof host, cudaMemcpyDeviceToHost);
    unsigned first = ~0U, last = 0;
    double sum = 0;
    for (int w = 0; w < warps; ++w) {
      first = std::min(first, host[2 * w]);
      last = std::max(last, host[2 * w + 1]);
      sum += host[2 * w + 1] - host[2 * w];
    }
    all.push_back(is_mean ? sum / warps : last - first);
  }
  std::sort(all.begin(), all.end());
  return all[kLaunches / 2];
}

template <bool kAdds, int kBody>
void measure() {
  for (int warps : {4, 8, 12, 16, 20, 24, 28, 32})
    std::printf("loop.%s.body%d.warps%d %.3f\n", kAdds ? "add.f32" : "fma.f32", kBody, warps,
                median(warps, false, [&] { loop<kAdds, kBody><<<1, 32 * warps>>>(clocks, 1.5F, 0.25F, sink); }) /
                    kInstructions);
}

}  // namespace

int main() {
  cudaMalloc(&clocks, 2 * kMaxWarps * sizeof(unsigned));
  cudaMalloc(&sink, 32 * kMaxWarps * sizeof(unsigned));
  std::printf("# NVIDIA H200, nvcc 13.0 -O3\n");
  measure<true, 16>(), measure<true, 64>(), measure<true, 256>(), measure<true, 1024>();
  measure<false, 16>(), measure<false, 64>(), measure<false, 256>(), measure<false, 1024>();
  for (int warps : {1, 2, 3, 4, 5, 6, 8, 12, 16, 20, 24, 28, 32})
    std::printf("bar.red.popc.warps%d %.3f\n", warps,
                median(warps, true, [&] { reductions<<<1, 32 * warps>>>(clocks, 1, sink); }) / kBarriers);
  std::printf("# %s\n", cudaGetErrorString(cudaGetLastError()));
}
