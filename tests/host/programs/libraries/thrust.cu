// Thrust's algorithms on random data against the standard library.
// finds: nothing
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/unique.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <vector>

#include "data.h"

namespace {

template <typename T>
std::vector<T> back(const thrust::device_vector<T>& values) {
  std::vector<T> host(values.size());
  thrust::copy(values.begin(), values.end(), host.begin());
  return host;
}

void sort() {
  std::vector<unsigned> keys = random_values<unsigned>(elements, 1);
  thrust::device_vector<unsigned> on_device = keys;
  thrust::sort(on_device.begin(), on_device.end());
  std::sort(keys.begin(), keys.end());
  expect("sort", back(on_device), keys);
}

// Records, which no radix sort takes.
struct Item {
  int key, place;
  bool operator==(const Item& other) const { return key == other.key && place == other.place; }
};
struct ByKey {
  __host__ __device__ bool operator()(const Item& a, const Item& b) const { return a.key < b.key; }
};

void stable_sort() {
  const std::vector<int> keys = random_values<int>(elements, 2, 50);
  std::vector<Item> items(keys.size());
  for (int k = 0; k < elements; ++k) items[k] = {keys[k], k};
  thrust::device_vector<Item> on_device = items;
  thrust::stable_sort(on_device.begin(), on_device.end(), ByKey{});
  std::stable_sort(items.begin(), items.end(), ByKey{});
  expect("stable_sort", back(on_device), items);
}

void sort_by_key() {
  const std::vector<unsigned> keys = random_values<unsigned>(elements, 3);
  std::vector<int> order(keys.size());
  std::iota(order.begin(), order.end(), 0);
  thrust::device_vector<unsigned> key = keys;
  thrust::device_vector<int> value = order;
  thrust::sort_by_key(key.begin(), key.end(), value.begin());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  expect("sort_by_key", back(value), order);
}

struct Square {
  __host__ __device__ long long operator()(int value) const { return static_cast<long long>(value) * value; }
};

void reduce() {
  const std::vector<int> values = random_values<int>(elements, 4, 100000);
  const thrust::device_vector<int> on_device = values;
  expect("reduce", thrust::reduce(on_device.begin(), on_device.end(), 7, thrust::plus<int>{}),
         std::accumulate(values.begin(), values.end(), 7, [](unsigned a, unsigned b) { return a + b; }));
  long long squares = 0;
  for (int value : values) squares += Square{}(value);
  expect("transform_reduce",
         thrust::transform_reduce(on_device.begin(), on_device.end(), Square{}, 0LL, thrust::plus<long long>{}),
         squares);
  const auto found = thrust::minmax_element(on_device.begin(), on_device.end());
  const auto least = std::min_element(values.begin(), values.end());
  const auto most = std::max_element(values.begin(), values.end());
  expect("minmax_element's least", static_cast<long>(found.first - on_device.begin()), least - values.begin());
  expect("minmax_element's most", static_cast<long>(found.second - on_device.begin()), most - values.begin());
}

void scan() {
  const std::vector<int> values = random_values<int>(elements, 5, 1000);
  const thrust::device_vector<int> in = values;
  thrust::device_vector<int> out(values.size());
  std::vector<int> expected(values.size());
  thrust::inclusive_scan(in.begin(), in.end(), out.begin());
  std::inclusive_scan(values.begin(), values.end(), expected.begin());
  expect("inclusive_scan", back(out), expected);
  thrust::exclusive_scan(in.begin(), in.end(), out.begin(), 3, thrust::maximum<int>{});
  std::exclusive_scan(values.begin(), values.end(), expected.begin(), 3, [](int a, int b) { return std::max(a, b); });
  expect("exclusive_scan", back(out), expected);
}

struct IsOdd {
  __host__ __device__ bool operator()(int value) const { return value % 2 != 0; }
};

void select() {
  const std::vector<int> values = random_values<int>(elements, 6, 10);
  const thrust::device_vector<int> in = values;
  thrust::device_vector<int> out(values.size());
  out.resize(thrust::copy_if(in.begin(), in.end(), out.begin(), IsOdd{}) - out.begin());
  std::vector<int> expected;
  std::copy_if(values.begin(), values.end(), std::back_inserter(expected), IsOdd{});
  expect("copy_if", back(out), expected);
  out.resize(values.size());
  out.resize(thrust::unique_copy(in.begin(), in.end(), out.begin()) - out.begin());
  expected.clear();
  std::unique_copy(values.begin(), values.end(), std::back_inserter(expected));
  expect("unique_copy", back(out), expected);
}

// Relaxed accesses alone stand between a block that writes and one that has read there, and the write depends on what
// was read: sim/ordering/dependences.h.
void unique_in_place() {
  std::vector<int> values = random_values<int>(elements, 9, 10);
  thrust::device_vector<int> on_device = values;
  on_device.resize(thrust::unique(on_device.begin(), on_device.end()) - on_device.begin());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  expect("unique", back(on_device), values);
}

// They compare keys behind the end of a tile, which nobody wrote, before they look whether they are: WS0101.
void sets() {
  std::vector<int> a = random_values<int>(elements, 7, elements), b = random_values<int>(elements / 2, 8, elements);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const thrust::device_vector<int> left = a, right = b;
  thrust::device_vector<int> out(a.size() + b.size());
  std::vector<int> expected;
  const auto ends = [&](auto end) { return out.resize(end - out.begin()); };
  ends(thrust::set_intersection(left.begin(), left.end(), right.begin(), right.end(), out.begin()));
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  expect("set_intersection", back(out), expected);
  out.resize(a.size() + b.size());
  ends(thrust::set_difference(left.begin(), left.end(), right.begin(), right.end(), out.begin()));
  expected.clear();
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(expected));
  expect("set_difference", back(out), expected);
}

}  // namespace

int main(int argc, char** argv) {
  static const Test tests[] = {
      {"sort", sort},
      {"stable_sort", stable_sort},
      {"sort_by_key", sort_by_key},
      {"reduce", reduce},
      {"scan", scan},
      {"select", select},
      {"unique_in_place", unique_in_place},
      {"sets", sets, false},  // right, but not clean: docs/exec.md
  };
  return run_tests(tests, argc, argv);
}
