#include "tools/cuda/rows/row_gpu.h"

#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "tools/cuda/driver/driver.h"
#include "tools/cuda/rows/row_kernels.h"

namespace warpsim::rows {
namespace {

constexpr std::size_t kColumns = 4;
constexpr std::size_t kColumnBytes = 8 * kUnitTuples;
constexpr std::size_t kMemoryBytes = 4 * kColumnBytes;  // four words a thread to act on
constexpr int kNotReady = 600;                          // CUDA_ERROR_NOT_READY
constexpr unsigned kNonBlocking = 1;                    // CU_STREAM_NON_BLOCKING
constexpr int kErrorLog = 5, kErrorLogBytes = 6;        // CU_JIT_ERROR_LOG_BUFFER and its size

// Columns on the way: as wide as the type.
void narrow(Type t, const std::vector<std::uint64_t>& from, std::byte* to) {
  const std::size_t size = column_bytes(t);
  const auto copy = [&]<class T>(T*) {
    T* out = reinterpret_cast<T*>(to);
    for (std::size_t n = 0; n < from.size(); ++n) out[n] = static_cast<T>(from[n]);
  };
  if (size == 1) copy(static_cast<std::uint8_t*>(nullptr));
  else if (size == 2) copy(static_cast<std::uint16_t*>(nullptr));
  else if (size == 4) copy(static_cast<std::uint32_t*>(nullptr));
  else copy(static_cast<std::uint64_t*>(nullptr));
}
void widen(Type t, const std::byte* from, std::vector<std::uint64_t>& to) {
  const std::size_t size = column_bytes(t);
  const auto copy = [&]<class T>(const T*) {
    const T* in = reinterpret_cast<const T*>(from);
    for (std::size_t n = 0; n < to.size(); ++n) to[n] = in[n];
  };
  if (size == 1) copy(static_cast<const std::uint8_t*>(nullptr));
  else if (size == 2) copy(static_cast<const std::uint16_t*>(nullptr));
  else if (size == 4) copy(static_cast<const std::uint32_t*>(nullptr));
  else copy(static_cast<const std::uint64_t*>(nullptr));
}

// What one thread of the sweep sends through. Nothing of it is given back before the process ends.
struct Stream {
  CudaHandle stream = nullptr;
  CudaPointer operands[kColumns] = {}, results = 0, memory = 0;
  void *operands_here[kColumns] = {}, *results_here = nullptr;
};

class Calls {
 public:
  explicit Calls(const CudaDriver& driver) : driver_(driver) {}
  // After the first failure nothing more is called.
  template <class... A>
  Calls& operator()(const char* function, A... arguments) {
    if (!failure_.empty()) return *this;
    const int code = driver_.call(function, arguments...);
    if (code != 0) failure_ = driver_.error_text(function, code);
    return *this;
  }
  Calls& enter_context() {
    if (const int code = failure_.empty() ? driver_.make_current() : 0; code != 0)
      failure_ = driver_.error_text("cuCtxSetCurrent", code);
    return *this;
  }
  const std::string& failure() const { return failure_; }

 private:
  const CudaDriver& driver_;
  std::string failure_;
};

std::string open_stream(const CudaDriver& driver, Stream& s) {
  Calls call(driver);
  call("cuStreamCreate", &s.stream, kNonBlocking);
  for (std::size_t k = 0; k < kColumns; ++k)
    call("cuMemAlloc_v2", &s.operands[k], kColumnBytes)("cuMemHostAlloc", &s.operands_here[k], kColumnBytes, 0U);
  call("cuMemAlloc_v2", &s.results, kColumns * kColumnBytes)("cuMemAlloc_v2", &s.memory, kMemoryBytes);
  call("cuMemHostAlloc", &s.results_here, kColumns * kColumnBytes, 0U);
  return call.failure();
}

class GpuKernel : public WitnessKernel {
 public:
  GpuKernel(const CudaDriver& driver, std::vector<Stream>& streams, const Job& job, CudaHandle module,
            CudaHandle kernel)
      : driver_(driver), streams_(streams), job_(job), module_(module), kernel_(kernel) {}
  ~GpuKernel() override {
    driver_.make_current();
    driver_.call("cuModuleUnload", module_);
  }

  std::string run(unsigned thread, const Columns& operands, std::size_t count, Columns& results) override {
    Stream& s = streams_[thread];
    const Signature& signature = job_.signature;
    Calls call(driver_);
    call.enter_context();
    for (std::size_t k = 0; k < operands.size(); ++k) {
      if (k == signature.constant) continue;
      narrow(signature.operands[k], operands[k], static_cast<std::byte*>(s.operands_here[k]));
      call("cuMemcpyHtoDAsync_v2", s.operands[k], static_cast<const void*>(s.operands_here[k]),
           count * column_bytes(signature.operands[k]), s.stream);
    }
    unsigned n = static_cast<unsigned>(count);
    void* arguments[] = {&s.operands[0], &s.operands[1], &s.operands[2], &s.operands[3], &s.results, &s.memory, &n};
    call("cuLaunchKernel", kernel_, (n + kBlockThreads - 1) / kBlockThreads, 1U, 1U, kBlockThreads, 1U, 1U, 0U,
         s.stream, static_cast<void**>(arguments), static_cast<void**>(nullptr));
    for (std::size_t k = 0; k < results.size(); ++k)
      call("cuMemcpyDtoHAsync_v2", static_cast<void*>(static_cast<std::byte*>(s.results_here) + 8 * count * k),
           s.results + 8 * count * k, count * column_bytes(signature.results[k]), s.stream);
    if (!call.failure().empty()) return call.failure();
    if (const std::string failure = wait(s.stream); !failure.empty()) return failure;
    for (std::size_t k = 0; k < results.size(); ++k)
      widen(signature.results[k], static_cast<const std::byte*>(s.results_here) + 8 * count * k, results[k]);
    return "";
  }

 private:
  std::string wait(CudaHandle stream) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(kLaunchSeconds);
    while (true) {
      const int code = driver_.call("cuStreamQuery", stream);
      if (code == 0) return "";
      if (code != kNotReady) return "the launch gives " + std::to_string(code);
      if (std::chrono::steady_clock::now() > end)
        return "the launch is not over after " + std::to_string(kLaunchSeconds) + " seconds";
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }

  const CudaDriver& driver_;
  std::vector<Stream>& streams_;
  const Job& job_;
  CudaHandle module_, kernel_;
};

class Gpu : public Witness {
 public:
  explicit Gpu(std::unique_ptr<CudaDriver> driver) : driver_(std::move(driver)) {}

  std::string open(unsigned threads) {
    streams_.resize(threads);
    for (Stream& s : streams_) {
      if (const std::string failure = open_stream(*driver_, s); !failure.empty()) return failure;
    }
    return "";
  }
  std::string description() const override { return driver_->description(); }

  std::unique_ptr<WitnessKernel> load(const Job& job, std::string& why) override {
    const std::string text = kPtxHead + column_ptx(job.instruction, job.constant, "k");
    std::string log(2000, '\0');
    int options[] = {kErrorLog, kErrorLogBytes};
    void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
    CudaHandle module = nullptr, kernel = nullptr;
    Calls call(*driver_);
    call.enter_context();
    call("cuModuleLoadDataEx", &module, static_cast<const void*>(text.c_str()), 2U, static_cast<int*>(options),
         static_cast<void**>(values));
    call("cuModuleGetFunction", &kernel, module, "k");
    if (call.failure().empty()) return std::make_unique<GpuKernel>(*driver_, streams_, job, module, kernel);
    why = call.failure() + ": " + std::string(log.c_str());
    return nullptr;
  }

 private:
  std::unique_ptr<CudaDriver> driver_;
  std::vector<Stream> streams_;
};

}  // namespace

std::unique_ptr<Witness> open_gpu(unsigned threads, std::string& why) {
  std::unique_ptr<CudaDriver> driver = CudaDriver::open(why);
  if (!driver) return nullptr;
  auto gpu = std::make_unique<Gpu>(std::move(driver));
  why = gpu->open(threads);
  return why.empty() ? std::move(gpu) : nullptr;
}

}  // namespace warpsim::rows
