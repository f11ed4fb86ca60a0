// What the programs of this folder share: random data, device memory, and the comparison with what the standard library
// computed.
//
// Shapes: `PROGRAM [ELEMENTS [NAME...]]`: how many elements (3,000 if left out), and which tests alone,
//         or all that are clean.
#pragma once

#include <cuda_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

inline int elements = 3000, failures = 0;

// Values of every bit pattern; floats are whole numbers, so that their sums are exact in every order.
template <typename T>
std::vector<T> random_values(size_t n, unsigned seed, long long below = 0) {
  std::mt19937_64 generate(seed);
  std::vector<T> values(n);
  for (T& value : values) {
    const unsigned long long bits = generate();
    if constexpr (std::is_floating_point_v<T>) value = static_cast<T>(static_cast<long long>(bits % 2001) - 1000);
    else value = static_cast<T>(below == 0 ? bits : bits % static_cast<unsigned long long>(below));
  }
  return values;
}

template <typename T>
class OnDevice {
 public:
  explicit OnDevice(size_t n) : size_(n) { cudaMalloc(&data_, n * sizeof(T)); }
  explicit OnDevice(const std::vector<T>& host) : OnDevice(host.size()) {
    cudaMemcpy(data_, host.data(), size_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(data_); }
  T* get() { return data_; }
  std::vector<T> host(size_t n) const {
    std::vector<T> values(n);
    cudaMemcpy(values.data(), data_, n * sizeof(T), cudaMemcpyDeviceToHost);
    return values;
  }
  std::vector<T> host() const { return host(size_); }

 private:
  T* data_ = nullptr;
  size_t size_;
};

template <typename T>
void expect(const char* name, const std::vector<T>& found, const std::vector<T>& expected) {
  size_t k = 0;
  while (k < expected.size() && k < found.size() && found[k] == expected[k]) ++k;
  if (k == expected.size() && k == found.size()) return;
  ++failures;
  std::printf("wrong %s: element %zu of %zu, expected %zu elements\n", name, k, found.size(), expected.size());
}

template <typename T>
void expect(const char* name, T found, T expected) {
  expect(name, std::vector<T>{found}, std::vector<T>{expected});
}

struct Test {
  const char* name;
  void (*run)();
  bool is_clean = true;  // false: right, but with findings; it runs where it is named
};

template <size_t N>
int run_tests(const Test (&tests)[N], int argc, char** argv) {
  if (argc > 1) elements = std::atoi(argv[1]);
  for (const Test& test : tests) {
    bool chosen = argc <= 2 && test.is_clean;
    for (int k = 2; k < argc; ++k) chosen = chosen || std::strcmp(argv[k], test.name) == 0;
    if (!chosen) continue;
    const int before = failures;
    const auto began = std::chrono::steady_clock::now();
    test.run();
    if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
      ++failures;
      std::printf("wrong %s: %s\n", test.name, cudaGetErrorString(error));
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::fprintf(stdout, "%s %s, %.2f s\n", failures == before ? "ok" : "failed", test.name, took.count());
    std::fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}
