// Functions of the host in a stream, between kernels.
// finds: nothing
#include <cuda_runtime.h>

#include <cstdio>

struct State {
  int value = 0;
  int* seen = nullptr;  // pinned
};

__global__ void set(int* x, int value) { *x = value; }
__global__ void add(int* x, int value) { *x += value; }

static void look(void* argument) {
  State* const state = static_cast<State*>(argument);
  state->value = state->value * 10 + *state->seen;
}

int main() {
  State state;
  cudaMallocHost(&state.seen, sizeof(int));
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  set<<<1, 1, 0, stream>>>(state.seen, 1);
  cudaLaunchHostFunc(stream, look, &state);
  add<<<1, 1, 0, stream>>>(state.seen, 2);
  cudaLaunchHostFunc(stream, look, &state);
  cudaStreamAddCallback(
      stream, [](cudaStream_t, cudaError_t, void* argument) { look(argument); }, &state, 0);
  cudaStreamSynchronize(stream);
  std::printf("%s %d\n", state.value == 133 ? "ok" : "wrong", state.value);
  cudaStreamDestroy(stream);
  cudaFreeHost(state.seen);
  return 0;
}
