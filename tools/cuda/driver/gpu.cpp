#include "tools/cuda/driver/gpu.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <utility>

#include "isa/text/number_text.h"
#include "sim/memory/memory.h"

namespace warpsim {

struct GpuBuffer {
  std::int32_t param = 0;
  std::uint64_t address = 0, bytes = 0;  // the simulator's
};

namespace {

constexpr std::uint64_t kGuardBytes = 4096;  // before the first and behind the last buffer
constexpr std::uint64_t kAlignBytes = 512;
constexpr std::byte kGuard{0xa5};

std::uint64_t align_up(std::uint64_t n) { return (n + kAlignBytes - 1) / kAlignBytes * kAlignBytes; }

// What a kernel did wrong, and after which the context is of no more use. Others of the 700s and above are not the
// kernel's fault: too many resources, a function that this driver does not support. Source: cuda.h 13.0, CUresult.
bool is_kernel_fault(int code) {
  constexpr int kIllegalAddress = 700, kTimeout = 702, kAssert = 710, kTensorMemoryLeak = 721;
  constexpr int kHardwareStackError = 714, kLaunchFailed = 719;
  const bool exception = code >= kHardwareStackError && code <= kLaunchFailed;
  return exception || code == kIllegalAddress || code == kTimeout || code == kAssert || code == kTensorMemoryLeak;
}

std::vector<GpuBuffer> buffers_of(const Machine& machine) {
  std::vector<GpuBuffer> buffers;
  const Program& program = machine.program();
  for (std::size_t k = 0; k < program.params.size(); ++k) {
    const Param& p = program.params[k];
    if (!p.is_buffer() || p.is_variable) continue;
    const std::uint64_t size = machine.buffer(p.name).bits.size() * static_cast<std::uint64_t>(bytes(p.type));
    buffers.push_back({static_cast<std::int32_t>(k), machine.buffer_address(static_cast<std::int32_t>(k)), size});
  }
  return buffers;
}

}  // namespace

// Offsets from the start of the memory of all launches.
struct Gpu::Placed {
  std::vector<GpuBuffer> buffers;
  std::uint64_t begin = 0, size = 0;  // with the guards
  std::uint64_t first_address = 0;    // the simulator's, which lies at begin + kGuardBytes
  std::uint64_t log = 0, log_size = 0;

  std::uint64_t offset(const GpuBuffer& b) const { return begin + kGuardBytes + (b.address - first_address); }
};

std::unique_ptr<Gpu> Gpu::open(unsigned seconds, std::string& why) {
  std::unique_ptr<CudaDriver> driver = CudaDriver::open(why);
  if (!driver) return nullptr;
  return std::unique_ptr<Gpu>(new Gpu(std::move(driver), seconds));
}
Gpu::Gpu(std::unique_ptr<CudaDriver> driver, unsigned seconds)
    : driver_(std::move(driver)), watchdog_(std::make_unique<Watchdog>(seconds)) {}
Gpu::~Gpu() {
  for (const CudaPointer one : {memory_, filler_})
    if (one != 0 && works_) driver_->call("cuMemFree_v2", one);
}

// An error from a kernel stays: every later call gives it again, until the process ends.
GpuError Gpu::failed(const char* function, int code, const std::string& what) {
  GpuError error{what + ": " + driver_->error_text(function, code), "", is_kernel_fault(code)};
  if (!error.program_failed) return error;
  works_ = false;
  error.hint = "the driver works again in a new process only";
  return error;
}

std::variant<CudaHandle, GpuError> Gpu::load(const std::string& ptx, Compile compile) {
  constexpr int kErrorLog = 5, kErrorLogBytes = 6, kOptimisation = 7;  // CUjit_option
  std::array<char, 8192> log{};
  std::array<int, 3> options = {kErrorLog, kErrorLogBytes, kOptimisation};
  std::array<void*, 3> values = {log.data(), reinterpret_cast<void*>(log.size()), nullptr};  // level 0
  const unsigned count = compile == Compile::Plain ? 3 : 2;
  CudaHandle module = nullptr;
  watchdog_->watch("the driver's compiler");
  const int code = driver_->call("cuModuleLoadDataEx", &module, static_cast<const void*>(ptx.c_str()), count,
                                 options.data(), values.data());
  watchdog_->rest();
  if (code == 0) return module;
  GpuError error = failed("cuModuleLoadDataEx", code, "the driver refuses the PTX");
  if (log[0] != '\0') error.message += "\n" + std::string(log.data());
  return error;
}

std::variant<std::vector<GpuRun>, GpuError> Gpu::load_and_run(const std::string& ptx,
                                                              std::span<const GpuLaunch> launches, Compile compile) {
  const auto loaded = load(ptx, compile);
  if (const GpuError* error = std::get_if<GpuError>(&loaded)) return *error;
  auto ran = run(std::get<CudaHandle>(loaded), launches);
  if (works_) unload(std::get<CudaHandle>(loaded));
  return ran;
}

std::variant<std::string, GpuError> Gpu::compile(const std::string& ptx) {
  constexpr int kErrorLog = 5, kErrorLogBytes = 6, kPtx = 1;  // CUjit_option, CUjitInputType
  std::array<char, 8192> log{};
  std::array<int, 2> options = {kErrorLog, kErrorLogBytes};
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size())};
  const unsigned count = 2, none = 0;
  int* const no_options = nullptr;
  void** const no_values = nullptr;
  CudaHandle linker = nullptr;
  void* cubin = nullptr;
  std::size_t size = 0;
  watchdog_->watch("the driver's compiler");
  const char* function = "cuLinkCreate_v2";
  int code = driver_->call(function, count, options.data(), values.data(), &linker);
  if (code == 0) {
    std::string text = ptx;  // the driver wants it writable
    code = driver_->call(function = "cuLinkAddData_v2", linker, kPtx, static_cast<void*>(text.data()), text.size() + 1,
                         "ptx", none, no_options, no_values);
    if (code == 0) code = driver_->call(function = "cuLinkComplete", linker, &cubin, &size);
    if (code == 0) text.assign(static_cast<const char*>(cubin), size);  // the linker's own memory
    driver_->call("cuLinkDestroy", linker);
    watchdog_->rest();
    if (code == 0) return text;
  }
  watchdog_->rest();
  GpuError error = failed(function, code, "the driver refuses the PTX");
  if (log[0] != '\0') error.message += "\n" + std::string(log.data());
  return error;
}

std::variant<CudaHandle, GpuError> Gpu::load_machine_code(const std::string& cubin) {
  CudaHandle module = nullptr;
  const int code = driver_->call("cuModuleLoadData", &module, static_cast<const void*>(cubin.data()));
  if (code != 0) return failed("cuModuleLoadData", code, "the driver refuses its own machine code");
  return module;
}

void Gpu::unload(CudaHandle module) { driver_->call("cuModuleUnload", module); }

bool Gpu::reserve(std::uint64_t bytes, GpuError& error) {
  if (bytes <= memory_bytes_) return true;
  if (memory_ != 0) driver_->call("cuMemFree_v2", memory_);
  memory_bytes_ = 0;
  const int code = driver_->call("cuMemAlloc_v2", &memory_, static_cast<std::size_t>(bytes));
  if (code != 0) {
    memory_ = 0;
    error = failed("cuMemAlloc_v2", code, std::to_string(bytes) + " bytes of the GPU's memory");
    return false;
  }
  memory_bytes_ = bytes;
  return true;
}

Gpu::Placed Gpu::place(const GpuLaunch& launch, std::uint64_t& end) const {
  Placed placed;
  placed.buffers = buffers_of(*launch.machine);
  placed.begin = end;
  std::uint64_t last = 0;
  placed.first_address = placed.buffers.empty() ? 0 : std::numeric_limits<std::uint64_t>::max();
  for (const GpuBuffer& b : placed.buffers) {
    placed.first_address = std::min(placed.first_address, b.address);
    last = std::max(last, b.address + b.bytes);
  }
  placed.size = align_up(2 * kGuardBytes + (placed.buffers.empty() ? 0 : last - placed.first_address));
  end = placed.begin + placed.size;
  const std::uint64_t threads = launch.machine->config().grid.count() * launch.block.count();
  placed.log = end;
  placed.log_size = 8 * threads * launch.log_words;
  end += align_up(placed.log_size);
  return placed;
}

int Gpu::launch(CudaHandle module, const GpuLaunch& launch, const Placed& placed, const char*& function) {
  constexpr int kMaxDynamicShared = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
  CudaHandle kernel = nullptr;
  function = "cuModuleGetFunction";
  if (const int code = driver_->call(function, &kernel, module, launch.entry.c_str()); code != 0) return code;
  if (launch.shared_bytes != 0) {
    function = "cuFuncSetAttribute";
    const int code = driver_->call(function, kernel, kMaxDynamicShared, static_cast<int>(launch.shared_bytes));
    if (code != 0) return code;
  }
  // One image of the parameters, since the members of a structure are parameters of the program, but not of the kernel.
  std::vector<std::byte> image;
  const auto put = [&image](std::uint64_t at, std::uint64_t value, std::uint32_t size) {
    image.resize(std::max<std::uint64_t>(image.size(), at + size));
    store_bits(image.data() + at, value, size);
  };
  const Program& program = launch.machine->program();
  const Arguments& arguments = launch.machine->arguments();
  const std::uint64_t delta = memory_ + placed.begin + kGuardBytes - placed.first_address;
  for (const Param& p : program.params) {
    if (p.is_variable) continue;
    if (!p.is_buffer()) {
      const auto given = arguments.scalars.find(p.name);
      put(p.offset_bytes, given == arguments.scalars.end() ? 0 : given->second, p.size_bytes());
      continue;
    }
    const std::uint64_t address = launch.machine->buffer_address(program.find_param(p.name));
    put(p.offset_bytes, launch.backend ? address : address + delta, p.size_bytes());
  }
  // The image has the parameters' size to the byte: of another one the driver says that resources are lacking.
  const auto put_behind = [&](std::uint64_t word, std::uint32_t size) { put(aligned(image.size(), size), word, size); };
  constexpr std::uint32_t kAddressBytes = 8;
  if (launch.backend) put_behind(delta, kAddressBytes), put_behind(0, kAddressBytes);
  if (launch.log_words != 0)
    put_behind(memory_ + placed.log, kAddressBytes), put_behind(launch.log_words, sizeof launch.log_words);
  // cuda.h 13.0, CU_LAUNCH_PARAM_BUFFER_POINTER, _BUFFER_SIZE and _END
  std::size_t size = image.size();
  void* extra[] = {reinterpret_cast<void*>(1), image.data(), reinterpret_cast<void*>(2), &size, nullptr};
  const Dim3 grid = launch.machine->config().grid;
  function = "cuLaunchKernel";
  const CudaHandle stream = nullptr;
  void** const none = nullptr;
  return driver_->call(function, kernel, grid.x, grid.y, grid.z, launch.block.x, launch.block.y, launch.block.z,
                       launch.shared_bytes, stream, none, image.empty() ? none : static_cast<void**>(extra));
}

// Writes more than any L2 holds, which drives everything else out.
int Gpu::empty_caches(const char*& function) {
  constexpr std::size_t kBytes = std::size_t{512} << 20U;
  if (filler_ == 0) {
    const int code = driver_->call(function = "cuMemAlloc_v2", &filler_, kBytes);
    if (code != 0) return code;
  }
  return driver_->call(function = "cuMemsetD8_v2", filler_, static_cast<unsigned char>(0), kBytes);
}

// Guards and buffers as they are before the run.
void Gpu::fill(std::vector<std::byte>& image, const GpuLaunch& launch, const Placed& placed) {
  std::fill_n(image.begin() + static_cast<std::ptrdiff_t>(placed.begin), placed.size, kGuard);
  for (const GpuBuffer& b : placed.buffers) {
    const Param& p = launch.machine->program().params[static_cast<std::size_t>(b.param)];
    const Array values = launch.machine->buffer(p.name);
    const unsigned size = static_cast<unsigned>(bytes(p.type));
    for (std::size_t n = 0; n < values.bits.size(); ++n)
      store_bits(image.data() + placed.offset(b) + n * size, values.bits[n], size);
  }
}

// Takes the buffers out of the image; then nothing but the pattern may be left.
std::variant<GpuRun, GpuError> Gpu::take(std::vector<std::byte>& image, const GpuLaunch& launch, const Placed& placed) {
  GpuRun run;
  for (const GpuBuffer& b : placed.buffers) {
    const Param& p = launch.machine->program().params[static_cast<std::size_t>(b.param)];
    const unsigned size = static_cast<unsigned>(bytes(p.type));
    Array& array = run.buffers[p.name];
    array.type = p.type;
    for (std::uint64_t at = 0; at < b.bytes; at += size)
      array.bits.push_back(load_bits(image.data() + placed.offset(b) + at, size));
    std::fill_n(image.begin() + static_cast<std::ptrdiff_t>(placed.offset(b)), b.bytes, kGuard);
  }
  const auto begin = image.begin() + static_cast<std::ptrdiff_t>(placed.begin);
  const auto end = begin + static_cast<std::ptrdiff_t>(placed.size);
  const auto changed = std::find_if(begin, end, [](std::byte b) { return b != kGuard; });
  if (changed != end) {
    const std::uint64_t address = placed.first_address + static_cast<std::uint64_t>(changed - begin) - kGuardBytes;
    return GpuError{launch.entry + " wrote outside its buffers on the GPU, at address " + hexadecimal_text(address),
                    "the simulator names the lane and the line", true};
  }
  run.log.resize(placed.log_size / 8);
  if (placed.log_size != 0) std::memcpy(run.log.data(), image.data() + placed.log, placed.log_size);
  return run;
}

// What the launch's variables hold now, of those that the module shows.
int Gpu::read_variables(CudaHandle module, const GpuLaunch& launch, GpuRun& run, const char*& function) {
  for (const Param& p : launch.machine->program().params) {
    if (!p.is_variable || p.is_constant) continue;
    CudaPointer address = 0;
    std::size_t size = 0;
    if (driver_->call("cuModuleGetGlobal_v2", &address, &size, module, p.name.c_str()) != 0) continue;
    std::vector<std::byte> held(size);
    const int code = driver_->call(function = "cuMemcpyDtoH_v2", static_cast<void*>(held.data()), address, size);
    if (code != 0) return code;
    const unsigned step = static_cast<unsigned>(bytes(p.type));
    Array& array = run.buffers[p.name];
    array.type = p.type;
    for (std::size_t at = 0; at + step <= size; at += step) array.bits.push_back(load_bits(held.data() + at, step));
  }
  return 0;
}

std::variant<std::vector<GpuRun>, GpuError> Gpu::run(CudaHandle module, std::span<const GpuLaunch> launches) {
  std::uint64_t end = 0;
  std::vector<Placed> places;
  for (const GpuLaunch& one : launches) places.push_back(place(one, end));
  const bool is_one = std::all_of(launches.begin(), launches.end(),
                                  [&](const GpuLaunch& each) { return each.entry == launches[0].entry; });
  const std::string who =
      is_one && !launches.empty() ? launches[0].entry : std::to_string(launches.size()) + " kernels";
  GpuError error;
  if (!reserve(end, error)) return error;
  std::vector<std::byte> image(end, std::byte{0});
  for (std::size_t k = 0; k < launches.size(); ++k) fill(image, launches[k], places[k]);

  watchdog_->watch(who);
  const char* function = "cuMemcpyHtoD_v2";
  int code = driver_->call(function, memory_, static_cast<const void*>(image.data()), image.size());
  for (std::size_t k = 0; k < launches.size() && code == 0; ++k) {
    if (launches[k].cold) code = empty_caches(function);
    if (code == 0) code = launch(module, launches[k], places[k], function);
  }
  if (code == 0) code = driver_->call(function = "cuCtxSynchronize");
  if (code == 0)
    code = driver_->call(function = "cuMemcpyDtoH_v2", static_cast<void*>(image.data()), memory_, image.size());
  watchdog_->rest();
  if (code != 0) return failed(function, code, who);

  std::vector<GpuRun> runs;
  for (std::size_t k = 0; k < launches.size(); ++k) {
    auto taken = take(image, launches[k], places[k]);
    if (const GpuError* fault = std::get_if<GpuError>(&taken)) return *fault;
    runs.push_back(std::get<GpuRun>(std::move(taken)));
    if (!launches[k].reads_variables) continue;
    code = read_variables(module, launches[k], runs.back(), function);
    if (code != 0) return failed(function, code, who);
  }
  return runs;
}

}  // namespace warpsim
