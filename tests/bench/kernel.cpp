// See kernel.h.
#include "tests/bench/kernel.h"

#include <cmath>
#include <cstring>

#include "tests/bench/ceiling.h"
#include "tests/bench/native.h"

namespace warpsim::bench {
namespace {

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::uint32_t drawn(std::uint32_t& state) { return (state = state * 1664525 + 1013904223) >> 8; }

Bytes floats(std::size_t count, std::uint32_t state = 1) {
  std::vector<float> values(count);
  for (float& v : values) v = static_cast<float>(drawn(state)) / 16777216.0F;
  return bytes_of(values);
}
Bytes doubles(std::size_t count) {
  std::uint32_t state = 1;
  std::vector<double> values(count);
  for (double& v : values) v = drawn(state) / 16777216.0;
  return bytes_of(values);
}
Bytes words(std::size_t count, std::uint32_t below = 1U << 24) {
  std::uint32_t state = 1;
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t& v : values) v = drawn(state) % below;
  return bytes_of(values);
}
Bytes zeros(std::size_t bytes) { return Bytes(bytes); }

// Rows of 8 to 23 elements in random columns.
Kernel sparse(std::uint32_t rows) {
  std::uint32_t state = 3;
  std::vector<std::uint32_t> begin{0}, column;
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t left = 8 + drawn(state) % 16; left > 0; --left) column.push_back(drawn(state) % rows);
    begin.push_back(static_cast<std::uint32_t>(column.size()));
  }
  const std::size_t count = column.size();
  return {"spmv",
          {rows / 128, 1, 1},
          {128, 1, 1},
          {rows, bytes_of(begin), bytes_of(column), floats(count), floats(rows, 2), zeros(rows * 4)},
          Results::Floats};
}

Bytes roots_of_unity() {
  std::vector<double> roots;
  for (int k = 0; k < 256; ++k) {
    roots.push_back(std::cos(k * std::acos(-1.0) / 256));
    roots.push_back(-std::sin(k * std::acos(-1.0) / 256));
  }
  return bytes_of(roots);
}

template <class T>
T* as(Bytes& bytes) {
  return reinterpret_cast<T*>(bytes.data());
}

}  // namespace

std::vector<Kernel> kernels() {
  constexpr std::uint32_t kMillion = 1U << 20, kRounds = 20'000;
  std::vector<Kernel> all = {
      {"iter@1", {1, 1, 1}, {32, 1, 1}, {kRounds, words(32), zeros(128)}},
      {"iter@8", {1, 1, 1}, {256, 1, 1}, {kRounds, words(256), zeros(1024)}},
      {"saxpy",
       {4 * kMillion / 256, 1, 1},
       {256, 1, 1},
       {4 * kMillion, 2.0F, floats(4 * kMillion), floats(4 * kMillion, 2)},
       Results::Floats},
      {"matmul", {8, 16, 1}, {32, 16, 1}, {256U, floats(65536), floats(65536, 2), zeros(262144)}, Results::Floats},
      {"matmul_tiled", {8, 8, 1}, {32, 8, 1}, {256U, floats(65536), floats(65536, 2), zeros(262144)}, Results::Floats},
      {"reduce_shuffle", {64, 1, 1}, {256, 1, 1}, {4 * kMillion, words(4 * kMillion), zeros(4)}},
      {"reduce_shared", {64, 1, 1}, {256, 1, 1}, {4 * kMillion, words(4 * kMillion), zeros(4)}},
      {"block_scan", {1024, 1, 1}, {256, 1, 1}, {words(262144, 100), zeros(kMillion)}},
      {"histogram", {64, 1, 1}, {256, 1, 1}, {kMillion, words(kMillion / 4), zeros(1024)}},
      {"bitonic", {64, 1, 1}, {512, 1, 1}, {words(65536)}},
      {"softmax", {256, 1, 1}, {128, 1, 1}, {1024U, floats(262144), zeros(kMillion)}, Results::Floats},
      {"transpose", {32, 32, 1}, {32, 8, 1}, {1024U, floats(kMillion), zeros(4 * kMillion)}},
      {"mandelbrot", {8, 256, 1}, {64, 1, 1}, {512U, zeros(512 * 256 * 4)}, Results::Counts},
      sparse(32768),
      {"nbody", {8, 1, 1}, {256, 1, 1}, {2048U, floats(8192), zeros(32768)}, Results::Floats},
      {"radix_pass", {512, 1, 1}, {256, 1, 1}, {4U, words(131072), zeros(524288)}},
      {"byte_code", {32, 1, 1}, {128, 1, 1}, {128U, 256U, words(131072), zeros(kMillion)}},
      {"hash64", {256, 1, 1}, {256, 1, 1}, {65536U, words(131072), zeros(524288)}},
      {"fft512", {128, 1, 1}, {256, 1, 1}, {roots_of_unity(), doubles(131072)}, Results::Doubles},
  };
  const auto of = [&](std::string_view name, const std::function<void(std::vector<Bytes>&)>& native) {
    for (Kernel& one : all)
      if (one.name == name) one.native = native;
  };
  for (const char* const name : {"matmul", "matmul_tiled"})
    of(name, [](auto& b) { native::matmul(256, as<float>(b[0]), as<float>(b[1]), as<float>(b[2])); });
  for (const char* const name : {"iter@1", "iter@8"})
    of(name,
       [](auto& b) { ceiling(as<std::uint32_t>(b[0]), as<std::uint32_t>(b[1]), b[0].size() / 128, kRounds, true); });
  of("saxpy", [](auto& b) { native::saxpy(4 * kMillion, 2, as<float>(b[0]), as<float>(b[1])); });
  of("softmax", [](auto& b) { native::softmax(256, 1024, as<float>(b[0]), as<float>(b[1])); });
  of("mandelbrot", [](auto& b) { native::mandelbrot(512, 256, as<int>(b[0])); });
  of("nbody", [](auto& b) { native::nbody(2048, as<float>(b[0]), as<float>(b[1])); });
  of("hash64", [](auto& b) { native::hash64(65536, as<std::uint64_t>(b[0]), as<std::uint64_t>(b[1])); });
  return all;
}

}  // namespace warpsim::bench
