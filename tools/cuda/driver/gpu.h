// Launches on the GPU of this machine.
//
// Shapes: a GpuLaunch is a kernel of a loaded module with the launch that a Machine was made for: its program, grid,
//         block and arguments. All buffers of a launch lie in one piece of memory, apart from each other as in the
//         simulator, so that one difference leads from the simulator's addresses to the real ones; the gaps between
//         them are filled with a pattern, and a launch that changed it wrote outside its buffers.
//         Launches of one call run one after another; what they need travels in one copy each way.
// Units:  seconds, bytes.
// Errors: GpuError. After a kernel that faults nothing works in this process any more: works() is false then.
// Source: CUDA driver API 13.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "isa/cases/case.h"
#include "sim/machine/machine.h"
#include "tools/cuda/driver/driver.h"
#include "tools/cuda/driver/watchdog.h"

namespace warpsim {

struct GpuError {
  std::string message;
  std::string hint;
  bool program_failed = false;  // the kernel did something wrong, and not this machine
};

struct GpuLaunch {
  std::string entry;
  const Machine* machine = nullptr;  // not run: what is launched
  Dim3 block;                        // of the hardware: ptx_block()
  std::uint32_t shared_bytes = 0;    // dynamic
  bool backend = false;              // as the PTX was written: PtxOptions
  std::uint32_t log_words = 0;       // a thread; 0: it records nothing
  bool reads_variables = false;      // GpuRun::buffers has the module's variables, too
  bool cold = false;                 // nothing of its buffers is in a cache when it starts
};

struct GpuRun {
  std::map<std::string, Array, std::less<>> buffers;  // after the run
  std::vector<std::uint64_t> log;                     // all threads'
};

class Gpu {
 public:
  static std::unique_ptr<Gpu> open(unsigned seconds, std::string& why);
  ~Gpu();

  const CudaDriver& driver() const { return *driver_; }
  bool works() const { return works_; }

  // Whether the driver's compiler optimises. If it does, it folds constants and simplifies, and where PTX leaves bits
  // open (the payload of a NaN, approximate functions) the result may have others than the hardware's.
  enum class Compile : std::uint8_t { Optimised, Plain };
  // A module, or what the driver's compiler says.
  std::variant<CudaHandle, GpuError> load(const std::string& ptx, Compile compile = Compile::Optimised);
  void unload(CudaHandle module);
  // The machine code that the driver's compiler makes of PTX, as an ELF file; load_machine_code() makes it a module.
  std::variant<std::string, GpuError> compile(const std::string& ptx);
  std::variant<CudaHandle, GpuError> load_machine_code(const std::string& cubin);
  // Either all runs, in order, or the first error.
  std::variant<std::vector<GpuRun>, GpuError> load_and_run(const std::string& ptx, std::span<const GpuLaunch> launches,
                                                           Compile compile = Compile::Optimised);
  std::variant<std::vector<GpuRun>, GpuError> run(CudaHandle module, std::span<const GpuLaunch> launches);

 private:
  struct Placed;  // where a launch's memory lies
  Gpu(std::unique_ptr<CudaDriver> driver, unsigned seconds);
  Placed place(const GpuLaunch& launch, std::uint64_t& end) const;
  GpuError failed(const char* function, int code, const std::string& what);
  bool reserve(std::uint64_t bytes, GpuError& error);
  static void fill(std::vector<std::byte>& image, const GpuLaunch& launch, const Placed& placed);
  static std::variant<GpuRun, GpuError> take(std::vector<std::byte>& image, const GpuLaunch& launch,
                                             const Placed& placed);
  int launch(CudaHandle module, const GpuLaunch& launch, const Placed& placed, const char*& function);
  int read_variables(CudaHandle module, const GpuLaunch& launch, GpuRun& run, const char*& function);
  int empty_caches(const char*& function);

  std::unique_ptr<CudaDriver> driver_;
  std::unique_ptr<Watchdog> watchdog_;
  CudaPointer memory_ = 0;
  std::uint64_t memory_bytes_ = 0;
  CudaPointer filler_ = 0;
  bool works_ = true;
};

}  // namespace warpsim
