// Leader election: of the lanes that stand for it, the lowest becomes the leader, and every lane learns who it is and
// hears its word. The leader is the first bit of a __ballot_sync, which __ffs finds; one __shfl_sync carries its word.
// Beside programs/coord/leader_election.warp.
//
// Where nobody stands, the leader is 32 and the word 0.

extern "C" __global__ void coord_leader_election(const int* input, unsigned* leader, int* word, unsigned size,
                                                 int threshold) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned lane = threadIdx.x % warpSize;
  const unsigned living = __ballot_sync(0xffffffff, i < size);
  if (i >= size) return;

  const int value = input[i];
  const unsigned standing = __ballot_sync(living, value >= threshold);
  const bool elected = standing != 0;
  const unsigned first = __ffs(standing) - 1;
  const int told = __shfl_sync(living, value, elected ? first : lane);
  leader[i] = elected ? first : warpSize;
  word[i] = elected ? told : 0;
}
