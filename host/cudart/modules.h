// What the code that nvcc puts into a program registers before main(): fat binaries, and which kernels and variables of
// them belong to which names of the host; and what a program loads later.
//
// Shapes: a fat binary of a whole program (-rdc=true) names those of its parts, which are linked by symbol. Its PTX is
//         read when a kernel or a variable of it is first used. A module that the program loads itself is a fat binary
//         without a wrapper, whose PTX is read at once.
// Units:  bytes.
// Errors: cudaError_t; why, in words, is said once.
// Source: the calls are declared in host_runtime.h and crt/host_runtime.h of CUDA 13.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "host/cudart/cuda_types.h"
#include "host/cudart/images.h"
#include "host/device/device.h"
#include "host/exec/exec_options.h"

namespace warpsim::cudart {

struct FatBinary;

inline constexpr std::uint32_t kUsualSharedBytes = 48 * 1024;  // of a block, unless a program asks for more

struct Function {
  FatBinary* binary = nullptr;
  std::string symbol;
  host::KernelModule::Kernel* kernel = nullptr;      // once it was used
  std::optional<std::uint32_t> most_dynamic_shared;  // none was set: what 48 KiB leave beside its own
  int carveout = -1;
};

struct FatBinary {
  const FatWrapper* wrapper = nullptr;
  host::KernelModule* module = nullptr;
  cudaError_t error = cudaSuccess;                                // once reading it has failed
  std::map<std::string, std::unique_ptr<Function>> by_name = {};  // that were asked for
};

struct Variable {
  FatBinary* binary = nullptr;
  std::string name;
  void** managed = nullptr;  // where the host's pointer to it is
};

class Modules {
 public:
  using Say = std::function<void(const std::string& text)>;
  // `options`, which must outlive it, says whether the modules have their machine code, too.
  Modules(host::Device& device, Say say, const host::ExecOptions& options)
      : device_(device), say_(std::move(say)), options_(options) {}
  host::FatCode wanted_code() const { return options_.times_code ? host::FatCode::Read : host::FatCode::LeftOut; }

  FatBinary* add(const FatWrapper* wrapper);
  void remove(const FatBinary* binary);
  void add(const void* host, Function function) { functions_.insert_or_assign(host, std::move(function)); }
  void add(const void* host, Variable variable) { variables_.insert_or_assign(host, std::move(variable)); }
  // Of an image whose texts are read at once; null after an error, which it then has.
  FatBinary* add(ImageTexts& image);
  bool is_live(const FatBinary* binary) const;
  // A kernel of a fat binary by its name; null: it has none.
  Function* find_function(FatBinary& binary, const std::string& symbol);
  // The managed variables of a fat binary get their addresses.
  cudaError_t initialize(FatBinary& binary);

  // By the host's name for it, or the handle that it is itself. Null: it is none.
  Function* find_function(const void* host);
  // With its kernel.
  cudaError_t use(Function& function);
  cudaError_t find_symbol(const void* host, host::Symbol& symbol);
  bool is_managed(std::uint64_t address) const;  // in a managed variable

 private:
  cudaError_t load(FatBinary& binary);
  host::KernelModule* load(ImageTexts& image);

  host::Device& device_;
  Say say_;
  const host::ExecOptions& options_;
  std::vector<std::unique_ptr<FatBinary>> binaries_;
  std::unordered_map<const void*, Function> functions_;
  std::unordered_map<const void*, Variable> variables_;
  std::unordered_set<const void*> named_;  // the functions by name
};

}  // namespace warpsim::cudart
