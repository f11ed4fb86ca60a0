// A structure: one lane sends its struct to all, member by member. Stands beside programs/shuffle/struct_members.warp.
//
// A shuffle moves one register, and a structure is several: one shuffle for each member, all from the same lane, which
// has to be one that has not left.

namespace struct_members {
namespace {

struct Pair {
  int x;
  float y;
};

__device__ Pair broadcast(unsigned mask, Pair own, unsigned source) {
  Pair received;
  received.x = __shfl_sync(mask, own.x, source);
  received.y = __shfl_sync(mask, own.y, source);
  return received;
}

}  // namespace
}  // namespace struct_members

extern "C" __global__ void shuffle_struct_members(const int* x, const float* y, int* x_received, float* y_received,
                                                  unsigned size, unsigned src) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned inside = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const struct_members::Pair own = {x[i], y[i]};
  const struct_members::Pair received = struct_members::broadcast(inside, own, src);
  x_received[i] = received.x;
  y_received[i] = received.y;
}
