#include "tools/cuda/benchmarks/machine_measure.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <limits>
#include <utility>

#include "sim/memory/memory.h"
#include "tools/cuda/driver/driver.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kAlign = 512, kApart = 4096;  // places of launches are a guard apart
constexpr std::uint64_t kLarge = 256 * 1024;          // of a buffer that all launches share, if they only read it

std::uint64_t aligned_up(std::uint64_t n) { return (n + kAlign - 1) / kAlign * kAlign; }

}  // namespace

// One launch's memory, and where what all share stands behind the places of all launches.
struct JobRunner::Image {
  struct Place {
    const JobBuffer* buffer = nullptr;
    bool is_shared = false;
    std::uint64_t offset = 0;  // in a launch's place, or from the start
  };
  std::vector<Place> buffers;
  std::uint64_t stride = 0, size = 0;

  Image(const MachineJob& job, unsigned launches) {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
    for (const JobBuffer& b : job.buffers) {
      const bool shared = b.is_read_only() && b.before->size() > kLarge;
      buffers.push_back({&b, shared, 0});
      if (shared) continue;
      first = std::min(first, b.address);
      last = std::max(last, b.address + b.before->size());
    }
    first = std::min(first, last) / kAlign * kAlign;  // what shares a line here does so there
    // Buffers between them that are shared leave a hole.
    stride = aligned_up(last - first + kApart);
    size = launches * stride;
    for (Place& place : buffers) {
      place.offset = place.is_shared ? size : place.buffer->address - first;
      if (place.is_shared) size = aligned_up(size + place.buffer->before->size());
    }
  }
  std::uint64_t at(const Place& place, std::uint64_t launch) const {
    return place.is_shared ? place.offset : launch * stride + place.offset;
  }
};

JobRunner::~JobRunner() {
  if (!gpu_->works()) return;
  if (module_ != nullptr) gpu_->unload(module_);
  for (const CudaPointer one : {memory_, filler_})
    if (one != 0) gpu_->driver().call("cuMemFree_v2", one);
}

std::string JobRunner::load(const MachineJob& job) {
  if (code_ == job.code) return "";
  if (module_ != nullptr) gpu_->unload(module_);
  module_ = nullptr;
  code_ = nullptr;
  const auto loaded = gpu_->load_machine_code(*job.code);
  if (const GpuError* error = std::get_if<GpuError>(&loaded)) return error->message;
  module_ = std::get<CudaHandle>(loaded);
  code_ = job.code;
  return "";
}

std::string JobRunner::load_anew(const MachineJob& job) {
  if (const int code = gpu_->driver().call("cuCtxSynchronize"); code != 0)
    return gpu_->driver().error_text("cuCtxSynchronize", code);
  code_ = nullptr;
  return load(job);
}

std::string JobRunner::reserve(std::uint64_t bytes) {
  if (bytes <= memory_bytes_) return "";
  if (memory_ != 0) gpu_->driver().call("cuMemFree_v2", memory_);
  memory_bytes_ = 0;
  const int code = gpu_->driver().call("cuMemAlloc_v2", &memory_, static_cast<std::size_t>(bytes));
  if (code != 0) return gpu_->driver().error_text("cuMemAlloc_v2", code);
  memory_bytes_ = bytes;
  return "";
}

// Writes more than any L2 holds.
std::string JobRunner::empty_caches() {
  constexpr std::size_t kBytes = std::size_t{512} << 20U;
  const char* function = "cuMemAlloc_v2";
  int code = filler_ == 0 ? gpu_->driver().call(function, &filler_, kBytes) : 0;
  if (code == 0) code = gpu_->driver().call(function = "cuMemsetD8_v2", filler_, static_cast<unsigned char>(0), kBytes);
  return code == 0 ? "" : gpu_->driver().error_text(function, code);
}

std::string JobRunner::wake(double seconds) {
  using Steady = std::chrono::steady_clock;
  for (const Steady::time_point start = Steady::now();
       std::chrono::duration<double>(Steady::now() - start).count() < seconds;) {
    for (unsigned k = 0; k < 100; ++k)
      if (std::string why = empty_caches(); !why.empty()) return why;
    if (const int code = gpu_->driver().call("cuCtxSynchronize"); code != 0)
      return gpu_->driver().error_text("cuCtxSynchronize", code);
  }
  return "";
}

std::string JobRunner::launch(const MachineJob& job, const Image& image, std::uint64_t place) {
  constexpr int kMaxDynamicShared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  CudaHandle kernel = nullptr;
  const char* function = "cuModuleGetFunction";
  int code = gpu_->driver().call(function, &kernel, module_, job.entry.c_str());
  if (code == 0 && job.shared_bytes != 0)
    code = gpu_->driver().call(function = "cuFuncSetAttribute", kernel, kMaxDynamicShared,
                               static_cast<int>(job.shared_bytes));
  std::string params = job.params;
  for (const Image::Place& one : image.buffers)
    store_bits(reinterpret_cast<std::byte*>(params.data()) + one.buffer->param_offset, memory_ + image.at(one, place),
               sizeof(std::uint64_t));
  // cuda.h 13.0, CU_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE and _END
  std::size_t size = params.size();
  void* extra[] = {reinterpret_cast<void*>(1), params.data(), reinterpret_cast<void*>(2), &size, nullptr};
  const CudaHandle stream = nullptr;
  void** const none = nullptr;
  if (code == 0)
    code = gpu_->driver().call(function = "cuLaunchKernel", kernel, job.grid.x, job.grid.y, job.grid.z, job.block.x,
                               job.block.y, job.block.z, job.shared_bytes, stream, none, static_cast<void**>(extra));
  return code == 0 ? "" : gpu_->driver().error_text(function, code);
}

std::variant<MeasuredJob, std::string> JobRunner::run(const MachineJob& job, unsigned launches, bool loads_each) {
  const Image image(job, launches + 1);
  for (std::string why : {load(job), reserve(image.size)})
    if (!why.empty()) return why;
  std::string memory(image.size, '\0');
  for (const Image::Place& one : image.buffers)
    for (unsigned k = 0; k <= (one.is_shared ? 0 : launches); ++k)
      std::memcpy(memory.data() + image.at(one, k), one.buffer->before->data(), one.buffer->before->size());
  const char* function = "cuMemcpyHtoD_v2";
  int code = gpu_->driver().call(function, memory_, static_cast<const void*>(memory.data()), memory.size());
  if (code != 0) return gpu_->driver().error_text(function, code);
  for (unsigned k = 0; k <= launches; ++k) {
    if (std::string why = job.cold ? empty_caches() : std::string(); !why.empty()) return why;
    if (std::string why = loads_each ? load_anew(job) : std::string(); !why.empty()) return why;
    if (std::string why = launch(job, image, k); !why.empty()) return why;
  }
  const std::uint64_t places = (launches + 1) * image.stride;
  code = gpu_->driver().call(function = "cuCtxSynchronize");
  if (code == 0)
    code = gpu_->driver().call(function = "cuMemcpyDtoH_v2", static_cast<void*>(memory.data()), memory_,
                               static_cast<std::size_t>(places));
  if (code != 0) return gpu_->driver().error_text(function, code);

  MeasuredJob measured;
  for (unsigned k = 1; k <= launches; ++k) {
    std::string_view begin, end, sm;
    for (const Image::Place& one : image.buffers) {
      const std::string_view held(memory.data() + image.at(one, k), one.is_shared ? 0 : one.buffer->before->size());
      if (one.buffer->name == "clock_begin") begin = held;
      else if (one.buffer->name == "clock_end") end = held;
      else if (one.buffer->name == "clock_sm") sm = held;
      else if (!one.is_shared && measured.difference.empty() && held != *one.buffer->after)
        measured.difference = one.buffer->name + " is not what the simulator gives";
    }
    measured.launches.push_back(warp_clocks(job, begin, end, sm));
  }
  return measured;
}

}  // namespace warpsim
