// Load balancing: lanes bring different amounts of work; the warp puts it all in one row and deals it out evenly. An
// exclusive prefix sum says where each lane's work begins in the row, and a binary search, a __shfl_sync a probe, whose
// work a task is. Beside programs/coord/load_balance.warp.
//
// Task k of thread t is done by storing 100 * (t + 1) + k. A lane without a task in the last round searches for
// nothing, so that all lanes shuffle.

namespace load_balance {
namespace {

__device__ unsigned exclusive_sum(unsigned living, unsigned lane, unsigned own) {
  unsigned sum = own;
  for (unsigned distance = 1; distance < warpSize; distance *= 2) {
    const unsigned left = __shfl_up_sync(living, sum, distance);
    if (lane >= distance) sum += left;
  }
  return sum - own;
}

// The last lane whose `begin` is not above `task`: the begins never fall from lane to lane.
__device__ unsigned find_owner(unsigned living, unsigned last_lane, unsigned begin, unsigned task) {
  unsigned owner = 0;
  for (unsigned step = warpSize / 2; step > 0; step /= 2) {
    const unsigned probe = min(owner + step, last_lane);
    if (__shfl_sync(living, begin, probe) <= task) owner = probe;
  }
  return owner;
}

}  // namespace
}  // namespace load_balance

extern "C" __global__ void coord_load_balance(const unsigned* work, unsigned* result, unsigned* rounds, unsigned* alone,
                                              unsigned size, unsigned room) {
  using namespace load_balance;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;
  const unsigned count = __popc(living);  // the lanes that stay are the lowest ones
  const unsigned warp_start = i - lane;

  const unsigned mine = work[i];
  const unsigned begin = exclusive_sum(living, lane, mine);
  const unsigned all_work = __shfl_sync(living, begin + mine, count - 1);
  const unsigned total = min(all_work, count * room);  // a warp has `room` places for each of its threads

  unsigned round = 0;
  for (unsigned dealt = 0; dealt < total; dealt += count) {
    const unsigned task = dealt + lane;
    const unsigned owner = find_owner(living, count - 1, begin, task);
    const unsigned item = task - __shfl_sync(living, begin, owner);
    if (task < total) result[warp_start * room + task] = (warp_start + owner + 1) * 100 + item;
    ++round;
  }
  rounds[i] = round;
  alone[i] = __reduce_max_sync(living, mine);  // without balancing, the longest lane decides
}
