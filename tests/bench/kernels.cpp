// See kernels.h.
#include "tests/bench/kernels.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "host/device/device.h"
#include "tests/bench/kernel.h"
#include "tests/bench/pocl.h"
#include "traces/profile/builtin_profiles.h"

namespace warpsim::bench {
namespace {

std::string ptx_text() {
  std::ifstream in(WARPSIM_SOURCE_DIR "/tests/bench/kernels/kernels.ptx");
  return {std::istreambuf_iterator<char>(in), {}};
}

struct How {  // a kernel is simulated
  EngineChoice engine = EngineChoice::Auto;
  bool checks = false;
  unsigned threads = 1;
  std::shared_ptr<const TimingProfile> timing = nullptr;
};

// A kernel on a device of its own, with its buffers.
class Simulated {
 public:
  Simulated(const Kernel& of, const How& how) : of_(of) {
    device_.set_engine(how.engine);
    device_.set_checks(how.checks);
    device_.set_threads(how.threads);
    device_.set_timing(how.timing);
    auto loaded = device_.load({{"kernels.ptx", ptx_text()}});
    if (auto* const module = std::get_if<host::KernelModule*>(&loaded)) kernel_ = (*module)->find_kernel(of.entry());
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
    if (kernel_ == nullptr) return "there is no kernel " + of_.entry();
    const auto failure = device_.launch(*kernel_, {of_.grid, of_.block}, pointers_);
    return failure ? failure->text : "";
  }
  // All buffers as they are now, one after the other.
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

// A kernel as C++, on buffers of its own.
class Native {
 public:
  explicit Native(const Kernel& of) : of_(of) {
    for (const Parameter& one : of.parameters)
      if (const Bytes* const bytes = std::get_if<Bytes>(&one)) buffers_.push_back(*bytes);
  }
  std::string run() {
    of_.native(buffers_);
    benchmark::ClobberMemory();
    return "";
  }
  Bytes memory() {
    Bytes all;
    for (const Bytes& one : buffers_) all.insert(all.end(), one.begin(), one.end());
    return all;
  }

 private:
  const Kernel& of_;
  std::vector<Bytes> buffers_;
};

struct Outcome {
  std::string wrong;  // "" or what went wrong
  Bytes memory;
};

template <class Run>
Outcome outcome_of(Run& one) {
  const std::string wrong = one.run();
  return {wrong, wrong.empty() ? one.memory() : Bytes{}};
}

// What the interpreter leaves: what all others are compared with.
const Outcome& expected(const Kernel& of) {
  static std::map<std::string, Outcome> known;
  const auto [at, is_new] = known.try_emplace(of.name);
  if (is_new) {
    Simulated interpreted(of, {EngineChoice::Interpreter});
    at->second = outcome_of(interpreted);
  }
  return at->second;
}

template <class T>
std::vector<double> elements(const Bytes& bytes) {
  std::vector<double> all(bytes.size() / sizeof(T));
  for (std::size_t k = 0; k < all.size(); ++k) {
    T one;
    std::memcpy(&one, &bytes[k * sizeof one], sizeof one);
    all[k] = static_cast<double>(one);
  }
  return all;
}

// Whether elements that differ are no further apart than this part of the largest of them: what a kernel only reads
// does not count. NaN is near to nothing.
bool are_near(const std::vector<double>& is, const std::vector<double>& should, double part) {
  double apart = 0, largest = 0;
  for (std::size_t k = 0; k < should.size(); ++k) {
    if (is[k] == should[k]) continue;
    if (!std::isfinite(is[k] - should[k])) return false;
    apart = std::max(apart, std::abs(is[k] - should[k]));
    largest = std::max(largest, std::abs(should[k]));
  }
  return apart <= part * largest;
}

// Whether another compiler's results are the kernel's: but for rounding, where there is any.
bool agree(const Kernel& of, const Bytes& is, const Bytes& should) {
  switch (of.results) {
    case Results::Integers: return is == should;
    case Results::Floats: return are_near(elements<float>(is), elements<float>(should), 1e-5);
    case Results::Doubles: return are_near(elements<double>(is), elements<double>(should), 1e-13);
    case Results::Counts: {
      const std::vector<double> a = elements<int>(is), b = elements<int>(should);
      std::size_t differ = 0;
      for (std::size_t k = 0; k < b.size(); ++k) differ += a[k] != b[k] ? 1 : 0;
      return differ * 200 <= b.size();
    }
  }
  return false;
}

// Times one where the other, of the same kernel, leaves what it should; a wrong one gives no time. That first run also
// makes the code. `exact`: bit for bit.
template <class Run>
void measure(benchmark::State& state, const Kernel& of, bool exact, Run&& compared, Run&& timed) {
  const Outcome first = outcome_of(compared), &should = expected(of);
  std::string wrong = first.wrong + should.wrong;
  if (wrong.empty() && !(exact ? first.memory == should.memory : agree(of, first.memory, should.memory)))
    wrong = "its results are not the interpreter's";
  if (!wrong.empty()) state.SkipWithError(wrong.c_str());
  for (auto _ : state)
    if (wrong = timed.run(); !wrong.empty()) state.SkipWithError(wrong.c_str());
}

// A column of the table: from CUDA C++.
void measure(benchmark::State& state, const Kernel& of, const How& how) {
  How compared = how;
  if (how.engine == EngineChoice::Auto) compared.engine = EngineChoice::Compiled;
  measure(state, of, true, Simulated(of, compared), Simulated(of, how));
}

std::shared_ptr<const TimingProfile> h200() {
  static const std::shared_ptr<const TimingProfile> the =
      std::make_shared<const TimingProfile>(builtin_profile("h200")->bounds[0]);
  return the;
}

}  // namespace

void add_kernels() {
  static const std::vector<Kernel> all = kernels();
  for (const Kernel& one : all) {
    const auto add = [&](const char* how, const std::function<void(benchmark::State&)>& run) {
      // The process's time, since PoCL computes in a thread of its own.
      benchmark::RegisterBenchmark(("kernels/" + one.name + "/" + how).c_str(), run)
          ->Unit(benchmark::kMillisecond)
          ->MeasureProcessCPUTime();
    };
    add("interpreter", [&one](benchmark::State& s) { measure(s, one, How{EngineChoice::Interpreter}); });
    add("engine", [&one](benchmark::State& s) { measure(s, one, How{}); });
    add("threads", [&one](benchmark::State& s) { measure(s, one, How{.threads = 2}); });
    add("checked", [&one](benchmark::State& s) { measure(s, one, How{.checks = true}); });
    add("timed", [&one](benchmark::State& s) { measure(s, one, How{.timing = h200()}); });
    if (one.native) add("native", [&one](benchmark::State& s) { measure(s, one, false, Native(one), Native(one)); });
    if (missing_pocl().empty())
      add("pocl", [&one](benchmark::State& s) { measure(s, one, false, Twin(one), Twin(one)); });
  }
}

}  // namespace warpsim::bench
