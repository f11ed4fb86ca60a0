// See kernels.h.
#include "tests/bench/kernels.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "host/device/device.h"
#include "tests/bench/native.h"

namespace warpsim::bench {
namespace {

using Bytes = std::vector<std::byte>;

// A parameter: a buffer with its first contents, or a number.
using Parameter = std::variant<Bytes, std::uint32_t, float>;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::uint32_t drawn(std::uint32_t& state) { return (state = state * 1664525 + 1013904223) >> 8; }

Bytes floats(std::size_t count) {
  std::uint32_t state = 1;
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

struct Kernel {
  std::string name;
  Dim3 grid, block;
  std::vector<Parameter> parameters;
  std::function<void()> native = nullptr;
};

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
          {rows, bytes_of(begin), bytes_of(column), floats(count), floats(rows), zeros(rows * 4)}};
}

Bytes roots_of_unity() {
  std::vector<double> roots;
  for (int k = 0; k < 256; ++k) {
    roots.push_back(std::cos(k * std::acos(-1.0) / 256));
    roots.push_back(-std::sin(k * std::acos(-1.0) / 256));
  }
  return bytes_of(roots);
}

float* floats_in(Bytes& bytes) { return reinterpret_cast<float*>(bytes.data()); }

std::vector<Kernel> kernels() {
  constexpr std::uint32_t kMillion = 1U << 20;
  std::vector<Kernel> all = {
      {"saxpy", {kMillion / 256, 1, 1}, {256, 1, 1}, {kMillion, 2.0F, floats(kMillion), floats(kMillion)}},
      {"matmul", {8, 16, 1}, {32, 16, 1}, {256U, floats(65536), floats(65536), zeros(262144)}},
      {"matmul_tiled", {8, 8, 1}, {32, 8, 1}, {256U, floats(65536), floats(65536), zeros(262144)}},
      {"reduce_shuffle", {64, 1, 1}, {256, 1, 1}, {kMillion, words(kMillion), zeros(4)}},
      {"reduce_shared", {64, 1, 1}, {256, 1, 1}, {kMillion, words(kMillion), zeros(4)}},
      {"block_scan", {1024, 1, 1}, {256, 1, 1}, {words(262144, 100), zeros(kMillion)}},
      {"histogram", {64, 1, 1}, {256, 1, 1}, {kMillion, words(kMillion / 4), zeros(1024)}},
      {"bitonic", {64, 1, 1}, {512, 1, 1}, {words(65536)}},
      {"softmax", {256, 1, 1}, {128, 1, 1}, {1024U, floats(262144), zeros(kMillion)}},
      {"transpose", {32, 32, 1}, {32, 8, 1}, {1024U, floats(kMillion), zeros(4 * kMillion)}},
      {"mandelbrot", {8, 256, 1}, {64, 1, 1}, {512U, zeros(512 * 256 * 4)}},
      sparse(32768),
      {"nbody", {8, 1, 1}, {256, 1, 1}, {2048U, floats(8192), zeros(32768)}},
      {"radix_pass", {512, 1, 1}, {256, 1, 1}, {4U, words(131072), zeros(524288)}},
      {"byte_code", {32, 1, 1}, {128, 1, 1}, {128U, 256U, words(131072), zeros(kMillion)}},
      {"hash64", {256, 1, 1}, {256, 1, 1}, {65536U, words(131072), zeros(524288)}},
      {"fft512", {128, 1, 1}, {256, 1, 1}, {roots_of_unity(), doubles(131072)}},
  };
  static Bytes x = floats(kMillion), y = floats(kMillion), z = zeros(4 * kMillion);
  const auto of = [&](const char* name, std::function<void()> native) {
    for (Kernel& one : all)
      if (one.name == name) one.native = native;
  };
  of("saxpy", [] { native::saxpy(kMillion, 2, floats_in(x), floats_in(y)); });
  of("matmul", [] { native::matmul(256, floats_in(x), floats_in(y), floats_in(z)); });
  of("matmul_tiled", [] { native::matmul(256, floats_in(x), floats_in(y), floats_in(z)); });
  of("softmax", [] { native::softmax(256, 1024, floats_in(x), floats_in(z)); });
  of("mandelbrot", [] { native::mandelbrot(512, 256, reinterpret_cast<int*>(z.data())); });
  of("nbody", [] { native::nbody(2048, floats_in(x), floats_in(z)); });
  of("hash64", [] {
    native::hash64(65536, reinterpret_cast<std::uint64_t*>(x.data()), reinterpret_cast<std::uint64_t*>(z.data()));
  });
  return all;
}

std::string ptx_text() {
  std::ifstream in(WARPSIM_SOURCE_DIR "/tests/bench/kernels/kernels.ptx");
  return {std::istreambuf_iterator<char>(in), {}};
}

// A kernel on a device of its own, with its buffers.
class Prepared {
 public:
  Prepared(const Kernel& of, EngineChoice engine, bool checks) : of_(of) {
    device_.set_engine(engine);
    device_.set_checks(checks);
    auto loaded = device_.load({{"kernels.ptx", ptx_text()}});
    if (auto* const module = std::get_if<host::KernelModule*>(&loaded)) kernel_ = (*module)->find_kernel(of.name);
    for (const Parameter& one : of.parameters) {
      std::uint64_t& value = values_.emplace_back();
      if (const Bytes* const bytes = std::get_if<Bytes>(&one)) {
        value = device_.memory().allocate(bytes->size(), of.name).value_or(0);
        std::memcpy(device_.memory().find(value, bytes->size())->bytes, bytes->data(), bytes->size());
      } else if (const std::uint32_t* const word = std::get_if<std::uint32_t>(&one)) value = *word;
      else std::memcpy(&value, &std::get<float>(one), sizeof(float));
    }
    for (const std::uint64_t& value : values_) pointers_.push_back(&value);
  }
  // "" or what went wrong.
  std::string run() {
    if (kernel_ == nullptr) return "there is no kernel " + of_.name;
    const auto failure = device_.launch(*kernel_, {of_.grid, of_.block}, pointers_);
    return failure ? failure->text : "";
  }
  // All buffers as they are now.
  Bytes memory() {
    Bytes all;
    for (std::size_t k = 0; k < values_.size(); ++k) {
      const Bytes* const first = std::get_if<Bytes>(&of_.parameters[k]);
      if (first == nullptr) continue;
      const std::byte* const now = device_.memory().find(values_[k], first->size())->bytes;
      all.insert(all.end(), now, now + first->size());
    }
    return all;
  }

 private:
  const Kernel& of_;
  host::Device device_;
  host::KernelModule::Kernel* kernel_ = nullptr;
  std::vector<std::uint64_t> values_;
  std::vector<const void*> pointers_;
};

void measure(benchmark::State& state, const Kernel& of, EngineChoice engine, bool checks) {
  Prepared prepared(of, engine, checks);
  for (auto _ : state)
    if (const std::string wrong = prepared.run(); !wrong.empty()) state.SkipWithError(wrong.c_str());
}

// The same bits, or the comparison means nothing.
std::string difference_of_engines(const Kernel& of) {
  Prepared interpreted(of, EngineChoice::Interpreter, false), compiled(of, EngineChoice::Compiled, false);
  const std::string wrong = interpreted.run() + compiled.run();
  if (!wrong.empty()) return wrong;
  return interpreted.memory() == compiled.memory() ? "" : "machine code and the interpreter leave different bits";
}

}  // namespace

void add_kernels() {
  static const std::vector<Kernel> all = kernels();
  for (const Kernel& one : all) {
    const auto add = [&](const char* how, const std::function<void(benchmark::State&)>& run) {
      benchmark::RegisterBenchmark(("kernels/" + one.name + "/" + how).c_str(), run)->Unit(benchmark::kMillisecond);
    };
    add("interpreter", [&one](benchmark::State& s) { measure(s, one, EngineChoice::Interpreter, false); });
    add("engine", [&one](benchmark::State& s) {
      if (const std::string differs = difference_of_engines(one); !differs.empty()) s.SkipWithError(differs.c_str());
      measure(s, one, EngineChoice::Auto, false);
    });
    add("checked", [&one](benchmark::State& s) { measure(s, one, EngineChoice::Auto, true); });
    if (one.native) {
      add("native", [&one](benchmark::State& s) {
        for (auto _ : s) one.native(), benchmark::ClobberMemory();
      });
    }
  }
}

}  // namespace warpsim::bench
