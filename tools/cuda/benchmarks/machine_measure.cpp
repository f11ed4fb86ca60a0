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

// One thread reads a word of each piece, past L1, `turns` times, and keeps the least. The address waits for the first
// clock, and the second clock for the word. Clocks that depend on the thread are read at once.
constexpr const char* kDistances = R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry distances(.param .u64 from, .param .u64 to, .param .u32 pieces, .param .u32 turns)
{
  .reg .u64 %from, %to, %wait;
  .reg .u32 %left, %zero, %turn, %begin, %end, %word, %least;
  .reg .pred %more, %nothing;
  ld.param.u64 %from, [from];
  ld.param.u64 %to, [to];
  ld.param.u32 %left, [pieces];
  mov.u32 %zero, %tid.x;
next:
  mov.u32 %least, 65535;
  ld.param.u32 %turn, [turns];
again:
  mov.u32 %begin, %clock;
  add.u32 %begin, %begin, %zero;
  and.b32 %word, %begin, %zero;
  cvt.u64.u32 %wait, %word;
  add.u64 %wait, %from, %wait;
  ld.global.cg.u32 %word, [%wait];
  setp.eq.u32 %nothing, %word, 0x7fffffff;
  @%nothing trap;
  mov.u32 %end, %clock;
  add.u32 %end, %end, %zero;
  sub.u32 %end, %end, %begin;
  min.u32 %least, %least, %end;
  sub.u32 %turn, %turn, 1;
  setp.ne.u32 %more, %turn, 0;
  @%more bra again;
  st.global.u16 [%to], %least;
  add.u64 %from, %from, 256;
  add.u64 %to, %to, 2;
  sub.u32 %left, %left, 1;
  setp.ne.u32 %more, %left, 0;
  @%more bra next;
  ret;
}
)";

}  // namespace

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

std::string JobRunner::reserve_for(std::span<const MachineJob> jobs, unsigned launches) {
  std::uint64_t most = 0;
  for (const MachineJob& job : jobs) most = std::max(most, JobPlaces(job, launches + 1).size);
  return reserve(most);
}

// "" or why not.
std::string JobRunner::distances(CudaHandle kernel, std::vector<std::uint16_t>& cycles, unsigned turns) {
  const std::size_t bytes = cycles.size() * sizeof cycles.front();
  std::uint32_t pieces = static_cast<std::uint32_t>(cycles.size());
  CudaPointer out = 0;
  void* params[] = {&memory_, &out, &pieces, &turns};
  const char* function = "cuMemAlloc_v2";
  int code = gpu_->driver().call(function, &out, bytes);
  const CudaHandle stream = nullptr;
  void** const none = nullptr;
  if (code == 0)
    code = gpu_->driver().call(function = "cuLaunchKernel", kernel, 1U, 1U, 1U, 1U, 1U, 1U, 0U, stream,
                               static_cast<void**>(params), none);
  if (code == 0)
    code = gpu_->driver().call(function = "cuMemcpyDtoH_v2", static_cast<void*>(cycles.data()), out, bytes);
  if (out != 0) gpu_->driver().call("cuMemFree_v2", out);
  return code == 0 ? "" : gpu_->driver().error_text(function, code);
}

std::variant<L2Map, std::string> JobRunner::distances(std::uint64_t bytes) {
  bytes = std::min(bytes, memory_bytes_) / L2Map::kPiece * L2Map::kPiece;
  CudaHandle module = nullptr, kernel = nullptr;
  const char* function = "cuModuleLoadData";
  int code = gpu_->driver().call(function, &module, static_cast<const void*>(kDistances));
  if (code == 0) code = gpu_->driver().call(function = "cuModuleGetFunction", &kernel, module, "distances");
  if (code != 0) return gpu_->driver().error_text(function, code);
  L2Map map;
  map.first.assign(bytes / L2Map::kPiece, std::numeric_limits<std::uint16_t>::max());
  map.again = map.first;
  std::vector<std::uint16_t> cycles(map.first.size());
  const std::string nothing(bytes, '\0');
  std::string why = cycles.empty() ? "there is no memory" : "";
  constexpr unsigned kPasses = 4;  // the first one fills other caches, of addresses; now and then one comes late
  for (unsigned pass = 0; pass < kPasses && why.empty(); ++pass) {
    code = gpu_->driver().call(function = "cuMemcpyHtoD_v2", memory_, static_cast<const void*>(nothing.data()), bytes);
    why = code == 0 ? distances(kernel, cycles, 1) : gpu_->driver().error_text(function, code);
    for (std::size_t k = 0; k < cycles.size(); ++k) map.first[k] = std::min(map.first[k], cycles[k]);
  }
  if (why.empty()) why = distances(kernel, map.again, kPasses);
  gpu_->unload(module);
  if (!why.empty()) return why;
  return map;
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

std::string JobRunner::launch(const MachineJob& job, const JobPlaces& places, std::uint64_t place) {
  constexpr int kMaxDynamicShared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  CudaHandle kernel = nullptr;
  const char* function = "cuModuleGetFunction";
  int code = gpu_->driver().call(function, &kernel, module_, job.entry.c_str());
  if (code == 0 && job.shared_bytes != 0)
    code = gpu_->driver().call(function = "cuFuncSetAttribute", kernel, kMaxDynamicShared,
                               static_cast<int>(job.shared_bytes));
  std::string params = job.params;
  for (const JobPlaces::Place& one : places.buffers)
    store_bits(reinterpret_cast<std::byte*>(params.data()) + one.buffer->param_offset, memory_ + places.at(one, place),
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
  const JobPlaces places(job, launches + 1);
  for (std::string why : {load(job), reserve(places.size)})
    if (!why.empty()) return why;
  std::string memory(places.size, '\0');
  for (const JobPlaces::Place& one : places.buffers)
    for (unsigned k = 0; k <= (one.is_shared ? 0 : launches); ++k)
      std::memcpy(memory.data() + places.at(one, k), one.buffer->before->data(), one.buffer->before->size());
  const char* function = "cuMemcpyHtoD_v2";
  int code = gpu_->driver().call(function, memory_, static_cast<const void*>(memory.data()), memory.size());
  if (code != 0) return gpu_->driver().error_text(function, code);
  for (unsigned k = 0; k <= launches; ++k) {
    if (std::string why = job.cold ? empty_caches() : std::string(); !why.empty()) return why;
    if (std::string why = loads_each ? load_anew(job) : std::string(); !why.empty()) return why;
    if (std::string why = launch(job, places, k); !why.empty()) return why;
  }
  const std::uint64_t held_bytes = (launches + 1) * places.stride;
  code = gpu_->driver().call(function = "cuCtxSynchronize");
  if (code == 0)
    code = gpu_->driver().call(function = "cuMemcpyDtoH_v2", static_cast<void*>(memory.data()), memory_,
                               static_cast<std::size_t>(held_bytes));
  if (code != 0) return gpu_->driver().error_text(function, code);

  MeasuredJob measured;
  for (unsigned k = 1; k <= launches; ++k) {
    std::string_view begin, end, sm;
    for (const JobPlaces::Place& one : places.buffers) {
      const std::string_view held(memory.data() + places.at(one, k), one.is_shared ? 0 : one.buffer->before->size());
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
