// CUB's algorithms of the device, of a block and of a warp, on random data against the standard library.
// finds: nothing
#include "data.h"

#include <algorithm>
#include <cub/cub.cuh>
#include <functional>
#include <numeric>

namespace {

// Calls CUB twice: for the size of its temporary storage, and with it.
template <typename Algorithm>
void with_storage(Algorithm algorithm) {
  size_t bytes = 0;
  algorithm(static_cast<void*>(nullptr), bytes);
  OnDevice<char> storage(bytes);
  algorithm(static_cast<void*>(storage.get()), bytes);
}

template <typename Key>
void radix_sort_keys(const char* name) {
  std::vector<Key> keys = random_values<Key>(elements, 1);
  OnDevice<Key> in(keys), out(keys.size());
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceRadixSort::SortKeys(storage, bytes, in.get(), out.get(), elements);
  });
  std::sort(keys.begin(), keys.end());
  expect(name, out.host(), keys);
}

template <typename Key>
void radix_sort_pairs(const char* name) {
  const std::vector<Key> keys = random_values<Key>(elements, 2, 1000);
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  OnDevice<Key> in(keys), out(keys.size());
  OnDevice<int> values(order), sorted(keys.size());
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceRadixSort::SortPairsDescending(storage, bytes, in.get(), out.get(), values.get(), sorted.get(),
                                              elements);
  });
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] > keys[b]; });
  expect(name, sorted.host(), order);
}

void sort_u32() { radix_sort_keys<unsigned>("SortKeys of 32 bits"); }
void sort_s64() { radix_sort_keys<long long>("SortKeys of 64 bits"); }
void sort_f32() { radix_sort_keys<float>("SortKeys of floats"); }
void sort_pairs_u32() { radix_sort_pairs<unsigned>("SortPairsDescending of 32 bits"); }

void merge_sort() {
  std::vector<int> keys = random_values<int>(elements, 3);
  OnDevice<int> on_device(keys);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceMergeSort::SortKeys(storage, bytes, on_device.get(), elements, cuda::std::greater<int>{});
  });
  std::sort(keys.begin(), keys.end(), std::greater<int>{});
  expect("MergeSort", on_device.host(), keys);
}

template <typename T>
void scans(const char* name) {
  const std::vector<T> values = random_values<T>(elements, 4, 1000);
  OnDevice<T> in(values), out(values.size());
  std::vector<T> expected(values.size());
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceScan::InclusiveSum(storage, bytes, in.get(), out.get(), elements);
  });
  std::inclusive_scan(values.begin(), values.end(), expected.begin());
  expect(name, out.host(), expected);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceScan::ExclusiveSum(storage, bytes, in.get(), out.get(), elements);
  });
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), T{});
  expect(name, out.host(), expected);
}

void scan_s32() { scans<int>("scans of 32 bits"); }
void scan_s64() { scans<long long>("scans of 64 bits"); }

void scan_by_key() {
  std::vector<int> keys = random_values<int>(elements, 5, 100);
  std::sort(keys.begin(), keys.end());
  const std::vector<int> values = random_values<int>(elements, 6, 1000);
  OnDevice<int> key(keys), in(values), out(values.size());
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceScan::InclusiveSumByKey(storage, bytes, key.get(), in.get(), out.get(), elements);
  });
  std::vector<int> expected = values;
  for (size_t k = 1; k < keys.size(); ++k)
    if (keys[k] == keys[k - 1]) expected[k] += expected[k - 1];
  expect("InclusiveSumByKey", out.host(), expected);
}

template <typename T>
void reductions(const char* name) {
  const std::vector<T> values = random_values<T>(elements, 7, 1000000);
  OnDevice<T> in(values), out(1);
  with_storage(
      [&](void* storage, size_t& bytes) { cub::DeviceReduce::Sum(storage, bytes, in.get(), out.get(), elements); });
  expect(name, out.host()[0], std::accumulate(values.begin(), values.end(), T{}));
  with_storage(
      [&](void* storage, size_t& bytes) { cub::DeviceReduce::Min(storage, bytes, in.get(), out.get(), elements); });
  expect(name, out.host()[0], *std::min_element(values.begin(), values.end()));
}

void reduce_s64() { reductions<long long>("reductions of 64 bits"); }
void reduce_f32() { reductions<float>("reductions of floats"); }

void arg_max() {
  const std::vector<int> values = random_values<int>(elements, 8, 5000);
  OnDevice<int> in(values), largest(1);
  OnDevice<long long> index(1);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceReduce::ArgMax(storage, bytes, in.get(), largest.get(), index.get(), elements);
  });
  const auto at = std::max_element(values.begin(), values.end());
  expect("ArgMax's value", largest.host()[0], *at);
  expect("ArgMax's index", index.host()[0], static_cast<long long>(at - values.begin()));
}

void reduce_by_key() {
  std::vector<int> keys = random_values<int>(elements, 9, 500);
  std::sort(keys.begin(), keys.end());
  const std::vector<int> values = random_values<int>(elements, 10, 1000);
  OnDevice<int> key(keys), in(values), unique(keys.size()), sums(keys.size()), count(1);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceReduce::ReduceByKey(storage, bytes, key.get(), unique.get(), in.get(), sums.get(), count.get(),
                                   cuda::std::plus<int>{}, elements);
  });
  std::vector<int> expected_keys, expected_sums;
  for (size_t k = 0; k < keys.size(); ++k) {
    if (k == 0 || keys[k] != keys[k - 1]) {
      expected_keys.push_back(keys[k]);
      expected_sums.push_back(0);
    }
    expected_sums.back() += values[k];
  }
  const int found = count.host()[0];
  expect("ReduceByKey's keys", unique.host(found), expected_keys);
  expect("ReduceByKey's sums", sums.host(found), expected_sums);
}

void segmented_reduce() {
  const std::vector<int> values = random_values<int>(elements, 11, 1000);
  std::vector<int> offsets = random_values<int>(99, 12, elements);
  offsets.push_back(0);
  offsets.push_back(elements);
  std::sort(offsets.begin(), offsets.end());
  const int segments = static_cast<int>(offsets.size()) - 1;
  OnDevice<int> in(values), offset(offsets), out(segments);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceSegmentedReduce::Sum(storage, bytes, in.get(), out.get(), segments, offset.get(), offset.get() + 1);
  });
  std::vector<int> expected(segments);
  for (int k = 0; k < segments; ++k)
    expected[k] = std::accumulate(values.begin() + offsets[k], values.begin() + offsets[k + 1], 0);
  expect("SegmentedReduce", out.host(), expected);
}

void segmented_sort() {
  std::vector<int> keys = random_values<int>(elements, 13);
  // Short, middle and long segments have kernels of their own.
  std::vector<int> offsets = random_values<int>(199, 14, elements / 2);
  offsets.push_back(0);
  offsets.push_back(elements);
  std::sort(offsets.begin(), offsets.end());
  const int segments = static_cast<int>(offsets.size()) - 1;
  OnDevice<int> in(keys), offset(offsets), out(keys.size());
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceSegmentedSort::SortKeys(storage, bytes, in.get(), out.get(), elements, segments, offset.get(),
                                       offset.get() + 1);
  });
  for (int k = 0; k < segments; ++k) std::sort(keys.begin() + offsets[k], keys.begin() + offsets[k + 1]);
  expect("SegmentedSort", out.host(), keys);
}

struct IsEven {
  __host__ __device__ bool operator()(int value) const { return value % 2 == 0; }
};

void select_if() {
  const std::vector<int> values = random_values<int>(elements, 15);
  OnDevice<int> in(values), out(values.size()), count(1);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceSelect::If(storage, bytes, in.get(), out.get(), count.get(), elements, IsEven{});
  });
  std::vector<int> expected;
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), IsEven{});
  expect("Select::If", out.host(count.host()[0]), expected);
}

void select_flagged() {
  const std::vector<int> values = random_values<int>(elements, 16);
  const std::vector<char> flags = random_values<char>(elements, 17, 2);
  OnDevice<int> in(values), out(values.size()), count(1);
  OnDevice<char> flag(flags);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceSelect::Flagged(storage, bytes, in.get(), flag.get(), out.get(), count.get(), elements);
  });
  std::vector<int> expected;
  for (size_t k = 0; k < values.size(); ++k)
    if (flags[k] != 0) expected.push_back(values[k]);
  expect("Select::Flagged", out.host(count.host()[0]), expected);
}

void select_unique() {
  std::vector<int> values = random_values<int>(elements, 18, 3);
  OnDevice<int> in(values), out(values.size()), count(1);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceSelect::Unique(storage, bytes, in.get(), out.get(), count.get(), elements);
  });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  expect("Select::Unique", out.host(count.host()[0]), values);
}

void partition() {
  std::vector<int> values = random_values<int>(elements, 19);
  OnDevice<int> in(values), out(values.size()), count(1);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DevicePartition::If(storage, bytes, in.get(), out.get(), count.get(), elements, IsEven{});
  });
  const auto middle = std::stable_partition(values.begin(), values.end(), IsEven{});
  std::reverse(middle, values.end());  // CUB writes the others from the end backwards.
  expect("Partition::If's count", count.host()[0], static_cast<int>(middle - values.begin()));
  expect("Partition::If", out.host(), values);
}

void run_lengths() {
  const std::vector<int> values = random_values<int>(elements, 20, 2);
  OnDevice<int> in(values), unique(values.size()), lengths(values.size()), count(1);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceRunLengthEncode::Encode(storage, bytes, in.get(), unique.get(), lengths.get(), count.get(), elements);
  });
  std::vector<int> expected;
  for (size_t k = 0; k < values.size(); ++k) {
    if (k == 0 || values[k] != values[k - 1]) expected.push_back(0);
    ++expected.back();
  }
  expect("RunLengthEncode", lengths.host(count.host()[0]), expected);
}

void histogram_even() {
  const int bins = 64;
  const std::vector<int> samples = random_values<int>(elements, 21, 10 * bins);
  OnDevice<int> in(samples), out(bins);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceHistogram::HistogramEven(storage, bytes, in.get(), out.get(), bins + 1, 0, 10 * bins, elements);
  });
  std::vector<int> expected(bins);
  for (int sample : samples) ++expected[sample / 10];
  expect("HistogramEven", out.host(), expected);
}

void histogram_range() {
  const std::vector<int> levels = {-100, -10, 0, 5, 50, 1000};
  std::vector<int> samples = random_values<int>(elements, 22, 1200);
  for (int& sample : samples) sample -= 200;
  const int bins = static_cast<int>(levels.size()) - 1;
  OnDevice<int> in(samples), level(levels), out(bins);
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceHistogram::HistogramRange(storage, bytes, in.get(), out.get(), bins + 1, level.get(), elements);
  });
  std::vector<int> expected(bins);
  for (int sample : samples) {
    const auto above = std::upper_bound(levels.begin(), levels.end(), sample) - levels.begin();
    if (above > 0 && above <= bins) ++expected[above - 1];
  }
  expect("HistogramRange", out.host(), expected);
}

// Pixels of four channels, of which three are counted.
void histogram_multi() {
  const int pixels = elements / 4;
  const std::vector<unsigned char> samples = random_values<unsigned char>(4 * pixels, 23);
  OnDevice<unsigned char> in(samples);
  OnDevice<int> red(256), green(256), blue(256);
  int* histograms[3] = {red.get(), green.get(), blue.get()};
  int levels[3] = {257, 257, 257}, lower[3] = {0, 0, 0}, upper[3] = {256, 256, 256};
  with_storage([&](void* storage, size_t& bytes) {
    cub::DeviceHistogram::MultiHistogramEven<4, 3>(storage, bytes, in.get(), histograms, levels, lower, upper, pixels);
  });
  std::vector<int> expected[3] = {std::vector<int>(256), std::vector<int>(256), std::vector<int>(256)};
  for (int k = 0; k < 4 * pixels; ++k)
    if (k % 4 < 3) ++expected[k % 4][samples[k]];
  expect("MultiHistogramEven's red", red.host(), expected[0]);
  expect("MultiHistogramEven's green", green.host(), expected[1]);
  expect("MultiHistogramEven's blue", blue.host(), expected[2]);
}

constexpr int kThreads = 128, kEach = 4;

__global__ void sort_tiles(int* keys) {
  using Load = cub::BlockLoad<int, kThreads, kEach, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, kThreads, kEach>;
  using Store = cub::BlockStore<int, kThreads, kEach, cub::BLOCK_STORE_TRANSPOSE>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Store::TempStorage store;
  } storage;
  int mine[kEach];
  int* tile = keys + blockIdx.x * kThreads * kEach;
  Load(storage.load).Load(tile, mine);
  __syncthreads();
  Sort(storage.sort).Sort(mine);
  __syncthreads();
  Store(storage.store).Store(tile, mine);
}

__global__ void scan_tiles(const int* in, int* out, int* of_warps) {
  using Scan = cub::BlockScan<int, kThreads>;
  using WarpScan = cub::WarpScan<int>;
  __shared__ typename Scan::TempStorage storage;
  __shared__ typename WarpScan::TempStorage of_warp[kThreads / 32];
  const int at = blockIdx.x * kThreads + threadIdx.x;
  int sum;
  Scan(storage).ExclusiveSum(in[at], sum);
  out[at] = sum;
  WarpScan(of_warp[threadIdx.x / 32]).InclusiveSum(in[at], sum);
  of_warps[at] = sum;
}

void of_blocks() {
  const int tile = kThreads * kEach, tiles = std::max(1, elements / tile);
  std::vector<int> keys = random_values<int>(static_cast<size_t>(tiles) * tile, 24);
  OnDevice<int> on_device(keys);
  sort_tiles<<<tiles, kThreads>>>(on_device.get());
  for (int k = 0; k < tiles; ++k) std::sort(keys.begin() + k * tile, keys.begin() + (k + 1) * tile);
  expect("BlockRadixSort", on_device.host(), keys);

  const std::vector<int> values = random_values<int>(static_cast<size_t>(tiles) * kThreads, 25, 1000);
  OnDevice<int> in(values), of_blocks(values.size()), of_warps(values.size());
  scan_tiles<<<tiles, kThreads>>>(in.get(), of_blocks.get(), of_warps.get());
  std::vector<int> expected(values.size());
  for (int k = 0; k < tiles; ++k)
    std::exclusive_scan(values.begin() + k * kThreads, values.begin() + (k + 1) * kThreads,
                        expected.begin() + k * kThreads, 0);
  expect("BlockScan", of_blocks.host(), expected);
  for (size_t k = 0; k < values.size(); k += 32)
    std::inclusive_scan(values.begin() + k, values.begin() + k + 32, expected.begin() + k);
  expect("WarpScan", of_warps.host(), expected);
}

}  // namespace

int main(int argc, char** argv) {
  static const Test tests[] = {
      {"sort_u32", sort_u32},
      {"sort_s64", sort_s64},
      {"sort_f32", sort_f32},
      {"sort_pairs_u32", sort_pairs_u32},
      {"merge_sort", merge_sort},
      {"scan_s32", scan_s32},
      {"scan_s64", scan_s64},
      {"scan_by_key", scan_by_key},
      {"reduce_s64", reduce_s64},
      {"reduce_f32", reduce_f32},
      {"arg_max", arg_max},
      {"reduce_by_key", reduce_by_key},
      {"segmented_reduce", segmented_reduce},
      {"segmented_sort", segmented_sort},
      {"select_if", select_if},
      {"select_flagged", select_flagged},
      {"select_unique", select_unique},
      {"partition", partition},
      {"run_lengths", run_lengths},
      {"histogram_even", histogram_even},
      {"histogram_range", histogram_range},
      {"histogram_multi", histogram_multi},
      {"of_blocks", of_blocks},
  };
  return run_tests(tests, argc, argv);
}
